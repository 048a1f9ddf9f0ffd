//! Where movement points lead when what steps cost is said about many at once.

use crate::asked::Asked;
use crate::bits::{self, Row};
use crate::toll::{CLOSED, STAY, Toll, entering, leaving, slot, to_leave, width};
use crate::{Grid, Hex, HexSet, Mp, Tolls};

/// How a hex was reached, in one number: what it cost, in how many steps, and from which slot.
///
/// The smaller number is the better way: the cheapest; of those the one with the fewest steps; of those the one that
/// came from the first hex in reading order.
type Way = u64;

#[inline(always)]
const fn way(cost: u32, steps: u16, from: usize) -> Way {
    (cost as u64) << 32 | (steps as u64) << 16 | (from as u64 & 0xFFFF)
}

const fn cost(way: Way) -> u32 {
    (way >> 32) as u32
}

const fn steps(way: Way) -> u16 {
    (way >> 16) as u16
}

const fn from(way: Way) -> usize {
    (way & 0xFFFF) as usize
}

/// Cost and steps only: what the ways that lead on from here depend on.
#[inline(always)]
const fn length(way: Way) -> u64 {
    way >> 16
}

/// The same way with prices added.
#[inline(always)]
const fn dearer(way: Way, price: u32) -> Way {
    way + ((price as u64) << 32)
}

/// What is known of a hex.
#[derive(Copy, Clone, Default)]
struct Cell {
    /// The best way so far after which one may go on, or what none may cost; zero where nobody enters.
    best: Way,
    toll: Toll,
}

/// A hex to go on from, waiting in the list of those with the same cost.
#[derive(Copy, Clone)]
struct Waiting {
    slot: u16,
    steps: u16,
    next: u32,
}

/// The end of a list of waiting hexes.
const END: u32 = u32::MAX;

/// The hexes that can be reached with a budget of movement points, and what each costs: what [`crate::Field`] finds by
/// asking about each step, found with tables.
///
/// It is scratch space as well as an answer: used again, on budgets no larger than before, it does not allocate. Asked the
/// same again, it has the answer.
#[derive(Clone)]
pub struct Reach<const LINES: usize = 64, const WORDS: usize = 1> {
    asked: Asked<LINES, WORDS>,
    /// By [`slot`], after a line and one more that nobody can be in. Only those of `ready` lines in the window mean
    /// anything.
    cells: Vec<Cell>,
    window: Window<WORDS>,
    /// Lines whose cells mean something.
    ready: [bool; LINES],
    /// Lines that are ready together with those beside them.
    open: [bool; LINES],
    /// The best way to each hex that ends there though other ways into it lead on; for the hexes of `halted`.
    stopped: Vec<Way>,
    reached: HexSet<LINES, WORDS>,
    halted: HexSet<LINES, WORDS>,
    /// What every way must be less than.
    limit: Way,
    /// What a way and leaving its end must be less than, for the end to be worth leaving.
    worth: Way,
    lists: Vec<u32>,
    waiting: Vec<Waiting>,
}

impl<const LINES: usize, const WORDS: usize> Default for Reach<LINES, WORDS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LINES: usize, const WORDS: usize> Reach<LINES, WORDS> {
    /// How many cells lie before the first hex, so that no neighbour lies outside the table.
    const MARGIN: usize = width::<WORDS>() + 1;

    /// Nothing reached yet.
    pub fn new() -> Self {
        const { assert!(LINES * width::<WORDS>() <= 1 << 16, "a slot is a number of sixteen bits") }
        Reach {
            asked: Asked::NOTHING,
            cells: Vec::new(),
            window: Window::EMPTY,
            ready: [false; LINES],
            open: [false; LINES],
            stopped: Vec::new(),
            reached: HexSet::EMPTY,
            halted: HexSet::EMPTY,
            limit: 0,
            worth: 0,
            lists: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Finds all that can be reached from any of some hexes of the map.
    ///
    /// Starts that are not on the map do not count. Budgets end a twelfth below [`Mp::MAX`].
    pub fn spread(&mut self, tolls: &Tolls<'_, LINES, WORDS>, starts: &[Hex], budget: Mp) {
        self.spread_until(tolls, starts, budget, None);
    }

    /// The same, but no further than it takes to find the cheapest way to a goal. Nothing can be said about other hexes.
    pub fn spread_to(&mut self, tolls: &Tolls<'_, LINES, WORDS>, starts: &[Hex], budget: Mp, goal: Hex) {
        self.spread_until(tolls, starts, budget, Some(goal));
    }

    fn spread_until(
        &mut self,
        tolls: &Tolls<'_, LINES, WORDS>,
        starts: &[Hex],
        budget: Mp,
        goal: Option<Hex>,
    ) {
        let budget = budget.in_twelfths().min(CLOSED - 1);
        if self.asked.again(tolls, starts, budget, goal) {
            return;
        }
        self.reset(tolls, starts, budget);
        for &start in starts {
            self.begin(tolls, start);
        }
        match tolls.ways.as_slice() {
            [tariff] if tolls.is_plain() => self.go_on(tolls, goal, |reach, slot, free| {
                let shift = tariff.shift(slot / width::<WORDS>());
                reach.enter_all(slot, shift, &tariff.prices[slot], free);
            }),
            _ => self.go_on(tolls, goal, |reach, slot, free| reach.enter_with_care(tolls, slot, free)),
        }
    }

    /// Goes on from all waiting hexes, the cheapest first; `enter` does so to all sides, given what leaving costs.
    #[inline(always)]
    fn go_on(
        &mut self,
        tolls: &Tolls<'_, LINES, WORDS>,
        goal: Option<Hex>,
        enter: impl Fn(&mut Self, usize, Way),
    ) {
        let unit = u32::from(tolls.unit.max(1));
        let (mut cost, mut taken) = (0, 0);
        while taken < self.waiting.len() {
            let mut next = std::mem::replace(&mut self.lists[cost as usize], END);
            while next != END {
                let waiting = self.waiting[next as usize];
                let slot = usize::from(waiting.slot);
                let cell = self.cells[Self::MARGIN + slot];
                // A better way may have been found while it waited.
                if length(cell.best) == length(way(cost, waiting.steps, 0)) {
                    self.prepare_around(tolls, slot / width::<WORDS>());
                    enter(self, slot, way(cost + leaving(cell.toll), waiting.steps + 1, slot));
                }
                taken += 1;
                next = waiting.next;
            }
            // Steps that cost nothing have others wait at the same cost.
            if self.lists[cost as usize] == END {
                if goal.is_some_and(|goal| self.has_found(goal, cost)) {
                    return;
                }
                cost += unit;
            }
        }
    }

    /// Whether nothing better can be found to a goal; then nobody waits any longer.
    #[inline(never)]
    fn has_found(&mut self, goal: Hex, spent: u32) -> bool {
        let found = self.way(goal).is_some_and(|way| cost(way) <= spent);
        if found {
            self.lists[spent as usize..].fill(END);
        }
        found
    }

    /// Forgets the last answer.
    fn reset(&mut self, tolls: &Tolls<'_, LINES, WORDS>, starts: &[Hex], budget: u16) {
        self.reached = HexSet::EMPTY;
        self.halted = HexSet::EMPTY;
        self.ready = [false; LINES];
        self.open = [false; LINES];
        self.waiting.clear();
        if self.lists.len() <= usize::from(budget) {
            self.lists.resize(usize::from(budget) + 1, END);
        }
        if self.cells.is_empty() {
            self.cells.resize(LINES * width::<WORDS>() + 2 * Self::MARGIN, Cell::default());
        }
        let cheapest = tolls.ways.iter().map(|tariff| tariff.cheapest).min().unwrap_or(CLOSED);
        self.limit = way(u32::from(budget) + 1, 0, 0);
        self.worth = way((u32::from(budget) + 1).saturating_sub(u32::from(cheapest)), 0, 0);
        let radius = budget.checked_div(cheapest).unwrap_or(u16::MAX);
        let grid = tolls.ways.first().map(|tariff| tariff.grid);
        self.window = grid.map_or(Window::EMPTY, |grid| Window::around(grid, starts, radius));
    }

    /// A start is reached for nothing, whatever bars others from it, and whoever begins there need not stay.
    fn begin(&mut self, tolls: &Tolls<'_, LINES, WORDS>, start: Hex) {
        let on_map = tolls.ways.first().is_some_and(|tariff| tariff.grid.contains(start));
        if !on_map || !self.reached.insert(start) {
            return;
        }
        let slot = slot::<WORDS>(start);
        self.prepare(tolls, usize::from(start.line()));
        let toll = tolls.on(start) % to_leave(STAY);
        self.cells[Self::MARGIN + slot] = Cell { best: way(0, 0, slot), toll };
        self.wait(slot, way(0, 0, slot), toll);
    }

    /// The slots of the neighbours, in reading order, counted from the hex in the middle, for a plain and for a shifted
    /// line; those before it as numbers that wrap round.
    const LEADS: [[usize; 6]; 2] = {
        let w = width::<WORDS>();
        let before = usize::MAX;
        [
            [before - w, w.wrapping_neg(), before, 1, w - 1, w],
            [w.wrapping_neg(), 1 + w.wrapping_neg(), before, 1, w, w + 1],
        ]
    };

    /// Enters the six neighbours of a hex, if that can be paid for and is better than what is known.
    #[inline(always)]
    fn enter_all(&mut self, slot: usize, shift: bool, prices: &[u16; 8], free: Way) {
        let (w, shift) = (width::<WORDS>(), usize::from(shift));
        // The cells from the first neighbour in a plain line to the last in a shifted one.
        let near = &self.cells[slot..slot + 2 * w + 3];
        let around = [
            &near[shift],
            &near[shift + 1],
            &near[w],
            &near[w + 2],
            &near[2 * w + shift],
            &near[2 * w + shift + 1],
        ];
        let mut better = 0u32;
        for (cell, price) in around.into_iter().zip(prices) {
            let way = dearer(free, u32::from(*price) + entering(cell.toll));
            better = better + better + u32::from(way < cell.best);
        }
        while better != 0 {
            let place = 5 - better.trailing_zeros() as usize;
            better &= better - 1;
            let to = slot.wrapping_add(Self::LEADS[shift][place]);
            self.improve(to, dearer(free, u32::from(prices[place])));
        }
    }

    /// Notes a better way to a hex, given what it costs to get to its border.
    #[inline(always)]
    fn improve(&mut self, slot: usize, way: Way) {
        let cell = &mut self.cells[Self::MARGIN.wrapping_add(slot)];
        let toll = cell.toll;
        let way = dearer(way, entering(toll));
        let known = std::mem::replace(&mut cell.best, way);
        if length(way) < length(known) {
            self.note(slot);
            self.wait(slot, way, toll);
        }
    }

    #[inline(always)]
    fn note(&mut self, slot: usize) {
        self.reached.rows.as_flattened_mut()[slot / 64] |= 1 << (slot % 64);
    }

    /// Has a hex wait for its turn, if going on from there can lead anywhere.
    #[inline(always)]
    fn wait(&mut self, slot: usize, way: Way, toll: Toll) {
        if dearer(way, leaving(toll)) < self.worth {
            let list = &mut self.lists[cost(way) as usize];
            // A hex waits at most once for each way into it, so all of them can be numbered.
            let place = self.waiting.len() as u32;
            self.waiting.push(Waiting { slot: slot as u16, steps: steps(way), next: *list });
            *list = place;
        }
    }

    /// The same by several ways, or where steps must be looked at one by one.
    fn enter_with_care(&mut self, tolls: &Tolls<'_, LINES, WORDS>, slot: usize, free: Way) {
        let from = hex::<WORDS>(slot);
        for (way, tariff) in tolls.ways.iter().enumerate() {
            // Many hexes have no road.
            if !tariff.open.contains(from) {
                continue;
            }
            let live = tolls.live(from, way);
            let shift = tariff.shift(usize::from(from.line()));
            let prices = &tariff.prices[slot];
            if live == 0 {
                self.enter_all(slot, shift, prices, free);
                continue;
            }
            for (price, lead) in prices.iter().zip(Self::LEADS[usize::from(shift)]) {
                let to = slot.wrapping_add(lead);
                if *price != CLOSED
                    && let Some((price, stops)) = tolls.look(live, from, hex::<WORDS>(to), u32::from(*price))
                {
                    self.enter(to, dearer(free, price), stops);
                }
            }
        }
    }

    /// Enters one hex, given what it costs to get to its border, if that can be paid for and is better than what is known.
    fn enter(&mut self, slot: usize, way: Way, stops: bool) {
        let cell = self.cells[Self::MARGIN.wrapping_add(slot)];
        let arrived = dearer(way, entering(cell.toll));
        if stops && cell.best > 0 && arrived < self.limit {
            self.halt(slot, arrived);
        } else if !stops && arrived < cell.best {
            self.improve(slot, way);
        }
    }

    /// Notes a way to a hex that ends there.
    fn halt(&mut self, slot: usize, way: Way) {
        self.stopped.resize(LINES * width::<WORDS>(), Way::MAX);
        let known = if self.halted.insert(hex::<WORDS>(slot)) { Way::MAX } else { self.stopped[slot] };
        self.stopped[slot] = known.min(way);
        self.note(slot);
    }

    /// Prepares a line and those beside it.
    #[inline(always)]
    fn prepare_around(&mut self, tolls: &Tolls<'_, LINES, WORDS>, line: usize) {
        if !self.open[line] {
            self.open[line] = true;
            for line in line.saturating_sub(1)..(line + 2).min(LINES) {
                self.prepare(tolls, line);
            }
        }
    }

    /// Notes what tolls are laid on the hexes of a line.
    fn prepare(&mut self, tolls: &Tolls<'_, LINES, WORDS>, line: usize) {
        if std::mem::replace(&mut self.ready[line], true) {
            return;
        }
        let cells = &mut self.cells[Self::MARGIN + line * width::<WORDS>()..][..width::<WORDS>()];
        let blank = [Cell { best: self.limit, toll: 0 }; BLOCK];
        for block in cells[self.window.cells()].chunks_exact_mut(BLOCK) {
            block.copy_from_slice(&blank);
        }
        for (word, cells) in cells.chunks_exact_mut(64).enumerate() {
            let seen = self.window.mask[word];
            for zone in &tolls.zones {
                each_one(zone.hexes.rows[line][word] & seen, |pos| cells[pos].toll += zone.toll);
            }
            for hexes in &tolls.shut {
                each_one(hexes.rows[line][word] & seen, |pos| cells[pos].best = 0);
            }
        }
    }

    /// The hexes reached, the starts among them.
    pub fn hexes(&self) -> &HexSet<LINES, WORDS> {
        &self.reached
    }

    /// The better of the two ways to a hex.
    fn way(&self, hex: Hex) -> Option<Way> {
        if !self.reached.contains(hex) {
            return None;
        }
        let slot = slot::<WORDS>(hex);
        let stopped = if self.halted.contains(hex) { self.stopped[slot] } else { Way::MAX };
        Some(self.cells[Self::MARGIN + slot].best.min(stopped))
    }

    /// What it costs to reach a hex; nothing when that is too much or there is no way.
    pub fn cost(&self, hex: Hex) -> Option<Mp> {
        self.way(hex).map(mp)
    }

    /// What it costs to reach a hex by a way that leads on from there.
    pub fn cost_to_go_on(&self, hex: Hex) -> Option<Mp> {
        self.way(hex)?;
        let cell = self.cells[Self::MARGIN + slot::<WORDS>(hex)];
        (cell.best < self.limit && leaving(cell.toll) < STAY).then(|| mp(cell.best))
    }

    /// The cheapest way to a hex, from the start to the hex itself.
    ///
    /// Of several the one with the fewest steps; of those the one whose last hexes come first in reading order.
    pub fn path(&self, hex: Hex) -> Option<Vec<Hex>> {
        let mut path = Vec::new();
        self.path_into(hex, &mut path).then_some(path)
    }

    /// The same, put into a list that is used again; false, and an empty list, when the hex was not reached.
    pub fn path_into(&self, goal: Hex, path: &mut Vec<Hex>) -> bool {
        path.clear();
        let Some(mut way) = self.way(goal) else { return false };
        path.push(goal);
        while steps(way) > 0 {
            path.push(hex::<WORDS>(from(way)));
            way = self.cells[Self::MARGIN + from(way)].best;
        }
        path.reverse();
        true
    }
}

/// No way costs more than its budget, so this always fits.
fn mp(way: Way) -> Mp {
    Mp::twelfths(u16::try_from(cost(way)).unwrap_or(u16::MAX))
}

/// The hex of a slot.
const fn hex<const WORDS: usize>(slot: usize) -> Hex {
    Hex::new((slot / width::<WORDS>()) as u8, (slot % width::<WORDS>()) as u8)
}

/// Calls `visit` with the place of each one in a word.
#[inline(always)]
fn each_one(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// How many cells are cleared at once.
const BLOCK: usize = 8;

/// The part of all lines that a budget can lead to, in whole blocks.
#[derive(Copy, Clone)]
struct Window<const WORDS: usize> {
    first: usize,
    end: usize,
    mask: Row<WORDS>,
}

impl<const WORDS: usize> Window<WORDS> {
    const EMPTY: Self = Window { first: 0, end: 0, mask: [0; WORDS] };

    fn around(grid: Grid, starts: &[Hex], radius: u16) -> Self {
        let edge = grid.width() - 1;
        let places = starts.iter().map(|start| usize::from(start.pos()).min(edge));
        let (least, most) = places.fold((edge, 0), |(least, most), pos| (least.min(pos), most.max(pos)));
        let first = least.saturating_sub(usize::from(radius)) / BLOCK * BLOCK;
        let end = (most + usize::from(radius)).min(edge) / BLOCK * BLOCK + BLOCK;
        let all = [u64::MAX; WORDS];
        let mask = bits::and_not(bits::up(all, first), bits::up(all, end));
        Window { first, end, mask }
    }

    fn cells(self) -> std::ops::Range<usize> {
        self.first..self.end
    }
}
