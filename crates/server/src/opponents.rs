//! Opponents: players that the program plays, through the same answers as a person.

use std::sync::{Arc, Mutex, PoisonError};

use engine::position::AnyPosition;
use engine::{Book, Seed, Side, Viewer};
use source::Faults;
use staff::{AnyOpponent, Budget, Level, Signals};

use crate::games::Volume;
use crate::store::Kept;
use crate::wire::{self, LevelInfo};

/// The levels that can be played in a rulebook, for the lobby.
pub(crate) fn list(book: &Book) -> Vec<LevelInfo> {
    let info = |level: &Level| LevelInfo { name: level.name().to_owned(), about: level.about().to_owned() };
    staff::levels(book.name).iter().map(info).collect()
}

/// The level of a name, if it can be played in a rulebook.
pub(crate) fn level(book: &Book, name: &str) -> Result<Level, String> {
    let level = Level::named(name)?;
    staff::check_level(book, level)?;
    Ok(level)
}

/// An opponent in one game.
pub(crate) struct Opponent {
    /// The side that it plays.
    pub(crate) side: Side,
    level: Level,
    budget: Budget,
    /// Its luck follows from the server's part of the dice, which nobody knows and which tells nothing of them.
    seed: Seed,
    volumes: Arc<Vec<Volume>>,
    place: usize,
    signals: Signals,
    mind: Mutex<Mind>,
}

/// What it knows while it plays; made anew when the game is opened.
struct Mind {
    staff: Box<dyn AnyOpponent>,
    /// The turn and phase that it thought about last.
    period: Option<(u32, Option<usize>)>,
}

/// What an opponent does, and why.
pub(crate) struct Choice {
    /// The action in notation.
    pub(crate) line: String,
    /// What it has in mind, a sentence a line; may be empty.
    pub(crate) why: Vec<wire::Text>,
}

/// How long a general may think who is only asked for his opinion, in seconds.
const OPINION: f64 = 5.0;

/// What an opponent would do in a position.
pub(crate) fn advice(
    volume: &Volume,
    side: Side,
    level: Level,
    position: &dyn AnyPosition,
    decision: u32,
) -> Option<wire::Advice> {
    let (book, budget, seed) = (volume.rulebook.book(), Budget::seconds(OPINION), Seed("opinion".to_owned()));
    let mut staff = staff::seat(book, position, &volume.data, side, level, budget, &seed).ok()?;
    let line = staff.choose(position, decision as usize, &Signals::default())?;
    let text = position.sentence(&line).ok()?.into();
    Some(wire::Advice { line, text, why: staff.why().into_iter().map(wire::Text::from).collect() })
}

/// What an opponent's luck follows from. Where somebody chose the seed there is no secret, and nothing to hide from him.
fn luck(secret: Option<&str>, id: &str) -> Seed {
    Seed(format!("opponent {}", secret.unwrap_or(id)))
}

impl Opponent {
    /// Takes a side of a game that begins or goes on at a position.
    pub(crate) fn new(
        volumes: &Arc<Vec<Volume>>,
        place: usize,
        kept: &Kept,
        side: Side,
        level: Level,
        position: &dyn AnyPosition,
    ) -> Result<Opponent, Faults> {
        let budget = Budget::seconds(f64::from(kept.seconds));
        let seed = luck(kept.secret.as_deref(), &kept.id);
        let volume = &volumes[place];
        let staff = staff::seat(volume.rulebook.book(), position, &volume.data, side, level, budget, &seed)?;
        Ok(Opponent {
            side,
            level,
            budget,
            seed,
            volumes: volumes.clone(),
            place,
            signals: Signals::default(),
            mind: Mutex::new(Mind { staff, period: None }),
        })
    }

    /// True when it may think for long.
    pub(crate) fn is_slow(&self) -> bool {
        self.level == Level::General
    }

    /// Decides.
    pub(crate) fn choose(&self, position: &dyn AnyPosition, decision: u32) -> Option<Choice> {
        let mut mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        // Who was told to hurry hurries to the end of the phase.
        let period = (position.view(Viewer::Observer).turn, position.phase());
        if mind.period.replace(period).is_some_and(|last| last != period) {
            self.signals.begin();
        }
        let line = mind.staff.choose(position, decision as usize, &self.signals)?;
        Some(Choice { line, why: mind.staff.why().into_iter().map(wire::Text::from).collect() })
    }

    /// Tells it to decide with what it has.
    pub(crate) fn hurry(&self) {
        self.signals.hurry();
    }

    /// How far its thinking is, in thousandths.
    pub(crate) fn progress(&self) -> u32 {
        (self.signals.progress() * 1_000.0) as u32
    }

    /// What it was thinking about is no more: it begins with a fresh mind.
    pub(crate) fn think_again(&self, position: &dyn AnyPosition) -> Result<(), Faults> {
        let volume = &self.volumes[self.place];
        let book = volume.rulebook.book();
        let staff =
            staff::seat(book, position, &volume.data, self.side, self.level, self.budget, &self.seed)?;
        let mut mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        *mind = Mind { staff, period: None };
        self.signals.begin();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everybody knows the public name of a game; whoever could foretell by it what an opponent does would have it easy.
    #[test]
    fn an_opponents_luck_does_not_follow_from_what_is_public() {
        let known = luck(Some("a secret"), "the public name");
        assert!(!known.0.contains("public"));
        assert_ne!(known, luck(Some("another secret"), "the public name"));
    }
}
