//! The examples of `docs/situations.md`, `docs/records.md` and the walk-through of `docs/lab.md`, run by the real program.
//!
//! A fenced block whose first line names a file (```` ```toml ford.toml ````) is written to a directory of its own.
//! In a `console` block each line that begins with `$ ` is a command, and what follows is exactly what it prints:
//! standard output, then standard error, then the exit code where it is not 0. `GROGNARD_BLESS=1` writes what the
//! program prints into the documents instead, to be reviewed as a diff.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use engine::{Data, Game, Options, Phrase, Rulebook, Seed};
use source::Source;

/// A place to run examples in, gone when they are done.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Desk {
        let dir = std::env::temp_dir().join(format!("grognard-docs-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Desk(dir)
    }

    /// What a command prints here.
    fn run(&self, command: &str) -> String {
        let words = split(command);
        assert_eq!(words.first().map(String::as_str), Some("grognard"), "`{command}` is not ours");
        let program = env!("CARGO_BIN_EXE_grognard");
        let output = Command::new(program).args(&words[1..]).current_dir(&self.0).output().unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => {}
            code => text += &format!("(exit code {})\n", code.unwrap_or(-1)),
        }
        // White space at the end of a line would not survive an editor.
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The words of a command; quotes hold words together.
fn split(command: &str) -> Vec<String> {
    let quoted = command.split('"').enumerate();
    quoted
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// A document with every example run: its text as it should be, and how many commands it has.
fn run_examples(name: &str, text: &str) -> (String, usize) {
    let desk = Desk::new(name);
    let mut out = String::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["console"] => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    commands += 1;
                    out += &format!("$ {command}\n{}", desk.run(command));
                }
            }
            [_, file] => {
                fs::write(desk.0.join(file), block.join("\n") + "\n").unwrap();
                out += &(block.join("\n") + "\n");
            }
            _ => out += &block.iter().map(|line| format!("{line}\n")).collect::<String>(),
        }
        out += "```\n";
    }
    (out, commands)
}

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Compares a document with what the program prints, or writes it anew.
fn check(name: &str) {
    let path = in_repository("docs").join(name);
    let text = fs::read_to_string(&path).unwrap();
    let (played, commands) = run_examples(name, &text);
    assert!(commands >= 10, "{name} has {commands} examples, expected at least ten");
    if std::env::var_os("GROGNARD_BLESS").is_some() {
        return fs::write(&path, played).unwrap();
    }
    let differs = text.lines().zip(played.lines()).position(|(old, new)| old != new);
    let (old, new) = (text.lines().count(), played.lines().count());
    if let Some(at) = differs.or((old != new).then_some(old.min(new))) {
        let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
        panic!(
            "docs/{name}:{}: it says `{}`, the program prints `{}`; GROGNARD_BLESS=1 writes it anew",
            at + 1,
            line(&text),
            line(&played)
        );
    }
}

/// Everything that a situation file of a rulebook may say, by what it is.
fn vocabulary<R: Rulebook>() -> BTreeMap<&'static str, BTreeSet<String>> {
    let data = R::embedded();
    let mut words: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut add = |what: &'static str, word: &str| words.entry(what).or_default().insert(word.to_owned());
    R::MARKS.iter().for_each(|mark| _ = add("mark", mark.word));
    R::BOOK.options.iter().for_each(|option| _ = add("option", option.name));
    for form in R::Frame::FORMS {
        let fields = form.fields.iter().map(|field| format!(" {}", field.name.to_uppercase()));
        add("procedure", &(form.name.to_owned() + &fields.collect::<String>()));
    }
    let games: Vec<Data> = data.games().into_iter().map(|game| data.of_game(game).unwrap()).collect();
    let parts = if games.is_empty() { vec![&data] } else { games.iter().collect() };
    for (part, source) in
        parts.iter().flat_map(|part| part.under("maps").map(move |(_, source)| (part, source)))
    {
        let map = part.read_map(source).unwrap();
        map.terrains().for_each(|(_, name)| _ = add("terrain", name));
        map.hex_features().for_each(|name| _ = add("feature of hexes", name));
        map.side_features().for_each(|name| _ = add("feature of hexsides", name));
        map.link_features().for_each(|name| _ = add("link", name));
        map.areas().for_each(|(name, _)| _ = add("area", name));
    }
    // A situation with all units listed is asked for every field; one too many makes the reader tell them.
    let (scenario, _) = parts[0].under("scenarios").next().unwrap();
    let seed = Seed("docs".to_owned());
    let game = Game::<R>::scenario(scenario, &data, Options::default(), seed).unwrap();
    let text = format!("colour = \"grey\"\n{}", game.to_situation());
    let faults = Game::<R>::situation(&Source::new("text", text), &data, None).err().unwrap().to_string();
    let (_, fields) = faults.split_once("expected one of ").unwrap();
    fields.split(", ").for_each(|field| _ = add("field", field.trim()));
    words
}

/// The words in backticks of a part of a document; of a table `[units]` the name.
fn in_backticks(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).map(|word| word.trim_matches(['[', ']'])).collect()
}

/// Every rulebook has a section with all that its situations may say.
#[test]
fn situations_are_documented_whole() {
    let text = fs::read_to_string(in_repository("docs/situations.md")).unwrap();
    let section = |title: &str| {
        let (_, after) = text.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no {title}"));
        after.split("\n## ").next().unwrap().to_owned()
    };
    let common = section("What every rulebook has in common");
    let books = [
        ("mini", vocabulary::<mini::Mini>()),
        ("dagc", vocabulary::<dagc::Dagc>()),
        ("bug", vocabulary::<bug::Bug>()),
        ("bite", vocabulary::<bite::Bite>()),
        ("barbarossa", vocabulary::<barbarossa::Barbarossa>()),
    ];
    let listed = Command::new(env!("CARGO_BIN_EXE_grognard")).args(["list", "--json"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().count(), books.len(), "a rulebook of the program is not looked at here");
    let mut missing = Vec::new();
    for (book, vocabulary) in books {
        let own = section(&format!("What `{book}` adds"));
        let told: BTreeSet<&str> = in_backticks(&common).union(&in_backticks(&own)).copied().collect();
        for (what, words) in vocabulary {
            let untold = words.iter().filter(|word| !told.contains(word.as_str()));
            missing.extend(untold.map(|word| format!("{book}: the {what} `{word}`")));
        }
    }
    assert!(missing.is_empty(), "docs/situations.md does not tell of\n{}", missing.join("\n"));
}

#[test]
fn examples_of_situations() {
    check("situations.md");
}

#[test]
fn examples_of_records() {
    check("records.md");
}

/// The designer's five commands change one value, and the report says what `docs/lab.md` says.
#[test]
fn the_walk_through_of_the_lab() {
    let text = fs::read_to_string(in_repository("docs/lab.md")).unwrap();
    let (_, walk) = text.split_once("Five commands").unwrap();
    let commands = walk.split("```").nth(1).unwrap().trim();
    assert_eq!(commands.lines().count(), 5);
    let desk = Desk::new("lab");
    for file in ["data/dagc/tables/combat.toml", "plans/table-dagc.toml"] {
        fs::create_dir_all(desk.0.join(file).parent().unwrap()).unwrap();
        fs::copy(in_repository(file), desk.0.join(file)).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_grognard")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-ec", commands]).env("PATH", path).current_dir(&desk.0).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let table = |path: &str| fs::read_to_string(desk.0.join(path)).unwrap();
    let (old, new) = (table("data/dagc/tables/combat.toml"), table("plans/milder/dagc/tables/combat.toml"));
    assert_eq!(old.lines().zip(new.lines()).filter(|(old, new)| old != new).count(), 1);
    let report = fs::read_to_string(desk.0.join("runs/table-dagc/report.html")).unwrap();
    let (_, said) = walk.split_once("the answer is *").unwrap();
    let (verdict, said) = said.split_once("*: ").unwrap();
    assert!(report.contains(verdict), "the report does not say `{verdict}`");
    let games = fs::read_to_string(desk.0.join("runs/table-dagc/games.csv")).unwrap();
    let wins =
        |arm: &str| games.lines().filter(|row| row.starts_with(arm) && row.contains(",soviet,")).count();
    let counted = format!("{} of 200 games instead of {}.", wins("milder,"), wins("as it is,"));
    assert!(said.starts_with(&counted), "it is {counted}");
}
