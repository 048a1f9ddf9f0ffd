//! Ten thousand random games with everything checked.

use engine::Data;
use engine::Rulebook;
use engine::battery::{Battery, Thoroughness};
use mini::Mini;

fn battery(scenario: &str, games: usize, thoroughness: Thoroughness, prefix: &str) {
    let data: Data = Mini::embedded();
    let mut battery =
        Battery::<Mini>::new(&data, scenario, thoroughness).unwrap_or_else(|faults| panic!("{faults}"));
    let tally = battery.run(games, prefix).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

/// Saved, loaded and imagined at every single decision.
#[test]
fn every_decision_of_some_games() {
    for scenario in ["ford", "bridge"] {
        battery(scenario, 100, Thoroughness { every: 1, strangers: 40 }, "closely");
    }
}

#[test]
fn five_thousand_games_of_the_ford() {
    battery("ford", 5_000, Thoroughness { every: 31, strangers: 12 }, "many");
}

#[test]
fn five_thousand_games_of_the_bridge() {
    battery("bridge", 5_000, Thoroughness { every: 31, strangers: 12 }, "many");
}
