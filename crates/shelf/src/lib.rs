//! The rulebooks that Grognard knows: one list for the program and for the Python package.

use engine::shelf::AnyRulebook;

/// All of them, in the order in which they are listed.
pub fn shelf() -> [&'static dyn AnyRulebook; 5] {
    [dagc::shelved(), bug::shelved(), bite::shelved(), barbarossa::shelved(), mini::shelved()]
}
