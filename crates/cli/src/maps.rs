//! `map` and `atlas`: maps for people and programs, and where they come from.

use std::fs;
use std::path::{Path, PathBuf};

use atlas::draw::{self, DrawOptions};
use source::{Source, Writer};

use crate::args::{Atlas, AtlasBuild, AtlasCommand, Map};
use crate::library::Library;
use crate::output::{Failure, Out, STRONG, Styled};
use crate::progress::while_working;
use crate::{input, terminal};

/// Maps of rulebooks that are still to come.
const COMING: [(&str, &str); 5] = [
    ("barbarossa/barbarossa", include_str!("../../../data/barbarossa/maps/barbarossa.toml")),
    ("bite/radzymin", include_str!("../../../data/bite/games/radzymin/maps/radzymin.toml")),
    ("bite/uman", include_str!("../../../data/bite/games/uman/maps/uman.toml")),
    ("ocs/orel", include_str!("../../../data/ocs/games/orel/maps/orel.toml")),
    ("ocs/kerch", include_str!("../../../data/ocs/games/kerch/maps/kerch.toml")),
];

/// A map file; or a rulebook's map, `rulebook/map`, or just the name when both are the same.
fn find(name: &str, library: &Library) -> Result<board::Map, Failure> {
    let path = Path::new(name);
    if path.extension().is_some() {
        return Ok(board::Map::parse(&input::read(path)?, &[])?);
    }
    let full = if name.contains('/') { name.to_owned() } else { format!("{name}/{name}") };
    if let Some((_, text)) = COMING.iter().find(|(coming, _)| *coming == full) {
        return Ok(board::Map::parse(&Source::new(full, *text), &[])?);
    }
    let (volume, name) = library.split(&full)?;
    Ok(volume.rulebook.map(&volume.data, name)?)
}

pub(crate) fn map(args: &Map, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let map = find(&args.map, library)?;
    let options = DrawOptions { hex: args.hex.clamp(8.0, 200.0), ..DrawOptions::default() };
    if let Some(path) = &args.svg {
        input::write(path, &draw::svg(&map, &options), out)?;
    }
    if let Some(path) = &args.png {
        let picture = draw::png(&map, &options).map_err(Failure::Input)?;
        write_bytes(path, &picture)?;
    }
    if args.json {
        out.line(atlas::json(&map));
    } else if args.svg.is_none() && args.png.is_none() {
        out.line(format_args!("{}: {} hexes", Styled(STRONG, &map.title), map.hexes().count()));
        terminal::write_map(&map, None, out);
    }
    Ok(())
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes)
        .map_err(|error| Failure::Input(format!("{}: cannot be written: {error}", path.display())))
}

pub(crate) fn atlas(args: &Atlas, out: &mut Out) -> Result<(), Failure> {
    match &args.command {
        AtlasCommand::Build(build) => build_map(build, out),
    }
}

/// Where the map of a rulebook, or of one of its games, is kept, and what it is called.
fn home<'m>(sources: &Path, map: &'m str) -> (PathBuf, &'m str) {
    match map.split_once('/') {
        Some((rulebook, game)) => (sources.join(rulebook).join("games").join(game), game),
        None => (sources.join(map), map),
    }
}

fn build_map(args: &AtlasBuild, out: &mut Out) -> Result<(), Failure> {
    let (home, name) = home(&args.sources, &args.map);
    let (map, report) = while_working("building the map", || atlas::build(&home.join("atlas"), &args.geo))?;
    let mut writer = Writer::new();
    map.write(&mut writer);
    let path = args.output.clone().unwrap_or_else(|| home.join("maps").join(format!("{name}.toml")));
    input::write(&path, &writer.finish(), out)?;
    out.text(&report.to_string());
    Ok(())
}
