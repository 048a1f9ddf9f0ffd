//! The map as the rules see it: what each hex and hexside is, looked up once.

use board::{Hex, HexSet, Map, Mp, Sides, flood};
use engine::case;
use engine::law::{About, Bar, Statute, Term, crossing, entering};

use crate::charts::{TerrainChart, TerrainEffect};

/// What a map means to this rulebook.
pub(crate) struct Ground {
    /// By [`Map::index`].
    effects: Vec<TerrainEffect>,
    width: usize,
    /// What never changes about a step, by [`Payer`].
    statutes: [Statute; 3],
    /// Hexes that units can be in.
    pub(crate) land: HexSet,
    pub(crate) western_pripyat: HexSet,
    pub(crate) towns: HexSet,
    pub(crate) cities: HexSet,
    pub(crate) german_entrenchments: HexSet,
    pub(crate) soviet_entrenchments: HexSet,
    pub(crate) partisans: HexSet,
    pub(crate) ports: Vec<Hex>,
    /// Within six hexes of each port, as the crow flies, and of any of them.
    pub(crate) port_ranges: Vec<HexSet>,
    pub(crate) near_ports: HexSet,
    pub(crate) koenigsberg: Option<Hex>,
    pub(crate) german_sources: HexSet,
    pub(crate) soviet_sources: HexSet,
    pub(crate) nu_entry: HexSet,
    pub(crate) uf_area: HexSet,
    /// Where units of 1st Ukrainian Front may not be while it is confined to its area and the Soviet side of the
    /// entrenchments (10.2b, 10.2d, R41).
    pub(crate) beyond_uf: HexSet,
    pub(crate) baltic_coast: HexSet,
    pub(crate) south_edge: HexSet,
    /// Land north of the Dvina (10.4f).
    pub(crate) north_of_dvina: HexSet,
    /// Soviet when play begins (3.3b).
    pub(crate) soviet_at_start: HexSet,
    /// The two hexes of the narrows (9.8).
    pub(crate) narrows: Option<(Hex, Hex)>,
    /// Every hexside: zones of control cross all of them (8.1a).
    pub(crate) all_sides: Sides,
    /// Hexsides that supply may cross: not lake, sea or narrows (7.2e, 7.2f).
    pub(crate) dry_sides: Sides,
    /// Those that are not borders (7.8).
    pub(crate) inner_sides: Sides,
    /// Dry sides and the narrows.
    pub(crate) sides_with_narrows: Sides,
    /// Rivers, lakes, sea and narrows (11.9b, R10).
    pub(crate) wet_sides: Sides,
    pub(crate) narrows_side: Sides,
}

/// Who pays what for a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payer {
    /// German units, which pay for partisans (9.9a).
    German,
    /// Soviet units.
    Soviet,
    /// Cav-mech groups, to which forest and marsh are like clear ground (12.3a).
    CavMech,
}

/// How many ports a state can remember the loss of (7.9n).
pub(crate) const MAX_PORTS: usize = 16;

/// How far a port supplies (7.9d).
pub(crate) const PORT_RANGE: u32 = 6;

impl Ground {
    /// Where Soviet control counts: towns, cities and the coast (4.3).
    pub(crate) fn worth_points(&self) -> HexSet {
        self.towns | self.cities | self.baltic_coast
    }

    /// Nothing when the map is too large: more than 64 lines of 64 hexes, or more than [`MAX_PORTS`].
    pub(crate) fn new(map: &Map, chart: &TerrainChart) -> Option<Ground> {
        if !map.fits::<64, 1>() || map.hexes_with("port").len() > MAX_PORTS {
            return None;
        }
        let effects: Vec<TerrainEffect> = map
            .grid()
            .hexes()
            .map(|hex| {
                let on_map = map.contains(hex);
                let name = on_map.then(|| map.terrain_name(map.terrain(hex)));
                name.and_then(|name| chart.effect(name)).unwrap_or_default()
            })
            .collect();
        let outside: HexSet = map.area("out of play").map(HexSet::from_layer).unwrap_or_default();
        let land: HexSet = map
            .hexes()
            .filter(|hex| effects[map.index(*hex)].cost.is_some() && !outside.contains(*hex))
            .collect();
        let western_pripyat = map.terrain_named("western_pripyat");
        let feature = |name: &str| HexSet::from_layer(map.hexes_with(name));
        let area = |name: &str| map.area(name).map(HexSet::from_layer).unwrap_or_default();
        let (lake, sea, narrows) = (map.sides_with("lake"), map.sides_with("sea"), map.sides_with("narrows"));
        let border = map.sides_with("border");
        let partisans = feature("partisan");
        let ports: Vec<Hex> = map.hexes_with("port").hexes().collect();
        let range =
            |port: &Hex| map.hexes().filter(|hex| map.grid().distance(*port, *hex) <= PORT_RANGE).collect();
        let port_ranges: Vec<HexSet> = ports.iter().map(range).collect();
        let dry_sides = Sides::without(map, &[lake, sea, narrows])?;
        let soviet_entrenchments = feature("soviet_entrenchment");
        // The German side of the lines is what can be reached over land from Vitebsk (R46).
        let west: HexSet = map.place("Vitebsk").into_iter().collect();
        let german_at_start = flood(&west, &(land - soviet_entrenchments), &dry_sides);
        let soviet_at_start = if west.is_empty() { HexSet::EMPTY } else { land - german_at_start };
        let pair = map.hexes().find_map(|hex| {
            let dir = narrows.dirs(hex).next()?;
            Some((hex, map.neighbour(hex, dir)?))
        });
        Some(Ground {
            width: map.grid().width(),
            land,
            western_pripyat: western_pripyat
                .map(|terrain| HexSet::with_terrain(map, terrain))
                .unwrap_or_default(),
            towns: feature("town"),
            cities: feature("city"),
            german_entrenchments: feature("german_entrenchment"),
            soviet_entrenchments,
            partisans,
            near_ports: port_ranges.iter().fold(HexSet::EMPTY, |all, range| all | *range),
            port_ranges,
            ports,
            koenigsberg: map.place("Koenigsberg"),
            german_sources: area("German supply"),
            soviet_sources: area("Soviet supply"),
            nu_entry: area("NU entry"),
            uf_area: area("1UF"),
            beyond_uf: land - area("1UF") - soviet_at_start,
            baltic_coast: area("Baltic coast"),
            south_edge: map.edge("south").unwrap_or_default().iter().copied().collect(),
            north_of_dvina: area("North of the Dvina"),
            soviet_at_start,
            narrows: pair,
            all_sides: Sides::all(map)?,
            inner_sides: Sides::without(map, &[lake, sea, narrows, border])?,
            sides_with_narrows: Sides::without(map, &[lake, sea])?,
            dry_sides,
            wet_sides: Sides::of(map, &[map.sides_with("river"), lake, sea, narrows])?,
            narrows_side: Sides::of(map, &[narrows])?,
            statutes: statutes(map, chart, land, partisans)?,
            effects,
        })
    }

    pub(crate) fn effect(&self, hex: Hex) -> TerrainEffect {
        self.effects[self.index(hex)]
    }

    /// What never changes about the steps of a unit.
    pub(crate) fn statute(&self, payer: Payer) -> &Statute {
        &self.statutes[payer as usize]
    }

    fn index(&self, hex: Hex) -> usize {
        usize::from(hex.line()) * self.width + usize::from(hex.pos())
    }
}

/// What terrain is called where it is paid for.
fn ground_word(terrain: &str) -> &'static str {
    match terrain {
        "clear" => "clear ground",
        "forest" => "forest",
        "marsh" => "marsh",
        "western_pripyat" => "Western Pripyat",
        _ => "terrain",
    }
}

/// Terrain, rivers, partisans and water, for each who pays differently (9.5, 9.6, 9.7, 9.8, 9.9a, 9.12, 12.3a).
fn statutes(map: &Map, chart: &TerrainChart, land: HexSet, partisans: HexSet) -> Option<[Statute; 3]> {
    let water: HexSet = map.hexes().filter(|hex| !land.contains(*hex)).collect();
    let entrenched = HexSet::from_layer(map.hexes_with("soviet_entrenchment"));
    let of =
        |names: &[&str]| Sides::of(map, &names.iter().map(|name| map.sides_with(name)).collect::<Vec<_>>());
    let (lake_or_sea, narrows, river, all) =
        (of(&["lake", "sea"])?, of(&["narrows"])?, of(&["river"])?, Sides::all(map)?);
    let grounds: Vec<(&str, Mp, HexSet)> = map
        .terrains()
        .filter_map(|(terrain, name)| {
            let cost = Mp::whole(u16::from(chart.effect(name)?.cost?));
            Some((name, cost, HexSet::with_terrain(map, terrain)))
        })
        .collect();
    let water_between = Bar::new(case("9.7"), "lake or sea lies between {} and {}", [About::From, About::To]);
    let is_water = Bar::new(case("9.7"), "{} is lake or sea", [About::To]);
    let statute = |payer: Payer| {
        let mut terms =
            vec![Term::bar(crossing(&lake_or_sea), water_between), Term::bar(entering(&water), is_water)];
        for (name, cost, hexes) in &grounds {
            let rough = matches!(*name, "forest" | "marsh" | "western_pripyat");
            let (cost, case) = match payer {
                Payer::CavMech if rough => (Mp::ONE, case("12.3a")),
                _ => (*cost, case("9.5a")),
            };
            terms.push(Term::price(entering(hexes), ground_word(name), cost, case));
        }
        terms.push(Term::price(crossing(&river), "river", Mp::ONE, case("9.6")));
        terms.push(Term::price(crossing(&narrows), "narrows", Mp::ONE, case("9.8a")));
        if payer == Payer::German {
            let barred = "no German unit may enter the Soviet entrenchment in {}";
            terms.push(Term::price(entering(&partisans), "partisans", Mp::ONE, case("9.9a")));
            terms.push(Term::bar(entering(&entrenched), Bar::new(case("9.12"), barred, [About::To])));
        }
        Statute::new(map, &[&all], &terms)
    };
    Some([statute(Payer::German)?, statute(Payer::Soviet)?, statute(Payer::CavMech)?])
}
