//! 10.3: pontoon bridges.

use board::{Hex, Map};
use engine::{Play, Side, Violation, ensure, refuse};

use crate::actions::Desk;
use crate::ground::Between;
use crate::{Action, Bug, Command, Corps, Ending, Event, Pontoon, State};

/// What it costs to build one (10.3b).
const COST: u8 = 2;

impl Desk<'_> {
    /// The corps that builds, if it has a bridge to build.
    fn builder(&self) -> Result<Corps, Violation> {
        ensure!("10.3a", self.mandate.side == Side::Axis, "only the German side builds pontoon bridges");
        ensure!("7.5.3f", !self.mandate.is_bonus(), "a bonus Action builds no bridge");
        let hq = self.mandate.formation.and_then(|place| self.rules.hqs.get(usize::from(place)).copied());
        let Some(corps) = hq.and_then(|hq| self.rules.counter(hq).corps) else {
            refuse!("10.3b", "the formation belongs to no corps with a pontoon bridge")
        };
        match self.state.pontoons[corps as usize] {
            Pontoon::Ready => {}
            Pontoon::Built(..) => refuse!("10.3a", "the bridge of this corps stands already"),
            Pontoon::Lost => refuse!("10.3f", "the bridge of this corps is lost"),
        }
        ensure!(
            "10.3b",
            self.mandate.ap >= COST,
            "a pontoon bridge costs {} AP, and you have {}",
            COST,
            self.mandate.ap
        );
        Ok(corps)
    }

    pub(crate) fn check_bridge(&self, from: Hex, to: Hex) -> Result<Corps, Violation> {
        let corps = self.builder()?;
        self.check_site(from, to)?;
        Ok(corps)
    }

    fn check_site(&self, from: Hex, to: Hex) -> Result<(), Violation> {
        let (rules, state) = (self.rules, self.state);
        let Some(dir) = rules.map.grid().dir_between(from, to) else {
            refuse!("10.3i", "{} is not adjacent to {}", to, from)
        };
        let river = rules.ground.between(from, dir) == Between::River && rules.ground.land.contains(to);
        ensure!("10.3i", river, "no unbridged hexside of the Bug lies between {} and {}", from, to);
        ensure!("10.3i", !state.has_bridge(from, to), "a pontoon bridge stands there already");
        let units = rules.combat_units(state, from);
        let builds = |unit| {
            Some(state.unit(unit).formation) == self.mandate.formation
                && !state.is_disrupted(unit)
                && self.command(unit) == Command::In
        };
        let able = units.iter().any(builds);
        ensure!("10.3c", able, "no undisrupted unit of the formation in command is in {}", from);
        ensure!("10.3d", !self.presence.held.soviet.contains(to), "an enemy unit is in {}", to);
        let watched = self.presence.zoc.soviet.contains(to) && !self.presence.held.axis.contains(to);
        ensure!("10.3d", !watched, "{} is in an enemy zone of control", to);
        Ok(())
    }

    pub(crate) fn bridge_answers(&self, answers: &mut Vec<Action>) {
        if self.builder().is_err() {
            return;
        }
        let mut seen = crate::HexSet::EMPTY;
        for (_, from) in self.rules.on_map(self.state, Side::Axis) {
            if !self.rules.ground.river.touched().contains(from) || !seen.insert(from) {
                continue;
            }
            for (_, to) in self.rules.map.neighbours(from) {
                if self.check_site(from, to).is_ok() {
                    answers.push(Action::Bridge { from, to });
                }
            }
        }
    }
}

impl Pontoon {
    /// `ready`, `lost`, or the two hexes: `0410/0511`.
    pub(crate) fn read(text: &str, rules: &Bug) -> Result<Pontoon, String> {
        match text {
            "ready" => Ok(Pontoon::Ready),
            "lost" => Ok(Pontoon::Lost),
            _ => {
                let wrong = || format!("`{text}` is not ready, lost, or two hexes such as 0410/0511");
                let (a, b) = text.split_once('/').ok_or_else(wrong)?;
                let (a, b) = (rules.map.hex(a)?, rules.map.hex(b)?);
                let dir = rules.map.grid().dir_between(a, b).ok_or_else(wrong)?;
                let river = rules.ground.between(a, dir) == Between::River;
                let built = river.then_some(Pontoon::Built(a, b));
                built.ok_or_else(|| format!("the unbridged Bug does not lie at {text}"))
            }
        }
    }

    /// Writes what [`Pontoon::read`] reads.
    pub(crate) fn word(self, map: &Map) -> String {
        match self {
            Pontoon::Ready => "ready".to_owned(),
            Pontoon::Lost => "lost".to_owned(),
            Pontoon::Built(a, b) => format!("{}/{}", map.label(a), map.label(b)),
        }
    }
}

impl Bug {
    pub(crate) fn bridge(&self, state: &mut State, corps: Corps, from: Hex, to: Hex, play: &mut Play<Event>) {
        self.pay(state, Side::Axis, COST, play);
        state.pontoons[corps as usize] = Pontoon::Built(from, to);
        play.tell(Event::Bridged { corps, from, to });
        self.check_bridges(state, play);
        state.stack.push(Ending {});
    }

    /// In the Reinforcement Segment, without further condition (10.3e).
    pub(crate) fn check_take_up(&self, state: &State, side: Side, corps: Corps) -> Result<(), Violation> {
        ensure!("10.3e", side == Side::Axis, "pontoon bridges are German");
        let stands = matches!(state.pontoons[corps as usize], Pontoon::Built(..));
        ensure!("10.3e", stands, "this corps has no bridge in place");
        Ok(())
    }

    pub(crate) fn take_up(&self, state: &mut State, corps: Corps, play: &mut Play<Event>) {
        state.pontoons[corps as usize] = Pontoon::Ready;
        play.tell(Event::TakenUp { corps });
    }
}
