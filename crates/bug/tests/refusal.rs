//! What refusals, ways and threats tell.

use engine::Viewer;
use source::Source;

#[test]
fn a_refusal_for_want_of_points_itemises_the_way() {
    let text = "rulebook = 'bug'\nturn = 2\nstack = ['ops', 'activation 298ID 7 0 no']\n\
                [units]\n298ID = '0101'\nI-525 = '0101'\n\
                [map]\ngrid = 'v . f f . .'\n[map.side]\nstream = '0401/0501'\n[map.link]\nroad = '0101-0201'";
    let book = bug::shelved();
    let mut game = book.open(&book.embedded(), &Source::new("way", text), None).unwrap();
    game.act("move I-525", Viewer::Referee).unwrap();
    let refusal = game.act("go 0601", Viewer::Referee).unwrap_err();
    assert_eq!(refusal.case, Some("7.3.2a"));
    let told = "0601 needs 8 MP and the stack has 6: road 1 (7.3.3a), terrain 6 (7.3b), stream 1 (7.3.7a)";
    assert_eq!(refusal.why.to_string(), told);
}

#[test]
fn a_way_tells_what_there_is_to_spend() {
    let text = "rulebook = 'bug'\nturn = 2\nstack = ['ops', 'activation 298ID 7 0 no']\n\
                [units]\n298ID = '0101'\nI-525 = '0101'\n87RD = '0901'\n1-16 = '0701 disrupted'\n\
                [map]\ngrid = 'v . . . . . . . v'";
    let book = bug::shelved();
    let mut game = book.open(&book.embedded(), &Source::new("way", text), None).unwrap();
    game.act("move I-525", Viewer::Referee).unwrap();
    let position = game.position();
    let of = |hex: &str| position.route(&format!("go {hex}")).unwrap().map(|way| (way.cost, way.has));
    // Away from the enemy there are two more (7.3.5a).
    assert_eq!(of("0201"), Some(("1".to_owned(), "6".to_owned())));
    assert_eq!(of("0501"), Some(("4".to_owned(), "6".to_owned())));
}

#[test]
fn a_threat_across_the_bug_is_that_of_the_infantry() {
    let text = "rulebook = 'bug'\nturn = 2\nluck = 'soviet'\nstack = ['ops', 'activation 87RD 5 0 no']\n\
                [units]\n298ID = '0101'\n87RD = '0501'\nI-525 = '0201'\nPzJg-298 = '0201'\n1-16 = '0301'\n\
                [map]\ngrid = 'v . . . v'\n[map.side]\nriver = '0201/0301'";
    let book = bug::shelved();
    let game = book.open(&book.embedded(), &Source::new("threat", text), None).unwrap();
    // The anti-tank guns cannot attack without a bridge (7.5.1c).
    assert!(game.threat("0301", Viewer::Referee).is_ok());
}
