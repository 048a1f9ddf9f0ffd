//! How the game will probably end: who will hold which hex, and what more strength here or there would change about it.
//!
//! Each side's strength is felt at every objective, less the further away it is. The odds of the two give the chance that
//! the German side holds the objective in the end. What a little more strength at an objective is worth follows from that, and
//! from it what any unit is worth in any hex.

use std::cell::RefCell;

use board::Hex;
use bug::{Arm, Bug, Command, Scout, Soldier, State};
use engine::{BySide, Lexicon, Side};

use super::{BugWeights, Picture};

/// Allowances that distances are measured with: on foot, on wheels.
const PACES: [f32; 2] = [4.5, 8.0];

/// Steps of the table of how strength fades, a movement.
const FINE: f32 = 8.0;

/// The chances at one objective.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// The chance that the German side holds it in the end.
    pub(crate) chance: f32,
    /// What its control alone changes about the chance.
    pub(crate) control: f32,
    /// What a point of strength there is worth to each side.
    pull: BySide<f32>,
    /// How many movements the nearest unit of each side is away.
    nearest: BySide<f32>,
}

/// What a side's strength is worth where.
pub(crate) struct Balance<'a> {
    rules: &'a Bug,
    picture: &'a Picture,
    pub(crate) weights: &'a BugWeights,
    pub(crate) holds: Vec<Hold>,
    /// German points to be expected in the end.
    pub(crate) points: f64,
    fading: Vec<f32>,
    fields: RefCell<[Vec<f32>; 4]>,
}

impl<'a> Balance<'a> {
    /// Weighs a state as somebody does who does not count the enemy: every objective is worth going to while it is not won.
    pub(crate) fn simple(
        rules: &'a Bug,
        picture: &'a Picture,
        weights: &'a BugWeights,
        scout: &Scout<'_>,
    ) -> Balance<'a> {
        let mut balance = Balance::new(rules, picture, weights, scout, None);
        for (objective, hold) in picture.objectives.iter().zip(&mut balance.holds) {
            let german = scout.state().holder(objective.hex) == Side::Axis;
            let pull = weights.simple as f32 * objective.value;
            hold.pull = BySide {
                axis: if german { 0.0 } else { pull },
                soviet: if german { pull * 0.5 } else { pull },
            };
        }
        balance
    }

    /// Weighs a state. `focus` is an objective that a side cares more for than it would by itself.
    pub(crate) fn new(
        rules: &'a Bug,
        picture: &'a Picture,
        weights: &'a BugWeights,
        scout: &Scout<'_>,
        focus: Option<(Side, usize, f32)>,
    ) -> Balance<'a> {
        let state = scout.state();
        let left = f32::from(rules.last_turn().saturating_sub(state.turn()));
        let horizon = weights.horizon as f32 + weights.horizon_turn as f32 * left;
        let fading: Vec<f32> = (0..256).map(|i| (-(i as f32) / FINE / horizon).exp()).collect();
        let mut balance = Balance {
            rules,
            picture,
            weights,
            holds: Vec::with_capacity(picture.objectives.len()),
            points: 0.0,
            fading,
            fields: RefCell::default(),
        };
        let mut force = vec![BySide { axis: 0.0f32, soviet: 0.0 }; picture.objectives.len()];
        let mut nearest = vec![BySide { axis: f32::MAX, soviet: f32::MAX }; picture.objectives.len()];
        for side in Side::BOTH {
            for soldier in scout.soldiers(side) {
                let weight = balance.weight_of(scout, &soldier);
                for (place, objective) in picture.objectives.iter().enumerate() {
                    let far = objective.from(side, soldier.motorized, soldier.hex);
                    force[place][side] += weight * balance.fade(far, soldier.motorized);
                    if !soldier.disrupted {
                        let moves = far / f32::from(soldier.allowance.max(1));
                        nearest[place][side] = nearest[place][side].min(moves);
                    }
                }
            }
        }
        let steady = weights.control as f32 * (1.0 + weights.control_late as f32 / (left + 0.5));
        let steep = weights.steepness as f32;
        let mut points = 0.0;
        for (place, (objective, force)) in picture.objectives.iter().zip(force).enumerate() {
            let odds = steep * ((force.axis + 1.5) / (force.soviet * weights.defence as f32 + 1.5)).ln();
            let at = |held: f32| 1.0 / (1.0 + (-(odds + held)).exp());
            let german = state.holder(objective.hex) == Side::Axis;
            let chance = at(if german { steady } else { -steady });
            let slope = objective.value * chance * (1.0 - chance) * steep;
            let mut pull = BySide {
                axis: slope / (force.axis + 1.5),
                soviet: slope / (force.soviet + 1.5 / weights.defence as f32),
            };
            if let Some((side, favoured, more)) = focus
                && favoured == place
            {
                pull[side] = pull[side] * more + 0.004 * objective.value;
            }
            points += f64::from(objective.value * chance);
            balance.holds.push(Hold {
                chance,
                control: at(steady) - at(-steady),
                pull,
                nearest: nearest[place],
            });
        }
        let lost = |side: Side| {
            f64::from(rules.units_lost(state, side)) / f64::from(rules.units_for_a_point(side).max(1))
        };
        balance.points = points + lost(Side::Soviet) - lost(Side::Axis);
        balance
    }

    /// What a unit counts for, by its strength and whether it can act.
    pub(crate) fn weight_of(&self, scout: &Scout<'_>, soldier: &Soldier) -> f32 {
        let led = match scout.command(soldier.unit) {
            Command::In => 1.0,
            Command::Out => self.weights.out_of_command,
            Command::Isolated => self.weights.isolated,
        };
        self.worth_of(soldier) * led as f32
    }

    /// The same if it is led.
    pub(crate) fn worth_of(&self, soldier: &Soldier) -> f32 {
        let fit = if soldier.disrupted { self.weights.disrupted as f32 } else { 1.0 };
        let kind = match soldier.arm {
            Arm::AntiTank => 0.7,
            Arm::Afv => 1.0 + 0.1 * f32::from(soldier.tanks),
            _ => 1.0,
        };
        f32::from(soldier.strength) * fit * kind * (0.4 + 0.1 * f32::from(soldier.rating))
    }

    fn fade(&self, far: f32, motorized: bool) -> f32 {
        let moves = far / PACES[usize::from(motorized)];
        let there = if far < 0.1 { self.weights.on_the_spot as f32 } else { 0.0 };
        there + self.fading.get((moves * FINE) as usize).copied().unwrap_or(0.0)
    }

    /// What a point of strength of a side is worth in a hex.
    pub(crate) fn field(&self, side: Side, motorized: bool, hex: Hex) -> f32 {
        let grid = self.rules.map().grid();
        let which = usize::from(side == Side::Soviet) * 2 + usize::from(motorized);
        let at = grid.index(hex);
        let mut fields = self.fields.borrow_mut();
        let field = &mut fields[which];
        if field.is_empty() {
            field.resize(grid.len(), f32::NAN);
        }
        if field[at].is_nan() {
            let of = |(objective, hold): (&super::picture::Objective, &Hold)| {
                hold.pull[side] * self.fade(objective.from(side, motorized, hex), motorized)
            };
            field[at] = self.picture.objectives.iter().zip(&self.holds).map(of).sum();
        }
        field[at]
    }

    /// What a Strength Point of a side is worth in a hex, whatever it can do there included.
    pub(crate) fn point(&self, side: Side, motorized: bool, hex: Hex) -> f32 {
        let counted = match side {
            Side::Axis => self.weights.german_point,
            Side::Soviet => self.weights.soviet_point,
        };
        self.field(side, motorized, hex) + counted as f32
    }

    /// What taking control of a hex from the enemy is worth to who takes it.
    pub(crate) fn control(&self, state: &State, side: Side, hex: Hex) -> f32 {
        if state.holder(hex) == side {
            return 0.0;
        }
        let place = self.picture.objectives.iter().position(|objective| objective.hex == hex);
        place.map_or(0.0, |place| self.picture.objectives[place].value * self.holds[place].control)
    }

    /// What it is worth to stand in a hex that counts and that the enemy could otherwise walk into.
    pub(crate) fn guard(&self, state: &State, side: Side, hex: Hex) -> f32 {
        if state.holder(hex) != side {
            return 0.0;
        }
        let place = self.picture.objectives.iter().position(|objective| objective.hex == hex);
        place.map_or(0.0, |place| {
            let hold = &self.holds[place];
            let late = (hold.nearest[side.enemy()] - 1.0).max(0.0);
            let value = self.picture.objectives[place].value * hold.control;
            self.weights.guard as f32 * value * (-2.0 * late).exp()
        })
    }

    /// What a hex that counts would lose its holder if the enemy took it.
    pub(crate) fn stake(&self, hex: Hex) -> f32 {
        let place = self.picture.objectives.iter().position(|objective| objective.hex == hex);
        place.map_or(0.0, |place| self.picture.objectives[place].value * self.holds[place].control)
    }
}
