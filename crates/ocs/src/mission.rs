//! 9.16g, 14.12 to 14.14, 14.18: what aircraft do to the ground: flak, the choice of targets, and answers to an overrun.

use board::{Hex, Mp};
use engine::frame::Around;
use engine::store::Spot;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark, words};

use crate::barrage::TARGETS;
use crate::charts::Kind;
use crate::interception::REACH;
use crate::sequence::{acting, not_asked};
use crate::{
    Action, AirType, Barraged, Barrages, Battle, Errand, Event, Flight, Goods, How, Marks, Movement, Ocs,
    Off, Procedure, State, TOKENS, Units, Volley,
};

/// How many S types may join one barrage (14.14).
const MOST_STRATEGIC: usize = 3;

words! {
    /// What the Flak Table says (14.18b).
    #[derive(Default)]
    pub enum FlakResult: "flak-result" {
        /// No effect.
        #[default]
        None = "none",
        /// Abort.
        Abort = "abort",
        /// A step lost, and an abort.
        Loss = "loss",
    }
}

phrases! {
    /// Flak fires at each air unit that is about to attack (14.18b).
    pub struct Flak {
        hex: Hex,
        /// Those that have still to face it.
        waiting: Units,
        /// Those that have come through, and guns.
        ready: Units,
        /// A Hip Shoot (14.12d.a).
        hip: bool,
        /// An answer to an overrun (7.2b.b).
        answer: bool,
    } = "flak", "14.18b", "flak in {hex}";
}

impl Frame<Ocs> for Flak {
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.waiting.first() {
            Some(unit) => self.shoot(rules, state, unit, play),
            None => self.end(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = match self.answer {
            true => around.on::<Battle>().is_some_and(|battle| battle.overrun),
            false if self.hip => around.on::<Movement>().is_some(),
            false => around.on::<Barrages>().is_some(),
        };
        let fires = |unit: UnitId| rules.aircraft(unit).is_some() || rules.counter(unit).is_artillery();
        let there = |unit: UnitId| rules.aircraft(unit).is_some() && state.hex(unit) == Some(self.hex);
        below
            && !around.above.is_empty()
            && self.waiting.iter().all(there)
            && self.ready.iter().all(fires)
            && !(self.hip && self.answer)
    }
}

impl Flak {
    pub(crate) fn begin(self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        for unit in self.waiting.iter() {
            state.mark(unit, Marks::FIRED);
        }
        let side = self.waiting.first().map(|unit| rules.side(unit).enemy());
        let rating = side.map_or(0, |side| rules.flak_rating(state, self.hex, side));
        if rating > 0 {
            play.tell(Event::FlakRated { hex: self.hex, rating });
        }
        state.stack.push(self);
    }

    fn shoot(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let side = rules.side(unit).enemy();
        let rating = rules.flak_rating(state, self.hex, side);
        let table = &rules.charts.flak;
        let result = match table.column(rating.into()).filter(|_| rating > 0) {
            Some(column) => {
                let roll = play.roll_sum(side, 2, 6, "flak", case("14.18b"));
                let result = table.result(column, roll as i32);
                play.tell(Event::FlakRolled { unit, result });
                result
            }
            None => FlakResult::None,
        };
        if let Some(flak) = state.stack.top_mut::<Flak>() {
            flak.waiting.remove(unit);
            flak.ready.set(unit, result == FlakResult::None);
        }
        match result {
            FlakResult::None => {}
            FlakResult::Abort => rules.abort(state, Units::of(unit), Units::EMPTY, play),
            FlakResult::Loss => {
                rules.lose_air_step(state, unit, play);
                rules.abort(state, Units::of(unit), Units::EMPTY, play);
            }
        }
    }

    /// Only now are those that are left divided among the targets (9.16g.c).
    fn end(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        let ready = self.ready.filter(|unit| state.hex(unit).is_some());
        if ready.is_empty() {
            return;
        }
        if self.answer {
            Volley::begin(rules, state, self.hex, How::Units, ready, play);
        } else {
            state.stack.push(Aiming { hex: self.hex, ready, picked: ready, hip: self.hip });
        }
    }
}

phrases! {
    /// Guns and aircraft are divided among the kinds of target in a hex (9.16g.a).
    pub struct Aiming {
        hex: Hex,
        ready: Units,
        /// Those that fire next.
        picked: Units,
        hip: bool,
    } = "aiming", "9.16g.a", "{ready} choose their targets in {hex}";
}

impl Frame<Ocs> for Aiming {
    fn asked(&self, _: &Ocs, state: &State) -> (Side, Remark) {
        (acting(state).0, remark!("9.16g.a", "who attacks which target in {}", self.hex))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend((self.ready - self.picked).iter().map(|unit| Action::Join { unit }));
        answers.extend(self.picked.iter().map(|unit| Action::Leave { unit }));
        let able =
            TARGETS.into_iter().filter(|how| self.check_declare(rules, state, self.picked, *how).is_ok());
        answers.extend(able.map(|how| Action::Declare { how }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Join { unit } => {
                let waits = self.ready.contains(unit) && !self.picked.contains(unit);
                ensure!("9.16g.a", waits, "{} is not among those that are left", unit);
                Ok(())
            }
            Action::Leave { unit } => {
                ensure!("9.16g.a", self.picked.contains(unit), "{} is not among them", unit);
                Ok(())
            }
            Action::Declare { how } => self.check_declare(rules, state, self.picked, how),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Join { unit } | Action::Leave { unit } => {
                if let Some(frame) = state.stack.top_mut::<Aiming>() {
                    frame.picked.set(unit, matches!(action, Action::Join { .. }));
                }
            }
            Action::Declare { how } => self.declare(rules, state, how, play),
            _ => {}
        }
    }

    /// With one kind of target there is nothing to divide; without any left the rest stays on station.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let ready = self.ready.filter(|unit| state.hex(unit).is_some());
        let side = acting(state).0;
        let open = || TARGETS.into_iter().filter(|how| self.is_open(rules, state, side, *how));
        let mut kinds = open();
        match (kinds.next(), kinds.next()) {
            _ if ready.is_empty() => state.stack.pop(),
            (None, _) => state.stack.pop(),
            (Some(how), None) if self.check_declare(rules, state, ready, how).is_ok() => {
                self.declare(rules, state, how, play);
                return false;
            }
            _ => return true,
        };
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below =
            if self.hip { around.on::<Movement>().is_some() } else { around.on::<Barrages>().is_some() };
        let asks = around.above.is_empty();
        let fires = |unit: UnitId| {
            rules.counter(unit).is_artillery()
                || rules.is_ready(state, unit)
                    && state.hex(unit) == Some(self.hex)
                    && rules.fights(state, unit)
        };
        let side = acting(state).0;
        let own = |unit: UnitId| rules.side(unit) == side && state.marked(unit, Marks::FIRED);
        below
            && (self.picked - self.ready).is_empty()
            && (!asks || !self.ready.is_empty() && self.ready.iter().all(|unit| fires(unit) && own(unit)))
            && (!asks || TARGETS.into_iter().any(|how| self.is_open(rules, state, side, how)))
    }
}

impl Aiming {
    fn is_open(&self, rules: &Ocs, state: &State, side: Side, how: How) -> bool {
        self.check_open(rules, state, side, how).is_ok()
    }

    /// A Hip Shoot may be made as often as one likes (14.12d.b).
    fn check_open(&self, rules: &Ocs, state: &State, side: Side, how: How) -> Result<(), Violation> {
        if self.hip {
            rules.check_presence(state, side, self.hex, how)
        } else {
            rules.check_target(state, side, self.hex, how)
        }
    }

    fn check_declare(&self, rules: &Ocs, state: &State, who: Units, how: How) -> Result<(), Violation> {
        ensure!("9.16g.a", !who.is_empty(), "nobody attacks");
        let heavy = who.iter().filter(|unit| rules.is_type(state, *unit, AirType::Strategic)).count();
        ensure!("14.14", heavy <= MOST_STRATEGIC, "at most three S types may join one barrage");
        self.check_open(rules, state, acting(state).0, how)
    }

    fn declare(&self, rules: &Ocs, state: &mut State, how: How, play: &mut Play<Event>) {
        let picked = self.picked.filter(|unit| state.hex(unit).is_some());
        let rest = self.ready - picked;
        if let Some(frame) = state.stack.top_mut::<Aiming>() {
            frame.ready = rest;
            frame.picked = rest;
        }
        if !self.hip {
            state.barraged.try_push(Barraged { hex: self.hex, target: how }).ok();
        }
        Volley::begin(rules, state, self.hex, how, picked, play);
    }
}

phrases! {
    /// Aircraft fly to the hex of an overrun (7.2b.a).
    pub struct Sortie { hex: Hex, air: Units, guns: Units } = "sortie", "7.2b.a", "{air} fly to {hex}";
}

impl Frame<Ocs> for Sortie {
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let waits = |unit: UnitId| rules.is_ready(state, unit) && !state.marked(unit, Marks::MOVED);
        let next = self.air.iter().find(|unit| waits(*unit) && state.hex(*unit) != Some(self.hex));
        match next.and_then(|unit| state.hex(unit)) {
            Some(from) => {
                let group = self.air.filter(|unit| waits(unit) && state.hex(unit) == Some(from));
                self.launch(rules, state, group, from);
            }
            None => self.attack(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.overrun)
            && !around.above.is_empty()
            && self.air.iter().all(|unit| rules.aircraft(unit).is_some())
            && self.guns.iter().all(|unit| rules.counter(unit).is_artillery())
    }
}

impl Sortie {
    /// Those from one hex fly together (14.1c.a).
    fn launch(&self, rules: &Ocs, state: &mut State, group: Units, from: Hex) {
        let flight = Flight::new(group, from, Errand::Sortie);
        Flight { open: false, to: Some(self.hex), ..flight }.begin(rules, state);
        for unit in group.iter() {
            state.units.change(unit, |unit| {
                unit.left = Mp::whole(REACH as u16);
                unit.marks.set(Marks::MOVED);
            });
        }
    }

    fn attack(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        let there = |unit: UnitId| rules.is_ready(state, unit) && state.hex(unit) == Some(self.hex);
        let waiting = self.air.filter(there);
        if !(waiting | self.guns).is_empty() {
            Flak { hex: self.hex, waiting, ready: self.guns, hip: false, answer: true }
                .begin(rules, state, play);
        }
    }
}

impl Ocs {
    /// The flak of a side in a hex: steps, supplies, its base, a port or city of its own (14.18.a, R85).
    pub(crate) fn flak_rating(&self, state: &State, hex: Hex, side: Side) -> u8 {
        let steps: u8 =
            self.units_in(state, hex, side).map(|unit| state.units[unit].steps).fold(0, u8::saturating_add);
        let supplies = self.points_in(state, hex, side) > 0 || self.tokens_in(state, hex, side) > 0;
        let base = state.base(hex).filter(|base| base.side == side).map_or(0, |base| base.level);
        let city = self.terrain.cities.contains(hex) && state.controller(hex) == side;
        steps.saturating_add(u8::from(supplies) + base + u8::from(city))
    }

    /// Trucks and wagons of a side in a hex.
    fn trucks_in(&self, state: &State, hex: Hex, side: Side) -> Vec<UnitId> {
        let own = |unit: &UnitId| self.side(*unit) == side && self.counter(*unit).is_transport();
        state.units.in_hex(hex).filter(own).collect()
    }

    fn points_in(&self, state: &State, hex: Hex, side: Side) -> u16 {
        self.trucks_in(state, hex, side).iter().map(|unit| u16::from(state.units[*unit].steps)).sum()
    }

    /// Tokens of a side on the ground of a hex and on the trucks and wagons there.
    fn tokens_in(&self, state: &State, hex: Hex, side: Side) -> u16 {
        let loaded = |unit: &UnitId| state.stocks.amount(Spot::With(*unit), side, Goods::Token);
        let trucks: u16 = self.trucks_in(state, hex, side).iter().map(loaded).sum();
        trucks + state.stocks.amount(Spot::Hex(hex), side, Goods::Token)
    }

    /// Whether there is such a target of the enemy's in a hex (9.16g.a).
    pub(crate) fn check_presence(
        &self,
        state: &State,
        side: Side,
        hex: Hex,
        how: How,
    ) -> Result<(), Violation> {
        let enemy = side.enemy();
        match how {
            How::Units => {
                let there = self.units_in(state, hex, enemy).any(|unit| !self.is_hq(unit));
                ensure!("12.1c.c", there, "no enemy unit that a barrage affects is in {}", hex);
            }
            How::Supplies => {
                let there = self.points_in(state, hex, enemy) > 0 || self.tokens_in(state, hex, enemy) > 0;
                ensure!("9.16g.a", there, "no enemy supply, trucks or wagons are in {}", hex);
            }
            How::AirBase => {
                let there = state.base(hex).is_some_and(|base| base.side == enemy);
                ensure!("9.16g.a", there, "there is no enemy air base in {}", hex);
            }
            How::Railroad => {
                let off = self.settings.is_off(Off::Rail);
                let there = !off && state.rails[enemy].contains(hex) && state.controller(hex) == enemy;
                ensure!("9.16g.a", there, "there is no railroad of the enemy's in {}", hex);
            }
            How::Hedgehog => {
                let there = state.hedgehog(hex) > 0 && state.controller(hex) == enemy;
                ensure!("9.16g.a", there, "there is no enemy hedgehog in {}", hex);
            }
            _ => refuse!("9.16g.a", "there is no such target in {}", hex),
        }
        Ok(())
    }

    /// An active F or T within 5 hexes may answer an overrun (7.2a.b, 7.2b.a).
    pub(crate) fn check_air_answer(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("7.2a.b", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("14.1e.b", self.is_flying_weather(state), "nobody flies in this weather");
        ensure!("14.2b", self.is_ready(state, unit), "{} is not active", unit);
        let able =
            [AirType::Fighter, AirType::Tactical].into_iter().any(|kind| self.is_type(state, unit, kind));
        ensure!("7.2b.a", able, "{} is neither an F nor a T type", unit);
        let far = state.hex(unit).map_or(99, |from| self.map.grid().distance(from, hex));
        ensure!(
            "7.2a.b",
            far <= REACH,
            "{} is {} hexes away, and {} are the most",
            unit,
            far as i32,
            REACH as i32
        );
        ensure!(
            "7.2b.a",
            !state.marked(unit, Marks::MOVED | Marks::FIRED),
            "{} has flown in this phase",
            unit
        );
        Ok(())
    }

    /// Whoever cannot attack in the air needs somebody from his hex who can, where enemies are in the way (14.9b.b, R11).
    pub(crate) fn check_escorts(
        &self,
        state: &State,
        side: Side,
        air: Units,
        hex: Hex,
    ) -> Result<(), Violation> {
        let enemies = self.aloft(state, hex, side.enemy());
        if !enemies.iter().any(|unit| self.is_offensive(unit)) {
            return Ok(());
        }
        for unit in air.iter().filter(|unit| state.hex(*unit) != Some(hex)) {
            let with = air.filter(|other| state.hex(other) == state.hex(unit));
            let escorted = with.iter().any(|other| self.is_offensive(other));
            ensure!("14.9b.b", escorted, "{} has no escort against the enemies over {}", unit, hex);
        }
        Ok(())
    }

    /// Percent of what lies and stands there, in tokens and points (14.13b, 14.13b.b).
    pub(crate) fn bomb_supplies(
        &self,
        state: &mut State,
        hex: Hex,
        side: Side,
        strength: u32,
        play: &mut Play<Event>,
    ) {
        let enemy = side.enemy();
        let chart = &self.charts.supplies;
        let Some(first) = chart.table.column(strength) else { return };
        let (tokens, points) = (self.tokens_in(state, hex, enemy), self.points_in(state, hex, enemy));
        let column = chart.table.shifted(first, chart.shift(u32::from(tokens / TOKENS + points)));
        play.tell(Event::BarrageColumn { strength: strength as u16, least: chart.table.least(column) });
        let die = play.roll(side, 6, "supplies", case("14.13b")) as i32;
        let percent = chart.table.result(column, die);
        let lost = crate::capture::percent(tokens, percent);
        let wrecked = crate::capture::percent(points, percent);
        play.tell(Event::SuppliesHit { hex, percent, tokens: lost, points: wrecked as u8 });
        self.burn(state, hex, enemy, lost);
        self.wreck_trucks(state, hex, enemy, wrecked as u8);
    }

    /// What lies on the ground burns first.
    fn burn(&self, state: &mut State, hex: Hex, side: Side, mut tokens: u16) {
        let loads = self.trucks_in(state, hex, side).into_iter().map(Spot::With);
        for spot in std::iter::once(Spot::Hex(hex)).chain(loads) {
            let taken = state.stocks.take(spot, side, Goods::Token, tokens);
            state.destroyed += u32::from(taken);
            tokens -= taken;
        }
    }

    fn wreck_trucks(&self, state: &mut State, hex: Hex, side: Side, mut points: u8) {
        for unit in self.trucks_in(state, hex, side) {
            let lost = points.min(state.units[unit].steps);
            self.lose_points(state, unit, lost);
            points -= lost;
        }
    }

    /// A base or hedgehog loses levels, never the last (14.13c.a, 15.0e, 17.0d).
    pub(crate) fn bomb_facility(
        &self,
        state: &mut State,
        hex: Hex,
        target: How,
        (side, strength): (Side, u32),
        play: &mut Play<Event>,
    ) {
        let table = &self.charts.facility;
        let Some(column) = table.column(strength) else { return };
        play.tell(Event::BarrageColumn { strength: strength as u16, least: table.least(column) });
        let die = play.roll(side, 6, "facility", case("14.13c.a")) as i32;
        let levels = table.result(column, die);
        play.tell(Event::FacilityHit { hex, target, levels });
        if levels == 0 {
            return;
        }
        match target {
            How::AirBase => self.damage_base(state, hex, side.enemy(), levels, play),
            // The hex is broken for both sides (14.13c.a, R93).
            How::Railroad => Side::BOTH.into_iter().for_each(|side| {
                state.rails[side].remove(hex);
            }),
            How::Hedgehog => {
                let level = state.hedgehog(hex).saturating_sub(levels).max(1);
                self.set_hedgehog(state, hex, level, play);
            }
            _ => {}
        }
    }

    /// Whatever the level was, each inactive air unit there is checked (14.13c.b, R102).
    fn damage_base(&self, state: &mut State, hex: Hex, owner: Side, levels: u8, play: &mut Play<Event>) {
        let level = state.base(hex).map_or(1, |base| base.level);
        let left = level.saturating_sub(levels).max(1);
        if left < level {
            self.set_base_level(state, hex, left, play);
        }
        let inactive = |unit: &UnitId| {
            self.side(*unit) == owner && state.hex(*unit) == Some(hex) && state.marked(*unit, Marks::INACTIVE)
        };
        let inactive: Vec<UnitId> = self.air.iter().copied().filter(inactive).collect();
        for unit in inactive {
            let hit =
                play.roll_on(owner.enemy(), 6, "inactive air unit", case("14.13c.b"), |die| die > 3) > 3;
            if hit {
                self.lose_step(state, unit, play);
            }
        }
    }

    /// Who may make Hip Shoots on this turn (14.12d.c).
    pub(crate) fn may_hip_shoot(&self, state: &State, side: Side) -> bool {
        self.switches.hip_shoot
            && self.settings.hip_shoot.is_none_or(|(by, until)| by == side && state.turn <= until)
    }

    /// Whether an air unit may attack the hex that it is over (14.12a.a, 14.1x).
    pub(crate) fn check_bomber(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("12.4c.b", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("14.2b", self.is_ready(state, unit), "{} is not active", unit);
        ensure!("14.4d", self.fights(state, unit), "{} flies as a transport", unit);
        ensure!("14.1e.b", self.is_flying_weather(state), "nobody flies in this weather");
        ensure!("14.12a.a", state.hex(unit) == Some(hex), "{} is not over {}", unit, hex);
        ensure!("12.4c.d", !state.marked(unit, Marks::FIRED), "{} has attacked in this phase", unit);
        let strength = self.ground_support(state, unit);
        ensure!("14.12", strength > 0, "{} has no GS strength", unit);
        Ok(())
    }

    pub(crate) fn is_air(&self, unit: UnitId) -> bool {
        matches!(self.counter(unit).kind, Kind::Air(_))
    }
}
