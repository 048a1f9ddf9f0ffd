//! Across the Bug River: Volodymyr-Volynskyi 1941.
//!
//! One module a section of the rulebook: [`luck`] (5.2), [`stacking`] (5.3.1, 5.3.3), [`hq`] (3.3, 5.3.2, 7.4, 10.4),
//! [`view`] (5.3.4), [`zoc`] (5.4), [`formations`] (5.5, 8.2), [`effectiveness`] (5.6), [`supply`] (5.7, 8.1),
//! [`command`] (5.8), [`initiative`] (6.1 to 6.3), [`reaction`] (6.4), [`actions`] (7.1, 7.2, 7.6, 7.7), [`movement`]
//! and [`march`] (7.3), [`combat`] and [`chits`] (7.5.1), [`results`] (7.5.2), [`bonus`] (7.5.3), [`replacement`] (8.3),
//! [`reinforcement`] (8.4), [`pontoon`] (10.3), [`victory`] (7.8). Each holds the procedures of its section, a room for each decision. [`sequence`] is the order of phases and turns, [`charts`]
//! reads the data files, [`ground`] is the map as the rules see it, [`presence`] what they see of a state, [`setup`]
//! reads and writes situations, [`drawing`] is what a client draws besides the view, [`scout`] what an
//! opponent asks of a state, and this file holds the types and the contract with the engine. Numbers in parentheses are
//! cases; R and a number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, Map, Mp};
use engine::display;
use engine::frame::Stack;
use engine::mark::{Look, Mark};
use engine::row::Cells;
use engine::store::{OnMap, Placed, UnitStore};
use engine::{
    Book, BySide, Case, Lexicon, Options, Outcome, Phrase, Roster, Row, Rulebook, Side, Types, UnitId,
    UnitSet, Veiled, Violation, case, frames, lexicon, marks, musters, phrases, places, shelve, switches,
    words,
};

mod actions;
mod bonus;
mod charts;
mod chits;
mod combat;
mod command;
mod deal;
mod drawing;
mod effectiveness;
mod formations;
mod ground;
mod hq;
mod initiative;
mod luck;
mod march;
mod movement;
mod pontoon;
mod presence;
mod proof;
mod reaction;
mod reinforcement;
mod replacement;
mod results;
mod scenario;
mod scout;
mod sequence;
mod setup;
mod stacking;
mod supply;
mod victory;
mod view;
mod zoc;

pub use actions::{Activation, Trying};
pub use bonus::Bonus;
pub use combat::{Armor, Attack, Battle, Die, Fight};
pub use effectiveness::Checks;
pub use formations::Assignment;
pub use hq::{Crowded, Displaced};
pub use initiative::{Choice, Initiative, Opening, Ops, Points, Surprise};
pub use luck::Luck;
pub use movement::Moving;
pub use reaction::{Reacting, Window};
pub use reinforcement::Reinforcement;
pub use replacement::{Reorganization, Reorganizing, Replacement};
pub use results::{Hits, Retreat};
pub use scout::{Distances, Fall, Forecast, Scout, Soldier, Staffed, WayOut};
pub use stacking::{Crushed, Ending, Overstacked};
pub use supply::{Attrition, Interdiction, Recovery};

use charts::{Charts, Counter, Printed, TransferLine};
use ground::Ground;
use presence::Presence;
use scenario::Scenario;

/// The most units a game can have, HQs included.
pub const MAX_UNITS: usize = 184;

/// Units of a game.
pub type Units = UnitSet<3>;

const _: () = assert!(MAX_UNITS <= Units::CAPACITY);

/// The most formations a game can have.
pub const MAX_FORMATIONS: usize = 16;

/// The formation of an independent unit that is yet to be assigned (8.2e).
const UNASSIGNED: u8 = u8::MAX;

/// A set of hexes of a map with at most 32 rows.
pub type HexSet = board::HexSet<32, 1>;

/// The hexsides of such a map.
type Sides = board::Sides<32, 1>;

/// What stays the same during a game.
pub struct Bug {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    ground: Ground,
    roster: Roster,
    /// Combat units and HQs, in the order of the roster.
    counters: Vec<Counter>,
    /// The HQ of each formation.
    hqs: Vec<UnitId>,
    /// By unit: the formation that is printed on its counter.
    homes: Vec<u8>,
    /// By unit: its hexes of entry, for an HQ in order of preference.
    entries: Vec<Vec<Hex>>,
    transfers: Vec<TransferLine>,
    charts: Charts,
    scenario: Scenario,
    options: Options,
    switches: Switches,
}

words! {
    /// The type of a combat unit (3.3e).
    pub enum Arm: "arm" {
        /// Infantry on foot.
        Infantry = "infantry",
        /// Motorized infantry.
        Motorized = "motorized",
        /// Machine-gun units.
        MachineGun = "machine-gun",
        /// Engineers on foot.
        Engineers = "engineers",
        /// Motorized engineers.
        MotorizedEngineers = "motorized-engineers",
        /// Border guards.
        BorderGuard = "border-guard",
        /// Anti-tank units.
        AntiTank = "antitank",
        /// Tanks and assault guns.
        Afv = "afv",
        /// Support types, such as reconnaissance.
        Support = "support",
        /// Headquarters.
        Hq = "hq",
    }
}

words! {
    /// How a unit moves (3.3e).
    pub enum Class: "class" {
        /// On foot.
        Leg = "leg",
        /// On wheels or tracks.
        Motorized = "mot",
    }
}

words! {
    /// The two German corps (5.5.2b, 10.3a).
    pub enum Corps: "corps" {
        /// III. Motorized Corps.
        Third = "III",
        /// XXIX. Corps.
        TwentyNinth = "XXIX",
    }
}

words! {
    /// What sort of formation an HQ commands.
    pub enum Division: "division" {
        /// An Infantry Division, which takes part in the surprise attack (10.2c).
        Infantry = "infantry",
        /// A Panzer Division.
        Panzer = "panzer",
        /// A Rifle Division.
        Rifle = "rifle",
        /// A Tank Division.
        Tank = "tank",
        /// A Mechanized Division.
        Mechanized = "mechanized",
        /// An anti-tank brigade.
        AntiTank = "antitank",
    }
}

words! {
    /// The three Combat Actions (7.5.1a).
    pub enum AttackKind: "attack" {
        /// For one point, without support.
        Hasty = "hasty",
        /// For two points.
        Regular = "regular",
        /// For three points.
        Prepared = "prepared",
    }
}

words! {
    /// Whether a unit can be led (5.8d).
    pub enum Command: "command" {
        /// Within Command Range.
        In = "in-command",
        /// A path exists, but it is too long.
        Out = "out-of-command",
        /// There is no path.
        Isolated = "isolated",
    }
}

words! {
    /// Why an Effectiveness Check is made (5.6).
    pub enum CheckCause: "check" {
        /// A red combat result (5.6a).
        Combat = "combat",
        /// A Refit Action (5.6b).
        Refit = "refit",
        /// An Action of an isolated unit (5.6c).
        Isolated = "isolated",
        /// Infiltration Movement (5.6d).
        Infiltration = "infiltration",
        /// An AFV unit in marsh (5.6e).
        Marsh = "marsh",
    }
}

words! {
    /// Where a Movement Action stands within a step (R35).
    pub enum Pace: "pace" {
        /// The mover chooses where to go.
        Choose = "choose",
        /// About to leave a hex.
        Leave = "leave",
        /// Nobody has stopped it from leaving.
        Depart = "depart",
        /// The checks for infiltration are made.
        Infiltrate = "infiltrate",
        /// In the new hex.
        Arrive = "arrive",
        /// Lone HQs next to it are displaced.
        Displace = "displace",
        /// All that the step has done is done.
        Settle = "settle",
    }
}

words! {
    /// How a stack goes where it was sent.
    pub enum Manner: "manner" {
        /// By the cheapest path.
        Path = "path",
        /// Straight into an adjacent hex.
        Straight = "straight",
        /// By infiltration.
        Sneak = "sneak",
    }
}

words! {
    /// The steps in which a side takes its hits (7.5.2.1).
    pub enum Blow: "blow" {
        /// The first hit is a loss.
        First = "first",
        /// A red number calls for checks.
        Checks = "checks",
        /// Who failed must retreat.
        Forced = "forced",
        /// The others may.
        Voluntary = "voluntary",
        /// Who stays takes the second hit.
        Second = "second",
        /// All further hits are losses.
        Further = "further",
    }
}

words! {
    /// What a modifier of combat is for.
    pub enum Cause: "cause" {
        /// What lies on the hexside.
        Hexside = "hexside",
        /// The Brandenburgers at the bridges.
        Brandenburg = "brandenburg": "Brandenburgers",
        /// Engineers against a pillbox.
        Engineers = "engineers",
        /// Units next to the defender.
        AttackerSupport = "attacker-support": "the attacker's support",
        /// Units next to the attacker.
        DefenderSupport = "defender-support": "the defender's support",
        /// Support Points of the HQ.
        HqSupport = "hq-support": "support of the HQ",
        /// Armor Superiority.
        Armor = "armor",
    }
}

words! {
    /// What German points are for (7.8c).
    pub enum PointCause: "points" {
        /// Victory hexes.
        Hexes = "hexes": "victory hexes",
        /// Soviet units eliminated.
        SovietLosses = "soviet-losses": "Soviet losses",
        /// German units eliminated, which count against him.
        GermanLosses = "german-losses": "German losses",
    }
}

words! {
    /// How a game ends (7.8c).
    pub enum Verdict: "verdict" {
        /// A German decisive victory.
        GermanDecisive = "german-decisive": "German decisive victory",
        /// A German marginal victory.
        GermanMarginal = "german-marginal": "German marginal victory",
        /// A draw.
        Draw = "draw",
        /// A Soviet marginal victory.
        SovietMarginal = "soviet-marginal": "Soviet marginal victory",
        /// A Soviet decisive victory.
        SovietDecisive = "soviet-decisive": "Soviet decisive victory",
    }
}

places! {
    /// Where a unit is.
    pub enum Place {
        /// Yet to come (8.4).
        Track = "track",
        /// Eliminated.
        Dead = "dead",
        /// Removed to strengthen others (8.3.2a).
        Merged = "merged": "taken up by others",
        /// An HQ for which there was no settlement (5.3.2h).
        Away = "away": "off the map",
        /// Not in this game.
        Out,
    }
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u16 {
        DISRUPTED = "disrupted", "5.6.3a", On, Look::Bad("D"), "lies on its disrupted side";
        EMERGENCY = "emergency", "5.7.2a", On, Look::Bad("E"), "has expended its Emergency Supply";
        ARRANGED = "arranged", "5.3.1a", Activation, Look::Quiet, "has been put on top of its stack in this activation or segment";
        SHOWN = "shown", "5.3.4a", Combat, Look::Quiet, "has been shown to the enemy, until the combat or the displacement is over";
        FAILED = "failed", "7.5.2.1f", Combat, Look::Quiet, "has failed the check of a red result in this combat";
        RETREATED = "retreated", "7.5.2.1j", Combat, Look::Quiet, "has retreated in this combat";
        BOATED = "boated", "7.3.8a", Activation, Look::Quiet, "has crossed the Bug by boat in this activation";
        SQUEEZED = "squeezed", "5.3.1p", On, Look::Quiet, "is an HQ that found no room anywhere, until the Action is over";
        GUARDED = "guarded", "7.5c", Combat, Look::Quiet, "is an HQ that had combat units with it when the combat began";
    }
}

switches! {
    /// The optional rules that are on.
    pub struct Switches {
        open_stacks = "open-stacks", "5.3.4a", "both players may look into all stacks; strengths stay secret";
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    /// Strength Points of a combat unit, Support Points of an HQ.
    strength: u8,
    marks: Marks,
    /// The formation that it belongs to now, by its place in the list of HQs (R4).
    formation: u8,
    /// The formation that it is assigned to; another when it is attached for a while (5.5.1k).
    regular: u8,
    /// How many units lie on it.
    depth: u8,
    /// The Activation Level of an HQ's formation (6.3.2).
    level: u8,
    /// Hits of this combat that it has taken as losses (7.5.2.1l).
    hits: u8,
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        self.place.hex()
    }

    /// A position follows from where units are and which are disrupted.
    fn counts(&self, before: &Self) -> bool {
        self.place != before.place || self.marks.has(Marks::DISRUPTED) != before.marks.has(Marks::DISRUPTED)
    }
}

/// The Initiative +DRM marker (6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct InitiativeMarker {
    /// The box it stands on, from 0.
    step: u8,
    /// The side it shows; the Axis while it stands on 0, where that means nothing.
    side: Side,
}

/// A pontoon bridge of a corps (10.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Pontoon {
    /// Not built, or taken up again.
    Ready,
    /// Across this hexside.
    Built(Hex, Hex),
    /// Out of the game.
    Lost,
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    /// Beyond the last counter nothing is in the game.
    units: UnitStore<Unit, MAX_UNITS>,
    /// Hexes under Soviet control; all others are German (R17).
    soviet_hexes: HexSet,
    /// Hexes with an Improved Defense marker (7.7).
    improved: HexSet,
    /// Who holds the Schlachtenglück marker (5.2).
    luck: Side,
    initiative: InitiativeMarker,
    /// The Interdiction Level (8.1.2).
    interdiction: u8,
    /// Who has passed in this Ops Phase (6.2f).
    passed: BySide<bool>,
    /// By corps.
    pontoons: [Pontoon; 2],
    /// The turn in which the reserve of 41. Tank Division arrives, once it is called forward (10.5a); 0 before.
    reserve: u8,
    /// Replacement points left: infantry and AFV (8.3.1).
    points: [u8; 2],
    /// The procedures under way, the innermost last. None when the game is over.
    stack: Stack<Procedure, MOST_UNDER_WAY>,
}

/// How many procedures can be under way: more than the rules ever bring together.
const MOST_UNDER_WAY: usize = 20;

frames! {
    /// A procedure under way. The last on the stack asks for a decision or waits for a die.
    pub enum Procedure of Bug, MOST_UNDER_WAY deep {
        Recovery, Interdiction, Attrition, Assignment, Replacement, Reorganization, Reorganizing, Reinforcement,
        Surprise, Opening, Ops, Initiative, Choice, Points, Activation, Trying, Moving, Window, Reacting, Checks,
        Attack, Battle, Armor, Fight, Die, Hits, Retreat, Bonus, Ending, Overstacked, Crushed, Crowded, Displaced,
        Luck,
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Keep = "keep", "5.2a", "let the roll stand", Finish;
        Reroll = "reroll", "5.2a", "hand over the marker and roll again";
        Top { unit: UnitId } = "top", "5.3.1a", "put {unit} on top", Arrange;
        Displace { unit: UnitId, hex: Hex } = "displace", "5.3.3a", "displace {unit} to {hex}";
        Waive = "waive", "5.3.1o", "let the owner displace his units", Finish;
        Remove { unit: UnitId } = "remove", "5.3.1r", "eliminate {unit}";
        Evict { hq: UnitId } = "evict", "5.3.1m", "{hq} is displaced";
        Settle { hex: Hex } = "settle", "5.3.2a", "the HQ goes to {hex}";
        Emergency = "emergency", "8.1c", "expend Emergency Supply";
        Spare = "spare", "8.1c", "do not recover", Finish;
        Assign { unit: UnitId, hq: UnitId } = "assign", "8.2a", "assign {unit} to {hq}";
        Replace { unit: UnitId } = "replace", "8.3e", "{unit} receives a Strength Point";
        Cannibalize { unit: UnitId } = "cannibalize", "8.3.2a", "cannibalize {unit}";
        Reinforce { unit: UnitId } = "reinforce", "8.3.2b", "{unit} receives a Strength Point";
        Place { unit: UnitId, hex: Hex } = "place", "8.4.1a", "{unit} arrives in {hex}";
        TakeUp { corps: Corps } = "take-up", "10.3e", "take up the pontoon bridge of {corps} Corps";
        Begin = "begin", "6a", "begin the Ops Phase", Finish;
        Activate { hq: UnitId } = "activate", "6.3a", "activate {hq}";
        Transfer = "transfer", "6.2c", "give the initiative to the enemy";
        Pass = "pass", "6.2f", "pass";
        Move { units: Units } = "move", "7.3a", "move {units}";
        Go { hex: Hex } = "go", "7.3a", "go to {hex}";
        Cross { hex: Hex } = "cross", "7.3.7b", "go straight to {hex} with the whole allowance";
        Infiltrate { hex: Hex } = "infiltrate", "7.3.4a", "infiltrate to {hex}";
        Stop = "stop", "7.3.2c", "stop here", Finish;
        Name { unit: UnitId, hex: Hex } = "name", "7.5.1a", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "7.1a", "{unit} joins the attack";
        Leave { unit: UnitId } = "leave", "7.1a", "{unit} does not join the attack", TakeBack;
        Cancel = "cancel", "7.5.1a", "call the attack off", TakeBack;
        Declare { kind: AttackKind } = "declare", "7.5.1a", "declare a {kind} attack", Finish;
        GoOn = "go-on", "5.8.4f", "go on with those who passed", Finish;
        CallOff = "call-off", "5.8.4f", "call the Action off";
        Refit { unit: UnitId } = "refit", "7.6a", "refit {unit}";
        Improve { hex: Hex } = "improve", "7.7a", "improve the defense of {hex}";
        Relocate { hex: Hex } = "relocate", "7.4a", "the HQ relocates to {hex}";
        Bridge { from: Hex, to: Hex } = "bridge", "10.3b", "build a pontoon bridge from {from} to {to}";
        React { hq: UnitId } = "react", "6.4.1a", "{hq} tries to react";
        Decline = "decline", "6.4.1a", "do not react", Finish;
        Champion { unit: UnitId } = "champion", "7.5.1.2w", "{unit} stands for the armor";
        Fight = "fight", "7.5.1.1a", "draw the chits and roll", Finish;
        Lose { unit: UnitId } = "lose", "7.5.2.1m", "{unit} loses a Strength Point", Loss;
        Retreat { hex: Hex } = "retreat", "7.5.2.1o", "retreat to {hex}", Retreat;
        Halt = "halt", "7.5.2.1o", "retreat no further", Finish;
        Withdraw { units: Units } = "withdraw", "7.5.2.1g", "{units} retreat", Retreat;
        Stand = "stand", "7.5.2.1g", "nobody else retreats", Finish;
        Forgo = "forgo", "7.5.3d", "let the bonus go", Finish;
        End = "end", "6.3d", "end this", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "7.8a", "game turn {turn} begins", Turn;
        LuckPassed { to: Side } = "luck", "5.2b", "the Schlachtenglück marker goes to the {to} side";
        Resupplied { hq: UnitId } = "resupplied", "8.1b", "{hq} is in supply again";
        EmergencyUsed { hq: UnitId } = "emergency", "5.7.2a", "{hq} expends its Emergency Supply";
        Recovered { hq: UnitId, boxes: u8, level: u8 } = "recovered", "8.1a", "{hq} recovers {boxes}, level {level}";
        InterdictionSet { level: u8 } = "interdiction", "8.1.2a", "Interdiction Level {level}";
        Rallied { unit: Veiled<UnitId>, hex: Hex } = "rallied", "5.6.4a", "{unit} in {hex} is no longer disrupted";
        Assigned { unit: UnitId, hq: UnitId } = "assigned", "8.2c", "{unit} belongs to {hq}";
        Returned { unit: UnitId, hq: UnitId } = "returned", "5.5.1l", "{unit} returns to {hq}";
        PointsReceived { infantry: u8, afv: u8 } = "points-received", "8.3.1a", "{infantry} infantry and {afv} AFV replacement points";
        PointsLost { infantry: u8, afv: u8 } = "points-lost", "8.3d", "{infantry} infantry and {afv} AFV replacement points are lost";
        Strengthened { unit: UnitId, strength: u8 } = "strengthened", "8.3e", "{unit} has Strength {strength}";
        Cannibalized { unit: UnitId, points: Veiled<u8> } = "cannibalized", "8.3.2a", "{unit} is broken up[; points gained: {points}]";
        RemainderLost { points: u8 } = "remainder-lost", "8.3.2b", "points lost: {points}";
        Arrived { unit: UnitId, hex: Hex } = "arrived", "8.4.1a", "{unit} arrives in {hex}", Arrival;
        ReserveCalled { turn: u8 } = "reserve", "10.5a", "the reserve of 41. Tank Division arrives on turn {turn}";
        Bridged { corps: Corps, from: Hex, to: Hex } = "bridged", "10.3b", "{corps} Corps bridges the Bug from {from} to {to}";
        TakenUp { corps: Corps } = "taken-up", "10.3e", "{corps} Corps takes up its pontoon bridge";
        BridgeLost { corps: Corps } = "bridge-lost", "10.3f", "the pontoon bridge of {corps} Corps is lost";
        SurpriseOver = "surprise-over", "10.2d", "the surprise attack is over";
        InitiativeWon { side: Side, axis: u8, soviet: u8 } = "initiative", "6.1d", "the {side} side has the initiative, {axis} to {soviet}";
        MarkerMoved { side: Side, value: u8 } = "marker", "6.1f", "the initiative marker gives the {side} side +{value}";
        Transferred { to: Side } = "transferred", "6.2c", "the initiative goes to the {to} side";
        Passed { side: Side } = "passed", "6.2f", "the {side} side passes";
        Activated { hq: UnitId } = "activated", "6.3a", "{hq} is activated";
        PointsFound { hq: UnitId, ap: u8, level: u8 } = "action-points", "6.3.1a", "{hq} has {ap} AP, level {level}";
        ActivationEnded { hq: UnitId } = "activation-ended", "6.3d", "{hq} ends";
        Paid { ap: u8, left: u8 } = "paid", "6.3.3a", "{ap} AP, {left} left", Price;
        Tries { hq: UnitId } = "tries", "6.4.1a", "{hq} tries to react";
        Reacts { hq: UnitId } = "reacts", "6.4.2a", "{hq} reacts";
        NoReaction { hq: UnitId } = "no-reaction", "6.4.4a", "{hq} does not react";
        CheckPassed { unit: Veiled<UnitId>, trial: CheckCause } = "check-passed", "5.6.1a", "{unit} passes its check ({trial})";
        CheckFailed { unit: Veiled<UnitId>, trial: CheckCause } = "check-failed", "5.6.1a", "{unit} fails its check ({trial})";
        Disrupted { unit: Veiled<UnitId>, hex: Hex } = "disrupted", "5.6.2a", "{unit} in {hex} is disrupted";
        Entered { unit: Veiled<UnitId>, hex: Hex, cost: Veiled<Mp> } = "entered", "7.3a", "{unit} enters {hex}[ for {cost} MP]", Move;
        Boated { count: u8 } = "boated", "7.3.8a", "{count} of two boats are used";
        Control { hex: Hex, side: Side } = "control", "7.4d", "{hex} is {side}", Control;
        Arranged { hex: Hex } = "arranged", "5.3.1a", "the stack in {hex} is arranged";
        Improved { hex: Hex } = "improved", "7.7a", "{hex} is in Improved Defense";
        ImprovedLost { hex: Hex } = "improved-lost", "7.7c", "{hex} is no longer in Improved Defense";
        Relocated { hq: UnitId, from: Veiled<Hex>, to: Veiled<Hex> } = "relocated", "7.4a", "{hq} relocates[ from {from} to {to}]", Move;
        HqDisplaced { hq: UnitId, to: Veiled<Hex>, tier: u8 } = "hq-displaced", "5.3.2a", "{hq} is displaced[ to {to}], tier {tier}", Move;
        HqAway { hq: UnitId } = "hq-away", "5.3.2h", "no settlement takes {hq}";
        HqReduced { hq: UnitId, support: u8, level: u8 } = "hq-reduced", "5.3.2e", "{hq} has Support {support}, level {level}";
        Overstacking { hex: Hex } = "overstacking", "5.3.1j", "{hex} is overstacked";
        UnitDisplaced { unit: UnitId, to: Hex } = "unit-displaced", "5.3.3a", "{unit} is displaced to {to}", Move;
        Declared { units: Veiled<Units>, hex: Hex, from: Hex, kind: AttackKind } = "declared", "7.5.1a", "{kind} attack[ by {units}] from {from} on {hex}", Attack;
        Shown { units: Units } = "shown", "5.3.4a", "{units} shown", Shown;
        Chit { side: Side, chit: u8 } = "chit", "7.5.1.1a", "the {side} side draws chit {chit}", Account;
        BattleStrength { unit: UnitId, strength: u8, multiplier: Mp, total: Mp } = "battle-strength", "7.5.1.1d", "{unit}: {strength} x {multiplier} = {total}", Account;
        Ratio { attack: u16, defence: u16 } = "ratio", "7.5.1.2a", "{attack} against {defence}", Account;
        ColumnFound { column: i8, from: ColumnOdds } = "column", "7.5.1.2a", "column {column}, from {from}", Column;
        Modifier { cause: Cause, points: i8 } = "modifier", "7.5.1.2d", "{points} for {cause}", Account;
        ArmorBy { unit: UnitId, points: u8 } = "armor-by", "7.5.1.2w", "{unit} stands for the armor with {points}", Account;
        ModifierSum { points: i8 } = "modifiers", "5.1c", "{points} in all", Account;
        Reads { attacker: u8, attacker_red: bool, defender: u8, defender_red: bool } = "reads", "7.5.1.2d", "that would be {attacker} on the attacker{attacker_red? with checks} and {defender} on the defender{defender_red? with checks}", Reading;
        Result { attacker: u8, attacker_red: bool, defender: u8, defender_red: bool } = "result", "7.5.2a", "hits: {attacker} on the attacker{attacker_red? with checks}, {defender} on the defender{defender_red? with checks}", Result;
        StrengthLost { unit: Veiled<UnitId>, hex: Hex } = "strength-lost", "7.5.2.1m", "{unit} in {hex} loses a Strength Point", Loss;
        Eliminated { unit: UnitId } = "eliminated", "7.5.2.1m", "{unit} is eliminated", Eliminated;
        Retreated { unit: Veiled<UnitId>, from: Hex, to: Hex } = "retreated", "7.5.2.1o", "{unit} retreats from {from} to {to}", Retreat;
        Stuck { unit: Veiled<UnitId>, hex: Hex } = "stuck", "7.5.2.1x", "{unit} in {hex} cannot retreat";
        BattleWon { side: Side } = "battle-won", "7.5.3a", "the {side} side wins the battle and a bonus Action Point";
        Counted { cause: PointCause, points: i8 } = "points", "7.8c", "German points for {cause}: {points}";
        Ended { verdict: Verdict, points: i8 } = "ended", "7.8b", "{verdict}; German points {points}", End;
    }
}

/// The odds from which a column counts; nothing below the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColumnOdds(u8, u8);

/// Odds in one number: 3:1 is 301.
const ODDS_CELL: i16 = 100;

impl engine::Word for ColumnOdds {
    const KIND: &'static str = "odds";
    fn word(&self, _: &dyn Lexicon) -> String {
        if self.0 == 0 { "below".to_owned() } else { format!("{}:{}", self.0, self.1) }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let odds = word.split_once(':').and_then(|(a, b)| Some(ColumnOdds(a.parse().ok()?, b.parse().ok()?)));
        let below = (word == "below").then_some(ColumnOdds(0, 0));
        odds.or(below).ok_or_else(|| format!("`{word}` are no odds such as 3:1"))
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(i16::from(self.0) * ODDS_CELL + i16::from(self.1))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let cell = cells.value()?;
        Some(ColumnOdds((cell / ODDS_CELL).try_into().ok()?, (cell % ODDS_CELL).try_into().ok()?))
    }
}

lexicon!(Bug);
shelve!(Bug);
musters!(Action);

impl Types for Bug {
    const BOOK: Book = Book {
        name: "bug",
        title: "Across the Bug River: Volodymyr-Volynskyi 1941",
        edition: "VUCA Simulations, 2021",
        rules: 4,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = &view::MARKS;
}

impl Rulebook for Bug {
    fn outcome(&self, state: &State) -> Outcome {
        self.outcome_of(state)
    }

    fn not_asked(&self, state: &State, action: Action) -> Violation {
        sequence::not_asked(state, action)
    }

    /// Each modifier is told with the case that gives it.
    fn case_of(&self, event: &Event) -> Case {
        match event {
            Event::Modifier { cause, .. } => cause.case(),
            _ => event.form().case,
        }
    }

    fn phases(&self, _: &State) -> Vec<display::Phase> {
        sequence::PHASES.to_vec()
    }
}

impl Cause {
    fn case(self) -> Case {
        match self {
            Cause::Hexside => case("7.5.1.2g"),
            Cause::Brandenburg => case("10.1a"),
            Cause::Engineers => case("7.5.1.2f"),
            Cause::AttackerSupport => case("7.5.1.2n"),
            Cause::DefenderSupport => case("7.5.1.2o"),
            Cause::HqSupport => case("7.5.1.2v"),
            Cause::Armor => case("7.5.1.2w"),
        }
    }
}

impl Arm {
    /// Of which only one may be in a hex (5.3.1f, 5.3.1g, R8).
    fn is_infantry_type(self) -> bool {
        matches!(
            self,
            Arm::Infantry | Arm::Motorized | Arm::MachineGun | Arm::Engineers | Arm::MotorizedEngineers
        )
    }

    fn is_engineers(self) -> bool {
        matches!(self, Arm::Engineers | Arm::MotorizedEngineers)
    }
}

impl Bug {
    fn counter(&self, unit: UnitId) -> &Counter {
        &self.counters[unit.index()]
    }

    fn side(&self, unit: UnitId) -> Side {
        self.counter(unit).side
    }

    /// The side of units that belong together.
    fn side_of_all(&self, units: Units) -> Side {
        units.first().map_or(Side::Axis, |unit| self.side(unit))
    }

    fn is_hq(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::Hq
    }

    fn is_afv(&self, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::Afv
    }

    fn is_leg(&self, unit: UnitId) -> bool {
        self.counter(unit).class == Class::Leg
    }

    /// What is printed on the side of the counter that lies up (5.6.3a).
    fn printed(&self, state: &State, unit: UnitId) -> &Printed {
        let counter = self.counter(unit);
        if state.is_disrupted(unit) { &counter.disrupted } else { &counter.fresh }
    }

    /// The HQ of the formation that a unit belongs to now (R4).
    fn hq_of(&self, state: &State, unit: UnitId) -> UnitId {
        self.hqs.get(usize::from(state.unit(unit).formation)).copied().unwrap_or(unit)
    }

    /// The units of a side on the map, HQs among them.
    fn on_map<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = (UnitId, Hex)> + 'a {
        let of_side =
            self.counters.iter().zip(state.units.iter()).filter(move |(counter, _)| counter.side == side);
        of_side.filter_map(|(_, (id, unit))| Some((id, unit.hex()?)))
    }

    /// The combat units in a hex, in the order of the roster.
    fn combat_units(&self, state: &State, hex: Hex) -> Units {
        state.units.in_hex(hex).filter(|unit| !self.is_hq(*unit)).collect()
    }

    /// The HQs in a hex.
    fn hqs_in(&self, state: &State, hex: Hex) -> Units {
        state.units.in_hex(hex).filter(|unit| self.is_hq(*unit)).collect()
    }

    /// The hexes that a side controls (R17).
    fn friendly(&self, state: &State, side: Side) -> HexSet {
        match side {
            Side::Axis => self.ground.land - state.soviet_hexes,
            Side::Soviet => self.ground.land & state.soviet_hexes,
        }
    }

    /// The HQs of a side.
    fn hqs_of_side(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.hqs.iter().copied().filter(move |hq| self.side(*hq) == side)
    }
}

impl State {
    fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit]
    }

    fn change<T>(&mut self, unit: UnitId, change: impl FnOnce(&mut Unit) -> T) -> T {
        self.units.change(unit, change)
    }

    fn hex(&self, unit: UnitId) -> Option<Hex> {
        self.unit(unit).hex()
    }

    fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.unit(unit).marks.has(mark)
    }

    fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.change(unit, |unit| unit.marks.set(mark));
    }

    fn is_disrupted(&self, unit: UnitId) -> bool {
        self.marked(unit, Marks::DISRUPTED)
    }

    /// Changes all units in a hex, in a way that moves none.
    fn change_stack(&mut self, hex: Hex, mut change: impl FnMut(&mut Unit)) {
        let there: ArrayVec<UnitId, MAX_UNITS> = self.units.in_hex(hex).collect();
        for unit in there {
            self.change(unit, &mut change);
        }
    }

    /// The units in a hex, top first.
    fn stack_in(&self, hex: Hex) -> ArrayVec<UnitId, MAX_UNITS> {
        let mut stack: ArrayVec<UnitId, MAX_UNITS> = self.units.in_hex(hex).collect();
        stack.sort_by_key(|unit| self.unit(*unit).depth);
        stack
    }

    /// Who controls a hex (R17).
    fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }

    /// True during the surprise attack (10.2e).
    fn is_surprise(&self) -> bool {
        matches!(self.stack.first(), Some(Procedure::Surprise(_)))
    }
}
