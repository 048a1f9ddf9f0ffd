//! Supply as a proof, and what the enemy could do to a hex.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, outside a test function")]

use engine::shelf::{AnyGame, Explanation};
use engine::{Dice, Seed, Side, Viewer};
use source::Source;

/// A position on a row of hexes, 0101 to 0801, German source in the west, Soviet source in the east.
fn row(turn: u8, grid: &str, units: &str, features: &str) -> Box<dyn AnyGame> {
    row_of("axis", turn, grid, units, features)
}

/// The same in a side's movement phase.
fn row_of(side: &str, turn: u8, grid: &str, units: &str, features: &str) -> Box<dyn AnyGame> {
    let text = format!(
        "rulebook = 'dagc'\nturn = {turn}\nstack = ['movement {side}']\n[units]\n{units}\n[map]\ngrid = '''\n{grid}\n'''\n\
         [map.area]\n'German supply' = '0101'\n'Soviet supply' = '0801'\n{features}"
    );
    let book = dagc::shelved();
    book.open(&book.embedded(), &Source::new("row", text), None).unwrap_or_else(|faults| panic!("{faults}"))
}

fn supply(game: &dyn AnyGame, unit: &str) -> Explanation {
    game.explain(unit, Viewer::Referee).unwrap().remove(0)
}

#[test]
fn a_line_is_shown_hex_by_hex() {
    let game = row(3, ". . . . . . . .", "ger-27 = '0401'\nsov-31 = '0801'", "");
    let proof = supply(&*game, "ger-27");
    assert!(proof.holds);
    assert_eq!(proof.path, ["0401", "0301", "0201", "0101"]);
    assert_eq!(proof.because[0].0, "7.2a");
}

#[test]
fn what_bars_a_line_is_named() {
    let bar = |turn: u8, grid: &str, units: &str, features: &str, unit: &str| {
        let proof = supply(&*row(turn, grid, units, features), unit);
        assert!(!proof.holds);
        (proof.because[0].0, proof.because[0].1.to_string())
    };
    let clear = ". . . . . . . .";
    let (case, why) = bar(3, clear, "ger-27 = '0501'\nsov-31 = '0301'", "", "ger-27");
    assert_eq!((case, why.as_str()), ("7.2c", "0401 lies in an enemy zone of control"));
    let (case, why) = bar(3, clear, "ger-27 = '0401'\nsov-31 = '0301'", "", "ger-27");
    assert_eq!((case, why.as_str()), ("7.2b", "an enemy unit is in 0301"));
    let borders = "[map.side]\nborder = '0101/0201 0201/0301 0301/0401'";
    assert_eq!(bar(3, clear, "ger-27 = '0401'\nsov-31 = '0801'", borders, "ger-27").0, "7.8");
    assert_eq!(bar(6, clear, "sov-31 = '0701'\nger-27 = '0101'", "", "sov-31").0, "7.12a");
    assert_eq!(bar(3, ". . . . . . w .", "sov-31 = '0601'\nger-27 = '0101'", "", "sov-31").0, "7.11a");
    assert_eq!(bar(3, ". ~ . . . . . .", "ger-27 = '0401'\nsov-31 = '0801'", "", "ger-27").0, "7.2a");
    let below = ". . . . . . . .\n . - - - - - . -";
    let silent = "ger-27 = '0301'\nger-9 = '0201'\nsov-31 = '0102'";
    assert_eq!(bar(3, below, silent, "", "ger-27").0, "7.7c");
    let silent = "sov-31 = '0601'\nsov-33 = '0701'\nger-27 = '0702'";
    assert_eq!(bar(3, below, silent, "", "sov-31").0, "7.10b");
}

#[test]
fn a_port_is_named_with_its_line() {
    let units = "ger-27 = '0501'\nsov-31 = '0201'";
    let game = row(3, ". . . . . . . .", units, "[map.hex]\nport = '0701'\ntown = '0701'");
    let proof = supply(&*game, "ger-27");
    assert!(proof.holds);
    assert_eq!((proof.because[0].0, proof.path), ("7.9a", vec!["0501".into(), "0601".into(), "0701".into()]));
}

#[test]
fn a_line_that_is_cut_counts_before_one_that_crosses_too_many_borders() {
    // The straight way to the source in 0101 crosses three borders; the way round crosses none and runs through a zone.
    let grid = ". . . . . . . .\n . . . . . . . .\n. . . . . . . .";
    let borders = "[map.side]\nborder = '0101/0201 0201/0301 0301/0401 0201/0102 0201/0202 0301/0202 0301/0302 0401/0302'";
    let proof =
        supply(&*row(3, grid, "ger-27 = '0401'\nsov-31 = '0103'\nsov-33 = '0203'", borders), "ger-27");
    assert!(!proof.holds);
    assert_eq!(proof.because[0].0, "7.2c");
}

#[test]
fn why_no_port_helps_is_told() {
    let port = |units: &str| {
        let features = "[map.hex]\nport = '0701'\ntown = '0701'";
        let proof = supply(&*row(3, ". . . . . . . .", units, features), "ger-27");
        assert!(!proof.holds);
        proof.because.last().unwrap().0
    };
    assert_eq!(port("ger-27 = '0501'\nsov-31 = '0201'\nsov-33 = '0801'"), "7.9k");
    assert_eq!(port("ger-27 = '0501'\nsov-31 = '0201'\nsov-33 = '0701'"), "7.9a");
    let proof = supply(&*row(3, ". . . . . . . .", "ger-27 = '0501'\nsov-31 = '0301'", ""), "ger-27");
    assert_eq!(proof.because.last().unwrap().0, "7.9d");
}

#[test]
fn a_refusal_for_want_of_points_itemises_the_way() {
    let mut game = row(3, ". f f f f . . .", "ger-27 = '0101'\nsov-31 = '0801'", "");
    game.act("move ger-27", Viewer::Referee).unwrap();
    let refusal = game.act("go 0601", Viewer::Referee).unwrap_err();
    assert_eq!(refusal.case, Some("9.3"));
    let told = "ger-27 needs 9 MP to reach 0601 and has 7: forest 8 (9.5a), clear ground 1 (9.5a)";
    assert_eq!(refusal.why.to_string(), told);
    // Clear ground costs a cav-mech group no less than others, so it is told by the case of all.
    let mut game = row_of("soviet", 3, ". f m f m f . .", "sov-O = '0801'\nger-27 = '0101'", "");
    for action in ["move sov-O", "go 0701", "go 0801"] {
        game.act(action, Viewer::Referee).unwrap();
    }
    let why = game.act("go 0201", Viewer::Referee).unwrap_err().why.to_string();
    assert!(why.contains("needs 7 MP to reach 0201 and has 5"), "{why}");
    assert!(why.contains("clear ground 1 (9.5a)") && why.contains("forest 3 (12.3a)"), "{why}");
}

#[test]
fn nobody_is_told_of_units_that_he_cannot_see() {
    let units = "sov-11G = '0501'\nsov-5 = '0501 beneath'\nger-27 = '0401'";
    let game = row(3, ". . . . . . . .", units, "");
    let german = Viewer::Side(Side::Axis);
    assert!(game.explain("sov-11G", german).is_ok());
    assert!(game.explain("sov-5", german).is_err());
    assert!(game.threat("0401", german).is_err(), "the threat would tell what lies beneath");
    let threat = game.threat("0401", Viewer::Side(Side::Soviet)).unwrap();
    let sum: f64 = threat.ways.iter().map(|way| way.p).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    assert!(threat.account.iter().any(|event| event.text.to_string() == "9 against 4: 5"));
}

/// In whole random games every unit that is supplied has a line to show, and every other has a reason.
#[test]
fn every_proof_has_its_line_or_its_reason() {
    for n in 0..4 {
        let seed = Seed(format!("proof-{n}"));
        let book = dagc::shelved();
        let mut game = book.start(&book.embedded(), "historical", &[], seed.clone()).unwrap();
        let mut chooser = Dice::seeded(&Seed(format!("{seed} chooses")));
        for step in 0.. {
            let answers = game.actions();
            if answers.is_empty() {
                break;
            }
            if step % 97 == 0 {
                every_unit_is_explained(&*game);
            }
            let action = answers[chooser.roll(answers.len() as u32) as usize - 1].action.clone();
            game.act(&action, Viewer::Referee).unwrap();
        }
    }
}

fn every_unit_is_explained(game: &dyn AnyGame) {
    let view = game.view(Viewer::Referee);
    for front in view.stacks.iter().flat_map(|stack| &stack.pieces).filter_map(|piece| piece.front.as_ref()) {
        let proof = supply(game, &front.unit);
        assert!(!proof.because.is_empty(), "{}: {proof:?}", front.unit);
        assert!(!proof.holds || !proof.path.is_empty(), "{}: {proof:?}", front.unit);
        for pair in proof.path.windows(2) {
            let hex = |label: &String| game.map().hex(label).unwrap();
            assert!(game.map().grid().adjacent(hex(&pair[0]), hex(&pair[1])), "{proof:?}");
        }
    }
}
