//! 4: movement.

use board::{Dir, Field, Hex, HexSet, Mp, Step};
use engine::display;
use engine::frame::Around;
use engine::{
    Case, Frame, Play, Remark, Side, UnitId, Viewer, Violation, case, ensure, phrases, refuse, remark,
};

use crate::Marks;
use crate::sequence::{begin_phase, phase};
use crate::{Action, Event, Mini, Phase, Procedure, Reaction, State, Units};

/// What a hex costs along a road (4.3).
const ROAD: Mp = Mp::twelfths(6);

/// What a river adds (4.2).
const RIVER: Mp = Mp::ONE;

phrases! {
    /// A movement phase.
    pub struct Movement { side: Side } = "movement", "1.1", "{side} movement phase";
}

impl Frame<Mini> for Movement {
    fn asked(&self, _: &Mini, _: &State) -> (Side, Remark) {
        (self.side, remark!("1.1", "move a unit, or end the movement phase"))
    }

    fn answers(&self, rules: &Mini, state: &State, answers: &mut Vec<Action>) {
        rules.movement_answers(state, self.side, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit, to } => rules.check_move(state, self.side, unit, to),
            Action::Lift { unit } => rules.check_lift(state, self.side, unit),
            Action::End => Ok(()),
            _ => Err(crate::sequence::not_asked(state)),
        }
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit, to } => rules.start_move(state, unit, to),
            Action::Lift { unit } => rules.lift(state, unit, play),
            _ => begin_phase(state, self.side, Phase::Combat, play),
        }
    }

    fn is_sound(&self, _: &Mini, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Mini, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Movement))
    }
}

phrases! {
    /// A unit on its way.
    pub struct Moving {
        unit: UnitId,
        from: Hex,
        to: Hex,
        /// The points it has left.
        left: Mp,
        /// The enemy saw it go.
        seen: bool,
    } = "moving", "4.1", "{unit} moves to {to}";
}

impl Frame<Mini> for Moving {
    fn asked(&self, rules: &Mini, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("4.1", "{} is on its way", self.unit))
    }

    fn go_on(&self, rules: &Mini, state: &mut State, play: &mut Play<Event>) -> bool {
        self.step(rules, state, play);
        false
    }

    fn is_sound(&self, rules: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some_and(|phase| phase.side == rules.side(self.unit))
            && state.unit(self.unit).hex.is_some()
            && rules.can_go_on(state, self.unit, self.to, self.left)
            && around.under::<Reaction>().is_some_and(|reaction| reaction.unit == self.unit)
    }
}

impl Moving {
    /// Takes the unit one hex further along the cheapest path, or ends its move.
    ///
    /// The rest of a cheapest path is a cheapest path, so nothing but the points left needs to be remembered
    /// when guns interrupt it.
    fn step(&self, rules: &Mini, state: &mut State, play: &mut Play<Event>) {
        let Moving { unit, to, left, seen, .. } = *self;
        let Some(at) = state.unit(unit).hex.filter(|at| *at != to) else {
            state.stack.pop();
            return self.end(rules, state, play);
        };
        let side = rules.side(unit);
        let field = rules.reach(state, side, at, left);
        let next = field.path(to).into_iter().flatten().find(|hex| *hex != at).unwrap_or(to);
        let cost = field.cost(next).unwrap_or(left);
        let friends = state.stack_in(next).count();
        rules.arrive(state, unit, next);
        if let Some(moving) = state.stack.top_mut::<Moving>() {
            moving.left = left.saturating_sub(cost);
        }
        if friends == 0 && rules.guns_near(state, side.enemy(), next).next().is_some() {
            if !seen && !state.marked(unit, Marks::SHOWN) && !rules.switches.open_stacks {
                play.tell(Event::Shown { units: Units::of(unit) });
            }
            state.mark(unit, Marks::SHOWN); // 2.5
            play.reveal(side); // the mover learns that a gun is near, whatever it does
            state.stack.push(Reaction { unit });
        }
    }

    /// Both sides see a unit that was or will be on top; of another the enemy sees that something moved (2.2). Of one that
    /// was shot nothing more is told.
    fn end(&self, rules: &Mini, state: &State, play: &mut Play<Event>) {
        let Moving { unit, from, to, left, seen } = *self;
        if state.unit(unit).hex.is_none() {
            return;
        }
        let spent = rules.counters[unit.index()].allowance.saturating_sub(left);
        let moved = Event::Moved { unit: unit.into(), from, to, spent: spent.into() };
        play.tell_of(rules.side(unit), seen || rules.is_seen(state, unit), moved);
    }
}

impl Mini {
    /// The points for a hex by its terrain, the river before it and the road to it (4.2, 4.3, 9.1); none when
    /// nobody may enter (4.4).
    fn entry_cost(&self, from: Hex, dir: Dir, to: Hex) -> Option<Mp> {
        let terrain = self.terrain[usize::from(self.map.terrain(to).0)].cost?;
        if self.road.has(from, dir) {
            return Some(ROAD);
        }
        let wet = self.river.has(from, dir) && !self.switches.fords;
        Some(if wet { terrain + RIVER } else { terrain })
    }

    /// What the points for a hex are made of.
    pub(crate) fn cost_parts(&self, from: Hex, dir: Dir, to: Hex) -> Vec<(&'static str, Mp, Case)> {
        let cost = self.entry_cost(from, dir, to).unwrap_or(Mp::ZERO);
        if self.road.has(from, dir) {
            return vec![("road", cost, case("4.3"))];
        }
        let terrain = self.terrain[usize::from(self.map.terrain(to).0)].cost.unwrap_or(Mp::ZERO);
        vec![("terrain", terrain, case("4.2")), ("river", cost.saturating_sub(terrain), case("4.2"))]
    }

    /// The cheapest path that takes a unit which has not moved to a hex.
    pub(crate) fn path(&self, state: &State, unit: UnitId, to: Hex) -> Option<Vec<Hex>> {
        let from = state.unit(unit).hex?;
        self.reach(state, self.side(unit), from, self.counters[unit.index()].allowance).path(to)
    }

    /// The hexes that the units of a side which the viewer sees could reach, if they could move now.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let seen = |unit: &UnitId| viewer.is_told(side) || self.is_seen(state, *unit);
        let units = self.roster.iter().filter(|unit| self.side(*unit) == side).filter(seen);
        units
            .filter_map(|unit| Some((state.unit(unit).hex?, self.counters[unit.index()].allowance)))
            .flat_map(|(from, points)| {
                let field = self.reach(state, side, from, points);
                field.reached().map(|(hex, _)| hex).collect::<Vec<_>>()
            })
            .collect()
    }

    /// All hexes that a unit of `side` can reach from a hex with so many points: not through enemies (4.4), and
    /// no further than the first enemy zone of control (3.2).
    fn reach(&self, state: &State, side: Side, from: Hex, points: Mp) -> Field {
        let enemies = self.hexes_of(state, side.enemy());
        let ezoc = self.ezoc(state, side);
        let mut field = Field::new();
        field.spread(&self.map, from, points, |from, dir, to| match self.entry_cost(from, dir, to) {
            Some(_) if enemies.contains(to) => Step::Closed,
            Some(cost) if ezoc.contains(to) => Step::EnterAndStop(cost),
            Some(cost) => Step::Enter(cost),
            None => Step::Closed,
        });
        field
    }

    /// The hex of a unit that has not moved in its movement phase (4.1).
    pub(crate) fn may_move(&self, state: &State, side: Side, unit: UnitId) -> Result<Hex, Violation> {
        ensure!("4.1", self.side(unit) == side, "{} is not {}'s to move", unit, side);
        let Some(hex) = state.unit(unit).hex else { refuse!("4.1", "{} has been eliminated", unit) };
        ensure!("4.1", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        Ok(hex)
    }

    /// Whether a unit under way can end its move in a hex with the points it has left.
    pub(crate) fn can_go_on(&self, state: &State, unit: UnitId, to: Hex, left: Mp) -> bool {
        let Some(at) = state.unit(unit).hex else { return false };
        let arrives =
            at == to || (self.has_room(state, to) && !self.ezoc(state, self.side(unit)).contains(at));
        arrives && self.reach(state, self.side(unit), at, left).cost(to).is_some()
    }

    pub(crate) fn movement_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for unit in self.roster.iter() {
            let Ok(from) = self.may_move(state, side, unit) else { continue };
            let field = self.reach(state, side, from, self.counters[unit.index()].allowance);
            let open =
                field.reached().map(|(to, _)| to).filter(|to| *to != from && self.has_room(state, *to));
            answers.extend(open.map(|to| Action::Move { unit, to }));
            if self.check_lift(state, side, unit).is_ok() {
                answers.push(Action::Lift { unit });
            }
        }
    }

    pub(crate) fn check_move(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        let from = self.may_move(state, side, unit)?;
        ensure!("4.1", from != to, "{} is in {} already", unit, to);
        let terrain = self.map.terrain(to);
        ensure!(
            "4.4",
            self.terrain[usize::from(terrain.0)].cost.is_some(),
            "no unit may enter {}: {}",
            to,
            terrain
        );
        ensure!("4.4", self.holder(state, to) != Some(side.enemy()), "an enemy unit is in {}", to);
        ensure!("2.1", self.has_room(state, to), "{} is full", to);
        let allowance = self.counters[unit.index()].allowance;
        if self.reach(state, side, from, allowance).cost(to).is_some() {
            return Ok(());
        }
        match self.reach(state, side, from, Mp::MAX).cost(to) {
            Some(needed) => {
                refuse!("4.1", "{} needs {} MP to reach {} and has {}", unit, needed, to, allowance)
            }
            None => refuse!("3.2", "enemy zones of control or closed hexes bar {} from {}", unit, to),
        }
    }

    pub(crate) fn start_move(&self, state: &mut State, unit: UnitId, to: Hex) {
        let Some(from) = state.unit(unit).hex else { return };
        let seen = self.is_seen(state, unit);
        let left = self.counters[unit.index()].allowance;
        state.mark(unit, Marks::MOVED);
        state.stack.push(Moving { unit, from, to, left, seen });
    }
}
