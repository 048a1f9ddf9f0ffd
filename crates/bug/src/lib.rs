//! Across the Bug River: Volodymyr-Volynskyi 1941.
//!
//! One module a section of the rulebook: [`luck`] (5.2), [`stacking`] (5.3.1, 5.3.3), [`hq`] (3.3, 5.3.2, 7.4, 10.4),
//! [`view`] (5.3.4), [`zoc`] (5.4), [`formations`] (5.5, 8.2), [`effectiveness`] (5.6), [`supply`] (5.7, 8.1),
//! [`command`] (5.8), [`initiative`] (6.1 to 6.3), [`reaction`] (6.4), [`actions`] (7.1, 7.2, 7.6, 7.7), [`movement`]
//! (7.3), [`combat`] and [`chits`] (7.5.1), [`results`] (7.5.2), [`bonus`] (7.5.3), [`replacement`] (8.3),
//! [`reinforcement`] (8.4), [`pontoon`] (10.3), [`victory`] (7.8). [`sequence`] says which procedure asks what, [`charts`]
//! reads the data files, [`ground`] is the map as the rules see it, [`position`] what they see of a state, [`setup`]
//! reads and writes situations, [`drawing`] is what a client draws besides the view, [`scout`] what an
//! opponent asks of a state, and this file holds the types and the contract with the engine. Numbers in parentheses are
//! cases; R and a number is a ruling.

use arrayvec::ArrayVec;
use board::{Hex, Map, Mp};
use engine::display::{self, Overlay, Route, Turn};
use engine::{
    Asked, Book, BySide, Case, Data, Dice, Force, Lexicon, Options, Phrase, Play, Proof, Remark, Roster,
    Rulebook, Side, Switch, UnitId, View, Viewer, Violation, case, phrases, words,
};
use include_dir::{Dir, include_dir};
use source::{Faults, Source, Table, Writer};

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
mod movement;
mod pontoon;
mod position;
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

pub use scout::{Distances, Fall, Forecast, Scout, Soldier, Staffed, WayOut};

use charts::{Charts, Counter, Printed, TransferLine};
use ground::Ground;
use position::Position;
use scenario::Scenario;

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/bug");

/// The most units a game can have, HQs included.
pub const MAX_UNITS: usize = 184;

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
    transfers: Vec<TransferLine>,
    charts: Charts,
    scenario: Scenario,
    options: Options,
    /// Both players may look into all stacks.
    open_stacks: bool,
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
    pub enum Trial: "check" {
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
        Brandenburg = "brandenburg",
        /// Engineers against a pillbox.
        Engineers = "engineers",
        /// Units next to the defender.
        AttackerSupport = "attacker-support",
        /// Units next to the attacker.
        DefenderSupport = "defender-support",
        /// Support Points of the HQ.
        HqSupport = "hq-support",
        /// Armor Superiority.
        Armor = "armor",
    }
}

words! {
    /// What German points are for (7.8c).
    pub enum PointCause: "points" {
        /// Victory hexes.
        Hexes = "hexes",
        /// Soviet units eliminated.
        SovietLosses = "soviet-losses",
        /// German units eliminated, which count against him.
        GermanLosses = "german-losses",
    }
}

words! {
    /// How a game ends (7.8c).
    pub enum Verdict: "verdict" {
        /// A German decisive victory.
        GermanDecisive = "german-decisive",
        /// A German marginal victory.
        GermanMarginal = "german-marginal",
        /// A draw.
        Draw = "draw",
        /// A Soviet marginal victory.
        SovietMarginal = "soviet-marginal",
        /// A Soviet decisive victory.
        SovietDecisive = "soviet-decisive",
    }
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// On the map.
    Map(Hex),
    /// Yet to come (8.4).
    Track,
    /// Eliminated.
    Dead,
    /// Removed to strengthen others (8.3.2a).
    Merged,
    /// An HQ for which there was no settlement (5.3.2h).
    Away,
    /// Not in this game.
    Out,
}

/// What is marked on a unit, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Marks(u8);

impl Marks {
    /// Lies on its disrupted side (5.6.3a).
    const DISRUPTED: Marks = Marks(1);
    /// An HQ that has expended its Emergency Supply (5.7.2a).
    const EMERGENCY: Marks = Marks(2);
    /// Has been put on top of its stack in this activation or segment (5.3.1a).
    const ARRANGED: Marks = Marks(4);
    /// Has been shown to the enemy, until the combat or the displacement is over (5.3.4a).
    const SHOWN: Marks = Marks(8);
    /// Has failed the check of a red result in this combat (7.5.2.1f).
    const FAILED: Marks = Marks(16);
    /// Has retreated in this combat (7.5.2.1j).
    const RETREATED: Marks = Marks(32);

    /// Their words in situations and views.
    const WORDS: [(&'static str, Marks); 8] = [
        ("disrupted", Marks::DISRUPTED),
        ("emergency", Marks::EMERGENCY),
        ("arranged", Marks::ARRANGED),
        ("shown", Marks::SHOWN),
        ("failed", Marks::FAILED),
        ("retreated", Marks::RETREATED),
        ("boated", Marks::BOATED),
        ("guarded", Marks::GUARDED),
    ];

    /// Has crossed the Bug by boat in this activation (7.3.8a).
    const BOATED: Marks = Marks(64);

    /// An HQ that had combat units with it when the combat began (7.5c).
    const GUARDED: Marks = Marks(128);

    /// Those that last for a combat.
    const OF_A_COMBAT: Marks = Marks(Marks::SHOWN.0 | Marks::FAILED.0 | Marks::RETREATED.0);

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

/// The Initiative +DRM marker (6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Initiative {
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
    /// By unit; beyond the last counter nothing is in the game.
    units: [Unit; MAX_UNITS],
    /// Hexes under Soviet control; all others are German (R17).
    soviet_hexes: HexSet,
    /// Hexes with an Improved Defense marker (7.7).
    improved: HexSet,
    /// Who holds the Schlachtenglück marker (5.2).
    luck: Side,
    initiative: Initiative,
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
    battle: Option<Battle>,
    /// The procedures under way, the innermost last. None when the game is over.
    stack: ArrayVec<Procedure, 20>,
}

phrases! {
    /// The combat that is being fought. There is never more than one: a bonus Action begins when it is over (R79).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Battle {
        /// Somebody attacks.
        Attack {
            kind: AttackKind,
            from: Hex,
            target: Hex,
            attackers: Force,
            defenders: Force,
            attacker_armor: Force,
            defender_armor: Force,
            armor: i8,
            column: i8,
            modifier: i8,
            attacker_hits: u8,
            attacker_red: bool,
            defender_hits: u8,
            defender_red: bool
        } = "attack", "7.5.1a", "{attackers} attack {target}";
    }
}

phrases! {
    /// A procedure under way. The last on the stack asks for a decision or waits for a die.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Procedure {
        /// A side's formations recover, one after the other.
        Recovery { side: Side, next: u8 } = "recovery", "8.1a", "{side} recovery";
        /// The die for the Interdiction Level.
        Interdiction = "interdiction", "8.1.2a", "interdiction";
        /// Isolated and disrupted units suffer attrition, one after the other.
        Attrition { next: u16 } = "attrition", "8.1.5a", "attrition";
        /// Units are assigned and reassigned.
        Assignment { side: Side } = "assignment", "8.2a", "{side} assignment segment";
        /// The German side spends replacement points.
        Replacement = "replacement", "8.3a", "German replacements";
        /// The Soviet side may cannibalize units.
        Reorganization = "reorganization", "8.3.2a", "Soviet reorganization";
        /// The points of a unit are spent.
        Reorganizing { donor: UnitId, points: u8 } = "reorganizing", "8.3.2b", "{points} points of {donor}";
        /// Reinforcements arrive.
        Reinforcement { side: Side } = "reinforcement", "8.4a", "{side} reinforcement segment";
        /// The surprise attack, with the activations left and the formations used.
        Surprise { left: u8, used: u16 } = "surprise", "10.2b", "the surprise attack";
        /// A first Ops Phase without a surprise attack.
        Opening = "opening", "6a", "the first Ops Phase begins";
        /// The Ops Phase.
        Ops = "ops", "6a", "the Ops Phase";
        /// Both initiative dice lie on the table.
        Initiative { axis: u8, soviet: u8, again: bool } = "initiative", "6.1a", "initiative";
        /// A side has the initiative.
        Choice { side: Side, received: bool } = "choice", "6.2a", "{side} has the initiative";
        /// The die for the Action Points of a formation.
        Points { hq: UnitId, reaction: bool } = "points", "6.3.1a", "Action Points of {hq}";
        /// A formation acts.
        Activation { hq: UnitId, ap: u8, boats: u8, reaction: bool } = "activation", "6.3a", "{hq} is active";
        /// Isolated units have made their checks for an Action.
        Trying { units: Force, target: Option<Hex> } = "trying", "5.8.4f", "isolated units act";
        /// A Movement Action.
        Moving {
            units: Force,
            spent: Mp,
            fresh: bool,
            touched: bool,
            open: bool,
            pace: Pace,
            goal: Option<Hex>,
            manner: Manner,
            ahead: Option<Hex>,
            back: Option<Hex>,
            lone: Force,
            barred: u16
        } = "moving", "7.3a", "{units} move";
        /// The other side may try to react.
        Window { leaving: bool } = "window", "6.4.1a", "a reaction is possible";
        /// The die for a reaction.
        Reacting { hq: UnitId } = "reacting", "6.4.2a", "{hq} tries to react";
        /// Effectiveness Checks, one after the other.
        Checks { trial: Trial, units: Force } = "checks", "5.6.1a", "checks for {units}";
        /// The owner says which of equal units stands for the armor of a side.
        Armor { side: Side } = "armor", "7.5.1.2w", "{side} names a unit for Armor Superiority";
        /// The attack is declared, and the chits are about to be drawn.
        Fight = "fight", "7.5.1.1a", "the attack is declared";
        /// The combat die.
        Die = "die", "7.5.1.2d", "the combat die";
        /// A side takes its hits; how many are left.
        Hits { side: Side, blow: Blow, left: u8 } = "hits", "7.5.2.1a", "{side} takes its hits";
        /// Units retreat.
        Retreat { units: Force, from: Hex, steps: u8, forced: bool } = "retreat", "7.5.2.1o", "{units} retreat";
        /// The winner of a battle may act.
        Bonus { side: Side, units: Force, attacker: bool, ahead: Option<Hex>, back: Option<Hex> } = "bonus", "7.5.3b", "{side} has won the battle";
        /// An Action is over: stacking is looked at.
        Ending = "ending", "5.3.1c", "an Action ends";
        /// Too many combat units are in a hex.
        Overstacked { hex: Hex, by: Side } = "overstacked", "5.3.1n", "{hex} is overstacked";
        /// No hex takes a surplus unit: the owner removes some.
        Crushed { hex: Hex } = "crushed", "5.3.1r", "no hex takes the surplus of {hex}";
        /// Too many HQs are in a hex.
        Crowded { hex: Hex } = "crowded", "5.3.1m", "too many HQs in {hex}";
        /// An HQ is displaced.
        Displaced { hq: UnitId } = "displaced", "5.3.2a", "{hq} is displaced";
        /// The holder of the marker may roll again.
        Luck { side: Side, roll: u8 } = "luck", "5.2a", "{side} may roll again";
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        /// Let the roll stand.
        Keep = "keep", "5.2a", "let the roll stand";
        /// Hand over the marker and roll again.
        Reroll = "reroll", "5.2a", "hand over the marker and roll again";
        /// Put a unit on top of its stack.
        Top { unit: UnitId } = "top", "5.3.1a", "put {unit} on top";
        /// Displace a surplus unit.
        Displace { unit: UnitId, hex: Hex } = "displace", "5.3.3a", "displace {unit} to {hex}";
        /// Let the owner displace his units.
        Leave = "leave", "5.3.1o", "let the owner displace his units";
        /// Remove a unit that no hex takes.
        Remove { unit: UnitId } = "remove", "5.3.1r", "eliminate {unit}";
        /// Choose which HQ must go.
        Evict { hq: UnitId } = "evict", "5.3.1m", "{hq} is displaced";
        /// Put a displaced HQ somewhere.
        Settle { hex: Hex } = "settle", "5.3.2a", "the HQ goes to {hex}";
        /// Expend Emergency Supply.
        Emergency = "emergency", "8.1c", "expend Emergency Supply";
        /// Keep it.
        Spare = "spare", "8.1c", "do not recover";
        /// Assign a unit to a formation.
        Assign { unit: UnitId, hq: UnitId } = "assign", "8.2a", "assign {unit} to {hq}";
        /// Spend replacement points.
        Replace { unit: UnitId } = "replace", "8.3e", "{unit} receives a Strength Point";
        /// Remove a unit for its points.
        Cannibalize { unit: UnitId } = "cannibalize", "8.3.2a", "cannibalize {unit}";
        /// Spend a point of it.
        Reinforce { unit: UnitId } = "reinforce", "8.3.2b", "{unit} receives a Strength Point";
        /// Bring a unit onto the map.
        Place { unit: UnitId, hex: Hex } = "place", "8.4.1a", "{unit} arrives in {hex}";
        /// Take up a pontoon bridge.
        TakeUp { corps: Corps } = "take-up", "10.3e", "take up the pontoon bridge of {corps} Corps";
        /// Begin the first Ops Phase.
        Begin = "begin", "6a", "begin the Ops Phase";
        /// Activate a formation.
        Activate { hq: UnitId } = "activate", "6.3a", "activate {hq}";
        /// Give the initiative to the enemy.
        Transfer = "transfer", "6.2c", "give the initiative to the enemy";
        /// No more activations in this turn.
        Pass = "pass", "6.2f", "pass";
        /// Begin a Movement Action.
        Move { units: Force } = "move", "7.3a", "move {units}";
        /// Go on to a hex by the cheapest lawful path.
        Go { hex: Hex } = "go", "7.3a", "go to {hex}";
        /// Spend the whole allowance on a step that could also be avoided.
        Cross { hex: Hex } = "cross", "7.3.7b", "go straight to {hex} with the whole allowance";
        /// Try to slip from one enemy zone of control into another.
        Infiltrate { hex: Hex } = "infiltrate", "7.3.4a", "infiltrate to {hex}";
        /// End the Movement Action.
        Stop = "stop", "7.3.2c", "stop here";
        /// Declare an attack.
        Attack { units: Force, hex: Hex, kind: AttackKind } = "attack", "7.5.1a", "{kind} attack by {units} on {hex}";
        /// Go on with the units that have passed their checks.
        GoOn = "go-on", "5.8.4f", "go on with those who passed";
        /// Call the Action off.
        CallOff = "call-off", "5.8.4f", "call the Action off";
        /// Try to take off disruption.
        Refit { unit: UnitId } = "refit", "7.6a", "refit {unit}";
        /// Improve the defense of a hex.
        Improve { hex: Hex } = "improve", "7.7a", "improve the defense of {hex}";
        /// Relocate an HQ.
        Relocate { hex: Hex } = "relocate", "7.4a", "the HQ relocates to {hex}";
        /// Build a pontoon bridge.
        Bridge { from: Hex, to: Hex } = "bridge", "10.3b", "build a pontoon bridge from {from} to {to}";
        /// Try to react with a formation.
        React { hq: UnitId } = "react", "6.4.1a", "{hq} tries to react";
        /// Do not react.
        Decline = "decline", "6.4.1a", "do not react";
        /// Name the unit that stands for armor.
        Champion { unit: UnitId } = "champion", "7.5.1.2w", "{unit} stands for the armor";
        /// Draw the chits and roll.
        Fight = "fight", "7.5.1.1a", "draw the chits and roll";
        /// Take a loss.
        Lose { unit: UnitId } = "lose", "7.5.2.1m", "{unit} loses a Strength Point";
        /// Retreat a hex.
        Retreat { hex: Hex } = "retreat", "7.5.2.1o", "retreat to {hex}";
        /// End a retreat after one hex.
        Halt = "halt", "7.5.2.1o", "retreat no further";
        /// Retreat of one's own will.
        Withdraw { units: Force } = "withdraw", "7.5.2.1g", "{units} retreat";
        /// Nobody more retreats.
        Stand = "stand", "7.5.2.1g", "nobody else retreats";
        /// Let the bonus Action Point go.
        Forgo = "forgo", "7.5.3d", "let the bonus go";
        /// End the activation or the segment.
        End = "end", "6.3d", "end this";
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        /// A game turn begins.
        TurnBegan { turn: u8 } = "turn", "7.8a", "game turn {turn} begins";
        /// The Schlachtenglück marker changes hands.
        LuckPassed { to: Side } = "luck", "5.2b", "the Schlachtenglück marker goes to {to}";
        /// An HQ is in supply and back on its front side.
        Resupplied { hq: UnitId } = "resupplied", "8.1b", "{hq} is in supply again";
        /// An HQ expends its Emergency Supply.
        EmergencyUsed { hq: UnitId } = "emergency", "5.7.2a", "{hq} expends its Emergency Supply";
        /// A formation recovers.
        Recovered { hq: UnitId, boxes: u8, level: u8 } = "recovered", "8.1a", "{hq} recovers {boxes}, level {level}";
        /// The Interdiction Level of the turn.
        InterdictionSet { level: u8 } = "interdiction", "8.1.2a", "Interdiction Level {level}";
        /// A unit is no longer disrupted.
        Rallied { unit: UnitId } = "rallied", "5.6.4a", "{unit} is no longer disrupted";
        /// A unit that the enemy does not see is no longer disrupted.
        RalliedUnseen { hex: Hex } = "rallied-unseen", "5.3.4a", "a unit in {hex} is no longer disrupted";
        /// A unit is assigned to a formation.
        Assigned { unit: UnitId, hq: UnitId } = "assigned", "8.2c", "{unit} belongs to {hq}";
        /// A unit goes back to its own formation.
        Returned { unit: UnitId, hq: UnitId } = "returned", "5.5.1l", "{unit} returns to {hq}";
        /// Replacement points are received.
        PointsReceived { infantry: u8, afv: u8 } = "points-received", "8.3.1a", "{infantry} infantry and {afv} AFV replacement points";
        /// Replacement points are lost.
        PointsLost { infantry: u8, afv: u8 } = "points-lost", "8.3d", "{infantry} infantry and {afv} AFV replacement points are lost";
        /// A unit receives a Strength Point.
        Strengthened { unit: UnitId, strength: u8 } = "strengthened", "8.3e", "{unit} has Strength {strength}";
        /// A unit is removed for its points.
        Cannibalized { unit: UnitId, points: u8 } = "cannibalized", "8.3.2a", "{unit} is broken up for {points} points";
        /// The same, as the enemy sees it.
        CannibalizedUnseen { unit: UnitId } = "cannibalized-unseen", "5.3.4b", "{unit} is broken up";
        /// Points of a cannibalized unit are lost.
        RemainderLost { points: u8 } = "remainder-lost", "8.3.2b", "{points} points are lost";
        /// A unit arrives.
        Arrived { unit: UnitId, hex: Hex } = "arrived", "8.4.1a", "{unit} arrives in {hex}";
        /// A unit arrives beneath another.
        ArrivedUnseen { hex: Hex } = "arrived-unseen", "5.3.4a", "a unit arrives in {hex}";
        /// The reserve of 41. Tank Division is called forward.
        ReserveCalled { turn: u8 } = "reserve", "10.5a", "the reserve of 41. Tank Division arrives on turn {turn}";
        /// A pontoon bridge is built.
        Bridged { corps: Corps, from: Hex, to: Hex } = "bridged", "10.3b", "{corps} Corps bridges the Bug from {from} to {to}";
        /// A pontoon bridge is taken up.
        TakenUp { corps: Corps } = "taken-up", "10.3e", "{corps} Corps takes up its pontoon bridge";
        /// A pontoon bridge is lost.
        BridgeLost { corps: Corps } = "bridge-lost", "10.3f", "the pontoon bridge of {corps} Corps is lost";
        /// The surprise attack is over.
        SurpriseOver = "surprise-over", "10.2d", "the surprise attack is over";
        /// Who has the initiative.
        InitiativeWon { side: Side, axis: u8, soviet: u8 } = "initiative", "6.1d", "{side} has the initiative, {axis} to {soviet}";
        /// Where the initiative marker stands.
        MarkerMoved { side: Side, value: u8 } = "marker", "6.1f", "the initiative marker gives {side} +{value}";
        /// The initiative goes to the enemy.
        Transferred { to: Side } = "transferred", "6.2c", "the initiative goes to {to}";
        /// A side passes.
        Passed { side: Side } = "passed", "6.2f", "{side} passes";
        /// A formation is activated.
        Activated { hq: UnitId } = "activated", "6.3a", "{hq} is activated";
        /// Its Action Points.
        PointsFound { hq: UnitId, ap: u8, level: u8 } = "action-points", "6.3.1a", "{hq} has {ap} AP, level {level}";
        /// An activation or a reaction is over.
        ActivationEnded { hq: UnitId } = "activation-ended", "6.3d", "{hq} ends";
        /// An Action is paid for.
        Paid { ap: u8, left: u8 } = "paid", "6.3.3a", "{ap} AP, {left} left";
        /// A formation tries to react.
        Tries { hq: UnitId } = "tries", "6.4.1a", "{hq} tries to react";
        /// It reacts.
        Reacts { hq: UnitId } = "reacts", "6.4.2a", "{hq} reacts";
        /// It does not.
        NoReaction { hq: UnitId } = "no-reaction", "6.4.4a", "{hq} does not react";
        /// A unit passes a check.
        CheckPassed { unit: UnitId, trial: Trial } = "check-passed", "5.6.1a", "{unit} passes its check ({trial})";
        /// A unit that the enemy does not see passes a check.
        CheckPassedUnseen { trial: Trial } = "check-passed-unseen", "5.3.4a", "a unit passes its check ({trial})";
        /// A unit fails a check.
        CheckFailed { unit: UnitId, trial: Trial } = "check-failed", "5.6.1a", "{unit} fails its check ({trial})";
        /// A unit that the enemy does not see fails a check.
        CheckFailedUnseen { trial: Trial } = "check-failed-unseen", "5.3.4a", "a unit fails its check ({trial})";
        /// A unit is disrupted.
        Disrupted { unit: UnitId } = "disrupted", "5.6.2a", "{unit} is disrupted";
        /// A unit that the enemy does not see is disrupted.
        DisruptedUnseen { hex: Hex } = "disrupted-unseen", "5.3.4a", "a unit in {hex} is disrupted";
        /// A unit enters a hex.
        Entered { unit: UnitId, hex: Hex, cost: Mp } = "entered", "7.3a", "{unit} enters {hex} for {cost} MP";
        /// A unit that the enemy does not see enters a hex.
        EnteredUnseen { hex: Hex } = "entered-unseen", "5.3.4a", "a unit enters {hex}";
        /// A unit crosses the Bug by boat.
        Boated { count: u8 } = "boated", "7.3.8a", "{count} of two boats are used";
        /// A hex changes hands.
        Control { hex: Hex, side: Side } = "control", "7.4d", "{hex} is {side}";
        /// A stack is arranged.
        Arranged { hex: Hex } = "arranged", "5.3.1a", "the stack in {hex} is arranged";
        /// Improved Defense begins.
        Improved { hex: Hex } = "improved", "7.7a", "{hex} is in Improved Defense";
        /// Improved Defense ends.
        ImprovedLost { hex: Hex } = "improved-lost", "7.7c", "{hex} is no longer in Improved Defense";
        /// An HQ relocates.
        Relocated { hq: UnitId, from: Hex, to: Hex } = "relocated", "7.4a", "{hq} relocates from {from} to {to}";
        /// An HQ that the enemy does not see relocates.
        RelocatedUnseen { hq: UnitId } = "relocated-unseen", "5.3.4a", "{hq} relocates";
        /// An HQ is displaced.
        HqDisplaced { hq: UnitId, to: Hex, tier: u8 } = "hq-displaced", "5.3.2a", "{hq} is displaced to {to}, tier {tier}";
        /// An HQ is displaced under other units.
        HqDisplacedUnseen { hq: UnitId, tier: u8 } = "hq-displaced-unseen", "5.3.4a", "{hq} is displaced, tier {tier}";
        /// An HQ finds no place.
        HqAway { hq: UnitId } = "hq-away", "5.3.2h", "no settlement takes {hq}";
        /// What an HQ has left.
        HqReduced { hq: UnitId, support: u8, level: u8 } = "hq-reduced", "5.3.2e", "{hq} has Support {support}, level {level}";
        /// A hex is overstacked.
        Overstacking { hex: Hex } = "overstacking", "5.3.1j", "{hex} is overstacked";
        /// A unit is displaced.
        UnitDisplaced { unit: UnitId, to: Hex } = "unit-displaced", "5.3.3a", "{unit} is displaced to {to}";
        /// An attack is declared.
        Declared { units: Force, hex: Hex, kind: AttackKind } = "declared", "7.5.1a", "{kind} attack by {units} on {hex}";
        /// An attack by units of which the enemy sees at most the top one.
        DeclaredUnseen { from: Hex, hex: Hex, kind: AttackKind } = "declared-unseen", "5.3.4a", "{kind} attack from {from} on {hex}";
        /// A stack is shown.
        Shown { units: Force } = "shown", "5.3.4a", "{units} shown";
        /// A chit is drawn.
        Chit { side: Side, chit: u8 } = "chit", "7.5.1.1a", "{side} draws chit {chit}";
        /// What a unit brings to a combat, in twelfths of a point.
        BattleStrength { unit: UnitId, strength: u8, multiplier: Mp, total: Mp } = "battle-strength", "7.5.1.1d", "{unit}: {strength} x {multiplier} = {total}";
        /// The ratio.
        Ratio { attack: u16, defence: u16 } = "ratio", "7.5.1.2a", "{attack} against {defence}";
        /// The column of the table, by the odds from which it counts.
        ColumnFound { column: i8, from: Odds } = "column", "7.5.1.2a", "column {column}, from {from}";
        /// A modifier.
        Modifier { cause: Cause, points: i8 } = "modifier", "7.5.1.2d", "{points} for {cause}";
        /// Who stands for the armor of a side.
        ArmorBy { unit: UnitId, points: u8 } = "armor-by", "7.5.1.2w", "{unit} stands for the armor with {points}";
        /// All modifiers together.
        ModifierSum { points: i8 } = "modifiers", "5.1c", "{points} in all";
        /// What the die would give, while its owner may still roll again.
        Reads { attacker: u8, attacker_red: bool, defender: u8, defender_red: bool } = "reads", "7.5.1.2d", "that would be {attacker} / {defender} (red: {attacker_red} / {defender_red})";
        /// What the table says.
        Result { attacker: u8, attacker_red: bool, defender: u8, defender_red: bool } = "result", "7.5.2a", "result {attacker} / {defender} (red: {attacker_red} / {defender_red})";
        /// A unit loses a Strength Point.
        StrengthLost { unit: UnitId } = "strength-lost", "7.5.2.1m", "{unit} loses a Strength Point";
        /// A unit that the enemy does not see loses a Strength Point.
        StrengthLostUnseen { hex: Hex } = "strength-lost-unseen", "5.3.4b", "a unit in {hex} loses a Strength Point";
        /// A unit is eliminated.
        Eliminated { unit: UnitId } = "eliminated", "7.5.2.1m", "{unit} is eliminated";
        /// A unit retreats.
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "7.5.2.1o", "{unit} retreats from {from} to {to}";
        /// A unit that the enemy does not see retreats.
        RetreatedUnseen { from: Hex, to: Hex } = "retreated-unseen", "5.3.4a", "a unit retreats from {from} to {to}";
        /// A forced retreat is impossible.
        Stuck { unit: UnitId } = "stuck", "7.5.2.1x", "{unit} cannot retreat";
        /// A unit that the enemy does not see cannot retreat.
        StuckUnseen { hex: Hex } = "stuck-unseen", "5.3.4a", "a unit in {hex} cannot retreat";
        /// A side wins a battle.
        BattleWon { side: Side } = "battle-won", "7.5.3a", "{side} wins the battle and a bonus Action Point";
        /// Victory points are counted.
        Counted { cause: PointCause, points: i8 } = "points", "7.8c", "{points} for {cause}";
        /// The game is over.
        Ended { verdict: Verdict, points: i8 } = "ended", "7.8b", "{verdict}, {points} German points";
    }
}

/// The odds from which a column counts; nothing below the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds(u8, u8);

impl engine::Word for Odds {
    const KIND: &'static str = "odds";
    fn word(&self, _: &dyn Lexicon) -> String {
        if self.0 == 0 { "below".to_owned() } else { format!("{}:{}", self.0, self.1) }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let odds = word.split_once(':').and_then(|(a, b)| Some(Odds(a.parse().ok()?, b.parse().ok()?)));
        let below = (word == "below").then_some(Odds(0, 0));
        odds.or(below).ok_or_else(|| format!("`{word}` are no odds such as 3:1"))
    }
}

impl Lexicon for Bug {
    fn map(&self) -> &Map {
        &self.map
    }
    fn roster(&self) -> &Roster {
        &self.roster
    }
}

impl Rulebook for Bug {
    const BOOK: Book = Book {
        name: "bug",
        title: "Across the Bug River: Volodymyr-Volynskyi 1941",
        edition: "VUCA Simulations, 2021",
        rules: 1,
        sides: BySide { axis: "German", soviet: "Soviet" },
        options: &[Switch {
            name: "open-stacks",
            case: case("5.3.4a"),
            about: "both players may look into all stacks; strengths stay secret",
        }],
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const FINISHING: &'static [&'static str] = &[
        "fight", "keep", "decline", "stand", "halt", "stop", "forgo", "spare", "leave", "go-on", "begin",
        "end",
    ];

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

    /// Each modifier is told with the case that gives it.
    fn case_of(&self, event: &Event) -> Case {
        match event {
            Event::Modifier { cause, .. } => cause.case(),
            _ => event.form().case,
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view::view(self, state, viewer)
    }

    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        deal::imagine(self, state, side, dice)
    }

    fn supposed(&self, state: &State, viewer: Viewer) -> State {
        view::supposed(self, state, viewer)
    }

    fn proofs(&self, state: &State, unit: UnitId, viewer: Viewer) -> Vec<Proof> {
        self.proofs_of(state, unit, viewer)
    }

    fn threat(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex, viewer)
    }

    fn counter(&self, unit: UnitId) -> display::Counter {
        drawing::counter(self, unit)
    }

    fn phases(&self) -> Vec<display::Phase> {
        drawing::PHASES.to_vec()
    }

    fn phase(&self, state: &State) -> Option<usize> {
        drawing::phase_of(state)
    }

    fn turns(&self) -> Vec<Turn> {
        drawing::turns(self)
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        drawing::overlays(self, state, viewer)
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match action {
            Action::Go { hex } => self.route_to(state, hex),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, viewer: Viewer) -> Vec<Remark> {
        drawing::remarks_on(self, state, hex, viewer)
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        setup::audit(self, state)
    }

    fn longest_game(&self) -> usize {
        60_000
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
        self.counters.iter().zip(&state.units).enumerate().filter_map(move |(i, (counter, unit))| match unit
            .place
        {
            Place::Map(hex) if counter.side == side => Some((UnitId(i as u16), hex)),
            _ => None,
        })
    }

    /// The combat units in a hex, in the order of the roster.
    fn combat_units(&self, state: &State, hex: Hex) -> Force {
        let at = Place::Map(hex);
        state.units[..self.counters.len()]
            .iter()
            .enumerate()
            .filter(|(i, unit)| unit.place == at && self.counters[*i].arm != Arm::Hq)
            .map(|(i, _)| UnitId(i as u16))
            .collect()
    }

    /// The HQs in a hex.
    fn hqs_in(&self, state: &State, hex: Hex) -> Force {
        self.hqs.iter().copied().filter(|hq| state.hex(*hq) == Some(hex)).collect()
    }

    /// The HQs of a side.
    fn hqs_of_side(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.hqs.iter().copied().filter(move |hq| self.side(*hq) == side)
    }

    /// Tells both sides what the enemy can see, and him something vaguer when he cannot see the unit.
    fn tell_of(&self, unit: UnitId, seen: bool, event: Event, unseen: Event, play: &mut Play<Event>) {
        if seen { play.tell(event) } else { play.tell_only(self.side(unit), event, Some(unseen)) }
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

    fn is_disrupted(&self, unit: UnitId) -> bool {
        self.marked(unit, Marks::DISRUPTED)
    }

    /// The units in a hex, top first.
    fn stack_in(&self, hex: Hex) -> ArrayVec<UnitId, 16> {
        let at = Place::Map(hex);
        let mut stack: ArrayVec<UnitId, 16> = self
            .units
            .iter()
            .enumerate()
            .filter(|(_, unit)| unit.place == at)
            .map(|(i, _)| UnitId(i as u16))
            .take(16)
            .collect();
        stack.sort_by_key(|unit| self.unit(*unit).depth);
        stack
    }

    /// Who controls a hex (R17).
    fn controller(&self, hex: Hex) -> Side {
        if self.soviet_hexes.contains(hex) { Side::Soviet } else { Side::Axis }
    }

    /// True during the surprise attack (10.2e).
    fn is_surprise(&self) -> bool {
        matches!(self.stack.first(), Some(Procedure::Surprise { .. }))
    }
}
