//! 4: how to win.

use board::{Hex, HexSet};
use engine::display::Score;
use engine::{BySide, Outcome, Play, Side, case, remark};

use crate::sequence::Decision;
use crate::{Barbarossa, Event, Fact, Marks, Matter, Place, Points, ROAD_BACK, Removal, State, Verdict};

/// Extra penalties for Soviet units in Germany end with this turn (4.2d).
const LAST_INCURSION: u8 = 5;

/// From the end of this turn on the Baltic and the Dnepr count (4.5, 4.6a).
const LATE_LOSSES: u8 = 13;

/// Bucharest and Ploesti are worth no more than other places from this turn on (4.7b, 4.8b).
const LATE_OIL: u8 = 27;

/// An early capture of Kiev, where that option is played (4.21a).
const EARLY_KIEV: u8 = 3;

/// The first victory check, and that of The Road Back (4.14a, 12.3b).
const FIRST_CHECK: u8 = 3;
const FIRST_LATE_CHECK: u8 = 16;

/// The Gambit is decided at the end of this turn (4.16c).
const GAMBIT_TURN: u8 = 20;

/// The summer offensive is settled by the end of this turn (4.4c).
const LAST_OFFENSIVE: u8 = 19;

/// Until this turn German fortified lines survive Soviet units in them (11.21d).
const LINES_LAST: u8 = 4;

/// The Italians go home at the end of this turn (8.28).
const ITALIANS_LEAVE: u8 = 16;

/// Half of a die, rounded up (1.3d).
fn half_up(die: u32) -> i16 {
    die.div_ceil(2) as i16
}

/// What counts when there are no more turns: with forgiveness points (4.20b).
fn final_total(state: &State) -> i16 {
    state.vp.saturating_add(state.forgiveness)
}

impl Barbarossa {
    /// How a game stands that is over.
    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let total = i32::from(final_total(state));
        let points = BySide { axis: total, soviet: 0 };
        let (winner, by) = state.verdict.unwrap_or((Side::Soviet, Verdict::Points));
        let reason = match by {
            Verdict::Points => remark!("4.14a", "German points decide: {}", total),
            Verdict::Moscow => remark!("4.15a", "Moscow has fallen, and the Soviet Union surrenders"),
            Verdict::Caucasus => remark!("4.12b", "nobody was sent to the Caucasus"),
            Verdict::Gambit => remark!("4.16c", "Manstein's Gambit is decided"),
            Verdict::Oder => remark!("4.19a", "Watch on the Oder has succeeded"),
            Verdict::OderFailed => remark!("4.19g", "Watch on the Oder has failed"),
        };
        Outcome { winner: Some(winner), reason, points }
    }

    /// The game is over at once (4.14d).
    pub(crate) fn win(&self, state: &mut State, winner: Side, by: Verdict, play: &mut Play<Event>) {
        if state.verdict.is_none() {
            state.verdict = Some((winner, by));
            self.end_game(state, play);
        }
    }

    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        let total = final_total(state);
        let (winner, by) = *state.verdict.get_or_insert((self.ahead_at_the_end(state), Verdict::Points));
        state.stack.clear();
        play.tell(Event::Ended { winner, total, by });
    }

    /// Who wins when there are no more turns (4.1b).
    fn ahead_at_the_end(&self, state: &State) -> Side {
        let needed = self.numbers(state.turn).1;
        if needed.is_some_and(|needed| final_total(state) >= needed) { Side::Axis } else { Side::Soviet }
    }

    /// Changes the German total (4.2b).
    pub(crate) fn score(&self, state: &mut State, cause: Points, points: i16, play: &mut Play<Event>) {
        state.vp = state.vp.saturating_add(points);
        play.tell(Event::Scored { cause, points, total: state.vp });
    }

    /// German-controlled cities by their places in the list.
    pub(crate) fn german_cities(&self, state: &State) -> u64 {
        let cities = self.ground.city_list.iter().enumerate();
        cities
            .filter(|(_, hex)| state.controls(Side::Axis, **hex))
            .fold(0, |all, (place, _)| all | 1 << place)
    }

    // Places that change hands.

    /// A ground unit of a side has entered a hex (3.6c): points, markers, fortifications and dice follow at once.
    pub(crate) fn take_control(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        self.overrun_lines(state, side, hex, play);
        if state.controls(side, hex) {
            return;
        }
        let neutral = !state.controls(side.enemy(), hex);
        state.control[side].insert(hex);
        state.control[side.enemy()].remove(hex);
        play.tell(Event::Control { hex, side });
        self.capture_area(state, side, hex, play);
        if self.ground.worth_points.contains(hex) && !neutral {
            self.score_capture(state, side, hex, play);
        }
        if side == Side::Axis {
            self.german_capture(state, hex, play);
        }
    }

    /// One point, two with a marker on the city, which is lost with it (4.2b, 4.3); dice for Bucharest, Ploesti and Kiev
    /// (4.7, 4.8, 4.21).
    fn score_capture(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let hero = self.lose_marker(state, side, hex, play);
        let early = side == Side::Soviet && state.turn < LATE_OIL;
        let first = |state: &mut State, fact: Fact| {
            let first = !state.has(fact);
            state.note(fact);
            first
        };
        let here = Some(hex);
        let (cause, points) = if here == self.ground.bucharest && early && first(state, Fact::BucharestFell) {
            (Points::Bucharest, half_up(play.roll(Side::Axis, 6, "fall of Bucharest", case("4.7a"))) + 1)
        } else if here == self.ground.ploesti && early && first(state, Fact::PloestiFell) {
            (Points::Ploesti, half_up(play.roll(Side::Axis, 6, "fall of Ploesti", case("4.8a"))) + 1)
        } else if here == self.ground.kiev
            && side == Side::Axis
            && first(state, Fact::KievTaken)
            && self.early_kiev(state)
        {
            (Points::Kiev, play.roll(Side::Axis, 6, "early capture of Kiev", case("4.21a")) as i16 - 1)
        } else {
            match (hero, side) {
                (false, _) => (Points::Place, 1),
                (true, Side::Axis) => (Points::HeroCity, 2),
                (true, Side::Soviet) => (Points::FortressCity, 2),
            }
        };
        self.score(state, cause, if side == Side::Axis { points } else { -points }, play);
    }

    fn early_kiev(&self, state: &State) -> bool {
        self.switches.kiev && state.turn <= EARLY_KIEV
    }

    /// The Moscow die, and the end of the siege of Leningrad for good (4.15, 12.23c).
    fn german_capture(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        if Some(hex) == self.ground.leningrad {
            state.note(Fact::LeningradTaken);
        }
        if Some(hex) != self.ground.moscow || state.has(Fact::MoscowRolled) {
            return;
        }
        state.note(Fact::MoscowRolled);
        let table = self.charts.moscow;
        let holds = |place: Option<Hex>| place.is_some_and(|place| state.controls(Side::Axis, place));
        let kiev = if holds(self.ground.kiev) { table.kiev } else { 0 };
        let leningrad = if holds(self.ground.leningrad) { table.leningrad } else { 0 };
        let bonus = u32::from(kiev + leningrad);
        let surrenders = |die: u32| die + bonus >= u32::from(table.surrender);
        let die = play.roll_on(Side::Axis, 6, "surrender after Moscow", case("4.15a"), surrenders);
        if surrenders(die) {
            self.win(state, Side::Axis, Verdict::Moscow, play);
        }
    }

    // What is watched all the time.

    /// True when something was done.
    pub(crate) fn keep_watch(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        if state.stack.is_empty() || state.stack.find::<crate::Deployment>().is_some() {
            return false;
        }
        self.destroy_lines(state, play)
            || self.lose_baltic_and_dnepr(state, play)
            || self.watch_siege(state, play)
            || self.watch_expedition(state, play)
            || self.watch_delayed(state, play)
    }

    /// German lines that Soviet units occupy are gone for good, but for the first four turns (11.21d).
    fn destroy_lines(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        if state.turn <= LINES_LAST || !state.lines.intersects(state.held(Side::Soviet)) {
            return false;
        }
        for hex in (state.lines & *state.held(Side::Soviet)).iter() {
            self.overrun_lines(state, Side::Soviet, hex, play);
        }
        true
    }

    fn overrun_lines(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        if side == Side::Soviet && state.turn > LINES_LAST && state.lines.remove(hex) {
            play.tell(Event::LineDestroyed { hex });
        }
    }

    /// The fortified area is gone when its own hex is captured (8.18f).
    fn capture_area(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        if side == Side::Axis && state.area.is_some_and(|(area, _)| area == hex) {
            state.area = None;
            play.tell(Event::AreaDestroyed { hex });
        }
    }

    /// Once turn 13 is over (4.5, 4.6a, R97).
    fn lose_baltic_and_dnepr(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        if state.turn <= LATE_LOSSES {
            return false;
        }
        let lost =
            |hexes: &HexSet, state: &State| !hexes.is_empty() && hexes.is_subset(&state.control.soviet);
        if !state.has(Fact::BalticLost) && lost(&self.ground.baltics, state) {
            state.note(Fact::BalticLost);
            self.score(state, Points::Baltic, -3, play);
            return true;
        }
        let dnepr = &self.ground.dnepr;
        if !state.has(Fact::DneprLost) && !dnepr.is_empty() && !dnepr.intersects(&state.control.axis) {
            state.note(Fact::DneprLost);
            self.score(state, Points::Dnepr, -1, play);
            return true;
        }
        false
    }

    /// The siege of Leningrad in The Road Back (12.23, R105).
    fn watch_siege(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(city) = self.ground.leningrad.filter(|_| self.is_road_back()) else { return false };
        if state.has(Fact::LeningradTaken) && !state.has(Fact::SiegeLost) {
            return false;
        }
        let around = self.ground.all_sides.grow(&HexSet::of(city)) - HexSet::of(city);
        let besieged = around.intersects(state.held(Side::Axis))
            || !self.in_overland(state, Side::Soviet, city)
            || state.controls(Side::Axis, city);
        let lost = state.has(Fact::SiegeLost);
        if besieged != lost {
            return false;
        }
        state.facts.set(Fact::SiegeLost, !lost);
        match lost {
            true => self.score(state, Points::SiegeRestored, 1, play),
            false => self.score(state, Points::SiegeLost, -1, play),
        }
        true
    }

    // The end of a turn.

    /// The Victory Check Phase in its order (R43). The first turn of The Road Back has none, but for the aerial supply marker
    /// (R102).
    pub(crate) fn check_victory(&self, state: &mut State, play: &mut Play<Event>) {
        if self.is_prologue(state) {
            return self.retrieve_airlift(state, play);
        }
        self.charge_incursions(state, play);
        self.judge_offensive(state, play);
        self.reward_stalingrad(state, play);
        self.resolve_expedition(state, play);
        self.send_italians_home(state, play);
        self.retrieve_airlift(state, play);
        if state.has(Fact::Gambit) && state.turn == GAMBIT_TURN {
            return self.judge_gambit(state, play);
        }
        self.compare_with_chart(state, play);
    }

    /// A point for every hex of Greater Germany and the General Government with Soviet units (4.2d, 4.2e, R100).
    fn charge_incursions(&self, state: &mut State, play: &mut Play<Event>) {
        if state.turn > LAST_INCURSION {
            return;
        }
        let home = self.ground.greater_germany | self.ground.general_government;
        let hexes = (home & *state.held(Side::Soviet)).len() as i16;
        if hexes > 0 {
            self.score(state, Points::Incursion, -hexes, play);
        }
    }

    /// The summer offensive of 1943 (4.4b, 4.4c, 4.4d, 4.16b).
    fn judge_offensive(&self, state: &mut State, play: &mut Play<Event>) {
        let never = state.turn == LAST_OFFENSIVE && !state.has(Fact::OffensiveUsed);
        if state.has(Fact::Gambit) || !(state.has(Fact::OffensiveNow) || never) {
            return;
        }
        let (before, now) = (state.cities_at_turn, self.german_cities(state));
        let success = !never && before & !now == 0 && now & !before != 0;
        state.note(Fact::OffensiveUsed);
        play.tell(Event::OffensiveJudged { success });
        if !success {
            let loss = half_up(play.roll(Side::Axis, 6, "no summer offensive", case("4.4c")));
            self.score(state, Points::SummerOffensive, -loss, play);
        }
    }

    /// Two points a turn for Stalingrad in The Road Back (12.7d).
    fn reward_stalingrad(&self, state: &mut State, play: &mut Play<Event>) {
        let holds = self.ground.stalingrad.is_some_and(|hex| state.controls(Side::Axis, hex));
        if self.is_road_back() && state.turn > ROAD_BACK + 1 && holds {
            self.score(state, Points::Stalingrad, 2, play);
        }
    }

    fn send_italians_home(&self, state: &mut State, play: &mut Play<Event>) {
        let italians = self.cast.italians.filter(|unit| state.hex(*unit).is_some());
        if let Some(unit) = italians.filter(|_| state.turn == ITALIANS_LEAVE) {
            self.take_off(state, unit, Place::Removed);
            play.tell(Event::Removed { unit, cause: Removal::Italians });
        }
    }

    /// The marker comes back so many turns later (7.7f, R35).
    fn retrieve_airlift(&self, state: &mut State, play: &mut Play<Event>) {
        if state.airlift.take().is_some() || state.has(Fact::AirliftSpent) {
            state.forget(Fact::AirliftSpent);
            let turns = play.roll(Side::Axis, 6, "return of aerial supply", case("7.7f")) as u8;
            state.airlift_due = state.turn + turns;
            play.tell(Event::AirliftDue { turn: state.airlift_due });
        }
    }

    /// All that was German at first and two of four great cities (4.16c, R93).
    fn judge_gambit(&self, state: &mut State, play: &mut Play<Event>) {
        let ground = &self.ground;
        let home = ground.western_points.is_subset(&state.control.axis);
        let great = [ground.leningrad, ground.moscow, ground.kiev, ground.stalingrad];
        let held = great.into_iter().flatten().filter(|hex| state.controls(Side::Axis, *hex)).count();
        let winner = if home && held >= 2 { Side::Axis } else { Side::Soviet };
        self.win(state, winner, Verdict::Gambit, play);
    }

    /// The Soviet number and the German number of a turn's check (4.14a); the last turn leaves no room between them (4.1b).
    pub(crate) fn numbers(&self, turn: u8) -> (Option<i16>, Option<i16>) {
        let first = if self.is_road_back() { FIRST_LATE_CHECK } else { FIRST_CHECK };
        match self.german_wins {
            Some(needed) if turn == self.last_turn => (Some(needed - 1), Some(needed)),
            Some(_) => (None, None),
            None if turn < first => (None, None),
            None => {
                let chart = self.charts.track.turn(turn);
                (chart.soviet_wins, chart.german_wins)
            }
        }
    }

    fn compare_with_chart(&self, state: &mut State, play: &mut Play<Event>) {
        let (soviet, german) = self.numbers(state.turn);
        if soviet.is_none() && german.is_none() {
            return;
        }
        let last = state.turn == self.last_turn;
        let total = if last { final_total(state) } else { state.vp };
        play.tell(Event::Checked { total });
        if german.is_some_and(|needed| total >= needed) {
            state.verdict = Some((Side::Axis, Verdict::Points));
        } else if soviet.is_some_and(|needed| total <= needed) {
            state.verdict = Some((Side::Soviet, Verdict::Points));
        }
        if state.verdict.is_some() && self.switches.forgiveness && !last {
            state.verdict = None;
            state.stack.push(Decision { side: Side::Axis, matter: Matter::Forgiveness });
        }
    }

    /// How far the total lies beyond what goes on (4.20a).
    fn forgiven_points(&self, state: &State) -> i16 {
        match self.numbers(state.turn) {
            (_, Some(german)) if state.vp >= german => state.vp - german + 1,
            (Some(soviet), _) if state.vp <= soviet => state.vp - soviet - 1,
            _ => 0,
        }
    }

    /// Both must agree (4.20a, R99).
    pub(crate) fn play_on(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        if side == Side::Axis {
            state.stack.push(Decision { side: Side::Soviet, matter: Matter::Forgiveness });
            return;
        }
        let points = self.forgiven_points(state);
        state.forgiveness = state.forgiveness.saturating_add(points);
        play.tell(Event::Forgiven { points, total: state.forgiveness });
    }

    pub(crate) fn let_the_check_decide(&self, state: &mut State, play: &mut Play<Event>) {
        let winner = if self.forgiven_points(state) > 0 { Side::Axis } else { Side::Soviet };
        self.win(state, winner, Verdict::Points, play);
    }

    /// Watch on the Oder, at the end of the German player turn of turn 30 (4.19).
    pub(crate) fn judge_oder(&self, state: &mut State, play: &mut Play<Event>) {
        let now = self.german_cities(state);
        let kept = state.cities_at_player_turn & !now == 0;
        let won = (now & !state.cities_at_turn).count_ones();
        let success = kept && (won >= 2 || won == 1 && (10..=19).contains(&state.kills) || state.kills >= 20);
        match success {
            true => self.win(state, Side::Axis, Verdict::Oder, play),
            false => self.win(state, Side::Soviet, Verdict::OderFailed, play),
        }
    }

    /// Counts a Soviet unit that is eliminated for Watch on the Oder (4.19e, R95).
    pub(crate) fn count_kill(&self, state: &mut State, unit: engine::UnitId) {
        let strong = self.counter(unit).attack.max(self.counter(unit).defence) > Some(3);
        state.kills = state.kills.saturating_add(1 + u8::from(strong));
    }

    /// How it stands against this turn's check, or the next one.
    pub(crate) fn victory_score(&self, state: &State) -> Vec<Score> {
        let coming =
            (state.turn..=self.last_turn).map(|turn| self.numbers(turn)).find(|numbers| numbers.1.is_some());
        let (soviet, german) = coming.unwrap_or((None, None));
        let goes_on = soviet.map(|soviet| (i32::from(soviet) + 1, "play goes on"));
        let wins = german.map(|german| (i32::from(german), "German victory"));
        let mut levels: Vec<(i32, &'static str)> = wins.into_iter().chain(goes_on).collect();
        levels.dedup_by_key(|(points, _)| *points);
        vec![Score {
            side: Side::Axis,
            what: "German points",
            points: i32::from(state.vp),
            levels,
            below: if soviet.is_some() { "Soviet victory" } else { "" },
            case: case("4.14a"),
        }]
    }

    /// Marks that no longer mean anything are never kept.
    pub(crate) fn clear_marks(&self, state: &mut State, unit: engine::UnitId) {
        // A named unit that is lost frees no place for another in this turn (R33).
        // Nor does one that was placed in this turn free its place (8.1e).
        let kept = Marks::RETURNED | Marks::CRIMEA | Marks::ENTERED;
        state.change(unit, |unit| {
            unit.marks = unit.marks.only(kept);
            unit.left = 0;
            unit.toll = 0;
        });
    }
}
