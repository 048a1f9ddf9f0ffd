//! 7.3: the Movement Action.

use std::cell::RefCell;

use board::{Dir, Field, Hex, Mp, Step};
use engine::display::{Cost, Leg, Route};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Viewer, Violation, case, ensure, phrases, refuse, remark};

use crate::ground::{Between, Gait};
use crate::sequence::not_asked;
use crate::{
    Action, Bug, Ending, Event, HexSet, Manner, Marks, Pace, Position, Procedure, State, Trial, Units, Window,
};

/// What Leg units that keep away from the enemy can move further (7.3.5a).
const LEG_BONUS: u16 = 2;

/// Leg units that can cross the Bug by boat in an activation (7.3.8a).
const BOATS: u8 = 2;

/// Space that movement works in: after the first time nothing is allocated. It holds nothing between calls.
#[derive(Default)]
struct Scratch {
    plain: Field,
    free: Field,
    path: Vec<Hex>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// A stack on its way.
struct March<'a> {
    rules: &'a Bug,
    state: &'a State,
    position: Position,
    units: Units,
    side: Side,
    at: Hex,
    spent: Mp,
    /// No step has been made.
    fresh: bool,
    /// Has been next to an enemy unit.
    touched: bool,
    /// Where a bonus move must begin.
    first: [Option<Hex>; 2],
    gaits: [bool; 3],
    boats: u8,
    /// Hexes next to any enemy unit (7.3.5a, R41).
    near_enemy: HexSet,
}

phrases! {
    /// A Movement Action.
    pub struct Moving {
        units: Units,
        /// Movement Points spent.
        spent: Mp,
        /// No step has been made.
        fresh: bool,
        /// Has been next to an enemy unit.
        touched: bool,
        /// The enemy may still try to react (6.4.1d).
        open: bool,
        pace: Pace,
        goal: Option<Hex>,
        manner: Manner,
        /// Hexes that a bonus move must begin with (7.5.3g, 7.5.3h).
        ahead: Option<Hex>,
        back: Option<Hex>,
        /// Enemy HQs that the step has left to be displaced (7.3.6a).
        lone: Units,
        /// Formations whose HQs this move has displaced, a bit each (7.3.6b).
        barred: u16,
    } = "moving", "7.3a", "{units} move";
}

impl Frame<Bug> for Moving {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        (rules.side_of_all(self.units), remark!("7.3a", "go to a hex, or stop"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        if let Some(march) = self.march(rules, state) {
            SCRATCH.with_borrow_mut(|scratch| {
                march.spread(scratch);
                answers.extend(march.goals(scratch).iter().map(|hex| Action::Go { hex }));
                answers.extend(march.crossings(scratch).iter().map(|hex| Action::Cross { hex }));
            });
            answers.extend(march.infiltrations().iter().map(|hex| Action::Infiltrate { hex }));
        }
        answers.push(Action::Stop);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let Some(march) = self.march(rules, state) else { refuse!("7.3a", "nobody moves") };
        match action {
            Action::Go { hex } => march.check(hex, Manner::Path),
            Action::Cross { hex } => march.check(hex, Manner::Straight),
            Action::Infiltrate { hex } => march.check_infiltration(hex),
            Action::Stop => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Go { hex } => {
                // An adjacent hex is entered straight where that can be paid for, whatever detour might be cheaper: so a
                // stack can be led hex by hex.
                let straight = self.march(rules, state).is_some_and(|march| march.straight(hex).is_some());
                self.send(state, hex, if straight { Manner::Straight } else { Manner::Path });
            }
            Action::Cross { hex } => self.send(state, hex, Manner::Straight),
            Action::Infiltrate { hex } => self.send(state, hex, Manner::Sneak),
            _ => self.end(rules, state, play),
        }
    }

    /// Takes the stack further, in the order in which a step happens (R35).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let Moving { units, manner, .. } = *self;
        match self.pace {
            Pace::Choose => return self.choose_goal(rules, state, play),
            Pace::Leave | Pace::Settle => {
                let leaving = self.pace == Pace::Leave;
                set_pace(state, if leaving { Pace::Depart } else { Pace::Choose });
                if !leaving {
                    self.stop_in_ezoc(rules, state);
                }
                let near = || rules.opens_window(state, &Position::new(rules, state), units, self.barred);
                if self.open && near() {
                    play.reveal(rules.side_of_all(units));
                    state.stack.push(Window { leaving });
                }
            }
            Pace::Depart if manner == Manner::Sneak => {
                set_pace(state, Pace::Infiltrate);
                rules.begin_checks(state, Trial::Infiltration, units);
            }
            Pace::Depart => self.next_step(rules, state, play),
            Pace::Infiltrate => self.infiltrate(rules, state, play),
            Pace::Arrive => {
                set_pace(state, Pace::Displace);
                // An AFV unit that fails in the marsh stops the whole stack (5.6e, R44).
                if units.iter().any(|unit| state.is_disrupted(unit)) {
                    spend_all(state);
                }
            }
            Pace::Displace => match self.lone.first() {
                Some(hq) => {
                    let mut lone = self.lone;
                    lone.remove(hq);
                    state.stack.replace(Moving { lone, ..*self });
                    rules.begin_displacement(state, hq);
                }
                None => set_pace(state, Pace::Settle),
            },
        }
        false
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        rules.stand_together(state, self.units) && !around.is_outermost()
    }
}

fn set_pace(state: &mut State, pace: Pace) {
    if let Some(moving) = state.stack.top_mut::<Moving>() {
        moving.pace = pace;
    }
}

/// No points are left.
fn spend_all(state: &mut State) {
    if let Some(moving) = state.stack.top_mut::<Moving>() {
        (moving.spent, moving.goal) = (Mp::MAX, None);
    }
}

impl Moving {
    fn march<'a>(&self, rules: &'a Bug, state: &'a State) -> Option<March<'a>> {
        let Moving { units, spent, fresh, touched, ahead, back, .. } = *self;
        let boats = rules.activation_of(state, rules.side_of_all(units)).map_or(0, |active| active.boats);
        let march = March::new(rules, state, Position::new(rules, state), units, boats)?;
        Some(March { spent, fresh, touched, first: [ahead, back], ..march })
    }

    /// Sends the stack to a hex in a manner of its own.
    fn send(&self, state: &mut State, hex: Hex, manner: Manner) {
        state.stack.replace(Moving { goal: Some(hex), pace: Pace::Leave, manner, ..*self });
    }

    /// On to the goal, or the owner chooses another; when there is nowhere to go the move is over.
    fn choose_goal(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(march) = self.march(rules, state) else {
            self.end(rules, state, play);
            return false;
        };
        if self.goal.is_some_and(|goal| goal != march.at) {
            set_pace(state, Pace::Leave);
            return false;
        }
        let arrived = march.is_at_an_end();
        if arrived {
            self.end(rules, state, play);
        } else {
            state.stack.replace(Moving { goal: None, ..*self });
        }
        !arrived
    }

    /// Makes the next step toward the goal by the cheapest path.
    fn next_step(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        let Some(goal) = self.goal else { return set_pace(state, Pace::Choose) };
        let Some(march) = self.march(rules, state) else { return self.end(rules, state, play) };
        let step = SCRATCH.with_borrow_mut(|scratch| {
            march.spread(scratch);
            march.step_toward(goal, self.manner, scratch)
        });
        match step {
            Some((to, cost, last)) => self.enter(rules, state, to, cost, last, play),
            None => state.stack.replace(Moving { goal: None, pace: Pace::Choose, ..*self }),
        }
    }

    /// Those who passed slip through, those who failed stay (7.3.4b, R38).
    fn infiltrate(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        let units = self.units.filter(|unit| state.hex(unit).is_some() && !state.is_disrupted(unit));
        let passed = Moving { units, ..*self };
        match self.goal.filter(|_| !units.is_empty()) {
            Some(goal) => passed.enter(rules, state, goal, Mp::MAX, true, play),
            None => state.stack.replace(Ending {}),
        }
    }

    /// Enters a hex. `last` when the whole allowance is spent on it (7.3.2b, 7.3.4a, 7.3.7b).
    fn enter(&self, rules: &Bug, state: &mut State, to: Hex, cost: Mp, last: bool, play: &mut Play<Event>) {
        let Some(march) = self.march(rules, state) else { return };
        let (units, side, from, near) = (march.units, march.side, march.at, march.near_enemy);
        let told = if last { Mp::whole(march.plain()) } else { cost };
        let Some(dir) = rules.map.grid().dir_between(from, to) else { return };
        let by_boat = rules.is_unbridged_river(state, from, dir, to);
        let marsh = rules.ground.marsh.contains(to) && rules.ground.road(from, dir, Gait::Afv).is_none();
        let swamped = units.filter(|unit| marsh && rules.is_afv(unit));
        let lone = rules.lone_hqs_near(state, side.enemy(), to);
        // The enemy sees who leaves the top of a stack or lands on one, not what lies beneath.
        let before = units.filter(|unit| rules.is_seen(state, unit));
        rules.put_all(state, units, to, play);
        for unit in units.iter() {
            let seen = before.contains(unit) || rules.is_seen(state, unit);
            play.tell_of(side, seen, Event::Entered { unit: unit.into(), hex: to, cost: told.into() });
        }
        if self.fresh {
            rules.end_improvement(state, from, play); // 7.7d; whoever only passes through ends nothing (7.7f)
        }
        if by_boat {
            rules.use_boats(state, units, play);
        }
        let barred =
            lone.iter().filter_map(|hq| rules.formation_of(hq)).fold(0, |mask, place| mask | 1 << place);
        state.stack.replace(Moving {
            spent: if last { Mp::MAX } else { self.spent + cost },
            fresh: false,
            touched: self.touched || near.contains(to),
            ahead: None,
            back: None,
            lone,
            barred: self.barred | barred,
            pace: Pace::Arrive,
            goal: self.goal.filter(|_| !last),
            ..*self
        });
        rules.begin_checks(state, Trial::Marsh, swamped);
    }

    /// Entering an enemy zone of control ends the move (5.4.1a).
    fn stop_in_ezoc(&self, rules: &Bug, state: &mut State) {
        let Some(at) = self.units.first().and_then(|unit| state.hex(unit)) else { return };
        if Position::new(rules, state).in_ezoc(rules.side_of_all(self.units), at) {
            spend_all(state);
        }
    }

    /// The move is over.
    fn end(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        rules.finish_move(state, self.units, play);
    }
}

impl Bug {
    /// Whether a stack could enter an adjacent hex as its first step, whatever that costs (7.3.2b): no enemy in it, no
    /// lake, and the unbridged Bug only by boat. From one enemy zone of control to another it infiltrates (7.3.4).
    pub(crate) fn can_enter(
        &self,
        state: &State,
        position: &Position,
        units: Units,
        from: Hex,
        to: Hex,
        boats: u8,
    ) -> Result<(), Violation> {
        let Some(dir) = self.map.grid().dir_between(from, to) else {
            refuse!("7.3.2b", "{} is not adjacent to {}", to, from)
        };
        let side = self.side_of_all(units);
        ensure!("7.3.2e", !position.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
        ensure!("7.3.2b", self.ground.land.contains(to), "{} is not in play", to);
        let lake = self.ground.between(from, dir) == Between::Lake;
        ensure!("7.3.2b", !lake, "a lake lies between {} and {}", from, to);
        if self.is_unbridged_river(state, from, dir, to) {
            ensure!("7.3.8c", side == Side::Axis, "only German Leg units cross the Bug by boat");
            for unit in units.iter() {
                ensure!(
                    "7.3.8c",
                    self.is_leg(unit),
                    "{} is no Leg unit and cannot cross the Bug by boat",
                    unit
                );
            }
            let all = boats + self.new_to_boats(state, units);
            ensure!("7.3.8a", all <= BOATS, "that would be {} units by boat, of two in an activation", all);
        }
        Ok(())
    }

    /// Who has not crossed by boat in this activation: a unit that crosses again uses no other boat (7.3.8a).
    fn new_to_boats(&self, state: &State, units: Units) -> u8 {
        units.filter(|unit| !state.marked(unit, Marks::BOATED)).len() as u8
    }

    /// Begins to move; `first` are the hexes that a bonus move must begin with (7.5.3g, 7.5.3h).
    pub(crate) fn begin_moving(
        &self,
        state: &mut State,
        units: Units,
        open: bool,
        first: (Option<Hex>, Option<Hex>),
    ) {
        let position = Position::new(self, state);
        let side = self.side_of_all(units);
        let near = self.ground.all_sides.grow(&position.held[side.enemy()]);
        let touched = units.first().and_then(|unit| state.hex(unit)).is_some_and(|hex| near.contains(hex));
        let (ahead, back) = first;
        state.stack.push(Moving {
            units,
            spent: Mp::ZERO,
            fresh: true,
            touched,
            open,
            pace: Pace::Choose,
            goal: None,
            manner: Manner::Path,
            ahead,
            back,
            lone: Units::EMPTY,
            barred: 0,
        });
    }

    /// The way that a stack would go to a hex, and what each step costs.
    pub(crate) fn route_to(&self, state: &State, goal: Hex) -> Option<Route> {
        let march = state.stack.top::<Moving>()?.march(self, state)?;
        let has = Mp::whole(march.plain()).saturating_sub(march.spent);
        let whole = Cost { what: "the whole allowance", cost: has, case: case("7.3.2b") };
        let leg = |hex, parts| Leg { hex, parts };
        let legs = SCRATCH.with_borrow_mut(|scratch| {
            march.spread(scratch);
            let Scratch { plain, free, path } = scratch;
            let direct = self.map.grid().dir_between(march.at, goal).zip(march.straight(goal));
            if let Some((dir, _)) = direct {
                return Some(vec![leg(goal, march.parts(march.at, dir, goal))]);
            }
            let field = match (plain.cost(goal), free.cost(goal)) {
                (Some(near), Some(far)) if far <= near => free,
                (Some(_), _) => plain,
                (None, Some(_)) => free,
                (None, None) => {
                    let special = march.special_steps().any(|special| special == goal);
                    return special.then(|| vec![leg(goal, vec![whole])]);
                }
            };
            field.path_into(goal, path).then_some(())?;
            let steps = path.windows(2).filter_map(|step| {
                let dir = self.map.grid().dir_between(step[0], step[1])?;
                Some(leg(step[1], march.parts(step[0], dir, step[1])))
            });
            Some(steps.collect())
        })?;
        Some(Route { from: march.at, has, legs })
    }

    /// The hexes that a stack could go to in a Movement Action that begins now, infiltration apart.
    pub(crate) fn goals_of(&self, state: &State, position: &Position, units: Units, boats: u8) -> HexSet {
        let Some(march) = March::new(self, state, position.copy(), units, boats) else {
            return HexSet::EMPTY;
        };
        SCRATCH.with_borrow_mut(|scratch| {
            march.spread(scratch);
            march.goals(scratch)
        })
    }

    /// The hexes that units of a side in sight could reach in one Movement Action, each alone.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let position = Position::new(self, state);
        let known = |unit: UnitId| viewer.is_told(side) || self.is_seen(state, unit);
        let able = self.on_map(state, side).map(|(unit, _)| unit);
        let able = able.filter(|unit| !self.is_hq(*unit) && known(*unit) && !state.is_disrupted(*unit));
        able.fold(HexSet::EMPTY, |reach, unit| reach | self.goals_of(state, &position, Units::of(unit), 0))
    }

    fn use_boats(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        let count = self.new_to_boats(state, units);
        for unit in units.iter() {
            state.mark(unit, Marks::BOATED);
        }
        if let Some(activation) = self.activation_mut(state, Side::Axis) {
            activation.boats += count;
            play.tell(Event::Boated { count: activation.boats });
        }
    }

    /// Enemy HQs without a combat unit in hexes next to one just entered; not across a lake or the unbridged Bug
    /// (7.3.6a, 7.3.6c).
    fn lone_hqs_near(&self, state: &State, enemy: Side, to: Hex) -> Units {
        let open = self.map.neighbours(to).filter(|(dir, hex)| self.is_passable(state, to, *dir, *hex));
        open.flat_map(|(_, hex)| {
            let alone = self.combat_units(state, hex).is_empty();
            self.hqs_in(state, hex).filter(|hq| alone && self.side(hq) == enemy).iter()
        })
        .collect()
    }

    /// Whoever arrives ends the Improved Defense of the hex (7.7f); stacking is looked at.
    pub(crate) fn finish_move(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        if let Some(hex) = units.first().and_then(|unit| state.hex(unit)) {
            self.end_improvement(state, hex, play);
        }
        state.stack.push(Ending {});
    }
}

impl<'a> March<'a> {
    /// A stack that begins to move; nothing when it is nowhere.
    fn new(
        rules: &'a Bug,
        state: &'a State,
        position: Position,
        units: Units,
        boats: u8,
    ) -> Option<March<'a>> {
        let at = state.hex(units.first()?)?;
        let side = rules.side_of_all(units);
        let near_enemy = rules.ground.all_sides.grow(&position.held[side.enemy()]);
        let mut gaits = [false; 3];
        for unit in units.iter() {
            gaits[Gait::of(rules.counter(unit)) as usize] = true;
        }
        let touched = near_enemy.contains(at);
        let (spent, first) = (Mp::ZERO, [None, None]);
        Some(March {
            rules,
            state,
            position,
            units,
            side,
            at,
            spent,
            fresh: true,
            touched,
            first,
            gaits,
            boats,
            near_enemy,
        })
    }

    /// The allowance of the slowest unit (7.3.1b).
    fn plain(&self) -> u16 {
        let allowance = |unit: UnitId| u16::from(self.rules.counter(unit).allowance);
        self.units.iter().map(allowance).min().unwrap_or(0)
    }

    /// The same when Leg units keep away from the enemy (7.3.5a, R41).
    fn raised(&self) -> u16 {
        let allowance = |unit: UnitId| {
            let printed = u16::from(self.rules.counter(unit).allowance);
            if self.rules.is_leg(unit) { printed + LEG_BONUS } else { printed }
        };
        self.units.iter().map(allowance).min().unwrap_or(0)
    }

    fn is_motorized(&self) -> bool {
        self.gaits[Gait::Motorized as usize] || self.gaits[Gait::Afv as usize]
    }

    /// Finds what can be reached: with the plain allowance anywhere, with the raised one away from enemies.
    fn spread(&self, scratch: &mut Scratch) {
        let left = |allowance: u16| Mp::whole(allowance).saturating_sub(self.spent);
        let map = &self.rules.map;
        scratch.plain.spread(map, self.at, left(self.plain()), |from, dir, to| self.step(from, dir, to));
        // Without a bonus the second field would be a part of the first.
        let bonus = !self.touched && self.raised() > self.plain();
        let raised = if bonus { left(self.raised()) } else { Mp::ZERO };
        scratch.free.spread(map, self.at, raised, |from, dir, to| {
            if self.near_enemy.contains(to) { Step::Closed } else { self.step(from, dir, to) }
        });
    }

    /// What a step costs, and whether it is the last. Special first steps are not among them.
    fn step(&self, from: Hex, dir: Dir, to: Hex) -> Step {
        let rules = self.rules;
        if !rules.ground.land.contains(to) || self.position.held[self.side.enemy()].contains(to) {
            return Step::Closed;
        }
        let fresh = self.fresh && from == self.at;
        let bridge = self.state.has_bridge(from, to);
        match rules.ground.between(from, dir) {
            Between::Lake => return Step::Closed,
            Between::River if !bridge && (!fresh || !self.can_boat()) => return Step::Closed,
            // Motorized units spend their whole allowance on it: a special step (7.3.7b).
            Between::Stream if self.is_motorized() => return Step::Closed,
            _ => {}
        }
        let (leaves, enters) = (self.position.in_ezoc(self.side, from), self.position.in_ezoc(self.side, to));
        if leaves && enters {
            return Step::Closed; // 5.4.1c
        }
        let cost = self.cost(from, dir, to, !leaves && !enters);
        if enters { Step::EnterAndStop(cost) } else { Step::Enter(cost) }
    }

    fn can_boat(&self) -> bool {
        let all = self.boats + self.rules.new_to_boats(self.state, self.units);
        self.side == Side::Axis && !self.is_motorized() && all <= BOATS
    }

    /// What a step costs, part by part, for the unit that pays most.
    fn parts(&self, from: Hex, dir: Dir, to: Hex) -> Vec<Cost> {
        let rules = self.rules;
        let ezoc = |hex| self.position.in_ezoc(self.side, hex);
        let by_road = !ezoc(from) && !ezoc(to);
        let cost = self.cost(from, dir, to, by_road);
        let gaits = Gait::ALL.into_iter().filter(|gait| self.gaits[*gait as usize]);
        let road = gaits.clone().filter_map(|gait| rules.ground.road(from, dir, gait)).max();
        if by_road && road == Some(cost) {
            return vec![Cost { what: "road", cost, case: case("7.3.3a") }];
        }
        let terrain = |gait: Gait| rules.ground.effect(&rules.charts.terrain, to).costs[gait as usize];
        let terrain = gaits.map(terrain).max().unwrap_or(cost).min(cost);
        let rest = cost.saturating_sub(terrain);
        let extra = match rules.ground.between(from, dir) {
            Between::Stream => Cost { what: "stream", cost: rest, case: case("7.3.7a") },
            Between::River if self.state.has_bridge(from, to) => {
                Cost { what: "pontoon bridge", cost: rest, case: case("10.3g") }
            }
            _ => Cost { what: "boat", cost: rest, case: case("7.3.8b") },
        };
        let mut parts = vec![Cost { what: "terrain", cost: terrain, case: case("7.3b") }];
        if rest > Mp::ZERO {
            parts.push(extra);
        }
        parts
    }

    /// The highest cost of any unit in the stack (R84): the road rate where it may be used (7.3.3), else terrain with
    /// what stream, boat or pontoon bridge add (7.3.7a, 7.3.8b, 10.3g).
    fn cost(&self, from: Hex, dir: Dir, to: Hex, by_road: bool) -> Mp {
        let rules = self.rules;
        let between = rules.ground.between(from, dir);
        let bridge = self.state.has_bridge(from, to);
        let cost = |gait: Gait| {
            if by_road && let Some(road) = rules.ground.road(from, dir, gait) {
                return road;
            }
            let terrain = rules.ground.effect(&rules.charts.terrain, to).costs[gait as usize];
            let extra = match between {
                Between::Stream if gait == Gait::Leg => 1,
                Between::River if bridge => u16::from(gait != Gait::Leg),
                Between::River => 1,
                _ => 0,
            };
            terrain + Mp::whole(extra)
        };
        let gaits = Gait::ALL.into_iter().filter(|gait| self.gaits[*gait as usize]);
        gaits.map(cost).max().unwrap_or(Mp::ZERO)
    }

    /// The hexes that the stack may be sent to.
    fn goals(&self, scratch: &Scratch) -> HexSet {
        if self.fresh && self.first.iter().any(Option::is_some) {
            // A bonus move begins with the hex that it is for (7.5.3g, 7.5.3h).
            return self.first.into_iter().flatten().filter(|hex| self.is_special(*hex)).collect();
        }
        let reached = scratch.plain.reached().chain(scratch.free.reached()).map(|(hex, _)| hex);
        let mut goals: HexSet = reached.filter(|hex| *hex != self.at).collect();
        goals.extend(self.special_steps());
        goals
    }

    /// Whether the stack may be sent to a hex by any way, or straight although another way leads there.
    fn check(&self, to: Hex, manner: Manner) -> Result<(), Violation> {
        SCRATCH.with_borrow_mut(|scratch| {
            self.spread(scratch);
            let open = match manner {
                Manner::Straight => self.crossings(scratch),
                _ => self.goals(scratch),
            };
            if open.contains(to) { Ok(()) } else { Err(self.why_not(to, scratch)) }
        })
    }

    /// What a direct step into an adjacent hex costs, if it can be paid for.
    fn straight(&self, to: Hex) -> Option<Mp> {
        let dir = self.rules.map.grid().dir_between(self.at, to)?;
        let left = |allowance: u16| Mp::whole(allowance).saturating_sub(self.spent);
        let free = !self.touched && !self.near_enemy.contains(to);
        let most = left(if free { self.raised() } else { self.plain() });
        match self.step(self.at, dir, to) {
            Step::Enter(cost) | Step::EnterAndStop(cost) if cost <= most => Some(cost),
            _ => None,
        }
    }

    /// No adjacent hex can be entered any more.
    fn is_at_an_end(&self) -> bool {
        let bonus = self.fresh && self.first.iter().any(Option::is_some);
        let open = |to: Hex| self.is_special(to) && self.fresh || !bonus && self.straight(to).is_some();
        let bound = |to: Hex| !bonus || self.first.contains(&Some(to));
        let mut near = self.rules.map.neighbours(self.at).map(|(_, to)| to);
        !near.any(|to| bound(to) && open(to)) && self.infiltrations().is_empty()
    }

    /// First steps that use up the whole allowance: a hex that costs more than there is (7.3.2b), or an unbridged
    /// stream for motorized units (7.3.7b). Never from one enemy zone of control to another.
    fn special_steps(&self) -> impl Iterator<Item = Hex> + '_ {
        let grid = &self.rules.map;
        grid.neighbours(self.at).map(|(_, to)| to).filter(|to| self.fresh && self.is_special(*to))
    }

    fn is_special(&self, to: Hex) -> bool {
        let ezoc = |hex| self.position.in_ezoc(self.side, hex);
        self.rules.can_enter(self.state, &self.position, self.units, self.at, to, self.boats).is_ok()
            && !(ezoc(self.at) && ezoc(to))
    }

    /// Special first steps into hexes that could also be reached another way.
    fn crossings(&self, scratch: &Scratch) -> HexSet {
        let reached = |hex: &Hex| scratch.plain.cost(*hex).is_some() || scratch.free.cost(*hex).is_some();
        let bonus = self.first.iter().any(Option::is_some);
        let detours =
            self.special_steps().filter(|hex| !bonus && self.straight(*hex).is_none() && reached(hex));
        detours.collect()
    }

    /// Where the stack may try to infiltrate (7.3.4a).
    fn infiltrations(&self) -> HexSet {
        let near = self.rules.map.neighbours(self.at).map(|(_, to)| to);
        near.filter(|to| self.check_infiltration(*to).is_ok()).collect()
    }

    fn check_infiltration(&self, to: Hex) -> Result<(), Violation> {
        ensure!("7.3.4a", self.fresh, "infiltration is the first and only step of a move");
        let rules = self.rules;
        rules.can_enter(self.state, &self.position, self.units, self.at, to, self.boats)?;
        let ezoc = |hex| self.position.in_ezoc(self.side, hex);
        ensure!("7.3.4a", ezoc(self.at), "{} is in no enemy zone of control", self.at);
        ensure!("7.3.4a", ezoc(to), "{} is in no enemy zone of control", to);
        if self.first.iter().any(Option::is_some) {
            ensure!("7.5.3g", self.first.contains(&Some(to)), "a bonus move does not begin with {}", to);
        }
        Ok(())
    }

    /// The next hex on the way, its cost, and whether it takes the whole allowance.
    fn step_toward(&self, goal: Hex, manner: Manner, scratch: &mut Scratch) -> Option<(Hex, Mp, bool)> {
        let special = || {
            let step = self.special_steps().find(|special| *special == goal);
            step.map(|goal| (goal, Mp::MAX, true))
        };
        let bonus = self.fresh && self.first.iter().any(Option::is_some);
        if bonus || manner == Manner::Straight {
            return self.straight(goal).map(|cost| (goal, cost, false)).or_else(special);
        }
        let Scratch { plain, free, path } = scratch;
        // The way that keeps off the enemy is taken where it costs no more.
        let field = match (plain.cost(goal), free.cost(goal)) {
            (Some(near), Some(far)) if far <= near => free,
            (Some(_), _) => plain,
            (None, Some(_)) => free,
            (None, None) => return special(),
        };
        field.path_into(goal, path).then_some(())?;
        let next = *path.get(1)?;
        let cost = if next == goal { field.cost(next) } else { field.cost_to_go_on(next) };
        Some((next, cost?, false))
    }

    /// Why a hex cannot be reached.
    fn why_not(&self, to: Hex, scratch: &mut Scratch) -> Violation {
        match self.explain(to, scratch) {
            Err(why) => why,
            Ok(()) => engine::remark!("7.3a", "no lawful path leads to {}", to),
        }
    }

    fn explain(&self, to: Hex, scratch: &mut Scratch) -> Result<(), Violation> {
        ensure!("7.3a", to != self.at, "the stack is in {} already", to);
        let enemy = self.position.held[self.side.enemy()].contains(to);
        ensure!("7.3.2e", !enemy, "an enemy unit is in {}", to);
        ensure!("7.3.2b", self.rules.ground.land.contains(to), "{} is not in play", to);
        if self.fresh && self.first.iter().any(Option::is_some) {
            refuse!("7.5.3g", "a bonus move begins with the hex that was left, not with {}", to);
        }
        let ezoc = |hex| self.position.in_ezoc(self.side, hex);
        if self.rules.map.grid().adjacent(self.at, to) {
            self.rules.can_enter(self.state, &self.position, self.units, self.at, to, self.boats)?;
            if let Some(dir) = self.rules.map.grid().dir_between(self.at, to).filter(|_| !self.fresh) {
                let stream =
                    self.rules.ground.between(self.at, dir) == Between::Stream && self.is_motorized();
                ensure!("7.3.7b", !stream, "motorized units cross a stream only as their first step");
                let river = self.rules.is_unbridged_river(self.state, self.at, dir, to);
                ensure!("7.3.8b", !river, "boats cross the Bug only as the first step");
            }
            ensure!(
                "5.4.1c",
                !(ezoc(self.at) && ezoc(to)),
                "{} and {} are both in enemy zones of control: only infiltration leads there",
                self.at,
                to
            );
        }
        let far = |field: &mut Field| {
            field.spread(&self.rules.map, self.at, Mp::MAX, |from, dir, to| self.step(from, dir, to));
            field.cost(to)
        };
        // As if no zone of control were there.
        let unwatched = |field: &mut Field| {
            let step = |from, dir, to| {
                let enemy = self.position.held[self.side.enemy()].contains(to);
                let open =
                    self.rules.ground.land.contains(to) && self.rules.is_passable(self.state, from, dir, to);
                if enemy || !open { Step::Closed } else { Step::Enter(Mp::ZERO) }
            };
            field.spread(&self.rules.map, self.at, Mp::MAX, step);
            field.cost(to).is_some()
        };
        match far(&mut scratch.plain) {
            Some(cost) => {
                let left = Mp::whole(self.plain()).saturating_sub(self.spent);
                refuse!("7.3.2a", "{} needs {} MP and the stack has {}", to, cost, left)
            }
            None if unwatched(&mut scratch.free) => {
                refuse!("5.4.1a", "enemy zones of control bar every way to {}", to)
            }
            None => refuse!("7.3a", "enemy units or prohibited terrain bar every way to {}", to),
        }
    }
}
