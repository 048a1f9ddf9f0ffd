//! What an attack is worth, by the exact chances of its results.

use board::Hex;
use bug::{Fall, Forecast, Scout, Units, WayOut};
use engine::Side;

use super::balance::Balance;

/// An attack that could be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strike {
    pub(crate) units: Units,
    pub(crate) from: Hex,
    pub(crate) target: Hex,
}

/// The stacks on the two ends of an attack, as far as it matters.
pub(crate) struct Ends {
    /// Strength and number of the attackers and of the defenders.
    strength: [f32; 2],
    count: [f32; 2],
    /// The chance of a unit to fail a check.
    fail: [f32; 2],
    /// What a Strength Point of each is worth.
    point: [f32; 2],
    /// What a defender that must retreat loses besides.
    trapped: f32,
    /// What the hex is worth to the attacker, once it is empty.
    prize: f32,
    bonus: f32,
    disrupted: f32,
}

impl Ends {
    pub(crate) fn new(balance: &Balance<'_>, scout: &Scout<'_>, side: Side, strike: &Strike) -> Ends {
        let state = scout.state();
        let surprise = matches!(state.procedures().first(), Some(bug::Procedure::Surprise(_)));
        let of = |units: Units, hex: Hex, side: Side| {
            let soldiers = units.iter().filter_map(|unit| scout.soldier(unit));
            let (mut strength, mut count, mut fail, mut motorized) = (0.0, 0.0, 0.0, 0);
            for soldier in soldiers {
                strength += f32::from(soldier.strength);
                count += 1.0;
                fail += 1.0 - f32::from(soldier.rating) / 10.0;
                motorized += usize::from(soldier.motorized);
            }
            let fail: f32 = fail / f32::max(count, 1.0);
            let surprised = if surprise && side == Side::Soviet { 0.2 } else { 0.0 };
            let point = balance.point(side, motorized * 2 > count as usize, hex);
            (strength, count, (fail + surprised).clamp(0.0, 1.0), point)
        };
        let attack = of(strike.units, strike.from, side);
        let defence = of(scout.stack(strike.target), strike.target, side.enemy());
        let trapped = match scout.way_out(strike.target) {
            WayOut::Free => 0.0,
            WayOut::Watched => 1.0,
            WayOut::None => 2.0,
        };
        Ends {
            strength: [attack.0, defence.0],
            count: [attack.1, defence.1],
            fail: [attack.2, defence.2],
            point: [attack.3, defence.3],
            trapped,
            prize: balance.control(state, side, strike.target) + balance.weights.ground as f32,
            bonus: balance.weights.bonus as f32,
            disrupted: 1.0 - balance.weights.disrupted as f32,
        }
    }

    /// What a result is worth to the attacker.
    pub(crate) fn of(&self, fall: &Fall) -> f32 {
        let (loss, gone) = self.suffered(1, fall.defender, fall.defender_red, self.trapped);
        let (own, _) = self.suffered(0, fall.attacker, fall.attacker_red, 0.5);
        let won = if fall.defender > fall.attacker { self.bonus } else { 0.0 };
        let lost = if fall.attacker > fall.defender { self.bonus } else { 0.0 };
        let prize = if fall.defender > fall.attacker { gone * self.prize } else { gone * self.prize * 0.5 };
        loss * self.point[1] - own * self.point[0] + prize + won - lost
    }

    /// What hits cost a side, in Strength Points, and the chance that it leaves its hex.
    fn suffered(&self, end: usize, hits: u8, red: bool, trapped: f32) -> (f32, f32) {
        let (strength, count, fail) = (self.strength[end], self.count[end], self.fail[end]);
        let hits = f32::from(hits);
        let fails = if red { fail } else { 0.0 };
        let forced = if hits >= 2.0 { fails } else { 0.0 };
        // The second hit is a retreat or a loss: whoever is forced loses no point by it but what the way costs.
        let second = if hits >= 2.0 { (1.0 - forced) * 0.6 + forced * trapped * count } else { 0.0 };
        let losses = hits.min(1.0) + second + (hits - 2.0).max(0.0);
        if losses >= strength {
            return (strength + 1.0, 1.0);
        }
        let shaken = fails * self.disrupted * 0.6 * (strength - losses);
        let leaves = if hits >= 2.0 { forced.powf(count) + (1.0 - forced) * 0.35 } else { 0.0 };
        let thin = losses / strength;
        (losses + shaken + 0.5 * thin * thin, leaves.min(1.0))
    }
}

/// What an attack is worth to the side that makes it, with `more` on the die.
pub(crate) fn value(ends: &Ends, forecast: &Forecast) -> f32 {
    forecast.falls().map(|fall| fall.chance as f32 * ends.of(&fall)).sum()
}

/// A word on the chances for the player.
pub(crate) fn odds_in_words(forecast: &Forecast) -> String {
    let (mut attacker, mut defender, mut wins) = (0.0, 0.0, 0.0);
    for fall in forecast.falls() {
        attacker += fall.chance * f64::from(fall.attacker);
        defender += fall.chance * f64::from(fall.defender);
        wins += if fall.defender > fall.attacker { fall.chance } else { 0.0 };
    }
    format!(
        "column {:.1}, {:+} on the die; on average {attacker:.1} hits for {defender:.1}, a victory in {:.0} %",
        forecast.column,
        forecast.modifier,
        100.0 * wins
    )
}
