//! 12.5: replacements: what the Variable Reinforcement Table brings, and the steps that are rebuilt with it.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::charts::{Kind, MOST_POINTS};
use crate::schedule::Draft;
use crate::sequence::not_asked;
use crate::stacking::LIMIT;
use crate::{
    Action, Arm, Event, HexSet, Level, Marks, Mode, Ocs, Off, Paying, Place, Procedure, Reinforcement,
    Reorganization, State, Units,
};

phrases! {
    /// Replacements arrive together in a place that their owner chooses (12.5.a).
    pub struct Receiving {
        side: Side,
        pax: u8,
        eq: u8,
        trucks: u8,
        wagons: u8,
        /// By the Variable Reinforcement Table, not by the schedule.
        rolled: bool,
        /// The line of the table or the schedule.
        row: u8,
    } = "receiving", "12.5.a", "{side} receives replacements";
}

impl Frame<Ocs> for Receiving {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("12.5.a", "say where the replacements arrive"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for hex in self.hexes(rules, state).iter() {
            let modes = [Mode::Move, Mode::Strategic];
            let able = modes.into_iter().filter(|mode| self.check_mode(rules, state, hex, *mode).is_ok());
            answers.extend(able.map(|mode| Action::Receive { hex, mode }));
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Receive { hex, mode } = action else { return Err(not_asked(state)) };
        let open = self.hexes(rules, state).contains(hex);
        ensure!("12.5.a", open, "these replacements do not arrive in {}", hex);
        self.check_mode(rules, state, hex, mode)
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Receive { hex, mode } = action {
            self.receive(rules, state, hex, mode, play);
        }
    }

    /// With one place and nothing that has a mode there is nothing to choose; what can arrive nowhere does not.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        match answers[..] {
            [] => {
                state.stack.pop();
            }
            [Action::Receive { hex, mode }] => self.receive(rules, state, hex, mode, play),
            _ => return true,
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = matches!(around.below.first(), Some(Procedure::Reinforcement(Reinforcement { side })) if *side == self.side);
        let row = usize::from(self.row);
        let line = match self.rolled {
            true => {
                rules.schedule.variable.get(row).map(|line| (line.side, line.turns.contains(&state.turn)))
            }
            false => rules.schedule.shipments.get(row).map(|line| (line.side, line.turn == state.turn)),
        };
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1 || !around.above.is_empty();
        below && line == Some((self.side, true)) && self.is_in_countermix(rules, state) && asks
    }
}

impl Receiving {
    fn places<'a>(&self, rules: &'a Ocs) -> &'a [String] {
        let row = usize::from(self.row);
        let places = if self.rolled {
            rules.schedule.variable.get(row).map(|line| &line.places)
        } else {
            rules.schedule.shipments.get(row).map(|line| &line.places)
        };
        places.map_or(&[], |places| places)
    }

    fn is_in_countermix(&self, rules: &Ocs, state: &State) -> bool {
        let free = |arm: Arm| rules.free_repls(state, self.side, arm).count();
        free(Arm::Pax) >= usize::from(self.pax)
            && free(Arm::Eq) >= usize::from(self.eq)
            && self.pax + self.eq + self.trucks + self.wagons > 0
    }

    /// Own hexes of those that are named, with room for them (12.6.c).
    fn hexes(&self, rules: &Ocs, state: &State) -> HexSet {
        let own = rules.own_places(state, self.side, self.places(rules));
        let size = self.pax + self.eq;
        own.iter().filter(|hex| rules.stacked(state, *hex, self.side).saturating_add(size) <= LIMIT).collect()
    }

    /// Replacements are in Move or Strategic Move Mode, trucks in none (12.5.b, 12.2c.a).
    fn check_mode(&self, rules: &Ocs, state: &State, hex: Hex, mode: Mode) -> Result<(), Violation> {
        let movable = matches!(mode, Mode::Move | Mode::Strategic);
        ensure!("12.5.b", movable, "replacements are in Move or Strategic Move Mode only");
        if mode == Mode::Strategic {
            ensure!("12.2c.a", self.pax + self.eq > 0, "trucks and wagons have no mode");
            let near = rules.adjacent_to(state, hex, self.side.enemy());
            ensure!("5.8b.a", !near, "{} is next to an enemy unit", hex);
        }
        Ok(())
    }

    fn receive(&self, rules: &Ocs, state: &mut State, hex: Hex, mode: Mode, play: &mut Play<Event>) {
        state.stack.pop();
        for (arm, number) in [(Arm::Pax, self.pax), (Arm::Eq, self.eq)] {
            let repls: Vec<UnitId> = rules.free_repls(state, self.side, arm).take(number.into()).collect();
            for unit in repls {
                rules.put(state, unit, hex, play);
                play.tell(Event::Arrived { unit, hex });
                state.units.change(unit, |unit| {
                    unit.steps = 1;
                    unit.marks = Marks::MOVE;
                    if mode == Mode::Strategic {
                        unit.marks.set(Marks::STRATEGIC);
                    }
                });
            }
        }
        rules.add_points(state, self.side, false, hex, self.trucks);
        rules.add_points(state, self.side, true, hex, self.wagons);
    }
}

phrases! {
    /// A rebuilt unit is given a mode (12.5a.d).
    pub struct Refitting { unit: UnitId } = "refitting", "12.5a.d", "{unit} is rebuilt";
}

impl Frame<Ocs> for Refitting {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("12.5a.d", "{} is rebuilt: say in which mode", self.unit))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let able = Mode::ALL.iter().filter(|mode| self.check_mode(rules, state, **mode).is_ok());
        answers.extend(able.map(|mode| Action::Mode { unit: self.unit, mode: *mode }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Mode { unit, mode } = action else { return Err(not_asked(state)) };
        ensure!("12.5a.d", unit == self.unit, "{} is not the unit that was rebuilt", unit);
        self.check_mode(rules, state, mode)
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        if let Action::Mode { unit, mode } = action {
            rules.set_mode(state, unit, mode, play);
            state.unmark(unit, Marks::CHOSEN);
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = rules.counter(self.unit).has_modes();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = around.on::<Reorganization>().is_some_and(|it| it.side == rules.side(self.unit));
        below && state.marked(self.unit, Marks::REBUILT) && state.hex(self.unit).is_some()
    }
}

impl Refitting {
    /// Any mode that it could choose; a DG marker stays (R115).
    fn check_mode(&self, rules: &Ocs, state: &State, mode: Mode) -> Result<(), Violation> {
        let Some(hex) = state.hex(self.unit) else { return Err(not_asked(state)) };
        let dg = state.marked(self.unit, Marks::DG) && !matches!(mode, Mode::Combat | Mode::Move);
        ensure!("5.10e.b", !dg, "{} is disorganized", self.unit);
        rules.check_arrival_mode(state, self.unit, hex, mode)
    }
}

impl Ocs {
    /// Repl counters that are not in use.
    fn free_repls<'a>(&'a self, state: &'a State, side: Side, arm: Arm) -> impl Iterator<Item = UnitId> + 'a {
        self.roster.iter().filter(move |unit| {
            let counter = self.counter(*unit);
            counter.side == side
                && counter.arm == arm
                && matches!(state.units[*unit].place, Place::Pool | Place::Dead)
        })
    }

    /// The Variable Reinforcement Table of a side (2.3.I.3c, 12.5.a).
    pub(crate) fn roll_for_replacements(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        if self.settings.is_off(Off::Replacements) {
            return;
        }
        let turn = state.turn;
        let rows = || {
            let lines = self.schedule.variable.iter().enumerate();
            lines.filter(move |(_, line)| line.side == side && line.turns.contains(&turn))
        };
        let Some((_, any)) = rows().next() else { return };
        let roll = play.roll_sum(side, any.dice.into(), 6, "replacements", case("12.5.a")) as i32;
        let found = rows().find(|(_, line)| line.rolls.contains(&(roll + line.modifier)));
        if let Some((row, line)) = found {
            self.receive_draft(state, side, line.draft, (true, row), play);
        }
    }

    /// Brings replacements on, as many as the countermix holds.
    pub(crate) fn receive_draft(
        &self,
        state: &mut State,
        side: Side,
        draft: Draft,
        (rolled, row): (bool, usize),
        play: &mut Play<Event>,
    ) {
        let free = |arm: Arm| self.free_repls(state, side, arm).count() as u8;
        let (pax, eq) = (draft.pax.min(free(Arm::Pax)), draft.eq.min(free(Arm::Eq)));
        let Draft { trucks, wagons, .. } = draft;
        if pax + eq + trucks + wagons > 0 {
            play.tell(Event::Drafted { side, pax, eq, trucks, wagons });
            state.stack.push(Receiving { side, pax, eq, trucks, wagons, rolled, row: row as u8 });
        }
    }

    /// Truck or wagon points appear in a hex: on counters there, or on those out of the countermix.
    pub(crate) fn add_points(&self, state: &mut State, side: Side, wagon: bool, hex: Hex, points: u8) {
        let mut left = points;
        let own =
            |unit: &UnitId| self.side(*unit) == side && self.counter(*unit).kind == Kind::Transport { wagon };
        while left > 0 {
            let room = |unit: &UnitId| {
                let now = &state.units[*unit];
                now.place == Place::Pool || now.place == Place::Hex(hex) && now.steps < MOST_POINTS
            };
            // A counter that is there comes before a new one.
            let mut fits: Vec<UnitId> = self.roster.iter().filter(own).filter(room).collect();
            fits.sort_by_key(|unit| state.units[*unit].place == Place::Pool);
            let Some(unit) = fits.first().copied() else { return };
            left = state.units.change(unit, |unit| {
                if unit.place == Place::Pool {
                    unit.place = Place::Hex(hex);
                    unit.steps = 0;
                }
                let more = left.min(MOST_POINTS - unit.steps);
                unit.steps += more;
                left - more
            });
        }
    }

    /// How many more truck points there are counters for in a hex.
    pub(crate) fn room_for_points(&self, state: &State, side: Side, hex: Hex) -> u16 {
        let room = |unit: UnitId| match state.units[unit].place {
            Place::Pool => MOST_POINTS,
            Place::Hex(at) if at == hex => MOST_POINTS - state.units[unit].steps,
            _ => 0,
        };
        let trucks = self.roster.iter().filter(|unit| self.is_truck(*unit, side));
        trucks.map(|unit| u16::from(room(unit))).sum()
    }

    /// The truck points of a side in a hex.
    pub(crate) fn truck_points(&self, state: &State, side: Side, hex: Hex) -> u8 {
        let trucks = state.units.in_hex(hex).filter(|unit| self.is_truck(*unit, side));
        trucks.map(|unit| state.units[unit].steps).fold(0, u8::saturating_add)
    }

    fn is_truck(&self, unit: UnitId, side: Side) -> bool {
        self.side(unit) == side && self.counter(unit).kind == Kind::Transport { wagon: false }
    }

    /// Takes truck points off the map; what they carried and nobody else can lies on the ground.
    pub(crate) fn take_points(&self, state: &mut State, side: Side, hex: Hex, points: u8) {
        let trucks: Vec<UnitId> = state.units.in_hex(hex).filter(|unit| self.is_truck(*unit, side)).collect();
        let mut left = points;
        for unit in trucks {
            let taken = left.min(state.units[unit].steps);
            left -= taken;
            self.lose_points(state, unit, taken);
        }
    }

    pub(crate) fn rebuild_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let repls = |unit: &UnitId| self.side(*unit) == side && self.counter(*unit).is_repl();
        let hexes: HexSet = self.roster.iter().filter(repls).filter_map(|unit| state.hex(unit)).collect();
        for hex in hexes.iter().filter(|hex| self.check_depot(state, side, *hex).is_ok()) {
            let able = |unit: &UnitId| self.check_rebuild(state, side, *unit, hex).is_ok();
            answers.extend(self.roster.iter().filter(able).map(|unit| Action::Rebuild { unit, hex }));
            let converts = |unit: &UnitId| self.check_convert(state, side, *unit).is_ok();
            let units = state.units.in_hex(hex).filter(converts);
            answers.extend(units.map(|unit| Action::Convert { unit }));
        }
    }

    /// With a friendly HQ or next to one, and not next to the enemy, whoever else is there (12.5a.b).
    fn check_depot(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        let off = self.settings.is_off(Off::Replacements);
        ensure!("12.5.a", !off, "there are no replacements in this scenario");
        let near: HexSet = self.map.neighbours(hex).map(|(_, near)| near).chain([hex]).collect();
        let hq = self.hqs(state, side).any(|(at, _)| near.contains(at));
        ensure!("12.5a.b", hq, "no HQ is in {} or next to it", hex);
        let enemy = self.adjacent_to(state, hex, side.enemy());
        ensure!("12.5a.b", !enemy, "{} is next to an enemy unit", hex);
        Ok(())
    }

    /// The Repls of a type in a hex, those in the best supply first.
    fn repls_in(&self, state: &State, side: Side, hex: Hex, arm: Arm) -> Vec<UnitId> {
        let own = |unit: &UnitId| self.side(*unit) == side && self.counter(*unit).arm == arm;
        let mut repls: Vec<UnitId> = state.units.in_hex(hex).filter(own).collect();
        repls.sort_by_key(|unit| self.level(state, *unit));
        repls
    }

    /// A step of a unit there, or of one that is dead or was never in play, for what the chart says (12.5a.a to 12.5a.f, R115).
    pub(crate) fn check_rebuild(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("12.5a.f", counter.side == side, "{} is the enemy's", unit);
        let Some(row) = self.schedule.rebuild(counter.arm) else {
            refuse!("12.5a.a", "a unit like {} is not rebuilt", unit)
        };
        self.check_depot(state, side, hex)?;
        let now = &state.units[unit];
        ensure!("12.5a.e", !now.marks.has(Marks::REBUILT), "{} has regained a step in this Overphase", unit);
        match now.place {
            Place::Hex(at) => {
                ensure!("12.5a.b", at == hex, "{} is not in {}", unit, hex);
                ensure!("12.5a.c", now.steps < counter.steps, "{} has lost no step", unit);
            }
            Place::Dead | Place::Pool => {}
            _ => refuse!("12.5a.f", "{} is not in the countermix", unit),
        }
        let has = |arm: Arm, needed: u8| self.repls_in(state, side, hex, arm).len() >= needed.into();
        let enough = has(Arm::Pax, row.pax) && has(Arm::Eq, row.eq);
        ensure!("12.5a.a", enough, "a step takes {} Pax and {} Eq in {}", row.pax, row.eq, hex);
        let points = self.truck_points(state, side, hex);
        ensure!("12.5a.a", points >= row.trucks, "a step takes {} truck points in {}", row.trucks, hex);
        if row.tokens > 0 {
            let there = self.tokens_for_works(state, side, &HexSet::of(hex));
            ensure!("12.5a.a", there >= row.tokens.into(), "a step takes {}T", row.tokens);
        }
        let step = if counter.size == crate::Size::Division { 4 } else { counter.re };
        let more = if now.place == Place::Hex(hex) { step.min(4) } else { step };
        let height = (self.stacked(state, hex, side) + more).saturating_sub(row.pax + row.eq);
        ensure!("4.2a", height <= LIMIT, "more than 10 REs would be in {}", hex);
        Ok(())
    }

    /// The Repls go back to the countermix; a unit that comes anew has the lowest of their supply levels (R97, R98).
    pub(crate) fn rebuild(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let side = self.side(unit);
        let Some(row) = self.schedule.rebuild(self.counter(unit).arm) else { return };
        let mut used: Vec<UnitId> = Vec::new();
        for (arm, needed) in [(Arm::Pax, row.pax), (Arm::Eq, row.eq)] {
            used.extend(self.repls_in(state, side, hex, arm).into_iter().take(needed.into()));
        }
        let level = used.iter().map(|repl| self.level(state, *repl)).max().unwrap_or(Level::Full);
        for repl in used {
            self.return_repl(state, repl);
        }
        self.take_points(state, side, hex, row.trucks);
        if state.hex(unit).is_none() {
            state.units.change(unit, |unit| {
                unit.steps = 0;
                unit.marks = Marks::default();
                unit.marks.set(match level {
                    Level::Full => Marks::default(),
                    Level::Low => Marks::LOW,
                    Level::None => Marks::UNSUPPLIED,
                });
            });
            self.put(state, unit, hex, play);
        }
        let steps = state.units.change(unit, |unit| {
            unit.steps += 1;
            unit.marks.set(Marks::REBUILT);
            unit.steps
        });
        play.tell(Event::Rebuilt { unit, steps });
        state.stack.push(Refitting { unit });
        if row.tokens > 0 {
            let (tokens, units) = (row.tokens.into(), Units::of(unit));
            state.stack.push(Paying { side, tokens, units, by: None, works: true, base: None });
        }
    }

    fn return_repl(&self, state: &mut State, repl: UnitId) {
        state.units.change(repl, |repl| {
            repl.place = Place::Pool;
            repl.steps = 1;
            repl.marks = Marks::default();
        });
    }

    /// Equipment may become truck points where units are rebuilt (12.5a.f).
    pub(crate) fn check_convert(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.5a.f", self.side(unit) == side, "{} is the enemy's", unit);
        let eq = self.counter(unit).arm == Arm::Eq && self.schedule.points_for_eq > 0;
        ensure!("12.5a.a", eq, "{} does not become truck points", unit);
        let Some(hex) = state.hex(unit) else { refuse!("12.5a.b", "{} is not on the map", unit) };
        self.check_depot(state, side, hex)?;
        let room = self.room_for_points(state, side, hex);
        ensure!("12.5a.f", room >= self.schedule.points_for_eq.into(), "there is no truck counter left");
        Ok(())
    }

    pub(crate) fn convert(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let (side, Some(hex)) = (self.side(unit), state.hex(unit)) else { return };
        self.return_repl(state, unit);
        let points = self.schedule.points_for_eq;
        self.add_points(state, side, false, hex, points);
        play.tell(Event::Converted { unit, points });
    }
}
