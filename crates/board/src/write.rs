//! Writing a map: the text that [`Map::read`] reads, for people to read and compare.

use source::Writer;

use crate::{Hex, Hexside, Map, Numbering, Orientation, Part, Shifted};

impl Map {
    /// Writes the map as a file of its own.
    pub fn write(&self, out: &mut Writer) {
        self.write_under(out, "");
    }

    /// Writes the map into a table whose heading the caller has written, and its parts into tables below that.
    pub fn write_under(&self, out: &mut Writer, path: &str) {
        let table = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        self.write_shape(out);
        out.block("grid", &self.picture());
        self.write_labels(out, &table("labels"));
        self.write_legend(out, &table("terrain"));
        self.write_edges(out, &table("edges"));
        self.write_features(out, &table);
        self.write_areas(out, &table("area"));
        self.write_places(out, &table("place"));
    }

    fn write_shape(&self, out: &mut Writer) {
        if !self.title.is_empty() {
            out.field("title", self.title.as_str());
        }
        out.field(
            "hexes",
            match self.grid().orientation() {
                Orientation::PointsUp => "points-up",
                Orientation::FlatTop => "flat-top",
            },
        );
        out.field(
            "shifted",
            match self.grid().shifted() {
                Shifted::Odd => "odd",
                Shifted::Even => "even",
            },
        );
        if let Some(km) = self.km {
            out.field("km", km);
        }
    }

    /// The hexes as they lie: shifted rows indented, columns of letters aligned.
    fn picture(&self) -> String {
        let wide = self.legend().letters().map(|letter| letter.chars().count()).max().unwrap_or(1);
        let mut text = String::new();
        for row in 0..self.grid().rows() {
            let words: Vec<String> = (0..self.grid().columns())
                .map(|column| format!("{:wide$}", self.letter_at(row, column)))
                .collect();
            let indent = if self.is_indented(row) { " ".repeat(wide.div_ceil(2)) } else { String::new() };
            text.push_str(&indent);
            text.push_str(words.join(" ").trim_end());
            text.push('\n');
        }
        text
    }

    fn letter_at(&self, row: usize, column: usize) -> &str {
        match self.grid().at(row, column) {
            Some(hex) if self.contains(hex) => self.legend().letter(self.terrain(hex)),
            _ => "-",
        }
    }

    fn is_indented(&self, row: usize) -> bool {
        let line = u8::try_from(row).unwrap_or(u8::MAX);
        self.grid().orientation() == Orientation::PointsUp && self.grid().is_shifted(line)
    }

    fn write_labels(&self, out: &mut Writer, table: &str) {
        let labels = self.labels();
        out.table(table);
        out.field("form", labels.form());
        write_numbering(out, "row", labels.row(), ["south", "north"]);
        write_numbering(out, "col", labels.column(), ["east", "west"]);
        if labels.printed() > 1 {
            out.field("printed", i64::from(labels.printed()));
        }
    }

    fn write_legend(&self, out: &mut Writer, table: &str) {
        for (place, (letter, name)) in self.legend().own().enumerate() {
            if place == 0 {
                out.table(table);
            }
            out.field(letter, name);
        }
    }

    fn write_edges(&self, out: &mut Writer, table: &str) {
        for (place, (name, hexes)) in self.edges().enumerate() {
            if place == 0 {
                out.table(table);
            }
            out.words(name, self.ranges(hexes));
        }
    }

    fn write_features(&self, out: &mut Writer, table: &impl Fn(&str) -> String) {
        let hexes = self.hex_features().map(|name| (name, self.hexes_with(name).parts())).collect::<Vec<_>>();
        let sides =
            self.side_features().map(|name| (name, self.sides_with(name).parts())).collect::<Vec<_>>();
        let links =
            self.link_features().map(|name| (name, self.links_with(name).parts())).collect::<Vec<_>>();
        write_parts(out, &table("hex"), &hexes, |hexes| self.sorted_ranges(hexes));
        write_parts(out, &table("side"), &sides, |sides| {
            sides.iter().map(|side| self.side_text(*side)).collect()
        });
        write_parts(out, &table("link"), &links, |chains| {
            chains.iter().map(|chain| self.chain_text(chain)).collect()
        });
    }

    fn write_areas(&self, out: &mut Writer, table: &str) {
        for (place, (name, layer)) in self.areas().enumerate() {
            if place == 0 {
                out.table(table);
            }
            out.words(name, self.sorted_ranges(&layer.hexes().collect::<Vec<_>>()));
        }
    }

    fn write_places(&self, out: &mut Writer, table: &str) {
        for (place, (name, hex)) in self.places().enumerate() {
            if place == 0 {
                out.table(table);
            }
            out.field(name, self.label(hex));
        }
    }

    fn side_text(&self, side: Hexside) -> String {
        let (hex, beyond) = self.grid().side_hexes(side);
        let beyond = beyond.map(|hex| self.label(hex)).unwrap_or_default();
        format!("{}/{beyond}", self.label(hex))
    }

    fn chain_text(&self, chain: &[Hex]) -> String {
        chain.iter().map(|hex| self.label(*hex)).collect::<Vec<_>>().join("-")
    }

    fn sorted_ranges(&self, hexes: &[Hex]) -> Vec<String> {
        let mut sorted = hexes.to_vec();
        sorted.sort_by_key(|hex| self.labels().rank(*hex));
        self.ranges(&sorted)
    }

    /// The hexes in their order, three or more with running numbers as `A..B`.
    fn ranges(&self, hexes: &[Hex]) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = hexes;
        while let [first, ..] = rest {
            let length = self.run_length(rest);
            if length >= 3 {
                words.push(format!("{}..{}", self.label(*first), self.label(rest[length - 1])));
                rest = &rest[length..];
            } else {
                words.push(self.label(*first));
                rest = &rest[1..];
            }
        }
        words
    }

    /// How many hexes from the first on lie side by side in one row or column, in one direction.
    fn run_length(&self, hexes: &[Hex]) -> usize {
        let step = |a: Hex, b: Hex| {
            let ((row_a, column_a), (row_b, column_b)) = (self.labels().numbers(a), self.labels().numbers(b));
            (row_b.wrapping_sub(row_a), column_b.wrapping_sub(column_a))
        };
        let units = [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)];
        let Some(first) = hexes.windows(2).next().map(|pair| step(pair[0], pair[1])) else { return 1 };
        if !units.contains(&first) {
            return 1;
        }
        1 + hexes.windows(2).take_while(|pair| step(pair[0], pair[1]) == first).count()
    }
}

fn write_numbering(out: &mut Writer, key: &str, numbering: Numbering, ways: [&str; 2]) {
    let way = ways[usize::from(numbering.backward)];
    out.raw(&format!("{key} = {{ first = {}, runs = \"{way}\" }}\n", numbering.first));
}

/// Writes nameless features as fields of one table, then each feature with names as a table of its own.
fn write_parts<T>(
    out: &mut Writer,
    table: &str,
    features: &[(&str, &[Part<T>])],
    words: impl Fn(&[T]) -> Vec<String>,
) {
    let nameless = features.iter().filter_map(|(feature, parts)| Some((feature, nameless_part(parts)?)));
    for (place, (feature, part)) in nameless.enumerate() {
        if place == 0 {
            out.table(table);
        }
        out.words(feature, words(&part.items));
    }
    for (feature, parts) in features.iter().filter(|(_, parts)| nameless_part(parts).is_none()) {
        out.table(&format!("{table}.{feature}"));
        for part in *parts {
            out.words(&part.name, words(&part.items));
        }
    }
}

/// The one part of a feature without names.
fn nameless_part<T>(parts: &[Part<T>]) -> Option<&Part<T>> {
    match parts {
        [only] if only.name.is_empty() => Some(only),
        _ => None,
    }
}
