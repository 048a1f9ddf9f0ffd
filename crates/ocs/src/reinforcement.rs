//! 12.6: reinforcements.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{self, OVERPHASE, not_asked};
use crate::stacking::LIMIT;
use crate::{Action, Event, HexSet, Marks, Mode, Ocs, Place, Procedure, State};

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
        around.is_outermost() && around.above.is_empty() && rules.due(state, self.side).next().is_some()
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(OVERPHASE)
    }
}

impl Reinforcement {
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

    /// Where it can arrive: there, or in the nearest hex that is open, along the edge of the map first (12.6.e, R104).
    fn entries(&self, state: &State, unit: UnitId) -> HexSet {
        if self.is_air(unit) {
            return self.supplied_bases(state, self.side(unit));
        }
        let named = self.entry_hexes(unit);
        let open = |hex: &Hex| self.check_arrival(state, unit, *hex).is_ok();
        let here: HexSet = named.iter().copied().filter(open).collect();
        if !here.is_empty() {
            return here;
        }
        let edge: HexSet = self.map.edge_hexes().collect();
        let on_edge = named.iter().any(|hex| edge.contains(*hex));
        let all = self.terrain.land & self.terrain.area;
        let nearest = |among: HexSet| -> HexSet {
            let far = |hex: Hex| named.iter().map(|entry| self.map.grid().distance(*entry, hex)).min();
            let open: Vec<Hex> = among.iter().filter(open).collect();
            let least = open.iter().filter_map(|hex| far(*hex)).min();
            open.into_iter().filter(|hex| far(*hex) == least).collect()
        };
        let along = if on_edge { nearest(all & edge) } else { HexSet::EMPTY };
        if along.is_empty() { nearest(all) } else { along }
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
    fn check_arrival_mode(&self, state: &State, unit: UnitId, hex: Hex, mode: Mode) -> Result<(), Violation> {
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
