//! The map as the rules see it (6.2, 9.3): what each hex and hexside is, looked up once.

use board::{Hex, Map, Where};
use engine::case;
use engine::law::{About, Bar, Statute, Term, crossing, entering};

use crate::charts::{ByClass, Charts, Season, WeatherRow};
use crate::settings::Settings;
use crate::{Ground, HexSet, Mobility, Sides, Weather};

/// The ways of going from hex to hex, by their places in a statute.
pub(crate) const COUNTRY: usize = 0;
pub(crate) const PRIMARY: usize = 1;
pub(crate) const SECONDARY: usize = 2;
pub(crate) const RAIL: usize = 3;
pub(crate) const BRIDGE: usize = 4;

const MINOR: usize = 0;
const MAJOR: usize = 1;
const PROHIBITED: usize = 2;

/// What a map means to this rulebook.
pub(crate) struct Terrain {
    /// The row of the terrain chart, by [`Map::index`].
    rows: Vec<u8>,
    /// Hexes in play.
    pub(crate) area: HexSet,
    /// Hexes that some ground unit can be in.
    pub(crate) land: HexSet,
    pub(crate) fortifications: HexSet,
    /// Cities (14.18.a).
    pub(crate) cities: HexSet,
    pub(crate) sides: Sides,
    /// Hexes with a railroad, and those of them with a village or city (12.3c.b).
    pub(crate) rail: HexSet,
    pub(crate) stations: HexSet,
    /// What trains cross on multi-track lines, without low-capacity ones, and at all (12.3a).
    pub(crate) rails: [Sides; 3],
    /// Minor rivers, major rivers, prohibited hexsides.
    hexsides: [Sides; 3],
    /// The kinds of weather that the ground knows apart, and what a step costs in each by MP type.
    seasons: Vec<(Season, [Statute; 3])>,
    weather: Vec<WeatherRow>,
}

impl Terrain {
    /// Nothing when the map is too large: more than 64 lines of 64 hexes.
    pub(crate) fn new(map: &Map, charts: &Charts, settings: &Settings) -> Option<Terrain> {
        if !map.fits::<64, 1>() {
            return None;
        }
        let chart = &charts.terrain;
        let place = |name: &str| chart.rows.iter().position(|row| row.name == name).unwrap_or(0);
        let rows: Vec<u8> = map
            .grid()
            .hexes()
            .map(|hex| if map.contains(hex) { place(map.terrain_name(map.terrain(hex))) as u8 } else { 0 })
            .collect();
        let area = settings.area.unwrap_or(HexSet::all(map));
        let side = |name: &str| Sides::of(map, &[map.sides_with(name)]);
        let lines = ["railroad_multi", "railroad", "railroad_low"].map(|name| map.links_with(name));
        let rail: HexSet = map.hexes().filter(|hex| lines.iter().any(|line| line.touches(*hex))).collect();
        let city = |hex: &Hex| map.terrain_name(map.terrain(*hex)).ends_with("_city");
        let villages = HexSet::from_layer(map.hexes_with("village"));
        let mut terrain = Terrain {
            area,
            land: map.hexes().filter(|hex| passable(map, charts, &rows, *hex)).collect(),
            fortifications: HexSet::from_layer(map.hexes_with("fortification")),
            cities: map.hexes().filter(|hex| is_city(map, *hex)).collect(),
            sides: Sides::all(map)?,
            stations: rail.iter().filter(|hex| city(hex) || villages.contains(*hex)).collect(),
            rail,
            rails: [
                Sides::crossed(map, &lines[..1])?,
                Sides::crossed(map, &lines[..2])?,
                Sides::crossed(map, &lines)?,
            ],
            hexsides: [side("minor_river")?, side("major_river")?, side("prohibited")?],
            seasons: Vec::new(),
            weather: charts.weather.clone(),
            rows,
        };
        for row in &charts.weather {
            if terrain.seasons.iter().all(|(season, _)| *season != row.ground) {
                let statutes = terrain.statutes(map, charts, row.ground)?;
                terrain.seasons.push((row.ground, statutes));
            }
        }
        Some(terrain)
    }

    fn statutes(&self, map: &Map, charts: &Charts, season: Season) -> Option<[Statute; 3]> {
        let statute = |mobility| self.statute(map, charts, season, mobility);
        Some([statute(Mobility::Leg)?, statute(Mobility::Track)?, statute(Mobility::Truck)?])
    }

    /// What never changes about a step while the weather lasts: terrain, rivers, roads (6.2).
    fn statute(&self, map: &Map, charts: &Charts, season: Season, mobility: Mobility) -> Option<Statute> {
        let (chart, by) = (&charts.terrain, mobility as usize);
        let open = chart.rows.iter().find(|row| row.name == "open");
        let ground = |place: usize| -> HexSet {
            map.hexes().filter(|hex| usize::from(self.rows[map.index(*hex)]) == place).collect()
        };
        let grounds: Vec<HexSet> = (0..chart.rows.len()).map(ground).collect();
        let outside = HexSet::all(map) - self.area;
        let links = ["primary_road", "secondary_road", "railroad", "railroad_multi", "railroad_low"]
            .map(|name| map.links_with(name));
        let ways = [
            self.sides.clone(),
            Sides::crossed(map, &[links[0]])?,
            Sides::crossed(map, &[links[1]])?,
            Sides::crossed(map, &links[2..])?,
            Sides::of(map, &[map.sides_with("minor_river"), map.sides_with("major_river")])?,
        ];
        let mut terms: Vec<Term<'_>> = Vec::new();
        if !outside.is_empty() {
            let bar = Bar::new(case("GC.1C"), "{} is not in play", [About::To]);
            terms.push(Term::bar(entering(&outside), bar));
        }
        for (hexes, row) in grounds.iter().zip(&chart.rows).filter(|(hexes, _)| !hexes.is_empty()) {
            let terrain = hexes.first().map(|hex| map.terrain(hex));
            let row = if season.hard && row.name == "swamp" { open.unwrap_or(row) } else { row };
            match (row.costs[by], terrain) {
                (Some(cost), _) => {
                    let price = Term::price(entering(hexes), "terrain", cost, case("6.2"));
                    terms.extend([price.by(COUNTRY), price.by(BRIDGE)]);
                }
                (None, Some(terrain)) => {
                    let about = [About::To, About::Fact(terrain.into())];
                    let bar = Bar::new(case("6.2c"), "{} may be entered by road or railroad only: {}", about);
                    let bar = Term::bar(entering(hexes), bar);
                    terms.extend([bar.by(COUNTRY), bar.by(BRIDGE)]);
                }
                (None, None) => {}
            }
        }
        let fort = chart.fortification[by];
        let fort = Term::price(entering(&self.fortifications), "fortification", fort, case("16.0c"));
        terms.extend([fort.by(COUNTRY), fort.by(BRIDGE)]);
        let names = ["minor river", "major river"];
        for (place, sides) in self.hexsides.iter().enumerate() {
            let now = if place == PROHIBITED { Some(PROHIBITED) } else { season.rivers[place] };
            let Some(now) = now else { continue };
            // With a bridge a major river is a minor one, and a minor river nothing (12.8a.a, 12.8a.b).
            if let Some(cost) = (now == MAJOR).then_some(chart.hexsides[MINOR].costs[by]).flatten() {
                terms.push(Term::price(crossing(sides), "bridged river", cost, case("12.8a.a")).by(BRIDGE));
            }
            match chart.hexsides[now].costs[by] {
                Some(cost) => {
                    let what = names.get(now).copied().unwrap_or("hexside");
                    terms.push(Term::price(crossing(sides), what, cost, case("6.2b")).by(COUNTRY));
                }
                None => {
                    let about = [About::From, About::To];
                    let bar = Bar::new(case("6.2c"), "nobody crosses from {} to {} without a bridge", about);
                    terms.push(Term::bar(crossing(sides), bar).by(COUNTRY));
                }
            }
        }
        let everywhere = Where::EVERYWHERE;
        for (way, what, path) in
            [(PRIMARY, "primary road", 0), (SECONDARY, "secondary road", 1), (RAIL, "railroad", 2)]
        {
            let cost = chart.paths[path][by];
            terms.push(Term::price(everywhere, what, cost, case("6.2a.a")).by(way));
        }
        if !season.secondary_roads {
            let bar = Bar::plain(case("18.0a"), "secondary roads cannot be used in this weather");
            terms.push(Term::bar(everywhere, bar).by(SECONDARY));
        }
        Statute::new(map, &[&ways[0], &ways[1], &ways[2], &ways[3], &ways[4]], &terms)
    }

    /// What the weather does; fine weather where the chart does not have it.
    pub(crate) fn weather(&self, weather: Weather) -> Option<&WeatherRow> {
        self.weather.iter().find(|row| row.weather == weather).or(self.weather.first())
    }

    pub(crate) fn law(&self, weather: Weather, mobility: Mobility) -> Option<&Statute> {
        let season = self.weather(weather)?.ground;
        let known = self.seasons.iter().find(|(known, _)| *known == season);
        known.map(|(_, statutes)| &statutes[mobility as usize])
    }

    /// The class of terrain of a hex (9.3).
    pub(crate) fn class(&self, map: &Map, charts: &Charts, hex: Hex) -> Ground {
        charts.terrain.rows[usize::from(self.rows[map.index(hex)])].class
    }

    /// What the hexside between two hexes does to attackers (9.4b.a), as the weather has it.
    pub(crate) fn crossing(&self, charts: &Charts, weather: Weather, from: Hex, to: Hex) -> Option<ByClass> {
        let season = self.weather(weather)?.ground;
        let place = self.hexsides.iter().position(|sides| sides.between(from, to))?;
        let now = if place == PROHIBITED { Some(PROHIBITED) } else { season.rivers[place] };
        now.map(|now| charts.terrain.hexsides[now].attack)
    }
}

fn is_city(map: &Map, hex: Hex) -> bool {
    matches!(map.terrain_name(map.terrain(hex)), "minor_city" | "major_city")
}

/// Some ground unit can be in the hex: across country, or on a road or railroad.
fn passable(map: &Map, charts: &Charts, rows: &[u8], hex: Hex) -> bool {
    let row = &charts.terrain.rows[usize::from(rows[map.index(hex)])];
    let linked = ["primary_road", "secondary_road", "railroad", "railroad_multi", "railroad_low"]
        .iter()
        .any(|name| map.links_with(name).touches(hex));
    linked || row.costs.iter().any(Option::is_some)
}
