//! Battles in the East: a system of rules, and the games that are played by it.
//!
//! One module a section, in the order of the rulebook; [`charts`] and [`settings`] hold what a game brings along, [`ground`]
//! what its map means, [`setup`] reads and writes situations, and this file is the contract with the engine.

use std::sync::Arc;

use arrayvec::ArrayVec;
use board::{Hex, Map, Mp};
use engine::display;
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::store::{OnMap, Placed, UnitStore};
use engine::{
    Book, BySide, Case, Options, Outcome, Phrase, Play, Roster, Rulebook, Side, Types, UnitId, UnitSet,
    Violation, case, frames, lexicon, marks, musters, phrases, shelve, switches, words,
};

mod account;
mod advance;
mod air;
mod bridging;
mod charts;
mod combat;
mod drawing;
mod fortification;
mod ground;
mod integrity;
mod known;
mod lists;
mod movement;
mod naval;
mod overrun;
mod proof;
mod reinforcement;
mod results;
mod retreat;
mod scout;
mod sequence;
mod settings;
mod setup;
mod shifts;
mod stacking;
mod supply;
mod untried;
mod victory;
mod view;
mod ways;
mod zoc;

use advance::Advance;
use air::Air;
use charts::Charts;
use combat::{Attack, Battle, Charging, Combat};
use fortification::Works;
use ground::Ground;
use lists::{Causes, Hexes, Points};
use movement::{Movement, Moving, Parts};
use overrun::Occupy;
use reinforcement::Reinforcement;
use results::{RiverLoss, Taking};
use retreat::Retreating;
use sequence::Opening;
use settings::Settings;
use stacking::Overstacked;
use supply::SupplyPhase;

/// The most counters a game can have, HQs among them.
pub const MAX_UNITS: usize = 192;

/// The most colours of HQs, those of both sides together.
pub const COLOURS: usize = 16;

/// The most procedures that can be under way: a river crossed in a retreat from the third overrun of one move.
pub const DEEPEST: usize = 10;

/// The most columns of a map.
const LINES: usize = 40;

/// The most field forts on a map.
const MAX_FORTS: usize = 16;

/// The most trails that the retreats of one combat leave: a stack whose units all go their own ways.
const MAX_TRAILS: usize = 12;

/// Sets of hexes of a map of this system.
pub(crate) type HexSet = board::HexSet<LINES, 1>;
/// Sets of hexsides of such a map.
pub(crate) type Sides = board::Sides<LINES, 1>;
/// What steps cost on it.
pub(crate) type Tariff = board::Tariff<LINES, 1>;
/// What can be reached on it.
pub(crate) type Reach = board::Reach<LINES, 1>;

/// Units of a game.
pub type Units = UnitSet<3>;

/// What stays the same during a game.
pub struct Bite {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    game: Option<String>,
    ground: Ground,
    roster: Roster,
    counters: Vec<charts::Counter>,
    /// The HQ of each colour, where it is in play.
    hqs: [Option<charts::Hq>; COLOURS],
    colours: Vec<String>,
    /// Bridging units (20.0a).
    bridging: Vec<UnitId>,
    formations: Vec<charts::Formation>,
    charts: Charts,
    settings: Settings,
    options: Options,
    switches: Switches,
    /// Tells this game from all others, where something is kept.
    token: Arc<()>,
}

/// The colour of an HQ and of the units under it (3.2i).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Colour(pub u8);

impl Colour {
    /// Its place in tables that have one entry a colour.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

words! {
    /// The type of a unit (3.3a).
    pub enum Arm: "type" {
        /// Tanks.
        Armor = "armor",
        /// Heavy tanks, which are armor too.
        HeavyArmor = "heavy_armor",
        /// Cavalry.
        Cavalry = "cavalry",
        /// Infantry.
        Infantry = "infantry",
        /// Mechanized infantry.
        Mechanized = "mechanized",
        /// Self-propelled artillery.
        SpArtillery = "sp_artillery",
        /// Anti-tank guns.
        AntiTank = "anti_tank",
        /// Flak.
        Flak = "flak",
        /// Motorized infantry.
        Motorized = "motorized",
        /// Rockets.
        Rocket = "rocket",
        /// Mountain troops.
        Mountain = "mountain",
        /// Airborne troops.
        Airborne = "airborne",
        /// Ski troops.
        Ski = "ski",
        /// Militia.
        Militia = "militia",
        /// Bridging columns.
        Bridging = "bridging",
        /// Engineers.
        Engineer = "engineer",
        /// Garrisons.
        Garrison = "garrison",
        /// Armored trains.
        ArmoredTrain = "armored_train",
        /// Headquarters.
        Hq = "hq",
    }
}

words! {
    /// The size of a unit (3.3l).
    pub enum Size: "size" {
        /// XXXX.
        Army = "army",
        /// XXX.
        Corps = "corps",
        /// XX.
        Division = "division",
        /// X.
        Brigade = "brigade",
        /// III.
        Regiment = "regiment",
        /// II.
        Battalion = "battalion",
        /// A kampfgruppe.
        Kg = "kg",
    }
}

words! {
    /// A level of supply (8.0a), the worst first.
    pub enum Level: "level" {
        /// Out of supply.
        Out = "out",
        /// General supply.
        General = "general",
        /// Attack supply.
        Attack = "attack",
    }
}

words! {
    /// The weather (17.0).
    pub enum Weather: "weather" {
        /// Clear.
        Clear = "clear",
        /// Rain.
        Rain = "rain",
        /// Mud.
        Mud = "mud",
        /// Snow.
        Snow = "snow",
    }
}

words! {
    /// Where a column shift comes from (12.4b).
    pub enum Cause: "shift" {
        /// Armor in attack.
        Armor = "armor",
        /// Heavy tanks in attack.
        Specialist = "specialist",
        /// Division or corps integrity.
        Integrity = "integrity",
        /// An HQ.
        Hq = "hq",
        /// A leader.
        Leader = "leader",
        /// Air support.
        Air = "air",
        /// Ships.
        Naval = "naval",
        /// An attack from all around.
        Concentric = "concentric",
        /// Tanks or anti-tank guns in defence.
        AntiTank = "anti-tank",
        /// Anti-tank guns of a neighbour.
        Projected = "projected",
        /// The terrain of the hex.
        Terrain = "terrain",
        /// A river.
        Hexside = "hexside",
        /// A fortress or a field fort.
        Fortification = "fortification",
        /// The weather.
        Weather = "weather",
    }
}

words! {
    /// How an untried unit turns out (16.0d).
    pub enum Turnout: "turnout" {
        /// It has no strength.
        Zero = "zero",
        /// One step.
        One = "one",
        /// Two steps.
        Two = "two",
    }
}

words! {
    /// A phase of a player turn (6.0).
    pub enum Phase: "phase" {
        /// Reinforcements come.
        Reinforcement = "reinforcement",
        /// Supply is found, faces are set.
        Supply = "supply",
        /// All units may move.
        Initial = "movement",
        /// Units attack.
        Combat = "combat",
        /// Mobile units may move again.
        Mechanized = "mechanized",
        /// Interdiction.
        Air = "air",
    }
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On the map.
    Hex(Hex),
    /// On the turn track, until its turn comes (5.0c).
    Track,
    /// Off the map behind its edge, to enter in this turn (7.0k).
    Waiting,
    /// Delayed (7.0c, 7.0d).
    Delayed,
    /// A bridging unit on its bridge face: a marker in this hex that points to that one (20.0b).
    Bridge(Hex, Hex),
    /// An HQ destroyed in combat, which comes back (14.0j).
    Lost,
    /// Gone for good.
    Dead,
    /// Taken off the map by its owner (uma.25.0h).
    Escaped,
}

impl Placed for Place {
    const BOXES: &'static [(&'static str, Place)] = &[
        ("track", Place::Track),
        ("waiting", Place::Waiting),
        ("delayed", Place::Delayed),
        ("lost", Place::Lost),
        ("dead", Place::Dead),
        ("escaped", Place::Escaped),
    ];

    fn at(hex: Hex) -> Place {
        Place::Hex(hex)
    }

    fn hex(self) -> Option<Hex> {
        match self {
            Place::Hex(hex) => Some(hex),
            _ => None,
        }
    }

    fn in_box(self) -> Option<&'static str> {
        match self {
            Place::Bridge(..) => Some("bridges"),
            _ => Self::BOXES.iter().find(|(_, place)| *place == self).map(|(name, _)| *name),
        }
    }

    /// A bridge is `bridge:A/B`.
    fn read(word: &str, map: &Map) -> Result<Place, String> {
        if let Some(side) = word.strip_prefix("bridge:") {
            let (from, to) = side.split_once('/').ok_or("expected bridge:A/B")?;
            return Ok(Place::Bridge(map.hex(from)?, map.hex(to)?));
        }
        match Self::BOXES.iter().find(|(name, _)| *name == word) {
            Some((_, place)) => Ok(*place),
            None => map.hex(word).map(Place::Hex),
        }
    }

    fn word(self, map: &Map) -> String {
        match self {
            Place::Hex(hex) => map.label(hex),
            Place::Bridge(from, to) => format!("bridge:{}/{}", map.label(from), map.label(to)),
            _ => self.in_box().unwrap_or_default().to_owned(),
        }
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    place: Place,
    steps: u8,
    marks: Marks,
    /// The movement points that it has left in this phase.
    left: Mp,
    /// The HQs that it has drawn supply from in this player turn, a bit each, if it is independent (8.1f).
    drawn: u16,
}

impl Unit {
    /// Where it is, its steps, and those of its marks that zones of control, lines of supply and bridges follow from.
    fn seen(&self) -> (Place, u8, Marks) {
        let seen = Marks::UNTRIED | Marks::ZERO | Marks::ATTACK | Marks::AIRLIFT | Marks::FRESH;
        (self.place, self.steps, self.marks.only(seen))
    }
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        match self.place {
            Place::Hex(hex) => Some(hex),
            _ => None,
        }
    }

    /// Movement points, places with HQs and most marks change nothing that is [kept](known::Known).
    fn counts(&self, before: &Unit) -> bool {
        self.seen() != before.seen()
    }
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u16 {
        UNTRIED = "untried", "16.0b", On, Look::Quiet, "lies on its untried face";
        ZERO = "zero", "16.0d", On, Look::Bad("0"), "turned out to have no strength";
        OUT = "oos", "8.2x1", On, Look::Bad("OoS"), "is out of supply";
        ATTACK = "attack", "14.0b", On, Look::Good("A"), "lies on its Attack face";
        AIRLIFT = "airlift", "13.0h", On, Look::Good("air"), "is supplied by air";
        LEADERLESS = "leaderless", "15.0d2", On, Look::Quiet, "has lost its leader";
        BLOCKED = "blocked", "7.0d", On, Look::Quiet, "found its entry blocked";
        REPLACED = "replaced", "14.0o", On, Look::Quiet, "was destroyed once and replaced";
        ARRIVED = "arrived", "7.0g", Turn, Look::Quiet, "has arrived in this player turn";
        FRESH = "fresh", "20.0e", Turn, Look::Quiet, "was deployed in this player turn";
        MOVED = "moved", "10.1f1", Phase, Look::Done, "has moved in this phase";
        PROJECTED = "projected", "12.3.4d3", Phase, Look::Quiet, "has lent its anti-tank guns in this phase";
        ATTACKED = "attacked", "12.1c1", Phase, Look::Done, "has attacked in this phase";
        DEFENDED = "defended", "12.1c2", Phase, Look::Quiet, "was attacked in this phase";
        ADVANCED = "advanced", "12.7d1", Phase, Look::Quiet, "has advanced in this phase";
        AGAIN = "again", "12.1d2", Phase, Look::Good("+"), "may attack once more, at once";
    }
}

switches! {
    /// The options that are on.
    pub struct Switches {
        optional_units = "optional-units", "3.2l", "the optional units of both sides arrive";
        plain_overruns = "plain-overruns", "10.3x1", "terrain gives no shift against overruns";
    }
}

/// A field fort on the map (18.0b).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fort {
    hex: Hex,
    side: Side,
    /// 1L or 2L.
    value: u8,
}

/// The air markers of a side (13.0a).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AirHand {
    /// In hand.
    markers: u8,
    /// Put down as interdiction in this game turn.
    interdicting: u8,
}

/// The Attack supply markers of a side (3.3j).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AttackMarkers {
    hand: u8,
    /// On the boxes of this turn and those after it.
    ahead: [u8; 4],
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    weather: Weather,
    units: UnitStore<Unit, MAX_UNITS>,
    /// The hexes that the Soviet side controls (6.0i1).
    soviet_hexes: HexSet,
    air: BySide<AirHand>,
    /// Hexes with an interdiction marker of a side (13.0g).
    interdicted: BySide<HexSet>,
    forts: ArrayVec<Fort, MAX_FORTS>,
    /// Field forts of 1L and of 2L that came off the map in this player turn (18.0b3).
    lifted: BySide<[u8; 2]>,
    /// Fortresses that were destroyed, a bit each in the order of the settings (18.0a6).
    ruined: u8,
    /// The bridges of the demolition are down (rad.22.3a).
    demolished: bool,
    /// Colours whose one General combat of this player turn was made, a bit each (8.3g).
    charged: u16,
    /// Points used in this Combat phase (8.4x2).
    used: Points,
    /// The ships have helped in this game turn (uma.22.8a).
    flotilla_used: bool,
    attack_markers: BySide<AttackMarkers>,
    /// Points of coastal transport spent in this player turn (19.0a).
    shipped: u8,
    /// Victory points (4.0a).
    points: BySide<i16>,
    /// The trails that the retreats of the combat under way have left, each from the hex that was left first (12.7x1).
    trails: ArrayVec<Hexes, MAX_TRAILS>,
    stack: Stack<Procedure, DEEPEST>,
}

frames! {
    /// A procedure under way. The last on the stack asks for a decision.
    pub enum Procedure of Bite, DEEPEST deep {
        Opening, Reinforcement, SupplyPhase, Movement, Moving, Parts, Occupy, Works, Overstacked, Combat, Attack, Charging, Battle,
        Taking, RiverLoss, Retreating, Advance, Air,
    }
}

phrases! {
    /// What a player can do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Place { unit: UnitId, hex: Hex } = "place", "7.0b", "{unit} arrives in {hex}";
        Face { hq: UnitId } = "face", "14.0e", "set {hq} to Attack supply";
        Airlift { hq: UnitId } = "airlift", "6.0d2", "supply {hq} by air";
        Draw { unit: UnitId, hq: UnitId } = "draw", "8.1f", "{unit} draws supply from {hq}";
        Move { unit: UnitId, to: Hex } = "move", "10.1x1", "move {unit} to {to}";
        Begin = "begin", "5.0d", "begin the game", Finish;
        Ship { unit: UnitId, to: Hex } = "ship", "19.0a", "ship {unit} to {to}";
        Enter { unit: UnitId, hex: Hex } = "enter", "7.0b", "{unit} enters the map in {hex}";
        Stack { unit: UnitId } = "stack", "10.3h1", "{unit} moves, perhaps with others";
        Go { to: Hex } = "go", "10.1x1", "go to {to}";
        Rail { to: Hex } = "rail", "7.0h", "go by rail to {to}";
        Drop { unit: UnitId } = "drop", "10.1x1", "{unit} stays behind";
        Overrun { from: Hex, hex: Hex } = "overrun", "10.3x2", "overrun {hex} from {from}";
        Occupy { unit: UnitId } = "occupy", "10.3i3", "{unit} occupies the hex";
        Halt = "halt", "10.0a", "done", Finish;
        Dig { hex: Hex, value: u8 } = "dig", "18.0b2", "place a field fort of {value}L in {hex}";
        Bridge { unit: UnitId, hex: Hex } = "bridge", "20.0b", "{unit} bridges the river to {hex}";
        Disband { unit: UnitId } = "disband", "11.1m", "{unit} is eliminated";
        Name { unit: UnitId, hex: Hex } = "name", "12.1x2", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "12.2b1", "{unit} joins in";
        Leave { unit: UnitId } = "leave", "12.2b1", "{unit} does not join in", TakeBack;
        Cancel = "cancel", "12.1a", "call it off", TakeBack;
        Target { hex: Hex } = "target", "12.2c1", "attack {hex}, too";
        Declare = "declare", "12.4x", "attack", Finish;
        Charge { hq: UnitId } = "charge", "8.3h", "it is the combat of {hq}";
        Decline { cause: Cause } = "decline", "12.3c2", "decline the {cause} shift";
        Support { hq: UnitId } = "support", "8.4x2", "{hq} supports the combat with a point";
        Lead { hq: UnitId } = "lead", "15.0x1", "the leader with {hq} supports the combat with a point";
        AirSupport = "air", "13.0b", "an air marker supports the combat";
        Naval = "naval", "12.3.3", "ships support the combat";
        Project { unit: UnitId } = "project", "12.3.4d1", "{unit} lends its anti-tank guns";
        Terrain { hex: Hex } = "terrain", "12.2c3", "the terrain of {hex} counts";
        Ready = "ready", "12.3c", "declare no more", Finish;
        Yield { hexes: u8 } = "yield", "12.5b1", "hexes of retreat: {hexes}";
        Lose { unit: UnitId } = "lose", "12.4e1", "{unit} loses a step";
        Withdraw { unit: UnitId } = "withdraw", "12.6e", "{unit} and those with it retreat next";
        Detach { unit: UnitId } = "detach", "12.6e", "{unit} goes another way";
        Fall { hex: Hex } = "fall", "12.6d", "retreat to {hex}";
        Advance { unit: UnitId, hex: Hex } = "advance", "12.7x2", "{unit} advances to {hex}";
        Interdict { hex: Hex } = "interdict", "6.0h2", "interdict {hex}";
        Escape { unit: UnitId } = "escape", "uma.25.0h", "{unit} escapes";
        End = "end", "6.0x1", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "6.0i3", "turn {turn} begins", Turn;
        WeatherTold { weather: Weather } = "weather", "6.0a1", "the weather is {weather}";
        AirMarkers { axis: u8, soviet: u8 } = "air-markers", "6.0b1", "air markers: Axis {axis}, Soviet {soviet}";
        PhaseBegan { side: Side, phase: Phase } = "phase", "6.0x1", "{side} {phase} phase", Phase;
        Arrived { unit: UnitId } = "arrived", "6.0c1", "{unit} arrives", Arrival;
        Delayed { unit: UnitId } = "delayed", "7.0d", "{unit} is delayed";
        NotEntered { unit: UnitId } = "not-entered", "7.0m", "{unit} has not entered and is delayed";
        Returned { hq: UnitId } = "returned", "14.0j", "{hq} returns", Arrival;
        OutOfSupply { units: Units } = "out-of-supply", "6.0d1", "out of supply: {units}";
        InSupply { units: Units } = "in-supply", "6.0d1", "in supply again: {units}";
        Faced { hq: UnitId } = "faced", "14.0e", "{hq} is in Attack supply";
        MarkerSpent { side: Side, left: u8 } = "marker-spent", "6.0d4", "{side} spends an Attack supply marker, {left} left";
        MarkersBack { side: Side, markers: u8 } = "markers-back", "6.0i2", "Attack supply markers that return to {side}: {markers}";
        Airlifted { hq: UnitId } = "airlifted", "6.0d2", "{hq} is supplied by air";
        Drew { unit: UnitId, hq: UnitId } = "drew", "8.1f", "{unit} draws supply from {hq}";
        Entered { unit: UnitId, hex: Hex, left: Mp } = "entered", "7.0b", "{unit} enters the map in {hex}, {left} MP left", Move;
        Moved { unit: UnitId, to: Hex, left: Mp } = "moved", "10.1x1", "{unit} moves to {to}, {left} MP left", Move;
        Shipped { unit: UnitId, to: Hex } = "shipped", "19.0a", "{unit} goes by sea to {to}", Move;
        Disengaged { unit: UnitId } = "disengaged", "10.4a", "{unit} disengages";
        Overran { units: Units, hex: Hex } = "overran", "10.3x2", "overrun of {hex} by {units}", Attack;
        Occupied { unit: UnitId, hex: Hex } = "occupied", "10.3i3", "{unit} occupies {hex}", Advance;
        Halted { units: Units } = "halted", "12.5x2", "halted: {units}";
        Dug { hex: Hex, value: u8 } = "dug", "18.0b2", "a field fort of {value}L in {hex}";
        FortLifted { hex: Hex } = "fort-lifted", "18.0b3", "the field fort in {hex} is removed";
        FortressRuined { hex: Hex } = "fortress-ruined", "18.0a6", "the fortress in {hex} is destroyed";
        Bridged { unit: UnitId, from: Hex, to: Hex } = "bridged", "20.0b", "{unit} bridges the river from {from} to {to}";
        BridgeLost { unit: UnitId } = "bridge-lost", "20.0c", "the bridge of {unit} is lost";
        Demolished { hex: Hex } = "demolished", "rad.22.3a", "the bridges at {hex} are blown up";
        Controlled { side: Side, hex: Hex } = "controlled", "6.0i1", "{side} controls {hex}", Control;
        Declared { units: Units, hexes: Hexes } = "declared", "12.4x", "attack on {hexes} by {units}", Attack;
        Charged { colour: u8, hq: Option<UnitId> } = "charged", "8.3g", "a General combat is used up[: that of {hq}]";
        Revealed { unit: UnitId, turnout: Turnout } = "revealed", "16.0d", "{unit} is revealed; steps with strength: {turnout}", Shown;
        AttackStrength { unit: UnitId, strength: u8, level: Level } = "attack-strength", "12.4a1", "{unit} attacks with {strength}, in {level} supply", Account;
        DefenceStrength { unit: UnitId, strength: u8, level: Level } = "defence-strength", "12.4a1", "{unit} defends with {strength}, in {level} supply", Account;
        Odds { attack: Halves, defence: Halves, column: Column } = "odds", "12.4a2", "{attack} against {defence}: {column}", Account;
        Shift { side: Side, cause: Cause, columns: u8, by: Option<UnitId> } = "shift", "12.4b", "{side} {cause} shift: {columns}[, from {by}]", Account;
        ShiftsHalved { side: Side, from: u8, to: u8 } = "shifts-halved", "8.1m", "{side} shifts not in Attack supply: {from}, halved to {to}", Account;
        ColumnFound { column: Column } = "column", "12.3d", "column {column}", Column;
        Result { result: CombatResult } = "result", "12.4c1", "result {result}", Result;
        NoDefence { hexes: Hexes } = "no-defence", "12.1e", "the defenders of {hexes} have no strength and are eliminated", Result;
        NoAttack { units: Units } = "no-attack", "16.0f", "nothing comes of the attack, for want of strength: {units}", Result;
        Eased { number: u8 } = "eased", "12.5b4", "the attacker retreats: the defender's number is {number}";
        FortressSpared = "fortress-spared", "18.0a2", "the fortress spares a step";
        StepLost { unit: UnitId, left: u8 } = "step-lost", "12.5b2", "{unit} loses a step, {left} left", Loss;
        Eliminated { unit: UnitId } = "eliminated", "12.5b2", "{unit} is eliminated", Eliminated;
        LeaderLost { hq: UnitId } = "leader-lost", "15.0d2", "the leader with {hq} is lost";
        Disbanded { unit: UnitId } = "disbanded", "11.1m", "{unit} is removed: its stack is too high", Eliminated;
        Retreated { unit: UnitId, hex: Hex } = "retreated", "12.6d", "{unit} retreats to {hex}", Retreat;
        PickedUp { unit: UnitId } = "picked-up", "12.6f2", "{unit} is taken along";
        RiverCrossed { units: Units } = "river-crossed", "12.6h1", "over a river without a bridge, at the cost of a step: {units}";
        Short { hexes: u8 } = "short", "12.6a2", "hexes of retreat that cannot be made and are taken as steps: {hexes}";
        Advanced { unit: UnitId, hex: Hex } = "advanced", "12.7x2", "{unit} advances to {hex}", Advance;
        Interdicted { side: Side, hex: Hex } = "interdicted", "13.0e", "{side} interdicts {hex}";
        InterdictionLifted { side: Side } = "interdiction-lifted", "6.0h1", "the interdiction of {side} is removed";
        Escaped { unit: UnitId } = "escaped", "uma.25.0h", "{unit} escapes";
        Scored { side: Side, points: i16 } = "scored", "4.0a", "{side} scores {points}";
        Ended { axis: i16, soviet: i16 } = "ended", "6.0i4", "the game is over: Axis {axis}, Soviet {soviet}", End;
    }
}

pub use charts::{Column, CombatResult, Halves};

lexicon!(Bite);
shelve!(Bite);
musters!(Action);

impl Types for Bite {
    const BOOK: Book = Book {
        name: "bite",
        title: "Battles in the East",
        edition: "Decision Games, 2023, Antony Birkett",
        rules: 3,
        sides: BySide { axis: "Axis", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Bite {
    fn outcome(&self, state: &State) -> Outcome {
        Bite::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    fn case_of(&self, event: &Event) -> Case {
        match event {
            Event::Shift { cause, .. } => cause.case(),
            _ => event.form().case,
        }
    }

    fn phases(&self, _: &State) -> Vec<display::Phase> {
        sequence::phases(self)
    }
}

impl Cause {
    /// The case that gives the shift.
    const fn case(self) -> Case {
        match self {
            Cause::Armor => case("12.3.4a1"),
            Cause::Specialist => case("12.3.4b1"),
            Cause::Integrity => case("11.2d1"),
            Cause::Hq => case("14.0l"),
            Cause::Leader => case("15.0x1"),
            Cause::Air => case("13.0b"),
            Cause::Naval => case("12.3.3"),
            Cause::Concentric => case("12.3.5a"),
            Cause::AntiTank => case("12.3.4c1"),
            Cause::Projected => case("12.3.4d1"),
            Cause::Terrain => case("12.3.1a"),
            Cause::Hexside => case("12.3.1c"),
            Cause::Fortification => case("18.0a1"),
            Cause::Weather => case("17.0b"),
        }
    }
}

impl Bite {
    pub(crate) fn counter(&self, unit: UnitId) -> &charts::Counter {
        &self.counters[unit.index()]
    }

    pub(crate) fn side(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }

    pub(crate) fn is_hq(&self, unit: UnitId) -> bool {
        self.counters[unit.index()].arm == Arm::Hq
    }

    /// The HQ of a colour, where it is in play.
    pub(crate) fn hq(&self, colour: Colour) -> Option<&charts::Hq> {
        self.hqs[colour.index()].as_ref()
    }

    /// The colour of an HQ counter.
    pub(crate) fn colour_of_hq(&self, unit: UnitId) -> Option<Colour> {
        self.counters[unit.index()].colour.filter(|_| self.is_hq(unit))
    }

    /// Every HQ of a side that is in play.
    pub(crate) fn hqs_of(&self, side: Side) -> impl Iterator<Item = (Colour, &charts::Hq)> {
        let all = self.hqs.iter().enumerate();
        all.filter_map(|(place, hq)| hq.as_ref().map(|hq| (Colour(place as u8), hq)))
            .filter(move |(_, hq)| self.side(hq.unit) == side)
    }

    /// What a unit attacks with on the face that lies up; nothing where none is printed or it stands in parentheses (3.2q).
    pub(crate) fn attack(&self, state: &State, unit: UnitId) -> u8 {
        let (now, counter) = (&state.units[unit], self.counter(unit));
        if counter.parenthesized || now.marks.has(Marks::ZERO) {
            return 0;
        }
        counter.face(now.steps).attack
    }

    /// What a unit defends with on the face that lies up.
    pub(crate) fn defence(&self, state: &State, unit: UnitId) -> u8 {
        let now = &state.units[unit];
        if now.marks.has(Marks::ZERO) { 0 } else { self.counter(unit).face(now.steps).defence }
    }

    /// A unit with an attack strength, or with an untried face that shows none and may hide one (9.0x1, R45).
    pub(crate) fn can_attack(&self, state: &State, unit: UnitId) -> bool {
        !self.is_hq(unit) && self.attack(state, unit) > 0
    }

    /// Every unit of a side that is on the map.
    pub(crate) fn on_map<'a>(
        &'a self,
        state: &'a State,
        side: Side,
    ) -> impl Iterator<Item = (UnitId, Hex)> + 'a {
        self.roster
            .iter()
            .filter(move |unit| self.side(*unit) == side)
            .filter_map(|unit| state.hex(unit).map(|hex| (unit, hex)))
    }

    /// Whose units are in a hex.
    pub(crate) fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        state.units.in_hex(hex).next().map(|unit| self.side(unit))
    }

    /// Puts a unit into a hex, and all that follows from its being there: control, fortresses, bridges, demolitions.
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        state.units.change(unit, |unit| unit.place = Place::Hex(hex));
        let side = self.side(unit);
        self.lose_bridges(state, side, hex, play);
        if !self.is_hq(unit) {
            self.take_control(state, side, hex, play);
            self.ruin_fortress(state, side, hex, play);
            self.demolish(state, side, hex, play);
        }
    }

    fn take_control(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let changed = match side {
            Side::Axis => state.soviet_hexes.remove(hex),
            Side::Soviet => state.soviet_hexes.insert(hex),
        };
        if changed && self.settings.objectives.iter().any(|objective| objective.hex == hex) {
            play.tell(Event::Controlled { side, hex });
        }
    }
}

impl State {
    pub(crate) fn hex(&self, unit: UnitId) -> Option<Hex> {
        self.units[unit].hex()
    }

    pub(crate) fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.units[unit].marks.has(mark)
    }

    pub(crate) fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.units.change(unit, |unit| unit.marks.set(mark));
    }

    pub(crate) fn unmark(&mut self, unit: UnitId, mark: Marks) {
        self.units.change(unit, |unit| unit.marks.clear(mark));
    }

    pub(crate) fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }
}
