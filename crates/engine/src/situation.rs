//! Situations: a position in a small text file, to this engine what FEN is to chess.

use board::{Hex, Map};
use source::{Doc, Faults, Item, Source, Table, Writer};

use crate::frame::Stack;
use crate::mark::Mark;
use crate::{Book, BySide, Data, Dice, Frames, Lexicon, Options, Phrase, Play, Roster, Rulebook};

/// The version of the format that is written.
pub const FORMAT: u32 = 1;

/// What a scenario says of itself; any situation may have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its title.
    pub title: String,
    /// What it is about, in a sentence or two.
    pub about: String,
    /// What was there, and what came of it in history; may be empty.
    pub history: String,
    /// What each side must do by when.
    pub goals: BySide<String>,
    /// What is special here; may be empty.
    pub special: Vec<String>,
    /// How long it takes.
    pub length: String,
    /// Who is favoured, in the rulebook's or our own words.
    pub favours: String,
    /// The optional rules that it has on by itself.
    pub options: Vec<&'static str>,
    /// Where it stands in lists: what has a place comes first, what to begin with has place 1.
    pub place: Option<u8>,
}

/// A situation that was read and found sound.
pub struct Opened<R: Rulebook> {
    /// The rulebook with this situation's map, units, tables and options.
    pub rules: R,
    /// The position.
    pub state: R::State,
    /// The optional rules that are on.
    pub options: Options,
    /// What it says of itself.
    pub about: About,
}

/// Reads a situation or scenario file. Options named in `more` are switched on besides its own.
pub fn open<R: Rulebook>(source: &Source, data: &Data, more: Options) -> Result<Opened<R>, Faults> {
    let doc = Doc::parse(source)?;
    let opened = read(&doc.root(), data, more);
    doc.finish(opened)
}

/// Reads a situation that is a table of some document, such as a rule test.
pub fn read<R: Rulebook>(root: &Table<'_>, data: &Data, more: Options) -> Option<Opened<R>> {
    read_header(root, &R::BOOK, data);
    let of_game = match root.get("game") {
        Some(item) => Some(item.parse(|game| data.of_game(game))?),
        None => None,
    };
    let data = of_game.as_ref().unwrap_or(data);
    let about = root.get("scenario").and_then(|about| about.table()).map(|table| read_about(&table));
    let options = read_options(root, &R::BOOK, more);
    // A reader that gave up early has not asked for everything: its own fault is enough.
    let (rules, mut state) = R::read(root, data, options)?;
    root.done();
    if !root.doc().is_sound() {
        return None;
    }
    let begins = root.get("stack").is_none();
    let audited = rules.audit(&state).and_then(|()| if begins { rules.audit_setup(&state) } else { Ok(()) });
    if let Err(wrong) = audited {
        root.fault(wrong);
        return None;
    }
    // What a file leaves out is what the game would have put in order on its way here.
    if !R::stack(&state).frames().is_empty() {
        rules.before_asking(&mut state, &mut Play::new(Dice::told([])));
    }
    let about = About { options: options.names(&R::BOOK).collect(), ..about.unwrap_or_default() };
    Some(Opened { rules, state, options, about })
}

fn read_header(root: &Table<'_>, book: &Book, data: &Data) {
    if let Some(item) = root.get("format") {
        item.int(1..=FORMAT);
    }
    if let Some(item) = root.need("rulebook") {
        item.one_of(&[book.name]);
    }
    if let Some(item) = root.get("rules")
        && item.int(1..=u32::MAX).is_some_and(|rules| rules > book.rules)
    {
        item.fault(format!("made by a later version of the rules; this program has version {}", book.rules));
    }
    if let Some(item) = root.get("data") {
        item.parse(|mark| data.fits(Some(mark), None));
    }
}

fn read_about(table: &Table<'_>) -> About {
    let text = |key: &str| table.get(key).and_then(|item| item.str()).unwrap_or_default().to_owned();
    let special = table.get("special").map(|list| list.items()).unwrap_or_default();
    let about = About {
        title: text("title"),
        about: text("about"),
        history: text("history"),
        goals: BySide { axis: text("axis"), soviet: text("soviet") },
        special: special.iter().filter_map(|item| item.str()).map(str::to_owned).collect(),
        length: text("length"),
        favours: text("favours"),
        options: Vec::new(),
        place: table.get("place").and_then(|item| item.int(1..=99)),
    };
    table.done();
    about
}

fn read_options(root: &Table<'_>, book: &Book, more: Options) -> Options {
    let mut options = more;
    for item in root.get("options").map(|list| list.words()).unwrap_or_default() {
        item.parse(|name| options.switch_on(book, name));
    }
    options
}

/// The map of a situation and its name: `map = "NAME"` is one of the rulebook's maps, `[map]` is a sketch, which has no
/// name. `legend` are the terrain letters of the rulebook.
pub fn read_map(root: &Table<'_>, data: &Data, legend: &[(&str, &str)]) -> Option<(Map, Option<String>)> {
    let item = root.need("map")?;
    let Some(name) = item.try_str() else {
        return Some((Map::read(&item.table()?, legend)?, None));
    };
    let source = item.parse(|_| data.find("maps", name))?;
    match Map::parse(source, legend) {
        Ok(map) => Some((map, Some(name.to_owned()))),
        Err(faults) => {
            root.doc().add(faults);
            None
        }
    }
}

/// Hexes by their labels and ranges of them, such as `0101 0201..0801`.
pub fn read_hexes(item: &Item<'_>, map: &Map) -> Vec<Hex> {
    let range = |text: &str| match text.split_once("..") {
        None => map.hex(text).map(|hex| vec![hex]),
        Some((from, to)) => map.range_between(map.hex(from)?, map.hex(to)?),
    };
    item.words().iter().filter_map(|word| word.parse(range)).flatten().collect()
}

/// The roster of a game with at most so many counters.
pub fn read_roster<'n>(
    root: &Table<'_>,
    names: impl ExactSizeIterator<Item = &'n str>,
    most: usize,
) -> Option<Roster> {
    if names.len() > most {
        root.fault(format!("{} counters, but a game has at most {most}", names.len()));
        return None;
    }
    let mut roster = Roster::default();
    for name in names {
        if let Err(wrong) = roster.add(name) {
            root.fault(wrong);
            return None;
        }
    }
    Some(roster)
}

/// What follows the place of a unit: `steps=N` where it differs from `full`, and marks. A unit that is nowhere has no steps.
pub fn read_marks<M>(
    words: &[Item<'_>],
    full: Option<u8>,
    known: &[Mark],
    read: impl Fn(&str) -> Option<M>,
) -> (u8, Vec<M>) {
    let mut steps = full.unwrap_or(0);
    let mut marks = Vec::new();
    for word in words {
        let Some(text) = word.str() else { continue };
        let told = text.strip_prefix("steps=").and_then(|steps| steps.parse().ok());
        match (read(text), told.filter(|steps| (1..=full.unwrap_or(0)).contains(steps))) {
            (Some(mark), _) => marks.push(mark),
            (None, Some(told)) => steps = told,
            (None, None) => {
                let mut expected: Vec<&str> = known.iter().map(|mark| mark.word).collect();
                let range = full.map(|full| format!("steps=1 to steps={full}"));
                expected.extend(range.as_deref());
                word.fault(format!("`{text}` is not one of {}", expected.join(", ")));
            }
        }
    }
    (steps, marks)
}

/// The procedures under way, `stack = ["combat axis", …]`, the outermost first; nothing when a situation does not say, and
/// none when the game is over.
pub fn read_stack<F: Phrase + Copy, const N: usize>(
    root: &Table<'_>,
    lexicon: &dyn Lexicon,
) -> Option<Stack<F, N>> {
    let mut stack = Stack::default();
    for line in root.get("stack")?.items() {
        if stack.len() == N {
            line.fault(format!("at most {N} procedures can be under way"));
            break;
        }
        if let Some(frame) = line.parse(|text| F::parse(text, lexicon)) {
            stack.push(frame);
        }
    }
    Some(stack)
}

/// Writes the procedures under way.
pub fn write_stack<F: Phrase + Copy, const N: usize>(
    stack: &Stack<F, N>,
    lexicon: &dyn Lexicon,
    out: &mut Writer,
) {
    out.list("stack", stack.iter().map(|frame| frame.notation(lexicon)));
}

/// Writes a situation that [`open`] reads back to the same state.
pub fn write<R: Rulebook>(rules: &R, state: &R::State) -> String {
    write_marked(rules, state, None)
}

/// The same, with the mark of the data that it was made with ([`Data::mark`]).
pub(crate) fn write_marked<R: Rulebook>(rules: &R, state: &R::State, mark: Option<&str>) -> String {
    let mut out = Writer::new();
    out.field("format", i64::from(FORMAT));
    out.field("rulebook", R::BOOK.name);
    out.field("rules", i64::from(R::BOOK.rules));
    if let Some(mark) = mark {
        out.field("data", mark);
    }
    if let Some(game) = rules.game() {
        out.field("game", game);
    }
    let options: Vec<&str> = rules.options().names(&R::BOOK).collect();
    if !options.is_empty() {
        out.words("options", options);
    }
    rules.write(state, &mut out);
    out.finish()
}

/// The name of the rulebook that a situation is for, whatever else it holds.
pub fn rulebook_of(source: &Source) -> Result<String, Faults> {
    let doc = Doc::parse(source)?;
    let name = doc.root().need("rulebook").and_then(|item| item.str()).map(str::to_owned);
    doc.finish(name)
}
