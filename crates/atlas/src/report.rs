//! What happened while a map was built.

use std::fmt;

/// How a map was built: for people who want to know how far it can be trusted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What the map is called.
    pub title: String,
    /// The scale of the straight fit, in kilometres from centre to centre.
    pub km: f64,
    /// How far the map's north is turned from true north, in degrees, anticlockwise.
    pub turn: f64,
    /// How far each known place falls from the centre of its hex.
    pub residuals: Vec<Residual>,
    /// Facts that geography contradicted, and that won.
    pub contradicted: Vec<Contradiction>,
    /// Hexes where the overlay's own list and geography differ; the list won.
    pub overruled: Vec<Contradiction>,
    /// Places that were moved because their hex was taken: name, hex it falls in, hex it got.
    pub moved: Vec<(String, String, String)>,
    /// The number of hexes of each terrain, in the order of the legend.
    pub terrain: Vec<(String, usize)>,
}

/// How far a place falls from its hex, in distances from centre to centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// The place.
    pub place: String,
    /// The hex it must fall in.
    pub hex: String,
    /// The case that prints the hex; empty when the overlay says it.
    pub case: String,
    /// After the straight fit.
    pub fitted: f64,
    /// The hex that the straight fit puts it in.
    pub fitted_hex: String,
    /// In the finished registration.
    pub placed: f64,
    /// The hex that the finished registration puts it in.
    pub placed_hex: String,
}

/// Something that was decided against geography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The case or the overlay feature that decided.
    pub by: String,
    /// The hexes, by label.
    pub hexes: Vec<String>,
    /// What geography says, and what stands on the map.
    pub what: String,
}

impl Report {
    /// The root of the mean square of the residuals of the straight fit at the printed places.
    pub fn rms(&self) -> f64 {
        let printed: Vec<f64> =
            self.residuals.iter().filter(|r| !r.case.is_empty()).map(|r| r.fitted.powi(2)).collect();
        let sum = printed.iter().fold(0.0, |sum, square| sum + square);
        (sum / printed.len().max(1) as f64).sqrt()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {:.1} km a hex, turned {:.1} degrees", self.title, self.km, self.turn)?;
        for (terrain, count) in &self.terrain {
            writeln!(f, "  {count:5} {terrain}")?;
        }
        if !self.residuals.is_empty() {
            writeln!(
                f,
                "places, off the centre of their hex (straight, bent); printed ones rms {:.2}:",
                self.rms()
            )?;
        }
        for r in &self.residuals {
            writeln!(
                f,
                "  {:32} {:6} {:>6} {:.2} in {} -> {:.2} in {}",
                r.place, r.hex, r.case, r.fitted, r.fitted_hex, r.placed, r.placed_hex
            )?;
        }
        for (title, list) in
            [("facts against geography:", &self.contradicted), ("lists against geography:", &self.overruled)]
        {
            if !list.is_empty() {
                writeln!(f, "{title}")?;
            }
            for c in list {
                writeln!(f, "  {}: {} ({})", c.by, c.what, c.hexes.join(" "))?;
            }
        }
        for (name, from, to) in &self.moved {
            writeln!(f, "moved: {name} from {from} to {to}")?;
        }
        Ok(())
    }
}
