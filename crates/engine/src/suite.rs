//! The tests that every rulebook's crate runs on its data. Each returns what is wrong, for a person; [`suite!`](crate::suite!)
//! declares those that need nothing but the rulebook.

use std::fs;
use std::path::Path;

use source::Source;

use crate::battery::Thoroughness;
use crate::shelf::AnyRulebook;
use crate::{Dice, Frames, Game, Rulebook, Seed, Side, case, golden};

/// Rule tests, coverage, citations and golden playthroughs of a rulebook, as tests of its crate.
#[macro_export]
macro_rules! suite {
    ($book:ident) => {
        const CRATE: &str = env!("CARGO_MANIFEST_DIR");

        #[test]
        fn every_rule_test_holds() -> Result<(), String> {
            $crate::suite::rule_tests($book::shelved())
        }

        #[test]
        fn every_case_that_wants_a_test_has_one() -> Result<(), String> {
            $crate::suite::coverage($book::shelved())
        }

        #[test]
        fn every_case_that_the_code_cites_exists() -> Result<(), String> {
            $crate::suite::citations($book::shelved(), &std::path::Path::new(CRATE).join("src"))
        }

        #[test]
        fn golden_playthroughs() -> Result<(), String> {
            $crate::suite::golden_playthroughs(
                $book::shelved(),
                &std::path::Path::new(CRATE).join("tests/golden"),
            )
        }
    };
}

/// Every file is sound and every rule test holds.
pub fn rule_tests(book: &dyn AnyRulebook) -> Result<(), String> {
    let data = book.embedded();
    let mut wrong: Vec<String> =
        book.check(&data).err().map(|faults| faults.to_string()).into_iter().collect();
    wrong.extend(
        book.trials(&data)
            .into_iter()
            .filter_map(|(_, result)| result.err())
            .map(|faults| faults.to_string()),
    );
    none(&wrong)
}

/// Every case that wants a test is named by one.
pub fn coverage(book: &dyn AnyRulebook) -> Result<(), String> {
    let data = book.embedded();
    let cases = data.cases().map_err(|faults| faults.to_string())?;
    let tested: Vec<String> = book
        .trials(&data)
        .into_iter()
        .filter_map(|(summary, _)| summary.ok())
        .flat_map(|summary| summary.cases)
        .collect();
    let missing = cases.iter().filter(|case| case.kind.wants_test() && !tested.contains(&case.number));
    none(&missing.map(|case| format!("no rule test names {}", case.number)).collect::<Vec<_>>())
}

/// Every case that the code in a folder cites is in the index.
pub fn citations(book: &dyn AnyRulebook, src: &Path) -> Result<(), String> {
    let cases = book.embedded().cases().map_err(|faults| faults.to_string())?;
    let unreadable = |error: std::io::Error| format!("{}: {error}", src.display());
    let mut wrong = Vec::new();
    for entry in fs::read_dir(src).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let code = fs::read_to_string(&path).map_err(unreadable)?;
        let unknown = case::cited(&code).into_iter().filter(|(_, number)| cases.get(number).is_none());
        wrong.extend(
            unknown.map(|(line, number)| format!("{}:{line}: there is no case {number}", path.display())),
        );
    }
    none(&wrong)
}

/// A random game of every scenario is as it was committed to a folder.
pub fn golden_playthroughs(book: &dyn AnyRulebook, folder: &Path) -> Result<(), String> {
    let data = book.embedded();
    let mut wrong = Vec::new();
    for (scenario, _) in book.scenarios(&data).map_err(|faults| faults.to_string())? {
        let path = folder.join(format!("{scenario}.record"));
        wrong.extend(golden::compare_game(book, &data, &scenario, &path).err());
    }
    none(&wrong)
}

/// Random games of a scenario with everything checked now and then: as many as `GROGNARD_BATTERY` says, or so many.
pub fn battery(
    book: &dyn AnyRulebook,
    scenario: &str,
    games: usize,
    thoroughness: Thoroughness,
) -> Result<(), String> {
    let told = std::env::var("GROGNARD_BATTERY").ok().and_then(|games| games.parse().ok());
    run(book, scenario, told.unwrap_or(games), thoroughness, "many")
}

/// Random games of a scenario, saved, loaded and imagined at every single decision.
pub fn closely(book: &dyn AnyRulebook, scenario: &str, games: usize, strangers: usize) -> Result<(), String> {
    run(book, scenario, games, Thoroughness { every: 1, strangers }, "closely")
}

fn run(
    book: &dyn AnyRulebook,
    scenario: &str,
    games: usize,
    thoroughness: Thoroughness,
    prefix: &str,
) -> Result<(), String> {
    let tally = book.battery(&book.embedded(), scenario, thoroughness, games, prefix)?;
    if tally.games == games { Ok(()) } else { Err(format!("{} of {games} games were played", tally.games)) }
}

/// Situations out of random games of a scenario with a word changed: what loads can be played on, what does not is refused
/// with a reason. Says how many were loaded and how many refused.
pub fn garbled<R: Rulebook>(scenario: &str, games: usize) -> Result<(usize, usize), String> {
    let data = R::embedded();
    let mut chooser = Dice::seeded(&Seed("garbled".into()));
    let (mut loaded, mut refused) = (0, 0);
    for i in 0..games {
        let seed = Seed(format!("garbled-{i}"));
        let mut game = Game::<R>::scenario(scenario, &data, Default::default(), seed)
            .map_err(|faults| faults.to_string())?;
        while let Some(action) = pick(&game.answers(), &mut chooser) {
            game.act(action).map_err(|refused| format!("{refused:?}"))?;
            let is_deep = R::stack(game.state()).frames().len() > 2;
            if !is_deep && chooser.roll(8) > 1 {
                continue;
            }
            let text = garble(&game.to_situation(), &mut chooser);
            let seed = Some(Seed("again".into()));
            match Game::<R>::situation(&Source::new("garbled", text), &data, seed) {
                Ok(mut other) => {
                    loaded += 1;
                    play_on(&mut other, 12, &mut chooser)?;
                }
                Err(faults) if faults.to_string().is_empty() => return Err("refused without a word".into()),
                Err(_) => refused += 1,
            }
        }
    }
    Ok((loaded, refused))
}

fn pick<T: Copy>(list: &[T], chooser: &mut Dice) -> Option<T> {
    let last = u32::try_from(list.len()).ok().filter(|last| *last > 0)?;
    Some(list[chooser.roll(last) as usize - 1])
}

/// Plays a few decisions at random; every state on the way is sound and can be imagined.
fn play_on<R: Rulebook>(game: &mut Game<R>, decisions: usize, chooser: &mut Dice) -> Result<(), String> {
    for _ in 0..decisions {
        let Some(action) = pick(&game.answers(), chooser) else { return Ok(()) };
        game.act(action).map_err(|refused| format!("{refused:?}"))?;
        let sound = |state: &R::State| {
            game.rules.audit(state).map_err(|wrong| format!("{wrong}\n{}", game.to_situation()))
        };
        sound(game.state())?;
        for side in Side::BOTH {
            sound(&game.rules.imagine(game.state(), side, chooser))?;
        }
    }
    Ok(())
}

/// The text with one word in the place of another that looks like it: a hex for a hex, a unit for a unit.
fn garble(text: &str, chooser: &mut Dice) -> String {
    let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '-') && !word.is_empty();
    let words: Vec<&str> = text.split([' ', '\n', '"', '=']).filter(is_word).collect();
    let Some(from) = pick(&words, chooser) else { return text.to_owned() };
    let shape = |word: &str| (word.contains('-'), word.parse::<u32>().is_ok().then_some(word.len()));
    let alike: Vec<&str> = words.iter().copied().filter(|word| shape(word) == shape(from)).collect();
    let places: Vec<usize> = text.match_indices(from).map(|(place, _)| place).collect();
    let (Some(to), Some(place)) = (pick(&alike, chooser), pick(&places, chooser)) else {
        return text.to_owned();
    };
    format!("{}{to}{}", &text[..place], &text[place + from.len()..])
}

fn none(wrong: &[String]) -> Result<(), String> {
    if wrong.is_empty() { Ok(()) } else { Err(format!("\n{}", wrong.join("\n"))) }
}
