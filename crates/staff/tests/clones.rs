//! A copy of an opponent goes on as the original would: a search, or an environment that branches, needs that.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::sync::Arc;

use engine::{Asked, Dice, Play, Seed, Side, game, situation};
use staff::commander::Staff;
use staff::{Budget, Commander, Doctrine, Level, Signals};

/// Plays a game between two opponents of a level, copies everything in the middle, dice and all, and plays both to the end.
/// Whether the copies with other luck did the same.
fn a_branch_goes_on<D: Doctrine>(scenario: &str, level: Level) -> bool {
    let data = D::embedded();
    let source = game::scenario_source::<D>(scenario, &data).unwrap();
    let opened = situation::open::<D>(source, &data, Default::default()).unwrap();
    let rules = Arc::new(opened.rules);
    let staff = Arc::new(Staff::new(rules.clone(), &opened.state, &data).unwrap());
    let seat =
        |side: Side| Commander::new(staff.clone(), side, level, Budget::nodes(4), &Seed("x".to_owned()));
    let signals = Signals::default();
    let go_on = |state: &mut D::State,
                 seats: &mut [Commander<D>; 2],
                 play: &mut Play<D::Event>,
                 decisions: std::ops::Range<usize>| {
        let mut done = Vec::new();
        for decision in decisions {
            let Asked::Decision { side, .. } = rules.asked(state) else { break };
            let answer = seats[usize::from(side == Side::Soviet)].decide(state, decision, &signals).unwrap();
            done.push(answer);
            play.clear();
            rules.apply(state, answer, play);
        }
        done
    };
    let mut state = opened.state.clone();
    let mut seats = [seat(Side::Axis), seat(Side::Soviet)];
    let mut play = Play::new(Dice::seeded(&Seed("dice".to_owned())));
    go_on(&mut state, &mut seats, &mut play, 0..37);
    let (mut other, mut copies, mut dice) = (state.clone(), seats.clone(), play.clone());
    let (mut third, mut lucky, mut more_dice) = (state.clone(), seats.clone(), play.clone());
    lucky.iter_mut().for_each(|seat| seat.reseed(&Seed("y".to_owned())));
    let gone_on = go_on(&mut state, &mut seats, &mut play, 37..120);
    assert!(!gone_on.is_empty());
    assert!(gone_on == go_on(&mut other, &mut copies, &mut dice, 37..120), "the copies went another way");
    assert!(state == other && copies[0].why() == seats[0].why());
    gone_on == go_on(&mut third, &mut lucky, &mut more_dice, 37..120)
}

#[test]
fn copies_of_opponents_go_on_as_the_originals() {
    for level in [Level::Random, Level::Recruit, Level::Officer, Level::General] {
        a_branch_goes_on::<dagc::Dagc>("vitebsk", level);
    }
    a_branch_goes_on::<bug::Bug>("bridges", Level::Officer);
}

#[test]
fn luck_is_given_by_whoever_seats_them() {
    assert!(!a_branch_goes_on::<dagc::Dagc>("vitebsk", Level::Random), "other luck made no difference");
}
