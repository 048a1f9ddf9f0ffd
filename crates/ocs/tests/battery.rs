//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=1000 cargo test --release -p ocs --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str, games: usize) -> Result<(), String> {
    suite::battery(ocs::shelved(), scenario, games, Thoroughness { every: 61, strangers: 12 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(ocs::shelved(), "first-warrior", 3, 20)
}

#[test]
fn first_warrior() -> Result<(), String> {
    battery("first-warrior", 50)
}

#[test]
fn gates() -> Result<(), String> {
    battery("gates", 12)
}
