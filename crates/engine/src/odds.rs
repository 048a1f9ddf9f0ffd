//! Exact odds: every way the dice of a commitment can fall, as a distribution over what happens.
//!
//! Two ways are the same when a viewer is told the same. Dice do not matter, nor does what is told in passing on the way
//! to something else (a chit, a ratio, a column, a reading that is rolled again), nor in which order things happened to
//! units that the viewer cannot tell apart.

mod chance;
mod gist;
pub mod oracle;
mod weighing;

pub use chance::Chance;
pub use gist::{Balance, Gist};
pub(crate) use weighing::{Memory, Weighing};

use crate::{Asked, Phrase, Role, Rulebook, Side, Viewer};
use weighing::MAX_STEPS;

/// One way a commitment can turn out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<E> {
    /// What happens from the first die on: what the viewer is told, without the dice and what was told in passing.
    pub events: Vec<E>,
    /// Why the commitment could not be carried through, if so: the action and the reason.
    pub broken_off: Option<String>,
    /// How likely this is.
    pub chance: Chance,
}

/// What a commitment leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds<E> {
    /// What is certain before the first die: the account of strengths, shifts and columns.
    pub account: Vec<E>,
    /// Every way it can turn out, the likeliest first.
    pub ways: Vec<Way<E>>,
}

/// Events that only lead to something else, and do not matter as soon as anything else is told: the account, the column, a
/// reading that may be rolled again.
fn is_in_passing<E: Phrase>(event: &E) -> bool {
    matches!(event.form().role, Role::Account | Role::Column | Role::Reading)
}

/// More ways than this are summed up by their results for a person.
const MANY_WAYS: usize = 24;

impl<E: Phrase> Odds<E> {
    /// The same by the results alone, the likeliest first, when there are too many ways to read: those that end in the same
    /// `result` (or that a player who may still roll again `reads`) become one. Nothing changes without such events.
    pub fn summed_up(self) -> Odds<E> {
        let told = is_told_as_result;
        let has_result = |way: &Way<E>| way.events.iter().any(|event| told(&event));
        if self.ways.len() <= MANY_WAYS || !self.ways.iter().any(has_result) {
            return self;
        }
        let mut sums: Vec<Way<E>> = Vec::new();
        for way in self.ways {
            let events = result_alone(&way.events);
            // Where there is a result it does not matter what could not be carried through after it.
            let broken_off = way.broken_off.filter(|_| events.is_empty());
            match sums.iter_mut().find(|sum| sum.events == events && sum.broken_off == broken_off) {
                Some(sum) => sum.chance = sum_of([sum.chance, way.chance]),
                None => sums.push(Way { events, broken_off, chance: way.chance }),
            }
        }
        sums.sort_by(|a, b| b.chance.as_f64().total_cmp(&a.chance.as_f64()));
        Odds { account: self.account, ways: sums }
    }
}

/// The same events with nothing but the result that they end in.
fn result_alone<E: Phrase>(events: &[E]) -> Vec<E> {
    events.iter().rev().find(is_told_as_result).cloned().into_iter().collect()
}

fn is_told_as_result<E: Phrase>(event: &&E) -> bool {
    matches!(event.form().role, Role::Result | Role::Reading)
}

impl<E: PartialEq> Odds<E> {
    /// The chance that something happens that `is` recognises.
    pub fn chance_of(&self, is: impl Fn(&E) -> bool) -> Chance {
        let ways = self.ways.iter();
        let happens = ways.filter(|way| way.events.iter().any(&is) || self.account.iter().any(&is));
        sum_of(happens.map(|way| way.chance))
    }
}

/// The sum of some ways of the same odds, which fits: odds whose common denominator does not are never told.
fn sum_of(chances: impl IntoIterator<Item = Chance>) -> Chance {
    chances.into_iter().try_fold(Chance::NEVER, Chance::plus).unwrap_or(Chance::NEVER)
}

/// Why odds could not be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOdds {
    /// An action is not allowed before any die was rolled: which, and why.
    Refused(usize, crate::Violation),
    /// An action answers what is asked of another side: which.
    NotTheirs(usize),
    /// The commitment would show the viewer something hidden: the odds are known only after it.
    Hidden,
    /// There are more ways than anybody wants to count.
    TooMany,
}

/// Follows `actions` from a state through every way the dice can fall, as far as `viewer` may know.
pub fn odds<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
) -> Result<Odds<R::Event>, NoOdds> {
    weigh(rules, state, actions, viewer, Memory::Results)
}

/// Odds for people: summed up where there are many ways, with the gist of each and of all.
pub struct Forecast<E> {
    /// The odds.
    pub odds: Odds<E>,
    /// What comes of each way on average, where somebody can lose something.
    pub ways: Vec<Option<Gist>>,
    /// What comes of all of it.
    pub gist: Option<Gist>,
}

/// [`odds`] with what people want to know first.
pub fn forecast<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
) -> Result<Forecast<R::Event>, NoOdds> {
    let mut weighing = Weighing::new(rules, state.clone(), viewer, Memory::Results, MAX_STEPS);
    for action in actions {
        weighing.carry_out(*action)?;
    }
    let found = gist::gists(rules, state, actions.first().copied(), &weighing);
    let odds = weighing.odds()?.summed_up();
    let Some((told, gist)) = found else {
        let ways = odds.ways.iter().map(|_| None).collect();
        return Ok(Forecast { odds, ways, gist: None });
    };
    let gist_of = |way: &Way<R::Event>| {
        let whole = told.iter().filter(|(events, ..)| *events == way.events);
        let summed = told.iter().filter(|(events, ..)| result_alone(events) == way.events);
        gist::mean(whole).or_else(|| gist::mean(summed))
    };
    let ways = odds.ways.iter().map(gist_of).collect();
    Ok(Forecast { odds, ways, gist: Some(gist) })
}

/// The same with all that is told in passing: every chit, every ratio. There are many more ways then.
pub fn odds_in_full<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
) -> Result<Odds<R::Event>, NoOdds> {
    weigh(rules, state, actions, viewer, Memory::Everything)
}

fn weigh<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
    memory: Memory,
) -> Result<Odds<R::Event>, NoOdds> {
    let mut weighing = Weighing::new(rules, state.clone(), viewer, memory, MAX_STEPS);
    for action in actions {
        weighing.carry_out(*action)?;
    }
    weighing.odds()
}

/// Why an action is not followed that another side would have to decide.
pub(crate) const NOT_THEIRS: &str = "it is not this side that decides here";

/// Who decides.
pub(crate) fn decider<R: Rulebook>(rules: &R, state: &R::State) -> Option<Side> {
    match rules.asked(state) {
        Asked::Decision { side, .. } => Some(side),
        Asked::Over(_) => None,
    }
}

/// Whether the side that decided first decides still. Nobody may try out what another side could do, or he would learn what
/// it has; who sees everything may.
pub(crate) fn is_decided_by<R: Rulebook>(
    rules: &R,
    state: &R::State,
    first: Option<Side>,
    viewer: Viewer,
) -> bool {
    viewer == Viewer::Referee || decider(rules, state) == first
}

/// Whether a viewer may be told beforehand what an action would do.
pub(crate) fn is_foreseeable<R: Rulebook>(
    rules: &R,
    state: &R::State,
    action: R::Action,
    viewer: Viewer,
) -> bool {
    viewer == Viewer::Referee || rules.foreseeable(state, action)
}

#[cfg(test)]
mod tests;
