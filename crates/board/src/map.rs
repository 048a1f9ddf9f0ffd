//! A map: a grid with what is printed on it.

use std::collections::BTreeMap;

use source::{Doc, Faults, Source};

use crate::{Dir, Grid, Hex, Labels, Layer, LinkLayer, Part, SideLayer};

/// A kind of terrain, by its place in the legend of the map.
///
/// The rulebook's own terrains come first and in its order, so that they can index its terrain chart.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Terrain(pub u8);

/// Marks the missing neighbour in the table of neighbours.
const NOWHERE: Hex = Hex::new(u8::MAX, u8::MAX);

/// The letters that stand for terrains in the picture of a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Legend {
    names: Vec<String>,
    letters: Vec<(String, Terrain)>,
    /// How many of the letters the rulebook supplied; the map itself tells the others.
    given: usize,
}

impl Legend {
    /// The legend that a rulebook supplies.
    pub(crate) fn given(letters: &[(&str, &str)]) -> Self {
        let mut legend = Legend::default();
        for (letter, name) in letters {
            // A letter that a rulebook gives twice means what it meant first.
            let _ = legend.add(letter, name);
        }
        legend.given = legend.letters.len();
        legend
    }

    /// Adds a letter; what is wrong with it otherwise.
    pub(crate) fn add(&mut self, letter: &str, name: &str) -> Result<(), String> {
        if letter == "-" || letter.is_empty() || letter.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(format!(
                "`{letter}` cannot stand for a terrain: expected letters without spaces, and not -"
            ));
        }
        if let Some(known) = self.terrain(letter) {
            let known = self.name(known);
            return if known == name { Ok(()) } else { Err(format!("`{letter}` already means {known}")) };
        }
        let place = self.names.iter().position(|known| known == name).unwrap_or(self.names.len());
        let terrain = u8::try_from(place).map_err(|_| "more than 256 kinds of terrain".to_owned())?;
        if place == self.names.len() {
            self.names.push(name.to_owned());
        }
        self.letters.push((letter.to_owned(), Terrain(terrain)));
        Ok(())
    }

    pub(crate) fn terrain(&self, letter: &str) -> Option<Terrain> {
        self.letters.iter().find(|(known, _)| known == letter).map(|(_, terrain)| *terrain)
    }

    pub(crate) fn letter(&self, terrain: Terrain) -> &str {
        self.letters.iter().find(|(_, known)| *known == terrain).map_or("-", |(letter, _)| letter)
    }

    pub(crate) fn letters(&self) -> impl Iterator<Item = &str> {
        self.letters.iter().map(|(letter, _)| letter.as_str())
    }

    /// The letters that the map itself tells, with their terrains.
    pub(crate) fn own(&self) -> impl Iterator<Item = (&str, &str)> {
        self.letters[self.given..].iter().map(|(letter, terrain)| (letter.as_str(), self.name(*terrain)))
    }

    fn name(&self, terrain: Terrain) -> &str {
        self.names.get(usize::from(terrain.0)).map_or("", String::as_str)
    }
}

/// Layers by name, and what to answer for those that the map does not have.
#[derive(Clone, PartialEq, Debug)]
struct Features<L> {
    known: BTreeMap<String, L>,
    none: L,
}

impl<L: Clone> Features<L> {
    fn new(none: L) -> Self {
        Features { known: BTreeMap::new(), none }
    }

    fn get(&self, name: &str) -> &L {
        self.known.get(name).unwrap_or(&self.none)
    }

    fn get_mut(&mut self, name: &str) -> &mut L {
        self.known.entry(name.to_owned()).or_insert_with(|| self.none.clone())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }
}

/// A map of hexes: terrain, features of hexes and hexsides, connections, areas, names.
///
/// Layers are looked up by name, once, when a rulebook loads its map; what is asked in play is a dense table.
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    /// What the map is called; empty for a sketch.
    pub title: String,
    /// Kilometres from centre to centre, if the map tells.
    pub km: Option<f64>,
    grid: Grid,
    labels: Labels,
    legend: Legend,
    terrain: Vec<Option<Terrain>>,
    neighbours: Vec<[Hex; 6]>,
    hex_features: Features<Layer>,
    side_features: Features<SideLayer>,
    link_features: Features<LinkLayer>,
    areas: Features<Layer>,
    edges: Vec<(String, Vec<Hex>)>,
    places: Vec<(String, Hex)>,
}

/// Making a map.
impl Map {
    /// A map with nothing on it but terrain; `None` is where there is no hex.
    pub(crate) fn new(grid: Grid, labels: Labels, legend: Legend, terrain: Vec<Option<Terrain>>) -> Self {
        let present = |hex: Hex| terrain[grid.index(hex)].is_some();
        let around = |hex: Hex| {
            Dir::ALL.map(|dir| grid.neighbour(hex, dir).filter(|&next| present(next)).unwrap_or(NOWHERE))
        };
        let neighbours =
            grid.hexes().map(|hex| if present(hex) { around(hex) } else { [NOWHERE; 6] }).collect();
        Map {
            title: String::new(),
            km: None,
            grid,
            labels,
            legend,
            terrain,
            neighbours,
            hex_features: Features::new(Layer::new(grid)),
            side_features: Features::new(SideLayer::new(grid)),
            link_features: Features::new(LinkLayer::new(grid)),
            areas: Features::new(Layer::new(grid)),
            edges: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A map of one terrain everywhere, with plain labels.
    pub fn blank(grid: Grid, terrain: &str) -> Self {
        Self::drawn(grid, &[(".", terrain)], |_| Some("."))
    }

    /// A map whose letters `letter_of` gives; no hex where it gives none, or none of the legend.
    pub fn drawn<'l>(
        grid: Grid,
        legend: &[(&str, &str)],
        letter_of: impl Fn(Hex) -> Option<&'l str>,
    ) -> Self {
        let mut letters = Legend::default();
        for (letter, name) in legend {
            let _ = letters.add(letter, name);
        }
        let terrain = grid.hexes().map(|hex| letters.terrain(letter_of(hex)?)).collect();
        let labels = Labels::plain(grid, Default::default(), Default::default(), 1);
        Map::new(grid, labels, letters, terrain)
    }

    /// Reads a map from a text of its own.
    pub fn parse(source: &Source, legend: &[(&str, &str)]) -> Result<Map, Faults> {
        let doc = Doc::parse(source)?;
        let map = Map::read(&doc.root(), legend);
        doc.finish(map)
    }

    /// Reads a map from a few lines, as tests do.
    pub fn sketch(text: &str, legend: &[(&str, &str)]) -> Result<Map, Faults> {
        Map::parse(&Source::new("sketch", text), legend)
    }

    /// Adds a hex to a part of a feature.
    pub fn add_hex(&mut self, feature: &str, part: &str, hex: Hex) -> Result<(), String> {
        self.must_have(hex)?;
        self.hex_features.get_mut(feature).add(part, hex);
        Ok(())
    }

    /// Adds the side between two adjacent hexes to a part of a feature.
    pub fn add_side(&mut self, feature: &str, part: &str, a: Hex, b: Hex) -> Result<(), String> {
        self.must_have(a)?;
        self.must_have(b)?;
        let side = self.grid.side(a, b).ok_or_else(|| self.not_adjacent(a, b))?;
        self.side_features.get_mut(feature).add(part, side);
        Ok(())
    }

    /// Adds a chain of two or more hexes, each adjacent to the one before, to a part of a feature.
    pub fn add_chain(&mut self, feature: &str, part: &str, chain: &[Hex]) -> Result<(), String> {
        if chain.len() < 2 {
            return Err("a chain needs two hexes or more, such as A-B".to_owned());
        }
        for &hex in chain {
            self.must_have(hex)?;
        }
        let jump = chain.windows(2).find(|pair| !self.grid.adjacent(pair[0], pair[1]));
        if let Some(pair) = jump {
            return Err(format!("the chain jumps: {}", self.not_adjacent(pair[0], pair[1])));
        }
        self.link_features.get_mut(feature).add(part, chain.to_vec());
        Ok(())
    }

    /// Adds a hex to an area.
    pub fn add_to_area(&mut self, area: &str, hex: Hex) -> Result<(), String> {
        self.must_have(hex)?;
        self.areas.get_mut(area).add("", hex);
        Ok(())
    }

    /// Adds a hex at the end of a named edge.
    pub fn add_to_edge(&mut self, edge: &str, hex: Hex) -> Result<(), String> {
        self.must_have(hex)?;
        self.add_edge(edge);
        let label = self.label(hex);
        match self.edges.iter_mut().find(|(known, _)| known == edge) {
            Some((_, hexes)) if hexes.contains(&hex) => Err(format!("{label} is named twice")),
            Some((_, hexes)) => {
                hexes.push(hex);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Adds a name to print in a hex.
    pub fn add_place(&mut self, name: &str, hex: Hex) -> Result<(), String> {
        self.must_have(hex)?;
        self.places.push((name.to_owned(), hex));
        Ok(())
    }

    /// Names a part of a feature of hexes, which may stay empty.
    pub(crate) fn add_hex_part(&mut self, feature: &str, part: &str) {
        self.hex_features.get_mut(feature).add_part(part);
    }

    /// Names a part of a feature of hexsides, which may stay empty.
    pub(crate) fn add_side_part(&mut self, feature: &str, part: &str) {
        self.side_features.get_mut(feature).add_part(part);
    }

    /// Names a part of a kind of connections, which may stay empty.
    pub(crate) fn add_link_part(&mut self, feature: &str, part: &str) {
        self.link_features.get_mut(feature).add_part(part);
    }

    /// Names an area, which may stay empty.
    pub(crate) fn add_area(&mut self, area: &str) {
        self.areas.get_mut(area);
    }

    /// Names an edge, which may stay empty.
    pub(crate) fn add_edge(&mut self, edge: &str) {
        if !self.edges.iter().any(|(known, _)| known == edge) {
            self.edges.push((edge.to_owned(), Vec::new()));
        }
    }

    fn must_have(&self, hex: Hex) -> Result<(), String> {
        if self.contains(hex) {
            Ok(())
        } else {
            Err(format!("there is no hex {} on this map", self.label(hex)))
        }
    }

    fn not_adjacent(&self, a: Hex, b: Hex) -> String {
        format!("{} and {} are not adjacent", self.label(a), self.label(b))
    }
}

/// Hexes and terrain.
impl Map {
    /// How the hexes lie.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// What is printed in the hexes.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    pub(crate) fn legend(&self) -> &Legend {
        &self.legend
    }

    /// The hexes of the map, line by line.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.grid.hexes().filter(|&hex| self.contains(hex))
    }

    /// True for a hex of the map.
    #[inline]
    pub fn contains(&self, hex: Hex) -> bool {
        self.grid.contains(hex) && self.terrain[self.grid.index(hex)].is_some()
    }

    /// The place of a hex in a dense table of [`Map::len`] entries: line by line, missing hexes counted too.
    #[inline]
    pub fn index(&self, hex: Hex) -> usize {
        self.grid.index(hex)
    }

    /// The length of a dense table for this map.
    #[inline]
    pub fn len(&self) -> usize {
        self.grid.len()
    }

    /// True when every hex is missing.
    pub fn is_empty(&self) -> bool {
        self.hexes().next().is_none()
    }

    /// The hex next to a hex of this map, if the map goes on there.
    #[inline]
    pub fn neighbour(&self, hex: Hex, dir: Dir) -> Option<Hex> {
        let next = self.neighbours.get(self.grid.index(hex))?[dir.index()];
        (next != NOWHERE).then_some(next)
    }

    /// The ways out of a hex of this map, clockwise, and where they lead.
    #[inline]
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Dir, Hex)> {
        Dir::ALL.into_iter().filter_map(move |dir| Some((dir, self.neighbour(hex, dir)?)))
    }

    /// Calls `visit` with each way out of a hex, clockwise: the inner loop of movement, without an iterator.
    #[inline(always)]
    pub(crate) fn each_neighbour(&self, hex: Hex, mut visit: impl FnMut(Dir, Hex)) {
        let Some(around) = self.neighbours.get(self.grid.index(hex)) else { return };
        for dir in Dir::ALL {
            let next = around[dir.index()];
            if next != NOWHERE {
                visit(dir, next);
            }
        }
    }

    /// The hexes that do not have all six neighbours.
    pub fn edge_hexes(&self) -> impl Iterator<Item = Hex> {
        self.hexes().filter(|&hex| self.neighbours(hex).count() < 6)
    }

    /// The terrain of a hex of this map; of a missing hex, the first of the legend.
    #[inline]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.terrain.get(self.grid.index(hex)).copied().flatten().unwrap_or(Terrain(0))
    }

    /// What a terrain is called.
    pub fn terrain_name(&self, terrain: Terrain) -> &str {
        self.legend.name(terrain)
    }

    /// The terrain of that name.
    pub fn terrain_named(&self, name: &str) -> Option<Terrain> {
        let place = self.legend.names.iter().position(|known| known == name)?;
        u8::try_from(place).ok().map(Terrain)
    }

    /// All terrains of the legend, on this map or not.
    pub fn terrains(&self) -> impl Iterator<Item = (Terrain, &str)> {
        (0..=u8::MAX).map(Terrain).zip(self.legend.names.iter().map(String::as_str))
    }
}

/// Labels and names.
impl Map {
    /// The label of a hex.
    pub fn label(&self, hex: Hex) -> String {
        self.labels.label(hex)
    }

    /// The hex of this map with a label, leniently read; why there is none otherwise.
    pub fn hex(&self, label: &str) -> Result<Hex, String> {
        let hex = self.labels.parse(label)?;
        if self.contains(hex) { Ok(hex) } else { Err(format!("there is no hex {label} on this map")) }
    }

    /// True when the board shows the label of this hex.
    pub fn prints_label(&self, hex: Hex) -> bool {
        self.labels.prints(hex)
    }

    /// The hexes of this map from one to another in the same row or column, with both ends.
    pub fn range_between(&self, a: Hex, b: Hex) -> Result<Vec<Hex>, String> {
        let ((row_a, column_a), (row_b, column_b)) =
            (self.grid.row_and_column(a), self.grid.row_and_column(b));
        let places: Vec<Option<Hex>> = if row_a == row_b {
            count_between(column_a, column_b).map(|column| self.grid.at(row_a, column)).collect()
        } else if column_a == column_b {
            count_between(row_a, row_b).map(|row| self.grid.at(row, column_a)).collect()
        } else {
            let (a, b) = (self.label(a), self.label(b));
            return Err(format!("a range runs along a row or a column, and {a} and {b} share neither"));
        };
        Ok(places.into_iter().flatten().filter(|&hex| self.contains(hex)).collect())
    }

    /// The names to print, with their hexes, in the order of the text.
    pub fn places(&self) -> impl Iterator<Item = (&str, Hex)> {
        self.places.iter().map(|(name, hex)| (name.as_str(), *hex))
    }

    /// The hex of a place.
    pub fn place(&self, name: &str) -> Option<Hex> {
        self.places().find(|(known, _)| *known == name).map(|(_, hex)| hex)
    }

    /// The names to print in a hex.
    pub fn places_in(&self, hex: Hex) -> impl Iterator<Item = &str> {
        self.places().filter(move |(_, at)| *at == hex).map(|(name, _)| name)
    }
}

/// All numbers from one to another, up or down.
fn count_between(a: usize, b: usize) -> impl Iterator<Item = usize> {
    (0..=a.abs_diff(b)).map(move |n| if a < b { a + n } else { a - n })
}

/// Layers. A feature that the map does not have is an empty layer.
impl Map {
    /// The names of the features of hexes.
    pub fn hex_features(&self) -> impl Iterator<Item = &str> {
        self.hex_features.names()
    }

    /// The hexes with a feature.
    pub fn hexes_with(&self, feature: &str) -> &Layer {
        self.hex_features.get(feature)
    }

    /// The parts of a feature of hexes, in the order of the text.
    pub fn feature_parts(&self, feature: &str) -> &[Part<Hex>] {
        self.hexes_with(feature).parts()
    }

    /// The names of the features of hexsides.
    pub fn side_features(&self) -> impl Iterator<Item = &str> {
        self.side_features.names()
    }

    /// The hexsides with a feature.
    pub fn sides_with(&self, feature: &str) -> &SideLayer {
        self.side_features.get(feature)
    }

    /// The names of the kinds of connections.
    pub fn link_features(&self) -> impl Iterator<Item = &str> {
        self.link_features.names()
    }

    /// The connections of a kind.
    pub fn links_with(&self, feature: &str) -> &LinkLayer {
        self.link_features.get(feature)
    }

    /// The names of the parts of a feature, be it one of hexes, of hexsides or of connections.
    pub fn part_names(&self, feature: &str) -> Vec<&str> {
        let hexes = self.hexes_with(feature).parts().iter().map(|part| part.name.as_str());
        let sides = self.sides_with(feature).parts().iter().map(|part| part.name.as_str());
        let links = self.links_with(feature).parts().iter().map(|part| part.name.as_str());
        hexes.chain(sides).chain(links).filter(|name| !name.is_empty()).collect()
    }

    /// The areas, by name.
    pub fn areas(&self) -> impl Iterator<Item = (&str, &Layer)> {
        self.areas.known.iter().map(|(name, layer)| (name.as_str(), layer))
    }

    /// The area of that name.
    pub fn area(&self, name: &str) -> Option<&Layer> {
        self.areas.known.get(name)
    }

    /// The named edges, each with its hexes in order.
    pub fn edges(&self) -> impl Iterator<Item = (&str, &[Hex])> {
        self.edges.iter().map(|(name, hexes)| (name.as_str(), hexes.as_slice()))
    }

    /// The hexes of a named edge, in order.
    pub fn edge(&self, name: &str) -> Option<&[Hex]> {
        self.edges().find(|(known, _)| *known == name).map(|(_, hexes)| hexes)
    }
}
