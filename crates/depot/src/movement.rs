//! 4: movement, in legs.

use board::{Hex, HexSet, Map, Mp, Sides, Terrain};
use engine::display::{self, Route};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Statute, Term, WhyNot, entering, with_reach};
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{begin_phase, not_asked, phase};
use crate::{Action, Arm, Depot, Event, Marks, Overrun, Phase, Place, Procedure, State};

phrases! {
    /// A movement phase.
    pub struct Movement { side: Side } = "movement", "1.1", "{side} movement phase";
}

impl Frame<Depot> for Movement {
    fn asked(&self, _: &Depot, _: &State) -> (Side, Remark) {
        (self.side, remark!("1.1", "move, turn, load or unload units, or end the movement phase"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        let obstacles = rules.obstacles(state, self.side);
        let law = rules.law(&obstacles);
        for unit in rules.roster.iter() {
            if rules.may_move(state, self.side, unit).is_ok() {
                rules.leg_answers(state, unit, rules.allowance(state, unit), &law, answers);
            }
            if rules.check_turn(state, self.side, unit).is_ok() {
                answers.push(Action::Turn { unit });
            }
        }
        rules.supply_answers(state, self.side, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit, .. } | Action::Overrun { unit, .. } => {
                rules.may_move(state, self.side, unit)?;
                rules.check_leg(state, unit, rules.allowance(state, unit), action)
            }
            Action::Turn { unit } => rules.check_turn(state, self.side, unit),
            Action::Load { unit, points } => rules.check_load(state, self.side, unit, points),
            Action::Unload { unit, points } => rules.check_unload(state, self.side, unit, points),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit, .. } | Action::Overrun { unit, .. } => {
                let moving = Moving { unit, left: rules.allowance(state, unit) };
                state.mark(unit, Marks::MOVED);
                state.stack.push(moving);
                moving.apply(rules, state, action, play);
            }
            Action::Turn { unit } => rules.turn_over(state, unit, play),
            Action::Load { unit, points } => rules.load(state, unit, points, play),
            Action::Unload { unit, points } => rules.unload(state, unit, points, play),
            _ => begin_phase(state, self.side, Phase::Combat, play),
        }
    }

    fn is_sound(&self, _: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && state.first.is_some()
    }

    fn phase(&self, _: &Depot, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Movement))
    }
}

phrases! {
    /// A unit between two legs of its move.
    pub struct Moving {
        unit: UnitId,
        /// The points it has left.
        left: Mp,
    } = "moving", "4.3", "{unit} has {left} MP left";
}

impl Frame<Depot> for Moving {
    fn asked(&self, rules: &Depot, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("4.3", "{} has {} MP left: go on, or halt", self.unit, self.left))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        self.legs(rules, state, answers);
        answers.push(Action::Halt);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit, .. } | Action::Overrun { unit, .. } => {
                ensure!("4.3", unit == self.unit, "{} is on its way, not {}", self.unit, unit);
                rules.check_leg(state, unit, self.left, action)
            }
            Action::Halt => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { to, .. } => self.go(rules, state, to, play),
            Action::Overrun { unit, hex } => Overrun { unit, hex }.begin(rules, state, play),
            _ => {
                state.stack.pop();
            }
        }
    }

    /// A unit that can go nowhere has halted.
    fn go_on(&self, rules: &Depot, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut legs = Vec::new();
        self.legs(rules, state, &mut legs);
        if legs.is_empty() {
            state.stack.pop();
        }
        !legs.is_empty()
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some_and(|phase| phase.side == rules.side(self.unit))
            && state.hex(self.unit).is_some()
            && state.marked(self.unit, Marks::MOVED)
            && self.left <= rules.allowance(state, self.unit)
    }
}

impl Moving {
    fn legs(&self, rules: &Depot, state: &State, legs: &mut Vec<Action>) {
        let obstacles = rules.obstacles(state, rules.side(self.unit));
        let law = rules.law(&obstacles);
        rules.leg_answers(state, self.unit, self.left, &law, legs);
    }

    /// Moves a leg.
    fn go(&self, rules: &Depot, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let Some(route) = rules.route_to(state, self.unit, to) else { return };
        let left = self.pay(state, route.cost());
        play.tell(Event::Moved { unit: self.unit, to, left });
        rules.enter(state, self.unit, to, play);
    }

    /// Pays for what the unit does; how much it has left.
    pub(crate) fn pay(&self, state: &mut State, cost: Mp) -> Mp {
        let left = self.left.saturating_sub(cost);
        if let Some(moving) = state.stack.find_mut::<Moving>() {
            moving.left = left;
        }
        left
    }
}

/// What stands in the way of a side's units now.
struct Obstacles {
    enemies: HexSet,
    /// The enemy's dumps, and all hexes next to them.
    near_dumps: HexSet,
}

/// What never changes about a leg: what terrain costs and where nobody goes (4.2, 4.4). Nothing when the map is too large.
pub(crate) fn statute(map: &Map, sides: &Sides, costs: &[Option<Mp>]) -> Option<Statute> {
    let ground = |terrain: Terrain| (terrain, HexSet::with_terrain(map, terrain));
    let grounds: Vec<(Terrain, HexSet)> = map.terrains().map(|(terrain, _)| ground(terrain)).collect();
    let closed = |terrain: Terrain| {
        Bar::new(case("4.4"), "no unit may enter {}: {}", [About::To, About::Fact(terrain.into())])
    };
    let terms = grounds.iter().zip(costs).map(|((terrain, hexes), cost)| match cost {
        Some(cost) => Term::price(entering(hexes), "terrain", *cost, case("4.2")),
        None => Term::bar(entering(hexes), closed(*terrain)),
    });
    let terms: Vec<Term<'_>> = terms.collect();
    Statute::new(map, &[sides], &terms)
}

impl Depot {
    pub(crate) fn allowance(&self, state: &State, unit: UnitId) -> Mp {
        Mp::whole(u16::from(self.face(state, unit).allowance))
    }

    /// A unit on the map that has not moved in its movement phase (4.1).
    pub(crate) fn may_move(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("4.1", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("4.1", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("4.1", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        Ok(())
    }

    /// A unit in a hex, and whatever lies there in its side's hands (3.5).
    pub(crate) fn enter(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        state.units.change(unit, |unit| unit.place = Place::Hex(hex));
        self.capture(state, self.side(unit), hex, play);
    }

    pub(crate) fn cost(&self, hex: Hex) -> Option<Mp> {
        self.terrain[usize::from(self.map.terrain(hex).0)]
    }

    /// What stands in the way of a side's units now.
    fn obstacles(&self, state: &State, side: Side) -> Obstacles {
        let enemies = self.roster.iter().filter(|unit| self.side(*unit) != side);
        let dumps: HexSet = self.dumps(state, side.enemy()).collect();
        Obstacles {
            enemies: enemies.filter_map(|unit| state.hex(unit)).collect(),
            near_dumps: self.sides.grow(&dumps),
        }
    }

    /// What a leg costs and what bars it (4.2 to 4.4). It ends next to an enemy dump, so that the enemy can still do
    /// something about it (3.6).
    fn law<'a>(&'a self, obstacles: &'a Obstacles) -> Law<'a> {
        let mut law = Law::new(&self.statute);
        let occupied = Bar::new(case("4.4"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(&obstacles.enemies), occupied));
        law.add(Term::stop(entering(&obstacles.near_dumps), case("4.3")));
        law
    }

    /// The way that a leg takes a unit.
    pub(crate) fn route_to(&self, state: &State, unit: UnitId, to: Hex) -> Option<Route> {
        let moving = state.stack.find::<Moving>().filter(|moving| moving.unit == unit);
        let has = moving.map_or_else(|| self.allowance(state, unit), |moving| moving.left);
        let obstacles = self.obstacles(state, self.side(unit));
        let from = state.hex(unit)?;
        with_reach(|reach| self.law(&obstacles).cheapest_route(reach, from, to, has))
    }

    /// The legs and overruns that a unit can pay for.
    fn leg_answers(&self, state: &State, unit: UnitId, left: Mp, law: &Law<'_>, answers: &mut Vec<Action>) {
        let Some(from) = state.hex(unit) else { return };
        let reached = law.reached(from, left);
        let open = reached.iter().filter(|to| *to != from);
        answers.extend(open.map(|to| Action::Move { unit, to }));
        let near = self.map.neighbours(from).map(|(_, hex)| hex);
        let overruns = near.filter(|hex| self.check_overrun(state, unit, left, *hex).is_ok());
        answers.extend(overruns.map(|hex| Action::Overrun { unit, hex }));
    }

    /// Whether a unit can make a leg or an overrun with the points it has.
    fn check_leg(&self, state: &State, unit: UnitId, left: Mp, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { to, .. } => self.check_move(state, unit, left, to),
            Action::Overrun { hex, .. } => self.check_overrun(state, unit, left, hex),
            _ => Err(not_asked(state)),
        }
    }

    fn check_move(&self, state: &State, unit: UnitId, left: Mp, to: Hex) -> Result<(), Violation> {
        ensure!("4.1", state.hex(unit) != Some(to), "{} is in {} already", unit, to);
        let Some(from) = state.hex(unit) else { refuse!("4.1", "{} is not on the map", unit) };
        let obstacles = self.obstacles(state, self.side(unit));
        match with_reach(|reach| self.law(&obstacles).why_not(reach, from, to, left)) {
            None => Ok(()),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) => {
                refuse!("4.1", "{} needs {} MP to reach {} and has {}", unit, short.needed, to, left)
            }
            Some(WhyNot::NoWay) => refuse!("4.3", "{} cannot reach {} in one leg", unit, to),
        }
    }

    fn check_overrun(&self, state: &State, unit: UnitId, left: Mp, hex: Hex) -> Result<(), Violation> {
        ensure!("5.1", self.kind(unit) == Arm::Tank, "{} is not a tank", unit);
        let near = state.hex(unit).is_some_and(|from| self.map.grid().adjacent(from, hex));
        ensure!("5.1", near, "{} is not adjacent to {}", unit, hex);
        let enemy = self.holder(state, hex) == Some(self.side(unit).enemy());
        ensure!("5.1", enemy, "no enemy unit is in {}", hex);
        ensure!("5.1", left >= Overrun::COST, "{} needs {} MP and has {}", unit, Overrun::COST, left);
        Ok(())
    }
}
