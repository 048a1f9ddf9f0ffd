//! Random games of every scenario with everything checked.

use dagc::Dagc;
use engine::Rulebook;
use engine::battery::{Battery, Thoroughness};

fn battery(scenario: &str, games: usize, thoroughness: Thoroughness, prefix: &str) {
    let data = Dagc::embedded();
    let mut battery = Battery::<Dagc>::new(&data, scenario, thoroughness).unwrap();
    let tally = battery.run(games, prefix).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

#[test]
fn historical() {
    battery("historical", 5, Thoroughness { every: 31, strangers: 12 }, "many");
}
