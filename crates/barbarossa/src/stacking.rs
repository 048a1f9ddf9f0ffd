//! 6: stacking; who lies on top, who sees what is beneath (11.7), and what becomes of units that are taken off the map.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, entering};
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::sequence::{Turn, not_asked};
use crate::{
    Action, Arm, Barbarossa, Camp, Event, Fact, Marks, Movement, Nation, Place, Procedure, Removal, State,
    Units,
};

/// How many units of a side a hex holds (6.3).
pub(crate) const LIMIT: usize = 5;

/// German units lost out of supply never come back from this turn on (8.14b).
const PERMANENT_LOSSES: u8 = 28;

impl Barbarossa {
    /// Whether one more unit may be in a hex: no enemies, five units, one satellite army (6.3, 6.4a, 10.4).
    pub(crate) fn check_room(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        self.check_room_for(state, unit, hex, 1)
    }

    /// The same for so many units, of which this is one.
    pub(crate) fn check_room_for(
        &self,
        state: &State,
        unit: UnitId,
        hex: Hex,
        count: usize,
    ) -> Result<(), Violation> {
        let side = self.side(unit);
        ensure!("10.4", !state.held(side.enemy()).contains(hex), "an enemy unit is in {}", hex);
        let here = state.units.in_hex(hex).filter(|other| *other != unit);
        ensure!("6.3", here.clone().count() + count <= LIMIT, "{} is full", hex);
        if self.counter(unit).stacks_alone() {
            let alone = here.clone().all(|other| !self.counter(other).stacks_alone());
            ensure!("6.4a", alone, "another satellite army is in {}", hex);
        }
        Ok(())
    }

    /// Hexes without room for so many more units of a side.
    pub(crate) fn crowded_hexes(&self, state: &State, side: Side, more: usize) -> HexSet {
        let full = |hex: &Hex| state.units.in_hex(*hex).count() + more > LIMIT;
        match more {
            LIMIT => *state.held(side),
            _ => (*state.units.shared() & *state.held(side)).iter().filter(full).collect(),
        }
    }

    /// Adds what keeps units out of hexes: enemies, crowds and other satellites (6.2a, 10.4).
    pub(crate) fn bar_crowds<'a>(
        &self,
        law: &mut Law<'a>,
        state: &'a State,
        side: Side,
        crowded: &'a HexSet,
        satellite: bool,
    ) {
        let bar = |hexes: &'a HexSet, case, why| Term::bar(entering(hexes), Bar::new(case, why, [About::To]));
        law.add(bar(state.held(side.enemy()), case("10.4"), "an enemy unit is in {}"));
        law.add(bar(crowded, case("6.3"), "{} is full"));
        if satellite {
            let camp = if side == Side::Axis { Camp::AXIS_SATELLITE } else { Camp::SOVIET_SATELLITE };
            law.add(bar(state.units.held(camp), case("6.4a"), "another satellite army is in {}"));
        }
    }

    // Putting units into hexes and taking them off.

    /// Puts a unit into a hex, on top of or beneath whoever is there. Control follows at once (3.6c).
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.lift(state, unit);
        let beneath = self.side(unit) == Side::Soviet && state.units.in_hex(hex).next().is_some();
        state.change(unit, |unit| {
            unit.go(Place::Hex(hex));
            if beneath {
                unit.marks.set(Marks::BENEATH);
            }
        });
        self.take_control(state, self.side(unit), hex, play);
    }

    /// Takes a unit out of its hex; if it was on top, the next one is now.
    fn lift(&self, state: &mut State, unit: UnitId) {
        let Some(hex) = state.hex(unit) else { return };
        state.change(unit, |unit| {
            unit.marks.clear(Marks::BENEATH);
            unit.place = Place::Out;
        });
        // Those on top come first, so this is somebody beneath only when nobody is on top.
        if let Some(&top) = state.stack_in(hex).first() {
            state.unmark(top, Marks::BENEATH);
        }
    }

    /// Takes a unit off the map to a box.
    pub(crate) fn take_off(&self, state: &mut State, unit: UnitId, place: Place) {
        self.lift(state, unit);
        self.clear_marks(state, unit);
        state.change(unit, |unit| unit.go(place));
    }

    /// A unit is lost (2.12b). Where it goes depends on what it is, and on its supply (8.12f, 8.14b, 8.15, 8.22b, R36).
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, overland: bool, play: &mut Play<Event>) {
        let hex = state.hex(unit);
        play.tell(Event::Eliminated { unit });
        if self.side(unit) == Side::Soviet {
            self.count_kill(state, unit);
        }
        let delayed = state.marked(unit, Marks::DELAYED);
        let place = self.fate(state, unit, overland, play);
        self.take_off(state, unit, place);
        if delayed && Some(unit) == self.cast.second_ss && place == Place::Dead {
            self.put_second_ss_on_track(state, play); // 8.17c, unless 8.14b
        }
        if let Some(counterpart) = self.counterpart(unit) {
            state.change(counterpart, |unit| unit.place = Place::Dead); // 8.22b, R77
        }
        if let Some(hex) = hex.filter(|hex| state.airlift == Some(*hex))
            && state.units.in_hex(hex).next().is_none()
        {
            state.airlift = None; // 7.7d
            state.note(Fact::AirliftSpent);
            play.tell(Event::AirliftOver { hex });
        }
    }

    fn fate(&self, state: &mut State, unit: UnitId, overland: bool, play: &mut Play<Event>) -> Place {
        let counter = self.counter(unit);
        if counter.side == Side::Axis && counter.nation == Nation::Romania {
            return self.fate_of_romanians(state, unit, overland, play);
        }
        let late = self.is_german(unit) && state.turn >= PERMANENT_LOSSES && !overland;
        if counter.dot || self.is_axis_satellite(unit) || late { Place::Removed } else { Place::Dead }
    }

    /// The first time they come back after a die's turns, if they were in supply and Romania stands (8.15b, 8.15c, 8.15d).
    fn fate_of_romanians(
        &self,
        state: &mut State,
        unit: UnitId,
        overland: bool,
        play: &mut Play<Event>,
    ) -> Place {
        if state.marked(unit, Marks::RETURNED) || !overland || state.has(Fact::Defected) {
            return Place::Removed;
        }
        let turns = play.roll(Side::Axis, 6, "return of a Romanian army", case("8.15b")) as u8;
        let due = state.turn + turns;
        state.change(unit, |unit| {
            unit.due = due;
            unit.marks.set(Marks::RETURNED);
        });
        play.tell(Event::Due { unit, turn: due });
        Place::Track
    }

    /// The rifle army of the new establishment that an oversized one becomes (8.22a).
    pub(crate) fn counterpart(&self, unit: UnitId) -> Option<UnitId> {
        let counter = self.counter(unit);
        if counter.arm != Arm::Oversized {
            return None;
        }
        let place = self.counters.iter().position(|other| other.from.as_deref() == Some(&counter.name))?;
        Some(UnitId(place as u16))
    }

    // Who sees what (11.7).

    /// The German player sees the top unit of a Soviet stack and what was shown to him, and no box; nobody sees what the enemy
    /// has on the track or in hand (11.7).
    pub(crate) fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        match (state.unit(unit).place, self.side(unit)) {
            (Place::Hex(_), Side::Axis) => true,
            (Place::Hex(_), Side::Soviet) => {
                !state.marked(unit, Marks::BENEATH) || state.marked(unit, Marks::SHOWN)
            }
            (Place::Rvgk | Place::Track, _) => false,
            _ => true,
        }
    }

    /// Shows units to the enemy for the rest of the phase.
    pub(crate) fn show(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        let unseen = units.filter(|unit| !self.is_seen(state, unit));
        for unit in unseen.iter() {
            state.mark(unit, Marks::SHOWN);
        }
        if !unseen.is_empty() {
            play.tell(Event::Shown { units: unseen });
            play.reveal(Side::Axis);
        }
    }

    /// The Soviet player orders his stacks as he likes, but not in a battle (R111); each unit may be put on top once a phase.
    pub(crate) fn check_top(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("11.7a", self.side(unit) == Side::Soviet, "only Soviet stacks hide what is beneath");
        ensure!("11.7a", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("11.7a", state.marked(unit, Marks::BENEATH), "{} is on top already", unit);
        ensure!("11.7a", !state.marked(unit, Marks::ARRANGED), "{} was put on top in this phase", unit);
        ensure!("9.7", state.battle().is_none(), "a battle is under way");
        Ok(())
    }

    pub(crate) fn top(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        for other in state.stack_in(hex) {
            state.change(other, |other| other.marks.set(Marks::BENEATH));
        }
        state.change(unit, |unit| {
            unit.marks.clear(Marks::BENEATH);
            unit.marks.set(Marks::ARRANGED);
        });
        play.tell(Event::Arranged { hex });
    }

    // Too many units in a hex.

    /// Looked for before a player goes on with a phase (6.2c). Bulgarian armies on their first move are let be (8.26c).
    pub(crate) fn look_after_stacks(&self, state: &mut State) -> bool {
        let [Procedure::Turn(_), phase] = state.stack[..] else { return false };
        let movement = matches!(phase, Procedure::Movement(Movement { .. }));
        let over = self.overstacked(state, movement);
        if let Some(hex) = over {
            state.stack.push(Overstacked { hex });
        }
        over.is_some()
    }

    pub(crate) fn overstacked(&self, state: &State, movement: bool) -> Option<Hex> {
        state.units.shared().iter().find(|hex| !self.in_excess(state, *hex, movement).is_empty())
    }

    /// Units of which one must go so that a hex is in order: satellite armies beyond one, or anybody beyond five.
    fn in_excess(&self, state: &State, hex: Hex, movement: bool) -> Units {
        let units: Units = state.units.in_hex(hex).collect();
        if movement && units.iter().any(|unit| state.marked(unit, Marks::CROWDED)) {
            return Units::EMPTY;
        }
        let satellites = units.filter(|unit| self.counter(unit).stacks_alone());
        match (satellites.len() > 1, units.len() > LIMIT) {
            (true, _) => satellites,
            (false, true) => units,
            (false, false) => Units::EMPTY,
        }
    }
}

phrases! {
    /// Too many units are in a hex.
    pub struct Overstacked { hex: Hex } = "overstacked", "6.2c", "{hex} is overstacked";
}

impl Frame<Barbarossa> for Overstacked {
    fn asked(&self, rules: &Barbarossa, state: &State) -> (Side, Remark) {
        let owner = state.units.in_hex(self.hex).next().map_or(Side::Axis, |unit| rules.side(unit));
        (owner.enemy(), remark!("6.2c", "remove enemy units in excess from {}", self.hex))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.in_excess(state, self.hex, false).iter().map(|unit| Action::Remove { unit }));
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Remove { unit } = action else { return Err(not_asked(state)) };
        let excess = rules.in_excess(state, self.hex, false).contains(unit);
        ensure!("6.2c", excess, "{} is not one of too many in {}", unit, self.hex);
        Ok(())
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Remove { unit } = action {
            let overland = rules.supply_of(state, unit) == crate::Supply::Overland;
            play.tell(Event::Removed { unit, cause: Removal::Overstacked });
            rules.eliminate(state, unit, overland, play);
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = !rules.in_excess(state, self.hex, false).is_empty();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost()
            && around.on::<Turn>().is_none()
            && around.above.is_empty()
            && !rules.in_excess(state, self.hex, false).is_empty()
    }
}

phrases! {
    /// The Polish army finds no room with those who have called for it, and several hexes are equally near.
    pub struct PolishArrival { from: Hex } = "polish-arrival", "8.24b", "the Polish army arrives near {from}";
}

impl Frame<Barbarossa> for PolishArrival {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("8.24b", "place the Polish army in one of the nearest hexes"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let Some(unit) = rules.cast.poles else { return };
        let hexes = rules.polish_hexes(state, unit, self.from);
        answers.extend(hexes.iter().map(|hex| Action::Place { unit, hex }));
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match (action, rules.cast.poles) {
            (Action::Place { unit, hex }, Some(poles)) => {
                ensure!("8.24b", unit == poles, "{} is not the Polish army", unit);
                let near = rules.polish_hexes(state, unit, self.from).contains(hex);
                ensure!("8.24b", near, "{} is not one of the nearest Soviet hexes in supply with room", hex);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Place { unit, hex } = action {
            state.stack.pop();
            rules.bring_poles(state, unit, hex, play);
        }
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let aside = rules.cast.poles.is_some_and(|unit| state.unit(unit).place == Place::Aside);
        !around.is_outermost()
            && around.on::<Turn>().is_none()
            && around.above.is_empty()
            && aside
            && answers.len() > 1
    }
}

impl Barbarossa {
    /// Hexes that the Polish army can appear in: where it was called for, or else the nearest with room (8.24b, R78).
    pub(crate) fn polish_hexes(&self, state: &State, unit: UnitId, from: Hex) -> HexSet {
        let overland = self.overland(state, Side::Soviet);
        let hexes = *state.held(Side::Soviet) & overland;
        let roomy = |hex: &Hex| self.check_room(state, unit, *hex).is_ok();
        let far = |hex: Hex| self.map.grid().distance(from, hex);
        let nearest = hexes.iter().filter(roomy).map(far).min();
        hexes.iter().filter(|hex| Some(far(*hex)) == nearest && roomy(hex)).collect()
    }

    pub(crate) fn bring_poles(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.put(state, unit, hex, play);
        self.set_on_top(state, unit, hex);
        play.tell(Event::Arrived { unit: unit.into(), hex });
    }

    fn set_on_top(&self, state: &mut State, unit: UnitId, hex: Hex) {
        for other in state.stack_in(hex) {
            state.mark(other, Marks::BENEATH);
        }
        state.unmark(unit, Marks::BENEATH);
    }
}
