//! 6: combat.

use board::{Dir, Hex};
use engine::display;
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::Marks;
use crate::sequence::{acting_side, not_asked, phase};
use crate::{Action, CombatResult, Event, Luck, Mini, Phase, Procedure, ShiftCause, State, Units};

phrases! {
    /// A combat phase.
    pub struct Combat { side: Side } = "combat", "1.1", "{side} combat phase";
}

impl Frame<Mini> for Combat {
    fn asked(&self, _: &Mini, _: &State) -> (Side, Remark) {
        (self.side, remark!("1.1", "attack, or end the combat phase"))
    }

    fn answers(&self, rules: &Mini, state: &State, answers: &mut Vec<Action>) {
        for unit in rules.roster.iter() {
            let Some(from) = state.unit(unit).hex else { continue };
            for (_, hex) in rules.map.neighbours(from) {
                if rules.check_attack(state, self.side, unit, hex).is_ok() {
                    answers.push(Action::Name { unit, hex });
                }
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => rules.check_attack(state, self.side, unit, hex),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => {
                state.stack.push(Attack { target: hex, attackers: Units::of(unit) });
            }
            _ => rules.end_player_turn(state, self.side, play),
        }
    }

    fn is_sound(&self, _: &Mini, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Mini, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Combat))
    }
}

phrases! {
    /// An attack is being put together.
    pub struct Attack { target: Hex, attackers: Units } = "attack", "6.1", "{attackers} attack {target}";
}

impl Frame<Mini> for Attack {
    fn asked(&self, _: &Mini, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("6.1", "add units to the attack, declare it, or call it off"))
    }

    fn answers(&self, rules: &Mini, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        answers.push(Action::Declare);
    }

    fn check(&self, rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare, _) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action.step() {
            Some(step) => muster::apply::<Mini, Attack>(state, step, play),
            None => self.declare(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some()
            && around.above.is_empty()
            && self
                .attackers
                .iter()
                .all(|unit| rules.check_attack(state, acting_side(state), unit, self.target).is_ok())
            && !self.attackers.is_empty()
    }
}

impl Muster<Mini> for Attack {
    const CASES: [Case; 2] = [case("6.1"), case("6.1")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Mini, _: &State) -> Vec<UnitId> {
        rules.roster.iter().collect()
    }

    fn check_join(&self, rules: &Mini, state: &State, unit: UnitId) -> Result<(), Violation> {
        rules.check_attack(state, acting_side(state), unit, self.target)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    /// From here there is no way back: the whole stack and whoever attacks it are shown (2.5). Tells the account of the
    /// battle, finds the column and rolls.
    fn declare(&self, rules: &Mini, state: &mut State, play: &mut Play<Event>) {
        let Attack { target, attackers } = *self;
        let side = acting_side(state);
        play.tell(Event::Declared { units: attackers, hex: target });
        let shown: Vec<UnitId> = state.stack_in(target).chain(attackers.iter()).collect();
        rules.show(state, shown, play);
        attackers.iter().for_each(|unit| state.mark(unit, Marks::ATTACKED));
        state.attacked.push(target);
        let column = rules.column(state, target, attackers, play);
        state.stack.replace(Battle { target, attackers, column });
        rules.roll(state, side, "combat", case("6.4"), play);
    }
}

phrases! {
    /// The die decides, in this column.
    pub struct Battle { target: Hex, attackers: Units, column: u8 } = "battle", "6.4", "battle for {target}";
}

impl Frame<Mini> for Battle {
    fn asked(&self, _: &Mini, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("6.4", "the battle for {} is under way", self.target))
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some()
            && rules.attackers_stand(state, self.attackers, Some(self.target))
            && rules.holder(state, self.target) == Some(acting_side(state).enemy())
            && usize::from(self.column) < rules.combat_table.width()
            && around.under::<Luck>().is_some_and(|luck| luck.side == acting_side(state))
    }
}

impl Battle {
    /// What the table says (6.4).
    pub(crate) fn settle(&self, rules: &Mini, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let Battle { target, attackers, column } = *self;
        let result = rules.combat_table.result(usize::from(column), i32::from(roll));
        play.tell(Event::Result { result });
        match result {
            CombatResult::NoEffect => {}
            CombatResult::AttackerLoss => state.stack.push(Loss { attackers }),
            CombatResult::Retreat => {
                let stand = state.stack_in(target).map(|unit| state.unit(unit).steps).sum::<u8>() >= 2;
                state.stack.push(Retreat { target, attackers, stand });
            }
            CombatResult::DefenderLoss => {
                let defenders: Vec<UnitId> = state.stack_in(target).collect();
                for unit in defenders {
                    rules.lose_step(state, unit, play);
                }
                state.stack.push(Retreat { target, attackers, stand: false });
            }
        }
    }
}

phrases! {
    /// An attacker must lose a step.
    pub struct Loss { attackers: Units } = "loss", "6.4", "one of {attackers} loses a step";
}

impl Frame<Mini> for Loss {
    fn asked(&self, _: &Mini, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("6.4", "name the attacker that loses a step"))
    }

    fn answers(&self, _: &Mini, _: &State, answers: &mut Vec<Action>) {
        answers.extend(self.attackers.iter().map(|unit| Action::Lose { unit }));
    }

    fn check(&self, _: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Lose { unit } = action else { return Err(not_asked(state)) };
        ensure!("6.4", self.attackers.contains(unit), "{} did not attack", unit);
        Ok(())
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Lose { unit } = action {
            state.stack.pop();
            rules.lose_step(state, unit, play);
        }
    }

    /// A single attacker leaves no choice.
    fn go_on(&self, rules: &Mini, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.attackers.len() > 1 {
            return true;
        }
        state.stack.pop();
        self.attackers.iter().for_each(|unit| rules.lose_step(state, unit, play));
        false
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some() && rules.attackers_stand(state, self.attackers, None)
    }
}

phrases! {
    /// The defenders retreat.
    pub struct Retreat {
        target: Hex,
        attackers: Units,
        /// They may take a loss instead.
        stand: bool,
    } = "retreat", "6.6", "defenders of {target} retreat";
}

impl Frame<Mini> for Retreat {
    fn asked(&self, _: &Mini, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), remark!("6.6", "retreat from {}", self.target))
    }

    fn answers(&self, rules: &Mini, state: &State, answers: &mut Vec<Action>) {
        let Some(unit) = rules.next_to_retreat(state, self.target) else { return };
        answers.extend(rules.retreats(state, unit).map(|to| Action::Retreat { unit, to }));
        if rules.cannot_retreat(state, unit) {
            answers.push(Action::Abandon { unit });
        }
        if self.stand {
            answers.push(Action::Stand);
        }
    }

    fn check(&self, rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        let next = |unit: UnitId| -> Result<(), Violation> {
            let next = rules.next_to_retreat(state, self.target) == Some(unit);
            ensure!("6.6", next, "{} does not retreat now", unit);
            Ok(())
        };
        match action {
            Action::Stand => ensure!("6.5", self.stand, "the defenders cannot stand fast"),
            Action::Retreat { unit, to } => {
                next(unit)?;
                rules.check_retreat(state, unit, to)?;
            }
            Action::Abandon { unit } => {
                next(unit)?;
                ensure!("6.6", rules.cannot_retreat(state, unit), "{} can retreat", unit);
            }
            _ => return Err(not_asked(state)),
        }
        Ok(())
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Stand => {
                state.stack.pop();
                play.tell(Event::Stood { hex: self.target });
                if let Some(top) = rules.next_to_retreat(state, self.target) {
                    rules.lose_step(state, top, play);
                }
                return;
            }
            Action::Retreat { unit, to } => {
                let Some(from) = state.unit(unit).hex else { return };
                rules.arrive(state, unit, to);
                play.tell(Event::Retreated { unit, from, to });
            }
            Action::Abandon { unit } => rules.eliminate(state, unit, play),
            _ => {}
        }
        if let Some(Retreat { stand, .. }) = state.stack.top_mut() {
            *stand = false;
        }
    }

    /// Whoever cannot retreat is lost (6.6); when the hex is empty the advance is offered (6.7).
    fn go_on(&self, rules: &Mini, state: &mut State, play: &mut Play<Event>) -> bool {
        let Retreat { target, attackers, stand } = *self;
        match rules.next_to_retreat(state, target) {
            None => state.stack.replace(Advance { target, attackers }),
            Some(unit) if !stand && rules.cannot_retreat(state, unit) => rules.eliminate(state, unit, play),
            Some(_) => return true,
        }
        false
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some()
            && rules.attackers_stand(state, self.attackers, Some(self.target))
            && rules.holder(state, self.target) == Some(acting_side(state).enemy())
    }
}

phrases! {
    /// An attacker may advance.
    pub struct Advance { target: Hex, attackers: Units } = "advance", "6.7", "one of {attackers} may advance to {target}";
}

impl Frame<Mini> for Advance {
    fn asked(&self, _: &Mini, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("6.7", "advance to {}, or stay", self.target))
    }

    fn answers(&self, _: &Mini, state: &State, answers: &mut Vec<Action>) {
        let able = self.attackers.iter().filter(|unit| self.check_advance(state, *unit).is_ok());
        answers.extend(able.map(|unit| Action::Advance { unit }));
        answers.push(Action::Stay);
    }

    fn check(&self, _: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Advance { unit } => self.check_advance(state, unit),
            Action::Stay => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Advance { unit } = action {
            rules.arrive(state, unit, self.target);
            play.tell(Event::Advanced { unit, to: self.target });
        }
        state.stack.pop();
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some()
            && rules.attackers_stand(state, self.attackers, Some(self.target))
            && rules.holder(state, self.target).is_none()
    }
}

impl Advance {
    fn check_advance(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("6.7", self.attackers.contains(unit), "{} did not attack this hex", unit);
        ensure!("6.7", state.unit(unit).hex.is_some(), "{} has been eliminated", unit);
        Ok(())
    }
}

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
        ensure!("6.1", !state.marked(unit, Marks::ATTACKED), "{} has attacked in this phase", unit);
        ensure!("6.1", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("6.1", self.holder(state, hex) == Some(side.enemy()), "no enemy unit is in {}", hex);
        ensure!("6.1", !state.attacked.contains(&hex), "{} was attacked in this phase", hex);
        Ok(())
    }

    /// Attackers of the side whose phase it is, next to their target where there is one.
    fn attackers_stand(&self, state: &State, attackers: Units, target: Option<Hex>) -> bool {
        let stands = |unit: UnitId| {
            let near = |from: Hex| target.is_none_or(|hex| self.map.grid().adjacent(from, hex));
            self.side(unit) == acting_side(state) && state.unit(unit).hex.is_some_and(near)
        };
        !attackers.is_empty() && attackers.iter().all(stands)
    }

    /// The differential and its shifts (6.2, 6.3).
    fn column(&self, state: &State, target: Hex, attackers: Units, play: &mut Play<Event>) -> u8 {
        let attack: u8 = attackers.iter().map(|unit| self.counters[unit.index()].attack).sum();
        let defence: u8 = state.stack_in(target).map(|unit| self.counters[unit.index()].defence).sum();
        let difference = i16::from(attack) - i16::from(defence);
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

    fn shifts(&self, state: &State, target: Hex, attackers: Units) -> impl Iterator<Item = (u8, ShiftCause)> {
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
}
