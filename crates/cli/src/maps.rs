//! `map`: a map for people and programs.

use crate::args::Map;
use crate::library::Library;
use crate::output::{Failure, Out, STRONG, Styled};
use crate::terminal;

pub(crate) fn map(args: &Map, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (volume, name) = library.split(&args.map)?;
    let map = volume.rulebook.map(&volume.data, name)?;
    out.line(format_args!("{}: {} hexes", Styled(STRONG, &map.title), map.hexes().count()));
    terminal::write_map(&map, None, out);
    Ok(())
}
