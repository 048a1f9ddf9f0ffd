//! Barbarossa.
//!
//! One module a section of the rulebook, in its order: [`scenario`] (3), [`victory`] and [`expedition`] (4), [`sequence`] (5),
//! [`stacking`] (6), [`supply`] (7), [`forces`], [`strategic`], [`rvgk`] and [`conversion`] (8), [`cities`] (9), [`movement`] and
//! [`mobile`] (10), [`combat`] and [`results`] (11). Section 12 is a scenario: where it changes a rule, the rule says so. Every
//! decision is a frame in the module of its section. [`account`] adds up a battle, [`charts`] reads the data files, [`ground`]
//! is the map as the rules see it, [`setup`] reads and writes situations, [`view`] is what a side sees, [`deal`] what it can
//! imagine behind that, [`proof`] its supply, [`drawing`] what else a client draws, and this file holds the types and the contract
//! with the engine. Numbers in parentheses are cases; R and a number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use engine::display;
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::store::{OnMap, Placed, UnitStore};
use engine::{
    Book, BySide, Case, Options, Outcome, Phrase, Play, Roster, Rulebook, Side, Types, UnitId, UnitSet,
    Veiled, Violation, frames, lexicon, marks, musters, phrases, places, shelve, switches, words,
};

mod account;
mod charts;
mod cities;
mod combat;
mod conversion;
mod deal;
mod drawing;
mod expedition;
mod forces;
mod ground;
mod mobile;
mod movement;
mod proof;
mod results;
mod rvgk;
mod scenario;
mod scout;
mod sequence;
mod setup;
mod stacking;
mod strategic;
mod supply;
mod victory;
mod view;

pub use account::{Account, Force};
pub use combat::{Attack, Battle, Combat, Supporting, Volley};
pub use conversion::{Conversion, Withdrawal};
pub use expedition::Response;
pub use forces::{Administration, CombOut};
pub use movement::{Movement, Moving};
pub use results::{Advance, Losses, Retreat};
pub use rvgk::Rvgk;
pub use scenario::Deployment;
pub use sequence::{Decision, Turn};
pub use stacking::{Overstacked, PolishArrival};
pub use strategic::{Railing, Strategic};
pub use supply::Markers;

use charts::{Charts, Counter};
use ground::Ground;

/// The most units a game can have.
pub const MAX_UNITS: usize = 256;

/// Units of a game.
pub type Units = UnitSet<4>;

/// The units in a hex, top first. No situation has more in one, see `setup`.
pub type Pile = ArrayVec<UnitId, 16>;

/// The last turn of the game: April and May 1945 (4.14a).
pub const TURNS: u8 = 32;

/// What stays the same during a game.
pub struct Barbarossa {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    ground: Ground,
    roster: Roster,
    counters: Vec<Counter>,
    charts: Charts,
    cast: Cast,
    /// The turn that the game began with: 13 in The Road Back (12.1).
    first_turn: u8,
    /// The last turn: 32, or earlier in a learning scenario.
    last_turn: u8,
    /// The German total that wins at the end of a learning scenario.
    german_wins: Option<i16>,
    /// The corners of the part of the map that units may not leave, in a learning scenario, and its hexes.
    bounds: Option<(Hex, Hex)>,
    played_on: Option<HexSet>,
    options: Options,
    switches: Switches,
}

/// Counters that a rule names, where they are in the game.
#[derive(Clone, Debug, Default)]
struct Cast {
    second_ss: Option<UnitId>,
    third_ss: Option<UnitId>,
    paratroops: Option<UnitId>,
    sixth_ss: Option<UnitId>,
    kerch_command: Option<UnitId>,
    italians: Option<UnitId>,
    coastal_army: Option<UnitId>,
    poles: Option<UnitId>,
    axis_romanians: Units,
    /// The 1st and the 4th communist Romanian army, in this order (8.25b).
    communist_romanians: [Option<UnitId>; 2],
    bulgarians: Units,
    emergency: Units,
}

switches! {
    /// The optional rules that are on.
    pub struct Switches {
        lithuania = "lithuania", "3.7a", "Lithuania is German, the Lublin land Soviet";
        forgiveness = "forgiveness", "4.20a", "players may go on after a victory check and settle at the end";
        kiev = "kiev", "4.21a", "an early capture of Kiev is worth a die less one";
        preparedness = "preparedness", "5.15a", "Germans west of the start line defend better on turn 1";
        superiority = "superiority", "5.15b", "the German side may turn its bloodbaths into retreats in 1941 and the summer of 1942";
    }
}

words! {
    /// The type of a unit (2.9).
    pub enum Arm: "arm" {
        Infantry = "infantry",
        Panzer = "panzer",
        ParaPanzer = "para-panzer",
        Mountain = "mountain",
        Cavalry = "cavalry",
        Paratroop = "paratroop",
        Rifle = "rifle",
        /// A rifle army of the old establishment (8.22a).
        Oversized = "oversized",
        Shock = "shock",
        Guards = "guards",
        Tank = "tank",
        GuardsTank = "guards-tank",
        Mechanized = "mechanized",
        Airborne = "airborne",
        Naval = "naval",
    }
}

words! {
    /// Whose army a unit belongs to (1.5, 1.6).
    pub enum Nation: "nation" {
        Germany = "germany",
        Hungary = "hungary",
        Italy = "italy",
        Romania = "romania",
        Soviet = "soviet",
        Bulgaria = "bulgaria",
        Poland = "poland",
    }
}

words! {
    /// How a unit comes into play (3.3, 3.4, 8.1 to 8.4).
    pub enum Entry: "entry" {
        North = "agn",
        Centre = "agc",
        South = "ags",
        Romania = "romania",
        Hex = "hex",
        Normal = "normal",
        OnlyHex = "only-hex",
        West = "west",
        Yugoslavia = "yugoslavia",
        KgAny = "kg-any",
        KgNorth = "kg-north",
        KgSouth = "kg-south",
        KgHex = "kg-hex",
        Emergency = "emergency",
        Gambit = "gambit",
        Conversion = "conversion",
        Counterpart = "counterpart",
        InSitu = "in-situ",
        Special = "special",
    }
}

words! {
    /// What the combat table says (11.26).
    pub enum CombatResult: "result" {
        /// Attacker eliminated.
        AttackerEliminated = "AE",
        /// Attack stalled.
        Stalled = "AS",
        /// Bloodbath.
        Bloodbath = "BB",
        /// Defender retreat.
        Retreat = "DR",
        /// Defender eliminated.
        DefenderEliminated = "DE",
    }
}

words! {
    /// A logistical area (7.15a).
    pub enum Zone: "zone" {
        North = "north",
        South = "south",
    }
}

words! {
    /// The order of the two phases of a player turn (5.4, 5.5, 5.10b).
    pub enum Order: "order" {
        MoveFight = "move-fight": "to move first and then fight",
        FightMove = "fight-move": "to fight first and then move",
        FightFight = "fight-fight": "to fight twice",
        /// The Paulus Pause.
        MoveOnly = "move-only": "to move only",
    }
}

words! {
    /// The supply of a unit (7.2, 7.8).
    pub enum Supply: "supply" {
        Overland = "overland",
        Crimea = "crimea",
        Garrison = "garrison",
        Coastal = "coastal",
        Aerial = "aerial",
        Out = "out",
    }
}

words! {
    /// What the German side uses on the southern coasts in this game turn (7.4g).
    pub enum Southern: "southern" {
        /// Neither yet.
        Open = "open",
        Crimea = "crimea",
        Coastal = "coastal",
    }
}

words! {
    /// How far the Caucasus expedition has come (4.11 to 4.13).
    pub enum Venture: "venture" {
        /// There was none yet.
        None = "none",
        /// Its units are in the box.
        Away = "away",
        /// It has reached the oil (4.13b).
        Won = "won",
        /// It was recalled or defeated; there is no second (4.13k).
        Over = "over",
    }
}

words! {
    /// A Soviet offensive supply marker (7.10b).
    pub enum Offensive: "offensive" {
        A = "A",
        B = "B",
        C = "C",
    }
}

words! {
    /// What a player is asked to settle.
    pub enum Matter: "matter" {
        /// The Paulus Pause.
        Pause = "pause", "5.10a";
        /// The summer offensive of 1943 and Manstein's Gambit.
        Offensive = "offensive", "4.4a";
        /// Watch on the Rhine or on the Oder.
        Watch = "watch", "4.18a";
        /// The withdrawal of 2nd SS Panzer Corps.
        SecondSs = "second-ss", "8.17b";
        /// A rear-area comb-out.
        CombOut = "comb-out", "8.16a";
        /// The zone of the bonus of 1942.
        Zone = "zone", "5.6b";
        /// The order of phases.
        Order = "order", "5.4a";
        /// Whether a bloodbath becomes a retreat.
        Bloodbath = "bloodbath", "5.14b";
        /// Whether to play on after a victory check.
        Forgiveness = "forgiveness", "4.20a";
    }
}

words! {
    /// What a player settles.
    pub enum Choice: "choice" {
        Pause = "pause": "the Paulus Pause", "5.10a";
        NoPause = "no-pause": "no Paulus Pause", "5.10a";
        NoOffensive = "no-offensive": "no summer offensive", "4.4a";
        Offensive = "offensive": "the summer offensive", "4.4a";
        Gambit = "gambit": "Manstein's Gambit", "4.16a";
        Rhine = "rhine": "Watch on the Rhine", "4.18a";
        Oder = "oder": "Watch on the Oder", "4.18a";
        Withdraw = "withdraw": "to withdraw it", "8.17b";
        Decline = "decline": "to keep it", "8.17b";
        CombOut = "comb-out": "a comb-out", "8.16a";
        NoCombOut = "no-comb-out": "no comb-out", "8.16a";
        North = "north": "the northern zone", "5.6b";
        South = "south": "the southern zone", "5.6b";
        MoveFight = "move-fight": "to move first and then fight", "5.4a";
        FightMove = "fight-move": "to fight first and then move", "5.4a";
        FightFight = "fight-fight": "to fight twice", "5.5a";
        Retreat = "retreat": "a retreat", "5.14b";
        Bloodbath = "bloodbath": "the bloodbath", "11.26d";
        PlayOn = "play-on": "to play on", "4.20a";
        Settle = "settle": "to settle now", "4.14a";
    }
}

words! {
    /// A step of the game turn (5.2), in its order.
    pub enum Step: "step" {
        /// What happens when a turn starts (R42).
        Start = "start": "start of the turn",
        AxisAdministration = "axis-administration": "German administration",
        AxisWithdrawal = "axis-withdrawal": "German withdrawals",
        SovietAdministration = "soviet-administration": "Soviet administration",
        Conversion = "conversion": "Soviet conversions",
        SovietWithdrawal = "soviet-withdrawal": "Soviet withdrawals",
        AxisCombOut = "comb-out": "the comb-out",
        AxisZone = "zone": "the zone of 1942",
        AxisOrder = "axis-order": "German orders",
        Strategic = "strategic": "German strategic movement",
        AxisFirst = "axis-first": "first German phase",
        AxisSecond = "axis-second": "second German phase",
        AxisEnd = "axis-end": "end of the German turn",
        Markers = "markers": "Soviet offensive supply",
        SovietOrder = "soviet-order": "Soviet orders",
        Rvgk = "rvgk": "the RVGK box",
        SovietFirst = "soviet-first": "first Soviet phase",
        SovietSecond = "soviet-second": "second Soviet phase",
        SovietEnd = "soviet-end": "end of the Soviet turn",
        Victory = "victory": "victory check",
    }
}

words! {
    /// Why a column is shifted (11.11).
    pub enum Cause: "cause" {
        FightMove = "fight-move": "fighting first", "5.6a";
        NamedZone = "named-zone": "the named zone", "5.6c";
        FightFight = "fight-fight": "fighting twice", "5.6e";
        MoveFight = "move-fight": "moving first", "5.7a";
        NoPause = "no-pause": "the pause that was not made", "5.10d";
        Preparedness = "preparedness", "5.15a";
        MobileAssault = "mobile-assault": "a mobile assault", "10.32";
        Rough = "rough", "11.14a";
        Marsh = "marsh", "11.15b";
        River = "river": "a river", "11.16";
        City = "city": "a city", "11.20a";
        HeroCity = "hero-city": "a hero city", "9.6a";
        FortressCity = "fortress-city": "a fortress city", "9.6a";
        FortifiedLine = "fortified-line": "a fortified line", "11.21a";
        FortifiedArea = "fortified-area": "the fortified area", "8.18d";
        Luftwaffe = "luftwaffe": "the Luftwaffe", "11.23c";
        Concentric = "concentric": "a concentric attack", "11.24a";
        SoloSatellite = "solo-satellite": "satellites alone", "11.33a";
    }
}

words! {
    /// What the German total changes for (4.2 to 4.13, 12.7, 12.23).
    pub enum Points: "points" {
        Place = "place": "a place", "4.2b";
        HeroCity = "hero-city": "a hero city", "4.3a";
        FortressCity = "fortress-city": "a fortress city", "4.3c";
        Incursion = "incursion", "4.2d";
        SummerOffensive = "summer-offensive": "the summer offensive", "4.4c";
        Baltic = "baltic": "the Baltic", "4.5";
        Dnepr = "dnepr": "the Dnepr", "4.6a";
        Bucharest = "bucharest": "Bucharest", "4.7a";
        Ploesti = "ploesti": "Ploesti", "4.8a";
        Withdrawal = "withdrawal", "4.9";
        SecondSs = "second-ss": "2nd SS Panzer Corps", "4.10";
        Oil = "oil", "4.13b";
        MoreOil = "more-oil": "more oil", "4.13d";
        Kiev = "kiev": "Kiev", "4.21a";
        Stalingrad = "stalingrad": "Stalingrad", "12.7d";
        SiegeLost = "siege-lost": "the lost siege", "12.23a";
        SiegeRestored = "siege-restored": "the restored siege", "12.23b";
    }
}

words! {
    /// What a game is won by.
    pub enum Verdict: "verdict" {
        Points = "points", "4.14a";
        Moscow = "moscow": "Moscow", "4.15a";
        Caucasus = "caucasus": "the Caucasus", "4.12b";
        Gambit = "gambit": "Manstein's Gambit", "4.16c";
        Oder = "oder": "Watch on the Oder", "4.19a";
        OderFailed = "oder-failed": "Watch on the Oder that failed", "4.19g";
    }
}

words! {
    /// Why units leave play otherwise than in combat.
    pub enum Removal: "removal" {
        Reorganised = "reorganised", "8.23a";
        Replaced = "replaced", "8.23b";
        Withdrawn = "withdrawn", "8.17b";
        ArmyWithdrawn = "army-withdrawn": "a withdrawn army", "8.21a";
        Defected = "defected", "8.25a";
        Italians = "italians": "the Italian army goes home", "8.28";
        Forfeit = "forfeit", "8.1c";
        Converted = "converted", "8.19a";
        Overstacked = "overstacked", "6.2c";
        Expedition = "expedition", "4.13e";
    }
}

words! {
    /// What has happened or holds, a bit each in [`Facts`].
    pub enum Fact: "fact" {
        /// The Moscow die was rolled (4.15c).
        MoscowRolled = "moscow-rolled",
        /// Kiev was once taken (4.21b).
        KievTaken = "kiev-taken",
        /// Bucharest has once fallen (4.7).
        BucharestFell = "bucharest-fell",
        /// Ploesti has once fallen (4.8).
        PloestiFell = "ploesti-fell",
        /// The points for the Baltic republics are lost (4.5).
        BalticLost = "baltic-lost",
        /// The point for the Dnepr is lost (4.6a).
        DneprLost = "dnepr-lost",
        /// The siege point of The Road Back is lost at the moment (12.23).
        SiegeLost = "siege-lost",
        /// Leningrad was once German (12.23c).
        LeningradTaken = "leningrad-taken",
        /// An expedition may set out in this turn (4.11a).
        ExpeditionReady = "expedition-ready",
        /// The expedition has set out in this movement phase (4.13g).
        ExpeditionFresh = "expedition-fresh",
        /// The German side has declined the Paulus Pause (5.10).
        NoPause = "no-pause",
        /// The German side pauses on turn 3 (5.10b).
        Pause = "pause",
        /// The offensive of 1943 is declared, or settled (4.4).
        OffensiveUsed = "offensive-used",
        /// It is judged at the end of this turn (4.4b).
        OffensiveNow = "offensive-now",
        /// Manstein's Gambit is declared (4.16).
        Gambit = "gambit",
        /// In this turn (4.17b).
        GambitNow = "gambit-now",
        /// Watch on the Oder is chosen (4.18a).
        Oder = "oder",
        /// The choice was made (4.18a).
        WatchChosen = "watch-chosen",
        /// The choice is known to all (4.18b).
        WatchShown = "watch-shown",
        /// Fight/fight was used in 1942, in 1943, and by the Soviet side (5.5).
        Fought1942 = "fight-fight-1942",
        Fought1943 = "fight-fight-1943",
        FoughtSoviet = "fight-fight-soviet",
        /// The comb-outs of 1943 and 1944 were used (8.16a).
        CombedOut1943 = "comb-out-1943",
        CombedOut1944 = "comb-out-1944",
        /// The bonus of 1942 holds in the north; in the south (5.6b).
        ZoneNorth = "zone-north",
        ZoneSouth = "zone-south",
        /// The Soviet side may place no offensive supply (7.21).
        MoscowBan = "moscow-ban",
        /// It has once begun a turn in supply (12.7c).
        StandFastOver = "stand-fast-over",
        /// Romania has defected (8.25).
        Defected = "defected",
        /// It defects at the start of turn 14 (R79).
        DefectsLater = "defects-later",
        /// Crimea supply is switched off (7.4h).
        CrimeaOff = "crimea-off",
        /// The emergency deployment of this movement phase was made (8.11a).
        EmergencyUsed = "emergency-used",
        /// A stack has crossed Kerch in this movement phase (10.14a).
        KerchUsed = "kerch-used",
        /// A corps has moved by the Black Sea, by the Baltic in this movement phase (10.16a, 10.17a).
        BlackSeaUsed = "black-sea-used",
        BalticUsed = "baltic-used",
        /// The aerial supply marker was used up in this turn: all who were under it are gone (7.7d).
        AirliftSpent = "airlift-spent",
        /// Some unit is marked as delayed (8.17c, 8.23c).
        Delayed = "delayed",
    }
}

/// What has happened or holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Facts(u64);

impl Facts {
    fn has(self, fact: Fact) -> bool {
        self.0 >> fact as u64 & 1 == 1
    }

    fn set(&mut self, fact: Fact, on: bool) {
        if on {
            self.0 |= 1 << fact as u64;
        } else {
            self.0 &= !(1 << fact as u64);
        }
    }

    fn iter(self) -> impl Iterator<Item = Fact> {
        Fact::ALL.iter().copied().filter(move |fact| self.has(*fact))
    }
}

places! {
    /// Where a unit is.
    pub enum Place {
        /// On the turn track, in the box of its turn (3.2a).
        Track = "track",
        /// In the box of the Supreme High Command (8.8).
        Rvgk = "rvgk": "RVGK box",
        /// In the dead pile (2.12b).
        Dead = "dead",
        /// In the Caucasus Holding Box (4.11d).
        Caucasus = "caucasus": "Caucasus Holding Box",
        /// Off the map in Bulgaria, to come back with its armies (8.26a).
        Bulgaria = "bulgaria": "in Bulgaria",
        /// In its owner's hand: to be set up before play (3.3), or kept for an air drop (4.17d).
        Hand = "hand",
        /// Set aside: it comes by a rule of its own, if at all (3.5, 4.17c, 8.22a).
        Aside = "aside",
        /// Out of play for good (8.12f).
        Removed = "removed",
        /// Not in this game.
        Out,
    }
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u32 {
        MOVED = "moved", "10.2c", Phase, Look::Done, "has finished its move in this phase";
        UNDERWAY = "underway", "10.6a", Phase, Look::Quiet, "has begun to move with the stack that moves now";
        CUT_SHORT = "cut-short", "10.6b", Phase, Look::Quiet, "belongs to a stack that had points left when another one began to move";
        CROSSED = "crossed", "10.14a", Phase, Look::Quiet, "has crossed the Kerch Strait in this phase";
        BEATEN = "beaten", "10.28a", Phase, Look::Quiet, "has failed in a mobile assault and stays in its hex";
        FRESH = "fresh", "10.3", Phase, Look::Quiet, "has begun to move and has spent nothing yet";
        ASSAULTED = "assaulted", "10.24d", Phase, Look::Quiet, "has made a mobile assault in this phase";
        ATTACKED = "attacked", "11.4b", Phase, Look::Done, "has attacked in this phase";
        FOUGHT = "fought", "10.16b", Turn, Look::Quiet, "has attacked in this player turn";
        DEFENDED = "defended", "11.4b", Phase, Look::Quiet, "has been attacked in this phase";
        RETREATED = "retreated", "11.29a", Phase, Look::Bad("R"), "has retreated from a prepared assault in this phase";
        OBLIGED = "obliged", "5.12a", Phase, Look::Quiet, "must attack in this phase";
        RAILED = "railed", "8.7a", Turn, Look::Quiet, "has moved strategically in this player turn";
        SAILED = "sailed", "10.16b", Turn, Look::Done, "has moved by sea in this player turn";
        EDGE = "edge", "8.1g", Turn, Look::Quiet, "has entered at the edge of the map in this turn";
        ENTERED = "entered", "8.1e", Turn, Look::Quiet, "was placed on the map in this turn";
        IN_SITU = "in-situ", "8.2a", Turn, Look::Quiet, "has entered among its own in this turn";
        RECALLED = "recalled", "8.9c", Phase, Look::Quiet, "has gone into or out of the box in this phase";
        CRIMEA = "crimea", "7.4e", Turn, Look::Good("C"), "is named to draw Crimea supply in this turn";
        DELAYED = "delayed", "8.23c", On, Look::Quiet, "leaves, or changes, as soon as it is in supply or eliminated";
        RETURNED = "returned", "8.15b", On, Look::Quiet, "has been eliminated once and may come back";
        LEAVING = "leaving", "4.11b", Phase, Look::Quiet, "has left the map for the Caucasus in this phase";
        STANDS_FAST = "stands-fast", "12.7a", Turn, Look::Bad("H"), "may neither move nor attack in this turn";
        SOUTHERN = "southern", "12.8b", On, Look::Quiet, "began the first turn of The Road Back in the south";
        CROWDED = "crowded", "8.26c", Phase, Look::Quiet, "is a Bulgarian army on its first move";
        BENEATH = "beneath", "11.7a", On, Look::Quiet, "lies beneath another unit";
        SHOWN = "shown", "11.7a", Phase, Look::Quiet, "has been shown to the German player in this phase";
        ARRANGED = "arranged", "11.7a", Phase, Look::Quiet, "has been put on top of its stack in this phase";
    }
}

/// The groups of units that the rules look for in a hex, one bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Camp(u8);

impl Camp {
    const AXIS: usize = 0;
    const SOVIET: usize = 1;
    /// Satellite armies that never stack with each other (6.4a).
    const AXIS_SATELLITE: usize = 2;
    const SOVIET_SATELLITE: usize = 3;
    /// German nationality (1.5c).
    const GERMAN: usize = 4;
    const COUNT: usize = 5;

    fn of(counter: &Counter) -> Camp {
        let bit = |on: bool, place: usize| u8::from(on) << place;
        let satellite = counter.stacks_alone();
        let axis = counter.side == Side::Axis;
        Camp(
            bit(axis, Camp::AXIS)
                | bit(!axis, Camp::SOVIET)
                | bit(axis && satellite, Camp::AXIS_SATELLITE)
                | bit(!axis && satellite, Camp::SOVIET_SATELLITE)
                | bit(counter.nation == Nation::Germany, Camp::GERMAN),
        )
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    /// As on its counter.
    camp: Camp,
    /// The turn for which it lies on the track; 0 elsewhere.
    due: u8,
    /// Movement points left in this phase, once it has begun to move.
    left: u8,
    /// What a die takes from its movement factor in this phase (5.10g).
    toll: u8,
    /// Where it was placed in this turn, wherever it is now (8.1e).
    came: Option<Hex>,
    marks: Marks,
}

impl Unit {
    /// Goes to a place; on the track it is due from the turn that is said then.
    fn go(&mut self, place: Place) {
        self.place = place;
        self.due = 0;
    }
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        self.place.hex()
    }

    fn groups(&self) -> u8 {
        self.camp.0
    }

    /// Nothing is worked out from marks and points.
    fn counts(&self, before: &Self) -> bool {
        self.place != before.place
    }
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    units: UnitStore<Unit, MAX_UNITS, { Camp::COUNT }>,
    /// Who controls which hexes (3.6); Bulgaria is nobody's at first (R16).
    control: BySide<HexSet>,
    /// Intact German fortified lines, printed and East Wall (11.21d).
    lines: HexSet,
    /// The German victory points (4.1a).
    vp: i16,
    facts: Facts,
    /// The order of phases of the player turn under way (5.4a).
    order: Order,
    venture: Venture,
    southern: Southern,
    /// Hero cities and fortress cities on the map (9.1, 9.2).
    heroes: ArrayVec<Hex, 5>,
    fortresses: ArrayVec<Hex, 5>,
    /// Markers not yet placed: hero cities, the fortress city for any place, the late ones.
    heroes_left: u8,
    fortress_left: u8,
    late_fortresses_left: u8,
    /// East Wall markers to be placed (8.5b), and whether the fortified area is (8.18a).
    walls_left: u8,
    area_left: bool,
    /// The fortified area and the turn in which it was placed (8.18).
    area: Option<(Hex, u8)>,
    /// Where the aerial supply marker lies, and from when on it is available; 0 before it has come (7.7).
    airlift: Option<Hex>,
    airlift_due: u8,
    /// Offensive supply markers on the map (7.12).
    offensive: [Option<Hex>; 3],
    /// Luftwaffe units used in this turn (11.23d).
    luftwaffe_used: u8,
    /// Replacement steps left in this segment: mechanized, and others (8.12c); and units that a comb-out brings (8.16b).
    steps: [u8; 2],
    /// What is left of the strategic allowance (8.7f), and of the RVGK capacity (8.9b).
    strategic_left: u8,
    rvgk_left: u8,
    /// German-controlled cities when the game turn began, and when the German player turn began, by their place in the list (4.4b, 4.19).
    cities_at_turn: u64,
    cities_at_player_turn: u64,
    /// Soviet units eliminated in this turn, as Watch on the Oder counts them (4.19e).
    kills: u8,
    /// Forgiveness points (4.20b).
    forgiveness: i16,
    /// Where the stack that moves now began the phase (10.6b).
    origin: Option<Hex>,
    /// How the game ended, once it has.
    verdict: Option<(Side, Verdict)>,
    stack: Stack<Procedure, DEPTH>,
}

/// How many procedures can be under way: the turn, a phase, a move, an attack in it, what comes of it, and what that brings about.
const DEPTH: usize = 7;

frames! {
    /// A procedure under way. The last on the stack asks for a decision.
    pub enum Procedure of Barbarossa, DEPTH deep {
        Deployment, Turn, Decision, Administration, Conversion, Withdrawal, CombOut, Strategic, Railing, Markers, Rvgk, Movement,
        Moving, Combat, Attack, Battle, Supporting, Volley, Losses, Retreat, Advance, Response, Overstacked, PolishArrival,
    }
}

phrases! {
    /// What a player can do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Deploy { unit: UnitId, hex: Hex } = "deploy", "3.3c", "set up {unit} in {hex}";
        DeployAll = "deploy-all", "3.3c", "set up all units where they historically stood";
        Choose { choice: Choice } = "choose", "5.1a", "choose {choice}";
        Place { unit: UnitId, hex: Hex } = "place", "8.1f", "{unit} enters in {hex}";
        Hold { unit: UnitId } = "hold", "8.1b", "{unit} goes to the RVGK box";
        Keep { unit: UnitId } = "keep", "4.17d", "keep {unit} for an air drop";
        Wall { hex: Hex } = "wall", "8.5a", "build an East Wall in {hex}";
        Fortify { hex: Hex } = "fortify", "8.18a", "place the fortified area in {hex}";
        Convert { unit: UnitId, army: UnitId } = "convert", "8.20a", "{unit} takes the place of {army}";
        Withdraw { unit: UnitId } = "withdraw", "8.21a", "withdraw {unit}";
        Entrain { unit: UnitId } = "entrain", "8.7b", "{unit} moves strategically";
        Offensive { marker: Offensive, hex: Hex } = "offensive", "7.12a", "place offensive supply {marker} in {hex}";
        Recall { unit: UnitId } = "recall", "8.10a", "{unit} goes from the map to the RVGK box";
        Commit { unit: UnitId, hex: Hex } = "commit", "8.10b", "{unit} comes from the RVGK box to {hex}";
        Move { unit: UnitId } = "move", "10.2b", "move {unit}";
        Go { hex: Hex } = "go", "10.1b", "go to {hex}";
        Assault { hex: Hex } = "assault", "10.24a", "mobile assault on {hex}";
        Cross = "cross", "10.14a", "cross the Kerch Strait";
        Sail { hex: Hex } = "sail", "10.16a", "move by sea to {hex}";
        Exit = "exit", "4.11b", "leave the map";
        Enter { unit: UnitId, hex: Hex } = "enter", "4.13g", "{unit} comes back onto the map in {hex}";
        Stop = "stop", "10.2b", "end the move", Finish;
        Name { unit: UnitId, hex: Hex } = "name", "11.3", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "11.6a", "{unit} joins";
        Leave { unit: UnitId } = "leave", "11.6a", "{unit} does not join", TakeBack;
        Cancel = "cancel", "11.1b", "call the attack off", TakeBack;
        AsClear = "as-clear", "5.13", "treat the marsh as clear ground";
        Drop = "drop", "4.17e", "drop the paratroops on the target";
        Declare = "declare", "11.5", "declare the attack", Finish;
        Luftwaffe = "luftwaffe", "11.23b", "commit a Luftwaffe unit";
        Unsupported = "unsupported", "11.23b", "no Luftwaffe support", Finish;
        Roll = "roll", "11.25a", "roll the die", Finish;
        Lose { unit: UnitId } = "lose", "11.26d", "{unit} is given up", Loss;
        Retreat { hex: Hex } = "retreat", "11.27a", "retreat to {hex}", Retreat;
        RetreatOne { unit: UnitId, hex: Hex } = "retreat-one", "11.28b", "{unit} retreats to {hex}", Retreat;
        Advance { unit: UnitId } = "advance", "11.30a", "{unit} advances", Advance;
        Exploit { unit: UnitId, hex: Hex } = "exploit", "11.32a", "{unit} advances on to {hex}", Advance;
        Halt = "halt", "11.30b", "no more advances", Finish;
        Remove { unit: UnitId } = "remove", "6.2c", "remove {unit}";
        Send { unit: UnitId } = "send", "4.12a", "{unit} goes to the Caucasus";
        Yield = "yield", "4.12b", "send nobody, and lose";
        Hero { hex: Hex } = "hero", "9.1b", "{hex} becomes a hero city";
        Fortress { hex: Hex } = "fortress", "9.2b", "{hex} becomes a fortress city";
        Airlift { hex: Hex } = "airlift", "7.7c", "supply {hex} by air";
        Crimea { unit: UnitId } = "crimea", "7.4e", "{unit} draws Crimea supply";
        CrimeaOff = "crimea-off", "7.4h", "switch Crimea supply off";
        CrimeaOn = "crimea-on", "7.4h", "switch Crimea supply on";
        Emergency { unit: UnitId, hex: Hex } = "emergency", "8.11a", "{unit} comes from the RVGK box to {hex}";
        Top { unit: UnitId } = "top", "11.7a", "put {unit} on top", Arrange;
        End = "end", "5.1b", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "5.1a", "game turn {turn} begins", Turn;
        StepBegan { step: Step } = "phase", "5.1a", "{step}", Phase;
        Deployed { unit: Veiled<UnitId>, hex: Hex } = "deployed", "3.3c", "{unit} is set up in {hex}", Arrival;
        Chosen { side: Side, choice: Veiled<Choice> } = "chosen", "5.1a", "{side} has chosen[: {choice}]";
        OrderDeclared { side: Side, order: Order } = "order", "5.4a", "{side} declares: {order}";
        MarkersReceived { side: Side, count: u8 } = "markers-received", "9.1a", "markers for {side}: {count}";
        StepsReceived { side: Side, mech: u8, foot: u8 } = "steps", "8.12a", "{side} can replace {mech} mechanized and {foot} other units";
        StepsLost { mech: u8, foot: u8 } = "steps-lost", "8.12b", "{mech} mechanized and {foot} other replacements are lost";
        CombedOut { units: u8 } = "combed-out", "8.16b", "units that the comb-out brings back: {units}";
        Arrived { unit: Veiled<UnitId>, hex: Hex } = "arrived", "8.1d", "{unit} enters in {hex}", Arrival;
        Reclaimed { unit: UnitId } = "reclaimed", "8.12a", "{unit} comes out of the dead pile";
        Boxed { unit: Veiled<UnitId> } = "boxed", "8.8", "{unit} goes to the RVGK box";
        Removed { unit: UnitId, cause: Removal } = "removed", "8.1c", "{unit} leaves: {cause}", Eliminated;
        WallBuilt { hex: Hex } = "wall", "8.5a", "an East Wall is built in {hex}";
        LineDestroyed { hex: Hex } = "line-destroyed", "11.21d", "the fortified line in {hex} is destroyed";
        AreaPlaced { hex: Hex } = "area", "8.18a", "the fortified area lies in {hex}";
        AreaDestroyed { hex: Hex } = "area-destroyed", "8.18f", "the fortified area in {hex} is gone";
        Converted { army: Veiled<UnitId>, unit: Veiled<UnitId> } = "converted", "8.20a", "{army} becomes {unit}";
        Due { unit: UnitId, turn: u8 } = "due", "8.15b", "{unit} is due on turn {turn}";
        OffensivePlaced { marker: Offensive, hex: Hex } = "offensive", "7.12a", "offensive supply {marker} lies in {hex}";
        Began { unit: Veiled<UnitId>, hex: Hex, supply: Supply, points: u8 } = "began", "7.17a", "{unit} moves from {hex} with {points} MP, supply {supply}";
        Entered { unit: Veiled<UnitId>, hex: Hex, cost: Veiled<u8> } = "entered", "10.1b", "{unit} enters {hex}[ for {cost} MP]", Move;
        Railed { unit: UnitId, hex: Hex } = "railed", "8.7a", "{unit} moves strategically to {hex}", Move;
        Crossed { unit: Veiled<UnitId>, hex: Hex } = "crossed", "10.14a", "{unit} crosses the strait to {hex}", Move;
        Sailed { unit: Veiled<UnitId>, hex: Hex } = "sailed", "10.16a", "{unit} moves by sea to {hex}", Move;
        Exited { unit: UnitId, hex: Hex } = "exited", "4.11b", "{unit} leaves the map from {hex}";
        CameBack { unit: UnitId, hex: Hex } = "came-back", "4.13g", "{unit} comes back in {hex}", Arrival;
        Launched = "launched", "4.11d", "the expedition to the Caucasus is under way";
        WentSouth { unit: UnitId } = "went-south", "4.12a", "{unit} goes to the Caucasus";
        ExpeditionEnds = "expedition-ends", "4.13e", "the expedition to the Caucasus is defeated";
        ExpeditionRecalled = "expedition-recalled", "4.13g", "the expedition to the Caucasus is called back";
        OilReached = "oil-reached", "4.13a", "the expedition has reached the oil";
        Control { hex: Hex, side: Side } = "control", "3.6c", "{hex} is {side}", Control;
        Scored { cause: Points, points: i16, total: i16 } = "scored", "4.2b", "German points for {cause}: {points}, {total} in all";
        HeroCity { hex: Hex } = "hero", "9.1b", "{hex} is a hero city";
        FortressCity { hex: Hex } = "fortress", "9.2b", "{hex} is a fortress city";
        MarkerLost { hex: Hex } = "marker-lost", "9.3b", "{hex} has lost its marker";
        Airlifted { hex: Hex } = "airlifted", "7.7c", "{hex} is supplied by air";
        AirliftOver { hex: Hex } = "airlift-over", "7.7d", "nobody is left in {hex} to be supplied by air";
        AirliftDue { turn: u8 } = "airlift-due", "7.7f", "the aerial supply marker is available again on turn {turn}";
        CrimeaNamed { unit: UnitId } = "crimea", "7.4e", "{unit} draws Crimea supply in this turn";
        CrimeaSwitched { on: bool } = "crimea-switched", "7.4h", "Crimea supply is on: {on}";
        SouthernSettled { southern: Southern } = "southern", "7.4g", "{southern} supply is used in the south in this turn";
        StandsFast = "stands-fast", "12.7a", "the garrison of Stalingrad stands fast";
        Arranged { hex: Hex } = "arranged", "11.7a", "the stack in {hex} is arranged";
        Declared { units: Units, hex: Hex, mobile: bool } = "declared", "11.5", "attack on {hex} by {units}", Attack;
        Shown { units: Units } = "shown", "11.7a", "shown: {units}", Shown;
        Reduced { units: Units, divisor: u8 } = "reduced", "7.17b", "divided by {divisor}: {units}", Account;
        Strength { unit: UnitId, strength: u8 } = "strength", "8.4c", "{unit} fights with {strength}", Account;
        AttackFactor { unit: UnitId, factor: u8 } = "attack-factor", "11.8a", "{unit} attacks with {factor}", Account;
        DefenceFactor { unit: UnitId, factor: u8 } = "defence-factor", "11.8a", "{unit} defends with {factor}", Account;
        Odds { attack: u16, defence: u16, odds: OddsWord } = "odds", "11.8a", "{attack} against {defence}: {odds}", Account;
        Shift { cause: Cause, columns: i8 } = "shift", "11.11", "shift {columns} for {cause}", Account;
        ColumnFound { odds: OddsWord } = "column", "11.25c", "column {odds}", Column;
        Result { result: CombatResult } = "result", "11.25a", "result {result}", Result;
        Becomes { result: CombatResult } = "becomes", "11.26h", "the result becomes {result}";
        Eliminated { unit: UnitId } = "eliminated", "2.12b", "{unit} is eliminated", Eliminated;
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "11.27a", "{unit} retreats from {from} to {to}", Retreat;
        Advanced { unit: UnitId, hex: Hex } = "advanced", "11.30a", "{unit} advances to {hex}", Advance;
        Exploited { unit: UnitId, hex: Hex } = "exploited", "11.32a", "{unit} advances on to {hex}", Advance;
        Dropped { unit: UnitId, hex: Hex } = "dropped", "4.17f", "{unit} has landed in {hex}", Arrival;
        WatchShown { choice: Choice } = "watch-shown", "4.18b", "the choice is revealed: {choice}";
        OffensiveJudged { success: bool } = "offensive-judged", "4.4b", "the summer offensive has succeeded: {success}";
        RomaniaDefects = "romania-defects", "8.25a", "Romania changes sides";
        Forgiven { points: i16, total: i16 } = "forgiven", "4.20a", "play goes on; forgiveness points: {points}, {total} in all";
        Checked { total: i16 } = "checked", "4.14a", "victory check; German points: {total}";
        Ended { winner: Side, total: i16, by: Verdict } = "ended", "4.14a", "{winner} wins by {by}; German points {total}", End;
    }
}

/// A place on the ladder of odds, without end in both directions (R20): 0 is 1:1, 1 is 2:1, -1 is 1:2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OddsWord(pub i16);

impl engine::Word for OddsWord {
    const KIND: &'static str = "odds";
    fn word(&self, _: &dyn engine::Lexicon) -> String {
        if self.0 >= 0 { format!("{}:1", self.0 + 1) } else { format!("1:{}", 1 - self.0) }
    }
    fn read(word: &str, _: &dyn engine::Lexicon) -> Result<Self, String> {
        let wrong = || format!("`{word}` are no odds such as 3:1 or 1:2");
        let (attack, defence) = word.split_once(':').ok_or_else(wrong)?;
        match (attack.parse::<i16>(), defence.parse::<i16>()) {
            (Ok(attack @ 1..=999), Ok(1)) => Ok(OddsWord(attack - 1)),
            (Ok(1), Ok(defence @ 1..=999)) => Ok(OddsWord(1 - defence)),
            _ => Err(wrong()),
        }
    }
    fn write_cells(&self, _: &dyn engine::Lexicon, row: &mut engine::Row) -> bool {
        row.value(self.0)
    }
    fn read_cells(cells: &mut engine::row::Cells<'_>) -> Option<Self> {
        cells.value().map(OddsWord)
    }
}

lexicon!(Barbarossa);
shelve!(Barbarossa);
musters!(Action);

impl Types for Barbarossa {
    const BOOK: Book = Book {
        name: "barbarossa",
        title: "Barbarossa",
        edition: "Decision Games, World at War 1",
        rules: 2,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Barbarossa {
    fn outcome(&self, state: &State) -> Outcome {
        Barbarossa::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    /// What the rules look at all the time: lost points, the siege, the expedition, units that wait to leave, the airlift.
    fn watch(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        self.keep_watch(state, play)
    }

    /// A hex that holds too many units is put in order at once (6.2c).
    fn before_asking(&self, state: &mut State, _: &mut Play<Event>) -> bool {
        self.look_after_stacks(state)
    }

    fn interjections(&self, state: &State, side: Side, actions: &mut Vec<Action>) {
        self.list_interjections(state, side, actions);
    }

    fn check_interjection(&self, state: &State, side: Side, action: Action) -> Result<(), Violation> {
        self.check_interjected(state, side, action)
    }

    fn interject(&self, state: &mut State, side: Side, action: Action, play: &mut Play<Event>) {
        self.carry_out_interjection(state, side, action, play);
    }

    /// Each shift, point and removal is told with the case that gives it.
    fn case_of(&self, event: &Event) -> Case {
        match event {
            Event::Shift { cause, .. } => cause.case(),
            Event::Scored { cause, .. } => cause.case(),
            Event::Removed { cause, .. } => cause.case(),
            Event::StepBegan { step } => sequence::case_of_step(*step),
            Event::Ended { by, .. } => by.case(),
            Event::Chosen { choice: Veiled::Known(choice), .. } => choice.case(),
            _ => event.form().case,
        }
    }

    fn case_of_action(&self, action: &Action) -> Case {
        match action {
            Action::Choose { choice } => choice.case(),
            _ => action.form().case,
        }
    }

    fn phases(&self, state: &State) -> Vec<display::Phase> {
        sequence::phases(state)
    }
}

impl Barbarossa {
    fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    /// Whose a unit is.
    pub fn side(&self, unit: UnitId) -> Side {
        self.counter(unit).side
    }

    fn arm(&self, unit: UnitId) -> Arm {
        self.counter(unit).arm
    }

    fn is_mech(&self, unit: UnitId) -> bool {
        self.counter(unit).mech
    }

    /// Of German nationality, not only of the German side (1.5c).
    fn is_german(&self, unit: UnitId) -> bool {
        self.counter(unit).nation == Nation::Germany
    }

    /// Hungarian, Italian or Romanian on the German side (1.5b).
    fn is_axis_satellite(&self, unit: UnitId) -> bool {
        self.side(unit) == Side::Axis && !self.is_german(unit)
    }

    /// The Independent Coastal Army (10.34).
    fn is_ica(&self, unit: UnitId) -> bool {
        self.arm(unit) == Arm::Naval
    }

    /// A plain rifle army, of either establishment or of a communist satellite (R75).
    fn is_rifle_army(&self, unit: UnitId) -> bool {
        matches!(self.arm(unit), Arm::Rifle | Arm::Oversized) && self.counter(unit).is_army()
    }

    /// Single-month turns: June to September (5.8a).
    fn is_single(&self, turn: u8) -> bool {
        self.charts.track.is_single(turn)
    }

    /// The Road Back, in which section 12 holds.
    fn is_road_back(&self) -> bool {
        self.first_turn == ROAD_BACK
    }

    /// The units of a side on the map.
    fn on_map<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = (UnitId, Hex)> + 'a {
        let of_side = self.counters.iter().enumerate().filter(move |(_, counter)| counter.side == side);
        let units = of_side.map(|(i, _)| UnitId(i as u16));
        units.filter_map(|unit| Some((unit, state.hex(unit)?)))
    }

    /// The units of a side in a place beside the map.
    fn in_box<'a>(&'a self, state: &'a State, side: Side, place: Place) -> impl Iterator<Item = UnitId> + 'a {
        let of_side = self.counters.iter().enumerate().filter(move |(_, counter)| counter.side == side);
        let units = of_side.map(|(i, _)| UnitId(i as u16));
        units.filter(move |unit| state.unit(*unit).place == place)
    }
}

/// The turn with which The Road Back begins (12.1).
const ROAD_BACK: u8 = 13;

impl State {
    fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit]
    }

    /// Changes a unit; only on the track has it a turn to wait for.
    fn change(&mut self, unit: UnitId, change: impl FnOnce(&mut Unit)) {
        self.units.change(unit, |unit| {
            change(unit);
            if unit.place != Place::Track {
                unit.due = 0;
            }
        });
    }

    /// Where a unit is, if it is on the map.
    pub fn hex(&self, unit: UnitId) -> Option<Hex> {
        self.unit(unit).hex()
    }

    fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.unit(unit).marks.has(mark)
    }

    fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.change(unit, |unit| unit.marks.set(mark));
    }

    fn unmark(&mut self, unit: UnitId, mark: Marks) {
        self.change(unit, |unit| unit.marks.clear(mark));
    }

    fn has(&self, fact: Fact) -> bool {
        self.facts.has(fact)
    }

    fn note(&mut self, fact: Fact) {
        self.facts.set(fact, true);
    }

    fn forget(&mut self, fact: Fact) {
        self.facts.set(fact, false);
    }

    /// The units in a hex, top first.
    pub fn stack_in(&self, hex: Hex) -> Pile {
        let mut pile: Pile = self.units.in_hex(hex).take(16).collect();
        pile.sort_by_key(|unit| self.marked(*unit, Marks::BENEATH));
        pile
    }

    /// Hexes with units of a side.
    fn held(&self, side: Side) -> &HexSet {
        match side {
            Side::Axis => self.units.held(Camp::AXIS),
            Side::Soviet => self.units.held(Camp::SOVIET),
        }
    }

    fn controls(&self, side: Side, hex: Hex) -> bool {
        self.control[side].contains(hex)
    }

    /// The battle under way.
    fn battle(&self) -> Option<&Battle> {
        self.stack.find()
    }
}
