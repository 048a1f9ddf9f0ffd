//! 11: combat, from the declaration to the die.

use board::{Dir, Hex};
use engine::{Play, Side, UnitId, UnitSet, Violation, ensure, refuse};

use crate::special::LAST_MOBILE_TURN;
use crate::{
    Action, AirGroup, Battle, Cause, Dagc, Event, Heading, Marks, Position, Procedure, State, Supply, Support,
};

/// The three leftmost columns, where an attacker may roll until something happens (11.23a).
const ARDOR_COLUMNS: i8 = 3;

impl Dagc {
    /// Whether a unit may attack a hex in this phase, alone or with others.
    pub(crate) fn check_attack(
        &self,
        state: &State,
        position: &Position,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("11.2", self.side(unit) == side, "{} is not {}'s to attack with", unit, side);
        let Some(from) = state.hex(unit) else { refuse!("11.2", "{} is not on the map", unit) };
        ensure!("11.1d", !self.is_fortified(unit), "{} is a fortified locality and never attacks", unit);
        ensure!("11.5a", !state.marked(unit, Marks::ATTACKED), "{} has attacked in this phase", unit);
        ensure!("11.2", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("11.3a", position.held[side.enemy()].contains(hex), "no enemy unit is in {}", hex);
        let bound = state.turn == 1 && side == Side::Soviet && !state.marked(unit, Marks::ACTIVATED);
        ensure!("5.4a", !bound, "{} was not activated: on turn 1 only activated Soviet units attack", unit);
        let entrenched = side == Side::Axis && self.ground.soviet_entrenchments.contains(hex);
        ensure!("11.10c", !entrenched, "no German unit may attack the Soviet entrenchment in {}", hex);
        let confined = self.is_1uf(unit) && !self.switches.free_1uf && !self.ground.uf_area.contains(hex);
        ensure!("10.2b", !confined, "{} may attack in the area of 1st Ukrainian Front only", unit);
        ensure!("11.3b", self.is_attackable(state, hex), "{} was attacked in this phase", hex);
        Ok(())
    }

    /// Some unit in the hex has not been attacked in this phase (11.3b, R47).
    fn is_attackable(&self, state: &State, hex: Hex) -> bool {
        state.stack_in(hex).iter().any(|unit| !state.marked(*unit, Marks::DEFENDED))
    }

    pub(crate) fn combat_answers(&self, state: &State, side: Side, after: bool, answers: &mut Vec<Action>) {
        let position = Position::new(self, state);
        for (unit, from) in self.on_map(state, side) {
            if !position.in_ezoc(side, from) {
                continue;
            }
            for (_, hex) in self.map.neighbours(from) {
                if self.check_attack(state, &position, side, unit, hex).is_ok() {
                    answers.push(Action::Attack { unit, hex });
                }
            }
        }
        if self.check_end_combat(state, &position, side, after).is_ok() {
            answers.push(Action::End);
        }
    }

    /// In the Historical Scenario every activated unit that can must attack before movement on turn 1 (11.1c, R8).
    fn attacks_are_forced(&self, state: &State, side: Side, after: bool) -> bool {
        state.turn == 1 && side == Side::Soviet && !after && !self.switches.no_forced_attacks
    }

    /// Targets that a unit could still attack.
    fn targets<'a>(
        &'a self,
        state: &'a State,
        position: &'a Position,
        unit: UnitId,
    ) -> impl Iterator<Item = Hex> + 'a {
        let from = state.hex(unit);
        from.into_iter()
            .flat_map(|from| self.map.neighbours(from))
            .map(|(_, hex)| hex)
            .filter(move |hex| self.check_attack(state, position, Side::Soviet, unit, *hex).is_ok())
    }

    pub(crate) fn check_end_combat(
        &self,
        state: &State,
        position: &Position,
        side: Side,
        after: bool,
    ) -> Result<(), Violation> {
        if !self.attacks_are_forced(state, side, after) {
            return Ok(());
        }
        for (unit, _) in self.on_map(state, side) {
            if let Some(hex) = self.targets(state, position, unit).next() {
                refuse!("11.1c", "{} must attack on turn 1, and can attack {}", unit, hex);
            }
        }
        Ok(())
    }

    /// The first attacker is named; whoever takes part is shown.
    pub(crate) fn name_target(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        play.tell(Event::Declared { unit, hex });
        state.battle = Some(Battle::Attack {
            target: hex,
            attackers: UnitSet::from_iter([unit]),
            supplied: UnitSet::EMPTY,
            shock: UnitSet::EMPTY,
            support: Support::None,
            column: 0,
            ardor: false,
            losses: 0,
            advanced: UnitSet::EMPTY,
            exploited: UnitSet::EMPTY,
        });
        state.mark(unit, Marks::ATTACKED);
        self.show(state, [unit], play);
        state.stack.push(Procedure::Attack);
    }

    /// Fronts never attack together (6.10c, 11.24).
    pub(crate) fn check_join(
        &self,
        state: &State,
        position: &Position,
        battle: &Battle,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let Battle::Attack { target, attackers, .. } = *battle;
        let side = self.attacking_side(battle);
        self.check_attack(state, position, side, unit, target)?;
        let mixed = attackers.iter().any(|other| self.is_1uf(other) != self.is_1uf(unit));
        ensure!("11.24", !mixed, "{} is of another front than the attackers", unit);
        Ok(())
    }

    pub(crate) fn attacking_side(&self, battle: &Battle) -> Side {
        let Battle::Attack { attackers, .. } = battle;
        attackers.iter().next().map_or(Side::Axis, |unit| self.side(unit))
    }

    pub(crate) fn attack_answers(&self, state: &State, battle: &Battle, answers: &mut Vec<Action>) {
        let position = Position::new(self, state);
        let Battle::Attack { target, .. } = *battle;
        for (_, hex) in self.map.neighbours(target) {
            for unit in state.stack_in(hex) {
                if self.check_join(state, &position, battle, unit).is_ok() {
                    answers.push(Action::Join { unit });
                }
            }
        }
        if self.check_declare(state, &position, battle).is_ok() {
            answers.push(Action::Declare);
        }
    }

    /// A forced attacker whose only target this is may not be left out (R8).
    pub(crate) fn check_declare(
        &self,
        state: &State,
        position: &Position,
        battle: &Battle,
    ) -> Result<(), Violation> {
        let Battle::Attack { target, .. } = *battle;
        let side = self.attacking_side(battle);
        if !self.attacks_are_forced(state, side, crate::sequence::is_after_movement(state)) {
            return Ok(());
        }
        for (unit, _) in self.on_map(state, side) {
            let mut targets = self.targets(state, position, unit);
            let only_this = targets.next() == Some(target) && targets.next().is_none();
            let may_join = self.check_join(state, position, battle, unit).is_ok();
            ensure!(
                "11.1c",
                !(only_this && may_join),
                "{} must attack on turn 1, and {} is its only target",
                unit,
                target
            );
        }
        Ok(())
    }

    pub(crate) fn join(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        play.tell(Event::Joined { unit });
        state.mark(unit, Marks::ATTACKED);
        self.show(state, [unit], play);
        if let Some(Battle::Attack { attackers, .. }) = &mut state.battle {
            attackers.insert(unit);
        }
    }

    /// All attackers are named. From here on the attack cannot be called off, and the German player sees the stack
    /// (6.8b, 6.8c). Supply is found once for the whole battle (7.1b, R60), then support.
    pub(crate) fn begin_battle(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(Battle::Attack { target, attackers, .. }) = state.battle else { return };
        let defenders = state.stack_in(target);
        self.show(state, defenders, play);
        let position = Position::new(self, state);
        let map = self.supply_map(state, &position);
        let fortified = self.has_fortified(state, target);
        let defenders = state.stack_in(target);
        let mut in_supply = UnitSet::EMPTY;
        let mut out = UnitSet::EMPTY;
        for unit in attackers.iter().chain(defenders.iter().copied()) {
            let defends_supplied = defenders.contains(&unit) && fortified; // 12.5.2a
            if defends_supplied || self.supply(state, &map, unit) != Supply::Out {
                in_supply.insert(unit);
            } else {
                out.insert(unit);
            }
        }
        if !out.is_empty() {
            play.tell(Event::OutOfSupply { units: out });
        }
        let full_shock = self.full_shock_armies(state, attackers);
        for unit in defenders {
            state.mark(unit, Marks::DEFENDED);
        }
        if let Some(Battle::Attack { supplied, shock, .. }) = &mut state.battle {
            (*supplied, *shock) = (in_supply, full_shock);
        }
        state.stack.pop();
        state.stack.push(Procedure::Supporting);
    }

    pub(crate) fn support_answers(&self, state: &State, battle: &Battle, answers: &mut Vec<Action>) {
        for &group in AirGroup::ALL {
            if self.check_air(state, battle, group).is_ok() {
                answers.push(Action::Air { group });
            }
        }
        if self.check_armor(state, battle).is_ok() {
            answers.push(Action::Armor);
        }
        answers.push(Action::Unsupported);
    }

    /// Tells the account of the battle and finds its column.
    pub(crate) fn find_column(&self, state: &mut State, chosen: Support, play: &mut Play<Event>) {
        if let Some(Battle::Attack { support, .. }) = &mut state.battle {
            *support = chosen;
        }
        let Some(battle) = state.battle else { return };
        let difference = self.differential(state, &battle, play);
        let mut place = self.charts.combat.differential(i32::from(difference));
        for (cause, columns) in self.shifts(state, &battle) {
            play.tell(Event::Shift { cause, columns });
            place = self.charts.combat.shift(place, i32::from(columns));
        }
        // Netted first, limited once (R25, 11.13).
        let found = place.column as i8;
        play.tell(Event::ColumnFound { column: found, heading: self.heading(found) });
        if let Some(Battle::Attack { column, .. }) = &mut state.battle {
            *column = found;
        }
        state.stack.pop();
        state.stack.push(Procedure::Column);
    }

    /// The column of an attack, without the account of it.
    pub(crate) fn column_of(&self, state: &State, battle: &Battle) -> usize {
        let Battle::Attack { target, attackers, .. } = *battle;
        let attack: u8 = attackers.iter().map(|unit| self.factor(state, unit)).sum();
        let defenders: u8 = state.stack_in(target).iter().map(|unit| self.defence_factor(state, *unit)).sum();
        let ground: u8 = self.additions(state, battle).map(|(_, points)| points).sum();
        let mut place = self.charts.combat.differential(i32::from(attack) - i32::from(defenders + ground));
        for (_, columns) in self.shifts(state, battle) {
            place = self.charts.combat.shift(place, i32::from(columns));
        }
        place.column
    }

    /// Attack factors less defence factors and what the ground adds (11.8a, 11.9).
    fn differential(&self, state: &State, battle: &Battle, play: &mut Play<Event>) -> i8 {
        let Battle::Attack { target, attackers, .. } = *battle;
        let (mut attack, mut defence) = (0u8, 0u8);
        for unit in attackers.iter() {
            let factor = self.factor(state, unit);
            play.tell(Event::AttackFactor { unit, factor });
            attack += factor;
        }
        for unit in state.stack_in(target) {
            let factor = self.defence_factor(state, unit);
            play.tell(Event::DefenceFactor { unit, factor });
            defence += factor;
        }
        for (cause, points) in self.additions(state, battle) {
            play.tell(Event::Addition { cause, points });
            defence += points;
        }
        let difference = attack as i8 - defence as i8;
        play.tell(Event::Differential { attack, defence, difference });
        difference
    }

    /// Natural terrain, town, city, entrenchment and river, all together (11.9, 11.10a).
    fn additions(&self, state: &State, battle: &Battle) -> impl Iterator<Item = (Cause, u8)> {
        let Battle::Attack { target, attackers, .. } = *battle;
        let chart = &self.charts.terrain;
        let german = self.attacking_side(battle) == Side::Soviet;
        let entrenched = german && self.ground.german_entrenchments.contains(target);
        let wet = attackers.iter().all(|unit| self.attacks_across_water(state, unit, target));
        let given = |points: u8, on: bool| if on { points } else { 0 };
        [
            (Cause::Terrain, self.ground.effect(target).addition),
            (Cause::Town, given(chart.town, self.ground.towns.contains(target))),
            (Cause::City, given(chart.city, self.ground.cities.contains(target))),
            (Cause::Entrenchment, given(chart.german_entrenchment, entrenched)),
            (Cause::River, given(chart.river, wet)),
        ]
        .into_iter()
        .filter(|(_, points)| *points > 0)
    }

    /// Lake, sea and narrows count as rivers in an attack (11.9b, R10).
    fn attacks_across_water(&self, state: &State, unit: UnitId, target: Hex) -> bool {
        let Some(dir) = self.direction_of(state, unit, target) else { return false };
        let ground = &self.ground;
        ground.river.has(target, dir)
            || ground.narrows_side.has(target, dir)
            || ground.lake_or_sea.iter().any(|layer| layer.has(target, dir))
    }

    /// The direction from the target to an attacker.
    fn direction_of(&self, state: &State, unit: UnitId, target: Hex) -> Option<Dir> {
        state.hex(unit).and_then(|from| self.map.grid().dir_between(target, from))
    }

    /// Every column shift that applies (11.8b).
    fn shifts(&self, state: &State, battle: &Battle) -> impl Iterator<Item = (Cause, i8)> {
        let Battle::Attack { target, attackers, supplied, shock, support, .. } = *battle;
        let soviet = self.attacking_side(battle) == Side::Soviet;
        let turn = state.turn;
        let fortified = self.has_fortified(state, target);
        let attacker_oos = attackers.iter().any(|unit| !supplied.contains(unit));
        let defender_oos = state.stack_in(target).iter().any(|unit| !supplied.contains(*unit));
        let bagration = soviet && turn == 1 && !crate::sequence::is_after_movement(state);
        let concentric =
            !self.ground.cities.contains(target) && !fortified && self.is_concentric(state, battle);
        let shock = soviet && (2..=LAST_MOBILE_TURN).contains(&turn) && !attacker_oos && !shock.is_empty();
        let air = matches!(support, Support::AirMain | Support::AirUf);
        [
            (Cause::Bagration, 1, bagration),                    // 5.4b
            (Cause::AttackerOos, -1, attacker_oos),              // 7.4a
            (Cause::DefenderOos, 1, defender_oos && !fortified), // 7.4b
            (Cause::Concentric, 1, concentric),                  // 11.11
            (Cause::Partisans, 1, soviet && self.ground.partisans.contains(target)), // 11.25
            (Cause::Armor, 1, support == Support::Armor),        // 12.6d
            (Cause::Shock, 1, shock),                            // 12.7a
            (Cause::Air, 1, air),                                // 13.1c
        ]
        .into_iter()
        .filter(|(_, _, on)| *on)
        .map(|(cause, columns, _)| (cause, columns))
    }

    /// From two opposite hexes, from three alternate ones, or from more than three (11.11a).
    fn is_concentric(&self, state: &State, battle: &Battle) -> bool {
        let Battle::Attack { target, attackers, .. } = *battle;
        let mut from = [false; 6];
        for dir in attackers.iter().filter_map(|unit| self.direction_of(state, unit, target)) {
            from[dir.index()] = true;
        }
        let opposite = (0..3).any(|i| from[i] && from[i + 3]);
        let alternate = (0..2).any(|i| from[i] && from[i + 2] && from[i + 4]);
        opposite || alternate || from.iter().filter(|on| **on).count() > 3
    }

    pub(crate) fn heading(&self, column: i8) -> Heading {
        Heading(self.charts.combat.heading(column as usize).parse().unwrap_or_default())
    }

    pub(crate) fn column_answers(&self, battle: &Battle, answers: &mut Vec<Action>) {
        answers.push(Action::Roll);
        if self.check_lower(battle).is_ok() {
            answers.push(Action::Lower);
        }
        if self.check_ardor(battle).is_ok() {
            answers.push(Action::Ardor);
        }
    }

    pub(crate) fn check_lower(&self, battle: &Battle) -> Result<(), Violation> {
        let Battle::Attack { column, ardor, .. } = *battle;
        ensure!("11.14", column > 0, "the column is the lowest already");
        ensure!("11.23a", !ardor, "the attacker has committed himself in this column");
        Ok(())
    }

    /// Only in the three leftmost columns, and before the first roll (11.23a).
    pub(crate) fn check_ardor(&self, battle: &Battle) -> Result<(), Violation> {
        let Battle::Attack { column, ardor, .. } = *battle;
        ensure!("11.23a", column < ARDOR_COLUMNS, "only the three leftmost columns are rolled again");
        ensure!("11.23a", !ardor, "the attacker has committed himself already");
        Ok(())
    }
}
