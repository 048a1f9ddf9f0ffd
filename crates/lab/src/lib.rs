//! The lab: many games between opponents, and what they say about a scenario, a rule, a table or a level.
//!
//! | room | what is in it |
//! |---|---|
//! | [`plan`] | what is to be played, read from a file |
//! | [`run`] | plays it, on many threads, stopped and taken up again at will |
//! | [`shards`] | plays it in parts, on many machines, and gathers them |
//! | [`store`] | the journal: every finished game, one a line, safe on the disk |
//! | [`tables`] | games, turns and combats as Parquet and CSV |
//! | [`stats`] | intervals and comparisons |
//! | [`ladder`] | the strength of the levels |
//! | [`report`] | the page that a designer reads; [`plots`] draws for it |
//! | [`tune`] | better weights for the opponents, by self-play |
//! | [`fit`] | a better judgement of positions, from the results of games |

use std::collections::BTreeMap;

use engine::Data;

pub mod fit;
pub mod ladder;
pub mod plan;
pub mod plots;
pub mod report;
pub mod run;
pub mod shards;
pub mod stats;
pub mod store;
pub mod tables;
pub mod tune;

/// The data of every rulebook, by its name.
pub type Shelf = BTreeMap<&'static str, Data>;
