//! What a unit in a hex is worth: objectives, enemies to attack, danger.

use std::collections::HashMap;

use board::Hex;
use engine::{BySide, Side};

use super::ground::{Ground, Piece};
use super::{Field, Objective};
use crate::Mind;

/// Where enemies stand, what can attack them, and what can attack us.
pub(super) struct Survey<'a, R: Field> {
    mind: Mind<'a, R>,
    ground: &'a Ground,
    side: Side,
    /// By hex: the strength of each side that defends there.
    defence: HashMap<Hex, BySide<f64>>,
    /// By hex: our strength next to it.
    beside: HashMap<Hex, f64>,
}

/// An attack at these odds is as likely to succeed as not.
const EVEN: f64 = 2.0;

/// From these odds on an attack by the enemy is to be feared.
const FEARED: f64 = 1.5;

/// How many hexes from the enemy an HQ is well placed.
const BEHIND: f64 = 4.0;

impl<'a, R: Field> Survey<'a, R> {
    pub(super) fn new(mind: Mind<'a, R>, ground: &'a Ground, side: Side) -> Survey<'a, R> {
        let mut survey = Survey { mind, ground, side, defence: HashMap::new(), beside: HashMap::new() };
        for piece in &ground.pieces {
            survey.defence.entry(piece.hex).or_default()[piece.side] += piece.defence;
        }
        for piece in ground.of(side) {
            for near in ground.grid.neighbours(piece.hex) {
                *survey.beside.entry(near).or_default() += piece.attack;
            }
        }
        survey
    }

    /// What a unit gains when it goes to a hex, in points.
    pub(super) fn gain(&self, piece: &Piece, from: Option<Hex>, to: Hex) -> f64 {
        let weights = self.mind.weights;
        if piece.rear {
            return weights.rear * (self.out_of_place(from) - self.out_of_place(Some(to)));
        }
        let here = |hex: Hex| {
            weights.contact * self.openings(piece, from, hex) - weights.danger * self.danger(piece, from, hex)
        };
        self.ground.change(self.mind, piece, from, to) + weights.prize * self.prize(to) + here(to)
            - from.map_or(0.0, here)
    }

    /// How far a hex is from where those who serve others should be: a few hexes from the enemy, and among friends.
    fn out_of_place(&self, hex: Option<Hex>) -> f64 {
        let Some(hex) = hex else { return 20.0 };
        let far = |side: Side| {
            let others = self.ground.of(side).filter(|piece| !piece.rear);
            others.map(|piece| self.ground.grid.distance(piece.hex, hex)).min().map_or(0.0, f64::from)
        };
        (far(self.side.enemy()) - BEHIND).abs() + far(self.side)
    }

    /// What a place is worth that the enemy holds and that nobody guards.
    fn prize(&self, hex: Hex) -> f64 {
        let guarded = self.defence.get(&hex).is_some_and(|defence| defence[self.side.enemy()] > 0.0);
        if guarded {
            return 0.0;
        }
        let here = |objective: &&Objective| objective.hex == hex;
        let place = self.mind.picture.iter().find(here);
        place
            .filter(|_| self.ground.holder_of(self.mind, hex) == Some(self.side.enemy()))
            .map_or(0.0, |place| place.worth.axis + place.worth.soviet)
    }

    /// The enemies next to a hex, by how well they could be attacked with this unit there.
    fn openings(&self, piece: &Piece, from: Option<Hex>, hex: Hex) -> f64 {
        let enemies = self.ground.grid.neighbours(hex).filter_map(|near| {
            let defence = self.defence.get(&near)?[self.side.enemy()];
            (defence > 0.0).then_some((near, defence))
        });
        enemies
            .map(|(near, defence)| {
                // Whoever stands next to them now is counted already.
                let counted = from.is_some_and(|from| self.ground.grid.adjacent(from, near));
                let others =
                    self.beside.get(&near).copied().unwrap_or(0.0) - if counted { piece.attack } else { 0.0 };
                let hope = |attack: f64| 1.0 / (1.0 + (EVEN * 2.0 - 2.0 * attack / defence).exp());
                defence * (hope(others + piece.attack) - hope(others))
            })
            .sum()
    }

    /// How much of a unit's strength is in danger in a hex.
    fn danger(&self, piece: &Piece, from: Option<Hex>, hex: Hex) -> f64 {
        let grid = self.ground.grid;
        let attack: f64 = self
            .ground
            .of(self.side.enemy())
            .map(|enemy| match f64::from(grid.distance(enemy.hex, hex)) {
                near if near <= 1.0 => enemy.attack,
                far if far <= enemy.pace / 2.0 + 1.0 => 0.5 * enemy.attack,
                _ => 0.0,
            })
            .sum();
        let friends = self.defence.get(&hex).map_or(0.0, |defence| defence[self.side]);
        let defence = if from == Some(hex) { friends } else { friends + piece.defence };
        piece.strength() * (attack / defence.max(0.5) / FEARED - 1.0).clamp(0.0, 2.0)
    }
}
