//! Games between opponents, with what the lab wants to know of them.

use std::sync::Arc;
use std::time::Instant;

use engine::{
    Asked, BySide, Data, Dice, Entry, Options, Outcome, Phrase, Play, Role, Seed, Side, game, situation,
};
use source::Faults;

use crate::budget::{Budget, Signals};
use crate::commander::{Commander, Staff};
use crate::{Doctrine, Ledger, Level};

/// Who plays, and with what.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The levels.
    pub levels: BySide<Level>,
    /// What a general may spend on a phase.
    pub budget: Budget,
    /// True when every combat is to be told.
    pub combats: bool,
}

/// How the game stood when a turn began; the last line is how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnLine {
    /// The turn that begins, or one more than the last.
    pub turn: u32,
    /// The figures.
    pub ledger: Ledger,
}

/// One combat, in words of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combat {
    /// The turn.
    pub turn: u32,
    /// Who attacked.
    pub attacker: Side,
    /// The hex that was attacked.
    pub hex: String,
    /// The column of the table, if the rulebook tells it.
    pub column: String,
    /// The result.
    pub result: String,
}

/// How one game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it ended.
    pub winner: Option<Side>,
    /// Victory points.
    pub points: BySide<i32>,
    /// Why, in words.
    pub reason: String,
    /// Turns that were begun.
    pub turns: u32,
    /// Decisions made.
    pub decisions: usize,
    /// Seconds that each side has thought.
    pub seconds: BySide<f64>,
    /// The longest that a side has thought about one decision, in seconds.
    pub longest: BySide<f64>,
    /// The game by turns.
    pub by_turn: Vec<TurnLine>,
    /// Its combats, when they were asked for.
    pub combats: Vec<Combat>,
}

/// A scenario made ready for games between opponents.
pub struct Arena<D: Doctrine> {
    pub(crate) rules: Arc<D>,
    pub(crate) start: D::State,
    /// By side, so that two sets of numbers can be compared.
    pub(crate) staffs: BySide<Arc<Staff<D>>>,
}

impl<D: Doctrine> Arena<D> {
    /// Opens a scenario with the weights of its data.
    pub fn open(data: &Data, scenario: &str, options: Options) -> Result<Arena<D>, Faults> {
        let source = game::scenario_source::<D>(scenario, data)?;
        let opened = situation::open::<D>(source, data, options)?;
        let rules = Arc::new(opened.rules);
        let staff = Arc::new(Staff::new(rules.clone(), &opened.state, data)?);
        Ok(Arena { staffs: BySide { axis: staff.clone(), soviet: staff }, rules, start: opened.state })
    }

    /// The same with weights for each side, in which stand its own and what it thinks of the other's.
    pub fn reweighed(&self, weights: BySide<BySide<D::Weights>>) -> Arena<D> {
        let staff = |weights| Arc::new(self.staffs.axis.reweighed(weights));
        let staffs = BySide { axis: staff(weights.axis), soviet: staff(weights.soviet) };
        Arena { staffs, rules: self.rules.clone(), start: self.start.clone() }
    }

    /// Plays one game. The error says what went wrong.
    pub fn play(&self, contest: &Contest, seed: &Seed) -> Result<Report, String> {
        let rules = &*self.rules;
        let mut state = self.start.clone();
        let mut play = Play::new(Dice::seeded(seed));
        let commander = |side: Side| {
            let staff = self.staffs[side].clone();
            Commander::new(staff, side, contest.levels[side], contest.budget, seed)
        };
        let mut commanders = BySide { axis: commander(Side::Axis), soviet: commander(Side::Soviet) };
        let mut chronicle = Chronicle::new(contest.combats);
        let signals = Signals::default();
        let (mut seconds, mut longest) =
            (BySide { axis: 0.0, soviet: 0.0 }, BySide { axis: 0.0, soviet: 0.0f64 });
        for decisions in 0..=rules.longest_game() {
            chronicle.listen(self, &state, &play);
            let side = match rules.asked(&state) {
                Asked::Decision { side, .. } => side,
                Asked::Over(outcome) => {
                    return Ok(chronicle.close(self, &state, &outcome, decisions, seconds, longest));
                }
            };
            let began = Instant::now();
            let Some(answer) = commanders[side].decide(&state, decisions, &signals) else {
                return Err(format!("a dead end after {decisions} decisions"));
            };
            let took = began.elapsed().as_secs_f64();
            seconds[side] += took;
            longest[side] = longest[side].max(took);
            if let Err(violation) = rules.check(&state, answer) {
                let (line, why) = (answer.notation(rules), violation.text(rules));
                return Err(format!("{side} answers {line} after {decisions} decisions: {why}"));
            }
            play.clear();
            rules.apply(&mut state, answer, &mut play);
        }
        Err(format!("still not over after {} decisions", rules.longest_game()))
    }

    fn ledger(&self, state: &D::State) -> Ledger {
        self.rules.ledger(&self.staffs.axis.picture, state)
    }
}

/// What is written down while a game is played. Of combats it hears what the rulebook tells: by convention `declared` begins
/// one, `column` and `result` say what came of it.
struct Chronicle {
    combats_wanted: bool,
    turn: u32,
    by_turn: Vec<TurnLine>,
    combats: Vec<Combat>,
    target: String,
    column: String,
}

impl Chronicle {
    fn new(combats_wanted: bool) -> Chronicle {
        Chronicle {
            combats_wanted,
            turn: 0,
            by_turn: Vec::new(),
            combats: Vec::new(),
            target: String::new(),
            column: String::new(),
        }
    }

    fn listen<D: Doctrine>(&mut self, arena: &Arena<D>, state: &D::State, play: &Play<D::Event>) {
        let rules = &*arena.rules;
        let turn = u32::from(rules.turn(state).0);
        if turn > self.turn {
            self.turn = turn;
            self.by_turn.push(TurnLine { turn, ledger: arena.ledger(state) });
        }
        if !self.combats_wanted {
            return;
        }
        let mut attacker = None;
        for told in play.told() {
            match told.entry() {
                Entry::Roll(roll) => attacker = Some(roll.side),
                Entry::Event(event) => {
                    let words = event.words(rules);
                    let last = words.last().cloned().unwrap_or_default();
                    let hex = || {
                        let place = event.form().fields.iter().position(|field| field.kind == "hex");
                        place.and_then(|place| words.get(place).cloned()).unwrap_or_default()
                    };
                    match event.form().role {
                        Role::Attack => self.target = hex(),
                        Role::Column => self.column = last,
                        Role::Result => self.combats.push(Combat {
                            turn: self.turn,
                            attacker: attacker.unwrap_or(Side::Axis),
                            hex: self.target.clone(),
                            column: std::mem::take(&mut self.column),
                            result: words.join(" "),
                        }),
                        _ => {}
                    }
                }
            }
        }
    }

    fn close<D: Doctrine>(
        mut self,
        arena: &Arena<D>,
        state: &D::State,
        outcome: &Outcome,
        decisions: usize,
        seconds: BySide<f64>,
        longest: BySide<f64>,
    ) -> Report {
        let ledger = Ledger { points: outcome.points, ..arena.ledger(state) };
        self.by_turn.push(TurnLine { turn: self.turn + 1, ledger });
        Report {
            winner: outcome.winner,
            points: outcome.points,
            reason: outcome.reason.text(&*arena.rules).to_string(),
            turns: self.turn,
            decisions,
            seconds,
            longest,
            by_turn: self.by_turn,
            combats: self.combats,
        }
    }
}
