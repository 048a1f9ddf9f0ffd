//! Dice: one seeded stream a game, in which the n-th roll is a function of the seed and n alone.

use std::collections::VecDeque;
use std::fmt;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// The secret that all rolls of a game follow from: any text. Games over a network take 32 random hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub String);

impl Seed {
    /// The key of the stream.
    fn key(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// What can be published before a game without giving a roll away, and checked against the seed after it:
    /// the SHA-256 of `grognard dice ` and the seed, in hex.
    pub fn commitment(&self) -> String {
        let digest = Sha256::digest(format!("grognard dice {}", self.0).as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where the next roll comes from. Rules ask for a roll and never know.
#[derive(Debug)]
pub struct Dice {
    forced: VecDeque<u32>,
    origin: Origin,
    /// How many rolls were made so far: the number of the next one.
    rolled: u64,
    fault: Option<String>,
}

#[derive(Debug)]
enum Origin {
    /// ChaCha8 keyed by the seed; roll n takes the n-th 64-bit word of the key stream.
    Stream { rng: Box<ChaCha8Rng>, at: u64 },
    /// One path through the tree of all rolls: what each roll gave, and out of how many.
    Path { taken: Vec<(u32, u32)> },
    /// None: whoever plays must say what every die shows.
    Nowhere,
}

/// Where dice stood.
pub(crate) struct Mark {
    rolled: u64,
    forced: VecDeque<u32>,
}

impl Dice {
    /// The stream of a seed, from its first roll.
    pub fn seeded(seed: &Seed) -> Dice {
        let rng = Box::new(ChaCha8Rng::from_seed(seed.key()));
        Dice::from(Origin::Stream { rng, at: 0 })
    }

    /// Dice that show what they are told, and are a fault when they are told nothing.
    pub fn told(values: impl IntoIterator<Item = u32>) -> Dice {
        let mut dice = Dice::from(Origin::Nowhere);
        dice.force(values);
        dice
    }

    /// A path through the tree of all rolls, beginning with what is given.
    pub(crate) fn path(taken: Vec<(u32, u32)>) -> Dice {
        Dice::from(Origin::Path { taken })
    }

    fn from(origin: Origin) -> Dice {
        Dice { forced: VecDeque::new(), origin, rolled: 0, fault: None }
    }

    /// Fixes what the next rolls show; after them the dice go on as before.
    pub fn force(&mut self, values: impl IntoIterator<Item = u32>) {
        self.forced.extend(values);
    }

    /// How many values that were fixed have not been used.
    pub fn forced_left(&self) -> usize {
        self.forced.len()
    }

    /// How many rolls were made.
    pub fn rolled(&self) -> u64 {
        self.rolled
    }

    /// Goes to the roll with this number.
    pub fn seek(&mut self, rolled: u64) {
        self.rolled = rolled;
    }

    /// Where the dice stand, to come back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark { rolled: self.rolled, forced: self.forced.clone() }
    }

    /// Goes back to where the dice stood. A roll depends on its number alone, so they will fall the same again.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.rolled = mark.rolled;
        self.forced = mark.forced;
    }

    /// A number from 1 to `faces`, each equally likely.
    pub fn roll(&mut self, faces: u32) -> u32 {
        debug_assert!(faces > 0);
        let number = self.rolled;
        self.rolled += 1;
        if let Some(value) = self.forced.pop_front() {
            return self.in_range(value, faces);
        }
        match &mut self.origin {
            Origin::Stream { rng, at } => {
                if *at != number {
                    rng.set_word_pos(u128::from(number) * 2);
                }
                *at = number + 1;
                scale(rng.next_u64(), faces)
            }
            Origin::Path { taken } => {
                let depth = number as usize;
                if depth == taken.len() {
                    taken.push((1, faces));
                }
                taken[depth].0
            }
            Origin::Nowhere => {
                let ordinal = number + 1;
                self.fault.get_or_insert(format!("roll {ordinal} (a d{faces}) was not given"));
                1
            }
        }
    }

    /// Rolls until `accept` likes what it sees, and tells every roll to `each`; the last one counts. What can never
    /// be accepted is rolled once.
    ///
    /// On a path through the tree of all rolls only the accepted ones branch: the others come out the same in the
    /// end, so this is exact and finite.
    pub fn roll_until(&mut self, faces: u32, accept: impl Fn(u32) -> bool, mut each: impl FnMut(u32)) -> u32 {
        let accepted: Vec<u32> = (1..=faces).filter(|roll| accept(*roll)).collect();
        if let (Origin::Path { .. }, false, true) =
            (&self.origin, accepted.is_empty(), self.forced.is_empty())
        {
            let roll = accepted[self.roll(accepted.len() as u32) as usize - 1];
            each(roll);
            return roll;
        }
        loop {
            let roll = self.roll(faces);
            each(roll);
            if accept(roll) || accepted.is_empty() || self.fault.is_some() {
                return roll;
            }
        }
    }

    fn in_range(&mut self, value: u32, faces: u32) -> u32 {
        if (1..=faces).contains(&value) {
            return value;
        }
        self.fault.get_or_insert(format!("a die was given as {value}, but this roll is a d{faces}"));
        1
    }

    /// What was wrong with the values given, if anything; asked once after each action.
    pub fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// The next path in the order of an odometer, or nothing when all were taken.
    pub(crate) fn next_path(self) -> Option<Vec<(u32, u32)>> {
        let Origin::Path { mut taken } = self.origin else { return None };
        while let Some((value, faces)) = taken.pop() {
            if value < faces {
                taken.push((value + 1, faces));
                return Some(taken);
            }
        }
        None
    }

    /// The chance of the path taken, as one in so many.
    pub(crate) fn path_weight(&self) -> u128 {
        match &self.origin {
            Origin::Path { taken } => taken.iter().map(|(_, faces)| u128::from(*faces)).product(),
            _ => 1,
        }
    }
}

/// Maps a 64-bit word to 1..=faces. The bias is below one in 2^58 for any die here.
fn scale(word: u64, faces: u32) -> u32 {
    1 + ((u128::from(word) * u128::from(faces)) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These values may never change: every record ever written depends on them.
    #[test]
    fn the_stream_is_fixed_for_ever() {
        let mut dice = Dice::seeded(&Seed("1944".into()));
        let rolls: Vec<u32> = (0..12).map(|_| dice.roll(6)).collect();
        assert_eq!(rolls, [1, 6, 4, 1, 6, 2, 4, 1, 6, 2, 3, 6]);
        assert_eq!(
            Seed("1944".into()).commitment(),
            "d5e623b6ed6985bc299d44f35d954b44420a347722f9e9dc3f6172fb6c9ce054"
        );
    }

    #[test]
    fn a_roll_depends_on_its_number_only() {
        let seed = Seed("x".into());
        let mut dice = Dice::seeded(&seed);
        let all: Vec<u32> = (0..300).map(|_| dice.roll(10)).collect();
        for n in [299, 0, 17, 64, 63, 128] {
            dice.seek(n);
            assert_eq!(dice.roll(10), all[n as usize]);
        }
        // A value that was fixed uses up its number.
        let mut dice = Dice::seeded(&seed);
        dice.force([3]);
        assert_eq!((dice.roll(10), dice.roll(10)), (3, all[1]));
    }

    #[test]
    fn dice_are_fair() {
        let mut dice = Dice::seeded(&Seed("fair".into()));
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[dice.roll(6) as usize - 1] += 1;
        }
        let chi2: f64 = seen.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi2 < 20.5, "{seen:?} has chi-squared {chi2}, expected below 20.5 in 999 of 1000");
    }

    #[test]
    fn bad_values_are_faults() {
        let mut dice = Dice::told([9]);
        dice.roll(6);
        assert_eq!(dice.take_fault().unwrap(), "a die was given as 9, but this roll is a d6");
        dice.roll(6);
        assert_eq!(dice.take_fault().unwrap(), "roll 2 (a d6) was not given");
    }

    #[test]
    fn paths_cover_the_tree_once() {
        // A d3, and on a 3 another d2: four leaves.
        let mut leaves = Vec::new();
        let mut path = Some(Vec::new());
        while let Some(taken) = path {
            let mut dice = Dice::path(taken);
            let first = dice.roll(3);
            let second = if first == 3 { dice.roll(2) } else { 0 };
            leaves.push((first, second, dice.path_weight()));
            path = dice.next_path();
        }
        assert_eq!(leaves, [(1, 0, 3), (2, 0, 3), (3, 1, 6), (3, 2, 6)]);
    }
}
