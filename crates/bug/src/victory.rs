//! 7.8: the end of the game.

use engine::display::Score;
use engine::{BySide, Outcome, Play, Side, case, remark};

use crate::{Arm, Bug, Event, Place, PointCause, State, Verdict};

impl Bug {
    /// The game is over: the points are counted (7.8b, 7.8c).
    pub(crate) fn tell_the_end(&self, state: &State, play: &mut Play<Event>) {
        for (cause, points) in self.counted(state) {
            play.tell(Event::Counted { cause, points });
        }
        let points = self.points(state);
        play.tell(Event::Ended { verdict: self.verdict(points), points: points as i8 });
    }

    /// Eliminated combat units of a side; border guards and units broken up do not count (R74).
    pub(crate) fn eliminated(&self, state: &State, side: Side) -> i16 {
        let lost = self.counters.iter().zip(state.units.iter()).filter(|(counter, (_, unit))| {
            counter.side == side && unit.place == Place::Dead && counter.arm != Arm::BorderGuard
        });
        lost.count() as i16
    }

    fn counted(&self, state: &State) -> [(PointCause, i8); 3] {
        let victory = &self.scenario.victory;
        let held = victory.hexes.iter().filter(|(hex, _)| state.controller(*hex) == Side::Axis);
        let hexes: i16 = held.map(|(_, value)| i16::from(*value)).sum();
        let soviet = self.eliminated(state, Side::Soviet) / i16::from(victory.soviet_units);
        let german = self.eliminated(state, Side::Axis) / i16::from(victory.german_units);
        [
            (PointCause::Hexes, hexes as i8),
            (PointCause::SovietLosses, soviet as i8),
            (PointCause::GermanLosses, -(german as i8)),
        ]
    }

    pub(crate) fn points(&self, state: &State) -> i16 {
        self.counted(state).iter().map(|(_, points)| i16::from(*points)).sum()
    }

    fn verdict(&self, points: i16) -> Verdict {
        let reached = self.scenario.victory.bands.iter().position(|least| points >= *least);
        reached.map_or(Verdict::SovietDecisive, |band| Verdict::ALL[band])
    }

    /// Points against the levels of victory (7.8c).
    pub(crate) fn victory_score(&self, state: &State) -> Score {
        let names =
            ["German decisive victory", "German marginal victory", "a draw", "Soviet marginal victory"];
        let least = self.scenario.victory.bands.iter().map(|least| i32::from(*least));
        Score {
            side: Side::Axis,
            what: "German points",
            points: i32::from(self.points(state)),
            levels: least.zip(names).collect(),
            below: "Soviet decisive victory",
            case: case("7.8c"),
        }
    }

    pub(crate) fn outcome_of(&self, state: &State) -> Outcome {
        let points = self.points(state);
        let (winner, reason) = match self.verdict(points) {
            Verdict::GermanDecisive => (
                Some(Side::Axis),
                remark!("7.8c", "German decisive victory; German points: {}", i32::from(points)),
            ),
            Verdict::GermanMarginal => (
                Some(Side::Axis),
                remark!("7.8c", "German marginal victory; German points: {}", i32::from(points)),
            ),
            Verdict::Draw => (None, remark!("7.8c", "a draw; German points: {}", i32::from(points))),
            Verdict::SovietMarginal => (
                Some(Side::Soviet),
                remark!("7.8c", "Soviet marginal victory; German points: {}", i32::from(points)),
            ),
            Verdict::SovietDecisive => (
                Some(Side::Soviet),
                remark!("7.8c", "Soviet decisive victory; German points: {}", i32::from(points)),
            ),
        };
        Outcome { winner, reason, points: BySide { axis: i32::from(points), soviet: 0 } }
    }
}
