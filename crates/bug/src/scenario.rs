//! 10, 7.8: what a scenario sets: its length, its part of the map, its forces, its victory conditions.

use board::{Hex, Map};
use engine::situation;
use source::{Item, Table, Writer};

use crate::HexSet;

/// What a scenario or situation lays down for the whole game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scenario {
    pub(crate) last_turn: u8,
    /// How many activations the surprise attack has (10.2b).
    pub(crate) surprise: u8,
    /// The corners of the part of the map that is played on.
    bounds: Option<(Hex, Hex)>,
    /// The names of the formations in play, when not all are.
    pub(crate) formations: Option<Vec<String>>,
    /// The edge hexes next to the supply areas, where they are not those of the map.
    supply: Option<SupplyAreas>,
    pub(crate) victory: Victory,
}

/// Edge hexes next to supply areas (5.7.1e).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SupplyAreas {
    pub(crate) german: HexSet,
    pub(crate) north: HexSet,
    pub(crate) south: HexSet,
    pub(crate) east: HexSet,
}

/// Victory conditions (7.8c, R74).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Victory {
    /// Hexes and what they are worth to the German side.
    pub(crate) hexes: Vec<(Hex, u8)>,
    /// A point for so many Soviet units eliminated.
    pub(crate) soviet_units: u8,
    /// A point less for so many German units eliminated.
    pub(crate) german_units: u8,
    /// The least points of a German decisive and marginal victory, a draw and a Soviet marginal victory.
    pub(crate) bands: [i16; 4],
}

impl Default for Victory {
    fn default() -> Self {
        Victory { hexes: Vec::new(), soviet_units: 4, german_units: 2, bands: [4, 2, 0, -2] }
    }
}

const BANDS: [&str; 4] = ["german_decisive", "german_marginal", "draw", "soviet_marginal"];
const AREAS: [(&str, &str); 4] = [
    ("german", "German Supply Area (west)"),
    ("north", "Northern Soviet Supply Area"),
    ("south", "Southern Soviet Supply Area"),
    ("east", "Eastern Soviet Supply Area"),
];

impl SupplyAreas {
    fn new(area: impl Fn(usize) -> HexSet) -> SupplyAreas {
        SupplyAreas { german: area(0), north: area(1), south: area(2), east: area(3) }
    }

    fn list(&self) -> [HexSet; 4] {
        [self.german, self.north, self.south, self.east]
    }
}

impl Scenario {
    pub(crate) fn read(root: &Table<'_>, map: &Map) -> Option<Scenario> {
        let last_turn = root.get("last_turn").map_or(Some(7), |item| item.int(1..=20u8));
        let surprise = root.get("surprise").map_or(Some(0), |item| item.int(0..=3u8));
        let bounds = root.get("bounds").map(|item| read_bounds(&item, map));
        let formations = root
            .get("formations")
            .map(|item| item.words().iter().filter_map(|word| word.str()).map(str::to_owned).collect());
        let supply = root.get("supply").and_then(|item| item.table()).map(|table| {
            let areas = SupplyAreas::new(|i| {
                table
                    .get(AREAS[i].0)
                    .map(|item| situation::read_hexes(&item, map).into_iter().collect())
                    .unwrap_or_default()
            });
            table.done();
            areas
        });
        let victory = match root.get("victory").and_then(|item| item.table()) {
            Some(table) => read_victory(&table, map),
            None => Victory::default(),
        };
        Some(Scenario {
            last_turn: last_turn?,
            surprise: surprise?,
            bounds: match bounds {
                Some(bounds) => Some(bounds?),
                None => None,
            },
            formations,
            supply,
            victory,
        })
    }

    pub(crate) fn write_head(&self, map: &Map, out: &mut Writer) {
        out.field("last_turn", i64::from(self.last_turn));
        if self.surprise > 0 {
            out.field("surprise", i64::from(self.surprise));
        }
        if let Some((a, b)) = self.bounds {
            out.field("bounds", format!("{} {}", map.label(a), map.label(b)));
        }
        if let Some(formations) = &self.formations {
            out.words("formations", formations);
        }
    }

    pub(crate) fn write_tables(&self, map: &Map, out: &mut Writer) {
        if let Some(supply) = &self.supply {
            out.table("supply");
            for ((key, _), hexes) in AREAS.iter().zip(supply.list()) {
                if !hexes.is_empty() {
                    out.words(key, hexes.iter().map(|hex| map.label(hex)));
                }
            }
        }
        let victory = &self.victory;
        if *victory != Victory::default() {
            out.table("victory");
            out.words(
                "hexes",
                victory.hexes.iter().map(|(hex, value)| format!("{}={value}", map.label(*hex))),
            );
            out.field("soviet_units", i64::from(victory.soviet_units));
            out.field("german_units", i64::from(victory.german_units));
            for (key, points) in BANDS.iter().zip(victory.bands) {
                out.field(key, i64::from(points));
            }
        }
    }

    /// The hexes in play.
    pub(crate) fn land(&self, map: &Map) -> HexSet {
        let inside = |hex: &Hex| {
            self.bounds.is_none_or(|(a, b)| {
                (a.line()..=b.line()).contains(&hex.line()) && (a.pos()..=b.pos()).contains(&hex.pos())
            })
        };
        map.hexes().filter(inside).collect()
    }

    /// The supply areas: the scenario's own, or the map's.
    pub(crate) fn supply(&self, map: &Map) -> SupplyAreas {
        self.supply.unwrap_or_else(|| {
            SupplyAreas::new(|i| map.area(AREAS[i].1).map(HexSet::from_layer).unwrap_or_default())
        })
    }
}

fn read_bounds(item: &Item<'_>, map: &Map) -> Option<(Hex, Hex)> {
    let corners: Vec<Hex> =
        item.words().iter().filter_map(|word| word.parse(|label| map.hex(label))).collect();
    match corners[..] {
        [a, b] if a.line() <= b.line() && a.pos() <= b.pos() => Some((a, b)),
        _ => {
            item.fault("expected two corners: north-west and south-east");
            None
        }
    }
}

fn read_victory(table: &Table<'_>, map: &Map) -> Victory {
    let mut victory = Victory::default();
    for word in table.need("hexes").map(|item| item.words()).unwrap_or_default() {
        let pair = word.parse(|text| {
            let (label, value) =
                text.split_once('=').ok_or_else(|| format!("`{text}` is not HEX=VALUE, such as 1009=2"))?;
            let value = value.parse().map_err(|_| format!("`{value}` is no value from 0 to 255"))?;
            Ok::<_, String>((map.hex(label)?, value))
        });
        victory.hexes.extend(pair);
    }
    if let Some(units) = table.need("soviet_units").and_then(|item| item.int(1..=99u8)) {
        victory.soviet_units = units;
    }
    if let Some(units) = table.need("german_units").and_then(|item| item.int(1..=99u8)) {
        victory.german_units = units;
    }
    for (i, key) in BANDS.iter().enumerate() {
        if let Some(item) = table.need(key)
            && let Some(points) = item.int(-99..=99i16)
        {
            if i > 0 && points >= victory.bands[i - 1] {
                item.fault("each verdict needs fewer points than the one before");
            }
            victory.bands[i] = points;
        }
    }
    table.done();
    victory
}
