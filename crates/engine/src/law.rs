//! One description of what a step costs or what bars it, from which everything about movement follows: where a unit can
//! go, why not, by which way, and what each part of the way costs.
//!
//! A law is a list of [`Term`]s. Each says which steps it is about (which hexes they leave, which hexsides they cross,
//! which hexes they enter) and what it does: bar them, with the sentence that refuses; make them cost more, with what
//! for and the case; or end the move. A term may be about one way of going only, such as by road: a step is made in the
//! cheapest way that nothing bars.
//!
//! What cannot change during a game, such as terrain, is a [`Statute`]: it is worked out once, for each kind of unit that
//! pays differently. A [`Law`] adds what holds now: where enemies, friends and zones of control are.
//!
//! ```
//! use board::{HexSet, Map, Mp, Reach, Sides};
//! use engine::law::{About, Bar, Law, Statute, Term, crossing, entering, leaving};
//! use engine::case;
//!
//! let map = Map::sketch("grid = '. f . .'", &[(".", "clear"), ("f", "forest")]).unwrap();
//! let of = |name: &str| -> HexSet {
//!     map.hexes().filter(|hex| map.terrain_name(map.terrain(*hex)) == name).collect()
//! };
//! let (all, river) = (Sides::all(&map).unwrap(), Sides::of(&map, &[map.sides_with("river")]).unwrap());
//! let statute = Statute::new(
//!     &map,
//!     &[&all],
//!     &[
//!         Term::price(entering(&of("clear")), "clear", Mp::ONE, case("9.5a")),
//!         Term::price(entering(&of("forest")), "forest", Mp::whole(2), case("9.5a")),
//!         Term::price(crossing(&river), "river", Mp::ONE, case("9.6")),
//!     ],
//! )
//! .unwrap();
//!
//! // For each decision: sets that it has anyway, taken by reference.
//! let hex = |label: &str| map.hex(label).unwrap();
//! let enemies: HexSet = [hex("0401")].into_iter().collect();
//! let zones = all.grow(&enemies);
//! let mut law = Law::new(&statute);
//! law.add(Term::bar(entering(&enemies), Bar::new(case("6.9"), "an enemy unit is in {}", [About::To])));
//! law.add(Term::price(leaving(&zones), "leaving a zone of control", Mp::ONE, case("8.3b")));
//! law.add(Term::price(entering(&zones), "entering a zone of control", Mp::ONE, case("8.3a")));
//!
//! let mut reach = Reach::new();
//! law.spread(&mut reach, &[hex("0101")], Mp::whole(3));
//! assert_eq!(reach.hexes().len(), 2);
//! let why = law.why_not(&mut reach, hex("0101"), hex("0301"), Mp::whole(3)).unwrap();
//! assert_eq!(
//!     why.shortfall().unwrap().to_string(),
//!     "needs 4 MP and has 3: forest 2 (9.5a), clear 1 (9.5a), entering a zone of control 1 (8.3a)"
//! );
//! ```

use std::cell::Cell;
use std::fmt;

use arrayvec::ArrayVec;
use board::{Dir, Effect, Hex, HexSet, Map, Mp, Reach, Sides, Step, Tariff, Tolls, Where};

use crate::display::{Cost, Leg, Route};
use crate::text::{Span, Text};
use crate::{Case, Fact, Remark};

/// The most terms that a law can add to its statute.
pub const MAX_TERMS: usize = 24;

/// The most things that the sentence of a bar can mention.
pub const MAX_ABOUT: usize = 3;

thread_local! {
    static REACH: Cell<Option<Box<Reach>>> = const { Cell::new(None) };
}

/// Lends the thread's own [`Reach`], so that nobody need make one for a single question. What was asked last is still in it
/// when the same is asked again.
pub fn with_reach<T>(ask: impl FnOnce(&mut Reach) -> T) -> T {
    let mut reach = REACH.take().unwrap_or_default();
    let answer = ask(&mut reach);
    REACH.set(Some(reach));
    answer
}

/// The steps that leave one of these hexes.
pub const fn leaving<const LINES: usize, const WORDS: usize>(
    hexes: &HexSet<LINES, WORDS>,
) -> Where<'_, LINES, WORDS> {
    Where::EVERYWHERE.leaving(hexes)
}

/// The steps that cross one of these hexsides.
pub const fn crossing<const LINES: usize, const WORDS: usize>(
    sides: &Sides<LINES, WORDS>,
) -> Where<'_, LINES, WORDS> {
    Where::EVERYWHERE.crossing(sides)
}

/// The steps that enter one of these hexes.
pub const fn entering<const LINES: usize, const WORDS: usize>(
    hexes: &HexSet<LINES, WORDS>,
) -> Where<'_, LINES, WORDS> {
    Where::EVERYWHERE.entering(hexes)
}

/// Something that the sentence of a bar mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The hex that the step leaves.
    From,
    /// The hex that it enters.
    To,
    /// Anything else.
    Fact(Fact),
}

/// Why a step is barred: a [`Remark`] that does not know yet which step it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    case: Case,
    sentence: &'static str,
    about: [Option<About>; MAX_ABOUT],
}

impl Bar {
    /// A sentence, lower case and without a full stop, with `{}` for each thing mentioned.
    pub fn new<const N: usize>(case: Case, sentence: &'static str, about: [About; N]) -> Bar {
        const { assert!(N <= MAX_ABOUT, "a bar mentions no more than this") }
        let mut kept = [None; MAX_ABOUT];
        for (slot, about) in kept.iter_mut().zip(about) {
            *slot = Some(about);
        }
        Bar { case, sentence, about: kept }
    }

    /// A sentence that mentions nothing.
    pub const fn plain(case: Case, sentence: &'static str) -> Bar {
        Bar { case, sentence, about: [None; MAX_ABOUT] }
    }

    /// The sentence about one step.
    pub fn remark(&self, from: Hex, to: Hex) -> Remark {
        let fact = |about: About| match about {
            About::From => Fact::Hex(from),
            About::To => Fact::Hex(to),
            About::Fact(fact) => fact,
        };
        Remark::of(self.case, self.sentence, self.about.map(|about| about.map(fact)))
    }
}

/// What a term does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Bar(Bar),
    Price(Cost),
    Stop(Case),
}

impl Does {
    fn effect(&self) -> Effect {
        match self {
            Does::Bar(_) => Effect::Close,
            Does::Price(cost) => Effect::Price(cost.cost),
            Does::Stop(_) => Effect::Stop,
        }
    }
}

/// Every way of going.
const EVERY_WAY: u8 = u8::MAX;

/// What a law says about some steps.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a, const LINES: usize = 64, const WORDS: usize = 1> {
    place: Where<'a, LINES, WORDS>,
    /// One bit for each way of going that it is about.
    ways: u8,
    does: Does,
}

impl<'a, const LINES: usize, const WORDS: usize> Term<'a, LINES, WORDS> {
    /// Nobody makes such a step.
    pub const fn bar(place: Where<'a, LINES, WORDS>, bar: Bar) -> Self {
        Term { place, ways: EVERY_WAY, does: Does::Bar(bar) }
    }

    /// Such a step costs this, beside whatever else it costs.
    pub const fn price(place: Where<'a, LINES, WORDS>, what: &'static str, cost: Mp, case: Case) -> Self {
        Term { place, ways: EVERY_WAY, does: Does::Price(Cost { what, cost, case }) }
    }

    /// Such a step is the last.
    pub const fn stop(place: Where<'a, LINES, WORDS>, case: Case) -> Self {
        Term { place, ways: EVERY_WAY, does: Does::Stop(case) }
    }

    /// The same about one way of going only, by its place in the statute.
    pub const fn by(self, way: usize) -> Self {
        Term { ways: 1 << way, ..self }
    }

    /// The same about another way of going, too.
    pub const fn and_by(self, way: usize) -> Self {
        Term { ways: self.ways | 1 << way, ..self }
    }

    fn holds(&self, way: usize, from: Hex, to: Hex) -> bool {
        self.ways >> way & 1 == 1 && self.place.holds(from, to)
    }
}

/// Whether terms let a unit into a hex, wherever it comes from: the first bar otherwise.
pub fn check_hex<'a, const LINES: usize, const WORDS: usize>(
    terms: impl IntoIterator<Item = Term<'a, LINES, WORDS>>,
    to: Hex,
) -> Result<(), Remark> {
    let about_hex = |term: &Term<'_, LINES, WORDS>| {
        let Where { leaving, crossing, entering } = term.place;
        term.ways == EVERY_WAY
            && leaving.is_none()
            && crossing.is_none()
            && entering.is_none_or(|hexes| hexes.contains(to))
    };
    let bar = terms.into_iter().filter(about_hex).find_map(|term| match term.does {
        Does::Bar(bar) => Some(bar.remark(to, to)),
        Does::Price(_) | Does::Stop(_) => None,
    });
    bar.map_or(Ok(()), Err)
}

/// A term with hexes and hexsides of its own.
#[derive(Clone, Debug)]
struct Kept<const LINES: usize, const WORDS: usize> {
    leaving: Option<Box<HexSet<LINES, WORDS>>>,
    crossing: Option<Box<Sides<LINES, WORDS>>>,
    entering: Option<Box<HexSet<LINES, WORDS>>>,
    ways: u8,
    does: Does,
}

impl<const LINES: usize, const WORDS: usize> Kept<LINES, WORDS> {
    fn new(term: &Term<'_, LINES, WORDS>) -> Self {
        Kept {
            leaving: term.place.leaving.map(|hexes| Box::new(*hexes)),
            crossing: term.place.crossing.map(|sides| Box::new(sides.clone())),
            entering: term.place.entering.map(|hexes| Box::new(*hexes)),
            ways: term.ways,
            does: term.does,
        }
    }

    fn term(&self) -> Term<'_, LINES, WORDS> {
        let place = Where {
            leaving: self.leaving.as_deref(),
            crossing: self.crossing.as_deref(),
            entering: self.entering.as_deref(),
        };
        Term { place, ways: self.ways, does: self.does }
    }
}

/// The part of a law that cannot change during a game, for one kind of unit.
#[derive(Clone, Debug)]
pub struct Statute<const LINES: usize = 64, const WORDS: usize = 1> {
    terms: Vec<Kept<LINES, WORDS>>,
    /// The hexsides that each way of going crosses.
    ways: Vec<Sides<LINES, WORDS>>,
    tariffs: Vec<Tariff<LINES, WORDS>>,
}

impl<const LINES: usize, const WORDS: usize> Statute<LINES, WORDS> {
    /// A statute for the ways of going that cross these hexsides: all sides for the first, across country, which
    /// refusals speak of; then roads and the like, which cost what terms about them say and those about every way.
    ///
    /// Nothing when the map is larger than this has room for.
    pub fn new(
        map: &Map,
        ways: &[&Sides<LINES, WORDS>],
        terms: &[Term<'_, LINES, WORDS>],
    ) -> Option<Statute<LINES, WORDS>> {
        let tariff = |way: usize, sides: &Sides<LINES, WORDS>| {
            Tariff::new(
                map,
                |from, _, to| if sides.between(from, to) { price(terms, way, from, to) } else { None },
            )
        };
        Some(Statute {
            terms: terms.iter().map(Kept::new).collect(),
            ways: ways.iter().map(|sides| (*sides).clone()).collect(),
            tariffs: ways.iter().enumerate().map(|(way, sides)| tariff(way, sides)).collect::<Option<_>>()?,
        })
    }
}

impl<const LINES: usize, const WORDS: usize> Statute<LINES, WORDS> {
    /// What a step costs by one way on empty ground; nothing when it is barred or does not lead there.
    pub fn price_by(&self, way: usize, from: Hex, dir: Dir) -> Option<Mp> {
        self.tariffs.get(way)?.price(from, dir)
    }

    /// What every step costs by the cheapest of its ways that are open, as one tariff: for [`Law::tolls_on`].
    pub fn cheapest(
        &self,
        map: &Map,
        open: impl Fn(usize, Hex, Hex) -> bool,
    ) -> Option<Tariff<LINES, WORDS>> {
        let ways = || 0..self.tariffs.len();
        Tariff::new(map, |from, dir, to| {
            ways().filter(|way| open(*way, from, to)).filter_map(|way| self.price_by(way, from, dir)).min()
        })
    }
}

/// What a step costs by one way, if nothing bars it.
fn price<const LINES: usize, const WORDS: usize>(
    terms: &[Term<'_, LINES, WORDS>],
    way: usize,
    from: Hex,
    to: Hex,
) -> Option<Mp> {
    let mut sum = Mp::ZERO;
    for term in terms.iter().filter(|term| term.holds(way, from, to)) {
        match term.does {
            Does::Bar(_) => return None,
            Does::Price(cost) => sum += cost.cost,
            Does::Stop(_) => {}
        }
    }
    Some(sum)
}

/// What the steps of a unit cost and what bars them now.
#[derive(Clone)]
pub struct Law<'a, const LINES: usize = 64, const WORDS: usize = 1> {
    statute: &'a Statute<LINES, WORDS>,
    terms: ArrayVec<Term<'a, LINES, WORDS>, MAX_TERMS>,
}

impl<'a, const LINES: usize, const WORDS: usize> Law<'a, LINES, WORDS> {
    /// The statute and nothing else.
    pub const fn new(statute: &'a Statute<LINES, WORDS>) -> Self {
        Law { statute, terms: ArrayVec::new_const() }
    }

    /// Adds what holds now. Of several bars the first that was added is the one that refuses, after those of the statute.
    ///
    /// Terms about either the hexes left or the hexes entered, whichever way one goes, are the cheapest.
    ///
    /// # Panics
    /// With more than [`MAX_TERMS`].
    pub fn add(&mut self, term: Term<'a, LINES, WORDS>) {
        self.terms.push(term);
    }

    fn terms(&self) -> impl Iterator<Item = Term<'_, LINES, WORDS>> {
        self.statute.terms.iter().map(Kept::term).chain(self.terms.iter().copied())
    }

    fn terms_for(&self, way: usize, from: Hex, to: Hex) -> impl Iterator<Item = Term<'_, LINES, WORDS>> {
        self.terms().filter(move |term| term.holds(way, from, to))
    }

    /// The ways of going that lead across a hexside.
    fn ways(&self, from: Hex, to: Hex) -> impl Iterator<Item = usize> {
        let ways = self.statute.ways.iter().enumerate();
        ways.filter(move |(_, sides)| sides.between(from, to)).map(|(way, _)| way)
    }

    /// The law without its words.
    pub fn tolls(&self) -> Tolls<'_, LINES, WORDS> {
        let mut tolls = Tolls::new(&self.statute.tariffs);
        let stops = self.statute.terms.iter().filter(|kept| matches!(kept.does, Does::Stop(_)));
        for term in stops.map(Kept::term) {
            tolls.lay(term.place, term.ways, Effect::Stop);
        }
        for term in &self.terms {
            tolls.lay(term.place, term.ways, term.does.effect());
        }
        tolls
    }

    /// The law without its words on one tariff in place of the statute's. Its terms must hold for every way alike.
    pub fn tolls_on<'t>(&'t self, tariff: &'t Tariff<LINES, WORDS>) -> Tolls<'t, LINES, WORDS> {
        let mut tolls = Tolls::new([tariff]);
        let stops = self.statute.terms.iter().filter(|kept| matches!(kept.does, Does::Stop(_)));
        for term in stops.map(Kept::term).chain(self.terms.iter().copied()) {
            tolls.lay(term.place, term.ways, term.does.effect());
        }
        tolls
    }

    /// Finds all that can be reached with so many points.
    pub fn spread(&self, reach: &mut Reach<LINES, WORDS>, starts: &[Hex], points: Mp) {
        reach.spread(&self.tolls(), starts, points);
    }

    /// The same, but no further than it takes to find the cheapest way to a goal.
    pub fn spread_to(&self, reach: &mut Reach<LINES, WORDS>, starts: &[Hex], points: Mp, goal: Hex) {
        reach.spread_to(&self.tolls(), starts, points, goal);
    }

    /// Whether a step between adjacent hexes is lawful, whatever it costs: the first bar otherwise.
    pub fn check(&self, from: Hex, to: Hex) -> Result<(), Remark> {
        let mut refusal = None;
        for way in self.ways(from, to) {
            match self.bar(way, from, to) {
                None => return Ok(()),
                Some(bar) => refusal = refusal.or(Some(bar)),
            }
        }
        refusal.map_or(Ok(()), Err)
    }

    fn bar(&self, way: usize, from: Hex, to: Hex) -> Option<Remark> {
        self.terms_for(way, from, to).find_map(|term| match term.does {
            Does::Bar(bar) => Some(bar.remark(from, to)),
            Does::Price(_) | Does::Stop(_) => None,
        })
    }

    /// Whether a hex may be entered from anywhere: the first bar that has nothing to do with where one comes from.
    pub fn check_hex(&self, to: Hex) -> Result<(), Remark> {
        check_hex(self.terms(), to)
    }

    /// What a step between adjacent hexes costs, part by part, in the cheapest way that nothing bars; of equal ways in the
    /// last. Nothing when all are barred.
    pub fn parts(&self, from: Hex, to: Hex) -> Option<Vec<Cost>> {
        let way = self.cheapest(from, to)?.0;
        let costs = self.terms_for(way, from, to).filter_map(|term| match term.does {
            Does::Price(cost) if cost.cost > Mp::ZERO => Some(cost),
            _ => None,
        });
        Some(costs.collect())
    }

    /// What a step between adjacent hexes takes.
    pub fn step(&self, from: Hex, to: Hex) -> Step {
        let Some((way, cost)) = self.cheapest(from, to) else { return Step::Closed };
        let stops = self.terms_for(way, from, to).any(|term| matches!(term.does, Does::Stop(_)));
        if stops { Step::EnterAndStop(cost) } else { Step::Enter(cost) }
    }

    fn cheapest(&self, from: Hex, to: Hex) -> Option<(usize, Mp)> {
        let priced = |way: usize| Some((way, self.price(way, from, to)?));
        self.ways(from, to).filter_map(priced).min_by_key(|(way, cost)| (*cost, std::cmp::Reverse(*way)))
    }

    fn price(&self, way: usize, from: Hex, to: Hex) -> Option<Mp> {
        let ground = self.statute.tariffs.get(way)?;
        let dir = ground.dir_between(from, to)?;
        Some(ground.price(from, dir)? + price(&self.terms, way, from, to)?)
    }

    /// A way that this law allows, with every part of its cost.
    pub fn route(&self, path: &[Hex], has: Mp) -> Option<Route> {
        let leg = |step: &[Hex]| Some(Leg { hex: step[1], parts: self.parts(step[0], step[1])? });
        let legs = path.windows(2).map(leg).collect::<Option<_>>()?;
        Some(Route { from: *path.first()?, has, legs })
    }

    /// The cheapest way to a hex, with every part of its cost, also where that is more than there is.
    pub fn cheapest_route(
        &self,
        reach: &mut Reach<LINES, WORDS>,
        from: Hex,
        to: Hex,
        has: Mp,
    ) -> Option<Route> {
        self.spread(reach, &[from], has);
        if !reach.hexes().contains(to) {
            self.spread_to(reach, &[from], Mp::MAX, to);
        }
        self.route(&reach.path(to)?, has)
    }

    /// Why a hex cannot be reached with so many points; nothing when it can. What was reached is forgotten.
    pub fn why_not(&self, reach: &mut Reach<LINES, WORDS>, from: Hex, to: Hex, has: Mp) -> Option<WhyNot> {
        self.spread_to(reach, &[from], has, to);
        if reach.hexes().contains(to) {
            return None;
        }
        let adjacent = self.statute.tariffs.iter().any(|tariff| tariff.dir_between(from, to).is_some());
        let barred = if adjacent { self.check(from, to) } else { self.check_hex(to) };
        if let Err(remark) = barred {
            return Some(WhyNot::Barred(remark));
        }
        self.spread_to(reach, &[from], Mp::MAX, to);
        match reach.path(to).and_then(|path| self.route(&path, has)) {
            Some(route) => Some(WhyNot::Short(Shortfall::new(&route))),
            None => Some(WhyNot::NoWay),
        }
    }
}

impl Law<'_> {
    /// The hexes that can be reached from one with so many points, itself among them.
    pub fn reached(&self, from: Hex, points: Mp) -> HexSet {
        with_reach(|reach| {
            self.spread(reach, &[from], points);
            *reach.hexes()
        })
    }
}

/// Why a hex cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The hex may not be entered, or an adjacent one not from here.
    Barred(Remark),
    /// The cheapest way costs more than there is.
    Short(Shortfall),
    /// No lawful way leads there.
    NoWay,
}

impl WhyNot {
    /// What is missing, if points are.
    pub fn shortfall(&self) -> Option<&Shortfall> {
        match self {
            WhyNot::Short(shortfall) => Some(shortfall),
            WhyNot::Barred(_) | WhyNot::NoWay => None,
        }
    }
}

/// What the cheapest way to a hex costs, which is more than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// What the way costs.
    pub needed: Mp,
    /// What there is to spend.
    pub has: Mp,
    /// What the cost is made of, summed over the way, in the order in which it is met.
    pub parts: Vec<Cost>,
}

impl Shortfall {
    /// What a way costs that is too long.
    pub fn new(route: &Route) -> Shortfall {
        let mut parts: Vec<Cost> = Vec::new();
        for part in route.legs.iter().flat_map(|leg| &leg.parts) {
            match parts.iter_mut().find(|sum| sum.what == part.what && sum.case == part.case) {
                Some(sum) => sum.cost += part.cost,
                None => parts.push(*part),
            }
        }
        Shortfall { needed: route.cost(), has: route.has, parts }
    }

    /// Adds its parts to a sentence: `: forest 2 (9.5a), river 1 (9.6)`.
    pub fn itemise(&self, text: &mut Text) {
        for (place, Cost { what, cost, case }) in self.parts.iter().enumerate() {
            text.words(if place == 0 { ": " } else { ", " });
            text.words(*what);
            text.words(" ");
            text.push(Span::Number(cost.to_string()));
            text.words(" (");
            text.push(Span::Case(case.0.into()));
            text.words(")");
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Text::default();
        self.itemise(&mut parts);
        write!(f, "needs {} MP and has {}{parts}", self.needed, self.has)
    }
}

#[cfg(test)]
mod tests {
    use board::Field;

    use super::*;
    use crate::{UnitId, case};

    /// Across country, and by road.
    const COUNTRY: usize = 0;
    const ROAD: usize = 1;

    const SKETCH: &str = "grid = '''
. . f . . .
 . f f . x .
. . . . . .
 m . . f . .
'''
[side]
river = '0102/0202 0202/0203 0303/0403 0302/0303'
lake = '0501/0502'
[link]
road = '0101-0201-0301-0302-0303-0403'
";
    const LEGEND: &[(&str, &str)] = &[(".", "clear"), ("f", "forest"), ("m", "marsh"), ("x", "lake")];

    struct Ground {
        map: Map,
        all: Sides,
        statute: Statute,
    }

    impl Ground {
        fn new() -> Ground {
            let map = Map::sketch(SKETCH, LEGEND).unwrap();
            let of = |name: &str| -> HexSet {
                map.hexes().filter(|hex| map.terrain_name(map.terrain(*hex)) == name).collect()
            };
            let all = Sides::all(&map).unwrap();
            let side = |name: &str| Sides::of(&map, &[map.sides_with(name)]).unwrap();
            let road = Sides::crossed(&map, &[map.links_with("road")]).unwrap();
            let terrain = |hexes, what, cost| {
                Term::price(entering(hexes), what, Mp::whole(cost), case("9.5a")).by(COUNTRY)
            };
            let statute = Statute::new(
                &map,
                &[&all, &road],
                &[
                    Term::bar(
                        crossing(&side("lake")),
                        Bar::new(case("9.7"), "a lake lies between {} and {}", [About::From, About::To]),
                    ),
                    Term::bar(entering(&of("lake")), Bar::new(case("9.7"), "{} is a lake", [About::To])),
                    terrain(&of("clear"), "clear ground", 1),
                    terrain(&of("forest"), "forest", 2),
                    terrain(&of("marsh"), "marsh", 3),
                    Term::price(crossing(&side("river")), "river", Mp::ONE, case("9.6")).by(COUNTRY),
                    Term::price(Where::EVERYWHERE, "road", Mp::twelfths(6), case("9.10")).by(ROAD),
                ],
            );
            Ground { statute: statute.unwrap(), all, map }
        }

        fn hex(&self, label: &str) -> Hex {
            self.map.hex(label).unwrap()
        }

        fn hexes(&self, labels: &str) -> HexSet {
            labels.split_whitespace().map(|label| self.hex(label)).collect()
        }
    }

    /// Where enemies are, and what follows from it.
    struct Now {
        enemies: HexSet,
        zones: HexSet,
        marsh: HexSet,
    }

    impl Now {
        fn new(ground: &Ground, enemies: &str) -> Now {
            let enemies = ground.hexes(enemies);
            Now { zones: ground.all.grow(&enemies), enemies, marsh: ground.hexes("0104") }
        }

        fn law<'a>(&'a self, ground: &'a Ground) -> Law<'a> {
            let mut law = Law::new(&ground.statute);
            let unit = About::Fact(Fact::Unit(UnitId(0)));
            let zones = |what| Bar::new(case("9.10b"), what, []);
            law.add(Term::bar(
                entering(&self.enemies),
                Bar::new(case("6.9"), "{} does not enter {}: an enemy is there", [unit, About::To]),
            ));
            law.add(Term::bar(leaving(&self.zones), zones("no road out of a zone")).by(ROAD));
            law.add(Term::bar(entering(&self.zones), zones("no road into a zone")).by(ROAD));
            law.add(Term::price(leaving(&self.zones), "leaving a zone of control", Mp::ONE, case("8.3b")));
            law.add(Term::price(entering(&self.zones), "entering a zone of control", Mp::ONE, case("8.3a")));
            law.add(Term::bar(
                leaving(&self.zones).entering(&self.zones),
                Bar::new(case("8.3d"), "{} and {} lie in zones of control", [About::From, About::To]),
            ));
            law.add(Term::stop(entering(&self.marsh), case("9.11")));
            law
        }
    }

    fn told(parts: &[Cost]) -> String {
        let told: Vec<String> =
            parts.iter().map(|Cost { what, cost, case }| format!("{what} {cost} ({case})")).collect();
        told.join(", ")
    }

    #[test]
    fn the_parts_of_a_step_are_those_of_its_cheapest_way() {
        let ground = Ground::new();
        let now = Now::new(&ground, "0603");
        let law = now.law(&ground);
        let parts = |from: &str, to: &str| told(&law.parts(ground.hex(from), ground.hex(to)).unwrap());
        assert_eq!(parts("0101", "0201"), "road 1/2 (9.10)");
        assert_eq!(parts("0302", "0303"), "road 1/2 (9.10)");
        assert_eq!(parts("0102", "0202"), "forest 2 (9.5a), river 1 (9.6)");
        assert_eq!(parts("0403", "0503"), "clear ground 1 (9.5a), entering a zone of control 1 (8.3a)");
        assert_eq!(parts("0503", "0404"), "forest 2 (9.5a), leaving a zone of control 1 (8.3b)");
    }

    #[test]
    fn a_road_may_not_be_used_in_zones_of_control() {
        let ground = Ground::new();
        let now = Now::new(&ground, "0404");
        let law = now.law(&ground);
        let parts = |from: &str, to: &str| told(&law.parts(ground.hex(from), ground.hex(to)).unwrap());
        assert_eq!(parts("0302", "0303"), "road 1/2 (9.10)");
        let across = "clear ground 1 (9.5a), river 1 (9.6)";
        assert_eq!(parts("0303", "0403"), format!("{across}, entering a zone of control 1 (8.3a)"));
        assert_eq!(parts("0403", "0303"), format!("{across}, leaving a zone of control 1 (8.3b)"));
    }

    #[test]
    fn the_first_bar_refuses() {
        let ground = Ground::new();
        let now = Now::new(&ground, "0403 0202");
        let law = now.law(&ground);
        let refusal = |from: &str, to: &str| law.check(ground.hex(from), ground.hex(to)).unwrap_err();
        let (from, to) = (ground.hex("0501"), ground.hex("0502"));
        let lake = Bar::new(case("9.7"), "a lake lies between {} and {}", [About::From, About::To]);
        assert_eq!(refusal("0501", "0502"), lake.remark(from, to));
        assert_eq!(refusal("0303", "0403").case, case("6.9"), "before 8.3d, and not of the road");
        assert_eq!(refusal("0303", "0302").case, case("8.3d"));
        assert!(law.check(ground.hex("0101"), ground.hex("0201")).is_ok());
        assert_eq!(law.check_hex(ground.hex("0502")).unwrap_err().case, case("9.7"));
        assert!(law.check_hex(ground.hex("0303")).is_ok());
    }

    #[test]
    fn what_is_reached_is_what_the_steps_lead_to() {
        let ground = Ground::new();
        let map = &ground.map;
        let (mut reach, mut field) = (Reach::new(), Field::new());
        for enemies in ["", "0603", "0404 0601", "0403 0202", "0301 0502 0104"] {
            let now = Now::new(&ground, enemies);
            let law = now.law(&ground);
            for start in map.hexes() {
                let points = Mp::whole(4);
                law.spread(&mut reach, &[start], points);
                field.spread(map, start, points, |from, _, to| law.step(from, to));
                for hex in map.hexes() {
                    assert_eq!(reach.path(hex), field.path(hex));
                    let Some(path) = reach.path(hex) else { continue };
                    let route = law.route(&path, points).unwrap();
                    assert_eq!(Some(route.cost()), field.cost(hex), "the parts add up");
                    assert_eq!((route.from, route.has), (start, points));
                }
            }
        }
    }

    #[test]
    fn a_refusal_itemises_the_whole_way() {
        let ground = Ground::new();
        let now = Now::new(&ground, "0604");
        let law = now.law(&ground);
        let mut reach = Reach::new();
        let mut why = |from: &str, to: &str, has| {
            law.why_not(&mut reach, ground.hex(from), ground.hex(to), Mp::whole(has))
        };
        assert_eq!(why("0102", "0302", 9), None);
        let short = why("0102", "0403", 1).unwrap();
        let short = short.shortfall().unwrap();
        assert_eq!((short.needed, short.has), (short.parts.iter().map(|part| part.cost).sum(), Mp::ONE));
        assert_eq!(short.to_string(), "needs 2 1/2 MP and has 1: clear ground 2 (9.5a), road 1/2 (9.10)");
        let zone = why("0403", "0504", 1).unwrap();
        let expected = "needs 3 MP and has 1: clear ground 2 (9.5a), entering a zone of control 1 (8.3a)";
        assert_eq!(zone.shortfall().unwrap().to_string(), expected);
        assert!(matches!(why("0101", "0502", 9), Some(WhyNot::Barred(_))));
        let shut_in = Now::new(&ground, "0201 0102");
        let law = shut_in.law(&ground);
        let why = law.why_not(&mut reach, ground.hex("0101"), ground.hex("0603"), Mp::MAX);
        assert_eq!(why, Some(WhyNot::NoWay));
    }
}
