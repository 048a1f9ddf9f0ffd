//! What a client draws besides the view: counters, the turn track, overlays.

use board::Hex;
use engine::display::{self, Overlay, Route, Score, Symbol, Turn};
use engine::{Drawing, Remark, Side, Sight, UnitId, Viewer, case, remark};

use crate::charts::Counter;
use crate::{Action, Arm, Bug, Class, Command, HexSet, Presence, State};

impl Drawing for Bug {
    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        let counter = Bug::counter(self, unit);
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
            nation: counter.side.nation().to_owned(),
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

    fn turns(&self, _: &State) -> Vec<Turn> {
        let due = |turn: u8| {
            let units = self.roster.iter();
            units.filter(|unit| self.counters[unit.index()].turn == Some(turn)).collect()
        };
        (1..=self.scenario.last_turn)
            .map(|turn| {
                let [infantry, afv] = self.charts.track.points(turn);
                let points = (infantry + afv > 0)
                    .then(|| remark!("8.3.1a", "replacement points: {} infantry, {} AFV", infantry, afv));
                Turn {
                    title: self.charts.track.hours(turn).to_owned(),
                    arrives: due(turn),
                    notes: points.into_iter().collect(),
                }
            })
            .collect()
    }

    fn score(&self, state: &State) -> Vec<Score> {
        vec![self.victory_score(state)]
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        let presence = self.presence(state);
        let mut overlays = Vec::new();
        for side in Side::BOTH {
            let mut add = |name, title, number, hexes: HexSet| {
                overlays.push(Overlay::new(name, title, case(number), side, &hexes));
            };
            add("zoc", "zones of control", "5.4a", presence.zoc[side] & self.ground.land);
            add("control", "controlled hexes", "7.4d", self.friendly(state, side));
            add("supply", "hexes in supply", "5.7.1a", self.supplied_hexes(state, &presence, side));
            let strays = out_of_command(self, state, &presence, side, viewer);
            add("oos", "units in sight that are out of command", "5.8.3a", strays);
            let reach = self.reach_of(state, side, viewer);
            add("reach", "what its units in sight could reach in one move", "7.3a", reach);
        }
        let worth: HexSet = self.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect();
        overlays.push(Overlay::new("victory", "hexes that are worth points", case("7.8c"), None, &worth));
        overlays
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match action {
            Action::Go { hex } => self.route_to(state, hex),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, viewer: Viewer) -> Vec<Remark> {
        let ground = &self.ground;
        if !ground.land.contains(hex) {
            return vec![remark!("7.3.2b", "this hex is not in play")];
        }
        let effect = ground.effect(&self.charts.terrain, hex);
        // How many of an enemy's counters are HQs is hidden (5.3.4a).
        let stack = state.stack_in(hex);
        let own = stack.first().is_none_or(|unit| viewer.is_told(self.side(*unit)));
        let count = if own {
            remark!("5.3.1e", "{} of 3 combat units", self.combat_units(state, hex).len() as i32)
        } else {
            remark!("5.3.4a", "enemy counters: {}", stack.len() as i32)
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
            remarks.push(remark!("5.3.1i", "takes {} HQs", self.hq_limit(hex) as i32));
        }
        let worth = self.scenario.victory.hexes.iter().find(|(other, _)| *other == hex);
        remarks.extend(worth.map(|(_, value)| remark!("7.8c", "German points for this hex: {}", *value)));
        remarks
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

/// The hexes of units in sight that are out of command or isolated.
fn out_of_command(rules: &Bug, state: &State, presence: &Presence, side: Side, viewer: Viewer) -> HexSet {
    let strays = rules.on_map(state, side).filter(|(unit, _)| {
        !rules.is_hq(*unit)
            && rules.in_sight(state, *unit, viewer)
            && rules.command(state, presence, *unit) != Command::In
    });
    strays.map(|(_, hex)| hex).collect()
}
