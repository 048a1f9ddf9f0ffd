//! Reading a map: see `docs/map-format.md`.

use source::{Item, Table};

use crate::map::{Legend, Terrain};
use crate::{Grid, Hex, Labels, Map, Numbering, Orientation, Shifted};

impl Map {
    /// Reads a map; the letters of the rulebook's terrain chart come with their terrains.
    ///
    /// Faults go to the document. A map may be returned beside them, so that what else is told about it can still
    /// be checked.
    pub fn read(table: &Table<'_>, legend: &[(&str, &str)]) -> Option<Map> {
        let title = table.get("title").and_then(|title| title.str());
        let km = table.get("km").and_then(|km| read_km(&km));
        let orientation = read_orientation(table);
        let shifted = read_shifted(table);
        let legend = read_legend(table.get("terrain"), legend);
        let labels = table.get("labels");
        let overlays = Overlays::of(table);
        let picture = table.need("grid");
        table.done();

        let (grid, terrain) = read_picture(&picture?, &legend, orientation?, shifted?)?;
        let labels = read_labels(labels, grid)?;
        let mut map = Map::new(grid, labels, legend, terrain);
        map.title = title.unwrap_or_default().to_owned();
        map.km = km;
        overlays.lay_over(&mut map);
        Some(map)
    }
}

fn read_orientation(table: &Table<'_>) -> Option<Orientation> {
    let Some(item) = table.get("hexes") else { return Some(Orientation::PointsUp) };
    let kinds = [Orientation::PointsUp, Orientation::FlatTop];
    item.one_of(&["points-up", "flat-top"]).map(|place| kinds[place])
}

fn read_shifted(table: &Table<'_>) -> Option<Shifted> {
    let Some(item) = table.get("shifted") else { return Some(Shifted::Even) };
    item.one_of(&["odd", "even"]).map(|place| [Shifted::Odd, Shifted::Even][place])
}

fn read_km(item: &Item<'_>) -> Option<f64> {
    let km = item.float()?;
    if km <= 0.0 {
        item.fault(format!("expected a number above 0, found {km}"));
    }
    Some(km)
}

fn read_legend(item: Option<Item<'_>>, given: &[(&str, &str)]) -> Legend {
    let mut legend = Legend::given(given);
    let Some(table) = item.and_then(|item| item.table()) else { return legend };
    for (letter, item) in table.rest() {
        item.parse(|name| legend.add(letter, name));
    }
    legend
}

/// The size of the map and what lies where.
fn read_picture(
    item: &Item<'_>,
    legend: &Legend,
    orientation: Orientation,
    shifted: Shifted,
) -> Option<(Grid, Vec<Option<Terrain>>)> {
    let rows = split_rows(item)?;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let (lines, width) = match orientation {
        Orientation::PointsUp => (rows.len(), columns),
        Orientation::FlatTop => (columns, rows.len()),
    };
    let Some(grid) = Grid::new(lines, width, orientation, shifted) else {
        let limit = Grid::LIMIT;
        let found = rows.len();
        item.fault(format!(
            "expected 1 to {limit} rows of 1 to {limit} hexes, found {found} rows of {columns}"
        ));
        return None;
    };
    check_lengths(&rows);
    let mut terrain = vec![None; grid.len()];
    for (row, words) in rows.iter().enumerate() {
        for (column, letter) in words.iter().enumerate() {
            if let Some(hex) = grid.at(row, column) {
                terrain[grid.index(hex)] = read_letter(letter, legend);
            }
        }
    }
    Some((grid, terrain))
}

/// The words of the picture, row by row, blank lines left out.
fn split_rows<'d>(item: &Item<'d>) -> Option<Vec<Vec<Item<'d>>>> {
    let text = item.str()?;
    let mut words = item.words().into_iter();
    let lengths = text.lines().map(|line| line.split_whitespace().count()).filter(|&length| length > 0);
    Some(lengths.map(|length| words.by_ref().take(length).collect()).collect())
}

/// All rows must be as long as the first.
fn check_lengths(rows: &[Vec<Item<'_>>]) {
    let expected = rows.first().map_or(0, Vec::len);
    for (place, row) in rows.iter().enumerate() {
        if let Some(word) = row.first().filter(|_| row.len() != expected) {
            let (row, found) = (place + 1, row.len());
            word.fault(format!("row {row} has {found} hexes, expected {expected} as in the first row"));
        }
    }
}

fn read_letter(item: &Item<'_>, legend: &Legend) -> Option<Terrain> {
    let letter = item.str()?;
    if letter == "-" {
        return None;
    }
    let terrain = legend.terrain(letter);
    if terrain.is_none() {
        let known: Vec<&str> = legend.letters().collect();
        item.fault(format!("unknown letter `{letter}`; expected one of {} or -", known.join(" ")));
    }
    // The hex is there all the same: faults of what lies on it would only repeat this one.
    terrain.or(Some(Terrain(0)))
}

fn read_labels(item: Option<Item<'_>>, grid: Grid) -> Option<Labels> {
    let Some(item) = item else {
        return Some(Labels::plain(grid, Numbering::default(), Numbering::default(), 1));
    };
    let table = item.table()?;
    let row = read_numbering(table.get("row"), ["south", "north"]);
    let column = read_numbering(table.get("col"), ["east", "west"]);
    let printed = table.get("printed").map_or(Some(1), |printed| printed.int(1..=100));
    let form = table.get("form");
    table.done();
    let (row, column, printed) = (row?, column?, printed?);
    match form {
        Some(form) => form.parse(|form| Labels::new(grid, form, row, column, printed)),
        None => Some(Labels::plain(grid, row, column, printed)),
    }
}

fn read_numbering(item: Option<Item<'_>>, ways: [&str; 2]) -> Option<Numbering> {
    let Some(item) = item else { return Some(Numbering::default()) };
    let table = item.table()?;
    let first = table.get("first").map_or(Some(1), |first| first.int(0..=Numbering::LIMIT));
    let way = table.get("runs").map_or(Some(0), |runs| runs.one_of(&ways));
    table.done();
    Some(Numbering { first: first?, backward: way? == 1 })
}

/// What lies on the hexes, told by their labels, and so read when the labels are known.
struct Overlays<'d> {
    edges: Option<Item<'d>>,
    hex: Option<Item<'d>>,
    side: Option<Item<'d>>,
    link: Option<Item<'d>>,
    area: Option<Item<'d>>,
    place: Option<Item<'d>>,
}

impl<'d> Overlays<'d> {
    fn of(table: &Table<'d>) -> Self {
        Overlays {
            edges: table.get("edges"),
            hex: table.get("hex"),
            side: table.get("side"),
            link: table.get("link"),
            area: table.get("area"),
            place: table.get("place"),
        }
    }

    fn lay_over(&self, map: &mut Map) {
        for (name, item) in entries(self.edges.as_ref()) {
            map.add_edge(name);
            each_hex(map, &item, |map, hex| map.add_to_edge(name, hex));
        }
        each_part(self.hex.as_ref(), |feature, part, item| {
            map.add_hex_part(feature, part);
            each_hex(map, item, |map, hex| map.add_hex(feature, part, hex));
        });
        each_part(self.side.as_ref(), |feature, part, item| {
            map.add_side_part(feature, part);
            for word in item.words() {
                word.parse(|text| add_side(map, feature, part, text));
            }
        });
        each_part(self.link.as_ref(), |feature, part, item| {
            map.add_link_part(feature, part);
            for word in item.words() {
                word.parse(|text| add_chain(map, feature, part, text));
            }
        });
        for (name, item) in entries(self.area.as_ref()) {
            map.add_area(name);
            each_hex(map, &item, |map, hex| map.add_to_area(name, hex));
        }
        for (name, item) in entries(self.place.as_ref()) {
            item.parse(|label| map.hex(label.trim()).and_then(|hex| map.add_place(name, hex)));
        }
    }
}

/// The fields of a table of free names.
fn entries<'d>(item: Option<&Item<'d>>) -> Vec<(&'d str, Item<'d>)> {
    item.and_then(Item::table).map(|table| table.rest()).unwrap_or_default()
}

/// Calls `add` for every feature with the one nameless part of a string, or each named part of a table.
fn each_part(item: Option<&Item<'_>>, mut add: impl FnMut(&str, &str, &Item<'_>)) {
    for (feature, item) in entries(item) {
        if !is_plain(feature) {
            item.fault("a feature is named by letters, digits, - and _");
        }
        match item.try_table() {
            Some(parts) => parts.rest().iter().for_each(|(part, item)| add(feature, part, item)),
            None => add(feature, "", &item),
        }
    }
}

/// Rulebooks ask for features by name, so the names are kept simple.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Calls `add` for every hex that the words name, singly or by ranges.
fn each_hex(map: &mut Map, item: &Item<'_>, mut add: impl FnMut(&mut Map, Hex) -> Result<(), String>) {
    for word in item.words() {
        word.parse(|text| hexes(map, text)?.into_iter().try_for_each(|hex| add(map, hex)));
    }
}

/// `A` or `A..B`.
fn hexes(map: &Map, text: &str) -> Result<Vec<Hex>, String> {
    match text.split_once("..") {
        Some((a, b)) => map.range_between(map.hex(a)?, map.hex(b)?),
        None => Ok(vec![map.hex(text)?]),
    }
}

/// `A/B`.
fn add_side(map: &mut Map, feature: &str, part: &str, text: &str) -> Result<(), String> {
    let (a, b) = text.split_once('/').ok_or_else(|| format!("expected a hexside A/B, found `{text}`"))?;
    map.add_side(feature, part, map.hex(a)?, map.hex(b)?)
}

/// `A-B-C`.
fn add_chain(map: &mut Map, feature: &str, part: &str, text: &str) -> Result<(), String> {
    let chain: Vec<Hex> = text.split('-').map(|label| map.hex(label)).collect::<Result<_, _>>()?;
    map.add_chain(feature, part, &chain)
}
