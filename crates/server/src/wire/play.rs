//! What is seen of a game, and what is said about it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Text;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Germany and its allies.
    Axis,
    /// The Soviet Union and its allies.
    Soviet,
}

/// Through whose eyes a game is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Eyes {
    /// The Axis player's.
    Axis,
    /// The Soviet player's.
    Soviet,
    /// An observer's, who sees what both players see.
    Observer,
    /// Everything: for who holds both seats, and for all when the game is over.
    All,
}

/// One of something for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Both<T> {
    /// The Axis'.
    pub axis: T,
    /// The Soviet side's.
    pub soviet: T,
}

/// What stays the same during a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// The public name of the game: no secret.
    pub id: String,
    /// The short name of the rulebook, for `/api/rulebooks/NAME/…`.
    pub rulebook: String,
    /// Its printed title.
    pub title: String,
    /// Publisher and edition.
    pub edition: String,
    /// The version of the rules.
    pub rules: u32,
    /// What it calls the two sides.
    pub sides: Both<String>,
    /// The scenario it began with; nothing when it began with a situation file.
    pub scenario: Option<String>,
    /// The scenario's title, or the name of the file.
    pub scenario_title: String,
    /// The optional rules that are on.
    pub options: Vec<String>,
    /// Who plays.
    pub players: Both<Player>,
    /// How the opponents play.
    pub opponents: super::OpponentSettings,
    /// True between two people; else one person holds all seats that the program does not play.
    pub for_two: bool,
    /// True when anything may be taken back, dice included.
    pub casual: bool,
    /// The server's commitment to its part of the dice; nothing when somebody chose the seed.
    pub commitment: Option<String>,
    /// True when somebody chose the seed and so could know the dice.
    pub seed_chosen: bool,
    /// Where the map is served.
    pub map: MapLinks,
    /// Every counter of the game as it was at its start.
    pub counters: Vec<Counter>,
    /// The forms of all actions: answers refer to them by their place.
    pub forms: Vec<Form>,
    /// The marks that counters can carry: `Front.flags` names them.
    pub marks: Vec<UnitMark>,
}

impl GameInfo {
    /// Who plays a side.
    pub fn player(&self, side: Side) -> &Player {
        match side {
            Side::Axis => &self.players.axis,
            Side::Soviet => &self.players.soviet,
        }
    }
}

/// A mark that counters can carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnitMark {
    /// Its word.
    pub word: String,
    /// The case behind it.
    pub case: String,
    /// What it means: the unit …
    pub about: String,
    /// How it is drawn.
    pub look: MarkLook,
    /// What is drawn on the counter, for good and bad ones.
    pub sign: String,
}

/// How a mark is drawn on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkLook {
    /// The piece has acted: its corner is folded.
    Done,
    /// Told in lists, not drawn.
    Quiet,
    /// Its sign, for something good.
    Good,
    /// Its sign, for something bad.
    Bad,
}

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Player {
    /// The name; may be empty.
    pub name: String,
    /// The opponent's level, when the program plays this side.
    pub level: Option<String>,
}

/// An opponent at work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thinking {
    /// The side that it plays.
    pub side: Side,
    /// How far its thinking is, from 0 to 1.
    pub progress: f64,
}

/// What an opponent had in mind when it made a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Thought {
    /// Whose plan it was.
    pub side: Side,
    /// The turn.
    pub turn: u32,
    /// The phase.
    pub phase: String,
    /// The first action of the plan, counted from 1.
    pub at: u32,
    /// The sentences.
    pub sentences: Vec<Text>,
}

/// Where a map is served; the addresses change with the map, so that they can be kept for ever.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapLinks {
    /// The drawing, without counters and legend.
    pub svg: String,
    /// Its [`Geometry`](super::Geometry).
    pub json: String,
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatInfo {
    /// The sides that it plays: none (an observer), one, or both (hotseat).
    pub sides: Vec<Side>,
    /// The eyes that it may look through; the first is the usual one.
    pub eyes: Vec<Eyes>,
}

/// A counter as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Counter {
    /// The unit's name in notation.
    pub unit: String,
    /// Whose it is.
    pub side: Side,
    /// Its full name.
    pub title: String,
    /// Whose army it belongs to: german, soviet, hungarian …: the colour of the counter.
    pub nation: String,
    /// The formation that the counter's stripe or shade shows; may be empty.
    pub formation: String,
    /// What its symbol shows.
    pub symbol: Symbol,
    /// Its size as printed above the symbol: II, III, X, XX, XXX, XXXX; may be empty.
    pub size: String,
    /// What is printed beside the symbol.
    pub designation: String,
    /// The factors of the front in printed order, `4-7`.
    pub front: String,
    /// The factors of the back; nothing when there is none.
    pub back: Option<String>,
    /// How many steps it has at full strength.
    pub steps: u8,
    /// Where it is set up or when it arrives, as printed: a hex, or `turn 3`; may be empty.
    pub arrives: String,
}

/// What stands in the box of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Symbol {
    /// Crossed lines.
    Infantry,
    /// A track.
    Armor,
    /// A track and crossed lines.
    Mechanized,
    /// Crossed lines on wheels.
    Motorized,
    /// One slanting line.
    Cavalry,
    /// A slanting line and a track.
    CavalryMechanized,
    /// A dot.
    Artillery,
    /// A dot on a track.
    AssaultGun,
    /// A dot and arrows.
    RocketArtillery,
    /// A bridge.
    Engineer,
    /// A wedge.
    AntiTank,
    /// A dome.
    AntiAir,
    /// An upright arrow.
    MachineGun,
    /// A slanting line on a short stroke.
    Reconnaissance,
    /// Crossed lines and wings.
    Airborne,
    /// Crossed lines and a peak.
    Mountain,
    /// A flag.
    Headquarters,
    /// Battlements.
    Fortification,
    /// A wheel.
    Supply,
    /// Wings.
    Air,
    /// A train.
    Rail,
    /// Nothing of these.
    Other,
}

/// A phase of the turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Phase {
    /// What it is called.
    pub name: String,
    /// Whose it is; nobody's when it is both sides'.
    pub side: Option<Side>,
    /// The case that orders it.
    pub case: String,
}

/// A turn on the track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Turn {
    /// Its number.
    pub turn: u32,
    /// Its dates or name; may be empty.
    pub title: String,
    /// The units that are due.
    pub arrives: Vec<String>,
    /// What else happens.
    pub notes: Vec<Note>,
}

/// A sentence with its case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Note {
    /// The case; may be empty.
    pub case: String,
    /// The sentence, lower case and without a full stop.
    pub text: Text,
}

/// What all actions of one sort have in common. An action in notation is the name, then its arguments, with spaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Form {
    /// The first word.
    pub name: String,
    /// The case that grants it.
    pub case: String,
    /// The sentence, with `{field}` for each argument that it tells.
    pub sentence: String,
    /// The arguments.
    pub fields: Vec<Field>,
    /// True when it finishes something by doing no more: end, stop, roll …; the main button.
    pub finishes: bool,
    /// What it is to those who know no rule.
    pub role: Role,
    /// What it does to an attack that is put together, if it does.
    pub step: Option<Step>,
}

/// What an answer does to an attack that is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Begins it with one unit.
    Name,
    /// A unit takes part.
    Join,
    /// It does not any more.
    Leave,
    /// Nothing comes of it.
    Cancel,
    /// It is done.
    Declare,
}

/// An argument of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What sort of word it is: unit, units, hex, hexside, side, number, mp, yes-no, or a word of the rulebook's own.
    pub kind: String,
    /// How sentences say some of its words; others are said with spaces for hyphens.
    pub said: BTreeMap<String, String>,
}

/// How a game stands, as the eyes that look see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Update {
    /// The number of this standing of the game. It grows with every change, undo and redo included, and names the
    /// decision that is now to be made.
    pub decision: u32,
    /// Through whose eyes this is.
    pub eyes: Eyes,
    /// How many actions were made so far.
    pub at: u32,
    /// What lies on the table.
    pub view: View,
    /// What is asked.
    pub question: Question,
    /// The sequence of play.
    pub sequence: Sequence,
    /// The counters that are not as they were at the start, of those in sight.
    pub counters: Vec<Counter>,
    /// The number of the first action in `log`. The client keeps what it has up to here and drops what it has beyond.
    /// When it has less, it asks for what is missing.
    pub log_from: u32,
    /// What happened, action by action.
    pub log: Vec<LogEntry>,
    /// Whether the last action can be taken back.
    pub undo: Possible,
    /// Whether what was taken back can be done again.
    pub redo: Possible,
    /// What this side may do without being asked: where the rules let it speak up, concede, offer or answer a draw.
    pub unasked: Vec<Unasked>,
    /// The standing orders of this side.
    pub orders: Vec<Order>,
}

/// The sequence of play as it stands now: who goes first and what was chosen may change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sequence {
    /// The phases of the turn, in order.
    pub phases: Vec<Phase>,
    /// The phase, by its place among them.
    pub phase: Option<u32>,
    /// The turns, with what is known of each by now.
    pub turns: Vec<Turn>,
}

/// A standing order: what the server answers for a player whenever something is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The case of what is asked.
    pub case: String,
    /// The answer: one that finishes something by doing no more.
    pub line: String,
    /// Only when what is asked names this unit or hex; whatever else is asked comes to the player.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub about: Option<String>,
    /// How long it stands.
    pub until: OrderEnd,
}

/// How long a standing order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OrderEnd {
    /// Until the side is asked something else.
    AskedOther,
    /// Until it is revoked.
    Revoked,
}

/// Something that a side may do without being asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Unasked {
    /// Who may.
    pub side: Side,
    /// How it is typed.
    pub line: String,
    /// What it does, in the word of its form: `concede`, `offer-draw` …
    pub form: String,
    /// The case that grants it, when a rule does.
    pub case: Option<String>,
    /// A sentence.
    pub text: Text,
}

/// Whether something can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Possible {
    /// Whether.
    pub can: bool,
    /// If so, what (in notation; may be empty); if not, why not.
    pub why: String,
}

/// Something that was said at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Said {
    /// Its number in the game; others' rooms have some of the numbers.
    pub number: u32,
    /// Where it was said.
    pub room: Room,
    /// The side that spoke; nobody's for an observer, and for who plays both.
    pub side: Option<Side>,
    /// The name of who spoke; may be empty.
    pub name: String,
    /// When, in seconds since 1970.
    pub time: f64,
    /// What.
    pub text: String,
}

/// Who hears what is said. When the game is over everybody hears everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// The players.
    Players,
    /// Those who look on.
    Observers,
}

/// What an opponent would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Advice {
    /// The answer in notation.
    pub line: String,
    /// A sentence for it.
    pub text: Text,
    /// What it has in mind.
    pub why: Vec<Text>,
}

/// Who is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Presence {
    /// Whether somebody sits there; the program always does.
    pub players: Both<bool>,
    /// How many look on.
    pub observers: u32,
    /// The sides whose players have not sat down yet: the game begins when all have, since the dice are mixed from a number
    /// of each.
    pub awaited: Vec<Side>,
    /// The sides that nobody holds, and whose players can be invited.
    pub free: Vec<Side>,
}

/// What lies on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// The turn.
    pub turn: u32,
    /// The last turn.
    pub turns: u32,
    /// The phase, as the rulebook calls it.
    pub phase: String,
    /// The stacks on the map.
    pub stacks: Vec<Stack>,
    /// Units off the map: boxes, dead piles, the turn track.
    pub boxes: Vec<HoldingBox>,
    /// Hexes that carry a marker.
    pub markers: Vec<Marker>,
    /// How it stands against what is needed to win.
    pub score: Vec<Score>,
    /// Numbers kept beside the map.
    pub tracks: Vec<Track>,
    /// What is counted, split and carried: dumps, loads, pools.
    pub stocks: Vec<Stock>,
}

/// The pieces in a hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stack {
    /// The label of the hex.
    pub hex: String,
    /// The pieces, top first.
    pub pieces: Vec<Piece>,
}

/// A named place beside the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HoldingBox {
    /// Its name.
    pub name: String,
    /// What players call it, lower case unless it is a name.
    pub title: String,
    /// What is in it.
    pub pieces: Vec<Piece>,
}

/// A counter as it lies on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What can be seen of it; nothing when it is hidden.
    pub front: Option<Front>,
}

/// The visible side of a counter and what is marked on it. The rest is in its [`Counter`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Front {
    /// The unit.
    pub unit: String,
    /// Its type, in the rulebook's word.
    pub kind: String,
    /// Its factors now.
    pub factors: String,
    /// Steps left.
    pub steps: u8,
    /// What is marked on it: moved, out of supply, disrupted …
    pub flags: Vec<String>,
    /// True when factors and steps are the most that it can have: what it has left these eyes may not know.
    pub at_most: bool,
}

/// Something about a hex that is not a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Marker {
    /// The label of the hex.
    pub hex: String,
    /// What it is.
    pub what: String,
    /// The side that it speaks for, if it does.
    pub side: Option<Side>,
    /// What is drawn on it: one letter or sign.
    pub sign: String,
}

/// So much of something in one place, as far as these eyes may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stock {
    /// The hex that it lies in.
    pub hex: Option<String>,
    /// The unit that carries it. With neither it is kept beside the map.
    pub unit: Option<String>,
    /// Whose it is.
    pub side: Side,
    /// What it is, in the rulebook's word.
    pub what: String,
    /// How much of it; nothing when these eyes may not know.
    pub amount: Option<u32>,
}

/// How it stands against what is needed to win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Score {
    /// Who scores.
    pub side: Side,
    /// What is counted.
    pub what: String,
    /// How much of it there is, if the game ended now.
    pub points: i32,
    /// What is reached from so many on, the highest first.
    pub levels: Vec<ScoreLevel>,
    /// What it is below the last of them; may be empty.
    pub below: String,
    /// The case.
    pub case: String,
}

/// What so many points are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoreLevel {
    /// From so many on.
    pub from: i32,
    /// What that is.
    pub what: String,
}

/// A number kept beside the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Track {
    /// What is counted.
    pub name: String,
    /// How it stands.
    pub value: String,
}

/// What is asked, or how the game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Question {
    /// Who decides; nobody when the game is over.
    pub side: Option<Side>,
    /// True when the seat plays that side and looks through its eyes (or all): then there are answers.
    pub yours: bool,
    /// The case behind the prompt; empty for the waiting side.
    pub case: String,
    /// What is asked, lower case and without a full stop; for the waiting side only who is waited for.
    pub prompt: Text,
    /// Every legal answer, by its form.
    pub answers: Vec<Answers>,
    /// The answers without arguments that could be given now if a rule did not forbid them.
    pub barred: Vec<Barred>,
    /// Units that answers name and that can do nothing: after each of their answers there is nothing left but to finish.
    pub stuck: Vec<String>,
    /// How the game ended.
    pub over: Option<Over>,
}

/// An answer that a rule forbids now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Barred {
    /// The place of the form in the game's list.
    pub form: u32,
    /// The case that forbids it.
    pub case: String,
    /// Why.
    pub why: Text,
}

/// All answers of one form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Answers {
    /// The place of the form in the game's list.
    pub form: u32,
    /// The arguments of each answer.
    pub args: Vec<Vec<String>>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Over {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Text,
    /// The case of the victory conditions.
    pub case: String,
    /// Points, where the rulebook counts them.
    pub points: Both<i32>,
    /// The seed of the dice, revealed.
    pub seed: Option<String>,
    /// What it was mixed from; nothing when somebody chose it.
    pub mixture: Option<Mixture>,
}

/// What the seed of the dice was mixed from, revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mixture {
    /// What the server had committed itself to.
    pub secret: String,
    /// The players' numbers; empty where none was given.
    pub nonces: Both<String>,
}

/// An action and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogEntry {
    /// How many actions there were with this one: the moment after it.
    pub at: u32,
    /// Who acted.
    pub side: Side,
    /// What was done, in notation; nothing when these eyes are not told.
    pub action: Option<String>,
    /// What happened.
    pub events: Vec<Happening>,
}

/// What something is to those who know no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Nothing in particular.
    Plain,
    /// An answer that finishes something by doing no more.
    Finish,
    /// An answer that ends the phase.
    EndPhase,
    /// An answer that only takes back another.
    TakeBack,
    /// An answer that only puts things in order.
    Arrange,
    /// What an answer costs.
    Price,
    /// A turn begins.
    Turn,
    /// A phase begins.
    Phase,
    /// A part of the account of a combat.
    Account,
    /// The column that counts.
    Column,
    /// What a table says.
    Result,
    /// What a die says to a player who may still roll it again.
    Reading,
    /// A unit has gone to a hex.
    Move,
    /// A unit loses strength.
    Loss,
    /// A unit is gone.
    Eliminated,
    /// A unit retreats.
    Retreat,
    /// A unit advances after combat.
    Advance,
    /// An attack is declared.
    Attack,
    /// Something hidden is shown.
    Shown,
    /// A hex changes hands.
    Control,
    /// A unit arrives.
    Arrival,
    /// The game is over.
    End,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Happening {
    /// The name of the event; `roll` for dice. Every rulebook has `turn`, `phase` and `result`.
    pub event: String,
    /// The case behind it; may be empty.
    pub case: String,
    /// What it is to those who know no rule.
    pub role: Role,
    /// A sentence.
    pub text: Text,
    /// The hexes that it names.
    pub hexes: Vec<String>,
    /// The units that it names.
    pub units: Vec<String>,
    /// Its fields by name.
    pub fields: BTreeMap<String, Value>,
    /// The die, when it is one.
    pub roll: Option<Roll>,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A word.
    Word(String),
}

/// A die that was rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Roll {
    /// Whose it is.
    pub side: Side,
    /// How many faces it has.
    pub die: u32,
    /// What it shows.
    pub result: u32,
    /// What it is rolled for.
    pub purpose: String,
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refusal {
    /// The rule case that forbids it, when a rule does.
    pub case: Option<String>,
    /// Why, with the numbers.
    pub why: Text,
    /// The line that is refused, counted from 0, where lines were given.
    pub line: Option<u32>,
    /// True when it answers a decision that is over: the client takes the latest update and asks the player again.
    pub stale: bool,
}

/// Whether a line is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Verdict {
    /// The line in notation.
    pub line: String,
    /// A sentence for it.
    pub text: Text,
    /// Why it is not allowed; nothing when it is.
    pub refusal: Option<Refusal>,
}

/// How a game would stand after some lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Outlook {
    /// What happens on the way.
    pub events: Vec<Happening>,
    /// What is asked then.
    pub question: Question,
    /// Whether all of it could be taken back, and why not.
    pub undo: Possible,
    /// The units in sight that lie in another box beside the map than now.
    pub boxed: Vec<Boxed>,
}

/// A unit in a box beside the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Boxed {
    /// The unit.
    pub unit: String,
    /// The name of the box.
    pub name: String,
}

/// A move in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RouteSummary {
    /// The action in notation.
    pub line: String,
    /// What it costs in all, in movement points: `3`, `2 1/2`.
    pub cost: String,
    /// The hexes from the unit's own to the last.
    pub path: Vec<String>,
}

/// A move hex by hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Route {
    /// The action in notation.
    pub line: String,
    /// Where it begins.
    pub from: String,
    /// What it costs in all.
    pub cost: String,
    /// What the unit has to spend.
    pub has: String,
    /// The hexes that it enters.
    pub legs: Vec<Leg>,
}

/// One hex of a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Leg {
    /// The hex entered.
    pub hex: String,
    /// What entering it costs.
    pub cost: String,
    /// What that is made of.
    pub parts: Vec<Cost>,
}

/// A part of a cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Cost {
    /// What for.
    pub what: String,
    /// How much.
    pub cost: String,
    /// The case.
    pub case: String,
}

/// What a commitment leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Prospect {
    /// The commitment, with whatever completed it.
    pub lines: Vec<String>,
    /// What is certain: strengths, shifts, the column.
    pub account: Vec<Happening>,
    /// What may come of it: from good to bad for whoever attacks, else the likeliest first.
    pub ways: Vec<Way>,
    /// Who commits himself.
    pub side: Option<Side>,
    /// What comes of it on average, where somebody can lose something by it.
    pub gist: Option<Gist>,
    /// True when it depends on what is hidden from these eyes: that was dealt at random, and the account is left out.
    pub guess: bool,
}

/// What comes of an attack on average, by what the enemy does where he may choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Gist {
    /// Where he gives way: retreats wherever he may.
    pub gives_way: Balance,
    /// Where he stands, and loses what he must.
    pub stands: Balance,
}

/// What comes of an attack on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Balance {
    /// The chance that the enemy is gone from a hex that he held.
    pub taken: f64,
    /// The steps that each side loses.
    pub lost: Both<f64>,
}

/// One way that a commitment can turn out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Way {
    /// The chance as a fraction.
    pub chance: String,
    /// The chance as a number from 0 to 1.
    pub p: f64,
    /// The result in a word, where there is one: `DR`.
    pub label: String,
    /// What happens.
    pub events: Vec<Happening>,
    /// What comes of it on average.
    pub gist: Option<Gist>,
}

/// Something proved of a unit, or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Proof {
    /// What is in question: supply, command …
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
    /// The path that shows it, or the one that something stands in the way of.
    pub path: Vec<String>,
    /// Why.
    pub because: Vec<Note>,
}

/// Everything about a hex that does not lie on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HexInfo {
    /// Its label.
    pub hex: String,
    /// Its terrain.
    pub terrain: String,
    /// The places in it.
    pub names: Vec<String>,
    /// What else is in it: `city`, `entrenchment` …
    pub features: Vec<String>,
    /// What the rulebook says of it now: stacking room, control, what it adds to a defence.
    pub notes: Vec<Note>,
}

/// A set of hexes with a meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overlay {
    /// A short name that stays the same: `zoc-axis`, `control-soviet`, `victory`, `reach` …
    pub name: String,
    /// What it shows: `zoc`, `control`, `victory`, `reach`, `oos` …
    pub kind: String,
    /// What a legend calls it.
    pub title: String,
    /// The case behind it; may be empty.
    pub case: String,
    /// Whose it is.
    pub side: Option<Side>,
    /// The hexes.
    pub hexes: Vec<String>,
}

/// How a game stood at some moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Moment {
    /// After how many actions.
    pub at: u32,
    /// How many there are in all.
    pub of: u32,
    /// What lay on the table.
    pub view: View,
    /// The sequence of play then.
    pub sequence: Sequence,
    /// The counters in sight that were not as at the start.
    pub counters: Vec<Counter>,
    /// What was asked then; without answers.
    pub question: Question,
    /// The action that led here; nothing at the start.
    pub entry: Option<LogEntry>,
}

/// A moment worth a tick on the slider: it begins a turn or a phase, or resolves a combat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mark {
    /// The moment, after so many actions.
    pub at: u32,
    /// `turn`, `phase` or `combat`.
    pub kind: MarkKind,
    /// What happened.
    pub text: Text,
}

/// Why a moment is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// A turn begins.
    Turn,
    /// A phase begins.
    Phase,
    /// A combat is resolved.
    Combat,
}

/// Every die that these eyes were told of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Luck {
    /// By side and purpose.
    pub ledger: Vec<LuckLine>,
    /// The dice in their order.
    pub rolls: Vec<LuckRoll>,
}

/// The dice of a side for one purpose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LuckLine {
    /// Whose.
    pub side: Side,
    /// What for.
    pub purpose: String,
    /// Faces of the die.
    pub die: u32,
    /// How many were rolled.
    pub count: u32,
    /// Their sum.
    pub sum: u32,
    /// What their sum was to be expected.
    pub expected: f64,
    /// How often each face came, from 1 up.
    pub faces: Vec<u32>,
}

/// One die.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LuckRoll {
    /// The moment.
    pub at: u32,
    /// The case that asks for it.
    pub case: String,
    /// The die.
    pub roll: Roll,
}
