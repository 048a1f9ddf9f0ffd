//! What an opponent asks of a state and its ground. Nothing here changes anything but states that are only imagined.

use board::{Hex, HexSet};
use engine::{BySide, Side, UnitId, Word};

use crate::ground::Payer;
use crate::supply::SOVIET_EXHAUSTION;
use crate::{
    AirGroup, Arm, Battle, CombatResult, Dagc, Group, Marks, Place, PointCause, Presence, Procedure, State,
    Supply, Support, Units,
};

/// Who is where, and whose zones of control lie where.
#[derive(Clone, Copy)]
pub struct Lines {
    /// Hexes with at least one unit of a side.
    pub held: BySide<HexSet>,
    /// Hexes with two units.
    pub full: HexSet,
    /// Zones of control (8.1a).
    pub zoc: BySide<HexSet>,
    /// Where a side's supply lines come from over land, whatever 7.12 says of units.
    pub supply: BySide<HexSet>,
}

/// A column of the combat table: what each face of the die gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// The column.
    pub column: usize,
    /// The results, from a 1 to a 6.
    pub results: [CombatResult; 6],
}

impl State {
    /// The game turn.
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// Steps that a unit has left.
    pub fn steps_of(&self, unit: UnitId) -> u8 {
        self.unit(unit).steps
    }

    /// True when a unit lies in the dead pile.
    pub fn is_dead(&self, unit: UnitId) -> bool {
        self.unit(unit).place == Place::Dead
    }

    /// Hexes under Soviet control.
    pub fn soviet_hexes(&self) -> &HexSet {
        &self.soviet_hexes
    }

    /// The procedures under way, the innermost last.
    pub fn procedures(&self) -> &[Procedure] {
        &self.stack
    }

    /// True when a unit has moved in this phase.
    pub fn has_moved(&self, unit: UnitId) -> bool {
        self.marked(unit, Marks::MOVED)
    }

    /// Air armies of a sort that have not acted in this turn.
    pub fn unused_air(&self, group: AirGroup) -> u8 {
        let armies = self.air[group as usize];
        armies.all - armies.used
    }

    /// Puts a unit somewhere, to see what that would be like: no rule is asked, nothing else follows.
    pub fn imagine_in(&mut self, unit: UnitId, hex: Hex) {
        self.change(unit, |unit| unit.place = Place::Hex(hex));
    }
}

impl Dagc {
    /// How many counters there are.
    pub fn unit_count(&self) -> usize {
        self.counters.len()
    }

    /// The type of a unit.
    pub fn arm_of(&self, unit: UnitId) -> Arm {
        self.counter(unit).arm
    }

    /// The group of a unit.
    pub fn group_of(&self, unit: UnitId) -> Group {
        self.counter(unit).group
    }

    /// Its factors at full strength and reduced, and how many steps it has.
    pub fn printed_factors(&self, unit: UnitId) -> (u8, Option<u8>, u8) {
        let counter = self.counter(unit);
        (counter.full, counter.reduced, counter.steps())
    }

    /// What it moves with when it is in supply.
    pub fn movement_of(&self, unit: UnitId) -> u8 {
        self.counter(unit).movement
    }

    /// Scoring places and their points: towns, cities, Koenigsberg apart.
    pub fn scoring_places(&self) -> Vec<(Hex, i32)> {
        let towns = self.ground.towns.iter().map(|hex| (hex, 1));
        let cities = self.ground.cities.iter().map(|hex| (hex, 4));
        towns.chain(cities).filter(|(hex, _)| Some(*hex) != self.ground.koenigsberg).collect()
    }

    /// Koenigsberg, whose fall ends the game (4.2).
    pub fn koenigsberg(&self) -> Option<Hex> {
        self.ground.koenigsberg
    }

    /// Cities, where a retreat becomes a bloodbath.
    pub fn cities(&self) -> &HexSet {
        &self.ground.cities
    }

    /// The coast that is worth ten points (4.3d).
    pub fn baltic_coast(&self) -> &HexSet {
        &self.ground.baltic_coast
    }

    /// Land that was Soviet when play began.
    pub fn soviet_at_start(&self) -> &HexSet {
        &self.ground.soviet_at_start
    }

    /// What a hex adds to a defence by its terrain, town, city and, for Germans, entrenchment.
    pub fn addition_in(&self, hex: Hex, defender: Side) -> u8 {
        self.additions(hex, defender, false).map(|(_, points)| points).sum()
    }

    /// What a step into a hex costs a unit on empty ground; nothing when no step leads there.
    pub fn plain_cost(&self, cav_mech: bool, side: Side, from: Hex, dir: board::Dir, to: Hex) -> Option<u8> {
        let payer = match (side, cav_mech) {
            (Side::Axis, _) => Payer::German,
            (Side::Soviet, true) => Payer::CavMech,
            (Side::Soviet, false) => Payer::Soviet,
        };
        if self.ground.narrows_side.between(from, to) {
            return None;
        }
        Some(self.ground.statute(payer).price_by(0, from, dir)?.floor() as u8)
    }

    /// Who is where, with supply over land for both.
    pub fn lines(&self, state: &State) -> Lines {
        let presence = Presence::new(self, state);
        let dry = self.pripyat_rule(state);
        let supply = BySide {
            axis: self.german_overland(state, &presence, &self.ground.land),
            soviet: self.soviet_overland(state, &presence, dry, &self.ground.land),
        };
        Lines {
            held: BySide { axis: *presence.held.axis, soviet: *presence.held.soviet },
            full: *presence.full,
            zoc: BySide { axis: *presence.zoc(Side::Axis), soviet: *presence.zoc(Side::Soviet) },
            supply,
        }
    }

    /// Hexes with units of a side that units of the other stand beside.
    pub fn in_contact(&self, state: &State, side: Side) -> HexSet {
        let presence = Presence::new(self, state);
        *presence.held[side] & *presence.zoc(side.enemy())
    }

    /// Where a side's supply would reach over land if the units stood in these hexes.
    pub fn overland_if(&self, state: &State, side: Side, held: BySide<HexSet>) -> HexSet {
        let held = BySide { axis: &held.axis, soviet: &held.soviet };
        let presence = Presence::supposed(self, held);
        match side {
            Side::Axis => self.german_overland(state, &presence, &self.ground.land),
            Side::Soviet => {
                self.soviet_overland(state, &presence, self.pripyat_rule(state), &self.ground.land)
            }
        }
    }

    /// Units of a side that are out of supply for movement and attack.
    pub fn out_of_supply(&self, state: &State) -> Units {
        let presence = Presence::new(self, state);
        let map = self.supply_map(state, &presence, &self.ground.land);
        let units = Side::BOTH.into_iter().flat_map(|side| self.on_map(state, side));
        units
            .filter(|(unit, _)| self.supply(state, &map, *unit) == Supply::Out)
            .map(|(unit, _)| unit)
            .collect()
    }

    /// True when all Soviet units are out of supply (7.12).
    pub fn soviets_exhausted(&self, state: &State) -> bool {
        state.turn >= SOVIET_EXHAUSTION
    }

    /// What a unit of a side may expect to move with: half a die when it is out of supply or interdicted.
    pub fn expected_points(&self, state: &State, unit: UnitId, out: &Units) -> u8 {
        let activated = state.turn == 1 && state.marked(unit, Marks::ACTIVATED);
        let idle = state.turn == 1 && self.side(unit) == Side::Soviet && !activated;
        if self.is_fortified(unit) || idle {
            0
        } else if out.contains(unit) || state.marked(unit, Marks::INTERDICTED) {
            3
        } else {
            self.counter(unit).movement + u8::from(activated)
        }
    }

    /// Units of a side that may attack a hex now, alone or with others.
    pub fn may_attack(&self, state: &State, side: Side, hex: Hex) -> Vec<UnitId> {
        let presence = Presence::new(self, state);
        let beside = self.map.neighbours(hex).map(|(_, from)| from);
        let held = beside.filter(|from| presence.held[side].contains(*from));
        held.flat_map(|from| state.stack_in(from))
            .filter(|unit| self.check_attack(state, &presence, side, *unit, hex).is_ok())
            .collect()
    }

    /// The exact chances of an attack by these units, with or without support, as things stand in this phase.
    pub fn chances(
        &self,
        state: &State,
        target: Hex,
        attackers: &[UnitId],
        out: &Units,
        supported: bool,
    ) -> Chances {
        let attacking: Units = attackers.iter().copied().collect();
        let defenders = state.stack_in(target);
        let fortified = defenders.iter().any(|unit| self.is_fortified(*unit));
        let supplied = attackers.iter().copied().chain(defenders);
        let supplied: Units =
            supplied.filter(|unit| !out.contains(*unit) || fortified && !attacking.contains(*unit)).collect();
        let side = attackers.first().map_or(Side::Axis, |unit| self.side(*unit));
        let support = match (supported, side) {
            (false, _) => Support::None,
            (true, Side::Soviet) => Support::AirMain,
            (true, Side::Axis) => Support::Armor,
        };
        let shock = self.full_shock_armies(state, attacking);
        let battle = Battle { supplied, shock, support, ..Battle::of(target, attacking) };
        self.chances_in(battle.account(self, state).place.column)
    }

    /// The chances in a column.
    pub fn chances_in(&self, column: usize) -> Chances {
        let table = &self.charts.combat;
        let column = column.min(table.width() - 1);
        let results = std::array::from_fn(|face| table.result(column, face as i32 + 1));
        Chances { column, results }
    }

    /// The heading of a column, as players say it.
    pub fn heading_of(&self, column: usize) -> String {
        self.heading(column as u8).word(self)
    }

    /// The column of a differential.
    pub fn column_for(&self, difference: i32) -> usize {
        self.charts.combat.differential(difference).column
    }

    /// How many columns the table has.
    pub fn columns(&self) -> usize {
        self.charts.combat.width()
    }

    /// Soviet points as they stand, and those that win.
    pub fn soviet_points(&self, state: &State) -> (i32, i32) {
        (PointCause::ALL.iter().map(|cause| self.points_for(state, *cause)).sum(), self.needed)
    }

    /// The last turn.
    pub fn final_turn(&self) -> u8 {
        self.last_turn
    }
}
