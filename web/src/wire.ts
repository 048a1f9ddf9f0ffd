// Generated from crates/server/src/wire.rs. Do not edit: `make wire` writes it anew.

export const VERSION = 5;

/**
 * What a client says over the WebSocket. The first message is `hello`.
 *
 * Every other message has an `id` of the client's choice, which its one reply (`done`, `refused` or `answer`) repeats.
 */
export type ClientMessage = { "type": "hello", 
/**
 * The version of the protocol that the client speaks.
 */
version: number, 
/**
 * The secret of the seat.
 */
seat: string, 
/**
 * Through whose eyes, where the seat has a choice.
 */
eyes?: Eyes, 
/**
 * The player's part of the dice, any text: the first that is heard from a seat counts.
 */
nonce?: string, } | { "type": "act", 
/**
 * For the reply.
 */
id: number, 
/**
 * The number of the decision that the first line answers.
 */
decision: number, 
/**
 * The actions.
 */
lines: Array<string>, 
/**
 * What the next dice show: only in a casual game that one person plays alone.
 */
dice?: Array<number>, } | { "type": "undo", 
/**
 * For the reply.
 */
id: number, 
/**
 * The number of the decision that is given up.
 */
decision: number, } | { "type": "redo", 
/**
 * For the reply.
 */
id: number, 
/**
 * The number of the present decision.
 */
decision: number, } | { "type": "look", 
/**
 * For the reply.
 */
id: number, 
/**
 * Whose.
 */
eyes: Eyes, } | { "type": "sync", 
/**
 * For the reply.
 */
id: number, } | { "type": "hurry", 
/**
 * For the reply.
 */
id: number, } | { "type": "order", 
/**
 * For the reply.
 */
id: number, 
/**
 * All of them.
 */
orders: Array<Order>, } | { "type": "say", 
/**
 * For the reply.
 */
id: number, 
/**
 * What.
 */
text: string, 
/**
 * Who speaks, where the seat has no name of its own: an observer.
 */
name?: string, } | { "type": "ask", 
/**
 * For the reply.
 */
id: number, 
/**
 * What.
 */
ask: Ask, };

/**
 * What the server says over the WebSocket.
 */
export type ServerMessage = { "type": "welcome", 
/**
 * The version of the protocol.
 */
version: number, 
/**
 * What stays the same during the game.
 */
game: GameInfo, 
/**
 * What this seat is.
 */
seat: SeatInfo, 
/**
 * How the game stands.
 */
update: Update, } | { "type": "update" } & Update | { "type": "presence" } & Presence | { "type": "said", 
/**
 * The oldest first.
 */
said: Array<Said>, } | { "type": "thinking", 
/**
 * Who, and how far.
 */
thinking: Thinking | null, } | { "type": "done", 
/**
 * The client's number.
 */
id: number, 
/**
 * How many lines of an `act` were carried out.
 */
done: number, 
/**
 * Why not all were.
 */
stopped: Refusal | null, } | { "type": "refused", 
/**
 * The client's number.
 */
id: number, 
/**
 * Why.
 */
refusal: Refusal, } | { "type": "answer", 
/**
 * The client's number.
 */
id: number, 
/**
 * The answer.
 */
answer: Answer, } | { "type": "goodbye", 
/**
 * Why.
 */
why: string, 
/**
 * True when it makes sense to connect again.
 */
again: boolean, };

/**
 * Something asked about a game. `lines` are actions in notation that are imagined first, from the present decision on;
 * they may not need a die, show anything hidden, or lead to the other side's decision.
 */
export type Ask = { "what": "look", 
/**
 * Imagined first.
 */
lines: Array<string>, } | { "what": "routes", 
/**
 * Imagined first.
 */
lines: Array<string>, 
/**
 * Only answers whose first argument is this unit.
 */
unit?: string, } | { "what": "route", 
/**
 * Imagined first, and the move itself last.
 */
lines: Array<string>, } | { "what": "check", 
/**
 * Imagined first, and the line in question last.
 */
lines: Array<string>, } | { "what": "why", 
/**
 * Imagined first.
 */
lines: Array<string>, 
/**
 * The unit, if one was picked.
 */
unit?: string, 
/**
 * The hex, if one was picked.
 */
hex?: string, } | { "what": "odds", 
/**
 * The commitment.
 */
lines: Array<string>, 
/**
 * Go on with finishing answers until a die is rolled or something else must be chosen.
 */
complete: boolean, } | { "what": "threat", 
/**
 * The hex.
 */
hex: string, } | { "what": "explain", 
/**
 * The unit.
 */
unit: string, } | { "what": "hex", 
/**
 * The hex.
 */
hex: string, } | { "what": "overlays" } | { "what": "at", 
/**
 * How many.
 */
at: number, } | { "what": "log", 
/**
 * The first action, counted from 0.
 */
from: number, 
/**
 * The action before which to stop.
 */
to: number, } | { "what": "marks" } | { "what": "luck" } | { "what": "thoughts" } | { "what": "situation" } | { "what": "branch", 
/**
 * How many.
 */
at: number, } | { "what": "advice", 
/**
 * Its level.
 */
level: string, } | { "what": "record" };

/**
 * The answer to an [`Ask`].
 */
export type Answer = { "what": "look" } & Outlook | { "what": "routes", 
/**
 * One for each answer that moves something.
 */
routes: Array<RouteSummary>, } | { "what": "route" } & Route | { "what": "check" } & Verdict | { "what": "why", 
/**
 * What was tried: what is allowed first.
 */
verdicts: Array<Verdict>, } | { "what": "odds" } & Prospect | { "what": "threat" } & Prospect | { "what": "explain", 
/**
 * One for each thing that can be proved or not.
 */
proofs: Array<Proof>, } | { "what": "hex" } & HexInfo | { "what": "overlays", 
/**
 * All of them.
 */
overlays: Array<Overlay>, } | { "what": "at" } & Moment | { "what": "log", 
/**
 * The number of the first action in it.
 */
from: number, 
/**
 * The actions.
 */
log: Array<LogEntry>, } | { "what": "marks", 
/**
 * All of them.
 */
marks: Array<Mark>, } | { "what": "luck" } & Luck | { "what": "thoughts", 
/**
 * The oldest first.
 */
thoughts: Array<Thought>, } | { "what": "advice" } & Advice | { "what": "text", 
/**
 * A good name for a file.
 */
name: string, 
/**
 * The text.
 */
text: string, };

/**
 * A text for people: what is read in its order, words as they are and everything else as an object, such as
 * `["an enemy unit is in ", {"hex": "1203"}]`.
 */
export type Text = Array<Span>;

/**
 * A part of a text.
 */
export type Span = string | Thing;

/**
 * What a text can name besides words.
 */
export type Thing = { "unit": string } | { "hex": string } | { "number": string } | { "case": string };

/**
 * One of the two sides.
 */
export type Side = "axis" | "soviet";

/**
 * Through whose eyes a game is seen.
 */
export type Eyes = "axis" | "soviet" | "observer" | "all";

/**
 * One of something for each side.
 */
export type Both<T> = { 
/**
 * The Axis'.
 */
axis: T, 
/**
 * The Soviet side's.
 */
soviet: T, };

/**
 * What stays the same during a game.
 */
export type GameInfo = { 
/**
 * The public name of the game: no secret.
 */
id: string, 
/**
 * The short name of the rulebook, for `/api/rulebooks/NAME/…`.
 */
rulebook: string, 
/**
 * Its printed title.
 */
title: string, 
/**
 * Publisher and edition.
 */
edition: string, 
/**
 * The version of the rules.
 */
rules: number, 
/**
 * What it calls the two sides.
 */
sides: Both<string>, 
/**
 * The scenario it began with; nothing when it began with a situation file.
 */
scenario: string | null, 
/**
 * The scenario's title, or the name of the file.
 */
scenario_title: string, 
/**
 * The optional rules that are on.
 */
options: Array<string>, 
/**
 * Who plays.
 */
players: Both<Player>, 
/**
 * How the opponents play.
 */
opponents: OpponentSettings, 
/**
 * True between two people; else one person holds all seats that the program does not play.
 */
for_two: boolean, 
/**
 * True when anything may be taken back, dice included.
 */
casual: boolean, 
/**
 * The server's commitment to its part of the dice; nothing when somebody chose the seed.
 */
commitment: string | null, 
/**
 * True when somebody chose the seed and so could know the dice.
 */
seed_chosen: boolean, 
/**
 * Where the map is served.
 */
map: MapLinks, 
/**
 * Every counter of the game as it was at its start.
 */
counters: Array<Counter>, 
/**
 * The forms of all actions: answers refer to them by their place.
 */
forms: Array<Form>, 
/**
 * The marks that counters can carry: `Front.flags` names them.
 */
marks: Array<UnitMark>, };

/**
 * A mark that counters can carry.
 */
export type UnitMark = { 
/**
 * Its word.
 */
word: string, 
/**
 * The case behind it.
 */
case: string, 
/**
 * What it means: the unit …
 */
about: string, 
/**
 * How it is drawn.
 */
look: MarkLook, 
/**
 * What is drawn on the counter, for good and bad ones.
 */
sign: string, };

/**
 * How a mark is drawn on a counter.
 */
export type MarkLook = "done" | "quiet" | "good" | "bad";

/**
 * The sequence of play as it stands now: who goes first and what was chosen may change it.
 */
export type Sequence = { 
/**
 * The phases of the turn, in order.
 */
phases: Array<Phase>, 
/**
 * The phase, by its place among them.
 */
phase: number | null, 
/**
 * The turns, with what is known of each by now.
 */
turns: Array<Turn>, };

/**
 * Who plays a side.
 */
export type Player = { 
/**
 * The name; may be empty.
 */
name: string, 
/**
 * The opponent's level, when the program plays this side.
 */
level: string | null, };

/**
 * An opponent at work.
 */
export type Thinking = { 
/**
 * The side that it plays.
 */
side: Side, 
/**
 * How far its thinking is, from 0 to 1.
 */
progress: number, };

/**
 * What an opponent had in mind when it made a plan.
 */
export type Thought = { 
/**
 * Whose plan it was.
 */
side: Side, 
/**
 * The turn.
 */
turn: number, 
/**
 * The phase.
 */
phase: string, 
/**
 * The first action of the plan, counted from 1.
 */
at: number, 
/**
 * The sentences.
 */
sentences: Array<Text>, };

/**
 * Where a map is served; the addresses change with the map, so that they can be kept for ever.
 */
export type MapLinks = { 
/**
 * The drawing, without counters and legend.
 */
svg: string, 
/**
 * Its [`Geometry`](super::Geometry).
 */
json: string, };

/**
 * A seat at the table.
 */
export type SeatInfo = { 
/**
 * The sides that it plays: none (an observer), one, or both (hotseat).
 */
sides: Array<Side>, 
/**
 * The eyes that it may look through; the first is the usual one.
 */
eyes: Array<Eyes>, };

/**
 * A counter as it is printed.
 */
export type Counter = { 
/**
 * The unit's name in notation.
 */
unit: string, 
/**
 * Whose it is.
 */
side: Side, 
/**
 * Its full name.
 */
title: string, 
/**
 * Whose army it belongs to: german, soviet, hungarian …: the colour of the counter.
 */
nation: string, 
/**
 * The formation that the counter's stripe or shade shows; may be empty.
 */
formation: string, 
/**
 * What its symbol shows.
 */
symbol: Symbol, 
/**
 * Its size as printed above the symbol: II, III, X, XX, XXX, XXXX; may be empty.
 */
size: string, 
/**
 * What is printed beside the symbol.
 */
designation: string, 
/**
 * The factors of the front in printed order, `4-7`.
 */
front: string, 
/**
 * The factors of the back; nothing when there is none.
 */
back: string | null, 
/**
 * How many steps it has at full strength.
 */
steps: number, 
/**
 * Where it is set up or when it arrives, as printed: a hex, or `turn 3`; may be empty.
 */
arrives: string, };

/**
 * What stands in the box of a counter.
 */
export type Symbol = "infantry" | "armor" | "mechanized" | "motorized" | "cavalry" | "cavalry-mechanized" | "artillery" | "assault-gun" | "rocket-artillery" | "engineer" | "anti-tank" | "anti-air" | "machine-gun" | "reconnaissance" | "airborne" | "mountain" | "headquarters" | "fortification" | "supply" | "air" | "rail" | "other";

/**
 * A phase of the turn.
 */
export type Phase = { 
/**
 * What it is called.
 */
name: string, 
/**
 * Whose it is; nobody's when it is both sides'.
 */
side: Side | null, 
/**
 * The case that orders it.
 */
case: string, };

/**
 * A turn on the track.
 */
export type Turn = { 
/**
 * Its number.
 */
turn: number, 
/**
 * Its dates or name; may be empty.
 */
title: string, 
/**
 * The units that are due.
 */
arrives: Array<string>, 
/**
 * What else happens.
 */
notes: Array<Note>, };

/**
 * A sentence with its case.
 */
export type Note = { 
/**
 * The case; may be empty.
 */
case: string, 
/**
 * The sentence, lower case and without a full stop.
 */
text: Text, };

/**
 * What all actions of one sort have in common. An action in notation is the name, then its arguments, with spaces.
 */
export type Form = { 
/**
 * The first word.
 */
name: string, 
/**
 * The case that grants it.
 */
case: string, 
/**
 * The sentence, with `{field}` for each argument that it tells.
 */
sentence: string, 
/**
 * The arguments.
 */
fields: Array<Field>, 
/**
 * True when it finishes something by doing no more: end, stop, roll …; the main button.
 */
finishes: boolean, 
/**
 * What it is to those who know no rule.
 */
role: Role, 
/**
 * What it does to an attack that is put together, if it does.
 */
step: Step | null, };

/**
 * What an answer does to an attack that is put together.
 */
export type Step = "name" | "join" | "leave" | "cancel" | "declare";

/**
 * An argument of a form.
 */
export type Field = { 
/**
 * Its name.
 */
name: string, 
/**
 * What sort of word it is: unit, units, hex, hexside, side, number, mp, yes-no, or a word of the rulebook's own.
 */
kind: string, 
/**
 * How sentences say some of its words; others are said with spaces for hyphens.
 */
said: { [key in string]: string }, };

/**
 * An answer that a rule forbids now.
 */
export type Barred = { 
/**
 * The place of the form in the game's list.
 */
form: number, 
/**
 * The case that forbids it.
 */
case: string, 
/**
 * Why.
 */
why: Text, };

/**
 * How it stands against what is needed to win.
 */
export type Score = { 
/**
 * Who scores.
 */
side: Side, 
/**
 * What is counted.
 */
what: string, 
/**
 * How much of it there is, if the game ended now.
 */
points: number, 
/**
 * What is reached from so many on, the highest first.
 */
levels: Array<ScoreLevel>, 
/**
 * What it is below the last of them; may be empty.
 */
below: string, 
/**
 * The case.
 */
case: string, };

/**
 * What so many points are.
 */
export type ScoreLevel = { 
/**
 * From so many on.
 */
from: number, 
/**
 * What that is.
 */
what: string, };

/**
 * How a game stands, as the eyes that look see it.
 */
export type Update = { 
/**
 * The number of this standing of the game. It grows with every change, undo and redo included, and names the
 * decision that is now to be made.
 */
decision: number, 
/**
 * Through whose eyes this is.
 */
eyes: Eyes, 
/**
 * How many actions were made so far.
 */
at: number, 
/**
 * What lies on the table.
 */
view: View, 
/**
 * What is asked.
 */
question: Question, 
/**
 * The sequence of play.
 */
sequence: Sequence, 
/**
 * The counters that are not as they were at the start, of those in sight.
 */
counters: Array<Counter>, 
/**
 * The number of the first action in `log`. The client keeps what it has up to here and drops what it has beyond.
 * When it has less, it asks for what is missing.
 */
log_from: number, 
/**
 * What happened, action by action.
 */
log: Array<LogEntry>, 
/**
 * Whether the last action can be taken back.
 */
undo: Possible, 
/**
 * Whether what was taken back can be done again.
 */
redo: Possible, 
/**
 * What this side may do without being asked: where the rules let it speak up, concede, offer or answer a draw.
 */
unasked: Array<Unasked>, 
/**
 * The standing orders of this side.
 */
orders: Array<Order>, };

/**
 * Whether something can be done.
 */
export type Possible = { 
/**
 * Whether.
 */
can: boolean, 
/**
 * If so, what (in notation; may be empty); if not, why not.
 */
why: string, };

/**
 * Something that a side may do without being asked.
 */
export type Unasked = { 
/**
 * Who may.
 */
side: Side, 
/**
 * How it is typed.
 */
line: string, 
/**
 * What it does, in the word of its form: `concede`, `offer-draw` …
 */
form: string, 
/**
 * The case that grants it, when a rule does.
 */
case: string | null, 
/**
 * A sentence.
 */
text: Text, };

/**
 * A standing order: what the server answers for a player whenever something is asked.
 */
export type Order = { 
/**
 * The case of what is asked.
 */
case: string, 
/**
 * The answer: one that finishes something by doing no more.
 */
line: string, 
/**
 * Only when what is asked names this unit or hex; whatever else is asked comes to the player.
 */
about?: string, 
/**
 * How long it stands.
 */
until: OrderEnd, };

/**
 * How long a standing order stands.
 */
export type OrderEnd = "asked_other" | "revoked";

/**
 * What something is to those who know no rule.
 */
export type Role = "plain" | "finish" | "end-phase" | "take-back" | "arrange" | "price" | "turn" | "phase" | "account" | "column" | "result" | "reading" | "move" | "loss" | "eliminated" | "retreat" | "advance" | "attack" | "shown" | "control" | "arrival" | "end";

/**
 * Something that was said at the table.
 */
export type Said = { 
/**
 * Its number in the game; others' rooms have some of the numbers.
 */
number: number, 
/**
 * Where it was said.
 */
room: Room, 
/**
 * The side that spoke; nobody's for an observer, and for who plays both.
 */
side: Side | null, 
/**
 * The name of who spoke; may be empty.
 */
name: string, 
/**
 * When, in seconds since 1970.
 */
time: number, 
/**
 * What.
 */
text: string, };

/**
 * Who hears what is said. When the game is over everybody hears everything.
 */
export type Room = "players" | "observers";

/**
 * What an opponent would do.
 */
export type Advice = { 
/**
 * The answer in notation.
 */
line: string, 
/**
 * A sentence for it.
 */
text: Text, 
/**
 * What it has in mind.
 */
why: Array<Text>, };

/**
 * Who is connected.
 */
export type Presence = { 
/**
 * Whether somebody sits there; the program always does.
 */
players: Both<boolean>, 
/**
 * How many look on.
 */
observers: number, 
/**
 * The sides whose players have not sat down yet: the game begins when all have, since the dice are mixed from a number
 * of each.
 */
awaited: Array<Side>, 
/**
 * The sides that nobody holds, and whose players can be invited.
 */
free: Array<Side>, };

/**
 * What lies on the table.
 */
export type View = { 
/**
 * The turn.
 */
turn: number, 
/**
 * The last turn.
 */
turns: number, 
/**
 * The phase, as the rulebook calls it.
 */
phase: string, 
/**
 * The stacks on the map.
 */
stacks: Array<Stack>, 
/**
 * Units off the map: boxes, dead piles, the turn track.
 */
boxes: Array<HoldingBox>, 
/**
 * Hexes that carry a marker.
 */
markers: Array<Marker>, 
/**
 * How it stands against what is needed to win.
 */
score: Array<Score>, 
/**
 * Numbers kept beside the map.
 */
tracks: Array<Track>, 
/**
 * What is counted, split and carried: dumps, loads, pools.
 */
stocks: Array<Stock>, };

/**
 * The pieces in a hex.
 */
export type Stack = { 
/**
 * The label of the hex.
 */
hex: string, 
/**
 * The pieces, top first.
 */
pieces: Array<Piece>, };

/**
 * A named place beside the map.
 */
export type HoldingBox = { 
/**
 * Its name.
 */
name: string, 
/**
 * What players call it, lower case unless it is a name.
 */
title: string, 
/**
 * What is in it.
 */
pieces: Array<Piece>, };

/**
 * A unit in a box beside the map.
 */
export type Boxed = { 
/**
 * The unit.
 */
unit: string, 
/**
 * The name of the box.
 */
name: string, };

/**
 * A counter as it lies on the table.
 */
export type Piece = { 
/**
 * Whose it is.
 */
side: Side, 
/**
 * What can be seen of it; nothing when it is hidden.
 */
front: Front | null, };

/**
 * The visible side of a counter and what is marked on it. The rest is in its [`Counter`].
 */
export type Front = { 
/**
 * The unit.
 */
unit: string, 
/**
 * Its type, in the rulebook's word.
 */
kind: string, 
/**
 * Its factors now.
 */
factors: string, 
/**
 * Steps left.
 */
steps: number, 
/**
 * What is marked on it: moved, out of supply, disrupted …
 */
flags: Array<string>, 
/**
 * True when factors and steps are the most that it can have: what it has left these eyes may not know.
 */
at_most: boolean, };

/**
 * Something about a hex that is not a unit.
 */
export type Marker = { 
/**
 * The label of the hex.
 */
hex: string, 
/**
 * What it is.
 */
what: string, 
/**
 * The side that it speaks for, if it does.
 */
side: Side | null, 
/**
 * What is drawn on it: one letter or sign.
 */
sign: string, };

/**
 * A number kept beside the map.
 */
export type Track = { 
/**
 * What is counted.
 */
name: string, 
/**
 * How it stands.
 */
value: string, };

/**
 * So much of something in one place, as far as these eyes may know.
 */
export type Stock = { 
/**
 * The hex that it lies in.
 */
hex: string | null, 
/**
 * The unit that carries it. With neither it is kept beside the map.
 */
unit: string | null, 
/**
 * Whose it is.
 */
side: Side, 
/**
 * What it is, in the rulebook's word.
 */
what: string, 
/**
 * How much of it; nothing when these eyes may not know.
 */
amount: number | null, };

/**
 * What is asked, or how the game ended.
 */
export type Question = { 
/**
 * Who decides; nobody when the game is over.
 */
side: Side | null, 
/**
 * True when the seat plays that side and looks through its eyes (or all): then there are answers.
 */
yours: boolean, 
/**
 * The case behind the prompt; empty for the waiting side.
 */
case: string, 
/**
 * What is asked, lower case and without a full stop; for the waiting side only who is waited for.
 */
prompt: Text, 
/**
 * Every legal answer, by its form.
 */
answers: Array<Answers>, 
/**
 * The answers without arguments that could be given now if a rule did not forbid them.
 */
barred: Array<Barred>, 
/**
 * Units that answers name and that can do nothing: after each of their answers there is nothing left but to finish.
 */
stuck: Array<string>, 
/**
 * How the game ended.
 */
over: Over | null, };

/**
 * All answers of one form.
 */
export type Answers = { 
/**
 * The place of the form in the game's list.
 */
form: number, 
/**
 * The arguments of each answer.
 */
args: Array<Array<string>>, };

/**
 * How a game ended.
 */
export type Over = { 
/**
 * Who won; nobody in a draw.
 */
winner: Side | null, 
/**
 * Why.
 */
reason: Text, 
/**
 * The case of the victory conditions.
 */
case: string, 
/**
 * Points, where the rulebook counts them.
 */
points: Both<number>, 
/**
 * The seed of the dice, revealed.
 */
seed: string | null, 
/**
 * What it was mixed from; nothing when somebody chose it.
 */
mixture: Mixture | null, };

/**
 * What the seed of the dice was mixed from, revealed.
 */
export type Mixture = { 
/**
 * What the server had committed itself to.
 */
secret: string, 
/**
 * The players' numbers; empty where none was given.
 */
nonces: Both<string>, };

/**
 * An action and what came of it.
 */
export type LogEntry = { 
/**
 * How many actions there were with this one: the moment after it.
 */
at: number, 
/**
 * Who acted.
 */
side: Side, 
/**
 * What was done, in notation; nothing when these eyes are not told.
 */
action: string | null, 
/**
 * What happened.
 */
events: Array<Happening>, };

/**
 * Something that happened.
 */
export type Happening = { 
/**
 * The name of the event; `roll` for dice. Every rulebook has `turn`, `phase` and `result`.
 */
event: string, 
/**
 * The case behind it; may be empty.
 */
case: string, 
/**
 * What it is to those who know no rule.
 */
role: Role, 
/**
 * A sentence.
 */
text: Text, 
/**
 * The hexes that it names.
 */
hexes: Array<string>, 
/**
 * The units that it names.
 */
units: Array<string>, 
/**
 * Its fields by name.
 */
fields: { [key in string]: Value }, 
/**
 * The die, when it is one.
 */
roll: Roll | null, };

/**
 * The value of a field.
 */
export type Value = number | string;

/**
 * A die that was rolled.
 */
export type Roll = { 
/**
 * Whose it is.
 */
side: Side, 
/**
 * How many faces it has.
 */
die: number, 
/**
 * What it shows.
 */
result: number, 
/**
 * What it is rolled for.
 */
purpose: string, };

/**
 * Why something was refused.
 */
export type Refusal = { 
/**
 * The rule case that forbids it, when a rule does.
 */
case: string | null, 
/**
 * Why, with the numbers.
 */
why: Text, 
/**
 * The line that is refused, counted from 0, where lines were given.
 */
line: number | null, 
/**
 * True when it answers a decision that is over: the client takes the latest update and asks the player again.
 */
stale: boolean, };

/**
 * Whether a line is allowed.
 */
export type Verdict = { 
/**
 * The line in notation.
 */
line: string, 
/**
 * A sentence for it.
 */
text: Text, 
/**
 * Why it is not allowed; nothing when it is.
 */
refusal: Refusal | null, };

/**
 * How a game would stand after some lines.
 */
export type Outlook = { 
/**
 * What happens on the way.
 */
events: Array<Happening>, 
/**
 * What is asked then.
 */
question: Question, 
/**
 * Whether all of it could be taken back, and why not.
 */
undo: Possible, 
/**
 * The units in sight that lie in another box beside the map than now.
 */
boxed: Array<Boxed>, };

/**
 * A move in short.
 */
export type RouteSummary = { 
/**
 * The action in notation.
 */
line: string, 
/**
 * What it costs in all, in movement points: `3`, `2 1/2`.
 */
cost: string, 
/**
 * The hexes from the unit's own to the last.
 */
path: Array<string>, };

/**
 * A move hex by hex.
 */
export type Route = { 
/**
 * The action in notation.
 */
line: string, 
/**
 * Where it begins.
 */
from: string, 
/**
 * What it costs in all.
 */
cost: string, 
/**
 * What the unit has to spend.
 */
has: string, 
/**
 * The hexes that it enters.
 */
legs: Array<Leg>, };

/**
 * One hex of a route.
 */
export type Leg = { 
/**
 * The hex entered.
 */
hex: string, 
/**
 * What entering it costs.
 */
cost: string, 
/**
 * What that is made of.
 */
parts: Array<Cost>, };

/**
 * A part of a cost.
 */
export type Cost = { 
/**
 * What for.
 */
what: string, 
/**
 * How much.
 */
cost: string, 
/**
 * The case.
 */
case: string, };

/**
 * What a commitment leads to.
 */
export type Prospect = { 
/**
 * The commitment, with whatever completed it.
 */
lines: Array<string>, 
/**
 * What is certain: strengths, shifts, the column.
 */
account: Array<Happening>, 
/**
 * What may come of it: from good to bad for whoever attacks, else the likeliest first.
 */
ways: Array<Way>, 
/**
 * Who commits himself.
 */
side: Side | null, 
/**
 * What comes of it on average, where somebody can lose something by it.
 */
gist: Gist | null, 
/**
 * True when it depends on what is hidden from these eyes: that was dealt at random, and the account is left out.
 */
guess: boolean, };

/**
 * What comes of an attack on average, by what the enemy does where he may choose.
 */
export type Gist = { 
/**
 * Where he gives way: retreats wherever he may.
 */
gives_way: Balance, 
/**
 * Where he stands, and loses what he must.
 */
stands: Balance, };

/**
 * What comes of an attack on average.
 */
export type Balance = { 
/**
 * The chance that the enemy is gone from a hex that he held.
 */
taken: number, 
/**
 * The steps that each side loses.
 */
lost: Both<number>, };

/**
 * One way that a commitment can turn out.
 */
export type Way = { 
/**
 * The chance as a fraction.
 */
chance: string, 
/**
 * The chance as a number from 0 to 1.
 */
p: number, 
/**
 * The result in a word, where there is one: `DR`.
 */
label: string, 
/**
 * What happens.
 */
events: Array<Happening>, 
/**
 * What comes of it on average.
 */
gist: Gist | null, };

/**
 * Something proved of a unit, or not.
 */
export type Proof = { 
/**
 * What is in question: supply, command …
 */
what: string, 
/**
 * Whether it holds.
 */
holds: boolean, 
/**
 * The path that shows it, or the one that something stands in the way of.
 */
path: Array<string>, 
/**
 * Why.
 */
because: Array<Note>, };

/**
 * Everything about a hex that does not lie on it.
 */
export type HexInfo = { 
/**
 * Its label.
 */
hex: string, 
/**
 * Its terrain.
 */
terrain: string, 
/**
 * The places in it.
 */
names: Array<string>, 
/**
 * What else is in it: `city`, `entrenchment` …
 */
features: Array<string>, 
/**
 * What the rulebook says of it now: stacking room, control, what it adds to a defence.
 */
notes: Array<Note>, };

/**
 * A set of hexes with a meaning.
 */
export type Overlay = { 
/**
 * A short name that stays the same: `zoc-axis`, `control-soviet`, `victory`, `reach` …
 */
name: string, 
/**
 * What it shows: `zoc`, `control`, `victory`, `reach`, `oos` …
 */
kind: string, 
/**
 * What a legend calls it.
 */
title: string, 
/**
 * The case behind it; may be empty.
 */
case: string, 
/**
 * Whose it is.
 */
side: Side | null, 
/**
 * The hexes.
 */
hexes: Array<string>, };

/**
 * How a game stood at some moment.
 */
export type Moment = { 
/**
 * After how many actions.
 */
at: number, 
/**
 * How many there are in all.
 */
of: number, 
/**
 * What lay on the table.
 */
view: View, 
/**
 * The sequence of play then.
 */
sequence: Sequence, 
/**
 * The counters in sight that were not as at the start.
 */
counters: Array<Counter>, 
/**
 * What was asked then; without answers.
 */
question: Question, 
/**
 * The action that led here; nothing at the start.
 */
entry: LogEntry | null, };

/**
 * A moment worth a tick on the slider: it begins a turn or a phase, or resolves a combat.
 */
export type Mark = { 
/**
 * The moment, after so many actions.
 */
at: number, 
/**
 * `turn`, `phase` or `combat`.
 */
kind: MarkKind, 
/**
 * What happened.
 */
text: Text, };

/**
 * Why a moment is marked.
 */
export type MarkKind = "turn" | "phase" | "combat";

/**
 * Every die that these eyes were told of.
 */
export type Luck = { 
/**
 * By side and purpose.
 */
ledger: Array<LuckLine>, 
/**
 * The dice in their order.
 */
rolls: Array<LuckRoll>, };

/**
 * The dice of a side for one purpose.
 */
export type LuckLine = { 
/**
 * Whose.
 */
side: Side, 
/**
 * What for.
 */
purpose: string, 
/**
 * Faces of the die.
 */
die: number, 
/**
 * How many were rolled.
 */
count: number, 
/**
 * Their sum.
 */
sum: number, 
/**
 * What their sum was to be expected.
 */
expected: number, 
/**
 * How often each face came, from 1 up.
 */
faces: Array<number>, };

/**
 * One die.
 */
export type LuckRoll = { 
/**
 * The moment.
 */
at: number, 
/**
 * The case that asks for it.
 */
case: string, 
/**
 * The die.
 */
roll: Roll, };

/**
 * What can be played: `GET /api/library`.
 */
export type Library = { 
/**
 * The version of the protocol.
 */
version: number, 
/**
 * The rulebooks.
 */
rulebooks: Array<RulebookInfo>, };

/**
 * Where the server can be reached: `GET /api/reach`.
 */
export type Reach = { 
/**
 * True when it listens to this machine alone, so that no link to it works anywhere else.
 */
only_here: boolean, 
/**
 * The addresses of this machine by which others may reach it; told only to who is on it.
 */
addresses: Array<string>, };

/**
 * A rulebook.
 */
export type RulebookInfo = { 
/**
 * Its short name.
 */
name: string, 
/**
 * Its printed title.
 */
title: string, 
/**
 * Publisher and edition.
 */
edition: string, 
/**
 * The version of its rules.
 */
rules: number, 
/**
 * What it calls the two sides.
 */
sides: Both<string>, 
/**
 * The optional rules.
 */
options: Array<OptionInfo>, 
/**
 * The scenarios, those to learn with first.
 */
scenarios: Array<ScenarioInfo>, 
/**
 * The opponents that play it, the weakest first.
 */
levels: Array<LevelInfo>, };

/**
 * An optional rule.
 */
export type OptionInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * The case that describes it.
 */
case: string, 
/**
 * What it does.
 */
about: string, };

/**
 * A scenario.
 */
export type ScenarioInfo = { 
/**
 * Its short name.
 */
name: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What it is about.
 */
about: string, 
/**
 * What was there, and what came of it in history; may be empty.
 */
history: string, 
/**
 * What each side must do by when; may be empty.
 */
goals: Both<string>, 
/**
 * What is special here.
 */
special: Array<string>, 
/**
 * How long it takes.
 */
length: string, 
/**
 * Who is favoured.
 */
favours: string, 
/**
 * The optional rules that it has on by itself.
 */
options: Array<string>, };

/**
 * A level of opponent.
 */
export type LevelInfo = { 
/**
 * Its name.
 */
name: string, 
/**
 * What to expect of it.
 */
about: string, };

/**
 * Starts a game: `POST /api/games`.
 */
export type NewGame = { 
/**
 * `rulebook/scenario`.
 */
scenario: string, 
/**
 * The optional rules to switch on besides the scenario's own.
 */
options: Array<string>, 
/**
 * The seed of the dice, where one person plays and wants to know them; else nobody chooses it.
 */
seed?: string, 
/**
 * Who plays.
 */
players: Both<NewPlayer>, 
/**
 * The side that whoever makes the game plays against another person, who is invited to the other one. Left out, one
 * person plays all sides that the program does not.
 */
you?: Side, 
/**
 * How its opponents play.
 */
opponents?: OpponentSettings, 
/**
 * Anything may be taken back, dice included; not between two people. The record says so.
 */
casual?: boolean, };

/**
 * How the opponents of a game play.
 */
export type OpponentSettings = { 
/**
 * How long a general may think about a phase, in seconds: 1 to 300.
 */
seconds: number, 
/**
 * True when they tell their reasons during the game, and not only when it is over.
 */
open_thoughts: boolean, };

/**
 * Who shall play a side. A person has a seat; a level plays by itself.
 */
export type NewPlayer = { 
/**
 * The name, for the record.
 */
name: string, 
/**
 * The level, when the program shall play this side.
 */
level?: string, };

/**
 * Starts a game from a file: `POST /api/games/open`.
 */
export type OpenFile = { 
/**
 * The name of the file, for its faults.
 */
name: string, 
/**
 * A record or a situation.
 */
text: string, 
/**
 * Who plays.
 */
players: Both<NewPlayer>, 
/**
 * The side that whoever makes the game plays against another person.
 */
you?: Side, 
/**
 * How its opponents play.
 */
opponents?: OpponentSettings, 
/**
 * Anything may be taken back, dice included; not between two people.
 */
casual?: boolean, };

/**
 * A game was made. The links are secret: who has one sits there.
 */
export type Created = { 
/**
 * The public name of the game.
 */
id: string, 
/**
 * The seats of whoever made it: of his side between two people; else one for each side that a person plays, and one
 * for both of them together. One for observers, which may be given to anybody.
 */
seats: Array<Seat>, 
/**
 * Between two people, what the other one is sent. It works once.
 */
invitation: Seat | null, 
/**
 * The server's commitment to its part of the dice; nothing when somebody chose the seed.
 */
commitment: string | null, };

/**
 * A seat and its secret.
 */
export type Seat = { 
/**
 * The sides that it plays: none (an observer), one, or both.
 */
sides: Array<Side>, 
/**
 * The secret: `hello` takes it, and so does `Authorization: Bearer`.
 */
secret: string, };

/**
 * Names an invitation: `POST /api/invitations/view` and `…/accept`.
 */
export type Invited = { 
/**
 * The secret of the invitation.
 */
invitation: string, };

/**
 * What somebody is invited to.
 */
export type Invitation = { 
/**
 * The game.
 */
game: GameSummary, 
/**
 * The side that is free.
 */
sides: Array<Side>, 
/**
 * The server's commitment to its part of the dice; nothing when somebody chose the seed.
 */
commitment: string | null, };

/**
 * An invitation was accepted, and is used up.
 */
export type Accepted = { 
/**
 * The public name of the game.
 */
id: string, 
/**
 * The seat: its secret is known to whoever accepted, and to nobody else.
 */
seat: Seat, };

/**
 * Invites somebody to a side that nobody holds any more: `POST /api/game/invite`.
 */
export type Invite = { 
/**
 * The side.
 */
side: Side, };

/**
 * A player's part of the dice: `POST /api/game/nonce`.
 */
export type Nonce = { 
/**
 * Any text; the first that is heard from a seat counts.
 */
nonce: string, };

/**
 * Why a file or a request cannot be used: all that is wrong with it.
 */
export type Faults = { 
/**
 * The first one, for a single line.
 */
why: string, 
/**
 * All of them.
 */
faults: Array<Fault>, };

/**
 * Something wrong in a file.
 */
export type Fault = { 
/**
 * The file; may be empty.
 */
file: string, 
/**
 * The line, counted from 1; 0 when it concerns the whole.
 */
line: number, 
/**
 * The field; may be empty.
 */
field: string, 
/**
 * What is wrong, and what was expected.
 */
message: string, };

/**
 * Finds games again by the secrets of their seats: `POST /api/games/find`.
 */
export type FindGames = { 
/**
 * The secrets; unknown ones are passed over.
 */
secrets: Array<string>, };

/**
 * A game in the list of games.
 */
export type GameSummary = { 
/**
 * The public name of the game.
 */
id: string, 
/**
 * The seats by which it was found.
 */
seats: Array<Seat>, 
/**
 * True between two people.
 */
for_two: boolean, 
/**
 * The short name of the rulebook.
 */
rulebook: string, 
/**
 * The scenario's title, or the name of the file.
 */
title: string, 
/**
 * Who plays.
 */
players: Both<Player>, 
/**
 * The turn.
 */
turn: number, 
/**
 * The last turn.
 */
turns: number, 
/**
 * The phase.
 */
phase: string, 
/**
 * Who decides; nobody when it is over.
 */
side: Side | null, 
/**
 * How many actions were made.
 */
at: number, 
/**
 * When it last changed, in seconds since 1970.
 */
changed: number, 
/**
 * Why it cannot be played on by this program, if so.
 */
trouble: string | null, };

/**
 * A rule case in our own words: `GET /api/rulebooks/NAME/cases`.
 */
export type CaseInfo = { 
/**
 * Its number.
 */
number: string, 
/**
 * A few words.
 */
title: string, 
/**
 * rule, choice, chance, scenario, optional, data, info or other-game.
 */
kind: string, 
/**
 * The statement.
 */
statement: Text, };

/**
 * A word of the rulebook: `GET /api/rulebooks/NAME/glossary`.
 */
export type Term = { 
/**
 * The word, as charts and cases have it: `DR`, `OOS`.
 */
word: string, 
/**
 * What it means, in a few words.
 */
meaning: string, 
/**
 * The case that explains it.
 */
case: string, };

/**
 * A chart: `GET /api/rulebooks/NAME/tables`.
 */
export type Sheet = { 
/**
 * Its short name.
 */
name: string, 
/**
 * What it is called.
 */
title: string, 
/**
 * Where its values come from: rulebook, known or reconstructed; may be empty.
 */
source: string, 
/**
 * The case; may be empty.
 */
case: string, 
/**
 * How its values were found; may be empty.
 */
note: string, 
/**
 * The headings, the rows' own first.
 */
columns: Array<string>, 
/**
 * The cells, row by row.
 */
rows: Array<Array<string>>, };

/**
 * Where everything lies on the drawing of a map.
 */
export type Geometry = { 
/**
 * The title of the map.
 */
title: string, 
/**
 * The width of the drawing; all lengths are in its units.
 */
width: number, 
/**
 * Its height.
 */
height: number, 
/**
 * From the centre of a hex to the centre of the next.
 */
hex: number, 
/**
 * How the hexes stand: `points-up` or `flat-top`.
 */
orientation: string, 
/**
 * Kilometres across a hex, where known.
 */
km: number | null, 
/**
 * The hexes.
 */
hexes: Array<HexPlace>, };

/**
 * A hex on the drawing.
 */
export type HexPlace = { 
/**
 * Its label.
 */
label: string, 
/**
 * The centre.
 */
x: number, 
/**
 * The centre.
 */
y: number, 
/**
 * The terrain.
 */
terrain: string, 
/**
 * The places in it.
 */
names: Array<string>, 
/**
 * What else is in it: `city`, `entrenchment` …
 */
features: Array<string>, };
