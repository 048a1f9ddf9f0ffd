//! How a general compares plans: he plays each of them through, with officers in command of both sides, as often as his
//! budget allows, on deals of what he cannot see, and with the same dice for all plans.

use std::time::Instant;

use engine::{Asked, Dice, Play, Seed, Side, Text};

use crate::budget::{Purse, Signals};
use crate::doctrine::choices;
use crate::{Doctrine, Mind};

/// What a search has found.
pub(crate) struct Verdict<P> {
    /// The best plan.
    pub(crate) plan: P,
    /// Plans played through.
    pub(crate) nodes: u32,
    /// Why.
    pub(crate) why: Vec<Text>,
}

/// A plan and what became of it so far.
struct Candidate<P> {
    plan: P,
    /// How well the side stood after each try.
    values: Vec<f64>,
    /// What it has in advance.
    trust: f64,
}

impl<P> Candidate<P> {
    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.tries()
    }

    fn tries(&self) -> f64 {
        self.values.len().max(1) as f64
    }

    /// What plans are ranked by: an advance counts as much as a few tries.
    fn rank(&self) -> f64 {
        self.mean() + self.trust * ADVANCE / self.tries()
    }

    /// True when another plan is better beyond doubt, or when it does not matter which is. Both were tried with the same deals
    /// and dice, so what counts is how they differ from try to try.
    fn is_beaten_by(&self, other: &Candidate<P>) -> bool {
        let ahead = other.rank() - self.rank();
        let mean = other.mean() - self.mean();
        let pairs = self.values.iter().zip(&other.values);
        let spread = pairs.map(|(own, others)| (others - own - mean).powi(2)).sum::<f64>() / self.tries();
        let doubt = (spread / self.tries()).sqrt();
        ahead > SURE * doubt + LITTLE || SURE * doubt - ahead < LITTLE
    }
}

/// How many times the uncertainty a lead must be to end the comparison.
const SURE: f64 = 2.5;

/// A difference in the chance of winning that is not worth more thought.
const LITTLE: f64 = 0.004;

/// What the officer's own plan has in advance, in chances of winning: it is somewhat better than others on average.
const TRUST: f64 = 0.02;

/// How many tries what is known in advance is worth.
const ADVANCE: f64 = 4.0;

/// Before so many tries no plan is given up for being beaten.
const LEAST_TRIES: u32 = 6;

/// The longest that a plan is played through, in decisions.
const LONGEST: usize = 3_000;

/// Sequential halving: all plans are tried equally often, the worse half is dropped, and so on, each stage with the same part
/// of the budget. A plan that is beaten beyond doubt is dropped at once, so that plain cases take little time.
pub(crate) fn best_plan<D: Doctrine>(
    mind: Mind<'_, D>,
    state: &D::State,
    side: Side,
    purse: &Purse,
    luck: &mut Dice,
    signals: &Signals,
) -> Verdict<D::Plan> {
    let began = Instant::now();
    let mut plans = D::alternatives(mind, state, side, luck);
    if plans.is_empty() {
        plans.push(D::plan(mind, state, side, luck));
    }
    let salt = luck.roll(u32::MAX);
    let candidate = |plan: D::Plan| Candidate { plan, values: Vec::new(), trust: 0.0 };
    let mut field: Vec<Candidate<D::Plan>> = plans.into_iter().map(candidate).collect();
    field[0].trust = TRUST;
    let mut rejected: Vec<Candidate<D::Plan>> = Vec::new();
    let stages = f64::from(usize::BITS - field.len().saturating_sub(1).leading_zeros());
    let (mut nodes, mut round, mut stage) = (0, 0, 1.0);
    // With a single plan there is nothing to compare.
    'thinking: while field.len() > 1 {
        for candidate in &mut field {
            if signals.is_hurried() || purse.spent(began, nodes) >= 1.0 {
                break 'thinking;
            }
            candidate.values.push(played_through(mind, state, side, candidate.plan.clone(), salt, round));
            nodes += 1;
            signals.tell(purse.spent(began, nodes));
        }
        round += 1;
        field.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        let mut keep = field.len();
        if purse.spent(began, nodes) >= stage / stages {
            stage += 1.0;
            keep = keep.div_ceil(2);
        }
        rejected.extend(field.drain(keep..));
        if round >= LEAST_TRIES {
            let (best, others) = field.split_at(1);
            let beaten: Vec<bool> = others.iter().map(|other| other.is_beaten_by(&best[0])).collect();
            for place in (0..beaten.len()).rev().filter(|place| beaten[*place]) {
                rejected.push(field.remove(place + 1));
            }
        }
    }
    // A plan that is in the middle of a round is not favoured by it: means are compared, and the first of equals stays.
    field.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
    let best = field.swap_remove(0);
    rejected.extend(field);
    rejected.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
    let why = reasons(mind, state, &best, &rejected);
    Verdict { plan: best.plan, nodes, why }
}

fn reasons<D: Doctrine>(
    mind: Mind<'_, D>,
    state: &D::State,
    best: &Candidate<D::Plan>,
    rejected: &[Candidate<D::Plan>],
) -> Vec<Text> {
    let mut why = D::explain(mind, state, &best.plan);
    if !best.values.is_empty() {
        let found = format!("Played through {}: {:.0} % for us.", times(best), 100.0 * best.mean());
        why.push(Text::plain(found));
    }
    for other in rejected.iter().filter(|other| !other.values.is_empty()).take(3) {
        let what = D::explain(mind, state, &other.plan).into_iter().next().unwrap_or_default();
        let mean = 100.0 * other.mean();
        let mut rejected = Text::plain(format!("Rejected ({mean:.0} %, played {}): ", times(other)));
        rejected.append(what);
        why.push(rejected);
    }
    why
}

fn times<P>(candidate: &Candidate<P>) -> String {
    match candidate.values.len() {
        1 => "once".to_owned(),
        more => format!("{more} times"),
    }
}

/// Plays a plan through once and says how well the side stands then. Round n has the same deal and the same dice for every
/// plan.
fn played_through<D: Doctrine>(
    mind: Mind<'_, D>,
    start: &D::State,
    side: Side,
    plan: D::Plan,
    salt: u32,
    round: u32,
) -> f64 {
    let rules = mind.rules;
    let mut luck = Dice::seeded(&Seed(format!("{salt} deal {round}")));
    let mut state = rules.imagine(start, side, &mut luck);
    let mut play = Play::new(Dice::seeded(&Seed(format!("{salt} dice {round}"))));
    let mut plans = engine::BySide { axis: None, soviet: None };
    plans[side] = Some((rules.period(&state), plan));
    let mut answers = Vec::new();
    for _ in 0..LONGEST {
        let Asked::Decision { side: decider, .. } = rules.asked(&state) else { break };
        if rules.is_played_out(start, &state) {
            break;
        }
        answers.clear();
        choices(rules, &state, &mut answers);
        let Some(answer) =
            officers_answer(mind.of(decider), &state, decider, &mut plans[decider], &answers, &mut luck)
        else {
            break;
        };
        play.clear();
        rules.apply(&mut state, answer, &mut play);
    }
    D::worth(mind, &state, side)
}

/// What an officer answers who sees everything: good enough for playing plans through.
pub(crate) fn officers_answer<D: Doctrine>(
    mind: Mind<'_, D>,
    state: &D::State,
    side: Side,
    plan: &mut Option<(u64, D::Plan)>,
    answers: &[D::Action],
    luck: &mut Dice,
) -> Option<D::Action> {
    if answers.len() < 2 {
        return answers.first().copied();
    }
    let period = mind.rules.period(state);
    for _ in 0..2 {
        if let Some((of, plan)) = plan
            && *of == period
            && let Some(answer) = D::follow(mind, state, side, plan, answers)
            && answers.contains(&answer)
        {
            return Some(answer);
        }
        *plan = Some((period, D::plan(mind, state, side, luck)));
    }
    Some(D::instinct(mind, state, side, answers, luck)).filter(|answer| answers.contains(answer))
}
