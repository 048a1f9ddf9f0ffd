//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p depot --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str) -> Result<(), String> {
    suite::battery(depot::shelved(), scenario, 2_000, Thoroughness { every: 61, strangers: 12 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(depot::shelved(), "railhead", 30, 40)
}

#[test]
fn railhead() -> Result<(), String> {
    battery("railhead")
}
