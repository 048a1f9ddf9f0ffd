//! 8.0: supply, and the phase in which it is found (6.0d).

use std::cell::OnceCell;

use arrayvec::ArrayVec;
use board::{Hex, flood};
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{begin_phase, not_asked, phase};
use crate::zoc::Position;
use crate::{
    Action, Bite, COLOURS, Colour, Event, HexSet, Level, Marks, Phase, Place, Procedure, Sides, State, Units,
};

phrases! {
    /// A supply phase.
    pub struct SupplyPhase {
        side: Side,
        /// The air supply marker is placed.
        airlifted: bool,
    } = "supply", "6.0d1", "{side} supply phase";
}

impl Frame<Bite> for SupplyPhase {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        (self.side, remark!("6.0d3", "set HQs to Attack supply, or end the supply phase"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let known = rules.known(state);
        let supply = known.supply(rules, state, self.side);
        for (_, hq) in rules.hqs_of(self.side) {
            let hq = hq.unit;
            if self.check_face(rules, state, supply, hq).is_ok() {
                answers.push(Action::Face { hq });
            }
            if self.check_airlift(rules, state, hq).is_ok() {
                answers.push(Action::Airlift { hq });
            }
        }
        for (unit, _) in rules.on_map(state, self.side).filter(|(unit, _)| rules.is_independent(*unit)) {
            for (_, hq) in rules.hqs_of(self.side) {
                if rules.check_draw(state, supply, unit, hq.unit).is_ok() {
                    answers.push(Action::Draw { unit, hq: hq.unit });
                }
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        let known = rules.known(state);
        let supply = known.supply(rules, state, self.side);
        match action {
            Action::Face { hq } => self.check_face(rules, state, supply, hq),
            Action::Airlift { hq } => self.check_airlift(rules, state, hq),
            Action::Draw { unit, hq } => rules.check_draw(state, supply, unit, hq),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Face { hq } => {
                let free = rules.is_beyond_limit(state, self.side, hq);
                state.mark(hq, Marks::ATTACK);
                play.tell(Event::Faced { hq });
                let delay = usize::from(rules.settings.attack[self.side].delay);
                if !free && rules.settings.attack[self.side].markers.is_some() {
                    let markers = &mut state.attack_markers[self.side];
                    markers.hand -= 1;
                    markers.ahead[delay] += 1;
                    play.tell(Event::MarkerSpent {
                        side: self.side,
                        left: state.attack_markers[self.side].hand,
                    });
                }
            }
            Action::Airlift { hq } => {
                state.mark(hq, Marks::AIRLIFT);
                if let Some(phase) = state.stack.top_mut::<SupplyPhase>() {
                    phase.airlifted = true;
                }
                play.tell(Event::Airlifted { hq });
                rules.mark_supply(state, self.side, play);
            }
            Action::Draw { unit, hq } => rules.draw(state, unit, hq, play),
            _ => {
                rules.settle_slots(state, self.side);
                begin_phase(rules, state, self.side, Phase::Initial, play);
            }
        }
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty()
    }

    fn phase(&self, _: &Bite, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Supply))
    }
}

impl SupplyPhase {
    /// At the start every HQ is on its General face (R77), and whoever is out of supply is marked (6.0d1).
    pub(crate) fn begin(rules: &Bite, state: &mut State, side: Side, play: &mut Play<Event>) {
        for (_, hq) in rules.hqs_of(side) {
            state.unmark(hq.unit, Marks::ATTACK | Marks::AIRLIFT);
        }
        state.stack.push(SupplyPhase { side, airlifted: false });
        rules.mark_supply(state, side, play);
    }

    fn check_face(
        &self,
        rules: &Bite,
        state: &State,
        supply: &SupplyMap,
        hq: UnitId,
    ) -> Result<(), Violation> {
        let own = rules.is_hq(hq) && rules.side(hq) == self.side;
        ensure!("14.0e", own, "{} is not an HQ of yours", hq);
        ensure!("14.0e", !state.marked(hq, Marks::ATTACK), "{} is in Attack supply already", hq);
        let Some(hex) = state.hex(hq) else { refuse!("14.0e", "{} is not on the map", hq) };
        // Supply by air alone is not enough (uma.22.3e).
        ensure!("14.0d", supply.supplied.contains(hex), "{} has no line of supply", hq);
        let rule = &rules.settings.attack[self.side];
        if rules.is_beyond_limit(state, self.side, hq) {
            return Ok(());
        }
        let counted = |unit: UnitId| {
            state.marked(unit, Marks::ATTACK) && !rules.is_beyond_limit(state, self.side, unit)
        };
        let set = rules.hqs_of(self.side).filter(|(_, hq)| counted(hq.unit)).count() as u8;
        let limit = rule.limit(state.turn, state.weather);
        ensure!("8.0d", set < limit, "{} HQs may be set to Attack supply on this turn, and are", limit);
        let markers = rule.markers.is_none() || state.attack_markers[self.side].hand > 0;
        ensure!("6.0d4", markers, "no Attack supply marker is in hand");
        Ok(())
    }

    fn check_airlift(&self, rules: &Bite, state: &State, hq: UnitId) -> Result<(), Violation> {
        let air = &rules.settings.air;
        ensure!("6.0d2", air.supply[self.side].contains(&state.turn), "there is no air supply on this turn");
        ensure!("6.0d2", air.no_supply_in != Some(state.weather), "there is no air supply in this weather");
        ensure!("6.0d2", !self.airlifted, "the air supply marker was placed");
        let own = rules.is_hq(hq) && rules.side(hq) == self.side && state.hex(hq).is_some();
        ensure!("6.0d2", own, "{} is not an HQ of yours on the map", hq);
        ensure!("6.0d2", !state.marked(hq, Marks::ATTACK), "{} was set to Attack supply", hq);
        Ok(())
    }
}

/// Where supply reaches a side's units now.
pub(crate) struct SupplyMap {
    side: Side,
    /// Hexes that a unit in them can trace a line of any length to a source from (8.1d1, 8.1n).
    pub(crate) supplied: HexSet,
    /// The HQs on the map that are in supply.
    hqs: Vec<Fed>,
    lines: Lines,
}

/// An HQ in supply, and where it gives some.
struct Fed {
    colour: Colour,
    level: Level,
    hex: Hex,
    range: u8,
    /// The hexes from which a line leads to it, found when they are first asked for.
    hexes: OnceCell<HexSet>,
}

impl SupplyMap {
    pub(crate) fn of(rules: &Bite, state: &State, position: &Position, side: Side) -> SupplyMap {
        let lines = Lines::new(rules, state, position, side);
        let supplied = lines.fed_by_sources(rules, state);
        let mut hqs = Vec::new();
        for (colour, hq) in rules.hqs_of(side) {
            let Some(hex) = state.hex(hq.unit) else { continue };
            // An HQ in a fortress is in supply itself, but gives none without a line (8.1e3).
            if !supplied.contains(hex) && !state.marked(hq.unit, Marks::AIRLIFT) {
                continue;
            }
            let level = if state.marked(hq.unit, Marks::ATTACK) { Level::Attack } else { Level::General };
            hqs.push(Fed { colour, level, hex, range: hq.range, hexes: OnceCell::new() });
        }
        SupplyMap { side, supplied, hqs, lines }
    }

    /// A line of supply leads from a hex to the HQ of a colour that is itself in supply.
    pub(crate) fn feeds(&self, rules: &Bite, colour: Colour, hex: Hex) -> bool {
        self.level_from(rules, colour, hex) > Level::Out
    }

    /// The level that the HQ of a colour gives in a hex.
    fn level_from(&self, rules: &Bite, colour: Colour, hex: Hex) -> Level {
        let found = self.hqs.iter().find(|hq| hq.colour == colour);
        found.filter(|hq| self.reaches(rules, hq, hex)).map_or(Level::Out, |hq| hq.level)
    }

    fn reaches(&self, rules: &Bite, hq: &Fed, hex: Hex) -> bool {
        let near = rules.map.grid().distance(hq.hex, hex) <= u32::from(hq.range);
        near && hq.hexes.get_or_init(|| self.lines.around(rules, hq.hex, hq.range)).contains(hex)
    }

    /// The level of an HQ itself: by its line of supply and its face (14.0d, R21).
    pub(crate) fn of_hq(&self, colour: Colour) -> Level {
        self.hqs.iter().find(|hq| hq.colour == colour).map_or(Level::Out, |hq| hq.level)
    }
}

/// What a side's lines of supply may pass now.
struct Lines {
    side: Side,
    /// Hexes that a line may enter (8.1a, 8.1b).
    open: HexSet,
    demolished: bool,
    /// Hexsides bridged by bridging units of the side (R22).
    bridges: ArrayVec<(Hex, Hex), 8>,
}

impl Lines {
    fn new(rules: &Bite, state: &State, position: &Position, side: Side) -> Lines {
        let closed = rules.closed_to_supply(state, side);
        let open = rules.ground.traceable - position.held[side.enemy()] - position.unnegated(side) - closed;
        Lines {
            side,
            open,
            demolished: state.demolished,
            bridges: rules.bridges(state, side).map(|(_, from, to)| (from, to)).collect(),
        }
    }

    /// Hexsides that lines cross, bridging units apart.
    fn sides<'r>(&self, rules: &'r Bite) -> &'r Sides {
        rules.ground.supply_sides(self.demolished)
    }

    /// The hexes from which a step leads into the set.
    fn step(&self, rules: &Bite, set: &HexSet) -> HexSet {
        let mut grown = self.sides(rules).grow(set);
        for (a, b) in &self.bridges {
            if set.contains(*a) {
                grown.insert(*b);
            }
            if set.contains(*b) {
                grown.insert(*a);
            }
        }
        grown
    }

    fn fed_by_sources(&self, rules: &Bite, state: &State) -> HexSet {
        let sources = rules.settings.sources(self.side, state.turn) & rules.ground.land;
        let mut fed = flood(&sources, &self.open, self.sides(rules));
        // A bridging unit may open another bank.
        loop {
            let over = self.step(rules, &fed) & self.open;
            if over.is_subset(&fed) || self.bridges.is_empty() {
                break;
            }
            fed = flood(&(fed | over), &self.open, self.sides(rules));
        }
        // The hex that a line starts from is not tested (8.1n).
        self.step(rules, &fed) | sources
    }

    /// The hexes from which a line of at most so many hexes leads to this one.
    fn around(&self, rules: &Bite, hex: Hex, range: u8) -> HexSet {
        let own: HexSet = [hex].into_iter().collect();
        let mut near = own & self.open;
        for _ in 1..range {
            near = self.step(rules, &near) & self.open;
        }
        if range > 0 { self.step(rules, &near) | own } else { own }
    }
}

/// Whether a side's line of supply may go from a hex to the next now.
pub(crate) fn ways<'r>(rules: &'r Bite, state: &State, side: Side) -> impl Fn(Hex, Hex) -> bool + use<'r> {
    let lines = Lines::new(rules, state, &rules.known(state), side);
    move |from, to| {
        let bridged = lines.bridges.contains(&(from, to)) || lines.bridges.contains(&(to, from));
        lines.open.contains(to) && (lines.sides(rules).between(from, to) || bridged)
    }
}

impl Bite {
    /// A combat unit without an HQ's colour (3.2j).
    pub(crate) fn is_independent(&self, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        counter.colour.is_none() && !counter.local
    }

    /// Hexes that no line of a side may enter in this turn (rad.22.2b).
    pub(crate) fn closed_to_supply(&self, state: &State, side: Side) -> HexSet {
        self.closed(state, side).map_or(HexSet::EMPTY, |closed| closed.hexes)
    }

    /// The hexes that are closed to a side in this turn.
    pub(crate) fn closed(&self, state: &State, side: Side) -> Option<&crate::settings::Closed> {
        let closed = self.settings.special.closed.as_ref()?;
        let now = closed.side == side && (closed.turns.0..=closed.turns.1).contains(&state.turn);
        now.then_some(closed)
    }

    /// A fortress that still stands keeps its own side's units in General supply (18.0a4).
    pub(crate) fn is_safe(&self, state: &State, side: Side, hex: Hex) -> bool {
        self.fortress(state, hex) == Some(side)
    }

    /// How many independent units of a side have drawn from an HQ in this player turn (8.1f).
    pub(crate) fn drawing(&self, state: &State, side: Side, colour: Colour) -> u8 {
        let draws = |unit: &UnitId| self.side(*unit) == side && state.units[*unit].drawn >> colour.0 & 1 == 1;
        self.roster.iter().filter(draws).count() as u8
    }

    /// Whether an independent unit may take a place with an HQ of its side (8.1f).
    pub(crate) fn check_draw(
        &self,
        state: &State,
        supply: &SupplyMap,
        unit: UnitId,
        hq: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.1f", self.side(unit) == supply.side, "{} is the enemy's", unit);
        ensure!("3.2j", self.is_independent(unit), "{} is not independent", unit);
        let Some(colour) = self.colour_of_hq(hq).filter(|_| self.side(hq) == supply.side) else {
            refuse!("8.1f", "{} is not an HQ of yours", hq)
        };
        let Some(hex) = state.hex(unit) else { refuse!("8.1f", "{} is not on the map", unit) };
        ensure!("8.1f", state.units[unit].drawn >> colour.0 & 1 == 0, "{} draws from {} already", unit, hq);
        ensure!("8.1f", supply.feeds(self, colour, hex), "{} has no line of supply to {} in range", unit, hq);
        let drawing = self.drawing(state, supply.side, colour);
        let most = self.settings.independents;
        ensure!("8.1f", drawing < most, "{} independent units draw from {} already", drawing, hq);
        Ok(())
    }

    /// An independent unit takes a place with an HQ.
    pub(crate) fn draw(&self, state: &mut State, unit: UnitId, hq: UnitId, play: &mut Play<Event>) {
        let Some(colour) = self.colour_of_hq(hq) else { return };
        state.units.change(unit, |unit| unit.drawn |= 1 << colour.0);
        play.tell(Event::Drew { unit, hq });
    }

    /// More of these units would draw from an HQ than it has places left, so that their owner must choose (8.1f, R16).
    pub(crate) fn is_crowded(&self, state: &State, supply: &SupplyMap, units: Units) -> bool {
        let draws_next = |unit: UnitId| {
            let from = self.level_and_hq(state, supply, unit).1;
            from.filter(|colour| state.units[unit].drawn >> colour.0 & 1 == 0)
        };
        let mut wanted = [0; COLOURS];
        for colour in units.iter().filter(|unit| self.is_independent(*unit)).filter_map(draws_next) {
            wanted[colour.index()] += 1;
        }
        let left = |colour: Colour| {
            self.settings.independents.saturating_sub(self.drawing(state, supply.side, colour))
        };
        (0..COLOURS as u8)
            .map(Colour)
            .any(|colour| wanted[colour.index()] > 1 && wanted[colour.index()] > left(colour))
    }

    /// The level of a unit, and the HQ that it would draw from if it is independent (8.1g).
    pub(crate) fn level_and_hq(
        &self,
        state: &State,
        supply: &SupplyMap,
        unit: UnitId,
    ) -> (Level, Option<Colour>) {
        // Off the map it counts as in General supply (R36).
        state.hex(unit).map_or((Level::General, None), |hex| self.level_in(state, supply, unit, hex))
    }

    /// The same if it were in this hex.
    pub(crate) fn level_in(
        &self,
        state: &State,
        supply: &SupplyMap,
        unit: UnitId,
        hex: Hex,
    ) -> (Level, Option<Colour>) {
        let counter = self.counter(unit);
        if counter.local {
            return (Level::General, None);
        }
        if let Some(colour) = self.colour_of_hq(unit) {
            let own = supply.of_hq(colour);
            return (
                if own == Level::Out && self.is_safe(state, supply.side, hex) { Level::General } else { own },
                None,
            );
        }
        let (mut level, mut from) = (Level::Out, None);
        match counter.colour {
            Some(colour) => level = supply.level_from(self, colour, hex),
            None => {
                for Fed { colour, .. } in &supply.hqs {
                    let found = supply.level_from(self, *colour, hex);
                    // One that it has drawn from already comes before another that gives the same.
                    let drawn = state.units[unit].drawn >> colour.0 & 1 == 1;
                    let better = found > level || found == level && found > Level::Out && drawn;
                    let free =
                        || drawn || self.drawing(state, supply.side, *colour) < self.settings.independents;
                    if better && free() {
                        (level, from) = (found, Some(*colour));
                    }
                }
            }
        }
        // Axis units need no HQ for General supply, and then no place with one (8.1d1, R89).
        let plain = supply.side == Side::Axis && supply.supplied.contains(hex);
        if level < Level::Attack && plain {
            return (Level::General, None);
        }
        if level == Level::Out && self.is_safe(state, supply.side, hex) {
            return (Level::General, None);
        }
        (level, from)
    }

    pub(crate) fn level(&self, state: &State, supply: &SupplyMap, unit: UnitId) -> Level {
        self.level_and_hq(state, supply, unit).0
    }

    /// Finds the levels of units one after the other; independent ones take their places with HQs (8.1f, R16).
    pub(crate) fn take_levels(&self, state: &mut State, side: Side, units: Units) -> (Units, Units) {
        let known = self.known(state);
        let supply = known.supply(self, state, side);
        let (mut attack, mut general) = (Units::EMPTY, Units::EMPTY);
        for unit in units.iter() {
            let (level, from) = self.level_and_hq(state, supply, unit);
            if let Some(colour) = from {
                state.units.change(unit, |unit| unit.drawn |= 1 << colour.0);
            }
            match level {
                Level::Attack => attack.insert(unit),
                Level::General => general.insert(unit),
                Level::Out => false,
            };
        }
        (attack, general)
    }

    /// Marks who is out of supply, and takes the mark off whoever is not (6.0d1).
    pub(crate) fn mark_supply(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        let known = self.known(state);
        let supply = known.supply(self, state, side);
        let own: Vec<UnitId> = self.on_map(state, side).map(|(unit, _)| unit).collect();
        let (mut out, mut back) = (Units::EMPTY, Units::EMPTY);
        for unit in own {
            let is_out = self.level(state, supply, unit) == Level::Out;
            match (is_out, state.marked(unit, Marks::OUT)) {
                (true, false) => {
                    state.mark(unit, Marks::OUT);
                    out.insert(unit);
                }
                (false, true) => {
                    state.unmark(unit, Marks::OUT);
                    back.insert(unit);
                }
                _ => {}
            }
        }
        if !out.is_empty() {
            play.tell(Event::OutOfSupply { units: out });
        }
        if !back.is_empty() {
            play.tell(Event::InSupply { units: back });
        }
    }

    /// Independent units take their places with HQs in the order of the roster, where their owner has not said (8.1f).
    fn settle_slots(&self, state: &mut State, side: Side) {
        let units: Units = self.on_map(state, side).map(|(unit, _)| unit).collect();
        let (attack, general) = self.take_levels(state, side, units);
        for unit in units.iter() {
            let out = !attack.contains(unit) && !general.contains(unit);
            if out {
                state.mark(unit, Marks::OUT);
            } else {
                state.unmark(unit, Marks::OUT);
            }
        }
    }

    /// An HQ in supply with the air supply marker does not count against the limit (uma.22.3f).
    fn is_beyond_limit(&self, state: &State, side: Side, hq: UnitId) -> bool {
        self.settings.air.supply_attack == Some(side) && state.marked(hq, Marks::AIRLIFT)
    }

    /// The deployed bridges of a side: unit, hex of the marker, hex that it points to.
    pub(crate) fn bridges<'a>(
        &'a self,
        state: &'a State,
        side: Side,
    ) -> impl Iterator<Item = (UnitId, Hex, Hex)> + 'a {
        self.bridging.iter().filter(move |unit| self.side(**unit) == side).filter_map(|unit| {
            match state.units[*unit].place {
                Place::Bridge(from, to) => Some((*unit, from, to)),
                _ => None,
            }
        })
    }
}
