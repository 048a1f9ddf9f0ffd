//! 3: set-up.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, display, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{Action, Barbarossa, Entry, Event, Place, Procedure, State};

/// The army that is not moved into the Lublin land (3.7c); the other is the coastal army.
const NINTH_ARMY: &str = "sov-9L";

phrases! {
    /// A side sets up before play.
    pub struct Deployment { side: Side } = "deployment", "3.1b", "{side} sets up";
}

impl Frame<Barbarossa> for Deployment {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        let prompt = match self.side {
            Side::Axis => {
                remark!("3.3c", "set up your units in the hexes of their army groups and in Romania")
            }
            Side::Soviet => {
                remark!("3.7b", "set up the units from Lithuania, and move others to the Lublin land")
            }
        };
        (self.side, prompt)
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        for unit in rules.deployable(state, self.side) {
            let hexes = rules.deployment_hexes(state, unit);
            answers.extend(hexes.iter().map(|hex| Action::Deploy { unit, hex }));
        }
        if rules.check_deploy_all(state, self.side).is_ok() {
            answers.push(Action::DeployAll);
        }
        if self.check_end(rules, state).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Deploy { unit, hex } => {
                let here = rules.deployable(state, self.side).any(|other| other == unit);
                ensure!("3.3c", here, "{} is not yours to set up", unit);
                rules.check_room(state, unit, hex)?;
                if !rules.deployment_hexes(state, unit).contains(hex) {
                    return Err(rules.deployment_refusal(unit, hex));
                }
                Ok(())
            }
            Action::DeployAll => rules.check_deploy_all(state, self.side),
            Action::End => self.check_end(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Deploy { unit, hex } => rules.deploy(state, unit, hex, play),
            Action::DeployAll => {
                for unit in rules.in_hand(state, self.side).collect::<Vec<_>>() {
                    if let Some(hex) = rules.printed_hex(unit) {
                        rules.deploy(state, unit, hex, play);
                    }
                }
            }
            _ => {
                rules.go_on_setting_up(state, self.side, play);
            }
        }
    }

    /// The German side is done when everybody stands.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = self.side == Side::Soviet || rules.in_hand(state, self.side).next().is_some();
        if !asks {
            rules.go_on_setting_up(state, self.side, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        around.is_outermost()
            && around.above.is_empty()
            && !answers.is_empty()
            && state.turn == rules.first_turn
    }

    /// Not one of the turn.
    fn phase(&self, _: &Barbarossa, _: &State) -> Option<display::Phase> {
        Some(display::Phase { name: "set-up", side: Some(self.side), case: case("3.1b") })
    }
}

impl Deployment {
    fn check_end(&self, rules: &Barbarossa, state: &State) -> Result<(), Violation> {
        match rules.in_hand(state, self.side).next() {
            Some(unit) => refuse!("3.1b", "{} is to be set up", unit),
            None => Ok(()),
        }
    }
}

impl Barbarossa {
    /// Units are set up, the Soviet ones first (3.7, R115); then the first turn begins.
    pub(crate) fn begin(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        if self.in_hand(state, Side::Soviet).next().is_some() {
            state.stack.push(Deployment { side: Side::Soviet });
        } else {
            self.go_on_setting_up(state, Side::Soviet, play);
        }
    }

    fn go_on_setting_up(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        state.stack.clear();
        if side == Side::Soviet && self.in_hand(state, Side::Axis).next().is_some() {
            return state.stack.push(Deployment { side: Side::Axis });
        }
        self.begin_game(state, play);
    }

    /// Units in the hand of a side, which it must set up.
    pub(crate) fn in_hand<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.in_box(state, side, Place::Hand).filter(|unit| self.counter(*unit).entry != Entry::Gambit)
    }

    /// Units that can be set up now, or moved before play: with the Lithuania option Soviet units may go to the Lublin land once
    /// each (3.7c).
    fn deployable<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        let relocates = move |unit: &UnitId| {
            self.switches.lithuania
                && side == Side::Soviet
                && state.hex(*unit).is_some_and(|hex| !self.ground.lublin.contains(hex))
                && !self.is_ica(*unit)
                && self.roster.name(*unit) != NINTH_ARMY
        };
        let on_map = self.on_map(state, side).map(|(unit, _)| unit).filter(relocates);
        self.in_hand(state, side).chain(on_map)
    }

    pub(crate) fn printed_hex(&self, unit: UnitId) -> Option<Hex> {
        self.counter(unit).hex.as_deref().and_then(|label| self.map.hex(label).ok())
    }

    fn deployment_area(&self, state: &State, unit: UnitId) -> HexSet {
        if self.side(unit) == Side::Soviet {
            let anywhere = state.unit(unit).place == Place::Hand;
            return if anywhere { state.control.soviet } else { self.ground.lublin };
        }
        match self.counter(unit).entry {
            Entry::North => self.ground.groups[0],
            Entry::Centre => self.ground.groups[1],
            Entry::South => self.ground.groups[2],
            Entry::Romania => self.ground.romania,
            _ => HexSet::EMPTY,
        }
    }

    /// Where a unit may be set up (3.3, 3.7). Where the Lithuania option leaves its group no room, next to the group (R115).
    fn deployment_hexes(&self, state: &State, unit: UnitId) -> HexSet {
        let area = self.deployment_area(state, unit) & self.ground.land;
        let roomy = |hex: &Hex| self.check_room(state, unit, *hex).is_ok();
        let open: HexSet = area.iter().filter(roomy).collect();
        if !open.is_empty() || !self.switches.lithuania || self.side(unit) == Side::Soviet {
            return open;
        }
        let home = (self.ground.greater_germany | self.ground.general_government) & state.control.axis;
        (self.ground.all_sides.grow(&area) & home & self.ground.land).iter().filter(roomy).collect()
    }

    fn deployment_refusal(&self, unit: UnitId, hex: Hex) -> Violation {
        match self.counter(unit).entry {
            Entry::Romania => remark!("3.3b", "{} is set up in Romania, not in {}", unit, hex),
            Entry::North => remark!("3.3c", "{} is set up with Army Group North, not in {}", unit, hex),
            Entry::Centre => remark!("3.3d", "{} is set up with Army Group Center, not in {}", unit, hex),
            Entry::South => remark!("3.3e", "{} is set up with Army Group South, not in {}", unit, hex),
            _ => remark!("3.7b", "{} is not set up in {}", unit, hex),
        }
    }

    /// Everybody still in hand stands where he historically stood, if there is room.
    fn check_deploy_all(&self, state: &State, side: Side) -> Result<(), Violation> {
        ensure!("3.3c", side == Side::Axis, "Soviet units stand already");
        let mut taken = state.clone();
        for unit in self.in_hand(state, side) {
            let hex = self.printed_hex(unit).filter(|hex| self.deployment_area(state, unit).contains(*hex));
            let Some(hex) = hex else { refuse!("3.3c", "{} has no historical hex here", unit) };
            self.check_room(&taken, unit, hex)?;
            taken.change(unit, |unit| unit.place = Place::Hex(hex));
        }
        Ok(())
    }

    fn deploy(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.put(state, unit, hex, play);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Deployed { unit: unit.into(), hex });
    }
}
