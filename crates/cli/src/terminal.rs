//! A game in the terminal: the position as text, and `play`, both sides on one keyboard or against the program.

use std::io::{self, BufRead};
use std::path::Path;

use board::{Hex, Map, Orientation};
use engine::shelf::{AnyGame, Prospect, Refusal};
use engine::{BySide, Seed, Side, View, Viewer};
use staff::{AnyOpponent, Level, Signals};

use crate::args::Play;
use crate::library::Library;
use crate::output::{BAD, Failure, GOOD, Out, QUIET, STRONG, Styled};
use crate::{input, playing};

/// Maps with more columns are too wide to draw in a terminal.
const WIDEST: usize = 12;

/// The turn, the map with its stacks if it is small, and every stack that is seen.
pub(crate) fn write_position(game: &dyn AnyGame, viewer: Viewer, out: &mut Out) {
    let view = game.view(viewer);
    out.line(format_args!("turn {} of {}, {}", view.turn, view.turns, view.phase));
    if game.map().grid().columns() <= WIDEST {
        write_map(game.map(), Some(&view), out);
    }
    for stack in &view.stacks {
        let pieces: Vec<String> = stack.pieces.iter().map(piece_text).collect();
        out.line(format_args!("{} {}", Styled(STRONG, &stack.hex), pieces.join(", ")));
    }
    for place in view.boxes.iter().filter(|place| !place.pieces.is_empty()) {
        let pieces: Vec<String> = place.pieces.iter().map(piece_text).collect();
        out.line(format_args!("{}: {}", place.name, pieces.join(", ")));
    }
    for track in &view.tracks {
        out.line(format_args!("{}: {}", track.name, track.value));
    }
}

fn piece_text(piece: &engine::Piece) -> String {
    match &piece.front {
        None => format!("{} ?", piece.side),
        Some(front) => {
            let flags =
                if front.flags.is_empty() { String::new() } else { format!(" [{}]", front.flags.join(" ")) };
            format!(
                "{} {} {} {} steps={}{flags}",
                piece.side, front.unit, front.kind, front.factors, front.steps
            )
        }
    }
}

/// A map as rows of hexes, each with its label and its terrain, or who is there and with how many. A shifted row
/// is indented; a shifted column stands a line lower.
pub(crate) fn write_map(map: &Map, view: Option<&View>, out: &mut Out) {
    write_part(map, view, |_| true, out);
}

/// The hexes of it that are wanted.
fn write_part(map: &Map, view: Option<&View>, wanted: impl Fn(Hex) -> bool, out: &mut Out) {
    let grid = map.grid();
    let width = map.hexes().next().map_or(4, |hex| map.label(hex).len()) + CELL;
    let blank = " ".repeat(width);
    let here =
        |row: usize, column: usize| grid.at(row, column).filter(|hex| map.contains(*hex) && wanted(*hex));
    let columns: Vec<usize> = (0..grid.columns())
        .filter(|column| (0..grid.rows()).any(|row| here(row, *column).is_some()))
        .collect();
    for row in 0..grid.rows() {
        let hexes: Vec<Option<Hex>> = columns.iter().map(|column| here(row, *column)).collect();
        if hexes.iter().all(Option::is_none) {
            continue;
        }
        let cell = |hex: &Option<Hex>| hex.map_or_else(|| blank.clone(), |hex| cell_text(map, view, hex));
        if grid.orientation() == Orientation::PointsUp {
            let indent = if grid.is_shifted(row as u8) { &blank[..width / 2] } else { "" };
            out.line(format_args!("{indent}{}", hexes.iter().map(cell).collect::<String>()));
            continue;
        }
        for lower in [false, true] {
            let here = |hex: &Option<Hex>| hex.filter(|hex| grid.is_shifted(hex.line()) == lower);
            out.line(hexes.iter().map(|hex| cell(&here(hex))).collect::<String>());
        }
    }
}

/// What a cell takes beside the label.
const CELL: usize = 8;

fn cell_text(map: &Map, view: Option<&View>, hex: Hex) -> String {
    let label = map.label(hex);
    let stack = view.and_then(|view| view.stacks.iter().find(|stack| stack.hex == label));
    let (style, text) = match stack {
        Some(stack) => (STRONG, stack_text(stack)),
        None => (QUIET, map.terrain_name(map.terrain(hex)).chars().take(CELL - 2).collect()),
    };
    format!("{} {}", Styled(QUIET, label), Styled(style, format!("{text:<width$}", width = CELL - 1)))
}

fn stack_text(stack: &engine::Stack) -> String {
    let side = stack.pieces.first().map_or("", |piece| match piece.side {
        Side::Axis => "AX",
        Side::Soviet => "SO",
    });
    format!("{side} {}", stack.pieces.len())
}

/// Who must do what, with its case.
pub(crate) fn write_question(game: &dyn AnyGame, out: &mut Out) {
    let question = game.question();
    match question.side {
        Some(side) => {
            let sides = game.book().sides;
            out.line(format_args!("{}: {} ({})", Styled(STRONG, sides[side]), question.text, question.case));
        }
        None => {
            let winner = question
                .winner
                .map_or("a draw".to_owned(), |side| format!("{} wins", game.book().sides[side]));
            out.line(format_args!("{}: {} ({})", Styled(GOOD, winner), question.text, question.case));
        }
    }
}

const HELP: &str = "\
Type an action, its number, or:
  list              every legal answer, numbered
  show, map [HEX]   the position; the map, or what lies around a hex
  history [N]       what was done last
  odds ACTION       the exact chances of an attack or another action
  threat HEX        the heaviest attack that the enemy could make there now
  explain UNIT      its supply, with the way or what bars it
  undo, save FILE, help, quit";

/// How many actions `history` tells.
const LATELY: usize = 10;

/// How far `map HEX` looks.
const AROUND: u32 = 4;

pub(crate) fn play(args: &Play, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let mut game = open(args, library)?;
    let mut opponents = Opponents::seat(args, library, &*game)?;
    write_position(&*game, opponents.viewer(&*game), out);
    if opponents.play(&mut *game, out)? {
        return Ok(());
    }
    out.line(HELP);
    write_question(&*game, out);
    out.flush();
    let mut kept = Kept { actions: game.len(), warned: false };
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Input(format!("standard input: {error}")))?;
        if !command(line.trim(), &mut *game, &opponents, &mut kept, out) || opponents.play(&mut *game, out)? {
            break;
        }
        write_question(&*game, out);
        out.flush();
    }
    Ok(())
}

/// The sides that the program plays.
struct Opponents {
    seats: BySide<Option<Box<dyn AnyOpponent>>>,
    /// The side of the person who plays against the program.
    person: Option<Side>,
    why: bool,
    told: BySide<Vec<engine::Text>>,
}

impl Opponents {
    fn seat(args: &Play, library: &Library, game: &dyn AnyGame) -> Result<Opponents, Failure> {
        let volume = library.volume(game.book().name)?;
        let position = game.position();
        let (budget, seed) = (args.thinking.budget(), input::seed_or_lot(None));
        let seat = |side: Side, level: Option<Level>| -> Result<Option<Box<dyn AnyOpponent>>, Failure> {
            let Some(level) = level else { return Ok(None) };
            let (book, data) = (game.book(), &volume.data);
            staff::check_level(book, level).map_err(Failure::Input)?;
            // The opponent's luck is drawn apart from the dice, which it cannot know.
            let seed = Seed(format!("{seed} {side}"));
            Ok(Some(staff::seat(book, &*position, data, side, level, budget, &seed)?))
        };
        let seats = BySide { axis: seat(Side::Axis, args.axis)?, soviet: seat(Side::Soviet, args.soviet)? };
        let person = match (&seats.axis, &seats.soviet) {
            (None, Some(_)) => Some(Side::Axis),
            (Some(_), None) => Some(Side::Soviet),
            _ => None,
        };
        Ok(Opponents { seats, person, why: args.why, told: BySide::default() })
    }

    /// Who looks: the person who plays against the program. Two persons share a screen, so the side that must decide is the
    /// one that looks.
    fn viewer(&self, game: &dyn AnyGame) -> Viewer {
        let nobody = self.seats.axis.is_some() && self.seats.soviet.is_some();
        let side = self.person.or(game.question().side).filter(|_| !nobody);
        side.map_or(Viewer::Referee, Viewer::Side)
    }

    /// Lets the program play until a person must decide; true when the game is over.
    fn play(&mut self, game: &mut dyn AnyGame, out: &mut Out) -> Result<bool, Failure> {
        while let Some(side) = game.question().side {
            let viewer = self.viewer(game);
            let Some(opponent) = &mut self.seats[side] else { return Ok(false) };
            let line = opponent.choose(&*game.position(), game.len(), &Signals::default());
            let line = line.ok_or_else(|| Failure::Input(format!("{side} finds no answer")))?;
            if self.why {
                let why = opponent.why();
                for sentence in why.iter().filter(|_| why != self.told[side]) {
                    out.line(Styled(QUIET, sentence));
                }
                self.told[side] = why;
            }
            game.act(&line, viewer).map_err(|refusal| Failure::Input(format!("{line}: {}", refusal.why)))?;
            if let Some((_, action, events)) = game.entry(game.len() - 1, viewer) {
                out.line(format_args!("{}: {action}", Styled(STRONG, game.book().sides[side])));
                playing::write_events(&events, out);
            }
            out.flush();
        }
        write_question(game, out);
        Ok(true)
    }
}

fn open(args: &Play, library: &Library) -> Result<Box<dyn AnyGame>, Failure> {
    let path = Path::new(&args.what);
    if path.exists() || args.what == "-" {
        return input::open(&input::read(path)?, library, args.seed.as_deref());
    }
    let (volume, scenario) = library.split(&args.what)?;
    let seed = input::seed_or_lot(args.seed.as_deref());
    Ok(volume.rulebook.start(&volume.data, scenario, &args.options, seed)?)
}

/// How much of the game is on the disk, and whether the player was told that some is not.
struct Kept {
    actions: usize,
    warned: bool,
}

/// One line of input; false to stop.
fn command(
    line: &str,
    game: &mut dyn AnyGame,
    opponents: &Opponents,
    kept: &mut Kept,
    out: &mut Out,
) -> bool {
    let viewer = opponents.viewer(game);
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "" => {}
        "quit" | "exit" if game.len() == kept.actions || kept.warned => return false,
        "quit" | "exit" => {
            kept.warned = true;
            out.line("the game is not saved: save FILE keeps it; quit once more forgets it");
            return true;
        }
        "help" => out.line(HELP),
        "list" => write_numbered(game, out),
        "show" => write_position(game, viewer, out),
        "map" => draw(rest, game, viewer, out),
        "history" => write_history(rest, game, viewer, out),
        "undo" => match game.undo(opponents.person) {
            Ok(action) => out.line(format_args!("taken back: {action}")),
            Err(why) => out.line(format_args!("{} {why}", Styled(BAD, "cannot be taken back:"))),
        },
        "save" => match std::fs::write(rest, game.record(true)) {
            Ok(()) => {
                kept.actions = game.len();
                out.line(format_args!("saved to {rest}"));
            }
            Err(error) => out.line(format_args!("{} {error}", Styled(BAD, "not saved:"))),
        },
        "odds" => {
            // An attack that is named leads to no die before it is declared: the finishing answers belong to it.
            let supposed = game.position().as_supposed_by(viewer);
            let lines = supposed.completed(&[rest.to_owned()], viewer);
            write_odds(supposed.odds(&lines, viewer), out);
        }
        "threat" => write_odds(game.position().as_supposed_by(viewer).threat(rest, viewer), out),
        "explain" => match game.position().as_supposed_by(viewer).explain(rest, viewer) {
            Ok(proofs) => proofs.iter().for_each(|proof| playing::write_proof(proof, out)),
            Err(refusal) => out.line(format_args!("{} {}", Styled(BAD, "not known:"), refusal.why)),
        },
        _ => act(line, game, viewer, out),
    }
    kept.warned = false;
    true
}

fn write_odds(prospect: Result<Prospect, Refusal>, out: &mut Out) {
    match prospect {
        Ok(prospect) => playing::write_prospect(&prospect, out),
        Err(refusal) => out.line(format_args!("{} {}", Styled(BAD, "no odds:"), refusal.why)),
    }
}

/// The last actions, as the viewer was told them.
fn write_history(rest: &str, game: &dyn AnyGame, viewer: Viewer, out: &mut Out) {
    let lately = rest.trim().parse().unwrap_or(LATELY);
    for action in game.len().saturating_sub(lately)..game.len() {
        let Some((side, line, events)) = game.entry(action, viewer) else { continue };
        out.line(format_args!("{}. {}: {line}", action + 1, Styled(STRONG, game.book().sides[side])));
        playing::write_events(&events, out);
    }
}

/// The whole map with two signs a hex, or what lies around one.
fn draw(rest: &str, game: &dyn AnyGame, viewer: Viewer, out: &mut Out) {
    let (map, view) = (game.map(), game.view(viewer));
    if rest.is_empty() {
        return write_plan(map, &view, out);
    }
    match map.hex(rest.trim()) {
        Ok(centre) => {
            let near = |hex: Hex| map.grid().distance(centre, hex) <= AROUND;
            write_part(map, Some(&view), near, out);
        }
        Err(why) => out.line(why),
    }
}

/// The whole map: who is where and with how many, else the first letter of the terrain.
fn write_plan(map: &Map, view: &View, out: &mut Out) {
    let grid = map.grid();
    let sign = |hex: Hex| {
        let label = map.label(hex);
        match view.stacks.iter().find(|stack| stack.hex == label).map(|stack| &stack.pieces[..]) {
            Some(pieces @ [first, ..]) => {
                let side = if first.side == Side::Axis { 'A' } else { 'S' };
                format!("{side}{} ", pieces.len().min(9))
            }
            _ => format!("{}  ", map.terrain_name(map.terrain(hex)).chars().next().unwrap_or('.')),
        }
    };
    for row in 0..grid.rows() {
        let hexes = (0..grid.columns()).map(|column| grid.at(row, column).filter(|hex| map.contains(*hex)));
        let signs: String = hexes.map(|hex| hex.map_or_else(|| "   ".to_owned(), sign)).collect();
        let shifted = grid.orientation() == Orientation::PointsUp && grid.is_shifted(row as u8);
        out.line(format_args!("{}{}", if shifted { " " } else { "" }, signs.trim_end()));
    }
    out.line(Styled(
        QUIET,
        "A2: two Axis counters, S: Soviet; else the first letter of the terrain. map HEX tells more",
    ));
}

fn write_numbered(game: &dyn AnyGame, out: &mut Out) {
    for (i, answer) in game.actions().iter().enumerate() {
        out.line(format_args!("{:>4}  {:<28} {}", i + 1, answer.action, Styled(QUIET, &answer.text)));
    }
}

fn act(line: &str, game: &mut dyn AnyGame, viewer: Viewer, out: &mut Out) {
    let numbered = line.parse::<usize>().ok().and_then(|n| game.actions().into_iter().nth(n.wrapping_sub(1)));
    let action = numbered.map_or_else(|| line.to_owned(), |answer| answer.action);
    let done = game.act(&action, viewer);
    playing::try_text(&action, &done, out);
}
