//! Where to move: every unit goes where it adds most to what may be expected of the ground, of the attacks that follow and
//! of the enemy's answer, one after the other, and then once more with all the others in their places.

use arrayvec::ArrayVec;
use board::{Hex, HexSet};
use dagc::{
    AirGroup, Arm, Circumstances, CombatResult, Dagc, Defender, Group, Lines, MAX_UNITS, Moving, Procedure,
    State, Support, Units,
};
use engine::{Dice, Lexicon, Side, UnitId};

use super::attack::hex_worth;
use super::picture::Goer;
use super::weights::DagcWeights;
use super::worth::{Influence, Reach, step_value, units, value};
use crate::Mind;
use crate::weights::lot;

/// How a plan leans.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// What it is called.
    pub(crate) name: &'static str,
    /// What counts how much in it.
    pub(crate) weights: DagcWeights,
    /// The weight of each objective.
    pub(crate) focus: Vec<f64>,
}

impl Style {
    pub(crate) fn plain(mind: Mind<'_, Dagc>) -> Style {
        let focus = vec![1.0; mind.picture.objectives.len()];
        Style { name: "balanced", weights: mind.weights.clone(), focus }
    }

    /// Another style, drawn by lot: every weight that matters for a march is a little more or less, and some objectives count
    /// more than others.
    pub(crate) fn drawn(mind: Mind<'_, Dagc>, side: Side, luck: &mut Dice) -> Style {
        let plain = Style::plain(mind);
        let mut weights = plain.weights;
        let (prepare, caution) = match side {
            Side::Axis => (&mut weights.german_prepare, &mut weights.german_caution),
            Side::Soviet => (&mut weights.soviet_prepare, &mut weights.soviet_caution),
        };
        let bold = vary(caution, 0.2, luck);
        let eager = vary(prepare, 0.0, luck);
        let far = vary(&mut weights.march, 0.0, luck);
        vary(&mut weights.build, 0.0, luck);
        vary(&mut weights.guard, 0.3, luck);
        vary(&mut weights.prussia, 0.0, luck);
        vary(&mut weights.distance, 0.0, luck);
        vary(&mut weights.ground, 0.0, luck);
        vary(&mut weights.pocket, 0.0, luck);
        vary(&mut weights.friend, 0.04, luck);
        vary(&mut weights.oos, 0.2, luck);
        let focused = luck.roll(2) == 1;
        let weigh = |luck: &mut Dice| if focused { [0.4, 1.0, 2.2][luck.roll(3) as usize - 1] } else { 1.0 };
        let focus = plain.focus.iter().map(|_| weigh(luck)).collect();
        let leanings = [
            (bold, "careful"),
            (-bold, "bold"),
            (eager, "aggressive"),
            (far, "far-reaching"),
            (-far, "short"),
        ];
        let strongest = leanings.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let name = match strongest {
            _ if focused => "concentrated",
            Some((lean, name)) if lean > 0.3 => name,
            _ => "balanced",
        };
        Style { name, weights, focus }
    }
}

/// Makes a weight more or less by chance, and says by how much, as a logarithm. What counts for nothing may count for
/// `something` instead.
fn vary(weight: &mut f64, something: f64, luck: &mut Dice) -> f64 {
    if luck.roll(2) == 1 {
        *weight = weight.max(something);
    }
    let by = SPREAD * lot(luck);
    *weight *= by.exp();
    by
}

/// How far a drawn weight lies from the plain one, as a logarithm.
const SPREAD: f64 = 0.5;

/// An order: a unit, where it goes, and what it is to attack from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) unit: UnitId,
    pub(crate) to: Hex,
    pub(crate) target: Option<Hex>,
}

/// A stack of the enemy.
struct Enemy {
    hex: Hex,
    index: usize,
    defenders: Vec<Defender>,
    /// What each defender loses with a step.
    losses: Vec<f64>,
    last_steps: bool,
    steps: u8,
    mobile: bool,
    city: bool,
    worth: f64,
    /// Who is to attack it.
    attackers: Vec<Attacker>,
}

/// A unit that is to attack, and what its owner loses with a step of it.
#[derive(Clone, Copy)]
struct Attacker {
    account: dagc::Attacker,
    loss: f64,
    uf: bool,
}

pub(crate) struct March<'a> {
    mind: Mind<'a, Dagc>,
    state: &'a State,
    side: Side,
    /// The weight of each objective.
    focus: &'a [f64],
    reach: Reach,
    influence: Influence,
    lines: Lines,
    out: Units,
    enemies: Vec<Enemy>,
    /// By hex: the enemy there.
    enemy_at: Vec<Option<u16>>,
    /// By hex: own units, their factors, and how many exert a zone of control there.
    count: Vec<u8>,
    strength: Vec<i32>,
    /// By hex: what own units there are worth.
    stake: Vec<f64>,
    zoc: Vec<u8>,
    uf_at: Vec<bool>,
    /// By hex: what the enemy could bring to attack it.
    threat: Vec<f64>,
    /// By column: the chances that a defender loses a step, and that he must retreat.
    dangers: Vec<(f64, f64)>,
    /// By column and result.
    chances: Vec<[f64; 5]>,
    supplied: Vec<bool>,
    /// Hexes with own units.
    held: HexSet,
    /// Enemies that are in supply over land as their lines are now: hex and value.
    fed: Vec<(Hex, f64)>,
    air: bool,
    /// Whether attacks that are still too weak count for something.
    building: bool,
}

/// Where a unit was put.
#[derive(Clone, Copy)]
struct Post {
    at: usize,
    target: Option<u16>,
}

impl<'a> March<'a> {
    /// In the style of a plan.
    pub(crate) fn new(mind: Mind<'a, Dagc>, state: &'a State, side: Side, style: &'a Style) -> March<'a> {
        let mind = Mind { weights: &style.weights, ..mind };
        let (rules, map) = (mind.rules, mind.rules.map());
        let size = mind.picture.beside.len();
        let reach = Reach::new(mind, state);
        let influence = Influence::new(mind, state, &reach);
        let out = rules.out_of_supply(state);
        let lines = rules.lines(state);
        let mut march = March {
            reach,
            influence,
            lines,
            out,
            enemies: Vec::new(),
            enemy_at: vec![None; size],
            count: vec![0; size],
            strength: vec![0; size],
            stake: vec![0.0; size],
            zoc: vec![0; size],
            uf_at: vec![false; size],
            threat: vec![0.0; size],
            dangers: Vec::new(),
            chances: Vec::new(),
            supplied: vec![false; size],
            held: HexSet::EMPTY,
            fed: Vec::new(),
            air: side == Side::Soviet && state.unused_air(AirGroup::Main) > 0,
            building: true,
            mind,
            state,
            side,
            focus: &style.focus,
        };
        for column in 0..rules.columns() {
            let mut chances = [0.0; 5];
            for result in rules.chances_in(column).results {
                chances[result as usize] += 1.0 / 6.0;
            }
            let of = |result: CombatResult| chances[result as usize];
            let lost = of(CombatResult::DefenderEliminated) + of(CombatResult::Bloodbath);
            march.dangers.push((lost, of(CombatResult::Retreat)));
            march.chances.push(chances);
        }
        for hex in lines.held[side.enemy()].iter() {
            march.add_enemy(hex);
        }
        for hex in lines.supply[side].iter() {
            let index = map.index(hex);
            march.supplied[index] = true;
            for near in &mind.picture.beside[index] {
                march.supplied[near.index] |= near.passable[side];
            }
        }
        let exhausted = side == Side::Axis && rules.soviets_exhausted(state);
        for enemy in
            march.enemies.iter().filter(|enemy| !exhausted && lines.supply[side.enemy()].contains(enemy.hex))
        {
            let stack = state.stack_in(enemy.hex);
            march.fed.push((enemy.hex, stack.iter().map(|unit| value(mind, state, *unit)).sum()));
        }
        march.find_threats();
        march
    }

    fn add_enemy(&mut self, hex: Hex) {
        let (mind, state) = (self.mind, self.state);
        let rules = mind.rules;
        let index = rules.map().index(hex);
        let stack = state.stack_in(hex);
        let is_fortified = |unit: UnitId| rules.arm_of(unit) == Arm::Fortified;
        let defender = |unit: &UnitId| Defender {
            unit: *unit,
            factor: rules.factor(state, *unit),
            supplied: !self.out.contains(*unit),
            fortified: is_fortified(*unit),
        };
        self.enemy_at[index] = Some(self.enemies.len() as u16);
        self.enemies.push(Enemy {
            hex,
            index,
            defenders: stack.iter().map(defender).collect(),
            losses: stack.iter().map(|unit| step_value(mind, state, *unit)).collect(),
            last_steps: stack.iter().all(|unit| state.steps_of(*unit) == 1),
            steps: stack.iter().map(|unit| state.steps_of(*unit)).sum(),
            mobile: stack.iter().any(|unit| !is_fortified(*unit)),
            city: rules.cities().contains(hex),
            worth: hex_worth(mind, hex),
            attackers: Vec::new(),
        });
    }

    /// What the enemy could bring to every hex next turn, as the lines are now.
    fn find_threats(&mut self) {
        let (rules, state, picture) = (self.mind.rules, self.state, self.mind.picture);
        let mut seen = vec![u16::MAX; self.threat.len()];
        let mut strongest = vec![[0u8; CROWD]; self.threat.len()];
        for unit in units(rules) {
            if rules.side(unit) == self.side {
                continue;
            }
            if rules.arm_of(unit) == Arm::Fortified {
                continue;
            }
            let exhausted = rules.side(unit) == Side::Soviet && state.turn() + 1 >= 6;
            // A die may be high.
            let points = if exhausted || self.out.contains(unit) { 5 } else { rules.movement_of(unit) };
            let factor = rules.factor(state, unit);
            for from in rules.reach(state, unit, points).iter() {
                for near in &picture.beside[rules.map().index(from)] {
                    if seen[near.index] != unit.0 {
                        seen[near.index] = unit.0;
                        let weakest = strongest[near.index].iter_mut().min();
                        if let Some(place) = weakest.filter(|place| **place < factor) {
                            *place = factor;
                        }
                    }
                }
            }
        }
        for (threat, crowd) in self.threat.iter_mut().zip(&mut strongest) {
            crowd.sort_unstable_by(|a, b| b.cmp(a));
            let mut part = 1.0;
            for factor in crowd {
                *threat += part * f64::from(*factor);
                part *= self.mind.weights.share;
            }
        }
    }

    fn put(&mut self, unit: UnitId, post: Post) {
        self.shift(unit, post, 1);
        if let Some(target) = post.target {
            let attacker = self.attacker(unit, post.at, target);
            self.enemies[usize::from(target)].attackers.push(attacker);
        }
    }

    fn lift(&mut self, unit: UnitId, post: Post) {
        self.shift(unit, post, -1);
        if let Some(target) = post.target {
            self.enemies[usize::from(target)].attackers.retain(|attacker| attacker.account.unit != unit);
        }
    }

    fn shift(&mut self, unit: UnitId, post: Post, by: i32) {
        let (mind, state) = (self.mind, self.state);
        let factor = i32::from(mind.rules.factor(state, unit));
        self.count[post.at] = (i32::from(self.count[post.at]) + by) as u8;
        if self.count[post.at] > 0 {
            self.held.insert(mind.picture.hexes[post.at]);
        } else {
            self.held.remove(mind.picture.hexes[post.at]);
        }
        self.strength[post.at] += by * factor;
        self.stake[post.at] += f64::from(by) * value(mind, state, unit);
        self.uf_at[post.at] = self.count[post.at] > 0 && mind.rules.group_of(unit) == Group::Uf;
        for near in &mind.picture.beside[post.at] {
            self.zoc[near.index] = (i32::from(self.zoc[near.index]) + by) as u8;
        }
        let hex = mind.picture.hexes[post.at];
        self.influence.add(mind, &self.reach, unit, hex, f64::from(by * factor));
    }

    fn attacker(&self, unit: UnitId, at: usize, target: u16) -> Attacker {
        let (rules, state) = (self.mind.rules, self.state);
        let enemy = &self.enemies[usize::from(target)];
        let near = self.mind.picture.beside[enemy.index].iter().find(|near| near.index == at);
        let (_, _, steps) = rules.printed_factors(unit);
        let out = self.out.contains(unit) || self.side == Side::Soviet && rules.soviets_exhausted(state);
        Attacker {
            account: dagc::Attacker {
                unit,
                factor: rules.factor(state, unit),
                from: near.map(|near| near.dir),
                supplied: !out,
                shock: rules.arm_of(unit) == Arm::Shock && state.steps_of(unit) == steps,
            },
            loss: step_value(self.mind, state, unit),
            uf: rules.group_of(unit) == Group::Uf,
        }
    }

    fn can_retreat(&self, enemy: &Enemy) -> bool {
        enemy.mobile
            && self.mind.picture.beside[enemy.index].iter().any(|near| {
                let hex = self.mind.picture.hexes[near.index];
                let friend = self.enemy_at[near.index].is_some();
                near.passable[self.side.enemy()]
                    && self.count[near.index] == 0
                    && !(friend && self.lines.full.contains(hex))
                    && (friend || self.zoc[near.index] == 0)
            })
    }

    /// What the attack that is being prepared on an enemy promises, with one more attacker.
    fn promise(&self, enemy: &Enemy, more: Option<Attacker>) -> f64 {
        let all = || enemy.attackers.iter().copied().chain(more);
        let Some(first) = all().next() else { return 0.0 };
        if all().any(|attacker| attacker.uf != first.uf) {
            return -1.0;
        }
        let at = Circumstances {
            side: self.side,
            target: enemy.hex,
            turn: self.state.turn(),
            after: true,
            support: if self.air { Support::AirMain } else { Support::None },
        };
        let attackers = all().map(|attacker| attacker.account);
        let account = self.mind.rules.account(&at, attackers, enemy.defenders.iter().copied());
        let chances = &self.chances[account.place.column];
        let chance = |result: CombatResult| chances[result as usize];
        let hurt: f64 = enemy.losses.iter().sum();
        let taken = if enemy.last_steps { enemy.worth } else { 0.0 };
        let mut losses: ArrayVec<f64, MAX_UNITS> = all().map(|attacker| attacker.loss).collect();
        losses.sort_unstable_by(f64::total_cmp);
        let cheapest: f64 = losses.iter().take(enemy.losses.len()).sum();
        let bloodbath = hurt + taken - cheapest;
        let retreat = if enemy.city {
            bloodbath
        } else if !self.can_retreat(enemy) {
            hurt + taken
        } else if enemy.steps < 2 {
            enemy.worth
        } else {
            enemy.worth.min(enemy.losses.iter().copied().fold(f64::INFINITY, f64::min))
        };
        let promise = chance(CombatResult::DefenderEliminated) * (hurt + taken)
            + chance(CombatResult::Bloodbath) * bloodbath
            + chance(CombatResult::Retreat) * retreat
            - chance(CombatResult::AttackerEliminated) * losses.iter().sum::<f64>();
        let weights = self.mind.weights;
        let prepare = if self.side == Side::Soviet { weights.soviet_prepare } else { weights.german_prepare };
        let promise = prepare * promise;
        if !self.building {
            return promise.max(0.0);
        }
        let force = f64::from(account.attack) / f64::from(account.defence + 4);
        promise.max(weights.build * f64::min(1.0, force * force) * (hurt + enemy.worth))
    }

    /// What is to be feared for a hex with so much strength in it and so much at stake: for the units, and for the place.
    fn danger(&self, at: usize, strength: i32, stake: f64) -> (f64, f64) {
        let (rules, weights) = (self.mind.rules, self.mind.weights);
        let force = self.threat[at];
        if force < 1.0 {
            return (0.0, 0.0);
        }
        let hex = self.mind.picture.hexes[at];
        let own = self.state.soviet_hexes().contains(hex) == (self.side == Side::Soviet);
        let place = if own { weights.place * self.mind.picture.points[at] } else { 0.0 };
        if strength == 0 {
            return (0.0, OPEN * place);
        }
        let defence = strength + i32::from(rules.addition_in(hex, self.side));
        let column = rules.column_for(force as i32 - defence);
        let (lost, driven) = self.dangers[column];
        // Nobody attacks on the leftmost columns.
        let odds = if column < 3 { 0.0 } else { lost + 0.5 * driven };
        (odds * stake, odds * place)
    }

    /// What is to be feared more, or less, when a unit stands in a hex.
    fn exposure(&self, unit: UnitId, at: usize) -> f64 {
        let (mind, weights) = (self.mind, self.mind.weights);
        let factor = i32::from(mind.rules.factor(self.state, unit));
        let (strength, stake) = (self.strength[at], self.stake[at]);
        let with = self.danger(at, strength + factor, stake + value(mind, self.state, unit));
        let without = self.danger(at, strength, stake);
        let caution = match self.side {
            Side::Axis => weights.german_caution,
            Side::Soviet => weights.soviet_caution,
        };
        caution * (with.0 - without.0) + weights.guard * (with.1 - without.1)
    }

    /// What a unit in a hex is worth besides attacks.
    fn ground(&self, unit: UnitId, at: usize) -> f64 {
        let (mind, weights) = (self.mind, self.mind.weights);
        let goer = mind.picture.goers[unit.index()];
        let factor = f64::from(mind.rules.factor(self.state, unit));
        let change = self.influence.change(mind, &self.reach, goer, factor, at, self.focus);
        let sign = if goer == Goer::German { -1.0 } else { 1.0 };
        let hex = mind.picture.hexes[at];
        let soviet = self.state.soviet_hexes().contains(hex);
        let captures = soviet == (self.side == Side::Axis) && self.count[at] == 0;
        let prize = if captures { weights.place * mind.picture.points[at] } else { 0.0 };
        let friends = mind.picture.beside[at].iter().filter(|near| self.count[near.index] > 0).count();
        let exhausted = self.side == Side::Soviet && mind.rules.soviets_exhausted(self.state);
        let hungry = !self.supplied[at] && !exhausted;
        weights.march * sign * change + prize + weights.friend * friends.min(2) as f64
            - self.exposure(unit, at)
            - if hungry { weights.oos } else { 0.0 }
    }

    /// The best post for a unit that stands nowhere at the moment.
    fn best_post(&mut self, unit: UnitId, hexes: &mut Vec<usize>) -> Post {
        let picture = self.mind.picture;
        let uf = self.mind.rules.group_of(unit) == Group::Uf;
        self.influence.settle(self.mind.weights);
        let mut found_posts: Vec<(f64, Post)> = Vec::with_capacity(hexes.len());
        for &at in hexes.iter() {
            let stay = at == hexes[0];
            if !stay && (self.count[at] >= 2 || self.count[at] > 0 && self.uf_at[at] != uf) {
                continue;
            }
            let ground = self.ground(unit, at);
            let near: ArrayVec<u16, 19> =
                picture.around[at].iter().filter_map(|index| self.enemy_at[*index]).collect();
            if near.is_empty() {
                found_posts.push((ground, Post { at, target: None }));
                continue;
            }
            let before: ArrayVec<f64, 19> =
                near.iter().map(|e| self.promise(&self.enemies[usize::from(*e)], None)).collect();
            self.count[at] += 1;
            for neighbour in &picture.beside[at] {
                self.zoc[neighbour.index] += 1;
            }
            let mut cut = 0.0;
            let mut alone = [0.0; 19];
            for (i, e) in near.iter().enumerate() {
                alone[i] = self.promise(&self.enemies[usize::from(*e)], None);
                cut += alone[i] - before[i];
            }
            let mut found = (ground + cut, Post { at, target: None });
            for (i, e) in near.iter().enumerate() {
                let enemy = &self.enemies[usize::from(*e)];
                if !picture.beside[enemy.index].iter().any(|neighbour| neighbour.index == at) {
                    continue;
                }
                let attacker = self.attacker(unit, at, *e);
                let with = ground + cut + self.promise(enemy, Some(attacker)) - alone[i];
                if with > found.0 {
                    found = (with, Post { at, target: Some(*e) });
                }
            }
            self.count[at] -= 1;
            for neighbour in &picture.beside[at] {
                self.zoc[neighbour.index] -= 1;
            }
            found_posts.push(found);
        }
        found_posts.sort_by(|a, b| b.0.total_cmp(&a.0));
        // After the first look only the better ones are looked at again.
        if hexes.len() > WIDTH + 1 {
            let stay = hexes[0];
            hexes.clear();
            hexes.push(stay);
            hexes.extend(found_posts.iter().map(|found| found.1.at).filter(|at| *at != stay).take(WIDTH));
        }
        if self.building {
            return found_posts.first().map_or(Post { at: hexes[0], target: None }, |found| found.1);
        }
        // Supply is looked at last, and only where it may decide.
        let least = found_posts.first().map_or(0.0, |found| found.0) - CLOSE;
        let shortlist = found_posts.iter().take(SHORTLIST).filter(|found| found.0 > least);
        let judged = shortlist.map(|(score, post)| (score + self.supply_effect(post.at), *post));
        judged.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Post { at: hexes[0], target: None }, |found| found.1)
    }

    /// What a unit in a hex does to the enemy's supply.
    fn supply_effect(&self, at: usize) -> f64 {
        let mut own = self.held;
        own.insert(self.mind.picture.hexes[at]);
        let mut held = self.lines.held;
        held[self.side] = own;
        let supply = self.mind.rules.overland_if(self.state, self.side.enemy(), held);
        let starved = self.fed.iter().filter(|(hex, _)| !supply.contains(*hex));
        self.mind.weights.pocket * starved.map(|(_, value)| value).sum::<f64>()
    }

    /// The orders of a movement phase.
    pub(crate) fn orders(mut self) -> Vec<Order> {
        let (rules, state, map) = (self.mind.rules, self.state, self.mind.rules.map());
        let mut own: Vec<(UnitId, Vec<usize>)> = Vec::new();
        let mut posts: Vec<Option<Post>> = vec![None; rules.unit_count()];
        for unit in units(rules) {
            let Some(hex) = state.hex(unit).filter(|_| rules.side(unit) == self.side) else {
                continue;
            };
            let post = Post { at: map.index(hex), target: None };
            // The influence counts everybody already.
            posts[unit.index()] = Some(post);
            self.count[post.at] += 1;
            self.strength[post.at] += i32::from(rules.factor(state, unit));
            self.stake[post.at] += value(self.mind, state, unit);
            self.held.insert(hex);
            self.uf_at[post.at] = rules.group_of(unit) == Group::Uf;
            for near in &self.mind.picture.beside[post.at] {
                self.zoc[near.index] += 1;
            }
            let points = match state.procedures().last() {
                Some(Procedure::Moving(Moving { unit: moving, left })) if *moving == unit => *left,
                _ if state.has_moved(unit) => 0,
                _ => rules.expected_points(state, unit, &self.out),
            };
            let mut hexes = vec![post.at];
            if points > 0 {
                let reach = rules.reach(state, unit, points);
                hexes.extend(reach.iter().map(|hex| map.index(hex)).filter(|hex| *hex != post.at));
            }
            own.push((unit, hexes));
        }
        // The strongest near the enemy choose first.
        let distance = |at: usize| {
            let hex = self.mind.picture.hexes[at];
            self.enemies.iter().map(|enemy| map.grid().distance(hex, enemy.hex)).min().unwrap_or(99)
        };
        own.sort_by_cached_key(|(unit, hexes)| {
            (distance(hexes[0]).min(6), u8::MAX - rules.factor(state, *unit), unit.0)
        });
        for pass in 0..PASSES {
            self.building = pass + 1 < PASSES;
            for (unit, hexes) in &mut own {
                let Some(post) = posts[unit.index()] else { continue };
                self.lift(*unit, post);
                let post = self.best_post(*unit, hexes);
                self.put(*unit, post);
                posts[unit.index()] = Some(post);
            }
        }
        let order = |(unit, _): &(UnitId, Vec<usize>)| {
            let post = posts[unit.index()]?;
            Some(Order {
                unit: *unit,
                to: self.mind.picture.hexes[post.at],
                target: post.target.map(|target| self.enemies[usize::from(target)].hex),
            })
        };
        own.iter().filter_map(order).collect()
    }

    /// Where a unit that is to arrive does most good, of these hexes.
    pub(crate) fn arrival(
        mind: Mind<'a, Dagc>,
        state: &'a State,
        side: Side,
        style: &'a Style,
        unit: UnitId,
        hexes: &[Hex],
    ) -> Option<(f64, Hex)> {
        let mut march = March::new(mind, state, side, style);
        march.influence.settle(&style.weights);
        let score = |hex: &Hex| march.ground(unit, mind.rules.map().index(*hex));
        let scored = hexes.iter().map(|hex| (score(hex), *hex));
        scored.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

/// The chance that an enemy who can reach an empty place takes it.
const OPEN: f64 = 0.7;

/// Posts that are worse than the best by more than this are not.
const CLOSE: f64 = 0.4;

/// How many of a unit's best posts are looked at for supply.
const SHORTLIST: usize = 2;

/// How many enemy units are expected to come for one hex.
const CROWD: usize = 5;

/// How many hexes a unit looks at again.
const WIDTH: usize = 16;

/// How often every unit chooses.
const PASSES: usize = 3;
