//! The store: all games in one SQLite file.
//!
//! A game is kept as its record: the head with its tags, and one row for each action. One thread owns the file. What is
//! asked of it while it writes waits and is written together, in one transaction with one sync to the disk, so that many
//! games cost little more than one. Whoever waits for a write is told only after it is durable.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, thread};

use engine::{BySide, Mixture, Side};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};
use source::{Fault, Faults};
use tokio::sync::oneshot;

use crate::convert;
use crate::seats::{self, Seat};
use crate::wire::{self, Refusal};

/// How many writes may share a transaction.
const LARGEST_GROUP: usize = 1024;

/// What makes the tables of each version out of those of the version before.
const STEPS: [&str; 5] = [TABLES, OPPONENTS, SEATS, ORDERS, TALK];

/// The version whose step left the secrets of seats as they were given out.
const PLAIN_SECRETS: i64 = 2;

/// Tells a file of games from any other SQLite file: `GROG`.
const APPLICATION: u32 = 0x4752_4F47;

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    rulebook TEXT NOT NULL,
    rules INTEGER NOT NULL,
    title TEXT NOT NULL,
    axis TEXT NOT NULL,
    soviet TEXT NOT NULL,
    head TEXT NOT NULL,
    seed_chosen INTEGER NOT NULL,
    axis_level TEXT,
    soviet_level TEXT,
    decision INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    phase TEXT NOT NULL,
    side TEXT,
    length INTEGER NOT NULL
) STRICT;
CREATE TABLE seats (
    secret TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL
) STRICT;
CREATE INDEX seats_of_game ON seats (game);
CREATE TABLE actions (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
";

/// How long generals think, and what opponents had in mind.
const OPPONENTS: &str = "
ALTER TABLE games ADD COLUMN seconds INTEGER NOT NULL DEFAULT 10;
ALTER TABLE games ADD COLUMN open_thoughts INTEGER NOT NULL DEFAULT 0;
CREATE TABLE thoughts (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    side TEXT NOT NULL,
    turn INTEGER NOT NULL,
    phase TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
";

/// Invitations, and what the dice are mixed from. A game of before has a seed in its head, and waits for nobody.
const SEATS: &str = "
ALTER TABLE games ADD COLUMN for_two INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN secret TEXT;
ALTER TABLE games ADD COLUMN axis_nonce TEXT DEFAULT '';
ALTER TABLE games ADD COLUMN soviet_nonce TEXT DEFAULT '';
CREATE TABLE invitations (
    secret TEXT PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL
) STRICT;
CREATE INDEX invitations_of_game ON invitations (game);
";

/// Standing orders of the players.
const ORDERS: &str = "ALTER TABLE games ADD COLUMN orders TEXT NOT NULL DEFAULT '';";

/// What was said at the table.
const TALK: &str = "
CREATE TABLE talk (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    seat TEXT NOT NULL,
    name TEXT NOT NULL,
    time INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
";

/// Something that was said at the table.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// The seat of who spoke.
    pub(crate) seat: Seat,
    /// The name of who spoke; may be empty.
    pub(crate) name: String,
    /// When, in seconds since 1970.
    pub(crate) time: i64,
    /// What.
    pub(crate) text: String,
}

/// What is kept of a game besides its actions.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// The public name.
    pub(crate) id: String,
    /// The short name of the rulebook.
    pub(crate) rulebook: String,
    /// The version of its rules that the game was begun with.
    pub(crate) rules: u32,
    /// The scenario's title, or the name of the file.
    pub(crate) title: String,
    /// The names of the players: Axis, Soviet.
    pub(crate) players: [String; 2],
    /// The record up to its first action.
    pub(crate) head: String,
    /// Somebody chose the seed.
    pub(crate) seed_chosen: bool,
    /// Two people play, and nobody holds both seats.
    pub(crate) for_two: bool,
    /// The server's part of the dice, unless the head has a seed.
    pub(crate) secret: Option<String>,
    /// The players' parts, by side: Axis, Soviet; nothing where one is still waited for.
    pub(crate) nonces: [Option<String>; 2],
    /// The levels of the opponents, by side: Axis, Soviet.
    pub(crate) levels: [Option<String>; 2],
    /// How long a general thinks about a phase, in seconds.
    pub(crate) seconds: u32,
    /// Opponents tell their reasons during the game.
    pub(crate) open_thoughts: bool,
    /// The standing orders of the players, as the table writes them; may be empty.
    pub(crate) orders: String,
    /// The number of the present decision.
    pub(crate) decision: u32,
    /// When it last changed, in seconds since 1970.
    pub(crate) changed: i64,
    /// How it stands, for lists of games.
    pub(crate) standing: Standing,
}

impl Kept {
    /// The server's commitment to its part of the dice.
    pub(crate) fn commitment(&self) -> Option<String> {
        self.secret.as_deref().map(Mixture::commitment)
    }

    /// What the dice are mixed from, when everybody has given his part.
    pub(crate) fn mixture(&self) -> Option<Mixture> {
        let [axis, soviet] = self.nonces.clone();
        let nonces = BySide { axis: axis?, soviet: soviet? };
        Some(Mixture { game: self.id.clone(), secret: self.secret.clone()?, nonces })
    }
}

/// How a game stands, in a few words that everybody may know.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The turn.
    pub(crate) turn: u32,
    /// The last turn.
    pub(crate) turns: u32,
    /// The phase.
    pub(crate) phase: String,
    /// The word of the side that decides; nothing when it is over.
    pub(crate) side: Option<&'static str>,
    /// How many actions were made.
    pub(crate) length: u32,
}

/// What an opponent had in mind when it made a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thought {
    /// The number of the action that it led to, counted from 0.
    pub(crate) number: u32,
    /// Whose plan it was.
    pub(crate) side: Side,
    /// The turn.
    pub(crate) turn: u32,
    /// The phase.
    pub(crate) phase: String,
    /// The sentences.
    pub(crate) sentences: Vec<wire::Text>,
}

/// All that is kept of a game.
pub(crate) struct Whole {
    /// Its head.
    pub(crate) kept: Kept,
    /// Its actions.
    pub(crate) lines: Vec<String>,
    /// What its opponents had in mind.
    pub(crate) thoughts: Vec<Thought>,
}

/// A change of a game, written as a whole or not at all.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// A new game, with its actions so far, its seats and its invitations.
    Create {
        kept: Box<Kept>,
        lines: Vec<String>,
        seats: Vec<(String, Seat)>,
        invitations: Vec<(String, Seat)>,
    },
    /// The game has this many actions (what is beyond was taken back), then these; the first of them may follow from a new
    /// plan.
    Change {
        game: String,
        decision: u32,
        keep: u32,
        lines: Vec<String>,
        standing: Standing,
        orders: String,
        thought: Option<Thought>,
    },
    /// A player has given orders.
    Orders { game: String, decision: u32, orders: String },
}

/// What went wrong with the file.
#[derive(Clone, Debug)]
pub(crate) struct StoreError(String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<StoreError> for Faults {
    fn from(StoreError(message): StoreError) -> Self {
        Fault { file: String::new(), line: 0, field: String::new(), message }.into()
    }
}

impl From<StoreError> for Refusal {
    fn from(StoreError(why): StoreError) -> Self {
        convert::plain(format!("could not be kept: {why}"))
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        StoreError(error.to_string())
    }
}

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// A question that the thread answers between writes.
type Question = Box<dyn FnOnce(&Connection) + Send>;

enum Job {
    Write(Write, Reply<()>),
    Read(Question),
    /// The last one.
    Close(oneshot::Sender<()>),
}

/// The way to the thread that owns the file.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: mpsc::Sender<Job>,
    path: Arc<Path>,
}

impl Store {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        check(path)?;
        let lock = lock(path)?;
        let connection = connect(path).map_err(|error| explain(path, &error))??;
        let (jobs, inbox) = mpsc::channel();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || {
                let closed = work(connection, &inbox);
                drop(lock);
                closed.map(|closed| closed.send(()))
            })
            .map_err(|error| StoreError(error.to_string()))?;
        Ok(Store { jobs, path: path.into() })
    }

    /// Writes something. When this returns without an error it is on the disk.
    pub(crate) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Write(write, reply))?;
        answer.await.map_err(|_| gone())?
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what has come in, and closes the file.
    pub(crate) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.send(Job::Close(reply)).is_ok() {
            let _ = closed.await;
        }
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Read(Box::new(move |connection| {
            let _ = reply.send(read(connection));
        })))?;
        Ok(answer.await.map_err(|_| gone())??)
    }

    fn send(&self, job: Job) -> Result<(), StoreError> {
        self.jobs.send(job).map_err(|_| gone())
    }

    /// Changes something besides the actions of a game, as a whole or not at all. When this returns without an error it is on
    /// the disk.
    async fn alter<T: Send + 'static>(
        &self,
        alter: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read(move |file| {
            let transaction = file.unchecked_transaction()?;
            let altered = alter(&transaction)?;
            transaction.commit()?;
            Ok(altered)
        })
        .await
    }

    /// The game and the seat of a secret.
    pub(crate) async fn seat(&self, secret: &str) -> Result<Option<(String, Seat)>, StoreError> {
        let secret = digest(secret);
        self.read(move |file| find_seat(file, "seats", &secret)).await
    }

    /// The game and the seat that an invitation is for.
    pub(crate) async fn invitation(&self, secret: &str) -> Result<Option<(String, Seat)>, StoreError> {
        let secret = digest(secret);
        self.read(move |file| find_seat(file, "invitations", &secret)).await
    }

    /// Uses an invitation up: whoever has it gets a seat of his own with this new secret.
    pub(crate) async fn accept(
        &self,
        invitation: &str,
        secret: &str,
    ) -> Result<Option<(String, Seat)>, StoreError> {
        let (invitation, secret) = (digest(invitation), digest(secret));
        self.alter(move |file| {
            let Some((game, seat)) = find_seat(file, "invitations", &invitation)? else { return Ok(None) };
            file.execute("DELETE FROM invitations WHERE secret = ?1", [invitation])?;
            add_seat(file, "seats", &secret, &game, seat)?;
            Ok(Some((game, seat)))
        })
        .await
    }

    /// Gives a seat a new secret; all others that it had are worth nothing from now on.
    pub(crate) async fn renew(&self, game: &str, seat: Seat, secret: &str) -> Result<(), StoreError> {
        let (game, secret) = (game.to_owned(), digest(secret));
        self.alter(move |file| {
            vacate(file, &game, seat)?;
            add_seat(file, "seats", &secret, &game, seat)
        })
        .await
    }

    /// Gives a seat another secret besides those that it has.
    pub(crate) async fn add_secret(&self, game: &str, seat: Seat, secret: &str) -> Result<(), StoreError> {
        let (game, secret) = (game.to_owned(), digest(secret));
        self.alter(move |file| add_seat(file, "seats", &secret, &game, seat)).await
    }

    /// Gives a seat up: none of its secrets is worth anything from now on.
    pub(crate) async fn vacate(&self, game: &str, seat: Seat) -> Result<(), StoreError> {
        let game = game.to_owned();
        self.alter(move |file| vacate(file, &game, seat)).await
    }

    /// Invites somebody to a seat that nobody holds; an invitation of before is worth nothing from now on. False when
    /// somebody holds it.
    pub(crate) async fn invite(&self, game: &str, seat: Seat, secret: &str) -> Result<bool, StoreError> {
        let (game, secret) = (game.to_owned(), digest(secret));
        self.alter(move |file| {
            if is_held(file, &game, seat)? {
                return Ok(false);
            }
            file.execute(
                "DELETE FROM invitations WHERE game = ?1 AND seat = ?2",
                params![game, seat.word()],
            )?;
            add_seat(file, "invitations", &secret, &game, seat)?;
            Ok(true)
        })
        .await
    }

    /// Whether somebody holds a seat.
    pub(crate) async fn is_held(&self, game: &str, seat: Seat) -> Result<bool, StoreError> {
        let game = game.to_owned();
        self.read(move |file| is_held(file, &game, seat)).await
    }

    /// Keeps a player's part of the dice, unless there is one: the one that counts.
    pub(crate) async fn give_nonce(&self, game: &str, side: Side, nonce: &str) -> Result<String, StoreError> {
        let (game, nonce, column) = (game.to_owned(), nonce.to_owned(), nonce_column(side));
        self.alter(move |file| {
            let set = format!(
                "UPDATE games SET {column} = coalesce({column}, ?2) WHERE id = ?1 RETURNING {column}"
            );
            file.query_row(&set, params![game, nonce], |row| row.get(0))
        })
        .await
    }

    /// A game with all that is kept of it.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<Whole>, StoreError> {
        let id = id.to_owned();
        self.read(move |file| {
            let Some(kept) = find_kept(file, &id)? else { return Ok(None) };
            let mut found =
                file.prepare_cached("SELECT line FROM actions WHERE game = ?1 ORDER BY number")?;
            let lines = found.query_map([&id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            let mut found = file.prepare_cached(
                "SELECT number, side, turn, phase, text FROM thoughts WHERE game = ?1 ORDER BY number",
            )?;
            let thoughts = found.query_map([&id], read_thought)?.collect::<rusqlite::Result<_>>()?;
            Ok(Some(Whole { kept, lines, thoughts }))
        })
        .await
    }

    /// What is kept of a game besides its actions.
    pub(crate) async fn kept(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        let id = id.to_owned();
        self.read(move |file| find_kept(file, &id)).await
    }

    /// Keeps what was said: how much was said then; nothing when it would be more than `most` in its room.
    pub(crate) async fn say(&self, game: &str, said: Said, most: u32) -> Result<Option<u32>, StoreError> {
        let game = game.to_owned();
        self.alter(move |file| {
            let number = count_said(file, &game)?;
            let Said { seat, name, time, text } = &said;
            if number >= most && count_in_room(file, &game, *seat)? >= most {
                return Ok(None);
            }
            file.prepare_cached(
                "INSERT INTO talk (game, number, seat, name, time, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![game, number, seat.word(), name, time, text])?;
            Ok(Some(number + 1))
        })
        .await
    }

    /// How much was said in a game.
    pub(crate) async fn said(&self, game: &str) -> Result<u32, StoreError> {
        let game = game.to_owned();
        self.read(move |file| count_said(file, &game)).await
    }

    /// The last that was said in a game, from a number on, with their numbers: so many in each room.
    pub(crate) async fn talk(
        &self,
        game: &str,
        from: u32,
        most: u32,
    ) -> Result<Vec<(u32, Said)>, StoreError> {
        let game = game.to_owned();
        self.read(move |file| {
            let mut found = file.prepare_cached(
                "SELECT number, seat, name, time, text FROM talk WHERE game = ?1 AND number >= ?2 \
                 AND (seat = 'observer') = ?4 ORDER BY number DESC LIMIT ?3",
            )?;
            let said = |row: &rusqlite::Row<'_>| {
                let seat: String = row.get(1)?;
                let seat = Seat::from_word(&seat);
                Ok((row.get(0)?, Said { seat, name: row.get(2)?, time: row.get(3)?, text: row.get(4)? }))
            };
            let mut all: Vec<(u32, Said)> = Vec::new();
            for observers in [false, true] {
                let rows = found.query_map(params![game, from, most, observers], said)?;
                all.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
            }
            all.sort_by_key(|(number, _)| *number);
            Ok(all)
        })
        .await
    }

    /// So many games, the last changed first, without the first `skip`.
    pub(crate) async fn games(&self, skip: u32, most: u32) -> Result<Vec<Kept>, StoreError> {
        self.read(move |file| {
            let select = format!("SELECT {KEPT} FROM games ORDER BY changed DESC, id LIMIT ?2 OFFSET ?1");
            let mut found = file.prepare_cached(&select)?;
            let rows = found.query_map([skip, most], read_kept)?;
            rows.collect()
        })
        .await
    }
}

fn count_said(file: &Connection, game: &str) -> rusqlite::Result<u32> {
    file.prepare_cached("SELECT count(*) FROM talk WHERE game = ?1")?.query_row([game], |row| row.get(0))
}

/// How much was said in the room of a seat.
fn count_in_room(file: &Connection, game: &str, seat: Seat) -> rusqlite::Result<u32> {
    file.prepare_cached("SELECT count(*) FROM talk WHERE game = ?1 AND (seat = 'observer') = ?2")?
        .query_row(params![game, seat == Seat::OBSERVER], |row| row.get(0))
}

fn gone() -> StoreError {
    StoreError("the file of games was closed".to_owned())
}

const KEPT: &str = "id, rulebook, rules, title, axis, soviet, head, seed_chosen, axis_level, soviet_level, decision, \
                    changed, turn, turns, phase, side, length, seconds, open_thoughts, for_two, secret, axis_nonce, \
                    soviet_nonce, orders";

fn find_kept(file: &Connection, id: &str) -> rusqlite::Result<Option<Kept>> {
    let mut found = file.prepare_cached(&format!("SELECT {KEPT} FROM games WHERE id = ?1"))?;
    found.query_row([id], read_kept).optional()
}

/// What a secret is known by: whoever reads the file learns no secret from it.
fn digest(secret: &str) -> String {
    seats::hex(&Sha256::digest(format!("grognard seat {secret}").as_bytes()))
}

fn find_seat(file: &Connection, table: &str, secret: &str) -> rusqlite::Result<Option<(String, Seat)>> {
    let mut found = file.prepare_cached(&format!("SELECT game, seat FROM {table} WHERE secret = ?1"))?;
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, Seat::from_word(&row.get::<_, String>(1)?)));
    found.query_row([secret], row).optional()
}

/// `secret` is a digest.
fn add_seat(file: &Connection, table: &str, secret: &str, game: &str, seat: Seat) -> rusqlite::Result<()> {
    let insert = format!("INSERT INTO {table} (secret, game, seat) VALUES (?1, ?2, ?3)");
    file.prepare_cached(&insert)?.execute(params![secret, game, seat.word()]).map(|_| ())
}

fn vacate(file: &Connection, game: &str, seat: Seat) -> rusqlite::Result<()> {
    let delete = "DELETE FROM seats WHERE game = ?1 AND seat = ?2";
    file.execute(delete, params![game, seat.word()]).map(|_| ())
}

fn is_held(file: &Connection, game: &str, seat: Seat) -> rusqlite::Result<bool> {
    let mut found = file.prepare_cached("SELECT 1 FROM seats WHERE game = ?1 AND seat = ?2")?;
    found.exists(params![game, seat.word()])
}

fn nonce_column(side: Side) -> &'static str {
    match side {
        Side::Axis => "axis_nonce",
        Side::Soviet => "soviet_nonce",
    }
}

fn read_kept(row: &rusqlite::Row<'_>) -> rusqlite::Result<Kept> {
    Ok(Kept {
        id: row.get(0)?,
        rulebook: row.get(1)?,
        rules: row.get(2)?,
        title: row.get(3)?,
        players: [row.get(4)?, row.get(5)?],
        head: row.get(6)?,
        seed_chosen: row.get(7)?,
        levels: [row.get(8)?, row.get(9)?],
        decision: row.get(10)?,
        changed: row.get(11)?,
        standing: Standing {
            turn: row.get(12)?,
            turns: row.get(13)?,
            phase: row.get(14)?,
            side: row
                .get::<_, Option<String>>(15)?
                .and_then(|word| Side::from_word(&word).ok())
                .map(Side::word),
            length: row.get(16)?,
        },
        seconds: row.get(17)?,
        open_thoughts: row.get(18)?,
        for_two: row.get(19)?,
        secret: row.get(20)?,
        nonces: [row.get(21)?, row.get(22)?],
        orders: row.get(23)?,
    })
}

fn read_thought(row: &rusqlite::Row<'_>) -> rusqlite::Result<Thought> {
    let word: String = row.get(1)?;
    Ok(Thought {
        number: row.get(0)?,
        side: if word == Side::Axis.word() { Side::Axis } else { Side::Soviet },
        turn: row.get(2)?,
        phase: row.get(3)?,
        sentences: read_sentences(&row.get::<_, String>(4)?),
    })
}

/// Sentences as they are kept: as the wire has them.
fn kept_sentences(sentences: &[wire::Text]) -> String {
    serde_json::to_string(sentences).unwrap_or_default()
}

/// Reads them back; older programs kept plain lines.
fn read_sentences(kept: &str) -> Vec<wire::Text> {
    serde_json::from_str(kept).unwrap_or_else(|_| kept.lines().map(wire::Text::from).collect())
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// One server at a time: two would overwrite each other's games in memory. The lock is a file of its own, so that a backup can
/// be read meanwhile.
fn lock(path: &Path) -> Result<File, StoreError> {
    let name = beside(path, ".lock");
    let trouble = |error: std::io::Error| StoreError(format!("{}: {error}", name.display()));
    let file = private().create(true).truncate(false).write(true).open(&name).map_err(trouble)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(in_use(path)),
        Err(TryLockError::Error(error)) => Err(trouble(error)),
    }
}

/// Looks through a whole file for games that are damaged: their names, and what is wrong.
pub(crate) fn damaged(path: &Path) -> Result<Vec<(String, String)>, StoreError> {
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let sound = file.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    if sound.is_ok_and(|found| found == "ok") {
        return Ok(incomplete(&file)?);
    }
    // Something is wrong somewhere: each game is read by itself.
    let mut found = file.prepare("SELECT id, length FROM games")?;
    let games = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let games: Vec<(String, u32)> = games.collect::<rusqlite::Result<_>>()?;
    let trouble = |(game, length): (String, u32)| {
        let why = match read_through(&file, &game) {
            Ok(found) if found == length => return None,
            Ok(found) => missing(found, length),
            Err(error) => format!("it cannot be read from the file ({error})"),
        };
        Some((game, why))
    };
    Ok(games.into_iter().filter_map(trouble).collect())
}

/// How many actions a game has from the first one on; every page of it is read.
fn read_through(file: &Connection, game: &str) -> rusqlite::Result<u32> {
    let mut found =
        file.prepare_cached("SELECT number, line FROM actions WHERE game = ?1 ORDER BY number")?;
    let mut rows = found.query([game])?;
    let mut length = 0;
    while let Some(row) = rows.next()? {
        let (number, _): (u32, String) = (row.get(0)?, row.get(1)?);
        if number == length {
            length += 1;
        }
    }
    Ok(length)
}

/// Games that do not have as many actions as they should.
fn incomplete(file: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut found = file.prepare(
        "SELECT id, coalesce(n, 0), length FROM games \
         LEFT JOIN (SELECT game, count(*) AS n FROM actions GROUP BY game) ON game = id WHERE coalesce(n, 0) <> length",
    )?;
    let rows = found.query_map([], |row| Ok((row.get(0)?, missing(row.get(1)?, row.get(2)?))))?;
    rows.collect()
}

fn missing(found: u32, length: u32) -> String {
    format!("the file has {found} of its {length} actions")
}

/// Copies a file of games as it is at one moment, while a server may be using it.
pub fn backup(from: &Path, to: &Path) -> Result<(), String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", to.display());
    if !from.exists() {
        return Err(format!("{}: there is no such file", from.display()));
    }
    check(from).map_err(|error| error.to_string())?;
    private().create_new(true).write(true).open(to).map_err(trouble)?;
    let copy = || {
        let file = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        file.busy_timeout(Duration::from_secs(10))?;
        file.execute("VACUUM INTO ?1", [to.to_string_lossy()])
    };
    copy().map(|_| ()).map_err(|error| {
        let _ = std::fs::remove_file(to);
        explain(from, &error).to_string()
    })
}

/// Makes the file if there is none; refuses a file of something else, and does not touch it.
fn check(path: &Path) -> Result<(), StoreError> {
    let trouble = |error: std::io::Error| StoreError(format!("{}: {error}", path.display()));
    let is_new = match std::fs::metadata(path) {
        Ok(found) => found.len() == 0,
        Err(_) => {
            private().create_new(true).write(true).open(path).map_err(trouble)?;
            true
        }
    };
    if is_new || is_ours(path).map_err(|error| explain(path, &error))? {
        return Ok(());
    }
    Err(foreign(path))
}

fn explain(path: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => in_use(path),
        Some(ErrorCode::NotADatabase) => foreign(path),
        Some(ErrorCode::DatabaseCorrupt) => StoreError(format!(
            "{}: the file is damaged ({error}); put a backup in its place",
            path.display()
        )),
        _ => StoreError(format!("{}: {error}", path.display())),
    }
}

/// Opens the file, and brings it up to date.
fn connect(path: &Path) -> rusqlite::Result<Result<Connection, StoreError>> {
    for ending in ["", "-wal", "-shm"] {
        make_private(&beside(path, ending));
    }
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; COMMIT;",
    )?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let newest = STEPS.len();
    let Some(steps) = usize::try_from(version).ok().and_then(|version| STEPS.get(version..)) else {
        return Ok(Err(StoreError(format!(
            "{}: made by another version of Grognard (tables {version}, this program has {newest})",
            path.display()
        ))));
    };
    if !steps.is_empty() {
        bring_up_to_date(&mut connection, version, steps)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    Ok(Ok(connection))
}

/// The name of a file that lies beside another.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn bring_up_to_date(connection: &mut Connection, version: i64, steps: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(&steps.concat())?;
    if (1..=PLAIN_SECRETS).contains(&version) {
        digest_secrets(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len() as i64)?;
    transaction.commit()
}

/// Secrets that were kept as they are become digests; the key of whoever ran the program is not kept any more.
fn digest_secrets(file: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut found = file.prepare("SELECT secret FROM seats")?;
    let secrets: Vec<String> = found.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for secret in secrets {
        file.execute("UPDATE seats SET secret = ?2 WHERE secret = ?1", params![secret, digest(&secret)])?;
    }
    file.execute("DELETE FROM meta WHERE key = 'key'", []).map(|_| ())
}

fn in_use(path: &Path) -> StoreError {
    StoreError(format!("{}: another Grognard is using this file", path.display()))
}

fn foreign(path: &Path) -> StoreError {
    StoreError(format!("{}: this is not a file of games", path.display()))
}

/// How files are made that nobody else may read.
#[cfg(unix)]
fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
fn private() -> OpenOptions {
    OpenOptions::new()
}

/// Nobody else may read a file from now on. Where somebody else owns it, he decides.
#[cfg(unix)]
fn make_private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
}

#[cfg(not(unix))]
fn make_private(_: &Path) {}

/// Whether a file is one of games: by its mark, or by its tables when it is older than the mark. It is only read.
fn is_ours(path: &Path) -> rusqlite::Result<bool> {
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    file.busy_timeout(Duration::from_secs(2))?;
    let mark: u32 = file.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: u32 = file.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let games =
        "SELECT count(*) FROM pragma_table_info('games') WHERE name IN ('head', 'seed_chosen', 'decision')";
    let columns: u32 = file.query_row(games, [], |row| row.get(0))?;
    Ok(mark == APPLICATION || mark == 0 && (tables == 0 || columns == 3))
}

/// The thread: takes what has come in, writes it in one transaction, tells everybody.
fn work(mut connection: Connection, inbox: &mpsc::Receiver<Job>) -> Option<oneshot::Sender<()>> {
    while let Ok(first) = inbox.recv() {
        let mut writes = Vec::new();
        let mut questions = Vec::new();
        let mut last = None;
        for job in std::iter::once(first).chain(inbox.try_iter().take(LARGEST_GROUP)) {
            match job {
                Job::Write(write, reply) => writes.push((write, reply)),
                Job::Read(question) => questions.push(question),
                Job::Close(reply) => last = Some(reply),
            }
        }
        write_group(&mut connection, writes);
        for question in questions {
            question(&connection);
        }
        if last.is_some() {
            return last;
        }
    }
    None
}

fn write_group(connection: &mut Connection, group: Vec<(Write, Reply<()>)>) {
    if group.is_empty() {
        return;
    }
    let together = write_all(connection, group.iter().map(|(write, _)| write));
    for (write, reply) in group {
        // What could not be written together is written one by one, so that one fault is nobody else's.
        let done = match &together {
            Ok(()) => Ok(()),
            Err(_) => write_all(connection, std::iter::once(&write)),
        };
        let _ = reply.send(done.map_err(StoreError::from));
    }
}

fn write_all<'w>(
    connection: &mut Connection,
    writes: impl Iterator<Item = &'w Write>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for write in writes {
        write_one(&transaction, write)?;
    }
    transaction.commit()
}

fn write_one(file: &Transaction<'_>, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Create { kept, lines, seats, invitations } => {
            let places: Vec<String> = (1..=24).map(|place| format!("?{place}")).collect();
            file.prepare_cached(&format!("INSERT INTO games ({KEPT}) VALUES ({})", places.join(", ")))?
                .execute(params![
                    kept.id,
                    kept.rulebook,
                    kept.rules,
                    kept.title,
                    kept.players[0],
                    kept.players[1],
                    kept.head,
                    kept.seed_chosen,
                    kept.levels[0],
                    kept.levels[1],
                    kept.decision,
                    kept.changed,
                    kept.standing.turn,
                    kept.standing.turns,
                    kept.standing.phase,
                    kept.standing.side,
                    kept.standing.length,
                    kept.seconds,
                    kept.open_thoughts,
                    kept.for_two,
                    kept.secret,
                    kept.nonces[0],
                    kept.nonces[1],
                    kept.orders,
                ])?;
            for (table, seats) in [("seats", seats), ("invitations", invitations)] {
                for (secret, seat) in seats {
                    add_seat(file, table, &digest(secret), &kept.id, *seat)?;
                }
            }
            add_lines(file, &kept.id, 0, lines)
        }
        Write::Orders { game, decision, orders } => file
            .prepare_cached("UPDATE games SET decision = ?2, orders = ?3 WHERE id = ?1")?
            .execute(params![game, decision, orders])
            .map(|_| ()),
        Write::Change { game, decision, keep, lines, standing, orders, thought } => {
            file.prepare_cached("DELETE FROM thoughts WHERE game = ?1 AND number >= ?2")?
                .execute(params![game, keep])?;
            file.prepare_cached("DELETE FROM actions WHERE game = ?1 AND number >= ?2")?
                .execute(params![game, keep])?;
            file.prepare_cached(
                "UPDATE games SET decision = ?2, changed = ?3, turn = ?4, turns = ?5, phase = ?6, side = ?7, \
                 length = ?8, orders = ?9 WHERE id = ?1",
            )?
            .execute(params![
                game,
                decision,
                now(),
                standing.turn,
                standing.turns,
                standing.phase,
                standing.side,
                standing.length,
                orders,
            ])?;
            if let Some(Thought { number, side, turn, phase, sentences }) = thought {
                file.prepare_cached(
                    "INSERT INTO thoughts (game, number, side, turn, phase, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![game, number, side.word(), turn, phase, kept_sentences(sentences)])?;
            }
            add_lines(file, game, *keep, lines)
        }
    }
}

fn add_lines(file: &Transaction<'_>, game: &str, from: u32, lines: &[String]) -> rusqlite::Result<()> {
    let mut action = file.prepare_cached("INSERT INTO actions (game, number, line) VALUES (?1, ?2, ?3)")?;
    for (number, line) in (from..).zip(lines) {
        action.execute(params![game, number, line])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("grognard-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("games.db")
    }

    fn kept(id: &str) -> Kept {
        Kept {
            id: id.to_owned(),
            rulebook: "mini".to_owned(),
            rules: 1,
            title: String::new(),
            players: Default::default(),
            head: String::new(),
            seed_chosen: false,
            for_two: false,
            secret: None,
            nonces: [None, None],
            levels: [None, None],
            seconds: 10,
            open_thoughts: false,
            orders: String::new(),
            decision: 1,
            changed: 0,
            standing: Standing { turn: 1, turns: 1, phase: String::new(), side: None, length: 0 },
        }
    }

    /// Who looks on cannot talk so much that the players may say nothing any more, and who comes in late is not told all of it.
    #[tokio::test]
    async fn each_room_has_its_own_share_of_the_talk() {
        let store = Store::open(&scratch("talk")).unwrap();
        let kept = Box::new(kept("game"));
        let made = Write::Create { kept, lines: vec![], seats: vec![], invitations: vec![] };
        store.write(made).await.unwrap();
        let say = async |seat: Seat, text: &str| {
            let said = Said { seat, name: String::new(), time: 0, text: text.to_owned() };
            store.say("game", said, 3).await.unwrap()
        };
        let axis = Seat::of(Side::Axis);
        assert_eq!(say(axis, "first").await, Some(1));
        for number in 2..5 {
            assert_eq!(say(Seat::OBSERVER, "noise").await, Some(number));
        }
        assert_eq!(say(Seat::OBSERVER, "more noise").await, None);
        assert_eq!(say(axis, "second").await, Some(5));
        let told = async |from: u32, most: u32| -> Vec<(u32, String)> {
            let talk = store.talk("game", from, most).await.unwrap();
            talk.into_iter().map(|(number, said)| (number, said.text)).collect()
        };
        assert_eq!(told(0, 1).await, [(3, "noise".to_owned()), (4, "second".to_owned())]);
        assert_eq!(told(0, 9).await.len(), 5);
        assert_eq!(told(4, 9).await, [(4, "second".to_owned())]);
    }
}
