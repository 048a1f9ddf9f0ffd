//! What a formation does with its Action Points: every Action that is worth considering, and what it is worth.

use board::Hex;
use bug::{
    Action, Activation, AttackKind, Bonus, Bug, Command, HexSet, Procedure, Scout, Soldier, State, Units,
};
use engine::{Lexicon, Side, UnitId};

use super::balance::Balance;
use super::strike::{self, Ends, Strike};

/// What is to be done: an attack, which takes several answers, or anything else, which takes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    Attack { units: Units, hex: Hex, kind: AttackKind },
    Do(Action),
}

/// Something that could be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deed {
    pub(crate) aim: Aim,
    /// Where a move leads.
    pub(crate) goal: Option<Hex>,
    pub(crate) cost: f32,
    pub(crate) value: f32,
    /// It is done for the sake of something that must follow.
    pub(crate) leads: bool,
}

impl Deed {
    /// Whether it can be done now.
    pub(crate) fn is_open(&self, scout: &Scout<'_>, answers: &[Action]) -> bool {
        match self.aim {
            Aim::Attack { units, hex, kind } => scout.may_attack(units, hex, kind),
            Aim::Do(action) => answers.contains(&action),
        }
    }

    /// What it is worth for each point.
    pub(crate) fn rate(&self) -> f32 {
        self.value / self.cost.max(0.5)
    }
}

/// Who acts now, and with what.
pub(crate) struct Hand<'a, 's> {
    pub(crate) rules: &'a Bug,
    pub(crate) scout: &'a Scout<'s>,
    pub(crate) balance: &'a Balance<'a>,
    pub(crate) side: Side,
    /// The formation; nothing when the winners of a battle act.
    pub(crate) hq: Option<UnitId>,
    /// The units that may act, by hex.
    pub(crate) stacks: Vec<(Hex, Vec<Soldier>)>,
    pub(crate) ap: u8,
    pub(crate) boats: u8,
    /// Hexes that a bonus move must begin with.
    pub(crate) first: Option<[Option<Hex>; 2]>,
    pub(crate) plain: bool,
    pub(crate) boldness: f32,
    /// Stacks are not divided: for a quick look.
    pub(crate) rough: bool,
    /// Hexes next to each own stack that can strike, by target: what one more on the die is worth.
    wanted: Vec<(Hex, f32)>,
    /// The enemy strength next to every hex.
    threats: Vec<f32>,
}

/// The strength of a side next to every hex.
fn threats(rules: &Bug, scout: &Scout<'_>, side: Side) -> Vec<f32> {
    let grid = rules.map().grid();
    let mut threats = vec![0.0; grid.len()];
    for soldier in scout.soldiers(side) {
        for (_, next) in rules.map().neighbours(soldier.hex) {
            threats[grid.index(next)] += f32::from(soldier.strength);
        }
    }
    threats
}

/// Stacks by hex.
fn gather(soldiers: impl Iterator<Item = Soldier>) -> Vec<(Hex, Vec<Soldier>)> {
    let mut stacks: Vec<(Hex, Vec<Soldier>)> = Vec::new();
    for soldier in soldiers {
        match stacks.iter_mut().find(|(hex, _)| *hex == soldier.hex) {
            Some((_, stack)) => stack.push(soldier),
            None => stacks.push((soldier.hex, vec![soldier])),
        }
    }
    stacks
}

impl<'a, 's> Hand<'a, 's> {
    /// Reads from the state who acts; nothing when nobody does.
    pub(crate) fn read(
        rules: &'a Bug,
        scout: &'a Scout<'s>,
        balance: &'a Balance<'a>,
        plain: bool,
        boldness: f32,
    ) -> Option<Hand<'a, 's>> {
        let state = scout.state();
        let hand = |side: Side, hq, stacks, ap, boats, first| Hand {
            rules,
            scout,
            balance,
            side,
            hq,
            stacks,
            ap,
            boats,
            first,
            plain,
            boldness,
            rough: false,
            wanted: Vec::new(),
            threats: threats(rules, scout, side.enemy()),
        };
        match *state.procedures().last()? {
            Procedure::Activation(Activation { hq, ap, boats, .. }) => {
                let formation = scout.formation(hq).map(|formation| formation.formation);
                let side = rules.side_of(hq);
                let members = scout.soldiers(side).filter(|soldier| Some(soldier.formation) == formation);
                Some(hand(side, Some(hq), gather(members), ap, boats, None))
            }
            Procedure::Bonus(Bonus { side, units, ahead, back, .. }) => {
                let members = units.iter().filter_map(|unit| scout.soldier(unit));
                Some(hand(side, None, gather(members), 1, 0, Some([ahead, back])))
            }
            _ => None,
        }
    }

    /// As if a formation were activated with so many points.
    pub(crate) fn suppose(
        rules: &'a Bug,
        scout: &'a Scout<'s>,
        balance: &'a Balance<'a>,
        hq: UnitId,
        ap: u8,
    ) -> Hand<'a, 's> {
        let formation = scout.formation(hq).map(|formation| formation.formation);
        let side = rules.side_of(hq);
        let members = scout.soldiers(side).filter(|soldier| Some(soldier.formation) == formation);
        Hand {
            rules,
            scout,
            balance,
            side,
            hq: Some(hq),
            stacks: gather(members),
            ap,
            boats: 0,
            first: None,
            plain: false,
            boldness: 1.0,
            rough: true,
            wanted: Vec::new(),
            threats: threats(rules, scout, side.enemy()),
        }
    }

    fn state(&self) -> &State {
        self.scout.state()
    }

    /// Everything worth considering.
    pub(crate) fn options(&mut self) -> Vec<Deed> {
        let mut options = Vec::new();
        self.attacks(&mut options);
        self.moves(&mut options);
        if !self.plain {
            self.refits(&mut options);
            self.improvements(&mut options);
            self.relocations(&mut options);
        }
        options
    }

    /// Attacks alone.
    pub(crate) fn best_attack(&mut self) -> f32 {
        let mut options = Vec::new();
        self.plain = true;
        self.attacks(&mut options);
        options.iter().map(|option| option.value).fold(0.0, f32::max)
    }

    fn able(stack: &[Soldier]) -> Units {
        stack.iter().filter(|soldier| !soldier.disrupted).map(|soldier| soldier.unit).collect()
    }

    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> + use<'_> {
        self.rules.map().neighbours(hex).map(|(_, to)| to)
    }

    fn threat(&self, hex: Hex) -> f32 {
        self.threats[self.rules.map().grid().index(hex)]
    }

    fn strength(&self, hex: Hex) -> f32 {
        let stack = self.scout.stack(hex);
        stack.iter().map(|unit| f32::from(self.state().strength_of(unit))).sum()
    }

    /// Attacks from where the stacks stand.
    fn attacks(&mut self, options: &mut Vec<Deed>) {
        let enemies = *self.scout.combat(self.side.enemy());
        let mut wanted: Vec<(Hex, f32)> = Vec::new();
        for (from, stack) in &self.stacks {
            let units = Self::able(stack);
            let Some(first) = units.first() else { continue };
            let command = self.scout.command(first);
            for target in self.neighbours(*from).filter(|hex| enemies.contains(*hex)) {
                if !self.scout.can_strike(units, *from, target) {
                    continue;
                }
                let ends =
                    Ends::new(self.balance, self.scout, self.side, &Strike { units, from: *from, target });
                for kind in AttackKind::ALL {
                    let Some(cost) = kind.cost_for(command) else { continue };
                    if cost > self.ap || self.hq.is_none() && command != Command::In {
                        continue;
                    }
                    let forecast = self.scout.forecast(units, *from, target, *kind, 0);
                    let mut value = strike::value(&ends, &forecast) * self.boldness;
                    if command == Command::Isolated {
                        value = value * 0.5 - 0.05;
                    }
                    if cost < self.ap && *kind != AttackKind::Hasty && !self.plain {
                        let more = if *kind == AttackKind::Prepared { 2 } else { 1 };
                        let helped = self.scout.forecast(units, *from, target, *kind, more);
                        let gain = strike::value(&ends, &helped) * self.boldness - value.max(0.0);
                        if gain > 0.0 {
                            wanted.push((target, gain));
                        }
                    }
                    let aim = Aim::Attack { units, hex: target, kind: *kind };
                    options.push(Deed { aim, goal: None, cost: f32::from(cost), value, leads: true });
                }
            }
        }
        self.wanted = wanted;
    }

    /// Movement Actions.
    fn moves(&self, options: &mut Vec<Deed>) {
        for (at, stack) in &self.stacks {
            let all = Self::able(stack);
            let Some(first) = all.first() else { continue };
            let command = self.scout.command(first);
            let cost = command.cost(1);
            if cost > self.ap || self.hq.is_none() && command != Command::In {
                continue;
            }
            let mut parties = vec![all];
            if all.len() > 1 && !self.rough {
                parties.extend(all.iter().map(Units::of));
            }
            for units in parties {
                let best = self.best_goal(*at, units, cost);
                if let Some((goal, mut value, leads)) = best {
                    if command == Command::Isolated {
                        value = value * 0.6 - 0.02;
                    }
                    let aim = Aim::Do(Action::Move { units });
                    options.push(Deed { aim, goal: Some(goal), cost: f32::from(cost), value, leads });
                }
            }
        }
    }

    /// The best hex that some units could move to.
    fn best_goal(&self, at: Hex, units: Units, cost: u8) -> Option<(Hex, f32, bool)> {
        let ap = self.ap.saturating_sub(cost);
        let slips = self.scout.infiltrations(units, self.boats);
        let goals = match self.first {
            Some(first) => first.into_iter().flatten().filter(|hex| *hex != at).collect(),
            None => self.scout.reach(units, self.boats),
        };
        let sure = self.best_of(at, units, goals - slips, ap);
        let slips = if self.first.is_some() { slips & goals } else { slips };
        let ratings = units.iter().filter_map(|unit| self.scout.soldier(unit)).map(|soldier| soldier.rating);
        let passes = f32::from(ratings.min().unwrap_or(0)) / 10.0;
        let risky = self.best_of(at, units, slips, ap).map(|(hex, value, _)| {
            (hex, value * passes - (1.0 - passes) * self.balance.weights.slip as f32, true)
        });
        [sure, risky].into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The best of some hexes for units on their way, with what it is worth to be there.
    pub(crate) fn best_of(&self, at: Hex, units: Units, goals: HexSet, ap: u8) -> Option<(Hex, f32, bool)> {
        let soldiers: Vec<Soldier> = units.iter().filter_map(|unit| self.scout.soldier(unit)).collect();
        let here = self.standing(at, at, &soldiers);
        let mut best: Option<(Hex, f32, bool)> = None;
        // For each enemy within reach, the best hex to attack him from.
        let mut stands: Vec<(Hex, Hex, f32)> = Vec::new();
        let enemies = self.scout.combat(self.side.enemy());
        let own = self.scout.combat(self.side);
        let free = |goal: &Hex| *goal != at && (!own.contains(*goal) || self.scout.has_room(units, *goal));
        for goal in goals.iter().filter(free) {
            let value = self.standing(at, goal, &soldiers) - here;
            if best.is_none_or(|(_, most, _)| value > most) {
                best = Some((goal, value, false));
            }
            if self.plain || ap == 0 && self.wanted.is_empty() || self.threat(goal) == 0.0 {
                continue;
            }
            for target in self.neighbours(goal).filter(|next| enemies.contains(*next)) {
                match stands.iter_mut().find(|(other, _, _)| *other == target) {
                    Some(stand) if stand.2 < value => (stand.1, stand.2) = (goal, value),
                    Some(_) => {}
                    None => stands.push((target, goal, value)),
                }
            }
        }
        let strength: u8 = soldiers.iter().map(|soldier| soldier.strength).sum();
        for (target, goal, value) in stands {
            let help = self.best_wish(target).filter(|_| self.can_help(&soldiers, goal, target));
            let mut chance = help.map_or(0.0, |(_, gain)| gain);
            if ap > 0 && strength >= 3 {
                chance = chance.max(self.promise(units, goal, target, ap));
            }
            if best.is_none_or(|(_, most, _)| value + chance > most) {
                best = Some((goal, value + chance, true));
            }
        }
        best
    }

    /// What it is worth to stand in a hex.
    fn standing(&self, at: Hex, hex: Hex, soldiers: &[Soldier]) -> f32 {
        let (side, balance, state) = (self.side, self.balance, self.state());
        let weights = balance.weights;
        let mut value = 0.0;
        let mut strength = 0.0;
        let led = self.hq.is_none_or(|hq| self.scout.is_led(hq, hex));
        for soldier in soldiers {
            let worth = balance.worth_of(soldier) * if led { 1.0 } else { weights.out_of_command as f32 };
            value += worth * balance.field(side, soldier.motorized, hex);
            strength += f32::from(soldier.strength);
        }
        value += balance.control(state, side, hex) * if hex == at { 0.0 } else { 1.0 };
        if self.plain {
            return value;
        }
        let others = self.scout.stack(hex);
        if others.iter().all(|unit| soldiers.iter().any(|soldier| soldier.unit == unit)) {
            value += balance.guard(state, side, hex);
        }
        // Who stands next to a stronger enemy will be attacked.
        let threat = self.threat(hex);
        if threat == 0.0 {
            return value;
        }
        let friends = self.strength(hex) + if hex == at { 0.0 } else { strength };
        let beaten = (threat - weights.courage as f32 * friends).max(0.0);
        value - beaten.min(12.0) * weights.danger as f32
    }

    fn best_wish(&self, target: Hex) -> Option<(Hex, f32)> {
        self.wanted.iter().copied().filter(|(hex, _)| *hex == target).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether units in a hex would support an attack on the next.
    fn can_help(&self, soldiers: &[Soldier], hex: Hex, target: Hex) -> bool {
        let new =
            !self.stacks.iter().any(|(other, stack)| *other == hex && stack.iter().any(|s| !s.disrupted));
        let units: Units = soldiers.iter().map(|soldier| soldier.unit).collect();
        new && self.scout.can_strike(units, hex, target)
    }

    /// What an attack after a move promises, less what it costs in points.
    fn promise(&self, units: Units, from: Hex, target: Hex, ap: u8) -> f32 {
        let mut best: f32 = 0.0;
        if !self.scout.can_strike(units, from, target) {
            return best;
        }
        let mut ends: Option<Ends> = None;
        for kind in AttackKind::ALL.iter().rev().filter(|kind| kind.cost() <= ap).take(1) {
            let strike = Strike { units, from, target };
            let ends = ends.get_or_insert_with(|| Ends::new(self.balance, self.scout, self.side, &strike));
            let value = strike::value(ends, &self.scout.forecast(units, from, target, *kind, 0));
            let spent = f32::from(kind.cost()) * self.balance.weights.action_point as f32;
            best = best.max((value * self.boldness - spent) * self.balance.weights.promise as f32);
        }
        best
    }

    fn refits(&self, options: &mut Vec<Deed>) {
        for soldier in self.stacks.iter().flat_map(|(_, stack)| stack).filter(|soldier| soldier.disrupted) {
            if self.scout.command(soldier.unit) != Command::In {
                continue;
            }
            let threatened = self.scout.zoc(self.side.enemy()).contains(soldier.hex);
            let need = if threatened { 1.0 } else { 0.35 };
            let chance = f32::from(soldier.rating) / 10.0;
            let point = self.balance.point(self.side, soldier.motorized, soldier.hex);
            let value = chance * need * f32::from(soldier.strength) * point * 0.5;
            options.push(Deed {
                aim: Aim::Do(Action::Refit { unit: soldier.unit }),
                goal: None,
                cost: 1.0,
                value,
                leads: false,
            });
        }
    }

    fn improvements(&self, options: &mut Vec<Deed>) {
        for (hex, stack) in &self.stacks {
            if self.state().is_improved(*hex) || stack.iter().any(|soldier| soldier.disrupted) {
                continue;
            }
            let threat = self.threat(*hex);
            if threat == 0.0 {
                continue;
            }
            let strength: f32 = stack.iter().map(|soldier| f32::from(soldier.strength)).sum();
            let motorized = stack.iter().all(|soldier| soldier.motorized);
            let point = self.balance.point(self.side, motorized, *hex);
            let stake = if self.state().holder(*hex) == self.side { self.balance.stake(*hex) } else { 0.0 };
            let value = self.balance.weights.improve as f32
                * ((threat - 0.4 * strength).max(0.0) / (threat + strength))
                * (strength.min(8.0) * point + 0.3 * stake);
            options.push(Deed {
                aim: Aim::Do(Action::Improve { hex: *hex }),
                goal: None,
                cost: 1.0,
                value,
                leads: false,
            });
        }
    }

    /// How well an HQ would lead its formation from a hex.
    pub(crate) fn leading(&self, range: f32, hex: Hex) -> f32 {
        let grid = self.rules.map().grid();
        let mut value = 0.0;
        for soldier in self.stacks.iter().flat_map(|(_, stack)| stack) {
            let far = grid.distance(hex, soldier.hex) as f32;
            let led = if far <= range - 3.0 {
                1.0
            } else if far <= range {
                0.85
            } else {
                0.0
            };
            let point = self.balance.point(self.side, soldier.motorized, soldier.hex);
            value += led * f32::from(soldier.strength) * point;
        }
        let guarded = self.scout.combat(self.side).contains(hex);
        let near = self.scout.combat(self.side.enemy()).iter().map(|enemy| grid.distance(hex, enemy)).min();
        let danger: f32 = match near.unwrap_or(9) {
            0 | 1 => 0.5,
            2 => 0.3,
            3 => 0.12,
            _ => 0.0,
        };
        value * (1.0 - self.balance.weights.out_of_command as f32) * 0.5
            - danger * if guarded { 0.3 } else { 1.0 }
    }

    fn relocations(&self, options: &mut Vec<Deed>) {
        let Some(formation) = self.hq.and_then(|hq| self.scout.formation(hq)) else { return };
        if formation.relocation > self.ap {
            return;
        }
        let range = f32::from(formation.range);
        let now = self.leading(range, formation.hex);
        let grid = self.rules.map().grid();
        let near = self.rules.settlements();
        for hex in near.iter().filter(|hex| grid.distance(*hex, formation.hex) <= u32::from(formation.range))
        {
            if hex == formation.hex || !self.scout.is_led(formation.hq, hex) {
                continue;
            }
            let value = self.leading(range, hex) - now;
            if value > 0.0 {
                let cost = f32::from(formation.relocation);
                options.push(Deed {
                    aim: Aim::Do(Action::Relocate { hex }),
                    goal: None,
                    cost,
                    value,
                    leads: false,
                });
            }
        }
    }
}

/// How many Actions are tried as the first of a set.
const FIRSTS: usize = 12;

/// What remains of an attack when its units or its target have fought already.
const AGAIN: f32 = 0.7;

/// What all points can bring, and the Action to begin with, by its place. The list is sorted by rate, the best last.
pub(crate) fn best_use(options: &[Deed], ap: f32) -> (f32, Option<usize>) {
    uses(options, ap).first().map_or((0.0, None), |(total, place)| (*total, Some(*place)))
}

/// What all points can bring by the Action to begin with, the best first.
pub(crate) fn uses(options: &[Deed], ap: f32) -> Vec<(f32, usize)> {
    let firsts = options.iter().enumerate().rev().take(FIRSTS).filter(|(_, first)| first.cost <= ap);
    let mut uses: Vec<(f32, usize)> =
        firsts.map(|(place, first)| (first.value + rest(options, first, ap - first.cost), place)).collect();
    uses.sort_by(|a, b| b.0.total_cmp(&a.0));
    uses
}

/// What the points that an Action leaves can bring.
fn rest(options: &[Deed], first: &Deed, mut ap: f32) -> f32 {
    let mut sum = 0.0;
    let mut gone = Units::EMPTY;
    let mut fought: Vec<(Units, Option<Hex>)> = Vec::new();
    let mut note = |deed: &Deed, gone: &mut Units| -> Option<f32> {
        let (units, target) = match deed.aim {
            Aim::Attack { units, hex, .. } => (units, Some(hex)),
            Aim::Do(Action::Move { units }) => (units, None),
            Aim::Do(Action::Refit { unit }) => (Units::of(unit), None),
            _ => return Some(1.0),
        };
        if units.iter().any(|unit| gone.contains(unit)) {
            return None;
        }
        let again = |(others, other): &&(Units, Option<Hex>)| {
            *other == target || units.iter().any(|unit| others.contains(unit))
        };
        let times = fought.iter().filter(again).count();
        match target {
            Some(_) => {
                fought.push((units, target));
                Some(AGAIN.powi(times as i32))
            }
            None if times > 0 => None,
            None => {
                *gone = gone.iter().chain(units.iter()).collect();
                Some(1.0)
            }
        }
    };
    note(first, &mut gone);
    for option in options.iter().rev() {
        while option.cost <= ap {
            let Some(part) = note(option, &mut gone) else { break };
            sum += option.value * part;
            ap -= option.cost;
            if !matches!(option.aim, Aim::Attack { .. }) {
                break;
            }
        }
        if ap <= 0.0 {
            break;
        }
    }
    sum
}
