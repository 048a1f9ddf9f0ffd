//! A rulebook's data files: in the binary, or replaced from a directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::Dir;
use source::{Doc, Faults, Source};

use crate::Cases;

/// All text files of one rulebook, by their path below `data/<rulebook>/`.
#[derive(Clone, Debug, Default)]
pub struct Data {
    files: BTreeMap<String, Source>,
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

    /// The files of a folder: their names without folder and ending.
    pub fn under<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a Source)> {
        let prefix = format!("{folder}/");
        self.files.iter().filter_map(move |(path, source)| {
            let name = path.strip_prefix(&prefix)?;
            Some((name.rsplit_once('.').map_or(name, |(stem, _)| stem), source))
        })
    }

    /// The index of cases.
    pub fn cases(&self) -> Result<Cases, Faults> {
        match self.file("cases.tsv") {
            Ok(source) => Cases::read(source),
            Err(missing) => Err(Source::new("cases.tsv", "").fault(0, "", missing).into()),
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
