//! Mangled input: whatever a file says, reading it never panics, every error is located, and what is accepted
//! can be played.
//!
//! Each target starts from a corpus of sound texts (`tests/corpus` and the rulebook's own data) and edits them.
//! `GROGNARD_FUZZ` is how many inputs each target tries; the sequence is always the same. An input that once made
//! trouble is kept in `tests/corpus/regressions/TARGET` and tried as it is, as well as being a seed.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use engine::situation::{self, Opened};
use engine::{
    Asked, Cases, Data, Dice, Options, Phrase, Play, Record, Rulebook, Seed, Setup, Side, Telling, Types,
    Viewer, game, trial,
};
use mini::{Action, Event, Mini, Procedure};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use source::{Doc, Faults, Item, Source, Table, Tsv};

/// How many inputs each target tries unless told otherwise.
const DEFAULT: u32 = 4_000;

/// How many decisions are played in a position that was accepted.
const DECISIONS: usize = 30;

static DATA: LazyLock<Data> = LazyLock::new(Mini::embedded);
static CASES: LazyLock<Cases> = LazyLock::new(|| DATA.cases().unwrap());
static TOKENS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let texts = corpus("situations")
        .into_iter()
        .chain(corpus("records"))
        .chain(corpus("notation"))
        .chain(data_files());
    let mut tokens: Vec<String> = texts.flat_map(|seed| tokens(&seed.text)).map(|(_, token)| token).collect();
    tokens.sort();
    tokens.dedup();
    tokens
});
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let texts = corpus("situations").into_iter().chain(corpus("records")).chain(data_files());
    texts.flat_map(|seed| seed.text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
});

// ---- the corpus

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

/// The files of a folder of the corpus, in the order of their names.
fn corpus(name: &str) -> Vec<Source> {
    let Ok(entries) = fs::read_dir(folder(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    let read = |path: &PathBuf| Source::new("input", String::from_utf8_lossy(&fs::read(path).unwrap()));
    paths.iter().map(read).collect()
}

/// The rulebook's own files but its tests, under the paths they have there.
fn data_files() -> Vec<Source> {
    let folders = ["maps", "tables", "scenarios"];
    let inside = folders.into_iter().flat_map(|folder| {
        DATA.under(folder)
            .map(move |(name, source)| Source::new(format!("{folder}/{name}.toml"), source.text.clone()))
    });
    let outside = ["cases.tsv", "counters.toml"];
    let outside = outside.into_iter().map(|path| Source::new(path, DATA.file(path).unwrap().text.clone()));
    inside.chain(outside).collect()
}

fn embedded(folder: &str) -> Vec<Source> {
    DATA.under(folder).map(|(_, source)| Source::new("input", source.text.clone())).collect()
}

/// The situations of the rule tests: small ones, on sketches.
fn sketches() -> Vec<Source> {
    let inside = |text: &str| {
        let (_, rest) = text.split_once("[situation]\n")?;
        rest.split_once("[[step]]").map(|(situation, _)| situation.to_owned())
    };
    embedded("tests").iter().filter_map(|test| Some(Source::new("input", inside(&test.text)?))).collect()
}

// ---- edits

#[derive(Clone, Debug)]
enum Edit {
    Byte(Index, u8),
    Insert(Index, u8),
    Cut(Index, u8),
    Truncate(Index),
    DropLine(Index),
    DoubleLine(Index),
    SwapLines(Index, Index),
    ForeignLine(Index, Index),
    Token(Index, Index),
    CopyToken(Index, Index),
    SwapTokens(Index, Index),
    Number(Index, Index),
}

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "9",
    "-1",
    "10",
    "99",
    "255",
    "256",
    "65536",
    "4294967296",
    "-9223372036854775808",
    "99999999999999999999",
    "0.5",
];

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        2 => (at(), 32u8..127).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        1 => (at(), 9u8..127).prop_map(|(at, byte)| Edit::Insert(at, byte)),
        2 => (at(), 1u8..20).prop_map(|(at, length)| Edit::Cut(at, length)),
        1 => at().prop_map(Edit::Truncate),
        3 => at().prop_map(Edit::DropLine),
        2 => at().prop_map(Edit::DoubleLine),
        3 => (at(), at()).prop_map(|(a, b)| Edit::SwapLines(a, b)),
        3 => (at(), at()).prop_map(|(at, line)| Edit::ForeignLine(at, line)),
        6 => (at(), at()).prop_map(|(at, token)| Edit::Token(at, token)),
        10 => (at(), at()).prop_map(|(from, to)| Edit::CopyToken(from, to)),
        10 => (at(), at()).prop_map(|(a, b)| Edit::SwapTokens(a, b)),
        6 => (at(), at()).prop_map(|(at, number)| Edit::Number(at, number)),
    ]
}

/// The words of a text and where they stand: runs of what names, labels and numbers are made of.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let is_part = |c: char| c.is_alphanumeric() || "-_.+/:".contains(c);
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (at, c) in text.char_indices() {
        match (is_part(c), inside) {
            (true, false) => found.push((at, c.to_string())),
            (true, true) => found.last_mut().unwrap().1.push(c),
            _ => {}
        }
        inside = is_part(c);
    }
    found
}

fn numbers(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        match found.last_mut() {
            Some((from, run)) if *from + run.len() == at => run.push(c),
            _ => found.push((at, c.to_string())),
        }
    }
    found
}

fn replace(text: &str, spots: &[(usize, String)], spot: &Index, with: &str) -> String {
    if spots.is_empty() {
        return text.to_owned();
    }
    let (at, old) = &spots[spot.index(spots.len())];
    format!("{}{with}{}", &text[..*at], &text[at + old.len()..])
}

fn edit_lines(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.join("\n") + "\n"
}

fn edit_bytes(text: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if !bytes.is_empty() {
        change(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn apply(text: &str, edit: &Edit) -> String {
    match edit {
        Edit::Byte(at, byte) => edit_bytes(text, |bytes| {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }),
        Edit::Insert(at, byte) => edit_bytes(text, |bytes| bytes.insert(at.index(bytes.len()), *byte)),
        Edit::Cut(at, length) => edit_bytes(text, |bytes| {
            let from = at.index(bytes.len());
            let to = (from + usize::from(*length)).min(bytes.len());
            bytes.drain(from..to);
        }),
        Edit::Truncate(at) => edit_bytes(text, |bytes| bytes.truncate(at.index(bytes.len()))),
        Edit::DropLine(at) => edit_lines(text, |lines| {
            lines.remove(at.index(lines.len()));
        }),
        Edit::DoubleLine(at) => edit_lines(text, |lines| {
            let at = at.index(lines.len());
            lines.insert(at, lines[at].clone());
        }),
        Edit::SwapLines(a, b) => edit_lines(text, |lines| {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
        }),
        Edit::ForeignLine(at, line) => edit_lines(text, |lines| {
            let at = at.index(lines.len());
            lines.insert(at, LINES[line.index(LINES.len())].clone());
        }),
        Edit::Token(at, token) => replace(text, &tokens(text), at, &TOKENS[token.index(TOKENS.len())]),
        Edit::CopyToken(from, to) => {
            let spots = tokens(text);
            let copied =
                spots.get(from.index(spots.len().max(1))).map_or(String::new(), |(_, token)| token.clone());
            replace(text, &spots, to, &copied)
        }
        Edit::SwapTokens(a, b) => {
            let spots = tokens(text);
            let (a, b) = (a.index(spots.len().max(1)), b.index(spots.len().max(1)));
            if a == b {
                return text.to_owned();
            }
            let (first, second) = (&spots[a.min(b)], &spots[a.max(b)]);
            let between = &text[first.0 + first.1.len()..second.0];
            let (before, after) = (&text[..first.0], &text[second.0 + second.1.len()..]);
            format!("{before}{}{between}{}{after}", second.1, first.1)
        }
        Edit::Number(at, number) => {
            let spots = numbers(text);
            // Half of them the neighbouring number, half of them an awkward one.
            let choice = number.index(NUMBERS.len() * 2);
            let with = NUMBERS.get(choice).map(|number| (*number).to_owned());
            let next = |delta: i64| {
                let old: i64 =
                    spots.get(at.index(spots.len().max(1))).and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
                let width = spots.get(at.index(spots.len().max(1))).map_or(0, |(_, n)| n.len());
                format!("{:0width$}", old.saturating_add(delta).max(0))
            };
            let with = with.unwrap_or_else(|| next(if choice % 2 == 0 { 1 } else { -1 }));
            replace(text, &spots, at, &with)
        }
    }
}

// ---- the runner

fn mangled(seeds: &[Source], seed: &Index, edits: &[Edit]) -> Source {
    let seed = &seeds[seed.index(seeds.len())];
    Source::new(seed.name.clone(), edits.iter().fold(seed.text.clone(), |text, edit| apply(&text, edit)))
}

fn count() -> u32 {
    std::env::var("GROGNARD_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(DEFAULT)
}

/// Tries every seed as it is, then as many mangled ones as were asked for.
fn fuzz(target: &str, mut seeds: Vec<Source>, check: impl Fn(&Source)) {
    let regressions = corpus(&format!("regressions/{target}"));
    regressions.iter().for_each(&check);
    seeds.extend(regressions);
    seeds.iter().for_each(&check);
    let config =
        Config { cases: count(), failure_persistence: None, max_shrink_iters: 300, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let edits = prop_oneof![
        3 => proptest::collection::vec(edit(), 1),
        2 => proptest::collection::vec(edit(), 2..5),
    ];
    let inputs = (any::<Index>(), edits);
    let result = runner.run(&inputs, |(seed, edits)| {
        check(&mangled(&seeds, &seed, &edits));
        Ok(())
    });
    if let Err(TestError::Fail(why, (seed, edits))) = result {
        let input = mangled(&seeds, &seed, &edits);
        panic!("{why}\nin {} after {edits:?}:\n{}", input.name, input.text);
    }
}

// ---- what must hold

/// An error names a file and, where it is about a line, a line of it.
fn located(faults: &Faults, source: &Source) {
    assert!(!faults.is_empty(), "an error without a fault");
    for fault in &faults.0 {
        assert!(!fault.file.is_empty() && !fault.message.is_empty(), "{fault:?}");
        let lines = source.text.matches('\n').count() + 1;
        assert!(
            fault.file != source.name || fault.line <= lines,
            "{fault} is beyond the {lines} lines of the file"
        );
    }
}

/// What was accepted is sound, can be played, and reads back from its own text.
fn playable(opened: &Opened<Mini>, data: &Data) {
    let rules = &opened.rules;
    let mut state = opened.state.clone();
    let mut play = Play::new(Dice::seeded(&Seed("play".into())));
    let mut chooser = Dice::seeded(&Seed("choose".into()));
    reads_back(rules, &state, data);
    for _ in 0..DECISIONS {
        rules.audit(&state).unwrap_or_else(|wrong| panic!("unsound: {wrong}"));
        let mut answers = Vec::new();
        rules.answers(&state, &mut answers);
        if let Asked::Over(_) = rules.asked(&state) {
            assert!(answers.is_empty(), "over, but there are answers");
            break;
        }
        assert!(!answers.is_empty(), "a dead end");
        for viewer in [Viewer::Side(Side::Axis), Viewer::Observer, Viewer::Referee] {
            rules.view(&state, viewer);
        }
        let action = answers[chooser.roll(answers.len() as u32) as usize - 1];
        rules.check(&state, action).unwrap_or_else(|no| panic!("listed, but refused: {}", no.text(rules)));
        play.clear();
        rules.apply(&mut state, action, &mut play);
    }
    reads_back(rules, &state, data);
}

fn reads_back(rules: &Mini, state: &<Mini as Types>::State, data: &Data) {
    let text = situation::write(rules, state);
    let again = Source::new("saved", text);
    match situation::open::<Mini>(&again, data, Options::default()) {
        Ok(opened) => assert!(opened.state == *state, "reads back as another state:\n{}", again.text),
        Err(faults) => panic!("does not read back: {faults}\n{}", again.text),
    }
}

fn open(source: &Source, data: &Data) {
    match situation::open::<Mini>(source, data, Options::default()) {
        Ok(opened) => playable(&opened, data),
        Err(faults) => located(&faults, source),
    }
}

// ---- targets

#[test]
fn situations() {
    let seeds = [corpus("situations"), embedded("scenarios"), sketches()].concat();
    fuzz("situations", seeds, |source| {
        open(source, &DATA);
        if let Err(faults) = situation::rulebook_of(source) {
            located(&faults, source);
        }
    });
}

#[test]
fn records() {
    fuzz("records", corpus("records"), |source| {
        let record = match Record::parse(source) {
            Ok(record) => record,
            Err(faults) => return located(&faults, source),
        };
        match record.replay::<Mini>(&DATA) {
            Ok(game) => {
                let again = Source::new("again", engine::record::write(&game, true));
                let replayed = Record::parse(&again).and_then(|record| record.replay::<Mini>(&DATA));
                let replayed = replayed.unwrap_or_else(|faults| panic!("{faults}\n{}", again.text));
                assert!(replayed.state() == game.state(), "the record leads elsewhere:\n{}", again.text);
                assert_eq!(engine::record::write(&replayed, true), again.text, "written differently again");
            }
            Err(faults) => located(&faults, source),
        }
        if let Err(faults) = record.verify::<Mini>(&DATA) {
            located(&faults, source);
        }
    });
}

#[test]
fn notation() {
    let ford = game::scenario_source::<Mini>("ford", &DATA).unwrap();
    let rules = situation::open::<Mini>(ford, &DATA, Options::default()).ok().unwrap().rules;
    fuzz("notation", corpus("notation"), |source| {
        for line in source.text.lines() {
            line_holds::<Action>(line, &rules);
            line_holds::<Event>(line, &rules);
            line_holds::<Procedure>(line, &rules);
            sentence_holds::<Action>(line, &rules);
            sentence_holds::<Event>(line, &rules);
        }
    });
}

fn line_holds<P: Phrase>(line: &str, rules: &Mini) {
    match P::parse(line, rules) {
        Ok(phrase) => {
            let written = phrase.notation(rules);
            assert_eq!(P::parse(&written, rules).as_ref(), Ok(&phrase), "`{line}` is written as `{written}`");
        }
        Err(wrong) => assert!(!wrong.is_empty()),
    }
}

fn sentence_holds<P: Telling>(line: &str, rules: &Mini) {
    if let Ok(phrase) = P::parse(line, rules) {
        assert!(!phrase.sentence(rules).contains(['{', '[']), "{}", phrase.sentence(rules));
    }
}

#[test]
fn data() {
    fuzz("data", data_files(), |source| {
        let path = data_path(source);
        let source = Source::new(path, source.text.clone());
        let mut data = DATA.clone();
        data.add(path, source.clone());
        for scenario in ["ford", "bridge"] {
            open(game::scenario_source::<Mini>(scenario, &data).unwrap(), &data);
        }
        for (_, map) in data.under("maps") {
            if let Err(faults) = data.read_map(map) {
                located(&faults, &source);
            }
        }
        if let Err(faults) = data.cases() {
            located(&faults, &source);
        }
    });
}

/// Seeds carry their path as their name; a regression tells it in its first line, as a comment.
fn data_path(source: &Source) -> &str {
    let told = source.text.strip_prefix("# ").and_then(|text| text.lines().next());
    if source.name == "input" { told.unwrap_or("counters.toml") } else { &source.name }
}

#[test]
fn trials() {
    fuzz("trials", embedded("tests"), |source| {
        if let Err(faults) = trial::run::<Mini>("input", source, &DATA, &CASES) {
            located(&faults, source);
        }
        if let Err(faults) = trial::summary("input", source) {
            located(&faults, source);
        }
    });
}

#[test]
fn texts() {
    let seeds = [corpus("situations"), embedded("tests"), data_files()].concat();
    fuzz("texts", seeds, |source| {
        match Doc::parse(source) {
            Ok(doc) => {
                walk(&doc.root());
                if let Err(faults) = doc.finish(Some(())) {
                    located(&faults, source);
                }
            }
            Err(faults) => located(&faults, source),
        }
        let heading: Vec<&str> =
            source.text.lines().next().unwrap_or_default().split('\t').map(str::trim).collect();
        for expected in [&heading[..], &["case", "title", "kind", "statement"]] {
            match Tsv::parse(source, expected) {
                Ok(tsv) => assert!(tsv.rows().all(|(_, cells)| cells.len() == expected.len())),
                Err(faults) => located(&faults, source),
            }
        }
    });
}

/// Asks every question of every value.
fn walk(table: &Table<'_>) {
    for (_, item) in table.rest() {
        walk_item(&item);
    }
    table.need("nothing of this name");
    table.done();
}

fn walk_item(item: &Item<'_>) {
    item.int(0..=9u8);
    item.int(i64::MIN..=i64::MAX);
    item.float();
    item.bool();
    item.one_of(&["a", "b"]);
    for part in item.words() {
        part.fault("here");
        part.int(-5..=5i8);
        part.float();
    }
    if let Some(table) = item.try_table() {
        walk(&table);
    } else if item.try_str().is_none() {
        item.items().iter().for_each(walk_item);
    }
}
