//! What a client draws besides the view: counters, the turn track, the score, overlays.

use board::{Hex, HexSet};
use engine::display::{self, Overlay, Route, Score, Symbol, Turn};
use engine::{Drawing, Remark, Side, Sight, UnitId, Viewer, case, remark};

use crate::stacking::LIMIT;
use crate::{Action, Arm, Barbarossa, Entry, Moving, Nation, Offensive, State};

impl Drawing for Barbarossa {
    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        let counter = Barbarossa::counter(self, unit);
        let arrives = match (counter.turn, &counter.hex, counter.entry) {
            (Some(turn), Some(hex), Entry::OnlyHex | Entry::KgHex) => format!("turn {turn}, {hex}"),
            (Some(turn), ..) => format!("turn {turn}"),
            (None, Some(hex), _) => hex.clone(),
            (None, None, _) => String::new(),
        };
        display::Counter {
            side: counter.side,
            title: counter.title.clone(),
            nation: nation(counter.nation).to_owned(),
            formation: formation(counter.arm).to_owned(),
            symbol: symbol(counter.arm),
            size: counter.size.clone(),
            designation: counter
                .name
                .split_once('-')
                .map_or(counter.name.as_str(), |(_, name)| name)
                .to_owned(),
            front: counter.factors(),
            back: None,
            steps: 1,
            arrives,
        }
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        (1..=self.last_turn).map(|turn| self.track_box(turn)).collect()
    }

    fn score(&self, state: &State) -> Vec<Score> {
        self.victory_score(state)
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        let mut overlays = Vec::new();
        for side in Side::BOTH {
            let mut add = |name, title, number, hexes: HexSet| {
                overlays.push(Overlay::new(name, title, case(number), side, &(hexes & self.ground.land)));
            };
            add("control", "controlled hexes", "3.6c", state.control[side]);
            add("supply", "hexes in overland supply", "7.14a", self.overland(state, side));
            let seen = |unit: &UnitId| self.in_sight(state, *unit, viewer);
            let cut_off = self.cut_off(state, side);
            let cut_off = cut_off.iter().filter(seen).filter_map(|unit| state.hex(unit)).collect();
            add("oos", "units in sight that are out of supply", "7.16b", cut_off);
            let units = self.on_map(state, side).map(|(unit, _)| unit).filter(seen);
            let reach =
                units.map(|unit| self.reach_of(state, unit)).fold(HexSet::EMPTY, |all, reach| all | reach);
            add("reach", "what its units in sight could reach", "10.1b", reach);
        }
        let places = &self.ground.worth_points;
        overlays.push(Overlay::new("victory", "hexes that are worth points", case("4.2a"), None, places));
        overlays
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match (state.stack.top::<Moving>(), action) {
            (Some(moving), Action::Go { hex }) => self.route_to(state, moving, hex),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        let ground = &self.ground;
        if !ground.land.contains(hex) {
            return vec![remark!("10.13", "no unit may enter")];
        }
        let units = state.units.in_hex(hex).count() as i32;
        let effect = ground.effect(hex);
        let (mech, foot) = (effect.mech.unwrap_or(0), effect.foot.unwrap_or(0));
        let mut remarks = vec![
            remark!("6.3", "{} of {} units", units, LIMIT as u8),
            remark!("10.10a", "costs mechanized units {} MP, others {}", mech, foot),
        ];
        for side in Side::BOTH {
            if state.controls(side, hex) {
                remarks.push(remark!("3.6c", "controlled by the {} side", side));
            }
            if self.in_overland(state, side, hex) {
                remarks.push(remark!("7.14a", "in overland supply for the {} side", side));
            }
            if self.is_stronghold(state, side, hex) {
                remarks.push(remark!("9.6a", "the {} defence has three columns here, and no retreat", side));
            }
            if self.line_of(state, side).contains(hex) {
                remarks.push(remark!("11.21a", "a {} fortified line: one column", side));
            }
        }
        if ground.worth_points.contains(hex) {
            remarks.push(remark!("4.2a", "worth a German victory point"));
        }
        if self.area_hexes(state).contains(hex) {
            remarks.push(remark!("8.18d", "in the Soviet fortified area"));
        }
        remarks
    }
}

impl Barbarossa {
    /// A box of the turn track: arrivals, movement factors, replacements, victory numbers and what happens (2.11).
    fn track_box(&self, turn: u8) -> Turn {
        let track = &self.charts.track;
        let now = track.turn(turn);
        let due = |unit: &UnitId| Barbarossa::counter(self, *unit).turn == Some(turn);
        let mut notes = Vec::new();
        for side in Side::BOTH {
            let (mech, foot) = (track.movement(turn, side, true), track.movement(turn, side, false));
            notes.push(remark!("2.11", "{} movement factors: mechanized {}, others {}", side, mech, foot));
            let [mech, foot] = track.steps(turn, side);
            if mech + foot > 0 {
                notes.push(remark!("8.12c", "{} replacements: mechanized {}, others {}", side, mech, foot));
            }
        }
        if now.luftwaffe > 0 {
            notes.push(remark!("11.23a", "Luftwaffe units: {}", now.luftwaffe));
        }
        let markers = Offensive::ALL.iter().filter(|marker| now.offensive[**marker as usize]).count();
        if markers > 0 {
            notes.push(remark!("7.12a", "Soviet offensive supply markers: {}", markers as u8));
        }
        notes.extend(self.events_of(turn));
        let (soviet, german) = self.numbers(turn);
        if let Some(needed) = german {
            notes.push(remark!("4.14a", "the German side wins with {} points", i32::from(needed)));
        }
        if let Some(needed) = soviet {
            notes.push(remark!("4.14a", "the Soviet side wins at {} points", i32::from(needed)));
        }
        Turn { title: now.dates.clone(), arrives: self.roster.iter().filter(due).collect(), notes }
    }

    /// What the rules have happen on a turn.
    fn events_of(&self, turn: u8) -> Vec<Remark> {
        match turn {
            3 => vec![
                remark!("5.10a", "the Paulus Pause"),
                remark!("8.23a", "the Red Army is reorganised at the end"),
            ],
            4 => vec![remark!("9.1a", "five Hero City markers")],
            6 => vec![remark!("7.7a", "German aerial supply"), remark!("8.21a", "a rifle army is withdrawn")],
            7 => vec![
                remark!("7.10d", "Soviet attacks need offensive supply from now on"),
                remark!("8.21a", "a rifle army is withdrawn"),
            ],
            8 => vec![remark!("8.21a", "a rifle army is withdrawn")],
            9 => vec![
                remark!("8.6", "German strategic movement begins"),
                remark!("5.6b", "the zone of 1942 is named"),
            ],
            13 => vec![remark!("9.2a", "a Fortress City marker")],
            15 => vec![remark!("8.27", "Mechanized Group Popov")],
            16 => vec![
                remark!("8.18a", "the Soviet fortified area"),
                remark!("8.28", "the Italian 8th Army leaves at the end"),
            ],
            17 | 18 => vec![remark!("4.4a", "the summer offensive of 1943 may begin")],
            19 => vec![
                remark!("4.4a", "the summer offensive of 1943 may begin"),
                remark!("8.5a", "the East Wall"),
                remark!("8.17b", "2nd SS Panzer Corps is withdrawn"),
            ],
            20 => vec![remark!("4.16c", "Manstein's Gambit is decided")],
            24 => vec![remark!("8.17a", "2nd SS Panzer Corps returns")],
            25 => vec![
                remark!("8.17b", "2nd SS Panzer Corps is withdrawn"),
                remark!("10.23b", "Soviet mobile assaults begin"),
            ],
            27 => vec![remark!("8.21b", "the withdrawn rifle armies return")],
            28 => vec![
                remark!("9.2a", "four Fortress City markers"),
                remark!("4.18a", "Watch on the Rhine or on the Oder"),
            ],
            30 => vec![remark!("4.18b", "the choice is revealed")],
            31 => vec![remark!("8.17a", "2nd SS Panzer Corps returns")],
            _ => Vec::new(),
        }
    }
}

fn nation(nation: Nation) -> &'static str {
    match nation {
        Nation::Germany => "german",
        Nation::Hungary => "hungarian",
        Nation::Italy => "italian",
        Nation::Romania => "romanian",
        Nation::Soviet => "soviet",
        Nation::Bulgaria => "bulgarian",
        Nation::Poland => "polish",
    }
}

fn formation(arm: Arm) -> &'static str {
    match arm {
        Arm::Oversized => "Oversized armies",
        Arm::Guards | Arm::GuardsTank => "Guards",
        Arm::Shock => "Shock armies",
        _ => "",
    }
}

fn symbol(arm: Arm) -> Symbol {
    match arm {
        Arm::Infantry | Arm::Rifle | Arm::Oversized | Arm::Shock | Arm::Naval => Symbol::Infantry,
        Arm::Panzer | Arm::ParaPanzer | Arm::Tank | Arm::GuardsTank => Symbol::Armor,
        Arm::Mechanized | Arm::Guards => Symbol::Mechanized,
        Arm::Mountain => Symbol::Mountain,
        Arm::Cavalry => Symbol::Cavalry,
        Arm::Paratroop | Arm::Airborne => Symbol::Airborne,
    }
}
