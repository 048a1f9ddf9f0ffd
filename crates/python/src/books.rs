//! The rulebooks with their data, by name.

use std::path::Path;
use std::sync::Arc;

use engine::shelf::AnyRulebook;
use engine::{Data, Side, Start};
use pyo3::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{python_of, wrong};

/// What a game is played with, and where it begins.
pub(crate) struct Origin {
    pub(crate) rulebook: &'static dyn AnyRulebook,
    pub(crate) data: Data,
    pub(crate) start: Start,
    pub(crate) options: Vec<String>,
    /// The folder whose files are laid over the data.
    pub(crate) folder: Option<String>,
}

impl Origin {
    /// `rulebook/scenario`, or `rulebook` and the text of a situation.
    pub(crate) fn new(
        scenario: &str,
        situation: Option<String>,
        options: Vec<String>,
        folder: Option<String>,
    ) -> PyResult<Arc<Origin>> {
        let (book, rest) = scenario.split_once('/').unwrap_or((scenario, ""));
        let rulebook = rulebook(book)?;
        let data = data_of(rulebook, folder.as_deref())?;
        let start = situation.map_or_else(|| Start::Scenario(rest.to_owned()), Start::Situation);
        Ok(Arc::new(Origin { rulebook, data, start, options, folder }))
    }

    /// `rulebook/scenario`; the rulebook alone for a situation.
    pub(crate) fn scenario(&self) -> String {
        let book = self.rulebook.book().name;
        match &self.start {
            Start::Scenario(name) => format!("{book}/{name}"),
            Start::Situation(_) => book.to_owned(),
        }
    }

    /// The text of the situation that it begins with.
    pub(crate) fn situation(&self) -> Option<&str> {
        match &self.start {
            Start::Scenario(_) => None,
            Start::Situation(text) => Some(text),
        }
    }
}

fn rulebook(name: &str) -> PyResult<&'static dyn AnyRulebook> {
    let shelf = shelf::shelf();
    let names: Vec<&str> = shelf.iter().map(|rulebook| rulebook.book().name).collect();
    let found = shelf.into_iter().find(|rulebook| rulebook.book().name == name);
    found
        .ok_or_else(|| wrong::input(&format!("there is no rulebook `{name}`; there is {}", names.join(", "))))
}

/// The built-in data, with the files of `FOLDER/<rulebook>/` laid over it.
pub(crate) fn data_of(rulebook: &dyn AnyRulebook, folder: Option<&str>) -> PyResult<Data> {
    let mut data = rulebook.embedded();
    if let Some(folder) = folder {
        let own = Path::new(folder).join(rulebook.book().name);
        if own.is_dir() {
            data.overlay(&own).map_err(|faults| wrong::faults(&faults))?;
        } else if !Path::new(folder).is_dir() {
            return Err(wrong::input(&format!("{folder}: there is no such folder")));
        }
    }
    Ok(data)
}

/// A side by its name.
pub(crate) fn side(name: &str) -> PyResult<Side> {
    Side::from_word(name).map_err(|why| wrong::input(&why))
}

/// Hexadecimal digits of a SHA-256.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every rulebook: name, title, rules, options, scenarios, levels.
#[pyfunction]
pub(crate) fn books(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let book = |rulebook: &dyn AnyRulebook| {
        let book = rulebook.book();
        let data = rulebook.embedded();
        let scenarios = rulebook.scenarios(&data).unwrap_or_default();
        let names: Vec<String> = scenarios.iter().map(|(name, _)| format!("{}/{name}", book.name)).collect();
        json!({
            "name": book.name,
            "title": book.title,
            "rules": book.rules,
            "sides": { "axis": book.sides.axis, "soviet": book.sides.soviet },
            "options": book.options.iter().map(|switch| switch.name).collect::<Vec<_>>(),
            "scenarios": names,
            "levels": staff::levels(book.name).iter().map(|level| level.name()).collect::<Vec<_>>(),
        })
    };
    let all: Vec<Value> = shelf::shelf().into_iter().map(book).collect();
    python_of(py, &Value::Array(all))
}

/// A digest of the data that games of a rulebook depend on.
#[pyfunction]
#[pyo3(signature = (book, data=None))]
pub(crate) fn data_hash(book: &str, data: Option<&str>) -> PyResult<String> {
    let rulebook = rulebook(book)?;
    Ok(::lab::plan::digest(&data_of(rulebook, data)?))
}
