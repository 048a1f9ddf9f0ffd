//! Supply as a proof: the path that supplies a unit, or what stands in its way; and what the enemy could do to a hex.

use std::collections::VecDeque;

use board::{Hex, HexSet};
use engine::mark::Lasts;
use engine::{Dice, Play, Proof, Remark, Rulebook, Side, UnitId, Viewer, remark};

use crate::ground::PORT_RANGE;
use crate::supply::{MAX_BORDERS, SOVIET_EXHAUSTION};
use crate::{Action, Combat, Dagc, Presence, State, Supply, Supporting, Withdrawal};

/// Where a line may run.
struct Ways {
    open: HexSet,
    goals: HexSet,
    /// Border hexsides that may be crossed.
    borders: usize,
    narrows: bool,
}

impl Dagc {
    /// The supply of a unit (7), with its line.
    pub(crate) fn supply_proof(&self, state: &State, unit: UnitId) -> Option<Proof> {
        let hex = state.hex(unit)?;
        let presence = Presence::new(self, state);
        let supply = self.supply_of(state, &presence, unit);
        let (path, because) = match supply {
            Supply::Overland => self.overland_line(state, &presence, unit, hex),
            Supply::Port => self.port_line(state, &presence, unit, hex),
            Supply::Out => self.what_bars(state, &presence, unit, hex),
        };
        Some(Proof { what: "supply", holds: supply != Supply::Out, path, because })
    }

    fn overland_line(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        hex: Hex,
    ) -> (Vec<Hex>, Vec<Remark>) {
        let path = self.line(hex, &self.lawful_ways(state, presence, unit)).unwrap_or_default();
        let source = path.last().copied().unwrap_or(hex);
        (path, vec![remark!("7.2a", "a line leads to the source in {}", source)])
    }

    /// Where a unit's own supply line may run.
    fn lawful_ways(&self, state: &State, presence: &Presence, unit: UnitId) -> Ways {
        let side = self.side(unit);
        let mut open = self.open_to_supply(presence, side);
        if side == Side::Soviet && !self.may_use_pripyat(state, unit) {
            open -= self.ground.western_pripyat;
        }
        Ways {
            goals: self.working_sources(state, presence, side) & open,
            open,
            borders: if side == Side::Axis { MAX_BORDERS } else { usize::MAX },
            narrows: side == Side::Soviet && self.narrows_are_soviet(state),
        }
    }

    fn port_line(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        hex: Hex,
    ) -> (Vec<Hex>, Vec<Remark>) {
        if Some(hex) == self.ground.koenigsberg {
            return (vec![hex], vec![remark!("7.9l", "{} is in Koenigsberg", unit)]);
        }
        let open = self.open_to_supply(presence, Side::Axis);
        for (place, &port) in self.ground.ports.iter().enumerate() {
            if !self.port_works(state, presence, place) || !self.port_reach(presence, port).contains(hex) {
                continue;
            }
            let goals = [port].into_iter().collect();
            let path = self.line(hex, &Ways { open, goals, borders: MAX_BORDERS, narrows: false });
            return (
                path.unwrap_or_default(),
                vec![remark!("7.9a", "the port in {} is within six hexes", port)],
            );
        }
        (Vec::new(), Vec::new())
    }

    /// The shortest way to a source that would be, and the first thing in it.
    fn what_bars(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        hex: Hex,
    ) -> (Vec<Hex>, Vec<Remark>) {
        let side = self.side(unit);
        if side == Side::Soviet && state.turn >= SOVIET_EXHAUSTION {
            return (Vec::new(), vec![remark!("7.12a", "from turn 6 on every Soviet unit is out of supply")]);
        }
        if side == Side::Axis && self.is_cut_off(state, unit, hex) {
            return (
                Vec::new(),
                vec![remark!("7.9i", "{} was named as beyond its port's capacity this turn", unit)],
            );
        }
        let lawful = self.lawful_ways(state, presence, unit);
        let sources = self.sources(side);
        let free = |borders, narrows| Ways { open: self.ground.land, goals: sources, borders, narrows };
        // A line that only something in a hex bars tells more than one that is too long or crosses the narrows.
        let short = self.line(hex, &free(lawful.borders, lawful.narrows));
        let Some(path) = short.or_else(|| self.line(hex, &free(usize::MAX, side == Side::Soviet))) else {
            return (
                Vec::new(),
                vec![remark!("7.2a", "no line of land hexes leads to a source of its own side")],
            );
        };
        let barred = path.iter().find_map(|step| self.bar_in(state, presence, side, &lawful, *step));
        let mut because = vec![barred.unwrap_or_else(|| match side {
            Side::Axis => remark!("7.8", "every line crosses more than two borders"),
            Side::Soviet => remark!("7.2f", "the narrows are not Soviet-controlled on both sides"),
        })];
        if side == Side::Axis {
            because.push(self.why_no_port(state, presence, hex));
        }
        (path, because)
    }

    /// Why no port supplies a hex: what is wrong with the nearest (7.9).
    fn why_no_port(&self, state: &State, presence: &Presence<'_>, hex: Hex) -> Remark {
        let distance = |place: &usize| self.map.grid().distance(self.ground.ports[*place], hex);
        let nearest = (0..self.ground.ports.len()).min_by_key(distance);
        let Some(place) = nearest.filter(|place| distance(place) <= PORT_RANGE) else {
            return remark!("7.9d", "no port is within six hexes");
        };
        let port = self.ground.ports[place];
        if state.lost_ports >> place & 1 == 1 {
            remark!("7.9n", "the port in {} was once Soviet", port)
        } else if state.controller(port) != Side::Axis {
            remark!("7.9a", "the port in {} is not German-controlled", port)
        } else if presence.in_ezoc(Side::Axis, port) && Some(port) == self.ground.koenigsberg {
            remark!("7.9m", "a Soviet unit is adjacent to Koenigsberg")
        } else if presence.in_ezoc(Side::Axis, port) {
            remark!("7.9k", "a Soviet unit is adjacent to the port in {}", port)
        } else {
            remark!("7.9d", "no supply path of at most six hexes leads to the port in {}", port)
        }
    }

    /// What keeps a supply line out of a hex.
    fn bar_in(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        lawful: &Ways,
        hex: Hex,
    ) -> Option<Remark> {
        if presence.held[side.enemy()].contains(hex) {
            return Some(remark!("7.2b", "an enemy unit is in {}", hex));
        }
        if presence.in_unnegated_ezoc(side, hex) {
            let source = self.sources(side).contains(hex);
            return Some(match side {
                Side::Axis if source => {
                    remark!("7.7c", "the source in {} lies in a Soviet zone of control", hex)
                }
                Side::Soviet if source => {
                    remark!("7.10b", "the source in {} lies in a German zone of control", hex)
                }
                _ => remark!("7.2c", "{} lies in an enemy zone of control", hex),
            });
        }
        if side == Side::Axis && self.ground.soviet_entrenchments.contains(hex) {
            return Some(remark!("7.14", "{} is a Soviet entrenchment", hex));
        }
        if !lawful.open.contains(hex) {
            return Some(remark!("7.11a", "{} is a Western Pripyat Marsh hex", hex));
        }
        let dead = self.sources(side).contains(hex) && state.controller(hex) != side;
        dead.then(|| match side {
            Side::Axis => remark!("7.7b", "the source in {} is not German-controlled", hex),
            Side::Soviet => remark!("7.10b", "the source in {} is not Soviet-controlled", hex),
        })
    }

    /// The shortest line from a hex to a goal; of equally short ones the first in the order of directions.
    fn line(&self, from: Hex, ways: &Ways) -> Option<Vec<Hex>> {
        let border = self.map.sides_with("border");
        let mut came: Vec<(Hex, usize, usize)> = vec![(from, 0, 0)];
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let (hex, crossed, _) = came[at];
            if ways.goals.contains(hex) {
                return Some(trace_back(&came, at));
            }
            for (dir, to) in self.map.neighbours(hex) {
                let wet = !self.ground.sides_with_narrows.between(hex, to);
                let narrows = self.ground.narrows_side.between(hex, to) && !ways.narrows;
                let crossed = crossed + usize::from(border.has(hex, dir));
                let known = came.iter().any(|(seen, borders, _)| *seen == to && *borders <= crossed);
                if ways.open.contains(to) && !wet && !narrows && crossed <= ways.borders && !known {
                    queue.push_back(came.len());
                    came.push((to, crossed, at));
                }
            }
        }
        None
    }

    /// All enemy units beside a hex attack it as they are, without support, in a combat phase after movement. A viewer
    /// who does not see all of them is told nothing.
    pub(crate) fn heaviest_attack(
        &self,
        state: &State,
        hex: Hex,
        viewer: Viewer,
    ) -> Option<(State, Vec<Action>)> {
        let defender = state.stack_in(hex).first().map(|unit| self.side(*unit))?;
        let side = defender.enemy();
        let mut imagined = state.clone();
        imagined.units.change_all(|unit| unit.marks.expire(Lasts::Phase));
        imagined.stack.clear();
        imagined.stack.push(Combat { side, after: true });
        let presence = Presence::new(self, &imagined);
        let near: Vec<UnitId> = self
            .map
            .neighbours(hex)
            .flat_map(|(_, from)| imagined.stack_in(from))
            .filter(|unit| self.check_attack(&imagined, &presence, side, *unit, hex).is_ok())
            .collect();
        let sees = |unit: &UnitId| viewer.is_told(side) || self.is_seen(state, *unit);
        if !near.iter().all(sees) {
            return None;
        }
        // Fronts never attack together: the stronger one does.
        let strength = |uf: bool| -> u32 {
            let of_front = near.iter().filter(|unit| self.is_1uf(**unit) == uf);
            of_front.map(|unit| u32::from(self.factor(state, *unit))).sum()
        };
        let uf = strength(true) > strength(false);
        let mut attackers = near.into_iter().filter(|unit| self.is_1uf(*unit) == uf);
        let mut actions = vec![Action::Name { unit: attackers.next()?, hex }];
        actions.extend(attackers.map(|unit| Action::Join { unit }));
        actions.push(Action::Declare);
        self.follow_to_the_die(&imagined, actions)
    }

    /// Adds the answers that lead to the die, whichever are asked for.
    fn follow_to_the_die(&self, start: &State, mut actions: Vec<Action>) -> Option<(State, Vec<Action>)> {
        let mut state = start.clone();
        let mut play = Play::new(Dice::told([1]));
        for action in &actions {
            self.apply(&mut state, *action, &mut play);
        }
        if state.stack.top::<Supporting>().is_some() {
            actions.push(Action::Unsupported);
            self.apply(&mut state, Action::Unsupported, &mut play);
        }
        actions.push(Action::Roll);
        self.apply(&mut state, Action::Roll, &mut play);
        if state.stack.top::<Withdrawal>().is_some() {
            actions.push(Action::Fight);
        }
        Some((start.clone(), actions))
    }
}

fn trace_back(came: &[(Hex, usize, usize)], mut at: usize) -> Vec<Hex> {
    let mut path = vec![came[at].0];
    while at > 0 {
        at = came[at].2;
        path.push(came[at].0);
    }
    path.reverse();
    path
}
