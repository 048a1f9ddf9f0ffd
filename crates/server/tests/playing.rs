//! Games over real sockets: seats, actions, undo, questions, opponents, records.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use std::collections::BTreeSet;

use client::{Client, Lot, Seats, create, get, post};
use hall::serve;
use server::wire::{
    Answer, Ask, ClientMessage, Eyes, GameSummary, MarkKind, ServerMessage, Side, Span, Thing,
};

const BOTH: [Side; 2] = [Side::Axis, Side::Soviet];

const BRIDGE: &str = r#"{"scenario":"mini/bridge","seed":"1944"}"#;

#[tokio::test]
async fn either_side_may_offer_a_draw_and_concede() {
    let address = serve("draws").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    let observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    let unasked = |client: &Client| -> Vec<String> {
        client.update.unasked.iter().map(|deed| deed.line.clone()).collect()
    };
    assert_eq!(unasked(&soviet), ["offer-draw", "concede"]);
    assert!(observer.update.unasked.is_empty());
    // The Axis is to decide, and the Soviet side speaks.
    assert_eq!(soviet.act(&["end"]).await.unwrap_err().why, "the Axis player decides");
    soviet.act(&["offer-draw"]).await.unwrap();
    assert_eq!(unasked(&soviet), ["concede"]);
    axis.until(|update| update.at == 1).await.unwrap();
    assert_eq!(unasked(&axis), ["accept-draw", "decline-draw", "concede"]);
    axis.act(&["decline-draw"]).await.unwrap();
    axis.act(&["end"]).await.unwrap();
    soviet.until(|update| update.at == 3).await.unwrap();
    soviet.act(&["concede"]).await.unwrap();
    let over = soviet.update.question.over.clone().unwrap();
    assert_eq!((over.winner, over.reason.to_string().as_str()), (Some(Side::Axis), "Soviet concedes"));
    assert!(soviet.act(&["offer-draw"]).await.is_err() && soviet.undo().await.is_err());
    assert!(soviet.update.unasked.is_empty());
}

#[tokio::test]
async fn who_plays_both_sides_concedes_for_either() {
    let address = serve("both-concede").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut both = Client::sit(address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
    let unasked: Vec<(Side, &str)> =
        both.update.unasked.iter().map(|deed| (deed.side, deed.line.as_str())).collect();
    let expected = [
        (Side::Axis, "axis: offer-draw"),
        (Side::Axis, "axis: concede"),
        (Side::Soviet, "soviet: offer-draw"),
        (Side::Soviet, "soviet: concede"),
    ];
    assert_eq!(unasked, expected);
    both.act(&["soviet: concede"]).await.unwrap();
    assert_eq!(both.update.question.over.clone().unwrap().winner, Some(Side::Axis));
}

/// The Depot: what is counted, the order of phases and the faces of counters all depend on the state.
#[tokio::test]
async fn stocks_phases_and_counters_are_as_they_stand() {
    let address = serve("depot").await;
    let seats = create(address, r#"{"scenario":"depot/railhead","seed":"1"}"#).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    let own = axis.update.view.stocks.iter().find(|stock| stock.hex.as_deref() == Some("0104")).unwrap();
    assert_eq!((own.side, own.what.as_str(), own.amount), (Side::Axis, "supply", Some(8)));
    let carried =
        axis.update.view.stocks.iter().find(|stock| stock.unit.as_deref() == Some("opel-2")).unwrap();
    assert_eq!(carried.amount, Some(3));
    // Nobody sees into the enemy's dumps (3.2).
    let enemy = soviet.update.view.stocks.iter().find(|stock| stock.hex.as_deref() == Some("0104")).unwrap();
    assert_eq!(enemy.amount, None);

    let whose = |client: &Client| client.update.sequence.phases.iter().find_map(|phase| phase.side);
    axis.act(&["second"]).await.unwrap();
    soviet.until(|update| update.at == 1).await.unwrap();
    assert_eq!((whose(&axis), whose(&soviet)), (Some(Side::Soviet), Some(Side::Soviet)));

    assert!(soviet.update.counters.is_empty());
    soviet.act(&["turn zis-1"]).await.unwrap();
    let turned: Vec<&str> = soviet.update.counters.iter().map(|counter| counter.unit.as_str()).collect();
    assert_eq!(turned, ["zis-1"]);
}

#[tokio::test]
async fn two_seats_and_an_observer() {
    let address = serve("two-seats").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    let mut observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    assert_eq!(axis.seat.eyes, [Eyes::Axis]);
    assert_eq!(observer.seat.eyes, [Eyes::Observer]);

    // Who decides has answers; who waits is told who decides and nothing else.
    assert!(axis.update.question.yours && axis.lines().contains(&"move panzers A04.03".to_owned()));
    for waiting in [&soviet, &observer] {
        let question = &waiting.update.question;
        assert_eq!(question.side, Some(Side::Axis));
        assert_eq!(
            (question.yours, question.prompt.to_string().as_str()),
            (false, "the Axis player decides")
        );
        assert!(question.answers.is_empty() && question.case.is_empty());
    }
    let refused = soviet.act(&["end"]).await.unwrap_err();
    assert_eq!(refused.why, "the Axis player decides");
    let refused = soviet.ask(Ask::Odds { lines: vec!["end".into()], complete: false }).await.unwrap_err();
    assert_eq!(refused.why, "the Axis player decides");
    assert!(observer.undo().await.is_err());

    // An action reaches everybody, its notation only those who may know it.
    assert_eq!(axis.act(&["move panzers A04.03"]).await.unwrap().done, 1);
    assert_eq!(axis.update.log[0].action.as_deref(), Some("move panzers A04.03"));
    for other in [&mut soviet, &mut observer] {
        other.until(|update| update.at == 1).await.unwrap();
        assert_eq!(other.update.log.len(), 1);
        assert_eq!(other.update.log[0].action, None);
        assert_eq!(other.update.log[0].events[0].event, "moved");
        assert_eq!(other.update.log[0].events[0].hexes, ["A05.05", "A04.03"]);
        assert_eq!(other.update.log[0].events[0].units, ["panzers"]);
    }
    axis.until(|_| true).await.unwrap();
    observer.say(&server::wire::ClientMessage::Sync { id: 99 }).await.unwrap();
    let presence = observer.presence.clone();
    assert!(presence.players.axis && presence.players.soviet && presence.observers == 1, "{presence:?}");
}

#[tokio::test]
async fn old_decisions_do_no_harm() {
    let address = serve("old-decisions").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut first = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut second = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let decision = first.update.decision;
    first.act_in(decision, &["move panzers A04.03"]).await.unwrap();
    let refused = second.act_in(decision, &["end"]).await.unwrap_err();
    assert!(refused.stale && refused.why.to_string().contains("decision"), "{refused:?}");
    // An undo makes a new decision of an old position: what answered the old one is still refused.
    first.undo().await.unwrap();
    assert_eq!(first.update.at, 0);
    assert!(second.act_in(decision, &["end"]).await.unwrap_err().stale);
    assert!(second.act_in(decision + 1, &["end"]).await.unwrap_err().stale);
    second.until(|update| update.decision == decision + 2).await.unwrap();
    assert_eq!((second.update.at, second.update.log_from, second.update.log.len()), (0, 0, 0));
    second.act(&["end"]).await.unwrap();
}

#[tokio::test]
async fn several_lines_are_done_together_or_not_at_all() {
    let address = serve("several-lines").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let refused = axis.act(&["move panzers A04.03", "move pioneers A02.02"]).await.unwrap_err();
    assert_eq!((refused.line, refused.case.as_deref()), (Some(1), Some("4.4")));
    assert_eq!(refused.why, "an enemy unit is in A02.02");
    // The hex is told as one: nobody has to look for it in the sentence.
    assert!(refused.why.0.contains(&Span::Thing(Thing::Hex("A02.02".to_owned()))));
    assert_eq!(axis.ask(Ask::Log { from: 0, to: 9 }).await.map(|_| ()).ok(), Some(()));
    assert_eq!(axis.update.at, 0);
    // What follows a die is not done.
    let acted = axis
        .act(&["move panzers A04.03", "end", "name panzers A04.02", "declare", "keep", "end"])
        .await
        .unwrap();
    assert_eq!(acted.done, 4);
    assert_eq!(acted.stopped.unwrap().why, "a die was rolled");
    assert_eq!(axis.update.undo.why, "a die was rolled");
    assert!(!axis.update.undo.can);
    assert_eq!(axis.undo().await.unwrap_err().why, "a die was rolled");
    assert!(axis.act(&[]).await.is_err());
    assert!(axis.act(&["end"; 65]).await.is_err());
}

#[tokio::test]
async fn undo_and_redo() {
    let address = serve("undo-redo").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    assert_eq!(axis.update.undo.why, "nothing was done yet");
    axis.act(&["move panzers A04.03"]).await.unwrap();
    assert!(axis.update.undo.can && axis.update.undo.why == "move panzers A04.03");
    let stood = axis.update.view.clone();
    axis.undo().await.unwrap();
    assert!(axis.update.redo.can && axis.update.at == 0);
    soviet.until(|update| update.decision == 3).await.unwrap();
    assert!(!soviet.update.redo.can && soviet.redo().await.is_err());
    axis.redo().await.unwrap();
    assert_eq!(axis.update.view, stood);
    assert!(axis.redo().await.is_err());
    soviet.until(|update| update.at == 1).await.unwrap();
    assert_eq!(soviet.undo().await.unwrap_err().why, "the last action was the other side's");
}

#[tokio::test]
async fn hotseat_looks_through_the_eyes_of_who_decides() {
    let address = serve("hotseat").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut both = Client::sit(address, seats.of(&BOTH), None).await.unwrap();
    assert_eq!(both.seat.eyes, [Eyes::Axis, Eyes::Soviet, Eyes::All]);
    assert_eq!(both.update.eyes, Eyes::Axis);
    both.act(&["end", "end"]).await.unwrap();
    assert_eq!(both.update.question.side, Some(Side::Soviet));
    assert!(!both.update.question.yours && both.update.question.answers.is_empty());
    both.look(Eyes::Soviet).await.unwrap();
    assert!(both.update.question.yours && !both.update.question.answers.is_empty());
    assert_eq!(both.update.log[0].action, None);
    both.look(Eyes::All).await.unwrap();
    assert!(both.update.question.yours);
    assert!(both.look(Eyes::Observer).await.is_err());
    // Who holds both seats may save the game, but not know the dice.
    let Ok(Answer::Text { text, .. }) = both.ask(Ask::Record).await else { panic!("no record") };
    assert!(text.contains("[Commitment ") && !text.contains("[Seed ") && !text.contains("[Secret "));
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert!(axis.ask(Ask::Record).await.is_err() && axis.ask(Ask::Situation).await.is_err());
    assert!(axis.look(Eyes::Soviet).await.is_err() && axis.look(Eyes::All).await.is_err());
}

#[tokio::test]
async fn a_click_is_explained() {
    let address = serve("a-click").await;
    let seats = create(address, r#"{"scenario":"dagc/vitebsk","seed":"1944"}"#).await.unwrap();
    let mut game = Client::sit(address, seats.of(&BOTH), None).await.unwrap();
    // Odds of an attack, completed up to its die.
    let first = game.lines()[0].clone();
    assert!(first.starts_with("name "), "{first}");
    let Answer::Odds(odds) =
        game.ask(Ask::Odds { lines: vec![first.clone()], complete: true }).await.unwrap()
    else {
        panic!("no odds")
    };
    assert_eq!(odds.lines[0], first);
    assert_eq!(odds.lines.last().unwrap(), "roll");
    assert!(odds.account.iter().any(|line| line.event == "differential") && odds.ways.len() > 1);
    assert!((odds.ways.iter().map(|way| way.p).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(odds.ways.iter().all(|way| !way.label.is_empty()));
    let refused = game.ask(Ask::Odds { lines: vec![], complete: true }).await.unwrap_err();
    assert_eq!(refused.why, "no die is rolled for this");

    // To the movement phase.
    game.act(&["end"]).await.unwrap();
    let unit = game.lines().iter().find_map(|line| line.strip_prefix("move ").map(str::to_owned)).unwrap();
    let lines = vec![format!("move {unit}")];
    let Answer::Look(outlook) = game.ask(Ask::Look { lines: lines.clone() }).await.unwrap() else { panic!() };
    assert!(outlook.question.yours && outlook.question.prompt.to_string().starts_with("go on with"));
    assert!(outlook.undo.can);
    let Answer::Routes { routes } = game.ask(Ask::Routes { lines: lines.clone(), unit: None }).await.unwrap()
    else {
        panic!("no routes")
    };
    let answers: usize = outlook.question.answers.iter().map(|answers| answers.args.len()).sum();
    assert_eq!(routes.len(), answers - 1, "every answer but `stop` has a route");
    for route in &routes {
        let mut all = lines.clone();
        all.push(route.line.clone());
        let Answer::Route(detail) = game.ask(Ask::Route { lines: all }).await.unwrap() else { panic!() };
        assert_eq!(detail.cost, route.cost);
        assert_eq!(detail.legs.len() + 1, route.path.len());
        assert!(detail.legs.iter().all(|leg| !leg.parts.is_empty()));
    }
    // Somewhere it cannot go.
    let ask = Ask::Why { lines: lines.clone(), unit: None, hex: Some("4809".to_owned()) };
    let Answer::Why { verdicts } = game.ask(ask).await.unwrap() else { panic!("no reason") };
    assert_eq!(verdicts[0].line, "go 4809");
    assert!(verdicts[0].refusal.as_ref().unwrap().case.is_some(), "{verdicts:?}");
    let Answer::Check(verdict) = game.ask(Ask::Check { lines: vec!["move ger-1".into()] }).await.unwrap()
    else {
        panic!()
    };
    assert!(verdict.refusal.is_some());
    // All of it, in one go.
    let go = routes.last().unwrap();
    assert_eq!(game.act(&[&lines[0], &go.line]).await.unwrap().done, 2);
    let here = go.path.last().unwrap().clone();
    assert!(game.update.view.stacks.iter().any(|stack| stack.hex == here));

    let Answer::Explain { proofs } = game.ask(Ask::Explain { unit }).await.unwrap() else { panic!() };
    assert_eq!(proofs[0].what, "supply");
    let Answer::Hex(hex) = game.ask(Ask::Hex { hex: here }).await.unwrap() else { panic!() };
    assert!(hex.notes.iter().any(|note| note.text.to_string().ends_with("of 2 units")), "{hex:?}");
    let Answer::Overlays { overlays } = game.ask(Ask::Overlays).await.unwrap() else { panic!() };
    let names: BTreeSet<&str> = overlays.iter().map(|overlay| overlay.name.as_str()).collect();
    assert_eq!(names.len(), overlays.len());
    for name in ["zoc-axis", "control-soviet", "reach-axis", "oos-axis", "victory"] {
        assert!(names.contains(name), "{names:?}");
    }
    let Answer::Threat(threat) = game.ask(Ask::Threat { hex: "3500".to_owned() }).await.unwrap() else {
        panic!()
    };
    assert!(threat.ways.len() > 1);
}

#[tokio::test]
async fn a_game_against_an_opponent_ends_and_is_proved() {
    let address = serve("opponent").await;
    let body = r#"{"scenario":"mini/ford","players":{"axis":{"name":"Anna"},"soviet":{"level":"random"}}}"#;
    let seats = create(address, body).await.unwrap();
    assert_eq!(seats.of(&[Side::Soviet]), "");
    let mut anna = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!(anna.info.players.soviet.level.as_deref(), Some("random"));
    let mut lot = Lot(7);
    loop {
        anna.until(|update| update.question.yours || update.question.over.is_some()).await.unwrap();
        if anna.update.question.over.is_some() {
            break;
        }
        let lines = anna.lines();
        let line = lines[lot.draw(lines.len())].clone();
        let at = anna.update.at;
        anna.act(&[&line]).await.unwrap();
        assert!(anna.update.at > at);
    }
    let over = anna.update.question.over.clone().unwrap();
    let mixture = over.mixture.unwrap();
    assert_eq!(anna.info.commitment.clone().unwrap(), engine::Mixture::commitment(&mixture.secret));

    // Everything is open now, and proved.
    anna.look(Eyes::All).await.unwrap();
    let Answer::Text { text, .. } = anna.ask(Ask::Record).await.unwrap() else { panic!("no record") };
    assert!(text.contains("[Axis \"Anna\"]"));
    let book = mini::shelved();
    let record = engine::Record::parse(&source::Source::new("anna.record", text)).unwrap();
    let proved = book.verify(&book.embedded(), &record).unwrap();
    assert_eq!(proved.actions, anna.update.at as usize);

    // Any moment of it.
    let of = anna.update.at;
    for at in [0, 1, of / 2, of] {
        let Answer::At(moment) = anna.ask(Ask::At { at }).await.unwrap() else { panic!() };
        assert_eq!((moment.at, moment.of), (at, of));
        assert_eq!(moment.entry.map(|entry| entry.at), (at > 0).then_some(at));
        assert!(moment.question.answers.is_empty());
        if at == of {
            assert_eq!(moment.view, anna.update.view);
        }
    }
    assert!(anna.ask(Ask::At { at: of + 1 }).await.is_err());
    let Answer::Marks { marks } = anna.ask(Ask::Marks).await.unwrap() else { panic!() };
    assert!(marks.iter().any(|mark| mark.kind == MarkKind::Turn));
    let Answer::Luck(luck) = anna.ask(Ask::Luck).await.unwrap() else { panic!() };
    assert_eq!(luck.ledger.iter().map(|line| line.count as usize).sum::<usize>(), luck.rolls.len());
    let Answer::Log { log, .. } = anna.ask(Ask::Log { from: 0, to: of }).await.unwrap() else { panic!() };
    assert_eq!(log.len(), of as usize);
    assert!(log.iter().all(|entry| entry.action.is_some()));
}

#[tokio::test]
async fn the_http_interface_plays_a_game() {
    let address = serve("http").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let axis = seats.of(&[Side::Axis]);
    let json = |(status, body): (u16, String)| -> (u16, serde_json::Value) {
        (status, serde_json::from_str(&body).unwrap_or(serde_json::Value::String(body)))
    };
    let (status, actions) = json(get(address, "/api/game/actions", axis).await.unwrap());
    assert_eq!((status, &actions["decision"], &actions["side"]), (200, &1.into(), &"axis".into()));
    assert!(actions["lines"].as_array().unwrap().iter().any(|line| line["line"] == "move panzers A04.03"));
    let check = r#"{"lines":["move pioneers A02.02"]}"#;
    let (status, verdict) = json(post(address, "/api/game/check", axis, check).await.unwrap());
    assert_eq!((status, &verdict["refusal"]["case"]), (200, &"4.4".into()));
    let body = r#"{"decision":1,"lines":["move panzers A04.03","end"]}"#;
    let (status, done) = json(post(address, "/api/game/act", axis, body).await.unwrap());
    assert_eq!((status, &done["done"], &done["update"]["decision"]), (200, &2.into(), &2.into()));
    assert_eq!(post(address, "/api/game/act", axis, body).await.unwrap().0, 409);
    let body = r#"{"lines":["name panzers A04.02"]}"#;
    let (status, odds) = json(post(address, "/api/game/odds", axis, body).await.unwrap());
    assert_eq!(status, 200, "{odds}");
    assert!(odds["ways"].as_array().unwrap().len() > 1);
    assert_eq!(odds["lines"], serde_json::json!(["name panzers A04.02", "declare", "keep"]));
    let (status, view) = json(get(address, "/api/game/view?after=1", axis).await.unwrap());
    assert_eq!((status, &view["at"]), (200, &2.into()));
    assert_eq!(post(address, "/api/game/undo", axis, r#"{"decision":2}"#).await.unwrap().0, 200);
    assert_eq!(post(address, "/api/game/redo", axis, r#"{"decision":3}"#).await.unwrap().0, 200);
    assert_eq!(get(address, "/api/game/explain?unit=panzers", axis).await.unwrap().0, 200);
    assert_eq!(get(address, "/api/game/threat?hex=A04.03", axis).await.unwrap().0, 409);
    assert_eq!(get(address, "/api/game/record", axis).await.unwrap().0, 409);
    let both = seats.of(&BOTH);
    let (status, record) = get(address, "/api/game/record", both).await.unwrap();
    assert!(status == 200 && record.starts_with("[Grognard "));
    let (status, situation) = get(address, "/api/game/situation", both).await.unwrap();
    assert!(status == 200 && situation.contains("rulebook = \"mini\""));
    assert_eq!(get(address, "/api/game", "nobody").await.unwrap().0, 401);
    assert_eq!(get(address, "/api/games", both).await.unwrap().0, 401);

    let find = format!(r#"{{"secrets":["{axis}","{both}","nobody"]}}"#);
    let (_, found) = post(address, "/api/games/find", "", &find).await.unwrap();
    let found: Vec<GameSummary> = serde_json::from_str(&found).unwrap();
    assert_eq!((found.len(), found[0].seats.len(), found[0].at), (1, 2, 2));
    assert_eq!((found[0].side, found[0].phase.as_str()), (Some(Side::Axis), "combat"));

    let (status, document) = json(get(address, "/api/openapi.json", "").await.unwrap());
    assert_eq!(status, 200);
    for path in ["/api/games", "/api/game/act", "/api/game/odds", "/api/game/record", "/api/game/situation"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
}

#[tokio::test]
async fn files_open_with_all_their_faults() {
    let address = serve("files").await;
    let open = async |name: &str, text: &str| {
        let body = serde_json::json!({ "name": name, "text": text }).to_string();
        let (status, body) = post(address, "/api/games/open", "", &body).await.unwrap();
        (status, serde_json::from_str::<serde_json::Value>(&body).unwrap())
    };
    let bad = "rulebook = \"mini\"\nturn = 5\nturns = 4\ncolour = \"grey\"\nmap.grid = \". . ? .\"\nunits.panzers = \"0101 tired\"\n";
    let (status, faults) = open("bad.toml", bad).await;
    assert_eq!(status, 422);
    let lines: Vec<i64> =
        faults["faults"].as_array().unwrap().iter().map(|f| f["line"].as_i64().unwrap()).collect();
    assert_eq!(lines, [2, 4, 5, 6], "{faults}");
    assert_eq!(faults["faults"][0]["file"], "bad.toml");
    assert_eq!(open("x.record", "[Grognard \"record 1\"]\n[Rulebook \"chess\"]\n").await.0, 422);

    // A record goes on where it stands, with dice of its own where it has no seed.
    let record = "[Grognard \"record 1\"]\n[Rulebook \"mini\"]\n[Scenario \"bridge\"]\n[Result \"*\"]\n\
                  axis move panzers A04.03\naxis end\naxis name panzers A04.02\naxis declare ; 6\n";
    let (status, created) = open("game.record", record).await;
    assert_eq!(status, 200, "{created}");
    let seats = client::Seats { created: serde_json::from_value(created).unwrap() };
    let mut both = Client::sit(address, seats.of(&BOTH), None).await.unwrap();
    assert_eq!((both.update.at, both.info.seed_chosen), (4, false));
    both.act(&["reroll"]).await.unwrap();

    let situation = "rulebook = \"mini\"\nturn = 1\nturns = 1\nmap.grid = \". . . w .\"\nunits.panzers = \"0101\"\nunits.rifles-1 = \"0401\"\n";
    let (status, created) = open("first.toml", situation).await;
    assert_eq!(status, 200, "{created}");
    let seats = client::Seats { created: serde_json::from_value(created).unwrap() };
    let axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!((axis.info.scenario.clone(), axis.info.scenario_title.as_str()), (None, "first.toml"));
    assert_eq!(axis.lines(), ["move panzers 0201", "move panzers 0301", "end"]);
}

#[tokio::test]
async fn reference_and_maps_are_served() {
    let address = serve("reference").await;
    let text = async |path: &str| get(address, path, "").await.unwrap();
    for rulebook in ["bug", "dagc", "mini"] {
        let (status, cases) = text(&format!("/api/rulebooks/{rulebook}/cases")).await;
        let cases: Vec<server::wire::CaseInfo> = serde_json::from_str(&cases).unwrap();
        assert!(status == 200 && cases.len() > 20);
        let (_, sheets) = text(&format!("/api/rulebooks/{rulebook}/tables")).await;
        let sheets: Vec<server::wire::Sheet> = serde_json::from_str(&sheets).unwrap();
        let combat = sheets.iter().find(|sheet| sheet.name == "combat").unwrap();
        assert!(combat.rows.iter().all(|row| row.len() == combat.columns.len()), "{combat:?}");
        assert!(["rulebook", "reconstructed"].contains(&combat.source.as_str()));
        assert!(sheets.iter().any(|sheet| sheet.name == "terrain-terrain"), "{sheets:?}");
    }
    assert_eq!(text("/api/rulebooks/chess/cases").await.0, 404);
    let seats = create(address, BRIDGE).await.unwrap();
    let game = Client::sit(address, seats.of(&[]), None).await.unwrap();
    let (status, svg) = text(&game.info.map.svg).await;
    assert!(status == 200 && svg.starts_with("<svg"));
    let (_, geometry) = text(&game.info.map.json).await;
    let geometry: server::wire::Geometry = serde_json::from_str(&geometry).unwrap();
    for stack in &game.update.view.stacks {
        assert!(geometry.hexes.iter().any(|hex| hex.label == stack.hex));
    }
    assert!(geometry.hexes.iter().all(|hex| hex.x < geometry.width && hex.y < geometry.height));
    assert_eq!(text("/api/maps/nothing.svg").await.0, 404);
    assert_eq!(text("/").await.0, 200);
    assert_eq!(text("/nothing").await.0, 404);
    assert_eq!(text("/../Cargo.toml").await.0, 404);
}

/// A player who is asked the same again and again leaves word once; the server answers for him until he is asked something
/// else, or revokes it.
#[tokio::test]
async fn standing_orders_are_followed_shown_and_revoked() {
    let address = serve("orders").await;
    let situation = "rulebook = \"mini\"\nturn = 1\nturns = 2\nluck = \"\"\nstack = [\"movement axis\"]\n\n[map]\ngrid = \
                     \"\"\"\n. . . . . .\n . . . . . .\n\"\"\"\n\n[units]\npanzers = \"0101\"\njaeger = \"0102\"\nzis-3 = \"0501\"\n";
    let file = serde_json::json!({ "name": "orders.toml", "text": situation }).to_string();
    let (status, made) = post(address, "/api/games/open", "", &file).await.unwrap();
    assert_eq!(status, 200, "{made}");
    let seats = Seats { created: serde_json::from_str(&made).unwrap() };
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    let order = |line: &str| server::wire::Order {
        case: "5.1".to_owned(),
        line: line.to_owned(),
        about: None,
        until: server::wire::OrderEnd::Revoked,
    };
    soviet.say(&ClientMessage::Order { id: 77, orders: vec![order("hold")] }).await.unwrap();
    soviet.until(|update| update.orders.len() == 1).await.unwrap();
    assert!(axis.update.orders.is_empty(), "nobody sees the enemy's orders");
    axis.act(&["move panzers 0401"]).await.unwrap();
    // The gun was asked and held its fire, without anybody there.
    axis.until(|update| update.at == 2 && update.question.yours).await.unwrap();
    // What does something cannot be ordered.
    soviet.say(&ClientMessage::Order { id: 78, orders: vec![order("fire")] }).await.unwrap();
    soviet.say(&ClientMessage::Order { id: 79, orders: vec![] }).await.unwrap();
    soviet.until(|update| update.orders.is_empty()).await.unwrap();
}

/// Players talk among themselves, observers among themselves; dice are chosen only by who plays a casual game alone.
#[tokio::test]
async fn who_hears_what_is_said_and_who_may_choose_dice() {
    let address = serve("talk").await;
    let seats = create(address, BRIDGE).await.unwrap();
    let mut axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    let mut observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    let say =
        |text: &str| ClientMessage::Say { id: 7, text: text.to_owned(), name: Some("Clara".to_owned()) };
    axis.say(&say("good luck")).await.unwrap();
    assert_eq!(next_saying(&mut soviet).await, (String::new(), "good luck".to_owned()));
    observer.say(&say("hold the bridge")).await.unwrap();
    assert_eq!(next_saying(&mut observer).await, ("Clara".to_owned(), "hold the bridge".to_owned()));
    let mut late = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    assert_eq!(next_saying(&mut late).await.1, "good luck");
    let chosen = ClientMessage::Act { id: 8, decision: 1, lines: vec!["end".to_owned()], dice: vec![6] };
    axis.say(&chosen).await.unwrap();
    loop {
        if let ServerMessage::Refused { id: 8, refusal } = axis.hear().await.unwrap() {
            assert!(refusal.why.to_string().contains("casual"), "{refusal:?}");
            break;
        }
    }
}

/// The next thing that somebody hears: the name, and what was said.
async fn next_saying(client: &mut Client) -> (String, String) {
    loop {
        if let ServerMessage::Said { said } = client.hear().await.unwrap()
            && let Some(last) = said.into_iter().next_back()
        {
            return (last.name, last.text);
        }
    }
}

/// What is tried out from one's own view tells nothing of what one does not see.
#[tokio::test]
async fn a_branch_is_what_its_eyes_may_suppose() {
    let address = serve("branch").await;
    let seats = create(address, r#"{"scenario": "dagc/vitebsk", "seed": "1"}"#).await.unwrap();
    let mut german = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let Answer::Text { text, .. } = german.ask(Ask::Branch { at: 0 }).await.unwrap() else { panic!() };
    let file = serde_json::json!({ "name": "branch.toml", "text": text, "casual": true }).to_string();
    let (status, made) = post(address, "/api/games/open", "", &file).await.unwrap();
    assert_eq!(status, 200, "{made}");
    let tried = Seats { created: serde_json::from_str(&made).unwrap() };
    let mine = Client::sit(address, tried.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!(mine.update.view.stacks, german.update.view.stacks, "what one sees is the same");
    assert!(mine.info.casual);
}
