//! The Depot: an exercise rulebook for what long rules need and *The Ford* has not.
//!
//! Interrupts nest five deep in the middle of a move (5, 6); supply points are split, carried, captured and spent (3); a side
//! blows up a dump without being asked (3.6); who goes first is chosen anew each turn (1.3); counters have two faces (2.2);
//! stacks of any size attack together (7); and nobody sees what is in an enemy dump (3.2).
//!
//! One module a section, in the order of the rulebook; [`setup`] reads and writes situations, [`view`] says what is seen, and
//! this file is the contract with the engine.

use board::{Hex, Map, Mp, Sides};
use engine::display;
use engine::frame::Stack;
use engine::law::Statute;
use engine::mark::{Look, Mark};
use engine::store::{OnMap, Placed, Stocks, UnitStore};
use engine::{
    Book, BySide, Options, Outcome, Play, ResultTable, Roster, Rulebook, Side, Types, UnitId, UnitSet,
    Veiled, Violation, frames, lexicon, marks, musters, phrases, places, shelve, switches, words,
};

mod air;
mod combat;
mod faces;
mod movement;
mod overrun;
mod sequence;
mod setup;
mod supply;
mod victory;
mod view;

use air::{Ace, Intercept, Strike};
use combat::{Attack, Combat};
use movement::{Movement, Moving};
use overrun::{Fire, Overrun};
use sequence::Initiative;

/// The most units a game can have.
pub const MAX_UNITS: usize = 128;

/// The most dumps and loads that there can be.
pub const MAX_STOCKS: usize = 60;

/// The most procedures that can be under way: an ace in a dogfight on the way to a strike on guns that fire at a tank that
/// overruns somebody in the middle of its move in a movement phase.
pub const DEEPEST: usize = 7;

/// Units of a game.
pub type Units = UnitSet<2>;

/// What stays the same during a game.
pub struct Depot {
    map: Map,
    /// The name of the map, when it is one of the rulebook's own and not a sketch.
    map_name: Option<String>,
    roster: Roster,
    counters: Vec<Counter>,
    /// What a hex costs to enter, by the map's own terrain numbers; nothing when no unit may.
    terrain: Vec<Option<Mp>>,
    sides: Sides,
    statute: Statute,
    objectives: Vec<Hex>,
    combat_table: ResultTable<CombatResult>,
    turns: u8,
    /// How many supply points there were at first (3.1).
    made: u32,
    options: Options,
    switches: Switches,
}

/// A counter as it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counter {
    side: Side,
    kind: Arm,
    fighting: Face,
    travel: Option<Face>,
    steps: u8,
}

/// One face of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Face {
    attack: u8,
    defence: u8,
    allowance: u8,
}

words! {
    /// The sort of a unit.
    pub enum Arm: "arm" {
        /// Infantry.
        Foot = "foot",
        /// Armour, which may overrun.
        Tank = "tank",
        /// Guns, which may answer an overrun.
        Gun = "gun",
        /// Trucks, which carry supply points.
        Truck = "truck",
        /// Aircraft that strike guns.
        Bomber = "bomber",
        /// Aircraft that meet bombers.
        Fighter = "fighter",
    }
}

words! {
    /// What is stored in dumps.
    pub enum Goods: "goods" {
        /// Supply points.
        Supply = "supply",
    }
}

words! {
    /// What the combat table says.
    pub enum CombatResult: "result" {
        /// An attacker loses a step.
        AttackerLoss = "AL",
        /// Nothing.
        NoEffect = "NE",
        /// A defender loses a step.
        DefenderLoss = "DL",
        /// All defenders are eliminated.
        DefendersEliminated = "DE",
    }
}

places! {
    /// Where a unit is.
    pub enum Place {
        /// On an airfield beyond the map.
        Base = "base",
        /// Out of the game.
        Eliminated = "eliminated",
    }
}

/// What changes about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Unit {
    place: Place,
    steps: u8,
    marks: Marks,
}

impl OnMap for Unit {
    fn hex(&self) -> Option<Hex> {
        self.place.hex()
    }
}

marks! {
    /// What is marked on a unit.
    pub struct Marks: u8 {
        MOVED = "moved", "4.1", Phase, Look::Done, "has moved in this phase";
        TURNED = "turned", "2.2", Phase, Look::Quiet, "was turned over in this phase";
        LOADED = "loaded", "3.3", Phase, Look::Quiet, "has loaded in this phase";
        UNLOADED = "unloaded", "3.4", Phase, Look::Quiet, "has unloaded in this phase";
        FIRED = "fired", "5.2", Phase, Look::Done, "has fired in this phase";
        ATTACKED = "attacked", "7.1", Phase, Look::Done, "has attacked in this phase";
        FLOWN = "flown", "6.1", Turn, Look::Done, "has flown in this turn";
        TRAVEL = "travel", "2.2", On, Look::Bad("T"), "lies on its travel face";
    }
}

switches! {
    /// The optional rules that are on (9).
    pub struct Switches {
        open_dumps = "open-dumps", "9.1", "everybody sees what is in a dump";
    }
}

/// What changes during a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    turn: u8,
    /// Who goes first in this turn, once it was said (1.3).
    first: Option<Side>,
    units: UnitStore<Unit, MAX_UNITS>,
    stocks: Stocks<Goods, MAX_STOCKS>,
    /// Supply points spent and destroyed so far (3.1).
    spent: u32,
    destroyed: u32,
    /// Who still has the ace marker (6.5).
    ace: BySide<bool>,
    stack: Stack<Procedure, DEEPEST>,
}

frames! {
    /// A procedure under way. The last on the stack asks for a decision.
    pub enum Procedure of Depot, DEEPEST deep {
        Initiative, Movement, Moving, Overrun, Fire, Strike, Intercept, Ace, Combat, Attack,
    }
}

phrases! {
    /// What a player can do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        First = "first", "1.3", "go first";
        Second = "second", "1.3", "go second";
        Move { unit: UnitId, to: Hex } = "move", "4.3", "move {unit} to {to}";
        Halt = "halt", "4.3", "go no further", Finish;
        Turn { unit: UnitId } = "turn", "2.2", "turn {unit} over";
        Load { unit: UnitId, points: u16 } = "load", "3.3", "{unit} loads {points} SP";
        Unload { unit: UnitId, points: u16 } = "unload", "3.4", "{unit} unloads {points} SP";
        Blow { hex: Hex } = "blow", "3.6", "blow up the dump in {hex}";
        Overrun { unit: UnitId, hex: Hex } = "overrun", "5.1", "{unit} overruns {hex}";
        Fire { gun: UnitId } = "fire", "5.2", "{gun} fires";
        Hold = "hold", "5.2", "hold fire", Finish;
        Strike { bomber: UnitId } = "strike", "6.1", "{bomber} strikes the gun";
        Intercept { fighter: UnitId } = "intercept", "6.3", "{fighter} meets the bomber";
        Ground = "ground", "6.1", "send no aircraft", Finish;
        Keep = "keep", "6.5", "let the die stand", Finish;
        Reroll = "reroll", "6.5", "hand in the ace marker and have it rolled again";
        Name { unit: UnitId, hex: Hex } = "name", "7.1", "{unit} attacks {hex}";
        Join { unit: UnitId } = "join", "7.1", "{unit} joins the attack";
        Leave { unit: UnitId } = "leave", "7.1", "{unit} does not join the attack", TakeBack;
        Cancel = "cancel", "7.1", "call the attack off", TakeBack;
        Declare { dump: Hex } = "declare", "7.2", "attack with supply from {dump}", Finish;
        End = "end", "1.1", "end the phase", EndPhase;
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        TurnBegan { turn: u8 } = "turn", "1.1", "turn {turn} begins", Turn;
        Initiative { side: Side } = "initiative", "1.2", "{side} has the initiative";
        First { side: Side } = "first", "1.3", "{side} goes first";
        PhaseBegan { side: Side, phase: Phase } = "phase", "1.1", "{side} {phase} phase", Phase;
        Turned { unit: UnitId } = "turned", "2.2", "{unit} is turned over";
        Moved { unit: UnitId, to: Hex, left: Mp } = "moved", "4.3", "{unit} moves to {to}, {left} MP left", Move;
        /// A truck has loaded; the enemy does not see how much (3.2).
        Loaded { unit: UnitId, points: Veiled<u16> } = "loaded", "3.3", "{unit} loads[ {points} SP]";
        Unloaded { unit: UnitId, points: Veiled<u16> } = "unloaded", "3.4", "{unit} unloads[ {points} SP]";
        Captured { side: Side, hex: Hex, points: u16 } = "captured", "3.5", "{side} captures {points} SP in {hex}", Control;
        Blown { side: Side, hex: Hex, destroyed: u16, left: Veiled<u16> } = "blown", "3.7", "{side} blows up {destroyed} SP in {hex}[, {left} left]";
        Dropped { unit: UnitId, hex: Hex } = "dropped", "3.8", "what {unit} carried lies in {hex}";
        Overran { unit: UnitId, hex: Hex } = "overrun", "5.1", "{unit} overruns {hex}", Attack;
        Fired { gun: UnitId } = "fired", "5.2", "{gun} fires";
        Missed { gun: UnitId } = "missed", "5.3", "{gun} misses";
        Overcame { attack: u8, defence: u16, success: bool } = "overcame", "5.4", "attack {attack}, defence {defence}, success: {success}", Result;
        Struck { bomber: UnitId, gun: UnitId } = "struck", "6.1", "{bomber} goes for {gun}";
        Silenced { gun: UnitId, success: bool } = "silenced", "6.2", "{gun} is struck, and silenced: {success}";
        Intercepted { fighter: UnitId, bomber: UnitId } = "intercepted", "6.3", "{fighter} meets {bomber}";
        TurnedBack { unit: UnitId } = "turned-back", "6.4", "{unit} turns back";
        AceSpent { side: Side } = "ace-spent", "6.5", "{side} hands in its ace marker";
        Declared { units: Units, hex: Hex } = "declared", "7.1", "attack on {hex} by {units}", Attack;
        Spent { side: Side, points: u16, dump: Hex } = "spent", "7.2", "{side} spends {points} SP from {dump}", Account;
        Strengths { attack: u16, defence: u16 } = "strengths", "7.3", "{attack} against {defence}", Account;
        Column { attack: u8, defence: u8 } = "column", "7.3", "column {attack}:{defence}", Column;
        Result { result: CombatResult } = "result", "7.4", "result {result}", Result;
        StepLost { unit: UnitId, left: u8 } = "step-lost", "2.3", "{unit} loses a step, {left} left", Loss;
        Eliminated { unit: UnitId } = "eliminated", "2.3", "{unit} is eliminated", Eliminated;
        Ended { axis: i32, soviet: i32 } = "ended", "8.1", "the game is over: Axis {axis}, Soviet {soviet}", End;
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

lexicon!(Depot);
shelve!(Depot);
musters!(Action);

impl Types for Depot {
    const BOOK: Book = Book {
        name: "depot",
        title: "The Depot",
        edition: "Grognard's own exercise",
        rules: 1,
        sides: BySide { axis: "Axis", soviet: "Soviet" },
        options: Switches::ALL,
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const MARKS: &'static [Mark] = Marks::ALL;
}

impl Rulebook for Depot {
    fn outcome(&self, state: &State) -> Outcome {
        Depot::outcome(self, state)
    }

    fn not_asked(&self, state: &State, _: Action) -> Violation {
        sequence::not_asked(state)
    }

    /// Whatever is under way, and whoever is asked: a dump may be blown up (3.6).
    fn interjections(&self, state: &State, side: Side, actions: &mut Vec<Action>) {
        actions.extend(self.dumps_in_danger(state, side).map(|hex| Action::Blow { hex }));
    }

    fn check_interjection(&self, state: &State, side: Side, action: Action) -> Result<(), Violation> {
        match action {
            Action::Blow { hex } => self.check_blow(state, side, hex),
            _ => Err(sequence::not_asked(state)),
        }
    }

    fn interject(&self, state: &mut State, side: Side, action: Action, play: &mut Play<Event>) {
        if let Action::Blow { hex } = action {
            self.blow(state, side, hex, play);
        }
    }

    fn phases(&self, state: &State) -> Vec<display::Phase> {
        sequence::phases(state)
    }

    fn overflow(&self, state: &State) -> Option<String> {
        state.stocks.is_full().then(|| format!("there is room for {MAX_STOCKS} dumps and loads and no more"))
    }
}

impl Depot {
    fn side(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }

    fn kind(&self, unit: UnitId) -> Arm {
        self.counters[unit.index()].kind
    }

    /// Whose units are in a hex.
    fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        state.units.in_hex(hex).next().map(|unit| self.side(unit))
    }
}

impl State {
    fn hex(&self, unit: UnitId) -> Option<Hex> {
        self.units[unit].hex()
    }

    fn marked(&self, unit: UnitId, mark: Marks) -> bool {
        self.units[unit].marks.has(mark)
    }

    fn mark(&mut self, unit: UnitId, mark: Marks) {
        self.units.change(unit, |unit| unit.marks.set(mark));
    }
}
