//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p mini --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str) -> Result<(), String> {
    suite::battery(mini::shelved(), scenario, 5_000, Thoroughness { every: 31, strangers: 12 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    ["ford", "bridge"].into_iter().try_for_each(|scenario| suite::closely(mini::shelved(), scenario, 100, 40))
}

#[test]
fn ford() -> Result<(), String> {
    battery("ford")
}

#[test]
fn bridge() -> Result<(), String> {
    battery("bridge")
}
