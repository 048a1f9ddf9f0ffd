//! TOML, written for people: one thing a line, in the order it is told.

use std::fmt::Write;

use toml::Value;

/// Writes TOML text that [`crate::Doc`] reads back.
#[derive(Default)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// A comment line.
    pub fn comment(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "# {line}");
        }
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// `key = value`.
    pub fn field(&mut self, key: &str, value: impl Into<Value>) {
        let _ = writeln!(self.text, "{} = {}", bare(key), value.into());
    }

    /// `key = [ … ]` with one value a line, as it suits lists of phrases.
    pub fn list<T: Into<Value>>(&mut self, key: &str, values: impl IntoIterator<Item = T>) {
        let _ = writeln!(self.text, "{} = [", bare(key));
        for value in values {
            let _ = writeln!(self.text, "  {},", value.into());
        }
        self.text.push_str("]\n");
    }

    /// `key = "words words"`, broken into lines of readable length.
    pub fn words<S: AsRef<str>>(&mut self, key: &str, words: impl IntoIterator<Item = S>) {
        let words: Vec<S> = words.into_iter().collect();
        let length: usize = words.iter().map(|w| w.as_ref().len() + 1).sum();
        if length < 90 {
            let line: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
            self.field(key, line.join(" "));
            return;
        }
        let _ = write!(self.text, "{} = \"\"\"", bare(key));
        let mut column = usize::MAX / 2;
        for word in &words {
            let word = word.as_ref();
            if column + word.len() >= 100 {
                self.text.push('\n');
                column = 0;
            } else {
                self.text.push(' ');
            }
            column += word.len() + 1;
            self.text.push_str(word);
        }
        self.text.push_str("\n\"\"\"\n");
    }

    /// `key = """ … """`, the text beginning on a line of its own.
    ///
    /// Text that a multi-line string cannot hold as it is gets written as an ordinary string.
    pub fn block(&mut self, key: &str, text: &str) {
        let plain = !text.contains('\\')
            && !text.contains("\"\"\"")
            && !text.chars().any(|c| c.is_control() && c != '\n');
        if plain && text.ends_with('\n') {
            let _ = writeln!(self.text, "{} = \"\"\"\n{text}\"\"\"", bare(key));
        } else {
            self.field(key, text);
        }
    }

    /// `[name]`, after an empty line.
    pub fn table(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[{name}]");
    }

    /// `[[name]]`, after an empty line.
    pub fn entry(&mut self, name: &str) {
        let _ = writeln!(self.text, "\n[[{name}]]");
    }

    /// Text that is TOML already.
    pub fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The text written.
    pub fn finish(self) -> String {
        self.text
    }
}

/// A key, quoted where it must be. TOML allows no multi-line string there, which a value might become.
fn bare(key: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    if !key.is_empty() && key.bytes().all(plain) {
        return key.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in key.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Doc, Source};

    #[test]
    fn reads_back() {
        let mut out = Writer::new();
        out.field("turn", 3);
        out.field("odd key", "a \"b\"\n");
        out.field("O'Hara \"\\\n", 1);
        out.words("hexes", (0..60).map(|n| format!("{n:04}")));
        out.list("stack", ["one", "two"]);
        out.block("grid", ". .\n . .\n");
        let source = Source::new("t", out.finish());
        let doc = Doc::parse(&source).unwrap();
        let root = doc.root();
        assert_eq!(root.need("turn").unwrap().int(0..=9), Some(3));
        assert_eq!(root.need("odd key").unwrap().str(), Some("a \"b\"\n"));
        assert_eq!(root.need("O'Hara \"\\\n").unwrap().int(0..=9), Some(1));
        assert_eq!(root.need("hexes").unwrap().words().len(), 60);
        assert_eq!(root.need("stack").unwrap().items().len(), 2);
        assert_eq!(root.need("grid").unwrap().str(), Some(". .\n . .\n"));
        root.done();
        assert!(doc.finish(Some(())).is_ok());
    }
}
