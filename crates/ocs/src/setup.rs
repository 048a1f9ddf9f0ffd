//! Situations of this rulebook, read and written; what must hold in every state.

use arrayvec::ArrayVec;
use board::{Hex, Mp};
use engine::situation::Fields;
use engine::store::{Lot, Spot, UnitStore};
use engine::{BySide, Data, Options, Setup, Side, Types, UnitId, Word, frame, situation};
use include_dir::{Dir, include_dir};
use source::{Item, Table, Writer};

use crate::charts::{self, Charts, Counter, Kind, MOST_POINTS};
use crate::schedule::Schedule;
use crate::settings::Settings;
use crate::supply::Source;
use crate::terrain::Terrain;
use crate::{
    AirType, Arm, Barraged, Carried, Goods, Hedgehog, HexSet, How, MAX_CARRIED, MAX_UNITS, Marks, Ocs,
    Opening, Place, Procedure, State, Switches, TOKENS, Unit, Units, Weather, Work, group,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/ocs");

impl Setup for Ocs {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Ocs, State)> {
        let doc = root.doc();
        let charts = Charts::read(doc, data);
        let schedule = Schedule::read(doc, data);
        let counters = read_counters(root, data);
        let charts = charts?;
        let (map, map_name) = situation::read_map(root, data)?;
        let settings = read_settings(root, data, &map)?;
        let Some(terrain) = Terrain::new(&map, &charts, &settings) else {
            root.fault("the map is too large for this rulebook: at most 64 lines of 64 hexes");
            return None;
        };
        let listed = root.need("units").and_then(|units| units.table()).map(|units| units.rest())?;
        let is_listed = |counter: &Counter| listed.iter().any(|(name, _)| *name == counter.name);
        let counters: Vec<Counter> = counters?.into_iter().filter(is_listed).collect();
        let names = counters.iter().map(|counter| counter.name.as_str());
        let roster = situation::read_roster(root, names, MAX_UNITS)?;
        let is_air = |unit: &UnitId| matches!(counters[unit.index()].kind, Kind::Air(_));
        let air = roster.iter().filter(is_air).collect();
        let known =
            |names: &[String]| names.iter().filter_map(|name| roster.find(name).ok()).collect::<Units>();
        let fixed = settings.fixed.iter().map(|fixed| (fixed.turn, known(&fixed.units))).collect();
        let rules = Ocs {
            map,
            map_name,
            game: data.game().map(str::to_owned),
            terrain,
            roster,
            air,
            counters,
            charts,
            settings,
            schedule: schedule?,
            fixed,
            options,
            switches: Switches::new(options, &Ocs::BOOK),
        };
        let mut state = read_state(&rules, root, &listed)?;
        state.made = root.get("made").and_then(|item| item.int(0..=1_000_000)).unwrap_or(accounted(&state));
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("settings", self.settings.name.as_str());
        let mut now = state.clone();
        fields(self, &mut now, &mut Fields::Write(out));
        out.field("made", i64::from(state.made));
        situation::write_stack(&state.stack, self, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        if !state.hedgehogs.is_empty() {
            out.table("hedgehogs");
            for hedgehog in &state.hedgehogs {
                out.field(&self.map.label(hedgehog.hex), i64::from(hedgehog.level));
            }
        }
        crate::airbase::write(self, state, out);
        out.table("units");
        for unit in self.roster.iter() {
            out.field(self.roster.name(unit), write_unit(self, state, unit));
        }
        state.stocks.write(self, out);
    }

    fn options(&self) -> Options {
        self.options
    }

    fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        self.roster.iter().try_for_each(|unit| audit_unit(self, state, unit))?;
        state.stocks.iter().try_for_each(|lot| audit_lot(self, state, lot))?;
        let found = accounted(state);
        if state.made != found {
            return Err(format!("{} tokens were made, but {found} are accounted for (11.0a)", state.made));
        }
        frame::audit(self, state)
    }

    /// Nobody begins overstacked (GC.3C.3).
    fn audit_setup(&self, state: &State) -> Result<(), String> {
        for side in Side::BOTH {
            if let Some(hex) = self.overstacked(state, side).first() {
                return Err(format!("more than 10 REs are in {} (GC.3C.3)", self.map.label(hex)));
            }
        }
        Ok(())
    }

    fn longest_game(&self) -> usize {
        60_000
    }
}

/// The counters of a game, in the order of its files. A game without ships or aircraft has no such file.
fn read_counters(root: &Table<'_>, data: &Data) -> Option<Vec<Counter>> {
    let doc = root.doc();
    let mut all = Vec::new();
    let units = data.read(doc, charts::COUNTERS, charts::read_counters);
    all.extend(units?);
    type Reader = fn(&source::Source) -> Result<Vec<Counter>, source::Faults>;
    let others: [(&str, Reader); 4] = [
        (charts::HQS, charts::read_hqs),
        (charts::AIR, charts::read_air),
        (charts::SHIPS, charts::read_ships),
        (charts::TRANSPORTS, charts::read_transports),
    ];
    for (path, read) in others {
        if data.file(path).is_ok() {
            all.extend(data.read(doc, path, read)?);
        }
    }
    Some(all)
}

/// `settings = "NAME"`: a file under `settings/`.
fn read_settings(root: &Table<'_>, data: &Data, map: &board::Map) -> Option<Settings> {
    let item = root.need("settings")?;
    let name = item.str()?;
    let source = item.parse(|_| data.find("settings", name))?;
    root.doc().take(Settings::read(name, source, map))
}

/// What is read and written by the same lines.
fn fields(rules: &Ocs, state: &mut State, fields: &mut Fields<'_, '_>) {
    fields.int("turn", &mut state.turn, rules.settings.first..=rules.settings.last);
    fields.int("player_turn", &mut state.player_turn, 0..=2);
    fields.list(
        "first",
        &mut state.first,
        |first, word| {
            *first = Some(Side::from_word(word)?);
            Ok(())
        },
        |first| first.iter().map(|side| Side::word(*side).to_owned()).collect(),
    );
    fields.word("weather", &mut state.weather, Weather::from_word, |weather| weather.as_str().to_owned());
    fields.int("spent", &mut state.spent, 0..=1_000_000);
    fields.int("destroyed", &mut state.destroyed, 0..=1_000_000);
    fields.hexes("soviet_control", &mut state.soviet_hexes, &rules.map);
    fields.hexes("overrun", &mut state.overrun, &rules.map);
    fields.list(
        "barraged",
        &mut state.barraged,
        |barraged, word| {
            let (hex, target) =
                word.split_once('/').ok_or("expected a hex and a target, such as 0101/units")?;
            let barrage = Barraged { hex: rules.map.hex(hex)?, target: How::from_word(target)? };
            barraged.try_push(barrage).map_err(|_| "there are too many barrages".to_owned())
        },
        |barraged| {
            let word = |it: &Barraged| format!("{}/{}", rules.map.label(it.hex), it.target.as_str());
            barraged.iter().map(word).collect()
        },
    );
    fields.list(
        "carried",
        &mut state.carried,
        |carried, word| read_carried(rules, carried, word),
        |carried| write_carried(rules, carried),
    );
    fields.list(
        "blown",
        &mut state.blown,
        |blown, word| {
            let hex = rules.map.hex(word)?;
            blown.try_push(hex).map_err(|_| "there are too many dumps".to_owned())
        },
        |blown| blown.iter().map(|hex| rules.map.label(*hex)).collect(),
    );
    // Rails that a side cannot use (12.3d.a).
    for (key, side) in [("axis_broken_rails", Side::Axis), ("soviet_broken_rails", Side::Soviet)] {
        let mut broken = rules.terrain.rail - state.rails[side];
        fields.hexes(key, &mut broken, &rules.map);
        state.rails[side] = rules.terrain.rail - broken;
    }
    fields.int("rail_used", &mut state.rail_used, 0..=2_000);
    fields.list(
        "survivors",
        &mut state.survivors,
        |survivors, word| {
            survivors.insert(rules.roster.find(word)?);
            Ok(())
        },
        |survivors| survivors.iter().map(|unit| rules.roster.name(unit).to_owned()).collect(),
    );
    fields.list(
        "works",
        &mut state.works,
        |works, word| {
            let (hex, levels) = word.split_once('=').ok_or("expected a hex and levels, such as 0101=1")?;
            let levels = levels.parse().ok().filter(|levels| (-1..=2).contains(levels));
            let levels = levels.ok_or("a hedgehog is worked on for -1 to 2 levels")?;
            let work = Work { hex: rules.map.hex(hex)?, levels };
            works.try_push(work).map_err(|_| "there are too many hedgehogs".to_owned())
        },
        |works| works.iter().map(|it| format!("{}={}", rules.map.label(it.hex), it.levels)).collect(),
    );
    fields.list(
        "base_works",
        &mut state.base_works,
        |works, word| {
            let hex = rules.map.hex(word)?;
            works.try_push(hex).map_err(|_| "there are too many air bases".to_owned())
        },
        |works| works.iter().map(|hex| rules.map.label(*hex)).collect(),
    );
    fields.list(
        "dropped",
        &mut state.dropped,
        |dropped, word| read_carried(rules, dropped, word),
        |dropped| write_carried(rules, dropped),
    );
}

type CarriedLoads = ArrayVec<Carried, MAX_CARRIED>;

/// `0101=4`: a hex and how many tokens were set down in it.
fn read_carried(rules: &Ocs, loads: &mut CarriedLoads, word: &str) -> Result<(), String> {
    let (hex, tokens) = word.split_once('=').ok_or("expected a hex and tokens, such as 0101=4")?;
    let tokens = tokens.parse().map_err(|_| format!("`{tokens}` is not a number of tokens"))?;
    let load = Carried { hex: rules.map.hex(hex)?, tokens };
    loads.try_push(load).map_err(|_| "there are too many loads".to_owned())
}

fn write_carried(rules: &Ocs, loads: &CarriedLoads) -> Vec<String> {
    loads.iter().map(|it| format!("{}={}", rules.map.label(it.hex), it.tokens)).collect()
}

fn read_state(rules: &Ocs, root: &Table<'_>, listed: &[(&str, Item<'_>)]) -> Option<State> {
    let nobody = Unit {
        place: Place::Dead,
        steps: 0,
        marks: Marks::default(),
        left: Mp::ZERO,
        source: None,
        kind: 0,
        out: 0,
        trucks: 0,
        repairs: 0,
    };
    let mut state = State {
        turn: rules.settings.first,
        player_turn: 0,
        first: None,
        weather: Weather::Clear,
        units: UnitStore::new(nobody),
        stocks: Default::default(),
        made: 0,
        spent: 0,
        destroyed: 0,
        soviet_hexes: HexSet::EMPTY,
        hedgehogs: ArrayVec::new(),
        barraged: ArrayVec::new(),
        overrun: HexSet::EMPTY,
        carried: ArrayVec::new(),
        blown: ArrayVec::new(),
        works: ArrayVec::new(),
        bases: ArrayVec::new(),
        base_works: ArrayVec::new(),
        dropped: ArrayVec::new(),
        survivors: Units::EMPTY,
        rails: BySide::new_with(|_| rules.terrain.rail),
        rail_used: 0,
        stack: Default::default(),
    };
    fields(rules, &mut state, &mut Fields::Read(root));
    for (name, item) in listed {
        let Some(id) = item.parse(|_| rules.roster.find(name)) else { continue };
        if let Some(unit) = read_unit(rules, id, item) {
            state.units.change(id, |slot| *slot = unit);
        }
    }
    // Whoever stands in a hex controls it (R99).
    for unit in rules.roster.iter().filter(|unit| rules.is_unit(*unit)) {
        match (state.hex(unit), rules.side(unit)) {
            (Some(hex), Side::Axis) => state.soviet_hexes.remove(hex),
            (Some(hex), Side::Soviet) => state.soviet_hexes.insert(hex),
            (None, _) => false,
        };
    }
    read_hedgehogs(rules, root, &mut state);
    crate::airbase::read(rules, root, &mut state);
    if let Some(table) = root.get("stocks").and_then(|item| item.table()) {
        state.stocks.read(&table, rules);
    }
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None => state.stack.push(Opening {}),
    }
    Some(state)
}

/// `[hedgehogs] 1010 = 2`.
fn read_hedgehogs(rules: &Ocs, root: &Table<'_>, state: &mut State) {
    let Some(table) = root.get("hedgehogs").and_then(|item| item.table()) else { return };
    for (label, item) in table.rest() {
        let hex = rules.map.hex(label);
        let level = item.int(1..=4);
        match (hex, level) {
            (Ok(hex), Some(level)) => {
                if state.hedgehogs.try_push(Hedgehog { hex, level }).is_err() {
                    item.fault("there are too many hedgehogs");
                }
            }
            (Err(wrong), _) => item.fault(wrong),
            (Ok(_), None) => {}
        }
    }
    state.hedgehogs.sort_by_key(|hedgehog| hedgehog.hex);
}

/// The most truck points that a unit can be motorized with: two for each of 9 REs.
const MOST_TRUCKS: u8 = 18;

/// What a piece counts among on the map.
fn kind_of(counter: &Counter) -> u8 {
    let bit = |group: usize| 1u8 << group::of(group, counter.side);
    match counter.kind {
        Kind::Unit | Kind::Hq => bit(group::UNITS),
        Kind::Air(air) => {
            let interdicts = |kind: AirType| matches!(kind, AirType::Fighter | AirType::Tactical);
            if interdicts(air.kind) || air.other.is_some_and(interdicts) {
                bit(group::INTERDICTION)
            } else {
                0
            }
        }
        Kind::Ship(_) => 0,
        Kind::Transport { .. } => bit(group::TRANSPORTS),
    }
}

/// `NAME = "HEX"`, with `steps=N`, `left=MP` and marks where they differ from a fresh unit.
fn read_unit(rules: &Ocs, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let counter = rules.counter(id);
    let (place, rest) = situation::read_place(item, &rules.map)?;
    let (mut steps, mut left, mut source) = (usual_steps(counter, place), Mp::ZERO, None);
    let (mut out, mut trucks, mut repairs) = (0, 0, 0);
    let most = if counter.is_transport() { MOST_POINTS } else { counter.steps };
    let marks: Marks =
        situation::read_marks(&rest, &["steps", "left", "from", "out", "trucks", "repairs"], |key, value| {
            match key {
                "steps" => steps = situation::number(value, 1..=most)?,
                "out" => out = situation::number(value, 1..=counter.steps)?,
                "trucks" => trucks = situation::number(value, 1..=MOST_TRUCKS)?,
                "repairs" => repairs = situation::number(value, 1..=3)?,
                "from" => source = Some(Source::read(value, rules)?),
                _ => left = <Mp as Word>::read(value, rules)?,
            }
            Ok(())
        });
    Some(Unit { place, steps, marks, left, source, kind: kind_of(counter), out, trucks, repairs })
}

/// The steps of a piece that a situation says nothing of: one point of trucks, none of what is gone or not in use.
fn usual_steps(counter: &Counter, place: Place) -> u8 {
    match (place, counter.kind) {
        (Place::Dead, _) | (Place::Pool, Kind::Transport { .. }) => 0,
        (_, Kind::Transport { .. }) => 1,
        _ => counter.steps,
    }
}

fn write_unit(rules: &Ocs, state: &State, id: UnitId) -> String {
    let unit = &state.units[id];
    let usual = usual_steps(rules.counter(id), unit.place);
    let values = [
        ("steps", unit.steps, usual),
        ("out", unit.out, 0),
        ("trucks", unit.trucks, 0),
        ("repairs", unit.repairs, 0),
    ];
    let mut line = situation::write_unit(unit.place, &rules.map, &values, unit.marks);
    if unit.left > Mp::ZERO {
        line += &format!(" left={}", unit.left.word(rules));
    }
    if let Some(source) = unit.source {
        line += &format!(" from={}", source.word(rules));
    }
    line
}

/// Where all tokens are that were ever made: in dumps, on trucks, expended, destroyed (11.0a).
pub(crate) fn accounted(state: &State) -> u32 {
    let left: u32 = Side::BOTH.into_iter().map(|side| state.stocks.total(side, Goods::Token)).sum();
    left + state.spent + state.destroyed
}

fn audit_unit(rules: &Ocs, state: &State, id: UnitId) -> Result<(), String> {
    let name = rules.roster.name(id);
    let (unit, counter) = (&state.units[id], rules.counter(id));
    let marks = unit.marks;
    let most = if counter.is_transport() { MOST_POINTS } else { counter.steps };
    let gone = matches!(unit.place, Place::Dead) || unit.place == Place::Pool && counter.is_transport();
    if gone != (unit.steps == 0) || unit.steps > most {
        return Err(format!("{name} has {} steps where it is (9.12)", unit.steps));
    }
    let modes = [Marks::RESERVE, Marks::STRATEGIC, Marks::EXPLOIT, Marks::DG];
    if modes.iter().filter(|mode| marks.has(**mode)).count() > 1 {
        return Err(format!("{name} is in more than one mode (5.2a)"));
    }
    let moded = Marks::MOVE | Marks::RESERVE | Marks::STRATEGIC | Marks::EXPLOIT | Marks::DG;
    if !counter.has_modes() && marks.has(moded) {
        return Err(format!("{name} has no modes (5.1)"));
    }
    if marks.has(Marks::STRATEGIC) && !marks.has(Marks::MOVE) {
        return Err(format!("{name} must lie on its Move side in Strategic Move Mode (5.8)"));
    }
    if counter.arm == Arm::Hq && marks.has(Marks::DG | Marks::EXPLOIT) {
        return Err(format!("{name} is never disorganized and never exploits (5.10a.c, 9.14.b)"));
    }
    if marks.has(Marks::EXPLOIT) && marks.has(Marks::MOVE) {
        return Err(format!("{name} must lie on its Combat side to exploit (5.9b.a)"));
    }
    crate::air::audit(rules, state, id)?;
    let usage =
        matches!(state.stack.first(), Some(Procedure::SupplyUsage(usage)) if usage.side == counter.side);
    if !usage && (unit.source.is_some() || marks.has(Marks::ISSUED)) {
        return Err(format!("{name} does not draw its weekly supply now (2.3.I.2a)"));
    }
    if matches!(unit.source, Some(Source::Load(hq)) if rules.side(hq) != counter.side || !rules.is_hq(hq)) {
        return Err(format!("{name} cannot draw supply through that (11.5a.b)"));
    }
    if unit.left > Mp::ZERO && !is_moving(state, id) {
        return Err(format!("{name} does not move (6.1b)"));
    }
    let Place::Hex(hex) = unit.place else { return Ok(()) };
    audit_hex(rules, state, id, hex)
}

fn is_moving(state: &State, id: UnitId) -> bool {
    state.stack.iter().any(|frame| match frame {
        Procedure::Moving(moving) => moving.units.contains(id),
        Procedure::Flight(flight) => flight.units.contains(id),
        _ => false,
    })
}

fn audit_hex(rules: &Ocs, state: &State, id: UnitId, hex: Hex) -> Result<(), String> {
    let (name, label) = (rules.roster.name(id), rules.map.label(hex));
    let counter = rules.counter(id);
    let ground = rules.is_unit(id) || counter.is_transport();
    if ground && !rules.terrain.land.contains(hex) {
        return Err(format!("{name} is in {label}, where no unit may be (6.2c)"));
    }
    if !rules.terrain.area.contains(hex) {
        return Err(format!("{name} is in {label}, which is not in play (GC.1C)"));
    }
    let enemy = counter.side.enemy();
    if rules.is_unit(id) && state.held(enemy).contains(hex) {
        return Err(format!("both sides are in {label} (4.2d)"));
    }
    let lost = counter.is_transport() && state.held(enemy).contains(hex);
    if lost && !is_displaced(state, hex) {
        return Err(format!("{name} is with the enemy in {label} (9.16c.a)"));
    }
    Ok(())
}

/// Something is on its way out of a hex that the enemy has entered.
fn is_displaced(state: &State, hex: Hex) -> bool {
    state.stack.iter().any(|frame| match frame {
        Procedure::Displacing(displacing) => displacing.hex == hex,
        Procedure::Advance(advance) => advance.hex == hex,
        _ => false,
    })
}

fn audit_lot(rules: &Ocs, state: &State, lot: &Lot<Goods>) -> Result<(), String> {
    let name = lot.spot.name(rules);
    match lot.spot {
        Spot::Pool => Err("supply points lie in dumps or on transport (11.1a.b)".to_owned()),
        Spot::With(unit) => {
            let counter = rules.counter(unit);
            let room = match counter.kind {
                Kind::Transport { .. } => u16::from(state.units[unit].steps) * TOKENS,
                Kind::Ship(ship) => u16::from(ship.capacity) * TOKENS,
                Kind::Air(air) => u16::from(air.capacity[1]),
                Kind::Unit | Kind::Hq => 0,
            };
            if counter.side != lot.side || lot.amount > room {
                return Err(format!("{name} cannot carry {} tokens of {} (12.2b.a)", lot.amount, lot.side));
            }
            Ok(())
        }
        Spot::Hex(hex) => {
            let enemy = lot.side.enemy();
            let taken = state.held(enemy).contains(hex) || state.stocks.amount(lot.spot, enemy, lot.kind) > 0;
            if taken && !is_displaced(state, hex) {
                return Err(format!("the dump in {name} is with the enemy (9.16b.b)"));
            }
            Ok(())
        }
    }
}
