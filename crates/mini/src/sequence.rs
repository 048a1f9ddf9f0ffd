//! 1: the sequence of play, and which procedure answers what.

use engine::{Asked, Play, Side, Violation, ensure, refuse, remark};

use crate::{Action, Event, Mini, Phase, Procedure, State};

/// Who decides what, by the procedure on top of the stack.
pub(crate) fn asked(rules: &Mini, state: &State) -> Asked {
    let Some(&top) = state.stack.last() else { return Asked::Over(rules.outcome(state)) };
    let attacker = || acting_side(state);
    let (side, prompt) = match top {
        Procedure::Movement { side } => (side, remark!("1.1", "move a unit, or end the movement phase")),
        Procedure::Reaction { unit } => {
            let prompt = remark!("5.1", "{} has come near your guns: fire or hold", unit);
            (rules.side(unit).enemy(), prompt)
        }
        Procedure::Luck { side, roll } => {
            (side, remark!("7.1", "you have rolled {}: keep it or roll again", roll))
        }
        Procedure::Combat { side } => (side, remark!("1.1", "attack, or end the combat phase")),
        Procedure::Attack { target, .. } => {
            (attacker(), remark!("6.1", "add units to the attack on {}, or resolve it", target))
        }
        Procedure::Loss { .. } => (attacker(), remark!("6.4", "name the attacker that loses a step")),
        Procedure::Retreat { target, .. } => (attacker().enemy(), remark!("6.6", "retreat from {}", target)),
        Procedure::Advance { target, .. } => (attacker(), remark!("6.7", "advance to {}, or stay", target)),
        Procedure::Moving { unit, .. } | Procedure::Fire { unit, .. } => {
            (rules.side(unit), remark!("4.1", "{} is on its way", unit))
        }
        Procedure::Battle { target, .. } => {
            (attacker(), remark!("6.4", "the battle for {} is under way", target))
        }
    };
    Asked::Decision { side, prompt }
}

/// The side whose phase it is.
pub(crate) fn acting_side(state: &State) -> Side {
    match state.stack.first() {
        Some(Procedure::Movement { side } | Procedure::Combat { side }) => *side,
        _ => Side::Axis,
    }
}

pub(crate) fn answers(rules: &Mini, state: &State, answers: &mut Vec<Action>) {
    match state.stack.last() {
        Some(&Procedure::Movement { side }) => rules.movement_answers(state, side, answers),
        Some(&Procedure::Reaction { unit }) => rules.reaction_answers(state, unit, answers),
        Some(&Procedure::Luck { .. }) => answers.extend([Action::Keep, Action::Reroll]),
        Some(&Procedure::Combat { side }) => rules.combat_answers(state, side, answers),
        Some(&Procedure::Attack { target, .. }) => rules.attack_answers(state, target, answers),
        Some(&Procedure::Loss { attackers }) => {
            answers.extend(attackers.iter().map(|unit| Action::Lose { unit }));
        }
        Some(&Procedure::Retreat { target, stand, .. }) => {
            rules.retreat_answers(state, target, stand, answers);
        }
        Some(&Procedure::Advance { attackers, .. }) => {
            let able = attackers.iter().filter(|unit| rules.check_advance(state, attackers, *unit).is_ok());
            answers.extend(able.map(|unit| Action::Advance { unit }));
            answers.push(Action::Stay);
        }
        Some(Procedure::Moving { .. } | Procedure::Fire { .. } | Procedure::Battle { .. }) | None => {}
    }
}

pub(crate) fn check(rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
    let Some(&top) = state.stack.last() else { refuse!("8.1", "the game is over") };
    match (top, action) {
        (Procedure::Movement { side }, Action::Move { unit, to }) => rules.check_move(state, side, unit, to),
        (Procedure::Movement { side }, Action::Lift { unit }) => rules.check_lift(state, side, unit),
        (Procedure::Movement { .. } | Procedure::Combat { .. }, Action::End) => Ok(()),
        (Procedure::Reaction { unit }, Action::Fire { gun }) => rules.check_fire(state, unit, gun),
        (Procedure::Reaction { .. }, Action::Hold) => Ok(()),
        (Procedure::Luck { .. }, Action::Keep | Action::Reroll) => Ok(()),
        (Procedure::Combat { side }, Action::Attack { unit, hex }) => {
            rules.check_attack(state, side, unit, hex)
        }
        (Procedure::Attack { target, .. }, Action::Join { unit }) => {
            rules.check_attack(state, acting_side(state), unit, target)
        }
        (Procedure::Attack { .. }, Action::Resolve) => Ok(()),
        (Procedure::Loss { attackers }, Action::Lose { unit }) => {
            ensure!("6.4", attackers.contains(unit), "{} did not attack", unit);
            Ok(())
        }
        (Procedure::Retreat { stand, .. }, Action::Stand) => {
            ensure!("6.5", stand, "the defenders cannot stand fast");
            Ok(())
        }
        (Procedure::Retreat { target, .. }, Action::Retreat { unit, to }) => {
            ensure!(
                "6.6",
                rules.next_to_retreat(state, target) == Some(unit),
                "{} does not retreat now",
                unit
            );
            rules.check_retreat(state, unit, to)
        }
        (Procedure::Retreat { target, .. }, Action::Abandon { unit }) => {
            ensure!(
                "6.6",
                rules.next_to_retreat(state, target) == Some(unit),
                "{} does not retreat now",
                unit
            );
            ensure!("6.6", rules.cannot_retreat(state, unit), "{} can retreat", unit);
            Ok(())
        }
        (Procedure::Advance { attackers, .. }, Action::Advance { unit }) => {
            rules.check_advance(state, attackers, unit)
        }
        (Procedure::Advance { .. }, Action::Stay) => Ok(()),
        _ => refuse!("1.1", "this is not what is asked now"),
    }
}

pub(crate) fn apply(rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
    let Some(&top) = state.stack.last() else { return };
    match (top, action) {
        (_, Action::Move { unit, to }) => rules.start_move(state, unit, to),
        (_, Action::Lift { unit }) => rules.lift(state, unit, play),
        (Procedure::Reaction { unit }, Action::Fire { gun }) => rules.fire(state, unit, gun, play),
        (Procedure::Luck { roll, .. }, Action::Keep) => {
            state.stack.pop();
            rules.settle(state, roll, play);
        }
        (Procedure::Luck { side, .. }, Action::Reroll) => {
            state.stack.pop();
            rules.reroll(state, side, play);
        }
        (_, Action::Attack { unit, hex }) => rules.declare(state, unit, hex, play),
        (_, Action::Join { unit }) => rules.join(state, unit, play),
        (Procedure::Attack { target, attackers }, Action::Resolve) => {
            rules.resolve(state, target, attackers, play);
        }
        (_, Action::Lose { unit }) => {
            state.stack.pop();
            rules.lose_step(state, unit, play);
        }
        (Procedure::Retreat { target, .. }, Action::Stand) => rules.stand(state, target, play),
        (_, Action::Retreat { unit, to }) => rules.retreat(state, unit, to, play),
        (_, Action::Abandon { unit }) => {
            rules.eliminate(state, unit, play);
            rules.no_more_standing(state);
        }
        (Procedure::Advance { target, .. }, Action::Advance { unit }) => {
            rules.advance(state, unit, target, play);
        }
        (_, Action::Hold | Action::Stay) => {
            state.stack.pop();
        }
        (Procedure::Movement { side }, Action::End) => begin_phase(state, side, Phase::Combat, play),
        (Procedure::Combat { side }, Action::End) => end_player_turn(rules, state, side, play),
        _ => debug_assert!(false, "{action:?} in {top:?}"),
    }
    go_on(rules, state, play);
}

/// Does what needs no decision, until somebody must decide.
fn go_on(rules: &Mini, state: &mut State, play: &mut Play<Event>) {
    loop {
        if !state.stack.is_empty() && rules.annihilated(state).is_some() {
            return end_game(rules, state, play); // 8.2
        }
        match state.stack.last() {
            Some(Procedure::Moving { .. }) => rules.go_on(state, play),
            Some(&Procedure::Reaction { unit }) if no_gun_left(rules, state, unit) => {
                state.stack.pop();
            }
            Some(&Procedure::Loss { attackers }) if attackers.len() == 1 => {
                state.stack.pop();
                attackers.iter().for_each(|unit| rules.lose_step(state, unit, play));
            }
            Some(&Procedure::Retreat { target, attackers, stand }) => {
                match rules.next_to_retreat(state, target) {
                    None => rules.after_retreat(state, target, attackers),
                    Some(unit) if !stand && rules.cannot_retreat(state, unit) => {
                        rules.eliminate(state, unit, play);
                    }
                    Some(_) => return,
                }
            }
            _ => return,
        }
    }
}

fn no_gun_left(rules: &Mini, state: &State, unit: engine::UnitId) -> bool {
    let guns = |hex| rules.guns_near(state, rules.side(unit).enemy(), hex).next();
    state.unit(unit).hex.and_then(guns).is_none()
}

/// Flags last for a phase.
fn begin_phase(state: &mut State, side: Side, phase: Phase, play: &mut Play<Event>) {
    for unit in &mut state.units {
        (unit.moved, unit.attacked, unit.fired, unit.shown) = (false, false, false, false);
    }
    state.attacked.clear();
    state.stack.clear();
    state.stack.push(match phase {
        Phase::Movement => Procedure::Movement { side },
        Phase::Combat => Procedure::Combat { side },
    });
    play.tell(Event::PhaseBegan { side, phase });
}

fn end_player_turn(rules: &Mini, state: &mut State, side: Side, play: &mut Play<Event>) {
    if side == Side::Axis {
        return begin_phase(state, Side::Soviet, Phase::Movement, play);
    }
    if state.turn == rules.turns {
        return end_game(rules, state, play);
    }
    state.turn += 1;
    play.tell(Event::TurnBegan { turn: state.turn });
    begin_phase(state, Side::Axis, Phase::Movement, play);
}

fn end_game(rules: &Mini, state: &mut State, play: &mut Play<Event>) {
    let points = rules.objectives_held(state);
    state.stack.clear();
    play.tell(Event::Ended { axis: points.axis as u8, soviet: points.soviet as u8 });
}
