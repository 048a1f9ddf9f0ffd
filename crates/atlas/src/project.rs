//! From the globe to a flat sheet.

use geo::{Coord, coord};

/// The mean radius of the earth in kilometres.
const EARTH: f64 = 6371.0;

/// The Lambert azimuthal equal-area projection about a point.
///
/// Equal area, because hexes are classified by how much of them something covers; azimuthal, because
/// theatres of war are about as wide as they are high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lambert {
    longitude: f64,
    sine: f64,
    cosine: f64,
}

impl Lambert {
    /// A sheet that touches the globe at `centre` (longitude and latitude in degrees).
    pub(crate) fn new(centre: Coord) -> Self {
        let (sine, cosine) = centre.y.to_radians().sin_cos();
        Lambert { longitude: centre.x, sine, cosine }
    }

    /// Kilometres east and north of the centre.
    pub(crate) fn project(&self, place: Coord) -> Coord {
        let (sine, cosine) = place.y.to_radians().sin_cos();
        let (sideways, along) = (place.x - self.longitude).to_radians().sin_cos();
        let stretch = EARTH * (2.0 / (1.0 + self.sine * sine + self.cosine * cosine * along)).sqrt();
        coord! {
            x: stretch * cosine * sideways,
            y: stretch * (self.cosine * sine - self.sine * cosine * along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_is_the_origin() {
        let sheet = Lambert::new(coord! { x: 26.0, y: 56.0 });
        let origin = sheet.project(coord! { x: 26.0, y: 56.0 });
        assert!(origin.x.abs() < 1e-9 && origin.y.abs() < 1e-9);
    }

    #[test]
    fn a_degree_of_latitude_is_111_km() {
        let sheet = Lambert::new(coord! { x: 26.0, y: 56.0 });
        let north = sheet.project(coord! { x: 26.0, y: 57.0 });
        assert!((north.y - 111.19).abs() < 0.01, "{north:?}");
        assert!(north.x.abs() < 1e-9);
    }

    #[test]
    fn areas_are_kept() {
        // The area of a quarter of a degree square, near the centre and far from it.
        let sheet = Lambert::new(coord! { x: 20.0, y: 50.0 });
        let area = |west: f64| {
            let corner = |x: f64, y: f64| sheet.project(coord! { x: west + x, y: 50.0 + y });
            let ring = [corner(0.0, 0.0), corner(0.25, 0.0), corner(0.25, 0.25), corner(0.0, 0.25)];
            let twice: f64 =
                (0..4).map(|i| (ring[i], ring[(i + 1) % 4])).map(|(a, b)| a.x * b.y - b.x * a.y).sum();
            twice / 2.0
        };
        assert!((area(20.0) / area(40.0) - 1.0).abs() < 1e-3);
    }
}
