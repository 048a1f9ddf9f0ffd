//! The committed maps, against every fact that their rulebooks print.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use board::{Corner, Hex, Hexside, Map};
use source::{Source, Writer};

/// The maps, each by its folder below `data`.
const MAPS: [&str; 7] = [
    "dagc",
    "bug",
    "barbarossa",
    "bite/games/radzymin",
    "bite/games/uman",
    "ocs/games/orel",
    "ocs/games/kerch",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn open(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::new(path.display().to_string(), text)
}

fn committed(folder: &str) -> Source {
    let name = folder.rsplit('/').next().unwrap();
    open(&root().join(format!("data/{folder}/maps/{name}.toml")))
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

/// Running waters.
const RIVERS: [&str; 4] = ["river", "stream", "minor_river", "major_river"];

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
    assert_eq!(map("bite/games/radzymin").hexes().count(), 30 * 23);
    assert_eq!(map("bite/games/uman").hexes().count(), 38 * 28);
    assert_eq!(map("ocs/games/orel").hexes().count(), 50 * 45);
    assert_eq!(map("ocs/games/kerch").hexes().count(), 64 * 27);
}

#[test]
fn no_hexside_is_of_two_waters() {
    for name in MAPS {
        let map = map(name);
        for water in RIVERS {
            for side in map.sides_with(water).parts().iter().flat_map(|part| &part.items) {
                for wet in RIVERS.into_iter().filter(|&other| other != water).chain(["lake", "sea"]) {
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
    let river = RIVERS
        .iter()
        .any(|kind| sides.iter().any(|&side| map.sides_with(kind).names(side).any(|other| other != name)));
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

/// The pieces of a river, whatever its class: the corners that hang together.
fn pieces(map: &Map, river: &str) -> Vec<BTreeSet<Corner>> {
    let parts = RIVERS.into_iter().flat_map(|kind| map.sides_with(kind).parts());
    let sides = parts.filter(|part| part.name == river).flat_map(|part| &part.items);
    let mut pieces: Vec<BTreeSet<Corner>> = Vec::new();
    for ends in sides.map(|&side| map.grid().side_corners(side)) {
        let (touched, mut apart): (Vec<_>, Vec<_>) =
            pieces.into_iter().partition(|piece| ends.iter().any(|end| piece.contains(end)));
        apart.push(touched.into_iter().flatten().chain(ends).collect());
        pieces = apart;
    }
    pieces
}

#[test]
fn the_rivers_of_bite_and_ocs_flow_somewhere() {
    // A river that leaves the map and comes back has several pieces, but each ends at the edge, in water or in another.
    for name in &MAPS[3..] {
        let map = map(name);
        let parts = RIVERS.into_iter().flat_map(|kind| map.sides_with(kind).parts());
        for river in parts.map(|part| part.name.as_str()).collect::<BTreeSet<_>>() {
            for piece in pieces(&map, river) {
                let good = piece.iter().any(|&corner| ends_well(&map, river, corner));
                assert!(good, "{name}: a piece of the {river} of {} hexsides ends nowhere", piece.len() - 1);
            }
        }
    }
}

/// The links of a map that cross one of these hexsides without a bridge.
fn unbridged(map: &Map, ways: &[&str], waters: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for way in ways {
        for hex in map.hexes() {
            for dir in map.links_with(way).dirs(hex) {
                let wet = waters.iter().any(|water| map.sides_with(water).has(hex, dir));
                if wet && !map.sides_with("bridge").has(hex, dir) {
                    found.push(format!("{way} at {}", map.label(hex)));
                }
            }
        }
    }
    found
}

#[test]
fn roads_of_bite_cross_major_rivers_only_on_bridges() {
    for name in ["bite/games/radzymin", "bite/games/uman"] {
        let map = map(name);
        assert_eq!(unbridged(&map, &["road", "railroad"], &["major_river"]), Vec::<String>::new(), "{name}");
        for side in map.sides_with("bridge").parts().iter().flat_map(|part| &part.items) {
            let carries = |way: &str| map.links_with(way).dirs(side.hex()).any(|dir| dir == side.dir());
            assert!(carries("road") || carries("railroad"), "{name}: {}", map.label(side.hex()));
        }
    }
}

#[test]
fn ways_of_ocs_keep_to_the_land() {
    for name in ["ocs/games/orel", "ocs/games/kerch"] {
        let map = map(name);
        let ways = ["primary_road", "secondary_road", "railroad", "railroad_multi", "railroad_low"];
        assert_eq!(unbridged(&map, &ways, &["sea", "lake"]), Vec::<String>::new(), "{name}");
        for hex in map.hexes().filter(|&hex| !is_land(&map, hex)) {
            assert!(ways.iter().all(|way| map.links_with(way).dirs(hex).next().is_none()), "{name}");
        }
    }
}

#[test]
fn the_start_lines_part_the_whole_land() {
    let sides = [
        ("bite/games/radzymin", "Axis"),
        ("bite/games/uman", "Axis"),
        ("ocs/games/orel", "German"),
        ("ocs/games/kerch", "German"),
    ];
    for (name, first) in sides {
        let map = map(name);
        let [one, other] = [first, "Soviet"].map(|side| map.area(&format!("{side} at start")).unwrap());
        for hex in map.hexes().filter(|&hex| is_land(&map, hex)) {
            assert!(one.has(hex) != other.has(hex), "{name}: {}", map.label(hex));
        }
    }
}

#[test]
fn the_arabat_spit_joins_the_land_only_at_arabat() {
    let map = map("ocs/games/kerch");
    let arabat = map.place("Arabat").unwrap();
    let mut reached: BTreeSet<Hex> = [map.hex("22.27").unwrap()].into();
    let mut queue: Vec<Hex> = reached.iter().copied().collect();
    while let Some(hex) = queue.pop() {
        for (_, next) in map.neighbours(hex) {
            if next != arabat && is_land(&map, next) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    assert_eq!(reached.len(), 20);
    assert!(!reached.contains(&map.place("Dzhankoy").unwrap()));
}

#[test]
fn ships_reach_every_port_and_beach_of_feodosia() {
    // From the Black Sea through full and partial sea hexes (19.1a).
    let map = map("ocs/games/kerch");
    let sea =
        |hex: Hex| map.terrain_name(map.terrain(hex)) == "sea" || map.hexes_with("partial_sea").has(hex);
    let mut reached: BTreeSet<Hex> = [map.hex("64.01").unwrap()].into();
    let mut queue: Vec<Hex> = reached.iter().copied().collect();
    while let Some(hex) = queue.pop() {
        for (_, next) in map.neighbours(hex) {
            if sea(next) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    assert!(map.hexes_with("port").hexes().all(|hex| reached.contains(&hex)));
    for hex in map.hexes_with("beach").hexes() {
        let by_the_sea = map.neighbours(hex).any(|(_, next)| reached.contains(&next));
        assert!(by_the_sea, "{}", map.label(hex));
    }
    assert!(map.area("Sivash").unwrap().hexes().all(|hex| !reached.contains(&hex)));
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
fn neighbours_of_barbarossa_share_a_border() {
    let map = map("barbarossa");
    let realm = |hex: Hex| {
        let names = map.part_names("border");
        let mut realms = names.iter().flat_map(|border| border.split(" / "));
        realms.find(|realm| map.area(realm).is_some_and(|area| area.has(hex))).map(str::to_owned)
    };
    for hex in map.hexes().filter(|&hex| is_land(&map, hex)) {
        for (dir, next) in map.neighbours(hex).filter(|&(_, next)| is_land(&map, next)) {
            let lake = map.sides_with("lake").has(hex, dir);
            let foreign = realm(hex) != realm(next) && !lake;
            assert_eq!(
                map.sides_with("border").has(hex, dir),
                foreign,
                "{} {}",
                map.label(hex),
                map.label(next)
            );
        }
    }
}

#[test]
fn the_coasts_and_zones_of_barbarossa_leave_nothing_out() {
    let map = map("barbarossa");
    let coasts = ["Baltic coast", "Black Sea coast", "Sea of Azov coast"].map(|name| map.area(name).unwrap());
    let [north, south] =
        ["Northern logistical area", "Southern logistical area"].map(|name| map.area(name).unwrap());
    for hex in map.hexes() {
        let coastal = map.hexes_with("coast").has(hex);
        assert_eq!(coasts.iter().any(|coast| coast.has(hex)), coastal, "{}", map.label(hex));
        if is_land(&map, hex) {
            assert!(north.has(hex) != south.has(hex), "{}", map.label(hex));
        }
        for (dir, next) in map.neighbours(hex) {
            let apart = north.has(hex) && south.has(next) || south.has(hex) && north.has(next);
            assert_eq!(map.sides_with("logistics_boundary").has(hex, dir), apart, "{}", map.label(hex));
        }
    }
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
