//! What a client draws besides the view: counters, the turn track, overlays, what there is to say of a hex.

use board::Hex;
use engine::display::{self, Overlay, Route, Symbol, Turn};
use engine::{Drawing, Remark, Side, UnitId, Viewer, case, remark};

use crate::charts::{Face, Kind};
use crate::stacking::LIMIT;
use crate::{Action, Arm, Ocs, Size, State};

impl Drawing for Ocs {
    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        let counter = Ocs::counter(self, unit);
        let face = |face: &Face| match counter.kind {
            Kind::Hq => format!("{}-{}", face.throw, face.allowance),
            Kind::Unit if counter.is_artillery() => {
                format!("{}-{}-{}", counter.barrage, counter.rating, face.allowance)
            }
            Kind::Unit if counter.parenthesized => {
                format!("({})-{}-{}", face.strength, counter.rating, face.allowance)
            }
            Kind::Unit => format!("{}-{}-{}", face.strength, counter.rating, face.allowance),
            Kind::Air(air) => format!("{}-{}-{}", air.rating[1], air.support[1], air.range),
            Kind::Ship(_) | Kind::Transport { .. } => face.allowance.to_string(),
        };
        display::Counter {
            side: counter.side,
            title: counter.title.clone(),
            nation: counter.nation.clone(),
            formation: counter.division.clone(),
            symbol: symbol(counter.arm),
            size: size(counter.size).to_owned(),
            designation: counter.name.clone(),
            front: face(&counter.combat),
            back: counter.is_unit().then(|| face(&counter.travel)),
            steps: counter.steps,
            arrives: match counter.turn {
                Some(turn) => format!("turn {turn} {}", counter.entry),
                None => counter.setup.clone(),
            },
        }
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        let due = |turn: u8| {
            self.roster.iter().filter(|unit| Ocs::counter(self, *unit).turn == Some(turn)).collect()
        };
        (1..=self.settings.last)
            .map(|turn| Turn { title: String::new(), arrives: due(turn), notes: Vec::new() })
            .collect()
    }

    fn overlays(&self, state: &State, _: Viewer) -> Vec<Overlay> {
        let of_side = |side: Side| {
            let held = match side {
                Side::Axis => self.terrain.land - state.soviet_hexes,
                Side::Soviet => self.terrain.land & state.soviet_hexes,
            };
            let near = self.near_enemies(state, side.enemy());
            let supplied = self.in_combat_supply(state, side);
            let trains = self.tracks(state, side);
            [
                Overlay::new("control", "controlled hexes", case("2.3.IV"), side, &held),
                Overlay::new("zoc", "hexes next to units", case("4.1a"), side, &near),
                Overlay::new("supply", "combat supply reaches here", case("9.5b.a"), side, &supplied),
                Overlay::new("rails", "trains run here", case("12.3a.a"), side, &trains),
            ]
        };
        Side::BOTH.into_iter().flat_map(of_side).collect()
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        self.route_of(state, action)
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if !self.terrain.area.contains(hex) {
            return vec![remark!("GC.1C", "not in play")];
        }
        if let Some(side) = self.holder(state, hex) {
            let height = i32::from(self.stacked(state, hex, side));
            remarks.push(remark!("4.2a", "{} of {} quarters of an RE", height, LIMIT));
        }
        remarks.push(remark!("2.3.IV", "controlled by {}", state.controller(hex)));
        let class: &'static &'static str = match self.terrain.class(&self.map, &self.charts, hex) {
            crate::Ground::Open => &"open",
            crate::Ground::Close => &"close",
            crate::Ground::VeryClose => &"very close",
        };
        remarks.push(remark!("9.3", "{} terrain in combat", class));
        if state.hedgehog(hex) > 0 {
            remarks.push(remark!("17.0b", "a hedgehog of level {}", state.hedgehog(hex)));
        }
        if self.terrain.rail.contains(hex) {
            for side in Side::BOTH {
                let remark = match (state.rails[side].contains(hex), self.tracks(state, side).contains(hex)) {
                    (false, _) => remark!("12.3d.a", "{} cannot use the rails", side),
                    (_, false) => remark!("12.3a.b", "{} trains do not pass the enemy here", side),
                    _ => remark!("12.3a.a", "{} trains run here", side),
                };
                remarks.push(remark);
            }
        }
        if self.terrain.fortifications.contains(hex) {
            remarks.push(remark!("16.0b", "a fortification doubles the defence"));
        }
        remarks
    }
}

fn size(size: Size) -> &'static str {
    match size {
        Size::Battalion => "II",
        Size::Regiment => "III",
        Size::Brigade => "X",
        Size::Division => "XX",
        Size::Corps => "XXX",
        Size::None => "",
    }
}

fn symbol(arm: Arm) -> Symbol {
    match arm {
        Arm::AntiTank => Symbol::AntiTank,
        Arm::ArmoredRecon | Arm::UnarmoredRecon => Symbol::Reconnaissance,
        Arm::AssaultEngineer | Arm::Engineer => Symbol::Engineer,
        Arm::AssaultGun => Symbol::AssaultGun,
        Arm::Cavalry | Arm::MountainCavalry => Symbol::Cavalry,
        Arm::Flampanzer | Arm::Tank => Symbol::Armor,
        Arm::HeavyWeapons | Arm::MachineGun => Symbol::MachineGun,
        Arm::Motorcycle | Arm::MotorizedInfantry | Arm::Bicycle => Symbol::Motorized,
        Arm::Mountain => Symbol::Mountain,
        Arm::Parachute | Arm::Glider | Arm::Commando => Symbol::Airborne,
        Arm::RailRepair => Symbol::Rail,
        Arm::RocketArtillery => Symbol::RocketArtillery,
        Arm::TowedArtillery | Arm::SpArtillery => Symbol::Artillery,
        Arm::Truck | Arm::Wagon => Symbol::Supply,
        Arm::Hq => Symbol::Headquarters,
        Arm::Air => Symbol::Air,
        Arm::Ship => Symbol::Other,
        _ => Symbol::Infantry,
    }
}
