//! The wire: every message and value that passes between the server and its clients.
//!
//! These types are the only description of the protocol. `web/src/wire.ts` is generated from them (a test says when it
//! is stale), and so is the OpenAPI document of the HTTP interface. `docs/protocol.md` says how they are used.

mod lobby;
mod play;
mod reference;
mod text;

pub use lobby::*;
pub use play::*;
pub use reference::*;
pub use text::*;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The version of the protocol. A client that speaks another one is told so and sent away.
pub const VERSION: u32 = 5;

/// What a client says over the WebSocket. The first message is `hello`.
///
/// Every other message has an `id` of the client's choice, which its one reply (`done`, `refused` or `answer`) repeats.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Takes a seat. The reply is `welcome`.
    Hello {
        /// The version of the protocol that the client speaks.
        version: u32,
        /// The secret of the seat.
        seat: String,
        /// Through whose eyes, where the seat has a choice.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        eyes: Option<Eyes>,
        /// The player's part of the dice, any text: the first that is heard from a seat counts.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        nonce: Option<String>,
    },
    /// Answers the decision with one or more actions in notation. All of them are carried out, or none when one is
    /// refused; but nothing that follows a die, a reveal or the other side's decision is.
    Act {
        /// For the reply.
        id: u32,
        /// The number of the decision that the first line answers.
        decision: u32,
        /// The actions.
        lines: Vec<String>,
        /// What the next dice show: only in a casual game that one person plays alone.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<u32>>"))]
        dice: Vec<u32>,
    },
    /// Takes the last action back.
    Undo {
        /// For the reply.
        id: u32,
        /// The number of the decision that is given up.
        decision: u32,
    },
    /// Does again what was taken back last.
    Redo {
        /// For the reply.
        id: u32,
        /// The number of the present decision.
        decision: u32,
    },
    /// Looks through other eyes from now on. The reply is `done`, after an `update` with the whole view and log.
    Look {
        /// For the reply.
        id: u32,
        /// Whose.
        eyes: Eyes,
    },
    /// Asks for an `update` with the whole view and the latest log.
    Sync {
        /// For the reply.
        id: u32,
    },
    /// Tells the opponent that decides now to think no longer in this phase, and to act with what it has. The reply is
    /// `done`, or `refused` when no opponent decides or the seat plays no side.
    Hurry {
        /// For the reply.
        id: u32,
    },
    /// Gives the side its standing orders, in the place of those that it had. The reply is `done`.
    Order {
        /// For the reply.
        id: u32,
        /// All of them.
        orders: Vec<Order>,
    },
    /// Says something to those of one's own room: players to players, observers to observers. The reply is `done`.
    Say {
        /// For the reply.
        id: u32,
        /// What.
        text: String,
        /// Who speaks, where the seat has no name of its own: an observer.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// Asks something about the game, and changes nothing. The reply is `answer` or `refused`.
    Ask {
        /// For the reply.
        id: u32,
        /// What.
        ask: Ask,
    },
}

/// What the server says over the WebSocket.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The seat is taken. Comes once, and first.
    Welcome {
        /// The version of the protocol.
        version: u32,
        /// What stays the same during the game.
        game: Box<GameInfo>,
        /// What this seat is.
        seat: SeatInfo,
        /// How the game stands.
        update: Box<Update>,
    },
    /// The game has changed, or its whole state was asked for.
    Update(Box<Update>),
    /// Who is connected has changed.
    Presence(Presence),
    /// Something was said in a room of this seat's; after `welcome`, all that was said there.
    Said {
        /// The oldest first.
        said: Vec<Said>,
    },
    /// An opponent thinks or plays, and how far it is; comes a few times a second. Without `thinking`, it waits again.
    Thinking {
        /// Who, and how far.
        thinking: Option<Thinking>,
    },
    /// An `act`, `undo`, `redo`, `look`, `sync` or `hurry` was carried out. What it changed came in an `update` before this.
    Done {
        /// The client's number.
        id: u32,
        /// How many lines of an `act` were carried out.
        done: u32,
        /// Why not all were.
        stopped: Option<Refusal>,
    },
    /// It was not, and nothing has changed.
    Refused {
        /// The client's number.
        id: u32,
        /// Why.
        refusal: Refusal,
    },
    /// The answer to an `ask`.
    Answer {
        /// The client's number.
        id: u32,
        /// The answer.
        answer: Box<Answer>,
    },
    /// The last message: the server closes the connection.
    Goodbye {
        /// Why.
        why: String,
        /// True when it makes sense to connect again.
        again: bool,
    },
}

/// Something asked about a game. `lines` are actions in notation that are imagined first, from the present decision on;
/// they may not need a die, show anything hidden, or lead to the other side's decision.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// How the game would stand after these lines: the question, its answers, what happened on the way.
    Look {
        /// Imagined first.
        lines: Vec<String>,
    },
    /// Of every answer that moves something, after these lines: its cost and its path.
    Routes {
        /// Imagined first.
        lines: Vec<String>,
        /// Only answers whose first argument is this unit.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        unit: Option<String>,
    },
    /// The last line's path hex by hex, with every part of its cost.
    Route {
        /// Imagined first, and the move itself last.
        lines: Vec<String>,
    },
    /// Whether the last line is allowed, and if not, why.
    Check {
        /// Imagined first, and the line in question last.
        lines: Vec<String>,
    },
    /// What could be done with a unit, a hex, or a unit and a hex, and why not: for a click.
    Why {
        /// Imagined first.
        lines: Vec<String>,
        /// The unit, if one was picked.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        unit: Option<String>,
        /// The hex, if one was picked.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        hex: Option<String>,
    },
    /// What a commitment leads to.
    Odds {
        /// The commitment.
        lines: Vec<String>,
        /// Go on with finishing answers until a die is rolled or something else must be chosen.
        #[serde(default)]
        complete: bool,
    },
    /// The heaviest attack that the enemy could make on a hex now.
    Threat {
        /// The hex.
        hex: String,
    },
    /// What can be proved of a unit: its supply, with the line or what cuts it.
    Explain {
        /// The unit.
        unit: String,
    },
    /// Everything about a hex.
    Hex {
        /// The hex.
        hex: String,
    },
    /// Sets of hexes with a meaning: zones of control, control, victory hexes, what the enemy could reach.
    Overlays,
    /// How the game stood after so many actions, as these eyes saw it.
    At {
        /// How many.
        at: u32,
    },
    /// A part of the log.
    Log {
        /// The first action, counted from 0.
        from: u32,
        /// The action before which to stop.
        to: u32,
    },
    /// Where turns and phases began and combats were resolved.
    Marks,
    /// Every die so far, and how it compares with what was to be expected.
    Luck,
    /// What opponents had in mind, plan by plan: of all phases when the game is over; before that only at an open table,
    /// of the phases that are over.
    Thoughts,
    /// The position as a situation file, for whoever may see everything.
    Situation,
    /// The position after so many actions as these eyes may suppose it, as a situation file: what they did not see is dealt at
    /// random. To try something without touching the game.
    Branch {
        /// How many.
        at: u32,
    },
    /// What an opponent would do now, and why: in a casual game that one person plays alone.
    Advice {
        /// Its level.
        level: String,
    },
    /// The game as a record; with its seed when it is over.
    Record,
}

/// The answer to an [`Ask`].
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Answer {
    /// To `look`.
    Look(Box<Outlook>),
    /// To `routes`.
    Routes {
        /// One for each answer that moves something.
        routes: Vec<RouteSummary>,
    },
    /// To `route`.
    Route(Route),
    /// To `check`.
    Check(Verdict),
    /// To `why`.
    Why {
        /// What was tried: what is allowed first.
        verdicts: Vec<Verdict>,
    },
    /// To `odds`.
    Odds(Prospect),
    /// To `threat`.
    Threat(Prospect),
    /// To `explain`.
    Explain {
        /// One for each thing that can be proved or not.
        proofs: Vec<Proof>,
    },
    /// To `hex`.
    Hex(HexInfo),
    /// To `overlays`.
    Overlays {
        /// All of them.
        overlays: Vec<Overlay>,
    },
    /// To `at`.
    At(Box<Moment>),
    /// To `log`.
    Log {
        /// The number of the first action in it.
        from: u32,
        /// The actions.
        log: Vec<LogEntry>,
    },
    /// To `marks`.
    Marks {
        /// All of them.
        marks: Vec<Mark>,
    },
    /// To `luck`.
    Luck(Luck),
    /// To `thoughts`.
    Thoughts {
        /// The oldest first.
        thoughts: Vec<Thought>,
    },
    /// To `advice`.
    Advice(Advice),
    /// To `situation`, `branch` and `record`.
    Text {
        /// A good name for a file.
        name: String,
        /// The text.
        text: String,
    },
}

#[cfg(test)]
mod typescript;
