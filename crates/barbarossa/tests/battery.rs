//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=500 cargo test --release -p barbarossa --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str, games: usize) -> Result<(), String> {
    suite::battery(barbarossa::shelved(), scenario, games, Thoroughness { every: 307, strangers: 1 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(barbarossa::shelved(), "smolensk", 2, 4)
}

#[test]
fn smolensk() -> Result<(), String> {
    battery("smolensk", 20)
}

#[test]
fn road_back() -> Result<(), String> {
    battery("road-back", 6)
}

#[test]
fn campaign() -> Result<(), String> {
    battery("campaign", 6)
}
