//! The map as the rules see it: what each hex and hexside is, looked up once.

use std::sync::Arc;

use board::{Dir, Hex, Map, flood};
use engine::{BySide, Side};

use crate::charts::{HexsideEffect, Part, TerrainChart, TerrainEffect};
use crate::march::{Statutes, Waters};
use crate::scenario::Scenario;
use crate::{Counter, HexSet, Sides};

/// Who pays what and projects where: the columns of the terrain chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gait {
    /// On foot.
    Leg,
    /// Motorized, but not AFV.
    Motorized,
    /// Tanks and assault guns.
    Afv,
}

impl Gait {
    pub(crate) const ALL: [Gait; 3] = [Gait::Leg, Gait::Motorized, Gait::Afv];

    pub(crate) fn of(counter: &Counter) -> Gait {
        match counter.class {
            _ if counter.arm == crate::Arm::Afv => Gait::Afv,
            crate::Class::Leg => Gait::Leg,
            crate::Class::Motorized => Gait::Motorized,
        }
    }
}

/// What lies between two hexes, pontoon bridges apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    /// Nothing.
    Open,
    /// A stream without a bridge.
    Stream,
    /// A stream with one.
    BridgedStream,
    /// The Bug without a bridge.
    River,
    /// The Bug with one.
    BridgedRiver,
    /// A lake.
    Lake,
}

/// The hexsides and hexes of a map.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    width: usize,
    /// Hexes in play.
    pub(crate) land: HexSet,
    pub(crate) villages: HexSet,
    pub(crate) towns: HexSet,
    pub(crate) marsh: HexSet,
    /// Forest and marsh, which shorten retreats (7.5.2.1p).
    pub(crate) rough: HexSet,
    pub(crate) pillboxes: HexSet,
    /// Into which each gait projects a zone of control.
    pub(crate) zoc: [HexSet; 3],
    /// Hexes west of the Bug (R17).
    pub(crate) west: HexSet,
    /// Hexes of Volodymyr-Volynskyi (10.4a).
    pub(crate) volodymyr: HexSet,
    /// Map-edge hexes next to the supply areas of each side (5.7.1a).
    pub(crate) sources: BySide<HexSet>,
    /// Those of the Northern and the Southern Soviet Supply Area (10.4).
    pub(crate) north: HexSet,
    pub(crate) south: HexSet,
    /// Settlements within the tether of Volodymyr-Volynskyi, of the Southern and of the Northern Soviet Supply Area (10.4).
    pub(crate) tethers: [HexSet; 3],
    /// Hexes where a German unit calls the reserve forward (10.5a).
    pub(crate) alarm: HexSet,
    /// How far each hex is from the nearest source of a side (R60).
    to_source: BySide<Vec<u8>>,
    /// By hex and direction.
    between: Vec<[Between; 6]>,
    /// By hex: the row of the terrain chart.
    terrain: Vec<usize>,
    /// The two bridges that the Brandenburgers take (10.1a).
    brandenburg: Vec<(Hex, Hex)>,
    /// Every hexside: command crosses all of them (5.8.2c).
    pub(crate) all_sides: Sides,
    /// Those that are neither lake nor the unbridged Bug: zones of control and supply cross them (5.7.1d).
    pub(crate) open_sides: Sides,
    /// Those of the Bug without a bridge on the map.
    pub(crate) river: Sides,
    /// Those that a road or railway crosses (7.3.3).
    pub(crate) roads: Sides,
    /// What steps cost and what bars them, by who goes.
    pub(crate) statutes: Arc<Statutes>,
}

/// How far an HQ may stray (10.4).
const TETHER: u8 = 4;

/// How near to the Northern Soviet Supply Area a German unit calls the reserve (10.5a).
const ALARM_DISTANCE: u8 = 5;

impl Ground {
    /// Nothing when the map is too large: more than 32 rows of 64 hexes.
    pub(crate) fn new(map: &Map, chart: &TerrainChart, scenario: &Scenario) -> Option<Ground> {
        if !map.fits::<32, 1>() {
            return None;
        }
        let land = scenario.land(map);
        let lines = [map.sides_with("lake"), map.sides_with("river"), map.sides_with("stream")];
        let bridge = map.sides_with("bridge");
        let between = |hex: Hex, dir: Dir| {
            let bridged = bridge.has(hex, dir);
            match lines.map(|layer| layer.has(hex, dir)) {
                [true, _, _] => Between::Lake,
                [_, true, _] if bridged => Between::BridgedRiver,
                [_, true, _] => Between::River,
                [_, _, true] if bridged => Between::BridgedStream,
                [_, _, true] => Between::Stream,
                _ => Between::Open,
            }
        };
        let closed = |hex: Hex, dir: Dir| matches!(between(hex, dir), Between::Lake | Between::River);
        let roads: Vec<_> = chart.roads.iter().map(|(name, _)| map.links_with(name)).collect();
        let of_sides = |sort: Between| Sides::new(map, |hex, dir| between(hex, dir) != sort);
        let [lake, stream, river] = [Between::Lake, Between::Stream, Between::River].map(of_sides);
        let waters = Waters { lake: lake?, stream: stream?, river: river? };

        let of_terrain = |name: &str| -> HexSet {
            map.hexes().filter(|hex| map.terrain_name(map.terrain(*hex)) == name).collect()
        };
        let row = |hex: Hex| {
            let name = if map.contains(hex) { map.terrain_name(map.terrain(hex)) } else { "" };
            chart.rows.iter().position(|row| row.name == name).unwrap_or(0)
        };
        let zoc = Gait::ALL.map(|gait| {
            map.hexes().filter(|hex| chart.rows[row(*hex)].zoc[gait as usize]).collect::<HexSet>()
        });
        let area = |name: &str| map.area(name).map(HexSet::from_layer).unwrap_or_default();
        let supply = scenario.supply(map);
        let (north, south) = (supply.north & land, supply.south & land);
        let sources = BySide { axis: supply.german & land, soviet: north | south | (supply.east & land) };
        let river = map.sides_with("river");
        let banks = Sides::without(map, &[river])?;
        let grid = map.grid();
        let distance = |from: &HexSet, hex: Hex| {
            from.iter().map(|source| grid.distance(hex, source)).min().unwrap_or(0).min(100) as u8
        };
        // A supply area begins one hex beyond the edge (R72, R73).
        let near = |hex: &Hex| !north.is_empty() && distance(&north, *hex) < ALARM_DISTANCE;
        let volodymyr = area("Volodymyr-Volynskyi") & land;
        let settlements = of_terrain("village") | of_terrain("town");
        let tethers = [(volodymyr, 0), (south, 1), (north, 1)].map(|(anchor, beyond)| {
            let near = |hex: &Hex| !anchor.is_empty() && distance(&anchor, *hex) + beyond <= TETHER;
            settlements.iter().filter(near).collect::<HexSet>()
        });
        let brandenburg = bridge
            .parts()
            .iter()
            .filter(|part| part.name == "Ustyluh bridge" || part.name == "Vygodanka bridge")
            .flat_map(|part| &part.items)
            .filter_map(|side| Some((side.hex(), map.neighbour(side.hex(), side.dir())?)))
            .collect();
        let hexes: Vec<Hex> = grid.hexes().collect();
        Some(Ground {
            width: grid.width(),
            statutes: Statutes::new(map, chart, &land, &waters)?,
            land,
            villages: of_terrain("village"),
            towns: of_terrain("town"),
            marsh: of_terrain("marsh"),
            rough: of_terrain("forest") | of_terrain("marsh"),
            pillboxes: HexSet::from_layer(map.hexes_with("pillbox")),
            zoc,
            west: flood(&(area("German Supply Area (west)") | sources.axis), &land, &banks),
            volodymyr,
            tethers,
            north,
            south,
            alarm: map.hexes().filter(near).collect(),
            to_source: BySide::new_with(|side| {
                hexes.iter().map(|hex| distance(&sources[side], *hex)).collect()
            }),
            sources,
            between: hexes.iter().map(|hex| Dir::ALL.map(|dir| between(*hex, dir))).collect(),
            terrain: hexes.iter().map(|hex| row(*hex)).collect(),
            brandenburg,
            all_sides: Sides::all(map)?,
            open_sides: Sides::new(map, closed)?,
            river: waters.river,
            roads: Sides::crossed(map, &roads)?,
        })
    }

    fn index(&self, hex: Hex) -> usize {
        usize::from(hex.line()) * self.width + usize::from(hex.pos())
    }

    /// What lies on a hexside, pontoon bridges apart.
    pub(crate) fn between(&self, hex: Hex, dir: Dir) -> Between {
        self.between[self.index(hex)][dir as usize]
    }

    pub(crate) fn effect<'c>(&self, chart: &'c TerrainChart, hex: Hex) -> &'c TerrainEffect {
        &chart.rows[self.terrain[self.index(hex)]]
    }

    /// How far a hex is from the nearest hex next to a supply area of a side (R60).
    pub(crate) fn to_source(&self, side: Side, hex: Hex) -> u8 {
        self.to_source[side][self.index(hex)]
    }

    pub(crate) fn settlements(&self) -> HexSet {
        self.villages | self.towns
    }

    /// True at the two bridges of 10.1.
    pub(crate) fn is_brandenburg_bridge(&self, a: Hex, b: Hex) -> bool {
        self.brandenburg.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
    }

    /// What attacking across a hexside does, where it does anything.
    pub(crate) fn hexside_effect(&self, chart: &TerrainChart, hex: Hex, dir: Dir) -> HexsideEffect {
        match self.between(hex, dir) {
            Between::Open | Between::Lake => HexsideEffect { drm: 0, tanks: Part::WHOLE },
            Between::Stream => chart.stream,
            Between::BridgedStream => chart.bridged_stream,
            Between::River => chart.river,
            Between::BridgedRiver => chart.bridged_river,
        }
    }
}
