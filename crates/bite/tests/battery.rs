//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p bite --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str) -> Result<(), String> {
    suite::battery(bite::shelved(), scenario, 4, Thoroughness { every: 151, strangers: 1 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(bite::shelved(), "wolomin", 2, 4)
}

#[test]
fn wolomin() -> Result<(), String> {
    battery("wolomin")
}

#[test]
fn green_gate() -> Result<(), String> {
    battery("green-gate")
}

#[test]
fn radzymin() -> Result<(), String> {
    battery("radzymin")
}

#[test]
fn uman() -> Result<(), String> {
    battery("uman")
}
