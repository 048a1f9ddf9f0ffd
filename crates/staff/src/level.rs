//! How well an opponent plays.

use std::fmt;

/// The levels, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Chooses evenly among the legal answers.
    Random,
    /// Takes what looks best at the moment.
    Recruit,
    /// Plans a phase.
    Officer,
    /// Compares plans by playing them through.
    General,
}

impl Level {
    /// All of them, the weakest first.
    pub const ALL: [Level; 4] = [Level::Random, Level::Recruit, Level::Officer, Level::General];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Recruit => "recruit",
            Level::Officer => "officer",
            Level::General => "general",
        }
    }

    /// What to expect of it, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Level::Random => "plays any legal action: for a first look at the rules",
            Level::Recruit => "takes what looks best at the moment: for a first game",
            Level::Officer => "plans every phase: objectives, lines, concentration",
            Level::General => "plays several plans through before it chooses one",
        }
    }

    /// The level of a name.
    pub fn named(name: &str) -> Result<Level, String> {
        let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
        Level::ALL
            .into_iter()
            .find(|level| level.name() == name)
            .ok_or_else(|| format!("there is no opponent `{name}`; there is {}", names.join(", ")))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
