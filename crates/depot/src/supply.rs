//! 3: supply points, in dumps and on trucks.

use board::Hex;
use engine::store::Spot;
use engine::{Play, Side, UnitId, Violation, case, ensure, refuse};

use crate::{Action, Arm, Depot, Event, Goods, Marks, State};

/// How many points a truck carries (3.1).
pub(crate) const CAPACITY: u16 = 3;

impl State {
    /// How many points a side has in a dump.
    pub(crate) fn dump(&self, hex: Hex, side: Side) -> u16 {
        self.stocks.amount(Spot::Hex(hex), side, Goods::Supply)
    }

    fn load(&self, truck: UnitId, side: Side) -> u16 {
        self.stocks.amount(Spot::With(truck), side, Goods::Supply)
    }
}

impl Depot {
    /// The hexes in which a side has dumps.
    pub(crate) fn dumps(&self, state: &State, side: Side) -> impl Iterator<Item = Hex> {
        state.stocks.iter().filter(move |lot| lot.side == side).filter_map(|lot| match lot.spot {
            Spot::Hex(hex) => Some(hex),
            Spot::With(_) | Spot::Pool => None,
        })
    }

    /// The hex of a truck of this side in its movement phase (3.3, 3.4).
    fn truck(&self, state: &State, side: Side, unit: UnitId) -> Result<Hex, Violation> {
        ensure!("3.3", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("3.1", self.kind(unit) == Arm::Truck, "{} is not a truck", unit);
        match state.hex(unit) {
            Some(hex) => Ok(hex),
            None => refuse!("3.1", "{} is not on the map", unit),
        }
    }

    /// How many points a truck could load here (3.3).
    fn loadable(&self, state: &State, side: Side, unit: UnitId) -> Result<u16, Violation> {
        let hex = self.truck(state, side, unit)?;
        ensure!("3.3", !state.marked(unit, Marks::LOADED), "{} has loaded in this phase", unit);
        Ok(state.dump(hex, side).min(CAPACITY.saturating_sub(state.load(unit, side))))
    }

    /// How many points a truck could unload (3.4).
    fn unloadable(&self, state: &State, side: Side, unit: UnitId) -> Result<u16, Violation> {
        self.truck(state, side, unit)?;
        ensure!("3.4", !state.marked(unit, Marks::UNLOADED), "{} has unloaded in this phase", unit);
        Ok(state.load(unit, side))
    }

    pub(crate) fn supply_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for unit in self.roster.iter() {
            let loads = 1..=self.loadable(state, side, unit).unwrap_or(0);
            answers.extend(loads.map(|points| Action::Load { unit, points }));
            let unloads = 1..=self.unloadable(state, side, unit).unwrap_or(0);
            answers.extend(unloads.map(|points| Action::Unload { unit, points }));
        }
    }

    pub(crate) fn check_load(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        points: u16,
    ) -> Result<(), Violation> {
        let most = self.loadable(state, side, unit)?;
        ensure!("3.3", (1..=most).contains(&points), "{} can load {} SP here, not {}", unit, most, points);
        Ok(())
    }

    pub(crate) fn check_unload(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        points: u16,
    ) -> Result<(), Violation> {
        let most = self.unloadable(state, side, unit)?;
        ensure!("3.4", (1..=most).contains(&points), "{} carries {} SP, not {}", unit, most, points);
        Ok(())
    }

    /// The enemy sees that a truck loads, not how much (3.2).
    pub(crate) fn load(&self, state: &mut State, unit: UnitId, points: u16, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let side = self.side(unit);
        state.stocks.shift(Spot::Hex(hex), Spot::With(unit), side, Goods::Supply, points);
        state.mark(unit, Marks::LOADED);
        play.tell_of(side, self.switches.open_dumps, Event::Loaded { unit, points: points.into() });
    }

    pub(crate) fn unload(&self, state: &mut State, unit: UnitId, points: u16, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let side = self.side(unit);
        state.stocks.shift(Spot::With(unit), Spot::Hex(hex), side, Goods::Supply, points);
        state.mark(unit, Marks::UNLOADED);
        play.tell_of(side, self.switches.open_dumps, Event::Unloaded { unit, points: points.into() });
    }

    /// What lies in a hex that a side's unit has entered is its own now (3.5), and it sees how much that is.
    pub(crate) fn capture(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        for (_, points) in state.stocks.capture(Spot::Hex(hex), side.enemy()) {
            play.tell(Event::Captured { side, hex, points });
            play.reveal(side);
        }
    }

    /// What a truck carried lies in its hex (3.8).
    pub(crate) fn drop_load(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let (side, all) = (self.side(unit), u16::MAX);
        if state.stocks.shift(Spot::With(unit), Spot::Hex(hex), side, Goods::Supply, all) > 0 {
            play.tell(Event::Dropped { unit, hex });
        }
    }

    /// Spends points for an attack (7.2).
    pub(crate) fn spend(
        &self,
        state: &mut State,
        side: Side,
        dump: Hex,
        points: u16,
        play: &mut Play<Event>,
    ) {
        let spent = state.stocks.take(Spot::Hex(dump), side, Goods::Supply, points);
        state.spent += u32::from(spent);
        play.tell(Event::Spent { side, points: spent, dump });
    }

    /// The dumps of a side that an enemy is next to (3.6).
    pub(crate) fn dumps_in_danger(&self, state: &State, side: Side) -> impl Iterator<Item = Hex> {
        self.dumps(state, side).filter(move |hex| self.check_blow(state, side, *hex).is_ok())
    }

    /// Whether a side may blow up a dump, whoever is asked what (3.6).
    pub(crate) fn check_blow(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        ensure!("8.1", !state.stack.is_empty(), "the game is over");
        ensure!("3.6", state.dump(hex, side) > 0, "{} has no dump in {}", side, hex);
        let near = |hex: Hex| self.holder(state, hex) == Some(side.enemy());
        let danger = self.map.neighbours(hex).any(|(_, hex)| near(hex));
        ensure!("3.6", danger, "no enemy unit is adjacent to {}", hex);
        Ok(())
    }

    /// Destroys all points of a dump, or but half of them (3.7). The enemy sees how many by counting what the side has
    /// left in all (3.2).
    pub(crate) fn blow(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let points = state.dump(hex, side);
        let left = match play.roll(side, 6, "fuses", case("3.7")) {
            1 => points / 2,
            _ => 0,
        };
        let destroyed = state.stocks.take(Spot::Hex(hex), side, Goods::Supply, points - left);
        state.destroyed += u32::from(destroyed);
        let blown = Event::Blown { side, hex, destroyed, left: left.into() };
        play.tell_of(side, self.switches.open_dumps, blown);
    }
}
