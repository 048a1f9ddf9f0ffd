//! An opponent for any game: of its rulebook's school, or at random where there is none.

use engine::position::AnyPosition;
use engine::{Book, Data, Dice, Seed, Side, Text};
use source::{Faults, Source};

use crate::{AnyOpponent, Budget, Level, Signals, school};

/// The levels that can be played in a rulebook, the weakest first.
pub fn levels(book: &str) -> &'static [Level] {
    school(book).map_or(&[Level::Random], |school| school.levels())
}

/// Refuses a level that cannot be played in a rulebook.
pub fn check_level(book: &Book, level: Level) -> Result<(), String> {
    let levels = levels(book.name);
    if levels.contains(&level) {
        return Ok(());
    }
    let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    Err(format!("{} has no opponent `{level}`; it has {}", book.title, names.join(", ")))
}

/// An opponent for a game, which begins or goes on at a position.
pub fn seat(
    book: &Book,
    position: &dyn AnyPosition,
    data: &Data,
    side: Side,
    level: Level,
    budget: Budget,
    seed: &Seed,
) -> Result<Box<dyn AnyOpponent>, Faults> {
    check_level(book, level).map_err(|wrong| Source::new("game", "").fault(0, "level", wrong))?;
    match school(book.name) {
        Some(school) => school.opponent(position, data, side, level, budget, seed),
        None => Ok(Box::new(AtRandom(seed.clone()))),
    }
}

/// Chooses evenly among the legal answers of any rulebook.
struct AtRandom(Seed);

impl AtRandom {
    fn among(&self, answers: usize, decision: usize) -> Option<usize> {
        let mut chooser = Dice::seeded(&Seed(format!("{} {decision}", self.0)));
        let faces = u32::try_from(answers).ok().filter(|faces| *faces > 0)?;
        Some(chooser.roll(faces) as usize - 1)
    }
}

impl AnyOpponent for AtRandom {
    fn choose(&mut self, position: &dyn AnyPosition, decision: usize, _: &Signals) -> Option<String> {
        let answers = position.actions();
        let place = self.among(answers.len(), decision)?;
        answers.into_iter().nth(place).map(|answer| answer.action)
    }

    fn number(&mut self, position: &dyn AnyPosition, decision: usize, _: &Signals) -> Option<usize> {
        self.among(position.answers().len(), decision)
    }

    fn why(&self) -> Vec<Text> {
        Vec::new()
    }

    fn anew(&self, seed: &Seed) -> Box<dyn AnyOpponent> {
        Box::new(AtRandom(seed.clone()))
    }

    fn copied(&self) -> Box<dyn AnyOpponent> {
        Box::new(AtRandom(self.0.clone()))
    }

    fn reseed(&mut self, seed: &Seed) {
        self.0 = seed.clone();
    }
}
