//! 9: movement.

use board::{Hex, HexSet, Mp, Reach, Step};
use engine::display;
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, WhyNot, crossing, entering, leaving, with_reach};
use engine::{Frame, Play, Remark, Side, UnitId, Viewer, Violation, case, ensure, phrases, refuse, remark};

use crate::ground::Payer;
use crate::sequence::{not_asked, phase};
use crate::{Action, Dagc, Ending, Event, Marks, Phase, Presence, Procedure, SharedRoll, State, Supply};

/// The movement factor of activated units on turn 1 (2.10b).
const BAGRATION_MOVEMENT: u8 = 8;

/// The most movement points that a situation may give a unit on its way.
const MOST_POINTS: u8 = 20;

phrases! {
    /// A movement phase.
    pub struct Movement { side: Side } = "movement", "9.1", "{side} movement phase";
}

impl Frame<Dagc> for Movement {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        (self.side, remark!("9.2b", "move a unit, or end the movement phase"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        for (unit, _) in rules.on_map(state, self.side) {
            if rules.check_begin(state, self.side, unit).is_ok() {
                answers.push(Action::Move { unit });
            }
            if self.side == Side::Soviet && rules.check_top(state, unit).is_ok() {
                answers.push(Action::Top { unit });
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Move { unit } => rules.check_begin(state, self.side, unit),
            Action::Top { unit } if self.side == Side::Soviet => rules.check_top(state, unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Move { unit } => rules.begin_move(state, unit, play),
            Action::Top { unit } => rules.top(state, unit, play),
            _ => state.stack.push(Ending {}),
        }
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Movement))
    }
}

phrases! {
    /// A unit on its way, with the points it has left.
    pub struct Moving { unit: UnitId, left: u8 } = "moving", "9.2d", "{unit} moves";
}

impl Frame<Dagc> for Moving {
    fn asked(&self, rules: &Dagc, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("9.2d", "go on with {} MP, or stop", self.left))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        rules.moving_answers(state, self.unit, self.left, answers);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Go { hex } => self.check_go(rules, state, hex),
            Action::Cross => {
                let march = self.march(rules, state)?;
                with_reach(|reach| march.check_cross(reach))
            }
            Action::Stop => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Go { hex } => rules.go(state, self.unit, self.left, hex, play),
            Action::Cross => rules.cross(state, self.unit, self.left, play),
            _ => {
                state.stack.pop();
            }
        }
    }

    /// A unit that can go nowhere has moved.
    fn go_on(&self, rules: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        let stuck = rules.is_stuck(state, self.unit, self.left);
        if stuck {
            state.stack.pop();
        }
        !stuck
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some_and(|phase| phase.side == rules.side(self.unit))
            && around.above.is_empty()
            && self.left <= MOST_POINTS
            && state.hex(self.unit).is_some()
            && !rules.is_fortified(self.unit)
    }
}

impl Moving {
    fn march<'a>(&self, rules: &'a Dagc, state: &'a State) -> Result<March<'a>, Violation> {
        March::new(rules, state, self.unit, self.left)
            .ok_or_else(|| remark!("2.2b", "{} is not on the map", self.unit))
    }

    fn check_go(&self, rules: &Dagc, state: &State, to: Hex) -> Result<(), Violation> {
        let march = self.march(rules, state)?;
        ensure!("9.2d", march.from != to, "{} is in {} already", self.unit, to);
        with_reach(|reach| march.check(to, reach))
    }
}

/// A unit on its way, with what stands in it.
struct March<'a> {
    rules: &'a Dagc,
    unit: UnitId,
    from: Hex,
    left: Mp,
    presence: Presence<'a>,
    /// Hexes with friends, the unit itself not among them.
    friends: HexSet,
    /// Entrenchments that bar its way from zone to zone.
    barred: Option<HexSet>,
    /// Why the narrows cannot be crossed, if they cannot.
    narrows: Option<Bar>,
}

impl<'a> March<'a> {
    #[inline(always)] // it is large, and would be copied
    fn new(rules: &'a Dagc, state: &'a State, unit: UnitId, left: u8) -> Option<March<'a>> {
        let from = state.hex(unit)?;
        let side = rules.side(unit);
        let presence = Presence::new(rules, state);
        let mut friends = *presence.held[side];
        if !presence.full.contains(from) {
            friends.remove(from);
        }
        let barred = rules.barring_entrenchments(state, &presence, unit);
        let narrows = rules.narrows_bar(state, side);
        Some(March {
            rules,
            unit,
            from,
            left: Mp::whole(u16::from(left)),
            presence,
            friends,
            barred,
            narrows,
        })
    }

    /// What the steps of the unit cost and what bars them: everything adds up (R51).
    fn law(&self) -> Law<'_> {
        self.law_with(self.narrows)
    }

    /// The same without the narrows.
    fn law_by_land(&self) -> Law<'_> {
        self.law_with(self.narrows.or(Some(BY_LAND)))
    }

    #[inline]
    fn law_with(&self, narrows: Option<Bar>) -> Law<'_> {
        let side = self.rules.side(self.unit);
        let mut law = self.rules.entry_law(&self.presence, self.unit);
        if let Some(bar) = narrows {
            law.add(Term::bar(crossing(&self.rules.ground.narrows_side), bar));
        }
        let friends = &self.friends;
        law.add(Term::price(leaving(friends), "leaving a friend", Mp::ONE, case("6.4a")));
        law.add(Term::price(entering(friends), "entering a friend's hex", Mp::ONE, case("6.4b")));
        for term in self.rules.zone_terms(&self.presence, side, self.barred.as_ref()) {
            law.add(term);
        }
        law
    }

    /// All that the unit can reach.
    fn spread(&self, reach: &mut Reach) {
        self.law().spread(reach, &[self.from], self.left);
    }

    /// The way to a hex, whatever it costs: the cheapest, by land where that leads there with the points that are left,
    /// because the narrows can be crossed but once (9.8a).
    fn find(&self, to: Hex, reach: &mut Reach) -> Option<Vec<Hex>> {
        self.spread(reach);
        let Some(path) = reach.path(to) else {
            self.law().spread_to(reach, &[self.from], Mp::MAX, to);
            return reach.path(to);
        };
        if path.windows(2).any(|step| self.rules.ground.narrows_side.between(step[0], step[1])) {
            self.law_by_land().spread(reach, &[self.from], self.left);
            let by_land = reach.path(to);
            if by_land.is_some() {
                return by_land;
            }
            self.spread(reach);
        }
        Some(path)
    }

    /// Whether the unit can reach a hex, or why not.
    fn check(&self, to: Hex, reach: &mut Reach) -> Result<(), Violation> {
        let (law, unit) = (self.law(), self.unit);
        match law.why_not(reach, self.from, to, self.left) {
            None => Ok(()),
            Some(WhyNot::Barred(why)) => Err(why),
            Some(WhyNot::Short(short)) => {
                refuse!("9.3", "{} needs {} MP to reach {} and has {}", unit, short.needed, to, short.has)
            }
            Some(WhyNot::NoWay) => match self.narrows {
                Some(bar) if self.law_with(None).why_not(reach, self.from, to, Mp::MAX).is_none() => {
                    Err(bar.remark(self.from, to))
                }
                _ => refuse!("9.2d", "{} has no lawful path to {}", unit, to),
            },
        }
    }

    /// The far end of the narrows, when the unit stands at the other, and what the crossing costs.
    fn crossing(&self) -> Option<(Hex, Mp)> {
        let (a, b) = self.rules.ground.narrows?;
        let to = match self.from {
            from if from == a => b,
            from if from == b => a,
            _ => return None,
        };
        match self.law().step(self.from, to) {
            Step::Enter(cost) | Step::EnterAndStop(cost) => Some((to, cost)),
            Step::Closed => None,
        }
    }

    /// Whether the crossing can be chosen where a way by land leads to the far end, too (9.8a).
    fn check_cross(&self, reach: &mut Reach) -> Result<(), Violation> {
        if let Some(bar) = self.narrows {
            return Err(bar.remark(self.from, self.from));
        }
        let Some((to, cost)) = self.crossing() else {
            refuse!("9.8a", "{} cannot cross the narrows from {}", self.unit, self.from)
        };
        ensure!(
            "9.3",
            cost <= self.left,
            "{} needs {} MP to cross the narrows and has {}",
            self.unit,
            cost,
            self.left
        );
        self.law_by_land().spread(reach, &[self.from], self.left);
        ensure!("9.8a", reach.hexes().contains(to), "only the narrows lead to {}: go there instead", to);
        Ok(())
    }
}

/// Keeps a march to the land.
const BY_LAND: Bar = Bar::plain(case("9.8a"), "the narrows are kept for later");

impl Dagc {
    /// Whether a unit may begin to move in its movement phase.
    fn check_begin(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("2.10c", !self.is_fortified(unit), "{} is a fortified locality and never moves", unit);
        ensure!("9.2e", self.side(unit) == side, "{} moves in its own player turn", unit);
        ensure!("2.2b", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("9.2c", !state.marked(unit, Marks::MOVED), "{} has already moved in this phase", unit);
        let bound = state.turn == 1 && side == Side::Soviet && !state.marked(unit, Marks::ACTIVATED);
        ensure!("5.4a", !bound, "{} was not activated: on turn 1 only activated Soviet units move", unit);
        Ok(())
    }

    /// Tests supply (7.1a) and finds the movement points: the printed factor, or dice for units that are out of
    /// supply (7.3) or interdicted (13.3).
    fn begin_move(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        let presence = Presence::new(self, state);
        let supply = self.supply_of(state, &presence, unit);
        let interdicted = state.marked(unit, Marks::INTERDICTED);
        let points = match (supply, interdicted) {
            (Supply::Out, false) => self.shared_roll(state, unit, hex, play),
            (Supply::Out, true) => {
                let own = self.shared_roll(state, unit, hex, play);
                own.saturating_sub(play.roll(Side::Soviet, 6, "interdiction", case("13.3c")) as u8)
            }
            (_, true) => play.roll(Side::Axis, 6, "movement under interdiction", case("13.3b")) as u8,
            (_, false) => self.movement_factor(state, unit),
        };
        state.mark(unit, Marks::MOVED);
        let seen = self.is_seen(state, unit);
        let began = Event::Began { unit: unit.into(), hex, supply: supply.into(), points: points.into() };
        play.tell_of(self.side(unit), seen, began);
        state.stack.push(Moving { unit, left: points });
    }

    /// 7, 10 for the Fifth Panzer Army, 8 for activated units on turn 1 (2.10).
    pub(crate) fn movement_factor(&self, state: &State, unit: UnitId) -> u8 {
        let activated = state.turn == 1 && state.marked(unit, Marks::ACTIVATED);
        if activated { BAGRATION_MOVEMENT } else { self.counter(unit).movement }
    }

    /// One die for all units out of supply that began the phase in this hex (7.3b, R18).
    fn shared_roll(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) -> u8 {
        if let Some(shared) = state.rolls.iter().find(|shared| shared.hex == hex) {
            return shared.roll;
        }
        let roll = play.roll(self.side(unit), 6, "movement out of supply", case("7.3a")) as u8;
        state.rolls.push(SharedRoll { hex, roll }); // there is room for a die of every unit
        roll
    }

    /// What no unit of this sort may enter or cross, whatever it has to spend: in movement, retreat and advance alike
    /// (6.9, 6.10b, 9.7, 9.11, 9.12, R41). Stacking counts too (6.5).
    #[inline]
    pub(crate) fn entry_law<'a>(&'a self, presence: &Presence<'a>, unit: UnitId) -> Law<'a> {
        let mut law = Law::new(self.ground.statute(self.payer(unit)));
        if self.is_1uf(unit) && !self.switches.free_1uf {
            let why = "{} may not leave the area of 1st Ukrainian Front";
            let bar = Bar::new(case("10.2b"), why, [About::Fact(unit.into())]);
            law.add(Term::bar(entering(&self.ground.beyond_uf), bar));
        }
        for term in self.room(presence, unit) {
            law.add(term);
        }
        law
    }

    /// How a unit pays for terrain.
    fn payer(&self, unit: UnitId) -> Payer {
        match self.side(unit) {
            Side::Axis => Payer::German,
            Side::Soviet if self.is_cav_mech(unit) => Payer::CavMech,
            Side::Soviet => Payer::Soviet,
        }
    }

    /// Why a side cannot cross the narrows, if it cannot.
    fn narrows_bar(&self, state: &State, side: Side) -> Option<Bar> {
        if side == Side::Axis {
            Some(Bar::plain(case("9.8c"), "no German unit may cross the narrows"))
        } else if state.narrows_used {
            Some(Bar::plain(
                case("9.8a"),
                "the narrows have already been crossed, and one crossing is all there is",
            ))
        } else if !self.narrows_are_soviet(state) {
            Some(Bar::plain(case("9.8b"), "both hexes of the narrows must be Soviet-controlled"))
        } else {
            None
        }
    }

    pub(crate) fn moving_answers(&self, state: &State, unit: UnitId, left: u8, answers: &mut Vec<Action>) {
        if left > 0
            && let Some(march) = March::new(self, state, unit, left)
        {
            with_reach(|reach| {
                if march.check_cross(reach).is_ok() {
                    answers.push(Action::Cross);
                }
                march.spread(reach);
                let others = reach.hexes().iter().filter(|hex| *hex != march.from);
                answers.extend(others.map(|hex| Action::Go { hex }));
            });
        }
        answers.push(Action::Stop);
    }

    /// Goes to a hex, entering each on the way.
    fn go(&self, state: &mut State, unit: UnitId, left: u8, to: Hex, play: &mut Play<Event>) {
        let Some(march) = March::new(self, state, unit, left) else { return };
        let path = with_reach(|reach| {
            let path = march.find(to, reach).unwrap_or_default();
            let spent = |hex: Hex| (hex, reach.cost_to_go_on(hex).unwrap_or_default());
            path.into_iter().map(spent).collect::<Vec<_>>()
        });
        self.enter_each(state, unit, &path, play);
    }

    /// Crosses the narrows.
    fn cross(&self, state: &mut State, unit: UnitId, left: u8, play: &mut Play<Event>) {
        let Some(march) = March::new(self, state, unit, left) else { return };
        let Some(far) = march.crossing() else { return };
        let near = (march.from, Mp::ZERO);
        self.enter_each(state, unit, &[near, far], play);
    }

    /// Enters the hexes of a path one by one, as long as the game goes on. With each hex stands what it takes to get there.
    fn enter_each(&self, state: &mut State, unit: UnitId, path: &[(Hex, Mp)], play: &mut Play<Event>) {
        let Some(&(to, whole)) = path.last() else { return };
        // The German player sees where a unit comes from or ends up on top, not what passes between (6.8b).
        let seen = self.is_seen(state, unit) || state.stack_in(to).is_empty();
        for step in path.windows(2) {
            let ((from, before), (hex, after)) = (step[0], step[1]);
            if self.ground.narrows_side.between(from, hex) {
                state.narrows_used = true;
                play.tell(Event::NarrowsCrossed);
            }
            self.put(state, unit, hex, play);
            let cost = after.saturating_sub(before).floor() as u8;
            let entered = Event::Entered { unit: unit.into(), hex, cost: cost.into() };
            play.tell_of(self.side(unit), seen, entered);
            if self.sudden_death(state) {
                break;
            }
        }
        if let Some(Moving { left, .. }) = state.stack.top_mut() {
            *left -= whole.floor() as u8;
        }
    }

    /// The way of [`Dagc::go`] with every part of its cost, also where that is more than the unit has.
    pub(crate) fn route_to(&self, state: &State, unit: UnitId, left: u8, to: Hex) -> Option<display::Route> {
        let march = March::new(self, state, unit, left)?;
        let path = with_reach(|reach| march.find(to, reach))?;
        march.law().route(&path, march.left)
    }

    /// The hexes that the units of a side which the viewer sees could reach with their printed factors, if they could
    /// move now.
    pub(crate) fn reach_of(&self, state: &State, side: Side, viewer: Viewer) -> HexSet {
        let seen = |unit: UnitId| viewer.is_told(side) || self.is_seen(state, unit);
        let units = self.on_map(state, side).filter(|(unit, _)| seen(*unit) && !self.is_fortified(*unit));
        let reached = units.map(|(unit, _)| self.reach(state, unit, self.counter(unit).movement));
        reached.fold(HexSet::EMPTY, |all, reached| all | reached)
    }

    /// The hexes that a unit could reach with so many points, its own among them.
    pub fn reach(&self, state: &State, unit: UnitId, points: u8) -> HexSet {
        let Some(march) = March::new(self, state, unit, points) else { return HexSet::EMPTY };
        with_reach(|reach| {
            march.spread(reach);
            *reach.hexes()
        })
    }

    /// True when the unit on its way can go nowhere.
    fn is_stuck(&self, state: &State, unit: UnitId, left: u8) -> bool {
        let Some(at) = state.hex(unit) else { return true };
        // What is found here is what the answers list.
        left == 0 || self.reach(state, unit, left).is_subset(&HexSet::of(at))
    }
}
