//! 5.3.4: what a side imagines behind what it sees.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use bug::Bug;
use engine::{
    Dice, Frames, Game, Options, Phrase, Row, Rulebook, Seed, Setup, Side, Sight, Underway, UnitId, Viewer,
};

/// Plays at random and hands positions to `look`.
fn positions(scenario: &str, games: u32, every: usize, mut look: impl FnMut(&Game<Bug>)) {
    let data = Bug::embedded();
    for i in 0..games {
        let mut chooser = Dice::seeded(&Seed(format!("chooses {i}")));
        let mut game =
            Game::<Bug>::scenario(scenario, &data, Options::default(), Seed(format!("deals {i}"))).unwrap();
        for decision in 0.. {
            let answers = game.answers();
            if answers.is_empty() {
                break;
            }
            if decision % every == 0 {
                look(&game);
            }
            game.act(answers[chooser.roll(answers.len() as u32) as usize - 1]).unwrap();
        }
    }
}

/// A deal depends on what the side sees, and on the dice: dealt from a deal it is the same.
#[test]
fn a_deal_tells_nothing_of_the_truth() {
    let (mut dealt, mut moved) = (0, 0);
    for (scenario, games, every) in [("campaign", 3, 23), ("bridges", 15, 13), ("ustyluh", 30, 5)] {
        positions(scenario, games, every, |game| {
            let (rules, state) = (&game.rules, game.state());
            for side in Side::BOTH {
                let deal =
                    |state, seed: u32| rules.imagine(state, side, &mut Dice::seeded(&Seed(seed.to_string())));
                let other = deal(state, 1);
                assert_eq!(deal(state, 2), deal(&other, 2), "as {side} sees it");
                assert_eq!(rules.view(state, Viewer::Side(side)), rules.view(&other, Viewer::Side(side)));
                let scouts = (rules.scout(state), rules.scout(&other));
                let hqs = |scout: &bug::Scout<'_>| -> Vec<(UnitId, board::Hex)> {
                    scout.formations(side.enemy()).map(|formation| (formation.hq, formation.hex)).collect()
                };
                dealt += 1;
                moved += usize::from(hqs(&scouts.0) != hqs(&scouts.1));
            }
        });
    }
    assert!(moved > 50, "a hidden HQ was imagined elsewhere in {moved} of {dealt} deals only");
}

/// The procedure that asks as a row of numbers, with all its fields: what no side may be told of another's.
fn true_frame(game: &Game<Bug>, state: &<Bug as engine::Types>::State) -> Row {
    let mut row = Row::default();
    if let Some(top) = Bug::stack(state).frames().last() {
        top.write_row(&*game.rules, &mut row);
    }
    row
}

/// Units on their way are dealt, too: whoever told a side the frame as it truly is would tell it another thing in a state that
/// looks the same.
#[test]
fn who_is_on_its_way_is_dealt_too() {
    let mut told = 0;
    for (scenario, games) in [("campaign", 2), ("bridges", 10)] {
        positions(scenario, games, 1, |game| {
            let (rules, state) = (&game.rules, game.state());
            for side in Side::BOTH {
                let other = rules.imagine(state, side, &mut Dice::seeded(&Seed("1".to_owned())));
                told += usize::from(true_frame(game, state) != true_frame(game, &other));
            }
        });
    }
    assert!(told > 5, "{told} with another frame");
}
