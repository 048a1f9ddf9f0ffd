//! 12: special units.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::results::offer_advance;
use crate::sequence::{acting_side, not_asked};
use crate::{Action, Arm, Battle, Dagc, Event, Marks, Presence, Procedure, State, Units};

/// Cav-mech groups retreat before combat and advance a second hex on these turns (12.2), shock armies shift on all
/// of them but the first (12.7).
pub(crate) const LAST_MOBILE_TURN: u8 = 5;

phrases! {
    /// A cav-mech group may retreat before combat.
    pub struct Withdrawal = "withdrawal", "12.2a", "a cav-mech group may retreat";
}

impl Frame<Dagc> for Withdrawal {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), remark!("12.2a", "retreat before combat, or fight"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.hexes(rules, state).iter().map(|hex| Action::Withdraw { hex }));
        answers.push(Action::Fight);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Withdraw { hex } => self.check_withdraw(rules, state, hex),
            Action::Fight => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(battle) = state.battle().copied() else { return };
        match (action, rules.may_withdraw(state, &battle)) {
            // The attack is over, and the attackers may follow (12.2b, R65).
            (Action::Withdraw { hex }, Some(unit)) => {
                state.stack.pop();
                play.tell(Event::Withdrew { unit, hex });
                rules.retreat_unit(state, unit, hex, play);
                offer_advance(rules, state);
            }
            _ => battle.roll(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| {
            battle.is_undecided(rules, state) && rules.may_withdraw(state, battle).is_some()
        })
    }
}

impl Withdrawal {
    /// Where the group may go.
    fn hexes(&self, rules: &Dagc, state: &State) -> HexSet {
        let Some(battle) = state.battle() else { return HexSet::EMPTY };
        let Some(unit) = rules.may_withdraw(state, battle) else { return HexSet::EMPTY };
        rules.retreat_hexes(state, &Presence::new(rules, state), unit, battle.target, 1)
    }

    /// All that limits a retreat after combat limits this one (12.2a, R30), and says why.
    fn check_withdraw(&self, rules: &Dagc, state: &State, hex: Hex) -> Result<(), Violation> {
        let Some(battle) = state.battle() else { return Err(not_asked(state)) };
        rules.check_retreat(state, battle.target, hex)
    }
}

impl Dagc {
    /// The cav-mech group that may retreat before this attack: supplied, alone, not in a city (12.2a, R30).
    pub(crate) fn may_withdraw(&self, state: &State, battle: &Battle) -> Option<UnitId> {
        let Battle { target, supplied, .. } = *battle;
        let stack = state.stack_in(target);
        let [unit] = stack[..] else { return None };
        let eligible = state.turn <= LAST_MOBILE_TURN
            && self.is_cav_mech(unit)
            && supplied.contains(unit)
            && !self.ground.cities.contains(target);
        let presence = Presence::new(self, state);
        (eligible && !self.retreat_hexes(state, &presence, unit, target, 1).is_empty()).then_some(unit)
    }

    /// A supplied cav-mech group that has advanced may advance once more, on turns 1 to 5 (12.2c).
    pub(crate) fn check_exploit(
        &self,
        state: &State,
        presence: &Presence,
        battle: &Battle,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        let Battle { supplied, advanced, exploited, .. } = *battle;
        ensure!("12.2c", self.is_cav_mech(unit), "{} is not a cav-mech group", unit);
        ensure!(
            "12.2c",
            state.turn <= LAST_MOBILE_TURN,
            "cav-mech groups advance two hexes on turns 1 to 5 only"
        );
        ensure!("12.2c", advanced.contains(unit), "{} has not advanced", unit);
        ensure!("12.2c", !exploited.contains(unit), "{} has already advanced a second hex", unit);
        ensure!("12.2c", supplied.contains(unit), "{} was out of supply when the battle began", unit);
        self.check_advance_into(state, presence, unit, to)
    }

    /// From turn 2 on, once a German player turn, with an attacker in overland supply (12.6a, 12.6b, 12.6f).
    pub(crate) fn check_armor(&self, state: &State, battle: &Battle) -> Result<(), Violation> {
        ensure!("12.6a", battle.side(self) == Side::Axis, "the Armor Concentration marker is German");
        ensure!("12.6f", state.turn >= 2, "the Armor Concentration marker is not available on turn 1");
        ensure!(
            "12.6c",
            !state.armor_tried,
            "the Armor Concentration marker was already tried in this player turn"
        );
        let presence = Presence::new(self, state);
        let overland = self.german_overland(state, &presence, &self.ground.land);
        let supplied = |unit: UnitId, hex: Hex| overland.contains(hex) && !self.is_cut_off(state, unit, hex);
        let led = battle.attackers.iter().any(|unit| state.hex(unit).is_some_and(|hex| supplied(unit, hex)));
        ensure!("12.6b", led, "no attacker is in overland supply");
        Ok(())
    }

    /// It fails on 5 and 6, from turn 6 on 6 only (12.6c).
    pub(crate) fn concentrate_armor(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        state.armor_tried = true;
        let roll = play.roll(Side::Axis, 6, "armor concentration", case("12.6c"));
        let fails_from = if state.turn <= LAST_MOBILE_TURN { 5 } else { 6 };
        let concentrated = roll < fails_from;
        play.tell(if concentrated { Event::ArmorConcentrated } else { Event::ArmorFailed });
        concentrated
    }

    /// Shock armies at full strength among the attackers (12.7a, 11.21d).
    pub(crate) fn full_shock_armies(&self, state: &State, attackers: Units) -> Units {
        attackers.filter(|unit| self.counter(unit).arm == Arm::Shock && self.is_full_strength(state, unit))
    }

    /// A unit that retreated onto another in this phase adds nothing (11.17h).
    pub(crate) fn defence_factor(&self, state: &State, unit: UnitId) -> u8 {
        if state.marked(unit, Marks::RETREATED) { 0 } else { self.factor(state, unit) }
    }
}
