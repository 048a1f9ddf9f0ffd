//! The tests that every rulebook's crate runs on its data. Each returns what is wrong, for a person.

use std::fs;
use std::path::Path;

use crate::shelf::AnyRulebook;
use crate::{case, golden};

/// Every file is sound and every rule test holds.
pub fn rule_tests(book: &dyn AnyRulebook) -> Result<(), String> {
    let data = book.embedded();
    let mut wrong: Vec<String> =
        book.check(&data).err().map(|faults| faults.to_string()).into_iter().collect();
    wrong.extend(
        book.trials(&data)
            .into_iter()
            .filter_map(|(_, result)| result.err())
            .map(|faults| faults.to_string()),
    );
    none(&wrong)
}

/// Every case that wants a test is named by one.
pub fn coverage(book: &dyn AnyRulebook) -> Result<(), String> {
    let data = book.embedded();
    let cases = data.cases().map_err(|faults| faults.to_string())?;
    let tested: Vec<String> = book
        .trials(&data)
        .into_iter()
        .filter_map(|(summary, _)| summary.ok())
        .flat_map(|summary| summary.cases)
        .collect();
    let missing = cases.iter().filter(|case| case.kind.wants_test() && !tested.contains(&case.number));
    none(&missing.map(|case| format!("no rule test names {}", case.number)).collect::<Vec<_>>())
}

/// Every case that the code in a folder cites is in the index.
pub fn citations(book: &dyn AnyRulebook, src: &Path) -> Result<(), String> {
    let cases = book.embedded().cases().map_err(|faults| faults.to_string())?;
    let unreadable = |error: std::io::Error| format!("{}: {error}", src.display());
    let mut wrong = Vec::new();
    for entry in fs::read_dir(src).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let code = fs::read_to_string(&path).map_err(unreadable)?;
        let unknown = case::cited(&code).into_iter().filter(|(_, number)| cases.get(number).is_none());
        wrong.extend(
            unknown.map(|(line, number)| format!("{}:{line}: there is no case {number}", path.display())),
        );
    }
    none(&wrong)
}

/// A random game of every scenario is as it was committed to a folder.
pub fn golden_playthroughs(book: &dyn AnyRulebook, folder: &Path) -> Result<(), String> {
    let data = book.embedded();
    let mut wrong = Vec::new();
    for (scenario, _) in book.scenarios(&data).map_err(|faults| faults.to_string())? {
        let path = folder.join(format!("{scenario}.record"));
        wrong.extend(golden::compare_game(book, &data, &scenario, &path).err());
    }
    none(&wrong)
}

fn none(wrong: &[String]) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n{}", wrong.join("\n"))) }
}
