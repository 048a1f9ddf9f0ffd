//! 4.11 to 4.13: the expedition to the Caucasus; and the way through Bulgaria (8.26).

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{
    Action, Arm, Barbarossa, Event, Fact, Marks, Movement, Moving, Place, Points, Procedure, Removal, State,
    Units, Venture, Verdict,
};

/// What the Soviet side must send (4.12a).
const ARMIES: u8 = 4;

/// An early move through Bulgaria brings its armies on this turn (8.26b).
const BULGARIA_EARLY: u8 = 13;

phrases! {
    /// The Soviet side must answer an expedition.
    pub struct Response {
        /// How many armies are on their way.
        sent: u8,
    } = "response", "4.12a", "armies go to the Caucasus";
}

impl Frame<Barbarossa> for Response {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (
            Side::Soviet,
            remark!("4.12a", "send {} more rifle armies to the Caucasus, or lose", ARMIES - self.sent),
        )
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.armies_to_send(state).into_iter().map(|unit| Action::Send { unit }));
        answers.push(Action::Yield);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Send { unit } => {
                ensure!("4.12a", rules.is_rifle_army(unit), "{} is no rifle army", unit);
                let fits = rules.armies_to_send(state).contains(&unit);
                ensure!("4.12a", fits, "{} is neither in overland supply nor in the RVGK box", unit);
                Ok(())
            }
            Action::Yield => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Send { unit } => {
                rules.take_off(state, unit, Place::Caucasus);
                play.tell(Event::WentSouth { unit });
                if let Some(Response { sent }) = state.stack.top_mut() {
                    *sent += 1;
                }
            }
            _ => rules.win(state, Side::Axis, Verdict::Caucasus, play), // 4.12b
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let left = usize::from(ARMIES - self.sent.min(ARMIES));
        if left == 0 {
            state.stack.pop();
        } else if rules.armies_to_send(state).len() < left {
            rules.win(state, Side::Axis, Verdict::Caucasus, play);
        } else {
            return true;
        }
        false
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let left = usize::from(ARMIES.saturating_sub(self.sent));
        (around.on::<Movement>().is_some() || around.on::<Moving>().is_some())
            && around.above.is_empty()
            && left > 0
            && rules.armies_to_send(state).len() >= left
    }
}

impl Barbarossa {
    /// Rifle armies on the map in overland supply, and in the RVGK box (4.12a, R75).
    fn armies_to_send(&self, state: &State) -> Vec<UnitId> {
        let overland = self.overland(state, Side::Soviet);
        let fits = |unit: &UnitId| match state.unit(*unit).place {
            Place::Hex(hex) => overland.contains(hex),
            place => place == Place::Rvgk,
        };
        self.roster.iter().filter(|unit| self.is_rifle_army(*unit) && fits(unit)).collect()
    }

    /// Maikop, Dnepro-Petrovsk and Rostov German, supplied, and no Soviet unit next to them (4.11a).
    pub(crate) fn expedition_may_start(&self, state: &State) -> bool {
        let places = [self.ground.maikop, self.ground.dnepropetrovsk, self.ground.rostov];
        let [Some(maikop), Some(dnepropetrovsk), Some(rostov)] = places else { return false };
        let places: HexSet = [maikop, dnepropetrovsk, rostov].into_iter().collect();
        places.is_subset(&state.control.axis)
            && !self.ground.all_sides.grow(&places).intersects(state.held(Side::Soviet))
            && places.is_subset(&self.overland(state, Side::Axis))
    }

    /// German units that have left the map for the Caucasus in this phase.
    fn leaving(&self, state: &State) -> Units {
        let leaves = |unit: &UnitId| state.marked(*unit, Marks::LEAVING);
        self.in_box(state, Side::Axis, Place::Caucasus).filter(leaves).collect()
    }

    /// Whether a unit on its way may leave the map: for the Caucasus (4.11), or through Bulgaria (8.26a). It has a point for that, or
    /// it would have stopped.
    pub(crate) fn check_exit(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        let Some(hex) = state.hex(unit) else { refuse!("10.21", "{} is not on the map", unit) };
        match self.side(unit) {
            Side::Axis => {
                ensure!(
                    "4.11c",
                    self.ground.caucasus_exit.contains(hex),
                    "no way leads from {} off the map",
                    hex
                );
                ensure!("4.13k", state.venture == Venture::None, "there is one expedition in a game");
                ensure!("4.11a", state.has(Fact::ExpeditionReady), "no expedition may set out in this turn");
                self.check_joins_expedition(state, unit)?;
            }
            Side::Soviet => {
                ensure!("8.26a", self.ground.bulgaria.contains(hex), "no way leads from {} off the map", hex);
                let aside = |unit: UnitId| state.unit(unit).place == Place::Aside;
                let waiting = self.cast.bulgarians.iter().any(aside);
                ensure!("8.26a", waiting, "the Bulgarian armies have been called");
                ensure!("8.26a", !self.is_ica(unit), "{} stays in its ports", unit);
            }
        }
        Ok(())
    }

    /// One infantry or mountain corps and two panzer corps, all German (4.11b, R91).
    fn check_joins_expedition(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        let counter = self.counter(unit);
        let corps = self.is_german(unit) && !counter.is_army();
        let foot = |unit: UnitId| matches!(self.arm(unit), Arm::Infantry | Arm::Mountain);
        ensure!(
            "4.11b",
            corps && (counter.is_panzer() || foot(unit)),
            "{} does not go to the Caucasus",
            unit
        );
        let gone = self.leaving(state);
        let alike = gone.iter().filter(|other| foot(*other) == foot(unit)).count();
        let most = if foot(unit) { 1 } else { 2 };
        ensure!("4.11b", alike < most, "one infantry and two panzer corps go, not {} too", unit);
        Ok(())
    }

    /// Leaves the map; the third corps launches the expedition (4.11d, 4.12a, R61).
    pub(crate) fn exit(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        play.tell(Event::Exited { unit, hex });
        match self.side(unit) {
            Side::Soviet => {
                self.take_off(state, unit, Place::Bulgaria);
                state.mark(unit, Marks::LEAVING);
                if state.turn <= BULGARIA_EARLY {
                    for army in self.cast.bulgarians.iter() {
                        self.put_on_track(state, army, BULGARIA_EARLY + 1, play); // 8.26b
                    }
                }
            }
            Side::Axis => {
                let exit = self.ground.caucasus_exit.iter().position(|exit| exit == hex).unwrap_or(0);
                self.take_off(state, unit, Place::Caucasus);
                state.change(unit, |unit| {
                    unit.marks.set(Marks::LEAVING);
                    unit.toll = exit as u8;
                });
                if self.leaving(state).len() == 3 {
                    self.launch(state, play);
                }
            }
        }
    }

    fn launch(&self, state: &mut State, play: &mut Play<Event>) {
        state.venture = Venture::Away;
        state.note(Fact::ExpeditionFresh);
        play.tell(Event::Launched);
        state.stack.push(Response { sent: 0 });
    }

    /// Whoever has left for an expedition that does not come about is put back (R61).
    pub(crate) fn put_leavers_back(&self, state: &mut State, play: &mut Play<Event>) {
        if state.venture != Venture::None {
            return;
        }
        for unit in self.leaving(state).iter() {
            let exit = usize::from(state.unit(unit).toll);
            if let Some(hex) = self.ground.caucasus_exit.iter().nth(exit) {
                state.change(unit, |unit| {
                    unit.toll = 0;
                    unit.marks.clear(Marks::LEAVING);
                });
                self.put(state, unit, hex, play);
                play.tell(Event::CameBack { unit, hex });
            }
        }
    }

    /// Rostov or Dnepro-Petrovsk Soviet, or all five exits held (4.13e).
    pub(crate) fn watch_expedition(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        if !matches!(state.venture, Venture::Away | Venture::Won) {
            return false;
        }
        let lost = |place: Option<Hex>| place.is_some_and(|place| state.controls(Side::Soviet, place));
        let exits = &self.ground.caucasus_exit;
        let shut = !exits.is_empty() && exits.is_subset(state.held(Side::Soviet));
        if !(shut || lost(self.ground.rostov) || lost(self.ground.dnepropetrovsk)) {
            return false;
        }
        state.venture = Venture::Over;
        play.tell(Event::ExpeditionEnds);
        for unit in self.in_box(state, Side::Axis, Place::Caucasus).collect::<Vec<_>>() {
            play.tell(Event::Removed { unit, cause: Removal::Expedition });
            self.eliminate(state, unit, true, play); // R36, R87
        }
        true
    }

    /// The die of the Victory Check Phase, or another point for the oil (4.13a to 4.13d).
    pub(crate) fn resolve_expedition(&self, state: &mut State, play: &mut Play<Event>) {
        match state.venture {
            Venture::Won => self.score(state, Points::MoreOil, 1, play),
            Venture::Away => {
                let city = self.ground.stalingrad.filter(|city| state.controls(Side::Axis, *city));
                let bonus = city.is_some_and(|city| self.in_overland(state, Side::Axis, city));
                let wins = |die: u32| die + u32::from(bonus) >= 6;
                let die = play.roll_on(Side::Axis, 6, "expedition to the Caucasus", case("4.13a"), wins);
                if wins(die) {
                    state.venture = Venture::Won;
                    play.tell(Event::OilReached);
                    let points = play.roll(Side::Axis, 6, "Caucasus oil", case("4.13b")) as i16;
                    self.score(state, Points::Oil, points, play);
                }
            }
            Venture::None | Venture::Over => {}
        }
    }

    // Coming back.

    /// Units that may come back onto the map in this movement phase, each with its hexes.
    pub(crate) fn entrants<'a>(
        &'a self,
        state: &'a State,
        side: Side,
    ) -> impl Iterator<Item = (UnitId, Hex)> + 'a {
        let waiting = |place: Place| self.in_box(state, side, place);
        let caucasus = waiting(Place::Caucasus)
            .flat_map(|unit| self.ground.caucasus_exit.iter().map(move |hex| (unit, hex)));
        let bulgaria =
            waiting(Place::Bulgaria).flat_map(|unit| self.ground.bulgaria.iter().map(move |hex| (unit, hex)));
        caucasus.chain(bulgaria).filter(move |(unit, hex)| self.check_enter(state, side, *unit, *hex).is_ok())
    }

    pub(crate) fn check_enter(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("10.1c", self.side(unit) == side, "{} is the enemy's", unit);
        match (state.unit(unit).place, side) {
            (Place::Caucasus, Side::Axis) => self.check_recall_expedition(state, unit, hex),
            (Place::Caucasus, Side::Soviet) => {
                ensure!("4.13o", state.venture == Venture::Over, "the expedition is still in the Caucasus");
                ensure!(
                    "4.13i",
                    self.ground.caucasus_exit.contains(hex),
                    "no way leads from the Caucasus to {}",
                    hex
                );
                self.check_room(state, unit, hex)
            }
            (Place::Bulgaria, _) => self.check_return_from_bulgaria(state, unit, hex),
            _ => refuse!("10.21", "{} is not beyond the edge of the map", unit),
        }
    }

    /// An expedition that has not succeeded may be called back, all of it (4.13g, 4.13l, 4.13n).
    fn check_recall_expedition(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!("4.13n", state.venture != Venture::Won, "the expedition has succeeded and stays");
        ensure!("4.13g", !state.has(Fact::ExpeditionFresh), "the expedition has left in this phase");
        let out = matches!(state.venture, Venture::Away | Venture::Over);
        ensure!("4.13g", out, "there is no expedition to call back");
        ensure!(
            "4.13g",
            self.ground.caucasus_exit.contains(hex),
            "no way leads from the Caucasus to {}",
            hex
        );
        self.check_room(state, unit, hex)?;
        let waiting = self.in_box(state, Side::Axis, Place::Caucasus).count();
        let open = self.ground.caucasus_exit - *state.held(Side::Soviet);
        let room = |hex: Hex| crate::stacking::LIMIT.saturating_sub(state.units.in_hex(hex).count());
        let room: usize = open.iter().map(room).sum();
        ensure!("4.13l", room >= waiting, "there is no room for all of the expedition");
        Ok(())
    }

    /// With the three armies, if they have not come before (8.26a, R80); not in the phase in which it left.
    fn check_return_from_bulgaria(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!(
            "8.26a",
            !state.marked(unit, Marks::LEAVING),
            "{} comes back in the next movement phase",
            unit
        );
        ensure!("8.26a", self.ground.bulgaria.contains(hex), "{} is not in Bulgaria", hex);
        let armies = self.bulgarians_aside(state);
        self.check_room_for(state, unit, hex, 1 + armies.len())?;
        let alone = state.units.in_hex(hex).all(|other| !self.counter(other).stacks_alone());
        ensure!("6.4a", armies.is_empty() || alone, "another satellite army is in {}", hex);
        Ok(())
    }

    fn bulgarians_aside(&self, state: &State) -> Units {
        self.cast.bulgarians.filter(|unit| state.unit(unit).place == Place::Aside)
    }

    /// Comes back onto the map and may move on (4.13h, 4.13i, 8.26a).
    pub(crate) fn come_back(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let from = state.unit(unit).place;
        if from == Place::Caucasus && self.side(unit) == Side::Axis && state.venture == Venture::Away {
            state.venture = Venture::Over;
            play.tell(Event::ExpeditionRecalled);
        }
        let armies = if from == Place::Bulgaria { self.bulgarians_aside(state) } else { Units::EMPTY };
        for unit in Units::of(unit).iter().chain(armies.iter()) {
            self.put(state, unit, hex, play);
            play.tell(Event::CameBack { unit, hex });
        }
        for army in armies.iter() {
            state.mark(army, Marks::CROWDED);
        }
        if from == Place::Caucasus {
            self.begin_in_full(state, unit, hex, play);
        }
    }

    /// Soviet armies may go from the Caucasus to the RVGK box, as far as its capacity goes (4.13i, 4.13j, R92).
    pub(crate) fn check_caucasus_to_box(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let there =
            self.side(unit) == side && side == Side::Soviet && state.unit(unit).place == Place::Caucasus;
        ensure!("4.13i", there, "{} is no Soviet unit in the Caucasus", unit);
        ensure!("4.13o", state.venture == Venture::Over, "the expedition is still in the Caucasus");
        ensure!("4.13i", state.rvgk_left > 0, "the RVGK box has taken five units in this turn");
        Ok(())
    }

    /// Once part of the expedition is back, all of it must come (4.13l).
    pub(crate) fn check_all_back(&self, state: &State, side: Side) -> Result<(), Violation> {
        let partial = side == Side::Axis && state.venture == Venture::Over;
        if let Some((unit, _)) = self.entrants(state, side).next().filter(|_| partial) {
            refuse!("4.13l", "{} must come back with the expedition", unit);
        }
        Ok(())
    }
}
