//! The rulebooks with their data: built in, or laid over from a directory.

use std::fs;
use std::path::Path;

use engine::Data;
use engine::shelf::AnyRulebook;
use source::{Fault, Faults, Source};

use crate::output::{Failure, note};
use shelf::shelf;

/// A rulebook and the data it is played with.
pub(crate) struct Volume {
    pub(crate) rulebook: &'static dyn AnyRulebook,
    pub(crate) data: Data,
}

/// All rulebooks.
pub(crate) struct Library {
    pub(crate) volumes: Vec<Volume>,
}

impl Library {
    /// The built-in data, with the files of `dir` laid over it, and then those that rule tests use in place of others.
    pub(crate) fn open(dir: Option<&Path>, fixtures: bool) -> Result<Library, Faults> {
        let volumes = shelf().map(|rulebook| Volume { rulebook, data: rulebook.embedded() });
        let mut library = Library { volumes: volumes.into() };
        if let Some(dir) = dir {
            library.overlay(dir)?;
        }
        if fixtures {
            library.volumes.iter_mut().for_each(|volume| volume.data = volume.data.with_fixtures());
        }
        Ok(library)
    }

    /// Lays the files of a directory over the data, `DIR/<rulebook>/…`.
    pub(crate) fn overlay(&mut self, dir: &Path) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let fault = |message: String| Source::new(dir.display().to_string(), "").fault(0, "", message);
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => return Err(fault(format!("cannot be read: {error}")).into()),
        };
        let mut found = false;
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !path.is_dir() {
                // Other files may lie here; one that is called as a data file is one that lies wrong.
                let called = |path: &str| path.rsplit('/').next() == Some(name.as_str());
                let mut known = self.volumes.iter().flat_map(|volume| volume.data.files());
                if known.any(|(path, _)| called(path)) {
                    let why = format!("belongs in a folder named after its rulebook: {}", self.names());
                    faults.push(Fault::at(&path.display().to_string(), why));
                }
                continue;
            }
            match self.volumes.iter_mut().find(|volume| volume.rulebook.book().name == name) {
                Some(volume) => {
                    found = true;
                    volume.data.overlay(&path).unwrap_or_else(|more| faults.extend(more));
                }
                None => note(format_args!("{}: `{name}` is not a rulebook of this program", dir.display())),
            }
        }
        if !found && faults.is_empty() {
            faults.push(fault(format!("holds no folder named after a rulebook; expected {}", self.names())));
        }
        faults.or(Some(()))
    }

    /// What the files that were laid over the data of the rulebooks do, a line each.
    pub(crate) fn laid(&self) -> Vec<String> {
        let lines = self.volumes.iter().flat_map(|volume| {
            let book = volume.rulebook.book().name;
            volume.data.laid().map(move |(path, laid)| laid.line(&format!("{book}/{path}")))
        });
        lines.collect()
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.volumes.iter().map(|volume| volume.rulebook.book().name).collect();
        names.join(", ")
    }

    /// A rulebook by its name.
    pub(crate) fn volume(&self, name: &str) -> Result<&Volume, Failure> {
        self.volumes.iter().find(|volume| volume.rulebook.book().name == name).ok_or_else(|| {
            Failure::Input(format!("there is no rulebook `{name}`; there is {}", self.names()))
        })
    }

    /// A rulebook and the rest of `rulebook/name`.
    pub(crate) fn split<'n>(&self, name: &'n str) -> Result<(&Volume, &'n str), Failure> {
        let (rulebook, rest) = name.split_once('/').ok_or_else(|| {
            Failure::Input(format!("`{name}` should be named rulebook/name, such as mini/ford"))
        })?;
        Ok((self.volume(rulebook)?, rest))
    }
}
