//! What a side sees as dense arrays, for programs that learn: a row for each unit, sets of hexes as bits, numbers.
//!
//! An observation is space to write into: used again it does not allocate. It holds what [`Rulebook::view`] would show the side
//! and nothing else; the battery compares its bytes over states that look the same.

use board::{Hex, HexSet};

use crate::row::NONE;
use crate::store::Placed;
use crate::{Asked, Frames, Lexicon, Phrase, Row, Rulebook, Side, UnitId};

/// What an observation holds, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The sets of hexes.
    pub planes: &'static [&'static str],
    /// The numbers.
    pub globals: &'static [&'static str],
}

/// The columns of a unit's row, the same in every rulebook.
pub const COLUMNS: [&str; 12] = [
    "seen",
    "enemy",
    "place",
    "hex",
    "depth",
    "steps",
    "attack",
    "defence",
    "movement",
    "kind",
    "marks",
    "more-marks",
];

/// How a piece is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// Not in sight.
    No = 0,
    /// Its front is known.
    Known = 1,
    /// A piece whose front is not seen.
    Unseen = 2,
}

/// What a side knows of a unit whose front it sees; −1 stands for what it does not know.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// Steps left.
    pub steps: i16,
    /// Strength in attack.
    pub attack: i16,
    /// Strength in defence.
    pub defence: i16,
    /// What it may spend on a move, in twelfths.
    pub movement: i16,
    /// Its type, by the place of the word.
    pub kind: i16,
    /// Its marks, a bit each.
    pub marks: u32,
}

impl Default for Values {
    fn default() -> Values {
        Values { steps: NONE, attack: NONE, defence: NONE, movement: NONE, kind: NONE, marks: 0 }
    }
}

/// Where a piece lies, and how it is seen.
struct Lying {
    seen: Seen,
    enemy: bool,
    place: i16,
    hex: Option<Hex>,
    depth: i16,
}

/// What a side sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// A row for each unit of the roster, then one for each piece whose front is not seen: in boxes, then in the order of hexes.
    pub units: Vec<[i16; COLUMNS.len()]>,
    /// Set by set and line by line, a bit for each hex; every line has as many words as the widest needs.
    pub planes: Vec<u64>,
    /// Numbers.
    pub globals: Vec<f32>,
    /// The procedure that asks, as a row: with its fields when this side is asked.
    pub question: Row,
    lines: usize,
    width: usize,
    /// The hexes with pieces while it is written, a bit each.
    held: Vec<u64>,
    /// The boxes of pieces whose front is not seen, while it is written.
    boxed: Vec<i16>,
}

impl Observation {
    /// Begins anew: no unit is in sight.
    pub fn begin(&mut self, lexicon: &dyn Lexicon) {
        let grid = lexicon.map().grid();
        (self.lines, self.width) = (grid.lines(), grid.width());
        self.units.clear();
        self.units.resize(lexicon.roster().len(), [NONE; COLUMNS.len()]);
        self.units.iter_mut().for_each(|row| row[0] = Seen::No as i16);
        self.planes.clear();
        self.globals.clear();
        self.question = Row::default();
    }

    /// Every unit that the side sees, and every piece whose front it does not see: in boxes, then in the order of hexes.
    fn pieces<R: Rulebook>(&mut self, rules: &R, state: &R::State, side: Side) {
        let mut held = std::mem::take(&mut self.held);
        let mut boxed = std::mem::take(&mut self.boxed);
        let words = self.width.div_ceil(64);
        held.clear();
        held.resize(self.lines * words, 0);
        for unit in rules.roster().iter() {
            let place = rules.place(state, unit);
            match place.and_then(Placed::hex) {
                Some(hex) => {
                    let (line, pos) = (usize::from(hex.line()), usize::from(hex.pos()));
                    held[line * words + pos / 64] |= 1 << (pos % 64);
                }
                None => {
                    let hidden = rules.owner(state, unit) != side && !rules.is_seen(state, unit);
                    match hidden && place.is_some() {
                        true => boxed.push(place_number(place)),
                        false => self.known(rules, state, unit, side, (place_number(place), None, 0)),
                    }
                }
            }
        }
        boxed.sort_unstable();
        for place in boxed.drain(..) {
            let lying = Lying { seen: Seen::Unseen, enemy: true, place, hex: None, depth: 0 };
            self.units.push(self.cells(&lying, Values::default()));
        }
        for (place, &word) in held.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let pos = place % words * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.stack(rules, state, side, Hex::new((place / words) as u8, pos as u8));
            }
        }
        held.clear();
        (self.held, self.boxed) = (held, boxed);
    }

    /// Every piece in a hex, top first.
    fn stack<R: Rulebook>(&mut self, rules: &R, state: &R::State, side: Side, hex: Hex) {
        for (depth, unit) in (0..).zip(rules.stack_in(state, hex)) {
            let enemy = rules.owner(state, unit) != side;
            if enemy && !rules.is_seen(state, unit) {
                let lying = Lying { seen: Seen::Unseen, enemy, place: 0, hex: Some(hex), depth };
                self.units.push(self.cells(&lying, Values::default()));
            } else {
                self.known(rules, state, unit, side, (0, Some(hex), depth));
            }
        }
    }

    fn known<R: Rulebook>(
        &mut self,
        rules: &R,
        state: &R::State,
        unit: UnitId,
        side: Side,
        (place, hex, depth): (i16, Option<Hex>, i16),
    ) {
        let enemy = rules.owner(state, unit) != side;
        let lying = Lying { seen: Seen::Known, enemy, place, hex, depth };
        self.units[unit.index()] = self.cells(&lying, rules.values(state, unit, side));
    }

    fn cells(&self, lying: &Lying, values: Values) -> [i16; COLUMNS.len()] {
        let place = |hex: Hex| (usize::from(hex.line()) * self.width + usize::from(hex.pos())) as i16;
        [
            lying.seen as i16,
            i16::from(lying.enemy),
            lying.place,
            lying.hex.map_or(NONE, place),
            lying.depth,
            values.steps,
            values.attack,
            values.defence,
            values.movement,
            values.kind,
            (values.marks & 0x7FFF) as i16,
            (values.marks >> 15 & 0x7FFF) as i16,
        ]
    }

    /// The next set of hexes.
    pub fn plane<const ROWS: usize, const WORDS: usize>(&mut self, hexes: &HexSet<ROWS, WORDS>) {
        let words = self.width.div_ceil(64);
        let start = self.planes.len();
        self.planes.resize(start + self.lines * words, 0);
        let rows = self.planes[start..].chunks_exact_mut(words.max(1));
        for (line, row) in rows.enumerate() {
            let Some(bits) = hexes.line(line) else { break };
            for (word, bits) in row.iter_mut().zip(bits) {
                *word = *bits;
            }
            if let (Some(last), spare @ 1..) = (row.last_mut(), words * 64 - self.width) {
                *last &= u64::MAX >> spare;
            }
        }
    }

    /// The next number.
    pub fn global(&mut self, value: impl Into<f32>) {
        self.globals.push(value.into());
    }

    /// What is asked: the procedure, and its fields if it is this side that decides.
    pub(crate) fn ask<R: Rulebook>(&mut self, rules: &R, state: &R::State, side: Side) {
        let Some(top) = R::stack(state).frames().last() else { return };
        match rules.asked(state) {
            Asked::Decision { side: asked, .. } if asked == side => {
                top.write_row(rules, &mut self.question);
            }
            _ => self.question.set_form(top.index()),
        }
    }
}

/// Where a piece lies in one number: 0 on the map, then the boxes in their order, and out of the game.
fn place_number<P: Placed>(place: Option<P>) -> i16 {
    let Some(place) = place else { return P::BOXES.len() as i16 + 1 };
    let name = place.in_box();
    let known = P::BOXES.iter().position(|(known, _)| Some(*known) == name);
    known.map_or(P::BOXES.len() as i16 + 2, |known| known as i16 + 1)
}

/// Writes what a side sees.
pub fn observe<R: Rulebook>(rules: &R, state: &R::State, side: Side, out: &mut Observation) {
    out.begin(rules);
    out.pieces(rules, state, side);
    rules.observe(state, side, out);
    out.ask(rules, state, side);
    debug_assert_eq!(out.globals.len(), R::SCHEMA.globals.len());
    debug_assert_eq!(out.planes.len(), R::SCHEMA.planes.len() * out.lines * out.width.div_ceil(64));
}
