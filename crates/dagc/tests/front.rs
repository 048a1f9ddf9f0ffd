//! The front of 22 June 1944, as it stands when the Historical Scenario begins.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

use std::collections::BTreeMap;

use board::{Hex, Map};
use engine::shelf::AnyGame;
use engine::{Front, Seed, Side, Viewer};

fn historical() -> Box<dyn AnyGame> {
    let book = dagc::shelved();
    book.start(&book.embedded(), "historical", &[], Seed("1".to_owned())).unwrap()
}

/// Every unit on the map: side, hex, and what its counter shows.
fn units(game: &dyn AnyGame) -> Vec<(Side, Hex, Front)> {
    let view = game.view(Viewer::Referee);
    let in_stack = |stack: engine::Stack| {
        let hex = game.map().hex(&stack.hex).unwrap();
        stack.pieces.into_iter().map(move |piece| (piece.side, hex, piece.front.unwrap()))
    };
    view.stacks.into_iter().flat_map(in_stack).collect()
}

fn beside(map: &Map, hex: Hex, others: &[Hex]) -> bool {
    others.iter().any(|other| map.grid().adjacent(hex, *other))
}

#[test]
fn every_unit_is_in_overland_supply() {
    let game = historical();
    for (_, _, front) in units(&*game) {
        if front.kind == "fortified" {
            continue;
        }
        let proofs = game.explain(&front.unit, Viewer::Referee).unwrap();
        assert!(proofs[0].holds && proofs[0].because[0].0 == "7.2a", "{}: {proofs:?}", front.unit);
    }
}

#[test]
fn sixteen_units_are_activated_and_each_faces_an_enemy() {
    let game = historical();
    let units = units(&*game);
    let germans: Vec<Hex> = units.iter().filter(|unit| unit.0 == Side::Axis).map(|unit| unit.1).collect();
    let activated: Vec<_> = units.iter().filter(|unit| unit.2.flags.contains(&"activated")).collect();
    assert_eq!(activated.len(), 16);
    for (_, hex, front) in activated {
        assert!(beside(game.map(), *hex, &germans), "{} has nobody to attack", front.unit);
    }
}

#[test]
fn both_lines_are_manned() {
    let game = historical();
    let map = game.map();
    let mut held: BTreeMap<&str, Vec<Hex>> = BTreeMap::new();
    for (side, hex, _) in units(&*game) {
        held.entry(side.word()).or_default().push(hex);
    }
    // The Pripyat marshes from row 46 southward were held by posts a hex or two apart.
    let firm = |hex: &Hex| map.labels().numbers(*hex).0 < 46;
    for (feature, side) in [("german_entrenchment", "axis"), ("soviet_entrenchment", "soviet")] {
        let own = &held[side];
        for hex in map.hexes_with(feature).hexes().filter(firm) {
            let manned = own.contains(&hex) || beside(map, hex, own);
            // Opposite the quiet Panther line the Soviet trenches are covered from behind the next hex.
            let near = own.iter().any(|unit| map.grid().distance(*unit, hex) <= 2);
            let enough = if side == "axis" { manned } else { near };
            assert!(enough, "{feature} {} stands open", map.label(hex));
        }
    }
}

#[test]
fn no_unit_stands_in_water_or_on_the_wrong_side() {
    let game = historical();
    let map = game.map();
    for (side, hex, front) in units(&*game) {
        assert!(!matches!(map.terrain_name(map.terrain(hex)), "sea" | "lake"), "{} is in water", front.unit);
        let enemy_line = if side == Side::Axis { "soviet_entrenchment" } else { "german_entrenchment" };
        assert!(!map.hexes_with(enemy_line).has(hex), "{} is in the enemy's trenches", front.unit);
    }
}
