//! 11.3, 11.8a, 12.2: trucks and wagons that load, carry and set down; dumps that are blown up.

use arrayvec::ArrayVec;
use board::{Hex, Mp};
use engine::store::Spot;
use engine::{Play, Side, UnitId, Violation, case, ensure, refuse};

use crate::charts::{Factor, Kind, MOST_POINTS};
use crate::movement::Obstacles;
use crate::{
    Action, Carried, Event, Goods, Marks, Movement, Moving, Ocs, Off, Phase, Place, Source, State, TOKENS,
};

impl State {
    /// Tokens of a side on the ground of a hex that nobody has carried there in this phase (11.3a).
    pub(crate) fn fresh_tokens(&self, hex: Hex, side: Side) -> u16 {
        let there = self.stocks.amount(Spot::Hex(hex), side, Goods::Token);
        let carried = self.carried.iter().find(|load| load.hex == hex).map_or(0, |load| load.tokens);
        there.saturating_sub(carried)
    }

    /// Tokens were set down in a hex: nobody takes them on again in this phase (11.3a).
    pub(crate) fn note_carried(&mut self, hex: Hex, tokens: u16) {
        note(&mut self.carried, hex, tokens);
    }

    pub(crate) fn loaded(&self, unit: UnitId, side: Side) -> u16 {
        self.stocks.amount(Spot::With(unit), side, Goods::Token)
    }
}

impl Moving {
    /// What it costs to load or unload (12.2d).
    fn handling(&self, rules: &Ocs, unit: UnitId) -> Option<Mp> {
        match rules.counter(unit).kind {
            Kind::Transport { wagon: false } => Some(Mp::whole(5)),
            Kind::Transport { wagon: true } => Some(Mp::whole(2)),
            _ => None,
        }
    }

    pub(crate) fn loads(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for unit in self.units.iter().filter(|unit| rules.counter(*unit).is_transport()) {
            let amounts = |most: Result<u16, Violation>| 1..=most.unwrap_or(0).min(255) as u8;
            let loads = amounts(self.loadable(rules, state, unit));
            answers.extend(loads.map(|tokens| Action::Load { unit, tokens }));
            let unloads = amounts(self.unloadable(rules, state, unit));
            answers.extend(unloads.map(|tokens| Action::Unload { unit, tokens }));
        }
    }

    /// A truck or wagon of theirs that has the points to load or unload.
    fn check_handling(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<Hex, Violation> {
        ensure!("12.2d", self.units.contains(unit), "{} does not move now", unit);
        let Some(cost) = self.handling(rules, unit) else { refuse!("12.2b.a", "{} carries no supply", unit) };
        let left = state.units[unit].left;
        ensure!("12.2d", left >= cost, "{} needs {} MP and has {}", unit, cost, left);
        match state.hex(unit) {
            Some(hex) => Ok(hex),
            None => refuse!("12.2d", "{} is not on the map", unit),
        }
    }

    /// How many tokens a truck or wagon could load here: as many as it has room for (12.2b.a).
    fn loadable(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<u16, Violation> {
        let hex = self.check_handling(rules, state, unit)?;
        let side = rules.side(unit);
        let room = (u16::from(state.units[unit].steps) * TOKENS).saturating_sub(state.loaded(unit, side));
        Ok(room.min(state.fresh_tokens(hex, side)))
    }

    fn unloadable(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<u16, Violation> {
        self.check_handling(rules, state, unit)?;
        Ok(state.loaded(unit, rules.side(unit)))
    }

    pub(crate) fn check_load(
        &self,
        rules: &Ocs,
        state: &State,
        unit: UnitId,
        tokens: u8,
    ) -> Result<(), Violation> {
        let most = self.loadable(rules, state, unit)?;
        let there = state.hex(unit).map_or(0, |hex| state.fresh_tokens(hex, rules.side(unit)));
        ensure!("11.3a", u16::from(tokens) <= there, "{} tokens can be loaded there", there);
        ensure!("12.2b.a", (1..=most).contains(&tokens.into()), "{} has room for {}T", unit, most);
        Ok(())
    }

    pub(crate) fn check_unload(
        &self,
        rules: &Ocs,
        state: &State,
        unit: UnitId,
        tokens: u8,
    ) -> Result<(), Violation> {
        let most = self.unloadable(rules, state, unit)?;
        ensure!("12.2d", (1..=most).contains(&tokens.into()), "{} carries {}T", unit, most);
        Ok(())
    }

    fn pay_handling(&self, rules: &Ocs, state: &mut State, unit: UnitId) {
        let cost = self.handling(rules, unit).unwrap_or_default();
        self.begun(state);
        state.units.change(unit, |unit| unit.left = unit.left.saturating_sub(cost));
    }

    pub(crate) fn load(
        &self,
        rules: &Ocs,
        state: &mut State,
        unit: UnitId,
        tokens: u8,
        play: &mut Play<Event>,
    ) {
        let (side, Some(hex)) = (rules.side(unit), state.hex(unit)) else { return };
        self.pay_handling(rules, state, unit);
        state.stocks.shift(Spot::Hex(hex), Spot::With(unit), side, Goods::Token, tokens.into());
        play.tell(Event::Loaded { unit, tokens });
    }

    pub(crate) fn unload(
        &self,
        rules: &Ocs,
        state: &mut State,
        unit: UnitId,
        tokens: u8,
        play: &mut Play<Event>,
    ) {
        let (side, Some(hex)) = (rules.side(unit), state.hex(unit)) else { return };
        self.pay_handling(rules, state, unit);
        state.stocks.shift(Spot::With(unit), Spot::Hex(hex), side, Goods::Token, tokens.into());
        state.note_carried(hex, tokens.into());
        play.tell(Event::Unloaded { unit, tokens });
    }
}

impl Ocs {
    pub(crate) fn transport_answers(&self, state: &State, movement: Movement, answers: &mut Vec<Action>) {
        let own = |unit: &UnitId| self.side(*unit) == movement.side && self.counter(*unit).is_transport();
        let transports: Vec<UnitId> =
            self.roster.iter().filter(own).filter(|unit| state.hex(*unit).is_some()).collect();
        for unit in &transports {
            let points = 1..state.units[*unit].steps;
            let able = points.filter(|points| self.check_split(state, movement, *unit, *points).is_ok());
            answers.extend(able.map(|points| Action::Split { unit: *unit, points }));
            let others =
                transports.iter().filter(|into| self.check_merge(state, movement, *unit, **into).is_ok());
            answers.extend(others.map(|into| Action::Merge { unit: *unit, into: *into }));
        }
        if self.switches.stationing {
            self.relay_answers(state, movement, &transports, answers);
        }
        for (from, _, there) in self.dumps(state, movement.side) {
            let amounts = (1..=there).filter(|tokens| tokens.is_multiple_of(TOKENS) || *tokens == there);
            let able = amounts.filter(|tokens| self.check_blow(state, movement.side, from, *tokens).is_ok());
            answers.extend(able.map(|tokens| Action::Blow { from, tokens }));
        }
    }

    /// A truck or wagon that its owner may split or combine: in his Movement Phase (12.2b.b).
    fn check_regroup(&self, state: &State, movement: Movement, unit: UnitId) -> Result<Hex, Violation> {
        ensure!("12.2b.b", self.side(unit) == movement.side, "{} is the enemy's", unit);
        ensure!("12.2b.b", self.counter(unit).is_transport(), "{} is no truck or wagon", unit);
        let now = movement.phase == Phase::Movement && !self.settings.is_off(Off::Transports);
        ensure!("12.2b.b", now, "trucks and wagons are split and combined in the Movement Phase only");
        match state.hex(unit) {
            Some(hex) => Ok(hex),
            None => refuse!("12.2b.b", "{} is not on the map", unit),
        }
    }

    /// A counter of the same kind that is not in use.
    fn free_counter(&self, state: &State, unit: UnitId) -> Option<UnitId> {
        let (side, kind) = (self.side(unit), self.counter(unit).kind);
        self.roster.iter().find(|other| {
            self.side(*other) == side
                && self.counter(*other).kind == kind
                && state.units[*other].place == Place::Pool
        })
    }

    pub(crate) fn check_split(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
        points: u8,
    ) -> Result<(), Violation> {
        self.check_regroup(state, movement, unit)?;
        let there = state.units[unit].steps;
        ensure!("12.2b.b", (1..there).contains(&points), "{} has {} points", unit, there);
        ensure!("12.2b.b", self.free_counter(state, unit).is_some(), "there is no counter left");
        Ok(())
    }

    /// What the rest cannot carry goes with the part that is split off.
    pub(crate) fn split(&self, state: &mut State, unit: UnitId, points: u8, play: &mut Play<Event>) {
        let Some(new) = self.free_counter(state, unit) else { return };
        let (side, place, moved) =
            (self.side(unit), state.units[unit].place, state.units[unit].marks.only(Marks::MOVED));
        state.units.change(unit, |unit| unit.steps -= points);
        state.units.change(new, |new| {
            new.place = place;
            new.steps = points;
            new.marks = moved;
        });
        let over = state.loaded(unit, side).saturating_sub(u16::from(state.units[unit].steps) * TOKENS);
        state.stocks.shift(Spot::With(unit), Spot::With(new), side, Goods::Token, over);
        play.tell(Event::HasSplit { unit, new, points });
    }

    /// Trucks do not combine with wagons, nor with more points than a counter holds (12.2b.c).
    pub(crate) fn check_merge(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
        into: UnitId,
    ) -> Result<(), Violation> {
        let hex = self.check_regroup(state, movement, unit)?;
        let other = self.check_regroup(state, movement, into)?;
        ensure!("12.2b.b", unit != into && hex == other, "{} and {} are not two in a hex", unit, into);
        let alike = self.counter(unit).kind == self.counter(into).kind;
        ensure!("12.2b.c", alike, "trucks and wagons do not combine");
        let sum = state.units[unit].steps + state.units[into].steps;
        ensure!("12.2b.b", sum <= MOST_POINTS, "a counter stands for {} points at most", MOST_POINTS);
        Ok(())
    }

    pub(crate) fn merge(&self, state: &mut State, unit: UnitId, into: UnitId, play: &mut Play<Event>) {
        let side = self.side(unit);
        let (points, moved) = (state.units[unit].steps, state.units[unit].marks.only(Marks::MOVED));
        let load = state.loaded(unit, side);
        state.units.change(into, |into| {
            into.steps += points;
            into.marks.set(moved);
        });
        state.stocks.shift(Spot::With(unit), Spot::With(into), side, Goods::Token, load);
        state.units.change(unit, |unit| {
            unit.steps = 0;
            unit.place = Place::Pool;
            unit.marks = Marks::default();
        });
        play.tell(Event::Merged { unit, into });
    }

    /// Whether a side has a dump that it may still try to blow up in this phase.
    pub(crate) fn can_blow(&self, state: &State, side: Side) -> bool {
        self.dumps(state, side).any(|(from, _, there)| self.check_blow(state, side, from, there).is_ok())
    }

    /// One attempt for each dump and phase, on all of a stock or on some of its supply points (11.8a).
    pub(crate) fn check_blow(
        &self,
        state: &State,
        side: Side,
        from: Source,
        tokens: u16,
    ) -> Result<(), Violation> {
        let stock = self.dumps(state, side).find(|(stock, _, _)| *stock == from);
        let Some((_, hex, there)) = stock else { refuse!("11.1c.b", "there is no such stock of yours") };
        let part = tokens == there || tokens.is_multiple_of(TOKENS) && (1..there).contains(&tokens);
        ensure!("11.8a.c", part, "it holds {}T: all of it, or whole supply points", there);
        ensure!("11.8a.b", !state.blown.contains(&hex), "the dump in {} was tried in this phase", hex);
        Ok(())
    }

    /// A die says how many percent are destroyed (11.8a.a, R71).
    pub(crate) fn blow(
        &self,
        state: &mut State,
        side: Side,
        from: Source,
        tokens: u16,
        play: &mut Play<Event>,
    ) {
        let Some((_, hex, _)) = self.dumps(state, side).find(|(stock, _, _)| *stock == from) else { return };
        state.blown.try_push(hex).ok();
        let die = play.roll(side, 6, "blowing up a dump", case("11.8a.a"));
        let share = self.charts.capture.blowing[die as usize - 1];
        let destroyed = crate::capture::percent(tokens, share);
        let destroyed = state.stocks.take(from.spot(), side, Goods::Token, destroyed);
        state.destroyed += u32::from(destroyed);
        play.tell(Event::Blown { from, destroyed });
    }

    fn relay_answers(
        &self,
        state: &State,
        movement: Movement,
        transports: &[UnitId],
        answers: &mut Vec<Action>,
    ) {
        let mut stations: Vec<Hex> = transports.iter().filter_map(|unit| state.hex(*unit)).collect();
        stations.sort_unstable();
        stations.dedup();
        for unit in transports {
            for hex in &stations {
                let most = self.relayable(state, movement, *unit, *hex).unwrap_or(0);
                let relays = (1..=most as u8).map(|tokens| Action::Relay { unit: *unit, hex: *hex, tokens });
                answers.extend(relays);
            }
        }
    }

    /// How many tokens a truck or wagon at its station can pass on to the next: what it carries there, having loaded, gone,
    /// unloaded and come back in one phase (12.2f.a, 12.2f.b).
    fn relayable(&self, state: &State, movement: Movement, unit: UnitId, hex: Hex) -> Result<u16, Violation> {
        ensure!("12.2f.a", self.switches.stationing, "trucks are not stationed in this game");
        let from = self.check_regroup(state, movement, unit)?;
        self.may_move(state, movement, unit)?;
        let kind = self.counter(unit).kind;
        let alike = |other: UnitId| {
            other != unit && self.side(other) == movement.side && self.counter(other).kind == kind
        };
        let station = from != hex && state.units.in_hex(hex).any(alike);
        ensure!("12.2f.a", station, "no station of the same kind is in {}", hex);
        let handling = if kind == (Kind::Transport { wagon: true }) { 2 } else { 5 };
        let apart = Factor::HALF.of(self.allowance(state, unit).saturating_sub(Mp::whole(2 * handling)));
        let obstacles = Obstacles::new(self, state, movement.side);
        let reached = self
            .law(state, &obstacles, self.mover(state, unit))
            .is_some_and(|law| law.reached(from, apart).contains(hex));
        ensure!("12.2f.a", reached, "{} is more than {} MP from {}", hex, apart, from);
        let side = movement.side;
        let room = (u16::from(state.units[unit].steps) * TOKENS).saturating_sub(state.loaded(unit, side));
        Ok(room.min(state.fresh_tokens(from, side)))
    }

    pub(crate) fn check_relay(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
        hex: Hex,
        tokens: u8,
    ) -> Result<(), Violation> {
        let most = self.relayable(state, movement, unit, hex)?;
        ensure!("12.2f.a", (1..=most).contains(&tokens.into()), "{} can pass on {}T", unit, most);
        Ok(())
    }

    pub(crate) fn relay(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Hex,
        tokens: u8,
        play: &mut Play<Event>,
    ) {
        let (side, Some(from)) = (self.side(unit), state.hex(unit)) else { return };
        state.stocks.shift(Spot::Hex(from), Spot::Hex(hex), side, Goods::Token, tokens.into());
        state.mark(unit, Marks::MOVED);
        state.note_carried(hex, tokens.into());
        play.tell(Event::Relayed { unit, hex, tokens });
    }
}

/// Notes tokens that were set down in a hex.
pub(crate) fn note<const N: usize>(loads: &mut ArrayVec<Carried, N>, hex: Hex, tokens: u16) {
    match loads.iter_mut().find(|load| load.hex == hex) {
        Some(load) => load.tokens = load.tokens.saturating_add(tokens),
        None => {
            loads.try_push(Carried { hex, tokens }).ok();
        }
    }
}
