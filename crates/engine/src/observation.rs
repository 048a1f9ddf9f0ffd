//! What a side sees as dense arrays, for programs that learn: a row for each unit, sets of hexes as bits, numbers.
//!
//! An observation is space to write into: used again it does not allocate. It holds what [`Rulebook::view`] would show the side
//! and nothing else; the battery compares its bytes over states that look the same.

use board::{Hex, HexSet};

use crate::row::NONE;
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

/// A unit as a side sees it.
#[derive(Clone, Copy, Debug)]
pub struct UnitRow {
    /// It is the enemy's.
    pub enemy: bool,
    /// Where it is: 0 on the map, else a number of the rulebook's own.
    pub place: i16,
    /// Its hex, on the map.
    pub hex: Option<Hex>,
    /// How many pieces lie on it.
    pub depth: i16,
    /// Steps left; −1 when that is not known.
    pub steps: i16,
    /// Strength in attack; −1 when that is not known.
    pub attack: i16,
    /// Strength in defence; −1 when that is not known.
    pub defence: i16,
    /// What it may spend on a move, in twelfths.
    pub movement: i16,
    /// Its type, by the place of the word.
    pub kind: i16,
    /// Its marks, a bit each.
    pub marks: u32,
}

/// What a side sees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// A row for each unit of the roster, then one for each piece whose front is not seen, in the order of hexes.
    pub units: Vec<[i16; COLUMNS.len()]>,
    /// Set by set and line by line, a bit for each hex; every line has as many words as the widest needs.
    pub planes: Vec<u64>,
    /// Numbers.
    pub globals: Vec<f32>,
    /// The procedure that asks, as a row: with its fields when this side is asked.
    pub question: Row,
    lines: usize,
    width: usize,
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

    /// A unit whose front the side sees.
    pub fn known(&mut self, unit: UnitId, row: UnitRow) {
        let cells = self.cells(Seen::Known, row);
        self.units[unit.index()] = cells;
    }

    /// A piece whose front it does not see. They are told in the order of hexes.
    pub fn unseen(&mut self, side_is_enemy: bool, hex: Hex, depth: i16) {
        let row = UnitRow {
            enemy: side_is_enemy,
            place: 0,
            hex: Some(hex),
            depth,
            steps: NONE,
            attack: NONE,
            defence: NONE,
            movement: NONE,
            kind: NONE,
            marks: 0,
        };
        let cells = self.cells(Seen::Unseen, row);
        self.units.push(cells);
    }

    fn cells(&self, seen: Seen, row: UnitRow) -> [i16; COLUMNS.len()] {
        let place = |hex: Hex| (usize::from(hex.line()) * self.width + usize::from(hex.pos())) as i16;
        [
            seen as i16,
            i16::from(row.enemy),
            row.place,
            row.hex.map_or(NONE, place),
            row.depth,
            row.steps,
            row.attack,
            row.defence,
            row.movement,
            row.kind,
            (row.marks & 0x7FFF) as i16,
            (row.marks >> 15 & 0x7FFF) as i16,
        ]
    }

    /// The next set of hexes.
    pub fn plane<const ROWS: usize, const WORDS: usize>(&mut self, hexes: &HexSet<ROWS, WORDS>) {
        let words = self.width.div_ceil(64);
        let start = self.planes.len();
        self.planes.resize(start + self.lines * words, 0);
        for hex in hexes.iter() {
            let (line, pos) = (usize::from(hex.line()), usize::from(hex.pos()));
            if line < self.lines && pos < self.width {
                self.planes[start + line * words + pos / 64] |= 1 << (pos % 64);
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

/// Writes what a side sees.
pub fn observe<R: Rulebook>(rules: &R, state: &R::State, side: Side, out: &mut Observation) {
    out.begin(rules);
    rules.observe(state, side, out);
    out.ask(rules, state, side);
    debug_assert_eq!(out.globals.len(), R::SCHEMA.globals.len());
    debug_assert_eq!(out.planes.len(), R::SCHEMA.planes.len() * out.lines * out.width.div_ceil(64));
}
