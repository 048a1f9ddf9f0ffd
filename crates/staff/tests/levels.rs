//! Every level plays every scenario to its end, lawfully, the same way from the same seed.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use engine::{BySide, Data, Seed, Setup};
use staff::{AnySchool, Budget, Contest, Level, Report, SCHOOLS, Signals};

fn data_of(school: &dyn AnySchool) -> Data {
    match school.book().name {
        "dagc" => dagc::Dagc::embedded(),
        "bug" => bug::Bug::embedded(),
        "bite" => bite::Bite::embedded(),
        "barbarossa" => barbarossa::Barbarossa::embedded(),
        _ => mini::Mini::embedded(),
    }
}

fn play(school: &dyn AnySchool, scenario: &str, levels: BySide<Level>, seed: &str) -> Report {
    let arena = school.arena(&data_of(school), scenario, &[]).unwrap();
    let contest = Contest { levels, budget: Budget::nodes(4), combats: true };
    let mut report = arena.play(&contest, &Seed(seed.to_owned())).unwrap_or_else(|wrong| {
        panic!("{}/{scenario}, {} against {}: {wrong}", school.book().name, levels.axis, levels.soviet)
    });
    // Time is not part of the game.
    report.seconds = BySide { axis: 0.0, soviet: 0.0 };
    report.longest = report.seconds;
    report
}

fn for_every_scenario(check: impl Fn(&dyn AnySchool, &str)) {
    for school in SCHOOLS {
        let data = data_of(*school);
        for (scenario, _) in data.under("scenarios") {
            check(*school, scenario);
        }
    }
}

#[test]
fn every_level_finishes_every_scenario() {
    for_every_scenario(|school, scenario| {
        for level in school.levels() {
            let report = play(school, scenario, BySide { axis: *level, soviet: *level }, "finish");
            assert!(report.decisions > 0 && report.turns > 0);
            let first = report.by_turn[0].turn;
            let lines = report.turns - first + 2;
            assert_eq!(report.by_turn.len() as u32, lines, "{scenario}: a line for each turn and the end");
        }
    });
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for_every_scenario(|school, scenario| {
        let best = *school.levels().last().unwrap();
        let game = || play(school, scenario, BySide { axis: best, soviet: Level::Recruit }, "again");
        assert_eq!(game(), game(), "{}/{scenario}", school.book().name);
    });
}

#[test]
fn a_general_can_be_told_to_hurry() {
    let school = staff::school("dagc").unwrap();
    let data = data_of(school);
    let game = dagc::shelved().start(&data, "historical", &[], Seed("hurry".into())).unwrap();
    let position = game.position();
    let side = position.question().side.unwrap();
    // A budget that would take for ever: only the signal ends it.
    let budget = Budget { time: None, nodes: u32::MAX };
    let mut opponent =
        school.opponent(&*position, &data, side, Level::General, budget, &Seed("x".into())).unwrap();
    let signals = Signals::default();
    let answer = std::thread::scope(|scope| {
        let thinking = scope.spawn(|| opponent.choose(&*position, 0, &signals));
        signals.hurry();
        thinking.join().unwrap()
    });
    position.check(&answer.unwrap()).unwrap();
    assert!(!opponent.why().is_empty(), "a general says why");
}

#[test]
fn weights_round_trip_and_bad_ones_are_located() {
    let school = staff::school("dagc").unwrap();
    let mut data = data_of(school);
    let values = school.weights(&data).unwrap();
    let text = school.write_weights(&values, "as they were");
    data.add("staff.toml", source::Source::new("staff.toml", text.as_str()));
    for (read, written) in school.weights(&data).unwrap().iter().zip(&values) {
        assert!((read - written).abs() < 1e-3);
    }
    let broken = text.replacen("factor = ", "factr = ", 1);
    data.add("staff.toml", source::Source::new("staff.toml", broken.as_str()));
    let faults = school.weights(&data).unwrap_err().to_string();
    assert!(faults.contains("staff.toml") && faults.contains("factr"), "{faults}");
}

#[test]
fn generals_think_with_weights_of_their_own() {
    let school = staff::school("dagc").unwrap();
    let mut data = data_of(school);
    // A side that asks for the moon does not attack.
    let values = school.weights(&data).unwrap();
    let timid = school.weight_names().iter().zip(values).map(|(name, value)| match *name {
        "soviet.attack" => 1e6,
        _ => value,
    });
    let text = school.write_weights(&timid.collect::<Vec<f64>>(), "timid generals");
    data.add("general.toml", source::Source::new("general.toml", text.as_str()));
    let attacks = |soviet: Level| {
        let arena = school.arena(&data, "vitebsk", &[]).unwrap();
        let levels = BySide { axis: Level::Officer, soviet };
        let contest = Contest { levels, budget: Budget::nodes(1), combats: true };
        let report = arena.play(&contest, &Seed("timid".into())).unwrap();
        report.combats.iter().filter(|combat| combat.attacker == engine::Side::Soviet).count()
    };
    assert!(attacks(Level::Officer) > 0);
    assert_eq!(attacks(Level::General), 0);
    data.add("general.toml", source::Source::new("general.toml", "[axis]\n"));
    let faults = school.arena(&data, "vitebsk", &[]).map(drop).unwrap_err().to_string();
    assert!(faults.contains("general.toml"), "{faults}");
}
