//! 12.7: advance after combat.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::combat::Stage;
use crate::results::trails_from;
use crate::sequence::not_asked;
use crate::{Action, Battle, Bite, Event, HexSet, Marks, Procedure, State, Units};

phrases! {
    /// The victors may advance.
    pub struct Advance {
        /// It is the defender who may.
        defender: bool,
    } = "advance", "12.7x2", "the victors may advance";
}

impl Frame<Bite> for Advance {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        let side = state.battle().map_or(Side::Axis, |battle| battle.side);
        (if self.defender { side.enemy() } else { side }, remark!("12.7c", "advance, or halt"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        self.advances(rules, state, answers);
        answers.push(Action::Halt);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Advance { unit, hex } => self.check_advance(rules, state, unit, hex),
            Action::Halt => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Advance { unit, hex } => self.advance(rules, state, unit, hex, play),
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Bite, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut advances = Vec::new();
        self.advances(rules, state, &mut advances);
        if advances.is_empty() {
            state.stack.pop();
        }
        !advances.is_empty()
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.stage == Stage::Over && !battle.overrun)
            && around.above.is_empty()
    }
}

impl Advance {
    /// Offers an advance to whoever may make one; not after an overrun and not after ENG (12.7x3, R87).
    pub(crate) fn offer(rules: &Bite, state: &mut State) {
        let Some(battle) = state.battle() else { return };
        if battle.overrun || battle.result.engaged {
            return;
        }
        let emptied = battle.targets.iter().any(|hex| rules.holder(state, hex).is_none());
        let [attacker, defender] = battle.result.parts;
        if emptied {
            state.stack.push(Advance { defender: false });
        } else if !attacker.is_nothing() && defender.is_nothing() {
            // Only when the result was the attacker's alone (12.7a2).
            state.stack.push(Advance { defender: true });
        }
    }

    fn force(&self, battle: &Battle) -> Units {
        if self.defender { battle.defenders } else { battle.attackers }
    }

    /// The hexes that an advance can begin with: attacked hexes, or those that attackers came from, now empty.
    fn emptied(&self, state: &State, battle: &Battle) -> HexSet {
        let hexes = if self.defender { battle.origins } else { battle.targets };
        // What other victors have entered is still open to more of them.
        let open = |hex: &Hex| {
            let mut there = state.units.in_hex(*hex);
            there.all(|unit| battle.advanced.contains(unit) && self.force(battle).contains(unit))
        };
        hexes.iter().filter(open).collect()
    }

    fn advances(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        let emptied = self.emptied(state, battle);
        let mut near = emptied;
        for hex in emptied.iter() {
            trails_from(state, hex).for_each(|trail| near.extend(trail.iter()));
            near.extend(rules.map.neighbours(hex).map(|(_, near)| near));
        }
        for unit in self.force(battle).iter() {
            for hex in near.iter().filter(|hex| self.check_advance(rules, state, unit, *hex).is_ok()) {
                answers.push(Action::Advance { unit, hex });
            }
        }
    }

    fn check_advance(&self, rules: &Bite, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let Some(battle) = state.battle() else { return Err(not_asked(state)) };
        ensure!("12.2b2", self.force(battle).contains(unit), "{} has no part in this combat", unit);
        let Some(from) = state.hex(unit) else { refuse!("12.7x2", "{} is not on the map", unit) };
        ensure!("12.7j", rules.counter(unit).allowance > 0, "{} cannot move", unit);
        ensure!("12.7k", !battle.retreated.contains(unit), "{} has retreated", unit);
        ensure!("12.7e", !battle.advanced.contains(unit), "{} has advanced", unit);
        ensure!(
            "12.7g",
            self.way(rules, state, battle, unit, (from, hex)).is_some(),
            "{} lies on no way that {} may take",
            hex,
            unit
        );
        ensure!("12.7j", rules.has_room(state, hex, Units::of(unit)), "{} would be too full", hex);
        Ok(())
    }

    /// The hexes of an advance to a hex, along one path of retreat or, where all were eliminated, one beyond (12.7g, 12.7h).
    fn way(
        &self,
        rules: &Bite,
        state: &State,
        battle: &Battle,
        unit: UnitId,
        (from, to): (Hex, Hex),
    ) -> Option<Vec<Hex>> {
        let emptied = self.emptied(state, battle);
        let adjacent = |hex: Hex| rules.map.grid().adjacent(from, hex);
        for first in emptied.iter().filter(|hex| adjacent(*hex)) {
            if !rules.may_advance_into(state, unit, (from, first)) {
                continue;
            }
            if first == to {
                return Some(vec![first]);
            }
            if rules.ends_advance(state, from, first) {
                continue;
            }
            let mut trails = trails_from(state, first).peekable();
            if trails.peek().is_none() {
                if self.may_go_beyond(rules, state, unit, (first, to)) {
                    return Some(vec![first, to]);
                }
                continue;
            }
            let found =
                trails.find_map(|trail| self.along(rules, state, battle, unit, (trail.as_slice(), to)));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Along a path of retreat, as far as it is empty and nothing stops the unit (12.7i).
    fn along(
        &self,
        rules: &Bite,
        state: &State,
        battle: &Battle,
        unit: UnitId,
        (trail, to): (&[Hex], Hex),
    ) -> Option<Vec<Hex>> {
        let mut way = vec![*trail.first()?];
        for step in trail.windows(2) {
            let (from, next) = (step[0], step[1]);
            let free = state.units.in_hex(next).all(|other| battle.advanced.contains(other));
            if !free || !rules.may_advance_into(state, unit, (from, next)) {
                return None;
            }
            way.push(next);
            if next == to {
                return Some(way);
            }
            if rules.ends_advance(state, from, next) {
                return None;
            }
        }
        None
    }

    /// Mobile attackers go on to any empty hex after the elimination of all defenders (12.7h2).
    fn may_go_beyond(&self, rules: &Bite, state: &State, unit: UnitId, (first, to): (Hex, Hex)) -> bool {
        let battle = state.battle();
        let empty =
            state.units.in_hex(to).all(|other| battle.is_some_and(|battle| battle.advanced.contains(other)));
        !self.defender
            && !battle.is_some_and(Battle::is_walkover)
            && rules.counter(unit).is_mobile()
            && rules.map.grid().adjacent(first, to)
            && empty
            && rules.may_advance_into(state, unit, (first, to))
    }

    fn advance(&self, rules: &Bite, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let Some(battle) = state.battle().copied() else { return };
        let Some(from) = state.hex(unit) else { return };
        let Some(way) = self.way(rules, state, &battle, unit, (from, hex)) else { return };
        for step in way {
            rules.put(state, unit, step, play);
        }
        play.tell(Event::Advanced { unit, hex });
        state.mark(unit, Marks::ADVANCED);
        // Whoever enters the hex of defenders without strength may attack from there at once (12.1d2).
        if battle.is_walkover() && !self.defender {
            state.mark(unit, Marks::AGAIN);
        }
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.advanced.insert(unit);
        }
    }
}

impl Bite {
    /// Whether a unit may go from one hex to the next in an advance, whatever zones of control there are (12.7f, R74).
    fn may_advance_into(&self, state: &State, unit: UnitId, (from, to): (Hex, Hex)) -> bool {
        let ground = &self.ground;
        let swamp = self.is_heavy(unit)
            && ground.not_for_heavy.contains(to)
            && !ground.has_crossing(state.demolished, from, to);
        let off_rail = self.is_train(unit)
            && (!ground.rail_sides.between(from, to) || ground.blown(state.demolished).between(from, to));
        ground.land.contains(to)
            && ground.open_sides.between(from, to)
            && !self.barred(self.side(unit)).contains(to)
            && !swamp
            && !off_rail
    }

    /// An advance ends in swamps and fortifications, and beyond a major river (12.7i).
    fn ends_advance(&self, state: &State, from: Hex, to: Hex) -> bool {
        self.ground.stops_advance.contains(to)
            || self.fortress(state, to).is_some()
            || self.fort_in(state, to).is_some()
            || self.ground.is_major(&self.map, from, to)
    }
}
