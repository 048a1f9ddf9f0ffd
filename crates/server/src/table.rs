//! One game in memory: what a seat may do and see of it. Nothing here waits for anything.

use std::sync::Arc;

use engine::position::{AnyPosition, Foreseen, TurnFacts};
use engine::shelf::{AnyGame, AnyRulebook};
use engine::{BySide, Mixture, NoUndo, Phrase, Side, Start, Talk, Text, Viewer};
use staff::Level;

use crate::convert::{self, count, plain};
use crate::maps::{self, Maps};
use crate::opponents::{self, Choice};
use crate::seats::{Actor, Seat};
use crate::store::{Kept, Standing, Thought, Whole, Write};
use crate::wire::{self, Answer, Ask, Eyes, Refusal};

/// How many actions the log of a fresh connection begins with.
const FRESH_LOG: usize = 100;

/// The most actions in one part of the log.
const LONGEST_LOG: usize = 1_000;

/// The most lines in one message.
const MAX_LINES: usize = 64;

/// The most verdicts in the answer to a click.
const MAX_VERDICTS: usize = 12;

/// A game in memory.
pub(crate) struct Table {
    game: Box<dyn AnyGame>,
    id: String,
    decision: u32,
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
    info: wire::GameInfo,
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
        let info = info(&*game, rulebook, &kept, &levels, links);
        Ok(Table {
            lengths: vec![count(game.len())],
            game,
            id: kept.id,
            decision: kept.decision,
            levels,
            secret: kept.secret,
            nonces,
            undone: Vec::new(),
            thoughts,
            info,
            _sheet: sheet,
        })
    }

    /// What stays the same during the game.
    pub(crate) fn info(&self) -> &wire::GameInfo {
        &self.info
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
            view: convert::view(position.view(viewer)),
            // How players have ended a game stands in the game, not in a position.
            question: self.question(&self.game.question(), &*position, sitter, true),
            phase: position.phase().map(count),
            log_from: count(from),
            log: self.log(from, len, sitter.eyes),
            undo: self.may_undo(sitter),
            redo: self.may_redo(sitter),
            unasked: self.unasked(sitter),
        }
    }

    /// What somebody may do without being asked: where the rules let a side speak up, and concede or offer a draw. A program is
    /// not offered one.
    fn unasked(&self, sitter: Sitter) -> Vec<wire::Unasked> {
        let Some(side) = sitter.seat.acts_as(sitter.eyes).and_then(Actor::side) else { return Vec::new() };
        let alone = self.levels[side.enemy()].is_some();
        let offered =
            |answer: &engine::shelf::Answer| !(alone && answer.action == Talk::OfferDraw.form().name);
        let answers = self.game.interjections(side).into_iter().filter(offered);
        answers
            .map(|answer| wire::Unasked {
                line: answer.action,
                case: Some(answer.case.to_owned()).filter(|case| !case.is_empty()),
                text: answer.text.to_string(),
            })
            .collect()
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
                reason: asked.text.to_string(),
                case: asked.case.to_owned(),
                points: convert::both(asked.points, |points| points),
                seed: self.game.seed().filter(|_| self.is_over()).map(ToString::to_string),
                mixture: self.game.mixture().filter(|_| self.is_over()).map(convert::mixture),
            };
            return wire::Question {
                side: None,
                yours: false,
                case: asked.case.to_owned(),
                prompt: asked.text.to_string(),
                answers: Vec::new(),
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
                asked.text.to_string()
            } else {
                format!("the {} player decides", self.name_of(side))
            },
            answers: if yours && with_answers { convert::answers(position) } else { Vec::new() },
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
        if decision == self.decision {
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
    ) -> Result<Changed, Refusal> {
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
        Ok(Changed { write: self.changed(before), done, stopped })
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
        let is_new = !choice.why.is_empty() && last.is_none_or(|last| last.text != choice.why);
        let thought = is_new.then(|| {
            let Standing { turn, phase, length, .. } = standing(&*self.game);
            Thought { number: length, side, turn, phase, text: choice.why }
        });
        let mut changed = self.act(sitter, decision, &[choice.line])?;
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

    /// Notes that the game has changed from its `keep`-th action on.
    fn changed(&mut self, keep: usize) -> Write {
        self.decision += 1;
        self.thoughts.retain(|thought| (thought.number as usize) < keep);
        self.lengths.push(count(self.game.len()));
        let lines = (keep..self.game.len()).filter_map(|action| Some(record_line(self.game.line(action)?)));
        Write::Change {
            game: self.id.clone(),
            decision: self.decision,
            keep: count(keep),
            lines: lines.collect(),
            standing: standing(&*self.game),
            thought: None,
        }
    }

    /// Takes the last action back.
    pub(crate) fn undo(&mut self, sitter: Sitter, decision: u32) -> Result<Changed, Refusal> {
        self.expect(decision)?;
        let actor = actor(sitter)?;
        let last = self.game.len().saturating_sub(1);
        let side = self.game.line(last).map(|(side, _, _)| side);
        let line = self.game.undo(actor.side()).map_err(plain)?;
        self.undone.extend(side.map(|side| (side, line)));
        Ok(Changed { write: self.changed(last), done: 1, stopped: None })
    }

    /// Does again what was taken back last.
    pub(crate) fn redo(&mut self, sitter: Sitter, decision: u32) -> Result<Changed, Refusal> {
        self.expect(decision)?;
        let actor = actor(sitter)?;
        let Some(line) = self.undone_by(actor).map(str::to_owned) else { return Err(plain(NOTHING_UNDONE)) };
        let before = self.game.len();
        self.game.act(&line, convert::viewer(sitter.eyes)).map_err(convert::refusal)?;
        self.undone.pop();
        Ok(Changed { write: self.changed(before), done: 1, stopped: None })
    }

    fn undone_by(&self, actor: Actor) -> Option<&str> {
        let (side, line) = self.undone.last()?;
        actor.side().is_none_or(|actor| actor == *side).then_some(line.as_str())
    }

    fn may_undo(&self, sitter: Sitter) -> wire::Possible {
        let may = actor(sitter).map_err(|refusal| refusal.why);
        match may.and_then(|actor| self.game.may_undo(actor.side())) {
            Ok(line) => wire::Possible { can: true, why: line },
            Err(why) => wire::Possible { can: false, why },
        }
    }

    fn may_redo(&self, sitter: Sitter) -> wire::Possible {
        match actor(sitter).ok().and_then(|actor| self.undone_by(actor)) {
            Some(line) => wire::Possible { can: true, why: line.to_owned() },
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
                now(Answer::Look(wire::Outlook {
                    events: convert::happenings(told),
                    question: self.question(&position.question(), &*position, sitter, true),
                    undo: wire::Possible { can: why.is_none(), why: why.unwrap_or_default() },
                }))
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
                now(Answer::Why { verdicts: self.verdicts(&*position, unit.as_deref(), hex.as_deref()) })
            }
            Ask::Odds { lines, complete } => {
                few(&lines)?;
                self.expect_decider(&*position, sitter)?;
                work(Effort::Much, move || {
                    let lines = if complete { position.completed(&lines, viewer) } else { lines };
                    let prospect = position.odds(&lines, viewer).map_err(convert::refusal)?;
                    if complete && prospect.ways.iter().all(|(_, _, events)| events.is_empty()) {
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

    /// What a click could mean: every form that takes what was clicked, those that are asked for now first.
    fn verdicts(
        &self,
        position: &dyn AnyPosition,
        unit: Option<&str>,
        hex: Option<&str>,
    ) -> Vec<wire::Verdict> {
        let asked: Vec<u32> = convert::answers(position).iter().map(|answers| answers.form).collect();
        let clicked = |form: &wire::Form| {
            let word = |field: &wire::Field| match field.kind.as_str() {
                "unit" | "units" => unit,
                "hex" => hex,
                _ => None,
            };
            let words: Option<Vec<&str>> = form.fields.iter().map(word).collect();
            words.filter(|words| !words.is_empty()).map(|words| format!("{} {}", form.name, words.join(" ")))
        };
        let forms = || (0..).zip(&self.info.forms);
        let mut lines: Vec<String> = forms()
            .filter(|(place, _)| asked.contains(place))
            .filter_map(|(_, form)| clicked(form))
            .collect();
        if lines.is_empty() {
            lines = forms().filter_map(|(_, form)| clicked(form)).collect();
        }
        let mut verdicts: Vec<wire::Verdict> =
            lines.into_iter().map(|line| verdict(position, line)).collect();
        // What is allowed first, and among equals what says most about the click.
        verdicts.sort_by_key(|verdict| {
            (verdict.refusal.is_some(), std::cmp::Reverse(verdict.line.split(' ').count()))
        });
        verdicts.truncate(MAX_VERDICTS);
        verdicts
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
            view: convert::view(position.view(viewer)),
            phase: position.phase().map(count),
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

const NOTHING_UNDONE: &str = "nothing was taken back";

fn actor(sitter: Sitter) -> Result<Actor, Refusal> {
    sitter.seat.acts_as(sitter.eyes).ok_or_else(|| plain("only a player can take back"))
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
        text: position.sentence(&line).unwrap_or_default().to_string(),
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
) -> wire::GameInfo {
    let book = game.book();
    let facts = game.facts();
    let player = |name: &str, level: Option<Level>| wire::Player {
        name: name.to_owned(),
        level: level.map(|level| level.name().to_owned()),
    };
    let turn = |(number, turn): (u32, TurnFacts)| wire::Turn {
        turn: number,
        title: turn.title,
        arrives: turn.arrives,
        notes: turn.notes.into_iter().map(convert::note).collect(),
    };
    let phase = |phase: engine::display::Phase| wire::Phase {
        name: phase.name.to_owned(),
        side: phase.side.map(convert::side),
        case: phase.case.0.to_owned(),
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
        options: facts.options.into_iter().map(str::to_owned).collect(),
        players: wire::Both {
            axis: player(&kept.players[0], levels.axis),
            soviet: player(&kept.players[1], levels.soviet),
        },
        opponents: wire::OpponentSettings { seconds: kept.seconds, open_thoughts: kept.open_thoughts },
        for_two: kept.for_two,
        commitment: kept.commitment(),
        seed_chosen: kept.seed_chosen,
        map,
        counters: facts.counters.into_iter().map(convert::counter).collect(),
        phases: facts.phases.into_iter().map(phase).collect(),
        turns: (1..).zip(facts.turns).map(turn).collect(),
        forms: rulebook.action_forms().iter().map(convert::form).collect(),
    }
}
