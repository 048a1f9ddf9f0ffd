//! 7.3: the Movement Action. What a step costs and what bars it stands in [`march`](crate::march).

use std::rc::Rc;

use board::{Hex, Mp};
use engine::display::Route;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Viewer, Violation, phrases, refuse, remark};

use crate::march::March;
use crate::sequence::not_asked;
use crate::{
    Action, Bug, CheckCause, Ending, Event, HexSet, Manner, Marks, Pace, Presence, Procedure, State, Units,
    Window,
};

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
        /// The hex that a bonus move must begin with, or else lead back to (7.5.3g, 7.5.3h).
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
            let (goals, crossings) = march.goals_and_crossings();
            answers.extend(goals.iter().map(|hex| Action::Go { hex }));
            answers.extend(crossings.iter().map(|hex| Action::Cross { hex }));
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
                let near = || rules.opens_window(state, &rules.presence(state), units, self.barred);
                if self.open && near() {
                    play.reveal(rules.side_of_all(units));
                    state.stack.push(Window { leaving });
                }
            }
            Pace::Depart if manner == Manner::Sneak => {
                set_pace(state, Pace::Infiltrate);
                rules.begin_checks(state, CheckCause::Infiltration, units);
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
        let mut march = rules.march(state, &rules.presence(state), units, boats)?;
        (march.spent, march.fresh, march.touched, march.first) = (spent, fresh, touched, [ahead, back]);
        Some(march)
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
        match march.step_toward(goal, self.manner) {
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
        let Some(March { units, side, at: from, .. }) = self.march(rules, state) else { return };
        let presence = rules.presence(state);
        let told = if last { Mp::whole(rules.allowance(units)) } else { cost };
        let by_boat = presence.wet_sides(rules).between(from, to);
        let near = presence.near_enemies(rules, side).contains(to);
        let swamped = rules.swamped(units, from, to);
        // The enemy sees who leaves the top of a stack or lands on one, not what lies beneath.
        let before = units.filter(|unit| rules.is_seen(state, unit));
        rules.put_all(state, units, to, play);
        // A pontoon bridge that the step has cost shelters nobody and endangers nobody (10.3f, R69).
        let lone = rules.lone_hqs_near(state, side.enemy(), to);
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
            touched: self.touched || near,
            ahead: None,
            back: self.back.filter(|back| self.goal == Some(*back) && to != *back),
            lone,
            barred: self.barred | barred,
            pace: Pace::Arrive,
            goal: self.goal.filter(|_| !last),
            ..*self
        });
        rules.begin_checks(state, CheckCause::Marsh, swamped);
    }

    /// Entering an enemy zone of control ends the move (5.4.1a).
    fn stop_in_ezoc(&self, rules: &Bug, state: &mut State) {
        let Some(at) = self.units.first().and_then(|unit| state.hex(unit)) else { return };
        if rules.presence(state).in_ezoc(rules.side_of_all(self.units), at) {
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
    /// Begins to move; `first` are the hexes that a bonus move must begin with (7.5.3g, 7.5.3h).
    pub(crate) fn begin_moving(
        &self,
        state: &mut State,
        units: Units,
        open: bool,
        first: (Option<Hex>, Option<Hex>),
    ) {
        let presence = self.presence(state);
        let side = self.side_of_all(units);
        let near = presence.near_enemies(self, side);
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
        state.stack.top::<Moving>()?.march(self, state)?.route(goal)
    }

    /// The hexes that a stack could go to in a Movement Action that begins now, infiltration apart.
    pub(crate) fn goals_of(&self, state: &State, presence: &Rc<Presence>, units: Units, boats: u8) -> HexSet {
        self.march(state, presence, units, boats).map_or(HexSet::EMPTY, |march| march.all_goals())
    }

    /// The hexes that units of a side in sight could reach in one Movement Action, each alone.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let presence = self.presence(state);
        let known = |unit: UnitId| viewer.is_told(side) || self.is_seen(state, unit);
        let able = self.on_map(state, side).map(|(unit, _)| unit);
        let able = able.filter(|unit| !self.is_hq(*unit) && known(*unit) && !state.is_disrupted(*unit));
        able.fold(HexSet::EMPTY, |reach, unit| reach | self.goals_of(state, &presence, Units::of(unit), 0))
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

    /// AFV units that go into a marsh and do not follow a road (5.6e, R40).
    pub(crate) fn swamped(&self, units: Units, from: Hex, to: Hex) -> Units {
        let marsh = self.ground.marsh.contains(to) && !self.ground.roads.between(from, to);
        units.filter(|unit| marsh && self.is_afv(unit))
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
