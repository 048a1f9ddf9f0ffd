//! 9.16b to 9.16d, 11.8b: dumps, trucks and wagons that the enemy enters upon.

use board::Hex;
use engine::frame::Around;
use engine::store::Spot;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark, words};

use crate::charts::{Kind, MOST_POINTS};
use crate::sequence::not_asked;
use crate::{Action, Event, Goods, HexSet, Ocs, Place, Procedure, State, TOKENS, group};

words! {
    /// What is captured or displaced.
    pub enum Prize: "prize" {
        /// Supply points on the ground.
        Dump = "dump",
        /// Trucks and what is on them.
        Trucks = "trucks",
        /// Wagons and what is on them.
        Wagons = "wagons",
    }
}

phrases! {
    /// The owner says where what was not captured goes (9.16b.g).
    pub struct Displacing { side: Side, hex: Hex, prize: Prize } = "displacing", "9.16b.g", "{side} displaces {prize} from {hex}";
}

impl Frame<Ocs> for Displacing {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("9.16b.g", "say where what is left in {} goes", self.hex))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.open(rules, state).iter().map(|hex| Action::Displace { hex }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Displace { hex } = action else { return Err(not_asked(state)) };
        let far = rules.map.grid().distance(self.hex, hex);
        let most = self.most(rules);
        ensure!(
            "9.16b.f",
            far <= u32::from(most),
            "{} is {} hexes away, and {} are the most",
            hex,
            far as i32,
            most
        );
        ensure!("9.16b.g", self.open(rules, state).contains(hex), "nothing may be displaced to {}", hex);
        Ok(())
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Displace { hex } = action else { return };
        state.stack.pop();
        match self.prize {
            Prize::Dump => {
                let left = state.stocks.amount(Spot::Hex(self.hex), self.side, Goods::Token);
                state.stocks.shift(Spot::Hex(self.hex), Spot::Hex(hex), self.side, Goods::Token, left);
            }
            _ => {
                for unit in rules.prizes_in(state, self.hex, self.side, self.prize) {
                    state.units.change(unit, |unit| unit.place = Place::Hex(hex));
                }
            }
        }
        play.tell(Event::Displaced { from: self.hex, to: hex });
    }

    /// What has nowhere to go is captured (R69).
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = !self.open(rules, state).is_empty();
        if !asks {
            state.stack.pop();
            match self.prize {
                Prize::Dump => {
                    let there = state.stocks.amount(Spot::Hex(self.hex), self.side, Goods::Token);
                    rules.take_dump(state, self.hex, self.side, there, 100, play);
                }
                prize => rules.take_trucks(state, self.hex, self.side, prize, (100, 0), play),
            }
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let there = match self.prize {
            Prize::Dump => state.stocks.amount(Spot::Hex(self.hex), self.side, Goods::Token) > 0,
            prize => !rules.prizes_in(state, self.hex, self.side, prize).is_empty(),
        };
        !around.below.is_empty() && there && state.held(self.side.enemy()).contains(self.hex)
    }
}

impl Displacing {
    fn most(&self, rules: &Ocs) -> u8 {
        let chart = &rules.charts.capture;
        match self.prize {
            Prize::Dump => chart.dump_hexes,
            Prize::Trucks => chart.truck_hexes,
            Prize::Wagons => chart.wagon_hexes,
        }
    }

    /// Land in play without enemy units, trucks, wagons or supply (R69).
    fn open(&self, rules: &Ocs, state: &State) -> HexSet {
        let enemy = self.side.enemy();
        let mut closed = *state.held(enemy) | *state.units.held(group::of(group::TRANSPORTS, enemy));
        for lot in state.stocks.iter().filter(|lot| lot.side == enemy) {
            if let Spot::Hex(hex) = lot.spot {
                closed.insert(hex);
            }
        }
        let near: HexSet = rules
            .map
            .grid()
            .range(self.hex, u32::from(self.most(rules)))
            .filter(|hex| rules.map.contains(*hex) && *hex != self.hex)
            .collect();
        (near & rules.terrain.land & rules.terrain.area) - closed
    }
}

/// So many percent, standard rounding (4.3a, R68).
pub(crate) fn percent(of: u16, percent: u8) -> u16 {
    ((u32::from(of) * u32::from(percent) + 50) / 100) as u16
}

/// What is affected, as captured and destroyed: half each, the odd one captured (9.16b.f, R68).
fn halves(affected: u16) -> (u16, u16) {
    let captured = affected.div_ceil(2);
    (captured, affected - captured)
}

/// Takes as much of what is captured and destroyed in all as there is in one place.
fn drain((captured, destroyed): &mut (u16, u16), there: u16) -> (u16, u16) {
    let taken = there.min(*captured);
    let lost = (there - taken).min(*destroyed);
    *captured -= taken;
    *destroyed -= lost;
    (taken, lost)
}

impl Ocs {
    /// The trucks or wagons of a side in a hex.
    fn prizes_in(&self, state: &State, hex: Hex, side: Side, prize: Prize) -> Vec<UnitId> {
        let wagon = prize == Prize::Wagons;
        let is =
            |unit: &UnitId| self.side(*unit) == side && self.counter(*unit).kind == Kind::Transport { wagon };
        state.units.in_hex(hex).filter(is).collect()
    }

    /// A unit of a side has entered a hex: the Capture Table for whatever of the enemy's is there, each kind by itself (9.16c.g).
    pub(crate) fn capture(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let enemy = side.enemy();
        if !state.held(side).contains(hex) {
            return;
        }
        let pending = state
            .stack
            .iter()
            .any(|frame| matches!(frame, Procedure::Displacing(displacing) if displacing.hex == hex));
        if pending {
            return;
        }
        self.capture_base(state, side, hex, play);
        // What falls off captured trucks is not rolled for again with the dump (9.16c.g).
        let ground = state.stocks.amount(Spot::Hex(hex), enemy, Goods::Token);
        for prize in [Prize::Trucks, Prize::Wagons] {
            if !self.prizes_in(state, hex, enemy, prize).is_empty() {
                let die = play.roll(side, 6, "capture of trucks", case("9.16c.a"));
                let percent = self.charts.capture.truck[die as usize - 1];
                self.take_trucks(state, hex, enemy, prize, (percent.div_ceil(2), percent / 2), play);
            }
        }
        if ground > 0 {
            let die = play.roll(side, 6, "capture of a dump", case("9.16b.b"));
            self.take_dump(state, hex, enemy, ground, self.charts.capture.dump[die as usize - 1], play);
        }
        for prize in [Prize::Trucks, Prize::Wagons] {
            if !self.prizes_in(state, hex, enemy, prize).is_empty() {
                state.stack.push(Displacing { side: enemy, hex, prize });
            }
        }
        if state.stocks.amount(Spot::Hex(hex), enemy, Goods::Token) > 0 {
            state.stack.push(Displacing { side: enemy, hex, prize: Prize::Dump });
        }
    }

    /// So many percent of a dump change hands or are destroyed; all of it is captured where it has nowhere to go.
    fn take_dump(
        &self,
        state: &mut State,
        hex: Hex,
        from: Side,
        there: u16,
        share: u8,
        play: &mut Play<Event>,
    ) {
        let spot = Spot::Hex(hex);
        let (captured, destroyed) = if share == 100 { (there, 0) } else { halves(percent(there, share)) };
        let captured = state.stocks.take(spot, from, Goods::Token, captured);
        let destroyed = state.stocks.take(spot, from, Goods::Token, destroyed);
        state.stocks.add(spot, from.enemy(), Goods::Token, captured);
        state.destroyed += u32::from(destroyed);
        play.tell(Event::Captured { hex, percent: share, captured, destroyed });
    }

    /// So many percent of trucks or wagons change hands, and so many are destroyed, with what is on them (9.16c.a, R68, R70).
    fn take_trucks(
        &self,
        state: &mut State,
        hex: Hex,
        from: Side,
        prize: Prize,
        (taken, lost): (u8, u8),
        play: &mut Play<Event>,
    ) {
        let units = self.prizes_in(state, hex, from, prize);
        let share = |of: u16| {
            let affected = percent(of, taken + lost);
            if lost == 0 { (affected, 0) } else { halves(affected) }
        };
        let points = |state: &State, unit: UnitId| u16::from(state.units[unit].steps);
        let cargo = |state: &State, unit: UnitId| state.stocks.amount(Spot::With(unit), from, Goods::Token);
        // Percentages are of all that is in the hex, however it is divided among counters (R68).
        let mut of_points = share(units.iter().map(|unit| points(state, *unit)).sum());
        let mut of_cargo = share(units.iter().map(|unit| cargo(state, *unit)).sum());
        for unit in units {
            let (captured, destroyed) = drain(&mut of_points, points(state, unit));
            let (tokens, burnt) = drain(&mut of_cargo, cargo(state, unit));
            self.hand_over(state, hex, unit, (captured as u8, tokens));
            let burnt = state.stocks.take(Spot::With(unit), from, Goods::Token, burnt);
            state.destroyed += u32::from(burnt);
            self.lose_points(state, unit, destroyed as u8);
            play.tell(Event::TrucksCaptured {
                unit,
                percent: taken + lost,
                captured: captured as u8,
                destroyed: destroyed as u8,
            });
        }
    }

    /// Points of a truck or wagon are gone; what it cannot carry any more lies on the ground.
    pub(crate) fn lose_points(&self, state: &mut State, unit: UnitId, points: u8) {
        let left = state.units.change(unit, |unit| {
            unit.steps = unit.steps.saturating_sub(points);
            unit.steps
        });
        let (side, hex) = (self.side(unit), state.hex(unit));
        let room = u16::from(left) * TOKENS;
        let load = state.stocks.amount(Spot::With(unit), side, Goods::Token);
        if let Some(hex) = hex.filter(|_| load > room) {
            state.stocks.shift(Spot::With(unit), Spot::Hex(hex), side, Goods::Token, load - room);
        }
        if left == 0 {
            state.units.change(unit, |unit| unit.place = Place::Pool);
        }
    }

    /// Captured points go to a counter of the captor's in the hex or out of the countermix, tokens onto them or the ground.
    fn hand_over(&self, state: &mut State, hex: Hex, unit: UnitId, (points, tokens): (u8, u16)) {
        let (from, to) = (self.side(unit), self.side(unit).enemy());
        let kind = self.counter(unit).kind;
        let fits = |other: &UnitId| {
            let now = &state.units[*other];
            let here =
                now.place == Place::Pool || now.place == Place::Hex(hex) && now.steps + points <= MOST_POINTS;
            self.side(*other) == to && self.counter(*other).kind == kind && here
        };
        let taker = self.roster.iter().find(fits).filter(|_| points > 0);
        if let Some(taker) = taker {
            state.units.change(taker, |taker| {
                taker.steps = if taker.place == Place::Pool { points } else { taker.steps + points };
                taker.place = Place::Hex(hex);
            });
        }
        let tokens = state.stocks.take(Spot::With(unit), from, Goods::Token, tokens);
        let room = taker.map_or(0, |taker| {
            let load = state.stocks.amount(Spot::With(taker), to, Goods::Token);
            (u16::from(state.units[taker].steps) * TOKENS).saturating_sub(load)
        });
        if let Some(taker) = taker {
            state.stocks.add(Spot::With(taker), to, Goods::Token, tokens.min(room));
        }
        state.stocks.add(Spot::Hex(hex), to, Goods::Token, tokens - tokens.min(room));
        self.lose_points(state, unit, points);
    }
}
