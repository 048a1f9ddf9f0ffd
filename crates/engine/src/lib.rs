//! The table that every game is played on.
//!
//! A game is a sequence of decisions. At any moment exactly one side must decide one thing, or the game is over.
//! The engine asks a [`Rulebook`] four questions and nothing else moves a game: what is asked and every legal
//! answer; whether an action is allowed, and if not, which case forbids it; what it does; and what a side may
//! see. Dice, records, undo, exact odds, rule tests, self-play and the battery are built on these four.
//!
//! | room | what is in it |
//! |---|---|
//! | [`rulebook`] | the contract: [`Types`], [`Setup`], [`Sight`], [`Drawing`], [`Rulebook`]; [`Asked`], [`Outcome`], [`Options`] |
//! | [`frame`] | the procedures under way, one room for each decision: [`Frame`], [`frames!`] |
//! | [`phrase`], [`words`](mod@words), [`row`] | actions, events and procedures as notation and as numbers: [`phrases!`], [`words!`] |
//! | [`store`] | units with an index by hex; stocks of what is counted, split and carried |
//! | [`mark`] | marks on units and optional rules, each declared once: [`marks!`], [`switches!`] |
//! | [`muster`] | putting an attack together, in every rulebook alike |
//! | [`text`] | texts for people, as spans |
//! | [`remark`](mod@remark), [`case`](mod@case) | sentences with their numbers and rule cases; the index of cases |
//! | [`play`], [`dice`] | what happens while an action is carried out; the dice |
//! | [`deed`] | what a side does: answers, speaks up, concedes, offers a draw |
//! | [`game`], [`record`], [`situation`] | games in progress, on paper, in a position |
//! | [`odds`](mod@odds), [`table`] | exact chances; result tables |
//! | [`law`] | what a step costs or what bars it, and all that follows from it |
//! | [`observation`] | what a side sees as dense arrays, for programs that learn |
//! | [`drill`] | games for those programs: answers by number, nothing kept |
//! | [`view`], [`display`] | what a viewer sees; what else a client draws and explains |
//! | [`data`] | a rulebook's files |
//! | [`trial`], [`battery`], [`golden`] | rule tests as data; what must hold in any game; whole games as text |
//! | [`mod@suite`] | what the tests of every rulebook have in common |
//! | [`selfplay`] | random games, fast |
//! | [`shelf`], [`position`] | a rulebook, a game and a position without their types, for the command line and the server |

pub mod battery;
pub mod case;
pub mod data;
pub mod deed;
pub mod dice;
pub mod display;
pub mod drill;
pub mod frame;
pub mod game;
pub mod golden;
pub mod law;
pub mod mark;
pub mod mixture;
pub mod muster;
pub mod observation;
pub mod odds;
pub mod phrase;
pub mod play;
pub mod position;
pub mod record;
pub mod remark;
pub mod row;
pub mod rulebook;
pub mod selfplay;
pub mod shelf;
pub mod side;
pub mod situation;
pub mod store;
pub mod suite;
pub mod table;
pub mod text;
pub mod trial;
pub mod view;
pub mod words;

pub use case::{Case, CaseEntry, Cases, Kind, Term, case};
pub use data::Data;
pub use deed::{Deed, Talk};
pub use dice::{Dice, Seed};
pub use frame::{Frame, Frames, Stack as FrameStack};
pub use game::{Boundary, Game, Move, MoveOf, NoUndo, Refused, Start};
pub use mixture::Mixture;
pub use odds::{Chance, NoOdds, Odds, odds, odds_in_full};
pub use phrase::{Field, Form, Phrase, Role, Telling, Words};
pub use play::{Entry, Play, Roll, Told, Viewer};
pub use record::Record;
pub use remark::{Fact, Remark, Violation};
pub use row::Row;
pub use rulebook::{
    Asked, Book, Drawing, Options, Outcome, Proof, Rulebook, Setup, Sight, Switch, Types, Underway,
};
pub use side::{BySide, Side};
pub use table::{Landing, OddsLine, Provenance, ResultTable, Rounding};
pub use text::{Span, Text};
pub use view::{Front, HoldingBox, Marker, Piece, Stack, StockPlace, StockSeen, Track, View};
pub use words::{Lexicon, Roster, UnitId, UnitSet, Veiled, Word};
