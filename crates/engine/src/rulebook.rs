//! The contract between the engine and a rulebook.

use std::fmt::Debug;
use std::hash::Hash;

use board::Hex;
use include_dir::Dir;
use source::{Table, Writer};

use crate::display::{Counter, Overlay, Phase, Route, Score, Turn};
use crate::mark::Mark;
use crate::observation::{Observation, Schema, Values};
use crate::store::Placed;
use crate::{
    BySide, Case, Data, Dice, Frame, Frames, Front, Lexicon, Marker, Phrase, Play, Remark, Side, StockSeen,
    Telling, Track, UnitId, View, Viewer, Violation, view,
};

/// What a rulebook says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Book {
    /// The short name that scenarios, files and cases go by: `dagc`.
    pub name: &'static str,
    /// The printed title.
    pub title: &'static str,
    /// Who published it, and which edition this is.
    pub edition: &'static str,
    /// Counts up whenever the same actions and dice could lead to another game.
    pub rules: u32,
    /// What it calls the two sides.
    pub sides: BySide<&'static str>,
    /// The optional rules, as switches.
    pub options: &'static [Switch],
}

/// An optional rule that players agree on before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The word for it in files and on the command line.
    pub name: &'static str,
    /// The case that describes it.
    pub case: Case,
    /// What it does, in a few words.
    pub about: &'static str,
}

/// The optional rules that are on: a bit for each [`Switch`] of the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options(u64);

impl Options {
    /// Switches an optional rule on by its name.
    pub fn switch_on(&mut self, book: &Book, name: &str) -> Result<(), String> {
        let Some(place) = book.options.iter().position(|switch| switch.name == name) else {
            let names: Vec<&str> = book.options.iter().map(|switch| switch.name).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(format!("{} has no option `{name}`; it has {known}", book.name));
        };
        self.0 |= 1 << place;
        Ok(())
    }

    /// True when this optional rule is played.
    pub fn is_on(self, book: &Book, name: &str) -> bool {
        book.options
            .iter()
            .position(|switch| switch.name == name)
            .is_some_and(|place| self.0 >> place & 1 == 1)
    }

    /// The names of those that are on.
    pub fn names(self, book: &Book) -> impl Iterator<Item = &'static str> {
        book.options
            .iter()
            .enumerate()
            .filter(move |(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, switch)| switch.name)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why, with the case of the victory conditions.
    pub reason: Remark,
    /// Victory points, where the rulebook counts them.
    pub points: BySide<i32>,
}

/// Something proved of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What is in question: supply, command …
    pub what: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The path that shows it, or the one that something stands in the way of; from the unit outward.
    pub path: Vec<Hex>,
    /// Why, each with its case.
    pub because: Vec<Remark>,
}

/// The question that a game stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A side must decide something.
    Decision {
        /// Who decides.
        side: Side,
        /// What is asked.
        prompt: Remark,
    },
    /// Nothing: the game is over.
    Over(Outcome),
}

/// What a rulebook is made of. The implementing type holds what stays the same during a game (map, counters, tables,
/// options); what changes is in its `State`.
///
/// A state is a value: it can be cloned, compared, hashed, saved in the middle of anything and searched. The
/// procedures that are under way stand in it as plain data.
pub trait Types: Lexicon + Send + Sync + Sized + 'static {
    /// What the rulebook says of itself.
    const BOOK: Book;

    /// What changes during a game.
    type State: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;
    /// What a player can answer.
    type Action: Telling + Copy + Eq + Hash + Send + Sync;
    /// What can happen.
    type Event: Telling + Eq + Hash + Send + Sync;

    /// The marks that units can carry.
    const MARKS: &'static [Mark] = &[];
}

/// How situations are read and written, and what must hold in them.
pub trait Setup: Types {
    /// The data files built into the program.
    const FILES: &'static Dir<'static>;

    /// Reads a situation (a scenario is one, too). What is wrong goes to the document's faults; a state that is
    /// returned without any is sound.
    fn read(situation: &Table<'_>, data: &Data, options: Options) -> Option<(Self, Self::State)>;

    /// Writes a situation that [`Setup::read`] turns back into the same state.
    fn write(&self, state: &Self::State, out: &mut Writer);

    /// The optional rules that are on.
    fn options(&self) -> Options;

    /// The game that is played, in a system that plays several: what [`Data::game`] said when it was read.
    fn game(&self) -> Option<&str> {
        None
    }

    /// What must hold in every state: positions, stacking, steps, counts. Says what does not.
    fn audit(&self, state: &Self::State) -> Result<(), String>;

    /// What must hold besides where nothing is under way yet: what the rules forbid when units are set up, although it may
    /// come about in play for a moment. Says what does not.
    fn audit_setup(&self, _state: &Self::State) -> Result<(), String> {
        Ok(())
    }

    /// The most decisions a game can possibly take: a game that goes on longer is at fault.
    fn longest_game(&self) -> usize {
        20_000
    }

    /// The data files built into the program.
    fn embedded() -> Data {
        Data::embedded(Self::BOOK.name, Self::FILES)
    }
}

/// What a side sees of a state, what it can imagine behind it, and what it may ask. The engine puts the view and the
/// observation together from these parts; nothing else of a state ever leaves it for a viewer.
pub trait Sight: Types {
    /// Where units can be.
    type Place: Placed;

    /// Where a unit is; nowhere when it is not in this game.
    fn place(&self, state: &Self::State, unit: UnitId) -> Option<Self::Place>;

    /// Whose a unit is.
    fn owner(&self, state: &Self::State, unit: UnitId) -> Side;

    /// The units in a hex, top first.
    fn stack_in(&self, state: &Self::State, hex: Hex) -> impl Iterator<Item = UnitId>;

    /// True when the enemy sees a unit's front.
    fn is_seen(&self, _state: &Self::State, _unit: UnitId) -> bool {
        true
    }

    /// True when a viewer sees a unit's front: his own, and those that the enemy sees.
    fn in_sight(&self, state: &Self::State, unit: UnitId, viewer: Viewer) -> bool {
        viewer.is_told(self.owner(state, unit)) || self.is_seen(state, unit)
    }

    /// True when a viewer who sees a unit's front may know how much strength it has left. Where not, its front tells what is
    /// printed on it.
    fn knows_strength(&self, _state: &Self::State, _unit: UnitId, _viewer: Viewer) -> bool {
        true
    }

    /// The front of a unit that is in sight.
    fn front(&self, state: &Self::State, unit: UnitId, viewer: Viewer) -> Front;

    /// The turn, and the last one.
    fn turn(&self, state: &Self::State) -> (u8, u8);

    /// What lies on the map besides units.
    fn markers(&self, _state: &Self::State) -> Vec<Marker> {
        Vec::new()
    }

    /// What is counted beside the map.
    fn tracks(&self, _state: &Self::State) -> Vec<Track> {
        Vec::new()
    }

    /// What is counted, split and carried, as far as the viewer may know.
    fn stocks(&self, _state: &Self::State, _viewer: Viewer) -> Vec<StockSeen> {
        Vec::new()
    }

    /// What [`Sight::observe`] writes.
    const SCHEMA: Schema = Schema { planes: &[], globals: &[] };

    /// The planes and numbers of [`Sight::SCHEMA`], as a side sees them.
    fn observe(&self, _state: &Self::State, _side: Side, _out: &mut Observation) {}

    /// The values of a unit that is in sight of `side`.
    fn values(&self, _state: &Self::State, _unit: UnitId, _side: Side) -> Values {
        Values::default()
    }

    /// A state that looks the same to `side`, with all that it may not see dealt anew.
    fn imagine(&self, state: &Self::State, _side: Side, _dice: &mut Dice) -> Self::State {
        state.clone()
    }

    /// The state as a viewer may suppose it to be when he weighs his chances: what he can never see stands at its
    /// usual value. Exact odds are told of this state.
    fn supposed(&self, state: &Self::State, _viewer: Viewer) -> Self::State {
        state.clone()
    }

    /// What can be proved of a unit: its supply, its command … with the path, or what stands in the way.
    ///
    /// The unit is in the viewer's sight; what else is told must be, too.
    fn proofs(&self, _state: &Self::State, _unit: UnitId, _viewer: Viewer) -> Vec<Proof> {
        Vec::new()
    }

    /// The heaviest attack that the enemy could make on a hex as things stand, if he could attack now: a state in
    /// which it is his to make, and the actions that make it. Nothing when nobody could, or when the viewer may not
    /// know.
    fn threat(
        &self,
        _state: &Self::State,
        _hex: Hex,
        _viewer: Viewer,
    ) -> Option<(Self::State, Vec<Self::Action>)> {
        None
    }

    /// True when a side may be told beforehand what its action would do. False when that could depend on what the side
    /// does not see, and be learned by asking; the answer itself may depend only on what it sees.
    fn foreseeable(&self, _state: &Self::State, _action: Self::Action) -> bool {
        true
    }
}

/// What a client draws besides the view.
pub trait Drawing: Types {
    /// A unit's counter as it lies on the table: which of its faces, and whose.
    fn counter(&self, state: &Self::State, unit: UnitId) -> Counter;

    /// The turns of the game, the first one first, with what is known of them by now.
    fn turns(&self, _state: &Self::State) -> Vec<Turn> {
        Vec::new()
    }

    /// How it stands against what is needed to win, as everybody may know.
    fn score(&self, _state: &Self::State) -> Vec<Score> {
        Vec::new()
    }

    /// Sets of hexes with a meaning, as far as the viewer may know: `zoc` and `control` of each side, `victory` hexes,
    /// and `reach`, where a side's units could go.
    fn overlays(&self, _state: &Self::State, _viewer: Viewer) -> Vec<Overlay> {
        Vec::new()
    }

    /// The way that an answer takes a unit, when it moves one; also the cheapest way of a move that is refused because it
    /// costs more than the unit has, so that the refusal can itemise it.
    fn route(&self, _state: &Self::State, _action: Self::Action) -> Option<Route> {
        None
    }

    /// What there is to say of a hex now, as far as the viewer may know: its room, its control, its worth in defence.
    fn remarks_on(&self, _state: &Self::State, _hex: Hex, _viewer: Viewer) -> Vec<Remark> {
        Vec::new()
    }
}

/// The procedures under way in a state. [`frames!`](crate::frames) implements it.
pub trait Underway: Types {
    /// The procedures that can be under way.
    type Frame: Phrase + PartialEq;
    /// The stack of them in a state.
    type Stack: Frames<Frame = Self::Frame>;

    /// The procedures under way. None when the game is over.
    fn stack(state: &Self::State) -> &Self::Stack;

    /// The same, to be changed.
    fn stack_mut(state: &mut Self::State) -> &mut Self::Stack;
}

/// One rulebook: the course of play.
pub trait Rulebook: Underway<Frame: Frame<Self>> + Setup + Sight + Drawing {
    /// How a game ended whose stack is empty.
    fn outcome(&self, state: &Self::State) -> Outcome;

    /// Why an action cannot be the answer to what is asked, whatever it says.
    fn not_asked(&self, state: &Self::State, action: Self::Action) -> Violation;

    /// What the rules watch for at all times, such as sudden death: called before every decision and between any two
    /// procedures. True when something was done.
    fn watch(&self, _state: &mut Self::State, _play: &mut Play<Self::Event>) -> bool {
        false
    }

    /// What must be put in order before a player is asked, such as stacks that are too high. True when something was done.
    fn before_asking(&self, _state: &mut Self::State, _play: &mut Play<Self::Event>) -> bool {
        false
    }

    /// Who must decide what: the innermost procedure asks.
    fn asked(&self, state: &Self::State) -> Asked {
        let Some(top) = Self::stack(state).frames().last() else { return Asked::Over(self.outcome(state)) };
        let (side, prompt) = top.asked(self, state);
        Asked::Decision { side, prompt }
    }

    /// Every legal answer to it, added to `answers`; none when the game is over.
    fn answers(&self, state: &Self::State, answers: &mut Vec<Self::Action>) {
        if let Some(top) = Self::stack(state).frames().last() {
            top.answers(self, state, answers);
        }
    }

    /// Whether this answer is allowed, and if not, which case forbids it and why.
    ///
    /// Allowed are exactly the actions that [`Rulebook::answers`] lists.
    fn check(&self, state: &Self::State, action: Self::Action) -> Result<(), Violation> {
        match Self::stack(state).frames().last() {
            Some(top) => top.check(self, state, action),
            None => Err(self.not_asked(state, action)),
        }
    }

    /// Carries out an allowed action up to the next decision.
    fn apply(&self, state: &mut Self::State, action: Self::Action, play: &mut Play<Self::Event>) {
        if let Some(top) = Self::stack(state).frames().last().copied() {
            top.apply(self, state, action, play);
            self.go_on(state, play);
        }
    }

    /// Does what needs no decision, until somebody must decide or the game is over. All that is left to do stands on the
    /// stack, so whoever weighs odds can look at the state between any two procedures.
    fn go_on(&self, state: &mut Self::State, play: &mut Play<Self::Event>) {
        while let Some(top) = Self::stack(state).frames().last().copied() {
            if play.pauses() {
                return;
            }
            let full = Self::stack(state).overflow().is_some();
            let moved = !full
                && (self.watch(state, play)
                    || !top.go_on(self, state, play)
                    || self.before_asking(state, play));
            if !moved {
                return;
            }
        }
    }

    /// What a side may do now without being asked, added to `actions`. Nobody is asked to pass for it, and it is never among
    /// the answers.
    fn interjections(&self, _state: &Self::State, _side: Side, _actions: &mut Vec<Self::Action>) {}

    /// Whether a side may do this now without being asked. Allowed are exactly the actions that
    /// [`Rulebook::interjections`] lists.
    fn check_interjection(
        &self,
        state: &Self::State,
        _side: Side,
        action: Self::Action,
    ) -> Result<(), Violation> {
        Err(self.not_asked(state, action))
    }

    /// Carries out an allowed interjection. Whoever is asked then goes on from there.
    fn interject(
        &self,
        _state: &mut Self::State,
        _side: Side,
        _action: Self::Action,
        _play: &mut Play<Self::Event>,
    ) {
    }

    /// The case behind an event: that of its form, unless it depends on what the event says.
    fn case_of(&self, event: &Self::Event) -> Case {
        event.form().case
    }

    /// The case behind an action: that of its form, unless it depends on what the action says.
    fn case_of_action(&self, action: &Self::Action) -> Case {
        action.form().case
    }

    /// The phases of the turn in their order, which may depend on who goes first and what was chosen.
    fn phases(&self, _state: &Self::State) -> Vec<Phase> {
        Vec::new()
    }

    /// The phase that a state is in, by its place in [`Rulebook::phases`]; nothing before and after play.
    fn phase(&self, state: &Self::State) -> Option<usize> {
        let now = Self::stack(state).frames().first()?.phase(self, state)?;
        self.phases(state).iter().position(|phase| *phase == now)
    }

    /// What the phase of a state is called; `over` after play.
    fn phase_name(&self, state: &Self::State) -> &'static str {
        match Self::stack(state).frames().first() {
            Some(frame) => frame.phase(self, state).map_or(frame.form().name, |phase| phase.name),
            None => "over",
        }
    }

    /// What a viewer may see of a state.
    fn view(&self, state: &Self::State, viewer: Viewer) -> View {
        view::view(self, state, viewer)
    }

    /// What the rules could not carry out for want of room, besides procedures: an action that leads to it is refused.
    fn overflow(&self, _state: &Self::State) -> Option<String> {
        None
    }
}
