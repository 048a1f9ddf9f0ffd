//! 5.3.4: what a side can imagine behind what it sees.

use board::Hex;
use engine::{Dice, Side, UnitId};

use crate::actions::Desk;
use crate::ground::Gait;
use crate::stacking::MOST_UNITS;
use crate::{Attack, Bug, Place, Procedure, State, Units};

/// Deals what a side cannot see of the enemy anew: beneath which stack an HQ is, which unit lies beneath another, among units of
/// the same sort, and how the losses are spread. Whoever fights stays as it is; of those who are on their way it is the place
/// that is known, and whoever is dealt there is on his way. The deal starts from an order that does not depend on the truth, so
/// that states that look alike to the side give the same state for the same dice.
pub(crate) fn imagine(rules: &Bug, state: &State, side: Side, dice: &mut Dice) -> State {
    let fighting = fighting_units(state);
    let mut imagined = deal(rules, state, side, fighting, dice);
    let Some(Attack { attackers, .. }) = enemy_attack(rules, state, side) else { return imagined };
    match Desk::of(rules, &imagined).and_then(|desk| desk.any_attack()) {
        Some(attack) => imagined.stack.replace(attack),
        // As the units were dealt nobody could attack: those who are about to stay as they are.
        None => return deal(rules, state, side, fighting.iter().chain(attackers.iter()).collect(), dice),
    }
    imagined
}

/// An attack of the enemy that is not declared. It is as hidden as its units: any that he could make stands for it.
fn enemy_attack(rules: &Bug, state: &State, side: Side) -> Option<Attack> {
    state.stack.top::<Attack>().copied().filter(|attack| rules.side_of_all(attack.attackers) != side)
}

fn deal(rules: &Bug, state: &State, side: Side, fixed: Units, dice: &mut Dice) -> State {
    let mut imagined = state.clone();
    let enemies: Vec<UnitId> = rules
        .on_map(state, side.enemy())
        .map(|(unit, _)| unit)
        .filter(|unit| !rules.is_hq(*unit) && !fixed.contains(*unit))
        .collect();
    let busy = fixed.iter().chain(units_on_their_way(state).iter()).collect();
    let mut hidden: Vec<UnitId> =
        enemies.iter().copied().filter(|unit| !rules.is_seen(state, *unit)).collect();
    for (unit, (hex, depth)) in Cellars::of(rules, state, side.enemy(), busy).deal(dice) {
        imagined.change(unit, |unit| (unit.place, unit.depth) = (Place::Hex(hex), depth));
        hidden.retain(|other| *other != unit);
    }
    for alike in sorts(hidden, |unit| sort_of(rules, state, unit)) {
        let mut places: Vec<(Slot, UnitId)> = alike
            .iter()
            .filter_map(|unit| Some(((state.hex(*unit)?, state.unit(*unit).depth), *unit)))
            .collect();
        places.sort_unstable_by_key(|(slot, _)| *slot);
        shuffle(&mut places, dice);
        for (unit, ((hex, depth), lies_there)) in alike.iter().zip(places) {
            imagined.change(*unit, |unit| (unit.place, unit.depth) = (Place::Hex(hex), depth));
            take_part(&mut imagined, *unit, state, lies_there);
        }
    }
    for equal in sorts(enemies, |unit| rules.counter(unit).strength) {
        let mut strengths: Vec<u8> = equal.iter().map(|unit| state.unit(*unit).strength).collect();
        strengths.sort_unstable();
        shuffle(&mut strengths, dice);
        for (unit, strength) in equal.iter().zip(strengths) {
            imagined.change(*unit, |unit| unit.strength = strength);
        }
    }
    imagined
}

/// A place in a stack: the hex, and how many units lie above.
type Slot = (Hex, u8);

/// Where HQs of a side may be that the enemy cannot see: beneath stacks of which neither the zone of control nor the number of
/// pieces tells whether one is there, and none of which is part of something under way.
struct Cellars<'a> {
    rules: &'a Bug,
    state: &'a State,
    side: Side,
    /// What is hidden there; whoever finds a place in the fewest stacks first, then in the order of the roster.
    hqs: Vec<UnitId>,
    infantry: Vec<UnitId>,
    others: Vec<UnitId>,
    /// Where it lies.
    slots: Vec<Slot>,
    /// The unit on top of each of these stacks.
    tops: Vec<(Hex, UnitId)>,
    /// The hexes among them where an infantry unit is seen; a hex holds one (5.3.1f).
    full: Vec<Hex>,
}

/// How often a deal is begun anew in which the last find no place.
const DEALS: u32 = 30;

impl<'a> Cellars<'a> {
    fn of(rules: &'a Bug, state: &'a State, side: Side, busy: Units) -> Cellars<'a> {
        let (hqs, infantry, others, slots, tops, full) = Default::default();
        let mut cellars = Cellars { rules, state, side, hqs, infantry, others, slots, tops, full };
        let mut lying: Vec<(Slot, UnitId)> =
            rules.on_map(state, side).map(|(unit, hex)| ((hex, state.unit(unit).depth), unit)).collect();
        lying.sort_unstable();
        for stack in lying.chunk_by(|(a, _), (b, _)| a.0 == b.0) {
            cellars.look_into(stack, busy);
        }
        for units in [&mut cellars.hqs, &mut cellars.infantry, &mut cellars.others] {
            units.sort_unstable_by_key(|unit| (Gait::of(rules.counter(*unit)) as u8, *unit));
        }
        cellars
    }

    fn look_into(&mut self, stack: &[(Slot, UnitId)], busy: Units) {
        let (rules, state) = (self.rules, self.state);
        let is_seen = |unit: UnitId| rules.is_seen(state, unit);
        let ((hex, _), top) = stack[0];
        let fits = |unit: UnitId| match is_seen(unit) {
            true => !rules.is_hq(unit),
            false => rules.is_hq(unit) || self.is_covered(unit, top),
        };
        // Of four pieces one is an HQ, since three combat units are the most (5.3.1e).
        let tells = stack.len() > MOST_UNITS || state.is_disrupted(top);
        if tells || !stack.iter().all(|(_, unit)| !busy.contains(*unit) && fits(*unit)) {
            return;
        }
        self.tops.push((hex, top));
        for (slot, unit) in stack {
            let infantry = rules.counter(*unit).arm.is_infantry_type();
            match (is_seen(*unit), infantry) {
                (true, true) => self.full.push(slot.0),
                (true, false) => continue,
                (false, _) if rules.is_hq(*unit) => self.hqs.push(*unit),
                (false, true) => self.infantry.push(*unit),
                (false, false) => self.others.push(*unit),
            }
            if !is_seen(*unit) {
                self.slots.push(*slot);
            }
        }
    }

    /// Whether a unit beneath another adds nothing to its zone of control, which the enemy would notice.
    fn is_covered(&self, unit: UnitId, top: UnitId) -> bool {
        let zone = |unit: UnitId| &self.rules.ground.zoc[Gait::of(self.rules.counter(unit)) as usize];
        self.state.is_disrupted(unit) || zone(unit).is_subset(zone(top))
    }

    /// Deals what is hidden there; nothing when no HQ is.
    fn deal(&self, dice: &mut Dice) -> Vec<(UnitId, Slot)> {
        if self.hqs.is_empty() {
            return Vec::new();
        }
        let hexes: Vec<Vec<Hex>> = self.hqs.iter().map(|hq| self.quarters(*hq)).collect();
        (0..DEALS).find_map(|_| self.deal_once(&hexes, dice)).unwrap_or_default()
    }

    /// First the HQs, each to one of its hexes, then infantry, then the others, near their HQ where that can be.
    fn deal_once(&self, hexes: &[Vec<Hex>], dice: &mut Dice) -> Option<Vec<(UnitId, Slot)>> {
        let mut slots = self.slots.clone();
        let mut dealt: Vec<(UnitId, Slot)> = Vec::with_capacity(slots.len());
        for (hq, hexes) in self.hqs.iter().zip(hexes) {
            let has_room = |hex: Hex| {
                let others = dealt.iter().filter(|(_, slot)| slot.0 == hex).count();
                others < self.rules.hq_limit(hex) // 5.3.1i
            };
            let open: Vec<Slot> =
                slots.iter().copied().filter(|slot| hexes.contains(&slot.0) && has_room(slot.0)).collect();
            let slot = drawn(&open, dice)?;
            slots = without(&slots, slot);
            dealt.push((*hq, slot));
        }
        for unit in &self.infantry {
            let taken =
                |hex: Hex| dealt.iter().any(|(other, slot)| slot.0 == hex && self.infantry.contains(other));
            let is_open = |slot: &Slot| !self.full.contains(&slot.0) && !taken(slot.0);
            let open: Vec<Slot> = slots.iter().copied().filter(is_open).collect();
            let slot = self.drawn_near(*unit, &open, &dealt, dice)?;
            slots = without(&slots, slot);
            dealt.push((*unit, slot));
        }
        for unit in &self.others {
            let slot = self.drawn_near(*unit, &slots, &dealt, dice)?;
            slots = without(&slots, slot);
            dealt.push((*unit, slot));
        }
        Some(dealt)
    }

    /// One of these slots that can take a unit, within Command Range of its HQ if there is any.
    fn drawn_near(
        &self,
        unit: UnitId,
        slots: &[Slot],
        dealt: &[(UnitId, Slot)],
        dice: &mut Dice,
    ) -> Option<Slot> {
        let hq = self.rules.hq_of(self.state, unit);
        let imagined = dealt.iter().find(|(other, _)| *other == hq).map(|(_, slot)| slot.0);
        let at = imagined.or(self.state.hex(hq));
        let range = u32::from(self.rules.hq_values(hq).command_range);
        let is_near = |slot: &Slot| at.is_some_and(|at| self.rules.map.grid().distance(at, slot.0) <= range);
        let is_open = |slot: &Slot| {
            let covered = self.tops.iter().any(|(hex, top)| *hex == slot.0 && self.is_covered(unit, *top));
            covered && !(self.state.is_disrupted(unit) && self.state.improved.contains(slot.0)) // 5.6.3f
        };
        let open: Vec<Slot> = slots.iter().copied().filter(is_open).collect();
        let near: Vec<Slot> = open.iter().copied().filter(is_near).collect();
        drawn(&near, dice).or_else(|| drawn(&open, dice))
    }

    /// The hexes where an HQ could be, for all that the rules say.
    fn quarters(&self, hq: UnitId) -> Vec<Hex> {
        let (rules, state) = (self.rules, self.state);
        let tether = rules.tether(state, hq);
        let mut hexes: Vec<Hex> = self.slots.iter().map(|(hex, _)| *hex).collect();
        hexes.dedup();
        let may_be = |hex: Hex| {
            rules.ground.settlements().contains(hex)
                && state.controller(hex) == self.side
                && tether.is_none_or(|tether| tether.contains(hex))
        };
        hexes.retain(|hex| state.hex(hq) == Some(*hex) || may_be(*hex));
        hexes
    }
}

fn without(slots: &[Slot], slot: Slot) -> Vec<Slot> {
    slots.iter().copied().filter(|other| *other != slot).collect()
}

fn drawn(slots: &[Slot], dice: &mut Dice) -> Option<Slot> {
    match slots {
        [] => None,
        _ => Some(slots[dice.roll(slots.len() as u32) as usize - 1]),
    }
}

/// What the enemy can tell of a unit: units of a sort stack, disrupt and project zones of control in the same way.
fn sort_of(rules: &Bug, state: &State, unit: UnitId) -> (Gait, bool, bool, u8) {
    let counter = rules.counter(unit);
    let infantry = counter.arm.is_infantry_type();
    (Gait::of(counter), infantry, state.is_disrupted(unit), state.unit(unit).formation)
}

/// Units by their sort, each in the order of the roster.
fn sorts<K: PartialEq>(units: Vec<UnitId>, sort: impl Fn(UnitId) -> K) -> Vec<Vec<UnitId>> {
    let mut sorts: Vec<(K, Vec<UnitId>)> = Vec::new();
    for unit in units {
        let key = sort(unit);
        match sorts.iter_mut().find(|(other, _)| *other == key) {
            Some((_, units)) => units.push(unit),
            None => sorts.push((key, vec![unit])),
        }
    }
    sorts.into_iter().map(|(_, units)| units).collect()
}

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for i in 0..list.len().saturating_sub(1) {
        let other = i + dice.roll((list.len() - i) as u32) as usize - 1;
        list.swap(i, other);
    }
}

/// Units that fight, or have just fought: the enemy has seen them.
fn fighting_units(state: &State) -> Units {
    let named = |procedure: &Procedure| match procedure {
        Procedure::Retreat(retreat) => [retreat.units, Units::EMPTY],
        Procedure::Bonus(bonus) => [bonus.units, Units::EMPTY],
        Procedure::Battle(battle) => [battle.attackers, battle.defenders],
        _ => [Units::EMPTY; 2],
    };
    state.stack.iter().flat_map(named).flat_map(|units| units.iter()).collect()
}

/// Units that are about to act, or act.
fn units_on_their_way(state: &State) -> Units {
    state.stack.iter().filter_map(on_its_way).flat_map(|units| units.iter()).collect()
}

fn on_its_way(procedure: &Procedure) -> Option<&Units> {
    match procedure {
        Procedure::Moving(moving) => Some(&moving.units),
        Procedure::Trying(trying) => Some(&trying.units),
        Procedure::Checks(checks) => Some(&checks.units),
        _ => None,
    }
}

fn on_its_way_mut(procedure: &mut Procedure) -> Option<&mut Units> {
    match procedure {
        Procedure::Moving(moving) => Some(&mut moving.units),
        Procedure::Trying(trying) => Some(&mut trying.units),
        Procedure::Checks(checks) => Some(&mut checks.units),
        _ => None,
    }
}

/// Whoever is dealt to a place takes part in what the one who truly lies there takes part in.
fn take_part(imagined: &mut State, unit: UnitId, truth: &State, lies_there: UnitId) {
    for (procedure, truly) in imagined.stack.iter_mut().zip(truth.stack.iter()) {
        let (Some(units), Some(truly)) = (on_its_way_mut(procedure), on_its_way(truly)) else { continue };
        if truly.contains(lies_there) {
            units.insert(unit);
        } else {
            units.remove(unit);
        }
    }
}
