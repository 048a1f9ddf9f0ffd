//! The store: all games in one SQLite file.
//!
//! A game is kept as its record: the head with its tags, and one row for each action. One thread owns the file. What is
//! asked of it while it writes waits and is written together, in one transaction with one sync to the disk, so that many
//! games cost little more than one. Whoever waits for a write is told only after it is durable.

use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fmt, thread};

use engine::Side;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params};
use tokio::sync::oneshot;

use crate::seats::Seat;

/// How many writes may share a transaction.
const LARGEST_GROUP: usize = 1024;

/// What makes the tables of each version out of those of the version before.
const STEPS: [&str; 2] = [TABLES, OPPONENTS];

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
    /// The levels of the opponents, by side: Axis, Soviet.
    pub(crate) levels: [Option<String>; 2],
    /// How long a general thinks about a phase, in seconds.
    pub(crate) seconds: u32,
    /// Opponents tell their reasons during the game.
    pub(crate) open_thoughts: bool,
    /// The number of the present decision.
    pub(crate) decision: u32,
    /// When it last changed, in seconds since 1970.
    pub(crate) changed: i64,
    /// How it stands, for lists of games.
    pub(crate) standing: Standing,
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
    /// The sentences, a line each.
    pub(crate) text: String,
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
    /// A new game, with its actions so far and its seats.
    Create { kept: Box<Kept>, lines: Vec<String>, seats: Vec<(String, Seat)> },
    /// The game has this many actions (what is beyond was taken back), then these; the first of them may follow from a new
    /// plan.
    Change {
        game: String,
        decision: u32,
        keep: u32,
        lines: Vec<String>,
        standing: Standing,
        thought: Option<Thought>,
    },
}

/// What went wrong with the file.
#[derive(Clone, Debug)]
pub(crate) struct StoreError(String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
}

/// The way to the thread that owns the file.
#[derive(Clone)]
pub(crate) struct Store {
    jobs: mpsc::Sender<Job>,
}

impl Store {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
        let connection = connect(path)?;
        let (jobs, inbox) = mpsc::channel();
        thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || work(connection, &inbox))
            .map_err(|error| StoreError(error.to_string()))?;
        Ok(Store { jobs })
    }

    /// Writes something. When this returns without an error it is on the disk.
    pub(crate) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Write(write, reply))?;
        answer.await.map_err(|_| gone())?
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

    /// The game and the seat of a secret.
    pub(crate) async fn seat(&self, secret: &str) -> Result<Option<(String, Seat)>, StoreError> {
        let secret = secret.to_owned();
        self.read(move |file| {
            let row = |row: &rusqlite::Row<'_>| {
                Ok((row.get::<_, String>(0)?, Seat::from_word(&row.get::<_, String>(1)?)))
            };
            file.query_row("SELECT game, seat FROM seats WHERE secret = ?1", [secret], row).optional()
        })
        .await
    }

    /// The seats of a game.
    pub(crate) async fn seats_of(&self, game: &str) -> Result<Vec<(String, Seat)>, StoreError> {
        let game = game.to_owned();
        self.read(move |file| {
            let mut found =
                file.prepare_cached("SELECT secret, seat FROM seats WHERE game = ?1 ORDER BY rowid")?;
            let rows = found.query_map([game], |row| {
                Ok((row.get::<_, String>(0)?, Seat::from_word(&row.get::<_, String>(1)?)))
            })?;
            rows.collect()
        })
        .await
    }

    /// A game with all that is kept of it.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<Whole>, StoreError> {
        let id = id.to_owned();
        self.read(move |file| {
            let Some(kept) = file
                .query_row(&format!("SELECT {KEPT} FROM games WHERE id = ?1"), [&id], read_kept)
                .optional()?
            else {
                return Ok(None);
            };
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

    /// All games, the last changed first.
    pub(crate) async fn games(&self) -> Result<Vec<Kept>, StoreError> {
        self.read(|file| {
            let mut found =
                file.prepare(&format!("SELECT {KEPT} FROM games ORDER BY changed DESC LIMIT 1000"))?;
            let rows = found.query_map([], read_kept)?;
            rows.collect()
        })
        .await
    }

    /// A value that is kept for good: the one that is there, or this one.
    pub(crate) async fn keep(&self, key: &'static str, value: String) -> Result<String, StoreError> {
        self.read(move |file| {
            file.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?1, ?2)", params![key, value])?;
            file.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
        })
        .await
    }
}

fn gone() -> StoreError {
    StoreError("the file of games was closed".to_owned())
}

const KEPT: &str = "id, rulebook, rules, title, axis, soviet, head, seed_chosen, axis_level, soviet_level, decision, \
                    changed, turn, turns, phase, side, length, seconds, open_thoughts";

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
    })
}

fn read_thought(row: &rusqlite::Row<'_>) -> rusqlite::Result<Thought> {
    let word: String = row.get(1)?;
    Ok(Thought {
        number: row.get(0)?,
        side: if word == Side::Axis.word() { Side::Axis } else { Side::Soviet },
        turn: row.get(2)?,
        phase: row.get(3)?,
        text: row.get(4)?,
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let explain = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError(format!("{}: another Grognard is using this file", path.display()))
        }
        Some(ErrorCode::NotADatabase) => {
            StoreError(format!("{}: this is not a file of games", path.display()))
        }
        _ => StoreError(format!("{}: {error}", path.display())),
    };
    let connection = Connection::open(path).map_err(explain)?;
    connection.busy_timeout(Duration::from_secs(2)).map_err(explain)?;
    // One process at a time: two would overwrite each other's games in memory.
    connection
        .execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; COMMIT;",
        )
        .map_err(explain)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(explain)?;
    let newest = STEPS.len();
    let Some(steps) = usize::try_from(version).ok().and_then(|version| STEPS.get(version..)) else {
        return Err(StoreError(format!(
            "{}: made by another version of Grognard (tables {version}, this program has {newest})",
            path.display()
        )));
    };
    if !steps.is_empty() {
        let batch = format!("BEGIN; {} PRAGMA user_version = {newest}; COMMIT;", steps.concat());
        connection.execute_batch(&batch).map_err(explain)?;
    }
    Ok(connection)
}

/// The thread: takes what has come in, writes it in one transaction, tells everybody.
fn work(mut connection: Connection, inbox: &mpsc::Receiver<Job>) {
    while let Ok(first) = inbox.recv() {
        let mut writes = Vec::new();
        let mut questions = Vec::new();
        for job in std::iter::once(first).chain(inbox.try_iter().take(LARGEST_GROUP)) {
            match job {
                Job::Write(write, reply) => writes.push((write, reply)),
                Job::Read(question) => questions.push(question),
            }
        }
        write_group(&mut connection, writes);
        for question in questions {
            question(&connection);
        }
    }
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
        Write::Create { kept, lines, seats } => {
            let places: Vec<String> = (1..=19).map(|place| format!("?{place}")).collect();
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
                ])?;
            let mut seat =
                file.prepare_cached("INSERT INTO seats (secret, game, seat) VALUES (?1, ?2, ?3)")?;
            for (secret, of) in seats {
                seat.execute(params![secret, kept.id, of.word()])?;
            }
            add_lines(file, &kept.id, 0, lines)
        }
        Write::Change { game, decision, keep, lines, standing, thought } => {
            file.prepare_cached("DELETE FROM thoughts WHERE game = ?1 AND number >= ?2")?
                .execute(params![game, keep])?;
            file.prepare_cached("DELETE FROM actions WHERE game = ?1 AND number >= ?2")?
                .execute(params![game, keep])?;
            file.prepare_cached(
                "UPDATE games SET decision = ?2, changed = ?3, turn = ?4, turns = ?5, phase = ?6, side = ?7, \
                 length = ?8 WHERE id = ?1",
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
            ])?;
            if let Some(Thought { number, side, turn, phase, text }) = thought {
                file.prepare_cached(
                    "INSERT INTO thoughts (game, number, side, turn, phase, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![game, number, side.word(), turn, phase, text])?;
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
