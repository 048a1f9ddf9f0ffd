//! 8: reinforcements and replacements.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::store::OnMap;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{Decision, Turn, not_asked};
use crate::stacking::LIMIT;
use crate::{
    Action, Barbarossa, Entry, Event, Fact, Marks, Matter, Place, Procedure, Removal, State, Step, Units,
    Zone,
};

/// East Wall markers (8.5a).
pub(crate) const WALLS: u8 = 10;

phrases! {
    /// A side's segment of the Mutual Administrative Phase.
    pub struct Administration { side: Side } = "administration", "5.3a", "{side} administration";
}

impl Frame<Barbarossa> for Administration {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        let prompt = match self.side {
            Side::Axis => remark!("5.3a", "enter replacements and reinforcements, or end the segment"),
            Side::Soviet => remark!("5.3b", "enter replacements and reinforcements, or end the segment"),
        };
        (self.side, prompt)
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let entries = Entries::new(rules, state, self.side);
        for unit in rules.arrivals(state, self.side).iter() {
            let hexes = rules.entry_hexes(state, &entries, unit);
            answers.extend(hexes.iter().map(|hex| Action::Place { unit, hex }));
            if rules.check_hold(state, self.side, unit).is_ok() {
                answers.push(Action::Hold { unit });
            }
            if rules.check_keep(state, unit).is_ok() {
                answers.push(Action::Keep { unit });
            }
        }
        answers.extend(rules.wall_hexes(state, self.side).iter().map(|hex| Action::Wall { hex }));
        answers.extend(rules.area_places(state, self.side).iter().map(|hex| Action::Fortify { hex }));
        if self.check_end(rules, state).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Place { unit, hex } => rules.check_place(state, self.side, unit, hex),
            Action::Hold { unit } => rules.check_hold(state, self.side, unit),
            Action::Keep { unit } if self.side == Side::Axis => rules.check_keep(state, unit),
            Action::Wall { hex } if self.side == Side::Axis => {
                ensure!("8.5a", state.walls_left > 0, "no East Wall is left to be built");
                let open = rules.wall_hexes(state, self.side).contains(hex);
                ensure!("8.5a", open, "{} is no place for an East Wall", hex);
                Ok(())
            }
            Action::Fortify { hex } if self.side == Side::Soviet => {
                ensure!("8.18a", state.area_left, "there is no fortified area to be placed");
                let open = rules.area_places(state, self.side).contains(hex);
                ensure!("8.18a", open, "{} and all six around it must be Soviet and supplied", hex);
                Ok(())
            }
            Action::End => self.check_end(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Place { unit, hex } => rules.enter(state, unit, hex, play),
            Action::Hold { unit } => rules.hold(state, unit, play),
            Action::Keep { unit } => state.change(unit, |unit| unit.go(Place::Hand)),
            Action::Wall { hex } => {
                state.walls_left -= 1;
                state.lines.insert(hex);
                play.tell(Event::WallBuilt { hex });
            }
            Action::Fortify { hex } => {
                state.area_left = false;
                state.area = Some((hex, state.turn));
                play.tell(Event::AreaPlaced { hex });
            }
            _ => {
                state.stack.pop();
                rules.end_administration(state, self.side, play);
            }
        }
    }

    /// A segment in which nothing can be done is passed over.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers != [Action::End];
        if !asks {
            state.stack.pop();
            rules.end_administration(state, self.side, play);
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        let step = match self.side {
            Side::Axis => Step::AxisAdministration,
            Side::Soviet => Step::SovietAdministration,
        };
        around.on::<Turn>().is_some_and(|turn| turn.step == step)
    }
}

impl Administration {
    /// East Walls and the fortified area must be placed while they can be (8.5b, 8.18a, R86).
    fn check_end(&self, rules: &Barbarossa, state: &State) -> Result<(), Violation> {
        let walls = rules.wall_hexes(state, self.side).is_empty();
        ensure!("8.5b", walls, "{} East Walls must be built", state.walls_left);
        ensure!("8.18a", rules.area_places(state, self.side).is_empty(), "the fortified area must be placed");
        Ok(())
    }
}

/// Where units of a side generally enter (8.1f).
pub(crate) struct Entries {
    edges: HexSet,
    cities: HexSet,
    overland: HexSet,
    /// Hexes in which a stack has been placed in this turn (8.1e).
    spent: HexSet,
}

impl Entries {
    pub(crate) fn new(rules: &Barbarossa, state: &State, side: Side) -> Entries {
        let overland = rules.overland(state, side);
        let sources = match side {
            Side::Axis => rules.ground.axis_sources,
            Side::Soviet => rules.ground.soviet_sources,
        };
        let open = state.control[side] - *state.held(side.enemy());
        Entries {
            edges: sources & open & rules.ground.land,
            cities: rules.ground.cities & open & overland,
            spent: spent_places(state),
            overland,
        }
    }
}

/// Hexes that have received a full stack in this turn, also where it has left again (8.1e).
pub(crate) fn spent_places(state: &State) -> HexSet {
    let came = || state.units.iter().filter_map(|(_, unit)| unit.came);
    let full = |hex: &Hex| came().filter(|other| other == hex).count() >= LIMIT;
    came().collect::<HexSet>().iter().filter(full).collect()
}

impl Barbarossa {
    /// What a side can replace in this turn (8.12c, 4.17a, 4.18d).
    pub(crate) fn receive_steps(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        state.steps = self.replacements(state, side);
        let [mech, foot] = state.steps;
        if mech + foot > 0 {
            play.tell(Event::StepsReceived { side, mech, foot });
        }
    }

    pub(crate) fn replacements(&self, state: &State, side: Side) -> [u8; 2] {
        match side {
            Side::Axis if state.has(Fact::Gambit) && (17..=20).contains(&state.turn) => [2, 2],
            Side::Axis if self.is_oder(state) => [4, 4],
            _ => self.charts.track.steps(state.turn, side),
        }
    }

    /// Units that could enter now: those that are due, and those that could be replaced.
    pub(crate) fn arrivals(&self, state: &State, side: Side) -> Units {
        let comes = |unit: UnitId| self.is_due(state, unit) || self.check_step(state, unit).is_ok();
        self.roster.iter().filter(|unit| self.side(*unit) == side && comes(*unit)).collect()
    }

    /// On the track for this turn or an earlier one. Armies that convert others wait for that (8.19, 8.20).
    pub(crate) fn is_due(&self, state: &State, unit: UnitId) -> bool {
        let now = state.unit(unit);
        now.place == Place::Track && now.due <= state.turn && self.counter(unit).entry != Entry::Conversion
    }

    /// Whether a unit can be brought back from the dead pile with what is left (8.12, R73).
    fn check_step(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.12a", state.unit(unit).place == Place::Dead, "{} is not in the dead pile", unit);
        let [mech, foot] = state.steps;
        match (self.side(unit), self.is_mech(unit)) {
            (Side::Axis, true) => {
                ensure!("8.12d", mech > 0, "no mechanized replacement is left for {}", unit)
            }
            (Side::Soviet, true) => {
                ensure!("8.12e", mech > 0, "no mechanized replacement is left for {}", unit)
            }
            (Side::Axis, false) => ensure!("8.12d", foot > 0, "no other replacement is left for {}", unit),
            (Side::Soviet, false) => ensure!("8.12e", mech + foot > 0, "no replacement is left for {}", unit),
        }
        Ok(())
    }

    fn spend_step(&self, state: &mut State, unit: UnitId) {
        let [mech, foot] = &mut state.steps;
        if !self.is_mech(unit) && *foot > 0 {
            *foot -= 1;
        } else {
            *mech = mech.saturating_sub(1);
        }
    }

    fn check_comes(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("5.3a", self.side(unit) == side, "{} is the enemy's", unit);
        let now = state.unit(unit);
        match now.place {
            Place::Dead => self.check_step(state, unit),
            Place::Track if self.counter(unit).entry == Entry::Conversion => {
                refuse!("8.20a", "{} takes the place of another army", unit)
            }
            Place::Track => {
                ensure!("8.1a", now.due <= state.turn, "{} is due on turn {}", unit, now.due);
                Ok(())
            }
            _ => refuse!("8.1d", "{} is neither due nor in the dead pile", unit),
        }
    }

    fn check_place(&self, state: &State, side: Side, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        self.check_comes(state, side, unit)?;
        let entries = Entries::new(self, state, side);
        if self.entry_hexes(state, &entries, unit).contains(hex) {
            return Ok(());
        }
        ensure!("8.1e", !entries.spent.contains(hex), "a full stack has been placed in {} in this turn", hex);
        self.check_room(state, unit, hex)?;
        Err(self.entry_refusal(unit, hex))
    }

    /// Why a unit does not enter in a hex that has room for it.
    fn entry_refusal(&self, unit: UnitId, hex: Hex) -> Violation {
        if self.is_axis_satellite(unit) && self.ground.zone(hex) == Zone::North {
            return remark!("10.22", "{} does not go north of the boundary", unit);
        }
        match self.counter(unit).entry {
            Entry::KgAny | Entry::KgNorth | Entry::KgSouth => {
                remark!(
                    "8.2a",
                    "{} enters among German units of its zone, one such unit a hex, not in {}",
                    unit,
                    hex
                )
            }
            Entry::KgHex => remark!("8.2c", "{} enters in the hex on its counter only, not in {}", unit, hex),
            Entry::OnlyHex | Entry::West | Entry::Yugoslavia => {
                remark!("8.3b", "{} does not enter in {}", unit, hex)
            }
            Entry::Emergency => remark!("8.4b", "{} does not enter in {}", unit, hex),
            Entry::InSitu => remark!("8.27", "{} enters among Soviet units in supply, not in {}", unit, hex),
            Entry::Special => remark!("8.25b", "{} does not enter in {}", unit, hex),
            _ => remark!(
                "8.1f",
                "{} is neither a friendly source nor a friendly city in supply for {}",
                hex,
                unit
            ),
        }
    }

    /// Where a unit may enter now (8.1f, 8.2, 8.3, 8.4, 8.25b, 8.26b, 8.27).
    pub(crate) fn entry_hexes(&self, state: &State, entries: &Entries, unit: UnitId) -> HexSet {
        let mut hexes = self.entry_area(state, entries, unit) - entries.spent;
        if self.is_axis_satellite(unit) {
            hexes -= self.ground.north; // 10.22, R82
        }
        if let Some(bounds) = self.bounds_set() {
            hexes &= bounds;
        }
        let side = self.side(unit);
        hexes -= *state.held(side.enemy());
        hexes -= self.crowded_hexes(state, side, 1);
        if self.counter(unit).stacks_alone() {
            let roomy = |hex: &Hex| self.check_room(state, unit, *hex).is_ok();
            hexes = hexes.iter().filter(roomy).collect();
        }
        hexes
    }

    fn entry_area(&self, state: &State, entries: &Entries, unit: UnitId) -> HexSet {
        let general = entries.edges | entries.cities;
        let counter = self.counter(unit);
        let printed = counter.hex.as_deref().and_then(|label| self.map.hex(label).ok());
        let own = |hexes: HexSet| hexes & state.control[counter.side];
        match counter.entry {
            Entry::OnlyHex | Entry::KgHex => {
                let hexes = own(printed.into_iter().collect());
                let needs_supply = Some(unit) == self.cast.sixth_ss; // 8.3d
                if needs_supply { hexes & entries.overland } else { hexes }
            }
            Entry::West => own(self.ground.axis_sources),
            Entry::Yugoslavia => own(self.ground.yugoslav_edge),
            Entry::KgAny => general | self.in_situ(state, unit),
            Entry::KgNorth => (general | self.in_situ(state, unit)) & self.ground.north,
            Entry::KgSouth => (general | self.in_situ(state, unit)) - self.ground.north,
            Entry::Emergency => own(self.ground.cities) | self.in_situ(state, unit),
            Entry::InSitu => *state.held(Side::Soviet) & entries.overland,
            Entry::Special if state.unit(unit).place == Place::Track => {
                self.special_entry(entries, general, unit)
            }
            _ => general,
        }
    }

    /// Romanians come to supplied Bucharest, early Bulgarians over their border, Poles like others (8.24c, 8.25b, 8.26b).
    fn special_entry(&self, entries: &Entries, general: HexSet, unit: UnitId) -> HexSet {
        if self.cast.communist_romanians.contains(&Some(unit)) {
            let bucharest: HexSet = self.ground.bucharest.into_iter().collect();
            return bucharest & entries.cities;
        }
        if self.cast.bulgarians.contains(unit) { self.ground.bulgaria } else { general }
    }

    /// Hexes with a German unit where no other Korps Gruppe, or no other emergency unit, has entered so in this turn (8.2a,
    /// 8.4b, R85).
    fn in_situ(&self, state: &State, unit: UnitId) -> HexSet {
        let kg = self.counter(unit).is_kg();
        let taken = state.units.iter().filter(|(other, now)| {
            now.marks.has(Marks::IN_SITU)
                && other.index() < self.counters.len()
                && self.counter(*other).is_kg() == kg
        });
        let taken: HexSet = taken.filter_map(|(_, now)| now.hex()).collect();
        *self.german_hexes(state) - taken
    }

    /// Puts a unit that is due or replaced on the map.
    fn enter(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let entries = Entries::new(self, state, self.side(unit));
        if state.unit(unit).place == Place::Dead {
            self.spend_step(state, unit);
            play.tell(Event::Reclaimed { unit });
        }
        let counter = self.counter(unit);
        let may_be_in_situ = counter.is_kg() || counter.entry == Entry::Emergency;
        let in_situ =
            may_be_in_situ && self.in_situ(state, unit).contains(hex) && counter.entry != Entry::KgHex;
        let by_city = entries.cities.contains(hex) || self.ground.cities.contains(hex);
        let edge = !in_situ
            && !by_city
            && counter.entry != Entry::InSitu
            && (entries.edges | self.ground.yugoslav_edge | self.ground.bulgaria).contains(hex);
        self.note_arrival(state, unit, hex);
        if in_situ {
            state.mark(unit, Marks::IN_SITU);
        }
        if edge {
            state.mark(unit, Marks::EDGE); // 8.1g
        }
        self.put(state, unit, hex, play);
        let seen = self.is_seen(state, unit);
        play.tell_of(counter.side, seen, Event::Arrived { unit: unit.into(), hex });
    }

    /// Remembers where a unit was placed in this turn (8.1e).
    pub(crate) fn note_arrival(&self, state: &mut State, unit: UnitId, hex: Hex) {
        state.change(unit, |unit| {
            unit.marks.set(Marks::ENTERED);
            unit.came = Some(hex);
        });
    }

    /// The Soviet side may hold back whatever comes, in the RVGK box (8.1b, 8.8). Romanians wait for Bucharest (R79).
    fn check_hold(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.1c", side == Side::Soviet, "the German side has no reserve box");
        self.check_comes(state, side, unit)?;
        let bound = self.counter(unit).entry == Entry::Special
            && state.unit(unit).place == Place::Track
            && Some(unit) != self.cast.poles;
        ensure!("8.25b", !bound, "{} comes by its own way only", unit);
        Ok(())
    }

    fn hold(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if state.unit(unit).place == Place::Dead {
            self.spend_step(state, unit);
            play.tell(Event::Reclaimed { unit });
        }
        state.change(unit, |unit| unit.go(Place::Rvgk));
        play.tell_of(Side::Soviet, false, Event::Boxed { unit: unit.into() });
    }

    /// 2nd Paratroop Corps may be kept for an air drop (4.17d, R94).
    fn check_keep(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        let keeps = Some(unit) == self.cast.paratroops && self.is_due(state, unit);
        ensure!("4.17d", keeps, "{} is not kept for an air drop", unit);
        Ok(())
    }

    /// What was kept and not dropped is lost (R94).
    pub(crate) fn forfeit_paratroops(&self, state: &mut State, play: &mut Play<Event>) {
        if let Some(unit) = self.cast.paratroops.filter(|unit| state.unit(*unit).place == Place::Hand) {
            self.forfeit(state, unit, play);
        }
    }

    fn forfeit(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.change(unit, |unit| unit.go(Place::Removed));
        play.tell(Event::Removed { unit, cause: Removal::Forfeit });
    }

    /// What the German side has not placed is lost (8.1c); the Soviet side holds it back (8.1b). Replacements do not keep
    /// (8.12b).
    fn end_administration(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == side) {
            if !self.is_due(state, unit) {
                continue;
            }
            match side {
                Side::Axis => self.forfeit(state, unit, play),
                Side::Soviet if self.check_hold(state, side, unit).is_ok() => self.hold(state, unit, play),
                Side::Soviet => {}
            }
        }
        let [mech, foot] = std::mem::take(&mut state.steps);
        if mech + foot > 0 {
            play.tell(Event::StepsLost { mech, foot });
        }
        state.walls_left = 0; // R86
        state.area_left = false;
    }

    /// German-controlled, supplied hexes of the USSR and the Baltic republics without a city (8.5a).
    fn wall_hexes(&self, state: &State, side: Side) -> HexSet {
        if state.walls_left == 0 || side == Side::Soviet {
            return HexSet::EMPTY;
        }
        let land = (self.ground.ussr | self.ground.baltics) - self.ground.cities - state.lines;
        land & state.control.axis & self.overland(state, Side::Axis)
    }

    /// Soviet-controlled, supplied hexes amid six others like that (8.18a, R122).
    fn area_places(&self, state: &State, side: Side) -> HexSet {
        if !state.area_left || side == Side::Axis {
            return HexSet::EMPTY;
        }
        let safe = state.control.soviet & self.overland(state, Side::Soviet);
        let amid = |hex: &Hex| {
            let beside = self.map.neighbours(*hex);
            beside.filter(|(_, beside)| safe.contains(*beside)).count() == 6
        };
        safe.iter().filter(amid).collect()
    }

    // 2nd SS Panzer Corps (8.17).

    /// Withdrawn on turns 19 and 25, not in the Gambit (8.17b, 8.17d, R84).
    pub(crate) fn call_for_second_ss(&self, state: &mut State, play: &mut Play<Event>) {
        let due = matches!(state.turn, 19 | 25) && !state.has(Fact::Gambit);
        let Some(unit) = self.cast.second_ss.filter(|unit| due && state.unit(*unit).place != Place::Out)
        else {
            return;
        };
        match state.unit(unit).place {
            Place::Dead => state.stack.push(Decision { side: Side::Axis, matter: Matter::SecondSs }),
            Place::Hex(hex) if self.in_overland(state, Side::Axis, hex) => {
                state.stack.push(Decision { side: Side::Axis, matter: Matter::SecondSs });
            }
            Place::Hex(_) => {
                state.mark(unit, Marks::DELAYED);
                state.note(Fact::Delayed);
                self.score(state, crate::Points::SecondSs, -1, play); // 4.10
            }
            _ => self.score(state, crate::Points::SecondSs, -1, play),
        }
    }

    pub(crate) fn withdraw_second_ss(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(unit) = self.cast.second_ss else { return };
        self.take_off(state, unit, Place::Track);
        play.tell(Event::Removed { unit, cause: Removal::Withdrawn });
        self.put_second_ss_on_track(state, play);
    }

    /// It comes back on turn 24, after the second withdrawal on turn 31 (8.17a).
    pub(crate) fn put_second_ss_on_track(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(unit) = self.cast.second_ss else { return };
        let due = if state.turn < 24 { 24 } else { 31 };
        self.put_on_track(state, unit, due, play);
    }

    // The Gambit and Watch on the Oder.

    /// Five corps come at once (4.17b).
    pub(crate) fn begin_gambit(&self, state: &mut State) {
        for fact in [Fact::OffensiveUsed, Fact::Gambit, Fact::GambitNow] {
            state.note(fact);
        }
        let gambit = self.roster.iter().filter(|unit| self.counter(*unit).entry == Entry::Gambit);
        for unit in gambit.chain(self.cast.third_ss).chain(self.cast.second_ss).collect::<Vec<_>>() {
            self.bring_forward(state, unit);
        }
    }

    /// A unit that is not on the map, and not gone for good, is due in this turn (4.17b, 4.18e, R84).
    pub(crate) fn bring_forward(&self, state: &mut State, unit: UnitId) {
        let turn = state.turn;
        if matches!(state.unit(unit).place, Place::Track | Place::Aside | Place::Dead) {
            state.change(unit, |unit| {
                unit.place = Place::Track;
                unit.due = turn;
            });
        }
    }

    /// Watch on the Oder brings 2nd SS Panzer Corps (4.18e).
    pub(crate) fn bring_oder_forces(&self, state: &mut State) {
        if let Some(unit) = self.cast.second_ss.filter(|_| self.is_oder(state)) {
            self.bring_forward(state, unit);
        }
    }

    // Comb-outs (8.16).

    fn comb_out_fact(turn: u8) -> Option<Fact> {
        match turn {
            17..=20 => Some(Fact::CombedOut1943),
            25..=28 => Some(Fact::CombedOut1944),
            _ => None,
        }
    }

    /// Once in the summer of 1943 and once in that of 1944, while there is somebody to bring back (8.16a).
    pub(crate) fn offer_comb_out(&self, state: &mut State) {
        let unused = Barbarossa::comb_out_fact(state.turn).is_some_and(|fact| !state.has(fact));
        let anybody = self.in_box(state, Side::Axis, Place::Dead).any(|unit| !self.is_mech(unit));
        if unused && anybody {
            state.stack.push(Decision { side: Side::Axis, matter: Matter::CombOut });
        }
    }

    /// Half a die of units come at once (8.16b, R83).
    pub(crate) fn comb_out(&self, state: &mut State, play: &mut Play<Event>) {
        if let Some(fact) = Barbarossa::comb_out_fact(state.turn) {
            state.note(fact);
        }
        let units = (play.roll(Side::Axis, 6, "rear-area comb-out", case("8.16b")) / 2) as u8;
        play.tell(Event::CombedOut { units });
        state.steps = [0, units];
        state.stack.push(CombOut {});
    }

    /// The part of the map that a learning scenario is played on.
    pub(crate) fn bounds_set(&self) -> Option<HexSet> {
        self.played_on
    }
}

phrases! {
    /// A comb-out brings units back.
    pub struct CombOut = "comb-out", "8.16b", "the comb-out brings units back";
}

impl Frame<Barbarossa> for CombOut {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Axis, remark!("8.16b", "bring units back from the dead pile, or go on"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let entries = Entries::new(rules, state, Side::Axis);
        for unit in rules.in_box(state, Side::Axis, Place::Dead) {
            if rules.check_step(state, unit).is_ok() {
                let hexes = rules.entry_hexes(state, &entries, unit);
                answers.extend(hexes.iter().map(|hex| Action::Place { unit, hex }));
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Place { unit, hex } => {
                let dead = state.unit(unit).place == Place::Dead;
                ensure!("8.16b", dead, "{} is not in the dead pile", unit);
                rules.check_place(state, Side::Axis, unit, hex)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Place { unit, hex } => rules.enter(state, unit, hex, play),
            _ => {
                state.steps = [0, 0];
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1;
        if !asks {
            state.steps = [0, 0];
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Turn>().is_some_and(|turn| turn.step == Step::AxisCombOut) && state.steps[0] == 0
    }
}
