//! 5.3.1, 5.3.3: stacking, overstacking and the displacement of units.

use board::Hex;
use engine::{Force, Play, Side, UnitId, Violation, ensure, refuse};

use crate::{Action, Battle, Bug, Corps, Event, HexSet, Marks, Place, Pontoon, Procedure, State};

/// Combat units in a hex (5.3.1e).
pub(crate) const MOST_UNITS: usize = 3;

/// The last turn in which the reserve of 41. Tank Division can be called (10.5a).
const LAST_ALARM: u8 = 5;

/// Hexes by how many units they hold, counted all at once.
struct Census {
    overstacked: HexSet,
    crowded: HexSet,
}

impl Bug {
    // Where units lie.

    /// Takes a unit off its hex; the units beneath it move up.
    pub(crate) fn take_off(&self, state: &mut State, unit: UnitId, to: Place) -> Option<Hex> {
        let hex = state.hex(unit)?;
        let depth = state.unit(unit).depth;
        let at = Place::Map(hex);
        for other in &mut state.units {
            if other.place == at {
                other.depth -= u8::from(other.depth > depth);
                other.marks.clear(Marks::ARRANGED);
            }
        }
        let taken = state.unit_mut(unit);
        taken.place = to;
        taken.depth = 0;
        if !matches!(to, Place::Map(_)) {
            // An HQ that finds no place stays on its back side (5.7.2b).
            let emergency = taken.marks.has(Marks::EMERGENCY) && to == Place::Away;
            taken.marks = if emergency { Marks::EMERGENCY } else { Marks::default() };
            taken.hits = 0;
        }
        Some(hex)
    }

    /// Puts a unit on top of a hex. A combat unit takes control of it (R17) and may call the reserve (10.5a) or end a
    /// pontoon bridge (10.3f); so may an HQ, which takes no control.
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.take_off(state, unit, Place::Map(hex));
        let at = Place::Map(hex);
        let index = unit.index();
        for (i, other) in state.units.iter_mut().enumerate() {
            if other.place == at && i != index {
                other.depth += 1;
                other.marks.clear(Marks::ARRANGED);
            }
        }
        state.unit_mut(unit).place = at;
        state.unit_mut(unit).depth = 0;
        let side = self.side(unit);
        if !self.is_hq(unit) && state.controller(hex) != side {
            match side {
                Side::Soviet => state.soviet_hexes.insert(hex),
                Side::Axis => state.soviet_hexes.remove(hex),
            };
            play.tell(Event::Control { hex, side });
        }
        if state.is_disrupted(unit) {
            self.end_improvement(state, hex, play); // 5.6.3f
        }
        self.check_alarm(state, side, hex, play);
        self.check_bridges(state, play);
    }

    /// Puts units that move together on a hex, in the order they lie in.
    pub(crate) fn put_all(&self, state: &mut State, units: Force, hex: Hex, play: &mut Play<Event>) {
        let mut order: arrayvec::ArrayVec<UnitId, { Force::CAPACITY }> = units.iter().collect();
        order.sort_by_key(|unit| std::cmp::Reverse(state.unit(*unit).depth));
        for unit in order {
            self.put(state, unit, hex, play);
        }
    }

    /// A German unit near the Northern Soviet Supply Area brings the reserve of 41. Tank Division on the next turn
    /// (10.5a, R73).
    pub(crate) fn check_alarm(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let waiting = |unit: UnitId| self.counter(unit).reserve && state.unit(unit).place == Place::Track;
        let called = side == Side::Axis
            && state.turn <= LAST_ALARM
            && state.reserve == 0
            && self.ground.alarm.contains(hex)
            && self.roster.iter().any(waiting);
        if called {
            state.reserve = state.turn + 1;
            play.tell(Event::ReserveCalled { turn: state.turn + 1 });
        }
    }

    /// A pontoon bridge with an enemy unit at either end is out of the game (10.3f, R69).
    pub(crate) fn check_bridges(&self, state: &mut State, play: &mut Play<Event>) {
        for corps in Corps::ALL {
            let Pontoon::Built(a, b) = state.pontoons[*corps as usize] else { continue };
            let soviet = self.on_map(state, Side::Soviet).any(|(_, hex)| hex == a || hex == b);
            if soviet {
                state.pontoons[*corps as usize] = Pontoon::Lost;
                play.tell(Event::BridgeLost { corps: *corps });
            }
        }
    }

    // What the enemy sees (5.3.4).

    /// Whether the enemy sees a unit: the top one, the one beneath a top HQ (5.3.1b), and those that were shown.
    pub(crate) fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        let Some(hex) = state.hex(unit) else { return true };
        if self.open_stacks || state.marked(unit, Marks::SHOWN) {
            return true;
        }
        match state.unit(unit).depth {
            0 => true,
            1 => self.hqs_in(state, hex).iter().any(|hq| state.unit(hq).depth == 0),
            _ => false,
        }
    }

    /// Shows units to the enemy.
    pub(crate) fn show(&self, state: &mut State, units: Force, play: &mut Play<Event>) {
        let unseen = units.filter(|unit| !self.is_seen(state, unit));
        if let Some(first) = unseen.first() {
            play.reveal(self.side(first).enemy());
            play.tell(Event::Shown { units: unseen });
        }
        for unit in units.iter() {
            state.mark(unit, Marks::SHOWN);
        }
    }

    /// The owner arranges his stacks as he likes (5.3.1a). Each unit can be put on top once in an activation or segment,
    /// or again when its stack has changed: that is enough for any order (R85).
    pub(crate) fn check_top(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("5.3.1a", self.side(unit) == side, "{} belongs to the enemy", unit);
        ensure!("5.3.1a", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("5.3.1a", state.unit(unit).depth > 0, "{} is on top already", unit);
        let again = state.marked(unit, Marks::ARRANGED);
        ensure!("5.3.1a", !again, "{} was put on top already in this activation or segment (R85)", unit);
        Ok(())
    }

    pub(crate) fn top_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for (unit, _) in self.on_map(state, side) {
            if state.unit(unit).depth > 0 && !state.marked(unit, Marks::ARRANGED) {
                answers.push(Action::Top { unit });
            }
        }
    }

    pub(crate) fn arrange(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let depth = state.unit(unit).depth;
        let at = Place::Map(hex);
        for other in &mut state.units {
            if other.place == at && other.depth < depth {
                other.depth += 1;
            }
        }
        state.unit_mut(unit).depth = 0;
        state.mark(unit, Marks::ARRANGED);
        play.tell(Event::Arranged { hex });
        if !self.open_stacks {
            play.reveal(self.side(unit).enemy());
        }
    }

    /// Stacks may be arranged anew.
    pub(crate) fn forget_arranging(&self, state: &mut State) {
        for unit in &mut state.units {
            unit.marks.clear(Marks::ARRANGED);
        }
    }

    // Limits.

    /// Combat units in a hex, and how many of them are of Infantry type.
    fn count(&self, state: &State, hex: Hex) -> (usize, usize) {
        let units = self.combat_units(state, hex);
        (units.len(), units.iter().filter(|unit| self.counter(*unit).arm.is_infantry_type()).count())
    }

    /// More than three combat units, or more than one of Infantry type (5.3.1e, 5.3.1f); HQs do not count (5.3.1h).
    pub(crate) fn is_overstacked(&self, state: &State, hex: Hex) -> bool {
        let (units, infantry) = self.count(state, hex);
        units > MOST_UNITS || infantry > 1
    }

    /// Whether these units find room in a hex beside those that are there.
    pub(crate) fn has_room(&self, state: &State, units: Force, hex: Hex) -> bool {
        let (mut count, mut infantry) = self.count(state, hex);
        for unit in units.iter().filter(|unit| state.hex(*unit) != Some(hex)) {
            count += 1;
            infantry += usize::from(self.counter(unit).arm.is_infantry_type());
        }
        count <= MOST_UNITS && infantry <= 1
    }

    /// How many HQs a hex takes (5.3.1i).
    pub(crate) fn hq_limit(&self, hex: Hex) -> usize {
        if self.ground.towns.contains(hex) { 2 } else { 1 }
    }

    fn census(&self, state: &State) -> Census {
        let mut levels = [HexSet::EMPTY; MOST_UNITS];
        let (mut infantry, mut overstacked) = (HexSet::EMPTY, HexSet::EMPTY);
        let (mut hqs, mut pairs, mut crowded) = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
        for (unit, counter) in state.units.iter().zip(&self.counters) {
            let Place::Map(hex) = unit.place else { continue };
            if counter.hq.is_some() {
                if !hqs.insert(hex) && (!pairs.insert(hex) || !self.ground.towns.contains(hex)) {
                    crowded.insert(hex);
                }
                continue;
            }
            if counter.arm.is_infantry_type() && !infantry.insert(hex) {
                overstacked.insert(hex);
            }
            if !levels.iter_mut().any(|level| level.insert(hex)) {
                overstacked.insert(hex);
            }
        }
        Census { overstacked, crowded }
    }

    /// Looks at all hexes when an Action ends (5.3.1c); true when that is over.
    pub(crate) fn look_at_stacks(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        let census = self.census(state);
        if let Some(hex) = census.overstacked.first() {
            self.begin_overstacking(state, hex, play);
            return false;
        }
        if let Some(hex) = census.crowded.first() {
            // Each HQ permanently loses a Support Point (5.3.1l).
            for hq in self.hqs_in(state, hex).iter() {
                let unit = state.unit_mut(hq);
                unit.strength = unit.strength.saturating_sub(1);
                let (support, level) = (unit.strength, unit.level);
                play.tell(Event::HqReduced { hq, support, level });
            }
            state.stack.push(Procedure::Crowded { hex });
            return false;
        }
        true
    }

    /// All combat units in the hex are disrupted; those that were lose a Strength Point (5.3.1j, 5.3.1k). Then the
    /// enemy may displace the surplus (5.3.1o).
    pub(crate) fn begin_overstacking(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        play.tell(Event::Overstacking { hex });
        let units = self.combat_units(state, hex);
        // Losses may settle it; otherwise the enemy looks at what he may displace.
        let last = |unit: UnitId| state.is_disrupted(unit) && state.unit(unit).strength <= 1;
        let left = units.filter(|unit| !last(unit));
        let infantry = left.iter().filter(|unit| self.counter(*unit).arm.is_infantry_type()).count();
        let surplus = left.len() > MOST_UNITS || infantry > 1;
        if surplus {
            self.show(state, units, play);
        }
        for unit in units.iter() {
            if state.is_disrupted(unit) {
                self.lose_strength(state, unit, play);
            } else {
                self.disrupt(state, unit, play);
            }
        }
        if let Some(first) = left.first().filter(|_| surplus) {
            let by = self.side(first).enemy();
            state.stack.push(Procedure::Overstacked { hex, by });
        }
    }

    /// Goes on with an overstacked hex; true when somebody must decide.
    pub(crate) fn go_on_overstacked(&self, state: &mut State, hex: Hex) -> bool {
        if !self.is_overstacked(state, hex) {
            self.end_overstacking(state, hex);
            return false;
        }
        let stuck =
            self.surplus(state, hex).iter().all(|unit| self.displacement_hexes(state, unit).is_empty());
        if stuck {
            state.stack.pop();
            state.stack.push(Procedure::Crushed { hex });
        }
        !stuck
    }

    /// What was shown because of it is hidden again, unless a combat shows it.
    pub(crate) fn end_overstacking(&self, state: &mut State, hex: Hex) {
        state.stack.pop();
        for unit in self.combat_units(state, hex).filter(|unit| !self.is_fighting(state, unit)).iter() {
            state.unit_mut(unit).marks.clear(Marks::SHOWN);
        }
    }

    /// In the combat that is being fought, on either side.
    fn is_fighting(&self, state: &State, unit: UnitId) -> bool {
        let Some(Battle::Attack { attackers, defenders, .. }) = state.battle else { return false };
        attackers.contains(unit) || defenders.contains(unit)
    }

    /// The units that may be displaced to bring a hex within its limits (R10).
    pub(crate) fn surplus(&self, state: &State, hex: Hex) -> Force {
        let units = self.combat_units(state, hex);
        let infantry = units.filter(|unit| self.counter(unit).arm.is_infantry_type());
        if infantry.len() > 1 { infantry } else { units }
    }

    /// Where a unit may be displaced: adjacent, without enemies, not across a lake or the unbridged Bug; into a full
    /// hex only if there is no other (5.3.1q, 5.3.3b, R11).
    pub(crate) fn displacement_hexes(&self, state: &State, unit: UnitId) -> HexSet {
        let Some(from) = state.hex(unit) else { return HexSet::EMPTY };
        let enemy = self.side(unit).enemy();
        let open: HexSet = self
            .map
            .neighbours(from)
            .filter(|(dir, to)| {
                self.ground.land.contains(*to)
                    && self.is_passable(state, from, *dir, *to)
                    && state.stack_in(*to).first().is_none_or(|other| self.side(*other) != enemy)
            })
            .map(|(_, to)| to)
            .collect();
        let alone: Force = [unit].into_iter().collect();
        let roomy: HexSet = open.iter().filter(|hex| self.has_room(state, alone, *hex)).collect();
        if roomy.is_empty() { open } else { roomy }
    }

    pub(crate) fn displace_answers(&self, state: &State, hex: Hex, by: Side, answers: &mut Vec<Action>) {
        let surplus = self.surplus(state, hex);
        for unit in surplus.iter() {
            let hexes = self.displacement_hexes(state, unit);
            answers.extend(hexes.iter().map(|hex| Action::Displace { unit, hex }));
        }
        if surplus.first().is_some_and(|unit| self.side(unit) != by) {
            answers.push(Action::Leave);
        }
    }

    pub(crate) fn check_displace(
        &self,
        state: &State,
        hex: Hex,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        ensure!("5.3.3a", state.hex(unit) == Some(hex), "{} is not in {}", unit, hex);
        ensure!("5.3.1m", !self.is_hq(unit), "{} is an HQ", unit);
        ensure!(
            "5.3.1f",
            self.surplus(state, hex).contains(unit),
            "a unit of Infantry type must go, and {} is none",
            unit
        );
        let Some(dir) = self.map.grid().dir_between(hex, to) else {
            refuse!("5.3.3a", "{} is not adjacent to {}", to, hex)
        };
        let enemy = self.side(unit).enemy();
        let occupied = state.stack_in(to).first().is_some_and(|other| self.side(*other) == enemy);
        ensure!("5.3.1q", !occupied, "an enemy unit is in {}", to);
        let dry = self.ground.land.contains(to) && self.is_passable(state, hex, dir, to);
        ensure!("5.3.3d", dry, "{} cannot be reached across prohibited terrain", to);
        ensure!(
            "5.3.3b",
            self.displacement_hexes(state, unit).contains(to),
            "{} is full, and another hex is not",
            to
        );
        Ok(())
    }

    /// Displaces a unit, which may overstack its new hex (5.3.1p, 5.3.3c).
    pub(crate) fn displace(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(unit) else { return };
        self.put(state, unit, to, play);
        play.tell(Event::UnitDisplaced { unit, to });
        self.end_improvement(state, from, play); // 7.7d
        if !self.is_overstacked(state, from) {
            self.end_overstacking(state, from);
        }
        if self.is_overstacked(state, to) {
            self.begin_overstacking(state, to, play);
        } else if !self.is_fighting(state, unit) {
            state.unit_mut(unit).marks.clear(Marks::SHOWN);
        }
    }

    /// The owner removes a unit that no hex takes (5.3.1r).
    pub(crate) fn check_remove(&self, state: &State, hex: Hex, unit: UnitId) -> Result<(), Violation> {
        ensure!("5.3.1r", state.hex(unit) == Some(hex), "{} is not in {}", unit, hex);
        ensure!(
            "5.3.1r",
            self.surplus(state, hex).contains(unit),
            "{} does not bring {} within its limits",
            unit,
            hex
        );
        Ok(())
    }
}
