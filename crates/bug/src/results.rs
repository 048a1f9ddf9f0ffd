//! 7.5.2: hits, losses and retreats.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::actions::subsets;
use crate::combat::Camp;
use crate::ground::Between;
use crate::sequence::not_asked;
use crate::{Action, Battle, Blow, Bug, CheckCause, Event, HexSet, Marks, Presence, Procedure, State, Units};

/// Extra losses of a unit whose forced retreat is impossible (7.5.2.1x).
const STUCK: u8 = 2;

/// Superiority from which AFV units need not take the first loss (7.5.2.1d).
const SUPERIOR: i8 = 2;

/// How far a retreat leads at most (7.5.2.1o).
const MOST_STEPS: u8 = 2;

phrases! {
    /// A side takes its hits; how many are left.
    pub struct Hits { side: Side, blow: Blow, left: u8 } = "hits", "7.5.2.1a", "{side} takes its hits";
}

impl Frame<Bug> for Hits {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        let prompt = match self.blow {
            Blow::Voluntary => remark!("7.5.2.1g", "choose units to retreat, or stand"),
            _ => remark!("7.5.2.1m", "choose the unit that loses a Strength Point"),
        };
        (self.side, prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        if self.blow == Blow::Voluntary {
            answers.extend(self.withdrawals(rules, state).map(|units| Action::Withdraw { units }));
            answers.push(Action::Stand);
        } else {
            answers.extend(self.losers(rules, state).iter().map(|unit| Action::Lose { unit }));
        }
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Withdraw { units } if self.blow == Blow::Voluntary => {
                self.check_withdraw(rules, state, units)
            }
            Action::Stand if self.blow == Blow::Voluntary => Ok(()),
            Action::Lose { unit } if self.blow != Blow::Voluntary => self.check_lose(rules, state, unit),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Lose { unit } => self.lose(rules, state, unit, play),
            Action::Withdraw { units } => {
                self.next(state, Blow::Second);
                rules.begin_retreat(state, units, false);
            }
            _ => self.next(state, Blow::Second),
        }
    }

    /// A single candidate takes the hit without asking.
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let Camp { hits, red, .. } = rules.camp(state, self.side);
        let losers = self.losers(rules, state);
        match (self.blow, losers.first()) {
            (Blow::First | Blow::Second | Blow::Further, Some(_)) if losers.len() > 1 => return true,
            (Blow::First | Blow::Second | Blow::Further, Some(unit)) => self.lose(rules, state, unit, play),
            (Blow::First, None) => self.next(state, Blow::Checks),
            (Blow::Checks, _) => {
                self.next(state, Blow::Forced);
                if red {
                    rules.begin_checks(state, CheckCause::Combat, self.involved(rules, state)); // 7.5.2.1e
                }
            }
            (Blow::Forced, _) => {
                self.next(state, Blow::Voluntary);
                let failed = self.involved(rules, state).filter(|unit| state.marked(unit, Marks::FAILED));
                // A red 0 or 1 forces nobody (7.5.2.1ab).
                if hits >= 2 {
                    rules.begin_retreat(state, failed, true);
                }
            }
            (Blow::Voluntary, _) if self.withdrawals(rules, state).next().is_some() => return true,
            (Blow::Voluntary, _) => self.next(state, Blow::Second),
            // All have left, or nobody is there: the second hit is satisfied (7.5.2.1j).
            (Blow::Second, None) => self.go_further(state, hits.saturating_sub(2)),
            (Blow::Further, None) => self.end(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        let attacker = around.below.iter().rev().find_map(|frame| match frame {
            Procedure::Battle(battle) => Some(battle.attacker(rules)),
            _ => None,
        });
        match around.on::<Hits>() {
            // The defender suffers first (7.5.2.1a).
            Some(others) => Some(others.side) == attacker && Some(self.side.enemy()) == attacker,
            None => around.on::<Battle>().is_some() && Some(self.side) == attacker,
        }
    }
}

impl Hits {
    /// The units of the side that are still there.
    fn involved(&self, rules: &Bug, state: &State) -> Units {
        rules.camp(state, self.side).units.filter(|unit| state.hex(unit).is_some())
    }

    /// Those that have not retreated.
    fn staying(&self, rules: &Bug, state: &State) -> Units {
        self.involved(rules, state).filter(|unit| !state.marked(unit, Marks::RETREATED))
    }

    fn next(&self, state: &mut State, blow: Blow) {
        state.stack.replace(Hits { blow, ..*self });
    }

    fn go_further(&self, state: &mut State, left: u8) {
        state.stack.replace(Hits { blow: Blow::Further, left, ..*self });
    }

    /// Who may take the next hit as a loss; nobody when none is due.
    fn losers(&self, rules: &Bug, state: &State) -> Units {
        let hits = rules.camp(state, self.side).hits;
        let even = |units: Units| {
            let least = units.iter().map(|unit| state.unit(unit).hits).min().unwrap_or(0);
            units.filter(|unit| state.unit(unit).hits == least)
        };
        match self.blow {
            Blow::First if hits >= 1 => self.first_losers(rules, state),
            Blow::Second if hits >= 2 => even(self.staying(rules, state)), // 7.5.2.1i
            Blow::Further if self.left > 0 => even(self.involved(rules, state)), // 7.5.2.1l
            _ => Units::EMPTY,
        }
    }

    /// The first loss falls on the unit that stood for armor (7.5.2.1c). With superior armor against no AFV the
    /// strongest other unit may take it instead (7.5.2.1d, R54).
    fn first_losers(&self, rules: &Bug, state: &State) -> Units {
        let units = self.involved(rules, state);
        let champion = rules.camp(state, self.side).champions.filter(|unit| units.contains(unit));
        if champion.is_empty() {
            return units;
        }
        if !self.is_spared(rules, state) {
            return champion;
        }
        let others = units.filter(|unit| !rules.is_afv(unit));
        let pool = if others.is_empty() { units } else { others };
        let most = pool.iter().map(|unit| state.unit(unit).strength).max().unwrap_or(0);
        let strongest = pool.filter(|unit| state.unit(unit).strength == most);
        if others.is_empty() { strongest } else { strongest.iter().chain(champion.iter()).collect() }
    }

    /// The side's armor is so superior that its AFV units need not take the first loss (7.5.2.1d).
    fn is_spared(&self, rules: &Bug, state: &State) -> bool {
        let Camp { superiority, enemies, .. } = rules.camp(state, self.side);
        superiority >= SUPERIOR && !enemies.iter().any(|unit| rules.is_afv(unit))
    }

    fn check_lose(&self, rules: &Bug, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("7.5.2.1m", self.involved(rules, state).contains(unit), "{} is not in the combat", unit);
        if self.losers(rules, state).contains(unit) {
            return Ok(());
        }
        match self.blow {
            Blow::First if self.is_spared(rules, state) => {
                refuse!(
                    "7.5.2.1d",
                    "the first loss falls on the strongest unit, or on the one that counted for Armor Superiority"
                )
            }
            Blow::First => {
                refuse!("7.5.2.1c", "the first loss falls on the unit that counted for Armor Superiority")
            }
            Blow::Second if state.marked(unit, Marks::RETREATED) => {
                refuse!("7.5.2.1i", "{} has retreated: those who stay take the second hit", unit)
            }
            _ => refuse!("7.5.2.1l", "{} has taken more hits than others", unit),
        }
    }

    /// A hit is taken as a loss, and the next step begins.
    fn lose(&self, rules: &Bug, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.change(unit, |unit| unit.hits += 1);
        rules.lose_strength(state, unit, play);
        match self.blow {
            Blow::First => self.next(state, Blow::Checks),
            Blow::Second => self.go_further(state, rules.camp(state, self.side).hits.saturating_sub(2)),
            _ => self.go_further(state, self.left.saturating_sub(1)),
        }
    }

    /// The side is through: an HQ left alone is displaced (7.5c, R77); after the attacker the battle is decided.
    fn end(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        let alone = rules.left_alone(state, self.side);
        if let Some(&battle) = state.stack.top::<Battle>() {
            battle.decide(rules, state, play);
        }
        for hq in alone.iter() {
            rules.begin_displacement(state, hq);
        }
    }

    // Voluntary retreats (7.5.2.1g).

    /// The groups that may retreat of their own will.
    fn withdrawals<'a>(&self, rules: &'a Bug, state: &'a State) -> impl Iterator<Item = Units> + 'a {
        let free = match rules.camp(state, self.side).hits {
            0 | 1 => Units::EMPTY,
            _ => self.staying(rules, state).filter(|unit| !state.marked(unit, Marks::FAILED)),
        };
        let presence = rules.presence(state);
        subsets(free).filter(move |units| rules.can_withdraw(state, &presence, *units))
    }

    fn check_withdraw(&self, rules: &Bug, state: &State, units: Units) -> Result<(), Violation> {
        let staying = self.staying(rules, state);
        ensure!("7.5.2.1g", !units.is_empty(), "nobody is named");
        for unit in units.iter() {
            ensure!("7.5.2.1g", staying.contains(unit), "{} is not there to retreat", unit);
            let failed = state.marked(unit, Marks::FAILED);
            ensure!("7.5.2.1x", !failed, "{} had to retreat and could not", unit);
        }
        let open = rules.can_withdraw(state, &rules.presence(state), units);
        ensure!("7.5.2.1u", open, "there is no hex to retreat to");
        Ok(())
    }
}

phrases! {
    /// Units retreat (7.5.2.1o to 7.5.2.1x).
    pub struct Retreat {
        units: Units,
        /// The hex of the combat.
        from: Hex,
        /// Hexes retreated so far.
        steps: u8,
        forced: bool,
    } = "retreat", "7.5.2.1o", "{units} retreat";
}

impl Frame<Bug> for Retreat {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        let prompt = match self.steps {
            0 => remark!("7.5.2.1o", "choose where to retreat"),
            _ => remark!("7.5.2.1o", "retreat another hex, or halt"),
        };
        (rules.side_of_all(self.units), prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        if let Some(group) = self.group(state) {
            let hexes = self.hexes(rules, state, &rules.presence(state), group);
            answers.extend(hexes.iter().map(|hex| Action::Retreat { hex }));
        }
        if self.steps > 0 {
            answers.push(Action::Halt);
        }
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Retreat { hex } => self.check_hex(rules, state, hex),
            Action::Halt => {
                ensure!("7.5.2.1o", self.steps > 0, "a retreat leads at least one hex");
                Ok(())
            }
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Retreat { hex } => self.step(rules, state, hex, play),
            _ => self.go_so_far(state, MOST_STEPS),
        }
    }

    /// The owner chooses a hex while there is one and the group may go on.
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let group = self.group(state).filter(|_| self.steps < MOST_STEPS);
        let Some((units, at)) = group else {
            self.end(rules, state, play);
            return false;
        };
        if !self.hexes(rules, state, &rules.presence(state), (units, at)).is_empty() {
            return true;
        }
        if self.steps == 0 {
            state.stack.pop();
            rules.stay_stuck(state, units, at, play);
        } else {
            self.end(rules, state, play);
        }
        false
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        (!around.above.is_empty() || rules.stand_together(state, self.units))
            && self.steps <= MOST_STEPS
            && around.on::<Hits>().is_some()
    }
}

impl Retreat {
    /// Those who are still there, and where they are.
    fn group(&self, state: &State) -> Option<(Units, Hex)> {
        let there = self.units.filter(|unit| state.hex(unit).is_some());
        Some((there, state.hex(there.first()?)?))
    }

    /// The hex of the combat, once the group has left it (R82).
    fn left(&self) -> Option<Hex> {
        (self.steps > 0).then_some(self.from)
    }

    fn hexes(&self, rules: &Bug, state: &State, presence: &Presence, (units, at): (Units, Hex)) -> HexSet {
        rules.retreat_hexes(state, presence, units, at, self.left(), self.forced)
    }

    fn check_hex(&self, rules: &Bug, state: &State, to: Hex) -> Result<(), Violation> {
        let Some((units, at)) = self.group(state) else { refuse!("7.5.2.1o", "nobody retreats") };
        let presence = rules.presence(state);
        let refuge = rules.check_refuge(state, &presence, units, at, to, self.left())?;
        let offered = self.hexes(rules, state, &presence, (units, at));
        if offered.contains(to) {
            return Ok(());
        }
        let best =
            offered.first().map(|hex| rules.check_refuge(state, &presence, units, at, hex, self.left()));
        let best = best.and_then(Result::ok).unwrap_or(Refuge { full: true, watched: false });
        ensure!("7.5.2.1q", !refuge.full || best.full, "{} is full, and another hex is not", to);
        ensure!("5.4.1f", !refuge.watched || best.watched, "{} is in an enemy zone of control", to);
        refuse!("7.5.2.1s", "another hex is nearer to a friendly supply area than {}", to)
    }

    /// Retreats a hex: a forced retreat into a zone of control costs each unit a point and ends there (7.5.2.1w); so does
    /// overstacking end it (7.5.2.1q), and what slows motorized units (7.5.2.1p).
    fn step(&self, rules: &Bug, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let Some((units, at)) = self.group(state) else { return };
        let Some(dir) = rules.map.grid().dir_between(at, to) else { return };
        let side = rules.side_of_all(units);
        let watched = rules.presence(state).in_ezoc(side, to);
        let slow = rules.slows_retreat(units, at, dir, to);
        let before = units.filter(|unit| rules.is_seen(state, unit));
        rules.put_all(state, units, to, play);
        for unit in units.iter() {
            let seen = before.contains(unit) || rules.is_seen(state, unit);
            play.tell_of(side, seen, Event::Retreated { unit: unit.into(), from: at, to });
            state.mark(unit, Marks::RETREATED);
        }
        if self.steps == 0 {
            rules.end_improvement(state, at, play); // 7.7d
        }
        if watched {
            units.iter().for_each(|unit| rules.lose_strength(state, unit, play));
        }
        let full = rules.is_overstacked(state, to);
        let over = watched || slow || full;
        self.go_so_far(state, if over { MOST_STEPS } else { self.steps + 1 });
        if full {
            rules.begin_overstacking(state, to, play);
        }
        let swamped = rules.swamped(units, at, to).filter(|unit| state.hex(unit) == Some(to));
        rules.begin_checks(state, CheckCause::Marsh, swamped);
    }

    fn go_so_far(&self, state: &mut State, steps: u8) {
        state.stack.replace(Retreat { steps, ..*self });
    }

    /// Whoever ends a retreat in a hex ends its Improved Defense (7.7f).
    fn end(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        if let Some((_, hex)) = self.group(state) {
            rules.end_improvement(state, hex, play);
        }
    }
}

/// What a hex is worth to a retreat; the lesser is the better. Stacking limits hold at any moment of it, so that a full hex is no
/// other hex that is available (7.5.2.1q, 7.5.2.1w, R61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Refuge {
    full: bool,
    /// In an enemy zone of control.
    watched: bool,
}

impl Bug {
    fn can_withdraw(&self, state: &State, presence: &Presence, units: Units) -> bool {
        let at = units.first().and_then(|unit| state.hex(unit));
        at.is_some_and(|at| !self.retreat_hexes(state, presence, units, at, None, false).is_empty())
    }

    fn begin_retreat(&self, state: &mut State, units: Units, forced: bool) {
        if let Some(from) = units.first().and_then(|unit| state.hex(unit)) {
            state.stack.push(Retreat { units, from, steps: 0, forced });
        }
    }

    /// Where a group may retreat from a hex: of the best class of hexes those nearest to a supply area (R60, R61).
    /// `left` is the hex of the combat, once the group has left it (R82).
    pub(crate) fn retreat_hexes(
        &self,
        state: &State,
        presence: &Presence,
        units: Units,
        at: Hex,
        left: Option<Hex>,
        forced: bool,
    ) -> HexSet {
        let side = self.side_of_all(units);
        let mut best = (None, HexSet::EMPTY);
        for (_, to) in self.map.neighbours(at) {
            let Ok(refuge) = self.check_refuge(state, presence, units, at, to, left) else { continue };
            if refuge.watched && !(forced && left.is_none()) {
                continue;
            }
            if best.0.is_none_or(|known| refuge < known) {
                best = (Some(refuge), HexSet::EMPTY);
            }
            if best.0 == Some(refuge) {
                best.1.insert(to);
            }
        }
        let best = best.1;
        let nearest = best.iter().map(|hex| self.ground.to_source(side, hex)).min();
        best.iter().filter(|hex| Some(self.ground.to_source(side, *hex)) == nearest).collect()
    }

    /// What sort of refuge a hex is, if a retreat may enter it at all.
    fn check_refuge(
        &self,
        state: &State,
        presence: &Presence,
        units: Units,
        at: Hex,
        to: Hex,
        left: Option<Hex>,
    ) -> Result<Refuge, Violation> {
        let side = self.side_of_all(units);
        let Some(dir) = self.map.grid().dir_between(at, to) else {
            refuse!("7.5.2.1o", "{} is not adjacent to {}", to, at)
        };
        ensure!("7.5.2.1t", self.ground.land.contains(to), "{} is off the map", to);
        ensure!("7.5.2.1t", !presence.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
        ensure!(
            "7.5.2.1t",
            self.is_passable(state, at, dir, to),
            "a lake or the Bug lies between {} and {}",
            at,
            to
        );
        ensure!("7.5.2.1o", left != Some(to), "{} is the hex that was left", to);
        if left.is_some() {
            let slow = self.slows_retreat(units, at, dir, to);
            ensure!("7.5.2.1p", !slow, "motorized units retreat only one hex into {}", to);
        }
        Ok(Refuge { full: !self.has_room(state, units, to), watched: presence.in_ezoc(side, to) })
    }

    /// A step after which, and before which, motorized units retreat no further: an unbridged stream, forest or marsh
    /// (7.5.2.1p).
    fn slows_retreat(&self, units: Units, at: Hex, dir: board::Dir, to: Hex) -> bool {
        let slow = self.ground.between(at, dir) == Between::Stream || self.ground.rough.contains(to);
        slow && units.iter().any(|unit| !self.is_leg(unit))
    }

    /// Whoever must retreat and cannot loses two points besides (7.5.2.1x).
    fn stay_stuck(&self, state: &mut State, units: Units, hex: Hex, play: &mut Play<Event>) {
        for unit in units.iter() {
            let seen = self.is_seen(state, unit);
            play.tell_of(self.side(unit), seen, Event::Stuck { unit: unit.into(), hex });
            for _ in 0..STUCK {
                self.lose_strength(state, unit, play);
            }
        }
    }
}
