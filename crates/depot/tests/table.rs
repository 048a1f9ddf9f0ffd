//! What is said at the table besides the rules, and what is drawn: concessions and draws in records, phases, faces.

use depot::Depot;
use engine::display::Phase;
use engine::{Asked, Data, Drawing, Game, Lexicon, Record, Rulebook, Seed, Setup, Side, record};
use source::Source;

fn railhead() -> (Data, Game<Depot>) {
    let data = Depot::embedded();
    let game = Game::scenario("railhead", &data, Default::default(), Seed("table".into()));
    let game = game.unwrap_or_else(|faults| panic!("{faults}"));
    (data, game)
}

fn play(game: &mut Game<Depot>, lines: &[&str]) {
    for line in lines {
        let read = game.parse_line(line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        game.act_all(&read).unwrap_or_else(|refused| panic!("{line}: {refused:?}"));
    }
}

/// The record of a game, played again from its text, ends in the same way.
fn ends_alike(data: &Data, game: &Game<Depot>) -> Option<Side> {
    let text = record::write(game, true);
    let read =
        Record::parse(&Source::new("record", text.clone())).unwrap_or_else(|faults| panic!("{faults}"));
    let (again, _) = read.verify::<Depot>(data).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    let (Asked::Over(outcome), Asked::Over(other)) = (game.asked(), again.asked()) else {
        panic!("it is not over:\n{text}")
    };
    assert_eq!(outcome, other);
    outcome.winner
}

#[test]
fn a_concession_stands_in_the_record() {
    let (data, mut game) = railhead();
    play(&mut game, &["first", "move panzers-3 0304", "soviet: concede"]);
    assert_eq!(ends_alike(&data, &game), Some(Side::Axis));
}

#[test]
fn a_draw_stands_in_the_record() {
    let (data, mut game) = railhead();
    play(&mut game, &["first", "axis: offer-draw", "soviet: decline-draw", "end"]);
    play(&mut game, &["axis: offer-draw", "soviet: accept-draw"]);
    assert_eq!(ends_alike(&data, &game), None);
}

/// A dump blown up in the middle of the other side's move stands in the record, with its die.
#[test]
fn an_interjection_stands_in_the_record() {
    let (data, mut game) = railhead();
    play(&mut game, &["first", "move panzers-3 0503", "soviet: blow 0502", "halt", "soviet: concede"]);
    assert!(game.moves().iter().any(|step| step.unasked && !step.rolls.is_empty()));
    assert_eq!(ends_alike(&data, &game), Some(Side::Axis));
}

#[test]
fn phases_depend_on_who_goes_first() {
    let sides = |phases: Vec<Phase>| -> Vec<Option<Side>> { phases.iter().map(|phase| phase.side).collect() };
    let (_, mut game) = railhead();
    assert_eq!(sides(game.rules.phases(game.state())), [None]);
    assert_eq!(game.rules.phase(game.state()), Some(0));
    play(&mut game, &["second"]);
    let (first, second) = (Some(Side::Soviet), Some(Side::Axis));
    assert_eq!(sides(game.rules.phases(game.state())), [None, first, first, second, second]);
    play(&mut game, &["end", "end"]);
    assert_eq!(game.rules.phase(game.state()), Some(3));
}

#[test]
fn a_counter_shows_the_face_that_lies_up() {
    let (_, mut game) = railhead();
    let unit = game.rules.roster().find("grenadiers-1").unwrap();
    let faces = |game: &Game<Depot>| {
        let counter = game.rules.counter(game.state(), unit);
        (counter.front, counter.back)
    };
    assert_eq!(faces(&game), ("3-4-3".into(), Some("0-2-7".into())));
    play(&mut game, &["first", "turn grenadiers-1"]);
    assert_eq!(faces(&game), ("0-2-7".into(), Some("3-4-3".into())));
}
