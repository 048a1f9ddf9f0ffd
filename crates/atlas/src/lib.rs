//! Maps of hexes built from real geography, and drawn.
//!
//! A rulebook's map is not in its text, but the numbers of its hexes are. [`build()`] lays the globe on those hexes
//! and asks of each what covers it; [`facts`] then puts right what the rulebook knows better.

mod build;
mod classify;
pub mod draw;
pub mod facts;
mod flow;
mod globe;
mod json;
mod overlay;
mod project;
mod recipe;
mod register;
mod report;
mod rivers;
mod routes;
mod terrain;
mod vectors;

pub use build::{build, build_from};
pub use json::json;
pub use report::{Contradiction, Report, Residual};
