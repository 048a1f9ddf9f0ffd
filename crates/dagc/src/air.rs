//! 13: air armies.

use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, display, ensure, phrases, refuse, remark};

use crate::sequence::{not_asked, phase};
use crate::supply::SOVIET_EXHAUSTION;
use crate::{Action, AirGroup, Battle, Dagc, Ending, Event, Marks, Phase, Procedure, State};

/// Main-front air armies at the start (13.1a), and those that come with 1st Ukrainian Front (13.2a).
pub(crate) const MAIN_AIR: u8 = 8;
const UF_AIR: u8 = 2;

/// How many of each are withdrawn when turn 6 begins (13.4).
const WITHDRAWN: [u8; 2] = [4, 1];

/// The air armies of either sort once a turn has begun, those of 1st Ukrainian Front as soon as it is there (R33).
pub(crate) fn air_armies(turn: u8) -> [u8; 2] {
    let [main, uf] = if turn >= SOVIET_EXHAUSTION { WITHDRAWN } else { [0, 0] };
    [MAIN_AIR - main, UF_AIR - uf]
}

phrases! {
    /// Soviet air armies are placed on German units.
    pub struct Interdiction = "interdiction", "5.2g", "Soviet interdiction";
}

impl Frame<Dagc> for Interdiction {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("13.3a", "place air armies on German units, or end the phase"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        for (unit, _) in rules.on_map(state, Side::Axis) {
            for &group in AirGroup::ALL {
                if rules.check_interdict(state, unit, group).is_ok() {
                    answers.push(Action::Interdict { unit, group });
                }
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Interdict { unit, group } => rules.check_interdict(state, unit, group),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Interdict { unit, group } = action else {
            return state.stack.push(Ending {});
        };
        rules.use_air(state, group);
        state.mark(unit, Marks::INTERDICTED);
        play.tell(Event::WasInterdicted { unit, group });
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        Some(phase(Side::Soviet, Phase::Interdiction))
    }
}

impl AirGroup {
    fn index(self) -> usize {
        match self {
            AirGroup::Main => 0,
            AirGroup::Uf => 1,
        }
    }
}

impl Dagc {
    /// An air army that has not acted in this game turn (13.1b).
    fn check_unused(&self, state: &State, group: AirGroup) -> Result<(), Violation> {
        let armies = state.air[group.index()];
        let arrived = group == AirGroup::Main || armies.all > 0;
        ensure!("13.2a", arrived, "1st Ukrainian Front's air armies come with its first unit");
        ensure!(
            "13.1b",
            armies.used < armies.all,
            "no air army is left that has not acted: {} of {} have",
            armies.used,
            armies.all
        );
        Ok(())
    }

    /// One air army may support a Soviet attack (13.1c): of the main front for the main front (13.2e), of 1st
    /// Ukrainian Front for its own (13.2b).
    pub(crate) fn check_air(&self, state: &State, battle: &Battle, group: AirGroup) -> Result<(), Violation> {
        ensure!("13.1c", battle.side(self) == Side::Soviet, "air armies support Soviet attacks");
        let uf = battle.attackers.iter().any(|unit| self.is_1uf(unit));
        ensure!(
            "13.2e",
            group == AirGroup::Uf || !uf,
            "main-front air armies may not support 1st Ukrainian Front"
        );
        ensure!(
            "13.2b",
            group == AirGroup::Main || uf,
            "1st Ukrainian Front's air armies support its own attacks only"
        );
        self.check_unused(state, group)
    }

    pub(crate) fn use_air(&self, state: &mut State, group: AirGroup) {
        state.air[group.index()].used += 1;
    }

    /// Whom an air army may interdict (13.3d, 13.3f), and where (13.2c, 13.2d, 13.2e).
    fn check_interdict(&self, state: &State, unit: UnitId, group: AirGroup) -> Result<(), Violation> {
        ensure!("13.3a", self.side(unit) == Side::Axis, "{} is not German", unit);
        let Some(hex) = state.hex(unit) else { refuse!("13.3a", "{} is not on the map", unit) };
        ensure!("13.3f", !self.is_fortified(unit), "interdiction has no effect on {}", unit);
        ensure!("13.3d", !state.marked(unit, Marks::INTERDICTED), "{} is already interdicted", unit);
        let in_area = self.ground.uf_area.contains(hex);
        ensure!(
            "13.2e",
            group == AirGroup::Uf || !in_area,
            "main-front air armies may not interdict in the area of 1st Ukrainian Front"
        );
        let anywhere = self.switches.free_1uf_air; // 13.2d
        ensure!(
            "13.2c",
            group == AirGroup::Main || in_area || anywhere,
            "1st Ukrainian Front's air armies interdict in its area only"
        );
        self.check_unused(state, group)
    }

    /// At the start of turn 6 four main-front air armies and one of 1st Ukrainian Front go home (13.4).
    pub(crate) fn withdraw_air(&self, state: &mut State, play: &mut Play<Event>) {
        for (group, most) in [AirGroup::Main, AirGroup::Uf].into_iter().zip(WITHDRAWN) {
            let armies = &mut state.air[group.index()];
            let count = armies.all.min(most);
            armies.all -= count;
            if count > 0 {
                play.tell(Event::AirWithdrawn { group, count });
            }
        }
    }
}
