//! Exact odds against the slow and obvious way to find them.

use barbarossa::Barbarossa;
use engine::odds::oracle;

/// How many ways dice can fall before the slow way takes too long.
const MOST: usize = 3_000;

#[test]
fn odds_of_rule_tests() {
    let compared = oracle::agrees_in_rule_tests::<Barbarossa>(MOST).unwrap();
    assert!(compared > 50, "{compared}");
}

#[test]
fn odds_in_random_games() {
    let compared = oracle::agrees_in_a_game::<Barbarossa>("smolensk", "odds", MOST).unwrap();
    assert!(compared > 20, "{compared}");
}
