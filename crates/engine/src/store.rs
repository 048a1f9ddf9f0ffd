//! Where things are: units with an index by hex, and stocks of what is counted, split and carried.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use source::{Item, Table, Writer};

use crate::{Lexicon, Side, StockPlace, StockSeen, UnitId, Word};

/// What a rulebook keeps of a unit, as far as the store must know it.
pub trait OnMap: Copy + Eq + Hash {
    /// The hex that the unit is in, while it is on the map.
    fn hex(&self) -> Option<Hex>;

    /// The groups that it counts among, one bit for each: its side, its front, whatever the rules ask of a hex.
    fn groups(&self) -> u8 {
        0
    }

    /// Whether a change makes a new [`Version`] of the store. A rulebook can leave out what nothing is worked out from.
    fn counts(&self, before: &Self) -> bool {
        self != before
    }
}

/// Where a unit can be: in a hex, or in a box beside the map.
pub trait Placed: Copy + PartialEq + 'static {
    /// The boxes beside the map with their names, as situation files have them and in the order in which they are shown.
    const BOXES: &'static [(&'static str, Self)];

    /// What players call the boxes, by their names; [`Placed::title`] knows the usual ones.
    const TITLES: &'static [(&'static str, &'static str)] = &[];

    /// What players call a box.
    fn title(name: &'static str) -> &'static str {
        match Self::TITLES.iter().find(|(known, _)| *known == name) {
            Some((_, title)) => title,
            None => usual_title(name),
        }
    }

    /// On the map.
    fn at(hex: Hex) -> Self;

    /// The hex, on the map.
    fn hex(self) -> Option<Hex>;

    /// The name of the box, beside the map.
    fn in_box(self) -> Option<&'static str> {
        Self::BOXES.iter().find(|(_, place)| *place == self).map(|(name, _)| *name)
    }

    /// Reads the word for it in a situation: the name of a box, or the label of a hex.
    fn read(word: &str, map: &Map) -> Result<Self, String> {
        match Self::BOXES.iter().find(|(name, _)| *name == word) {
            Some((_, place)) => Ok(*place),
            None => map.hex(word).map(Self::at),
        }
    }

    /// Writes what [`Placed::read`] reads.
    fn word(self, map: &Map) -> String {
        match self.hex() {
            Some(hex) => map.label(hex),
            None => self.in_box().unwrap_or_default().to_owned(),
        }
    }
}

/// What boxes of this name are called in most rulebooks.
fn usual_title(name: &'static str) -> &'static str {
    match name {
        "track" => "turn track",
        "dead" => "dead pile",
        "hand" => "in hand",
        "aside" => "set aside",
        "removed" => "out of play",
        "lost" => "lost, to come back",
        "waiting" => "waiting to enter",
        "pool" => "counters not in play",
        _ => name,
    }
}

/// Declares where units can be: in a hex, in boxes beside the map by the words of situation files (and, after a colon, what
/// players call them), and in places without a word, which are no part of this game.
///
/// ```
/// use board::Hex;
/// use engine::store::Placed;
/// engine::places! {
///     /// Where a unit is.
///     pub enum Place {
///         /// On the turn track.
///         Track = "track",
///         /// Not in this game.
///         Out,
///     }
/// }
/// assert_eq!(Place::BOXES, [("track", Place::Track)]);
/// assert_eq!(Place::title("track"), "turn track");
/// assert_eq!(Place::at(Hex::new(1, 2)).hex(), Some(Hex::new(1, 2)));
/// ```
#[macro_export]
macro_rules! places {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $( $(#[$about:meta])* $Variant:ident $(= $word:literal $(: $title:literal)?)?, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $Name {
            /// On the map.
            Hex(board::Hex),
            $( $(#[$about])* $Variant, )*
        }

        impl $crate::store::Placed for $Name {
            const BOXES: &'static [(&'static str, Self)] = &[ $( $( ($word, $Name::$Variant), )? )* ];
            const TITLES: &'static [(&'static str, &'static str)] = &[ $( $( $( ($word, $title), )? )? )* ];

            fn at(hex: board::Hex) -> Self {
                $Name::Hex(hex)
            }

            fn hex(self) -> Option<board::Hex> {
                match self {
                    $Name::Hex(hex) => Some(hex),
                    _ => None,
                }
            }
        }
    };
}

/// The units of a game, with an index of who is in which hex. There are exactly `N` places, beyond the last counter nothing is
/// in the game. For each of so many `GROUPS` the store knows the hexes that its units are in.
///
/// Whatever changes a unit goes through [`UnitStore::change`], which keeps all that true. Two stores are equal when their
/// units are.
#[derive(Clone)]
pub struct UnitStore<U, const N: usize, const GROUPS: usize = 0> {
    units: [U; N],
    held: [HexSet; GROUPS],
    /// Hexes with more than one unit.
    shared: HexSet,
    /// The first unit of each bucket; units of several hexes may share one.
    heads: [u16; BUCKETS],
    /// The next unit in the same bucket, in the order of the roster.
    next: [u16; N],
    version: Version,
}

/// Says of two stores whether they are known to be the same: in equal versions no unit differs in anything that
/// [counts](OnMap::counts). What was worked out for a version can be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version(u64);

impl Version {
    /// How many versions a thread takes at once.
    const BLOCK: u64 = 1 << 24;

    /// One that nothing else has.
    fn new() -> Version {
        static BLOCKS: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static NEXT: Cell<u64> = const { Cell::new(0) };
        }
        let mut next = NEXT.get();
        if next.is_multiple_of(Version::BLOCK) {
            next = BLOCKS.fetch_add(Version::BLOCK, Ordering::Relaxed);
        }
        NEXT.set(next + 1);
        Version(next)
    }
}

const BUCKETS: usize = 128;
const NOBODY: u16 = u16::MAX;

fn bucket(hex: Hex) -> usize {
    (usize::from(hex.line()) * 11 + usize::from(hex.pos())) % BUCKETS
}

impl<U: OnMap, const N: usize, const GROUPS: usize> UnitStore<U, N, GROUPS> {
    /// A store in which every unit is the same.
    pub fn new(unit: U) -> Self {
        let mut store = UnitStore {
            units: [unit; N],
            held: [HexSet::EMPTY; GROUPS],
            shared: HexSet::EMPTY,
            heads: [NOBODY; BUCKETS],
            next: [NOBODY; N],
            version: Version::new(),
        };
        for place in 0..N {
            store.link(place);
        }
        store
    }

    /// The hexes with units of a group.
    pub fn held(&self, group: usize) -> &HexSet {
        &self.held[group]
    }

    /// The hexes with more than one unit.
    pub fn shared(&self) -> &HexSet {
        &self.shared
    }

    /// Changes a unit, and the index with it.
    pub fn change<T>(&mut self, unit: UnitId, change: impl FnOnce(&mut U) -> T) -> T {
        let place = unit.index();
        let before = self.units[place];
        let result = change(&mut self.units[place]);
        let after = &self.units[place];
        if after.counts(&before) {
            self.version = Version::new();
        }
        if (before.hex(), before.groups()) != (after.hex(), after.groups()) {
            self.unlink(place, (before.hex(), before.groups()));
            self.link(place);
        }
        result
    }

    /// Changes every unit in a way that moves none.
    pub fn change_all(&mut self, mut change: impl FnMut(&mut U)) {
        let mut counts = false;
        for unit in &mut self.units {
            let before = *unit;
            change(unit);
            counts |= unit.counts(&before);
            debug_assert!((unit.hex(), unit.groups()) == (before.hex(), before.groups()), "a unit was moved");
        }
        if counts {
            self.version = Version::new();
        }
    }

    /// The units in a hex, in the order of the roster.
    pub fn in_hex(&self, hex: Hex) -> impl Iterator<Item = UnitId> + Clone + '_ {
        let mut at = self.heads[bucket(hex)];
        std::iter::from_fn(move || {
            while at != NOBODY {
                let place = at;
                at = self.next[usize::from(place)];
                if self.units[usize::from(place)].hex() == Some(hex) {
                    return Some(UnitId(place));
                }
            }
            None
        })
    }

    /// The same for as long as nothing changes that counts.
    pub fn version(&self) -> Version {
        self.version
    }

    /// All units in the order of the roster.
    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &U)> {
        self.units.iter().enumerate().map(|(place, unit)| (UnitId(place as u16), unit))
    }

    fn link(&mut self, place: usize) {
        let Some(hex) = self.units[place].hex() else { return };
        if self.in_hex(hex).next().is_some() {
            self.shared.insert(hex);
        }
        let groups = self.units[place].groups();
        for (group, held) in self.held.iter_mut().enumerate() {
            if groups >> group & 1 == 1 {
                held.insert(hex);
            }
        }
        let before = self.before(place, hex);
        let link = match before {
            Some(before) => &mut self.next[before],
            None => &mut self.heads[bucket(hex)],
        };
        let next = std::mem::replace(link, place as u16);
        self.next[place] = next;
    }

    fn unlink(&mut self, place: usize, (hex, groups): (Option<Hex>, u8)) {
        let Some(hex) = hex else { return };
        let next = self.next[place];
        match self.before(place, hex) {
            Some(before) => self.next[before] = next,
            None => self.heads[bucket(hex)] = next,
        }
        let others = self.in_hex(hex).map(|unit| self.units[unit.index()].groups());
        let (count, still) = others.fold((0, 0), |(count, still), groups| (count + 1, still | groups));
        if count < 2 {
            self.shared.remove(hex);
        }
        for (group, held) in self.held.iter_mut().enumerate() {
            if (groups & !still) >> group & 1 == 1 {
                held.remove(hex);
            }
        }
    }

    /// The last unit in the bucket of a hex that comes before a place in the roster.
    fn before(&self, place: usize, hex: Hex) -> Option<usize> {
        let mut before = None;
        let mut at = usize::from(self.heads[bucket(hex)]);
        while at < place {
            before = Some(at);
            at = usize::from(self.next[at]);
        }
        before
    }
}

impl<U, const N: usize, const GROUPS: usize> std::ops::Index<UnitId> for UnitStore<U, N, GROUPS> {
    type Output = U;
    fn index(&self, unit: UnitId) -> &U {
        &self.units[unit.index()]
    }
}

impl<U: PartialEq, const N: usize, const GROUPS: usize> PartialEq for UnitStore<U, N, GROUPS> {
    fn eq(&self, other: &Self) -> bool {
        self.units == other.units
    }
}

impl<U: Eq, const N: usize, const GROUPS: usize> Eq for UnitStore<U, N, GROUPS> {}

impl<U: Hash, const N: usize, const GROUPS: usize> Hash for UnitStore<U, N, GROUPS> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.units.hash(state);
    }
}

impl<U: fmt::Debug, const N: usize, const GROUPS: usize> fmt::Debug for UnitStore<U, N, GROUPS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.units).finish()
    }
}

/// Where a stock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// On the map.
    Hex(Hex),
    /// Carried by a unit.
    With(UnitId),
    /// Off the map.
    Pool,
}

impl Spot {
    /// The spot by its name.
    pub fn place(self, lexicon: &dyn Lexicon) -> StockPlace {
        match self {
            Spot::Hex(hex) => StockPlace::Hex(lexicon.map().label(hex)),
            Spot::With(unit) => StockPlace::Unit(lexicon.roster().name(unit).to_owned()),
            Spot::Pool => StockPlace::Pool,
        }
    }

    /// What situations call it: the label of the hex, the name of the unit, or `pool`.
    pub fn name(self, lexicon: &dyn Lexicon) -> String {
        self.place(lexicon).as_str().to_owned()
    }
}

/// So much of something in one spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lot<K> {
    /// Where it is.
    pub spot: Spot,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: K,
    /// How much of it; never 0.
    pub amount: u16,
}

/// What is counted and split: supply points, trucks, replacement points. What is the same in one spot is one lot.
///
/// Nothing is lost or made but by [`Stocks::add`] and [`Stocks::take`]. When there are more lots than there is room for, the
/// store says so ([`Stocks::is_full`]) and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stocks<K, const N: usize> {
    lots: ArrayVec<Lot<K>, N>,
    full: bool,
}

impl<K, const N: usize> Default for Stocks<K, N> {
    fn default() -> Self {
        Stocks { lots: ArrayVec::new(), full: false }
    }
}

impl<K: Copy + Ord, const N: usize> Stocks<K, N> {
    /// Every lot: on the map in the order of hexes, then with units, then off the map.
    pub fn iter(&self) -> impl Iterator<Item = &Lot<K>> {
        self.lots.iter()
    }

    /// What is in a spot.
    pub fn at(&self, spot: Spot) -> impl Iterator<Item = &Lot<K>> {
        self.lots.iter().filter(move |lot| lot.spot == spot)
    }

    /// How much of a kind a side has in a spot.
    pub fn amount(&self, spot: Spot, side: Side, kind: K) -> u16 {
        self.find(spot, side, kind).map_or(0, |place| self.lots[place].amount)
    }

    /// How much of a kind a side has in all.
    pub fn total(&self, side: Side, kind: K) -> u32 {
        let lots = self.lots.iter().filter(|lot| lot.side == side && lot.kind == kind);
        lots.map(|lot| u32::from(lot.amount)).sum()
    }

    /// Adds to what is there.
    pub fn add(&mut self, spot: Spot, side: Side, kind: K, amount: u16) {
        match self.find(spot, side, kind) {
            _ if amount == 0 => {}
            Ok(place) => match self.lots[place].amount.checked_add(amount) {
                Some(sum) => self.lots[place].amount = sum,
                None => self.full = true,
            },
            Err(_) if self.lots.is_full() => self.full = true,
            Err(place) => self.lots.insert(place, Lot { spot, side, kind, amount }),
        }
    }

    /// Takes away as much as is there, at most `amount`; how much that was.
    pub fn take(&mut self, spot: Spot, side: Side, kind: K, amount: u16) -> u16 {
        let Ok(place) = self.find(spot, side, kind) else { return 0 };
        let taken = amount.min(self.lots[place].amount);
        self.lots[place].amount -= taken;
        if self.lots[place].amount == 0 {
            self.lots.remove(place);
        }
        taken
    }

    /// Moves as much as is there, at most `amount`, to another spot; how much that was.
    pub fn shift(&mut self, from: Spot, to: Spot, side: Side, kind: K, amount: u16) -> u16 {
        self.transfer((from, side), (to, side), kind, amount)
    }

    /// Hands everything of a side in a spot over to the enemy; how much that was of each kind.
    pub fn capture(&mut self, spot: Spot, from: Side) -> Vec<(K, u16)> {
        let lots: Vec<Lot<K>> = self.at(spot).filter(|lot| lot.side == from).copied().collect();
        let owners = ((spot, from), (spot, from.enemy()));
        lots.into_iter()
            .map(|lot| (lot.kind, self.transfer(owners.0, owners.1, lot.kind, lot.amount)))
            .collect()
    }

    /// Takes from one owner and gives to another, or does nothing when the store has no room for it.
    fn transfer(&mut self, from: (Spot, Side), to: (Spot, Side), kind: K, amount: u16) -> u16 {
        let there = self.amount(from.0, from.1, kind);
        let moved = amount.min(there);
        if from == to || moved == 0 {
            return moved;
        }
        let fits = match self.find(to.0, to.1, kind) {
            Ok(place) => self.lots[place].amount.checked_add(moved).is_some(),
            Err(_) => moved == there || !self.lots.is_full(),
        };
        if !fits {
            self.full = true;
            return 0;
        }
        self.take(from.0, from.1, kind, moved);
        self.add(to.0, to.1, kind, moved);
        moved
    }

    /// True when something did not fit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    fn find(&self, spot: Spot, side: Side, kind: K) -> Result<usize, usize> {
        self.lots.binary_search_by_key(&(spot, side, kind), |lot| (lot.spot, lot.side, lot.kind))
    }
}

impl<K: Copy + Ord + Word, const N: usize> Stocks<K, N> {
    /// Reads `[stocks]`: `1203 = "axis supply=4"`, with the name of a unit for what it carries, and `pool`.
    pub fn read(&mut self, table: &Table<'_>, lexicon: &dyn Lexicon) {
        for (key, item) in table.rest() {
            let spot = |key: &str| match key {
                "pool" => Ok(Spot::Pool),
                _ => lexicon
                    .map()
                    .hex(key)
                    .map(Spot::Hex)
                    .or_else(|_| lexicon.roster().find(key).map(Spot::With)),
            };
            let Some(spot) = item.parse(|_| spot(key)) else { continue };
            let mut side = None;
            for word in item.words() {
                match word.str().and_then(|text| {
                    text.split_once('=').map(|(kind, amount)| (kind.to_owned(), amount.to_owned()))
                }) {
                    None => side = word.parse(Side::from_word),
                    Some((kind, amount)) => self.read_lot(&word, spot, side, &kind, &amount, lexicon),
                }
            }
        }
    }

    fn read_lot(
        &mut self,
        word: &Item<'_>,
        spot: Spot,
        side: Option<Side>,
        kind: &str,
        amount: &str,
        lexicon: &dyn Lexicon,
    ) {
        let Some(side) = side else {
            word.fault("expected a side first: axis supply=4");
            return;
        };
        let amount = amount.parse::<u16>().ok().filter(|amount| *amount > 0);
        let (Some(kind), Some(amount)) = (word.parse(|_| K::read(kind, lexicon)), amount) else {
            word.fault("expected an amount from 1 up, such as supply=4");
            return;
        };
        self.add(spot, side, kind, amount);
        if self.full {
            word.fault(format!("more than {N} stocks"));
        }
    }

    /// Writes what [`Stocks::read`] reads.
    pub fn write(&self, lexicon: &dyn Lexicon, out: &mut Writer) {
        if self.lots.is_empty() {
            return;
        }
        out.table("stocks");
        for lots in self.lots.chunk_by(|a, b| a.spot == b.spot) {
            let mut words = Vec::new();
            let mut side = None;
            for lot in lots {
                if side != Some(lot.side) {
                    words.push(lot.side.word().to_owned());
                    side = Some(lot.side);
                }
                words.push(format!("{}={}", lot.kind.word(lexicon), lot.amount));
            }
            out.field(&lots[0].spot.name(lexicon), words.join(" "));
        }
    }

    /// Every lot as a viewer sees it: where it lies and whose it is, and how much where he `knows` that.
    pub fn seen(&self, lexicon: &dyn Lexicon, knows: impl Fn(&Lot<K>) -> bool) -> Vec<StockSeen> {
        let lots = self.lots.iter().map(|lot| StockSeen {
            place: lot.spot.place(lexicon),
            side: lot.side,
            what: lot.kind.word(lexicon),
            amount: knows(lot).then_some(lot.amount),
        });
        lots.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dice, Seed};

    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Unit(Option<Hex>, u8);

    impl OnMap for Unit {
        fn hex(&self) -> Option<Hex> {
            self.0
        }
        fn groups(&self) -> u8 {
            self.1
        }
    }

    /// Ten thousand moves on a small map, against looking at every unit.
    #[test]
    fn the_index_is_always_true() {
        let mut store = UnitStore::<Unit, 40, 3>::new(Unit(None, 0));
        let mut dice = Dice::seeded(&Seed("index".into()));
        let mut draw = |faces: u32| dice.roll(faces) - 1;
        for _ in 0..10_000 {
            let unit = UnitId(draw(40) as u16);
            let hex = Hex::new(draw(5) as u8, draw(5) as u8);
            let place = (draw(5) > 0).then_some(hex);
            let groups = draw(8) as u8;
            store.change(unit, |unit| *unit = Unit(place, groups));
            let slow: Vec<UnitId> =
                store.iter().filter(|(_, unit)| unit.0 == Some(hex)).map(|(unit, _)| unit).collect();
            assert_eq!(store.in_hex(hex).collect::<Vec<_>>(), slow);
            assert_eq!(store.shared().contains(hex), slow.len() > 1);
            for group in 0..3 {
                let held = slow.iter().any(|unit| store[*unit].1 >> group & 1 == 1);
                assert_eq!(store.held(group).contains(hex), held);
            }
        }
    }

    #[test]
    fn stocks_are_split_merged_carried_and_captured() {
        let hex = Spot::Hex(Hex::new(1, 2));
        let truck = Spot::With(UnitId(3));
        let mut stocks = Stocks::<u8, 4>::default();
        stocks.add(hex, Side::Axis, 1, 5);
        assert_eq!(stocks.shift(hex, truck, Side::Axis, 1, 2), 2);
        assert_eq!(stocks.shift(truck, hex, Side::Axis, 1, 9), 2);
        assert_eq!(stocks.iter().count(), 1);
        assert_eq!(stocks.capture(hex, Side::Axis), [(1, 5)]);
        assert_eq!((stocks.total(Side::Axis, 1), stocks.total(Side::Soviet, 1)), (0, 5));
        assert_eq!(stocks.take(hex, Side::Soviet, 1, 7), 5);
        assert_eq!(stocks.iter().count(), 0);
    }

    #[test]
    fn what_does_not_fit_is_said_and_not_lost() {
        let mut stocks = Stocks::<u8, 1>::default();
        stocks.add(Spot::Pool, Side::Axis, 1, 5);
        assert_eq!(stocks.shift(Spot::Pool, Spot::With(UnitId(0)), Side::Axis, 1, 2), 0);
        assert!(stocks.is_full());
        assert_eq!(stocks.total(Side::Axis, 1), 5);
    }

    #[test]
    fn a_sum_that_is_too_great_is_said_and_not_cut_off() {
        let mut stocks = Stocks::<u8, 2>::default();
        stocks.add(Spot::Pool, Side::Axis, 1, u16::MAX);
        stocks.add(Spot::With(UnitId(0)), Side::Axis, 1, 5);
        assert_eq!(stocks.shift(Spot::With(UnitId(0)), Spot::Pool, Side::Axis, 1, 5), 0);
        assert!(stocks.is_full());
        assert_eq!(stocks.total(Side::Axis, 1), u32::from(u16::MAX) + 5);
    }
}
