//! 2: the sequence of play.

use engine::display;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::{Frame, Play, Remark, Side, Violation, case, phrases, remark};

use crate::{
    Action, AirRefit, AirReturn, Barrages, Combat, Event, HexSet, Marks, Modes, Movement, Ocs, Off,
    Overstacked, Phase, Procedure, Reinforcement, Release, Reorganization, State, SupplyUsage,
};

phrases! {
    /// Before the first turn.
    pub struct Opening = "opening", "2.1a", "the game begins";
}

impl Frame<Ocs> for Opening {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (rules.settings.overphase, remark!("2.1a", "begin the game"))
    }

    fn answers(&self, _: &Ocs, _: &State, answers: &mut Vec<Action>) {
        answers.push(Action::Begin);
    }

    fn apply(&self, rules: &Ocs, state: &mut State, _: Action, play: &mut Play<Event>) {
        begin_turn(rules, state, play);
    }

    fn is_sound(&self, _: &Ocs, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty()
    }
}

phrases! {
    /// The side with the higher die chooses to be first or second player (2.3.I.5b).
    pub struct Priority { side: Side } = "priority", "2.3.I.5b", "{side} chooses who is first";
}

impl Frame<Ocs> for Priority {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("2.3.I.5b", "be the first or the second player of this turn"))
    }

    fn answers(&self, _: &Ocs, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::First, Action::Second]);
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let first = if action == Action::First { self.side } else { self.side.enemy() };
        begin_player_turns(rules, state, first, play);
    }

    fn is_sound(&self, _: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty() && state.first.is_none()
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(OVERPHASE)
    }
}

pub(crate) const OVERPHASE: display::Phase =
    display::Phase { name: "overphase", side: None, case: case("2.2") };

pub(crate) const fn phase(side: Side, phase: Phase) -> display::Phase {
    display::Phase { name: phase.as_str(), side: Some(side), case: case("2.2") }
}

/// The phases of a Player Turn, as far as it is known who goes first (2.1a, 2.2).
pub(crate) fn phases(state: &State) -> Vec<display::Phase> {
    let mut phases = vec![OVERPHASE];
    for side in state.first.into_iter().flat_map(|first| [first, first.enemy()]) {
        let own =
            [Phase::AirReturn, Phase::AirRefit, Phase::Modes, Phase::Movement].map(|name| phase(side, name));
        phases.extend(own);
        phases.push(phase(side.enemy(), Phase::Reaction));
        phases.extend([Phase::Combat, Phase::Exploitation].map(|name| phase(side, name)));
    }
    phases
}

pub(crate) fn not_asked(state: &State) -> Violation {
    if state.stack.is_empty() {
        remark!("2.3.IV", "the game is over")
    } else {
        remark!("2.1c", "this is not what is asked now")
    }
}

/// The side that acts in the phase or segment under way, and the phase.
pub(crate) fn acting(state: &State) -> (Side, Phase) {
    match state.stack.first() {
        Some(Procedure::Modes(Modes { side })) => (*side, Phase::Modes),
        Some(
            Procedure::SupplyUsage(SupplyUsage { side })
            | Procedure::Reinforcement(Reinforcement { side })
            | Procedure::Reorganization(Reorganization { side }),
        ) => (*side, Phase::Overphase),
        Some(
            Procedure::Movement(Movement { side, phase })
            | Procedure::Release(Release { side, phase })
            | Procedure::Barrages(Barrages { side, phase })
            | Procedure::Combat(Combat { side, phase }),
        ) => (*side, *phase),
        Some(Procedure::AirReturn(AirReturn { side, weather: false })) => (*side, Phase::AirReturn),
        Some(Procedure::AirReturn(AirReturn { side, weather: true })) => (*side, Phase::Overphase),
        Some(Procedure::AirRefit(AirRefit { side, .. })) => (*side, Phase::AirRefit),
        _ => (Side::Axis, Phase::Overphase),
    }
}

/// The side whose sequence it is: in Reaction the other one acts (2.1b).
fn phasing_side(state: &State) -> Side {
    match acting(state) {
        (side, Phase::Reaction) => side.enemy(),
        (side, _) => side,
    }
}

/// Begins a turn with its Overphase, or with its Player Turns where the scenario has none.
pub(crate) fn begin_turn(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    let settings = &rules.settings;
    state.player_turn = 0;
    state.first = None;
    state.stack.clear();
    play.tell(Event::TurnBegan { turn: state.turn });
    determine_weather(rules, state, play);
    if rules.is_flying_weather(state) {
        begin_week(rules, state, play);
    } else {
        state.stack.push(AirReturn { side: settings.overphase, weather: true });
    }
}

/// The Overphase after the weather, or the Player Turns at once.
fn begin_week(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    let settings = &rules.settings;
    rules.withdraw(state, play);
    if state.turn == settings.first && settings.begins_with_player_turn {
        determine_first(rules, state, play);
    } else if settings.is_off(Off::WeeklySupply) {
        Reinforcement::begin(rules, state, settings.overphase, play);
    } else {
        SupplyUsage::begin(rules, state, settings.overphase);
    }
}

/// The weather of the turn, by the scenario or by two dice on the game's table (2.3.I.1a, 18.0.a).
fn determine_weather(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    let settings = &rules.settings;
    let rows = || rules.charts.weather_rolls.iter().filter(|row| row.turns.contains(&state.turn));
    let weather = match settings.fixed_weather(state.turn) {
        Some(weather) => Some(weather),
        None if settings.is_off(Off::Weather) || rows().next().is_none() => None,
        None => {
            let roll = play.roll_sum(settings.overphase, 2, 6, "weather", case("2.3.I.1a"));
            rows().find(|row| row.rolls.contains(&(roll as u8))).map(|row| row.weather)
        }
    };
    if let Some(weather) = weather {
        state.weather = weather;
        play.tell(Event::WeatherTold { weather });
    }
}

/// First Player Determination (2.3.I.5).
fn determine_first(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    let settings = &rules.settings;
    match settings.first_player.filter(|_| state.turn == settings.first) {
        Some(first) => begin_player_turns(rules, state, first, play),
        None => roll_for_first(state, play),
    }
}

/// How often both sides roll again when they are equal; then only the second does, which is as fair and comes to an end.
const AGAIN: usize = 2;

/// One die each, again while they are equal (2.3.I.5a).
fn roll_for_first(state: &mut State, play: &mut Play<Event>) {
    let (purpose, number) = ("first player", case("2.3.I.5a"));
    let mut dice = (0, 0);
    for _ in 0..AGAIN {
        dice = (play.roll(Side::Axis, 6, purpose, number), play.roll(Side::Soviet, 6, purpose, number));
        if dice.0 != dice.1 {
            break;
        }
    }
    if dice.0 == dice.1 {
        let axis = play.roll(Side::Axis, 6, purpose, number);
        dice = (axis, play.roll_until(Side::Soviet, 6, purpose, number, |die| die != axis));
    }
    let side = if dice.0 > dice.1 { Side::Axis } else { Side::Soviet };
    play.tell(Event::Initiative { side });
    state.stack.push(Priority { side });
}

fn begin_player_turns(rules: &Ocs, state: &mut State, first: Side, play: &mut Play<Event>) {
    state.first = Some(first);
    state.player_turn = 1;
    play.tell(Event::First { side: first });
    begin_sequence(rules, state, first, play);
}

/// Begins the sequence of a side with its Air Unit Return Phase (2.2).
fn begin_sequence(rules: &Ocs, state: &mut State, side: Side, play: &mut Play<Event>) {
    begin_phase(rules, state, side, Phase::AirReturn, play);
    state.stack.push(AirReturn { side, weather: false });
}

/// Mode Determination, or Movement where the two are merged (5.11.a).
fn begin_modes(rules: &Ocs, state: &mut State, side: Side, play: &mut Play<Event>) {
    if rules.switches.merged_modes {
        begin_movement(rules, state, side, play);
        return;
    }
    begin_phase(rules, state, side, Phase::Modes, play);
    state.stack.push(Modes { side });
}

fn begin_movement(rules: &Ocs, state: &mut State, side: Side, play: &mut Play<Event>) {
    begin_phase(rules, state, side, Phase::Movement, play);
    state.stack.push(Movement { side, phase: Phase::Movement });
}

/// Begins a phase: marks that last for one come off.
fn begin_phase(rules: &Ocs, state: &mut State, side: Side, phase: Phase, play: &mut Play<Event>) {
    state.units.change_all(|unit| {
        unit.marks.expire(Lasts::Phase);
        unit.repairs = 0;
    });
    rules.begin_bridges(state);
    state.rail_used = 0;
    state.barraged.clear();
    state.overrun = HexSet::EMPTY;
    state.carried.clear();
    state.blown.clear();
    state.stack.clear();
    play.tell(Event::PhaseBegan { side, phase });
}

/// Goes from one segment or phase to the next in strict order (2.1c, 2.2).
pub(crate) fn proceed(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    let (side, now) = acting(state);
    let phasing = phasing_side(state);
    let bottom = state.stack.first().copied();
    state.stack.clear();
    match (bottom, now) {
        (Some(Procedure::SupplyUsage(SupplyUsage { side })), _) if side == rules.settings.overphase => {
            SupplyUsage::begin(rules, state, side.enemy());
        }
        (Some(Procedure::SupplyUsage(_)), _) => {
            Reinforcement::begin(rules, state, rules.settings.overphase, play);
        }
        (Some(Procedure::Reinforcement(Reinforcement { side })), _) if side == rules.settings.overphase => {
            Reinforcement::begin(rules, state, side.enemy(), play);
        }
        (Some(Procedure::Reinforcement(_)), _) => {
            state.stack.push(Reorganization { side: rules.settings.overphase });
        }
        (Some(Procedure::Reorganization(Reorganization { side })), _) if side == rules.settings.overphase => {
            state.stack.push(Reorganization { side: side.enemy() });
        }
        (Some(Procedure::Reorganization(_)), _) => determine_first(rules, state, play),
        (Some(Procedure::AirReturn(AirReturn { side, weather: true })), _) => {
            if side == rules.settings.overphase {
                state.stack.push(AirReturn { side: side.enemy(), weather: true });
            } else {
                begin_week(rules, state, play);
            }
        }
        (Some(Procedure::AirReturn(_)), _) => {
            begin_phase(rules, state, phasing, Phase::AirRefit, play);
            state.stack.push(AirRefit { side: phasing, hex: None, left: 0 });
        }
        (Some(Procedure::AirRefit(_)), _) => begin_modes(rules, state, phasing, play),
        (Some(Procedure::Modes(_)), _) => begin_movement(rules, state, phasing, play),
        (Some(Procedure::Movement(_)), Phase::Movement) => {
            state.stack.push(Barrages { side, phase: Phase::Movement });
        }
        (Some(Procedure::Barrages(_)), Phase::Movement) => {
            begin_phase(rules, state, phasing.enemy(), Phase::Reaction, play);
            state.stack.push(Release { side: phasing.enemy(), phase: Phase::Reaction });
        }
        (Some(Procedure::Release(_)), _) => state.stack.push(Movement { side, phase: now }),
        (Some(Procedure::Movement(_)), _) => state.stack.push(Barrages { side, phase: now }),
        (Some(Procedure::Barrages(_)), _) => state.stack.push(Combat { side, phase: now }),
        (Some(Procedure::Combat(_)), Phase::Reaction) => {
            begin_phase(rules, state, phasing, Phase::Combat, play);
            state.stack.push(Barrages { side: phasing, phase: Phase::Combat });
        }
        (Some(Procedure::Combat(_)), Phase::Combat) => {
            begin_phase(rules, state, phasing, Phase::Exploitation, play);
            state.stack.push(Release { side: phasing, phase: Phase::Exploitation });
        }
        (Some(Procedure::Combat(_)), _) => clean_up(rules, state, phasing, play),
        _ => {}
    }
}

/// The phasing player's DG and Exploitation markers come off (2.3.II.H, 5.9a.c, 5.10f), and the next sequence begins.
fn clean_up(rules: &Ocs, state: &mut State, side: Side, play: &mut Play<Event>) {
    begin_phase(rules, state, side, Phase::CleanUp, play);
    state.dropped.clear();
    let marked: Vec<_> = rules.roster.iter().filter(|unit| rules.side(*unit) == side).collect();
    for unit in marked {
        state.unmark(unit, Marks::DG | Marks::EXPLOIT);
    }
    play.tell(Event::Reorganized { side });
    let Some(first) = state.first else { return };
    if side == first {
        begin_sequence(rules, state, first.enemy(), play);
    } else if state.player_turn == 1 {
        state.player_turn = 2;
        begin_sequence(rules, state, first, play);
    } else {
        end_turn(rules, state, play);
    }
}

/// The Turn End Phase (2.3.IV).
fn end_turn(rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
    if state.turn >= rules.settings.last || rules.sudden_winner(state).is_some() {
        rules.end_game(state, play);
        return;
    }
    state.turn += 1;
    begin_turn(rules, state, play);
}

/// Ends a movement phase or segment: nobody may be stacked too high (4.2f, R62).
pub(crate) fn end_movement(rules: &Ocs, state: &mut State, movement: Movement, play: &mut Play<Event>) {
    if rules.overstacked(state, movement.side).is_empty() {
        proceed(rules, state, play);
    } else {
        state.stack.push(Overstacked { side: movement.side, phase: movement.phase });
    }
}
