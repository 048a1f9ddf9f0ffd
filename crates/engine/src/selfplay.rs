//! Games that play themselves at random: the yardstick of speed, and the cheapest test there is.

use crate::{Asked, Dice, Outcome, Play, Rulebook, Seed};

/// How one game went.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// How many decisions it took.
    pub decisions: usize,
}

/// Plays one game, each side choosing evenly among its legal answers. The error says what went wrong.
pub fn random_game<R: Rulebook>(rules: &R, start: &R::State, seed: &Seed) -> Result<Finished, String> {
    let mut state = start.clone();
    let mut play = Play::new(Dice::seeded(seed));
    let mut chooser = Dice::seeded(&Seed(format!("{seed} chooses")));
    let mut answers = Vec::new();
    for decisions in 0..=rules.longest_game() {
        if let Asked::Over(outcome) = rules.asked(&state) {
            return Ok(Finished { outcome, decisions });
        }
        answers.clear();
        rules.answers(&state, &mut answers);
        if answers.is_empty() {
            return Err(format!("a dead end after {decisions} decisions"));
        }
        let choice = answers[chooser.roll(answers.len() as u32) as usize - 1];
        play.clear();
        rules.apply(&mut state, choice, &mut play);
    }
    Err(format!("still not over after {} decisions", rules.longest_game()))
}
