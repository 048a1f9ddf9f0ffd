//! A game for programs with the opponents seated in it.

use std::sync::Arc;

use engine::drill::AnyDrill;
use engine::shelf::Refusal;
use engine::{BySide, Outcome, Seed, Side, Text};
use pyo3::PyResult;
use staff::{AnyOpponent, Budget, Level, Signals};

use crate::books::Origin;
use crate::wrong;

/// An opponent in its seat, and what it was seated with.
pub(crate) struct Seat {
    pub(crate) opponent: Box<dyn AnyOpponent>,
    pub(crate) level: Level,
    pub(crate) nodes: Option<u32>,
    /// What its luck follows from; the seed of the game when nothing else was said.
    pub(crate) luck: Option<Seed>,
}

impl Seat {
    fn copy(&self) -> Seat {
        Seat {
            opponent: self.opponent.copied(),
            level: self.level,
            nodes: self.nodes,
            luck: self.luck.clone(),
        }
    }
}

/// A game, its answers so far, and who is seated.
pub(crate) struct Slot {
    pub(crate) origin: Arc<Origin>,
    pub(crate) drill: Box<dyn AnyDrill>,
    pub(crate) seed: Seed,
    pub(crate) seats: BySide<Option<Seat>>,
    /// The numbers of all answers; what was said unasked is −1 − 2 × its place, less one for the Soviet side.
    pub(crate) answers: Vec<i16>,
    /// The dice were given another future after so many answers.
    pub(crate) reseeded: Vec<(usize, String)>,
    /// It begins with what a side imagined.
    pub(crate) imagined: bool,
    /// Answers that are the only one are given by themselves.
    pub(crate) skip_forced: bool,
    pub(crate) longest: usize,
}

impl Slot {
    pub(crate) fn new(origin: Arc<Origin>, seed: Seed, skip_forced: bool) -> PyResult<Slot> {
        let Origin { rulebook, data, start, options, .. } = &*origin;
        let drill = rulebook.drill(data, start, options, &seed).map_err(|faults| wrong::faults(&faults))?;
        let longest = drill.shape().longest;
        Ok(Slot {
            origin,
            drill,
            seed,
            seats: BySide::default(),
            answers: Vec::new(),
            reseeded: Vec::new(),
            imagined: false,
            skip_forced,
            longest,
        })
    }

    pub(crate) fn copy(&self) -> Slot {
        let seat = |side: Side| self.seats[side].as_ref().map(Seat::copy);
        Slot {
            origin: self.origin.clone(),
            drill: self.drill.copy(),
            seed: self.seed.clone(),
            seats: BySide { axis: seat(Side::Axis), soviet: seat(Side::Soviet) },
            answers: self.answers.clone(),
            reseeded: self.reseeded.clone(),
            imagined: self.imagined,
            skip_forced: self.skip_forced,
            longest: self.longest,
        }
    }

    /// Seats an opponent of this level.
    pub(crate) fn seat(
        &mut self,
        side: Side,
        level: &str,
        nodes: Option<u32>,
        luck: Option<Seed>,
    ) -> PyResult<()> {
        let level = Level::named(level).map_err(|why| wrong::input(&why))?;
        let book = self.origin.rulebook.book();
        if level == Level::General && nodes.is_none() {
            return Err(wrong::input("a general needs `nodes` that he may play through in a phase"));
        }
        let budget = nodes.map_or_else(Budget::default, Budget::nodes);
        let (position, seed) = (self.drill.position(), luck.as_ref().unwrap_or(&self.seed));
        let opponent = staff::seat(book, position, &self.origin.data, side, level, budget, seed)
            .map_err(|faults| wrong::faults(&faults))?;
        self.seats[side] = Some(Seat { opponent, level, nodes, luck });
        Ok(())
    }

    /// Begins anew with the dice of a seed.
    pub(crate) fn restart(&mut self, seed: Seed) -> Result<(), Refusal> {
        self.drill.restart(&seed);
        self.seed = seed;
        self.answers.clear();
        self.reseeded.clear();
        for side in Side::BOTH {
            if let Some(seat) = &mut self.seats[side] {
                seat.opponent = seat.opponent.anew(seat.luck.as_ref().unwrap_or(&self.seed));
            }
        }
        self.go_on()
    }

    /// Gives an answer; then the opponents, and whoever has no choice, give theirs.
    pub(crate) fn step(&mut self, answer: usize) -> Result<(), Refusal> {
        self.answer(answer)?;
        self.go_on()
    }

    /// Gives one answer and no other.
    pub(crate) fn answer(&mut self, answer: usize) -> Result<(), Refusal> {
        let Ok(short) = i16::try_from(answer) else {
            let why = Text::plain("answers are numbered with 15 bits");
            return Err(Refusal { case: None, why });
        };
        self.drill.step(answer)?;
        self.answers.push(short);
        Ok(())
    }

    /// Does something unasked.
    pub(crate) fn interject(&mut self, side: Side, place: usize) -> Result<(), Refusal> {
        self.drill.interject(side, place)?;
        self.answers.push(i16::try_from(place).map_or(i16::MIN, |place| -1 - 2 * place - soviet(side)));
        self.go_on()
    }

    /// Lets opponents answer, and whoever has no choice, until somebody must decide.
    pub(crate) fn go_on(&mut self) -> Result<(), Refusal> {
        while let Some(side) = self.drill.side().filter(|_| !self.is_truncated()) {
            let answer = match &mut self.seats[side] {
                Some(seat) => {
                    seat.opponent.number(self.drill.position(), self.drill.decisions(), &Signals::default())
                }
                None if self.skip_forced && self.drill.count() == 1 => Some(0),
                None => return Ok(()),
            };
            // An opponent that finds nothing leaves the seat to the caller: it cannot happen while something is asked.
            let Some(answer) = answer else { return Ok(()) };
            self.answer(answer)?;
        }
        Ok(())
    }

    /// Plays answers through that were given in an earlier life of this game; opponents think along, so that they go on as they
    /// would have.
    pub(crate) fn replay(&mut self, answers: &[i16], reseeded: &[(usize, String)]) -> Result<(), Refusal> {
        for (place, &answer) in answers.iter().enumerate() {
            for (_, seed) in reseeded.iter().filter(|(after, _)| *after == place) {
                self.reseed(&Seed(seed.clone()));
            }
            if answer < 0 {
                let code = -1 - answer;
                let side = if code % 2 == 1 { Side::Soviet } else { Side::Axis };
                self.drill.interject(side, (code / 2) as usize)?;
                self.answers.push(answer);
                continue;
            }
            if let Some(seat) = self.drill.side().and_then(|side| self.seats[side].as_mut()) {
                seat.opponent.number(self.drill.position(), self.drill.decisions(), &Signals::default());
            }
            self.answer(answer as usize)?;
        }
        for (_, seed) in reseeded.iter().filter(|(after, _)| *after == answers.len()) {
            self.reseed(&Seed(seed.clone()));
        }
        Ok(())
    }

    pub(crate) fn reseed(&mut self, seed: &Seed) {
        self.drill.reseed(seed);
        self.reseeded.push((self.answers.len(), seed.0.clone()));
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.drill.outcome()
    }

    /// True when it has gone on for longer than any game may.
    pub(crate) fn is_truncated(&self) -> bool {
        self.drill.decisions() >= self.longest && self.drill.outcome().is_none()
    }
}

fn soviet(side: Side) -> i16 {
    i16::from(side == Side::Soviet)
}
