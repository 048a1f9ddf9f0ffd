//! The TypeScript types of the wire.

use std::fmt::Write;
use std::path::Path;

use ts_rs::{Config, TS};

use super::*;

macro_rules! declare {
    ($out:ident, $config:ident: $($type:ty),* $(,)?) => {
        $(
            if let Some(docs) = <$type as TS>::docs() {
                $out.push_str(&docs);
            }
            let _ = writeln!($out, "export {}\n", <$type as TS>::decl(&$config));
        )*
    };
}

fn typescript() -> String {
    let mut out = String::from(
        "// Generated from crates/server/src/wire.rs. Do not edit: `make wire` writes it anew.\n\n",
    );
    let config = Config::new().with_large_int("number");
    let _ = writeln!(out, "export const VERSION = {VERSION};\n");
    declare!(out, config:
        ClientMessage, ServerMessage, Ask, Answer,
        Text, Span, Thing, Side, Eyes, Both<()>, GameInfo, UnitMark, MarkLook, Sequence, Player, Thinking, Thought, MapLinks, SeatInfo, Counter, Symbol, Phase, Turn, Note, Form, Step, Field, Barred, Score, ScoreLevel,
        Update, Possible, Unasked, Order, OrderEnd, Role, Said, Room, Advice, Presence, View, Stack, HoldingBox, Boxed, Piece, Front, Marker, Track, Stock, Question, Answers, Over, Mixture,
        LogEntry, Happening, Value, Roll, Refusal, Verdict, Outlook, RouteSummary, Route, Leg, Cost, Prospect, Gist, Balance, Way,
        Proof, HexInfo, Overlay, Moment, Mark, MarkKind, Luck, LuckLine, LuckRoll,
        Library, Reach, RulebookInfo, OptionInfo, ScenarioInfo, LevelInfo, NewGame, OpponentSettings, NewPlayer, OpenFile, Created, Seat, Invited, Invitation,
        Accepted, Invite, Nonce, Faults, Fault, FindGames, GameSummary,
        CaseInfo, Term, Sheet, Geometry, HexPlace,
    );
    out.trim_end().to_owned() + "\n"
}

#[test]
fn web_has_these_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire.ts");
    engine::golden::compare(&path, &typescript()).unwrap_or_else(|stale| panic!("{stale} (`make wire`)"));
}
