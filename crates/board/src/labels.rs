//! What is printed in the hexes, and how people write it.

use std::fmt::{self, Write};

use crate::{Grid, Hex};

/// How rows or columns are numbered.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    /// The number of the row or column that the count starts at.
    pub first: u16,
    /// True when the count runs north or west, so that it starts at the southern or eastern edge.
    pub backward: bool,
}

impl Numbering {
    /// The most that a numbering may start at.
    pub const LIMIT: u16 = 9999;

    fn number(self, place: usize, count: usize) -> usize {
        let counted = if self.backward { count - 1 - place } else { place };
        usize::from(self.first) + counted
    }

    fn place(self, number: usize, count: usize) -> Option<usize> {
        let counted = number.checked_sub(usize::from(self.first)).filter(|&n| n < count)?;
        Some(if self.backward { count - 1 - counted } else { counted })
    }

    fn last(self, count: usize) -> usize {
        usize::from(self.first) + count - 1
    }
}

impl Default for Numbering {
    fn default() -> Self {
        Numbering { first: 1, backward: false }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Row(usize),
    Column(usize),
}

/// The labels of a grid: one for each hex, and back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    grid: Grid,
    form: Vec<Piece>,
    row: Numbering,
    column: Numbering,
    printed: u16,
}

impl Labels {
    /// Labels of a form such as `{col:2}{row:2}`; what is wrong with the form otherwise.
    ///
    /// Only every `printed`-th row carries its labels on the board.
    pub fn new(
        grid: Grid,
        form: &str,
        row: Numbering,
        column: Numbering,
        printed: u16,
    ) -> Result<Self, String> {
        let labels = Labels { grid, form: pieces(form)?, row, column, printed: printed.max(1) };
        labels.must_be_clear()?;
        Ok(labels)
    }

    /// `{col:2}{row:2}` in these numbers, with more digits where a large map needs them.
    pub fn plain(grid: Grid, row: Numbering, column: Numbering, printed: u16) -> Self {
        let form = vec![
            Piece::Column(digits(column.last(grid.columns())).max(2)),
            Piece::Row(digits(row.last(grid.rows())).max(2)),
        ];
        Labels { grid, form, row, column, printed: printed.max(1) }
    }

    /// A form is ambiguous when a label could be read as that of another hex, or as more than a label.
    fn must_be_clear(&self) -> Result<(), String> {
        let count = |wanted: fn(&Piece) -> bool| self.form.iter().filter(|piece| wanted(piece)).count();
        let rows = count(|piece| matches!(piece, Piece::Row(_)));
        let columns = count(|piece| matches!(piece, Piece::Column(_)));
        if (rows, columns) != (1, 1) {
            return Err(
                "ambiguous: expected {row:N} and {col:N} once each, as in `{col:2}{row:2}`".to_owned()
            );
        }
        for piece in &self.form {
            match piece {
                Piece::Text(text) => must_not_look_like_more(text)?,
                Piece::Row(width) => must_fit("row", self.row.last(self.grid.rows()), *width)?,
                Piece::Column(width) => must_fit("column", self.column.last(self.grid.columns()), *width)?,
            }
        }
        Ok(())
    }

    /// The label of a hex.
    pub fn label(&self, hex: Hex) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(hex, &mut text);
        text
    }

    /// Writes the label of a hex.
    pub fn write(&self, hex: Hex, out: &mut impl Write) -> fmt::Result {
        let (row, column) = self.numbers(hex);
        for piece in &self.form {
            match piece {
                Piece::Text(text) => out.write_str(text)?,
                Piece::Row(width) => write!(out, "{row:0width$}")?,
                Piece::Column(width) => write!(out, "{column:0width$}")?,
            }
        }
        Ok(())
    }

    /// The hex with a label; why there is none otherwise.
    ///
    /// Case, punctuation and the letters of the form may be left out: `A10.10`, `a1010` and `1010` are the same hex.
    pub fn parse(&self, text: &str) -> Result<Hex, String> {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let letters = folded(text);
        let strange = text.chars().any(|c| !c.is_alphanumeric() && !c.is_ascii_punctuation());
        let misspelt = !letters.is_empty() && letters != self.letters();
        if strange || misspelt || digits.len() != self.digits() {
            return Err(format!(
                "`{text}` is not a hex; a label here looks like {}",
                self.label(Hex::new(0, 0))
            ));
        }
        self.hex_of(&digits).ok_or_else(|| format!("there is no hex {text} on this map"))
    }

    fn hex_of(&self, digits: &str) -> Option<Hex> {
        let (mut row, mut column, mut rest) = (0, 0, digits);
        for piece in &self.form {
            let (number, width) = match piece {
                Piece::Text(_) => continue,
                Piece::Row(width) => (&mut row, *width),
                Piece::Column(width) => (&mut column, *width),
            };
            *number = rest.get(..width)?.parse().ok()?;
            rest = rest.get(width..)?;
        }
        let row = self.row.place(row, self.grid.rows())?;
        let column = self.column.place(column, self.grid.columns())?;
        self.grid.at(row, column)
    }

    /// The numbers of the row and the column of a hex, as the map counts them.
    pub fn numbers(&self, hex: Hex) -> (usize, usize) {
        let (row, column) = self.grid.row_and_column(hex);
        (self.row.number(row, self.grid.rows()), self.column.number(column, self.grid.columns()))
    }

    /// True when the board shows the label of this hex: its row is a multiple of [`Labels::printed`].
    pub fn prints(&self, hex: Hex) -> bool {
        self.numbers(hex).0.is_multiple_of(usize::from(self.printed))
    }

    /// Every how many rows the board shows labels.
    pub fn printed(&self) -> u16 {
        self.printed
    }

    /// How rows are numbered.
    pub fn row(&self) -> Numbering {
        self.row
    }

    /// How columns are numbered.
    pub fn column(&self) -> Numbering {
        self.column
    }

    /// The form, as it is written in a map file.
    pub fn form(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Row(width) => format!("{{row:{width}}}"),
            Piece::Column(width) => format!("{{col:{width}}}"),
        };
        self.form.iter().map(piece).collect()
    }

    /// A number by which hexes sort as their labels do.
    pub(crate) fn rank(&self, hex: Hex) -> (usize, usize) {
        let (row, column) = self.numbers(hex);
        let rows_first = self.form.iter().find(|piece| !matches!(piece, Piece::Text(_)));
        if matches!(rows_first, Some(Piece::Row(_))) { (row, column) } else { (column, row) }
    }

    fn letters(&self) -> String {
        let texts = self.form.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            _ => None,
        });
        folded(&texts.collect::<String>())
    }

    fn digits(&self) -> usize {
        let width = |piece: &Piece| match piece {
            Piece::Text(_) => 0,
            Piece::Row(width) | Piece::Column(width) => *width,
        };
        self.form.iter().map(width).sum()
    }
}

/// The letters of a text, all small.
fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

fn must_fit(what: &str, last: usize, width: usize) -> Result<(), String> {
    if digits(last) > width {
        return Err(format!("ambiguous: {what} {last} has more than {width} digits"));
    }
    Ok(())
}

fn must_not_look_like_more(text: &str) -> Result<(), String> {
    // What separates the parts of a list, a hexside, a chain, a set of units or a line of a record.
    let taken = |c: char| "-/{},;".contains(c) || !(c.is_alphabetic() || c.is_ascii_punctuation());
    if text.contains("..") || text.contains(taken) {
        return Err(format!(
            "ambiguous: `{text}` has more than letters and punctuation, or one of - / , ; .. outside of {{row:N}} and \
             {{col:N}}"
        ));
    }
    Ok(())
}

/// Splits `A{col:2}.{row:2}` into its pieces.
fn pieces(form: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut rest = form;
    while let Some((text, after)) = rest.split_once('{') {
        let (field, after) = after.split_once('}').ok_or_else(|| format!("`{form}` has no closing brace"))?;
        if !text.is_empty() {
            pieces.push(Piece::Text(text.to_owned()));
        }
        pieces.push(number_piece(field)?);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}

fn number_piece(field: &str) -> Result<Piece, String> {
    let width = |digits: &str| digits.parse().ok().filter(|width| (1..=5).contains(width));
    match field.split_once(':').map(|(name, digits)| (name, width(digits))) {
        Some(("row", Some(width))) => Ok(Piece::Row(width)),
        Some(("col", Some(width))) => Ok(Piece::Column(width)),
        _ => Err(format!("expected {{row:N}} or {{col:N}} with N from 1 to 5, found {{{field}}}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Orientation, Shifted};

    fn from(first: u16, backward: bool) -> Numbering {
        Numbering { first, backward }
    }

    /// Rows southward, columns westward; the even-numbered rows lie half a hex east of the odd ones.
    fn dagc() -> Labels {
        let grid = Grid::new(41, 29, Orientation::PointsUp, Shifted::Odd).unwrap();
        Labels::new(grid, "{row:2}{col:2}", from(10, false), from(0, true), 1).unwrap()
    }

    fn barbarossa() -> Labels {
        let grid = Grid::new(23, 25, Orientation::PointsUp, Shifted::Odd).unwrap();
        Labels::new(grid, "{row:2}{col:2}", from(10, false), from(0, true), 1).unwrap()
    }

    fn bug() -> Labels {
        let grid = Grid::new(24, 35, Orientation::PointsUp, Shifted::Even).unwrap();
        Labels::new(grid, "{col:2}{row:2}", from(1, false), from(1, false), 1).unwrap()
    }

    /// Flat tops, rows counted from the bottom, the even columns half a hex up.
    fn ocs() -> Labels {
        let grid = Grid::new(60, 35, Orientation::FlatTop, Shifted::Odd).unwrap();
        Labels::new(grid, "A{col:2}.{row:2}", from(1, true), from(1, false), 5).unwrap()
    }

    fn neighbours(labels: &Labels, label: &str) -> Vec<String> {
        let hex = labels.parse(label).unwrap();
        let mut names: Vec<_> = labels.grid.neighbours(hex).map(|hex| labels.label(hex)).collect();
        names.sort();
        names
    }

    fn distance(labels: &Labels, a: &str, b: &str) -> u32 {
        labels.grid.distance(labels.parse(a).unwrap(), labels.parse(b).unwrap())
    }

    fn beyond(labels: &Labels, label: &str, dir: &str) -> String {
        let dir = crate::Dir::named(dir, labels.grid.orientation()).unwrap();
        labels.label(labels.grid.neighbour(labels.parse(label).unwrap(), dir).unwrap())
    }

    #[test]
    fn every_label_is_read_back() {
        for labels in [dagc(), barbarossa(), bug(), ocs()] {
            for hex in labels.grid.hexes() {
                assert_eq!(labels.parse(&labels.label(hex)), Ok(hex));
            }
            assert_eq!(pieces(&labels.form()).unwrap(), labels.form);
        }
    }

    #[test]
    fn rows_south_and_columns_west() {
        let labels = dagc();
        assert_eq!(neighbours(&labels, "3500"), ["3400", "3401", "3501", "3600", "3601"]);
        assert_eq!(distance(&labels, "4004", "3102"), 9);
        assert_eq!(distance(&labels, "1803", "1804"), 1);
        assert_eq!(beyond(&labels, "2005", "SE"), "2104");
        assert_eq!(beyond(&labels, "2005", "NW"), "1905");
    }

    #[test]
    fn barbarossa_distances() {
        let labels = barbarossa();
        for to in ["2208", "2308", "2409"] {
            assert_eq!(distance(&labels, "2210", to), 2);
        }
        assert_eq!(beyond(&labels, "2403", "NW"), "2303");
    }

    #[test]
    fn columns_before_rows() {
        let labels = bug();
        assert_eq!(labels.label(Hex::new(0, 0)), "0101");
        assert_eq!(labels.label(Hex::new(23, 34)), "3524");
        assert_eq!(beyond(&labels, "0101", "SE"), "0102");
        assert_eq!(beyond(&labels, "0502", "SE"), "0603");
    }

    #[test]
    fn rows_from_the_bottom_with_a_map_letter() {
        let labels = ocs();
        for text in ["A10.10", "a10.10", "a1010", "1010", "10.10"] {
            assert_eq!(labels.parse(text).map(|hex| labels.label(hex)), Ok("A10.10".to_owned()));
        }
        assert_eq!(beyond(&labels, "A10.10", "N"), "A10.11");
        assert_eq!(beyond(&labels, "A10.10", "SE"), "A11.10");
        assert_eq!(beyond(&labels, "A11.10", "NE"), "A12.10");
        assert!(labels.prints(labels.parse("A10.10").unwrap()));
        assert!(!labels.prints(labels.parse("A10.11").unwrap()));
    }

    #[test]
    fn what_is_not_a_label_says_how_labels_look() {
        let labels = ocs();
        assert_eq!(
            labels.parse("B10.10").unwrap_err(),
            "`B10.10` is not a hex; a label here looks like A01.35"
        );
        assert!(labels.parse("").is_err() && labels.parse("A1.1").is_err() && labels.parse("10 10").is_err());
        assert_eq!(labels.parse("A61.10").unwrap_err(), "there is no hex A61.10 on this map");
        assert_eq!(dagc().parse("0900").unwrap_err(), "there is no hex 0900 on this map");
    }

    #[test]
    fn ambiguous_forms_are_refused() {
        let grid = Grid::new(24, 135, Orientation::PointsUp, Shifted::Even).unwrap();
        let fault =
            |form: &str| Labels::new(grid, form, Numbering::default(), Numbering::default(), 1).unwrap_err();
        assert_eq!(fault("{col:2}{row:2}"), "ambiguous: column 135 has more than 2 digits");
        assert!(fault("{col:3}").starts_with("ambiguous: expected {row:N} and {col:N} once each"));
        assert!(fault("7{col:3}{row:2}").starts_with("ambiguous: `7` has more than letters and punctuation"));
        assert!(fault("A{col:3};{row:2}").starts_with("ambiguous: `;`"));
        assert!(fault("A{col:3}\u{fffd}{row:2}").starts_with("ambiguous"));
        assert!(fault("{col:3}-{row:2}").starts_with("ambiguous: `-` has"));
        assert_eq!(fault("{col:3}{raw:2}"), "expected {row:N} or {col:N} with N from 1 to 5, found {raw:2}");
        assert_eq!(fault("{col:3"), "`{col:3` has no closing brace");
        assert_eq!(
            Labels::plain(grid, Numbering::default(), Numbering::default(), 1).form(),
            "{col:3}{row:2}"
        );
    }
}
