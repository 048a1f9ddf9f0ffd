//! What a refusal tells.

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
    let told = "0601 needs 8 MP and the stack has 4: road 1 (7.3.3a), terrain 6 (7.3b), stream 1 (7.3.7a)";
    assert_eq!(refusal.why.to_string(), told);
}
