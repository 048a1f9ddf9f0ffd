//! 10.3: overruns.

use arrayvec::ArrayVec;
use board::{Hex, Mp};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::combat::Stage;
use crate::movement::{Obstacles, led_from, movement_phase, step_cost};
use crate::sequence::acting_side;
use crate::supply::SupplyMap;
use crate::ways::with_ways;
use crate::zoc::Position;
use crate::{
    Action, Arm, Battle, Bite, Event, HexSet, Hexes, Level, MAX_UNITS, Moving, Parts, Procedure, Reach,
    State, Units,
};

/// What an attempt costs beside entering the hex (10.3a1).
const ATTEMPT: Mp = Mp::whole(2);

impl Bite {
    /// Whether a unit may overrun at all in this phase (10.3a3, 10.3b).
    pub(crate) fn check_overruns(
        &self,
        state: &State,
        unit: UnitId,
        mechanized: bool,
    ) -> Result<(), Violation> {
        ensure!("10.3a3", self.can_attack(state, unit), "{} has no attack strength", unit);
        let counter = self.counter(unit);
        let train = counter.arm == Arm::ArmoredTrain && self.settings.special.rail_bound;
        ensure!("rad.22.4b", !train, "{} keeps to the rails and does not overrun", unit);
        ensure!("uma.22.6b", !counter.local, "{} never overruns", unit);
        if mechanized {
            ensure!("10.3b2", counter.arm != Arm::Cavalry, "{} is cavalry and does not overrun now", unit);
            let fast = counter.is_armor() || matches!(counter.arm, Arm::Mechanized | Arm::Motorized);
            ensure!("10.3b1", fast, "{} is neither armor nor mechanized nor motorized", unit);
        }
        Ok(())
    }

    /// Whether a hex can be overrun by anybody (10.3c1).
    fn check_overrun_hex(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        ensure!("10.3x2", self.holder(state, hex) == Some(side.enemy()), "no enemy unit is in {}", hex);
        let open = !self.ground.no_overrun.contains(hex) && self.fortress(state, hex).is_none();
        ensure!("10.3c1", open, "the terrain of {} forbids an overrun", hex);
        ensure!("10.3c1", self.fort_in(state, hex).is_none(), "there is a field fort in {}", hex);
        Ok(())
    }
}

impl Moving {
    /// All overruns that can be made from here, or after a way past no other enemy (R28).
    pub(crate) fn overruns(&self, rules: &Bite, state: &State, reach: &mut Reach, answers: &mut Vec<Action>) {
        let Some(at) = self.hex(state) else { return };
        let left = self.left(state);
        if left <= ATTEMPT || self.check_overrunners(rules, state).is_err() {
            return;
        }
        let (known, side) = (rules.known(state), self.side(rules));
        let near = |hex: &Hex| rules.map.grid().distance(at, *hex) <= u32::from(left.floor()) * 2;
        for hex in known.held[side.enemy()].iter().filter(near) {
            if rules.check_overrun_hex(state, side, hex).is_err() {
                continue;
            }
            let others = rules.zone_without(state, &known, side.enemy(), hex);
            let sites = || rules.map.neighbours(hex).map(|(_, from)| from);
            let fits = |from: &Hex| check_site(rules, &others, (at, *from, hex)).is_ok();
            if !sites().any(|from| fits(&from)) {
                continue;
            }
            let assault = Assault::new(rules, state, &known, self, hex);
            for from in sites().filter(fits) {
                if self.check_coming(rules, state, &assault, (at, from), reach).is_ok() {
                    answers.push(Action::Overrun { from, hex });
                }
            }
        }
    }

    /// Who overruns: all in Attack supply when they began, none after a disengagement (10.3d1, 10.3e1).
    fn check_overrunners(&self, rules: &Bite, state: &State) -> Result<(), Violation> {
        let Some(phase) = movement_phase(state) else {
            refuse!("10.3x1", "overruns are made in movement phases")
        };
        for unit in self.units.iter() {
            rules.check_overruns(state, unit, phase.mechanized)?;
            ensure!(
                "10.3d1",
                self.ready.contains(unit),
                "{} was not in Attack supply when it began to move",
                unit
            );
        }
        ensure!("10.3e1", !self.disengaged, "they have disengaged in this move");
        rules.check_caution(self.units)?;
        rules.check_apart(self.units)
    }

    /// Whether they can come to a hex and overrun another from it: ways, points, supply (10.3a1, 10.3c2, 10.3d2, 10.3g2).
    fn check_approach(
        &self,
        rules: &Bite,
        state: &State,
        (from, hex): (Hex, Hex),
        reach: &mut Reach,
    ) -> Result<(), Violation> {
        let Some(at) = self.hex(state) else { refuse!("3.1a", "they are not on the map") };
        let known = rules.known(state);
        let others = rules.zone_without(state, &known, self.side(rules).enemy(), hex);
        check_site(rules, &others, (at, from, hex))?;
        self.check_coming(rules, state, &Assault::new(rules, state, &known, self, hex), (at, from), reach)
    }

    /// Whether their points and their supply last to that hex and for the attempt.
    fn check_coming(
        &self,
        rules: &Bite,
        state: &State,
        assault: &Assault,
        (at, from): (Hex, Hex),
        reach: &mut Reach,
    ) -> Result<(), Violation> {
        for (unit, cost) in self.overrun_costs(rules, state, assault, (at, from), reach)? {
            let left = state.units[unit].left;
            ensure!(
                "10.3a1",
                cost <= left,
                "{} needs {} MP for the overrun of {} and has {}",
                unit,
                cost,
                assault.hex,
                left
            );
        }
        let supply = self.supply_from(rules, state, (at, from));
        for unit in self.units.iter() {
            let level = rules.level_in(state, &supply, unit, from).0;
            ensure!("10.3d2", level == Level::Attack, "{} is not in Attack supply in {}", unit, from);
        }
        Ok(())
    }

    /// What each unit pays for the way and the attempt (R32).
    fn overrun_costs(
        &self,
        rules: &Bite,
        state: &State,
        assault: &Assault,
        (at, from): (Hex, Hex),
        reach: &mut Reach,
    ) -> Result<ArrayVec<(UnitId, Mp), MAX_UNITS>, Violation> {
        let mut way_cost = Mp::ZERO;
        if at != from {
            let Some(mover) = self.mover(rules) else {
                refuse!("10.1x1", "units that pay differently go hex by hex together")
            };
            assault.way.spread(rules, state, mover, (at, self.left(state)), reach);
            let Some(cost) = reach.cost(from) else {
                refuse!("10.3e2", "no way leads to {} past others", from)
            };
            way_cost = cost;
        }
        let mut costs = ArrayVec::new();
        for unit in self.units.iter() {
            let law = assault.entry.law(rules, state, rules.mover(unit));
            law.check(from, assault.hex)?;
            let Some(cost) = step_cost(&law, from, assault.hex) else {
                refuse!("10.3c1", "{} cannot be entered", assault.hex)
            };
            costs.push((unit, way_cost + cost + ATTEMPT));
        }
        Ok(costs)
    }

    /// Where supply reaches once they stand in the hex that they overrun from.
    fn supply_from(&self, rules: &Bite, state: &State, (at, from): (Hex, Hex)) -> SupplyMap {
        let side = self.side(rules);
        let mut then: Position = **rules.known(state);
        let rest = || state.units.in_hex(at).filter(|unit| !self.units.contains(*unit));
        if rest().next().is_none() {
            then.held[side].remove(at);
        }
        if !rest().any(|unit| rules.can_attack(state, unit)) {
            then.armed[side].remove(at);
        }
        then.held[side].insert(from);
        then.armed[side].insert(from);
        SupplyMap::of(rules, state, &then, side)
    }

    pub(crate) fn check_overrun(
        &self,
        rules: &Bite,
        state: &State,
        from: Hex,
        hex: Hex,
    ) -> Result<(), Violation> {
        self.check_overrunners(rules, state)?;
        rules.check_overrun_hex(state, self.side(rules), hex)?;
        with_ways(rules, state, self.side(rules), |ways| {
            self.check_approach(rules, state, (from, hex), &mut ways.reach)
        })
    }

    /// Comes up, pays, and attacks (10.3a1).
    pub(crate) fn overrun(
        &self,
        rules: &Bite,
        state: &mut State,
        (from, hex): (Hex, Hex),
        play: &mut Play<Event>,
    ) {
        let Some(at) = self.hex(state) else { return };
        let found = with_ways(rules, state, self.side(rules), |ways| {
            let assault = Assault::new(rules, state, &rules.known(state), self, hex);
            let costs = self.overrun_costs(rules, state, &assault, (at, from), &mut ways.reach).ok()?;
            let path = if at == from { vec![at] } else { led_from(at, ways.reach.path(from)?) };
            Some((path, costs))
        });
        let Some((path, costs)) = found else { return };
        self.walk(rules, state, &path, &costs, play);
        play.tell(Event::Overran { units: self.units, hex });
        let battle = Battle::of(self.side(rules), Hexes::of(hex), self.units, true);
        battle.begin(rules, state, play);
    }
}

/// What stands in the way of an overrun.
struct Assault {
    hex: Hex,
    /// On the way up to it.
    way: Obstacles,
    /// At its edge.
    entry: Obstacles,
}

impl Assault {
    fn new(rules: &Bite, state: &State, position: &Position, moving: &Moving, hex: Hex) -> Assault {
        let way = Obstacles::new(rules, state, position, moving, Some(hex));
        let entry = way.clone().opened(hex);
        Assault { hex, way, entry }
    }
}

/// Whether a hex can be overrun from another, by units that are in a third now; `others` is the zone of control of all
/// enemies that are not overrun (10.3c2, 10.3g2).
fn check_site(rules: &Bite, others: &HexSet, (at, from, hex): (Hex, Hex, Hex)) -> Result<(), Violation> {
    let near = rules.map.grid().adjacent(from, hex) && rules.ground.open_sides.between(from, hex);
    ensure!("10.3a2", near, "{} is not next to {}", from, hex);
    ensure!("10.3c2", !rules.ground.is_major(&rules.map, from, hex), "a major river lies before {}", hex);
    ensure!("10.3g2", !others.contains(from), "{} is in the zone of control of others", from);
    ensure!("10.3g2", !others.contains(at), "{} is in the zone of control of others", at);
    Ok(())
}

phrases! {
    /// At least one of those who overran occupies the hex (10.3i3).
    pub struct Occupy { hex: board::Hex, entered: Units } = "occupy", "10.3i3", "{hex} is to be occupied";
}

impl Frame<Bite> for Occupy {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("10.3i3", "occupy {} with one unit at least", self.hex))
    }

    fn answers(&self, _: &Bite, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.rest(state).iter().map(|unit| Action::Occupy { unit }));
        if !self.entered.is_empty() {
            answers.push(Action::Halt);
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Occupy { unit } => {
                let from = state.hex(unit);
                rules.put(state, unit, self.hex, play);
                state.units.change(unit, |unit| unit.left = Mp::ZERO);
                play.tell(Event::Occupied { unit, hex: self.hex });
                if let Some(from) = from {
                    rules.lift_fort(state, from, play);
                }
                if let Some(occupy) = state.stack.top_mut::<Occupy>() {
                    occupy.entered.insert(unit);
                }
            }
            _ => self.end(state),
        }
    }

    /// Where nobody is left, or only one who must go in, nobody is asked.
    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let rest = self.rest(state);
        match rest.first() {
            None => self.end(state),
            Some(unit) if self.entered.is_empty() && rest.len() == 1 => {
                self.apply(rules, state, Action::Occupy { unit }, play);
            }
            Some(_) => return true,
        }
        false
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Moving>().is_some() && around.above.is_empty()
    }
}

impl Occupy {
    fn rest(&self, state: &State) -> Units {
        let moving = state.stack.find::<Moving>().map(|moving| moving.units).unwrap_or_default();
        moving.filter(|unit| !self.entered.contains(unit) && state.hex(unit).is_some())
    }

    /// The others may go on, one part after the other (10.3i4).
    fn end(&self, state: &mut State) {
        let rest = self.rest(state);
        let ready = state.stack.find::<Moving>().map(|moving| moving.ready).unwrap_or_default();
        state.stack.pop();
        state.stack.pop();
        if !rest.is_empty() {
            state.stack.push(Parts { units: rest, ready, hex: self.hex });
        }
    }
}

/// What comes of an overrun once its result is carried out (10.3i, 10.3l).
pub(crate) fn finish(rules: &Bite, state: &mut State, battle: &Battle, play: &mut Play<Event>) {
    let Some(hex) = battle.targets.first() else { return };
    let left = battle.attackers.filter(|unit| state.hex(unit).is_some());
    let halted = battle.stage == Stage::Halted || battle.attacker_hit();
    if left.is_empty() || halted {
        for unit in left.iter() {
            state.units.change(unit, |unit| unit.left = Mp::ZERO);
        }
        if halted && !left.is_empty() {
            play.tell(Event::Halted { units: left });
        }
        state.stack.pop_if::<Moving>();
        return;
    }
    if let Some(moving) = state.stack.top_mut::<Moving>() {
        moving.units = left;
    }
    let emptied = rules.holder(state, hex).is_none();
    if emptied {
        state.stack.push(Occupy { hex, entered: Units::EMPTY });
    }
}
