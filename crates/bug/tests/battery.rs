//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p bug --test battery` plays as many games of each.

use bug::Bug;
use engine::Rulebook;
use engine::battery::{Battery, Thoroughness};

fn games() -> usize {
    std::env::var("GROGNARD_BATTERY").ok().and_then(|games| games.parse().ok()).unwrap_or(10)
}

#[allow(clippy::unwrap_used, reason = "part of every test here")]
fn run(scenario: &str, games: usize, thoroughness: Thoroughness, prefix: &str) {
    let data = Bug::embedded();
    let mut battery = Battery::<Bug>::new(&data, scenario, thoroughness).unwrap();
    let tally = battery.run(games, prefix).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

fn battery(scenario: &str) {
    run(scenario, games(), Thoroughness { every: 151, strangers: 1 }, "many");
}

/// Saved, loaded and imagined at every single decision.
#[test]
fn every_decision_of_some_games() {
    run("ustyluh", 4, Thoroughness { every: 1, strangers: 4 }, "closely");
}

#[test]
fn campaign() {
    battery("campaign");
}

#[test]
fn bridges() {
    battery("bridges");
}

#[test]
fn ustyluh() {
    battery("ustyluh");
}
