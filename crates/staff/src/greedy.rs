//! One decision ahead: the answer after which the side stands best, on average over a few falls of the dice.

use engine::{Dice, Play, Seed, Side};

use crate::{Doctrine, Mind};

/// How often an answer that rolls dice is tried.
const TRIES: u32 = 6;

/// The best of the answers; of equals, one by lot.
pub(crate) fn best<D: Doctrine>(
    mind: Mind<'_, D>,
    state: &D::State,
    side: Side,
    answers: &[D::Action],
    luck: &mut Dice,
) -> D::Action {
    let salt = luck.roll(u32::MAX);
    let mut best = (f64::NEG_INFINITY, answers[0]);
    for &answer in answers {
        // A trifle by lot, so that equals are not always taken in the order of the list.
        let value = value(mind, state, side, answer, salt) + f64::from(luck.roll(1_000)) * 1e-7;
        if value > best.0 {
            best = (value, answer);
        }
    }
    best.1
}

fn value<D: Doctrine>(mind: Mind<'_, D>, state: &D::State, side: Side, answer: D::Action, salt: u32) -> f64 {
    let mut play = Play::new(Dice::seeded(&Seed(format!("{salt}"))));
    let mut sum = 0.0;
    for tried in 1..=TRIES {
        let mut after = state.clone();
        play.clear();
        mind.rules.apply(&mut after, answer, &mut play);
        sum += D::worth(mind, &after, side);
        if play.rolls().is_empty() {
            return sum / f64::from(tried);
        }
    }
    sum / f64::from(TRIES)
}
