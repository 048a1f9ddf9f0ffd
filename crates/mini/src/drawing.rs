//! What a client draws besides the view: counters, the sequence of play, overlays, routes.

use board::{Hex, HexSet};
use engine::display::{Counter, Overlay, Symbol};
use engine::{Remark, Side, UnitId, Viewer, case, remark};

use crate::{Arm, Mini, State};

pub(crate) fn counter(rules: &Mini, unit: UnitId) -> Counter {
    let counter = &rules.counters[unit.index()];
    let name = rules.roster.name(unit);
    Counter {
        side: counter.side,
        title: title(name),
        nation: match counter.side {
            Side::Axis => "german",
            Side::Soviet => "soviet",
        }
        .to_owned(),
        formation: String::new(),
        symbol: match counter.kind {
            Arm::Foot => Symbol::Infantry,
            Arm::Tank => Symbol::Armor,
            Arm::Gun => Symbol::AntiTank,
        },
        size: String::new(),
        designation: name.to_owned(),
        front: format!("{}-{}-{}", counter.attack, counter.defence, counter.allowance),
        back: None,
        steps: counter.steps,
        arrives: String::new(),
    }
}

/// `rifles-1` is called Rifles 1.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>().replace('-', " ")
}

pub(crate) fn overlays(rules: &Mini, state: &State, viewer: Viewer) -> Vec<Overlay> {
    let overlay = |name, title, case, side, hexes: HexSet| Overlay {
        name,
        title,
        case,
        side,
        hexes: hexes.iter().filter(|hex| rules.map.contains(*hex)).collect(),
    };
    let mut overlays = Vec::new();
    for side in Side::BOTH {
        let zoc = rules.ezoc(state, side.enemy());
        overlays.push(overlay("zoc", "zones of control", case("3.1"), Some(side), zoc));
        let reach = rules.reach_of(state, side, viewer);
        overlays.push(overlay(
            "reach",
            "what its units in sight could reach",
            case("4.1"),
            Some(side),
            reach,
        ));
    }
    let objectives = rules.objectives.iter().copied().collect();
    overlays.push(overlay("victory", "objectives", case("8.1"), None, objectives));
    overlays
}

pub(crate) fn remarks_on(rules: &Mini, state: &State, hex: Hex) -> Vec<Remark> {
    let terrain = rules.terrain[usize::from(rules.map.terrain(hex).0)];
    let Some(cost) = terrain.cost else { return vec![remark!("4.4", "no unit may enter")] };
    let mut remarks = vec![
        remark!("2.1", "{} of 2 units", state.stack_in(hex).count() as i32),
        remark!("4.2", "costs {} MP to enter", cost),
    ];
    if terrain.shift > 0 {
        remarks.push(remark!("6.3", "shifts attacks {} to the left", terrain.shift));
    }
    if rules.objectives.contains(&hex) {
        remarks.push(remark!("8.1", "an objective"));
    }
    remarks
}
