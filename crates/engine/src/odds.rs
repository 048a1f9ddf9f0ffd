//! Exact odds: every way the dice of a commitment can fall, as a distribution over what happens.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Asked, Dice, Entry, Phrase, Play, Rulebook, Side, Viewer};

/// A probability as an exact fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chance {
    numerator: u128,
    denominator: u128,
}

impl Chance {
    /// Never.
    pub const NEVER: Chance = Chance { numerator: 0, denominator: 1 };

    /// `numerator` in `denominator`, which must not be 0.
    pub fn new(numerator: u128, denominator: u128) -> Chance {
        let divisor = gcd(numerator, denominator).max(1);
        Chance { numerator: numerator / divisor, denominator: (denominator / divisor).max(1) }
    }

    /// The sum of two chances.
    pub fn plus(self, other: Chance) -> Chance {
        let common = self.denominator / gcd(self.denominator, other.denominator).max(1) * other.denominator;
        let scaled = |chance: Chance| chance.numerator * (common / chance.denominator);
        Chance::new(scaled(self) + scaled(other), common)
    }

    /// As a floating-point number, for plots and percentages.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// One way a commitment can turn out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<E> {
    /// What happens from the first die on, dice left out.
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

/// More ways than this are summed up by their results for a person.
const MANY_WAYS: usize = 24;

impl<E: Phrase> Odds<E> {
    /// The same by the results alone, the likeliest first, when there are too many ways to read: those that end in the same
    /// `result` (or that a player who may still roll again `reads`) become one. Nothing changes without such events.
    pub fn summed_up(self) -> Odds<E> {
        let told = |event: &&E| matches!(event.form().name, "result" | "reads");
        let has_result = |way: &Way<E>| way.events.iter().any(|event| told(&event));
        if self.ways.len() <= MANY_WAYS || !self.ways.iter().any(has_result) {
            return self;
        }
        let mut sums: Vec<Way<E>> = Vec::new();
        for way in self.ways {
            let events: Vec<E> = way.events.iter().rev().find(told).cloned().into_iter().collect();
            // Where there is a result it does not matter what could not be carried through after it.
            let broken_off = way.broken_off.filter(|_| events.is_empty());
            match sums.iter_mut().find(|sum| sum.events == events && sum.broken_off == broken_off) {
                Some(sum) => sum.chance = sum.chance.plus(way.chance),
                None => sums.push(Way { events, broken_off, chance: way.chance }),
            }
        }
        sums.sort_by(|a, b| b.chance.as_f64().total_cmp(&a.chance.as_f64()));
        Odds { account: self.account, ways: sums }
    }
}

impl<E: PartialEq> Odds<E> {
    /// The chance that something happens that `is` recognises.
    pub fn chance_of(&self, is: impl Fn(&E) -> bool) -> Chance {
        self.ways
            .iter()
            .filter(|way| way.events.iter().any(&is) || self.account.iter().any(&is))
            .fold(Chance::NEVER, |sum, way| sum.plus(way.chance))
    }
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

/// The most ways that are followed.
pub const MAX_WAYS: usize = 1_000_000;

/// Follows `actions` from a state through every way the dice can fall, as far as `viewer` may know.
pub fn odds<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
) -> Result<Odds<R::Event>, NoOdds> {
    let mut account = Vec::new();
    let mut ways: BTreeMap<String, Way<R::Event>> = BTreeMap::new();
    let mut path = Some(Vec::new());
    let mut followed = 0;
    while let Some(taken) = path {
        followed += 1;
        if followed > MAX_WAYS {
            return Err(NoOdds::TooMany);
        }
        let run = follow(rules, state, actions, viewer, Dice::path(taken))?;
        let key = run.key(rules);
        account = run.certain;
        let chance = Chance::new(1, run.dice.path_weight());
        path = run.dice.next_path();
        ways.entry(key).and_modify(|way| way.chance = way.chance.plus(chance)).or_insert(Way {
            events: run.uncertain,
            broken_off: run.broken_off,
            chance,
        });
    }
    let mut ways: Vec<Way<R::Event>> = ways.into_values().collect();
    ways.sort_by(|a, b| b.chance.as_f64().total_cmp(&a.chance.as_f64()));
    Ok(Odds { account, ways })
}

struct Run<E> {
    certain: Vec<E>,
    uncertain: Vec<E>,
    broken_off: Option<String>,
    dice: Dice,
}

impl<E: Phrase> Run<E> {
    /// Ways with the same key are the same way.
    fn key(&self, lexicon: &dyn crate::Lexicon) -> String {
        let mut key: Vec<String> = self.uncertain.iter().map(|event| event.notation(lexicon)).collect();
        key.extend(self.broken_off.clone());
        key.join("\n")
    }
}

fn follow<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
    dice: Dice,
) -> Result<Run<R::Event>, NoOdds> {
    let mut state = state.clone();
    let mut play = Play::new(dice);
    let mut broken_off = None;
    let decider = decider(rules, &state);
    for (i, &action) in actions.iter().enumerate() {
        if !is_decided_by(rules, &state, decider, viewer) {
            if play.rolls().is_empty() {
                return Err(NoOdds::NotTheirs(i));
            }
            broken_off = Some(format!("{}: {NOT_THEIRS}", action.notation(rules)));
            break;
        }
        if let Err(violation) = rules.check(&state, action) {
            if play.rolls().is_empty() {
                return Err(NoOdds::Refused(i, violation));
            }
            let (line, why) = (action.notation(rules), violation.text(rules));
            broken_off = Some(format!("{line}: {why} ({})", violation.case));
            break;
        }
        if !is_foreseeable(rules, &state, action, viewer) {
            return Err(NoOdds::Hidden);
        }
        rules.apply(&mut state, action, &mut play);
        if play.revealed_to(viewer) {
            return Err(NoOdds::Hidden);
        }
    }
    let mut certain = Vec::new();
    let mut uncertain = Vec::new();
    let mut rolled = false;
    for told in play.told() {
        // A roll in secret divides what is certain from what is not as well.
        rolled |= matches!(told.entry(), Entry::Roll(_));
        match told.to(viewer) {
            Some(Entry::Event(event)) if rolled => uncertain.push(event),
            Some(Entry::Event(event)) => certain.push(event),
            Some(Entry::Roll(_)) | None => {}
        }
    }
    Ok(Run { certain, uncertain, broken_off, dice: play.dice })
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
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_exactly() {
        let third = Chance::new(12, 36);
        assert_eq!(third.to_string(), "1/3");
        assert_eq!(third.plus(third).plus(third).to_string(), "1");
        assert_eq!(Chance::new(1, 6).plus(Chance::new(1, 10)).to_string(), "4/15");
        assert_eq!(Chance::NEVER.plus(third), third);
    }
}
