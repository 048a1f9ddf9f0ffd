//! Which formation acts, and for what.

use std::sync::Arc;

use board::Hex;
use bug::{
    Action, Activation, Assignment, Attack, AttackKind, Bug, Choice, Moving, Points, Procedure,
    Reinforcement, Scout, State, Surprise, Units,
};
use engine::{Dice, Lexicon, Side, Span, Telling, Text, UnitId};

use super::act::{self, Aim, Deed, Hand};
use super::balance::Balance;
use super::trifles::Clerk;
use super::{BugWeights, named, strike, top};
use crate::doctrine::Mind;

/// What a side means to do in an activation, or with its initiative.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What to answer when it has the initiative.
    choice: Option<Action>,
    /// What to do first in an activation; what follows is thought over then.
    first: Option<Deed>,
    /// It says nothing after its first Action, so that a general thinks again.
    brief: bool,
    begun: bool,
    /// The objective that it cares for most, by its place in the picture.
    focus: Option<usize>,
    /// How much attacks are to be preferred.
    boldness: f32,
    /// What counts how much, if otherwise than usual.
    style: Option<Arc<BugWeights>>,
    /// Units on their way, and where to.
    march: Option<(Units, Hex)>,
    /// The attack that it is putting together.
    attack: Option<(Units, Hex, AttackKind)>,
    /// What was found worth doing, the best last, as long as the enemy does not stir.
    queue: Vec<Deed>,
    /// How the enemy stood then.
    trace: u64,
}

/// Names the period: the turn, what lies at the bottom of the procedures, and whose it is.
pub(crate) fn period(rules: &Bug, state: &State) -> u64 {
    let mut words = [u64::from(state.turn()), 0, 0, 0];
    let scout = rules.scout(state);
    let levels = |side: Side| scout.formations(side).map(|formation| u64::from(formation.level)).sum::<u64>();
    for procedure in state.procedures() {
        let (kind, who, count) = match procedure {
            Procedure::Ops(_) | Procedure::Surprise(_) if state.procedures().len() > 1 => continue,
            Procedure::Surprise(Surprise { left, .. }) => (1, 0, u64::from(*left)),
            Procedure::Choice(Choice { side, received }) => {
                let all = levels(Side::Axis) * 64 + levels(Side::Soviet);
                (2, u64::from(*side == Side::Soviet) * 2 + u64::from(*received), all)
            }
            Procedure::Activation(Activation { hq, reaction, .. }) => {
                let level = scout.formation(*hq).map_or(0, |formation| u64::from(formation.level));
                (3 + u64::from(*reaction), hq.index() as u64, level)
            }
            Procedure::Points(Points { hq, .. }) => (5, hq.index() as u64, 0),
            Procedure::Assignment(Assignment { side }) => (6, u64::from(*side == Side::Soviet), 0),
            Procedure::Replacement(_) => (7, 0, 0),
            Procedure::Reorganization(_) => (8, 0, 0),
            Procedure::Reinforcement(Reinforcement { side }) => (9, u64::from(*side == Side::Soviet), 0),
            _ => (10, 0, 0),
        };
        words[1..].copy_from_slice(&[kind, who, count]);
        break;
    }
    words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}

/// What a side does one decision ahead.
pub(crate) fn recruits_answer(mind: Mind<'_, Bug>, state: &State, side: Side, answers: &[Action]) -> Action {
    let mut weights = mind.weights.clone();
    weights.threshold *= RECRUITS_THRESHOLD;
    match side {
        Side::Axis => weights.german_point *= RECRUITS_LOSSES,
        Side::Soviet => weights.soviet_point *= RECRUITS_LOSSES,
    }
    Plan::bold(1.0).carry_out(Mind { weights: &weights, ..mind }, state, side, answers, true)
}

/// A recruit sees only what the next step brings, which is little: what an officer would not bother with is worth his while.
const RECRUITS_THRESHOLD: f64 = 0.33;

/// He minds his losses less than an officer, who sees what they will be missed for.
const RECRUITS_LOSSES: f64 = 0.8;

/// What an officer means to do.
pub(crate) fn officers_plan(mind: Mind<'_, Bug>, state: &State, side: Side) -> Plan {
    match top(state) {
        // What an activation is for comes up as it goes.
        Some(Procedure::Activation(_)) => Plan::bold(1.0),
        Some(Procedure::Choice(Choice { side: chooser, .. })) if chooser == side => own_choice(mind, state),
        Some(Procedure::Surprise(_)) if side == Side::Axis => own_choice(mind, state),
        _ => Plan::bold(1.0),
    }
}

impl Plan {
    fn bold(boldness: f32) -> Plan {
        Plan { boldness, ..Plan::default() }
    }

    /// The next answer.
    pub(crate) fn answer(
        &mut self,
        mind: Mind<'_, Bug>,
        state: &State,
        side: Side,
        answers: &[Action],
    ) -> Option<Action> {
        let style = self.style.clone();
        let mind = Mind { weights: style.as_deref().unwrap_or(mind.weights), ..mind };
        if let Some(choice) = self.choice.take()
            && answers.contains(&choice)
        {
            return Some(choice);
        }
        if let Some(Procedure::Activation(Activation { hq, ap, .. })) = top(state)
            && mind.rules.side_of(hq) == side
        {
            if self.brief && self.begun && ap > 1 {
                return None;
            }
            self.begun = true;
            if let Some(first) = self.first.take()
                && first.is_open(&mind.rules.scout(state), answers)
            {
                return Some(self.begin(first));
            }
        }
        Some(self.carry_out(mind, state, side, answers, false))
    }

    fn carry_out(
        &mut self,
        mind: Mind<'_, Bug>,
        state: &State,
        side: Side,
        answers: &[Action],
        plain: bool,
    ) -> Action {
        if let Some((units, hex)) = self.march
            && let Some(Procedure::Moving(Moving { units: moving, .. })) = top(state)
            && units == moving
        {
            // Who is where he was to go stays there, whatever he could still walk.
            let arrived = units.iter().all(|unit| state.place_of(unit) == Some(hex));
            if arrived && answers.contains(&Action::Stop) {
                self.march = None;
                return Action::Stop;
            }
            for answer in [Action::Go { hex }, Action::Infiltrate { hex }] {
                if answers.contains(&answer) {
                    return answer;
                }
            }
        }
        let muster = match top(state) {
            Some(Procedure::Attack(attack)) => Some(attack),
            _ => None,
        };
        if let Some(step) = muster.and_then(|attack| self.next_step(&attack, answers)) {
            return step;
        }
        let scout = mind.rules.scout(state);
        let focus = self.focus.map(|place| (side, place, mind.weights.focus as f32));
        // A recruit in defence spreads over all that he holds; in attack he sees well enough where the enemy is weak.
        let balance = match plain && side == Side::Soviet {
            true => Balance::simple(mind.rules, mind.picture, mind.weights, &scout),
            false => Balance::new(mind.rules, mind.picture, mind.weights, &scout, focus),
        };
        let clerk = Clerk { rules: mind.rules, scout: &scout, balance: &balance, side };
        if let Some(answer) = clerk.answer(answers) {
            return answer;
        }
        match top(state) {
            Some(Procedure::Choice(_) | Procedure::Surprise(_)) => choose(mind, &scout, answers, plain),
            Some(Procedure::Activation(_) | Procedure::Bonus(_)) => {
                let trace = state.trace_of(mind.rules, side.enemy());
                let bonus = matches!(top(state), Some(Procedure::Bonus(_)));
                if trace != self.trace || bonus || plain {
                    self.queue.clear();
                }
                if let Some(deed) = self.next_deed(&scout, answers, plain) {
                    return self.begin(deed);
                }
                let boldness = if self.boldness == 0.0 { 1.0 } else { self.boldness };
                let Some(mut hand) = Hand::read(mind.rules, &scout, &balance, plain, boldness) else {
                    return answers[0];
                };
                self.queue = deeds(mind, &mut hand, answers);
                self.trace = trace;
                let deed = self.next_deed(&scout, answers, plain);
                let action = deed.map(|deed| self.begin(deed));
                if bonus {
                    self.queue.clear();
                }
                action.unwrap_or(*answers.last().unwrap_or(&answers[0]))
            }
            Some(Procedure::Attack(attack)) => best_declaration(&scout, &balance, side, &attack, answers),
            Some(Procedure::Moving(Moving { units, .. })) => {
                on_the_way(mind, &scout, &balance, units, answers, plain)
            }
            _ => answers[0],
        }
    }

    /// The best that is left to do and can be done: a recruit takes what brings most for a point, an officer what begins the
    /// best use of all points.
    fn next_deed(&mut self, scout: &Scout<'_>, answers: &[Action], plain: bool) -> Option<Deed> {
        self.queue.retain(|deed| {
            let room = match (deed.aim, deed.goal) {
                (Aim::Do(Action::Move { units }), Some(goal)) => scout.has_room(units, goal),
                _ => true,
            };
            room && deed.is_open(scout, answers)
        });
        match top(scout.state()) {
            Some(Procedure::Activation(Activation { ap, .. })) if !plain => {
                let (_, first) = act::best_use(&self.queue, f32::from(ap));
                first.map(|first| self.queue.remove(first))
            }
            _ => self.queue.pop(),
        }
    }

    /// Does something: what else its units could have done, or others in the same hex, is thought over again.
    fn begin(&mut self, deed: Deed) -> Action {
        if deed.leads {
            self.queue.clear();
        }
        match (deed.aim, deed.goal) {
            (Aim::Attack { units, hex, kind }, _) => {
                self.attack = Some((units, hex, kind));
                units.first().map_or(Action::End, |unit| Action::Name { unit, hex })
            }
            (Aim::Do(action), goal) => {
                if let (Action::Move { units }, Some(goal)) = (action, goal) {
                    self.march = Some((units, goal));
                    self.queue.retain(|other| match other.aim {
                        Aim::Do(Action::Move { units: others }) | Aim::Attack { units: others, .. } => {
                            other.goal != Some(goal) && !others.iter().any(|unit| units.contains(unit))
                        }
                        _ => true,
                    });
                }
                if let Action::Relocate { .. } = action {
                    self.queue.clear();
                }
                action
            }
        }
    }

    /// The next step of the attack that it is putting together: who is missing joins, then it is declared. Whoever has none
    /// in mind takes along all who can.
    fn next_step(&mut self, attack: &Attack, answers: &[Action]) -> Option<Action> {
        let planned = self.attack.filter(|(_, hex, _)| *hex == attack.target);
        let wanted = |unit: UnitId| planned.is_none_or(|(units, ..)| units.contains(unit));
        let joins = |answer: &&Action| matches!(answer, Action::Join { unit } if wanted(*unit));
        if let Some(join) = answers.iter().find(joins) {
            return Some(*join);
        }
        let (_, _, kind) = planned?;
        self.attack = None;
        Some(Action::Declare { kind }).filter(|declare| answers.contains(declare))
    }

    /// What the plan is about.
    pub(crate) fn explain(&self, mind: Mind<'_, Bug>, state: &State) -> Vec<Text> {
        let mut lines = match (self.choice, top(state)) {
            (Some(Action::Activate { hq }), _) => vec![Text::of([named(mind.rules, hq), " acts.".into()])],
            (Some(Action::Transfer), _) => vec![Text::plain("The enemy is to act first.")],
            (Some(Action::Pass), _) => {
                vec![Text::plain("No formation has anything to do that is worth it.")]
            }
            (_, Some(Procedure::Activation(Activation { hq, ap, .. }))) => {
                self.explain_activation(mind, state, hq, ap)
            }
            _ => Vec::new(),
        };
        if let Some(objective) = self.focus.and_then(|place| mind.picture.objectives.get(place)) {
            let mut line = Text::plain("Its objective is ");
            line.append(objective.name.clone());
            line.words(".");
            lines.push(line);
        }
        lines
    }

    /// What comes first, then what else is best for its points.
    fn explain_activation(&self, mind: Mind<'_, Bug>, state: &State, hq: UnitId, ap: u8) -> Vec<Text> {
        let mind = Mind { weights: self.style.as_deref().unwrap_or(mind.weights), ..mind };
        let points = if ap == 1 { "1 point".to_owned() } else { format!("{ap} points") };
        let acts =
            |then: &str| Text::of([named(mind.rules, hq), format!(" acts with {points}{then}").into()]);
        let scout = mind.rules.scout(state);
        let focus = self.focus.map(|place| (mind.rules.side_of(hq), place, mind.weights.focus as f32));
        let balance = Balance::new(mind.rules, mind.picture, mind.weights, &scout, focus);
        let Some(mut hand) = Hand::read(mind.rules, &scout, &balance, false, self.boldness.max(0.1)) else {
            return vec![acts(".")];
        };
        let mut answers = Vec::new();
        engine::Rulebook::answers(mind.rules, state, &mut answers);
        let mut deeds = deeds(mind, &mut hand, &answers);
        deeds.retain(|deed| deed.is_open(&scout, &answers));
        let own = || act::best_use(&deeds, f32::from(ap)).1.map(|place| deeds[place]);
        let Some(first) = self.first.or_else(own) else {
            return vec![acts(", but nothing is worth a point.")];
        };
        let others = deeds.iter().rev().filter(|deed| deed.aim != first.aim).take(1);
        let then = |mut line: Text, deed: &Deed| {
            line.append(in_words(mind, &scout, deed));
            line.words(".");
            line
        };
        let mut lines = vec![then(acts(". First, "), &first)];
        lines.extend(others.map(|deed| then(Text::plain("Then perhaps "), deed)));
        lines
    }
}

/// An Action as one tells it to a friend.
fn in_words(mind: Mind<'_, Bug>, scout: &Scout<'_>, deed: &Deed) -> Text {
    let at = |hex: Hex| Span::Hex(mind.rules.map().label(hex));
    let names = |units: Units| {
        let names: Vec<Span> = units.iter().map(|unit| named(mind.rules, unit)).collect();
        let mut text = Text::default();
        engine::text::listed(names.into_iter(), &mut text);
        text
    };
    let action = match deed.aim {
        Aim::Attack { units, hex, kind } => {
            let from = units.first().and_then(|unit| scout.state().place_of(unit)).unwrap_or(hex);
            let odds = strike::odds_in_words(&scout.forecast(units, from, hex, kind, 0));
            let attack = format!("a {} attack from ", kind.as_str());
            let spans = [attack.into(), at(from), " on ".into(), at(hex), format!(": {odds}").into()];
            return Text::of(spans);
        }
        Aim::Do(action) => action,
    };
    match action {
        Action::Move { units } => {
            let to = deed.goal.into_iter().flat_map(|goal| [" to ".into(), at(goal)]);
            let mut text = names(units);
            text.append(Text::of(to));
            text
        }
        Action::Relocate { hex } => Text::of(["the HQ to ".into(), at(hex)]),
        Action::Improve { hex } => Text::of(["better defences in ".into(), at(hex)]),
        Action::Refit { unit } => Text::of([named(mind.rules, unit), " is to recover".into()]),
        Action::Bridge { to, .. } => Text::of(["a pontoon bridge to ".into(), at(to)]),
        other => other.text(mind.rules),
    }
}

/// How an attack is best made: as it brings most for a point.
fn best_declaration(
    scout: &Scout<'_>,
    balance: &Balance<'_>,
    side: Side,
    attack: &Attack,
    answers: &[Action],
) -> Action {
    let Attack { target, attackers: units } = *attack;
    let from = units.first().and_then(|unit| scout.state().place_of(unit)).unwrap_or(target);
    let ends = strike::Ends::new(balance, scout, side, &strike::Strike { units, from, target });
    let rate = |answer: &Action| match answer {
        Action::Declare { kind } => {
            strike::value(&ends, &scout.forecast(units, from, target, *kind, 0)) / f32::from(kind.cost())
        }
        _ => f32::NEG_INFINITY,
    };
    let best = answers.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    best.copied().unwrap_or(Action::Cancel)
}

/// What is worth doing, the best for its points last.
fn deeds(mind: Mind<'_, Bug>, hand: &mut Hand<'_, '_>, answers: &[Action]) -> Vec<Deed> {
    let mut deeds = hand.options();
    bridges(mind, hand.scout, answers, &mut deeds);
    deeds.retain(|deed| deed.rate() > mind.weights.threshold as f32);
    deeds.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    deeds
}

/// Units on their way go where it is best, or stop.
fn on_the_way(
    mind: Mind<'_, Bug>,
    scout: &Scout<'_>,
    balance: &Balance<'_>,
    units: Units,
    answers: &[Action],
    plain: bool,
) -> Action {
    let Some(first) = units.first() else { return Action::Stop };
    let Some(at) = scout.state().place_of(first) else { return Action::Stop };
    let side = mind.rules.side_of(first);
    let hq = scout.state().procedures().iter().rev().find_map(|procedure| match procedure {
        Procedure::Activation(Activation { hq, .. }) if mind.rules.side_of(*hq) == side => Some(*hq),
        _ => None,
    });
    let Some(hq) = hq else { return first_go(answers) };
    let mut hand = Hand::suppose(mind.rules, scout, balance, hq, 0);
    hand.plain = plain;
    let goals = answers.iter().filter_map(|answer| match answer {
        Action::Go { hex } => Some(*hex),
        _ => None,
    });
    match hand.best_of(at, units, goals.collect(), 0) {
        Some((hex, value, _)) if value > 0.0 => Action::Go { hex },
        _ => Action::Stop,
    }
}

/// A bonus move goes into the hex that it is for.
fn first_go(answers: &[Action]) -> Action {
    let go = answers.iter().find(|answer| matches!(answer, Action::Go { .. }));
    go.copied().unwrap_or(Action::Stop)
}

/// A pontoon bridge is worth building where no bridge is near and the formation is across.
fn bridges(mind: Mind<'_, Bug>, scout: &Scout<'_>, answers: &[Action], options: &mut Vec<Deed>) {
    let Some(Procedure::Activation(Activation { hq, .. })) = top(scout.state()) else { return };
    let Some(formation) = scout.formation(hq) else { return };
    let west = mind.rules.west_bank();
    let grid = mind.rules.map().grid();
    for answer in answers {
        let Action::Bridge { to, .. } = *answer else { continue };
        let across = scout
            .soldiers(Side::Axis)
            .filter(|soldier| soldier.formation == formation.formation && !west.contains(soldier.hex))
            .count();
        let far = mind.rules.crossings().iter().all(|bridge| grid.distance(*bridge, to) > 4);
        let led = grid.distance(formation.hex, to) <= u32::from(formation.range);
        if far && led && across >= 3 {
            let value = 0.08 * across as f32;
            options.push(Deed { aim: Aim::Do(*answer), goal: None, cost: 2.0, value, leads: false });
        }
    }
}

/// What a formation could do with an activation now.
fn prospect(mind: Mind<'_, Bug>, scout: &Scout<'_>, balance: &Balance<'_>, hq: UnitId) -> f32 {
    let ap = scout.mean_points(hq, false);
    let mut hand = Hand::suppose(mind.rules, scout, balance, hq, ap.round() as u8);
    let mut options = hand.options();
    options.retain(|option| option.rate() > mind.weights.threshold as f32);
    options.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    act::best_use(&options, ap as f32).0
}

/// The formations that could be activated, the best first, with what they could do.
fn ranking(mind: Mind<'_, Bug>, scout: &Scout<'_>, answers: &[Action]) -> Vec<(f32, UnitId)> {
    let balance = Balance::new(mind.rules, mind.picture, mind.weights, scout, None);
    let mut ranking: Vec<(f32, UnitId)> = answers
        .iter()
        .filter_map(|answer| match answer {
            Action::Activate { hq } => Some((prospect(mind, scout, &balance, *hq), *hq)),
            _ => None,
        })
        .collect();
    ranking.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranking
}

/// Which formation acts, or whether nobody does.
fn choose(mind: Mind<'_, Bug>, scout: &Scout<'_>, answers: &[Action], plain: bool) -> Action {
    if plain {
        // The formation that has most levels left.
        let level = |answer: &&Action| match answer {
            Action::Activate { hq } => scout.formation(*hq).map(|formation| formation.level),
            _ => None,
        };
        return answers.iter().max_by_key(level).copied().unwrap_or(answers[0]);
    }
    best_of(mind, scout, &ranking(mind, scout, answers), answers)
}

/// The first of a ranking, if it has anything to do.
fn best_of(mind: Mind<'_, Bug>, scout: &Scout<'_>, ranking: &[(f32, UnitId)], answers: &[Action]) -> Action {
    match ranking.first() {
        Some((value, hq)) if *value > idle(mind, scout) => Action::Activate { hq: *hq },
        _ => *answers.last().unwrap_or(&answers[0]),
    }
}

/// Below this an activation is not worth its level.
fn idle(mind: Mind<'_, Bug>, scout: &Scout<'_>) -> f32 {
    if scout.state().turn() >= mind.rules.last_turn() { 0.0 } else { mind.weights.threshold as f32 * 2.0 }
}

/// Plans worth comparing, the officer's own first.
pub(crate) fn alternatives(mind: Mind<'_, Bug>, state: &State, side: Side, luck: &mut Dice) -> Vec<Plan> {
    let scout = mind.rules.scout(state);
    match top(state) {
        Some(Procedure::Choice(Choice { side: chooser, .. })) if chooser == side => choices(mind, &scout),
        Some(Procedure::Surprise(_)) if side == Side::Axis => choices(mind, &scout),
        Some(Procedure::Activation(Activation { hq, .. })) if mind.rules.side_of(hq) == side => {
            activations(mind, &scout, side, hq, luck)
        }
        _ => vec![Plan::bold(1.0)],
    }
}

/// An activation with so many points is a great one.
const GREAT: u8 = 5;

/// With so few formations it is worth a thought which acts, or whether to wait.
const FEW: usize = 3;

/// The officer's choice.
fn own_choice(mind: Mind<'_, Bug>, state: &State) -> Plan {
    choices(mind, &mind.rules.scout(state)).into_iter().next().unwrap_or_default()
}

fn choices(mind: Mind<'_, Bug>, scout: &Scout<'_>) -> Vec<Plan> {
    let mut answers = Vec::new();
    engine::Rulebook::answers(mind.rules, scout.state(), &mut answers);
    let ranked = ranking(mind, scout, &answers);
    let own = best_of(mind, scout, &ranked, &answers);
    let plan = |choice| Plan { choice: Some(choice), ..Plan::bold(1.0) };
    let mut plans = vec![plan(own)];
    // With many formations it matters little which is first, and there is always something to do.
    if ranked.len() > FEW {
        return plans;
    }
    let others = ranked.iter().map(|(_, hq)| Action::Activate { hq: *hq }).filter(|other| *other != own);
    plans.extend(others.take(2).map(plan));
    if own != Action::Transfer && answers.contains(&Action::Transfer) {
        plans.push(plan(Action::Transfer));
    }
    plans
}

/// The objectives that a formation could care for, the most promising first.
fn objectives(mind: Mind<'_, Bug>, scout: &Scout<'_>, side: Side, hq: UnitId) -> Vec<usize> {
    let balance = Balance::new(mind.rules, mind.picture, mind.weights, scout, None);
    let Some(formation) = scout.formation(hq) else { return Vec::new() };
    let mut ranked: Vec<(f32, usize)> = Vec::new();
    for (place, objective) in mind.picture.objectives.iter().enumerate() {
        let hold = &balance.holds[place];
        let open = hold.chance * (1.0 - hold.chance);
        let own: f32 = scout
            .soldiers(side)
            .filter(|soldier| soldier.formation == formation.formation)
            .map(|soldier| {
                let far = objective.from(side, soldier.motorized, soldier.hex);
                balance.worth_of(&soldier) * (-far / 8.0).exp()
            })
            .sum();
        ranked.push((objective.value * open * own, place));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().filter(|(value, _)| *value > 0.0).map(|(_, place)| place).collect()
}

fn activations(mind: Mind<'_, Bug>, scout: &Scout<'_>, side: Side, hq: UnitId, luck: &mut Dice) -> Vec<Plan> {
    // With many formations only great activations are thought over, each once: a game is to end the same evening.
    let many = scout.formations(side).count() > FEW;
    if many && matches!(top(scout.state()), Some(Procedure::Activation(Activation { ap, .. })) if ap < GREAT)
    {
        return vec![Plan::bold(1.0)];
    }
    let brief = !many;
    let places = objectives(mind, scout, side, hq);
    let focused = |place: usize, boldness| Plan { focus: Some(place), ..Plan::bold(boldness) };
    let mut plans = vec![Plan { brief, ..Plan::bold(1.0) }];
    let balance = Balance::new(mind.rules, mind.picture, mind.weights, scout, None);
    if let Some(mut hand) = Hand::read(mind.rules, scout, &balance, false, 1.0) {
        let mut answers = Vec::new();
        engine::Rulebook::answers(mind.rules, scout.state(), &mut answers);
        let deeds: Vec<Deed> = deeds(mind, &mut hand, &answers);
        let deeds: Vec<Deed> = deeds.into_iter().filter(|deed| deed.is_open(scout, &answers)).collect();
        let uses = act::uses(&deeds, f32::from(hand.ap));
        let least = uses.first().map_or(0.0, |(most, _)| most * CLOSE);
        let close = uses.iter().skip(1).filter(|(total, _)| *total >= least);
        let others = close.take(OTHERS).map(|(_, place)| deeds[*place]);
        plans.extend(others.map(|first| Plan { first: Some(first), brief, ..Plan::bold(1.0) }));
        if plans.len() < 2 {
            return plans;
        }
    }
    plans.push(Plan::bold(2.0));
    plans.extend(places.iter().take(1).map(|place| focused(*place, 1.0)));
    for _ in 0..STYLES {
        let style = Some(Arc::new(crate::weights::drawn(mind.weights, SPREAD, luck)));
        plans.push(Plan { style, ..Plan::bold(1.0) });
    }
    plans
}

/// How many other styles a general compares.
const STYLES: usize = 16;

/// How far the weights of another style lie from the usual ones, as a logarithm.
const SPREAD: f64 = 0.6;

/// The part of the best that something else must promise to be worth a thought.
const CLOSE: f32 = 0.85;

/// How many Actions a general compares with the officer's.
const OTHERS: usize = 4;

/// With one formation a plan is played to the end of the next turn, with few to the end of this one; with many, until the enemy has
/// made something of it.
pub(crate) fn is_played_out(rules: &Bug, start: &State, now: &State) -> bool {
    let formations = rules.scout(start).formations(Side::Axis).count();
    if formations == 1 {
        return now.turn() >= start.turn() + 2;
    }
    if now.turn() > start.turn() {
        return !matches!(top(now), Some(Procedure::Recovery(_))) || now.turn() > start.turn() + 1;
    }
    if formations <= FEW {
        return false;
    }
    if !matches!(top(now), Some(Procedure::Choice(_) | Procedure::Initiative(_))) {
        return false;
    }
    let spent = |state: &State| -> u32 {
        let scout = rules.scout(state);
        Side::BOTH
            .into_iter()
            .flat_map(|side| scout.formations(side).map(|f| u32::from(f.level)).collect::<Vec<_>>())
            .sum()
    };
    // From a choice on, two activations; within one, the next.
    let enough = if matches!(top(start), Some(Procedure::Activation(_))) { 1 } else { 2 };
    spent(start).saturating_sub(spent(now)) >= enough
}

/// How far east of the Bug German control reaches on average, in hexes.
pub(crate) fn front(rules: &Bug, state: &State) -> f64 {
    let east: Vec<Hex> = rules.land().iter().filter(|hex| !rules.west_bank().contains(*hex)).collect();
    let taken = east.iter().filter(|hex| state.holder(**hex) == Side::Axis).count();
    let rows = rules.map().grid().rows().max(1);
    taken as f64 / rows as f64
}
