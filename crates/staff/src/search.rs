//! How a general compares plans: he plays each of them through, with officers in command of both sides, as often as his
//! budget allows, on deals of what he cannot see, and with the same dice for all plans.

use std::time::Instant;

use engine::{Asked, Dice, Play, Seed, Side};

use crate::budget::{Purse, Signals};
use crate::{Doctrine, Mind};

/// What a search has found.
pub(crate) struct Verdict<P> {
    /// The best plan.
    pub(crate) plan: P,
    /// Plans played through.
    pub(crate) nodes: u32,
    /// Why.
    pub(crate) why: Vec<String>,
}

/// A plan and what became of it so far.
struct Candidate<P> {
    plan: P,
    tries: u32,
    sum: f64,
    /// What speaks for it before it was tried: the officer's own plan is given up only for a plain difference.
    trust: f64,
}

impl<P> Candidate<P> {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.tries.max(1))
    }

    /// The mean, and trust that fades as tries add up.
    fn merit(&self) -> f64 {
        self.mean() + self.trust / f64::from(self.tries.max(1)).sqrt()
    }
}

/// Rounds that every plan is played before the worse half is given up.
const ROUNDS: u32 = 2;

/// What the officer's own plan has in advance, in chances of winning, when plans were tried once.
const TRUST: f64 = 0.05;

/// The longest that a plan is played through, in decisions.
const LONGEST: usize = 3_000;

/// Sequential halving: all plans are tried equally often, the worse half is dropped, and the others are tried twice as often.
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
    let mut field: Vec<Candidate<D::Plan>> =
        plans.into_iter().map(|plan| Candidate { plan, tries: 0, sum: 0.0, trust: 0.0 }).collect();
    field[0].trust = TRUST;
    let mut rejected: Vec<Candidate<D::Plan>> = Vec::new();
    let (mut nodes, mut round, mut rounds) = (0, 0, ROUNDS);
    let out_of_time = |nodes: u32| signals.is_hurried() || purse.spent(began, nodes) >= 1.0;
    // With a single plan there is nothing to compare.
    'thinking: while field.len() > 1 {
        for _ in 0..rounds {
            for candidate in &mut field {
                if out_of_time(nodes) {
                    break 'thinking;
                }
                let value = played_through(mind, state, side, candidate.plan.clone(), salt, round);
                candidate.sum += value;
                candidate.tries += 1;
                nodes += 1;
                signals.tell(purse.spent(began, nodes));
            }
            round += 1;
        }
        field.sort_by(|a, b| b.merit().total_cmp(&a.merit()));
        if field.len() == 2 && purse.nodes() > nodes && rounds < 64 {
            rounds *= 2;
            // The last two are compared until the budget is spent or the difference is plain.
            if field[0].mean() - field[1].mean() > 0.5 / f64::from(field[0].tries).sqrt() {
                break;
            }
            continue;
        }
        let keep = field.len().div_ceil(2).max(1);
        rejected.extend(field.drain(keep..));
        rounds += 1;
    }
    // Whoever was tried once less than the others is not favoured by it.
    field.sort_by(|a, b| b.merit().total_cmp(&a.merit()));
    let best = field.swap_remove(0);
    rejected.extend(field);
    rejected.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
    let why = reasons(mind, state, &best, &rejected);
    Verdict { plan: best.plan, nodes, why }
}

fn reasons<D: Doctrine>(
    mind: Mind<'_, D>,
    state: &D::State,
    best: &Candidate<D::Plan>,
    rejected: &[Candidate<D::Plan>],
) -> Vec<String> {
    let mut why = D::explain(mind, state, &best.plan);
    if best.tries > 0 {
        why.push(format!("Played through {} times: {:.0} % for us.", best.tries, 100.0 * best.mean()));
    }
    for other in rejected.iter().filter(|other| other.tries > 0).take(3) {
        let what = D::explain(mind, state, &other.plan).into_iter().next().unwrap_or_default();
        why.push(format!("Rejected ({:.0} %): {what}", 100.0 * other.mean()));
    }
    why
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
        rules.answers(&state, &mut answers);
        let Some(answer) = officers_answer(mind, &state, decider, &mut plans[decider], &answers, &mut luck)
        else {
            break;
        };
        play.clear();
        rules.apply(&mut state, answer, &mut play);
    }
    D::worth(mind, &state, side)
}

/// What an officer answers who sees everything: good enough for playing plans through.
fn officers_answer<D: Doctrine>(
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
