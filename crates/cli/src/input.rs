//! Files that are games: situations and records.

use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use engine::shelf::AnyGame;
use engine::{Record, Seed, record, situation};
use source::Source;

use crate::library::Library;
use crate::output::Failure;

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let (name, text) = if path.as_os_str() == "-" {
        let mut text = String::new();
        ("standard input".to_owned(), io::stdin().read_to_string(&mut text).map(|_| text))
    } else {
        (path.display().to_string(), fs::read_to_string(path))
    };
    match text {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(Failure::Input(format!("{name}: cannot be read: {error}"))),
    }
}

/// Writes a file; `-` is standard output.
pub(crate) fn write(path: &Path, text: &str, out: &mut crate::output::Out) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        out.text(text);
        return Ok(());
    }
    fs::write(path, text)
        .map_err(|error| Failure::Input(format!("{}: cannot be written: {error}", path.display())))
}

/// Opens a situation, or a record played through to its end.
pub(crate) fn open(
    source: &Source,
    library: &Library,
    seed: Option<&str>,
) -> Result<Box<dyn AnyGame>, Failure> {
    let rulebook = if record::is_record(source) {
        Record::parse(source)?.rulebook().to_owned()
    } else {
        situation::rulebook_of(source)?
    };
    let volume = library.volume(&rulebook)?;
    Ok(volume.rulebook.open(&volume.data, source, Some(seed_or_lot(seed)))?)
}

/// The seed given, or one drawn by lot.
pub(crate) fn seed_or_lot(seed: Option<&str>) -> Seed {
    let lot = || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        Seed(format!("{now}-{}", std::process::id())).commitment()[..32].to_owned()
    };
    Seed(seed.map_or_else(lot, str::to_owned))
}
