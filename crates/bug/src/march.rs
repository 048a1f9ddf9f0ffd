//! 7.3: what a step costs and what bars it, and what follows from that: where a stack can go, by which way, and why not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use board::{Dir, Hex, Map, Mp, Step};
use engine::display::{Cost, Leg, Route};
use engine::law::{About, Bar, Shortfall, Statute, Term, WhyNot, crossing, entering, leaving};
use engine::{Fact, Side, UnitId, Violation, case, ensure, refuse, remark};

use crate::charts::TerrainChart;
use crate::ground::Gait;
use crate::{Bug, HexSet, Manner, Marks, Pontoon, Presence, Sides, State, Units};

/// Across country, and along roads and railways (7.3.3).
const COUNTRY: usize = 0;
pub(crate) const ROAD: usize = 1;

/// What Leg units that keep away from the enemy can move further (7.3.5a).
const LEG_BONUS: u16 = 2;

/// Leg units that can cross the Bug by boat in an activation (7.3.8a).
const BOATS: u8 = 2;

type Law<'a> = engine::law::Law<'a, 32, 1>;
type Reach = board::Reach<32, 1>;

/// Hexsides with water.
pub(crate) struct Waters {
    pub(crate) lake: Sides,
    /// Streams without a bridge.
    pub(crate) stream: Sides,
    /// The Bug without a bridge.
    pub(crate) river: Sides,
}

/// What steps cost and what bars them, as far as that never changes.
#[derive(Debug)]
pub(crate) struct Statutes {
    /// By the gaits in a stack, a bit each.
    paces: Vec<Paces>,
    /// For a first step that takes the whole allowance (7.3.2b, 7.3.4a, 7.3.7b).
    whole: Statute<32, 1>,
}

/// What a stack with some gaits pays.
#[derive(Debug)]
pub(crate) struct Paces {
    pub(crate) statute: Statute<32, 1>,
    /// Hexsides where a road or railway costs more than the country beside it; it is followed all the same (7.3.3a).
    dear: Sides,
}

impl Statutes {
    /// Nothing when the map is too large.
    pub(crate) fn new(
        map: &Map,
        chart: &TerrainChart,
        land: &HexSet,
        waters: &Waters,
    ) -> Option<Arc<Statutes>> {
        let off = HexSet::all(map) - *land;
        let bars = [
            Term::bar(entering(&off), Bar::new(case("7.3.2b"), "{} is not in play", [About::To])),
            Term::bar(
                crossing(&waters.lake),
                Bar::new(case("7.3.2b"), "a lake lies between {} and {}", [About::From, About::To]),
            ),
        ];
        let whole = Statute::new(map, &[&Sides::all(map)?], &bars)?;
        let ground = Common { map, chart, waters, bars: &bars, roads: roads(map, chart) };
        let paces = (0..1 << Gait::ALL.len()).map(|gaits| Paces::new(&ground, gaits));
        Some(Arc::new(Statutes { paces: paces.collect::<Option<_>>()?, whole }))
    }

    /// What a stack with these gaits pays.
    pub(crate) fn of(&self, gaits: usize) -> &Paces {
        &self.paces[gaits]
    }
}

/// What all stacks have in common.
struct Common<'a> {
    map: &'a Map,
    chart: &'a TerrainChart,
    waters: &'a Waters,
    bars: &'a [Term<'a, 32, 1>],
    /// What a road or railway costs across each hexside that one crosses, by hex and direction: leg, motorized.
    roads: BTreeMap<(Hex, u8), [Mp; 2]>,
}

fn roads(map: &Map, chart: &TerrainChart) -> BTreeMap<(Hex, u8), [Mp; 2]> {
    let mut roads: BTreeMap<(Hex, u8), [Mp; 2]> = BTreeMap::new();
    for (name, costs) in &chart.roads {
        let links = map.links_with(name);
        let sides = map.hexes().flat_map(|hex| Dir::ALL.map(|dir| (hex, dir)));
        for (hex, dir) in sides.filter(|(hex, dir)| links.has(*hex, *dir)) {
            let known = roads.entry((hex, dir as u8)).or_insert(*costs);
            *known = [known[0].min(costs[0]), known[1].min(costs[1])];
        }
    }
    roads
}

impl Paces {
    /// A stack pays the highest cost of any of its units (R84): the road rate where it may be used (7.3.3), else terrain
    /// and what streams and pontoon bridges add (7.3.7a, 10.3g).
    fn new(ground: &Common<'_>, gaits: usize) -> Option<Paces> {
        let Common { map, chart, waters, bars, .. } = *ground;
        let gaits = || Gait::ALL.into_iter().filter(move |gait| gaits >> *gait as usize & 1 == 1);
        let motorized = gaits().any(|gait| gait != Gait::Leg);
        let highest = |costs: &dyn Fn(Gait) -> Mp| gaits().map(costs).max().unwrap_or(Mp::ZERO);
        let name_of = |hex: Hex| map.terrain_name(map.terrain(hex));
        let terrain: Vec<(HexSet, Mp)> = chart
            .rows
            .iter()
            .map(|row| {
                let hexes = map.hexes().filter(|hex| name_of(*hex) == row.name).collect();
                (hexes, highest(&|gait| row.costs[gait as usize]))
            })
            .collect();
        let across = |hex: Hex| terrain.iter().find(|(hexes, _)| hexes.contains(hex)).map(|(_, cost)| *cost);
        let rate = |costs: &[Mp; 2]| highest(&|gait| costs[usize::from(gait != Gait::Leg)]);
        let road = |hex: Hex, dir: Dir| ground.roads.get(&(hex, dir as u8)).map(rate);
        let mut rates: Vec<Mp> = ground.roads.values().map(rate).collect();
        rates.sort_unstable();
        rates.dedup();
        let along = |rate: &Mp| Some((Sides::new(map, |hex, dir| road(hex, dir) != Some(*rate))?, *rate));
        let along: Vec<(Sides, Mp)> = rates.iter().map(along).collect::<Option<_>>()?;
        let dear = Sides::new(map, |hex, dir| {
            let dearer = |to: Hex| road(hex, dir) > across(to);
            road(hex, dir).is_none() || !(dearer(hex) || map.neighbour(hex, dir).is_some_and(dearer))
        })?;
        let mut terms = bars.to_vec();
        for (hexes, cost) in &terrain {
            terms.push(Term::price(entering(hexes), "terrain", *cost, case("7.3b")).by(COUNTRY));
        }
        let stream = crossing(&waters.stream);
        if motorized {
            let why = Bar::new(
                case("7.3.7b"),
                "motorized units cross a stream only as the first step of a move",
                [],
            );
            terms.push(Term::bar(stream, why).by(COUNTRY));
            let bridge = crossing(&waters.river);
            terms.push(Term::price(bridge, "pontoon bridge", Mp::ONE, case("10.3g")).by(COUNTRY));
        } else {
            terms.push(Term::price(stream, "stream", Mp::ONE, case("7.3.7a")).by(COUNTRY));
        }
        for (sides, rate) in &along {
            terms.push(Term::price(crossing(sides), "road", *rate, case("7.3.3a")).by(ROAD));
        }
        let roads = Sides::new(map, |hex, dir| road(hex, dir).is_none())?;
        Some(Paces { statute: Statute::new(map, &[&Sides::all(map)?, &roads], &terms)?, dear })
    }
}

/// A stack on its way, with what stands in it.
#[derive(Clone)]
pub(crate) struct March<'a> {
    rules: &'a Bug,
    presence: Rc<Presence>,
    pub(crate) units: Units,
    pub(crate) side: Side,
    pub(crate) at: Hex,
    pub(crate) spent: Mp,
    /// No step has been made.
    pub(crate) fresh: bool,
    /// Has been next to an enemy unit.
    pub(crate) touched: bool,
    /// Where a bonus move must begin.
    pub(crate) first: [Option<Hex>; 2],
    gaits: usize,
    pontoons: [Pontoon; 2],
    /// Why it cannot use boats, if it cannot.
    no_boat: Option<Bar>,
    /// Enemy zones of control, and the hexes in play in none.
    zones: HexSet,
    free: HexSet,
    /// The hexes in play where it does not begin: nobody goes by boat from there.
    elsewhere: HexSet,
}

/// Space that movement works in, with what was found last: it is asked for again when the stack goes.
#[derive(Default)]
struct Scratch {
    /// What can be reached with the plain allowance, and with the raised one away from enemies.
    plain: Reach,
    raised: Reach,
    path: Vec<Hex>,
    trip: Option<Trip>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// All that a stack's reach follows from.
#[derive(Clone)]
struct Trip {
    statutes: Arc<Statutes>,
    units: Units,
    from: Hex,
    spent: Mp,
    fresh: bool,
    touched: bool,
    no_boat: Option<Bar>,
    pontoons: [Pontoon; 2],
    enemies: HexSet,
    zones: HexSet,
}

impl Trip {
    /// The same stack in a world that has not changed.
    fn is_of(&self, march: &March<'_>) -> bool {
        Arc::ptr_eq(&self.statutes, &march.rules.ground.statutes)
            && self.units == march.units
            && self.pontoons == march.pontoons
            && self.enemies == *march.enemies()
            && self.zones == march.zones
    }

    /// It stands where it did.
    fn is_from(&self, march: &March<'_>) -> bool {
        self.from == march.at
            && self.spent == march.spent
            && (self.fresh, self.touched) == (march.fresh, march.touched)
            && self.no_boat == march.no_boat
            && self.is_of(march)
    }
}

impl Scratch {
    /// The reach by which a goal is found, if it is: the way that keeps off the enemy where it costs no more.
    fn toward(&self, goal: Hex) -> Option<&Reach> {
        match (self.plain.cost(goal), self.raised.cost(goal)) {
            (Some(near), Some(far)) if far <= near => Some(&self.raised),
            (Some(_), _) => Some(&self.plain),
            (None, Some(_)) => Some(&self.raised),
            (None, None) => None,
        }
    }

    /// Notes the way to a hex that was reached; an empty one to any other.
    fn find_path(&mut self, goal: Hex) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        if let Some(reach) = self.toward(goal) {
            reach.path_into(goal, &mut path);
        }
        self.path = path;
    }

    fn reached(&self) -> HexSet {
        *self.plain.hexes() | *self.raised.hexes()
    }
}

impl Bug {
    /// A stack that begins to move; nothing when it is nowhere.
    pub(crate) fn march(
        &self,
        state: &State,
        presence: &Rc<Presence>,
        units: Units,
        boats: u8,
    ) -> Option<March<'_>> {
        let at = state.hex(units.first()?)?;
        let side = self.side_of_all(units);
        let gaits = units.iter().fold(0, |gaits, unit| gaits | 1 << Gait::of(self.counter(unit)) as usize);
        let zones = presence.zoc[side.enemy()];
        let mut elsewhere = self.ground.land;
        elsewhere.remove(at);
        Some(March {
            rules: self,
            units,
            side,
            at,
            spent: Mp::ZERO,
            fresh: true,
            touched: presence.near_enemies(self, side).contains(at),
            first: [None, None],
            gaits,
            pontoons: state.pontoons,
            no_boat: self.no_boat(state, units, boats),
            zones,
            free: self.ground.land - zones,
            elsewhere,
            presence: presence.clone(),
        })
    }

    /// Why a stack cannot cross the Bug by boat, if it cannot (7.3.8).
    fn no_boat(&self, state: &State, units: Units, boats: u8) -> Option<Bar> {
        if self.side_of_all(units) != Side::Axis {
            return Some(Bar::new(case("7.3.8c"), "only German Leg units cross the Bug by boat", []));
        }
        if let Some(unit) = units.iter().find(|unit| !self.is_leg(*unit)) {
            let why = "{} is not a Leg unit and cannot cross the Bug by boat";
            return Some(Bar::new(case("7.3.8c"), why, [About::Fact(Fact::Unit(unit))]));
        }
        let all = boats + self.new_to_boats(state, units);
        let why = "that would be {} units by boat, and an activation has boats for two";
        (all > BOATS).then(|| Bar::new(case("7.3.8a"), why, [About::Fact(Fact::from(all))]))
    }

    /// The allowance of the slowest unit (7.3.1b).
    pub(crate) fn allowance(&self, units: Units) -> u16 {
        units.iter().map(|unit| u16::from(self.counter(unit).allowance)).min().unwrap_or(0)
    }

    /// How many have not crossed by boat in this activation: a unit that crosses again uses no other boat (7.3.8a).
    pub(crate) fn new_to_boats(&self, state: &State, units: Units) -> u8 {
        units.filter(|unit| !state.marked(unit, Marks::BOATED)).len() as u8
    }
}

impl March<'_> {
    fn enemies(&self) -> &HexSet {
        &self.presence.held[self.side.enemy()]
    }

    /// What the steps of the stack cost, and what bars them.
    fn law(&self) -> Law<'_> {
        let Paces { statute, dear } = self.rules.ground.statutes.of(self.gaits);
        let mut law = Law::new(statute);
        self.forbid(&mut law, true);
        if self.no_boat.is_none() {
            let wet = self.presence.wet_sides(self.rules);
            let later = if self.fresh { &self.elsewhere } else { &self.rules.ground.land };
            let why = Bar::new(case("7.3.8b"), "boats cross the Bug only as the first step of a move", []);
            law.add(Term::bar(leaving(later).crossing(wet), why));
            law.add(Term::price(crossing(wet), "boat", Mp::ONE, case("7.3.8b")));
        }
        law.add(Term::stop(entering(&self.zones), case("5.4.1a")));
        let no_road = Bar::new(case("7.3.3c"), "no road rate in enemy zones of control", []);
        law.add(Term::bar(leaving(&self.zones), no_road).by(ROAD));
        law.add(Term::bar(entering(&self.zones), no_road).by(ROAD));
        let along = Bar::new(case("7.3.3a"), "the road is followed", []);
        law.add(Term::bar(leaving(&self.free).crossing(dear).entering(&self.free), along).by(COUNTRY));
        law
    }

    /// The same for a first step that takes the whole allowance, whatever it would cost.
    fn whole_law(&self, watched: bool) -> Law<'_> {
        let mut law = Law::new(&self.rules.ground.statutes.whole);
        self.forbid(&mut law, watched);
        law
    }

    /// What bars a step however it is made.
    fn forbid<'a>(&'a self, law: &mut Law<'a>, watched: bool) {
        let enemy = Bar::new(case("7.3.2e"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(self.enemies()), enemy));
        if let Some(bar) = self.no_boat {
            law.add(Term::bar(crossing(self.presence.wet_sides(self.rules)), bar));
        }
        if watched {
            let why = "{} and {} are both in enemy zones of control: only infiltration leads there";
            let zones = leaving(&self.zones).entering(&self.zones);
            law.add(Term::bar(zones, Bar::new(case("5.4.1c"), why, [About::From, About::To])));
        }
    }

    fn plain(&self) -> u16 {
        self.rules.allowance(self.units)
    }

    /// The same when Leg units keep away from the enemy (7.3.5a, R41).
    fn raised(&self) -> u16 {
        let allowance = |unit: UnitId| {
            let printed = u16::from(self.rules.counter(unit).allowance);
            if self.rules.is_leg(unit) { printed + LEG_BONUS } else { printed }
        };
        self.units.iter().map(allowance).min().unwrap_or(0)
    }

    /// It can go further as long as it keeps away from the enemy.
    fn has_bonus(&self) -> bool {
        !self.touched && self.raised() > self.plain()
    }

    /// Bars the hexes next to an enemy, where the raised allowance does not lead.
    fn keep_off<'a>(&'a self, law: &mut Law<'a>) {
        let near_enemies = self.presence.near_enemies(self.rules, self.side);
        law.add(Term::bar(entering(near_enemies), Bar::new(case("7.3.5a"), "an enemy is near", [])));
    }

    /// What there is to spend on a way: the raised allowance if it keeps away from the enemy.
    fn left_for(&self, way: &[Hex]) -> Mp {
        let near_enemies = self.presence.near_enemies(self.rules, self.side);
        let far = !self.touched && !way.iter().any(|hex| near_enemies.contains(*hex));
        self.left(if far { self.raised() } else { self.plain() })
    }

    fn left(&self, allowance: u16) -> Mp {
        Mp::whole(allowance).saturating_sub(self.spent)
    }

    /// A bonus move must begin with the hex that the enemy has left (7.5.3g), or lead back to the own one (7.5.3h, R64).
    pub(crate) fn is_bound(&self) -> bool {
        self.first.iter().any(Option::is_some)
    }

    fn first_hexes(&self) -> HexSet {
        self.first.into_iter().flatten().collect()
    }

    fn near(&self) -> impl Iterator<Item = Hex> {
        self.rules.map.neighbours(self.at).map(|(_, to)| to)
    }

    fn in_ezoc(&self, hex: Hex) -> bool {
        self.zones.contains(hex)
    }

    /// Finds what can be reached: with the plain allowance anywhere, with the raised one away from enemies.
    fn spread(&self, scratch: &mut Scratch) {
        if scratch.trip.as_ref().is_some_and(|trip| trip.is_from(self)) {
            return;
        }
        let mut law = self.law();
        law.spread(&mut scratch.plain, &[self.at], self.left(self.plain()));
        // Without a bonus the second reach would be a part of the first.
        let raised = if self.has_bonus() { self.left(self.raised()) } else { Mp::ZERO };
        self.keep_off(&mut law);
        law.spread(&mut scratch.raised, &[self.at], raised);
        scratch.trip = Some(Trip {
            statutes: self.rules.ground.statutes.clone(),
            units: self.units,
            from: self.at,
            spent: self.spent,
            fresh: self.fresh,
            touched: self.touched,
            no_boat: self.no_boat,
            pontoons: self.pontoons,
            enemies: *self.enemies(),
            zones: self.zones,
        });
    }

    /// Puts the way from here to a hex into the scratch space; false when there is none.
    fn find_way(&self, goal: Hex, scratch: &mut Scratch) -> bool {
        if !self.is_on_its_way(goal, scratch) {
            self.spread(scratch);
            scratch.find_path(goal);
        }
        !scratch.path.is_empty()
    }

    /// Whether the stack is on a way to a hex that was found before it left; then the rest of it is what is left to go. A part
    /// of the best way is the best way between its ends.
    fn is_on_its_way(&self, goal: Hex, scratch: &mut Scratch) -> bool {
        let trip = scratch.trip.as_ref().filter(|trip| trip.from != self.at && trip.is_of(self));
        let Some(before) = trip.map(|trip| trip.spent) else { return false };
        let here = scratch.toward(goal).and_then(|reach| reach.cost_to_go_on(self.at));
        if here.map(|cost| before + cost) != Some(self.spent) {
            return false;
        }
        scratch.find_path(goal);
        let behind = scratch.path.iter().position(|hex| *hex == self.at);
        scratch.path.drain(..behind.unwrap_or(0));
        behind.is_some()
    }

    /// The hexes that the stack may be sent to.
    fn goals(&self, scratch: &Scratch) -> HexSet {
        if self.is_bound() {
            let back: HexSet = self.first[1].into_iter().filter(|back| *back != self.at).collect();
            return (self.first_hexes() & self.special_steps()) | (back & scratch.reached());
        }
        let mut goals = scratch.reached();
        goals.remove(self.at);
        goals | self.special_steps()
    }

    /// The same, infiltration apart.
    pub(crate) fn all_goals(&self) -> HexSet {
        SCRATCH.with_borrow_mut(|scratch| {
            self.spread(scratch);
            self.goals(scratch)
        })
    }

    /// The hexes that the stack may be sent to, and those that it may enter straight although another way leads there.
    pub(crate) fn goals_and_crossings(&self) -> (HexSet, HexSet) {
        SCRATCH.with_borrow_mut(|scratch| {
            self.spread(scratch);
            (self.goals(scratch), self.crossings(scratch))
        })
    }

    /// Whether the stack may be sent to a hex by any way, or straight although another way leads there.
    pub(crate) fn check(&self, to: Hex, manner: Manner) -> Result<(), Violation> {
        let (goals, crossings) = self.goals_and_crossings();
        let open = if manner == Manner::Straight { crossings } else { goals };
        if open.contains(to) { Ok(()) } else { Err(self.why_not(to)) }
    }

    /// What a direct step into an adjacent hex costs, if it can be paid for.
    pub(crate) fn straight(&self, to: Hex) -> Option<Mp> {
        self.straight_by(&self.law(), to)
    }

    fn straight_by(&self, law: &Law<'_>, to: Hex) -> Option<Mp> {
        if !self.rules.map.grid().adjacent(self.at, to) {
            return None;
        }
        let most = self.left_for(&[to]);
        match law.step(self.at, to) {
            Step::Enter(cost) | Step::EnterAndStop(cost) if cost <= most => Some(cost),
            _ => None,
        }
    }

    /// No adjacent hex can be entered any more.
    pub(crate) fn is_at_an_end(&self) -> bool {
        if !self.infiltrations().is_empty() {
            return false;
        }
        if self.is_bound() {
            return self.all_goals().is_empty();
        }
        let law = self.law();
        self.special_steps().is_empty() && !self.near().any(|to| self.straight_by(&law, to).is_some())
    }

    /// First steps that use up the whole allowance: a hex that costs more than there is (7.3.2b), or an unbridged
    /// stream for motorized units (7.3.7b). Never from one enemy zone of control to another.
    fn special_steps(&self) -> HexSet {
        if self.fresh { self.steps_under(&self.whole_law(true)) } else { HexSet::EMPTY }
    }

    /// The adjacent hexes that a law lets the stack enter, whatever they cost.
    fn steps_under(&self, law: &Law<'_>) -> HexSet {
        self.near().filter(|to| law.check(self.at, *to).is_ok()).collect()
    }

    /// Special first steps into hexes that could also be reached another way.
    fn crossings(&self, scratch: &Scratch) -> HexSet {
        if !self.fresh || self.is_bound() {
            return HexSet::EMPTY;
        }
        let (law, reached) = (self.law(), scratch.reached());
        let detour = |to: &Hex| reached.contains(*to) && self.straight_by(&law, *to).is_none();
        self.special_steps().iter().filter(detour).collect()
    }

    /// Whether a stack could enter an adjacent hex as its first step, whatever that costs (7.3.2b): no enemy in it, no
    /// lake, and the unbridged Bug only by boat. From one enemy zone of control to another it infiltrates (7.3.4).
    pub(crate) fn check_first_step(&self, to: Hex) -> Result<(), Violation> {
        let near = self.rules.map.grid().adjacent(self.at, to);
        ensure!("7.3.2b", near, "{} is not adjacent to {}", to, self.at);
        self.whole_law(false).check(self.at, to)
    }

    /// Whether there is a first step at all.
    pub(crate) fn can_begin(&self) -> bool {
        let law = self.whole_law(false);
        self.near().any(|to| law.check(self.at, to).is_ok())
    }

    /// Where the stack may try to infiltrate (7.3.4a).
    pub(crate) fn infiltrations(&self) -> HexSet {
        if !self.fresh || !self.in_ezoc(self.at) {
            return HexSet::EMPTY;
        }
        self.near().filter(|to| self.check_infiltration(*to).is_ok()).collect()
    }

    pub(crate) fn check_infiltration(&self, to: Hex) -> Result<(), Violation> {
        ensure!("7.3.4a", self.fresh, "infiltration is the first and only step of a move");
        self.check_first_step(to)?;
        ensure!("7.3.4a", self.in_ezoc(self.at), "{} is in no enemy zone of control", self.at);
        ensure!("7.3.4a", self.in_ezoc(to), "{} is in no enemy zone of control", to);
        let bound = self.is_bound() && !self.first.contains(&Some(to));
        ensure!("7.5.3g", !bound, "a bonus move does not begin with {}", to);
        Ok(())
    }

    /// The next hex on the way, its cost, and whether it takes the whole allowance.
    pub(crate) fn step_toward(&self, goal: Hex, manner: Manner) -> Option<(Hex, Mp, bool)> {
        let adjacent = self.rules.map.grid().adjacent(self.at, goal);
        let straight = self.is_bound() && adjacent || manner == Manner::Straight;
        let next = SCRATCH.with_borrow_mut(|scratch| {
            let found = !straight && self.find_way(goal, scratch);
            if found { scratch.path.get(1).copied() } else { straight.then_some(goal) }
        });
        if let Some(to) = next
            && let Some(cost) = self.straight(to)
        {
            return Some((to, cost, false));
        }
        self.special_steps().contains(goal).then_some((goal, Mp::MAX, true))
    }

    /// The way that the stack would go to a hex, and what each step costs.
    pub(crate) fn route(&self, goal: Hex) -> Option<Route> {
        let law = self.law();
        let along = |way: &[Hex]| law.route(way, self.left_for(way));
        if self.straight_by(&law, goal).is_some() {
            return along(&[self.at, goal]);
        }
        let found = SCRATCH
            .with_borrow_mut(|scratch| self.find_way(goal, scratch).then(|| along(&scratch.path)).flatten());
        let special = || {
            let has = self.left(self.plain());
            let whole = Cost { what: "the whole allowance", cost: has, case: case("7.3.2b") };
            let special = self.special_steps().contains(goal);
            special.then(|| Route { from: self.at, has, legs: vec![Leg { hex: goal, parts: vec![whole] }] })
        };
        found.or_else(special).or_else(|| self.long_way(&mut Reach::new(), goal))
    }

    /// The way to a hex out of reach for which the fewest points are wanting: any, or one away from the enemy (7.3.5a).
    fn long_way(&self, reach: &mut Reach, to: Hex) -> Option<Route> {
        let mut law = self.law();
        let plain = law.cheapest_route(reach, self.at, to, self.left(self.plain()));
        self.keep_off(&mut law);
        let raised = self.has_bonus().then(|| self.left(self.raised()));
        let raised = raised.and_then(|has| law.cheapest_route(reach, self.at, to, has));
        let wanting = |route: &Route| route.cost().saturating_sub(route.has);
        plain.into_iter().chain(raised).min_by_key(wanting)
    }

    /// Why a hex cannot be reached.
    fn why_not(&self, to: Hex) -> Violation {
        match self.explain(to) {
            Err(why) => why,
            Ok(()) => remark!("7.3a", "no lawful path leads to {}", to),
        }
    }

    fn explain(&self, to: Hex) -> Result<(), Violation> {
        ensure!("7.3a", to != self.at, "the stack is in {} already", to);
        let law = self.law();
        if self.is_bound() && !self.first.contains(&Some(to)) {
            ensure!("7.5.3h", self.fresh, "the move leads back to the hex that was left, not to {}", to);
            refuse!("7.5.3g", "a bonus move begins with the hex that was left, not with {}", to);
        }
        if self.fresh {
            self.whole_law(true).check(self.at, to)?;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.trip = None;
            let reach = &mut scratch.plain;
            match law.why_not(reach, self.at, to, self.left(self.plain())) {
                None => Ok(()),
                Some(WhyNot::Barred(why)) => Err(why),
                Some(WhyNot::Short(short)) => {
                    let short = self.long_way(reach, to).map_or(short, |way| Shortfall::new(&way));
                    refuse!("7.3.2a", "{} needs {} MP and the stack has {}", to, short.needed, short.has)
                }
                Some(WhyNot::NoWay) => {
                    let land = self.rules.ground.land;
                    let unwatched = March { zones: HexSet::EMPTY, free: land, ..self.clone() };
                    let open = unwatched.law().why_not(reach, self.at, to, Mp::MAX).is_none();
                    ensure!("5.4.1a", !open, "enemy zones of control bar every way to {}", to);
                    refuse!("7.3a", "enemy units or prohibited terrain bar every way to {}", to)
                }
            }
        })
    }
}
