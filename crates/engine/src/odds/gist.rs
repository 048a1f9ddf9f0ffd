//! What people want to know of an attack first: the chance to take the hex, and what it costs both sides.
//!
//! After the dice the other side often has a choice: to give way or to stand and lose more. Nobody knows which, so both are told.
//! A side that gives way retreats wherever it may, one that stands loses what it may; the attacker advances.

use super::{NoOdds, Weighing};
use crate::muster::{self, Part};
use crate::{Asked, BySide, Phrase, Role, Rulebook, Side, View, Viewer};

/// The most decisions that are followed after the dice.
const LONGEST: usize = 80;

/// What may come of an attack, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// The chance that the enemy is gone from a hex that he held.
    pub taken: f64,
    /// The steps that each side loses.
    pub lost: BySide<f64>,
}

impl Balance {
    fn add(&mut self, other: &Balance, chance: f64) {
        self.taken += other.taken * chance;
        for side in Side::BOTH {
            self.lost[side] += other.lost[side] * chance;
        }
    }
}

/// What may come of an attack, by what the enemy does where he has a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gist {
    /// Where he gives way.
    pub gives_way: Balance,
    /// Where he stands.
    pub stands: Balance,
}

impl Gist {
    /// How good it is for the attacker: to put what may come from good to bad.
    pub fn worth_to(&self, attacker: Side) -> f64 {
        let worth =
            |balance: &Balance| balance.taken * 2.0 + balance.lost[attacker.enemy()] - balance.lost[attacker];
        worth(&self.gives_way) + worth(&self.stands)
    }
}

/// What the enemy does where he has a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Conduct {
    GivesWay,
    Stands,
}

/// The gist of everything that was told, and of all together. `first` is the first action of the commitment.
pub(crate) type Gists<E> = (Vec<(Vec<E>, f64, Gist)>, Gist);

/// What comes of a commitment after its dice; nothing when nobody can lose anything by it, or when there are too many ways.
pub(crate) fn gists<R: Rulebook>(
    rules: &R,
    start: &R::State,
    first: Option<R::Action>,
    weighing: &Weighing<'_, R>,
) -> Option<Gists<R::Event>> {
    let Asked::Decision { side: attacker, .. } = rules.asked(start) else { return None };
    if !weighing.has_rolled() || weighing.has_broken_off() {
        return None;
    }
    let scene = Scene { rules, attacker, floor: floor::<R>(start, first), before: Count::of(rules, start) };
    let mut ways: Vec<(Vec<R::Event>, f64, Gist)> = Vec::new();
    let mut all = Gist::default();
    for conduct in [Conduct::GivesWay, Conduct::Stands] {
        let settled = scene.settle(weighing, conduct).ok()?;
        for (state, events, chance) in settled.stories() {
            let balance = scene.balance(state);
            let place = ways.iter().position(|(told, ..)| *told == events).unwrap_or_else(|| {
                ways.push((events, 0.0, Gist::default()));
                ways.len() - 1
            });
            let (_, weight, gist) = &mut ways[place];
            match conduct {
                Conduct::GivesWay => {
                    *weight += chance;
                    gist.gives_way.add(&balance, chance);
                    all.gives_way.add(&balance, chance);
                }
                Conduct::Stands => {
                    gist.stands.add(&balance, chance);
                    all.stands.add(&balance, chance);
                }
            }
        }
    }
    (all != Gist::default()).then_some((ways, all))
}

/// The mean of some of what was told; nothing when there is none of it.
pub(crate) fn mean<'a, E: 'a>(told: impl Iterator<Item = &'a (Vec<E>, f64, Gist)>) -> Option<Gist> {
    let (mut sum, mut weight) = (Gist::default(), 0.0);
    for (_, chance, gist) in told {
        weight += chance;
        sum.gives_way.add(&gist.gives_way, 1.0);
        sum.stands.add(&gist.stands, 1.0);
    }
    (weight > 0.0).then(|| {
        let mut mean = Gist::default();
        mean.gives_way.add(&sum.gives_way, 1.0 / weight);
        mean.stands.add(&sum.stands, 1.0 / weight);
        mean
    })
}

/// How many procedures are under way when the attack is over, where its first action tells that.
fn floor<R: Rulebook>(start: &R::State, first: Option<R::Action>) -> usize {
    let under_way = crate::Frames::frames(R::stack(start)).len();
    match first.and_then(|action| muster::part(action.form())) {
        Some(Part::Name) => under_way,
        Some(_) => under_way.saturating_sub(1),
        None => 0,
    }
}

struct Scene<'a, R: Rulebook> {
    rules: &'a R,
    attacker: Side,
    floor: usize,
    before: Count,
}

impl<R: Rulebook> Scene<'_, R> {
    /// Follows a weighing until the attack is over.
    fn settle<'w>(&self, weighing: &Weighing<'w, R>, conduct: Conduct) -> Result<Weighing<'w, R>, NoOdds> {
        let mut settled = weighing.fork();
        for _ in 0..LONGEST {
            if !settled.follow(|state| self.next(state, conduct))? {
                break;
            }
        }
        Ok(settled)
    }

    /// What is answered on the way; nothing when the attack is over.
    fn next(&self, state: &R::State, conduct: Conduct) -> Option<R::Action> {
        if crate::Frames::frames(R::stack(state)).len() <= self.floor {
            return None;
        }
        let Asked::Decision { side, .. } = self.rules.asked(state) else { return None };
        let mut answers = Vec::new();
        self.rules.answers(state, &mut answers);
        let between_attacks = |action: &R::Action| {
            action.form().role == Role::EndPhase || muster::part(action.form()) == Some(Part::Name)
        };
        if answers.iter().any(between_attacks) {
            return None;
        }
        let liked = match conduct {
            _ if side == self.attacker => Role::Advance,
            Conduct::GivesWay => Role::Retreat,
            Conduct::Stands => Role::Loss,
        };
        let of = |role: Role| answers.iter().find(|action| action.form().role == role);
        let any = || answers.iter().find(|action| action.form().role != Role::TakeBack);
        of(liked).or_else(|| of(Role::Finish)).or_else(any).copied()
    }

    fn balance(&self, state: &R::State) -> Balance {
        let after = Count::of(self.rules, state);
        let enemy = self.attacker.enemy();
        let taken = self.before.held[enemy].iter().any(|hex| !after.held[enemy].contains(hex));
        let lost = |side: Side| f64::from(self.before.steps[side].saturating_sub(after.steps[side]));
        Balance { taken: f64::from(u8::from(taken)), lost: BySide::new_with(lost) }
    }
}

/// What is on the map.
struct Count {
    held: BySide<Vec<String>>,
    steps: BySide<u32>,
}

impl Count {
    fn of<R: Rulebook>(rules: &R, state: &R::State) -> Count {
        let View { stacks, .. } = rules.view(state, Viewer::Referee);
        let mut count = Count { held: BySide::default(), steps: BySide::default() };
        for stack in stacks {
            for piece in &stack.pieces {
                count.steps[piece.side] += piece.front.as_ref().map_or(0, |front| u32::from(front.steps));
                if count.held[piece.side].last() != Some(&stack.hex) {
                    count.held[piece.side].push(stack.hex.clone());
                }
            }
        }
        count
    }
}
