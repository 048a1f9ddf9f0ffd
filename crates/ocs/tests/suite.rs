//! Rule tests and citations. That every case has a test is asserted when the crate is complete.

use std::path::Path;

#[test]
fn every_rule_test_holds() -> Result<(), String> {
    engine::suite::rule_tests(ocs::shelved())
}

#[test]
fn every_case_that_the_code_cites_exists() -> Result<(), String> {
    engine::suite::citations(ocs::shelved(), &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}
