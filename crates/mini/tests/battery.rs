//! Ten thousand random games with everything checked.

use engine::shelf::{AnyRulebook, Shelved};
use mini::Mini;

const BOOK: Shelved<Mini> = Shelved::new();

fn battery(scenario: &str, games: usize) {
    let tally = BOOK
        .battery(&BOOK.embedded(), scenario, games, "battery")
        .unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(tally.games, games);
}

#[test]
fn the_ford() {
    battery("ford", 20);
}

#[test]
fn the_bridge() {
    battery("bridge", 20);
}
