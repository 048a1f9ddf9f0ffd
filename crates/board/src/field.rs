//! Where movement points lead.

use crate::{Dir, Hex, Map, Mp};

/// What it takes to go from a hex to the next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The way is closed.
    Closed,
    /// Pay, and go on from there if you can.
    Enter(Mp),
    /// Pay, and stay there.
    EnterAndStop(Mp),
}

/// How a hex was reached, in one number: what it cost, in how many steps, and from where.
///
/// The smaller number is the better way: the cheapest; of those the one with the fewest steps; of those the one that
/// came from the first hex in reading order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way(u64);

impl Way {
    const NONE: Way = Way(u64::MAX);

    const fn new(cost: u32, steps: u32, from: Hex) -> Way {
        Way((cost as u64) << 32 | ((steps & 0xFFFF) as u64) << 16 | from.bits() as u64)
    }

    const fn cost(self) -> u32 {
        (self.0 >> 32) as u32
    }

    const fn steps(self) -> u32 {
        (self.0 >> 16 & 0xFFFF) as u32
    }

    const fn from(self) -> Hex {
        Hex::from_bits(self.0 as u16)
    }

    /// The same way with a price added.
    const fn dearer(self, price: u32) -> Way {
        Way(self.0 + ((price as u64) << 32))
    }

    /// Cost and steps only: what the ways that lead on from here depend on.
    const fn length(self) -> u64 {
        self.0 >> 16
    }
}

/// A hex to go on from, waiting in the list of those with the same cost.
#[derive(Copy, Clone)]
struct Waiting {
    hex: Hex,
    steps: u16,
    next: u32,
}

/// The end of a list of waiting hexes.
const END: u32 = u32::MAX;

/// The hexes that can be reached with a budget of movement points, and what each costs.
///
/// A field is scratch space as well as an answer: used again, on maps and budgets no larger than before, it does not
/// allocate. It finds the cheapest ways with one list of waiting hexes for each cost.
///
/// A hex may be reached cheaply by a way that ends there ([`Step::EnterAndStop`]) and at greater cost by one that
/// leads on. Both are kept: [`Field::cost`] is the cheaper of the two, and ways to other hexes lead only through
/// hexes where one may go on.
#[derive(Clone, Default)]
pub struct Field {
    width: usize,
    /// The best way to each hex after which one may go on.
    going: Vec<Way>,
    /// The best way to each hex that ends there.
    stopped: Vec<Way>,
    reached: Vec<Hex>,
    lists: Vec<u32>,
    waiting: Vec<Waiting>,
}

impl Field {
    /// A field that has not spread yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds all that can be reached from a hex; `step` tells what it takes to go from a hex to the next.
    pub fn spread(&mut self, map: &Map, start: Hex, budget: Mp, step: impl FnMut(Hex, Dir, Hex) -> Step) {
        self.spread_from(map, [start], budget, step);
    }

    /// Finds all that can be reached from any of several hexes.
    ///
    /// Starts that are not on the map do not count.
    pub fn spread_from(
        &mut self,
        map: &Map,
        starts: impl IntoIterator<Item = Hex>,
        budget: Mp,
        mut step: impl FnMut(Hex, Dir, Hex) -> Step,
    ) {
        let budget = u32::from(budget.in_twelfths());
        self.reset(map, budget);
        for start in starts {
            if map.contains(start) {
                self.go(start, Way::new(0, 0, start));
            }
        }
        let (mut cost, mut taken) = (0, 0);
        while taken < self.waiting.len() {
            while let Some(from) = self.take(cost) {
                taken += 1;
                self.leave(map, from, cost, budget, &mut step);
            }
            cost += 1;
        }
    }

    /// Goes on from a waiting hex to all sides, unless a better way was found while it waited.
    ///
    /// There is no test whether the next hex is done with already: a wrong guess costs more than asking its price.
    #[inline]
    fn leave(
        &mut self,
        map: &Map,
        Waiting { hex, steps, .. }: Waiting,
        cost: u32,
        budget: u32,
        step: &mut impl FnMut(Hex, Dir, Hex) -> Step,
    ) {
        let steps = u32::from(steps);
        if self.going[self.index(hex)].length() != Way::new(cost, steps, hex).length() {
            return;
        }
        let free = Way::new(cost, steps + 1, hex);
        let left = budget - cost;
        map.each_neighbour(hex, |dir, next| {
            let (price, stops) = match step(hex, dir, next) {
                Step::Closed => return,
                Step::Enter(price) => (price, false),
                Step::EnterAndStop(price) => (price, true),
            };
            let price = u32::from(price.in_twelfths());
            if price <= left {
                let way = free.dearer(price);
                if stops { self.stop(next, way) } else { self.go(next, way) }
            }
        });
    }

    /// Notes a way to a hex that ends there.
    fn stop(&mut self, hex: Hex, way: Way) {
        let index = self.index(hex);
        self.note(hex, index);
        self.stopped[index] = self.stopped[index].min(way);
    }

    /// Notes a way to a hex from which one may go on, and has the hex wait for its turn.
    #[inline(always)]
    fn go(&mut self, hex: Hex, way: Way) {
        let index = self.index(hex);
        let known = self.going[index];
        if way >= known {
            return;
        }
        self.note(hex, index);
        self.going[index] = way;
        if way.length() < known.length() {
            let list = &mut self.lists[way.cost() as usize];
            // A hex waits at most once for each way into it, so all of them can be numbered.
            let place = self.waiting.len() as u32;
            self.waiting.push(Waiting { hex, steps: way.steps() as u16, next: *list });
            *list = place;
        }
    }

    /// Lists a hex when it is reached for the first time.
    #[inline(always)]
    fn note(&mut self, hex: Hex, index: usize) {
        if self.going[index] == Way::NONE && self.stopped[index] == Way::NONE {
            self.reached.push(hex);
        }
    }

    /// Takes the next of the hexes that wait at this cost.
    #[inline]
    fn take(&mut self, cost: u32) -> Option<Waiting> {
        let list = &mut self.lists[cost as usize];
        if *list == END {
            return None;
        }
        let first = self.waiting[*list as usize];
        *list = first.next;
        Some(first)
    }

    /// Forgets the last answer. Every list is empty already: a spread ends when nothing waits any more.
    fn reset(&mut self, map: &Map, budget: u32) {
        for place in 0..self.reached.len() {
            let index = self.index(self.reached[place]);
            self.going[index] = Way::NONE;
            self.stopped[index] = Way::NONE;
        }
        self.reached.clear();
        self.waiting.clear();
        self.width = map.grid().width();
        self.going.resize(map.len(), Way::NONE);
        self.stopped.resize(map.len(), Way::NONE);
        let lists = budget as usize + 1;
        self.lists.resize(lists.max(self.lists.len()), END);
    }

    #[inline]
    fn index(&self, hex: Hex) -> usize {
        usize::from(hex.line()) * self.width + usize::from(hex.pos())
    }

    /// The better of the two ways to a hex.
    fn way(&self, hex: Hex) -> Option<Way> {
        let index = Some(self.index(hex)).filter(|_| usize::from(hex.pos()) < self.width)?;
        let way = *self.going.get(index)?.min(self.stopped.get(index)?);
        (way != Way::NONE).then_some(way)
    }

    /// What it costs to reach a hex; nothing when that is too much or there is no way.
    pub fn cost(&self, hex: Hex) -> Option<Mp> {
        self.way(hex).map(mp)
    }

    /// What it costs to reach a hex by a way that leads on from there.
    pub fn cost_to_go_on(&self, hex: Hex) -> Option<Mp> {
        self.way(hex)?;
        let way = self.going[self.index(hex)];
        (way != Way::NONE).then(|| mp(way))
    }

    /// The cheapest way to a hex, from the start to the hex itself.
    ///
    /// Of several the one with the fewest steps; of those the one whose last hexes come first in reading order.
    pub fn path(&self, hex: Hex) -> Option<Vec<Hex>> {
        let mut path = Vec::new();
        self.path_into(hex, &mut path).then_some(path)
    }

    /// The same, put into a list that is used again; false, and an empty list, when the hex was not reached.
    pub fn path_into(&self, hex: Hex, path: &mut Vec<Hex>) -> bool {
        path.clear();
        let Some(mut way) = self.way(hex) else { return false };
        path.push(hex);
        while way.steps() > 0 {
            path.push(way.from());
            way = self.going[self.index(way.from())];
        }
        path.reverse();
        true
    }

    /// All hexes reached and what they cost, the starts first, then as they were found.
    pub fn reached(&self) -> impl Iterator<Item = (Hex, Mp)> {
        self.reached.iter().filter_map(|&hex| Some((hex, self.cost(hex)?)))
    }
}

/// No way costs more than its budget, so this always fits.
fn mp(way: Way) -> Mp {
    Mp::twelfths(u16::try_from(way.cost()).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGEND: &[(&str, &str)] = &[(".", "1"), ("f", "2"), ("h", "1/2"), ("z", "zone"), ("x", "closed")];

    /// The price of a hex is its terrain; a zone costs 1 and stops.
    fn price(map: &Map, hex: Hex) -> Step {
        match map.terrain_name(map.terrain(hex)) {
            "closed" => Step::Closed,
            "zone" => Step::EnterAndStop(Mp::ONE),
            price => Step::Enter(price.parse().unwrap()),
        }
    }

    fn spread(map: &Map, start: &str, budget: u16) -> Field {
        let mut field = Field::new();
        field.spread(map, map.hex(start).unwrap(), Mp::whole(budget), |_, _, to| price(map, to));
        field
    }

    fn cost(field: &Field, map: &Map, label: &str) -> Option<String> {
        field.cost(map.hex(label).unwrap()).map(|mp| mp.to_string())
    }

    #[test]
    fn costs_add_up_and_the_budget_ends() {
        let map = Map::sketch("grid = '. h h f x . .'", LEGEND).unwrap();
        let field = spread(&map, "0101", 3);
        let costs: Vec<_> = field.reached().map(|(hex, cost)| (map.label(hex), cost.to_string())).collect();
        let expected = [("0101", "0"), ("0201", "1/2"), ("0301", "1"), ("0401", "3")];
        assert_eq!(costs, expected.map(|(hex, cost)| (hex.to_owned(), cost.to_owned())));
        assert_eq!(cost(&field, &map, "0601"), None);
        assert_eq!(spread(&map, "0101", 2).reached().count(), 3);
    }

    #[test]
    fn a_zone_is_cheap_to_enter_and_does_not_lead_on() {
        let map = Map::sketch("grid = '''\n. z .\nf f f\n'''", LEGEND).unwrap();
        let field = spread(&map, "0101", 9);
        assert_eq!(cost(&field, &map, "0201").as_deref(), Some("1"));
        assert_eq!(field.cost_to_go_on(map.hex("0201").unwrap()), None);
        assert_eq!(cost(&field, &map, "0301").as_deref(), Some("5"), "round the zone");
    }

    #[test]
    fn where_the_side_decides_a_dearer_way_may_lead_on() {
        // From the west the hex 0201 is entered across a river, cheaply, and holds; from the south it does not.
        let map =
            Map::sketch("grid = '''\n. . .\n f . .\n'''\n[side]\nriver = '0101/0201'\n", LEGEND).unwrap();
        let river = map.sides_with("river");
        let wall = map.hex("0202").unwrap();
        let mut field = Field::new();
        field.spread(&map, map.hex("0101").unwrap(), Mp::whole(9), |from, dir, to| match price(&map, to) {
            _ if to == wall => Step::Closed,
            Step::Enter(price) if river.has(from, dir) => Step::EnterAndStop(price),
            other => other,
        });
        let ford = map.hex("0201").unwrap();
        assert_eq!((field.cost(ford), field.cost_to_go_on(ford)), (Some(Mp::ONE), Some(Mp::whole(3))));
        let path = |label: &str| {
            let path = field.path(map.hex(label).unwrap()).unwrap();
            path.into_iter().map(|hex| map.label(hex)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(path("0201"), "0101 0201");
        assert_eq!(path("0301"), "0101 0102 0201 0301");
    }

    #[test]
    fn of_equal_ways_the_shortest_is_taken() {
        // By the first row 2 MP in two steps, by the second 2 MP in three.
        let map = Map::sketch("grid = '''\n. . .\n h h h\n'''", LEGEND).unwrap();
        let field = spread(&map, "0101", 9);
        assert_eq!(cost(&field, &map, "0301").as_deref(), Some("2"));
        let path = field.path(map.hex("0301").unwrap()).unwrap();
        assert_eq!(path, [Hex::new(0, 0), Hex::new(0, 1), Hex::new(0, 2)]);
    }

    #[test]
    fn used_again_it_forgets() {
        let (small, large) = (
            Map::sketch("grid = '. . .'", LEGEND).unwrap(),
            Map::sketch("grid = '''\n. . . .\n. . . .\n'''", LEGEND).unwrap(),
        );
        let mut field = Field::new();
        assert_eq!(field.cost(Hex::new(0, 0)), None);
        for map in [&large, &small, &large] {
            field.spread(map, Hex::new(0, 0), Mp::MAX, |_, _, to| price(map, to));
            assert_eq!(field.reached().count(), map.len());
            assert_eq!(field.cost(Hex::new(9, 9)), None);
        }
    }

    #[test]
    fn several_starts_share_the_map() {
        let map = Map::sketch("grid = '. . . . . .'", LEGEND).unwrap();
        let mut field = Field::new();
        let starts = [Hex::new(0, 0), Hex::new(0, 5), Hex::new(7, 7)];
        field.spread_from(&map, starts, Mp::ONE, |_, _, to| price(&map, to));
        let reached: Vec<_> = map.hexes().map(|hex| field.cost(hex).map(Mp::floor)).collect();
        assert_eq!(reached, [Some(0), Some(1), None, None, Some(1), Some(0)]);
    }
}
