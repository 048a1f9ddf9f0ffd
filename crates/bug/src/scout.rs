//! What an opponent asks of a state: who is where, what could be reached, what an attack would do. Nothing here changes
//! anything, and nothing here judges.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use arrayvec::ArrayVec;
use board::Hex;
use engine::{Side, UnitId};

use crate::actions::Desk;
use crate::charts::CombatResult;
use crate::combat::{Account, Clash};
use crate::ground::{Between, Gait};
use crate::march::ROAD;
use crate::{
    Arm, AttackKind, Battle, Bug, Class, Command, HexSet, Marks, Place, Pontoon, Presence, Procedure, State,
    Units,
};

/// A combat unit on the map, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Soldier {
    /// The unit.
    pub unit: UnitId,
    /// Where it is.
    pub hex: Hex,
    /// Its type.
    pub arm: Arm,
    /// On wheels or tracks.
    pub motorized: bool,
    /// Its Strength.
    pub strength: u8,
    /// Its printed Strength.
    pub full: u8,
    /// Its Effectiveness Rating as it lies.
    pub rating: u8,
    /// Its Movement Allowance.
    pub allowance: u8,
    /// Its Tank Points as it lies.
    pub tanks: u8,
    /// The place of its formation in the list.
    pub formation: u8,
    /// Lies on its disrupted side.
    pub disrupted: bool,
}

/// A formation on the map, by its HQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staffed {
    /// The HQ.
    pub hq: UnitId,
    /// Its place in the list of formations.
    pub formation: u8,
    /// Where the HQ is.
    pub hex: Hex,
    /// The Activation Level.
    pub level: u8,
    /// The highest Activation Level.
    pub max_level: u8,
    /// The Recovery Rating.
    pub recovery: u8,
    /// Support Points.
    pub support: u8,
    /// The Command Range.
    pub range: u8,
    /// The Reaction Rating.
    pub reaction: u8,
    /// What a relocation costs.
    pub relocation: u8,
}

/// The chances of every result of an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// By hits and colour of the attacker, then of the defender: twice the hits, one more when red.
    chances: [[f32; KINDS]; KINDS],
    /// All modifiers together.
    pub modifier: i8,
    /// The mean of the columns, from 1; 0 is below the table.
    pub column: f64,
}

/// Kinds of result of one side: no hit to nine, black and red.
const KINDS: usize = 20;

/// More chits than anybody has.
const MOST_CHITS: usize = 64;

/// One result of an attack and its chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Hits on the attacker.
    pub attacker: u8,
    /// They are printed in red.
    pub attacker_red: bool,
    /// Hits on the defender.
    pub defender: u8,
    /// They are printed in red.
    pub defender_red: bool,
    /// How likely it is.
    pub chance: f64,
}

impl Forecast {
    /// The results that can come, each with its chance.
    pub fn falls(&self) -> impl Iterator<Item = Fall> + '_ {
        self.chances.iter().enumerate().flat_map(|(a, row)| {
            row.iter().enumerate().filter(|(_, chance)| **chance > 0.0).map(move |(d, chance)| Fall {
                attacker: (a / 2) as u8,
                attacker_red: a % 2 == 1,
                defender: (d / 2) as u8,
                defender_red: d % 2 == 1,
                chance: f64::from(*chance),
            })
        })
    }
}

/// Where a defender could retreat to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// Into a hex without an enemy zone of control.
    Free,
    /// Into a zone of control only, at the price of a Strength Point for each unit.
    Watched,
    /// Nowhere, at the price of two.
    None,
}

/// How far it is to somewhere, from every hex, in sixths of a Movement Point.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    width: usize,
    sixths: Vec<u16>,
}

impl Distances {
    /// In Movement Points; nothing when no way leads there.
    pub fn from(&self, hex: Hex) -> Option<f32> {
        let at = usize::from(hex.line()) * self.width + usize::from(hex.pos());
        self.sixths.get(at).filter(|sixths| **sixths < u16::MAX).map(|sixths| f32::from(*sixths) / 6.0)
    }
}

/// A state with what the rules see of it.
pub struct Scout<'a> {
    rules: &'a Bug,
    state: &'a State,
    presence: Rc<Presence>,
    /// What [`Scout::way_out`] has found so far: it is asked again and again for the same few hexes.
    ways_out: RefCell<ArrayVec<(Hex, WayOut), 64>>,
    /// Where whoever acts now works.
    desk: OnceCell<Option<Desk<'a>>>,
}

/// What crossing the Bug by boat, or a stream with vehicles, costs besides: about a whole allowance, in sixths.
const CROSSING: u16 = 4 * 6;

impl Bug {
    /// Looks at a state.
    pub fn scout<'a>(&'a self, state: &'a State) -> Scout<'a> {
        let presence = self.presence(state);
        Scout { rules: self, state, presence, ways_out: RefCell::default(), desk: OnceCell::new() }
    }

    /// The last turn of the game.
    pub fn last_turn(&self) -> u8 {
        self.scenario.last_turn
    }

    /// The hexes that count for victory, each with its points for the German side (7.8c).
    pub fn victory_hexes(&self) -> &[(Hex, u8)] {
        &self.scenario.victory.hexes
    }

    /// The least points of a German decisive and marginal victory, a draw and a Soviet marginal victory.
    pub fn verdicts(&self) -> [i16; 4] {
        self.scenario.victory.bands
    }

    /// How many eliminated units of a side make a point.
    pub fn units_for_a_point(&self, side: Side) -> u8 {
        match side {
            Side::Axis => self.scenario.victory.german_units,
            Side::Soviet => self.scenario.victory.soviet_units,
        }
    }

    /// Eliminated units of a side that count for victory.
    pub fn units_lost(&self, state: &State, side: Side) -> i16 {
        self.eliminated(state, side)
    }

    /// German points as they stand.
    pub fn german_points(&self, state: &State) -> i16 {
        self.points(state)
    }

    /// The hexes in play.
    pub fn land(&self) -> &HexSet {
        &self.ground.land
    }

    /// The towns and villages in play.
    pub fn settlements(&self) -> HexSet {
        self.ground.settlements() & self.ground.land
    }

    /// The hexes at either end of the bridges over the Bug that are on the map.
    pub fn crossings(&self) -> Vec<Hex> {
        let ends = |hex: Hex| {
            let bridged = self.map.neighbours(hex);
            bridged.into_iter().any(|(dir, _)| self.ground.between(hex, dir) == Between::BridgedRiver)
        };
        self.ground.land.iter().filter(|hex| ends(*hex)).collect()
    }

    /// The hexes west of the Bug.
    pub fn west_bank(&self) -> &HexSet {
        &self.ground.west
    }

    /// Strength that a side's combat units have lost since they came into play, eliminated ones included.
    pub fn strength_lost(&self, state: &State, side: Side) -> i32 {
        let lost = |(counter, (_, unit)): (&crate::Counter, (UnitId, &crate::Unit))| match unit.place {
            _ if counter.side != side || counter.arm == Arm::Hq => 0,
            Place::Hex(_) => i32::from(counter.strength) - i32::from(unit.strength),
            Place::Dead => i32::from(counter.strength),
            _ => 0,
        };
        self.counters.iter().zip(state.units.iter()).map(lost).sum()
    }

    /// What is printed on a combat unit, as if it stood in the first hex of the map; nothing for an HQ.
    pub fn values_of(&self, unit: UnitId) -> Option<Soldier> {
        let counter = self.counter(unit);
        (counter.arm != Arm::Hq).then(|| Soldier {
            unit,
            hex: Hex::new(0, 0),
            arm: counter.arm,
            motorized: counter.class == Class::Motorized,
            strength: counter.strength,
            full: counter.strength,
            rating: counter.fresh.rating,
            allowance: counter.allowance,
            tanks: counter.fresh.tank_points,
            formation: self.own_formation(unit),
            disrupted: false,
        })
    }

    /// The side of a unit.
    pub fn side_of(&self, unit: UnitId) -> Side {
        self.side(unit)
    }

    /// How far it is to any of some hexes, for units of a side on foot or on wheels, over ground and bridges as they are
    /// and past enemies. Hexes of `slow` take six Movement Points more.
    pub fn distances(
        &self,
        state: &State,
        side: Side,
        motorized: bool,
        goals: &[(Hex, f32)],
        slow: &HexSet,
    ) -> Distances {
        let grid = self.map.grid();
        let width = grid.width();
        let at = |hex: Hex| usize::from(hex.line()) * width + usize::from(hex.pos());
        let gait = if motorized { Gait::Motorized } else { Gait::Leg };
        let paces = self.ground.statutes.of(1 << gait as usize);
        let mut sixths = vec![u16::MAX; grid.lines() * width];
        let mut queue = BinaryHeap::new();
        for (goal, head) in goals {
            let head = (head * 6.0) as u16;
            sixths[at(*goal)] = head;
            queue.push(Reverse((head, *goal)));
        }
        while let Some(Reverse((so_far, hex))) = queue.pop() {
            if so_far > sixths[at(hex)] {
                continue;
            }
            let terrain = self.ground.effect(&self.charts.terrain, hex).costs[gait as usize];
            let slowed = if slow.contains(hex) { 36 } else { 0 };
            for (dir, from) in self.map.neighbours(hex) {
                if !self.ground.land.contains(from) {
                    continue;
                }
                // What a step from there to here costs.
                let bridge = state.has_bridge(from, hex);
                let crossing = match self.ground.between(hex, dir) {
                    Between::Lake => continue,
                    Between::River if bridge => 0,
                    Between::River if motorized || side == Side::Soviet => continue,
                    Between::River => CROSSING,
                    Between::Stream if motorized => CROSSING,
                    Between::Stream => 6,
                    _ => 0,
                };
                let step = match paces.statute.price_by(ROAD, from, dir.opposite()) {
                    Some(road) => road.in_twelfths() / 2,
                    None => terrain.in_twelfths() / 2 + crossing,
                };
                let there = so_far.saturating_add(step).saturating_add(slowed);
                if there < sixths[at(from)] {
                    sixths[at(from)] = there;
                    queue.push(Reverse((there, from)));
                }
            }
        }
        Distances { width, sixths }
    }
}

impl State {
    /// The turn.
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// The procedures under way, the innermost last.
    pub fn procedures(&self) -> &[Procedure] {
        &self.stack
    }

    /// The combat that is being fought.
    pub fn battle(&self) -> Option<&Battle> {
        self.stack.find()
    }

    /// Where a unit is.
    pub fn place_of(&self, unit: UnitId) -> Option<Hex> {
        self.hex(unit)
    }

    /// Who controls a hex.
    pub fn holder(&self, hex: Hex) -> Side {
        self.controller(hex)
    }

    /// Whether a side has passed in this Ops Phase.
    pub fn has_passed(&self, side: Side) -> bool {
        self.passed[side]
    }

    /// Who holds the Schlachtenglück marker.
    pub fn luck_holder(&self) -> Side {
        self.luck
    }

    /// Whether a hex is in Improved Defense.
    pub fn is_improved(&self, hex: Hex) -> bool {
        self.improved.contains(hex)
    }

    /// Pontoon bridges that can still be built.
    pub fn pontoons_ready(&self) -> usize {
        self.pontoons.iter().filter(|pontoon| **pontoon == Pontoon::Ready).count()
    }

    /// A number that changes when the units of a side move, suffer or recover.
    pub fn trace_of(&self, rules: &Bug, side: Side) -> u64 {
        let units = rules.counters.iter().zip(self.units.iter()).filter(|(counter, _)| counter.side == side);
        units.fold(0xcbf2_9ce4_8422_2325, |hash, (_, (_, unit))| {
            let place = match unit.place {
                Place::Hex(hex) => u64::from(hex.line()) << 8 | u64::from(hex.pos()),
                _ => u64::MAX,
            };
            let disrupted = u64::from(unit.marks.has(Marks::DISRUPTED));
            let word = place << 16 | u64::from(unit.strength) << 1 | disrupted;
            (hash ^ word).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The Strength of a combat unit, the Support of an HQ.
    pub fn strength_of(&self, unit: UnitId) -> u8 {
        self.unit(unit).strength
    }
}

impl<'a> Scout<'a> {
    /// The state that is looked at.
    pub fn state(&self) -> &State {
        self.state
    }

    /// The combat units of a side on the map.
    pub fn soldiers(&self, side: Side) -> impl Iterator<Item = Soldier> + '_ {
        let units = self.rules.on_map(self.state, side).filter(|(unit, _)| !self.rules.is_hq(*unit));
        units.map(|(unit, hex)| self.soldier_at(unit, hex))
    }

    /// A combat unit, if it is on the map.
    pub fn soldier(&self, unit: UnitId) -> Option<Soldier> {
        self.state.hex(unit).map(|hex| self.soldier_at(unit, hex))
    }

    fn soldier_at(&self, unit: UnitId, hex: Hex) -> Soldier {
        let (counter, now) = (self.rules.counter(unit), self.state.unit(unit));
        let printed = self.rules.printed(self.state, unit);
        Soldier {
            unit,
            hex,
            arm: counter.arm,
            motorized: counter.class == Class::Motorized,
            strength: now.strength,
            full: counter.strength,
            rating: printed.rating,
            allowance: counter.allowance,
            tanks: printed.tank_points,
            formation: now.formation,
            disrupted: now.marks.has(Marks::DISRUPTED),
        }
    }

    /// The formations of a side whose HQs are on the map.
    pub fn formations(&self, side: Side) -> impl Iterator<Item = Staffed> + '_ {
        self.rules.hqs_of_side(side).filter_map(|hq| self.formation(hq))
    }

    /// The formation of an HQ, if that is on the map.
    pub fn formation(&self, hq: UnitId) -> Option<Staffed> {
        let (values, unit) = (self.rules.hq_values(hq), self.state.unit(hq));
        Some(Staffed {
            hq,
            formation: self.rules.formation_of(hq)?,
            hex: self.state.hex(hq)?,
            level: unit.level,
            max_level: values.max_level,
            recovery: values.recovery,
            support: unit.strength,
            range: values.command_range,
            reaction: values.reaction,
            relocation: values.relocation,
        })
    }

    /// The combat units in a hex.
    pub fn stack(&self, hex: Hex) -> Units {
        self.rules.combat_units(self.state, hex)
    }

    /// Hexes with a combat unit of a side.
    pub fn combat(&self, side: Side) -> &HexSet {
        &self.presence.combat[side]
    }

    /// Hexes with any unit of a side.
    pub fn held(&self, side: Side) -> &HexSet {
        &self.presence.held[side]
    }

    /// Hexes in a side's zone of control.
    pub fn zoc(&self, side: Side) -> &HexSet {
        &self.presence.zoc[side]
    }

    /// Whether a unit can be led.
    pub fn command(&self, unit: UnitId) -> Command {
        self.rules.command(self.state, &self.presence, unit)
    }

    /// Whether a hex would be within Command Range of an HQ.
    pub fn is_led(&self, hq: UnitId, hex: Hex) -> bool {
        self.rules.is_led(self.state, &self.presence, hq, hex)
    }

    /// Whether an HQ can trace a Supply Path.
    pub fn is_supplied(&self, hq: UnitId) -> bool {
        self.rules.is_supplied(self.state, &self.presence, hq)
    }

    /// Whether a hex takes these units besides those that are in it.
    pub fn has_room(&self, units: Units, hex: Hex) -> bool {
        self.rules.find_room(units, self.stack(hex))
    }

    /// Where a stack in an enemy zone of control could slip to through another, if its checks succeed (7.3.4).
    pub fn infiltrations(&self, units: Units, boats: u8) -> HexSet {
        let march = self.rules.march(self.state, &self.presence, units, boats);
        march.map_or(HexSet::EMPTY, |march| march.infiltrations())
    }

    /// Whether units could attack from one hex into the next, by what lies between.
    pub fn can_strike(&self, units: Units, from: Hex, target: Hex) -> bool {
        self.rules.check_hexside(self.state, units, from, target).is_ok()
    }

    /// Whether units may attack a hex now, in the activation or with the bonus under way.
    pub fn may_attack(&self, units: Units, target: Hex, kind: AttackKind) -> bool {
        let desk = self.desk.get_or_init(|| Desk::of(self.rules, self.state));
        desk.as_ref().is_some_and(|desk| desk.check_attack(units, target, kind).is_ok())
    }

    /// Where a stack could go in a Movement Action of the activation under way, infiltration apart.
    pub fn reach(&self, units: Units, boats: u8) -> HexSet {
        self.rules.goals_of(self.state, &self.presence, units, boats)
    }

    /// How the defenders of a hex could retreat from it.
    pub fn way_out(&self, hex: Hex) -> WayOut {
        let known = self.ways_out.borrow().iter().find(|(of, _)| *of == hex).map(|(_, way)| *way);
        known.unwrap_or_else(|| {
            let way = self.find_way_out(hex);
            // When there is no more room, it is found again.
            let _ = self.ways_out.borrow_mut().try_push((hex, way));
            way
        })
    }

    fn find_way_out(&self, hex: Hex) -> WayOut {
        let units = self.stack(hex);
        let Some(side) = units.first().map(|unit| self.rules.side(unit)) else { return WayOut::Free };
        let hexes = self.rules.retreat_hexes(self.state, &self.presence, units, hex, None, true);
        match hexes.first() {
            None => WayOut::None,
            Some(to) if self.presence.in_ezoc(side, to) => WayOut::Watched,
            Some(_) => WayOut::Free,
        }
    }

    /// The chances of an attack by units that stand in `from`, with `more` on the die, such as
    /// support that is still to come.
    pub fn forecast(&self, units: Units, from: Hex, target: Hex, kind: AttackKind, more: i8) -> Forecast {
        let rules = self.rules;
        let clash = Clash { kind, from, target, attackers: units, defenders: self.stack(target) };
        let account = Account::new(rules, self.state, &self.presence, clash);
        let modifier = account.modifier() + more;
        let count = rules.charts.chits.len().min(MOST_CHITS);
        let of = |attacks: bool| -> ArrayVec<u16, MOST_CHITS> {
            (0..count).map(|chit| account.strength(attacks, chit as u8 + 1)).collect()
        };
        let (attacks, defences) = (of(true), of(false));
        // How often each column comes up; the first is below the table.
        let mut columns = [0u32; 16];
        for (i, attack) in attacks.iter().enumerate() {
            for (j, defence) in defences.iter().enumerate() {
                if i != j {
                    let (column, _) = account.column(*attack, *defence);
                    columns[column.map_or(0, |column| column + 1).min(15)] += 1;
                }
            }
        }
        let pairs = (count * (count - 1)).max(1) as f32;
        let mut forecast = Forecast { chances: [[0.0; KINDS]; KINDS], modifier, column: 0.0 };
        for (column, often) in columns.iter().enumerate().filter(|(_, often)| **often > 0) {
            let chance = *often as f32 / pairs;
            forecast.column += f64::from(chance) * column as f64;
            for roll in 1..=10 {
                let result = match column {
                    0 => crate::combat::HOPELESS,
                    _ => rules.charts.combat.result(column - 1, roll + i32::from(modifier)),
                };
                let CombatResult { attacker, attacker_red, defender, defender_red } = result;
                let a = usize::from(attacker.min(9)) * 2 + usize::from(attacker_red);
                let d = usize::from(defender.min(9)) * 2 + usize::from(defender_red);
                forecast.chances[a][d] += chance / 10.0;
            }
        }
        forecast
    }

    /// What a combat die means in the combat that is being fought.
    pub fn combat_die(&self, roll: u8) -> Fall {
        let CombatResult { attacker, attacker_red, defender, defender_red } =
            self.rules.combat_result(self.state, roll);
        Fall { attacker, attacker_red, defender, defender_red, chance: 1.0 }
    }

    /// The Action Points of a formation for a die.
    pub fn points_for(&self, hq: UnitId, roll: u8, reaction: bool) -> u8 {
        self.rules.points_for(self.state, hq, roll, reaction)
    }

    /// The mean of its Action Points if it were activated now.
    pub fn mean_points(&self, hq: UnitId, reaction: bool) -> f64 {
        (1..=10).map(|roll| f64::from(self.points_for(hq, roll, reaction))).sum::<f64>() / 10.0
    }

    /// What a side adds to its initiative die.
    pub fn initiative_bonus(&self, side: Side) -> u8 {
        let marker = self.state.initiative;
        let value = crate::charts::INITIATIVE_TRACK[usize::from(marker.step)];
        let interdiction = if side == Side::Axis { self.state.interdiction } else { 0 };
        interdiction + if marker.side == side { value } else { 0 }
    }
}
