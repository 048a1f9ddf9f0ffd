//! `Batch`: many games at once, in arrays that are written in place.
//!
//! The arrays are made once. A step carries out an answer in each game, lets seated opponents answer theirs, begins games anew that
//! are over, and writes what is to be known, all without the interpreter.

use std::sync::Mutex;
use std::thread;

use engine::drill::Shape;
use engine::observation::{COLUMNS, Observation};
use engine::row::WIDTH;
use engine::shelf::Refusal;
use engine::{Seed, Side};
use numpy::{
    AllowTypeChange, Element, Ix1, PyArray, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayLike1,
    PyArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::books::{Origin, digest};
use crate::game::{expect_room, shape_dict, too_large, write_units};
use crate::slot::Slot;
use crate::wrong;

/// How many pieces the work of a step is cut into for each thread, so that none waits long for another.
const PIECES: usize = 4;

/// Arrays of what a side sees, one row a game.
struct Seen {
    units: Py<PyArray3<i16>>,
    planes: Py<PyArray4<u64>>,
    globals: Py<PyArray2<f32>>,
    question: Py<PyArray2<i16>>,
}

impl Seen {
    fn new(py: Python<'_>, games: usize, shape: &Shape) -> Seen {
        let planes = [games, shape.planes, shape.lines, shape.words];
        Seen {
            units: PyArray::zeros(py, [games, shape.units + shape.unseen, COLUMNS.len()], false).unbind(),
            planes: PyArray::zeros(py, planes, false).unbind(),
            globals: PyArray::zeros(py, [games, shape.globals], false).unbind(),
            question: PyArray::zeros(py, [games, WIDTH], false).unbind(),
        }
    }

    fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("units", &self.units)?;
        dict.set_item("planes", &self.planes)?;
        dict.set_item("globals", &self.globals)?;
        dict.set_item("question", &self.question)?;
        Ok(dict)
    }
}

/// A finished game.
struct Finished {
    seed: String,
    answers: Vec<i16>,
    winner: Option<Side>,
    points: (i32, i32),
    truncated: bool,
    hash: String,
}

/// Many games of one scenario. Sides are 0 (Axis), 1 (Soviet), −1 (over).
#[pyclass(module = "grognard")]
pub(crate) struct Batch {
    slots: Vec<Place>,
    shape: Shape,
    prefix: String,
    threads: usize,
    keeps: bool,
    side: Py<PyArray1<i8>>,
    count: Py<PyArray1<i32>>,
    reward: Py<PyArray2<f32>>,
    done: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    number: Py<PyArray1<i64>>,
    seen: Option<Seen>,
    last: Option<Seen>,
    offsets: Option<Py<PyArray1<i32>>>,
    rows: Option<Py<PyArray2<i16>>>,
    finished: Vec<Finished>,
}

/// A game and its number, which is a part of its seed.
struct Place {
    slot: Slot,
    number: i64,
    finished: Vec<Finished>,
    scratch: Observation,
}

/// What a thread works on: some of the games with their parts of the arrays.
struct Piece<'a> {
    places: &'a mut [Place],
    answers: &'a [i64],
    side: &'a mut [i8],
    count: &'a mut [i32],
    reward: &'a mut [f32],
    done: &'a mut [bool],
    truncated: &'a mut [bool],
    number: &'a mut [i64],
    seen: Option<Strip<'a>>,
    last: Option<Strip<'a>>,
}

/// The parts of the arrays of what a side sees.
struct Strip<'a> {
    units: &'a mut [i16],
    planes: &'a mut [u64],
    globals: &'a mut [f32],
    question: &'a mut [i16],
}

impl Strip<'_> {
    /// Cuts the first so many games off.
    fn cut(self, games: usize, shape: &Shape) -> (Self, Self) {
        let (units, units_left) = self.units.split_at_mut(games * unit_cells(shape));
        let (planes, planes_left) = self.planes.split_at_mut(games * plane_words(shape));
        let (globals, globals_left) = self.globals.split_at_mut(games * shape.globals);
        let (question, question_left) = self.question.split_at_mut(games * WIDTH);
        let left =
            Strip { units: units_left, planes: planes_left, globals: globals_left, question: question_left };
        (Strip { units, planes, globals, question }, left)
    }

    /// Writes what a side sees of one game.
    fn write(&mut self, game: usize, side: Side, place: &mut Place, shape: &Shape) {
        place.slot.drill.observe(side, &mut place.scratch);
        let seen = &place.scratch;
        write_units(seen, part(self.units, game, unit_cells(shape)));
        part(self.planes, game, plane_words(shape)).copy_from_slice(&seen.planes);
        part(self.globals, game, shape.globals).copy_from_slice(&seen.globals);
        part(self.question, game, WIDTH).copy_from_slice(seen.question.cells());
    }
}

fn unit_cells(shape: &Shape) -> usize {
    (shape.units + shape.unseen) * COLUMNS.len()
}

fn plane_words(shape: &Shape) -> usize {
    shape.planes * shape.lines * shape.words
}

fn part<T>(all: &mut [T], game: usize, size: usize) -> &mut [T] {
    &mut all[game * size..(game + 1) * size]
}

/// What all pieces have in common.
struct Orders<'a> {
    shape: &'a Shape,
    prefix: &'a str,
    games: i64,
    keeps: bool,
    /// Answers are given; not when the games have only just begun.
    steps: bool,
}

impl Orders<'_> {
    fn seed(&self, number: i64) -> Seed {
        Seed(format!("{}-{number}", self.prefix))
    }

    fn work(&self, mut piece: Piece<'_>) -> Result<(), Refusal> {
        for game in 0..piece.places.len() {
            self.play(game, &mut piece)?;
            let place = &mut piece.places[game];
            let side = place.slot.drill.side();
            piece.side[game] = side.map_or(-1, |side| i8::from(side == Side::Soviet));
            piece.count[game] = place.slot.drill.count() as i32;
            piece.number[game] = place.number;
            if let (Some(seen), Some(side)) = (&mut piece.seen, side) {
                seen.write(game, side, place, self.shape);
            }
        }
        Ok(())
    }

    /// Gives the answer of one game; a game that is over begins anew with the next number.
    fn play(&self, game: usize, piece: &mut Piece<'_>) -> Result<(), Refusal> {
        let reward = part(piece.reward, game, 2);
        reward.fill(0.0);
        (piece.done[game], piece.truncated[game]) = (false, false);
        let place = &mut piece.places[game];
        let mut eyes = place.slot.drill.side();
        if self.steps {
            // Listed when the arrays were written, so it is not negative.
            place.slot.step(piece.answers[game] as usize)?;
        }
        // A seated opponent may win before anybody is asked.
        while place.slot.drill.side().is_none() || place.slot.is_truncated() {
            let outcome = place.slot.outcome();
            let winner = outcome.and_then(|outcome| outcome.winner);
            for (cell, side) in reward.iter_mut().zip(Side::BOTH) {
                *cell = winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
            }
            piece.done[game] = outcome.is_some();
            piece.truncated[game] = outcome.is_none();
            if let (Some(last), Some(side)) = (&mut piece.last, eyes) {
                last.write(game, side, place, self.shape);
            }
            if self.keeps {
                place.finished.push(place.finish());
            }
            place.number += self.games;
            place.slot.restart(self.seed(place.number))?;
            eyes = place.slot.drill.side();
        }
        Ok(())
    }
}

impl Place {
    fn finish(&self) -> Finished {
        let outcome = self.slot.outcome();
        Finished {
            seed: self.slot.seed.0.clone(),
            answers: self.slot.answers.clone(),
            winner: outcome.and_then(|outcome| outcome.winner),
            points: outcome.map_or((0, 0), |outcome| (outcome.points.axis, outcome.points.soviet)),
            truncated: outcome.is_none(),
            hash: digest(&self.slot.drill.position().situation()),
        }
    }
}

/// Does all pieces on so many threads.
fn share_out<T: Send, E: Send>(
    pieces: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    if threads < 2 {
        return pieces.into_iter().try_for_each(work);
    }
    let left = Mutex::new(pieces.into_iter());
    let next = || left.lock().ok().and_then(|mut left| left.next());
    let toil = || {
        while let Some(piece) = next() {
            work(piece)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(toil)).collect();
        let mut done = toil();
        for other in others {
            // A thread that panicked has left its games in the middle of an answer.
            match other.join() {
                Ok(result) => done = done.and(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    })
}

/// A mutable slice of an array that nobody else is using.
macro_rules! slices {
    ($py:ident, $($name:ident = $array:expr),* $(,)?) => {
        $( let mut $name = $array.bind($py).try_readwrite().map_err(|_| in_use())?; )*
        $( let $name = $name.as_slice_mut().map_err(|_| in_use())?; )*
    };
}

fn in_use() -> PyErr {
    wrong::fault("an array of the batch is being used elsewhere")
}

impl Batch {
    /// Steps, or writes what the games begin with.
    fn advance(&mut self, py: Python<'_>, answers: Option<&[i64]>) -> PyResult<()> {
        let games = self.slots.len();
        let nothing = vec![0; if answers.is_some() { 0 } else { games }];
        let Batch { slots, shape, prefix, threads, keeps, .. } = self;
        let orders = Orders { shape, prefix, games: games as i64, keeps: *keeps, steps: answers.is_some() };
        let answers = answers.unwrap_or(&nothing);
        slices! { py,
            side = self.side, count = self.count, reward = self.reward, done = self.done,
            truncated = self.truncated, number = self.number,
        };
        let mut seen = self.seen.as_ref().map(|seen| Held::new(py, seen)).transpose()?;
        let mut last = self.last.as_ref().map(|last| Held::new(py, last)).transpose()?;
        let mut seen = seen.as_mut().map(Held::strip).transpose()?;
        let mut last = last.as_mut().map(Held::strip).transpose()?;
        let size = if *threads < 2 { games } else { games.div_ceil(*threads * PIECES).max(1) };
        let mut pieces = Vec::with_capacity(games / size + 1);
        let arrays = slots
            .chunks_mut(size)
            .zip(answers.chunks(size))
            .zip(side.chunks_mut(size).zip(count.chunks_mut(size)))
            .zip(reward.chunks_mut(size * 2).zip(done.chunks_mut(size)))
            .zip(truncated.chunks_mut(size).zip(number.chunks_mut(size)));
        for ((((places, answers), (side, count)), (reward, done)), (truncated, number)) in arrays {
            let own_seen = cut_off(&mut seen, places.len(), shape);
            let own_last = cut_off(&mut last, places.len(), shape);
            pieces.push(Piece {
                places,
                answers,
                side,
                count,
                reward,
                done,
                truncated,
                number,
                seen: own_seen,
                last: own_last,
            });
        }
        let threads = *threads;
        py.detach(|| share_out(pieces, threads, |piece| orders.work(piece)))
            .map_err(|refusal| wrong::refused(&refusal))?;
        for place in slots.iter_mut() {
            if self.seen.is_some() {
                expect_room(&place.scratch, shape)?;
            }
            self.finished.append(&mut place.finished);
        }
        Ok(())
    }

    /// Writes the answers of all games as rows, one game below the other.
    fn list(&mut self, py: Python<'_>) -> PyResult<()> {
        let (Some(offsets), Some(rows)) = (&self.offsets, &mut self.rows) else { return Ok(()) };
        slices! { py, offsets = offsets }
        let mut total = 0;
        for (place, offset) in self.slots.iter().zip(offsets.iter_mut()) {
            *offset = total;
            total += place.slot.drill.count() as i32;
        }
        if let Some(end) = offsets.last_mut() {
            *end = total;
        }
        let total = total as usize;
        if rows.bind(py).len()? < total {
            *rows = PyArray::zeros(py, [total.next_power_of_two(), WIDTH], false).unbind();
        }
        slices! { py, cells = rows }
        let (rows, _) = cells.as_chunks_mut::<WIDTH>();
        let games = self.slots.len();
        let size = if self.threads < 2 { games } else { games.div_ceil(self.threads * PIECES).max(1) };
        let mut left = &mut rows[..total];
        let mut pieces = Vec::new();
        for places in self.slots.chunks(size) {
            let many = places.iter().map(|place| place.slot.drill.count()).sum();
            let (own, rest) = left.split_at_mut(many);
            left = rest;
            pieces.push((places, own));
        }
        let work = |(places, mut rows): (&[Place], &mut [[i16; WIDTH]])| {
            for place in places {
                let (own, rest) = rows.split_at_mut(place.slot.drill.count());
                place.slot.drill.rows(own).map_err(|answer| (place.number, answer))?;
                rows = rest;
            }
            Ok(())
        };
        let threads = self.threads;
        py.detach(|| share_out(pieces, threads, work)).map_err(|(number, answer)| {
            let place = self.slots.iter().find(|place| place.number == number);
            place.map_or_else(in_use, |place| too_large(&*place.slot.drill, answer))
        })
    }
}

/// Cuts a piece off the strip that is left.
fn cut_off<'a>(strip: &mut Option<Strip<'a>>, games: usize, shape: &Shape) -> Option<Strip<'a>> {
    let (own, rest) = strip.take()?.cut(games, shape);
    *strip = Some(rest);
    Some(own)
}

/// The arrays of what a side sees, while they are written.
struct Held<'py> {
    units: numpy::PyReadwriteArray3<'py, i16>,
    planes: numpy::PyReadwriteArray4<'py, u64>,
    globals: numpy::PyReadwriteArray2<'py, f32>,
    question: numpy::PyReadwriteArray2<'py, i16>,
}

impl<'py> Held<'py> {
    fn new(py: Python<'py>, seen: &Seen) -> PyResult<Held<'py>> {
        Ok(Held {
            units: seen.units.bind(py).try_readwrite().map_err(|_| in_use())?,
            planes: seen.planes.bind(py).try_readwrite().map_err(|_| in_use())?,
            globals: seen.globals.bind(py).try_readwrite().map_err(|_| in_use())?,
            question: seen.question.bind(py).try_readwrite().map_err(|_| in_use())?,
        })
    }

    fn strip(&mut self) -> PyResult<Strip<'_>> {
        Ok(Strip {
            units: self.units.as_slice_mut().map_err(|_| in_use())?,
            planes: self.planes.as_slice_mut().map_err(|_| in_use())?,
            globals: self.globals.as_slice_mut().map_err(|_| in_use())?,
            question: self.question.as_slice_mut().map_err(|_| in_use())?,
        })
    }
}

/// An array of so many zeros.
fn zeros<T: Element>(py: Python<'_>, many: usize) -> Py<PyArray<T, Ix1>> {
    PyArray::zeros(py, [many], false).unbind()
}

#[pymethods]
impl Batch {
    /// So many games of a scenario; game n has the seed `SEED-n`. `observe` and `rows` say what is written after each step, `final_`
    /// keeps what was seen last of a game that is over, `keep` its seed and answers for `take_finished`.
    #[new]
    #[pyo3(signature = (scenario, games, *, seed, options=Vec::new(), data=None, axis=None, soviet=None, nodes=None, skip_forced=false, threads=1, observe=true, rows=true, final_=false, keep=false))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        scenario: &str,
        games: usize,
        seed: &Bound<'_, PyAny>,
        options: Vec<String>,
        data: Option<String>,
        axis: Option<&str>,
        soviet: Option<&str>,
        nodes: Option<u32>,
        skip_forced: bool,
        threads: usize,
        observe: bool,
        rows: bool,
        final_: bool,
        keep: bool,
    ) -> PyResult<Batch> {
        if games == 0 || games > 1 << 20 {
            return Err(wrong::input("a batch has 1 to 1,048,576 games"));
        }
        if axis.is_some() && soviet.is_some() {
            return Err(wrong::input("a batch leaves one side to the caller: seat one opponent at most"));
        }
        let origin = Origin::new(scenario, None, options, data)?;
        let prefix = seed.str()?.to_string();
        let mut first = Slot::new(origin, Seed(format!("{prefix}-0")), skip_forced)?;
        for (side, level) in [(Side::Axis, axis), (Side::Soviet, soviet)] {
            if let Some(level) = level {
                first.seat(side, level, nodes, None)?;
            }
        }
        let shape = first.drill.shape();
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(games),
        };
        let mut slots = Vec::with_capacity(games);
        for number in 0..games {
            let mut slot = first.copy();
            py.detach(|| slot.restart(Seed(format!("{prefix}-{number}"))))
                .map_err(|refusal| wrong::refused(&refusal))?;
            let number = number as i64;
            slots.push(Place { slot, number, finished: Vec::new(), scratch: Observation::default() });
        }
        let mut batch = Batch {
            slots,
            shape,
            prefix,
            threads,
            keeps: keep,
            side: zeros(py, games),
            count: zeros(py, games),
            reward: PyArray::zeros(py, [games, 2], false).unbind(),
            done: zeros(py, games),
            truncated: zeros(py, games),
            number: zeros(py, games),
            seen: observe.then(|| Seen::new(py, games, &shape)),
            last: (observe && final_).then(|| Seen::new(py, games, &shape)),
            offsets: rows.then(|| zeros(py, games + 1)),
            rows: rows.then(|| PyArray::zeros(py, [games * 16, WIDTH], false).unbind()),
            finished: Vec::new(),
        };
        batch.advance(py, None)?;
        batch.list(py)?;
        Ok(batch)
    }

    /// Gives an answer in each game. All are listed ones, or nothing is done.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it has converted")]
    fn step(&mut self, py: Python<'_>, answers: PyArrayLike1<'_, i64, AllowTypeChange>) -> PyResult<()> {
        let answers = answers.as_slice().map_err(|_| in_use())?;
        if answers.len() != self.slots.len() {
            return Err(wrong::illegal(&format!("{} answers for {} games", answers.len(), self.slots.len())));
        }
        let listed = |place: &Place, answer: i64| {
            usize::try_from(answer).is_ok_and(|answer| answer < place.slot.drill.count())
        };
        let astray = self.slots.iter().zip(answers).position(|(place, &answer)| !listed(place, answer));
        if let Some(game) = astray {
            return Err(wrong::illegal(&format!(
                "answer {} in place {game}: {} are listed there, numbered from 0",
                answers[game],
                self.slots[game].slot.drill.count()
            )));
        }
        let answers = answers.to_vec();
        self.advance(py, Some(&answers))?;
        self.list(py)
    }

    /// Begins all games anew: those of the first numbers with another seed.
    fn reset(&mut self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        self.prefix = seed.str()?.to_string();
        self.finished.clear();
        for (number, place) in (0..).zip(&mut self.slots) {
            place.number = number;
            let seed = Seed(format!("{}-{number}", self.prefix));
            py.detach(|| place.slot.restart(seed)).map_err(|refusal| wrong::refused(&refusal))?;
        }
        self.advance(py, None)?;
        self.list(py)
    }

    /// The games that are over since this was last asked: seed, answers, winner, points, truncated, state_hash.
    fn take_finished<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let dict = |game: Finished| {
            let dict = PyDict::new(py);
            dict.set_item("seed", game.seed)?;
            dict.set_item("answers", PyArray1::from_vec(py, game.answers))?;
            dict.set_item("winner", game.winner.map(Side::word))?;
            dict.set_item("points", game.points)?;
            dict.set_item("truncated", game.truncated)?;
            dict.set_item("state_hash", game.hash)?;
            Ok(dict)
        };
        self.finished.drain(..).map(dict).collect()
    }

    /// The answers of one game in notation.
    fn answers_of(&self, game: usize) -> PyResult<Vec<String>> {
        let place = self.slots.get(game).ok_or_else(|| wrong::input("there is no such game"))?;
        let drill = &place.slot.drill;
        Ok((0..drill.count()).filter_map(|answer| drill.notation(answer)).collect())
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    /// Who decides in each game: 0 Axis, 1 Soviet.
    #[getter]
    fn side(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.side.clone_ref(py)
    }

    /// How many answers are legal in each game.
    #[getter]
    fn count(&self, py: Python<'_>) -> Py<PyArray1<i32>> {
        self.count.clone_ref(py)
    }

    /// What the last step has won: Axis, Soviet.
    #[getter]
    fn reward(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.reward.clone_ref(py)
    }

    /// The games that the last step has ended; they have begun anew.
    #[getter]
    fn done(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.done.clone_ref(py)
    }

    /// The games that were broken off because they took too long.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// The numbers of the games: game n has the seed `SEED-n`.
    #[getter]
    fn number(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.number.clone_ref(py)
    }

    /// What the side that decides sees, in all games.
    #[getter]
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.seen.as_ref().map(|seen| seen.dict(py)).transpose()
    }

    /// What was seen last of the games that are over, by the side that gave the last answer.
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.last.as_ref().map(|last| last.dict(py)).transpose()
    }

    /// Where the rows of each game begin; the last number is where they end.
    #[getter]
    fn offsets(&self, py: Python<'_>) -> Option<Py<PyArray1<i32>>> {
        self.offsets.as_ref().map(|offsets| offsets.clone_ref(py))
    }

    /// The answers of all games as rows, one game below the other; what lies behind the last offset means nothing.
    #[getter]
    fn rows(&self, py: Python<'_>) -> Option<Py<PyArray2<i16>>> {
        self.rows.as_ref().map(|rows| rows.clone_ref(py))
    }

    /// How large the arrays of one game are.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        shape_dict(py, &self.shape)
    }
}
