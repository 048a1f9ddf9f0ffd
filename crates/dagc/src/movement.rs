//! 9: movement.

use std::cell::RefCell;

use board::{Dir, Field, Hex, HexSet, Mp, Step};
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Viewer, Violation, case, ensure, phrases, refuse, remark};

use crate::ground::Payer;
use crate::sequence::{not_asked, phase};
use crate::{Action, Dagc, Ending, Event, Marks, Phase, Position, Procedure, SharedRoll, State, Supply};

/// The movement factor of activated units on turn 1 (2.10b).
const BAGRATION_MOVEMENT: u8 = 8;

/// The most movement points that a situation may give a unit on its way.
const MOST_POINTS: u8 = 20;

phrases! {
    /// A movement phase.
    pub struct Movement { side: Side } = "movement", "9.1", "{side} movement phase";
}

impl Frame<Dagc> for Movement {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        (self.side, remark!("9.2b", "move a unit, or end the movement phase"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        for (unit, _) in rules.on_map(state, self.side) {
            let both = [Action::Move { unit }, Action::Top { unit }];
            answers.extend(both.into_iter().filter(|action| self.check(rules, state, *action).is_ok()));
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit } => rules.check_begin(state, self.side, unit),
            Action::Top { unit } if self.side == Side::Soviet => rules.check_top(state, unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit } => rules.begin_move(state, unit, play),
            Action::Top { unit } => rules.top(state, unit, play),
            _ => state.stack.push(Ending {}),
        }
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Movement))
    }
}

phrases! {
    /// A unit on its way, with the points it has left.
    pub struct Moving { unit: UnitId, left: u8 } = "moving", "9.2d", "{unit} moves";
}

impl Frame<Dagc> for Moving {
    fn asked(&self, rules: &Dagc, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("9.2d", "go on with {} MP, or stop", self.left))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        rules.moving_answers(state, self.unit, self.left, answers);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Go { hex } => rules.check_go(state, self.unit, self.left, hex),
            Action::Stop => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Go { hex } => rules.go(state, self.unit, self.left, hex, play),
            _ => {
                state.stack.pop();
            }
        }
    }

    /// A unit that can go nowhere has moved.
    fn go_on(&self, rules: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        let stuck = rules.is_stuck(state, self.unit, self.left);
        if stuck {
            state.stack.pop();
        }
        !stuck
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some_and(|phase| phase.side == rules.side(self.unit))
            && around.above.is_empty()
            && self.left <= MOST_POINTS
            && state.hex(self.unit).is_some()
            && !rules.is_fortified(self.unit)
    }
}

/// Space that movement works in: after the first time nothing is allocated. It holds nothing between calls.
#[derive(Default)]
struct Scratch {
    field: Field,
    path: Vec<Hex>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A unit on its way: what its next steps cost.
struct Route<'a> {
    rules: &'a Dagc,
    state: &'a State,
    unit: UnitId,
    side: Side,
    payer: Payer,
    /// The position without the unit itself.
    position: Position,
    /// Hexes that it may enter, hexsides apart.
    open: HexSet,
    /// The one crossing of the narrows is still possible.
    narrows: bool,
    /// Goes from zone of control to zone of control in entrenchments (5.4c).
    exempt: bool,
}

impl Dagc {
    /// Whether a unit may begin to move in its movement phase.
    fn check_begin(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("9.2e", self.side(unit) == side, "{} moves in its own player turn", unit);
        ensure!("2.2b", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("2.10c", !self.is_fortified(unit), "{} is a fortified locality and never moves", unit);
        ensure!("9.2c", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        let bound = state.turn == 1 && side == Side::Soviet && !state.marked(unit, Marks::ACTIVATED);
        ensure!("5.4a", !bound, "{} was not activated: on turn 1 only activated Soviet units move", unit);
        Ok(())
    }

    /// Tests supply (7.1a) and finds the movement points: the printed factor, or dice for units that are out of
    /// supply (7.3) or interdicted (13.3).
    fn begin_move(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let position = Position::new(self, state);
        let supply = self.supply_of(state, &position, unit);
        let interdicted = state.marked(unit, Marks::INTERDICTED);
        let points = match (supply, interdicted) {
            (Supply::Out, false) => self.shared_roll(state, unit, hex, play),
            (Supply::Out, true) => {
                let own = self.shared_roll(state, unit, hex, play);
                own.saturating_sub(play.roll(Side::Soviet, 6, "interdiction", case("13.3c")) as u8)
            }
            (_, true) => play.roll(Side::Axis, 6, "movement under interdiction", case("13.3b")) as u8,
            (_, false) => self.movement_factor(state, unit),
        };
        state.mark(unit, Marks::MOVED);
        let seen = self.is_seen(state, unit);
        let began = Event::Began { unit: unit.into(), hex, supply: supply.into(), points: points.into() };
        play.tell_of(self.side(unit), seen, began);
        state.stack.push(Moving { unit, left: points });
    }

    /// 7, 10 for the Fifth Panzer Army, 8 for activated units on turn 1 (2.10).
    fn movement_factor(&self, state: &State, unit: UnitId) -> u8 {
        let activated = state.turn == 1 && state.marked(unit, Marks::ACTIVATED);
        if activated { BAGRATION_MOVEMENT } else { self.counter(unit).movement }
    }

    /// One die for all units out of supply that began the phase in this hex (7.3b, R18).
    fn shared_roll(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) -> u8 {
        if let Some(shared) = state.rolls.iter().find(|shared| shared.hex == hex) {
            return shared.roll;
        }
        let roll = play.roll(self.side(unit), 6, "movement out of supply", case("7.3a")) as u8;
        state.rolls.push(SharedRoll { hex, roll }); // there is room for a die of every unit
        roll
    }

    /// Where 1st Ukrainian Front may be while it is confined: its area, and the Soviet side of the entrenchments
    /// (10.2b, 10.2d, R41).
    pub(crate) fn confined_away(&self, unit: UnitId, hex: Hex) -> bool {
        self.is_1uf(unit)
            && !self.switches.free_1uf
            && !self.ground.uf_area.contains(hex)
            && !self.ground.soviet_at_start.contains(hex)
    }

    /// The hexes that pass [`Dagc::check_hex`], all at once.
    fn open_hexes(&self, position: &Position, unit: UnitId) -> HexSet {
        let ground = &self.ground;
        let side = self.side(unit);
        let mut open = ground.land - position.held[side.enemy()] - position.full;
        match side {
            Side::Axis => open -= ground.soviet_entrenchments,
            Side::Soviet if self.is_1uf(unit) => {
                open -= position.held.soviet - position.uf;
                if !self.switches.free_1uf {
                    open &= ground.uf_area | ground.soviet_at_start;
                }
            }
            Side::Soviet => open -= position.uf,
        }
        open
    }

    /// Hexes and hexsides that no unit of this sort may enter or cross, whatever it has to spend: in movement,
    /// retreat and advance alike (6.9, 6.10b, 9.7, 9.11, 9.12, R41). Stacking counts too (6.5).
    pub(crate) fn check_entry(
        &self,
        position: &Position,
        unit: UnitId,
        from: Hex,
        dir: Dir,
        to: Hex,
    ) -> Result<(), Violation> {
        let wet = self.ground.lake_or_sea.iter().any(|layer| layer.has(from, dir));
        ensure!("9.7", !wet, "lake or sea lies between {} and {}", from, to);
        self.check_hex(position, unit, to)
    }

    /// The part of it that has nothing to do with where the unit comes from.
    fn check_hex(&self, position: &Position, unit: UnitId, to: Hex) -> Result<(), Violation> {
        ensure!("9.7", self.ground.land.contains(to), "{} is lake or sea", to);
        let entrenched = self.side(unit) == Side::Axis && self.ground.soviet_entrenchments.contains(to);
        ensure!("9.12", !entrenched, "no German unit may enter the Soviet entrenchment in {}", to);
        ensure!(
            "10.2b",
            !self.confined_away(unit, to),
            "{} may not leave the area of 1st Ukrainian Front",
            unit
        );
        self.check_room(position, unit, to)
    }

    /// What a unit can reach from where it is with the points it has left, put into the field; with the one crossing
    /// of the narrows or without it.
    fn spread(&self, state: &State, unit: UnitId, left: u8, crossing: bool, field: &mut Field) {
        let Some(from) = state.hex(unit) else { return };
        let mut route = Route::new(self, state, unit, from);
        route.narrows &= crossing;
        field.spread(&self.map, from, Mp::whole(u16::from(left)), |from, dir, to| route.step(from, dir, to));
    }

    pub(crate) fn moving_answers(&self, state: &State, unit: UnitId, left: u8, answers: &mut Vec<Action>) {
        if left > 0 {
            let at = state.hex(unit);
            SCRATCH.with_borrow_mut(|Scratch { field, .. }| {
                self.spread(state, unit, left, true, field);
                answers.extend(
                    field.reached().filter(|(hex, _)| Some(*hex) != at).map(|(hex, _)| Action::Go { hex }),
                );
            });
        }
        answers.push(Action::Stop);
    }

    fn check_go(&self, state: &State, unit: UnitId, left: u8, to: Hex) -> Result<(), Violation> {
        let Some(at) = state.hex(unit) else { refuse!("2.2b", "{} is not on the map", unit) };
        ensure!("9.2d", at != to, "{} is in {} already", unit, to);
        SCRATCH.with_borrow_mut(|Scratch { field, .. }| {
            self.spread(state, unit, left, true, field);
            if field.cost(to).is_some() {
                return Ok(());
            }
            self.explain(state, unit, left, at, to, field)
        })
    }

    /// Why a hex cannot be reached.
    fn explain(
        &self,
        state: &State,
        unit: UnitId,
        left: u8,
        at: Hex,
        to: Hex,
        field: &mut Field,
    ) -> Result<(), Violation> {
        let route = Route::new(self, state, unit, at);
        match self.map.grid().dir_between(at, to) {
            Some(dir) => route.check(at, dir, to)?,
            None => self.check_hex(&route.position, unit, to)?,
        }
        let unlimited = Mp::whole(u16::from(u8::MAX));
        field.spread(&self.map, at, unlimited, |from, dir, to| route.step(from, dir, to));
        match field.cost(to) {
            Some(cost) => refuse!("9.3", "{} needs {} MP to reach {} and has {}", unit, cost, to, left),
            None => refuse!("9.2d", "no lawful path leads {} to {}", unit, to),
        }
    }

    /// Goes to a hex by the cheapest path, entering each hex on the way. The narrows are crossed only where no other
    /// way leads there: they can be crossed but once (9.8a).
    fn go(&self, state: &mut State, unit: UnitId, left: u8, to: Hex, play: &mut Play<Event>) {
        SCRATCH.with_borrow_mut(|Scratch { field, path }| {
            self.find_path(state, unit, left, to, field, path);
            let spent = |hex: Hex| field.cost_to_go_on(hex).map_or(0, |cost| cost.floor() as u8);
            // The German player sees where a unit comes from or ends up on top, not what passes between (6.8b).
            let seen = self.is_seen(state, unit) || state.stack_in(to).is_empty();
            for step in path.windows(2) {
                self.cross_narrows(state, step[0], step[1], play);
                self.put(state, unit, step[1], play);
                let (hex, cost) = (step[1], spent(step[1]) - spent(step[0]));
                let entered = Event::Entered { unit: unit.into(), hex, cost: cost.into() };
                play.tell_of(self.side(unit), seen, entered);
                if self.sudden_death(state) {
                    break;
                }
            }
            if let Some(Moving { left, .. }) = state.stack.top_mut() {
                *left -= spent(to);
            }
        });
    }

    fn find_path(
        &self,
        state: &State,
        unit: UnitId,
        left: u8,
        to: Hex,
        field: &mut Field,
        path: &mut Vec<Hex>,
    ) {
        self.spread(state, unit, left, false, field);
        if field.cost(to).is_none() {
            self.spread(state, unit, left, true, field);
        }
        field.path_into(to, path);
    }

    /// The path of [`Dagc::go`] with every part of its cost.
    pub(crate) fn route_to(&self, state: &State, unit: UnitId, left: u8, to: Hex) -> Option<display::Route> {
        let from = state.hex(unit)?;
        let route = Route::new(self, state, unit, from);
        SCRATCH.with_borrow_mut(|Scratch { field, path }| {
            self.find_path(state, unit, left, to, field, path);
            let leg = |step: &[Hex]| {
                let dir = self.map.grid().dir_between(step[0], step[1])?;
                Some(display::Leg { hex: step[1], parts: route.parts(step[0], dir, step[1]) })
            };
            let legs = path.windows(2).filter_map(leg).collect();
            Some(display::Route { from, has: Mp::whole(u16::from(left)), legs })
        })
    }

    /// The hexes that the units of a side which the viewer sees could reach with their printed factors, if they could
    /// move now.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let seen = |unit: UnitId| viewer.is_told(side) || self.is_seen(state, unit);
        let units = self.on_map(state, side).filter(|(unit, _)| seen(*unit) && !self.is_fortified(*unit));
        SCRATCH.with_borrow_mut(|Scratch { field, .. }| {
            let mut reach = HexSet::EMPTY;
            for (unit, _) in units {
                self.spread(state, unit, self.counter(unit).movement, true, field);
                reach.extend(field.reached().map(|(hex, _)| hex));
            }
            reach
        })
    }

    fn cross_narrows(&self, state: &mut State, from: Hex, to: Hex, play: &mut Play<Event>) {
        let across =
            self.map.grid().dir_between(from, to).is_some_and(|dir| self.ground.narrows_side.has(from, dir));
        if across {
            state.narrows_used = true;
            play.tell(Event::NarrowsCrossed);
        }
    }

    /// True when the unit on its way can enter no adjacent hex.
    fn is_stuck(&self, state: &State, unit: UnitId, left: u8) -> bool {
        let Some(at) = state.hex(unit) else { return true };
        let route = Route::new(self, state, unit, at);
        let enough = |cost: u8| cost <= left;
        left == 0
            || !self
                .map
                .neighbours(at)
                .any(|(dir, to)| route.check(at, dir, to).is_ok() && enough(route.cost(at, dir, to)))
    }
}

impl<'a> Route<'a> {
    fn new(rules: &'a Dagc, state: &'a State, unit: UnitId, at: Hex) -> Route<'a> {
        let mut position = Position::new(rules, state);
        let side = rules.side(unit);
        // The unit itself is no friend in its own way.
        match state.stack_in(at).len() {
            0 | 1 => position.held[side].remove(at),
            2 => position.full.remove(at),
            _ => false,
        };
        let narrows = side == Side::Soviet && !state.narrows_used && rules.narrows_are_soviet(state);
        let payer = match side {
            Side::Axis => Payer::German,
            Side::Soviet if rules.is_cav_mech(unit) => Payer::CavMech,
            Side::Soviet => Payer::Soviet,
        };
        let open = rules.open_hexes(&position, unit);
        let exempt = rules.is_exempt_from_entrenchments(state, unit);
        Route { rules, state, unit, side, payer, position, open, narrows, exempt }
    }

    fn friends(&self) -> &HexSet {
        &self.position.held[self.side]
    }

    /// Whether the step is lawful, whatever it costs.
    fn check(&self, from: Hex, dir: Dir, to: Hex) -> Result<(), Violation> {
        let rules = self.rules;
        rules.check_entry(&self.position, self.unit, from, dir, to)?;
        let narrows = rules.ground.narrows_side.has(from, dir);
        ensure!("9.8c", !narrows || self.side == Side::Soviet, "no German unit may cross the narrows");
        ensure!(
            "9.8a",
            !narrows || !self.state.narrows_used,
            "the narrows have been crossed, which is possible once"
        );
        ensure!("9.8b", !narrows || self.narrows, "both hexes of the narrows must be Soviet-controlled");
        let barred = !self.exempt && rules.entrenchment_bars(&self.position, self.side, from, to);
        ensure!(
            "8.3d",
            !barred,
            "{} lies in a German entrenchment and both hexes in German zones of control",
            to
        );
        Ok(())
    }

    /// Terrain, river, partisans, zones of control, friends: all add up (R51).
    fn cost(&self, from: Hex, dir: Dir, to: Hex) -> u8 {
        let ground = &self.rules.ground;
        let wet = ground.river.has(from, dir) || ground.narrows_side.has(from, dir); // 9.6, 9.8a
        let friends = u8::from(self.friends().contains(from)) + u8::from(self.friends().contains(to)); // 6.4
        let zones = self.rules.zoc_cost(&self.position, self.side, from, to);
        ground.cost(self.payer, to) + u8::from(wet) + friends + zones
    }

    /// What the cost of a step is made of.
    fn parts(&self, from: Hex, dir: Dir, to: Hex) -> Vec<display::Cost> {
        let ground = &self.rules.ground;
        let partisans = u8::from(self.payer == Payer::German && ground.partisans.contains(to));
        let part = |what: &'static str, points: u8, case| display::Cost {
            what,
            cost: Mp::whole(u16::from(points)),
            case,
        };
        let terrain = match self.payer {
            Payer::CavMech => case("12.3a"),
            _ => case("9.5a"),
        };
        let parts = [
            part("terrain", ground.cost(self.payer, to) - partisans, terrain),
            part("partisans", partisans, case("9.9a")),
            part("river", u8::from(ground.river.has(from, dir)), case("9.6")),
            part("narrows", u8::from(ground.narrows_side.has(from, dir)), case("9.8a")),
            part("leaving a friend", u8::from(self.friends().contains(from)), case("6.4a")),
            part("entering a friend's hex", u8::from(self.friends().contains(to)), case("6.4b")),
            part("leaving a zone of control", u8::from(self.position.in_ezoc(self.side, from)), case("8.3b")),
            part("entering a zone of control", u8::from(self.position.in_ezoc(self.side, to)), case("8.3a")),
        ];
        let parts: Vec<_> = parts.into_iter().filter(|part| part.cost > Mp::ZERO).collect();
        debug_assert_eq!(
            parts.iter().map(|part| part.cost).sum::<Mp>(),
            Mp::whole(u16::from(self.cost(from, dir, to)))
        );
        parts
    }

    /// The same as `check` and `cost`, without saying why not.
    fn step(&self, from: Hex, dir: Dir, to: Hex) -> Step {
        let ground = &self.rules.ground;
        let lawful = self.open.contains(to)
            && !ground.lake_or_sea.iter().any(|layer| layer.has(from, dir))
            && (self.narrows || !ground.narrows_side.has(from, dir))
            && (self.exempt || !self.rules.entrenchment_bars(&self.position, self.side, from, to));
        debug_assert!(!lawful || self.check(from, dir, to).is_ok());
        if lawful { Step::Enter(Mp::whole(u16::from(self.cost(from, dir, to)))) } else { Step::Closed }
    }
}
