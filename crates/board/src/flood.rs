//! Which hexes hang together: floods over sets of hexes, line by line.

use crate::bits::{self, Row};
use crate::{Dir, Hex, HexSet, LinkLayer, Map, SideLayer};

/// The hexsides of a map that can be crossed, as masks that move whole lines at once.
///
/// A line touches the next at the same position and at one beside it: the one before for a plain line, the one
/// after for a shifted line. The masks say which of those three ways are open, so that nothing here need ask which
/// lines are shifted.
///
/// ```text
///   plain        o   .         shifted     . o
///               / \                         / \
///   shifted    o   o           plain       o   o
///          beside   same               same     beside
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides<const LINES: usize = 64, const WORDS: usize = 1> {
    lines: usize,
    /// Hexes that can be entered from the position before.
    along: [Row<WORDS>; LINES],
    /// Hexes that can be left to the same position of the next line.
    same: [Row<WORDS>; LINES],
    /// Hexes that can be left to the position after, in the next line.
    after: [Row<WORDS>; LINES],
    /// Hexes that can be left to the position before, in the next line.
    before: [Row<WORDS>; LINES],
    /// Hexes with any such side.
    touched: HexSet<LINES, WORDS>,
}

/// Which mask of [`Sides`] knows the side between two adjacent hexes, and by which of them.
fn mask_of(a: Hex, b: Hex) -> (usize, Hex) {
    let (first, second) = (a.min(b), a.max(b));
    match second.pos().cmp(&first.pos()) {
        _ if first.line() == second.line() => (0, second),
        std::cmp::Ordering::Equal => (1, first),
        std::cmp::Ordering::Greater => (2, first),
        std::cmp::Ordering::Less => (3, first),
    }
}

impl<const LINES: usize, const WORDS: usize> Sides<LINES, WORDS> {
    /// The sides of a map that are not closed; nothing when the map is larger than this has room for.
    ///
    /// A side is closed in both directions if `closed` says so of either hex.
    pub fn new(map: &Map, closed: impl Fn(Hex, Dir) -> bool) -> Option<Self> {
        if !map.fits::<LINES, WORDS>() {
            return None;
        }
        let (mut along, mut same, mut after, mut before) =
            (HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY, HexSet::EMPTY);
        let mut touched = HexSet::EMPTY;
        for hex in map.hexes() {
            for (dir, next) in map.neighbours(hex) {
                if closed(hex, dir) || closed(next, dir.opposite()) || next < hex {
                    continue;
                }
                let masks = match next.pos().cmp(&hex.pos()) {
                    _ if next.line() == hex.line() => &mut along,
                    std::cmp::Ordering::Equal => &mut same,
                    std::cmp::Ordering::Greater => &mut after,
                    std::cmp::Ordering::Less => &mut before,
                };
                masks.insert(if next.line() == hex.line() { next } else { hex });
                touched.extend([hex, next]);
            }
        }
        let lines = map.grid().lines();
        let (along, same, after, before) = (along.rows, same.rows, after.rows, before.rows);
        Some(Sides { lines, along, same, after, before, touched })
    }

    /// All sides of a map.
    pub fn all(map: &Map) -> Option<Self> {
        Self::new(map, |_, _| false)
    }

    /// The sides of a map that belong to none of these layers.
    pub fn without(map: &Map, closed: &[&SideLayer]) -> Option<Self> {
        Self::new(map, |hex, dir| closed.iter().any(|layer| layer.has(hex, dir)))
    }

    /// The sides of a map that belong to any of these layers.
    pub fn of(map: &Map, layers: &[&SideLayer]) -> Option<Self> {
        Self::new(map, |hex, dir| !layers.iter().any(|layer| layer.has(hex, dir)))
    }

    /// The sides of a map that any of these connections cross.
    pub fn crossed(map: &Map, links: &[&LinkLayer]) -> Option<Self> {
        Self::new(map, |hex, dir| !links.iter().any(|layer| layer.has(hex, dir)))
    }

    /// True when the side between two adjacent hexes is one of these.
    pub fn between(&self, a: Hex, b: Hex) -> bool {
        let (mask, hex) = mask_of(a, b);
        let mask = [&self.along, &self.same, &self.after, &self.before][mask];
        let word = mask.get(usize::from(hex.line())).and_then(|row| row.get(usize::from(hex.pos()) / 64));
        word.is_some_and(|word| word >> (hex.pos() % 64) & 1 == 1)
    }

    /// These sides and those between some pairs of adjacent hexes.
    pub fn with(&self, pairs: impl IntoIterator<Item = (Hex, Hex)>) -> Self {
        self.change(pairs, true)
    }

    /// These sides but for those between some pairs of adjacent hexes.
    pub fn but(&self, pairs: impl IntoIterator<Item = (Hex, Hex)>) -> Self {
        self.change(pairs, false)
    }

    fn change(&self, pairs: impl IntoIterator<Item = (Hex, Hex)>, open: bool) -> Self {
        let mut sides = self.clone();
        for (a, b) in pairs {
            let (mask, hex) = mask_of(a, b);
            let masks = [&mut sides.along, &mut sides.same, &mut sides.after, &mut sides.before];
            let word = masks.into_iter().nth(mask).and_then(|mask| mask.get_mut(usize::from(hex.line())));
            let Some(word) = word.and_then(|row| row.get_mut(usize::from(hex.pos()) / 64)) else { continue };
            let bit = 1 << (hex.pos() % 64);
            *word = if open { *word | bit } else { *word & !bit };
            if open {
                sides.touched.extend([a, b]);
            }
        }
        sides
    }

    /// The hexes with any of these sides, and perhaps some with sides that were taken out.
    pub fn touched(&self) -> &HexSet<LINES, WORDS> {
        &self.touched
    }

    /// The set with all hexes that can be entered from it in one step.
    pub fn grow(&self, set: &HexSet<LINES, WORDS>) -> HexSet<LINES, WORDS> {
        let mut grown = HexSet::EMPTY;
        let lines = self.lines.min(LINES);
        // Three plain passes, which the compiler turns into vector code.
        for line in 0..lines {
            grown.rows[line] = bits::or(set.rows[line], self.beside(line, set.rows[line]));
        }
        for line in 1..lines {
            grown.rows[line] = bits::or(grown.rows[line], self.onward(line - 1, set.rows[line - 1]));
        }
        for line in 1..lines {
            grown.rows[line - 1] = bits::or(grown.rows[line - 1], self.backward(line - 1, set.rows[line]));
        }
        grown
    }

    /// What can be entered in the same line.
    #[inline(always)]
    fn beside(&self, line: usize, row: Row<WORDS>) -> Row<WORDS> {
        let along = self.along[line];
        bits::or(bits::and(bits::up(row, 1), along), bits::down(bits::and(row, along), 1))
    }

    /// What can be entered in the next line from `row` in this one.
    #[inline(always)]
    fn onward(&self, line: usize, row: Row<WORDS>) -> Row<WORDS> {
        let after = bits::up(bits::and(row, self.after[line]), 1);
        let before = bits::down(bits::and(row, self.before[line]), 1);
        bits::or(bits::and(row, self.same[line]), bits::or(after, before))
    }

    /// What can be entered in this line from `row` in the next.
    #[inline(always)]
    fn backward(&self, line: usize, row: Row<WORDS>) -> Row<WORDS> {
        let after = bits::and(bits::down(row, 1), self.after[line]);
        let before = bits::and(bits::up(row, 1), self.before[line]);
        bits::or(bits::and(row, self.same[line]), bits::or(after, before))
    }

    /// All of `open` in this line that hangs together with `row`.
    #[inline(always)]
    fn fill(&self, line: usize, row: Row<WORDS>, open: Row<WORDS>) -> Row<WORDS> {
        let joined = bits::and(self.along[line], bits::and(open, bits::up(open, 1)));
        bits::or(fill_up(row, joined), fill_down(row, joined))
    }
}

/// Fills toward higher positions, through the hexes that are `joined` to the one before.
///
/// Adding the entered hexes to the joined ones carries through each run of them to its end, and the hex after a run
/// is not joined, so it catches the carry. What a carry passed has changed.
#[inline(always)]
fn fill_up<const W: usize>(row: Row<W>, joined: Row<W>) -> Row<W> {
    let entered = bits::and(bits::up(row, 1), joined);
    let passed = bits::and(bits::xor(bits::add(joined, entered), joined), joined);
    bits::or(row, bits::or(entered, passed))
}

/// Fills toward lower positions by doubling: 1, 2, 4 … hexes at a time. Carries do not run this way.
#[inline(always)]
fn fill_down<const W: usize>(row: Row<W>, joined: Row<W>) -> Row<W> {
    let mut filled = row;
    let mut passable = bits::down(joined, 1);
    let mut by = 1;
    while by < 64 * W {
        filled = bits::or(filled, bits::and(passable, bits::down(filled, by)));
        passable = bits::and(passable, bits::down(passable, by));
        by *= 2;
    }
    filled
}

/// All hexes of `open` that can be reached from the seeds through open hexes and open sides.
///
/// Seeds that are not open themselves do not count. The lines are filled from first to last and back again, until a
/// sweep finds nothing new; on real maps that is one or two times.
pub fn flood<const LINES: usize, const WORDS: usize>(
    seeds: &HexSet<LINES, WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
) -> HexSet<LINES, WORDS> {
    let mut filled = HexSet::EMPTY;
    let lines = sides.lines.min(LINES);
    // Sweeping up makes sure of what sweeping down has left open, and the other way round.
    sweep_down(&mut filled, seeds, open, sides, lines);
    while sweep_up(&mut filled, open, sides, lines) && sweep_down(&mut filled, seeds, open, sides, lines) {}
    filled
}

/// The same, but no further than it takes to reach all goals: when it has reached them, there may be more to reach.
pub fn flood_to<const LINES: usize, const WORDS: usize>(
    seeds: &HexSet<LINES, WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
    goals: &HexSet<LINES, WORDS>,
) -> HexSet<LINES, WORDS> {
    let mut filled = HexSet::EMPTY;
    let lines = sides.lines.min(LINES);
    sweep_down(&mut filled, seeds, open, sides, lines);
    while !goals.is_subset(&filled)
        && sweep_up(&mut filled, open, sides, lines)
        && !goals.is_subset(&filled)
        && sweep_down(&mut filled, seeds, open, sides, lines)
    {}
    filled
}

/// Fills the lines from the first to the last; true when that found anything.
#[inline(always)]
fn sweep_down<const LINES: usize, const WORDS: usize>(
    filled: &mut HexSet<LINES, WORDS>,
    seeds: &HexSet<LINES, WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
    lines: usize,
) -> bool {
    let mut found = false;
    let mut entered = [0; WORDS];
    for line in 0..lines {
        let entered_here = bits::or(entered, seeds.rows[line]);
        found |= enter(filled, line, entered_here, open, sides);
        entered = sides.onward(line, filled.rows[line]);
    }
    found
}

/// Fills the lines from the last but one to the first; true when that found anything.
#[inline(always)]
fn sweep_up<const LINES: usize, const WORDS: usize>(
    filled: &mut HexSet<LINES, WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
    lines: usize,
) -> bool {
    let mut found = false;
    for line in (1..lines).rev() {
        let entered = sides.backward(line - 1, filled.rows[line]);
        found |= enter(filled, line - 1, entered, open, sides);
    }
    found
}

/// Fills a line from the hexes entered; true when any of them are new.
#[inline(always)]
fn enter<const LINES: usize, const WORDS: usize>(
    filled: &mut HexSet<LINES, WORDS>,
    line: usize,
    entered: Row<WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
) -> bool {
    let row = filled.rows[line];
    let fresh = bits::and_not(bits::and(entered, open.rows[line]), row);
    let found = bits::any(fresh);
    if found {
        filled.rows[line] = sides.fill(line, bits::or(row, fresh), open.rows[line]);
    }
    found
}

/// All hexes of `open` that can be reached from the seeds in so many steps through open hexes and open sides.
///
/// Seeds that are not open themselves do not count.
pub fn flood_within<const LINES: usize, const WORDS: usize>(
    seeds: &HexSet<LINES, WORDS>,
    open: &HexSet<LINES, WORDS>,
    sides: &Sides<LINES, WORDS>,
    steps: u32,
) -> HexSet<LINES, WORDS> {
    let mut filled = *seeds & *open;
    for _ in 0..steps {
        let grown = sides.grow(&filled) & *open;
        if grown == filled {
            break;
        }
        filled = grown;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGEND: &[(&str, &str)] = &[(".", "clear"), ("x", "wall")];

    fn open(map: &Map) -> HexSet {
        let wall = map.terrain_named("wall").unwrap();
        map.hexes().filter(|&hex| map.terrain(hex) != wall).collect()
    }

    fn labels(map: &Map, set: HexSet) -> String {
        set.iter().map(|hex| map.label(hex)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn walls_and_rivers_hold_the_flood() {
        let map = Map::sketch(
            "grid = '''\n. . . .\n x x . .\n. . . .\n'''\n[side]\nriver = '0303/0203 0302/0403'\n",
            LEGEND,
        )
        .unwrap();
        let sides = Sides::<64, 1>::without(&map, &[map.sides_with("river")]).unwrap();
        let seed: HexSet = [map.hex("0101").unwrap()].into_iter().collect();
        let filled = flood(&seed, &open(&map), &sides);
        assert_eq!(labels(&map, filled), "0101 0201 0301 0401 0302 0402 0303 0403");
        let near = flood_within(&seed, &open(&map), &sides, 3);
        assert_eq!(labels(&map, near), "0101 0201 0301 0401 0302");
        assert!(flood(&(HexSet::all(&map) - open(&map)), &open(&map), &sides).is_empty(), "closed seeds");
    }

    #[test]
    fn a_flood_with_goals_goes_no_further() {
        let map = Map::sketch("grid = '''\n. x . .\n . x . x\n. . . .\n'''", LEGEND).unwrap();
        let sides = Sides::<64, 1>::all(&map).unwrap();
        let seed: HexSet = [map.hex("0101").unwrap()].into_iter().collect();
        let all = flood(&seed, &open(&map), &sides);
        for hex in map.hexes() {
            let goal: HexSet = [hex].into_iter().collect();
            let filled = flood_to(&seed, &open(&map), &sides, &goal);
            assert!(filled.is_subset(&all));
            assert_eq!(filled.contains(hex), all.contains(hex));
            assert!(filled.contains(hex) || filled == all);
        }
    }

    #[test]
    fn growth_stays_on_the_map() {
        let map = Map::sketch("grid = '''\n. . .\n - . .\n. . .\n'''", LEGEND).unwrap();
        let sides = Sides::<64, 1>::all(&map).unwrap();
        let seed: HexSet = [map.hex("0101").unwrap()].into_iter().collect();
        assert_eq!(labels(&map, sides.grow(&seed)), "0101 0201");
        let seed: HexSet = [map.hex("0202").unwrap()].into_iter().collect();
        assert_eq!(labels(&map, sides.grow(&seed)), "0201 0301 0202 0302 0203 0303");
    }

    #[test]
    fn sides_are_put_in_and_taken_out() {
        let map = Map::sketch("grid = '''\n. . .\n . . .\n. . .\n'''", LEGEND).unwrap();
        let all = Sides::<64, 1>::all(&map).unwrap();
        let none = Sides::<64, 1>::new(&map, |_, _| true).unwrap();
        for hex in map.hexes() {
            for (_, next) in map.neighbours(hex) {
                let (only, others) = (none.with([(hex, next)]), all.but([(hex, next)]));
                assert!(only.between(hex, next) && only.between(next, hex) && !others.between(next, hex));
                assert_eq!(only.grow(&[hex].into_iter().collect()), [hex, next].into_iter().collect());
                assert!(!others.grow(&[hex].into_iter().collect()).contains(next));
                assert!(!only.but([(next, hex)]).between(hex, next));
                assert_eq!(others.with([(next, hex)]), all);
            }
        }
    }

    #[test]
    fn a_large_map_needs_a_large_set() {
        let grid = crate::Grid::new(65, 3, crate::Orientation::PointsUp, crate::Shifted::Odd).unwrap();
        let map = Map::blank(grid, "clear");
        assert!(Sides::<64, 1>::all(&map).is_none());
        assert!(Sides::<65, 1>::all(&map).is_some());
    }
}
