//! A commitment weighed action by action.
//!
//! At any moment of it there is a set of states that it can stand at, and for each of them the stories that lead there,
//! with their chances. An action is carried out once for each state and each way its dice can fall; ways that come to the
//! same state with the same story go on as one. A rulebook may pause in the middle of an action (see [`Play::pauses`]), so
//! that ways are merged there as well.

use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem;

use indexmap::IndexMap;

use super::{Chance, NOT_THEIRS, NoOdds, Odds, Way, decider, is_decided_by, is_foreseeable, is_in_passing};
use crate::{Dice, Entry, Lexicon, Phrase, Play, Rulebook, Side, Told, Types, Viewer};

/// The most steps that are carried out: an action, or a part of it between two pauses, for one state and one way its
/// dice can fall. A step takes some microseconds, and whoever asks waits for the answer.
pub(crate) const MAX_STEPS: usize = 50_000;

/// The most ways that are carried on, summed over all steps.
pub(crate) const MAX_WAYS: usize = 200_000;

/// What a weighing tells apart besides states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Nothing: only where the commitment can stand is asked for.
    Nothing,
    /// What comes of it, as the viewer is told.
    Results,
    /// All that the viewer is told, also in passing.
    Everything,
}

/// Keys in the order in which they came, so that the same question always gets the same answer.
type Merged<K, V> = IndexMap<K, V, BuildHasherDefault<Mixer>>;
type Stories<E> = Merged<Story<E>, Chance>;
type Stands<R> = Merged<<R as Types>::State, Stories<<R as Types>::Event>>;

pub(crate) struct Weighing<'a, R: Rulebook> {
    rules: &'a R,
    /// Who asks.
    viewer: Viewer,
    /// Who decides at the beginning: nobody may try out what another side could do.
    decider: Option<Side>,
    memory: Memory,
    /// Where the commitment can stand, and by which stories.
    stands: Stands<R>,
    /// The stories that could not be carried through, with the reason.
    broken_off: Vec<(Story<R::Event>, String, Chance)>,
    /// What was told before the first die.
    account: Vec<R::Event>,
    rolled: bool,
    /// How many actions were carried out.
    actions: usize,
    budget: Budget,
}

impl<'a, R: Rulebook> Weighing<'a, R> {
    pub(crate) fn new(rules: &'a R, state: R::State, viewer: Viewer, memory: Memory, steps: usize) -> Self {
        let beginning = Stories::from_iter([(Story::default(), Chance::CERTAIN)]);
        Weighing {
            rules,
            viewer,
            decider: decider(rules, &state),
            memory,
            stands: Stands::<R>::from_iter([(state, beginning)]),
            broken_off: Vec::new(),
            account: Vec::new(),
            rolled: false,
            actions: 0,
            budget: Budget::new(steps),
        }
    }

    /// Where the commitment can stand by now.
    pub(crate) fn states(&self) -> impl Iterator<Item = &R::State> {
        self.stands.keys()
    }

    /// True when a die has been rolled.
    pub(crate) fn has_rolled(&self) -> bool {
        self.rolled
    }

    /// True when the side that decided first decides wherever the commitment can stand.
    pub(crate) fn is_theirs_still(&self) -> bool {
        self.states().all(|state| self.is_theirs(state))
    }

    fn is_theirs(&self, state: &R::State) -> bool {
        is_decided_by(self.rules, state, self.decider, self.viewer)
    }

    /// True when there are ways in which the commitment could not be carried through.
    pub(crate) fn has_broken_off(&self) -> bool {
        !self.broken_off.is_empty()
    }

    /// Carries out an action wherever the commitment can stand.
    pub(crate) fn carry_out(&mut self, action: R::Action) -> Result<(), NoOdds> {
        let rules = self.rules;
        let mut reached = Reached::<R>::default();
        let stands = mem::take(&mut self.stands);
        self.budget.begin_layer(stands.len());
        for (state, stories) in stands {
            let theirs = self.is_theirs(&state);
            match rules.check(&state, action) {
                _ if !theirs && self.rolled => self.break_off(stories, action, NOT_THEIRS),
                _ if !theirs => return Err(NoOdds::NotTheirs(self.actions)),
                Ok(()) => {
                    if !is_foreseeable(rules, &state, action, self.viewer) {
                        return Err(NoOdds::Hidden);
                    }
                    self.branch(
                        &state,
                        &stories,
                        |state, play| rules.apply(state, action, play),
                        &mut reached,
                    )?;
                }
                Err(violation) if self.rolled => {
                    let why = format!("{} ({})", violation.text(rules), violation.case);
                    self.break_off(stories, action, &why);
                }
                Err(violation) => return Err(NoOdds::Refused(self.actions, violation)),
            }
            self.budget.one_done();
        }
        self.go_on(reached)?;
        self.actions += 1;
        Ok(())
    }

    /// The same weighing, to be followed on without telling more.
    pub(crate) fn fork(&self) -> Self {
        Weighing {
            rules: self.rules,
            viewer: self.viewer,
            decider: self.decider,
            memory: Memory::Nothing,
            stands: self.stands.clone(),
            broken_off: Vec::new(),
            account: Vec::new(),
            rolled: self.rolled,
            actions: self.actions,
            budget: Budget::new(self.budget.most),
        }
    }

    /// Goes on from wherever the commitment can stand with what `choose` answers there; where it answers nothing, it stays.
    /// True when something was done.
    pub(crate) fn follow(&mut self, choose: impl Fn(&R::State) -> Option<R::Action>) -> Result<bool, NoOdds> {
        let rules = self.rules;
        let mut reached = Reached::<R>::default();
        let mut moved = false;
        let stands = mem::take(&mut self.stands);
        self.budget.begin_layer(stands.len());
        for (state, stories) in stands {
            match choose(&state) {
                Some(action) => {
                    moved = true;
                    let step =
                        |state: &mut R::State, play: &mut Play<R::Event>| rules.apply(state, action, play);
                    self.branch(&state, &stories, step, &mut reached)?;
                }
                None => {
                    let there = reached.at(state, false);
                    for (story, chance) in stories {
                        add(there, story, chance)?;
                    }
                }
            }
            self.budget.one_done();
        }
        self.go_on(reached)?;
        Ok(moved)
    }

    /// Goes on where rulebooks have paused.
    fn go_on(&mut self, mut reached: Reached<R>) -> Result<(), NoOdds> {
        let rules = self.rules;
        while !reached.paused.is_empty() {
            let paused = mem::take(&mut reached.paused);
            self.budget.begin_layer(paused.len());
            for (state, stories) in paused {
                self.branch(&state, &stories, |state, play| rules.go_on(state, play), &mut reached)?;
                self.budget.one_done();
            }
        }
        self.stands = reached.done;
        Ok(())
    }

    /// Where the commitment can stand, with what was told on the way and how likely that is.
    pub(crate) fn stories(&self) -> impl Iterator<Item = (&R::State, Vec<R::Event>, f64)> {
        let rules = self.rules;
        self.stands.iter().flat_map(move |(state, stories)| {
            stories.iter().map(move |(story, chance)| (state, story.events(rules), chance.as_f64()))
        })
    }

    /// These stories end before an action that is not allowed after them.
    fn break_off(&mut self, stories: Stories<R::Event>, action: R::Action, why: &str) {
        let why = format!("{}: {why}", action.notation(self.rules));
        self.broken_off.extend(stories.into_iter().map(|(story, chance)| (story, why.clone(), chance)));
    }

    /// Takes a step from a state in every way its dice can fall.
    fn branch(
        &mut self,
        state: &R::State,
        stories: &Stories<R::Event>,
        step: impl Fn(&mut R::State, &mut Play<R::Event>),
        reached: &mut Reached<R>,
    ) -> Result<(), NoOdds> {
        let mut play = Play::new(Dice::tree());
        let mut is_first = true;
        loop {
            let mut after = state.clone();
            play.clear();
            step(&mut after, &mut play);
            if self.shows_hidden(&play) {
                return Err(NoOdds::Hidden);
            }
            self.budget.spend(stories.len(), play.dice.covered())?;
            let (certain, lines) = self.listen(play.told());
            if is_first {
                self.account.extend(certain);
                is_first = false;
            }
            let chance = play.dice.chance().ok_or(NoOdds::TooMany)?;
            let there = reached.at(after, play.has_paused());
            for (story, weight) in stories {
                add(there, story.followed_by(&lines), weight.times(chance).ok_or(NoOdds::TooMany)?)?;
            }
            if !play.dice.turn() {
                break;
            }
        }
        // What is rolled first does not depend on dice, so either all ways have rolled or none has.
        self.rolled |= !play.rolls().is_empty();
        Ok(())
    }

    fn shows_hidden(&self, play: &Play<R::Event>) -> bool {
        self.memory != Memory::Nothing && play.revealed_to(self.viewer)
    }

    /// What is told of a step: before the first die of the commitment, and after it.
    fn listen(&self, told: &[Told<R::Event>]) -> (Vec<R::Event>, Vec<Line<R::Event>>) {
        let (mut certain, mut lines) = (Vec::new(), Vec::new());
        if self.memory == Memory::Nothing {
            return (certain, lines);
        }
        let (viewer, everything) = (self.viewer, self.memory == Memory::Everything);
        let mut rolled = self.rolled;
        for told in told {
            // A roll in secret divides what is certain from what is not as well.
            rolled |= matches!(told.entry(), Entry::Roll(_));
            match told.to(viewer) {
                Some(Entry::Event(event)) if rolled => {
                    let in_passing = is_in_passing(&event) && !everything;
                    lines.push(Line { event, in_passing, vague: told.is_vague_to(viewer) });
                }
                Some(Entry::Event(event)) => certain.push(event),
                Some(Entry::Roll(_)) | None => {}
            }
        }
        (certain, lines)
    }

    /// What the commitment comes to.
    pub(crate) fn odds(self) -> Result<Odds<R::Event>, NoOdds> {
        let mut ways = Merged::<(Vec<R::Event>, Option<String>), Chance>::default();
        let through = self.stands.into_values().flatten().map(|(story, chance)| (story, None, chance));
        let broken_off = self.broken_off.into_iter().map(|(story, why, chance)| (story, Some(why), chance));
        for (story, broken_off, chance) in through.chain(broken_off) {
            let sum = ways.entry((story.events(self.rules), broken_off)).or_insert(Chance::NEVER);
            *sum = sum.plus(chance).ok_or(NoOdds::TooMany)?;
        }
        // With this the chance of any of the ways together can be told.
        Chance::common_denominator(ways.values()).ok_or(NoOdds::TooMany)?;
        debug_assert_eq!(super::sum_of(ways.values().copied()), Chance::CERTAIN);
        let ways = ways.into_iter().map(|((events, broken_off), chance)| Way { events, broken_off, chance });
        Ok(Odds { account: self.account, ways: in_order(ways, self.rules) })
    }
}

/// The likeliest first; those that are as likely by their text. Where they were found first may depend on what the viewer
/// does not see, and must not show.
fn in_order<E: Phrase>(ways: impl Iterator<Item = Way<E>>, lexicon: &dyn Lexicon) -> Vec<Way<E>> {
    let text = |way: &Way<E>| way.events.iter().map(|event| event.notation(lexicon)).collect::<Vec<_>>();
    let mut keyed: Vec<(f64, Vec<String>, Way<E>)> =
        ways.map(|way| (way.chance.as_f64(), text(&way), way)).collect();
    keyed.sort_by(|a, b| {
        let likelier = b.0.total_cmp(&a.0);
        likelier.then_with(|| a.1.cmp(&b.1)).then_with(|| a.2.broken_off.cmp(&b.2.broken_off))
    });
    keyed.into_iter().map(|(_, _, way)| way).collect()
}

/// Where the ways of an action have come to.
struct Reached<R: Rulebook> {
    /// In the middle of it.
    paused: Stands<R>,
    /// At its end.
    done: Stands<R>,
}

impl<R: Rulebook> Default for Reached<R> {
    fn default() -> Self {
        Reached { paused: Stands::<R>::default(), done: Stands::<R>::default() }
    }
}

impl<R: Rulebook> Reached<R> {
    fn at(&mut self, state: R::State, paused: bool) -> &mut Stories<R::Event> {
        let stands = if paused { &mut self.paused } else { &mut self.done };
        stands.entry(state).or_default()
    }
}

fn add<E: Eq + Hash>(stories: &mut Stories<E>, story: Story<E>, chance: Chance) -> Result<(), NoOdds> {
    let sum = stories.entry(story).or_insert(Chance::NEVER);
    *sum = sum.plus(chance).ok_or(NoOdds::TooMany)?;
    Ok(())
}

/// What a viewer was told from the first die on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Story<E> {
    lines: Vec<Line<E>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Line<E> {
    event: E,
    /// It matters only until something else is told.
    in_passing: bool,
    /// Something vaguer than the truth.
    vague: bool,
}

impl<E> Default for Story<E> {
    fn default() -> Self {
        Story { lines: Vec::new() }
    }
}

impl<E: Phrase> Story<E> {
    /// The story with more lines. What was told in passing gives way to what comes after it.
    fn followed_by(&self, more: &[Line<E>]) -> Story<E> {
        let mut lines = Vec::with_capacity(self.lines.len() + more.len());
        for line in self.lines.iter().chain(more) {
            lines.pop_if(|last: &mut Line<E>| last.in_passing);
            lines.push(line.clone());
        }
        Story { lines }
    }

    /// The events, with those put in order that nobody can tell apart by theirs: of two units that the viewer does not
    /// see one passes a check and one fails it, whichever was first.
    fn events(&self, lexicon: &dyn Lexicon) -> Vec<E> {
        let mut lines: Vec<&Line<E>> = self.lines.iter().collect();
        for run in lines.chunk_by_mut(|a, b| a.vague && b.vague) {
            run.sort_by_cached_key(|line| line.event.notation(lexicon));
        }
        lines.into_iter().map(|line| line.event.clone()).collect()
    }
}

/// How much work a question is worth: counted and not timed, so that the same question always gets the same answer.
struct Budget {
    most: usize,
    steps: usize,
    ways: usize,
    layer: Layer,
}

/// States from which the same step is taken.
#[derive(Default)]
struct Layer {
    states: usize,
    done: usize,
    /// What had been spent when it was begun.
    steps: usize,
    ways: usize,
}

/// A layer is judged by its beginning once this part of all steps, or ways, was spent on it.
const GLIMPSE: usize = 16;

/// A layer is hopeless when it seems to need so many times what there is: its beginning may be unlike the rest.
const PATIENCE: f64 = 4.0;

impl Budget {
    fn new(most: usize) -> Budget {
        Budget { most, steps: 0, ways: 0, layer: Layer::default() }
    }

    fn begin_layer(&mut self, states: usize) {
        self.layer = Layer { states, done: 0, steps: self.steps, ways: self.ways };
    }

    fn one_done(&mut self) {
        self.layer.done += 1;
    }

    /// One more step, by which so many ways are carried on. `covered` is how much is done of the state that the step was
    /// taken from.
    fn spend(&mut self, ways: usize, covered: f64) -> Result<(), NoOdds> {
        self.steps += 1;
        self.ways += ways;
        let covered = (self.layer.done as f64 + covered) / self.layer.states as f64;
        let is_hopeless = |before: usize, now: usize, most: usize| {
            let spent = now - before;
            let seems = spent as f64 / covered;
            now > most || spent > most / GLIMPSE && seems > PATIENCE * (most - before) as f64
        };
        if is_hopeless(self.layer.steps, self.steps, self.most)
            || is_hopeless(self.layer.ways, self.ways, MAX_WAYS)
        {
            return Err(NoOdds::TooMany);
        }
        Ok(())
    }
}

/// A quick hash of long keys that nobody chooses to collide: rotate, mix in, multiply.
#[derive(Clone, Copy, Default)]
struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // The best bits of a product are the upper ones; tables look at both ends.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.mix(last);
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.mix(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
}
