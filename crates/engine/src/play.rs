//! What an action does while it is carried out: rolls dice and tells what happens, to whom.

use crate::{BySide, Case, Dice, Side, Telling};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player.
    Side(Side),
    /// Somebody who sees what both players see, and nothing else.
    Observer,
    /// Somebody who sees everything: for records of finished games, tests and designers.
    Referee,
}

impl Viewer {
    /// True when this viewer is allowed what only `side` is told.
    pub fn is_told(self, side: Side) -> bool {
        matches!(self, Viewer::Referee) || self == Viewer::Side(side)
    }
}

/// A die rolled, or something drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// Whose die it is.
    pub side: Side,
    /// How many faces it has.
    pub faces: u32,
    /// What it shows.
    pub result: u32,
    /// What it is rolled for.
    pub purpose: &'static str,
    /// The case that asks for it.
    pub case: Case,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry<E> {
    /// A die was rolled.
    Roll(Roll),
    /// Anything else: an event of the rulebook.
    Event(E),
}

/// Something that happened, and who may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told<E> {
    entry: Entry<E>,
    /// The only side that is told, where not both are.
    only: Option<Side>,
    /// What the others are told instead.
    others: Option<E>,
}

impl<E: Clone> Told<E> {
    /// What this viewer is told of it.
    pub fn to(&self, viewer: Viewer) -> Option<Entry<E>> {
        match self.only {
            Some(side) if !viewer.is_told(side) => self.others.clone().map(Entry::Event),
            _ => Some(self.entry.clone()),
        }
    }

    /// True when this viewer is told something vaguer instead.
    pub(crate) fn is_vague_to(&self, viewer: Viewer) -> bool {
        self.only.is_some_and(|side| !viewer.is_told(side))
    }

    /// The whole truth.
    pub fn entry(&self) -> &Entry<E> {
        &self.entry
    }
}

/// What `apply` rolls with and tells to.
#[derive(Clone, Debug)]
pub struct Play<E> {
    /// The dice.
    pub dice: Dice,
    told: Vec<Told<E>>,
    rolls: Vec<u32>,
    /// To whom something hidden was shown.
    revealed: BySide<bool>,
    /// A rulebook was asked to pause, and did.
    paused: bool,
}

impl<E> Play<E> {
    /// Nothing has happened yet.
    pub fn new(dice: Dice) -> Self {
        Play { dice, told: Vec::new(), rolls: Vec::new(), revealed: BySide::default(), paused: false }
    }

    /// Forgets what was told, keeps the dice and the memory: before each action.
    pub fn clear(&mut self) {
        self.told.clear();
        self.rolls.clear();
        self.revealed = BySide::default();
        self.paused = false;
    }

    /// Rolls a die in the open.
    pub fn roll(&mut self, side: Side, faces: u32, purpose: &'static str, case: Case) -> u32 {
        self.cast(side, faces, purpose, case, None)
    }

    /// Rolls or draws something that only its owner sees.
    pub fn roll_in_secret(&mut self, side: Side, faces: u32, purpose: &'static str, case: Case) -> u32 {
        self.cast(side, faces, purpose, case, Some(side))
    }

    fn cast(&mut self, side: Side, faces: u32, purpose: &'static str, case: Case, only: Option<Side>) -> u32 {
        let result = self.dice.roll(faces);
        note(&mut self.told, &mut self.rolls, Roll { side, faces, result, purpose, case }, only);
        result
    }

    /// Rolls in the open until `accept` likes what it sees; every roll is told, the last one counts.
    pub fn roll_until(
        &mut self,
        side: Side,
        faces: u32,
        purpose: &'static str,
        case: Case,
        accept: impl Fn(u32) -> bool,
    ) -> u32 {
        let Play { dice, told, rolls, .. } = self;
        dice.roll_until(faces, accept, |result| {
            note(told, rolls, Roll { side, faces, result, purpose, case }, None);
        })
    }

    /// Rolls a die in the open of which only what `reads` makes of it matters: the row of a table, passed or failed.
    /// Where odds are weighed, faces that read the same are one chance.
    pub fn roll_on<T: PartialEq>(
        &mut self,
        side: Side,
        faces: u32,
        purpose: &'static str,
        case: Case,
        reads: impl Fn(u32) -> T,
    ) -> u32 {
        let result = self.dice.roll_on(faces, reads);
        note(&mut self.told, &mut self.rolls, Roll { side, faces, result, purpose, case }, None);
        result
    }

    /// Rolls several dice in the open of which only the sum matters. Each die is told; where odds are weighed, each sum
    /// is one chance. Dice that are told apart, such as tens and units, are rolled one by one.
    pub fn roll_sum(&mut self, side: Side, dice: u32, faces: u32, purpose: &'static str, case: Case) -> u32 {
        let Play { dice: source, told, rolls, .. } = self;
        source.roll_sum(dice, faces, |result| {
            note(told, rolls, Roll { side, faces, result, purpose, case }, None);
        })
    }

    /// True when whoever weighs odds wants to see the state as it stands: a rulebook that asks this in the middle of
    /// an action, where all that is left to do stands in the state, then returns, and is asked to
    /// [`go_on`](crate::Rulebook::go_on). In a game it is never true.
    ///
    /// Ways that have come to the same state go on as one, so this is worth asking after every roll.
    pub fn pauses(&mut self) -> bool {
        self.paused = self.dice.is_tree() && !self.rolls.is_empty();
        self.paused
    }

    /// True when the rulebook has paused since the last [`Play::clear`].
    pub(crate) fn has_paused(&self) -> bool {
        self.paused
    }

    /// Tells both sides.
    pub fn tell(&mut self, event: E) {
        self.told.push(Told { entry: Entry::Event(event), only: None, others: None });
    }

    /// Tells one side what happened, and everybody else either nothing or something vaguer.
    pub fn tell_only(&mut self, side: Side, event: E, others: Option<E>) {
        self.told.push(Told { entry: Entry::Event(event), only: Some(side), others });
    }

    /// Tells of something that `side` knows: both sides when the enemy has seen it, else everybody else with what is
    /// declared so [veiled](Telling::veiled).
    pub fn tell_of(&mut self, side: Side, seen: bool, event: E)
    where
        E: Telling,
    {
        if seen {
            self.tell(event);
        } else {
            let veiled = event.veiled();
            self.tell_only(side, event, Some(veiled));
        }
    }

    /// Something hidden was shown to a side: there is no way back behind this moment.
    pub fn reveal(&mut self, to: Side) {
        self.revealed[to] = true;
    }

    /// What was told since the last [`Play::clear`].
    pub fn told(&self) -> &[Told<E>] {
        &self.told
    }

    /// What the dice showed since the last [`Play::clear`].
    pub fn rolls(&self) -> &[u32] {
        &self.rolls
    }

    /// True when something hidden was shown to anybody since the last [`Play::clear`].
    pub fn revealed(&self) -> bool {
        self.revealed.axis || self.revealed.soviet
    }

    /// True when this viewer has learned something hidden since the last [`Play::clear`].
    pub fn revealed_to(&self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Side(side) => self.revealed[side],
            Viewer::Observer => self.revealed(),
            Viewer::Referee => false,
        }
    }
}

fn note<E>(told: &mut Vec<Told<E>>, rolls: &mut Vec<u32>, roll: Roll, only: Option<Side>) {
    rolls.push(roll.result);
    told.push(Told { entry: Entry::Roll(roll), only, others: None });
}
