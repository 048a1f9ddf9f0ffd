//! All games: made, found, opened from the store, changed, and told about.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::position::AnyPosition;
use engine::shelf::{AnyGame, AnyRulebook};
use engine::{Book, BySide, Data, Mixture, Record, Seed, Side, record, situation};
use source::{Faults, Source};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use crate::convert::{self, plain};
use crate::maps::Maps;
use crate::opponents::{self, Choice, Opponent};
use crate::seats::{self, Seat};
use crate::store::{self, Kept, Said, Store, Whole, Write};
use crate::table::{self, Changed, Effort, Reader, Reply, Sitter, Table};
use crate::wire::{self, Refusal};
use crate::workshop::Workshop;

/// A rulebook and the data it is played with.
pub struct Volume {
    /// The rulebook.
    pub rulebook: &'static dyn AnyRulebook,
    /// Its files.
    pub data: Data,
}

/// How many games may lie open that nobody looks at.
const OPEN_AND_IDLE: usize = 64;

/// How many steps threads give way to those that serve clicks: games that are opened and questions that may take long, which
/// after a restart come all at once; and generals.
const SLOW_GIVES_WAY: i32 = 10;
const GENERALS_GIVE_WAY: i32 = 19;

/// How long somebody waits for an answer at most.
const LONGEST_QUESTION: Duration = Duration::from_secs(20);

/// How often it is told how far an opponent is.
const TELL: Duration = Duration::from_millis(300);

/// The longest that a general may think about a phase, in seconds.
const LONGEST_THOUGHT: u32 = 300;

/// The most bytes of a record or situation that is sent.
const LARGEST_FILE: usize = 3 << 20;

/// The most actions of a record that is sent: twice as many as any rulebook thinks possible.
const LONGEST_RECORD: usize = 120_000;

/// The most letters of a name or a seed.
const LONGEST_NAME: usize = 100;

/// The most letters of something said, how often something may be said in a room of a game, and how much of it is told who
/// comes in.
const LONGEST_SAYING: usize = 1_000;
const MOST_SAID: u32 = 5_000;
const LAST_SAID: u32 = 200;

/// The most letters of a player's part of the dice.
const LONGEST_NONCE: usize = 64;

/// How many games the list of whoever runs the program has at once.
const GAMES_A_PAGE: u32 = 200;

/// How many seats may be asked about at once.
const MAX_SECRETS: usize = 200;

/// All games.
pub(crate) struct Games {
    volumes: Arc<Vec<Volume>>,
    library: wire::Library,
    pub(crate) store: Store,
    /// The maps of the games that were opened.
    pub(crate) maps: Arc<Maps>,
    tables: Mutex<HashMap<String, Arc<Handle>>>,
    /// Held while a game is opened, so that it is opened once and no other waits for it.
    opening: Mutex<HashMap<String, Arc<AsyncMutex<()>>>>,
    /// Games that are opened.
    openings: Workshop,
    /// Questions that are answered soon.
    quick: Workshop,
    /// Opponents that decide soon.
    officers: Workshop,
    /// Questions that may take seconds.
    slow: Workshop,
    /// Generals think on threads of their own, so that they keep no question and no other opponent waiting.
    generals: Workshop,
    /// Games that the file has, but damaged: their names, and what is wrong.
    damaged: Mutex<HashMap<String, String>>,
}

/// An open game.
pub(crate) struct Handle {
    pub(crate) id: String,
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
    /// How often each seat was renewed or given up: the sides', and the one of both.
    pub(crate) revoked: Revoked,
    /// How much was said so far.
    pub(crate) said: u32,
}

/// How often each seat was renewed or given up. Whoever sat there before sits there no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Revoked {
    axis: u32,
    soviet: u32,
    both: u32,
}

impl Revoked {
    /// How often this seat was.
    pub(crate) fn of(mut self, seat: Seat) -> u32 {
        self.count(seat).map_or(0, |count| *count)
    }

    /// Of the observers' seat, which is anybody's, nothing is counted.
    pub(crate) fn count(&mut self, seat: Seat) -> Option<&mut u32> {
        match seat {
            Seat::BOTH => Some(&mut self.both),
            _ if seat.plays(Side::Axis) => Some(&mut self.axis),
            _ if seat.plays(Side::Soviet) => Some(&mut self.soviet),
            _ => None,
        }
    }
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
    /// Whose player has not sat down yet.
    awaited: BySide<bool>,
    /// Which side nobody holds.
    pub(crate) free: BySide<bool>,
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
    /// Actions, and the dice that were chosen for them.
    Act(Vec<String>, Vec<u32>),
    /// Takes the last action back.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// What an opponent has chosen for its side.
    Play(Side, Choice),
    /// Standing orders, in the place of those that there were.
    Order(Vec<wire::Order>),
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
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let workshop = |name, nice| {
            Workshop::new(name, cores.max(2), nice).map_err(|error| fault("", format!("no threads: {error}")))
        };
        Ok(Games {
            library: library(&volumes)?,
            volumes: Arc::new(volumes),
            store,
            maps: Arc::default(),
            tables: Mutex::default(),
            opening: Mutex::default(),
            openings: workshop("openings", SLOW_GIVES_WAY)?,
            quick: workshop("quick", 0)?,
            officers: workshop("officers", 0)?,
            slow: workshop("slow", SLOW_GIVES_WAY)?,
            generals: workshop("generals", GENERALS_GIVE_WAY)?,
            damaged: Mutex::default(),
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

    /// Makes a game of a scenario. Whoever makes many waits for himself.
    pub(crate) async fn create(&self, new: wire::NewGame, from: IpAddr) -> Result<wire::Created, Faults> {
        let Some((rulebook, scenario)) = new.scenario.split_once('/') else {
            return Err(fault(
                "scenario",
                format!("`{:.100}` should be named rulebook/scenario", new.scenario),
            ));
        };
        check_length("seed", new.seed.as_deref().unwrap_or_default())?;
        let place = place_of(&self.volumes, rulebook)?;
        let (volumes, name) = (self.volumes.clone(), scenario.to_owned());
        let chosen = new.seed.map(Seed);
        let seed = chosen.clone().unwrap_or(Seed(String::new()));
        let start = move || {
            let volume = &volumes[place];
            volume.rulebook.start(&volume.data, &name, &new.options, seed)
        };
        let started = self.openings.work((from.to_string(), "new"), || true, start).await;
        let mut game = started.ok_or_else(|| fault("", "the game could not be made"))??;
        let scenarios = self.library.rulebooks[place].scenarios.iter();
        let title = scenarios.filter(|info| info.name == scenario).map(|info| info.title.clone()).next();
        let title = title.unwrap_or_else(|| scenario.to_owned());
        let seating = Seating::new(&new.players, new.you)?;
        if seating.for_two && chosen.is_some() {
            return Err(fault("seed", "a seed can be chosen only where one person plays"));
        }
        check_casual(new.casual, &seating)?;
        if new.casual {
            game.make_casual();
        }
        let players = new.players;
        self.keep(game, NewTable { place, title, chosen, players, seating, opponents: new.opponents }).await
    }

    /// Makes a game of a record or situation. Whatever the files of an address hold, they are read one after the other.
    pub(crate) async fn open_file(
        &self,
        file: wire::OpenFile,
        from: IpAddr,
    ) -> Result<wire::Created, Faults> {
        check_file(&file)?;
        let source = Source::new(file.name.clone(), file.text);
        let volumes = self.volumes.clone();
        let files = (from.to_string(), "files");
        let read = self.slow.work(files, || true, move || read_file(&volumes, &source)).await;
        let (mut game, place) = read.ok_or_else(|| fault("", "the file could not be read"))??;
        let seating = Seating::new(&file.players, file.you)?;
        check_casual(file.casual, &seating)?;
        if file.casual {
            game.make_casual();
        }
        // A file may bring its dice along, which whoever wrote it knows: between two people they are thrown away.
        let chosen = game.seed().filter(|_| !seating.for_two).cloned();
        let (title, players, opponents) = (file.name, file.players, file.opponents);
        self.keep(game, NewTable { place, title, chosen, players, seating, opponents }).await
    }

    /// Puts a new game into the store, and makes its seats.
    async fn keep(&self, mut game: Box<dyn AnyGame>, new: NewTable) -> Result<wire::Created, Faults> {
        let NewTable { place, title, chosen, players, seating, opponents } = new;
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
        let Seating { for_two, seats, invitation, nonces } = seating;
        let none = || Some(String::new());
        let kept = Kept {
            id: random()?,
            rulebook: book.name.to_owned(),
            rules: book.rules,
            title,
            players: [players.axis.name, players.soviet.name],
            head: head(&*game, chosen.as_ref()),
            seed_chosen: chosen.is_some(),
            for_two,
            secret: if chosen.is_some() { None } else { Some(random()?) },
            nonces: if chosen.is_some() { [none(), none()] } else { nonces },
            levels: [players.axis.level, players.soviet.level],
            seconds: opponents.seconds,
            open_thoughts: opponents.open_thoughts,
            orders: String::new(),
            decision: 1,
            changed: store::now(),
            standing: table::standing(&*game),
        };
        let created = wire::Created {
            id: kept.id.clone(),
            seats: seats.iter().map(wire_seat).collect(),
            invitation: invitation.as_ref().map(wire_seat),
            commitment: kept.commitment(),
        };
        let lines = table::record_lines(&*game);
        let invitations = invitation.into_iter().collect();
        let write = Write::Create { kept: Box::new(kept), lines, seats, invitations };
        self.store.write(write).await?;
        Ok(created)
    }

    /// The open game and the seat of a secret.
    pub(crate) async fn enter(self: &Arc<Self>, secret: &str) -> Result<(Arc<Handle>, Seat), NoGame> {
        let seat = self.store.seat(secret).await.map_err(|error| NoGame::Trouble(error.to_string()))?;
        let (game, seat) = seat.ok_or(NoGame::Unknown)?;
        Ok((self.handle(&game).await?, seat))
    }

    /// Whether a secret opens a seat.
    pub(crate) async fn is_seat(&self, secret: &str) -> bool {
        matches!(self.store.seat(secret).await, Ok(Some(_)))
    }

    /// Notes that somebody sits on a seat. The first time he gives his part of the dice; the game begins when all have.
    pub(crate) async fn sit_down(
        self: &Arc<Self>,
        handle: &Arc<Handle>,
        seat: Seat,
        nonce: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut table = handle.table.lock().await;
        let Some(side) = table.awaits(seat) else { return Ok(()) };
        let nonce = nonce.unwrap_or_default();
        check_nonce(nonce)?;
        let nonce = self.store.give_nonce(&handle.id, side, nonce).await?;
        table.give_nonce(side, &nonce);
        let awaited = table.awaited();
        handle.pulse.send_modify(|pulse| {
            pulse.present.awaited = awaited;
            pulse.program = table.program_decides().is_some();
        });
        drop(table);
        self.think(handle);
        Ok(())
    }

    async fn handle(self: &Arc<Self>, id: &str) -> Result<Arc<Handle>, NoGame> {
        if let Some(handle) = self.open_tables().get(id) {
            return Ok(handle.clone());
        }
        let turn = self.turns_to_open().entry(id.to_owned()).or_default().clone();
        let _turn = turn.lock().await;
        if let Some(handle) = self.open_tables().get(id) {
            return Ok(handle.clone());
        }
        let opened = self.open(id).await;
        self.turns_to_open().remove(id);
        opened
    }

    async fn open(self: &Arc<Self>, id: &str) -> Result<Arc<Handle>, NoGame> {
        let (table, opponents) = self.load(id).await?;
        let program = table.program_decides().is_some();
        let for_two = table.info().for_two;
        let present = Present { awaited: table.awaited(), ..Present::default() };
        let mut pulse = Pulse { decision: table.decision(), program, present, ..Pulse::default() };
        pulse.present.free = self.free_sides(id, for_two).await?;
        pulse.said = self.store.said(id).await.map_err(|error| NoGame::Trouble(error.to_string()))?;
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
        let customer = (id.to_owned(), "opening");
        let open = move || {
            let volume = &volumes[place];
            let text = record_of(&whole);
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
        };
        let opened = self.openings.work(customer, || true, open).await;
        let opened = opened.unwrap_or_else(|| Err(fault("", "it could not be opened")));
        opened.map_err(|faults| NoGame::Trouble(faults.to_string()))
    }

    /// Why a game cannot be played on by this program.
    fn trouble(&self, kept: &Kept) -> Option<String> {
        if let Some(why) = self.damaged.lock().unwrap_or_else(PoisonError::into_inner).get(&kept.id) {
            return Some(format!("this game is damaged: {why}"));
        }
        let Some(volume) = self.volume(&kept.rulebook) else {
            return Some(format!("this program has no rulebook `{}`", kept.rulebook));
        };
        let rules = volume.rulebook.book().rules;
        if rules != kept.rules {
            return Some(format!(
                "this game was begun with version {} of the rules of {}; this program has version {rules}, by which the \
                 same actions may lead to another game",
                kept.rules, kept.rulebook
            ));
        }
        let head = Record::parse(&Source::new("head", kept.head.as_str())).ok()?;
        head.fits(&volume.data)
            .err()
            .map(|why| format!("this game was {why}: the same actions may lead to another game"))
    }

    fn turns_to_open(&self) -> MutexGuard<'_, HashMap<String, Arc<AsyncMutex<()>>>> {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_tables(&self) -> MutexGuard<'_, HashMap<String, Arc<Handle>>> {
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
            Change::Act(lines, dice) => table.act(sitter, decision, &lines, &dice)?,
            Change::Undo => table.undo(sitter, decision)?,
            Change::Redo => table.redo(sitter, decision)?,
            Change::Play(side, choice) => table.play(sitter, decision, side, choice)?,
            Change::Order(orders) => Changed { write: table.order(sitter, orders)?, done: 0, stopped: None },
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
        let ordered = table.ordered().map(|order| (order, table.decision()));
        drop(table);
        match ordered {
            Some(((side, line), decision)) => self.follow_order(handle, side, decision, line),
            None => self.think(handle),
        }
        Ok(Done { update, done, stopped })
    }

    /// Answers for a player as he has ordered.
    fn follow_order(self: &Arc<Self>, handle: &Arc<Handle>, side: Side, decision: u32, line: String) {
        let (games, handle) = (self.clone(), handle.clone());
        let sitter = Sitter { seat: Seat::of(side), eyes: Seat::of(side).usual_eyes(Some(side)) };
        tokio::spawn(async move {
            // Who was quicker has answered: then the order was not needed.
            let _ =
                Box::pin(games.change_now(&handle, sitter, decision, Change::Act(vec![line], Vec::new())))
                    .await;
        });
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
        let mut choosing = Box::pin(self.choose(handle, opponent.clone(), position, decision));
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
        handle: &Handle,
        opponent: Arc<Opponent>,
        position: Box<dyn AnyPosition>,
        decision: u32,
    ) -> Option<Choice> {
        let workshop = if opponent.is_slow() { &self.generals } else { &self.officers };
        let customer = (handle.id.clone(), "opponent");
        let pulse = handle.pulse.subscribe();
        let is_urgent = move || pulse.borrow().present.anybody();
        workshop.work(customer, is_urgent, move || opponent.choose(&*position, decision)).await?
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

    /// Says something in the room of a seat.
    pub(crate) async fn say(
        &self,
        handle: &Handle,
        seat: Seat,
        text: &str,
        name: Option<&str>,
    ) -> Result<(), Refusal> {
        let text = spoken(text, LONGEST_SAYING)?;
        let sides = seat.wire_sides();
        let side = if let [side] = sides[..] { Some(side) } else { None };
        let mut said = Said { seat, name: String::new(), text, time: store::now() };
        said.name = match (seat == Seat::OBSERVER, side) {
            (true, _) => spoken(name.unwrap_or_default(), LONGEST_NAME).unwrap_or_default(),
            (false, Some(side)) => handle.table.lock().await.info().player(side).name.clone(),
            (false, None) => String::new(),
        };
        let count = self.store.say(&handle.id, said, MOST_SAID).await?;
        let count = count.ok_or_else(|| plain("enough was said in this game"))?;
        handle.pulse.send_modify(|pulse| pulse.said = pulse.said.max(count));
        Ok(())
    }

    /// What was said in the rooms of a seat, from a number on.
    pub(crate) async fn heard(&self, handle: &Handle, seat: Seat, from: u32) -> Vec<wire::Said> {
        let over = handle.table.lock().await.is_over();
        let room = convert::room(seat);
        // Talk is worth no connection: what cannot be read is not told.
        let said = self.store.talk(&handle.id, from, LAST_SAID).await.unwrap_or_default();
        said.into_iter().map(convert::said).filter(|said| over || said.room == room).collect()
    }

    /// Answers a question about a game. Nothing of it is done by the threads that serve clicks, and of a seat's questions one
    /// after the other.
    pub(crate) async fn ask(
        &self,
        handle: &Arc<Handle>,
        sitter: Sitter,
        ask: wire::Ask,
    ) -> Result<wire::Answer, Refusal> {
        let of = handle.clone();
        let look = move || of.table.blocking_lock().ask(sitter, ask);
        match self.in_turn(&self.quick, handle, sitter, look).await?? {
            Reply::Now(answer) => Ok(*answer),
            Reply::Work(effort, work) => {
                let workshop = if effort == Effort::Little { &self.quick } else { &self.slow };
                self.in_turn(workshop, handle, sitter, work).await?
            }
            Reply::Advice { side, level, position, decision } => {
                let volumes = self.volumes.clone();
                let place = place_of(&volumes, handle.table.lock().await.rulebook());
                let place = place.map_err(|faults| plain(faults.to_string()))?;
                let think = move || opponents::advice(&volumes[place], side, level, &*position, decision);
                let advice = self.in_turn(&self.slow, handle, sitter, think).await?;
                advice.map(wire::Answer::Advice).ok_or_else(|| plain("there is no advice"))
            }
            Reply::Read(reader) => {
                let of = handle.clone();
                self.in_turn(&self.slow, handle, sitter, move || read_log(&of, sitter, reader)).await
            }
        }
    }

    /// Does some work for a seat when it is its turn, and gives up when that takes too long.
    async fn in_turn<T: Send + 'static>(
        &self,
        workshop: &Workshop,
        handle: &Handle,
        sitter: Sitter,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let customer = (handle.id.clone(), sitter.seat.word());
        let done = timeout(LONGEST_QUESTION, workshop.work(customer, || true, work)).await;
        let done = done.map_err(|_| plain("this takes too long: too much is asked at once"))?;
        done.ok_or_else(|| plain("there is no answer to this"))
    }

    /// Looks through the whole file for damaged games, and does not open them any more.
    pub(crate) async fn check(&self) -> Vec<(String, String)> {
        let path = self.store.path().to_owned();
        let found = spawn_blocking(move || store::damaged(&path)).await;
        let found = match found {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => vec![(String::new(), error.to_string())],
            Err(_) => Vec::new(),
        };
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner).extend(found.iter().cloned());
        found
    }

    /// The games of some seats.
    pub(crate) async fn find(&self, secrets: &[String]) -> Result<Vec<wire::GameSummary>, Faults> {
        let mut found: Vec<wire::GameSummary> = Vec::new();
        for secret in secrets.iter().take(MAX_SECRETS) {
            let seat = self.store.seat(secret).await?;
            let Some((id, seat)) = seat else { continue };
            let seat = wire_seat(&(secret.clone(), seat));
            if let Some(known) = found.iter_mut().find(|game| game.id == id) {
                known.seats.push(seat);
                continue;
            }
            let kept = self.store.kept(&id).await?;
            found.extend(kept.map(|kept| self.summary(&kept, vec![seat])));
        }
        Ok(found)
    }

    /// Some of all games: for whoever runs the program.
    pub(crate) async fn all(&self, skip: u32) -> Result<Vec<wire::GameSummary>, Faults> {
        let games = self.store.games(skip, GAMES_A_PAGE).await?;
        Ok(games.iter().map(|kept| self.summary(kept, Vec::new())).collect())
    }

    pub(crate) fn summary(&self, kept: &Kept, seats: Vec<wire::Seat>) -> wire::GameSummary {
        let player =
            |side: usize| wire::Player { name: kept.players[side].clone(), level: kept.levels[side].clone() };
        wire::GameSummary {
            id: kept.id.clone(),
            seats,
            for_two: kept.for_two,
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
    /// True when somebody looks at the game.
    fn anybody(self) -> bool {
        self.axis + self.soviet + self.observers > 0
    }

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
            awaited: sides(self.awaited),
            free: sides(self.free),
        }
    }
}

/// The sides of which something is true.
fn sides(are: BySide<bool>) -> Vec<wire::Side> {
    Side::BOTH.into_iter().filter(|side| are[*side]).map(convert::side).collect()
}

impl Thinking {
    /// For the wire.
    pub(crate) fn wire(self) -> wire::Thinking {
        wire::Thinking { side: convert::side(self.side), progress: f64::from(self.progress) / 1_000.0 }
    }
}

/// Reads the whole log, a part at a time, so that nobody at the table waits for more than one.
fn read_log(handle: &Handle, sitter: Sitter, mut reader: Box<dyn Reader>) -> wire::Answer {
    let mut read = 0;
    loop {
        let (part, len) = handle.table.blocking_lock().part_of_log(read, sitter.eyes);
        read += part.len();
        let ends = part.is_empty() || read >= len;
        part.into_iter().for_each(|entry| reader.read(entry));
        if ends {
            return reader.found();
        }
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
        history: about.history,
        goals: convert::both(about.goals, |goal| goal),
        special: about.special,
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

pub(crate) fn random() -> Result<String, Faults> {
    seats::secret().map_err(|error| fault("", format!("no randomness: {error}")))
}

fn place_of(volumes: &[Volume], name: &str) -> Result<usize, Faults> {
    let place = volumes.iter().position(|volume| volume.rulebook.book().name == name);
    place.ok_or_else(|| fault("", format!("there is no rulebook `{name:.40}`")))
}

fn check_casual(casual: bool, seating: &Seating) -> Result<(), Faults> {
    if casual && seating.for_two {
        return Err(fault("casual", "between two people nothing that was rolled can be taken back"));
    }
    Ok(())
}

fn check_file(file: &wire::OpenFile) -> Result<(), Faults> {
    if file.text.len() > LARGEST_FILE {
        let (most, found) = (LARGEST_FILE >> 10, file.text.len().div_ceil(1 << 10));
        return Err(fault("text", format!("expected at most {most} KiB, found {found}")));
    }
    check_length("name", &file.name)
}

/// Names, seeds and the like are short.
fn check_length(field: &str, text: &str) -> Result<(), Faults> {
    match text.chars().count() {
        0..=LONGEST_NAME => Ok(()),
        _ => Err(fault(field, format!("expected at most {LONGEST_NAME} letters"))),
    }
}

/// Something said: words, without what would not show.
fn spoken(text: &str, most: usize) -> Result<String, Refusal> {
    let text: String = text.chars().filter_map(shown).collect();
    let text = text.trim();
    match text.chars().count() {
        0 => Err(plain("nothing was said")),
        letters if letters > most => Err(plain(format!("expected at most {most} letters"))),
        _ => Ok(text.to_owned()),
    }
}

/// A letter as it is shown: none that turns what follows round, or that nobody sees.
fn shown(letter: char) -> Option<char> {
    match letter {
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}' => None,
        _ if letter.is_control() || "\u{2028}\u{2029}".contains(letter) => Some(' '),
        _ => Some(letter),
    }
}

/// It stands in the record as it is.
fn check_nonce(nonce: &str) -> Result<(), Refusal> {
    let fits = nonce.len() <= LONGEST_NONCE && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then_some(())
        .ok_or_else(|| plain(format!("expected a nonce of at most {LONGEST_NONCE} letters and digits")))
}

/// The game of a record or situation, and the place of its rulebook.
fn read_file(volumes: &[Volume], source: &Source) -> Result<(Box<dyn AnyGame>, usize), Faults> {
    let rulebook = match record::is_record(source) {
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
    Ok((volume.rulebook.open(&volume.data, source, None)?, place))
}

fn check_player(book: &Book, player: &wire::NewPlayer) -> Result<(), Faults> {
    check_length("name", &player.name)?;
    check_length("level", player.level.as_deref().unwrap_or_default())?;
    match player.level.as_deref().map(|name| opponents::level(book, name)) {
        Some(Err(wrong)) => Err(fault("level", wrong)),
        _ => Ok(()),
    }
}

/// What a game is played at, besides the game itself.
struct NewTable {
    /// The place of the rulebook.
    place: usize,
    title: String,
    /// The seed of the dice, where somebody chose one.
    chosen: Option<Seed>,
    players: wire::Both<wire::NewPlayer>,
    seating: Seating,
    opponents: wire::OpponentSettings,
}

/// Who sits where in a new game.
struct Seating {
    for_two: bool,
    seats: Vec<(String, Seat)>,
    invitation: Option<(String, Seat)>,
    /// The players' parts of the dice: nothing where somebody is still to give one.
    nonces: [Option<String>; 2],
}

impl Seating {
    /// Between two people each holds one seat, and the other one is invited. Where one person plays he may have a seat for
    /// each side and one for both of them together.
    fn new(players: &wire::Both<wire::NewPlayer>, you: Option<wire::Side>) -> Result<Seating, Faults> {
        let of = |side: Side| if side == Side::Axis { &players.axis } else { &players.soviet };
        let persons: Vec<Side> = Side::BOTH.into_iter().filter(|side| of(*side).level.is_none()).collect();
        let you = you.map(convert::engine_side);
        if you.is_some_and(|side| !persons.contains(&side)) {
            return Err(fault("you", "the program plays this side"));
        }
        let for_two = persons.len() == 2 && you.is_some();
        let mut seats: Vec<Seat> = persons.iter().map(|side| Seat::of(*side)).collect();
        if persons.len() == 2 {
            seats.push(Seat::BOTH);
        }
        let mut invitation = None;
        if let Some(side) = you.filter(|_| for_two) {
            seats = vec![Seat::of(side)];
            invitation = Some((random()?, Seat::of(side.enemy())));
        }
        seats.push(Seat::OBSERVER);
        let seats = seats.into_iter().map(|seat| Ok((random()?, seat))).collect::<Result<_, Faults>>()?;
        let gives = |side: Side| persons.contains(&side) && (for_two || persons[0] == side);
        let nonces = Side::BOTH.map(|side| (!gives(side)).then(String::new));
        Ok(Seating { for_two, seats, invitation, nonces })
    }
}

pub(crate) fn wire_seat((secret, seat): &(String, Seat)) -> wire::Seat {
    wire::Seat { sides: seat.wire_sides(), secret: secret.clone() }
}

/// What a record says of its dice and its end.
const OF_THE_DICE: [&str; 7] = ["Seed", "Game", "Secret", "Commitment", "AxisNonce", "SovietNonce", "Result"];

/// The record of a game up to its first action, without its result, which is not known yet, and without its dice, unless
/// somebody chose their seed.
fn head(game: &dyn AnyGame, chosen: Option<&Seed>) -> String {
    let text = game.record(true);
    let lines: Vec<&str> = text.lines().collect();
    let tags = lines[..lines.len().saturating_sub(game.len())].iter();
    let is_dice = |line: &str| OF_THE_DICE.iter().any(|tag| line.starts_with(&format!("[{tag} ")));
    let mut head: Vec<String> = tags.filter(|line| !is_dice(line)).map(|line| (*line).to_owned()).collect();
    head.splice(1..1, chosen.map(|seed| record::tag("Seed", &seed.0)));
    head.join("\n")
}

/// The record of a game as it is kept, with its dice if it has begun.
fn record_of(Whole { kept, lines, .. }: &Whole) -> String {
    let (opening, rest) = kept.head.split_once('\n').unwrap_or((&kept.head, ""));
    let mut text = vec![opening.to_owned()];
    if let Some(Mixture { game, secret, nonces }) = kept.mixture() {
        let tags = [
            ("Game", &game),
            ("Secret", &secret),
            ("AxisNonce", &nonces.axis),
            ("SovietNonce", &nonces.soviet),
        ];
        text.extend(tags.map(|(tag, value)| record::tag(tag, value)));
    }
    text.push(rest.to_owned());
    text.extend_from_slice(lines);
    text.push(String::new());
    text.join("\n")
}
