//! What a client draws besides the view: counters, the turn track, overlays, what there is to say of a hex.

use board::{Hex, Mp};
use engine::display::{self, Overlay, Route, Symbol, Turn};
use engine::{Drawing, Remark, Side, UnitId, Viewer, case, remark};

use crate::stacking::LIMIT;
use crate::{Action, Arm, Bite, Colour, HexSet, Level, Size, State, movement};

impl Drawing for Bite {
    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        let counter = Bite::counter(self, unit);
        let hq = self.colour_of_hq(unit).and_then(|colour| self.hq(colour));
        let face = |face: crate::charts::Face| {
            let attack =
                if counter.parenthesized { format!("({})", face.attack) } else { face.attack.to_string() };
            format!("{attack}-{}-{}", face.defence, counter.allowance)
        };
        let leader = hq
            .and_then(|hq| hq.leader.as_ref())
            .map(|leader| format!(" ({})", leader.title))
            .unwrap_or_default();
        display::Counter {
            side: counter.side,
            title: format!("{}{leader}", counter.title),
            nation: nation(&counter.nation).to_owned(),
            formation: counter.colour.map(|colour| self.formation(colour)).unwrap_or_default(),
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

    fn turns(&self, _: &State) -> Vec<Turn> {
        let due = |turn: u8| {
            self.roster.iter().filter(|unit| Bite::counter(self, *unit).turn == Some(turn)).collect()
        };
        (1..=self.settings.last_turn)
            .map(|turn| Turn { title: String::new(), arrives: due(turn), notes: Vec::new() })
            .collect()
    }

    fn overlays(&self, state: &State, _: Viewer) -> Vec<Overlay> {
        let position = self.known(state);
        let land = self.ground.land;
        let mut overlays = Vec::new();
        for side in Side::BOTH {
            let mut add = |name, title, number, hexes: HexSet| {
                overlays.push(Overlay::new(name, title, case(number), side, &hexes));
            };
            add("zoc", "zones of control", "9.0x1", position.zoc[side]);
            let held = match side {
                Side::Axis => land - state.soviet_hexes,
                Side::Soviet => land & state.soviet_hexes,
            };
            add("control", "controlled hexes", "6.0i1", held);
            let supply = position.supply(self, state, side);
            let out =
                |(unit, hex): (UnitId, Hex)| (self.level(state, supply, unit) == Level::Out).then_some(hex);
            add("oos", "units out of supply", "8.2x1", self.on_map(state, side).filter_map(out).collect());
            add("supply", "lines of supply lead from here", "8.1x1", supply.supplied & land);
        }
        let objectives: HexSet = self.settings.objectives.iter().map(|objective| objective.hex).collect();
        overlays.push(Overlay::new(
            "victory",
            "hexes that are worth points",
            case("4.0b"),
            None,
            &objectives,
        ));
        overlays
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        movement::route(self, state, action)
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        let ground = &self.ground;
        if !ground.land.contains(hex) {
            return vec![remark!("10.1a2", "no unit may enter")];
        }
        let equivalents = Mp::twelfths(u16::from(self.height(state.units.in_hex(hex))) * 6);
        let most = Mp::twelfths(u16::from(LIMIT) * 6);
        let row = ground.row(&self.map, &self.charts, hex);
        let mut remarks = vec![
            remark!("11.1a", "{} of {} regiment equivalents", equivalents, most),
            remark!("6.0i1", "control: {}", state.controller(hex)),
        ];
        if let Some([leg, mechanized]) = row.costs {
            remarks.push(remark!("10.1a2", "costs {} MP to enter, mechanized units {}", leg, mechanized));
        }
        for unit in state.units.in_hex(hex) {
            let Some(hq) = self.colour_of_hq(unit).and_then(|colour| self.hq(colour)) else { continue };
            remarks.push(remark!("14.0g", "{} feeds and supports units within {} hexes", unit, hq.range));
        }
        if row.shift > 0 {
            remarks.push(remark!("12.3.1a", "terrain shifts {} to the left", row.shift));
        }
        if let Some(fort) = self.fort_in(state, hex) {
            remarks.push(remark!("18.0b1", "a field fort shifts {} to the left", fort.value));
        }
        if let Some(side) = self.fortress(state, hex) {
            remarks.push(remark!("18.0a1", "fortress: {}", side));
        }
        for objective in self.settings.objectives.iter().filter(|objective| objective.hex == hex) {
            remarks.push(remark!(
                "4.0b",
                "victory points to {}: {}",
                objective.side,
                i32::from(objective.points)
            ));
        }
        remarks
    }
}

impl Bite {
    /// The HQ that units of a colour belong to; the colour itself where it has none in this game.
    pub(crate) fn formation(&self, colour: Colour) -> String {
        match self.hq(colour) {
            Some(hq) => Bite::counter(self, hq.unit).title.clone(),
            None => self.colours[colour.index()].clone(),
        }
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
