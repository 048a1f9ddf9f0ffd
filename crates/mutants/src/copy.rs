//! The copy of a rulebook's crate with all mutants in it: written under `target/mutants`, never into the source tree, and
//! built once. A change that does not compile is found by the compiler's messages and left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::rewrite::{Placed, rewrite};
use crate::sites::{self, Change, Site};

/// A mutant of the code.
pub(crate) struct Mutant {
    pub(crate) number: u32,
    /// The file without its ending: the room of the rules that it is in.
    pub(crate) room: String,
    pub(crate) change: Change,
}

/// A file of the crate.
struct Code {
    /// Its path below `src`.
    path: PathBuf,
    text: String,
    sites: Vec<Site>,
}

/// A rulebook's crate and its copy.
pub(crate) struct Copy {
    root: PathBuf,
    dir: PathBuf,
    book: String,
    /// The name of the type that is the rulebook.
    rulebook: String,
    files: Vec<Code>,
    pub(crate) mutants: Vec<Mutant>,
}

/// How often the copy is built before it is given up.
const ROUNDS: usize = 30;

impl Copy {
    /// Reads the crate of a rulebook and finds what can be changed in it.
    pub(crate) fn read(root: &Path, book: &str) -> Result<Copy, String> {
        let src = root.join("crates").join(book).join("src");
        let mut paths = Vec::new();
        code_below(&src, &mut paths)?;
        let mut files = Vec::new();
        let mut mutants = Vec::new();
        for path in paths {
            let text = read(&path)?;
            let sites = sites::find(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            let room = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for change in sites.iter().flat_map(|site| &site.changes) {
                let number = mutants.len() as u32 + 1;
                mutants.push(Mutant { number, room: room.clone(), change: change.clone() });
            }
            let path = path.strip_prefix(&src).unwrap_or(&path).to_owned();
            files.push(Code { path, text, sites });
        }
        let is_the_type = |code: &Code| {
            let after = code.text.split_once("\nimpl Rulebook for ")?.1;
            Some(after.split(|c: char| !c.is_alphanumeric()).next()?.to_owned())
        };
        let rulebook = files.iter().find_map(is_the_type).ok_or("no `impl Rulebook for …` in its code")?;
        let dir = root.join("target/mutants").join(book);
        Ok(Copy { root: root.to_owned(), dir, book: book.to_owned(), rulebook, files, mutants })
    }

    /// Where a rulebook's golden games are.
    fn golden(&self) -> PathBuf {
        self.root.join("crates").join(&self.book).join("tests/golden")
    }

    /// Writes and builds the copy with these mutants; those that do not compile are taken out of them.
    pub(crate) fn build(&self, chosen: &mut BTreeSet<u32>, tell: &dyn Fn(String)) -> Result<PathBuf, String> {
        self.frame()?;
        for round in 1..=ROUNDS {
            let placed = self.write(chosen)?;
            let wrong = match self.cargo()? {
                Ok(program) => return Ok(program),
                Err(messages) => self.to_blame(&messages, &placed)?,
            };
            tell(format!("round {round}: {} changes do not compile and are left out", wrong.len()));
            chosen.retain(|number| !wrong.contains(number));
        }
        Err(format!("the copy does not compile after {ROUNDS} rounds"))
    }

    /// What the copy has around its code: the workspace, the data, the program.
    fn frame(&self) -> Result<(), String> {
        let crates = self.dir.join("crates");
        fs::create_dir_all(crates.join("runner/src")).map_err(|error| error.to_string())?;
        let original = self.root.join("crates").join(&self.book);
        let from_root = format!("path = \"{}/crates/", self.root.display());
        let own = format!("path = \"{}/crates/{}\"", self.root.display(), self.book);
        let workspace = read(&self.root.join("Cargo.toml"))?
            .replace("path = \"crates/", &from_root)
            .replace(&own, &format!("path = \"crates/{}\"", self.book));
        write(&self.dir.join("Cargo.toml"), &workspace)?;
        let lock = read(&self.root.join("Cargo.lock"))?;
        if !self.dir.join("Cargo.lock").exists() {
            write(&self.dir.join("Cargo.lock"), &lock)?;
        }
        let manifest = read(&original.join("Cargo.toml"))?
            .replace("[dependencies]\n", "[dependencies]\nmutants.workspace = true\n")
            .replace("[lints]\nworkspace = true", "[lints.rust]\nwarnings = \"allow\"");
        write(&crates.join(&self.book).join("Cargo.toml"), &manifest)?;
        if let Ok(script) = fs::read_to_string(original.join("build.rs")) {
            write(&crates.join(&self.book).join("build.rs"), &script)?;
        }
        let runner = "[package]\nname = \"runner\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
                      mutants.workspace = true\n";
        write(&crates.join("runner/Cargo.toml"), &format!("{runner}{}.workspace = true\n", self.book))?;
        let main = format!(
            "fn main() -> std::io::Result<()> {{\n    ::mutants::runner::main::<{}::{}>({:?})\n}}\n",
            self.book,
            self.rulebook,
            self.golden()
        );
        write(&crates.join("runner/src/main.rs"), &main)?;
        link(&self.root.join("data"), &self.dir.join("data"))
    }

    fn write(&self, chosen: &BTreeSet<u32>) -> Result<BTreeMap<String, Vec<Placed>>, String> {
        let mut next = 0;
        let mut number = || {
            next += 1;
            Some(next).filter(|number| chosen.contains(number))
        };
        let mut all = BTreeMap::new();
        for code in &self.files {
            let (text, placed) = rewrite(&code.text, &code.sites, &mut number);
            let name = format!("crates/{}/src/{}", self.book, code.path.display());
            write(&self.dir.join(&name), &text)?;
            all.insert(name, placed);
        }
        Ok(all)
    }

    /// Builds: the program, or the errors.
    fn cargo(&self) -> Result<Result<PathBuf, Vec<Value>>, String> {
        let built = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
            .args(["build", "--offline", "--quiet", "--message-format=json", "--package", "runner"])
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .output()
            .map_err(|error| format!("cargo cannot be run: {error}"))?;
        let lines = String::from_utf8_lossy(&built.stdout);
        let messages: Vec<Value> = lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if built.status.success() {
            let program = messages.iter().find_map(|message| message["executable"].as_str());
            return program
                .map(|program| Ok(PathBuf::from(program)))
                .ok_or("cargo names no program".to_owned());
        }
        let errors: Vec<Value> = messages
            .into_iter()
            .filter(|message| {
                message["reason"] == "compiler-message" && message["message"]["level"] == "error"
            })
            .map(|message| message["message"].clone())
            .collect();
        if errors.is_empty() {
            Err(String::from_utf8_lossy(&built.stderr).into_owned())
        } else {
            Ok(Err(errors))
        }
    }

    /// The mutants whose code the compiler complains of.
    fn to_blame(
        &self,
        errors: &[Value],
        placed: &BTreeMap<String, Vec<Placed>>,
    ) -> Result<BTreeSet<u32>, String> {
        let mut wrong = BTreeSet::new();
        for error in errors {
            let spans = || error["spans"].as_array().into_iter().flatten();
            let primary = spans().filter(|span| span["is_primary"] == true).flat_map(places);
            let mut found = blamed(primary, placed);
            if found.is_empty() {
                found = blamed(spans().flat_map(places), placed);
            }
            wrong.extend(found);
        }
        // What a change does to types can show elsewhere in its function: then all changes of that function go.
        if wrong.is_empty() {
            let spans = errors.iter().flat_map(|error| error["spans"].as_array().into_iter().flatten());
            for (file, at) in spans.flat_map(places) {
                let before =
                    placed.get(&file).into_iter().flatten().filter(|placed| placed.site.start <= at.start);
                let Some(near) = before.max_by_key(|placed| placed.site.start) else { continue };
                let near = &self.mutants[near.mutant as usize - 1];
                let same = |mutant: &&Mutant| {
                    mutant.room == near.room && mutant.change.function == near.change.function
                };
                wrong.extend(self.mutants.iter().filter(same).map(|mutant| mutant.number));
            }
        }
        if wrong.is_empty() {
            let first = errors.first().and_then(|error| error["rendered"].as_str()).unwrap_or("");
            return Err(format!("the copy does not compile: {first}"));
        }
        Ok(wrong)
    }
}

/// The places of a span: its own, and those of the macros that it is in.
fn places(span: &Value) -> Vec<(String, Range<usize>)> {
    let mut places = Vec::new();
    let mut span = span;
    while let Some(file) = span["file_name"].as_str() {
        let byte = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
        places.push((file.to_owned(), byte("byte_start")..byte("byte_end")));
        span = &span["expansion"]["span"];
    }
    places
}

/// The mutants at these places: one of its own text, or all of the innermost site.
fn blamed(
    places: impl Iterator<Item = (String, Range<usize>)>,
    placed: &BTreeMap<String, Vec<Placed>>,
) -> BTreeSet<u32> {
    let mut wrong = BTreeSet::new();
    for (file, at) in places {
        let Some(placed) = placed.get(&file) else { continue };
        let holds = |range: &Range<usize>| range.start <= at.start && at.end <= range.end;
        if let Some(own) = placed.iter().find(|placed| holds(&placed.own)) {
            wrong.insert(own.mutant);
            continue;
        }
        let around = placed.iter().filter(|placed| holds(&placed.site));
        if let Some(innermost) = around.min_by_key(|placed| placed.site.len()).map(|placed| &placed.site) {
            wrong
                .extend(placed.iter().filter(|placed| placed.site == *innermost).map(|placed| placed.mutant));
        }
    }
    wrong
}

fn code_below(dir: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", dir.display());
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir).map_err(unreadable)?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            code_below(&path, paths)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file unless it says the same already, so that nothing is built twice.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(wrong)?;
    }
    fs::write(path, text).map_err(wrong)
}

/// The copy finds the data where the original does.
fn link(data: &Path, at: &Path) -> Result<(), String> {
    if at.exists() {
        return Ok(());
    }
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(data, at);
    #[cfg(windows)]
    let linked = std::os::windows::fs::symlink_dir(data, at);
    linked.map_err(|error| format!("{}: {error}", at.display()))
}
