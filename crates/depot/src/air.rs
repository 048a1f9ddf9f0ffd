//! 6: aircraft, which answer fire and each other.

use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::overrun::HIT;
use crate::sequence::{acting_side, not_asked};
use crate::{Action, Arm, Depot, Event, Fire, Marks, Place, Procedure, State};

phrases! {
    /// A bomber may go for the gun, and then the die decides.
    pub struct Strike {
        /// The bomber that does.
        bomber: Option<UnitId>,
    } = "strike", "6.1", "air strike";
}

impl Frame<Depot> for Strike {
    fn asked(&self, _: &Depot, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("6.1", "defensive fire: strike the gun from the air, or send nobody"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        let bombers = rules.aircraft(state, acting_side(state), Arm::Bomber);
        answers.extend(bombers.map(|bomber| Action::Strike { bomber }));
        answers.push(Action::Ground);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Strike { bomber } => rules.check_flight(state, acting_side(state), Arm::Bomber, bomber),
            Action::Ground => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        let gun = state.stack.find::<Fire>().and_then(|fire| fire.gun);
        let (Action::Strike { bomber }, Some(gun)) = (action, gun) else {
            state.stack.pop();
            return;
        };
        state.mark(bomber, Marks::FLOWN);
        play.tell(Event::Struck { bomber, gun });
        state.stack.replace(Strike { bomber: Some(bomber) });
        if rules.aircraft(state, acting_side(state).enemy(), Arm::Fighter).next().is_some() {
            state.stack.push(Intercept { fighter: None });
        }
    }

    /// When nobody can turn the bomber back any more it drops its bombs (6.2).
    fn go_on(&self, rules: &Depot, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(bomber) = self.bomber else { return true };
        state.stack.pop();
        let success = play.roll(rules.side(bomber), 6, "air strike", case("6.2")) >= HIT;
        if let Some(gun) = state.stack.find::<Fire>().and_then(|fire| fire.gun) {
            play.tell(Event::Silenced { gun, success });
        }
        if success {
            state.stack.pop_if::<Fire>();
        }
        false
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = acting_side(state);
        around.on::<Fire>().is_some_and(|fire| fire.gun.is_some())
            && match self.bomber {
                None => around.above.is_empty() && rules.aircraft(state, side, Arm::Bomber).next().is_some(),
                Some(bomber) => {
                    around.under::<Intercept>().is_some() && rules.is_flying(state, side, Arm::Bomber, bomber)
                }
            }
    }
}

phrases! {
    /// A fighter may meet the bomber, and then the die decides.
    pub struct Intercept {
        /// The fighter that does.
        fighter: Option<UnitId>,
    } = "intercept", "6.3", "interception";
}

impl Frame<Depot> for Intercept {
    fn asked(&self, _: &Depot, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), remark!("6.3", "an air strike: send a fighter, or nobody"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        let fighters = rules.aircraft(state, acting_side(state).enemy(), Arm::Fighter);
        answers.extend(fighters.map(|fighter| Action::Intercept { fighter }));
        answers.push(Action::Ground);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        let side = acting_side(state).enemy();
        match action {
            Action::Intercept { fighter } => rules.check_flight(state, side, Arm::Fighter, fighter),
            Action::Ground => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        let bomber = state.stack.find::<Strike>().and_then(|strike| strike.bomber);
        let (Action::Intercept { fighter }, Some(bomber)) = (action, bomber) else {
            state.stack.pop();
            return;
        };
        state.mark(fighter, Marks::FLOWN);
        play.tell(Event::Intercepted { fighter, bomber });
        state.stack.replace(Intercept { fighter: Some(fighter) });
    }

    /// The dogfight (6.4); who loses it may have the die rolled again (6.5).
    fn go_on(&self, rules: &Depot, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(fighter) = self.fighter else { return true };
        let die = play.roll(rules.side(fighter), 6, "dogfight", case("6.4")) as u8;
        let loser = loser(rules.side(fighter), die);
        if state.ace[loser] {
            state.stack.push(Ace { side: loser, die });
        } else {
            settle(state, loser, play);
        }
        false
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = acting_side(state).enemy();
        around.on::<Strike>().is_some_and(|strike| strike.bomber.is_some())
            && match self.fighter {
                None => around.above.is_empty() && rules.aircraft(state, side, Arm::Fighter).next().is_some(),
                Some(fighter) => {
                    around.under::<Ace>().is_some() && rules.is_flying(state, side, Arm::Fighter, fighter)
                }
            }
    }
}

/// Who loses a dogfight to which a side has sent the fighter (6.4).
fn loser(fighter: Side, die: u8) -> Side {
    if u32::from(die) < HIT { fighter } else { fighter.enemy() }
}

/// One of the two turns back: the bomber without a strike, or the fighter (6.4).
fn settle(state: &mut State, loser: Side, play: &mut Play<Event>) {
    let fighter = state.stack.pop_if::<Intercept>().and_then(|intercept| intercept.fighter);
    let turns_back = if loser == acting_side(state) {
        state.stack.pop_if::<Strike>().and_then(|strike| strike.bomber)
    } else {
        fighter
    };
    if let Some(unit) = turns_back {
        play.tell(Event::TurnedBack { unit });
    }
}

phrases! {
    /// The side that loses a dogfight may have the die rolled again.
    pub struct Ace { side: Side, die: u8 } = "ace", "6.5", "{side} loses the dogfight with {die}";
}

impl Frame<Depot> for Ace {
    fn asked(&self, _: &Depot, _: &State) -> (Side, Remark) {
        (
            self.side,
            remark!("6.5", "a {} loses you the dogfight: let it stand, or hand in your ace", self.die),
        )
    }

    fn answers(&self, _: &Depot, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::Keep, Action::Reroll]);
    }

    fn apply(&self, _: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        let fighter = acting_side(state).enemy();
        let mut die = self.die;
        if action == Action::Reroll {
            state.ace[self.side] = false;
            play.tell(Event::AceSpent { side: self.side });
            die = play.roll(fighter, 6, "dogfight, again", case("6.5")) as u8;
        }
        settle(state, loser(fighter, die), play);
    }

    fn is_sound(&self, _: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Intercept>().is_some_and(|intercept| intercept.fighter.is_some())
            && around.above.is_empty()
            && state.ace[self.side]
            && (1..=6).contains(&self.die)
            && loser(acting_side(state).enemy(), self.die) == self.side
    }
}

impl Depot {
    /// Aircraft of a sort that a side can send (6.1, 6.3).
    pub(crate) fn aircraft(&self, state: &State, side: Side, kind: Arm) -> impl Iterator<Item = UnitId> {
        self.roster.iter().filter(move |unit| self.check_flight(state, side, kind, *unit).is_ok())
    }

    fn check_flight(&self, state: &State, side: Side, kind: Arm, unit: UnitId) -> Result<(), Violation> {
        ensure!("6.1", self.side(unit) == side, "{} is the enemy's", unit);
        match kind {
            Arm::Bomber => ensure!("6.1", self.kind(unit) == kind, "{} is not a bomber", unit),
            _ => ensure!("6.3", self.kind(unit) == kind, "{} is not a fighter", unit),
        }
        ensure!("6.1", state.units[unit].place == Place::Base, "{} is not in the game", unit);
        ensure!("6.1", !state.marked(unit, Marks::FLOWN), "{} has flown in this turn", unit);
        Ok(())
    }

    /// Whether an aircraft can be in the air.
    fn is_flying(&self, state: &State, side: Side, kind: Arm, unit: UnitId) -> bool {
        self.side(unit) == side
            && self.kind(unit) == kind
            && state.units[unit].place == Place::Base
            && state.marked(unit, Marks::FLOWN)
    }
}
