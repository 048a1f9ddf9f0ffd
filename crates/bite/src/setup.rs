//! Situations of this rulebook, read and written; what must hold in every state.

use std::sync::Arc;

use arrayvec::ArrayVec;
use board::Mp;
use engine::store::UnitStore;
use engine::{BySide, Data, Options, Rulebook, Setup, Side, Types, UnitId, Word, frame, situation};
use include_dir::{Dir, include_dir};
use source::{Item, Table, Writer};

use crate::charts::{self, Charts, Counter, Formation, Hq, Leader, PrintedHq};
use crate::ground::Ground;
use crate::settings::Settings;
use crate::{
    AirHand, Arm, AttackMarkers, Bite, COLOURS, Colour, Fort, HexSet, MAX_FORTS, MAX_TRAILS, MAX_UNITS,
    Marks, Opening, Place, Points, State, Switches, Unit, Weather, sequence,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/bite");

impl Setup for Bite {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Bite, State)> {
        let doc = root.doc();
        let charts = Charts::read(doc, data);
        let units = data.read(doc, charts::COUNTERS, charts::read_counters);
        let hqs = data.read(doc, charts::HQS, charts::read_hqs);
        let leaders = data.read(doc, charts::LEADERS, charts::read_leaders);
        let charts = charts?;
        let (map, map_name) = situation::read_map(root, data)?;
        let settings = read_settings(root, data, &map)?;
        let Some(ground) = Ground::new(&map, &charts, &settings) else {
            root.fault("the map is too large for this rulebook: at most 40 columns of 64 hexes");
            return None;
        };
        let listed = root.need("units").and_then(|units| units.table()).map(|units| units.rest())?;
        let is_listed = |counter: &Counter| listed.iter().any(|(name, _)| *name == counter.name);
        let (hqs, units): (Vec<PrintedHq>, Vec<Counter>) = (
            hqs?.into_iter().filter(|hq| is_listed(&hq.counter)).collect(),
            units?.into_iter().filter(|counter| is_listed(counter)).collect(),
        );
        let mut counters: Vec<Counter> = hqs.iter().map(|hq| hq.counter.clone()).chain(units).collect();
        set_counters(&mut counters, &settings);
        let colours = read_colours(root, &mut counters)?;
        let formations = read_formations(root, &charts, &mut counters)?;
        let roster =
            situation::read_roster(root, counters.iter().map(|counter| counter.name.as_str()), MAX_UNITS)?;
        let is_bridging = |unit: &UnitId| counters[unit.index()].arm == Arm::Bridging;
        let rules = Bite {
            map_name,
            game: data.game().map(str::to_owned),
            hqs: place_hqs(&hqs, &counters, &leaders?, &settings),
            bridging: roster.iter().filter(is_bridging).collect(),
            colours,
            formations,
            counters,
            roster,
            ground,
            map,
            charts,
            settings,
            options,
            switches: Switches::new(options, &Bite::BOOK),
            token: Arc::default(),
        };
        let state = read_state(&rules, root, &listed)?;
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("settings", self.settings.name.as_str());
        out.field("turn", i64::from(state.turn));
        out.field("weather", state.weather.as_str());
        let labels = |set: &HexSet| set.iter().map(|hex| self.map.label(hex)).collect::<Vec<_>>();
        if !state.soviet_hexes.is_empty() {
            out.words("soviet_control", labels(&state.soviet_hexes));
        }
        if state.ruined > 0 {
            out.field("ruined", i64::from(state.ruined));
        }
        if state.demolished {
            out.field("demolished", true);
        }
        if state.flotilla_used {
            out.field("flotilla_used", true);
        }
        if state.shipped > 0 {
            out.field("shipped", i64::from(state.shipped));
        }
        if state.charged > 0 {
            let charged =
                self.colours.iter().enumerate().filter(|(place, _)| state.charged >> place & 1 == 1);
            out.words("charged", charged.map(|(_, colour)| colour));
        }
        if state.used != Points::default() {
            out.field("used", state.used.word(self));
        }
        if !state.trails.is_empty() {
            out.words("trails", state.trails.iter().map(|trail| trail.word(self)));
        }
        situation::write_stack(&state.stack, self, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        write_sides(self, state, out);
        if !state.forts.is_empty() {
            out.table("forts");
            for fort in &state.forts {
                out.field(&self.map.label(fort.hex), format!("{} {}", fort.side.word(), fort.value));
            }
        }
        out.table("units");
        for unit in self.roster.iter() {
            out.field(self.roster.name(unit), write_unit(self, state, unit));
        }
    }

    fn options(&self) -> Options {
        self.options
    }

    fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        self.roster.iter().try_for_each(|unit| audit_unit(self, state, unit))?;
        for fort in &state.forts {
            let label = self.map.label(fort.hex);
            if state.forts.iter().filter(|other| other.hex == fort.hex).count() > 1 {
                return Err(format!("there are two field forts in {label} (18.0b2)"));
            }
            if state.battle().is_none() && self.holder(state, fort.hex) != Some(fort.side) {
                return Err(format!("nobody is in the field fort in {label} (18.0b3)"));
            }
        }
        frame::audit(self, state)
    }

    fn longest_game(&self) -> usize {
        40_000
    }
}

/// `settings = "NAME"`: a file under `settings/`.
fn read_settings(root: &Table<'_>, data: &Data, map: &board::Map) -> Option<Settings> {
    let item = root.need("settings")?;
    let name = item.str()?;
    let source = item.parse(|_| data.find("settings", name))?;
    root.doc().take(Settings::read(name, source, map))
}

/// What the settings of a game change about counters.
fn set_counters(counters: &mut [Counter], settings: &Settings) {
    for counter in counters {
        let named = |(name, _): &&(String, String)| *name == counter.name;
        if let Some((_, colour)) = settings.colours.iter().find(named) {
            counter.colour_name = colour.clone();
        }
        if let Some((_, re)) = settings.re.iter().find(|(name, _)| *name == counter.name) {
            counter.re = *re;
        }
        counter.directed = settings
            .special
            .directive
            .as_ref()
            .is_some_and(|directive| directive.colours.contains(&counter.colour_name));
        counter.local = settings.special.local.contains(&counter.name);
        let red = settings.anti_tank.as_ref().filter(|(_, units)| units.contains(&counter.name));
        counter.red_from = red.map(|(turn, _)| *turn);
    }
}

fn read_colours(root: &Table<'_>, counters: &mut [Counter]) -> Option<Vec<String>> {
    let mut colours: Vec<String> = Vec::new();
    for counter in counters.iter_mut().filter(|counter| !counter.colour_name.is_empty()) {
        let place = colours.iter().position(|colour| *colour == counter.colour_name).unwrap_or(colours.len());
        if place == colours.len() {
            colours.push(counter.colour_name.clone());
        }
        counter.colour = Some(Colour(place as u8));
    }
    if colours.len() > COLOURS {
        root.fault(format!("more than {COLOURS} colours of HQs"));
        return None;
    }
    Some(colours)
}

/// The most formations: a bit for each must fit where they are counted.
const MAX_FORMATIONS: usize = 64;

fn read_formations(root: &Table<'_>, charts: &Charts, counters: &mut [Counter]) -> Option<Vec<Formation>> {
    let mut formations: Vec<Formation> = Vec::new();
    for counter in counters.iter_mut().filter(|counter| !counter.formation_name.is_empty()) {
        let name = &counter.formation_name;
        let place = formations.iter().position(|known| known.name == *name).unwrap_or(formations.len());
        if place == formations.len() {
            let known = charts.integrity.iter().find(|known| known.name == *name);
            formations
                .push(known.cloned().unwrap_or(Formation { name: name.clone(), ..Formation::default() }));
        }
        counter.formation = Some(place as u8);
    }
    if formations.len() > MAX_FORMATIONS {
        root.fault(format!("more than {MAX_FORMATIONS} formations"));
        return None;
    }
    Some(formations)
}

fn place_hqs(
    hqs: &[PrintedHq],
    counters: &[Counter],
    leaders: &[Leader],
    settings: &Settings,
) -> [Option<Hq>; COLOURS] {
    let mut placed: [Option<Hq>; COLOURS] = std::array::from_fn(|_| None);
    for (place, hq) in hqs.iter().enumerate() {
        let in_play = |leader: &&Leader| {
            leader.hq == hq.counter.name
                && settings.leaders.as_ref().is_none_or(|listed| listed.contains(&leader.name))
        };
        if let Some(colour) = counters[place].colour {
            placed[colour.index()] = Some(Hq {
                unit: UnitId(place as u16),
                range: hq.range,
                right: hq.right,
                left: hq.left,
                leader: leaders.iter().find(in_play).cloned(),
            });
        }
    }
    placed
}

fn read_state(rules: &Bite, root: &Table<'_>, listed: &[(&str, Item<'_>)]) -> Option<State> {
    let settings = &rules.settings;
    let turn = root.get("turn").map_or(Some(settings.first_turn), |item| item.int(1..=settings.last_turn));
    let weather = root.get("weather").map_or(Some(Weather::Clear), |item| item.parse(Weather::from_word));
    let number = |table: &str, side: Side| {
        let table = root.get(table)?.table()?;
        table.get(side.word())?.int(0..=99u8)
    };
    let nobody = Unit { place: Place::Dead, steps: 0, marks: Marks::default(), left: Mp::ZERO, drawn: 0 };
    let mut state = State {
        turn: turn?,
        weather: weather?,
        units: UnitStore::new(nobody),
        soviet_hexes: root.get("soviet_control").map(|item| hexes(&item, rules)).unwrap_or_default(),
        air: BySide::new_with(|side| AirHand {
            markers: number("air", side).unwrap_or(0),
            interdicting: number("interdicting", side).unwrap_or(0),
        }),
        interdicted: by_side(root, "interdicted", |item| hexes(&item, rules)),
        forts: ArrayVec::new(),
        lifted: by_side(root, "lifted", |item| pair(&item)),
        ruined: root.get("ruined").and_then(|item| item.int(0..=255)).unwrap_or(0),
        demolished: root.get("demolished").and_then(|item| item.bool()).unwrap_or(false),
        charged: root.get("charged").map_or(0, |item| read_charged(&item, rules)),
        used: root
            .get("used")
            .and_then(|item| item.parse(|text| Points::read(text, rules)))
            .unwrap_or_default(),
        flotilla_used: root.get("flotilla_used").and_then(|item| item.bool()).unwrap_or(false),
        attack_markers: read_markers(rules, root),
        shipped: root.get("shipped").and_then(|item| item.int(0..=99)).unwrap_or(0),
        points: by_side(root, "points", |item| item.int(-9999..=9999).unwrap_or(0)),
        trails: ArrayVec::new(),
        stack: Default::default(),
    };
    for (name, item) in listed {
        let Some(id) = item.parse(|_| rules.roster.find(name)) else { continue };
        if let Some(unit) = read_unit(rules, id, item) {
            state.units.change(id, |slot| *slot = unit);
        }
    }
    // Whoever stands in a hex controls it (R86).
    for unit in rules.roster.iter().filter(|unit| !rules.is_hq(*unit)) {
        match (state.hex(unit), rules.side(unit)) {
            (Some(hex), Side::Axis) => state.soviet_hexes.remove(hex),
            (Some(hex), Side::Soviet) => state.soviet_hexes.insert(hex),
            (None, _) => false,
        };
    }
    read_forts(rules, root, &mut state);
    for item in root.get("trails").map(|item| item.words()).unwrap_or_default() {
        if let Some(trail) = item.parse(|text| crate::Hexes::read(text, rules))
            && state.trails.try_push(trail).is_err()
        {
            item.fault(format!("at most {MAX_TRAILS} trails"));
        }
    }
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None => begin(rules, &mut state),
    }
    Some(state)
}

/// A situation that does not say what is under way begins with its turn: with dice for weather and air support where the game
/// has them.
fn begin(rules: &Bite, state: &mut State) {
    let dice =
        rules.settings.weather.without_die().is_none() || rules.settings.air.table.without_die().is_none();
    if dice {
        state.stack.push(Opening {});
        return;
    }
    let mut play = engine::Play::new(engine::Dice::told([]));
    sequence::begin_turn(rules, state, &mut play);
    rules.go_on(state, &mut play);
}

fn by_side<T: Default>(root: &Table<'_>, key: &str, read: impl Fn(Item<'_>) -> T) -> BySide<T> {
    let Some(table) = root.get(key).and_then(|item| item.table()) else { return BySide::default() };
    let both = BySide::new_with(|side| table.get(side.word()).map(&read).unwrap_or_default());
    table.done();
    both
}

fn hexes(item: &Item<'_>, rules: &Bite) -> HexSet {
    situation::read_hexes(item, &rules.map).into_iter().collect()
}

fn pair(item: &Item<'_>) -> [u8; 2] {
    let numbers: Vec<u8> = item.items().iter().filter_map(|item| item.int(0..=9)).collect();
    <[u8; 2]>::try_from(numbers).unwrap_or_default()
}

/// The colours whose General combat was made, by the names of their HQs' colours.
fn read_charged(item: &Item<'_>, rules: &Bite) -> u16 {
    let colour = |text: &str| {
        let place = rules.colours.iter().position(|colour| colour == text);
        place.ok_or_else(|| format!("there is no HQ of colour `{text}`"))
    };
    item.words().iter().filter_map(|word| word.parse(colour)).fold(0, |all, place| all | 1 << place)
}

/// `[attack_markers] soviet = [hand, boxes …]`; all are in hand where nothing is said.
fn read_markers(rules: &Bite, root: &Table<'_>) -> BySide<AttackMarkers> {
    let table = root.get("attack_markers").and_then(|item| item.table());
    BySide::new_with(|side| {
        let all = rules.settings.attack[side].markers.unwrap_or(0);
        let Some(item) = table.as_ref().and_then(|table| table.get(side.word())) else {
            return AttackMarkers { hand: all, ahead: [0; 4] };
        };
        let numbers: Vec<u8> = item.items().iter().filter_map(|item| item.int(0..=20)).collect();
        let mut markers = AttackMarkers { hand: numbers.first().copied().unwrap_or(0), ahead: [0; 4] };
        for (slot, number) in markers.ahead.iter_mut().zip(numbers.iter().skip(1)) {
            *slot = *number;
        }
        markers
    })
}

/// `[forts] 1010 = "axis 2"`.
fn read_forts(rules: &Bite, root: &Table<'_>, state: &mut State) {
    let Some(table) = root.get("forts").and_then(|item| item.table()) else { return };
    for (label, item) in table.rest() {
        let fort = item.parse(|text| {
            let hex = rules.map.hex(label)?;
            let (side, value) = text.split_once(' ').ok_or("expected a side and 1 or 2, such as `axis 2`")?;
            let value = value.parse().ok().filter(|value| (1..=2).contains(value));
            Ok::<_, String>(Fort {
                hex,
                side: Side::from_word(side)?,
                value: value.ok_or("a field fort is of 1 or 2")?,
            })
        });
        if let Some(fort) = fort
            && state.forts.try_push(fort).is_err()
        {
            item.fault(format!("at most {MAX_FORTS} field forts"));
        }
    }
    state.forts.sort_by_key(|fort| fort.hex);
}

/// `NAME = "HEX"`, with `steps=N`, `left=MP`, `drawn=colour` and marks where they differ from a fresh unit.
fn read_unit(rules: &Bite, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let (place, rest) = situation::read_place(item, &rules.map)?;
    let (full, gone) = (rules.counter(id).steps(), is_gone(place));
    let (mut steps, mut left, mut drawn) = (if gone { 0 } else { full }, Mp::ZERO, 0);
    let keys: &[&str] = if gone { &["left", "drawn"] } else { &["steps", "left", "drawn"] };
    let mut marks: Marks = situation::read_marks(&rest, keys, |key, value| {
        match key {
            "steps" => steps = situation::number(value, 1..=full)?,
            "left" => left = <Mp as Word>::read(value, rules)?,
            _ => {
                let colour = rules.colours.iter().position(|known| known == value);
                drawn |= 1 << colour.ok_or_else(|| format!("there is no HQ of colour `{value}`"))?;
            }
        }
        Ok(())
    });
    if place == Place::Track && rules.counter(id).untried {
        marks.set(Marks::UNTRIED);
    }
    Some(Unit { place, steps, marks, left, drawn })
}

fn write_sides(rules: &Bite, state: &State, out: &mut Writer) {
    let labels = |set: &HexSet| set.iter().map(|hex| rules.map.label(hex)).collect::<Vec<_>>();
    let mut table = |name: &str, values: BySide<Option<i64>>| {
        if Side::BOTH.into_iter().any(|side| values[side].is_some()) {
            out.table(name);
            for side in Side::BOTH {
                if let Some(value) = values[side] {
                    out.field(side.word(), value);
                }
            }
        }
    };
    let number = |value: i64| (value != 0).then_some(value);
    table("air", BySide::new_with(|side| number(i64::from(state.air[side].markers))));
    table("interdicting", BySide::new_with(|side| number(i64::from(state.air[side].interdicting))));
    table("points", BySide::new_with(|side| number(i64::from(state.points[side]))));
    if Side::BOTH.into_iter().any(|side| !state.interdicted[side].is_empty()) {
        out.table("interdicted");
        for side in Side::BOTH {
            out.words(side.word(), labels(&state.interdicted[side]));
        }
    }
    if state.lifted != BySide::default() {
        out.table("lifted");
        for side in Side::BOTH {
            out.list(side.word(), state.lifted[side].map(i64::from));
        }
    }
    if Side::BOTH.into_iter().any(|side| rules.settings.attack[side].markers.is_some()) {
        out.table("attack_markers");
        for side in Side::BOTH {
            let AttackMarkers { hand, ahead } = state.attack_markers[side];
            out.list(side.word(), [hand].into_iter().chain(ahead).map(i64::from));
        }
    }
}

fn write_unit(rules: &Bite, state: &State, id: UnitId) -> String {
    let unit = &state.units[id];
    let full = if is_gone(unit.place) { 0 } else { rules.counter(id).steps() };
    let mut line = situation::write_unit(unit.place, &rules.map, &[("steps", unit.steps, full)], unit.marks);
    if unit.left > Mp::ZERO {
        line += &format!(" left={}", unit.left.word(rules));
    }
    for (_, colour) in rules.colours.iter().enumerate().filter(|(place, _)| unit.drawn >> place & 1 == 1) {
        line += &format!(" drawn={colour}");
    }
    line
}

fn is_gone(place: Place) -> bool {
    matches!(place, Place::Dead | Place::Lost)
}

fn audit_unit(rules: &Bite, state: &State, id: UnitId) -> Result<(), String> {
    let name = rules.roster.name(id);
    let (unit, counter) = (&state.units[id], rules.counter(id));
    if is_gone(unit.place) != (unit.steps == 0) {
        return Err(format!("{name} has {} steps where it is (12.5b2)", unit.steps));
    }
    if unit.place == Place::Lost && counter.arm != Arm::Hq {
        return Err(format!("{name} is no HQ and does not come back (14.0j)"));
    }
    if let Place::Bridge(from, to) = unit.place {
        let bridges = counter.arm == Arm::Bridging && rules.ground.is_major(&rules.map, from, to);
        if !bridges {
            return Err(format!("{name} cannot bridge that hexside (20.0b)"));
        }
    }
    if unit.marks.has(Marks::UNTRIED) && (!counter.untried || rules.untried_row(id).is_none()) {
        return Err(format!("{name} has no untried face (16.0a)"));
    }
    let Place::Hex(hex) = unit.place else { return Ok(()) };
    let label = rules.map.label(hex);
    if !rules.ground.land.contains(hex) {
        return Err(format!("{name} is in {label}, where no unit may be (10.1a2)"));
    }
    if state.units.in_hex(hex).any(|other| rules.side(other) != counter.side) {
        return Err(format!("both sides are in {label} (10.1b)"));
    }
    Ok(())
}
