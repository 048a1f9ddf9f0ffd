//! Movement points.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

/// Movement points, exact to a twelfth, so that halves, thirds, quarters and sixths add up.
///
/// Sums stop at [`Mp::MAX`], which is more than any unit has.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Mp(u16);

impl Mp {
    /// None.
    pub const ZERO: Mp = Mp(0);
    /// One.
    pub const ONE: Mp = Mp::whole(1);
    /// The most there can be: a budget without limit.
    pub const MAX: Mp = Mp(u16::MAX);

    const PARTS: u16 = 12;

    /// A whole number of points.
    pub const fn whole(points: u16) -> Mp {
        Mp(points.saturating_mul(Self::PARTS))
    }

    /// A number of twelfths of a point.
    pub const fn twelfths(twelfths: u16) -> Mp {
        Mp(twelfths)
    }

    /// `over / under` points; nothing when that is not a number of twelfths, or too many.
    pub fn fraction(over: u16, under: u16) -> Option<Mp> {
        let parts = u32::from(over) * u32::from(Self::PARTS);
        let whole = parts.checked_rem(u32::from(under))? == 0;
        let parts = u16::try_from(parts / u32::from(under)).ok()?;
        whole.then_some(Mp(parts))
    }

    /// The number of twelfths.
    pub const fn in_twelfths(self) -> u16 {
        self.0
    }

    /// The sum, if it is not too large.
    pub fn checked_add(self, other: Mp) -> Option<Mp> {
        self.0.checked_add(other.0).map(Mp)
    }

    /// The difference, if it is not below zero.
    pub fn checked_sub(self, other: Mp) -> Option<Mp> {
        self.0.checked_sub(other.0).map(Mp)
    }

    /// The difference, or zero.
    pub const fn saturating_sub(self, other: Mp) -> Mp {
        Mp(self.0.saturating_sub(other.0))
    }

    /// So many times as much, at most [`Mp::MAX`].
    pub const fn times(self, factor: u16) -> Mp {
        Mp(self.0.saturating_mul(factor))
    }

    /// The whole points in it, fractions dropped.
    pub const fn floor(self) -> u16 {
        self.0 / Self::PARTS
    }
}

impl Add for Mp {
    type Output = Mp;

    fn add(self, other: Mp) -> Mp {
        Mp(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Mp {
    fn add_assign(&mut self, other: Mp) {
        *self = *self + other;
    }
}

impl Sum for Mp {
    fn sum<I: Iterator<Item = Mp>>(points: I) -> Mp {
        points.fold(Mp::ZERO, Add::add)
    }
}

impl fmt::Display for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Self::PARTS, self.0 % Self::PARTS);
        let shared =
            [12, 6, 4, 3, 2, 1].into_iter().find(|n| rest % n == 0 && Self::PARTS.is_multiple_of(*n));
        let shared = shared.unwrap_or(1);
        match (whole, rest) {
            (_, 0) => write!(f, "{whole}"),
            (0, _) => write!(f, "{}/{}", rest / shared, Self::PARTS / shared),
            _ => write!(f, "{whole} {}/{}", rest / shared, Self::PARTS / shared),
        }
    }
}

impl FromStr for Mp {
    type Err = String;

    /// Reads `2`, `1/2` or `1 1/3`.
    fn from_str(text: &str) -> Result<Mp, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let sum = match words.as_slice() {
            [one] if one.contains('/') => read_fraction(one),
            [one] => read_whole(one),
            [whole, fraction] => read_whole(whole)
                .zip(read_fraction(fraction))
                .and_then(|(whole, fraction)| whole.checked_add(fraction)),
            _ => None,
        };
        sum.ok_or_else(|| {
            format!("expected movement points such as 2, 1/2 or 1 1/3, in twelfths and at most {}, found `{text}`", Mp::MAX)
        })
    }
}

fn read_whole(text: &str) -> Option<Mp> {
    Mp::fraction(text.parse().ok()?, 1)
}

fn read_fraction(text: &str) -> Option<Mp> {
    let (over, under) = text.split_once('/')?;
    Mp::fraction(over.parse().ok()?, under.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_read_back() {
        for twelfths in 0..=u16::MAX {
            let mp = Mp::twelfths(twelfths);
            assert_eq!(mp.to_string().parse(), Ok(mp));
        }
    }

    #[test]
    fn written_as_people_do() {
        let written = |twelfths| Mp::twelfths(twelfths).to_string();
        assert_eq!([0, 24, 6, 16, 5, 22].map(written), ["0", "2", "1/2", "1 1/3", "5/12", "1 5/6"]);
    }

    #[test]
    fn what_is_not_twelfths_is_refused() {
        for text in ["", "x", "-1", "1/0", "1/5", "1/", "1 2", "1 1/2 3", "5462", "65535/1"] {
            assert!(text.parse::<Mp>().is_err(), "{text}");
        }
        assert_eq!("7/2".parse(), Ok(Mp::twelfths(42)));
        assert_eq!(
            "1/5".parse::<Mp>().unwrap_err(),
            "expected movement points such as 2, 1/2 or 1 1/3, in twelfths and at most 5461 1/4, found `1/5`"
        );
    }

    #[test]
    fn sums_and_differences() {
        let third = Mp::fraction(1, 3).unwrap();
        assert_eq!([third; 3].into_iter().sum::<Mp>(), Mp::ONE);
        assert_eq!(Mp::MAX + third, Mp::MAX);
        assert_eq!(Mp::MAX.checked_add(third), None);
        assert_eq!(third.checked_sub(Mp::ONE), None);
        assert_eq!(third.saturating_sub(Mp::ONE), Mp::ZERO);
        assert_eq!((third.times(4), third.times(4).floor()), (Mp::twelfths(16), 1));
    }
}
