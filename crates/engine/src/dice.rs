//! Dice: one seeded stream a game, in which the n-th roll is a function of the seed and n alone.

use std::collections::VecDeque;
use std::fmt;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

use crate::Chance;

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
///
/// A copy goes on with the same rolls as the original; [`Dice::reseeded`] gives it a future of its own.
#[derive(Clone, Debug)]
pub struct Dice {
    forced: VecDeque<u32>,
    origin: Origin,
    /// How many rolls were made so far: the number of the next one.
    rolled: u64,
    fault: Option<String>,
}

#[derive(Clone, Debug)]
enum Origin {
    /// The stream of a seed.
    Stream(Box<Stream>),
    /// One path through the tree of all rolls.
    Tree(Path),
    /// None: whoever plays must say what every die shows.
    Nowhere,
}

/// ChaCha8 keyed by a seed; roll n takes the n-th 64-bit word of the key stream.
#[derive(Debug)]
struct Stream {
    key: [u8; 32],
    rng: ChaCha8Rng,
    /// The number of the roll that the generator would give next.
    at: u64,
}

impl Stream {
    fn new(key: [u8; 32]) -> Stream {
        Stream { key, rng: ChaCha8Rng::from_seed(key), at: 0 }
    }

    fn word(&mut self, number: u64) -> u64 {
        if self.at != number {
            self.rng.set_word_pos(u128::from(number) * 2);
        }
        self.at = number + 1;
        self.rng.next_u64()
    }
}

/// The generator cannot be copied, but where it stands follows from the key and the number of the next roll.
impl Clone for Stream {
    fn clone(&self) -> Stream {
        Stream::new(self.key)
    }
}

/// A path through the tree of all rolls: the forks that it passes, and how many of them lie behind.
#[derive(Clone, Debug, Default)]
struct Path {
    forks: Vec<Fork>,
    passed: usize,
}

/// A roll with all that it can come to, each result with its weight, and the place of the one that is taken.
#[derive(Clone, Debug)]
struct Fork {
    results: Vec<(u32, u128)>,
    taken: usize,
}

impl Path {
    /// What the next roll comes to; one that was not made before takes its first result.
    fn pass(&mut self, results: impl FnOnce() -> Vec<(u32, u128)>) -> u32 {
        if self.passed == self.forks.len() {
            self.forks.push(Fork { results: results(), taken: 0 });
        }
        let fork = &self.forks[self.passed];
        self.passed += 1;
        fork.results[fork.taken].0
    }

    /// Goes on to the next path in the order of an odometer; false when all were taken.
    fn turn(&mut self) -> bool {
        self.passed = 0;
        while let Some(mut fork) = self.forks.pop() {
            if fork.taken + 1 < fork.results.len() {
                fork.taken += 1;
                self.forks.push(fork);
                return true;
            }
        }
        false
    }
}

impl Fork {
    fn chance(&self) -> Chance {
        let all = self.results.iter().map(|(_, weight)| weight).sum();
        Chance::new(self.results[self.taken].1, all)
    }
}

/// Where dice stood.
pub(crate) struct Mark {
    rolled: u64,
    forced: VecDeque<u32>,
}

impl Dice {
    /// The stream of a seed, from its first roll.
    pub fn seeded(seed: &Seed) -> Dice {
        Dice::from(Origin::Stream(Box::new(Stream::new(seed.key()))))
    }

    /// Dice that show what they are told, and are a fault when they are told nothing.
    pub fn told(values: impl IntoIterator<Item = u32>) -> Dice {
        let mut dice = Dice::from(Origin::Nowhere);
        dice.force(values);
        dice
    }

    /// The tree of all rolls, on its first path; [`Dice::turn`] goes on to the next.
    pub(crate) fn tree() -> Dice {
        Dice::from(Origin::Tree(Path::default()))
    }

    /// The same dice at the same roll with another future: what comes next is the stream of this seed.
    pub fn reseeded(&self, seed: &Seed) -> Dice {
        Dice { rolled: self.rolled, ..Dice::seeded(seed) }
    }

    fn from(origin: Origin) -> Dice {
        Dice { forced: VecDeque::new(), origin, rolled: 0, fault: None }
    }

    /// Fixes what the next rolls show; after them the dice go on as before.
    pub fn force(&mut self, values: impl IntoIterator<Item = u32>) {
        self.forced.extend(values);
    }

    /// Lets the next rolls fall as they would have: what was fixed and not used is forgotten.
    pub fn forget_forced(&mut self) {
        self.forced.clear();
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
            Origin::Stream(stream) => scale(stream.word(number), faces),
            Origin::Tree(path) => path.pass(|| (1..=faces.max(1)).map(|face| (face, 1)).collect()),
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
    /// In the tree of all rolls only the accepted ones branch: the others come out the same in the end, so this is
    /// exact and finite.
    pub fn roll_until(&mut self, faces: u32, accept: impl Fn(u32) -> bool, mut each: impl FnMut(u32)) -> u32 {
        let never = !(1..=faces).any(&accept);
        if let (Some(path), false) = (self.path(), never) {
            let roll = path.pass(|| (1..=faces).filter(|face| accept(*face)).map(|face| (face, 1)).collect());
            each(roll);
            return roll;
        }
        loop {
            let roll = self.roll(faces);
            each(roll);
            if accept(roll) || never || self.fault.is_some() {
                return roll;
            }
        }
    }

    /// Rolls a die of which only what `reads` makes of it matters: faces that read the same are one branch in the tree
    /// of all rolls.
    pub fn roll_on<T: PartialEq>(&mut self, faces: u32, reads: impl Fn(u32) -> T) -> u32 {
        match self.path() {
            Some(path) => path.pass(|| by_reading(faces, reads)),
            None => self.roll(faces),
        }
    }

    /// Rolls several dice of which only the sum matters, and tells each of them to `each`. In the tree of all rolls each
    /// sum is one branch.
    pub fn roll_sum(&mut self, dice: u32, faces: u32, mut each: impl FnMut(u32)) -> u32 {
        if let (Some(path), Some(sums)) = (self.path(), sums(dice, faces)) {
            let sum = path.pass(|| sums);
            dice_showing(sum, dice).for_each(each);
            return sum;
        }
        (0..dice)
            .map(|_| {
                let roll = self.roll(faces);
                each(roll);
                roll
            })
            .sum()
    }

    /// The path through the tree of all rolls, when these dice follow one and no value is fixed.
    fn path(&mut self) -> Option<&mut Path> {
        match &mut self.origin {
            Origin::Tree(path) if self.forced.is_empty() => Some(path),
            _ => None,
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

    /// True when these dice follow a path through the tree of all rolls.
    pub(crate) fn is_tree(&self) -> bool {
        matches!(self.origin, Origin::Tree(_))
    }

    /// Goes back to the root of the tree of all rolls and takes the next path; false when all were taken.
    pub(crate) fn turn(&mut self) -> bool {
        self.rolled = 0;
        match &mut self.origin {
            Origin::Tree(path) => path.turn(),
            _ => false,
        }
    }

    /// The chance of the path taken; nothing when no fraction of ours holds it.
    pub(crate) fn chance(&self) -> Option<Chance> {
        let Origin::Tree(path) = &self.origin else { return Some(Chance::CERTAIN) };
        path.forks.iter().try_fold(Chance::CERTAIN, |chance, fork| chance.times(fork.chance()))
    }

    /// How much of the tree the paths up to this one cover, if all branches of a fork were alike.
    pub(crate) fn covered(&self) -> f64 {
        let Origin::Tree(path) = &self.origin else { return 1.0 };
        let mut share = 1.0;
        let mut covered = 0.0;
        for fork in &path.forks {
            share /= fork.results.len() as f64;
            covered += share * fork.taken as f64;
        }
        covered + share
    }
}

/// The faces of a die that read differently, each with the number of those that read the same.
fn by_reading<T: PartialEq>(faces: u32, reads: impl Fn(u32) -> T) -> Vec<(u32, u128)> {
    let mut apart: Vec<(T, (u32, u128))> = Vec::new();
    for face in 1..=faces.max(1) {
        let reading = reads(face);
        match apart.iter_mut().find(|(known, _)| *known == reading) {
            Some((_, (_, weight))) => *weight += 1,
            None => apart.push((reading, (face, 1))),
        }
    }
    apart.into_iter().map(|(_, result)| result).collect()
}

/// The sums of several dice, each with the number of ways to roll it; nothing when there are too many to count.
fn sums(dice: u32, faces: u32) -> Option<Vec<(u32, u128)>> {
    u128::from(faces).checked_pow(dice).filter(|_| faces > 0)?;
    let mut sums = vec![(0, 1)];
    for _ in 0..dice {
        let least = sums[0].0 + 1;
        let mut more: Vec<(u32, u128)> = (0..sums.len() as u32 + faces - 1).map(|i| (least + i, 0)).collect();
        for (i, (_, weight)) in sums.iter().enumerate() {
            more[i..].iter_mut().take(faces as usize).for_each(|(_, sum)| *sum += weight);
        }
        sums = more;
    }
    Some(sums)
}

/// Dice that show a sum, as even as they can.
fn dice_showing(sum: u32, dice: u32) -> impl Iterator<Item = u32> {
    (0..dice).map(move |i| (sum + i) / dice)
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

    /// What `roll` comes to on every path through the tree of all rolls, with the chance of the path.
    fn leaves<T>(roll: impl Fn(&mut Dice) -> T) -> Vec<(T, String)> {
        let mut dice = Dice::tree();
        let mut leaves = Vec::new();
        loop {
            let leaf = roll(&mut dice);
            leaves.push((leaf, dice.chance().unwrap().to_string()));
            if !dice.turn() {
                return leaves;
            }
        }
    }

    fn with_chances<T: Clone>(leaves: &[(T, &str)]) -> Vec<(T, String)> {
        leaves.iter().map(|(leaf, chance)| (leaf.clone(), (*chance).to_owned())).collect()
    }

    #[test]
    fn paths_cover_the_tree_once() {
        // A d3, and on a 3 another d2: four leaves.
        let found = leaves(|dice| {
            let first = dice.roll(3);
            (first, if first == 3 { dice.roll(2) } else { 0 })
        });
        let wanted = [((1, 0), "1/3"), ((2, 0), "1/3"), ((3, 1), "1/6"), ((3, 2), "1/6")];
        assert_eq!(found, with_chances(&wanted));
    }

    #[test]
    fn the_tree_says_how_much_of_it_is_covered() {
        let mut dice = Dice::tree();
        let mut covered = Vec::new();
        loop {
            if dice.roll(2) == 2 {
                dice.roll(4);
            }
            covered.push(dice.covered());
            if !dice.turn() {
                break;
            }
        }
        assert_eq!(covered, [0.5, 0.625, 0.75, 0.875, 1.0]);
    }

    #[test]
    fn a_sum_is_one_branch_for_each_result() {
        let told = std::cell::RefCell::new(Vec::new());
        let found = leaves(|dice| dice.roll_sum(2, 6, |die| told.borrow_mut().push(die)));
        let wanted = [
            (2, "1/36"),
            (3, "1/18"),
            (4, "1/12"),
            (5, "1/9"),
            (6, "5/36"),
            (7, "1/6"),
            (8, "5/36"),
            (9, "1/9"),
            (10, "1/12"),
            (11, "1/18"),
            (12, "1/36"),
        ];
        assert_eq!(found, with_chances(&wanted));
        // The dice that are told could have been rolled.
        let told = told.into_inner();
        assert_eq!(told.len(), 22);
        assert!(told.iter().all(|die| (1..=6).contains(die)), "{told:?}");
        assert!(told.chunks(2).zip(&wanted).all(|(dice, (sum, _))| dice.iter().sum::<u32>() == *sum));
    }

    #[test]
    fn a_sum_is_rolled_die_by_die() {
        let mut told = Vec::new();
        assert_eq!(Dice::told([3, 5, 6]).roll_sum(3, 6, |die| told.push(die)), 14);
        assert_eq!(told, [3, 5, 6]);
        // So many ways that they cannot be counted: the dice branch one by one.
        let mut dice = Dice::tree();
        assert_eq!(dice.roll_sum(60, 6, |_| {}), 60);
        assert_eq!(dice.rolled(), 60);
    }

    #[test]
    fn faces_that_read_the_same_are_one_branch() {
        let found = leaves(|dice| dice.roll_on(10, |face| face <= 7));
        assert_eq!(found, with_chances(&[(1, "7/10"), (8, "3/10")]));
    }

    #[test]
    fn only_what_is_accepted_branches() {
        let found = leaves(|dice| dice.roll_until(6, |face| face > 4, |_| {}));
        assert_eq!(found, with_chances(&[(5, "1/2"), (6, "1/2")]));
        let found = leaves(|dice| dice.roll_until(2, |_| false, |_| {}));
        assert_eq!(found, with_chances(&[(1, "1/2"), (2, "1/2")]));
    }

    #[test]
    fn a_copy_shares_the_coming_dice_until_it_is_given_its_own() {
        let mut dice = Dice::seeded(&Seed("x".into()));
        dice.roll(10);
        let coming = |mut dice: Dice| (0..40).map(|_| dice.roll(10)).collect::<Vec<u32>>();
        assert_eq!(coming(dice.clone()), coming(dice.clone()));
        let other = dice.reseeded(&Seed("y".into()));
        assert_eq!(other.rolled(), 1);
        assert_ne!(coming(other), coming(dice));
    }
}
