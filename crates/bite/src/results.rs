//! 12.5: combat results: steps and hexes, each side its own part.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::combat::Stage;
use crate::sequence::not_asked;
use crate::{Action, Battle, Bite, Event, Hexes, Place, Procedure, Retreating, State, Units};

phrases! {
    /// A side carries out its part of a result.
    pub struct Taking {
        attacker: bool,
        /// What is to be taken in steps and hexes, until that is said.
        number: u8,
        /// One of them at least is a step (12.5b3).
        star: bool,
        /// No retreat: engaged, or a fortress (12.5c2, 18.0a3).
        stay: bool,
        /// It was said how much is retreat.
        said: bool,
        hexes: u8,
        /// Steps that the force has yet to lose.
        steps: u8,
        /// Steps that those in a fortress lose for hexes of retreat (R53).
        bunker: u8,
        /// Those who cannot move have lost their steps (R52).
        held: bool,
        /// Who has yet to retreat.
        left: Units,
        /// The most hexes that somebody could not make (R47).
        short: u8,
    } = "taking", "12.5b", "a result is carried out";
}

impl Frame<Bite> for Taking {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        let side = self.side(state);
        let prompt = if !self.said {
            remark!(
                "12.5b1",
                "the result is {}: say how many hexes of retreat, the rest are lost steps",
                self.number
            )
        } else if self.losses() > 0 {
            remark!("12.4e1", "name a unit that loses a step; still to be lost: {}", self.losses())
        } else {
            remark!("12.6e", "say who retreats next")
        };
        (side, prompt)
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        if !self.said {
            answers.extend(self.choices(rules, state).map(|hexes| Action::Yield { hexes }));
        } else if self.losses() > 0 {
            answers.extend(self.losers(rules, state).iter().map(|unit| Action::Lose { unit }));
        } else {
            answers.extend(self.left.iter().map(|unit| Action::Withdraw { unit }));
        }
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Yield { hexes } if !self.said => {
                ensure!("12.5b1", hexes <= self.number, "the result is {}", self.number);
                let step = !self.star || hexes < self.number;
                ensure!("12.5b3", step, "at least one step must be lost");
                ensure!(
                    "12.6a2",
                    self.choices(rules, state).any(|choice| choice == hexes),
                    "nobody can retreat"
                );
                Ok(())
            }
            Action::Lose { unit } if self.said && self.losses() > 0 => self.check_loser(rules, state, unit),
            Action::Withdraw { unit } if self.said && self.losses() == 0 => {
                ensure!("12.6d", self.left.contains(unit), "{} does not retreat", unit);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Yield { hexes } => self.say(rules, state, hexes, play),
            Action::Lose { unit } => self.lose(rules, state, unit, play),
            Action::Withdraw { unit } => self.withdraw(rules, state, unit),
            _ => {}
        }
    }

    /// Nobody is asked where there is no choice.
    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        if !self.said {
            let mut choices = self.choices(rules, state);
            if let (Some(only), None) = (choices.next(), choices.next()) {
                self.say(rules, state, only, play);
                return false;
            }
            return true;
        }
        if self.losses() > 0 {
            let losers = self.losers(rules, state);
            match losers.first() {
                None => self.change(state, |taking| (taking.steps, taking.bunker) = (0, 0)),
                Some(unit) if losers.len() == 1 => self.lose(rules, state, unit, play),
                Some(_) => return true,
            }
            return false;
        }
        if self.hexes > 0 && !self.held {
            self.change(state, |taking| taking.held = true);
            self.hold(rules, state, play);
            return false;
        }
        let left = self.left.filter(|unit| state.hex(unit).is_some());
        if left != self.left {
            self.change(state, |taking| taking.left = left);
            return false;
        }
        let Some(first) = left.first() else {
            self.end(state, play);
            return false;
        };
        let hex = state.hex(first);
        if left.iter().all(|unit| state.hex(unit) == hex) {
            self.withdraw(rules, state, first);
            return false;
        }
        true
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(battle) = around.on::<Battle>() else { return false };
        let stage = if self.attacker { Stage::DefenderPart } else { Stage::Advancing };
        let of = |unit: UnitId| (rules.side(unit) == battle.side) == self.attacker;
        battle.stage == stage
            && (1..=9).contains(&self.number)
            && self.hexes <= 9
            && self
                .left
                .iter()
                .all(|unit| of(unit) && (state.hex(unit).is_some() || !around.above.is_empty()))
            && (self.said || self.left.is_empty() && self.losses() == 0)
    }
}

impl Taking {
    /// Puts a side's part of the result on the stack, as far as there is one.
    pub(crate) fn begin(rules: &Bite, state: &mut State, attacker: bool, play: &mut Play<Event>) {
        let Some(battle) = state.battle().copied() else { return };
        let mut part = battle.result.parts[usize::from(!attacker)];
        let mut taking = Taking {
            attacker,
            number: 0,
            star: false,
            stay: battle.result.engaged,
            said: false,
            hexes: 0,
            steps: 0,
            bunker: 0,
            held: false,
            left: Units::EMPTY,
            short: 0,
        };
        if part.all {
            for unit in taking.force(state).iter() {
                rules.eliminate(state, unit, play);
            }
            return;
        }
        // The defender has one less to take where the attacker gives way in a split result (12.5b4, R48).
        let gave_way = !(battle.retreated & battle.attackers).is_empty();
        if !attacker && gave_way && part.number > 0 && !battle.result.engaged {
            part.number -= 1;
            part.star &= part.number > 0;
            play.tell(Event::Eased { number: part.number });
        }
        if !attacker && part.number > 0 && taking.is_all_in_fortress(rules, state) {
            part.number -= 1;
            taking.stay = true;
            play.tell(Event::FortressSpared);
        }
        if part.number > 0 {
            (taking.number, taking.star) = (part.number, part.star && part.number > 0);
            state.stack.push(taking);
        }
    }

    fn side(&self, state: &State) -> Side {
        let side = state.battle().map_or(Side::Axis, |battle| battle.side);
        if self.attacker { side } else { side.enemy() }
    }

    /// The units that the result is about and that are still there.
    fn force(&self, state: &State) -> Units {
        let Some(battle) = state.battle() else { return Units::EMPTY };
        let all = if self.attacker { battle.attackers } else { battle.defenders };
        all.filter(|unit| state.hex(unit).is_some())
    }

    fn losses(&self) -> u8 {
        self.steps + self.bunker
    }

    fn is_in_fortress(&self, rules: &Bite, state: &State, unit: UnitId) -> bool {
        !self.attacker
            && state.hex(unit).is_some_and(|hex| rules.fortress(state, hex) == Some(rules.side(unit)))
    }

    fn is_all_in_fortress(&self, rules: &Bite, state: &State) -> bool {
        self.force(state).iter().all(|unit| self.is_in_fortress(rules, state, unit))
    }

    /// How many hexes of retreat may be chosen: none at all if nobody can go (12.5b1, R47).
    fn choices(&self, rules: &Bite, state: &State) -> impl Iterator<Item = u8> + use<> {
        let movable = |unit: UnitId| self.is_movable(rules, state, unit);
        let anybody = !self.stay
            && self
                .force(state)
                .iter()
                .any(|unit| movable(unit) && rules.can_retreat(state, Units::of(unit)));
        let most = if anybody { self.number.saturating_sub(u8::from(self.star)) } else { 0 };
        0..=most
    }

    /// Units that retreat: not those that cannot move, not those in a fortress (12.6g, 18.0a3).
    fn is_movable(&self, rules: &Bite, state: &State, unit: UnitId) -> bool {
        rules.counter(unit).allowance > 0 && !self.is_in_fortress(rules, state, unit)
    }

    /// So many hexes of retreat, and the rest in steps.
    fn say(&self, rules: &Bite, state: &mut State, hexes: u8, play: &mut Play<Event>) {
        let force = self.force(state);
        let bunkered = force.iter().any(|unit| self.is_in_fortress(rules, state, unit)) && !self.stay;
        let mut steps = self.number - hexes;
        let mut bunker = 0;
        if bunkered {
            // One step in all is remitted (R53).
            play.tell(Event::FortressSpared);
            if hexes > 0 {
                bunker = hexes - 1;
            } else {
                steps = steps.saturating_sub(1);
            }
        }
        self.change(state, |taking| {
            (taking.said, taking.hexes, taking.steps, taking.bunker) = (true, hexes, steps, bunker);
        });
        if hexes > 0 {
            let movable = force.filter(|unit| self.is_movable(rules, state, unit));
            self.change(state, |taking| taking.left = movable);
        }
    }

    fn change(&self, state: &mut State, change: impl FnOnce(&mut Taking)) {
        if let Some(taking) = state.stack.find_mut::<Taking>() {
            change(taking);
        }
    }

    /// Who may take the next step: heavy tanks that were used first (12.3.4b3), then whoever has lost none (12.5b2x).
    fn losers(&self, rules: &Bite, state: &State) -> Units {
        let force = self.force(state);
        let bunker = force.filter(|unit| self.is_in_fortress(rules, state, unit));
        if self.steps == 0 && self.bunker > 0 {
            return spread(state, bunker);
        }
        next_to_lose(rules, state, self.attacker, force)
    }

    fn check_loser(&self, rules: &Bite, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.4e1", self.force(state).contains(unit), "{} has no part in it", unit);
        let losers = self.losers(rules, state);
        if losers.contains(unit) {
            return Ok(());
        }
        refuse_loss(rules, self.attacker, losers, unit)
    }

    fn lose(&self, rules: &Bite, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        rules.lose_step(state, unit, play);
        self.change(state, |taking| {
            if taking.steps > 0 {
                taking.steps -= 1;
            } else {
                taking.bunker -= 1;
            }
        });
    }

    /// Units that cannot move lose a step for each hex that the others retreat (R52).
    fn hold(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        let static_units = self.force(state).filter(|unit| rules.counter(unit).allowance == 0);
        for unit in
            static_units.iter().filter(|unit| !self.is_in_fortress(rules, state, *unit)).collect::<Vec<_>>()
        {
            for _ in 0..self.hexes.min(state.units[unit].steps) {
                rules.lose_step(state, unit, play);
            }
        }
    }

    /// The units in one hex retreat next; a train goes by itself.
    fn withdraw(&self, rules: &Bite, state: &mut State, unit: UnitId) {
        let Some(hex) = state.hex(unit) else { return };
        let train = rules.is_train(unit);
        let mut group =
            self.left.filter(|other| state.hex(other) == Some(hex) && rules.is_train(other) == train);
        // Heavy tanks that find no way do not keep the others from theirs (12.6e, 12.6i).
        let light = group.filter(|unit| !rules.is_heavy(unit));
        if !light.is_empty() && !rules.can_retreat(state, group) {
            group = light;
        }
        self.change(state, |taking| taking.left = taking.left - group);
        state.stack.push(Retreating::of(group, hex, self.hexes, self.attacker));
    }

    /// What could not be made in hexes is made up in steps (12.6a2); then it is over.
    fn end(&self, state: &mut State, play: &mut Play<Event>) {
        if self.short > 0 {
            play.tell(Event::Short { hexes: self.short });
            self.change(state, |taking| (taking.steps, taking.short) = (taking.short, 0));
        } else {
            state.stack.pop();
        }
    }
}

/// Who of these takes the next step: heavy tanks whose shift was used first (12.3.4b3), then whoever has lost none (12.5b2x).
fn next_to_lose(rules: &Bite, state: &State, attacker: bool, units: Units) -> Units {
    let Some(battle) = state.battle() else { return units };
    let heavy = units.filter(|unit| rules.is_specialist(state, unit));
    let untouched = !battle.attackers.iter().any(|unit| rules.is_heavy(unit) && battle.hurt.contains(unit));
    if attacker && untouched && !heavy.is_empty() && rules.uses_specialist(state, battle) {
        return heavy;
    }
    spread(state, units)
}

/// Refuses a loss that another unit must take first.
fn refuse_loss(rules: &Bite, attacker: bool, losers: Units, unit: UnitId) -> Result<(), Violation> {
    let heavy = losers.iter().all(|unit| rules.is_heavy(unit)) && attacker;
    ensure!(
        "12.3.4b3",
        !heavy || rules.is_heavy(unit),
        "heavy tanks whose shift was used lose the first step"
    );
    refuse!("12.5b2x", "every unit loses one step before {} loses a second", unit)
}

/// Those who have lost no step in this combat, as long as there are any (12.5b2x).
fn spread(state: &State, force: Units) -> Units {
    let hurt = state.battle().map(|battle| battle.hurt).unwrap_or_default();
    let fresh = force - hurt;
    if fresh.is_empty() { force } else { fresh }
}

phrases! {
    /// Those who have retreated over a river without a bridge lose a step (12.6h1).
    pub struct RiverLoss { units: Units, attacker: bool } = "river-loss", "12.6h1", "{units} lose a step";
}

impl Frame<Bite> for RiverLoss {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        let side = state.battle().map_or(Side::Axis, |battle| battle.side);
        let owner = if self.attacker { side } else { side.enemy() };
        (owner, remark!("12.6h1", "name the unit that loses a step in the river"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.losers(rules, state).iter().map(|unit| Action::Lose { unit }));
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Lose { unit } = action else { return Err(not_asked(state)) };
        ensure!("12.6h1", self.units.contains(unit), "{} has not crossed", unit);
        let losers = self.losers(rules, state);
        if losers.contains(unit) { Ok(()) } else { refuse_loss(rules, self.attacker, losers, unit) }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Lose { unit } = action {
            state.stack.pop();
            rules.lose_step(state, unit, play);
        }
    }

    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let losers = self.losers(rules, state);
        match losers.first() {
            None => {
                state.stack.pop();
            }
            Some(unit) if losers.len() == 1 => self.apply(rules, state, Action::Lose { unit }, play),
            Some(_) => return true,
        }
        false
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Taking>().is_some_and(|taking| taking.attacker == self.attacker)
            && around.above.is_empty()
    }
}

impl RiverLoss {
    fn losers(&self, rules: &Bite, state: &State) -> Units {
        let units = self.units.filter(|unit| state.hex(unit).is_some());
        next_to_lose(rules, state, self.attacker, units)
    }
}

impl Bite {
    pub(crate) fn is_heavy(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == crate::Arm::HeavyArmor
    }

    /// A train that keeps to the rails (rad.22.4a).
    pub(crate) fn is_train(&self, unit: UnitId) -> bool {
        self.settings.special.rail_bound && self.counter(unit).arm == crate::Arm::ArmoredTrain
    }

    /// A unit loses a step in combat.
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.hurt.insert(unit);
        }
        let left = state.units[unit].steps.saturating_sub(1);
        if left == 0 {
            self.eliminate(state, unit, play);
            return;
        }
        state.units.change(unit, |unit| unit.steps = left);
        play.tell(Event::StepLost { unit, left });
    }

    /// A unit is eliminated in combat; an HQ comes back (14.0j).
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let to = if self.is_hq(unit) { Place::Lost } else { Place::Dead };
        play.tell(Event::Eliminated { unit });
        self.remove(state, unit, to, play);
    }
}

/// The hexes that units have left, for those who follow (12.7x1).
pub(crate) fn leave_trail(state: &mut State, trail: Hexes) {
    let _ = state.trails.try_push(trail);
}

/// The trails that begin in a hex.
pub(crate) fn trails_from(state: &State, hex: Hex) -> impl Iterator<Item = &Hexes> {
    state.trails.iter().filter(move |trail| trail.first() == Some(hex))
}
