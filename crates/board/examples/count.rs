//! What movement costs in instructions, which do not stray as times do:
//!
//! ```sh
//! cargo build --release -p board --example count
//! for n in 1 11; do valgrind --tool=callgrind target/release/examples/count dagc reach $n; done
//! ```
//!
//! The difference between the two counts is that of ten rounds over [`POSITIONS`] positions.
#![allow(clippy::print_stdout)]

use std::hint::black_box;

use board::{
    Dir, Effect, Field, Hex, HexSet, LinkLayer, Map, Mp, Reach, SideLayer, Sides, Step, Tariff, Tolls, Where,
    flood,
};
use source::Source;

/// Positions to rotate over.
const POSITIONS: usize = 64;

/// How many units a side has.
const UNITS: usize = 40;

const DAGC: &str = include_str!("../../../data/dagc/maps/dagc.toml");
const BUG: &str = include_str!("../../../data/bug/maps/bug.toml");

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let usage = "count dagc|bug field|reach|path|flood|grow ROUNDS";
    let [game, what, rounds] = words.as_slice() else { return Err(usage.to_owned()) };
    let rounds = rounds.parse().map_err(|_| usage)?;
    let ground = match *game {
        "dagc" => Ground::new(DAGC, &[("forest", 2), ("marsh", 3), ("western_pripyat", 4)], false),
        _ => Ground::new(BUG, &[("forest", 2), ("marsh", 2), ("village", 1), ("town", 1)], true),
    };
    let ground = ground.ok_or("the map is too large")?;
    let budget = Mp::whole(7);
    let found = match *what {
        "field" => ground.fields(rounds, budget),
        "reach" => ground.reaches(rounds, budget, false),
        "path" => ground.reaches(rounds, budget, true),
        "flood" => ground.floods(rounds),
        _ => ground.growths(rounds),
    };
    println!("{:.1}", found as f64 / (rounds * POSITIONS) as f64);
    Ok(())
}

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }
}

/// A front across the map, and a unit near it.
struct Position {
    start: Hex,
    goal: Hex,
    enemies: HexSet,
    friends: HexSet,
    full: HexSet,
    zones: HexSet,
}

/// A map as a rulebook sees it. In zones of control one must stop and roads are useless, or they cost.
struct Ground {
    map: Map,
    land: HexSet,
    costs: Vec<Mp>,
    river: SideLayer,
    wet: [SideLayer; 2],
    road: LinkLayer,
    all: Sides,
    dry: Sides,
    tariffs: Vec<Tariff>,
    stops: bool,
    positions: Vec<Position>,
}

impl Ground {
    fn new(map: &str, costs: &[(&str, u16)], stops: bool) -> Option<Ground> {
        let map = Map::parse(&Source::new("map", map), &[]).ok()?;
        let cost = |hex: Hex| match map.terrain_name(map.terrain(hex)) {
            "sea" | "lake" => None,
            name => {
                Some(Mp::whole(costs.iter().find(|(known, _)| *known == name).map_or(1, |(_, cost)| *cost)))
            }
        };
        let land: HexSet = map.hexes().filter(|hex| cost(*hex).is_some()).collect();
        let costs: Vec<Mp> = map.grid().hexes().map(|hex| cost(hex).unwrap_or_default()).collect();
        let (lake, sea) = (map.sides_with("lake"), map.sides_with("sea"));
        let mut ground = Ground {
            land,
            costs,
            river: map.sides_with(if stops { "stream" } else { "river" }).clone(),
            wet: [lake.clone(), sea.clone()],
            road: map.links_with("main_road").clone(),
            all: Sides::all(&map)?,
            dry: Sides::without(&map, &[lake, sea])?,
            tariffs: Vec::new(),
            stops,
            positions: Vec::new(),
            map,
        };
        let ways = if stops { 2 } else { 1 };
        ground.tariffs = (0..ways)
            .map(|way| Tariff::new(&ground.map, |from, dir, to| ground.price(way, from, dir, to)))
            .collect::<Option<_>>()?;
        let mut chance = Chance(0x1234_5678_9ABC_DEF1);
        ground.positions = (0..POSITIONS).map(|_| ground.position(&mut chance)).collect();
        ground.choose_goals(&mut chance);
        Some(ground)
    }

    /// What the ground costs across country and by road.
    fn price(&self, way: usize, from: Hex, dir: Dir, to: Hex) -> Option<Mp> {
        let open = self.land.contains(to) && !self.wet.iter().any(|layer| layer.has(from, dir));
        let river = if self.river.has(from, dir) { Mp::ONE } else { Mp::ZERO };
        match way {
            _ if !open => None,
            0 => Some(self.costs[self.map.index(to)] + river),
            _ => self.road.has(from, dir).then_some(Mp::twelfths(6)),
        }
    }

    fn position(&self, chance: &mut Chance) -> Position {
        let front = self.map.grid().width() as u64 / 3 + chance.below(8);
        let mut near_front = |east: bool| {
            let mut units = HexSet::EMPTY;
            while units.len() < UNITS {
                let line = chance.below(self.map.grid().lines() as u64) as u8;
                let depth = chance.below(4) * chance.below(4) / 2;
                let pos = if east { front + 1 + depth } else { front - depth };
                units.extend(Some(Hex::new(line, pos as u8)).filter(|hex| self.land.contains(*hex)));
            }
            units
        };
        let (enemies, mut friends) = (near_front(true), near_front(false));
        let start = friends.iter().nth(chance.below(UNITS as u64) as usize).unwrap_or(Hex::new(0, 0));
        friends.remove(start);
        let full = friends.iter().step_by(4).collect();
        Position { start, goal: start, zones: self.all.grow(&enemies), enemies, friends, full }
    }

    fn choose_goals(&mut self, chance: &mut Chance) {
        let mut field = Field::new();
        for place in 0..POSITIONS {
            self.spread(&mut field, &self.positions[place], Mp::whole(7));
            let all: Vec<Hex> = field.reached().map(|(hex, _)| hex).collect();
            self.positions[place].goal = all[chance.below(all.len() as u64) as usize];
        }
    }

    /// The law asked about one step.
    fn step(&self, position: &Position, from: Hex, dir: Dir, to: Hex) -> Step {
        let Position { enemies, friends, full, zones, .. } = position;
        if enemies.contains(to) || full.contains(to) {
            return Step::Closed;
        }
        let Some(country) = self.price(0, from, dir, to) else { return Step::Closed };
        let in_zone = |hex: Hex| if zones.contains(hex) { Mp::ONE } else { Mp::ZERO };
        if self.stops {
            let quiet = !zones.contains(from) && !zones.contains(to);
            let road = if quiet { self.price(1, from, dir, to) } else { None };
            let price = road.map_or(country, |road| road.min(country));
            return match (zones.contains(from), zones.contains(to)) {
                (true, true) => Step::Closed,
                (false, true) => Step::EnterAndStop(price),
                (_, false) => Step::Enter(price),
            };
        }
        let friend = |hex: Hex| if friends.contains(hex) { Mp::ONE } else { Mp::ZERO };
        Step::Enter(country + in_zone(from) + in_zone(to) + friend(from) + friend(to))
    }

    fn spread(&self, field: &mut Field, position: &Position, budget: Mp) {
        field.spread(&self.map, position.start, budget, |from, dir, to| self.step(position, from, dir, to));
    }

    /// The law as tolls.
    fn tolls<'a>(&'a self, position: &'a Position) -> Tolls<'a> {
        let Position { enemies, friends, full, zones, .. } = position;
        let all = Where::EVERYWHERE;
        let (every, road) = (0xFF, 2);
        let mut tolls = Tolls::new(&self.tariffs);
        tolls.lay(all.entering(enemies), every, Effect::Close);
        tolls.lay(all.entering(full), every, Effect::Close);
        if self.stops {
            tolls.lay(all.leaving(zones).entering(zones), every, Effect::Close);
            tolls.lay(all.leaving(zones), road, Effect::Close);
            tolls.lay(all.entering(zones), road, Effect::Close);
            tolls.lay(all.entering(zones), every, Effect::Stop);
        } else {
            for hexes in [friends, zones] {
                tolls.lay(all.leaving(hexes), every, Effect::Price(Mp::ONE));
                tolls.lay(all.entering(hexes), every, Effect::Price(Mp::ONE));
            }
        }
        tolls
    }

    fn fields(&self, rounds: usize, budget: Mp) -> usize {
        let mut field = Field::new();
        let each = |position: &Position| {
            self.spread(&mut field, position, budget);
            black_box(&field).reached().count()
        };
        self.repeat(rounds, each)
    }

    fn reaches(&self, rounds: usize, budget: Mp, with_path: bool) -> usize {
        let (mut reach, mut path) = (Reach::new(), Vec::new());
        let each = |position: &Position| {
            let tolls = self.tolls(position);
            if with_path {
                reach.spread_to(&tolls, &[position.start], budget, position.goal);
                black_box(&reach).path_into(position.goal, &mut path);
                return path.len();
            }
            reach.spread(&tolls, &[position.start], budget);
            usize::from(black_box(&reach).hexes().contains(position.goal))
        };
        self.repeat(rounds, each)
    }

    fn floods(&self, rounds: usize) -> usize {
        let west: HexSet = self.land.iter().filter(|hex| hex.pos() < 4).collect();
        let each = |position: &Position| {
            let open = position.friends | (self.land - position.zones);
            black_box(flood(&west, &open, &self.dry)).iter().count()
        };
        self.repeat(rounds, each)
    }

    fn growths(&self, rounds: usize) -> usize {
        self.repeat(rounds, |position| black_box(self.all.grow(&position.enemies)).iter().count())
    }

    fn repeat(&self, rounds: usize, each: impl FnMut(&Position) -> usize) -> usize {
        std::iter::repeat_n(&self.positions, rounds).flatten().map(each).sum()
    }
}
