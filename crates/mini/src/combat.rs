//! 6: combat.

use board::{Dir, Hex};
use engine::{Play, Side, UnitId, UnitSet, Violation, case, ensure, refuse};

use crate::{Action, CombatResult, Event, Mini, Procedure, ShiftCause, State};

impl Mini {
    /// Whether a unit may attack a hex, alone or with others (6.1).
    pub(crate) fn check_attack(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("6.1", self.side(unit) == side, "{} is not {}'s to attack with", unit, side);
        let Some(from) = state.unit(unit).hex else { refuse!("6.1", "{} has been eliminated", unit) };
        ensure!("6.1", !state.unit(unit).attacked, "{} has attacked in this phase", unit);
        ensure!("6.1", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("6.1", self.holder(state, hex) == Some(side.enemy()), "no enemy unit is in {}", hex);
        ensure!("6.1", !state.attacked.contains(&hex), "{} was attacked in this phase", hex);
        Ok(())
    }

    pub(crate) fn combat_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for unit in self.roster.iter() {
            let Some(from) = state.unit(unit).hex else { continue };
            for (_, hex) in self.map.neighbours(from) {
                if self.check_attack(state, side, unit, hex).is_ok() {
                    answers.push(Action::Attack { unit, hex });
                }
            }
        }
        answers.push(Action::End);
    }

    /// From here there is no way back: the whole stack and whoever attacks it are shown (2.5).
    pub(crate) fn declare(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        play.tell(Event::Declared { unit, hex });
        let shown: Vec<UnitId> = state.stack_in(hex).chain([unit]).collect();
        self.show(state, shown, play);
        state.unit_mut(unit).attacked = true;
        state.stack.push(Procedure::Attack { target: hex, attackers: UnitSet::from_iter([unit]) });
    }

    pub(crate) fn attack_answers(&self, state: &State, target: Hex, answers: &mut Vec<Action>) {
        let Some(side) = self.holder(state, target).map(Side::enemy) else { return };
        let more = self.roster.iter().filter(|unit| self.check_attack(state, side, *unit, target).is_ok());
        answers.extend(more.map(|unit| Action::Join { unit }));
        answers.push(Action::Resolve);
    }

    pub(crate) fn join(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        play.tell(Event::Joined { unit });
        self.show(state, [unit], play);
        state.unit_mut(unit).attacked = true;
        if let Some(Procedure::Attack { attackers, .. }) = state.stack.last_mut() {
            attackers.insert(unit);
        }
    }

    /// Tells the account of the battle, finds the column and rolls.
    pub(crate) fn resolve(&self, state: &mut State, target: Hex, attackers: UnitSet, play: &mut Play<Event>) {
        state.attacked.push(target);
        let side = self.holder(state, target).map_or(Side::Axis, Side::enemy);
        let column = self.column(state, target, attackers, play);
        state.stack.pop();
        state.stack.push(Procedure::Battle { target, attackers, column });
        self.roll(state, side, "combat", case("6.4"), play);
    }

    /// The differential and its shifts (6.2, 6.3).
    fn column(&self, state: &State, target: Hex, attackers: UnitSet, play: &mut Play<Event>) -> u8 {
        let attack: u8 = attackers.iter().map(|unit| self.counters[unit.index()].attack).sum();
        let defence: u8 = state.stack_in(target).map(|unit| self.counters[unit.index()].defence).sum();
        let difference = attack as i8 - defence as i8;
        play.tell(Event::Factors { attack, defence, difference });
        let mut place = self.combat_table.differential(i32::from(difference));
        for (columns, why) in self.shifts(state, target, attackers) {
            play.tell(Event::Shifted { columns, why });
            place = self.combat_table.shift(place, -i32::from(columns));
        }
        let heading = self.combat_table.heading(place.column).parse().unwrap_or_default();
        play.tell(Event::Column { heading });
        place.column as u8
    }

    fn shifts(
        &self,
        state: &State,
        target: Hex,
        attackers: UnitSet,
    ) -> impl Iterator<Item = (u8, ShiftCause)> {
        let terrain = self.terrain[usize::from(self.map.terrain(target).0)].shift;
        let wet = attackers.iter().all(|unit| self.attacks_across_river(state, unit, target));
        [(terrain, ShiftCause::Terrain), (u8::from(wet), ShiftCause::River)]
            .into_iter()
            .filter(|(columns, _)| *columns > 0)
    }

    fn attacks_across_river(&self, state: &State, unit: UnitId, target: Hex) -> bool {
        let dir: Option<Dir> =
            state.unit(unit).hex.and_then(|from| self.map.grid().dir_between(target, from));
        dir.is_some_and(|dir| self.river.has(target, dir))
    }

    /// What the table says (6.4).
    pub(crate) fn settle_battle(
        &self,
        state: &mut State,
        target: Hex,
        attackers: UnitSet,
        column: u8,
        roll: u8,
        play: &mut Play<Event>,
    ) {
        let result = self.combat_table.result(usize::from(column), i32::from(roll));
        play.tell(Event::Result { result });
        match result {
            CombatResult::NoEffect => {}
            CombatResult::AttackerLoss => state.stack.push(Procedure::Loss { attackers }),
            CombatResult::Retreat => {
                let stand = state.stack_in(target).map(|unit| state.unit(unit).steps).sum::<u8>() >= 2;
                state.stack.push(Procedure::Retreat { target, attackers, stand });
            }
            CombatResult::DefenderLoss => {
                let defenders: Vec<UnitId> = state.stack_in(target).collect();
                for unit in defenders {
                    self.lose_step(state, unit, play);
                }
                state.stack.push(Procedure::Retreat { target, attackers, stand: false });
            }
        }
    }

    /// Where a unit may retreat to (6.6).
    pub(crate) fn check_retreat(&self, state: &State, unit: UnitId, to: Hex) -> Result<(), Violation> {
        let side = self.side(unit);
        let near = state.unit(unit).hex.is_some_and(|from| self.map.grid().adjacent(from, to));
        ensure!("6.6", near, "{} is not adjacent to {}", to, unit);
        let terrain = self.map.terrain(to);
        ensure!(
            "4.4",
            self.terrain[usize::from(terrain.0)].cost.is_some(),
            "no unit may enter {}: {}",
            to,
            terrain
        );
        ensure!("6.6", self.holder(state, to) != Some(side.enemy()), "an enemy unit is in {}", to);
        ensure!("6.6", !self.ezoc(state, side).contains(to), "{} is in an enemy zone of control", to);
        ensure!("6.6", self.has_room(state, to), "{} is full", to);
        Ok(())
    }

    fn retreats(&self, state: &State, unit: UnitId) -> impl Iterator<Item = Hex> {
        let from = state.unit(unit).hex;
        from.into_iter()
            .flat_map(|from| self.map.neighbours(from))
            .map(|(_, to)| to)
            .filter(move |to| self.check_retreat(state, unit, *to).is_ok())
    }

    /// The unit that retreats next: the top one.
    pub(crate) fn next_to_retreat(&self, state: &State, target: Hex) -> Option<UnitId> {
        state.stack_in(target).next()
    }

    pub(crate) fn cannot_retreat(&self, state: &State, unit: UnitId) -> bool {
        self.retreats(state, unit).next().is_none()
    }

    pub(crate) fn retreat_answers(&self, state: &State, target: Hex, stand: bool, answers: &mut Vec<Action>) {
        let Some(unit) = self.next_to_retreat(state, target) else { return };
        answers.extend(self.retreats(state, unit).map(|to| Action::Retreat { unit, to }));
        if self.cannot_retreat(state, unit) {
            answers.push(Action::Abandon { unit });
        }
        if stand {
            answers.push(Action::Stand);
        }
    }

    pub(crate) fn stand(&self, state: &mut State, target: Hex, play: &mut Play<Event>) {
        state.stack.pop();
        play.tell(Event::Stood { hex: target });
        if let Some(top) = self.next_to_retreat(state, target) {
            self.lose_step(state, top, play);
        }
    }

    pub(crate) fn retreat(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(from) = state.unit(unit).hex else { return };
        self.arrive(state, unit, to);
        play.tell(Event::Retreated { unit, from, to });
        self.no_more_standing(state);
    }

    pub(crate) fn no_more_standing(&self, state: &mut State) {
        if let Some(Procedure::Retreat { stand, .. }) = state.stack.last_mut() {
            *stand = false;
        }
    }

    /// Ends a retreat whose hex is empty, and offers the advance (6.7).
    pub(crate) fn after_retreat(&self, state: &mut State, target: Hex, attackers: UnitSet) {
        state.stack.pop();
        state.stack.push(Procedure::Advance { target, attackers });
    }

    pub(crate) fn check_advance(
        &self,
        state: &State,
        attackers: UnitSet,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("6.7", attackers.contains(unit), "{} did not attack this hex", unit);
        ensure!("6.7", state.unit(unit).hex.is_some(), "{} has been eliminated", unit);
        Ok(())
    }

    pub(crate) fn advance(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        self.arrive(state, unit, to);
        play.tell(Event::Advanced { unit, to });
        state.stack.pop();
    }
}
