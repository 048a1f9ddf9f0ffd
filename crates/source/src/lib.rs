//! Text data, read so that every fault is located.
//!
//! Everything a person may write for Grognard (maps, tables, scenarios,
//! situations, rule tests) is TOML or TSV. This crate reads both and never stops
//! at the first fault: a reader asks for fields one by one, and all that is
//! missing, mistyped, out of range or unknown is collected as [`Fault`]s with
//! file, line, field and what was expected.

mod doc;
mod fault;
mod tsv;
mod write;

pub use doc::{Doc, Item, Table};
pub use fault::{Fault, Faults};
pub use tsv::{Row, Tsv};
pub use write::Writer;

/// A named text: a file on disk, a file in the binary, standard input or a string in a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name that faults are reported under, such as `dagc/tables/crt.toml`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// A text under a name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// The line, counted from one, that the byte at `offset` stands in.
    pub fn line_at(&self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        1 + self.text.as_bytes()[..end].iter().filter(|&&b| b == b'\n').count()
    }

    /// A fault in this text.
    pub fn fault(&self, line: usize, field: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault { file: self.name.clone(), line, field: field.into(), message: message.into() }
    }
}
