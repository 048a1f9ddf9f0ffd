//! The rule tests of `data/mini/tests`, and what must hold of the data as a whole.

use engine::shelf::{AnyRulebook, Shelved};
use mini::Mini;

const BOOK: Shelved<Mini> = Shelved::new();

#[test]
fn every_rule_test_holds() {
    let data = BOOK.embedded();
    let mut failed = Vec::new();
    let trials = BOOK.trials(&data);
    assert!(trials.len() > 20, "the rule tests are gone");
    for (_, result) in trials {
        failed.extend(result.err().map(|faults| faults.to_string()));
    }
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn every_case_that_wants_a_test_has_one() {
    let data = BOOK.embedded();
    let tested: Vec<String> =
        BOOK.trials(&data).into_iter().flat_map(|(summary, _)| summary.unwrap().cases).collect();
    let cases = data.cases().unwrap();
    let missing: Vec<&str> = cases
        .iter()
        .filter(|case| case.kind.wants_test() && !tested.contains(&case.number))
        .map(|case| case.number.as_str())
        .collect();
    assert!(missing.is_empty(), "no rule test for {}", missing.join(", "));
}

#[test]
fn the_data_is_sound() {
    BOOK.check(&BOOK.embedded()).unwrap();
}

#[test]
fn every_case_that_the_code_cites_exists() {
    let cases = BOOK.embedded().cases().unwrap();
    let mut unknown = Vec::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let path = entry.unwrap().path();
        let code = std::fs::read_to_string(&path).unwrap();
        for (line, number) in engine::case::cited(&code) {
            if cases.get(number).is_none() {
                unknown.push(format!("{}:{line}: {number}", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "not in cases.tsv:\n{}", unknown.join("\n"));
}
