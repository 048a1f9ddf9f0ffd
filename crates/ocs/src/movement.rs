//! 6: movement, in legs.

use board::{Hex, Mp, Where};
use engine::display::{self, Route};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, WhyNot, entering, with_reach};
use engine::muster::{self, Muster, Musters};
use engine::store::Spot;
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::charts::{Factor, Kind};
use crate::sequence::{self, acting, not_asked, phase};
use crate::terrain::{BRIDGE, COUNTRY};
use crate::{
    Action, Entraining, Event, Firing, Flight, Freight, HexSet, Marks, Mobility, Ocs, Off, Phase, Place,
    Procedure, State, Units, group,
};

phrases! {
    /// A Movement Phase or Movement Segment (6.1).
    pub struct Movement { side: Side, phase: Phase } = "movement", "6.1", "{side} movement: {phase}";
}

impl Frame<Ocs> for Movement {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("6.0a", "move units, or end the movement"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        if self.chooses_modes(rules) {
            rules.mode_answers(state, self.side, answers);
        }
        let obstacles = Obstacles::new(rules, state, self.side);
        rules.flight_answers(state, *self, answers);
        for unit in rules.roster.iter().filter(|unit| rules.side(*unit) == self.side) {
            if rules.may_move(state, *self, unit).is_err() {
                continue;
            }
            let reach = Moving::alone(unit).reach(rules, state, &obstacles, rules.allowance(state, unit));
            answers.extend(reach.iter().map(|to| Action::Move { unit, to }));
            answers.push(Action::Stack { unit });
        }
        rules.transport_answers(state, *self, answers);
        rules.rail_offers(state, *self, answers);
        if self.check_end(rules, state).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Split { unit, points } => rules.check_split(state, *self, unit, points),
            Action::Merge { unit, into } => rules.check_merge(state, *self, unit, into),
            Action::Blow { from, tokens } => rules.check_blow(state, self.side, from, tokens),
            Action::Entrain { unit } => rules.check_entrain(state, *self, unit),
            Action::Freight { hex } => rules.check_freight(state, *self, hex),
            Action::Relay { unit, hex, tokens } => rules.check_relay(state, *self, unit, hex, tokens),
            Action::Mode { unit, mode } if self.chooses_modes(rules) => {
                rules.check_mode(state, self.side, unit, mode)
            }
            Action::Move { unit, to } => {
                rules.may_move(state, *self, unit)?;
                Moving::alone(unit).check_go(rules, state, to, rules.allowance(state, unit))
            }
            Action::Stack { unit } if rules.is_air(unit) => rules.check_flies(state, *self, unit),
            Action::Stack { unit } => rules.may_move(state, *self, unit),
            Action::Name { unit, hex } if rules.is_air(unit) => rules.check_hip_shot(state, *self, unit, hex),
            Action::End => self.check_end(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Mode { unit, mode } => rules.set_mode(state, unit, mode, play),
            Action::Split { unit, points } => rules.split(state, unit, points, play),
            Action::Merge { unit, into } => rules.merge(state, unit, into, play),
            Action::Blow { from, tokens } => rules.blow(state, self.side, from, tokens, play),
            Action::Entrain { unit } => state.stack.push(Entraining { unit }),
            Action::Freight { hex } => state.stack.push(Freight { from: hex, to: None }),
            Action::Relay { unit, hex, tokens } => rules.relay(state, unit, hex, tokens, play),
            Action::Move { unit, to } => {
                let moving = Moving::begin(rules, state, unit);
                moving.go(rules, state, to, play);
            }
            Action::Stack { unit } if rules.is_air(unit) => {
                let errand = rules.errand(state, unit);
                if let Some(from) = state.hex(unit) {
                    Flight::new(Units::of(unit), from, errand).begin(rules, state);
                }
            }
            Action::Stack { unit } => {
                Moving::begin(rules, state, unit);
            }
            Action::Name { unit, hex } => state.stack.push(Firing { hex, guns: Units::of(unit) }),
            _ => sequence::end_movement(rules, state, *self, play),
        }
    }

    /// In Reaction and Exploitation nobody is asked who has nothing to move.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let acts = |unit: UnitId| rules.may_move(state, *self, unit).is_ok();
        let asks = self.phase == Phase::Movement
            || rules.roster.iter().any(acts)
            || rules.air.iter().any(|unit| rules.check_flies(state, *self, *unit).is_ok())
            || rules.can_blow(state, self.side);
        if !asks {
            sequence::end_movement(rules, state, *self, play);
        }
        asks
    }

    fn is_sound(&self, _: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
            && state.first.is_some()
            && matches!(self.phase, Phase::Movement | Phase::Reaction | Phase::Exploitation)
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, self.phase))
    }
}

impl Movement {
    /// Modes are chosen in the Movement Phase where the two are merged (5.11.a).
    fn chooses_modes(&self, rules: &Ocs) -> bool {
        rules.switches.merged_modes && self.phase == Phase::Movement
    }

    /// A player who can still mend a stack that is too high must (4.2f, R62).
    fn check_end(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        for hex in rules.overstacked(state, self.side).iter() {
            let can_go = |unit: UnitId| rules.size(state, unit) > 0 && self.can_leave(rules, state, unit);
            if rules.units_in(state, hex, self.side).any(can_go) {
                refuse!("4.2f", "more than 10 REs are in {}", hex);
            }
        }
        Ok(())
    }

    fn can_leave(&self, rules: &Ocs, state: &State, unit: UnitId) -> bool {
        rules.may_move(state, *self, unit).is_ok() && {
            let obstacles = Obstacles::new(rules, state, self.side);
            !Moving::alone(unit).reach(rules, state, &obstacles, rules.allowance(state, unit)).is_empty()
        }
    }
}

phrases! {
    /// Pieces on their way together.
    pub struct Moving {
        units: Units,
        /// The stack is still being put together.
        open: bool,
        /// They have spent nothing yet.
        fresh: bool,
        /// They take the hedgehog down as they leave (17.0.c).
        razes: bool,
    } = "moving", "6.0b", "{units} move";
}

impl Frame<Ocs> for Moving {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (self.side(rules), remark!("6.0b", "go on, or halt"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        if self.open {
            muster::answers(self, rules, state, answers);
        } else {
            if self.units.len() > 1 {
                answers.extend(self.units.iter().map(|unit| Action::Drop { unit }));
            }
            answers.push(Action::Halt);
        }
        let obstacles = Obstacles::new(rules, state, self.side(rules));
        let reach = self.reach(rules, state, &obstacles, self.left(state));
        answers.extend(reach.iter().map(|to| Action::Go { to }));
        self.overruns(rules, state, answers);
        self.loads(rules, state, answers);
        self.rail_answers(rules, state, answers);
        answers.extend(
            self.hex(state)
                .filter(|hex| self.check_raze(rules, state, *hex).is_ok())
                .map(|hex| Action::Raze { hex }),
        );
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) if self.open => muster::check(self, rules, state, step),
            (Action::Drop { unit }, _) if !self.open => {
                let one_of_many = self.units.len() > 1 && self.units.contains(unit);
                ensure!("6.0b", one_of_many, "{} is not one of several that move", unit);
                Ok(())
            }
            (Action::Halt, _) if !self.open => Ok(()),
            (Action::Go { to }, _) => self.check_go(rules, state, to, self.left(state)),
            (Action::Overrun { hex, how }, _) => self.check_overrun(rules, state, hex, how),
            (Action::Raze { hex }, _) => self.check_raze(rules, state, hex),
            (Action::Entrain { unit }, _) => self.check_entrain(rules, state, unit),
            (Action::Wreck { unit }, _) => self.check_wreck(rules, state, unit),
            (Action::Repair { unit }, _) => self.check_repair(rules, state, unit),
            (Action::Load { unit, tokens }, _) => self.check_load(rules, state, unit, tokens),
            (Action::Unload { unit, tokens }, _) => self.check_unload(rules, state, unit, tokens),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(muster::Step::Join(unit))) => {
                let left = rules.allowance(state, unit);
                state.units.change(unit, |unit| unit.left = left);
                muster::apply::<Ocs, Moving>(state, muster::Step::Join(unit), play);
            }
            (_, Some(step)) => {
                self.forget(state, step);
                muster::apply::<Ocs, Moving>(state, step, play);
            }
            (Action::Drop { unit }, _) => {
                if let Some(moving) = state.stack.top_mut::<Moving>() {
                    moving.units.remove(unit);
                }
                rules.halt(state, unit, play);
            }
            (Action::Go { to }, _) => self.go(rules, state, to, play),
            (Action::Overrun { hex, how }, _) => self.overrun(rules, state, hex, how, play),
            (Action::Raze { .. }, _) => {
                if let Some(moving) = state.stack.top_mut::<Moving>() {
                    moving.razes = true;
                }
            }
            (Action::Entrain { unit }, _) => state.stack.push(Entraining { unit }),
            (Action::Wreck { unit }, _) => self.wreck_rails(rules, state, unit, play),
            (Action::Repair { unit }, _) => self.repair_rails(rules, state, unit, play),
            (Action::Load { unit, tokens }, _) => self.load(rules, state, unit, tokens, play),
            (Action::Unload { unit, tokens }, _) => self.unload(rules, state, unit, tokens, play),
            _ => self.halt(rules, state, play),
        }
    }

    /// Whoever can go nowhere has halted.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.open {
            return true;
        }
        let alive = self.together(state);
        if alive != *self
            && let Some(moving) = state.stack.top_mut::<Moving>()
        {
            *moving = alive;
        }
        let goes_on = !alive.units.is_empty() && alive.can_go_on(rules, state);
        if !goes_on {
            alive.halt(rules, state, play);
        }
        goes_on
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(below) = around.on::<Movement>() else { return false };
        let hex = self.hex(state);
        let able = |unit: UnitId| {
            rules.side(unit) == below.side && (rules.is_unit(unit) || rules.counter(unit).is_transport())
        };
        let here = |unit: UnitId| state.hex(unit) == hex && hex.is_some();
        self.units.iter().all(able)
            && (!around.above.is_empty() || self.units.iter().all(here))
            && (!self.units.is_empty() || !around.above.is_empty())
            && (around.above.is_empty() || !self.open)
            && (!self.razes || self.open && hex.is_some_and(|hex| state.hedgehog(hex) > 0))
            && (!self.open || self.units.iter().all(|unit| rules.may_move(state, *below, unit).is_ok()))
    }
}

impl Muster<Ocs> for Moving {
    const CASES: [Case; 2] = [case("6.0b"), case("6.0b")];

    fn members(&self) -> Vec<UnitId> {
        self.units.iter().collect()
    }

    fn candidates(&self, _: &Ocs, state: &State) -> Vec<UnitId> {
        self.hex(state).map(|hex| state.units.in_hex(hex).collect()).unwrap_or_default()
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("6.0b", state.hex(unit) == self.hex(state), "{} is in another hex", unit);
        match state.stack.first() {
            Some(Procedure::Movement(movement)) => rules.may_move(state, *movement, unit),
            _ => Err(not_asked(state)),
        }
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.units.set(unit, joins);
    }
}

impl Moving {
    fn alone(unit: UnitId) -> Moving {
        Moving { units: Units::of(unit), open: true, fresh: true, razes: false }
    }

    /// Puts a unit on its way with its whole allowance.
    fn begin(rules: &Ocs, state: &mut State, unit: UnitId) -> Moving {
        let left = rules.allowance(state, unit);
        state.units.change(unit, |unit| unit.left = left);
        let moving = Moving::alone(unit);
        state.stack.push(moving);
        moving
    }

    /// Who does not move after all has nothing left to spend.
    fn forget(&self, state: &mut State, step: muster::Step) {
        let who = match step {
            muster::Step::Leave(unit) => Units::of(unit),
            muster::Step::Cancel => self.units,
            muster::Step::Join(_) => Units::EMPTY,
        };
        for unit in who.iter() {
            state.units.change(unit, |unit| unit.left = Mp::ZERO);
        }
    }

    pub(crate) fn side(&self, rules: &Ocs) -> Side {
        self.units.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    pub(crate) fn hex(&self, state: &State) -> Option<Hex> {
        self.units.first().and_then(|unit| state.hex(unit))
    }

    /// The least that any of them has left.
    fn left(&self, state: &State) -> Mp {
        self.units.iter().map(|unit| state.units[unit].left).min().unwrap_or_default()
    }

    /// Those that are still there, and together.
    fn together(&self, state: &State) -> Moving {
        let hex = self.units.iter().find_map(|unit| state.hex(unit));
        Moving {
            units: self.units.filter(|unit| state.hex(unit).is_some() && state.hex(unit) == hex),
            ..*self
        }
    }

    /// Some of them can go somewhere, or they can overrun somebody.
    fn can_go_on(&self, rules: &Ocs, state: &State) -> bool {
        let obstacles = Obstacles::new(rules, state, self.side(rules));
        let goes = |unit: UnitId| {
            let alone = Moving { units: Units::of(unit), ..*self };
            !alone.reach(rules, state, &obstacles, state.units[unit].left).is_empty()
        };
        if self.units.iter().any(goes) {
            return true;
        }
        let mut more = Vec::new();
        self.overruns(rules, state, &mut more);
        self.loads(rules, state, &mut more);
        self.rail_answers(rules, state, &mut more);
        !more.is_empty()
    }

    /// Where they can go in one leg: any way where all of them pay alike, the next hex where they do not.
    fn reach(&self, rules: &Ocs, state: &State, obstacles: &Obstacles, left: Mp) -> HexSet {
        let Some(from) = self.hex(state) else { return HexSet::EMPTY };
        if self.units.iter().any(|unit| state.marked(unit, Marks::HALTED)) {
            return HexSet::EMPTY;
        }
        let mut movers = self.units.iter().map(|unit| rules.mover(state, unit));
        let Some(first) = movers.next() else { return HexSet::EMPTY };
        let near =
            |to: &Hex| self.units.iter().all(|unit| self.pays(rules, state, obstacles, unit, *to).is_some());
        let mut hexes = if movers.all(|mover| mover == first) {
            let Some(law) = rules.law(state, obstacles, first) else { return HexSet::EMPTY };
            with_reach(|reach| {
                law.spread(reach, &[from], left);
                *reach.hexes()
            })
        } else {
            HexSet::EMPTY
        };
        hexes.extend(rules.map.neighbours(from).map(|(_, to)| to).filter(near));
        hexes.remove(from);
        hexes
    }

    /// What a unit pays to enter an adjacent hex; all it has where the one-hex move must do (6.1c.a).
    fn pays(&self, rules: &Ocs, state: &State, obstacles: &Obstacles, unit: UnitId, to: Hex) -> Option<Mp> {
        let from = state.hex(unit)?;
        let law = rules.law(state, obstacles, rules.mover(state, unit))?;
        let cost = law.parts(from, to)?.iter().map(|part| part.cost).sum();
        let has = if self.open { rules.allowance(state, unit) } else { state.units[unit].left };
        if cost <= has { Some(cost) } else { self.fresh.then_some(has) }
    }

    fn check_go(&self, rules: &Ocs, state: &State, to: Hex, left: Mp) -> Result<(), Violation> {
        let obstacles = Obstacles::new(rules, state, self.side(rules));
        if self.reach(rules, state, &obstacles, left).contains(to) {
            return Ok(());
        }
        if let Some(unit) = self.units.iter().find(|unit| state.marked(*unit, Marks::HALTED)) {
            refuse!("4.1c", "{} must halt next to the enemy", unit);
        }
        let (Some(from), Some(unit)) = (self.hex(state), self.units.first()) else {
            return Err(not_asked(state));
        };
        ensure!("6.0b", from != to, "{} is in {} already", unit, to);
        let Some(law) = rules.law(state, &obstacles, rules.mover(state, unit)) else {
            return Err(not_asked(state));
        };
        match with_reach(|reach| law.why_not(reach, from, to, left)) {
            None => refuse!("6.0b", "{} does not go to {} with the others: step by step", unit, to),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) => {
                refuse!("6.1b", "{} needs {} MP to reach {} and has {}", unit, short.needed, to, left)
            }
            Some(WhyNot::NoWay) => {
                let goes_on = Mover { halts: false, ..rules.mover(state, unit) };
                let reaches = rules.law(state, &obstacles, goes_on).is_some_and(|law| {
                    with_reach(|reach| {
                        law.spread(reach, &[from], left);
                        reach.hexes().contains(to)
                    })
                });
                ensure!("4.1c", !reaches, "{} must halt next to the enemy before it comes to {}", unit, to);
                refuse!("6.0b", "{} cannot reach {}", unit, to)
            }
        }
    }

    fn go(&self, rules: &Ocs, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let side = self.side(rules);
        let obstacles = Obstacles::new(rules, state, side);
        let Some(from) = self.hex(state) else { return };
        let steps = self.path(rules, state, &obstacles, from, to);
        for hex in steps {
            for unit in self.units.iter() {
                let moving = Moving { open: false, ..*self };
                let cost = moving.pays(rules, state, &obstacles, unit, hex).unwrap_or(state.units[unit].left);
                state.units.change(unit, |unit| unit.left = unit.left.saturating_sub(cost));
                rules.put(state, unit, hex, play);
            }
        }
        if self.razes {
            rules.wreck(state, from, play);
        }
        self.begun(state);
        for unit in self.units.iter() {
            play.tell(Event::Moved { unit, to, left: state.units[unit].left });
            rules.halt_next_to_enemy(state, &obstacles, unit, to, play);
        }
        if self.units.iter().any(|unit| rules.is_unit(unit)) {
            rules.capture(state, side, to, play);
        }
    }

    /// The hexes that they enter on their way.
    fn path(&self, rules: &Ocs, state: &State, obstacles: &Obstacles, from: Hex, to: Hex) -> Vec<Hex> {
        let mut movers = self.units.iter().map(|unit| rules.mover(state, unit));
        let Some(first) = movers.next().filter(|first| movers.all(|mover| mover == *first)) else {
            return vec![to];
        };
        let Some(law) = rules.law(state, obstacles, first) else { return vec![to] };
        let path = with_reach(|reach| {
            law.spread_to(reach, &[from], self.left(state), to);
            reach.path(to)
        });
        path.map_or_else(|| vec![to], |path| path[1..].to_vec())
    }

    /// Units that move out of a hedgehog may take the whole of it down (17.0.c).
    fn check_raze(&self, rules: &Ocs, state: &State, hex: Hex) -> Result<(), Violation> {
        ensure!("17.0.c", self.open && self.hex(state) == Some(hex), "nobody is about to leave {}", hex);
        ensure!("17.0.c", state.hedgehog(hex) > 0, "there is no hedgehog in {}", hex);
        ensure!("17.0.c", !self.razes, "the hedgehog in {} is to be taken down already", hex);
        let units = self.units.iter().any(|unit| rules.is_unit(unit));
        ensure!("17.0.c", units, "only units take down the hedgehog in {}", hex);
        Ok(())
    }

    /// They have begun to move.
    pub(crate) fn begun(&self, state: &mut State) {
        for unit in self.units.iter() {
            state.mark(unit, Marks::MOVED);
        }
        if let Some(moving) = state.stack.find_mut::<Moving>() {
            moving.open = false;
            moving.fresh = false;
            moving.razes = false;
        }
    }

    fn halt(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        for unit in self.units.iter() {
            rules.halt(state, unit, play);
        }
    }
}

/// How a piece moves: what it pays and what is barred to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mover {
    mobility: Mobility,
    reserve: bool,
    strategic: bool,
    transport: bool,
    /// It moves by truck MPs and halts next to the enemy (4.1c).
    halts: bool,
}

/// What stands in the way of a side now.
pub(crate) struct Obstacles {
    pub(crate) enemies: HexSet,
    /// Hexes next to enemy units, and those of them without friends (4.1c, 4.1i).
    near: HexSet,
    exposed: HexSet,
    interdicted: HexSet,
    /// Hexes with enemy supply, trucks or wagons, or an enemy air base (9.16).
    pub(crate) prizes: HexSet,
    /// Hexes without an engineer of the side's own that has been there since the phase began (12.8a.c).
    pub(crate) unbridged: HexSet,
}

impl Obstacles {
    pub(crate) fn new(rules: &Ocs, state: &State, side: Side) -> Obstacles {
        let near = rules.near_enemies(state, side);
        let enemy = side.enemy();
        let mut prizes = *state.units.held(group::of(group::TRANSPORTS, enemy));
        for lot in state.stocks.iter().filter(|lot| lot.side == enemy) {
            if let Spot::Hex(hex) = lot.spot {
                prizes.insert(hex);
            }
        }
        for hex in rules.bases_of(state, enemy).iter() {
            prizes.insert(hex);
        }
        Obstacles {
            enemies: *state.held(enemy),
            exposed: near - *state.held(side),
            near,
            interdicted: *state.units.held(group::of(group::INTERDICTION, enemy)),
            prizes,
            unbridged: HexSet::all(&rules.map) - rules.bridgeheads(state, side),
        }
    }
}

/// Rivers are bridged only from and into the hexes of engineers (12.8a.a).
pub(crate) fn no_bridge(unbridged: &HexSet) -> Term<'_> {
    let bar = Bar::plain(case("12.8a.c"), "no engineer bridges the river");
    Term::bar(Where::EVERYWHERE.leaving(unbridged).entering(unbridged), bar).by(BRIDGE)
}

/// What an interdicted hex costs more (6.4a).
pub(crate) const INTERDICTION: Mp = Mp::ONE;

impl Ocs {
    /// The hexes of a side's engineers that have been there since the phase began (12.8a.c).
    fn bridgeheads(&self, state: &State, side: Side) -> HexSet {
        let here = |unit: &UnitId| self.side(*unit) == side && state.marked(*unit, Marks::BRIDGES);
        self.roster.iter().filter(here).filter_map(|unit| state.hex(unit)).collect()
    }

    pub(crate) fn mover(&self, state: &State, unit: UnitId) -> Mover {
        let mobility = self.mobility(state, unit);
        Mover {
            mobility,
            reserve: state.marked(unit, Marks::RESERVE),
            strategic: state.marked(unit, Marks::STRATEGIC),
            transport: self.counter(unit).is_transport(),
            halts: mobility == Mobility::Truck,
        }
    }

    /// What a step costs and what bars it (6.2 to 6.4).
    pub(crate) fn law<'a>(
        &'a self,
        state: &State,
        obstacles: &'a Obstacles,
        mover: Mover,
    ) -> Option<Law<'a>> {
        let mut law = Law::new(self.terrain.law(state.weather, mover.mobility)?);
        let occupied = Bar::new(case("6.3a"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(&obstacles.enemies), occupied));
        law.add(no_bridge(&obstacles.unbridged));
        if mover.strategic {
            let contact = Bar::new(case("4.1k"), "{} is next to an enemy unit", [About::To]);
            law.add(Term::bar(entering(&obstacles.near), contact));
            let roads =
                Bar::plain(case("5.8b.c"), "in Strategic Move Mode only roads and railroads are used");
            law.add(Term::bar(Where::EVERYWHERE, roads).by(COUNTRY));
            law.add(Term::bar(Where::EVERYWHERE, roads).by(BRIDGE));
        } else if mover.reserve {
            let contact = Bar::new(case("5.7a.d"), "{} is next to an enemy unit", [About::To]);
            law.add(Term::bar(entering(&obstacles.near), contact));
        } else if mover.halts {
            law.add(Term::stop(entering(&obstacles.exposed), case("4.1c")));
        }
        if mover.transport {
            let prize =
                Bar::new(case("9.16c.a"), "enemy supply, trucks or an air base are in {}", [About::To]);
            law.add(Term::bar(entering(&obstacles.prizes), prize));
        } else {
            law.add(Term::stop(entering(&obstacles.prizes), case("9.16b.b")));
        }
        law.add(Term::price(entering(&obstacles.interdicted), "interdiction", INTERDICTION, case("6.4a")));
        Some(law)
    }

    /// The movement points of a piece in the mode and supply that it is in (6.1b, 5.7a.c, 5.8a, 5.10b.c, 18.0a).
    pub(crate) fn allowance(&self, state: &State, unit: UnitId) -> Mp {
        let face = self.face(state, unit);
        let mut points = Mp::whole(u16::from(face.allowance));
        if state.marked(unit, Marks::STRATEGIC) {
            points = Factor::TWICE.of(points);
        }
        if state.marked(unit, Marks::RESERVE) {
            points = Factor::HALF.of(points);
        }
        if state.marked(unit, Marks::DG) {
            points = Factor::HALF.of(points);
        }
        let by = face.mobility as usize;
        if self.is_unit(unit) {
            points = self.charts.supply.levels[self.level(state, unit) as usize].allowance[by].of(points);
        }
        match self.terrain.weather(state.weather) {
            Some(row) => row.allowance[self.side(unit)][by].of(points),
            None => points,
        }
    }

    /// Whether a piece may move in this phase or segment (6.0a).
    pub(crate) fn may_move(&self, state: &State, movement: Movement, unit: UnitId) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("6.3b.a", counter.side == movement.side, "{} is the enemy's", unit);
        let Some(hex) = state.hex(unit) else { refuse!("6.0a", "{} is not on the map", unit) };
        match counter.kind {
            Kind::Unit | Kind::Hq => self.check_acts(state, unit, movement.phase)?,
            Kind::Transport { .. } => {
                let off = self.settings.is_off(Off::Transports);
                ensure!("12.2c.b", !off, "trucks and wagons do not move in this scenario");
                let now = movement.phase == Phase::Movement;
                ensure!("12.2c.b", now, "{} moves in the Movement Phase only", unit);
            }
            Kind::Air(_) | Kind::Ship(_) => refuse!("6.0a", "{} does not move on the ground", unit),
        }
        ensure!("6.1b", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        let fixed = self.fixed.iter().any(|(turn, units)| state.turn <= *turn && units.contains(unit));
        ensure!("6.0a", !fixed, "{} stays where it is by the special rules of the game", unit);
        let combat_hq = self.is_hq(unit) && !state.marked(unit, Marks::MOVE);
        ensure!("12.1a.b", !combat_hq, "{} is in Combat Mode and does not move", unit);
        ensure!("6.1c.b", self.face(state, unit).allowance > 0, "{} has no movement allowance", unit);
        let contact =
            state.marked(unit, Marks::STRATEGIC) && self.adjacent_to(state, hex, movement.side.enemy());
        ensure!("5.8b.a", !contact, "{} is in Strategic Move Mode next to an enemy", unit);
        Ok(())
    }

    /// A unit with truck MPs that has come next to an enemy halts there, unless a friend was in the hex (4.1c, 4.1i).
    pub(crate) fn halt_next_to_enemy(
        &self,
        state: &mut State,
        obstacles: &Obstacles,
        unit: UnitId,
        hex: Hex,
        play: &mut Play<Event>,
    ) {
        let halts = self.mobility(state, unit) == Mobility::Truck && obstacles.exposed.contains(hex);
        if halts {
            state.mark(unit, Marks::HALTED);
            play.tell(Event::Halted { unit });
        } else {
            state.unmark(unit, Marks::HALTED);
        }
    }

    /// A piece has ended its movement.
    pub(crate) fn halt(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.units.change(unit, |unit| {
            unit.left = Mp::ZERO;
            unit.marks.clear(Marks::HALTED);
            if unit.place.hex_of().is_some() {
                unit.marks.set(Marks::MOVED);
            }
        });
        self.end_movement(state, unit, play);
    }

    /// The way that a move takes a unit.
    pub(crate) fn route_of(&self, state: &State, action: Action) -> Option<Route> {
        let (unit, to, has) = match action {
            Action::Move { unit, to } => (unit, to, self.allowance(state, unit)),
            Action::Go { to } => {
                let moving = state.stack.top::<Moving>()?;
                (moving.units.first()?, to, moving.left(state))
            }
            _ => return None,
        };
        let from = state.hex(unit)?;
        let obstacles = Obstacles::new(self, state, acting(state).0);
        let law = self.law(state, &obstacles, self.mover(state, unit))?;
        with_reach(|reach| law.cheapest_route(reach, from, to, has))
    }
}

impl Place {
    fn hex_of(self) -> Option<Hex> {
        match self {
            Place::Hex(hex) => Some(hex),
            _ => None,
        }
    }
}
