//! The Operational Combat Series of 1992: a system of rules, and the games that are played by it.
//!
//! One module a section, in the order of the rulebook; [`charts`] and [`settings`] hold what a game brings along, [`terrain`]
//! what its map means, [`setup`] reads and writes situations, and this file is the contract with the engine.

use arrayvec::ArrayVec;
use board::{Hex, Map, Mp};
use engine::BySide;
use engine::display;
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::store::{OnMap, Placed, Stocks, UnitStore};
use engine::{
    Book, Options, Outcome, Play, Roster, Rulebook, Side, Types, UnitId, UnitSet, Violation, frames, lexicon,
    marks, musters, phrases, shelve, switches, words,
};

mod account;
mod air;
mod airbase;
mod airlift;
mod barrage;
mod breakdown;
mod capture;
mod charts;
mod combat;
mod drawing;
mod engineers;
mod hedgehogs;
mod interception;
mod mission;
mod modes;
mod motorization;
mod movement;
mod overrun;
mod rail;
mod reinforcement;
mod reorganization;
mod replacements;
mod reserves;
mod results;
mod retreat;
mod schedule;
mod sequence;
mod settings;
mod setup;
mod stacking;
mod supply;
mod survival;
mod terrain;
mod transport;
mod usage;
mod victory;
mod view;
mod zoc;

use air::{Errand, Flight, Homing};
use airbase::{AirRefit, AirReturn, Base, Evicted};
use barrage::{AntiOverrun, Barrages, Firing, Volley};
use capture::Displacing;
use charts::{Charts, Counter, Face};
use combat::{Attack, Battle, Combat};
use interception::{AirCombat, AirResult, Grounding, Interception};
use mission::{Aiming, Flak, FlakResult, Sortie};
use modes::Modes;
use movement::{Movement, Moving};
use rail::{Entraining, Freight};
use reinforcement::{Delivery, Reinforcement};
use reorganization::Reorganization;
use replacements::{Receiving, Refitting};
use reserves::Release;
use results::{Advance, Exploit, Taking};
use retreat::Retreat;
use schedule::Schedule;
use sequence::{Opening, Priority};
use settings::Settings;
use stacking::Overstacked;
use supply::{Paying, Source};
use survival::Survival;
use terrain::Terrain;
use usage::SupplyUsage;

pub use charts::{BarrageResult, Column, CombatResult, Strength};

/// The most pieces that a game can have: units, HQs, aircraft, ships, trucks and wagons.
pub const MAX_UNITS: usize = 384;

/// The most dumps and loads that there can be.
pub const MAX_STOCKS: usize = 96;

/// The most procedures that can be under way.
pub const DEEPEST: usize = 28;

/// The most hedgehogs on a map.
const MAX_HEDGEHOGS: usize = 32;

/// The most air bases on a map.
const MAX_BASES: usize = 32;

/// The most barrages of one phase that must be remembered.
const MAX_BARRAGES: usize = 64;

/// The most hexes of one phase in which loads were set down, or dumps blown up.
const MAX_CARRIED: usize = 48;

/// How many tokens a supply point has (11.1b).
pub const TOKENS: u16 = 4;

/// Sets of hexes of a map.
pub(crate) type HexSet = board::HexSet;
/// Sets of hexsides of a map.
pub(crate) type Sides = board::Sides;

/// Pieces of a game.
pub type Units = UnitSet<6>;

/// What stays the same during a game.
pub struct Ocs {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    game: Option<String>,
    terrain: Terrain,
    roster: Roster,
    counters: Vec<Counter>,
    /// The air units among the pieces.
    air: Vec<UnitId>,
    charts: Charts,
    settings: Settings,
    schedule: Schedule,
    /// Units that do not move up to and with a turn, by the game's special rules.
    fixed: Vec<(u8, Units)>,
    options: Options,
    switches: Switches,
}

words! {
    /// The type of a unit (OUE.n).
    pub enum Arm: "type" {
        /// Anti-tank guns.
        AntiTank = "anti_tank",
        /// Armored reconnaissance.
        ArmoredRecon = "armored_recon",
        /// Assault engineers.
        AssaultEngineer = "assault_engineer",
        /// Assault guns.
        AssaultGun = "assault_gun",
        /// A Break-Down Regiment (21.0).
        BreakDown = "break_down_regiment",
        /// Bicycles.
        Bicycle = "bicycle",
        /// Cavalry.
        Cavalry = "cavalry",
        /// Commandos.
        Commando = "commando",
        /// Engineers.
        Engineer = "engineer",
        /// Flame tanks.
        Flampanzer = "flampanzer",
        /// Glider troops.
        Glider = "glider",
        /// Heavy weapons.
        HeavyWeapons = "heavy_weapons",
        /// Infantry.
        Infantry = "infantry",
        /// Machine guns.
        MachineGun = "machine_gun",
        /// Marines.
        Marine = "marine",
        /// Militia.
        Militia = "militia",
        /// Motorcycles.
        Motorcycle = "motorcycle",
        /// Motorized infantry.
        MotorizedInfantry = "motorized_infantry",
        /// Mountain troops.
        Mountain = "mountain",
        /// Mountain cavalry.
        MountainCavalry = "mountain_cavalry",
        /// Parachutists.
        Parachute = "parachute",
        /// Penal troops.
        Penal = "penal",
        /// Police.
        Police = "police",
        /// Rail Repair (12.3f).
        RailRepair = "rail_repair",
        /// Rockets.
        RocketArtillery = "rocket_artillery",
        /// Towed guns.
        TowedArtillery = "towed_artillery",
        /// Self-propelled guns.
        SpArtillery = "sp_artillery",
        /// Security troops.
        Security = "security",
        /// Tanks.
        Tank = "tank",
        /// Unarmored reconnaissance.
        UnarmoredRecon = "unarmored_recon",
        /// Personnel replacements (3.2).
        Pax = "pax",
        /// Equipment replacements (3.2).
        Eq = "eq",
        /// A headquarters (3.4).
        Hq = "hq",
        /// Aircraft (3.5).
        Air = "air",
        /// A ship (19).
        Ship = "ship",
        /// Trucks (3.6).
        Truck = "truck",
        /// Wagons (3.6).
        Wagon = "wagon",
    }
}

words! {
    /// The class of a unit by the background of its symbol (3.1a).
    pub enum Class: "class" {
        /// Yellow.
        Armor = "armor",
        /// Red.
        Mech = "mech",
        /// Any other.
        Other = "other",
    }
}

words! {
    /// The size of a unit (OUE.e).
    pub enum Size: "size" {
        /// II.
        Battalion = "battalion",
        /// III.
        Regiment = "regiment",
        /// X.
        Brigade = "brigade",
        /// XX.
        Division = "division",
        /// XXX.
        Corps = "corps",
        /// None of these.
        None = "none",
    }
}

words! {
    /// How far a unit is motorized (3.1b).
    pub enum Motor: "motorization" {
        /// No wheels.
        None = "none",
        /// One wheel.
        Semi = "semi",
        /// Two wheels.
        Full = "full",
    }
}

words! {
    /// The sort of movement points (6.2).
    #[derive(Default)]
    pub enum Mobility: "mobility" {
        /// Black.
        #[default]
        Leg = "leg",
        /// Red.
        Track = "track",
        /// White.
        Truck = "truck",
    }
}

words! {
    /// The type of an air unit (3.5a).
    pub enum AirType: "air-type" {
        /// Fighter.
        Fighter = "F",
        /// Tactical bomber.
        Tactical = "T",
        /// Strategic bomber.
        Strategic = "S",
        /// Transport.
        Transport = "Tpt",
    }
}

words! {
    /// The class of terrain in combat (9.3).
    pub enum Ground: "ground" {
        /// Open.
        Open = "open",
        /// Close.
        Close = "close",
        /// Very close.
        VeryClose = "very_close",
    }
}

words! {
    /// The weather (18.0).
    pub enum Weather: "weather" {
        /// Clear.
        Clear = "clear",
        /// Rain.
        Rain = "rain",
        /// Mud.
        Mud = "mud",
        /// Frost.
        Frost = "frost",
        /// Snow.
        Snow = "snow",
        /// Deep frost.
        DeepFrost = "deep_frost",
        /// A storm.
        Storm = "storm",
        /// A thaw.
        Thaw = "thaw",
        /// Hard frost.
        HardFrost = "hard_frost",
    }
}

words! {
    /// A mode that the owner may choose, with the side of the counter under a Reserve marker (5.4).
    pub enum Mode: "mode" {
        /// Combat Mode.
        Combat = "combat",
        /// Move Mode.
        Move = "move",
        /// Strategic Move Mode.
        Strategic = "strategic",
        /// Reserve Mode on the Combat side.
        Reserve = "reserve",
        /// Reserve Mode on the Move side.
        ReserveMove = "reserve-move",
    }
}

words! {
    /// A supply level (11.4a.a).
    pub enum Level: "level" {
        /// Full Supply.
        Full = "full",
        /// Low Supply.
        Low = "low",
        /// No Supply.
        None = "none",
    }
}

words! {
    /// A phase of a player's sequence (2.2).
    pub enum Phase: "phase" {
        /// The Overphase.
        Overphase = "overphase",
        /// Mode Determination.
        Modes = "modes",
        /// Movement.
        Movement = "movement",
        /// Reaction.
        Reaction = "reaction",
        /// Combat.
        Combat = "combat",
        /// Exploitation.
        Exploitation = "exploitation",
        /// Clean Up.
        CleanUp = "clean-up",
        /// Air Unit Return.
        AirReturn = "air-return",
        /// Air Unit Refit.
        AirRefit = "air-refit",
    }
}

words! {
    /// How an attack is made, or what a barrage is for.
    pub enum How: "how" {
        /// An ordinary attack.
        Plain = "plain",
        /// At all costs (9.8).
        AllCosts = "all-costs",
        /// A barrage at units (9.16g.a).
        Units = "units",
        /// At trucks, wagons and supply points.
        Supplies = "supplies",
        /// At an air base.
        AirBase = "air-base",
        /// At a railroad.
        Railroad = "railroad",
        /// At a port.
        Port = "port",
        /// At a hedgehog.
        Hedgehog = "hedgehog",
    }
}

words! {
    /// A part of the rules that a scenario can do without.
    pub enum Off: "part" {
        /// Weekly supply (11).
        WeeklySupply = "weekly-supply",
        /// Combat and barrage supply (9.5).
        CombatSupply = "combat-supply",
        /// Attacks at all costs (9.8).
        AllCosts = "all-costs",
        /// Trucks and wagons that move (12.2).
        Transports = "transports",
        /// Railroads (12.3).
        Rail = "rail",
        /// Replacements (12.5).
        Replacements = "replacements",
        /// Motorization (13).
        Motorization = "motorization",
        /// Hedgehogs that are built (17).
        HedgehogBuilding = "hedgehog-building",
        /// Weather (18).
        Weather = "weather",
        /// Break-Down Regiments (21).
        BreakDown = "break-down",
    }
}

words! {
    /// What is stored in dumps: a quarter of a supply point (11.1b).
    pub enum Goods: "goods" {
        /// A token.
        Token = "token",
    }
}

words! {
    /// Why the column of a barrage is shifted.
    pub enum Cause: "cause" {
        Density = "density", "12.4c.h";
        NobodyAdjacent = "nobody-adjacent", "12.4c.i";
        Terrain = "terrain", "12.4c.i";
        Hedgehog = "hedgehog", "12.4c.i";
        Fortification = "fortification", "12.4c.i";
        Strategic = "strategic", "12.4c.i";
    }
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On the map.
    Hex(Hex),
    /// In an off-map holding box (GC.1G).
    Box(u8),
    /// Still to come.
    Track,
    /// In the countermix.
    Pool,
    /// Destroyed.
    Dead,
    /// Withdrawn or forfeited.
    Withdrawn,
}

impl Placed for Place {
    const BOXES: &'static [(&'static str, Place)] = &[
        ("box-1", Place::Box(1)),
        ("box-2", Place::Box(2)),
        ("box-3", Place::Box(3)),
        ("box-4", Place::Box(4)),
        ("box-5", Place::Box(5)),
        ("box-6", Place::Box(6)),
        ("box-7", Place::Box(7)),
        ("box-8", Place::Box(8)),
        ("track", Place::Track),
        ("pool", Place::Pool),
        ("dead", Place::Dead),
        ("withdrawn", Place::Withdrawn),
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
}

/// What changes about a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    place: Place,
    /// Steps left; of a truck or wagon its points.
    steps: u8,
    marks: Marks,
    /// The movement points that it has left in this phase, while it moves.
    left: Mp,
    /// Where it draws supply in the Supply Usage Segment: an HQ, or a dump.
    source: Option<Source>,
    /// What it counts among on the map, see [`group`].
    kind: u8,
    /// Break-Down Regiments that a division has out (R109).
    out: u8,
    /// Truck points that it was motorized with (13.0.c).
    trucks: u8,
    /// Rail hexes that it has repaired in this phase (12.3f.a).
    repairs: u8,
}

/// The groups of pieces that the rules ask of a hex, one for each side.
pub(crate) mod group {
    use engine::Side;

    pub(crate) const UNITS: usize = 0;
    pub(crate) const INTERDICTION: usize = 2;
    pub(crate) const TRANSPORTS: usize = 4;
    pub(crate) const COUNT: usize = 6;

    /// The place of a side's group.
    pub(crate) fn of(group: usize, side: Side) -> usize {
        group + side as usize
    }
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        self.place.hex()
    }

    fn groups(&self) -> u8 {
        let grounded =
            if self.marks.has(Marks::INACTIVE | Marks::SPENT) { 0b11 << group::INTERDICTION } else { 0 };
        self.kind & !grounded
    }
}

marks! {
    /// What is marked on a piece.
    pub struct Marks: u32 {
        MOVE = "move", "5.6", On, Look::Quiet, "lies on its Move Mode side";
        RESERVE = "reserve", "5.7", On, Look::Good("R"), "is in Reserve Mode";
        STRATEGIC = "strategic", "5.8", On, Look::Good("SM"), "is in Strategic Move Mode";
        EXPLOIT = "exploitation", "5.9", On, Look::Good("E"), "is in Exploitation Mode";
        DG = "dg", "5.10", On, Look::Bad("DG"), "is disorganized";
        LOW = "low-supply", "11.4a.a", On, Look::Bad("L"), "is in Low Supply";
        UNSUPPLIED = "no-supply", "11.4a.a", On, Look::Bad("N"), "is in No Supply";
        ISSUED = "issued", "11.4a.b", On, Look::Quiet, "has its supply level for this turn";
        INACTIVE = "inactive", "14.2b", On, Look::Done, "is inactive";
        MOVED = "moved", "6.1b", Phase, Look::Done, "has moved in this phase";
        HALTED = "halted", "4.1c", Phase, Look::Quiet, "must halt where it is";
        CHOSEN = "chosen", "5.11.b", Phase, Look::Quiet, "was given a mode in this phase";
        RELEASED = "released", "5.7b.b", Phase, Look::Good("!"), "was released from Reserve in this phase";
        FIRED = "fired", "12.4c.d", Phase, Look::Done, "has fired in this phase";
        ATTACKED = "attacked", "9.1c.a", Phase, Look::Done, "has attacked in this phase";
        DEFENDED = "defended", "9.1c.b", Phase, Look::Quiet, "was attacked in this phase";
        SPENT = "spent", "14.6", On, Look::Quiet, "must return to a base";
        FREIGHT = "freight", "14.4e", Phase, Look::Quiet, "flies as a transport in this phase";
        RAILED = "railed", "12.3f.b", Phase, Look::Done, "has gone by rail in this phase";
        BRIDGES = "bridges", "12.8a.c", Phase, Look::Quiet, "has been an engineer in its hex since the phase began";
        REBUILT = "rebuilt", "12.5a.e", Phase, Look::Done, "has regained a step in this Overphase";
    }
}

switches! {
    /// The optional rules that are on.
    pub struct Switches {
        merged_modes = "merged-modes", "5.11.a", "modes are chosen during the Movement Phase";
        protected_retreats = "protected-retreats", "9.13e", "friendly units protect retreats";
        surprise = "surprise", "9.17a", "attacks may surprise, or be surprised";
        hip_shoot = "hip-shoot", "14.12d.a", "aircraft may attack as soon as they arrive";
        easy_detraining = "easy-detraining", "12.3c.h", "trains unload in any rail hex, supply by an HQ";
        stationing = "stationing", "12.2f.a", "trucks and wagons at stations pass supply on without moving";
        division_survival = "division-survival", "21.0f", "a division with regiments out survives its last step";
    }
}

/// A hedgehog on the map (17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hedgehog {
    hex: Hex,
    level: u8,
}

/// A barrage that was made in this phase: no second one of its kind on this hex (12.4c.d, R36).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Barraged {
    hex: Hex,
    target: How,
}

/// Levels of a hedgehog that were built in this segment, or razed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    hex: Hex,
    levels: i8,
}

/// Tokens that transport has set down in a hex in this phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    hex: Hex,
    tokens: u16,
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    /// 1 or 2; 0 in the Overphase.
    player_turn: u8,
    /// The first player of this turn, once it was said.
    first: Option<Side>,
    weather: Weather,
    units: UnitStore<Unit, MAX_UNITS, { group::COUNT }>,
    stocks: Stocks<Goods, MAX_STOCKS>,
    /// Tokens that there were at first or have come since: nothing else is made, and nothing is lost (11.1).
    made: u32,
    /// Tokens that were expended, and that were destroyed (11.0a).
    spent: u32,
    destroyed: u32,
    /// The hexes that the Soviet side controls (R99).
    soviet_hexes: HexSet,
    hedgehogs: ArrayVec<Hedgehog, MAX_HEDGEHOGS>,
    barraged: ArrayVec<Barraged, MAX_BARRAGES>,
    /// Hexes against which overruns were made in this phase (R103).
    overrun: HexSet,
    /// Tokens that were set down in this phase: nobody takes them on again in it (11.3a).
    carried: ArrayVec<Carried, MAX_CARRIED>,
    /// Hexes in which a dump was blown up in this phase, or tried to be (11.8a.b).
    blown: ArrayVec<Hex, MAX_CARRIED>,
    /// Hedgehogs that were worked on in this segment (17.0a, 17.0.e).
    works: ArrayVec<Work, MAX_HEDGEHOGS>,
    /// Air bases (15.0a).
    bases: ArrayVec<Base, MAX_BASES>,
    /// Hexes in which an air base was worked on in this segment (15.1a, 15.2a).
    base_works: ArrayVec<Hex, MAX_BASES>,
    /// Tokens that were dropped from the air in this sequence: no combat is paid with them (14.19a.b).
    dropped: ArrayVec<Carried, MAX_CARRIED>,
    /// Divisions that come back in the place of a regiment (21.0f).
    survivors: Units,
    /// The rail hexes that each side can use (12.3d.a), and what it has used of its capacity in this phase, in eighths of an SP.
    rails: BySide<HexSet>,
    rail_used: u16,
    stack: Stack<Procedure, DEEPEST>,
}

frames! {
    /// A procedure under way. The last on the stack asks for a decision.
    pub enum Procedure of Ocs, DEEPEST deep {
        Opening, SupplyUsage, Reinforcement, Reorganization, Priority, Modes, Movement, Moving, Overstacked, Release, Barrages, Firing, Volley, AntiOverrun, Combat, Attack,
        Battle, Paying, Taking, Retreat, Advance, Exploit, Displacing,
        AirReturn, AirRefit, Flight, Homing, Interception, AirCombat, Grounding, Flak, Aiming, Sortie, Evicted,
        Delivery, Receiving, Refitting, Survival, Entraining, Freight,
    }
}

phrases! {
    /// What a player can do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Begin = "begin", "2.1a", "begin the game", Finish;
        First = "first", "2.3.I.5b", "be the first player";
        Second = "second", "2.3.I.5b", "be the second player";
        Mode { unit: UnitId, mode: Mode } = "mode", "2.3.II.C", "put {unit} into {mode} mode";
        Release { unit: UnitId } = "release", "5.7b.a", "release {unit}";
        Move { unit: UnitId, to: Hex } = "move", "6.0a", "move {unit} to {to}";
        Stack { unit: UnitId } = "stack", "6.0b", "{unit} moves, perhaps with others";
        Go { to: Hex } = "go", "6.0b", "go to {to}";
        Drop { unit: UnitId } = "drop", "6.0b", "{unit} stays behind";
        Overrun { hex: Hex, how: How } = "overrun", "7.0a", "overrun {hex}, {how}";
        Halt = "halt", "6.0a", "go no further", Finish;
        Load { unit: UnitId, tokens: u8 } = "load", "12.2d", "{unit} loads {tokens}T";
        Unload { unit: UnitId, tokens: u8 } = "unload", "12.2d", "{unit} unloads {tokens}T";
        Split { unit: UnitId, points: u8 } = "split", "12.2b.b", "split {points} points off {unit}";
        Merge { unit: UnitId, into: UnitId } = "merge", "12.2b.b", "combine {unit} with {into}";
        Blow { from: Source, tokens: u16 } = "blow", "11.8a.a", "blow up {tokens}T of {from}";
        Assign { unit: UnitId, from: Source } = "assign", "12.1e.a", "{unit} draws supply from {from}";
        Level { unit: UnitId, level: Level } = "level", "11.5c.b", "{unit} is to be in {level} supply";
        Issue { from: Source, level: Level } = "issue", "11.4c.c", "issue {level} supply from {from}";
        Dig { hex: Hex } = "dig", "17.0.a", "build a level of a hedgehog in {hex}";
        Raze { hex: Hex } = "raze", "17.0.e", "take a level off the hedgehog in {hex}";
        BreakDown { unit: UnitId } = "break-down", "21.0a.a", "break a regiment off {unit}";
        Absorb { unit: UnitId, into: UnitId } = "absorb", "21.0b", "{into} takes in {unit}";
        Place { unit: UnitId, hex: Hex, mode: Mode } = "place", "12.6.a", "{unit} arrives in {hex}, in {mode} mode";
        Forfeit { unit: UnitId } = "forfeit", "12.6.a", "{unit} never comes";
        Disband { unit: UnitId } = "disband", "4.2a", "{unit} is eliminated";
        Name { unit: UnitId, hex: Hex } = "name", "9.1b", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "9.1c.c", "{unit} joins in";
        Leave { unit: UnitId } = "leave", "9.1c.c", "{unit} does not join in", TakeBack;
        Cancel = "cancel", "9.1b", "call it off", TakeBack;
        Declare { how: How } = "declare", "9.0c", "attack: {how}", Finish;
        Fire = "fire", "7.2b.b", "fire", Finish;
        Hold = "hold", "7.2", "hold fire";
        Draw { from: Source } = "draw", "11.0b", "draw supply from {from}";
        Rate { unit: UnitId } = "rate", "9.9a", "{unit} gives its action rating";
        Lose { unit: UnitId } = "lose", "9.12.b", "{unit} loses a step";
        Yield { hexes: u8 } = "yield", "9.11.b", "retreat {hexes} hexes, and lose steps for the rest";
        Ignore = "ignore", "9.11b.a", "take no option: the attacker has retreated";
        Fall { hex: Hex } = "fall", "9.13b", "retreat to {hex}";
        Detach { unit: UnitId } = "detach", "9.13.b", "{unit} goes another way";
        Follow { unit: UnitId } = "follow", "7.1g.c", "{unit} retreats with them";
        Advance { unit: UnitId } = "advance", "9.13c.a", "{unit} advances";
        Exploit { unit: UnitId } = "exploit", "9.14.a", "mark {unit} for exploitation";
        Displace { hex: Hex } = "displace", "9.16b.g", "displace to {hex}";
        Deliver { hex: Hex, tokens: u16 } = "deliver", "2.3.I.3b", "{tokens}T arrive in {hex}";
        Receive { hex: Hex, mode: Mode } = "receive", "12.5.a", "replacements arrive in {hex}, in {mode} mode";
        Rebuild { unit: UnitId, hex: Hex } = "rebuild", "12.5a.c", "rebuild a step of {unit} in {hex}";
        Convert { unit: UnitId } = "convert", "12.5a.f", "{unit} becomes truck points";
        Survive { unit: UnitId } = "survive", "21.0f", "{unit} becomes the division again";
        Entrain { unit: UnitId } = "entrain", "12.3c.a", "{unit} goes by rail";
        Freight { hex: Hex } = "freight", "12.3c.e", "supply of {hex} goes by rail";
        Detrain { hex: Hex } = "detrain", "12.3c.b", "detrain in {hex}";
        Haul { tokens: u16 } = "haul", "12.3.a", "{tokens}T go by rail";
        Wreck { unit: UnitId } = "wreck", "12.3e.a", "{unit} wrecks the rails of its hex";
        Repair { unit: UnitId } = "repair", "12.3f.a", "{unit} repairs the rails of its hex";
        Motorize { unit: UnitId, motor: Motor } = "motorize", "13.0.b", "give {unit} trucks: {motor} motorization";
        Dismount { unit: UnitId } = "dismount", "13.0.c", "take the trucks of {unit} back";
        Relay { unit: UnitId, hex: Hex, tokens: u8 } = "relay", "12.2f.a", "{unit} passes {tokens}T on to {hex}";
        Done = "done", "9.0c", "no more", Finish;
        End = "end", "2.1c", "end it", EndPhase;
        Home { unit: UnitId, to: Hex } = "home", "14.6.b", "{unit} returns to {to}";
        Land = "land", "14.7.a", "land and become inactive", Finish;
        Refit { unit: UnitId } = "refit", "14.17b.b", "{unit} refits";
        Combine { unit: UnitId, into: UnitId } = "combine", "14.1f", "{unit} and {into} become one air unit";
        Ground { unit: UnitId } = "ground", "14.9e.a", "{unit} declines air combat and becomes inactive";
        Intercept = "intercept", "14.8.a", "intercept", Finish;
        Wave = "wave", "14.8.c", "let them pass to the end of their flight", Finish;
        Engage { unit: UnitId } = "engage", "14.9d.a", "{unit} fights";
        Double { unit: UnitId, other: UnitId } = "double", "14.10", "{unit} and {other} fight together";
        Fuel { hex: Hex, levels: u8 } = "fuel", "15.0f.a", "supply the air base in {hex} at level {levels}";
        BuildBase { hex: Hex } = "build-base", "15.1a", "build a level of an air base in {hex}";
        ReduceBase { hex: Hex } = "reduce-base", "15.2a", "take a level off the air base in {hex}";
        Embark { unit: UnitId } = "embark", "14.20.a", "{unit} goes by air";
        Disembark { unit: UnitId } = "disembark", "14.20.a", "{unit} leaves the aircraft";
        AirDrop = "air-drop", "14.19.a", "drop what the transports carry", Finish;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "2.3.IV", "turn {turn} begins", Turn;
        WeatherTold { weather: Weather } = "weather", "2.3.I.1a", "the weather is {weather}";
        Initiative { side: Side } = "initiative", "2.3.I.5a", "{side} may choose to be first or second";
        First { side: Side } = "first", "2.3.I.5b", "{side} is the first player";
        PhaseBegan { side: Side, phase: Phase } = "phase", "2.2", "{side} {phase} phase", Phase;
        ModeSet { unit: UnitId, mode: Mode } = "mode", "5.3a", "{unit}: {mode} mode";
        ReserveLost { unit: UnitId } = "reserve-lost", "4.1j", "{unit} loses its Reserve marker";
        Released { unit: UnitId } = "released", "5.7b.b", "{unit} is released";
        Disorganized { unit: UnitId } = "disorganized", "5.10a.a", "{unit} is disorganized";
        Reorganized { side: Side } = "reorganized", "2.3.II.H", "{side} removes its DG and Exploitation markers";
        Moved { unit: UnitId, to: Hex, left: Mp } = "moved", "6.0b", "{unit} moves to {to}, {left} MP left", Move;
        Halted { unit: UnitId } = "halted", "4.1c", "{unit} must halt";
        Controlled { side: Side, hex: Hex } = "controlled", "2.3.IV", "{side} controls {hex}", Control;
        Loaded { unit: UnitId, tokens: u8 } = "loaded", "12.2d", "{unit} loads {tokens}T";
        Unloaded { unit: UnitId, tokens: u8 } = "unloaded", "12.2d", "{unit} unloads {tokens}T";
        HasSplit { unit: UnitId, new: UnitId, points: u8 } = "split", "12.2b.b", "{points} points of {unit} are {new}";
        Merged { unit: UnitId, into: UnitId } = "merged", "12.2b.b", "{unit} is part of {into}";
        Blown { from: Source, destroyed: u16 } = "blown", "11.8a.a", "{destroyed}T of {from} are blown up";
        Issued { units: Units, from: Source, level: Level, dses: u8, tokens: u16 } = "issued", "11.5a.a", "{level} supply from {from} for {units}: {dses} DSEs, {tokens}T", Account;
        Unsupplied { unit: UnitId } = "unsupplied", "11.4b.c", "{unit} is in no supply";
        Dug { hex: Hex, level: u8 } = "dug", "17.0a", "the hedgehog in {hex} is of level {level} now";
        BrokenDown { unit: UnitId, regiment: UnitId } = "broken-down", "21.0a.a", "{regiment} is broken off {unit}";
        Absorbed { unit: UnitId, into: UnitId } = "absorbed", "21.0b", "{into} takes in {unit}";
        Arrived { unit: UnitId, hex: Hex } = "arrived", "12.6.b", "{unit} arrives in {hex}", Arrival;
        Forfeited { unit: UnitId } = "forfeited", "12.6.a", "{unit} never comes";
        Overran { units: Units, hex: Hex, how: How } = "overran", "7.0a", "{units} overrun {hex}, {how}", Attack;
        OverrunCancelled { hex: Hex } = "overrun-cancelled", "7.2b.e", "the overrun of {hex} is cancelled";
        Declared { units: Units, hex: Hex, how: How } = "declared", "9.0c", "attack on {hex} by {units}, {how}", Attack;
        Expended { side: Side, tokens: u16, from: Source } = "expended", "9.5a.a", "{side} expends {tokens}T from {from}", Account;
        Short { side: Side } = "short", "9.5a.c", "{side} has no combat supply and is halved", Account;
        Rated { unit: UnitId, rating: u8 } = "rated", "9.9a", "{unit} gives its action rating of {rating}", Account;
        Surprise { side: Side, columns: u8 } = "surprise", "9.17a", "{side} gains surprise: {columns} columns", Account;
        AttackStrength { unit: UnitId, strength: Strength } = "attack-strength", "9.4a", "{unit} attacks with {strength}", Account;
        DefenceStrength { unit: UnitId, strength: Strength } = "defence-strength", "9.4a", "{unit} defends with {strength}", Account;
        Odds { attack: Strength, defence: Strength, ground: Ground, column: Column } = "odds", "9.7", "{attack} against {defence} in {ground} terrain: {column}", Account;
        Modifier { rating: i8, hedgehog: i8, total: i8 } = "modifier", "9.9b", "action ratings {rating}, hedgehog {hedgehog}: {total}", Account;
        ColumnFound { column: Column } = "column", "9.7a", "column {column}", Column;
        Result { result: CombatResult } = "result", "9.10", "result {result}", Result;
        Together { result: CombatResult } = "together", "9.8d", "together {result}", Result;
        Barrage { units: Units, hex: Hex, target: How } = "barrage", "12.4c.e", "{units} barrage {hex}: {target}", Attack;
        BarrageStrength { unit: UnitId, strength: Strength } = "barrage-strength", "12.4c.e", "{unit} fires with {strength}", Account;
        BarrageColumn { strength: u16, least: u16 } = "barrage-column", "12.4c.e", "strength {strength}: column from {least}", Account;
        BarrageShift { cause: Cause, columns: i8 } = "barrage-shift", "12.4c.i", "{cause}: {columns} columns", Account;
        BarrageResult { result: BarrageResult } = "barrage-result", "12.4c.f", "barrage result {result}", Result;
        StepLost { unit: UnitId, left: u8 } = "step-lost", "9.12", "{unit} loses a step, {left} left", Loss;
        Eliminated { unit: UnitId } = "eliminated", "9.12", "{unit} is eliminated", Eliminated;
        OptionVoid { side: Side } = "option-void", "9.11a.b", "{side} need not take its option";
        Retreated { unit: UnitId, hex: Hex } = "retreated", "9.13.a", "{unit} retreats to {hex}", Retreat;
        Turned { unit: UnitId } = "turned", "12.1c.b", "{unit} is turned to its Move Mode side";
        Advanced { unit: UnitId, hex: Hex } = "advanced", "9.13c.a", "{unit} advances to {hex}", Advance;
        Exploits { unit: UnitId } = "exploits", "9.14.a", "{unit} is marked for exploitation";
        Captured { hex: Hex, percent: u8, captured: u16, destroyed: u16 } = "captured", "9.16b.f", "{percent} percent of the dump in {hex}: {captured}T captured, {destroyed}T destroyed", Control;
        TrucksCaptured { unit: UnitId, percent: u8, captured: u8, destroyed: u8 } = "trucks-captured", "9.16c.a", "{percent} percent of {unit}: {captured} points captured, {destroyed} destroyed", Control;
        Displaced { from: Hex, to: Hex } = "displaced", "9.16b.g", "what is left in {from} is displaced to {to}";
        Received { side: Side, hex: Hex, tokens: u16 } = "received", "2.3.I.3b", "{side} receives {tokens}T in {hex}", Arrival;
        Drafted { side: Side, pax: u8, eq: u8, trucks: u8, wagons: u8 } = "drafted", "12.5.a", "{side} receives {pax} Pax, {eq} Eq, {trucks} truck and {wagons} wagon points";
        Withdrawn { unit: UnitId } = "withdrawn", "2.3.I.2a", "{unit} leaves the game";
        Rebuilt { unit: UnitId, steps: u8 } = "rebuilt", "12.5a.c", "{unit} is rebuilt to {steps} steps";
        Converted { unit: UnitId, points: u8 } = "converted", "12.5a.f", "{unit} becomes {points} truck points";
        Survived { unit: UnitId, regiment: UnitId } = "survived", "21.0f", "{regiment} becomes {unit} again";
        Railed { unit: UnitId, hex: Hex, eighths: u16 } = "railed", "12.3c.a", "{unit} goes by rail to {hex} for {eighths} eighths of an SP", Move;
        Hauled { from: Hex, to: Hex, tokens: u16, eighths: u16 } = "hauled", "12.3c.e", "{tokens}T go by rail from {from} to {to} for {eighths} eighths of an SP";
        Wrecked { unit: UnitId, hex: Hex } = "wrecked", "12.3e.a", "{unit} wrecks the rails of {hex}";
        Repaired { unit: UnitId, hex: Hex } = "repaired", "12.3f.a", "{unit} repairs the rails of {hex}";
        Motorized { unit: UnitId, motor: Motor, points: u8 } = "motorized", "13.0.b", "{unit} is given {points} truck points: {motor} motorization";
        Dismounted { unit: UnitId, points: u8 } = "dismounted", "13.0.c", "{unit} gives {points} truck points back";
        Relayed { unit: UnitId, hex: Hex, tokens: u8 } = "relayed", "12.2f.a", "{unit} passes {tokens}T on to {hex}";
        Ended { points: i32 } = "ended", "2.3.IV", "the game is over: {points} points", End;
        Flew { units: Units, to: Hex, left: Mp } = "flew", "14.1a.a", "{units} fly to {to}, {left} MP left", Move;
        Landed { unit: UnitId, hex: Hex } = "landed", "14.7.a", "{unit} lands in {hex} and is inactive", Move;
        Grounded { unit: UnitId } = "grounded", "14.9e.a", "{unit} declines air combat and is inactive";
        Intercepted { units: Units, hex: Hex } = "intercepted", "14.8.a", "{units} intercept in {hex}", Attack;
        AirFight { attackers: Units, defenders: Units, hex: Hex, doubles: i8 } = "air-fight", "14.9.a", "air combat in {hex}: {attackers} attack {defenders}, doublings {doubles}", Attack;
        AirRound { attackers: Units, defenders: Units } = "air-round", "14.9d.a", "{attackers} against {defenders}", Account;
        AirRolled { unit: UnitId, roll: i8, result: AirResult } = "air-rolled", "14.9d.b", "{unit}: {roll}, {result}", Result;
        Aborted { unit: UnitId } = "aborted", "14.6", "{unit} aborts";
        RefitRolled { hex: Hex, units: u8 } = "refit-rolled", "14.17b.a", "{units} air units may refit in {hex}";
        Refitted { unit: UnitId } = "refitted", "14.17b.a", "{unit} is active";
        Combined { unit: UnitId, into: UnitId } = "combined", "14.1f", "{unit} is part of {into}, which is at full strength";
        FlakRated { hex: Hex, rating: u8 } = "flak-rated", "14.18.a", "flak of {rating} in {hex}", Account;
        FlakRolled { unit: UnitId, result: FlakResult } = "flak-rolled", "14.18b", "flak at {unit}: {result}", Result;
        BaseSupplied { hex: Hex, level: u8 } = "base-supplied", "15.0f.a", "the air base in {hex} can be used at level {level}";
        BaseLevel { hex: Hex, level: u8 } = "base-level", "15.0c", "the air base in {hex} is of level {level} now";
        BaseCaptured { side: Side, hex: Hex } = "base-captured", "9.16f.a", "{side} captures the air base in {hex}", Control;
        SuppliesHit { hex: Hex, percent: u8, tokens: u16, points: u8 } = "supplies-hit", "14.13b.b", "{percent} percent of what is in {hex}: {tokens}T and {points} points destroyed", Loss;
        FacilityHit { hex: Hex, target: How, levels: u8 } = "facility-hit", "14.13c.a", "{target} in {hex}: damage {levels}", Result;
        AirSupplyDropped { unit: UnitId, hex: Hex, tokens: u8, lost: u8 } = "supply-dropped", "14.19a.a", "{unit} drops {tokens}T on {hex}, {lost}T are lost";
        Paradropped { unit: UnitId, hex: Hex } = "paradropped", "14.19b.a", "{unit} comes down in {hex}", Move;
        CargoLost { unit: UnitId, tokens: u8 } = "cargo-lost", "14.20c", "{tokens}T are lost with {unit}", Loss;
        Embarked { unit: UnitId } = "embarked", "14.20.a", "{unit} is aboard";
        Disembarked { unit: UnitId, hex: Hex } = "disembarked", "14.20.a", "{unit} leaves the aircraft in {hex}";
    }
}

lexicon!(Ocs);
shelve!(Ocs);
musters!(Action);

impl Types for Ocs {
    const BOOK: Book = Book {
        name: "ocs",
        title: "Operational Combat Series",
        edition: "The Gamers, first edition, 1992, Dean N. Essig",
        rules: 1,
        sides: BySide { axis: "Axis", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Ocs {
    fn outcome(&self, state: &State) -> Outcome {
        Ocs::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    fn interjections(&self, state: &State, side: Side, actions: &mut Vec<Action>) {
        let reduced = |unit: &UnitId| {
            self.side(*unit) == side && state.units[*unit].steps == 1 && state.hex(*unit).is_some()
        };
        let units: Vec<UnitId> = self.air.iter().copied().filter(reduced).collect();
        for unit in &units {
            let others = units.iter().filter(|into| self.check_combine(state, side, *unit, **into).is_ok());
            actions.extend(others.map(|into| Action::Combine { unit: *unit, into: *into }));
        }
    }

    fn check_interjection(&self, state: &State, side: Side, action: Action) -> Result<(), Violation> {
        match action {
            Action::Combine { unit, into } => self.check_combine(state, side, unit, into),
            _ => Err(sequence::not_asked(state)),
        }
    }

    fn interject(&self, state: &mut State, _: Side, action: Action, play: &mut Play<Event>) {
        if let Action::Combine { unit, into } = action {
            self.combine(state, unit, into, play);
        }
    }

    fn case_of(&self, event: &Event) -> engine::Case {
        match event {
            Event::BarrageShift { cause, .. } => cause.case(),
            _ => engine::Phrase::form(event).case,
        }
    }

    /// A division that survives as one of its regiments does so before anything else is asked (21.0f).
    fn before_asking(&self, state: &mut State, _: &mut Play<Event>) -> bool {
        survival::begin(self, state)
    }

    fn phases(&self, state: &State) -> Vec<display::Phase> {
        sequence::phases(state)
    }

    fn overflow(&self, state: &State) -> Option<String> {
        let barrages =
            || state.barraged.is_full().then(|| format!("at most {MAX_BARRAGES} barrages a phase"));
        let stocks = || format!("there is room for {MAX_STOCKS} dumps and loads and no more");
        if state.stocks.is_full() { Some(stocks()) } else { barrages() }
    }
}

impl Ocs {
    pub(crate) fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    pub(crate) fn side(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }

    /// The side of the counter that lies up (5.5, 5.6).
    pub(crate) fn face(&self, state: &State, unit: UnitId) -> Face {
        if state.marked(unit, Marks::MOVE) {
            self.travel_face(state, unit)
        } else {
            self.counter(unit).combat
        }
    }

    pub(crate) fn mobility(&self, state: &State, unit: UnitId) -> Mobility {
        self.face(state, unit).mobility
    }

    /// A ground combat unit or HQ (4.8, R14).
    pub(crate) fn is_unit(&self, unit: UnitId) -> bool {
        self.counter(unit).is_unit()
    }

    pub(crate) fn is_hq(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::Hq
    }

    /// The supply level of a unit (11.4a.b).
    pub(crate) fn level(&self, state: &State, unit: UnitId) -> Level {
        if state.marked(unit, Marks::UNSUPPLIED) {
            Level::None
        } else if state.marked(unit, Marks::LOW) {
            Level::Low
        } else {
            Level::Full
        }
    }

    /// The action rating, one lower when disorganized (5.10b.d, R20).
    pub(crate) fn rating(&self, state: &State, unit: UnitId) -> u8 {
        self.counter(unit).rating.saturating_sub(u8::from(state.marked(unit, Marks::DG)))
    }

    /// Whose units are in a hex (4.2d).
    pub(crate) fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.held(*side).contains(hex))
    }

    /// The units of a side in a hex: ground combat units and HQs.
    pub(crate) fn units_in<'a>(
        &'a self,
        state: &'a State,
        hex: Hex,
        side: Side,
    ) -> impl Iterator<Item = UnitId> + Clone + 'a {
        state.units.in_hex(hex).filter(move |unit| self.side(*unit) == side && self.is_unit(*unit))
    }

    /// Takes a unit off the map for good.
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.note_survivor(state, unit);
        state.units.change(unit, |unit| {
            unit.place = Place::Dead;
            unit.steps = 0;
            unit.marks = Marks::default();
            unit.left = Mp::ZERO;
            unit.trucks = 0;
        });
        play.tell(Event::Eliminated { unit });
    }

    /// Puts a piece into a hex; a unit takes control of it (R99). What is captured there is captured when all have entered.
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        state.units.change(unit, |unit| {
            unit.place = Place::Hex(hex);
            unit.marks.clear(Marks::BRIDGES);
        });
        if self.is_unit(unit) {
            self.lose_rails(state, unit, hex);
            self.take_control(state, self.side(unit), hex, play);
        }
    }

    fn take_control(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let changed = match side {
            Side::Axis => state.soviet_hexes.remove(hex),
            Side::Soviet => state.soviet_hexes.insert(hex),
        };
        if changed && self.is_objective(hex) {
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

    /// The hexes with units of a side.
    pub(crate) fn held(&self, side: Side) -> &HexSet {
        self.units.held(group::of(group::UNITS, side))
    }

    pub(crate) fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }

    /// The level of the hedgehog in a hex; 0 without one (17.0).
    pub(crate) fn hedgehog(&self, hex: Hex) -> u8 {
        self.hedgehogs.iter().find(|hedgehog| hedgehog.hex == hex).map_or(0, |hedgehog| hedgehog.level)
    }
}
