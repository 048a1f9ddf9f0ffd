//! The battery that every rulebook passes: random play that asserts, at each step, what must hold in any game.

use std::collections::HashSet;
use std::fmt;

use source::Source;

use crate::observation::{Observation, observe};
use crate::{
    Asked, Book, Cases, Data, Deed, Dice, Entry, Form, Game, NoUndo, Options, Outcome, Phrase, Record, Role,
    Row, Rulebook, Seed, Side, Told, View, Viewer, record, situation,
};

/// How thoroughly to look.
#[derive(Clone, Copy, Debug)]
pub struct Thoroughness {
    /// Check every listed answer, save and load, imagine and compare views at every n-th decision; at the others
    /// the answer taken and the strangers are checked.
    pub every: usize,
    /// How many actions from elsewhere are tried at each decision.
    pub strangers: usize,
}

impl Default for Thoroughness {
    fn default() -> Self {
        Thoroughness { every: 7, strangers: 12 }
    }
}

/// What a battery saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played to their end.
    pub games: usize,
    /// Decisions taken in them.
    pub decisions: usize,
}

/// Something that must not happen, with all that is needed to see it again.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What must hold and does not.
    pub what: String,
    /// The seed of the game.
    pub seed: Seed,
    /// The position, as a situation file.
    pub situation: String,
    /// The last action, if one was involved.
    pub action: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} (seed {})", self.what, self.seed)?;
        if let Some(action) = &self.action {
            writeln!(f, "action: {action}")?;
        }
        write!(f, "situation:\n{}", self.situation)
    }
}

/// Actions met so far, to be tried where they were not offered.
struct Strangers<A> {
    seen: HashSet<A>,
    list: Vec<A>,
}

/// How often another answer is drawn in place of one that only takes back.
const SECOND_THOUGHTS: u32 = 2;

/// One time in so many a side does something unasked.
const SELDOM: u32 = 12;

/// How many strangers are remembered.
const MAX_STRANGERS: usize = 20_000;

impl<A: Copy + Eq + std::hash::Hash> Strangers<A> {
    /// Remembers an action; when there are too many, a new one takes the place of some other.
    fn meet(&mut self, action: A, chooser: &mut Dice) {
        if self.list.len() >= MAX_STRANGERS {
            let place = chooser.roll(MAX_STRANGERS as u32) as usize - 1;
            self.list[place] = action;
        } else if self.seen.insert(action) {
            self.list.push(action);
        }
    }
}

/// Random games of one scenario, watched.
pub struct Battery<'d, R: Rulebook> {
    data: &'d Data,
    scenario: String,
    cases: Cases,
    thoroughness: Thoroughness,
    strangers: Strangers<R::Action>,
}

impl<'d, R: Rulebook> Battery<'d, R> {
    /// A battery for a scenario.
    pub fn new(data: &'d Data, scenario: &str, thoroughness: Thoroughness) -> Result<Self, source::Faults> {
        let strangers = Strangers { seen: HashSet::new(), list: Vec::new() };
        Ok(Battery { data, scenario: scenario.to_owned(), cases: data.cases()?, thoroughness, strangers })
    }

    /// Plays games with the seeds `prefix-0`, `prefix-1` … and stops at the first failure.
    pub fn run(&mut self, games: usize, prefix: &str) -> Result<Tally, Box<Failure>> {
        let mut tally = Tally::default();
        for form in R::Action::FORMS.iter().chain(R::Event::FORMS) {
            self.named_case(form).map_err(|what| Box::new(Failure::bare(what, prefix)))?;
        }
        for i in 0..games {
            tally.decisions += self.game(&Seed(format!("{prefix}-{i}")))?;
            tally.games += 1;
        }
        Ok(tally)
    }

    fn named_case(&self, form: &Form) -> Result<(), String> {
        self.known(form.case.0).map_err(|what| format!("{} in `{}`", what, form.name))
    }

    fn known(&self, case: &str) -> Result<(), String> {
        match self.cases.get(case) {
            Some(_) => Ok(()),
            None => Err(format!("the case {case} is not in cases.tsv")),
        }
    }

    /// One game to its end; how many decisions it took.
    fn game(&mut self, seed: &Seed) -> Result<usize, Box<Failure>> {
        let mut chooser = Dice::seeded(&Seed(format!("{seed} chooses")));
        let options = some_options(&R::BOOK, &mut chooser);
        let mut game = Game::<R>::scenario(&self.scenario, self.data, options, seed.clone())
            .map_err(|faults| Box::new(Failure::bare(faults.to_string(), &seed.0)))?;
        loop {
            let fail = |game: &Game<R>, action: Option<R::Action>, what: String| {
                Box::new(Failure {
                    what,
                    seed: seed.clone(),
                    situation: game.to_situation(),
                    action: action.map(|action| game.notation(action)),
                })
            };
            let answers = game.answers();
            let decisions = game.moves().len();
            game.rules.audit(game.state()).map_err(|what| fail(&game, None, what))?;
            if decisions % self.thoroughness.every == 0 || answers.is_empty() {
                self.state_holds(&game, &answers, &mut chooser).map_err(|what| fail(&game, None, what))?;
            }
            let asked = match game.asked() {
                Asked::Decision { side, .. } => side,
                Asked::Over(outcome) => {
                    self.end_holds(&game, &answers, outcome).map_err(|what| fail(&game, None, what))?;
                    return Ok(decisions);
                }
            };
            if decisions >= game.rules.longest_game() {
                let what = format!("still not over after {decisions} decisions");
                return Err(fail(&game, None, what));
            }
            if answers.is_empty() {
                let what = "a dead end: somebody must decide, but nothing is legal".to_owned();
                return Err(fail(&game, None, what));
            }
            for side in Side::BOTH {
                self.interjections_hold(&mut game, side, &mut chooser)
                    .map_err(|(action, what)| fail(&game, action, what))?;
            }
            if game.moves().len() > decisions {
                continue;
            }
            let mut draw = || answers[chooser.roll(answers.len() as u32) as usize - 1];
            let mut action = draw();
            // Seldom taken back: an attack that many must join would never be put together.
            for _ in 0..SECOND_THOUGHTS {
                if action.form().role == Role::TakeBack {
                    action = draw();
                }
            }
            let closely = decisions.is_multiple_of(self.thoroughness.every);
            let looked_at = if closely { &answers[..] } else { &[action] };
            self.answers_hold(&game, looked_at, &mut chooser)
                .and_then(|()| self.strangers_hold(&game, &answers, &mut chooser))
                .map_err(|(action, what)| fail(&game, action, what))?;
            let before = game.state().clone();
            self.step_holds(&mut game, asked, action).map_err(|what| {
                let mut failure = fail(&game, Some(action), what);
                failure.situation = situation::write(&*game.rules, &before);
                failure
            })?;
            if *game.state() == before {
                return Err(fail(&game, Some(action), "the answer changes nothing".to_owned()));
            }
        }
    }

    /// Listed answers pass `check` and read back from notation.
    fn answers_hold(
        &mut self,
        game: &Game<R>,
        answers: &[R::Action],
        chooser: &mut Dice,
    ) -> Result<(), (Option<R::Action>, String)> {
        if let Asked::Decision { prompt, .. } = game.asked() {
            self.known(prompt.case.0).map_err(|what| (None, what))?;
        }
        let mut twice = HashSet::new();
        let mut row = Row::default();
        for &answer in answers {
            let because = |what: String| (Some(answer), what);
            if !twice.insert(answer) {
                return Err(because("listed twice".to_owned()));
            }
            if let Err(violation) = game.rules.check(game.state(), answer) {
                let why = violation.text(&*game.rules);
                return Err(because(format!("listed, but refused: {why} ({})", violation.case)));
            }
            match game.parse(&game.notation(answer)) {
                Ok(read) if read == answer => {}
                Ok(_) => return Err(because("notation reads back as another action".to_owned())),
                Err(wrong) => return Err(because(format!("notation does not read back: {wrong}"))),
            }
            if !row.holds(answer, &*game.rules) {
                return Err(because("does not survive the way to a row of numbers and back".to_owned()));
            }
            self.strangers.meet(answer, chooser);
        }
        Ok(())
    }

    /// Actions from elsewhere are refused with a case that exists, unless they are listed.
    fn strangers_hold(
        &self,
        game: &Game<R>,
        answers: &[R::Action],
        chooser: &mut Dice,
    ) -> Result<(), (Option<R::Action>, String)> {
        for _ in 0..self.thoroughness.strangers.min(self.strangers.list.len()) {
            let stranger = self.strangers.list[chooser.roll(self.strangers.list.len() as u32) as usize - 1];
            match game.rules.check(game.state(), stranger) {
                Ok(()) if !answers.contains(&stranger) => {
                    return Err((Some(stranger), "allowed, but not listed".to_owned()));
                }
                Ok(()) => {}
                Err(violation) => self.known(violation.case.0).map_err(|what| (Some(stranger), what))?,
            }
        }
        Ok(())
    }

    /// What a side may do unasked is allowed, reads back, and does not depend on what is hidden from it; now and then it is
    /// done.
    fn interjections_hold(
        &mut self,
        game: &mut Game<R>,
        side: Side,
        chooser: &mut Dice,
    ) -> Result<(), (Option<R::Action>, String)> {
        let listed = game.interjections(side);
        for _ in 0..self.thoroughness.strangers.min(self.strangers.list.len()).min(4) {
            let stranger = self.strangers.list[chooser.roll(self.strangers.list.len() as u32) as usize - 1];
            let allowed = game.rules.check_interjection(game.state(), side, stranger).is_ok();
            if allowed != listed.contains(&stranger) {
                let what =
                    if allowed { "may be interjected, but is not listed" } else { "listed, but refused" };
                return Err((Some(stranger), what.to_owned()));
            }
        }
        if listed.is_empty() {
            return Ok(());
        }
        let imagined = game.rules.imagine(game.state(), side, chooser);
        let mut other = Vec::new();
        game.rules.interjections(&imagined, side, &mut other);
        if other != listed {
            let what = format!("what {side} may interject changes with what is hidden from it");
            return Err((None, what));
        }
        for &action in &listed {
            let because = |what: String| (Some(action), what);
            if let Err(violation) = game.rules.check_interjection(game.state(), side, action) {
                let why = violation.text(&*game.rules);
                return Err(because(format!("listed, but refused: {why} ({})", violation.case)));
            }
            if game.parse(&game.notation(action)) != Ok(action) {
                return Err(because("notation does not read back".to_owned()));
            }
            self.strangers.meet(action, chooser);
        }
        if chooser.roll(SELDOM) == 1 {
            let action = listed[chooser.roll(listed.len() as u32) as usize - 1];
            self.step_holds(game, side, action).map_err(|what| (Some(action), what))?;
        }
        Ok(())
    }

    /// Saving and loading, and what each side sees.
    fn state_holds(&self, game: &Game<R>, answers: &[R::Action], dice: &mut Dice) -> Result<(), String> {
        let text = game.to_situation();
        let opened = situation::open::<R>(&Source::new("saved", text.clone()), self.data, Default::default())
            .map_err(|faults| format!("a saved situation does not load:\n{faults}"))?;
        if opened.state != *game.state() {
            return Err(format!(
                "a saved situation loads as another:\n{:?}\n{:?}",
                game.state(),
                opened.state
            ));
        }
        if situation::write(&opened.rules, &opened.state) != text {
            return Err("a saved situation is written differently the second time".to_owned());
        }
        for side in Side::BOTH {
            self.view_holds(game, answers, side, dice)?;
        }
        Ok(())
    }

    /// Nothing that a side sees or may do depends on what is hidden from it.
    fn view_holds(
        &self,
        game: &Game<R>,
        answers: &[R::Action],
        side: Side,
        dice: &mut Dice,
    ) -> Result<(), String> {
        let rules = &game.rules;
        let imagined = rules.imagine(game.state(), side, dice);
        rules.audit(&imagined).map_err(|what| format!("{side} imagines an unsound state: {what}"))?;
        let viewer = Viewer::Side(side);
        if rules.view(&imagined, viewer) != rules.view(game.state(), viewer) {
            return Err(format!("the view of {side} changes with what is hidden from it"));
        }
        let mut seen = [Observation::default(), Observation::default()];
        observe(&**rules, game.state(), side, &mut seen[0]);
        observe(&**rules, &imagined, side, &mut seen[1]);
        if seen[0] != seen[1] {
            return Err(format!("the observation of {side} changes with what is hidden from it"));
        }
        if as_told(rules.asked(&imagined), side) != as_told(game.asked(), side) {
            return Err(format!("what {side} is asked changes with what is hidden from it"));
        }
        if matches!(game.asked(), Asked::Decision { side: asked, .. } if asked == side) {
            let mut other = Vec::new();
            rules.answers(&imagined, &mut other);
            if other != answers {
                return Err(format!("the answers of {side} change with what is hidden from it"));
            }
            for _ in 0..self.thoroughness.strangers.min(self.strangers.list.len()) {
                let stranger = self.strangers.list[dice.roll(self.strangers.list.len() as u32) as usize - 1];
                if rules.check(&imagined, stranger) != rules.check(game.state(), stranger) {
                    let action = game.notation(stranger);
                    return Err(format!("why {side} may not `{action}` changes with what is hidden from it"));
                }
            }
        }
        Ok(())
    }

    /// The same action with the same dice does the same again; what it did can be taken back exactly, unless a
    /// die was rolled or something was shown.
    fn step_holds(&self, game: &mut Game<R>, side: Side, action: R::Action) -> Result<(), String> {
        let before = game.state().clone();
        let deed = Deed::Action(action);
        let step =
            game.act_as(side, deed).map_err(|refused| format!("listed, but refused: {refused:?}"))?.clone();
        self.cases_told(&game.rules, &step.told)?;
        let after = game.state().clone();
        if game.moves().len().is_multiple_of(self.thoroughness.every) {
            for side in Side::BOTH {
                names_hold(&*game.rules, &before, &after, &step.told, side)?;
            }
        }
        match (game.undo(None), step.boundary) {
            (Ok(_), None) => {
                if *game.state() != before {
                    return Err("taking it back does not restore the state".to_owned());
                }
                let again = game.act_as(side, deed).map_err(|refused| format!("not again: {refused:?}"))?;
                if again.told != step.told || *game.state() != after {
                    return Err("done again it does something else".to_owned());
                }
            }
            (Err(NoUndo::Boundary(said)), Some(boundary)) if said == boundary => {}
            (undone, boundary) => {
                return Err(format!("undo says {undone:?}, the boundary is {boundary:?}"));
            }
        }
        Ok(())
    }

    fn cases_told(&self, rules: &R, told: &[Told<R::Event>]) -> Result<(), String> {
        told.iter().try_for_each(|told| match told.entry() {
            Entry::Roll(roll) => self.known(roll.case.0),
            Entry::Event(event) => self.known(rules.case_of(event).0),
        })
    }

    /// The game is really over, and its record plays it again to the same end.
    fn end_holds(&self, game: &Game<R>, answers: &[R::Action], outcome: Outcome) -> Result<(), String> {
        if !answers.is_empty() {
            return Err("the game is over, but answers are listed".to_owned());
        }
        self.known(outcome.reason.case.0)?;
        let text = record::write(game, true);
        let read = Record::parse(&Source::new("record", text)).map_err(|faults| faults.to_string())?;
        let (again, _) = read.verify::<R>(self.data).map_err(|faults| faults.to_string())?;
        if again.state() != game.state() {
            return Err("the record leads to another state".to_owned());
        }
        let replayed = read.replay::<R>(self.data).map_err(|faults| faults.to_string())?;
        if replayed.state() != game.state() {
            return Err("the record's dice lead to another state".to_owned());
        }
        Ok(())
    }
}

/// What a side knows of the question: all of its own, and of another side's only who decides.
fn as_told(asked: Asked, side: Side) -> (Option<Side>, Option<Asked>) {
    match asked {
        Asked::Decision { side: decides, .. } if decides != side => (Some(decides), None),
        told => (None, Some(told)),
    }
}

/// Each optional rule is on in a third of all games.
fn some_options(book: &Book, chooser: &mut Dice) -> Options {
    let mut options = Options::default();
    for switch in book.options.iter().filter(|_| chooser.roll(3) == 1) {
        let _ = options.switch_on(book, switch.name);
    }
    options
}

/// A side is told of units by name only if it sees them before or after, or if they stand on an open track.
fn names_hold<R: Rulebook>(
    rules: &R,
    before: &R::State,
    after: &R::State,
    told: &[Told<R::Event>],
    side: Side,
) -> Result<(), String> {
    let viewer = Viewer::Side(side);
    let views = [rules.view(before, viewer), rules.view(after, viewer)];
    let fronts = views.iter().flat_map(View::fronts).map(|front| front.unit.as_str());
    let tracks = views.iter().flat_map(|view| &view.tracks).map(|track| track.name.as_str());
    let seen: HashSet<&str> = fronts.chain(tracks).collect();
    for event in told.iter().filter_map(|told| told.to(viewer)) {
        let Entry::Event(event) = event else { continue };
        let words = event.words(rules);
        let of_units =
            event.form().fields.iter().zip(&words).filter(|(field, _)| field.kind.starts_with("unit"));
        for name in of_units.flat_map(|(_, word)| word.split(',')).filter(|name| !["-", "?"].contains(name)) {
            if !seen.contains(name) {
                return Err(format!(
                    "{side} is told `{}`, but {name} is hidden from it",
                    event.notation(rules)
                ));
            }
        }
    }
    Ok(())
}

impl Failure {
    fn bare(what: String, seed: &str) -> Failure {
        Failure { what, seed: Seed(seed.to_owned()), situation: String::new(), action: None }
    }
}
