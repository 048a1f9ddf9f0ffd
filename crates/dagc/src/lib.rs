//! Destruction of Army Group Center.
//!
//! One module a section of the rulebook, in its order: [`scenario`] (3), [`victory`] (4), [`sequence`] (5),
//! [`stacking`] (6), [`supply`] (7), [`zoc`] (8), [`movement`] (9), [`reinforcement`] (10), [`combat`] and
//! [`results`] (11), [`special`] (12), [`air`] (13). Every decision is a frame in the module of its section. [`account`]
//! adds up a battle, [`charts`] reads the data files, [`setup`] reads and writes situations, [`presence`] is what the
//! rules see of a state, [`view`] what a side sees of it, [`scout`] what an opponent asks, [`drawing`] what else a client
//! draws, and this file holds the types and the contract with the engine. Numbers in parentheses are cases; R and a
//! number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use engine::display;
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::store::{OnMap, Placed, UnitStore};
use engine::{
    Book, BySide, Case, Lexicon, Options, Outcome, Phrase, Play, Roster, Rulebook, Side, Types, UnitId,
    UnitSet, Veiled, Violation, case, frames, lexicon, marks, musters, phrases, places, shelve, switches,
    words,
};

mod account;
mod air;
mod charts;
mod combat;
mod drawing;
mod ground;
mod movement;
mod presence;
mod proof;
mod reinforcement;
mod results;
mod scenario;
mod scout;
mod sequence;
mod setup;
mod special;
mod stacking;
mod supply;
mod victory;
mod view;
mod zoc;

pub use account::{Account, Attacker, Circumstances, Defender};
pub use air::Interdiction;
pub use combat::{Attack, Battle, Column, Combat, Supporting};
pub use movement::{Movement, Moving};
pub use reinforcement::Reinforcement;
pub use results::{Advance, AttackerLosses, DefenderRetreat, SplitRetreat};
pub use scenario::Deployment;
pub use scout::{Chances, Lines};
pub use special::Withdrawal;
pub use stacking::{Ending, Overstacked};
pub use supply::Overload;

use charts::{Charts, Counter};
use ground::Ground;
use presence::Presence;

/// The most units a game can have.
pub const MAX_UNITS: usize = 96;

/// Units of a game.
pub type Units = UnitSet<2>;

/// The units in a hex, top first: there is room for all that a game has.
pub type Pile = ArrayVec<UnitId, MAX_UNITS>;

/// The game lasts nine turns (5.1b).
pub const TURNS: u8 = 9;

/// What stays the same during a game.
pub struct Dagc {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    ground: Ground,
    roster: Roster,
    counters: Vec<Counter>,
    charts: Charts,
    /// Where the Bagration Center of Gravity marker lies (3.2b, 3.6a).
    center: Option<Hex>,
    /// The last turn: the ninth (5.1b), or earlier in a learning scenario.
    last_turn: u8,
    /// The Soviet points that win: 31 (4.3g), or fewer in a learning scenario.
    needed: i32,
    options: Options,
    switches: Switches,
}

switches! {
    /// The optional rules and scenario changes that are on (3.6 to 3.10, 11.19d).
    pub struct Switches {
        southern_center = "southern-center", "3.6a", "the Center of Gravity lies in 4720";
        bold_deployment = "bold-deployment", "3.6b", "the nine starred units set up near the Center of Gravity";
        free_1uf = "free-1uf", "10.2c", "1st Ukrainian Front may move and fight anywhere";
        free_1uf_air = "free-1uf-air", "13.2d", "1st Ukrainian Front's air armies may interdict anywhere";
        no_forced_attacks = "no-forced-attacks", "11.1c", "activated units need not attack on turn 1";
        north_ukraine = "north-ukraine", "3.6d", "four corps of Army Group North Ukraine arrive from turn 3";
        late_pripyat = "late-pripyat", "3.6f", "Western Pripyat supply begins on turn 2";
        fifth_panzer = "fifth-panzer", "3.7a", "the Fifth Panzer Army sets up with the Germans";
        two_replacements = "two-replacements", "3.8a", "two German replacement steps every turn";
        three_replacements = "three-replacements", "3.9b", "three German replacement steps every turn";
        stand_fast = "stand-fast", "11.19d", "Germans must stand instead of retreating where they can";
        open_stacks = "open-stacks", "6.8b", "both players may look into all stacks";
    }
}

words! {
    /// The colours of a counter (2.5).
    pub enum Group: "group" {
        /// Army Group Center starting units.
        Agc = "agc",
        /// Fortified localities.
        Fortified = "fortified",
        /// Korps Gruppen.
        Kg = "kg",
        /// Army Group North Ukraine.
        Nu = "nu",
        /// 5th Panzer Army.
        FifthPanzer = "5pa",
        /// Soviet main front.
        Main = "main",
        /// 1st Ukrainian Front.
        Uf = "1uf",
    }
}

words! {
    /// The type of a unit (2.7a).
    pub enum Arm: "arm" {
        /// Infantry.
        Infantry = "infantry",
        /// German panzers.
        Panzer = "panzer",
        /// Soviet tanks.
        Tank = "tank",
        /// Guards.
        Guards = "guards",
        /// Shock armies.
        Shock = "shock",
        /// Horse cavalry.
        Cavalry = "cavalry",
        /// Cavalry-mechanized groups.
        CavMech = "cavmech",
        /// Fortified localities.
        Fortified = "fortified",
    }
}

words! {
    /// What the combat table says (11.15 to 11.21).
    pub enum CombatResult: "result" {
        /// Attack stalled.
        Stalled = "AS",
        /// Attacker eliminated.
        AttackerEliminated = "AE",
        /// Defender retreat.
        Retreat = "DR",
        /// Defender eliminated.
        DefenderEliminated = "DE",
        /// Bloodbath.
        Bloodbath = "BB",
    }
}

words! {
    /// The two sorts of air armies (13.1, 13.2).
    pub enum AirGroup: "air" {
        /// Main-front air armies.
        Main = "main",
        /// Those of 1st Ukrainian Front.
        Uf = "1uf",
    }
}

words! {
    /// What helps an attack besides its units.
    pub enum Support: "support" {
        /// Nothing.
        None = "none",
        /// A main-front air army (13.1c).
        AirMain = "air-main": "main-front air armies",
        /// An air army of 1st Ukrainian Front (13.2b).
        AirUf = "air-1uf": "1UF air armies",
        /// The Armor Concentration marker, after a good roll (12.6d).
        Armor = "armor",
        /// The Armor Concentration marker, after a bad roll (12.6c).
        ArmorFailed = "armor-failed": "armor concentration that failed",
    }
}

words! {
    /// Why a column is shifted, or a defence added to.
    pub enum Cause: "cause" {
        /// The offensive's first blow.
        Bagration = "bagration": "Bagration", "5.4b";
        /// Attackers out of supply.
        AttackerOos = "attacker-oos": "attackers out of supply", "7.4a";
        /// Defenders out of supply.
        DefenderOos = "defender-oos": "defenders out of supply", "7.4b";
        /// Attack from around.
        Concentric = "concentric": "a concentric attack", "11.11a";
        /// Partisans behind the defenders.
        Partisans = "partisans", "11.25";
        /// Armor concentration.
        Armor = "armor", "12.6d";
        /// A shock army.
        Shock = "shock", "12.7a";
        /// An air army.
        Air = "air", "13.1c";
        /// The natural terrain of the hex.
        Terrain = "terrain", "11.9a";
        /// A town.
        Town = "town", "11.9c";
        /// A city.
        City = "city", "11.9c";
        /// German entrenchments.
        Entrenchment = "entrenchment", "11.10a";
        /// Rivers before all attackers.
        River = "river", "11.9b";
    }
}

words! {
    /// A phase of the game turn (5.2).
    pub enum Phase: "phase" {
        /// I.A and II.A.
        Reinforcement = "replacement-and-reinforcement": "replacement and reinforcement",
        /// I.B and II.B.
        PreCombat = "pre-movement-combat": "pre-movement combat",
        /// II.C.
        Interdiction = "interdiction",
        /// I.C and II.D.
        Movement = "movement",
        /// I.D and II.E.
        PostCombat = "post-movement-combat": "post-movement combat",
    }
}

words! {
    /// Why a unit is supplied, or why not.
    pub enum Supply: "supply" {
        /// By a path to a map-edge source (7.2a).
        Overland = "overland",
        /// By a port (7.9a).
        Port = "port",
        /// It is not.
        Out = "out",
    }
}

places! {
    /// Where a unit is.
    pub enum Place {
        /// On the turn track, or held back (3.1b, 10.5a).
        Track = "track",
        /// In the dead pile (2.11c).
        Dead = "dead",
        /// In its owner's hand, to be set up before play (3.6b, 3.7b).
        Hand = "hand",
        /// Not in this game (3.1c, 3.1d).
        Out,
    }
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u16 {
        MOVED = "moved", "9.2c", Phase, Look::Done, "has begun to move in this phase";
        ATTACKED = "attacked", "11.5a", Phase, Look::Done, "has taken part in an attack in this phase";
        DEFENDED = "defended", "11.3b", Phase, Look::Quiet, "has been attacked in this phase";
        RETREATED = "retreated", "11.17h", Phase, Look::Bad("R"), "has retreated in this phase";
        INTERDICTED = "interdicted", "13.3a", On, Look::Bad("✕"), "is interdicted in this movement phase";
        ACTIVATED = "activated", "5.4a", On, Look::Quiet, "was in range of the Center of Gravity when the game began";
        REPLACED = "replaced", "10.8g", Turn, Look::Good("+"), "has absorbed a replacement step in this game turn";
        CUT_OFF = "cut-off", "7.9i", Turn, Look::Bad("!"), "was named as beyond its port's capacity in this game turn";
        BENEATH = "beneath", "6.8b", On, Look::Quiet, "lies beneath another unit";
        SHOWN = "shown", "6.8b", Phase, Look::Quiet, "has been shown to the German player in this phase";
        ARRANGED = "arranged", "6.8b", Phase, Look::Quiet, "has been put on top of its stack in this phase";
    }
}

/// The groups of units that the rules look for in a hex, one bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Front(u8);

impl Front {
    const GERMAN: usize = 0;
    const SOVIET: usize = 1;
    /// The Soviet main fronts, and 1st Ukrainian Front (6.10).
    const MAIN: usize = 2;
    const UF: usize = 3;
    const COUNT: usize = 4;

    fn of(counter: &Counter) -> Front {
        match (counter.side, counter.group) {
            (Side::Axis, _) => Front(1 << Front::GERMAN),
            (Side::Soviet, Group::Uf) => Front(1 << Front::SOVIET | 1 << Front::UF),
            (Side::Soviet, _) => Front(1 << Front::SOVIET | 1 << Front::MAIN),
        }
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    /// As on its counter.
    front: Front,
    /// Steps left; 0 in the dead pile.
    steps: u8,
    marks: Marks,
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        self.place.hex()
    }

    fn groups(&self) -> u8 {
        self.front.0
    }
}

/// The movement die that units out of supply in one hex share (7.3b).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SharedRoll {
    hex: Hex,
    roll: u8,
}

/// The air armies of one sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct AirArmies {
    /// In play.
    all: u8,
    /// Already used in this game turn (13.1b).
    used: u8,
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    units: UnitStore<Unit, MAX_UNITS, { Front::COUNT }>,
    /// Land hexes under Soviet control; all others are German (3.3a).
    soviet_hexes: HexSet,
    /// Replacement steps left in this phase (10.6b).
    steps_left: u8,
    /// One for each hex from which units out of supply have moved in this phase.
    rolls: ArrayVec<SharedRoll, MAX_UNITS>,
    air: ArrayVec<AirArmies, 2>,
    /// The one crossing of the narrows was made (9.8a).
    narrows_used: bool,
    /// Armor Concentration was tried in this German player turn (12.6c).
    armor_tried: bool,
    /// Ports that have once been Soviet (7.9n), by their place in the list of ports.
    lost_ports: u16,
    stack: Stack<Procedure, DEPTH>,
}

/// How many procedures can be under way: a phase, a battle or its end, and a choice.
const DEPTH: usize = 3;

frames! {
    /// A procedure under way. The last on the stack asks for a decision.
    pub enum Procedure of Dagc, DEPTH deep {
        Deployment, Overload, Reinforcement, Combat, Movement, Moving, Interdiction, Attack, Battle, Supporting, Column,
        Withdrawal, DefenderRetreat, SplitRetreat, AttackerLosses, Advance, Ending, Overstacked,
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Deploy { unit: UnitId, hex: Hex } = "deploy", "3.6b", "set up {unit} in {hex}";
        CutOff { unit: UnitId } = "cut-off", "7.9g", "{unit} is out of supply this turn";
        Replenish { unit: UnitId } = "replenish", "10.8d", "replenish {unit}";
        Reclaim { unit: UnitId } = "reclaim", "10.8a", "reclaim {unit} from the dead pile";
        Place { unit: UnitId, hex: Hex } = "place", "10.1b", "{unit} arrives in {hex}";
        Name { unit: UnitId, hex: Hex } = "name", "11.2", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "11.4", "{unit} joins the attack";
        Leave { unit: UnitId } = "leave", "11.4", "{unit} leaves the attack", TakeBack;
        Cancel = "cancel", "11.1b", "call the attack off", TakeBack;
        Declare = "declare", "11.3a", "declare the attack", Finish;
        Air { group: AirGroup } = "air", "13.1c", "a {group} air army supports the attack";
        Armor = "armor", "12.6a", "commit the Armor Concentration marker";
        Unsupported = "unsupported", "11.8b", "no support", Finish;
        Lower = "lower", "11.14", "lower the column by one";
        Ardor = "ardor", "11.23a", "roll until something happens";
        Roll = "roll", "11.8c", "roll the die", Finish;
        Withdraw { hex: Hex } = "withdraw", "12.2a", "retreat before combat to {hex}", Retreat;
        Fight = "fight", "12.2a", "stay and fight", Finish;
        Stand { unit: UnitId } = "stand", "11.19a", "stand: {unit} loses a step", Loss;
        Retreat { hex: Hex } = "retreat", "11.17a", "retreat to {hex}", Retreat;
        RetreatOne { unit: UnitId, hex: Hex } = "retreat-one", "11.17c", "{unit} retreats to {hex}", Retreat;
        Lose { unit: UnitId } = "lose", "11.21c", "{unit} loses a step", Loss;
        Advance { unit: UnitId } = "advance", "11.22a", "{unit} advances", Advance;
        Exploit { unit: UnitId, hex: Hex } = "exploit", "12.2c", "{unit} advances on to {hex}";
        Halt = "halt", "11.22a", "no more advances", Finish;
        Move { unit: UnitId } = "move", "9.2b", "move {unit}";
        Go { hex: Hex } = "go", "9.2d", "go to {hex}";
        /// Where a way by land leads to the other end, too.
        Cross = "cross", "9.8a", "cross the narrows";
        Stop = "stop", "9.2b", "end the move", Finish;
        Top { unit: UnitId } = "top", "6.8b", "put {unit} on top", Arrange;
        Interdict { unit: UnitId, group: AirGroup } = "interdict", "13.3a", "a {group} air army interdicts {unit}";
        Remove { unit: UnitId } = "remove", "6.6c", "eliminate {unit}";
        End = "end", "5.1c", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "5.1a", "game turn {turn} begins", Turn;
        PhaseBegan { side: Side, phase: Phase } = "phase", "5.1c", "{side} {phase} phase", Phase;
        StepsReceived { side: Side, steps: u8 } = "steps", "10.6c", "{side} replacement steps: {steps}";
        StepsLost { steps: u8 } = "steps-lost", "10.6b", "replacement steps lost: {steps}";
        AirWithdrawn { group: AirGroup, count: u8 } = "air-withdrawn", "13.4", "{group} air armies withdrawn: {count}";
        AirArrived { count: u8 } = "air-arrived", "13.2a", "air armies that arrive with 1st Ukrainian Front: {count}";
        Deployed { unit: Veiled<UnitId>, hex: Hex } = "deployed", "3.6b", "{unit} is set up in {hex}", Arrival;
        WasCutOff { unit: UnitId } = "cut-off", "7.9i", "{unit} is out of supply to the end of the turn";
        Replenished { unit: Veiled<UnitId>, hex: Hex } = "replenished", "10.8d", "{unit} in {hex} is back at full strength";
        Reclaimed { unit: UnitId } = "reclaimed", "10.8a", "{unit} is reclaimed";
        Arrived { unit: Veiled<UnitId>, hex: Hex } = "arrived", "10.1a", "{unit} arrives in {hex}", Arrival;
        Began { unit: Veiled<UnitId>, hex: Hex, supply: Veiled<Supply>, points: Veiled<u8> } = "began", "7.1a", "{unit} moves from {hex}[ with {points} MP, supply {supply}]";
        Entered { unit: Veiled<UnitId>, hex: Hex, cost: Veiled<u8> } = "entered", "9.2d", "{unit} enters {hex}[ for {cost} MP]", Move;
        Control { hex: Hex, side: Side } = "control", "3.3c", "{hex} is now {side}-controlled", Control;
        NarrowsCrossed = "narrows-crossed", "9.8a", "the narrows are crossed, which no unit may do again";
        Arranged { hex: Hex } = "arranged", "6.8b", "the stack in {hex} is arranged";
        WasInterdicted { unit: UnitId, group: AirGroup } = "interdicted", "13.3a", "a {group} air army interdicts {unit}";
        Declared { units: Units, hex: Hex } = "declared", "11.3a", "attack on {hex} by {units}", Attack;
        Shown { units: Units } = "shown", "6.8b", "shown: {units}", Shown;
        OutOfSupply { units: Units } = "out-of-supply", "7.1b", "out of supply: {units}", Account;
        AttackFactor { unit: UnitId, factor: u8 } = "attack-factor", "11.5a", "{unit} attacks with {factor}", Account;
        DefenceFactor { unit: UnitId, factor: u8 } = "defence-factor", "2.9", "{unit} defends with {factor}", Account;
        Addition { cause: Cause, points: u8 } = "addition", "11.9a", "{cause} adds {points} to the defence", Account;
        Differential { attack: i16, defence: i16, difference: i16 } = "differential", "11.8a", "{attack} against {defence}: {difference}", Account;
        Shift { cause: Cause, columns: i8 } = "shift", "11.8b", "shift {columns} for {cause}", Account;
        ColumnFound { column: u8, heading: Heading } = "column", "11.13", "column {heading}", Column;
        Lowered { column: u8, heading: Heading } = "lowered", "11.14", "lowered to column {heading}", Column;
        Committed = "committed", "11.23b", "the attacker will roll until something happens";
        ArmorConcentrated = "armor-concentrated", "12.6d", "the armor is concentrated";
        ArmorFailed = "armor-failed", "12.6c", "the armor is not concentrated";
        AirSupport { group: AirGroup } = "air-support", "13.1c", "a {group} air army supports the attack";
        Result { result: CombatResult } = "result", "11.8c", "result {result}", Result;
        Becomes { result: CombatResult } = "becomes", "11.18", "the result becomes {result}";
        Withdrew { unit: UnitId, hex: Hex } = "withdrew", "12.2a", "{unit} retreats before combat to {hex}", Retreat;
        Stood { unit: UnitId } = "stood", "11.19a", "the defenders stand; {unit} takes the loss";
        StepLost { unit: UnitId } = "step-lost", "2.11b", "{unit} loses a step", Loss;
        Eliminated { unit: UnitId } = "eliminated", "2.11c", "{unit} is eliminated", Eliminated;
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "11.17a", "{unit} retreats from {from} to {to}", Retreat;
        Advanced { unit: UnitId, hex: Hex } = "advanced", "11.22a", "{unit} advances to {hex}", Advance;
        Exploited { unit: UnitId, hex: Hex } = "exploited", "12.2c", "{unit} advances on to {hex}", Advance;
        Points { cause: PointCause, points: u8 } = "points", "4.3b", "points for {cause}: {points}";
        Ended { winner: Side, points: u8, by: Verdict } = "ended", "4.3g", "{winner} wins; Soviet points {points}", End;
    }
}

/// The least differential of a column; the first reaches down without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heading(i16);

/// How the open end of the combat table is written in its file.
const OPEN_END: i16 = -99;

impl engine::Word for Heading {
    const KIND: &'static str = "column";
    fn word(&self, _: &dyn Lexicon) -> String {
        if self.0 == OPEN_END { "lowest".to_owned() } else { format!("{:+}", self.0) }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let heading = if word == "lowest" { Some(OPEN_END) } else { word.parse().ok() };
        heading.map(Heading).ok_or_else(|| format!("`{word}` is not a column such as +3, or lowest"))
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut engine::Row) -> bool {
        row.value(self.0)
    }
    fn read_cells(cells: &mut engine::row::Cells<'_>) -> Option<Self> {
        cells.value().map(Heading)
    }
}

words! {
    /// What Soviet points are for (4.3).
    pub enum PointCause: "points" {
        /// Towns, a point each.
        Towns = "towns", "4.3b";
        /// Cities, four points each.
        Cities = "cities", "4.3c";
        /// The Baltic coast.
        Coast = "coast", "4.3e";
        /// The area of 1st Ukrainian Front.
        UfArea = "1uf-area": "the 1UF area", "4.3f";
    }
}

words! {
    /// What a game is won by.
    pub enum Verdict: "verdict" {
        SuddenDeath = "sudden-death", "4.2";
        Points = "points", "4.3g";
        Defence = "defence", "4.4b";
    }
}

lexicon!(Dagc);
shelve!(Dagc);
musters!(Action);

impl Types for Dagc {
    const BOOK: Book = Book {
        name: "dagc",
        title: "Destruction of Army Group Center",
        edition: "Decision Games, World at War 9",
        rules: 5,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Dagc {
    fn outcome(&self, state: &State) -> Outcome {
        Dagc::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    fn watch(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        self.end_by_sudden_death(state, play) // 4.2
    }

    fn before_asking(&self, state: &mut State, _: &mut Play<Event>) -> bool {
        self.look_after_ports_and_stacks(state) // 6.6c, 7.9i
    }

    /// Each addition, shift and point is told with the case that gives it.
    fn case_of(&self, event: &Event) -> Case {
        match event {
            Event::Addition { cause, .. } | Event::Shift { cause, .. } => cause.case(),
            Event::Points { cause, .. } => cause.case(),
            Event::PhaseBegan { side, phase } => sequence::phase(*side, *phase).case,
            Event::Becomes { result: CombatResult::DefenderEliminated } => case("11.17d"),
            Event::Deployed { unit: Veiled::Known(unit), hex } => {
                self.case_of_action(&Action::Deploy { unit: *unit, hex: *hex })
            }
            Event::Arrived { unit: Veiled::Known(unit), hex } => {
                self.case_of_action(&Action::Place { unit: *unit, hex: *hex })
            }
            Event::Ended { by, .. } => by.case(),
            _ => event.form().case,
        }
    }

    /// The Fifth Panzer Army is set up by a rule of its own, and so do Korps Gruppen arrive.
    fn case_of_action(&self, action: &Action) -> Case {
        match action {
            Action::Deploy { unit, .. } if self.counter(*unit).group == Group::FifthPanzer => case("3.7b"),
            Action::Place { unit, .. } if self.counter(*unit).group == Group::Kg => case("10.4a"),
            _ => action.form().case,
        }
    }

    fn phases(&self, _: &State) -> Vec<display::Phase> {
        sequence::phases()
    }
}

impl Dagc {
    fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    /// Whose a unit is.
    pub fn side(&self, unit: UnitId) -> Side {
        self.counter(unit).side
    }

    /// A fortified locality, which never moves (2.10c).
    fn is_fortified(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::Fortified
    }

    fn is_cav_mech(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::CavMech
    }

    fn is_1uf(&self, unit: UnitId) -> bool {
        self.counter(unit).group == Group::Uf
    }

    /// The current combat factor (2.9, 2.11).
    pub fn factor(&self, state: &State, unit: UnitId) -> u8 {
        let counter = self.counter(unit);
        if state.unit(unit).steps >= counter.steps() {
            counter.full
        } else {
            counter.reduced.unwrap_or(counter.full)
        }
    }

    fn is_full_strength(&self, state: &State, unit: UnitId) -> bool {
        state.unit(unit).steps == self.counter(unit).steps()
    }

    /// The units of a side on the map.
    fn on_map<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = (UnitId, Hex)> + 'a {
        let of_side = self.counters.iter().enumerate().filter(move |(_, counter)| counter.side == side);
        let units = of_side.map(|(i, _)| UnitId(i as u16));
        units.filter_map(|unit| Some((unit, state.hex(unit)?)))
    }
}

impl State {
    fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit]
    }

    fn change(&mut self, unit: UnitId, change: impl FnOnce(&mut Unit)) {
        self.units.change(unit, change);
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

    /// The units in a hex, top first.
    pub fn stack_in(&self, hex: Hex) -> Pile {
        let mut pile: Pile = self.units.in_hex(hex).collect();
        pile.sort_by_key(|unit| self.marked(*unit, Marks::BENEATH));
        pile
    }

    /// The battle under way.
    pub fn battle(&self) -> Option<&Battle> {
        self.stack.find()
    }

    /// Who controls a hex (3.3a).
    fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }
}
