//! The committed maps, against every fact that their rulebooks print.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use board::{Corner, Hex, Hexside, Map};
use source::{Source, Writer};

const MAPS: [&str; 3] = ["dagc", "bug", "barbarossa"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn open(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::new(path.display().to_string(), text)
}

fn committed(name: &str) -> Source {
    open(&root().join(format!("data/{name}/maps/{name}.toml")))
}

fn map(name: &str) -> Map {
    Map::parse(&committed(name), &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn written(map: &Map) -> String {
    let mut out = Writer::new();
    map.write(&mut out);
    out.finish()
}

fn is_land(map: &Map, hex: Hex) -> bool {
    !matches!(map.terrain_name(map.terrain(hex)), "sea" | "lake")
}

/// Natural Earth, if it is there: it is not part of the project.
fn geography() -> Option<PathBuf> {
    let given = std::env::var_os("GROGNARD_GEO").map(PathBuf::from);
    given
        .or_else(|| Some(root().join("../shared/geo")))
        .filter(|path| path.join("ne_10m_land.geojson").is_file())
}

#[test]
fn every_fact_holds_on_the_committed_map() {
    for name in MAPS {
        let map = map(name);
        let facts = open(&root().join(format!("data/{name}/atlas/facts.toml")));
        let facts = atlas::facts::read(&facts, &map).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(facts.len() >= 10, "{name} has hardly any facts");
        for fact in facts {
            if let Err(found) = fact.check(&map) {
                panic!("{name}, case {}, {}: {found}", fact.case, fact.says);
            }
        }
    }
}

#[test]
fn rebuilding_gives_the_committed_map() {
    let Some(geography) = geography() else { return };
    for name in MAPS {
        let atlas = root().join(format!("data/{name}/atlas"));
        let (built, report) = atlas::build(&atlas, &geography).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(
            written(&built) == committed(name).text,
            "{name} is not what its recipe gives: build it again"
        );
        for residual in &report.residuals {
            assert_eq!(residual.placed_hex, residual.hex, "{name}: {}", residual.place);
        }
    }
}

#[test]
fn maps_are_read_back_as_they_were_written() {
    for name in MAPS {
        assert_eq!(written(&map(name)), committed(name).text, "{name}");
    }
}

#[test]
fn every_hex_has_a_terrain_of_the_legend() {
    for name in MAPS {
        let map = map(name);
        let known: BTreeSet<&str> = map.terrains().map(|(_, name)| name).collect();
        assert!(map.hexes().all(|hex| known.contains(map.terrain_name(map.terrain(hex)))));
    }
    assert_eq!(map("dagc").hexes().count(), 21 * 29 + 20 * 28);
    assert_eq!(map("bug").hexes().count(), 35 * 24);
    assert_eq!(map("barbarossa").hexes().count(), 525);
}

#[test]
fn no_hexside_is_both_river_and_lake() {
    for name in MAPS {
        let map = map(name);
        for water in ["river", "stream"] {
            for side in map.sides_with(water).parts().iter().flat_map(|part| &part.items) {
                for wet in ["lake", "sea"] {
                    assert!(
                        !map.sides_with(wet).has(side.hex(), side.dir()),
                        "{name}: {}",
                        map.label(side.hex())
                    );
                }
                let (hex, beyond) = map.grid().side_hexes(*side);
                assert!(is_land(&map, hex) || beyond.is_some_and(|beyond| is_land(&map, beyond)));
            }
        }
    }
}

/// The ends of a chain of hexsides, if it is one: no gap, no fork, no ring.
fn ends(map: &Map, chain: &[Hexside]) -> Option<[Corner; 2]> {
    let ways = |corner: Corner| {
        chain.iter().filter(|&&side| map.grid().side_corners(side).contains(&corner)).count()
    };
    let corners: BTreeSet<Corner> = chain.iter().flat_map(|&side| map.grid().side_corners(side)).collect();
    let single: Vec<Corner> = corners.iter().copied().filter(|&corner| ways(corner) == 1).collect();
    let whole = corners.len() == chain.len() + 1 && corners.iter().all(|&corner| ways(corner) <= 2);
    let in_order = chain.windows(2).all(|pair| {
        let [a, b] = [pair[0], pair[1]].map(|side| map.grid().side_corners(side));
        a.iter().any(|corner| b.contains(corner))
    });
    match single[..] {
        [a, b] if whole && in_order => Some([a, b]),
        _ => None,
    }
}

/// What a river ends at: the edge of the map, water, or another river.
fn ends_well(map: &Map, name: &str, corner: Corner) -> bool {
    let hexes = map.grid().corner_hexes(corner);
    let edge = hexes.iter().filter(|&&hex| map.contains(hex)).count() < 3;
    let wet = hexes.iter().any(|&hex| map.contains(hex) && !is_land(map, hex));
    let sides = map.grid().corner_sides(corner);
    let strait = sides
        .iter()
        .any(|side| ["sea", "lake"].iter().any(|wet| map.sides_with(wet).has(side.hex(), side.dir())));
    let river = sides.iter().any(|&side| map.sides_with("river").names(side).any(|other| other != name));
    edge || wet || strait || river
}

#[test]
fn the_rivers_of_dagc_run_without_a_gap() {
    let map = map("dagc");
    let rivers = map.sides_with("river").parts();
    let both_ends = ["Dvina", "Dnepr", "Vistula", "Bug", "Narva"];
    for name in ["Dvina", "Dnepr", "Berezina", "Niemen", "Pripyat", "Bug", "Vistula", "Narew"] {
        assert!(rivers.iter().any(|river| river.name == name), "the {name} is missing");
    }
    for river in rivers {
        let ends = ends(&map, &river.items).unwrap_or_else(|| panic!("the {} is no chain", river.name));
        let good = ends.iter().filter(|&&corner| ends_well(&map, &river.name, corner)).count();
        let needed = if both_ends.contains(&river.name.as_str()) { 2 } else { 1 };
        assert!(good >= needed, "the {} ends nowhere", river.name);
    }
}

#[test]
fn the_rivers_of_barbarossa_and_bug_are_chains() {
    for name in ["barbarossa", "bug"] {
        let map = map(name);
        for river in map.sides_with("river").parts() {
            let corners: BTreeSet<Corner> =
                river.items.iter().flat_map(|&side| map.grid().side_corners(side)).collect();
            // Where the river is a reservoir, its hexsides are lake.
            let lakes = map.sides_with("lake").parts().iter().flat_map(|part| &part.items);
            let dammed = lakes
                .filter(|&&side| map.grid().side_corners(side).iter().all(|corner| corners.contains(corner)));
            let sides = river.items.len() + dammed.count();
            assert_eq!(corners.len(), sides + 1, "{name}: the {} is no chain", river.name);
        }
    }
}

#[test]
fn edges_run_along_the_map() {
    for name in MAPS {
        let map = map(name);
        let outer: BTreeSet<Hex> = map.edge_hexes().collect();
        assert_eq!(map.edges().count(), 4);
        for (edge, hexes) in map.edges() {
            assert!(hexes.iter().all(|hex| outer.contains(hex)), "{name}: {edge}");
            assert!(
                hexes.windows(2).all(|pair| map.grid().distance(pair[0], pair[1]) <= 2),
                "{name}: {edge}"
            );
        }
    }
}

#[test]
fn the_narrows_are_the_only_way_over_lake_peipus() {
    // From the east shore to the west shore without the narrows: only around the lake.
    let map = map("dagc");
    let (east, west) = (map.hex("1803").unwrap(), map.hex("1804").unwrap());
    let shared: Vec<Hex> =
        map.neighbours(east).map(|(_, hex)| hex).filter(|&hex| map.grid().adjacent(hex, west)).collect();
    assert_eq!(shared.len(), 2);
    assert!(shared.iter().all(|&hex| map.terrain_name(map.terrain(hex)) == "lake"));
}

#[test]
fn islands_of_dagc_touch_no_land_in_play() {
    let map = map("dagc");
    let islands = map.area("out of play").unwrap();
    for hex in islands.hexes() {
        assert!(is_land(&map, hex), "{}", map.label(hex));
        for (dir, next) in map.neighbours(hex) {
            let apart = !is_land(&map, next) || islands.has(next) || map.sides_with("sea").has(hex, dir);
            assert!(apart, "{} touches {}", map.label(hex), map.label(next));
        }
    }
    // Everything else that is land can be walked to from Minsk.
    let mut reached: BTreeSet<Hex> = [map.place("Minsk").unwrap()].into();
    let mut queue: Vec<Hex> = reached.iter().copied().collect();
    while let Some(hex) = queue.pop() {
        for (dir, next) in map.neighbours(hex) {
            if is_land(&map, next) && !map.sides_with("sea").has(hex, dir) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    let cut: Vec<String> = map
        .hexes()
        .filter(|&hex| is_land(&map, hex) && !islands.has(hex) && !reached.contains(&hex))
        .map(|hex| map.label(hex))
        .collect();
    assert_eq!(cut, Vec::<String>::new());
}

#[test]
fn dagc_towns_and_cities_stand_alone_and_on_land() {
    let map = map("dagc");
    let places: Vec<Hex> = map.places().map(|(_, hex)| hex).filter(|&hex| is_land(&map, hex)).collect();
    let places = BTreeSet::from_iter(places);
    assert_eq!(places.len(), 38);
    assert_eq!(map.hexes_with("city").len(), 6);
    assert_eq!(map.hexes_with("town").len(), 32);
    let ports: BTreeSet<Hex> = map.hexes_with("port").hexes().collect();
    let coastal: BTreeSet<Hex> = places
        .iter()
        .copied()
        .filter(|&hex| map.hexes_with("coast").has(hex) && Some(hex) != map.place("Narva"))
        .collect();
    assert_eq!(ports, coastal, "all coastal towns but Narva are ports (7.9)");
}

#[test]
fn the_victory_hexes_of_barbarossa() {
    let map = map("barbarossa");
    let soviet = map.area("USSR").unwrap();
    let baltic = ["Lithuania", "Latvia", "Estonia"];
    let in_the_west = |hex: &Hex| {
        !soviet.has(*hex) && !baltic.iter().any(|name| map.area(name).is_some_and(|area| area.has(*hex)))
    };
    let cities = map.hexes_with("city").hexes().filter(in_the_west).count();
    let oil = map.hexes_with("oil").hexes().filter(in_the_west).count();
    let industry = map.hexes_with("industry").hexes().filter(in_the_west).count();
    assert_eq!((cities, oil, industry), (11, 2, 1), "14 in the west, 11 of them cities (4.2)");
    let land: BTreeSet<Hex> = map.hexes().filter(|&hex| is_land(&map, hex)).collect();
    let countries = [
        "Greater Germany",
        "General Government",
        "Slovakia",
        "Hungary",
        "Romania",
        "Bulgaria",
        "Yugoslavia",
        "Lithuania",
        "Latvia",
        "Estonia",
        "USSR",
    ];
    let owned: Vec<Hex> =
        countries.iter().flat_map(|name| map.area(name).unwrap().hexes().collect::<Vec<_>>()).collect();
    assert_eq!(owned.len(), land.len());
    assert_eq!(owned.into_iter().collect::<BTreeSet<_>>(), land);
}

#[test]
fn roads_of_bug_cross_water_only_on_bridges() {
    let map = map("bug");
    let bridges = map.sides_with("bridge");
    for link in ["main_road", "road", "railway"] {
        for hex in map.hexes() {
            for dir in map.links_with(link).dirs(hex) {
                let wet = ["river", "stream"].iter().any(|water| map.sides_with(water).has(hex, dir));
                assert!(!wet || bridges.has(hex, dir), "{link} at {}", map.label(hex));
                assert!(!map.sides_with("lake").has(hex, dir));
            }
        }
    }
    let over_bug: Vec<_> = bridges
        .parts()
        .iter()
        .filter(|part| part.items.iter().any(|side| map.sides_with("river").has(side.hex(), side.dir())))
        .map(|part| part.name.as_str())
        .collect();
    assert_eq!(over_bug, ["Vygodanka bridge", "Ustyluh bridge"]);
}

/// The land that is German at start: all that can be reached from Vitebsk without a Soviet trench or the narrows.
fn german_at_start(map: &Map) -> BTreeSet<Hex> {
    let trenches = map.hexes_with("soviet_entrenchment");
    let barred = ["narrows", "sea", "lake"];
    let mut german: BTreeSet<Hex> = [map.hex("3500").unwrap()].into();
    let mut queue: Vec<Hex> = german.iter().copied().collect();
    while let Some(hex) = queue.pop() {
        for (dir, next) in map.neighbours(hex) {
            let open = is_land(map, next)
                && !trenches.has(next)
                && !barred.iter().any(|b| map.sides_with(b).has(hex, dir));
            if open && german.insert(next) {
                queue.push(next);
            }
        }
    }
    german
}

#[test]
fn the_front_of_dagc_exposes_the_sources_of_7_10_and_no_other() {
    let map = map("dagc");
    let german = german_at_start(&map);
    let mut places = map.places().filter(|&(_, hex)| is_land(&map, hex));
    assert!(places.all(|(_, hex)| german.contains(&hex)), "every place is German at start (4.3)");
    assert!(map.area("German supply").unwrap().hexes().all(|hex| german.contains(&hex)));
    let sources = map.area("Soviet supply").unwrap();
    assert!(sources.hexes().all(|hex| !german.contains(&hex)));
    let exposed: Vec<String> = sources
        .hexes()
        .filter(|&hex| map.neighbours(hex).any(|(_, next)| german.contains(&next)))
        .map(|hex| map.label(hex))
        .collect();
    assert_eq!(exposed, ["1300", "3300", "3400", "3600", "3800", "4000", "4200", "4300", "5019"]);
}
