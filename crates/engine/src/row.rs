//! Phrases as rows of twelve small numbers: what programs that learn and search read instead of notation.

use board::Hex;

use crate::{Lexicon, Telling, UnitId};

/// How many units a row names.
pub const UNITS: usize = 6;
/// How many hexes a row names.
pub const HEXES: usize = 2;
/// How many values a row holds.
pub const VALUES: usize = 3;
/// The cells of a row: the form, then units, hexes and values.
pub const WIDTH: usize = 1 + UNITS + HEXES + VALUES;

/// What stands in a cell that is not used, or of which the reader is not told.
pub const NONE: i16 = -1;

/// A phrase in numbers: the place of its form, six units by their place in the roster, two hexes by their place on the map
/// (line by line), three values. What is not there is −1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    cells: [i16; WIDTH],
    units: u8,
    hexes: u8,
    values: u8,
}

impl Default for Row {
    fn default() -> Self {
        Row { cells: [NONE; WIDTH], units: 0, hexes: 0, values: 0 }
    }
}

impl Row {
    /// The row that these cells are.
    pub fn from_cells(cells: [i16; WIDTH]) -> Row {
        Row { cells, ..Row::default() }
    }

    /// The cells.
    pub fn cells(&self) -> &[i16; WIDTH] {
        &self.cells
    }

    /// The place of the form.
    pub fn form(&self) -> usize {
        usize::try_from(self.cells[0]).unwrap_or(usize::MAX)
    }

    /// Whether a phrase survives the way into this row and back.
    pub fn holds<P: Telling>(&mut self, phrase: P, lexicon: &dyn Lexicon) -> bool {
        phrase.write_row(lexicon, self) && P::read_row(&Row::from_cells(self.cells), lexicon) == Some(phrase)
    }

    /// Forgets everything but the form.
    pub fn clear(&mut self, form: usize) {
        *self = Row::default();
        self.set_form(form);
    }

    /// Says which form it is.
    pub fn set_form(&mut self, form: usize) {
        self.cells[0] = i16::try_from(form).unwrap_or(NONE);
    }

    /// Adds a unit; false when there is no room.
    pub fn unit(&mut self, unit: Option<UnitId>) -> bool {
        let value = unit.map_or(Some(NONE), |unit| i16::try_from(unit.0).ok());
        put(&mut self.cells[1..1 + UNITS], &mut self.units, value)
    }

    /// Adds a hex; false when there is no room.
    pub fn hex(&mut self, hex: Option<Hex>, lexicon: &dyn Lexicon) -> bool {
        let width = lexicon.map().grid().width();
        let place = |hex: Hex| i16::try_from(usize::from(hex.line()) * width + usize::from(hex.pos())).ok();
        let value = hex.map_or(Some(NONE), place);
        put(&mut self.cells[1 + UNITS..1 + UNITS + HEXES], &mut self.hexes, value)
    }

    /// Adds a value; false when there is no room.
    pub fn value(&mut self, value: impl TryInto<i16>) -> bool {
        put(&mut self.cells[1 + UNITS + HEXES..], &mut self.values, value.try_into().ok())
    }
}

fn put(cells: &mut [i16], used: &mut u8, value: Option<i16>) -> bool {
    let (Some(cell), Some(value)) = (cells.get_mut(usize::from(*used)), value) else { return false };
    *cell = value;
    *used += 1;
    true
}

/// The cells of a row, taken one by one in the order in which they were put there.
pub struct Cells<'r> {
    row: &'r Row,
    lexicon: &'r dyn Lexicon,
    units: usize,
    hexes: usize,
    values: usize,
}

impl<'r> Cells<'r> {
    pub(crate) fn new(row: &'r Row, lexicon: &'r dyn Lexicon) -> Self {
        Cells { row, lexicon, units: 0, hexes: 0, values: 0 }
    }

    /// The next unit; nothing inside when the cell is empty, nothing at all when there is no such cell or unit.
    pub fn unit(&mut self) -> Option<Option<UnitId>> {
        let cell = *self.row.cells[1..1 + UNITS].get(self.units)?;
        self.units += 1;
        match u16::try_from(cell) {
            Ok(unit) => (usize::from(unit) < self.lexicon.roster().len()).then_some(Some(UnitId(unit))),
            Err(_) => Some(None),
        }
    }

    /// The next hex, in the same way.
    pub fn hex(&mut self) -> Option<Option<Hex>> {
        let cell = *self.row.cells[1 + UNITS..1 + UNITS + HEXES].get(self.hexes)?;
        self.hexes += 1;
        let Ok(place) = usize::try_from(cell) else { return Some(None) };
        let map = self.lexicon.map();
        let width = map.grid().width();
        let hex = Hex::new(u8::try_from(place / width).ok()?, u8::try_from(place % width).ok()?);
        map.contains(hex).then_some(Some(hex))
    }

    /// The next value.
    pub fn value(&mut self) -> Option<i16> {
        let cell = *self.row.cells[1 + UNITS + HEXES..].get(self.values)?;
        self.values += 1;
        Some(cell)
    }
}
