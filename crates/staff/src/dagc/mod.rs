//! Destruction of Army Group Center.
//!
//! [`picture`] knows the ground, [`worth`] judges a position, [`attack`] finds the attack that promises most, [`march`]
//! says where to move, [`small`] answers everything else.

use board::Hex;
use dagc::{Action, Combat, Dagc, Deployment, Movement, Moving, Procedure, Reinforcement, State};
use engine::{BySide, Dice, Lexicon, Seed, Side, Span, Text, UnitId};

use crate::doctrine::{Doctrine, Ledger, Mind};

mod attack;
mod march;
mod picture;
mod small;
mod weights;
mod worth;

use attack::Assault;
use march::{March, Order, Style};
pub use picture::Picture;
pub use weights::DagcWeights;

/// What a side means to do.
#[derive(Clone, PartialEq)]
pub enum Plan {
    /// Nothing in particular: every question for itself.
    Small,
    /// Moves.
    March(Campaign),
    /// An attack, or none.
    Fight(Battle),
}

/// The orders of a movement phase.
#[derive(Clone)]
pub struct Campaign {
    style: &'static str,
    orders: Vec<Order>,
}

/// Whatever the style and the intention, the same moves are the same campaign.
impl PartialEq for Campaign {
    fn eq(&self, other: &Campaign) -> bool {
        let moves = |campaign: &Campaign| {
            campaign.orders.iter().map(|order| (order.unit, order.to)).collect::<Vec<_>>()
        };
        moves(self) == moves(other)
    }
}

/// The next attack of a combat phase.
#[derive(Clone, PartialEq)]
pub struct Battle {
    assault: Option<Assault>,
    begun: bool,
}

impl Doctrine for Dagc {
    type Weights = DagcWeights;
    type Picture = Picture;
    type Plan = Plan;

    const FEATURES: &'static [&'static str] = worth::FEATURES;

    fn picture(&self, start: &State) -> Picture {
        Picture::new(self, start)
    }

    fn period(&self, state: &State) -> u64 {
        let phase = match state.procedures().first() {
            Some(Procedure::Deployment(Deployment { side })) => *side as u64,
            Some(Procedure::Reinforcement(Reinforcement { side })) => 2 + *side as u64,
            Some(Procedure::Combat(Combat { side, after })) => 4 + 2 * u64::from(*after) + *side as u64,
            Some(Procedure::Movement(Movement { side })) => 8 + *side as u64,
            Some(Procedure::Interdiction(_)) => 10,
            _ => 11,
        };
        u64::from(state.turn()) * 16 + phase
    }

    fn instinct(
        mind: Mind<'_, Self>,
        state: &State,
        side: Side,
        answers: &[Action],
        luck: &mut Dice,
    ) -> Action {
        small::answer(mind, state, side, answers, luck)
    }

    fn plan(mind: Mind<'_, Self>, state: &State, side: Side, _: &mut Dice) -> Plan {
        match state.procedures().first() {
            Some(Procedure::Movement(phase)) if phase.side == side => {
                march_plan(mind, state, side, &Style::plain(mind))
            }
            Some(Procedure::Combat(phase)) if phase.side == side => {
                let best = attack::assaults(mind, state, side).into_iter().next();
                fight_plan(mind, best)
            }
            _ => Plan::Small,
        }
    }

    fn follow(
        mind: Mind<'_, Self>,
        state: &State,
        side: Side,
        plan: &mut Plan,
        answers: &[Action],
    ) -> Option<Action> {
        let planned = match plan {
            Plan::Small => Next::Small,
            Plan::March(campaign) => next_move(state, campaign, answers),
            Plan::Fight(battle) => next_blow(mind, state, battle, answers),
        };
        match planned {
            Next::Do(action) => Some(action),
            Next::Replan => None,
            Next::Small => {
                let mut luck = Dice::seeded(&Seed(String::new()));
                Some(small::answer(mind, state, side, answers, &mut luck))
            }
        }
    }

    fn alternatives(mind: Mind<'_, Self>, state: &State, side: Side, luck: &mut Dice) -> Vec<Plan> {
        match state.procedures() {
            [Procedure::Movement(phase)] if phase.side == side => marches(mind, state, side, luck),
            [Procedure::Combat(phase)] if phase.side == side => {
                let assaults = attack::assaults(mind, state, side);
                let best = assaults.first().cloned();
                let others = assaults.into_iter().skip(1).take(3);
                let gambles = Self::worth(mind, state, side) < DESPERATE;
                let others =
                    others.filter(|assault| assault.promise > -0.3 && (gambles || !assault.is_rash()));
                let fight = |assault| Plan::Fight(Battle { assault, begun: false });
                let mut plans = vec![fight_plan(mind, best)];
                plans.extend(others.map(|assault| fight(Some(assault))));
                if !plans.contains(&fight(None)) {
                    plans.push(fight(None));
                }
                plans
            }
            _ => vec![Self::plan(mind, state, side, luck)],
        }
    }

    /// A phase has one march, but many attacks, and which of them comes first matters little.
    fn importance(&self, state: &State) -> f64 {
        if matches!(state.procedures().first(), Some(Procedure::Movement(_))) { 0.8 } else { 0.2 }
    }

    /// Sooner, a march shows too little of what comes of it.
    fn is_played_out(&self, start: &State, now: &State) -> bool {
        now.turn() >= start.turn() + HORIZON
    }

    fn features(mind: Mind<'_, Self>, state: &State) -> Vec<f64> {
        worth::features(mind, state)
    }

    fn worth(mind: Mind<'_, Self>, state: &State, side: Side) -> f64 {
        worth::worth(mind, state, side)
    }

    fn explain(mind: Mind<'_, Self>, state: &State, plan: &Plan) -> Vec<Text> {
        match plan {
            Plan::Small => Vec::new(),
            Plan::March(campaign) => explain_march(mind, state, campaign),
            Plan::Fight(Battle { assault: Some(assault), .. }) => vec![explain_assault(mind, assault)],
            Plan::Fight(Battle { assault: None, .. }) => vec![Text::plain("No attack promises enough.")],
        }
    }

    fn ledger(&self, picture: &Picture, state: &State) -> Ledger {
        let steps = |side: Side| -> i32 {
            let own = worth::units(self).filter(|unit| self.side(*unit) == side);
            own.filter(|unit| !state.is_dead(*unit)).map(|unit| i32::from(state.steps_of(unit))).sum()
        };
        let lost = |side: Side| picture.steps[side] - steps(side);
        let places = self.scoring_places();
        let soviet = places.iter().filter(|(hex, _)| state.soviet_hexes().contains(*hex)).count() as i32;
        let taken = state.soviet_hexes().iter().filter(|hex| !self.soviet_at_start().contains(*hex));
        let depths: Vec<u32> = taken.map(|hex| picture.depth[self.map().index(hex)]).collect();
        Ledger {
            losses: BySide { axis: lost(Side::Axis), soviet: lost(Side::Soviet) },
            places: BySide { axis: places.len() as i32 - soviet, soviet },
            points: BySide { axis: 0, soviet: self.soviet_points(state).0 },
            front: f64::from(depths.iter().sum::<u32>()) / depths.len().max(1) as f64,
        }
    }
}

fn march_plan(mind: Mind<'_, Dagc>, state: &State, side: Side, style: &Style) -> Plan {
    Plan::March(Campaign { style: style.name, orders: March::new(mind, state, side, style).orders() })
}

/// The best attack if it promises enough, or none.
fn fight_plan(mind: Mind<'_, Dagc>, best: Option<Assault>) -> Plan {
    let assault = best.filter(|assault| assault.promise > mind.weights.attack);
    Plan::Fight(Battle { assault, begun: false })
}

/// Whose chances are worse than this has little to lose by a rash attack.
const DESPERATE: f64 = 0.25;

/// How many turns ahead a general looks.
const HORIZON: u8 = 3;

/// How many marches a general compares.
const MARCHES: usize = 16;

/// Different marches, the plain one first.
fn marches(mind: Mind<'_, Dagc>, state: &State, side: Side, luck: &mut Dice) -> Vec<Plan> {
    let mut marches: Vec<Plan> = vec![march_plan(mind, state, side, &Style::plain(mind))];
    // Where there is little to move, most styles come to the same.
    for _ in 0..2 * MARCHES {
        if marches.len() == MARCHES {
            break;
        }
        let another = march_plan(mind, state, side, &Style::drawn(mind, side, luck));
        if !marches.contains(&another) {
            marches.push(another);
        }
    }
    marches
}

/// What a plan asks for next.
enum Next {
    Do(Action),
    /// A new plan is wanted.
    Replan,
    /// Not a matter of the plan.
    Small,
}

/// The next step of a movement phase.
fn next_move(state: &State, campaign: &Campaign, answers: &[Action]) -> Next {
    match state.procedures().last() {
        Some(Procedure::Movement(_)) => {
            let next = campaign.orders.iter().find(|order| {
                state.hex(order.unit) != Some(order.to)
                    && answers.contains(&Action::Move { unit: order.unit })
            });
            Next::Do(next.map_or(Action::End, |order| Action::Move { unit: order.unit }))
        }
        Some(Procedure::Moving(Moving { unit, .. })) => {
            let Some(order) = campaign.orders.iter().find(|order| order.unit == *unit) else {
                return Next::Small;
            };
            let go = Action::Go { hex: order.to };
            if state.hex(*unit) == Some(order.to) {
                Next::Do(Action::Stop)
            } else if answers.contains(&go) {
                Next::Do(go)
            } else {
                // The way is closed, or the die was low.
                Next::Replan
            }
        }
        _ => Next::Small,
    }
}

/// The next step of an attack.
fn next_blow(mind: Mind<'_, Dagc>, state: &State, battle: &mut Battle, answers: &[Action]) -> Next {
    match (state.procedures().last(), &battle.assault) {
        (Some(Procedure::Combat(_)), _) if battle.begun => Next::Replan,
        (Some(Procedure::Combat(_)), Some(assault)) => {
            battle.begun = true;
            let first = assault.attackers.first();
            first.map_or(Next::Replan, |unit| Next::Do(Action::Name { unit: *unit, hex: assault.target }))
        }
        (Some(Procedure::Combat(_)), None) if answers.contains(&Action::End) => Next::Do(Action::End),
        (Some(Procedure::Attack(_)), Some(assault)) => {
            let mut join = assault.attackers.iter().map(|unit| Action::Join { unit: *unit });
            let next = join.find(|action| answers.contains(action));
            // Whoever must attack on turn 1 comes along.
            let forced = || answers.first().copied();
            let declare = Some(Action::Declare).filter(|action| answers.contains(action));
            next.or(declare).or_else(forced).map_or(Next::Small, Next::Do)
        }
        (Some(Procedure::Supporting(_)), Some(assault)) if assault.supported => {
            let air = answers.iter().find(|answer| matches!(answer, Action::Air { .. }));
            air.map_or(Next::Small, |action| Next::Do(*action))
        }
        (Some(Procedure::Supporting(_)), Some(assault)) if is_soviet(mind, assault) => {
            Next::Do(Action::Unsupported)
        }
        _ => Next::Small,
    }
}

fn is_soviet(mind: Mind<'_, Dagc>, assault: &Assault) -> bool {
    assault.attackers.first().is_some_and(|unit| mind.rules.side(*unit) == Side::Soviet)
}

fn explain_march(mind: Mind<'_, Dagc>, state: &State, campaign: &Campaign) -> Vec<Text> {
    let (rules, map) = (mind.rules, mind.rules.map());
    let mut goals: Vec<(&str, usize)> = Vec::new();
    let moved = campaign.orders.iter().filter(|order| state.hex(order.unit) != Some(order.to));
    for order in moved.clone() {
        let goer = mind.picture.goers[order.unit.index()];
        if let Some(goal) = worth::nearest(mind, goer, map.index(order.to)) {
            match goals.iter_mut().find(|(name, _)| *name == goal) {
                Some((_, count)) => *count += 1,
                None => goals.push((goal, 1)),
            }
        }
    }
    goals.sort_by_key(|(_, count)| usize::MAX - count);
    let axis: Vec<String> =
        goals.iter().take(3).map(|(name, count)| format!("{name} ({})", units(*count))).collect();
    let article = if campaign.style.starts_with(['a', 'e', 'i', 'o', 'u']) { "An" } else { "A" };
    let mut said = vec![Text::plain(match moved.count() {
        0 => "Everybody stays where he is.".to_owned(),
        count => {
            format!("{article} {} march of {} towards {}.", campaign.style, units(count), axis.join(", "))
        }
    })];
    let mut targets: Vec<Hex> = campaign.orders.iter().filter_map(|order| order.target).collect();
    targets.sort();
    targets.dedup();
    for target in targets.iter().take(4) {
        let against = campaign.orders.iter().filter(|order| order.target == Some(*target));
        let mut blow = named(rules, against.map(|order| order.unit));
        blow.append(Text::of([" to attack ".into(), Span::Hex(map.label(*target)), ".".into()]));
        said.push(blow);
    }
    said
}

/// Units by their names.
fn named(rules: &Dagc, units: impl Iterator<Item = UnitId>) -> Text {
    let names: Vec<Span> = units.map(|unit| Span::Unit(rules.roster().name(unit).to_owned())).collect();
    let mut text = Text::default();
    engine::text::listed(names.into_iter(), &mut text);
    text
}

fn explain_assault(mind: Mind<'_, Dagc>, assault: &Assault) -> Text {
    let results: Vec<&str> = assault.chances.results.iter().map(|result| result.as_str()).collect();
    let support = if assault.supported { " with air support" } else { "" };
    // Nobody wants to read of -0.0 points.
    let promise = (assault.promise * 10.0).round() / 10.0 + 0.0;
    let mut said = named(mind.rules, assault.attackers.iter().copied());
    said.words(if assault.attackers.len() == 1 { " attacks " } else { " attack " });
    said.push(Span::Hex(mind.rules.map().label(assault.target)));
    said.words(format!(
        "{support} in column {} ({}); it promises {promise:.1} points.",
        mind.rules.heading_of(assault.chances.column),
        results.join(" ")
    ));
    said
}

fn units(count: usize) -> String {
    if count == 1 { "1 unit".to_owned() } else { format!("{count} units") }
}
