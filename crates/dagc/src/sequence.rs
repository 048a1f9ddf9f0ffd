//! 5: the sequence of play, and which procedure answers what.

use board::Hex;
use engine::{Asked, Play, Side, UnitId, Violation, ensure, refuse, remark};

use crate::supply::SOVIET_EXHAUSTION;
use crate::{Action, AirGroup, Dagc, Event, Marks, Phase, Position, Procedure, State, Support};

/// True in a combat phase after movement (11.1a).
pub(crate) fn is_after_movement(state: &State) -> bool {
    matches!(state.stack.first(), Some(Procedure::Combat { after: true, .. }))
}

/// Who decides what, by the procedure on top of the stack.
pub(crate) fn asked(rules: &Dagc, state: &State) -> Asked {
    let Some(&top) = state.stack.last() else { return Asked::Over(rules.outcome(state)) };
    let attacker = state.battle.map_or(Side::Axis, |battle| rules.attacking_side(&battle));
    let (side, prompt) = match top {
        Procedure::Deployment { side: Side::Soviet } => {
            (Side::Soviet, remark!("3.6b", "set up the starred units near the Center of Gravity"))
        }
        Procedure::Deployment { side: Side::Axis } => {
            (Side::Axis, remark!("3.7b", "set up the Fifth Panzer Army behind the line"))
        }
        Procedure::Overload => (
            Side::Axis,
            remark!("7.9g", "a port cannot supply all: name a unit that is out of supply this turn"),
        ),
        Procedure::Reinforcement { side } => (
            side,
            remark!(
                "5.2a",
                "spend replacement steps ({} left) and place reinforcements, or end the phase",
                state.steps_left
            ),
        ),
        Procedure::Combat { side, .. } => (side, remark!("11.1b", "attack, or end the combat phase")),
        Procedure::Movement { side } => (side, remark!("9.2b", "move a unit, or end the movement phase")),
        Procedure::Moving { unit, left } => {
            (rules.side(unit), remark!("9.2d", "go on with {} MP, or stop", left))
        }
        Procedure::Interdiction => {
            (Side::Soviet, remark!("13.3a", "place air armies on German units, or end the phase"))
        }
        Procedure::Attack => (attacker, remark!("11.4", "add units to the attack, or declare it")),
        Procedure::Supporting => (attacker, remark!("11.8b", "support the attack, or not")),
        Procedure::Column => (attacker, remark!("11.14", "roll, lower the column, or commit yourself")),
        Procedure::Withdrawal => (attacker.enemy(), remark!("12.2a", "retreat before combat, or fight")),
        Procedure::DefenderRetreat | Procedure::SplitRetreat => {
            (attacker.enemy(), remark!("11.17e", "retreat, or take a loss where that is allowed"))
        }
        Procedure::AttackerLosses => (attacker, remark!("11.21c", "name the unit that loses a step")),
        Procedure::Advance => (attacker, remark!("11.22a", "advance, or halt")),
        Procedure::Ending => (attacker, remark!("5.1c", "the phase ends")),
        Procedure::Overstacked { hex } => {
            let owner = state.stack_in(hex).first().map_or(Side::Axis, |unit| rules.side(*unit));
            (owner, remark!("6.6c", "eliminate units in excess in {}", hex))
        }
    };
    Asked::Decision { side, prompt }
}

pub(crate) fn answers(rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
    let Some(&top) = state.stack.last() else { return };
    match (top, &state.battle) {
        (Procedure::Deployment { side }, _) => rules.deployment_answers(state, side, answers),
        (Procedure::Overload, _) => {
            answers.extend(rules.overloaded(state).iter().map(|unit| Action::CutOff { unit }));
        }
        (Procedure::Reinforcement { side }, _) => rules.reinforcement_answers(state, side, answers),
        (Procedure::Combat { side, after }, _) => rules.combat_answers(state, side, after, answers),
        (Procedure::Movement { side }, _) => rules.movement_answers(state, side, answers),
        (Procedure::Moving { unit, left }, _) => rules.moving_answers(state, unit, left, answers),
        (Procedure::Interdiction, _) => rules.interdiction_answers(state, answers),
        (Procedure::Overstacked { hex }, _) => {
            answers.extend(state.stack_in(hex).into_iter().map(|unit| Action::Remove { unit }));
        }
        (Procedure::Ending, _) | (_, None) => {}
        (Procedure::Attack, Some(battle)) => rules.attack_answers(state, battle, answers),
        (Procedure::Supporting, Some(battle)) => rules.support_answers(state, battle, answers),
        (Procedure::Column, Some(battle)) => rules.column_answers(battle, answers),
        (Procedure::Withdrawal, Some(_)) => {
            if let Some((unit, target)) = withdrawing(rules, state) {
                let position = Position::new(rules, state);
                let hexes = rules.retreat_hexes(state, &position, unit, target, 1);
                answers.extend(hexes.iter().map(|hex| Action::Withdraw { hex }));
            }
            answers.push(Action::Fight);
        }
        (Procedure::DefenderRetreat, Some(battle)) => rules.retreat_answers(state, battle, answers),
        (Procedure::SplitRetreat, Some(battle)) => {
            let crate::Battle::Attack { target, .. } = *battle;
            rules.split_answers(state, &Position::new(rules, state), target, answers);
        }
        (Procedure::AttackerLosses, Some(battle)) => {
            answers.extend(rules.next_losers(state, battle).iter().map(|unit| Action::Lose { unit }));
        }
        (Procedure::Advance, Some(battle)) => rules.advance_answers(state, battle, answers),
    }
}

fn withdrawing(rules: &Dagc, state: &State) -> Option<(UnitId, Hex)> {
    let battle = state.battle?;
    let unit = rules.may_withdraw(state, &battle)?;
    Some((unit, state.hex(unit)?))
}

pub(crate) fn check(rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
    let Some(&top) = state.stack.last() else { refuse!("5.3", "the game is over") };
    let position = || Position::new(rules, state);
    match (top, action, &state.battle) {
        (Procedure::Deployment { side }, Action::Deploy { unit, hex }, _) => {
            rules.check_deploy(state, side, unit, hex)
        }
        (Procedure::Overload, Action::CutOff { unit }, _) => {
            let overloaded = rules.overloaded(state).contains(unit);
            ensure!("7.9g", overloaded, "{} does not hang on an overloaded port", unit);
            Ok(())
        }
        (Procedure::Reinforcement { side }, Action::Replenish { unit }, _) => {
            rules.check_replenish(state, &position(), side, unit)
        }
        (Procedure::Reinforcement { side }, Action::Reclaim { unit }, _) => {
            rules.check_reclaim(state, side, unit)
        }
        (Procedure::Reinforcement { side }, Action::Place { unit, hex }, _) => {
            rules.check_place(state, &position(), side, unit, hex)
        }
        (
            Procedure::Reinforcement { .. } | Procedure::Movement { .. } | Procedure::Interdiction,
            Action::End,
            _,
        ) => Ok(()),
        (Procedure::Combat { side, after }, Action::End, _) => {
            rules.check_end_combat(state, &position(), side, after)
        }
        (Procedure::Combat { side, .. }, Action::Attack { unit, hex }, _) => {
            rules.check_attack(state, &position(), side, unit, hex)
        }
        (Procedure::Movement { side }, Action::Move { unit }, _) => {
            rules.check_begin(state, side, unit).map(|_| ())
        }
        (Procedure::Movement { side: Side::Soviet }, Action::Top { unit }, _) => rules.check_top(state, unit),
        (Procedure::Moving { unit, left }, Action::Go { hex }, _) => rules.check_go(state, unit, left, hex),
        (Procedure::Moving { .. }, Action::Stop, _) => Ok(()),
        (Procedure::Interdiction, Action::Interdict { unit, group }, _) => {
            rules.check_interdict(state, unit, group)
        }
        (Procedure::Overstacked { hex }, Action::Remove { unit }, _) => {
            ensure!("6.6c", state.hex(unit) == Some(hex), "{} is not in {}", unit, hex);
            Ok(())
        }
        (Procedure::Attack, Action::Join { unit }, Some(battle)) => {
            rules.check_join(state, &position(), battle, unit)
        }
        (Procedure::Attack, Action::Declare, Some(battle)) => rules.check_declare(state, &position(), battle),
        (Procedure::Supporting, Action::Air { group }, Some(battle)) => rules.check_air(state, battle, group),
        (Procedure::Supporting, Action::Armor, Some(battle)) => rules.check_armor(state, battle),
        (Procedure::Supporting, Action::Unsupported, _) => Ok(()),
        (Procedure::Column, Action::Roll, _) => Ok(()),
        (Procedure::Column, Action::Lower, Some(battle)) => rules.check_lower(battle),
        (Procedure::Column, Action::Ardor, Some(battle)) => rules.check_ardor(battle),
        (Procedure::Withdrawal, Action::Fight, _) => Ok(()),
        (Procedure::Withdrawal, Action::Withdraw { hex }, _) => {
            let hexes = withdrawing(rules, state)
                .map(|(unit, target)| rules.retreat_hexes(state, &position(), unit, target, 1))
                .unwrap_or_default();
            ensure!("12.2a", hexes.contains(hex), "{} is no lawful retreat hex", hex);
            Ok(())
        }
        (Procedure::DefenderRetreat, Action::Stand { unit }, Some(battle)) => {
            rules.check_stand(state, battle, unit)
        }
        (Procedure::DefenderRetreat, Action::Retreat { hex }, Some(battle)) => {
            rules.check_retreat(state, battle, hex)
        }
        (
            Procedure::DefenderRetreat | Procedure::SplitRetreat,
            Action::RetreatOne { unit, hex },
            Some(battle),
        ) => rules.check_retreat_one(state, battle, unit, hex),
        (Procedure::AttackerLosses, Action::Lose { unit }, Some(battle)) => {
            rules.check_lose(state, battle, unit)
        }
        (Procedure::Advance, Action::Advance { unit }, Some(battle)) => {
            rules.check_advance(state, &position(), battle, unit)
        }
        (Procedure::Advance, Action::Exploit { unit, hex }, Some(battle)) => {
            rules.check_exploit(state, &position(), battle, unit, hex)
        }
        (Procedure::Advance, Action::Halt, _) => Ok(()),
        _ => refuse!("5.1c", "this is not what is asked now"),
    }
}

pub(crate) fn apply(rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
    let Some(&top) = state.stack.last() else { return };
    match (top, action) {
        (_, Action::Deploy { unit, hex }) => rules.deploy(state, unit, hex, play),
        (_, Action::CutOff { unit }) => {
            state.mark(unit, Marks::CUT_OFF);
            play.tell(Event::WasCutOff { unit });
        }
        (_, Action::Replenish { unit }) => rules.replenish(state, unit, play),
        (_, Action::Reclaim { unit }) => rules.reclaim(state, unit, play),
        (_, Action::Place { unit, hex }) => rules.place(state, unit, hex, play),
        (_, Action::Attack { unit, hex }) => rules.name_target(state, unit, hex, play),
        (_, Action::Join { unit }) => rules.join(state, unit, play),
        (_, Action::Declare) => rules.begin_battle(state, play),
        (_, Action::Air { group }) => {
            rules.use_air(state, group);
            play.tell(Event::AirSupport { group });
            let support = if group == AirGroup::Main { Support::AirMain } else { Support::AirUf };
            rules.find_column(state, support, play);
        }
        (_, Action::Armor) => {
            let concentrated = rules.concentrate_armor(state, play);
            let support = if concentrated { Support::Armor } else { Support::ArmorFailed };
            rules.find_column(state, support, play);
        }
        (_, Action::Unsupported) => rules.find_column(state, Support::None, play),
        (_, Action::Lower) => lower(rules, state, play),
        (_, Action::Ardor) => {
            if let Some(crate::Battle::Attack { ardor, .. }) = &mut state.battle {
                *ardor = true;
            }
            play.tell(Event::Committed);
            before_the_die(rules, state, play);
        }
        (_, Action::Roll) => before_the_die(rules, state, play),
        (_, Action::Fight) => rules.roll(state, play),
        (_, Action::Withdraw { hex }) => withdraw(rules, state, hex, play),
        (_, Action::Stand { unit }) => rules.stand(state, unit, play),
        (_, Action::Retreat { hex }) => rules.retreat_all(state, hex, play),
        (_, Action::RetreatOne { unit, hex }) => rules.retreat_one(state, unit, hex, play),
        (_, Action::Lose { unit }) => rules.lose(state, unit, play),
        (_, Action::Advance { unit }) => rules.advance(state, unit, play),
        (_, Action::Exploit { unit, hex }) => rules.exploit(state, unit, hex, play),
        (_, Action::Halt) => {
            state.stack.pop();
            rules.end_battle(state);
        }
        (_, Action::Move { unit }) => rules.begin_move(state, unit, play),
        (Procedure::Moving { unit, left }, Action::Go { hex }) => rules.go(state, unit, left, hex, play),
        (_, Action::Stop) => {
            state.stack.pop();
        }
        (_, Action::Top { unit }) => rules.top(state, unit, play),
        (_, Action::Interdict { unit, group }) => rules.interdict(state, unit, group, play),
        (_, Action::Remove { unit }) => rules.eliminate(state, unit, play),
        (_, Action::End) => state.stack.push(Procedure::Ending),
        (top, Action::Go { .. }) => debug_assert!(false, "going in {top:?}"),
    }
    go_on(rules, state, play);
}

fn lower(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    if let Some(crate::Battle::Attack { column, .. }) = &mut state.battle {
        *column -= 1;
        play.tell(Event::Lowered { column: *column, heading: rules.heading(*column) });
    }
}

/// The defender's last chance before the die: a cav-mech group may be gone (12.2a, R26).
fn before_the_die(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    if withdrawing(rules, state).is_some() {
        state.stack.pop();
        state.stack.push(Procedure::Withdrawal);
    } else {
        rules.roll(state, play);
    }
}

/// The attack is over, and the attackers may follow (12.2b, R65).
fn withdraw(rules: &Dagc, state: &mut State, hex: Hex, play: &mut Play<Event>) {
    let Some((unit, _)) = withdrawing(rules, state) else { return };
    state.stack.pop();
    play.tell(Event::Withdrew { unit, hex });
    rules.retreat_unit(state, unit, hex, play);
    rules.offer_advance(state);
}

/// Does what needs no decision, until somebody must decide.
fn go_on(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    loop {
        if state.stack.is_empty() {
            return;
        }
        if rules.sudden_death(state) {
            return end_game(rules, state, play); // 4.2
        }
        match state.stack.last().copied() {
            Some(Procedure::Deployment { side }) if rules.in_hand(state, side).next().is_none() => {
                next_deployment(rules, state, play);
            }
            Some(Procedure::Overload) if rules.overloaded(state).is_empty() => {
                state.stack.pop();
            }
            Some(Procedure::Moving { unit, left }) if rules.is_stuck(state, unit, left) => {
                state.stack.pop();
            }
            Some(Procedure::Supporting) => {
                let mut answers = Vec::new();
                self::answers(rules, state, &mut answers);
                if answers.len() > 1 {
                    return;
                }
                rules.find_column(state, Support::None, play);
            }
            Some(Procedure::AttackerLosses) if !lose_without_choice(rules, state, play) => return,
            Some(Procedure::AttackerLosses) => {}
            Some(Procedure::Advance)
                if state.battle.is_none_or(|battle| rules.advance_is_over(state, &battle)) =>
            {
                state.stack.pop();
                rules.end_battle(state);
            }
            Some(Procedure::Overstacked { hex }) if state.stack_in(hex).len() <= 2 => {
                state.stack.pop();
            }
            Some(Procedure::Overload | Procedure::Overstacked { .. }) => return,
            Some(Procedure::Ending) => match overstacked(rules, state) {
                Some(hex) => state.stack.push(Procedure::Overstacked { hex }), // 6.6c
                None => end_phase(rules, state, play),
            },
            _ if push_checks(rules, state) => {}
            _ => return,
        }
    }
}

/// What is checked after everything: stacking after each combat and phase (6.6c), ports whenever units have changed
/// places (7.9i).
fn push_checks(rules: &Dagc, state: &mut State) -> bool {
    if state.battle.is_some()
        || matches!(state.stack.last(), Some(Procedure::Moving { .. } | Procedure::Deployment { .. }))
    {
        return false;
    }
    if !rules.overloaded(state).is_empty() {
        state.stack.push(Procedure::Overload);
        return true;
    }
    if !matches!(state.stack.last(), Some(Procedure::Combat { .. })) {
        return false;
    }
    if let Some(hex) = overstacked(rules, state) {
        state.stack.push(Procedure::Overstacked { hex });
        return true;
    }
    false
}

/// A hex with more than two units (6.1).
fn overstacked(rules: &Dagc, state: &State) -> Option<Hex> {
    let full = Position::new(rules, state).full;
    full.iter().find(|hex| state.stack_in(*hex).len() > 2)
}

/// Attackers' losses that leave no choice; true when something was done.
fn lose_without_choice(rules: &Dagc, state: &mut State, play: &mut Play<Event>) -> bool {
    let Some(battle @ crate::Battle::Attack { losses, .. }) = state.battle else { return false };
    if losses == 0 {
        state.stack.pop();
        rules.offer_advance(state);
        return true;
    }
    let losers = rules.next_losers(state, &battle);
    let mut only = losers.iter();
    match (only.next(), only.next()) {
        (Some(unit), None) => {
            rules.lose(state, unit, play);
            true
        }
        _ => false,
    }
}

fn end_phase(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    let Some(&phase) = state.stack.first() else { return };
    let mut phase = phase;
    loop {
        if state.steps_left > 0 {
            play.tell(Event::StepsLost { steps: state.steps_left }); // 10.6b
        }
        let Some(next) = next_phase(phase) else { return end_turn(rules, state, play) };
        begin_phase(rules, state, next, play);
        if has_choice(rules, state) {
            return;
        }
        phase = next;
    }
}

/// The phases of a game turn (5.2); nothing after the last.
fn next_phase(phase: Procedure) -> Option<Procedure> {
    Some(match phase {
        Procedure::Reinforcement { side } => Procedure::Combat { side, after: false },
        Procedure::Combat { side: Side::Soviet, after: false } => Procedure::Movement { side: Side::Soviet },
        Procedure::Combat { side: Side::Axis, after: false } => Procedure::Interdiction,
        Procedure::Interdiction => Procedure::Movement { side: Side::Axis },
        Procedure::Movement { side } => Procedure::Combat { side, after: true },
        Procedure::Combat { side: Side::Soviet, after: true } => {
            Procedure::Reinforcement { side: Side::Axis }
        }
        _ => return None,
    })
}

/// A phase in which nothing but its end is possible is passed over.
fn has_choice(rules: &Dagc, state: &State) -> bool {
    let mut answers = Vec::new();
    self::answers(rules, state, &mut answers);
    answers != [Action::End]
}

fn begin_phase(rules: &Dagc, state: &mut State, procedure: Procedure, play: &mut Play<Event>) {
    for unit in &mut state.units {
        unit.marks.clear(Marks::OF_A_PHASE);
    }
    state.rolls.clear();
    state.steps_left = 0;
    state.stack.clear();
    state.stack.push(procedure);
    let (side, phase) = match procedure {
        Procedure::Reinforcement { side } => (side, Phase::Reinforcement),
        Procedure::Combat { side, after: false } => (side, Phase::PreCombat),
        Procedure::Interdiction => (Side::Soviet, Phase::Interdiction),
        Procedure::Movement { side } => (side, Phase::Movement),
        Procedure::Combat { side, .. } => (side, Phase::PostCombat),
        _ => return,
    };
    play.tell(Event::PhaseBegan { side, phase });
    match phase {
        Phase::Reinforcement => {
            state.armor_tried = false; // once a player turn (12.6a)
            state.steps_left = rules.replacement_steps(state.turn, side);
            if state.steps_left > 0 {
                play.tell(Event::StepsReceived { side, steps: state.steps_left });
            }
        }
        // Interdiction lasts for the movement phase it precedes (13.5).
        Phase::PostCombat => state.units.iter_mut().for_each(|unit| unit.marks.clear(Marks::INTERDICTED)),
        _ => {}
    }
}

fn next_deployment(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    state.stack.clear();
    match Side::BOTH.into_iter().rev().find(|side| rules.in_hand(state, *side).next().is_some()) {
        Some(side) => state.stack.push(Procedure::Deployment { side }),
        None => begin_turn(rules, state, play),
    }
}

fn end_turn(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    if state.turn == rules.last_turn {
        return end_game(rules, state, play); // 4.4
    }
    state.turn += 1;
    begin_turn(rules, state, play);
}

/// The start of a game turn, before its first phase.
fn begin_turn(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    play.tell(Event::TurnBegan { turn: state.turn });
    for unit in &mut state.units {
        unit.marks.clear(Marks::REPLACED);
        unit.marks.clear(Marks::CUT_OFF);
    }
    if state.turn == 1 {
        rules.activate(state); // 5.4a
    }
    if state.turn == SOVIET_EXHAUSTION {
        rules.withdraw_air(state, play); // 13.4
    }
    state.air.iter_mut().for_each(|armies| armies.used = 0); // 13.5
    let first = Procedure::Reinforcement { side: Side::Soviet };
    begin_phase(rules, state, first, play);
    if !has_choice(rules, state) {
        end_phase(rules, state, play);
    }
}

/// Puts a state that was just set up at the start of turn 1.
pub(crate) fn open(rules: &Dagc, state: &mut State) {
    let mut play = Play::new(engine::Dice::told([]));
    next_deployment(rules, state, &mut play);
    go_on(rules, state, &mut play);
}

fn end_game(rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
    state.stack.clear();
    state.battle = None;
    rules.tell_end(state, play);
}
