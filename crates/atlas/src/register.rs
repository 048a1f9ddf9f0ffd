//! Registration: laying real geography on the hexes whose numbers a rulebook prints.
//!
//! A straight fit comes first (a turn, a scale and a shift, or any affine map), then a thin-plate spline
//! bends it just so far that every control point falls inside its own hex. A point that the straight fit
//! already puts there is held where it is: the sheet is bent no more than the rulebook demands.

use geo::{Coord, coord};

/// A place whose hex is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Control {
    /// What is there.
    pub(crate) place: String,
    /// Kilometres east and north on the projected sheet.
    pub(crate) sheet: Coord,
    /// The centre of its hex, in the plane of the map (one unit from centre to centre).
    pub(crate) centre: Coord,
}

/// How stiff the straight fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stiffness {
    /// One scale and one turn: for few points, or points near a line.
    Similarity,
    /// Any affine map.
    Affine,
}

/// A map of the plane to itself that keeps straight lines straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    x: [f64; 3],
    y: [f64; 3],
}

impl Affine {
    /// A map that turns by `degrees` anticlockwise, then scales and takes the origin to `shift`.
    ///
    /// The sheet has north up and the plane of the map has south down, so `y` changes its sign.
    pub(crate) fn frame(shift: Coord, km: f64, degrees: f64) -> Self {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        Affine { x: [cosine / km, -sine / km, shift.x], y: [-sine / km, -cosine / km, shift.y] }
    }

    /// Where a point goes.
    pub(crate) fn apply(&self, p: Coord) -> Coord {
        let row = |r: [f64; 3]| r[0] * p.x + r[1] * p.y + r[2];
        coord! { x: row(self.x), y: row(self.y) }
    }

    /// Kilometres of the sheet for one unit of the plane, the mean over all directions.
    pub(crate) fn km(&self) -> f64 {
        (self.x[0] * self.y[1] - self.x[1] * self.y[0]).abs().sqrt().recip()
    }

    /// How far the map's north is turned from true north, in degrees, anticlockwise.
    pub(crate) fn turn(&self) -> f64 {
        (-self.y[0] - self.x[1]).atan2(self.x[0] - self.y[1]).to_degrees()
    }

    /// The best fit in the sense of least squares; none if the points do not determine it.
    pub(crate) fn fit(controls: &[Control], stiffness: Stiffness) -> Option<Affine> {
        match stiffness {
            Stiffness::Similarity => Self::similarity(controls),
            Stiffness::Affine => Self::any(controls),
        }
    }

    fn similarity(controls: &[Control]) -> Option<Affine> {
        let mut rows = Vec::new();
        for c in controls {
            rows.push((vec![c.sheet.x, c.sheet.y, 1.0, 0.0], c.centre.x));
            rows.push((vec![-c.sheet.y, c.sheet.x, 0.0, 1.0], c.centre.y));
        }
        match least_squares(&rows)?[..] {
            [p, q, s, t] => Some(Affine { x: [p, q, s], y: [q, -p, t] }),
            _ => None,
        }
    }

    fn any(controls: &[Control]) -> Option<Affine> {
        let row = |value: fn(&Control) -> f64| -> Option<[f64; 3]> {
            let rows: Vec<_> = controls.iter().map(|c| (vec![c.sheet.x, c.sheet.y, 1.0], value(c))).collect();
            least_squares(&rows)?.try_into().ok()
        };
        Some(Affine { x: row(|c| c.centre.x)?, y: row(|c| c.centre.y)? })
    }
}

/// A thin-plate spline: the smoothest displacement that takes given values at given points.
#[derive(Clone, Debug, PartialEq)]
struct Spline {
    knots: Vec<Coord>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Spline {
    fn through(knots: Vec<Coord>, displacements: &[Coord]) -> Option<Spline> {
        let n = knots.len();
        let matrix: Vec<Vec<f64>> = (0..n + 3).map(|i| Self::row(&knots, i)).collect();
        let solve_for = |value: fn(&Coord) -> f64| {
            let rows = matrix.iter().enumerate().map(|(i, row)| {
                let mut row = row.clone();
                row.push(displacements.get(i).map_or(0.0, value));
                row
            });
            solve(rows.collect())
        };
        Some(Spline { x: solve_for(|d| d.x)?, y: solve_for(|d| d.y)?, knots })
    }

    /// A row of the spline's equations: first one for each knot, then three that keep it flat far away.
    fn row(knots: &[Coord], i: usize) -> Vec<f64> {
        let flat = |p: Coord| [1.0, p.x, p.y];
        match knots.get(i) {
            Some(&knot) => knots.iter().map(|&k| kernel(k, knot)).chain(flat(knot)).collect(),
            None => {
                let which = i - knots.len();
                knots.iter().map(|&k| flat(k)[which]).chain([0.0; 3]).collect()
            }
        }
    }

    fn at(&self, p: Coord) -> Coord {
        let basis: Vec<f64> = self.knots.iter().map(|&k| kernel(k, p)).chain([1.0, p.x, p.y]).collect();
        let sum = |weights: &[f64]| basis.iter().zip(weights).map(|(b, w)| b * w).sum();
        coord! { x: sum(&self.x), y: sum(&self.y) }
    }
}

/// The bending of a thin plate that is pushed at one point.
fn kernel(a: Coord, b: Coord) -> f64 {
    let square = (a.x - b.x).powi(2) + (a.y - b.y).powi(2);
    if square > 0.0 { square * square.ln() } else { 0.0 }
}

/// A finished registration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Register {
    /// The straight fit.
    pub(crate) straight: Affine,
    bend: Option<Spline>,
}

/// A point is pulled this near to the centre of its hex (the hexside is 0.5 away), so that its surroundings
/// come along.
const INSIDE: f64 = 0.38;

impl Register {
    /// A registration that is straight and no more.
    pub(crate) fn straight(straight: Affine) -> Self {
        Register { straight, bend: None }
    }

    /// Bends the straight fit until every control point lies inside its hex.
    pub(crate) fn bent(straight: Affine, controls: &[Control]) -> Option<Self> {
        let knots: Vec<Coord> = controls.iter().map(|c| straight.apply(c.sheet)).collect();
        let moves: Vec<Coord> = knots.iter().zip(controls).map(|(&at, c)| pull(at, c.centre) - at).collect();
        Some(Register { straight, bend: Some(Spline::through(knots, &moves)?) })
    }

    /// Where a point of the sheet falls in the plane of the map.
    pub(crate) fn place(&self, sheet: Coord) -> Coord {
        let at = self.straight.apply(sheet);
        match &self.bend {
            Some(bend) => at + bend.at(at),
            None => at,
        }
    }
}

/// The nearest point to `at` that lies well inside the hex about `centre`.
fn pull(at: Coord, centre: Coord) -> Coord {
    let off = at - centre;
    let distance = off.x.hypot(off.y);
    if distance <= INSIDE { at } else { centre + off * (INSIDE / distance) }
}

/// A linear equation: the factors of the unknowns, and the value.
type Equation = (Vec<f64>, f64);

/// Solves an overdetermined system through its normal equations.
fn least_squares(rows: &[Equation]) -> Option<Vec<f64>> {
    let n = rows.first()?.0.len();
    let normal = (0..n).map(|i| {
        let sum = |value: &dyn Fn(&Equation) -> f64| rows.iter().map(|r| r.0[i] * value(r)).sum::<f64>();
        let mut row: Vec<f64> = (0..n).map(|j| sum(&|r| r.0[j])).collect();
        row.push(sum(&|r| r.1));
        row
    });
    solve(normal.collect())
}

/// Gauss-Jordan elimination of a square system, the last column being the right-hand side.
fn solve(mut m: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = m.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        m.swap(i, pivot);
        let head = m[i][i];
        if head.abs() < 1e-9 {
            return None;
        }
        m[i].iter_mut().for_each(|v| *v /= head);
        let row = m[i].clone();
        for (k, other) in m.iter_mut().enumerate() {
            if k != i {
                let factor = other[i];
                other.iter_mut().zip(&row).for_each(|(v, r)| *v -= factor * r);
            }
        }
    }
    m.iter().map(|row| row.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(sheet: (f64, f64), centre: (f64, f64)) -> Control {
        Control { place: String::new(), sheet: sheet.into(), centre: centre.into() }
    }

    fn near(a: Coord, b: (f64, f64)) -> bool {
        (a.x - b.0).hypot(a.y - b.1) < 1e-6
    }

    /// Three places on a map of 10 km a hex, the sheet's origin at (5, 5).
    fn three() -> Vec<Control> {
        vec![
            control((0.0, 0.0), (5.0, 5.0)),
            control((10.0, 0.0), (6.0, 5.0)),
            control((0.0, 20.0), (5.0, 3.0)),
        ]
    }

    #[test]
    fn fits_that_are_exact_are_found_exactly() {
        for stiffness in [Stiffness::Similarity, Stiffness::Affine] {
            let fit = Affine::fit(&three(), stiffness).unwrap();
            assert!(near(fit.apply((30.0, -10.0).into()), (8.0, 6.0)));
            assert!((fit.km() - 10.0).abs() < 1e-9);
            assert!(fit.turn().abs() < 1e-9);
        }
    }

    #[test]
    fn a_frame_is_turned_and_scaled() {
        let frame = Affine::frame((1.0, 2.0).into(), 2.0, 90.0);
        assert!(near(frame.apply((0.0, 0.0).into()), (1.0, 2.0)));
        assert!(near(frame.apply((4.0, 0.0).into()), (1.0, 0.0)));
        assert!((frame.turn() - 90.0).abs() < 1e-9);
        assert!((frame.km() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn one_point_determines_nothing() {
        assert_eq!(Affine::fit(&three()[..1], Stiffness::Similarity), None);
        assert_eq!(Affine::fit(&three()[..2], Stiffness::Affine), None);
    }

    #[test]
    fn bending_brings_each_point_into_its_hex() {
        let mut controls = three();
        controls.push(control((50.0, -50.0), (10.0, 11.5)));
        controls.push(control((-50.0, -50.0), (0.0, 10.0)));
        let straight = Affine::fit(&controls[..3], Stiffness::Affine).unwrap();
        let register = Register::bent(straight, &controls).unwrap();
        for c in &controls {
            let off = register.place(c.sheet) - c.centre;
            assert!(off.x.hypot(off.y) <= INSIDE + 1e-9);
        }
        assert!(near(register.place((0.0, 0.0).into()), (5.0, 5.0)), "what lies right stays put");
    }
}
