//! Straight lines over the hexes.

use crate::{Grid, Hex};

/// A point of the plane by three coordinates whose sum is 0, as whole numbers of some fraction of a hex.
#[derive(Copy, Clone)]
struct Cube([i64; 3]);

/// How much finer than the points on a line the nudge is that decides where it runs along a hexside.
const NUDGE: i64 = 16;

impl Grid {
    /// The hexes that a straight line between two centres passes, one for each step, with both ends.
    ///
    /// Where the line runs along a hexside, the hex toward lower positions (to the west, or to the north on flat
    /// tops) is taken, so the way back passes the same hexes; [`Grid::lines_between`] gives both choices.
    pub fn line_between(self, a: Hex, b: Hex) -> Vec<Hex> {
        self.nudged_line(a, b, -1)
    }

    /// The line between two centres with its doubts resolved one way, and the other way: equal when there are none.
    pub fn lines_between(self, a: Hex, b: Hex) -> [Vec<Hex>; 2] {
        [self.nudged_line(a, b, -1), self.nudged_line(a, b, 1)]
    }

    /// True when both lie in one straight row of hexes, which is also true of a hex and itself.
    pub fn in_straight_row(self, a: Hex, b: Hex) -> bool {
        let (a, b) = (self.cube(a).0, self.cube(b).0);
        a.iter().zip(b).any(|(a, b)| *a == b)
    }

    fn nudged_line(self, a: Hex, b: Hex, side: i64) -> Vec<Hex> {
        let steps = i64::from(self.distance(a, b));
        let point = |step, side| self.nearest(self.nudged_point(a, b, step, side), NUDGE * steps.max(1));
        // At the edge of the grid the hex on one side of the line may be missing; then there is no choice.
        (0..=steps).filter_map(|step| point(step, side).or_else(|| point(step, -side))).collect()
    }

    /// The point after so many steps, pushed a little off any hexside that it may lie on.
    fn nudged_point(self, a: Hex, b: Hex, step: i64, side: i64) -> Cube {
        let (from, to) = (self.cube(a).0, self.cube(b).0);
        let steps = i64::from(self.distance(a, b)).max(1);
        let nudge = [2, 1, -3];
        Cube([0, 1, 2].map(|i| NUDGE * (from[i] * (steps - step) + to[i] * step) + side * nudge[i]))
    }

    fn cube(self, hex: Hex) -> Cube {
        let line = i64::from(hex.line());
        let q = (i64::from(self.along(hex)) - line - i64::from(self.half(0))).div_euclid(2);
        Cube([q, line, -q - line])
    }

    /// The hex that a point lies in, its coordinates being whole numbers of `1 / scale`.
    fn nearest(self, point: Cube, scale: i64) -> Option<Hex> {
        let rounded = point.0.map(|x| (2 * x + scale).div_euclid(2 * scale));
        let error = [0, 1, 2].map(|i| (rounded[i] * scale - point.0[i]).abs());
        // The coordinate that was rounded the furthest follows from the other two.
        let [q, line, s] = rounded;
        let (q, line) = if error[0] > error[1] && error[0] > error[2] {
            (-line - s, line)
        } else if error[1] > error[2] {
            (q, -q - s)
        } else {
            (q, line)
        };
        let line = i32::try_from(line).ok()?;
        let along = 2 * i32::try_from(q).ok()? + line + self.half(0);
        self.hex(line, (along - self.half(line)).div_euclid(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Orientation, Shifted};

    fn grid() -> Grid {
        Grid::new(7, 7, Orientation::PointsUp, Shifted::Even).unwrap()
    }

    #[test]
    fn along_a_row() {
        let line = grid().line_between(Hex::new(3, 1), Hex::new(3, 4));
        assert_eq!(line, [1, 2, 3, 4].map(|pos| Hex::new(3, pos)));
    }

    #[test]
    fn along_hexsides_the_west_is_taken_and_the_east_is_the_other_choice() {
        let (a, b) = (Hex::new(2, 3), Hex::new(4, 3));
        let [west, east] = grid().lines_between(a, b);
        assert_eq!(west, [a, Hex::new(3, 2), b]);
        assert_eq!(east, [a, Hex::new(3, 3), b]);
        let mut back = grid().line_between(b, a);
        back.reverse();
        assert_eq!(back, west);
    }

    #[test]
    fn at_the_edge_there_is_no_choice() {
        let (a, b) = (Hex::new(2, 0), Hex::new(4, 0));
        assert_eq!(grid().line_between(a, b), [a, Hex::new(3, 0), b]);
    }

    #[test]
    fn three_axes_are_straight() {
        let grid = grid();
        let a = Hex::new(2, 2);
        assert!(grid.in_straight_row(a, a));
        assert!(grid.in_straight_row(a, Hex::new(2, 6)));
        assert!(grid.in_straight_row(a, Hex::new(4, 3)));
        assert!(grid.in_straight_row(a, Hex::new(4, 1)));
        assert!(!grid.in_straight_row(a, Hex::new(4, 2)));
    }
}
