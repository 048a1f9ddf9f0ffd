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
    Action, Barraged, Battle, Cause, Event, Ground, HexSet, How, Level, Marks, Moving, Ocs, Phase, Procedure,
    State, Strength, Taking, Units,
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
                let supplied = rules.in_combat_supply(state, self.side);
                rules.check_gun(state, *self, unit, hex, &supplied)?;
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
            && matches!(self.phase, Phase::Reaction | Phase::Combat | Phase::Exploitation)
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, self.phase))
    }
}

impl Barrages {
    /// Visits every gun with a hex that it may fire at, until `visit` says that is enough; true when it did.
    fn shots(&self, rules: &Ocs, state: &State, mut visit: impl FnMut(UnitId, Hex) -> bool) -> bool {
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
        let side = acting(state).0;
        let targets =
            TARGETS.into_iter().filter(|how| rules.check_target(state, side, self.hex, *how).is_ok());
        answers.extend(targets.map(|how| Action::Declare { how }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare { how }, _) => rules.check_target(state, acting(state).0, self.hex, how),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Ocs, Firing>(state, step, play),
            (Action::Declare { how }, _) => {
                state.barraged.try_push(Barraged { hex: self.hex, target: how }).ok();
                state.stack.pop();
                Volley::begin(state, self.hex, how, self.guns, play);
            }
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(below) = around.on::<Barrages>() else { return false };
        let supplied = rules.in_combat_supply(state, below.side);
        let able = |unit| rules.check_gun(state, *below, unit, self.hex, &supplied).is_ok();
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
        rules.roster.iter().filter(|unit| rules.counter(*unit).is_artillery()).collect()
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        let Some(Procedure::Barrages(barrages)) = state.stack.first() else { return Err(not_asked(state)) };
        let supplied = rules.in_combat_supply(state, barrages.side);
        rules.check_gun(state, *barrages, unit, self.hex, &supplied)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.guns.set(unit, joins);
    }
}

/// What a barrage can be for.
const TARGETS: [How; 1] = [How::Units];

impl Ocs {
    /// Whether a gun may fire in a Barrage Segment at all (12.4a, 12.4c.b).
    fn check_fires(&self, state: &State, barrages: Barrages, unit: UnitId) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("12.4c.b", counter.side == barrages.side, "{} is the enemy's", unit);
        ensure!("12.4.a", counter.is_artillery(), "{} has no barrage strength", unit);
        ensure!("12.4.a", state.hex(unit).is_some(), "{} is not on the map", unit);
        self.check_acts(state, unit, barrages.phase)?;
        ensure!("5.8b.d", !state.marked(unit, Marks::STRATEGIC), "{} is in Strategic Move Mode", unit);
        ensure!("5.7a.e", !state.marked(unit, Marks::RESERVE), "{} is in Reserve Mode", unit);
        ensure!("12.4c.d", !state.marked(unit, Marks::FIRED), "{} has fired in this phase", unit);
        ensure!("9.1e", self.level(state, unit) != Level::None, "{} is in No Supply", unit);
        Ok(())
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
        let mut refusal = Ok(());
        for how in TARGETS {
            match self.check_target(state, side, hex, how) {
                Ok(()) => return Ok(()),
                Err(why) => refusal = Err(why),
            }
        }
        refusal
    }

    /// Whether there is such a target in a hex, not fired at in this phase (9.16g.a, 12.4c.d, R17, R36).
    fn check_target(&self, state: &State, side: Side, hex: Hex, how: How) -> Result<(), Violation> {
        let enemy = side.enemy();
        match how {
            How::Units => {
                let there = self.units_in(state, hex, enemy).any(|unit| !self.is_hq(unit));
                ensure!("12.1c.c", there, "no enemy unit that a barrage affects is in {}", hex);
            }
            _ => refuse!("9.16g.a", "there is no such target in {}", hex),
        }
        let fired = state.barraged.contains(&Barraged { hex, target: how });
        ensure!("12.4c.d", !fired, "{} was barraged in this phase", hex);
        Ok(())
    }

    /// What a gun pays: a token, and one for each RE of a larger unit (12.4f.a).
    fn gun_tokens(&self, state: &State, unit: UnitId) -> u8 {
        self.size(state, unit).div_ceil(4).max(1)
    }

    /// Guns of a side in Reserve with a hex in range, which may answer an overrun from there (7.2a.b).
    pub(crate) fn reserve_guns(&self, state: &State, side: Side, hex: Option<Hex>) -> Units {
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
            remark!("7.2", "an overrun: barrage {} with guns in Reserve, or hold fire", self.hex),
        )
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let able = rules.reserve_guns(state, self.side(rules, state), Some(self.hex));
        answers.extend((able - self.guns).iter().map(|unit| Action::Join { unit }));
        answers.extend(self.guns.iter().map(|unit| Action::Leave { unit }));
        if !self.guns.is_empty() {
            answers.push(Action::Fire);
        }
        answers.push(Action::Hold);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Join { unit } => {
                let side = self.side(rules, state);
                ensure!("7.2", !self.guns.contains(unit), "{} takes part already", unit);
                rules.check_answers(state, side, unit, self.hex)?;
                let able = rules.reserve_guns(state, side, Some(self.hex)).contains(unit);
                ensure!("12.4f.b", able, "{} cannot trace barrage supply", unit);
                Ok(())
            }
            Action::Leave { unit } => {
                ensure!("7.2", self.guns.contains(unit), "{} takes no part", unit);
                Ok(())
            }
            Action::Fire => {
                ensure!("7.2", !self.guns.is_empty(), "nobody fires");
                Ok(())
            }
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
        let able = rules.reserve_guns(state, battle.side(rules).enemy(), Some(self.hex));
        around.above.is_empty()
            && battle.overrun
            && !able.is_empty()
            && (self.guns - able).is_empty()
            && battle.alive(state).first().and_then(|unit| state.hex(unit)) == Some(self.hex)
    }
}

impl AntiOverrun {
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
        Volley::begin(state, self.hex, How::Units, self.guns, play);
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
            _ if self.fired => self.end(state, play),
            Some(unit) => self.pay(rules, state, unit),
            None => self.fire(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = around.on::<Barrages>().is_some() || around.on::<Battle>().is_some_and(|b| b.overrun);
        let gun = |unit: UnitId| rules.counter(unit).is_artillery() && state.hex(unit).is_some();
        below
            && !around.above.is_empty()
            && (self.guns | self.ready).iter().all(gun)
            && self.target == How::Units
    }
}

impl Volley {
    fn begin(state: &mut State, hex: Hex, target: How, guns: Units, play: &mut Play<Event>) {
        play.tell(Event::Barrage { units: guns, hex, target });
        for unit in guns.iter() {
            state.mark(unit, Marks::FIRED);
        }
        state.stack.push(Volley { hex, target, guns, ready: Units::EMPTY, fired: false });
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
                let strength = rules.barrage_strength(state, unit);
                play.tell(Event::BarrageStrength { unit, strength });
                strength
            })
            .sum();
        let chart = &rules.charts.barrage;
        let strength = total.rounded();
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

    fn end(&self, state: &mut State, _: &mut Play<Event>) {
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
