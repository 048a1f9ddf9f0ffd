//! 6.8: what the German player imagines behind what he sees.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use dagc::Dagc;
use engine::{
    Dice, Frames, Game, Options, Phrase, Row, Rulebook, Seed, Setup, Side, Sight, Underway, Viewer,
};

/// Plays at random and hands every position to `look`.
fn positions(games: u32, mut look: impl FnMut(&Game<Dagc>)) {
    let data = Dagc::embedded();
    for i in 0..games {
        let mut chooser = Dice::seeded(&Seed(format!("chooses {i}")));
        let seed = Seed(format!("deals {i}"));
        let mut game = Game::<Dagc>::scenario("historical", &data, Options::default(), seed).unwrap();
        loop {
            let answers = game.answers();
            if answers.is_empty() {
                break;
            }
            look(&game);
            game.act(answers[chooser.roll(answers.len() as u32) as usize - 1]).unwrap();
        }
    }
}

/// The procedure that asks as a row of numbers, with all its fields: what no side may be told of another's.
fn true_frame(game: &Game<Dagc>, state: &<Dagc as engine::Types>::State) -> Row {
    let mut row = Row::default();
    if let Some(top) = Dagc::stack(state).frames().last() {
        top.write_row(&*game.rules, &mut row);
    }
    row
}

/// A deal depends on what the side sees, and on the dice: dealt from a deal it is the same. And units on their way are dealt,
/// too: whoever told a side the frame as it truly is would tell it another thing in a state that looks the same.
#[test]
fn a_deal_tells_nothing_of_the_truth_nor_of_who_is_on_its_way() {
    let (mut dealt, mut told) = (0, 0);
    positions(4, |game| {
        let (rules, state) = (&game.rules, game.state());
        let deal =
            |state, seed: &str| rules.imagine(state, Side::Axis, &mut Dice::seeded(&Seed(seed.to_owned())));
        let other = deal(state, "1");
        assert_eq!(deal(state, "2"), deal(&other, "2"));
        assert_eq!(rules.view(state, Viewer::Side(Side::Axis)), rules.view(&other, Viewer::Side(Side::Axis)));
        dealt += usize::from(other != *state);
        told += usize::from(true_frame(game, state) != true_frame(game, &other));
    });
    assert!(dealt > 500 && told > 20, "{dealt} deals, {told} with another frame");
}
