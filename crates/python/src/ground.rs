//! The map as arrays. A hex has the number `line * width + pos`, in answers, units and here.

use board::{Dir, Map};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Terrain, hex features, hexside features, links and labels.
pub(crate) fn ground<'py>(py: Python<'py>, map: &Map) -> PyResult<Bound<'py, PyDict>> {
    let grid = map.grid();
    let (lines, width) = (grid.lines(), grid.width());
    let cells = lines * width;
    let number = |hex: board::Hex| usize::from(hex.line()) * width + usize::from(hex.pos());
    let mut terrain = vec![-1i8; cells];
    let mut labels = vec![None; cells];
    let mut neighbours = vec![-1i16; cells * 6];
    for hex in map.hexes() {
        terrain[number(hex)] = map.terrain(hex).0 as i8;
        labels[number(hex)] = Some(map.label(hex));
        for (dir, next) in map.neighbours(hex) {
            neighbours[number(hex) * 6 + dir as usize] = number(next) as i16;
        }
    }
    let hex_names: Vec<&str> = map.hex_features().collect();
    let side_names: Vec<&str> = map.side_features().collect();
    let link_names: Vec<&str> = map.link_features().collect();
    let mut features = vec![0u8; cells * hex_names.len()];
    let mut sides = vec![0u8; cells * 6 * side_names.len()];
    let mut links = vec![0u8; cells * 6 * link_names.len()];
    for hex in map.hexes() {
        for (i, name) in hex_names.iter().enumerate() {
            features[number(hex) * hex_names.len() + i] = u8::from(map.hexes_with(name).has(hex));
        }
        for dir in Dir::ALL {
            let at = number(hex) * 6 + dir as usize;
            for (i, name) in side_names.iter().enumerate() {
                sides[at * side_names.len() + i] = u8::from(map.sides_with(name).has(hex, dir));
            }
            for (i, name) in link_names.iter().enumerate() {
                links[at * link_names.len() + i] = u8::from(map.links_with(name).has(hex, dir));
            }
        }
    }
    let ground = PyDict::new(py);
    let terrains: Vec<&str> = map.terrains().map(|(_, name)| name).collect();
    ground.set_item("lines", lines)?;
    ground.set_item("width", width)?;
    ground.set_item("terrains", terrains)?;
    ground.set_item("terrain", terrain.into_pyarray(py).reshape([lines, width])?)?;
    ground.set_item("labels", labels)?;
    ground.set_item("neighbours", neighbours.into_pyarray(py).reshape([cells, 6])?)?;
    let hexes = features.into_pyarray(py).reshape([lines, width, hex_names.len()])?;
    ground.set_item("features", hex_names)?;
    ground.set_item("hexes", hexes)?;
    let array = sides.into_pyarray(py).reshape([lines, width, 6, side_names.len()])?;
    ground.set_item("side_features", side_names)?;
    ground.set_item("hexsides", array)?;
    let array = links.into_pyarray(py).reshape([lines, width, 6, link_names.len()])?;
    ground.set_item("link_features", link_names)?;
    ground.set_item("links", array)?;
    ground.set_item("places", map.places().map(|(name, hex)| (name, number(hex))).collect::<Vec<_>>())?;
    Ok(ground)
}
