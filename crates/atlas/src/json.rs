//! A map as JSON, for scripts and checks.

use board::{Dir, Hex, Map, Orientation};
use serde_json::{Map as Object, Value, json};

/// The whole map: every hex with its label, terrain, features, areas, places and six neighbours.
///
/// A feature is an object of its names: `"city": ["Minsk"]`, or `"coast": []` where it goes without one. Neighbours
/// go by the compass; beyond the edge of the map there is `null`.
pub fn json(map: &Map) -> Value {
    let hexes: Vec<Value> = map.hexes().map(|hex| hex_json(map, hex)).collect();
    let edges: Object<String, Value> =
        map.edges().map(|(name, hexes)| (name.to_owned(), labels(map, hexes.iter().copied()))).collect();
    let hexes_stand = match map.grid().orientation() {
        Orientation::PointsUp => "points-up",
        Orientation::FlatTop => "flat-top",
    };
    json!({ "title": map.title, "km": map.km, "orientation": hexes_stand, "edges": edges, "hexes": hexes })
}

fn labels(map: &Map, hexes: impl Iterator<Item = Hex>) -> Value {
    hexes.map(|hex| map.label(hex)).collect()
}

fn hex_json(map: &Map, hex: Hex) -> Value {
    let features = map.hex_features().filter_map(|feature| {
        let layer = map.hexes_with(feature);
        layer.has(hex).then(|| (feature.to_owned(), names(layer.names(hex))))
    });
    let areas: Vec<&str> = map.areas().filter(|(_, area)| area.has(hex)).map(|(name, _)| name).collect();
    let places: Vec<&str> = map.places_in(hex).collect();
    let neighbours = Dir::ALL
        .into_iter()
        .map(|dir| (dir.name(map.grid().orientation()).to_owned(), neighbour_json(map, hex, dir)));
    json!({
        "label": map.label(hex),
        "terrain": map.terrain_name(map.terrain(hex)),
        "features": features.collect::<Object<_, _>>(),
        "areas": areas,
        "places": places,
        "neighbours": neighbours.collect::<Object<_, _>>(),
    })
}

fn neighbour_json(map: &Map, hex: Hex, dir: Dir) -> Value {
    let Some(next) = map.neighbour(hex, dir) else { return Value::Null };
    let side = map.grid().hexside(hex, dir);
    let sides = map.side_features().filter_map(|feature| {
        let layer = map.sides_with(feature);
        layer.has(hex, dir).then(|| (feature.to_owned(), names(layer.names(side))))
    });
    let links = map.link_features().filter_map(|feature| {
        let layer = map.links_with(feature);
        layer.has(hex, dir).then(|| (feature.to_owned(), names(link_names(map, feature, hex, next))))
    });
    json!({
        "label": map.label(next),
        "side": sides.collect::<Object<_, _>>(),
        "link": links.collect::<Object<_, _>>(),
    })
}

/// The names of the connections that run between two hexes.
fn link_names<'m>(map: &'m Map, feature: &str, a: Hex, b: Hex) -> impl Iterator<Item = &'m str> {
    let joins = move |chain: &Vec<Hex>| chain.windows(2).any(|pair| pair == [a, b] || pair == [b, a]);
    let parts = map.links_with(feature).parts().iter();
    parts.filter(move |part| part.items.iter().any(joins)).map(|part| part.name.as_str())
}

fn names<'m>(names: impl Iterator<Item = &'m str>) -> Value {
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORD: &str = r#"
grid = """
. .
 . ~
"""
[terrain]
"." = "clear"
"~" = "sea"
[hex.city]
Home = "0101"
[side.river]
Ford = "0101/0201"
[link.road]
Lane = "0101-0102"
[area]
Zone = "0101 0102"
[place]
Home = "0101"
"#;

    #[test]
    fn a_hex_tells_all_that_it_has() {
        let map = Map::sketch(FORD, &[]).unwrap();
        let told = json(&map);
        let hexes = told["hexes"].as_array().unwrap();
        assert_eq!(hexes.len(), 4);
        let home = &hexes[0];
        assert_eq!(home["label"], "0101");
        assert_eq!(home["terrain"], "clear");
        assert_eq!(home["features"]["city"], json!(["Home"]));
        assert_eq!(home["areas"], json!(["Zone"]));
        assert_eq!(home["places"], json!(["Home"]));
        assert_eq!(home["neighbours"]["E"]["label"], "0201");
        assert_eq!(home["neighbours"]["E"]["side"]["river"], json!(["Ford"]));
        assert_eq!(home["neighbours"]["SE"]["link"]["road"], json!(["Lane"]));
        assert_eq!(home["neighbours"]["W"], Value::Null);
        assert_eq!(home["neighbours"].as_object().unwrap().len(), 6);
    }
}
