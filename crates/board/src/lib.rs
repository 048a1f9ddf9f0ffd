//! Hexes, maps, hex sets, floods and movement fields: geometry, and no game.
//!
//! A [`Grid`] says how hexes lie; [`Labels`] what is printed in them; a [`Map`] is a grid with terrain,
//! features of hexes and hexsides, and connections, read from the text described in `docs/map-format.md`.

mod corner;
mod grid;
mod hex;
mod labels;
mod layer;
mod line;
mod map;
mod read;
mod write;

pub use corner::{Corner, Hexside};
pub use grid::{Grid, Orientation, Shifted};
pub use hex::{Dir, Hex};
pub use labels::{Labels, Numbering};
pub use layer::{Layer, LinkLayer, Part, SideLayer};
pub use map::{Map, Terrain};
