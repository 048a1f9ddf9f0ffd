//! The fast against the slow and obvious, on random maps.
#![allow(clippy::unwrap_used)]

use board::{
    Dir, Field, Grid, Hex, HexSet, Map, Mp, Orientation, Shifted, Sides, Step, flood, flood_within, oracle,
};
use proptest::prelude::*;

/// Room for any map.
type AnySet = HexSet<200, 4>;

/// Numbers that look random and depend on nothing but the seed.
#[derive(Copy, Clone, Debug)]
struct Chance(u64);

impl Chance {
    /// A number below `limit` for each hex and each purpose.
    fn roll(self, hex: Hex, purpose: u64, limit: u64) -> u64 {
        let place = u64::from(hex.line()) << 8 | u64::from(hex.pos());
        let mut x = self.0 ^ (place << 16 | purpose).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for _ in 0..3 {
            x ^= x >> 29;
            x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        }
        (x >> 32) % limit
    }
}

/// A map with holes, walls and closed hexsides, all told by chance.
#[derive(Clone, Debug)]
struct Case {
    map: Map,
    chance: Chance,
    walls: u64,
    rivers: u64,
}

impl Case {
    fn open(&self, hex: Hex) -> bool {
        self.chance.roll(hex, 1, 100) >= self.walls
    }

    fn closed(&self, hex: Hex, dir: Dir) -> bool {
        self.chance.roll(hex, 10 + dir.index() as u64, 100) < self.rivers
    }

    fn seeds(&self) -> Vec<Hex> {
        let limit = 1 + self.map.len() as u64 / 3;
        self.map.hexes().filter(|&hex| self.chance.roll(hex, 2, limit) == 0).collect()
    }

    fn step(&self, from: Hex, dir: Dir, to: Hex) -> Step {
        // Zero, halves, thirds and wholes; a few sides and hexes stop.
        let price = Mp::twelfths([0, 6, 4, 12, 12, 24, 36][self.chance.roll(to, 3, 7) as usize]);
        match self.chance.roll(from, 20 + dir.index() as u64, 12) {
            0 => Step::Closed,
            1 | 2 => Step::EnterAndStop(price),
            3 => Step::Enter(price + Mp::ONE),
            _ if self.chance.roll(to, 4, 10) == 0 => Step::EnterAndStop(price),
            _ => Step::Enter(price),
        }
    }
}

fn grids(longest: usize) -> impl Strategy<Value = Grid> {
    let edges = [1, 2, 3, 63, 64, 65, 128, 129, 200].map(move |n: usize| n.min(longest));
    let length = || prop_oneof![1..=longest, proptest::sample::select(edges.to_vec())];
    (length(), length(), any::<bool>(), any::<bool>()).prop_map(|(lines, width, flat, odd)| {
        let orientation = if flat { Orientation::FlatTop } else { Orientation::PointsUp };
        Grid::new(lines, width, orientation, if odd { Shifted::Odd } else { Shifted::Even }).unwrap()
    })
}

fn cases(longest: usize) -> impl Strategy<Value = Case> {
    let shares = || proptest::sample::select(vec![0, 5, 20, 35, 60]);
    (grids(longest), any::<u64>(), shares(), shares(), 0..10u64).prop_map(
        |(grid, seed, walls, rivers, holes)| {
            let chance = Chance(seed);
            let letter = |hex| (chance.roll(hex, 0, 100) >= holes).then_some(".");
            Case { map: Map::drawn(grid, &[(".", "clear")], letter), chance, walls, rivers }
        },
    )
}

/// Two hexes of a grid.
fn pairs(longest: usize) -> impl Strategy<Value = (Grid, Hex, Hex)> {
    grids(longest).prop_flat_map(|grid| {
        let hex =
            || (0..grid.lines() as u8, 0..grid.width() as u8).prop_map(|(line, pos)| Hex::new(line, pos));
        (Just(grid), hex(), hex())
    })
}

fn as_set(map: &Map, reached: &[bool]) -> AnySet {
    map.hexes().filter(|&hex| reached[map.index(hex)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn floods(case in cases(200), steps in 0u32..40) {
        let map = &case.map;
        let sides = Sides::<200, 4>::new(map, |hex, dir| case.closed(hex, dir)).unwrap();
        let open: AnySet = map.hexes().filter(|&hex| case.open(hex)).collect();
        let seeds = case.seeds();
        let seed_set: AnySet = seeds.iter().copied().collect();
        let truth = |steps| {
            as_set(map, &oracle::flood(map, &seeds, |hex| case.open(hex), |hex, dir| case.closed(hex, dir), steps))
        };
        prop_assert_eq!(flood(&seed_set, &open, &sides), truth(u32::MAX));
        prop_assert_eq!(flood_within(&seed_set, &open, &sides, steps), truth(steps));
    }

    #[test]
    fn small_sets_flood_like_large_ones(case in cases(64)) {
        let map = &case.map;
        let sides = Sides::<64, 1>::new(map, |hex, dir| case.closed(hex, dir)).unwrap();
        let open: HexSet = map.hexes().filter(|&hex| case.open(hex)).collect();
        let seeds = case.seeds();
        let filled = flood(&seeds.iter().copied().collect(), &open, &sides);
        let truth =
            oracle::flood(map, &seeds, |hex| case.open(hex), |hex, dir| case.closed(hex, dir), u32::MAX);
        prop_assert_eq!(filled.iter().collect::<AnySet>(), as_set(map, &truth));

        let mut table = oracle::TableFlood::new(map, |hex, dir| case.closed(hex, dir));
        let places: Vec<usize> = seeds.iter().map(|&hex| map.index(hex)).collect();
        let open: Vec<bool> = map.grid().hexes().map(|hex| map.contains(hex) && case.open(hex)).collect();
        prop_assert_eq!(table.flood(&places, &open), &truth[..]);
    }

    #[test]
    fn growth(case in cases(200)) {
        let map = &case.map;
        let sides = Sides::<200, 4>::new(map, |hex, dir| case.closed(hex, dir)).unwrap();
        let set: AnySet = map.hexes().filter(|&hex| !case.open(hex)).collect();
        let seeds: Vec<Hex> = set.iter().collect();
        let truth = oracle::flood(map, &seeds, |_| true, |hex, dir| case.closed(hex, dir), 1);
        prop_assert_eq!(sides.grow(&set), as_set(map, &truth));
    }

    #[test]
    fn fields(case in cases(70), budgets in proptest::collection::vec(0u16..400, 1..4)) {
        let map = &case.map;
        let starts: Vec<Hex> = case.seeds().into_iter().take(2).collect();
        let mut field = Field::new();
        for budget in budgets.into_iter().map(Mp::twelfths) {
            field.spread_from(map, starts.iter().copied(), budget, |a, dir, b| case.step(a, dir, b));
            let truth = oracle::field(map, &starts, budget, |a, dir, b| case.step(a, dir, b));
            let reached: AnySet = field.reached().map(|(hex, _)| hex).collect();
            prop_assert_eq!(reached.len(), field.reached().count(), "each hex once");
            for hex in map.grid().hexes() {
                let (cost, path) = (field.cost(hex), field.path(hex));
                prop_assert_eq!(&cost.zip(path), &truth[map.index(hex)]);
                prop_assert_eq!(reached.contains(hex), cost.is_some());
                prop_assert!(field.cost_to_go_on(hex).is_none_or(|going| Some(going) >= cost));
            }
        }
    }

    #[test]
    fn distances_rings_and_ranges((grid, a, b) in pairs(200), radius in 0u32..30) {
        let truth = oracle::distances(grid, a);
        prop_assert_eq!(grid.distance(a, b), truth[grid.index(b)]);
        prop_assert_eq!(grid.distance(b, a), truth[grid.index(b)]);
        prop_assert_eq!(grid.adjacent(a, b), truth[grid.index(b)] == 1);
        let within = |holds: &dyn Fn(u32) -> bool| {
            grid.hexes().filter(|&hex| holds(truth[grid.index(hex)])).collect::<Vec<_>>()
        };
        prop_assert_eq!(grid.ring(a, radius).collect::<Vec<_>>(), within(&|d| d == radius));
        prop_assert_eq!(grid.range(a, radius).collect::<Vec<_>>(), within(&|d| d <= radius));
        for dir in grid.toward(b, a) {
            prop_assert!(truth[grid.index(grid.neighbour(b, dir).unwrap())] < truth[grid.index(b)]);
        }
        prop_assert_eq!(grid.toward(b, a).is_empty(), a == b);
    }

    #[test]
    fn lines((grid, a, b) in pairs(200)) {
        let line = grid.line_between(a, b);
        prop_assert_eq!(&line, &oracle::line_between(grid, a, b));
        prop_assert_eq!(line.len() as u32, grid.distance(a, b) + 1);
        prop_assert!(line.windows(2).all(|pair| grid.adjacent(pair[0], pair[1])));
        prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
        let mut back = grid.line_between(b, a);
        back.reverse();
        prop_assert_eq!(&line, &back);
        prop_assert!(grid.lines_between(a, b).contains(&line));
        if grid.in_straight_row(a, b) && a != b {
            let dir = grid.dir_between(a, line[1]);
            prop_assert!(line.windows(2).all(|pair| grid.dir_between(pair[0], pair[1]) == dir));
        }
    }

    #[test]
    fn corners_and_points((grid, hex, _) in pairs(200)) {
        for dir in Dir::ALL {
            let side = grid.hexside(hex, dir);
            for corner in grid.side_corners(side) {
                prop_assert!(grid.corners(hex).contains(&corner));
                prop_assert!(grid.corner_sides(corner).contains(&side));
                for other in grid.corner_hexes(corner) {
                    prop_assert!(grid.distance(hex, other) <= 1);
                    prop_assert!(grid.corners(other).contains(&corner));
                }
            }
        }
        let (x, y) = grid.centre(hex);
        prop_assert_eq!(grid.hex_at(x + 0.2, y - 0.3), Some(hex));
    }
}
