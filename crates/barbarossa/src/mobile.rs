//! 10.23 to 10.33: mobile assaults.

use board::{Hex, HexSet};
use engine::{Side, UnitId, Violation, ensure, refuse};

use crate::{Action, Attack, Barbarossa, Marks, State, Supply, Units};

/// Soviet units assault on the move from this turn on (10.23b).
const SOVIET_ASSAULTS: u8 = 25;

impl Barbarossa {
    pub(crate) fn list_assaults(&self, state: &State, units: Units, from: Hex, answers: &mut Vec<Action>) {
        let Some(side) = units.first().map(|unit| self.side(unit)) else { return };
        let enemies = self.ground.all_sides.grow(&HexSet::of(from)) & *state.held(side.enemy());
        if enemies.is_empty() || self.check_assault_time(state, side).is_err() {
            return;
        }
        let open = enemies.iter().filter(|hex| self.check_assault(state, units, *hex).is_ok());
        answers.extend(open.map(|hex| Action::Assault { hex }));
    }

    /// The German side in single-month turns but for the Pause, the Soviet side late (5.10b, 10.23).
    fn check_assault_time(&self, state: &State, side: Side) -> Result<(), Violation> {
        match side {
            Side::Axis => {
                let single = self.is_single(state.turn);
                ensure!("10.23a", single, "the German side assaults on the move in single-month turns only");
                ensure!("5.10b", !self.pauses(state), "nobody attacks during the Pause");
            }
            Side::Soviet => {
                let late = state.turn >= SOVIET_ASSAULTS;
                ensure!("10.23b", late, "the Soviet side assaults on the move from turn 25 on");
            }
        }
        Ok(())
    }

    /// Whether units on their way may assault a hex (10.24 to 10.27).
    pub(crate) fn check_assault(&self, state: &State, units: Units, hex: Hex) -> Result<(), Violation> {
        let Some(first) = units.first() else { refuse!("10.24a", "nobody is on the way") };
        let Some(from) = state.hex(first) else { refuse!("10.24a", "{} is not on the map", first) };
        let side = self.side(first);
        self.check_assault_time(state, side)?;
        ensure!("10.24a", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", from, hex);
        ensure!("10.24a", state.held(side.enemy()).contains(hex), "no enemy unit is in {}", hex);
        self.check_assault_ground(state, side, units, from, hex)?;
        let overland = self.overland(state, side);
        for unit in units.iter() {
            ensure!("10.24a", self.is_mech(unit), "{} is not mechanized", unit);
            let again = side == Side::Soviet && state.marked(unit, Marks::ASSAULTED);
            ensure!("10.24d", !again, "{} has assaulted on the move in this phase", unit);
            let supply = self.supply(state, &overland, unit);
            let supplied = matches!(supply, Supply::Overland | Supply::Garrison | Supply::Crimea);
            ensure!("10.26a", supplied, "{} is not in supply in {}", unit, from);
            self.check_prohibitions(state, unit, from, hex, false)?;
            let Some(cost) = self.assault_cost(state, unit, from, hex) else {
                refuse!("10.25c", "no assault leads from {} to {}", from, hex)
            };
            let left = state.unit(unit).left;
            ensure!("10.25f", cost <= left, "the assault costs {} {} MP, which has {}", unit, cost, left);
        }
        Ok(())
    }

    /// Clear ground, no stronghold, no fortified area, no water but rivers (10.25a, 10.25b, 10.25c, R30).
    fn check_assault_ground(
        &self,
        state: &State,
        side: Side,
        units: Units,
        from: Hex,
        hex: Hex,
    ) -> Result<(), Violation> {
        let clear = self.ground.effect(hex).mobile_assault || self.may_treat_as_clear(state, units, hex);
        ensure!("10.25a", clear, "{} is not clear ground", hex);
        let stronghold = self.is_stronghold(state, side.enemy(), hex);
        ensure!("10.25b", !stronghold, "{} is a hero or fortress city", hex);
        let area = side == Side::Axis && self.area_hexes(state).contains(hex);
        ensure!("10.25b", !area, "{} belongs to the fortified area", hex);
        let dry = self.ground.dry_sides.between(from, hex);
        ensure!("10.25c", dry, "water lies between {} and {}", from, hex);
        Ok(())
    }

    /// Entering the hex, and two more, or three for a city or an enemy fortified line (10.24b, R53).
    pub(crate) fn assault_cost(&self, state: &State, unit: UnitId, from: Hex, hex: Hex) -> Option<u8> {
        let dir = self.map.grid().dir_between(from, hex)?;
        let entry = self.ground.statute(self.payer(state, unit)).price_by(0, from, dir)?;
        let chart = &self.charts.terrain;
        let strong =
            self.ground.cities.contains(hex) || self.line_of(state, self.side(unit).enemy()).contains(hex);
        let extra = if strong { chart.assault_city_or_line } else { chart.assault_open };
        Some(entry.floor() as u8 + extra)
    }

    /// The fortified lines that help a side (11.21).
    pub(crate) fn line_of<'a>(&'a self, state: &'a State, side: Side) -> &'a HexSet {
        match side {
            Side::Axis => &state.lines,
            Side::Soviet => &self.ground.soviet_lines,
        }
    }

    /// The marsh of June 1941 may be clear ground to overland-supplied German mechanized units (5.13, R26).
    pub(crate) fn may_treat_as_clear(&self, state: &State, units: Units, hex: Hex) -> bool {
        if state.turn != 1 || !self.ground.june_marsh.contains(hex) {
            return false;
        }
        let overland = self.overland(state, Side::Axis);
        let mech = units.filter(|unit| self.is_mech(unit));
        let entitled =
            |unit: UnitId| self.is_german(unit) && state.hex(unit).is_some_and(|hex| overland.contains(hex));
        !mech.is_empty() && mech.iter().all(entitled)
    }

    /// The assault is put together; until it is declared it can be called off, and the Soviet side may still deploy (R45).
    pub(crate) fn prepare_assault(&self, state: &mut State, units: Units, hex: Hex) {
        let clear = !self.ground.effect(hex).mobile_assault;
        state.stack.push(Attack { target: hex, attackers: units, mobile: true, clear, drop: false });
    }

    /// What a mobile assault costs is paid when it is declared, whatever comes of it (R56).
    pub(crate) fn pay_for_assault(&self, state: &mut State, attackers: Units, hex: Hex) {
        for unit in attackers.iter() {
            let from = state.hex(unit);
            let cost = from.and_then(|from| self.assault_cost(state, unit, from, hex)).unwrap_or(0);
            state.change(unit, |unit| {
                unit.left = unit.left.saturating_sub(cost);
                unit.marks.clear(Marks::FRESH);
                unit.marks.set(Marks::ASSAULTED);
            });
        }
    }
}
