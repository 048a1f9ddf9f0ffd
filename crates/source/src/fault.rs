//! What is wrong with a text, and where.

use std::fmt;

/// One thing wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The name of the file.
    pub file: String,
    /// The line, counted from one; 0 when the file as a whole is meant.
    pub line: usize,
    /// The field, such as `unit[3].hex`; empty when the line as a whole is meant.
    pub field: String,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl Fault {
    /// Something wrong with a file as a whole.
    pub fn at(file: &str, message: impl Into<String>) -> Fault {
        Fault { file: file.to_owned(), line: 0, field: String::new(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// All that is wrong with what was read; never empty when returned as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// As many as anybody reads. What is found beyond them is not kept, or a hostile text could cost any amount of memory.
    pub const MOST: usize = 200;

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True when no more are kept.
    pub fn is_full(&self) -> bool {
        self.0.len() >= Faults::MOST
    }

    /// Adds a fault, unless there are enough or it is known: a table that several scenarios read is at fault once.
    pub fn push(&mut self, fault: Fault) {
        if !self.is_full() && !self.0.contains(&fault) {
            self.0.push(fault);
        }
    }

    /// Adds another reader's faults, as long as there are not enough.
    pub fn extend(&mut self, other: Faults) {
        other.0.into_iter().for_each(|fault| self.push(fault));
    }

    /// The value if nothing was found, else all that was, in the order of the file.
    pub fn or<T>(mut self, value: Option<T>) -> Result<T, Faults> {
        self.0.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => {
                debug_assert!(!self.is_empty(), "a reader gave up without saying why");
                Err(self)
            }
        }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
impl std::error::Error for Faults {}
