//! Short lists that stand in frames and states: hexes, the trails that retreats leave, points of HQs, shifts.

use board::Hex;
use engine::row::Cells;
use engine::{Lexicon, Row, Text, Word};

use crate::{COLOURS, Cause, Colour};

/// The most hexes that a list has room for: what six hexes around one unit are, and the longest retreat.
pub(crate) const MOST_HEXES: usize = 8;

const NOWHERE: Hex = Hex::new(u8::MAX, u8::MAX);

/// A few hexes in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hexes {
    len: u8,
    hexes: [Hex; MOST_HEXES],
}

impl Default for Hexes {
    fn default() -> Self {
        Hexes { len: 0, hexes: [NOWHERE; MOST_HEXES] }
    }
}

impl Hexes {
    /// A list of one.
    pub fn of(hex: Hex) -> Hexes {
        [hex].into_iter().collect()
    }

    /// Adds a hex at the end; what there is no room for is left out.
    pub fn push(&mut self, hex: Hex) {
        if let Some(slot) = self.hexes.get_mut(usize::from(self.len)) {
            *slot = hex;
            self.len += 1;
        }
    }

    /// Takes a hex out.
    pub fn remove(&mut self, hex: Hex) {
        *self = self.iter().filter(|other| *other != hex).collect();
    }

    /// True when there is room for no more.
    pub fn is_full(&self) -> bool {
        usize::from(self.len) == MOST_HEXES
    }

    /// The hexes.
    pub fn as_slice(&self) -> &[Hex] {
        &self.hexes[..usize::from(self.len)]
    }

    /// The hexes one by one.
    pub fn iter(&self) -> impl Iterator<Item = Hex> + Clone + use<> {
        let hexes = *self;
        (0..usize::from(hexes.len)).map(move |place| hexes.hexes[place])
    }

    /// True when the hex is one of them.
    pub fn contains(&self, hex: Hex) -> bool {
        self.as_slice().contains(&hex)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first.
    pub fn first(&self) -> Option<Hex> {
        self.as_slice().first().copied()
    }

    /// The last.
    pub fn last(&self) -> Option<Hex> {
        self.as_slice().last().copied()
    }
}

impl FromIterator<Hex> for Hexes {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> Hexes {
        let mut list = Hexes::default();
        hexes.into_iter().for_each(|hex| list.push(hex));
        list
    }
}

impl Word for Hexes {
    const KIND: &'static str = "hexes";
    const UNKNOWN: &'static str = "hexes";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        let labels: Vec<String> = self.iter().map(|hex| hex.word(lexicon)).collect();
        labels.join(",")
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "-" {
            return Ok(Hexes::default());
        }
        let hexes: Vec<Hex> =
            word.split(',').map(|label| Hex::read(label, lexicon)).collect::<Result<_, _>>()?;
        if hexes.len() > MOST_HEXES {
            return Err(format!("at most {MOST_HEXES} hexes"));
        }
        Ok(hexes.into_iter().collect())
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        for (place, hex) in self.iter().enumerate() {
            if place > 0 {
                text.words(" and ");
            }
            hex.tell(lexicon, text);
        }
        true
    }
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        self.iter().all(|hex| row.hex(Some(hex), lexicon))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let mut hexes = Hexes::default();
        while let Some(hex) = cells.hex().flatten() {
            hexes.push(hex);
        }
        Some(hexes)
    }
    fn write_blank(_: &dyn Lexicon, _: &mut Row) -> bool {
        true
    }
}

/// Points of HQs and of their leaders that are put into one combat, by colour (8.4x2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points([Spent; COLOURS]);

/// So many points of an HQ, and so many of its leader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spent {
    /// Of the HQ.
    pub hq: u8,
    /// Of the leader.
    pub leader: u8,
}

impl Points {
    /// What the HQ of a colour gives.
    pub fn of(&self, colour: Colour) -> Spent {
        self.0[colour.index()]
    }

    /// The same, to be changed.
    pub fn of_mut(&mut self, colour: Colour) -> &mut Spent {
        &mut self.0[colour.index()]
    }

    /// Every colour whose HQ or leader gives something.
    pub fn given(&self) -> impl Iterator<Item = (Colour, Spent)> + '_ {
        let all = self.0.iter().enumerate().map(|(place, spent)| (Colour(place as u8), *spent));
        all.filter(|(_, spent)| *spent != Spent::default())
    }
}

impl Word for Points {
    const KIND: &'static str = "points";
    fn word(&self, _: &dyn Lexicon) -> String {
        let words: Vec<String> = self
            .given()
            .map(|(colour, spent)| format!("{}:{}+{}", colour.0, spent.hq, spent.leader))
            .collect();
        if words.is_empty() { "-".to_owned() } else { words.join(",") }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let mut points = Points::default();
        if word == "-" {
            return Ok(points);
        }
        for part in word.split(',') {
            let read = || {
                let (colour, spent) = part.split_once(':')?;
                let (hq, leader) = spent.split_once('+')?;
                let colour: usize = colour.parse().ok().filter(|colour| *colour < COLOURS)?;
                Some((colour, Spent { hq: hq.parse().ok()?, leader: leader.parse().ok()? }))
            };
            let Some((colour, spent)) = read() else {
                return Err(format!("`{part}` is not COLOUR:HQ+LEADER, such as 2:1+0"));
            };
            points.0[colour] = spent;
        }
        Ok(points)
    }
    fn write_cells(&self, _: &dyn Lexicon, _: &mut Row) -> bool {
        true
    }
    fn read_cells(_: &mut Cells<'_>) -> Option<Self> {
        Some(Points::default())
    }
}

/// A set of sorts of shifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Causes(u16);

impl Causes {
    /// Adds one.
    pub fn insert(&mut self, cause: Cause) {
        self.0 |= 1 << cause as u16;
    }

    /// True when it is one of them.
    pub fn contains(self, cause: Cause) -> bool {
        self.0 >> cause as u16 & 1 == 1
    }
}

impl Word for Causes {
    const KIND: &'static str = "shifts";
    fn word(&self, _: &dyn Lexicon) -> String {
        let words: Vec<&str> =
            Cause::ALL.iter().filter(|cause| self.contains(**cause)).map(|cause| cause.as_str()).collect();
        if words.is_empty() { "-".to_owned() } else { words.join(",") }
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let mut causes = Causes::default();
        if word != "-" {
            for part in word.split(',') {
                causes.insert(Cause::from_word(part)?);
            }
        }
        Ok(causes)
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(self.0 as i16)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        Some(Causes(cells.value()? as u16))
    }
}
