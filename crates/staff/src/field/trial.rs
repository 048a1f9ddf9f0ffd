//! What comes of answers, by playing them on until they are settled.

use engine::{Asked, Dice, Frames, Phrase, Play, Role, Seed, Side};

use super::Field;
use crate::doctrine::choices;
use crate::{Doctrine, Mind};

/// The most decisions that are followed.
const LONGEST: usize = 60;

/// How well a side stands after some answers, on average over a few falls of the dice. All are tried with the same dice.
pub(super) fn worth<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    answers: &[R::Action],
    tries: u32,
) -> f64 {
    let floor = R::stack(state).frames().len();
    let mut sum = 0.0;
    for tried in 1..=tries {
        let mut play = Play::new(Dice::seeded(&Seed(format!("trial {tried}"))));
        let mut rolled = false;
        let mut after = state.clone();
        for answer in answers {
            // What was lawful for one fall of the dice may not be for another.
            if mind.rules.check(&after, *answer).is_err() {
                break;
            }
            mind.rules.apply(&mut after, *answer, &mut play);
            rolled |= !play.rolls().is_empty();
            play.clear();
        }
        rolled |= settle(mind.rules, &mut after, floor, &mut play);
        sum += R::worth(mind, &after, side);
        if !rolled {
            return sum / f64::from(tried);
        }
    }
    sum / f64::from(tries)
}

/// Plays on until what was begun is over; true when dice were rolled.
fn settle<R: Field>(rules: &R, state: &mut R::State, floor: usize, play: &mut Play<R::Event>) -> bool {
    let mut answers = Vec::new();
    let mut rolled = false;
    for step in 0..LONGEST {
        if R::stack(state).frames().len() <= floor || !matches!(rules.asked(state), Asked::Decision { .. }) {
            break;
        }
        answers.clear();
        choices(rules, state, &mut answers);
        let role = |role: Role| answers.iter().position(|answer| answer.form().role == role);
        if role(Role::EndPhase).is_some() {
            break;
        }
        let usual = role(Role::Advance).or_else(|| role(Role::Finish)).unwrap_or(step % answers.len().max(1));
        let Some(answer) = answers.get(usual) else { break };
        rules.apply(state, *answer, play);
        rolled |= !play.rolls().is_empty();
        play.clear();
    }
    rolled
}
