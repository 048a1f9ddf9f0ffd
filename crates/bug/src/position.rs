//! What the rules see of a state: who is where, and what that controls.

use std::cell::{OnceCell, RefCell};

use board::Hex;
use engine::{BySide, Side, UnitId};

use crate::ground::Gait;
use crate::{Arm, Bug, HexSet, Marks, Place, Pontoon, State, Units};

/// Derived from a state whenever a decision needs it; cheaper than keeping it true. What takes a flood to find is found
/// when it is first asked for.
pub(crate) struct Position {
    /// Hexes with any unit of a side.
    pub(crate) held: BySide<HexSet>,
    /// Hexes with a combat unit of a side.
    pub(crate) combat: BySide<HexSet>,
    /// Hexes in a side's zone of control (5.4).
    pub(crate) zoc: BySide<HexSet>,
    /// Hexes within Command Range of an HQ.
    pub(crate) near: Found<UnitId>,
    /// Hexes joined to an HQ by a Command Path of any length.
    pub(crate) joined: Found<UnitId>,
    /// Hexes from which a side can trace a Supply Path.
    pub(crate) supplied: Found<Side>,
    stacks: OnceCell<Stacks>,
}

/// The combat units in every hex, found all at once.
struct Stacks {
    /// By line and place in it: the stack, from 1.
    places: Box<[[u8; 64]; 32]>,
    stacks: Vec<Units>,
}

/// Sets of hexes that were looked for once.
pub(crate) struct Found<K>(RefCell<Vec<(K, HexSet)>>);

impl<K: Copy + PartialEq> Found<K> {
    fn nothing() -> Self {
        Found(RefCell::new(Vec::new()))
    }

    /// Whether a hex is in the set of a key, which is made when it is not known.
    pub(crate) fn has(&self, key: K, hex: Hex, make: impl FnOnce() -> HexSet) -> bool {
        let mut found = self.0.borrow_mut();
        if let Some((_, set)) = found.iter().find(|(other, _)| *other == key) {
            return set.contains(hex);
        }
        let set = make();
        found.push((key, set));
        set.contains(hex)
    }
}

impl Position {
    pub(crate) fn new(rules: &Bug, state: &State) -> Position {
        const EMPTY: BySide<HexSet> = BySide { axis: HexSet::EMPTY, soviet: HexSet::EMPTY };
        let mut held = EMPTY;
        let mut combat = EMPTY;
        let mut zealous = [EMPTY; 3];
        for (unit, counter) in state.units.iter().zip(&rules.counters) {
            let Place::Map(hex) = unit.place else { continue };
            held[counter.side].insert(hex);
            if counter.arm == Arm::Hq {
                continue;
            }
            combat[counter.side].insert(hex);
            if !unit.marks.has(Marks::DISRUPTED) {
                zealous[Gait::of(counter) as usize][counter.side].insert(hex); // 5.4c
            }
        }
        let ground = &rules.ground;
        let zoc = BySide::new_with(|side| {
            let mut zone = HexSet::EMPTY;
            for gait in Gait::ALL {
                let from = zealous[gait as usize][side];
                if from.is_empty() {
                    continue;
                }
                let mut reach = ground.open_sides.grow(&from);
                for (a, b) in state.bridges() {
                    // A pontoon bridge counts as a bridge (10.3h).
                    if from.contains(a) {
                        reach.insert(b);
                    }
                    if from.contains(b) {
                        reach.insert(a);
                    }
                }
                zone |= reach & ground.zoc[gait as usize];
            }
            zone
        });
        Position {
            held,
            combat,
            zoc,
            near: Found::nothing(),
            joined: Found::nothing(),
            supplied: Found::nothing(),
            stacks: OnceCell::new(),
        }
    }

    /// The same for somebody who keeps it; what took a flood to find is found again when it is asked for.
    pub(crate) fn copy(&self) -> Position {
        Position {
            held: self.held,
            combat: self.combat,
            zoc: self.zoc,
            near: Found::nothing(),
            joined: Found::nothing(),
            supplied: Found::nothing(),
            stacks: OnceCell::new(),
        }
    }

    /// The combat units in a hex, in the order of the roster, when many hexes are looked at.
    pub(crate) fn stack(&self, rules: &Bug, state: &State, hex: Hex) -> Units {
        let stacks = self.stacks.get_or_init(|| Stacks::new(rules, state));
        let place = stacks.places[usize::from(hex.line()) & 31][usize::from(hex.pos()) & 63];
        if place == 0 { Units::EMPTY } else { stacks.stacks[usize::from(place) - 1] }
    }

    /// In an enemy zone of control, whoever is there (5.4.1d).
    pub(crate) fn in_ezoc(&self, side: Side, hex: Hex) -> bool {
        self.zoc[side.enemy()].contains(hex)
    }

    /// Hexes that a path of a side may enter: without enemies, and not in their zones of control unless a friendly
    /// unit is there (5.7.1b, 5.7.1c, 5.8.2a, 5.8.2b, R18).
    pub(crate) fn clear(&self, side: Side, land: HexSet) -> HexSet {
        (self.held[side] | (land - self.zoc[side.enemy()])) - self.held[side.enemy()]
    }
}

impl Stacks {
    fn new(rules: &Bug, state: &State) -> Stacks {
        let mut stacks = Stacks { places: Box::new([[0; 64]; 32]), stacks: Vec::new() };
        for (i, (unit, counter)) in state.units.iter().zip(&rules.counters).enumerate() {
            let Place::Map(hex) = unit.place else { continue };
            if counter.arm == Arm::Hq {
                continue;
            }
            let place = &mut stacks.places[usize::from(hex.line()) & 31][usize::from(hex.pos()) & 63];
            if *place == 0 {
                stacks.stacks.push(Units::EMPTY);
                *place = stacks.stacks.len() as u8; // at most one for each of 184 units
            }
            stacks.stacks[usize::from(*place) - 1].insert(UnitId(i as u16));
        }
        stacks
    }
}

impl State {
    /// The hexsides with a pontoon bridge.
    pub(crate) fn bridges(&self) -> impl Iterator<Item = (Hex, Hex)> + '_ {
        self.pontoons.iter().filter_map(|pontoon| match pontoon {
            Pontoon::Built(a, b) => Some((*a, *b)),
            _ => None,
        })
    }
}
