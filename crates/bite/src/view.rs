//! What a side sees: everything but an attack that the enemy has not declared. How untried units turn out is hidden from both
//! sides, since nobody has rolled for it (16.0c).

use board::Hex;
use engine::observation::{Observation, Schema, Values};
use engine::{Dice, Front, Marker, Proof, Side, Sight, Track, Types, UnitId, Viewer, muster};

use crate::sequence::acting_side;
use crate::{Action, Attack, Bite, COLOURS, Colour, HexSet, Marks, Place, State, proof};

impl Sight for Bite {
    type Place = Place;

    fn place(&self, state: &State, unit: UnitId) -> Option<Place> {
        Some(state.units[unit].place)
    }

    fn owner(&self, _: &State, unit: UnitId) -> Side {
        self.side(unit)
    }

    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        state.units.in_hex(hex)
    }

    fn front(&self, state: &State, unit: UnitId, _: Viewer) -> Front {
        let now = &state.units[unit];
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: self.counter(unit).arm.as_str().to_owned(),
            factors: factors(self, state, unit),
            steps: now.steps,
            flags: now.marks.words().collect(),
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.settings.last_turn)
    }

    fn markers(&self, state: &State) -> Vec<Marker> {
        let marker = |hex, what: &str, side: Side, sign| {
            let what = format!("{} {what}", Bite::BOOK.sides[side]);
            Marker::new(&self.map, hex, what, Some(side), sign)
        };
        let mut markers = Vec::new();
        for fort in &state.forts {
            let sign = if fort.value > 1 { "2" } else { "1" };
            markers.push(marker(fort.hex, &format!("field fort {}L", fort.value), fort.side, sign));
        }
        for (hex, _) in &self.settings.fortresses {
            if let Some(side) = self.fortress(state, *hex) {
                markers.push(marker(*hex, "fortress", side, "▣"));
            }
        }
        for side in Side::BOTH {
            for hex in state.interdicted[side].iter() {
                markers.push(marker(hex, "interdiction", side, "✈"));
            }
            for (_, from, to) in self.bridges(state, side) {
                let what = format!("bridge to {}", self.map.label(to));
                markers.push(marker(from, &what, side, "≍"));
            }
        }
        for objective in &self.settings.objectives {
            markers.push(marker(objective.hex, "control", state.controller(objective.hex), "●"));
        }
        markers.sort_by(|a, b| (&a.hex, &a.what).cmp(&(&b.hex, &b.what)));
        markers
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let mut tracks = vec![Track::new("weather", state.weather.as_str())];
        for side in Side::BOTH {
            let name = |what: &str| format!("{side} {what}");
            tracks.push(Track::new(name("points"), state.points[side]));
            tracks.push(Track::new(name("air markers"), state.air[side].markers));
            if self.settings.attack[side].markers.is_some() {
                let hand = state.attack_markers[side].hand;
                tracks.push(Track::new(name("attack supply markers"), hand));
            }
            let [light, heavy] = [1, 2].map(|value| self.forts_left(state, side, value));
            tracks.push(Track::new(name("field forts"), format!("{light} of 1L, {heavy} of 2L")));
        }
        let colours = (0..COLOURS as u8).filter(|place| state.charged >> place & 1 == 1).map(Colour);
        let charged: Vec<String> = colours.map(|colour| self.formation(colour)).collect();
        let charged = if charged.is_empty() { "none".to_owned() } else { charged.join(", ") };
        tracks.push(Track::new("general combats made", charged));
        tracks
    }

    const SCHEMA: Schema = Schema {
        planes: &[
            "own units",
            "enemy units",
            "own zones of control",
            "enemy zones of control",
            "own control",
            "objectives",
            "own field forts",
            "enemy field forts",
            "own interdiction",
            "enemy interdiction",
        ],
        globals: &[
            "turn",
            "turns left",
            "soviet",
            "weather",
            "own points",
            "enemy points",
            "own air markers",
            "enemy air markers",
            "own attack supply markers",
        ],
    };

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        let position = self.known(state);
        let enemy = side.enemy();
        for looking in [side, enemy] {
            out.plane(&position.held[looking]);
        }
        for looking in [side, enemy] {
            out.plane(&position.zoc[looking]);
        }
        let land = self.ground.land;
        out.plane(&if side == Side::Soviet { land & state.soviet_hexes } else { land - state.soviet_hexes });
        let objectives: HexSet = self.settings.objectives.iter().map(|objective| objective.hex).collect();
        out.plane(&objectives);
        for looking in [side, enemy] {
            let forts = state.forts.iter().filter(|fort| fort.side == looking);
            out.plane(&forts.map(|fort| fort.hex).collect::<HexSet>());
        }
        for looking in [side, enemy] {
            out.plane(&state.interdicted[looking]);
        }
        let left = self.settings.last_turn - state.turn;
        for number in [state.turn, left, u8::from(side == Side::Soviet), state.weather as u8] {
            out.global(number);
        }
        for number in [state.points[side], state.points[enemy]] {
            out.global(number);
        }
        for number in [state.air[side].markers, state.air[enemy].markers, state.attack_markers[side].hand] {
            out.global(number);
        }
    }

    fn values(&self, state: &State, unit: UnitId, _: Side) -> Values {
        let (now, counter) = (&state.units[unit], self.counter(unit));
        let values = Values {
            movement: i16::from(counter.allowance) * 12,
            kind: counter.arm as i16,
            marks: now.marks.bits().into(),
            ..Values::default()
        };
        if state.marked(unit, Marks::UNTRIED) {
            return values;
        }
        Values {
            steps: now.steps.into(),
            attack: self.attack(state, unit).into(),
            defence: self.defence(state, unit).into(),
            ..values
        }
    }

    /// An attack that the enemy has not declared may be any other (12.2b1).
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        let mut imagined = state.clone();
        if acting_side(state) != side && state.stack.top::<Attack>().is_some() {
            muster::imagine(self, &mut imagined, dice);
        }
        imagined
    }

    fn proofs(&self, state: &State, unit: UnitId, _: Viewer) -> Vec<Proof> {
        proof::proofs(self, state, unit)
    }

    fn threat(&self, state: &State, hex: Hex, _: Viewer) -> Option<(State, Vec<Action>)> {
        self.heaviest_attack(state, hex)
    }
}

/// What the face that lies up shows: an untried one no strength (16.0b).
fn factors(rules: &Bite, state: &State, unit: UnitId) -> String {
    let counter = rules.counter(unit);
    if state.marked(unit, Marks::UNTRIED) {
        return format!("?-?-{}", counter.allowance);
    }
    if let Some(hq) = rules.colour_of_hq(unit).and_then(|colour| rules.hq(colour)) {
        return format!("{}R-{}-{}", hq.right, rules.defence(state, unit), counter.allowance);
    }
    let attack = rules.attack(state, unit);
    let attack = if counter.parenthesized { format!("({attack})") } else { attack.to_string() };
    format!("{attack}-{}-{}", rules.defence(state, unit), counter.allowance)
}
