//! 9: optional rules.

use engine::Rulebook;

use crate::Mini;

impl Mini {
    /// Rivers cost no movement points (9.1).
    pub(crate) fn fords(&self) -> bool {
        self.options.is_on(&Self::BOOK, "fords")
    }

    /// All stacks may be inspected (9.2).
    pub(crate) fn open_stacks(&self) -> bool {
        self.options.is_on(&Self::BOOK, "open-stacks")
    }
}
