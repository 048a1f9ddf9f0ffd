//! The map as the rules see it: what each hex and hexside is, looked up once.

use board::{Dir, Hex, Map, Mp, SideLayer};
use engine::law::{About, Bar, Statute, Term, crossing, entering};
use engine::{Side, case};

use crate::charts::{Charts, Passage, TerrainRow, by_class};
use crate::settings::Settings;
use crate::{Arm, HexSet, LINES, Sides, Tariff, Weather};

/// A major river by its name, or one chain of hexsides without a name (R27).
pub(crate) struct River {
    pub(crate) name: String,
    pub(crate) sides: Sides,
    /// The hexes along it.
    pub(crate) banks: HexSet,
}

/// What a map means to this rulebook.
pub(crate) struct Ground {
    /// The row of the terrain chart, by [`Map::index`].
    rows: Vec<u8>,
    /// Every hex of the map.
    pub(crate) all: HexSet,
    /// Hexes in play that units can be in.
    pub(crate) land: HexSet,
    pub(crate) cities: HexSet,
    pub(crate) no_overrun: HexSet,
    pub(crate) field_fort: HexSet,
    pub(crate) interdiction: HexSet,
    pub(crate) stops_advance: HexSet,
    pub(crate) no_specialist: HexSet,
    /// Hexes that heavy armor enters by road only.
    pub(crate) not_for_heavy: HexSet,
    pub(crate) rails: HexSet,
    /// Hexes that a line of supply may pass (8.1b).
    pub(crate) traceable: HexSet,
    pub(crate) all_sides: Sides,
    pub(crate) no_sides: Sides,
    /// Hexsides that units may cross at all: not all-sea, all-lake (R25).
    pub(crate) open_sides: Sides,
    /// Hexsides that zones of control cross (9.0a).
    pub(crate) zoc_sides: Sides,
    /// Hexsides that lines of supply cross (8.1b, 8.1c), before and after a demolition.
    supply_sides: [Sides; 2],
    pub(crate) rivers: Vec<River>,
    pub(crate) major: SideLayer,
    pub(crate) minor: SideLayer,
    /// Printed crossings of major rivers that are blown (R71), before and after a demolition.
    blown: [Sides; 2],
    pub(crate) road_sides: Sides,
    pub(crate) rail_sides: Sides,
    /// Hexsides that a road or railroad crosses.
    pub(crate) line_sides: Sides,
    /// By weather and by who moves.
    statutes: Vec<[Statute<LINES, 1>; 5]>,
    /// What a step costs at least without bridging units, by weather, before and after a demolition, and by who moves.
    cheapest: Vec<[Vec<Tariff>; 2]>,
}

/// Who pays what for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Leg,
    Mechanized,
    /// Heavy armor, which keeps to the road in swamps.
    Heavy,
    /// A train, which keeps to the rails.
    Train,
    /// Anybody who arrives by rail (7.0h).
    Arrival,
}

impl Mover {
    /// In the order of the statutes.
    const ALL: [Mover; 5] = [Mover::Leg, Mover::Mechanized, Mover::Heavy, Mover::Train, Mover::Arrival];

    pub(crate) const fn is_mechanized(self) -> bool {
        matches!(self, Mover::Mechanized | Mover::Heavy)
    }

    /// Goes by rail and no other way.
    pub(crate) const fn is_on_rails(self) -> bool {
        matches!(self, Mover::Train | Mover::Arrival)
    }
}

/// The ways of going from hex to hex, by their places in a statute.
pub(crate) const COUNTRY: usize = 0;
pub(crate) const ROAD: usize = 1;
pub(crate) const RAIL: usize = 2;
/// Over a major river by a bridging unit.
pub(crate) const BRIDGE: usize = 3;

/// What a railroad hex costs on arrival: half a point (7.0h).
pub(crate) const ARRIVAL: Mp = Mp::twelfths(6);

impl Ground {
    /// Nothing when the map is too large: more than [`LINES`] columns of 64 hexes.
    pub(crate) fn new(map: &Map, charts: &Charts, settings: &Settings) -> Option<Ground> {
        if !map.fits::<LINES, 1>() {
            return None;
        }
        let place = |name: &str| charts.terrain.iter().position(|row| row.name == name).unwrap_or(0);
        let rows: Vec<u8> = map
            .grid()
            .hexes()
            .map(|hex| if map.contains(hex) { place(map.terrain_name(map.terrain(hex))) as u8 } else { 0 })
            .collect();
        let of = |holds: &dyn Fn(&TerrainRow) -> bool| -> HexSet {
            map.hexes().filter(|hex| holds(&charts.terrain[usize::from(rows[map.index(*hex)])])).collect()
        };
        let area = settings.area.unwrap_or(HexSet::all(map));
        let land = of(&|row| row.costs.is_some()) & area;
        let (road, rail) = (map.links_with("road"), map.links_with("railroad"));
        let lined: HexSet = map.hexes().filter(|hex| road.touches(*hex) || rail.touches(*hex)).collect();
        let by_road = of(&|row| row.supply == Passage::ByRoad) & lined;
        let traceable = (of(&|row| row.supply == Passage::Open) | by_road) & land;
        let (sea, lake) = (map.sides_with("all_sea"), map.sides_with("all_lake"));
        let (major, minor) = (map.sides_with("major_river").clone(), map.sides_with("minor_river").clone());
        let major_cities = of(&|row| row.name == "major_city");
        let demolished = settings.special.demolition.iter().flat_map(|demolition| demolition.bridges.iter());
        let blown_pairs: [Vec<(Hex, Hex)>; 2] =
            [settings.blown.clone(), settings.blown.iter().chain(demolished).copied().collect()];
        let is_blown = |stage: usize, a: Hex, b: Hex| {
            blown_pairs[stage].iter().any(|pair| *pair == (a, b) || *pair == (b, a))
        };
        let crossed = |hex: Hex, dir: Dir| road.has(hex, dir) || rail.has(hex, dir);
        // What is closed to supply: water, and major rivers without a crossing (8.1b1, 8.1c).
        let supply = |stage: usize| {
            Sides::new(map, |hex, dir| {
                let Some(to) = map.neighbour(hex, dir) else { return true };
                let in_city = major_cities.contains(hex) && major_cities.contains(to);
                let bridged = crossed(hex, dir) && !is_blown(stage, hex, to);
                sea.has(hex, dir) || lake.has(hex, dir) || major.has(hex, dir) && !in_city && !bridged
            })
        };
        let only = |stage: usize| {
            Sides::new(map, |hex, dir| map.neighbour(hex, dir).is_none_or(|to| !is_blown(stage, hex, to)))
        };
        let open_sides = Sides::without(map, &[sea, lake])?;
        let road_sides = Sides::crossed(map, &[road])?;
        let rail_sides = Sides::crossed(map, &[rail])?;
        let statute = |weather: Weather, mover: Mover| {
            statute(map, charts, &rows, (&open_sides, &road_sides, &rail_sides), (weather, mover))
        };
        let statutes = Weather::ALL.iter().map(|weather| {
            let [leg, mechanized, heavy, train, arrival] = Mover::ALL.map(|mover| statute(*weather, mover));
            Some([leg?, mechanized?, heavy?, train?, arrival?])
        });
        let statutes = statutes.collect::<Option<Vec<_>>>()?;
        let blown = [only(0)?, only(1)?];
        let cheapest = |statutes: &[Statute<LINES, 1>; 5], stage: usize| -> Option<Vec<Tariff>> {
            let tariffs = Mover::ALL.into_iter().zip(statutes).map(|(mover, statute)| {
                let stands = |from: Hex, to: Hex| !blown[stage].between(from, to);
                statute.cheapest(map, |way, from, to| match way {
                    COUNTRY if !mover.is_on_rails() => true,
                    BRIDGE => false,
                    _ => stands(from, to),
                })
            });
            tariffs.collect()
        };
        let cheapest = statutes
            .iter()
            .map(|statutes| Some([cheapest(statutes, 0)?, cheapest(statutes, 1)?]))
            .collect::<Option<Vec<_>>>()?;
        Some(Ground {
            all: HexSet::all(map),
            all_sides: Sides::all(map)?,
            no_sides: Sides::new(map, |_, _| true)?,
            land,
            cities: of(&|row| !row.zoc && row.costs.is_some()),
            no_overrun: of(&|row| !row.overrun),
            field_fort: of(&|row| row.field_fort),
            interdiction: of(&|row| row.interdiction) & land,
            stops_advance: of(&|row| row.stops_advance),
            no_specialist: of(&|row| !row.specialist),
            not_for_heavy: of(&|row| !row.heavy),
            rails: map.hexes().filter(|hex| rail.touches(*hex)).collect(),
            traceable,
            zoc_sides: Sides::without(map, &[sea, lake, &major])?,
            supply_sides: [supply(0)?, supply(1)?],
            rivers: rivers(map, &major)?,
            blown,
            cheapest,
            line_sides: Sides::crossed(map, &[road, rail])?,
            open_sides,
            road_sides,
            rail_sides,
            major,
            minor,
            statutes,
            rows,
        })
    }

    pub(crate) fn row<'c>(&self, map: &Map, charts: &'c Charts, hex: Hex) -> &'c TerrainRow {
        &charts.terrain[usize::from(self.rows[map.index(hex)])]
    }

    pub(crate) fn supply_sides(&self, demolished: bool) -> &Sides {
        &self.supply_sides[usize::from(demolished)]
    }

    pub(crate) fn blown(&self, demolished: bool) -> &Sides {
        &self.blown[usize::from(demolished)]
    }

    pub(crate) fn statute(&self, weather: Weather, mover: Mover) -> &Statute<LINES, 1> {
        &self.statutes[weather as usize][mover as usize]
    }

    pub(crate) fn cheapest(&self, weather: Weather, demolished: bool, mover: Mover) -> &Tariff {
        &self.cheapest[weather as usize][usize::from(demolished)][mover as usize]
    }

    /// True for the two sides of a major river.
    pub(crate) fn is_major(&self, map: &Map, a: Hex, b: Hex) -> bool {
        map.grid().dir_between(a, b).is_some_and(|dir| self.major.has(a, dir))
    }

    /// True for the two sides of a minor river.
    pub(crate) fn is_minor(&self, map: &Map, a: Hex, b: Hex) -> bool {
        map.grid().dir_between(a, b).is_some_and(|dir| self.minor.has(a, dir))
    }

    /// A printed crossing that still stands (R26, R71).
    pub(crate) fn has_crossing(&self, demolished: bool, a: Hex, b: Hex) -> bool {
        self.line_sides.between(a, b) && !self.blown(demolished).between(a, b)
    }
}

/// How a unit of a type moves.
pub(crate) fn mover(arm: Arm, mechanized: bool, rail_bound: bool) -> Mover {
    match arm {
        Arm::ArmoredTrain if rail_bound => Mover::Train,
        Arm::HeavyArmor => Mover::Heavy,
        _ if mechanized => Mover::Mechanized,
        _ => Mover::Leg,
    }
}

/// What never changes about a step: terrain, rivers, roads (10.1a, 10.1i).
fn statute(
    map: &Map,
    charts: &Charts,
    rows: &[u8],
    (open, road, rail): (&Sides, &Sides, &Sides),
    (weather, mover): (Weather, Mover),
) -> Option<Statute<LINES, 1>> {
    let class = by_class(mover.is_mechanized());
    let of = |row: usize| -> HexSet {
        map.hexes().filter(|hex| usize::from(rows[map.index(*hex)]) == row).collect()
    };
    let grounds: Vec<(HexSet, &TerrainRow)> =
        charts.terrain.iter().enumerate().map(|(row, effect)| (of(row), effect)).collect();
    let major = Sides::of(map, &[map.sides_with("major_river")])?;
    let minor = Sides::of(map, &[map.sides_with("minor_river")])?;
    let chart = charts.weather(weather);
    let mut terms: Vec<Term<'_, LINES, 1>> = Vec::new();
    for (hexes, row) in &grounds {
        let terrain = map.hexes().find(|hex| hexes.contains(*hex)).map(|hex| map.terrain(hex));
        let Some(terrain) = terrain else { continue };
        let closed = |sentence| Bar::new(case("10.1a2"), sentence, [About::To, About::Fact(terrain.into())]);
        match row.costs {
            None => terms.push(Term::bar(entering(hexes), closed("no unit may enter {}: {}"))),
            Some(costs) if !mover.is_on_rails() => {
                for way in [COUNTRY, BRIDGE] {
                    terms.push(Term::price(entering(hexes), "terrain", costs[class], case("10.1a2")).by(way));
                }
                if mover == Mover::Heavy && !row.heavy {
                    let bar = closed("heavy armor enters {} by road only: {}");
                    terms.push(Term::bar(entering(hexes), bar).by(COUNTRY));
                    terms.push(Term::bar(entering(hexes), bar).by(BRIDGE));
                }
            }
            Some(_) => {}
        }
    }
    let everywhere = board::Where::EVERYWHERE;
    if mover.is_on_rails() {
        terms.push(match mover {
            Mover::Arrival => Term::price(everywhere, "arriving by rail", ARRIVAL, case("7.0h")),
            _ => Term::price(everywhere, "railroad", charts.rail, case("10.1i")),
        });
        return Statute::new(map, &[rail], &terms);
    }
    terms.push(
        Term::price(crossing(&major), "major river", charts.major.costs[class], case("10.1a2")).by(COUNTRY),
    );
    terms.push(
        Term::price(crossing(&minor), "minor river", charts.minor.costs[class], case("10.1a2")).by(COUNTRY),
    );
    terms.push(Term::price(everywhere, "road", chart.road, case("10.1i")).by(ROAD));
    terms.push(Term::price(everywhere, "railroad", charts.rail, case("10.1i")).by(RAIL));
    if chart.off_road > Mp::ZERO {
        for way in [COUNTRY, BRIDGE] {
            terms.push(Term::price(everywhere, "weather", chart.off_road, case("6.0e4")).by(way));
        }
    }
    Statute::new(map, &[open, road, rail, &major], &terms)
}

/// The major rivers: by name, and what has no name by what hangs together (R27).
fn rivers(map: &Map, major: &SideLayer) -> Option<Vec<River>> {
    let grid = map.grid();
    let mut chains: Vec<(String, Vec<(Hex, Hex)>)> = Vec::new();
    for part in major.parts() {
        let sides: Vec<(Hex, Hex)> = part
            .items
            .iter()
            .filter_map(|side| {
                let (a, b) = grid.side_hexes(*side);
                Some((a, b?))
            })
            .collect();
        if !part.name.is_empty() {
            chains.push((part.name.clone(), sides));
            continue;
        }
        let corners = |(a, b): (Hex, Hex)| grid.side(a, b).map(|side| grid.side_corners(side));
        let meet = |one: (Hex, Hex), other: (Hex, Hex)| match (corners(one), corners(other)) {
            (Some(one), Some(other)) => one.iter().any(|corner| other.contains(corner)),
            _ => false,
        };
        let mut loose: Vec<Vec<(Hex, Hex)>> = Vec::new();
        for side in sides {
            let (mut joined, rest): (Vec<_>, Vec<_>) =
                loose.into_iter().partition(|chain| chain.iter().any(|other| meet(side, *other)));
            let mut chain: Vec<(Hex, Hex)> = joined.drain(..).flatten().collect();
            chain.push(side);
            loose = rest;
            loose.push(chain);
        }
        chains.extend(loose.into_iter().map(|chain| (String::new(), chain)));
    }
    let river = |(name, chain): (String, Vec<(Hex, Hex)>)| {
        let has = |a: Hex, b: Hex| chain.iter().any(|pair| *pair == (a, b) || *pair == (b, a));
        let sides = Sides::new(map, |hex, dir| map.neighbour(hex, dir).is_none_or(|to| !has(hex, to)))?;
        Some(River { name, sides, banks: chain.iter().flat_map(|(a, b)| [*a, *b]).collect() })
    };
    chains.into_iter().map(river).collect()
}

/// The side that a fortress of the settings benefits, in a hex.
pub(crate) fn fortress_in(settings: &Settings, hex: Hex) -> Option<(usize, Side)> {
    let found = settings.fortresses.iter().enumerate().find(|(_, (place, _))| *place == hex);
    found.map(|(place, (_, side))| (place, *side))
}
