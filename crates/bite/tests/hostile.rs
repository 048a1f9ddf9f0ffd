//! Situations with a word changed: what loads can be played, what does not is refused with a reason.

use bite::Bite;
use engine::suite;

#[test]
fn garbled_situations_are_refused_or_played() {
    let (loaded, refused) = suite::garbled::<Bite>("wolomin", 8).unwrap();
    assert!(loaded > 50 && refused > 50, "{loaded} loaded, {refused} refused");
}
