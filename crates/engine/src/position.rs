//! A position without its types: everything that can be asked of a game at one moment, without changing it.

mod click;

use std::any::Any;
use std::sync::Arc;

use crate::display::{Cost, Counter, Leg, Phase, Route, Score, Turn};
use crate::odds::{Memory, Weighing};
use crate::shelf::{
    Answer, Explanation, Happening, Prospect, Question, Refusal, answer_of, happenings, prospect,
};
use crate::{
    Asked, Boundary, Dice, Lexicon, Outcome, Phrase, Play, Proof, Remark, Role, Rulebook, Seed, Side,
    Telling, Text, UnitId, View, Viewer, muster, odds, situation,
};

/// How many answers may complete a commitment.
const LONGEST_COMPLETION: usize = 16;

/// How many steps are followed through the dice to find what is asked after all of them.
const MOST_STEPS: usize = 2_000;

/// A position as the shelf knows it. Hexes and units go by their names.
pub trait AnyPosition: Send + Sync {
    /// The position with its types, for [`typed`].
    fn as_any(&self) -> &dyn Any;
    /// What is asked.
    fn question(&self) -> Question;
    /// Every legal answer for people.
    fn actions(&self) -> Vec<Answer>;
    /// Every legal answer for programs: the place of its form among the rulebook's, and its words.
    fn answers(&self) -> Vec<(usize, Vec<String>)>;
    /// An action as a sentence.
    fn sentence(&self, line: &str) -> Result<Text, Refusal>;
    /// Whether an action is allowed.
    fn check(&self, line: &str) -> Result<(), Refusal>;
    /// The answers without arguments that could be given now if a rule did not forbid them: the place of the form, and why not.
    fn barred(&self) -> Vec<(usize, Refusal)>;
    /// What could be done with a unit, a hex, or a unit and a hex: every action that they make, with why it is not allowed. What
    /// is allowed comes first, then what has most to do with both of them; there is always an answer.
    fn why(&self, unit: Option<&str>, hex: Option<&str>, viewer: Viewer) -> Vec<Verdict>;
    /// The units that could be picked now, and all of whose answers lead nowhere: whoever begins to move can go to no hex.
    fn stuck(&self, viewer: Viewer) -> Vec<String>;
    /// How it stands against what is needed to win.
    fn score(&self) -> Vec<Score>;
    /// What comes after an action; refused when a die decides or when the viewer could learn something hidden.
    fn after(&self, line: &str, viewer: Viewer) -> Result<Foreseen, Refusal>;
    /// What a commitment leads to.
    fn odds(&self, lines: &[String], viewer: Viewer) -> Result<Prospect, Refusal>;
    /// A commitment with the finishing answers that lead to the first die, and those that let it stand, as far as they are
    /// the viewer's to give.
    fn completed(&self, lines: &[String], viewer: Viewer) -> Vec<String>;
    /// The way that an answer takes a unit: its path and its costs.
    fn route(&self, line: &str) -> Result<Option<Path>, Refusal>;
    /// The ways of all answers; only those of one unit, when it is named first in an answer.
    fn routes(&self, unit: Option<&str>) -> Vec<Path>;
    /// What can be proved of a unit that the viewer sees.
    fn explain(&self, unit: &str, viewer: Viewer) -> Result<Vec<Explanation>, Refusal>;
    /// What the enemy could do to a hex if he attacked it now with all he has there.
    fn threat(&self, hex: &str, viewer: Viewer) -> Result<Prospect, Refusal>;
    /// Sets of hexes with a meaning.
    fn overlays(&self, viewer: Viewer) -> Vec<HexesOf>;
    /// What there is to say of a hex: case and sentence.
    fn remarks_on(&self, hex: &str, viewer: Viewer) -> Result<Vec<(&'static str, Text)>, Refusal>;
    /// The position as a viewer may suppose it: all that he does not see is dealt anew, and for the same view always in the
    /// same way. Whatever is asked of it, the answer cannot tell what is hidden from him.
    fn as_supposed_by(&self, viewer: Viewer) -> Box<dyn AnyPosition>;
    /// A position that looks the same to a side, with all that it does not see dealt anew by this seed.
    fn imagined_by(&self, side: Side, seed: &Seed) -> Box<dyn AnyPosition>;
    /// What a viewer sees.
    fn view(&self, viewer: Viewer) -> View;
    /// The phase, by its place in [`AnyPosition::phases`].
    fn phase(&self) -> Option<usize>;
    /// The phases of the turn, which may depend on who goes first and what was chosen.
    fn phases(&self) -> Vec<Phase>;
    /// The turns of the game, with what is known of them by now.
    fn turns(&self) -> Vec<TurnFacts>;
    /// Every unit and its counter as it lies on the table.
    fn counters(&self) -> Vec<(String, Counter)>;
    /// The position as a situation file.
    fn situation(&self) -> String;
}

/// Whether an action is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The action in notation; for what opens ways to go, the two actions with a semicolon between.
    pub line: String,
    /// A sentence for it.
    pub text: Text,
    /// Why it is not allowed; nothing when it is.
    pub refusal: Option<Refusal>,
}

/// What comes after an action that was imagined.
pub struct Foreseen {
    /// The position.
    pub position: Box<dyn AnyPosition>,
    /// What the viewer is told on the way.
    pub told: Vec<Happening>,
    /// Why it could not be taken back, if so.
    pub boundary: Option<Boundary>,
}

/// A move hex by hex, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The action in notation.
    pub line: String,
    /// Where it begins.
    pub from: String,
    /// What it costs in all.
    pub cost: String,
    /// What the unit has to spend.
    pub has: String,
    /// The hexes that it enters.
    pub legs: Vec<PathLeg>,
}

/// One hex of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLeg {
    /// The hex entered.
    pub hex: String,
    /// What entering it costs.
    pub cost: String,
    /// What that is made of.
    pub parts: Vec<PathCost>,
}

/// A part of a cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCost {
    /// What for.
    pub what: &'static str,
    /// How much.
    pub cost: String,
    /// The case.
    pub case: &'static str,
}

/// A set of hexes with a meaning, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexesOf {
    /// Its short name.
    pub name: &'static str,
    /// What a legend calls it.
    pub title: &'static str,
    /// The case behind it.
    pub case: &'static str,
    /// Whose it is.
    pub side: Option<Side>,
    /// The labels.
    pub hexes: Vec<String>,
}

/// A turn on the track, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnFacts {
    /// Its dates or name.
    pub title: String,
    /// The units that are due.
    pub arrives: Vec<String>,
    /// What else happens: case and sentence.
    pub notes: Vec<(&'static str, Text)>,
}

/// A state with its rulebook.
pub struct Position<R: Rulebook> {
    /// The rules of the game.
    pub rules: Arc<R>,
    /// The state.
    pub state: R::State,
    /// What tells its data from the built-in ones ([`Data::mark`](crate::Data::mark)).
    pub(crate) data: Option<Arc<str>>,
}

/// A position with its types, if it is one of this rulebook.
pub fn typed<R: Rulebook>(position: &dyn AnyPosition) -> Option<&Position<R>> {
    position.as_any().downcast_ref()
}

impl<R: Rulebook> Position<R> {
    fn parse(&self, line: &str) -> Result<R::Action, Refusal> {
        R::Action::parse(line, &*self.rules).map_err(Refusal::plain)
    }

    /// Reads lines of which each may stand for several actions.
    fn parse_all(&self, lines: &[String]) -> Result<Vec<R::Action>, Refusal> {
        lines.iter().flat_map(|line| muster::expand(line)).map(|line| self.parse(&line)).collect()
    }

    fn all_answers(&self) -> Vec<R::Action> {
        let mut answers = Vec::new();
        self.rules.answers(&self.state, &mut answers);
        answers
    }

    fn label(&self, hex: board::Hex) -> String {
        self.rules.map().label(hex)
    }

    fn told(&self, remark: &Remark) -> (&'static str, Text) {
        (remark.case.0, remark.text(&*self.rules))
    }

    fn path(&self, action: R::Action, route: &Route) -> Path {
        let part = |part: &Cost| PathCost { what: part.what, cost: part.cost.to_string(), case: part.case.0 };
        let leg = |leg: &Leg| PathLeg {
            hex: self.label(leg.hex),
            cost: leg.cost().to_string(),
            parts: leg.parts.iter().map(part).collect(),
        };
        Path {
            line: action.notation(&*self.rules),
            from: self.label(route.from),
            cost: route.cost().to_string(),
            has: route.has.to_string(),
            legs: route.legs.iter().map(leg).collect(),
        }
    }

    /// Whether an action is allowed, if it can be the answer to what is asked at all.
    fn heard(&self, line: &str) -> Option<Result<(), Refusal>> {
        let action = self.parse(line).ok()?;
        match self.rules.check(&self.state, action) {
            Err(violation) if violation == self.rules.not_asked(&self.state, action) => None,
            checked => Some(checked.map_err(|violation| Refusal::rule(&violation, &*self.rules))),
        }
    }

    /// The finishing answers that are asked for after a commitment whichever way its dice fall: to let a roll stand.
    fn finishes_after_dice(&self, lines: &[String], viewer: Viewer) -> Vec<R::Action> {
        let mut finishes = Vec::new();
        let Ok(mut actions) = self.parse_all(lines) else { return finishes };
        let mut weighing =
            Weighing::new(&*self.rules, self.state.clone(), viewer, Memory::Nothing, MOST_STEPS);
        while actions.drain(..).all(|action| weighing.carry_out(action).is_ok())
            && weighing.has_rolled()
            && !weighing.has_broken_off()
            && weighing.is_theirs_still()
            && lines.len() + finishes.len() < LONGEST_COMPLETION
            && let Some(finish) = common_finish(&*self.rules, weighing.states())
        {
            finishes.push(finish);
            actions.push(finish);
        }
        finishes
    }

    /// Refuses what the viewer could learn from by asking.
    fn foresee(&self, state: &R::State, action: R::Action, viewer: Viewer) -> Result<(), Refusal> {
        if odds::is_foreseeable(&*self.rules, state, action, viewer) {
            return Ok(());
        }
        Err(Refusal::plain("this depends on what is hidden: it is known after it"))
    }
}

/// The finishing answer to what is asked in a state.
fn finishing_answer<R: Rulebook>(rules: &R, state: &R::State) -> Option<R::Action> {
    let mut answers = Vec::new();
    rules.answers(state, &mut answers);
    let finishing = answers.into_iter().filter(|action| action.form().role == Role::Finish);
    finishing.min_by_key(R::Action::index)
}

/// A question for people.
pub(crate) fn question(lexicon: &dyn Lexicon, asked: Asked) -> Question {
    match asked {
        Asked::Decision { side, prompt } => Question {
            side: Some(side),
            case: prompt.case.0,
            text: prompt.text(lexicon),
            winner: None,
            points: Default::default(),
        },
        Asked::Over(Outcome { winner, reason, points }) => {
            Question { side: None, case: reason.case.0, text: reason.text(lexicon), winner, points }
        }
    }
}

/// The finishing answer to what is asked in every one of these states.
fn common_finish<'a, R: Rulebook>(
    rules: &R,
    mut states: impl Iterator<Item = &'a R::State>,
) -> Option<R::Action> {
    let first = finishing_answer(rules, states.next()?)?;
    states.all(|state| finishing_answer(rules, state) == Some(first)).then_some(first)
}

impl<R: Rulebook> AnyPosition for Position<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn question(&self) -> Question {
        question(&*self.rules, self.rules.asked(&self.state))
    }

    fn actions(&self) -> Vec<Answer> {
        let answer = |action: &R::Action| answer_of(&*self.rules, action, self.rules.case_of_action(action));
        self.all_answers().iter().map(answer).collect()
    }

    fn answers(&self) -> Vec<(usize, Vec<String>)> {
        self.all_answers().iter().map(|action| (action.index(), action.words(&*self.rules))).collect()
    }

    fn sentence(&self, line: &str) -> Result<Text, Refusal> {
        Ok(self.parse(line)?.text(&*self.rules))
    }

    fn check(&self, line: &str) -> Result<(), Refusal> {
        let action = self.parse(line)?;
        let refuse = |violation| Refusal::of_action(&*self.rules, &self.state, action, &violation);
        self.rules.check(&self.state, action).map_err(refuse)
    }

    fn barred(&self) -> Vec<(usize, Refusal)> {
        let answers = self.all_answers();
        let plain = R::Action::FORMS.iter().enumerate().filter(|(_, form)| form.fields.is_empty());
        plain
            .filter(|(place, _)| answers.iter().all(|answer| answer.index() != *place))
            .filter_map(|(place, form)| Some((place, self.heard(form.name)?.err()?)))
            .collect()
    }

    fn why(&self, unit: Option<&str>, hex: Option<&str>, viewer: Viewer) -> Vec<Verdict> {
        click::verdicts(self, unit, hex, viewer)
    }

    fn stuck(&self, viewer: Viewer) -> Vec<String> {
        click::stuck(self, viewer)
    }

    fn score(&self) -> Vec<Score> {
        self.rules.score(&self.state)
    }

    fn after(&self, line: &str, viewer: Viewer) -> Result<Foreseen, Refusal> {
        self.check(line)?;
        let action = self.parse(line)?;
        self.foresee(&self.state, action, viewer)?;
        let mut state = self.state.clone();
        let mut play = Play::new(Dice::told([]));
        self.rules.apply(&mut state, action, &mut play);
        if play.dice.take_fault().is_some() {
            return Err(Refusal::plain("a die decides what comes after this"));
        }
        if play.revealed_to(viewer) {
            return Err(Refusal::plain("this would show hidden units: it is known after it"));
        }
        let told = happenings(&*self.rules, play.told(), viewer);
        let ends = matches!(self.rules.asked(&state), Asked::Over(_)).then_some(Boundary::End);
        let boundary = if play.revealed() { Some(Boundary::Reveal) } else { ends };
        let position = Box::new(Position { rules: self.rules.clone(), state, data: self.data.clone() });
        Ok(Foreseen { position, told, boundary })
    }

    fn odds(&self, lines: &[String], viewer: Viewer) -> Result<Prospect, Refusal> {
        let actions = self.parse_all(lines)?;
        prospect(&*self.rules, &self.state, &actions, viewer)
    }

    fn completed(&self, lines: &[String], viewer: Viewer) -> Vec<String> {
        let mut lines = lines.to_vec();
        let Ok(actions) = self.parse_all(&lines) else { return lines };
        let start = self.rules.asked(&self.state);
        let decider = odds::decider(&*self.rules, &self.state);
        let phase = self.rules.phase(&self.state);
        let mut state = self.state.clone();
        let mut play = Play::new(Dice::told([]));
        for action in actions {
            // What is wrong with it is told by whoever follows it.
            let theirs = !odds::is_decided_by(&*self.rules, &state, decider, viewer);
            if theirs || self.rules.check(&state, action).is_err() {
                return lines;
            }
            self.rules.apply(&mut state, action, &mut play);
        }
        for _ in 0..LONGEST_COMPLETION {
            let back = !lines.is_empty() && self.rules.asked(&state) == start;
            let theirs = !odds::is_decided_by(&*self.rules, &state, decider, viewer);
            if back || theirs || play.dice.take_fault().is_some() || self.rules.phase(&state) != phase {
                break;
            }
            let Some(action) = finishing_answer(&*self.rules, &state) else { break };
            lines.push(action.notation(&*self.rules));
            self.rules.apply(&mut state, action, &mut play);
        }
        let finishes = self.finishes_after_dice(&lines, viewer);
        lines.extend(finishes.iter().map(|action| action.notation(&*self.rules)));
        lines
    }

    fn route(&self, line: &str) -> Result<Option<Path>, Refusal> {
        self.check(line)?;
        let action = self.parse(line)?;
        Ok(self.rules.route(&self.state, action).map(|route| self.path(action, &route)))
    }

    fn routes(&self, unit: Option<&str>) -> Vec<Path> {
        let named = |action: &R::Action| {
            let first = || action.words(&*self.rules).into_iter().next();
            unit.is_none_or(|unit| first().is_some_and(|word| word.eq_ignore_ascii_case(unit)))
        };
        let answers = self.all_answers().into_iter().filter(named);
        answers
            .filter_map(|action| Some(self.path(action, &self.rules.route(&self.state, action)?)))
            .collect()
    }

    fn explain(&self, unit: &str, viewer: Viewer) -> Result<Vec<Explanation>, Refusal> {
        let rules = &*self.rules;
        let id = rules.roster().find(unit).map_err(Refusal::plain)?;
        let name = rules.roster().name(id);
        if !rules.view(&self.state, viewer).shows(name) {
            return Err(Refusal::plain(format!("{name} is not in sight")));
        }
        let told = |proof: Proof| Explanation {
            what: proof.what,
            holds: proof.holds,
            path: proof.path.iter().map(|hex| self.label(*hex)).collect(),
            because: proof.because.iter().map(|remark| self.told(remark)).collect(),
        };
        Ok(rules.proofs(&self.state, id, viewer).into_iter().map(told).collect())
    }

    fn threat(&self, hex: &str, viewer: Viewer) -> Result<Prospect, Refusal> {
        let rules = &*self.rules;
        let hex = rules.map().hex(hex).map_err(Refusal::plain)?;
        match rules.threat(&self.state, hex, viewer) {
            Some((state, actions)) => prospect(rules, &state, &actions, viewer),
            None => Err(Refusal::plain("no attack is known to threaten this hex")),
        }
    }

    fn overlays(&self, viewer: Viewer) -> Vec<HexesOf> {
        let overlays = self.rules.overlays(&self.state, viewer).into_iter();
        overlays
            .map(|overlay| HexesOf {
                name: overlay.name,
                title: overlay.title,
                case: overlay.case.0,
                side: overlay.side,
                hexes: overlay.hexes.iter().map(|hex| self.label(*hex)).collect(),
            })
            .collect()
    }

    fn remarks_on(&self, hex: &str, viewer: Viewer) -> Result<Vec<(&'static str, Text)>, Refusal> {
        let hex = self.rules.map().hex(hex).map_err(Refusal::plain)?;
        let remarks = self.rules.remarks_on(&self.state, hex, viewer);
        Ok(remarks.iter().map(|remark| self.told(remark)).collect())
    }

    fn as_supposed_by(&self, viewer: Viewer) -> Box<dyn AnyPosition> {
        let unseen_by: &[Side] = match &viewer {
            Viewer::Side(side) => std::slice::from_ref(side),
            Viewer::Observer => &Side::BOTH,
            Viewer::Referee => &[],
        };
        let mut dice = Dice::seeded(&Seed("as supposed".to_owned()));
        let deal = |state, side: &Side| self.rules.imagine(&state, *side, &mut dice);
        let dealt = unseen_by.iter().fold(self.state.clone(), deal);
        let state = self.rules.supposed(&dealt, viewer);
        Box::new(Position { rules: self.rules.clone(), state, data: self.data.clone() })
    }

    fn imagined_by(&self, side: Side, seed: &Seed) -> Box<dyn AnyPosition> {
        let state = self.rules.imagine(&self.state, side, &mut Dice::seeded(seed));
        Box::new(Position { rules: self.rules.clone(), state, data: self.data.clone() })
    }

    fn view(&self, viewer: Viewer) -> View {
        self.rules.view(&self.state, viewer)
    }

    fn phase(&self) -> Option<usize> {
        self.rules.phase(&self.state)
    }

    fn phases(&self) -> Vec<Phase> {
        self.rules.phases(&self.state)
    }

    fn turns(&self) -> Vec<TurnFacts> {
        let name = |unit: &UnitId| self.rules.roster().name(*unit).to_owned();
        let turn = |turn: Turn| TurnFacts {
            arrives: turn.arrives.iter().map(name).collect(),
            notes: turn.notes.iter().map(|note| self.told(note)).collect(),
            title: turn.title,
        };
        self.rules.turns(&self.state).into_iter().map(turn).collect()
    }

    fn counters(&self) -> Vec<(String, Counter)> {
        let roster = self.rules.roster();
        let counter = |unit| (roster.name(unit).to_owned(), self.rules.counter(&self.state, unit));
        roster.iter().map(counter).collect()
    }

    fn situation(&self) -> String {
        situation::write_marked(&*self.rules, &self.state, self.data.as_deref())
    }
}
