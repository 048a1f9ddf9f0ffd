//! 9.3, 9.4, 9.12d, 16: what a unit's strength comes to, with every factor that changes it (4.5).

use board::Hex;
use engine::UnitId;

use crate::charts::{Counter, Factor};
use crate::{Arm, Marks, Ocs, Size, State, Strength};

impl Ocs {
    /// What a unit attacks a hex with: by supply, disorganization, losses, and the ground attacked (9.3b, 9.5, 5.10b.a, 9.12d).
    pub(crate) fn attack_strength(&self, state: &State, unit: UnitId, hex: Hex) -> Strength {
        let counter = self.counter(unit);
        let class = counter.class as usize;
        let ground = self.terrain.class(&self.map, &self.charts, hex);
        let level = self.charts.supply.levels[self.level(state, unit) as usize];
        let crossing = state
            .hex(unit)
            .and_then(|from| self.terrain.crossing(&self.charts, state.weather, from, hex))
            .map_or(Factor::ONE, |factors| factors[class]);
        Strength::whole(u32::from(self.face(state, unit).strength))
            .times(level.attack)
            .times(self.wear(state, unit))
            .times(self.shaken(state, unit))
            .times(self.charts.terrain.attack[ground as usize][class])
            .times(crossing)
    }

    /// What a unit defends its hex with; `short` without combat supply (9.5a.c).
    pub(crate) fn defence_strength(&self, state: &State, unit: UnitId, hex: Hex, short: bool) -> Strength {
        let counter = self.counter(unit);
        let class = counter.class as usize;
        let ground = self.terrain.class(&self.map, &self.charts, hex);
        let level = self.charts.supply.levels[self.level(state, unit) as usize];
        let fort = self.terrain.fortifications.contains(hex);
        let half = |holds: bool| if holds { Factor::HALF } else { Factor::ONE };
        Strength::whole(u32::from(own_defence(counter, self.face(state, unit).strength)))
            .times(if fort { self.charts.terrain.fortified[class] } else { Factor::ONE })
            .times(self.charts.terrain.defence[ground as usize][class])
            .times(level.defence)
            .times(self.wear(state, unit))
            .times(self.shaken(state, unit))
            .times(half(state.marked(unit, Marks::STRATEGIC)))
            .times(half(short))
    }

    /// What a gun fires with: the Move side has half of the Combat side's (12.4b.b, R121).
    pub(crate) fn barrage_strength(&self, state: &State, unit: UnitId) -> Strength {
        let level = self.charts.supply.levels[self.level(state, unit) as usize];
        let half = |holds: bool| if holds { Factor::HALF } else { Factor::ONE };
        Strength::whole(u32::from(self.counter(unit).barrage))
            .times(half(state.marked(unit, Marks::MOVE)))
            .times(level.barrage)
            .times(self.wear(state, unit))
            .times(self.shaken(state, unit))
    }

    /// Half, once half of a division's steps or more are lost (9.12d, R56).
    fn wear(&self, state: &State, unit: UnitId) -> Factor {
        let counter = self.counter(unit);
        let worn = counter.size == Size::Division && state.units[unit].steps * 2 <= counter.steps;
        if worn { Factor::HALF } else { Factor::ONE }
    }

    /// Half, while disorganized (5.10b.a).
    fn shaken(&self, state: &State, unit: UnitId) -> Factor {
        if state.marked(unit, Marks::DG) { Factor::HALF } else { Factor::ONE }
    }
}

/// An HQ defends with 5, a gun with 1, any other unit with what its side shows (9.16e.a, 12.4b).
fn own_defence(counter: &Counter, strength: u8) -> u8 {
    match counter.arm {
        Arm::Hq => 5,
        _ if counter.is_artillery() => 1,
        _ => strength,
    }
}
