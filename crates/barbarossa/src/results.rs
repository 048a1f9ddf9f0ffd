//! 11.26 to 11.33: what comes of combat.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::ground::is_eastward;
use crate::sequence::{Decision, acting_side, not_asked};
use crate::{Action, Barbarossa, Battle, CombatResult, Event, Marks, Matter, Place, Procedure, State, Units};

/// Soviet mechanized units advance a second hex from this turn on (11.32b).
const SOVIET_EXPLOITATION: u8 = 13;

impl Battle {
    /// Conversions in one pass (R23): by the defenders' hex first, then bloodbaths that become retreats, by rule or by choice.
    pub(crate) fn apply_result(
        &self,
        rules: &Barbarossa,
        state: &mut State,
        result: CombatResult,
        play: &mut Play<Event>,
    ) {
        let mut result = result;
        if result == CombatResult::Retreat
            && let Some(other) = self.retreat_becomes(rules, state)
        {
            result = other;
            play.tell(Event::Becomes { result });
        }
        if result == CombatResult::Bloodbath {
            if self.side(rules) == Side::Soviet && state.turn == 1 {
                result = CombatResult::Retreat; // 5.14a
                play.tell(Event::Becomes { result });
            } else if self.may_convert_bloodbath(rules, state) {
                state.stack.push(Decision { side: self.side(rules), matter: Matter::Bloodbath });
                return;
            }
        }
        self.carry_out(rules, state, result, play);
    }

    /// Strongholds and the fortified area make a bloodbath of it, a German-held city a stalled attack (11.20b, 11.26h).
    fn retreat_becomes(&self, rules: &Barbarossa, state: &State) -> Option<CombatResult> {
        let defender = self.side(rules).enemy();
        let area = defender == Side::Soviet
            && state.area.is_some_and(|(_, placed)| state.turn > placed)
            && rules.area_hexes(state).contains(self.target);
        if area || rules.is_stronghold(state, defender, self.target) {
            return Some(CombatResult::Bloodbath);
        }
        let city = defender == Side::Axis && rules.ground.cities.contains(self.target);
        city.then_some(CombatResult::Stalled)
    }

    /// The German side on turn 1 (5.14b) and with the option in 1941 and the summer of 1942, not into cities (5.15b); the Soviet
    /// side against a lone satellite in the USSR (11.33b).
    fn may_convert_bloodbath(&self, rules: &Barbarossa, state: &State) -> bool {
        match self.side(rules) {
            Side::Soviet => self.is_on_solo_satellite(rules, state),
            Side::Axis if state.turn == 1 => true,
            Side::Axis => {
                let track = rules.charts.track.turn(state.turn);
                let in_time = track.year == 1941 || track.year == 1942 && track.single;
                rules.switches.superiority && in_time && !rules.ground.cities.contains(self.target)
            }
        }
    }

    fn carry_out(&self, rules: &Barbarossa, state: &mut State, result: CombatResult, play: &mut Play<Event>) {
        if matches!(
            result,
            CombatResult::Retreat | CombatResult::Bloodbath | CombatResult::DefenderEliminated
        ) {
            self.update(rules, state, result);
            self.eliminate_retreated(rules, state, play);
        }
        match result {
            CombatResult::Stalled => {}
            CombatResult::AttackerEliminated => self.eliminate_attackers(rules, state, play),
            CombatResult::DefenderEliminated => self.eliminate_defenders(rules, state, play),
            CombatResult::Bloodbath => {
                self.eliminate_defenders(rules, state, play);
                state.stack.push(Losses {});
            }
            CombatResult::Retreat => {
                rules.retreat_ica(state, self, play);
                state.stack.push(Retreat {});
            }
        }
    }

    /// What the attacker owes is what the defenders counted (11.26d, R22): found before they are gone.
    fn update(&self, rules: &Barbarossa, state: &mut State, result: CombatResult) {
        let owed = if result == CombatResult::Bloodbath { self.defence(rules, state) } else { 0 };
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.owed = owed;
        }
    }

    /// Units that had retreated into the hex are lost with it, and count for nothing (11.29b, R67).
    fn eliminate_retreated(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let there: Units = state.units.in_hex(self.target).collect();
        for unit in (there - self.defending(state)).iter() {
            let overland = rules.supply_of(state, unit) == crate::Supply::Overland;
            rules.eliminate(state, unit, overland, play);
        }
    }

    fn eliminate_defenders(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        for unit in self.defending(state).iter() {
            rules.eliminate(state, unit, self.overland.contains(unit), play);
        }
    }

    fn eliminate_attackers(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        for unit in self.attacking(rules).iter() {
            rules.eliminate(state, unit, self.overland.contains(unit) || self.is_dropped(rules, unit), play);
        }
    }

    fn is_dropped(&self, rules: &Barbarossa, unit: UnitId) -> bool {
        self.drop && Some(unit) == rules.cast.paratroops
    }

    /// Attackers that are left, paratroops among them.
    fn survivors(&self, rules: &Barbarossa, state: &State) -> Units {
        self.attacking(rules).filter(|unit| matches!(state.unit(unit).place, Place::Hex(_) | Place::Hand))
    }

    /// Who may be given up next: all dotted units before the first that can be replaced (11.26f).
    fn next_losses(&self, rules: &Barbarossa, state: &State) -> Units {
        let left = self.survivors(rules, state);
        let dotted = left.filter(|unit| rules.counter(unit).dot);
        if dotted.is_empty() { left } else { dotted }
    }

    /// What is left to be done when the result is carried out: paratroops land, attackers advance, or whoever assaulted on the
    /// move is in the hex (4.17f, 10.28, 10.29, 11.30a).
    pub(crate) fn conclude(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.done = true;
        }
        let cleared = !state.held(self.side(rules).enemy()).contains(self.target);
        self.land_paratroops(rules, state, cleared, play);
        if state.stack.is_empty() {
            return; // Moscow has fallen (4.15a)
        }
        match (self.mobile, cleared) {
            (false, true) => offer_advance(rules, state),
            (true, true) => self.occupy(rules, state, play),
            (true, false) if self.side(rules) == Side::Soviet => {
                // They stay in the launch hex for the rest of the phase (10.28a).
                let left = self.attackers.filter(|unit| state.hex(unit).is_some());
                for unit in left.iter() {
                    rules.finish(state, unit);
                    state.mark(unit, Marks::BEATEN);
                }
            }
            _ => {}
        }
    }

    fn land_paratroops(&self, rules: &Barbarossa, state: &mut State, cleared: bool, play: &mut Play<Event>) {
        let kept = rules.cast.paratroops.filter(|unit| self.drop && state.unit(*unit).place == Place::Hand);
        let Some(unit) = kept else { return };
        if cleared {
            rules.put(state, unit, self.target, play);
            play.tell(Event::Dropped { unit, hex: self.target });
        } else {
            rules.eliminate(state, unit, true, play);
        }
    }

    /// The assaulting units are in the hex, with the points they have left (10.29a, 10.29b).
    fn occupy(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let left = self.attackers.filter(|unit| state.hex(unit).is_some());
        for unit in left.iter() {
            rules.put(state, unit, self.target, play);
            let seen = rules.is_seen(state, unit);
            let entered = Event::Entered { unit: unit.into(), hex: self.target, cost: 0.into() };
            play.tell_of(rules.side(unit), seen, entered);
            if state.stack.is_empty() {
                return; // Moscow has fallen (4.15a)
            }
        }
        rules.call_satellites(state, left, self.target, play);
    }
}

impl Barbarossa {
    /// The attacker has turned a bloodbath into a retreat.
    pub(crate) fn carry_out_converted(&self, state: &mut State, play: &mut Play<Event>) {
        if let Some(battle) = state.battle().copied() {
            play.tell(Event::Becomes { result: CombatResult::Retreat });
            battle.carry_out(self, state, CombatResult::Retreat, play);
        }
    }

    /// He has not.
    pub(crate) fn carry_out_bloodbath(&self, state: &mut State, play: &mut Play<Event>) {
        if let Some(battle) = state.battle().copied() {
            battle.carry_out(self, state, CombatResult::Bloodbath, play);
        }
    }
}

phrases! {
    /// The attacker gives up units in a bloodbath.
    pub struct Losses = "losses", "11.26d", "the attacker gives up units";
}

impl Frame<Barbarossa> for Losses {
    fn asked(&self, rules: &Barbarossa, state: &State) -> (Side, Remark) {
        let left = state
            .battle()
            .map_or(0, |battle| battle.owed.saturating_sub(battle.worth(rules, state, battle.lost)));
        (acting_side(state), remark!("11.26d", "give up units worth {} more", i32::from(left)))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        answers.extend(battle.next_losses(rules, state).iter().map(|unit| Action::Lose { unit }));
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        let (Action::Lose { unit }, Some(battle)) = (action, state.battle()) else {
            return Err(not_asked(state));
        };
        let fights = battle.survivors(rules, state).contains(unit);
        ensure!("11.26d", fights, "{} does not take part any more", unit);
        let first = battle.next_losses(rules, state).contains(unit);
        ensure!("11.26f", first, "units that never come back are given up before {}", unit);
        Ok(())
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Lose { unit } = action {
            give_up(rules, state, unit, play);
        }
    }

    /// It is over when enough is given up, or nobody is left. Where everybody must go nobody is asked.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(battle) = state.battle().copied() else { return true };
        let left = battle.survivors(rules, state);
        if left.is_empty() || battle.worth(rules, state, battle.lost) >= battle.owed {
            state.stack.pop();
            return false;
        }
        let all = battle.worth(rules, state, battle.attacking(rules)) <= battle.owed;
        match left.first() {
            Some(unit) if all || left.len() == 1 => give_up(rules, state, unit, play),
            _ => return true,
        }
        false
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.above.is_empty()
            && around.on::<Battle>().is_some_and(|battle| {
                let enemy = battle.side(rules).enemy();
                !battle.done
                    && !battle.survivors(rules, state).is_empty()
                    && !state.held(enemy).contains(battle.target)
                    && battle.worth(rules, state, battle.lost) < battle.owed
            })
    }
}

fn give_up(rules: &Barbarossa, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
    let Some(battle) = state.stack.find_mut::<Battle>() else { return };
    battle.lost.insert(unit);
    let overland = battle.overland.contains(unit) || battle.is_dropped(rules, unit);
    rules.eliminate(state, unit, overland, play);
}

phrases! {
    /// The defenders retreat.
    pub struct Retreat = "retreat", "11.27a", "the defenders retreat";
}

impl Frame<Barbarossa> for Retreat {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), remark!("11.27a", "retreat"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        let joint = rules.joint_retreats(state, battle);
        if !joint.is_empty() {
            return answers.extend(joint.iter().map(|hex| Action::Retreat { hex }));
        }
        for unit in state.stack_in(battle.target) {
            let hexes = rules.retreat_hexes(state, battle, unit);
            answers.extend(hexes.iter().map(|hex| Action::RetreatOne { unit, hex }));
        }
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        let Some(battle) = state.battle() else { return Err(not_asked(state)) };
        match action {
            Action::Retreat { hex } => rules.check_retreat(state, battle, hex),
            Action::RetreatOne { unit, hex } => rules.check_retreat_one(state, battle, unit, hex),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(battle) = state.battle().copied() else { return };
        match action {
            Action::Retreat { hex } => {
                for unit in state.stack_in(battle.target) {
                    rules.retreat_unit(state, &battle, unit, hex, play);
                }
            }
            Action::RetreatOne { unit, hex } => rules.retreat_unit(state, &battle, unit, hex, play),
            _ => {}
        }
    }

    /// Whoever has no way out is lost (11.28/A, R64).
    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(battle) = state.battle().copied() else { return true };
        let left = state.stack_in(battle.target);
        if left.is_empty() {
            state.stack.pop();
            return false;
        }
        let stuck: Vec<UnitId> = left
            .iter()
            .copied()
            .filter(|unit| rules.retreat_hexes(state, &battle, *unit).is_empty())
            .collect();
        if stuck.is_empty() {
            return true;
        }
        if stuck.len() == left.len() {
            play.tell(Event::Becomes { result: CombatResult::DefenderEliminated });
        }
        for unit in stuck {
            rules.eliminate(state, unit, battle.overland.contains(unit), play);
        }
        false
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let ways = |battle: &Battle| {
            let units = state.stack_in(battle.target);
            units.iter().all(|unit| !rules.retreat_hexes(state, battle, *unit).is_empty())
        };
        around.above.is_empty()
            && around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state) && ways(battle))
    }
}

impl Barbarossa {
    /// Whether a unit may retreat into a hex at all, room apart (11.27a, 11.27d, 11.28a).
    fn check_retreat_into(
        &self,
        state: &State,
        attack: &HexSet,
        unit: UnitId,
        from: Hex,
        to: Hex,
    ) -> Result<(), Violation> {
        ensure!("11.27a", self.map.grid().adjacent(from, to), "{} is not adjacent to {}", to, from);
        let mobile = state.battle().is_some_and(|battle| battle.mobile);
        ensure!("10.31/A", !(mobile && attack.contains(to)), "the assault was launched from {}", to);
        ensure!("11.27d", !attack.contains(to), "the attack came from {}", to);
        let enemy = state.held(self.side(unit).enemy()).contains(to);
        ensure!("11.27a", !enemy, "an enemy unit is in {}", to);
        self.check_water(from, to)?;
        self.check_prohibitions(state, unit, from, to, true)
    }

    /// Neither retreat nor advance leads across water, but for rivers (11.17b, 11.18b, 11.19).
    fn check_water(&self, from: Hex, to: Hex) -> Result<(), Violation> {
        let ground = &self.ground;
        ensure!("11.17b", !ground.kerch_side.between(from, to), "nobody retreats or advances across Kerch");
        ensure!(
            "11.18b",
            !ground.sivash_side.between(from, to),
            "nobody retreats or advances across the Sivash"
        );
        ensure!("11.19", ground.dry_sides.between(from, to), "water lies between {} and {}", from, to);
        Ok(())
    }

    /// Hexes next to one that are open to a unit, in the direction it prefers as long as there are any (11.27b, 11.27c, R63).
    fn open_retreats(&self, state: &State, attack: &HexSet, unit: UnitId, from: Hex) -> HexSet {
        let eastward = self.side(unit) == Side::Soviet;
        let (mut preferred, mut others) = (HexSet::EMPTY, HexSet::EMPTY);
        for (dir, hex) in self.map.neighbours(from) {
            if self.check_retreat_into(state, attack, unit, from, hex).is_ok() {
                if is_eastward(dir) == eastward {
                    preferred.insert(hex)
                } else {
                    others.insert(hex)
                };
            }
        }
        if preferred.is_empty() { others } else { preferred }
    }

    /// Where one unit may end its retreat: in an open hex with room, or beyond full ones, hex by hex (11.28b, R63).
    fn retreat_hexes(&self, state: &State, battle: &Battle, unit: UnitId) -> HexSet {
        let attack = battle.attack_hexes(state);
        let roomy = |hex: &Hex| self.check_room(state, unit, *hex).is_ok();
        let mut ends = HexSet::EMPTY;
        let mut passed = HexSet::of(battle.target);
        let mut at = HexSet::of(battle.target);
        while !at.is_empty() {
            let mut next = HexSet::EMPTY;
            for hex in at.iter() {
                let open = self.open_retreats(state, &attack, unit, hex) - HexSet::of(battle.target);
                let free: HexSet = open.iter().filter(roomy).collect();
                ends |= free;
                if free.is_empty() {
                    next |= open - passed;
                }
            }
            passed |= next;
            at = next;
        }
        ends
    }

    /// Hexes to which all defenders may go together: then they must (11.27e).
    fn joint_retreats(&self, state: &State, battle: &Battle) -> HexSet {
        let units = state.stack_in(battle.target);
        let attack = battle.attack_hexes(state);
        let mut joint: Option<HexSet> = None;
        for unit in &units {
            let open = self.open_retreats(state, &attack, *unit, battle.target);
            joint = Some(joint.map_or(open, |joint| joint & open));
        }
        let roomy =
            |hex: &Hex| units.iter().all(|unit| self.check_room_for(state, *unit, *hex, units.len()).is_ok());
        joint.unwrap_or_default().iter().filter(roomy).collect()
    }

    fn check_retreat(&self, state: &State, battle: &Battle, hex: Hex) -> Result<(), Violation> {
        if self.joint_retreats(state, battle).contains(hex) {
            return Ok(());
        }
        let attack = battle.attack_hexes(state);
        let units = state.stack_in(battle.target);
        for unit in &units {
            self.check_retreat_into(state, &attack, *unit, battle.target, hex)?;
        }
        for unit in &units {
            self.check_room_for(state, *unit, hex, units.len())?;
        }
        match acting_side(state) {
            Side::Soviet => refuse!("11.27b", "{} is not to the west, and other hexes are", hex),
            Side::Axis => refuse!("11.27c", "{} is not to the east, and other hexes are", hex),
        }
    }

    fn check_retreat_one(
        &self,
        state: &State,
        battle: &Battle,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("11.27a", state.hex(unit) == Some(battle.target), "{} does not retreat", unit);
        let joint = self.joint_retreats(state, battle);
        ensure!("11.27e", joint.is_empty(), "the defenders can retreat together, and must");
        let open = self.retreat_hexes(state, battle, unit).contains(hex);
        ensure!("11.28b", open, "{} cannot retreat to {}", unit, hex);
        Ok(())
    }

    fn retreat_unit(
        &self,
        state: &mut State,
        battle: &Battle,
        unit: UnitId,
        to: Hex,
        play: &mut Play<Event>,
    ) {
        let Some(from) = state.hex(unit) else { return };
        self.put(state, unit, to, play);
        if !battle.mobile {
            state.mark(unit, Marks::RETREATED); // 11.29a
        }
        play.tell(Event::Retreated { unit, from, to });
    }

    /// The coastal army retreats by sea, or is lost (10.34d, R68).
    fn retreat_ica(&self, state: &mut State, battle: &Battle, play: &mut Play<Event>) {
        let Some(unit) = self.cast.coastal_army.filter(|unit| state.hex(*unit) == Some(battle.target)) else {
            return;
        };
        let port = self.other_port(battle.target).filter(|port| self.check_ica(state, unit, *port).is_ok());
        match port {
            Some(port) => self.retreat_unit(state, battle, unit, port, play),
            None => self.eliminate(state, unit, true, play),
        }
    }
}

/// Offers the advance when somebody is left to make it.
fn offer_advance(rules: &Barbarossa, state: &mut State) {
    let advance = Advance {};
    if !advance.is_over(rules, state) {
        state.stack.push(advance);
    }
}

phrases! {
    /// Attackers may advance.
    pub struct Advance = "advance", "11.30a", "attackers may advance";
}

impl Frame<Barbarossa> for Advance {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.30a", "advance, or halt"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        for unit in battle.attackers.iter() {
            if rules.check_advance(state, battle, unit).is_ok() {
                answers.push(Action::Advance { unit });
            }
        }
        for unit in (battle.advanced - battle.exploited).iter() {
            for (_, hex) in rules.map.neighbours(battle.target) {
                if rules.check_exploit(state, battle, unit, hex).is_ok() {
                    answers.push(Action::Exploit { unit, hex });
                }
            }
        }
        answers.push(Action::Halt);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match (action, state.battle()) {
            (Action::Advance { unit }, Some(battle)) => rules.check_advance(state, battle, unit),
            (Action::Exploit { unit, hex }, Some(battle)) => rules.check_exploit(state, battle, unit, hex),
            (Action::Halt, _) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(battle) = state.stack.find_mut::<Battle>() else { return };
        match action {
            Action::Advance { unit } => {
                battle.advanced.insert(unit);
                let hex = battle.target;
                play.tell(Event::Advanced { unit, hex });
                rules.put(state, unit, hex, play);
                rules.call_satellites(state, Units::of(unit), hex, play);
            }
            Action::Exploit { unit, hex } => {
                battle.exploited.insert(unit);
                play.tell(Event::Exploited { unit, hex });
                rules.put(state, unit, hex, play);
                rules.call_satellites(state, Units::of(unit), hex, play);
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let over = self.is_over(rules, state);
        if over {
            state.stack.pop();
        }
        !over
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.above.iter().all(|frame| matches!(frame, Procedure::PolishArrival(_)))
            && around.on::<Battle>().is_some_and(|battle| {
                battle.done
                    && !battle.mobile
                    && !state.held(battle.side(rules).enemy()).contains(battle.target)
            })
    }
}

impl Advance {
    /// True when nobody is left who could advance: halting alone is no choice.
    fn is_over(&self, rules: &Barbarossa, state: &State) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        answers == [Action::Halt]
    }
}

impl Barbarossa {
    /// Any attacker that is left may advance into the hex, within stacking and by land (11.30, R71).
    fn check_advance(&self, state: &State, battle: &Battle, unit: UnitId) -> Result<(), Violation> {
        ensure!("11.30a", battle.attackers.contains(unit), "{} took no part in the attack", unit);
        ensure!("11.30a", !battle.advanced.contains(unit), "{} has advanced", unit);
        self.check_advance_into(state, unit, battle.target)
    }

    /// Mechanized units that were in overland supply advance on (11.32, 12.5, R69).
    fn check_exploit(&self, state: &State, battle: &Battle, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!("11.32a", battle.advanced.contains(unit), "{} has not advanced", unit);
        ensure!("11.32a", !battle.exploited.contains(unit), "{} has advanced two hexes", unit);
        ensure!("11.32a", self.is_mech(unit), "{} is not mechanized", unit);
        ensure!("11.32a", battle.overland.contains(unit), "{} was not in overland supply", unit);
        match self.side(unit) {
            Side::Axis => {
                ensure!("11.32a", self.is_german(unit), "{} is not German", unit);
                let single = self.is_single(state.turn);
                ensure!("11.32a", single, "Germans advance two hexes in single-month turns only");
            }
            Side::Soviet => {
                let late = state.turn >= SOVIET_EXPLOITATION;
                ensure!("11.32b", late, "Soviets advance two hexes from turn 13 on");
            }
        }
        self.check_advance_into(state, unit, hex)
    }

    fn check_advance_into(&self, state: &State, unit: UnitId, to: Hex) -> Result<(), Violation> {
        let Some(from) = state.hex(unit) else { refuse!("11.30a", "{} is gone", unit) };
        ensure!("11.30a", self.map.grid().adjacent(from, to), "{} is not adjacent to {}", unit, to);
        self.check_water(from, to)?;
        self.check_prohibitions(state, unit, from, to, false)?;
        self.check_room(state, unit, to)
    }
}
