//! What a side sees (11.7), and what it can imagine behind it.

use board::{Hex, HexSet};
use engine::observation::{Observation, Schema, Values};
use engine::{Dice, Front, Marker, Proof, Side, Sight, Track, UnitId, Viewer};

use crate::sequence::Turn;
use crate::{Action, Barbarossa, Combat, Fact, Marks, Order, Place, State, Step};

impl Sight for Barbarossa {
    type Place = Place;

    fn place(&self, state: &State, unit: UnitId) -> Option<Place> {
        Some(state.unit(unit).place).filter(|place| *place != Place::Out)
    }

    fn owner(&self, _: &State, unit: UnitId) -> Side {
        self.side(unit)
    }

    /// Whoever is not seen comes last: his place among the others would tell who he is.
    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        let mut stack = state.stack_in(hex);
        stack.sort_by_key(|unit| !Barbarossa::is_seen(self, state, *unit));
        stack.into_iter()
    }

    fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        Barbarossa::is_seen(self, state, unit)
    }

    fn front(&self, state: &State, unit: UnitId, _: Viewer) -> Front {
        let counter = self.counter(unit);
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: counter.arm.as_str().to_owned(),
            factors: counter.factors(),
            steps: 1,
            flags: state.unit(unit).marks.words().collect(),
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.last_turn)
    }

    fn markers(&self, state: &State) -> Vec<Marker> {
        let marker = |hex: Hex, what, side, sign| Marker::new(&self.map, hex, what, Some(side), sign);
        let heroes = state.heroes.iter().map(|hex| marker(*hex, "Hero City", Side::Soviet, "★"));
        let fortresses = state.fortresses.iter().map(|hex| marker(*hex, "Fortress City", Side::Axis, "F"));
        let walls = (state.lines - self.ground.german_lines).iter().collect::<Vec<_>>();
        let walls = walls.into_iter().map(|hex| marker(hex, "East Wall", Side::Axis, "W"));
        let area = state.area.map(|(hex, _)| marker(hex, "Fortified Area", Side::Soviet, "FA"));
        let airlift = state.airlift.map(|hex| marker(hex, "Aerial Supply", Side::Axis, "✈"));
        let names = ["Offensive Supply A", "Offensive Supply B", "Offensive Supply C"];
        let offensive = state.offensive.iter().zip(names).zip(["A", "B", "C"]);
        let offensive =
            offensive.filter_map(|((hex, name), sign)| Some(marker((*hex)?, name, Side::Soviet, sign)));
        heroes.chain(fortresses).chain(walls).chain(area).chain(airlift).chain(offensive).collect()
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let [mech, foot] = state.steps;
        let airlift = match (state.airlift, state.airlift_due) {
            (Some(_), _) => "committed".to_owned(),
            (None, 0) => "not arrived".to_owned(),
            (None, due) if due <= state.turn && self.airlift_is_available(state) => "available".to_owned(),
            (None, due) => format!("turn {due}"),
        };
        vec![
            Track::new("German victory points", state.vp),
            Track::new("forgiveness points", state.forgiveness),
            Track::new("Luftwaffe", self.luftwaffe_left(state)),
            Track::new("order of phases", state.order.said()),
            Track::new("replacements", format!("{mech}/{foot}")),
            Track::new("hero city markers", state.heroes_left),
            Track::new("fortress city markers", state.fortress_left + state.late_fortresses_left),
            Track::new("aerial supply", airlift),
            Track::new("strategic allowance", state.strategic_left),
            Track::new("RVGK allowance", state.rvgk_left),
            Track::new("expedition", state.venture.said()),
            Track::new("southern supply", state.southern.said()),
        ]
    }

    const SCHEMA: Schema = Schema {
        planes: &[
            "own units",
            "enemy units",
            "own control",
            "enemy control",
            "places worth points",
            "own overland supply",
            "hero and fortress cities",
        ],
        globals: &[
            "turn",
            "turns left",
            "soviet",
            "german points",
            "Luftwaffe",
            "strategic",
            "RVGK",
            "steps",
        ],
    };

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        for looking in [side, side.enemy()] {
            out.plane(state.held(looking));
        }
        for looking in [side, side.enemy()] {
            out.plane(&state.control[looking]);
        }
        out.plane(&self.ground.worth_points);
        out.plane(&(self.overland(state, side) & self.ground.land));
        out.plane(&state.heroes.iter().chain(&state.fortresses).copied().collect::<HexSet>());
        for number in [state.turn, self.last_turn - state.turn, u8::from(side == Side::Soviet)] {
            out.global(number);
        }
        out.global(f32::from(state.vp));
        for number in [
            self.luftwaffe_left(state),
            state.strategic_left,
            state.rvgk_left,
            state.steps[0] + state.steps[1],
        ] {
            out.global(number);
        }
    }

    fn values(&self, state: &State, unit: UnitId, _: Side) -> Values {
        let counter = self.counter(unit);
        Values {
            steps: 1,
            attack: counter.attack.map_or(3, i16::from),
            defence: counter.defence.map_or(3, i16::from),
            movement: i16::from(self.movement_factor(state, unit)) * 12,
            kind: counter.arm as i16,
            marks: state.unit(unit).marks.bits() as i32 as _,
        }
    }

    /// What the German player does not see is dealt anew; to the Soviet player the choice between Rhine and Oder is unknown
    /// (4.18a).
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        if side == Side::Axis {
            return self.deal(state, dice);
        }
        let mut imagined = state.clone();
        if state.has(Fact::WatchChosen) && !state.has(Fact::WatchShown) {
            imagined.facts.set(Fact::Oder, dice.roll(2) == 1);
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

impl Barbarossa {
    /// The prepared assault with everybody next to a hex whom the viewer sees, in a phase of theirs.
    fn heaviest_attack(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        let defender = Side::BOTH.into_iter().find(|side| state.held(*side).contains(hex))?;
        let side = defender.enemy();
        // A German viewer may not learn what lies beneath a Soviet stack, on either side of the attack.
        if !viewer.is_told(Side::Soviet) {
            let hidden = |unit: UnitId| !Barbarossa::is_seen(self, state, unit);
            let around = self.map.neighbours(hex).map(|(_, hex)| hex).chain([hex]);
            if around.flat_map(|hex| state.units.in_hex(hex)).any(hidden) {
                return None;
            }
        }
        let mut supposed = state.clone();
        supposed.stack.clear();
        supposed.order = Order::FightMove;
        supposed
            .units
            .change_all(|unit| unit.marks.clear(Marks::ATTACKED | Marks::DEFENDED | Marks::RETREATED));
        let step = if side == Side::Axis { Step::AxisFirst } else { Step::SovietFirst };
        supposed.stack.push(Turn { step });
        supposed.stack.push(Combat { side });
        let beside = self.map.neighbours(hex).map(|(_, hex)| hex);
        let attackers: Vec<UnitId> = beside
            .flat_map(|from| supposed.units.in_hex(from))
            .filter(|unit| self.check_attack(&supposed, side, *unit, hex).is_ok())
            .collect();
        let (first, others) = attackers.split_first()?;
        let mut actions = vec![Action::Name { unit: *first, hex }];
        actions.extend(others.iter().map(|unit| Action::Join { unit: *unit }));
        actions.push(Action::Declare);
        Some((supposed, actions))
    }
}
