//! 8: victory.

use engine::{BySide, Outcome, Play, Side, remark};

use crate::{Depot, Event, Goods, State};

/// What an objective is worth (8.1).
const OBJECTIVE: i32 = 3;

impl Depot {
    fn score(&self, state: &State, side: Side) -> i32 {
        let held = self.objectives.iter().filter(|hex| self.holder(state, **hex) == Some(side)).count();
        held as i32 * OBJECTIVE + state.stocks.total(side, Goods::Supply) as i32
    }

    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        let points = BySide::new_with(|side| self.score(state, side));
        play.tell(Event::Ended { axis: points.axis, soviet: points.soviet });
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let points = BySide::new_with(|side| self.score(state, side));
        let winner = match points.axis.cmp(&points.soviet) {
            std::cmp::Ordering::Greater => Some(Side::Axis),
            std::cmp::Ordering::Less => Some(Side::Soviet),
            std::cmp::Ordering::Equal => None,
        };
        let reason = remark!("8.1", "points: axis {}, soviet {}", points.axis, points.soviet);
        Outcome { winner, reason, points }
    }
}
