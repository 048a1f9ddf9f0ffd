//! A rulebook without its types: what the command line and the server need to handle all of them alike.

use std::hint::black_box;
use std::marker::PhantomData;

use board::Map;
use serde_json::{Value, json};
use source::{Faults, Source};

use crate::battery::{Battery, Tally, Thoroughness};
use crate::deed::Line;
use crate::drill::{self, AnyDrill};
use crate::law::Shortfall;
use crate::mark::Mark;
use crate::odds::Gist;
use crate::position::{self, AnyPosition, Position};
use crate::selfplay::{Finished, random_game};
use crate::situation::{self, About};
use crate::trial::{self, Summary};
use crate::{
    Asked, Book, BySide, Case, Data, Deed, Entry, Form, Game, Lexicon, Mixture, NoOdds, Options, Phrase,
    Record, Refused, Role, Roll, Rulebook, Seed, Side, Span, Start, Talk, Telling, Text, Told, View, Viewer,
    Violation, game, odds, record,
};

/// Stands for the notation of an action that a viewer is not told.
pub const UNTOLD: &str = "…";

/// The word for something that a viewer is not told.
const HIDDEN: &str = "?";

/// Puts a rulebook on the shelf: `shelve!(Mini);` declares `mini::shelved()`. All that the engine is made of for a rulebook is
/// built once, in that rulebook's crate, and not again in every program and test that has it.
#[macro_export]
macro_rules! shelve {
    ($Book:ident) => {
        /// The rulebook without its types.
        #[inline(never)]
        pub fn shelved() -> &'static dyn $crate::shelf::AnyRulebook {
            const BOOK: &$crate::shelf::Shelved<$Book> = &$crate::shelf::Shelved::new();
            BOOK
        }
    };
}

/// A rulebook as the shelf knows it.
pub trait AnyRulebook: Send + Sync {
    /// What it says of itself.
    fn book(&self) -> &'static Book;
    /// The data files built into the program.
    fn embedded(&self) -> Data;
    /// The scenarios in the order of their places: name and what each says of itself.
    fn scenarios(&self, data: &Data) -> Result<Vec<(String, About)>, Faults>;
    /// Starts a scenario.
    fn start(
        &self,
        data: &Data,
        scenario: &str,
        options: &[String],
        seed: Seed,
    ) -> Result<Box<dyn AnyGame>, Faults>;
    /// Opens a situation, or a record played through to its end.
    fn open(&self, data: &Data, source: &Source, seed: Option<Seed>) -> Result<Box<dyn AnyGame>, Faults>;
    /// Proves a record's dice; how many actions and rolls it has.
    fn verify(&self, data: &Data, record: &Record) -> Result<Verified, Faults>;
    /// Reads every file of the data and runs no game.
    fn check(&self, data: &Data) -> Result<usize, Faults>;
    /// Runs every rule test: what it says of itself, and what was wrong.
    fn trials(&self, data: &Data) -> Vec<TestRun> {
        self.trials_of(data, &|_| true)
    }
    /// Runs the rule tests of these names.
    fn trials_of(&self, data: &Data, wanted: &dyn Fn(&str) -> bool) -> Vec<TestRun>;
    /// The position of a rule test after so many of its steps, as a situation.
    fn situation_of_test(&self, data: &Data, test: &Source, steps: usize) -> Result<String, Faults>;
    /// Random games of a scenario, as many as wanted with seeds that begin with a word, with everything checked as thoroughly
    /// as asked for; the error is for a person.
    fn battery(
        &self,
        data: &Data,
        scenario: &str,
        thoroughness: Thoroughness,
        games: usize,
        prefix: &str,
    ) -> Result<Tally, String>;
    /// A scenario made ready to be played at random many times.
    fn random_play(
        &self,
        data: &Data,
        scenario: &str,
        options: &[String],
    ) -> Result<Box<dyn AnyRandomPlay>, Faults>;
    /// A game for programs, from a scenario or a situation.
    fn drill(
        &self,
        data: &Data,
        start: &Start,
        options: &[String],
        seed: &Seed,
    ) -> Result<Box<dyn AnyDrill>, Faults>;
    /// A map of the rulebook, by its name.
    fn map(&self, data: &Data, name: &str) -> Result<Map, Faults>;
    /// What a player can type.
    fn action_forms(&self) -> &'static [Form];
    /// The marks that units can carry.
    fn marks(&self) -> &'static [Mark];
}

/// A rule test that was run: what it says of itself, or its name when that cannot be read, and what was wrong.
pub type TestRun = (Result<Summary, String>, Result<(), Faults>);

/// A scenario made ready for many random games.
pub trait AnyRandomPlay: Send + Sync {
    /// Plays one; the error says what went wrong.
    fn play(&self, seed: &Seed) -> Result<Finished, String>;
    /// Copies the opening state `times` times, for the bench.
    fn copy_state(&self, times: usize);
}

/// What `verify` has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Actions played through.
    pub actions: usize,
    /// Rolls that the record tells and the seed gives.
    pub rolls: usize,
    /// How the game stands at the end.
    pub standing: String,
}

/// A game as the shelf knows it. Texts are for people, values for programs.
pub trait AnyGame: Send {
    /// The rulebook it is played by.
    fn book(&self) -> &'static Book;
    /// The map it is played on.
    fn map(&self) -> &Map;
    /// The optional rules that are on.
    fn options(&self) -> Vec<&'static str>;
    /// Where it began.
    fn start(&self) -> &Start;
    /// The seed of its dice, if they come from one.
    fn seed(&self) -> Option<&Seed>;
    /// What the seed is mixed from, if it is.
    fn mixture(&self) -> Option<&Mixture>;
    /// Mixes a seed for a game that had none.
    fn mix(&mut self, mixture: Mixture);
    /// How it stands, to be asked about.
    fn position(&self) -> Box<dyn AnyPosition>;
    /// How it stood after so many actions; nothing when there were not so many.
    fn at(&self, actions: usize) -> Option<Box<dyn AnyPosition>>;
    /// How many actions were made.
    fn len(&self) -> usize;
    /// True when none was made.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Carries out a deed of a side in notation, or says why not and changes nothing. Without a side it is the one that the
    /// line names, or that is asked.
    fn act_as(&mut self, side: Option<Side>, line: &str, viewer: Viewer) -> Result<Vec<Happening>, Refusal>;
    /// The same for whoever the line names, or is asked.
    fn act(&mut self, line: &str, viewer: Viewer) -> Result<Vec<Happening>, Refusal> {
        self.act_as(None, line, viewer)
    }
    /// What a side may do without being asked: where the rules let it speak up, and what it may say about the game.
    fn interjections(&self, side: Side) -> Vec<Answer>;
    /// Takes the last action back: its notation, or why it stands.
    fn undo(&mut self, side: Option<Side>) -> Result<String, String>;
    /// True when anything may be taken back.
    fn is_casual(&self) -> bool;
    /// Lets anything be taken back from now on; the record says so.
    fn make_casual(&mut self);
    /// In a casual game: takes everything back up to and with the side's last action. How many actions are left.
    fn take_back(&mut self, side: Option<Side>) -> Result<usize, String>;
    /// The action that [`AnyGame::take_back`] would go back to, or why it would not.
    fn may_take_back(&self, side: Option<Side>) -> Result<String, String>;
    /// What [`AnyGame::undo`] would take back, or why it would not.
    fn may_undo(&self, side: Option<Side>) -> Result<String, String>;
    /// What was told to a viewer of an action: who, notation, what happened. Of another side's actions a viewer
    /// learns only what happened, since an action may name what is hidden: their notation is [`UNTOLD`].
    fn entry(&self, action: usize, viewer: Viewer) -> Option<(Side, String, Vec<Happening>)>;
    /// An action as a record keeps it: who, notation, what the dice showed.
    fn line(&self, action: usize) -> Option<(Side, String, Vec<u32>)>;
    /// The game so far as a record.
    fn record(&self, with_seed: bool) -> String;
    /// Names the players, for the record.
    fn name_player(&mut self, side: Side, name: &str);
    /// Fixes what the next dice show.
    fn force_dice(&mut self, values: &[u32]);
    /// Forgets the fixed dice that were not used.
    fn forget_dice(&mut self);
    /// How many fixed dice were not used.
    fn forced_dice_left(&self) -> usize;

    /// The question that it stands at.
    fn question(&self) -> Question {
        self.position().question()
    }
    /// Every legal answer.
    fn actions(&self) -> Vec<Answer> {
        self.position().actions()
    }
    /// What a commitment, given in notation, leads to.
    fn odds(&self, lines: &[String], viewer: Viewer) -> Result<Prospect, Refusal> {
        self.position().odds(lines, viewer)
    }
    /// What can be proved of a unit that the viewer sees.
    fn explain(&self, unit: &str, viewer: Viewer) -> Result<Vec<Explanation>, Refusal> {
        self.position().explain(unit, viewer)
    }
    /// What the enemy could do to a hex if he attacked it now with all he has there.
    fn threat(&self, hex: &str, viewer: Viewer) -> Result<Prospect, Refusal> {
        self.position().threat(hex, viewer)
    }
    /// What a viewer sees.
    fn view(&self, viewer: Viewer) -> View {
        self.position().view(viewer)
    }
    /// All that was told to a viewer so far, action by action.
    fn history(&self, viewer: Viewer) -> Vec<(Side, String, Vec<Happening>)> {
        (0..self.len()).filter_map(|action| self.entry(action, viewer)).collect()
    }
    /// The position as a situation file.
    fn situation(&self) -> String {
        self.position().situation()
    }
}

/// The question that a game stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Who decides; nobody when the game is over.
    pub side: Option<Side>,
    /// The case behind it.
    pub case: &'static str,
    /// The prompt, or how the game ended.
    pub text: Text,
    /// Who won, when it is over and not drawn.
    pub winner: Option<Side>,
    /// Points, when it is over and the rulebook counts them.
    pub points: BySide<i32>,
}

impl Question {
    /// For programs.
    pub fn json(&self) -> Value {
        match self.side {
            Some(side) => json!({ "side": side.word(), "case": self.case, "prompt": self.text.to_string() }),
            None => json!({
                "over": true,
                "winner": self.winner.map(Side::word),
                "case": self.case,
                "reason": self.text.to_string(),
            }),
        }
    }
}

/// A legal answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it is typed.
    pub action: String,
    /// The case that grants it.
    pub case: &'static str,
    /// A sentence.
    pub text: Text,
}

impl Answer {
    /// For programs.
    pub fn json(&self) -> Value {
        json!({ "action": self.action, "case": self.case, "text": self.text.to_string() })
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// What happened, in a word: the name of the event, or `roll`.
    pub name: &'static str,
    /// A sentence.
    pub text: Text,
    /// The case behind it.
    pub case: &'static str,
    /// What it is to those who know no rule.
    pub role: Role,
    /// Its fields by name.
    pub fields: Vec<(&'static str, FieldTold)>,
    /// The die, when one was rolled.
    pub roll: Option<Roll>,
    /// The labels of the hexes that it names.
    pub hexes: Vec<String>,
    /// The units that it names.
    pub units: Vec<String>,
}

/// A field of something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldTold {
    /// A word.
    Word(String),
    /// A number.
    Number(i64),
    /// Not told to this viewer.
    Hidden,
}

impl Happening {
    /// Something without fields.
    fn plain(name: &'static str, text: Text, case: &'static str) -> Happening {
        Happening {
            name,
            text,
            case,
            role: Role::Plain,
            fields: Vec::new(),
            roll: None,
            hexes: Vec::new(),
            units: Vec::new(),
        }
    }

    /// For programs: `event`, `case`, and its fields.
    pub fn json(&self) -> Value {
        let mut object = json!({ "event": self.name, "case": self.case });
        for (name, value) in &self.fields {
            object[*name] = match value {
                FieldTold::Word(word) => json!(word),
                FieldTold::Number(number) => json!(number),
                FieldTold::Hidden => Value::Null,
            };
        }
        object
    }
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The case that forbids it, when a rule does.
    pub case: Option<&'static str>,
    /// Why.
    pub why: Text,
}

impl Refusal {
    pub(crate) fn plain(why: impl Into<std::borrow::Cow<'static, str>>) -> Refusal {
        Refusal { case: None, why: Text::plain(why) }
    }

    pub(crate) fn rule(violation: &Violation, lexicon: &dyn Lexicon) -> Refusal {
        Refusal { case: Some(violation.case.0), why: violation.text(lexicon) }
    }

    /// The same of an action; when it costs more than there is, with everything that it would cost.
    pub(crate) fn of_action<R: Rulebook>(
        rules: &R,
        state: &R::State,
        action: R::Action,
        violation: &Violation,
    ) -> Refusal {
        let mut refusal = Refusal::rule(violation, rules);
        if let Some(route) = rules.route(state, action).filter(|route| route.cost() > route.has) {
            Shortfall::new(&route).itemise(&mut refusal.why);
        }
        refusal
    }
}

/// What a commitment leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// What is certain.
    pub account: Vec<Happening>,
    /// What may come of it, the likeliest first.
    pub ways: Vec<WayTold>,
    /// What comes of all of it on average, where somebody can lose something.
    pub gist: Option<Gist>,
    /// Who commits himself.
    pub side: Option<Side>,
}

/// One way that a commitment can turn out.
#[derive(Clone, Debug, PartialEq)]
pub struct WayTold {
    /// The chance as a fraction.
    pub chance: String,
    /// The chance as a number.
    pub p: f64,
    /// What happens.
    pub events: Vec<Happening>,
    /// What comes of it on average.
    pub gist: Option<Gist>,
}

impl Prospect {
    /// For programs.
    pub fn json(&self) -> Value {
        let list =
            |happenings: &[Happening]| -> Vec<Value> { happenings.iter().map(Happening::json).collect() };
        let ways: Vec<Value> = self
            .ways
            .iter()
            .map(|way| json!({ "chance": way.chance, "p": way.p, "events": list(&way.events) }))
            .collect();
        json!({ "account": list(&self.account), "ways": ways })
    }
}

/// Something proved of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What is in question.
    pub what: &'static str,
    /// Whether it holds.
    pub holds: bool,
    /// The labels of the path.
    pub path: Vec<String>,
    /// Why: case and sentence.
    pub because: Vec<(&'static str, Text)>,
}

impl Explanation {
    /// For programs.
    pub fn json(&self) -> Value {
        let because: Vec<Value> =
            self.because.iter().map(|(case, why)| json!({ "case": case, "why": why.to_string() })).collect();
        json!({ "what": self.what, "holds": self.holds, "path": self.path, "because": because })
    }
}

/// Puts a rulebook on the shelf.
pub struct Shelved<R>(PhantomData<fn() -> R>);

impl<R> Shelved<R> {
    /// The rulebook on the shelf.
    pub const fn new() -> Self {
        Shelved(PhantomData)
    }
}

impl<R> Default for Shelved<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Rulebook> AnyRulebook for Shelved<R> {
    fn book(&self) -> &'static Book {
        const { &R::BOOK }
    }

    fn embedded(&self) -> Data {
        R::embedded()
    }

    fn scenarios(&self, data: &Data) -> Result<Vec<(String, About)>, Faults> {
        let mut faults = Faults::default();
        let mut scenarios = Vec::new();
        for (name, source) in data.under("scenarios") {
            match situation::open::<R>(source, data, Options::default()) {
                Ok(opened) => scenarios.push((name.to_owned(), opened.about)),
                Err(found) => faults.extend(found),
            }
        }
        scenarios.sort_by_key(|(_, about)| about.place.unwrap_or(u8::MAX));
        faults.or(Some(scenarios))
    }

    fn start(
        &self,
        data: &Data,
        scenario: &str,
        options: &[String],
        seed: Seed,
    ) -> Result<Box<dyn AnyGame>, Faults> {
        let game = Game::<R>::scenario(scenario, data, read_options::<R>(options)?, seed)?;
        Ok(Box::new(game))
    }

    fn open(&self, data: &Data, source: &Source, seed: Option<Seed>) -> Result<Box<dyn AnyGame>, Faults> {
        let game = if record::is_record(source) {
            Record::parse(source)?.replay::<R>(data)?
        } else {
            Game::<R>::situation(source, data, seed)?
        };
        Ok(Box::new(game))
    }

    fn verify(&self, data: &Data, record: &Record) -> Result<Verified, Faults> {
        let (game, rolls) = record.verify::<R>(data)?;
        let standing = AnyGame::question(&game).text.to_string();
        Ok(Verified { actions: game.moves().len(), rolls, standing })
    }

    fn check(&self, data: &Data) -> Result<usize, Faults> {
        let mut faults = Faults::default();
        let mut files = 0;
        let mut note = |found: Result<(), Faults>| {
            files += 1;
            if let Err(found) = found {
                faults.extend(found);
            }
        };
        note(data.cases().and_then(|cases| data.check_cases(&cases)));
        note(data.glossary().map(|_| ()));
        for folder in ["maps", "scenarios", "situations", "tests"] {
            note(data.check_names(folder));
        }
        for (_, source) in data.under("maps") {
            note(data.read_map(source).map(|_| ()));
        }
        for folder in ["scenarios", "situations"] {
            for (_, source) in data.under(folder) {
                note(situation::open::<R>(source, data, Options::default()).map(|_| ()));
            }
        }
        for (name, source) in data.under("tests") {
            note(trial::summary(name, source).map(|_| ()));
        }
        faults.or(Some(files))
    }

    fn trials_of(&self, data: &Data, wanted: &dyn Fn(&str) -> bool) -> Vec<TestRun> {
        let cases = data.cases().unwrap_or_default();
        let data = &data.with_fixtures();
        data.under("tests")
            .filter(|(name, _)| wanted(name))
            .map(|(name, source)| {
                let summary = trial::summary(name, source).map_err(|_| name.to_owned());
                (summary, trial::run::<R>(name, source, data, &cases).map(|_| ()))
            })
            .collect()
    }

    fn situation_of_test(&self, data: &Data, test: &Source, steps: usize) -> Result<String, Faults> {
        trial::situation_of::<R>(test, &data.with_fixtures(), steps)
    }

    fn battery(
        &self,
        data: &Data,
        scenario: &str,
        thoroughness: Thoroughness,
        games: usize,
        prefix: &str,
    ) -> Result<Tally, String> {
        Battery::<R>::new(data, scenario, thoroughness)
            .map_err(|faults| faults.to_string())?
            .run(games, prefix)
            .map_err(|failure| failure.to_string())
    }

    fn random_play(
        &self,
        data: &Data,
        scenario: &str,
        options: &[String],
    ) -> Result<Box<dyn AnyRandomPlay>, Faults> {
        let source = game::scenario_source::<R>(scenario, data)?;
        let opened = situation::open::<R>(source, data, read_options::<R>(options)?)?;
        Ok(Box::new(RandomPlay { rules: opened.rules, state: opened.state }))
    }

    fn drill(
        &self,
        data: &Data,
        start: &Start,
        options: &[String],
        seed: &Seed,
    ) -> Result<Box<dyn AnyDrill>, Faults> {
        let options = read_options::<R>(options)?;
        let opened = match start {
            Start::Scenario(name) => {
                situation::open::<R>(game::scenario_source::<R>(name, data)?, data, options)?
            }
            Start::Situation(text) => {
                situation::open::<R>(&Source::new("situation", text.as_str()), data, options)?
            }
        };
        let rules = std::sync::Arc::new(opened.rules);
        let position = Position { rules, state: opened.state, data: data.mark(None).map(Into::into) };
        Ok(drill::drill(position, seed))
    }

    fn map(&self, data: &Data, name: &str) -> Result<Map, Faults> {
        match data.find("maps", name) {
            Ok(source) => data.read_map(source),
            Err(missing) => Err(Source::new(name, "").fault(0, "", missing).into()),
        }
    }

    fn action_forms(&self) -> &'static [Form] {
        R::Action::FORMS
    }

    fn marks(&self) -> &'static [Mark] {
        R::MARKS
    }
}

/// Reads the names of optional rules.
pub fn read_options<R: Rulebook>(names: &[String]) -> Result<Options, Faults> {
    let mut options = Options::default();
    let mut faults = Faults::default();
    for name in names {
        if let Err(wrong) = options.switch_on(&R::BOOK, name) {
            faults.push(Source::new("options", "").fault(0, name, wrong));
        }
    }
    faults.or(Some(options))
}

struct RandomPlay<R: Rulebook> {
    rules: R,
    state: R::State,
}

impl<R: Rulebook> AnyRandomPlay for RandomPlay<R> {
    fn play(&self, seed: &Seed) -> Result<Finished, String> {
        random_game(&self.rules, &self.state, seed)
    }

    fn copy_state(&self, times: usize) {
        for _ in 0..times {
            black_box(black_box(&self.state).clone());
        }
    }
}

impl<R: Rulebook> AnyGame for Game<R> {
    fn book(&self) -> &'static Book {
        const { &R::BOOK }
    }

    fn map(&self) -> &Map {
        self.rules.map()
    }

    fn options(&self) -> Vec<&'static str> {
        self.rules.options().names(&R::BOOK).collect()
    }

    fn start(&self) -> &Start {
        Game::start(self)
    }

    fn seed(&self) -> Option<&Seed> {
        Game::seed(self)
    }

    fn mixture(&self) -> Option<&Mixture> {
        Game::mixture(self)
    }

    fn mix(&mut self, mixture: Mixture) {
        Game::mix(self, mixture);
    }

    fn position(&self) -> Box<dyn AnyPosition> {
        let data = self.data_marks().of_position.clone();
        Box::new(Position { rules: self.rules.clone(), state: self.state().clone(), data })
    }

    fn at(&self, actions: usize) -> Option<Box<dyn AnyPosition>> {
        let state = Game::at(self, actions)?;
        let data = self.data_marks().of_position.clone();
        Some(Box::new(Position { rules: self.rules.clone(), state, data }))
    }

    fn len(&self) -> usize {
        self.moves().len()
    }

    fn act_as(&mut self, side: Option<Side>, line: &str, viewer: Viewer) -> Result<Vec<Happening>, Refusal> {
        let mut line = self.parse_line(line).map_err(Refusal::plain)?;
        if side.is_some() && line.side.is_some_and(|named| Some(named) != side) {
            return Err(Refusal::plain("this is not for the other side to do"));
        }
        line.side = side.or(line.side);
        let rules = self.rules.clone();
        let before = self.moves().len();
        match self.act_all(&line) {
            Ok(()) => {
                let told =
                    self.moves()[before..].iter().flat_map(|done| happenings(&*rules, &done.told, viewer));
                Ok(told.collect())
            }
            Err(Refused::Rule(violation)) => Err(self.not_asked(&line, &violation)),
            Err(Refused::Over) => Err(Refusal::plain("the game is over")),
            Err(Refused::Talk(why)) => Err(Refusal::plain(why)),
            Err(Refused::Dice(wrong) | Refused::Fault(wrong)) => Err(Refusal::plain(wrong)),
        }
    }

    fn undo(&mut self, side: Option<Side>) -> Result<String, String> {
        let deed = Game::undo(self, side).map_err(|no| no.to_string())?;
        Ok(deed.notation(&*self.rules))
    }

    fn may_undo(&self, side: Option<Side>) -> Result<String, String> {
        let deed = Game::may_undo(self, side).map_err(|no| no.to_string())?;
        Ok(deed.notation(&*self.rules))
    }

    fn is_casual(&self) -> bool {
        self.casual
    }

    fn make_casual(&mut self) {
        self.casual = true;
    }

    fn take_back(&mut self, side: Option<Side>) -> Result<usize, String> {
        Game::take_back(self, side).map_err(|no| no.to_string())
    }

    fn may_take_back(&self, side: Option<Side>) -> Result<String, String> {
        let place = Game::may_take_back(self, side).map_err(|no| no.to_string())?;
        Ok(self.moves()[place].deed.notation(&*self.rules))
    }

    fn entry(&self, action: usize, viewer: Viewer) -> Option<(Side, String, Vec<Happening>)> {
        let step = self.moves().get(action)?;
        let told = viewer.is_told(step.side) || matches!(step.deed, Deed::Talk(_));
        let notation = if told { step.deed.notation(&*self.rules) } else { UNTOLD.to_owned() };
        let talk = match step.deed {
            Deed::Talk(talk) => Some(talk_happening(&*self.rules, step.side, talk)),
            Deed::Action(_) => None,
        };
        let told = happenings(&*self.rules, &step.told, viewer);
        Some((step.side, notation, talk.into_iter().chain(told).collect()))
    }

    fn line(&self, action: usize) -> Option<(Side, String, Vec<u32>)> {
        let step = self.moves().get(action)?;
        Some((step.side, step.deed.notation(&*self.rules), step.rolls.clone()))
    }

    fn interjections(&self, side: Side) -> Vec<Answer> {
        let rules = &*self.rules;
        let actions = Game::interjections(self, side)
            .into_iter()
            .map(|action| answer_of(rules, &action, rules.case_of_action(&action)));
        let talk = self.accord().allowed(side).map(|talk| answer_of(rules, &talk, talk.form().case));
        let over = matches!(self.asked(), Asked::Over(_));
        if over { Vec::new() } else { actions.chain(talk).collect() }
    }

    fn question(&self) -> Question {
        position::question(&*self.rules, self.asked())
    }

    fn record(&self, with_seed: bool) -> String {
        record::write(self, with_seed)
    }

    fn name_player(&mut self, side: Side, name: &str) {
        name.clone_into(&mut self.players[side]);
    }

    fn force_dice(&mut self, values: &[u32]) {
        Game::force_dice(self, values.iter().copied());
    }

    fn forget_dice(&mut self) {
        Game::forget_dice(self);
    }

    fn forced_dice_left(&self) -> usize {
        Game::forced_dice_left(self)
    }
}

impl<R: Rulebook> Game<R> {
    /// A refusal; where the action is no answer to what is asked, it says what is.
    fn not_asked(&self, line: &Line<R::Action>, violation: &Violation) -> Refusal {
        let mut actions = line.deeds.iter().filter_map(|deed| deed.action());
        let mut refusal = match actions.clone().next() {
            Some(action) => Refusal::of_action(&*self.rules, self.state(), action, violation),
            None => Refusal::rule(violation, &*self.rules),
        };
        let astray = actions.any(|action| self.rules.not_asked(self.state(), action) == *violation);
        if let (true, Asked::Decision { side, prompt }) = (astray, self.asked()) {
            refusal.why.words(format!("; {} is asked: ", self.rules.sides()[side]));
            refusal.why.append(prompt.text(&*self.rules));
        }
        refusal
    }
}

/// An action for people.
pub(crate) fn answer_of(lexicon: &dyn Lexicon, action: &impl Telling, case: Case) -> Answer {
    Answer { action: action.notation(lexicon), case: case.0, text: action.text(lexicon) }
}

/// What was said about the game.
fn talk_happening(lexicon: &dyn Lexicon, side: Side, talk: Talk) -> Happening {
    let mut text = Text::plain(lexicon.sides()[side]);
    text.words(": ");
    text.append(talk.text(lexicon));
    Happening {
        fields: vec![("side", FieldTold::Word(side.word().to_owned()))],
        ..Happening::plain(talk.form().name, text, "")
    }
}

pub(crate) fn prospect<R: Rulebook>(
    rules: &R,
    state: &R::State,
    actions: &[R::Action],
    viewer: Viewer,
) -> Result<Prospect, Refusal> {
    let supposed = rules.supposed(state, viewer);
    let forecast = odds::forecast(rules, &supposed, actions, viewer).map_err(|no| match no {
        NoOdds::Refused(i, violation) => {
            let mut why = Text::plain(format!("{}: ", actions[i].notation(rules)));
            why.append(violation.text(rules));
            Refusal { case: Some(violation.case.0), why }
        }
        NoOdds::NotTheirs(i) => {
            Refusal::plain(format!("{}: {}", actions[i].notation(rules), odds::NOT_THEIRS))
        }
        NoOdds::Hidden => Refusal::plain("this would show hidden units: its odds are known after it"),
        NoOdds::TooMany => Refusal::plain("there are too many ways this can turn out to count them"),
    })?;
    let odds::Forecast { odds, ways: gists, gist } = forecast;
    let told = |events: &[R::Event]| events.iter().map(|event| happening(rules, event)).collect();
    let ways = odds.ways.iter().zip(gists).map(|(way, gist)| {
        let mut events: Vec<Happening> = told(&way.events);
        events.extend(way.broken_off.as_ref().map(|why| Happening {
            fields: vec![("why", FieldTold::Word(why.clone()))],
            ..Happening::plain("broken-off", Text::plain(format!("broken off: {why}")), "")
        }));
        WayTold { chance: way.chance.to_string(), p: way.chance.as_f64(), events, gist }
    });
    let side = odds::decider(rules, state);
    Ok(Prospect { account: told(&odds.account), ways: ways.collect(), gist, side })
}

pub(crate) fn happenings<R: Rulebook>(rules: &R, told: &[Told<R::Event>], viewer: Viewer) -> Vec<Happening> {
    told.iter()
        .filter_map(|told| told.to(viewer))
        .map(|entry| match entry {
            Entry::Event(event) => happening(rules, &event),
            Entry::Roll(roll) => Happening {
                fields: vec![
                    ("side", FieldTold::Word(roll.side.word().to_owned())),
                    ("die", FieldTold::Number(roll.faces.into())),
                    ("result", FieldTold::Number(roll.result.into())),
                    ("for", FieldTold::Word(roll.purpose.to_owned())),
                ],
                roll: Some(roll),
                ..Happening::plain("roll", roll_text(rules, &roll), roll.case.0)
            },
        })
        .collect()
}

fn roll_text(lexicon: &dyn Lexicon, roll: &Roll) -> Text {
    let mut text = Text::plain(lexicon.sides()[roll.side]);
    text.words(" rolls ");
    text.push(Span::Number(roll.result.to_string()));
    text.words(format!(" on a d{} for {}", roll.faces, roll.purpose));
    text
}

fn happening<R: Rulebook>(rules: &R, event: &R::Event) -> Happening {
    let form = event.form();
    let mut happening = Happening::plain(form.name, event.text(rules), rules.case_of(event).0);
    happening.role = form.role;
    for (field, word) in form.fields.iter().zip(event.words(rules)) {
        let value = match (field.kind, word.parse::<i64>()) {
            _ if word == HIDDEN => FieldTold::Hidden,
            ("number", Ok(number)) => FieldTold::Number(number),
            ("hex", _) => {
                happening.hexes.push(word.clone());
                FieldTold::Word(word)
            }
            ("unit" | "units", _) => {
                let names = word.split(',').filter(|name| *name != "-");
                happening.units.extend(names.map(str::to_owned));
                FieldTold::Word(word)
            }
            _ => FieldTold::Word(word),
        };
        happening.fields.push((field.name, value));
    }
    happening
}
