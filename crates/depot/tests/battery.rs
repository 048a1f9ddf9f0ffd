//! Thousands of random games with everything checked; the account of supply points (3.1) is part of `audit`.

use depot::Depot;
use engine::Data;
use engine::Rulebook;
use engine::battery::{Battery, Thoroughness};

fn battery(games: usize, thoroughness: Thoroughness, prefix: &str) {
    let data: Data = Depot::embedded();
    let mut battery =
        Battery::<Depot>::new(&data, "railhead", thoroughness).unwrap_or_else(|faults| panic!("{faults}"));
    let tally = battery.run(games, prefix).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

/// Saved, loaded and imagined at every single decision.
#[test]
fn every_decision_of_some_games() {
    battery(30, Thoroughness { every: 1, strangers: 40 }, "closely");
}

#[test]
fn two_thousand_games() {
    battery(2_000, Thoroughness { every: 61, strangers: 12 }, "many");
}
