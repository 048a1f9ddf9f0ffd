//! 10: regular movement.
//!
//! Units move one by one or in stacks. All that began the phase in one hex belong together while one of them moves: they may be
//! taken up again in any order until a unit that began elsewhere starts (10.6b). Each keeps the points it has left.

use board::{Hex, HexSet, Mp, Reach};
use engine::display;
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, WhyNot, crossing, entering, leaving, with_reach};
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::ground::Payer;
use crate::sequence::{PAUSE_TURN, Turn, acting_side, not_asked};
use crate::{Action, Arm, Barbarossa, Event, Fact, Marks, Place, Procedure, State, Step, Supply, Units};

/// From this turn on marsh is like clear ground to Soviet mechanized units (10.12b).
const SOVIET_MARSH: u8 = 13;

/// Soviet units cross the Sivash from this turn on (10.15a, 11.18a).
pub(crate) const SIVASH: u8 = 7;

/// The German mechanized movement factor with Watch on the Oder (4.18f).
const ODER_MECH: u8 = 6;

/// The most movement points that a situation may give a unit.
pub(crate) const MOST_POINTS: u8 = 20;

phrases! {
    /// A movement phase.
    pub struct Movement { side: Side } = "movement", "10.2b", "{side} movement phase";
}

impl Frame<Barbarossa> for Movement {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (self.side, remark!("10.2b", "move a unit, or end the movement phase"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        for (unit, _) in rules.on_map(state, self.side) {
            if rules.check_begin(state, self.side, unit).is_ok() {
                answers.push(Action::Move { unit });
            }
        }
        let entrants = rules.entrants(state, self.side);
        answers.extend(entrants.map(|(unit, hex)| Action::Enter { unit, hex }));
        let boxed = rules.in_box(state, self.side, Place::Caucasus);
        let boxed = boxed.filter(|unit| rules.check_caucasus_to_box(state, self.side, *unit).is_ok());
        answers.extend(boxed.map(|unit| Action::Hold { unit }));
        if rules.check_all_back(state, self.side).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit } => rules.check_begin(state, self.side, unit),
            Action::Enter { unit, hex } => rules.check_enter(state, self.side, unit, hex),
            Action::Hold { unit } => rules.check_caucasus_to_box(state, self.side, unit),
            Action::End => rules.check_all_back(state, self.side),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit } => rules.begin_move(state, unit, play),
            Action::Enter { unit, hex } => rules.come_back(state, unit, hex, play),
            Action::Hold { unit } => {
                state.rvgk_left -= 1;
                state.change(unit, |unit| unit.place = Place::Rvgk);
                play.tell(Event::Boxed { unit: unit.into() });
            }
            _ => {
                state.stack.pop();
                rules.put_leavers_back(state, play);
            }
        }
    }

    fn is_sound(&self, _: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let step = around.on::<Turn>().map(|turn| turn.step);
        matches!(step, Some(Step::AxisFirst | Step::AxisSecond | Step::SovietFirst | Step::SovietSecond))
            && self.side == acting_side(state)
    }
}

phrases! {
    /// Units on their way together.
    pub struct Moving {
        units: Units,
        /// They have gone somewhere since they were taken up.
        gone: bool,
    } = "moving", "10.5a", "{units} move";
}

impl Frame<Barbarossa> for Moving {
    fn asked(&self, rules: &Barbarossa, state: &State) -> (Side, Remark) {
        let side = self.units.first().map_or(Side::Axis, |unit| rules.side(unit));
        (side, remark!("10.1b", "go on with {} MP, or stop", self.points(state)))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let Some(march) = March::new(rules, state, self) else { return answers.push(Action::Stop) };
        march.list(answers);
        answers.push(Action::Stop);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        let march = March::new(rules, state, self);
        let march = march.ok_or_else(|| remark!("10.1b", "nobody is on the way"));
        match action {
            Action::Join { unit } => rules.check_join_move(state, self, unit),
            Action::Go { hex } => march?.check_go(hex),
            Action::Assault { hex } => rules.check_assault(state, self.units, hex),
            Action::Cross => rules.check_cross(state, self.units),
            Action::Sail { hex } => rules.check_sail(state, self.units, hex),
            Action::Exit => rules.check_exit_together(state, self.units),
            Action::Stop => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Join { unit } => rules.join_move(state, unit, play),
            Action::Go { hex } => rules.go(state, self, hex, play),
            Action::Assault { hex } => rules.prepare_assault(state, self.units, hex),
            Action::Cross => rules.cross(state, self.units, play),
            Action::Sail { hex } => rules.sail(state, self.units, hex, play),
            Action::Exit => {
                state.stack.pop();
                if let Some(unit) = self.units.first() {
                    rules.exit(state, unit, play);
                }
            }
            _ => {
                state.stack.pop();
                rules.stop(state, self);
            }
        }
    }

    /// Whoever is gone from the map is no longer on the way; units that can do nothing have moved.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let left = self.units.filter(|unit| state.hex(unit).is_some());
        if left != self.units {
            state.stack.pop();
            if !left.is_empty() {
                state.stack.push(Moving { units: left, gone: true });
            }
            return false;
        }
        let stuck = rules.is_stuck(state, self);
        if stuck {
            state.stack.pop();
            rules.stop(state, self);
        }
        !stuck
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let hex = self.units.first().and_then(|unit| state.hex(unit));
        let stands = |unit: UnitId| {
            state.hex(unit) == hex
                && state.marked(unit, Marks::UNDERWAY)
                && state.unit(unit).left <= MOST_POINTS
                && !state.marked(unit, Marks::STANDS_FAST)
        };
        let side = around.on::<Movement>().map(|phase| phase.side);
        hex.is_some()
            && state.origin.is_some()
            && self.units.len() <= crate::stacking::LIMIT
            && self.units.iter().all(|unit| stands(unit) && Some(rules.side(unit)) == side)
    }
}

impl Moving {
    /// The points of the slowest (10.7).
    fn points(&self, state: &State) -> u8 {
        self.units.iter().map(|unit| state.unit(unit).left).min().unwrap_or(0)
    }
}

impl Barbarossa {
    // Beginning to move.

    /// Whether a unit may begin to move, or go on.
    fn check_begin(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.1c", self.side(unit) == side, "{} moves in its own movement phase", unit);
        let Some(hex) = state.hex(unit) else { refuse!("2.2a", "{} is not on the map", unit) };
        if state.marked(unit, Marks::MOVED) {
            return Err(self.why_moved(state, unit, hex));
        }
        ensure!("12.7a", !state.marked(unit, Marks::STANDS_FAST), "{} stands fast in this turn", unit);
        if self.is_ica(unit) {
            let other = self.other_port(hex).filter(|other| self.check_ica(state, unit, *other).is_ok());
            ensure!("10.34b", other.is_some(), "{} can go nowhere", unit);
        }
        Ok(())
    }

    /// Why a unit that has moved does not go on.
    fn why_moved(&self, state: &State, unit: UnitId, hex: Hex) -> Violation {
        let marked = |mark: Marks| state.marked(unit, mark);
        match () {
            _ if marked(Marks::SAILED) => self.sailed(unit, hex),
            _ if marked(Marks::CROSSED) => remark!("10.14a", "{} has crossed the strait in this phase", unit),
            _ if marked(Marks::BEATEN) => {
                remark!("10.28a", "{} has failed in its assault and stays in {}", unit, hex)
            }
            _ if marked(Marks::CUT_SHORT) => {
                remark!("10.6b", "{} does not go on: another stack has begun to move", unit)
            }
            _ => remark!("10.2c", "{} has moved in this phase", unit),
        }
    }

    /// A corps that has moved by sea does nothing else in its player turn (10.16b, 10.17b).
    pub(crate) fn sailed(&self, unit: UnitId, hex: Hex) -> Violation {
        match self.ground.baltic_ports.contains(hex) {
            true => remark!("10.17b", "{} has moved by sea in this turn", unit),
            false => remark!("10.16b", "{} has moved by sea in this turn", unit),
        }
    }

    /// Tests supply (7.17a) and finds the movement points; or goes on with what is left.
    fn begin_move(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if !state.marked(unit, Marks::UNDERWAY) {
            self.take_up(state, hex);
            self.start_one(state, unit, hex, play);
        }
        state.stack.push(Moving { units: Units::of(unit), gone: false });
    }

    /// From here on the stack of another hex moves: the earlier one has moved (10.2c, 10.6b).
    fn take_up(&self, state: &mut State, hex: Hex) {
        if state.origin == Some(hex) {
            return;
        }
        state.origin = Some(hex);
        let stack = state.units.iter().filter(|(_, unit)| unit.marks.has(Marks::UNDERWAY)).count() > 1;
        state.units.change_all(|unit| {
            if unit.marks.has(Marks::UNDERWAY) {
                unit.marks.clear(Marks::UNDERWAY | Marks::FRESH);
                unit.marks.set(if stack { Marks::MOVED | Marks::CUT_SHORT } else { Marks::MOVED });
                unit.left = 0;
            }
        });
    }

    fn start_one(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let supply = self.supply_of(state, unit);
        self.settle_southern(state, unit, supply, play);
        self.roll_toll(state, unit, hex, play);
        let divided = self.movement_factor(state, unit) / self.movement_divisor(supply);
        let points =
            divided.saturating_sub(state.unit(unit).toll).saturating_sub(self.edge_cost(state, unit, hex));
        state.change(unit, |unit| {
            unit.left = points;
            unit.marks.set(Marks::UNDERWAY | Marks::FRESH);
        });
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Began { unit: unit.into(), hex, supply, points });
    }

    /// Begins the move of a unit that comes back from beyond the edge, with all its points (4.13h).
    pub(crate) fn begin_in_full(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        state.origin = None;
        self.take_up(state, hex);
        let points = self.movement_factor(state, unit);
        state.change(unit, |unit| {
            unit.left = points;
            unit.marks.set(Marks::UNDERWAY | Marks::FRESH);
        });
        play.tell(Event::Began { unit: unit.into(), hex, supply: Supply::Overland, points });
        state.stack.push(Moving { units: Units::of(unit), gone: true });
    }

    /// From the track (2.11), and 6 for German mechanized units with Watch on the Oder (4.18f).
    pub(crate) fn movement_factor(&self, state: &State, unit: UnitId) -> u8 {
        let (side, mech) = (self.side(unit), self.is_mech(unit));
        if side == Side::Axis && mech && self.is_oder(state) {
            return ODER_MECH;
        }
        self.charts.track.movement(state.turn, side, mech)
    }

    /// Without the Pause one die a hex slows down all mechanized units that begin there (5.10g, R47).
    fn roll_toll(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let rolls = state.turn == PAUSE_TURN
            && state.has(Fact::NoPause)
            && self.side(unit) == Side::Axis
            && self.is_mech(unit)
            && state.unit(unit).toll == 0;
        if !rolls {
            return;
        }
        let die = play.roll(Side::Axis, 6, "exhaustion", case("5.10g")) as u8;
        for other in state.stack_in(hex) {
            let fresh = !state.marked(other, Marks::UNDERWAY | Marks::MOVED);
            if self.is_mech(other) && fresh {
                state.change(other, |unit| unit.toll = die);
            }
        }
    }

    /// Who has entered at the edge of the map pays for that hex (8.1g, R58).
    fn edge_cost(&self, state: &State, unit: UnitId, hex: Hex) -> u8 {
        if !state.marked(unit, Marks::EDGE) {
            return 0;
        }
        let effect = self.ground.effect(hex);
        let marsh = self.ground.marsh.contains(hex) && self.payer(state, unit) == Payer::SovietMech;
        match (self.is_mech(unit), marsh) {
            (true, true) => 1,
            (true, false) => effect.mech.unwrap_or(0),
            (false, _) => effect.foot.unwrap_or(0),
        }
    }

    /// Units that began the phase together may move together (10.5a).
    fn check_join_move(&self, state: &State, moving: &Moving, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.5a", !moving.units.contains(unit), "{} is on the way already", unit);
        let side = moving.units.first().map(|first| self.side(first));
        self.check_begin(state, side.unwrap_or(Side::Axis), unit)?;
        let here = moving.units.first().and_then(|first| state.hex(first));
        ensure!("10.5a", state.hex(unit) == here, "{} is in another hex", unit);
        let together = state.marked(unit, Marks::UNDERWAY) || state.hex(unit) == state.origin;
        ensure!("10.5a", together, "{} did not begin the phase with them", unit);
        ensure!("10.34b", !self.is_ica(unit), "{} goes by sea only", unit);
        let lone = moving.units.iter().any(|unit| self.is_ica(unit));
        ensure!("10.34b", !lone, "nobody goes with the coastal army");
        Ok(())
    }

    fn join_move(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if !state.marked(unit, Marks::UNDERWAY) {
            self.start_one(state, unit, hex, play);
        }
        if let Some(Moving { units, .. }) = state.stack.top_mut() {
            units.insert(unit);
        }
    }

    /// Whoever was taken up and went nowhere has moved; others may be taken up again (10.6a).
    fn stop(&self, state: &mut State, moving: &Moving) {
        for unit in moving.units.iter() {
            if !moving.gone || state.unit(unit).left == 0 {
                state.change(unit, |unit| {
                    unit.marks.clear(Marks::UNDERWAY | Marks::FRESH);
                    unit.marks.set(Marks::MOVED);
                    unit.left = 0;
                });
            }
        }
    }

    /// True when units on the way can do nothing but stop.
    fn is_stuck(&self, state: &State, moving: &Moving) -> bool {
        let spent = |unit: UnitId| state.unit(unit).left == 0 && !state.marked(unit, Marks::FRESH);
        if moving.units.iter().any(spent) {
            return true;
        }
        let Some(march) = March::new(self, state, moving) else { return true };
        let mut answers = Vec::new();
        march.list(&mut answers);
        answers.is_empty()
    }

    // Laws of movement.

    /// How a unit pays for terrain.
    pub(crate) fn payer(&self, state: &State, unit: UnitId) -> Payer {
        let june = state.turn == 1 && self.is_german(unit);
        match (self.is_mech(unit), june) {
            (false, false) => Payer::Foot,
            (false, true) => Payer::JuneFoot,
            (true, true) if self.is_june_supplied(state, unit) => Payer::JuneSuppliedMech,
            (true, true) => Payer::JuneMech,
            (true, false) if self.side(unit) == Side::Soviet && state.turn >= SOVIET_MARSH => {
                Payer::SovietMech
            }
            (true, false) => Payer::Mech,
        }
    }

    /// Units of one sort in a stack pay alike: on foot, mechanized, and on turn 1 satellites, whom rivers cost more than the
    /// Germans beside them (10.7, 10.18b).
    fn sort(&self, state: &State, unit: UnitId) -> usize {
        match self.is_mech(unit) {
            true => 1,
            false if state.turn == 1 && self.is_axis_satellite(unit) => 2,
            false => 0,
        }
    }

    /// Overland-supplied, for 5.13.
    fn is_june_supplied(&self, state: &State, unit: UnitId) -> bool {
        !self.ground.june_marsh.is_empty() && self.supply_of(state, unit) == Supply::Overland
    }

    /// The area that a unit may not leave: 6th SS Corps the Baltic republics, the Kerch command the Crimea, Axis satellites the
    /// south (8.3e, 8.3h, 10.22).
    pub(crate) fn home_area(&self, unit: UnitId) -> Option<HexSet> {
        if Some(unit) == self.cast.sixth_ss {
            return Some(self.ground.baltics);
        }
        if Some(unit) == self.cast.kerch_command {
            return Some(self.ground.cs_area);
        }
        self.is_axis_satellite(unit).then(|| self.ground.land - self.ground.north)
    }

    /// Whether a hex lies in the area that a unit may not leave.
    fn check_home(&self, unit: UnitId, to: Hex) -> Result<(), Violation> {
        if self.home_area(unit).is_none_or(|area| area.contains(to)) {
            return Ok(());
        }
        ensure!("8.3e", Some(unit) != self.cast.sixth_ss, "{} does not leave the Baltic republics", unit);
        ensure!("8.3h", Some(unit) != self.cast.kerch_command, "{} does not leave the Crimea area", unit);
        refuse!("10.22", "no Axis satellite goes north to {}", to)
    }

    /// Whether a unit may enter a hex from an adjacent one by land, whatever it costs and whoever is there: in movement, advance
    /// and retreat alike (5.11, 8.3, 10.13 to 10.15, 10.22, R116).
    pub(crate) fn check_prohibitions(
        &self,
        state: &State,
        unit: UnitId,
        from: Hex,
        to: Hex,
        retreat: bool,
    ) -> Result<(), Violation> {
        let mut barred = Barred::default();
        // Those two may retreat out of their area (R70).
        let bound = !(retreat && [self.cast.sixth_ss, self.cast.kerch_command].contains(&Some(unit)));
        barred.add(self, state, unit, bound);
        let mut law = Law::new(self.ground.statute(self.payer(state, unit)));
        barred.lay(self, &mut law);
        law.check(from, to)
    }
}

/// Hexes that units may not enter or leave, with their cases.
#[derive(Default)]
struct Barred {
    beyond_bounds: HexSet,
    north: HexSet,
    beyond_baltics: HexSet,
    beyond_crimea: HexSet,
    /// To Soviet units on turn 1.
    hungary: HexSet,
    romania: HexSet,
    /// Countries that the German side does not leave on turn 1, the first of which it does not enter either, and all beyond them.
    from_hungary: HexSet,
    beyond_hungary: HexSet,
    from_romania: HexSet,
    beyond_romania: HexSet,
    /// To the German side always (10.15b), to the Soviet side until turn 7 (10.15a).
    sivash: Option<Side>,
}

impl Barred {
    /// Adds what is barred to a unit; to its area it is `bound` or not.
    fn add(&mut self, rules: &Barbarossa, state: &State, unit: UnitId, bound: bool) {
        let ground = &rules.ground;
        if let Some(bounds) = rules.bounds_set() {
            self.beyond_bounds = ground.land - bounds;
        }
        if rules.is_axis_satellite(unit) {
            self.north = ground.north;
        }
        if bound && Some(unit) == rules.cast.sixth_ss {
            self.beyond_baltics = ground.land - ground.baltics;
        }
        if bound && Some(unit) == rules.cast.kerch_command {
            self.beyond_crimea = ground.land - ground.cs_area;
        }
        let side = rules.side(unit);
        if state.turn == 1 {
            match side {
                Side::Soviet => {
                    self.hungary = ground.hungary;
                    self.romania = ground.romania;
                }
                Side::Axis => {
                    self.from_hungary = ground.hungary;
                    self.beyond_hungary = ground.land - ground.hungary;
                    self.from_romania = ground.romania;
                    self.beyond_romania = ground.land - ground.romania;
                }
            }
        }
        if side == Side::Axis || state.turn < SIVASH {
            self.sivash = Some(side);
        }
    }

    fn lay<'a>(&'a self, rules: &'a Barbarossa, law: &mut Law<'a>) {
        let mut bar = |hexes: &'a HexSet, case, why| {
            if !hexes.is_empty() {
                law.add(Term::bar(entering(hexes), Bar::new(case, why, [About::To])));
            }
        };
        bar(&self.beyond_bounds, case("10.21"), "{} is beyond the part of the map that is played on");
        bar(&self.north, case("10.22"), "no Axis satellite goes north to {}");
        bar(&self.beyond_baltics, case("8.3e"), "{} is not in the Baltic republics");
        bar(&self.beyond_crimea, case("8.3h"), "{} is not in the Crimea area");
        bar(&self.hungary, case("5.11c"), "no Soviet unit goes to Hungary on turn 1: {}");
        bar(&self.romania, case("5.11c"), "no Soviet unit goes to Romania on turn 1: {}");
        if !self.from_hungary.is_empty() {
            let why = Bar::plain(case("5.11b"), "nobody leaves Hungary on turn 1");
            law.add(Term::bar(leaving(&self.from_hungary).entering(&self.beyond_hungary), why));
            let why = Bar::plain(case("5.11b"), "nobody goes to Hungary on turn 1");
            law.add(Term::bar(leaving(&self.beyond_hungary).entering(&self.from_hungary), why));
        }
        if !self.from_romania.is_empty() {
            let why = Bar::plain(case("5.11a"), "nobody leaves Romania on turn 1");
            law.add(Term::bar(leaving(&self.from_romania).entering(&self.beyond_romania), why));
        }
        if let Some(side) = self.sivash {
            let why = match side {
                Side::Axis => Bar::plain(case("10.15b"), "the Sivash is closed to the German side"),
                Side::Soviet => Bar::plain(case("10.15a"), "the Sivash is closed until turn 7"),
            };
            law.add(Term::bar(crossing(&rules.ground.sivash_side), why));
        }
    }
}

/// Units on their way, with what stands in it.
struct March<'a> {
    rules: &'a Barbarossa,
    state: &'a State,
    moving: &'a Moving,
    side: Side,
    from: Hex,
    crowded: HexSet,
    satellite: bool,
    barred: Barred,
    /// How each sort of them pays, and the least that one of the sort has left.
    sorts: [Option<(Payer, u8)>; 3],
    fresh: bool,
}

impl<'a> March<'a> {
    #[inline(always)] // it is large, and would be copied
    fn new(rules: &'a Barbarossa, state: &'a State, moving: &'a Moving) -> Option<March<'a>> {
        let first = moving.units.first()?;
        let from = state.hex(first)?;
        let side = rules.side(first);
        let mut march = March {
            rules,
            state,
            moving,
            side,
            from,
            crowded: rules.crowded_hexes(state, side, moving.units.len()),
            satellite: false,
            barred: Barred::default(),
            sorts: [None; 3],
            fresh: true,
        };
        for unit in moving.units.iter() {
            march.barred.add(rules, state, unit, true);
            march.satellite |= rules.counter(unit).stacks_alone();
            march.fresh &= state.marked(unit, Marks::FRESH);
            let left = state.unit(unit).left;
            let sort = &mut march.sorts[rules.sort(state, unit)];
            let payer = sort.map_or_else(|| rules.payer(state, unit), |(payer, _)| payer);
            *sort = Some((payer, sort.map_or(left, |(_, least)| least.min(left))));
        }
        Some(march)
    }

    fn law(&self, payer: Payer) -> Law<'_> {
        let mut law = Law::new(self.rules.ground.statute(payer));
        self.barred.lay(self.rules, &mut law);
        self.rules.bar_crowds(&mut law, self.state, self.side, &self.crowded, self.satellite);
        law
    }

    fn is_sea_bound(&self) -> bool {
        self.moving.units.iter().any(|unit| self.rules.is_ica(unit))
    }

    /// The only sort of units, when there is only one.
    fn only_sort(&self) -> Option<(Payer, u8)> {
        match self.sorts {
            [Some(sort), None, None] | [None, Some(sort), None] | [None, None, Some(sort)] => Some(sort),
            _ => None,
        }
    }

    fn sorts(&self) -> impl Iterator<Item = (Payer, u8)> {
        self.sorts.into_iter().flatten()
    }

    /// Hexes that the units can go to.
    fn reach(&self, reach: &mut Reach) -> HexSet {
        if self.is_sea_bound() {
            return HexSet::EMPTY;
        }
        let far = match self.only_sort() {
            Some((payer, left)) => {
                self.law(payer).spread(reach, &[self.from], Mp::whole(u16::from(left)));
                *reach.hexes() - HexSet::of(self.from)
            }
            None => HexSet::EMPTY,
        };
        let beside = self.rules.map.neighbours(self.from).map(|(_, hex)| hex);
        beside.filter(|hex| self.check_step(*hex).is_ok()).collect::<HexSet>() | far
    }

    /// Whether all can go to an adjacent hex: each pays its own cost (10.7), or all that it has if it has spent nothing (10.3).
    fn check_step(&self, to: Hex) -> Result<(), Violation> {
        for (payer, left) in self.sorts() {
            let law = self.law(payer);
            law.check(self.from, to)?;
            let cost = step_cost(&law, self.from, to);
            let affords = self.fresh || cost.is_some_and(|cost| cost <= left);
            let needed = cost.unwrap_or(0);
            ensure!("10.10a", affords, "{} costs {} MP, and {} are left", to, needed, left);
        }
        Ok(())
    }

    fn check_go(&self, to: Hex) -> Result<(), Violation> {
        let units = self.moving.units;
        let Some(first) = units.first() else { refuse!("10.1b", "nobody is on the way") };
        ensure!("10.1b", self.from != to, "{} is in {} already", first, to);
        ensure!("10.34b", !self.is_sea_bound(), "{} goes by sea only", first);
        if self.rules.map.grid().adjacent(self.from, to) && self.check_step(to).is_ok() {
            return Ok(());
        }
        let Some((payer, left)) = self.only_sort() else {
            ensure!(
                "10.7",
                self.rules.map.grid().adjacent(self.from, to),
                "stacks of both classes go hex by hex"
            );
            return self.check_step(to);
        };
        let (law, left) = (self.law(payer), Mp::whole(u16::from(left)));
        match with_reach(|reach| law.why_not(reach, self.from, to, left)) {
            None => Ok(()),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) => {
                refuse!("10.1b", "{} needs {} MP to reach {} and has {}", first, short.needed, to, short.has)
            }
            Some(WhyNot::NoWay) => refuse!("10.1b", "no lawful path leads {} to {}", first, to),
        }
    }

    /// Everything but stopping.
    fn list(&self, answers: &mut Vec<Action>) {
        let (rules, state, units) = (self.rules, self.state, self.moving.units);
        for unit in state.units.in_hex(self.from) {
            if rules.check_join_move(state, self.moving, unit).is_ok() {
                answers.push(Action::Join { unit });
            }
        }
        answers.extend(with_reach(|reach| self.reach(reach)).iter().map(|hex| Action::Go { hex }));
        rules.list_assaults(state, units, self.from, answers);
        if rules.check_cross(state, units).is_ok() {
            answers.push(Action::Cross);
        }
        rules.list_voyages(state, units, self.from, answers);
        if rules.check_exit_together(state, units).is_ok() {
            answers.push(Action::Exit);
        }
    }

    /// The way to a hex that can be reached, with what each hex costs each sort.
    fn path(&self, to: Hex) -> Vec<Hex> {
        if let Some((payer, left)) = self.only_sort() {
            let left = Mp::whole(u16::from(left));
            let path = with_reach(|reach| {
                self.law(payer).spread(reach, &[self.from], left);
                reach.path(to)
            });
            if let Some(path) = path {
                return path.into_iter().skip(1).collect();
            }
        }
        vec![to]
    }
}

/// What an adjacent hex costs, if nothing bars it.
fn step_cost(law: &Law<'_>, from: Hex, to: Hex) -> Option<u8> {
    match law.step(from, to) {
        board::Step::Enter(cost) | board::Step::EnterAndStop(cost) => Some(cost.floor() as u8),
        board::Step::Closed => None,
    }
}

impl Barbarossa {
    /// Goes to a hex, entering each on the way, as long as the game goes on.
    fn go(&self, state: &mut State, moving: &Moving, to: Hex, play: &mut Play<Event>) {
        let (path, laws) = {
            let Some(march) = March::new(self, state, moving) else { return };
            let path = march.path(to);
            let mut at = march.from;
            let mut costs: Vec<[u8; 3]> = Vec::new();
            for &hex in &path {
                let cost = |sort: Option<(Payer, u8)>| {
                    sort.and_then(|(payer, _)| step_cost(&march.law(payer), at, hex)).unwrap_or(0)
                };
                costs.push(march.sorts.map(cost));
                at = hex;
            }
            (path, costs)
        };
        if let Some(Moving { gone, .. }) = state.stack.top_mut() {
            *gone = true;
        }
        // The German player sees where a unit comes from or ends up on top, not what passes between (11.7a).
        let on_top = state.units.in_hex(to).next().is_none();
        let first = moving.units.first();
        let seen = moving.units.filter(|unit| self.is_seen(state, unit) || on_top && Some(unit) == first);
        for (hex, costs) in path.into_iter().zip(laws) {
            for unit in moving.units.iter() {
                let cost = costs[self.sort(state, unit)];
                self.step_into(state, unit, hex, cost, seen.contains(unit), play);
            }
            if state.stack.is_empty() {
                return; // Moscow has fallen (4.15a)
            }
            self.call_satellites(state, moving.units, hex, play);
        }
    }

    /// Enters one hex of a way.
    fn step_into(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Hex,
        cost: u8,
        seen: bool,
        play: &mut Play<Event>,
    ) {
        let spent = cost.min(state.unit(unit).left);
        state.change(unit, |unit| {
            unit.left -= spent;
            unit.marks.clear(Marks::FRESH);
        });
        self.put(state, unit, hex, play);
        let entered = Event::Entered { unit: unit.into(), hex, cost: spent.into() };
        play.tell_of(self.side(unit), seen, entered);
    }

    /// The way of [`Barbarossa::go`] with every part of its cost, also where that is more than the units have.
    pub(crate) fn route_to(&self, state: &State, moving: &Moving, to: Hex) -> Option<display::Route> {
        let march = March::new(self, state, moving)?;
        let (payer, left) = march.only_sort()?;
        let law = march.law(payer);
        with_reach(|reach| law.cheapest_route(reach, march.from, to, Mp::whole(u16::from(left))))
    }

    /// The hexes that a unit could reach if it moved now with its usual factor.
    pub(crate) fn reach_of(&self, state: &State, unit: UnitId) -> HexSet {
        let moving = Moving { units: Units::of(unit), gone: false };
        let Some(mut march) = March::new(self, state, &moving) else { return HexSet::EMPTY };
        let points = self.movement_factor(state, unit);
        for (_, left) in march.sorts.iter_mut().flatten() {
            *left = points;
        }
        with_reach(|reach| march.reach(reach))
    }

    // The Kerch Strait (10.14).

    /// One stack a phase that began it on the shore; it moves no further (10.14a, R59).
    fn check_cross(&self, state: &State, units: Units) -> Result<(), Violation> {
        let Some(from) = units.first().and_then(|unit| state.hex(unit)) else {
            refuse!("10.14a", "nobody is on the way")
        };
        let far = self.ground.kerch.and_then(|(a, b)| match from {
            _ if from == a => Some(b),
            _ if from == b => Some(a),
            _ => None,
        });
        let Some(to) = far else { refuse!("10.14a", "{} does not lie on the Kerch Strait", from) };
        ensure!("10.14a", !state.has(Fact::KerchUsed), "a stack has crossed the strait in this phase");
        let began = units.iter().all(|unit| state.marked(unit, Marks::FRESH));
        ensure!("10.14a", began, "only who began the phase in {} crosses from there", from);
        for unit in units.iter() {
            ensure!("10.34b", !self.is_ica(unit), "{} goes between its ports only", unit);
            self.check_room_for(state, unit, to, units.len())?;
            self.check_home(unit, to)?;
        }
        Ok(())
    }

    fn cross(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        let from = units.first().and_then(|unit| state.hex(unit));
        let far = self.ground.kerch.map(|(a, b)| if Some(a) == from { b } else { a });
        let Some(to) = far else { return };
        state.note(Fact::KerchUsed);
        for unit in units.iter() {
            self.finish(state, unit);
            state.mark(unit, Marks::CROSSED);
            self.put(state, unit, to, play);
            let seen = self.is_seen(state, unit);
            play.tell_of(self.side(unit), seen, Event::Crossed { unit: unit.into(), hex: to });
        }
        self.call_satellites(state, units, to, play);
        state.stack.pop_if::<Moving>();
    }

    /// A unit has moved for good in this phase.
    pub(crate) fn finish(&self, state: &mut State, unit: UnitId) {
        state.change(unit, |unit| {
            unit.left = 0;
            unit.marks.clear(Marks::UNDERWAY | Marks::FRESH);
            unit.marks.set(Marks::MOVED);
        });
    }

    // The sea (10.16, 10.17, 10.34).

    fn list_voyages(&self, state: &State, units: Units, from: Hex, answers: &mut Vec<Action>) {
        let ports = self.ground.black_ports | self.ground.baltic_ports;
        if !ports.contains(from) {
            return;
        }
        let open = ports.iter().filter(|hex| self.check_sail(state, units, *hex).is_ok());
        answers.extend(open.map(|hex| Action::Sail { hex }));
    }

    fn check_sail(&self, state: &State, units: Units, to: Hex) -> Result<(), Violation> {
        let Some(unit) = units.first().filter(|_| units.len() == 1) else {
            refuse!("10.16a", "one corps goes by sea alone")
        };
        let Some(from) = state.hex(unit) else { refuse!("10.16a", "{} is not on the map", unit) };
        if self.is_ica(unit) {
            return self.check_ica(state, unit, to);
        }
        if self.ground.baltic_ports.contains(from) {
            self.check_baltic(state, unit, from, to)?;
        } else {
            self.check_black_sea(state, unit, from, to)?;
        }
        self.check_home(unit, to)?;
        self.check_room(state, unit, to)
    }

    fn is_infantry_corps(&self, unit: UnitId) -> bool {
        self.is_german(unit) && self.arm(unit) == Arm::Infantry && !self.counter(unit).is_army()
    }

    /// One infantry corps a phase between German ports; it does nothing else in the player turn (10.16).
    fn check_black_sea(&self, state: &State, unit: UnitId, from: Hex, to: Hex) -> Result<(), Violation> {
        let ports = &self.ground.black_ports;
        ensure!("10.16a", self.is_infantry_corps(unit), "{} is no German infantry corps", unit);
        let way = from != to && ports.contains(from) && ports.contains(to);
        ensure!("10.16a", way, "no voyage leads from {} to {}", from, to);
        let used = state.has(Fact::BlackSeaUsed);
        ensure!("10.16a", !used, "a corps has gone by the Black Sea in this phase");
        let began = state.marked(unit, Marks::FRESH);
        ensure!("10.16b", began, "{} did not begin the phase in {}, or has moved", unit, from);
        let busy = state.marked(unit, Marks::FOUGHT | Marks::RAILED);
        ensure!("10.16b", !busy, "{} has attacked or moved in this player turn", unit);
        ensure!("10.16a", state.controls(Side::Axis, from), "{} is not German", from);
        ensure!("10.16a", state.controls(Side::Axis, to), "{} is not German", to);
        Ok(())
    }

    /// The same in the Baltic (10.17).
    fn check_baltic(&self, state: &State, unit: UnitId, from: Hex, to: Hex) -> Result<(), Violation> {
        ensure!("10.17a", self.is_infantry_corps(unit), "{} is no German infantry corps", unit);
        let way = from != to && self.ground.baltic_ports.contains(to);
        ensure!("10.17a", way, "no voyage leads from {} to {}", from, to);
        let used = state.has(Fact::BalticUsed);
        ensure!("10.17a", !used, "a corps has gone by the Baltic in this phase");
        let began = state.marked(unit, Marks::FRESH);
        ensure!("10.17b", began, "{} did not begin the phase in {}, or has moved", unit, from);
        let busy = state.marked(unit, Marks::FOUGHT | Marks::RAILED);
        ensure!("10.17b", !busy, "{} has attacked or moved in this player turn", unit);
        ensure!("10.17a", state.controls(Side::Axis, from), "{} is not German", from);
        ensure!("10.17a", state.controls(Side::Axis, to), "{} is not German", to);
        Ok(())
    }

    /// The port of the coastal army at which it is not (10.34a).
    pub(crate) fn other_port(&self, hex: Hex) -> Option<Hex> {
        match hex {
            _ if Some(hex) == self.ground.odessa => self.ground.sevastopol,
            _ if Some(hex) == self.ground.sevastopol => self.ground.odessa,
            _ => None,
        }
    }

    /// Whether the coastal army may go to its other port (10.34b, 10.34c).
    pub(crate) fn check_ica(&self, state: &State, unit: UnitId, to: Hex) -> Result<(), Violation> {
        let other = state.hex(unit).and_then(|hex| self.other_port(hex));
        ensure!("10.34b", other == Some(to), "{} goes between Odessa and Sevastopol only", unit);
        ensure!("10.34c", state.controls(Side::Soviet, to), "{} is not Soviet any more", to);
        self.check_room(state, unit, to)
    }

    fn sail(&self, state: &mut State, units: Units, to: Hex, play: &mut Play<Event>) {
        let Some(unit) = units.first() else { return };
        if !self.is_ica(unit) {
            let black = self.ground.black_ports.contains(to);
            state.note(if black { Fact::BlackSeaUsed } else { Fact::BalticUsed });
            state.mark(unit, Marks::SAILED);
        }
        self.finish(state, unit);
        self.put(state, unit, to, play);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Sailed { unit: unit.into(), hex: to });
        state.stack.pop_if::<Moving>();
    }

    // Off the map.

    fn check_exit_together(&self, state: &State, units: Units) -> Result<(), Violation> {
        match units.first().filter(|_| units.len() == 1) {
            Some(unit) => self.check_exit(state, unit),
            None => refuse!("10.21", "units leave the map one by one"),
        }
    }
}
