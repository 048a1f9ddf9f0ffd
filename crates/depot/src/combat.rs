//! 7: combat.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{
    Case, Frame, Play, Remark, Rounding, Side, UnitId, Violation, case, ensure, phrases, refuse, remark,
};

use crate::sequence::{acting_side, not_asked, phase};
use crate::{Action, CombatResult, Depot, Event, Marks, Phase, Procedure, State, Units};

/// How far a dump may be from the hex attacked (7.2).
const SUPPLY_RANGE: u32 = 3;

/// How many attackers a point is good for (7.2).
const ATTACKERS_A_POINT: usize = 5;

phrases! {
    /// A combat phase.
    pub struct Combat { side: Side } = "combat", "1.1", "{side} combat phase";
}

impl Frame<Depot> for Combat {
    fn asked(&self, _: &Depot, _: &State) -> (Side, Remark) {
        (self.side, remark!("1.1", "attack, or end the combat phase"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        for unit in rules.roster.iter() {
            let Some(from) = state.hex(unit) else { continue };
            for (_, hex) in rules.map.neighbours(from) {
                if rules.check_attack(state, self.side, unit, hex).is_ok() {
                    answers.push(Action::Name { unit, hex });
                }
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => rules.check_attack(state, self.side, unit, hex),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => state.stack.push(Attack { hex, attackers: Units::of(unit) }),
            _ => rules.end_player_turn(state, self.side, play),
        }
    }

    fn is_sound(&self, _: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && state.first.is_some()
    }

    fn phase(&self, _: &Depot, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Combat))
    }
}

phrases! {
    /// An attack is being put together.
    pub struct Attack { hex: Hex, attackers: Units } = "attack", "7.1", "{attackers} attack {hex}";
}

impl Frame<Depot> for Attack {
    fn asked(&self, _: &Depot, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("7.1", "add units to the attack, declare it, or call it off"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        let dumps = rules.dumps(state, acting_side(state));
        let enough = dumps.filter(|dump| self.check_declare(rules, state, *dump).is_ok());
        answers.extend(enough.map(|dump| Action::Declare { dump }));
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare { dump }, _) => self.check_declare(rules, state, dump),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Depot, Attack>(state, step, play),
            (Action::Declare { dump }, _) => self.declare(rules, state, dump, play),
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        let able = |unit| rules.check_attack(state, acting_side(state), unit, self.hex).is_ok();
        around.on::<Combat>().is_some()
            && around.above.is_empty()
            && !self.attackers.is_empty()
            && self.attackers.iter().all(able)
    }
}

impl Muster<Depot> for Attack {
    const CASES: [Case; 2] = [case("7.1"), case("7.1")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Depot, state: &State) -> Vec<UnitId> {
        let near = rules.map.neighbours(self.hex);
        let mut units: Vec<UnitId> = near.flat_map(|(_, hex)| state.units.in_hex(hex)).collect();
        units.sort();
        units
    }

    fn check_join(&self, rules: &Depot, state: &State, unit: UnitId) -> Result<(), Violation> {
        rules.check_attack(state, acting_side(state), unit, self.hex)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    /// What the attack costs in supply points (7.2).
    fn price(&self) -> u16 {
        self.attackers.len().div_ceil(ATTACKERS_A_POINT) as u16
    }

    fn check_declare(&self, rules: &Depot, state: &State, dump: Hex) -> Result<(), Violation> {
        let side = acting_side(state);
        let far = rules.map.grid().distance(dump, self.hex);
        ensure!("7.2", far <= SUPPLY_RANGE, "{} is {} hexes from {}", dump, far as i32, self.hex);
        let (price, there) = (self.price(), state.dump(dump, side));
        ensure!("7.2", there >= price, "the attack needs {} SP; {} has {}", price, dump, there);
        Ok(())
    }

    /// Pays, tells the account, rolls, and does what the table says (7.2 to 7.4).
    fn declare(&self, rules: &Depot, state: &mut State, dump: Hex, play: &mut Play<Event>) {
        let side = acting_side(state);
        state.stack.pop();
        play.tell(Event::Declared { units: self.attackers, hex: self.hex });
        self.attackers.iter().for_each(|unit| state.mark(unit, Marks::ATTACKED));
        rules.spend(state, side, dump, self.price(), play);
        let attackers: Vec<UnitId> = self.attackers.iter().collect();
        let defenders: Vec<UnitId> = state.units.in_hex(self.hex).collect();
        let attack = attackers.iter().map(|unit| u16::from(rules.face(state, *unit).attack)).sum();
        let defence = rules.defence(state, &defenders);
        let column = rules.combat_table.odds(u32::from(attack), u32::from(defence), Rounding::Down).column;
        play.tell(Event::Strengths { attack, defence });
        play.tell(rules.column_told(column));
        let die = play.roll(side, 6, "combat", case("7.4"));
        let result = rules.combat_table.result(column, die as i32);
        play.tell(Event::Result { result });
        rules.carry_out(state, result, &attackers, &defenders, play);
    }
}

impl Depot {
    /// Whether a unit may attack a hex, alone or with others (7.1).
    fn check_attack(&self, state: &State, side: Side, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        ensure!("7.1", self.side(unit) == side, "{} is the enemy's", unit);
        let Some(from) = state.hex(unit) else { refuse!("7.1", "{} is not on the map", unit) };
        ensure!("7.1", self.face(state, unit).attack > 0, "{} has no attack factor", unit);
        ensure!("7.1", !state.marked(unit, Marks::ATTACKED), "{} has attacked in this phase", unit);
        ensure!("7.1", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("7.1", self.holder(state, hex) == Some(side.enemy()), "no enemy unit is in {}", hex);
        Ok(())
    }

    /// A column by its heading, such as `2:1`.
    fn column_told(&self, column: usize) -> Event {
        let heading = self.combat_table.heading(column).split_once(':').unwrap_or_default();
        let number = |text: &str| text.parse().unwrap_or_default();
        Event::Column { attack: number(heading.0), defence: number(heading.1) }
    }

    fn carry_out(
        &self,
        state: &mut State,
        result: CombatResult,
        attackers: &[UnitId],
        defenders: &[UnitId],
        play: &mut Play<Event>,
    ) {
        let strongest = |units: &[UnitId], factor: fn(&crate::Face) -> u8| {
            let first = units.iter().copied().rev();
            first.max_by_key(|unit| factor(&self.face(state, *unit)))
        };
        let loser = match result {
            CombatResult::NoEffect => None,
            CombatResult::AttackerLoss => strongest(attackers, |face| face.attack),
            CombatResult::DefenderLoss => strongest(defenders, |face| face.defence),
            CombatResult::DefendersEliminated => {
                defenders.iter().for_each(|unit| self.eliminate(state, *unit, play));
                None
            }
        };
        if let Some(unit) = loser {
            self.lose_step(state, unit, play);
        }
    }
}
