//! What a step costs, said about many steps at once.

use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;

use crate::bits;
use crate::{Dir, Grid, Hex, HexSet, Map, Mp, Orientation, Sides};

/// The most ways of going from a hex to the next that are told apart, such as across country, by road and by rail.
pub const MAX_WAYS: usize = 8;

/// The most tolls that can be laid on what the ground costs.
pub const MAX_TOLLS: usize = 32;

/// The steps that something is said about: those that leave one of some hexes, cross one of some hexsides and enter one
/// of some hexes. What is left out does not matter.
#[derive(Debug)]
pub struct Where<'a, const LINES: usize = 64, const WORDS: usize = 1> {
    /// The hexes left.
    pub leaving: Option<&'a HexSet<LINES, WORDS>>,
    /// The hexsides crossed.
    pub crossing: Option<&'a Sides<LINES, WORDS>>,
    /// The hexes entered.
    pub entering: Option<&'a HexSet<LINES, WORDS>>,
}

impl<const LINES: usize, const WORDS: usize> Copy for Where<'_, LINES, WORDS> {}
impl<const LINES: usize, const WORDS: usize> Clone for Where<'_, LINES, WORDS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, const LINES: usize, const WORDS: usize> Where<'a, LINES, WORDS> {
    /// Every step.
    pub const EVERYWHERE: Self = Where { leaving: None, crossing: None, entering: None };

    /// Those of these steps that leave one of the hexes.
    pub const fn leaving(self, hexes: &'a HexSet<LINES, WORDS>) -> Self {
        Where { leaving: Some(hexes), ..self }
    }

    /// Those of these steps that cross one of the hexsides.
    pub const fn crossing(self, sides: &'a Sides<LINES, WORDS>) -> Self {
        Where { crossing: Some(sides), ..self }
    }

    /// Those of these steps that enter one of the hexes.
    pub const fn entering(self, hexes: &'a HexSet<LINES, WORDS>) -> Self {
        Where { entering: Some(hexes), ..self }
    }

    /// True for the step between these two adjacent hexes.
    pub fn holds(&self, from: Hex, to: Hex) -> bool {
        self.leaving.is_none_or(|hexes| hexes.contains(from))
            && self.entering.is_none_or(|hexes| hexes.contains(to))
            && self.crossing.is_none_or(|sides| sides.between(from, to))
    }

    /// False when it holds for no step from this hex, as far as can be seen at a glance.
    #[inline]
    fn may_hold_from(&self, from: Hex) -> bool {
        self.leaving.is_none_or(|hexes| hexes.contains(from))
            && self.crossing.is_none_or(|sides| sides.touched().contains(from))
            && self.entering.is_none_or(|hexes| is_near(hexes, from))
    }
}

/// True for a hex next to any of a set, and for a few more.
fn is_near<const LINES: usize, const WORDS: usize>(hexes: &HexSet<LINES, WORDS>, hex: Hex) -> bool {
    let line = usize::from(hex.line());
    let row = |line: usize| hexes.rows.get(line).copied().unwrap_or([0; WORDS]);
    let rows = bits::or(row(line), bits::or(row(line.wrapping_sub(1)), row(line + 1)));
    let near = bits::or(rows, bits::or(bits::up(rows, 1), bits::down(rows, 1)));
    near[usize::from(hex.pos()) / 64] >> (hex.pos() % 64) & 1 == 1
}

/// What is done to a step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It cannot be made.
    Close,
    /// It costs more.
    Price(Mp),
    /// It is the last.
    Stop,
}

/// The price of a step that cannot be made. No budget is as large.
pub(crate) const CLOSED: u16 = u16::MAX;

/// What the steps of a map cost by one way of going, as far as that does not change during a game: a table, made once.
#[derive(Clone, Debug)]
pub struct Tariff<const LINES: usize = 64, const WORDS: usize = 1> {
    /// No other table has the same, copies of this one apart.
    pub(crate) number: u64,
    pub(crate) grid: Grid,
    /// By [`slot`] and [`place`]; two of each eight are never asked for.
    pub(crate) prices: Vec<[u16; 8]>,
    /// Whether the first line and those of its kind are shifted, and the second and those of its kind.
    shifted: [bool; 2],
    pub(crate) cheapest: u16,
    /// What all prices are multiples of.
    unit: u16,
    /// Hexes that can be left at all.
    pub(crate) open: HexSet<LINES, WORDS>,
}

impl<const LINES: usize, const WORDS: usize> Tariff<LINES, WORDS> {
    /// The prices that `price` gives, nothing where the step cannot be made; nothing when the map is larger than this has
    /// room for.
    pub fn new(map: &Map, price: impl Fn(Hex, Dir, Hex) -> Option<Mp>) -> Option<Self> {
        if !map.fits::<LINES, WORDS>() {
            return None;
        }
        let mut prices = vec![[CLOSED; 8]; LINES * width::<WORDS>()];
        let mut open = HexSet::EMPTY;
        let (mut cheapest, mut unit) = (CLOSED, 0);
        for hex in map.hexes() {
            for (dir, next) in map.neighbours(hex) {
                let Some(price) = price(hex, dir, next) else { continue };
                let price = price.in_twelfths();
                prices[slot::<WORDS>(hex)][place(map.grid(), dir)] = price;
                cheapest = cheapest.min(price);
                unit = common_unit(unit, price);
                open.insert(hex);
            }
        }
        let shifted = [0, 1].map(|line| map.grid().is_shifted(line));
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        Some(Tariff { number, grid: map.grid(), prices, shifted, cheapest, unit, open })
    }

    /// What the step costs, if it can be made.
    pub fn price(&self, from: Hex, dir: Dir) -> Option<Mp> {
        let price = self.prices.get(slot::<WORDS>(from))?[place(self.grid, dir)];
        (price != CLOSED).then_some(Mp::twelfths(price))
    }

    /// The direction from a hex to one next to it.
    pub fn dir_between(&self, from: Hex, to: Hex) -> Option<Dir> {
        self.grid.dir_between(from, to)
    }

    /// True for a shifted line.
    #[inline(always)]
    pub(crate) fn shift(&self, line: usize) -> bool {
        self.shifted[line % 2]
    }
}

/// The place of a direction among the six neighbours in reading order, whichever way the hexes stand.
///
/// ```text
///     0   1
///   2       3
///     4   5
/// ```
fn place(grid: Grid, dir: Dir) -> usize {
    match grid.orientation() {
        Orientation::PointsUp => [3, 5, 4, 2, 0, 1][dir.index()],
        Orientation::FlatTop => [3, 1, 0, 2, 4, 5][dir.index()],
    }
}

/// The number of slots for a line of hexes.
pub(crate) const fn width<const WORDS: usize>() -> usize {
    64 * WORDS
}

/// The place of a hex in tables with as much room as a set of hexes, in reading order.
pub(crate) const fn slot<const WORDS: usize>(hex: Hex) -> usize {
    hex.line() as usize * width::<WORDS>() + hex.pos() as usize
}

/// What entering a hex costs beside the price of the step, and above that what leaving it costs.
pub(crate) type Toll = u64;

const fn to_enter(price: u32) -> Toll {
    price as Toll
}

pub(crate) const fn to_leave(price: u32) -> Toll {
    (price as Toll) << 32
}

#[inline(always)]
pub(crate) const fn entering(toll: Toll) -> u32 {
    toll as u32
}

#[inline(always)]
pub(crate) const fn leaving(toll: Toll) -> u32 {
    (toll >> 32) as u32
}

/// Added to what leaving a hex costs where nobody may leave. More than the prices of [`MAX_TOLLS`] tolls.
const SHUT_IN: u32 = 1 << 21;

/// Added to what leaving a hex costs where one must stay. More than [`MAX_TOLLS`] times the other.
pub(crate) const STAY: u32 = 1 << 26;

/// What hexes change about entering and leaving them, whichever way one goes.
#[derive(Copy, Clone)]
pub(crate) struct Zone<'a, const LINES: usize, const WORDS: usize> {
    pub(crate) hexes: &'a HexSet<LINES, WORDS>,
    pub(crate) toll: Toll,
}

/// What must be looked at step by step.
#[derive(Copy, Clone)]
pub(crate) struct Special<'a, const LINES: usize, const WORDS: usize> {
    pub(crate) place: Where<'a, LINES, WORDS>,
    pub(crate) effect: Effect,
}

/// The prices of the ground with the tolls that are laid on them now.
///
/// A step may be made in any of the ways that are open, at the price of the ground and all tolls of that way.
#[derive(Clone)]
pub struct Tolls<'a, const LINES: usize = 64, const WORDS: usize = 1> {
    pub(crate) ways: ArrayVec<&'a Tariff<LINES, WORDS>, MAX_WAYS>,
    /// Hexes that nobody enters.
    pub(crate) shut: ArrayVec<&'a HexSet<LINES, WORDS>, MAX_TOLLS>,
    pub(crate) zones: ArrayVec<Zone<'a, LINES, WORDS>, MAX_TOLLS>,
    pub(crate) specials: ArrayVec<Special<'a, LINES, WORDS>, MAX_TOLLS>,
    /// One bit for each special of a way.
    pub(crate) special_to: [u32; MAX_WAYS],
    /// What all prices are multiples of.
    pub(crate) unit: u16,
}

impl<'a, const LINES: usize, const WORDS: usize> Tolls<'a, LINES, WORDS> {
    /// The ground alone: its ways of going, which must be those of one map.
    ///
    /// # Panics
    /// With more than [`MAX_WAYS`].
    pub fn new(ways: impl IntoIterator<Item = &'a Tariff<LINES, WORDS>>) -> Self {
        let ways: ArrayVec<&'a Tariff<LINES, WORDS>, MAX_WAYS> = ways.into_iter().collect();
        Tolls {
            unit: ways.iter().fold(0, |unit, tariff| common_unit(unit, tariff.unit)),
            ways,
            shut: ArrayVec::new(),
            zones: ArrayVec::new(),
            specials: ArrayVec::new(),
            special_to: [0; MAX_WAYS],
        }
    }

    /// Lays a toll on the steps of some ways, told by one bit for each.
    ///
    /// What concerns all ways and either the hex entered or the hex left costs next to nothing later. Anything else is
    /// looked at step by step from the hexes where it may hold.
    ///
    /// # Panics
    /// With more than [`MAX_TOLLS`].
    pub fn lay(&mut self, place: Where<'a, LINES, WORDS>, ways: u8, effect: Effect) {
        if let Effect::Price(price) = effect {
            self.unit = common_unit(self.unit, price.in_twelfths());
        }
        let every = (1u32 << self.ways.len()) - 1;
        let some_ways = u32::from(ways) & every != every;
        match (place, effect) {
            _ if some_ways => self.look_at(place, ways, effect),
            (Where { leaving: None, crossing: None, entering: Some(hexes) }, _) => match effect {
                Effect::Close => self.shut.push(hexes),
                Effect::Price(price) => self.charge(hexes, to_enter(u32::from(price.in_twelfths()))),
                Effect::Stop => self.charge(hexes, to_leave(STAY)),
            },
            (Where { leaving: Some(hexes), crossing: None, entering: None }, Effect::Price(price)) => {
                self.charge(hexes, to_leave(u32::from(price.in_twelfths())));
            }
            (Where { leaving: Some(hexes), crossing: None, entering: None }, Effect::Close) => {
                self.charge(hexes, to_leave(SHUT_IN));
            }
            _ => self.look_at(place, ways, effect),
        }
    }

    /// What is said twice about the very same hexes is looked up once.
    fn charge(&mut self, hexes: &'a HexSet<LINES, WORDS>, toll: Toll) {
        match self.zones.iter_mut().find(|zone| std::ptr::eq(zone.hexes, hexes)) {
            Some(zone) => zone.toll += toll,
            None => self.zones.push(Zone { hexes, toll }),
        }
    }

    fn look_at(&mut self, place: Where<'a, LINES, WORDS>, ways: u8, effect: Effect) {
        for (way, specials) in self.special_to.iter_mut().enumerate() {
            *specials |= u32::from(ways >> way & 1) << self.specials.len();
        }
        self.specials.push(Special { place, effect });
    }

    /// True when nothing need be looked at step by step, and there is but one way to look at.
    pub(crate) fn is_plain(&self) -> bool {
        self.specials.is_empty() && self.ways.len() == 1
    }

    /// The specials that may hold for some step from a hex by a way, one bit for each.
    #[inline]
    pub(crate) fn live(&self, from: Hex, way: usize) -> u32 {
        let mut live = self.special_to[way];
        let mut left = live;
        while left != 0 {
            let place = left.trailing_zeros();
            left &= left - 1;
            if !self.specials[place as usize].place.may_hold_from(from) {
                live ^= 1 << place;
            }
        }
        live
    }

    /// What a step costs with these specials, and whether it is the last; nothing when it cannot be made.
    pub(crate) fn look(&self, mut live: u32, from: Hex, to: Hex, mut price: u32) -> Option<(u32, bool)> {
        let mut stops = false;
        while live != 0 {
            let special = &self.specials[live.trailing_zeros() as usize];
            live &= live - 1;
            if !special.place.holds(from, to) {
                continue;
            }
            match special.effect {
                Effect::Close => return None,
                Effect::Price(more) => price += u32::from(more.in_twelfths()),
                Effect::Stop => stops = true,
            }
        }
        Some((price, stops))
    }

    /// What is laid on a hex.
    pub(crate) fn on(&self, hex: Hex) -> Toll {
        self.zones.iter().filter(|zone| zone.hexes.contains(hex)).map(|zone| zone.toll).sum()
    }
}

/// The largest number that both are multiples of; nothing is a multiple of everything.
const fn common_unit(mut a: u16, mut b: u16) -> u16 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
