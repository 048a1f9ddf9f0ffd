//! Situations with a word changed: what loads can be played, what does not is refused with a reason.

use engine::suite;
use ocs::Ocs;

#[test]
fn garbled_situations_are_refused_or_played() {
    let (loaded, refused) = suite::garbled::<Ocs>("first-warrior", 40).unwrap();
    assert!(loaded > 50 && refused > 150, "{loaded} loaded, {refused} refused");
}
