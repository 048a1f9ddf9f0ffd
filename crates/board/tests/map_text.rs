//! Maps of every kind survive being written and read; bad text is refused without a panic.
#![allow(clippy::unwrap_used)]

use board::{Dir, Grid, Hex, Map, Orientation, Shifted};
use proptest::prelude::*;
use source::Writer;

const LEGEND: &[(&str, &str)] = &[(".", "clear"), ("f", "forest"), ("ss", "swamp")];

/// Everything a map can have, as text to be spoilt.
const FULL: &str = r#"title = "All of it"
hexes = "flat-top"
shifted = "odd"
km = 8.5
grid = """
. f ss w
. . f  .
- . .  .
"""
[labels]
form = "A{col:2}.{row:2}"
row = { first = 1, runs = "north" }
col = { first = 1, runs = "east" }
printed = 5
[terrain]
w = "water"
[edges]
north = "A01.03..A04.03"
[hex.city]
Minsk = "A02.02 A03.02"
[side]
river = "A02.02/A03.02 A02.02/A02.01"
[link.road]
"Minsk highway" = "A02.01-A02.02-A02.03"
[area]
one = "0103 0203..0201"
[place]
Minsk = "A02.02"
"#;

fn written(map: &Map) -> String {
    let mut out = Writer::new();
    map.write(&mut out);
    out.finish()
}

fn grids() -> impl Strategy<Value = Grid> {
    (1usize..30, 1usize..120, any::<bool>(), any::<bool>()).prop_map(|(lines, width, flat, odd)| {
        let orientation = if flat { Orientation::FlatTop } else { Orientation::PointsUp };
        Grid::new(lines, width, orientation, if odd { Shifted::Odd } else { Shifted::Even }).unwrap()
    })
}

/// A map with some of everything; `picks` are places to put it.
fn decorated(grid: Grid, picks: &[(u8, u8, usize)], name: &str) -> Map {
    let holes: Vec<Hex> = picks.iter().step_by(7).map(|&(line, pos, _)| Hex::new(line, pos)).collect();
    let letters = ["w", "x", "yy"];
    let letter = |hex: Hex| (!holes.contains(&hex)).then(|| letters[usize::from(hex.line() ^ hex.pos()) % 3]);
    let mut map = Map::drawn(grid, &[("w", "water"), ("x", "desert"), ("yy", "water")], letter);
    map.title = name.to_owned();
    for &(line, pos, n) in picks {
        let hex = Hex::new(line % grid.lines() as u8, pos % grid.width() as u8);
        let (feature, part) = (["one", "two", "3-x"][n % 3], ["", name, "b \"c\" = 1"][n / 3 % 3]);
        // What does not fit is refused; the rest is the map.
        let next = grid.neighbour(hex, Dir::ALL[n % 6]).unwrap_or(hex);
        let _ = match n % 7 {
            0 => map.add_hex(feature, part, hex),
            1 => map.add_side(feature, part, hex, next),
            2 => map.add_chain(feature, part, &[hex, next, hex]),
            3 => map.add_to_area(part, hex),
            4 => map.add_to_edge(part, hex),
            5 if map.place(part).is_none() => map.add_place(part, hex),
            _ => map.add_hex("wide", "", hex).and_then(|()| map.add_to_edge("run", next)),
        };
    }
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read_back(
        grid in grids(),
        picks in proptest::collection::vec((any::<u8>(), any::<u8>(), 0usize..1000), 0..120),
        // The writer of TOML cannot write a key with both kinds of quotes.
        name in "[\\PC--[']]{0,12}",
    ) {
        let map = decorated(grid, &picks, &name);
        let text = written(&map);
        let read = Map::sketch(&text, &[]).map_err(|faults| TestCaseError::fail(format!("{faults}\n{text}")))?;
        prop_assert_eq!(written(&read), text);
        prop_assert_eq!(read, map);
    }

    #[test]
    fn spoilt_text_never_panics(
        spots in proptest::collection::vec((0usize..FULL.len(), 0usize..8, "\\PC{0,3}"), 1..6),
    ) {
        let mut text: Vec<char> = FULL.chars().collect();
        for (at, length, patch) in spots {
            let at = at.min(text.len());
            let end = (at + length).min(text.len());
            text.splice(at..end, patch.chars());
        }
        let text: String = text.into_iter().collect();
        match Map::sketch(&text, LEGEND) {
            Ok(map) => prop_assert_eq!(Map::sketch(&written(&map), LEGEND).unwrap(), map),
            Err(faults) => prop_assert!(!faults.is_empty()),
        }
    }

    #[test]
    fn spoilt_words_never_panic(word in "[-0-9A-Za-z./{}:\" ]{0,16}", place in 0usize..40) {
        let lines: Vec<&str> = FULL.lines().collect();
        let line = lines[place % lines.len()];
        let key = line.split('=').next().unwrap_or_default();
        let text = FULL.replacen(line, &format!("{key} = {}", source_string(&word)), 1);
        let _ = Map::sketch(&text, LEGEND);
    }
}

fn source_string(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\\\""))
}

#[test]
fn the_full_map_is_sound() {
    let map = Map::sketch(FULL, LEGEND).unwrap();
    assert_eq!(Map::sketch(&written(&map), LEGEND).unwrap(), map);
}
