//! 12.6: retreats.

use arrayvec::ArrayVec;
use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::results::leave_trail;
use crate::sequence::not_asked;
use crate::{Action, Battle, Bite, Event, HexSet, Hexes, Procedure, RiverLoss, State, Taking, Units};

/// The longest retreat, and room for hexes beyond it.
const LONGEST: usize = 9;

phrases! {
    /// Units of one hex retreat together.
    pub struct Retreating {
        units: Units,
        attacker: bool,
        from: board::Hex,
        /// How many hexes they are to go, and how many they can.
        hexes: u8,
        goal: u8,
        /// The hexes entered so far.
        path: Hexes,
        /// Friends that they have taken along (12.6f2).
        picked: Units,
        /// They have crossed a major river without a bridge (12.6h1).
        crossed: bool,
    } = "retreating", "12.6d", "{units} retreat from {from}";
}

impl Frame<Bite> for Retreating {
    fn asked(&self, rules: &Bite, _: &State) -> (Side, Remark) {
        let prompt = if self.has_arrived() {
            remark!("12.6f3", "the hex is too full: go one hex further, or eliminate units")
        } else {
            remark!("12.6d", "retreat from {}, hex by hex; hexes to go: {}", self.from, self.left())
        };
        (self.side(rules), prompt)
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        if self.path.is_empty() && self.units.len() > 1 {
            answers.extend(self.units.iter().map(|unit| Action::Detach { unit }));
        }
        let steps = self.steps(rules, state);
        answers.extend(steps.iter().map(|hex| Action::Fall { hex }));
        if steps.is_empty() {
            answers.extend((self.units | self.picked).iter().map(|unit| Action::Disband { unit }));
        }
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Detach { unit } => {
                ensure!("12.6e", self.path.is_empty(), "they are on their way");
                let several = self.units.len() > 1 && self.units.contains(unit);
                ensure!("12.6e", several, "{} is not one of several", unit);
                Ok(())
            }
            Action::Fall { hex } => self.check_fall(rules, state, hex),
            Action::Disband { unit } => {
                ensure!("12.6f3", self.steps(rules, state).is_empty(), "they can go one hex further");
                ensure!("11.1o", (self.units | self.picked).contains(unit), "{} does not retreat", unit);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Detach { unit } => {
                if let Some(retreating) = state.stack.top_mut::<Retreating>() {
                    retreating.units.remove(unit);
                }
                if let Some(taking) = state.stack.find_mut::<Taking>() {
                    taking.left.insert(unit);
                }
            }
            Action::Fall { hex } => self.fall(rules, state, hex, play),
            Action::Disband { unit } => {
                rules.eliminate(state, unit, play);
                self.change(state, |retreating| {
                    retreating.units.remove(unit);
                    retreating.picked.remove(unit);
                });
            }
            _ => {}
        }
    }

    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.path.is_empty() {
            let goal = self.farthest(rules, state);
            if goal != self.goal {
                self.change(state, |retreating| retreating.goal = goal);
                return false;
            }
            if goal == 0 {
                self.end(rules, state, play);
                return false;
            }
        } else if self.has_arrived() {
            let here = self.path.last().unwrap_or(self.from);
            if (self.units | self.picked).is_empty() || rules.fits(state, here) {
                self.end(rules, state, play);
                return false;
            }
        }
        // One way only is no choice, unless somebody could go another.
        let steps = self.steps(rules, state);
        match steps.first() {
            Some(hex) if steps.len() == 1 && (self.units.len() == 1 || !self.path.is_empty()) => {
                self.fall(rules, state, hex, play);
                false
            }
            _ => true,
        }
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let here = self.path.last().unwrap_or(self.from);
        let side = self.side(rules);
        let stands = |unit: UnitId| rules.side(unit) == side && state.hex(unit) == Some(here);
        around
            .on::<Taking>()
            .is_some_and(|taking| taking.attacker == self.attacker && taking.hexes == self.hexes)
            && around.above.is_empty()
            && !(self.units | self.picked).is_empty()
            && (self.units | self.picked).iter().all(stands)
            && self.goal <= self.hexes
            && usize::from(self.hexes) < LONGEST
    }
}

impl Retreating {
    pub(crate) fn of(units: Units, from: Hex, hexes: u8, attacker: bool) -> Retreating {
        Retreating {
            units,
            attacker,
            from,
            hexes,
            goal: hexes,
            path: Hexes::default(),
            picked: Units::EMPTY,
            crossed: false,
        }
    }

    fn side(&self, rules: &Bite) -> Side {
        (self.units | self.picked).first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    /// How many hexes they have yet to go.
    fn left(&self) -> i32 {
        i32::from(self.goal) - self.path.len() as i32
    }

    /// They are as far as they are to go, and perhaps further.
    fn has_arrived(&self) -> bool {
        self.path.len() >= usize::from(self.goal)
    }

    /// A hex is as far away as they are to go.
    fn is_far_enough(&self, rules: &Bite, hex: Hex) -> bool {
        rules.map.grid().distance(self.from, hex) >= u32::from(self.goal)
    }

    /// How far they can go, at most as far as they are to.
    fn farthest(&self, rules: &Bite, state: &State) -> u8 {
        let ground = Escape::new(rules, state, self.units);
        let layers = ground.layers(self.from, (self.from, 0), usize::from(self.hexes));
        layers.len() as u8
    }

    /// The hexes that they may enter next: on a way as far as they can go, to a vacant hex if there is one (12.6a1, 12.6f1);
    /// beyond that, a hex they have not been in that is as far away, a vacant one if there is one (R50).
    fn steps(&self, rules: &Bite, state: &State) -> HexSet {
        let here = self.path.last().unwrap_or(self.from);
        let ground = Escape::new(rules, state, self.units | self.picked);
        if self.has_arrived() {
            let far = |hex: &Hex| self.is_far_enough(rules, *hex) && !self.path.contains(*hex);
            let open: HexSet = ground.next(here).iter().filter(far).collect();
            return if self.path.is_full() { HexSet::EMPTY } else { vacant_first(open, &ground.friends) };
        }
        let gone = self.path.len();
        let layers = ground.layers(self.from, (here, gone), usize::from(self.goal));
        let Some(last) = layers.last().filter(|_| layers.len() + gone == usize::from(self.goal)) else {
            return HexSet::EMPTY;
        };
        let mut wanted = vacant_first(*last, &ground.friends);
        for layer in layers.iter().rev().skip(1) {
            wanted = layer.iter().filter(|hex| ground.next(*hex).intersects(&wanted)).collect();
        }
        wanted
    }

    fn check_fall(&self, rules: &Bite, state: &State, hex: Hex) -> Result<(), Violation> {
        if self.steps(rules, state).contains(hex) {
            return Ok(());
        }
        let here = self.path.last().unwrap_or(self.from);
        let grid = rules.map.grid();
        ensure!("12.6d", grid.adjacent(here, hex), "{} is not next to {}", hex, here);
        Escape::new(rules, state, self.units | self.picked).check(here, hex)?;
        let farther = grid.distance(self.from, hex) as usize == self.path.len() + 1;
        let far = if self.has_arrived() { self.is_far_enough(rules, hex) } else { farther };
        ensure!("12.6a1", far, "{} is not far enough from {}", hex, self.from);
        refuse!("12.6f1", "that way does not lead far enough, or not to a vacant hex")
    }

    /// One hex: friends in the hex that is left go along, but not those who retreat themselves (12.6f2, R49).
    fn fall(&self, rules: &Bite, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        let mut now = *self;
        let here = self.path.last().unwrap_or(self.from);
        // The hex where a retreat ends, even if it is too full, picks up nobody (R49, R50).
        if !self.path.is_empty() && !self.has_arrived() {
            let force = state.battle().map(|battle| battle.attackers | battle.defenders).unwrap_or_default();
            let own = self.units | self.picked | force;
            let others = state.units.in_hex(here).filter(|unit| !own.contains(*unit));
            let others: Units = others.filter(|unit| rules.counter(*unit).allowance > 0).collect();
            for unit in others.iter() {
                play.tell(Event::PickedUp { unit });
            }
            now.picked = now.picked | others;
        }
        for unit in (now.units | now.picked).iter() {
            rules.put(state, unit, hex, play);
            play.tell(Event::Retreated { unit, hex });
        }
        let side = self.side(rules);
        let river = rules.ground.is_major(&rules.map, here, hex);
        let bridged = rules.ground.has_crossing(state.demolished, here, hex)
            || rules.is_bridged(state, side, here, hex);
        now.crossed |= river && !bridged;
        now.path.push(hex);
        self.change(state, |retreating| *retreating = now);
    }

    fn change(&self, state: &mut State, change: impl FnOnce(&mut Retreating)) {
        if let Some(retreating) = state.stack.top_mut::<Retreating>() {
            change(retreating);
        }
    }

    /// They are where they end; what they could not make is made up in steps.
    fn end(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        let missing = self.hexes - self.goal;
        let train = self.units.iter().all(|unit| rules.is_train(unit)) && !self.units.is_empty();
        if missing > 0 && train {
            // A train takes what it cannot make itself (R80).
            for unit in self.units.iter().filter(|unit| state.hex(*unit).is_some()).collect::<Vec<_>>() {
                for _ in 0..missing.min(state.units[unit].steps) {
                    rules.lose_step(state, unit, play);
                }
            }
        } else if let Some(taking) = state.stack.find_mut::<Taking>() {
            taking.short = taking.short.max(missing);
        }
        if self.path.is_empty() {
            return;
        }
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.retreated = battle.retreated | self.units;
        }
        let left = self.path.len() - 1;
        leave_trail(state, [self.from].into_iter().chain(self.path.iter().take(left)).collect());
        let units = self.units.filter(|unit| state.hex(unit).is_some());
        if self.crossed && !units.is_empty() {
            play.tell(Event::RiverCrossed { units });
            state.stack.push(RiverLoss { units, attacker: self.attacker });
        }
    }
}

/// A retreat ends in a vacant hex if there is one (12.6f1).
fn vacant_first(hexes: HexSet, friends: &HexSet) -> HexSet {
    let vacant = hexes - *friends;
    if vacant.is_empty() { hexes } else { vacant }
}

/// Where some units can retreat now.
struct Escape<'r> {
    rules: &'r Bite,
    enemies: HexSet,
    ezoc: HexSet,
    friends: HexSet,
    barred: HexSet,
    heavy: bool,
    train: bool,
    demolished: bool,
}

impl<'r> Escape<'r> {
    fn new(rules: &'r Bite, state: &State, units: Units) -> Escape<'r> {
        let side = units.first().map_or(Side::Axis, |unit| rules.side(unit));
        let position = rules.known(state);
        Escape {
            rules,
            enemies: position.held[side.enemy()],
            ezoc: position.unnegated(side),
            friends: position.held[side],
            barred: rules.barred(side),
            heavy: units.iter().any(|unit| rules.is_heavy(unit)),
            train: units.iter().any(|unit| rules.is_train(unit)),
            demolished: state.demolished,
        }
    }

    /// Whether one step of a retreat is lawful (12.6b, 12.6c, 12.6i).
    fn check(&self, from: Hex, to: Hex) -> Result<(), Violation> {
        let ground = &self.rules.ground;
        ensure!("12.6b1", !self.enemies.contains(to), "an enemy unit is in {}", to);
        ensure!("12.6b2", !self.ezoc.contains(to), "{} is in an enemy zone of control", to);
        ensure!("12.6c", ground.open_sides.between(from, to), "water lies between {} and {}", from, to);
        ensure!("12.6i", ground.land.contains(to), "nobody may enter {}", to);
        ensure!("12.6i", !self.barred.contains(to), "a rule of this battle keeps this side out of {}", to);
        let swamp = self.heavy
            && ground.not_for_heavy.contains(to)
            && !ground.has_crossing(self.demolished, from, to);
        ensure!("12.6i", !swamp, "heavy armor enters {} by road only", to);
        let off_rail = self.train
            && (!ground.rail_sides.between(from, to) || ground.blown(self.demolished).between(from, to));
        ensure!("rad.22.4c", !off_rail, "a train goes by rail only");
        Ok(())
    }

    /// The hexes that may be entered from one.
    fn next(&self, from: Hex) -> HexSet {
        let near = self.rules.map.neighbours(from).map(|(_, hex)| hex);
        near.filter(|to| self.check(from, *to).is_ok()).collect()
    }

    /// The hexes at each further distance from the start that can be reached, as long as there are any.
    fn layers(&self, start: Hex, (here, gone): (Hex, usize), goal: usize) -> ArrayVec<HexSet, LONGEST> {
        let grid = self.rules.map.grid();
        let mut layers: ArrayVec<HexSet, LONGEST> = ArrayVec::new();
        let mut last: HexSet = [here].into_iter().collect();
        for distance in gone + 1..=goal.min(LONGEST) {
            let next = last.iter().flat_map(|from| {
                let open = self.next(from);
                open.iter().collect::<Vec<_>>()
            });
            let layer: HexSet = next.filter(|hex| grid.distance(start, *hex) as usize == distance).collect();
            if layer.is_empty() {
                break;
            }
            layers.push(layer);
            last = layer;
        }
        layers
    }
}

impl Bite {
    /// Units in one hex can retreat one hex at least, together.
    pub(crate) fn can_retreat(&self, state: &State, units: Units) -> bool {
        let hex = units.first().and_then(|unit| state.hex(unit));
        hex.is_some_and(|hex| !Escape::new(self, state, units).next(hex).is_empty())
    }
}
