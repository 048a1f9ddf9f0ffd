//! Intervals and comparisons: how far a figure can be trusted.

/// The normal deviate that leaves 2.5 % on either side.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A figure with what it may be as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What was observed.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// True when 0 lies outside the interval: the difference is more than noise.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// Wilson's interval for a share: `score` of `n` games, draws counted as halves.
pub fn wilson(score: f64, n: usize) -> Estimate {
    if n == 0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let n = n as f64;
    let share = score / n;
    let z2 = Z95 * Z95;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // The ends are exact at 0 and 1 but for rounding.
    let low = if share <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (middle + half).min(1.0) };
    Estimate { value: share, low, high }
}

/// The mean of some figures; an interval by Student's t. Nothing can be said about fewer than two.
pub fn mean(values: &[f64]) -> Option<Estimate> {
    let n = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let value = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - value).powi(2)).sum::<f64>() / (n - 1.0);
    let half = student95(values.len() - 1) * (variance / n).sqrt();
    Some(Estimate { value, low: value - half, high: value + half })
}

/// How much the share of wins differs between two ways to play the same seeds: `differences` of scores, game by game, each
/// from -1 to 1. The interval is Agresti and Min's, which is honest even when no game differs.
pub fn paired_share(differences: &[f64]) -> Option<Estimate> {
    if differences.is_empty() {
        return None;
    }
    let observed = differences.len() as f64;
    let sum: f64 = differences.iter().sum();
    let squares: f64 = differences.iter().map(|d| d * d).sum();
    // Half a game is added to each of won-won, won-lost, lost-won, lost-lost.
    let n = observed + 2.0;
    let middle = sum / n;
    let half = Z95 * (((squares + 1.0) / n - middle * middle).max(0.0) / n).sqrt();
    Some(Estimate { value: sum / observed, low: (middle - half).max(-1.0), high: (middle + half).min(1.0) })
}

/// The deviate of Student's distribution that leaves 2.5 % on either side, by the expansion of Cornish and Fisher.
fn student95(freedom: usize) -> f64 {
    // The expansion is poor for the first few.
    const FIRST: [f64; 5] = [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582];
    if let Some(known) = freedom.checked_sub(1).and_then(|place| FIRST.get(place)) {
        return *known;
    }
    let (z, v) = (Z95, freedom as f64);
    z + (z.powi(3) + z) / (4.0 * v)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3))
}

/// The value below which a part of the sorted values lies.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = part.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    /// Newcombe 1998, table I, method 3.
    #[test]
    fn wilson_as_in_the_textbook() {
        for (score, n, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(score, n);
            assert!(near(found.low, low) && near(found.high, high), "{score} of {n}: {found:?}");
        }
        assert_eq!(wilson(20.0, 20).high, 1.0);
        assert_eq!(wilson(0.0, 0), Estimate { value: 0.5, low: 0.0, high: 1.0 });
    }

    #[test]
    fn student_as_in_the_tables() {
        for (freedom, t) in
            [(1, 12.7062), (5, 2.5706), (6, 2.4469), (10, 2.2281), (30, 2.0423), (120, 1.9799)]
        {
            assert!((student95(freedom) - t).abs() < 2e-3, "{freedom}: {}", student95(freedom));
        }
    }

    #[test]
    fn means() {
        let found = mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        let high = 5.0 + 2.364_6 * 2.138_1 / 8f64.sqrt();
        assert!(near(found.value, 5.0) && (found.high - high).abs() < 2e-3, "{found:?}");
        assert_eq!(mean(&[1.0]), None);
    }

    /// Agresti and Min 2005: approval ratings of 1600 voters, 150 to disapproval and 86 to approval.
    #[test]
    fn paired_shares_as_in_the_textbook() {
        let mut differences = vec![0.0; 794 + 570];
        differences.extend([-1.0; 150]);
        differences.extend([1.0; 86]);
        let found = paired_share(&differences).unwrap();
        assert!(
            near(found.value, -0.04) && near(found.low, -0.0587) && near(found.high, -0.0213),
            "{found:?}"
        );
        assert!(found.is_clear());
        // Nothing differs in few games: that proves little.
        let found = paired_share(&[0.0; 8]).unwrap();
        assert!(!found.is_clear() && found.high > 0.15, "{found:?}");
    }

    #[test]
    fn quantiles() {
        let sorted = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!((quantile(&sorted, 0.5), quantile(&sorted, 0.1), quantile(&[], 0.5)), (3.0, 1.4, 0.0));
    }
}
