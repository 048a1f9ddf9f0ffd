//! 3.3, 5.3.2, 7.4, 10.4: where HQs may be, how they relocate and are displaced.

use std::cell::OnceCell;
use std::rc::Rc;

use board::{Hex, flood, flood_within};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::charts::Tether;
use crate::sequence::not_asked;
use crate::{Action, Bug, Ending, Event, HexSet, Marks, Place, Presence, Procedure, State, Units};

/// The last turn of the tether of 87. Rifle Division (10.4a).
const LAST_TOWN_TETHER: u8 = 3;

/// What an HQ sees of the map when it must go somewhere. What takes a flood is found when it is asked for.
pub(crate) struct Survey<'a> {
    rules: &'a Bug,
    hq: UnitId,
    from: Option<Hex>,
    presence: Rc<Presence>,
    /// Joined to its hex by a clear path (7.4e, 5.3.2f).
    joined: OnceCell<HexSet>,
    /// The same within Command Range (7.4g).
    near: OnceCell<HexSet>,
    /// Where it would be in supply once it had gone there.
    supplied: OnceCell<HexSet>,
}

impl Survey<'_> {
    /// The clear hexes around an HQ; it keeps its own hex clear while it is there (R18).
    fn clear(&self) -> (HexSet, HexSet) {
        let seed: HexSet = self.from.into_iter().collect();
        (seed, self.presence.clear(self.rules.side(self.hq), self.rules.ground.land) | seed)
    }

    /// Whether a hex lies on the other bank of the Bug.
    fn crosses(&self, hex: Hex) -> bool {
        let west = &self.rules.ground.west;
        self.from.is_some_and(|from| west.contains(from) != west.contains(hex))
    }

    fn joined(&self) -> &HexSet {
        self.joined.get_or_init(|| {
            let (seed, clear) = self.clear();
            flood(&seed, &clear, &self.rules.ground.all_sides)
        })
    }

    fn near(&self) -> &HexSet {
        self.near.get_or_init(|| {
            let (seed, clear) = self.clear();
            let range = u32::from(self.rules.hq_values(self.hq).command_range);
            flood_within(&seed, &clear, &self.rules.ground.all_sides, range)
        })
    }

    /// The HQ no longer keeps its old hex open, but the new one.
    fn supplied(&self, state: &State) -> &HexSet {
        self.supplied.get_or_init(|| {
            let (rules, side) = (self.rules, self.rules.side(self.hq));
            let mut clear = self.presence.clear(side, rules.ground.land);
            if let Some(from) = self.from.filter(|from| state.units.in_hex(*from).nth(1).is_none())
                && self.presence.in_ezoc(side, from)
            {
                clear.remove(from);
            }
            let supplied = rules.supplied_through(state, &self.presence, clear, side);
            self.presence.open_sides(rules).grow(&supplied) | rules.sources(state, side)
        })
    }
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
        ensure!("5.3.1m", there, "{} is not an HQ in {}", hq, self.hex);
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
        rules.check_refuge_of(state, &rules.survey(state, hq), hex)?;
        let open = rules.displacement_settlements(state, hq);
        let roomy = |hex: Hex| rules.check_hq_room(state, hq, hex).is_ok();
        if state.marked(hq, Marks::SQUEEZED) || open.iter().any(roomy) {
            rules.check_hq_room(state, hq, hex)?;
        }
        if open.contains(hex) { Ok(()) } else { Err(rules.beyond_tether(hq)) }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let (Action::Settle { hex }, hq) = (action, self.hq) else { return };
        state.stack.pop();
        let tier = rules.tier(&rules.survey(state, hq), hex);
        rules.put(state, hq, hex, play);
        rules.tuck_under(state, hq, hex);
        if rules.is_crowded(state, hex) {
            state.mark(hq, Marks::SQUEEZED);
        }
        state.change(hq, |unit| unit.marks.clear(Marks::SHOWN));
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

    pub(crate) fn survey(&self, state: &State, hq: UnitId) -> Survey<'_> {
        Survey {
            rules: self,
            hq,
            from: state.hex(hq),
            presence: self.presence(state),
            joined: OnceCell::new(),
            near: OnceCell::new(),
            supplied: OnceCell::new(),
        }
    }

    /// Whether an HQ may be displaced to a hex: across the Bug only by a short path and where it has supply over a bridge
    /// (7.4g).
    fn check_refuge_of(&self, state: &State, survey: &Survey<'_>, hex: Hex) -> Result<(), Violation> {
        let hq = survey.hq;
        self.check_hq_hex(state, &survey.presence, hq, hex)?;
        ensure!("5.3.2i", survey.from != Some(hex), "{} is in {} already", hq, hex);
        if survey.crosses(hex) {
            let range = self.hq_values(hq).command_range;
            let short = survey.near().contains(hex);
            ensure!("7.4g", short, "no path of {} hexes leads across the Bug to {}", range, hex);
            let supplied = survey.supplied(state).contains(hex);
            ensure!("7.4g", supplied, "no Supply Path leads from {} over a bridge", hex);
        }
        Ok(())
    }

    /// Where HQs of a side may be, but for their own number: settlements (3.3b) that are friendly (7.4d) and not exposed
    /// (3.3c).
    pub(crate) fn hq_hexes(&self, state: &State, presence: &Presence, side: Side) -> HexSet {
        let exposed = presence.zoc[side.enemy()] - presence.combat[side];
        (self.ground.settlements() & self.friendly(state, side)) - presence.held[side.enemy()] - exposed
    }

    /// Whether an HQ may be in a hex at all, room apart: a settlement (3.3b) that is friendly (R17), not in an enemy zone of
    /// control without a friendly combat unit (3.3c).
    pub(crate) fn check_hq_hex(
        &self,
        state: &State,
        presence: &Presence,
        hq: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let side = self.side(hq);
        let settled = (self.ground.settlements() & self.ground.land).contains(hex);
        ensure!("3.3b", settled, "{} is neither a town nor a village", hex);
        let free = state.controller(hex) == side && !presence.held[side.enemy()].contains(hex);
        ensure!("7.4d", free, "{} is not friendly", hex);
        let exposed = presence.in_ezoc(side, hex) && !presence.combat[side].contains(hex);
        ensure!(
            "3.3c",
            !exposed,
            "{} is in an enemy zone of control and no friendly combat unit is there",
            hex
        );
        Ok(())
    }

    /// Whether a settlement takes another HQ (5.3.1i).
    pub(crate) fn check_hq_room(&self, state: &State, hq: UnitId, hex: Hex) -> Result<(), Violation> {
        let others = self.hqs_in(state, hex).filter(|other| other != hq).len();
        ensure!("5.3.1i", others < self.hq_limit(hex), "{} has no room for another HQ", hex);
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

    /// Which penalty of 5.3.2 a destination carries: range is plain distance, the path may have any length (R13). Across the
    /// Bug the path itself must be within range (7.4g).
    fn tier(&self, survey: &Survey<'_>, hex: Hex) -> u8 {
        let range = u32::from(self.hq_values(survey.hq).command_range);
        let distance = survey.from.map_or(0, |from| self.map.grid().distance(from, hex));
        let in_range = if survey.crosses(hex) { survey.near().contains(hex) } else { distance <= range };
        match (survey.joined().contains(hex), in_range) {
            (true, true) => 1,
            (true, false) => 2,
            (false, _) => 3,
        }
    }

    /// Lowers Support and level (5.3.2b, 5.3.2c, 5.3.2d), never below 0 (5.3.2e).
    fn penalize(&self, state: &mut State, hq: UnitId, tier: u8, play: &mut Play<Event>) {
        let loss = if tier >= 3 { u8::MAX } else { tier };
        self.reduce_hq(state, hq, loss, loss, play);
    }

    /// An HQ loses Support and levels, never below 0 (5.3.2e).
    pub(crate) fn reduce_hq(
        &self,
        state: &mut State,
        hq: UnitId,
        support: u8,
        level: u8,
        play: &mut Play<Event>,
    ) {
        let now = state.unit(hq);
        let (support, level) = (now.strength.saturating_sub(support), now.level.saturating_sub(level));
        state.change(hq, |hq| (hq.strength, hq.level) = (support, level));
        play.tell(Event::HqReduced { hq, support, level });
    }

    // 7.4: relocation.

    /// Whether an HQ may relocate to a hex, at a price where range, path or supply are wanting, across the Bug too (7.4h, R15).
    pub(crate) fn check_relocate(
        &self,
        state: &State,
        survey: &Survey<'_>,
        hq: UnitId,
        ap: u8,
        hex: Hex,
    ) -> Result<(), Violation> {
        let cost = self.hq_values(hq).relocation;
        ensure!("7.4a", state.hex(hq).is_some(), "{} is not on the map", hq);
        ensure!("7.4a", cost <= ap, "relocation costs {} AP, and you have {}", cost, ap);
        self.check_hq_hex(state, &survey.presence, hq, hex)?;
        self.check_hq_room(state, hq, hex)?;
        ensure!("5.3.2i", survey.from != Some(hex), "{} is in {} already", hq, hex);
        let within = self.tether(state, hq).is_none_or(|tether| tether.contains(hex));
        if within { Ok(()) } else { Err(self.beyond_tether(hq)) }
    }

    /// Why an HQ may not go where it would (10.4); displacement leads beyond only if nothing within takes it.
    fn beyond_tether(&self, hq: UnitId) -> Violation {
        match self.hq_values(hq).tether {
            Some(Tether::Town) => remark!("10.4a", "{} must stay within 4 hexes of Volodymyr-Volynskyi", hq),
            Some(Tether::South) => {
                remark!("10.4b", "{} must stay within 4 hexes of the Southern Supply Area", hq)
            }
            _ => remark!("10.4c", "{} must stay within 4 hexes of the Northern Supply Area", hq),
        }
    }

    pub(crate) fn relocation_answers(&self, state: &State, hq: UnitId, ap: u8, answers: &mut Vec<Action>) {
        if self.hq_values(hq).relocation > ap || state.hex(hq).is_none() {
            return;
        }
        let survey = self.survey(state, hq);
        let hexes = self.hq_hexes(state, &survey.presence, self.side(hq));
        let open = hexes.iter().filter(|hex| self.check_relocate(state, &survey, hq, ap, *hex).is_ok());
        answers.extend(open.map(|hex| Action::Relocate { hex }));
    }

    pub(crate) fn relocate(&self, state: &mut State, hq: UnitId, hex: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(hq) else { return };
        let survey = self.survey(state, hq);
        let tier = self.tier(&survey, hex);
        let supplied = survey.supplied(state).contains(hex);
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
        let hexes = self.hq_hexes(state, &survey.presence, self.side(hq));
        let lawful = hexes.iter().filter(|hex| self.check_refuge_of(state, &survey, *hex).is_ok());
        let lawful: HexSet = lawful.collect();
        let roomy: HexSet = lawful.iter().filter(|hex| self.check_hq_room(state, hq, *hex).is_ok()).collect();
        // Overstacked, if there is no other way; but nobody goes round for ever (5.3.1p, R12).
        let squeezed = state.marked(hq, Marks::SQUEEZED);
        let lawful = if roomy.is_empty() && !squeezed { lawful } else { roomy };
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
            state.change(*unit, |unit| unit.depth -= 1);
        }
        state.change(hq, |unit| unit.depth = bottom);
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
