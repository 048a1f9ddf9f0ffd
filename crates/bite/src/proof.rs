//! Supply as a proof: from the unit to its HQ, from the HQ to a source, or what stands in the way (8.1).

use board::Hex;
use engine::{Proof, Remark, Side, UnitId, remark};

use crate::supply::SupplyMap;
use crate::{Bite, Colour, Level, Marks, State};

pub(crate) fn proofs(rules: &Bite, state: &State, unit: UnitId) -> Vec<Proof> {
    let Some(hex) = state.hex(unit) else { return Vec::new() };
    let side = rules.side(unit);
    let known = rules.known(state);
    let supply = known.supply(rules, state, side);
    let (level, from) = rules.level_and_hq(state, supply, unit);
    let mut because = vec![match level {
        Level::Attack => remark!("8.1g", "{} is in Attack supply", unit),
        Level::General => remark!("8.1g", "{} is in General supply", unit),
        Level::Out => remark!("8.1g", "{} is out of supply", unit),
    }];
    if rules.counter(unit).local {
        because.push(remark!("uma.22.6a", "local troops need no line of supply"));
    } else if !rules.is_hq(unit) {
        because.extend(through(rules, state, supply, unit, from.or(rules.counter(unit).colour)));
    }
    if supply.supplied.contains(hex) {
        because.push(remark!("8.1x1", "a line of supply leads from {} to a source", hex));
    } else {
        because.push(remark!("8.1a2", "no line of supply leads from {} to a source", hex));
    }
    if rules.is_safe(state, side, hex) {
        because.push(remark!("18.0a4", "nobody in the fortress in {} is out of supply", hex));
    }
    let path = rules.line_of_supply(state, side, hex);
    vec![Proof { what: "supply", holds: level > Level::Out, path, because }]
}

/// What the HQ of a unit has to do with it.
fn through(
    rules: &Bite,
    state: &State,
    supply: &SupplyMap,
    unit: UnitId,
    colour: Option<Colour>,
) -> Vec<Remark> {
    let (Some(colour), Some(hex)) = (colour, state.hex(unit)) else {
        return vec![remark!("3.2j", "{} is independent, and no HQ is in reach", unit)];
    };
    let Some(hq) = rules.hq(colour) else { return vec![remark!("14.0h", "its HQ is not in play")] };
    let Some(place) = state.hex(hq.unit) else {
        return vec![remark!("14.0h", "{} is not on the map", hq.unit)];
    };
    if supply.feeds(rules, colour, hex) {
        let face = if state.marked(hq.unit, Marks::ATTACK) {
            remark!("14.0b", "{} is on its Attack face", hq.unit)
        } else {
            remark!("14.0b", "{} is on its General face", hq.unit)
        };
        return vec![remark!("8.1a3", "a line leads to {} within its range of {}", hq.unit, hq.range), face];
    }
    if supply.of_hq(colour) == Level::Out {
        return vec![remark!("8.1e3", "{} has no line of supply itself", hq.unit)];
    }
    let far = rules.map.grid().distance(place, hex) as i32;
    vec![remark!("14.0g", "no line of at most {} hexes leads to {}, {} hexes away", hq.range, hq.unit, far)]
}

impl Bite {
    /// The shortest line of supply from a hex to a source; nothing where there is none.
    fn line_of_supply(&self, state: &State, side: Side, from: Hex) -> Vec<Hex> {
        let ways = crate::supply::ways(self, state, side);
        let sources = self.settings.sources(side, state.turn);
        let mut seen: Vec<(Hex, Option<usize>)> = vec![(from, None)];
        let mut at = 0;
        while at < seen.len() {
            let (hex, _) = seen[at];
            if sources.contains(hex) {
                let mut path = Vec::new();
                let mut back = Some(at);
                while let Some(place) = back {
                    path.push(seen[place].0);
                    back = seen[place].1;
                }
                path.reverse();
                return path;
            }
            for (_, next) in self.map.neighbours(hex) {
                if ways(hex, next) && !seen.iter().any(|(known, _)| *known == next) {
                    seen.push((next, Some(at)));
                }
            }
            at += 1;
        }
        Vec::new()
    }
}
