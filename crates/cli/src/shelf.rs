//! The rulebooks that this program knows.

use engine::shelf::AnyRulebook;

/// All of them, in the order in which they are listed.
pub(crate) fn shelf() -> [&'static dyn AnyRulebook; 5] {
    [dagc::shelved(), bug::shelved(), bite::shelved(), barbarossa::shelved(), mini::shelved()]
}
