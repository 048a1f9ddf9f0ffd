//! A small map built from texts, and what is said of bad ones.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use atlas::{Report, build_from};
use board::Map;
use source::{Faults, Source};

/// Four rows of six hexes, 10 km from centre to centre, about 50 N 20 E.
const RECIPE: &str = r#"
title = "Small"
hexes = "points-up"
shifted = "even"
km = 10.0
rows = 4
columns = 6
[labels]
form = "{col:2}{row:2}"
row = { first = 1, runs = "south" }
col = { first = 1, runs = "east" }
[terrain]
"~" = "sea"
o = "lake"
"." = "clear"
f = "forest"
[projection]
centre = [20.0, 50.0]
fit = "frame"
hex = "0101"
at = [20.0, 50.0]
turn = 0.0
[water]
land = ["land.geojson"]
lakes = ["lakes.geojson"]
rivers = ["rivers.geojson"]
named = ["Pond"]
[[river]]
name = "Brook"
beds = ["Brook"]
from = [20.05, 49.87]
begins = "spring"
to = [20.75, 49.87]
ends = "water"
[[layer]]
kind = "forest"
terrain = "forest"
[[layer]]
kind = "town"
hex = "town"
place = true
[[layer]]
kind = "road"
link = "road"
[[layer]]
kind = "border"
side = "border"
"#;

/// The only river of the recipe.
const BROOK: &str = r#"[[river]]
name = "Brook"
beds = ["Brook"]
from = [20.05, 49.87]
begins = "spring"
to = [20.75, 49.87]
ends = "water"
"#;

const FACTS: &str = "[[fact]]\ncase = \"1\"\nsays = \"a corner\"\nhexes = \"0101\"\n";

fn feature(properties: &str, kind: &str, coordinates: &str) -> String {
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{{properties}}},\"geometry\":{{\"type\":\"{kind}\",\"coordinates\":{coordinates}}}}}"
    )
}

fn collection(features: &[String]) -> String {
    format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{}\n]}}", features.join(",\n"))
}

fn rectangle(west: f64, south: f64, east: f64, north: f64) -> String {
    format!("[[[{west},{south}],[{east},{south}],[{east},{north}],[{west},{north}],[{west},{south}]]]")
}

/// A folder of geography: land west of 20.7 E, a pond, a brook that flows east into the sea.
fn geography(name: &str, land: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("atlas-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let write = |file: &str, text: String| std::fs::write(dir.join(file), text).unwrap();
    write("land.geojson", collection(&[feature("\"name\":\"Main\"", "Polygon", land)]));
    let pond = rectangle(19.9, 49.6, 20.16, 49.8);
    write("lakes.geojson", collection(&[feature("\"name\":\"Pond\"", "Polygon", &pond)]));
    let brook = "[[20.05,49.87],[20.3,49.88],[20.75,49.87]]";
    write("rivers.geojson", collection(&[feature("\"name\":\"Brook\"", "LineString", brook)]));
    dir
}

fn good_land() -> String {
    rectangle(18.0, 48.0, 20.62, 52.0)
}

fn build(name: &str, recipe: &str, overlay: &[String]) -> Result<(Map, Report), Faults> {
    let dir = geography(name, &good_land());
    let built = build_from(
        &Source::new("recipe.toml", recipe),
        &Source::new("facts.toml", FACTS),
        &Source::new("overlay.geojson", collection(overlay)),
        &dir,
    );
    std::fs::remove_dir_all(dir).unwrap();
    built
}

fn town(name: &str, hex: &str) -> String {
    feature(&format!("\"kind\":\"town\",\"name\":\"{name}\",\"hex\":\"{hex}\""), "Point", "[20.1,49.95]")
}

fn terrain<'m>(map: &'m Map, label: &str) -> &'m str {
    map.terrain_name(map.terrain(map.hex(label).unwrap()))
}

#[test]
fn geography_becomes_hexes() {
    let wood = rectangle(20.2, 49.95, 20.5, 50.05);
    let overlay = [
        feature("\"kind\":\"forest\",\"name\":\"Wood\"", "Polygon", &wood),
        feature("\"kind\":\"town\",\"name\":\"Old\"", "Point", "[20.0,50.0]"),
        feature("\"kind\":\"town\",\"name\":\"New\"", "Point", "[20.01,50.0]"),
        feature(
            "\"kind\":\"road\",\"name\":\"Lane\"",
            "LineString",
            "[[20.0,50.0],[20.28,49.99],[20.4,49.83]]",
        ),
        feature("\"kind\":\"border\",\"name\":\"Fence\"", "LineString", "[[20.2,50.0],[20.22,49.76]]"),
    ];
    let (map, report) = build("good", RECIPE, &overlay).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(terrain(&map, "0601"), "sea");
    assert_eq!(terrain(&map, "0104"), "lake");
    assert_eq!(terrain(&map, "0201"), "clear");
    assert_eq!(terrain(&map, "0301"), "forest");
    assert_eq!(map.place("Old"), map.hex("0101").ok());
    assert_eq!(report.moved.len(), 1, "the second town moves to the next free hex");
    assert!(map.place("New") != map.place("Old"));
    let road = &map.links_with("road").parts()[0].items[0];
    assert_eq!(road.first(), Some(&map.hex("0101").unwrap()));
    let brook = &map.sides_with("river").parts()[0];
    assert_eq!(brook.name, "Brook");
    assert!(brook.items.len() >= 6, "{}", brook.items.len());
    assert!(map.sides_with("border").parts()[0].items.len() >= 2);
    assert!(map.hexes_with("coast").has(map.hex("0501").unwrap()));
}

#[test]
fn outlines_count_together_and_keep_off_the_water() {
    // Two woods that cover a third of 0301 each, the same ground twice, and a wood that reaches into the sea.
    let wood = |name: &str, outline: &str| {
        feature(&format!("\"kind\":\"forest\",\"name\":\"{name}\""), "Polygon", outline)
    };
    let overlay = [
        wood("West", &rectangle(20.2, 49.95, 20.27, 50.05)),
        wood("East", &rectangle(20.27, 49.95, 20.32, 50.05)),
        wood("Twice", &rectangle(20.27, 49.95, 20.32, 50.05)),
        wood("Shore", &rectangle(20.6, 49.9, 21.0, 50.1)),
    ];
    let (map, _) = build("together", RECIPE, &overlay).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(terrain(&map, "0301"), "forest");
    assert_eq!(terrain(&map, "0601"), "sea");
    let strict = RECIPE.replace("terrain = \"forest\"\n", "terrain = \"forest\"\ncover = 0.95\n");
    let (map, _) = build("strict", &strict, &overlay).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(terrain(&map, "0301"), "clear");
    let absurd = strict.replace("0.95", "95.0");
    let told = told(build("absurd", &absurd, &overlay));
    assert!(told.contains("layer[0].cover: expected a share between 0 and 1"), "{told}");
}

#[test]
fn the_overlay_may_draw_land_and_the_recipe_say_how_much_water_is_sea() {
    let no_land = RECIPE.replace("land = [\"land.geojson\"]", "land = []\npartial = 0.02\ncover = 0.7");
    let recipe = format!("{no_land}[[layer]]\nkind = \"land\"\n");
    // The shore runs through 0301: a third of it is land, which is not quite enough to be sea.
    let land = |east: f64| {
        let shore =
            feature("\"kind\":\"land\",\"name\":\"Main\"", "Polygon", &rectangle(19.0, 49.0, east, 51.0));
        build("drawn", &recipe.replace(BROOK, ""), &[shore]).unwrap_or_else(|faults| panic!("{faults}")).0
    };
    let map = land(20.265);
    assert_eq!(terrain(&map, "0201"), "clear");
    assert_eq!(terrain(&map, "0301"), "clear");
    assert_eq!(terrain(&map, "0401"), "sea");
    assert!(map.hexes_with("partial_sea").has(map.hex("0301").unwrap()));
    assert!(!map.hexes_with("partial_sea").has(map.hex("0101").unwrap()));
    assert_eq!(terrain(&land(20.23), "0301"), "sea");
}

#[test]
fn building_is_deterministic() {
    let overlay = [
        town("Old", "0101"),
        feature("\"kind\":\"forest\",\"name\":\"Wood\",\"hexes\":[\"0302\"]", "Point", "[0,0]"),
    ];
    let once = build("once", RECIPE, &overlay).unwrap();
    let twice = build("twice", RECIPE, &overlay).unwrap();
    assert_eq!(once, twice);
}

fn told(built: Result<(Map, Report), Faults>) -> String {
    built.err().map(|faults| faults.to_string()).unwrap_or_default()
}

#[test]
fn names_and_hexes_may_not_be_given_twice() {
    let name_twice = told(build("twins", RECIPE, &[town("Old", "0101"), town("Old", "0301")]));
    assert_eq!(name_twice, "overlay.geojson:3: features[1] (Old): there is a Old already");
    let hex_twice = told(build("shared", RECIPE, &[town("Old", "0101"), town("New", "0101")]));
    assert_eq!(hex_twice, "overlay.geojson:3: features[1] (New): 0101 is taken by Old");
}

#[test]
fn hexes_off_the_map_are_told_with_their_feature() {
    let off = told(build("off", RECIPE, &[town("Old", "0101"), town("Away", "0909")]));
    assert_eq!(off, "overlay.geojson:3: features[1] (Away): there is no hex 0909 on this map");
}

#[test]
fn kinds_without_a_layer_are_told() {
    let odd =
        told(build("odd", RECIPE, &[feature("\"kind\":\"castle\",\"name\":\"Keep\"", "Point", "[20,50]")]));
    assert_eq!(odd, "overlay.geojson:2: features[0] (Keep): the recipe has no layer for the kind `castle`");
}

#[test]
fn broken_polygons_are_told_with_file_and_feature() {
    let dir = geography("broken", "[[[18,48],[21,52],[21,48],[18,52],[18,48]]]");
    let built = build_from(
        &Source::new("recipe.toml", RECIPE),
        &Source::new("facts.toml", FACTS),
        &Source::new("overlay.geojson", collection(&[town("Old", "0101")])),
        &dir,
    );
    let told = told(built);
    std::fs::remove_dir_all(dir).unwrap();
    assert!(told.contains("land.geojson:2: features[0] (Main): broken outline"), "{told}");
}

#[test]
fn missing_files_and_impossible_rivers_are_told() {
    let gone = told(build("gone", &RECIPE.replace("\"land.geojson\"", "\"gone.geojson\""), &[]));
    assert!(gone.contains("gone.geojson: "), "{gone}");
    let dry = told(build("dry", &RECIPE.replace("beds = [\"Brook\"]", "beds = [\"Nile\"]"), &[]));
    assert_eq!(dry, "recipe.toml: river (Brook): none of its beds is in the sources");
}

#[test]
fn facts_that_do_not_hold_stop_the_build() {
    let dir = geography("facts", &good_land());
    let facts =
        "[[fact]]\ncase = \"2.2\"\nsays = \"next door\"\ndistance = 1\nfrom = \"0101\"\nto = \"0301\"\n";
    let built = build_from(
        &Source::new("recipe.toml", RECIPE),
        &Source::new("facts.toml", facts),
        &Source::new("overlay.geojson", collection(&[town("Old", "0101")])),
        &dir,
    );
    std::fs::remove_dir_all(dir).unwrap();
    assert_eq!(told(built), "Small: case 2.2 (next door): 0301 is not 1 from 0101");
}
