//! 10.1, 10.2, 10.4, 10.5: movement, in legs; disengagement.

use arrayvec::ArrayVec;
use board::{Hex, Mp, Where};
use engine::display::{self, Route};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, WhyNot, crossing, entering, leaving};
use engine::muster::{self, Muster, Musters};
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::ground::{ARRIVAL, BRIDGE, Mover, RAIL, ROAD, River, mover};
use crate::sequence::{acting_side, begin_phase, not_asked, phase};
use crate::ways::{Ways, with_ways};
use crate::zoc::Position;
use crate::{
    Action, Bite, Event, HexSet, LINES, Level, Marks, Overstacked, Phase, Place, Procedure, Reach, Sides,
    State, Units, Works,
};

phrases! {
    /// A movement phase: the Initial or the Mechanized one.
    pub struct Movement { side: Side, mechanized: bool } = "movement", "6.0e1", "{side} movement phase";
}

impl Frame<Bite> for Movement {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        if self.mechanized {
            (self.side, remark!("6.0g1", "move mobile units again, or end the phase"))
        } else {
            (self.side, remark!("6.0e1", "move units, or end the phase"))
        }
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        with_ways(rules, state, self.side, |ways| {
            for unit in rules.roster.iter().filter(|unit| rules.side(*unit) == self.side) {
                if self.may_move(rules, state, unit).is_ok() {
                    let open = ways.open(rules, state, &Moving::of(unit, false));
                    open.iter().for_each(|to| answers.push(Action::Move { unit, to }));
                    answers.push(Action::Stack { unit });
                } else if !self.mechanized && state.units[unit].place == Place::Waiting {
                    let open = rules.entry_hexes(state, unit);
                    let enters = |hex: &Hex| rules.check_entry(state, unit, *hex).is_ok();
                    answers.extend(open.iter().filter(enters).map(|hex| Action::Enter { unit, hex }));
                }
            }
        });
        if !self.mechanized {
            rules.ship_answers(state, self.side, answers);
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Ship { unit, to } => {
                ensure!("19.0a", !self.mechanized, "ships sail in the Initial Movement phase");
                rules.check_ship(state, self.side, unit, to)
            }
            Action::Move { unit, to } => {
                self.may_move(rules, state, unit)?;
                Moving::of(unit, false).check_go(rules, state, to)
            }
            Action::Stack { unit } => self.may_move(rules, state, unit),
            Action::Enter { unit, hex } => {
                ensure!("7.0g", !self.mechanized, "reinforcements enter in the Initial Movement phase");
                rules.check_enter(state, self.side, unit, hex)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit, to } => {
                let moving = Moving::of(unit, false).begun(rules, state, self.mechanized);
                state.stack.push(moving);
                moving.go(rules, state, to, play);
            }
            Action::Stack { unit } => {
                let moving = Moving::of(unit, false).begun(rules, state, self.mechanized);
                state.stack.push(moving);
            }
            Action::Enter { unit, hex } => rules.enter(state, unit, hex, play),
            Action::Ship { unit, to } => rules.ship(state, unit, to, play),
            _ if self.mechanized => state.stack.push(Overstacked {}),
            _ => state.stack.push(Works { side: self.side }),
        }
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bite, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, if self.mechanized { Phase::Mechanized } else { Phase::Initial }))
    }
}

impl Movement {
    /// A unit on the map that has not moved in this phase and can.
    fn may_move(&self, rules: &Bite, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.0a", rules.side(unit) == self.side, "{} is the enemy's", unit);
        ensure!("3.1a", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("10.1f1", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        let counter = rules.counter(unit);
        ensure!("10.5a", counter.allowance > 0, "{} does not move", unit);
        if self.mechanized {
            ensure!("3.2o", counter.boxed, "the movement allowance of {} is not boxed", unit);
            let attack = rules.is_hq(unit) && state.marked(unit, Marks::ATTACK);
            ensure!("14.0c", !attack, "{} is in Attack supply and does not move now", unit);
            ensure!(
                "8.1i",
                state.units[unit].left > Mp::ZERO,
                "{} is out of supply and does not move now",
                unit
            );
        }
        Ok(())
    }
}

phrases! {
    /// A unit or a stack on its way.
    pub struct Moving {
        units: Units,
        /// They have made no step in this phase.
        fresh: bool,
        /// The stack is still being put together.
        open: bool,
        /// They have left an enemy zone of control in this move (10.3e1).
        disengaged: bool,
        /// They came in by rail and have not left it (7.0h).
        rail: bool,
        /// Those of them that were in Attack supply when their move began (10.3d1).
        ready: Units,
    } = "moving", "10.1x1", "{units} move";
}

impl Frame<Bite> for Moving {
    fn asked(&self, rules: &Bite, _: &State) -> (Side, Remark) {
        let prompt = if self.open {
            remark!("10.3h1", "add units that go along, and move")
        } else {
            remark!("10.0a", "go on, or halt")
        };
        (self.side(rules), prompt)
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        if self.open {
            muster::answers(self, rules, state, answers);
        } else {
            if self.units.len() > 1 {
                answers.extend(self.units.iter().map(|unit| Action::Drop { unit }));
            }
            answers.push(Action::Halt);
        }
        self.steps(rules, state, answers);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) if self.open => muster::check(self, rules, state, step),
            (Action::Drop { unit }, _) if !self.open => {
                let one_of_many = self.units.len() > 1 && self.units.contains(unit);
                ensure!("10.1x1", one_of_many, "{} is not one of several that move", unit);
                Ok(())
            }
            (Action::Halt, _) if !self.open => Ok(()),
            (Action::Go { to }, _) => self.check_go(rules, state, to),
            (Action::Rail { to }, _) => self.check_rail(rules, state, to),
            (Action::Overrun { from, hex }, _) => self.check_overrun(rules, state, from, hex),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Bite, Moving>(state, step, play),
            (Action::Drop { unit }, _) => {
                if let Some(moving) = state.stack.top_mut::<Moving>() {
                    moving.units.remove(unit);
                }
            }
            (Action::Go { to }, _) => self.go(rules, state, to, play),
            (Action::Rail { to }, _) => self.go_by_rail(rules, state, to, play),
            (Action::Overrun { from, hex }, _) => self.overrun(rules, state, (from, hex), play),
            _ => {
                state.stack.pop();
            }
        }
    }

    /// Whoever can go nowhere has halted.
    fn go_on(&self, rules: &Bite, state: &mut State, _: &mut Play<Event>) -> bool {
        if self.open {
            return true;
        }
        let goes_on = !self.units.is_empty() && self.can_go_on(rules, state);
        if !goes_on {
            state.stack.pop();
        }
        goes_on
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = acting_side(state);
        let hex = self.hex(state);
        let (own, together) =
            (|unit| rules.side(unit) == side, |unit| state.hex(unit) == hex && hex.is_some());
        let below = around.on::<Movement>().is_some() || around.on::<Parts>().is_some();
        let joined = around.above.is_empty() || !self.open;
        below
            && joined
            && self.units.iter().all(own)
            && (self.units.iter().all(together) || !around.above.is_empty())
            && (!self.units.is_empty() || !around.above.is_empty())
            && self
                .units
                .iter()
                .all(|unit| self.open || state.marked(unit, Marks::MOVED) || state.hex(unit).is_none())
    }
}

impl Muster<Bite> for Moving {
    const CASES: [Case; 2] = [case("10.3h1"), case("10.3h1")];

    fn members(&self) -> Vec<UnitId> {
        self.units.iter().collect()
    }

    fn candidates(&self, _: &Bite, state: &State) -> Vec<UnitId> {
        self.hex(state).map(|hex| state.units.in_hex(hex).collect()).unwrap_or_default()
    }

    fn check_join(&self, rules: &Bite, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.3h1", state.hex(unit) == self.hex(state), "{} is in another hex", unit);
        if let Some(parts) = state.stack.iter().rev().nth(1).and_then(engine::frame::Holds::<Parts>::held) {
            ensure!("10.3h3", parts.units.contains(unit), "{} has not moved with them", unit);
            return Ok(());
        }
        match state.stack.first() {
            Some(Procedure::Movement(movement)) => movement.may_move(rules, state, unit),
            _ => Err(not_asked(state)),
        }
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.units.set(unit, joins);
    }
}

impl Moving {
    fn of(unit: UnitId, moved: bool) -> Moving {
        Moving {
            units: Units::of(unit),
            fresh: !moved,
            open: true,
            disengaged: false,
            rail: false,
            ready: Units::EMPTY,
        }
    }

    /// The units that could overrun are those in Attack supply now (10.3d1). Everybody in the hex is looked at, since they may
    /// still join.
    fn begun(self, rules: &Bite, state: &State, mechanized: bool) -> Moving {
        let side = self.side(rules);
        let any = rules.hqs_of(side).any(|(_, hq)| state.marked(hq.unit, Marks::ATTACK));
        let Some(hex) = self.hex(state).filter(|_| any) else { return self };
        let known = rules.known(state);
        let supply = known.supply(rules, state, side);
        let ready = |unit: &UnitId| {
            rules.check_overruns(state, *unit, mechanized).is_ok()
                && rules.level(state, supply, *unit) == Level::Attack
        };
        Moving { ready: state.units.in_hex(hex).filter(ready).collect(), ..self }
    }

    pub(crate) fn side(&self, rules: &Bite) -> Side {
        self.units.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    pub(crate) fn hex(&self, state: &State) -> Option<Hex> {
        self.units.first().and_then(|unit| state.hex(unit))
    }

    /// The least that any of them has left.
    pub(crate) fn left(&self, state: &State) -> Mp {
        self.units.iter().map(|unit| state.units[unit].left).min().unwrap_or_default()
    }

    /// How they move, when all of them move alike.
    pub(crate) fn mover(&self, rules: &Bite) -> Option<Mover> {
        let mut movers = self.units.iter().map(|unit| rules.mover(unit));
        let first = movers.next()?;
        movers.all(|mover| mover == first).then_some(first)
    }

    /// They can go somewhere, or overrun somebody.
    fn can_go_on(&self, rules: &Bite, state: &State) -> bool {
        with_ways(rules, state, self.side(rules), |ways| {
            if !ways.open(rules, state, self).is_empty()
                || self.rail && !self.reach_by_rail(rules, state, ways).is_empty()
            {
                return true;
            }
            let mut overruns = Vec::new();
            self.overruns(rules, state, &mut ways.reach, &mut overruns);
            !overruns.is_empty()
        })
    }

    /// All that they can do but join, drop and halt.
    fn steps(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        with_ways(rules, state, self.side(rules), |ways| {
            let open = ways.open(rules, state, self);
            open.iter().for_each(|to| answers.push(Action::Go { to }));
            if self.rail {
                let by_rail = self.reach_by_rail(rules, state, ways);
                answers.extend(by_rail.iter().map(|to| Action::Rail { to }));
            }
            self.overruns(rules, state, &mut ways.reach, answers);
        });
    }

    /// Where they can go in one leg.
    pub(crate) fn reach(&self, rules: &Bite, state: &State, ways: &mut Ways) -> HexSet {
        let Some(from) = self.hex(state) else { return HexSet::EMPTY };
        ways.obstacles.stand(rules, state, self);
        let Ways { obstacles, reach, .. } = ways;
        let left = self.left(state);
        let mut open = HexSet::EMPTY;
        match self.mover(rules) {
            Some(mover) => {
                obstacles.spread(rules, state, mover, (from, left), reach);
                open = *reach.hexes();
                if self.has_minimum(obstacles, from) {
                    let mut more =
                        self.neighbours(rules, from).filter(|to| !reach.hexes().contains(*to)).peekable();
                    let law = more.peek().map(|_| obstacles.law(rules, state, mover));
                    open.extend(
                        more.filter(|to| law.as_ref().is_some_and(|law| law.check(from, *to).is_ok())),
                    );
                }
            }
            None => open.extend(
                self.neighbours(rules, from).filter(|to| self.pays(rules, state, obstacles, *to).is_ok()),
            ),
        }
        open.remove(from);
        let bound =
            |to: &Hex| self.check_directive(rules, state, &obstacles.enemies, (from, *to), reach).is_ok();
        if self.is_directed(rules, state) { open.iter().filter(bound).collect() } else { open }
    }

    fn neighbours<'a>(&self, rules: &'a Bite, from: Hex) -> impl Iterator<Item = Hex> + use<'a> {
        rules.map.neighbours(from).map(|(_, hex)| hex)
    }

    /// Units that have not moved may go one hex whatever it costs, but not out of an enemy zone of control (10.1j, R34).
    fn has_minimum(&self, obstacles: &Obstacles, from: Hex) -> bool {
        self.fresh && !obstacles.ezoc.contains(from)
    }

    /// What each of them pays for one step, where they move differently.
    fn pays(&self, rules: &Bite, state: &State, obstacles: &Obstacles, to: Hex) -> Result<(), Violation> {
        let Some(from) = self.hex(state) else { return Err(not_asked(state)) };
        for unit in self.units.iter() {
            let law = obstacles.law(rules, state, rules.mover(unit));
            law.check(from, to)?;
            let Some(cost) = step_cost(&law, from, to) else { refuse!("10.1x1", "no way leads to {}", to) };
            let left = state.units[unit].left;
            let enough = cost <= left || self.has_minimum(obstacles, from);
            ensure!("10.1f1", enough, "{} needs {} MP to enter {} and has {}", unit, cost, to, left);
        }
        Ok(())
    }

    pub(crate) fn check_go(&self, rules: &Bite, state: &State, to: Hex) -> Result<(), Violation> {
        let Some(from) = self.hex(state) else { refuse!("3.1a", "they are not on the map") };
        ensure!("10.1x1", from != to, "{} is where they are", to);
        with_ways(rules, state, self.side(rules), |Ways { obstacles, reach, .. }| {
            obstacles.stand(rules, state, self);
            match self.mover(rules) {
                Some(mover) => self.check_leg(rules, state, (obstacles, mover), (from, to), reach)?,
                None => {
                    let adjacent = rules.map.grid().adjacent(from, to);
                    ensure!("10.1x1", adjacent, "units that pay differently go hex by hex together");
                    self.pays(rules, state, obstacles, to)?;
                }
            }
            self.check_directive(rules, state, &obstacles.enemies, (from, to), reach)
        })
    }

    fn check_leg(
        &self,
        rules: &Bite,
        state: &State,
        (obstacles, mover): (&Obstacles, Mover),
        (from, to): (Hex, Hex),
        reach: &mut Reach,
    ) -> Result<(), Violation> {
        let law = obstacles.law(rules, state, mover);
        let left = self.left(state);
        law.spread(reach, &[from], left);
        let near = rules.map.grid().adjacent(from, to);
        if reach.hexes().contains(to)
            || near && self.has_minimum(obstacles, from) && law.check(from, to).is_ok()
        {
            return Ok(());
        }
        let in_ezoc = obstacles.ezoc.contains(from);
        match law.why_not(&mut Reach::new(), from, to, left) {
            None => Ok(()),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) if in_ezoc => {
                refuse!("10.4f", "disengaging to {} takes {} MP, and {} are left", to, short.needed, left)
            }
            Some(WhyNot::Short(short)) => {
                refuse!("10.1f1", "{} MP are needed to reach {}, and {} are left", short.needed, to, left)
            }
            Some(WhyNot::NoWay) if in_ezoc && !self.fresh => {
                refuse!("10.1d1", "they have entered an enemy zone of control")
            }
            Some(WhyNot::NoWay) if obstacles.ezoc.is_empty() => refuse!("10.1x1", "no way leads to {}", to),
            Some(WhyNot::NoWay) => refuse!("9.0e", "no way leads to {} past enemy zones of control", to),
        }
    }

    /// Units under the directive that spend more than half must end next to the enemy (uma.22.4b, R81).
    fn check_directive(
        &self,
        rules: &Bite,
        state: &State,
        enemies: &HexSet,
        (from, to): (Hex, Hex),
        reach: &Reach,
    ) -> Result<(), Violation> {
        if !self.is_directed(rules, state) {
            return Ok(());
        }
        let single = self.fresh && rules.map.grid().adjacent(from, to);
        let near = rules.map.neighbours(to).any(|(_, hex)| enemies.contains(hex));
        let within = |unit: UnitId| {
            let (left, whole) = (state.units[unit].left, rules.allowance(state, unit, None));
            let spent = whole.saturating_sub(left) + reach.cost(to).unwrap_or(left);
            spent <= half_up(whole)
        };
        let bound = self.units.iter().filter(|unit| rules.counter(*unit).directed).all(within);
        ensure!(
            "uma.22.4b",
            near || single || bound,
            "a move beyond half the allowance must end next to the enemy"
        );
        Ok(())
    }

    /// One of them is under the directive that is in force.
    pub(crate) fn is_directed(&self, rules: &Bite, state: &State) -> bool {
        rules.directive(state).is_some() && self.units.iter().any(|unit| rules.counter(unit).directed)
    }

    /// Makes a leg.
    fn go(&self, rules: &Bite, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let Some(from) = self.hex(state) else { return };
        let (disengages, path) = with_ways(rules, state, self.side(rules), |ways| {
            ways.obstacles.stand(rules, state, self);
            let disengages = self.fresh && ways.obstacles.ezoc.contains(from);
            (disengages, self.path(rules, state, ways, (from, to)))
        });
        let Some((path, costs)) = path else { return };
        if disengages {
            self.units.iter().for_each(|unit| play.tell(Event::Disengaged { unit }));
        }
        self.walk(rules, state, &path, &costs, play);
        if let Some(moving) = state.stack.top_mut::<Moving>() {
            moving.disengaged |= disengages;
            moving.rail = false;
        }
    }

    /// The hexes of a leg, and what each unit pays for it.
    fn path(
        &self,
        rules: &Bite,
        state: &State,
        Ways { obstacles, reach, .. }: &mut Ways,
        (from, to): (Hex, Hex),
    ) -> Option<(Vec<Hex>, Costs)> {
        if let Some(mover) = self.mover(rules) {
            obstacles.spread(rules, state, mover, (from, self.left(state)), reach);
            if let Some(path) = reach.path(to) {
                let cost = reach.cost(to)?;
                return Some((path, self.units.iter().map(|unit| (unit, cost)).collect()));
            }
        }
        let cost = |unit: UnitId| step_cost(&obstacles.law(rules, state, rules.mover(unit)), from, to);
        let costs = self.units.iter().map(|unit| Some((unit, cost(unit)?))).collect::<Option<_>>()?;
        Some((vec![from, to], costs))
    }

    /// Takes the units along a path. What they spend is gone, whoever had too little has nothing left (10.1j).
    pub(crate) fn walk(
        &self,
        rules: &Bite,
        state: &mut State,
        path: &[Hex],
        costs: &[(UnitId, Mp)],
        play: &mut Play<Event>,
    ) {
        let Some((from, to)) = path.first().copied().zip(path.last().copied()) else { return };
        for hex in &path[1..] {
            self.units.iter().for_each(|unit| rules.put(state, unit, *hex, play));
        }
        for (unit, cost) in costs {
            let left = state.units[*unit].left.saturating_sub(*cost);
            state.units.change(*unit, |unit| unit.left = left);
            state.mark(*unit, Marks::MOVED);
            if from != to {
                play.tell(Event::Moved { unit: *unit, to, left });
            }
        }
        if from != to {
            rules.lift_fort(state, from, play);
        }
        if let Some(moving) = state.stack.top_mut::<Moving>() {
            moving.fresh = false;
            moving.open = false;
        }
    }

    fn reach_by_rail(&self, rules: &Bite, state: &State, ways: &mut Ways) -> HexSet {
        let Some(from) = self.hex(state) else { return HexSet::EMPTY };
        ways.obstacles.stand(rules, state, self);
        let Ways { obstacles, reach, .. } = ways;
        obstacles.spread(rules, state, Mover::Arrival, (from, self.left(state)), reach);
        let mut open = *reach.hexes();
        open.remove(from);
        open
    }

    fn check_rail(&self, rules: &Bite, state: &State, to: Hex) -> Result<(), Violation> {
        ensure!("7.0i", self.rail, "they have left the railroad that they came in by, or came by none");
        let side = self.side(rules);
        let open = with_ways(rules, state, side, |ways| self.reach_by_rail(rules, state, ways));
        ensure!("7.0h", open.contains(to), "{} cannot be reached by rail", to);
        Ok(())
    }

    fn go_by_rail(&self, rules: &Bite, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let (path, cost) = with_ways(rules, state, self.side(rules), |ways| {
            self.reach_by_rail(rules, state, ways);
            (ways.reach.path(to), ways.reach.cost(to))
        });
        let (Some(path), Some(cost)) = (path, cost) else { return };
        let costs: Vec<(UnitId, Mp)> = self.units.iter().map(|unit| (unit, cost)).collect();
        self.walk(rules, state, &path, &costs, play);
    }
}

phrases! {
    /// The rest of a stack after an overrun: its parts go on one after the other (R88).
    pub struct Parts { units: Units, ready: Units } = "parts", "10.3i4", "{units} may go on";
}

impl Frame<Bite> for Parts {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("10.3i4", "go on with some of the units, or halt"))
    }

    fn answers(&self, _: &Bite, _: &State, answers: &mut Vec<Action>) {
        answers.extend(self.units.iter().map(|unit| Action::Stack { unit }));
        answers.push(Action::Halt);
    }

    fn apply(&self, _: &Bite, state: &mut State, action: Action, _: &mut Play<Event>) {
        match action {
            Action::Stack { unit } => {
                state.stack.push(Moving { ready: self.ready, ..Moving::of(unit, true) })
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    /// Whoever has gone on from the hex where they were has had its turn.
    fn go_on(&self, rules: &Bite, state: &mut State, _: &mut Play<Event>) -> bool {
        let still = |unit: UnitId| {
            let moving = Moving { ready: self.ready, ..Moving::of(unit, true) };
            state.hex(unit).is_some() && moving.can_go_on(rules, state)
        };
        let left = self.units.filter(still);
        if left.is_empty() {
            state.stack.pop();
            return false;
        }
        if let Some(parts) = state.stack.top_mut::<Parts>() {
            parts.units = left;
        }
        true
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = around.on::<Movement>().is_some() || around.on::<Parts>().is_some();
        below
            && self
                .units
                .iter()
                .all(|unit| rules.side(unit) == acting_side(state) && state.marked(unit, Marks::MOVED))
    }
}

/// What each unit of a stack pays.
type Costs = Vec<(UnitId, Mp)>;

/// What a step takes, if anything does not bar it.
pub(crate) fn step_cost(law: &Law<'_, LINES, 1>, from: Hex, to: Hex) -> Option<Mp> {
    Some(law.parts(from, to)?.iter().map(|part| part.cost).sum())
}

/// Half of it, rounded up to a whole point.
pub(crate) fn half_up(points: Mp) -> Mp {
    Mp::whole(points.floor().div_ceil(2))
}

/// A bridging unit's bridge as those see it who cross it.
#[derive(Clone, PartialEq)]
struct Span {
    /// Its hexside and no other.
    side: Sides,
    /// What leg and mechanized units pay for it.
    costs: [Mp; 2],
    /// It may be crossed into an enemy zone of control (20.0e).
    assault: bool,
}

/// What stands in the way of moving units now.
#[derive(Clone)]
pub(crate) struct Obstacles {
    enemies: HexSet,
    pub(crate) ezoc: HexSet,
    barred: HexSet,
    outside: HexSet,
    pub(crate) interdicted: HexSet,
    closed: Option<(HexSet, Mp)>,
    /// For each river: hexes that may not be entered across it (10.1e).
    far_banks: ArrayVec<HexSet, 8>,
    start: HexSet,
    /// What leaving the start costs for leg and mechanized units, when it is a disengagement; nothing when it is forbidden.
    disengage: Option<[Option<Mp>; 2]>,
    /// They have entered an enemy zone of control and cannot leave it.
    held: bool,
    /// On the way to an overrun no other zone of control may be entered (10.3e2).
    overruns: bool,
    spans: ArrayVec<Span, 4>,
    /// The hexsides without such a bridge, where there is one at all.
    unbridged: Option<Sides>,
    /// The rivers as they are where a bridge may be crossed into an enemy zone of control: without its hexside.
    assaulted: Vec<Sides>,
    /// The enemy's units with an attack strength, the hexes near rivers that they make dangerous, and who of the own side is
    /// there.
    armed: HexSet,
    banks: HexSet,
    friends: HexSet,
}

impl Obstacles {
    /// For a stack; on the way to overrun `target` its zone of control does not exist (10.3g1).
    pub(crate) fn new(
        rules: &Bite,
        state: &State,
        position: &Position,
        moving: &Moving,
        target: Option<Hex>,
    ) -> Obstacles {
        let mut obstacles = Obstacles::of_side(rules, state, position, moving.side(rules), target);
        obstacles.stand(rules, state, moving);
        obstacles
    }

    /// What is the same for every unit of a side.
    pub(crate) fn of_side(
        rules: &Bite,
        state: &State,
        position: &Position,
        side: Side,
        target: Option<Hex>,
    ) -> Obstacles {
        let enemy = side.enemy();
        let ezoc = match target {
            Some(hex) => rules.zone_without(state, position, enemy, hex),
            None => position.zoc[enemy],
        };
        let mechanized = movement_phase(state).is_some_and(|phase| phase.mechanized);
        let open_ezoc = ezoc - position.held[side];
        let mut banks = HexSet::EMPTY;
        let mut far_bank = |river: &River| {
            let armed = position.armed[enemy] & river.banks;
            let zone = if armed.is_empty() { armed } else { rules.zone(state, &armed) };
            banks |= zone;
            zone & open_ezoc
        };
        let far_banks = rules.ground.rivers.iter().take(8).map(&mut far_bank).collect();
        let bridges: ArrayVec<(UnitId, Hex, Hex), 4> = rules.bridges(state, side).take(4).collect();
        let is_fresh = |unit: UnitId| state.marked(unit, Marks::FRESH);
        let span = |&(unit, from, to): &(UnitId, Hex, Hex)| Span {
            side: rules.ground.no_sides.with([(from, to)]),
            costs: [false, true].map(|mechanized| rules.bridge_cost((from, to), is_fresh(unit), mechanized)),
            assault: is_fresh(unit) && mechanized,
        };
        let joined = bridges.iter().map(|(_, from, to)| (*from, *to));
        let fresh = bridges.iter().filter(|(unit, ..)| is_fresh(*unit)).map(|(_, from, to)| (*from, *to));
        let but_fresh = |river: &River| river.sides.but(fresh.clone());
        let assaulted = if mechanized && fresh.clone().next().is_some() {
            rules.ground.rivers.iter().map(but_fresh).collect()
        } else {
            Vec::new()
        };
        Obstacles {
            enemies: position.held[enemy],
            barred: rules.barred(side),
            outside: rules.ground.all - rules.ground.land,
            interdicted: state.interdicted[enemy],
            closed: rules.closed(state, side).map(|closed| (closed.hexes, closed.extra)),
            far_banks,
            armed: position.armed[enemy],
            friends: position.held[side] & banks,
            banks,
            disengage: None,
            held: false,
            overruns: target.is_some(),
            start: HexSet::EMPTY,
            ezoc,
            spans: bridges.iter().map(span).collect(),
            unbridged: (!bridges.is_empty()).then(|| rules.ground.all_sides.but(joined)),
            assaulted,
        }
    }

    /// What depends on where a stack starts from.
    pub(crate) fn stand(&mut self, rules: &Bite, state: &State, moving: &Moving) {
        self.start = moving.hex(state).into_iter().collect();
        let in_ezoc = self.start.intersects(&self.ezoc);
        self.disengage = (in_ezoc && moving.fresh).then_some(rules.settings.disengage[moving.side(rules)]);
        self.held = in_ezoc && !moving.fresh;
    }

    /// Nothing has changed from which they follow, at the same time.
    pub(crate) fn hold(&self, rules: &Bite, state: &State, position: &Position, side: Side) -> bool {
        let enemy = side.enemy();
        self.enemies == position.held[enemy]
            && self.armed == position.armed[enemy]
            && self.friends == position.held[side] & self.banks
            && self.spans.is_empty()
            && rules.bridges(state, side).next().is_none()
    }

    /// The hexes that are not to these units what they are to others of the same side at the same time; nothing where
    /// bridges differ, or hexes that are closed.
    pub(crate) fn changed(&self, other: &Obstacles) -> Option<HexSet> {
        let same = self.spans == other.spans && self.closed == other.closed;
        let differ = |one: &HexSet, other: &HexSet| (*one - *other) | (*other - *one);
        let sets = [
            (&self.enemies, &other.enemies),
            (&self.ezoc, &other.ezoc),
            (&self.interdicted, &other.interdicted),
        ];
        let banks = self.far_banks.iter().zip(&other.far_banks);
        let all = sets.into_iter().chain(banks);
        same.then(|| all.fold(HexSet::EMPTY, |all, (one, other)| all | differ(one, other)))
    }

    /// The same with a hex open that an enemy is in, to find what entering it would cost.
    pub(crate) fn opened(mut self, hex: Hex) -> Obstacles {
        self.enemies.remove(hex);
        self.ezoc.remove(hex);
        self.far_banks.clear();
        self
    }

    /// Finds all that can be reached from a hex with so many points.
    pub(crate) fn spread(
        &self,
        rules: &Bite,
        state: &State,
        mover: Mover,
        (from, left): (Hex, Mp),
        reach: &mut Reach,
    ) {
        // Where roads are what they always are, and no bridging unit matters, the cheapest way of each step is known.
        if self.spans.is_empty() && self.closed.is_none() {
            let law = self.law_of_all_ways(rules, state, mover);
            let tariff = rules.ground.cheapest(state.weather, state.demolished, mover);
            reach.spread(&law.tolls_on(tariff), &[from], left);
        } else {
            self.law(rules, state, mover).spread(reach, &[from], left);
        }
    }

    /// What a step costs and what bars it.
    pub(crate) fn law<'a>(&'a self, rules: &'a Bite, state: &State, mover: Mover) -> Law<'a, LINES, 1> {
        let mut law = self.law_of_all_ways(rules, state, mover);
        self.lines(rules, state, mover, &mut law);
        law
    }

    /// The part of it that does not ask whether one goes by road.
    fn law_of_all_ways<'a>(&'a self, rules: &'a Bite, state: &State, mover: Mover) -> Law<'a, LINES, 1> {
        let mut law = Law::new(rules.ground.statute(state.weather, mover));
        law.add(Term::bar(
            entering(&self.enemies),
            Bar::new(case("10.1b"), "an enemy unit is in {}", [About::To]),
        ));
        if !self.outside.is_empty() {
            law.add(Term::bar(
                entering(&self.outside),
                Bar::new(case("3.1a"), "{} is out of play", [About::To]),
            ));
        }
        if !self.barred.is_empty() {
            let bar =
                Bar::new(case("rad.22.2f"), "a rule of this battle keeps this side out of {}", [About::To]);
            law.add(Term::bar(entering(&self.barred), bar));
        }
        self.zones(mover, &mut law);
        self.rivers(rules, mover, &mut law);
        if !self.interdicted.is_empty() {
            law.add(Term::price(entering(&self.interdicted), "interdiction", Mp::whole(2), case("13.0f")));
        }
        law
    }

    /// Roads, railroads and bridges as they are now.
    fn lines<'a>(&'a self, rules: &'a Bite, state: &State, mover: Mover, law: &mut Law<'a, LINES, 1>) {
        let blown = Bar::new(case("10.1i"), "the bridge from {} to {} is blown", [About::From, About::To]);
        let blown_sides = rules.ground.blown(state.demolished);
        if mover.is_on_rails() {
            law.add(Term::bar(crossing(blown_sides), blown));
        } else {
            law.add(Term::bar(crossing(blown_sides), blown).by(ROAD).and_by(RAIL));
            self.bridges(mover, law);
        }
        if let Some((hexes, extra)) = &self.closed {
            let shut = Bar::new(case("rad.22.2c"), "no road or railroad leads through {} now", [About::To]);
            if mover == Mover::Arrival {
                law.add(Term::bar(entering(hexes), shut));
            } else {
                law.add(Term::price(entering(hexes), "fighting in the streets", *extra, case("rad.22.2c")));
                if mover != Mover::Train {
                    law.add(Term::bar(entering(hexes), shut).by(ROAD).and_by(RAIL));
                }
            }
        }
    }

    /// Zones of control: where a move ends, and what leaving one takes (9.0e, 10.1d, 10.4).
    fn zones<'a>(&'a self, mover: Mover, law: &mut Law<'a, LINES, 1>) {
        if self.overruns {
            let bar = Bar::new(case("10.3e2"), "{} is in the zone of control of others", [About::To]);
            law.add(Term::bar(entering(&self.ezoc), bar));
            return;
        }
        if self.held {
            let bar =
                Bar::new(case("10.1d1"), "they have entered an enemy zone of control in {}", [About::From]);
            law.add(Term::bar(leaving(&self.start), bar));
        }
        if let Some(costs) = self.disengage {
            let bar =
                Bar::new(case("10.4d"), "disengaging into {}, another enemy zone of control", [About::To]);
            law.add(Term::bar(leaving(&self.start).entering(&self.ezoc), bar));
            match costs[usize::from(mover.is_mechanized())] {
                Some(cost) => law.add(Term::price(leaving(&self.start), "disengaging", cost, case("10.4b"))),
                None => {
                    let bar = Bar::new(case("10.4g"), "these units may not disengage from {}", [About::From]);
                    law.add(Term::bar(leaving(&self.start), bar));
                }
            }
        }
        law.add(Term::stop(entering(&self.ezoc), case("9.0e")));
    }

    /// Major rivers are not crossed into an enemy zone of control (10.1e1).
    fn rivers<'a>(&'a self, rules: &'a Bite, mover: Mover, law: &mut Law<'a, LINES, 1>) {
        let bar = Bar::new(case("10.1e1"), "over the river into {}, an enemy zone of control", [About::To]);
        for (place, (river, hexes)) in rules.ground.rivers.iter().zip(&self.far_banks).enumerate() {
            // Mechanized units cross the bridge that was built in this turn, and no other (20.0e, 20.0i).
            let assaulted = self.assaulted.get(place).filter(|_| mover.is_mechanized());
            let sides = assaulted.unwrap_or(&river.sides);
            if !hexes.is_empty() {
                law.add(Term::bar(crossing(sides).entering(hexes), bar));
            }
        }
    }

    /// The way over bridging units: their hexsides and no others (20.0f, 20.0g).
    fn bridges<'a>(&'a self, mover: Mover, law: &mut Law<'a, LINES, 1>) {
        let bar = Bar::new(case("20.0b"), "no bridge leads from {} to {}", [About::From, About::To]);
        let place = self.unbridged.as_ref().map_or(Where::EVERYWHERE, crossing);
        law.add(Term::bar(place, bar).by(BRIDGE));
        for span in &self.spans {
            let cost = span.costs[usize::from(mover.is_mechanized())];
            law.add(Term::price(crossing(&span.side), "bridge", cost, case("20.0g")).by(BRIDGE));
        }
    }
}

/// The movement phase under way.
pub(crate) fn movement_phase(state: &State) -> Option<Movement> {
    match state.stack.first() {
        Some(Procedure::Movement(movement)) => Some(*movement),
        _ => None,
    }
}

/// The way that an answer takes a unit.
pub(crate) fn route(rules: &Bite, state: &State, action: Action) -> Option<Route> {
    let (moving, to) = match action {
        Action::Move { unit, to } => (Moving::of(unit, false), to),
        Action::Go { to } => (*state.stack.top::<Moving>()?, to),
        _ => return None,
    };
    let (from, mover) = (moving.hex(state)?, moving.mover(rules)?);
    let obstacles = Obstacles::new(rules, state, &rules.known(state), &moving, None);
    let law = obstacles.law(rules, state, mover);
    law.cheapest_route(&mut Reach::new(), from, to, moving.left(state))
}

impl Bite {
    /// How a unit moves (R33).
    pub(crate) fn mover(&self, unit: UnitId) -> Mover {
        let counter = self.counter(unit);
        mover(counter.arm, counter.is_mechanized(), self.settings.special.rail_bound)
    }

    /// Hexes that a rule of the battle keeps a side out of (rad.22.2f).
    pub(crate) fn barred(&self, side: Side) -> HexSet {
        match self.settings.special.barred {
            Some((barred, hexes)) if barred == side => hexes,
            _ => HexSet::EMPTY,
        }
    }

    /// The directive that is in force (uma.22.4a).
    pub(crate) fn directive(&self, state: &State) -> Option<&crate::settings::Directive> {
        let directive = self.settings.special.directive.as_ref()?;
        let now = (directive.turns.0..=directive.turns.1).contains(&state.turn);
        let initial = movement_phase(state).is_some_and(|phase| !phase.mechanized);
        (now && initial).then_some(directive)
    }

    /// What a unit may spend in the Initial Movement phase, or in the Mechanized one at a level of supply; the directive apart
    /// (8.1h, 8.1i, 10.2b, R20, R81).
    pub(crate) fn allowance(&self, state: &State, unit: UnitId, mechanized: Option<Level>) -> Mp {
        let counter = self.counter(unit);
        let printed = u16::from(counter.allowance);
        let attack_face = self.is_hq(unit) && state.marked(unit, Marks::ATTACK);
        let is_out = state.marked(unit, Marks::OUT) && !state.marked(unit, Marks::ARRIVED);
        let supplied = match mechanized {
            None if is_out => printed.div_ceil(2),
            None => printed,
            Some(_) if !counter.boxed || attack_face => 0,
            Some(Level::Attack) => printed.div_ceil(2),
            Some(Level::General) => printed.div_ceil(4),
            Some(Level::Out) => 0,
        };
        let halved = self.charts.weather(state.weather).half[usize::from(counter.is_mechanized())];
        Mp::whole(if halved { supplied.div_ceil(2) } else { supplied })
    }

    /// Begins a movement phase: what each unit may spend is fixed now (R20).
    pub(crate) fn begin_movement(&self, state: &mut State, side: Side, mechanized: bool) {
        state.stack.push(Movement { side, mechanized });
        let on_map: Units = self.on_map(state, side).map(|(unit, _)| unit).collect();
        let levels = mechanized.then(|| self.take_levels(state, side, on_map));
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == side) {
            let level =
                levels.map(|(attack, general)| match (attack.contains(unit), general.contains(unit)) {
                    (true, _) => Level::Attack,
                    (false, true) => Level::General,
                    (false, false) => Level::Out,
                });
            let left = self.allowance(state, unit, level);
            state.units.change(unit, |unit| unit.left = left);
        }
    }

    /// After works and stacking: arrivals that stayed out are delayed (7.0m), and the next phase begins.
    pub(crate) fn end_movement(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(Movement { side, mechanized }) = movement_phase(state) else { return };
        if mechanized {
            begin_phase(self, state, side, Phase::Air, play);
            return;
        }
        let waiting = |unit: &UnitId| self.side(*unit) == side && state.units[*unit].place == Place::Waiting;
        let late: Vec<UnitId> = self.roster.iter().filter(waiting).collect();
        for unit in late {
            state.units.change(unit, |unit| unit.place = Place::Delayed);
            play.tell(Event::NotEntered { unit });
        }
        begin_phase(self, state, side, Phase::Combat, play);
    }

    /// What entering the map in a hex costs, and whether it is by rail (7.0b, 7.0h).
    fn entry_cost(&self, state: &State, unit: UnitId, hex: Hex) -> Option<(Mp, bool)> {
        let side = self.side(unit);
        let interdicted = if state.interdicted[side.enemy()].contains(hex) { Mp::whole(2) } else { Mp::ZERO };
        let closed = self.closed(state, side).filter(|closed| closed.hexes.contains(hex));
        let on_rail = self.ground.rails.contains(hex);
        let mover = self.mover(unit);
        if mover == Mover::Train {
            return on_rail.then_some((self.charts.rail + interdicted, false));
        }
        if on_rail && closed.is_none() {
            return Some((ARRIVAL + interdicted, true));
        }
        let row = self.ground.row(&self.map, &self.charts, hex);
        if mover == Mover::Heavy && !row.heavy {
            return None;
        }
        let terrain = row.costs?[usize::from(mover.is_mechanized())];
        let extra = closed.map_or(Mp::ZERO, |closed| closed.extra);
        Some((terrain + self.charts.weather(state.weather).off_road + interdicted + extra, false))
    }

    fn check_enter(&self, state: &State, side: Side, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!("7.0a", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("7.0a", state.units[unit].place == Place::Waiting, "{} does not wait to enter", unit);
        ensure!("7.0d", self.entry_hexes(state, unit).contains(hex), "{} cannot enter in {}", unit, hex);
        self.check_entry(state, unit, hex)
    }

    /// Whether a unit can enter the map in a hex of its entry.
    fn check_entry(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!(
            "rad.22.2f",
            !self.barred(self.side(unit)).contains(hex),
            "a rule of this battle keeps this side out of {}",
            hex
        );
        ensure!("10.1a2", self.entry_cost(state, unit, hex).is_some(), "{} cannot enter {}", unit, hex);
        Ok(())
    }

    fn enter(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let Some((cost, rail)) = self.entry_cost(state, unit, hex) else { return };
        self.put(state, unit, hex, play);
        let left = state.units[unit].left.saturating_sub(cost);
        state.units.change(unit, |unit| {
            unit.left = left;
            unit.marks.clear(Marks::BLOCKED);
            unit.marks.set(Marks::MOVED);
        });
        play.tell(Event::Entered { unit, hex, left });
        let moving = Moving::of(unit, true);
        state.stack.push(Moving { open: false, rail, ..moving });
    }
}
