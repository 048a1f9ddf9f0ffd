//! Probabilities as exact fractions.

use std::fmt;

/// A probability as an exact fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chance {
    numerator: u128,
    denominator: u128,
}

impl Chance {
    /// Never.
    pub const NEVER: Chance = Chance { numerator: 0, denominator: 1 };
    /// Always.
    pub const CERTAIN: Chance = Chance { numerator: 1, denominator: 1 };

    /// `numerator` in `denominator`, which must not be 0.
    pub fn new(numerator: u128, denominator: u128) -> Chance {
        let divisor = gcd(numerator, denominator).max(1);
        Chance { numerator: numerator / divisor, denominator: (denominator / divisor).max(1) }
    }

    /// The chance of one or the other; nothing when the fraction would not fit.
    pub fn plus(self, other: Chance) -> Option<Chance> {
        let shared = gcd(self.denominator, other.denominator).max(1);
        let common = (self.denominator / shared).checked_mul(other.denominator)?;
        let scaled = |chance: Chance| chance.numerator.checked_mul(common / chance.denominator);
        Some(Chance::new(scaled(self)?.checked_add(scaled(other)?)?, common))
    }

    /// The chance of one and then the other; nothing when the fraction would not fit.
    pub fn times(self, other: Chance) -> Option<Chance> {
        // Reduced before it is multiplied, it fits whenever the result does.
        let (left, right) =
            (Chance::new(self.numerator, other.denominator), Chance::new(other.numerator, self.denominator));
        Some(Chance {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// The least denominator that all of these chances have in common; nothing when it would not fit.
    pub(super) fn common_denominator<'c>(chances: impl IntoIterator<Item = &'c Chance>) -> Option<u128> {
        chances.into_iter().try_fold(1, |common: u128, chance| {
            (common / gcd(common, chance.denominator)).checked_mul(chance.denominator)
        })
    }

    /// As a floating-point number, for plots and percentages.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    // Nearly always both fit into 64 bits, where division is many times faster.
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(mut a), Ok(mut b)) => {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            u128::from(a)
        }
        _ if b == 0 => a,
        _ => gcd(b, a % b),
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

impl fmt::Debug for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_exactly() {
        let third = Chance::new(12, 36);
        assert_eq!(third.to_string(), "1/3");
        let all = third.plus(third).and_then(|sum| sum.plus(third));
        assert_eq!(all, Some(Chance::CERTAIN));
        assert_eq!(Chance::new(1, 6).plus(Chance::new(1, 10)), Some(Chance::new(4, 15)));
        assert_eq!(Chance::NEVER.plus(third), Some(third));
    }

    #[test]
    fn chances_multiply_exactly() {
        assert_eq!(Chance::new(2, 3).times(Chance::new(3, 4)), Some(Chance::new(1, 2)));
        assert_eq!(Chance::NEVER.times(Chance::new(3, 4)), Some(Chance::NEVER));
        let most = u128::MAX;
        assert_eq!(Chance::new(most - 1, most).times(Chance::new(most, most - 1)), Some(Chance::CERTAIN));
    }

    #[test]
    fn what_chances_have_in_common() {
        let common = |chances: &[Chance]| Chance::common_denominator(chances);
        assert_eq!(common(&[Chance::new(1, 6), Chance::new(1, 10), Chance::new(11, 15)]), Some(30));
        assert_eq!(common(&[Chance::new(1, u128::MAX), Chance::new(1, 2)]), None);
    }

    #[test]
    fn what_does_not_fit_is_not_told() {
        let least = Chance::new(1, u128::MAX);
        assert_eq!(least.times(Chance::new(1, 2)), None);
        assert_eq!(least.plus(Chance::new(1, 2)), None);
        assert_eq!(least.plus(Chance::NEVER), Some(least));
    }
}
