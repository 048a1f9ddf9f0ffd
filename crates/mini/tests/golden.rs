//! Whole games of each scenario, as committed text.

use std::path::Path;

use engine::golden;
use engine::shelf::{AnyRulebook, Shelved};
use mini::Mini;

const BOOK: Shelved<Mini> = Shelved::new();

#[test]
fn golden_playthroughs() {
    let data = BOOK.embedded();
    for (scenario, _) in BOOK.scenarios(&data).unwrap() {
        let story = golden::playthrough(&BOOK, &data, &scenario, "golden").unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{scenario}.record"));
        golden::compare(&path, &story).unwrap();
    }
}
