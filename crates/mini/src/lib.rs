//! The Ford: a miniature rulebook of nine short sections.
//!
//! It exists to exercise everything the engine offers (an interrupt in the middle of a move, a re-roll after
//! any die, hidden stacks, a retreat choice, two ways to number hexes, optional rules) and to show in a few
//! hundred lines how a rulebook is written. `CONTRIBUTING.md` walks through it.
//!
//! One module a section, in the order of the rulebook; [`setup`] reads and writes situations, [`view`] and [`drawing`]
//! say what is seen, and this file is the contract with the engine.

use arrayvec::ArrayVec;
use board::{Hex, LinkLayer, Map, Mp, SideLayer, Sides};
use engine::display::{self, Overlay, Route, Turn};
use engine::{
    Asked, Book, BySide, Data, Dice, Lexicon, Options, Play, Remark, ResultTable, Roster, Rulebook, Side,
    Switch, UnitId, UnitSet, View, Viewer, Violation, case, phrases, words,
};
use include_dir::{Dir, include_dir};
use source::{Faults, Source, Table, Writer};

mod combat;
mod drawing;
mod luck;
mod movement;
mod options;
mod reaction;
mod sequence;
mod setup;
mod stacking;
mod victory;
mod view;
mod zoc;

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/mini");

/// The most units a game can have.
pub const MAX_UNITS: usize = 16;

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
    road: LinkLayer,
    objectives: Vec<Hex>,
    combat_table: ResultTable<CombatResult>,
    turns: u8,
    options: Options,
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
    /// Has moved or been lifted in this phase (4.1, 2.3).
    moved: bool,
    /// Has joined an attack in this phase (6.1).
    attacked: bool,
    /// Has fired in this phase (5.1).
    fired: bool,
    /// Is shown to the enemy until the phase ends (2.5).
    shown: bool,
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
    /// The procedures under way, the innermost last. None when the game is over.
    stack: ArrayVec<Procedure, 6>,
}

phrases! {
    /// A procedure under way. The last on the stack asks for a decision.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Procedure {
        /// A movement phase.
        Movement { side: Side } = "movement", "1.1", "{side} movement phase";
        /// A unit on its way, with the points it has left; `seen` when the enemy sees it go.
        Moving { unit: UnitId, from: Hex, to: Hex, left: Mp, seen: bool } = "moving", "4.1", "{unit} moves to {to}";
        /// Guns may fire at a unit on its way.
        Reaction { unit: UnitId } = "reaction", "5.1", "guns may fire at {unit}";
        /// A gun has fired; the die decides.
        Fire { gun: UnitId, unit: UnitId } = "fire", "5.2", "{gun} fires at {unit}";
        /// A side may hand in its luck chip to roll again.
        Luck { side: Side, roll: u8 } = "luck", "7.1", "{side} has rolled {roll}";
        /// A combat phase.
        Combat { side: Side } = "combat", "1.1", "{side} combat phase";
        /// An attack was declared; more units may join.
        Attack { target: Hex, attackers: UnitSet } = "attack", "6.1", "{attackers} attack {target}";
        /// The die decides, in this column.
        Battle { target: Hex, attackers: UnitSet, column: u8 } = "battle", "6.4", "battle for {target}";
        /// An attacker must lose a step.
        Loss { attackers: UnitSet } = "loss", "6.4", "one of {attackers} loses a step";
        /// The defenders retreat; while `stand`, they may take a loss instead.
        Retreat { target: Hex, attackers: UnitSet, stand: bool } = "retreat", "6.6", "defenders of {target} retreat";
        /// An attacker may advance.
        Advance { target: Hex, attackers: UnitSet } = "advance", "6.7", "one of {attackers} may advance to {target}";
    }
}

phrases! {
    /// What a player can answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        /// Go to a hex by the cheapest lawful path.
        Move { unit: UnitId, to: Hex } = "move", "4.1", "move {unit} to {to}";
        /// Put a unit on top of its stack instead of moving it.
        Lift { unit: UnitId } = "lift", "2.3", "put {unit} on top";
        /// Fire at the unit that has come near.
        Fire { gun: UnitId } = "fire", "5.1", "{gun} fires";
        /// Do not fire.
        Hold = "hold", "5.1", "hold fire";
        /// Let the roll stand.
        Keep = "keep", "7.1", "keep the roll";
        /// Hand in the luck chip and roll again.
        Reroll = "reroll", "7.1", "hand in the luck chip and roll again";
        /// Declare an attack by one unit.
        Attack { unit: UnitId, hex: Hex } = "attack", "6.1", "{unit} attacks {hex}";
        /// Add a unit to the attack.
        Join { unit: UnitId } = "join", "6.1", "{unit} joins the attack";
        /// Roll for the attack.
        Resolve = "resolve", "6.4", "resolve the attack";
        /// Name the attacker that loses a step.
        Lose { unit: UnitId } = "lose", "6.4", "{unit} loses the step";
        /// Take a loss instead of retreating.
        Stand = "stand", "6.5", "stand fast and lose a step";
        /// Retreat a unit.
        Retreat { unit: UnitId, to: Hex } = "retreat", "6.6", "{unit} retreats to {to}";
        /// Give up a unit that cannot retreat, although the stack could stand.
        Abandon { unit: UnitId } = "abandon", "6.6", "give up {unit}";
        /// Advance an attacker.
        Advance { unit: UnitId } = "advance", "6.7", "{unit} advances";
        /// Do not advance.
        Stay = "stay", "6.7", "do not advance";
        /// End the phase.
        End = "end", "1.1", "end the phase";
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Event {
        /// A turn begins.
        TurnBegan { turn: u8 } = "turn", "1.1", "turn {turn} begins";
        /// A phase begins.
        PhaseBegan { side: Side, phase: Phase } = "phase", "1.1", "{side} {phase} phase";
        /// A unit has moved.
        Moved { unit: UnitId, from: Hex, to: Hex, spent: Mp } = "moved", "4.1", "{unit} moves from {from} to {to} for {spent} MP";
        /// A unit that the enemy does not see has moved.
        MovedUnseen { from: Hex, to: Hex } = "moved-unseen", "2.4", "a unit moves from {from} to {to}";
        /// A unit was put on top.
        Lifted { unit: UnitId, hex: Hex } = "lifted", "2.3", "{unit} is on top in {hex}";
        /// Units are shown to the enemy.
        Shown { units: UnitSet } = "shown", "2.5", "{units} is shown";
        /// A gun fires.
        Fired { gun: UnitId, unit: UnitId } = "fired", "5.1", "{gun} fires at {unit}";
        /// It misses.
        Missed { unit: UnitId } = "missed", "5.2", "{unit} is not hit";
        /// An attack is declared.
        Declared { unit: UnitId, hex: Hex } = "declared", "6.1", "{unit} attacks {hex}";
        /// A unit joins it.
        Joined { unit: UnitId } = "joined", "6.1", "{unit} joins the attack";
        /// The factors.
        Factors { attack: u8, defence: u8, difference: i8 } = "factors", "6.2", "{attack} against {defence}: differential {difference}";
        /// The column moves to the left.
        Shifted { columns: u8, why: ShiftCause } = "shifted", "6.3", "{columns} column to the left: {why}";
        /// The column that counts.
        Column { heading: i8 } = "column", "6.3", "column {heading}";
        /// What the table says.
        Result { result: CombatResult } = "result", "6.4", "result {result}";
        /// A unit loses a step.
        StepLost { unit: UnitId, left: u8 } = "step-lost", "6.4", "{unit} loses a step, {left} left";
        /// A unit is gone.
        Eliminated { unit: UnitId } = "eliminated", "6.6", "{unit} is eliminated";
        /// A stack stands fast.
        Stood { hex: Hex } = "stood", "6.5", "the defenders of {hex} stand fast";
        /// A unit retreats.
        Retreated { unit: UnitId, from: Hex, to: Hex } = "retreated", "6.6", "{unit} retreats from {from} to {to}";
        /// A unit advances.
        Advanced { unit: UnitId, to: Hex } = "advanced", "6.7", "{unit} advances to {to}";
        /// A luck chip is handed in.
        LuckSpent { side: Side } = "luck-spent", "7.1", "{side} hands in its luck chip";
        /// The game is over.
        Ended { axis: u8, soviet: u8 } = "ended", "8.1", "the game is over: Axis {axis}, Soviet {soviet}";
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

impl Lexicon for Mini {
    fn map(&self) -> &Map {
        &self.map
    }
    fn roster(&self) -> &Roster {
        &self.roster
    }
}

impl Rulebook for Mini {
    const BOOK: Book = Book {
        name: "mini",
        title: "The Ford",
        edition: "Grognard's own exercise",
        rules: 1,
        sides: BySide { axis: "Axis", soviet: "Soviet" },
        options: &[
            Switch { name: "fords", case: case("9.1"), about: "rivers cost no movement points" },
            Switch { name: "open-stacks", case: case("9.2"), about: "all stacks may be inspected" },
        ],
    };

    type State = State;
    type Action = Action;
    type Event = Event;

    const FINISHING: &'static [&'static str] = &["resolve", "keep", "hold", "stay", "end"];

    fn embedded() -> Data {
        Data::embedded(Self::BOOK.name, &DATA)
    }

    fn read_map(source: &Source, data: &Data) -> Result<Map, Faults> {
        setup::read_map(source, data)
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

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view::view(self, state, viewer)
    }

    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        view::imagine(self, state, side, dice)
    }

    /// Guns that the mover does not see may interrupt a move (5.1).
    fn foreseeable(&self, state: &State, action: Action) -> bool {
        let Action::Move { unit, .. } = action else { return true };
        let enemies = self.roster.iter().filter(|enemy| self.side(*enemy) != self.side(unit));
        enemies.into_iter().all(|enemy| self.is_seen(state, enemy))
    }

    fn counter(&self, unit: UnitId) -> display::Counter {
        drawing::counter(self, unit)
    }

    fn phases(&self) -> Vec<display::Phase> {
        drawing::PHASES.iter().map(|(_, phase)| *phase).collect()
    }

    fn phase(&self, state: &State) -> Option<usize> {
        let now = state.stack.first()?;
        drawing::PHASES.iter().position(|(procedure, _)| procedure == now)
    }

    fn turns(&self) -> Vec<Turn> {
        vec![Turn::default(); usize::from(self.turns)]
    }

    fn overlays(&self, state: &State, viewer: Viewer) -> Vec<Overlay> {
        drawing::overlays(self, state, viewer)
    }

    fn route(&self, state: &State, action: Action) -> Option<Route> {
        match action {
            Action::Move { unit, to } => drawing::route(self, state, unit, to),
            _ => None,
        }
    }

    fn remarks_on(&self, state: &State, hex: Hex, _: Viewer) -> Vec<Remark> {
        drawing::remarks_on(self, state, hex)
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        setup::audit(self, state)
    }

    fn longest_game(&self) -> usize {
        2_000
    }
}

impl Mini {
    fn side(&self, unit: UnitId) -> Side {
        self.counters[unit.index()].side
    }
}

impl State {
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
