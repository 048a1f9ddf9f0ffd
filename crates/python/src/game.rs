//! `Game`: one game.

use std::sync::Arc;

use engine::drill::Shape;
use engine::observation::{COLUMNS, Observation};
use engine::row::{Row, WIDTH};
use engine::shelf::Happening;
use engine::{BySide, Outcome, Seed, Side, Viewer};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde_json::Value;
use source::Source;
use staff::{Budget, Level, Signals};

use crate::books::{Origin, digest, side};
use crate::slot::Slot;
use crate::{ground, python_of, wrong};

/// One game. Answers go by their number in the list of legal ones; sides are `"axis"` and `"soviet"`.
#[pyclass(module = "grognard")]
pub(crate) struct Game {
    slot: Slot,
    scratch: Observation,
}

impl Game {
    fn of(slot: Slot) -> Game {
        Game { slot, scratch: Observation::default() }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.slot.outcome()
    }

    /// The side that is named, or asked.
    fn looking(&self, named: Option<&str>) -> PyResult<Side> {
        match named {
            Some(name) => side(name),
            None => {
                self.slot.drill.side().ok_or_else(|| wrong::input("the game is over: say whose eyes look"))
            }
        }
    }
}

/// A word of Python for a side.
pub(crate) fn word(py: Python<'_>, side: Option<Side>) -> Option<&Bound<'_, PyString>> {
    side.map(|side| match side {
        Side::Axis => intern!(py, "axis"),
        Side::Soviet => intern!(py, "soviet"),
    })
}

/// Whose eyes look: a side's, or everybody's who sees what both see (`observer`), or all (`all`).
fn viewer(name: &str) -> PyResult<Viewer> {
    match name {
        "all" => Ok(Viewer::Referee),
        "observer" => Ok(Viewer::Observer),
        name => Ok(Viewer::Side(side(name)?)),
    }
}

/// A seed that is given as text or as a number, or drawn by lot.
fn seed_of(seed: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Seed>> {
    seed.map(|seed| Ok(Seed(seed.str()?.to_string()))).transpose()
}

fn seed_or_lot(py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Seed> {
    match seed_of(seed)? {
        Some(seed) => Ok(seed),
        None => Ok(Seed(py.import("secrets")?.call_method1("token_hex", (16,))?.extract()?)),
    }
}

#[pymethods]
impl Game {
    /// Begins a game of `rulebook/scenario`, or of `rulebook` where a situation is given.
    #[new]
    #[pyo3(signature = (scenario, *, seed=None, options=Vec::new(), data=None, situation=None, axis=None, soviet=None, nodes=None, skip_forced=false))]
    #[expect(clippy::too_many_arguments, reason = "all but one are named in Python")]
    fn new(
        py: Python<'_>,
        scenario: &str,
        seed: Option<&Bound<'_, PyAny>>,
        options: Vec<String>,
        data: Option<String>,
        situation: Option<String>,
        axis: Option<&str>,
        soviet: Option<&str>,
        nodes: Option<u32>,
        skip_forced: bool,
    ) -> PyResult<Game> {
        let origin = Origin::new(scenario, situation, options, data)?;
        let mut slot = Slot::new(origin, seed_or_lot(py, seed)?, skip_forced)?;
        for (side, level) in [(Side::Axis, axis), (Side::Soviet, soviet)] {
            if let Some(level) = level {
                slot.seat(side, level, nodes, None)?;
            }
        }
        py.detach(|| slot.go_on()).map_err(|refusal| wrong::refused(&refusal))?;
        Ok(Game::of(slot))
    }

    /// Begins anew with the dice of a seed; seated opponents stay, with luck of that seed.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed_or_lot(py, seed)?;
        py.detach(|| self.slot.restart(seed)).map_err(|refusal| wrong::refused(&refusal))
    }

    /// Seats an opponent: `random`, `recruit`, `officer` or `general`. It answers whenever its side is asked.
    #[pyo3(signature = (side, level, *, nodes=None, luck=None))]
    fn seat(
        &mut self,
        py: Python<'_>,
        side: &str,
        level: &str,
        nodes: Option<u32>,
        luck: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let luck = seed_of(luck)?;
        self.slot.seat(self::side(side)?, level, nodes, luck)?;
        py.detach(|| self.slot.go_on()).map_err(|refusal| wrong::refused(&refusal))
    }

    /// `rulebook/scenario`; the rulebook alone where the game began with a situation.
    #[getter]
    fn scenario(&self) -> String {
        self.slot.origin.scenario()
    }

    /// The optional rules that are on.
    #[getter]
    fn options(&self) -> Vec<String> {
        self.slot.origin.options.clone()
    }

    /// What the dice follow from.
    #[getter]
    fn seed(&self) -> &str {
        &self.slot.seed.0
    }

    /// The number of the rules: another one when the same answers and dice could lead to another game.
    #[getter]
    fn rules(&self) -> u32 {
        self.slot.origin.rulebook.book().rules
    }

    /// Who decides; nobody when the game is over.
    #[getter]
    fn side<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyString>> {
        word(py, self.slot.drill.side())
    }

    /// How many answers are legal.
    #[getter]
    fn count(&self) -> usize {
        self.slot.drill.count()
    }

    /// Decisions made so far.
    #[getter]
    fn decisions(&self) -> usize {
        self.slot.drill.decisions()
    }

    /// True when the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.slot.drill.side().is_none()
    }

    /// True when it has gone on for longer than any game may.
    #[getter]
    fn truncated(&self) -> bool {
        self.slot.is_truncated()
    }

    /// Who has won; nobody in a draw or before the end.
    #[getter]
    fn winner<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyString>> {
        word(py, self.outcome().and_then(|outcome| outcome.winner))
    }

    /// Victory points at the end: Axis, Soviet.
    #[getter]
    fn points(&self) -> Option<(i32, i32)> {
        self.outcome().map(|Outcome { points: BySide { axis, soviet }, .. }| (axis, soviet))
    }

    /// What is asked, or why the game has ended, in words.
    #[getter]
    fn prompt(&self) -> String {
        self.slot.drill.position().question().text.to_string()
    }

    /// The rule case behind it.
    #[getter]
    fn case(&self) -> &'static str {
        self.slot.drill.position().question().case
    }

    /// Gives the answer of a number. Then seated opponents give theirs.
    fn step(&mut self, py: Python<'_>, answer: usize) -> PyResult<()> {
        let done = match &self.slot.seats {
            BySide { axis: None, soviet: None } => self.slot.step(answer),
            _ => py.detach(|| self.slot.step(answer)),
        };
        done.map_err(|refusal| wrong::refused(&refusal))
    }

    /// Gives an answer in notation.
    fn act(&mut self, py: Python<'_>, line: &str) -> PyResult<()> {
        let answer = self.number(line)?;
        self.step(py, answer)
    }

    /// The number of an answer in notation; what is refused says by which case, and why.
    fn number(&self, line: &str) -> PyResult<usize> {
        self.slot.drill.number(line).map_err(|refusal| wrong::refused(&refusal))
    }

    /// Every legal answer in notation.
    fn answers(&self) -> Vec<String> {
        (0..self.slot.drill.count()).filter_map(|answer| self.slot.drill.notation(answer)).collect()
    }

    /// Every legal answer as a row of 12 numbers: form, 6 units, 2 hexes, 3 values; −1 is none.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let mut rows = vec![[0i16; WIDTH]; self.slot.drill.count()];
        self.slot.drill.rows(&mut rows).map_err(|place| too_large(&*self.slot.drill, place))?;
        rows.into_flattened().into_pyarray(py).reshape([self.slot.drill.count(), WIDTH])
    }

    /// What a side may do without being asked, in notation.
    fn interjections(&self, side: &str) -> PyResult<Vec<String>> {
        Ok(self.slot.drill.interjections(self::side(side)?))
    }

    /// Does what `interjections` lists at this place.
    fn interject(&mut self, py: Python<'_>, side: &str, place: usize) -> PyResult<()> {
        let side = self::side(side)?;
        py.detach(|| self.slot.interject(side, place)).map_err(|refusal| wrong::refused(&refusal))
    }

    /// What a side sees, as arrays: `units`, `planes`, `globals`, `question`. The side that is asked when none is named.
    #[pyo3(signature = (side=None))]
    fn observe<'py>(&mut self, py: Python<'py>, side: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let side = self.looking(side)?;
        self.slot.drill.observe(side, &mut self.scratch);
        let shape = self.slot.drill.shape();
        let seen = &self.scratch;
        let rows = shape.units + shape.unseen;
        expect_room(seen, &shape)?;
        let mut units = vec![0i16; rows * COLUMNS.len()];
        write_units(seen, &mut units);
        let observation = PyDict::new(py);
        observation.set_item(intern!(py, "units"), units.into_pyarray(py).reshape([rows, COLUMNS.len()])?)?;
        let planes = PyArray1::from_slice(py, &seen.planes);
        observation
            .set_item(intern!(py, "planes"), planes.reshape([shape.planes, shape.lines, shape.words])?)?;
        observation.set_item(intern!(py, "globals"), PyArray1::from_slice(py, &seen.globals))?;
        observation.set_item(intern!(py, "question"), PyArray1::from_slice(py, seen.question.cells()))?;
        Ok(observation)
    }

    /// What a side was told of the last answer: a list of objects.
    fn events<'py>(&self, py: Python<'py>, eyes: &str) -> PyResult<Bound<'py, PyAny>> {
        let told: Vec<Value> = self.slot.drill.told(viewer(eyes)?).iter().map(Happening::json).collect();
        python_of(py, &Value::Array(told))
    }

    /// The same as rows of 12 numbers; a die is the form after the last one, with side, faces and result as values.
    fn event_rows<'py>(&self, py: Python<'py>, eyes: &str) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let mut rows = Vec::new();
        self.slot.drill.told_rows(viewer(eyes)?, &mut rows);
        let cells: Vec<i16> = rows.iter().flat_map(|row: &Row| *row.cells()).collect();
        cells.into_pyarray(py).reshape([rows.len(), WIDTH])
    }

    /// What a viewer sees, as the browser is told it.
    fn view<'py>(&self, py: Python<'py>, eyes: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = self.slot.drill.position().view(viewer(eyes)?);
        python_of(py, &serde_json::to_value(view).unwrap_or_default())
    }

    /// The exact chances of what answers in notation lead to, as this viewer may suppose.
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it has converted")]
    fn odds<'py>(&self, py: Python<'py>, lines: Vec<String>, eyes: &str) -> PyResult<Bound<'py, PyAny>> {
        let viewer = viewer(eyes)?;
        let supposed = self.slot.drill.position().as_supposed_by(viewer);
        let prospect = supposed.odds(&lines, viewer).map_err(|refusal| wrong::refused(&refusal))?;
        python_of(py, &prospect.json())
    }

    /// The same game once more. Without a seed the same dice will fall: for replays. With one it has a future of its own: for search.
    #[pyo3(signature = (seed=None))]
    fn clone(&self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Game> {
        let mut slot = self.slot.copy();
        if let Some(seed) = seed_of(seed)? {
            slot.reseed(&seed);
        }
        Ok(Game::of(slot))
    }

    /// A game that begins here as a side sees it: what it does not see is dealt anew, the dice are those of the seed. No opponent
    /// is seated in it.
    fn imagine(&self, side: &str, seed: &Bound<'_, PyAny>) -> PyResult<Game> {
        let seed = Seed(seed.str()?.to_string());
        let drill = self.slot.drill.imagined_by(self::side(side)?, &seed);
        Ok(Game::of(Slot {
            origin: self.slot.origin.clone(),
            drill,
            seed,
            seats: BySide::default(),
            answers: Vec::new(),
            reseeded: Vec::new(),
            imagined: true,
            skip_forced: self.slot.skip_forced,
            longest: self.slot.longest,
        }))
    }

    /// What an opponent would answer in the place of the side that is asked: number and reasons.
    #[pyo3(signature = (level, *, nodes=None, luck=None))]
    fn advise(
        &self,
        py: Python<'_>,
        level: &str,
        nodes: Option<u32>,
        luck: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(usize, Vec<String>)> {
        let side = self.slot.drill.side().ok_or_else(|| wrong::illegal("the game is over"))?;
        let level = Level::named(level).map_err(|why| wrong::input(&why))?;
        let luck = seed_or_lot(py, luck)?;
        let (origin, drill) = (&self.slot.origin, &self.slot.drill);
        let budget = nodes.map_or_else(Budget::default, Budget::nodes);
        let book = origin.rulebook.book();
        let mut adviser = staff::seat(book, drill.position(), &origin.data, side, level, budget, &luck)
            .map_err(|faults| wrong::faults(&faults))?;
        let number = py.detach(|| adviser.number(drill.position(), drill.decisions(), &Signals::default()));
        let number = number.ok_or_else(|| wrong::fault("the opponent finds no answer"))?;
        Ok((number, adviser.why().iter().map(ToString::to_string).collect()))
    }

    /// The numbers of all answers so far. With the seed they are the game.
    #[getter]
    fn played<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        PyArray1::from_slice(py, &self.slot.answers)
    }

    /// The position as a situation file.
    fn situation(&self) -> String {
        self.slot.drill.position().situation()
    }

    /// SHA-256 of the situation.
    fn state_hash(&self) -> String {
        digest(&self.situation())
    }

    /// The game as a record, whose dice `grognard verify` can prove.
    fn record(&self) -> PyResult<String> {
        if !self.slot.reseeded.is_empty() {
            return Err(wrong::input("the dice were given another future: its dice cannot be proved"));
        }
        let (origin, seed) = (self.origin()?, self.slot.seed.clone());
        let faults = |faults: source::Faults| wrong::faults(&faults);
        let mut game = match origin.situation() {
            None => {
                let scenario = origin.scenario();
                let name = scenario.split_once('/').map_or("", |(_, name)| name);
                origin.rulebook.start(&origin.data, name, &origin.options, seed).map_err(faults)?
            }
            Some(text) => {
                let source = Source::new("situation", text);
                origin.rulebook.open(&origin.data, &source, Some(seed)).map_err(faults)?
            }
        };
        let mut slot = Slot::new(origin, self.slot.seed.clone(), false)?;
        for &answer in &self.slot.answers {
            let (side, line) = slot.line_of(answer).ok_or_else(|| wrong::fault("an answer is not listed"))?;
            game.act_as(Some(side), &line, Viewer::Referee).map_err(|refusal| wrong::refused(&refusal))?;
            slot.replay(&[answer], &[]).map_err(|refusal| wrong::refused(&refusal))?;
        }
        Ok(game.record(true))
    }

    /// How large the arrays of an observation are.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        shape_dict(py, &self.slot.drill.shape())
    }

    /// What never changes in a game: names of columns, planes, globals, forms, units, and the map as arrays.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let facts = python_of(py, &self.slot.drill.facts())?;
        facts.set_item("map", ground::ground(py, self.slot.drill.map())?)?;
        Ok(facts)
    }

    fn __copy__(&self) -> Game {
        Game::of(self.slot.copy())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        Game::of(self.slot.copy())
    }

    /// A pickle is where the game began, its seed and its answers; opponents think along when it is opened again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let origin = self.origin()?;
        let facts = PyDict::new(py);
        facts.set_item("scenario", origin.scenario())?;
        facts.set_item("situation", origin.situation())?;
        facts.set_item("options", origin.options.clone())?;
        facts.set_item("data", origin.folder.clone())?;
        facts.set_item("data_hash", ::lab::plan::digest(&origin.data))?;
        facts.set_item("rules", self.rules())?;
        facts.set_item("seed", self.seed())?;
        facts.set_item("skip_forced", self.slot.skip_forced)?;
        facts.set_item("answers", self.slot.answers.clone())?;
        facts.set_item("reseeded", self.slot.reseeded.clone())?;
        let seats: Vec<(&str, &str, Option<u32>, Option<&str>)> = Side::BOTH
            .into_iter()
            .filter_map(|side| self.slot.seats[side].as_ref().map(|seat| (side, seat)))
            .map(|(side, seat)| {
                (side.word(), seat.level.name(), seat.nodes, seat.luck.as_ref().map(|luck| luck.0.as_str()))
            })
            .collect();
        facts.set_item("seats", seats)?;
        Ok((py.get_type::<Game>().getattr("_restore")?, (facts,)))
    }

    /// The game of a pickle.
    #[staticmethod]
    fn _restore(py: Python<'_>, facts: &Bound<'_, PyDict>) -> PyResult<Game> {
        let get = |key: &str| facts.as_any().get_item(key);
        let scenario: String = get("scenario")?.extract()?;
        let origin = Origin::new(
            &scenario,
            get("situation")?.extract()?,
            get("options")?.extract()?,
            get("data")?.extract()?,
        )?;
        let (rules, data): (u32, String) = (get("rules")?.extract()?, get("data_hash")?.extract()?);
        if rules != origin.rulebook.book().rules || data != ::lab::plan::digest(&origin.data) {
            return Err(wrong::input("the game was played with other rules or other data"));
        }
        let seed = Seed(get("seed")?.extract()?);
        let mut slot = Slot::new(origin, seed, get("skip_forced")?.extract()?)?;
        let seats: Vec<(String, String, Option<u32>, Option<String>)> = get("seats")?.extract()?;
        for (side, level, nodes, luck) in seats {
            slot.seat(self::side(&side)?, &level, nodes, luck.map(Seed))?;
        }
        let (answers, reseeded): (Vec<i16>, Vec<(usize, String)>) =
            (get("answers")?.extract()?, get("reseeded")?.extract()?);
        py.detach(|| slot.replay(&answers, &reseeded)).map_err(|refusal| wrong::refused(&refusal))?;
        Ok(Game::of(slot))
    }

    fn __repr__(&self) -> String {
        let side = self.slot.drill.side().map_or("over", Side::word);
        format!("<Game {} seed={:?} decision {} {side}>", self.scenario(), self.seed(), self.decisions())
    }
}

impl Game {
    /// Where the game began, what a side imagined included.
    fn origin(&self) -> PyResult<Arc<Origin>> {
        let origin = &self.slot.origin;
        if !self.slot.imagined {
            return Ok(origin.clone());
        }
        let book = origin.rulebook.book().name;
        Origin::new(book, Some(self.slot.drill.start()), Vec::new(), origin.folder.clone())
    }
}

impl Slot {
    /// An answer of this moment in notation, and whose it is.
    fn line_of(&self, answer: i16) -> Option<(Side, String)> {
        if answer >= 0 {
            return Some((self.drill.side()?, self.drill.notation(answer as usize)?));
        }
        let code = -1 - answer;
        let side = if code % 2 == 1 { Side::Soviet } else { Side::Axis };
        Some((side, self.drill.interjections(side).into_iter().nth((code / 2) as usize)?))
    }
}

/// How large the arrays of an observation are.
pub(crate) fn shape_dict<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("units", (shape.units + shape.unseen, COLUMNS.len()))?;
    dict.set_item("planes", (shape.planes, shape.lines, shape.words))?;
    dict.set_item("globals", (shape.globals,))?;
    dict.set_item("question", (WIDTH,))?;
    dict.set_item("roster", shape.units)?;
    dict.set_item("width", shape.width)?;
    dict.set_item("longest", shape.longest)?;
    Ok(dict)
}

/// Refuses an observation with more pieces than there is room for.
pub(crate) fn expect_room(seen: &Observation, shape: &Shape) -> PyResult<()> {
    let room = shape.units + shape.unseen;
    if seen.units.len() <= room {
        return Ok(());
    }
    Err(wrong::fault(&format!("{} pieces are seen, and there is room for {room}", seen.units.len())))
}

/// Writes the rows of units; rows that are not used say that nothing is seen there.
pub(crate) fn write_units(seen: &Observation, out: &mut [i16]) {
    const NOBODY: [i16; COLUMNS.len()] = [0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1];
    let (rows, _) = out.as_chunks_mut::<{ COLUMNS.len() }>();
    let (known, rest) = rows.split_at_mut(seen.units.len().min(rows.len()));
    known.copy_from_slice(&seen.units[..known.len()]);
    rest.fill(NOBODY);
}

/// An answer that does not fit into a row.
pub(crate) fn too_large(drill: &dyn engine::drill::AnyDrill, place: usize) -> PyErr {
    let line = drill.notation(place).unwrap_or_default();
    wrong::fault(&format!("the answer `{line}` does not fit into a row"))
}
