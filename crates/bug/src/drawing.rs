//! What a client draws besides the view: counters, the turn track, overlays.

use board::Hex;
use engine::display::{self, Overlay, Symbol, Turn};
use engine::{Remark, Side, UnitId, Viewer, case, remark};

use crate::charts::Counter;
use crate::{Arm, Bug, Class, Command, HexSet, Position, State};

pub(crate) fn counter(rules: &Bug, unit: UnitId) -> display::Counter {
    let counter = rules.counter(unit);
    let arrives = match (&counter.hex, counter.turn) {
        (Some(hex), _) => hex.clone(),
        (None, Some(turn)) => format!("turn {turn}"),
        (None, None) => String::new(),
    };
    let (front, back) = match &counter.hq {
        Some(values) => {
            let (range, reaction, cost) = (values.command_range, values.reaction, values.relocation);
            let front = format!("{}-{range}-{reaction}-{cost}", counter.strength);
            (front.clone(), Some(front))
        }
        None => {
            let face = |printed: &crate::Printed| {
                format!("{}-{}-{}", counter.strength, printed.rating, counter.allowance)
            };
            (face(&counter.fresh), Some(face(&counter.disrupted)))
        }
    };
    display::Counter {
        side: counter.side,
        title: counter.title.clone(),
        nation: match counter.side {
            Side::Axis => "german",
            Side::Soviet => "soviet",
        }
        .to_owned(),
        formation: counter.formation.clone(),
        symbol: symbol(counter),
        size: size(counter).to_owned(),
        designation: counter.name.clone(),
        front,
        back,
        steps: counter.strength,
        arrives,
    }
}

fn symbol(counter: &Counter) -> Symbol {
    match counter.arm {
        Arm::Infantry | Arm::BorderGuard => Symbol::Infantry,
        Arm::Motorized => Symbol::Motorized,
        Arm::MachineGun => Symbol::MachineGun,
        Arm::Engineers | Arm::MotorizedEngineers => Symbol::Engineer,
        Arm::AntiTank => Symbol::AntiTank,
        Arm::Afv if counter.name.contains("StuG") => Symbol::AssaultGun,
        Arm::Afv => Symbol::Armor,
        Arm::Support => Symbol::Reconnaissance,
        Arm::Hq => Symbol::Headquarters,
    }
}

/// Divisions and their HQs, battalions, and the companies that tanks, machine guns and border guards come in.
fn size(counter: &Counter) -> &'static str {
    match (counter.arm, counter.class) {
        (Arm::Hq, _) if counter.hq.is_some_and(|hq| hq.division == crate::Division::AntiTank) => "X",
        (Arm::Hq, _) => "XX",
        (Arm::Afv | Arm::MachineGun | Arm::BorderGuard, _) => "I",
        (_, Class::Leg | Class::Motorized) => "II",
    }
}

pub(crate) fn turns(rules: &Bug) -> Vec<Turn> {
    let due = |turn: u8| {
        let units = rules.roster.iter();
        units.filter(|unit| rules.counters[unit.index()].turn == Some(turn)).collect()
    };
    (1..=rules.scenario.last_turn)
        .map(|turn| {
            let [infantry, afv] = rules.charts.track.points(turn);
            let points = (infantry + afv > 0)
                .then(|| remark!("8.3.1a", "replacement points: {} infantry, {} AFV", infantry, afv));
            Turn {
                title: rules.charts.track.hours(turn).to_owned(),
                arrives: due(turn),
                notes: points.into_iter().collect(),
            }
        })
        .collect()
}

pub(crate) fn overlays(rules: &Bug, state: &State, viewer: Viewer) -> Vec<Overlay> {
    let position = rules.position(state);
    let overlay = |name, title, case, side, hexes: HexSet| Overlay {
        name,
        title,
        case,
        side,
        hexes: hexes.iter().collect(),
    };
    let mut overlays = Vec::new();
    for side in Side::BOTH {
        let held = rules.friendly(state, side);
        let some = Some(side);
        overlays.push(overlay(
            "zoc",
            "zones of control",
            case("5.4a"),
            some,
            position.zoc[side] & rules.ground.land,
        ));
        overlays.push(overlay("control", "controlled hexes", case("7.4d"), some, held));
        let supplied = rules.supplied_hexes(state, &position, side);
        overlays.push(overlay("supply", "hexes in supply", case("5.7.1a"), some, supplied));
        let strays = out_of_command(rules, state, &position, side, viewer);
        overlays.push(overlay("oos", "units in sight that are out of command", case("5.8.3a"), some, strays));
        let reach = rules.reach_of(state, side, viewer);
        overlays.push(overlay(
            "reach",
            "what its units in sight could reach in one move",
            case("7.3a"),
            some,
            reach,
        ));
    }
    let worth = rules.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect();
    overlays.push(overlay("victory", "hexes that are worth points", case("7.8c"), None, worth));
    overlays
}

/// The hexes of units in sight that are out of command or isolated.
fn out_of_command(rules: &Bug, state: &State, position: &Position, side: Side, viewer: Viewer) -> HexSet {
    let in_sight = |unit: UnitId| viewer.is_told(side) || rules.is_seen(state, unit);
    let strays = rules.on_map(state, side).filter(|(unit, _)| {
        !rules.is_hq(*unit) && in_sight(*unit) && rules.command(state, position, *unit) != Command::In
    });
    strays.map(|(_, hex)| hex).collect()
}

pub(crate) fn remarks_on(rules: &Bug, state: &State, hex: Hex, viewer: Viewer) -> Vec<Remark> {
    let ground = &rules.ground;
    if !ground.land.contains(hex) {
        return vec![remark!("7.3.2b", "this hex is not in play")];
    }
    let effect = ground.effect(&rules.charts.terrain, hex);
    // How many of an enemy's counters are HQs is hidden (5.3.4a).
    let stack = state.stack_in(hex);
    let own = stack.first().is_none_or(|unit| viewer.is_told(rules.side(*unit)));
    let count = if own {
        remark!("5.3.1e", "{} of 3 combat units", rules.combat_units(state, hex).len() as i32)
    } else {
        remark!("5.3.4a", "{} enemy counters", stack.len() as i32)
    };
    let mut remarks = vec![
        count,
        remark!("7.4d", "controlled by the {} side", state.controller(hex)),
        remark!(
            "7.3b",
            "costs Leg {} MP, motorized {}, AFV {}",
            effect.costs[0],
            effect.costs[1],
            effect.costs[2]
        ),
    ];
    if effect.at_bonus > 0 {
        remarks.push(remark!("7.5.1.2aa", "adds {} to Anti-Tank Points", effect.at_bonus));
    }
    if effect.tanks.over < effect.tanks.under {
        let (over, under) = (effect.tanks.over, effect.tanks.under);
        remarks.push(remark!("7.5.1.2z", "attacking tanks count {}/{}", over, under));
    }
    if ground.pillboxes.contains(hex) {
        remarks.push(remark!("7.5.1.2f", "a pillbox: engineers help the attacker"));
    }
    if ground.settlements().contains(hex) {
        remarks.push(remark!("5.3.1i", "takes {} HQs", rules.hq_limit(hex) as i32));
    }
    let worth = rules.scenario.victory.hexes.iter().find(|(other, _)| *other == hex);
    remarks.extend(worth.map(|(_, value)| remark!("7.8c", "worth {} points to the German side", *value)));
    remarks
}
