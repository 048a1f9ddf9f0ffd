//! Games to learn from: what positions looked like, and how their games ended.

use engine::{Asked, BySide, Dice, Play, Seed, Side};

use crate::doctrine::choices;
use crate::search::officers_answer;
use crate::{Arena, Doctrine, Level};

/// What is learned from one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Its positions, one for each period: the turn, and the features.
    pub positions: Vec<(u32, Vec<f64>)>,
    /// How well it ended for the Axis side, from 0 to 1.
    pub result: f64,
}

/// Plays a game between officers who see everything and who take another plan than their own every other time, so that more is
/// seen than what officers do. The error says what went wrong.
pub(crate) fn study<D: Doctrine>(arena: &Arena<D>, seed: &Seed) -> Result<Study, String> {
    let rules = &*arena.rules;
    let mut state = arena.start.clone();
    let mut play = Play::new(Dice::seeded(seed));
    let mut luck = Dice::seeded(&Seed(format!("{seed} study")));
    let mut plans = BySide { axis: None, soviet: None };
    let mut positions = Vec::new();
    let mut answers = Vec::new();
    let mut last = None;
    for decisions in 0..=rules.longest_game() {
        let side = match rules.asked(&state) {
            Asked::Decision { side, .. } => side,
            Asked::Over(_) => {
                let mind = arena.staffs.axis.mind(Side::Axis, Level::Officer);
                return Ok(Study { positions, result: D::worth(mind, &state, Side::Axis) });
            }
        };
        let mind = arena.staffs[side].mind(side, Level::Officer);
        let period = rules.period(&state);
        if last != Some(period) {
            last = Some(period);
            positions.push((u32::from(rules.turn(&state).0), D::features(mind, &state)));
            if luck.roll(2) == 1 {
                let mut others = D::alternatives(mind, &state, side, &mut luck);
                let choice = luck.roll(others.len().max(1) as u32) as usize - 1;
                if choice < others.len() {
                    plans[side] = Some((period, others.swap_remove(choice)));
                }
            }
        }
        answers.clear();
        choices(rules, &state, &mut answers);
        let Some(answer) = officers_answer(mind, &state, side, &mut plans[side], &answers, &mut luck) else {
            return Err(format!("a dead end after {decisions} decisions"));
        };
        play.clear();
        rules.apply(&mut state, answer, &mut play);
    }
    Err(format!("still not over after {} decisions", rules.longest_game()))
}
