//! Small decisions that are answered the same way at every level.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::sync::Arc;

use engine::{Phrase, Seed, Side, situation};
use source::Source;
use staff::commander::Staff;
use staff::{Budget, Commander, Doctrine, Level, Signals};

/// What every level but random answers in a situation.
fn answers<D: Doctrine>(side: Side, text: &str) -> Vec<String> {
    let data = D::embedded();
    let opened = situation::open::<D>(&Source::new("situation", text), &data, Default::default()).unwrap();
    let rules = Arc::new(opened.rules);
    let staff = Arc::new(Staff::new(rules.clone(), &opened.state, &data).unwrap());
    [Level::Recruit, Level::Officer, Level::General]
        .into_iter()
        .map(|level| {
            let seed = Seed("small".to_owned());
            let mut commander = Commander::new(staff.clone(), side, level, Budget::nodes(2), &seed);
            let answer = commander.decide(&opened.state, 0, &Signals::default()).unwrap();
            answer.notation(&*rules)
        })
        .collect()
}

const CUT_OFF: &str = r#"
rulebook = "bug"
turn = 3
luck = "soviet"
stack = ["assignment axis"]

[units]
298ID = "away support=0 level=0"
44ID = "0201"
299ID = "0401"
I-525 = "0403"

[map]
grid = """
v v v v . . . .
 . . . . . . . .
. . . . . . . .
 . . . . . . . .
"""
[map.area]
"German Supply Area (west)" = "0101..0104"
"Eastern Soviet Supply Area" = "0801..0804"
"#;

#[test]
fn who_is_cut_off_is_led_by_the_nearest_hq() {
    assert_eq!(answers::<bug::Bug>(Side::Axis, CUT_OFF), ["assign I-525 299ID"; 3]);
}

#[test]
fn who_is_in_command_stays_with_his_hq() {
    let led = CUT_OFF.replace(r#""away support=0 level=0""#, r#""0301""#);
    assert_eq!(answers::<bug::Bug>(Side::Axis, &led), ["end"; 3]);
}
