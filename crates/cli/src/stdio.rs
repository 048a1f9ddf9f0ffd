//! `engine`: games for programs in any language, one JSON object a line each way. docs/engine.md has the commands.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::{mem, thread};

use engine::shelf::{AnyGame, Happening, Refusal};
use engine::{BySide, Seed, Side, Viewer};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use source::{Faults, Source};
use staff::{AnyOpponent, Budget, Level, Signals};

use crate::args::{Bound, Engine};
use crate::input;
use crate::library::{Library, Volume};
use crate::output::Failure;

/// What the commands are; another number when one of them means something else.
const PROTOCOL: u64 = 1;

/// The most games that are kept at once.
const MOST_GAMES: usize = 10_000;

/// Answers lines of standard input until it ends, or `quit`.
pub(crate) fn engine(args: &Engine, library: &Library) -> Result<(), Failure> {
    let thinking = Arc::new(Mutex::new(None::<Arc<Signals>>));
    let (send, lines) = mpsc::channel();
    let ears = thinking.clone();
    // A thread of its own listens, so that `stop` is heard while an opponent thinks.
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            let request = serde_json::from_str::<Value>(&line).map_err(|error| error.to_string());
            if request.as_ref().is_ok_and(|request| request["cmd"] == "stop") {
                let thinker = ears.lock().unwrap_or_else(PoisonError::into_inner).clone();
                thinker.inspect(|thinker| thinker.hurry());
            }
            if send.send(request).is_err() {
                return;
            }
        }
    });
    let mut desk =
        Desk { library, side: args.side.map(Bound::side), games: BTreeMap::new(), made: 0, thinking };
    for request in lines {
        let id = request.as_ref().map(|request| request["id"].clone()).unwrap_or_default();
        let quits = request.as_ref().is_ok_and(|request| request["cmd"] == "quit");
        let answer = request.map_err(|error| Wrong::new("json", error)).and_then(|it| desk.answer(&it));
        let mut line = Map::from_iter([("id".to_owned(), id)]);
        match answer {
            Ok(fields) => line.extend(fields),
            Err(wrong) => {
                line.insert("error".to_owned(), wrong.json());
            }
        }
        // Whoever does not listen any more wants no more answers.
        if writeln!(io::stdout(), "{}", Value::Object(line)).and_then(|()| io::stdout().flush()).is_err() {
            break;
        }
        if quits {
            break;
        }
    }
    Ok(())
}

type Fields = Map<String, Value>;

/// Why a command was not carried out. Nothing has changed.
struct Wrong {
    code: &'static str,
    case: Option<&'static str>,
    why: String,
}

impl Wrong {
    fn new(code: &'static str, why: impl Into<String>) -> Wrong {
        Wrong { code, case: None, why: why.into() }
    }

    fn json(&self) -> Value {
        json!({ "code": self.code, "case": self.case, "why": self.why })
    }
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        Wrong { code: "refused", case: refusal.case, why: refusal.why.to_string() }
    }
}

impl From<Faults> for Wrong {
    fn from(faults: Faults) -> Wrong {
        Wrong::new("input", faults.to_string().trim_end())
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        match failure {
            Failure::Input(why) => Wrong::new("input", why),
            Failure::No => Wrong::new("input", "no"),
        }
    }
}

/// A game, and the sides that the program plays in it.
struct Match {
    game: Box<dyn AnyGame>,
    seats: BySide<Option<Box<dyn AnyOpponent>>>,
}

/// All games, and whose eyes look at them.
struct Desk<'l> {
    library: &'l Library,
    /// The side that the caller plays; nobody for a referee, who sees all.
    side: Option<Side>,
    games: BTreeMap<u64, Match>,
    made: u64,
    /// Who thinks just now.
    thinking: Arc<Mutex<Option<Arc<Signals>>>>,
}

impl Desk<'_> {
    fn answer(&mut self, request: &Value) -> Result<Fields, Wrong> {
        match text(request, "cmd")? {
            "hello" => self.hello(request),
            "new" => self.new_game(request),
            "open" => self.open(request),
            "ask" => self.ask(request),
            "act" => self.act(request),
            "check" => self.check(request),
            "odds" => self.odds(request),
            "threat" => self.threat(request),
            "explain" => self.explain(request),
            "routes" => self.routes(request),
            "advise" => self.advise(request),
            "play" => self.play(request),
            "undo" => self.undo(request),
            "clone" => self.copy(request),
            "imagine" => self.imagine(request),
            "record" => self.told_to_referees(request, |game| json!({ "record": game.record(true) })),
            "situation" => self.told_to_referees(request, |game| json!({ "situation": game.situation() })),
            "hash" => self.told_to_referees(request, |game| json!({ "hash": digest(&game.situation()) })),
            "close" => {
                self.held(request)?;
                self.games.remove(&number(request, "game")?);
                Ok(Fields::new())
            }
            "stop" | "quit" => Ok(Fields::new()),
            other => Err(Wrong::new("command", format!("there is no command `{other}`"))),
        }
    }

    fn hello(&self, request: &Value) -> Result<Fields, Wrong> {
        if !request["protocol"].is_null() && number(request, "protocol")? != PROTOCOL {
            return Err(Wrong::new("protocol", format!("this program speaks protocol {PROTOCOL}")));
        }
        let books = self.library.volumes.iter().map(book);
        Ok(fields(json!({
            "program": concat!("grognard ", env!("CARGO_PKG_VERSION")),
            "protocol": PROTOCOL,
            "side": self.side.map(Side::word),
            "books": books.collect::<Vec<_>>(),
        })))
    }

    fn new_game(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let (volume, scenario) = self.library.split(text(request, "scenario")?)?;
        let seed = self.seed(request)?;
        let options = strings(request, "options")?;
        let game = volume.rulebook.start(&volume.data, scenario, &options, seed)?;
        self.hold(game)
    }

    /// The seed that a referee gives; a side's dice are drawn by lot.
    fn seed(&self, request: &Value) -> Result<Seed, Wrong> {
        let seed = optional(request, "seed")?;
        match self.side {
            Some(_) if seed.is_some() => Err(Wrong::new("hidden", "a side does not choose its dice")),
            _ => Ok(input::seed_or_lot(seed)),
        }
    }

    fn open(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let source = Source::new("text", text(request, "text")?);
        let seed = self.seed(request)?;
        let game = input::open(&source, self.library, Some(&seed.0))?;
        self.hold(game)
    }

    fn hold(&mut self, game: Box<dyn AnyGame>) -> Result<Fields, Wrong> {
        if self.games.len() >= MOST_GAMES {
            return Err(Wrong::new("games", format!("{MOST_GAMES} games are open: close some")));
        }
        self.made += 1;
        self.games.insert(self.made, Match { game, seats: BySide::default() });
        Ok(fields(json!({ "game": self.made })))
    }

    fn held(&self, request: &Value) -> Result<&Match, Wrong> {
        let wanted = number(request, "game")?;
        self.games.get(&wanted).ok_or_else(|| Wrong::new("game", format!("there is no game {wanted}")))
    }

    fn held_mut(&mut self, request: &Value) -> Result<&mut Match, Wrong> {
        let wanted = number(request, "game")?;
        self.games.get_mut(&wanted).ok_or_else(|| Wrong::new("game", format!("there is no game {wanted}")))
    }

    /// Whose eyes look: the side's, or those that a referee names.
    fn viewer(&self, request: &Value) -> Result<Viewer, Wrong> {
        match (self.side, optional(request, "eyes")?) {
            (Some(side), None) => Ok(Viewer::Side(side)),
            (Some(side), Some(eyes)) if eyes == side.word() => Ok(Viewer::Side(side)),
            (Some(side), Some(_)) => {
                Err(Wrong::new("hidden", format!("this program looks with {side} eyes")))
            }
            (None, None | Some("all")) => Ok(Viewer::Referee),
            (None, Some("observer")) => Ok(Viewer::Observer),
            (None, Some(eyes)) => {
                Side::from_word(eyes).map(Viewer::Side).map_err(|wrong| Wrong::new("field", wrong))
            }
        }
    }

    fn ask(&self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let held = self.held(request)?;
        let mut answer = self.question(&*held.game);
        for want in strings(request, "want")? {
            let found = match want.as_str() {
                "answers" if self.decides(&*held.game) => {
                    held.game.actions().into_iter().map(|answer| answer.action).collect()
                }
                "answers" => json!([]),
                "sentences" if self.decides(&*held.game) => {
                    held.game.actions().iter().map(engine::shelf::Answer::json).collect()
                }
                "sentences" => json!([]),
                "unasked" => {
                    let sides = self.side.map_or(Side::BOTH.to_vec(), |side| vec![side]);
                    let unasked = sides.into_iter().map(|side| {
                        let lines: Vec<String> =
                            held.game.interjections(side).into_iter().map(|answer| answer.action).collect();
                        (side.word().to_owned(), json!(lines))
                    });
                    Value::Object(unasked.collect())
                }
                "view" => serde_json::to_value(held.game.view(viewer)).unwrap_or_default(),
                "events" => {
                    let from = request["from"].as_u64().unwrap_or_default() as usize;
                    events_since(&*held.game, from, viewer)
                }
                other => {
                    let known = "answers, sentences, unasked, view, events";
                    return Err(Wrong::new("field", format!("nobody can want `{other}`; expected {known}")));
                }
            };
            answer.insert(want, found);
        }
        Ok(answer)
    }

    /// True when what is asked is the caller's to answer.
    fn decides(&self, game: &dyn AnyGame) -> bool {
        game.question().side.is_some_and(|side| self.side.is_none_or(|own| own == side))
    }

    /// What the game stands at. The enemy's question is his own.
    fn question(&self, game: &dyn AnyGame) -> Fields {
        let question = game.question();
        let mut object = fields(question.json());
        object.insert("decision".to_owned(), json!(game.len()));
        object.insert("over".to_owned(), json!(question.side.is_none()));
        if question.side.is_some() && !self.decides(game) {
            object.remove("prompt");
            object.remove("case");
        }
        object
    }

    /// Carries out answers, by number or in notation: all of them, or none when one is refused; but nothing after a die or a
    /// reveal, or when somebody else is asked.
    fn act(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let side = self.side;
        let held = self.held_mut(request)?;
        let before = held.game.len();
        if !request["decision"].is_null() && number(request, "decision")? != before as u64 {
            return Err(Wrong::new("stale", format!("the game stands at decision {before}")));
        }
        let answers = match &request["answer"] {
            Value::Array(answers) => answers.clone(),
            Value::Null => return Err(Wrong::new("field", "`answer` is missing")),
            answer => vec![answer.clone()],
        };
        for (place, answer) in answers.iter().enumerate() {
            if place > 0 && held.game.may_undo(None).is_err() {
                break;
            }
            let done = line_of(&*held.game, answer, side)
                .and_then(|line| held.game.act_as(side, &line, viewer).map_err(Wrong::from));
            if let Err(wrong) = done {
                while held.game.len() > before && held.game.undo(None).is_ok() {}
                return Err(wrong);
            }
        }
        let done = held.game.len() - before;
        let stuck = held.go_on();
        let told = events_since(&*held.game, before, viewer);
        stuck?;
        let mut object = self.ask(request)?;
        object.insert("done".to_owned(), json!(done));
        object.insert("events".to_owned(), told);
        Ok(object)
    }

    fn check(&self, request: &Value) -> Result<Fields, Wrong> {
        let held = self.held(request)?;
        self.expect_decider(&*held.game)?;
        held.game.position().check(text(request, "answer")?)?;
        Ok(fields(json!({ "allowed": true })))
    }

    fn expect_decider(&self, game: &dyn AnyGame) -> Result<(), Wrong> {
        if self.decides(game) { Ok(()) } else { Err(Wrong::new("refused", "another side is asked")) }
    }

    fn odds(&self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let held = self.held(request)?;
        self.expect_decider(&*held.game)?;
        let lines = match &request["answer"] {
            Value::String(line) => vec![line.clone()],
            _ => strings(request, "answer")?,
        };
        let supposed = held.game.position().as_supposed_by(viewer);
        Ok(fields(supposed.odds(&lines, viewer)?.json()))
    }

    fn threat(&self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let supposed = self.held(request)?.game.position().as_supposed_by(viewer);
        Ok(fields(supposed.threat(text(request, "hex")?, viewer)?.json()))
    }

    fn explain(&self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let supposed = self.held(request)?.game.position().as_supposed_by(viewer);
        let proofs = supposed.explain(text(request, "unit")?, viewer)?;
        Ok(fields(
            json!({ "proofs": proofs.iter().map(engine::shelf::Explanation::json).collect::<Vec<_>>() }),
        ))
    }

    fn routes(&self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let held = self.held(request)?;
        self.expect_decider(&*held.game)?;
        let routes = held.game.position().as_supposed_by(viewer).routes(optional(request, "unit")?);
        let route = |path: &engine::position::Path| {
            let hexes: Vec<&str> = path.legs.iter().map(|leg| leg.hex.as_str()).collect();
            json!({ "answer": path.line, "from": path.from, "cost": path.cost, "has": path.has, "hexes": hexes })
        };
        Ok(fields(json!({ "routes": routes.iter().map(route).collect::<Vec<_>>() })))
    }

    /// What an opponent would answer in the place of the side that is asked, and why.
    fn advise(&self, request: &Value) -> Result<Fields, Wrong> {
        let held = self.held(request)?;
        self.expect_decider(&*held.game)?;
        let Some(side) = held.game.question().side else {
            return Err(Wrong::new("refused", "the game is over"));
        };
        let mut adviser = self.opponent(&*held.game, side, text(request, "level")?, request)?;
        let signals = Arc::new(Signals::default());
        self.listen_for(Some(signals.clone()));
        let chosen = adviser.choose(&*held.game.position(), held.game.len(), &signals);
        self.listen_for(None);
        let line = chosen.ok_or_else(|| Wrong::new("refused", "nothing is asked"))?;
        let place = held.game.actions().iter().position(|answer| answer.action == line);
        let why: Vec<String> = adviser.why().iter().map(ToString::to_string).collect();
        Ok(fields(json!({ "answer": line, "number": place, "why": why })))
    }

    fn listen_for(&self, thinker: Option<Arc<Signals>>) {
        *self.thinking.lock().unwrap_or_else(PoisonError::into_inner) = thinker;
    }

    fn opponent(
        &self,
        game: &dyn AnyGame,
        side: Side,
        level: &str,
        request: &Value,
    ) -> Result<Box<dyn AnyOpponent>, Wrong> {
        let level = Level::named(level).map_err(|wrong| Wrong::new("field", wrong))?;
        let book = game.book();
        staff::check_level(book, level).map_err(|wrong| Wrong::new("field", wrong))?;
        let budget = match (request["nodes"].as_u64(), request["seconds"].as_f64()) {
            (Some(nodes), _) => Budget::nodes(nodes.min(u64::from(u32::MAX)) as u32),
            (None, Some(seconds)) => Budget::seconds(seconds),
            _ => Budget::default(),
        };
        let luck = input::seed_or_lot(optional(request, "luck")?);
        let volume = self.library.volume(book.name)?;
        Ok(staff::seat(book, &*game.position(), &volume.data, side, level, budget, &luck)?)
    }

    /// Seats opponents. With one of them it answers whenever its side is asked; with both the game is played to its end.
    fn play(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let viewer = self.viewer(request)?;
        let mut seats = BySide::default();
        let held = self.held(request)?;
        for side in Side::BOTH {
            let Some(level) = optional(request, side.word())? else { continue };
            if self.side == Some(side) {
                return Err(Wrong::new("refused", format!("{side} is played by you")));
            }
            seats[side] = Some(self.opponent(&*held.game, side, level, request)?);
        }
        let held = self.held_mut(request)?;
        let before = held.game.len();
        held.seats = seats;
        held.go_on()?;
        let told = events_since(&*held.game, before, viewer);
        let mut object = self.ask(request)?;
        object.insert("events".to_owned(), told);
        Ok(object)
    }

    fn undo(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let side = self.side;
        let held = self.held_mut(request)?;
        let line = held.game.undo(side).map_err(|why| Wrong::new("refused", why))?;
        let mut object = self.ask(request)?;
        object.insert("undone".to_owned(), json!(line));
        Ok(object)
    }

    /// A game that begins here, with dice of its own and the same opponents: with their plans, and with luck of their own
    /// where `luck` is given.
    fn copy(&mut self, request: &Value) -> Result<Fields, Wrong> {
        self.expect_referee(&*self.held(request)?.game)?;
        let luck = optional(request, "luck")?.map(|luck| Seed(luck.to_owned()));
        let held = self.held(request)?;
        let text = held.game.situation();
        let copied = |seat: &Option<Box<dyn AnyOpponent>>| {
            let mut copy = seat.as_ref()?.copied();
            luck.iter().for_each(|luck| copy.reseed(luck));
            Some(copy)
        };
        let seats = BySide { axis: copied(&held.seats.axis), soviet: copied(&held.seats.soviet) };
        let begun = self.begin_at(text, request)?;
        if let Some(copy) = self.games.get_mut(&self.made) {
            copy.seats = seats;
        }
        Ok(begun)
    }

    /// A game that begins at a position that looks the same to a side, with all that it does not see dealt anew.
    fn imagine(&mut self, request: &Value) -> Result<Fields, Wrong> {
        let side = match self.side {
            Some(side) => side,
            None => Side::from_word(text(request, "side")?).map_err(|wrong| Wrong::new("field", wrong))?,
        };
        let deal = Seed(optional(request, "deal")?.unwrap_or_default().to_owned());
        let text = self.held(request)?.game.position().imagined_by(side, &deal).situation();
        self.begin_at(text, request)
    }

    fn begin_at(&mut self, text: String, request: &Value) -> Result<Fields, Wrong> {
        let seed = input::seed_or_lot(optional(request, "seed")?);
        let game = input::open(&Source::new("position", text), self.library, Some(&seed.0))?;
        self.hold(game)
    }

    fn expect_referee(&self, game: &dyn AnyGame) -> Result<(), Wrong> {
        match self.side {
            Some(_) if game.question().side.is_some() => Err(Wrong::new(
                "hidden",
                "this would tell what your side does not see: ask when the game is over",
            )),
            _ => Ok(()),
        }
    }

    fn told_to_referees(
        &self,
        request: &Value,
        tell: impl Fn(&dyn AnyGame) -> Value,
    ) -> Result<Fields, Wrong> {
        let game = &*self.held(request)?.game;
        self.expect_referee(game)?;
        Ok(fields(tell(game)))
    }
}

impl Match {
    /// Lets the opponents answer until somebody else is asked.
    fn go_on(&mut self) -> Result<(), Wrong> {
        while let Some(side) = self.game.question().side {
            let Some(opponent) = &mut self.seats[side] else { return Ok(()) };
            let line = opponent.choose(&*self.game.position(), self.game.len(), &Signals::default());
            let line = line.ok_or_else(|| Wrong::new("opponent", format!("{side} finds no answer")))?;
            self.game.act(&line, Viewer::Referee)?;
        }
        Ok(())
    }
}

/// A rulebook, its scenarios and its opponents.
fn book(volume: &Volume) -> Value {
    let book = volume.rulebook.book();
    let name = |scenario: &str| format!("{}/{scenario}", book.name);
    let scenarios: Vec<String> = volume.data.under("scenarios").map(|(scenario, _)| name(scenario)).collect();
    let forms = volume.rulebook.action_forms().iter().map(|form| form.name);
    json!({
        "name": book.name,
        "title": book.title,
        "rules": book.rules,
        "data": volume.data.mark(None),
        "options": book.options.iter().map(|switch| switch.name).collect::<Vec<_>>(),
        "scenarios": scenarios,
        "forms": forms.collect::<Vec<_>>(),
        "levels": staff::levels(book.name).iter().map(|level| level.name()).collect::<Vec<_>>(),
    })
}

/// An answer by its number among those listed, or in notation.
fn line_of(game: &dyn AnyGame, answer: &Value, side: Option<Side>) -> Result<String, Wrong> {
    match answer {
        Value::String(line) => Ok(line.clone()),
        Value::Number(place) => {
            if side.is_some() && game.question().side != side {
                return Err(Wrong::new("refused", "another side is asked"));
            }
            let mut answers = game.actions();
            let count = answers.len();
            let place = place.as_u64().map_or(usize::MAX, |place| place as usize);
            match answers.get_mut(place) {
                Some(found) => Ok(mem::take(&mut found.action)),
                None => Err(Wrong::new("field", format!("{count} answers are listed, numbered from 0"))),
            }
        }
        _ => Err(Wrong::new("field", "`answer` should be a number, an action, or a list of them")),
    }
}

/// What a viewer was told since an action.
fn events_since(game: &dyn AnyGame, from: usize, viewer: Viewer) -> Value {
    let told = (from..game.len()).filter_map(|action| game.entry(action, viewer));
    told.flat_map(|(_, _, events)| events).map(|event| Happening::json(&event)).collect()
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fields(object: Value) -> Fields {
    match object {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

fn text<'r>(request: &'r Value, key: &str) -> Result<&'r str, Wrong> {
    optional(request, key)?.ok_or_else(|| Wrong::new("field", format!("`{key}` is missing")))
}

fn optional<'r>(request: &'r Value, key: &str) -> Result<Option<&'r str>, Wrong> {
    match &request[key] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err(Wrong::new("field", format!("`{key}` should be a text"))),
    }
}

fn number(request: &Value, key: &str) -> Result<u64, Wrong> {
    request[key].as_u64().ok_or_else(|| Wrong::new("field", format!("`{key}` should be a number")))
}

fn strings(request: &Value, key: &str) -> Result<Vec<String>, Wrong> {
    let wrong = || Wrong::new("field", format!("`{key}` should be a list of texts"));
    match &request[key] {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => {
            list.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}
