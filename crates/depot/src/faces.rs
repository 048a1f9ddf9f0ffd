//! 2: stacking, faces and steps.

use engine::display::{Counter, Route, Symbol, Turn};
use engine::{Drawing, Play, Side, Types, UnitId, Violation, ensure};

use crate::{Action, Arm, Depot, Event, Face, Marks, Place, State};

impl Depot {
    /// The face that lies up (2.2).
    pub(crate) fn face(&self, state: &State, unit: UnitId) -> Face {
        let counter = self.counters[unit.index()];
        match counter.travel {
            Some(travel) if state.marked(unit, Marks::TRAVEL) => travel,
            _ => counter.fighting,
        }
    }

    /// A counter may be turned over before it moves, once a phase (2.2).
    pub(crate) fn check_turn(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        self.may_move(state, side, unit)?;
        ensure!("2.2", self.counters[unit.index()].travel.is_some(), "{} has one face only", unit);
        ensure!("2.2", !state.marked(unit, Marks::TURNED), "{} was turned over in this phase", unit);
        Ok(())
    }

    pub(crate) fn turn_over(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.units.change(unit, |unit| {
            unit.marks.set(Marks::TURNED);
            if unit.marks.has(Marks::TRAVEL) {
                unit.marks.clear(Marks::TRAVEL);
            } else {
                unit.marks.set(Marks::TRAVEL);
            }
        });
        play.tell(Event::Turned { unit });
    }

    /// Takes a step; without one left the unit is gone (2.3).
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let left = state.units.change(unit, |unit| {
            unit.steps = unit.steps.saturating_sub(1);
            unit.steps
        });
        play.tell(Event::StepLost { unit, left });
        if left == 0 {
            self.eliminate(state, unit, play);
        }
    }

    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.drop_load(state, unit, play); // 3.8
        state.units.change(unit, |unit| {
            unit.place = Place::Eliminated;
            unit.steps = 0;
            unit.marks = Marks::default();
        });
        play.tell(Event::Eliminated { unit });
    }
}

impl Drawing for Depot {
    /// The counter with the face first that lies up (2.2).
    fn counter(&self, state: &State, unit: UnitId) -> Counter {
        let counter = self.counters[unit.index()];
        let up = self.face(state, unit);
        let down = if up == counter.fighting { counter.travel } else { Some(counter.fighting) };
        let name = self.roster.name(unit);
        Counter {
            side: counter.side,
            title: format!("{} {name}", Depot::BOOK.sides[counter.side]),
            nation: counter.side.nation().to_owned(),
            formation: String::new(),
            symbol: match counter.kind {
                Arm::Foot if state.marked(unit, Marks::TRAVEL) => Symbol::Motorized,
                Arm::Foot => Symbol::Infantry,
                Arm::Tank => Symbol::Armor,
                Arm::Gun => Symbol::AntiTank,
                Arm::Truck => Symbol::Supply,
                Arm::Bomber | Arm::Fighter => Symbol::Air,
            },
            size: String::new(),
            designation: name.to_owned(),
            front: factors(up),
            back: down.map(factors),
            steps: counter.steps,
            arrives: String::new(),
        }
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        vec![Turn::default(); usize::from(self.turns)]
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match action {
            Action::Move { unit, to } => self.route_to(state, unit, to),
            _ => None,
        }
    }
}

pub(crate) fn factors(face: Face) -> String {
    format!("{}-{}-{}", face.attack, face.defence, face.allowance)
}
