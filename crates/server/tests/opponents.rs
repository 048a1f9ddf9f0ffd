//! Opponents over real sockets: levels, thinking told and hurried, reasons.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use client::{Client, Lot, PATIENCE, create, get, post};
use hall::serve;
use server::wire::{Answer, Ask, ClientMessage, Library, ServerMessage, Side, Thinking};
use tokio::time::timeout;

/// A game in which a general has much time to think about the first phase.
fn against_general(open_thoughts: bool) -> String {
    format!(
        r#"{{"scenario":"dagc/historical","seed":"1944","players":{{"axis":{{}},"soviet":{{"level":"general"}}}},
            "opponents":{{"seconds":300,"open_thoughts":{open_thoughts}}}}}"#
    )
}

async fn until_thinking(game: &mut Client) -> Thinking {
    loop {
        if let ServerMessage::Thinking { thinking: Some(thinking) } = game.hear().await.unwrap() {
            return thinking;
        }
    }
}

/// Whether the last that was heard of it is that the opponent thinks.
fn thinks(game: &Client) -> bool {
    let told = game.heard.iter().rev().find_map(|text| match serde_json::from_str(text) {
        Ok(ServerMessage::Thinking { thinking }) => Some(thinking.is_some()),
        _ => None,
    });
    told.unwrap_or(false)
}

/// Ends every phase of the player's own, or does what must be done before, until the opponent thinks about its movement,
/// which takes long.
async fn end_until_thinking(game: &mut Client) {
    while !thinks(game) || game.update.view.phase != "movement" {
        assert_eq!(game.update.question.over, None, "it was never seen thinking");
        if game.update.question.yours {
            let lines = game.lines();
            // Whoever takes back what he puts together never comes to an end.
            let takes_back = |line: &&String| line.starts_with("leave ") || *line == "cancel";
            let first = lines.iter().find(|line| !takes_back(line)).unwrap();
            let line = if lines.iter().any(|line| line == "end") { "end" } else { first.as_str() };
            game.act(&[line]).await.unwrap();
        } else {
            game.hear().await.unwrap();
        }
    }
}

async fn hurry(game: &mut Client) -> Result<(), String> {
    game.say(&ClientMessage::Hurry { id: 4_000 }).await?;
    loop {
        match game.hear().await? {
            ServerMessage::Done { id: 4_000, .. } => return Ok(()),
            ServerMessage::Refused { id: 4_000, refusal } => return Err(refusal.why.to_string()),
            _ => {}
        }
    }
}

async fn thoughts(game: &mut Client) -> Result<Vec<server::wire::Thought>, String> {
    match game.ask(Ask::Thoughts).await {
        Ok(Answer::Thoughts { thoughts }) => Ok(thoughts),
        Ok(other) => Err(format!("{other:?}")),
        Err(refusal) => Err(refusal.why.to_string()),
    }
}

#[tokio::test]
async fn a_recruit_plays_to_the_end() {
    let address = serve("recruit").await;
    let body = r#"{"scenario":"mini/ford","players":{"axis":{},"soviet":{"level":"recruit"}}}"#;
    let seats = create(address, body).await.unwrap();
    let mut game = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!(game.info.players.soviet.level.as_deref(), Some("recruit"));
    assert_eq!((game.info.opponents.seconds, game.info.opponents.open_thoughts), (10, false));
    assert_eq!(hurry(&mut game).await.unwrap_err(), "no opponent is thinking");
    assert_eq!(thoughts(&mut game).await.unwrap_err(), "opponents tell their reasons when the game is over");
    let mut lot = Lot(11);
    loop {
        game.until(|update| update.question.yours || update.question.over.is_some()).await.unwrap();
        if game.update.question.over.is_some() {
            break;
        }
        let lines = game.lines();
        game.act(&[&lines[lot.draw(lines.len())].clone()]).await.unwrap();
    }
    // Every one of its actions is in the log, however many came in one update.
    let of = game.update.at;
    let Answer::Log { log, .. } = game.ask(Ask::Log { from: 0, to: of }).await.unwrap() else { panic!() };
    assert_eq!(log.len(), of as usize);
    assert!(log.iter().any(|entry| entry.side == Side::Soviet));
    // It looks one decision ahead and has no plan to tell of.
    assert_eq!(thoughts(&mut game).await.unwrap(), []);
}

#[tokio::test]
async fn levels_are_those_of_the_rulebook() {
    let address = serve("levels").await;
    let (_, library) = get(address, "/api/library", "").await.unwrap();
    let library: Library = serde_json::from_str(&library).unwrap();
    let levels = |book: &str| -> Vec<String> {
        let info = library.rulebooks.iter().find(|info| info.name == book).unwrap();
        info.levels.iter().map(|level| level.name.clone()).collect()
    };
    assert_eq!(levels("mini"), ["random", "recruit"]);
    assert_eq!(levels("dagc"), ["random", "recruit", "officer", "general"]);
    assert_eq!(levels("bug")[0], "random");

    let refused = async |body: &str| {
        let (status, faults) = post(address, "/api/games", "", body).await.unwrap();
        assert_eq!(status, 422, "{faults}");
        let faults: server::wire::Faults = serde_json::from_str(&faults).unwrap();
        (faults.faults[0].field.clone(), faults.faults[0].message.clone())
    };
    let (field, why) =
        refused(r#"{"scenario":"mini/ford","players":{"axis":{},"soviet":{"level":"general"}}}"#).await;
    assert_eq!(
        (field.as_str(), why.as_str()),
        ("level", "The Ford has no opponent `general`; it has random, recruit")
    );
    let (field, why) =
        refused(r#"{"scenario":"mini/ford","players":{"axis":{},"soviet":{"level":"marshal"}}}"#).await;
    assert_eq!(field, "level");
    assert!(why.starts_with("there is no opponent `marshal`"), "{why}");
    for seconds in [0, 301] {
        let body = format!(r#"{{"scenario":"mini/ford","opponents":{{"seconds":{seconds}}}}}"#);
        let (field, why) = refused(&body).await;
        assert_eq!((field.as_str(), why), ("seconds", format!("expected 1 to 300, found {seconds}")));
    }
    // A rulebook without a school is played at random.
    let body =
        r#"{"scenario":"bug/bridges","players":{"axis":{"level":"random"},"soviet":{"level":"random"}}}"#;
    let seats = create(address, body).await.unwrap();
    let mut observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    observer.until(|update| update.at > 50).await.unwrap();
    assert_eq!(hurry(&mut observer).await.unwrap_err(), "an observer cannot hurry anybody");
}

#[tokio::test]
async fn a_general_is_seen_thinking_and_can_be_hurried() {
    let address = serve("general").await;
    let seats = create(address, &against_general(true)).await.unwrap();
    let mut game = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    assert_eq!(game.update.question.side, Some(Side::Soviet));
    for watching in [&mut game, &mut observer] {
        let thinking = until_thinking(watching).await;
        assert_eq!(thinking.side, Side::Soviet);
        assert!((0.0..=1.0).contains(&thinking.progress));
    }
    // Meanwhile nobody's question waits, and what it thinks is told of no phase that goes on.
    assert_eq!(thoughts(&mut game).await.unwrap(), []);
    let first = game.update.sequence.phase;
    hurry(&mut game).await.unwrap();
    let hurried = async {
        while game.update.sequence.phase == first {
            game.until(|update| update.sequence.phase != first || update.question.yours).await.unwrap();
            if game.update.question.yours {
                game.act(&[&game.lines()[0].clone()]).await.unwrap();
            }
        }
    };
    timeout(PATIENCE, hurried).await.expect("long before its time is spent");
    let told = thoughts(&mut game).await.unwrap();
    assert!(!told.is_empty());
    for thought in &told {
        assert_eq!((thought.side, thought.turn), (Side::Soviet, 1));
        assert!(thought.phase != game.update.view.phase && !thought.sentences.is_empty(), "{thought:?}");
    }
}

#[tokio::test]
async fn a_general_keeps_its_thoughts_to_itself() {
    let address = serve("closed").await;
    let seats = create(address, &against_general(false)).await.unwrap();
    let mut game = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let mut observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    until_thinking(&mut game).await;
    for asking in [&mut game, &mut observer] {
        let refused = thoughts(asking).await.unwrap_err();
        assert_eq!(refused, "opponents tell their reasons when the game is over");
    }
    let (status, _) = post(address, "/api/game/hurry", seats.of(&[Side::Axis]), "").await.unwrap();
    assert_eq!(status, 204);
    game.until(|update| update.at > 1).await.unwrap();
    assert!(game.heard.iter().chain(&observer.heard).all(|text| !text.contains("Played through")));
}

#[tokio::test]
async fn an_undo_ends_the_thinking_about_what_was_undone() {
    let address = serve("overtaken").await;
    let body = r#"{"scenario":"dagc/historical","seed":"1944","players":{"axis":{"level":"general"},"soviet":{}},
                   "opponents":{"seconds":300}}"#;
    let seats = create(address, body).await.unwrap();
    let mut game = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    end_until_thinking(&mut game).await;
    let at = game.update.at;
    game.undo().await.unwrap();
    assert!(game.update.at < at && game.update.question.yours);
    // It does not go on with what is no more, and thinks about what comes instead.
    while thinks(&game) {
        game.hear().await.unwrap();
    }
    end_until_thinking(&mut game).await;
    hurry(&mut game).await.unwrap();
    game.until(|update| update.at > at).await.unwrap();
}
