//! 9.11, 9.12, 9.14, 9.15: losses, options, advances and exploitation.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::combat::Stage;
use crate::movement::Obstacles;
use crate::sequence::{acting, not_asked};
use crate::stacking::LIMIT;
use crate::{
    Action, Battle, CombatResult, Event, How, Marks, Ocs, Phase, Procedure, Retreat, State, Units, Volley,
};

phrases! {
    /// A side loses steps and chooses whose (9.12).
    pub struct Taking {
        side: Side,
        losses: u8,
        /// Who could lose them.
        from: Units,
        /// The unit that must lose the first (9.9c).
        first: Option<UnitId>,
        /// Those that have lost one: the others come first (9.12c.a).
        hit: Units,
    } = "taking", "9.12", "{side} loses {losses} steps";
}

impl Frame<Ocs> for Taking {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("9.12.b", "{} steps are lost: whose is next", self.losses))
    }

    fn answers(&self, _: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.candidates(state).iter().map(|unit| Action::Lose { unit }));
    }

    fn check(&self, _: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Lose { unit } = action else { return Err(not_asked(state)) };
        ensure!("9.12.b", self.from.contains(unit), "{} does not take part", unit);
        let candidates = self.candidates(state);
        if let Some(first) = self.first.filter(|first| *first != unit && candidates.contains(*first)) {
            ensure!("9.12a", candidates.len() > 1, "{} must lose the first step", first);
        }
        ensure!("9.12c.a", candidates.contains(unit), "others must lose a step before {}", unit);
        Ok(())
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Lose { unit } = action {
            self.lose(rules, state, unit, play);
        }
    }

    /// Where there is no choice the step is lost; losses that nobody can take are ignored (9.12c.b).
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let candidates = self.candidates(state);
        let all: u16 = self.from.iter().map(|unit| u16::from(state.units[unit].steps)).sum();
        match candidates.first() {
            _ if self.losses == 0 => self.end(state),
            None => self.end(state),
            Some(unit) if candidates.len() == 1 || u16::from(self.losses) >= all => {
                self.lose(rules, state, unit, play);
            }
            Some(_) => return true,
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let own = |unit: UnitId| rules.side(unit) == self.side && rules.is_unit(unit);
        let below = around.on::<Battle>().is_some()
            || around.on::<Volley>().is_some()
            || around.on::<Retreat>().is_some();
        around.above.is_empty() && below && self.from.iter().all(own) && self.candidates(state).len() > 1
    }
}

impl Taking {
    /// Who may lose the next step.
    fn candidates(&self, state: &State) -> Units {
        let alive = self.from.filter(|unit| state.hex(unit).is_some());
        if let Some(first) = self.first.filter(|first| alive.contains(*first)) {
            return Units::of(first);
        }
        let fresh = alive - self.hit;
        if fresh.is_empty() { alive } else { fresh }
    }

    fn lose(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if let Some(taking) = state.stack.top_mut::<Taking>() {
            taking.losses = taking.losses.saturating_sub(1);
            taking.first = None;
            taking.hit.insert(unit);
        }
        rules.lose_step(state, unit, play);
    }

    /// A combat remembers who has lost a step.
    fn end(&self, state: &mut State) {
        state.stack.pop();
        if let Some(battle) = state.stack.top_mut::<Battle>() {
            battle.hit = battle.hit | self.hit;
        }
    }
}

impl Ocs {
    /// Takes a step from a unit, which is gone without any (9.12).
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let left = state.units.change(unit, |unit| {
            unit.steps = unit.steps.saturating_sub(1);
            unit.steps
        });
        self.lose_trucks(state, unit, left + 1);
        play.tell(Event::StepLost { unit, left });
        if left == 0 {
            self.eliminate(state, unit, play);
        }
    }
}

impl Battle {
    fn part(&self, rules: &Ocs, state: &State, side: Side) -> Units {
        if side == self.side(rules) { self.alive(state) } else { self.defenders(rules, state) }
    }

    /// A side loses so many steps, the first from the unit whose rating counted (9.9c, 9.12).
    pub(crate) fn take_losses(&self, rules: &Ocs, state: &mut State, side: Side, losses: u8) {
        let from = self.part(rules, state, side);
        if losses == 0 || from.is_empty() {
            return;
        }
        let rated = if side == self.side(rules) { self.rated } else { self.against };
        let untouched = self.hit.iter().all(|unit| rules.side(unit) != side);
        let first = rated.filter(|_| untouched);
        state.stack.push(Taking { side, losses, from, first, hit: self.hit & from });
    }

    /// When a side is gone the other has no option; then a DG result takes effect (9.11a.b, 9.15.a, R30, R31).
    pub(crate) fn disorganize(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let side = self.side(rules);
        let (alive, defenders) = (self.alive(state), self.defenders(rules, state));
        let mut result = self.result;
        if defenders.is_empty() && result.attacker.option > 0 {
            result.attacker.option = 0;
            play.tell(Event::OptionVoid { side });
        }
        if alive.is_empty() && result.defender.option > 0 {
            result.defender.option = 0;
            play.tell(Event::OptionVoid { side: side.enemy() });
        }
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.result = result;
        }
        if self.result.defender.dg {
            for unit in defenders.iter() {
                rules.disorganize(state, unit, play);
            }
        }
    }

    /// How the option of the side that is asked may be taken: any mix of hexes and steps (9.11.b), but no retreat of nobody (R32).
    pub(crate) fn yields(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let (side, option) = self.option(rules);
        let steps: u16 =
            self.part(rules, state, side).iter().map(|unit| u16::from(state.units[unit].steps)).sum();
        let able = |hexes: &u8| *hexes == 0 || u16::from(option - hexes) < steps;
        answers.extend((0..=option).filter(able).map(|hexes| Action::Yield { hexes }));
        if self.stage == Stage::DefenderOption && self.retreated {
            answers.push(Action::Ignore);
        }
    }

    fn option(&self, rules: &Ocs) -> (Side, u8) {
        let CombatResult { attacker, defender } = self.result;
        match self.stage {
            Stage::AttackerOption => (self.side(rules), attacker.option),
            _ => (self.side(rules).enemy(), defender.option),
        }
    }

    /// At all costs the attacker's option is all losses (9.8c.b).
    pub(crate) fn go_on_option(&self, rules: &Ocs, state: &mut State) -> bool {
        let (side, option) = self.option(rules);
        let attacks = self.stage == Stage::AttackerOption;
        if option == 0 || self.part(rules, state, side).is_empty() {
            self.go_to_next(rules, state);
        } else if attacks && self.how == How::AllCosts {
            self.take_option(rules, state, 0);
        } else {
            return true;
        }
        false
    }

    /// Loses steps for all of the option but so many hexes, then retreats those (9.11.c, 9.13.a).
    pub(crate) fn take_option(&self, rules: &Ocs, state: &mut State, hexes: u8) {
        let (side, option) = self.option(rules);
        self.go_to_next(rules, state);
        if hexes > 0 {
            self.retreat(rules, state, side, hexes);
        }
        self.take_losses(rules, state, side, option - hexes);
    }

    fn is_vacant(&self, rules: &Ocs, state: &State) -> bool {
        self.defenders(rules, state).is_empty()
    }

    /// Into the hex that the defender has left (9.13c): who wants to, or all in an overrun.
    pub(crate) fn advance(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let vacant = self.is_vacant(rules, state);
        if self.overrun {
            if vacant && !self.retreated && !self.alive(state).is_empty() {
                self.enter_overrun(rules, state, play);
            }
        } else if vacant && !self.retreated {
            state.stack.push(Advance { hex: self.hex, units: self.alive(state) });
        }
    }

    /// Marks for exploitation, in the Combat Phase only, and not where the attacker has retreated (9.11c, 9.14, R26).
    pub(crate) fn exploit(&self, rules: &Ocs, state: &mut State) {
        if self.overrun {
            self.end_overrun(state);
            return;
        }
        let rating = self.result.attacker.exploit;
        let earned = rating > 0 && !self.retreated && acting(state).1 == Phase::Combat;
        if !earned {
            return;
        }
        let able = |unit: UnitId| {
            rules.rating(state, unit) >= rating && !state.marked(unit, Marks::DG | Marks::EXPLOIT)
        };
        let units = self.alive(state).filter(able);
        if !units.is_empty() {
            state.stack.push(Exploit { units });
        }
    }
}

phrases! {
    /// Attackers may go into the hex that the defender has left (9.13c.a).
    pub struct Advance { hex: Hex, units: Units } = "advance", "9.13c.a", "{units} may advance to {hex}";
}

impl Frame<Ocs> for Advance {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (self.side(rules), remark!("9.13c.a", "advance to {}, or stay", self.hex))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.able(rules, state).iter().map(|unit| Action::Advance { unit }));
        answers.push(Action::Done);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Advance { unit } => self.check_advance(rules, state, unit),
            Action::Done => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Advance { unit } = action else {
            self.end(rules, state, play);
            return;
        };
        if let Some(advance) = state.stack.top_mut::<Advance>() {
            advance.units.remove(unit);
        }
        rules.put(state, unit, self.hex, play);
        play.tell(Event::Advanced { unit, hex: self.hex });
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = !self.able(rules, state).is_empty();
        if !asks {
            self.end(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(battle) = around.on::<Battle>() else { return false };
        around.above.is_empty()
            && battle.hex == self.hex
            && rules.holder(state, self.hex) != Some(battle.side(rules).enemy())
            && self.units.iter().all(|unit| battle.attackers.contains(unit))
            && !self.able(rules, state).is_empty()
    }
}

impl Advance {
    fn side(&self, rules: &Ocs) -> Side {
        self.units.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    fn able(&self, rules: &Ocs, state: &State) -> Units {
        self.units.filter(|unit| self.check_advance(rules, state, unit).is_ok())
    }

    /// A unit that could move into the hex, where there is room (9.3a.a, R61).
    fn check_advance(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("9.13c.a", self.units.contains(unit), "{} has not attacked", unit);
        let Some(from) = state.hex(unit) else { return Err(not_asked(state)) };
        rules.check_enters(state, unit, from, self.hex)?;
        let height = rules.stacked(state, self.hex, rules.side(unit)) + rules.size(state, unit);
        ensure!("4.2a", height <= LIMIT, "more than 10 REs would be in {}", self.hex);
        Ok(())
    }

    /// What lies in the hex is captured once all have entered (11.8b.b).
    fn end(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        if let Some(side) = rules.holder(state, self.hex) {
            rules.capture(state, side, self.hex, play);
        }
    }
}

impl Ocs {
    /// Whether a unit could move from one hex into the next, whatever it costs (9.3a.a, 9.13.c).
    pub(crate) fn check_enters(
        &self,
        state: &State,
        unit: UnitId,
        from: Hex,
        to: Hex,
    ) -> Result<(), Violation> {
        let obstacles = Obstacles::new(self, state, self.side(unit));
        match self.entry_law(state, &obstacles, unit) {
            Some(law) => law.check(from, to),
            None => Err(not_asked(state)),
        }
    }
}

phrases! {
    /// Attackers may be marked for exploitation (9.14.a).
    pub struct Exploit { units: Units } = "exploit", "9.14.a", "{units} may exploit";
}

impl Frame<Ocs> for Exploit {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        let side = self.units.first().map_or(Side::Axis, |unit| rules.side(unit));
        (side, remark!("9.14.a", "mark units for exploitation, or no more"))
    }

    fn answers(&self, _: &Ocs, _: &State, answers: &mut Vec<Action>) {
        answers.extend(self.units.iter().map(|unit| Action::Exploit { unit }));
        answers.push(Action::Done);
    }

    /// A unit on its Move side is turned to its Combat side (5.9b.b, 9.14b.a).
    fn apply(&self, _: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Exploit { unit } = action else {
            state.stack.pop();
            return;
        };
        state.units.change(unit, |unit| {
            unit.marks.clear(Marks::MOVE);
            unit.marks.set(Marks::EXPLOIT);
        });
        play.tell(Event::Exploits { unit });
        if let Some(exploit) = state.stack.top_mut::<Exploit>() {
            exploit.units.remove(unit);
        }
    }

    fn go_on(&self, _: &Ocs, state: &mut State, _: &mut Play<Event>) -> bool {
        if self.units.is_empty() {
            state.stack.pop();
        }
        !self.units.is_empty()
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let (side, phase) = acting(state);
        let able = |unit: UnitId| {
            rules.side(unit) == side
                && rules.is_unit(unit)
                && state.hex(unit).is_some()
                && !state.marked(unit, Marks::DG | Marks::EXPLOIT)
        };
        around.above.is_empty()
            && around.on::<crate::Combat>().is_some()
            && phase == Phase::Combat
            && !self.units.is_empty()
            && self.units.iter().all(able)
    }
}
