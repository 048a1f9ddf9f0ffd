//! What a client draws besides the view: counters, the sequence of play, overlays, routes.

use board::{Hex, HexSet};
use engine::display::{Counter, Overlay, Route, Score, Symbol, Turn};
use engine::{Drawing, Remark, Side, UnitId, Viewer, case, remark};

use crate::{Action, Arm, Mini, State};

impl Drawing for Mini {
    fn counter(&self, _: &State, unit: UnitId) -> Counter {
        let counter = &self.counters[unit.index()];
        let name = self.roster.name(unit);
        Counter {
            side: counter.side,
            title: title(name),
            nation: counter.side.nation().to_owned(),
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

    fn score(&self, state: &State) -> Vec<Score> {
        let held = self.objectives_held(state);
        let score = |side: Side| Score {
            side,
            what: "objectives held",
            points: held[side],
            levels: Vec::new(),
            below: "",
            case: case("8.1"),
        };
        Side::BOTH.map(score).into()
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        vec![Turn::default(); usize::from(self.turns)]
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        let mut overlays = Vec::new();
        for side in Side::BOTH {
            let zoc = self.ezoc(state, side.enemy());
            overlays.push(Overlay::new("zoc", "zones of control", case("3.1"), side, &zoc));
            let reach = self.reach_of(state, side, viewer);
            overlays.push(Overlay::new(
                "reach",
                "what its units in sight could reach",
                case("4.1"),
                side,
                &reach,
            ));
        }
        let objectives: HexSet = self.objectives.iter().copied().collect();
        overlays.push(Overlay::new("victory", "objectives", case("8.1"), None, &objectives));
        overlays
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match action {
            Action::Move { unit, to } => self.route_to(state, unit, to),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        let terrain = self.terrain[usize::from(self.map.terrain(hex).0)];
        let Some(cost) = terrain.cost else { return vec![remark!("4.4", "no unit may enter")] };
        let mut remarks = vec![
            remark!("2.1", "{} of 2 units", state.stack_in(hex).count() as i32),
            remark!("4.2", "costs {} MP to enter", cost),
        ];
        if terrain.shift > 0 {
            remarks.push(remark!("6.3", "shifts attacks {} to the left", terrain.shift));
        }
        if self.objectives.contains(&hex) {
            remarks.push(remark!("8.1", "an objective"));
        }
        remarks
    }
}

/// `rifles-1` is called Rifles 1.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>().replace('-', " ")
}
