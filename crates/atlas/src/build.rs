//! From recipe, overlay, facts and geography to a map.

use std::path::Path;

use board::{Hex, Hexside, Map};
use geo::{BooleanOps, MultiPolygon, Polygon};
use source::{Faults, Source};

use crate::classify::{self, Cover, Waters};
use crate::facts::{self, Fact, is_land};
use crate::flow;
use crate::globe::Globe;
use crate::overlay::Overlay;
use crate::recipe::{Recipe, Water};
use crate::report::Report;
use crate::terrain::{self, Terrains};
use crate::vectors::{self, Feature};

/// Builds the map whose `recipe.toml`, `facts.toml` and `overlay.geojson` lie in `atlas`, from the Natural Earth
/// files in `geo`.
pub fn build(atlas: &Path, geo: &Path) -> Result<(Map, Report), Faults> {
    let recipe = vectors::open(atlas, "recipe.toml")?;
    let facts = vectors::open(atlas, "facts.toml")?;
    let overlay = vectors::open(atlas, "overlay.geojson")?;
    build_from(&recipe, &facts, &overlay, geo)
}

/// Builds a map from texts that were read already.
pub fn build_from(
    recipe: &Source,
    facts: &Source,
    overlay: &Source,
    geo: &Path,
) -> Result<(Map, Report), Faults> {
    let made = Recipe::read(recipe)?;
    let overlay = Overlay::new(vectors::read(overlay)?, &made)?;
    let facts = facts::read(facts, &made.blank)?;
    let globe = Globe::new(&made, &overlay)
        .ok_or_else(|| recipe.fault(0, "control", "the control points do not determine a fit"))?;
    let mut report = globe.report(&made);
    let mut faults = Faults::default();
    let waters =
        made.water.as_ref().map(|water| read_waters(water, &made, &overlay, &globe, geo)).transpose()?;
    let terrain = terrain::lay(&made, &overlay, &facts, &globe, waters.as_ref(), &mut report);
    let mut map = blank_with(&made, &terrain, recipe)?;
    if let (Some(waters), Some(water)) = (&waters, made.water.as_ref().filter(|water| !water.listed)) {
        part_by_water(&mut map, waters, &water.open);
    }
    overlay.lay_features(&mut map, &made, &globe, &mut report, &mut faults);
    if let Some(water) = &made.water {
        let beds = flow::read_beds(water, &overlay, geo)?;
        flow::lay(&mut map, &made.rivers, &beds, &globe, |river, message| {
            faults.push(recipe.fault(0, format!("river ({river})"), message));
        });
    }
    mark_coast(&mut map);
    if let Some((waters, share)) = waters.as_ref().zip(made.water.as_ref().and_then(|water| water.partial)) {
        mark_partial_sea(&mut map, waters, share);
    }
    lay_facts(&mut map, &facts, &mut faults);
    report.terrain = count_terrain(&map);
    faults.or(Some((map, report)))
}

/// The map with its terrain and nothing else.
fn blank_with(recipe: &Recipe, terrain: &Terrains, source: &Source) -> Result<Map, Faults> {
    let mut faults = Faults::default();
    for name in terrain.values().filter(|name| recipe.letter(name).is_none()) {
        faults.push(source.fault(0, "terrain", format!("no letter stands for the terrain `{name}`")));
    }
    faults.or(Some(()))?;
    recipe.map(|hex| {
        let letter = terrain.get(&hex).and_then(|terrain| recipe.letter(terrain));
        letter.unwrap_or("-").to_owned()
    })
}

/// The polygons of features, laid on the map.
fn polygons<'f>(features: impl Iterator<Item = &'f Feature>, globe: &Globe) -> MultiPolygon {
    let shapes = features.filter_map(|feature| feature.shape.as_ref());
    let pieces = shapes.flat_map(|shape| classify::polygons(globe.shape(shape)));
    MultiPolygon::new(pieces.collect::<Vec<Polygon>>())
}

/// The waters of the sources: all that no land covers, neither theirs nor the overlay's.
fn read_waters(
    water: &Water,
    recipe: &Recipe,
    overlay: &Overlay,
    globe: &Globe,
    geo: &Path,
) -> Result<Waters, Faults> {
    let grid = recipe.blank.grid();
    let (land, lakes) = (vectors::read_files(geo, &water.land)?, vectors::read_files(geo, &water.lakes)?);
    let of = |names: &[String]| polygons(lakes.iter().filter(|lake| names.contains(&lake.name)), globe);
    let (lagoons, fresh) = (of(&water.sea), of(&water.named));
    let land = polygons(land.iter().chain(overlay.of_kind("land")), globe).difference(&lagoons);
    let sea = classify::sheet(grid).difference(&land);
    Ok(Waters { sea: Cover::new(grid, &sea), lake: Cover::new(grid, &fresh), enough: water.cover })
}

/// Marks the hexsides between land hexes that are all water.
fn part_by_water(map: &mut Map, waters: &Waters, open: &[Hexside]) {
    let land: Vec<Hex> = map.hexes().filter(|&hex| is_land(map, hex)).collect();
    for hex in land {
        let later =
            map.neighbours(hex).map(|(_, next)| next).filter(|&next| next > hex && is_land(map, next));
        for next in later.collect::<Vec<_>>() {
            let side = map.grid().side(hex, next).filter(|side| !open.contains(side));
            if let Some(water) = side.and_then(|side| waters.parting(map.grid(), side)) {
                // Both hexes are on the map and adjacent.
                let _ = map.add_side(water, "", hex, next);
            }
        }
    }
}

/// Marks the hexes of the coast that have at least a share of sea in them.
fn mark_partial_sea(map: &mut Map, waters: &Waters, share: f64) {
    let coast: Vec<Hex> = map.hexes_with("coast").hexes().collect();
    for hex in coast {
        if waters.sea.of_hex(map.grid(), hex) >= share {
            // The hex was taken from the map.
            let _ = map.add_hex("partial_sea", "", hex);
        }
    }
}

/// Marks the land hexes beside the sea.
fn mark_coast(map: &mut Map) {
    let by_sea = |hex: Hex| {
        map.neighbours(hex).any(|(dir, next)| {
            map.terrain_name(map.terrain(next)) == "sea" || map.sides_with("sea").has(hex, dir)
        })
    };
    let coast: Vec<Hex> = map.hexes().filter(|&hex| is_land(map, hex) && by_sea(hex)).collect();
    for hex in coast {
        // The hex was taken from the map.
        let _ = map.add_hex("coast", "", hex);
    }
}

/// Lays the facts over the map and asserts each of them; one may build on another, whichever comes first.
fn lay_facts(map: &mut Map, facts: &[Fact], faults: &mut Faults) {
    let title = Source::new(map.title.clone(), "");
    let laid: Vec<_> = facts.iter().map(|fact| fact.lay(map)).collect();
    for (fact, laid) in facts.iter().zip(laid) {
        if let Err(message) = laid.and_then(|()| fact.check(map)) {
            faults.push(title.fault(0, format!("case {} ({})", fact.case, fact.says), message));
        }
    }
}

fn count_terrain(map: &Map) -> Vec<(String, usize)> {
    let count = |terrain| map.hexes().filter(|&hex| map.terrain(hex) == terrain).count();
    map.terrains().map(|(terrain, name)| (name.to_owned(), count(terrain))).collect()
}
