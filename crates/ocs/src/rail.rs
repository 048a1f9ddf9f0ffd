//! 12.3: railroads: what trains carry and where they run, rails that are wrecked and repaired.

use board::{Hex, Mp, flood};
use engine::frame::Around;
use engine::store::Spot;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::charts::{Factor, Kind};
use crate::movement::Obstacles;
use crate::sequence::{acting, not_asked};
use crate::{
    Action, Arm, Class, Event, Goods, HexSet, Level, Marks, Motor, Movement, Moving, Ocs, Off, Paying, Phase,
    Place, Procedure, State, TOKENS, Units,
};

/// Weights and capacities are counted in eighths of a supply point (R91).
const POINT: u16 = 8;

/// The most hexes that a Rail Repair unit repairs in a phase (12.3f.a).
const REPAIRS: u8 = 3;

/// What a hex of repair costs in tokens (12.3f.e).
const REPAIR: u16 = 1;

phrases! {
    /// A unit, truck or wagon goes by rail (12.3c.a).
    pub struct Entraining { unit: UnitId } = "entraining", "12.3c.a", "{unit} goes by rail";
}

impl Frame<Ocs> for Entraining {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("12.3c.b", "say where {} detrains", self.unit))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let goals = rules.rail_goals(state, self.unit);
        answers.extend(goals.iter().map(|hex| Action::Detrain { hex }));
        answers.push(Action::Cancel);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Detrain { hex } => self.check_detrain(rules, state, hex),
            Action::Cancel => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Detrain { hex } = action else {
            state.stack.pop();
            return;
        };
        let from = state.hex(self.unit);
        let side = rules.side(self.unit);
        let fare = from.and_then(|from| rules.fare(state, side, from, hex)).unwrap_or(Factor::ONE);
        let cost = fare.of_weight(rules.weight(state, self.unit));
        state.stack.pop();
        self.leave_stack(state);
        state.rail_used += cost;
        rules.put(state, self.unit, hex, play);
        state.units.change(self.unit, |unit| unit.marks.set(Marks::RAILED));
        play.tell(Event::Railed { unit: self.unit, hex, eighths: cost });
        rules.halt(state, self.unit, play);
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(Procedure::Movement(movement)) = around.below.first() else { return false };
        let able = match around.on::<Moving>() {
            Some(moving) => {
                moving.units.contains(self.unit) && moving.check_entrain(rules, state, self.unit).is_ok()
            }
            None => rules.check_entrain(state, *movement, self.unit).is_ok(),
        };
        around.above.is_empty() && able
    }
}

impl Entraining {
    /// A unit that was on its way with others leaves them.
    fn leave_stack(&self, state: &mut State) {
        let alone = match state.stack.top_mut::<Moving>() {
            Some(moving) => {
                moving.units.remove(self.unit);
                moving.units.is_empty()
            }
            None => false,
        };
        if alone {
            state.stack.pop();
        }
    }

    fn check_detrain(&self, rules: &Ocs, state: &State, hex: Hex) -> Result<(), Violation> {
        let Some(from) = state.hex(self.unit) else { return Err(not_asked(state)) };
        let side = rules.side(self.unit);
        rules.check_stop(state, side, hex, rules.unit_stops(state, side))?;
        ensure!("12.3c.a", from != hex, "{} is in {} already", self.unit, hex);
        let Some(fare) = rules.fare(state, side, from, hex) else {
            refuse!("12.3a.a", "no open railroad leads from {} to {}", from, hex)
        };
        rules.check_capacity(state, side, fare.of_weight(rules.weight(state, self.unit)))
    }
}

phrases! {
    /// Supply on the ground goes by rail: first where to, then how much (12.3c.e).
    pub struct Freight { from: Hex, to: Option<Hex> } = "freight", "12.3c.e", "supply from {from} goes by rail";
}

impl Frame<Ocs> for Freight {
    fn asked(&self, _: &Ocs, state: &State) -> (Side, Remark) {
        let what = match self.to {
            None => remark!("12.3c.b", "say where the supply of {} detrains", self.from),
            Some(to) => remark!("12.3.a", "say how many tokens go to {}", to),
        };
        (acting(state).0, what)
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let side = acting(state).0;
        match self.to {
            None => {
                let goals = rules.freight_goals(state, side, self.from);
                answers.extend(goals.iter().map(|hex| Action::Detrain { hex }));
            }
            Some(to) => {
                let most = rules.haulable(state, side, self.from, to);
                answers.extend((1..=most).map(|tokens| Action::Haul { tokens }));
            }
        }
        answers.push(Action::Cancel);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let side = acting(state).0;
        match (action, self.to) {
            (Action::Cancel, _) => Ok(()),
            (Action::Detrain { hex }, None) => {
                rules.check_stop(state, side, hex, rules.freight_stops(state, side))?;
                ensure!("12.3c.a", self.from != hex, "the supply is in {} already", hex);
                let open = rules.fare(state, side, self.from, hex).is_some();
                ensure!("12.3a.a", open, "no open railroad leads from {} to {}", self.from, hex);
                let most = rules.haulable(state, side, self.from, hex);
                ensure!("12.3.a", most > 0, "too little rail capacity is left");
                Ok(())
            }
            (Action::Haul { tokens }, Some(to)) => {
                let most = rules.haulable(state, side, self.from, to);
                ensure!("12.3.a", (1..=most).contains(&tokens), "at most {}T can go", most);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let side = acting(state).0;
        match (action, self.to) {
            (Action::Detrain { hex }, _) => state.stack.replace(Freight { from: self.from, to: Some(hex) }),
            (Action::Haul { tokens }, Some(to)) => {
                let fare = rules.fare(state, side, self.from, to).unwrap_or(Factor::ONE);
                let eighths = fare.of_weight(tokens * POINT / TOKENS);
                state.stack.pop();
                state.rail_used += eighths;
                state.stocks.shift(Spot::Hex(self.from), Spot::Hex(to), side, Goods::Token, tokens);
                state.note_carried(to, tokens);
                play.tell(Event::Hauled { from: self.from, to, tokens, eighths });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(movement) = around.on::<Movement>() else { return false };
        let side = movement.side;
        let goes = self.to.is_none_or(|to| {
            rules.freight_goals(state, side, self.from).contains(to)
                && rules.haulable(state, side, self.from, to) > 0
        });
        around.above.is_empty() && rules.check_freight(state, *movement, self.from).is_ok() && goes
    }
}

impl Factor {
    /// What so much weight costs at this rate, in eighths of an SP.
    fn of_weight(self, eighths: u16) -> u16 {
        eighths * u16::from(self.0) / u16::from(self.1)
    }
}

impl Moving {
    pub(crate) fn rail_answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for unit in self.units.iter() {
            if self.check_entrain(rules, state, unit).is_ok() {
                answers.push(Action::Entrain { unit });
            }
            if self.check_wreck(rules, state, unit).is_ok() {
                answers.push(Action::Wreck { unit });
            }
            if self.check_repair(rules, state, unit).is_ok() {
                answers.push(Action::Repair { unit });
            }
        }
    }

    /// On its way a unit may entrain that has spent no more than half its allowance (12.3c.c, R92).
    pub(crate) fn check_entrain(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.3c.c", !self.open && self.units.contains(unit), "{} is not on its way", unit);
        let (left, all) = (state.units[unit].left, rules.allowance(state, unit));
        ensure!("12.3c.c", left + left >= all, "{} has spent more than half of its {} MP", unit, all);
        rules.check_load(state, acting(state).1, unit)
    }

    /// A unit in Combat or Move Mode wrecks the rails of its hex for a quarter of its allowance (12.3e.a, R93).
    pub(crate) fn check_wreck(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.3e.a", self.units.contains(unit), "{} does not move now", unit);
        let counter = rules.counter(unit);
        let able = counter.kind == Kind::Unit && counter.has_modes() && !counter.is_repl();
        ensure!("12.3e.a", able, "{} wrecks no railroad", unit);
        let other = Marks::RESERVE | Marks::STRATEGIC | Marks::EXPLOIT | Marks::DG;
        ensure!("12.3e.a", !state.marked(unit, other), "{} is not in Combat or Move Mode", unit);
        let whole = |hex: &Hex| Side::BOTH.into_iter().any(|side| state.rails[side].contains(*hex));
        ensure!("12.3e.a", state.hex(unit).filter(whole).is_some(), "there are no rails to wreck");
        let (cost, left) = (rules.wrecking(state, unit), state.units[unit].left);
        ensure!("12.3e.a", left >= cost && cost > Mp::ZERO, "{} needs {} MP and has {}", unit, cost, left);
        Ok(())
    }

    pub(crate) fn wreck_rails(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let cost = rules.wrecking(state, unit);
        self.begun(state);
        state.units.change(unit, |unit| unit.left = unit.left.saturating_sub(cost));
        for side in Side::BOTH {
            state.rails[side].remove(hex);
        }
        play.tell(Event::Wrecked { unit, hex });
    }

    /// A Rail Repair unit mends what it has entered: three hexes a phase, 1T each, not next to the enemy (12.3f).
    pub(crate) fn check_repair(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.3f.a", self.units.contains(unit), "{} does not move now", unit);
        let side = rules.side(unit);
        ensure!("12.8.b", rules.counter(unit).arm == Arm::RailRepair, "{} is no Rail Repair unit", unit);
        ensure!(
            "12.3f.a",
            acting(state).1 == Phase::Movement,
            "rails are repaired in the Movement Phase only"
        );
        ensure!("12.3f.f", !self.fresh, "{} has not moved into a hex yet", unit);
        let Some(hex) = state.hex(unit) else { return Err(not_asked(state)) };
        let broken = rules.terrain.rail.contains(hex) && !state.rails[side].contains(hex);
        ensure!("12.3f.a", broken, "there are no rails to repair in {}", hex);
        let done = state.units[unit].repairs;
        ensure!("12.3f.a", done < REPAIRS, "{} has repaired {} hexes in this phase", unit, done);
        ensure!("12.3f.c", rules.level(state, unit) != Level::None, "{} is in No Supply", unit);
        let near = rules.adjacent_to(state, hex, side.enemy());
        ensure!("12.3f.d", !near, "{} is next to an enemy unit", hex);
        let there = rules.tokens_for_works(state, side, &HexSet::of(hex));
        ensure!("12.3f.e", there >= REPAIR, "a hex costs {}T and {}T can be drawn", REPAIR, there);
        Ok(())
    }

    /// Where gauges differ a line that one side has relaid is of no use to the other (12.3d.a).
    pub(crate) fn repair_rails(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let (side, Some(hex)) = (rules.side(unit), state.hex(unit)) else { return };
        state.rails[side].insert(hex);
        if rules.settings.rail.gauges {
            state.rails[side.enemy()].remove(hex);
        }
        state.units.change(unit, |unit| unit.repairs += 1);
        play.tell(Event::Repaired { unit, hex });
        let units = Units::of(unit);
        state.stack.push(Paying { side, tokens: REPAIR, units, by: None, works: true, base: None });
    }
}

impl Ocs {
    pub(crate) fn rail_offers(&self, state: &State, movement: Movement, answers: &mut Vec<Action>) {
        if movement.phase != Phase::Movement
            || self.settings.is_off(Off::Rail)
            || self.free_capacity(state, movement.side) == 0
        {
            return;
        }
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == movement.side) {
            if self.check_entrain(state, movement, unit).is_ok() {
                answers.push(Action::Entrain { unit });
            }
        }
        let mut dumps = HexSet::EMPTY;
        for lot in state.stocks.iter().filter(|lot| lot.side == movement.side) {
            if let Spot::Hex(hex) = lot.spot {
                dumps.insert(hex);
            }
        }
        let able = |hex: &Hex| self.check_freight(state, movement, *hex).is_ok();
        answers.extend(dumps.iter().filter(able).map(|hex| Action::Freight { hex }));
    }

    fn wrecking(&self, state: &State, unit: UnitId) -> Mp {
        Factor(1, 4).of(self.allowance(state, unit))
    }

    /// A unit that has not moved yet may entrain (12.3c.c).
    pub(crate) fn check_entrain(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
    ) -> Result<(), Violation> {
        self.may_move(state, movement, unit)?;
        self.check_load(state, movement.phase, unit)
    }

    /// What can be loaded: in its mode, in a village or city, with capacity left to go somewhere (12.3b, 12.3c).
    fn check_load(&self, state: &State, phase: Phase, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.3.a", !self.settings.is_off(Off::Rail), "there are no trains in this scenario");
        ensure!("12.3b", phase == Phase::Movement, "trains run in the Movement Phase only");
        let counter = self.counter(unit);
        if counter.is_transport() {
            ensure!("12.2c.c", state.loaded(unit, counter.side) == 0, "{} is loaded", unit);
        } else if counter.has_modes() {
            let other = Marks::RESERVE | Marks::EXPLOIT | Marks::DG;
            let moves = state.marked(unit, Marks::MOVE) && !state.marked(unit, other);
            ensure!("12.3c.g", moves, "{} is not in Move or Strategic Move Mode", unit);
        } else {
            let works = state.units[unit].repairs > 0;
            ensure!("12.3f.b", !works, "{} has repaired rails in this phase", unit);
        }
        let Some(hex) = state.hex(unit) else { return Err(not_asked(state)) };
        self.check_stop(state, counter.side, hex, self.terrain.stations)?;
        ensure!("12.3.a", !self.rail_goals(state, unit).is_empty(), "{} can go nowhere by rail", unit);
        Ok(())
    }

    /// The hexes in which trains of a side run: whole ones, neither with nor next to enemy units (12.3a.b, 4.1e).
    pub(crate) fn tracks(&self, state: &State, side: Side) -> HexSet {
        state.rails[side] - *state.held(side.enemy()) - self.near_enemies(state, side)
    }

    /// A hex where trains stop.
    fn check_stop(&self, state: &State, side: Side, hex: Hex, stops: HexSet) -> Result<(), Violation> {
        ensure!("12.3a.a", self.terrain.rail.contains(hex), "{} has no railroad", hex);
        ensure!("12.3d.a", state.rails[side].contains(hex), "the rails of {} cannot be used", hex);
        ensure!("12.3a.b", self.tracks(state, side).contains(hex), "{} is next to an enemy unit", hex);
        ensure!("12.3c.b", stops.contains(hex), "trains do not stop in {}", hex);
        Ok(())
    }

    /// Where units can detrain: villages and cities; by option in every rail hex (12.3c.b, 12.3c.h).
    fn unit_stops(&self, state: &State, side: Side) -> HexSet {
        let stops = if self.switches.easy_detraining { self.terrain.rail } else { self.terrain.stations };
        stops - Obstacles::new(self, state, side).prizes
    }

    /// Where supply can: by option also with an HQ in Combat Mode (12.3c.h).
    fn freight_stops(&self, state: &State, side: Side) -> HexSet {
        let mut stops = self.terrain.stations;
        if self.switches.easy_detraining {
            let settled = |unit: &UnitId| {
                self.is_hq(*unit)
                    && self.side(*unit) == side
                    && !state.marked(*unit, Marks::MOVE | Marks::RESERVE)
            };
            stops.extend(self.roster.iter().filter(settled).filter_map(|unit| state.hex(unit)));
        }
        stops - Obstacles::new(self, state, side).prizes
    }

    /// The hexes that a train reaches from one: on multi-track lines all the way, without low-capacity ones, and at all.
    fn rail_reach(&self, state: &State, side: Side, from: Hex) -> [HexSet; 3] {
        let tracks = self.tracks(state, side);
        let start = HexSet::of(from);
        let [multi, usual, all] = &self.terrain.rails;
        let multi =
            if self.settings.rail.single[side] { HexSet::EMPTY } else { flood(&start, &tracks, multi) };
        [multi, flood(&start, &tracks, usual), flood(&start, &tracks, all)]
    }

    /// What a rail move costs of its usual cost: half on multi-track lines, twice with any of low capacity (12.3a.c, 12.3a.d).
    pub(crate) fn fare(&self, state: &State, side: Side, from: Hex, to: Hex) -> Option<Factor> {
        let reach = self.rail_reach(state, side, from);
        let fares = [Factor::HALF, Factor::ONE, Factor::TWICE];
        reach.iter().zip(fares).find(|(hexes, _)| hexes.contains(to)).map(|(_, fare)| fare)
    }

    /// Where a load of a weight can go for what capacity is left.
    fn goals(&self, state: &State, side: Side, from: Hex, weight: u16, stops: HexSet) -> HexSet {
        let left = self.free_capacity(state, side);
        let fares = [Factor::HALF, Factor::ONE, Factor::TWICE];
        let reach = self.rail_reach(state, side, from);
        let paid = reach.iter().zip(fares).filter(|(_, fare)| fare.of_weight(weight) <= left);
        let mut goals = paid.fold(HexSet::EMPTY, |goals, (hexes, _)| goals | *hexes);
        goals &= stops;
        goals.remove(from);
        goals
    }

    fn rail_goals(&self, state: &State, unit: UnitId) -> HexSet {
        let (side, Some(from)) = (self.side(unit), state.hex(unit)) else { return HexSet::EMPTY };
        self.goals(state, side, from, self.weight(state, unit), self.unit_stops(state, side))
    }

    fn freight_goals(&self, state: &State, side: Side, from: Hex) -> HexSet {
        self.goals(state, side, from, POINT / TOKENS, self.freight_stops(state, side))
    }

    /// How many tokens can go from one place to another.
    fn haulable(&self, state: &State, side: Side, from: Hex, to: Hex) -> u16 {
        let Some(fare) = self.fare(state, side, from, to) else { return 0 };
        let each = fare.of_weight(POINT / TOKENS);
        (self.free_capacity(state, side) / each.max(1)).min(state.fresh_tokens(from, side))
    }

    /// Supply that nobody has moved in this phase, in a village or city with rails (12.3c.e).
    pub(crate) fn check_freight(&self, state: &State, movement: Movement, hex: Hex) -> Result<(), Violation> {
        ensure!("12.3.a", !self.settings.is_off(Off::Rail), "there are no trains in this scenario");
        ensure!("12.3b", movement.phase == Phase::Movement, "trains run in the Movement Phase only");
        let there = state.fresh_tokens(hex, movement.side);
        ensure!("12.3c.e", there > 0, "no supply is in {} that was not moved in this phase", hex);
        self.check_stop(state, movement.side, hex, self.terrain.stations)?;
        let goals = self.freight_goals(state, movement.side, hex);
        ensure!("12.3.a", !goals.is_empty(), "supply can go nowhere by rail from {}", hex);
        Ok(())
    }

    fn free_capacity(&self, state: &State, side: Side) -> u16 {
        (u16::from(self.schedule.rail(side, state.turn)) * POINT).saturating_sub(state.rail_used)
    }

    fn check_capacity(&self, state: &State, side: Side, eighths: u16) -> Result<(), Violation> {
        let left = self.free_capacity(state, side);
        ensure!("12.3.a", eighths <= left, "it takes {} eighths of an SP, and {} are left", eighths, left);
        Ok(())
    }

    /// How far a unit is motorized, by its counter or by trucks (13.0.a).
    pub(crate) fn motor(&self, state: &State, unit: UnitId) -> Motor {
        let counter = self.counter(unit);
        if counter.class != Class::Other {
            return Motor::Full;
        }
        match state.units[unit].trucks {
            0 => counter.motor,
            trucks if self.trucks_for(state, unit, Motor::Full).is_some_and(|full| trucks >= full) => {
                Motor::Full
            }
            _ => Motor::Semi,
        }
    }

    /// What a piece weighs for transport in eighths of an SP: an RE is an SP, or two when it is mobile (13.0d, R91).
    pub(crate) fn weight(&self, state: &State, unit: UnitId) -> u16 {
        let counter = self.counter(unit);
        match counter.kind {
            Kind::Transport { .. } => u16::from(state.units[unit].steps) * POINT,
            Kind::Hq => POINT,
            _ => {
                let plain = u16::from(self.size(state, unit)) * POINT / 4;
                if self.motor(state, unit) == Motor::None { plain } else { plain * 2 }
            }
        }
    }

    /// A side whose rails are lost to it wherever the enemy has been (12.3d.b).
    pub(crate) fn lose_rails(&self, state: &mut State, unit: UnitId, hex: Hex) {
        let enemy = self.side(unit).enemy();
        if self.settings.rail.lost_to_entry[enemy] && matches!(state.units[unit].place, Place::Hex(_)) {
            state.rails[enemy].remove(hex);
        }
    }
}
