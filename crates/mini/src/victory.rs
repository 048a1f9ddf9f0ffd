//! 8: victory.

use engine::{BySide, Outcome, Side, remark};

use crate::{Mini, State};

impl Mini {
    /// A side with no unit left (8.2).
    pub(crate) fn annihilated(&self, state: &State) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            !self.roster.iter().any(|unit| self.side(unit) == *side && state.unit(unit).hex.is_some())
        })
    }

    /// Objectives that a side's units are in (8.1).
    pub fn objectives_held(&self, state: &State) -> BySide<i32> {
        BySide::new_with(|side| {
            self.objectives.iter().filter(|hex| self.holder(state, **hex) == Some(side)).count() as i32
        })
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let points = self.objectives_held(state);
        if let Some(side) = self.annihilated(state) {
            let reason = remark!("8.2", "{} has no unit left", side);
            return Outcome { winner: Some(side.enemy()), reason, points };
        }
        let winner = match points.axis.cmp(&points.soviet) {
            std::cmp::Ordering::Greater => Some(Side::Axis),
            std::cmp::Ordering::Less => Some(Side::Soviet),
            std::cmp::Ordering::Equal => None,
        };
        let reason = remark!("8.1", "objectives: axis {}, soviet {}", points.axis, points.soviet);
        Outcome { winner, reason, points }
    }
}
