//! Situations with a word changed: what loads can be played, what does not is refused with a reason.

use depot::Depot;
use engine::suite;

#[test]
fn garbled_situations_are_refused_or_played() {
    let (loaded, refused) = suite::garbled::<Depot>("railhead", 100).unwrap();
    assert!(loaded > 300 && refused > 300, "{loaded} loaded, {refused} refused");
}
