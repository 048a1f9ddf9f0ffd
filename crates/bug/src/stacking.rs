//! 5.3.1, 5.3.3: stacking, overstacking and the displacement of units.

use arrayvec::ArrayVec;
use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{
    Action, Battle, Bug, Corps, Crowded, Event, HexSet, MAX_UNITS, Marks, Place, Pontoon, Procedure, State,
    Units,
};

/// Combat units in a hex (5.3.1e).
pub(crate) const MOST_UNITS: usize = 3;

/// The last turn in which the reserve of 41. Tank Division can be called (10.5a).
const LAST_ALARM: u8 = 5;

/// Hexes by how many units they hold, counted all at once.
struct Census {
    overstacked: HexSet,
    crowded: HexSet,
}

phrases! {
    /// An Action is over: stacking is looked at.
    pub struct Ending = "ending", "5.3.1c", "an Action ends";
}

impl Frame<Bug> for Ending {
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        if rules.look_at_stacks(state, play) {
            state.stack.pop();
            for hq in &rules.hqs {
                state.change(*hq, |hq| hq.marks.clear(Marks::SQUEEZED));
            }
        }
        false
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && !around.above.is_empty()
    }
}

phrases! {
    /// Too many combat units are in a hex.
    pub struct Overstacked { hex: Hex, by: Side } = "overstacked", "5.3.1n", "{hex} is overstacked";
}

impl Frame<Bug> for Overstacked {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (self.by, remark!("5.3.3a", "{} is overstacked: displace a unit", self.hex))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        for unit in rules.surplus(state, self.hex).iter() {
            let hexes = rules.displacement_hexes(state, unit);
            answers.extend(hexes.iter().map(|hex| Action::Displace { unit, hex }));
        }
        if self.owner(rules, state) != self.by {
            answers.push(Action::Waive);
        }
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Displace { unit, hex } => rules.check_displace(state, self.hex, unit, hex),
            Action::Waive => {
                ensure!("5.3.1o", self.owner(rules, state) != self.by, "the owner must displace his units");
                Ok(())
            }
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Displace { unit, hex } => rules.displace(state, unit, hex, play),
            _ => state.stack.replace(Overstacked { hex: self.hex, by: self.by.enemy() }),
        }
    }

    fn go_on(&self, rules: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        if !rules.is_overstacked(state, self.hex) {
            rules.end_overstacking(state, self.hex);
            return false;
        }
        let surplus = rules.surplus(state, self.hex);
        let stuck = surplus.iter().all(|unit| rules.displacement_hexes(state, unit).is_empty());
        if stuck {
            state.stack.replace(Crushed { hex: self.hex });
        }
        !stuck
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && (!around.above.is_empty() || rules.is_overstacked(state, self.hex))
    }
}

impl Overstacked {
    fn owner(&self, rules: &Bug, state: &State) -> Side {
        rules.side_of_all(rules.combat_units(state, self.hex))
    }
}

phrases! {
    /// No hex takes a surplus unit: the owner removes some.
    pub struct Crushed { hex: Hex } = "crushed", "5.3.1r", "no hex takes the surplus of {hex}";
}

impl Frame<Bug> for Crushed {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let owner = rules.side_of_all(rules.combat_units(state, self.hex));
        (owner, remark!("5.3.1r", "eliminate a unit in {}", self.hex))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.surplus(state, self.hex).iter().map(|unit| Action::Remove { unit }));
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let (Action::Remove { unit }, hex) = (action, self.hex) else { return Err(not_asked(state, action)) };
        ensure!("5.3.1r", state.hex(unit) == Some(hex), "{} is not in {}", unit, hex);
        let surplus = rules.surplus(state, hex).contains(unit);
        ensure!("5.3.1r", surplus, "removing {} does not bring {} within its limits", unit, hex);
        Ok(())
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Remove { unit } = action {
            rules.eliminate(state, unit, play);
        }
    }

    fn go_on(&self, rules: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        let over = rules.is_overstacked(state, self.hex);
        if !over {
            rules.end_overstacking(state, self.hex);
        }
        over
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && (!around.above.is_empty() || rules.is_overstacked(state, self.hex))
    }
}

impl Bug {
    // Where units lie.

    /// Takes a unit off the map.
    pub(crate) fn take_off(&self, state: &mut State, unit: UnitId, to: Place) -> Option<Hex> {
        let hex = self.lift(state, unit)?;
        // An HQ that finds no place stays on its back side (5.7.2b).
        let emergency = state.marked(unit, Marks::EMERGENCY) && to == Place::Away;
        let marks = if emergency { Marks::EMERGENCY } else { Marks::default() };
        state.change(unit, |taken| (taken.place, taken.depth, taken.marks, taken.hits) = (to, 0, marks, 0));
        Some(hex)
    }

    /// The units beneath one that leaves its hex move up.
    fn lift(&self, state: &mut State, unit: UnitId) -> Option<Hex> {
        let hex = state.hex(unit)?;
        let depth = state.unit(unit).depth;
        state.change_stack(hex, |other| {
            other.depth -= u8::from(other.depth > depth);
            other.marks.clear(Marks::ARRANGED);
        });
        Some(hex)
    }

    /// Puts a unit on top of a hex. A combat unit takes control of it (R17) and may call the reserve (10.5a) or end a
    /// pontoon bridge (10.3f); so may an HQ, which takes no control.
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.lift(state, unit);
        state.change_stack(hex, |other| {
            other.depth += 1;
            other.marks.clear(Marks::ARRANGED);
        });
        state.change(unit, |unit| (unit.place, unit.depth) = (Place::Hex(hex), 0));
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
    pub(crate) fn put_all(&self, state: &mut State, units: Units, hex: Hex, play: &mut Play<Event>) {
        let mut order: ArrayVec<UnitId, MAX_UNITS> = units.iter().collect();
        order.sort_by_key(|unit| std::cmp::Reverse(state.unit(*unit).depth));
        for unit in order {
            self.put(state, unit, hex, play);
        }
    }

    /// A German unit near the Northern Soviet Supply Area brings the reserve of 41. Tank Division on the next turn
    /// (10.5a, R73).
    fn check_alarm(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        if side == Side::Axis && self.ground.alarm.contains(hex) && self.can_be_called(state) {
            state.reserve = state.turn + 1;
            play.tell(Event::ReserveCalled { turn: state.turn + 1 });
        }
    }

    /// Whether the reserve of 41. Tank Division waits to be called forward (10.5a).
    pub(crate) fn can_be_called(&self, state: &State) -> bool {
        let waiting = |unit: UnitId| self.counter(unit).reserve && state.unit(unit).place == Place::Track;
        state.turn <= LAST_ALARM && state.reserve == 0 && self.roster.iter().any(waiting)
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
        if self.switches.open_stacks || state.marked(unit, Marks::SHOWN) {
            return true;
        }
        match state.unit(unit).depth {
            0 => true,
            1 => self.hqs_in(state, hex).iter().any(|hq| state.unit(hq).depth == 0),
            _ => false,
        }
    }

    /// Shows units to the enemy.
    pub(crate) fn show(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
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
        state.change_stack(hex, |other| other.depth += u8::from(other.depth < depth));
        state.change(unit, |unit| unit.depth = 0);
        state.mark(unit, Marks::ARRANGED);
        play.tell(Event::Arranged { hex });
        if !self.switches.open_stacks {
            play.reveal(self.side(unit).enemy());
        }
    }

    /// Stacks may be arranged anew.
    pub(crate) fn forget_arranging(&self, state: &mut State) {
        state.units.change_all(|unit| unit.marks.clear(Marks::ARRANGED));
    }

    // Limits.

    /// At most three combat units, one of Infantry type among them (5.3.1e, 5.3.1f); HQs do not count (5.3.1h).
    fn fit_together(&self, units: Units) -> bool {
        let infantry = units.iter().filter(|unit| self.counter(*unit).arm.is_infantry_type()).count();
        units.len() <= MOST_UNITS && infantry <= 1
    }

    pub(crate) fn is_overstacked(&self, state: &State, hex: Hex) -> bool {
        !self.fit_together(self.combat_units(state, hex))
    }

    /// Whether these units find room in a hex beside those that are there.
    pub(crate) fn has_room(&self, state: &State, units: Units, hex: Hex) -> bool {
        self.find_room(units, self.combat_units(state, hex))
    }

    /// Whether units find room beside others.
    pub(crate) fn find_room(&self, units: Units, others: Units) -> bool {
        self.fit_together(units.iter().chain(others.iter()).collect())
    }

    /// How many HQs a hex takes (5.3.1i).
    pub(crate) fn hq_limit(&self, hex: Hex) -> usize {
        if self.ground.towns.contains(hex) { 2 } else { 1 }
    }

    fn census(&self, state: &State) -> Census {
        let mut levels = [HexSet::EMPTY; MOST_UNITS];
        let (mut infantry, mut overstacked) = (HexSet::EMPTY, HexSet::EMPTY);
        let (mut hqs, mut pairs, mut crowded) = (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
        for (counter, (_, unit)) in self.counters.iter().zip(state.units.iter()) {
            let Place::Hex(hex) = unit.place else { continue };
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
    fn look_at_stacks(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        let census = self.census(state);
        if let Some(hex) = census.overstacked.first() {
            self.begin_overstacking(state, hex, play);
            return false;
        }
        if let Some(hex) = census.crowded.first() {
            // Each HQ permanently loses a Support Point (5.3.1l).
            for hq in self.hqs_in(state, hex).iter() {
                self.reduce_hq(state, hq, 1, 0, play);
            }
            state.stack.push(Crowded { hex });
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
        let surplus = !self.fit_together(left);
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
            // A hex that units come back to is looked at anew; to and fro they must not pile up procedures.
            if state.stack.top::<Overstacked>().is_some_and(|top| top.hex == hex) {
                state.stack.pop();
            }
            state.stack.push(Overstacked { hex, by });
        }
    }

    /// What was shown because of it is hidden again, unless a combat shows it.
    fn end_overstacking(&self, state: &mut State, hex: Hex) {
        state.stack.pop();
        for unit in self.combat_units(state, hex).filter(|unit| !self.is_fighting(state, unit)).iter() {
            state.change(unit, |unit| unit.marks.clear(Marks::SHOWN));
        }
    }

    /// In the combat that is being fought, on either side.
    fn is_fighting(&self, state: &State, unit: UnitId) -> bool {
        let battle = state.stack.find::<Battle>();
        battle.is_some_and(|battle| battle.attackers.contains(unit) || battle.defenders.contains(unit))
    }

    /// The units that may be displaced to bring a hex within its limits (R10).
    fn surplus(&self, state: &State, hex: Hex) -> Units {
        let units = self.combat_units(state, hex);
        let infantry = units.filter(|unit| self.counter(unit).arm.is_infantry_type());
        if infantry.len() > 1 { infantry } else { units }
    }

    /// Where a unit may be displaced: adjacent, without enemies, not across a lake or the unbridged Bug; into a full
    /// hex only if there is no other (5.3.1q, 5.3.3b, R11).
    fn displacement_hexes(&self, state: &State, unit: UnitId) -> HexSet {
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
        let roomy: HexSet = open.iter().filter(|hex| self.has_room(state, Units::of(unit), *hex)).collect();
        if roomy.is_empty() { open } else { roomy }
    }

    fn check_displace(&self, state: &State, hex: Hex, unit: UnitId, to: Hex) -> Result<(), Violation> {
        ensure!("5.3.3a", state.hex(unit) == Some(hex), "{} is not in {}", unit, hex);
        ensure!("5.3.1m", !self.is_hq(unit), "{} is an HQ", unit);
        ensure!(
            "5.3.1f",
            self.surplus(state, hex).contains(unit),
            "a unit of Infantry type must go, and {} is not one",
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
    fn displace(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
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
            state.change(unit, |unit| unit.marks.clear(Marks::SHOWN));
        }
    }
}
