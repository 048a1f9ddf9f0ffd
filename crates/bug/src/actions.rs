//! 7.1, 7.2: Actions and what they cost. 7.6: Refit. 7.7: Improved Defense.

use board::Hex;
use engine::{Force, Play, Side, UnitId, Violation, ensure, refuse};

use crate::{Action, AttackKind, Bug, Command, Event, Position, Procedure, State, Trial};

/// Who may act now and with how many points: an activation, a reaction, or the winner of a battle.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) side: Side,
    /// The formation that acts; a winner of several formations chooses one.
    pub(crate) formation: Option<u8>,
    /// The units that may act, when not all of the formation may (7.5.3c).
    pub(crate) only: Option<Force>,
    /// Action Points.
    pub(crate) ap: u8,
    pub(crate) boats: u8,
    /// A hex that a bonus move must begin with (7.5.3g, 7.5.3h): the enemy's, and the own.
    pub(crate) ahead: Option<Hex>,
    pub(crate) back: Option<Hex>,
}

impl Turn {
    /// A bonus Action (7.5.3).
    pub(crate) fn is_bonus(&self) -> bool {
        self.only.is_some()
    }
}

/// What there is to look up while the answers are listed.
pub(crate) struct Desk<'a> {
    pub(crate) rules: &'a Bug,
    pub(crate) state: &'a State,
    pub(crate) turn: Turn,
    pub(crate) position: Position,
}

impl AttackKind {
    /// What it costs in command (7a).
    pub(crate) fn cost(self) -> u8 {
        match self {
            AttackKind::Hasty => 1,
            AttackKind::Regular => 2,
            AttackKind::Prepared => 3,
        }
    }
}

impl<'a> Desk<'a> {
    pub(crate) fn new(rules: &'a Bug, state: &'a State, turn: Turn) -> Desk<'a> {
        Desk { rules, state, turn, position: Position::new(rules, state) }
    }

    /// The status of a unit (5.8a).
    pub(crate) fn command(&self, unit: UnitId) -> Command {
        self.rules.command(self.state, &self.position, unit)
    }

    /// Whether a unit belongs to those who act now (5.5.1b, 7.5.3c).
    fn check_member(&self, unit: UnitId) -> Result<(), Violation> {
        let rules = self.rules;
        ensure!("5.5.1b", rules.side(unit) == self.turn.side, "{} belongs to the enemy", unit);
        ensure!("3.3a", !rules.is_hq(unit), "{} is an HQ, which acts alone by relocation", unit);
        ensure!("5.5.1b", self.state.hex(unit).is_some(), "{} is not on the map", unit);
        match (self.turn.formation, self.turn.only) {
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
    fn check_stack(&self, units: Force, cost: u8, lasting: bool) -> Result<(Hex, u8), Violation> {
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
        if self.turn.is_bonus() {
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
        let cost = if command == Command::In { cost } else { cost * 2 };
        ensure!("6.3.3a", cost <= self.turn.ap, "this costs {} AP, and there are {}", cost, self.turn.ap);
        Ok((hex, cost))
    }

    /// Whether these units may make a Movement Action, and what it costs.
    pub(crate) fn check_move(&self, units: Force) -> Result<u8, Violation> {
        let (hex, cost) = self.check_stack(units, 1, false)?;
        if self.turn.is_bonus() {
            let first = [self.turn.ahead, self.turn.back];
            let open = |goal: &Option<Hex>| {
                goal.is_some_and(|goal| {
                    self.rules
                        .can_enter(self.state, &self.position, units, hex, goal, self.turn.boats)
                        .is_ok()
                })
            };
            ensure!(
                "7.5.3g",
                first.iter().any(open),
                "a bonus move begins with the hex that the enemy has left or that the unit itself has left"
            );
            return Ok(cost);
        }
        let free = self.rules.map.neighbours(hex).any(|(_, to)| {
            self.rules.can_enter(self.state, &self.position, units, hex, to, self.turn.boats).is_ok()
        });
        ensure!("7.3.2b", free, "no hex next to {} can be entered", hex);
        Ok(cost)
    }

    /// Whether these units may attack a hex, and what it costs.
    pub(crate) fn check_attack(&self, units: Force, target: Hex, kind: AttackKind) -> Result<u8, Violation> {
        let (from, cost) = self.check_stack(units, kind.cost(), kind != AttackKind::Hasty)?;
        self.rules.check_target(self, units, from, target)?;
        Ok(cost)
    }

    /// Whether a unit may refit: disrupted, in command, for a point (7.6a, 7.6d).
    pub(crate) fn check_refit(&self, unit: UnitId) -> Result<(), Violation> {
        self.check_member(unit)?;
        ensure!("7.6a", self.state.is_disrupted(unit), "{} is not disrupted", unit);
        ensure!("7.1i", self.command(unit) == Command::In, "{} is not within Command Range", unit);
        ensure!("6.3.3a", self.turn.ap >= 1, "this costs 1 AP, and there are none");
        Ok(())
    }

    /// Whether a hex may be put in Improved Defense: all its combat units must be undisrupted, in command and of the
    /// formation (7.7h).
    pub(crate) fn check_improve(&self, hex: Hex) -> Result<(), Violation> {
        let enemies = self.position.held[self.turn.side.enemy()].contains(hex);
        ensure!("5.5.1b", !enemies, "the units in {} belong to the enemy", hex);
        let units = self.rules.combat_units(self.state, hex);
        let Some(first) = units.first() else { refuse!("7.7a", "no combat unit is in {}", hex) };
        ensure!("7.7a", !self.state.improved.contains(hex), "{} is in Improved Defense already", hex);
        for unit in units.iter() {
            self.check_member(unit)?;
            ensure!("5.6.3f", !self.state.is_disrupted(unit), "{} is disrupted", unit);
            ensure!(
                "7.7h",
                self.state.unit(unit).formation == self.state.unit(first).formation,
                "{} belongs to another formation",
                unit
            );
            ensure!("7.7h", self.command(unit) == Command::In, "{} is not in command", unit);
        }
        ensure!("6.3.3a", self.turn.ap >= 1, "this costs 1 AP, and there are none");
        Ok(())
    }

    pub(crate) fn answers(&self, answers: &mut Vec<Action>) {
        let mut seen = crate::HexSet::EMPTY;
        for (unit, hex) in self.rules.on_map(self.state, self.turn.side) {
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
        let targets: arrayvec::ArrayVec<Hex, 6> = self
            .rules
            .map
            .neighbours(hex)
            .map(|(_, to)| to)
            .filter(|to| self.position.combat[self.turn.side.enemy()].contains(*to))
            .collect();
        for units in subsets(able) {
            if self.check_move(units).is_ok() {
                answers.push(Action::Move { units });
            }
            for target in &targets {
                for kind in AttackKind::ALL {
                    if self.check_attack(units, *target, *kind).is_ok() {
                        answers.push(Action::Attack { units, hex: *target, kind: *kind });
                    }
                }
            }
        }
    }
}

/// Every part of a stack that is not empty.
pub(crate) fn subsets(units: Force) -> impl Iterator<Item = Force> {
    (1..1u32 << units.len()).map(move |mask| {
        units.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, unit)| unit).collect()
    })
}

impl Bug {
    /// Who may act now, by the procedure on top of the stack.
    pub(crate) fn turn(&self, state: &State) -> Option<Turn> {
        match *state.stack.last()? {
            Procedure::Activation { hq, ap, boats, .. } => Some(Turn {
                side: self.side(hq),
                formation: self.formation_of(hq),
                only: None,
                ap,
                boats,
                ahead: None,
                back: None,
            }),
            Procedure::Bonus { side, units, attacker, ahead, back } => {
                let (more, boats) = self.attackers_points(state, side, units, attacker);
                Some(Turn { side, formation: None, only: Some(units), ap: 1 + more, boats, ahead, back })
            }
            _ => None,
        }
    }

    /// The points that a winning attacker of the active formation has left on his track (7.5.3e), and the boats used. In a
    /// reaction of the enemy that is the track of the activation that was interrupted (R89).
    fn attackers_points(&self, state: &State, side: Side, units: Force, attacker: bool) -> (u8, u8) {
        let active =
            |hq: UnitId| units.iter().all(|unit| Some(state.unit(unit).formation) == self.formation_of(hq));
        match self.activation_of(state, side) {
            Some((hq, ap, boats)) => (if attacker && active(hq) { ap } else { 0 }, boats),
            None => (0, 0),
        }
    }

    /// The HQ, points and boats of a side's activation or reaction under way.
    pub(crate) fn activation_of(&self, state: &State, side: Side) -> Option<(UnitId, u8, u8)> {
        state.stack.iter().rev().find_map(|procedure| match procedure {
            Procedure::Activation { hq, ap, boats, .. } if self.side(*hq) == side => Some((*hq, *ap, *boats)),
            _ => None,
        })
    }

    /// Pays for an Action: a bonus point first, the rest from the track (7.5.3e). The bonus is gone with it (7.5.3d).
    pub(crate) fn pay(&self, state: &mut State, side: Side, cost: u8, play: &mut Play<Event>) {
        let mut cost = cost;
        if let Some(Procedure::Bonus { .. }) = state.stack.last() {
            state.stack.pop();
            cost = cost.saturating_sub(1);
            if cost == 0 {
                return;
            }
        }
        let activation = state.stack.iter_mut().rev().find(
            |procedure| matches!(procedure, Procedure::Activation { hq, .. } if self.side(*hq) == side),
        );
        if let Some(Procedure::Activation { ap, .. }) = activation {
            *ap = ap.saturating_sub(cost);
            play.tell(Event::Paid { ap: cost, left: *ap });
        }
    }

    /// A unit acts, which ends the Improved Defense of its hex (7.7e).
    fn acts_from(&self, state: &mut State, units: Force, play: &mut Play<Event>) {
        if let Some(hex) = units.first().and_then(|unit| state.hex(unit)) {
            self.end_improvement(state, hex, play);
        }
    }

    pub(crate) fn begin_move_action(&self, state: &mut State, units: Force, play: &mut Play<Event>) {
        self.begin_stack_action(state, units, None, play);
    }

    pub(crate) fn begin_attack_action(
        &self,
        state: &mut State,
        units: Force,
        target: Hex,
        kind: AttackKind,
        play: &mut Play<Event>,
    ) {
        self.begin_stack_action(state, units, Some((target, kind)), play);
    }

    /// Pays, and has isolated units make their checks first (5.8.4d).
    fn begin_stack_action(
        &self,
        state: &mut State,
        units: Force,
        attack: Option<(Hex, AttackKind)>,
        play: &mut Play<Event>,
    ) {
        let Some(turn) = self.turn(state) else { return };
        let desk = Desk::new(self, state, turn);
        let cost = match attack {
            Some((target, kind)) => desk.check_attack(units, target, kind),
            None => desk.check_move(units),
        };
        let Ok(cost) = cost else { return };
        let isolated = units.first().is_some_and(|unit| desk.command(unit) == Command::Isolated);
        let bonus = turn.is_bonus();
        let reactable = self.is_reactable(state, &turn);
        self.pay(state, turn.side, cost, play);
        if isolated {
            state.stack.push(Procedure::Trying { units, target: attack.map(|(target, _)| target) });
            return self.begin_checks(state, Trial::Isolated, units);
        }
        self.acts_from(state, units, play);
        match attack {
            Some((target, kind)) => self.declare(state, units, target, kind, play),
            None => {
                let first = if bonus { (turn.ahead, turn.back) } else { (None, None) };
                self.begin_moving(state, units, reactable, first);
            }
        }
    }

    /// Whether a move now can be reacted to: not in a reaction (6.4.3e), not by a defender with his bonus (7.5.3i).
    fn is_reactable(&self, state: &State, turn: &Turn) -> bool {
        let defender = matches!(state.stack.last(), Some(Procedure::Bonus { attacker: false, .. }));
        let activation = state.stack.iter().rev().find_map(|procedure| match procedure {
            Procedure::Activation { hq, reaction, .. } => Some((*hq, *reaction)),
            _ => None,
        });
        !defender && activation.is_some_and(|(hq, reaction)| !reaction && self.side(hq) == turn.side)
    }

    /// Isolated units have made their checks: those who failed take no part (5.8.4d). True when the owner may go on or
    /// call the Action off (5.8.4f).
    pub(crate) fn go_on_trying(&self, state: &mut State, units: Force) -> bool {
        let passed = units.filter(|unit| state.hex(unit).is_some() && !state.is_disrupted(unit));
        if passed.is_empty() {
            state.stack.pop();
            state.stack.push(Procedure::Ending);
            return false;
        }
        if let Some(Procedure::Trying { units, .. }) = state.stack.last_mut() {
            *units = passed;
        }
        true
    }

    /// Those who passed go on.
    pub(crate) fn try_on(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(Procedure::Trying { units, target }) = state.stack.pop() else { return };
        self.acts_from(state, units, play);
        match target {
            Some(target) => self.declare(state, units, target, AttackKind::Hasty, play),
            None => {
                let reaction =
                    matches!(state.stack.last(), Some(Procedure::Activation { reaction: true, .. }));
                self.begin_moving(state, units, !reaction, (None, None));
            }
        }
    }

    pub(crate) fn refit(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.pay(state, self.side(unit), 1, play);
        let alone: Force = [unit].into_iter().collect();
        self.acts_from(state, alone, play);
        state.stack.push(Procedure::Ending);
        self.begin_checks(state, Trial::Refit, alone);
    }

    pub(crate) fn improve(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        let side = state.controller(hex);
        self.pay(state, side, 1, play);
        state.improved.insert(hex);
        play.tell(Event::Improved { hex });
        state.stack.push(Procedure::Ending);
    }
}
