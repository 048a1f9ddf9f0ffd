//! A rulebook's cases and charts, as anybody may read them.

use engine::Data;
use source::{Faults, Source};
use toml::{Table, Value};

use crate::wire::{CaseInfo, Sheet, Term};

/// The cases in the order of the rulebook.
pub(crate) fn cases(data: &Data) -> Result<Vec<CaseInfo>, Faults> {
    let cases = data.cases()?;
    let info = |entry: &engine::CaseEntry| CaseInfo {
        number: entry.number.clone(),
        title: entry.title.clone(),
        kind: entry.kind.word().to_owned(),
        statement: cases.statement(entry).into(),
    };
    Ok(cases.iter().map(info).collect())
}

/// The words of the rulebook.
pub(crate) fn glossary(data: &Data) -> Result<Vec<Term>, Faults> {
    let term = |term: engine::Term| Term { word: term.word, meaning: term.meaning, case: term.case };
    Ok(data.glossary()?.into_iter().map(term).collect())
}

/// Every chart as a table: a TOML file of rows, of a list of tables, or of single values, or a TSV file.
pub(crate) fn sheets(data: &Data) -> Vec<Sheet> {
    data.under("tables").flat_map(|(name, source)| sheets_of(name, source)).collect()
}

fn sheets_of(name: &str, source: &Source) -> Vec<Sheet> {
    match source.text.parse::<Table>() {
        Ok(table) => toml_sheets(name, &table),
        Err(_) => vec![tsv_sheet(name, &source.text)],
    }
}

fn toml_sheets(name: &str, table: &Table) -> Vec<Sheet> {
    let text = |key: &str| table.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let sheet = |name: String, columns: Vec<String>, rows: Vec<Vec<String>>| Sheet {
        name,
        title: text("title"),
        source: text("source"),
        case: text("case"),
        note: text("note").trim().to_owned(),
        columns,
        rows,
    };
    let mut sheets = Vec::new();
    if let (Some(Value::Array(columns)), Some(Value::Table(rows))) = (table.get("columns"), table.get("rows"))
    {
        let headings = std::iter::once("die".to_owned()).chain(columns.iter().map(heading));
        let row = |(die, cells): (&String, &Value)| {
            let cells = cell(cells);
            std::iter::once(die.clone()).chain(cells.split_whitespace().map(str::to_owned)).collect()
        };
        sheets.push(sheet(name.to_owned(), headings.collect(), rows.iter().map(row).collect()));
    }
    for (key, value) in table {
        let Some(list) = value.as_array() else { continue };
        let rows: Vec<&Table> = list.iter().filter_map(Value::as_table).collect();
        if !rows.is_empty() {
            let (columns, rows) = list_of_tables(&rows);
            sheets.push(sheet(format!("{name}-{key}"), columns, rows));
        }
    }
    let own = ["title", "source", "case", "note"];
    let values = table.iter().filter(|(key, value)| {
        !own.contains(&key.as_str())
            && (value.is_integer() || value.is_float() || value.is_str() || value.is_bool())
    });
    let rows: Vec<Vec<String>> = values.map(|(key, value)| vec![words(key), cell(value)]).collect();
    if !rows.is_empty() {
        sheets.push(sheet(format!("{name}-values"), vec!["what".to_owned(), "value".to_owned()], rows));
    }
    sheets
}

/// The open end of a table of differentials is written as a number that nothing falls short of.
fn heading(value: &Value) -> String {
    match cell(value) {
        open if open == "-99" => "lowest".to_owned(),
        heading => heading,
    }
}

fn list_of_tables(rows: &[&Table]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut columns: Vec<String> = Vec::new();
    for key in rows.iter().flat_map(|row| row.keys()).filter(|key| *key != "letter") {
        if !columns.contains(key) {
            columns.push(key.clone());
        }
    }
    let row = |row: &&Table| columns.iter().map(|key| row.get(key).map(cell).unwrap_or_default()).collect();
    let cells = rows.iter().map(row).collect();
    (columns.iter().map(|key| words(key)).collect(), cells)
}

fn words(key: &str) -> String {
    key.replace('_', " ")
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => words(text),
        Value::Array(list) => list.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Table(table) => {
            let pairs = table.iter().map(|(key, value)| format!("{} {}", words(key), cell(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Comments before the heading are the note.
fn tsv_sheet(name: &str, text: &str) -> Sheet {
    let comments: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('#')).map(str::trim).collect();
    let mut rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<String>>();
    Sheet {
        name: name.to_owned(),
        title: words(name),
        source: String::new(),
        case: String::new(),
        note: comments.join(" "),
        columns: rows.next().map(cells).unwrap_or_default(),
        rows: rows.map(cells).collect(),
    }
}
