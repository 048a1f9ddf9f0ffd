//! 6.0: the sequence of play.

use engine::display;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::{BySide, Frame, Play, Remark, Side, Violation, case, phrases, remark};

use crate::settings::Objective;
use crate::{
    Action, Air, AirHand, Bite, Combat, Event, Marks, Movement, Phase, Place, Points, Procedure,
    Reinforcement, State, SupplyPhase,
};

phrases! {
    /// Before the first turn, where dice open it.
    pub struct Opening = "opening", "5.0d", "the game begins";
}

impl Frame<Bite> for Opening {
    fn asked(&self, rules: &Bite, _: &State) -> (Side, Remark) {
        (rules.settings.first_player, remark!("5.0d", "begin the game"))
    }

    fn answers(&self, _: &Bite, _: &State, answers: &mut Vec<Action>) {
        answers.push(Action::Begin);
    }

    fn apply(&self, rules: &Bite, state: &mut State, _: Action, play: &mut Play<Event>) {
        begin_turn(rules, state, play);
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty()
    }
}

pub(crate) const fn phase(side: Side, phase: Phase) -> display::Phase {
    display::Phase { name: phase.as_str(), side: Some(side), case: case("6.0x1") }
}

/// The phases of a turn: the first player's, then the second's.
pub(crate) fn phases(rules: &Bite) -> Vec<display::Phase> {
    let first = rules.settings.first_player;
    let of = |side: Side| Phase::ALL.iter().map(move |name| phase(side, *name));
    of(first).chain(of(first.enemy())).collect()
}

/// The side whose player turn it is (6.0x3).
pub(crate) fn acting_side(state: &State) -> Side {
    match state.stack.first() {
        Some(
            Procedure::Reinforcement(Reinforcement { side })
            | Procedure::SupplyPhase(SupplyPhase { side, .. })
            | Procedure::Movement(Movement { side, .. })
            | Procedure::Combat(Combat { side })
            | Procedure::Air(Air { side }),
        ) => *side,
        _ => Side::Axis,
    }
}

pub(crate) fn not_asked(state: &State) -> Violation {
    if state.stack.is_empty() {
        remark!("6.0i4", "the game is over")
    } else {
        remark!("6.0x1", "this is not what is asked now")
    }
}

/// Begins a phase; marks that last for one come off.
pub(crate) fn begin_phase(rules: &Bite, state: &mut State, side: Side, phase: Phase, play: &mut Play<Event>) {
    state.units.change_all(|unit| unit.marks.expire(Lasts::Phase));
    state.stack.clear();
    play.tell(Event::PhaseBegan { side, phase });
    match phase {
        Phase::Reinforcement => Reinforcement::begin(rules, state, side, play),
        Phase::Supply => SupplyPhase::begin(rules, state, side, play),
        Phase::Initial => rules.begin_movement(state, side, false),
        Phase::Combat => {
            state.used = Points::default();
            state.stack.push(Combat { side });
        }
        Phase::Mechanized => {
            rules.mark_supply(state, side, play);
            rules.begin_movement(state, side, true);
        }
        Phase::Air => Air::begin(rules, state, side, play),
    }
}

/// Begins a player turn with its first phase (6.0x1).
pub(crate) fn begin_player_turn(rules: &Bite, state: &mut State, side: Side, play: &mut Play<Event>) {
    state.charged = 0;
    state.lifted = BySide::default();
    state.shipped = 0;
    state.units.change_all(|unit| {
        unit.marks.expire(Lasts::Turn);
        unit.drawn = 0;
    });
    begin_phase(rules, state, side, Phase::Reinforcement, play);
}

/// Ends a player turn: the other player's follows, or the end of the game turn.
pub(crate) fn end_player_turn(rules: &Bite, state: &mut State, side: Side, play: &mut Play<Event>) {
    if side == rules.settings.first_player {
        begin_player_turn(rules, state, side.enemy(), play);
        return;
    }
    rules.indicate(state, play);
    if state.turn >= rules.settings.last_turn {
        rules.end_game(state, play);
        return;
    }
    state.turn += 1;
    begin_turn(rules, state, play);
}

/// Weather and air support, then the first player turn (6.0a1, 6.0b1).
pub(crate) fn begin_turn(rules: &Bite, state: &mut State, play: &mut Play<Event>) {
    let turn = state.turn;
    play.tell(Event::TurnBegan { turn });
    state.flotilla_used = false;
    let first = rules.settings.first_player;
    let weather = &rules.settings.weather;
    let now = weather.without_die().or_else(|| {
        let die = play.roll_on(first, 6, "weather", case("6.0a1"), |die| weather.result(die, turn));
        weather.result(die, turn)
    });
    if let Some(now) = now {
        if weather.without_die().is_none() {
            play.tell(Event::WeatherTold { weather: now });
        }
        state.weather = now;
    }
    rules.roll_for_air(state, play);
    begin_player_turn(rules, state, first, play);
}

impl Bite {
    /// Phase b: markers not used lapse, new ones come; what lies on the map stays (13.0a, 13.0j).
    fn roll_for_air(&self, state: &mut State, play: &mut Play<Event>) {
        let (turn, table) = (state.turn, &self.settings.air.table);
        let fixed = table.without_die();
        let given = fixed.or_else(|| {
            let die = play.roll_on(self.settings.first_player, 6, "air support", case("6.0b1"), |die| {
                table.result(die, turn)
            });
            table.result(die, turn)
        });
        let air = self.charts.weather(state.weather).air;
        let left = |markers: u8| markers * air / 2;
        let given = given.unwrap_or_default();
        state.air = BySide::new_with(|side| AirHand { markers: left(given[side]), interdicting: 0 });
        if fixed.is_none() {
            play.tell(Event::AirMarkers { axis: state.air.axis.markers, soviet: state.air.soviet.markers });
        }
    }

    /// Phase i: points for objectives, then Attack supply markers (6.0i1, 6.0i2).
    fn indicate(&self, state: &mut State, play: &mut Play<Event>) {
        let scored = |objective: &&Objective| {
            objective.turns.is_some_and(|(first, last)| (first..=last).contains(&state.turn))
        };
        let due: Vec<Objective> = self.settings.objectives.iter().filter(scored).copied().collect();
        self.score(state, &due, play);
        for side in Side::BOTH {
            let markers = &mut state.attack_markers[side];
            let back = markers.ahead[0];
            markers.ahead.rotate_left(1);
            markers.ahead[markers.ahead.len() - 1] = 0;
            if back > 0 && self.settings.attack[side].recycled {
                markers.hand += back;
                play.tell(Event::MarkersBack { side, markers: back });
            }
        }
    }

    /// Takes a unit off the map, and its leader with an HQ (15.0d2). What it is worth is scored (4.0a).
    pub(crate) fn remove(&self, state: &mut State, unit: engine::UnitId, to: Place, play: &mut Play<Event>) {
        state.units.change(unit, |unit| {
            unit.place = to;
            unit.steps = 0;
            unit.marks.clear(Marks::OUT | Marks::ATTACK | Marks::AIRLIFT | Marks::UNTRIED | Marks::ZERO);
        });
        let leader =
            self.colour_of_hq(unit).and_then(|colour| self.hq(colour)).is_some_and(|hq| hq.leader.is_some());
        if leader && !state.marked(unit, Marks::LEADERLESS) {
            state.mark(unit, Marks::LEADERLESS);
            play.tell(Event::LeaderLost { hq: unit });
        }
        self.score_elimination(state, unit, play);
    }
}
