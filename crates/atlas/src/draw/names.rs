//! Names, set where they fit.

use std::fmt::Write;

use board::Hex;
use geo::{Coord, Rect, coord};

use super::fonts::Font;
use super::lines::Course;
use super::shapes::{length, path};
use super::style::ZONES;
use super::view::View;

/// What has been drawn already and should not be covered, each with how much it matters.
#[derive(Default)]
pub(crate) struct Clutter {
    taken: Vec<(Rect, f64)>,
}

/// How much a name matters that is set already.
const NAME: f64 = 12.0;

impl Clutter {
    /// Marks a rectangle about a point as taken.
    pub(crate) fn take(&mut self, centre: Coord, half: Coord, weight: f64) {
        self.taken.push((Rect::new(centre - half, centre + half), weight));
    }

    /// How much a rectangle would cover; to touch a name at all counts as much as to cover a fifth of it.
    fn cost(&self, rect: &Rect) -> f64 {
        let one = |(taken, weight): &(Rect, f64)| {
            let shared = overlap(taken, rect);
            let touched = shared > 0.0 && *weight >= NAME;
            weight * if touched { shared + 0.2 * taken.width() * taken.height() } else { shared }
        };
        self.taken.iter().map(one).sum()
    }

    /// True when letters of a size along a line would stand on a name.
    fn names_along(&self, line: &[Coord], size: f64) -> bool {
        let half = coord! { x: 0.3 * size, y: 0.4 * size };
        let mut names = self.taken.iter().filter(|(_, weight)| *weight >= NAME);
        names.any(|(name, _)| line.iter().any(|&at| overlap(name, &Rect::new(at - half, at + half)) > 0.0))
    }
}

/// The area that two rectangles share.
fn overlap(a: &Rect, b: &Rect) -> f64 {
    let wide = a.max().x.min(b.max().x) - a.min().x.max(b.min().x);
    let high = a.max().y.min(b.max().y) - a.min().y.max(b.min().y);
    wide.max(0.0) * high.max(0.0)
}

/// Text with a pale edge, so that it can be read over anything.
pub(crate) fn lettering(out: &mut String, text: &str, at: Coord, size: f64, font: Font, class: &str) {
    let text = escaped(text);
    for layer in ["halo", class] {
        let _ = write!(
            out,
            "<text class=\"{} {layer}\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\">{text}</text>",
            font.class(),
            at.x,
            at.y
        );
    }
}

/// Text that XML can carry.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A place that wants its name set.
struct Label<'m> {
    name: &'m str,
    hex: Hex,
    font: Font,
    size: f64,
    /// How far the sign reaches from the centre.
    reach: f64,
}

/// Writes the names of places beside their signs.
pub(crate) fn places(view: &View<'_>, clutter: &mut Clutter, out: &mut String) {
    for (place, at) in set_places(view, clutter) {
        lettering(out, place.name, at, place.size, place.font, "");
    }
}

/// Finds room for the names of places, the greatest first: each with the middle of its baseline.
fn set_places<'m>(view: &View<'m>, clutter: &mut Clutter) -> Vec<(Label<'m>, Coord)> {
    let dry = view.map.places().filter(|(_, hex)| !is_water(view, *hex));
    let mut places: Vec<Label<'m>> = dry.map(|(name, hex)| place(view, name, hex)).collect();
    places.sort_by(|a, b| b.size.total_cmp(&a.size));
    for place in &places {
        clutter.take(view.centre(place.hex), coord! { x: place.reach, y: place.reach }, 8.0);
    }
    let settle = |place: Label<'m>| {
        let costs = spots(view, &place).into_iter().map(|(at, rect, dislike)| {
            let covered = clutter.cost(&rect) / (view.unit * view.unit);
            (covered + dislike + overhang(view, &rect) + outside(view, &rect), at, rect)
        });
        let (_, at, rect) = costs.min_by(|a, b| a.0.total_cmp(&b.0))?;
        clutter.taken.push((rect, NAME));
        Some((place, at))
    };
    places.into_iter().filter_map(settle).collect()
}

fn place<'m>(view: &View<'_>, name: &'m str, hex: Hex) -> Label<'m> {
    let is = |feature: &str| view.map.hexes_with(feature).has(hex);
    let u = view.unit;
    let (font, size, reach) = if is("city") || is("industry") {
        (Font::Bold, 0.34 * u, 0.28 * u)
    } else if matches!(view.terrain(hex), "town" | "city" | "minor_city" | "major_city") {
        (Font::Bold, 0.32 * u, 0.3 * u)
    } else if view.terrain(hex) == "village" || is("village") {
        (Font::Serif, 0.24 * u, 0.15 * u)
    } else {
        (Font::Serif, 0.3 * u, 0.15 * u)
    };
    Label { name, hex, font, size, reach }
}

fn is_water(view: &View<'_>, hex: Hex) -> bool {
    matches!(view.terrain(hex), "sea" | "lake")
}

/// Sets the names of seas and lakes about the middle of their hexes: a sea's in one line, a lake's word by word.
pub(crate) fn waters(view: &View<'_>, clutter: &mut Clutter, out: &mut String) {
    for (name, hex) in view.map.places().filter(|(_, hex)| is_water(view, *hex)) {
        let lake = view.terrain(hex) == "lake";
        let mut around = view.map.grid().range(hex, 2).filter(|&near| view.map.contains(near));
        let size = match around.all(|near| view.terrain(near) == "sea") {
            true => 0.85,
            false if lake => 0.25,
            false => 0.4,
        } * view.unit;
        let lines: Vec<&str> = if lake { name.split(' ').collect() } else { vec![name] };
        for (i, line) in lines.iter().enumerate() {
            let down = (i as f64 - (lines.len() - 1) as f64 / 2.0) * 1.05 * size;
            let at = view.centre(hex) + coord! { x: 0.0, y: down };
            open_water(out, line, at, size);
            clutter.take(at, coord! { x: spaced_width(line, size) / 2.0, y: size / 2.0 }, 10.0);
        }
    }
}

/// One line of a water's name about a point.
fn open_water(out: &mut String, line: &str, at: Coord, size: f64) {
    let _ = write!(
        out,
        "<text class=\"i blue\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" letter-spacing=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        at.x,
        at.y + 0.25 * size,
        0.08 * size,
        escaped(line)
    );
}

/// A label that leaves the map would be cut off.
fn outside(view: &View<'_>, rect: &Rect) -> f64 {
    let within = rect.min().x > view.low.x
        && rect.max().x < view.high.x
        && rect.min().y > view.low.y
        && rect.max().y < view.high.y;
    if within { 0.0 } else { 50.0 }
}

/// A label that crosses the edge of the map is hard to read.
fn overhang(view: &View<'_>, rect: &Rect) -> f64 {
    let (low, high) = (rect.min(), rect.max());
    let corners = [low, high, coord! { x: low.x, y: high.y }, coord! { x: high.x, y: low.y }];
    0.4 * corners.into_iter().filter(|&corner| !view.on_map(corner)).count() as f64
}

/// Where a name could stand about its sign, with how much one would rather not.
fn spots(view: &View<'_>, place: &Label<'_>) -> Vec<(Coord, Rect, f64)> {
    let wide = place.font.width(place.name, place.size);
    let high = place.size * 0.72;
    let at = view.centre(place.hex);
    let (side, up) =
        (place.reach + wide / 2.0 + 0.05 * view.unit, place.reach + high / 2.0 + 0.05 * view.unit);
    let ways = [
        (0.0, 1.0, 0.0),
        (1.0, 0.0, 0.02),
        (-1.0, 0.0, 0.04),
        (0.0, -1.0, 0.06),
        (0.75, 0.75, 0.05),
        (-0.75, 0.75, 0.06),
        (0.75, -0.75, 0.07),
        (-0.75, -0.75, 0.08),
        (0.4, 1.0, 0.03),
        (-0.4, 1.0, 0.03),
        (0.4, -1.0, 0.08),
        (-0.4, -1.0, 0.08),
        (0.0, 1.6, 0.3),
        (0.0, -1.6, 0.35),
    ];
    ways.into_iter()
        .map(|(x, y, dislike)| {
            let middle = at + coord! { x: x * side, y: y * up };
            let half = coord! { x: wide / 2.0 + 0.07 * view.unit, y: high / 2.0 + 0.02 * view.unit };
            let baseline = middle + coord! { x: 0.0, y: high * 0.46 };
            (baseline, Rect::new(middle - half, middle + half), dislike)
        })
        .collect()
}

/// Sets the names of rivers along their courses, again after a long stretch.
pub(crate) fn rivers(view: &View<'_>, courses: &[Course], clutter: &mut Clutter, out: &mut String) {
    let mut set: Vec<(&str, Coord)> = Vec::new();
    for (i, course) in courses.iter().enumerate() {
        let longest = courses.iter().filter(|c| c.name == course.name).map(|c| c.length).max().unwrap_or(0);
        if course.name.is_empty() || course.length < 4 || (course.length < 9 && course.length < longest) {
            continue;
        }
        let times = 1 + course.length / 26;
        let size = if course.length > 18 { 0.3 * view.unit } else { 0.26 * view.unit };
        let need = 1.1 * spaced_width(&course.name, size);
        let share = course.line.len() / times;
        for k in 0..times {
            let stretch = &course.line[k * share..((k + 1) * share).min(course.line.len())];
            // The letters stand on the line.
            let rise = coord! { x: 0.0, y: -0.55 * size };
            let Some(line) = calmest(stretch, need, rise, clutter) else { continue };
            let middle = line[line.len() / 2];
            let near = |&(name, at): &(&str, Coord)| {
                name == course.name && far(at, middle) < (7.0 * view.unit).powi(2)
            };
            let letters: Vec<Coord> = line.iter().map(|&at| at + rise).collect();
            if set.iter().any(near) || clutter.names_along(&letters, size) {
                continue;
            }
            set.push((&course.name, middle));
            along(out, &format!("r{i}-{k}"), &line, &course.name, size);
            for point in line.iter().step_by(2) {
                clutter.take(*point + rise, coord! { x: size * 0.5, y: size * 0.6 }, 10.0);
            }
        }
    }
}

/// How wide a river's name is, with the space between its letters.
fn spaced_width(name: &str, size: f64) -> f64 {
    Font::Italic.width(name, size) + SPACING * size * name.chars().count() as f64
}

/// The space between the letters of a river's name, in sizes of the letters.
const SPACING: f64 = 0.06;

/// The straightest and emptiest piece of a line of that length, running from left to right.
fn calmest(line: &[Coord], need: f64, rise: Coord, clutter: &Clutter) -> Option<Vec<Coord>> {
    let piece = |from: usize| -> Option<Vec<Coord>> {
        let mut to = from + 1;
        while to <= line.len() && length(&line[from..to]) < need {
            to += 1;
        }
        (to <= line.len()).then(|| line[from..to].to_vec())
    };
    let unrest = |piece: &Vec<Coord>| {
        let (first, last) = (piece[0], piece[piece.len() - 1]);
        let direct = (last.x - first.x).hypot(last.y - first.y).max(1.0);
        let steep = (last.y - first.y).abs() / direct;
        let half = coord! { x: need / 9.0, y: need / 9.0 };
        let crowd: f64 =
            piece.iter().map(|&p| clutter.cost(&Rect::new(p + rise - half, p + rise + half))).sum();
        6.0 * need / direct + 0.6 * steep + 14.0 * crowd / (need * need)
    };
    let mut best = (0..line.len()).filter_map(piece).min_by(|a, b| unrest(a).total_cmp(&unrest(b)))?;
    if best[0].x > best[best.len() - 1].x {
        best.reverse();
    }
    Some(calmed(&best))
}

/// A line with its wriggles taken out, for letters to stand on.
fn calmed(line: &[Coord]) -> Vec<Coord> {
    let mut line = line.to_vec();
    for _ in 0..12 {
        let before = line.clone();
        for i in 1..line.len().saturating_sub(1) {
            line[i] = (before[i - 1] + before[i] * 2.0 + before[i + 1]) / 4.0;
        }
    }
    line
}

/// Text along a line, a little above it.
fn along(out: &mut String, id: &str, line: &[Coord], text: &str, size: f64) {
    let _ = write!(out, "<path id=\"{id}\" fill=\"none\" d=\"{}\"/>", path(line, false));
    for layer in ["halo", "blue"] {
        let _ = write!(
            out,
            "<text class=\"i {layer}\" font-size=\"{size:.1}\" letter-spacing=\"{:.1}\" dy=\"{:.1}\"><textPath href=\"#{id}\" startOffset=\"50%\" text-anchor=\"middle\">{}</textPath></text>",
            SPACING * size,
            -0.3 * size,
            escaped(text)
        );
    }
}

/// Numbers in the hexes, at their tops.
pub(crate) fn numbers(view: &View<'_>, clutter: &mut Clutter, out: &mut String) {
    let size = 0.17 * view.unit;
    let _ = write!(out, "<g class=\"n number\" font-size=\"{size:.1}\" text-anchor=\"middle\">");
    for hex in view.map.hexes().filter(|&hex| view.map.prints_label(hex)) {
        let at = view.centre(hex) - coord! { x: 0.0, y: top(view) - 0.2 * view.unit };
        let _ =
            write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", at.x, at.y, escaped(&view.map.label(hex)));
        let middle = at - coord! { x: 0.0, y: size * 0.35 };
        clutter.take(middle, coord! { x: 0.2 * view.unit, y: 0.08 * view.unit }, 1.5);
    }
    out.push_str("</g>");
}

/// From the centre of a hex to its top.
fn top(view: &View<'_>) -> f64 {
    match view.grid().orientation() {
        board::Orientation::PointsUp => 0.577 * view.unit,
        board::Orientation::FlatTop => 0.5 * view.unit,
    }
}

/// Names of countries, where their own land has room for them.
pub(crate) fn realms(view: &View<'_>, clutter: &mut Clutter, out: &mut String) {
    let mut towns = Clutter::default();
    for (_, hex) in view.map.places() {
        towns.take(view.centre(hex), coord! { x: 0.3 * view.unit, y: 0.3 * view.unit }, 1.0);
    }
    let borders: Vec<&str> = view.map.part_names("border");
    for (name, layer) in view.map.areas() {
        let is_realm = borders.iter().any(|border| border.split('/').any(|realm| realm.trim() == name));
        if is_realm || ZONES.contains(&name) {
            let hexes: Vec<Hex> = layer.hexes().collect();
            let Some((at, half)) = realm(view, name, &hexes, &towns, out) else { continue };
            towns.take(at, half, 1.0);
            clutter.take(at, half, 2.0);
        }
    }
}

/// Sets one country's name as large as its land allows; tells its middle and half its size.
fn realm(
    view: &View<'_>,
    name: &str,
    hexes: &[Hex],
    towns: &Clutter,
    out: &mut String,
) -> Option<(Coord, Coord)> {
    let words: Vec<String> = name.to_uppercase().split(' ').map(str::to_owned).collect();
    let widest = words.iter().map(|word| realm_width(view, word)).fold(0.0, f64::max);
    let high = 0.5 * words.len() as f64;
    let sum = hexes.iter().fold(coord! { x: 0.0, y: 0.0 }, |sum, &hex| sum + view.centre(hex));
    let middle = sum / hexes.len().max(1) as f64;
    let reach = (hexes.len() as f64).sqrt() * view.unit;
    let sizes = (0..9).map(|i| (0.9 - 0.08 * f64::from(i)) * view.unit);
    let half_a_hex = coord! { x: 0.5 * view.unit, y: 0.0 };
    let middles = |hex: &Hex| [view.centre(*hex), view.centre(*hex) - half_a_hex];
    let spots = sizes.flat_map(|size| hexes.iter().flat_map(middles).map(move |at| (size, at)));
    let best = spots.map(|(size, at)| {
        let half = coord! { x: widest * size / 2.0, y: high * size };
        let rect = Rect::new(at - half, at + half);
        let covered = towns.cost(&rect) / (view.unit * view.unit);
        let abroad = abroad(view, hexes, &rect);
        let astray = far(at, middle).sqrt() / reach;
        let dislike = abroad + 12.0 * covered + astray + outside(view, &rect) - 1.5 * size / view.unit;
        (dislike, size, at, half)
    });
    let (_, size, at, half) = best.min_by(|a, b| a.0.total_cmp(&b.0))?;
    for (i, word) in words.iter().enumerate() {
        let down = (i as f64 - (words.len() - 1) as f64 / 2.0) * 1.02 * size + 0.33 * size;
        let _ = write!(
            out,
            "<text class=\"b realm\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" letter-spacing=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            at.x,
            at.y + down,
            REALM_SPACING * size,
            escaped(word)
        );
    }
    Some((at, half))
}

/// The space between the letters of a country's name, in sizes of the letters.
const REALM_SPACING: f64 = 0.22;

/// How wide a word of a country's name is at size 1.
fn realm_width(view: &View<'_>, word: &str) -> f64 {
    Font::Bold.width(word, view.unit) / view.unit + REALM_SPACING * word.chars().count() as f64
}

/// How many of the points of a rectangle lie outside of these hexes.
fn abroad(view: &View<'_>, hexes: &[Hex], rect: &Rect) -> f64 {
    let near = (0.56 * view.unit).powi(2);
    let points = (0..=8).flat_map(|i| [0.25, 0.75].map(|y| (f64::from(i) / 8.0, y)));
    let places = points.map(|(x, y)| rect.min() + coord! { x: x * rect.width(), y: y * rect.height() });
    let lost = places.filter(|&place| !hexes.iter().any(|&hex| far(view.centre(hex), place) < near));
    lost.count() as f64 * 0.7
}

fn far(a: Coord, b: Coord) -> f64 {
    (a.x - b.x).powi(2) + (a.y - b.y).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::DrawOptions;
    use board::Map;
    use source::Source;

    #[test]
    fn names_of_places_do_not_overlap() {
        let games = ["bite/games/radzymin", "bite/games/uman", "ocs/games/orel", "ocs/games/kerch"];
        for folder in ["dagc", "bug", "barbarossa"].into_iter().chain(games) {
            let name = folder.rsplit('/').next().unwrap();
            let path = format!("{}/../../data/{folder}/maps/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let map = Map::parse(&Source::new(name, std::fs::read_to_string(path).unwrap()), &[]).unwrap();
            let view = View::new(&map, &DrawOptions::default());
            let mut clutter = Clutter::default();
            let set = set_places(&view, &mut clutter);
            let names: Vec<Rect> =
                clutter.taken.iter().filter(|(_, weight)| *weight >= NAME).map(|(rect, _)| *rect).collect();
            assert!(set.len() > 30 && set.len() == names.len());
            for (i, one) in names.iter().enumerate() {
                assert_eq!(outside(&view, one), 0.0, "{name}: {}", set[i].0.name);
                for (k, other) in names[..i].iter().enumerate() {
                    assert_eq!(overlap(one, other), 0.0, "{name}: {} and {}", set[i].0.name, set[k].0.name);
                }
            }
        }
    }
}
