//! 9.16f, 14.6a, 14.17, 15: air bases: their levels and supply, returning and refitting, building, capture.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};
use source::{Item, Table, Writer};

use crate::sequence::{self, OVERPHASE, not_asked, phase};
use crate::{
    Action, AirCombat, AirType, Errand, Event, Flight, HexSet, Marks, Ocs, Paying, Phase, Procedure, State,
    TOKENS, Units,
};

/// The highest level (15.1a).
const HIGHEST: u8 = 3;

/// The quarters of an RE that it takes to reduce a base (15.2a).
const GARRISON: u8 = 2;

/// An air base (15.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Base {
    pub(crate) hex: Hex,
    pub(crate) side: Side,
    pub(crate) level: u8,
    /// The level at which it is supplied this turn; 0 when it is not (15.0f.a).
    pub(crate) usable: u8,
}

impl State {
    pub(crate) fn base(&self, hex: Hex) -> Option<&Base> {
        self.bases.iter().find(|base| base.hex == hex)
    }

    fn base_mut(&mut self, hex: Hex) -> Option<&mut Base> {
        self.bases.iter_mut().find(|base| base.hex == hex)
    }
}

/// `[bases] 0102 = "axis level=2 usable=1"`.
pub(crate) fn read(rules: &Ocs, root: &Table<'_>, state: &mut State) {
    let Some(table) = root.get("bases").and_then(|item| item.table()) else { return };
    for (label, item) in table.rest() {
        let Some(hex) = item.parse(|_| rules.map.hex(label)) else { continue };
        let Some(base) = read_base(hex, &item) else { continue };
        if state.bases.try_push(base).is_err() {
            item.fault("there are too many air bases");
        }
        if state.held(base.side.enemy()).contains(hex) {
            item.fault("an enemy unit is in the hex: the base is captured (9.16f.a)");
        }
    }
    state.bases.sort_by_key(|base| base.hex);
}

fn read_base(hex: Hex, item: &Item<'_>) -> Option<Base> {
    item.parse(|text| {
        let mut words = text.split(' ');
        let side = Side::from_word(words.next().unwrap_or_default())?;
        let mut base = Base { hex, side, level: 1, usable: 0 };
        for word in words {
            let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a level"));
            match word.split_once('=') {
                Some(("level", value)) => base.level = number(value)?,
                Some(("usable", value)) => base.usable = number(value)?,
                _ => return Err(format!("expected level=N or usable=N, not `{word}`")),
            }
        }
        if base.level == 0 || base.level > HIGHEST || base.usable > base.level {
            return Err("a level is 1 to 3, and no more can be used than there is (15.0f)".to_owned());
        }
        Ok(base)
    })
}

pub(crate) fn write(rules: &Ocs, state: &State, out: &mut Writer) {
    if state.bases.is_empty() {
        return;
    }
    out.table("bases");
    for base in &state.bases {
        let line = format!("{} level={} usable={}", base.side.word(), base.level, base.usable);
        out.field(&rules.map.label(base.hex), line);
    }
}

phrases! {
    /// The Air Unit Return Phase of a side, or the return before a week without flying (2.3.II.A.a, 14.1e.a).
    pub struct AirReturn { side: Side, weather: bool } = "air-return", "2.3.II.A.a", "{side} air units return";
}

impl Frame<Ocs> for AirReturn {
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let due = rules.strays(state, self.side);
        if due.is_empty() {
            sequence::proceed(rules, state, play);
        } else {
            rules.send_home(state, due, Units::EMPTY, Units::EMPTY, play);
        }
        false
    }

    fn is_sound(&self, _: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && !around.above.is_empty() && state.first.is_some() != self.weather
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(if self.weather { OVERPHASE } else { phase(self.side, Phase::AirReturn) })
    }
}

phrases! {
    /// The Air Unit Refit Phase of a side, base by base (2.3.II.B).
    pub struct AirRefit {
        side: Side,
        /// The base that refits now.
        hex: Option<Hex>,
        /// How many more may refit there.
        left: u8,
    } = "air-refit", "2.3.II.B", "{side} refits air units";
}

impl Frame<Ocs> for AirRefit {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("14.17b.b", "choose who refits: {} more may", self.left))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let Some(hex) = self.hex else { return };
        answers.extend(rules.refittable(state, self.side, hex).iter().map(|unit| Action::Refit { unit }));
        answers.push(Action::Done);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, self.hex) {
            (Action::Refit { unit }, Some(hex)) => {
                let here = rules.side(unit) == self.side && state.hex(unit) == Some(hex);
                let waits = here && state.marked(unit, Marks::INACTIVE);
                ensure!("14.17b.b", waits, "{} is no inactive air unit of yours at this base", unit);
                let able = rules.refittable(state, self.side, hex).contains(unit);
                ensure!("14.17c.a", able, "enemies are over the base: {} is no fighter", unit);
                Ok(())
            }
            (Action::Done, Some(_)) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Refit { unit } => self.refit(state, unit, play),
            _ => self.leave(rules, state),
        }
    }

    /// A base after the other; where all can refit and no enemy is over the base there is nothing to choose.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(hex) = self.hex.filter(|_| self.left > 0) else {
            self.next(rules, state, play);
            return false;
        };
        let able = rules.refittable(state, self.side, hex);
        if able.is_empty() {
            self.leave(rules, state);
            return false;
        }
        let contested = !rules.aloft(state, hex, self.side.enemy()).is_empty();
        if contested || able.len() > usize::from(self.left) {
            return true;
        }
        for unit in able.iter() {
            self.refit(state, unit, play);
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let base = self.hex.and_then(|hex| state.base(hex));
        let own = base.is_some_and(|base| base.side == self.side && base.usable > 0);
        let asks = around.above.is_empty();
        let able = || self.hex.is_some_and(|hex| !rules.refittable(state, self.side, hex).is_empty());
        around.is_outermost()
            && state.first.is_some()
            && (self.hex.is_none() || own)
            && (!asks || self.hex.is_none() && self.left == 0 || own && self.left > 0 && able())
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::AirRefit))
    }
}

impl AirRefit {
    fn refit(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.unmark(unit, Marks::INACTIVE);
        play.tell(Event::Refitted { unit });
        if let Some(frame) = state.stack.find_mut::<AirRefit>() {
            frame.left = frame.left.saturating_sub(1);
        }
    }

    /// The base is done: whoever refitted under enemy aircraft fights them at once (14.17c.b).
    fn leave(&self, rules: &Ocs, state: &mut State) {
        if let Some(frame) = state.stack.top_mut::<AirRefit>() {
            frame.left = 0;
        }
        let Some(hex) = self.hex else { return };
        rules.contest(state, self.side, hex);
    }

    /// Goes to the next base: a die times its usable level is how many may refit (14.17b.a).
    fn next(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        if let Some(hex) = self.hex.filter(|hex| rules.is_contested(state, self.side, *hex)) {
            rules.contest(state, self.side, hex);
            return;
        }
        let refits = |base: &&Base| {
            base.side == self.side
                && base.usable > 0
                && self.hex.is_none_or(|done| base.hex > done)
                && !rules.refittable(state, self.side, base.hex).is_empty()
        };
        let Some(base) = state.bases.iter().find(refits).copied() else {
            sequence::proceed(rules, state, play);
            return;
        };
        let die = play.roll(self.side, 6, "refit", case("14.17b.a")) as u8;
        let left = die * base.usable;
        play.tell(Event::RefitRolled { hex: base.hex, units: left });
        if let Some(frame) = state.stack.top_mut::<AirRefit>() {
            frame.hex = Some(base.hex);
            frame.left = left;
        }
    }
}

phrases! {
    /// A base is captured: active air units there may fly away or stay on station (9.16f.c).
    pub struct Evicted { side: Side, hex: Hex } = "evicted", "9.16f.c", "air units of {side} lose their base in {hex}";
}

impl Frame<Ocs> for Evicted {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (
            self.side,
            remark!("9.16f.c", "the base in {} is lost: fly to another, or stay on station", self.hex),
        )
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for unit in self.able(rules, state).iter() {
            answers.extend(rules.homes(state, unit).iter().map(|to| Action::Home { unit, to }));
            answers.push(Action::Stack { unit });
        }
        answers.push(Action::Done);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Stack { unit } => self.check_leaves(rules, state, unit),
            Action::Home { unit, to } => {
                self.check_leaves(rules, state, unit)?;
                let reached = rules.homes(state, unit).contains(to);
                ensure!("9.16f.c", reached, "{} is no base that {} can reach", to, unit);
                Ok(())
            }
            Action::Done => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, _: &mut Play<Event>) {
        match action {
            Action::Stack { unit } => {
                Flight::new(Units::of(unit), self.hex, Errand::Landing).begin(rules, state);
            }
            Action::Home { unit, to } => {
                let flight = Flight::new(Units::of(unit), self.hex, Errand::Landing);
                Flight { open: false, to: Some(to), ..flight }.begin(rules, state);
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = !self.able(rules, state).is_empty();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let lost = state.base(self.hex).is_some_and(|base| base.side != self.side);
        let asks = around.above.is_empty();
        !around.is_outermost() && lost && (!asks || !self.able(rules, state).is_empty())
    }
}

impl Evicted {
    /// Those that have somewhere to go.
    fn able(&self, rules: &Ocs, state: &State) -> Units {
        rules.aloft(state, self.hex, self.side).filter(|unit| !rules.homes(state, unit).is_empty())
    }

    pub(crate) fn check_leaves(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        let able = self.able(rules, state).contains(unit);
        ensure!("9.16f.c", able, "{} has not lost its base, or has no other", unit);
        Ok(())
    }
}

impl Ocs {
    /// The bases of a side.
    pub(crate) fn bases_of(&self, state: &State, side: Side) -> HexSet {
        state.bases.iter().filter(|base| base.side == side).map(|base| base.hex).collect()
    }

    /// Those of them that are supplied (14.1g).
    pub(crate) fn supplied_bases(&self, state: &State, side: Side) -> HexSet {
        let supplied = state.bases.iter().filter(|base| base.side == side && base.usable > 0);
        supplied.map(|base| base.hex).collect()
    }

    /// Active air units that are not at a supplied base of their own (14.6a.a).
    fn strays(&self, state: &State, side: Side) -> Units {
        let own = self.air.iter().copied().filter(|unit| self.side(*unit) == side);
        own.filter(|unit| self.is_ready(state, *unit) && !self.is_at_supplied_base(state, *unit)).collect()
    }

    /// Inactive air units that may refit at a base: under enemy aircraft fighters only (14.17c.a).
    fn refittable(&self, state: &State, side: Side, hex: Hex) -> Units {
        let contested = !self.aloft(state, hex, side.enemy()).is_empty();
        let own = self.air.iter().copied().filter(|unit| self.side(*unit) == side);
        let here = own.filter(|unit| state.hex(*unit) == Some(hex) && state.marked(*unit, Marks::INACTIVE));
        here.filter(|unit| !contested || self.is_type(state, *unit, AirType::Fighter)).collect()
    }

    /// Both sides have aircraft over a base of one, and one of them can attack.
    fn is_contested(&self, state: &State, side: Side, hex: Hex) -> bool {
        let (own, enemies) = (self.aloft(state, hex, side), self.aloft(state, hex, side.enemy()));
        let fights = |units: Units| units.iter().any(|unit| self.is_offensive(unit));
        !own.is_empty() && !enemies.is_empty() && (fights(own) || fights(enemies))
    }

    /// Occupiers with a fighter among them attack those who have refitted, others are attacked (14.17c.b).
    fn contest(&self, state: &mut State, side: Side, hex: Hex) {
        if !self.is_contested(state, side, hex) {
            return;
        }
        let enemies = self.aloft(state, hex, side.enemy());
        let fighter = enemies.iter().any(|unit| self.is_type(state, unit, AirType::Fighter));
        let attacker = if fighter { side.enemy() } else { side };
        AirCombat::begin(state, hex, attacker, enemies | self.aloft(state, hex, side));
    }

    /// A unit of a side has entered the hex of an enemy base (9.16f, 15.0f.c).
    pub(crate) fn capture_base(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let Some(base) = state.base_mut(hex).filter(|base| base.side != side) else { return };
        base.side = side;
        base.usable = 0;
        play.tell(Event::BaseCaptured { side, hex });
        let enemy = side.enemy();
        let grounded = !self.is_flying_weather(state);
        let lost = |unit: &UnitId| {
            self.side(*unit) == enemy
                && state.hex(*unit) == Some(hex)
                && (grounded || state.marked(*unit, Marks::INACTIVE))
        };
        let lost: Vec<UnitId> = self.air.iter().copied().filter(lost).collect();
        for unit in lost {
            self.eliminate(state, unit, play);
        }
        let evicted = Evicted { side: enemy, hex };
        if !evicted.able(self, state).is_empty() {
            state.stack.push(evicted);
        }
    }

    /// Bases of a side that could be supplied at a higher level than they are (15.0f.a).
    pub(crate) fn fuel_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for base in state.bases.iter().filter(|base| base.side == side && base.usable == 0) {
            let levels =
                (1..=base.level).filter(|levels| self.check_fuel(state, side, base.hex, *levels).is_ok());
            answers.extend(levels.map(|levels| Action::Fuel { hex: base.hex, levels }));
        }
    }

    pub(crate) fn can_fuel(&self, state: &State, side: Side) -> bool {
        let hungry = state.bases.iter().filter(|base| base.side == side && base.usable == 0);
        hungry.clone().count() > 0
            && hungry.clone().any(|base| self.check_fuel(state, side, base.hex, 1).is_ok())
    }

    /// A supply point for each level; the throw or the draw must reach the hex of the base itself (15.0f.a, R47).
    pub(crate) fn check_fuel(
        &self,
        state: &State,
        side: Side,
        hex: Hex,
        levels: u8,
    ) -> Result<(), Violation> {
        let base = state.base(hex).filter(|base| base.side == side);
        let Some(base) = base else {
            return Err(remark!("15.0f.a", "there is no air base of yours in {}", hex));
        };
        ensure!(
            "15.0f.a",
            (1..=base.level).contains(&levels),
            "the base in {} is of level {}",
            hex,
            base.level
        );
        ensure!("15.0f.a", base.usable == 0, "the base in {} is supplied", hex);
        let there = self.sources(state, side, &HexSet::of(hex));
        let there = there.iter().map(|(_, amount)| *amount).fold(0, u16::saturating_add);
        let cost = u16::from(levels) * TOKENS;
        ensure!("15.0f.a", there >= cost, "that costs {}T and {}T can be drawn", cost, there);
        Ok(())
    }

    pub(crate) fn fuel(&self, state: &mut State, side: Side, hex: Hex, levels: u8, play: &mut Play<Event>) {
        if let Some(base) = state.base_mut(hex) {
            base.usable = levels;
        }
        play.tell(Event::BaseSupplied { hex, level: levels });
        let tokens = u16::from(levels) * TOKENS;
        state.stack.push(Paying {
            side,
            tokens,
            units: Units::EMPTY,
            by: None,
            works: false,
            base: Some(hex),
        });
    }

    /// Last week's supply lapses (15.0f.b).
    pub(crate) fn starve_bases(&self, state: &mut State, side: Side) {
        for base in state.bases.iter_mut().filter(|base| base.side == side) {
            base.usable = 0;
        }
    }

    pub(crate) fn base_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for hex in state.held(side).iter() {
            if self.check_build_base(state, side, hex).is_ok() {
                answers.push(Action::BuildBase { hex });
            }
            if self.check_reduce_base(state, side, hex).is_ok() {
                answers.push(Action::ReduceBase { hex });
            }
        }
    }

    fn check_base_work(&self, state: &State, hex: Hex) -> Result<(), Violation> {
        let worked = state.base_works.contains(&hex);
        ensure!("15.1a", !worked, "the air base in {} was worked on in this segment", hex);
        Ok(())
    }

    /// An engineer in the hex and a supply point build a level (15.1a, 15.1b, 12.8b.a).
    pub(crate) fn check_build_base(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        let engineer = self.units_in(state, hex, side).any(|unit| self.counter(unit).engineer);
        ensure!("15.1b", engineer, "no engineer is in {}", hex);
        let level = state.base(hex).map_or(0, |base| base.level);
        ensure!("15.1a", level < HIGHEST, "the air base in {} is of level {}", hex, level);
        self.check_base_work(state, hex)?;
        ensure!("15.0a", level > 0 || !state.bases.is_full(), "there is no room for another air base");
        let there = self.tokens_for_works(state, side, &HexSet::of(hex));
        ensure!("15.1b", there >= TOKENS, "a level costs {}T and {}T can be drawn", TOKENS, there);
        Ok(())
    }

    pub(crate) fn build_base(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        state.base_works.try_push(hex).ok();
        let level = state.base(hex).map_or(0, |base| base.level) + 1;
        match state.base_mut(hex) {
            Some(base) => base.level = level,
            None => {
                state.bases.try_push(Base { hex, side, level, usable: 0 }).ok();
                state.bases.sort_by_key(|base| base.hex);
            }
        }
        play.tell(Event::BaseLevel { hex, level });
        let units: Units = self.units_in(state, hex, side).collect();
        state.stack.push(Paying { side, tokens: TOKENS, units, by: None, works: true, base: None });
    }

    /// Half an RE takes a level down; the last level takes the base away (15.2a).
    pub(crate) fn check_reduce_base(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        let own = state.base(hex).is_some_and(|base| base.side == side);
        ensure!("15.2a", own, "there is no air base of yours in {}", hex);
        ensure!("15.2a", self.stacked(state, hex, side) >= GARRISON, "less than half an RE is in {}", hex);
        self.check_base_work(state, hex)
    }

    pub(crate) fn reduce_base(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        state.base_works.try_push(hex).ok();
        let level = state.base(hex).map_or(0, |base| base.level).saturating_sub(1);
        self.set_base_level(state, hex, level, play);
        if level == 0 {
            let inactive = |unit: &UnitId| {
                self.side(*unit) == side
                    && state.hex(*unit) == Some(hex)
                    && state.marked(*unit, Marks::INACTIVE)
            };
            let lost: Vec<UnitId> = self.air.iter().copied().filter(inactive).collect();
            for unit in lost {
                self.eliminate(state, unit, play);
            }
        }
    }

    /// A base has another level; no more of it can be used than there is (R102).
    pub(crate) fn set_base_level(&self, state: &mut State, hex: Hex, level: u8, play: &mut Play<Event>) {
        if let Some(base) = state.base_mut(hex) {
            base.level = level;
            base.usable = base.usable.min(level);
        }
        state.bases.retain(|base| base.level > 0);
        play.tell(Event::BaseLevel { hex, level });
    }
}
