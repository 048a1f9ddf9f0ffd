//! The numbers of a doctrine: tuned by self-play, kept in `staff.toml` of the rulebook's data.

use engine::Data;
use source::{Doc, Faults, Source};

/// Where they stand in a rulebook's data.
pub const FILE: &str = "staff.toml";

/// A struct of numbers that can be listed, read and varied.
pub trait Weights: Clone + Send + Sync + 'static {
    /// Their names, in order.
    const NAMES: &'static [&'static str];
    /// The numbers, in the order of the names.
    fn values(&self) -> Vec<f64>;
    /// Makes weights of as many numbers as there are names.
    fn of(values: &[f64]) -> Self;
    /// Those to start from when there is no file.
    fn initial() -> Self;
}

/// Reads the weights of a rulebook's data; without a file they are the initial ones.
pub fn read<W: Weights>(data: &Data) -> Result<W, Faults> {
    let Ok(source) = data.file(FILE) else { return Ok(W::initial()) };
    read_file(source)
}

/// Reads weights from a file: every name once, and no other.
pub fn read_file<W: Weights>(source: &Source) -> Result<W, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.get("note").and_then(|note| note.str());
    let table = root.need("weights").and_then(|item| item.table());
    let values = table.map(|table| {
        let values: Vec<f64> = W::NAMES
            .iter()
            .map(|name| table.need(name).and_then(|item| item.float()).unwrap_or(0.0))
            .collect();
        table.done();
        W::of(&values)
    });
    root.done();
    doc.finish(values)
}

/// Writes weights as a file that [`read_file`] reads.
pub fn write<W: Weights>(weights: &W, note: &str) -> String {
    let mut out = source::Writer::new();
    out.block("note", note);
    out.table("weights");
    for (name, value) in W::NAMES.iter().zip(weights.values()) {
        out.raw(&format!("{name} = {value:.4}\n"));
    }
    out.finish()
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
