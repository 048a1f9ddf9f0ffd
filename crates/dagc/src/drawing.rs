//! What a client draws besides the view: counters, the sequence of play, the turn track, overlays.

use board::{Hex, HexSet};
use engine::display::{self, Overlay, Symbol, Turn};
use engine::{Remark, Side, UnitId, Viewer, case, remark};

use crate::charts::Counter;
use crate::stacking::LIMIT;
use crate::{Arm, Cause, Dagc, Group, Position, State, Supply};

pub(crate) fn counter(counter: &Counter) -> display::Counter {
    let factors = |combat: u8| counter.factors(combat);
    let arrives = match (&counter.hex, counter.turn) {
        (Some(hex), _) => hex.clone(),
        (None, Some(turn)) => format!("turn {turn}"),
        (None, None) => String::new(),
    };
    display::Counter {
        side: counter.side,
        title: counter.title.clone(),
        nation: match counter.side {
            Side::Axis => "german",
            Side::Soviet => "soviet",
        }
        .to_owned(),
        formation: formation(counter.group).to_owned(),
        symbol: symbol(counter.arm),
        size: counter.size.clone(),
        designation: designation(&counter.name).to_owned(),
        front: factors(counter.full),
        back: counter.reduced.map(factors),
        steps: counter.steps(),
        arrives,
    }
}

/// The colours of counters mean these (2.5).
fn formation(group: Group) -> &'static str {
    match group {
        Group::Agc => "Army Group Center",
        Group::Fortified => "Fortified localities",
        Group::Kg => "Korps Gruppen",
        Group::Nu => "Army Group North Ukraine",
        Group::FifthPanzer => "5th Panzer Army",
        Group::Main => "Main front",
        Group::Uf => "1st Ukrainian Front",
    }
}

fn symbol(arm: Arm) -> Symbol {
    match arm {
        Arm::Infantry | Arm::Guards | Arm::Shock => Symbol::Infantry,
        Arm::Panzer | Arm::Tank => Symbol::Armor,
        Arm::Cavalry => Symbol::Cavalry,
        Arm::CavMech => Symbol::CavalryMechanized,
        Arm::Fortified => Symbol::Fortification,
    }
}

/// The part of a name that a counter has room for: `53` of ger-53, `Vitebsk` of ger-FL-Vitebsk.
fn designation(name: &str) -> &str {
    let mut parts = name.split('-').skip(1).skip_while(|part| *part == "FL");
    parts.next().unwrap_or(name)
}

pub(crate) fn turns(rules: &Dagc) -> Vec<Turn> {
    let due = |turn: u8| {
        let units = rules.roster.iter();
        units.filter(|unit| rules.counters[unit.index()].turn == Some(turn)).collect()
    };
    let steps = |turn: u8, side: Side| {
        let steps = rules.replacement_steps(turn, side);
        (steps > 0).then(|| remark!("10.6c", "{} replacement steps: {}", side, steps))
    };
    (1..=rules.last_turn)
        .map(|turn| Turn {
            title: rules.charts.track.dates(turn).to_owned(),
            arrives: due(turn),
            notes: Side::BOTH.into_iter().filter_map(|side| steps(turn, side)).collect(),
        })
        .collect()
}

pub(crate) fn overlays(rules: &Dagc, state: &State, viewer: Viewer) -> Vec<Overlay> {
    let position = Position::new(rules, state);
    let overlay = |name, title, case, side, hexes: HexSet| Overlay {
        name,
        title,
        case,
        side,
        hexes: hexes.iter().filter(|hex| rules.map.contains(*hex)).collect(),
    };
    let mut overlays = Vec::new();
    for side in Side::BOTH {
        let held = match side {
            Side::Axis => rules.ground.land - state.soviet_hexes,
            Side::Soviet => rules.ground.land & state.soviet_hexes,
        };
        let zoc = *position.zoc(side) & rules.ground.land;
        overlays.push(overlay("zoc", "zones of control", case("8.1a"), Some(side), zoc));
        overlays.push(overlay("control", "controlled hexes", case("3.3a"), Some(side), held));
        let cut_off = out_of_supply(rules, state, &position, side, viewer);
        overlays.push(overlay(
            "oos",
            "units in sight that are out of supply",
            case("7.1b"),
            Some(side),
            cut_off,
        ));
        let reach = rules.reach_of(state, side, viewer);
        overlays.push(overlay(
            "reach",
            "what its units in sight could reach",
            case("9.2d"),
            Some(side),
            reach,
        ));
    }
    let places = rules.ground.towns | rules.ground.cities | rules.ground.baltic_coast;
    overlays.push(overlay("victory", "hexes that are worth points", case("4.3b"), None, places));
    overlays
}

/// The hexes of units in sight that are out of supply.
fn out_of_supply(rules: &Dagc, state: &State, position: &Position, side: Side, viewer: Viewer) -> HexSet {
    let in_sight = |unit: UnitId| viewer.is_told(side) || rules.is_seen(state, unit);
    let cut_off = |unit: UnitId| rules.supply_of(state, position, unit) == Supply::Out;
    let units = rules.on_map(state, side).filter(|(unit, _)| in_sight(*unit) && cut_off(*unit));
    units.map(|(_, hex)| hex).collect()
}

pub(crate) fn remarks_on(rules: &Dagc, state: &State, hex: Hex) -> Vec<Remark> {
    let ground = &rules.ground;
    if !ground.land.contains(hex) {
        return vec![remark!("9.7", "no unit may enter")];
    }
    let units = state.stack_in(hex).len() as i32;
    let mut remarks = vec![
        remark!("6.1", "{} of {} units", units, LIMIT as u8),
        remark!("3.3a", "controlled by {}", state.controller(hex)),
        remark!("9.5a", "costs {} MP to enter", ground.effect(hex).cost.unwrap_or(0)),
    ];
    // Entrenchments are named for whom they are dug: the most that defenders of either side could have.
    remarks.extend(rules.additions(hex, Side::Axis, false).map(|(cause, points)| match cause {
        Cause::Town => remark!("11.9c", "the town adds {}", points),
        Cause::City => remark!("11.9c", "the city adds {}", points),
        Cause::Entrenchment => remark!("11.10a", "the entrenchment adds {} for Germans", points),
        _ => remark!("11.9a", "terrain adds {} to the defence", points),
    }));
    if ground.towns.contains(hex) {
        remarks.push(remark!("4.3b", "worth 1 point to the Soviet side"));
    }
    if ground.cities.contains(hex) {
        remarks.push(remark!("4.3c", "worth 4 points to the Soviet side"));
    }
    remarks
}
