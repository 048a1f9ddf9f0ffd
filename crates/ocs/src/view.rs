//! What a side sees. Everything lies open for now: limited intelligence (4.9) is not there yet.

use board::Hex;
use engine::{Front, Marker, Side, Sight, StockSeen, Track, UnitId, Viewer};

use crate::charts::Kind;
use crate::{Ocs, Place, State};

impl Sight for Ocs {
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
        (state.turn, self.settings.last)
    }

    fn markers(&self, state: &State) -> Vec<Marker> {
        let signs = ["", "1", "2", "3", "4"];
        let hedgehogs = state.hedgehogs.iter().map(|hedgehog| {
            let sign = signs[usize::from(hedgehog.level.min(4))];
            Marker::new(&self.map, hedgehog.hex, format!("hedgehog {}", hedgehog.level), None, sign)
        });
        let bases = state.bases.iter().map(|base| {
            let sign = ["", "A1", "A2", "A3"][usize::from(base.level.min(3))];
            let title = format!("air base {}, usable {}", base.level, base.usable);
            Marker::new(&self.map, base.hex, title, Some(base.side), sign)
        });
        hedgehogs.chain(bases).collect()
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let first = state.first.map_or("not known", Side::word);
        vec![
            Track::new("weather", state.weather.as_str()),
            Track::new("player turn", state.player_turn),
            Track::new("first player", first),
            Track::new("points", self.points(state)),
            Track::new("tokens expended", state.spent),
            Track::new("tokens destroyed", state.destroyed),
        ]
    }

    fn stocks(&self, state: &State, _: Viewer) -> Vec<StockSeen> {
        state.stocks.seen(self, |_| true)
    }
}

/// What the side of the counter that lies up shows.
pub(crate) fn factors(rules: &Ocs, state: &State, unit: UnitId) -> String {
    let (counter, face) = (rules.counter(unit), rules.face(state, unit));
    match counter.kind {
        Kind::Hq => format!("{}-{}", face.throw, face.allowance),
        Kind::Air(air) => {
            let step = usize::from(state.units[unit].steps > 1);
            format!("{}-{}-{}", air.rating[step], air.support[step], air.range)
        }
        Kind::Ship(_) => format!("{}-{}-{}", counter.barrage, counter.range, face.allowance),
        Kind::Transport { .. } => format!("{}-{}", state.units[unit].steps, face.allowance),
        Kind::Unit if counter.is_artillery() => {
            format!("{}-{}-{}-{}", counter.barrage, counter.range, counter.rating, face.allowance)
        }
        Kind::Unit => {
            let strength = if counter.parenthesized {
                format!("({})", face.strength)
            } else {
                face.strength.to_string()
            };
            format!("{strength}-{}-{}", counter.rating, face.allowance)
        }
    }
}
