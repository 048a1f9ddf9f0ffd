//! 12.4, 7.2: artillery, its barrages, and those that answer an overrun.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::overrun::stop;
use crate::sequence::{self, acting, not_asked, phase};
use crate::supply::hexes_of;
use crate::{
    Action, Aiming, Barraged, Battle, Cause, Event, Flak, Ground, HexSet, How, Level, Marks, Movement,
    Moving, Ocs, Phase, Procedure, Sortie, State, Strength, Taking, Units,
};

phrases! {
    /// A Barrage Segment (2.3.II.F.a).
    pub struct Barrages { side: Side, phase: Phase } = "barrages", "12.4c.b", "{side} barrages: {phase}";
}

impl Frame<Ocs> for Barrages {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("12.4c.b", "barrage, or end the barrage segment"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        self.shots(rules, state, |unit, hex| {
            answers.push(Action::Name { unit, hex });
            false
        });
        answers.push(Action::End);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => {
                rules.check_shooter(state, *self, unit, hex)?;
                rules.check_any_target(state, self.side, hex)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => state.stack.push(Firing { hex, guns: Units::of(unit) }),
            _ => sequence::proceed(rules, state, play),
        }
    }

    /// Nobody is asked who has nothing to fire at.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = self.shots(rules, state, |_, _| true);
        if !asks {
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, _: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
            && state.first.is_some()
            && matches!(self.phase, Phase::Movement | Phase::Reaction | Phase::Combat | Phase::Exploitation)
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, self.phase))
    }
}

impl Barrages {
    /// Visits every gun with a hex that it may fire at, until `visit` says that is enough; true when it did.
    fn shots(&self, rules: &Ocs, state: &State, mut visit: impl FnMut(UnitId, Hex) -> bool) -> bool {
        for unit in rules.air.iter().copied() {
            let over = state.hex(unit).filter(|hex| {
                rules.check_bomber(state, self.side, unit, *hex).is_ok()
                    && rules.check_any_target(state, self.side, *hex).is_ok()
            });
            if over.is_some_and(|hex| visit(unit, hex)) {
                return true;
            }
        }
        let guns = || rules.roster.iter().filter(|unit| rules.check_fires(state, *self, *unit).is_ok());
        if guns().next().is_none() {
            return false;
        }
        let supplied = rules.in_combat_supply(state, self.side);
        for unit in guns() {
            let Some(from) = state.hex(unit).filter(|from| supplied.contains(*from)) else { continue };
            for hex in rules.map.grid().range(from, u32::from(rules.counter(unit).range)) {
                let target = rules.map.contains(hex) && rules.check_any_target(state, self.side, hex).is_ok();
                if target && visit(unit, hex) {
                    return true;
                }
            }
        }
        false
    }
}

phrases! {
    /// A barrage is being put together (12.4c.c).
    pub struct Firing { hex: Hex, guns: Units } = "firing", "12.4c.c", "{guns} barrage {hex}";
}

impl Frame<Ocs> for Firing {
    fn asked(&self, _: &Ocs, state: &State) -> (Side, Remark) {
        (acting(state).0, remark!("12.4c.c", "add guns to the barrage, declare its target, or call it off"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        if self.flies(rules) {
            answers.push(Action::Fire);
            return;
        }
        let side = acting(state).0;
        let targets =
            TARGETS.into_iter().filter(|how| rules.check_target(state, side, self.hex, *how).is_ok());
        answers.extend(targets.map(|how| Action::Declare { how }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare { .. }, _) if self.flies(rules) => {
                refuse!("9.16g.c", "flak comes first: fire, then choose the targets")
            }
            (Action::Declare { how }, _) => rules.check_target(state, acting(state).0, self.hex, how),
            (Action::Fire, _) if self.flies(rules) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Ocs, Firing>(state, step, play),
            (Action::Declare { how }, _) => {
                state.barraged.try_push(Barraged { hex: self.hex, target: how }).ok();
                state.stack.pop();
                Volley::begin(rules, state, self.hex, how, self.guns, play);
            }
            (Action::Fire, _) => {
                state.stack.pop();
                let hip = state.stack.top::<Movement>().is_some();
                let waiting = self.guns.filter(|unit| rules.is_air(unit));
                let flak = Flak { hex: self.hex, waiting, ready: self.guns - waiting, hip, answer: false };
                flak.begin(rules, state, play);
            }
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        if let Some(movement) = around.on::<Movement>() {
            let able = |unit| rules.check_hip_shot(state, *movement, unit, self.hex).is_ok();
            return around.above.is_empty() && !self.guns.is_empty() && self.guns.iter().all(able);
        }
        let Some(below) = around.on::<Barrages>() else { return false };
        let able = |unit| rules.check_shooter(state, *below, unit, self.hex).is_ok();
        around.above.is_empty()
            && !self.guns.is_empty()
            && self.guns.iter().all(able)
            && rules.check_any_target(state, below.side, self.hex).is_ok()
    }
}

impl Muster<Ocs> for Firing {
    const CASES: [Case; 2] = [case("12.4c.c"), case("12.4c.c")];

    fn members(&self) -> Vec<UnitId> {
        self.guns.iter().collect()
    }

    fn candidates(&self, rules: &Ocs, _: &State) -> Vec<UnitId> {
        let fires = |unit: &UnitId| rules.counter(*unit).is_artillery() || rules.is_air(*unit);
        rules.roster.iter().filter(fires).collect()
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        match state.stack.first() {
            Some(Procedure::Barrages(barrages)) => rules.check_shooter(state, *barrages, unit, self.hex),
            Some(Procedure::Movement(movement)) => rules.check_hip_shot(state, *movement, unit, self.hex),
            _ => Err(not_asked(state)),
        }
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.guns.set(unit, joins);
    }
}

impl Firing {
    /// Aircraft take part, so that flak comes before the choice of targets (9.16g.c).
    fn flies(&self, rules: &Ocs) -> bool {
        self.guns.iter().any(|unit| rules.is_air(unit))
    }
}

/// What a barrage can be for (9.16g.a).
pub(crate) const TARGETS: [How; 5] = [How::Units, How::Supplies, How::AirBase, How::Railroad, How::Hedgehog];

impl Ocs {
    /// Whether a gun may fire in a Barrage Segment at all (12.4a, 12.4c.b).
    fn check_fires(&self, state: &State, barrages: Barrages, unit: UnitId) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("12.4c.b", counter.side == barrages.side, "{} is the enemy's", unit);
        let now = barrages.phase != Phase::Movement;
        ensure!("2.3.II.D.b", now, "only aircraft attack at the end of the Movement Phase");
        ensure!("12.4.a", counter.is_artillery(), "{} has no barrage strength", unit);
        ensure!("12.4.a", state.hex(unit).is_some(), "{} is not on the map", unit);
        self.check_acts(state, unit, barrages.phase)?;
        ensure!("5.8b.d", !state.marked(unit, Marks::STRATEGIC), "{} is in Strategic Move Mode", unit);
        ensure!("5.7a.e", !state.marked(unit, Marks::RESERVE), "{} is in Reserve Mode", unit);
        ensure!("12.4c.d", !state.marked(unit, Marks::FIRED), "{} has fired in this phase", unit);
        ensure!("9.1e", self.level(state, unit) != Level::None, "{} is in No Supply", unit);
        Ok(())
    }

    /// A gun in range or an aircraft over the hex (12.4c.c).
    fn check_shooter(
        &self,
        state: &State,
        barrages: Barrages,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        if self.is_air(unit) {
            return self.check_bomber(state, barrages.side, unit, hex);
        }
        let supplied = self.in_combat_supply(state, barrages.side);
        self.check_gun(state, barrages, unit, hex, &supplied)
    }

    /// An aircraft that attacks as soon as it has arrived; guns never join it (14.12d).
    pub(crate) fn check_hip_shot(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let able = self.may_hip_shoot(state, movement.side);
        ensure!("14.12d.c", able, "there are no Hip Shoots for {} now", movement.side);
        ensure!("14.12d.c", self.is_air(unit), "{} is no aircraft", unit);
        self.check_bomber(state, movement.side, unit, hex)?;
        let target =
            TARGETS.into_iter().any(|how| self.check_presence(state, movement.side, hex, how).is_ok());
        ensure!("14.12d.a", target, "there is nothing to attack in {}", hex);
        Ok(())
    }

    /// Aircraft that may take off, and those that may attack where they are.
    pub(crate) fn flight_answers(&self, state: &State, movement: Movement, answers: &mut Vec<Action>) {
        for unit in self.air.iter().copied().filter(|unit| self.side(*unit) == movement.side) {
            if self.check_flies(state, movement, unit).is_ok() {
                answers.push(Action::Stack { unit });
            }
            let over = state.hex(unit).filter(|hex| self.check_hip_shot(state, movement, unit, *hex).is_ok());
            answers.extend(over.map(|hex| Action::Name { unit, hex }));
        }
    }

    fn check_gun(
        &self,
        state: &State,
        barrages: Barrages,
        unit: UnitId,
        hex: Hex,
        supplied: &HexSet,
    ) -> Result<(), Violation> {
        self.check_fires(state, barrages, unit)?;
        self.check_range(state, unit, hex)?;
        let traces = state.hex(unit).is_some_and(|from| supplied.contains(from));
        ensure!("12.4f.b", traces, "{} cannot trace barrage supply", unit);
        Ok(())
    }

    /// From 1 hex up to the range, whatever lies between (12.4.a, 12.4e).
    fn check_range(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let Some(from) = state.hex(unit) else { refuse!("12.4.a", "{} is not on the map", unit) };
        let (far, range) = (self.map.grid().distance(from, hex), self.counter(unit).range);
        let reaches = (1..=u32::from(range)).contains(&far);
        ensure!("12.4e", reaches, "{} is {} hexes from {}, which reaches {}", hex, far as i32, unit, range);
        Ok(())
    }

    fn check_any_target(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        let mut refusal = None;
        for how in TARGETS {
            match self.check_target(state, side, hex, how) {
                Ok(()) => return Ok(()),
                // What was fired at already tells more than what is not there.
                Err(why) if self.check_presence(state, side, hex, how).is_ok() => refusal = Some(why),
                Err(why) => refusal = refusal.or(Some(why)),
            }
        }
        refusal.map_or(Ok(()), Err)
    }

    /// Whether there is such a target in a hex, not fired at in this phase (9.16g.a, 12.4c.d, R17, R36).
    pub(crate) fn check_target(
        &self,
        state: &State,
        side: Side,
        hex: Hex,
        how: How,
    ) -> Result<(), Violation> {
        self.check_presence(state, side, hex, how)?;
        let fired = state.barraged.contains(&Barraged { hex, target: how });
        ensure!("12.4c.d", !fired, "{} was barraged in this phase", hex);
        Ok(())
    }

    /// What a gun pays: a token, and one for each RE of a larger unit (12.4f.a).
    fn gun_tokens(&self, state: &State, unit: UnitId) -> u8 {
        self.size(state, unit).div_ceil(4).max(1)
    }

    /// Who of a side may answer an overrun from a hex: guns in Reserve, and aircraft (7.2a.b).
    pub(crate) fn answerers(&self, state: &State, side: Side, hex: Option<Hex>) -> Units {
        let Some(from) = hex else { return Units::EMPTY };
        let air = self.air.iter().copied();
        let air: Units = air.filter(|unit| self.check_air_answer(state, side, *unit, from).is_ok()).collect();
        air | self.reserve_guns(state, side, hex)
    }

    /// Guns of a side in Reserve with a hex in range, which may answer an overrun from there (7.2a.b).
    fn reserve_guns(&self, state: &State, side: Side, hex: Option<Hex>) -> Units {
        let Some(hex) = hex else { return Units::EMPTY };
        let guns = self.roster.iter().filter(|unit| self.check_answers(state, side, *unit, hex).is_ok());
        let mut able: Units = guns.collect();
        if !able.is_empty() {
            let supplied = self.in_combat_supply(state, side);
            able = able.filter(|unit| state.hex(unit).is_some_and(|from| supplied.contains(from)));
        }
        able
    }

    fn check_answers(&self, state: &State, side: Side, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("7.2a.b", counter.side == side, "{} is the enemy's", unit);
        ensure!("7.2a.b", counter.is_artillery(), "{} is no artillery", unit);
        ensure!("7.2a.b", state.marked(unit, Marks::RESERVE), "{} is not in Reserve Mode", unit);
        ensure!("9.1e", self.level(state, unit) != Level::None, "{} is in No Supply", unit);
        self.check_range(state, unit, hex)
    }
}

phrases! {
    /// The target of an overrun may answer with a barrage on the hex of the attackers (7.2).
    pub struct AntiOverrun { hex: Hex, guns: Units } = "anti-overrun", "7.2", "{guns} may barrage {hex}";
}

impl Frame<Ocs> for AntiOverrun {
    fn asked(&self, rules: &Ocs, state: &State) -> (Side, Remark) {
        (
            self.side(rules, state),
            remark!(
                "7.2",
                "an overrun: barrage {} with guns in Reserve and aircraft, or hold fire",
                self.hex
            ),
        )
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let able = rules.answerers(state, self.side(rules, state), Some(self.hex));
        answers.extend((able - self.guns).iter().map(|unit| Action::Join { unit }));
        answers.extend(self.guns.iter().map(|unit| Action::Leave { unit }));
        if self.check_fire(rules, state).is_ok() {
            answers.push(Action::Fire);
        }
        answers.push(Action::Hold);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Join { unit } => {
                let side = self.side(rules, state);
                ensure!("7.2", !self.guns.contains(unit), "{} takes part already", unit);
                if rules.is_air(unit) {
                    return rules.check_air_answer(state, side, unit, self.hex);
                }
                rules.check_answers(state, side, unit, self.hex)?;
                let able = rules.answerers(state, side, Some(self.hex)).contains(unit);
                ensure!("12.4f.b", able, "{} cannot trace barrage supply", unit);
                Ok(())
            }
            Action::Leave { unit } => {
                ensure!("7.2", self.guns.contains(unit), "{} takes no part", unit);
                Ok(())
            }
            Action::Fire => self.check_fire(rules, state),
            Action::Hold => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Join { unit } | Action::Leave { unit } => {
                if let Some(frame) = state.stack.top_mut::<AntiOverrun>() {
                    frame.guns.set(unit, matches!(action, Action::Join { .. }));
                }
            }
            _ => self.end(rules, state, action == Action::Fire, play),
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(battle) = around.on::<Battle>() else { return false };
        let able = rules.answerers(state, battle.side(rules).enemy(), Some(self.hex));
        around.above.is_empty()
            && battle.overrun
            && !able.is_empty()
            && (self.guns - able).is_empty()
            && battle.alive(state).first().and_then(|unit| state.hex(unit)) == Some(self.hex)
    }
}

impl AntiOverrun {
    fn check_fire(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        ensure!("7.2", !self.guns.is_empty(), "nobody fires");
        let air = self.guns.filter(|unit| rules.is_air(unit));
        rules.check_escorts(state, self.side(rules, state), air, self.hex)
    }

    fn side(&self, rules: &Ocs, state: &State) -> Side {
        state.stack.find::<Battle>().map_or(Side::Axis, |battle| battle.side(rules).enemy())
    }

    /// The guns that fire leave Reserve, and so do those in the hex that is overrun (7.2b.a, R22).
    fn end(&self, rules: &Ocs, state: &mut State, fires: bool, play: &mut Play<Event>) {
        let side = self.side(rules, state);
        state.stack.pop();
        if let Some(target) = state.stack.find::<Battle>().map(|battle| battle.hex) {
            rules.lose_reserve(state, target, side, true, play);
        }
        if !fires {
            return;
        }
        for unit in self.guns.iter().filter(|unit| state.marked(*unit, Marks::RESERVE)).collect::<Vec<_>>() {
            state.unmark(unit, Marks::RESERVE);
            play.tell(Event::ReserveLost { unit });
        }
        let air = self.guns.filter(|unit| rules.is_air(unit));
        if air.is_empty() {
            Volley::begin(rules, state, self.hex, How::Units, self.guns, play);
        } else {
            state.stack.push(Sortie { hex: self.hex, air, guns: self.guns - air });
        }
    }
}

phrases! {
    /// Guns fire: each pays, then the dice, then the losses (12.4c.e).
    pub struct Volley {
        hex: Hex,
        target: How,
        /// Those that have still to pay.
        guns: Units,
        /// Those that have paid.
        ready: Units,
        /// The dice were rolled.
        fired: bool,
    } = "volley", "12.4c.e", "a barrage on {hex}";
}

impl Frame<Ocs> for Volley {
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.guns.first() {
            _ if self.fired => self.finish(rules, state, play),
            Some(unit) => self.pay(rules, state, unit),
            None => self.fire(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = around.on::<Barrages>().is_some()
            || around.on::<Aiming>().is_some()
            || around.on::<Battle>().is_some_and(|b| b.overrun);
        let gun = |unit: UnitId| {
            rules.counter(unit).is_artillery() && state.hex(unit).is_some() || rules.is_air(unit)
        };
        below
            && !around.above.is_empty()
            && (self.guns | self.ready).iter().all(gun)
            && TARGETS.contains(&self.target)
    }
}

impl Volley {
    pub(crate) fn begin(
        rules: &Ocs,
        state: &mut State,
        hex: Hex,
        target: How,
        units: Units,
        play: &mut Play<Event>,
    ) {
        play.tell(Event::Barrage { units, hex, target });
        // Aircraft pay nothing (14.16).
        let ready = units.filter(|unit| rules.is_air(unit));
        let guns = units - ready;
        for unit in guns.iter() {
            state.mark(unit, Marks::FIRED);
        }
        state.stack.push(Volley { hex, target, guns, ready, fired: false });
    }

    /// A gun that cannot pay takes no part (12.4f.b).
    fn pay(&self, rules: &Ocs, state: &mut State, unit: UnitId) {
        let (side, gun) = (rules.side(unit), Units::of(unit));
        let tokens = rules.gun_tokens(state, unit);
        let able = rules.tokens_for(state, side, &hexes_of(state, gun)) >= u16::from(tokens);
        if let Some(volley) = state.stack.top_mut::<Volley>() {
            volley.guns.remove(unit);
            volley.ready.set(unit, able);
        }
        if able {
            rules.charge(state, side, tokens, gun);
        }
    }

    /// The total, rounded at the end, the column, its shifts, the dice (12.4c.e, R86, R87).
    fn fire(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        if let Some(volley) = state.stack.top_mut::<Volley>() {
            volley.fired = true;
        }
        let Some(side) = self.ready.first().map(|unit| rules.side(unit)) else { return };
        let total: Strength = self
            .ready
            .iter()
            .map(|unit| {
                let strength = if rules.is_air(unit) {
                    Strength::whole(rules.ground_support(state, unit).into())
                } else {
                    rules.barrage_strength(state, unit)
                };
                play.tell(Event::BarrageStrength { unit, strength });
                strength
            })
            .sum();
        let strength = total.rounded();
        match self.target {
            How::Units => self.hit_units(rules, state, side, strength, play),
            How::Supplies => rules.bomb_supplies(state, self.hex, side, strength, play),
            target => rules.bomb_facility(state, self.hex, target, (side, strength), play),
        }
    }

    fn hit_units(&self, rules: &Ocs, state: &mut State, side: Side, strength: u32, play: &mut Play<Event>) {
        let chart = &rules.charts.barrage;
        let Some(first) = chart.table.column(strength) else { return };
        play.tell(Event::BarrageColumn { strength: strength as u16, least: chart.table.least(first) });
        let shifts = self.shifts(rules, state, side.enemy());
        for (cause, columns) in shifts.iter().filter(|(_, columns)| *columns != 0) {
            play.tell(Event::BarrageShift { cause: *cause, columns: *columns as i8 });
        }
        let column = chart.table.shifted(first, shifts.iter().map(|(_, columns)| columns).sum());
        play.tell(Event::BarrageColumn { strength: strength as u16, least: chart.table.least(column) });
        let roll = play.roll_sum(side, 2, 6, "barrage", case("12.4c.e"));
        let result = chart.table.result(column, roll as i32);
        play.tell(Event::BarrageResult { result });
        let mut losses = result.halves / 2;
        // Half a step is a whole one from 4 up (12.4c.g).
        if result.halves % 2 == 1 && play.roll_on(side, 6, "half a step", case("12.4c.g"), |die| die > 3) > 3
        {
            losses += 1;
        }
        if result.dg {
            self.hit(rules, state, side.enemy(), losses, play);
        }
    }

    fn shifts(&self, rules: &Ocs, state: &State, side: Side) -> [(Cause, i32); 6] {
        let (chart, hex) = (&rules.charts.barrage, self.hex);
        let units = || rules.units_in(state, hex, side);
        // An HQ is 1 RE here (12.1.a).
        let size = |unit: UnitId| if rules.is_hq(unit) { 4 } else { u32::from(rules.size(state, unit)) };
        let when = |holds: bool, columns: i32| if holds { columns } else { 0 };
        let ground = match rules.terrain.class(&rules.map, &rules.charts, hex) {
            Ground::Open => 0,
            Ground::Close => chart.close,
            Ground::VeryClose => chart.very_close,
        };
        let strategic = units().all(|unit| state.marked(unit, Marks::STRATEGIC));
        [
            (Cause::Density, chart.density(units().map(size).sum())),
            (
                Cause::NobodyAdjacent,
                when(!rules.adjacent_to(state, hex, side.enemy()), chart.nobody_adjacent),
            ),
            (Cause::Terrain, ground),
            (Cause::Hedgehog, chart.hedgehog * i32::from(state.hedgehog(hex))),
            (Cause::Fortification, when(rules.terrain.fortifications.contains(hex), chart.fortification)),
            (Cause::Strategic, when(strategic, chart.all_strategic)),
        ]
    }

    /// All units in the hex but HQs are disorganized, and its owner chooses who loses steps (12.4c.f, 12.4c.j, 12.1c.c).
    fn hit(&self, rules: &Ocs, state: &mut State, side: Side, losses: u8, play: &mut Play<Event>) {
        let units: Units = rules.units_in(state, self.hex, side).filter(|unit| !rules.is_hq(*unit)).collect();
        for unit in units.iter() {
            rules.disorganize(state, unit, play);
        }
        self.cancel_overrun(state, play);
        if losses > 0 {
            state.stack.push(Taking { side, losses, from: units, first: None, hit: Units::EMPTY });
        }
    }

    /// Any effect on the stack that overruns ends its overrun and its move (7.2b.e, R7).
    fn cancel_overrun(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(battle) = state.stack.find::<Battle>().copied() else { return };
        play.tell(Event::OverrunCancelled { hex: battle.hex });
        let moving = state.stack.find::<Moving>().map_or(Units::EMPTY, |moving| moving.units);
        stop(state, moving);
    }

    /// Aircraft that have attacked return at once (14.6b, 14.12a.c).
    fn finish(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let air = self.ready.filter(|unit| rules.is_ready(state, unit));
        if air.is_empty() {
            self.end(state);
        } else {
            rules.send_home(state, air, Units::EMPTY, Units::EMPTY, play);
        }
    }

    fn end(&self, state: &mut State) {
        state.stack.pop();
        let cancelled = |battle: &Battle| {
            battle.attackers.iter().any(|unit| state.marked(unit, Marks::DG))
                || battle.alive(state).is_empty()
        };
        if state.stack.top::<Battle>().is_some_and(cancelled) {
            state.stack.pop();
        }
    }
}
