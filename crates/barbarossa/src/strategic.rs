//! 8.6 and 8.7: German strategic movement.

use board::{Hex, HexSet, flood};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{Turn, not_asked};
use crate::{Action, Barbarossa, Event, Marks, Procedure, State, Step};

phrases! {
    /// The German strategic movement phase.
    pub struct Strategic = "strategic", "8.7a", "German strategic movement phase";
}

impl Frame<Barbarossa> for Strategic {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (
            Side::Axis,
            remark!("8.7f", "move units strategically, {} left, or end the phase", state.strategic_left),
        )
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let cities = rules.railheads(state);
        for (unit, hex) in rules.on_map(state, Side::Axis) {
            if cities.contains(hex) && rules.check_entrain(state, &cities, unit).is_ok() {
                answers.push(Action::Entrain { unit });
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Entrain { unit } => rules.check_entrain(state, &rules.railheads(state), unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Barbarossa, state: &mut State, action: Action, _: &mut Play<Event>) {
        match action {
            Action::Entrain { unit } => state.stack.push(Railing { unit }),
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1;
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Turn>().is_some_and(|turn| turn.step == Step::Strategic)
    }
}

phrases! {
    /// A unit moves strategically.
    pub struct Railing { unit: UnitId } = "railing", "8.7c", "{unit} moves strategically";
}

impl Frame<Barbarossa> for Railing {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Axis, remark!("8.7c", "where does {} go", self.unit))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.strategic_reach(state, self.unit).iter().map(|hex| Action::Go { hex }));
        answers.push(Action::Stop);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Go { hex } => {
                rules.check_room(state, self.unit, hex)?;
                let reached = rules.strategic_reach(state, self.unit).contains(hex);
                ensure!("8.7c", reached, "no strategic move leads {} to {}", self.unit, hex);
                Ok(())
            }
            Action::Stop => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        if let Action::Go { hex } = action {
            state.mark(self.unit, Marks::RAILED);
            state.strategic_left -= rules.strategic_weight(self.unit).min(state.strategic_left);
            for step in rules.strategic_path(state, self.unit, hex) {
                rules.put(state, self.unit, step, play);
            }
            play.tell(Event::Railed { unit: self.unit, hex });
        }
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Strategic>().is_some()
            && around.above.is_empty()
            && rules.check_entrain(state, &rules.railheads(state), self.unit).is_ok()
    }
}

impl Barbarossa {
    /// German-controlled cities in overland supply (8.7b).
    fn railheads(&self, state: &State) -> HexSet {
        self.ground.cities & state.control.axis & self.overland(state, Side::Axis)
    }

    /// A satellite army counts four, a mechanized unit two, others one (8.7f).
    fn strategic_weight(&self, unit: UnitId) -> u8 {
        match (self.is_axis_satellite(unit), self.is_mech(unit)) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 1,
        }
    }

    fn check_entrain(&self, state: &State, cities: &HexSet, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.7a", self.side(unit) == Side::Axis, "{} is not of the German side", unit);
        let Some(hex) = state.hex(unit) else { refuse!("8.7b", "{} is not on the map", unit) };
        ensure!("8.7b", !state.marked(unit, Marks::RAILED), "{} has moved strategically", unit);
        ensure!("12.7a", !state.marked(unit, Marks::STANDS_FAST), "{} stands fast in this turn", unit);
        ensure!("8.7b", cities.contains(hex), "{} is no German city in overland supply", hex);
        let weight = self.strategic_weight(unit);
        let left = state.strategic_left;
        ensure!("8.7f", weight <= left, "{} counts {}, and {} is left", unit, weight, left);
        Ok(())
    }

    /// Hexes that a unit may be in on its way, as far as rules of movement go (8.7c).
    fn open_to_strategic(&self, state: &State, unit: UnitId) -> HexSet {
        let mut open =
            self.ground.land - *state.held(Side::Soviet) - self.crowded_hexes(state, Side::Axis, 1);
        if let Some(area) = self.home_area(unit) {
            open &= area;
        }
        if let Some(bounds) = self.bounds_set() {
            open &= bounds;
        }
        if self.is_axis_satellite(unit) {
            open -= *state.units.held(crate::Camp::AXIS_SATELLITE);
        }
        open
    }

    /// Where a strategic move can end: enemies may be adjacent to its first and last hex only (8.7c, 8.7d).
    pub(crate) fn strategic_reach(&self, state: &State, unit: UnitId) -> HexSet {
        let Some(from) = state.hex(unit) else { return HexSet::EMPTY };
        let open = self.open_to_strategic(state, unit);
        let start = HexSet::of(from);
        let quiet = (open - self.ground.all_sides.grow(state.held(Side::Soviet))) | start;
        let passed = flood(&start, &quiet, &self.ground.dry_sides);
        (self.ground.dry_sides.grow(&passed) & open) - start
    }

    /// A shortest way there, without the first hex.
    fn strategic_path(&self, state: &State, unit: UnitId, to: Hex) -> Vec<Hex> {
        let Some(from) = state.hex(unit) else { return Vec::new() };
        let open = self.open_to_strategic(state, unit);
        let quiet = (open - self.ground.all_sides.grow(state.held(Side::Soviet))) | HexSet::of(from);
        // Rings around the start, until one is next to the goal; then back from ring to ring.
        let mut rings = vec![HexSet::of(from)];
        let mut reached = HexSet::of(from);
        while let Some(last) = rings.last().copied() {
            if (self.ground.dry_sides.grow(&last)).contains(to) {
                break;
            }
            let next = (self.ground.dry_sides.grow(&last) & quiet) - reached;
            if next.is_empty() {
                return vec![to];
            }
            reached |= next;
            rings.push(next);
        }
        let mut path = vec![to];
        for ring in rings.iter().skip(1).rev() {
            let behind = self.ground.dry_sides.grow(&HexSet::of(path[0])) & *ring;
            if let Some(hex) = behind.first() {
                path.insert(0, hex);
            }
        }
        path
    }
}
