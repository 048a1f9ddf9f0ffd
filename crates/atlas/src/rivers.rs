//! Rivers snapped to chains of hexsides.
//!
//! A river is the cheapest path over the corners of the grid, a hexside costing more the further it lies from the
//! river bed. Such a path has no gap and never doubles back, and since a corner that another river uses is closed,
//! two rivers meet only where one flows into the other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use board::{Corner, Grid, Hexside};
use geo::{Coord, Distance, Euclidean, Line, LineString, Point};

use crate::classify::side_line;

/// A river bed in the plane of the map.
pub(crate) struct Bed {
    pub(crate) lines: Vec<LineString>,
}

impl Bed {
    /// How far a point lies from the bed.
    pub(crate) fn distance(&self, at: Coord) -> f64 {
        let point = Point::from(at);
        self.lines.iter().map(|line| Euclidean.distance(&point, line)).fold(f64::MAX, f64::min)
    }

    /// What it costs to let the river run along a line: its mean square distance from the bed, and a little for
    /// the length, so that of two ways equally far the shorter is taken.
    fn cost(&self, along: Line) -> f64 {
        const SAMPLES: u32 = 6;
        const LENGTH: f64 = 0.02;
        let square = |i: u32| {
            let part = (f64::from(i) + 0.5) / f64::from(SAMPLES);
            self.distance(along.start + along.delta() * part).powi(2)
        };
        LENGTH + (0..SAMPLES).map(square).sum::<f64>() / f64::from(SAMPLES)
    }
}

/// Where a path may begin or end, and what it costs to do it there.
pub(crate) type Ends = BTreeMap<Corner, f64>;

/// The corners that pass a test, each costing as much as it is far from `point`.
pub(crate) fn ends(grid: Grid, point: Coord, allowed: impl Fn(Corner) -> bool) -> Ends {
    let corners: BTreeSet<Corner> = grid.hexes().flat_map(|hex| grid.corners(hex)).collect();
    let far = |corner: Corner| {
        let off = Coord::from(grid.corner_point(corner)) - point;
        off.x.powi(2) + off.y.powi(2)
    };
    corners.into_iter().filter(|&c| allowed(c)).map(|c| (c, 2.0 * far(c))).collect()
}

/// The cheapest chain of hexsides from one of `starts` to one of `goals` over the hexsides that are `open`.
pub(crate) fn snap(
    grid: Grid,
    bed: &Bed,
    starts: &Ends,
    goals: &Ends,
    open: impl Fn(Hexside) -> bool,
    closed: &BTreeSet<Corner>,
) -> Option<Vec<Hexside>> {
    let mut best: BTreeMap<Corner, (f64, Option<Hexside>)> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    for (&corner, &cost) in starts {
        best.insert(corner, (cost, None));
        queue.push(Reverse((Cost(cost), Step::At(corner))));
    }
    while let Some(Reverse((Cost(cost), step))) = queue.pop() {
        let corner = match step {
            Step::Done(corner) => return Some(trace(grid, &best, corner)),
            Step::At(corner) => corner,
        };
        if best.get(&corner).is_some_and(|&(known, _)| known < cost) {
            continue;
        }
        if let Some(end) = goals.get(&corner) {
            queue.push(Reverse((Cost(cost + end), Step::Done(corner))));
        }
        if closed.contains(&corner) {
            continue;
        }
        for side in grid.corner_sides(corner).into_iter().filter(|&side| open(side)) {
            let next = other_end(grid, side, corner);
            let cost = cost + bed.cost(side_line(grid, side));
            if best.get(&next).is_none_or(|&(known, _)| cost < known) {
                best.insert(next, (cost, Some(side)));
                queue.push(Reverse((Cost(cost), Step::At(next))));
            }
        }
    }
    None
}

/// A point reached, or the end of the path there: ending costs something too, so it waits in the same queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Done(Corner),
    At(Corner),
}

/// Costs in an order that never fails.
#[derive(Clone, Copy, Debug)]
struct Cost(f64);

impl PartialEq for Cost {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn other_end(grid: Grid, side: Hexside, corner: Corner) -> Corner {
    let [a, b] = grid.side_corners(side);
    if a == corner { b } else { a }
}

/// The sides by which a corner was reached, from the start.
fn trace(grid: Grid, best: &BTreeMap<Corner, (f64, Option<Hexside>)>, end: Corner) -> Vec<Hexside> {
    let mut chain = Vec::new();
    let mut corner = end;
    while let Some((_, Some(side))) = best.get(&corner) {
        chain.push(*side);
        corner = other_end(grid, *side, corner);
    }
    chain.reverse();
    chain
}

/// The corners along a chain of hexsides.
pub(crate) fn corners(grid: Grid, chain: &[Hexside]) -> BTreeSet<Corner> {
    chain.iter().flat_map(|&side| grid.side_corners(side)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{Orientation, Shifted};

    fn grid() -> Grid {
        Grid::new(6, 8, Orientation::PointsUp, Shifted::Even).unwrap()
    }

    fn inside(side: Hexside) -> bool {
        grid().side_hexes(side).1.is_some()
    }

    fn bed(points: &[(f64, f64)]) -> Bed {
        Bed { lines: vec![LineString::from(points.to_vec())] }
    }

    fn run(bed: &Bed, from: (f64, f64), to: (f64, f64), closed: &BTreeSet<Corner>) -> Vec<Hexside> {
        let starts = ends(grid(), from.into(), |_| true);
        let goals = ends(grid(), to.into(), |_| true);
        snap(grid(), bed, &starts, &goals, inside, closed).unwrap()
    }

    fn is_chain(chain: &[Hexside]) -> bool {
        chain.windows(2).all(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|side| grid().side_corners(side));
            a.iter().any(|corner| b.contains(corner))
        }) && corners(grid(), chain).len() == chain.len() + 1
    }

    #[test]
    fn a_river_is_a_chain_that_keeps_to_its_bed() {
        let bed = bed(&[(0.0, 0.5), (3.0, 1.5), (3.5, 3.0), (7.0, 3.2)]);
        let chain = run(&bed, (0.0, 0.5), (7.0, 3.2), &BTreeSet::new());
        assert!(is_chain(&chain));
        assert!(chain.len() > 12);
        for corner in corners(grid(), &chain) {
            let at = grid().corner_point(corner);
            assert!(bed.distance(at.into()) < 0.7, "{at:?}");
        }
    }

    #[test]
    fn a_tributary_stops_at_the_first_corner_of_the_main_stream() {
        let main = run(&bed(&[(0.0, 2.2), (7.0, 2.2)]), (0.0, 2.2), (7.0, 2.2), &BTreeSet::new());
        let taken = corners(grid(), &main);
        let side_bed = bed(&[(3.0, 0.0), (3.2, 2.2)]);
        let starts = ends(grid(), (3.0, 0.0).into(), |_| true);
        let goals = ends(grid(), (3.2, 2.2).into(), |corner| taken.contains(&corner));
        let side = snap(grid(), &side_bed, &starts, &goals, inside, &taken).unwrap();
        assert!(is_chain(&side));
        assert_eq!(corners(grid(), &side).intersection(&taken).count(), 1);
    }

    #[test]
    fn no_way_is_no_river() {
        let ends = ends(grid(), (3.0, 1.0).into(), |_| true);
        assert_eq!(
            snap(grid(), &bed(&[(0.0, 0.0), (1.0, 0.0)]), &ends, &Ends::new(), inside, &BTreeSet::new()),
            None
        );
    }
}
