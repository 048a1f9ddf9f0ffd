//! Seats: secrets, and what each seat may see and do.

use engine::{Side, Viewer};

use crate::convert;
use crate::wire::{self, Eyes};

/// The sides that a seat plays: none (an observer), one, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    axis: bool,
    soviet: bool,
}

impl Seat {
    /// Looks on.
    pub(crate) const OBSERVER: Seat = Seat { axis: false, soviet: false };
    /// Plays both sides.
    pub(crate) const BOTH: Seat = Seat { axis: true, soviet: true };

    /// Plays one side.
    pub(crate) const fn of(side: Side) -> Seat {
        Seat { axis: matches!(side, Side::Axis), soviet: matches!(side, Side::Soviet) }
    }

    /// True when it plays this side.
    pub(crate) fn plays(self, side: Side) -> bool {
        match side {
            Side::Axis => self.axis,
            Side::Soviet => self.soviet,
        }
    }

    /// The sides that it plays.
    pub(crate) fn sides(self) -> impl Iterator<Item = Side> {
        Side::BOTH.into_iter().filter(move |side| self.plays(*side))
    }

    /// The sides as the wire has them.
    pub(crate) fn wire_sides(self) -> Vec<wire::Side> {
        self.sides().map(convert::side).collect()
    }

    /// One word a seat, for the store.
    pub(crate) fn word(self) -> &'static str {
        match (self.axis, self.soviet) {
            (true, true) => "both",
            (true, false) => Side::Axis.word(),
            (false, true) => Side::Soviet.word(),
            (false, false) => "observer",
        }
    }

    /// The seat of a word; whatever is unknown looks on.
    pub(crate) fn from_word(word: &str) -> Seat {
        match (word, Side::from_word(word)) {
            ("both", _) => Seat::BOTH,
            (_, Ok(side)) => Seat::of(side),
            _ => Seat::OBSERVER,
        }
    }

    /// The eyes that it may look through. When a game is over nothing is hidden any more.
    pub(crate) fn eyes(self, over: bool) -> Vec<Eyes> {
        let mut eyes: Vec<Eyes> = self.sides().map(eyes_of).collect();
        if eyes.is_empty() {
            eyes.push(Eyes::Observer);
        }
        if over || self == Seat::BOTH {
            eyes.push(Eyes::All);
        }
        eyes
    }

    /// The eyes that it looks through unless it says otherwise: of the side that decides, when it plays both.
    pub(crate) fn usual_eyes(self, deciding: Option<Side>) -> Eyes {
        let mut sides = self.sides();
        match (deciding, sides.next()) {
            (Some(side), Some(_)) if self.plays(side) => eyes_of(side),
            (_, Some(side)) => eyes_of(side),
            (_, None) => Eyes::Observer,
        }
    }

    /// True when this seat, looking through these eyes, decides for a side.
    pub(crate) fn decides(self, side: Side, eyes: Eyes) -> bool {
        self.plays(side) && convert::viewer(eyes).is_told(side)
    }

    /// The side whose actions may be taken back through these eyes; with all eyes, anybody's.
    pub(crate) fn acts_as(self, eyes: Eyes) -> Option<Actor> {
        match convert::viewer(eyes) {
            Viewer::Side(side) if self.plays(side) => Some(Actor::Side(side)),
            Viewer::Referee if self == Seat::BOTH => Some(Actor::Anybody),
            _ => None,
        }
    }
}

/// Who takes something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    /// One side.
    Side(Side),
    /// Whoever acted.
    Anybody,
}

impl Actor {
    /// The side, when it is one.
    pub(crate) fn side(self) -> Option<Side> {
        match self {
            Actor::Side(side) => Some(side),
            Actor::Anybody => None,
        }
    }
}

fn eyes_of(side: Side) -> Eyes {
    match side {
        Side::Axis => Eyes::Axis,
        Side::Soviet => Eyes::Soviet,
    }
}

/// 128 random bits in 32 hex digits: the secret of a seat, the name of a game, the server's part of its dice.
pub(crate) fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// Bytes in hex digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
