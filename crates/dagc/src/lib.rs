//! Destruction of Army Group Center.
//!
//! One module a section of the rulebook, in its order: [`scenario`] (3), [`victory`] (4), [`sequence`] (5),
//! [`stacking`] (6), [`supply`] (7), [`zoc`] (8), [`movement`] (9), [`reinforcement`] (10), [`combat`] and
//! [`results`] (11), [`special`] (12), [`air`] (13). [`charts`] reads the data files, [`setup`] reads and writes
//! situations, [`position`] is what the rules see of a state, [`view`] what a side sees of it, [`scout`] what an opponent asks, [`drawing`] what else a
//! client draws, and this file holds the types and the contract with the engine. Numbers in parentheses are cases; R and a number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use engine::display::{self, Overlay, Route, Turn};
use engine::{
    Asked, Book, BySide, Case, Data, Dice, Lexicon, Options, Phrase, Play, Proof, Remark, Roster, Rulebook,
    Side, Switch, UnitId, UnitSet, View, Viewer, Violation, case, phrases, words,
};
use include_dir::{Dir, include_dir};
use source::{Faults, Source, Table, Writer};

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

pub use scout::{Chances, Lines};

use charts::{Charts, Counter};
use ground::Ground;
use position::Position;

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/dagc");

/// The most units a game can have.
pub const MAX_UNITS: usize = 96;

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

/// The optional rules and scenario changes that are on (3.6 to 3.10, 11.19d).
#[derive(Clone, Copy, Debug, Default)]
struct Switches {
    southern_center: bool,
    bold_deployment: bool,
    free_1uf: bool,
    free_1uf_air: bool,
    no_forced_attacks: bool,
    north_ukraine: bool,
    late_pripyat: bool,
    fifth_panzer: bool,
    two_replacements: bool,
    three_replacements: bool,
    stand_fast: bool,
    open_stacks: bool,
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

/// What is marked on a unit, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Marks(u16);

impl Marks {
    /// Has begun to move in this phase (9.2c).
    const MOVED: Marks = Marks(1);
    /// Has taken part in an attack in this phase (11.5a).
    const ATTACKED: Marks = Marks(2);
    /// Has been attacked in this phase (11.3b).
    const DEFENDED: Marks = Marks(4);
    /// Has retreated in this phase (11.17h).
    const RETREATED: Marks = Marks(8);
    /// Is interdicted in this phase (13.3).
    const INTERDICTED: Marks = Marks(16);
    /// Was in range of the Center of Gravity when the game began (5.4a).
    const ACTIVATED: Marks = Marks(32);
    /// Has absorbed a replacement step in this game turn (10.8g).
    const REPLACED: Marks = Marks(64);
    /// Was named as beyond its port's capacity in this game turn (7.9i).
    const CUT_OFF: Marks = Marks(128);
    /// Lies beneath another unit (6.8b).
    const BENEATH: Marks = Marks(256);
    /// Has been shown to the German player in this phase (6.8b, 6.8c).
    const SHOWN: Marks = Marks(512);
    /// Has been put on top of its stack in this phase (R40).
    const ARRANGED: Marks = Marks(1024);

    /// Their words in situations and views.
    const WORDS: [(&'static str, Marks); 11] = [
        ("moved", Marks::MOVED),
        ("attacked", Marks::ATTACKED),
        ("defended", Marks::DEFENDED),
        ("retreated", Marks::RETREATED),
        ("interdicted", Marks::INTERDICTED),
        ("activated", Marks::ACTIVATED),
        ("replaced", Marks::REPLACED),
        ("cut-off", Marks::CUT_OFF),
        ("beneath", Marks::BENEATH),
        ("shown", Marks::SHOWN),
        ("arranged", Marks::ARRANGED),
    ];

    /// Those that last for a phase.
    const OF_A_PHASE: Marks = Marks(
        Marks::MOVED.0
            | Marks::ATTACKED.0
            | Marks::DEFENDED.0
            | Marks::RETREATED.0
            | Marks::SHOWN.0
            | Marks::ARRANGED.0,
    );
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    /// Steps left; 0 in the dead pile.
    steps: u8,
    marks: Marks,
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
    /// By unit; beyond the last counter nothing is in the game.
    units: [Unit; MAX_UNITS],
    /// Land hexes under Soviet control; all others are German (3.3a).
    soviet_hexes: HexSet,
    /// Replacement steps left in this phase (10.6b).
    steps_left: u8,
    rolls: ArrayVec<SharedRoll, 48>,
    air: ArrayVec<AirArmies, 2>,
    /// The one crossing of the narrows was made (9.8a).
    narrows_used: bool,
    /// Armor Concentration was tried in this German player turn (12.6c).
    armor_tried: bool,
    /// Ports that have once been Soviet (7.9n), by their place in the list of ports.
    lost_ports: u16,
    battle: Option<Battle>,
    /// The procedures under way, the innermost last. None when the game is over.
    stack: ArrayVec<Procedure, 6>,
}

phrases! {
    /// The attack that is being made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Battle {
        /// Attackers are being named, or the attack is being carried through.
        Attack {
            target: Hex,
            attackers: UnitSet,
            supplied: UnitSet,
            shock: UnitSet,
            support: Support,
            column: i8,
            ardor: bool,
            losses: u8,
            advanced: UnitSet,
            exploited: UnitSet
        } = "attack", "11.3a", "{attackers} attack {target}";
    }
}

phrases! {
    /// A procedure under way. The last on the stack asks for a decision.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Procedure {
        /// A side sets up units in hand before play.
        Deployment { side: Side } = "deployment", "3.6b", "{side} sets up";
        /// More units depend on a port than it can supply.
        Overload = "overload", "7.9g", "a port is overloaded";
        /// Replacements and reinforcements.
        Reinforcement { side: Side } = "reinforcement", "5.2a", "{side} replacement and reinforcement phase";
        /// A combat phase, before or after movement.
        Combat { side: Side, after: bool } = "combat", "11.1a", "{side} combat phase";
        /// A movement phase.
        Movement { side: Side } = "movement", "9.1", "{side} movement phase";
        /// A unit on its way, with the points it has left.
        Moving { unit: UnitId, left: u8 } = "moving", "9.2d", "{unit} moves";
        /// Soviet air armies are placed on German units.
        Interdiction = "interdiction", "5.2g", "Soviet interdiction";
        /// Attackers are being named.
        Attack = "attack", "11.4", "attackers are named";
        /// Support for the attack is being named.
        Supporting = "supporting", "13.1c", "support is named";
        /// The attacker may lower the column, or commit to roll until something happens.
        Column = "column", "11.14", "the column is settled";
        /// A cav-mech group may retreat before combat.
        Withdrawal = "withdrawal", "12.2a", "a cav-mech group may retreat";
        /// The defender retreats, or takes a loss instead.
        DefenderRetreat = "defender-retreat", "11.17a", "the defenders retreat";
        /// The defenders retreat one by one, because no hex has room for both.
        SplitRetreat = "split-retreat", "11.17c", "the defenders retreat one by one";
        /// The attacker names who loses a step.
        AttackerLosses = "attacker-losses", "11.21c", "the attacker loses steps";
        /// Attackers may advance.
        Advance = "advance", "11.22a", "attackers may advance";
        /// The phase ends as soon as stacking is in order.
        Ending = "ending", "6.6c", "the phase ends";
        /// Too many units are in a hex.
        Overstacked { hex: Hex } = "overstacked", "6.6c", "{hex} is overstacked";
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
        /// Declare an attack, beginning with one unit.
        Attack { unit: UnitId, hex: Hex } = "attack", "11.2", "{unit} attacks {hex}";
        /// Add a unit to the attack.
        Join { unit: UnitId } = "join", "11.4", "{unit} joins the attack";
        /// All attackers are named.
        Declare = "declare", "11.3a", "all attackers are named";
        /// Support the attack with an air army.
        Air { group: AirGroup } = "air", "13.1c", "a {group} air army supports the attack";
        /// Commit the Armor Concentration marker.
        Armor = "armor", "12.6a", "commit the Armor Concentration marker";
        /// No support.
        Unsupported = "unsupported", "11.8b", "no support";
        /// Lower the column by one.
        Lower = "lower", "11.14", "lower the column by one";
        /// Roll until a result other than AS appears.
        Ardor = "ardor", "11.23a", "roll until something happens";
        /// Roll the die.
        Roll = "roll", "11.8c", "roll the die";
        /// Retreat the cav-mech group before combat.
        Withdraw { hex: Hex } = "withdraw", "12.2a", "retreat before combat to {hex}";
        /// Let the cav-mech group fight.
        Fight = "fight", "12.2a", "stay and fight";
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
        Halt = "halt", "11.22a", "no more advances";
        /// Begin to move a unit.
        Move { unit: UnitId } = "move", "9.2b", "move {unit}";
        /// Go on to a hex by the cheapest lawful path.
        Go { hex: Hex } = "go", "9.2d", "go to {hex}";
        /// End the move of the unit.
        Stop = "stop", "9.2b", "end the move";
        /// Put a unit on top of its stack.
        Top { unit: UnitId } = "top", "6.8b", "put {unit} on top";
        /// Interdict a German unit.
        Interdict { unit: UnitId, group: AirGroup } = "interdict", "13.3a", "a {group} air army interdicts {unit}";
        /// Eliminate a unit in excess of the stacking limit.
        Remove { unit: UnitId } = "remove", "6.6c", "eliminate {unit}";
        /// End the phase.
        End = "end", "5.1c", "end the phase";
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        /// A game turn begins.
        TurnBegan { turn: u8 } = "turn", "5.1a", "game turn {turn} begins";
        /// A phase begins.
        PhaseBegan { side: Side, phase: Phase } = "phase", "5.1c", "{side} {phase} phase";
        /// Replacement steps are received.
        StepsReceived { side: Side, steps: u8 } = "steps", "10.6c", "{side} receives {steps} replacement steps";
        /// Replacement steps are lost.
        StepsLost { steps: u8 } = "steps-lost", "10.6b", "{steps} replacement steps are lost";
        /// Air armies are withdrawn.
        AirWithdrawn { group: AirGroup, count: u8 } = "air-withdrawn", "13.4", "{count} {group} air armies are withdrawn";
        /// Air armies arrive.
        AirArrived { count: u8 } = "air-arrived", "13.2a", "{count} air armies of 1st Ukrainian Front arrive";
        /// A unit is set up.
        Deployed { unit: UnitId, hex: Hex } = "deployed", "3.6b", "{unit} is set up in {hex}";
        /// A unit is set up beneath another.
        DeployedUnseen { hex: Hex } = "deployed-unseen", "6.8b", "a unit is set up in {hex}";
        /// A unit is cut off from its port.
        WasCutOff { unit: UnitId } = "cut-off", "7.9i", "{unit} is out of supply to the end of the turn";
        /// A unit is replenished.
        Replenished { unit: UnitId } = "replenished", "10.8d", "{unit} is back at full strength";
        /// A unit that the enemy does not see is replenished.
        ReplenishedUnseen { hex: Hex } = "replenished-unseen", "6.8b", "a unit in {hex} is replenished";
        /// A unit is reclaimed.
        Reclaimed { unit: UnitId } = "reclaimed", "10.8a", "{unit} is reclaimed";
        /// A unit arrives.
        Arrived { unit: UnitId, hex: Hex } = "arrived", "10.1a", "{unit} arrives in {hex}";
        /// A unit arrives beneath another.
        ArrivedUnseen { hex: Hex } = "arrived-unseen", "6.8b", "a unit arrives in {hex}";
        /// A unit begins to move.
        Began { unit: UnitId, supply: Supply, points: u8 } = "began", "7.1a", "{unit} moves with {points} MP, supply {supply}";
        /// A unit that the enemy does not see begins to move.
        BeganUnseen { hex: Hex } = "began-unseen", "6.8b", "a unit in {hex} begins to move";
        /// A unit enters a hex.
        Entered { unit: UnitId, hex: Hex, cost: u8 } = "entered", "9.2d", "{unit} enters {hex} for {cost} MP";
        /// A unit that the enemy does not see enters a hex.
        EnteredUnseen { hex: Hex } = "entered-unseen", "6.8b", "a unit enters {hex}";
        /// A hex changes hands.
        Control { hex: Hex, side: Side } = "control", "3.3c", "{hex} is {side}";
        /// The narrows are crossed.
        NarrowsCrossed = "narrows-crossed", "9.8a", "the narrows are crossed, once and for all";
        /// A unit is put on top.
        Arranged { hex: Hex } = "arranged", "6.8b", "the stack in {hex} is arranged";
        /// A unit is interdicted.
        WasInterdicted { unit: UnitId, group: AirGroup } = "interdicted", "13.3a", "a {group} air army interdicts {unit}";
        /// An attack is declared.
        Declared { unit: UnitId, hex: Hex } = "declared", "11.3a", "{unit} attacks {hex}";
        /// A unit joins it.
        Joined { unit: UnitId } = "joined", "11.4", "{unit} joins the attack";
        /// A stack is shown.
        Shown { units: UnitSet } = "shown", "6.8b", "{units} shown";
        /// Who is out of supply in this battle.
        OutOfSupply { units: UnitSet } = "out-of-supply", "7.1b", "out of supply: {units}";
        /// What a unit brings to the attack.
        AttackFactor { unit: UnitId, factor: u8 } = "attack-factor", "11.5a", "{unit} attacks with {factor}";
        /// What a unit brings to the defence.
        DefenceFactor { unit: UnitId, factor: u8 } = "defence-factor", "2.9", "{unit} defends with {factor}";
        /// What the ground adds to the defence.
        Addition { cause: Cause, points: u8 } = "addition", "11.9a", "{cause} adds {points} to the defence";
        /// The differential.
        Differential { attack: u8, defence: u8, difference: i8 } = "differential", "11.8a", "{attack} against {defence}: {difference}";
        /// A column shift.
        Shift { cause: Cause, columns: i8 } = "shift", "11.8b", "shift {columns} for {cause}";
        /// The column.
        ColumnFound { column: i8, heading: Heading } = "column", "11.13", "column {heading}";
        /// The column is lowered.
        Lowered { column: i8, heading: Heading } = "lowered", "11.14", "lowered to column {heading}";
        /// The attacker rolls until something happens.
        Committed = "committed", "11.23b", "the attacker will roll until something happens";
        /// Armor concentration succeeds.
        ArmorConcentrated = "armor-concentrated", "12.6d", "the armor is concentrated";
        /// It does not.
        ArmorFailed = "armor-failed", "12.6c", "the armor is not concentrated";
        /// An air army supports the attack.
        AirSupport { group: AirGroup } = "air-support", "13.1c", "a {group} air army supports the attack";
        /// What the table says.
        Result { result: CombatResult } = "result", "11.8c", "result {result}";
        /// The result becomes another.
        Becomes { result: CombatResult } = "becomes", "11.18", "the result becomes {result}";
        /// A cav-mech group retreats before combat.
        Withdrew { unit: UnitId, hex: Hex } = "withdrew", "12.2a", "{unit} retreats before combat to {hex}";
        /// The defenders stand.
        Stood { unit: UnitId } = "stood", "11.19a", "the defenders stand, {unit} takes the loss";
        /// A unit loses a step.
        StepLost { unit: UnitId } = "step-lost", "2.11b", "{unit} loses a step";
        /// A unit is eliminated.
        Eliminated { unit: UnitId } = "eliminated", "2.11c", "{unit} is eliminated";
        /// A unit retreats.
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "11.17a", "{unit} retreats from {from} to {to}";
        /// A unit advances.
        Advanced { unit: UnitId, hex: Hex } = "advanced", "11.22a", "{unit} advances to {hex}";
        /// A unit advances a second hex.
        Exploited { unit: UnitId, hex: Hex } = "exploited", "12.2c", "{unit} advances on to {hex}";
        /// Points are counted.
        Points { cause: PointCause, points: u8 } = "points", "4.3b", "{points} points for {cause}";
        /// The game is over.
        Ended { winner: Side, points: u8 } = "ended", "4.3g", "{winner} wins; Soviet points {points}";
    }
}

/// The least differential of a column; the first reaches down without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heading(i8);

/// How the open end of the combat table is written in its file.
const OPEN_END: i8 = -99;

impl engine::Word for Heading {
    const KIND: &'static str = "column";
    fn word(&self, _: &dyn Lexicon) -> String {
        if self.0 == OPEN_END { "lowest".to_owned() } else { format!("{:+}", self.0) }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let heading = if word == "lowest" { Some(OPEN_END) } else { word.parse().ok() };
        heading.map(Heading).ok_or_else(|| format!("`{word}` is not a column such as +3, or lowest"))
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
}

impl Rulebook for Dagc {
    const BOOK: Book = Book {
        name: "dagc",
        title: "Destruction of Army Group Center",
        edition: "Decision Games, World at War 9",
        rules: 3,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: &[
            Switch {
                name: "southern-center",
                case: case("3.6a"),
                about: "the Center of Gravity lies in 4720",
            },
            Switch {
                name: "bold-deployment",
                case: case("3.6b"),
                about: "the nine starred units set up near the Center of Gravity",
            },
            Switch {
                name: "free-1uf",
                case: case("10.2c"),
                about: "1st Ukrainian Front may move and fight anywhere",
            },
            Switch {
                name: "free-1uf-air",
                case: case("13.2d"),
                about: "1st Ukrainian Front's air armies may interdict anywhere",
            },
            Switch {
                name: "no-forced-attacks",
                case: case("11.1c"),
                about: "activated units need not attack on turn 1",
            },
            Switch {
                name: "north-ukraine",
                case: case("3.6d"),
                about: "four corps of Army Group North Ukraine arrive from turn 3",
            },
            Switch {
                name: "late-pripyat",
                case: case("3.6f"),
                about: "Western Pripyat supply begins on turn 2",
            },
            Switch {
                name: "fifth-panzer",
                case: case("3.7a"),
                about: "the Fifth Panzer Army sets up with the Germans",
            },
            Switch {
                name: "two-replacements",
                case: case("3.8a"),
                about: "two German replacement steps every turn",
            },
            Switch {
                name: "three-replacements",
                case: case("3.9b"),
                about: "three German replacement steps every turn",
            },
            Switch {
                name: "stand-fast",
                case: case("11.19d"),
                about: "Germans must stand instead of retreating where they can",
            },
            Switch {
                name: "open-stacks",
                case: case("6.8b"),
                about: "both players may look into all stacks",
            },
        ],
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const FINISHING: &'static [&'static str] =
        &["declare", "unsupported", "roll", "fight", "halt", "stop", "end"];

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

    fn asked(&self, state: &State) -> Asked {
        sequence::asked(self, state)
    }

    fn answers(&self, state: &State, answers: &mut Vec<Action>) {
        sequence::answers(self, state, answers);
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Violation> {
        sequence::check(self, state, action)
    }

    fn apply(&self, state: &mut State, action: Action, play: &mut Play<Event>) {
        sequence::apply(self, state, action, play);
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

    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        view::imagine(self, state, side, dice)
    }

    fn proofs(&self, state: &State, unit: UnitId, _: Viewer) -> Vec<Proof> {
        self.supply_proof(state, unit).into_iter().collect()
    }

    fn threat(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex, viewer)
    }

    fn counter(&self, unit: UnitId) -> display::Counter {
        drawing::counter(Dagc::counter(self, unit))
    }

    fn phases(&self) -> Vec<display::Phase> {
        drawing::PHASES.iter().map(|(_, phase)| *phase).collect()
    }

    fn phase(&self, state: &State) -> Option<usize> {
        let now = state.stack.first()?;
        drawing::PHASES.iter().position(|(procedure, _)| procedure == now)
    }

    fn turns(&self) -> Vec<Turn> {
        drawing::turns(self)
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        drawing::overlays(self, state, viewer)
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match (state.stack.last(), action) {
            (Some(&Procedure::Moving { unit, left }), Action::Go { hex }) => {
                self.route_to(state, unit, left, hex)
            }
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

impl Switches {
    fn new(options: Options) -> Switches {
        let on = |name| options.is_on(&Dagc::BOOK, name);
        Switches {
            southern_center: on("southern-center"),
            bold_deployment: on("bold-deployment"),
            free_1uf: on("free-1uf"),
            free_1uf_air: on("free-1uf-air"),
            no_forced_attacks: on("no-forced-attacks"),
            north_ukraine: on("north-ukraine"),
            late_pripyat: on("late-pripyat"),
            fifth_panzer: on("fifth-panzer"),
            two_replacements: on("two-replacements"),
            three_replacements: on("three-replacements"),
            stand_fast: on("stand-fast"),
            open_stacks: on("open-stacks"),
        }
    }
}

impl Marks {
    fn has(self, mark: Marks) -> bool {
        self.0 & mark.0 != 0
    }

    fn set(&mut self, mark: Marks) {
        self.0 |= mark.0;
    }

    fn clear(&mut self, marks: Marks) {
        self.0 &= !marks.0;
    }
}

impl Dagc {
    fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    fn side(&self, unit: UnitId) -> Side {
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
    fn factor(&self, state: &State, unit: UnitId) -> u8 {
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
        state.units.iter().enumerate().filter_map(move |(i, unit)| match unit.place {
            Place::Map(hex) if self.counters[i].side == side => Some((UnitId(i as u16), hex)),
            _ => None,
        })
    }
}

impl State {
    fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    fn unit_mut(&mut self, unit: UnitId) -> &mut Unit {
        &mut self.units[unit.index()]
    }

    fn hex(&self, unit: UnitId) -> Option<Hex> {
        match self.unit(unit).place {
            Place::Map(hex) => Some(hex),
            _ => None,
        }
    }

    fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.unit(unit).marks.has(mark)
    }

    fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.unit_mut(unit).marks.set(mark);
    }

    /// The units in a hex, top first.
    fn stack_in(&self, hex: Hex) -> ArrayVec<UnitId, 4> {
        let mut stack = ArrayVec::new();
        for (i, unit) in self.units.iter().enumerate() {
            if unit.place == Place::Map(hex) && !stack.is_full() {
                stack.push(UnitId(i as u16));
            }
        }
        stack.sort_by_key(|unit: &UnitId| self.marked(*unit, Marks::BENEATH));
        stack
    }

    /// Who controls a hex (3.3a).
    fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }
}
