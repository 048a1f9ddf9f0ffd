//! 4: movement.

use board::{Hex, HexSet, Map, Mp, Sides, Terrain, Where};
use engine::display;
use engine::frame::Around;
use engine::law::{About, Bar, Law, Statute, Term, WhyNot, crossing, entering, with_reach};
use engine::{Frame, Play, Remark, Side, UnitId, Viewer, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{begin_phase, phase};
use crate::{Action, Event, Marks, Mini, Phase, Procedure, Reaction, State, Switches, TerrainEffect, Units};

/// The two ways of going: across country, and by road.
const COUNTRY: usize = 0;
const ROAD: usize = 1;

/// What never changes about a step: terrain, the river before it and the road to it (4.2, 4.3, 9.1), and where nobody may
/// enter (4.4). Nothing when the map is too large.
pub(crate) fn statute(map: &Map, terrain: &[TerrainEffect], switches: &Switches) -> Option<Statute> {
    let grounds: Vec<(Terrain, HexSet)> =
        map.terrains().map(|(terrain, _)| (terrain, HexSet::with_terrain(map, terrain))).collect();
    let closed = |terrain: Terrain| {
        Bar::new(case("4.4"), "no unit may enter {}: {}", [About::To, About::Fact(terrain.into())])
    };
    let ground = grounds.iter().zip(terrain).map(|((terrain, hexes), effect)| match effect.cost {
        Some(cost) => Term::price(entering(hexes), "terrain", cost, case("4.2")).by(COUNTRY),
        None => Term::bar(entering(hexes), closed(*terrain)),
    });
    let mut terms: Vec<Term<'_>> = ground.collect();
    let river = Sides::of(map, &[map.sides_with("river")])?;
    if !switches.fords {
        terms.push(Term::price(crossing(&river), "river", Mp::ONE, case("4.2")).by(COUNTRY));
    }
    terms.push(Term::price(Where::EVERYWHERE, "road", Mp::twelfths(6), case("4.3")).by(ROAD));
    Statute::new(map, &[&Sides::all(map)?, &Sides::crossed(map, &[map.links_with("road")])?], &terms)
}

/// What stands in the way of a side's units now.
struct Obstacles {
    enemies: HexSet,
    zones: HexSet,
}

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
        let obstacles = rules.obstacles(state, side);
        let (next, cost) = with_reach(|reach| {
            rules.law(&obstacles).spread(reach, &[at], left);
            let next = reach.path(to).into_iter().flatten().find(|hex| *hex != at).unwrap_or(to);
            (next, reach.cost(next).unwrap_or(left))
        });
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
    /// What stands in the way of a side's units now.
    fn obstacles(&self, state: &State, side: Side) -> Obstacles {
        Obstacles { enemies: self.hexes_of(state, side.enemy()), zones: self.ezoc(state, side) }
    }

    /// What a step costs and what bars it: nobody goes through enemies (4.4), or further than the first enemy zone of
    /// control (3.2).
    fn law<'a>(&'a self, obstacles: &'a Obstacles) -> Law<'a> {
        let mut law = Law::new(&self.statute);
        let occupied = Bar::new(case("4.4"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(&obstacles.enemies), occupied));
        law.add(Term::stop(entering(&obstacles.zones), case("3.2")));
        law
    }

    /// The cheapest path that takes a unit which has not moved to a hex, with every part of its cost.
    pub(crate) fn route_to(&self, state: &State, unit: UnitId, to: Hex) -> Option<display::Route> {
        let from = state.unit(unit).hex?;
        let obstacles = self.obstacles(state, self.side(unit));
        let has = self.counters[unit.index()].allowance;
        with_reach(|reach| self.law(&obstacles).cheapest_route(reach, from, to, has))
    }

    /// The hexes that the units of a side which the viewer sees could reach, if they could move now.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let seen = |unit: &UnitId| viewer.is_told(side) || self.is_seen(state, *unit);
        let units = self.roster.iter().filter(|unit| self.side(*unit) == side).filter(seen);
        let obstacles = self.obstacles(state, side);
        let law = self.law(&obstacles);
        let reached = units.filter_map(|unit| {
            Some(law.reached(state.unit(unit).hex?, self.counters[unit.index()].allowance))
        });
        reached.fold(HexSet::EMPTY, |all, reached| all | reached)
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
        let obstacles = self.obstacles(state, self.side(unit));
        let arrives = at == to || (self.has_room(state, to) && !obstacles.zones.contains(at));
        arrives && self.law(&obstacles).reached(at, left).contains(to)
    }

    pub(crate) fn movement_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let obstacles = self.obstacles(state, side);
        let law = self.law(&obstacles);
        for unit in self.roster.iter() {
            let Ok(from) = self.may_move(state, side, unit) else { continue };
            let reached = law.reached(from, self.counters[unit.index()].allowance);
            let open = reached.iter().filter(|to| *to != from && self.has_room(state, *to));
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
        let obstacles = self.obstacles(state, side);
        let law = self.law(&obstacles);
        law.check_hex(to)?;
        ensure!("2.1", self.has_room(state, to), "{} is full", to);
        let allowance = self.counters[unit.index()].allowance;
        match with_reach(|reach| law.why_not(reach, from, to, allowance)) {
            None => Ok(()),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) => {
                refuse!("4.1", "{} needs {} MP to reach {} and has {}", unit, short.needed, to, short.has)
            }
            Some(WhyNot::NoWay) => {
                refuse!("3.2", "enemy zones of control or closed hexes bar {} from {}", unit, to)
            }
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
