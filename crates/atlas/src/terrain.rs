//! The terrain of every hex.

use std::collections::{BTreeMap, BTreeSet};

use board::{Hex, Map};

use crate::classify::{Ground, Waters};
use crate::facts::Fact;
use crate::globe::Globe;
use crate::overlay::Overlay;
use crate::recipe::{Recipe, is_water};
use crate::report::{Contradiction, Report};

/// The name of the terrain of each hex.
pub(crate) type Terrains = BTreeMap<Hex, String>;

/// The terrain of every hex: water by geography or by the overlay's list, then facts, then the overlay's terrain.
pub(crate) fn lay(
    recipe: &Recipe,
    overlay: &Overlay,
    facts: &[Fact],
    globe: &Globe,
    waters: Option<&Waters>,
    report: &mut Report,
) -> Terrains {
    let (map, open) = (&recipe.blank, recipe.open_ground());
    let geography =
        of_ground(map, open, |hex| waters.map_or(Ground::Land, |waters| waters.ground(map.grid(), hex)));
    let mut terrain = match &recipe.water {
        Some(water) if water.listed => of_ground(map, open, |_| Ground::Land),
        _ => geography.clone(),
    };
    for fact in facts {
        let Some((name, hexes)) = fact.terrain() else { continue };
        let set = if name == "land" { open } else { name };
        report.contradicted.extend(against(map, &geography, &fact.case, hexes, set));
        let wrong: Vec<Hex> = hexes.iter().copied().filter(|hex| !shows(&terrain, *hex, name)).collect();
        terrain.extend(wrong.into_iter().map(|hex| (hex, set.to_owned())));
    }
    for hex in overlay.inhabited(recipe) {
        if terrain.get(&hex).is_some_and(|terrain| is_water(terrain)) {
            terrain.insert(hex, open.to_owned());
        }
    }
    for (covered, name) in overlay.terrain(recipe, globe) {
        let dry = |hex: &Hex| terrain.get(hex).is_some_and(|terrain| !is_water(terrain));
        let hexes: Vec<Hex> = covered.outlined.into_iter().filter(dry).chain(covered.listed).collect();
        terrain.extend(hexes.into_iter().map(|hex| (hex, name.clone())));
    }
    overrule(map, &geography, &terrain, facts, report);
    terrain
}

/// The terrain that stands for the ground of each hex.
fn of_ground(map: &Map, open: &str, ground: impl Fn(Hex) -> Ground) -> Terrains {
    map.hexes().map(|hex| (hex, ground(hex).terrain(open).to_owned())).collect()
}

/// True when the hex shows that terrain, or any dry one where `land` is asked.
fn shows(terrain: &Terrains, hex: Hex, name: &str) -> bool {
    let found = terrain.get(&hex).map_or("", String::as_str);
    if name == "land" { !is_water(found) } else { found == name }
}

/// What a terrain is when only land and water are told apart.
fn ground(terrain: &str) -> &str {
    if is_water(terrain) { terrain } else { "land" }
}

/// The hexes for which geography has other ground than what was set.
fn against(map: &Map, geography: &Terrains, by: &str, hexes: &[Hex], set: &str) -> Vec<Contradiction> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for hex in hexes {
        let real = ground(geography.get(hex).map_or("", String::as_str));
        if real != ground(set) {
            found.entry(real).or_default().push(map.label(*hex));
        }
    }
    let tell = |(real, hexes): (&str, Vec<String>)| Contradiction {
        by: by.to_owned(),
        hexes,
        what: format!("{real} by geography, {} on the map", ground(set)),
    };
    found.into_iter().map(tell).collect()
}

/// Notes where lists of the overlay put water on land or land on water.
fn overrule(map: &Map, geography: &Terrains, terrain: &Terrains, facts: &[Fact], report: &mut Report) {
    let told: BTreeSet<Hex> =
        facts.iter().filter_map(Fact::terrain).flat_map(|(_, hexes)| hexes.iter().copied()).collect();
    for kind in ["sea", "lake", "land"] {
        let set: Vec<Hex> = terrain
            .iter()
            .filter(|(hex, name)| ground(name) == kind && !told.contains(hex))
            .map(|(&hex, _)| hex)
            .collect();
        report.overruled.extend(against(map, geography, "overlay", &set, kind));
    }
}
