//! Tables of tab-separated values with a heading line.

use crate::{Faults, Source};

/// A tab-separated table whose first line names its columns.
///
/// Blank lines and lines that begin with `#` are passed over.
pub struct Tsv<'s> {
    source: &'s Source,
    columns: Vec<&'s str>,
    rows: Vec<(usize, Vec<&'s str>)>,
}

impl<'s> Tsv<'s> {
    /// Reads a table, which must have exactly the columns `expected`, in that order.
    pub fn parse(source: &'s Source, expected: &[&str]) -> Result<Self, Faults> {
        let (table, faults) = Tsv::parse_recoverable(source, expected)?;
        faults.or(Some(table))
    }

    /// The same, with the rows that can be read and what is wrong with the others. Without the right columns there are none.
    fn parse_recoverable(source: &'s Source, expected: &[&str]) -> Result<(Self, Faults), Faults> {
        let mut faults = Faults::default();
        let mut lines = source
            .text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line))
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (heading, columns) = match lines.next() {
            Some((n, line)) => (n, line.split('\t').map(str::trim).collect()),
            None => (0, Vec::new()),
        };
        if columns != expected {
            faults.push(source.fault(
                heading,
                "",
                format!("expected the columns {}, found {}", expected.join(", "), columns.join(", ")),
            ));
            return Err(faults);
        }
        let mut rows = Vec::new();
        for (n, line) in lines {
            let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
            if cells.len() == columns.len() {
                rows.push((n, cells));
            } else {
                let (want, have) = (columns.len(), cells.len());
                faults.push(source.fault(
                    n,
                    "",
                    format!("expected {want} tab-separated cells, found {have}"),
                ));
            }
        }
        Ok((Tsv { source, columns, rows }, faults))
    }

    /// The rows: line number and cells in the order of the columns.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[&'s str])> {
        self.rows.iter().map(|(n, cells)| (*n, cells.as_slice()))
    }

    /// A fault in a cell of this table.
    pub fn fault(&self, line: usize, column: usize, message: impl Into<String>) -> crate::Fault {
        self.source.fault(line, self.columns[column], message)
    }
}

/// A row of a table, read cell by cell by the names of the columns. What is wrong is collected.
pub struct Row<'t> {
    source: &'t Source,
    columns: &'t [&'t str],
    line: usize,
    cells: &'t [&'t str],
    faults: Faults,
}

impl Row<'_> {
    /// Reads every row of a table into something.
    pub fn read_all<T>(
        source: &Source,
        columns: &[&str],
        read: impl Fn(&mut Row<'_>) -> Option<T>,
    ) -> Result<Vec<T>, Faults> {
        let (tsv, mut faults) = Tsv::parse_recoverable(source, columns)?;
        let mut values = Vec::new();
        for (line, cells) in tsv.rows() {
            let mut row = Row { source, columns: &tsv.columns, line, cells, faults: Faults::default() };
            values.extend(read(&mut row));
            faults.extend(row.faults);
        }
        faults.or(Some(values))
    }

    fn place(&self, column: &str) -> Option<usize> {
        let place = self.columns.iter().position(|name| *name == column);
        debug_assert!(place.is_some(), "there is no column {column}");
        place
    }

    /// The text of a cell.
    pub fn text(&self, column: &str) -> &str {
        self.place(column).map_or("", |place| self.cells[place])
    }

    /// The value of a cell, or nothing and a fault.
    pub fn read<T>(&mut self, column: &str, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match read(self.text(column)) {
            Ok(value) => Some(value),
            Err(wrong) => {
                self.fault(column, wrong);
                None
            }
        }
    }

    /// The value of a cell that may be empty: `-` is nothing.
    pub fn optional<T>(
        &mut self,
        column: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<Option<T>> {
        if self.text(column) == "-" { Some(None) } else { self.read(column, read).map(Some) }
    }

    /// The words of a cell; none for `-`.
    pub fn words(&self, column: &str) -> Vec<String> {
        match self.text(column) {
            "-" => Vec::new(),
            text => text.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// A whole number from `least` to `most`.
    pub fn number(&mut self, column: &str, least: u8, most: u8) -> Option<u8> {
        self.read(column, |text| number(text, least, most))
    }

    /// A whole number, or nothing for `-`.
    pub fn optional_number(&mut self, column: &str, least: u8, most: u8) -> Option<Option<u8>> {
        self.optional(column, |text| number(text, least, most))
    }

    /// `yes` or `no`.
    pub fn yes_no(&mut self, column: &str) -> Option<bool> {
        self.read(column, |text| match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(format!("`{text}` is not yes or no")),
        })
    }

    /// Notes that a cell is wrong.
    pub fn fault(&mut self, column: &str, message: impl Into<String>) {
        self.faults.push(self.source.fault(self.line, column, message));
    }
}

fn number(text: &str, least: u8, most: u8) -> Result<u8, String> {
    text.parse()
        .ok()
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("`{text}` is not a whole number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_their_lines() {
        let source = Source::new("t.tsv", "a\tb\n# note\n\n1\t2\n3\t4\n");
        let tsv = Tsv::parse(&source, &["a", "b"]).unwrap();
        let rows: Vec<_> = tsv.rows().map(|(n, cells)| (n, cells.to_vec())).collect();
        assert_eq!(rows, vec![(4, vec!["1", "2"]), (5, vec!["3", "4"])]);
    }

    #[test]
    fn every_short_row_is_reported() {
        let source = Source::new("t.tsv", "a\tb\n1\n1\t2\n1\t2\t3\n");
        let faults = Tsv::parse(&source, &["a", "b"]).err().unwrap();
        assert_eq!(
            faults.to_string(),
            "t.tsv:2: expected 2 tab-separated cells, found 1\nt.tsv:4: expected 2 tab-separated cells, found 3"
        );
    }

    #[test]
    fn short_rows_do_not_hide_wrong_cells() {
        let source = Source::new("t.tsv", "a\tb\n1\n1\t99\n");
        let read = Row::read_all(&source, &["a", "b"], |row| row.number("b", 1, 9));
        assert_eq!(read.err().unwrap().0.len(), 2);
    }

    #[test]
    fn wrong_heading() {
        let source = Source::new("t.tsv", "a\tc\n");
        let faults = Tsv::parse(&source, &["a", "b"]).err().unwrap();
        assert_eq!(faults.to_string(), "t.tsv:1: expected the columns a, b, found a, c");
    }
}
