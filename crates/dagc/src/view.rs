//! What a side sees (6.8), and what it can imagine behind it.

use board::Hex;
use engine::observation::{Observation, Schema, Values};
use engine::{Dice, Front, Marker, Proof, Side, Sight, Track, UnitId, Viewer};

use crate::{Action, AirGroup, Attack, Battle, Dagc, Marks, Moving, Place, Presence, State, Unit};

impl Sight for Dagc {
    type Place = Place;

    fn place(&self, state: &State, unit: UnitId) -> Option<Place> {
        Some(state.unit(unit).place).filter(|place| *place != Place::Out)
    }

    fn owner(&self, _: &State, unit: UnitId) -> Side {
        self.side(unit)
    }

    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        state.stack_in(hex).into_iter()
    }

    fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        Dagc::is_seen(self, state, unit)
    }

    fn front(&self, state: &State, unit: UnitId, _: Viewer) -> Front {
        let (now, counter) = (state.unit(unit), self.counter(unit));
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: counter.arm.as_str().to_owned(),
            factors: counter.factors(self.factor(state, unit)),
            steps: now.steps,
            flags: now.marks.words().collect(),
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.last_turn)
    }

    /// Soviet Control markers on towns, cities and the coast (3.4), and the Center of Gravity.
    fn markers(&self, state: &State) -> Vec<Marker> {
        let marker = |hex, what, sign| Marker::new(&self.map, hex, what, Some(Side::Soviet), sign);
        let taken = self.ground.worth_points() & state.soviet_hexes;
        let control = taken.iter().map(|hex| marker(hex, "Soviet control", "S"));
        let center = self.center.filter(|_| state.turn == 1);
        control.chain(center.map(|hex| marker(hex, "Center of Gravity", "✪"))).collect()
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let air = |group: AirGroup| {
            format!("{} of {} unused", state.unused_air(group), state.air[group as usize].all)
        };
        vec![
            Track::new("Soviet points", self.points(state)),
            Track::new("main-front air armies", air(AirGroup::Main)),
            Track::new("1UF air armies", air(AirGroup::Uf)),
            Track::new("replacement steps", state.steps_left),
            Track::new("narrows", if state.narrows_used { "crossed" } else { "not crossed" }),
            Track::new("armor concentration", if state.armor_tried { "tried" } else { "not tried" }),
        ]
    }

    const SCHEMA: Schema = Schema {
        planes: &[
            "own units",
            "enemy units",
            "own zones of control",
            "enemy zones of control",
            "own control",
            "places worth points",
        ],
        globals: &[
            "turn",
            "turns left",
            "soviet",
            "soviet points",
            "points needed",
            "replacement steps",
            "main-front air armies unused",
            "1UF air armies unused",
            "narrows crossed",
            "armor concentration tried",
        ],
    };

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        let presence = Presence::new(self, state);
        let land = self.ground.land;
        for looking in [side, side.enemy()] {
            out.plane(presence.held[looking]);
        }
        for looking in [side, side.enemy()] {
            out.plane(&(*presence.zoc(looking) & land));
        }
        out.plane(&self.controlled(state, side));
        out.plane(&self.ground.worth_points());
        for number in [state.turn, self.last_turn - state.turn, u8::from(side == Side::Soviet)] {
            out.global(number);
        }
        out.global(self.points(state) as f32);
        out.global(self.needed as f32);
        let flags = [u8::from(state.narrows_used), u8::from(state.armor_tried)];
        for number in [state.steps_left, state.unused_air(AirGroup::Main), state.unused_air(AirGroup::Uf)]
            .into_iter()
            .chain(flags)
        {
            out.global(number);
        }
    }

    fn values(&self, state: &State, unit: UnitId, _: Side) -> Values {
        let (now, counter) = (state.unit(unit), self.counter(unit));
        let factor = i16::from(self.factor(state, unit));
        Values {
            steps: now.steps.into(),
            attack: factor,
            defence: factor,
            movement: i16::from(counter.movement) * 12,
            kind: counter.arm as i16,
            marks: now.marks.bits().into(),
        }
    }

    /// Deals the Soviet units that the German player does not see anew among the places where such units lie; fronts are
    /// never mixed (6.10a), and whoever fights stays. Whoever is dealt to the place of a unit on its way is on its way.
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        let mut imagined = state.clone();
        if side == Side::Soviet {
            return imagined;
        }
        let fighting = state.stack.find::<Battle>().map(|battle| battle.attackers).unwrap_or_default();
        for uf in [false, true] {
            let unseen: Vec<UnitId> = self
                .on_map(state, Side::Soviet)
                .map(|(unit, _)| unit)
                .filter(|unit| {
                    self.is_1uf(*unit) == uf && !self.is_seen(state, *unit) && !fighting.contains(*unit)
                })
                .collect();
            // Places in the order of the map: what is dealt does not depend on who truly lies where.
            let mut places: Vec<UnitId> = unseen.clone();
            places.sort_by_key(|unit| {
                let Unit { marks, .. } = state.unit(*unit);
                let place = marks.only(of_the_place()).bits();
                (state.hex(*unit), place, is_named(state, *unit), is_moving(state, *unit))
            });
            for i in (1..places.len()).rev() {
                places.swap(i, dice.roll(i as u32 + 1) as usize - 1);
            }
            for (unit, place) in unseen.into_iter().zip(places) {
                self.lay(&mut imagined, unit, state, place);
            }
        }
        imagined
    }

    fn proofs(&self, state: &State, unit: UnitId, _: Viewer) -> Vec<Proof> {
        self.supply_proof(state, unit).into_iter().collect()
    }

    fn threat(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex, viewer)
    }
}

/// True when a unit is named for an attack that is not declared, which is as hidden as the unit itself.
fn is_named(state: &State, unit: UnitId) -> bool {
    state.stack.find::<Attack>().is_some_and(|attack| attack.attackers.contains(unit))
}

fn is_moving(state: &State, unit: UnitId) -> bool {
    state.stack.find::<Moving>().is_some_and(|moving| moving.unit == unit)
}

/// What the German player knows of a place and not of a unit: that it moved, that the hex was attacked, or retreated to.
fn of_the_place() -> Marks {
    Marks::MOVED | Marks::DEFENDED | Marks::RETREATED | Marks::BENEATH
}

impl Dagc {
    /// Lays a unit where another lies in truth: what is known of the place stays there, and whoever lies there attacks or is
    /// on its way. The points it has left are as hidden as the unit.
    fn lay(&self, imagined: &mut State, unit: UnitId, truth: &State, place: UnitId) {
        let Unit { place: hex, marks, .. } = *truth.unit(place);
        imagined.change(unit, |unit| {
            unit.place = hex;
            unit.marks.clear(of_the_place());
            unit.marks.set(marks.only(of_the_place()));
        });
        let left = self.movement_factor(imagined, unit);
        if let Some(moving) = imagined.stack.find_mut::<Moving>().filter(|_| is_moving(truth, place)) {
            *moving = Moving { unit, left };
        }
        if let Some(attack) = imagined.stack.find_mut::<Attack>() {
            if is_named(truth, place) {
                attack.attackers.insert(unit);
            } else {
                attack.attackers.remove(unit);
            }
        }
    }
}
