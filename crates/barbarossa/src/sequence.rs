//! 5: the sequence of play and the Paulus Pause.

use engine::display;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::{Case, Frame, Play, Remark, Rulebook, Side, Violation, case, ensure, phrases, refuse, remark};

use crate::{
    Action, Administration, Barbarossa, Choice, Combat, Event, Fact, Markers, Marks, Matter, Movement, Order,
    Procedure, ROAD_BACK, Rvgk, Southern, State, Step, Strategic, Venture,
};

/// The turn of the Paulus Pause (5.10a).
pub(crate) const PAUSE_TURN: u8 = 3;

/// The Soviet side fights first until this turn (5.4c).
const LAST_FORCED_SOVIET_ORDER: u8 = 5;

/// Strategic movement and its allowance (8.6, 8.7f, 8.7g).
const STRATEGIC_TURNS: std::ops::RangeInclusive<u8> = 9..=29;
const STRATEGIC_ALLOWANCE: u8 = 8;

/// How many units go into and out of the RVGK box in a phase (8.9b).
const RVGK_CAPACITY: u8 = 5;

/// Watch on the Oder is fought out, or not, in this turn (4.18).
pub(crate) const ODER_TURN: u8 = 30;

phrases! {
    /// The game turn, below whatever is done in it: when this is on top, its next step begins.
    pub struct Turn { step: Step } = "turn", "5.1a", "the game turn is at {step}";
}

impl Frame<Barbarossa> for Turn {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("5.1a", "the game turn goes on"))
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        rules.next_step(state, self.step, play);
        false
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
            && !around.above.is_empty()
            && (rules.first_turn..=rules.last_turn).contains(&state.turn)
    }

    fn phase(&self, _: &Barbarossa, state: &State) -> Option<display::Phase> {
        phase(self.step, state.order)
    }
}

/// What a step is called, for players.
fn phase(step: Step, order: Order) -> Option<display::Phase> {
    let (axis, soviet) = (Some(Side::Axis), Some(Side::Soviet));
    let fight_first = matches!(order, Order::FightMove | Order::FightFight);
    let first = if fight_first { "prepared assault" } else { "movement" };
    let second = match order {
        Order::MoveFight => "prepared assault",
        Order::FightFight => "second prepared assault",
        Order::FightMove | Order::MoveOnly => "movement",
    };
    let (name, side) = match step {
        Step::Start => ("start of the turn", axis),
        Step::AxisAdministration | Step::AxisWithdrawal => ("administration", axis),
        Step::SovietAdministration | Step::Conversion | Step::SovietWithdrawal => ("administration", soviet),
        Step::AxisCombOut | Step::AxisZone | Step::AxisOrder => ("orders", axis),
        Step::Strategic => ("strategic movement", axis),
        Step::AxisFirst => (first, axis),
        Step::AxisSecond | Step::AxisEnd => (second, axis),
        Step::Markers | Step::SovietOrder => ("orders", soviet),
        Step::Rvgk => ("RVGK", soviet),
        Step::SovietFirst => (first, soviet),
        Step::SovietSecond | Step::SovietEnd => (second, soviet),
        Step::Victory => ("victory check", None),
    };
    Some(display::Phase { name, side, case: case_of_step(step) })
}

/// The case that orders a step (5.2).
pub(crate) fn case_of_step(step: Step) -> Case {
    match step {
        Step::Start => case("5.1a"),
        Step::AxisAdministration | Step::AxisWithdrawal => case("5.3a"),
        Step::SovietAdministration | Step::Conversion | Step::SovietWithdrawal => case("5.3b"),
        Step::AxisCombOut => case("8.16a"),
        Step::AxisZone => case("5.6b"),
        Step::AxisOrder | Step::SovietOrder => case("5.4a"),
        Step::Strategic => case("8.7a"),
        Step::AxisFirst | Step::AxisSecond | Step::AxisEnd => case("5.2b"),
        Step::Markers => case("7.12a"),
        Step::Rvgk => case("8.9a"),
        Step::SovietFirst | Step::SovietSecond | Step::SovietEnd => case("5.2c"),
        Step::Victory => case("5.2d"),
    }
}

/// The phases of a turn in their order.
pub(crate) fn phases(state: &State) -> Vec<display::Phase> {
    let mut phases = Vec::new();
    for phase in Step::ALL.iter().filter_map(|step| phase(*step, state.order)) {
        // Steps of one phase have different cases; the first one stands for all.
        let known = |other: &display::Phase| (other.name, other.side) == (phase.name, phase.side);
        if !phases.iter().any(known) {
            phases.push(phase);
        }
    }
    phases
}

/// The step under way.
pub(crate) fn step(state: &State) -> Option<Step> {
    match state.stack.first() {
        Some(Procedure::Turn(turn)) => Some(turn.step),
        _ => None,
    }
}

/// The side whose player turn or segment it is.
pub(crate) fn acting_side(state: &State) -> Side {
    match step(state) {
        Some(
            Step::SovietAdministration
            | Step::Conversion
            | Step::SovietWithdrawal
            | Step::Markers
            | Step::SovietOrder
            | Step::Rvgk
            | Step::SovietFirst
            | Step::SovietSecond
            | Step::SovietEnd,
        ) => Side::Soviet,
        _ => Side::Axis,
    }
}

pub(crate) fn not_asked(state: &State) -> Violation {
    if state.stack.is_empty() {
        remark!("4.14a", "the game is over")
    } else {
        remark!("5.1b", "this is not what is asked now")
    }
}

impl Barbarossa {
    /// The first turn of The Road Back: a single Soviet prepared assault phase (12.2a).
    pub(crate) fn is_prologue(&self, state: &State) -> bool {
        self.is_road_back() && state.turn == ROAD_BACK
    }

    /// Puts a state that was just set up at its first decision.
    pub(crate) fn open(&self, state: &mut State) {
        let mut play = Play::new(engine::Dice::told([]));
        self.begin(state, &mut play);
        self.go_on(state, &mut play);
    }

    /// The first turn begins.
    pub(crate) fn begin_game(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        state.stack.push(Turn { step: Step::Start });
        self.begin_turn(state, play);
    }

    fn next_step(&self, state: &mut State, step: Step, play: &mut Play<Event>) {
        let next = match step {
            Step::Victory => return self.end_turn(state, play),
            // All but the assault is left out (12.2a, R102).
            Step::Start if self.is_prologue(state) => Step::SovietFirst,
            Step::SovietFirst if self.is_prologue(state) => Step::Victory,
            _ => Step::ALL[step as usize + 1],
        };
        if let Some(Turn { step }) = state.stack.top_mut() {
            *step = next;
        }
        self.begin_step(state, next, play);
    }

    /// What a step begins with; whatever is to be decided is put on the stack.
    fn begin_step(&self, state: &mut State, step: Step, play: &mut Play<Event>) {
        match step {
            Step::Start => self.begin_turn(state, play),
            Step::AxisAdministration => self.begin_administration(state, Side::Axis, play),
            Step::AxisWithdrawal => self.call_for_second_ss(state, play),
            Step::SovietAdministration => self.begin_administration(state, Side::Soviet, play),
            Step::Conversion => self.begin_conversion(state, play),
            Step::SovietWithdrawal => self.call_for_withdrawal(state, play),
            Step::AxisCombOut => self.offer_comb_out(state),
            Step::AxisZone => self.ask_for_zone(state),
            Step::AxisOrder => self.ask_axis_order(state, play),
            Step::Strategic => self.begin_strategic(state, play),
            Step::AxisFirst | Step::AxisSecond => self.begin_phase(state, step, Side::Axis, play),
            Step::AxisEnd => self.end_axis_turn(state, play),
            Step::Markers => state.stack.push(Markers {}),
            Step::SovietOrder => self.ask_soviet_order(state, play),
            Step::Rvgk => self.begin_rvgk(state, play),
            Step::SovietFirst | Step::SovietSecond => self.begin_phase(state, step, Side::Soviet, play),
            Step::SovietEnd => self.end_soviet_turn(state, play),
            Step::Victory => self.check_victory(state, play),
        }
    }

    /// Records first, then markers, then what the German side declares (R42).
    fn begin_turn(&self, state: &mut State, play: &mut Play<Event>) {
        play.tell(Event::TurnBegan { turn: state.turn });
        state.units.change_all(|unit| {
            unit.marks.expire(Lasts::Turn);
            unit.marks.expire(Lasts::Phase);
            unit.left = 0;
            unit.toll = 0;
            unit.came = None;
        });
        state.luftwaffe_used = 0;
        state.kills = 0;
        state.southern = Southern::Open;
        for fact in [Fact::CrimeaOff, Fact::OffensiveNow, Fact::GambitNow, Fact::ExpeditionFresh] {
            state.forget(fact);
        }
        state.cities_at_turn = self.german_cities(state);
        self.judge_moscow(state);
        self.judge_expedition(state);
        self.judge_stand_fast(state, play);
        self.defect_late(state, play);
        if self.is_prologue(state) {
            self.note_southerners(state);
            state.order = Order::FightMove; // 12.2b, R102
            return;
        }
        self.receive_markers(state, play);
        self.reveal_watch(state, play);
        let matter = match state.turn {
            PAUSE_TURN => Some(Matter::Pause),
            17..=19 if !state.has(Fact::OffensiveUsed) => Some(Matter::Offensive),
            28 if !state.has(Fact::WatchChosen) => Some(Matter::Watch),
            _ => None,
        };
        if let Some(matter) = matter {
            state.stack.push(Decision { side: Side::Axis, matter });
        }
    }

    /// While Moscow is lost there is no offensive supply (7.21, R39).
    fn judge_moscow(&self, state: &mut State) {
        let Some(moscow) = self.ground.moscow.filter(|_| state.turn >= crate::supply::OFFENSIVE_SUPPLY)
        else {
            return;
        };
        if state.controls(Side::Axis, moscow) {
            state.note(Fact::MoscowBan);
        } else if self.in_overland(state, Side::Soviet, moscow) {
            state.forget(Fact::MoscowBan);
        }
    }

    /// Hitler's order to the garrison of Stalingrad (12.7a, 12.7b, 12.7c, R106).
    fn judge_stand_fast(&self, state: &mut State, play: &mut Play<Event>) {
        let holds = self.is_road_back() && state.turn > ROAD_BACK && !state.has(Fact::StandFastOver);
        let city = self.ground.stalingrad.filter(|hex| holds && state.held(Side::Axis).contains(*hex));
        let Some(city) = city else { return };
        if self.in_overland(state, Side::Axis, city) {
            state.note(Fact::StandFastOver);
            return;
        }
        for unit in state.stack_in(city) {
            state.mark(unit, Marks::STANDS_FAST);
        }
        play.tell(Event::StandsFast);
    }

    /// Only these attack in the first turn of The Road Back (12.8b).
    fn note_southerners(&self, state: &mut State) {
        for (unit, hex) in self.on_map(state, Side::Soviet).collect::<Vec<_>>() {
            if !self.ground.north.contains(hex) {
                state.mark(unit, Marks::SOUTHERN);
            }
        }
    }

    fn reveal_watch(&self, state: &mut State, play: &mut Play<Event>) {
        if state.turn == ODER_TURN && !state.has(Fact::WatchShown) {
            state.note(Fact::WatchShown);
            let choice = if state.has(Fact::Oder) { Choice::Oder } else { Choice::Rhine };
            play.tell(Event::WatchShown { choice });
            play.reveal(Side::Soviet);
            self.bring_oder_forces(state);
        }
    }

    /// True while Watch on the Oder is run (4.18c).
    pub(crate) fn is_oder(&self, state: &State) -> bool {
        state.turn == ODER_TURN && state.has(Fact::Oder)
    }

    fn begin_administration(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        self.receive_steps(state, side, play);
        match (side, state.turn) {
            (Side::Axis, 6) if state.airlift_due == 0 => state.airlift_due = 6, // 7.7a
            (Side::Axis, 19) => state.walls_left = crate::forces::WALLS,
            (Side::Soviet, 16) => state.area_left = true,
            _ => {}
        }
        state.stack.push(Administration { side });
    }

    /// In one of the summers of 1942 the bonus holds in one zone (5.6b).
    fn ask_for_zone(&self, state: &mut State) {
        let named = state.has(Fact::ZoneNorth) || state.has(Fact::ZoneSouth);
        if state.turn == 9 && !named {
            state.stack.push(Decision { side: Side::Axis, matter: Matter::Zone });
        }
    }

    fn ask_axis_order(&self, state: &mut State, play: &mut Play<Event>) {
        state.cities_at_player_turn = self.german_cities(state); // 4.19a
        if state.turn == 1 {
            declare_order(state, Side::Axis, Order::FightMove, play); // 5.4b
        } else if self.pauses(state) {
            declare_order(state, Side::Axis, Order::MoveOnly, play); // 5.10b, R47
        } else {
            state.stack.push(Decision { side: Side::Axis, matter: Matter::Order });
        }
    }

    /// The German side pauses in this turn (5.10b).
    pub(crate) fn pauses(&self, state: &State) -> bool {
        state.turn == PAUSE_TURN && state.has(Fact::Pause)
    }

    fn ask_soviet_order(&self, state: &mut State, play: &mut Play<Event>) {
        if state.turn <= LAST_FORCED_SOVIET_ORDER {
            declare_order(state, Side::Soviet, Order::FightMove, play); // 5.4c
        } else {
            state.stack.push(Decision { side: Side::Soviet, matter: Matter::Order });
        }
    }

    fn begin_strategic(&self, state: &mut State, play: &mut Play<Event>) {
        if STRATEGIC_TURNS.contains(&state.turn) {
            state.strategic_left = STRATEGIC_ALLOWANCE;
            play.tell(Event::StepBegan { step: Step::Strategic });
            state.stack.push(Strategic {});
        }
    }

    fn begin_rvgk(&self, state: &mut State, play: &mut Play<Event>) {
        state.rvgk_left = 0;
        if state.turn > 1 {
            state.rvgk_left = RVGK_CAPACITY;
            state.units.change_all(|unit| unit.marks.expire(Lasts::Phase));
            play.tell(Event::StepBegan { step: Step::Rvgk });
            state.stack.push(Rvgk {});
        }
    }

    /// A movement or prepared assault phase, as declared (5.4).
    fn begin_phase(&self, state: &mut State, step: Step, side: Side, play: &mut Play<Event>) {
        let first = matches!(step, Step::AxisFirst | Step::SovietFirst);
        let fights = match state.order {
            Order::MoveOnly if !first => return,
            Order::MoveOnly => false,
            Order::FightFight => true,
            Order::FightMove => first,
            Order::MoveFight => !first,
        };
        let over = Marks::lasting(Lasts::Phase);
        state.units.change_all(|unit| {
            unit.marks.clear(over);
            unit.left = 0;
            unit.toll = 0;
        });
        state.origin = None;
        for fact in [
            Fact::EmergencyUsed,
            Fact::KerchUsed,
            Fact::BlackSeaUsed,
            Fact::BalticUsed,
            Fact::ExpeditionFresh,
        ] {
            state.forget(fact);
        }
        play.tell(Event::StepBegan { step });
        if fights {
            self.oblige(state, side); // 5.12a
            state.stack.push(Combat { side });
        } else {
            state.stack.push(Movement { side });
        }
    }

    fn end_axis_turn(&self, state: &mut State, play: &mut Play<Event>) {
        self.forfeit_paratroops(state, play);
        if self.is_oder(state) {
            self.judge_oder(state, play);
        }
    }

    fn end_soviet_turn(&self, state: &mut State, play: &mut Play<Event>) {
        state.offensive = [None; 3]; // 7.12b
        if state.turn == crate::conversion::REORGANISATION {
            self.reorganise(state, play);
        }
    }

    fn end_turn(&self, state: &mut State, play: &mut Play<Event>) {
        if state.verdict.is_some() || state.turn >= self.last_turn {
            return self.end_game(state, play);
        }
        state.turn += 1;
        if let Some(Turn { step }) = state.stack.top_mut() {
            *step = Step::Start;
        }
        self.begin_turn(state, play);
    }
}

fn declare_order(state: &mut State, side: Side, order: Order, play: &mut Play<Event>) {
    state.order = order;
    play.tell(Event::OrderDeclared { side, order });
    if order == Order::FightFight
        && let Some(fact) = fight_fight_fact(state.turn)
    {
        state.note(fact);
    }
}

/// What remembers that fight/fight was used (5.5); nothing on turn 30.
fn fight_fight_fact(turn: u8) -> Option<Fact> {
    match turn {
        9..=12 => Some(Fact::Fought1942),
        17..=20 => Some(Fact::Fought1943),
        31 | 32 => Some(Fact::FoughtSoviet),
        _ => None,
    }
}

phrases! {
    /// A player settles something.
    pub struct Decision { side: Side, matter: Matter } = "decision", "5.1a", "{side} settles {matter}";
}

impl Frame<Barbarossa> for Decision {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        let prompt = match self.matter {
            Matter::Pause => remark!("5.10a", "pause on this turn, or go on"),
            Matter::Offensive => {
                remark!("4.4a", "begin the summer offensive of 1943, with the Gambit or without, or not yet")
            }
            Matter::Watch => remark!("4.18a", "choose in secret: Watch on the Rhine or on the Oder"),
            Matter::SecondSs => remark!("8.17b", "withdraw 2nd SS Panzer Corps, or decline"),
            Matter::CombOut => remark!("8.16a", "comb out the rear areas, or not"),
            Matter::Zone => remark!("5.6b", "name the zone of this year's bonus"),
            Matter::Order => remark!("5.4a", "declare the order of phases"),
            Matter::Bloodbath => remark!("5.14b", "keep the bloodbath, or make it a retreat"),
            Matter::Forgiveness => {
                remark!("4.20a", "play on with forgiveness points, or let the check decide")
            }
        };
        (self.side, prompt)
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let choices = self.choices().iter().copied();
        let allowed = choices.filter(|choice| self.check_choice(rules, state, *choice).is_ok());
        answers.extend(allowed.map(|choice| Action::Choose { choice }));
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Choose { choice } => self.check_choice(rules, state, choice),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Choose { choice } = action else { return };
        state.stack.pop();
        let chosen = Event::Chosen { side: self.side, choice: choice.into() };
        play.tell_of(self.side, self.matter != Matter::Watch, chosen);
        rules.settle(state, *self, choice, play);
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let place = match self.matter {
            Matter::Bloodbath => around
                .on::<crate::Battle>()
                .is_some_and(|battle| battle.is_undecided(rules, state) && battle.side(rules) == self.side),
            Matter::Order => around.on::<Turn>().is_some_and(|turn| match self.side {
                Side::Axis => turn.step == Step::AxisOrder,
                Side::Soviet => turn.step == Step::SovietOrder,
            }),
            Matter::Pause | Matter::Offensive | Matter::Watch => {
                self.side == Side::Axis && around.on::<Turn>().is_some_and(|turn| turn.step == Step::Start)
            }
            Matter::SecondSs => self.is_asked_at(around, Step::AxisWithdrawal),
            Matter::CombOut => self.is_asked_at(around, Step::AxisCombOut),
            Matter::Zone => self.is_asked_at(around, Step::AxisZone),
            Matter::Forgiveness => around.on::<Turn>().is_some_and(|turn| turn.step == Step::Victory),
        };
        place && around.above.is_empty() && !answers.is_empty()
    }
}

impl Decision {
    fn is_asked_at(&self, around: Around<'_, Procedure>, step: Step) -> bool {
        self.side == Side::Axis && around.on::<Turn>().is_some_and(|turn| turn.step == step)
    }

    /// The first choice stands first on the list of a client.
    fn choices(&self) -> &'static [Choice] {
        match self.matter {
            Matter::Pause => &[Choice::Pause, Choice::NoPause],
            Matter::Offensive => &[Choice::NoOffensive, Choice::Offensive, Choice::Gambit],
            Matter::Watch => &[Choice::Rhine, Choice::Oder],
            Matter::SecondSs => &[Choice::Withdraw, Choice::Decline],
            Matter::CombOut => &[Choice::CombOut, Choice::NoCombOut],
            Matter::Zone => &[Choice::North, Choice::South],
            Matter::Order => &[Choice::MoveFight, Choice::FightMove, Choice::FightFight],
            Matter::Bloodbath => &[Choice::Retreat, Choice::Bloodbath],
            Matter::Forgiveness => &[Choice::PlayOn, Choice::Settle],
        }
    }

    fn check_choice(&self, rules: &Barbarossa, state: &State, choice: Choice) -> Result<(), Violation> {
        if !self.choices().contains(&choice) {
            return Err(not_asked(state));
        }
        match (self.matter, choice) {
            (Matter::Order, Choice::FightFight) => rules.check_fight_fight(state, self.side),
            (Matter::Order, Choice::MoveFight) => {
                let bound = self.side == Side::Axis && state.turn == 1;
                ensure!("5.4b", !bound, "on turn 1 the German side fights first");
                let bound = self.side == Side::Soviet && state.turn <= LAST_FORCED_SOVIET_ORDER;
                ensure!("5.4c", !bound, "until turn 5 the Soviet side fights first");
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Barbarossa {
    /// Once in the summer of 1942, once in that of 1943, on turn 30 with Watch on the Oder; the Soviet side once, on turn 31 or
    /// 32 (5.5).
    fn check_fight_fight(&self, state: &State, side: Side) -> Result<(), Violation> {
        match (side, state.turn) {
            (Side::Axis, ODER_TURN) => {
                ensure!("5.5b", state.has(Fact::Oder), "only with Watch on the Oder may you fight twice");
            }
            (Side::Axis, 9..=12 | 17..=20) | (Side::Soviet, 31 | 32) => {
                let used = fight_fight_fact(state.turn).is_some_and(|fact| state.has(fact));
                ensure!("5.5c", !used || side == Side::Axis, "you have fought twice in a turn before");
                ensure!("5.5a", !used, "you have fought twice in a turn of this year before");
            }
            (Side::Axis, _) => {
                refuse!("5.5a", "you may fight twice in a single-month turn of 1942 or 1943 only")
            }
            (Side::Soviet, _) => refuse!("5.5c", "you may fight twice on turn 31 or 32 only"),
        }
        Ok(())
    }

    /// Carries out what a player has chosen.
    fn settle(&self, state: &mut State, decision: Decision, choice: Choice, play: &mut Play<Event>) {
        let order = |state: &mut State, order, play: &mut Play<Event>| {
            declare_order(state, decision.side, order, play);
        };
        match choice {
            Choice::Pause => state.note(Fact::Pause),
            Choice::NoPause => state.note(Fact::NoPause),
            Choice::NoOffensive | Choice::Decline if decision.matter == Matter::Offensive => {}
            Choice::Offensive => {
                state.note(Fact::OffensiveUsed);
                state.note(Fact::OffensiveNow);
            }
            Choice::Gambit => self.begin_gambit(state),
            Choice::Rhine => state.note(Fact::WatchChosen),
            Choice::Oder => {
                state.note(Fact::WatchChosen);
                state.note(Fact::Oder);
            }
            Choice::Withdraw => self.withdraw_second_ss(state, play),
            Choice::Decline => self.score(state, crate::Points::SecondSs, -1, play),
            Choice::CombOut => self.comb_out(state, play),
            Choice::North => state.note(Fact::ZoneNorth),
            Choice::South => state.note(Fact::ZoneSouth),
            Choice::MoveFight => order(state, Order::MoveFight, play),
            Choice::FightMove => order(state, Order::FightMove, play),
            Choice::FightFight => order(state, Order::FightFight, play),
            Choice::Retreat => self.carry_out_converted(state, play),
            Choice::Bloodbath => self.carry_out_bloodbath(state, play),
            Choice::PlayOn => self.play_on(state, decision.side, play),
            Choice::Settle => self.let_the_check_decide(state, play),
            Choice::NoOffensive | Choice::NoCombOut => {}
        }
    }

    /// The expedition's conditions hold at the start of the turn (4.11a, R90).
    fn judge_expedition(&self, state: &mut State) {
        let ready = state.venture == Venture::None && self.expedition_may_start(state);
        state.facts.set(Fact::ExpeditionReady, ready);
    }
}
