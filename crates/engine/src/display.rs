//! What a client needs to draw a game and to explain it, besides what a viewer sees: the same for every rulebook.

use board::{Hex, HexSet, Mp};

use crate::{Case, Remark, Side, UnitId, words};

words! {
    /// What stands in the box of a counter.
    pub enum Symbol: "symbol" {
        /// Crossed lines.
        Infantry = "infantry",
        /// A track.
        Armor = "armor",
        /// A track and crossed lines.
        Mechanized = "mechanized",
        /// Crossed lines on wheels.
        Motorized = "motorized",
        /// One slanting line.
        Cavalry = "cavalry",
        /// A slanting line and a track.
        CavalryMechanized = "cavalry-mechanized",
        /// A dot.
        Artillery = "artillery",
        /// A dot on a track.
        AssaultGun = "assault-gun",
        /// A dot and arrows.
        RocketArtillery = "rocket-artillery",
        /// A bridge.
        Engineer = "engineer",
        /// A wedge.
        AntiTank = "anti-tank",
        /// A dome.
        AntiAir = "anti-air",
        /// An upright arrow.
        MachineGun = "machine-gun",
        /// A slanting line on a short stroke.
        Reconnaissance = "reconnaissance",
        /// Crossed lines and wings.
        Airborne = "airborne",
        /// Crossed lines and a peak.
        Mountain = "mountain",
        /// A flag.
        Headquarters = "headquarters",
        /// Battlements.
        Fortification = "fortification",
        /// A wheel.
        Supply = "supply",
        /// Wings.
        Air = "air",
        /// A train.
        Rail = "rail",
        /// Nothing of these.
        Other = "other",
    }
}

/// A counter as it is printed: what everybody knows of it who sees its front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Whose it is.
    pub side: Side,
    /// Its full name.
    pub title: String,
    /// Whose army it belongs to: german, soviet, hungarian …: the colour of the counter.
    pub nation: String,
    /// The formation that the counter's stripe or shade shows; may be empty.
    pub formation: String,
    /// What its symbol shows.
    pub symbol: Symbol,
    /// Its size as printed above the symbol: II, III, X, XX, XXX, XXXX; may be empty.
    pub size: String,
    /// What is printed beside the symbol.
    pub designation: String,
    /// The factors of the front in printed order: `4-7`.
    pub front: String,
    /// The factors of the back; nothing when there is none.
    pub back: Option<String>,
    /// How many steps it has at full strength.
    pub steps: u8,
    /// Where it is set up or when it arrives, as printed: a hex, or `turn 3`; may be empty.
    pub arrives: String,
}

/// A phase of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it is called.
    pub name: &'static str,
    /// Whose it is; nobody's when it is both sides'.
    pub side: Option<Side>,
    /// The case that orders it.
    pub case: Case,
}

/// A turn on the track, with what is known of it before play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Its dates or name; may be empty.
    pub title: String,
    /// The units that are due.
    pub arrives: Vec<UnitId>,
    /// What else happens.
    pub notes: Vec<Remark>,
}

/// A set of hexes with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// A short name that stays the same: `zoc`, `control`, `victory`, `reach`, `oos` where units are out of supply;
    /// with the side it is the only one.
    pub name: &'static str,
    /// What a legend calls it.
    pub title: &'static str,
    /// The case behind it.
    pub case: Case,
    /// Whose it is.
    pub side: Option<Side>,
    /// The hexes.
    pub hexes: Vec<Hex>,
}

impl Overlay {
    /// A set of hexes of one side, or of nobody.
    pub fn new<const ROWS: usize, const WORDS: usize>(
        name: &'static str,
        title: &'static str,
        case: Case,
        side: impl Into<Option<Side>>,
        hexes: &HexSet<ROWS, WORDS>,
    ) -> Overlay {
        Overlay { name, title, case, side: side.into(), hexes: hexes.iter().collect() }
    }
}

/// How it stands against what is needed to win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Who scores.
    pub side: Side,
    /// What is counted.
    pub what: &'static str,
    /// How much of it there is, if the game ended now.
    pub points: i32,
    /// From so many on, what that is: the highest first.
    pub levels: Vec<(i32, &'static str)>,
    /// What it is below the last of them; may be empty.
    pub below: &'static str,
    /// The case.
    pub case: Case,
}

/// A move hex by hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Where it begins.
    pub from: Hex,
    /// What the unit has to spend.
    pub has: Mp,
    /// The hexes that it enters.
    pub legs: Vec<Leg>,
}

/// One hex of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The hex entered.
    pub hex: Hex,
    /// What entering it costs, part by part.
    pub parts: Vec<Cost>,
}

/// A part of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// What for.
    pub what: &'static str,
    /// How much.
    pub cost: Mp,
    /// The case.
    pub case: Case,
}

impl Leg {
    /// What entering the hex costs in all.
    pub fn cost(&self) -> Mp {
        self.parts.iter().map(|part| part.cost).sum()
    }
}

impl Route {
    /// What it costs in all.
    pub fn cost(&self) -> Mp {
        self.legs.iter().map(Leg::cost).sum()
    }
}
