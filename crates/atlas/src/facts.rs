//! What a rulebook says of its map, each with its case.
//!
//! Facts are laid over what geography gives, and win. The same facts are then asserted against the finished map,
//! by the build and by the tests.

use std::collections::BTreeSet;

use board::{Dir, Hex, Map};
use source::{Doc, Faults, Source, Table};

use crate::recipe::{is_water, read_hexes, read_sides};

/// One statement of a rulebook about its map.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The rulebook's number of the statement.
    pub case: String,
    /// The statement in our own words.
    pub says: String,
    claim: Claim,
}

#[derive(Clone, Debug)]
enum Claim {
    /// A name stands in a hex, with a feature if the fact tells one.
    Place { name: String, hex: Hex, feature: Option<String> },
    /// Hexes have a terrain; `land` is anything but sea and lake.
    Terrain { terrain: String, hexes: Vec<Hex> },
    /// Hexes have a feature, or have not.
    Feature { feature: String, hexes: Vec<Hex>, absent: bool },
    /// Hexsides have a feature, and no others if `only`.
    Side { feature: String, sides: Vec<(Hex, Hex)>, only: bool },
    /// A way runs through hexes.
    Way { link: String, hexes: Vec<Hex> },
    /// An area is exactly these hexes (if any are told) and has so many.
    Area { area: String, hexes: Vec<Hex>, count: Option<usize> },
    /// Hexes belong to an area, whatever else does.
    Within { area: String, hexes: Vec<Hex> },
    /// An edge of the map is these hexes in this order.
    Edge { edge: String, hexes: Vec<Hex> },
    /// Hexes lie so far from one.
    Distance { from: Hex, to: Vec<Hex>, distance: u32 },
    /// A hex lies next to another in a direction.
    Toward { from: Hex, to: Hex, direction: String },
    /// A river parts hexes: nobody walks from one group to the other without crossing it.
    Parts { river: String, one: Vec<Hex>, other: Vec<Hex> },
    /// An area is all the land that can be reached from a hex without crossing a river.
    Bank { area: String, river: String, from: Hex },
    /// The map has these hexes.
    Hexes(Vec<Hex>),
}

/// Reads the facts of a map.
pub fn read(source: &Source, map: &Map) -> Result<Vec<Fact>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    let tables = root.need("fact").map(|item| item.tables()).unwrap_or_default();
    let facts = tables.iter().filter_map(|table| read_fact(table, map)).collect();
    root.done();
    doc.finish(Some(facts))
}

fn read_fact(table: &Table<'_>, map: &Map) -> Option<Fact> {
    let text = |key: &str| table.need(key)?.str().map(str::to_owned);
    let (case, says) = (text("case"), text("says"));
    let claim = read_claim(table, map);
    table.done();
    Some(Fact { case: case?, says: says?, claim: claim? })
}

/// The fields that tell what a fact claims, the most telling first: a place may also name a feature.
const KINDS: [&str; 12] = [
    "place",
    "terrain",
    "feature",
    "side",
    "link",
    "within",
    "bank",
    "area",
    "edge",
    "distance",
    "direction",
    "parted_by",
];

fn read_claim(table: &Table<'_>, map: &Map) -> Option<Claim> {
    let kind = KINDS.into_iter().find(|kind| table.get(kind).is_some());
    let text = |key: &str| table.get(key)?.str().map(str::to_owned);
    let flag = |key: &str| table.get(key).and_then(|item| item.bool()).unwrap_or(false);
    let some_hexes = |key: &str| table.get(key).map(|item| read_hexes(&item, map)).unwrap_or_default();
    let hexes = |key: &str| table.need(key).map(|item| read_hexes(&item, map));
    let hex = |key: &str| table.need(key)?.parse(|label| map.hex(label));
    let said = kind.filter(|kind| *kind != "distance").and_then(text);
    Some(match kind {
        Some("place") => Claim::Place { name: said?, hex: hex("hex")?, feature: text("feature") },
        Some("terrain") => Claim::Terrain { terrain: said?, hexes: hexes("hexes")? },
        Some("feature") => Claim::Feature { feature: said?, hexes: hexes("hexes")?, absent: flag("absent") },
        Some("side") => {
            let sides = table.need("hexsides").map(|item| read_sides(&item, map));
            Claim::Side { feature: said?, sides: sides?, only: flag("only") }
        }
        Some("link") => Claim::Way { link: said?, hexes: hexes("hexes")? },
        Some("within") => Claim::Within { area: said?, hexes: hexes("hexes")? },
        Some("bank") => Claim::Bank { area: text("area")?, river: said?, from: hex("from")? },
        Some("area") => {
            let count = table.get("count").and_then(|item| item.int(1..=40_000));
            Claim::Area { area: said?, hexes: some_hexes("hexes"), count }
        }
        Some("edge") => Claim::Edge { edge: said?, hexes: hexes("hexes")? },
        Some("distance") => {
            let distance = table.need("distance").and_then(|item| item.int(0..=400));
            Claim::Distance { from: hex("from")?, to: hexes("to")?, distance: distance? }
        }
        Some("direction") => Claim::Toward { from: hex("from")?, to: hex("to")?, direction: said? },
        Some("parted_by") => Claim::Parts { river: said?, one: hexes("one")?, other: hexes("other")? },
        _ => Claim::Hexes(hexes("hexes")?),
    })
}

impl Fact {
    /// The terrain that this fact gives to hexes, if that is what it does.
    pub(crate) fn terrain(&self) -> Option<(&str, &[Hex])> {
        match &self.claim {
            Claim::Terrain { terrain, hexes } => Some((terrain, hexes)),
            _ => None,
        }
    }

    /// Lays the fact over a map that does not show it yet.
    pub(crate) fn lay(&self, map: &mut Map) -> Result<(), String> {
        match &self.claim {
            Claim::Place { name, hex, feature } => lay_place(map, name, *hex, feature.as_deref()),
            Claim::Feature { feature, hexes, absent: false } => hexes
                .iter()
                .filter(|&&hex| !map.hexes_with(feature).has(hex))
                .copied()
                .collect::<Vec<_>>()
                .into_iter()
                .try_for_each(|hex| map.add_hex(feature, "", hex)),
            Claim::Side { feature, sides, .. } => {
                let new = |map: &Map, a: Hex, b: Hex| {
                    map.grid().dir_between(a, b).is_some_and(|dir| !map.sides_with(feature).has(a, dir))
                };
                sides.iter().try_for_each(|&(a, b)| {
                    if new(map, a, b) { map.add_side(feature, "", a, b) } else { Ok(()) }
                })
            }
            Claim::Bank { area, river, from } => {
                let bank: Vec<Hex> = bank(map, river, &[*from]);
                bank.into_iter().try_for_each(|hex| map.add_to_area(area, hex))
            }
            Claim::Area { area, hexes, .. } => hexes.iter().try_for_each(|&hex| map.add_to_area(area, hex)),
            Claim::Edge { edge, hexes } if map.edge(edge).is_none() => {
                hexes.iter().try_for_each(|&hex| map.add_to_edge(edge, hex))
            }
            _ => Ok(()),
        }
    }

    /// Asserts the fact; what the map shows instead otherwise.
    pub fn check(&self, map: &Map) -> Result<(), String> {
        match &self.claim {
            Claim::Place { name, hex, feature } => check_place(map, name, *hex, feature.as_deref()),
            Claim::Terrain { terrain, hexes } => {
                all(map, hexes, &format!("is not {terrain}"), |hex| is_terrain(map, hex, terrain))
            }
            Claim::Feature { feature, hexes, absent } => {
                let has = if *absent { "has" } else { "lacks" };
                all(map, hexes, &format!("{has} {feature}"), |hex| {
                    map.hexes_with(feature).has(hex) != *absent
                })
            }
            Claim::Side { feature, sides, only } => check_sides(map, feature, sides, *only),
            Claim::Way { link, hexes } => {
                let ways = map.links_with(link);
                all(map, hexes, &format!("has no {link}"), |hex| ways.dirs(hex).next().is_some())
            }
            Claim::Area { area, hexes, count } => check_area(map, area, hexes, *count),
            Claim::Within { area, hexes } => {
                let layer = map.area(area).ok_or_else(|| format!("there is no area {area}"))?;
                all(map, hexes, &format!("is not in {area}"), |hex| layer.has(hex))
            }
            Claim::Edge { edge, hexes } => match map.edge(edge) {
                Some(found) if found == hexes.as_slice() => Ok(()),
                _ => Err(format!("the {edge} edge has other hexes")),
            },
            Claim::Distance { from, to, distance } => {
                all(map, to, &format!("is not {distance} from {}", map.label(*from)), |hex| {
                    map.grid().distance(*from, hex) == *distance
                })
            }
            Claim::Toward { from, to, direction } => {
                let dir = Dir::named(direction, map.grid().orientation());
                let there = dir.and_then(|dir| map.neighbour(*from, dir));
                all(map, &[*to], &format!("does not lie {direction} of {}", map.label(*from)), |hex| {
                    there == Some(hex)
                })
            }
            Claim::Parts { river, one, other } => {
                let reached = bank(map, river, one);
                all(map, other, &format!("is not parted by the {river}"), |hex| !reached.contains(&hex))
            }
            Claim::Bank { area, river, from } => check_area(map, area, &bank(map, river, &[*from]), None),
            Claim::Hexes(hexes) => all(map, hexes, "is not there", |hex| map.contains(hex)),
        }
    }
}

/// True for a hex that is not under water.
pub(crate) fn is_land(map: &Map, hex: Hex) -> bool {
    !is_water(map.terrain_name(map.terrain(hex)))
}

fn is_terrain(map: &Map, hex: Hex, terrain: &str) -> bool {
    match terrain {
        "land" => is_land(map, hex),
        name => map.terrain_name(map.terrain(hex)) == name,
    }
}

fn all(map: &Map, hexes: &[Hex], else_says: &str, holds: impl Fn(Hex) -> bool) -> Result<(), String> {
    let wrong: Vec<String> = hexes.iter().filter(|&&hex| !holds(hex)).map(|&hex| map.label(hex)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} {else_says}", wrong.join(" "))) }
}

fn lay_place(map: &mut Map, name: &str, hex: Hex, feature: Option<&str>) -> Result<(), String> {
    if map.place(name).is_none() {
        map.add_place(name, hex)?;
    }
    match feature {
        Some(feature) if !map.hexes_with(feature).has(hex) => map.add_hex(feature, name, hex),
        _ => Ok(()),
    }
}

fn check_place(map: &Map, name: &str, hex: Hex, feature: Option<&str>) -> Result<(), String> {
    if map.place(name) != Some(hex) {
        let found = map.place(name).map_or("nowhere".to_owned(), |hex| format!("in {}", map.label(hex)));
        return Err(format!("{name} is {found}, not in {}", map.label(hex)));
    }
    match feature {
        Some(feature) if !map.hexes_with(feature).has(hex) => Err(format!("{name} is no {feature}")),
        _ => Ok(()),
    }
}

fn check_sides(map: &Map, feature: &str, sides: &[(Hex, Hex)], only: bool) -> Result<(), String> {
    let layer = map.sides_with(feature);
    for &(a, b) in sides {
        if !map.grid().dir_between(a, b).is_some_and(|dir| layer.has(a, dir)) {
            return Err(format!("{}/{} is no {feature}", map.label(a), map.label(b)));
        }
    }
    let count: usize = layer.parts().iter().map(|part| part.items.len()).sum();
    if only && count != sides.len() {
        return Err(format!("{count} hexsides are {feature}, not {}", sides.len()));
    }
    Ok(())
}

fn check_area(map: &Map, area: &str, hexes: &[Hex], count: Option<usize>) -> Result<(), String> {
    let layer = map.area(area).ok_or_else(|| format!("there is no area {area}"))?;
    if let Some(count) = count.filter(|&count| count != layer.len()) {
        return Err(format!("{area} has {} hexes, not {count}", layer.len()));
    }
    all(map, hexes, &format!("is not in {area}"), |hex| layer.has(hex))?;
    match hexes.is_empty() || hexes.len() == layer.len() {
        true => Ok(()),
        false => Err(format!("{area} has {} hexes, not {}", layer.len(), hexes.len())),
    }
}

/// The land that can be reached from some hexes without crossing a river, in reading order.
fn bank(map: &Map, river: &str, from: &[Hex]) -> Vec<Hex> {
    let rivers = ["river", "major_river", "minor_river"].map(|kind| map.sides_with(kind));
    let crosses = |hex: Hex, dir: Dir| {
        let side = map.grid().hexside(hex, dir);
        rivers.iter().any(|kind| kind.names(side).any(|name| name == river))
    };
    let parted = |hex: Hex, dir: Dir| ["sea", "lake"].iter().any(|water| map.sides_with(water).has(hex, dir));
    let mut reached: BTreeSet<Hex> = from.iter().copied().collect();
    let mut queue = from.to_vec();
    while let Some(hex) = queue.pop() {
        for (dir, next) in map.neighbours(hex) {
            if is_land(map, next) && !parted(hex, dir) && !crosses(hex, dir) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    reached.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORD: &str = r#"
grid = """
. . ~
 . . .
"""
[terrain]
"." = "clear"
"~" = "sea"
[side.river]
Ford = "0102/0202 0201/0202"
"#;

    fn map() -> Map {
        Map::sketch(FORD, &[]).unwrap()
    }

    fn facts(text: &str) -> Vec<Fact> {
        let source = Source::new("facts.toml", text);
        read(&source, &map()).unwrap()
    }

    fn holds(claim: &str) -> Result<(), String> {
        facts(&format!("[[fact]]\ncase = \"1\"\nsays = \"so\"\n{claim}"))[0].check(&map())
    }

    #[test]
    fn facts_hold_or_say_what_is_there_instead() {
        assert_eq!(holds("terrain = \"land\"\nhexes = \"0101 0201\""), Ok(()));
        assert_eq!(holds("terrain = \"land\"\nhexes = \"0101..0301\""), Err("0301 is not land".to_owned()));
        assert_eq!(holds("distance = 1\nfrom = \"0101\"\nto = \"0201 0102\""), Ok(()));
        assert_eq!(holds("link = \"road\"\nhexes = \"0101\""), Err("0101 has no road".to_owned()));
        assert_eq!(holds("direction = \"E\"\nfrom = \"0101\"\nto = \"0201\""), Ok(()));
        assert_eq!(holds("place = \"Home\"\nhex = \"0101\""), Err("Home is nowhere, not in 0101".to_owned()));
        assert_eq!(holds("area = \"Zone\"\ncount = 2"), Err("there is no area Zone".to_owned()));
        assert!(holds("side = \"river\"\nhexsides = \"0102/0202\"\nonly = true").is_err());
    }

    #[test]
    fn facts_are_laid_over_a_map() {
        let mut map = map();
        let facts = facts(
            "[[fact]]\ncase = \"1\"\nsays = \"home\"\nplace = \"Home\"\nhex = \"0101\"\nfeature = \"town\"\n\
             [[fact]]\ncase = \"2\"\nsays = \"zone\"\narea = \"Zone\"\nhexes = \"0101 0201\"\ncount = 2\n\
             [[fact]]\ncase = \"3\"\nsays = \"edge\"\nedge = \"north\"\nhexes = \"0101..0301\"\n",
        );
        for fact in &facts {
            assert!(fact.check(&map).is_err());
            fact.lay(&mut map).unwrap();
            assert_eq!(fact.check(&map), Ok(()));
        }
    }

    #[test]
    fn bad_facts_are_told_with_line_and_field() {
        let source = Source::new("facts.toml", "[[fact]]\ncase = \"1\"\nhexes = \"0101 9999\"\n");
        let told = read(&source, &map()).unwrap_err().to_string();
        assert!(told.contains("facts.toml:3: fact[0].hexes: there is no hex 9999"), "{told}");
        assert!(told.contains("the field `says` is missing"), "{told}");
    }
}
