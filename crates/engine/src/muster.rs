//! Putting something together: an attack is named, joined, left, cancelled, and at last declared, in every rulebook alike.
//!
//! Until it is declared nothing is told, shown or rolled, and everything can be changed; odds can be asked on the way.
//! A whole attack has one line of notation, `attack a,b 1203`, which stands for its steps: `name a 1203`, `join b`,
//! `declare`. What follows the hex belongs to the declaration: `attack a,b 1203 prepared`.

use crate::frame::{Frames, Holds};
use crate::{Case, Dice, Form, Phrase, Play, Remark, Rulebook, UnitId, Violation};

/// A step in which something is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A unit takes part.
    Join(UnitId),
    /// It does not any more.
    Leave(UnitId),
    /// Nothing comes of it.
    Cancel,
}

/// What a form of actions does to what is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Begins it with one unit.
    Name,
    /// A unit takes part.
    Join,
    /// It does not any more.
    Leave,
    /// Nothing comes of it.
    Cancel,
    /// It is done.
    Declare,
}

/// What a form is to a whole: these names mean the same in every rulebook, as the notation of a whole does.
pub fn part(form: &Form) -> Option<Part> {
    match form.name {
        "name" => Some(Part::Name),
        "join" => Some(Part::Join),
        "leave" => Some(Part::Leave),
        "cancel" => Some(Part::Cancel),
        "declare" => Some(Part::Declare),
        _ => None,
    }
}

/// Actions of which some put things together.
pub trait Musters: Sized {
    /// The action of a step.
    fn of_step(step: Step) -> Self;
    /// The step of an action, if it is one.
    fn step(&self) -> Option<Step>;
}

/// Says that the actions of a rulebook put things together with its variants `Join { unit }`, `Leave { unit }` and `Cancel`:
/// `musters!(Action);`.
#[macro_export]
macro_rules! musters {
    ($Action:ident) => {
        impl $crate::muster::Musters for $Action {
            fn of_step(step: $crate::muster::Step) -> Self {
                match step {
                    $crate::muster::Step::Join(unit) => $Action::Join { unit },
                    $crate::muster::Step::Leave(unit) => $Action::Leave { unit },
                    $crate::muster::Step::Cancel => $Action::Cancel,
                }
            }
            fn step(&self) -> Option<$crate::muster::Step> {
                match *self {
                    $Action::Join { unit } => Some($crate::muster::Step::Join(unit)),
                    $Action::Leave { unit } => Some($crate::muster::Step::Leave(unit)),
                    $Action::Cancel => Some($crate::muster::Step::Cancel),
                    _ => None,
                }
            }
        }
    };
}

/// A frame in which something is put together.
pub trait Muster<R: Rulebook>: Sized
where
    R::Action: Musters,
    R::Frame: Holds<Self>,
{
    /// The cases by which a unit takes part once, and by which one of several may leave.
    const CASES: [Case; 2];

    /// Who takes part so far, in the order of the roster.
    fn members(&self) -> Vec<UnitId>;

    /// Who could be asked for: whoever of them may join, joins.
    fn candidates(&self, rules: &R, state: &R::State) -> Vec<UnitId>;

    /// Whether a unit that takes no part may join.
    fn check_join(&self, rules: &R, state: &R::State, unit: UnitId) -> Result<(), Violation>;

    /// Adds a unit or takes it out.
    fn set(&mut self, unit: UnitId, joins: bool);
}

/// Adds the answers that put things together: join, leave, cancel.
pub fn answers<R, M>(muster: &M, rules: &R, state: &R::State, answers: &mut Vec<R::Action>)
where
    R: Rulebook,
    R::Action: Musters,
    R::Frame: Holds<M>,
    M: Muster<R>,
{
    let members = muster.members();
    let more = muster.candidates(rules, state).into_iter().filter(|unit| !members.contains(unit));
    let more = more.filter(|unit| muster.check_join(rules, state, *unit).is_ok());
    answers.extend(more.map(|unit| R::Action::of_step(Step::Join(unit))));
    // The last one does not leave: that is to cancel.
    if members.len() > 1 {
        answers.extend(members.into_iter().map(|unit| R::Action::of_step(Step::Leave(unit))));
    }
    answers.push(R::Action::of_step(Step::Cancel));
}

/// Whether a step is allowed.
pub fn check<R, M>(muster: &M, rules: &R, state: &R::State, step: Step) -> Result<(), Violation>
where
    R: Rulebook,
    R::Action: Musters,
    R::Frame: Holds<M>,
    M: Muster<R>,
{
    let members = muster.members();
    match step {
        Step::Join(unit) if members.contains(&unit) => {
            Err(Remark::new(M::CASES[0], "{} takes part already", [unit.into()]))
        }
        Step::Join(unit) => muster.check_join(rules, state, unit),
        Step::Leave(unit) if !members.contains(&unit) || members.len() == 1 => {
            Err(Remark::new(M::CASES[1], "{} is not one of several that take part", [unit.into()]))
        }
        Step::Leave(_) | Step::Cancel => Ok(()),
    }
}

/// Carries out a step.
pub fn apply<R, M>(state: &mut R::State, step: Step, _play: &mut Play<R::Event>)
where
    R: Rulebook,
    R::Action: Musters,
    R::Frame: Holds<M>,
    M: Muster<R>,
{
    let stack = R::stack_mut(state);
    let mut set = |unit, joins| {
        if let Some(muster) = stack.top_mut().and_then(Holds::held_mut) {
            M::set(muster, unit, joins);
        }
    };
    match step {
        Step::Join(unit) => set(unit, true),
        Step::Leave(unit) => set(unit, false),
        Step::Cancel => stack.pop_top(),
    }
}

/// Puts another whole in place of the one on top of the stack, any that could have been begun there and joined by lot: what
/// is not declared yet is hidden from the enemy, who may imagine this ([`Sight::imagine`](crate::Sight::imagine)).
pub fn imagine<R>(rules: &R, state: &mut R::State, dice: &mut Dice)
where
    R: Rulebook,
    R::Action: Musters,
{
    let mut anew = state.clone();
    R::stack_mut(&mut anew).pop_top();
    let mut answers = Vec::new();
    rules.answers(&anew, &mut answers);
    answers.retain(|action| part(action.form()) == Some(Part::Name));
    // A lot is drawn of something only.
    let Some(lots) = u32::try_from(answers.len()).ok().filter(|lots| *lots > 0) else { return };
    let mut play = Play::new(Dice::told([]));
    rules.apply(&mut anew, answers[dice.roll(lots) as usize - 1], &mut play);
    answers.clear();
    rules.answers(&anew, &mut answers);
    for join in answers.into_iter().filter(|action| matches!(action.step(), Some(Step::Join(_)))) {
        if dice.roll(2) == 1 && rules.check(&anew, join).is_ok() {
            rules.apply(&mut anew, join, &mut play);
        }
    }
    *state = anew;
}

/// The word that begins the notation of a whole.
const WHOLE: &str = "attack";

/// The lines that a line of notation stands for: the steps of a whole attack, or the line itself.
pub fn expand(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [WHOLE, units, hex, kind @ ..] = &words[..] else { return vec![line.to_owned()] };
    let mut units = units.split(',');
    let first = units.next().unwrap_or_default();
    let mut lines = vec![format!("name {first} {hex}")];
    lines.extend(units.map(|unit| format!("join {unit}")));
    lines.push([&["declare"], kind].concat().join(" "));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_attack_stands_for_its_steps() {
        assert_eq!(expand("attack a,b 1203"), ["name a 1203", "join b", "declare"]);
        assert_eq!(expand("attack a 1203 prepared"), ["name a 1203", "declare prepared"]);
        assert_eq!(expand("attack"), ["attack"]);
        assert_eq!(expand("end"), ["end"]);
    }
}
