//! Which mutant is alive, and which ones a test reaches.

use std::cell::{Cell, RefCell};

/// No mutant: the rules as they are. Mutants are counted from 1.
pub(crate) const NONE: u32 = 0;

/// No mutant, but every one that is reached is noted.
pub(crate) const WATCH: u32 = u32::MAX;

thread_local! {
    static ALIVE: Cell<u32> = const { Cell::new(NONE) };
    static REACHED: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) };
}

/// Whether this mutant is alive. The mutated copy asks it at every place that it could change.
#[inline]
pub fn on(mutant: u32) -> bool {
    let alive = ALIVE.get();
    if alive == WATCH {
        note(mutant);
    }
    alive == mutant
}

fn note(mutant: u32) {
    REACHED.with_borrow_mut(|reached| {
        let mutant = mutant as usize;
        if reached.len() <= mutant {
            reached.resize(mutant + 1, false);
        }
        reached[mutant] = true;
    });
}

/// Brings one mutant to life; the others are dead.
pub(crate) fn set(mutant: u32) {
    ALIVE.set(mutant);
}

/// The mutants reached since this was last asked.
pub(crate) fn reached() -> Vec<u32> {
    let reached = REACHED.take();
    (0u32..).zip(reached).filter(|(_, reached)| *reached).map(|(mutant, _)| mutant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mutant_at_a_time_and_watching_changes_nothing() {
        set(7);
        assert!(on(7) && !on(8));
        set(WATCH);
        assert!(!on(7) && !on(3));
        assert_eq!(reached(), [3, 7]);
        assert!(reached().is_empty());
        set(NONE);
        assert!(!on(7));
    }
}
