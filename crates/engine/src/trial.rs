//! Rule tests as data: a position, actions, dice, and what must happen. One function runs them all.
//!
//! `CONTRIBUTING.md` shows the format at work.

use source::{Doc, Faults, Item, Source, Table};

use crate::situation::Opened;
use crate::{
    Asked, Cases, Data, Entry, Front, Game, Lexicon, Options, Phrase, Refused, Rulebook, Side, Told, View,
    Viewer, game, odds, situation,
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

fn run_root<R: Rulebook>(name: &str, root: &Table<'_>, data: &Data, cases: &Cases) -> Option<Summary> {
    let summary = read_summary(name, root)?;
    for case in root.need("cases").map(|list| list.items()).unwrap_or_default() {
        case.parse(|number| known(cases, number));
    }
    let opened = open::<R>(root, data)?;
    let steps = root.need("step").map(|steps| steps.tables()).unwrap_or_default();
    root.done();
    let mut trial = Trial { game: Game::trial(opened), cases };
    for step in steps {
        if trial.step(&step).is_none() {
            break;
        }
    }
    Some(summary)
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
            let source = item.parse(|_| data.file(&format!("situations/{name}.toml")))?;
            elsewhere(&item, Ok(source))
        }
        None => situation::read::<R>(&item.table()?, data, Options::default()),
    }
}

struct Trial<'c, R: Rulebook> {
    game: Game<R>,
    cases: &'c Cases,
}

impl<R: Rulebook> Trial<'_, R> {
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
        step.done();
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
            let wanted = list.items();
            for item in &wanted {
                let Some(line) = item.parse(|line| self.canonical(line)) else { continue };
                if listed.contains(&line) == (key == "withholds") {
                    let is = if key == "withholds" { "is" } else { "is not" };
                    item.fault(format!("`{line}` {is} offered; offered are {}", listed.join(", ")));
                }
            }
            if key == "only" && wanted.len() != listed.len() {
                list.fault(format!("offered are {}", listed.join(", ")));
            }
        }
    }

    fn canonical(&self, line: &str) -> Result<String, String> {
        self.game.parse(line).map(|action| self.game.notation(action))
    }

    /// `do = "…"` with `dice`, `refused`, `why`, `then`, `never`, or `chance` instead of doing it.
    fn act(&mut self, step: &Table<'_>, item: &Item<'_>) -> Option<()> {
        let action = item.parse(|line| self.game.parse(line));
        let chances = step.get("chance");
        let refused = step.get("refused");
        let why = step.get("why");
        let dice = step.get("dice").map(|dice| dice.items()).unwrap_or_default();
        let then = step.get("then").map(|then| then.tables()).unwrap_or_default();
        let never = step.get("never").map(|never| never.tables()).unwrap_or_default();
        let action = action?;
        if let Some(chances) = chances {
            return self.chances(item, &chances, action);
        }
        self.game.force_dice(dice.iter().filter_map(|die| die.int(1..=1_000_000u32)));
        let rules = self.game.rules.clone();
        let done = self.game.act(action).map(|done| done.told.clone());
        match (done, refused) {
            (Ok(told), None) => {
                let left = self.game.forced_dice_left();
                if left > 0 {
                    item.fault(format!("{left} dice more than this rolls"));
                    return None;
                }
                happened::<R>(&told, &then, &*rules);
                never_happened::<R>(&told, &never, &*rules);
                Some(())
            }
            (Err(Refused::Rule(violation)), Some(refused)) => {
                refused.parse(|number| known(self.cases, number));
                expect(&refused, violation.case.0);
                if let Some(why) = why {
                    let text = violation.text(&*rules);
                    if !why.str().is_some_and(|part| text.contains(part)) {
                        why.fault(format!("the reason given is: {text}"));
                    }
                }
                Some(())
            }
            (Err(Refused::Rule(violation)), None) => {
                item.fault(format!("refused: {} ({})", violation.text(&*rules), violation.case));
                None
            }
            (Err(Refused::Over), _) => {
                item.fault("the game is over");
                None
            }
            (Err(Refused::Dice(wrong)), _) => {
                item.fault(wrong);
                None
            }
            (Ok(_), Some(refused)) => {
                refused.fault("it was not refused");
                None
            }
        }
    }

    /// `chance = [{ event = "retreated", is = "1/3" }]`: the exact chance that such an event comes of it.
    fn chances(&self, item: &Item<'_>, chances: &Item<'_>, action: R::Action) -> Option<()> {
        let rules = &*self.game.rules;
        let odds = match odds::odds(rules, self.game.state(), &[action], Viewer::Referee) {
            Ok(odds) => odds,
            Err(error) => {
                item.fault(format!("no odds: {error:?}"));
                return None;
            }
        };
        for table in chances.tables() {
            let is = table.need("is");
            let pattern = Pattern::read(&table);
            let chance = odds.chance_of(|event| pattern.fits::<R>(&Entry::Event(event.clone()), rules));
            if let Some(is) = is {
                expect(&is, &chance.to_string());
            }
        }
        Some(())
    }

    /// `after = { UNIT = "HEX or box" }`, `flags = { UNIT = "moved" }`, `steps = { UNIT = 1 }`,
    /// `hidden`/`shown = { SIDE = "UNIT …" }`, `over = "axis"`, `tracks = { NAME = "…" }`.
    fn stands(&self, step: &Table<'_>) {
        let view = |viewer| self.game.rules.view(self.game.state(), viewer);
        let table = |key: &str| step.get(key).and_then(|item| item.table());
        if let Some(after) = table("after") {
            let view = view(Viewer::Referee);
            for (unit, item) in after.rest() {
                expect(&item, &find(&view, unit).map_or_else(|| "nowhere".to_owned(), |(place, _)| place));
            }
        }
        if let Some(flags) = table("flags") {
            let view = view(Viewer::Referee);
            for (unit, item) in flags.rest() {
                let found = find(&view, unit).map(|(_, front)| front.flags.join(" ")).unwrap_or_default();
                expect(&item, &found);
            }
        }
        if let Some(steps) = table("steps") {
            let view = view(Viewer::Referee);
            for (unit, item) in steps.rest() {
                let found = find(&view, unit).map_or(0, |(_, front)| front.steps);
                if item.int(0..=u8::MAX).is_some_and(|steps| steps != found) {
                    item.fault(format!("{unit} has {found}"));
                }
            }
        }
        for (key, seen) in [("shown", true), ("hidden", false)] {
            let Some(table) = table(key) else { continue };
            for (side, item) in table.rest() {
                let Some(viewer) = item.parse(|_| Side::from_word(side)).map(Viewer::Side) else { continue };
                for unit in item.words() {
                    let name = unit.str().unwrap_or_default();
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
        if let Some(item) = step.get("over") {
            let found = match self.game.asked() {
                Asked::Decision { .. } => "not over",
                Asked::Over(outcome) => outcome.winner.map_or("draw", Side::word),
            };
            expect(&item, found);
        }
    }
}

/// Where a unit is in a view, by its name: the label of its hex or the name of its box.
fn find<'v>(view: &'v View, unit: &str) -> Option<(String, &'v Front)> {
    let stacks = view.stacks.iter().map(|stack| (&stack.hex, &stack.pieces));
    let boxes = view.boxes.iter().map(|place| (&place.name, &place.pieces));
    stacks.chain(boxes).find_map(|(place, pieces)| {
        let front = pieces.iter().filter_map(|piece| piece.front.as_ref()).find(|front| front.unit == unit)?;
        Some((place.clone(), front))
    })
}

fn expect(item: &Item<'_>, found: &str) {
    if item.str().is_some_and(|wanted| wanted != found) {
        item.fault(format!("expected `{}`, found `{found}`", item.str().unwrap_or_default()));
    }
}

/// The events must occur in this order, others may stand between.
fn happened<R: Rulebook>(told: &[Told<R::Event>], wanted: &[Table<'_>], lexicon: &dyn Lexicon) {
    let mut rest = told.iter();
    for table in wanted {
        let pattern = Pattern::read(table);
        if !rest.any(|told| pattern.fits::<R>(told.entry(), lexicon)) {
            table.fault(format!("this did not happen (in this order); {}", tell::<R>(told, lexicon)));
            return;
        }
    }
}

fn never_happened<R: Rulebook>(told: &[Told<R::Event>], unwanted: &[Table<'_>], lexicon: &dyn Lexicon) {
    for table in unwanted {
        let pattern = Pattern::read(table);
        if told.iter().any(|told| pattern.fits::<R>(told.entry(), lexicon)) {
            table.fault(format!("this happened; {}", tell::<R>(told, lexicon)));
        }
    }
}

fn tell<R: Rulebook>(told: &[Told<R::Event>], lexicon: &dyn Lexicon) -> String {
    let lines: Vec<String> = told
        .iter()
        .map(|told| match told.entry() {
            Entry::Roll(roll) => format!("rolled {} on a d{}", roll.result, roll.faces),
            Entry::Event(event) => event.notation(lexicon),
        })
        .collect();
    if lines.is_empty() { "nothing happened".to_owned() } else { format!("what happened: {}", lines.join(", ")) }
}

/// An event's name and some of its fields.
struct Pattern {
    event: String,
    fields: Vec<(String, String)>,
}

impl Pattern {
    fn read(table: &Table<'_>) -> Pattern {
        let event = table.need("event").and_then(|event| event.str()).unwrap_or_default().to_owned();
        let fields = table
            .rest()
            .into_iter()
            .filter_map(|(key, item)| Some((key.to_owned(), item.str()?.to_owned())))
            .collect();
        Pattern { event, fields }
    }

    fn fits<R: Rulebook>(&self, entry: &Entry<R::Event>, lexicon: &dyn Lexicon) -> bool {
        let Entry::Event(event) = entry else { return false };
        let form = event.form();
        if form.name != self.event {
            return false;
        }
        let words = event.words(lexicon);
        self.fields.iter().all(|(key, wanted)| {
            let place = form.fields.iter().position(|field| field.name == key);
            place.is_some_and(|place| words[place] == *wanted) || (key == "case" && form.case.0 == wanted)
        })
    }
}
