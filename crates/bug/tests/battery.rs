//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p bug --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str) -> Result<(), String> {
    suite::battery(bug::shelved(), scenario, 10, Thoroughness { every: 151, strangers: 1 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(bug::shelved(), "ustyluh", 4, 4)
}

#[test]
fn campaign() -> Result<(), String> {
    battery("campaign")
}

#[test]
fn bridges() -> Result<(), String> {
    battery("bridges")
}

#[test]
fn ustyluh() -> Result<(), String> {
    battery("ustyluh")
}
