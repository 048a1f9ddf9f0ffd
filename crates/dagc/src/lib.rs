//! Destruction of Army Group Center.
//!
//! One module a section of the rulebook, in its order: [`scenario`] (3), [`victory`] (4), [`sequence`] (5),
//! [`stacking`] (6), [`supply`] (7), [`zoc`] (8), [`movement`] (9), [`reinforcement`] (10), [`combat`] and
//! [`results`] (11), [`special`] (12), [`air`] (13). Every decision is a frame in the module of its section. [`account`]
//! adds up a battle, [`charts`] reads the data files, [`setup`] reads and writes situations, [`position`] is what the
//! rules see of a state, [`view`] what a side sees of it, [`scout`] what an opponent asks, [`drawing`] what else a client
//! draws, and this file holds the types and the contract with the engine. Numbers in parentheses are cases; R and a
//! number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use engine::display::{self, Overlay, Route, Turn};
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::observation::{Observation, Schema};
use engine::store::{OnMap, UnitStore};
use engine::{
    Book, BySide, Case, Data, Dice, Lexicon, Options, Outcome, Phrase, Play, Proof, Remark, Roster, Rulebook,
    Side, UnitId, UnitSet, Veiled, View, Viewer, Violation, case, frames, marks, musters, phrases, switches,
    words,
};
use include_dir::{Dir, include_dir};
use source::{Faults, Source, Table, Writer};

mod account;
mod air;
mod charts;
mod combat;
mod drawing;
mod ground;
mod movement;
mod position;
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
use position::Position;

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/dagc");

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
        AirMain = "air-main",
        /// An air army of 1st Ukrainian Front (13.2b).
        AirUf = "air-1uf",
        /// The Armor Concentration marker, after a good roll (12.6d).
        Armor = "armor",
        /// The Armor Concentration marker, after a bad roll (12.6c).
        ArmorFailed = "armor-failed",
    }
}

words! {
    /// Why a column is shifted, or a defence added to.
    pub enum Cause: "cause" {
        /// The offensive's first blow.
        Bagration = "bagration",
        /// Attackers out of supply.
        AttackerOos = "attacker-oos",
        /// Defenders out of supply.
        DefenderOos = "defender-oos",
        /// Attack from around.
        Concentric = "concentric",
        /// Partisans behind the defenders.
        Partisans = "partisans",
        /// Armor concentration.
        Armor = "armor",
        /// A shock army.
        Shock = "shock",
        /// An air army.
        Air = "air",
        /// The natural terrain of the hex.
        Terrain = "terrain",
        /// A town.
        Town = "town",
        /// A city.
        City = "city",
        /// German entrenchments.
        Entrenchment = "entrenchment",
        /// Rivers before all attackers.
        River = "river",
    }
}

words! {
    /// A phase of the game turn (5.2).
    pub enum Phase: "phase" {
        /// I.A and II.A.
        Reinforcement = "replacement-and-reinforcement",
        /// I.B and II.B.
        PreCombat = "pre-movement-combat",
        /// II.C.
        Interdiction = "interdiction",
        /// I.C and II.D.
        Movement = "movement",
        /// I.D and II.E.
        PostCombat = "post-movement-combat",
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

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// On the map.
    Map(Hex),
    /// On the turn track, or held back (3.1b, 10.5a).
    Track,
    /// In the dead pile (2.11c).
    Dead,
    /// In its owner's hand, to be set up before play (3.6b, 3.7b).
    Hand,
    /// Not in this game (3.1c, 3.1d).
    Out,
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

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    /// Steps left; 0 in the dead pile.
    steps: u8,
    marks: Marks,
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        match self.place {
            Place::Map(hex) => Some(hex),
            _ => None,
        }
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
    units: UnitStore<Unit, MAX_UNITS>,
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
    pub enum Procedure of Dagc {
        Deployment, Overload, Reinforcement, Combat, Movement, Moving, Interdiction, Attack, Battle, Supporting, Column,
        Withdrawal, DefenderRetreat, SplitRetreat, AttackerLosses, Advance, Ending, Overstacked,
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        /// Set up a unit before play.
        Deploy { unit: UnitId, hex: Hex } = "deploy", "3.6b", "set up {unit} in {hex}";
        /// Name a unit that its port cannot supply.
        CutOff { unit: UnitId } = "cut-off", "7.9g", "{unit} is out of supply this turn";
        /// Spend a replacement step on a reduced unit.
        Replenish { unit: UnitId } = "replenish", "10.8d", "replenish {unit}";
        /// Spend a replacement step on an eliminated unit.
        Reclaim { unit: UnitId } = "reclaim", "10.8a", "reclaim {unit} from the dead pile";
        /// Bring a unit onto the map.
        Place { unit: UnitId, hex: Hex } = "place", "10.1b", "{unit} arrives in {hex}";
        /// Put an attack together, beginning with one unit.
        Name { unit: UnitId, hex: Hex } = "name", "11.2", "{unit} attacks {hex}";
        /// Add a unit to the attack.
        Join { unit: UnitId } = "join", "11.4", "{unit} joins the attack";
        /// Take a unit out of the attack.
        Leave { unit: UnitId } = "leave", "11.4", "{unit} does not join the attack", TakeBack;
        /// Call the attack off before it is declared.
        Cancel = "cancel", "11.1b", "call the attack off", TakeBack;
        /// All attackers are named.
        Declare = "declare", "11.3a", "declare the attack", Finish;
        /// Support the attack with an air army.
        Air { group: AirGroup } = "air", "13.1c", "a {group} air army supports the attack";
        /// Commit the Armor Concentration marker.
        Armor = "armor", "12.6a", "commit the Armor Concentration marker";
        /// No support.
        Unsupported = "unsupported", "11.8b", "no support", Finish;
        /// Lower the column by one.
        Lower = "lower", "11.14", "lower the column by one";
        /// Roll until a result other than AS appears.
        Ardor = "ardor", "11.23a", "roll until something happens";
        /// Roll the die.
        Roll = "roll", "11.8c", "roll the die", Finish;
        /// Retreat the cav-mech group before combat.
        Withdraw { hex: Hex } = "withdraw", "12.2a", "retreat before combat to {hex}";
        /// Let the cav-mech group fight.
        Fight = "fight", "12.2a", "stay and fight", Finish;
        /// Take a step loss instead of retreating.
        Stand { unit: UnitId } = "stand", "11.19a", "stand: {unit} loses a step";
        /// Retreat the whole force.
        Retreat { hex: Hex } = "retreat", "11.17a", "retreat to {hex}";
        /// Retreat one of two units.
        RetreatOne { unit: UnitId, hex: Hex } = "retreat-one", "11.17c", "{unit} retreats to {hex}";
        /// Name the attacker that loses a step.
        Lose { unit: UnitId } = "lose", "11.21c", "{unit} loses a step";
        /// Advance into the hex that was attacked.
        Advance { unit: UnitId } = "advance", "11.22a", "{unit} advances";
        /// Advance a second hex.
        Exploit { unit: UnitId, hex: Hex } = "exploit", "12.2c", "{unit} advances on to {hex}";
        /// No more advances.
        Halt = "halt", "11.22a", "no more advances", Finish;
        /// Begin to move a unit.
        Move { unit: UnitId } = "move", "9.2b", "move {unit}";
        /// Go on to a hex by the cheapest lawful path.
        Go { hex: Hex } = "go", "9.2d", "go to {hex}";
        /// End the move of the unit.
        Stop = "stop", "9.2b", "end the move", Finish;
        /// Put a unit on top of its stack.
        Top { unit: UnitId } = "top", "6.8b", "put {unit} on top";
        /// Interdict a German unit.
        Interdict { unit: UnitId, group: AirGroup } = "interdict", "13.3a", "a {group} air army interdicts {unit}";
        /// Eliminate a unit in excess of the stacking limit.
        Remove { unit: UnitId } = "remove", "6.6c", "eliminate {unit}";
        /// End the phase.
        End = "end", "5.1c", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        /// A game turn begins.
        TurnBegan { turn: u8 } = "turn", "5.1a", "game turn {turn} begins", Turn;
        /// A phase begins.
        PhaseBegan { side: Side, phase: Phase } = "phase", "5.1c", "{side} {phase} phase", Phase;
        /// Replacement steps are received.
        StepsReceived { side: Side, steps: u8 } = "steps", "10.6c", "{side} receives {steps} replacement steps";
        /// Replacement steps are lost.
        StepsLost { steps: u8 } = "steps-lost", "10.6b", "{steps} replacement steps are lost";
        /// Air armies are withdrawn.
        AirWithdrawn { group: AirGroup, count: u8 } = "air-withdrawn", "13.4", "{count} {group} air armies are withdrawn";
        /// Air armies arrive.
        AirArrived { count: u8 } = "air-arrived", "13.2a", "{count} air armies of 1st Ukrainian Front arrive";
        /// A unit is set up.
        Deployed { unit: Veiled<UnitId>, hex: Hex } = "deployed", "3.6b", "{unit} is set up in {hex}", Arrival;
        /// A unit is cut off from its port.
        WasCutOff { unit: UnitId } = "cut-off", "7.9i", "{unit} is out of supply to the end of the turn";
        /// A unit is replenished.
        Replenished { unit: Veiled<UnitId>, hex: Hex } = "replenished", "10.8d", "{unit} in {hex} is back at full strength";
        /// A unit is reclaimed.
        Reclaimed { unit: UnitId } = "reclaimed", "10.8a", "{unit} is reclaimed";
        /// A unit arrives.
        Arrived { unit: Veiled<UnitId>, hex: Hex } = "arrived", "10.1a", "{unit} arrives in {hex}", Arrival;
        /// A unit begins to move.
        Began { unit: Veiled<UnitId>, hex: Hex, supply: Veiled<Supply>, points: Veiled<u8> } = "began", "7.1a", "{unit} moves from {hex}[ with {points} MP, supply {supply}]";
        /// A unit enters a hex.
        Entered { unit: Veiled<UnitId>, hex: Hex, cost: Veiled<u8> } = "entered", "9.2d", "{unit} enters {hex}[ for {cost} MP]", Move;
        /// A hex changes hands.
        Control { hex: Hex, side: Side } = "control", "3.3c", "{hex} is {side}", Control;
        /// The narrows are crossed.
        NarrowsCrossed = "narrows-crossed", "9.8a", "the narrows are crossed, once and for all";
        /// A unit is put on top.
        Arranged { hex: Hex } = "arranged", "6.8b", "the stack in {hex} is arranged";
        /// A unit is interdicted.
        WasInterdicted { unit: UnitId, group: AirGroup } = "interdicted", "13.3a", "a {group} air army interdicts {unit}";
        /// An attack is declared.
        Declared { units: Units, hex: Hex } = "declared", "11.3a", "attack on {hex} by {units}", Attack;
        /// Units are shown to the enemy.
        Shown { units: Units } = "shown", "6.8b", "shown: {units}", Shown;
        /// Who is out of supply in this battle.
        OutOfSupply { units: Units } = "out-of-supply", "7.1b", "out of supply: {units}", Account;
        /// What a unit brings to the attack.
        AttackFactor { unit: UnitId, factor: u8 } = "attack-factor", "11.5a", "{unit} attacks with {factor}", Account;
        /// What a unit brings to the defence.
        DefenceFactor { unit: UnitId, factor: u8 } = "defence-factor", "2.9", "{unit} defends with {factor}", Account;
        /// What the ground adds to the defence.
        Addition { cause: Cause, points: u8 } = "addition", "11.9a", "{cause} adds {points} to the defence", Account;
        /// The differential.
        Differential { attack: i16, defence: i16, difference: i16 } = "differential", "11.8a", "{attack} against {defence}: {difference}", Account;
        /// A column shift.
        Shift { cause: Cause, columns: i8 } = "shift", "11.8b", "shift {columns} for {cause}", Account;
        /// The column.
        ColumnFound { column: u8, heading: Heading } = "column", "11.13", "column {heading}", Column;
        /// The column is lowered.
        Lowered { column: u8, heading: Heading } = "lowered", "11.14", "lowered to column {heading}", Column;
        /// The attacker rolls until something happens.
        Committed = "committed", "11.23b", "the attacker will roll until something happens";
        /// Armor concentration succeeds.
        ArmorConcentrated = "armor-concentrated", "12.6d", "the armor is concentrated";
        /// It does not.
        ArmorFailed = "armor-failed", "12.6c", "the armor is not concentrated";
        /// An air army supports the attack.
        AirSupport { group: AirGroup } = "air-support", "13.1c", "a {group} air army supports the attack";
        /// What the table says.
        Result { result: CombatResult } = "result", "11.8c", "result {result}", Result;
        /// The result becomes another.
        Becomes { result: CombatResult } = "becomes", "11.18", "the result becomes {result}";
        /// A cav-mech group retreats before combat.
        Withdrew { unit: UnitId, hex: Hex } = "withdrew", "12.2a", "{unit} retreats before combat to {hex}", Retreat;
        /// The defenders stand.
        Stood { unit: UnitId } = "stood", "11.19a", "the defenders stand, {unit} takes the loss";
        /// A unit loses a step.
        StepLost { unit: UnitId } = "step-lost", "2.11b", "{unit} loses a step", Loss;
        /// A unit is eliminated.
        Eliminated { unit: UnitId } = "eliminated", "2.11c", "{unit} is eliminated", Eliminated;
        /// A unit retreats.
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "11.17a", "{unit} retreats from {from} to {to}", Retreat;
        /// A unit advances.
        Advanced { unit: UnitId, hex: Hex } = "advanced", "11.22a", "{unit} advances to {hex}", Advance;
        /// A unit advances a second hex.
        Exploited { unit: UnitId, hex: Hex } = "exploited", "12.2c", "{unit} advances on to {hex}", Advance;
        /// Points are counted.
        Points { cause: PointCause, points: u8 } = "points", "4.3b", "{points} points for {cause}";
        /// The game is over.
        Ended { winner: Side, points: u8 } = "ended", "4.3g", "{winner} wins; Soviet points {points}", End;
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
        Towns = "towns",
        /// Cities, four points each.
        Cities = "cities",
        /// The Baltic coast.
        Coast = "coast",
        /// The area of 1st Ukrainian Front.
        UfArea = "1uf-area",
    }
}

impl Lexicon for Dagc {
    fn map(&self) -> &Map {
        &self.map
    }
    fn roster(&self) -> &Roster {
        &self.roster
    }
    fn sides(&self) -> BySide<&'static str> {
        Dagc::BOOK.sides
    }
}

musters!(Action);

impl Rulebook for Dagc {
    const BOOK: Book = Book {
        name: "dagc",
        title: "Destruction of Army Group Center",
        edition: "Decision Games, World at War 9",
        rules: 4,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    type Frame = Procedure;
    type Stack = Stack<Procedure, DEPTH>;

    const MARKS: &'static [Mark] = Marks::ALL;

    fn embedded() -> Data {
        Data::embedded(Self::BOOK.name, &DATA)
    }

    fn read_map(source: &Source, data: &Data) -> Result<Map, Faults> {
        charts::read_map(source, data)
    }

    fn read(situation: &Table<'_>, data: &Data, options: Options) -> Option<(Self, State)> {
        setup::read(situation, data, options)
    }

    fn write(&self, state: &State, out: &mut Writer) {
        setup::write(self, state, out);
    }

    fn options(&self) -> Options {
        self.options
    }

    fn stack(state: &State) -> &Self::Stack {
        &state.stack
    }

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
            _ => event.form().case,
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view::view(self, state, viewer)
    }

    const SCHEMA: Schema = view::SCHEMA;

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        view::observe(self, state, side, out);
    }

    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        view::imagine(self, state, side, dice)
    }

    fn proofs(&self, state: &State, unit: UnitId, _: Viewer) -> Vec<Proof> {
        self.supply_proof(state, unit).into_iter().collect()
    }

    fn threat(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex, viewer)
    }

    fn counter(&self, _: &State, unit: UnitId) -> display::Counter {
        drawing::counter(Dagc::counter(self, unit))
    }

    fn phases(&self, _: &State) -> Vec<display::Phase> {
        sequence::phases()
    }

    fn turns(&self, _: &State) -> Vec<Turn> {
        drawing::turns(self)
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        drawing::overlays(self, state, viewer)
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match (state.stack.top::<Moving>(), action) {
            (Some(moving), Action::Go { hex }) => self.route_to(state, moving.unit, moving.left, hex),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        drawing::remarks_on(self, state, hex)
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        setup::audit(self, state)
    }
}

impl Cause {
    fn case(self) -> Case {
        match self {
            Cause::Bagration => case("5.4b"),
            Cause::AttackerOos => case("7.4a"),
            Cause::DefenderOos => case("7.4b"),
            Cause::Concentric => case("11.11a"),
            Cause::Partisans => case("11.25"),
            Cause::Armor => case("12.6d"),
            Cause::Shock => case("12.7a"),
            Cause::Air => case("13.1c"),
            Cause::Terrain => case("11.9a"),
            Cause::Town | Cause::City => case("11.9c"),
            Cause::Entrenchment => case("11.10a"),
            Cause::River => case("11.9b"),
        }
    }
}

impl PointCause {
    fn case(self) -> Case {
        match self {
            PointCause::Towns => case("4.3b"),
            PointCause::Cities => case("4.3c"),
            PointCause::Coast => case("4.3e"),
            PointCause::UfArea => case("4.3f"),
        }
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
