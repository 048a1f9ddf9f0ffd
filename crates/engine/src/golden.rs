//! Golden playthroughs: whole random games told in full, committed as text and reviewed as a diff.

use crate::shelf::AnyRulebook;
use crate::{Data, Dice, Seed, Viewer};

/// A random game of a scenario: its record, with what happened after each action as comments.
pub fn playthrough(
    book: &dyn AnyRulebook,
    data: &Data,
    scenario: &str,
    seed: &str,
) -> Result<String, String> {
    let mut game =
        book.start(data, scenario, &[], Seed(seed.to_owned())).map_err(|faults| faults.to_string())?;
    let mut chooser = Dice::seeded(&Seed(format!("{seed} chooses")));
    let mut story = String::new();
    while let Some(side) = game.question().side {
        let answers = game.actions();
        if answers.is_empty() {
            return Err(format!("a dead end:\n{story}"));
        }
        let action = &answers[chooser.roll(answers.len() as u32) as usize - 1].action;
        let events = game.act(action, Viewer::Referee).map_err(|refusal| refusal.why)?;
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

/// Compares a playthrough with the committed file; with `GROGNARD_BLESS=1` in the environment it writes the file.
pub fn compare(path: &std::path::Path, story: &str) -> Result<(), String> {
    if std::env::var_os("GROGNARD_BLESS").is_some() {
        return std::fs::write(path, story).map_err(|error| format!("{}: {error}", path.display()));
    }
    let committed = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if committed == story {
        return Ok(());
    }
    let line = committed.lines().zip(story.lines()).take_while(|(a, b)| a == b).count() + 1;
    let of = |text: &str| text.lines().nth(line - 1).unwrap_or("(the end)").to_owned();
    Err(format!(
        "{}:{line}: committed `{}`, played `{}`; `make golden` writes it anew, review the diff",
        path.display(),
        of(&committed),
        of(story)
    ))
}
