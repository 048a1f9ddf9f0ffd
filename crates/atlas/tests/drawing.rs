//! Drawings of the committed maps.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use atlas::draw::{self, DrawOptions};
use board::Map;
use source::Source;

fn map(folder: &str) -> Map {
    let name = folder.rsplit('/').next().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/{folder}/maps/{name}.toml"));
    Map::parse(&Source::new(name, std::fs::read_to_string(path).unwrap()), &[]).unwrap()
}

const MAPS: [&str; 7] = [
    "dagc",
    "bug",
    "barbarossa",
    "bite/games/radzymin",
    "bite/games/uman",
    "ocs/games/orel",
    "ocs/games/kerch",
];

#[test]
fn drawings_are_sound_and_name_every_place() {
    for name in MAPS {
        let map = map(name);
        let svg = draw::svg(&map, &DrawOptions::default());
        let tree = resvg::usvg::Tree::from_str(&svg, &resvg::usvg::Options::default());
        assert!(tree.is_ok(), "{name}: {:?}", tree.err());
        for (place, hex) in map.places() {
            let shown = |words: &str| svg.contains(&format!(">{words}<"));
            assert!(shown(place) || place.split(' ').all(shown), "{name}: {place} is not on the drawing");
            assert_eq!(svg.contains(&format!(">{}<", map.label(hex))), map.prints_label(hex));
        }
        assert_eq!(svg, draw::svg(&map, &DrawOptions::default()), "the same map, the same drawing");
    }
}

#[test]
fn options_leave_things_out() {
    let map = map("barbarossa");
    let all = DrawOptions::default();
    let bare = DrawOptions { numbers: false, names: false, furniture: false, fonts: false, ..all };
    let svg = draw::svg(&map, &bare);
    assert!(!svg.contains("Moscow") && !svg.contains(">1606<") && !svg.contains("base64"));
    assert_eq!(
        draw::centre(&map, &bare, map.hex("1606").unwrap()),
        draw::centre(&map, &all, map.hex("1606").unwrap())
    );
}

#[test]
fn any_map_can_be_drawn() {
    for hexes in ["points-up", "flat-top"] {
        let text = format!(
            "title = \"A & <B>\"\nhexes = \"{hexes}\"\ngrid = \"\"\"\n. x ~\n- . .\n\"\"\"\n[terrain]\n\".\" = \"clear\"\nx = \"lava\"\n\"~\" = \"sea\"\n[side.river]\nStyx = \"0101/0201\"\n[place]\n\"<Dis>\" = \"0101\"\n"
        );
        let map = Map::sketch(&text, &[]).unwrap();
        let png = draw::png(&map, &DrawOptions::default()).unwrap();
        assert_eq!(&png[1..4], b"PNG");
    }
}

#[test]
fn odd_sizes_and_empty_maps_do_no_harm() {
    let empty = Map::sketch("grid = \"- -\"\n[terrain]\n\".\" = \"clear\"\n", &[]).unwrap();
    for hex in [0.0, -3.0, f64::INFINITY] {
        let options = DrawOptions { hex, ..DrawOptions::default() };
        assert!(draw::png(&empty, &options).is_ok());
    }
}

#[test]
fn letters_are_drawn_without_any_font_on_the_machine() {
    // Nothing but the carried fonts is loaded: without them the names would leave no trace.
    let map =
        Map::sketch("grid = \". .\"\n[terrain]\n\".\" = \"clear\"\n[place]\nAbc = \"0101\"\n", &[]).unwrap();
    let named = DrawOptions { furniture: false, numbers: false, ..DrawOptions::default() };
    let nameless = DrawOptions { names: false, ..named };
    assert_ne!(draw::png(&map, &named).unwrap(), draw::png(&map, &nameless).unwrap());
}
