//! Who is where, and how strongly both sides bear upon each objective.

use board::{Grid, Hex};
use engine::store::Placed;
use engine::{BySide, Side, UnitId};

use super::{Field, FieldWeights};
use crate::Mind;

/// What is supposed of a unit whose strength the side does not know.
const UNKNOWN: f64 = 3.0;

/// A unit on the map.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) unit: UnitId,
    pub(super) side: Side,
    pub(super) hex: Hex,
    pub(super) attack: f64,
    pub(super) defence: f64,
    /// How many hexes it goes in a turn, about.
    pub(super) pace: f64,
    /// It keeps behind the others.
    pub(super) rear: bool,
}

impl Piece {
    /// What it is worth to its side, in strength.
    pub(super) fn strength(&self) -> f64 {
        (self.attack + self.defence) / 2.0
    }

    /// How much of its strength is felt in a hex.
    fn felt(&self, grid: Grid, at: Hex, from: Hex, fade: f64) -> f64 {
        let marches = f64::from(grid.distance(from, at)) / self.pace.max(0.5);
        self.strength() * (-fade * marches).exp()
    }
}

/// The map as a side sees it.
pub(super) struct Ground {
    pub(super) grid: Grid,
    pub(super) pieces: Vec<Piece>,
    /// By objective: the strength that each side can bring there.
    felt: Vec<BySide<f64>>,
    holders: Vec<Option<Side>>,
}

impl Ground {
    pub(super) fn new<R: Field>(mind: Mind<'_, R>, state: &R::State, side: Side) -> Ground {
        let (rules, grid) = (mind.rules, mind.rules.map().grid());
        let pieces: Vec<Piece> =
            rules.roster().iter().filter_map(|unit| piece(rules, state, unit, side)).collect();
        let felt = mind.picture.iter().map(|objective| {
            let mut felt = BySide { axis: 0.0, soviet: 0.0 };
            for piece in &pieces {
                felt[piece.side] += piece.felt(grid, objective.hex, piece.hex, mind.weights.distance);
            }
            felt
        });
        let felt = felt.collect();
        let holders = mind.picture.iter().map(|objective| rules.holder(state, objective.hex)).collect();
        Ground { grid, pieces, felt, holders }
    }

    /// The chance that the Axis side holds an objective in the end, when so much more strength bears upon it.
    fn chance(&self, weights: &FieldWeights, place: usize, more: BySide<f64>) -> f64 {
        let mut felt = BySide::new_with(|side| self.felt[place][side] + more[side] + 0.3);
        if let Some(holder) = self.holders[place] {
            felt[holder.enemy()] *= weights.hold;
        }
        let squares = BySide::new_with(|side: Side| felt[side] * felt[side]);
        squares.axis / (squares.axis + squares.soviet)
    }

    /// The points that the Axis side may expect to be ahead by objectives.
    pub(super) fn expected<R: Field>(&self, mind: Mind<'_, R>) -> f64 {
        let places = mind.picture.iter().enumerate();
        places
            .map(|(place, objective)| {
                let chance = self.chance(mind.weights, place, BySide { axis: 0.0, soviet: 0.0 });
                objective.worth.axis * chance - objective.worth.soviet * (1.0 - chance)
            })
            .sum()
    }

    /// What a unit's march changes in that, for its own side.
    pub(super) fn change<R: Field>(
        &self,
        mind: Mind<'_, R>,
        piece: &Piece,
        from: Option<Hex>,
        to: Hex,
    ) -> f64 {
        let mut sum = 0.0;
        for (place, objective) in mind.picture.iter().enumerate() {
            let felt = |hex: Hex| piece.felt(self.grid, objective.hex, hex, mind.weights.distance);
            let mut more = BySide { axis: 0.0, soviet: 0.0 };
            more[piece.side] = felt(to) - from.map_or(0.0, felt);
            if more[piece.side].abs() < 0.01 {
                continue;
            }
            let none = BySide { axis: 0.0, soviet: 0.0 };
            let gained = self.chance(mind.weights, place, more) - self.chance(mind.weights, place, none);
            let stakes = objective.worth.axis + objective.worth.soviet;
            sum += if piece.side == Side::Axis { stakes * gained } else { -stakes * gained };
        }
        sum
    }

    /// What is left to fight with, in points for the Axis side.
    pub(super) fn material<R: Field>(&self, mind: Mind<'_, R>) -> f64 {
        let strength = |side: Side| -> f64 {
            self.pieces.iter().filter(|piece| piece.side == side).map(Piece::strength).sum()
        };
        mind.weights.strength * (strength(Side::Axis) - strength(Side::Soviet))
    }

    /// Who holds an objective.
    pub(super) fn holder_of<R: Field>(&self, mind: Mind<'_, R>, hex: Hex) -> Option<Side> {
        let place = mind.picture.iter().position(|objective| objective.hex == hex)?;
        self.holders[place]
    }

    /// The units of a side.
    pub(super) fn of(&self, side: Side) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.side == side)
    }
}

/// A unit on the map as a side sees it.
fn piece<R: Field>(rules: &R, state: &R::State, unit: UnitId, side: Side) -> Option<Piece> {
    let hex = rules.place(state, unit)?.hex()?;
    Some(Piece { hex, ..anywhere(rules, state, unit, side, hex) })
}

/// A unit as it would be in a hex.
pub(super) fn anywhere<R: Field>(rules: &R, state: &R::State, unit: UnitId, side: Side, hex: Hex) -> Piece {
    let values = rules.values(state, unit, side);
    let known = |value: i16| if value < 0 { UNKNOWN } else { f64::from(value) };
    Piece {
        unit,
        side: rules.owner(state, unit),
        hex,
        attack: known(values.attack),
        defence: known(values.defence),
        pace: if values.movement < 0 { UNKNOWN } else { f64::from(values.movement) / 12.0 },
        rear: rules.is_rear(unit),
    }
}
