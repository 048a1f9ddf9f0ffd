//! Maps as text: what is read, what is written, and what is said about bad input.
#![allow(clippy::unwrap_used)]

use board::{Dir, Grid, Hex, Map, Orientation, Shifted};
use source::Writer;

const LEGEND: &[(&str, &str)] = &[(".", "clear"), ("f", "forest")];

const FORD: &str = r#"
title = "The Ford"
hexes = "points-up"
shifted = "odd"
km = 26.0
grid = """
 . . f .
- f s .
"""

[labels]
form = "{row:2}{col:2}"
row = { first = 10, runs = "south" }
col = { first = 0, runs = "west" }

[terrain]
s = "swamp"

[edges]
north = "1003..1000"
east = "1000 1100"

[hex]
entrenchment = "1101 1000..1002"
[hex.city]
Minsk = "1102"
Pinsk = "1100 1101"

[side]
lake = "1001/1002"
[side.river]
Dvina = "1102/1002 1001/1101"
Bug = "1001/1101"

[link]
rail = "1000-1001-1101"
[link.road]
"Minsk highway" = "1102-1101-1100 1002-1102"

[area]
"1UF" = "1100 1000..1003"

[place]
Minsk = "1102"
"Minsk (old town)" = "1102"
"#;

fn ford() -> Map {
    Map::sketch(FORD, LEGEND).unwrap()
}

fn written(map: &Map) -> String {
    let mut out = Writer::new();
    map.write(&mut out);
    out.finish()
}

#[test]
fn hexes_terrain_and_labels() {
    let map = ford();
    assert_eq!((map.title.as_str(), map.km), ("The Ford", Some(26.0)));
    assert_eq!((map.grid().lines(), map.grid().width(), map.len()), (2, 4, 8));
    assert_eq!(map.hexes().count(), 7);
    assert_eq!(map.label(Hex::new(0, 0)), "1003");
    assert_eq!(map.hex("1103").unwrap_err(), "there is no hex 1103 on this map");
    let name = |label: &str| map.terrain_name(map.terrain(map.hex(label).unwrap()));
    assert_eq!([name("1003"), name("1102"), name("1101")], ["clear", "forest", "swamp"]);
    assert_eq!(map.terrain_named("forest"), Some(board::Terrain(1)));
    assert_eq!(map.terrain_named("sea"), None);
    assert_eq!(map.neighbour(map.hex("1102").unwrap(), Dir::D3), None, "there is no hex 1103");
    assert_eq!(map.neighbour(map.hex("1102").unwrap(), Dir::D5), map.hex("1002").ok());
    assert!(map.prints_label(Hex::new(0, 0)));
}

#[test]
fn layers() {
    let map = ford();
    let hex = |label: &str| map.hex(label).unwrap();
    assert_eq!(map.hex_features().collect::<Vec<_>>(), ["city", "entrenchment"]);
    assert_eq!(map.hexes_with("entrenchment").len(), 4);
    assert_eq!(map.hexes_with("city").names(hex("1101")).collect::<Vec<_>>(), ["Pinsk"]);
    assert_eq!(map.part_names("city"), ["Minsk", "Pinsk"]);
    assert!(map.hexes_with("port").is_empty());

    let river = map.sides_with("river");
    let dir = map.grid().dir_between(hex("1001"), hex("1101")).unwrap();
    assert!(river.has(hex("1001"), dir) && river.has(hex("1101"), dir.opposite()));
    assert!(!river.has(hex("1001"), dir.opposite()));
    let side = map.grid().side(hex("1101"), hex("1001")).unwrap();
    assert_eq!(river.names(side).collect::<Vec<_>>(), ["Dvina", "Bug"]);

    let road = map.links_with("road");
    assert!(road.has(hex("1102"), Dir::D0) && road.has(hex("1101"), Dir::D3));
    assert!(!road.touches(hex("1001")));
    assert!(map.links_with("rail").touches(hex("1001")));

    assert_eq!(map.area("1UF").unwrap().len(), 5);
    assert!(map.area("2UF").is_none());
    assert_eq!(map.places_in(hex("1102")).collect::<Vec<_>>(), ["Minsk", "Minsk (old town)"]);
    let north: Vec<_> = map.edge("north").unwrap().iter().map(|hex| map.label(*hex)).collect();
    assert_eq!(north, ["1003", "1002", "1001", "1000"]);
    assert_eq!(map.edge_hexes().count(), 7);
}

#[test]
fn written_text_is_canonical() {
    let map = ford();
    let text = written(&map);
    assert_eq!(Map::sketch(&text, LEGEND).unwrap(), map);
    assert_eq!(written(&Map::sketch(&text, LEGEND).unwrap()), text);
    assert_eq!(
        text,
        r#"title = "The Ford"
hexes = "points-up"
shifted = "odd"
km = 26.0
grid = """
 . . f .
- f s .
"""

[labels]
form = "{row:2}{col:2}"
row = { first = 10, runs = "south" }
col = { first = 0, runs = "west" }

[terrain]
s = "swamp"

[edges]
north = "1003..1000"
east = "1000 1100"

[hex]
entrenchment = "1000..1002 1101"

[hex.city]
Minsk = "1102"
Pinsk = "1100 1101"

[side]
lake = "1002/1001"

[side.river]
Dvina = "1002/1102 1001/1101"
Bug = "1001/1101"

[link]
rail = "1000-1001-1101"

[link.road]
"Minsk highway" = "1102-1101-1100 1002-1102"

[area]
1UF = "1000..1003 1100"

[place]
Minsk = "1102"
"Minsk (old town)" = "1102"
"#
    );
}

#[test]
fn a_map_may_stand_inside_another_text() {
    let mut out = Writer::new();
    out.table("map");
    ford().write_under(&mut out, "map");
    let source = source::Source::new("situation", out.finish());
    let doc = source::Doc::parse(&source).unwrap();
    let map = Map::read(&doc.root().need("map").unwrap().table().unwrap(), LEGEND);
    assert_eq!(doc.finish(map).unwrap(), ford());
}

#[test]
fn flat_tops_are_drawn_row_by_row() {
    let text = "hexes = 'flat-top'\nshifted = 'even'\ngrid = '''\n. f .\n. . -\n'''\n\
                [labels]\nform = 'A{col:2}.{row:2}'\nrow = { runs = 'north' }\nprinted = 2\n";
    let map = Map::sketch(text, LEGEND).unwrap();
    assert_eq!((map.grid().lines(), map.grid().width()), (3, 2));
    let forest = map.hex("A02.02").unwrap();
    assert_eq!((forest, map.terrain(forest)), (Hex::new(1, 0), map.terrain_named("forest").unwrap()));
    assert_eq!(map.neighbours(forest).count(), 4, "0201, 0101, 0102 and 0302; 0301 is missing");
    let printed: Vec<String> =
        map.hexes().filter(|&hex| map.prints_label(hex)).map(|hex| map.label(hex)).collect();
    assert_eq!(printed, ["A01.02", "A02.02", "A03.02"], "every second row");
    assert_eq!(Map::sketch(&written(&map), LEGEND).unwrap(), map);
}

#[test]
fn a_sketch_needs_nothing_but_a_grid() {
    let map = Map::sketch("grid = '. f .'", LEGEND).unwrap();
    assert_eq!(map.hexes().map(|hex| map.label(hex)).collect::<Vec<_>>(), ["0101", "0201", "0301"]);
}

#[test]
fn a_large_map_gets_labels_of_more_digits() {
    let map = Map::blank(Grid::new(3, 120, Orientation::PointsUp, Shifted::Even).unwrap(), "clear");
    assert_eq!(map.label(Hex::new(2, 119)), "12003");
    assert_eq!(Map::sketch(&written(&map), &[]).unwrap(), map);
}

#[test]
fn every_fault_is_told_with_line_and_field() {
    let text = r#"title = 7
hexes = "pointy"
km = -1
colour = "red"
grid = """
. . f
. . . .
. x .
"""
"#;
    assert_eq!(
        Map::sketch(text, LEGEND).unwrap_err().to_string(),
        "sketch:1: title: expected a string, found `7`\n\
         sketch:2: hexes: `pointy` is not one of points-up, flat-top\n\
         sketch:3: km: expected a number above 0, found -1\n\
         sketch:4: colour: unknown field; expected one of area, edges, grid, hex, hexes, km, labels, link, \
         place, shifted, side, terrain, title"
    );
    let text = text.replace("pointy", "points-up");
    assert_eq!(
        Map::sketch(&text, LEGEND).unwrap_err().to_string(),
        "sketch:1: title: expected a string, found `7`\n\
         sketch:3: km: expected a number above 0, found -1\n\
         sketch:4: colour: unknown field; expected one of area, edges, grid, hex, hexes, km, labels, link, \
         place, shifted, side, terrain, title\n\
         sketch:7: grid: row 2 has 4 hexes, expected 3 as in the first row\n\
         sketch:8: grid: unknown letter `x`; expected one of . f or -"
    );
}

#[test]
fn faults_of_features() {
    let text = r#"grid = """
. . f
. . .
"""
[terrain]
f = "swamp"
- = "gap"
[edges]
north = "0101 0101"
[hex]
"a b" = "0101"
town = "0101 0909 01"
[side]
river = """
0101/0102
0101/0301 0101
"""
[link]
road = "0101-0301 0101 0101-0201-0909"
[area]
north = "0101..0202"
south = 3
[place]
Minsk = "0101 0201"
"#;
    assert_eq!(
        Map::sketch(text, LEGEND).unwrap_err().to_string(),
        "sketch:6: terrain.f: `f` already means forest\n\
         sketch:7: terrain.-: `-` cannot stand for a terrain: expected letters without spaces, and not -\n\
         sketch:9: edges.north: 0101 is named twice\n\
         sketch:11: hex.a b: a feature is named by letters, digits, - and _\n\
         sketch:12: hex.town: there is no hex 0909 on this map\n\
         sketch:12: hex.town: `01` is not a hex; a label here looks like 0101\n\
         sketch:16: side.river: 0101 and 0301 are not adjacent\n\
         sketch:16: side.river: expected a hexside A/B, found `0101`\n\
         sketch:19: link.road: the chain jumps: 0101 and 0301 are not adjacent\n\
         sketch:19: link.road: a chain needs two hexes or more, such as A-B\n\
         sketch:19: link.road: there is no hex 0909 on this map\n\
         sketch:21: area.north: a range runs along a row or a column, and 0101 and 0202 share neither\n\
         sketch:22: area.south: expected a string, found `3`\n\
         sketch:24: place.Minsk: `0101 0201` is not a hex; a label here looks like 0101"
    );
}

#[test]
fn faults_of_labels_and_size() {
    let fault = |text: &str| Map::sketch(text, LEGEND).unwrap_err().to_string();
    assert_eq!(fault(""), "sketch:1: the field `grid` is missing");
    assert_eq!(
        fault("grid = ' '"),
        "sketch:1: grid: expected 1 to 200 rows of 1 to 200 hexes, found 0 rows of 0"
    );
    assert_eq!(
        fault(&format!("grid = '''\n{}'''", ".\n".repeat(201))),
        "sketch:1: grid: expected 1 to 200 rows of 1 to 200 hexes, found 201 rows of 1"
    );
    assert_eq!(
        fault("grid = '.'\n[labels]\nform = '{row:2}'\n"),
        "sketch:3: labels.form: ambiguous: expected {row:N} and {col:N} once each, as in `{col:2}{row:2}`"
    );
    assert_eq!(
        fault("grid = '.'\n[labels]\nrow = { first = -1, runs = 'up', x = 1 }\n"),
        "sketch:3: labels.row.first: expected a whole number from 0 to 9999, found `-1`\n\
         sketch:3: labels.row.runs: `up` is not one of south, north\n\
         sketch:3: labels.row.x: unknown field; expected one of first, runs"
    );
}
