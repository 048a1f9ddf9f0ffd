//! Draws a built map: `cargo run -p atlas --example draw -- dagc out.png 48`.

use std::path::Path;

use atlas::draw::{DrawOptions, png, svg};
use board::Map;
use source::Source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, file, rest @ ..] = arguments.as_slice() else {
        return Err("draw MAP FILE [PIXELS]".into());
    };
    let hex = rest.first().map_or(Ok(48.0), |pixels| pixels.parse())?;
    let path = Path::new("data").join(name).join("maps").join(format!("{name}.toml"));
    let map = Map::parse(&Source::new(name.as_str(), std::fs::read_to_string(path)?), &[])?;
    let options = DrawOptions { hex, ..DrawOptions::default() };
    if file.ends_with(".svg") {
        std::fs::write(file, svg(&map, &options))?;
    } else {
        std::fs::write(file, png(&map, &options)?)?;
    }
    Ok(())
}
