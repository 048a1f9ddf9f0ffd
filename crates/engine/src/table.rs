//! Charts: combat results by odds or differential, with shifts, row modifiers, clamps and their provenance.

use source::{Doc, Faults, Item, Source, Table};

/// Where the values of a chart come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// The rulebook prints them, in this case.
    Rulebook(String),
    /// A published chart, named in the note.
    Known(String),
    /// Ours, consistent with every figure and worked example that the rulebook gives; the note says how.
    Reconstructed(String),
}

impl Provenance {
    /// Reads `source`, `case` and `note` of a table that a data file begins with.
    pub fn read(table: &Table<'_>) -> Option<Provenance> {
        let kind = table.need("source")?.one_of(&["rulebook", "known", "reconstructed"])?;
        let note = table.get("note").and_then(|note| note.str()).unwrap_or_default().to_owned();
        let case = table.get("case").and_then(|case| case.str());
        match (kind, case) {
            (0, Some(case)) => Some(Provenance::Rulebook(case.to_owned())),
            (0, None) => {
                table.fault("a chart that the rulebook prints must name its `case`");
                None
            }
            (1, _) => Some(Provenance::Known(note)),
            _ => Some(Provenance::Reconstructed(note)),
        }
    }

    /// The word in the file: rulebook, known or reconstructed.
    pub fn word(&self) -> &'static str {
        match self {
            Provenance::Rulebook(_) => "rulebook",
            Provenance::Known(_) => "known",
            Provenance::Reconstructed(_) => "reconstructed",
        }
    }
}

/// A column of a results table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// Attack to defence: `3:1`, `1:2`.
    Odds(u32, u32),
    /// Attack minus defence, at least this; the first column reaches down without end.
    Differential(i32),
}

/// How the quotient of attack and defence becomes a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the next lower column, in favour of the defender.
    Down,
    /// To the nearest column in whole numbers of the larger side, halves up: 15 against 6 is 3:1.
    Nearest,
}

/// Where a column search or a shift ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The column, within the table.
    pub column: usize,
    /// How many columns it would have been beyond the last (positive) or before the first (negative).
    pub beyond: i32,
}

/// A results table: rows by die, columns by odds or differential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultTable<T> {
    /// What it is called.
    pub title: String,
    /// Where its values come from.
    pub provenance: Provenance,
    headings: Vec<String>,
    columns: Vec<Column>,
    /// The die roll of the first row.
    first_row: i32,
    /// Row by row.
    cells: Vec<T>,
}

impl<T: Copy> ResultTable<T> {
    /// Reads a table; `cell` turns the text of a cell into a result.
    ///
    /// ```toml
    /// title = "Combat results"
    /// source = "reconstructed"
    /// columns = ["1:2", "1:1", "2:1"]      # or "-2", "-1", "0", "+1", "+2": attack minus defence, at least
    /// [rows]
    /// 1 = "AE AE AS"
    /// 2 = "AE AS DR"
    /// ```
    pub fn read(source: &Source, cell: impl Fn(&str) -> Result<T, String>) -> Result<ResultTable<T>, Faults> {
        let doc = Doc::parse(source)?;
        let table = read_table(&doc.root(), &cell);
        doc.finish(table)
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The heading of a column.
    pub fn heading(&self, column: usize) -> &str {
        &self.headings[column]
    }

    /// The column of a differential.
    pub fn differential(&self, difference: i32) -> Landing {
        let below = |column: &Column| match column {
            Column::Differential(least) => *least <= difference,
            Column::Odds(..) => false,
        };
        self.place(self.columns.iter().filter(|column| below(column)).count() as i32 - 1)
    }

    /// The column of odds. Defence 0 is beyond every column.
    pub fn odds(&self, attack: u32, defence: u32, rounding: Rounding) -> Landing {
        if defence == 0 {
            return Landing { column: self.width() - 1, beyond: 1 };
        }
        let (attack, defence) = match rounding {
            Rounding::Down => (attack, defence),
            Rounding::Nearest => nearest_whole(attack, defence),
        };
        let reached = |column: &Column| match column {
            Column::Odds(a, d) => u64::from(attack) * u64::from(*d) >= u64::from(defence) * u64::from(*a),
            Column::Differential(_) => false,
        };
        self.place(self.columns.iter().filter(|column| reached(column)).count() as i32 - 1)
    }

    /// The column a number of columns to the right (positive) or left of another.
    pub fn shift(&self, from: Landing, columns: i32) -> Landing {
        self.place(from.column as i32 + from.beyond + columns)
    }

    /// The column within the table nearest to this number.
    fn place(&self, wanted: i32) -> Landing {
        let last = self.width() as i32 - 1;
        let column = wanted.clamp(0, last);
        Landing { column: column as usize, beyond: wanted - column }
    }

    /// The result of a die, modified or not: beyond the first and last row these count.
    pub fn result(&self, column: usize, die: i32) -> T {
        let last = self.first_row + self.height() as i32 - 1;
        let row = die.clamp(self.first_row, last) - self.first_row;
        self.cells[row as usize * self.width() + column]
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width()
    }
}

/// The odds from which each column of a table counts, where they are not the headings themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsLine(Vec<(u32, u32)>);

impl OddsLine {
    /// Reads `"1:2 1:1 3:2"`; the odds must rise.
    pub fn read(item: &Item<'_>) -> OddsLine {
        let mut line: Vec<(u32, u32)> = Vec::new();
        for word in item.words() {
            let column = word.parse(|text| match read_column(text)? {
                Column::Odds(attack, defence) => Ok((attack, defence)),
                Column::Differential(_) => Err(format!("`{text}` are no odds such as 3:1")),
            });
            let Some((attack, defence)) = column else { continue };
            let rises = line
                .last()
                .is_none_or(|(a, d)| ascending(Column::Odds(*a, *d), Column::Odds(attack, defence)));
            if !rises {
                word.fault("odds must rise from left to right");
            }
            line.push((attack, defence));
        }
        OddsLine(line)
    }

    /// How many columns it covers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when it covers none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The odds of a column: so many to so many.
    pub fn odds(&self, column: usize) -> Option<(u32, u32)> {
        self.0.get(column).copied()
    }

    /// The column of these odds, rounded down; nothing when they are below the first. Odds against nobody are beyond
    /// every column.
    pub fn column(&self, attack: u32, defence: u32) -> Option<usize> {
        let reached =
            |(a, d): &(u32, u32)| u64::from(attack) * u64::from(*d) >= u64::from(defence) * u64::from(*a);
        self.0.partition_point(reached).checked_sub(1)
    }
}

/// Odds as a whole number to one: what is left over counts from a half up.
fn nearest_whole(attack: u32, defence: u32) -> (u32, u32) {
    let whole = |large: u32, small: u32| (u64::from(large) * 2 + u64::from(small)) / (u64::from(small) * 2);
    if attack >= defence {
        (whole(attack, defence) as u32, 1)
    } else if attack == 0 {
        (0, 1)
    } else {
        (1, whole(defence, attack) as u32)
    }
}

fn read_table<T: Copy>(
    root: &Table<'_>,
    cell: &impl Fn(&str) -> Result<T, String>,
) -> Option<ResultTable<T>> {
    let title = root.need("title").and_then(|title| title.str());
    let provenance = Provenance::read(root);
    let (headings, columns) = root.need("columns").map(|columns| read_columns(&columns)).unwrap_or_default();
    let rows = root.need("rows").and_then(|rows| rows.table());
    root.done();
    let (first_row, cells) = read_rows(&rows?, columns.len(), cell)?;
    Some(ResultTable {
        title: title?.to_owned(),
        provenance: provenance?,
        headings,
        columns,
        first_row,
        cells,
    })
}

fn read_columns(item: &Item<'_>) -> (Vec<String>, Vec<Column>) {
    let mut headings = Vec::new();
    let mut columns: Vec<Column> = Vec::new();
    for heading in item.items() {
        let Some(column) = heading.parse(read_column) else { continue };
        if columns.last().is_some_and(|last| !ascending(*last, column)) {
            heading.fault("columns must be of one sort, odds or differentials, and rise from left to right");
        }
        headings.push(heading.str().unwrap_or_default().to_owned());
        columns.push(column);
    }
    if columns.is_empty() {
        item.fault("a table needs at least one column");
    }
    (headings, columns)
}

fn read_column(text: &str) -> Result<Column, String> {
    let wrong =
        || format!("`{text}` is not a column; expected odds such as 3:1 or a differential such as +2");
    match text.split_once(':') {
        Some((attack, defence)) => match (attack.parse(), defence.parse()) {
            (Ok(a @ 1..), Ok(d @ 1..)) => Ok(Column::Odds(a, d)),
            _ => Err(wrong()),
        },
        None => text.parse().map(Column::Differential).map_err(|_| wrong()),
    }
}

fn ascending(left: Column, right: Column) -> bool {
    match (left, right) {
        (Column::Odds(a, b), Column::Odds(c, d)) => u64::from(a) * u64::from(d) < u64::from(c) * u64::from(b),
        (Column::Differential(a), Column::Differential(b)) => a < b,
        _ => false,
    }
}

fn read_rows<T: Copy>(
    rows: &Table<'_>,
    width: usize,
    cell: &impl Fn(&str) -> Result<T, String>,
) -> Option<(i32, Vec<T>)> {
    let mut first = None;
    let mut next = 0;
    let mut cells = Vec::new();
    for (die, row) in rows.rest() {
        let Ok(number) = die.parse::<i32>() else {
            row.fault("a row is named by its die roll, a whole number");
            continue;
        };
        if first.is_some() && number != next {
            row.fault(format!("expected the row for {next} here: rows rise one by one"));
        }
        first.get_or_insert(number);
        next = number.saturating_add(1);
        let words = row.words();
        if words.len() != width {
            row.fault(format!("expected {width} results, one a column, found {}", words.len()));
        }
        cells.extend(words.iter().filter_map(|word| word.parse(cell)));
    }
    if first.is_none() {
        rows.fault("a table needs at least one row");
    }
    Some((first?, cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(cell: &str) -> Result<char, String> {
        cell.chars().next().filter(|c| c.is_ascii_uppercase()).ok_or_else(|| format!("`{cell}` is no result"))
    }

    fn table(columns: &str) -> ResultTable<char> {
        let text = format!(
            "title = 't'\nsource = 'reconstructed'\ncolumns = {columns}\n[rows]\n1 = 'A B C D'\n2 = 'E F G H'\n"
        );
        ResultTable::read(&Source::new("crt.toml", text), letters).unwrap()
    }

    #[test]
    fn odds_round_down_and_clamp() {
        let crt = table("['1:2', '1:1', '3:2', '3:1']");
        let column = |a, d| crt.odds(a, d, Rounding::Down);
        assert_eq!(column(1, 2), Landing { column: 0, beyond: 0 });
        assert_eq!(column(99, 100), Landing { column: 0, beyond: 0 });
        assert_eq!(column(8, 5), Landing { column: 2, beyond: 0 });
        assert_eq!(column(1, 3), Landing { column: 0, beyond: -1 });
        assert_eq!(column(900, 1), Landing { column: 3, beyond: 0 });
        assert_eq!(column(5, 0), Landing { column: 3, beyond: 1 });
    }

    #[test]
    fn odds_to_the_nearest_whole() {
        let crt = table("['1:2', '1:1', '2:1', '3:1']");
        assert_eq!(crt.odds(15, 6, Rounding::Nearest).column, 3);
        assert_eq!(crt.odds(14, 6, Rounding::Nearest).column, 2);
        assert_eq!(crt.odds(2, 3, Rounding::Nearest).column, 0);
        assert_eq!(crt.odds(3, 4, Rounding::Nearest).column, 1);
    }

    #[test]
    fn differentials_and_shifts() {
        let crt = table("['-2', '0', '+2', '+5']");
        assert_eq!(crt.differential(1), Landing { column: 1, beyond: 0 });
        assert_eq!(crt.differential(-9), Landing { column: 0, beyond: -1 });
        assert_eq!(crt.shift(crt.differential(5), 2), Landing { column: 3, beyond: 2 });
        // A shift back is counted from where the shifts led, not from the edge of the table.
        assert_eq!(crt.shift(crt.shift(crt.differential(5), 2), -2), Landing { column: 3, beyond: 0 });
        assert_eq!(crt.shift(crt.differential(0), -3), Landing { column: 0, beyond: -2 });
    }

    #[test]
    fn rows_clamp() {
        let crt = table("['-2', '0', '+2', '+5']");
        assert_eq!(
            (crt.result(1, -3), crt.result(1, 1), crt.result(1, 2), crt.result(1, 7)),
            ('B', 'B', 'F', 'F')
        );
    }

    #[test]
    fn faults_name_line_and_field() {
        let text =
            "title = 't'\nsource = 'guess'\ncolumns = ['2:1', '1:1', 'x']\n[rows]\n1 = 'A B'\n3 = 'A b C'\n";
        let faults = ResultTable::read(&Source::new("crt.toml", text), letters).unwrap_err().to_string();
        for expected in [
            "crt.toml:2: source: `guess` is not one of rulebook, known, reconstructed",
            "crt.toml:3: columns[1]: columns must be of one sort",
            "crt.toml:3: columns[2]: `x` is not a column",
            "crt.toml:6: rows.3: expected the row for 2 here",
            "crt.toml:6: rows.3: expected 2 results, one a column, found 3",
            "crt.toml:6: rows.3: `b` is no result",
        ] {
            assert!(faults.contains(expected), "no `{expected}` in:\n{faults}");
        }
    }
}
