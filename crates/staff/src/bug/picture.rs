//! The ground: the hexes that count, and how far every hex is from each of them.

use board::Hex;
use bug::{Bug, Distances, HexSet, State};
use engine::{BySide, Lexicon, Side, Span, Text};

/// A hex that counts for victory.
pub(crate) struct Objective {
    pub(crate) hex: Hex,
    pub(crate) value: f32,
    pub(crate) name: Text,
    /// How far it is for units of a side, on foot and on wheels.
    ways: BySide<[Distances; 2]>,
}

impl Objective {
    /// How far it is in Movement Points.
    pub(crate) fn from(&self, side: Side, motorized: bool, hex: Hex) -> f32 {
        self.ways[side][usize::from(motorized)].from(hex).unwrap_or(FAR)
    }
}

/// Further than anybody goes.
const FAR: f32 = 120.0;

/// What was found out about the ground.
pub struct Picture {
    pub(crate) objectives: Vec<Objective>,
    /// A quarter of all points that the objectives are worth.
    pub(crate) points: f64,
    /// The strength of each side at the start.
    pub(crate) strength: BySide<f64>,
}

impl Picture {
    pub(crate) fn new(rules: &Bug, start: &State) -> Picture {
        let objective = |(hex, value): &(Hex, u8)| {
            let way =
                |side, motorized| rules.distances(start, side, motorized, &[(*hex, 0.0)], &HexSet::EMPTY);
            let label = Span::Hex(rules.map().label(*hex));
            let name = match rules.map().places_in(*hex).next() {
                Some(place) => Text::of([format!("{place} (").into(), label, ")".into()]),
                None => Text::of([label]),
            };
            Objective {
                hex: *hex,
                value: f32::from(*value),
                name,
                ways: BySide::new_with(|side| [way(side, false), way(side, true)]),
            }
        };
        let scout = rules.scout(start);
        let strength =
            |side: Side| scout.soldiers(side).map(|soldier| f64::from(soldier.strength)).sum::<f64>();
        let points: f64 = rules.victory_hexes().iter().map(|(_, value)| f64::from(*value)).sum();
        Picture {
            objectives: rules.victory_hexes().iter().map(objective).collect(),
            points: (points / 4.0).max(1.0),
            strength: BySide::new_with(|side| strength(side).max(1.0)),
        }
    }
}
