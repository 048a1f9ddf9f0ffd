//! Odds the slow and obvious way, for tests: every single die has as many branches as faces, and each way is played
//! from the beginning.

use std::collections::BTreeMap;

use source::{Doc, Source};

use super::{Chance, NOT_THEIRS, Odds, is_in_passing};
use crate::{
    Data, Dice, Entry, Game, Options, Phrase, Play, Rulebook, Seed, Side, Told, Viewer, muster, situation,
};

/// The ways a commitment can turn out, each as the lines that the viewer is told from the first die on.
type Lines = BTreeMap<Vec<String>, Chance>;

/// The deepest roll that is followed: who rolls until something comes up may roll for ever.
const DEEPEST: usize = 12;

/// Every way `actions` can turn out, for each viewer; nothing when there are more than `most` ways the dice can fall, or
/// endlessly many, or when an action is refused before the first die.
fn ways<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewers: &[Viewer],
    most: usize,
) -> Option<Vec<Lines>> {
    let mut ways = vec![Lines::new(); viewers.len()];
    let mut open = vec![(Vec::new(), Chance::CERTAIN)];
    let mut plays = 0;
    while let Some((dice, chance)) = open.pop() {
        plays += 1;
        if plays > most || dice.len() > DEEPEST {
            return None;
        }
        match play_through(rules, state, actions, &dice)? {
            Played::Through(told, broken_off) => {
                for (lines, viewer) in ways.iter_mut().zip(viewers) {
                    let mut told = what_matters(rules, &told, *viewer);
                    told.extend(broken_off.clone());
                    let sum = lines.entry(told).or_insert(Chance::NEVER);
                    *sum = sum.plus(chance)?;
                }
            }
            Played::Needs(faces) => {
                let chance = chance.times(Chance::new(1, u128::from(faces)))?;
                open.extend((1..=faces).map(|face| ([&dice[..], &[face]].concat(), chance)));
            }
        }
    }
    Some(ways)
}

/// Whether [`odds`](super::odds) finds the same ways for each viewer, with no result twice and all chances adding up to
/// one; says what is wrong. Tells for how many viewers there were several ways, and few enough to compare.
///
/// Lines that nobody can tell apart by their order may come in any: so they are compared sorted.
pub fn agrees<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewers: &[Viewer],
    most: usize,
) -> Result<usize, String> {
    let Some(wanted) = ways(rules, state, actions, viewers, most) else { return Ok(0) };
    let mut compared = 0;
    for (wanted, viewer) in wanted.into_iter().zip(viewers) {
        let Ok(odds) = super::odds(rules, state, actions, *viewer) else { continue };
        // What another side would have to decide is followed for the referee only.
        let theirs = |why: &String| why.ends_with(NOT_THEIRS);
        if odds.ways.iter().any(|way| way.broken_off.as_ref().is_some_and(theirs)) {
            continue;
        }
        let (found, wanted) = (sorted(lines_of(rules, &odds)?), sorted(wanted));
        let differs = |lines: &&Vec<String>| found.get(*lines) != wanted.get(*lines);
        if let Some(lines) = found.keys().chain(wanted.keys()).find(differs) {
            return Err(format!("{lines:#?} is {:?}, not {:?}", found.get(lines), wanted.get(lines)));
        }
        compared += usize::from(found.len() > 1);
    }
    Ok(compared)
}

/// The ways of odds, or what is wrong with them.
fn lines_of<R: Rulebook>(rules: &R, odds: &Odds<R::Event>) -> Result<Lines, String> {
    let mut found = Lines::new();
    for way in &odds.ways {
        let mut lines: Vec<String> = way.events.iter().map(|event| event.notation(rules)).collect();
        lines.extend(way.broken_off.clone());
        if let Some(chance) = found.insert(lines.clone(), way.chance) {
            return Err(format!("{lines:#?} stands in the list twice: {chance} and {}", way.chance));
        }
    }
    match found.values().try_fold(Chance::NEVER, |sum, chance| sum.plus(*chance)) {
        Some(Chance::CERTAIN) => Ok(found),
        sum => Err(format!("all chances add up to {sum:?}")),
    }
}

fn sorted(lines: Lines) -> Lines {
    let mut all = Lines::new();
    for (mut lines, chance) in lines {
        lines.sort();
        let sum = all.entry(lines).or_insert(Chance::NEVER);
        *sum = super::sum_of([*sum, chance]);
    }
    all
}

enum Played<E> {
    /// What was told, and why it was broken off, if it was.
    Through(Vec<Told<E>>, Option<String>),
    /// Another die, of so many faces, has to be given.
    Needs(u32),
}

fn play_through<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    dice: &[u32],
) -> Option<Played<R::Event>> {
    let mut state = state.clone();
    let mut play = Play::new(Dice::told(dice.iter().copied()));
    for &action in actions {
        if let Err(violation) = rules.check(&state, action) {
            if play.rolls().is_empty() {
                return None;
            }
            let (line, why) = (action.notation(rules), violation.text(rules));
            let broken_off = format!("{line}: {why} ({})", violation.case);
            return Some(Played::Through(play.told().to_vec(), Some(broken_off)));
        }
        rules.apply(&mut state, action, &mut play);
        if let Some(fault) = play.dice.take_fault() {
            return Some(Played::Needs(faces_wanted(&fault)?));
        }
    }
    Some(Played::Through(play.told().to_vec(), None))
}

/// The die that was not given: `roll 2 (a d6) was not given`.
fn faces_wanted(fault: &str) -> Option<u32> {
    fault.split_once("(a d")?.1.split_once(')')?.0.parse().ok()
}

/// What is told from the first die on, without dice, and without what was told in passing before something else.
fn what_matters<R: Rulebook>(rules: &R, told: &[Told<R::Event>], viewer: Viewer) -> Vec<String> {
    let after_first_roll = told.iter().skip_while(|told| !matches!(told.entry(), Entry::Roll(_)));
    let events: Vec<(String, bool)> = after_first_roll
        .filter_map(|told| match told.to(viewer)? {
            Entry::Event(event) => Some((event.notation(rules), is_in_passing(&event))),
            Entry::Roll(_) => None,
        })
        .collect();
    let last = events.len().saturating_sub(1);
    let matters =
        |(i, (line, in_passing)): (usize, (String, bool))| (!in_passing || i == last).then_some(line);
    events.into_iter().enumerate().filter_map(matters).collect()
}

/// Everybody who may ask for odds.
pub const EVERYBODY: [Viewer; 4] =
    [Viewer::Referee, Viewer::Side(Side::Axis), Viewer::Side(Side::Soviet), Viewer::Observer];

/// Compares the odds of the first step of every rule test; how many there were to compare.
pub fn agrees_in_rule_tests<R: Rulebook>(most: usize) -> Result<usize, String> {
    let data = R::embedded().with_fixtures();
    let mut compared = 0;
    for (name, source) in data.under("tests") {
        if let Some((rules, state, actions)) = beginning::<R>(source, &data) {
            let agreed = agrees(&rules, &state, &actions, &EVERYBODY, most);
            compared += agreed.map_err(|wrong| format!("{name}: {wrong}"))?;
        }
    }
    Ok(compared)
}

/// The position that a rule test draws, and the actions of its first step.
fn beginning<R: Rulebook>(source: &Source, data: &Data) -> Option<(R, R::State, Vec<R::Action>)> {
    let doc = Doc::parse(source).ok()?;
    let root = doc.root();
    let position = root.get("situation").filter(|item| item.try_str().is_none())?.table()?;
    let opened = situation::read::<R>(&position, data, Options::default())?;
    let done = root.get("step")?.tables().first()?.get("do")?;
    let lines = if done.try_str().is_some() { vec![done] } else { done.items() };
    let lines = lines.iter().filter_map(|line| line.try_str()).flat_map(muster::expand);
    let actions =
        lines.map(|line| R::Action::parse(&line, &opened.rules).ok()).collect::<Option<Vec<_>>>()?;
    Some((opened.rules, opened.state, actions))
}

/// Compares the odds of what is done in a random game, each roll with up to two actions that led to it; how many there
/// were to compare.
pub fn agrees_in_a_game<R: Rulebook>(scenario: &str, seed: &str, most: usize) -> Result<usize, String> {
    let data = R::embedded();
    let mut game = Game::<R>::scenario(scenario, &data, Options::default(), Seed(seed.to_owned()))
        .map_err(|faults| faults.to_string())?;
    let mut chooser = Dice::seeded(&Seed(format!("{seed} chooses")));
    let mut compared = 0;
    loop {
        let answers = game.answers();
        if answers.is_empty() {
            return Ok(compared);
        }
        let action = answers[chooser.roll(answers.len() as u32) as usize - 1];
        let rolls = game.act(action).map(|done| done.rolls.len()).map_err(|no| format!("{no:?}"))?;
        if rolls == 0 {
            continue;
        }
        let last = game.moves().len();
        for first in last.saturating_sub(3)..last {
            let Some(state) = game.at(first) else { continue };
            let actions: Vec<R::Action> =
                game.moves()[first..].iter().filter_map(|step| step.deed.action()).collect();
            let agreed = agrees(&*game.rules, &state, &actions, &EVERYBODY, most);
            compared += agreed.map_err(|wrong| format!("{seed}, action {last}: {wrong}"))?;
        }
    }
}
