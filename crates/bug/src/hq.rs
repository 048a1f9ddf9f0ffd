//! 3.3, 5.3.2, 7.4, 10.4: where HQs may be, how they relocate and are displaced.

use board::{Hex, flood, flood_within};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::charts::Tether;
use crate::sequence::not_asked;
use crate::{Action, Bug, Ending, Event, HexSet, Marks, Place, Position, Procedure, State, Units};

/// The last turn of the tether of 87. Rifle Division (10.4a).
const LAST_TOWN_TETHER: u8 = 3;

/// What an HQ sees of the map when it must go somewhere.
pub(crate) struct Survey {
    position: Position,
    /// Joined to its hex by a clear path (7.4e, 5.3.2f).
    joined: HexSet,
    /// The same within Command Range (7.4g).
    near: HexSet,
}

phrases! {
    /// Too many HQs are in a hex.
    pub struct Crowded { hex: Hex } = "crowded", "5.3.1m", "too many HQs in {hex}";
}

impl Frame<Bug> for Crowded {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let owner = rules.side_of_all(rules.hqs_in(state, self.hex));
        (owner, remark!("5.3.1m", "name the HQ that must leave {}", self.hex))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.hqs_in(state, self.hex).iter().map(|hq| Action::Evict { hq }));
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Evict { hq } = action else { return Err(not_asked(state, action)) };
        let there = rules.is_hq(hq) && state.hex(hq) == Some(self.hex);
        ensure!("5.3.1m", there, "{} is no HQ in {}", hq, self.hex);
        Ok(())
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, _: &mut Play<Event>) {
        if let Action::Evict { hq } = action {
            rules.begin_displacement(state, hq);
        }
    }

    fn go_on(&self, rules: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        let crowded = rules.is_crowded(state, self.hex);
        if !crowded {
            state.stack.pop();
        }
        crowded
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && (!around.above.is_empty() || rules.is_crowded(state, self.hex))
    }
}

phrases! {
    /// An HQ is displaced.
    pub struct Displaced { hq: UnitId } = "displaced", "5.3.2a", "{hq} is displaced";
}

impl Frame<Bug> for Displaced {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        (rules.side(self.hq), remark!("5.3.2a", "{} is displaced: choose a town or village", self.hq))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let hexes = rules.displacement_settlements(state, self.hq);
        answers.extend(hexes.iter().map(|hex| Action::Settle { hex }));
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Settle { hex } = action else { return Err(not_asked(state, action)) };
        let hq = self.hq;
        rules.check_settlement(state, &rules.survey(state, hq), hq, hex)?;
        let within = rules.displacement_settlements(state, hq).contains(hex);
        match rules.hq_values(hq).tether {
            Some(Tether::Town) => ensure!("10.4a", within, "{} can be displaced nearer to the town", hq),
            Some(Tether::South) => ensure!("10.4b", within, "{} can be displaced nearer to the south", hq),
            _ => ensure!("10.4c", within, "{} can be displaced nearer to the north", hq),
        }
        Ok(())
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let (Action::Settle { hex }, hq) = (action, self.hq) else { return };
        state.stack.pop();
        let tier = rules.tier(state, &rules.survey(state, hq), hq, hex);
        rules.put(state, hq, hex, play);
        rules.tuck_under(state, hq, hex);
        state.unit_mut(hq).marks.clear(Marks::SHOWN);
        let seen = rules.is_seen(state, hq);
        play.tell_of(rules.side(hq), seen, Event::HqDisplaced { hq, to: hex.into(), tier });
        rules.penalize(state, hq, tier, play);
    }

    /// Another HQ may have taken the last place: without any lawful settlement it leaves the map (5.3.2h).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let hq = self.hq;
        let lawful = !rules.displacement_settlements(state, hq).is_empty();
        if !lawful {
            state.stack.pop();
            rules.take_off(state, hq, Place::Away);
            play.tell(Event::HqAway { hq });
            rules.penalize(state, hq, 3, play);
        }
        lawful
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        rules.is_hq(self.hq) && state.hex(self.hq).is_some() && !around.is_outermost()
    }
}

impl Bug {
    fn is_crowded(&self, state: &State, hex: Hex) -> bool {
        self.hqs_in(state, hex).len() > self.hq_limit(hex)
    }

    pub(crate) fn survey(&self, state: &State, hq: UnitId) -> Survey {
        let position = Position::new(self, state);
        let side = self.side(hq);
        let open = position.clear(side, self.ground.land);
        let seed: HexSet = state.hex(hq).into_iter().collect();
        let range = u32::from(self.hq_values(hq).command_range);
        // The HQ itself keeps its own hex clear while it is there (R18).
        let from = open | seed;
        Survey {
            joined: flood(&seed, &from, &self.ground.all_sides),
            near: flood_within(&seed, &from, &self.ground.all_sides, range),
            position,
        }
    }

    /// Whether an HQ may be in a hex at all: a settlement (3.3b) that is friendly (R17), with room (5.3.1i), not in an
    /// enemy zone of control without a friendly combat unit (3.3c); across the Bug only with a short path and supply
    /// (7.4g).
    fn check_settlement(
        &self,
        state: &State,
        survey: &Survey,
        hq: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        self.check_hq_hex(state, &survey.position, hq, hex)?;
        if let Some(from) = state.hex(hq) {
            ensure!("5.3.2i", from != hex, "{} is in {} already", hq, hex);
            let crosses = self.ground.west.contains(from) != self.ground.west.contains(hex);
            ensure!(
                "7.4g",
                !crosses || survey.near.contains(hex),
                "no path of {} hexes leads across the Bug to {}",
                self.hq_values(hq).command_range,
                hex
            );
            ensure!(
                "7.4g",
                !crosses || self.would_be_supplied(state, hq, hex),
                "no Supply Path leads from {} over a bridge",
                hex
            );
        }
        Ok(())
    }

    /// Whether a Supply Path could be traced from a hex once the HQ has gone there: it no longer keeps its old hex open.
    fn would_be_supplied(&self, state: &State, hq: UnitId, hex: Hex) -> bool {
        let mut gone = state.clone();
        gone.unit_mut(hq).place = Place::Away;
        self.is_hex_supplied(&gone, &Position::new(self, &gone), self.side(hq), hex)
    }

    /// The part of it that holds for reinforcements, too.
    pub(crate) fn check_hq_hex(
        &self,
        state: &State,
        position: &Position,
        hq: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let side = self.side(hq);
        let settled = (self.ground.settlements() & self.ground.land).contains(hex);
        ensure!("3.3b", settled, "{} is neither a town nor a village", hex);
        let free = state.controller(hex) == side && !position.held[side.enemy()].contains(hex);
        ensure!("7.4d", free, "{} is not friendly", hex);
        let others = self.hqs_in(state, hex).filter(|other| other != hq).len();
        ensure!("5.3.1i", others < self.hq_limit(hex), "{} has no room for another HQ", hex);
        let exposed = position.in_ezoc(side, hex) && !position.combat[side].contains(hex);
        ensure!(
            "3.3c",
            !exposed,
            "{} is in an enemy zone of control and no friendly combat unit is there",
            hex
        );
        Ok(())
    }

    /// The settlements within the tether of an HQ, while it holds (10.4, R72, R87).
    pub(crate) fn tether(&self, state: &State, hq: UnitId) -> Option<HexSet> {
        let tether = self.hq_values(hq).tether?;
        let anchor = match tether {
            Tether::Town => self.ground.volodymyr,
            Tether::South => self.ground.south,
            Tether::North => self.ground.north,
        };
        let released = tether == Tether::Town
            && (state.turn > LAST_TOWN_TETHER || !anchor.is_subset(&state.soviet_hexes)); // 10.4aa
        (!anchor.is_empty() && !released).then(|| self.ground.tethers[tether as usize])
    }

    /// Which penalty of 5.3.2 a destination carries: range is plain distance, the path may have any length (R13).
    fn tier(&self, state: &State, survey: &Survey, hq: UnitId, hex: Hex) -> u8 {
        let range = u32::from(self.hq_values(hq).command_range);
        let distance = state.hex(hq).map_or(0, |from| self.map.grid().distance(from, hex));
        match (survey.joined.contains(hex), distance <= range) {
            (true, true) => 1,
            (true, false) => 2,
            (false, _) => 3,
        }
    }

    /// Lowers Support and level (5.3.2b, 5.3.2c, 5.3.2d), never below 0 (5.3.2e).
    fn penalize(&self, state: &mut State, hq: UnitId, tier: u8, play: &mut Play<Event>) {
        let unit = state.unit_mut(hq);
        let loss = if tier >= 3 { u8::MAX } else { tier };
        unit.strength = unit.strength.saturating_sub(loss);
        unit.level = unit.level.saturating_sub(loss);
        let (support, level) = (unit.strength, unit.level);
        play.tell(Event::HqReduced { hq, support, level });
    }

    // 7.4: relocation.

    /// Whether an HQ may relocate to a hex, at a price where range, path or supply are wanting (7.4h, R15).
    pub(crate) fn check_relocate(
        &self,
        state: &State,
        survey: &Survey,
        hq: UnitId,
        ap: u8,
        hex: Hex,
    ) -> Result<(), Violation> {
        let cost = self.hq_values(hq).relocation;
        ensure!("7.4a", state.hex(hq).is_some(), "{} is not on the map", hq);
        ensure!("7.4a", cost <= ap, "relocation costs {} AP, and there are {}", cost, ap);
        self.check_settlement(state, survey, hq, hex)?;
        if let Some(tether) = self.tether(state, hq) {
            let within = tether.contains(hex);
            match self.hq_values(hq).tether {
                Some(Tether::Town) => {
                    ensure!("10.4a", within, "{} must stay within 4 hexes of Volodymyr-Volynskyi", hq);
                }
                Some(Tether::South) => {
                    ensure!("10.4b", within, "{} must stay within 4 hexes of the Southern Supply Area", hq);
                }
                _ => ensure!("10.4c", within, "{} must stay within 4 hexes of the Northern Supply Area", hq),
            }
        }
        Ok(())
    }

    pub(crate) fn relocation_answers(&self, state: &State, hq: UnitId, ap: u8, answers: &mut Vec<Action>) {
        if self.hq_values(hq).relocation > ap || state.hex(hq).is_none() {
            return;
        }
        let survey = self.survey(state, hq);
        let hexes = (self.ground.settlements() & self.ground.land).iter().collect::<Vec<_>>();
        for hex in hexes {
            if self.check_relocate(state, &survey, hq, ap, hex).is_ok() {
                answers.push(Action::Relocate { hex });
            }
        }
    }

    pub(crate) fn relocate(&self, state: &mut State, hq: UnitId, hex: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(hq) else { return };
        let survey = self.survey(state, hq);
        let tier = self.tier(state, &survey, hq, hex);
        let supplied = self.would_be_supplied(state, hq, hex);
        self.pay(state, self.side(hq), self.hq_values(hq).relocation, play);
        let before = self.is_seen(state, hq);
        self.put(state, hq, hex, play);
        self.tuck_under(state, hq, hex);
        let seen = before || self.is_seen(state, hq);
        play.tell_of(self.side(hq), seen, Event::Relocated { hq, from: from.into(), to: hex.into() });
        if tier > 1 || !supplied {
            self.penalize(state, hq, tier, play);
        }
        state.stack.push(Ending {});
    }

    // 5.3.2: displacement.

    /// Where a displaced HQ may go; beyond its tether only if nothing within is lawful (10.4ab, 10.4ba, 10.4ca).
    fn displacement_settlements(&self, state: &State, hq: UnitId) -> HexSet {
        let survey = self.survey(state, hq);
        let lawful: HexSet = (self.ground.settlements() & self.ground.land)
            .iter()
            .filter(|hex| self.check_settlement(state, &survey, hq, *hex).is_ok())
            .collect();
        match self.tether(state, hq).map(|tether| tether & lawful) {
            Some(within) if !within.is_empty() => within,
            _ => lawful,
        }
    }

    /// Begins to displace an HQ.
    pub(crate) fn begin_displacement(&self, state: &mut State, hq: UnitId) {
        if state.hex(hq).is_some() {
            state.stack.push(Displaced { hq });
        }
    }

    /// An HQ that joins a stack lies at its bottom.
    fn tuck_under(&self, state: &mut State, hq: UnitId, hex: Hex) {
        let stack = state.stack_in(hex);
        let bottom = stack.len().saturating_sub(1) as u8;
        for unit in stack.iter().filter(|unit| **unit != hq) {
            state.unit_mut(*unit).depth -= 1;
        }
        state.unit_mut(hq).depth = bottom;
    }

    /// Notes which HQs have combat units with them when a combat begins.
    pub(crate) fn note_guards(&self, state: &mut State) {
        for hq in &self.hqs {
            let guarded = state.hex(*hq).is_some_and(|hex| !self.combat_units(state, hex).is_empty());
            if guarded {
                state.mark(*hq, Marks::GUARDED);
            }
        }
    }

    /// The HQs of a side that the combat has left without combat units, wherever they are (7.5c).
    pub(crate) fn left_alone(&self, state: &State, side: Side) -> Units {
        self.hqs_of_side(side)
            .filter(|hq| {
                let alone = state.hex(*hq).is_some_and(|hex| self.combat_units(state, hex).is_empty());
                alone && state.marked(*hq, Marks::GUARDED)
            })
            .collect()
    }
}
