//! What a viewer sees: plain descriptions, the same for every rulebook, that a client can draw without
//! knowing a rule.

use std::borrow::Cow;

use board::{Hex, Map};
use serde::Serialize;

use crate::store::Placed;
use crate::{Rulebook, Side, UnitId, Viewer};

/// Puts together what a viewer may see of a state.
pub(crate) fn view<R: Rulebook>(rules: &R, state: &R::State, viewer: Viewer) -> View {
    let piece = |unit: UnitId| {
        let seen = rules.in_sight(state, unit, viewer);
        Piece {
            side: rules.owner(state, unit),
            front: seen.then(|| rules.front(state, unit, viewer)),
            // Of who is not seen this would tell something, too.
            at_most: seen && !rules.knows_strength(state, unit, viewer),
        }
    };
    let mut held: Vec<_> = rules.roster().iter().filter_map(|unit| rules.place(state, unit)?.hex()).collect();
    held.sort();
    held.dedup();
    let stacks = held.into_iter().map(|hex| Stack {
        hex: rules.map().label(hex),
        pieces: rules.stack_in(state, hex).map(piece).collect(),
    });
    let mut boxes: Vec<HoldingBox> =
        R::Place::BOXES.iter().map(|(name, _)| empty_box::<R::Place>(name)).collect();
    for unit in rules.roster().iter() {
        let Some(name) = rules.place(state, unit).and_then(Placed::in_box) else { continue };
        match boxes.iter_mut().find(|known| known.name == name) {
            Some(known) => known.pieces.push(piece(unit)),
            None => boxes.push(HoldingBox { pieces: vec![piece(unit)], ..empty_box::<R::Place>(name) }),
        }
    }
    let (turn, turns) = rules.turn(state);
    View {
        turn: turn.into(),
        turns: turns.into(),
        phase: rules.phase_name(state).to_owned(),
        stacks: stacks.collect(),
        boxes,
        markers: rules.markers(state),
        tracks: rules.tracks(state),
        stocks: rules.stocks(state, viewer),
    }
}

fn empty_box<P: Placed>(name: &'static str) -> HoldingBox {
    HoldingBox { name, title: P::title(name), pieces: Vec::new() }
}

/// What a viewer may see of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The turn.
    pub turn: u32,
    /// The last turn.
    pub turns: u32,
    /// The phase, as the rulebook calls it.
    pub phase: String,
    /// The stacks on the map, in the order of their hexes.
    pub stacks: Vec<Stack>,
    /// Units off the map: boxes, dead piles, the turn track.
    pub boxes: Vec<HoldingBox>,
    /// Hexes that carry a marker or belong to a side, where that matters.
    pub markers: Vec<Marker>,
    /// Numbers kept beside the map.
    pub tracks: Vec<Track>,
    /// What is counted, split and carried: dumps, loads, pools.
    pub stocks: Vec<StockSeen>,
}

impl View {
    /// The fronts that can be seen, on the map and off it.
    pub fn fronts(&self) -> impl Iterator<Item = &Front> {
        let stacks = self.stacks.iter().flat_map(|stack| &stack.pieces);
        let boxes = self.boxes.iter().flat_map(|place| &place.pieces);
        stacks.chain(boxes).filter_map(|piece| piece.front.as_ref())
    }

    /// True when the unit of this name is in sight.
    pub fn shows(&self, unit: &str) -> bool {
        self.fronts().any(|front| front.unit == unit)
    }
}

/// The pieces in a hex, top first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stack {
    /// The label of the hex.
    pub hex: String,
    /// The pieces, top first.
    pub pieces: Vec<Piece>,
}

/// A named place beside the map, and what is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HoldingBox {
    /// The name of the box.
    pub name: &'static str,
    /// What players call it.
    pub title: &'static str,
    /// What is in it.
    pub pieces: Vec<Piece>,
}

/// A counter as it lies on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Whose it is.
    #[serde(serialize_with = "side_word")]
    pub side: Side,
    /// Its front, when it may be seen.
    pub front: Option<Front>,
    /// True when the front tells the most strength that it can have: what it has left the viewer may not know.
    pub at_most: bool,
}

/// What is printed on the visible side of a counter, and the markers on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Front {
    /// The unit's name, as in notation.
    pub unit: String,
    /// Its type, as the counter's symbol shows it.
    pub kind: String,
    /// Its strength and movement, as the counter prints them.
    pub factors: String,
    /// Steps left.
    pub steps: u8,
    /// What is marked on it: moved, out of supply, disrupted …
    pub flags: Vec<&'static str>,
}

/// Something about a hex that is not a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Marker {
    /// The label of the hex.
    pub hex: String,
    /// What it is.
    pub what: Cow<'static, str>,
    /// The side that it speaks for, if it does.
    #[serde(serialize_with = "maybe_side_word")]
    pub side: Option<Side>,
    /// What is drawn on it: one letter or sign.
    pub sign: &'static str,
}

/// A number kept beside the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Track {
    /// What is counted.
    pub name: String,
    /// How it stands.
    pub value: String,
}

/// So much of something in one place, as far as the viewer may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StockSeen {
    /// Where it lies.
    pub place: StockPlace,
    /// Whose it is.
    #[serde(serialize_with = "side_word")]
    pub side: Side,
    /// What it is.
    pub what: String,
    /// How much of it, when that may be known.
    pub amount: Option<u16>,
}

/// Where a stock lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StockPlace {
    /// In a hex, by its label.
    Hex(String),
    /// With the unit of this name, which carries it.
    Unit(String),
    /// Beside the map.
    Pool,
}

impl Marker {
    /// A marker in a hex.
    pub fn new(
        map: &Map,
        hex: Hex,
        what: impl Into<Cow<'static, str>>,
        side: Option<Side>,
        sign: &'static str,
    ) -> Marker {
        Marker { hex: map.label(hex), what: what.into(), side, sign }
    }
}

impl Track {
    /// Something counted beside the map.
    #[expect(clippy::needless_pass_by_value, reason = "numbers and words are given as they are")]
    pub fn new(name: impl Into<String>, value: impl ToString) -> Track {
        Track { name: name.into(), value: value.to_string() }
    }
}

impl StockPlace {
    /// Its word: the label, the name, or `pool`.
    pub fn as_str(&self) -> &str {
        match self {
            StockPlace::Hex(word) | StockPlace::Unit(word) => word,
            StockPlace::Pool => "pool",
        }
    }
}

fn maybe_side_word<S: serde::Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(Side::word).serialize(serializer)
}

fn side_word<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(side.word())
}
