//! `bench`: random play, and the board's primitives beside their oracles.
//!
//! Times on a shared machine stray: compare a primitive with its oracle of the same run, not with yesterday.

use std::hint::black_box;
use std::time::{Duration, Instant};

use board::{Dir, Field, Grid, Hex, HexSet, Map, Mp, Orientation, Shifted, Sides, Step, flood, oracle};
use engine::{Dice, Seed};
use serde_json::json;

use crate::args::Bench;
use crate::library::{Library, Volume};
use crate::output::{Failure, Out, STRONG, Styled};

pub(crate) fn bench(args: &Bench, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let time = Duration::from_secs_f64(args.seconds.clamp(0.01, 600.0));
    let chosen = if args.scenarios.is_empty() { all_scenarios(library)? } else { args.scenarios.clone() };
    for name in chosen {
        let (volume, scenario) = library.split(&name)?;
        scenario_speed(volume, &name, scenario, time, args.json, out)?;
        out.flush();
    }
    if args.scenarios.is_empty() {
        for primitive in primitives(time) {
            primitive.report(args.json, out);
        }
    }
    Ok(())
}

fn all_scenarios(library: &Library) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for volume in &library.volumes {
        for (name, _) in volume.rulebook.scenarios(&volume.data)? {
            names.push(format!("{}/{name}", volume.rulebook.book().name));
        }
    }
    Ok(names)
}

fn scenario_speed(
    volume: &Volume,
    name: &str,
    scenario: &str,
    time: Duration,
    as_json: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let arena = volume.rulebook.random_play(&volume.data, scenario, &[])?;
    let (mut games, mut decisions) = (0u32, 0usize);
    let began = Instant::now();
    while began.elapsed() < time {
        let finished = arena.play(&Seed(format!("bench-{games}"))).map_err(Failure::Input)?;
        games += 1;
        decisions += finished.decisions;
    }
    let seconds = began.elapsed().as_secs_f64();
    let copy = nanoseconds(time.min(Duration::from_millis(200)), 100, |_| arena.copy_state(100));
    let (decisions, games) = (decisions as f64 / seconds, f64::from(games) / seconds);
    if as_json {
        out.line(json!({
            "scenario": name,
            "decisions_per_s": decisions.round(),
            "games_per_s": (games * 10.0).round() / 10.0,
            "copy_ns": copy,
        }));
    } else {
        out.line(format_args!(
            "{} {decisions:>10.0} decisions/s {games:>9.1} games/s, state copy {copy:.0} ns",
            Styled(STRONG, format!("{name:<28}"))
        ));
    }
    Ok(())
}

/// How long one of `batch` operations takes, repeated for about `time`; the closure is told which round it is.
fn nanoseconds<T>(time: Duration, batch: u32, mut run: impl FnMut(usize) -> T) -> f64 {
    let began = Instant::now();
    let mut rounds = 0usize;
    while began.elapsed() < time {
        for _ in 0..16 {
            black_box(run(rounds));
            rounds += 1;
        }
    }
    began.elapsed().as_nanos() as f64 / (rounds as f64 * f64::from(batch))
}

/// A primitive of the board and its slow, obvious double.
struct Primitive {
    name: &'static str,
    ns: f64,
    oracle: &'static str,
    oracle_ns: f64,
}

impl Primitive {
    fn report(&self, as_json: bool, out: &mut Out) {
        let round = |ns: f64| (ns * 10.0).round() / 10.0;
        if as_json {
            out.line(json!({
                "primitive": self.name,
                "ns": round(self.ns),
                "oracle": self.oracle,
                "oracle_ns": round(self.oracle_ns),
            }));
        } else {
            out.line(format_args!(
                "{} {:>10.1} ns; {} {:.1} ns, {:.1} times as long",
                Styled(STRONG, format!("{:<28}", self.name)),
                self.ns,
                self.oracle,
                self.oracle_ns,
                self.oracle_ns / self.ns
            ));
        }
    }
}

/// A position on a map of 41 x 29 hexes, the size of Destruction of Army Group Center's.
struct Layout {
    seeds: Vec<Hex>,
    open: HexSet,
    open_table: Vec<bool>,
    costs: Vec<Mp>,
}

/// Positions to rotate over, so that no branch predictor learns one by heart.
const POSITIONS: usize = 64;

/// One hex in seven is held by the enemy, one hexside in eight is closed.
struct Ground {
    map: Map,
    closed: Vec<[bool; 6]>,
    positions: Vec<Layout>,
}

impl Ground {
    fn new() -> Option<Ground> {
        let grid = Grid::new(41, 29, Orientation::PointsUp, Shifted::Odd)?;
        let map = Map::blank(grid, "clear");
        let mut dice = Dice::seeded(&Seed("bench".to_owned()));
        let mut closed = vec![[false; 6]; map.len()];
        for hex in map.hexes() {
            for (dir, next) in map.neighbours(hex) {
                if dir.index() < 3 && dice.roll(8) == 1 {
                    closed[map.index(hex)][dir.index()] = true;
                    closed[map.index(next)][dir.opposite().index()] = true;
                }
            }
        }
        let positions = (0..POSITIONS).map(|_| Layout::new(&map, &mut dice)).collect();
        Some(Ground { map, closed, positions })
    }

    fn is_closed(&self, hex: Hex, dir: Dir) -> bool {
        self.closed[self.map.index(hex)][dir.index()]
    }
}

impl Layout {
    fn new(map: &Map, dice: &mut Dice) -> Layout {
        let mut open = HexSet::EMPTY;
        let mut open_table = vec![false; map.len()];
        let mut costs = vec![Mp::ONE; map.len()];
        for hex in map.hexes() {
            let index = map.index(hex);
            if dice.roll(7) > 1 {
                open.insert(hex);
                open_table[index] = true;
            }
            costs[index] = Mp::twelfths(6 * (1 + dice.roll(4) as u16));
        }
        let all: Vec<Hex> = open.iter().collect();
        let seeds = (0..4).map(|_| all[dice.roll(all.len() as u32) as usize - 1]).collect();
        Layout { seeds, open, open_table, costs }
    }

    fn seed_set(&self) -> HexSet {
        let mut set = HexSet::EMPTY;
        for seed in &self.seeds {
            set.insert(*seed);
        }
        set
    }
}

fn primitives(time: Duration) -> Vec<Primitive> {
    let Some(ground) = Ground::new() else { return Vec::new() };
    let Some(sides) = Sides::<64, 1>::new(&ground.map, |hex, dir| ground.is_closed(hex, dir)) else {
        return Vec::new();
    };
    vec![flood_speed(&ground, &sides, time), grow_speed(&ground, &sides, time), field_speed(&ground, time)]
}

fn flood_speed(ground: &Ground, sides: &Sides<64, 1>, time: Duration) -> Primitive {
    let seeds: Vec<HexSet> = ground.positions.iter().map(Layout::seed_set).collect();
    let indexed: Vec<Vec<usize>> = ground
        .positions
        .iter()
        .map(|position| position.seeds.iter().map(|hex| ground.map.index(*hex)).collect())
        .collect();
    let mut table = oracle::TableFlood::new(&ground.map, |hex, dir| ground.is_closed(hex, dir));
    let ns = nanoseconds(time, 1, |i| {
        let i = i % POSITIONS;
        flood(&seeds[i], &ground.positions[i].open, sides)
    });
    let oracle_ns = nanoseconds(time, 1, |i| {
        let i = i % POSITIONS;
        table.flood(&indexed[i], &ground.positions[i].open_table).len()
    });
    Primitive { name: "flood 41x29", ns, oracle: "table BFS", oracle_ns }
}

fn grow_speed(ground: &Ground, sides: &Sides<64, 1>, time: Duration) -> Primitive {
    let sets: Vec<HexSet> = ground.positions.iter().map(|position| position.open).collect();
    let ns = nanoseconds(time, 1, |i| sides.grow(&sets[i % POSITIONS]));
    let oracle_ns = nanoseconds(time, 1, |i| {
        let set = &sets[i % POSITIONS];
        let mut grown = *set;
        for hex in set.iter() {
            for (dir, next) in ground.map.neighbours(hex) {
                if !ground.is_closed(hex, dir) {
                    grown.insert(next);
                }
            }
        }
        grown
    });
    Primitive { name: "grow 41x29", ns, oracle: "hex by hex", oracle_ns }
}

fn field_speed(ground: &Ground, time: Duration) -> Primitive {
    let budget = Mp::whole(12);
    let step = |position: &Layout, from: Hex, dir: Dir, to: Hex| {
        let index = ground.map.index(to);
        if !position.open_table[index] {
            return Step::Closed;
        }
        let river = if ground.is_closed(from, dir) { Mp::ONE } else { Mp::ZERO };
        Step::Enter(position.costs[index] + river)
    };
    let mut field = Field::new();
    let ns = nanoseconds(time, 1, |i| {
        let position = &ground.positions[i % POSITIONS];
        let start = position.seeds[0];
        field.spread(&ground.map, start, budget, |from, dir, to| step(position, from, dir, to));
        field.cost(start)
    });
    let oracle_ns = nanoseconds(time, 1, |i| {
        let position = &ground.positions[i % POSITIONS];
        let start = [position.seeds[0]];
        oracle::field(&ground.map, &start, budget, |from, dir, to| step(position, from, dir, to)).len()
    });
    Primitive { name: "field 41x29, 12 MP", ns, oracle: "Dijkstra with a heap", oracle_ns }
}
