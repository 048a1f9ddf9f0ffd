//! All games: made, found, opened from the store, changed, and told about.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::position::AnyPosition;
use engine::shelf::{AnyGame, AnyRulebook};
use engine::{Book, BySide, Data, Record, Seed, Side, record, situation};
use source::{Faults, Source};
use tokio::sync::{Mutex as AsyncMutex, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use crate::convert::{self, plain};
use crate::maps::Maps;
use crate::opponents::{self, Choice, Opponent};
use crate::seats::{self, Seat};
use crate::store::{self, Kept, Store, Whole, Write};
use crate::table::{self, Changed, Reply, Sitter, Table};
use crate::wire::{self, Refusal};

/// A rulebook and the data it is played with.
pub struct Volume {
    /// The rulebook.
    pub rulebook: &'static dyn AnyRulebook,
    /// Its files.
    pub data: Data,
}

/// How many games may lie open that nobody looks at.
const OPEN_AND_IDLE: usize = 256;

/// How often it is told how far an opponent is.
const TELL: Duration = Duration::from_millis(300);

/// The longest that a general may think about a phase, in seconds.
const LONGEST_THOUGHT: u32 = 300;

/// The most bytes of a record or situation that is sent.
const LARGEST_FILE: usize = 1 << 20;

/// The most actions of a record that is sent: the longest game of any rulebook has no more.
const LONGEST_RECORD: usize = 60_000;

/// The most letters of a player's name or a file's.
const LONGEST_NAME: usize = 100;

/// How many seats may be asked about at once.
const MAX_SECRETS: usize = 200;

/// All games.
pub(crate) struct Games {
    volumes: Arc<Vec<Volume>>,
    library: wire::Library,
    store: Store,
    /// The maps of the games that were opened.
    pub(crate) maps: Arc<Maps>,
    tables: Mutex<HashMap<String, Arc<Handle>>>,
    /// Held while a game is opened, so that it is opened once.
    opening: AsyncMutex<()>,
    /// Files that are sent are read one at a time.
    reading: Semaphore,
    /// Work that takes long is done by as many threads as there are permits.
    workers: Semaphore,
    /// Generals think on threads of their own, so that they keep no question and no other opponent waiting.
    generals: Semaphore,
}

/// An open game.
pub(crate) struct Handle {
    id: String,
    table: AsyncMutex<Table>,
    /// What everybody at the table is waiting for.
    pub(crate) pulse: watch::Sender<Pulse>,
    opponents: BySide<Option<Arc<Opponent>>>,
    /// An opponent is at work.
    thinking: AtomicBool,
}

/// What changes at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pulse {
    /// The number of the present decision.
    pub(crate) decision: u32,
    /// The program decides next.
    pub(crate) program: bool,
    /// The opponent that has been at work for a while.
    pub(crate) thinking: Option<Thinking>,
    /// Who is there.
    pub(crate) present: Present,
    /// The game must be opened anew.
    pub(crate) closed: bool,
}

/// An opponent at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thinking {
    side: Side,
    /// How far it is, in thousandths.
    progress: u32,
}

/// How many sit where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Present {
    axis: u32,
    soviet: u32,
    observers: u32,
}

/// What a change of the game gave.
pub(crate) struct Done {
    /// How the game stands.
    pub(crate) update: wire::Update,
    /// How many lines were carried out.
    pub(crate) done: u32,
    /// Why not all were.
    pub(crate) stopped: Option<Refusal>,
}

/// A change that a seat asks for.
pub(crate) enum Change {
    /// Actions.
    Act(Vec<String>),
    /// Takes the last action back.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// What an opponent has chosen for its side.
    Play(Side, Choice),
}

/// Why there is no way to a game.
#[derive(Clone, Debug)]
pub(crate) enum NoGame {
    /// The secret opens nothing.
    Unknown,
    /// The game cannot be opened.
    Trouble(String),
}

impl Games {
    /// All games of a store.
    pub(crate) fn new(volumes: Vec<Volume>, store: Store) -> Result<Games, Faults> {
        let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Ok(Games {
            library: library(&volumes)?,
            volumes: Arc::new(volumes),
            store,
            maps: Arc::default(),
            tables: Mutex::default(),
            opening: AsyncMutex::default(),
            reading: Semaphore::new(1),
            workers: Semaphore::new(workers),
            generals: Semaphore::new(workers),
        })
    }

    /// What can be played.
    pub(crate) fn library(&self) -> &wire::Library {
        &self.library
    }

    /// A rulebook by its name.
    pub(crate) fn volume(&self, name: &str) -> Option<&Volume> {
        self.volumes.iter().find(|volume| volume.rulebook.book().name == name)
    }

    /// Makes a game of a scenario.
    pub(crate) async fn create(&self, new: wire::NewGame) -> Result<wire::Created, Faults> {
        let Some((rulebook, scenario)) = new.scenario.split_once('/') else {
            return Err(fault("scenario", format!("`{}` should be named rulebook/scenario", new.scenario)));
        };
        let place = place_of(&self.volumes, rulebook)?;
        let (volumes, name) = (self.volumes.clone(), scenario.to_owned());
        let seed_chosen = new.seed.is_some();
        let seed = Seed(new.seed.map_or_else(random, Ok)?);
        let game = blocking(move || {
            let volume = &volumes[place];
            volume.rulebook.start(&volume.data, &name, &new.options, seed)
        })
        .await??;
        let scenarios = self.library.rulebooks[place].scenarios.iter();
        let title = scenarios.filter(|info| info.name == scenario).map(|info| info.title.clone()).next();
        let title = title.unwrap_or_else(|| scenario.to_owned());
        self.keep(game, place, title, seed_chosen, new.players, new.opponents).await
    }

    /// Makes a game of a record or situation. Whatever the file holds, it is read by one thread, a file after the other.
    pub(crate) async fn open_file(&self, file: wire::OpenFile) -> Result<wire::Created, Faults> {
        check_file(&file)?;
        let source = Source::new(file.name.clone(), file.text);
        let volumes = self.volumes.clone();
        let seed = Seed(random()?);
        let reading = self.reading.acquire().await.map_err(|_| fault("", "the server is closing"))?;
        let (game, place, is_record) = blocking(move || read_file(&volumes, &source, seed)).await??;
        drop(reading);
        self.keep(game, place, file.name, is_record, file.players, file.opponents).await
    }

    /// Puts a new game into the store, and makes its seats.
    async fn keep(
        &self,
        mut game: Box<dyn AnyGame>,
        place: usize,
        title: String,
        seed_chosen: bool,
        players: wire::Both<wire::NewPlayer>,
        opponents: wire::OpponentSettings,
    ) -> Result<wire::Created, Faults> {
        let book = self.volumes[place].rulebook.book();
        if !(1..=LONGEST_THOUGHT).contains(&opponents.seconds) {
            let found = opponents.seconds;
            return Err(fault("seconds", format!("expected 1 to {LONGEST_THOUGHT}, found {found}")));
        }
        for (side, player) in [(Side::Axis, &players.axis), (Side::Soviet, &players.soviet)] {
            check_player(book, player)?;
            if !player.name.is_empty() {
                game.name_player(side, &player.name);
            }
        }
        let levels = [players.axis.level, players.soviet.level];
        let seats = seats_for(&levels)?;
        let kept = Kept {
            id: random()?,
            rulebook: book.name.to_owned(),
            rules: book.rules,
            title,
            players: [players.axis.name, players.soviet.name],
            head: head(&*game, &random()?),
            seed_chosen: seed_chosen || game.seed().is_none(),
            levels,
            seconds: opponents.seconds,
            open_thoughts: opponents.open_thoughts,
            decision: 1,
            changed: store::now(),
            standing: table::standing(&*game),
        };
        let created = wire::Created { id: kept.id.clone(), seats: seats.iter().map(wire_seat).collect() };
        let write = Write::Create { kept: Box::new(kept), lines: table::record_lines(&*game), seats };
        self.store.write(write).await.map_err(|error| fault("", format!("could not be kept: {error}")))?;
        Ok(created)
    }

    /// The open game and the seat of a secret.
    pub(crate) async fn enter(self: &Arc<Self>, secret: &str) -> Result<(Arc<Handle>, Seat), NoGame> {
        let seat = self.store.seat(secret).await.map_err(|error| NoGame::Trouble(error.to_string()))?;
        let (game, seat) = seat.ok_or(NoGame::Unknown)?;
        Ok((self.handle(&game).await?, seat))
    }

    async fn handle(self: &Arc<Self>, id: &str) -> Result<Arc<Handle>, NoGame> {
        if let Some(handle) = self.open_tables().get(id) {
            return Ok(handle.clone());
        }
        let _opening = self.opening.lock().await;
        if let Some(handle) = self.open_tables().get(id) {
            return Ok(handle.clone());
        }
        let (table, opponents) = self.load(id).await?;
        let program = table.program_decides().is_some();
        let pulse = Pulse { decision: table.decision(), program, ..Pulse::default() };
        let handle = Arc::new(Handle {
            id: id.to_owned(),
            table: AsyncMutex::new(table),
            pulse: watch::Sender::new(pulse),
            opponents,
            thinking: AtomicBool::new(false),
        });
        let mut tables = self.open_tables();
        if tables.len() >= OPEN_AND_IDLE {
            tables.retain(|_, handle| Arc::strong_count(handle) > 1);
        }
        tables.insert(id.to_owned(), handle.clone());
        drop(tables);
        self.think(&handle);
        Ok(handle)
    }

    async fn load(&self, id: &str) -> Result<(Table, BySide<Option<Arc<Opponent>>>), NoGame> {
        let whole = self.store.game(id).await.map_err(|error| NoGame::Trouble(error.to_string()))?;
        let whole = whole.ok_or(NoGame::Unknown)?;
        if let Some(trouble) = self.trouble(&whole.kept) {
            return Err(NoGame::Trouble(trouble));
        }
        let place = place_of(&self.volumes, &whole.kept.rulebook)
            .map_err(|faults| NoGame::Trouble(faults.to_string()))?;
        let (volumes, maps) = (self.volumes.clone(), self.maps.clone());
        let opened = blocking(move || {
            let volume = &volumes[place];
            let text = format!("{}\n{}\n", whole.kept.head, whole.lines.join("\n"));
            let game = volume.rulebook.open(&volume.data, &Source::new("the game's record", text), None)?;
            let kept = whole.kept.clone();
            let table = Table::new(game, volume.rulebook, whole, &maps).map_err(|wrong| fault("", wrong))?;
            let position = table.position();
            let seat = |side: Side| {
                let level = table.levels()[side];
                let seated =
                    level.map(|level| Opponent::new(&volumes, place, &kept, side, level, &*position));
                Ok::<_, Faults>(seated.transpose()?.map(Arc::new))
            };
            let opponents = BySide { axis: seat(Side::Axis)?, soviet: seat(Side::Soviet)? };
            Ok((table, opponents))
        });
        let opened = opened.await.and_then(|opened| opened);
        opened.map_err(|faults| NoGame::Trouble(faults.to_string()))
    }

    /// Why a game cannot be played on by this program.
    fn trouble(&self, kept: &Kept) -> Option<String> {
        let Some(volume) = self.volume(&kept.rulebook) else {
            return Some(format!("this program has no rulebook `{}`", kept.rulebook));
        };
        let rules = volume.rulebook.book().rules;
        (rules != kept.rules).then(|| {
            format!(
                "this game was begun with version {} of the rules of {}; this program has version {rules}, by which the \
                 same actions may lead to another game",
                kept.rules, kept.rulebook
            )
        })
    }

    fn open_tables(&self) -> MutexGuard<'_, HashMap<String, Arc<Handle>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a change and keeps it. When this returns without an error it is on the disk, and everybody at the table is
    /// being told.
    ///
    /// It goes on to its end even when whoever asked for it has gone away.
    pub(crate) async fn change(
        self: &Arc<Self>,
        handle: &Arc<Handle>,
        sitter: Sitter,
        decision: u32,
        change: Change,
    ) -> Result<Done, Refusal> {
        let (games, handle) = (self.clone(), handle.clone());
        let changing = tokio::spawn(async move { games.change_now(&handle, sitter, decision, change).await });
        changing.await.unwrap_or_else(|_| Err(plain("the server is closing")))
    }

    async fn change_now(
        self: &Arc<Self>,
        handle: &Arc<Handle>,
        sitter: Sitter,
        decision: u32,
        change: Change,
    ) -> Result<Done, Refusal> {
        let mut table = handle.table.lock().await;
        let by_person = !matches!(change, Change::Play(..));
        let interrupted = handle.at_work(&table).filter(|_| by_person);
        if handle.pulse.borrow().closed {
            return Err(plain("the game was closed; connect again"));
        }
        let Changed { write, done, stopped } = match change {
            Change::Act(lines) => table.act(sitter, decision, &lines)?,
            Change::Undo => table.undo(sitter, decision)?,
            Change::Redo => table.redo(sitter, decision)?,
            Change::Play(side, choice) => table.play(sitter, decision, side, choice)?,
        };
        // Whatever an opponent was thinking about is no more.
        if let Some(opponent) = interrupted {
            opponent.hurry();
        }
        if let Err(error) = self.store.write(write).await {
            // Memory is ahead of the disk: the game is opened anew from what was kept.
            self.open_tables().remove(&handle.id);
            handle.pulse.send_modify(|pulse| pulse.closed = true);
            return Err(plain(format!("could not be kept: {error}")));
        }
        let update = table.update(sitter, Some(decision));
        handle.pulse.send_modify(|pulse| {
            pulse.decision = table.decision();
            pulse.program = table.program_decides().is_some();
        });
        drop(table);
        self.think(handle);
        Ok(Done { update, done, stopped })
    }

    /// Lets an opponent play, if it is its turn.
    fn think(self: &Arc<Self>, handle: &Arc<Handle>) {
        if handle.thinking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (games, handle) = (self.clone(), handle.clone());
        tokio::spawn(async move {
            let mut tell = interval_at(Instant::now() + TELL, TELL);
            tell.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                let failed = loop {
                    match games.opponent_acts(&handle, &mut tell).await {
                        Some(true) => {}
                        Some(false) => break false,
                        None => break true,
                    }
                };
                handle.pulse.send_if_modified(|pulse| pulse.thinking.take().is_some());
                handle.thinking.store(false, Ordering::Release);
                // It may have become its turn after the last look and before the flag was lowered.
                let again = !failed && handle.table.lock().await.program_decides().is_some();
                if !again || handle.thinking.swap(true, Ordering::AcqRel) {
                    return;
                }
            }
        });
    }

    /// One action of an opponent: whether it was its turn; nothing when it failed.
    async fn opponent_acts(self: &Arc<Self>, handle: &Arc<Handle>, tell: &mut Interval) -> Option<bool> {
        let table = handle.table.lock().await;
        let decision = table.decision();
        let Some(opponent) = handle.at_work(&table) else { return Some(false) };
        let position = table.position();
        drop(table);
        let side = opponent.side;
        let mut awaited = Awaited { opponent: opponent.clone(), answered: false };
        let mut choosing = Box::pin(self.choose(opponent.clone(), position, decision));
        let choice = loop {
            tokio::select! {
                choice = &mut choosing => break choice?,
                _ = tell.tick() => {
                    let thinking = Thinking { side, progress: opponent.progress() };
                    handle.pulse.send_modify(|pulse| pulse.thinking = Some(thinking));
                }
            }
        };
        awaited.answered = true;
        let sitter = Sitter { seat: Seat::of(side), eyes: Seat::of(side).usual_eyes(Some(side)) };
        match Box::pin(self.change_now(handle, sitter, decision, Change::Play(side, choice))).await {
            Ok(_) => Some(true),
            // Overtaken by an undo: the next round sees how the game stands.
            Err(refusal) if refusal.stale => {
                let position = handle.table.lock().await.position();
                spawn_blocking(move || opponent.think_again(&*position)).await.ok()?.ok()?;
                Some(true)
            }
            Err(_) => None,
        }
    }

    async fn choose(
        &self,
        opponent: Arc<Opponent>,
        position: Box<dyn AnyPosition>,
        decision: u32,
    ) -> Option<Choice> {
        let threads = if opponent.is_slow() { &self.generals } else { &self.workers };
        let _permit = threads.acquire().await.ok()?;
        spawn_blocking(move || opponent.choose(&*position, decision)).await.ok()?
    }

    /// Tells the opponent that decides now to hurry.
    pub(crate) async fn hurry(&self, handle: &Handle, seat: Seat) -> Result<(), Refusal> {
        if seat == Seat::OBSERVER {
            return Err(plain("an observer cannot hurry anybody"));
        }
        let opponent = handle.at_work(&*handle.table.lock().await);
        opponent.ok_or_else(|| plain("no opponent is thinking"))?.hurry();
        Ok(())
    }

    /// Answers a question about a game.
    pub(crate) async fn ask(
        &self,
        handle: &Handle,
        sitter: Sitter,
        ask: wire::Ask,
    ) -> Result<wire::Answer, Refusal> {
        let reply = handle.table.lock().await.ask(sitter, ask)?;
        match reply {
            Reply::Now(answer) => Ok(*answer),
            Reply::Work(work) => {
                let _permit = self.workers.acquire().await.map_err(|_| plain("the server is closing"))?;
                spawn_blocking(work).await.unwrap_or_else(|_| Err(plain("the server is closing")))
            }
        }
    }

    /// The games of some seats.
    pub(crate) async fn find(&self, secrets: &[String]) -> Result<Vec<wire::GameSummary>, Faults> {
        let mut found: Vec<wire::GameSummary> = Vec::new();
        for secret in secrets.iter().take(MAX_SECRETS) {
            let seat = self.store.seat(secret).await.map_err(|error| fault("", error.to_string()))?;
            let Some((id, seat)) = seat else { continue };
            let seat = wire_seat(&(secret.clone(), seat));
            if let Some(known) = found.iter_mut().find(|game| game.id == id) {
                known.seats.push(seat);
                continue;
            }
            let kept = self.store.game(&id).await.map_err(|error| fault("", error.to_string()))?;
            found.extend(kept.map(|Whole { kept, .. }| self.summary(&kept, vec![seat])));
        }
        Ok(found)
    }

    /// All games with all their seats: for whoever runs the program.
    pub(crate) async fn all(&self) -> Result<Vec<wire::GameSummary>, Faults> {
        let mut found = Vec::new();
        for kept in self.store.games().await.map_err(|error| fault("", error.to_string()))? {
            let seats = self.store.seats_of(&kept.id).await.map_err(|error| fault("", error.to_string()))?;
            found.push(self.summary(&kept, seats.iter().map(wire_seat).collect()));
        }
        Ok(found)
    }

    fn summary(&self, kept: &Kept, seats: Vec<wire::Seat>) -> wire::GameSummary {
        let player =
            |side: usize| wire::Player { name: kept.players[side].clone(), level: kept.levels[side].clone() };
        wire::GameSummary {
            id: kept.id.clone(),
            seats,
            rulebook: kept.rulebook.clone(),
            title: kept.title.clone(),
            players: wire::Both { axis: player(0), soviet: player(1) },
            turn: kept.standing.turn,
            turns: kept.standing.turns,
            phase: kept.standing.phase.clone(),
            side: kept.standing.side.and_then(|word| Side::from_word(word).ok()).map(convert::side),
            at: kept.standing.length,
            changed: kept.changed as f64,
            trouble: self.trouble(kept),
        }
    }
}

impl Handle {
    /// The game itself.
    pub(crate) async fn table(&self) -> tokio::sync::MutexGuard<'_, Table> {
        self.table.lock().await
    }

    /// The opponent that decides now.
    fn at_work(&self, table: &Table) -> Option<Arc<Opponent>> {
        self.opponents[table.program_decides()?].clone()
    }

    /// Somebody sits down; they are gone when what is returned is dropped.
    pub(crate) fn sit(self: &Arc<Self>, seat: Seat) -> Chair {
        self.pulse.send_modify(|pulse| pulse.present.count(seat, 1));
        Chair { handle: self.clone(), seat }
    }
}

/// An opponent that somebody waits for. When the server closes nobody does, and it stops thinking.
struct Awaited {
    opponent: Arc<Opponent>,
    answered: bool,
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if !self.answered {
            self.opponent.hurry();
        }
    }
}

/// Somebody at the table, while it lasts.
pub(crate) struct Chair {
    handle: Arc<Handle>,
    seat: Seat,
}

impl Drop for Chair {
    fn drop(&mut self) {
        self.handle.pulse.send_modify(|pulse| pulse.present.count(self.seat, -1));
    }
}

impl Present {
    fn count(&mut self, seat: Seat, by: i32) {
        if seat == Seat::OBSERVER {
            self.observers = self.observers.saturating_add_signed(by);
        }
        for side in seat.sides() {
            let present = match side {
                Side::Axis => &mut self.axis,
                Side::Soviet => &mut self.soviet,
            };
            *present = present.saturating_add_signed(by);
        }
    }

    /// For the wire; a side that the program plays is always there.
    pub(crate) fn wire(self, table: &Table) -> wire::Presence {
        wire::Presence {
            players: wire::Both {
                axis: self.axis > 0 || table.is_played_by_program(Side::Axis),
                soviet: self.soviet > 0 || table.is_played_by_program(Side::Soviet),
            },
            observers: self.observers,
        }
    }
}

impl Thinking {
    /// For the wire.
    pub(crate) fn wire(self) -> wire::Thinking {
        wire::Thinking { side: convert::side(self.side), progress: f64::from(self.progress) / 1_000.0 }
    }
}

fn library(volumes: &[Volume]) -> Result<wire::Library, Faults> {
    let rulebooks: Result<Vec<wire::RulebookInfo>, Faults> = volumes.iter().map(rulebook_info).collect();
    Ok(wire::Library { version: wire::VERSION, rulebooks: rulebooks? })
}

fn rulebook_info(volume: &Volume) -> Result<wire::RulebookInfo, Faults> {
    let book = volume.rulebook.book();
    let scenario = |(name, about): (String, situation::About)| wire::ScenarioInfo {
        name,
        title: about.title,
        about: about.about,
        length: about.length,
        favours: about.favours,
        options: about.options.into_iter().map(str::to_owned).collect(),
    };
    let option = |switch: &engine::Switch| wire::OptionInfo {
        name: switch.name.to_owned(),
        case: switch.case.0.to_owned(),
        about: switch.about.to_owned(),
    };
    Ok(wire::RulebookInfo {
        name: book.name.to_owned(),
        title: book.title.to_owned(),
        edition: book.edition.to_owned(),
        rules: book.rules,
        sides: convert::both(book.sides, str::to_owned),
        options: book.options.iter().map(option).collect(),
        scenarios: volume.rulebook.scenarios(&volume.data)?.into_iter().map(scenario).collect(),
        levels: opponents::list(book),
    })
}

fn fault(field: &str, message: impl Into<String>) -> Faults {
    let fault =
        source::Fault { file: String::new(), line: 0, field: field.to_owned(), message: message.into() };
    fault.into()
}

fn random() -> Result<String, Faults> {
    seats::secret().map_err(|error| fault("", format!("no randomness: {error}")))
}

fn place_of(volumes: &[Volume], name: &str) -> Result<usize, Faults> {
    let place = volumes.iter().position(|volume| volume.rulebook.book().name == name);
    place.ok_or_else(|| fault("", format!("there is no rulebook `{name:.40}`")))
}

fn check_file(file: &wire::OpenFile) -> Result<(), Faults> {
    if file.text.len() > LARGEST_FILE {
        let (most, found) = (LARGEST_FILE >> 10, file.text.len().div_ceil(1 << 10));
        return Err(fault("text", format!("expected at most {most} KiB, found {found}")));
    }
    if file.name.chars().count() > LONGEST_NAME {
        return Err(fault("name", format!("expected at most {LONGEST_NAME} letters")));
    }
    Ok(())
}

/// The game of a record or situation, the place of its rulebook, and whether it is a record.
fn read_file(
    volumes: &[Volume],
    source: &Source,
    seed: Seed,
) -> Result<(Box<dyn AnyGame>, usize, bool), Faults> {
    let is_record = record::is_record(source);
    let rulebook = match is_record {
        true => {
            let record = Record::parse(source)?;
            if record.len() > LONGEST_RECORD {
                let found = record.len();
                return Err(fault("", format!("expected at most {LONGEST_RECORD} actions, found {found}")));
            }
            record.rulebook().to_owned()
        }
        false => situation::rulebook_of(source)?,
    };
    let place = place_of(volumes, &rulebook)?;
    let volume = &volumes[place];
    Ok((volume.rulebook.open(&volume.data, source, Some(seed))?, place, is_record))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Faults> {
    spawn_blocking(work).await.map_err(|_| fault("", "the server is closing"))
}

fn check_player(book: &Book, player: &wire::NewPlayer) -> Result<(), Faults> {
    if player.name.chars().count() > LONGEST_NAME {
        return Err(fault("name", format!("expected at most {LONGEST_NAME} letters")));
    }
    match player.level.as_deref().map(|name| opponents::level(book, name)) {
        Some(Err(wrong)) => Err(fault("level", wrong)),
        _ => Ok(()),
    }
}

/// A seat for each person, one for both of them together, and one for observers.
fn seats_for(levels: &[Option<String>; 2]) -> Result<Vec<(String, Seat)>, Faults> {
    let persons: Vec<Side> = Side::BOTH
        .into_iter()
        .zip(levels)
        .filter(|(_, level)| level.is_none())
        .map(|(side, _)| side)
        .collect();
    let mut seats: Vec<Seat> = persons.iter().map(|side| Seat::of(*side)).collect();
    if persons.len() == 2 {
        seats.push(Seat::BOTH);
    }
    seats.push(Seat::OBSERVER);
    seats.into_iter().map(|seat| Ok((random()?, seat))).collect()
}

fn wire_seat((secret, seat): &(String, Seat)) -> wire::Seat {
    wire::Seat { sides: seat.wire_sides(), secret: secret.clone() }
}

/// The record of a game up to its first action. The result is not known yet, and a game that has no seed gets one, so
/// that it can be played on.
fn head(game: &dyn AnyGame, seed: &str) -> String {
    let text = game.record(true);
    let lines: Vec<&str> = text.lines().collect();
    let tags = lines[..lines.len().saturating_sub(game.len())].iter();
    let mut head: Vec<&str> = tags.filter(|line| !line.starts_with("[Result ")).copied().collect();
    let new_seed = format!("[Seed \"{seed}\"]");
    if game.seed().is_none() {
        let rulebook = head.iter().position(|line| line.starts_with("[Rulebook ")).unwrap_or(0);
        head.insert(rulebook + 1, &new_seed);
    }
    head.join("\n")
}
