//! One game in memory: what a seat may do and see of it. Nothing here waits for anything.

use std::sync::Arc;

use engine::display::Counter;
use engine::position::{AnyPosition, Foreseen};
use engine::shelf::{AnyGame, AnyRulebook};
use engine::{BySide, Mixture, NoUndo, Phrase, Side, Start, Talk, Text, Viewer};
use staff::Level;

use crate::convert::{self, count, plain};
use crate::maps::{self, Maps};
use crate::opponents::{self, Choice};
use crate::seats::{Actor, Seat};
use crate::store::{Kept, Standing, Thought, Whole, Write};
use crate::wire::{self, Answer, Ask, Eyes, Refusal};

/// The most standing orders of a side.
const MOST_ORDERS: usize = 16;

/// How many actions the log of a fresh connection begins with.
const FRESH_LOG: usize = 100;

/// The most actions in one part of the log.
const LONGEST_LOG: usize = 1_000;

/// The most lines in one message.
const MAX_LINES: usize = 64;

/// A game in memory.
pub(crate) struct Table {
    game: Box<dyn AnyGame>,
    id: String,
    decision: u32,
    /// The decision from which on the game stands as it does: what was only said since keeps nobody from answering.
    standing_since: u32,
    levels: BySide<Option<Level>>,
    /// The server's part of the dice, unless somebody chose their seed.
    secret: Option<String>,
    /// The players' parts; nothing of who is still to give his. Until then nothing is done.
    nonces: BySide<Option<String>>,
    /// What was taken back, the last first to be done again.
    undone: Vec<(Side, String)>,
    /// How many actions there were at each decision since the game was opened.
    lengths: Vec<u32>,
    /// What opponents had in mind, in the order of the actions.
    thoughts: Vec<Thought>,
    /// What the players have ordered to be answered for them.
    orders: BySide<Vec<wire::Order>>,
    info: wire::GameInfo,
    /// Every unit's counter at the start.
    counters: Vec<(String, Counter)>,
    /// The drawing of the map is there as long as the game is open.
    _sheet: Arc<maps::Sheet>,
}

/// Somebody at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sitter {
    /// The seat.
    pub(crate) seat: Seat,
    /// Through whose eyes.
    pub(crate) eyes: Eyes,
}

/// A change that was made, to be kept before anybody hears of it.
pub(crate) struct Changed {
    /// What to keep.
    pub(crate) write: Write,
    /// How many lines were carried out.
    pub(crate) done: u32,
    /// Why not all were.
    pub(crate) stopped: Option<Refusal>,
}

/// An answer, or the work that leads to it.
pub(crate) enum Reply {
    /// At once.
    Now(Box<Answer>),
    /// After some work that needs the table no more.
    Work(Effort, Box<dyn FnOnce() -> Result<Answer, Refusal> + Send>),
    /// After the whole log was read.
    Read(Box<dyn Reader>),
    /// After an opponent has thought about a position.
    Advice { side: Side, level: Level, position: Box<dyn AnyPosition>, decision: u32 },
}

/// How long some work takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Milliseconds.
    Little,
    /// Perhaps seconds.
    Much,
}

impl Table {
    /// A game that was opened from what is kept of it.
    pub(crate) fn new(
        game: Box<dyn AnyGame>,
        rulebook: &dyn AnyRulebook,
        whole: Whole,
        maps: &Maps,
    ) -> Result<Table, String> {
        let Whole { kept, thoughts, .. } = whole;
        let book = rulebook.book();
        let level =
            |name: &Option<String>| name.as_deref().map(|name| opponents::level(book, name)).transpose();
        let levels = BySide { axis: level(&kept.levels[0])?, soviet: level(&kept.levels[1])? };
        let [axis, soviet] = kept.nonces.clone();
        let nonces = BySide { axis, soviet };
        let (sheet, links) = maps.sheet_of(game.map());
        // Later they could tell what is hidden.
        let counters = game.at(0).map(|start| start.counters()).unwrap_or_default();
        let info = info(&*game, rulebook, &kept, &levels, links, &counters);
        Ok(Table {
            lengths: vec![count(game.len())],
            game,
            id: kept.id,
            decision: kept.decision,
            standing_since: kept.decision,
            levels,
            secret: kept.secret,
            nonces,
            undone: Vec::new(),
            orders: read_orders(&kept.orders),
            thoughts,
            info,
            counters,
            _sheet: sheet,
        })
    }

    /// What stays the same during the game.
    pub(crate) fn info(&self) -> &wire::GameInfo {
        &self.info
    }

    /// The short name of its rulebook.
    pub(crate) fn rulebook(&self) -> &'static str {
        self.game.book().name
    }

    /// The number of the present decision.
    pub(crate) fn decision(&self) -> u32 {
        self.decision
    }

    /// True when the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.deciding().is_none()
    }

    /// Who decides.
    pub(crate) fn deciding(&self) -> Option<Side> {
        self.game.question().side
    }

    /// The side that the program must decide for now.
    pub(crate) fn program_decides(&self) -> Option<Side> {
        let begun = self.awaited() == BySide::default();
        self.deciding().filter(|side| begun && self.is_played_by_program(*side))
    }

    /// Whose player has not sat down yet.
    pub(crate) fn awaited(&self) -> BySide<bool> {
        BySide { axis: self.nonces.axis.is_none(), soviet: self.nonces.soviet.is_none() }
    }

    /// A player gives his part of the dice; with the last one they are mixed.
    pub(crate) fn give_nonce(&mut self, side: Side, nonce: &str) {
        self.nonces[side].get_or_insert_with(|| nonce.to_owned());
        let BySide { axis: Some(axis), soviet: Some(soviet) } = self.nonces.clone() else { return };
        if let Some(secret) = self.secret.clone() {
            let nonces = BySide { axis, soviet };
            self.game.mix(Mixture { game: self.id.clone(), secret, nonces });
        }
    }

    /// The side for which whoever sits here is still to give his part of the dice. Where one person plays, any of his seats
    /// will do.
    pub(crate) fn awaits(&self, seat: Seat) -> Option<Side> {
        let gives = |side: &Side| if self.info.for_two { seat.plays(*side) } else { seat != Seat::OBSERVER };
        Side::BOTH.into_iter().filter(|side| self.nonces[*side].is_none()).find(gives)
    }

    /// How the game stands, with everything hidden: for opponents, which imagine what they cannot see.
    pub(crate) fn position(&self) -> Box<dyn AnyPosition> {
        self.game.position()
    }

    /// The levels of the opponents.
    pub(crate) fn levels(&self) -> &BySide<Option<Level>> {
        &self.levels
    }

    /// True when the program plays this side.
    pub(crate) fn is_played_by_program(&self, side: Side) -> bool {
        self.levels[side].is_some()
    }

    /// How the game stands, for somebody who has seen it at decision `since`.
    pub(crate) fn update(&self, sitter: Sitter, since: Option<u32>) -> wire::Update {
        let position = self.game.position();
        let viewer = convert::viewer(sitter.eyes);
        let len = self.game.len();
        let known = since.and_then(|since| self.unchanged_since(since));
        let from = known.unwrap_or(len.saturating_sub(FRESH_LOG)).max(len.saturating_sub(LONGEST_LOG));
        wire::Update {
            decision: self.decision,
            eyes: sitter.eyes,
            at: count(len),
            view: convert::view(position.view(viewer), position.score()),
            // How players have ended a game stands in the game, not in a position.
            question: self.question(&self.game.question(), &*position, sitter, true),
            sequence: convert::sequence(&*position),
            counters: self.changed_counters(&*position, viewer),
            log_from: count(from),
            log: self.log(from, len, sitter.eyes),
            undo: self.may_undo(sitter),
            redo: self.may_redo(sitter),
            unasked: self.unasked(sitter),
            orders: self.orders_of(sitter),
        }
    }

    /// What somebody may do without being asked: where the rules let a side speak up, and concede or offer a draw. A program is
    /// not offered one.
    fn unasked(&self, sitter: Sitter) -> Vec<wire::Unasked> {
        let Some(actor) = sitter.seat.acts_as(sitter.eyes) else { return Vec::new() };
        let sides = sitter.seat.sides().filter(|side| actor.side().is_none_or(|acting| acting == *side));
        sides.flat_map(|side| self.unasked_of(side, actor.side().is_none())).collect()
    }

    /// What one side may do without being asked; who plays both at once says for whom he speaks.
    fn unasked_of(&self, side: Side, named: bool) -> Vec<wire::Unasked> {
        let alone = self.levels[side.enemy()].is_some();
        let offered =
            |answer: &engine::shelf::Answer| !(alone && answer.action == Talk::OfferDraw.form().name);
        let form = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        let answers = self.game.interjections(side).into_iter().filter(offered);
        answers
            .map(|answer| wire::Unasked {
                side: convert::side(side),
                form: form(&answer.action),
                line: if named { format!("{side}: {}", answer.action) } else { answer.action },
                case: Some(answer.case.to_owned()).filter(|case| !case.is_empty()),
                text: answer.text.into(),
            })
            .collect()
    }

    /// The counters in somebody's sight that are not as they were at the start.
    fn changed_counters(&self, position: &dyn AnyPosition, viewer: Viewer) -> Vec<wire::Counter> {
        let view = position.view(viewer);
        let counters = position.counters().into_iter().zip(&self.counters).filter(|(now, then)| now != *then);
        counters.map(|(now, _)| now).filter(|(unit, _)| view.shows(unit)).map(convert::counter).collect()
    }

    /// The standing orders of whoever sits here.
    fn orders_of(&self, sitter: Sitter) -> Vec<wire::Order> {
        let side = sitter.seat.acts_as(sitter.eyes).and_then(Actor::side);
        side.map(|side| self.orders[side].clone()).unwrap_or_default()
    }

    /// Gives a side its standing orders. Only answers that finish something by doing no more can be ordered.
    pub(crate) fn order(&mut self, sitter: Sitter, orders: Vec<wire::Order>) -> Result<Write, Refusal> {
        let Some(side) = sitter.seat.acts_as(sitter.eyes).and_then(Actor::side) else {
            return Err(plain("only a player of one side gives orders"));
        };
        let finishes = |line: &str| {
            self.info.forms.iter().any(|form| form.name == line && form.finishes && form.fields.is_empty())
        };
        if orders.len() > MOST_ORDERS || orders.iter().any(|order| !finishes(&order.line)) {
            return Err(plain("expected a few answers that finish something by doing no more"));
        }
        if orders.iter().any(|order| !is_short(&order.case) || !order.about.as_deref().is_none_or(is_short)) {
            return Err(plain("expected a case, and the name of a unit or a hex"));
        }
        // The game stands as before: neither does the enemy learn of it, nor is his answer out of date.
        self.orders[side] = orders;
        Ok(Write::Orders { game: self.id.clone(), decision: self.decision, orders: self.orders_kept() })
    }

    fn orders_kept(&self) -> String {
        serde_json::to_string(&[&self.orders.axis, &self.orders.soviet]).unwrap_or_default()
    }

    /// What a person has ordered to be answered now: whose, and the line.
    pub(crate) fn ordered(&self) -> Option<(Side, String)> {
        let asked = self.game.question();
        let side = asked.side.filter(|side| !self.is_played_by_program(*side))?;
        let position = self.game.position();
        let prompt = wire::Text::from(asked.text);
        let fits = |order: &&wire::Order| {
            order.case == asked.case
                && order.about.as_ref().is_none_or(|word| prompt.names(word))
                && position.check(&order.line).is_ok()
        };
        self.orders[side].iter().find(fits).map(|order| (side, order.line.clone()))
    }

    /// Orders end that stood until their side is asked something else.
    fn end_orders(&mut self) {
        let asked = self.game.question();
        if let Some(side) = asked.side {
            let lasts =
                |order: &wire::Order| order.until == wire::OrderEnd::Revoked || order.case == asked.case;
            self.orders[side].retain(lasts);
        }
    }

    /// How many of the actions there were at some decision have never been taken back since.
    fn unchanged_since(&self, decision: u32) -> Option<usize> {
        let opened = self.decision + 1 - count(self.lengths.len());
        let place = decision.checked_sub(opened)? as usize;
        self.lengths.get(place..)?.iter().min().map(|least| *least as usize)
    }

    fn log(&self, from: usize, to: usize, eyes: Eyes) -> Vec<wire::LogEntry> {
        let viewer = convert::viewer(eyes);
        let entry = |action: usize| Some(convert::entry(action + 1, self.game.entry(action, viewer)?));
        (from..to).filter_map(entry).collect()
    }

    /// What is asked, as far as somebody may know.
    fn question(
        &self,
        asked: &engine::shelf::Question,
        position: &dyn AnyPosition,
        sitter: Sitter,
        with_answers: bool,
    ) -> wire::Question {
        let Some(side) = asked.side else {
            let over = wire::Over {
                winner: asked.winner.map(convert::side),
                reason: asked.text.clone().into(),
                case: asked.case.to_owned(),
                points: convert::both(asked.points, |points| points),
                seed: self.game.seed().filter(|_| self.is_over()).map(ToString::to_string),
                mixture: self.game.mixture().filter(|_| self.is_over()).map(convert::mixture),
            };
            return wire::Question {
                side: None,
                yours: false,
                case: asked.case.to_owned(),
                prompt: asked.text.clone().into(),
                answers: Vec::new(),
                barred: Vec::new(),
                stuck: Vec::new(),
                over: Some(over),
            };
        };
        let yours = sitter.seat.decides(side, sitter.eyes);
        let told = yours || sitter.eyes == Eyes::All;
        wire::Question {
            side: Some(convert::side(side)),
            yours,
            case: if told { asked.case.to_owned() } else { String::new() },
            prompt: if told {
                asked.text.clone().into()
            } else {
                format!("the {} player decides", self.name_of(side)).into()
            },
            answers: if yours && with_answers { convert::answers(position) } else { Vec::new() },
            barred: if yours && with_answers { barred(position, sitter) } else { Vec::new() },
            stuck: if yours && with_answers { stuck(position, sitter) } else { Vec::new() },
            over: None,
        }
    }

    fn name_of(&self, side: Side) -> &str {
        self.game.book().sides[side]
    }

    /// Refuses what answers another decision than the present one.
    fn expect(&self, decision: u32) -> Result<(), Refusal> {
        if let Some(side) = Side::BOTH.into_iter().find(|side| self.nonces[*side].is_none()) {
            let name = self.name_of(side);
            return Err(plain(format!("the game begins when the {name} player has sat down")));
        }
        if (self.standing_since..=self.decision).contains(&decision) {
            return Ok(());
        }
        let why = format!("this answers decision {decision}, and the game is at {}", self.decision);
        Err(Refusal { stale: true, ..plain(why) })
    }

    fn expect_decider(&self, position: &dyn AnyPosition, sitter: Sitter) -> Result<(), Refusal> {
        match position.question().side {
            None => Err(plain("the game is over")),
            Some(side) if sitter.seat.decides(side, sitter.eyes) => Ok(()),
            Some(side) => Err(plain(format!("the {} player decides", self.name_of(side)))),
        }
    }

    /// Carries out actions: all of them, or none when one is refused; but nothing after a die, a reveal, or when
    /// somebody else decides.
    pub(crate) fn act(
        &mut self,
        sitter: Sitter,
        decision: u32,
        lines: &[String],
        dice: &[u32],
    ) -> Result<Changed, Refusal> {
        if !dice.is_empty() {
            self.expect_alone(sitter)?;
        }
        self.game.force_dice(dice);
        let changed = self.act_all(sitter, decision, lines);
        self.game.forget_dice();
        changed
    }

    /// Refuses what only he may do who plays a casual game alone: whoever else looks at it can come to no harm.
    pub(crate) fn expect_alone(&self, sitter: Sitter) -> Result<(), Refusal> {
        let alone = self.levels == BySide::default() && sitter.seat == Seat::BOTH;
        if alone && self.info.casual {
            return Ok(());
        }
        Err(plain("this is for who plays both sides of a casual game"))
    }

    fn act_all(&mut self, sitter: Sitter, decision: u32, lines: &[String]) -> Result<Changed, Refusal> {
        self.expect(decision)?;
        if lines.is_empty() || lines.len() > MAX_LINES {
            return Err(plain(format!("expected 1 to {MAX_LINES} actions, found {}", lines.len())));
        }
        let before = self.game.len();
        let mut stopped = None;
        for (number, line) in lines.iter().enumerate() {
            if let Err(refusal) = self.may_go_on(sitter, line, before) {
                if number == 0 {
                    return Err(refusal);
                }
                stopped = Some(Refusal { line: Some(count(number)), ..refusal });
                break;
            }
            let side = sitter.seat.acts_as(sitter.eyes).and_then(Actor::side);
            if let Err(refused) = self.game.act_as(side, line, convert::viewer(sitter.eyes)) {
                while self.game.len() > before {
                    self.game.undo(None).map_err(plain)?;
                }
                return Err(Refusal { line: Some(count(number)), ..convert::refusal(refused) });
            }
        }
        self.undone.clear();
        let done = count(self.game.len() - before);
        let only_said = (before..self.game.len()).all(|action| self.is_said(action));
        Ok(Changed { write: self.changed(before, only_said), done, stopped })
    }

    /// True for an action that changes nothing on the map: a draw that is offered or declined.
    fn is_said(&self, action: usize) -> bool {
        let said = [Talk::OfferDraw, Talk::DeclineDraw].map(|talk| talk.form().name);
        self.game.line(action).is_some_and(|(_, line, _)| said.contains(&line.as_str()))
    }

    /// Carries out what an opponent has chosen, and notes its reasons when they are new.
    pub(crate) fn play(
        &mut self,
        sitter: Sitter,
        decision: u32,
        side: Side,
        choice: Choice,
    ) -> Result<Changed, Refusal> {
        let last = self.thoughts.iter().rfind(|thought| thought.side == side);
        let is_new = !choice.why.is_empty() && last.is_none_or(|last| last.sentences != choice.why);
        let thought = is_new.then(|| {
            let Standing { turn, phase, length, .. } = standing(&*self.game);
            Thought { number: length, side, turn, phase, sentences: choice.why }
        });
        let mut changed = self.act(sitter, decision, &[choice.line], &[])?;
        if let Write::Change { thought: kept, .. } = &mut changed.write {
            kept.clone_from(&thought);
        }
        self.thoughts.extend(thought);
        Ok(changed)
    }

    /// Whether another action may follow those made since `before`.
    fn may_go_on(&self, sitter: Sitter, line: &str, before: usize) -> Result<(), Refusal> {
        let speaks_up = self.unasked(sitter).iter().any(|unasked| unasked.line == line.trim());
        if !speaks_up {
            self.expect_decider(&*self.game.position(), sitter)?;
        }
        if self.game.len() > before {
            self.game.may_undo(None).map_err(plain)?;
        }
        Ok(())
    }

    /// Notes that the game has changed from its `keep`-th action on; something may only have been said.
    fn changed(&mut self, keep: usize, only_said: bool) -> Write {
        self.decision += 1;
        if !only_said {
            self.standing_since = self.decision;
        }
        self.end_orders();
        self.thoughts.retain(|thought| (thought.number as usize) < keep);
        self.lengths.push(count(self.game.len()));
        let lines = (keep..self.game.len()).filter_map(|action| Some(record_line(self.game.line(action)?)));
        Write::Change {
            game: self.id.clone(),
            decision: self.decision,
            keep: count(keep),
            lines: lines.collect(),
            standing: standing(&*self.game),
            orders: self.orders_kept(),
            thought: None,
        }
    }

    /// Takes the last action back.
    pub(crate) fn undo(&mut self, sitter: Sitter, decision: u32) -> Result<Changed, Refusal> {
        self.expect(decision)?;
        let actor = actor(sitter)?;
        if self.takes_anything_back() {
            let keep = self.game.take_back(actor.side()).map_err(plain)?;
            self.undone.clear();
            return Ok(Changed { write: self.changed(keep, false), done: 1, stopped: None });
        }
        let last = self.game.len().saturating_sub(1);
        let only_said = self.is_said(last);
        let side = self.game.line(last).map(|(side, _, _)| side);
        let line = self.game.undo(actor.side()).map_err(plain)?;
        self.undone.extend(side.map(|side| (side, line)));
        Ok(Changed { write: self.changed(last, only_said), done: 1, stopped: None })
    }

    /// Against a program, in a game that was made so.
    fn takes_anything_back(&self) -> bool {
        self.info.casual
    }

    /// Does again what was taken back last.
    pub(crate) fn redo(&mut self, sitter: Sitter, decision: u32) -> Result<Changed, Refusal> {
        self.expect(decision)?;
        let actor = actor(sitter)?;
        let Some((side, line)) = self.undone_by(actor).cloned() else { return Err(plain(NOTHING_UNDONE)) };
        let before = self.game.len();
        // What a side said unasked is not for the side to say that is asked now.
        let done = self.game.act_as(Some(side), &line, convert::viewer(sitter.eyes));
        done.map_err(convert::refusal)?;
        self.undone.pop();
        let only_said = self.is_said(before);
        Ok(Changed { write: self.changed(before, only_said), done: 1, stopped: None })
    }

    fn undone_by(&self, actor: Actor) -> Option<&(Side, String)> {
        self.undone.last().filter(|(side, _)| actor.side().is_none_or(|actor| actor == *side))
    }

    fn may_undo(&self, sitter: Sitter) -> wire::Possible {
        let may = actor(sitter).map_err(|refusal| refusal.why.to_string());
        let undo = |actor: Actor| match self.takes_anything_back() {
            true => self.game.may_take_back(actor.side()),
            false => self.game.may_undo(actor.side()),
        };
        match may.and_then(undo) {
            Ok(line) => wire::Possible { can: true, why: line },
            Err(why) => wire::Possible { can: false, why },
        }
    }

    fn may_redo(&self, sitter: Sitter) -> wire::Possible {
        match actor(sitter).ok().and_then(|actor| self.undone_by(actor)) {
            Some((_, line)) => wire::Possible { can: true, why: line.clone() },
            None => wire::Possible { can: false, why: NOTHING_UNDONE.to_owned() },
        }
    }

    /// Answers a question about the game, or says what work would.
    pub(crate) fn ask(&self, sitter: Sitter, ask: Ask) -> Result<Reply, Refusal> {
        let viewer = convert::viewer(sitter.eyes);
        // Nothing here asks the true position, so that no question can tell what is hidden.
        let position = self.game.position().as_supposed_by(viewer);
        let now = |answer: Answer| Ok(Reply::Now(Box::new(answer)));
        match ask {
            Ask::Look { lines } => {
                let Foreseen { position, told, boundary } = self.imagine(position, sitter, &lines)?;
                let why = boundary.map(|boundary| NoUndo::Boundary(boundary).to_string());
                now(Answer::Look(Box::new(wire::Outlook {
                    events: convert::happenings(told),
                    question: self.question(&position.question(), &*position, sitter, true),
                    undo: wire::Possible { can: why.is_none(), why: why.unwrap_or_default() },
                    boxed: convert::boxed(&self.game.position().view(viewer), &position.view(viewer)),
                })))
            }
            Ask::Routes { lines, unit } => {
                let position = self.imagine(position, sitter, &lines)?.position;
                self.expect_decider(&*position, sitter)?;
                work(Effort::Little, move || {
                    let routes = position.routes(unit.as_deref()).into_iter().map(convert::route_summary);
                    Ok(Answer::Routes { routes: routes.collect() })
                })
            }
            Ask::Route { lines } => {
                let (position, line) = self.imagine_all_but_last(position, sitter, &lines)?;
                match position.route(&line).map_err(convert::refusal)? {
                    Some(path) => now(Answer::Route(convert::route(path))),
                    None => Err(plain("this moves nothing")),
                }
            }
            Ask::Check { lines } => {
                let (position, line) = self.imagine_all_but_last(position, sitter, &lines)?;
                now(Answer::Check(verdict(&*position, line)))
            }
            Ask::Why { lines, unit, hex } => {
                let position = self.imagine(position, sitter, &lines)?.position;
                self.expect_decider(&*position, sitter)?;
                let verdicts = position.why(unit.as_deref(), hex.as_deref(), viewer).into_iter();
                now(Answer::Why { verdicts: verdicts.map(convert::verdict).collect() })
            }
            Ask::Odds { lines, complete } => {
                few(&lines)?;
                self.expect_decider(&*position, sitter)?;
                work(Effort::Much, move || {
                    let lines = if complete { position.completed(&lines, viewer) } else { lines };
                    let found = position.odds(&lines, viewer);
                    // Where something hidden would be shown, the position as it is supposed gives a guess.
                    if let Err(engine::shelf::Refusal { case: None, .. }) = &found
                        && let Ok(guess) = position.odds(&lines, Viewer::Referee)
                    {
                        return Ok(Answer::Odds(convert::guess(lines, guess)));
                    }
                    let prospect = found.map_err(convert::refusal)?;
                    if complete && prospect.ways.iter().all(|way| way.events.is_empty()) {
                        return Err(plain("no die is rolled for this"));
                    }
                    Ok(Answer::Odds(convert::prospect(lines, prospect)))
                })
            }
            Ask::Threat { hex } => work(Effort::Much, move || {
                let prospect = position.threat(&hex, viewer).map_err(convert::refusal)?;
                Ok(Answer::Threat(convert::prospect(Vec::new(), prospect)))
            }),
            Ask::Explain { unit } => {
                let proofs = position.explain(&unit, viewer).map_err(convert::refusal)?;
                now(Answer::Explain { proofs: proofs.into_iter().map(convert::proof).collect() })
            }
            Ask::Hex { hex } => {
                let notes = position.remarks_on(&hex, viewer).map_err(convert::refusal)?;
                now(Answer::Hex(self.hex_info(&hex, notes)?))
            }
            Ask::Overlays => work(Effort::Little, move || {
                let overlays = position.overlays(viewer).into_iter().map(convert::overlay);
                Ok(Answer::Overlays { overlays: overlays.collect() })
            }),
            Ask::At { at } => now(Answer::At(Box::new(self.moment(at as usize, sitter)?))),
            Ask::Log { from, to } => {
                let to = (to as usize).min(self.game.len()).min(from as usize + LONGEST_LOG);
                now(Answer::Log { from, log: self.log(from as usize, to, sitter.eyes) })
            }
            Ask::Marks => Ok(Reply::Read(Box::new(Marks::default()))),
            Ask::Luck => Ok(Reply::Read(Box::new(LuckLedger::default()))),
            Ask::Thoughts => now(Answer::Thoughts { thoughts: self.thoughts()? }),
            Ask::Situation => {
                self.expect_all_eyes(sitter)?;
                now(Answer::Text { name: format!("{}.toml", self.file_name()), text: self.game.situation() })
            }
            Ask::Branch { at } => {
                let Some(then) = self.game.at(at as usize) else {
                    return Err(plain(format!("the game has {} actions, not {at}", self.game.len())));
                };
                let text = then.as_supposed_by(viewer).situation();
                now(Answer::Text { name: format!("{}.toml", self.file_name()), text })
            }
            Ask::Advice { level } => {
                self.expect_alone(sitter)?;
                let level = opponents::level(self.game.book(), &level).map_err(plain)?;
                let Some(side) = self.deciding() else { return Err(plain("the game is over")) };
                Ok(Reply::Advice { side, level, position: self.game.position(), decision: self.decision })
            }
            Ask::Record => {
                self.expect_all_eyes(sitter)?;
                let text = self.game.record(self.is_over());
                now(Answer::Text { name: format!("{}.record", self.file_name()), text })
            }
        }
    }

    /// What opponents had in mind. Plans tell what is hidden and what is to come, so they are open when the game is over,
    /// and at an open table when their phase is.
    fn thoughts(&self) -> Result<Vec<wire::Thought>, Refusal> {
        let over = self.is_over();
        if !over && !self.info.opponents.open_thoughts {
            return Err(plain("opponents tell their reasons when the game is over"));
        }
        let now = standing(&*self.game);
        let is_past = |thought: &&Thought| over || (thought.turn, &thought.phase) != (now.turn, &now.phase);
        Ok(self.thoughts.iter().filter(is_past).map(convert::thought).collect())
    }

    fn expect_all_eyes(&self, sitter: Sitter) -> Result<(), Refusal> {
        if sitter.seat.eyes(self.is_over()).contains(&Eyes::All) {
            return Ok(());
        }
        Err(plain("this would show what is hidden; it is open when the game is over"))
    }

    fn file_name(&self) -> String {
        let scenario = self.info.scenario.as_deref().unwrap_or("situation");
        format!("{}-{scenario}-{}", self.info.rulebook, self.game.len())
    }

    /// What comes after some lines, as far as somebody may know it beforehand.
    fn imagine(
        &self,
        position: Box<dyn AnyPosition>,
        sitter: Sitter,
        lines: &[String],
    ) -> Result<Foreseen, Refusal> {
        few(lines)?;
        if lines.is_empty() {
            self.expect_decider(&*position, sitter)?;
        }
        let mut foreseen = Foreseen { position, told: Vec::new(), boundary: None };
        for (number, line) in lines.iter().enumerate() {
            let at = |refusal: Refusal| Refusal { line: Some(count(number)), ..refusal };
            self.expect_decider(&*foreseen.position, sitter).map_err(at)?;
            let next = foreseen.position.after(line, convert::viewer(sitter.eyes));
            let next = next.map_err(|refusal| at(convert::refusal(refusal)))?;
            foreseen.told.extend(next.told);
            foreseen.boundary = foreseen.boundary.or(next.boundary);
            foreseen.position = next.position;
        }
        Ok(foreseen)
    }

    fn imagine_all_but_last(
        &self,
        position: Box<dyn AnyPosition>,
        sitter: Sitter,
        lines: &[String],
    ) -> Result<(Box<dyn AnyPosition>, String), Refusal> {
        let Some((last, first)) = lines.split_last() else {
            return Err(plain("expected at least one action"));
        };
        let position = self.imagine(position, sitter, first)?.position;
        self.expect_decider(&*position, sitter)?;
        Ok((position, last.clone()))
    }

    fn hex_info(&self, label: &str, notes: Vec<(&'static str, Text)>) -> Result<wire::HexInfo, Refusal> {
        let map = self.game.map();
        let hex = map.hex(label).map_err(plain)?;
        Ok(wire::HexInfo {
            hex: map.label(hex),
            terrain: map.terrain_name(map.terrain(hex)).to_owned(),
            names: maps::names(map, hex),
            features: maps::features(map, hex),
            notes: notes.into_iter().map(convert::note).collect(),
        })
    }

    fn moment(&self, at: usize, sitter: Sitter) -> Result<wire::Moment, Refusal> {
        let len = self.game.len();
        let Some(position) = self.game.at(at) else {
            return Err(plain(format!("the game has {len} actions, not {at}")));
        };
        let viewer = convert::viewer(sitter.eyes);
        Ok(wire::Moment {
            at: count(at),
            of: count(len),
            view: convert::view(position.view(viewer), position.score()),
            sequence: convert::sequence(&*position),
            counters: self.changed_counters(&*position, viewer),
            question: self.question(&position.question(), &*position, sitter, false),
            entry: at.checked_sub(1).and_then(|last| self.log(last, at, sitter.eyes).pop()),
        })
    }

    /// A part of the log for whoever reads all of it, and how long it is. Nobody else waits for more than such a part.
    pub(crate) fn part_of_log(&self, from: usize, eyes: Eyes) -> (Vec<wire::LogEntry>, usize) {
        let len = self.game.len();
        (self.log(from, len.min(from + LONGEST_LOG), eyes), len)
    }
}

/// What is found by reading the whole log.
pub(crate) trait Reader: Send {
    /// Reads on.
    fn read(&mut self, entry: wire::LogEntry);
    /// What was found.
    fn found(self: Box<Self>) -> Answer;
}

/// Where turns and phases began and combats were resolved.
#[derive(Default)]
struct Marks(Vec<wire::Mark>);

impl Reader for Marks {
    fn read(&mut self, entry: wire::LogEntry) {
        let kinds = [
            (wire::Role::Turn, wire::MarkKind::Turn),
            (wire::Role::Phase, wire::MarkKind::Phase),
            (wire::Role::Result, wire::MarkKind::Combat),
        ];
        for (role, kind) in kinds {
            let found = entry.events.iter().find(|happening| happening.role == role);
            self.0.extend(found.map(|found| wire::Mark { at: entry.at, kind, text: found.text.clone() }));
        }
    }

    fn found(self: Box<Self>) -> Answer {
        Answer::Marks { marks: self.0 }
    }
}

/// Every die so far.
struct LuckLedger(wire::Luck);

impl Default for LuckLedger {
    fn default() -> Self {
        LuckLedger(wire::Luck { ledger: Vec::new(), rolls: Vec::new() })
    }
}

impl Reader for LuckLedger {
    fn read(&mut self, entry: wire::LogEntry) {
        for happening in entry.events {
            let Some(roll) = happening.roll else { continue };
            enter(&mut self.0.ledger, &roll);
            self.0.rolls.push(wire::LuckRoll { at: entry.at, case: happening.case, roll });
        }
    }

    fn found(self: Box<Self>) -> Answer {
        Answer::Luck(self.0)
    }
}

/// The most letters of a case or a name.
const LONGEST_WORD: usize = 100;

fn is_short(word: &str) -> bool {
    word.len() <= LONGEST_WORD
}

const NOTHING_UNDONE: &str = "nothing was taken back";

fn actor(sitter: Sitter) -> Result<Actor, Refusal> {
    sitter.seat.acts_as(sitter.eyes).ok_or_else(|| plain("only a player can take back"))
}

/// What a rule forbids now, with the reason as far as somebody may know it.
fn barred(position: &dyn AnyPosition, sitter: Sitter) -> Vec<wire::Barred> {
    let told = position.as_supposed_by(convert::viewer(sitter.eyes)).barred();
    let barred = position.barred().into_iter().filter_map(|(place, _)| {
        let (_, refusal) = told.iter().find(|(form, _)| *form == place)?.clone();
        Some(wire::Barred {
            form: count(place),
            case: refusal.case.unwrap_or_default().to_owned(),
            why: refusal.why.into(),
        })
    });
    barred.collect()
}

/// The units that can do nothing, as far as somebody may know.
fn stuck(position: &dyn AnyPosition, sitter: Sitter) -> Vec<String> {
    let viewer = convert::viewer(sitter.eyes);
    position.as_supposed_by(viewer).stuck(viewer)
}

fn few(lines: &[String]) -> Result<(), Refusal> {
    if lines.len() > MAX_LINES {
        return Err(plain(format!("expected at most {MAX_LINES} actions, found {}", lines.len())));
    }
    Ok(())
}

fn work(
    effort: Effort,
    work: impl FnOnce() -> Result<Answer, Refusal> + Send + 'static,
) -> Result<Reply, Refusal> {
    Ok(Reply::Work(effort, Box::new(work)))
}

fn verdict(position: &dyn AnyPosition, line: String) -> wire::Verdict {
    wire::Verdict {
        text: position.sentence(&line).unwrap_or_default().into(),
        refusal: position.check(&line).err().map(convert::refusal),
        line,
    }
}

/// Adds a die to the ledger.
fn enter(ledger: &mut Vec<wire::LuckLine>, roll: &wire::Roll) {
    let same = |line: &wire::LuckLine| {
        line.side == roll.side && line.purpose == roll.purpose && line.die == roll.die
    };
    let place = ledger.iter().position(same).unwrap_or_else(|| {
        ledger.push(wire::LuckLine {
            side: roll.side,
            purpose: roll.purpose.clone(),
            die: roll.die,
            count: 0,
            sum: 0,
            expected: 0.0,
            faces: vec![0; roll.die as usize],
        });
        ledger.len() - 1
    });
    let line = &mut ledger[place];
    line.count += 1;
    line.sum += roll.result;
    line.expected += f64::from(roll.die + 1) / 2.0;
    if let Some(face) = line.faces.get_mut(roll.result as usize - 1) {
        *face += 1;
    }
}

/// Standing orders as they are kept; none of before there were any.
fn read_orders(kept: &str) -> BySide<Vec<wire::Order>> {
    let [axis, soviet] = serde_json::from_str(kept).unwrap_or_default();
    BySide { axis, soviet }
}

/// How a game stands, for lists of games.
pub(crate) fn standing(game: &dyn AnyGame) -> Standing {
    let view = game.view(Viewer::Observer);
    Standing {
        turn: view.turn,
        turns: view.turns,
        phase: view.phase,
        side: game.question().side.map(Side::word),
        length: count(game.len()),
    }
}

/// The actions of a game as lines of a record.
pub(crate) fn record_lines(game: &dyn AnyGame) -> Vec<String> {
    (0..game.len()).filter_map(|action| Some(record_line(game.line(action)?))).collect()
}

/// An action as a line of a record.
fn record_line((side, action, rolls): (Side, String, Vec<u32>)) -> String {
    if rolls.is_empty() {
        return format!("{side} {action}");
    }
    let rolls: Vec<String> = rolls.iter().map(u32::to_string).collect();
    format!("{side} {action} ; {}", rolls.join(" "))
}

fn info(
    game: &dyn AnyGame,
    rulebook: &dyn AnyRulebook,
    kept: &Kept,
    levels: &BySide<Option<Level>>,
    map: wire::MapLinks,
    counters: &[(String, Counter)],
) -> wire::GameInfo {
    let book = game.book();
    let player = |name: &str, level: Option<Level>| wire::Player {
        name: name.to_owned(),
        level: level.map(|level| level.name().to_owned()),
    };
    wire::GameInfo {
        id: kept.id.clone(),
        rulebook: book.name.to_owned(),
        title: book.title.to_owned(),
        edition: book.edition.to_owned(),
        rules: book.rules,
        sides: convert::both(book.sides, str::to_owned),
        scenario: match game.start() {
            Start::Scenario(name) => Some(name.clone()),
            Start::Situation(_) => None,
        },
        scenario_title: kept.title.clone(),
        options: game.options().into_iter().map(str::to_owned).collect(),
        players: wire::Both {
            axis: player(&kept.players[0], levels.axis),
            soviet: player(&kept.players[1], levels.soviet),
        },
        opponents: wire::OpponentSettings { seconds: kept.seconds, open_thoughts: kept.open_thoughts },
        for_two: kept.for_two,
        casual: game.is_casual() && !kept.for_two,
        commitment: kept.commitment(),
        seed_chosen: kept.seed_chosen,
        map,
        counters: counters.iter().cloned().map(convert::counter).collect(),
        forms: rulebook.action_forms().iter().map(convert::form).collect(),
        marks: rulebook.marks().iter().map(convert::unit_mark).collect(),
    }
}
