//! The Ford: a miniature rulebook of nine short sections.
//!
//! It exists to exercise everything the engine offers (an interrupt in the middle of a move, a re-roll after
//! any die, hidden stacks, a retreat choice, two ways to number hexes, optional rules) and to show in a few
//! hundred lines how a rulebook is written. `CONTRIBUTING.md` walks through it.
//!
//! One module a section, in the order of the rulebook; [`setup`] reads and writes situations, [`view`] and [`drawing`]
//! say what is seen, and this file is the contract with the engine.

use arrayvec::ArrayVec;
use board::{Hex, Map, Mp, SideLayer, Sides};
use engine::display;
use engine::frame::Stack;
use engine::law::Statute;
use engine::mark::{Look, Mark};
use engine::{
    Book, BySide, Options, Outcome, Play, ResultTable, Roster, Rulebook, Side, Types, UnitId, UnitSet,
    Veiled, Violation, frames, lexicon, marks, musters, phrases, shelve, switches, words,
};

mod combat;
mod drawing;
mod luck;
mod movement;
mod reaction;
mod sequence;
mod setup;
mod stacking;
mod victory;
mod view;
mod zoc;

use combat::{Advance, Attack, Battle, Combat, Loss, Retreat};
use luck::Luck;
use movement::{Movement, Moving};
use reaction::{Fire, Reaction};

/// The most units a game can have.
pub const MAX_UNITS: usize = 16;

/// Units of a game.
pub type Units = UnitSet<1>;

/// What stays the same during a game.
pub struct Mini {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    roster: Roster,
    counters: Vec<Counter>,
    /// By the map's own terrain numbers.
    terrain: Vec<TerrainEffect>,
    river: SideLayer,
    /// All hexsides without a river: those that zones of control cross (3.1).
    dry_sides: Sides,
    /// What never changes about a step.
    statute: Statute,
    objectives: Vec<Hex>,
    combat_table: ResultTable<CombatResult>,
    turns: u8,
    options: Options,
    switches: Switches,
}

/// A counter as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counter {
    side: Side,
    kind: Arm,
    attack: u8,
    defence: u8,
    allowance: Mp,
    steps: u8,
}

/// A row of the terrain chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TerrainEffect {
    /// What it costs to enter; nothing when no unit may.
    cost: Option<Mp>,
    /// Columns to the left for the attacker.
    shift: u8,
}

words! {
    /// The sort of a unit.
    pub enum Arm: "arm" {
        /// Infantry.
        Foot = "foot",
        /// Armour.
        Tank = "tank",
        /// Guns, which may fire in reaction.
        Gun = "gun",
    }
}

words! {
    /// What the combat table says.
    pub enum CombatResult: "result" {
        /// An attacker loses a step.
        AttackerLoss = "AL",
        /// Nothing.
        NoEffect = "NE",
        /// The defenders retreat.
        Retreat = "DR",
        /// The defenders lose a step each and retreat.
        DefenderLoss = "DL",
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    /// Where it is; nowhere when it is eliminated.
    hex: Option<Hex>,
    steps: u8,
    marks: Marks,
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u8 {
        MOVED = "moved", "4.1", Phase, Look::Done, "has moved or been lifted in this phase";
        ATTACKED = "attacked", "6.1", Phase, Look::Done, "has joined an attack in this phase";
        FIRED = "fired", "5.1", Phase, Look::Done, "has fired in this phase";
        SHOWN = "shown", "2.5", Phase, Look::Quiet, "is shown to the enemy until the phase ends";
    }
}

switches! {
    /// The optional rules that are on (9).
    pub struct Switches {
        fords = "fords", "9.1", "rivers cost no movement points";
        open_stacks = "open-stacks", "9.2", "all stacks may be inspected";
    }
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    units: ArrayVec<Unit, MAX_UNITS>,
    /// All units; of those in one hex the first is on top.
    order: ArrayVec<UnitId, MAX_UNITS>,
    /// Who still has the luck chip (7.1).
    luck: BySide<bool>,
    /// Hexes attacked in this phase (6.1).
    attacked: ArrayVec<Hex, MAX_UNITS>,
    stack: Stack<Procedure, 6>,
}

frames! {
    /// A procedure under way. The last on the stack asks for a decision or waits for a die.
    pub enum Procedure of Mini, 6 deep {
        Movement, Moving, Reaction, Fire, Luck, Combat, Attack, Battle, Loss, Retreat, Advance,
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        Move { unit: UnitId, to: Hex } = "move", "4.1", "move {unit} to {to}";
        Lift { unit: UnitId } = "lift", "2.3", "put {unit} on top", Arrange;
        Fire { gun: UnitId } = "fire", "5.1", "{gun} fires";
        Hold = "hold", "5.1", "hold fire", Finish;
        Keep = "keep", "7.1", "keep the roll", Finish;
        Reroll = "reroll", "7.1", "hand in the luck chip and roll again";
        Name { unit: UnitId, hex: Hex } = "name", "6.1", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "6.1", "{unit} joins the attack";
        Leave { unit: UnitId } = "leave", "6.1", "{unit} does not join the attack", TakeBack;
        Cancel = "cancel", "6.1", "call the attack off", TakeBack;
        Declare = "declare", "6.4", "declare the attack and roll", Finish;
        Lose { unit: UnitId } = "lose", "6.4", "{unit} loses the step", Loss;
        Stand = "stand", "6.5", "stand fast and lose a step", Loss;
        Retreat { unit: UnitId, to: Hex } = "retreat", "6.6", "{unit} retreats to {to}", Retreat;
        Abandon { unit: UnitId } = "abandon", "6.6", "give up {unit}";
        Advance { unit: UnitId } = "advance", "6.7", "{unit} advances", Advance;
        Stay = "stay", "6.7", "do not advance", Finish;
        End = "end", "1.1", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "1.1", "turn {turn} begins", Turn;
        PhaseBegan { side: Side, phase: Phase } = "phase", "1.1", "{side} {phase} phase", Phase;
        /// A unit has moved; of one that it does not see the enemy learns from where to where (2.4).
        Moved { unit: Veiled<UnitId>, from: Hex, to: Hex, spent: Veiled<Mp> } = "moved", "4.1", "{unit} moves from {from} to {to}[ for {spent} MP]", Move;
        Lifted { unit: UnitId, hex: Hex } = "lifted", "2.3", "{unit} is on top in {hex}";
        Shown { units: Units } = "shown", "2.5", "shown: {units}", Shown;
        Fired { gun: UnitId, unit: UnitId } = "fired", "5.1", "{gun} fires at {unit}";
        Missed { unit: UnitId } = "missed", "5.2", "{unit} is not hit";
        Declared { units: Units, hex: Hex } = "declared", "6.1", "{units} attack {hex}", Attack;
        Factors { attack: u8, defence: u8, difference: i16 } = "factors", "6.2", "{attack} against {defence}: differential {difference}", Account;
        Shifted { columns: u8, why: ShiftCause } = "shifted", "6.3", "{columns} column to the left: {why}", Account;
        Column { heading: i8 } = "column", "6.3", "column {heading}", Column;
        Result { result: CombatResult } = "result", "6.4", "result {result}", Result;
        StepLost { unit: UnitId, left: u8 } = "step-lost", "6.4", "{unit} loses a step, {left} left", Loss;
        Eliminated { unit: UnitId } = "eliminated", "6.6", "{unit} is eliminated", Eliminated;
        Stood { hex: Hex } = "stood", "6.5", "the defenders of {hex} stand fast";
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "6.6", "{unit} retreats from {from} to {to}", Retreat;
        Advanced { unit: UnitId, to: Hex } = "advanced", "6.7", "{unit} advances to {to}", Advance;
        LuckSpent { side: Side } = "luck-spent", "7.1", "{side} hands in its luck chip";
        Ended { axis: u8, soviet: u8 } = "ended", "8.1", "the game is over: Axis {axis}, Soviet {soviet}", End;
    }
}

words! {
    /// A phase of a player turn.
    pub enum Phase: "phase" {
        /// Units move.
        Movement = "movement",
        /// Units attack.
        Combat = "combat",
    }
}

words! {
    /// Why a column is shifted.
    pub enum ShiftCause: "cause" {
        /// The defenders' terrain.
        Terrain = "terrain",
        /// A river before every attacker.
        River = "river",
    }
}

lexicon!(Mini);
shelve!(Mini);
musters!(Action);

impl Types for Mini {
    const BOOK: Book = Book {
        name: "mini",
        title: "The Ford",
        edition: "Grognard's own exercise",
        rules: 2,
        sides: BySide { axis: "Axis", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Mini {
    fn outcome(&self, state: &State) -> Outcome {
        Mini::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    fn watch(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        self.end_if_annihilated(state, play) // 8.2
    }

    fn phases(&self, _: &State) -> Vec<display::Phase> {
        sequence::PHASES.to_vec()
    }
}

impl Mini {
    fn side(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }
}

impl State {
    fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.unit(unit).marks.has(mark)
    }

    fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.unit_mut(unit).marks.set(mark);
    }

    fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    fn unit_mut(&mut self, unit: UnitId) -> &mut Unit {
        &mut self.units[unit.index()]
    }

    /// The units in a hex, top first.
    fn stack_in(&self, hex: Hex) -> impl DoubleEndedIterator<Item = UnitId> {
        self.order.iter().copied().filter(move |unit| self.unit(*unit).hex == Some(hex))
    }
}
