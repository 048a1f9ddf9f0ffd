//! The recipe of a map: which hexes there are, where they lie on the globe, and what counts on them.

use board::{Hex, Hexside, Map};
use geo::{Coord, coord};
use source::{Doc, Faults, Item, Source, Table, Writer};

use crate::register::Stiffness;

/// A recipe, read and sound.
pub(crate) struct Recipe {
    /// The map with no terrain but the first of its legend, and nothing on it.
    pub(crate) blank: Map,
    head: Head,
    pub(crate) projection: Projection,
    pub(crate) controls: Vec<Fixed>,
    pub(crate) water: Option<Water>,
    pub(crate) rivers: Vec<River>,
    pub(crate) layers: Vec<Layer>,
}

/// The part of a map file that the recipe tells outright.
struct Head {
    title: String,
    hexes: String,
    shifted: String,
    km: f64,
    form: String,
    row: (u16, String),
    col: (u16, String),
    /// Only rows with multiples of this number carry labels.
    printed: i64,
    letters: Vec<(String, String)>,
    rows: usize,
    columns: usize,
}

/// How the globe is laid on the hexes.
pub(crate) struct Projection {
    pub(crate) centre: Coord,
    pub(crate) fit: Fit,
}

/// Where the straight part of the registration comes from.
pub(crate) enum Fit {
    /// From the control points.
    Points(Stiffness),
    /// From one hex whose centre is known, the scale of the map and a turn.
    Frame { hex: Hex, at: Coord, turn: f64 },
}

/// A control point that the recipe gives, because the rulebook prints its hex.
pub(crate) struct Fixed {
    pub(crate) place: String,
    pub(crate) at: Coord,
    pub(crate) hex: Hex,
    pub(crate) case: String,
}

/// Which waters count.
pub(crate) struct Water {
    pub(crate) land: Vec<String>,
    pub(crate) lakes: Vec<String>,
    pub(crate) rivers: Vec<String>,
    /// Lakes that may cover hexes and hexsides.
    pub(crate) named: Vec<String>,
    /// Lakes of the source that are lagoons of the sea.
    pub(crate) sea: Vec<String>,
    /// How much of a hex water must cover to be its terrain.
    pub(crate) cover: f64,
    /// A land hex beside the sea that has at least so much of it is marked as `partial_sea`.
    pub(crate) partial: Option<f64>,
    /// Hexsides that are not all water, whatever geography says.
    pub(crate) open: Vec<Hexside>,
    /// True when the overlay lists every water hex and geography is only compared with it.
    pub(crate) listed: bool,
}

/// A river to snap to hexsides.
pub(crate) struct River {
    pub(crate) name: String,
    /// The names of its bed in the sources and in the overlay.
    pub(crate) beds: Vec<String>,
    pub(crate) from: Coord,
    pub(crate) begins: End,
    pub(crate) to: Coord,
    pub(crate) ends: End,
    /// Hexsides that it must not run along.
    pub(crate) avoid: Vec<Hexside>,
}

/// What a river begins or ends at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// A spring: anywhere on land.
    Spring,
    /// The edge of the map.
    Edge,
    /// The sea or a lake.
    Water,
    /// Another river.
    River(String),
}

/// What the overlay features of one kind become.
pub(crate) struct Layer {
    pub(crate) kind: String,
    /// Only features whose property has this value.
    pub(crate) only: Vec<(String, String)>,
    pub(crate) terrain: Option<String>,
    /// How much of a hex the outlines of a terrain must cover together.
    pub(crate) cover: f64,
    pub(crate) hex: Option<String>,
    pub(crate) side: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) area: bool,
    pub(crate) place: bool,
    /// False when the parts of the feature go without names.
    pub(crate) named: bool,
    /// Features are the sides between two areas, `A / B`.
    pub(crate) between: bool,
    /// Properties that, where true, become features of the hex themselves.
    pub(crate) flags: Vec<String>,
    /// The points hold the sheet when it is bent.
    pub(crate) control: bool,
    /// The points are compared with their hexes in the report.
    pub(crate) check: bool,
}

impl Recipe {
    /// Reads a recipe; every fault at once.
    pub(crate) fn read(source: &Source) -> Result<Recipe, Faults> {
        let doc = Doc::parse(source)?;
        let recipe = read(&doc.root());
        doc.finish(recipe)
    }

    /// The map with the given letters, one for each hex of the grid, and nothing on it yet.
    pub(crate) fn map(&self, letter: impl Fn(Hex) -> String) -> Result<Map, Faults> {
        self.head.map(|row, column| {
            let hex = self.blank.grid().at(row, column).filter(|&hex| self.blank.contains(hex));
            hex.map_or_else(|| "-".to_owned(), &letter)
        })
    }

    /// The terrain of land that nothing covers: the first dry one of the legend.
    pub(crate) fn open_ground(&self) -> &str {
        let mut names = self.head.letters.iter().map(|(_, name)| name.as_str());
        names.find(|name| !is_water(name)).unwrap_or_default()
    }

    /// The letter of a terrain.
    pub(crate) fn letter(&self, terrain: &str) -> Option<&str> {
        self.head.letters.iter().find(|(_, name)| name == terrain).map(|(letter, _)| letter.as_str())
    }
}

/// True for a terrain that nobody can stand on.
pub(crate) fn is_water(terrain: &str) -> bool {
    matches!(terrain, "sea" | "lake")
}

impl Head {
    /// Writes the map as its file would stand and reads it, so that board alone knows how maps are put together.
    fn map(&self, letter: impl Fn(usize, usize) -> String) -> Result<Map, Faults> {
        let rows = (0..self.rows).map(|row| {
            let letters: Vec<String> = (0..self.columns).map(|column| letter(row, column)).collect();
            letters.join(" ") + "\n"
        });
        let mut out = Writer::new();
        out.field("title", self.title.as_str());
        out.field("hexes", self.hexes.as_str());
        out.field("shifted", self.shifted.as_str());
        out.field("km", self.km);
        out.block("grid", &rows.collect::<String>());
        out.table("labels");
        out.field("form", self.form.as_str());
        for (key, (first, runs)) in [("row", &self.row), ("col", &self.col)] {
            out.raw(&format!("{key} = {{ first = {first}, runs = \"{runs}\" }}\n"));
        }
        if self.printed > 1 {
            out.field("printed", self.printed);
        }
        out.table("terrain");
        for (letter, name) in &self.letters {
            out.field(letter, name.as_str());
        }
        Map::parse(&Source::new(self.title.as_str(), out.finish()), &[])
    }
}

fn read(root: &Table<'_>) -> Option<Recipe> {
    let head = read_head(root)?;
    let blank = read_blank(root, &head)?;
    let projection = root.need("projection").and_then(|item| item.table());
    let projection = projection.and_then(|table| read_projection(&table, &blank));
    let controls = tables(root, "control", |table| read_control(table, &blank));
    let water = root.get("water").and_then(|item| item.table()).map(|table| read_water(&table, &blank));
    let rivers = tables(root, "river", |table| read_river(table, &blank));
    let layers = tables(root, "layer", |table| read_layer(table, &head));
    root.done();
    Some(Recipe { blank, head, projection: projection?, controls, water, rivers, layers })
}

/// Every table of a list of tables that may be absent.
fn tables<T>(root: &Table<'_>, key: &str, read: impl Fn(&Table<'_>) -> Option<T>) -> Vec<T> {
    let tables = root.get(key).map(|item| item.tables()).unwrap_or_default();
    tables.iter().filter_map(read).collect()
}

fn text(table: &Table<'_>, key: &str) -> Option<String> {
    table.need(key)?.str().map(str::to_owned)
}

fn optional_text(table: &Table<'_>, key: &str) -> Option<String> {
    table.get(key)?.str().map(str::to_owned)
}

fn flag(table: &Table<'_>, key: &str) -> bool {
    table.get(key).and_then(|item| item.bool()).unwrap_or(false)
}

fn texts(table: &Table<'_>, key: &str) -> Vec<String> {
    let items = table.get(key).map(|item| item.items()).unwrap_or_default();
    items.iter().filter_map(|item| item.str().map(str::to_owned)).collect()
}

fn read_head(root: &Table<'_>) -> Option<Head> {
    let title = text(root, "title");
    let hexes = text(root, "hexes");
    let shifted = text(root, "shifted");
    let km = root.need("km").and_then(|item| item.float());
    let rows = root.need("rows").and_then(|item| item.int(1..=200));
    let columns = root.need("columns").and_then(|item| item.int(1..=200));
    let labels = root.need("labels").and_then(|item| item.table());
    let (form, row, col, printed) = labels.and_then(|table| read_labels(&table))?;
    let letters = root.need("terrain").and_then(|item| item.table())?;
    let letters: Vec<_> = letters
        .rest()
        .iter()
        .filter_map(|(letter, name)| Some(((*letter).to_owned(), name.str()?.to_owned())))
        .collect();
    Some(Head {
        title: title?,
        hexes: hexes?,
        shifted: shifted?,
        km: km?,
        form,
        row,
        col,
        printed,
        letters,
        rows: rows?,
        columns: columns?,
    })
}

type Count = (u16, String);

fn read_labels(table: &Table<'_>) -> Option<(String, Count, Count, i64)> {
    let count = |key: &str| {
        let count = table.need(key)?.table()?;
        let first = count.need("first").and_then(|item| item.int(0..=9999));
        let runs = text(&count, "runs");
        count.done();
        Some((first?, runs?))
    };
    let (form, row, col) = (text(table, "form"), count("row"), count("col"));
    let printed = table.get("printed").map_or(Some(1), |item| item.int(1..=100));
    table.done();
    Some((form?, row?, col?, printed?))
}

/// The blank map: first with every hex, because only then the labels of absent ones can be read.
fn read_blank(root: &Table<'_>, head: &Head) -> Option<Map> {
    let Some((letter, _)) = head.letters.first() else {
        root.fault("the recipe names no terrain");
        return None;
    };
    let made = |result: Result<Map, Faults>| result.map_err(|faults| root.doc().add(faults)).ok();
    let full = made(head.map(|_, _| letter.clone()))?;
    let absent = root.get("absent").map(|item| read_hexes(&item, &full)).unwrap_or_default();
    made(head.map(|row, column| {
        let there = full.grid().at(row, column).is_some_and(|hex| !absent.contains(&hex));
        if there { letter.clone() } else { "-".to_owned() }
    }))
}

/// Hexes by label and range.
pub(crate) fn read_hexes(item: &Item<'_>, map: &Map) -> Vec<Hex> {
    item.words().iter().filter_map(|word| word.parse(|text| parse_hexes(map, text))).flatten().collect()
}

/// One hex, or a range of them.
pub(crate) fn parse_hexes(map: &Map, text: &str) -> Result<Vec<Hex>, String> {
    match text.split_once("..") {
        Some((a, b)) => map.range_between(map.hex(a)?, map.hex(b)?),
        None => Ok(vec![map.hex(text)?]),
    }
}

/// The hexside between two labels, `A/B`.
pub(crate) fn parse_side(map: &Map, text: &str) -> Result<(Hex, Hex), String> {
    let (a, b) = text.split_once('/').ok_or_else(|| format!("`{text}` is not a hexside A/B"))?;
    let (a, b) = (map.hex(a)?, map.hex(b)?);
    if map.grid().adjacent(a, b) { Ok((a, b)) } else { Err(format!("{text}: the hexes are not adjacent")) }
}

/// Hexsides by the labels of their hexes.
pub(crate) fn read_sides(item: &Item<'_>, map: &Map) -> Vec<(Hex, Hex)> {
    item.words().iter().filter_map(|word| word.parse(|text| parse_side(map, text))).collect()
}

fn read_hex(table: &Table<'_>, key: &str, map: &Map) -> Option<Hex> {
    table.need(key)?.parse(|label| map.hex(label))
}

/// `[longitude, latitude]`
fn read_lonlat(table: &Table<'_>, key: &str) -> Option<Coord> {
    let item = table.need(key)?;
    let numbers: Vec<f64> = item.items().iter().filter_map(Item::float).collect();
    match numbers[..] {
        [x, y] if (-180.0..=180.0).contains(&x) && (-90.0..=90.0).contains(&y) => Some(coord! { x: x, y: y }),
        _ => {
            item.fault("expected [longitude, latitude] in degrees");
            None
        }
    }
}

fn read_projection(table: &Table<'_>, map: &Map) -> Option<Projection> {
    let centre = read_lonlat(table, "centre");
    let fit = table.need("fit").and_then(|item| item.one_of(&["similarity", "affine", "frame"]));
    let fit = match fit? {
        0 => Some(Fit::Points(Stiffness::Similarity)),
        1 => Some(Fit::Points(Stiffness::Affine)),
        _ => read_frame(table, map),
    };
    table.done();
    Some(Projection { centre: centre?, fit: fit? })
}

fn read_frame(table: &Table<'_>, map: &Map) -> Option<Fit> {
    let (hex, at) = (read_hex(table, "hex", map), read_lonlat(table, "at"));
    let turn = table.need("turn").and_then(|item| item.float());
    Some(Fit::Frame { hex: hex?, at: at?, turn: turn? })
}

fn read_control(table: &Table<'_>, map: &Map) -> Option<Fixed> {
    let (place, at, hex) = (text(table, "place"), read_lonlat(table, "at"), read_hex(table, "hex", map));
    let case = text(table, "case");
    table.done();
    Some(Fixed { place: place?, at: at?, hex: hex?, case: case? })
}

/// A share between 0 and 1.
fn share(table: &Table<'_>, key: &str) -> Option<f64> {
    let item = table.get(key)?;
    let share = item.float()?;
    if (0.0..=1.0).contains(&share) {
        return Some(share);
    }
    item.fault("expected a share between 0 and 1");
    None
}

/// What covers a hex covers at least half of it, if the recipe says nothing else.
const HALF: f64 = 0.5;

fn read_water(table: &Table<'_>, map: &Map) -> Water {
    let water = Water {
        land: texts(table, "land"),
        lakes: texts(table, "lakes"),
        rivers: texts(table, "rivers"),
        named: texts(table, "named"),
        sea: texts(table, "sea"),
        cover: share(table, "cover").unwrap_or(HALF),
        partial: share(table, "partial"),
        open: hexsides(table, "open", map),
        listed: flag(table, "listed"),
    };
    table.done();
    water
}

fn hexsides(table: &Table<'_>, key: &str, map: &Map) -> Vec<Hexside> {
    let pairs = table.get(key).map(|item| read_sides(&item, map)).unwrap_or_default();
    pairs.into_iter().filter_map(|(a, b)| map.grid().side(a, b)).collect()
}

fn read_river(table: &Table<'_>, map: &Map) -> Option<River> {
    let name = text(table, "name");
    let beds = texts(table, "beds");
    let (from, to) = (read_lonlat(table, "from"), read_lonlat(table, "to"));
    let end = |key: &str| {
        Some(match table.need(key)?.str()? {
            "spring" => End::Spring,
            "edge" => End::Edge,
            "water" => End::Water,
            river => End::River(river.to_owned()),
        })
    };
    let (begins, ends) = (end("begins"), end("ends"));
    let avoid = hexsides(table, "avoid", map);
    table.done();
    Some(River { name: name?, beds, from: from?, begins: begins?, to: to?, ends: ends?, avoid })
}

fn read_layer(table: &Table<'_>, head: &Head) -> Option<Layer> {
    let kind = text(table, "kind");
    let terrain = table.get("terrain").and_then(|item| read_terrain(&item, head));
    let only = table.get("where").and_then(|item| item.table()).map(|only| read_only(&only));
    let layer = Layer {
        kind: kind?,
        only: only.unwrap_or_default(),
        terrain,
        cover: share(table, "cover").unwrap_or(HALF),
        hex: optional_text(table, "hex"),
        side: optional_text(table, "side"),
        link: optional_text(table, "link"),
        area: flag(table, "area"),
        place: flag(table, "place"),
        named: table.get("named").and_then(|item| item.bool()).unwrap_or(true),
        between: flag(table, "between"),
        flags: texts(table, "flags"),
        control: flag(table, "control"),
        check: flag(table, "check"),
    };
    table.done();
    Some(layer)
}

fn read_terrain(item: &Item<'_>, head: &Head) -> Option<String> {
    let name = item.str()?;
    if head.letters.iter().any(|(_, known)| known == name) {
        return Some(name.to_owned());
    }
    item.fault(format!("no letter stands for the terrain `{name}`"));
    None
}

fn read_only(table: &Table<'_>) -> Vec<(String, String)> {
    let pairs = table.rest();
    pairs.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value.str()?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
title = "Small"
hexes = "points-up"
shifted = "even"
km = 10.0
rows = 3
columns = 4
absent = "0401"
[labels]
form = "{col:2}{row:2}"
row = { first = 1, runs = "south" }
col = { first = 1, runs = "east" }
[terrain]
"." = "clear"
[projection]
centre = [20.0, 50.0]
fit = "similarity"
"#;

    #[test]
    fn a_recipe_makes_a_blank_map() {
        let recipe = Recipe::read(&Source::new("r.toml", SMALL)).unwrap();
        assert_eq!(recipe.blank.hexes().count(), 11);
        assert!(recipe.blank.hex("0401").is_err());
        assert_eq!(recipe.letter("clear"), Some("."));
    }

    #[test]
    fn a_control_point_off_the_map_is_told_with_its_line() {
        let text = format!(
            "{SMALL}[[control]]\nplace = \"Away\"\nat = [20.0, 50.0]\nhex = \"0909\"\ncase = \"1\"\n"
        );
        let faults = Recipe::read(&Source::new("r.toml", text)).err().unwrap();
        assert_eq!(faults.to_string(), "r.toml:21: control[0].hex: there is no hex 0909 on this map");
    }

    #[test]
    fn all_faults_at_once() {
        let text =
            SMALL.replace("km = 10.0", "km = \"far\"").replace("fit = \"similarity\"", "fit = \"loose\"");
        let faults = Recipe::read(&Source::new("r.toml", text)).err().unwrap();
        assert!(faults.to_string().contains("r.toml:5: km"), "{faults}");
    }
}
