//! Opponents and arenas without the types of a rulebook: what the server, the lab and the command line need.

use std::marker::PhantomData;
use std::sync::Arc;

use engine::position::{AnyPosition, typed};
use engine::shelf::read_options;
use engine::{Book, BySide, Data, Phrase, Seed, Side, Text};
use source::{Faults, Source};

use crate::budget::{Budget, Signals};
use crate::commander::{Commander, Staff};
use crate::{Arena, Contest, Doctrine, Judgement, Level, Report, Study, Weights, judgement, study, weights};

/// An opponent in a game.
pub trait AnyOpponent: Send + Sync {
    /// Its answer to the question that a position asks of its side, in notation; nothing when none is asked.
    fn choose(&mut self, position: &dyn AnyPosition, decision: usize, signals: &Signals) -> Option<String>;
    /// The same answer by its number among the legal ones.
    fn number(&mut self, position: &dyn AnyPosition, decision: usize, signals: &Signals) -> Option<usize>;
    /// Why it does what it does.
    fn why(&self) -> Vec<Text>;
    /// The same opponent in another game from the same start, with luck of its own.
    fn anew(&self, seed: &Seed) -> Box<dyn AnyOpponent>;
    /// The same opponent once more: it goes on as this one would, in a game that goes on from the same position.
    fn copied(&self) -> Box<dyn AnyOpponent>;
    /// Gives it other luck from now on.
    fn reseed(&mut self, seed: &Seed);
}

/// A scenario made ready for games between opponents.
pub trait AnyArena: Send + Sync {
    /// Plays one game; the error says what went wrong.
    fn play(&self, contest: &Contest, seed: &Seed) -> Result<Report, String>;
    /// The same scenario, in which each side thinks with numbers of its own.
    fn reweighed(&self, weights: &BySide<Vec<f64>>) -> Box<dyn AnyArena>;
    /// Plays a game to learn from.
    fn study(&self, seed: &Seed) -> Result<Study, String>;
}

/// The opponents of one rulebook.
pub trait AnySchool: Send + Sync {
    /// The rulebook.
    fn book(&self) -> &'static Book;
    /// The levels that can be played, the weakest first.
    fn levels(&self) -> &'static [Level];
    /// An opponent for a game, which begins or goes on at a position of this rulebook.
    fn opponent(
        &self,
        position: &dyn AnyPosition,
        data: &Data,
        side: Side,
        level: Level,
        budget: Budget,
        seed: &Seed,
    ) -> Result<Box<dyn AnyOpponent>, Faults>;
    /// A scenario made ready for games between opponents.
    fn arena(&self, data: &Data, scenario: &str, options: &[String]) -> Result<Box<dyn AnyArena>, Faults>;
    /// The names of the doctrine's weights: `axis.NAME`, then `soviet.NAME`.
    fn weight_names(&self) -> &'static [&'static str];
    /// The weights of the data.
    fn weights(&self, data: &Data) -> Result<Vec<f64>, Faults>;
    /// Weights as a data file.
    fn write_weights(&self, values: &[f64], note: &str) -> String;
    /// The names of what the doctrine finds in a position.
    fn feature_names(&self) -> &'static [&'static str];
    /// How many of them, the first, tell the time and not how a side stands.
    fn time_features(&self) -> usize;
    /// What counts in the judgement of a position.
    fn judgement(&self, data: &Data) -> Result<Judgement, Faults>;
    /// Reads all that the data say about the opponents, for faults.
    fn check(&self, data: &Data) -> Faults;
    /// A judgement as a data file.
    fn write_judgement(&self, judgement: &Judgement, note: &str) -> String;
}

/// All schools, in the order of the shelf.
pub const SCHOOLS: &[&dyn AnySchool] = &[
    &School::<dagc::Dagc>::new(),
    &School::<bug::Bug>::new(),
    &School::<bite::Bite>::new(),
    &School::<barbarossa::Barbarossa>::new(),
    &School::<mini::Mini>::new(),
];

/// The school of a rulebook.
pub fn school(book: &str) -> Option<&'static dyn AnySchool> {
    SCHOOLS.iter().copied().find(|school| school.book().name == book)
}

struct School<D>(PhantomData<fn() -> D>);

impl<D> School<D> {
    const fn new() -> Self {
        School(PhantomData)
    }
}

impl<D: Doctrine> AnySchool for School<D> {
    fn book(&self) -> &'static Book {
        const { &D::BOOK }
    }

    fn levels(&self) -> &'static [Level] {
        D::LEVELS
    }

    fn opponent(
        &self,
        position: &dyn AnyPosition,
        data: &Data,
        side: Side,
        level: Level,
        budget: Budget,
        seed: &Seed,
    ) -> Result<Box<dyn AnyOpponent>, Faults> {
        let Some(position) = typed::<D>(position) else {
            let wrong = format!("the game is not played by {}", D::BOOK.name);
            return Err(Source::new("game", "").fault(0, "", wrong).into());
        };
        let staff = Staff::new(position.rules.clone(), &position.state, data)?;
        Ok(Box::new(Seated { commander: Commander::new(Arc::new(staff), side, level, budget, seed) }))
    }

    fn arena(&self, data: &Data, scenario: &str, options: &[String]) -> Result<Box<dyn AnyArena>, Faults> {
        Ok(Box::new(Arena::<D>::open(data, scenario, read_options::<D>(options)?)?))
    }

    fn weight_names(&self) -> &'static [&'static str] {
        D::Weights::BOTH
    }

    fn weights(&self, data: &Data) -> Result<Vec<f64>, Faults> {
        Ok(weights::values(&weights::read::<D::Weights>(data)?))
    }

    fn write_weights(&self, values: &[f64], note: &str) -> String {
        weights::write(&weights::of::<D::Weights>(values), note)
    }

    fn feature_names(&self) -> &'static [&'static str] {
        D::FEATURES
    }

    fn time_features(&self) -> usize {
        D::TIME_FEATURES
    }

    fn judgement(&self, data: &Data) -> Result<Judgement, Faults> {
        judgement::read::<D>(data)
    }

    fn check(&self, data: &Data) -> Faults {
        let read = [
            weights::read::<D::Weights>(data).map(drop),
            weights::read_generals::<D::Weights>(data).map(drop),
            judgement::read::<D>(data).map(drop),
        ];
        let mut faults = Faults::default();
        // Generals without a file of their own have everybody's, and its faults are told once.
        for found in read.into_iter().filter_map(Result::err) {
            if found != faults {
                faults.extend(found);
            }
        }
        faults
    }

    fn write_judgement(&self, judgement: &Judgement, note: &str) -> String {
        judgement::write::<D>(judgement, note)
    }
}

impl<D: Doctrine> AnyArena for Arena<D> {
    fn play(&self, contest: &Contest, seed: &Seed) -> Result<Report, String> {
        Arena::play(self, contest, seed)
    }

    fn reweighed(&self, weights: &BySide<Vec<f64>>) -> Box<dyn AnyArena> {
        let weights = BySide { axis: weights::of(&weights.axis), soviet: weights::of(&weights.soviet) };
        Box::new(Arena::reweighed(self, weights))
    }

    fn study(&self, seed: &Seed) -> Result<Study, String> {
        study::study(self, seed)
    }
}

struct Seated<D: Doctrine> {
    commander: Commander<D>,
}

impl<D: Doctrine> AnyOpponent for Seated<D> {
    fn choose(&mut self, position: &dyn AnyPosition, decision: usize, signals: &Signals) -> Option<String> {
        let position = typed::<D>(position)?;
        let answer = self.commander.decide(&position.state, decision, signals)?;
        Some(answer.notation(&*position.rules))
    }

    fn number(&mut self, position: &dyn AnyPosition, decision: usize, signals: &Signals) -> Option<usize> {
        let position = typed::<D>(position)?;
        let answer = self.commander.decide(&position.state, decision, signals)?;
        let mut answers = Vec::new();
        position.rules.answers(&position.state, &mut answers);
        answers.iter().position(|listed| *listed == answer)
    }

    fn why(&self) -> Vec<Text> {
        self.commander.why()
    }

    fn anew(&self, seed: &Seed) -> Box<dyn AnyOpponent> {
        Box::new(Seated { commander: self.commander.anew(seed) })
    }

    fn copied(&self) -> Box<dyn AnyOpponent> {
        Box::new(Seated { commander: self.commander.clone() })
    }

    fn reseed(&mut self, seed: &Seed) {
        self.commander.reseed(seed);
    }
}
