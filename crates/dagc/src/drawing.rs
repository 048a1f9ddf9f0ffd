//! What a client draws besides the view: counters, the sequence of play, the turn track, overlays.

use board::{Hex, HexSet};
use engine::display::{self, Overlay, Route, Score, Symbol, Turn};
use engine::{Drawing, Remark, Side, Sight, UnitId, Viewer, case, remark};

use crate::stacking::LIMIT;
use crate::{Action, Arm, Cause, Dagc, Group, Moving, Presence, State, Supply};

impl Drawing for Dagc {
    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        let counter = Dagc::counter(self, unit);
        let arrives = match (&counter.hex, counter.turn) {
            (Some(hex), _) => hex.clone(),
            (None, Some(turn)) => format!("turn {turn}"),
            (None, None) => String::new(),
        };
        display::Counter {
            side: counter.side,
            title: counter.title.clone(),
            nation: counter.side.nation().to_owned(),
            formation: formation(counter.group).to_owned(),
            symbol: symbol(counter.arm),
            size: counter.size.clone(),
            designation: designation(&counter.name).to_owned(),
            front: counter.factors(counter.full),
            back: counter.reduced.map(|factor| counter.factors(factor)),
            steps: counter.steps(),
            arrives,
        }
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        let due = |turn: u8| {
            let units = self.roster.iter();
            units.filter(|unit| self.counters[unit.index()].turn == Some(turn)).collect()
        };
        let steps = |turn: u8, side: Side| {
            let steps = self.replacement_steps(turn, side);
            (steps > 0).then(|| remark!("10.6c", "{} replacement steps: {}", side, steps))
        };
        (1..=self.last_turn)
            .map(|turn| Turn {
                title: self.charts.track.dates(turn).to_owned(),
                arrives: due(turn),
                notes: Side::BOTH.into_iter().filter_map(|side| steps(turn, side)).collect(),
            })
            .collect()
    }

    fn score(&self, state: &State) -> Vec<Score> {
        vec![self.victory_score(state)]
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        let presence = Presence::new(self, state);
        let land = self.ground.land;
        let mut overlays = Vec::new();
        for side in Side::BOTH {
            let mut add = |name, title, number, hexes: HexSet| {
                overlays.push(Overlay::new(name, title, case(number), side, &(hexes & land)));
            };
            add("zoc", "zones of control", "8.1a", *presence.zoc(side));
            add("control", "controlled hexes", "3.3a", self.controlled(state, side));
            let cut_off = out_of_supply(self, state, &presence, side, viewer);
            add("oos", "units in sight that are out of supply", "7.1b", cut_off);
            add("reach", "what its units in sight could reach", "9.2d", self.reach_of(state, side, viewer));
        }
        let places = self.ground.worth_points();
        overlays.push(Overlay::new("victory", "hexes that are worth points", case("4.3b"), None, &places));
        overlays
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match (state.stack.top::<Moving>(), action) {
            (Some(moving), Action::Go { hex }) => self.route_to(state, moving.unit, moving.left, hex),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        let ground = &self.ground;
        if !ground.land.contains(hex) {
            return vec![remark!("9.7", "no unit may enter")];
        }
        let units = state.stack_in(hex).len() as i32;
        let mut remarks = vec![
            remark!("6.1", "{} of {} units", units, LIMIT as u8),
            remark!("3.3a", "controlled by the {} side", state.controller(hex)),
            remark!("9.5a", "costs {} MP to enter", ground.effect(hex).cost.unwrap_or(0)),
        ];
        // Entrenchments are named for whom they are dug: the most that defenders of either side could have.
        remarks.extend(self.additions(hex, Side::Axis, false).map(|(cause, points)| match cause {
            Cause::Town => remark!("11.9c", "the town adds {}", points),
            Cause::City => remark!("11.9c", "the city adds {}", points),
            Cause::Entrenchment => remark!("11.10a", "the entrenchment adds {} for Germans", points),
            _ => remark!("11.9a", "terrain adds {} to the defence", points),
        }));
        if ground.towns.contains(hex) {
            remarks.push(remark!("4.3b", "worth 1 point to the Soviet side"));
        }
        if ground.koenigsberg == Some(hex) {
            remarks.push(remark!("4.2", "the game is over when the Soviet side takes it"));
        } else if ground.cities.contains(hex) {
            remarks.push(remark!("4.3c", "worth 4 points to the Soviet side"));
        }
        remarks
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

/// The hexes of units in sight that are out of supply.
fn out_of_supply(rules: &Dagc, state: &State, presence: &Presence, side: Side, viewer: Viewer) -> HexSet {
    let cut_off = |unit: UnitId| rules.supply_of(state, presence, unit) == Supply::Out;
    let units =
        rules.on_map(state, side).filter(|(unit, _)| rules.in_sight(state, *unit, viewer) && cut_off(*unit));
    units.map(|(_, hex)| hex).collect()
}
