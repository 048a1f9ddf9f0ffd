//! Opponents: players that the program plays, through the same answers as a person.

use engine::position::AnyPosition;
use engine::{Dice, Seed};

use crate::wire::LevelInfo;

/// How well an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Chooses evenly among the legal answers.
    Random,
}

impl Level {
    const ALL: [Level; 1] = [Level::Random];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Level::Random => "plays any legal action: for a first look at the rules",
        }
    }

    /// The level of a name.
    pub(crate) fn named(name: &str) -> Result<Level, String> {
        let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
        Level::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| format!("there is no opponent `{name}`; there is {}", names.join(", ")))
    }

    /// All of them, for the lobby.
    pub(crate) fn list() -> Vec<LevelInfo> {
        let info =
            |level: Level| LevelInfo { name: level.name().to_owned(), about: level.about().to_owned() };
        Level::ALL.into_iter().map(info).collect()
    }

    /// The answer of this level, in notation. The same game with the same number of decision gets the same answer.
    pub(crate) fn choose(self, position: &dyn AnyPosition, game: &str, decision: u32) -> Option<String> {
        match self {
            Level::Random => {
                let answers = position.actions();
                let mut chooser = Dice::seeded(&Seed(format!("{game} {decision}")));
                let faces = u32::try_from(answers.len()).ok().filter(|faces| *faces > 0)?;
                let choice = chooser.roll(faces) as usize - 1;
                answers.into_iter().nth(choice).map(|answer| answer.action)
            }
        }
    }
}
