//! The strength of the levels: Elo by maximum likelihood.
//!
//! The model is that of Bradley and Terry with a term for the ground: the chance that the Axis player wins is the logistic
//! function of the difference of strength and of how much the scenario favours the Axis. Without that term a scenario that
//! one side usually wins would make all levels look alike.

use crate::stats::{Estimate, Z95};

/// Points of Elo in a unit of the logistic scale.
pub const ELO: f64 = 173.717_792_761_242_6;

/// How some games between two levels went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// The Axis player's level.
    pub axis: usize,
    /// The Soviet player's level.
    pub soviet: usize,
    /// The scenario and the way it was played.
    pub ground: usize,
    /// Games the Axis player won; draws count as halves.
    pub score: f64,
    /// Games.
    pub games: f64,
}

/// A level's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// The level.
    pub level: usize,
    /// Elo above the first level, which has 0.
    pub elo: Estimate,
    /// True when it won or lost every game against some level: then its strength is only a lower bound of the distance.
    pub one_sided: bool,
}

/// How weakly scenarios are assumed to be fair: the standard deviation of what they favour, on the logistic scale. It keeps
/// a scenario that one side has always won finite, and hardly moves any other.
const FAIRNESS: f64 = 5.0;

/// Fits the strengths of the levels that are linked to the first one by games. `levels` and `grounds` say how many there are.
pub fn fit(levels: usize, grounds: usize, tallies: &[Tally]) -> Vec<Rung> {
    let linked = linked(levels, tallies);
    let mut observations = observations(tallies);
    let one_sided = settle(&mut observations);
    // The first level is the zero of the scale; those that nobody can compare stay out.
    let free: Vec<usize> = (1..levels).filter(|level| linked[*level]).collect();
    let place = |level: usize| free.iter().position(|other| *other == level);
    let size = free.len() + grounds;
    let mut solution = vec![0.0; size];
    let mut inverse = vec![vec![0.0; size]; size];
    for _ in 0..60 {
        let mut slope = vec![0.0; size];
        let mut information = vec![vec![0.0; size]; size];
        for observation in &observations {
            let mut terms: Vec<(usize, f64)> = Vec::new();
            terms.extend(place(observation.tally.axis).map(|at| (at, 1.0)));
            terms.extend(place(observation.tally.soviet).map(|at| (at, -1.0)));
            terms.extend(observation.on_ground.then_some((free.len() + observation.tally.ground, 1.0)));
            let chance = logistic(terms.iter().map(|(at, sign)| solution[*at] * sign).sum());
            let Tally { score, games, .. } = observation.tally;
            for (at, sign) in &terms {
                slope[*at] += sign * (score - games * chance);
                for (other, also) in &terms {
                    information[*at][*other] += sign * also * games * chance * (1.0 - chance);
                }
            }
        }
        for ground in free.len()..size {
            slope[ground] -= solution[ground] / FAIRNESS.powi(2);
            information[ground][ground] += FAIRNESS.powi(-2);
        }
        inverse = inverted(information);
        let mut moved: f64 = 0.0;
        for (at, value) in solution.iter_mut().enumerate() {
            let step: f64 = inverse[at].iter().zip(&slope).map(|(a, b)| a * b).sum();
            // Long first steps would leave the region where the curve is steep.
            let step = step.clamp(-2.0, 2.0);
            *value += step;
            moved = moved.max(step.abs());
        }
        if moved < 1e-10 {
            break;
        }
    }
    let rung = |level: usize| {
        let (value, error) =
            place(level).map_or((0.0, 0.0), |at| (solution[at], inverse[at][at].max(0.0).sqrt()));
        let elo = Estimate {
            value: value * ELO,
            low: (value - Z95 * error) * ELO,
            high: (value + Z95 * error) * ELO,
        };
        Rung { level, elo, one_sided: one_sided.contains(&level) }
    };
    (0..levels).filter(|level| linked[*level]).map(rung).collect()
}

struct Observation {
    tally: Tally,
    on_ground: bool,
}

fn observations(tallies: &[Tally]) -> Vec<Observation> {
    let some = tallies.iter().filter(|tally| tally.games > 0.0);
    some.map(|tally| Observation { tally: *tally, on_ground: true }).collect()
}

/// Where one level has won every game against another, the likelihood has no maximum: one game drawn on neutral ground
/// between them makes it finite. Returns the levels that this was done for.
fn settle(observations: &mut Vec<Observation>) -> Vec<usize> {
    let mut meetings: Vec<((usize, usize), f64, f64)> = Vec::new();
    for Observation { tally, .. } in observations.iter().filter(|one| one.tally.axis != one.tally.soviet) {
        let pair = (tally.axis.min(tally.soviet), tally.axis.max(tally.soviet));
        let score = if tally.axis == pair.0 { tally.score } else { tally.games - tally.score };
        match meetings.iter_mut().find(|(known, ..)| *known == pair) {
            Some((_, sum, games)) => {
                *sum += score;
                *games += tally.games;
            }
            None => meetings.push((pair, score, tally.games)),
        }
    }
    let mut settled = Vec::new();
    for ((axis, soviet), score, games) in meetings {
        if score <= 0.0 || score >= games {
            let tally = Tally { axis, soviet, ground: 0, score: 0.5, games: 1.0 };
            observations.push(Observation { tally, on_ground: false });
            settled.extend([axis, soviet]);
        }
    }
    settled
}

/// Which levels are linked to the first one by games.
fn linked(levels: usize, tallies: &[Tally]) -> Vec<bool> {
    let mut linked = vec![false; levels];
    if let Some(first) = linked.first_mut() {
        *first = true;
    }
    for _ in 0..levels {
        for tally in tallies.iter().filter(|tally| tally.games > 0.0) {
            let either = linked[tally.axis] || linked[tally.soviet];
            linked[tally.axis] = either;
            linked[tally.soviet] = either;
        }
    }
    linked
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The inverse of a small positive matrix, by Gauss and Jordan; columns that depend on nothing come out as zero.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let best = (pivot..size).max_by(|a, b| matrix[*a][pivot].abs().total_cmp(&matrix[*b][pivot].abs()));
        let best = best.unwrap_or(pivot);
        matrix.swap(pivot, best);
        inverse.swap(pivot, best);
        let divisor = matrix[pivot][pivot];
        if divisor.abs() < 1e-12 {
            continue;
        }
        for column in 0..size {
            matrix[pivot][column] /= divisor;
            inverse[pivot][column] /= divisor;
        }
        for row in (0..size).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(axis: usize, soviet: usize, score: f64, games: f64) -> Tally {
        Tally { axis, soviet, ground: 0, score, games }
    }

    /// Three wins of four on either side are 400 log10(3) = 190.8 points; the information is n p (1 - p).
    #[test]
    fn two_levels_by_hand() {
        let rungs = fit(2, 1, &[tally(0, 1, 25.0, 100.0), tally(1, 0, 75.0, 100.0)]);
        assert!((rungs[1].elo.value - 190.85).abs() < 0.01, "{rungs:?}");
        let error = ELO / (200.0f64 * 0.75 * 0.25).sqrt();
        assert!((rungs[1].elo.high - rungs[1].elo.value - Z95 * error).abs() < 0.5, "{rungs:?}");
        assert_eq!(rungs[0].elo, Estimate { value: 0.0, low: 0.0, high: 0.0 });
        assert!(!rungs[1].one_sided);
    }

    /// Odds of 3 between neighbours and 9 between the ends fit exactly: 0, 190.85, 381.70.
    #[test]
    fn three_levels_by_hand() {
        let tallies = [
            tally(0, 1, 25.0, 100.0),
            tally(1, 0, 75.0, 100.0),
            tally(1, 2, 25.0, 100.0),
            tally(2, 1, 75.0, 100.0),
            tally(0, 2, 10.0, 100.0),
            tally(2, 0, 90.0, 100.0),
        ];
        let rungs = fit(3, 1, &tallies);
        assert!(
            (rungs[1].elo.value - 190.85).abs() < 0.01 && (rungs[2].elo.value - 381.70).abs() < 0.01,
            "{rungs:?}"
        );
    }

    /// The ground favours the Axis by 4 to 1, the stronger level by 2 to 1: the Axis wins 8/9 and 2/3 of the games.
    #[test]
    fn the_ground_is_told_from_the_strength() {
        let (axis, soviet) = (8.0 / 9.0 * 900.0, 4.0 / 6.0 * 900.0);
        let rungs = fit(2, 1, &[tally(1, 0, axis, 900.0), tally(0, 1, soviet, 900.0)]);
        assert!((rungs[1].elo.value - 400.0 * 2f64.log10()).abs() < 0.1, "{rungs:?}");
    }

    #[test]
    fn all_or_nothing_stays_finite_and_is_marked() {
        let rungs = fit(2, 1, &[tally(1, 0, 20.0, 20.0), tally(0, 1, 0.0, 20.0)]);
        assert!(rungs[1].one_sided && rungs[1].elo.value > 500.0 && rungs[1].elo.high < 5_000.0, "{rungs:?}");
    }

    #[test]
    fn levels_that_nobody_can_compare_stay_out() {
        let rungs = fit(4, 1, &[tally(0, 1, 5.0, 10.0), tally(2, 3, 5.0, 10.0)]);
        assert_eq!(rungs.iter().map(|rung| rung.level).collect::<Vec<_>>(), [0, 1]);
    }
}
