//! One opponent in one game.

use std::sync::Arc;
use std::time::Instant;

use engine::{BySide, Data, Dice, Seed, Side, Text};
use source::Faults;

use crate::budget::{Budget, Purse, Signals};
use crate::doctrine::choices;
use crate::search::{self, Verdict};
use crate::{Doctrine, Judgement, Level, Mind, judgement, weights};

/// What all opponents of one game share.
pub struct Staff<D: Doctrine> {
    /// The rules of the game.
    pub rules: Arc<D>,
    /// What was found out about the ground.
    pub picture: Arc<D::Picture>,
    /// The numbers.
    weights: BySide<D::Weights>,
    /// Those that a general of each side thinks with: his own, and everybody's for his enemy.
    generals: BySide<BySide<D::Weights>>,
    /// What counts in the judgement of a position.
    pub judgement: Judgement,
}

impl<D: Doctrine> Staff<D> {
    /// Looks at the ground of a game and reads what opponents think with.
    pub fn new(rules: Arc<D>, start: &D::State, data: &Data) -> Result<Staff<D>, Faults> {
        let picture = Arc::new(rules.picture(start));
        let weights = weights::read::<D::Weights>(data)?;
        let generals = own(&weights, weights::read_generals(data)?);
        Ok(Staff { rules, picture, weights, generals, judgement: judgement::read::<D>(data)? })
    }

    /// The same with other weights.
    pub(crate) fn reweighed(&self, weights: BySide<D::Weights>) -> Staff<D> {
        let (rules, picture) = (self.rules.clone(), self.picture.clone());
        let generals = own(&weights, weights.clone());
        Staff { rules, picture, weights, generals, judgement: self.judgement.clone() }
    }

    /// What a doctrine thinks with in command of a side.
    pub fn mind(&self, side: Side, level: Level) -> Mind<'_, D> {
        let both = if level == Level::General { &self.generals[side] } else { &self.weights };
        Mind {
            rules: &self.rules,
            picture: &self.picture,
            weights: &both[side],
            both,
            judgement: &self.judgement,
        }
    }
}

/// What a general of each side thinks with.
fn own<W: Clone>(weights: &BySide<W>, generals: BySide<W>) -> BySide<BySide<W>> {
    BySide {
        axis: BySide { axis: generals.axis, soviet: weights.soviet.clone() },
        soviet: BySide { axis: weights.axis.clone(), soviet: generals.soviet },
    }
}

/// An opponent that plays one side.
pub struct Commander<D: Doctrine> {
    staff: Arc<Staff<D>>,
    side: Side,
    level: Level,
    budget: Budget,
    seed: String,
    /// The plan of this period.
    plan: Option<(u64, D::Plan)>,
    /// What is left to think with in this phase.
    purse: Option<((usize, u64), Purse)>,
    why: Why<D>,
}

/// A copy goes on as the original would, from the same plan and with the same luck.
impl<D: Doctrine> Clone for Commander<D> {
    fn clone(&self) -> Self {
        Commander {
            staff: self.staff.clone(),
            side: self.side,
            level: self.level,
            budget: self.budget,
            seed: self.seed.clone(),
            plan: self.plan.clone(),
            purse: self.purse,
            why: self.why.clone(),
        }
    }
}

/// Why it does what it does: nobody may ever ask an officer.
enum Why<D: Doctrine> {
    /// What an officer planned, and when.
    Planned(Box<(D::State, D::Plan)>),
    /// What a general found.
    Found(Vec<Text>),
}

impl<D: Doctrine> Clone for Why<D> {
    fn clone(&self) -> Self {
        match self {
            Why::Planned(planned) => Why::Planned(planned.clone()),
            Why::Found(why) => Why::Found(why.clone()),
        }
    }
}

impl<D: Doctrine> Commander<D> {
    /// Takes command of a side.
    pub fn new(staff: Arc<Staff<D>>, side: Side, level: Level, budget: Budget, seed: &Seed) -> Commander<D> {
        let seed = luck_of(seed, side, level);
        Commander { staff, side, level, budget, seed, plan: None, purse: None, why: Why::Found(Vec::new()) }
    }

    /// Takes command of the same side in another game from the same start.
    pub fn anew(&self, seed: &Seed) -> Commander<D> {
        Commander::new(self.staff.clone(), self.side, self.level, self.budget, seed)
    }

    /// Gives it other luck from now on; the plan that it follows stays.
    pub fn reseed(&mut self, seed: &Seed) {
        self.seed = luck_of(seed, self.side, self.level);
    }

    /// Why it does what it does: sentences about the plan it follows.
    pub fn why(&self) -> Vec<Text> {
        match &self.why {
            Why::Planned(planned) => {
                D::explain(self.staff.mind(self.side, self.level), &planned.0, &planned.1)
            }
            Why::Found(why) => why.clone(),
        }
    }

    /// Answers the question that `state` asks of its side. The same state, seed, number of decision and nodes give the same
    /// answer. The state is the true one; only what the side sees of it is used.
    pub fn decide(&mut self, truth: &D::State, decision: usize, signals: &Signals) -> Option<D::Action> {
        let staff = self.staff.clone();
        let mind = staff.mind(self.side, self.level);
        let mut answers = Vec::new();
        choices(mind.rules, truth, &mut answers);
        if answers.len() < 2 {
            return answers.pop();
        }
        let mut luck = Dice::seeded(&Seed(format!("{} {decision}", self.seed)));
        if self.level == Level::Random {
            return Some(answers[luck.roll(answers.len() as u32) as usize - 1]);
        }
        let state = &mind.rules.imagine(truth, self.side, &mut luck);
        // What is open to a side never depends on what it cannot see, so the true answers serve for the imagined state.
        if self.level == Level::Recruit {
            return Some(D::instinct(mind, state, self.side, &answers, &mut luck));
        }
        self.planned(mind, state, &answers, &mut luck, signals)
            .or_else(|| Some(D::instinct(mind, state, self.side, &answers, &mut luck)))
            .filter(|answer| answers.contains(answer))
            .or_else(|| answers.first().copied())
    }

    /// The answer of the plan; when it has none, of a new one.
    fn planned(
        &mut self,
        mind: Mind<'_, D>,
        state: &D::State,
        answers: &[D::Action],
        luck: &mut Dice,
        signals: &Signals,
    ) -> Option<D::Action> {
        let period = mind.rules.period(state);
        if let Some((of, plan)) = &mut self.plan
            && *of == period
            && let Some(answer) = D::follow(mind, state, self.side, plan, answers)
            && answers.contains(&answer)
        {
            return Some(answer);
        }
        let mut plan = match self.level {
            Level::General => self.search(mind, state, luck, signals),
            _ => {
                let plan = D::plan(mind, state, self.side, luck);
                self.why = Why::Planned(Box::new((state.clone(), plan.clone())));
                plan
            }
        };
        let answer = D::follow(mind, state, self.side, &mut plan, answers);
        self.plan = Some((period, plan));
        answer
    }

    fn search(&mut self, mind: Mind<'_, D>, state: &D::State, luck: &mut Dice, signals: &Signals) -> D::Plan {
        let phase = (mind.rules.phase(state).unwrap_or(usize::MAX), mind.rules.period(state));
        let mut purse = match self.purse {
            Some((of, purse)) if of == phase => purse,
            _ => Purse::full(&self.budget),
        };
        let began = Instant::now();
        // A phase may ask for several plans, the first being the most important one.
        let Verdict { plan, nodes, why } = search::best_plan(
            mind,
            state,
            self.side,
            &purse.share(mind.rules.importance(state)),
            luck,
            signals,
        );
        purse.pay(began.elapsed(), nodes);
        self.purse = Some((phase, purse));
        self.why = Why::Found(why);
        plan
    }
}

/// Opponents of the same seed have luck of their own.
fn luck_of(seed: &Seed, side: Side, level: Level) -> String {
    format!("{seed} {} {level}", side.word())
}
