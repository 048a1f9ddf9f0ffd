//! 6: stacking.

use arrayvec::ArrayVec;
use board::Hex;
use engine::frame::Around;
use engine::law::{self, About, Bar, Term, entering};
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::sequence::{acting_side, not_asked};
use crate::{Action, Dagc, Event, Marks, Place, Presence, Procedure, State, Unit, Units};

/// How many units a hex holds (6.1).
pub(crate) const LIMIT: usize = 2;

phrases! {
    /// The phase ends as soon as stacking is in order.
    pub struct Ending = "ending", "6.6c", "the phase ends";
}

impl Frame<Dagc> for Ending {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("5.1c", "the phase ends"))
    }

    fn go_on(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) -> bool {
        match rules.overstacked(state) {
            Some(hex) => state.stack.push(Overstacked { hex }),
            None => rules.end_phase(state, play),
        }
        false
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && around.under::<Overstacked>().is_some()
    }
}

phrases! {
    /// Too many units are in a hex.
    pub struct Overstacked { hex: Hex } = "overstacked", "6.6c", "{hex} is overstacked";
}

impl Frame<Dagc> for Overstacked {
    fn asked(&self, rules: &Dagc, state: &State) -> (Side, Remark) {
        let owner = state.stack_in(self.hex).first().map_or(Side::Axis, |unit| rules.side(*unit));
        (owner, remark!("6.6c", "eliminate the excess units in {}", self.hex))
    }

    fn answers(&self, _: &Dagc, state: &State, answers: &mut Vec<Action>) {
        answers.extend(state.stack_in(self.hex).into_iter().map(|unit| Action::Remove { unit }));
    }

    fn check(&self, _: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Remove { unit } = action else { return Err(not_asked(state)) };
        ensure!("6.6c", state.hex(unit) == Some(self.hex), "{} is not in {}", unit, self.hex);
        Ok(())
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Remove { unit } = action {
            rules.eliminate(state, unit, play);
        }
    }

    fn go_on(&self, _: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = state.stack_in(self.hex).len() > LIMIT;
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && around.above.is_empty() && state.stack_in(self.hex).len() > LIMIT
    }
}

impl Dagc {
    /// A hex with more than two units (6.1).
    pub(crate) fn overstacked(&self, state: &State) -> Option<Hex> {
        state.units.shared().iter().find(|hex| state.units.in_hex(*hex).count() > LIMIT)
    }

    /// What keeps one more unit out of a hex: enemies (6.9), two units (6.1, 6.2), the other Soviet front (6.10).
    pub(crate) fn room<'a>(&self, presence: &Presence<'a>, unit: UnitId) -> ArrayVec<Term<'a>, 3> {
        let full = |hexes, case, why| Term::bar(entering(hexes), Bar::new(case, why, [About::To]));
        let mut terms = ArrayVec::new();
        let side = self.side(unit);
        terms.push(full(presence.held[side.enemy()], case("6.9"), "an enemy unit is in {}"));
        terms.push(full(presence.full, case("6.5"), "{} is full"));
        if side == Side::Soviet {
            let other = if self.is_1uf(unit) { presence.main } else { presence.uf };
            terms.push(full(other, case("6.10b"), "a unit of the other front is in {}"));
        }
        terms
    }

    /// Whether one more unit may be in a hex.
    pub(crate) fn check_room(&self, presence: &Presence, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        law::check_hex(self.room(presence, unit), hex)
    }

    /// Puts a unit into a hex, on top of or beneath whoever is there. Control follows at once (3.3c), and with it
    /// sudden death (4.2) and the end of a port (7.9n).
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.lift(state, unit);
        let beneath = !state.stack_in(hex).is_empty();
        state.change(unit, |unit| unit.place = Place::Hex(hex));
        if beneath && self.side(unit) == Side::Soviet {
            state.mark(unit, Marks::BENEATH);
        }
        self.take_control(state, self.side(unit), hex, play);
    }

    /// Takes a unit out of its hex; if it was on top, the next one is now.
    pub(crate) fn lift(&self, state: &mut State, unit: UnitId) {
        let Some(hex) = state.hex(unit) else { return };
        state.change(unit, |unit| {
            unit.marks.clear(Marks::BENEATH);
            unit.place = Place::Out;
        });
        // Those on top come first, so this is somebody beneath only when nobody is on top.
        if let Some(&top) = state.stack_in(hex).first() {
            state.change(top, |top| top.marks.clear(Marks::BENEATH));
        }
    }

    fn take_control(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        if state.controller(hex) == side {
            return;
        }
        match side {
            Side::Axis => state.soviet_hexes.remove(hex),
            Side::Soviet => state.soviet_hexes.insert(hex),
        };
        if let Some(port) = self.ground.ports.iter().position(|port| *port == hex) {
            state.lost_ports |= 1 << port;
        }
        play.tell(Event::Control { hex, side });
    }

    /// The German player sees the top unit of a Soviet stack and what was shown to him (6.8); the Soviet player
    /// sees everything.
    pub(crate) fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        let on_map = state.hex(unit).is_some();
        !on_map
            || self.side(unit) == Side::Axis
            || self.switches.open_stacks
            || state.marked(unit, Marks::SHOWN)
            || !state.marked(unit, Marks::BENEATH)
    }

    /// Shows units to the enemy for the rest of the phase (6.8b).
    pub(crate) fn show(
        &self,
        state: &mut State,
        units: impl IntoIterator<Item = UnitId>,
        play: &mut Play<Event>,
    ) {
        let mut unseen = Units::EMPTY;
        for unit in units {
            if !self.is_seen(state, unit) {
                unseen.insert(unit);
            }
            state.mark(unit, Marks::SHOWN);
        }
        if !unseen.is_empty() {
            play.tell(Event::Shown { units: unseen });
            play.reveal(Side::Axis); // only Soviet stacks hide anything (6.8)
        }
    }

    /// The Soviet player arranges his stacks as he likes (R40); each unit may be put on top once a phase.
    pub(crate) fn check_top(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("6.8b", self.side(unit) == Side::Soviet, "only Soviet stacks hide what is beneath");
        ensure!("6.8b", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("6.8b", state.marked(unit, Marks::BENEATH), "{} is already on top", unit);
        ensure!(
            "6.8b",
            !state.marked(unit, Marks::ARRANGED),
            "{} has already been put on top in this phase",
            unit
        );
        Ok(())
    }

    pub(crate) fn top(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        for other in state.stack_in(hex) {
            state.mark(other, Marks::BENEATH);
        }
        state.change(unit, |unit| unit.marks.clear(Marks::BENEATH));
        state.mark(unit, Marks::ARRANGED);
        play.tell(Event::Arranged { hex });
    }

    /// Takes a step (2.11b); without one left the unit goes to the dead pile (2.11c).
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let left = state.unit(unit).steps.saturating_sub(1);
        state.change(unit, |unit| unit.steps = left);
        if left > 0 {
            return play.tell(Event::StepLost { unit });
        }
        self.eliminate(state, unit, play);
    }

    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.lift(state, unit);
        state.change(unit, |unit| {
            *unit = Unit { place: Place::Dead, steps: 0, marks: unit.marks.only(Marks::REPLACED), ..*unit }
        });
        play.tell(Event::Eliminated { unit });
    }
}
