//! Exact odds against the slow and obvious way to find them.

use bug::Bug;
use engine::odds::{NoOdds, odds, oracle};
use engine::{Game, Setup, Side, Viewer};
use source::Source;

/// How many ways dice can fall before the slow way takes too long.
const MOST: usize = 1_500;

#[test]
fn odds_of_rule_tests() {
    let compared = oracle::agrees_in_rule_tests::<Bug>(MOST).unwrap();
    assert!(compared > 100, "{compared}");
}

#[test]
fn odds_in_random_games() {
    let mut compared = 0;
    for scenario in ["bridges", "ustyluh"] {
        for game in 0..2 {
            compared += oracle::agrees_in_a_game::<Bug>(scenario, &format!("odds {game}"), MOST).unwrap();
        }
    }
    assert!(compared > 100, "{compared}");
}

/// A battalion attacks another, and the attacker may roll again.
const FIGHT: &str = r#"
rulebook = "bug"
turn = 2
luck = "axis"
stack = ["ops", "activation 298ID 7 0 no"]
[units]
298ID = "0103"
87RD = "0903"
I-525 = "0403"
1-16 = "0503"
[map]
grid = """
v . . . . . . . v
 . . . . . . . . .
v . . . . . . . v
 . . . . . . . . .
v . . . . . . . v
"""
[map.area]
"German Supply Area (west)" = "0101..0105"
"Eastern Soviet Supply Area" = "0901..0905"
"#;

#[test]
fn a_combat_with_chits_a_second_roll_and_checks() {
    let game = Game::<Bug>::situation(&Source::new("fight", FIGHT), &Bug::embedded(), None).unwrap();
    for luck in ["keep", "reroll"] {
        let lines = ["attack I-525 0503 prepared", "fight", luck];
        let steps = lines.iter().flat_map(|line| engine::muster::expand(line));
        let actions: Vec<_> = steps.map(|line| game.parse(&line).unwrap()).collect();
        let agreed = oracle::agrees(&*game.rules, game.state(), &actions, &[Viewer::Referee], 300_000);
        assert_eq!(agreed, Ok(1), "{luck}");
    }
}

/// Support by units that the attacker does not see would tell him of them; those that he sees, and his own, tell him nothing.
#[test]
fn no_odds_where_a_hidden_unit_may_give_support() {
    let hidden = "2-16 = \"0402 depth=0\"\nAT-87 = \"0402 depth=1\"";
    let seen = "2-16 = \"0402\"";
    let own = "II-525 = \"0303 depth=0\"\nPzJg-298 = \"0303 depth=1\"";
    for (units, expected) in [(hidden, Some(NoOdds::Hidden)), (seen, None), (own, None)] {
        let text = FIGHT.replace("1-16 = \"0503\"", &format!("1-16 = \"0503\"\n{units}"));
        let game = Game::<Bug>::situation(&Source::new("fight", text), &Bug::embedded(), None).unwrap();
        let steps = ["attack I-525 0503 hasty", "fight"].into_iter().flat_map(engine::muster::expand);
        let actions: Vec<_> = steps.map(|line| game.parse(&line).unwrap()).collect();
        let found = odds(&*game.rules, game.state(), &actions, Viewer::Side(Side::Axis));
        assert_eq!(found.err(), expected, "{units}");
    }
}
