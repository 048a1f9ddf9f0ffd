//! A rulebook's data files: in the binary, or replaced from a directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use board::Map;
use include_dir::Dir;
use sha2::{Digest, Sha256};
use source::{Doc, Fault, Faults, Source};

use crate::case::read_glossary;
use crate::{Cases, Term};

/// All text files of one rulebook, by their path below `data/<rulebook>/`.
///
/// A system that plays several games keeps what belongs to one of them under `games/<game>/`: its maps, counters, tables,
/// tracks, scenarios and cases. In a game those files stand for the system's own of the same path; scenarios and maps are found
/// by their names wherever they are.
#[derive(Clone, Debug, Default)]
pub struct Data {
    files: BTreeMap<String, Source>,
    /// The game whose files are in their places.
    game: Option<String>,
    /// The files that were laid over others, and what each does.
    laid: BTreeMap<String, Laid>,
    /// The built-in files that others were laid over.
    beneath: BTreeMap<String, Source>,
}

/// What a file that is laid over the data does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    /// It takes the place of one that says something else.
    Replaces,
    /// It is new: a map, a scenario, a situation, a test.
    Adds,
    /// It says what the one in its place says.
    Same,
}

impl Laid {
    /// What it does, in a line.
    pub fn line(self, path: &str) -> String {
        match self {
            Laid::Replaces => format!("{path} is replaced"),
            Laid::Adds => format!("{path} is added"),
            Laid::Same => format!("{path} says what the built-in file says"),
        }
    }
}

/// Where the games of a system stand.
const GAMES: &str = "games/";

/// Folders in which files are found by their names, so that a new one is read.
const OPEN_FOLDERS: [&str; 5] = ["maps/", "scenarios/", "settings/", "situations/", "tests/"];

/// What opponents read, where there is one.
const OPPONENTS: [&str; 3] = ["general.toml", "judgement.toml", "staff.toml"];

/// What no game depends on: tests, statements, the sources of maps, and who plays it.
const BESIDE_PLAY: [&str; 8] = [
    "atlas/",
    "cases.tsv",
    "fixtures/",
    "general.toml",
    "judgement.toml",
    "situations/",
    "staff.toml",
    "tests/",
];

const SCENARIOS: &str = "scenarios/";

/// Where the files stand that rule tests use in place of others.
const FIXTURES: &str = "fixtures/";

/// Where every rulebook has its terrain chart.
const TERRAIN: &str = "tables/terrain.toml";

/// A legend as maps take it.
pub(crate) fn letters(legend: &[(String, String)]) -> Vec<(&str, &str)> {
    legend.iter().map(|(letter, name)| (letter.as_str(), name.as_str())).collect()
}

impl Data {
    /// The files that were built into the program.
    pub fn embedded(rulebook: &str, dir: &Dir<'_>) -> Data {
        let mut data = Data::default();
        data.add_embedded(rulebook, dir);
        data
    }

    fn add_embedded(&mut self, rulebook: &str, dir: &Dir<'_>) {
        for file in dir.files() {
            if let (Some(path), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
                self.add(path, Source::new(format!("{rulebook}/{path}"), text));
            }
        }
        for dir in dir.dirs() {
            self.add_embedded(rulebook, dir);
        }
    }

    /// The letters of terrains and their names: the first columns of every rulebook's terrain chart. What is wrong with a chart
    /// that was laid over is told by whoever reads the whole of it; maps are read with the built-in one.
    pub fn legend(&self) -> Result<Vec<(String, String)>, Faults> {
        let source = self.file(TERRAIN).map_err(|missing| Fault::at(TERRAIN, missing))?;
        let built_in = self.beneath.get(TERRAIN);
        read_legend(source).or_else(|faults| built_in.map_or(Err(faults), read_legend))
    }

    /// Reads a map file.
    pub fn read_map(&self, source: &Source) -> Result<Map, Faults> {
        Map::parse(source, &letters(&self.legend()?))
    }

    /// Adds or replaces a file.
    pub fn add(&mut self, path: &str, source: Source) {
        self.files.insert(path.to_owned(), source);
    }

    /// All files of a directory, whatever they are.
    pub fn from_folder(dir: &Path) -> Result<Data, Faults> {
        let mut data = Data::default();
        for (path, source) in files_below(dir)? {
            data.add(&path, source);
        }
        Ok(data)
    }

    /// Lays the files of a directory over these: same path, other text. A file that nothing would read is a fault.
    pub fn overlay(&mut self, dir: &Path) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for (path, source) in files_below(dir)? {
            match self.is_read(&path) {
                Ok(()) => self.lay(&path, source),
                Err(why) => faults.push(Fault::at(&source.name, why)),
            }
        }
        faults.or(Some(()))
    }

    /// Lays a file over these, and remembers it.
    pub fn lay(&mut self, path: &str, source: Source) {
        let laid = match self.files.get(path) {
            Some(there) if there.text == source.text => Laid::Same,
            Some(_) => Laid::Replaces,
            None => Laid::Adds,
        };
        self.laid.insert(path.to_owned(), laid);
        if let Some(built_in) = self.files.insert(path.to_owned(), source) {
            self.beneath.entry(path.to_owned()).or_insert(built_in);
        }
    }

    /// The files that were laid over others, and what each does.
    pub fn laid(&self) -> impl Iterator<Item = (&str, Laid)> {
        self.laid.iter().map(|(path, laid)| (path.as_str(), *laid))
    }

    /// Whether somebody would read a file at this path; if not, what he would read.
    pub(crate) fn is_read(&self, path: &str) -> Result<(), String> {
        // What a game of a system may replace is what the system has.
        let own = path.strip_prefix(GAMES).and_then(|path| path.split_once('/')).map_or(path, |(_, own)| own);
        let own = own.strip_prefix(FIXTURES).unwrap_or(own);
        let known = |path: &str| self.files.contains_key(path) || OPPONENTS.contains(&path);
        let open = own.ends_with(".toml") && OPEN_FOLDERS.iter().any(|folder| own.starts_with(folder));
        if known(path) || known(own) || open || own.starts_with("atlas/") {
            return Ok(());
        }
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = |there: &&String| there.rsplit_once('/').map_or("", |(folder, _)| folder) == folder;
        let there: Vec<&str> = self.files.keys().filter(beside).map(String::as_str).collect();
        Err(match there.is_empty() {
            true => "nothing reads a file in this folder".to_owned(),
            false => format!("nothing reads this file; there is {}", there.join(", ")),
        })
    }

    /// The data that rule tests are played with: files under `fixtures/` stand for those of the same path, so that a designer
    /// can tune a table without touching the tests of the rules.
    pub fn with_fixtures(&self) -> Data {
        let mut fixed = self.clone();
        for (path, source) in self.files() {
            if let Some(path) = path.strip_prefix(FIXTURES) {
                fixed.lay(path, source.clone());
            }
        }
        fixed
    }

    /// What tells a game with files laid over from one without: a digest of those that say something else and that play
    /// depends on, of the scenarios only the one that is played. Nothing when all is as it was built in.
    pub fn mark(&self, scenario: Option<&str>) -> Option<String> {
        let of_play = |path: &str| {
            let own =
                path.strip_prefix(GAMES).and_then(|path| path.split_once('/')).map_or(path, |(_, own)| own);
            let other =
                own.strip_prefix(SCENARIOS).is_some_and(|name| name.strip_suffix(".toml") != scenario);
            !other && !BESIDE_PLAY.iter().any(|beside| own.starts_with(beside))
        };
        let laid = self.laid.iter().filter(|(path, laid)| **laid != Laid::Same && of_play(path));
        let mut hash = None;
        for (path, _) in laid {
            let Some(source) = self.files.get(path) else { continue };
            let hash = hash.get_or_insert_with(Sha256::new);
            for text in [path, &source.text] {
                hash.update((text.len() as u64).to_le_bytes());
                hash.update(text);
            }
        }
        hash.map(|hash| hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether something made with data of this mark (nothing for the built-in data) can be played with these; if not, why.
    pub fn fits(&self, mark: Option<&str>, scenario: Option<&str>) -> Result<(), String> {
        let own = self.mark(scenario);
        let name = |mark: Option<&str>| match mark {
            Some(mark) => format!("files laid over it ({mark})"),
            None => "the built-in data alone".to_owned(),
        };
        if own.as_deref() == mark {
            return Ok(());
        }
        if mark.is_some() && self.with_fixtures().mark(scenario).as_deref() == mark {
            return Err("made with the fixtures of the rule tests: --fixtures lays them over".to_owned());
        }
        Err(format!("made with {}, and this is {}", name(mark), name(own.as_deref())))
    }

    /// All files with their paths, in order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().map(|(path, source)| (path.as_str(), source))
    }

    /// A file by its path, or what there is instead.
    pub fn file(&self, path: &str) -> Result<&Source, String> {
        self.files.get(path).ok_or_else(|| {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let there: Vec<&str> = self.under(folder).map(|(name, _)| name).collect();
            let there = if there.is_empty() { "nothing".to_owned() } else { there.join(", ") };
            format!("there is no {path}; in {folder} there is {there}")
        })
    }

    /// The files of a folder, and of that folder in every game: their names without folder and ending.
    pub fn under<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a Source)> {
        let prefix = format!("{folder}/");
        self.files.iter().filter_map(move |(path, source)| {
            let own = path.strip_prefix(GAMES).and_then(|path| path.split_once('/')).map(|(_, path)| path);
            let name = own.unwrap_or(path).strip_prefix(&prefix)?;
            Some((name.rsplit_once('.').map_or(name, |(stem, _)| stem), source))
        })
    }

    /// A file of a folder by its name, wherever it is; or what there is instead.
    pub fn find(&self, folder: &str, name: &str) -> Result<&Source, String> {
        let found = self.under(folder).find(|(there, _)| *there == name);
        found.map(|(_, source)| source).ok_or_else(|| {
            let there: Vec<&str> = self.under(folder).map(|(name, _)| name).collect();
            let there = if there.is_empty() { "nothing".to_owned() } else { there.join(", ") };
            format!("there is no `{name}` in {folder}; there is {there}")
        })
    }

    /// What is found by its name must have one of its own, whichever game it belongs to.
    pub fn check_names(&self, folder: &str) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let mut seen = BTreeMap::new();
        for (name, source) in self.under(folder) {
            if let Some(other) = seen.insert(name, &source.name) {
                faults.push(source.fault(0, "", format!("{other} has the same name")));
            }
        }
        faults.or(Some(()))
    }

    /// The games of a system, in order.
    pub fn games(&self) -> Vec<&str> {
        let mut games: Vec<&str> = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(GAMES)?.split_once('/'))
            .map(|(game, _)| game)
            .collect();
        games.dedup();
        games
    }

    /// The game whose files are in their places.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The data as a game of the system has it: its files in their places, those of other games left out.
    pub fn of_game(&self, game: &str) -> Result<Data, String> {
        if !self.games().contains(&game) {
            return Err(format!("there is no game `{game}`; there is {}", self.games().join(", ")));
        }
        let prefix = format!("{GAMES}{game}/");
        let mut data = Data { game: Some(game.to_owned()), ..Data::default() };
        data.files = self.files.iter().filter(|(path, _)| !path.starts_with(GAMES)).map(copy).collect();
        for (path, source) in &self.files {
            match path.strip_prefix(&prefix) {
                // The system's own cases stay, see `Data::cases`.
                Some(CASES) => data.add(path, source.clone()),
                Some(own) => data.add(own, source.clone()),
                None => {}
            }
        }
        let own = |path: &String| path.strip_prefix(&prefix).unwrap_or(path).to_owned();
        data.beneath = self.beneath.iter().map(|(path, source)| (own(path), source.clone())).collect();
        Ok(data)
    }

    /// The index of cases, those of every game among them.
    pub fn cases(&self) -> Result<Cases, Faults> {
        let own = self.file(CASES).map_err(|missing| Source::new(CASES, "").fault(0, "", missing))?;
        let mut cases = Cases::read(own)?;
        for (path, source) in &self.files {
            if path.starts_with(GAMES) && path.rsplit_once('/').is_some_and(|(_, name)| name == CASES) {
                cases.extend(Cases::read(source)?).map_err(|twice| source.fault(0, "", twice))?;
            }
        }
        Ok(cases)
    }

    /// The words of the rulebook and what they mean; none where there is no glossary.
    pub fn glossary(&self) -> Result<Vec<Term>, Faults> {
        match self.file(GLOSSARY) {
            Ok(source) => read_glossary(source, &self.cases()?),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// Every case that a TOML file names in a field `case` or `cases` must be in the index.
    pub fn check_cases(&self, cases: &Cases) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for source in self.files.values().filter(|source| source.name.ends_with(".toml")) {
            // A file that cannot be parsed is reported by whoever reads it for what it holds.
            let Ok(doc) = Doc::parse(source) else { continue };
            let root = doc.root();
            let one = root.get("case").into_iter();
            let many = root.get("cases").map(|list| list.items()).unwrap_or_default();
            for item in one.chain(many) {
                item.parse(|number| match cases.get(number) {
                    Some(_) => Ok(()),
                    None => Err(format!("the case {number} is not in cases.tsv")),
                });
            }
            faults.extend(doc.finish(Some(())).err().unwrap_or_default());
        }
        faults.or(Some(()))
    }

    /// Reads a TOML file of the data; what is wrong with it becomes faults of `doc`, which names it. Where a file that was laid
    /// over is at fault the built-in one takes its place, so that one wrong table does not hide what is wrong with the rest.
    pub fn read<T>(
        &self,
        doc: &Doc<'_>,
        path: &str,
        read: impl Fn(&Source) -> Result<T, Faults>,
    ) -> Option<T> {
        let found = match self.file(path) {
            Ok(source) => read(source),
            Err(missing) => Err(doc.source().fault(0, "", missing).into()),
        };
        found.map_err(|faults| doc.add(faults)).ok().or_else(|| read(self.beneath.get(path)?).ok())
    }
}

fn read_legend(source: &Source) -> Result<Vec<(String, String)>, Faults> {
    let doc = Doc::parse(source)?;
    let rows = doc.root().need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().filter_map(|row| {
        let letter = row.need("letter").and_then(|item| item.str());
        let name = row.need("name").and_then(|item| item.str());
        Some((letter?.to_owned(), name?.to_owned()))
    });
    let legend = rows.collect();
    doc.finish(Some(legend))
}

/// The index of cases.
const CASES: &str = "cases.tsv";

/// Every text file below a directory, by its path from there. A file of another kind is a fault; notes (`.md`), hidden files
/// and the geography that maps are built from are passed over.
fn files_below(root: &Path) -> Result<Vec<(String, Source)>, Faults> {
    let mut faults = Faults::default();
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: std::io::Error| {
            Fault::at(&folder.display().to_string(), format!("cannot be read: {error}"))
        };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(unreadable(error));
                continue;
            }
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ending = path.extension().unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with('.') || ending == "md" || ending == "geojson" {
                continue;
            } else if ending != "toml" && ending != "tsv" {
                let why = "nothing reads this file: data is in .toml and .tsv";
                faults.push(Fault::at(&path.display().to_string(), why));
            } else {
                match fs::read_to_string(&path) {
                    Ok(text) => {
                        let below = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                        let below = below.replace(std::path::MAIN_SEPARATOR, "/");
                        files.push((below, Source::new(path.display().to_string(), text)));
                    }
                    Err(error) => {
                        let why = format!("cannot be read: {error}");
                        faults.push(Fault::at(&path.display().to_string(), why));
                    }
                }
            }
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    faults.or(Some(files))
}
/// The words of the rulebook.
const GLOSSARY: &str = "glossary.tsv";

fn copy((path, source): (&String, &Source)) -> (String, Source) {
    (path.clone(), source.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system() -> Data {
        let mut data = Data::default();
        let cases = |number: &str| format!("case\ttitle\tkind\tstatement\n{number}\tT\trule\tS\n");
        for (path, text) in [
            ("cases.tsv", cases("1.1")),
            ("tables/crt.toml", "system".to_owned()),
            ("games/uman/cases.tsv", cases("21.1u")),
            ("games/uman/tables/crt.toml", "uman".to_owned()),
            ("games/uman/scenarios/pocket.toml", String::new()),
            ("games/radzymin/scenarios/wola.toml", String::new()),
        ] {
            data.add(path, Source::new(path, text));
        }
        data
    }

    #[test]
    fn a_game_lays_its_files_over_the_systems() {
        let data = system();
        assert_eq!(data.games(), ["radzymin", "uman"]);
        assert_eq!(data.under("scenarios").map(|(name, _)| name).collect::<Vec<_>>(), ["wola", "pocket"]);
        assert!(data.find("scenarios", "pocket").is_ok());
        let uman = data.of_game("uman").unwrap();
        assert_eq!(uman.file("tables/crt.toml").unwrap().text, "uman");
        assert_eq!(data.file("tables/crt.toml").unwrap().text, "system");
        assert!(uman.find("scenarios", "wola").is_err());
        assert_eq!(uman.cases().unwrap().iter().count(), 2);
        assert_eq!(data.cases().unwrap().iter().count(), 2);
        assert!(data.of_game("kursk").unwrap_err().contains("radzymin, uman"));
    }

    #[test]
    fn what_is_laid_over_is_known() {
        let mut data = system();
        assert_eq!(data.mark(None), None);
        data.lay("tables/crt.toml", Source::new("mine", "system"));
        assert_eq!(data.mark(None), None, "the same text is no change");
        data.lay("tests/1.1.toml", Source::new("mine", "given"));
        data.lay("staff.toml", Source::new("mine", "boldness = 2"));
        assert_eq!(data.mark(None), None, "no game depends on tests or opponents");
        data.lay("scenarios/mine.toml", Source::new("mine", "turn = 1"));
        assert_eq!(data.mark(Some("other")), None, "nor on other scenarios");
        let mine = data.mark(Some("mine"));
        assert!(mine.is_some());
        data.lay("tables/crt.toml", Source::new("mine", "other"));
        let changed = data.mark(None);
        assert!(changed.is_some() && changed != mine);
        assert!(data.fits(changed.as_deref(), None).is_ok());
        assert!(data.fits(None, None).unwrap_err().starts_with("made with the built-in data alone"));
        assert!(system().fits(changed.as_deref(), None).unwrap_err().ends_with("the built-in data alone"));
        let all: Vec<(&str, Laid)> = data.laid().collect();
        let expected = [
            ("scenarios/mine.toml", Laid::Adds),
            ("staff.toml", Laid::Adds),
            ("tables/crt.toml", Laid::Replaces),
            ("tests/1.1.toml", Laid::Adds),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_file_that_nothing_reads_is_known() {
        let data = system();
        let read = [
            "tables/crt.toml",
            "maps/new.toml",
            "games/uman/tables/crt.toml",
            "fixtures/tables/crt.toml",
            "staff.toml",
        ];
        for path in read {
            assert_eq!(data.is_read(path), Ok(()), "{path}");
        }
        let why = data.is_read("tables/crtt.toml").unwrap_err();
        assert_eq!(why, "nothing reads this file; there is tables/crt.toml");
        for path in ["scenarios/new.tsv", "table/crt.toml", "games/uman/tables/odds.toml"] {
            assert!(data.is_read(path).is_err(), "{path}");
        }
    }
}
