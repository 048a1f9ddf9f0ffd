//! What a [`Reach`](crate::Reach) was asked last: whoever asks the same again is answered at once.

use crate::toll::{Effect, Special, Tolls, Zone};
use crate::{Hex, HexSet, Sides};

/// A question, with copies of all that its answer depends on.
#[derive(Clone)]
pub(crate) struct Asked<const LINES: usize, const WORDS: usize> {
    /// Everything but sets: tariffs, tolls, starts, budget, goal.
    words: Vec<u64>,
    sets: Vec<HexSet<LINES, WORDS>>,
    sides: Vec<Sides<LINES, WORDS>>,
    /// Space for the words of the next question.
    next: Vec<u64>,
}

impl<const LINES: usize, const WORDS: usize> Asked<LINES, WORDS> {
    pub(crate) const NOTHING: Self =
        Asked { words: Vec::new(), sets: Vec::new(), sides: Vec::new(), next: Vec::new() };

    /// Remembers a question; true when it is the one that was asked before.
    pub(crate) fn again(
        &mut self,
        tolls: &Tolls<'_, LINES, WORDS>,
        starts: &[Hex],
        budget: u16,
        goal: Option<Hex>,
    ) -> bool {
        self.next.clear();
        write(&mut self.next, tolls, starts, budget, goal);
        if self.next == self.words && sets(tolls).eq(&self.sets) && sides(tolls).eq(&self.sides) {
            return true;
        }
        std::mem::swap(&mut self.words, &mut self.next);
        self.sets.clear();
        self.sets.extend(sets(tolls));
        self.sides.clear();
        self.sides.extend(sides(tolls).cloned());
        false
    }
}

fn write<const LINES: usize, const WORDS: usize>(
    words: &mut Vec<u64>,
    tolls: &Tolls<'_, LINES, WORDS>,
    starts: &[Hex],
    budget: u16,
    goal: Option<Hex>,
) {
    let hex = |hex: Hex| u64::from(hex.line()) << 8 | u64::from(hex.pos());
    words.push(u64::from(budget));
    words.push(goal.map_or(u64::MAX, hex));
    words.push(starts.len() as u64);
    words.extend(starts.iter().copied().map(hex));
    words.push(tolls.ways.len() as u64);
    words.extend(tolls.ways.iter().map(|tariff| tariff.number));
    words.push(tolls.shut.len() as u64);
    words.extend(tolls.zones.iter().map(|zone| zone.toll));
    // What each special is about, so that the lists of sets can be read one way only.
    for Special { place, effect } in &tolls.specials {
        let kinds = [place.leaving.is_some(), place.crossing.is_some(), place.entering.is_some()];
        let kinds = kinds.into_iter().fold(0, |all, given| all << 1 | u64::from(given));
        let effect = match effect {
            Effect::Close => 0,
            Effect::Stop => 1,
            Effect::Price(price) => 2 + u64::from(price.in_twelfths()),
        };
        words.push(1 << 63 | effect << 3 | kinds);
    }
    words.extend(tolls.special_to.map(u64::from));
}

fn sets<'a, const LINES: usize, const WORDS: usize>(
    tolls: &'a Tolls<'_, LINES, WORDS>,
) -> impl Iterator<Item = &'a HexSet<LINES, WORDS>> {
    let zones = tolls.zones.iter().map(|Zone { hexes, .. }| *hexes);
    let specials = tolls.specials.iter().flat_map(|Special { place, .. }| [place.leaving, place.entering]);
    tolls.shut.iter().copied().chain(zones).chain(specials.flatten())
}

fn sides<'a, const LINES: usize, const WORDS: usize>(
    tolls: &'a Tolls<'_, LINES, WORDS>,
) -> impl Iterator<Item = &'a Sides<LINES, WORDS>> {
    tolls.specials.iter().filter_map(|Special { place, .. }| place.crossing)
}
