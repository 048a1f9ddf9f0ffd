//! `new`, `actions`, `try`, `show`, `odds`: games in files.

use std::path::Path;

use engine::shelf::{Explanation, Happening, Prospect, Refusal, WayTold};
use serde_json::{Value, json};

use crate::args::{Actions, Advise, Explain, New, Odds, Show, Threat, Try};
use crate::library::Library;
use crate::output::{BAD, Failure, GOOD, Out, QUIET, STRONG, Styled, note};
use crate::{input, terminal};

pub(crate) fn new(args: &New, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (volume, scenario) = library.split(&args.setup.scenario)?;
    let seed = input::seed_or_lot(args.setup.seed.as_deref());
    let mut game = volume.rulebook.start(&volume.data, scenario, &args.setup.options, seed)?;
    for (side, name) in [(engine::Side::Axis, &args.axis), (engine::Side::Soviet, &args.soviet)] {
        if let Some(name) = name {
            game.name_player(side, name);
        }
    }
    let text = if args.situation { game.situation() } else { game.record(true) };
    input::write(args.output.as_deref().unwrap_or(Path::new("-")), &text, out)
}

pub(crate) fn actions(args: &Actions, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    let answers = game.actions();
    if args.json {
        let mut object = game.question().json();
        object["actions"] = answers.iter().map(engine::shelf::Answer::json).collect();
        out.line(object);
        return Ok(());
    }
    terminal::write_question(&*game, out);
    for answer in answers {
        out.line(answer.action);
    }
    Ok(())
}

pub(crate) fn try_actions(args: &Try, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let mut game = input::open(&input::read(&args.file)?, library, args.seed.as_deref())?;
    game.force_dice(&args.dice);
    let mut refused = false;
    for action in &args.actions {
        let done = game.act(action, args.eyes.viewer());
        refused |= done.is_err();
        if args.json { out.line(try_json(action, &done)) } else { try_text(action, &done, out) }
    }
    if game.forced_dice_left() > 0 {
        note(format_args!("{} of the dice given were not needed", game.forced_dice_left()));
    }
    if refused {
        if args.output.is_some() {
            note("nothing is written: it is all of the actions or none");
        }
        return Err(Failure::No);
    }
    if let Some(path) = &args.output {
        let as_record = path.extension().is_some_and(|extension| extension == "record");
        let text = if as_record { game.record(true) } else { game.situation() };
        input::write(path, &text, out)?;
    }
    Ok(())
}

fn try_json(action: &str, done: &Result<Vec<Happening>, Refusal>) -> Value {
    match done {
        Ok(events) => json!({ "action": action, "ok": true, "events": event_list(events) }),
        Err(Refusal { case, why }) => {
            json!({ "action": action, "ok": false, "case": case, "why": why.to_string() })
        }
    }
}

fn event_list(events: &[Happening]) -> Vec<Value> {
    events.iter().map(Happening::json).collect()
}

/// An action and what came of it.
pub(crate) fn try_text(action: &str, done: &Result<Vec<Happening>, Refusal>, out: &mut Out) {
    match done {
        Ok(events) => {
            out.line(Styled(STRONG, action));
            write_events(events, out);
        }
        Err(refusal) => out.line(format_args!("{}: {}", Styled(STRONG, action), refusal_text(refusal))),
    }
}

fn refusal_text(refusal: &Refusal) -> String {
    let case = refusal.case.map(|case| format!(" ({case})")).unwrap_or_default();
    format!("{} {}{case}", Styled(BAD, "refused:"), refusal.why)
}

/// What happened, a line each, with its case.
pub(crate) fn write_events(events: &[Happening], out: &mut Out) {
    for event in events {
        let case = if event.case.is_empty() { String::new() } else { format!(" ({})", event.case) };
        out.line(format_args!("  {}{}", event.text, Styled(QUIET, case)));
    }
}

pub(crate) fn show(args: &Show, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    if args.situation {
        out.text(&game.situation());
        return Ok(());
    }
    if args.json {
        let view = serde_json::to_value(game.view(args.eyes.viewer())).unwrap_or_default();
        out.line(json!({ "rulebook": game.book().name, "view": view, "question": game.question().json() }));
        return Ok(());
    }
    terminal::write_position(&*game, args.eyes.viewer(), out);
    terminal::write_question(&*game, out);
    Ok(())
}

pub(crate) fn odds(args: &Odds, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    tell_prospect(game.odds(&args.actions, args.eyes.viewer()), args.json, out)
}

pub(crate) fn threat(args: &Threat, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    tell_prospect(game.threat(&args.hex, args.eyes.viewer()), args.json, out)
}

fn tell_prospect(prospect: Result<Prospect, Refusal>, as_json: bool, out: &mut Out) -> Result<(), Failure> {
    match prospect {
        Ok(prospect) if as_json => out.line(prospect.json()),
        Ok(prospect) => write_prospect(&prospect, out),
        Err(refusal) => return tell_refusal(&refusal, as_json, out),
    }
    Ok(())
}

fn tell_refusal(refusal: &Refusal, as_json: bool, out: &mut Out) -> Result<(), Failure> {
    if as_json {
        out.line(json!({ "ok": false, "case": refusal.case, "why": refusal.why.to_string() }));
    } else {
        out.line(refusal_text(refusal));
    }
    Err(Failure::No)
}

pub(crate) fn explain(args: &Explain, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    let proofs = match game.explain(&args.unit, args.eyes.viewer()) {
        Ok(proofs) => proofs,
        Err(refusal) => return tell_refusal(&refusal, args.json, out),
    };
    for proof in proofs {
        if args.json {
            out.line(proof.json());
        } else {
            write_proof(&proof, out);
        }
    }
    Ok(())
}

/// What was proved of a unit.
pub(crate) fn write_proof(proof: &Explanation, out: &mut Out) {
    let verdict = if proof.holds { Styled(GOOD, "yes") } else { Styled(BAD, "no") };
    out.line(format_args!("{}: {verdict}", proof.what));
    for (case, why) in &proof.because {
        out.line(format_args!("  {why}{}", Styled(QUIET, format!(" ({case})"))));
    }
    if !proof.path.is_empty() {
        out.line(format_args!("  path: {}", proof.path.join(" ")));
    }
}

/// What an opponent would answer, and why.
pub(crate) fn advise(args: &Advise, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let game = input::open(&input::read(&args.file)?, library, None)?;
    let Some(side) = game.question().side else {
        return Err(Failure::Input("the game is over: nothing is asked".to_owned()));
    };
    staff::check_level(game.book(), args.level).map_err(Failure::Input)?;
    let (position, luck) = (game.position(), input::seed_or_lot(args.luck.as_deref()));
    let data = &library.volume(game.book().name)?.data;
    let budget = args.thinking.budget();
    let mut adviser = staff::seat(game.book(), &*position, data, side, args.level, budget, &luck)?;
    let action = adviser
        .choose(&*position, game.len(), &staff::Signals::default())
        .ok_or_else(|| Failure::Input(format!("{side} finds no answer")))?;
    let why: Vec<String> = adviser.why().iter().map(ToString::to_string).collect();
    if args.json {
        out.line(json!({ "action": action, "why": why }));
        return Ok(());
    }
    out.line(Styled(STRONG, action));
    why.iter().for_each(|sentence| out.line(format_args!("  {sentence}")));
    Ok(())
}

pub(crate) fn write_prospect(prospect: &Prospect, out: &mut Out) {
    write_events(&prospect.account, out);
    for WayTold { chance, p, events, .. } in &prospect.ways {
        let percent = format!("{:>6.2} %", p * 100.0);
        out.line(format_args!("{} {chance:>6}", Styled(GOOD, percent)));
        if events.is_empty() {
            out.line("  nothing");
        }
        write_events(events, out);
    }
}
