//! Situations with a word changed: what loads can be played, what does not is refused with a reason.

use barbarossa::Barbarossa;
use engine::suite;

#[test]
fn garbled_situations_are_refused_or_played() {
    let (loaded, refused) = suite::garbled::<Barbarossa>("smolensk", 1).unwrap();
    assert!(loaded > 20 && refused > 20, "{loaded} loaded, {refused} refused");
}
