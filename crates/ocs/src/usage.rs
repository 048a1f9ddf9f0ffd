//! 11.2, 11.4, 11.5, 12.1e: the Supply Usage Segment: who draws from where, what it costs, and who goes without.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{self, OVERPHASE, not_asked};
use crate::{
    Action, Class, Event, HexSet, Level, Marks, Motor, Ocs, Paying, Procedure, Size, Source, State, TOKENS,
    Units,
};

phrases! {
    /// The Supply Usage Segment of a side (2.3.I.2a).
    pub struct SupplyUsage { side: Side } = "supply-usage", "2.3.I.2a", "{side} supply usage";
}

impl Frame<Ocs> for SupplyUsage {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("11.4c.c", "say who draws supply from where, and issue it group by group"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let net = Net::new(rules, state, self.side);
        for unit in rules.waiting(state, self.side) {
            let now = state.units[unit].source;
            let others = net.suppliers(rules, state, unit).filter(|from| Some(*from) != now);
            answers.extend(others.map(|from| Action::Assign { unit, from }));
            if let Some(level) = rules.other_level(state, unit) {
                answers.push(Action::Level { unit, level });
            }
        }
        for from in rules.groups(state, self.side) {
            let levels =
                Level::ALL.iter().filter(|level| self.check_issue(rules, state, from, **level).is_ok());
            answers.extend(levels.map(|level| Action::Issue { from, level: *level }));
        }
        if self.check_end(rules, state).is_ok() {
            rules.fuel_answers(state, self.side, answers);
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Assign { unit, from } => self.check_assign(rules, state, unit, from),
            Action::Level { unit, level } => self.check_level(rules, state, unit, level),
            Action::Issue { from, level } => self.check_issue(rules, state, from, level),
            Action::Fuel { hex, levels } => {
                // Units come before bases (R43).
                self.check_end(rules, state)?;
                rules.check_fuel(state, self.side, hex, levels)
            }
            Action::End => self.check_end(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Assign { unit, from } => state.units.change(unit, |unit| unit.source = Some(from)),
            Action::Level { unit, level } => state.units.change(unit, |unit| match level {
                Level::Low => unit.marks.set(Marks::LOW),
                _ => unit.marks.clear(Marks::LOW),
            }),
            Action::Issue { from, level } => self.issue(rules, state, from, level, play),
            Action::Fuel { hex, levels } => rules.fuel(state, self.side, hex, levels, play),
            _ => self.end(rules, state, play),
        }
    }

    /// Whoever was to draw on what is used up by now draws elsewhere. Nobody is asked who has nothing to issue.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        self.mend(rules, state);
        let asks = rules.waiting(state, self.side).any(|unit| state.units[unit].source.is_some())
            || rules.can_fuel(state, self.side);
        if !asks {
            self.end(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let net = Net::new(rules, state, self.side);
        let reached = |unit: UnitId| match state.units[unit].source {
            Some(from) => net.suppliers(rules, state, unit).any(|supplier| supplier == from),
            None => true,
        };
        around.is_outermost() && (!around.above.is_empty() || rules.waiting(state, self.side).all(reached))
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(OVERPHASE)
    }
}

impl SupplyUsage {
    /// Old levels lapse, and every unit is proposed a place to draw from: an HQ where one reaches it, or else a dump.
    pub(crate) fn begin(rules: &Ocs, state: &mut State, side: Side) {
        rules.starve_bases(state, side);
        let own: Vec<UnitId> = rules.roster.iter().filter(|unit| rules.draws(state, *unit, side)).collect();
        for unit in &own {
            state.units.change(*unit, |unit| {
                unit.marks.clear(Marks::LOW | Marks::UNSUPPLIED | Marks::ISSUED);
                unit.source = None;
            });
        }
        let net = Net::new(rules, state, side);
        for unit in own {
            let first = net.suppliers(rules, state, unit).next();
            state.units.change(unit, |unit| unit.source = first);
        }
        state.stack.push(SupplyUsage { side });
    }

    /// Gives units whose source is used up another, if there is one (R44). An HQ that nobody draws through any more may be left
    /// with a source that is used up too, so it is looked at until all is well.
    fn mend(&self, rules: &Ocs, state: &mut State) {
        let net = Net::new(rules, state, self.side);
        let stale = |state: &State, unit: UnitId| {
            let now = state.units[unit].source;
            now.is_some_and(|from| net.suppliers(rules, state, unit).all(|other| other != from))
        };
        loop {
            let found = rules.waiting(state, self.side).find(|unit| stale(state, *unit));
            let Some(unit) = found else { return };
            let other = net.suppliers(rules, state, unit).next();
            state.units.change(unit, |unit| unit.source = other);
        }
    }

    fn check_assign(&self, rules: &Ocs, state: &State, unit: UnitId, from: Source) -> Result<(), Violation> {
        self.check_waits(rules, state, unit)?;
        ensure!("12.1e.a", state.units[unit].source != Some(from), "{} draws from there already", unit);
        let net = Net::new(rules, state, self.side);
        let reached = net.suppliers(rules, state, unit).any(|supplier| supplier == from);
        ensure!("11.5a.b", reached, "{} cannot draw from there", unit);
        Ok(())
    }

    fn check_waits(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.1e.a", rules.side(unit) == self.side, "{} is the enemy's", unit);
        let waits = rules.waiting(state, self.side).any(|other| other == unit);
        ensure!("11.4a.b", waits, "{} needs no supply, or has it", unit);
        Ok(())
    }

    /// Unit by unit the level is chosen only where units draw from a dump (11.4c.d, 11.5c.b).
    fn check_level(&self, rules: &Ocs, state: &State, unit: UnitId, level: Level) -> Result<(), Violation> {
        self.check_waits(rules, state, unit)?;
        let direct = matches!(state.units[unit].source, Some(Source::Dump(_)));
        ensure!("11.4c.d", direct, "{} does not draw from a dump: its HQ has one level for all", unit);
        let other = rules.other_level(state, unit) == Some(level);
        ensure!("11.4c.a", other, "{} is to be in Full or in Low Supply", unit);
        Ok(())
    }

    /// A level that can be paid; none only where not even Low can (11.4b, 11.4c).
    fn check_issue(&self, rules: &Ocs, state: &State, from: Source, level: Level) -> Result<(), Violation> {
        let group = rules.group(state, self.side, from);
        ensure!("11.5a.a", !group.is_empty(), "nobody draws from there");
        let there = rules.drawable(state, self.side, from);
        let low = rules.group_cost(state, group, Level::Low);
        match level {
            Level::None => {
                ensure!("11.4c.a", there < low, "Low Supply costs {}T and {}T can be drawn", low, there);
                if let Some(unit) = self.better_off(rules, state, group, from) {
                    refuse!("11.4c.a", "{} could be in Low Supply elsewhere", unit);
                }
            }
            _ => {
                let cost = rules.group_cost(state, group, level);
                ensure!("11.4b.c", there >= cost, "that costs {}T and {}T can be drawn", cost, there);
            }
        }
        Ok(())
    }

    /// A unit of a group that another HQ or dump could give Low Supply, with all who draw there (R44).
    fn better_off(&self, rules: &Ocs, state: &State, group: Units, from: Source) -> Option<UnitId> {
        let net = Net::new(rules, state, self.side);
        let gives = |unit: UnitId, other: Source| {
            let mut joined = rules.group(state, self.side, other);
            joined.insert(unit);
            let there = rules.drawable(state, self.side, other);
            other != from && there >= rules.group_cost(state, joined, Level::Low)
        };
        let able = |unit: &UnitId| net.suppliers(rules, state, *unit).any(|other| gives(*unit, other));
        group.iter().find(able)
    }

    /// All groups that could draw something must have done so (11.5d).
    fn check_end(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        let mut waiting = rules.waiting(state, self.side);
        match waiting.find(|unit| state.units[*unit].source.is_some()) {
            Some(unit) => refuse!("11.5d", "{} can still draw supply", unit),
            None => Ok(()),
        }
    }

    /// Pays for a group and gives its units their level; without enough for Low everything goes and nobody has any (11.4c.b).
    fn issue(&self, rules: &Ocs, state: &mut State, from: Source, level: Level, play: &mut Play<Event>) {
        let group = rules.group(state, self.side, from);
        let there = rules.drawable(state, self.side, from);
        let tokens = if level == Level::None { there } else { rules.group_cost(state, group, level) };
        play.tell(Event::Issued { units: group, from, level, dses: rules.dses(state, group), tokens });
        let highest = rules.highest(state, group, level);
        for unit in group.iter() {
            let own = if rules.is_divisional(unit) { rules.wanted(state, unit, level) } else { highest };
            rules.set_level(state, unit, own);
        }
        if tokens > 0 {
            state.stack.push(Paying {
                side: self.side,
                tokens,
                units: group,
                by: Some(from),
                works: false,
                base: None,
            });
        }
        if level == Level::None {
            group.iter().for_each(|unit| rules.attrition(state, unit, play));
        }
    }

    /// Whoever nothing reaches is in No Supply (11.4b.c, 11.4e.a).
    fn end(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let left: Vec<UnitId> = rules.waiting(state, self.side).collect();
        for unit in left {
            rules.set_level(state, unit, Level::None);
            play.tell(Event::Unsupplied { unit });
            rules.attrition(state, unit, play);
        }
        state.units.change_all(|unit| {
            unit.source = None;
            unit.marks.clear(Marks::ISSUED);
        });
        sequence::proceed(rules, state, play);
    }
}

/// What those of a side's HQs and dumps reach that have not issued yet: each has one group (11.4c.d, 11.5a.b, R45).
struct Net {
    /// Each HQ that can draw something, with the hexes that its throw reaches or lies next to (11.5b.g).
    hqs: Vec<(UnitId, HexSet)>,
    dumps: Vec<(Hex, HexSet)>,
}

impl Net {
    fn new(rules: &Ocs, state: &State, side: Side) -> Net {
        let mut dumps: Vec<(Hex, HexSet)> = Vec::new();
        for (_, hex, _) in rules.dumps(state, side) {
            let issued = rules.roster.iter().any(|unit| {
                state.units[unit].source == Some(Source::Dump(hex)) && state.marked(unit, Marks::ISSUED)
            });
            if !issued && dumps.iter().all(|(known, _)| *known != hex) {
                dumps.push((hex, rules.direct_reach(state, side, hex)));
            }
        }
        let throws = |hq: UnitId| {
            let able = !state.marked(hq, Marks::ISSUED) && rules.drawable(state, side, Source::Load(hq)) > 0;
            able.then(|| (hq, rules.terrain.sides.grow(&rules.throw_reach(state, side, hq))))
        };
        let own = rules.roster.iter().filter(|unit| rules.is_hq(*unit) && rules.side(*unit) == side);
        Net { hqs: own.filter_map(throws).collect(), dumps }
    }

    /// Where a unit could draw: an HQ first. An HQ that issues to others covers itself (11.2c.a).
    fn suppliers<'a>(
        &'a self,
        rules: &'a Ocs,
        state: &'a State,
        unit: UnitId,
    ) -> impl Iterator<Item = Source> + 'a {
        let hex = state.hex(unit);
        let here = move |reach: &HexSet| hex.is_some_and(|hex| reach.contains(hex));
        let issues = rules.issues(state, unit);
        let hqs = self.hqs.iter().filter(move |(hq, reach)| *hq != unit && here(reach));
        let dumps = self.dumps.iter().filter(move |(_, reach)| here(reach));
        let other = hqs.map(|(hq, _)| Source::Load(*hq)).chain(dumps.map(|(hex, _)| Source::Dump(*hex)));
        other.filter(move |_| !issues)
    }
}

impl Ocs {
    /// A unit or HQ of a side on the map: what draws supply (11.7).
    fn draws(&self, state: &State, unit: UnitId, side: Side) -> bool {
        self.side(unit) == side && self.is_unit(unit) && state.hex(unit).is_some()
    }

    /// An HQ that others draw through (11.2c.a).
    fn issues(&self, state: &State, hq: UnitId) -> bool {
        self.is_hq(hq)
            && self.roster.iter().any(|unit| unit != hq && state.units[unit].source == Some(Source::Load(hq)))
    }

    /// Units of a side that have no level yet, but for HQs that issue.
    fn waiting<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.roster.iter().filter(move |unit| {
            self.draws(state, *unit, side)
                && !state.marked(*unit, Marks::ISSUED)
                && !self.issues(state, *unit)
        })
    }

    /// The sources that somebody waits to draw from.
    fn groups(&self, state: &State, side: Side) -> Vec<Source> {
        let mut groups = Vec::new();
        for from in self.waiting(state, side).filter_map(|unit| state.units[unit].source) {
            if !groups.contains(&from) {
                groups.push(from);
            }
        }
        groups
    }

    /// Who waits to draw from a source, with the HQ that issues (12.1d).
    fn group(&self, state: &State, side: Side, from: Source) -> Units {
        let mut group: Units =
            self.waiting(state, side).filter(|unit| state.units[*unit].source == Some(from)).collect();
        if let Source::Load(hq) = from
            && !group.is_empty()
        {
            group.insert(hq);
        }
        group
    }

    /// A division, or a part of one (G.Divisional).
    fn is_divisional(&self, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        counter.size == Size::Division || !counter.division.is_empty()
    }

    fn is_same_division(&self, one: UnitId, other: UnitId) -> bool {
        let (a, b) = (self.counter(one), self.counter(other));
        one == other || !a.division.is_empty() && a.division == b.division && a.side == b.side
    }

    /// Two for a division of Armor, Mech or wholly motorized units, one for any other (11.2a, 11.2b, 13.0c, R114).
    fn division_dses(&self, state: &State, unit: UnitId) -> u8 {
        let parts = || self.roster.iter().filter(|other| self.is_same_division(unit, *other));
        let mobile = parts().any(|part| self.counter(part).class != Class::Other)
            || parts().all(|part| self.motor(state, part) == Motor::Full);
        if mobile { 2 } else { 1 }
    }

    /// The divisions of a group: the first of each one's units in it (11.5e.c).
    fn divisions(&self, group: Units) -> impl Iterator<Item = UnitId> + '_ {
        let first = move |unit: &UnitId| {
            group.iter().find(|other| self.is_same_division(*other, *unit)) == Some(*unit)
        };
        group.iter().filter(|unit| self.is_divisional(*unit)).filter(first)
    }

    /// The divisions of a group, and one more for all the rest (11.5a.a).
    fn dses(&self, state: &State, group: Units) -> u8 {
        self.divisions(group).map(|unit| self.division_dses(state, unit)).sum::<u8>() + 1
    }

    /// The level that a unit is to have when its group is issued at another: one that draws directly may have less (11.5c.b).
    fn wanted(&self, state: &State, unit: UnitId, level: Level) -> Level {
        let less =
            matches!(state.units[unit].source, Some(Source::Dump(_))) && state.marked(unit, Marks::LOW);
        if less && level == Level::Full { Level::Low } else { level }
    }

    /// The best level in a group, which the one more DSE is paid at (R45).
    fn highest(&self, state: &State, group: Units, level: Level) -> Level {
        let levels = group.iter().map(|unit| self.wanted(state, unit, level));
        levels.min().unwrap_or(level)
    }

    /// What a group costs in tokens: a supply point for each DSE in Full Supply, half of one in Low (11.4b.a, 11.4b.b).
    fn group_cost(&self, state: &State, group: Units, level: Level) -> u16 {
        let price = |level: Level| if level == Level::Full { TOKENS } else { TOKENS / 2 };
        let division = |unit: UnitId| {
            let parts = group.iter().filter(|part| self.is_same_division(unit, *part));
            let best = parts.map(|part| self.wanted(state, part, level)).min().unwrap_or(level);
            u16::from(self.division_dses(state, unit)) * price(best)
        };
        self.divisions(group).map(division).sum::<u16>() + price(self.highest(state, group, level))
    }

    /// The level that a unit drawing from a dump could be set to instead.
    fn other_level(&self, state: &State, unit: UnitId) -> Option<Level> {
        match state.units[unit].source {
            Some(Source::Dump(_)) if state.marked(unit, Marks::LOW) => Some(Level::Full),
            Some(Source::Dump(_)) => Some(Level::Low),
            _ => None,
        }
    }

    fn set_level(&self, state: &mut State, unit: UnitId, level: Level) {
        state.units.change(unit, |unit| {
            unit.marks.clear(Marks::LOW | Marks::UNSUPPLIED);
            unit.marks.set(Marks::ISSUED);
            unit.marks.set(match level {
                Level::Full => Marks::default(),
                Level::Low => Marks::LOW,
                Level::None => Marks::UNSUPPLIED,
            });
        });
    }

    /// A unit in No Supply may waste away; HQs do not (11.4e).
    fn attrition(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if self.is_hq(unit) {
            return;
        }
        let roll = play.roll_sum(self.side(unit), 2, 6, "attrition", case("11.4e.a")) as i32;
        let steps = self.charts.supply.attrition(roll - i32::from(self.rating(state, unit)));
        for _ in 0..steps.min(state.units[unit].steps) {
            self.lose_step(state, unit, play);
        }
    }
}
