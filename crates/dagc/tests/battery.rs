//! Random games of every scenario with everything checked.
//!
//! `GROGNARD_BATTERY=2000 cargo test --release -p dagc --test battery` plays as many games of each.

use engine::battery::Thoroughness;
use engine::suite;

fn battery(scenario: &str) -> Result<(), String> {
    suite::battery(dagc::shelved(), scenario, 20, Thoroughness { every: 151, strangers: 1 })
}

#[test]
fn every_decision_of_some_games() -> Result<(), String> {
    suite::closely(dagc::shelved(), "vitebsk", 6, 4)
}

#[test]
fn historical() -> Result<(), String> {
    battery("historical")
}

#[test]
fn bold_stroke() -> Result<(), String> {
    battery("bold-stroke")
}

#[test]
fn d_day_defeated() -> Result<(), String> {
    battery("d-day-defeated")
}

#[test]
fn no_bomb_plot() -> Result<(), String> {
    battery("no-bomb-plot")
}

#[test]
fn vitebsk() -> Result<(), String> {
    battery("vitebsk")
}

#[test]
fn d_day_and_no_bomb_plot() -> Result<(), String> {
    battery("d-day-and-no-bomb-plot")
}
