//! `replay` and `verify`: games on paper.

use engine::shelf::Happening;
use engine::{Record, record};
use serde_json::json;

use crate::args::{Replay, Verify};
use crate::library::Library;
use crate::output::{BAD, Failure, GOOD, Out, STRONG, Styled};
use crate::{input, playing, terminal};

pub(crate) fn replay(args: &Replay, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let source = input::read(&args.file)?;
    if !record::is_record(&source) {
        return Err(Failure::Input(format!("{}: this is not a record", source.name)));
    }
    let game = input::open(&source, library, None)?;
    for (side, action, events) in game.history(args.eyes.viewer()) {
        if args.json {
            let events: Vec<_> = events.iter().map(Happening::json).collect();
            out.line(json!({ "side": side.word(), "action": action, "events": events }));
        } else {
            out.line(format_args!("{} {}", side, Styled(STRONG, action)));
            playing::write_events(&events, out);
        }
    }
    if args.json {
        out.line(game.question().json())
    } else {
        terminal::write_question(&*game, out)
    }
    Ok(())
}

pub(crate) fn verify(args: &Verify, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let source = input::read(&args.file)?;
    let record = Record::parse(&source)?;
    let volume = library.volume(record.rulebook())?;
    match volume.rulebook.verify(&volume.data, &record) {
        Ok(proved) if args.json => out.line(json!({
            "ok": true,
            "actions": proved.actions,
            "rolls": proved.rolls,
            "standing": proved.standing,
        })),
        Ok(proved) => out.line(format_args!(
            "{} {} actions; dice that follow from the seed: {}; {}",
            Styled(GOOD, "proved:"),
            proved.actions,
            proved.rolls,
            proved.standing
        )),
        Err(faults) => {
            if args.json {
                out.line(json!({ "ok": false, "why": faults.to_string() }));
            } else {
                out.line(format_args!("{} {faults}", Styled(BAD, "not proved:")));
            }
            return Err(Failure::No);
        }
    }
    Ok(())
}
