//! Before a game: what can be played, games made and found again.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Both, Side};

/// What can be played: `GET /api/library`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Library {
    /// The version of the protocol.
    pub version: u32,
    /// The rulebooks.
    pub rulebooks: Vec<RulebookInfo>,
}

/// Where the server can be reached: `GET /api/reach`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reach {
    /// True when it listens to this machine alone, so that no link to it works anywhere else.
    pub only_here: bool,
    /// The addresses of this machine by which others may reach it; told only to who is on it.
    pub addresses: Vec<String>,
}

/// A rulebook.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulebookInfo {
    /// Its short name.
    pub name: String,
    /// Its printed title.
    pub title: String,
    /// Publisher and edition.
    pub edition: String,
    /// The version of its rules.
    pub rules: u32,
    /// What it calls the two sides.
    pub sides: Both<String>,
    /// The optional rules.
    pub options: Vec<OptionInfo>,
    /// The scenarios, those to learn with first.
    pub scenarios: Vec<ScenarioInfo>,
    /// The opponents that play it, the weakest first.
    pub levels: Vec<LevelInfo>,
}

/// An optional rule.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// The case that describes it.
    pub case: String,
    /// What it does.
    pub about: String,
}

/// A scenario.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScenarioInfo {
    /// Its short name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub about: String,
    /// What was there, and what came of it in history; may be empty.
    pub history: String,
    /// What each side must do by when; may be empty.
    pub goals: Both<String>,
    /// What is special here.
    pub special: Vec<String>,
    /// How long it takes.
    pub length: String,
    /// Who is favoured.
    pub favours: String,
    /// The optional rules that it has on by itself.
    pub options: Vec<String>,
}

/// A level of opponent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LevelInfo {
    /// Its name.
    pub name: String,
    /// What to expect of it.
    pub about: String,
}

/// Starts a game: `POST /api/games`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// `rulebook/scenario`.
    pub scenario: String,
    /// The optional rules to switch on besides the scenario's own.
    #[serde(default)]
    pub options: Vec<String>,
    /// The seed of the dice, where one person plays and wants to know them; else nobody chooses it.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub seed: Option<String>,
    /// Who plays.
    #[serde(default)]
    pub players: Both<NewPlayer>,
    /// The side that whoever makes the game plays against another person, who is invited to the other one. Left out, one
    /// person plays all sides that the program does not.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub you: Option<Side>,
    /// How its opponents play.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<OpponentSettings>"))]
    pub opponents: OpponentSettings,
    /// Anything may be taken back, dice included; not between two people. The record says so.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub casual: bool,
}

/// How the opponents of a game play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default, deny_unknown_fields)]
pub struct OpponentSettings {
    /// How long a general may think about a phase, in seconds: 1 to 300.
    pub seconds: u32,
    /// True when they tell their reasons during the game, and not only when it is over.
    pub open_thoughts: bool,
}

impl Default for OpponentSettings {
    fn default() -> Self {
        OpponentSettings { seconds: 10, open_thoughts: false }
    }
}

/// Who shall play a side. A person has a seat; a level plays by itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewPlayer {
    /// The name, for the record.
    #[serde(default)]
    pub name: String,
    /// The level, when the program shall play this side.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub level: Option<String>,
}

/// Starts a game from a file: `POST /api/games/open`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OpenFile {
    /// The name of the file, for its faults.
    pub name: String,
    /// A record or a situation.
    pub text: String,
    /// Who plays.
    #[serde(default)]
    pub players: Both<NewPlayer>,
    /// The side that whoever makes the game plays against another person.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub you: Option<Side>,
    /// How its opponents play.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<OpponentSettings>"))]
    pub opponents: OpponentSettings,
    /// Anything may be taken back, dice included; not between two people.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub casual: bool,
}

/// A game was made. The links are secret: who has one sits there.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Created {
    /// The public name of the game.
    pub id: String,
    /// The seats of whoever made it: of his side between two people; else one for each side that a person plays, and one
    /// for both of them together. One for observers, which may be given to anybody.
    pub seats: Vec<Seat>,
    /// Between two people, what the other one is sent. It works once.
    pub invitation: Option<Seat>,
    /// The server's commitment to its part of the dice; nothing when somebody chose the seed.
    pub commitment: Option<String>,
}

/// Names an invitation: `POST /api/invitations/view` and `…/accept`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Invited {
    /// The secret of the invitation.
    pub invitation: String,
}

/// What somebody is invited to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Invitation {
    /// The game.
    pub game: GameSummary,
    /// The side that is free.
    pub sides: Vec<Side>,
    /// The server's commitment to its part of the dice; nothing when somebody chose the seed.
    pub commitment: Option<String>,
}

/// An invitation was accepted, and is used up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Accepted {
    /// The public name of the game.
    pub id: String,
    /// The seat: its secret is known to whoever accepted, and to nobody else.
    pub seat: Seat,
}

/// Invites somebody to a side that nobody holds any more: `POST /api/game/invite`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Invite {
    /// The side.
    pub side: Side,
}

/// A player's part of the dice: `POST /api/game/nonce`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Nonce {
    /// Any text; the first that is heard from a seat counts.
    pub nonce: String,
}

/// A seat and its secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Seat {
    /// The sides that it plays: none (an observer), one, or both.
    pub sides: Vec<Side>,
    /// The secret: `hello` takes it, and so does `Authorization: Bearer`.
    pub secret: String,
}

/// Why a file or a request cannot be used: all that is wrong with it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Faults {
    /// The first one, for a single line.
    pub why: String,
    /// All of them.
    pub faults: Vec<Fault>,
}

/// Something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fault {
    /// The file; may be empty.
    pub file: String,
    /// The line, counted from 1; 0 when it concerns the whole.
    pub line: u32,
    /// The field; may be empty.
    pub field: String,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// Finds games again by the secrets of their seats: `POST /api/games/find`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FindGames {
    /// The secrets; unknown ones are passed over.
    pub secrets: Vec<String>,
}

/// A game in the list of games.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    /// The public name of the game.
    pub id: String,
    /// The seats by which it was found.
    pub seats: Vec<Seat>,
    /// True between two people.
    pub for_two: bool,
    /// The short name of the rulebook.
    pub rulebook: String,
    /// The scenario's title, or the name of the file.
    pub title: String,
    /// Who plays.
    pub players: Both<super::Player>,
    /// The turn.
    pub turn: u32,
    /// The last turn.
    pub turns: u32,
    /// The phase.
    pub phase: String,
    /// Who decides; nobody when it is over.
    pub side: Option<Side>,
    /// How many actions were made.
    pub at: u32,
    /// When it last changed, in seconds since 1970.
    pub changed: f64,
    /// Why it cannot be played on by this program, if so.
    pub trouble: Option<String>,
}
