//! Features of a map, each as a dense table beside the named parts that it was told in.

use crate::{Dir, Grid, Hex, Hexside};

/// A named part of a feature, such as one river; the name is empty when the feature has no names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part<T> {
    /// The name.
    pub name: String,
    /// Hexes in reading order; hexsides and chains of hexes in the order of the text, which is often their course.
    pub items: Vec<T>,
}

/// The part of that name, added at the end when there is none yet.
fn part_mut<'p, T>(parts: &'p mut Vec<Part<T>>, name: &str) -> &'p mut Vec<T> {
    let place = parts.iter().position(|part| part.name == name).unwrap_or(parts.len());
    if place == parts.len() {
        parts.push(Part { name: name.to_owned(), items: Vec::new() });
    }
    &mut parts[place].items
}

/// Adds a thing to a part unless it is there already.
fn add_once<T: PartialEq>(parts: &mut Vec<Part<T>>, name: &str, item: T) {
    let items = part_mut(parts, name);
    if !items.contains(&item) {
        items.push(item);
    }
}

/// A set of hexes of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    grid: Grid,
    has: Vec<bool>,
    parts: Vec<Part<Hex>>,
}

impl Layer {
    pub(crate) fn new(grid: Grid) -> Self {
        Layer { grid, has: vec![false; grid.len()], parts: Vec::new() }
    }

    pub(crate) fn add(&mut self, part: &str, hex: Hex) {
        self.has[self.grid.index(hex)] = true;
        let items = part_mut(&mut self.parts, part);
        if let Err(place) = items.binary_search(&hex) {
            items.insert(place, hex);
        }
    }

    pub(crate) fn add_part(&mut self, part: &str) {
        part_mut(&mut self.parts, part);
    }

    /// True for a hex of the set.
    #[inline]
    pub fn has(&self, hex: Hex) -> bool {
        self.grid.contains(hex) && self.has[self.grid.index(hex)]
    }

    /// The hexes of the set in reading order.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> {
        self.grid.hexes().filter(|&hex| self.has(hex))
    }

    /// The number of hexes.
    pub fn len(&self) -> usize {
        self.hexes().count()
    }

    /// True for no hexes at all.
    pub fn is_empty(&self) -> bool {
        !self.has.contains(&true)
    }

    /// The parts, in the order of the text.
    pub fn parts(&self) -> &[Part<Hex>] {
        &self.parts
    }

    /// The names of the parts that a hex belongs to.
    pub fn names(&self, hex: Hex) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(move |part| part.items.contains(&hex)).map(|part| part.name.as_str())
    }
}

/// For each hex, the directions in which something lies.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Ways {
    grid: Grid,
    dirs: Vec<u8>,
}

impl Ways {
    fn new(grid: Grid) -> Self {
        Ways { grid, dirs: vec![0; grid.len()] }
    }

    /// Marks a side for both hexes that it belongs to.
    fn add(&mut self, side: Hexside) {
        let (hex, beyond) = self.grid.side_hexes(side);
        self.dirs[self.grid.index(hex)] |= side.dir().bit();
        if let Some(beyond) = beyond {
            self.dirs[self.grid.index(beyond)] |= side.dir().opposite().bit();
        }
    }

    #[inline]
    fn has(&self, hex: Hex, dir: Dir) -> bool {
        self.grid.contains(hex) && self.dirs[self.grid.index(hex)] & dir.bit() != 0
    }

    fn dirs(&self, hex: Hex) -> impl Iterator<Item = Dir> {
        Dir::ALL.into_iter().filter(move |&dir| self.has(hex, dir))
    }
}

/// A set of hexsides of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideLayer {
    ways: Ways,
    parts: Vec<Part<Hexside>>,
}

impl SideLayer {
    pub(crate) fn new(grid: Grid) -> Self {
        SideLayer { ways: Ways::new(grid), parts: Vec::new() }
    }

    pub(crate) fn add(&mut self, part: &str, side: Hexside) {
        self.ways.add(side);
        add_once(&mut self.parts, part, side);
    }

    pub(crate) fn add_part(&mut self, part: &str) {
        part_mut(&mut self.parts, part);
    }

    /// True when the side of the hex in that direction belongs to the set.
    #[inline]
    pub fn has(&self, hex: Hex, dir: Dir) -> bool {
        self.ways.has(hex, dir)
    }

    /// The directions in which a hex has such a side.
    pub fn dirs(&self, hex: Hex) -> impl Iterator<Item = Dir> {
        self.ways.dirs(hex)
    }

    /// True for no sides at all.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.items.is_empty())
    }

    /// The parts, in the order of the text.
    pub fn parts(&self) -> &[Part<Hexside>] {
        &self.parts
    }

    /// The names of the parts that a side belongs to.
    pub fn names(&self, side: Hexside) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(move |part| part.items.contains(&side)).map(|part| part.name.as_str())
    }
}

/// Connections from hex to hex, such as roads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkLayer {
    ways: Ways,
    parts: Vec<Part<Vec<Hex>>>,
}

impl LinkLayer {
    pub(crate) fn new(grid: Grid) -> Self {
        LinkLayer { ways: Ways::new(grid), parts: Vec::new() }
    }

    /// Adds a chain of hexes, each adjacent to the one before.
    pub(crate) fn add(&mut self, part: &str, chain: Vec<Hex>) {
        let grid = self.ways.grid;
        for side in chain.windows(2).filter_map(|pair| grid.side(pair[0], pair[1])) {
            self.ways.add(side);
        }
        add_once(&mut self.parts, part, chain);
    }

    pub(crate) fn add_part(&mut self, part: &str) {
        part_mut(&mut self.parts, part);
    }

    /// True when the connection goes on from the hex in that direction.
    #[inline]
    pub fn has(&self, hex: Hex, dir: Dir) -> bool {
        self.ways.has(hex, dir)
    }

    /// The directions in which the connection goes on from a hex.
    pub fn dirs(&self, hex: Hex) -> impl Iterator<Item = Dir> {
        self.ways.dirs(hex)
    }

    /// True when the connection passes or ends in this hex.
    pub fn touches(&self, hex: Hex) -> bool {
        self.dirs(hex).next().is_some()
    }

    /// True for no connections at all.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.items.is_empty())
    }

    /// The parts, each a list of chains, in the order of the text.
    pub fn parts(&self) -> &[Part<Vec<Hex>>] {
        &self.parts
    }
}
