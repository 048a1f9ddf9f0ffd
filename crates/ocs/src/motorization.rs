//! 13: units that are given trucks to ride on.

use engine::{Play, Side, UnitId, Violation, ensure, refuse};

use crate::charts::{Face, Kind};
use crate::{Action, Arm, Class, Event, Mobility, Motor, Ocs, Off, State};

/// The Move Mode allowances of units on trucks (13.0a, 13.0b.a).
const SEMI: u8 = 10;
const FULL: u8 = 16;

impl Ocs {
    /// The side of a counter that lies up on the move, with the trucks that a unit was given (13.0a, 13.0b, R95).
    pub(crate) fn travel_face(&self, state: &State, unit: UnitId) -> Face {
        let face = self.counter(unit).travel;
        if state.units[unit].trucks == 0 {
            return face;
        }
        let allowance = if self.motor(state, unit) == Motor::Full { FULL } else { SEMI };
        Face { allowance, mobility: Mobility::Truck, ..face }
    }

    /// The truck points that raise a unit to a level: one an RE for each step up, whole points (13.0a, 13.0b, R124).
    pub(crate) fn trucks_for(&self, state: &State, unit: UnitId, motor: Motor) -> Option<u8> {
        let each = match (self.counter(unit).motor, motor) {
            (Motor::None, Motor::Semi) | (Motor::Semi, Motor::Full) => 1,
            (Motor::None, Motor::Full) => 2,
            _ => return None,
        };
        Some((self.size(state, unit) * each).div_ceil(4))
    }

    pub(crate) fn motor_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let own = self.roster.iter().filter(|unit| self.side(*unit) == side && state.hex(*unit).is_some());
        for unit in own {
            for motor in [Motor::Semi, Motor::Full] {
                if self.check_motorize(state, side, unit, motor).is_ok() {
                    answers.push(Action::Motorize { unit, motor });
                }
            }
            if self.check_dismount(state, side, unit).is_ok() {
                answers.push(Action::Dismount { unit });
            }
        }
    }

    /// Truck points in its hex, and never wagons, raise a unit that is not fully motorized (13.0.b, 13.0b.c, 12.5.c).
    pub(crate) fn check_motorize(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        motor: Motor,
    ) -> Result<(), Violation> {
        let off = self.settings.is_off(Off::Motorization);
        ensure!("13.0.b", !off, "no units are motorized in this scenario");
        let counter = self.counter(unit);
        ensure!("13.0.b", counter.side == side, "{} is the enemy's", unit);
        let able = counter.kind == Kind::Unit && counter.has_modes();
        ensure!("13.0.b", able, "{} is not motorized with trucks", unit);
        ensure!("12.5.c", counter.arm != Arm::Eq, "{} is not motorized with trucks", unit);
        let Some(hex) = state.hex(unit) else { refuse!("13.0.b", "{} is not on the map", unit) };
        ensure!("13.0b.c", counter.class == Class::Other, "{} is fully motorized", unit);
        ensure!("13.0.c", state.units[unit].trucks == 0, "{} has trucks already", unit);
        let Some(points) = self.trucks_for(state, unit, motor) else {
            refuse!("13.0b.b", "trucks do not raise {} to that", unit)
        };
        let there = self.truck_points(state, side, hex);
        ensure!(
            "13.0a",
            there >= points,
            "it takes {} truck points in {}, and {} are there",
            points,
            hex,
            there
        );
        Ok(())
    }

    /// The points leave the map (13.0.c).
    pub(crate) fn motorize(&self, state: &mut State, unit: UnitId, motor: Motor, play: &mut Play<Event>) {
        let (side, Some(hex)) = (self.side(unit), state.hex(unit)) else { return };
        let Some(points) = self.trucks_for(state, unit, motor) else { return };
        self.take_points(state, side, hex, points);
        state.units.change(unit, |unit| unit.trucks = points);
        play.tell(Event::Motorized { unit, motor, points });
    }

    /// Its trucks come back into its hex (13.0.c).
    pub(crate) fn check_dismount(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("13.0.c", self.side(unit) == side, "{} is the enemy's", unit);
        let Some(hex) = state.hex(unit) else { refuse!("13.0.c", "{} is not on the map", unit) };
        let trucks = state.units[unit].trucks;
        ensure!("13.0.c", trucks > 0, "{} has no trucks", unit);
        let room = self.room_for_points(state, side, hex);
        ensure!("13.0.c", room >= u16::from(trucks), "there are no counters for {} truck points", trucks);
        Ok(())
    }

    pub(crate) fn dismount(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let (side, Some(hex)) = (self.side(unit), state.hex(unit)) else { return };
        let points = state.units.change(unit, |unit| std::mem::take(&mut unit.trucks));
        self.add_points(state, side, false, hex, points);
        play.tell(Event::Dismounted { unit, points });
    }

    /// Trucks are lost in proportion with the REs of the unit that they carry (R96).
    pub(crate) fn lose_trucks(&self, state: &mut State, unit: UnitId, before: u8) {
        let now = state.units[unit].steps;
        state.units.change(unit, |unit| {
            let share = u16::from(unit.trucks) * u16::from(now) / u16::from(before.max(1));
            unit.trucks = share as u8;
        });
    }
}
