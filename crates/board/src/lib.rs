//! Hexes, maps, hex sets, floods and movement fields: geometry, and no game.
//!
//! A [`Grid`] says how hexes lie; [`Labels`] what is printed in them; a [`Map`] is a grid with terrain,
//! features of hexes and hexsides, and connections, read from the text described in `docs/map-format.md`.
//!
//! Play asks three kinds of questions again and again. Which hexes? A [`HexSet`], a few words of bits. Which hexes
//! hang together? A [`flood()`] over such sets. Which hexes can be reached for how many movement points? A [`Field`].
//! [`oracle`] has slow and obvious versions of all of them, for tests and as a yardstick.

mod asked;
mod bits;
mod corner;
mod field;
mod flood;
mod grid;
mod hex;
mod hexset;
mod labels;
mod layer;
mod line;
mod map;
mod mp;
pub mod oracle;
mod reach;
mod read;
mod toll;
mod write;

pub use corner::{Corner, Hexside};
pub use field::{Field, Step};
pub use flood::{Sides, flood, flood_to, flood_within};
pub use grid::{Grid, Orientation, Shifted};
pub use hex::{Dir, Hex};
pub use hexset::HexSet;
pub use labels::{Labels, Numbering};
pub use layer::{Layer, LinkLayer, Part, SideLayer};
pub use map::{Map, Terrain};
pub use mp::Mp;
pub use reach::Reach;
pub use toll::{Effect, MAX_TOLLS, MAX_WAYS, Tariff, Tolls, Where};
