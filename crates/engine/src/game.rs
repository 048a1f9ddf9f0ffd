//! A game in progress: a state, its dice, what was done so far, and the way back.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use source::{Faults, Source};

use crate::deed::{Accord, Line};
use crate::{
    Asked, BySide, Data, Deed, Dice, Frames, Mixture, Options, Phrase, Play, Rulebook, Seed, Side, Told,
    Types, Violation, deed, frame, situation,
};

/// Where a game began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A scenario of the rulebook, by its name.
    Scenario(String),
    /// A situation, by its text.
    Situation(String),
}

/// An action that was carried out.
#[derive(Clone, Debug)]
pub struct Move<A, E> {
    /// Who did it.
    pub side: Side,
    /// What was done.
    pub deed: Deed<A>,
    /// It was done without being asked.
    pub unasked: bool,
    /// What happened, and who may know.
    pub told: Vec<Told<E>>,
    /// What the dice showed.
    pub rolls: Vec<u32>,
    /// Why this cannot be taken back, if so.
    pub boundary: Option<Boundary>,
}

/// A move by a rulebook.
pub type MoveOf<R> = Move<<R as Types>::Action, <R as Types>::Event>;

/// Why there is no way back behind an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// A die was rolled or something was drawn.
    Die,
    /// Something hidden was shown.
    Reveal,
    /// The game ended: everything is open, the seed of the dice too.
    End,
}

/// Why an action was not taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoUndo {
    /// Nothing was done yet.
    Nothing,
    /// The last action stands for good.
    Boundary(Boundary),
    /// The last action was the other side's.
    NotYours,
}

impl fmt::Display for NoUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoUndo::Nothing => "nothing was done yet",
            NoUndo::Boundary(Boundary::Die) => "a die was rolled",
            NoUndo::Boundary(Boundary::Reveal) => "something hidden was shown",
            NoUndo::Boundary(Boundary::End) => "the game is over",
            NoUndo::NotYours => "the last action was the other side's",
        })
    }
}

/// Why an action was not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A rule forbids it.
    Rule(Violation),
    /// It is not to be said now.
    Talk(&'static str),
    /// The game is over.
    Over,
    /// The dice that were given do not fit the rolls that it needs.
    Dice(String),
    /// The rules could not carry it out: more procedures are under way than there is room for.
    Fault(String),
}

/// A game in progress.
pub struct Game<R: Rulebook> {
    /// The rulebook with this game's map, units, tables and options.
    pub rules: Arc<R>,
    /// Who plays.
    pub players: BySide<String>,
    /// Anything may be taken back, dice included, and the record says so.
    pub casual: bool,
    state: R::State,
    accord: Accord,
    play: Play<R::Event>,
    start: Start,
    seed: Option<Seed>,
    /// What the seed is mixed from, if it is.
    mixture: Option<Mixture>,
    /// What tells its data from the built-in ones, for records and for situations.
    data: DataMarks,
    moves: Vec<MoveOf<R>>,
    /// The states before each of the last moves, at most [`STRIDE`] of them.
    before: VecDeque<R::State>,
    /// The state before every [`STRIDE`]-th move, so that any moment is a few moves away.
    kept: Vec<R::State>,
}

/// The marks of the data that a game is played with ([`Data::mark`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DataMarks {
    /// With the scenario that it began with.
    pub(crate) of_game: Option<String>,
    /// With no scenario: what a position of it depends on.
    pub(crate) of_position: Option<Arc<str>>,
}

impl DataMarks {
    fn of(data: &Data, scenario: Option<&str>) -> DataMarks {
        DataMarks { of_game: data.mark(scenario), of_position: data.mark(None).map(Arc::from) }
    }
}

/// How many moves lie between two states that are kept.
const STRIDE: usize = 32;

impl<R: Rulebook> Game<R> {
    /// Starts a scenario.
    pub fn scenario(name: &str, data: &Data, options: Options, seed: Seed) -> Result<Self, Faults> {
        Self::scenario_with(name, data, options, Some(seed))
    }

    /// Starts a scenario. Without a seed every die must be given.
    pub(crate) fn scenario_with(
        name: &str,
        data: &Data,
        options: Options,
        seed: Option<Seed>,
    ) -> Result<Self, Faults> {
        let source = scenario_source::<R>(name, data)?;
        let opened = situation::open::<R>(source, data, options)?;
        let mut game = Game::new(opened.rules, opened.state, Start::Scenario(name.to_owned()), seed);
        game.data = DataMarks::of(data, Some(name));
        Ok(game)
    }

    /// Starts from a situation. Without a seed every die must be given.
    pub fn situation(source: &Source, data: &Data, seed: Option<Seed>) -> Result<Self, Faults> {
        let opened = situation::open::<R>(source, data, Options::default())?;
        // In a record it stands below the tags, and is read with as many empty lines before it.
        let text = source.text.trim_start_matches('\n').to_owned();
        let mut game = Game::new(opened.rules, opened.state, Start::Situation(text), seed);
        game.data = DataMarks::of(data, None);
        Ok(game)
    }

    /// A game for a rule test: every die must be given.
    pub(crate) fn trial(opened: situation::Opened<R>) -> Self {
        let text = situation::write(&opened.rules, &opened.state);
        Game::new(opened.rules, opened.state, Start::Situation(text), None)
    }

    fn new(rules: R, state: R::State, start: Start, seed: Option<Seed>) -> Self {
        let dice = seed.as_ref().map_or_else(|| Dice::told([]), Dice::seeded);
        Game {
            rules: Arc::new(rules),
            players: BySide::default(),
            casual: false,
            state,
            accord: Accord::default(),
            play: Play::new(dice),
            start,
            seed,
            mixture: None,
            data: DataMarks::default(),
            moves: Vec::new(),
            before: VecDeque::new(),
            kept: Vec::new(),
        }
    }

    /// How the game stands.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// The question that the game stands at.
    pub fn asked(&self) -> Asked {
        self.accord.outcome.map_or_else(|| self.rules.asked(&self.state), Asked::Over)
    }

    /// Every legal answer to it.
    pub fn answers(&self) -> Vec<R::Action> {
        let mut answers = Vec::new();
        if self.accord.outcome.is_none() {
            self.rules.answers(&self.state, &mut answers);
        }
        answers
    }

    /// What a side may do now without being asked.
    pub fn interjections(&self, side: Side) -> Vec<R::Action> {
        let mut actions = Vec::new();
        if self.accord.outcome.is_none() {
            self.rules.interjections(&self.state, side, &mut actions);
        }
        actions
    }

    /// How things stand between the players, apart from the rules.
    pub fn accord(&self) -> Accord {
        self.accord
    }

    /// What was done so far.
    pub fn moves(&self) -> &[MoveOf<R>] {
        &self.moves
    }

    /// Where the game began.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The seed of the dice, if they come from one.
    pub fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// What the seed is mixed from, if it is.
    pub fn mixture(&self) -> Option<&Mixture> {
        self.mixture.as_ref()
    }

    /// Mixes a seed for a game that had none: its dice follow from it from now on.
    pub fn mix(&mut self, mixture: Mixture) {
        let seed = mixture.seed();
        let mut dice = Dice::seeded(&seed);
        dice.seek(self.play.dice.rolled());
        self.play.dice = dice;
        self.seed = Some(seed);
        self.mixture = Some(mixture);
    }

    /// Fixes what the next dice show.
    pub fn force_dice(&mut self, values: impl IntoIterator<Item = u32>) {
        self.play.dice.force(values);
    }

    /// Forgets the fixed dice that were not used.
    pub fn forget_dice(&mut self) {
        self.play.dice.forget_forced();
    }

    /// How many fixed dice were not used.
    pub fn forced_dice_left(&self) -> usize {
        self.play.dice.forced_left()
    }

    /// Carries out an answer of the side that is asked, or says why not and changes nothing.
    pub fn act(&mut self, action: R::Action) -> Result<&MoveOf<R>, Refused> {
        let Asked::Decision { side, .. } = self.asked() else { return Err(Refused::Over) };
        self.act_as(side, Deed::Action(action))
    }

    /// Carries out a deed of a side, or says why not and changes nothing.
    pub fn act_as(&mut self, side: Side, deed: Deed<R::Action>) -> Result<&MoveOf<R>, Refused> {
        let unasked = self.check(side, deed)?;
        let before = self.state.clone();
        let dice = self.play.dice.mark();
        self.play.clear();
        match deed {
            Deed::Talk(talk) => self.accord.say(side, talk),
            Deed::Action(action) if unasked => {
                self.rules.interject(&mut self.state, side, action, &mut self.play);
                self.rules.go_on(&mut self.state, &mut self.play);
            }
            Deed::Action(action) => self.rules.apply(&mut self.state, action, &mut self.play),
        }
        if let Err(refused) = self.went_well() {
            self.state = before;
            self.play.dice.back_to(dice);
            return Err(refused);
        }
        if self.moves.len().is_multiple_of(STRIDE) {
            self.kept.push(before.clone());
        }
        let boundary = self.boundary();
        if boundary.is_some() {
            self.before.clear();
        } else {
            let many = self.before.len() / STRIDE;
            self.before.drain(..many);
            self.before.push_back(before);
        }
        let told = self.play.told().to_vec();
        let rolls = self.play.rolls().to_vec();
        let last = self.moves.len();
        self.moves.push(Move { side, deed, unasked, told, rolls, boundary });
        Ok(&self.moves[last])
    }

    /// Whether a side may do this now; true when it does so without being asked.
    pub fn check(&self, side: Side, deed: Deed<R::Action>) -> Result<bool, Refused> {
        let Asked::Decision { side: asked, .. } = self.asked() else { return Err(Refused::Over) };
        let action = match deed {
            Deed::Talk(talk) => {
                self.accord.check(side, talk).map_err(Refused::Talk)?;
                return Ok(side != asked);
            }
            Deed::Action(action) => action,
        };
        let answer = self.rules.check(&self.state, action);
        match (side == asked, answer, self.rules.check_interjection(&self.state, side, action)) {
            (true, Ok(()), _) => Ok(false),
            (_, _, Ok(())) => Ok(true),
            // What is no answer at all may be an interjection, and that says better why not.
            (true, Err(violation), Err(_)) if violation != self.rules.not_asked(&self.state, action) => {
                Err(Refused::Rule(violation))
            }
            (_, _, Err(violation)) => Err(Refused::Rule(violation)),
        }
    }

    /// What was wrong with the dice that were given, or with what the rules did.
    fn went_well(&mut self) -> Result<(), Refused> {
        if let Some(fault) = self.play.dice.take_fault() {
            return Err(Refused::Dice(fault));
        }
        let stack = R::stack(&self.state);
        match stack.overflow() {
            Some(name) => Err(Refused::Fault(frame::too_deep(name, stack.frames().len()))),
            None => self.rules.overflow(&self.state).map_or(Ok(()), |wrong| Err(Refused::Fault(wrong))),
        }
    }

    fn boundary(&self) -> Option<Boundary> {
        let is_over = matches!(self.asked(), Asked::Over(_));
        match (self.play.rolls().is_empty(), self.play.revealed()) {
            (false, _) => Some(Boundary::Die),
            (true, true) => Some(Boundary::Reveal),
            (true, false) => is_over.then_some(Boundary::End),
        }
    }

    /// Takes everything back up to and with the last action of this side (or of whoever acted last), dice and all: in a casual
    /// game only. The same dice fall again where the same rolls are made. How many moves are left.
    pub fn take_back(&mut self, side: Option<Side>) -> Result<usize, NoUndo> {
        let last = self.may_take_back(side)?;
        while self.moves.len() > last {
            self.pop()?;
        }
        let rolled = self.moves.iter().map(|step| step.rolls.len() as u64).sum();
        self.play.dice.seek(rolled);
        Ok(last)
    }

    /// The place of the move that [`Game::take_back`] would go back to, or why it would not.
    pub fn may_take_back(&self, side: Option<Side>) -> Result<usize, NoUndo> {
        let own = |step: &MoveOf<R>| side.is_none_or(|side| side == step.side);
        let last = self.moves.iter().rposition(own).filter(|_| self.casual);
        last.ok_or(NoUndo::Nothing)
    }

    /// Takes the last action back, if it was this side's (or whoever's, when no side is named).
    pub fn undo(&mut self, side: Option<Side>) -> Result<Deed<R::Action>, NoUndo> {
        self.may_undo(side)?;
        self.pop()
    }

    fn pop(&mut self) -> Result<Deed<R::Action>, NoUndo> {
        let deed = self.moves.last().ok_or(NoUndo::Nothing)?.deed;
        let before = self.before.pop_back().or_else(|| self.at(self.moves.len() - 1));
        self.state = before.ok_or(NoUndo::Nothing)?;
        self.moves.pop();
        self.kept.truncate(self.moves.len().div_ceil(STRIDE));
        if let Deed::Talk(_) = deed {
            self.accord = Accord::default();
            for Move { side, deed, .. } in &self.moves {
                if let Deed::Talk(talk) = deed {
                    self.accord.say(*side, *talk);
                }
            }
        }
        Ok(deed)
    }

    /// The action that [`Game::undo`] would take back, or why it would not.
    pub fn may_undo(&self, side: Option<Side>) -> Result<Deed<R::Action>, NoUndo> {
        let last = self.moves.last().ok_or(NoUndo::Nothing)?;
        if side.is_some_and(|side| side != last.side) {
            return Err(NoUndo::NotYours);
        }
        match last.boundary {
            Some(boundary) => Err(NoUndo::Boundary(boundary)),
            None => Ok(last.deed),
        }
    }

    /// How the game stood after so many moves; nothing when there were not so many.
    pub fn at(&self, moves: usize) -> Option<R::State> {
        if moves == self.moves.len() {
            return Some(self.state.clone());
        }
        let done = self.moves.get(..moves)?;
        let mut state = self.kept.get(moves / STRIDE)?.clone();
        for step in &done[moves / STRIDE * STRIDE..] {
            let mut play = Play::new(Dice::told(step.rolls.iter().copied()));
            match step.deed {
                Deed::Talk(_) => {}
                Deed::Action(action) if step.unasked => {
                    self.rules.interject(&mut state, step.side, action, &mut play);
                    self.rules.go_on(&mut state, &mut play);
                }
                Deed::Action(action) => self.rules.apply(&mut state, action, &mut play),
            }
        }
        Some(state)
    }

    /// The position as a situation file.
    pub fn to_situation(&self) -> String {
        situation::write_marked(&*self.rules, &self.state, self.data.of_position.as_deref())
    }

    /// What tells its data from the built-in ones.
    pub(crate) fn data_marks(&self) -> &DataMarks {
        &self.data
    }

    /// An action in notation.
    pub fn notation(&self, action: R::Action) -> String {
        action.notation(&*self.rules)
    }

    /// Reads an action in notation.
    pub fn parse(&self, line: &str) -> Result<R::Action, String> {
        R::Action::parse(line, &*self.rules)
    }

    /// Reads a line of notation, such as `end`, `attack a,b 1203` or `soviet: concede`.
    pub fn parse_line(&self, line: &str) -> Result<Line<R::Action>, String> {
        deed::parse(line, &*self.rules)
    }

    /// Carries out all deeds of a line, or none: why the one was refused that could not be done.
    pub fn act_all(&mut self, line: &Line<R::Action>) -> Result<(), Refused> {
        for (done, deed) in line.deeds.iter().enumerate() {
            let refused = match (line.side, self.asked()) {
                (Some(side), _) | (None, Asked::Decision { side, .. }) => self.act_as(side, *deed).err(),
                (None, Asked::Over(_)) => Some(Refused::Over),
            };
            if let Some(refused) = refused {
                for _ in 0..done {
                    let _ = self.undo(None);
                }
                return Err(refused);
            }
        }
        Ok(())
    }
}

/// The file of a scenario, or the fault that there is none.
pub fn scenario_source<'a, R: Rulebook>(name: &str, data: &'a Data) -> Result<&'a Source, Faults> {
    data.find("scenarios", name).map_err(|_| {
        let names: Vec<&str> = data.under("scenarios").map(|(name, _)| name).collect();
        let message = format!("{} has no scenario `{name}`; it has {}", R::BOOK.name, names.join(", "));
        Source::new(format!("{}/{name}", R::BOOK.name), "").fault(0, "", message).into()
    })
}
