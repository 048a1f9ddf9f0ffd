//! 9.5, 11, 12.1: supply points, where they can be drawn from, and what is paid with them.

use board::{Hex, Mp, Where};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, entering, with_reach};
use engine::row::Cells;
use engine::store::Spot;
use engine::{Frame, Lexicon, Play, Remark, Row, Side, Text, UnitId, Word, case, phrases, remark};

use crate::terrain::BRIDGE;
use crate::{Action, Event, Goods, HexSet, Mobility, Ocs, Off, Place, Procedure, State, Units};

/// How far supply is drawn, in truck MPs (11.0b, 11.5c.a).
const DRAW: Mp = Mp::whole(5);

/// Where supply is drawn from: a dump, or what a truck, wagon or ship carries (11.1a.b).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// On the ground.
    Dump(Hex),
    /// Loaded.
    Load(UnitId),
}

impl Source {
    pub(crate) fn spot(self) -> Spot {
        match self {
            Source::Dump(hex) => Spot::Hex(hex),
            Source::Load(unit) => Spot::With(unit),
        }
    }
}

impl Word for Source {
    const KIND: &'static str = "source";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        match self {
            Source::Dump(hex) => hex.word(lexicon),
            Source::Load(unit) => unit.word(lexicon),
        }
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        match Hex::read(word, lexicon) {
            Ok(hex) => Ok(Source::Dump(hex)),
            Err(_) => UnitId::read(word, lexicon).map(Source::Load),
        }
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        match self {
            Source::Dump(hex) => hex.tell(lexicon, text),
            Source::Load(unit) => unit.tell(lexicon, text),
        }
    }
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        let (hex, unit) = match self {
            Source::Dump(hex) => (Some(*hex), None),
            Source::Load(unit) => (None, Some(*unit)),
        };
        row.hex(hex, lexicon) && row.unit(unit)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let (hex, unit) = (cells.hex()?, cells.unit()?);
        hex.map(Source::Dump).or(unit.map(Source::Load))
    }
}

/// What a supply line of a side may not pass (11.5a.c).
struct Closed {
    enemies: HexSet,
    /// Next to an enemy unit, without a friendly one (4.1f).
    exposed: HexSet,
}

impl Ocs {
    fn closed(&self, state: &State, side: Side) -> Closed {
        let near = self.near_enemies(state, side);
        Closed { enemies: *state.held(side.enemy()), exposed: near - *state.held(side) }
    }

    /// What a supply line costs: truck MPs, and neither interdiction nor the halt next to the enemy (R47).
    fn trace_law<'a>(&'a self, state: &State, closed: &'a Closed) -> Option<Law<'a>> {
        let mut law = Law::new(self.terrain.law(state.weather, Mobility::Truck)?);
        let bridge = Bar::plain(case("12.8a.a"), "bridges are for units");
        law.add(Term::bar(Where::EVERYWHERE, bridge).by(BRIDGE));
        let enemy = Bar::new(case("11.5a.c"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(&closed.enemies), enemy));
        let exposed = Bar::new(case("4.1f"), "{} is next to an enemy unit", [About::To]);
        law.add(Term::bar(entering(&closed.exposed), exposed));
        Some(law)
    }

    /// The hexes that supply reaches from one for so many truck MPs; its own hex counts like every other (R46).
    fn traced(&self, state: &State, closed: &Closed, from: Hex, points: Mp) -> HexSet {
        if closed.exposed.contains(from) || closed.enemies.contains(from) {
            return HexSet::EMPTY;
        }
        let Some(law) = self.trace_law(state, closed) else { return HexSet::EMPTY };
        with_reach(|reach| {
            law.spread(reach, &[from], points);
            *reach.hexes()
        })
    }

    /// The HQs of a side on the map, with how far each throws (12.1b.a, R120).
    pub(crate) fn hqs<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = (Hex, Mp)> + 'a {
        let own = self.roster.iter().filter(move |unit| self.is_hq(*unit) && self.side(*unit) == side);
        own.filter_map(|unit| Some((state.hex(unit)?, Mp::whole(u16::from(self.face(state, unit).throw)))))
    }

    /// Every stock of a side on the map: where it is, and how many tokens there are.
    pub(crate) fn dumps<'a>(
        &'a self,
        state: &'a State,
        side: Side,
    ) -> impl Iterator<Item = (Source, Hex, u16)> + 'a {
        state.stocks.iter().filter(move |lot| lot.side == side).filter_map(|lot| match lot.spot {
            Spot::Hex(hex) => Some((Source::Dump(hex), hex, lot.amount)),
            Spot::With(unit) => Some((Source::Load(unit), state.hex(unit)?, lot.amount)),
            Spot::Pool => None,
        })
    }

    /// The stocks that can pay for combat: not what was dropped from the air in this sequence (14.19a.b).
    fn combat_stocks<'a>(
        &'a self,
        state: &'a State,
        side: Side,
    ) -> impl Iterator<Item = (Source, Hex, u16)> + 'a {
        self.dumps(state, side).filter_map(|(from, hex, there)| {
            let dropped = match from {
                Source::Dump(hex) => {
                    state.dropped.iter().find(|load| load.hex == hex).map_or(0, |load| load.tokens)
                }
                Source::Load(_) => 0,
            };
            (there > dropped).then(|| (from, hex, there - dropped))
        })
    }

    /// The hexes of a side's units that can trace combat supply (9.5b): directly, or through an HQ (11.0b, 11.0c).
    pub(crate) fn in_combat_supply(&self, state: &State, side: Side) -> HexSet {
        if self.settings.is_off(Off::CombatSupply) {
            return HexSet::all(&self.map);
        }
        let closed = self.closed(state, side);
        let mut dumps = HexSet::EMPTY;
        let mut reached = HexSet::EMPTY;
        for (_, hex, _) in self.combat_stocks(state, side) {
            if dumps.insert(hex) {
                reached |= self.traced(state, &closed, hex, DRAW);
            }
        }
        for (hex, throw) in self.hqs(state, side) {
            if self.traced(state, &closed, hex, DRAW).intersects(&dumps) {
                reached |= self.traced(state, &closed, hex, throw);
            }
        }
        reached
    }

    /// The stocks that can pay for the combat of units in these hexes, with what they hold (R48).
    pub(crate) fn sources(&self, state: &State, side: Side, users: &HexSet) -> Vec<(Source, u16)> {
        let fresh: Vec<(Source, u16)> =
            self.combat_stocks(state, side).map(|(from, _, there)| (from, there)).collect();
        let able = self.sources_by(state, side, users, users);
        let paying = |(from, _): &(Source, u16)| fresh.iter().find(|(stock, _)| stock == from).copied();
        able.iter().filter_map(paying).collect()
    }

    /// The same for works: an HQ need only throw into a hex next to them (11.5b.g, R47).
    pub(crate) fn sources_for_works(&self, state: &State, side: Side, users: &HexSet) -> Vec<(Source, u16)> {
        self.sources_by(state, side, users, &self.terrain.sides.grow(users))
    }

    pub(crate) fn tokens_for_works(&self, state: &State, side: Side, users: &HexSet) -> u16 {
        let sources = self.sources_for_works(state, side, users);
        sources.iter().map(|(_, amount)| *amount).fold(0, u16::saturating_add)
    }

    /// The stocks that reach the users directly, or those to which an HQ throws.
    fn sources_by(&self, state: &State, side: Side, users: &HexSet, thrown: &HexSet) -> Vec<(Source, u16)> {
        let closed = self.closed(state, side);
        let mut drawn = HexSet::EMPTY;
        for (hex, throw) in self.hqs(state, side) {
            if self.traced(state, &closed, hex, throw).intersects(thrown) {
                drawn |= self.traced(state, &closed, hex, DRAW);
            }
        }
        let pays = |hex: Hex| drawn.contains(hex) || self.traced(state, &closed, hex, DRAW).intersects(users);
        self.dumps(state, side)
            .filter(|(_, hex, _)| pays(*hex))
            .map(|(from, _, amount)| (from, amount))
            .collect()
    }

    /// The hexes that an HQ's throw reaches (12.1b.a).
    pub(crate) fn throw_reach(&self, state: &State, side: Side, hq: UnitId) -> HexSet {
        let throw = Mp::whole(u16::from(self.face(state, hq).throw));
        let closed = self.closed(state, side);
        state.hex(hq).map_or(HexSet::EMPTY, |hex| self.traced(state, &closed, hex, throw))
    }

    /// The hexes whose units can draw directly from a dump (11.5c.a).
    pub(crate) fn direct_reach(&self, state: &State, side: Side, dump: Hex) -> HexSet {
        self.traced(state, &self.closed(state, side), dump, DRAW)
    }

    /// The stocks that a group draws on: all within 5 truck MPs of its HQ, or those of one dump (11.5b.b, 11.5c.a).
    pub(crate) fn stocks_of(&self, state: &State, side: Side, from: Source) -> Vec<(Source, u16)> {
        let reach = match from {
            Source::Dump(hex) => HexSet::of(hex),
            Source::Load(hq) => match state.hex(hq) {
                Some(hex) => self.traced(state, &self.closed(state, side), hex, DRAW),
                None => HexSet::EMPTY,
            },
        };
        let near = self.dumps(state, side).filter(|(_, hex, _)| reach.contains(*hex));
        near.map(|(stock, _, amount)| (stock, amount)).collect()
    }

    /// How many tokens a group can draw.
    pub(crate) fn drawable(&self, state: &State, side: Side, from: Source) -> u16 {
        self.stocks_of(state, side, from).iter().map(|(_, amount)| *amount).fold(0, u16::saturating_add)
    }

    /// How many tokens units in these hexes can draw.
    pub(crate) fn tokens_for(&self, state: &State, side: Side, users: &HexSet) -> u16 {
        if self.settings.is_off(Off::CombatSupply) {
            return u16::MAX;
        }
        self.sources(state, side, users).iter().map(|(_, amount)| *amount).fold(0, u16::saturating_add)
    }

    /// Has units pay so many tokens, if they must; the owner chooses from where.
    pub(crate) fn charge(&self, state: &mut State, side: Side, tokens: u8, units: Units) {
        if tokens > 0 && !self.settings.is_off(Off::CombatSupply) {
            state.stack.push(Paying {
                side,
                tokens: tokens.into(),
                units,
                by: None,
                works: false,
                base: None,
            });
        }
    }

    fn expend(
        &self,
        state: &mut State,
        side: Side,
        from: Source,
        tokens: u16,
        play: &mut Play<Event>,
    ) -> u16 {
        let taken = state.stocks.take(from.spot(), side, Goods::Token, tokens);
        state.spent += u32::from(taken);
        play.tell(Event::Expended { side, tokens: taken, from });
        taken
    }
}

/// The hexes that units are in.
pub(crate) fn hexes_of(state: &State, units: Units) -> HexSet {
    units.iter().filter_map(|unit| state.hex(unit)).collect()
}

phrases! {
    /// A side pays for a combat or a barrage (9.5a.a).
    pub struct Paying {
        side: Side,
        tokens: u16,
        units: Units,
        /// The HQ or the dump of a group that draws its weekly supply.
        by: Option<Source>,
        /// For works: an HQ need only throw next to the unit (11.5b.g).
        works: bool,
        /// For an air base (15.0f.a).
        base: Option<Hex>,
    } = "paying", "9.5a.a", "{side} expends {tokens}T";
}

impl Frame<Ocs> for Paying {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("11.0b", "expend {} tokens: draw them from which stock", self.tokens))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let sources = self.sources(rules, state);
        answers.extend(sources.into_iter().map(|(from, _)| Action::Draw { from }));
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Draw { from } = action {
            self.draw(rules, state, from, play);
        }
    }

    /// With one stock there is nothing to choose.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let sources = self.sources(rules, state);
        let all = sources.iter().map(|(_, amount)| *amount).fold(0, u16::saturating_add);
        match sources[..] {
            _ if self.tokens == 0 => state.stack.pop(),
            [] => state.stack.pop(),
            [(from, _), ..] if sources.len() == 1 || self.tokens >= all => {
                self.draw(rules, state, from, play);
                return false;
            }
            _ => return true,
        };
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let own =
            |unit: UnitId| rules.side(unit) == self.side && matches!(state.units[unit].place, Place::Hex(_));
        around.above.is_empty()
            && (around.on::<crate::Battle>().is_some()
                || around.on::<crate::Volley>().is_some()
                || around.on::<crate::SupplyUsage>().is_some() && (self.by.is_some() != self.base.is_some())
                || around.on::<crate::Reorganization>().is_some() && self.works
                || around.on::<crate::Refitting>().is_some() && self.works
                || around.on::<crate::Moving>().is_some() && self.works)
            && self.tokens > 0
            && self.units.iter().all(own)
            && self.sources(rules, state).len() > 1
    }
}

impl Paying {
    fn sources(&self, rules: &Ocs, state: &State) -> Vec<(Source, u16)> {
        if let Some(hex) = self.base {
            return rules.sources_by(state, self.side, &HexSet::of(hex), &HexSet::of(hex));
        }
        match self.by {
            Some(from) => rules.stocks_of(state, self.side, from),
            None if self.works => rules.sources_for_works(state, self.side, &hexes_of(state, self.units)),
            None => rules.sources(state, self.side, &hexes_of(state, self.units)),
        }
    }

    fn draw(&self, rules: &Ocs, state: &mut State, from: Source, play: &mut Play<Event>) {
        let paid = rules.expend(state, self.side, from, self.tokens, play);
        match state.stack.top_mut::<Paying>() {
            Some(paying) if paying.tokens > paid => paying.tokens -= paid,
            _ => {
                state.stack.pop();
            }
        }
    }
}
