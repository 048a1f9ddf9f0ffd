//! What a rulebook's cases, charts and maps say.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Text;

/// A rule case in our own words: `GET /api/rulebooks/NAME/cases`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CaseInfo {
    /// Its number.
    pub number: String,
    /// A few words.
    pub title: String,
    /// rule, choice, chance, scenario, optional, data, info or other-game.
    pub kind: String,
    /// The statement.
    pub statement: Text,
}

/// A word of the rulebook: `GET /api/rulebooks/NAME/glossary`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Term {
    /// The word, as charts and cases have it: `DR`, `OOS`.
    pub word: String,
    /// What it means, in a few words.
    pub meaning: String,
    /// The case that explains it.
    pub case: String,
}

/// A chart: `GET /api/rulebooks/NAME/tables`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sheet {
    /// Its short name.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Where its values come from: rulebook, known or reconstructed; may be empty.
    pub source: String,
    /// The case; may be empty.
    pub case: String,
    /// How its values were found; may be empty.
    pub note: String,
    /// The headings, the rows' own first.
    pub columns: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// Where everything lies on the drawing of a map.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Geometry {
    /// The title of the map.
    pub title: String,
    /// The width of the drawing; all lengths are in its units.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// From the centre of a hex to the centre of the next.
    pub hex: f64,
    /// How the hexes stand: `points-up` or `flat-top`.
    pub orientation: String,
    /// Kilometres across a hex, where known.
    pub km: Option<f64>,
    /// The hexes.
    pub hexes: Vec<HexPlace>,
}

/// A hex on the drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HexPlace {
    /// Its label.
    pub label: String,
    /// The centre.
    pub x: f64,
    /// The centre.
    pub y: f64,
    /// The terrain.
    pub terrain: String,
    /// The places in it.
    pub names: Vec<String>,
    /// What else is in it: `city`, `entrenchment` …
    pub features: Vec<String>,
}
