//! What the rules see of a state: who is where, and what that controls.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use board::Hex;
use engine::store::Version;
use engine::{BySide, Side};

use crate::ground::Gait;
use crate::{Arm, Bug, HexSet, Marks, Place, Pontoon, Sides, State};

/// Who is where, and what that controls. What takes a flood to find is found when it is first asked for.
pub(crate) struct Presence {
    /// Hexes with any unit of a side.
    pub(crate) held: BySide<HexSet>,
    /// Hexes with a combat unit of a side.
    pub(crate) combat: BySide<HexSet>,
    /// Hexes in a side's zone of control (5.4).
    pub(crate) zoc: BySide<HexSet>,
    /// By HQ: hexes within Command Range.
    pub(crate) near: Found,
    /// By HQ: hexes joined to it by a Command Path of any length.
    pub(crate) joined: Found,
    /// By side: hexes from which it can trace a Supply Path.
    pub(crate) supplied: Found,
    /// Hexes next to any unit of a side.
    next_to: BySide<OnceCell<HexSet>>,
    /// The banks of the Bug, while pontoon bridges join them.
    banks: Option<Box<Banks>>,
}

/// Hexsides as pontoon bridges leave them.
struct Banks {
    /// Those that anything but boats can cross.
    open: Sides,
    /// The Bug without any bridge.
    wet: Sides,
}

/// Sets of hexes by a number, each found when it is first asked for.
#[derive(Default)]
pub(crate) struct Found(RefCell<Vec<Option<Box<HexSet>>>>);

impl Found {
    /// Whether a hex is in a set, if that is known.
    pub(crate) fn known(&self, place: usize, hex: Hex) -> Option<bool> {
        self.0.borrow().get(place)?.as_ref().map(|set| set.contains(hex))
    }

    /// Whether a hex is in a set, which is made when it is not known.
    pub(crate) fn has(&self, place: usize, hex: Hex, make: impl FnOnce() -> HexSet) -> bool {
        self.known(place, hex).unwrap_or_else(|| {
            let (set, mut found) = (make(), self.0.borrow_mut());
            if found.len() <= place {
                found.resize(place + 1, None);
            }
            found[place] = Some(Box::new(set));
            set.contains(hex)
        })
    }
}

/// The position of a state that was looked at last, with all that it follows from.
struct Kept {
    units: Version,
    pontoons: [Pontoon; 2],
    soviet_hexes: HexSet,
    presence: Rc<Presence>,
}

thread_local! {
    static LAST: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

impl Bug {
    /// What the rules see of a state: found anew only when a unit, a bridge or the control of a hex has changed.
    pub(crate) fn presence(&self, state: &State) -> Rc<Presence> {
        LAST.with_borrow_mut(|last| {
            let State { pontoons, soviet_hexes, .. } = *state;
            let units = state.units.version();
            if let Some(kept) = last
                && kept.units == units
                && kept.pontoons == pontoons
                && kept.soviet_hexes == soviet_hexes
            {
                return kept.presence.clone();
            }
            let presence = Rc::new(Presence::new(self, state));
            *last = Some(Kept { units, pontoons, soviet_hexes, presence: presence.clone() });
            presence
        })
    }
}

impl Presence {
    fn new(rules: &Bug, state: &State) -> Presence {
        const EMPTY: BySide<HexSet> = BySide { axis: HexSet::EMPTY, soviet: HexSet::EMPTY };
        let (mut held, mut combat, mut zealous) = (EMPTY, EMPTY, [EMPTY; 3]);
        for (counter, (_, unit)) in rules.counters.iter().zip(state.units.iter()) {
            let Place::Hex(hex) = unit.place else { continue };
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
        let bridged = state.bridges().next().is_some();
        // A pontoon bridge counts as a bridge (10.3h).
        let banks = bridged.then(|| {
            let (open, wet) = (ground.open_sides.with(state.bridges()), ground.river.but(state.bridges()));
            Box::new(Banks { open, wet })
        });
        let open = banks.as_ref().map_or(&ground.open_sides, |banks| &banks.open);
        let zoc = BySide::new_with(|side| {
            let gaits = Gait::ALL.into_iter().filter(|gait| !zealous[*gait as usize][side].is_empty());
            gaits.fold(HexSet::EMPTY, |zone, gait| {
                zone | open.grow(&zealous[gait as usize][side]) & ground.zoc[gait as usize]
            })
        });
        Presence {
            held,
            combat,
            zoc,
            near: Found::default(),
            joined: Found::default(),
            supplied: Found::default(),
            next_to: BySide::new_with(|_| OnceCell::new()),
            banks,
        }
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

    /// Hexes next to any enemy of a side, and those of the enemies (7.3.5a, R41).
    pub(crate) fn near_enemies(&self, rules: &Bug, side: Side) -> &HexSet {
        let enemy = side.enemy();
        self.next_to[enemy].get_or_init(|| rules.ground.all_sides.grow(&self.held[enemy]))
    }

    /// The hexsides that are neither lake nor the unbridged Bug: zones of control and supply cross them (5.7.1d).
    pub(crate) fn open_sides<'a>(&'a self, rules: &'a Bug) -> &'a Sides {
        self.banks.as_ref().map_or(&rules.ground.open_sides, |banks| &banks.open)
    }

    /// The hexsides of the Bug that no bridge crosses.
    pub(crate) fn wet_sides<'a>(&'a self, rules: &'a Bug) -> &'a Sides {
        self.banks.as_ref().map_or(&rules.ground.river, |banks| &banks.wet)
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
