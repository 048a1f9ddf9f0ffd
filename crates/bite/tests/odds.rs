//! Exact odds against the slow and obvious way to find them.

use bite::Bite;
use engine::odds::oracle;

/// How many ways dice can fall before the slow way takes too long.
const MOST: usize = 1_000;

#[test]
fn odds_of_rule_tests() {
    let compared = oracle::agrees_in_rule_tests::<Bite>(MOST).unwrap();
    assert!(compared > 100, "{compared}");
}

#[test]
fn odds_in_random_games() {
    let compared = oracle::agrees_in_a_game::<Bite>("wolomin", "odds", MOST).unwrap();
    assert!(compared > 5, "{compared}");
}
