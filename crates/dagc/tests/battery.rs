//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p dagc --test battery` plays as many games of each.

use dagc::Dagc;
use engine::Rulebook;
use engine::battery::{Battery, Thoroughness};

fn games() -> usize {
    std::env::var("GROGNARD_BATTERY").ok().and_then(|games| games.parse().ok()).unwrap_or(20)
}

#[allow(clippy::unwrap_used, reason = "part of every test here")]
fn run(scenario: &str, games: usize, thoroughness: Thoroughness, prefix: &str) {
    let data = Dagc::embedded();
    let mut battery = Battery::<Dagc>::new(&data, scenario, thoroughness).unwrap();
    let tally = battery.run(games, prefix).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

fn battery(scenario: &str) {
    run(scenario, games(), Thoroughness { every: 151, strangers: 1 }, "many");
}

/// Saved, loaded and imagined at every single decision.
#[test]
fn every_decision_of_some_games() {
    run("vitebsk", 6, Thoroughness { every: 1, strangers: 4 }, "closely");
}

#[test]
fn historical() {
    battery("historical");
}

#[test]
fn bold_stroke() {
    battery("bold-stroke");
}

#[test]
fn d_day_defeated() {
    battery("d-day-defeated");
}

#[test]
fn no_bomb_plot() {
    battery("no-bomb-plot");
}

#[test]
fn vitebsk() {
    battery("vitebsk");
}

#[test]
fn d_day_and_no_bomb_plot() {
    battery("d-day-and-no-bomb-plot");
}
