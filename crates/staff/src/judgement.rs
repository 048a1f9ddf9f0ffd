//! How well a position stands: what a doctrine finds in it, weighed by numbers that were fitted to the results of games.

use engine::Data;
use source::{Doc, Faults, Writer};

use crate::Doctrine;

/// Where the numbers stand in a rulebook's data.
pub const FILE: &str = "judgement.toml";

/// A number for each of a doctrine's features.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement(pub Vec<f64>);

/// The part of a result that goes by who has won; the rest goes by how clearly.
const VICTORY: f64 = 0.6;

/// How well a game ended, from 0 to 1: `won` says for whom, and `ahead` by how much, where one is as much as often makes the
/// difference between a narrow victory and a clear one.
pub(crate) fn result(won: f64, ahead: f64) -> f64 {
    VICTORY * won + (1.0 - VICTORY) / (1.0 + (-ahead).exp())
}

impl Judgement {
    /// How well the Axis side stands, from the features of a position: nearly its chance of winning.
    pub fn chance(&self, features: &[f64]) -> f64 {
        let sum: f64 = self.0.iter().zip(features).map(|(number, feature)| number * feature).sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Reads the judgement of a rulebook's data: every feature once, and no other. Without a file nothing counts.
pub fn read<D: Doctrine>(data: &Data) -> Result<Judgement, Faults> {
    let Ok(source) = data.file(FILE) else { return Ok(Judgement(vec![0.0; D::FEATURES.len()])) };
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.get("note").and_then(|note| note.str());
    let table = root.need("features").and_then(|item| item.table());
    root.done();
    let numbers = table.map(|table| {
        let number = |name: &&str| table.need(name).and_then(|item| item.float()).unwrap_or(0.0);
        let numbers = D::FEATURES.iter().map(number).collect();
        table.done();
        Judgement(numbers)
    });
    doc.finish(numbers)
}

/// Writes a judgement as a file that [`read`] reads.
pub fn write<D: Doctrine>(judgement: &Judgement, note: &str) -> String {
    let mut out = Writer::new();
    out.block("note", note);
    out.table("features");
    for (name, number) in D::FEATURES.iter().zip(&judgement.0) {
        out.raw(&format!("{name} = {number:.5}\n"));
    }
    out.finish()
}
