//! The rivers of a recipe, each found a course among the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use board::{Corner, Hexside, Map};
use geo::{Coord, Geometry, LineString, MapCoords};
use source::Faults;

use crate::facts::is_land;
use crate::globe::Globe;
use crate::overlay::Overlay;
use crate::recipe::{End, River, Water};
use crate::rivers::{self, Bed, Ends};
use crate::vectors;

/// River beds by name, in longitude and latitude.
pub(crate) type Beds = BTreeMap<String, Vec<LineString>>;

/// The beds of all rivers of the sources, and of the courses that the overlay adds.
pub(crate) fn read_beds(water: &Water, overlay: &Overlay, geo: &Path) -> Result<Beds, Faults> {
    let mut beds = Beds::new();
    let sources = vectors::read_files(geo, &water.rivers)?;
    for feature in sources.iter().chain(overlay.of_kind("course")) {
        let lines = match &feature.shape {
            Some(Geometry::LineString(line)) => vec![line.clone()],
            Some(Geometry::MultiLineString(lines)) => lines.0.clone(),
            _ => continue,
        };
        beds.entry(feature.name.clone()).or_default().extend(lines);
    }
    Ok(beds)
}

/// The chains of hexsides that rivers have taken already, by name.
type Taken = BTreeMap<String, Vec<Hexside>>;

/// Lays rivers on the map, one after the other; what is wrong with one is told by its name.
pub(crate) fn lay(
    map: &mut Map,
    rivers: &[River],
    beds: &Beds,
    globe: &Globe,
    mut wrong: impl FnMut(&str, String),
) {
    let mut taken = Taken::new();
    for river in rivers {
        match course(map, river, beds, globe, &taken).and_then(|chain| add(map, &river.name, chain)) {
            Ok(chain) => {
                taken.insert(river.name.clone(), chain);
            }
            Err(message) => wrong(&river.name, message),
        }
    }
}

fn add(map: &mut Map, name: &str, chain: Vec<Hexside>) -> Result<Vec<Hexside>, String> {
    for &side in &chain {
        if let (hex, Some(beyond)) = map.grid().side_hexes(side) {
            map.add_side("river", name, hex, beyond)?;
        }
    }
    Ok(chain)
}

/// The chain of hexsides that a river runs along.
fn course(
    map: &Map,
    river: &River,
    beds: &Beds,
    globe: &Globe,
    taken: &Taken,
) -> Result<Vec<Hexside>, String> {
    let grid = map.grid();
    let named = river.beds.iter().filter_map(|name| beds.get(name)).flatten();
    let lines: Vec<LineString> = named.map(|line| line.map_coords(|at| globe.place(at))).collect();
    if lines.is_empty() {
        return Err("none of its beds is in the sources".to_owned());
    }
    let closed: BTreeSet<Corner> = taken.values().flat_map(|chain| rivers::corners(grid, chain)).collect();
    let starts = ends(map, &river.begins, globe.place(river.from), taken, &closed)?;
    let goals = ends(map, &river.ends, globe.place(river.to), taken, &closed)?;
    let open = |side: Hexside| runs_dry(map, side) && !river.avoid.contains(&side);
    rivers::snap(grid, &Bed { lines }, &starts, &goals, open, &closed)
        .filter(|chain| !chain.is_empty())
        .ok_or_else(|| "there is no way for it between its ends".to_owned())
}

/// The corners that a river may begin or end at.
fn ends(
    map: &Map,
    end: &End,
    point: Coord,
    taken: &Taken,
    closed: &BTreeSet<Corner>,
) -> Result<Ends, String> {
    let grid = map.grid();
    Ok(match end {
        End::Spring => rivers::ends(grid, point, |corner| !closed.contains(&corner)),
        End::Edge => rivers::ends(grid, point, |corner| is_edge(map, corner)),
        End::Water => rivers::ends(grid, point, |corner| is_shore(map, corner)),
        End::River(name) => {
            let chain = taken.get(name).ok_or_else(|| format!("the {name} must come before it"))?;
            let corners = rivers::corners(grid, chain);
            rivers::ends(grid, point, |corner| corners.contains(&corner))
        }
    })
}

/// True for a side between two land hexes that no lake or strait parts.
fn runs_dry(map: &Map, side: Hexside) -> bool {
    let (hex, beyond) = map.grid().side_hexes(side);
    let both = beyond.is_some_and(|beyond| {
        map.contains(hex) && map.contains(beyond) && is_land(map, hex) && is_land(map, beyond)
    });
    both && !["sea", "lake"].iter().any(|water| map.sides_with(water).has(hex, side.dir()))
}

fn is_edge(map: &Map, corner: Corner) -> bool {
    let hexes = map.grid().corner_hexes(corner);
    hexes.iter().filter(|&&hex| map.contains(hex)).count() == 2
}

fn is_shore(map: &Map, corner: Corner) -> bool {
    let hexes = map.grid().corner_hexes(corner);
    let wet_hex = hexes.iter().any(|&hex| map.contains(hex) && !is_land(map, hex));
    let wet_side =
        map.grid().corner_sides(corner).iter().any(|side| {
            ["sea", "lake"].iter().any(|water| map.sides_with(water).has(side.hex(), side.dir()))
        });
    wet_hex || wet_side
}
