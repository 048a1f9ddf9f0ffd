//! A game can be saved, loaded, taken back and searched in the middle of a reaction inside a move inside an activation.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::collections::BTreeSet;

use bug::{Action, Bug};
use engine::selfplay::random_game;
use engine::{Data, Dice, Game, Options, Record, Seed, Setup, Viewer, odds, record};
use source::Source;

/// The names of the procedures under way, outermost first, with `reaction` for an activation that is one.
fn under_way(game: &Game<Bug>) -> Vec<String> {
    let text = game.to_situation();
    let stack = text.split_once("stack = [").unwrap().1.split_once(']').unwrap().0;
    let lines = stack.split(',').map(|line| line.trim().trim_matches('"')).filter(|line| !line.is_empty());
    let name = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["activation", .., "yes"] => "reaction".to_owned(),
            [first, ..] => first.to_owned(),
            [] => String::new(),
        }
    };
    // Names of several units hold commas: only what begins with a procedure's name counts.
    lines.filter(|line| line.chars().next().is_some_and(char::is_lowercase)).map(name).collect()
}

/// Plays at random and hands every position in the middle of a reaction, or of the question whether to react, to `look`.
fn in_the_middle(data: &Data, scenario: &str, games: u32, mut look: impl FnMut(&Game<Bug>, &[String])) {
    for i in 0..games {
        let mut chooser = Dice::seeded(&Seed(format!("chooses {i}")));
        let mut game =
            Game::<Bug>::scenario(scenario, data, Options::default(), Seed(format!("middle {i}"))).unwrap();
        loop {
            let answers = game.answers();
            if answers.is_empty() {
                break;
            }
            let stack = under_way(&game);
            if stack.iter().any(|name| name == "reaction" || name == "window" || name == "reacting") {
                look(&game, &stack);
            }
            let eager = answers.iter().find(|action| matches!(action, Action::React { .. }));
            let pick = answers[chooser.roll(answers.len() as u32) as usize - 1];
            game.act(*eager.unwrap_or(&pick)).unwrap();
        }
    }
}

#[test]
fn saving_and_loading() {
    let data = Bug::embedded();
    let mut seen = BTreeSet::new();
    in_the_middle(&data, "bridges", 12, |game, stack| {
        seen.insert(stack.join(" "));
        let saved = game.to_situation();
        let loaded = Game::<Bug>::situation(&Source::new("saved", saved.clone()), &data, None).unwrap();
        assert_eq!(loaded.state(), game.state());
        assert_eq!(loaded.answers(), game.answers());
        assert_eq!(loaded.to_situation(), saved);
    });
    for wanted in [
        "moving window",       // a question in the middle of a move
        "reacting luck",       // a second roll in the middle of that
        "activation reaction", // a reaction inside an activation
        "reaction moving",     // a move inside the reaction
        "reaction battle",     // a combat inside the reaction
    ] {
        assert!(seen.iter().any(|stack| stack.contains(wanted)), "no `{wanted}` among {seen:#?}");
    }
}

#[test]
fn records_break_off_and_go_on_anywhere() {
    let data = Bug::embedded();
    let mut looked = 0;
    in_the_middle(&data, "ustyluh", 20, |game, _| {
        looked += 1;
        let text = record::write(game, true);
        let replayed = Record::parse(&Source::new("record", text)).unwrap().replay::<Bug>(&data).unwrap();
        assert_eq!(replayed.state(), game.state());
    });
    assert!(looked > 50, "{looked}");
}

#[test]
fn taking_back_inside_a_reaction() {
    let data = Bug::embedded();
    let mut taken_back = 0;
    in_the_middle(&data, "ustyluh", 8, |game, _| {
        // Every answer without a die or a reveal can be taken back to exactly this position.
        for action in game.answers() {
            let text = record::write(game, true);
            let mut copy = Record::parse(&Source::new("record", text)).unwrap().replay::<Bug>(&data).unwrap();
            copy.act(action).unwrap();
            if copy.undo(None).is_ok() {
                taken_back += 1;
                assert_eq!(copy.state(), game.state());
            }
            if taken_back % 7 == 6 {
                break;
            }
        }
    });
    assert!(taken_back > 20, "{taken_back}");
}

#[test]
fn searching_from_inside_a_reaction() {
    let data = Bug::embedded();
    let mut searched = 0;
    let mut weighed = 0;
    in_the_middle(&data, "ustyluh", 20, |game, _| {
        searched += 1;
        random_game(&*game.rules, game.state(), &Seed(format!("search {searched}"))).unwrap();
        if game.answers().contains(&Action::Fight) {
            let found = odds(&*game.rules, game.state(), &[Action::Fight], Viewer::Referee).unwrap();
            let sum: f64 = found.ways.iter().map(|way| way.chance.as_f64()).sum();
            assert!((sum - 1.0).abs() < 1e-9);
            weighed += 1;
        }
    });
    assert!(searched > 50 && weighed > 0, "{searched} {weighed}");
}
