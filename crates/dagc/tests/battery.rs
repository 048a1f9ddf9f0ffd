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
fn battery(scenario: &str) {
    let data = Dagc::embedded();
    let thoroughness = Thoroughness { every: 151, strangers: 1 };
    let mut battery = Battery::<Dagc>::new(&data, scenario, thoroughness).unwrap();
    let tally = battery.run(games(), "many").unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games());
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
