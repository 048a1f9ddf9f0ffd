//! 5.3.4: what a side sees.

use board::Hex;
use engine::mark::{Lasts, Look, Mark};
use engine::observation::{Observation, Schema, Values};
use engine::row::NONE;
use engine::{Dice, Front, Marker, Proof, Side, Sight, Track, UnitId, Viewer, case};

use crate::charts::INITIATIVE_TRACK;
use crate::{Action, Activation, Bug, Command, Corps, HexSet, Marks, Moving, Place, State, deal};

/// What a unit carries besides its marks, because of where it stands.
const STATUSES: [Mark; 3] = [
    status(Command::Out.as_str(), "5.8.3a", Look::Bad("OC"), "is out of command"),
    status(Command::Isolated.as_str(), "5.8.4a", Look::Bad("I"), "is isolated"),
    status("attached", "5.5.1k", Look::Quiet, "is with another formation for a while"),
];

const fn status(word: &'static str, number: &'static str, look: Look, about: &'static str) -> Mark {
    Mark { word, case: case(number), lasts: Lasts::On, look, about }
}

/// All marks that a counter can show.
pub(crate) const MARKS: [Mark; Marks::ALL.len() + STATUSES.len()] = {
    let mut marks = [STATUSES[0]; Marks::ALL.len() + STATUSES.len()];
    let mut place = 0;
    while place < marks.len() {
        marks[place] = match place.checked_sub(Marks::ALL.len()) {
            Some(status) => STATUSES[status],
            None => Marks::ALL[place],
        };
        place += 1;
    }
    marks
};

impl Sight for Bug {
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
        Bug::is_seen(self, state, unit)
    }

    /// The counter as it lies; the current Strength is known to the owner only (5.3.4b).
    /// Reduced markers are never shown to the enemy (5.3.4); of one Strength Point nothing can be lost but the unit.
    fn knows_strength(&self, _: &State, unit: UnitId, viewer: Viewer) -> bool {
        let counter = self.counter(unit);
        viewer.is_told(counter.side) || self.is_hq(unit) || counter.strength <= 1
    }

    fn front(&self, state: &State, unit: UnitId, viewer: Viewer) -> Front {
        let (now, counter) = (state.unit(unit), self.counter(unit));
        let own = viewer.is_told(counter.side);
        let known = self.knows_strength(state, unit, viewer);
        let strength = if known { now.strength } else { counter.strength };
        let factors = match &counter.hq {
            Some(values) => {
                format!("{strength}-{}-{}-{}", values.command_range, values.reaction, values.relocation)
            }
            None => format!("{strength}-{}-{}", self.printed(state, unit).rating, counter.allowance),
        };
        let mut shown = now.marks;
        if !own {
            shown.clear(Marks::ARRANGED);
        }
        let mut flags: Vec<&'static str> = shown.words().collect();
        if state.hex(unit).is_some() && counter.hq.is_none() {
            // Where an HQ is that nobody sees would follow from who is led by it.
            let led_by_seen = own || self.is_seen(state, self.hq_of(state, unit));
            match self.command(state, &self.presence(state), unit) {
                Command::In => {}
                status if led_by_seen => flags.push(status.as_str()),
                _ => {}
            }
            if now.is_attached() && own {
                flags.push("attached");
            }
        }
        let steps = if now.place == Place::Dead { 0 } else { strength };
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: kind(self, state, unit),
            factors,
            steps,
            flags,
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.scenario.last_turn)
    }

    /// Improved Defense, pontoon bridges, and who holds the victory hexes and settlements.
    fn markers(&self, state: &State) -> Vec<Marker> {
        let marker = |hex, what: &'static str, side, sign| Marker::new(&self.map, hex, what, side, sign);
        let improved = state.improved.iter().map(|hex| marker(hex, "Improved Defense", None, "▲"));
        let mut markers: Vec<Marker> = improved.collect();
        for (a, b) in state.bridges() {
            markers.extend([a, b].map(|hex| marker(hex, "pontoon bridge", Some(Side::Axis), "≍")));
        }
        let worth: HexSet = self.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect();
        let held = ((self.ground.settlements() & self.ground.land) | worth) - self.ground.west;
        let german = held - state.soviet_hexes;
        markers.extend(german.iter().map(|hex| marker(hex, "German control", Some(Side::Axis), "G")));
        let lost = self.ground.west & self.ground.settlements() & state.soviet_hexes;
        markers.extend(lost.iter().map(|hex| marker(hex, "Soviet control", Some(Side::Soviet), "S")));
        markers
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let value = INITIATIVE_TRACK[usize::from(state.initiative.step)];
        let initiative =
            if value == 0 { "0".to_owned() } else { format!("{} +{value}", state.initiative.side) };
        let active = state.stack.find::<Activation>();
        let points = active.map(|active| format!("{} {}", self.roster.name(active.hq), active.ap));
        let passed = |side: Side| if state.passed[side] { "passed" } else { "-" };
        let mut tracks = vec![
            Track::new("action points", points.as_deref().unwrap_or("-")),
            Track::new("initiative", initiative),
            Track::new("interdiction", state.interdiction),
            Track::new("luck", state.luck),
            Track::new("German points", self.points(state)),
            Track::new("infantry replacements", state.points[0]),
            Track::new("AFV replacements", state.points[1]),
            Track::new("axis", passed(Side::Axis)),
            Track::new("soviet", passed(Side::Soviet)),
        ];
        if state.reserve > 0 {
            tracks.push(Track::new("reserve", format!("turn {}", state.reserve)));
        }
        for corps in Corps::ALL {
            let bridge = state.pontoons[*corps as usize].word(&self.map);
            tracks.push(Track::new(format!("pontoon {}", corps.as_str()), bridge));
        }
        for hq in self.hqs.iter().filter(|hq| state.unit(**hq).place != Place::Out) {
            let (unit, values) = (state.unit(*hq), self.hq_values(*hq));
            tracks.push(Track::new(self.roster.name(*hq), format!("{} of {}", unit.level, values.max_level)));
        }
        tracks
    }

    const SCHEMA: Schema = Schema {
        planes: &[
            "own units",
            "enemy units",
            "own zones of control",
            "enemy zones of control",
            "own control",
            "victory hexes",
            "improved defense",
        ],
        globals: &[
            "turn",
            "turns left",
            "soviet",
            "German points",
            "own luck",
            "own initiative modifier",
            "interdiction",
            "own pass",
            "enemy pass",
            "infantry replacements",
            "AFV replacements",
            "action points",
        ],
    };

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        let presence = self.presence(state);
        let land = self.ground.land;
        for looking in [side, side.enemy()] {
            out.plane(&presence.held[looking]);
        }
        for looking in [side, side.enemy()] {
            out.plane(&(presence.zoc[looking] & land));
        }
        out.plane(&self.friendly(state, side));
        out.plane(&self.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect::<HexSet>());
        out.plane(&state.improved);
        for number in [state.turn, self.scenario.last_turn - state.turn, u8::from(side == Side::Soviet)] {
            out.global(number);
        }
        out.global(self.points(state));
        let initiative = f32::from(INITIATIVE_TRACK[usize::from(state.initiative.step)]);
        out.global(u8::from(state.luck == side));
        out.global(if state.initiative.side == side { initiative } else { -initiative });
        let points = state.stack.find::<Activation>().map_or(0, |active| active.ap);
        let passed = [side, side.enemy()].map(|looking| u8::from(state.passed[looking]));
        for number in [state.interdiction, passed[0], passed[1], state.points[0], state.points[1], points] {
            out.global(number);
        }
    }

    /// Enemy strengths are not known (5.3.4b).
    fn values(&self, state: &State, unit: UnitId, side: Side) -> Values {
        let (now, counter) = (state.unit(unit), self.counter(unit));
        let enemy = counter.side != side;
        let strength = if enemy && !self.is_hq(unit) { NONE } else { now.strength.into() };
        let mut marks = now.marks;
        if enemy {
            marks.clear(Marks::ARRANGED);
        }
        Values {
            steps: strength,
            attack: strength,
            defence: strength,
            movement: i16::from(counter.allowance) * 12,
            kind: counter.arm as i16,
            marks: marks.bits().into(),
        }
    }

    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        deal::imagine(self, state, side, dice)
    }

    /// The enemy's strengths as they are printed: all that a side can know when it weighs an attack (5.3.4b).
    fn supposed(&self, state: &State, viewer: Viewer) -> State {
        let mut supposed = state.clone();
        for side in Side::BOTH.into_iter().filter(|side| !viewer.is_told(*side)) {
            for (unit, _) in self.on_map(state, side).filter(|(unit, _)| !self.is_hq(*unit)) {
                supposed.change(unit, |now| now.strength = self.counter(unit).strength);
            }
            // Where the enemy is going is his secret until he is there.
            if let Some(moving) = supposed.stack.find_mut::<Moving>()
                && moving.units.first().is_some_and(|unit| self.side(unit) == side)
            {
                moving.goal = None;
            }
        }
        supposed
    }

    fn proofs(&self, state: &State, unit: UnitId, viewer: Viewer) -> Vec<Proof> {
        self.proofs_of(state, unit, viewer)
    }

    fn threat(&self, state: &State, hex: Hex, viewer: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex, viewer)
    }
}

/// The type of a unit, with its Tank or Anti-Tank Points.
fn kind(rules: &Bug, state: &State, unit: UnitId) -> String {
    let (arm, printed) = (rules.counter(unit).arm.as_str(), rules.printed(state, unit));
    match (printed.tank_points, printed.at_points) {
        (0, 0) => arm.to_owned(),
        (0, guns) => format!("{arm}, AT {guns}"),
        (tanks, _) => format!("{arm}, tanks {tanks}"),
    }
}
