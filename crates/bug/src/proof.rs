//! Command and supply as proofs: the path, or what stands in its way; and what the enemy could do to a hex.

use std::collections::VecDeque;

use board::{Dir, Hex};
use engine::mark::Lasts;
use engine::{Proof, Remark, UnitId, Viewer, remark};

use crate::actions::Desk;
use crate::{Action, Activation, AttackKind, Bug, Command, HexSet, Ops, Presence, State, Units};

/// The actions that put an attack together, declare it and fight it.
fn attack_in_steps(units: Units, hex: Hex, kind: AttackKind) -> Vec<Action> {
    let mut units = units.iter();
    let mut steps: Vec<Action> = units.next().map(|unit| Action::Name { unit, hex }).into_iter().collect();
    steps.extend(units.map(|unit| Action::Join { unit }));
    steps.extend([Action::Declare { kind }, Action::Fight]);
    steps
}

impl Bug {
    /// The command of a combat unit (5.8), the supply of an HQ (5.7).
    pub(crate) fn proofs_of(&self, state: &State, unit: UnitId, viewer: Viewer) -> Vec<Proof> {
        let Some(hex) = state.hex(unit) else { return Vec::new() };
        let presence = self.presence(state);
        if !viewer.is_told(self.side(unit)) && !self.is_hq(unit) {
            return vec![self.command_marker(state, &presence, unit, hex)];
        }
        if self.is_hq(unit) {
            vec![self.supply_proof(state, &presence, unit, hex)]
        } else {
            vec![self.command_proof(state, &presence, unit, hex)]
        }
    }

    /// What an enemy may know: the marker on the unit, not where its HQ lies or which it is (5.3.4a, 8.2b).
    fn command_marker(&self, state: &State, presence: &Presence, unit: UnitId, hex: Hex) -> Proof {
        let status = self.command(state, presence, unit);
        let because = match status {
            Command::In => remark!("5.8b", "{} is in command", unit),
            Command::Out => remark!("5.8.3b", "{} carries an Out of Command marker", unit),
            Command::Isolated => remark!("5.8.4c", "{} carries an Isolated marker", unit),
        };
        Proof { what: "command", holds: status == Command::In, path: vec![hex], because: vec![because] }
    }

    fn command_proof(&self, state: &State, presence: &Presence, unit: UnitId, hex: Hex) -> Proof {
        let hq = self.hq_of(state, unit);
        let range = self.hq_values(hq).command_range;
        let status = self.command(state, presence, unit);
        let proof = |path, because| Proof { what: "command", holds: status == Command::In, path, because };
        let Some(goal) = state.hex(hq) else {
            return proof(vec![hex], vec![remark!("5.3.2h", "{} is not on the map", hq)]);
        };
        let goals: HexSet = [goal].into_iter().collect();
        let open = presence.clear(self.side(unit), self.ground.land);
        let any = |_: Hex, _: Dir, _: Hex| true;
        match self.shortest(hex, &open, &goals, any) {
            Some(path) => {
                let length = path.len() as i32 - 1;
                let because = if status == Command::In {
                    remark!("5.8b", "a path of {} hexes leads to {}, whose range is {}", length, hq, range)
                } else {
                    remark!(
                        "5.8.3a",
                        "the shortest path to {} has {} hexes, its range is {}",
                        hq,
                        length,
                        range
                    )
                };
                proof(path, vec![because])
            }
            None => {
                let path = self.shortest(hex, &self.ground.land, &goals, any).unwrap_or_default();
                let mut because = vec![remark!("5.8.4a", "no path of any length leads to {}", hq)];
                because.extend(self.what_breaks(state, presence, unit, &path, "command"));
                proof(path, because)
            }
        }
    }

    fn supply_proof(&self, state: &State, presence: &Presence, hq: UnitId, hex: Hex) -> Proof {
        let side = self.side(hq);
        let holds = self.is_supplied(state, presence, hq);
        let open = presence.clear(side, self.ground.land);
        let dry = |from: Hex, dir: Dir, to: Hex| self.is_passable(state, from, dir, to);
        let goals = self.sources(state, side);
        let proof = |path, because| Proof { what: "supply", holds, path, because };
        match self.shortest(hex, &open, &(goals & open), dry) {
            Some(path) => {
                let edge = path.last().copied().unwrap_or(hex);
                proof(path, vec![remark!("5.7.1a", "a path leads to the map edge in {}", edge)])
            }
            None => {
                let path = self.shortest(hex, &self.ground.land, &goals, dry).unwrap_or_default();
                let mut because = vec![remark!("5.7.1a", "no path leads {} to a friendly supply area", hq)];
                because.extend(self.what_breaks(state, presence, hq, &path, "supply"));
                proof(path, because)
            }
        }
    }

    /// The first thing on a path that breaks it.
    fn what_breaks(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        path: &[Hex],
        _what: &'static str,
    ) -> Option<Remark> {
        let side = self.side(unit);
        let enemy = side.enemy();
        let broken = path.iter().skip(1).find(|hex| {
            presence.held[enemy].contains(**hex)
                || presence.in_ezoc(side, **hex) && !presence.held[side].contains(**hex)
        })?;
        if presence.held[enemy].contains(*broken) {
            return Some(remark!("5.8.2a", "an enemy unit is in {}", *broken));
        }
        let by = self.on_map(state, enemy).map(|(unit, _)| unit);
        match by.into_iter().find(|unit| self.projects(state, *unit, *broken) && self.is_seen(state, *unit)) {
            Some(unit) => Some(remark!("5.8.2b", "{} is in the zone of control of {}", *broken, unit)),
            None => Some(remark!("5.8.2b", "{} is in an enemy zone of control", *broken)),
        }
    }

    /// A shortest path through open hexes; the first one need not be open.
    fn shortest(
        &self,
        from: Hex,
        open: &HexSet,
        goals: &HexSet,
        crosses: impl Fn(Hex, Dir, Hex) -> bool,
    ) -> Option<Vec<Hex>> {
        let mut came: Vec<Option<Hex>> = vec![None; self.map.len()];
        let mut queue = VecDeque::from([from]);
        let mut seen: HexSet = [from].into_iter().collect();
        while let Some(hex) = queue.pop_front() {
            if goals.contains(hex) {
                let mut path = vec![hex];
                while let Some(before) = came[self.map.index(*path.last()?)] {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            for (dir, next) in self.map.neighbours(hex) {
                if open.contains(next) && crosses(hex, dir, next) && seen.insert(next) {
                    came[self.map.index(next)] = Some(hex);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The heaviest attack that the enemy could make on a hex from one of the hexes around it, as far as the viewer
    /// may know: with seven points, as if his formation were active.
    pub(crate) fn heaviest_attack(
        &self,
        state: &State,
        target: Hex,
        viewer: Viewer,
    ) -> Option<(State, Vec<Action>)> {
        let defender = self.side(self.combat_units(state, target).first()?);
        let presence = self.presence(state);
        let mut best: Option<(u32, State, Vec<Action>)> = None;
        for (_, from) in self.map.neighbours(target) {
            if !presence.combat[defender.enemy()].contains(from) {
                continue;
            }
            let known = |unit: UnitId| viewer.is_told(self.side(unit)) || self.is_seen(state, unit);
            // Motorized units stay out of an attack across the unbridged Bug (7.5.1c).
            let leads = |unit: UnitId| self.check_hexside(state, Units::of(unit), from, target).is_ok();
            let able = self.combat_units(state, from);
            let able = able.filter(|unit| known(unit) && !state.is_disrupted(unit) && leads(unit));
            for hq in self.hqs_of_side(defender.enemy()) {
                let formation = self.formation_of(hq);
                let units = able.filter(|unit| Some(state.unit(unit).formation) == formation);
                if units.is_empty() {
                    continue;
                }
                let mut threat = state.clone();
                threat.stack.clear();
                threat.stack.push(Ops {});
                threat.stack.push(Activation { hq, ap: 7, boats: 0, reaction: false });
                threat.luck = defender;
                threat.units.change_all(|unit| unit.marks.expire(Lasts::Combat));
                let Some(desk) = Desk::of(self, &threat) else { continue };
                let kinds = AttackKind::ALL.iter().rev().copied();
                let mut open = kinds.filter(|kind| desk.check_attack(units, target, *kind).is_ok());
                let Some(kind) = open.next() else { continue };
                let points: u32 = units.iter().map(|unit| u32::from(self.counter(unit).strength)).sum();
                let weight = points * u32::from(kind.cost());
                if best.as_ref().is_none_or(|(most, _, _)| weight > *most) {
                    best = Some((weight, threat, attack_in_steps(units, target, kind)));
                }
            }
        }
        best.map(|(_, state, actions)| (state, actions))
    }
}
