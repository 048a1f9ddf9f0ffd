//! Rule tests as data: a position, actions, dice, and what must happen. One function runs them all.
//!
//! ```toml
//! given = "reduced rifles with an open hex behind them"   # the position and the point, in a sentence
//! cases = ["6.6"]                                          # the cases that it proves
//! scenario = "ford"                # or situation = "NAME" (data/<rulebook>/situations), or [situation] in place
//!
//! # The rulebook's files under `fixtures/` are in their places in every rule test.
//! [data]                                    # data files of the rulebook that are replaced in this test, if any
//! "tables/combat.toml" = """ … """
//!
//! [[step]]
//! do = ["attack panzers 0201", "resolve"]   # one action or several; without it the step only looks
//! dice = [4]
//! then = [{ event = "result", result = "DR" }]
//! ```
//!
//! | in a step, before the action | |
//! |---|---|
//! | `asks = "soviet"`, `prompt = "6.6"` | who must decide, and under which case |
//! | `offers`, `withholds`, `only` | answers that are listed, that are not, and all that are |
//! | `interjects = { soviet = ["blow 1203"] }` | all that a side may do without being asked |
//!
//! | about the action | |
//! |---|---|
//! | `dice = [4, 2]` | what every die of it shows |
//! | `then`, `never` | events that must happen in this order, and that must not |
//! | `told.SIDE`, `untold.SIDE` | the same for what `axis`, `soviet` or the `observer` is told |
//! | `undo = false` | whether it can be taken back |
//! | `refused = "4.4"`, `why = "lake"` | the case that forbids the (last) action, and a part of the reason; where no case does (a draw that nobody offered, no room for it), the reason itself |
//! | `chance = [{ event = "retreated", is = "1/3" }]` | exact chances, instead of doing it |
//!
//! An event is told by its name and any of its fields, numbers with or without quotes, `case` among them; a die is
//! `{ event = "roll", side = "axis", die = 6, result = 4, for = "combat" }`.
//!
//! | after the action | |
//! |---|---|
//! | `after = { panzers = "0101" }` | the hex or box of a unit |
//! | `steps`, `flags` | `{ panzers = 1 }`, `{ panzers = "moved shown" }` |
//! | `hidden`, `shown` | `{ soviet = "grenadiers" }`: what a side, or the `observer`, sees of units |
//! | `tracks = { "axis luck" = "held" }` | what stands beside the map |
//! | `markers = { 3908 = "Soviet control" }` | what lies in a hex besides units; `none` for nothing |
//! | `stocks = { 1203 = "axis supply=4" }` | what lies in a hex or is carried by a unit; `none` for nothing |
//! | `sees.SIDE = { 1203 = "axis supply=?" }` | the same as `axis`, `soviet` or the `observer` sees it |
//! | `turn = 2`, `phase = "combat"`, `over = "draw"` | where the game stands |
//!
//! After each step the position must also read back from its own text.
//!
//! `unsound = "is overstacked (5.3.1e)"` instead of steps: the situation must be refused, with these words in the reason.
//!
//! `CONTRIBUTING.md` shows the format at work.

use std::collections::BTreeSet;

use source::{Doc, Faults, Item, Source, Table};

use crate::deed::Line;
use crate::situation::Opened;
use crate::{
    Asked, Cases, Data, Deed, Dice, Entry, Front, Game, Lexicon, Options, Phrase, Play, Refused, Roll,
    Rulebook, Side, Told, View, Viewer, Violation, game, odds, situation,
};

/// What a rule test says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of its file.
    pub name: String,
    /// The position and the point, in a sentence.
    pub given: String,
    /// The cases it proves.
    pub cases: Vec<String>,
}

/// Reads what a rule test says of itself, without running it.
pub fn summary(name: &str, source: &Source) -> Result<Summary, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    let summary = read_summary(name, &root);
    doc.finish(summary)
}

/// The rulebook that a rule test's own situation names; nothing when it begins with a scenario or a situation of the rulebook.
pub fn rulebook_of(source: &Source) -> Result<Option<String>, Faults> {
    let doc = Doc::parse(source)?;
    let situation = doc.root().get("situation").filter(|item| item.try_str().is_none());
    let name = situation.and_then(|item| Some(item.table()?.need("rulebook")?.str()?.to_owned()));
    doc.finish(Some(name))
}

fn read_summary(name: &str, root: &Table<'_>) -> Option<Summary> {
    let given = root.need("given").and_then(|given| given.str());
    let cases = root.need("cases").map(|cases| cases.items()).unwrap_or_default();
    let cases = cases.iter().filter_map(|case| case.str()).map(str::to_owned).collect();
    Some(Summary { name: name.to_owned(), given: given?.to_owned(), cases })
}

/// Runs a rule test. Whatever does not happen as it says is a fault at the line that says so.
pub fn run<R: Rulebook>(name: &str, source: &Source, data: &Data, cases: &Cases) -> Result<Summary, Faults> {
    let doc = Doc::parse(source)?;
    let summary = run_root::<R>(name, &doc.root(), data, cases);
    doc.finish(summary)
}

/// The position of a rule test after so many of its steps, as a situation: actions and dice as the test has them, whatever it
/// expects of them.
pub fn situation_of<R: Rulebook>(source: &Source, data: &Data, steps: usize) -> Result<String, Faults> {
    let doc = Doc::parse(source)?;
    let text = position_after::<R>(&doc.root(), data, steps);
    doc.finish(text)
}

fn position_after<R: Rulebook>(root: &Table<'_>, data: &Data, steps: usize) -> Option<String> {
    let replaced = root.get("data").and_then(|item| item.table()).map(|table| replace(&table, data));
    let data = replaced.as_ref().unwrap_or(data);
    let opened = open::<R>(root, data)?;
    let mut game = Game::trial(opened);
    let all = root.need("step").map(|steps| steps.tables()).unwrap_or_default();
    if steps > all.len() {
        root.fault(format!("it has {} steps", all.len()));
    }
    for step in all.iter().take(steps) {
        // What is refused, or only weighed, changes nothing.
        let Some(item) = step.get("do").filter(|_| step.get("chance").is_none()) else { continue };
        let dice = step.get("dice").map(|dice| dice.items()).unwrap_or_default();
        game.force_dice(dice.iter().filter_map(|die| die.int(1..=1_000_000u32)));
        let lines = if item.try_str().is_some() { vec![item.clone()] } else { item.items() };
        for line in lines {
            let read = line.parse(|line| game.parse_line(line))?;
            if game.act_all(&read).is_err() {
                break;
            }
        }
    }
    Some(situation::write_marked(&*game.rules, game.state(), data.mark(None).as_deref()))
}

fn run_root<R: Rulebook>(name: &str, root: &Table<'_>, data: &Data, cases: &Cases) -> Option<Summary> {
    let summary = read_summary(name, root)?;
    for case in root.need("cases").map(|list| list.items()).unwrap_or_default() {
        case.parse(|number| known(cases, number));
    }
    let replaced = root.get("data").and_then(|item| item.table()).map(|table| replace(&table, data));
    let data = replaced.as_ref().unwrap_or(data);
    if let Some(unsound) = root.get("unsound") {
        let found = root.doc().found_in(|| drop(open::<R>(root, data))).to_string();
        if !unsound.str().is_some_and(|words| found.contains(words)) {
            let found = if found.is_empty() { "nothing: it is sound" } else { &found };
            unsound.fault(format!("what is wrong with the situation is {found}"));
        }
        root.done();
        return Some(summary);
    }
    let opened = open::<R>(root, data)?;
    let steps = root.need("step").map(|steps| steps.tables()).unwrap_or_default();
    root.done();
    if summary.cases.is_empty() || steps.is_empty() {
        root.fault("a rule test names at least one case and has at least one step");
    }
    let mut running = Running { game: Game::trial(opened), data, cases };
    for step in steps {
        if running.step(&step).is_none() {
            break;
        }
    }
    Some(summary)
}

/// The data with the files of a `[data]` table in their place.
fn replace(table: &Table<'_>, data: &Data) -> Data {
    let mut replaced = data.clone();
    for (path, item) in table.rest() {
        if let Some(text) = item.str() {
            if let Err(why) = data.is_read(path) {
                item.fault(why);
            }
            replaced.lay(path, Source::new(format!("{}/{path}", item.path()), text));
        }
    }
    replaced
}

fn known(cases: &Cases, number: &str) -> Result<(), String> {
    cases.get(number).map(|_| ()).ok_or_else(|| format!("the case {number} is not in cases.tsv"))
}

/// The position: `[situation]` in place, `situation = "NAME"` from the rulebook's situations, or
/// `scenario = "NAME"`.
fn open<R: Rulebook>(root: &Table<'_>, data: &Data) -> Option<Opened<R>> {
    let elsewhere = |item: &Item<'_>, source: Result<&Source, Faults>| {
        source
            .and_then(|source| situation::open::<R>(source, data, Options::default()))
            .map_err(|faults| item.fault(faults.to_string()))
            .ok()
    };
    if let Some(item) = root.get("scenario") {
        return elsewhere(&item, game::scenario_source::<R>(item.str()?, data));
    }
    let item = root.need("situation")?;
    match item.try_str() {
        Some(name) => {
            let source = item.parse(|_| data.find("situations", name))?;
            elsewhere(&item, Ok(source))
        }
        None => situation::read::<R>(&item.table()?, data, Options::default()),
    }
}

struct Running<'c, R: Rulebook> {
    game: Game<R>,
    data: &'c Data,
    cases: &'c Cases,
}

impl<R: Rulebook> Running<'_, R> {
    /// One `[[step]]`: what is asked and offered, then the action and what comes of it, then how things stand.
    /// `None` when there is no point in going on.
    fn step(&mut self, step: &Table<'_>) -> Option<()> {
        self.asked(step);
        self.offered(step);
        let go_on = match step.get("do") {
            Some(action) => self.act(step, &action),
            None => Some(()),
        };
        self.stands(step);
        self.reads_back(step);
        // What was not asked for after a failure is no fault of its own.
        if go_on.is_some() {
            step.done();
        }
        go_on
    }

    /// `asks = "soviet"`, `prompt = "6.3"`: who must decide, and under which case.
    fn asked(&self, step: &Table<'_>) {
        let asked = self.game.asked();
        if let Some(item) = step.get("asks") {
            let found = match asked {
                Asked::Decision { side, .. } => side.word(),
                Asked::Over(_) => "nobody: the game is over",
            };
            expect(&item, found);
        }
        if let Some(item) = step.get("prompt") {
            let found = match asked {
                Asked::Decision { prompt, .. } => prompt.case.0,
                Asked::Over(_) => "nothing: the game is over",
            };
            expect(&item, found);
        }
    }

    /// `offers = […]`, `withholds = […]`: answers that must and must not be listed. `only = […]`: exactly these.
    fn offered(&self, step: &Table<'_>) {
        if let Some(table) = step.get("interjects").and_then(|item| item.table()) {
            for (side, item) in table.rest() {
                match Side::from_word(side) {
                    Ok(side) => self.interjects(side, &item),
                    Err(wrong) => item.fault(wrong),
                }
            }
        }
        let lists: Vec<(&str, Option<Item<'_>>)> =
            ["offers", "withholds", "only"].into_iter().map(|key| (key, step.get(key))).collect();
        if lists.iter().all(|(_, list)| list.is_none()) {
            return;
        }
        let mut listed: Vec<String> =
            self.game.answers().iter().map(|answer| self.game.notation(*answer)).collect();
        listed.sort();
        for (key, list) in lists {
            let Some(list) = list else { continue };
            let mut wanted = BTreeSet::new();
            for item in list.items() {
                let Some(line) = item.parse(|line| self.canonical(line)) else { continue };
                let offered = listed.contains(&line) || self.can_be_put_together(&line);
                if offered == (key == "withholds") {
                    let is = if key == "withholds" { "is" } else { "is not" };
                    item.fault(format!("`{line}` {is} offered; offered are {}", listed.join(", ")));
                }
                wanted.insert(line);
            }
            if key == "only" && wanted.len() != listed.len() {
                list.fault(format!("offered are {}", listed.join(", ")));
            }
        }
    }

    /// All that a side may do without being asked.
    fn interjects(&self, side: Side, item: &Item<'_>) {
        let actions = self.game.interjections(side);
        let mut listed: Vec<String> = actions.iter().map(|action| self.game.notation(*action)).collect();
        let mut wanted: Vec<String> =
            item.items().iter().filter_map(|line| line.parse(|line| self.canonical(line))).collect();
        listed.sort();
        wanted.sort();
        if listed != wanted {
            item.fault(format!("{side} may interject {}", listed.join(", ")));
        }
    }

    /// A line that stands for several actions is offered when all of them can be done one after the other.
    fn canonical(&self, line: &str) -> Result<String, String> {
        match &self.game.parse_line(line)? {
            Line { side: Some(_), .. } => Err("an answer is the side's that is asked".to_owned()),
            Line { deeds, .. } if deeds.len() == 1 => Ok(deeds[0].notation(&*self.game.rules)),
            _ => Ok(line.to_owned()),
        }
    }

    fn can_be_put_together(&self, line: &str) -> bool {
        let Ok(Line { deeds, .. }) = self.game.parse_line(line) else { return false };
        let rules = &self.game.rules;
        let mut state = self.game.state().clone();
        let mut play = Play::new(Dice::told([]));
        deeds.len() > 1
            && deeds.into_iter().filter_map(Deed::action).all(|action| {
                let allowed = rules.check(&state, action).is_ok();
                if allowed {
                    rules.apply(&mut state, action, &mut play);
                }
                allowed
            })
    }

    /// `do = "…"`, or a list of actions one after the other, with `dice` and either what must come of it (`then`,
    /// `never`, `told`, `untold`, `undo`), or `refused` and `why` for the last action, or `chance` instead of
    /// doing it.
    fn act(&mut self, step: &Table<'_>, item: &Item<'_>) -> Option<()> {
        let lines = if item.try_str().is_some() { vec![item.clone()] } else { item.items() };
        let read: Vec<_> = lines.iter().map(|line| line.parse(|line| self.game.parse_line(line))).collect();
        let lines: Vec<Line<R::Action>> = read.into_iter().collect::<Option<_>>()?;
        let deeds: Vec<Deed<R::Action>> = lines.iter().flat_map(|line| line.deeds.iter().copied()).collect();
        let actions: Vec<R::Action> = deeds.iter().filter_map(|deed| deed.action()).collect();
        if deeds.is_empty() {
            item.fault("expected an action");
            return None;
        }
        if let Some(chances) = step.get("chance") {
            return self.chances(item, &chances, &actions);
        }
        let dice = step.get("dice").map(|dice| dice.items()).unwrap_or_default();
        self.game.force_dice(dice.iter().filter_map(|die| die.int(1..=1_000_000u32)));
        let before = self.game.moves().len();
        // A line that stands for several actions is done as a whole, or not at all.
        let done = lines.iter().try_for_each(|line| self.game.act_all(line));
        match (done, step.get("refused")) {
            (Ok(()), None) => self.came_of_it(step, item, before),
            (Err(Refused::Rule(violation)), Some(refused)) => {
                let last = lines.last().map_or(0, |line| line.deeds.len());
                if self.game.moves().len() + last < before + deeds.len() {
                    item.fault("refused before the last action");
                }
                self.refused(step, &refused, violation)?;
                self.no_dice_left(item)
            }
            (Err(Refused::Rule(violation)), None) => {
                item.fault(format!("refused: {} ({})", violation.text(&*self.game.rules), violation.case));
                None
            }
            (Err(Refused::Over), _) => {
                item.fault("the game is over");
                None
            }
            (Err(Refused::Talk(why)), Some(refused)) => {
                expect(&refused, why);
                Some(())
            }
            (Err(Refused::Talk(why)), None) => {
                item.fault(why);
                None
            }
            (Err(Refused::Fault(why)), Some(refused)) => {
                expect(&refused, &why);
                Some(())
            }
            (Err(Refused::Dice(wrong) | Refused::Fault(wrong)), _) => {
                item.fault(wrong);
                None
            }
            (Ok(()), Some(refused)) => {
                refused.fault("it was not refused");
                None
            }
        }
    }

    fn no_dice_left(&self, item: &Item<'_>) -> Option<()> {
        match self.game.forced_dice_left() {
            0 => Some(()),
            left => {
                item.fault(format!("{left} dice more than this rolls"));
                None
            }
        }
    }

    /// `refused = "4.4"` names the case, `why = "…"` a part of the reason.
    fn refused(&self, step: &Table<'_>, item: &Item<'_>, violation: Violation) -> Option<()> {
        item.parse(|number| known(self.cases, number))?;
        expect(item, violation.case.0);
        if let Some(why) = step.get("why") {
            let text = violation.text(&*self.game.rules).to_string();
            if !why.str().is_some_and(|part| text.contains(part)) {
                why.fault(format!("the reason given is: {text}"));
            }
        }
        Some(())
    }

    /// `then = […]`: what must happen, in this order; `never = […]`: what must not. `told.SIDE` and `untold.SIDE`
    /// are the same for what a side (or the `observer`) is told of it. `undo = true`: it can be taken back.
    fn came_of_it(&self, step: &Table<'_>, item: &Item<'_>, before: usize) -> Option<()> {
        self.no_dice_left(item)?;
        let moves = &self.game.moves()[before..];
        let told: Vec<&Told<R::Event>> = moves.iter().flat_map(|step| &step.told).collect();
        let truth: Vec<Entry<R::Event>> = told.iter().map(|told| told.entry().clone()).collect();
        self.compare(&truth, step.get("then"), step.get("never"));
        let by_viewer = |key: &str| step.get(key).and_then(|item| item.table());
        if let Some(table) = by_viewer("told") {
            for (viewer, wanted) in table.rest() {
                let Ok(viewer) = read_viewer(viewer).map_err(|wrong| wanted.fault(wrong)) else { continue };
                let heard: Vec<_> = told.iter().filter_map(|told| told.to(viewer)).collect();
                self.compare(&heard, Some(wanted), None);
            }
        }
        if let Some(table) = by_viewer("untold") {
            for (viewer, unwanted) in table.rest() {
                let Ok(viewer) = read_viewer(viewer).map_err(|wrong| unwanted.fault(wrong)) else { continue };
                let heard: Vec<_> = told.iter().filter_map(|told| told.to(viewer)).collect();
                self.compare(&heard, None, Some(unwanted));
            }
        }
        if let Some(undo) = step.get("undo") {
            let can = moves.iter().all(|step| step.boundary.is_none());
            if undo.bool().is_some_and(|wanted| wanted != can) {
                undo.fault(if can { "it can be taken back" } else { "it cannot be taken back" });
            }
        }
        Some(())
    }

    fn compare(&self, entries: &[Entry<R::Event>], wanted: Option<Item<'_>>, unwanted: Option<Item<'_>>) {
        let rules = &*self.game.rules;
        let mut rest = entries.iter();
        for table in tables(wanted) {
            let Some(pattern) = Pattern::read::<R>(&table) else { return };
            if !rest.any(|entry| pattern.fits::<R>(entry, rules)) {
                table.fault(format!("this did not happen (in this order); {}", tell::<R>(entries, rules)));
                return;
            }
        }
        for table in tables(unwanted) {
            let Some(pattern) = Pattern::read::<R>(&table) else { return };
            if entries.iter().any(|entry| pattern.fits::<R>(entry, rules)) {
                table.fault(format!("this happened; {}", tell::<R>(entries, rules)));
            }
        }
    }

    /// `chance = [{ event = "retreated", is = "1/3" }]`: the exact chance that such an event comes of it.
    fn chances(&self, item: &Item<'_>, chances: &Item<'_>, actions: &[R::Action]) -> Option<()> {
        let rules = &*self.game.rules;
        let odds = match odds::odds_in_full(rules, self.game.state(), actions, Viewer::Referee) {
            Ok(odds) => odds,
            Err(error) => {
                item.fault(format!("no odds: {error:?}"));
                return None;
            }
        };
        for table in chances.tables() {
            let is = table.need("is");
            let pattern = Pattern::read::<R>(&table)?;
            let chance = odds.chance_of(|event| pattern.fits::<R>(&Entry::Event(event.clone()), rules));
            if let Some(is) = is {
                expect(&is, &chance.to_string());
            }
        }
        Some(())
    }

    /// `after = { UNIT = "HEX or box" }`, `flags = { UNIT = "moved" }`, `steps = { UNIT = 1 }`,
    /// `hidden`/`shown = { SIDE = "UNIT …" }`, `over = "axis"`, `tracks = { NAME = "…" }`, `turn = 2`,
    /// `phase = "combat"`.
    fn stands(&self, step: &Table<'_>) {
        let view = |viewer| self.game.rules.view(self.game.state(), viewer);
        let table = |key: &str| step.get(key).and_then(|item| item.table());
        if let Some(after) = table("after") {
            let view = view(Viewer::Referee);
            for (unit, item) in self.units(&after) {
                expect(&item, &find(&view, unit).map_or_else(|| "nowhere".to_owned(), |(place, _)| place));
            }
        }
        if let Some(markers) = table("markers") {
            let view = view(Viewer::Referee);
            for (hex, item) in markers.rest() {
                let found = view.markers.iter().find(|marker| marker.hex == hex);
                expect(&item, found.map_or("none", |marker| &marker.what));
            }
        }
        if let Some(stocks) = table("stocks") {
            expect_stocks(&stocks, &view(Viewer::Referee));
        }
        if let Some(sees) = table("sees") {
            for (side, item) in sees.rest() {
                let Ok(viewer) = read_viewer(side).map_err(|wrong| item.fault(wrong)) else { continue };
                if let Some(stocks) = item.table() {
                    expect_stocks(&stocks, &view(viewer));
                }
            }
        }
        if let Some(flags) = table("flags") {
            let view = view(Viewer::Referee);
            for (unit, item) in self.units(&flags) {
                let found = find(&view, unit).map(|(_, front)| front.flags.join(" ")).unwrap_or_default();
                expect(&item, &found);
            }
        }
        if let Some(steps) = table("steps") {
            let view = view(Viewer::Referee);
            for (unit, item) in self.units(&steps) {
                let found = find(&view, unit).map_or(0, |(_, front)| front.steps);
                if item.int(0..=u8::MAX).is_some_and(|steps| steps != found) {
                    item.fault(format!("{unit} has {found}"));
                }
            }
        }
        for (key, seen) in [("shown", true), ("hidden", false)] {
            let Some(table) = table(key) else { continue };
            for (side, item) in table.rest() {
                let Ok(viewer) = read_viewer(side).map_err(|wrong| item.fault(wrong)) else { continue };
                for unit in item.words() {
                    let Some(name) = unit.parse(|name| self.known_unit(name)) else { continue };
                    if find(&view(viewer), name).is_some() != seen {
                        unit.fault(format!("{name} is not {key} to {side}"));
                    }
                }
            }
        }
        if let Some(tracks) = table("tracks") {
            let view = view(Viewer::Referee);
            for (name, item) in tracks.rest() {
                let found = view.tracks.iter().find(|track| track.name == name);
                expect(&item, found.map_or("no such track", |track| track.value.as_str()));
            }
        }
        if let Some(item) = step.get("turn") {
            let found = view(Viewer::Referee).turn;
            if item.int(0..=u32::MAX).is_some_and(|turn| turn != found) {
                item.fault(format!("it is turn {found}"));
            }
        }
        if let Some(item) = step.get("phase") {
            expect(&item, &view(Viewer::Referee).phase);
        }
        if let Some(item) = step.get("over") {
            let found = match self.game.asked() {
                Asked::Decision { .. } => "not over",
                Asked::Over(outcome) => outcome.winner.map_or("draw", Side::word),
            };
            expect(&item, found);
        }
    }

    /// Wherever a rule test goes, the position can be saved and loaded.
    fn reads_back(&self, step: &Table<'_>) {
        let saved = Source::new("saved", self.game.to_situation());
        match situation::open::<R>(&saved, self.data, Options::default()) {
            Ok(opened) if opened.state == *self.game.state() => {}
            Ok(_) => step.fault(format!("the position, saved, loads as another one:\n{}", saved.text)),
            Err(faults) => {
                step.fault(format!("the position, saved, does not load: {faults}\n{}", saved.text))
            }
        }
    }

    /// The entries of a table keyed by units of this game.
    fn units<'d>(&self, table: &Table<'d>) -> Vec<(&'d str, Item<'d>)> {
        let known = |(name, item): &(&str, Item<'_>)| {
            self.known_unit(name).map_err(|wrong| item.fault(wrong)).is_ok()
        };
        table.rest().into_iter().filter(known).collect()
    }

    fn known_unit<'n>(&self, name: &'n str) -> Result<&'n str, String> {
        self.game.rules.roster().find(name).map(|_| name)
    }
}

/// Who is told or shown something: a side, or the `observer`.
fn read_viewer(word: &str) -> Result<Viewer, String> {
    if word == "observer" { Ok(Viewer::Observer) } else { Side::from_word(word).map(Viewer::Side) }
}

/// Where a unit is in a view, by its name: the label of its hex or the name of its box.
fn find<'v>(view: &'v View, unit: &str) -> Option<(String, &'v Front)> {
    let stacks = view.stacks.iter().map(|stack| (stack.hex.as_str(), &stack.pieces));
    let boxes = view.boxes.iter().map(|place| (place.name, &place.pieces));
    stacks.chain(boxes).find_map(|(place, pieces)| {
        let front =
            pieces.iter().filter_map(|piece| piece.front.as_ref()).find(|front| front.unit == unit)?;
        Some((place.to_owned(), front))
    })
}

/// What lies in places and is carried by units, `1203 = "axis supply=4"`, as a view has it.
fn expect_stocks(wanted: &Table<'_>, view: &View) {
    for (place, item) in wanted.rest() {
        let there = view.stocks.iter().filter(|stock| stock.place.as_str() == place);
        let lots: Vec<String> = there
            .map(|stock| {
                let amount = stock.amount.map_or_else(|| "?".to_owned(), |amount| amount.to_string());
                format!("{} {}={amount}", stock.side.word(), stock.what)
            })
            .collect();
        expect(&item, if lots.is_empty() { "none".to_owned() } else { lots.join(" ") }.as_str());
    }
}

fn expect(item: &Item<'_>, found: &str) {
    if item.str().is_some_and(|wanted| wanted != found) {
        item.fault(format!("expected `{}`, found `{found}`", item.str().unwrap_or_default()));
    }
}

fn tables<'d>(item: Option<Item<'d>>) -> Vec<Table<'d>> {
    item.map(|item| item.tables()).unwrap_or_default()
}

fn tell<R: Rulebook>(entries: &[Entry<R::Event>], lexicon: &dyn Lexicon) -> String {
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| match entry {
            Entry::Roll(roll) => format!("rolled {} on a d{}", roll.result, roll.faces),
            Entry::Event(event) => event.notation(lexicon),
        })
        .collect();
    if lines.is_empty() {
        "nothing happened".to_owned()
    } else {
        format!("what happened: {}", lines.join(", "))
    }
}

/// The fields of `{ event = "roll" }`.
const ROLL: [&str; 5] = ["side", "die", "result", "for", "case"];

/// An event's name and some of its fields: `{ event = "moved", unit = "panzers" }`. The case of an event counts
/// as a field, and so does a roll as an event: `{ event = "roll", side = "axis", result = 5, for = "combat" }`.
struct Pattern {
    event: String,
    fields: Vec<(String, String)>,
}

impl Pattern {
    /// Reads a pattern; one that could never fit is a fault.
    fn read<R: Rulebook>(table: &Table<'_>) -> Option<Pattern> {
        let event = table.need("event")?.parse(known_event::<R>)?.to_owned();
        let mut fields = Vec::new();
        for (key, item) in table.rest() {
            if let Err(wrong) = known_field::<R>(&event, key) {
                item.fault(wrong);
                return None;
            }
            let value = match item.try_str() {
                Some(text) => text.to_owned(),
                None => item.int(i64::MIN..=i64::MAX)?.to_string(),
            };
            fields.push((key.to_owned(), value));
        }
        Some(Pattern { event, fields })
    }

    fn fits<R: Rulebook>(&self, entry: &Entry<R::Event>, rules: &R) -> bool {
        let found = match entry {
            Entry::Roll(roll) if self.event == "roll" => roll_fields(roll),
            Entry::Event(event) if event.form().name == self.event => event_fields(event, rules),
            _ => return false,
        };
        self.fields.iter().all(|(key, wanted)| found.iter().any(|(name, word)| name == key && word == wanted))
    }
}

fn roll_fields(roll: &Roll) -> Vec<(&'static str, String)> {
    let side = roll.side.word().to_owned();
    let values = [
        side,
        roll.faces.to_string(),
        roll.result.to_string(),
        roll.purpose.to_owned(),
        roll.case.0.to_owned(),
    ];
    ROLL.into_iter().zip(values).collect()
}

fn event_fields<R: Rulebook>(event: &R::Event, rules: &R) -> Vec<(&'static str, String)> {
    let names = event.form().fields.iter().map(|field| field.name);
    names.zip(event.words(rules)).chain([("case", rules.case_of(event).0.to_owned())]).collect()
}

fn known_event<R: Rulebook>(name: &str) -> Result<&str, String> {
    if name == "roll" || R::Event::FORMS.iter().any(|form| form.name == name) {
        return Ok(name);
    }
    let names: Vec<&str> = R::Event::FORMS.iter().map(|form| form.name).collect();
    Err(format!("`{name}` is not one of roll, {}", names.join(", ")))
}

fn known_field<R: Rulebook>(event: &str, key: &str) -> Result<(), String> {
    let form = R::Event::FORMS.iter().find(|form| form.name == event);
    let names: Vec<&str> = match form {
        Some(form) => form.fields.iter().map(|field| field.name).chain(["case"]).collect(),
        None => ROLL.to_vec(),
    };
    match names.contains(&key) {
        true => Ok(()),
        false => Err(format!("`{event}` has no field `{key}`; it has {}", names.join(", "))),
    }
}
