//! Golden playthroughs: whole random games told in full, committed as text and reviewed as a diff.
//!
//! What is committed is played again, action by action, so that a golden game stays the same game when answers are added.
//! `GROGNARD_BLESS=1` tells the same games anew, `GROGNARD_BLESS=new` plays others.

use std::path::Path;

use crate::shelf::{AnyGame, AnyRulebook};
use crate::{Data, Dice, Seed, Viewer};

/// The seed of the golden games.
const SEED: &str = "golden";

/// A random game of a scenario: its record, with what happened after each action as comments.
pub fn playthrough(book: &dyn AnyRulebook, data: &Data, scenario: &str) -> Result<String, String> {
    let mut chooser = Dice::seeded(&Seed(format!("{SEED} chooses")));
    story(book, data, scenario, |game| {
        let answers = game.actions();
        let last = u32::try_from(answers.len()).ok().filter(|last| *last > 0)?;
        Some(answers[chooser.roll(last) as usize - 1].action.clone())
    })
}

/// The game of a committed story, told again.
pub fn again(book: &dyn AnyRulebook, data: &Data, scenario: &str, committed: &str) -> Result<String, String> {
    let lines = committed.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
    let mut actions = lines.filter_map(|line| line.split_once(' ')).map(|(_, action)| action.to_owned());
    story(book, data, scenario, |_| actions.next())
}

fn story(
    book: &dyn AnyRulebook,
    data: &Data,
    scenario: &str,
    mut choose: impl FnMut(&dyn AnyGame) -> Option<String>,
) -> Result<String, String> {
    let seed = Seed(SEED.to_owned());
    let mut game = book.start(data, scenario, &[], seed).map_err(|faults| faults.to_string())?;
    let mut story = String::new();
    while let Some(side) = game.question().side {
        let action = choose(&*game).ok_or_else(|| format!("a dead end:\n{story}"))?;
        let refused = |why: &dyn std::fmt::Display| format!("{story}{side} {action}\nrefused: {why}");
        let events = game.act(&action, Viewer::Referee).map_err(|refusal| refused(&refusal.why))?;
        story.push_str(&format!("{side} {action}\n"));
        for event in events {
            story.push_str(&format!("#   {} ({})\n", event.text, event.case));
        }
    }
    story.push_str(&format!("# {}\n", game.question().text));
    let record = game.record(true);
    let header = record.split_once("\n\n").map_or(record.as_str(), |(header, _)| header);
    Ok(format!("{header}\n\n{story}"))
}

/// Plays the game of a committed file again and compares; with `GROGNARD_BLESS` in the environment it writes the file.
pub fn compare_game(book: &dyn AnyRulebook, data: &Data, scenario: &str, path: &Path) -> Result<(), String> {
    let committed = std::fs::read_to_string(path);
    let story = match (committed, std::env::var("GROGNARD_BLESS").as_deref()) {
        (Ok(committed), Err(_) | Ok("1")) => again(book, data, scenario, &committed)?,
        _ => playthrough(book, data, scenario)?,
    };
    compare(path, &story)
}

/// Compares a text with the committed file; with `GROGNARD_BLESS` in the environment it writes the file.
pub fn compare(path: &Path, text: &str) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
    if std::env::var_os("GROGNARD_BLESS").is_some() {
        return std::fs::write(path, text).map_err(unreadable);
    }
    let committed = std::fs::read_to_string(path).map_err(unreadable)?;
    if committed == text {
        return Ok(());
    }
    let line = committed.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
    let of = |text: &str| text.lines().nth(line - 1).unwrap_or("(the end)").to_owned();
    Err(format!(
        "{}:{line}: committed `{}`, now `{}`; `make golden` writes it anew, review the diff",
        path.display(),
        of(&committed),
        of(text)
    ))
}
