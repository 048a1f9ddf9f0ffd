//! *Battles in the East*: what the shared staff wants to know of it.

use bite::{Action, Bite, State};
use board::Hex;
use engine::{BySide, Side, UnitId};

use crate::field::{Field, Objective, Order};

impl Field for Bite {
    const CLEAR: f64 = 8.0;

    fn objectives(&self, _: &State) -> Vec<Objective> {
        let mut objectives: Vec<Objective> = Vec::new();
        for (hex, side, points) in self.prizes() {
            let place = objectives.iter().position(|objective| objective.hex == hex).unwrap_or_else(|| {
                objectives.push(Objective { hex, worth: BySide { axis: 0.0, soviet: 0.0 } });
                objectives.len() - 1
            });
            objectives[place].worth[side] += f64::from(points);
        }
        objectives
    }

    fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        Some(self.controller(state, hex))
    }

    fn lead(&self, state: &State) -> f64 {
        f64::from(Bite::lead(self, state))
    }

    fn order(action: &Action) -> Order {
        match action {
            Action::Move { .. } | Action::Go { .. } | Action::Enter { .. } | Action::Place { .. } => {
                Order::March
            }
            Action::Name { .. } => Order::Attack,
            // An HQ that cannot attack gives nothing; whoever is through the gate is safe.
            Action::Face { .. } | Action::Begin | Action::Escape { .. } => Order::Always,
            // Units move one by one, and by rail only where they arrive.
            Action::Stack { .. } | Action::Drop { .. } | Action::Rail { .. } | Action::Ship { .. } => {
                Order::Never
            }
            Action::Disband { .. } | Action::Decline { .. } => Order::Never,
            _ => Order::Other,
        }
    }

    fn has_room(&self, state: &State, unit: UnitId, hex: Hex) -> bool {
        self.can_stay(state, unit, hex)
    }

    fn is_rear(&self, unit: UnitId) -> bool {
        self.is_headquarters(unit)
    }

    fn under_way(&self, state: &State) -> Option<UnitId> {
        Bite::under_way(self, state)
    }
}
