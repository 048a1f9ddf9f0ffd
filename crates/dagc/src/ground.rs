//! The map as the rules see it: what each hex and hexside is, looked up once.

use board::{Hex, HexSet, Map, Sides, flood};

use crate::charts::{TerrainChart, TerrainEffect};

/// What a map means to this rulebook.
pub(crate) struct Ground {
    /// By [`Map::index`].
    effects: Vec<TerrainEffect>,
    /// What a hex costs to enter before any surcharge that changes during play, by [`Map::index`].
    costs: [Vec<u8>; 3],
    width: usize,
    /// Hexes that units can be in.
    pub(crate) land: HexSet,
    pub(crate) western_pripyat: HexSet,
    pub(crate) towns: HexSet,
    pub(crate) cities: HexSet,
    pub(crate) german_entrenchments: HexSet,
    pub(crate) soviet_entrenchments: HexSet,
    pub(crate) partisans: HexSet,
    pub(crate) ports: Vec<Hex>,
    /// Within six hexes of some port, as the crow flies.
    pub(crate) near_ports: HexSet,
    pub(crate) koenigsberg: Option<Hex>,
    pub(crate) german_sources: HexSet,
    pub(crate) soviet_sources: HexSet,
    pub(crate) nu_entry: HexSet,
    pub(crate) uf_area: HexSet,
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
    pub(crate) river: board::SideLayer,
    pub(crate) lake_or_sea: [board::SideLayer; 2],
    pub(crate) narrows_side: board::SideLayer,
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
const MAX_PORTS: usize = 16;

/// How far a port supplies (7.9d).
pub(crate) const PORT_RANGE: u32 = 6;

impl Ground {
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
        let of_terrain = |name: &str| -> HexSet {
            map.hexes().filter(|hex| map.terrain_name(map.terrain(*hex)) == name).collect()
        };
        let rough = of_terrain("forest") | of_terrain("marsh") | of_terrain("western_pripyat");
        let partisan_hexes = HexSet::from_layer(map.hexes_with("partisan"));
        let costs = [Payer::German, Payer::Soviet, Payer::CavMech].map(|payer| {
            let cost = |hex: Hex| match (payer, effects[map.grid().index(hex)].cost.unwrap_or(0)) {
                (Payer::German, cost) => cost + u8::from(partisan_hexes.contains(hex)),
                (Payer::CavMech, _) if rough.contains(hex) => 1,
                (_, cost) => cost,
            };
            map.grid().hexes().map(cost).collect()
        });
        let feature = |name: &str| HexSet::from_layer(map.hexes_with(name));
        let area = |name: &str| map.area(name).map(HexSet::from_layer).unwrap_or_default();
        let (lake, sea, narrows) = (map.sides_with("lake"), map.sides_with("sea"), map.sides_with("narrows"));
        let border = map.sides_with("border");
        let ports: Vec<Hex> = map.hexes_with("port").hexes().collect();
        let near = |hex: &Hex| ports.iter().any(|port| map.grid().distance(*port, *hex) <= PORT_RANGE);
        let dry_sides = Sides::without(map, &[lake, sea, narrows])?;
        let soviet_entrenchments = feature("soviet_entrenchment");
        // The German side of the lines is what can be reached over land from Vitebsk (R46).
        let west: HexSet = map.place("Vitebsk").into_iter().collect();
        let german_at_start = flood(&west, &(land - soviet_entrenchments), &dry_sides);
        let pair = map.hexes().find_map(|hex| {
            let dir = narrows.dirs(hex).next()?;
            Some((hex, map.neighbour(hex, dir)?))
        });
        Some(Ground {
            width: map.grid().width(),
            land,
            western_pripyat: of_terrain("western_pripyat"),
            towns: feature("town"),
            cities: feature("city"),
            german_entrenchments: feature("german_entrenchment"),
            soviet_entrenchments,
            partisans: partisan_hexes,
            near_ports: map.hexes().filter(near).collect(),
            ports,
            koenigsberg: map.place("Koenigsberg"),
            german_sources: area("German supply"),
            soviet_sources: area("Soviet supply"),
            nu_entry: area("NU entry"),
            uf_area: area("1UF"),
            baltic_coast: area("Baltic coast"),
            south_edge: map.edge("south").unwrap_or_default().iter().copied().collect(),
            north_of_dvina: area("North of the Dvina"),
            soviet_at_start: if west.is_empty() { HexSet::EMPTY } else { land - german_at_start },
            narrows: pair,
            all_sides: Sides::all(map)?,
            inner_sides: Sides::without(map, &[lake, sea, narrows, border])?,
            sides_with_narrows: Sides::without(map, &[lake, sea])?,
            dry_sides,
            river: map.sides_with("river").clone(),
            lake_or_sea: [lake.clone(), sea.clone()],
            narrows_side: narrows.clone(),
            effects,
            costs,
        })
    }

    pub(crate) fn effect(&self, hex: Hex) -> TerrainEffect {
        self.effects[self.index(hex)]
    }

    /// What a hex costs to enter: terrain, and partisans for the Germans (9.5, 9.9a, 12.3a).
    pub(crate) fn cost(&self, payer: Payer, hex: Hex) -> u8 {
        self.costs[payer as usize][self.index(hex)]
    }

    fn index(&self, hex: Hex) -> usize {
        usize::from(hex.line()) * self.width + usize::from(hex.pos())
    }
}
