//! The overlay: what Natural Earth does not know, drawn in longitude and latitude.
//!
//! A feature that carries its own list (`hex`, `hexes`, `hexside`, `hexsides`) is taken at its word; one that does
//! not is classified by its outline.

use std::collections::{BTreeMap, BTreeSet};

use board::{Hex, Hexside, Map};
use geo::{Coord, Geometry, MultiPolygon, Polygon, unary_union};
use source::Faults;

use crate::facts::is_land;
use crate::globe::Globe;
use crate::recipe::{Layer, Recipe, parse_hexes, parse_side};
use crate::report::Report;
use crate::rivers::{self, Bed};
use crate::vectors::Feature;
use crate::{classify, routes};

/// The features of an overlay with the hexes and hexsides that they list.
pub(crate) struct Overlay {
    features: Vec<Listed>,
}

/// The hexes that a layer of terrain takes.
pub(crate) struct Taken {
    /// By a list, which is taken at its word.
    pub(crate) listed: Vec<Hex>,
    /// By an outline, which covers no water.
    pub(crate) outlined: Vec<Hex>,
}

struct Listed {
    kind: String,
    feature: Feature,
    /// The hexes of its list; none if it has no list.
    hexes: Option<Vec<Hex>>,
    sides: Option<Vec<(Hex, Hex)>>,
}

impl Overlay {
    /// Checks that every feature has a kind that the recipe knows and lists nothing off the map.
    pub(crate) fn new(features: Vec<Feature>, recipe: &Recipe) -> Result<Overlay, Faults> {
        let mut faults = Faults::default();
        let mut listed = Vec::new();
        for feature in features {
            match list(feature, recipe) {
                Ok(feature) => listed.push(feature),
                Err(found) => faults.extend(found),
            }
        }
        faults.or(Some(Overlay { features: listed }))
    }

    /// The features of one kind.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &Feature> {
        self.features.iter().filter(move |listed| listed.kind == kind).map(|listed| &listed.feature)
    }

    /// The features that a layer takes.
    fn of<'o>(&'o self, layer: &'o Layer) -> impl Iterator<Item = &'o Listed> {
        let fits = |feature: &Feature| {
            layer.only.iter().all(|(key, value)| {
                feature.text(key) == Some(value) || (value == "true" && feature.flag(key))
            })
        };
        self.features.iter().filter(move |listed| listed.kind == layer.kind && fits(&listed.feature))
    }

    /// The places that hold the sheet, or are compared with it: name, longitude and latitude, hex.
    pub(crate) fn controls(&self, recipe: &Recipe) -> Vec<(String, Coord, Hex)> {
        let layers = recipe.layers.iter().filter(|layer| layer.control || layer.check);
        layers
            .flat_map(|layer| self.of(layer))
            .filter_map(|listed| match (&listed.feature.shape, listed.hexes.as_deref()) {
                (Some(Geometry::Point(point)), Some(&[hex])) => {
                    Some((listed.feature.name.clone(), point.0, hex))
                }
                _ => None,
            })
            .collect()
    }

    /// The hexes that places and ways list: people live and travel there, so they are land however little of them
    /// is dry.
    pub(crate) fn inhabited(&self, recipe: &Recipe) -> Vec<Hex> {
        let layers =
            recipe.layers.iter().filter(|layer| (layer.place && layer.hex.is_some()) || layer.link.is_some());
        layers.flat_map(|layer| self.of(layer)).filter_map(|listed| listed.hexes.clone()).flatten().collect()
    }

    /// The hexes that each layer of terrain takes, weakest first.
    pub(crate) fn terrain(&self, recipe: &Recipe, globe: &Globe) -> Vec<(Taken, String)> {
        let layers = recipe.layers.iter();
        let terrain = layers.filter_map(|layer| Some((layer, layer.terrain.clone()?)));
        terrain.map(|(layer, terrain)| (self.taken(layer, &recipe.blank, globe), terrain)).collect()
    }

    /// The hexes that a layer takes: those that its features list, and those that the outlines of the others cover
    /// together.
    fn taken(&self, layer: &Layer, map: &Map, globe: &Globe) -> Taken {
        let (drawn, listed): (Vec<&Listed>, Vec<&Listed>) = self.of(layer).partition(|one| one.is_drawn());
        let shapes = drawn.iter().filter_map(|one| one.feature.shape.as_ref());
        let polygons: Vec<Polygon> =
            shapes.flat_map(|shape| classify::polygons(globe.shape(shape))).collect();
        let together = unary_union(&polygons);
        Taken {
            listed: listed.iter().flat_map(|one| one.hexes(map, layer, globe)).collect(),
            outlined: classify::covered(map.grid(), &together, map.hexes(), layer.cover),
        }
    }

    /// Lays every feature that is not terrain on the map.
    pub(crate) fn lay_features(
        &self,
        map: &mut Map,
        recipe: &Recipe,
        globe: &Globe,
        report: &mut Report,
        faults: &mut Faults,
    ) {
        let mut towns = Towns::default();
        for layer in &recipe.layers {
            for listed in self.of(layer) {
                let done = listed.lay(map, layer, globe, &mut towns, report);
                if let Err(message) = done {
                    faults.push(listed.feature.fault(message));
                }
            }
        }
    }
}

/// Reads the lists of a feature.
fn list(feature: Feature, recipe: &Recipe) -> Result<Listed, Faults> {
    let mut faults = Faults::default();
    let kind = feature.text("kind").unwrap_or_default().to_owned();
    if !recipe.layers.iter().any(|layer| layer.kind == kind) {
        faults.push(feature.fault(format!("the recipe has no layer for the kind `{kind}`")));
    }
    let words = |one: &str, many: &str| feature.words(many).or_else(|| feature.words(one));
    let mut note = |message: String| faults.push(feature.fault(message));
    let hexes = words("hex", "hexes").map(|words| {
        let found = words.iter().filter_map(|word| parse_hexes(&recipe.blank, word).map_err(&mut note).ok());
        found.flatten().collect()
    });
    let sides = words("hexside", "hexsides").map(|words| {
        words.iter().filter_map(|word| parse_side(&recipe.blank, word).map_err(&mut note).ok()).collect()
    });
    faults.or(Some(())).map(|()| Listed { kind, feature, hexes, sides })
}

/// The hexes that have a town, so that no second one is put there.
#[derive(Default)]
struct Towns {
    at: BTreeMap<Hex, String>,
}

impl Listed {
    /// True when nothing but an outline says which hexes it covers.
    fn is_drawn(&self) -> bool {
        let outline = matches!(self.feature.shape, Some(Geometry::Polygon(_) | Geometry::MultiPolygon(_)));
        outline && self.hexes.is_none() && self.sides.is_none()
    }

    /// The hexes that it lists, or, if it lists nothing at all, those that its outline covers.
    fn hexes(&self, map: &Map, layer: &Layer, globe: &Globe) -> Vec<Hex> {
        match (&self.hexes, &self.sides) {
            (Some(hexes), _) => hexes.clone(),
            (None, Some(_)) => Vec::new(),
            (None, None) => self.covered(map, layer, globe),
        }
    }

    /// The hexes that its outline covers.
    fn covered(&self, map: &Map, layer: &Layer, globe: &Globe) -> Vec<Hex> {
        match self.feature.shape.as_ref().map(|shape| globe.shape(shape)) {
            Some(Geometry::LineString(line)) => routes::chain(map.grid(), &line),
            Some(Geometry::Point(point)) => map.grid().hex_at(point.x(), point.y()).into_iter().collect(),
            Some(shape) => {
                let polygons = MultiPolygon::new(classify::polygons(shape));
                classify::covered(map.grid(), &polygons, map.hexes(), layer.cover)
            }
            None => Vec::new(),
        }
    }

    fn lay(
        &self,
        map: &mut Map,
        layer: &Layer,
        globe: &Globe,
        towns: &mut Towns,
        report: &mut Report,
    ) -> Result<(), String> {
        let name = &self.feature.name;
        let part = if layer.named { name.as_str() } else { "" };
        let mut hexes = self.hexes(map, layer, globe);
        hexes.retain(|&hex| map.contains(hex));
        if layer.place {
            hexes = towns.settle(map, name, &hexes, self.hexes.is_some(), report)?;
        }
        if let Some(feature) = &layer.hex {
            // A trench that the list carries through a lake does not stand there.
            hexes.retain(|&hex| is_land(map, hex));
            hexes.iter().try_for_each(|&hex| map.add_hex(feature, part, hex))?;
        }
        for flag in layer.flags.iter().filter(|flag| self.feature.flag(flag)) {
            hexes.iter().try_for_each(|&hex| map.add_hex(flag, "", hex))?;
        }
        if layer.area {
            hexes.iter().try_for_each(|&hex| map.add_to_area(name, hex))?;
        }
        if let Some(feature) = &layer.link {
            map.add_chain(feature, part, &hexes)?;
        }
        if let Some(feature) = &layer.side {
            self.lay_sides(map, layer, globe, feature, part)?;
        }
        Ok(())
    }

    fn lay_sides(
        &self,
        map: &mut Map,
        layer: &Layer,
        globe: &Globe,
        feature: &str,
        part: &str,
    ) -> Result<(), String> {
        let sides = match &self.sides {
            Some(sides) => sides.clone(),
            None if layer.between => between(map, &self.feature.name)?,
            None => self.traced(map, globe)?,
        };
        for (a, b) in sides {
            // A hexside that is a lake is no stream.
            let lake = map.grid().dir_between(a, b).is_some_and(|dir| map.sides_with("lake").has(a, dir));
            if !lake || feature == "lake" {
                map.add_side(feature, part, a, b)?;
            }
        }
        Ok(())
    }
}

impl Listed {
    /// The hexsides that its line runs along.
    fn traced(&self, map: &Map, globe: &Globe) -> Result<Vec<(Hex, Hex)>, String> {
        let line = match self.feature.shape.as_ref().map(|shape| globe.shape(shape)) {
            Some(Geometry::LineString(line)) => line,
            _ if self.hexes.is_some() => return Ok(Vec::new()),
            _ => return Err("expected a line, or a list of hexsides".to_owned()),
        };
        let (Some(&first), Some(&last)) = (line.0.first(), line.0.last()) else { return Ok(Vec::new()) };
        let grid = map.grid();
        let inside = |side: Hexside| {
            let (hex, beyond) = grid.side_hexes(side);
            map.contains(hex) && beyond.is_some_and(|beyond| map.contains(beyond))
        };
        let [starts, goals] = [first, last].map(|end| rivers::ends(grid, end, |_| true));
        let bed = Bed { lines: vec![line] };
        let chain = rivers::snap(grid, &bed, &starts, &goals, inside, &BTreeSet::new());
        let sides = chain.ok_or("no hexside lies along it")?;
        Ok(sides
            .iter()
            .filter_map(|&side| grid.side_hexes(side).1.map(|beyond| (side.hex(), beyond)))
            .collect())
    }
}

/// The sides between two areas, named `A / B`.
fn between(map: &Map, name: &str) -> Result<Vec<(Hex, Hex)>, String> {
    let area = |name: &str| map.area(name.trim()).ok_or_else(|| format!("there is no area {name}"));
    let (a, b) = name.split_once('/').ok_or("expected a name of the form `A / B`")?;
    let (a, b) = (area(a)?, area(b)?);
    Ok(a.hexes()
        .flat_map(|hex| map.neighbours(hex).map(move |(_, next)| (hex, next)))
        .filter(|&(_, next)| b.has(next))
        .collect())
}

impl Towns {
    /// Gives a town its hex: the one it lists, else the one it falls in or the nearest that is free.
    fn settle(
        &mut self,
        map: &mut Map,
        name: &str,
        hexes: &[Hex],
        listed: bool,
        report: &mut Report,
    ) -> Result<Vec<Hex>, String> {
        let &[wanted] = hexes else {
            return Err(format!("a place has one hex, and {name} has {}", hexes.len()));
        };
        if map.place(name).is_some() {
            return Err(format!("there is a {name} already"));
        }
        let hex = match self.at.get(&wanted) {
            Some(other) if listed => return Err(format!("{} is taken by {other}", map.label(wanted))),
            Some(_) => self.nearest_free(map, wanted).ok_or("no hex is free")?,
            None => wanted,
        };
        if hex != wanted {
            report.moved.push((name.to_owned(), map.label(wanted), map.label(hex)));
        }
        self.at.insert(hex, name.to_owned());
        map.add_place(name, hex)?;
        Ok(vec![hex])
    }

    fn nearest_free(&self, map: &Map, wanted: Hex) -> Option<Hex> {
        let free = map.hexes().filter(|&hex| is_land(map, hex) && !self.at.contains_key(&hex));
        free.min_by_key(|&hex| (map.grid().distance(wanted, hex), hex))
    }
}
