//! Where a rulebook's tables can be changed: one cell, one number, one word for another of its kind.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A change of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The bytes that are replaced.
    pub(crate) range: Range<usize>,
    /// The field or column.
    pub(crate) field: String,
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) was: String,
    pub(crate) becomes: String,
}

/// Fields and columns that no rule reads: texts, names, sources.
const TEXTS: [&str; 15] = [
    "title", "source", "case", "note", "about", "length", "size", "favours", "place", "name", "letter",
    "unit", "hours", "rulebook", "map",
];

/// Folders and files whose cells count: what the rules read besides the map.
pub(crate) fn is_table(path: &str) -> bool {
    let own = path.strip_prefix("games/").and_then(|path| path.split_once('/')).map_or(path, |(_, own)| own);
    let opponents = ["staff.toml", "general.toml", "judgement.toml", "cases.tsv"];
    (!own.contains('/') && !opponents.contains(&own))
        || own.starts_with("tables/")
        || own.starts_with("scenarios/")
}

/// Every change of a file.
pub(crate) fn find(path: &str, text: &str) -> Vec<Cell> {
    if path.ends_with(".tsv") { tsv(text) } else { toml(text) }
}

fn tsv(text: &str) -> Vec<Cell> {
    let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut cell = start;
        let cells = line.trim_end_matches('\n').split('\t').map(|text| {
            let range = cell..cell + text.len();
            cell = range.end + 1;
            range
        });
        rows.push(cells.collect());
    }
    let Some((heading, rows)) = rows.split_first() else { return Vec::new() };
    let mut cells = Vec::new();
    for (column, name) in heading.iter().enumerate() {
        let name = &text[name.clone()];
        if TEXTS.contains(&name) {
            continue;
        }
        let column: Vec<Range<usize>> = rows.iter().filter_map(|row| row.get(column).cloned()).collect();
        let values: Vec<&str> = column.iter().map(|range| &text[range.clone()]).collect();
        cells.extend(column.iter().filter_map(|range| changed(text, range.clone(), name, &values)));
    }
    cells
}

fn toml(text: &str) -> Vec<Cell> {
    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Vec::new();
    }
    let mut values = Vec::new();
    walk(root.get_ref(), "", &mut values);
    let mut words: Vec<(String, Range<usize>)> = Vec::new();
    for (field, range, is_text) in values {
        if is_text {
            // Words of a text, without its quotes.
            let raw = &text[range.clone()];
            if raw.contains('\\') {
                continue;
            }
            let mut from = 0;
            for word in raw.split(|c: char| c.is_whitespace() || c == '"' || c == '\'') {
                let start = range.start + from;
                from += word.len() + word_gap(&raw[from + word.len()..]);
                if !word.is_empty() {
                    words.push((field.clone(), start..start + word.len()));
                }
            }
        } else {
            words.push((field, range));
        }
    }
    let alike = |field: &str| -> Vec<&str> {
        let same = words.iter().filter(|(other, _)| family(other) == family(field));
        same.map(|(_, range)| &text[range.clone()]).collect()
    };
    words.iter().filter_map(|(field, range)| changed(text, range.clone(), field, &alike(field))).collect()
}

fn word_gap(rest: &str) -> usize {
    rest.chars().next().map_or(0, char::len_utf8)
}

/// Cells of the same table are alike: `rows.1` and `rows.2`, `terrain.cost` everywhere.
fn family(field: &str) -> &str {
    match field.rsplit_once('.') {
        Some((table, key)) if key.parse::<i64>().is_ok() => table,
        _ => field,
    }
}

/// All values below a table: the path of keys, the bytes, and whether it is a text.
fn walk(table: &DeTable<'_>, path: &str, values: &mut Vec<(String, Range<usize>, bool)>) {
    for (key, value) in table {
        let key = key.get_ref();
        if TEXTS.contains(&key.as_ref()) || key == "scenario" {
            continue;
        }
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        walk_value(value, &path, values);
    }
}

fn walk_value(value: &Spanned<DeValue<'_>>, path: &str, values: &mut Vec<(String, Range<usize>, bool)>) {
    match value.get_ref() {
        DeValue::Table(table) => walk(table, path, values),
        DeValue::Array(items) => items.iter().for_each(|item| walk_value(item, path, values)),
        DeValue::String(_) => values.push((path.to_owned(), value.span(), true)),
        DeValue::Integer(_) => values.push((path.to_owned(), value.span(), false)),
        _ => {}
    }
}

/// One more than a number, or another word of those alike.
fn changed(text: &str, range: Range<usize>, field: &str, alike: &[&str]) -> Option<Cell> {
    let was = &text[range.clone()];
    // Where a cell is empty, its column is not for that row.
    if was == "-" {
        return None;
    }
    let becomes = match was.parse::<i64>() {
        Ok(number) if was.starts_with('+') => format!("+{}", number + 1),
        // A hex or a unit's number keeps its width.
        Ok(number) => format!("{:0width$}", number + 1, width = was.len()),
        Err(_) => {
            // The next one that differs, so that small tables do not always take the same.
            let place =
                alike.iter().position(|other| std::ptr::eq(other.as_ptr(), was.as_ptr())).unwrap_or(0);
            let around = alike[place..].iter().chain(&alike[..place]);
            around.copied().find(|other| *other != was && *other != "-")?.to_owned()
        }
    };
    let line = text[..range.start].matches('\n').count() + 1;
    Some(Cell { range, field: field.to_owned(), line, was: was.to_owned(), becomes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, text: &str) -> Vec<String> {
        let cell = |cell: Cell| {
            assert_eq!(text[cell.range.clone()], cell.was);
            format!("{}:{} {} -> {}", cell.line, cell.field, cell.was, cell.becomes)
        };
        find(path, text).into_iter().map(cell).collect()
    }

    #[test]
    fn cells_of_tables() {
        let text = "title = \"T\"\nriver = 3\n[rows]\n1 = \"AE -1\"\n2 = \"DR 2/1\"\n";
        let expected = ["2:river 3 -> 4", "4:rows.1 AE -> -1", "4:rows.1 -1 -> 00", "5:rows.2 DR -> 2/1"];
        assert_eq!(told("t.toml", text)[..4], expected);
        let text = "# note\nunit\tmf\ttype\na\t3\ttank\nb\t4\tfoot\n";
        let expected = ["3:mf 3 -> 4", "4:mf 4 -> 5", "3:type tank -> foot", "4:type foot -> tank"];
        assert_eq!(told("t.tsv", text), expected);
    }

    #[test]
    fn maps_tests_and_opponents_are_no_tables() {
        let tables =
            ["counters.tsv", "tables/combat.toml", "scenarios/ford.toml", "games/uman/tables/crt.toml"];
        assert!(tables.into_iter().all(is_table));
        let others =
            ["cases.tsv", "maps/ford.toml", "tests/1.1.toml", "staff.toml", "fixtures/tables/crt.toml"];
        assert!(!others.into_iter().any(is_table));
    }
}
