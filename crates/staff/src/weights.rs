//! The numbers of a doctrine: tuned by self-play, kept in `staff.toml` of the rulebook's data.

use engine::{BySide, Data, Dice, Side};
use source::{Doc, Faults, Source, Table};

/// Where they stand in a rulebook's data.
pub const FILE: &str = "staff.toml";

/// Where those of generals stand, if they have their own.
pub const GENERALS: &str = "general.toml";

/// A struct of numbers that can be listed, read and varied.
pub trait Weights: Clone + Send + Sync + 'static {
    /// Their names, in order.
    const NAMES: &'static [&'static str];
    /// The names for both sides: `axis.NAME`, then `soviet.NAME`.
    const BOTH: &'static [&'static str];
    /// The numbers, in the order of the names.
    fn values(&self) -> Vec<f64>;
    /// Makes weights of as many numbers as there are names.
    fn of(values: &[f64]) -> Self;
    /// Those to start from when there is no file.
    fn initial() -> Self;
}

/// The weights of both sides as one list.
pub fn values<W: Weights>(weights: &BySide<W>) -> Vec<f64> {
    let mut values = weights.axis.values();
    values.extend(weights.soviet.values());
    values
}

/// The weights of both sides from one list.
pub fn of<W: Weights>(values: &[f64]) -> BySide<W> {
    let (axis, soviet) = values.split_at(values.len().min(W::NAMES.len()));
    BySide { axis: W::of(axis), soviet: W::of(soviet) }
}

/// Reads the weights of a rulebook's data; without a file they are the initial ones.
pub fn read<W: Weights>(data: &Data) -> Result<BySide<W>, Faults> {
    match data.file(FILE) {
        Ok(source) => read_file(source),
        Err(_) => Ok(BySide { axis: W::initial(), soviet: W::initial() }),
    }
}

/// Reads those of generals; without a file of their own they have everybody's.
pub fn read_generals<W: Weights>(data: &Data) -> Result<BySide<W>, Faults> {
    match data.file(GENERALS) {
        Ok(source) => read_file(source),
        Err(_) => read(data),
    }
}

/// Reads weights from a file: for each side every name once, and no other.
pub fn read_file<W: Weights>(source: &Source) -> Result<BySide<W>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.get("note").and_then(|note| note.str());
    let side =
        |side: Side| root.need(side.word()).and_then(|item| item.table()).map(|table| read_side(&table));
    let (axis, soviet) = (side(Side::Axis), side(Side::Soviet));
    root.done();
    doc.finish(axis.zip(soviet).map(|(axis, soviet)| BySide { axis, soviet }))
}

fn read_side<W: Weights>(table: &Table<'_>) -> W {
    let number = |name: &&str| table.need(name).and_then(|item| item.float()).unwrap_or(0.0);
    let values: Vec<f64> = W::NAMES.iter().map(number).collect();
    table.done();
    W::of(&values)
}

/// Writes weights as a file that [`read_file`] reads.
pub fn write<W: Weights>(weights: &BySide<W>, note: &str) -> String {
    let mut out = source::Writer::new();
    out.block("note", note);
    for side in Side::BOTH {
        out.table(side.word());
        for (name, value) in W::NAMES.iter().zip(weights[side].values()) {
            out.raw(&format!("{name} = {value:.4}\n"));
        }
    }
    out.finish()
}

/// Other weights, drawn by lot: each is these times a factor whose logarithm is mostly within `spread`.
pub(crate) fn drawn<W: Weights>(weights: &W, spread: f64, luck: &mut Dice) -> W {
    let values = weights.values();
    W::of(&values.iter().map(|value| value * (spread * lot(luck)).exp()).collect::<Vec<f64>>())
}

/// A number by lot, most often near 0 and never further than 3 from it.
pub(crate) fn lot(luck: &mut Dice) -> f64 {
    (0..3).map(|_| f64::from(luck.roll(101)) / 50.0 - 1.02).sum()
}

/// Declares a struct of weights: each with its meaning and the value to start from.
#[macro_export]
macro_rules! weights {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$doc:meta])* $field:ident = $initial:expr),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name { $($(#[$doc])* pub(crate) $field: f64),* }

        impl $crate::Weights for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];
            const BOTH: &'static [&'static str] = &[
                $(concat!("axis.", stringify!($field)),)*
                $(concat!("soviet.", stringify!($field)),)*
            ];
            fn values(&self) -> Vec<f64> {
                vec![$(self.$field),*]
            }
            fn of(values: &[f64]) -> Self {
                let mut values = values.iter().copied();
                $name { $($field: values.next().unwrap_or($initial)),* }
            }
            fn initial() -> Self {
                $name { $($field: $initial),* }
            }
        }
    };
}
