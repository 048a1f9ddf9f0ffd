//! Procedures within procedures: how deep random games go, and what is refused when a situation is too deep or out of joint.

use std::collections::BTreeSet;

use depot::{DEEPEST, Depot, MAX_STOCKS, Procedure};
use engine::frame::Frames;
use engine::{Deed, Dice, Game, Phrase, Refused, Seed, Setup, Side, Underway};
use source::Source;

fn situation(stack: &str, more: &str) -> Result<Game<Depot>, String> {
    let text = format!(
        "rulebook = \"depot\"\nturn = 1\nturns = 2\nfirst = \"axis\"\nstack = [{stack}]\n\n[map]\ngrid = \"{}\"\n\n\
         [units]\npanzers-1 = \"0101 moved\"\nopel-1 = \"0101\"\nstuka-1 = \"base flown\"\nzis-1 = \"0201 fired\"\n\
         yak-1 = \"base flown\"\n\n{more}",
        ". ".repeat(MAX_STOCKS + 1)
    );
    Game::situation(&Source::new("test", text), &Depot::embedded(), None).map_err(|faults| faults.to_string())
}

const LEVELS: [&str; DEEPEST] = [
    "movement axis",
    "moving panzers-1 4",
    "overrun panzers-1 0201",
    "fire zis-1",
    "strike stuka-1",
    "intercept yak-1",
    "ace axis 5",
];

fn stack(levels: &[&str]) -> String {
    let quoted: Vec<String> = levels.iter().map(|level| format!("\"{level}\"")).collect();
    quoted.join(", ")
}

#[test]
fn the_deepest_situation_loads_and_one_deeper_does_not() {
    let game = situation(&stack(&LEVELS), "").unwrap();
    assert_eq!(Depot::stack(game.state()).frames().len(), DEEPEST);
    let deeper = [&LEVELS[..], &["ace axis 5"]].concat();
    let wrong = situation(&stack(&deeper), "").err().unwrap();
    assert!(wrong.contains("at most 7 procedures can be under way"), "{wrong}");
}

/// Without any one of its levels the stack is out of joint, and the fault names a procedure that cannot be there.
#[test]
fn a_stack_that_is_out_of_joint_is_refused() {
    for missing in LEVELS {
        let levels: Vec<&str> = LEVELS.into_iter().filter(|level| *level != missing).collect();
        let wrong = situation(&stack(&levels), "").err().unwrap();
        assert!(wrong.contains("cannot be under way here"), "without {missing}: {wrong}");
    }
    let mut wrong_ace = LEVELS;
    wrong_ace[DEEPEST - 1] = "ace soviet 5";
    assert!(situation(&stack(&wrong_ace), "").is_err(), "a 5 is lost to the Axis");
}

/// A truck that splits a dump when every place for a stock is taken: nothing changes, and the reason is told.
#[test]
fn what_there_is_no_room_for_is_refused() {
    let dumps: Vec<String> = (1..=MAX_STOCKS + 1)
        .filter(|column| *column != 2)
        .map(|c| format!("{c:02}01 = \"axis supply=2\""))
        .collect();
    let mut game = situation("\"movement axis\"", &format!("[stocks]\n{}", dumps.join("\n"))).unwrap();
    let before = game.state().clone();
    let load = game.parse("load opel-1 1").unwrap();
    let refused = game.act(load).err();
    let reason = format!("there is room for {MAX_STOCKS} dumps and loads and no more");
    assert_eq!(refused, Some(Refused::Fault(reason)));
    assert_eq!(*game.state(), before);
    let load_all = game.parse("load opel-1 2").unwrap();
    assert!(game.act(load_all).is_ok());
}

/// Random games find their way into every procedure and to the greatest depth, and speak up there unasked.
#[test]
fn random_games_go_to_the_bottom() {
    let mut met = BTreeSet::new();
    let (mut deepest, mut interjected) = (0, 0);
    for i in 0..150 {
        let seed = Seed(format!("bottom-{i}"));
        let mut chooser = Dice::seeded(&Seed(format!("bottom-{i} chooses")));
        let mut game =
            Game::<Depot>::scenario("railhead", &Depot::embedded(), Default::default(), seed).unwrap();
        while let Some(action) = pick(&game.answers(), &mut chooser) {
            let frames = Depot::stack(game.state()).frames();
            met.extend(frames.iter().map(|frame| frame.form().name));
            let depth = frames.len();
            deepest = deepest.max(depth);
            let may = game.interjections(Side::Soviet);
            if depth > 3
                && let Some(unasked) = pick(&may, &mut chooser)
            {
                game.act_as(Side::Soviet, Deed::Action(unasked)).unwrap();
                interjected += 1;
            }
            game.act(action).unwrap();
        }
    }
    let all: BTreeSet<&str> = Procedure::FORMS.iter().map(|form| form.name).collect();
    assert_eq!(met, all);
    assert_eq!(deepest, DEEPEST);
    assert!(interjected > 0);
}

fn pick<T: Copy>(list: &[T], chooser: &mut Dice) -> Option<T> {
    let last = u32::try_from(list.len()).ok().filter(|last| *last > 0)?;
    Some(list[chooser.roll(last) as usize - 1])
}
