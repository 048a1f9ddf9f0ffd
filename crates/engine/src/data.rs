//! A rulebook's data files: in the binary, or replaced from a directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::Dir;
use source::{Doc, Faults, Source};

use crate::Cases;

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
}

/// Where the games of a system stand.
const GAMES: &str = "games/";

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

    /// Adds or replaces a file.
    pub fn add(&mut self, path: &str, source: Source) {
        self.files.insert(path.to_owned(), source);
    }

    /// Lays the files of a directory over these: same path, other text.
    pub fn overlay(&mut self, dir: &Path) -> Result<(), Faults> {
        let mut faults = Faults::default();
        self.overlay_from(dir, dir, &mut faults);
        faults.or(Some(()))
    }

    fn overlay_from(&mut self, root: &Path, dir: &Path, faults: &mut Faults) {
        let unreadable = |path: &Path, error: std::io::Error| {
            Source::new(path.display().to_string(), "").fault(0, "", format!("cannot be read: {error}"))
        };
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => return faults.push(unreadable(dir, error)),
        };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.overlay_from(root, &path, faults);
                continue;
            }
            let wanted = path.extension().is_some_and(|e| e == "toml" || e == "tsv");
            let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str).filter(|_| wanted) else {
                continue;
            };
            let name = name.replace(std::path::MAIN_SEPARATOR, "/");
            match fs::read_to_string(&path) {
                Ok(text) => self.add(&name, Source::new(path.display().to_string(), text)),
                Err(error) => faults.push(unreadable(&path, error)),
            }
        }
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

    /// Reads a TOML file of the data; what is wrong with it becomes faults of `doc`, which names it.
    pub fn read<T>(
        &self,
        doc: &Doc<'_>,
        path: &str,
        read: impl FnOnce(&Source) -> Result<T, Faults>,
    ) -> Option<T> {
        let read = match self.file(path) {
            Ok(source) => read(source),
            Err(missing) => Err(doc.source().fault(0, "", missing).into()),
        };
        read.map_err(|faults| doc.add(faults)).ok()
    }
}

/// The index of cases.
const CASES: &str = "cases.tsv";

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
}
