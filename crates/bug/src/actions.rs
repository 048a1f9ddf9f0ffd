//! 7.1, 7.2: Actions and what they cost. 7.6: Refit. 7.7: Improved Defense.

use std::rc::Rc;

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{
    Action, Attack, AttackKind, Bonus, Bug, CheckCause, Command, Ending, Event, HexSet, Presence, Procedure,
    State, Units,
};

phrases! {
    /// A formation acts.
    pub struct Activation {
        hq: UnitId,
        /// Action Points left.
        ap: u8,
        /// Boats used (7.3.8a).
        boats: u8,
        reaction: bool,
    } = "activation", "6.3a", "{hq} is active";
}

/// More Action Points than any formation has.
const MOST_POINTS: u8 = 20;

impl Frame<Bug> for Activation {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        (rules.side(self.hq), remark!("6.3b", "{} acts with {} AP, or ends", self.hq, self.ap))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let desk = Desk::new(rules, state, self.mandate(rules));
        desk.answers(answers);
        desk.bridge_answers(answers);
        rules.relocation_answers(state, self.hq, self.ap, answers);
        rules.top_answers(state, rules.side(self.hq), answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let desk = || Desk::new(rules, state, self.mandate(rules));
        match action {
            Action::Bridge { from, to } => desk().check_bridge(from, to).map(|_| ()),
            Action::Relocate { hex } => {
                rules.check_relocate(state, &rules.survey(state, self.hq), self.hq, self.ap, hex)
            }
            Action::Top { unit } => rules.check_top(state, rules.side(self.hq), unit),
            Action::End => Ok(()),
            _ => desk().check(action),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Bridge { from, to } => {
                let corps = Desk::new(rules, state, self.mandate(rules)).check_bridge(from, to);
                if let Ok(corps) = corps {
                    rules.bridge(state, corps, from, to, play);
                }
            }
            Action::Relocate { hex } => rules.relocate(state, self.hq, hex, play),
            Action::Top { unit } => rules.arrange(state, unit, play),
            Action::End => self.end(state, play),
            _ => rules.act(state, action, play),
        }
    }

    fn go_on(&self, _: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.ap == 0 {
            self.end(state, play);
        }
        self.ap > 0
    }

    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        rules.is_hq(self.hq)
            && !around.is_outermost()
            && self.ap <= MOST_POINTS
            && self.boats <= 2
            && (!around.above.is_empty() || self.ap > 0)
    }
}

impl Activation {
    pub(crate) fn mandate(&self, rules: &Bug) -> Mandate {
        Mandate {
            side: rules.side(self.hq),
            formation: rules.formation_of(self.hq),
            only: None,
            ap: self.ap,
            boats: self.boats,
            ahead: None,
            back: None,
        }
    }

    fn end(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        play.tell(Event::ActivationEnded { hq: self.hq });
    }
}

phrases! {
    /// Isolated units have made their checks for an Action.
    pub struct Trying { units: Units, target: Option<Hex> } = "trying", "5.8.4f", "isolated units act";
}

impl Frame<Bug> for Trying {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        let prompt = remark!("5.8.4f", "go on with the units that passed, or call the Action off");
        (rules.side_of_all(self.units), prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        if self.check_go_on(rules, state).is_ok() {
            answers.push(Action::GoOn);
        }
        answers.push(Action::CallOff);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::GoOn => self.check_go_on(rules, state),
            Action::CallOff => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        if action == Action::CallOff {
            return state.stack.push(Ending {});
        }
        rules.acts_from(state, self.units, play);
        match self.target {
            Some(target) => rules.declare(state, self.units, target, AttackKind::Hasty, play),
            None => {
                let reaction = state.stack.top::<Activation>().is_some_and(|activation| activation.reaction);
                rules.begin_moving(state, self.units, !reaction, (None, None));
            }
        }
    }

    /// Those who failed take no part (5.8.4d); the owner of the others may go on or call the Action off (5.8.4f).
    fn go_on(&self, _: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        let passed = self.units.filter(|unit| state.hex(unit).is_some() && !state.is_disrupted(unit));
        if passed.is_empty() {
            state.stack.replace(Ending {});
        } else {
            state.stack.replace(Trying { units: passed, target: self.target });
        }
        !passed.is_empty()
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        let from = self.units.first().and_then(|unit| state.hex(unit));
        let near = |target: Hex| {
            from.is_some_and(|from| rules.map.grid().adjacent(from, target))
                && !rules.combat_units(state, target).is_empty()
        };
        let acting = around.on::<Activation>().is_some() || around.on::<Bonus>().is_some();
        let together = !around.above.is_empty() || rules.stand_together(state, self.units);
        acting && together && self.target.is_none_or(near)
    }
}

impl Trying {
    /// Isolated units that move may find that those who failed were the only ones able to.
    fn check_go_on(&self, rules: &Bug, state: &State) -> Result<(), Violation> {
        let Some(from) = self.units.first().and_then(|unit| state.hex(unit)) else {
            refuse!("5.8.4d", "nobody is left")
        };
        if self.target.is_none() {
            let march = rules.march(state, &rules.presence(state), self.units, 0);
            let open = march.is_some_and(|march| march.can_begin());
            ensure!("7.3.2b", open, "no hex next to {} can be entered", from);
        }
        Ok(())
    }
}

/// Who may act now and with how many points: an activation, a reaction, or the winner of a battle.
#[derive(Clone, Copy)]
pub(crate) struct Mandate {
    pub(crate) side: Side,
    /// The formation that acts; a winner of several formations chooses one.
    pub(crate) formation: Option<u8>,
    /// The units that may act, when not all of the formation may (7.5.3c).
    pub(crate) only: Option<Units>,
    /// Action Points.
    pub(crate) ap: u8,
    pub(crate) boats: u8,
    /// A hex that a bonus move must begin with (7.5.3g, 7.5.3h): the enemy's, and the own.
    pub(crate) ahead: Option<Hex>,
    pub(crate) back: Option<Hex>,
}

impl Mandate {
    /// A bonus Action (7.5.3).
    pub(crate) fn is_bonus(&self) -> bool {
        self.only.is_some()
    }
}

/// What there is to look up while the answers are listed.
pub(crate) struct Desk<'a> {
    pub(crate) rules: &'a Bug,
    pub(crate) state: &'a State,
    pub(crate) mandate: Mandate,
    pub(crate) presence: Rc<Presence>,
}

impl Command {
    /// What an Action costs that costs so much in command.
    pub fn cost(self, cost: u8) -> u8 {
        if self == Command::In { cost } else { cost * 2 }
    }
}

impl AttackKind {
    /// What it costs units of this status; nothing when they cannot make it: out of command they attack hastily, for
    /// twice the points (7c, 5.8.4b).
    pub fn cost_for(self, command: Command) -> Option<u8> {
        match command {
            Command::In => Some(self.cost()),
            _ => (self == AttackKind::Hasty).then(|| command.cost(self.cost())),
        }
    }

    /// What it costs in command (7a).
    pub fn cost(self) -> u8 {
        match self {
            AttackKind::Hasty => 1,
            AttackKind::Regular => 2,
            AttackKind::Prepared => 3,
        }
    }
}

impl<'a> Desk<'a> {
    pub(crate) fn new(rules: &'a Bug, state: &'a State, mandate: Mandate) -> Desk<'a> {
        Desk { rules, state, mandate, presence: rules.presence(state) }
    }

    /// The desk of whoever acts now, if anybody does.
    pub(crate) fn of(rules: &'a Bug, state: &'a State) -> Option<Desk<'a>> {
        rules.mandate(state).map(|mandate| Desk::new(rules, state, mandate))
    }

    /// Whether an Action is allowed that an activation and a bonus have in common (7a).
    pub(crate) fn check(&self, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { units } => self.check_move(units).map(|_| ()),
            // Of all attacks a hasty one is the cheapest, and open to everybody who can attack at all.
            Action::Name { unit, hex } => {
                self.check_attack(Units::of(unit), hex, AttackKind::Hasty).map(|_| ())
            }
            Action::Refit { unit } => self.check_refit(unit),
            Action::Improve { hex } => self.check_improve(hex),
            _ => Err(not_asked(self.state, action)),
        }
    }

    /// The status of a unit (5.8a).
    pub(crate) fn command(&self, unit: UnitId) -> Command {
        self.rules.command(self.state, &self.presence, unit)
    }

    /// Whether a unit belongs to those who act now (5.5.1b, 7.5.3c).
    fn check_member(&self, unit: UnitId) -> Result<(), Violation> {
        let rules = self.rules;
        ensure!("5.5.1b", rules.side(unit) == self.mandate.side, "{} belongs to the enemy", unit);
        ensure!("3.3a", !rules.is_hq(unit), "{} is an HQ, which acts alone by relocation", unit);
        ensure!("5.5.1b", self.state.hex(unit).is_some(), "{} is not on the map", unit);
        match (self.mandate.formation, self.mandate.only) {
            (_, Some(only)) => {
                ensure!("7.5.3c", only.contains(unit), "{} did not take part in the combat", unit);
            }
            (Some(formation), None) => ensure!(
                "5.3.1t",
                self.state.unit(unit).formation == formation,
                "{} does not belong to the active formation",
                unit
            ),
            (None, None) => {}
        }
        Ok(())
    }

    /// The hex that all units of a stack act from (7.1a), with what an Action of them costs if in command it costs
    /// `cost`.
    fn check_stack(&self, units: Units, cost: u8, lasting: bool) -> Result<(Hex, u8), Violation> {
        let Some(first) = units.first() else { refuse!("7.1a", "nobody is named") };
        for unit in units.iter() {
            self.check_member(unit)?;
            ensure!(
                "7.1a",
                self.state.hex(unit) == self.state.hex(first),
                "{} and {} are not in the same hex",
                first,
                unit
            );
            ensure!(
                "7.1a",
                self.state.unit(unit).formation == self.state.unit(first).formation,
                "{} and {} do not belong to the same formation",
                first,
                unit
            );
            ensure!("5.6.3h", !self.state.is_disrupted(unit), "{} is disrupted and can only refit", unit);
        }
        let Some(hex) = self.state.hex(first) else { refuse!("7.1a", "{} is not on the map", first) };
        // All are of one formation and in one hex: what holds of the first holds of all.
        let command = self.command(first);
        if self.mandate.is_bonus() {
            ensure!("7.5.3c", command == Command::In, "{} is not in Command Range", first);
        }
        ensure!(
            "5.8.4b",
            command != Command::Isolated || !lasting,
            "{} is isolated and can only move or attack hastily",
            first
        );
        ensure!(
            "5.8.3c",
            command == Command::In || !lasting,
            "{} is out of command and can only move or attack hastily",
            first
        );
        let cost = command.cost(cost);
        ensure!(
            "6.3.3a",
            cost <= self.mandate.ap,
            "this costs {} AP, and you have {}",
            cost,
            self.mandate.ap
        );
        Ok((hex, cost))
    }

    /// Whether these units may make a Movement Action, and what it costs.
    fn check_move(&self, units: Units) -> Result<u8, Violation> {
        let (hex, cost) = self.check_stack(units, 1, false)?;
        let march = self.rules.march(self.state, &self.presence, units, self.mandate.boats);
        let Some(mut march) = march else { refuse!("7.1a", "nobody is named") };
        if self.mandate.is_bonus() {
            march.first = [self.mandate.ahead, self.mandate.back];
            ensure!(
                "7.5.3g",
                march.is_bound() && !march.is_at_an_end(),
                "a bonus move begins with the hex that the enemy has left or that the unit itself has left"
            );
            return Ok(cost);
        }
        ensure!("7.3.2b", march.can_begin(), "no hex next to {} can be entered", hex);
        Ok(cost)
    }

    /// Whether these units may attack a hex, and what it costs.
    pub(crate) fn check_attack(&self, units: Units, target: Hex, kind: AttackKind) -> Result<u8, Violation> {
        let (from, cost) = self.check_stack(units, kind.cost(), kind != AttackKind::Hasty)?;
        self.rules.check_target(self, units, from, target)?;
        Ok(cost)
    }

    /// Whether a unit may refit: disrupted and in command (7.6a, 7.6d). Whoever acts has the point that it costs.
    fn check_refit(&self, unit: UnitId) -> Result<(), Violation> {
        self.check_member(unit)?;
        ensure!("7.6a", self.state.is_disrupted(unit), "{} is not disrupted", unit);
        ensure!("7.1i", self.command(unit) == Command::In, "{} is not within Command Range", unit);
        Ok(())
    }

    /// Whether a hex may be put in Improved Defense: all its combat units must be undisrupted, in command and of the
    /// formation (7.7h).
    fn check_improve(&self, hex: Hex) -> Result<(), Violation> {
        let enemies = self.presence.held[self.mandate.side.enemy()].contains(hex);
        ensure!("5.5.1b", !enemies, "the units in {} belong to the enemy", hex);
        let units = self.rules.combat_units(self.state, hex);
        let Some(first) = units.first() else { refuse!("7.7a", "no combat unit is in {}", hex) };
        ensure!("7.7a", !self.state.improved.contains(hex), "{} is in Improved Defense already", hex);
        let of = |unit: UnitId| self.state.unit(unit).formation;
        let active = self.mandate.formation.filter(|active| units.iter().any(|unit| of(unit) == *active));
        let formation = active.unwrap_or(of(first));
        for unit in units.iter() {
            ensure!(
                "7.7h",
                of(unit) == formation,
                "{} belongs to another formation, and all units of a hex improve together",
                unit
            );
            self.check_member(unit)?;
            ensure!("5.6.3f", !self.state.is_disrupted(unit), "{} is disrupted", unit);
            ensure!("7.7h", self.command(unit) == Command::In, "{} is not in command", unit);
        }
        Ok(())
    }

    pub(crate) fn answers(&self, answers: &mut Vec<Action>) {
        let mut seen = HexSet::EMPTY;
        for (unit, hex) in self.rules.on_map(self.state, self.mandate.side) {
            if self.check_member(unit).is_err() {
                continue;
            }
            if self.check_refit(unit).is_ok() {
                answers.push(Action::Refit { unit });
            }
            if seen.insert(hex) {
                self.stack_answers(hex, answers);
                if self.check_improve(hex).is_ok() {
                    answers.push(Action::Improve { hex });
                }
            }
        }
    }

    /// What the stacks that can be formed in a hex may do.
    fn stack_answers(&self, hex: Hex, answers: &mut Vec<Action>) {
        let able = self
            .rules
            .combat_units(self.state, hex)
            .filter(|unit| self.check_member(unit).is_ok() && !self.state.is_disrupted(unit));
        for units in subsets(able) {
            if self.check_move(units).is_ok() {
                answers.push(Action::Move { units });
            }
        }
        for unit in able.iter() {
            answers.extend(self.targets(unit, hex).map(|hex| Action::Name { unit, hex }));
        }
    }

    /// The hexes that a unit may attack from its own.
    fn targets(&self, unit: UnitId, from: Hex) -> impl Iterator<Item = Hex> + '_ {
        let near = self.rules.map.neighbours(from).map(|(_, to)| to);
        near.filter(move |hex| {
            self.presence.combat[self.mandate.side.enemy()].contains(*hex)
                && self.check(Action::Name { unit, hex: *hex }).is_ok()
        })
    }

    /// Some attack that could be put together now.
    pub(crate) fn any_attack(&self) -> Option<Attack> {
        let mut units = self.rules.on_map(self.state, self.mandate.side);
        units.find_map(|(unit, hex)| {
            let target = self.targets(unit, hex).next()?;
            Some(Attack { target, attackers: Units::of(unit) })
        })
    }
}

/// Every part of a stack that is not empty.
pub(crate) fn subsets(units: Units) -> impl Iterator<Item = Units> {
    (1..1u32 << units.len()).map(move |mask| {
        units.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, unit)| unit).collect()
    })
}

impl Bug {
    /// Who may act now: the procedure on top of the stack, or that beneath an attack that is being put together.
    pub(crate) fn mandate(&self, state: &State) -> Option<Mandate> {
        let acting = state.stack.iter().rev().find(|frame| !matches!(frame, Procedure::Attack(_)))?;
        match acting {
            Procedure::Activation(activation) => Some(activation.mandate(self)),
            Procedure::Bonus(bonus) => Some(bonus.mandate(self, state)),
            _ => None,
        }
    }

    /// A side's activation or reaction under way.
    pub(crate) fn activation_of<'a>(&self, state: &'a State, side: Side) -> Option<&'a Activation> {
        state.stack.iter().rev().find_map(|frame| match frame {
            Procedure::Activation(activation) if self.side(activation.hq) == side => Some(activation),
            _ => None,
        })
    }

    /// The same, to be changed.
    pub(crate) fn activation_mut<'a>(&self, state: &'a mut State, side: Side) -> Option<&'a mut Activation> {
        state.stack.iter_mut().rev().find_map(|frame| match frame {
            Procedure::Activation(activation) if self.side(activation.hq) == side => Some(activation),
            _ => None,
        })
    }

    /// Pays for an Action: a bonus point first, the rest from the track (7.5.3e). The bonus is gone with it (7.5.3d).
    pub(crate) fn pay(&self, state: &mut State, side: Side, cost: u8, play: &mut Play<Event>) {
        let mut cost = cost;
        if state.stack.pop_if::<Bonus>().is_some() {
            cost = cost.saturating_sub(1);
            if cost == 0 {
                return;
            }
        }
        if let Some(activation) = self.activation_mut(state, side) {
            activation.ap = activation.ap.saturating_sub(cost);
            play.tell(Event::Paid { ap: cost, left: activation.ap });
        }
    }

    /// Carries out an Action that an activation and a bonus have in common.
    pub(crate) fn act(&self, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { units } => self.begin_stack_action(state, units, None, play),
            Action::Name { unit, hex } => {
                state.stack.push(Attack { target: hex, attackers: Units::of(unit) })
            }
            Action::Refit { unit } => self.refit(state, unit, play),
            Action::Improve { hex } => self.improve(state, hex, play),
            _ => {}
        }
    }

    /// Combat units of one side in one hex.
    pub(crate) fn stand_together(&self, state: &State, units: Units) -> bool {
        let hex = units.first().and_then(|unit| state.hex(unit));
        let side = self.side_of_all(units);
        let stands = |unit: UnitId| state.hex(unit) == hex && !self.is_hq(unit) && self.side(unit) == side;
        hex.is_some() && units.iter().all(stands)
    }

    /// A unit acts, which ends the Improved Defense of its hex (7.7e).
    fn acts_from(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        if let Some(hex) = units.first().and_then(|unit| state.hex(unit)) {
            self.end_improvement(state, hex, play);
        }
    }

    /// Pays, and has isolated units make their checks first (5.8.4d).
    pub(crate) fn begin_stack_action(
        &self,
        state: &mut State,
        units: Units,
        attack: Option<(Hex, AttackKind)>,
        play: &mut Play<Event>,
    ) {
        let Some(mandate) = self.mandate(state) else { return };
        let desk = Desk::new(self, state, mandate);
        let cost = match attack {
            Some((target, kind)) => desk.check_attack(units, target, kind),
            None => desk.check_move(units),
        };
        let Ok(cost) = cost else { return };
        let isolated = units.first().is_some_and(|unit| desk.command(unit) == Command::Isolated);
        let bonus = mandate.is_bonus();
        let reactable = self.is_reactable(state, &mandate);
        self.pay(state, mandate.side, cost, play);
        if isolated {
            state.stack.push(Trying { units, target: attack.map(|(target, _)| target) });
            return self.begin_checks(state, CheckCause::Isolated, units);
        }
        self.acts_from(state, units, play);
        match attack {
            Some((target, kind)) => self.declare(state, units, target, kind, play),
            None => {
                let first = if bonus { (mandate.ahead, mandate.back) } else { (None, None) };
                self.begin_moving(state, units, reactable, first);
            }
        }
    }

    /// Whether a move now can be reacted to: not in a reaction (6.4.3e), not by a defender with his bonus (7.5.3i).
    fn is_reactable(&self, state: &State, mandate: &Mandate) -> bool {
        let defender = state.stack.top::<Bonus>().is_some_and(|bonus| !bonus.attacker);
        let activation = state.stack.find::<Activation>();
        !defender && activation.is_some_and(|active| !active.reaction && self.side(active.hq) == mandate.side)
    }

    fn refit(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.pay(state, self.side(unit), 1, play);
        self.acts_from(state, Units::of(unit), play);
        state.stack.push(Ending {});
        self.begin_checks(state, CheckCause::Refit, Units::of(unit));
    }

    fn improve(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        let side = state.controller(hex);
        self.pay(state, side, 1, play);
        state.improved.insert(hex);
        play.tell(Event::Improved { hex });
        state.stack.push(Ending {});
    }
}
