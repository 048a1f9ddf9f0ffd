//! A game of nothing but dice, weighed and played through.

use std::sync::atomic::{AtomicUsize, Ordering};

use board::{Hex, Map};
use include_dir::Dir;
use source::{Table, Writer};

use super::*;
use crate::display::Counter;
use crate::frame::{Around, Stack};
use crate::{
    Asked, Book, BySide, Data, Drawing, Frame, Front, Lexicon, Options, Outcome, Play, Remark, Roster, Setup,
    Side, Sight, Types, UnitId, Violation, case, ensure, frames, phrases, places, remark,
};

/// Counts how often it is asked to do something.
#[derive(Default)]
struct Toy {
    steps: AtomicUsize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    total: u32,
    /// Checks that are still to be made.
    checks: u8,
    failed: u8,
    /// A chit has been drawn, and the die is still to be rolled.
    drawn: Option<u32>,
    stack: Stack<Procedure, 1>,
}

phrases! {
    /// Nothing is under way: the game does everything at once.
    struct Idle = "idle", "1", "";
}

impl Frame<Toy> for Idle {
    fn asked(&self, _: &Toy, _: &State) -> (Side, Remark) {
        (Side::Axis, remark!("1", "anything"))
    }
    fn is_sound(&self, _: &Toy, _: &State, _: Around<'_, Procedure>) -> bool {
        true
    }
}

frames! {
    /// What is under way.
    enum Procedure of Toy, 1 deep { Idle }
}

phrases! {
    /// What can be done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Action {
        /// Rolls two dice and tells their sum.
        Sum = "sum", "1", "";
        /// The same, and tells nothing.
        Quiet = "quiet", "1", "";
        /// Rolls a d10 for each of so many units, which only the Soviet side sees.
        Check { units: u8 } = "check", "1", "";
        /// Draws one of six chits and rolls a die.
        Fight = "fight", "1", "";
        /// Rolls so many dice that nobody can count them.
        Endless = "endless", "1", "";
        /// Rolls a die with so many faces that a few of them make a chance that no fraction of ours holds.
        Huge = "huge", "1", "";
        /// Goes on only from an even total.
        Even = "even", "1", "";
        /// Shows the Axis side something hidden.
        Show = "show", "1", "";
    }
}

phrases! {
    /// What can happen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Event {
        /// A sum.
        Summed { sum: u32 } = "summed", "1", "";
        /// Somebody fails a check.
        Failed { unit: u8 } = "failed", "1", "";
        /// The same, seen from afar.
        SomebodyFailed = "somebody-failed", "1", "";
        /// Somebody passes a check.
        Passed { unit: u8 } = "passed", "1", "";
        /// The same, seen from afar.
        SomebodyPassed = "somebody-passed", "1", "";
        /// A chit.
        Chit { chit: u32 } = "chit", "1", "", Account;
        /// A result.
        Result { won: bool } = "result", "1", "", Result;
        /// It is even.
        IsEven = "is-even", "1", "";
    }
}

impl Lexicon for Toy {
    fn map(&self) -> &Map {
        unreachable!()
    }
    fn roster(&self) -> &Roster {
        unreachable!()
    }
    fn sides(&self) -> BySide<&'static str> {
        Toy::BOOK.sides
    }
}

impl Types for Toy {
    const BOOK: Book = Book {
        name: "toy",
        title: "",
        edition: "",
        rules: 1,
        sides: BySide { axis: "axis", soviet: "soviet" },
        options: &[],
    };
    type State = State;
    type Action = Action;
    type Event = Event;
}

impl Rulebook for Toy {
    fn outcome(&self, _: &State) -> Outcome {
        unreachable!()
    }
    fn not_asked(&self, _: &State, _: Action) -> Violation {
        unreachable!()
    }
    fn asked(&self, _: &State) -> Asked {
        Asked::Decision { side: Side::Axis, prompt: remark!("1", "anything") }
    }

    fn check(&self, state: &State, action: Action) -> Result<(), Violation> {
        ensure!("1", action != Action::Even || state.total.is_multiple_of(2), "the total is odd");
        Ok(())
    }

    fn apply(&self, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Sum => {
                let sum = play.roll_sum(Side::Axis, 2, 6, "a sum", case("1"));
                state.total += sum;
                play.tell(Event::Summed { sum });
            }
            Action::Quiet => state.total += play.roll_sum(Side::Axis, 2, 6, "a sum", case("1")),
            Action::Check { units } => state.checks = units,
            Action::Fight => {
                let chit = play.roll(Side::Axis, 6, "a chit", case("1"));
                play.tell(Event::Chit { chit });
                state.drawn = Some(chit.div_ceil(2));
            }
            Action::Endless => {
                for _ in 0..30 {
                    state.total = state.total.wrapping_mul(7) + play.roll(Side::Axis, 6, "more", case("1"));
                }
            }
            Action::Huge => {
                let wins = |die: u32| die == 1;
                let die = play.roll_on(Side::Axis, u32::MAX >> 12, "a lot", case("1"), wins);
                play.tell(Event::Result { won: wins(die) });
            }
            Action::Even => play.tell(Event::IsEven),
            Action::Show => play.reveal(Side::Axis),
        }
        self.go_on(state, play);
    }

    fn go_on(&self, state: &mut State, play: &mut Play<Event>) {
        self.steps.fetch_add(1, Ordering::Relaxed);
        while state.checks > 0 || state.drawn.is_some() {
            if play.pauses() {
                return;
            }
            if let Some(chit) = state.drawn.take() {
                let wins = |die: u32| die > 2 * chit;
                let die = play.roll_on(Side::Axis, 6, "combat", case("1"), wins);
                play.tell(Event::Result { won: wins(die) });
            } else {
                let unit = state.checks;
                state.checks -= 1;
                let passed = play.roll(Side::Soviet, 10, "a check", case("1")) <= 7;
                state.failed += u8::from(!passed);
                let (told, vague) = match passed {
                    true => (Event::Passed { unit }, Event::SomebodyPassed),
                    false => (Event::Failed { unit }, Event::SomebodyFailed),
                };
                play.tell_only(Side::Soviet, told, Some(vague));
            }
        }
    }

    fn answers(&self, _: &State, _: &mut Vec<Action>) {}
}

impl Setup for Toy {
    const FILES: &'static Dir<'static> = &Dir::new("", &[]);

    fn read(_: &Table<'_>, _: &Data, _: Options) -> Option<(Self, State)> {
        unreachable!()
    }
    fn write(&self, _: &State, _: &mut Writer) {}
    fn options(&self) -> Options {
        Options::default()
    }
    fn audit(&self, _: &State) -> Result<(), String> {
        Ok(())
    }
}

places! {
    /// Nobody is anywhere.
    enum Place {
        /// Nowhere.
        Nowhere = "nowhere",
    }
}

impl Sight for Toy {
    type Place = Place;

    fn place(&self, _: &State, _: UnitId) -> Option<Place> {
        None
    }
    fn owner(&self, _: &State, _: UnitId) -> Side {
        unreachable!()
    }
    fn stack_in(&self, _: &State, _: Hex) -> impl Iterator<Item = UnitId> {
        std::iter::empty()
    }
    fn front(&self, _: &State, _: UnitId, _: Viewer) -> Front {
        unreachable!()
    }
    fn turn(&self, _: &State) -> (u8, u8) {
        unreachable!()
    }
}

impl Drawing for Toy {
    fn counter(&self, _: &State, _: UnitId) -> Counter {
        unreachable!()
    }
}

/// The ways of `actions` and how many steps it took to find them.
fn weighed(actions: &[Action], viewer: Viewer) -> (Odds<Event>, usize) {
    let toy = Toy::default();
    let odds = odds(&toy, &State::default(), actions, viewer).unwrap();
    (odds, toy.steps.into_inner())
}

/// The oracle finds the same for everybody.
fn agrees(actions: &[Action]) {
    let everybody = &oracle::EVERYBODY;
    let compared = oracle::agrees(&Toy::default(), &State::default(), actions, everybody, 100_000);
    assert_eq!(compared, Ok(everybody.len()));
}

fn ways(odds: &Odds<Event>) -> Vec<(Vec<Event>, String)> {
    odds.ways.iter().map(|way| (way.events.clone(), way.chance.to_string())).collect()
}

#[test]
fn two_dice_three_times_over() {
    let three = [Action::Sum; 3];
    let (odds, steps) = weighed(&three, Viewer::Referee);
    assert_eq!(odds.ways.len(), 11 * 11 * 11);
    // Totals that can be reached in several ways are carried on once.
    assert_eq!(steps, 11 + 11 * 11 + 21 * 11);
    agrees(&three);
}

#[test]
fn ways_that_nobody_can_tell_apart_are_one() {
    let (odds, _) = weighed(&[Action::Quiet; 3], Viewer::Referee);
    assert_eq!(ways(&odds), [(vec![], "1".to_owned())]);
    let (odds, _) = weighed(&[Action::Quiet, Action::Quiet, Action::Even], Viewer::Referee);
    assert_eq!(odds.ways.len(), 2);
    assert_eq!(odds.chance_of(|event| *event == Event::IsEven), Chance::new(1, 2));
    assert_eq!(odds.ways[0].broken_off.as_deref(), Some("even: the total is odd (1)"));
    agrees(&[Action::Quiet, Action::Quiet, Action::Even]);
}

#[test]
fn order_does_not_matter_to_who_cannot_tell_units_apart() {
    let three = [Action::Check { units: 3 }];
    assert_eq!(weighed(&three, Viewer::Side(Side::Soviet)).0.ways.len(), 8);
    let (odds, _) = weighed(&three, Viewer::Side(Side::Axis));
    let chances: Vec<String> = odds.ways.iter().map(|way| way.chance.to_string()).collect();
    assert_eq!(chances, ["441/1000", "343/1000", "189/1000", "27/1000"]);
    agrees(&three);
}

#[test]
fn ways_are_merged_where_a_rulebook_pauses() {
    // Ten dice of ten faces: ten thousand million ways without a pause.
    let (odds, steps) = weighed(&[Action::Check { units: 10 }], Viewer::Observer);
    assert_eq!(odds.ways.len(), 11);
    assert_eq!(steps, (1..=10).map(|states| states * 10).sum::<usize>());
}

#[test]
fn what_is_told_in_passing_gives_way() {
    let (odds, steps) = weighed(&[Action::Fight], Viewer::Referee);
    let wanted = [
        (vec![Event::Result { won: false }], "2/3".to_owned()),
        (vec![Event::Result { won: true }], "1/3".to_owned()),
    ];
    assert_eq!(ways(&odds), wanted);
    // Six chits, of which two each are worth the same but are not told the same, and two results at most.
    assert!(steps <= 6 + 6 * 2, "{steps}");
    agrees(&[Action::Fight]);
    let full = odds_in_full(&Toy::default(), &State::default(), &[Action::Fight], Viewer::Referee).unwrap();
    assert_eq!(full.chance_of(|event| *event == Event::Chit { chit: 4 }), Chance::new(1, 6));
    assert_eq!(full.chance_of(|event| *event == Event::Result { won: true }), Chance::new(1, 3));
}

#[test]
fn the_account_is_what_is_certain() {
    let (odds, _) = weighed(&[Action::Even, Action::Sum, Action::Even], Viewer::Referee);
    assert_eq!(odds.account, [Event::IsEven]);
    assert_eq!(odds.ways.len(), 11);
    agrees(&[Action::Even, Action::Sum, Action::Even]);
}

#[test]
fn what_is_hopeless_is_given_up_early() {
    let toy = Toy::default();
    let found = odds(&toy, &State::default(), &[Action::Endless], Viewer::Referee);
    assert_eq!(found, Err(NoOdds::TooMany));
    let steps = toy.steps.into_inner();
    assert!(steps < MAX_STEPS / 10, "{steps}");
}

#[test]
fn chances_that_do_not_fit_are_too_many() {
    let toy = Toy::default();
    assert!(odds(&toy, &State::default(), &[Action::Huge; 6], Viewer::Referee).is_ok());
    let found = odds(&toy, &State::default(), &[Action::Huge; 7], Viewer::Referee);
    assert_eq!(found, Err(NoOdds::TooMany));
}

#[test]
fn refusals_and_reveals() {
    let toy = Toy::default();
    let odd = State { total: 1, ..State::default() };
    let refused = odds(&toy, &odd, &[Action::Check { units: 0 }, Action::Even], Viewer::Referee);
    assert!(matches!(refused, Err(NoOdds::Refused(1, _))), "{refused:?}");
    let show = |viewer| odds(&toy, &odd, &[Action::Show], viewer).err();
    assert_eq!(show(Viewer::Side(Side::Axis)), Some(NoOdds::Hidden));
    assert_eq!(show(Viewer::Side(Side::Soviet)), None);
    assert_eq!(show(Viewer::Observer), Some(NoOdds::Hidden));
}
