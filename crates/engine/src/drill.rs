//! Games for programs that learn and search: answers by number, observations written in place, no way back and nothing kept.
//!
//! [`crate::Game`] keeps what people want: every move, undo, records. A drill keeps the state, its dice and the answers that can be
//! given now, so that a step costs what the rules cost. A game is its seed and the numbers of its answers: [`AnyDrill::restart`]
//! and the same numbers bring every moment of it back.

use std::sync::Arc;

use board::Map;
use serde_json::{Value, json};

use crate::observation::{COLUMNS, Observation, observe};
use crate::position::{AnyPosition, Position};
use crate::row::{NONE, Row, WIDTH};
use crate::shelf::{Happening, Refusal, happenings};
use crate::store::Placed;
use crate::{
    Asked, Dice, Entry, Form, Frames, Outcome, Phrase, Play, Roll, Rulebook, Seed, Side, Told, UnitId,
    Viewer, frame, situation,
};

/// How large the arrays of an observation are; the same for both sides and all through a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Units of the roster: the first rows.
    pub units: usize,
    /// The most pieces whose front is not seen: the rows after them.
    pub unseen: usize,
    /// Sets of hexes.
    pub planes: usize,
    /// Lines of the map.
    pub lines: usize,
    /// Words of 64 hexes in a line.
    pub words: usize,
    /// Hexes in a line.
    pub width: usize,
    /// Numbers.
    pub globals: usize,
    /// The most decisions that a game can take.
    pub longest: usize,
}

/// A game for programs, without its types.
pub trait AnyDrill: Send + Sync {
    /// Begins the game anew with the dice of a seed.
    fn restart(&mut self, seed: &Seed);
    /// Gives the dice another future.
    fn reseed(&mut self, seed: &Seed);
    /// The same game once more, with the same dice to come.
    fn copy(&self) -> Box<dyn AnyDrill>;
    /// A game that begins where this one stands as a side sees it: all that it does not see is dealt anew, and its dice are those
    /// of the seed.
    fn imagined_by(&self, side: Side, seed: &Seed) -> Box<dyn AnyDrill>;

    /// Who decides; nobody when the game is over.
    fn side(&self) -> Option<Side>;
    /// How it ended, if it is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Decisions made so far.
    fn decisions(&self) -> usize;
    /// How many answers are legal; none when the game is over.
    fn count(&self) -> usize;
    /// Gives the answer of a number. A refusal changes nothing.
    fn step(&mut self, answer: usize) -> Result<(), Refusal>;
    /// What a side may do unasked, in notation.
    fn interjections(&self, side: Side) -> Vec<String>;
    /// Does what [`AnyDrill::interjections`] lists at this place.
    fn interject(&mut self, side: Side, place: usize) -> Result<(), Refusal>;

    /// The answer of a number as a row; nothing when there is none, or when it does not fit into one.
    fn row(&self, answer: usize) -> Option<Row>;
    /// All answers as rows, one after the other; the number of the first that does not fit into one.
    fn rows(&self, out: &mut [[i16; WIDTH]]) -> Result<(), usize>;
    /// The answer of a number in notation.
    fn notation(&self, answer: usize) -> Option<String>;
    /// The number of an answer in notation, or why it is refused.
    fn number(&self, line: &str) -> Result<usize, Refusal>;
    /// Writes what a side sees.
    fn observe(&self, side: Side, out: &mut Observation);
    /// What a viewer was told of the last step.
    fn told(&self, viewer: Viewer) -> Vec<Happening>;
    /// The same as rows: a die is the form after the last, with side, faces and result as its values.
    fn told_rows(&self, viewer: Viewer, rows: &mut Vec<Row>);
    /// Where it began, as a situation.
    fn start(&self) -> String;
    /// How the game stands, to be asked about.
    fn position(&self) -> &dyn AnyPosition;

    /// The map.
    fn map(&self) -> &Map;
    /// How large observations are.
    fn shape(&self) -> Shape;
    /// What never changes in a game, by name: columns, planes, globals, forms, units, places.
    fn facts(&self) -> Value;
}

/// A game for programs.
struct Drill<R: Rulebook> {
    start: Arc<R::State>,
    now: Position<R>,
    play: Play<R::Event>,
    asked: Asked,
    answers: Vec<R::Action>,
    decisions: usize,
    unseen: usize,
}

/// A game for programs that begins here.
pub(crate) fn drill<R: Rulebook>(position: Position<R>, seed: &Seed) -> Box<dyn AnyDrill> {
    let start = Arc::new(position.state.clone());
    let of = |side: Side| {
        let own = |unit: &UnitId| position.rules.owner(&start, *unit) == side;
        position.rules.roster().iter().filter(own).count()
    };
    let unseen = of(Side::Axis).max(of(Side::Soviet));
    let asked = position.rules.asked(&position.state);
    let play = Play::new(Dice::seeded(seed));
    let mut drill = Drill { start, now: position, play, asked, answers: Vec::new(), decisions: 0, unseen };
    drill.list();
    Box::new(drill)
}

impl<R: Rulebook> Drill<R> {
    /// Lists the answers to what is asked now.
    fn list(&mut self) {
        self.asked = self.now.rules.asked(&self.now.state);
        self.answers.clear();
        self.now.rules.answers(&self.now.state, &mut self.answers);
    }

    fn copied(&self) -> Drill<R> {
        Drill {
            start: self.start.clone(),
            now: Position {
                rules: self.now.rules.clone(),
                state: self.now.state.clone(),
                data: self.now.data.clone(),
            },
            play: self.play.clone(),
            asked: self.asked,
            answers: self.answers.clone(),
            decisions: self.decisions,
            unseen: self.unseen,
        }
    }

    /// What the rules could not carry out is a fault of theirs, and the game is lost: only a restart helps.
    fn done(&mut self) -> Result<(), Refusal> {
        self.decisions += 1;
        self.list();
        let stack = R::stack(&self.now.state);
        let fault = match stack.overflow() {
            Some(name) => Some(frame::too_deep(name, stack.frames().len())),
            None => self.now.rules.overflow(&self.now.state),
        };
        let stuck = self.answers.is_empty() && matches!(self.asked, Asked::Decision { .. });
        match fault.or_else(|| stuck.then(|| format!("a dead end after {} decisions", self.decisions))) {
            Some(fault) => Err(Refusal::plain(fault)),
            None => Ok(()),
        }
    }

    fn interjected(&self, side: Side) -> Vec<R::Action> {
        let mut actions = Vec::new();
        if let Asked::Decision { .. } = self.asked {
            self.now.rules.interjections(&self.now.state, side, &mut actions);
        }
        actions
    }
}

impl<R: Rulebook> AnyDrill for Drill<R> {
    fn restart(&mut self, seed: &Seed) {
        self.now.state.clone_from(&self.start);
        self.play.clear();
        self.play.dice = Dice::seeded(seed);
        self.decisions = 0;
        self.list();
    }

    fn reseed(&mut self, seed: &Seed) {
        self.play.dice = self.play.dice.reseeded(seed);
    }

    fn copy(&self) -> Box<dyn AnyDrill> {
        Box::new(self.copied())
    }

    fn imagined_by(&self, side: Side, seed: &Seed) -> Box<dyn AnyDrill> {
        let mut drill = self.copied();
        let mut luck = Dice::seeded(&Seed(format!("{seed} imagines")));
        drill.now.state = self.now.rules.imagine(&self.now.state, side, &mut luck);
        drill.start = Arc::new(drill.now.state.clone());
        drill.restart(seed);
        Box::new(drill)
    }

    fn side(&self) -> Option<Side> {
        match self.asked {
            Asked::Decision { side, .. } => Some(side),
            Asked::Over(_) => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.asked {
            Asked::Over(outcome) => Some(outcome),
            Asked::Decision { .. } => None,
        }
    }

    fn decisions(&self) -> usize {
        self.decisions
    }

    fn count(&self) -> usize {
        self.answers.len()
    }

    fn step(&mut self, answer: usize) -> Result<(), Refusal> {
        let Some(&action) = self.answers.get(answer) else {
            return Err(Refusal::plain(match self.side() {
                None => "the game is over".to_owned(),
                Some(_) => format!("{} answers are listed, numbered from 0", self.answers.len()),
            }));
        };
        self.play.clear();
        self.now.rules.apply(&mut self.now.state, action, &mut self.play);
        self.done()
    }

    fn interjections(&self, side: Side) -> Vec<String> {
        self.interjected(side).iter().map(|action| action.notation(&*self.now.rules)).collect()
    }

    fn interject(&mut self, side: Side, place: usize) -> Result<(), Refusal> {
        let Some(&action) = self.interjected(side).get(place) else {
            return Err(Refusal::plain("there is no such thing to say unasked now"));
        };
        self.play.clear();
        self.now.rules.interject(&mut self.now.state, side, action, &mut self.play);
        self.now.rules.go_on(&mut self.now.state, &mut self.play);
        self.done()
    }

    fn row(&self, answer: usize) -> Option<Row> {
        let mut row = Row::default();
        self.answers.get(answer)?.write_row(&*self.now.rules, &mut row).then_some(row)
    }

    fn rows(&self, out: &mut [[i16; WIDTH]]) -> Result<(), usize> {
        let mut row = Row::default();
        for (place, (answer, out)) in self.answers.iter().zip(out).enumerate() {
            if !answer.write_row(&*self.now.rules, &mut row) {
                return Err(place);
            }
            *out = *row.cells();
        }
        Ok(())
    }

    fn notation(&self, answer: usize) -> Option<String> {
        Some(self.answers.get(answer)?.notation(&*self.now.rules))
    }

    fn number(&self, line: &str) -> Result<usize, Refusal> {
        let action = R::Action::parse(line, &*self.now.rules).map_err(Refusal::plain)?;
        match self.answers.iter().position(|answer| *answer == action) {
            Some(place) => Ok(place),
            None => {
                self.now.check(line)?;
                Err(Refusal::plain("this is no answer to what is asked"))
            }
        }
    }

    fn observe(&self, side: Side, out: &mut Observation) {
        observe(&*self.now.rules, &self.now.state, side, out);
    }

    fn told(&self, viewer: Viewer) -> Vec<Happening> {
        happenings(&*self.now.rules, self.play.told(), viewer)
    }

    fn told_rows(&self, viewer: Viewer, rows: &mut Vec<Row>) {
        let told = self.play.told().iter().filter_map(|told: &Told<R::Event>| told.to(viewer));
        rows.extend(told.map(|entry| match entry {
            Entry::Event(event) => {
                let mut row = Row::default();
                event.write_row(&*self.now.rules, &mut row);
                row
            }
            Entry::Roll(roll) => roll_row(&roll, R::Event::FORMS.len()),
        }));
    }

    fn start(&self) -> String {
        situation::write_marked(&*self.now.rules, &self.start, self.now.data.as_deref())
    }

    fn position(&self) -> &dyn AnyPosition {
        &self.now
    }

    fn map(&self) -> &Map {
        self.now.rules.map()
    }

    fn shape(&self) -> Shape {
        let grid = self.map().grid();
        Shape {
            units: self.now.rules.roster().len(),
            unseen: self.unseen,
            planes: R::SCHEMA.planes.len(),
            lines: grid.lines(),
            words: grid.width().div_ceil(64),
            width: grid.width(),
            globals: R::SCHEMA.globals.len(),
            longest: self.now.rules.longest_game(),
        }
    }

    fn facts(&self) -> Value {
        let rules = &*self.now.rules;
        let roster = rules.roster();
        let units = roster
            .iter()
            .map(|unit| json!({ "name": roster.name(unit), "side": rules.owner(&self.start, unit).word() }));
        let boxes = <R::Place as Placed>::BOXES.iter().map(|(name, _)| *name);
        let places: Vec<&str> = std::iter::once("map").chain(boxes).chain(["out of the game"]).collect();
        json!({
            "columns": COLUMNS,
            "planes": R::SCHEMA.planes,
            "globals": R::SCHEMA.globals,
            "places": places,
            "marks": R::MARKS.iter().map(|mark| mark.word).collect::<Vec<_>>(),
            "units": units.collect::<Vec<_>>(),
            "answers": forms(R::Action::FORMS),
            "questions": forms(R::Frame::FORMS),
            "events": forms(R::Event::FORMS),
        })
    }
}

fn roll_row(roll: &Roll, form: usize) -> Row {
    let mut row = Row::default();
    row.set_form(form);
    let small = |value: u32| i16::try_from(value).unwrap_or(NONE);
    row.value(i16::from(roll.side == Side::Soviet));
    row.value(small(roll.faces));
    row.value(small(roll.result));
    row
}

fn forms(forms: &[Form]) -> Vec<Value> {
    let field = |field: &crate::Field| json!({ "name": field.name, "kind": field.kind });
    let form = |form: &Form| {
        let fields: Vec<Value> = form.fields.iter().map(field).collect();
        json!({ "name": form.name, "case": form.case.0, "usage": form.usage(), "fields": fields })
    };
    forms.iter().map(form).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_the_form_after_the_last() {
        let roll =
            Roll { side: Side::Soviet, faces: 6, result: 4, purpose: "combat", case: crate::case("1.1") };
        let row = roll_row(&roll, 9);
        assert_eq!(row.form(), 9);
        assert_eq!(row.cells()[9..], [1, 6, 4]);
    }
}
