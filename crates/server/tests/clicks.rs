//! Whatever is clicked with whatever in the hand, there is a reason, and it has to do with the click.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

use std::collections::BTreeSet;

use engine::position::{AnyPosition, Verdict};
use engine::shelf::{AnyGame, AnyRulebook};
use engine::{Seed, Side, Viewer};

/// So many positions of each rulebook are clicked through.
const POSITIONS: usize = 100;

/// So many clicks in each.
const UNITS: usize = 5;
const HEXES: usize = 14;

/// Numbers by lot, the same in every run.
struct Lot(u64);

impl Lot {
    fn draw(&mut self, of: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % of.max(1)
    }
}

#[test]
fn mini_answers_every_click() {
    walk(mini::shelved());
}

#[test]
fn depot_answers_every_click() {
    walk(depot::shelved());
}

#[test]
fn dagc_answers_every_click() {
    walk(dagc::shelved());
}

#[test]
fn bug_answers_every_click() {
    walk(bug::shelved());
}

#[test]
fn bite_answers_every_click() {
    walk(bite::shelved());
}

/// Plays every scenario at random and clicks on the way.
fn walk(book: &dyn AnyRulebook) {
    let data = book.embedded();
    let scenarios = book.scenarios(&data).unwrap();
    let each = POSITIONS.div_ceil(scenarios.len());
    for (name, _) in &scenarios {
        let mut game = book.start(&data, name, &[], Seed(format!("clicks {name}"))).unwrap();
        let mut lot = Lot(17);
        let mut clicked = 0;
        while clicked < each && game.question().side.is_some() {
            if lot.draw(6) == 0 {
                click_through(&*game, &mut lot);
                clicked += 1;
            }
            let actions = game.actions();
            let action = &actions[lot.draw(actions.len())].action;
            game.act(&action.clone(), Viewer::Referee).unwrap();
        }
    }
}

fn click_through(game: &dyn AnyGame, lot: &mut Lot) {
    let Some(side) = game.question().side else { return };
    let viewer = Viewer::Side(side);
    let position = game.position().as_supposed_by(viewer);
    let (units, hexes) = (own_units(&*position, side), labels(game));
    for _ in 0..UNITS.min(units.len()) {
        let unit = &units[lot.draw(units.len())];
        for _ in 0..HEXES {
            let hex = &hexes[lot.draw(hexes.len())];
            judge(&*position, unit, Some(hex), viewer);
        }
        judge(&*position, unit, None, viewer);
    }
}

/// The first verdict is what a person is told.
fn judge(position: &dyn AnyPosition, unit: &str, hex: Option<&String>, viewer: Viewer) {
    let verdicts = position.why(Some(unit), hex.map(String::as_str), viewer);
    let asked = position.question().text.to_string();
    let Some(Verdict { line, refusal, .. }) = verdicts.first() else {
        panic!("{unit} {hex:?}: silence, where is asked: {asked}");
    };
    let Some(refusal) = refusal else { return };
    let why = refusal.why.to_string();
    let told = format!("{unit} {hex:?} ({line}): {why}, where is asked: {asked}");
    assert!(refusal.case.is_some_and(|case| !case.is_empty()), "no case: {told}");
    assert!(!why.is_empty(), "no reason: {told}");
    if line.is_empty() {
        assert!(why.contains(&asked), "does not say what is asked: {told}");
    } else {
        let words: BTreeSet<&str> = line.split([' ', ',', ';']).collect();
        let named = words.contains(unit) || hex.is_some_and(|hex| words.contains(hex.as_str()));
        assert!(named, "has nothing to do with the click: {told}");
    }
}

fn own_units(position: &dyn AnyPosition, side: Side) -> Vec<String> {
    let view = position.view(Viewer::Side(side));
    let pieces = view.stacks.iter().flat_map(|stack| &stack.pieces).filter(|piece| piece.side == side);
    pieces.filter_map(|piece| piece.front.as_ref()).map(|front| front.unit.clone()).collect()
}

/// The hexes of the map, those with units in them more often than others.
fn labels(game: &dyn AnyGame) -> Vec<String> {
    let map = game.map();
    let all = map.hexes().map(|hex| map.label(hex));
    let held: Vec<String> = game.view(Viewer::Referee).stacks.into_iter().map(|stack| stack.hex).collect();
    let times = (map.hexes().count() / held.len().max(1)).max(1);
    all.chain(held.iter().cycle().take(held.len() * times).cloned()).collect()
}
