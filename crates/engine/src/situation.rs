//! Situations: a position in a small text file, to this engine what FEN is to chess.

use std::fmt::Display;
use std::ops::RangeInclusive;

use board::{Hex, HexSet, Map};
use source::{Doc, Faults, Item, Source, Table, Writer};

use crate::data::letters;
use crate::frame::Stack;
use crate::mark::MarkSet;
use crate::store::Placed;
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
/// name.
pub fn read_map(root: &Table<'_>, data: &Data) -> Option<(Map, Option<String>)> {
    let item = root.need("map")?;
    let Some(name) = item.try_str() else {
        let legend = root.doc().take(data.legend())?;
        return Some((Map::read(&item.table()?, &letters(&legend))?, None));
    };
    let source = item.parse(|_| data.find("maps", name))?;
    let map = root.doc().take(data.read_map(source))?;
    Some((map, Some(name.to_owned())))
}

/// The map of a situation by its name, before any table is written.
pub fn write_map_name(name: Option<&str>, out: &mut Writer) {
    if let Some(name) = name {
        out.field("map", name);
    }
}

/// The map of a situation that has no name, as a table.
pub fn write_sketch(map: &Map, name: Option<&str>, out: &mut Writer) {
    if name.is_none() {
        out.table("map");
        map.write_under(out, "map");
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

/// The line of a unit: where it is, and the words that follow.
pub fn read_place<'d, P: Placed>(item: &Item<'d>, map: &Map) -> Option<(P, Vec<Item<'d>>)> {
    let mut words = item.words();
    if words.is_empty() {
        let boxes: Vec<&str> = P::BOXES.iter().map(|(name, _)| *name).collect();
        item.fault(format!("expected a hex, or one of {}", boxes.join(", ")));
        return None;
    }
    let place = words.remove(0).parse(|word| P::read(word, map))?;
    Some((place, words))
}

/// What follows the place of a unit: marks, and what a rulebook `sets` by words such as `steps=2`: those of `keys`.
pub fn read_marks<M: MarkSet>(
    words: &[Item<'_>],
    keys: &[&str],
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> M {
    let mut marks = M::default();
    for word in words {
        let Some(text) = word.str() else { continue };
        let mark = M::ALL.iter().position(|mark| mark.word == text);
        match (mark, text.split_once('=').filter(|(key, _)| keys.contains(key))) {
            (Some(mark), _) => marks.set_place(mark),
            (None, Some((key, value))) => {
                word.parse(|_| set(key, value));
            }
            (None, None) => {
                let keys = keys.iter().map(|key| format!("{key}="));
                let known = keys.chain(M::ALL.iter().map(|mark| mark.word.to_owned()));
                word.fault(format!("`{text}` is not one of {}", known.collect::<Vec<_>>().join(", ")));
            }
        }
    }
    marks
}

/// The same for a unit of which only steps are told, and those where they differ from `full`. A unit that is nowhere has none.
pub fn read_steps<M: MarkSet>(words: &[Item<'_>], full: Option<u8>) -> (u8, M) {
    let mut steps = full.unwrap_or(0);
    let keys: &[&str] = if full.is_some() { &["steps"] } else { &[] };
    let marks = read_marks(words, keys, |_, value| {
        steps = number(value, 1..=full.unwrap_or(0))?;
        Ok(())
    });
    (steps, marks)
}

/// A whole number in such a range.
pub fn number(text: &str, range: RangeInclusive<u8>) -> Result<u8, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("`{text}` is not a whole number from {} to {}", range.start(), range.end()))
}

/// Writes the line of a unit: its place, the values that differ from the usual ones, its marks.
pub fn write_unit<P: Placed, M: MarkSet>(place: P, map: &Map, values: &[(&str, u8, u8)], marks: M) -> String {
    let mut line = place.word(map);
    for (key, value, _) in values.iter().filter(|(_, value, usual)| value != usual) {
        line += &format!(" {key}={value}");
    }
    for word in marks.words() {
        line += " ";
        line += word;
    }
    line
}

/// Fields of a situation that are read and written by the same lines. A field that a file does not have stays as it is; one
/// that holds nothing is not written.
pub enum Fields<'f, 'd> {
    /// From a file.
    Read(&'f Table<'d>),
    /// To a file.
    Write(&'f mut Writer),
}

impl Fields<'_, '_> {
    /// A number.
    pub fn int<T>(&mut self, key: &str, value: &mut T, range: RangeInclusive<T>)
    where
        T: Copy + Default + PartialOrd + Display + TryFrom<i64> + Into<i64>,
    {
        match self {
            Fields::Read(table) => {
                *value = table.get(key).and_then(|item| item.int(range)).unwrap_or(*value);
            }
            Fields::Write(out) if *value != T::default() => out.field(key, (*value).into()),
            Fields::Write(_) => {}
        }
    }

    /// What may be true.
    pub fn flag(&mut self, key: &str, value: &mut bool) {
        match self {
            Fields::Read(table) => *value = table.get(key).and_then(|item| item.bool()).unwrap_or(*value),
            Fields::Write(out) if *value => out.field(key, true),
            Fields::Write(_) => {}
        }
    }

    /// A word, or a line of them, which is always written.
    pub fn word<T>(
        &mut self,
        key: &str,
        value: &mut T,
        read: impl FnOnce(&str) -> Result<T, String>,
        write: impl FnOnce(&T) -> String,
    ) {
        match self {
            Fields::Read(table) => {
                if let Some(read) = table.get(key).and_then(|item| item.parse(read)) {
                    *value = read;
                }
            }
            Fields::Write(out) => out.field(key, write(value)),
        }
    }

    /// A list of words, each read into the value in turn.
    pub fn list<T>(
        &mut self,
        key: &str,
        value: &mut T,
        mut read: impl FnMut(&mut T, &str) -> Result<(), String>,
        write: impl FnOnce(&T) -> Vec<String>,
    ) {
        match self {
            Fields::Read(table) => {
                for word in table.get(key).map(|item| item.words()).unwrap_or_default() {
                    word.parse(|text| read(value, text));
                }
            }
            Fields::Write(out) => {
                let words = write(value);
                if !words.is_empty() {
                    out.words(key, words);
                }
            }
        }
    }

    /// A set of hexes.
    pub fn hexes<const ROWS: usize, const WORDS: usize>(
        &mut self,
        key: &str,
        value: &mut HexSet<ROWS, WORDS>,
        map: &Map,
    ) {
        match self {
            Fields::Read(table) => {
                if let Some(item) = table.get(key) {
                    *value = read_hexes(&item, map).into_iter().collect();
                }
            }
            Fields::Write(out) if !value.is_empty() => out.words(key, value.iter().map(|hex| map.label(hex))),
            Fields::Write(_) => {}
        }
    }
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
