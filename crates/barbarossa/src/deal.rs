//! What the German player can imagine where he does not see (11.7): Soviet units beneath others, those in the RVGK box, and which
//! of the armies that wait for a conversion are still on the track.
//!
//! What is known of a place stays with it, whoever lies there: that it was attacked, has moved, or is on its way. Only that a unit
//! of the old establishment waits to be removed goes with the unit.

use board::{Hex, HexSet};
use engine::store::{OnMap, Placed};
use engine::{Dice, Side, UnitId};

use crate::{Attack, Barbarossa, Entry, Marks, Moving, Place, State, Unit, Units};

/// How often a deal is tried that must put some units into few places.
const ATTEMPTS: usize = 8;

/// Where a unit lies that the German player does not see.
struct Spot {
    /// Who lies there in truth.
    truth: UnitId,
    place: Place,
    moves: bool,
    attacks: bool,
}

/// The spots that nobody was dealt to yet, in the order of the lot, and who was dealt where.
struct Deal<'a> {
    rules: &'a Barbarossa,
    state: &'a State,
    /// Where a delayed unit may be: out of supply (8.23c).
    cut_off: HexSet,
    open: Vec<Spot>,
    dealt: Vec<(UnitId, Spot)>,
}

impl Barbarossa {
    /// A state that looks the same to the German player.
    pub(crate) fn deal(&self, state: &State, dice: &mut Dice) -> State {
        let hidden: Vec<UnitId> = self.roster.iter().filter(|unit| self.is_hidden(state, *unit)).collect();
        let dealt = (0..ATTEMPTS).find_map(|_| Deal::new(self, state, &hidden, dice).all(&hidden, dice));
        let mut imagined = state.clone();
        for (unit, spot) in dealt.unwrap_or_default() {
            lay(self, &mut imagined, state, unit, &spot);
        }
        imagined
    }

    fn is_hidden(&self, state: &State, unit: UnitId) -> bool {
        let place = match state.unit(unit).place {
            Place::Hex(_) | Place::Rvgk => true,
            Place::Track => self.waits_to_convert(state, unit),
            _ => false,
        };
        // Where Bulgarian armies come in is told.
        place
            && self.side(unit) == Side::Soviet
            && !self.is_seen(state, unit)
            && !state.marked(unit, Marks::CROWDED)
    }

    /// A Guards or Shock army that any rifle army could have become by now (8.20a).
    fn waits_to_convert(&self, state: &State, unit: UnitId) -> bool {
        self.converts_any(unit) && state.unit(unit).due <= state.turn
    }

    fn converts_any(&self, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        counter.entry == Entry::Conversion && counter.from.is_none()
    }
}

impl<'a> Deal<'a> {
    /// Puts the spots into an order that does not depend on who truly lies where, then shuffles them.
    fn new(rules: &'a Barbarossa, state: &'a State, hidden: &[UnitId], dice: &mut Dice) -> Deal<'a> {
        let moving = state.stack.find::<Moving>().map(|moving| moving.units).unwrap_or_default();
        let named = state.stack.find::<Attack>().map(|attack| attack.attackers).unwrap_or_default();
        let spot = |truth: &UnitId| Spot {
            truth: *truth,
            place: state.unit(*truth).place,
            moves: moving.contains(*truth),
            attacks: named.contains(*truth),
        };
        let mut open: Vec<Spot> = hidden.iter().map(spot).collect();
        open.sort_by_key(|spot| {
            let unit = state.unit(spot.truth);
            let marks = without_delay(unit.marks).bits();
            let known_class = spot.moves && rules.is_mech(spot.truth);
            let doing = (spot.moves, known_class, spot.attacks);
            (unit.hex(), spot.place == Place::Track, doing, marks, unit.left, unit.toll, unit.came)
        });
        shuffle(&mut open, dice);
        let cut_off = rules.ground.land - rules.overland(state, Side::Soviet);
        Deal { rules, state, cut_off, open, dealt: Vec::new() }
    }

    /// Deals units that fit into few spots first, then spots that few units fit into, then all others; nothing when somebody is
    /// left over.
    fn all(mut self, hidden: &[UnitId], dice: &mut Dice) -> Option<Vec<(UnitId, Spot)>> {
        let mut left: Vec<UnitId> = hidden.to_vec();
        shuffle(&mut left, dice);
        let (bound, mut left): (Vec<UnitId>, Vec<UnitId>) =
            left.into_iter().partition(|unit| self.is_bound(*unit));
        for unit in bound {
            let place = self.open.iter().position(|spot| self.fits(unit, spot))?;
            let spot = self.open.remove(place);
            self.dealt.push((unit, spot));
        }
        self.open.sort_by_key(|spot| !(spot.moves || spot.place == Place::Track));
        for spot in std::mem::take(&mut self.open) {
            let place = left.iter().position(|unit| self.fits(*unit, &spot))?;
            self.dealt.push((left.swap_remove(place), spot));
        }
        Some(self.dealt)
    }

    /// True when not every place is open to a unit.
    fn is_bound(&self, unit: UnitId) -> bool {
        self.rules.is_ica(unit)
            || self.rules.counter(unit).stacks_alone()
            || self.state.marked(unit, Marks::DELAYED)
    }

    /// Whether a unit could lie in a spot, for all that the German player knows.
    fn fits(&self, unit: UnitId, spot: &Spot) -> bool {
        let rules = self.rules;
        let hex = spot.place.hex();
        let ports = [rules.ground.odessa, rules.ground.sevastopol];
        let port = !rules.is_ica(unit) || hex.is_some() && ports.contains(&hex);
        let track = spot.place != Place::Track || rules.converts_any(unit);
        // How many points a unit has is told when it begins to move (7.17a).
        let class = !spot.moves || rules.is_mech(unit) == rules.is_mech(spot.truth);
        let attacks = !spot.attacks || rules.counter(unit).attack != Some(0);
        let delayed =
            !self.state.marked(unit, Marks::DELAYED) || hex.is_some_and(|hex| self.cut_off.contains(hex));
        let alone = !rules.counter(unit).stacks_alone() || hex.is_none_or(|hex| !self.has_satellite(hex));
        port && track && class && attacks && delayed && alone
    }

    /// A satellite army lies open in a hex, or was dealt to it (6.4a).
    fn has_satellite(&self, hex: Hex) -> bool {
        let (rules, state) = (self.rules, self.state);
        let satellite = |unit: UnitId| rules.counter(unit).stacks_alone();
        state.units.in_hex(hex).any(|unit| !rules.is_hidden(state, unit) && satellite(unit))
            || self.dealt.iter().any(|(unit, spot)| spot.place.hex() == Some(hex) && satellite(*unit))
    }
}

fn without_delay(mut marks: Marks) -> Marks {
    marks.clear(Marks::DELAYED);
    marks
}

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for i in (1..list.len()).rev() {
        list.swap(i, dice.roll(i as u32 + 1) as usize - 1);
    }
}

/// Lays a unit into a spot, and lets it do what is done there.
fn lay(rules: &Barbarossa, imagined: &mut State, truth: &State, unit: UnitId, spot: &Spot) {
    let there = *truth.unit(spot.truth);
    let due = rules.counter(unit).turn.unwrap_or(0);
    imagined.change(unit, |unit| {
        let marks = without_delay(there.marks) | unit.marks.only(Marks::DELAYED);
        *unit = Unit { camp: unit.camp, due, marks, ..there };
    });
    let set = |units: &mut Units, does: bool| units.set(unit, does);
    if let Some(moving) = imagined.stack.find_mut::<Moving>() {
        set(&mut moving.units, spot.moves);
    }
    if let Some(attack) = imagined.stack.find_mut::<Attack>() {
        set(&mut attack.attackers, spot.attacks);
    }
}
