//! The rulebooks that this program knows.

use engine::shelf::{AnyRulebook, Shelved};

/// All of them, in the order in which they are listed.
pub(crate) const SHELF: &[&dyn AnyRulebook] = &[
    &Shelved::<dagc::Dagc>::new(),
    &Shelved::<bug::Bug>::new(),
    &Shelved::<bite::Bite>::new(),
    &Shelved::<mini::Mini>::new(),
];
