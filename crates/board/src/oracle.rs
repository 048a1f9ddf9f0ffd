//! Slow and obvious versions of what this crate does fast: the truth for tests, and a yardstick for speed.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::{Dir, Grid, Hex, Map, Mp, Step};

/// The distance of every hex of a grid from one of them, found by going there.
pub fn distances(grid: Grid, from: Hex) -> Vec<u32> {
    let mut distances = vec![u32::MAX; grid.len()];
    distances[grid.index(from)] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(hex) = queue.pop_front() {
        for next in grid.neighbours(hex) {
            if distances[grid.index(next)] == u32::MAX {
                distances[grid.index(next)] = distances[grid.index(hex)] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

/// The hexes of a straight line, found by asking which hex each point lies in.
pub fn line_between(grid: Grid, a: Hex, b: Hex) -> Vec<Hex> {
    let steps = f64::from(grid.distance(a, b));
    let ((ax, ay), (bx, by)) = (grid.centre(a), grid.centre(b));
    // A little toward lower positions, and less than that toward lower lines.
    let (near, less) = (5e-6, 1.7e-6);
    let (dx, dy) = match grid.orientation() {
        crate::Orientation::PointsUp => (near, less),
        crate::Orientation::FlatTop => (less, near),
    };
    let at = |step: u32, sign: f64| {
        let part = f64::from(step) / steps.max(1.0);
        grid.hex_at(ax + (bx - ax) * part - sign * dx, ay + (by - ay) * part - sign * dy)
    };
    (0..=grid.distance(a, b)).filter_map(|step| at(step, 1.0).or_else(|| at(step, -1.0))).collect()
}

/// Which hexes, by [`Map::index`], can be reached from the seeds within so many steps: a search with a queue.
pub fn flood(
    map: &Map,
    seeds: &[Hex],
    open: impl Fn(Hex) -> bool,
    closed: impl Fn(Hex, Dir) -> bool,
    steps: u32,
) -> Vec<bool> {
    let mut reached = vec![false; map.len()];
    let mut queue = VecDeque::new();
    for &seed in seeds.iter().filter(|&&seed| map.contains(seed) && open(seed)) {
        reached[map.index(seed)] = true;
        queue.push_back((seed, 0));
    }
    while let Some((hex, taken)) = queue.pop_front() {
        for (dir, next) in map.neighbours(hex) {
            let barred = closed(hex, dir) || closed(next, dir.opposite()) || !open(next);
            if taken < steps && !barred && !reached[map.index(next)] {
                reached[map.index(next)] = true;
                queue.push_back((next, taken + 1));
            }
        }
    }
    reached
}

/// A flood over plain tables of numbers: no bits, but no waste either. What bit rows are measured against.
#[derive(Clone, Debug)]
pub struct TableFlood {
    neighbours: Vec<[u16; 6]>,
    reached: Vec<bool>,
    queue: Vec<u16>,
}

impl TableFlood {
    /// The missing neighbour.
    const NONE: u16 = u16::MAX;

    /// Tables of the open sides of a map.
    pub fn new(map: &Map, closed: impl Fn(Hex, Dir) -> bool) -> Self {
        let way = |hex: Hex, dir: Dir| {
            let next = map.neighbour(hex, dir).filter(|_| map.contains(hex))?;
            let barred = closed(hex, dir) || closed(next, dir.opposite());
            u16::try_from(map.index(next)).ok().filter(|_| !barred)
        };
        let ways = |hex| Dir::ALL.map(|dir| way(hex, dir).unwrap_or(Self::NONE));
        let neighbours = map.grid().hexes().map(ways).collect();
        TableFlood { neighbours, reached: vec![false; map.len()], queue: Vec::with_capacity(map.len()) }
    }

    /// Which hexes, by [`Map::index`], can be reached from the seeds through open hexes.
    pub fn flood(&mut self, seeds: &[usize], open: &[bool]) -> &[bool] {
        self.reached.fill(false);
        self.queue.clear();
        for &seed in seeds.iter().filter(|&&seed| open[seed]) {
            self.reached[seed] = true;
            self.queue.push(seed as u16);
        }
        let mut head = 0;
        while let Some(&hex) = self.queue.get(head) {
            head += 1;
            for next in self.neighbours[usize::from(hex)] {
                let place = usize::from(next);
                if next != Self::NONE && open[place] && !self.reached[place] {
                    self.reached[place] = true;
                    self.queue.push(next);
                }
            }
        }
        &self.reached
    }
}

/// For each hex, by [`Map::index`], what it costs to reach and by which way: Dijkstra's search with a heap.
///
/// Each hex counts twice, as one to go on from and as one to stop in. Of equally cheap ways the one with the fewest
/// steps is taken, and of those the one that comes from the first hex in reading order.
pub fn field(
    map: &Map,
    starts: &[Hex],
    budget: Mp,
    mut step: impl FnMut(Hex, Dir, Hex) -> Step,
) -> Vec<Option<(Mp, Vec<Hex>)>> {
    let mut settled = [vec![None; map.len()], vec![None; map.len()]];
    let mut heap = BinaryHeap::new();
    for &start in starts.iter().filter(|&&start| map.contains(start)) {
        heap.push(Reverse((Mp::ZERO, 0, start, start, false)));
    }
    while let Some(Reverse((cost, steps, from, hex, stops))) = heap.pop() {
        let place = &mut settled[usize::from(stops)][map.index(hex)];
        if place.is_some() {
            continue;
        }
        *place = Some((cost, steps, from));
        if stops {
            continue;
        }
        for (dir, next) in map.neighbours(hex) {
            let (price, stops) = match step(hex, dir, next) {
                Step::Closed => continue,
                Step::Enter(price) => (price, false),
                Step::EnterAndStop(price) => (price, true),
            };
            if let Some(total) = cost.checked_add(price).filter(|&total| total <= budget) {
                heap.push(Reverse((total, steps + 1, hex, next, stops)));
            }
        }
    }
    map.grid().hexes().map(|hex| way_to(map, &settled, hex)).collect()
}

/// Cost, steps and the hex before.
type Settled = Option<(Mp, u32, Hex)>;

fn way_to(map: &Map, [going, stopped]: &[Vec<Settled>; 2], hex: Hex) -> Option<(Mp, Vec<Hex>)> {
    let index = map.index(hex);
    let (cost, mut steps, mut from) = going[index].into_iter().chain(stopped[index]).min()?;
    let mut path = vec![hex];
    while steps > 0 {
        path.push(from);
        (_, steps, from) = going[map.index(from)]?;
    }
    path.reverse();
    Some((cost, path))
}
