//! 4: victory.

use board::HexSet;
use engine::display::Score;
use engine::{BySide, Outcome, Play, Side, case, remark};

use crate::{Dagc, Event, PointCause, Presence, State, Verdict};

/// What the Soviet side needs (4.3g).
pub(crate) const NEEDED: i32 = 31;

impl Dagc {
    /// Koenigsberg is Soviet (4.2).
    pub(crate) fn sudden_death(&self, state: &State) -> bool {
        self.ground.koenigsberg.is_some_and(|hex| state.soviet_hexes.contains(hex))
    }

    /// Soviet points for one thing, as if turn 9 ended now (4.3). Koenigsberg never scores (R7).
    pub(crate) fn points_for(&self, state: &State, cause: PointCause) -> i32 {
        let held = |hexes: HexSet| (hexes & state.soviet_hexes).len() as i32;
        let koenigsberg: HexSet = self.ground.koenigsberg.into_iter().collect();
        match cause {
            PointCause::Towns => held(self.ground.towns - koenigsberg),
            PointCause::Cities => 4 * held(self.ground.cities - koenigsberg),
            PointCause::Coast => {
                let coast = self.ground.baltic_coast & state.soviet_hexes;
                if (coast & self.soviet_supply_now(state)).is_empty() { 0 } else { 10 }
            }
            PointCause::UfArea => {
                let area = self.ground.uf_area;
                let all =
                    !area.is_empty() && area.is_subset(&(state.soviet_hexes & self.soviet_supply_now(state)));
                i32::from(all)
            }
        }
    }

    /// What is counted: on the instant of sudden death only places are, the rest waits for the end of turn 9 (4.3e,
    /// 4.3f).
    fn counted(&self, state: &State) -> &'static [PointCause] {
        if self.sudden_death(state) { &[PointCause::Towns, PointCause::Cities] } else { PointCause::ALL }
    }

    /// Where Soviet supply reaches, whatever 7.12 and, from turn 6, 7.11 say of units (R6).
    fn soviet_supply_now(&self, state: &State) -> HexSet {
        let presence = Presence::new(self, state);
        self.soviet_overland(state, &presence, self.pripyat_rule(state), &self.ground.land)
    }

    pub(crate) fn points(&self, state: &State) -> i32 {
        self.counted(state).iter().map(|cause| self.points_for(state, *cause)).sum()
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        if self.sudden_death(state) {
            let points = BySide { axis: 0, soviet: self.points(state) };
            return Outcome {
                winner: Some(Side::Soviet),
                reason: remark!("4.2", "Koenigsberg has fallen"),
                points,
            };
        }
        let points = self.points(state);
        let winner = if points >= self.needed { Side::Soviet } else { Side::Axis };
        let reason = match winner {
            Side::Soviet => {
                remark!("4.3g", "Soviet points: {} of the {} that are needed", points, self.needed)
            }
            Side::Axis => remark!("4.4b", "Soviet points: {} of the {} that are needed", points, self.needed),
        };
        Outcome { winner: Some(winner), reason, points: BySide { axis: 0, soviet: points } }
    }

    /// Points against what is needed (4.3g).
    pub(crate) fn victory_score(&self, state: &State) -> Score {
        Score {
            side: Side::Soviet,
            what: "Soviet points",
            points: self.points(state),
            levels: vec![(self.needed, "Soviet victory")],
            below: "German victory",
            case: case("4.3g"),
        }
    }

    pub(crate) fn tell_end(&self, state: &State, play: &mut Play<Event>) {
        for &cause in self.counted(state) {
            let points = self.points_for(state, cause) as u8;
            if points > 0 {
                play.tell(Event::Points { cause, points });
            }
        }
        let Outcome { winner, points, .. } = self.outcome(state);
        let by = match winner {
            _ if self.sudden_death(state) => Verdict::SuddenDeath,
            Some(Side::Soviet) => Verdict::Points,
            _ => Verdict::Defence,
        };
        play.tell(Event::Ended { winner: winner.unwrap_or(Side::Axis), points: points.soviet as u8, by });
    }
}
