//! 13: air armies.

use engine::{Play, Side, UnitId, Violation, ensure};

use crate::{Action, AirGroup, Battle, Dagc, Event, Marks, State};

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
        ensure!(
            "13.1b",
            armies.used < armies.all,
            "no unused air army is left there: {} of {} have acted",
            armies.used,
            armies.all
        );
        Ok(())
    }

    /// One air army may support a Soviet attack (13.1c): of the main front for the main front (13.2e), of 1st
    /// Ukrainian Front for its own (13.2b).
    pub(crate) fn check_air(&self, state: &State, battle: &Battle, group: AirGroup) -> Result<(), Violation> {
        let Battle::Attack { attackers, .. } = battle;
        let mut units = attackers.iter();
        ensure!(
            "13.1c",
            units.clone().all(|unit| self.side(unit) == Side::Soviet),
            "air armies support Soviet attacks"
        );
        let uf = units.any(|unit| self.is_1uf(unit));
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
    pub(crate) fn check_interdict(
        &self,
        state: &State,
        unit: UnitId,
        group: AirGroup,
    ) -> Result<(), Violation> {
        ensure!("13.3a", self.side(unit) == Side::Axis, "{} is not German", unit);
        let Some(hex) = state.hex(unit) else { engine::refuse!("13.3a", "{} is not on the map", unit) };
        ensure!("13.3f", !self.is_fortified(unit), "interdiction has no effect on {}", unit);
        ensure!("13.3d", !state.marked(unit, Marks::INTERDICTED), "{} is interdicted already", unit);
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

    pub(crate) fn interdiction_answers(&self, state: &State, answers: &mut Vec<Action>) {
        for (unit, _) in self.on_map(state, Side::Axis) {
            for &group in AirGroup::ALL {
                if self.check_interdict(state, unit, group).is_ok() {
                    answers.push(Action::Interdict { unit, group });
                }
            }
        }
        answers.push(Action::End);
    }

    pub(crate) fn interdict(&self, state: &mut State, unit: UnitId, group: AirGroup, play: &mut Play<Event>) {
        self.use_air(state, group);
        state.mark(unit, Marks::INTERDICTED);
        play.tell(Event::WasInterdicted { unit, group });
    }

    /// At the start of turn 6 four main-front air armies and one of 1st Ukrainian Front go home (13.4).
    pub(crate) fn withdraw_air(&self, state: &mut State, play: &mut Play<Event>) {
        for (group, most) in [(AirGroup::Main, 4), (AirGroup::Uf, 1)] {
            let armies = &mut state.air[group.index()];
            let count = armies.all.min(most);
            armies.all -= count;
            if count > 0 {
                play.tell(Event::AirWithdrawn { group, count });
            }
        }
    }
}
