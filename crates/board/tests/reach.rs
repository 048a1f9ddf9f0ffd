//! What tables and tolls lead to against what asking about each step leads to, on random maps.
#![allow(clippy::unwrap_used)]

use board::{
    Dir, Effect, Field, Grid, Hex, HexSet, Map, Mp, Orientation, Reach, Shifted, Sides, Step, Tariff, Tolls,
    Where, oracle,
};
use proptest::prelude::*;

/// Numbers that look random and depend on nothing but the seed.
#[derive(Copy, Clone, Debug)]
struct Chance(u64);

impl Chance {
    /// A number below `limit` for each place and each purpose.
    fn roll(self, place: u64, purpose: u64, limit: u64) -> u64 {
        let mut x = self.0 ^ (place << 20 | purpose).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for _ in 0..3 {
            x ^= x >> 29;
            x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        }
        (x >> 32) % limit
    }

    fn at(self, hex: Hex, purpose: u64, limit: u64) -> u64 {
        self.roll(u64::from(hex.line()) << 8 | u64::from(hex.pos()), purpose, limit)
    }
}

/// What is laid on the prices of the ground, owned.
struct Term<const LINES: usize, const WORDS: usize> {
    leaving: Option<HexSet<LINES, WORDS>>,
    crossing: Option<Sides<LINES, WORDS>>,
    entering: Option<HexSet<LINES, WORDS>>,
    ways: u8,
    effect: Effect,
}

impl<const LINES: usize, const WORDS: usize> Term<LINES, WORDS> {
    /// Each kind of condition, effect and choice of ways comes up.
    fn random(map: &Map, chance: Chance, number: u64) -> Self {
        let roll = |purpose: u64, limit: u64| chance.roll(number, purpose, limit);
        let set = |purpose: u64| {
            let share = 2 + roll(purpose, 12);
            map.hexes().filter(|hex| chance.at(*hex, 1000 + 16 * number + purpose, share) == 0).collect()
        };
        let sides = |hex: Hex, dir: Dir| chance.at(hex, 5000 + 16 * number + dir.index() as u64, 3) != 0;
        // One condition at a time as often as several.
        let kinds = [1, 1, 2, 4, 4, 4, 3, 5, 6, 7, 0][roll(0, 11) as usize];
        let effect = match roll(1, 6) {
            0 | 1 => Effect::Close,
            2 => Effect::Stop,
            _ => Effect::Price(Mp::twelfths([0, 4, 6, 12, 12, 24][roll(2, 6) as usize])),
        };
        // Where everything is closed nothing is tested, and a step that some ways end and others do not is not one
        // that can be asked about.
        let effect = if kinds == 0 && effect == Effect::Close { Effect::Price(Mp::ONE) } else { effect };
        let ways = if effect == Effect::Stop || roll(3, 2) == 0 { 0xFF } else { 1 + roll(4, 7) as u8 };
        Term {
            leaving: (kinds & 1 != 0).then(|| set(5)),
            crossing: (kinds & 2 != 0).then(|| Sides::new(map, sides).unwrap()),
            entering: (kinds & 4 != 0).then(|| set(6)),
            ways,
            effect,
        }
    }

    fn place(&self) -> Where<'_, LINES, WORDS> {
        Where {
            leaving: self.leaving.as_ref(),
            crossing: self.crossing.as_ref(),
            entering: self.entering.as_ref(),
        }
    }

    fn holds(&self, from: Hex, dir: Dir, to: Hex) -> bool {
        let closed = |sides: &Sides<LINES, WORDS>| {
            // A set of sides says what can be entered, which is the long way to ask for one side.
            !sides.grow(&[from].into_iter().collect()).contains(to)
        };
        let _ = dir;
        self.leaving.is_none_or(|set| set.contains(from))
            && self.entering.is_none_or(|set| set.contains(to))
            && !self.crossing.as_ref().is_some_and(closed)
    }
}

#[derive(Clone, Debug)]
struct Case {
    map: Map,
    chance: Chance,
    ways: usize,
    terms: u64,
}

impl Case {
    /// What the ground costs by a way; across country everything has a price, other ways are rare.
    fn ground(&self, way: usize, from: Hex, dir: Dir, to: Hex) -> Option<Mp> {
        let side = self.chance.at(from, 100 + 8 * way as u64 + dir.index() as u64, 12);
        let prices = [0, 6, 4, 12, 12, 24, 36];
        let price = Mp::twelfths(prices[self.chance.at(to, 3, prices.len() as u64) as usize]);
        match (way, side) {
            (_, 0) => None,
            (0, 1 | 2) => Some(price + Mp::ONE),
            (0, _) => Some(price),
            (_, 1..=3) => Some(Mp::twelfths(4 * way as u16)),
            _ => None,
        }
    }

    /// The step as it would be told hex by hex.
    fn step<const L: usize, const W: usize>(
        &self,
        terms: &[Term<L, W>],
        from: Hex,
        dir: Dir,
        to: Hex,
    ) -> Step {
        let mut best = None;
        let mut stops = false;
        for way in 0..self.ways {
            let Some(mut price) = self.ground(way, from, dir, to) else { continue };
            let mut closed = false;
            for term in terms.iter().filter(|term| term.ways >> way & 1 == 1 && term.holds(from, dir, to)) {
                match term.effect {
                    Effect::Close => closed = true,
                    Effect::Price(more) => price += more,
                    Effect::Stop => stops = true,
                }
            }
            if !closed {
                best = Some(best.map_or(price, |best: Mp| best.min(price)));
            }
        }
        match best {
            None => Step::Closed,
            Some(price) if stops => Step::EnterAndStop(price),
            Some(price) => Step::Enter(price),
        }
    }

    fn starts(&self) -> Vec<Hex> {
        let limit = 1 + self.map.len() as u64 / 3;
        let mut starts: Vec<Hex> =
            self.map.hexes().filter(|&hex| self.chance.at(hex, 2, limit) == 0).take(3).collect();
        starts.extend(starts.first().copied());
        starts.push(Hex::new(250, 250));
        starts
    }

    fn agrees<const L: usize, const W: usize>(&self, budgets: &[u16]) -> Result<(), TestCaseError> {
        let map = &self.map;
        let tariffs: Vec<Tariff<L, W>> = (0..self.ways)
            .map(|way| Tariff::new(map, |from, dir, to| self.ground(way, from, dir, to)).unwrap())
            .collect();
        let terms: Vec<Term<L, W>> =
            (0..self.terms).map(|number| Term::random(map, self.chance, number)).collect();
        let mut tolls = Tolls::new(&tariffs);
        for term in &terms {
            tolls.lay(term.place(), term.ways, term.effect);
        }
        let starts = self.starts();
        let (mut reach, mut field) = (Reach::<L, W>::new(), Field::new());
        for budget in budgets.iter().copied().map(Mp::twelfths) {
            let step = |from, dir, to| self.step(&terms, from, dir, to);
            reach.spread(&tolls, &starts, budget);
            field.spread_from(map, starts.iter().copied(), budget, step);
            let truth = oracle::field(map, &starts, budget, step);
            let set: HexSet<L, W> = field.reached().map(|(hex, _)| hex).collect();
            prop_assert_eq!(*reach.hexes(), set);
            for hex in map.hexes() {
                let label = map.label(hex);
                let (cost, path) = truth[map.index(hex)].clone().unzip();
                prop_assert_eq!((reach.cost(hex), &label), (cost, &label));
                prop_assert_eq!((reach.path(hex), &label), (path.clone(), &label));
                prop_assert_eq!((reach.path(hex), &label), (field.path(hex), &label));
                prop_assert_eq!((reach.cost_to_go_on(hex), &label), (field.cost_to_go_on(hex), &label));
            }
            for goal in map.hexes().filter(|hex| self.chance.at(*hex, 4, 20) == 0) {
                reach.spread_to(&tolls, &starts, budget, goal);
                prop_assert_eq!(reach.path(goal), field.path(goal));
                prop_assert_eq!(reach.cost(goal), field.cost(goal));
            }
        }
        Ok(())
    }
}

impl Case {
    /// A reach that is asked again and again, with one small thing changed or nothing, against one that is new each time.
    fn remembers_only_the_same(&self, budget: u16) -> Result<(), TestCaseError> {
        let map = &self.map;
        let tariffs: Vec<Tariff<64, 1>> = (0..self.ways)
            .map(|way| Tariff::new(map, |from, dir, to| self.ground(way, from, dir, to)).unwrap())
            .collect();
        let mut terms: Vec<Term<64, 1>> =
            (0..self.terms).map(|number| Term::random(map, self.chance, number)).collect();
        let (mut starts, mut budget) = (self.starts(), budget);
        let hexes: Vec<Hex> = map.hexes().collect();
        let mut kept = Reach::<64, 1>::new();
        for time in 0..24 {
            let roll = |purpose: u64, limit: usize| self.chance.roll(time, purpose, limit as u64) as usize;
            let hex = hexes.get(roll(20, hexes.len().max(1))).copied().unwrap_or(Hex::new(0, 0));
            match (roll(21, 8), terms.is_empty()) {
                (0, _) => budget = budget.wrapping_add(1) % 300,
                (1, _) => starts[0] = hex,
                (2, false) => drop(terms.pop()),
                (3, false) => terms[0].ways ^= 1,
                (4, false) => terms[0].effect = Effect::Price(Mp::twelfths(roll(22, 3) as u16)),
                (5, false) => {
                    if let Some(set) = &mut terms[0].entering {
                        if set.contains(hex) {
                            set.remove(hex)
                        } else {
                            set.insert(hex)
                        };
                    }
                }
                (6, false) => terms[0].leaving = terms[0].entering,
                _ => {}
            }
            let mut tolls = Tolls::new(&tariffs[..1 + roll(23, tariffs.len())]);
            for term in &terms {
                tolls.lay(term.place(), term.ways, term.effect);
            }
            let mut fresh = Reach::<64, 1>::new();
            kept.spread(&tolls, &starts, Mp::twelfths(budget));
            fresh.spread(&tolls, &starts, Mp::twelfths(budget));
            prop_assert_eq!(*kept.hexes(), *fresh.hexes());
            for hex in map.hexes() {
                prop_assert_eq!((kept.cost(hex), kept.path(hex)), (fresh.cost(hex), fresh.path(hex)));
            }
        }
        Ok(())
    }
}

fn cases(longest: usize) -> impl Strategy<Value = Case> {
    let lengths = [1, 2, 3, 63, 64, 65, 128, 129].map(move |n: usize| n.min(longest));
    let length = || prop_oneof![1..=longest.min(30), proptest::sample::select(lengths.to_vec())];
    let grids = (length(), length(), any::<bool>(), any::<bool>()).prop_map(|(lines, width, flat, odd)| {
        let orientation = if flat { Orientation::FlatTop } else { Orientation::PointsUp };
        Grid::new(lines, width, orientation, if odd { Shifted::Odd } else { Shifted::Even }).unwrap()
    });
    (grids, any::<u64>(), 1..4usize, 0..9u64, 0..10u64).prop_map(|(grid, seed, ways, terms, holes)| {
        let chance = Chance(seed);
        let letter = |hex| (chance.at(hex, 0, 100) >= holes).then_some(".");
        Case { map: Map::drawn(grid, &[(".", "clear")], letter), chance, ways, terms }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn tolls_lead_where_steps_do(case in cases(64), budgets in proptest::collection::vec(0u16..300, 1..4)) {
        case.agrees::<64, 1>(&budgets)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn an_answer_is_kept_for_the_same_question_only(case in cases(20), budget in 0u16..300) {
        case.remembers_only_the_same(budget)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn on_large_maps_too(case in cases(130), budget in 0u16..200) {
        case.agrees::<130, 3>(&[budget, u16::MAX])?;
    }
}

#[test]
fn sides_know_what_lies_between() {
    let map = Map::sketch(
        "grid = '''\n. . .\n . . .\n. . .\n'''\n[side]\nriver = '0101/0201 0101/0102 0202/0302 0202/0303'\n[link]\nroad = '0101-0102-0103'\n",
        &[(".", "clear")],
    )
    .unwrap();
    let river = Sides::<64, 1>::of(&map, &[map.sides_with("river")]).unwrap();
    let road = Sides::<64, 1>::crossed(&map, &[map.links_with("road")]).unwrap();
    for hex in map.hexes() {
        for (dir, next) in map.neighbours(hex) {
            assert_eq!(river.between(hex, next), map.sides_with("river").has(hex, dir));
            assert_eq!(road.between(hex, next), map.links_with("road").has(hex, dir));
        }
        assert_eq!(river.touched().contains(hex), map.sides_with("river").dirs(hex).next().is_some());
    }
}
