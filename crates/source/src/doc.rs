//! TOML, read field by field, with all faults collected.

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::RangeInclusive;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Fault, Faults, Source};

/// A TOML document and the faults found in it so far.
pub struct Doc<'s> {
    source: &'s Source,
    root: Spanned<DeTable<'s>>,
    faults: RefCell<Faults>,
}

impl<'s> Doc<'s> {
    /// Parses the text; a syntax error is the only fault that stops reading at once.
    pub fn parse(source: &'s Source) -> Result<Self, Faults> {
        let (root, errors) = DeTable::parse_recoverable(&source.text);
        let mut faults = Faults::default();
        for error in errors.into_iter().take(Faults::MOST) {
            let line = error.span().map_or(0, |span| source.line_at(span.start));
            faults.push(source.fault(line, "", error.message().replace('\n', ", ")));
        }
        faults.or(Some(Doc { source, root, faults: RefCell::default() }))
    }

    /// The top-level table.
    pub fn root(&self) -> Table<'_> {
        Table::new(self, self.root.get_ref(), String::new(), 0)
    }

    /// The text this was read from.
    pub fn source(&self) -> &Source {
        self.source
    }

    /// Adds faults that another reader found in what this document names.
    pub fn add(&self, faults: Faults) {
        self.faults.borrow_mut().extend(faults);
    }

    /// True while nothing wrong has been found.
    pub fn is_sound(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// What is found in something that is read, apart from what was found before.
    pub fn found_in(&self, read: impl FnOnce()) -> Faults {
        let before = self.faults.take();
        read();
        self.faults.replace(before)
    }

    /// What another reader has read; if it found faults, they are this document's, too.
    pub fn take<T>(&self, read: Result<T, Faults>) -> Option<T> {
        read.map_err(|faults| self.add(faults)).ok()
    }

    /// The value if the whole document was sound, else every fault.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Faults> {
        self.faults.into_inner().or(value)
    }

    fn push(&self, at: usize, path: &str, message: impl Into<String>) {
        // To find a line is to count those before it: not for a fault that is not kept.
        if self.faults.borrow().is_full() {
            return;
        }
        let fault: Fault = self.source.fault(self.source.line_at(at), path, message);
        self.faults.borrow_mut().push(fault);
    }
}

/// A table of a [`Doc`]. It remembers what was asked for, so that [`Table::done`] can name unknown fields.
pub struct Table<'d> {
    doc: &'d Doc<'d>,
    table: &'d DeTable<'d>,
    path: String,
    at: usize,
    asked: RefCell<Vec<String>>,
}

impl<'d> Table<'d> {
    fn new(doc: &'d Doc<'d>, table: &'d DeTable<'d>, path: String, at: usize) -> Self {
        Table { doc, table, path, at, asked: RefCell::default() }
    }

    /// The document that this table is part of.
    pub fn doc(&self) -> &'d Doc<'d> {
        self.doc
    }

    /// The field, if it is there.
    pub fn get(&self, key: &str) -> Option<Item<'d>> {
        self.asked.borrow_mut().push(key.to_owned());
        let (name, value) = self.table.get_key_value(key)?;
        Some(self.item(name.get_ref(), value))
    }

    /// The field; a fault if it is not there.
    pub fn need(&self, key: &str) -> Option<Item<'d>> {
        let item = self.get(key);
        if item.is_none() {
            self.fault(format!("the field `{key}` is missing"));
        }
        item
    }

    /// All fields that nobody has asked for yet, in the order of the file: for tables keyed by free names.
    pub fn rest(&self) -> Vec<(&'d str, Item<'d>)> {
        let left: Vec<_> = self
            .table
            .iter()
            .filter(|(key, _)| !self.asked.borrow().iter().any(|asked| asked == key.get_ref()))
            .map(|(key, value)| (key.get_ref().as_ref(), self.item(key.get_ref(), value)))
            .collect();
        self.asked.borrow_mut().extend(left.iter().map(|(key, _)| (*key).to_owned()));
        left
    }

    /// The reader has asked for all it knows: what is left is a fault.
    pub fn done(&self) {
        let mut known = self.asked.borrow().clone();
        known.sort();
        known.dedup();
        for (_, item) in self.rest() {
            item.fault(format!("unknown field; expected one of {}", known.join(", ")));
        }
    }

    /// Reports a fault of the table as a whole.
    pub fn fault(&self, message: impl Into<String>) {
        self.doc.push(self.at, &self.path, message);
    }

    /// The table if it is a table of this document that holds nothing, for a reader of optional parts.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    fn item(&self, key: &str, value: &'d Spanned<DeValue<'d>>) -> Item<'d> {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Item { doc: self.doc, value: Value::Toml(value), path, at: value.span().start }
    }
}

#[derive(Clone, Copy)]
enum Value<'d> {
    Toml(&'d Spanned<DeValue<'d>>),
    Word(&'d str),
}

/// A value of a [`Doc`], with its place.
#[derive(Clone)]
pub struct Item<'d> {
    doc: &'d Doc<'d>,
    value: Value<'d>,
    path: String,
    at: usize,
}

impl<'d> Item<'d> {
    /// The text of a string.
    pub fn str(&self) -> Option<&'d str> {
        let text = self.try_str();
        if text.is_none() {
            self.expected("a string");
        }
        text
    }

    /// The text of a string, or nothing and no fault when it is something else.
    pub fn try_str(&self) -> Option<&'d str> {
        match self.value {
            Value::Toml(value) => value.get_ref().as_str(),
            Value::Word(word) => Some(word),
        }
    }

    /// A whole number within a range.
    pub fn int<T>(&self, range: RangeInclusive<T>) -> Option<T>
    where
        T: Copy + PartialOrd + Display + TryFrom<i64>,
    {
        let (low, high) = (*range.start(), *range.end());
        let number = match self.value {
            Value::Toml(value) => value.get_ref().as_integer().and_then(|n| {
                let digits = n.as_str().replace('_', "");
                i64::from_str_radix(&digits, n.radix()).ok()
            }),
            Value::Word(word) => word.parse().ok(),
        };
        let number = number.and_then(|n| T::try_from(n).ok()).filter(|n| range.contains(n));
        if number.is_none() {
            self.expected(&format!("a whole number from {low} to {high}"));
        }
        number
    }

    /// A number, whole or not.
    pub fn float(&self) -> Option<f64> {
        let number = match self.value {
            Value::Toml(value) => match value.get_ref() {
                DeValue::Float(n) => n.as_str().replace('_', "").parse().ok(),
                DeValue::Integer(n) => n.as_str().replace('_', "").parse().ok(),
                _ => None,
            },
            Value::Word(word) => word.parse().ok(),
        };
        let number = number.filter(|n: &f64| n.is_finite());
        if number.is_none() {
            self.expected("a number");
        }
        number
    }

    /// True or false.
    pub fn bool(&self) -> Option<bool> {
        let flag = match self.value {
            Value::Toml(value) => value.get_ref().as_bool(),
            Value::Word(_) => None,
        };
        if flag.is_none() {
            self.expected("true or false");
        }
        flag
    }

    /// A string that `read` understands; what it says otherwise is the fault.
    pub fn parse<T, E: Display>(&self, read: impl FnOnce(&'d str) -> Result<T, E>) -> Option<T> {
        match read(self.str()?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(error.to_string());
                None
            }
        }
    }

    /// One of the given words, by its place in the list.
    pub fn one_of(&self, words: &[&str]) -> Option<usize> {
        let found = self.str()?;
        let place = words.iter().position(|word| *word == found);
        if place.is_none() {
            self.fault(format!("`{found}` is not one of {}", words.join(", ")));
        }
        place
    }

    /// A table.
    pub fn table(&self) -> Option<Table<'d>> {
        let table = self.try_table();
        if table.is_none() {
            self.expected("a table");
        }
        table
    }

    /// A table, or nothing and no fault when it is something else.
    pub fn try_table(&self) -> Option<Table<'d>> {
        match self.value {
            Value::Toml(value) => {
                let table = value.get_ref().as_table()?;
                Some(Table::new(self.doc, table, self.path.clone(), self.at))
            }
            Value::Word(_) => None,
        }
    }

    /// The values of a list.
    pub fn items(&self) -> Vec<Item<'d>> {
        let array = match self.value {
            Value::Toml(value) => value.get_ref().as_array(),
            Value::Word(_) => None,
        };
        let Some(array) = array else {
            self.expected("a list");
            return Vec::new();
        };
        array
            .iter()
            .enumerate()
            .map(|(i, value)| Item {
                doc: self.doc,
                value: Value::Toml(value),
                path: format!("{}[{i}]", self.path),
                at: value.span().start,
            })
            .collect()
    }

    /// The tables of a list of tables.
    pub fn tables(&self) -> Vec<Table<'d>> {
        self.items().iter().filter_map(Item::table).collect()
    }

    /// The words of a string that is split at white space, or of a list of such strings; each knows its line.
    pub fn words(&self) -> Vec<Item<'d>> {
        match self.value {
            Value::Toml(value) if value.get_ref().is_array() => {
                self.items().iter().flat_map(Item::words).collect()
            }
            _ => self.split_words(),
        }
    }

    fn split_words(&self) -> Vec<Item<'d>> {
        let Some(text) = self.str() else { return Vec::new() };
        let mut from = self.at;
        text.split_whitespace()
            .map(|word| {
                // Strings with escapes may not stand in the text as they read: then the field's own line must do.
                let found = self.doc.source.text[from..].find(word).map(|ahead| from + ahead);
                let at = found.unwrap_or(self.at);
                from = found.map_or(from, |at| at + word.len());
                Item { doc: self.doc, value: Value::Word(word), path: self.path.clone(), at }
            })
            .collect()
    }

    /// The field's name with its tables, such as `unit[3].hex`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The document that this value is part of.
    pub fn doc(&self) -> &'d Doc<'d> {
        self.doc
    }

    /// Reports a fault of this value.
    pub fn fault(&self, message: impl Into<String>) {
        self.doc.push(self.at, &self.path, message);
    }

    fn expected(&self, what: &str) {
        let found = match self.value {
            Value::Toml(value) => match value.get_ref() {
                DeValue::String(text) if text.len() <= 40 => format!("`{text}`"),
                DeValue::Integer(number) => format!("`{}`", number.as_str()),
                other => format!("a {}", other.type_str()),
            },
            Value::Word(word) => format!("`{word}`"),
        };
        self.fault(format!("expected {what}, found {found}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::new("t.toml", text)
    }

    #[test]
    fn reads_what_is_there() {
        let text = source("turn = 3\nname = 'x'\n[[unit]]\nhex = '0101'\n[[unit]]\nhex = '0102'\n");
        let doc = Doc::parse(&text).unwrap();
        let root = doc.root();
        assert_eq!(root.need("turn").unwrap().int(1..=9), Some(3));
        assert_eq!(root.need("name").unwrap().str(), Some("x"));
        let hexes: Vec<_> = root
            .need("unit")
            .unwrap()
            .tables()
            .iter()
            .filter_map(|t| t.need("hex").and_then(|h| h.str()))
            .collect();
        assert_eq!(hexes, ["0101", "0102"]);
        root.done();
        assert_eq!(doc.finish(Some(())), Ok(()));
    }

    #[test]
    fn all_faults_at_once_with_line_and_field() {
        let text = source("turn = 30\nnaem = 'x'\n\n[[unit]]\nhex = 7\n[[unit]]\nhex = '99'\n");
        let doc = Doc::parse(&text).unwrap();
        let root = doc.root();
        root.need("turn").unwrap().int(1..=9);
        root.need("name");
        for unit in root.need("unit").unwrap().tables() {
            unit.need("hex").unwrap().parse(|hex| Err::<(), _>(format!("no hex {hex} on this map")));
        }
        root.done();
        let faults = doc.finish(Some(())).unwrap_err();
        assert_eq!(
            faults.to_string(),
            "t.toml:1: turn: expected a whole number from 1 to 9, found `30`\n\
             t.toml:1: the field `name` is missing\n\
             t.toml:2: naem: unknown field; expected one of name, turn, unit\n\
             t.toml:5: unit[0].hex: expected a string, found `7`\n\
             t.toml:7: unit[1].hex: no hex 99 on this map"
        );
    }

    #[test]
    fn words_know_their_lines() {
        let text = source("hexes = \"\"\"\n0101 0102\n0103 xx\n\"\"\"\n");
        let doc = Doc::parse(&text).unwrap();
        for word in doc.root().need("hexes").unwrap().words() {
            word.parse(|w| w.parse::<u32>().map_err(|_| format!("no hex {w}")));
        }
        assert_eq!(doc.finish(Some(())).unwrap_err().to_string(), "t.toml:3: hexes: no hex xx");
    }

    #[test]
    fn syntax_errors_are_located() {
        let text = source("a = 1\nb = = 2\nc 3\n");
        let faults = Doc::parse(&text).err().unwrap();
        assert!(faults.0.iter().any(|f| f.line == 2), "{faults}");
        assert!(faults.0.iter().any(|f| f.line == 3), "{faults}");
    }
}
