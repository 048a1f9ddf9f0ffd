//! 3: what players decide before play, and who is activated.

use arrayvec::ArrayVec;
use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, display, ensure, phrases, remark};

use crate::sequence::not_asked;
use crate::stacking::LIMIT;
use crate::{Action, Dagc, Event, Group, Marks, Place, Presence, Procedure, State};

/// How far the Center of Gravity reaches (5.4g, 3.6b).
const RANGE: u32 = 9;

/// The most hexes that the Fifth Panzer Army is set up in (3.7b).
const MOST_HEXES: usize = 4;

phrases! {
    /// A side sets up units in hand before play.
    pub struct Deployment { side: Side } = "deployment", "3.6b", "{side} sets up";
}

impl Frame<Dagc> for Deployment {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        let prompt = match self.side {
            Side::Soviet => remark!("3.6b", "set up the starred units near the Center of Gravity"),
            Side::Axis => remark!("3.7b", "set up the Fifth Panzer Army behind the line"),
        };
        (self.side, prompt)
    }

    /// One after the other, in the order of the counters: the order makes no difference to where they may go.
    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        if let Some(unit) = rules.in_hand(state, self.side).next() {
            let hexes = rules.deployment_hexes(state, unit);
            answers.extend(hexes.iter().map(|hex| Action::Deploy { unit, hex }));
        }
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Deploy { unit, hex } = action else { return Err(not_asked(state)) };
        let next = rules.in_hand(state, self.side).next() == Some(unit);
        let allowed = || rules.deployment_hexes(state, unit).contains(hex);
        match self.side {
            Side::Soviet => {
                ensure!("3.6b", next, "{} is not the next to be set up", unit);
                ensure!(
                    "3.6b",
                    allowed(),
                    "{} must be Soviet-controlled, within nine hexes of the Center of Gravity, and have room",
                    hex
                );
            }
            Side::Axis => {
                ensure!("3.7b", next, "{} is not the next to be set up", unit);
                ensure!(
                    "3.7b",
                    allowed(),
                    "{} must be German-controlled, not beside a German entrenchment, adjacent to the others, and have room",
                    hex
                );
            }
        }
        Ok(())
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Deploy { unit, hex } = action else { return };
        rules.put(state, unit, hex, play);
        let seen = rules.is_seen(state, unit);
        play.tell_of(self.side, seen, Event::Deployed { unit: unit.into(), hex });
    }

    fn go_on(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = rules.in_hand(state, self.side).next().is_some();
        if !asks {
            rules.begin(state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        around.is_outermost() && around.above.is_empty() && !answers.is_empty()
    }

    /// Not one of the turn.
    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        let case = match self.side {
            Side::Soviet => case("3.6b"),
            Side::Axis => case("3.7b"),
        };
        Some(display::Phase { name: "set-up", side: Some(self.side), case })
    }
}

impl Dagc {
    /// Hexes within nine of the Center of Gravity, counted straight (5.4g).
    pub(crate) fn near_center(&self, hex: Hex) -> bool {
        self.center.is_some_and(|center| self.map.grid().distance(center, hex) <= RANGE)
    }

    /// Units in the hand of a side, which it must set up.
    pub(crate) fn in_hand<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.roster
            .iter()
            .filter(move |unit| self.side(*unit) == side && state.unit(*unit).place == Place::Hand)
    }

    /// Where a unit in hand may go: starred units near the Center of Gravity (3.6b, R63), the Fifth Panzer Army
    /// behind the line, its hexes adjacent to each other (3.7b, R5).
    fn deployment_hexes(&self, state: &State, unit: UnitId) -> HexSet {
        let presence = Presence::new(self, state);
        let open: HexSet = match self.side(unit) {
            Side::Soviet => state.soviet_hexes.iter().filter(|hex| self.near_center(*hex)).collect(),
            Side::Axis => self.behind_the_line(state, &presence),
        };
        open.iter().filter(|hex| self.check_room(&presence, unit, *hex).is_ok()).collect()
    }

    fn behind_the_line(&self, state: &State, presence: &Presence) -> HexSet {
        let line = self.ground.all_sides.grow(&self.ground.german_entrenchments);
        let german = self.ground.land - state.soviet_hexes - *presence.held.soviet - line;
        let placed: HexSet = self
            .on_map(state, Side::Axis)
            .filter(|(unit, _)| self.counter(*unit).group == Group::FifthPanzer)
            .map(|(_, hex)| hex)
            .collect();
        let needed = self.in_hand(state, Side::Axis).count();
        let room = |hex: Hex| match (presence.held.axis.contains(hex), presence.full.contains(hex)) {
            (_, true) => 0,
            (true, false) => 1,
            (false, false) => LIMIT,
        };
        let fits = |hex: &Hex| {
            let others = placed.iter().filter(|other| other != hex);
            let mut group: ArrayVec<Hex, MOST_HEXES> = others.take(MOST_HEXES - 1).collect();
            group.push(*hex);
            self.leaves_room(&mut group, &german, &room, needed)
        };
        german.iter().filter(fits).collect()
    }

    /// True when a group of hexes is close together and has room for so many units, alone or with others.
    fn leaves_room(
        &self,
        group: &mut ArrayVec<Hex, MOST_HEXES>,
        open: &HexSet,
        room: &impl Fn(Hex) -> usize,
        needed: usize,
    ) -> bool {
        if !self.is_close(group) {
            return false;
        }
        if group.iter().map(|hex| room(*hex)).sum::<usize>() >= needed {
            return true;
        }
        let beside = self.ground.all_sides.grow(&group.iter().copied().collect()) & *open;
        beside.iter().filter(|hex| !group.contains(hex)).collect::<Vec<_>>().into_iter().any(|hex| {
            let grows = group.try_push(hex).is_ok();
            let fits = grows && self.leaves_room(group, open, room, needed);
            if grows {
                group.pop();
            }
            fits
        })
    }

    /// Each hex adjacent to each other; of four one pair need not be, because it cannot (3.7b, R5).
    fn is_close(&self, group: &[Hex]) -> bool {
        let pairs = group.iter().enumerate().flat_map(|(i, a)| group[..i].iter().map(move |b| (*a, *b)));
        let apart = pairs.filter(|(a, b)| !self.map.grid().adjacent(*a, *b)).count();
        apart <= usize::from(group.len() == MOST_HEXES)
    }

    /// Fixes who is activated, from where units stand when turn 1 begins (5.4a, R53).
    pub(crate) fn activate(&self, state: &mut State) {
        for (unit, hex) in self.on_map(state, Side::Soviet).collect::<Vec<_>>() {
            if self.near_center(hex) {
                state.mark(unit, Marks::ACTIVATED);
            }
        }
    }
}
