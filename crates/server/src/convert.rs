//! From the engine's values to the wire's.

use std::collections::BTreeMap;

use engine::display::{Score, Symbol};
use engine::mark::{Look, Mark};
use engine::muster::{self, Part};
use engine::odds::{Balance, Gist};
use engine::position::{AnyPosition, HexesOf, Path, PathCost, TurnFacts, Verdict};
use engine::shelf::{Explanation, FieldTold, Happening, Prospect, Refusal, UNTOLD, WayTold};
use engine::{BySide, Role, StockPlace, StockSeen, Text, Viewer};

use crate::seats::Seat;
use crate::store::{Said, Thought};
use crate::wire;

/// The side of the wire.
pub(crate) fn side(side: engine::Side) -> wire::Side {
    match side {
        engine::Side::Axis => wire::Side::Axis,
        engine::Side::Soviet => wire::Side::Soviet,
    }
}

/// The side of the engine.
pub(crate) fn engine_side(side: wire::Side) -> engine::Side {
    match side {
        wire::Side::Axis => engine::Side::Axis,
        wire::Side::Soviet => engine::Side::Soviet,
    }
}

/// Who looks through these eyes.
pub(crate) fn viewer(eyes: wire::Eyes) -> Viewer {
    match eyes {
        wire::Eyes::Axis => Viewer::Side(engine::Side::Axis),
        wire::Eyes::Soviet => Viewer::Side(engine::Side::Soviet),
        wire::Eyes::Observer => Viewer::Observer,
        wire::Eyes::All => Viewer::Referee,
    }
}

/// One of something for each side.
pub(crate) fn both<T, U>(by_side: BySide<T>, mut convert: impl FnMut(T) -> U) -> wire::Both<U> {
    wire::Both { axis: convert(by_side.axis), soviet: convert(by_side.soviet) }
}

/// A number that the wire can carry.
pub(crate) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A sentence with its case.
pub(crate) fn note((case, text): (&str, Text)) -> wire::Note {
    wire::Note { case: case.to_owned(), text: text.into() }
}

/// What an opponent had in mind.
pub(crate) fn thought(thought: &Thought) -> wire::Thought {
    wire::Thought {
        side: side(thought.side),
        turn: thought.turn,
        phase: thought.phase.clone(),
        at: thought.number + 1,
        sentences: thought.sentences.clone(),
    }
}

/// The room in which a seat talks.
pub(crate) fn room(seat: Seat) -> wire::Room {
    if seat == Seat::OBSERVER { wire::Room::Observers } else { wire::Room::Players }
}

/// Something that was said.
pub(crate) fn said((number, said): (u32, Said)) -> wire::Said {
    let sides = said.seat.wire_sides();
    wire::Said {
        number,
        room: room(said.seat),
        side: if let [side] = sides[..] { Some(side) } else { None },
        name: said.name,
        time: said.time as f64,
        text: said.text,
    }
}

/// Why something was refused.
pub(crate) fn refusal(refusal: Refusal) -> wire::Refusal {
    wire::Refusal { case: refusal.case.map(str::to_owned), why: refusal.why.into(), line: None, stale: false }
}

/// A refusal that no rule makes.
pub(crate) fn plain(why: impl Into<wire::Text>) -> wire::Refusal {
    wire::Refusal { case: None, why: why.into(), line: None, stale: false }
}

/// What lies on the table.
pub(crate) fn view(view: engine::View, standing: Vec<Score>) -> wire::View {
    let pieces = |pieces: Vec<engine::Piece>| pieces.into_iter().map(piece).collect();
    wire::View {
        turn: view.turn,
        turns: view.turns,
        phase: view.phase,
        stacks: view
            .stacks
            .into_iter()
            .map(|stack| wire::Stack { hex: stack.hex, pieces: pieces(stack.pieces) })
            .collect(),
        boxes: view
            .boxes
            .into_iter()
            .map(|place| wire::HoldingBox {
                name: place.name.to_owned(),
                title: place.title.to_owned(),
                pieces: pieces(place.pieces),
            })
            .collect(),
        markers: view
            .markers
            .into_iter()
            .map(|marker| wire::Marker {
                hex: marker.hex,
                what: marker.what.into_owned(),
                side: marker.side.map(side),
                sign: marker.sign.to_owned(),
            })
            .collect(),
        tracks: view
            .tracks
            .into_iter()
            .map(|track| wire::Track { name: track.name, value: track.value })
            .collect(),
        score: standing.into_iter().map(score).collect(),
        stocks: view.stocks.into_iter().map(stock).collect(),
    }
}

/// The units that lie in another box than before.
pub(crate) fn boxed(before: &engine::View, after: &engine::View) -> Vec<wire::Boxed> {
    let known = |view: &engine::View| -> Vec<wire::Boxed> {
        let fronts = |place: &engine::HoldingBox| {
            let name = place.name;
            let units = place
                .pieces
                .iter()
                .filter_map(|piece| piece.front.as_ref())
                .map(|front| front.unit.to_string());
            units.map(|unit| wire::Boxed { unit, name: name.to_owned() }).collect::<Vec<_>>()
        };
        view.boxes.iter().flat_map(fronts).collect()
    };
    let before = known(before);
    known(after).into_iter().filter(|boxed| !before.contains(boxed)).collect()
}

fn stock(stock: StockSeen) -> wire::Stock {
    let (hex, unit) = match stock.place {
        StockPlace::Hex(label) => (Some(label), None),
        StockPlace::Unit(name) => (None, Some(name)),
        StockPlace::Pool => (None, None),
    };
    let amount = stock.amount.map(u32::from);
    wire::Stock { hex, unit, side: side(stock.side), what: stock.what, amount }
}

/// The sequence of play as it stands in a position.
pub(crate) fn sequence(position: &dyn AnyPosition) -> wire::Sequence {
    let phase = |phase: engine::display::Phase| wire::Phase {
        name: phase.name.to_owned(),
        side: phase.side.map(side),
        case: phase.case.0.to_owned(),
    };
    let turn = |(number, turn): (u32, TurnFacts)| wire::Turn {
        turn: number,
        title: turn.title,
        arrives: turn.arrives,
        notes: turn.notes.into_iter().map(note).collect(),
    };
    wire::Sequence {
        phases: position.phases().into_iter().map(phase).collect(),
        phase: position.phase().map(count),
        turns: (1..).zip(position.turns()).map(turn).collect(),
    }
}

/// A mark that counters can carry.
pub(crate) fn unit_mark(mark: &Mark) -> wire::UnitMark {
    let (look, sign) = match mark.look {
        Look::Done => (wire::MarkLook::Done, ""),
        Look::Quiet => (wire::MarkLook::Quiet, ""),
        Look::Good(sign) => (wire::MarkLook::Good, sign),
        Look::Bad(sign) => (wire::MarkLook::Bad, sign),
    };
    wire::UnitMark {
        word: mark.word.to_owned(),
        case: mark.case.0.to_owned(),
        about: mark.about.to_owned(),
        look,
        sign: sign.to_owned(),
    }
}

fn piece(piece: engine::Piece) -> wire::Piece {
    let front = piece.front.map(|front| wire::Front {
        unit: front.unit,
        kind: front.kind,
        factors: front.factors,
        steps: front.steps,
        flags: front.flags.into_iter().map(str::to_owned).collect(),
        at_most: piece.at_most,
    });
    wire::Piece { side: side(piece.side), front }
}

/// Every legal answer, by its form.
pub(crate) fn answers(position: &dyn AnyPosition) -> Vec<wire::Answers> {
    let mut by_form: BTreeMap<usize, Vec<Vec<String>>> = BTreeMap::new();
    for (form, words) in position.answers() {
        by_form.entry(form).or_default().push(words);
    }
    by_form.into_iter().map(|(form, args)| wire::Answers { form: count(form), args }).collect()
}

/// An action and what came of it; `at` counts from 1.
pub(crate) fn entry(
    at: usize,
    (acting, action, events): (engine::Side, String, Vec<Happening>),
) -> wire::LogEntry {
    wire::LogEntry {
        at: count(at),
        side: side(acting),
        action: (action != UNTOLD).then_some(action),
        events: happenings(events),
    }
}

/// What happened.
pub(crate) fn happenings(events: Vec<Happening>) -> Vec<wire::Happening> {
    events.into_iter().map(happening).collect()
}

fn happening(happening: Happening) -> wire::Happening {
    let value = |(name, value): (&'static str, FieldTold)| match value {
        FieldTold::Word(word) => Some((name.to_owned(), wire::Value::Word(word))),
        FieldTold::Number(number) => {
            i32::try_from(number).ok().map(|n| (name.to_owned(), wire::Value::Number(n)))
        }
        FieldTold::Hidden => None,
    };
    wire::Happening {
        event: happening.name.to_owned(),
        case: happening.case.to_owned(),
        role: role(happening.role),
        text: happening.text.into(),
        hexes: happening.hexes,
        units: happening.units,
        fields: happening.fields.into_iter().filter_map(value).collect(),
        roll: happening.roll.map(roll),
    }
}

fn role(role: Role) -> wire::Role {
    match role {
        Role::Plain => wire::Role::Plain,
        Role::Finish => wire::Role::Finish,
        Role::EndPhase => wire::Role::EndPhase,
        Role::TakeBack => wire::Role::TakeBack,
        Role::Arrange => wire::Role::Arrange,
        Role::Price => wire::Role::Price,
        Role::Turn => wire::Role::Turn,
        Role::Phase => wire::Role::Phase,
        Role::Account => wire::Role::Account,
        Role::Column => wire::Role::Column,
        Role::Result => wire::Role::Result,
        Role::Reading => wire::Role::Reading,
        Role::Move => wire::Role::Move,
        Role::Loss => wire::Role::Loss,
        Role::Eliminated => wire::Role::Eliminated,
        Role::Retreat => wire::Role::Retreat,
        Role::Advance => wire::Role::Advance,
        Role::Attack => wire::Role::Attack,
        Role::Shown => wire::Role::Shown,
        Role::Control => wire::Role::Control,
        Role::Arrival => wire::Role::Arrival,
        Role::End => wire::Role::End,
    }
}

fn roll(roll: engine::Roll) -> wire::Roll {
    wire::Roll {
        side: side(roll.side),
        die: roll.faces,
        result: roll.result,
        purpose: roll.purpose.to_owned(),
    }
}

/// What a commitment leads to.
pub(crate) fn prospect(lines: Vec<String>, prospect: Prospect) -> wire::Prospect {
    let way = |way: WayTold| {
        let events = happenings(way.events);
        wire::Way { chance: way.chance, p: way.p, label: label(&events), events, gist: way.gist.map(gist) }
    };
    let mut ways = prospect.ways;
    if let Some(side) = prospect.side {
        let worth = |way: &WayTold| way.gist.map_or(0.0, |gist| gist.worth_to(side));
        ways.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    }
    wire::Prospect {
        lines,
        account: happenings(prospect.account),
        ways: ways.into_iter().map(way).collect(),
        side: prospect.side.map(side),
        gist: prospect.gist.map(gist),
        guess: false,
    }
}

/// A prospect that depends on what is hidden, which was dealt at random: what it costs, and what comes of it on average.
pub(crate) fn guess(lines: Vec<String>, found: Prospect) -> wire::Prospect {
    let mut told = prospect(lines, found);
    told.account.retain(|event| event.role == wire::Role::Price);
    let mut ways: Vec<wire::Way> = Vec::new();
    for mut way in told.ways {
        way.events.retain(|event| matches!(event.role, wire::Role::Result | wire::Role::Reading));
        // What would be told alike is one way; a fraction would promise an exactness that a guess has not.
        way.chance = String::new();
        match ways.iter_mut().find(|known| known.events == way.events) {
            Some(known) => known.p += way.p,
            None => ways.push(way),
        }
    }
    wire::Prospect { guess: true, ways, ..told }
}

fn gist(gist: Gist) -> wire::Gist {
    let balance =
        |balance: Balance| wire::Balance { taken: balance.taken, lost: both(balance.lost, |steps| steps) };
    wire::Gist { gives_way: balance(gist.gives_way), stands: balance(gist.stands) }
}

/// How it stands against what is needed to win.
pub(crate) fn score(score: Score) -> wire::Score {
    let level = |(from, what): (i32, &str)| wire::ScoreLevel { from, what: what.to_owned() };
    wire::Score {
        side: side(score.side),
        what: score.what.to_owned(),
        points: score.points,
        levels: score.levels.into_iter().map(level).collect(),
        below: score.below.to_owned(),
        case: score.case.0.to_owned(),
    }
}

/// The last result that is told, in its own word.
fn label(events: &[wire::Happening]) -> String {
    let result = |event: &wire::Happening| match event.fields.get("result") {
        Some(wire::Value::Word(word)) => Some(word.clone()),
        _ => None,
    };
    events.iter().rev().find_map(result).unwrap_or_default()
}

/// A move in short.
pub(crate) fn route_summary(path: Path) -> wire::RouteSummary {
    let mut hexes = vec![path.from];
    hexes.extend(path.legs.into_iter().map(|leg| leg.hex));
    wire::RouteSummary { line: path.line, cost: path.cost, path: hexes }
}

/// A move hex by hex.
pub(crate) fn route(path: Path) -> wire::Route {
    let part = |part: PathCost| wire::Cost {
        what: part.what.to_owned(),
        cost: part.cost,
        case: part.case.to_owned(),
    };
    let legs = path.legs.into_iter().map(|leg| wire::Leg {
        hex: leg.hex,
        cost: leg.cost,
        parts: leg.parts.into_iter().map(part).collect(),
    });
    wire::Route { line: path.line, from: path.from, cost: path.cost, has: path.has, legs: legs.collect() }
}

/// Something proved of a unit, or not.
pub(crate) fn proof(proof: Explanation) -> wire::Proof {
    wire::Proof {
        what: proof.what.to_owned(),
        holds: proof.holds,
        path: proof.path,
        because: proof.because.into_iter().map(note).collect(),
    }
}

/// A set of hexes with a meaning.
pub(crate) fn overlay(overlay: HexesOf) -> wire::Overlay {
    let name = match overlay.side {
        Some(side) => format!("{}-{side}", overlay.name),
        None => overlay.name.to_owned(),
    };
    wire::Overlay {
        name,
        kind: overlay.name.to_owned(),
        title: overlay.title.to_owned(),
        case: overlay.case.to_owned(),
        side: overlay.side.map(side),
        hexes: overlay.hexes,
    }
}

/// A counter as it is printed.
pub(crate) fn counter((unit, counter): (String, engine::display::Counter)) -> wire::Counter {
    wire::Counter {
        unit,
        side: side(counter.side),
        title: counter.title,
        nation: counter.nation,
        formation: counter.formation,
        symbol: symbol(counter.symbol),
        size: counter.size,
        designation: counter.designation,
        front: counter.front,
        back: counter.back,
        steps: counter.steps,
        arrives: counter.arrives,
    }
}

fn symbol(symbol: Symbol) -> wire::Symbol {
    match symbol {
        Symbol::Infantry => wire::Symbol::Infantry,
        Symbol::Armor => wire::Symbol::Armor,
        Symbol::Mechanized => wire::Symbol::Mechanized,
        Symbol::Motorized => wire::Symbol::Motorized,
        Symbol::Cavalry => wire::Symbol::Cavalry,
        Symbol::CavalryMechanized => wire::Symbol::CavalryMechanized,
        Symbol::Artillery => wire::Symbol::Artillery,
        Symbol::AssaultGun => wire::Symbol::AssaultGun,
        Symbol::RocketArtillery => wire::Symbol::RocketArtillery,
        Symbol::Engineer => wire::Symbol::Engineer,
        Symbol::AntiTank => wire::Symbol::AntiTank,
        Symbol::AntiAir => wire::Symbol::AntiAir,
        Symbol::MachineGun => wire::Symbol::MachineGun,
        Symbol::Reconnaissance => wire::Symbol::Reconnaissance,
        Symbol::Airborne => wire::Symbol::Airborne,
        Symbol::Mountain => wire::Symbol::Mountain,
        Symbol::Headquarters => wire::Symbol::Headquarters,
        Symbol::Fortification => wire::Symbol::Fortification,
        Symbol::Supply => wire::Symbol::Supply,
        Symbol::Air => wire::Symbol::Air,
        Symbol::Rail => wire::Symbol::Rail,
        Symbol::Other => wire::Symbol::Other,
    }
}

/// A form of actions.
pub(crate) fn form(form: &engine::Form) -> wire::Form {
    wire::Form {
        name: form.name.to_owned(),
        case: form.case.0.to_owned(),
        sentence: form.sentence.to_owned(),
        fields: form
            .fields
            .iter()
            .map(|field| wire::Field {
                name: field.name.to_owned(),
                kind: field.kind.to_owned(),
                said: field
                    .said
                    .iter()
                    .map(|(word, said)| ((*word).to_owned(), (*said).to_owned()))
                    .collect(),
            })
            .collect(),
        finishes: matches!(form.role, Role::Finish | Role::EndPhase),
        role: role(form.role),
        step: muster::part(form).map(step),
    }
}

fn step(part: Part) -> wire::Step {
    match part {
        Part::Name => wire::Step::Name,
        Part::Join => wire::Step::Join,
        Part::Leave => wire::Step::Leave,
        Part::Cancel => wire::Step::Cancel,
        Part::Declare => wire::Step::Declare,
    }
}

/// Whether an action is allowed.
pub(crate) fn verdict(verdict: Verdict) -> wire::Verdict {
    wire::Verdict { line: verdict.line, text: verdict.text.into(), refusal: verdict.refusal.map(refusal) }
}

/// All that is wrong with a file.
pub(crate) fn faults(faults: &source::Faults) -> wire::Faults {
    let fault = |fault: &source::Fault| wire::Fault {
        file: fault.file.clone(),
        line: count(fault.line),
        field: fault.field.clone(),
        message: fault.message.clone(),
    };
    wire::Faults {
        why: faults.0.first().map(ToString::to_string).unwrap_or_default(),
        faults: faults.0.iter().map(fault).collect(),
    }
}

/// What the dice were mixed from.
pub(crate) fn mixture(mixture: &engine::Mixture) -> wire::Mixture {
    wire::Mixture { secret: mixture.secret.clone(), nonces: both(mixture.nonces.clone(), |nonce| nonce) }
}
