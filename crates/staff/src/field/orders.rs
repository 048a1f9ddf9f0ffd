//! The answer to each sort of question.

use board::Hex;
use engine::muster::{self, Part};
use engine::row::{HEXES, UNITS};
use engine::{Asked, Dice, Phrase, Play, Role, Row, Seed, Side, UnitId};

use super::ground::{self, Ground};
use super::march::Survey;
use super::{Field, Order, trial};
use crate::Mind;
use crate::doctrine::choices;

/// How often what rolls dice is tried.
const TRIES: u32 = 24;

/// How many of many answers are looked at.
const MOST: usize = 60;

/// The answer that seems best.
pub(super) fn answer<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    answers: &[R::Action],
    luck: &mut Dice,
) -> R::Action {
    if let Some(answer) = answers.iter().find(|answer| R::order(answer) == Order::Always) {
        return *answer;
    }
    let ends = answers.iter().find(|answer| answer.form().role == Role::EndPhase).copied();
    joined(mind, state, answers)
        .or_else(|| march(mind, state, side, answers, luck))
        .or_else(|| attack(mind, state, side, answers))
        .or_else(|| best(mind, state, side, answers, luck))
        .or(ends)
        .unwrap_or(answers[0])
}

/// The unit and the hex that an answer names.
fn named<R: Field>(rules: &R, action: R::Action) -> (Option<UnitId>, Option<Hex>) {
    let mut row = Row::default();
    action.write_row(rules, &mut row);
    let cells = row.cells();
    let unit = u16::try_from(cells[1]).ok().map(UnitId);
    let width = rules.map().grid().width();
    let hexes = &cells[1 + UNITS..1 + UNITS + HEXES];
    // Where two are named, the second is where it leads.
    let last = hexes.iter().rev().find_map(|cell| usize::try_from(*cell).ok());
    (unit, last.map(|place| Hex::new((place / width) as u8, (place % width) as u8)))
}

/// An attack that is being put together: whoever can join it does, then it is declared.
fn joined<R: Field>(mind: Mind<'_, R>, state: &R::State, answers: &[R::Action]) -> Option<R::Action> {
    let part = |part: Part| answers.iter().find(|answer| muster::part(answer.form()) == Some(part));
    let declare = part(Part::Declare)?;
    let strongest = answers
        .iter()
        .filter(|answer| muster::part(answer.form()) == Some(Part::Join))
        .filter_map(|answer| Some((strength(mind, state, named(mind.rules, *answer).0?), answer)));
    let join = strongest.filter(|(strength, _)| *strength > 0).max_by_key(|(strength, _)| *strength);
    Some(*join.map_or(declare, |(_, answer)| answer))
}

/// What a unit attacks with.
fn strength<R: Field>(mind: Mind<'_, R>, state: &R::State, unit: UnitId) -> i16 {
    mind.rules.values(state, unit, mind.rules.owner(state, unit)).attack
}

/// The march that gains most, if any gains enough.
fn march<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    answers: &[R::Action],
    luck: &mut Dice,
) -> Option<R::Action> {
    let of = |order: Order| answers.iter().copied().filter(move |answer| R::order(answer) == order);
    of(Order::March).chain(of(Order::SetOut)).next()?;
    let ground = Ground::new(mind, state, side);
    let survey = Survey::new(mind, &ground, side);
    let under_way = mind.rules.under_way(state);
    let gain = |unit: Option<UnitId>, action: R::Action| {
        let (named, hex) = named(mind.rules, action);
        let (unit, to) = (named.or(unit)?, hex?);
        if !mind.rules.has_room(state, unit, to) {
            return None;
        }
        let standing = ground.pieces.iter().find(|piece| piece.unit == unit);
        let from = standing.map(|piece| piece.hex);
        let piece = standing.copied().unwrap_or_else(|| ground::anywhere(mind.rules, state, unit, side, to));
        Some(survey.gain(&piece, from, to))
    };
    let mut best: Option<(f64, R::Action)> = None;
    let mut weigh = |gained: Option<f64>, action: R::Action| {
        if let Some(gained) = gained
            && best.is_none_or(|(most, _)| gained > most)
        {
            best = Some((gained, action));
        }
    };
    for action in of(Order::March) {
        weigh(gain(under_way, action), action);
    }
    let mut openers: Vec<R::Action> = of(Order::SetOut).collect();
    for i in 0..openers.len().min(MOST) {
        let other = i + luck.roll((openers.len() - i) as u32) as usize - 1;
        openers.swap(i, other);
    }
    openers.truncate(MOST);
    for opener in openers {
        let unit = named(mind.rules, opener).0;
        let mut after = state.clone();
        mind.rules.apply(&mut after, opener, &mut Play::new(Dice::seeded(&Seed(String::new()))));
        let mut goals = Vec::new();
        choices(mind.rules, &after, &mut goals);
        let gains = goals
            .into_iter()
            .filter(|goal| R::order(goal) == Order::March)
            .filter_map(|goal| gain(unit, goal));
        weigh(gains.reduce(f64::max), opener);
    }
    best.filter(|(gained, _)| *gained > mind.weights.march).map(|(_, action)| action)
}

/// The attack after which the side stands best, if any makes things better.
fn attack<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    answers: &[R::Action],
) -> Option<R::Action> {
    let mut openers: Vec<(Hex, i16, R::Action)> = answers
        .iter()
        .filter(|answer| R::order(answer) == Order::Attack)
        .filter_map(|answer| {
            let (unit, hex) = named(mind.rules, *answer);
            Some((hex?, strength(mind, state, unit?), *answer))
        })
        .collect();
    // The strongest unit names each target.
    openers.sort_by_key(|(hex, strength, _)| (*hex, std::cmp::Reverse(*strength)));
    openers.dedup_by_key(|(hex, ..)| *hex);
    if openers.is_empty() {
        return None;
    }
    openers.sort_by_key(|(_, strength, _)| std::cmp::Reverse(*strength));
    openers.truncate(MOST);
    let now = <R as crate::Doctrine>::worth(mind, state, side);
    let tried = openers.into_iter().filter_map(|(_, _, opener)| {
        let whole = whole(mind, state, side, opener)?;
        Some((trial::worth(mind, state, side, &whole, TRIES), opener))
    });
    let best = tried.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let least = now + mind.weights.attack / R::CLEAR / 4.0;
    let forced = !answers.iter().any(|answer| answer.form().role == Role::EndPhase);
    (forced || best.0 > least).then_some(best.1)
}

/// An attack with everybody who can join it, if it can be declared then.
fn whole<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    opener: R::Action,
) -> Option<Vec<R::Action>> {
    let mut actions = vec![opener];
    let mut after = state.clone();
    let mut play = Play::new(Dice::seeded(&Seed(String::new())));
    mind.rules.apply(&mut after, opener, &mut play);
    let mut answers = Vec::new();
    while actions.len() < MOST_STEPS {
        answers.clear();
        choices(mind.rules, &after, &mut answers);
        let ours = matches!(mind.rules.asked(&after), Asked::Decision { side: asked, .. } if asked == side);
        let next = joined(mind, &after, &answers).filter(|_| ours)?;
        actions.push(next);
        if muster::part(next.form()) == Some(Part::Declare) {
            return Some(actions);
        }
        mind.rules.apply(&mut after, next, &mut play);
    }
    None
}

/// The most steps in which an attack is put together.
const MOST_STEPS: usize = 40;

/// Of all other answers the one after which the side stands best; nothing when ending the phase is as good.
fn best<R: Field>(
    mind: Mind<'_, R>,
    state: &R::State,
    side: Side,
    answers: &[R::Action],
    luck: &mut Dice,
) -> Option<R::Action> {
    let mut others: Vec<R::Action> = answers
        .iter()
        .copied()
        .filter(|answer| R::order(answer) == Order::Other && answer.form().role != Role::EndPhase)
        .collect();
    for i in 0..others.len().min(MOST) {
        let other = i + luck.roll((others.len() - i) as u32) as usize - 1;
        others.swap(i, other);
    }
    others.truncate(MOST);
    let ends = answers.iter().any(|answer| answer.form().role == Role::EndPhase);
    let least =
        if ends { <R as crate::Doctrine>::worth(mind, state, side) + 1e-4 } else { f64::NEG_INFINITY };
    let finishes = |action: &R::Action| f64::from(u8::from(action.form().role == Role::Finish));
    let tried = others.into_iter().map(|action| {
        // Of equals it is the one that does no more.
        (trial::worth(mind, state, side, &[action], TRIES) + 1e-6 * finishes(&action), action)
    });
    tried.filter(|(worth, _)| *worth > least).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, action)| action)
}
