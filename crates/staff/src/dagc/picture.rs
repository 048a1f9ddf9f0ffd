//! The ground: what is worth having, and how far everything is from it.

use board::{Dir, Field, Hex, Mp, Step};
use dagc::{Arm, Dagc, State};
use engine::{Lexicon, Side, UnitId};

use super::weights::DagcWeights;

/// Something worth having.
pub(crate) struct Objective {
    /// What it is called.
    pub(crate) name: String,
    /// Its points for the Soviet side; nothing for Koenigsberg, whose fall ends the game.
    points: Option<f64>,
    /// What it takes to go there, in movement points, by who goes and by hex.
    costs: [Vec<u8>; 3],
    /// The hexes that it consists of.
    pub(crate) hexes: Vec<Hex>,
}

/// Who goes: the three ways to pay for terrain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goer {
    German,
    Soviet,
    CavMech,
}

/// Farther than this is out of the game.
const FAR: u8 = 120;

impl Objective {
    fn new(rules: &Dagc, name: String, hexes: Vec<Hex>, points: Option<f64>) -> Option<Objective> {
        if hexes.is_empty() {
            return None;
        }
        let mut field = Field::new();
        let costs = [Goer::German, Goer::Soviet, Goer::CavMech].map(|goer| {
            let side = if goer == Goer::German { Side::Axis } else { Side::Soviet };
            let mut costs = vec![FAR; rules.map().grid().hexes().count()];
            for start in &hexes {
                field.spread(rules.map(), *start, Mp::whole(u16::from(FAR)), |from, dir, to| {
                    match rules.plain_cost(goer == Goer::CavMech, side, from, dir, to) {
                        Some(cost) => Step::Enter(Mp::whole(u16::from(cost))),
                        None => Step::Closed,
                    }
                });
                for (hex, cost) in field.reached() {
                    let known = &mut costs[rules.map().index(hex)];
                    *known = (*known).min(cost.floor() as u8);
                }
            }
            costs
        });
        Some(Objective { name, points, costs, hexes })
    }

    /// True for Koenigsberg.
    pub(crate) fn ends_the_game(&self) -> bool {
        self.points.is_none()
    }

    /// What it counts for.
    pub(crate) fn points(&self, weights: &DagcWeights) -> f64 {
        self.points.unwrap_or(weights.prussia)
    }

    /// What it takes to go there from a hex.
    pub(crate) fn cost(&self, goer: Goer, index: usize) -> u8 {
        self.costs[goer as usize][index]
    }
}

/// What Koenigsberg counts for when it is there to be taken: its fall ends the game.
const KOENIGSBERG: f64 = 30.0;

/// What is known of the ground beforehand.
pub struct Picture {
    /// Everything worth having.
    pub(crate) objectives: Vec<Objective>,
    /// By unit: who it goes as.
    pub(crate) goers: Vec<Goer>,
    /// By hex: the points of the place in it.
    pub(crate) points: Vec<f64>,
    /// Steps of each side in the beginning and still to come.
    pub(crate) steps: engine::BySide<i32>,
    /// By hex: how far it lies behind the German line of the beginning, in hexes.
    pub(crate) depth: Vec<u32>,
    /// By hex: its neighbours, with the direction and whether a way leads there.
    pub(crate) beside: Vec<Vec<Neighbour>>,
    /// By hex: the hexes within two of it.
    pub(crate) around: Vec<Vec<usize>>,
    /// By index: the hex.
    pub(crate) hexes: Vec<Hex>,
}

/// A neighbour of a hex.
#[derive(Clone, Copy)]
pub(crate) struct Neighbour {
    pub(crate) index: usize,
    pub(crate) dir: Dir,
    /// A retreat may lead there, hexside and ground considered, by side.
    pub(crate) passable: engine::BySide<bool>,
}

impl Picture {
    pub(crate) fn new(rules: &Dagc, start: &State) -> Picture {
        let map = rules.map();
        let title = |hex: Hex| map.places_in(hex).next().map_or_else(|| map.label(hex), str::to_owned);
        let mut objectives: Vec<Objective> = rules
            .scoring_places()
            .into_iter()
            .filter_map(|(hex, points)| Objective::new(rules, title(hex), vec![hex], Some(f64::from(points))))
            .collect();
        if let Some(hex) = rules.koenigsberg() {
            objectives.extend(Objective::new(rules, title(hex), vec![hex], None));
        }
        let coast: Vec<Hex> = rules.baltic_coast().iter().collect();
        objectives.extend(Objective::new(rules, "the Baltic coast".to_owned(), coast, Some(10.0)));
        let goer = |unit: UnitId| match (rules.side(unit), rules.arm_of(unit)) {
            (Side::Axis, _) => Goer::German,
            (_, Arm::CavMech) => Goer::CavMech,
            _ => Goer::Soviet,
        };
        let units: Vec<UnitId> = (0..rules.unit_count()).map(|i| UnitId(i as u16)).collect();
        let mut points = vec![0.0; map.grid().hexes().count()];
        for (hex, worth) in rules.scoring_places() {
            points[map.index(hex)] = f64::from(worth);
        }
        if let Some(hex) = rules.koenigsberg() {
            points[map.index(hex)] = KOENIGSBERG;
        }
        let steps = |side: Side| {
            let own = units.iter().filter(|unit| rules.side(**unit) == side);
            own.map(|unit| i32::from(start.steps_of(*unit))).sum()
        };
        let east: Vec<Hex> = rules.soviet_at_start().iter().collect();
        let depth = map.grid().hexes().map(|hex| {
            if rules.soviet_at_start().contains(hex) {
                return 0;
            }
            east.iter().map(|other| map.grid().distance(hex, *other)).min().unwrap_or(0)
        });
        let hexes: Vec<Hex> = map.grid().hexes().collect();
        let neighbour = |from: Hex, dir: Dir, to: Hex| Neighbour {
            index: map.index(to),
            dir,
            passable: engine::BySide {
                axis: rules.plain_cost(false, Side::Axis, from, dir, to).is_some(),
                soviet: rules.plain_cost(false, Side::Soviet, from, dir, to).is_some(),
            },
        };
        let beside = hexes.iter().map(|hex| {
            let on_map = if map.contains(*hex) { map.neighbours(*hex).collect() } else { Vec::new() };
            on_map.into_iter().map(|(dir, to)| neighbour(*hex, dir, to)).collect()
        });
        let around = hexes.iter().map(|hex| map.grid().range(*hex, 2).map(|near| map.index(near)).collect());
        Picture {
            beside: beside.collect(),
            around: around.collect(),
            hexes: hexes.clone(),
            objectives,
            goers: units.iter().map(|unit| goer(*unit)).collect(),
            points,
            steps: engine::BySide { axis: steps(Side::Axis), soviet: steps(Side::Soviet) },
            depth: depth.collect(),
        }
    }
}
