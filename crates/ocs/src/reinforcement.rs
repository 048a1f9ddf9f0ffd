//! 2.3.I.3, 12.6: reinforcements, and the supply that arrives with them.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::store::Spot;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::schedule::Shipment;
use crate::sequence::{self, OVERPHASE, not_asked};
use crate::settings::Division;
use crate::stacking::LIMIT;
use crate::{Action, Event, Goods, HexSet, Marks, Mode, Ocs, Place, Procedure, State, TOKENS, group};

phrases! {
    /// The Reinforcement Placement Segment of a side (2.3.I.3a).
    pub struct Reinforcement { side: Side } = "reinforcement", "2.3.I.3a", "{side} reinforcements";
}

impl Frame<Ocs> for Reinforcement {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("12.6.a", "place reinforcements, or forfeit them"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for unit in rules.due(state, self.side).collect::<Vec<_>>() {
            for hex in rules.entries(state, unit).iter() {
                let able = |mode: &&Mode| rules.check_arrival_mode(state, unit, hex, **mode).is_ok();
                let modes = Mode::ALL.iter().filter(able);
                answers.extend(modes.map(|mode| Action::Place { unit, hex, mode: *mode }));
            }
            answers.push(Action::Forfeit { unit });
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Place { unit, hex, mode } => {
                self.check_due(rules, state, unit)?;
                ensure!(
                    "12.6.e",
                    rules.entries(state, unit).contains(hex),
                    "{} does not arrive in {}",
                    unit,
                    hex
                );
                rules.check_arrival_mode(state, unit, hex, mode)
            }
            Action::Forfeit { unit } => self.check_due(rules, state, unit),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Place { unit, hex, mode } => {
                rules.put(state, unit, hex, play);
                play.tell(Event::Arrived { unit, hex });
                state.units.change(unit, |unit| unit.marks = Marks::default());
                if mode != Mode::Combat {
                    rules.set_mode(state, unit, mode, play);
                    state.unmark(unit, Marks::CHOSEN);
                }
            }
            Action::Forfeit { unit } => {
                state.units.change(unit, |unit| unit.place = Place::Withdrawn);
                play.tell(Event::Forfeited { unit });
            }
            _ => {}
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = rules.due(state, self.side).next().is_some();
        if !asks {
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && (!around.above.is_empty() || rules.due(state, self.side).next().is_some())
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(OVERPHASE)
    }
}

impl Reinforcement {
    /// Begins the segment: supply arrives, and the Variable Reinforcement Table is rolled on (2.3.I.3b, 2.3.I.3c).
    pub(crate) fn begin(rules: &Ocs, state: &mut State, side: Side, play: &mut Play<Event>) {
        state.carried.clear();
        state.stack.push(Reinforcement { side });
        rules.roll_for_replacements(state, side, play);
        rules.receive_shipments(state, side, play);
    }

    fn check_due(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        let due = rules.due(state, self.side).any(|other| other == unit);
        ensure!("12.6.a", due, "{} does not arrive now", unit);
        Ok(())
    }
}

impl Ocs {
    /// The turn on which a unit arrives.
    fn arrival_turn(&self, unit: UnitId) -> Option<u8> {
        let counter = self.counter(unit);
        let told = self.settings.arrivals.iter().find(|arrival| arrival.unit == counter.name);
        told.map(|arrival| arrival.turn).or(counter.turn)
    }

    /// Air units wait for a supplied base (12.6.g).
    fn is_due(&self, state: &State, unit: UnitId) -> bool {
        let turn = self.arrival_turn(unit);
        match self.is_air(unit) {
            true => turn.is_some_and(|turn| turn <= state.turn) && !self.entries(state, unit).is_empty(),
            false => self.is_unit(unit) && turn == Some(state.turn),
        }
    }

    /// Units of a side whose turn has come (12.6.a).
    fn due<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.roster.iter().filter(move |unit| {
            self.side(*unit) == side && state.units[*unit].place == Place::Track && self.is_due(state, *unit)
        })
    }

    /// The hexes where a unit is to arrive.
    fn entry_hexes(&self, unit: UnitId) -> Vec<Hex> {
        let counter = self.counter(unit);
        match self.settings.arrivals.iter().find(|arrival| arrival.unit == counter.name) {
            Some(arrival) => arrival.hexes.clone(),
            None => counter.entry.split(['|', ' ']).filter_map(|label| self.map.hex(label).ok()).collect(),
        }
    }

    /// Where it can arrive: there, or in the nearest hex that is open (12.6.e).
    fn entries(&self, state: &State, unit: UnitId) -> HexSet {
        if self.is_air(unit) {
            return self.supplied_bases(state, self.side(unit));
        }
        self.nearest(&self.entry_hexes(unit), |hex| self.check_arrival(state, unit, hex).is_ok())
    }

    /// Those of the named hexes that are open, or else the nearest that are, along the edge of the map first (12.6.e, R104).
    pub(crate) fn nearest(&self, named: &[Hex], open: impl Fn(Hex) -> bool) -> HexSet {
        let here: HexSet = named.iter().copied().filter(|hex| open(*hex)).collect();
        if !here.is_empty() || named.is_empty() {
            return here;
        }
        let edge: HexSet = self.map.edge_hexes().collect();
        let on_edge = named.iter().any(|hex| edge.contains(*hex));
        let all = self.terrain.land & self.terrain.area;
        let nearest = |among: HexSet| -> HexSet {
            let far = |hex: Hex| named.iter().map(|entry| self.map.grid().distance(*entry, hex)).min();
            let open: Vec<Hex> = among.iter().filter(|hex| open(*hex)).collect();
            let least = open.iter().filter_map(|hex| far(*hex)).min();
            open.into_iter().filter(|hex| far(*hex) == least).collect()
        };
        let along = if on_edge { nearest(all & edge) } else { HexSet::EMPTY };
        if along.is_empty() { nearest(all) } else { along }
    }

    /// Where things without a size arrive: in those of the named places that their side holds, or in the nearest hex that it
    /// does (R123).
    pub(crate) fn own_places(&self, state: &State, side: Side, places: &[String]) -> HexSet {
        let named: Vec<Hex> = places.iter().filter_map(|label| self.map.hex(label).ok()).collect();
        let enemy = side.enemy();
        self.nearest(&named, |hex| {
            state.controller(hex) == side
                && !state.held(enemy).contains(hex)
                && !state.units.held(group::of(group::TRANSPORTS, enemy)).contains(hex)
                && state.stocks.amount(Spot::Hex(hex), enemy, Goods::Token) == 0
        })
    }

    /// Units that the game calls away leave it; who is dead is not owed.
    pub(crate) fn withdraw(&self, state: &mut State, play: &mut Play<Event>) {
        let due = self.settings.withdrawals.iter().filter(|withdrawal| withdrawal.turn == state.turn);
        for name in due.flat_map(|withdrawal| &withdrawal.units) {
            let Ok(unit) = self.roster.find(name) else { continue };
            if matches!(state.units[unit].place, Place::Dead | Place::Withdrawn) {
                continue;
            }
            state.units.change(unit, |unit| {
                unit.place = Place::Withdrawn;
                unit.marks = Marks::default();
                unit.trucks = 0;
            });
            play.tell(Event::Withdrawn { unit });
        }
    }

    /// The supply of a turn arrives (2.3.I.3b); truck and wagon points come with it.
    fn receive_shipments(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        for (row, line) in self.schedule.due(side, state.turn) {
            self.receive_draft(state, side, line.draft, (false, row), play);
            if line.points > 0 {
                let left = u16::from(line.points) * TOKENS;
                state.stack.push(Delivery { side, row: row as u8, left });
            }
        }
    }

    /// A hex without enemies and with room (12.6.c, 12.6.e); enemies next to it do not matter (12.6.f).
    fn check_arrival(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let side = self.side(unit);
        ensure!("12.6.e", !state.held(side.enemy()).contains(hex), "an enemy unit is in {}", hex);
        let inside = (self.terrain.land & self.terrain.area).contains(hex);
        ensure!("GC.1C", inside, "{} is not in play", hex);
        let height = self.stacked(state, hex, side).saturating_add(self.size(state, unit));
        ensure!("12.6.c", height <= LIMIT, "more than 10 REs would be in {}", hex);
        Ok(())
    }

    /// Any mode that its owner might choose there (12.6.d).
    pub(crate) fn check_arrival_mode(
        &self,
        state: &State,
        unit: UnitId,
        hex: Hex,
        mode: Mode,
    ) -> Result<(), Violation> {
        let counter = self.counter(unit);
        if !counter.has_modes() {
            ensure!("5.1", mode == Mode::Combat, "{} has no modes", unit);
            return Ok(());
        }
        let repl = counter.is_repl() && !matches!(mode, Mode::Move | Mode::Strategic);
        ensure!("12.5.b", !repl, "{} may be in Move or Strategic Move Mode only", unit);
        match mode {
            Mode::Strategic if self.adjacent_to(state, hex, self.side(unit).enemy()) => {
                refuse!("5.8b.a", "{} is next to an enemy unit", hex)
            }
            Mode::Reserve | Mode::ReserveMove => self.check_reserve(state, unit, hex),
            _ => Ok(()),
        }
    }
}

phrases! {
    /// A side says where the supply that it receives arrives (2.3.I.3b).
    pub struct Delivery {
        side: Side,
        /// The line of the schedule.
        row: u8,
        /// Tokens that are still to be placed.
        left: u16,
    } = "delivery", "2.3.I.3b", "{side} receives {left}T";
}

impl Frame<Ocs> for Delivery {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("2.3.I.3b", "{}T arrive: say where", self.left))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let hexes = self.hexes(rules, state);
        for hex in hexes.iter() {
            let most = self.room(rules, state, &hexes, hex);
            let amounts = (1..=most / TOKENS).map(|points| points * TOKENS);
            answers.extend(amounts.map(|tokens| Action::Deliver { hex, tokens }));
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Deliver { hex, tokens } = action else { return Err(not_asked(state)) };
        let hexes = self.hexes(rules, state);
        ensure!("2.3.I.3b", hexes.contains(hex), "this supply does not arrive in {}", hex);
        let most = self.room(rules, state, &hexes, hex);
        ensure!("2.3.I.3b", (1..=most).contains(&tokens), "at most {}T may arrive in {}", most, hex);
        ensure!("2.3.I.3b", tokens.is_multiple_of(TOKENS), "whole supply points arrive, of {}T each", TOKENS);
        Ok(())
    }

    fn apply(&self, _: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Deliver { hex, tokens } = action {
            self.deliver(state, hex, tokens, play);
        }
    }

    /// With one place there is nothing to choose; supply that can arrive nowhere does not.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let hexes = self.hexes(rules, state);
        match hexes.first() {
            Some(hex) if self.left > 0 && hexes.len() == 1 => self.deliver(state, hex, self.left, play),
            Some(_) if self.left > 0 => return true,
            _ => {
                state.carried.clear();
                state.stack.pop();
            }
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let line = rules.schedule.shipments.get(usize::from(self.row));
        let due = line.is_some_and(|line| {
            line.side == self.side
                && line.turn == state.turn
                && self.left <= u16::from(line.points) * TOKENS
                && self.left.is_multiple_of(TOKENS)
        });
        let below =
            matches!(around.below.first(), Some(Procedure::Reinforcement(it)) if it.side == self.side);
        below && due && self.left > 0
    }
}

impl Delivery {
    fn line<'a>(&self, rules: &'a Ocs) -> Option<&'a Shipment> {
        rules.schedule.shipments.get(usize::from(self.row))
    }

    fn hexes(&self, rules: &Ocs, state: &State) -> HexSet {
        self.line(rules).map_or(HexSet::EMPTY, |line| rules.own_places(state, self.side, &line.places))
    }

    /// How many tokens may still be placed in a hex, as the game has them divided.
    fn room(&self, rules: &Ocs, state: &State, hexes: &HexSet, hex: Hex) -> u16 {
        let Some(line) = self.line(rules) else { return 0 };
        let placed = |hex: Hex| state.carried.iter().find(|load| load.hex == hex).map_or(0, |it| it.tokens);
        let points = u16::from(line.points);
        let first = line.places.first().and_then(|label| rules.map.hex(label).ok());
        let most = match rules.settings.division[self.side] {
            Some(Division::HalfAtMost) if hexes.len() > 1 => {
                (points.div_ceil(2) * TOKENS).saturating_sub(placed(hex))
            }
            Some(Division::HalfInFirst)
                if first != Some(hex) && first.is_some_and(|it| hexes.contains(it)) =>
            {
                let others: u16 = hexes.iter().filter(|other| Some(*other) != first).map(placed).sum();
                (points / 2 * TOKENS).saturating_sub(others)
            }
            _ => self.left,
        };
        most.min(self.left)
    }

    fn deliver(&self, state: &mut State, hex: Hex, tokens: u16, play: &mut Play<Event>) {
        state.stocks.add(Spot::Hex(hex), self.side, Goods::Token, tokens);
        state.made += u32::from(tokens);
        state.note_carried(hex, tokens);
        if let Some(delivery) = state.stack.top_mut::<Delivery>() {
            delivery.left -= tokens;
        }
        play.tell(Event::Received { side: self.side, hex, tokens });
    }
}
