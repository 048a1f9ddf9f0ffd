//! Maps drawn for people: the feel of a printed wargame map.
//!
//! The drawing is made from the [`Map`] alone. Shores, woods and rivers follow the hexes, but with a steady hand and
//! rounded corners; everything is placed by rules without chance, so that the same map is the same drawing.

mod fonts;
mod furniture;
mod ground;
mod lines;
mod names;
mod shapes;
mod signs;
mod style;
mod view;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use board::{Hex, Map};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use fonts::Font;
use names::Clutter;
use view::View;

/// What a drawing shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// Pixels from the centre of a hex to the centre of the next.
    pub hex: f64,
    /// Numbers in the hexes.
    pub numbers: bool,
    /// Names of places, rivers and countries.
    pub names: bool,
    /// Title, legend and scale below the map.
    pub furniture: bool,
    /// The fonts inside the drawing, so that it looks the same everywhere.
    pub fonts: bool,
}

impl Default for DrawOptions {
    fn default() -> Self {
        DrawOptions { hex: 48.0, numbers: true, names: true, furniture: true, fonts: true }
    }
}

/// Where the centre of a hex lies on the drawing, for whoever puts counters on it.
pub fn centre(map: &Map, options: &DrawOptions, hex: Hex) -> (f64, f64) {
    View::new(map, options).centre(hex).x_y()
}

/// Where everything lies on a drawing without furniture.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The width of the drawing.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The centres of all hexes.
    pub centres: Vec<(Hex, f64, f64)>,
}

/// Lays a map out as [`svg`] draws it.
pub fn layout(map: &Map, options: &DrawOptions) -> Layout {
    let view = View::new(map, options);
    let (width, height) = view.size().x_y();
    let centre = |hex: Hex| {
        let (x, y) = view.centre(hex).x_y();
        (hex, x, y)
    };
    Layout { width: width.round(), height: height.round(), centres: map.hexes().map(centre).collect() }
}

/// Draws a map as SVG.
pub fn svg(map: &Map, options: &DrawOptions) -> String {
    let view = View::new(map, options);
    let below = view.size().y;
    let height = if options.furniture { below + furniture::height(&view) } else { below };
    let mut out = head(&view, options, height);
    ground::paint(&view, &mut out);
    ground::partisans(&view, &mut out);
    ground::grid(&view, &mut out);
    signs::zones(&view, &mut out);
    signs::entries(&view, &mut out);
    lines::boundaries(&view, &mut out);
    let courses = lines::courses(&view);
    lines::straits(&view, &mut out);
    lines::rivers(&view, &courses, &mut out);
    lines::ways(&view, &mut out);
    lines::bridges(&view, &mut out);
    let mut clutter = Clutter::default();
    if options.names {
        names::realms(&view, &mut clutter, &mut out);
    }
    signs::draw(&view, &mut out);
    letter(&view, options, &courses, &mut clutter, &mut out);
    if options.furniture {
        furniture::draw(&view, below, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// Everything that is written on the map.
fn letter(
    view: &View<'_>,
    options: &DrawOptions,
    courses: &[lines::Course],
    clutter: &mut Clutter,
    out: &mut String,
) {
    if options.numbers {
        names::numbers(view, clutter, out);
    }
    if options.names {
        names::waters(view, clutter, out);
        names::places(view, clutter, out);
        names::rivers(view, courses, clutter, out);
    }
}

fn head(view: &View<'_>, options: &DrawOptions, height: f64) -> String {
    let width = view.size().x;
    let u = view.unit;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n<style>"
    );
    if options.fonts {
        for font in Font::ALL {
            let data = STANDARD.encode(font.bytes());
            let _ = write!(out, "@font-face{{{};src:url(data:font/ttf;base64,{data})}}", font.css());
        }
    }
    for font in Font::ALL {
        let _ = write!(out, ".{}{{{}}}", font.class(), font.css());
    }
    let _ = write!(out, "{}", style::sheet(u));
    let _ = write!(out, "</style>\n<defs>{}", style::DEFS);
    let _ = writeln!(
        out,
        "<pattern id=\"hatch\" width=\"{0:.1}\" height=\"{0:.1}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V{0:.1}\" stroke=\"#a5433d\" stroke-opacity=\".22\" stroke-width=\"{1:.1}\"/></pattern></defs>",
        0.2 * u,
        0.09 * u
    );
    let _ = write!(out, "<rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>");
    out
}

/// Draws a map as PNG, in the fonts that the program carries.
pub fn png(map: &Map, options: &DrawOptions) -> Result<Vec<u8>, String> {
    let drawing = svg(map, &DrawOptions { fonts: false, ..*options });
    let mut reading = Options::default();
    for font in Font::ALL {
        reading.fontdb_mut().load_font_data(font.bytes().to_vec());
    }
    let tree = Tree::from_str(&drawing, &reading).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| "the drawing is too large".to_owned())?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
