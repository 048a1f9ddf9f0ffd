//! The journal: a head that says what is played, then every finished game, one a line, safe on the disk.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::Side;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use staff::Report;

use crate::plan::{Cell, Plan};

/// The journal's name in the folder of a run.
pub const JOURNAL: &str = "journal.jsonl";

/// What a run is about: the first line of its journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of the program.
    pub program: String,
    /// The plan's title.
    pub title: String,
    /// What all seeds begin with.
    pub seed: String,
    /// True when every combat is told.
    pub combats: bool,
    /// The grid.
    pub cells: Vec<Cell>,
    /// What the files of each arm do to the data: the arm, and a line.
    #[serde(default)]
    pub laid: Vec<(String, String)>,
}

impl Head {
    /// The head of a plan's journal.
    pub fn of(plan: &Plan) -> Head {
        Head {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            title: plan.title.clone(),
            seed: plan.seed.clone(),
            combats: plan.combats,
            cells: plan.fields.iter().map(|field| field.cell.clone()).collect(),
            laid: plan.laid.iter().map(|(arm, path, laid)| (arm.clone(), laid.line(path))).collect(),
        }
    }

    /// What has changed since a journal was begun with `before`, if it matters for its games.
    fn change(&self, before: &Head) -> Option<String> {
        if self.program != before.program {
            return Some(format!("it was begun by version {} of the program", before.program));
        }
        if self.seed != before.seed {
            return Some(format!("it was begun with the seed `{}`", before.seed));
        }
        if self.combats != before.combats {
            return Some(format!("it was begun with combats = {}", before.combats));
        }
        if self.cells.len() != before.cells.len() {
            return Some(format!(
                "its plan had {} rows and has {} now",
                before.cells.len(),
                self.cells.len()
            ));
        }
        let (now, then) = self.cells.iter().zip(&before.cells).find(|(now, then)| now != then)?;
        let what = if now.rules != then.rules {
            format!("the rules of {} had number {} and have {} now", then.book(), then.rules, now.rules)
        } else if (Cell { data: then.data.clone(), ..now.clone() }) == *then {
            format!("the data of arm `{}` for {} was another", then.arm, then.scenario)
        } else {
            let name = |cell: &Cell| {
                let Cell { arm, scenario, axis, soviet, options, thinking, .. } = cell;
                let thinking = thinking.as_deref().unwrap_or("no general");
                format!("`{arm}` {scenario} {axis} {soviet} [{}] {thinking}", options.join(" "))
            };
            format!("its plan said {} and says {} now", name(then), name(now))
        };
        Some(what)
    }
}

/// Something that a journal can begin with.
pub(crate) trait Begins: Serialize + DeserializeOwned {
    /// What has changed since a journal was begun with `before`, if it matters.
    fn differs(&self, before: &Self) -> Option<String>;
}

impl Begins for Head {
    fn differs(&self, before: &Self) -> Option<String> {
        self.change(before)
    }
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The field of the grid: an index into the head's cells.
    pub cell: usize,
    /// The number of the game: its seed.
    pub game: usize,
    /// How it went.
    pub end: End,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// It was played to its end.
    Played(Played),
    /// It was not, because of this.
    Fault(String),
}

/// A game that was played to its end. Of two numbers the first is the Axis player's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// `axis` or `soviet`; nobody won when it is empty.
    pub winner: Option<String>,
    /// Victory points.
    pub points: [i32; 2],
    /// Why it ended so.
    pub reason: String,
    /// Turns begun.
    pub turns: u32,
    /// Decisions made.
    pub decisions: usize,
    /// Seconds thought.
    pub seconds: [f64; 2],
    /// The longest thought about one decision.
    pub longest: [f64; 2],
    /// How the game stood when each turn began, and at last how it ended.
    pub by_turn: Vec<Standing>,
    /// The combats, when they are told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub combats: Vec<Fight>,
}

/// How a game stood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The turn that begins.
    pub turn: u32,
    /// Losses so far.
    pub losses: [i32; 2],
    /// Places held.
    pub places: [i32; 2],
    /// Victory points.
    pub points: [i32; 2],
    /// Where the front runs.
    pub front: f64,
}

/// One combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fight {
    /// The turn.
    pub turn: u32,
    /// `axis` or `soviet`.
    pub attacker: String,
    /// The hex attacked.
    pub hex: String,
    /// The column of the table.
    pub column: String,
    /// The result.
    pub result: String,
}

impl Played {
    /// A report, in the journal's words.
    pub fn of(report: Report) -> Played {
        let pair = |by: engine::BySide<i32>| [by.axis, by.soviet];
        let seconds = |by: engine::BySide<f64>| [micro(by.axis), micro(by.soviet)];
        let standing = |line: &staff::TurnLine| Standing {
            turn: line.turn,
            losses: pair(line.ledger.losses),
            places: pair(line.ledger.places),
            points: pair(line.ledger.points),
            front: line.ledger.front,
        };
        let fight = |combat: staff::Combat| Fight {
            turn: combat.turn,
            attacker: combat.attacker.word().to_owned(),
            hex: combat.hex,
            column: combat.column,
            result: combat.result,
        };
        Played {
            winner: report.winner.map(|side| side.word().to_owned()),
            points: pair(report.points),
            reason: report.reason,
            turns: report.turns,
            decisions: report.decisions,
            seconds: seconds(report.seconds),
            longest: seconds(report.longest),
            by_turn: report.by_turn.iter().map(standing).collect(),
            combats: report.combats.into_iter().map(fight).collect(),
        }
    }

    /// 1 when the side has won, 0 when it has lost, a half when nobody has won.
    pub fn score(&self, side: Side) -> f64 {
        self.winner.as_deref().map_or(0.5, |winner| f64::from(u8::from(winner == side.word())))
    }

    /// By how many victory points a side is ahead.
    pub fn lead(&self, side: Side) -> f64 {
        let lead = f64::from(self.points[0]) - f64::from(self.points[1]);
        if side == Side::Axis { lead } else { -lead }
    }

    /// The game without what depends on the machine.
    pub fn timeless(&self) -> Played {
        Played { seconds: [0.0; 2], longest: [0.0; 2], ..self.clone() }
    }
}

/// Millionths of a second are as much as a clock can tell.
fn micro(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// A journal that is being written. Nobody else can open it meanwhile.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal, or goes on with it: then the rows that it holds come with it. A last line that was torn when the
    /// program was killed is cut off.
    pub(crate) fn open<H: Begins, R: DeserializeOwned>(
        path: &Path,
        head: &H,
    ) -> Result<(Journal, Vec<R>), String> {
        Journal::open_locked(path, head, |file| match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err("another process is writing to it".to_owned()),
            Err(TryLockError::Error(why)) => Err(why.to_string()),
        })
    }

    /// The same, but waits while another process is writing to it: whoever plays the same games then finds them played.
    pub(crate) fn open_in_turn<H: Begins, R: DeserializeOwned>(
        path: &Path,
        head: &H,
    ) -> Result<(Journal, Vec<R>), String> {
        Journal::open_locked(path, head, |file| file.lock().map_err(|why| why.to_string()))
    }

    fn open_locked<H: Begins, R: DeserializeOwned>(
        path: &Path,
        head: &H,
        lock: impl Fn(&File) -> Result<(), String>,
    ) -> Result<(Journal, Vec<R>), String> {
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|why| format!("{}: cannot be made: {why}", folder.display()))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(error)?;
        lock(&file).map_err(|why| format!("{}: {why}", path.display()))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(error)?;
        let whole = whole_lines(&bytes);
        file.set_len(whole.len() as u64).map_err(error)?;
        file.seek(SeekFrom::End(0)).map_err(error)?;
        let mut journal = Journal { path: path.to_owned(), file };
        if whole.is_empty() {
            journal.write(head)?;
            journal.sync()?;
            return Ok((journal, Vec::new()));
        }
        let (before, rows) = parse::<H, R>(path, whole)?;
        if let Some(change) = head.differs(&before) {
            return Err(format!(
                "{}: cannot go on: {change}. Put that back, or begin a new run in another folder with --out",
                path.display()
            ));
        }
        Ok((journal, rows))
    }

    /// Adds a line; it is safe after [`Journal::sync`].
    pub(crate) fn write<T: Serialize>(&mut self, line: &T) -> Result<(), String> {
        let mut text = serde_json::to_string(line).map_err(|error| error.to_string())?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// Waits until what was written is on the disk.
    pub(crate) fn sync(&self) -> Result<(), String> {
        self.file.sync_data().map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// Reads the journal of a run's folder.
pub fn read(folder: &Path) -> Result<(Head, Vec<Row>), String> {
    read_file(&folder.join(JOURNAL))
}

/// Reads a journal.
pub(crate) fn read_file(path: &Path) -> Result<(Head, Vec<Row>), String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (head, mut rows): (Head, Vec<Row>) = parse(path, whole_lines(&bytes))?;
    if let Some(row) = rows.iter().find(|row| row.cell >= head.cells.len()) {
        return Err(format!("{}: a game of row {}, which the head does not have", path.display(), row.cell));
    }
    rows.sort_by_key(|row| (row.cell, row.game));
    rows.dedup_by_key(|row| (row.cell, row.game));
    Ok((head, rows))
}

/// What was written to the end; a line that was torn is left out.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    &bytes[..end]
}

fn parse<H: DeserializeOwned, R: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<(H, Vec<R>), String> {
    let error = |number: usize, error: serde_json::Error| {
        format!("{}:{number}: not a line of a journal: {error}", path.display())
    };
    let mut lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let head = serde_json::from_slice(first).map_err(|why| error(1, why))?;
    let rows: Result<Vec<R>, String> = lines
        .enumerate()
        .map(|(i, line)| serde_json::from_slice(line).map_err(|why| error(i + 2, why)))
        .collect();
    Ok((head, rows?))
}
