//! Exact odds against the slow and obvious way to find them.

use engine::odds::oracle;
use mini::Mini;

/// How many ways dice can fall before the slow way takes too long.
const MOST: usize = 3_000;

#[test]
fn odds_of_rule_tests() {
    let compared = oracle::agrees_in_rule_tests::<Mini>(MOST).unwrap();
    assert!(compared > 100, "{compared}");
}

#[test]
fn odds_in_random_games() {
    let mut compared = 0;
    for scenario in ["ford", "bridge"] {
        for game in 0..6 {
            compared += oracle::agrees_in_a_game::<Mini>(scenario, &format!("odds {game}"), MOST).unwrap();
        }
    }
    assert!(compared > 100, "{compared}");
}
