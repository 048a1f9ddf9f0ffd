//! Opponents see what their side sees: when hidden things are dealt anew, the same seed gives the same decision.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::sync::Arc;

use engine::{Asked, Dice, Play, Seed, Side, Viewer, game, situation};
use staff::commander::Staff;
use staff::{Budget, Commander, Doctrine, Level, Signals};

/// Plays a game with officers and, every so often, asks each level what it would do in the position as it is and with all
/// that its side cannot see dealt anew. Returns how often something was hidden.
fn deals_change_nothing<D: Doctrine>(scenario: &str, seed: &str, every: usize) -> usize {
    let data = D::embedded();
    let source = game::scenario_source::<D>(scenario, &data).unwrap();
    let opened = situation::open::<D>(source, &data, Default::default()).unwrap();
    let rules = Arc::new(opened.rules);
    let staff = Arc::new(Staff::new(rules.clone(), &opened.state, &data).unwrap());
    let commander = |side: Side, level: Level| {
        Commander::new(staff.clone(), side, level, Budget::nodes(6), &Seed(seed.to_owned()))
    };
    let mut officers = [commander(Side::Axis, Level::Officer), commander(Side::Soviet, Level::Officer)];
    let signals = Signals::default();
    let mut state = opened.state.clone();
    let mut play = Play::new(Dice::seeded(&Seed(seed.to_owned())));
    let mut dealer = Dice::seeded(&Seed(format!("{seed} deals")));
    let mut hidden = 0;
    for decision in 0.. {
        let Asked::Decision { side, .. } = rules.asked(&state) else { break };
        if decision % every == 0 {
            let other = rules.imagine(&state, side, &mut dealer);
            assert_eq!(
                rules.view(&state, Viewer::Side(side)),
                rules.view(&other, Viewer::Side(side)),
                "a deal looks the same"
            );
            hidden += usize::from(other != state);
            for level in [Level::Recruit, Level::Officer, Level::General] {
                let decide = |state: &D::State| commander(side, level).decide(state, decision, &signals);
                assert_eq!(decide(&state), decide(&other), "{level} as {side}, decision {decision}");
            }
        }
        let answer = officers[usize::from(side == Side::Soviet)].decide(&state, decision, &signals).unwrap();
        play.clear();
        rules.apply(&mut state, answer, &mut play);
    }
    hidden
}

#[test]
fn dagc_decides_by_what_it_sees() {
    let hidden = deals_change_nothing::<dagc::Dagc>("historical", "honest", 23);
    assert!(hidden > 5, "something was hidden in {hidden} positions only");
}

#[test]
fn bug_decides_by_what_it_sees() {
    let hidden = deals_change_nothing::<bug::Bug>("bridges", "honest", 41)
        + deals_change_nothing::<bug::Bug>("ustyluh", "honest", 23);
    assert!(hidden > 5, "something was hidden in {hidden} positions only");
}

#[test]
fn barbarossa_decides_by_what_it_sees() {
    let hidden = deals_change_nothing::<barbarossa::Barbarossa>("smolensk", "honest", 41);
    assert!(hidden > 2, "something was hidden in {hidden} positions only");
}
