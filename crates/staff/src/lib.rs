//! The opponents.
//!
//! | room | what is in it |
//! |---|---|
//! | [`doctrine`] | what an opponent must know of a rulebook: the contract with its module |
//! | [`weights`](mod@weights) | the numbers of a doctrine, read from `staff.toml` of the rulebook's data |
//! | [`judgement`] | how well a position stands, by numbers that were fitted to the results of games |
//! | [`level`] | how well an opponent plays |
//! | [`commander`] | one opponent in one game: asks its doctrine, keeps its plan, says why |
//! | [`search`] | how a general compares plans |
//! | [`budget`] | how long he may think, and how he is told to hurry |
//! | [`arena`] | games between opponents, with what the lab wants to know of them |
//! | [`study`](mod@study) | games to learn from |
//! | [`opponent`] | opponents and arenas without the types of a rulebook |
//! | [`seat`](mod@seat) | an opponent for any game, also where the rulebook has no school |
//! | [`field`] | a staff that any rulebook can share |
//! | `dagc`, `bug`, `mini` | doctrines of their own |
//! | `bite`, `barbarossa` | what the shared staff wants to know of them |
//!
//! An opponent is an honest player: whatever it thinks about is a state that [`engine::Sight::imagine`] has dealt from
//! what its side can see, so that no decision depends on anything hidden.

pub mod arena;
pub mod budget;
pub mod commander;
pub mod doctrine;
mod greedy;
pub mod judgement;
pub mod level;
pub mod opponent;
pub mod search;
pub mod seat;
pub mod study;
pub mod weights;

pub mod field;

mod barbarossa;
mod bite;
pub mod bug;
pub mod dagc;
pub mod mini;

pub use arena::{Arena, Combat, Contest, Report, TurnLine};
pub use budget::{Budget, Signals};
pub use commander::Commander;
pub use doctrine::{Doctrine, Ledger, Mind};
pub use judgement::Judgement;
pub use level::Level;
pub use opponent::{AnyArena, AnyOpponent, AnySchool, SCHOOLS, school};
pub use seat::{check_level, levels, seat};
pub use study::Study;
pub use weights::Weights;
