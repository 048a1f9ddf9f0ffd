//! *Barbarossa*: what the shared staff wants to know of it.

use barbarossa::{Action, Barbarossa, State};
use board::Hex;
use engine::{BySide, Side, UnitId};

use crate::field::{Field, Objective, Order};

impl Field for Barbarossa {
    const CLEAR: f64 = 6.0;

    fn objectives(&self, _: &State) -> Vec<Objective> {
        self.prizes().map(|hex| Objective { hex, worth: BySide { axis: 0.5, soviet: 0.5 } }).collect()
    }

    fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        self.controller(state, hex)
    }

    fn lead(&self, state: &State) -> f64 {
        f64::from(Barbarossa::lead(self, state))
    }

    fn order(action: &Action) -> Order {
        match action {
            Action::Go { .. } | Action::Place { .. } | Action::Commit { .. } | Action::Enter { .. } => {
                Order::March
            }
            Action::Move { .. } => Order::SetOut,
            Action::Name { .. } => Order::Attack,
            Action::DeployAll => Order::Always,
            // Nobody leaves the front without need.
            Action::Recall { .. } | Action::Entrain { .. } | Action::Exit | Action::Yield => Order::Never,
            Action::CrimeaOff | Action::CrimeaOn | Action::Top { .. } | Action::Deploy { .. } => Order::Never,
            _ => Order::Other,
        }
    }

    fn under_way(&self, state: &State) -> Option<UnitId> {
        Barbarossa::under_way(self, state)
    }
}
