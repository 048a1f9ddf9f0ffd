//! An opponent decides the same whatever is hidden from it.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::sync::Arc;

use bug::Bug;
use engine::{Asked, Dice, Options, Play, Seed, Side, game, situation};
use staff::commander::Staff;
use staff::{Budget, Commander, Doctrine, Level, Signals, Weights};

/// Plays a game between recruits, and at every n-th decision asks each level twice: in the true state and in one that differs
/// only in what the side cannot see.
fn decides_alike<D: Doctrine>(scenario: &str, every: usize) -> usize {
    let data = D::embedded();
    let source = game::scenario_source::<D>(scenario, &data).unwrap();
    let opened = situation::open::<D>(source, &data, Options::default()).unwrap();
    let rules = Arc::new(opened.rules);
    let mut state = opened.state;
    let staff = Arc::new(Staff::new(rules.clone(), &state, <D::Weights as Weights>::initial()));
    let seed = Seed("honest".to_owned());
    let commander =
        |side: Side, level: Level| Commander::new(staff.clone(), side, level, Budget::nodes(6), &seed);
    let mut play = Play::new(Dice::seeded(&seed));
    let mut dealer = Dice::seeded(&Seed("dealer".to_owned()));
    let signals = Signals::default();
    let mut compared = 0;
    for decision in 0..rules.longest_game() {
        let Asked::Decision { side, .. } = rules.asked(&state) else { break };
        let other = rules.imagine(&state, side, &mut dealer);
        if decision % every == 0 && other != state {
            for level in [Level::Recruit, Level::Officer, Level::General] {
                let answer = commander(side, level).decide(&state, decision, &signals);
                let same = commander(side, level).decide(&other, decision, &signals);
                assert_eq!(answer, same, "{level} at decision {decision} of {scenario}");
            }
            compared += 1;
        }
        let answer = commander(side, Level::Recruit).decide(&state, decision, &signals).unwrap();
        play.clear();
        rules.apply(&mut state, answer, &mut play);
    }
    compared
}

#[test]
fn bridges() {
    assert!(decides_alike::<Bug>("bridges", 7) > 10);
}

#[test]
fn ustyluh() {
    decides_alike::<Bug>("ustyluh", 3);
}
