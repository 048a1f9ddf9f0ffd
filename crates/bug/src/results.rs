//! 7.5.2: hits, losses and retreats.

use board::Hex;
use engine::{Force, Play, Side, UnitId, Violation, ensure, refuse};

use crate::actions::subsets;
use crate::ground::{Between, Gait};
use crate::{Action, Battle, Blow, Bug, Event, HexSet, Marks, Position, Procedure, State, Trial};

/// Extra losses of a unit whose forced retreat is impossible (7.5.2.1x).
const STUCK: u8 = 2;

/// Superiority from which AFV units need not take the first loss (7.5.2.1d).
const SUPERIOR: i8 = 2;

impl Bug {
    /// The units of a side in the combat that are still there.
    fn involved(&self, state: &State, side: Side) -> Force {
        let Some(battle @ Battle::Attack { attackers, defenders, .. }) = &state.battle else {
            return Force::EMPTY;
        };
        let units = if side == self.attacking_side(battle) { attackers } else { defenders };
        units.filter(|unit| state.hex(unit).is_some())
    }

    /// Those that have not retreated.
    fn staying(&self, state: &State, side: Side) -> Force {
        self.involved(state, side).filter(|unit| !state.marked(unit, Marks::RETREATED))
    }

    /// The number of a side's hits, and whether it is printed in red.
    fn hits(&self, state: &State, side: Side) -> (u8, bool) {
        match &state.battle {
            Some(
                battle @ Battle::Attack { attacker_hits, attacker_red, defender_hits, defender_red, .. },
            ) => {
                if side == self.attacking_side(battle) {
                    (*attacker_hits, *attacker_red)
                } else {
                    (*defender_hits, *defender_red)
                }
            }
            None => (0, false),
        }
    }

    /// Goes on with a side's hits; true when its owner must decide.
    pub(crate) fn go_on_hits(
        &self,
        state: &mut State,
        side: Side,
        blow: Blow,
        left: u8,
        play: &mut Play<Event>,
    ) -> bool {
        let (hits, red) = self.hits(state, side);
        let losers = self.next_losers(state, side, blow, left);
        match blow {
            Blow::First | Blow::Second | Blow::Further if losers.len() > 1 => return true,
            Blow::First | Blow::Second | Blow::Further if !losers.is_empty() => {
                self.take_hit(state, losers, play);
            }
            Blow::First => self.next_blow(state, Blow::Checks, left),
            Blow::Checks => {
                self.next_blow(state, Blow::Forced, left);
                if red {
                    let units = self.involved(state, side);
                    self.begin_checks(state, Trial::Combat, units); // 7.5.2.1e
                }
            }
            Blow::Forced => {
                self.next_blow(state, Blow::Voluntary, left);
                let failed = self.involved(state, side).filter(|unit| state.marked(unit, Marks::FAILED));
                // A red 0 or 1 forces nobody (7.5.2.1ab).
                if hits >= 2 {
                    self.begin_retreat(state, failed, true);
                }
            }
            Blow::Voluntary => {
                if !self.withdrawals(state, side).is_empty() {
                    return true;
                }
                self.next_blow(state, Blow::Second, left);
            }
            // All have left, or nobody is there: the second hit is satisfied (7.5.2.1j).
            Blow::Second => self.next_blow(state, Blow::Further, hits.saturating_sub(2)),
            Blow::Further => {
                state.stack.pop();
                self.end_hits(state, side, play);
            }
        }
        false
    }

    fn next_blow(&self, state: &mut State, next: Blow, rest: u8) {
        if let Some(Procedure::Hits { blow, left, .. }) = state.stack.last_mut() {
            (*blow, *left) = (next, rest);
        }
    }

    /// Who may take the next hit as a loss; nobody when none is due.
    pub(crate) fn next_losers(&self, state: &State, side: Side, blow: Blow, left: u8) -> Force {
        let (hits, _) = self.hits(state, side);
        let even = |units: Force| {
            let least = units.iter().map(|unit| state.unit(unit).hits).min().unwrap_or(0);
            units.filter(|unit| state.unit(unit).hits == least)
        };
        match blow {
            Blow::First if hits >= 1 => self.first_losers(state, side),
            Blow::Second if hits >= 2 => even(self.staying(state, side)), // 7.5.2.1i
            Blow::Further if left > 0 => even(self.involved(state, side)), // 7.5.2.1l
            _ => Force::EMPTY,
        }
    }

    /// The first loss falls on the unit that stood for armor (7.5.2.1c). With superior armor against no AFV the
    /// strongest other unit may take it instead (7.5.2.1d, R54).
    fn first_losers(&self, state: &State, side: Side) -> Force {
        let units = self.involved(state, side);
        let champion = self.champions(state, side).filter(|unit| units.contains(unit));
        if champion.is_empty() {
            return units;
        }
        if !self.is_spared(state, side) {
            return champion;
        }
        let others = units.filter(|unit| !self.is_afv(unit));
        let pool = if others.is_empty() { units } else { others };
        let most = pool.iter().map(|unit| state.unit(unit).strength).max().unwrap_or(0);
        let strongest = pool.filter(|unit| state.unit(unit).strength == most);
        if others.is_empty() { strongest } else { strongest.iter().chain(champion.iter()).collect() }
    }

    /// A side's armor is so superior that its AFV units need not take the first loss (7.5.2.1d).
    fn is_spared(&self, state: &State, side: Side) -> bool {
        let Some(battle @ Battle::Attack { armor, attackers, defenders, .. }) = &state.battle else {
            return false;
        };
        let attacks = side == self.attacking_side(battle);
        let (favour, enemies) = if attacks { (*armor, defenders) } else { (-*armor, attackers) };
        favour >= SUPERIOR && !enemies.iter().any(|unit| self.is_afv(unit))
    }

    /// A single candidate takes the hit without asking.
    fn take_hit(&self, state: &mut State, losers: Force, play: &mut Play<Event>) {
        if let Some(unit) = losers.first() {
            self.lose(state, unit, play);
        }
    }

    pub(crate) fn check_lose(
        &self,
        state: &State,
        side: Side,
        blow: Blow,
        left: u8,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("7.5.2.1m", self.involved(state, side).contains(unit), "{} is not in the combat", unit);
        if self.next_losers(state, side, blow, left).contains(unit) {
            return Ok(());
        }
        match blow {
            Blow::First if self.is_spared(state, side) => {
                refuse!(
                    "7.5.2.1d",
                    "the first loss falls on the strongest unit, or on the one that stood for armor"
                )
            }
            Blow::First => refuse!("7.5.2.1c", "the first loss falls on the unit that stood for armor"),
            Blow::Second if state.marked(unit, Marks::RETREATED) => {
                refuse!("7.5.2.1i", "{} has retreated: those who stay take the second hit", unit)
            }
            _ => refuse!("7.5.2.1l", "{} has taken more hits than others", unit),
        }
    }

    /// A hit is taken as a loss, and the next step begins.
    pub(crate) fn lose(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(&Procedure::Hits { side, blow, left }) = state.stack.last() else { return };
        state.unit_mut(unit).hits += 1;
        self.lose_strength(state, unit, play);
        let (hits, _) = self.hits(state, side);
        match blow {
            Blow::First => self.next_blow(state, Blow::Checks, left),
            Blow::Second => self.next_blow(state, Blow::Further, hits.saturating_sub(2)),
            _ => self.next_blow(state, Blow::Further, left.saturating_sub(1)),
        }
    }

    /// The side is through: an HQ left alone is displaced (7.5c, R77); after the attacker the battle is decided.
    fn end_hits(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        let Some(battle) = state.battle else { return };
        let alone = self.left_alone(state, side);
        if side == self.attacking_side(&battle) {
            self.decide_battle(state, play);
        }
        for hq in alone.iter() {
            self.begin_displacement(state, hq);
        }
    }

    // Voluntary retreats (7.5.2.1g).

    /// The groups that may retreat of their own will.
    pub(crate) fn withdrawals(&self, state: &State, side: Side) -> Vec<Force> {
        let (hits, _) = self.hits(state, side);
        if hits < 2 {
            return Vec::new();
        }
        let free = self.staying(state, side).filter(|unit| !state.marked(unit, Marks::FAILED));
        let position = Position::new(self, state);
        subsets(free).filter(|units| self.can_withdraw(state, &position, *units)).collect()
    }

    fn can_withdraw(&self, state: &State, position: &Position, units: Force) -> bool {
        let Some(at) = units.first().and_then(|unit| state.hex(unit)) else { return false };
        !self.retreat_hexes(state, position, units, at, None, false).is_empty()
    }

    pub(crate) fn check_withdraw(&self, state: &State, side: Side, units: Force) -> Result<(), Violation> {
        let staying = self.staying(state, side);
        ensure!("7.5.2.1g", !units.is_empty(), "nobody is named");
        for unit in units.iter() {
            ensure!("7.5.2.1g", staying.contains(unit), "{} is not there to retreat", unit);
            let failed = state.marked(unit, Marks::FAILED);
            ensure!("7.5.2.1x", !failed, "{} had to retreat and could not", unit);
        }
        let position = Position::new(self, state);
        ensure!("7.5.2.1u", self.can_withdraw(state, &position, units), "there is no hex to retreat to");
        Ok(())
    }

    pub(crate) fn withdraw(&self, state: &mut State, units: Force) {
        if let Some(&Procedure::Hits { left, .. }) = state.stack.last() {
            self.next_blow(state, Blow::Second, left);
        }
        self.begin_retreat(state, units, false);
    }

    pub(crate) fn stand(&self, state: &mut State) {
        if let Some(&Procedure::Hits { left, .. }) = state.stack.last() {
            self.next_blow(state, Blow::Second, left);
        }
    }

    // Retreats (7.5.2.1o to 7.5.2.1x).

    fn begin_retreat(&self, state: &mut State, units: Force, forced: bool) {
        if let Some(from) = units.first().and_then(|unit| state.hex(unit)) {
            state.stack.push(Procedure::Retreat { units, from, steps: 0, forced });
        }
    }

    /// Where a group may retreat from a hex: of the best class of hexes those nearest to a supply area (R60, R61).
    /// `left` is the hex of the combat, once the group has left it (R82).
    pub(crate) fn retreat_hexes(
        &self,
        state: &State,
        position: &Position,
        units: Force,
        at: Hex,
        left: Option<Hex>,
        forced: bool,
    ) -> HexSet {
        let side = units.first().map_or(Side::Axis, |unit| self.side(unit));
        let mut classes = [HexSet::EMPTY; 4];
        for (_, to) in self.map.neighbours(at) {
            if let Ok(class) = self.retreat_class(state, position, units, at, to, left) {
                classes[class].insert(to);
            }
        }
        let open = if forced && left.is_none() { &classes[..] } else { &classes[..2] };
        let Some(best) = open.iter().find(|class| !class.is_empty()) else { return HexSet::EMPTY };
        let nearest = best.iter().map(|hex| self.ground.to_source(side, hex)).min();
        best.iter().filter(|hex| Some(self.ground.to_source(side, *hex)) == nearest).collect()
    }

    /// 0: free and with room. 1: free, but full. 2 and 3: the same in an enemy zone of control.
    fn retreat_class(
        &self,
        state: &State,
        position: &Position,
        units: Force,
        at: Hex,
        to: Hex,
        left: Option<Hex>,
    ) -> Result<usize, Violation> {
        let side = units.first().map_or(Side::Axis, |unit| self.side(unit));
        let Some(dir) = self.map.grid().dir_between(at, to) else {
            refuse!("7.5.2.1o", "{} is not adjacent to {}", to, at)
        };
        ensure!("7.5.2.1t", self.ground.land.contains(to), "{} is off the map", to);
        ensure!("7.5.2.1t", !position.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
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
        let full = usize::from(!self.has_room(state, units, to));
        let watched = position.in_ezoc(side, to);
        Ok(full + if watched { 2 } else { 0 })
    }

    /// A step after which, and before which, motorized units retreat no further: an unbridged stream, forest or marsh
    /// (7.5.2.1p).
    fn slows_retreat(&self, units: Force, at: Hex, dir: board::Dir, to: Hex) -> bool {
        let slow = self.ground.between(at, dir) == Between::Stream || self.ground.rough.contains(to);
        slow && units.iter().any(|unit| !self.is_leg(unit))
    }

    /// Goes on with a retreat; true when the owner must choose a hex.
    pub(crate) fn go_on_retreat(
        &self,
        state: &mut State,
        units: Force,
        from: Hex,
        steps: u8,
        forced: bool,
        play: &mut Play<Event>,
    ) -> bool {
        let there = units.filter(|unit| state.hex(unit).is_some());
        let together = there.first().and_then(|unit| state.hex(unit));
        let Some(at) = together.filter(|_| steps < 2) else {
            self.end_retreat(state, there, play);
            return false;
        };
        let position = Position::new(self, state);
        let left = (steps > 0).then_some(from);
        let hexes = self.retreat_hexes(state, &position, there, at, left, forced);
        if hexes.is_empty() {
            if steps == 0 {
                state.stack.pop();
                self.stay_stuck(state, there, at, play);
            } else {
                self.end_retreat(state, there, play);
            }
            return false;
        }
        true
    }

    /// Whoever must retreat and cannot loses two points besides (7.5.2.1x).
    fn stay_stuck(&self, state: &mut State, units: Force, hex: Hex, play: &mut Play<Event>) {
        for unit in units.iter() {
            let seen = self.is_seen(state, unit);
            self.tell_of(unit, seen, Event::Stuck { unit }, Event::StuckUnseen { hex }, play);
            for _ in 0..STUCK {
                self.lose_strength(state, unit, play);
            }
        }
    }

    pub(crate) fn retreat_answers(&self, state: &State, answers: &mut Vec<Action>) {
        let Some(&Procedure::Retreat { units, from, steps, forced }) = state.stack.last() else { return };
        let Some(at) = units.iter().find_map(|unit| state.hex(unit)) else { return };
        let position = Position::new(self, state);
        let there = units.filter(|unit| state.hex(unit).is_some());
        let left = (steps > 0).then_some(from);
        let hexes = self.retreat_hexes(state, &position, there, at, left, forced);
        answers.extend(hexes.iter().map(|hex| Action::Retreat { hex }));
        if steps > 0 {
            answers.push(Action::Halt);
        }
    }

    pub(crate) fn check_retreat(&self, state: &State, to: Hex) -> Result<(), Violation> {
        let Some(&Procedure::Retreat { units, from, steps, forced }) = state.stack.last() else {
            refuse!("7.5.2.1o", "nobody retreats")
        };
        let Some(at) = units.iter().find_map(|unit| state.hex(unit)) else {
            refuse!("7.5.2.1o", "nobody retreats")
        };
        let position = Position::new(self, state);
        let there = units.filter(|unit| state.hex(unit).is_some());
        let left = (steps > 0).then_some(from);
        let class = self.retreat_class(state, &position, there, at, to, left)?;
        if self.retreat_hexes(state, &position, there, at, left, forced).contains(to) {
            return Ok(());
        }
        let offered = self.retreat_hexes(state, &position, there, at, left, forced).first();
        let watched =
            offered.is_some_and(|hex| position.in_ezoc(self.side(there.first().unwrap_or(UnitId(0))), hex));
        ensure!("5.4.1f", class < 2 || watched, "{} is in an enemy zone of control", to);
        ensure!("7.5.2.1q", class % 2 == 0, "{} is full, and another hex is not", to);
        refuse!("7.5.2.1s", "another hex is nearer to a friendly supply area than {}", to)
    }

    /// Retreats a hex: a forced retreat into a zone of control costs each unit a point and ends there (7.5.2.1w); so does
    /// overstacking end it (7.5.2.1q), and what slows motorized units (7.5.2.1p).
    pub(crate) fn retreat(&self, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let Some(&Procedure::Retreat { units, steps, .. }) = state.stack.last() else { return };
        let there = units.filter(|unit| state.hex(unit).is_some());
        let Some(at) = there.first().and_then(|unit| state.hex(unit)) else { return };
        let Some(dir) = self.map.grid().dir_between(at, to) else { return };
        let side = there.first().map_or(Side::Axis, |unit| self.side(unit));
        let position = Position::new(self, state);
        let watched = position.in_ezoc(side, to);
        let marsh = self.ground.marsh.contains(to) && self.ground.road(at, dir, Gait::Afv).is_none();
        let slow = self.slows_retreat(there, at, dir, to);
        let before = there.filter(|unit| self.is_seen(state, unit));
        self.put_all(state, there, to, play);
        for unit in there.iter() {
            let seen = before.contains(unit) || self.is_seen(state, unit);
            let told = Event::Retreated { unit, from: at, to };
            self.tell_of(unit, seen, told, Event::RetreatedUnseen { from: at, to }, play);
            state.mark(unit, Marks::RETREATED);
        }
        if steps == 0 {
            self.end_improvement(state, at, play); // 7.7d
        }
        if watched {
            for unit in there.iter() {
                self.lose_strength(state, unit, play);
            }
        }
        let full = self.is_overstacked(state, to);
        let over = watched || slow || full;
        if let Some(Procedure::Retreat { steps: made, .. }) = state.stack.last_mut() {
            *made = if over { 2 } else { steps + 1 };
        }
        if full {
            self.begin_overstacking(state, to, play);
        }
        let swamped = there.filter(|unit| marsh && self.is_afv(unit) && state.hex(unit) == Some(to));
        self.begin_checks(state, Trial::Marsh, swamped);
    }

    pub(crate) fn halt(&self, state: &mut State) {
        if let Some(Procedure::Retreat { steps, .. }) = state.stack.last_mut() {
            *steps = 2;
        }
    }

    /// Whoever ends a retreat in a hex ends its Improved Defense (7.7f).
    fn end_retreat(&self, state: &mut State, units: Force, play: &mut Play<Event>) {
        state.stack.pop();
        if let Some(hex) = units.first().and_then(|unit| state.hex(unit)) {
            self.end_improvement(state, hex, play);
        }
    }
}
