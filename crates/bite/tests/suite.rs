//! Rule tests, coverage, citations and golden playthroughs.

use std::path::Path;

use bite::Bite;
use engine::shelf::Shelved;
use engine::suite;

const BOOK: Shelved<Bite> = Shelved::new();
const CRATE: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn every_rule_test_holds() {
    suite::rule_tests(&BOOK).unwrap();
}

#[test]
fn every_case_that_wants_a_test_has_one() {
    suite::coverage(&BOOK).unwrap();
}

#[test]
fn every_case_that_the_code_cites_exists() {
    suite::citations(&BOOK, &Path::new(CRATE).join("src")).unwrap();
}

#[test]
fn golden_playthroughs() {
    suite::golden_playthroughs(&BOOK, &Path::new(CRATE).join("tests/golden")).unwrap();
}
