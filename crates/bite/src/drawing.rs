//! What a client draws besides the view: counters, the turn track, overlays, what there is to say of a hex.

use board::Hex;
use engine::display::{self, Overlay, Symbol, Turn};
use engine::{Remark, Side, UnitId, case, remark};

use crate::stacking::LIMIT;
use crate::supply::SupplyMap;
use crate::zoc::Position;
use crate::{Arm, Bite, HexSet, Level, Size, State};

pub(crate) fn counter(rules: &Bite, _: &State, unit: UnitId) -> display::Counter {
    let counter = rules.counter(unit);
    let hq = rules.colour_of_hq(unit).and_then(|colour| rules.hq(colour));
    let face = |face: crate::charts::Face| {
        let attack =
            if counter.parenthesized { format!("({})", face.attack) } else { face.attack.to_string() };
        format!("{attack}-{}-{}", face.defence, counter.allowance)
    };
    let leader =
        hq.and_then(|hq| hq.leader.as_ref()).map(|leader| format!(" ({})", leader.title)).unwrap_or_default();
    display::Counter {
        side: counter.side,
        title: format!("{}{leader}", counter.title),
        nation: nation(&counter.nation).to_owned(),
        formation: counter.colour_name.clone(),
        symbol: symbol(counter.arm),
        size: size(counter.size).to_owned(),
        designation: counter.name.clone(),
        front: match hq {
            Some(hq) => format!("{}R-{}-{}", hq.right, counter.full.defence, counter.allowance),
            None => face(counter.full),
        },
        back: counter.reduced.map(face),
        steps: counter.steps(),
        arrives: match counter.turn {
            Some(turn) => format!("turn {turn} {}", counter.entry),
            None => counter.setup.clone(),
        },
    }
}

fn nation(nation: &str) -> &str {
    match nation {
        "germany" => "german",
        "soviet_union" => "soviet",
        "hungary" => "hungarian",
        "romania" => "romanian",
        "poland" => "polish",
        "slovakia" => "slovak",
        other => other,
    }
}

fn size(size: Size) -> &'static str {
    match size {
        Size::Army => "XXXX",
        Size::Corps => "XXX",
        Size::Division => "XX",
        Size::Brigade => "X",
        Size::Regiment => "III",
        Size::Battalion => "II",
        Size::Kg => "KG",
    }
}

fn symbol(arm: Arm) -> Symbol {
    match arm {
        Arm::Armor | Arm::HeavyArmor => Symbol::Armor,
        Arm::Cavalry => Symbol::Cavalry,
        Arm::Infantry | Arm::Militia | Arm::Ski => Symbol::Infantry,
        Arm::Mechanized => Symbol::Mechanized,
        Arm::SpArtillery => Symbol::AssaultGun,
        Arm::AntiTank => Symbol::AntiTank,
        Arm::Flak => Symbol::AntiAir,
        Arm::Motorized => Symbol::Motorized,
        Arm::Rocket => Symbol::RocketArtillery,
        Arm::Mountain => Symbol::Mountain,
        Arm::Airborne => Symbol::Airborne,
        Arm::Bridging | Arm::Engineer => Symbol::Engineer,
        Arm::Garrison => Symbol::Fortification,
        Arm::ArmoredTrain => Symbol::Rail,
        Arm::Hq => Symbol::Headquarters,
    }
}

pub(crate) fn turns(rules: &Bite) -> Vec<Turn> {
    let due = |turn: u8| rules.roster.iter().filter(|unit| rules.counter(*unit).turn == Some(turn)).collect();
    (1..=rules.settings.last_turn)
        .map(|turn| Turn { title: String::new(), arrives: due(turn), notes: Vec::new() })
        .collect()
}

pub(crate) fn overlays(rules: &Bite, state: &State) -> Vec<Overlay> {
    let position = Position::new(rules, state);
    let overlay = |name, title, case, side, hexes: HexSet| Overlay {
        name,
        title,
        case,
        side,
        hexes: hexes.iter().collect(),
    };
    let mut overlays = Vec::new();
    let land = rules.ground.land;
    for side in Side::BOTH {
        let own = Some(side);
        overlays.push(overlay("zoc", "zones of control", case("9.0x1"), own, position.zoc[side]));
        let held = match side {
            Side::Axis => land - state.soviet_hexes,
            Side::Soviet => land & state.soviet_hexes,
        };
        overlays.push(overlay("control", "controlled hexes", case("6.0i1"), own, held));
        let supply = SupplyMap::of(rules, state, &position, side);
        let out =
            |(unit, hex): (UnitId, Hex)| (rules.level(state, &supply, unit) == Level::Out).then_some(hex);
        let cut_off: HexSet = rules.on_map(state, side).filter_map(out).collect();
        overlays.push(overlay("oos", "units out of supply", case("8.2x1"), own, cut_off));
        overlays.push(overlay(
            "supply",
            "lines of supply lead from here",
            case("8.1x1"),
            own,
            supply.supplied & land,
        ));
    }
    let objectives: HexSet = rules.settings.objectives.iter().map(|objective| objective.hex).collect();
    overlays.push(overlay("victory", "hexes that are worth points", case("4.0b"), None, objectives));
    overlays
}

pub(crate) fn remarks_on(rules: &Bite, state: &State, hex: Hex) -> Vec<Remark> {
    let ground = &rules.ground;
    if !ground.land.contains(hex) {
        return vec![remark!("10.1a2", "no unit may enter")];
    }
    let halves = i32::from(rules.height(state.units.in_hex(hex)));
    let row = ground.row(&rules.map, &rules.charts, hex);
    let mut remarks = vec![
        remark!("11.1a", "{} of {} halves of a regiment", halves, LIMIT),
        remark!("6.0i1", "controlled by {}", state.controller(hex)),
    ];
    if let Some([leg, mechanized]) = row.costs {
        remarks.push(remark!("10.1a2", "costs {} MP to enter, mechanized units {}", leg, mechanized));
    }
    if row.shift > 0 {
        remarks.push(remark!("12.3.1a", "terrain shifts {} to the left", row.shift));
    }
    if let Some(fort) = rules.fort_in(state, hex) {
        remarks.push(remark!("18.0b1", "a field fort shifts {} to the left", fort.value));
    }
    if let Some(side) = rules.fortress(state, hex) {
        remarks.push(remark!("18.0a1", "a fortress of {}", side));
    }
    for objective in rules.settings.objectives.iter().filter(|objective| objective.hex == hex) {
        remarks.push(remark!("4.0b", "worth {} points to {}", i32::from(objective.points), objective.side));
    }
    remarks
}
