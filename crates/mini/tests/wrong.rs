//! Tests of the tests: rules that are wrong must be found out by the battery and by rule tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

use std::sync::atomic::{AtomicU32, Ordering};

use board::{Hex, Map};
use engine::battery::{Battery, Thoroughness};
use engine::display::{Counter, Phase};
use engine::frame::Around;
use engine::mark::Mark;
use engine::observation::{Observation, Schema, Values};
use engine::shelf::{AnyRulebook, Shelved};
use engine::store::Placed;
use engine::{
    Book, BySide, Case, Data, Dice, Drawing, Frame, FrameStack, Front, Lexicon, Options, Outcome, Play,
    Remark, Roster, Rulebook, Setup, Side, Sight, Track, Types, Underway, UnitId, Viewer, Violation, case,
    trial,
};
use include_dir::Dir;
use mini::{Action, Event, Mini, Procedure, State};
use source::{Source, Table, Writer};

/// What is wrong with a variant of *The Ford*.
type Lie = u32;

/// Nothing: the variant plays as the original.
const NONE: Lie = 0;
/// Luck may be spent whenever somebody is asked.
const LISTS_TOO_MUCH: Lie = 1;
/// Whatever is asked may be answered with the end of the phase.
const ALLOWS_TOO_MUCH: Lie = 2;
/// Nobody may fire at a move, nor hold his fire.
const DEAD_END: Lie = 3;
/// Everybody sees everything.
const HIDES_NOTHING: Lie = 4;
/// Programs see everything.
const OBSERVES_ALL: Lie = 5;
/// A situation is written with something that nobody can read.
const CANNOT_BE_SAVED: Lie = 6;
/// Every other end of a phase rolls a die.
const NEVER_TWICE_THE_SAME: Lie = 7;
/// An event names a case that is not there.
const UNKNOWN_CASE: Lie = 8;
/// A game may take no more than three decisions.
const NEVER_ENDS: Lie = 9;
/// The Axis player imagines nothing: he knows how it is.
const ANSWERS_TELL: Lie = 10;
/// The prompt is for the other side.
const ASKS_THE_OTHER: Lie = 11;
/// A unit that is hidden is told of by its name.
const TELLS_NAMES: Lie = 12;

struct Wrong<const LIE: Lie>(Mini);

/// How often a phase was ended, by whichever variant counts it.
static ENDED: AtomicU32 = AtomicU32::new(0);

impl<const LIE: Lie> Lexicon for Wrong<LIE> {
    fn map(&self) -> &Map {
        self.0.map()
    }
    fn roster(&self) -> &Roster {
        self.0.roster()
    }
    fn sides(&self) -> BySide<&'static str> {
        self.0.sides()
    }
}

impl<const LIE: Lie> Frame<Wrong<LIE>> for Procedure {
    fn asked(&self, rules: &Wrong<LIE>, state: &State) -> (Side, Remark) {
        let (side, prompt) = Frame::<Mini>::asked(self, &rules.0, state);
        (if LIE == ASKS_THE_OTHER { side.enemy() } else { side }, prompt)
    }
    fn answers(&self, rules: &Wrong<LIE>, state: &State, answers: &mut Vec<Action>) {
        Frame::<Mini>::answers(self, &rules.0, state, answers);
        if LIE == LISTS_TOO_MUCH && !answers.contains(&Action::Reroll) {
            answers.push(Action::Reroll);
        }
        if LIE == DEAD_END && answers.contains(&Action::Hold) {
            answers.clear();
        }
    }
    fn check(&self, rules: &Wrong<LIE>, state: &State, action: Action) -> Result<(), Violation> {
        let checked = Frame::<Mini>::check(self, &rules.0, state, action);
        if LIE == ALLOWS_TOO_MUCH && action == Action::End { Ok(()) } else { checked }
    }
    fn apply(&self, rules: &Wrong<LIE>, state: &mut State, action: Action, play: &mut Play<Event>) {
        if LIE == NEVER_TWICE_THE_SAME
            && action == Action::End
            && ENDED.fetch_add(1, Ordering::Relaxed).is_multiple_of(2)
        {
            play.roll(Side::Axis, 6, "nothing", case("1.1"));
        }
        if LIE == TELLS_NAMES && action == Action::End {
            for unit in rules.roster().iter() {
                play.tell(Event::Eliminated { unit });
            }
        }
        Frame::<Mini>::apply(self, &rules.0, state, action, play);
    }
    fn go_on(&self, rules: &Wrong<LIE>, state: &mut State, play: &mut Play<Event>) -> bool {
        Frame::<Mini>::go_on(self, &rules.0, state, play)
    }
    fn is_sound(&self, rules: &Wrong<LIE>, state: &State, around: Around<'_, Procedure>) -> bool {
        Frame::<Mini>::is_sound(self, &rules.0, state, around)
    }
    fn phase(&self, rules: &Wrong<LIE>, state: &State) -> Option<Phase> {
        Frame::<Mini>::phase(self, &rules.0, state)
    }
}

impl<const LIE: Lie> Types for Wrong<LIE> {
    const BOOK: Book = Mini::BOOK;
    type State = State;
    type Action = Action;
    type Event = Event;
    const MARKS: &'static [Mark] = Mini::MARKS;
}

impl<const LIE: Lie> Setup for Wrong<LIE> {
    const FILES: &'static Dir<'static> = Mini::FILES;
    fn read(situation: &Table<'_>, data: &Data, options: Options) -> Option<(Self, State)> {
        Mini::read(situation, data, options).map(|(rules, state)| (Wrong(rules), state))
    }
    fn write(&self, state: &State, out: &mut Writer) {
        if LIE == CANNOT_BE_SAVED {
            out.field("colour", "grey");
        }
        self.0.write(state, out);
    }
    fn options(&self) -> Options {
        self.0.options()
    }
    fn audit(&self, state: &State) -> Result<(), String> {
        self.0.audit(state)
    }
    fn longest_game(&self) -> usize {
        if LIE == NEVER_ENDS { 3 } else { self.0.longest_game() }
    }
}

impl<const LIE: Lie> Sight for Wrong<LIE> {
    type Place = <Mini as Sight>::Place;
    fn place(&self, state: &State, unit: UnitId) -> Option<Self::Place> {
        self.0.place(state, unit)
    }
    fn owner(&self, state: &State, unit: UnitId) -> Side {
        self.0.owner(state, unit)
    }
    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        self.0.stack_in(state, hex)
    }
    fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        LIE == HIDES_NOTHING || Sight::is_seen(&self.0, state, unit)
    }
    fn front(&self, state: &State, unit: UnitId, viewer: Viewer) -> Front {
        self.0.front(state, unit, viewer)
    }
    fn turn(&self, state: &State) -> (u8, u8) {
        self.0.turn(state)
    }
    fn tracks(&self, state: &State) -> Vec<Track> {
        self.0.tracks(state)
    }
    const SCHEMA: Schema = Mini::SCHEMA;
    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        self.0.observe(state, side, out);
        if LIE == OBSERVES_ALL {
            // Where everybody is, whoever sees it.
            let hexes = self.roster().iter().filter_map(|unit| Some((unit, self.place(state, unit)?.hex()?)));
            let place = |hex: Hex| f32::from(hex.line()) * 16.0 + f32::from(hex.pos());
            let places = hexes.map(|(unit, hex)| (unit.index() + 1) as f32 * place(hex));
            out.globals[0] = places.sum();
        }
    }
    fn values(&self, state: &State, unit: UnitId, side: Side) -> Values {
        self.0.values(state, unit, side)
    }
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        self.0.imagine(state, if LIE == ANSWERS_TELL { side.enemy() } else { side }, dice)
    }
}

impl<const LIE: Lie> Drawing for Wrong<LIE> {
    fn counter(&self, state: &State, unit: UnitId) -> Counter {
        self.0.counter(state, unit)
    }
}

impl<const LIE: Lie> Underway for Wrong<LIE> {
    type Frame = Procedure;
    type Stack = FrameStack<Procedure, 6>;

    fn stack(state: &State) -> &Self::Stack {
        Mini::stack(state)
    }
    fn stack_mut(state: &mut State) -> &mut Self::Stack {
        Mini::stack_mut(state)
    }
}

impl<const LIE: Lie> Rulebook for Wrong<LIE> {
    fn outcome(&self, state: &State) -> Outcome {
        Rulebook::outcome(&self.0, state)
    }
    fn not_asked(&self, state: &State, action: Action) -> Violation {
        self.0.not_asked(state, action)
    }
    fn watch(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        self.0.watch(state, play)
    }
    fn case_of(&self, event: &Event) -> Case {
        if LIE == UNKNOWN_CASE { case("99.9") } else { self.0.case_of(event) }
    }
    fn phases(&self, state: &State) -> Vec<Phase> {
        self.0.phases(state)
    }
}

/// What the battery says of a variant.
fn found_out<const LIE: Lie>() -> Result<(), String> {
    let data = Mini::embedded();
    let thoroughness = Thoroughness { every: 1, strangers: 20 };
    for scenario in ["ford", "bridge"] {
        let mut battery = Battery::<Wrong<LIE>>::new(&data, scenario, thoroughness).unwrap();
        battery.run(10, "wrong").map_err(|failure| failure.what)?;
    }
    Ok(())
}

fn battery_says<const LIE: Lie>(expected: &str) {
    let said = found_out::<LIE>().expect_err("the battery has not found it out");
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_battery_passes_what_is_right() {
    found_out::<NONE>().unwrap();
}

#[test]
fn the_battery_finds_out_every_lie() {
    battery_says::<LISTS_TOO_MUCH>("listed, but refused");
    battery_says::<ALLOWS_TOO_MUCH>("allowed, but not listed");
    battery_says::<DEAD_END>("a dead end");
    battery_says::<HIDES_NOTHING>("changes with what is hidden from it");
    battery_says::<OBSERVES_ALL>("the observation of");
    battery_says::<CANNOT_BE_SAVED>("a saved situation does not load");
    battery_says::<NEVER_TWICE_THE_SAME>("done again it does something else");
    battery_says::<UNKNOWN_CASE>("the case 99.9 is not in cases.tsv");
    battery_says::<NEVER_ENDS>("still not over after 3 decisions");
    battery_says::<ANSWERS_TELL>("the view of");
    battery_says::<TELLS_NAMES>("is hidden from it");
}

/// How many of *The Ford*'s rule tests a variant fails.
fn failed<const LIE: Lie>() -> usize {
    let book = Shelved::<Wrong<LIE>>::new();
    let results = book.trials(&Mini::embedded());
    results.iter().filter(|(_, result)| result.is_err()).count()
}

#[test]
fn rule_tests_find_out_wrong_rules() {
    assert_eq!(failed::<NONE>(), 0);
    for failed in [
        failed::<LISTS_TOO_MUCH>(),
        failed::<ALLOWS_TOO_MUCH>(),
        failed::<HIDES_NOTHING>(),
        failed::<CANNOT_BE_SAVED>(),
        failed::<NEVER_TWICE_THE_SAME>(),
        failed::<ASKS_THE_OTHER>(),
    ] {
        assert!(failed > 0);
    }
}

/// A gun may fire at panzers that pass it.
const POSITION: &str = r#"
given = "panzers before a gun beyond the river"
cases = ["5.1"]
[situation]
rulebook = "mini"
turn = 1
turns = 2
luck = ""
# 0101 0201 0301 0401
#   0102 0202              the gun in 0202 looks across the river at 0201 and 0301
map.grid = """
. . . .
 ~ . ~ ~
"""
map.side.river = "0202/0201 0202/0301"
units.panzers = "0101"
units.grenadiers = "0101"
units.zis-3 = "0202"
[[step]]
"#;

/// What is wrong with a rule test of that position, if anything.
fn trial_says(step: &str) -> String {
    let data = Mini::embedded();
    let source = Source::new("test", format!("{POSITION}{step}"));
    let run = trial::run::<Mini>("test", &source, &data, &data.cases().unwrap());
    run.err().map(|faults| faults.to_string()).unwrap_or_default()
}

/// What a step may say, right, and wrong in one thing: the key that is wrong must be named.
const STEPS: [(&str, &str, &str); 25] = [
    ("asks", "asks = 'axis'", "asks = 'soviet'"),
    ("prompt", "prompt = '1.1'", "prompt = '5.1'"),
    ("offers", "offers = ['end']", "offers = ['move panzers 0202']"),
    ("withholds", "withholds = ['move panzers 0202']", "withholds = ['end']"),
    ("only", "do = 'move panzers 0401'\n[[step]]\nonly = ['hold', 'fire zis-3']", "only = ['end']"),
    ("interjects", "interjects = { soviet = [] }", "interjects = { soviet = ['end'] }"),
    ("dice", "do = ['move panzers 0401', 'fire zis-3']\ndice = [6]", "do = 'end'\ndice = [6]"),
    ("do", "do = 'end'", "do = 'move panzers 0202'"),
    ("then", "do = 'move panzers 0401'\nthen = []", "do = 'end'\nthen = [{ event = 'moved' }]"),
    (
        "then",
        "do = ['move panzers 0401', 'fire zis-3']\ndice = [6]\nthen = [{ event = 'fired' }, { event = 'roll' }]",
        "do = ['move panzers 0401', 'fire zis-3']\ndice = [6]\nthen = [{ event = 'roll' }, { event = 'fired' }]",
    ),
    (
        "never",
        "do = 'end'\nnever = [{ event = 'fired' }]",
        "do = ['move panzers 0401', 'fire zis-3']\ndice = [6]\nnever = [{ event = 'fired', unit = 'panzers' }]",
    ),
    (
        "told",
        "do = 'move panzers 0401'\ntold.soviet = []",
        "do = 'move panzers 0401'\ntold.soviet = [{ event = 'fired' }]",
    ),
    (
        "untold",
        "do = 'end'\nuntold.soviet = [{ event = 'fired' }]",
        "do = ['move panzers 0401', 'fire zis-3']\ndice = [6]\nuntold.soviet = [{ event = 'fired' }]",
    ),
    ("undo", "do = 'end'\nundo = true", "do = 'end'\nundo = false"),
    ("refused", "do = 'move panzers 0202'\nrefused = '4.4'", "do = 'move panzers 0202'\nrefused = '4.1'"),
    ("refused", "do = 'move panzers 0202'\nrefused = '4.4'", "do = 'end'\nrefused = '4.1'"),
    (
        "why",
        "do = 'move panzers 0202'\nrefused = '4.4'\nwhy = '0202'",
        "do = 'move panzers 0202'\nrefused = '4.4'\nwhy = 'tired'",
    ),
    (
        "chance",
        "do = ['move panzers 0401', 'fire zis-3']\nchance = [{ event = 'missed', is = '2/3' }]",
        "do = ['move panzers 0401', 'fire zis-3']\nchance = [{ event = 'missed', is = '1/3' }]",
    ),
    ("after", "after = { panzers = '0101' }", "after = { panzers = '0201' }"),
    ("steps", "steps = { panzers = 2 }", "steps = { panzers = 1 }"),
    ("flags", "flags = { panzers = '' }", "flags = { panzers = 'moved' }"),
    ("hidden", "hidden = { soviet = 'grenadiers' }", "hidden = { soviet = 'panzers' }"),
    ("shown", "shown = { soviet = 'panzers' }", "shown = { soviet = 'grenadiers' }"),
    ("tracks", "tracks = { 'axis luck' = 'spent' }", "tracks = { 'axis luck' = 'held' }"),
    ("over", "over = 'not over'", "over = 'axis'"),
];

#[test]
fn a_rule_test_fails_where_it_is_wrong() {
    for (key, right, wrong) in STEPS {
        assert_eq!(trial_says(right), "", "{right}");
        let said = trial_says(wrong);
        assert!(said.contains(&format!(".{key}")) || said.contains("dice more than"), "{wrong}: `{said}`");
    }
    assert!(trial_says("turn = 2").contains("it is turn 1"));
    assert!(trial_says("phase = 'combat'").contains("found `movement`"));
    assert!(trial_says("markers = { 0101 = 'mine' }").contains("found `none`"));
    assert!(trial_says("stocks = { 0101 = 'axis supply=1' }").contains("found `none`"));
    assert!(trial_says("tomorrow = 3").contains("unknown field"));
    assert!(trial_says("do = 'end'\nthen = [{ event = 'storm' }]").contains("is not one of"));
}
