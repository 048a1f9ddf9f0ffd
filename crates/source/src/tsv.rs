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
        faults.or(Some(Tsv { source, columns, rows }))
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
    fn wrong_heading() {
        let source = Source::new("t.tsv", "a\tc\n");
        let faults = Tsv::parse(&source, &["a", "b"]).err().unwrap();
        assert_eq!(faults.to_string(), "t.tsv:1: expected the columns a, b, found a, c");
    }
}
