//! 6, 8: the sequence of play, and which procedure answers what.

use engine::{Asked, Play, Side, Violation, case, ensure, refuse, remark};

use crate::actions::Desk;
use crate::{Action, Bug, Event, Manner, Position, Procedure, State};

/// Puts a game at its beginning: the first turn has no Admin Phase (8a).
pub(crate) fn open(rules: &Bug, state: &mut State) {
    state.stack.clear();
    state.stack.push(match rules.scenario.surprise {
        0 => Procedure::Opening,
        left => Procedure::Surprise { left, used: 0 },
    });
}

/// Who decides what, by the procedure on top of the stack.
pub(crate) fn asked(rules: &Bug, state: &State) -> Asked {
    let Some(&top) = state.stack.last() else { return Asked::Over(rules.outcome(state)) };
    let attacker = state.battle.as_ref().map_or(Side::Axis, |battle| rules.attacking_side(battle));
    let first = |units: engine::Force| units.first().map_or(Side::Axis, |unit| rules.side(unit));
    let (side, prompt) = match top {
        Procedure::Recovery { side, next } => {
            let hq = rules.hqs.get(usize::from(next)).copied().unwrap_or(engine::UnitId(0));
            (side, remark!("8.1c", "{} is out of supply: expend Emergency Supply, or do not recover", hq))
        }
        Procedure::Assignment { side } => (side, remark!("8.2a", "assign units, or end the segment")),
        Procedure::Replacement => (
            Side::Axis,
            remark!(
                "8.3d",
                "spend replacement points ({} infantry, {} AFV), or end the segment",
                state.points[0],
                state.points[1]
            ),
        ),
        Procedure::Reorganization => {
            (Side::Soviet, remark!("8.3.2a", "cannibalize units, or end the segment"))
        }
        Procedure::Reorganizing { points, .. } => {
            (Side::Soviet, remark!("8.3.2b", "spend {} points, or lose what is left", points))
        }
        Procedure::Reinforcement { side } => {
            (side, remark!("8.4.1a", "place reinforcements, or end the segment"))
        }
        Procedure::Surprise { left, .. } => (
            Side::Axis,
            remark!("10.2b", "surprise attack: activate an Infantry Division ({} left), or end it", left),
        ),
        Procedure::Opening => (Side::Axis, remark!("6a", "the first Ops Phase begins with initiative dice")),
        Procedure::Initiative { .. } => {
            (state.luck, remark!("5.2a", "let your initiative die stand, or roll it again"))
        }
        Procedure::Choice { side, received: false } => {
            (side, remark!("6.2a", "activate a formation, transfer the initiative, or pass"))
        }
        Procedure::Choice { side, received: true } => {
            (side, remark!("6.2d", "activate a formation, or pass"))
        }
        Procedure::Activation { hq, ap, .. } => {
            (rules.side(hq), remark!("6.3b", "{} acts with {} AP, or ends", hq, ap))
        }
        Procedure::Trying { units, .. } => {
            (first(units), remark!("5.8.4f", "go on with the units that passed, or call the Action off"))
        }
        Procedure::Moving { units, .. } => (first(units), remark!("7.3a", "go to a hex, or stop")),
        Procedure::Window { leaving } => {
            let side = mover(rules, state).enemy();
            let prompt = if leaving {
                remark!("6.4.1b", "an enemy is about to leave a hex next to you: react, or let it go")
            } else {
                remark!("6.4.1a", "an enemy has moved next to you: react, or let it go on")
            };
            (side, prompt)
        }
        Procedure::Armor { side } => {
            (side, remark!("7.5.1.2w", "name the unit that stands for Armor Superiority"))
        }
        Procedure::Fight => {
            (attacker, remark!("7.5.1.1a", "the attack is declared: draw the chits and roll"))
        }
        Procedure::Hits { side, blow: crate::Blow::Voluntary, .. } => {
            (side, remark!("7.5.2.1g", "retreat units of your own will, or stand"))
        }
        Procedure::Hits { side, .. } => {
            (side, remark!("7.5.2.1m", "name the unit that loses a Strength Point"))
        }
        Procedure::Retreat { units, steps: 0, .. } => {
            (first(units), remark!("7.5.2.1o", "choose where to retreat"))
        }
        Procedure::Retreat { units, .. } => {
            (first(units), remark!("7.5.2.1o", "retreat another hex, or halt"))
        }
        Procedure::Bonus { side, .. } => {
            (side, remark!("7.5.3d", "use the bonus Action Point at once, or let it go"))
        }
        Procedure::Overstacked { hex, by } => {
            (by, remark!("5.3.3a", "{} is overstacked: displace a unit", hex))
        }
        Procedure::Crushed { hex } => {
            (first(rules.combat_units(state, hex)), remark!("5.3.1r", "eliminate a unit in {}", hex))
        }
        Procedure::Crowded { hex } => {
            (first(rules.hqs_in(state, hex)), remark!("5.3.1m", "name the HQ that must leave {}", hex))
        }
        Procedure::Displaced { hq } => {
            (rules.side(hq), remark!("5.3.2a", "{} is displaced: choose a town or village", hq))
        }
        Procedure::Luck { side, roll } => {
            (side, remark!("5.2a", "you rolled {}: keep it, or roll again", roll))
        }
        // These wait for a die, never for a player.
        Procedure::Interdiction
        | Procedure::Attrition { .. }
        | Procedure::Ops
        | Procedure::Points { .. }
        | Procedure::Reacting { .. }
        | Procedure::Checks { .. }
        | Procedure::Die
        | Procedure::Ending => (Side::Axis, remark!("7.2a", "play goes on")),
    };
    Asked::Decision { side, prompt }
}

/// The side that moves.
fn mover(rules: &Bug, state: &State) -> Side {
    let units = state.stack.iter().rev().find_map(|procedure| match procedure {
        Procedure::Moving { units, .. } => Some(*units),
        _ => None,
    });
    units.and_then(|units| units.first()).map_or(Side::Axis, |unit| rules.side(unit))
}

pub(crate) fn answers(rules: &Bug, state: &State, answers: &mut Vec<Action>) {
    let Some(&top) = state.stack.last() else { return };
    match top {
        Procedure::Recovery { .. } => answers.extend([Action::Emergency, Action::Spare]),
        Procedure::Assignment { side } => rules.assignment_answers(state, side, answers),
        Procedure::Replacement => rules.replacement_answers(state, answers),
        Procedure::Reorganization => rules.reorganization_answers(state, answers),
        Procedure::Reorganizing { donor, .. } => rules.reorganizing_answers(state, donor, answers),
        Procedure::Reinforcement { side } => rules.reinforcement_answers(state, side, answers),
        Procedure::Surprise { used, .. } => rules.surprise_answers(state, used, answers),
        Procedure::Opening => answers.push(Action::Begin),
        Procedure::Initiative { .. } | Procedure::Luck { .. } => {
            answers.extend([Action::Keep, Action::Reroll]);
        }
        Procedure::Choice { side, received } => rules.choice_answers(state, side, received, answers),
        Procedure::Activation { hq, ap, .. } => {
            if let Some(turn) = rules.turn(state) {
                let desk = Desk::new(rules, state, turn);
                desk.answers(answers);
                desk.bridge_answers(answers);
            }
            rules.relocation_answers(state, hq, ap, answers);
            rules.top_answers(state, rules.side(hq), answers);
            answers.push(Action::End);
        }
        Procedure::Trying { units, target } => {
            if check_try(rules, state, units, target).is_ok() {
                answers.push(Action::GoOn);
            }
            answers.push(Action::CallOff);
        }
        Procedure::Moving { .. } => rules.moving_answers(state, answers),
        Procedure::Window { .. } => {
            rules.reaction_answers(state, mover(rules, state).enemy(), answers);
        }
        Procedure::Armor { side } => {
            answers.extend(rules.champions(state, side).iter().map(|unit| Action::Champion { unit }));
        }
        Procedure::Fight => answers.push(Action::Fight),
        Procedure::Hits { side, blow: crate::Blow::Voluntary, .. } => {
            answers
                .extend(rules.withdrawals(state, side).into_iter().map(|units| Action::Withdraw { units }));
            answers.push(Action::Stand);
        }
        Procedure::Hits { side, blow, left } => {
            let losers = rules.next_losers(state, side, blow, left);
            answers.extend(losers.iter().map(|unit| Action::Lose { unit }));
        }
        Procedure::Retreat { .. } => rules.retreat_answers(state, answers),
        Procedure::Bonus { .. } => {
            if let Some(turn) = rules.turn(state) {
                Desk::new(rules, state, turn).answers(answers);
            }
            answers.push(Action::Forgo);
        }
        Procedure::Overstacked { hex, by } => rules.displace_answers(state, hex, by, answers),
        Procedure::Crushed { hex } => {
            answers.extend(rules.surplus(state, hex).iter().map(|unit| Action::Remove { unit }));
        }
        Procedure::Crowded { hex } => {
            answers.extend(rules.hqs_in(state, hex).iter().map(|hq| Action::Evict { hq }));
        }
        Procedure::Displaced { hq } => {
            answers
                .extend(rules.displacement_settlements(state, hq).iter().map(|hex| Action::Settle { hex }));
        }
        Procedure::Interdiction
        | Procedure::Attrition { .. }
        | Procedure::Ops
        | Procedure::Points { .. }
        | Procedure::Reacting { .. }
        | Procedure::Checks { .. }
        | Procedure::Die
        | Procedure::Ending => {}
    }
}

/// Isolated units that attack may find that those who failed were the only ones able to.
fn check_try(
    rules: &Bug,
    state: &State,
    units: engine::Force,
    target: Option<board::Hex>,
) -> Result<(), Violation> {
    let Some(from) = units.first().and_then(|unit| state.hex(unit)) else {
        refuse!("5.8.4d", "nobody is left")
    };
    let position = Position::new(rules, state);
    match target {
        Some(_) => Ok(()),
        None => {
            let free = |to: board::Hex| rules.can_enter(state, &position, units, from, to, 0).is_ok();
            let open = rules.map.neighbours(from).any(|(_, to)| free(to));
            ensure!("7.3.2b", open, "no hex next to {} can be entered", from);
            Ok(())
        }
    }
}

pub(crate) fn check(rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
    let Some(&top) = state.stack.last() else { refuse!("7.8b", "the game is over") };
    let position = || Position::new(rules, state);
    let desk = || rules.turn(state).map(|turn| Desk::new(rules, state, turn));
    match (top, action) {
        (Procedure::Recovery { .. }, Action::Emergency | Action::Spare) => Ok(()),
        (Procedure::Assignment { side }, Action::Assign { unit, hq }) => {
            rules.check_assign(state, &position(), side, unit, hq)
        }
        (Procedure::Assignment { side }, Action::End) => rules.check_end_assignment(state, side),
        (Procedure::Replacement, Action::Replace { unit }) => rules.check_replace(state, &position(), unit),
        (Procedure::Reorganization, Action::Cannibalize { unit }) => {
            rules.check_cannibalize(state, &position(), unit)
        }
        (Procedure::Reorganizing { donor, .. }, Action::Reinforce { unit }) => {
            rules.check_reinforce(state, &position(), donor, unit)
        }
        (Procedure::Reinforcement { side }, Action::Place { unit, hex }) => {
            rules.check_place(state, &position(), side, unit, hex)
        }
        (Procedure::Reinforcement { side }, Action::TakeUp { corps }) => {
            rules.check_take_up(state, side, corps)
        }
        (
            Procedure::Replacement
            | Procedure::Reorganization
            | Procedure::Reorganizing { .. }
            | Procedure::Reinforcement { .. }
            | Procedure::Surprise { .. }
            | Procedure::Activation { .. },
            Action::End,
        ) => Ok(()),
        (Procedure::Assignment { side } | Procedure::Reinforcement { side }, Action::Top { unit }) => {
            rules.check_top(state, side, unit)
        }
        (Procedure::Activation { hq, .. }, Action::Top { unit }) => {
            rules.check_top(state, rules.side(hq), unit)
        }
        (Procedure::Surprise { used, .. }, Action::Activate { hq }) => rules.check_surprise(state, used, hq),
        (Procedure::Opening, Action::Begin) => Ok(()),
        (Procedure::Initiative { .. } | Procedure::Luck { .. }, Action::Keep | Action::Reroll) => Ok(()),
        (_, Action::Reroll) => {
            refuse!("5.2b", "no die of yours was just rolled with the marker in your hand")
        }
        (Procedure::Choice { side, .. }, Action::Activate { hq }) => rules.check_activate(state, side, hq),
        (Procedure::Choice { side, received }, Action::Transfer) => {
            rules.check_transfer(state, side, received)
        }
        (Procedure::Choice { .. }, Action::Pass) => Ok(()),
        (Procedure::Activation { .. } | Procedure::Bonus { .. }, Action::Move { units }) => match desk() {
            Some(desk) => desk.check_move(units).map(|_| ()),
            None => refuse!("7.2a", "nobody acts now"),
        },
        (Procedure::Activation { .. } | Procedure::Bonus { .. }, Action::Attack { units, hex, kind }) => {
            match desk() {
                Some(desk) => desk.check_attack(units, hex, kind).map(|_| ()),
                None => refuse!("7.2a", "nobody acts now"),
            }
        }
        (Procedure::Activation { .. } | Procedure::Bonus { .. }, Action::Refit { unit }) => match desk() {
            Some(desk) => desk.check_refit(unit),
            None => refuse!("7.2a", "nobody acts now"),
        },
        (Procedure::Activation { .. } | Procedure::Bonus { .. }, Action::Improve { hex }) => match desk() {
            Some(desk) => desk.check_improve(hex),
            None => refuse!("7.2a", "nobody acts now"),
        },
        (Procedure::Activation { hq, ap, .. }, Action::Relocate { hex }) => {
            rules.check_relocate(state, &rules.survey(state, hq), hq, ap, hex)
        }
        (Procedure::Activation { .. }, Action::Bridge { from, to }) => match desk() {
            Some(desk) => desk.check_bridge(from, to).map(|_| ()),
            None => refuse!("7.2a", "nobody acts now"),
        },
        (Procedure::Trying { units, target }, Action::GoOn) => check_try(rules, state, units, target),
        (Procedure::Trying { .. }, Action::CallOff) => Ok(()),
        (Procedure::Moving { .. }, Action::Go { hex }) => rules.check_go(state, hex),
        (Procedure::Moving { .. }, Action::Cross { hex }) => rules.check_cross(state, hex),
        (Procedure::Moving { .. }, Action::Infiltrate { hex }) => rules.check_infiltrate(state, hex),
        (Procedure::Moving { .. }, Action::Stop) => Ok(()),
        (Procedure::Window { .. }, Action::React { hq }) => rules.check_react(state, &position(), hq),
        (Procedure::Window { .. }, Action::Decline) => Ok(()),
        (_, Action::React { .. }) => {
            refuse!("6.4.1f", "no Movement Action of the enemy asks for a reaction now")
        }
        (Procedure::Armor { side }, Action::Champion { unit }) => {
            let tied = rules.champions(state, side).contains(unit);
            ensure!("7.5.1.2w", tied, "{} is not among the best of its side", unit);
            Ok(())
        }
        (Procedure::Fight, Action::Fight) => Ok(()),
        (Procedure::Hits { side, blow: crate::Blow::Voluntary, .. }, Action::Withdraw { units }) => {
            rules.check_withdraw(state, side, units)
        }
        (Procedure::Hits { blow: crate::Blow::Voluntary, .. }, Action::Stand) => Ok(()),
        (Procedure::Hits { side, blow, left }, Action::Lose { unit }) => {
            rules.check_lose(state, side, blow, left, unit)
        }
        (Procedure::Retreat { .. }, Action::Retreat { hex }) => rules.check_retreat(state, hex),
        (Procedure::Retreat { steps, .. }, Action::Halt) => {
            ensure!("7.5.2.1o", steps > 0, "a retreat leads at least one hex");
            Ok(())
        }
        (Procedure::Bonus { .. }, Action::Forgo) => Ok(()),
        (Procedure::Overstacked { hex, .. }, Action::Displace { unit, hex: to }) => {
            rules.check_displace(state, hex, unit, to)
        }
        (Procedure::Overstacked { hex, by }, Action::Leave) => {
            let owner = rules.combat_units(state, hex).first().map(|unit| rules.side(unit));
            ensure!("5.3.1o", owner != Some(by), "the owner must displace his units");
            Ok(())
        }
        (Procedure::Crushed { hex }, Action::Remove { unit }) => rules.check_remove(state, hex, unit),
        (Procedure::Crowded { hex }, Action::Evict { hq }) => {
            ensure!("5.3.1m", rules.is_hq(hq) && state.hex(hq) == Some(hex), "{} is no HQ in {}", hq, hex);
            Ok(())
        }
        (Procedure::Displaced { hq }, Action::Settle { hex }) => rules.check_settle(state, hq, hex),
        (_, Action::Assign { .. }) => refuse!("5.5.1c", "units are assigned in the Assignment Segment only"),
        _ => refuse!("7.2a", "this is not what is asked now"),
    }
}

pub(crate) fn apply(rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
    let Some(&top) = state.stack.last() else { return };
    match (top, action) {
        (Procedure::Luck { roll, .. }, Action::Keep) => {
            state.stack.pop();
            rules.settle(state, roll, play);
        }
        (Procedure::Luck { side, .. }, Action::Reroll) => {
            state.stack.pop();
            let roll = rules.reroll(state, side, play);
            rules.settle(state, roll, play);
        }
        (Procedure::Opening, Action::Begin) => {
            state.stack.pop();
            state.stack.push(Procedure::Ops);
        }
        (Procedure::Initiative { .. }, Action::Keep) => rules.settle_initiative(state, play),
        (Procedure::Initiative { .. }, Action::Reroll) => rules.reroll_initiative(state, play),
        (_, Action::Top { unit }) => rules.arrange(state, unit, play),
        (_, Action::Displace { unit, hex }) => rules.displace(state, unit, hex, play),
        (Procedure::Overstacked { hex, by }, Action::Leave) => {
            state.stack.pop();
            state.stack.push(Procedure::Overstacked { hex, by: by.enemy() });
        }
        (_, Action::Remove { unit }) => rules.eliminate(state, unit, play),
        (_, Action::Evict { hq }) => rules.begin_displacement(state, hq),
        (Procedure::Displaced { hq }, Action::Settle { hex }) => rules.settle_hq(state, hq, hex, play),
        (Procedure::Recovery { next, .. }, _) => {
            rules.decide_emergency(state, next, action == Action::Emergency, play);
        }
        (_, Action::Assign { unit, hq }) => rules.assign(state, unit, hq, play),
        (_, Action::Replace { unit }) => rules.replace(state, unit, play),
        (_, Action::Cannibalize { unit }) => rules.cannibalize(state, unit, play),
        (_, Action::Reinforce { unit }) => rules.reinforce(state, unit, play),
        (_, Action::Place { unit, hex }) => rules.place(state, unit, hex, play),
        (_, Action::TakeUp { corps }) => rules.take_up(state, corps, play),
        (Procedure::Choice { .. }, Action::Activate { hq }) => {
            state.stack.pop();
            rules.activate(state, hq, play);
        }
        (_, Action::Activate { hq }) => rules.activate(state, hq, play),
        (Procedure::Choice { side, .. }, Action::Transfer) => {
            state.stack.pop();
            play.tell(Event::Transferred { to: side.enemy() });
            state.stack.push(Procedure::Choice { side: side.enemy(), received: true });
        }
        (Procedure::Choice { side, .. }, Action::Pass) => {
            state.stack.pop();
            state.passed[side] = true;
            play.tell(Event::Passed { side });
        }
        (_, Action::Move { units }) => rules.begin_move_action(state, units, play),
        (_, Action::Go { hex }) => rules.set_goal(state, hex),
        (_, Action::Infiltrate { hex }) => rules.send(state, hex, Manner::Sneak),
        (_, Action::Cross { hex }) => rules.send(state, hex, Manner::Straight),
        (_, Action::Stop) => rules.end_move(state, play),
        (_, Action::Attack { units, hex, kind }) => rules.begin_attack_action(state, units, hex, kind, play),
        (_, Action::GoOn) => rules.try_on(state, play),
        (_, Action::CallOff) => {
            state.stack.pop();
            state.stack.push(Procedure::Ending);
        }
        (_, Action::Refit { unit }) => rules.refit(state, unit, play),
        (_, Action::Improve { hex }) => rules.improve(state, hex, play),
        (Procedure::Activation { hq, .. }, Action::Relocate { hex }) => rules.relocate(state, hq, hex, play),
        (_, Action::Bridge { from, to }) => {
            let corps =
                rules.turn(state).and_then(|turn| Desk::new(rules, state, turn).check_bridge(from, to).ok());
            if let Some(corps) = corps {
                rules.bridge(state, corps, from, to, play);
            }
        }
        (_, Action::React { hq }) => rules.react(state, hq, play),
        (_, Action::Decline | Action::Forgo) => {
            state.stack.pop();
        }
        (Procedure::Armor { side }, Action::Champion { unit }) => rules.name_champion(state, side, unit),
        (_, Action::Fight) => rules.fight(state, play),
        (_, Action::Lose { unit }) => rules.lose(state, unit, play),
        (_, Action::Retreat { hex }) => rules.retreat(state, hex, play),
        (_, Action::Halt) => rules.halt(state),
        (_, Action::Withdraw { units }) => rules.withdraw(state, units),
        (_, Action::Stand) => rules.stand(state),
        (Procedure::Assignment { side }, Action::End) => {
            state.stack.pop();
            match side {
                Side::Soviet => rules.begin_assignment(state, Side::Axis, play), // 8.2f
                Side::Axis => rules.begin_replacement(state, play),
            }
        }
        (Procedure::Replacement, Action::End) => rules.end_replacement(state, play),
        (Procedure::Reorganization, Action::End) => {
            state.stack.pop();
            rules.forget_arranging(state);
            state.stack.push(Procedure::Reinforcement { side: Side::Soviet }); // 8.4c
        }
        (Procedure::Reorganizing { points, .. }, Action::End) => rules.end_reorganizing(state, points, play),
        (Procedure::Reinforcement { side }, Action::End) => {
            state.stack.pop();
            state.stack.push(match side {
                Side::Soviet => Procedure::Reinforcement { side: Side::Axis },
                Side::Axis => Procedure::Ops,
            });
        }
        (Procedure::Surprise { .. }, Action::End) => rules.end_surprise(state, play),
        (Procedure::Activation { hq, .. }, Action::End) => {
            state.stack.pop();
            play.tell(Event::ActivationEnded { hq });
        }
        _ => debug_assert!(false, "{action:?} at {top:?}"),
    }
    go_on(rules, state, play);
}

/// Carries on until somebody must decide or the game is over.
fn go_on(rules: &Bug, state: &mut State, play: &mut Play<Event>) {
    while let Some(&top) = state.stack.last() {
        let asks = match top {
            Procedure::Recovery { side, next } => rules.go_on_recovering(state, side, next, play),
            Procedure::Interdiction => {
                rules.roll(state, Side::Axis, "interdiction", case("8.1.2a"), play);
                false
            }
            Procedure::Attrition { next } => {
                rules.go_on_attrition(state, next, play);
                false
            }
            Procedure::Reorganizing { points: 0, .. } => {
                state.stack.pop();
                false
            }
            Procedure::Surprise { left, used } => rules.go_on_surprise(state, left, used, play),
            Procedure::Ops => {
                rules.go_on_ops(state, play);
                false
            }
            Procedure::Points { hq, .. } => {
                rules.roll(state, rules.side(hq), "action points", case("6.3.1a"), play);
                false
            }
            Procedure::Activation { hq, ap: 0, .. } => {
                state.stack.pop();
                play.tell(Event::ActivationEnded { hq });
                false
            }
            Procedure::Trying { units, .. } => rules.go_on_trying(state, units),
            Procedure::Moving { .. } => rules.go_on_moving(state, play),
            Procedure::Checks { units, .. } => {
                rules.go_on_checking(state, units, play);
                false
            }
            Procedure::Hits { side, blow, left } => rules.go_on_hits(state, side, blow, left, play),
            Procedure::Retreat { units, from, steps, forced } => {
                rules.go_on_retreat(state, units, from, steps, forced, play)
            }
            Procedure::Displaced { hq } => rules.go_on_displaced(state, hq, play),
            Procedure::Bonus { .. } => rules.go_on_bonus(state),
            Procedure::Ending => {
                if rules.look_at_stacks(state, play) {
                    state.stack.pop();
                }
                false
            }
            Procedure::Overstacked { hex, .. } => rules.go_on_overstacked(state, hex),
            Procedure::Crushed { hex } => {
                let over = rules.is_overstacked(state, hex);
                if !over {
                    rules.end_overstacking(state, hex);
                }
                over
            }
            Procedure::Crowded { hex } => {
                let crowded = rules.hqs_in(state, hex).len() > rules.hq_limit(hex);
                if !crowded {
                    state.stack.pop();
                }
                crowded
            }
            _ => true,
        };
        if asks {
            return;
        }
    }
}
