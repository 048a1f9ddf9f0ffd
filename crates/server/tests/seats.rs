//! Who sits where, and what the dice are made of.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use client::{Client, Lot, accept, create, create_for_two, get, post};
use hall::serve;
use server::wire::{Answer, Ask, Eyes, Invitation, Seat, ServerMessage, Side};

const FOR_TWO: &str = r#"{"scenario":"mini/ford","you":"axis"}"#;

#[tokio::test]
async fn between_two_people_nobody_holds_both_seats() {
    let address = serve("for-two").await;
    let made = create(address, FOR_TWO).await.unwrap();
    let sides: Vec<&[Side]> = made.created.seats.iter().map(|seat| seat.sides.as_slice()).collect();
    assert_eq!(sides, [&[Side::Axis][..], &[]]);
    let invitation = made.created.invitation.clone().unwrap();
    assert_eq!(invitation.sides, [Side::Soviet]);

    // An invitation is no seat, says what it is for, and works once.
    assert!(Client::sit(address, &invitation.secret, None).await.is_err());
    let body = serde_json::json!({ "invitation": invitation.secret }).to_string();
    let (status, seen) = post(address, "/api/invitations/view", "", &body).await.unwrap();
    let seen: Invitation = serde_json::from_str(&seen).unwrap();
    assert_eq!((status, seen.sides, seen.game.title.as_str()), (200, vec![Side::Soviet], "The Ford"));
    assert_eq!(seen.commitment, made.created.commitment);
    assert!(seen.game.seats.is_empty() && seen.game.for_two);
    let taken = accept(address, &invitation.secret).await.unwrap();
    assert_ne!(taken.seat.secret, invitation.secret);
    assert!(accept(address, &invitation.secret).await.unwrap_err().contains("used already"));
    assert_eq!(post(address, "/api/invitations/view", "", &body).await.unwrap().0, 404);
    let soviet = Client::sit(address, &taken.seat.secret, None).await.unwrap();
    assert_eq!(soviet.seat.eyes, [Eyes::Soviet]);
    assert!(soviet.info.for_two && !soviet.info.seed_chosen);

    // Nobody may know the dice of such a game beforehand, neither by a seed nor by a file that has one.
    let chosen = r#"{"scenario":"mini/ford","you":"axis","seed":"1944"}"#;
    assert!(create(address, chosen).await.err().unwrap().contains("only where one person plays"));
    let against_program =
        r#"{"scenario":"mini/ford","you":"soviet","players":{"axis":{},"soviet":{"level":"random"}}}"#;
    assert!(create(address, against_program).await.err().unwrap().contains("the program plays this side"));
    let record = "[Grognard \"record 1\"]\n[Rulebook \"mini\"]\n[Scenario \"ford\"]\n[Seed \"1944\"]\n";
    let body = serde_json::json!({ "name": "a", "text": record, "you": "axis" }).to_string();
    let (status, made) = post(address, "/api/games/open", "", &body).await.unwrap();
    let made: server::wire::Created = serde_json::from_str(&made).unwrap();
    assert!(status == 200 && made.commitment.is_some());
    assert_ne!(made.commitment, Some(engine::Seed("1944".to_owned()).commitment()));
}

/// Waits until the server sends somebody away, and says why it did.
async fn sent_away(client: &mut Client) -> String {
    loop {
        match client.hear().await.unwrap() {
            ServerMessage::Goodbye { why, again } => {
                assert!(!again);
                return why;
            }
            _ => continue,
        }
    }
}

#[tokio::test]
async fn seats_are_renewed_and_given_up() {
    let address = serve("renewed").await;
    let seats = create_for_two(address, FOR_TWO).await.unwrap();
    let (old, soviet) = (seats.of(&[Side::Axis]), seats.of(&[Side::Soviet]));
    let mut watched = Client::sit(address, old, None).await.unwrap();
    let (status, renewed) = post(address, "/api/seat/renew", old, "").await.unwrap();
    let renewed: Seat = serde_json::from_str(&renewed).unwrap();
    assert_eq!((status, &renewed.sides), (200, &vec![Side::Axis]));
    assert!(sent_away(&mut watched).await.contains("renewed or given up"));
    assert_eq!(get(address, "/api/game", old).await.unwrap().0, 401);
    let mut axis = Client::sit(address, &renewed.secret, None).await.unwrap();
    assert_eq!(post(address, "/api/seat/renew", seats.of(&[]), "").await.unwrap().0, 409);

    // Nobody invites anybody to a seat that somebody holds; when it is given up, the other one does.
    let invite = async |secret: &str, side: &str| {
        post(address, "/api/game/invite", secret, &format!(r#"{{"side":"{side}"}}"#)).await.unwrap()
    };
    assert_eq!(invite(&renewed.secret, "soviet").await.0, 409);
    assert_eq!(post(address, "/api/seat/leave", soviet, "").await.unwrap().0, 204);
    assert_eq!(get(address, "/api/game", soviet).await.unwrap().0, 401);
    while axis.presence.free != [Side::Soviet] {
        axis.hear().await.unwrap();
    }
    assert_eq!(invite(&renewed.secret, "axis").await.0, 409);
    assert_eq!(invite(seats.of(&[]), "soviet").await.0, 409);
    let (_, first) = invite(&renewed.secret, "soviet").await;
    let (status, second) = invite(&renewed.secret, "soviet").await;
    assert_eq!(status, 200);
    let [first, second]: [Seat; 2] = [first, second].map(|seat| serde_json::from_str(&seat).unwrap());
    assert!(accept(address, &first.secret).await.is_err(), "the later one replaces it");
    let taken = accept(address, &second.secret).await.unwrap();
    assert!(Client::sit(address, &taken.seat.secret, None).await.is_ok());
    while !axis.presence.free.is_empty() {
        axis.hear().await.unwrap();
    }
}

#[tokio::test]
async fn no_secret_stands_in_the_file() {
    let address = serve("digests").await;
    let seats = create_for_two(address, FOR_TWO).await.unwrap();
    let mut secrets: Vec<String> = seats.created.seats.iter().map(|seat| seat.secret.clone()).collect();
    secrets.push(create(address, FOR_TWO).await.unwrap().created.invitation.unwrap().secret);
    let file = client::path_of("digests");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend(std::fs::read(file.with_extension("db-wal")).unwrap());
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains(&seats.created.id));
    assert!(secrets.iter().all(|secret| !text.contains(secret.as_str())));
    #[cfg(unix)]
    for ending in ["db", "db-wal", "db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(file.with_extension(ending)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{ending}");
    }
}

/// Plays at random to the end, and gives the record.
async fn play(players: &mut [Client], lot: &mut Lot) -> String {
    while players[0].update.question.over.is_none() {
        let deciding = players.iter().position(|player| player.update.question.yours).unwrap();
        let lines = players[deciding].lines();
        let line = lines[lot.draw(lines.len())].clone();
        players[deciding].act(&[&line]).await.unwrap();
        let decision = players[deciding].update.decision;
        for player in &mut *players {
            player.until(|update| update.decision == decision).await.unwrap();
        }
    }
    let Answer::Text { text, .. } = players[0].ask(Ask::Record).await.unwrap() else { panic!("no record") };
    text
}

fn is_proved(record: &str) -> bool {
    let book = mini::shelved();
    let record = engine::Record::parse(&source::Source::new("dice.record", record)).unwrap();
    book.verify(&book.embedded(), &record).is_ok()
}

#[tokio::test]
async fn the_dice_are_mixed_from_a_secret_and_a_number_of_each_player() {
    let address = serve("mixed").await;
    let seats = create_for_two(address, r#"{"scenario":"mini/bridge","you":"axis"}"#).await.unwrap();
    let commitment = seats.created.commitment.clone().unwrap();
    let axis = Client::sit_with(address, seats.of(&[Side::Axis]), None, Some("anna1")).await;
    let mut axis = axis.unwrap();
    assert_eq!(axis.info.commitment.as_ref(), Some(&commitment));
    // Nothing is done before everybody has given his number.
    while axis.presence.awaited != [Side::Soviet] {
        axis.hear().await.unwrap();
    }
    let refusal = axis.act(&["end"]).await.unwrap_err();
    assert_eq!(refusal.why, "the game begins when the Soviet player has sat down");
    let strange = Client::sit_with(address, seats.of(&[Side::Soviet]), None, Some("a \"b\"")).await;
    assert!(strange.err().unwrap().contains("letters and digits"));
    let soviet = Client::sit_with(address, seats.of(&[Side::Soviet]), None, Some("boris2")).await;
    let mut players = [axis, soviet.unwrap()];
    // The first number counts.
    assert!(Client::sit_with(address, seats.of(&[Side::Axis]), None, Some("other")).await.is_ok());
    while !players[0].presence.awaited.is_empty() {
        players[0].hear().await.unwrap();
    }
    let record = play(&mut players, &mut Lot(4)).await;
    let over = players[1].update.question.over.clone().unwrap();
    let mixture = over.mixture.unwrap();
    assert_eq!((mixture.nonces.axis.as_str(), mixture.nonces.soviet.as_str()), ("anna1", "boris2"));
    assert_eq!(engine::Mixture::commitment(&mixture.secret), commitment);
    assert!(is_proved(&record), "{record}");
    for (told, forged) in [
        ("anna1", "anna2"),
        ("boris2", "boris3"),
        (&*mixture.secret, "0123456789abcdef0123456789abcdef"),
        (&*seats.created.id, "0123456789abcdef0123456789abcdef"),
        (&*commitment, "0123"),
    ] {
        assert!(record.contains(told));
        assert!(!is_proved(&record.replace(told, forged)), "{told} counts for nothing");
    }
}

#[tokio::test]
async fn one_person_may_choose_a_seed_and_everybody_is_told() {
    let address = serve("chosen").await;
    let seats = create(address, r#"{"scenario":"mini/bridge","seed":"1944"}"#).await.unwrap();
    let observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
    // A short seed would be found from its commitment.
    assert_eq!((observer.info.commitment.clone(), observer.info.seed_chosen), (None, true));
    let mut both =
        Client::sit(address, seats.of(&[Side::Axis, Side::Soviet]), Some(Eyes::All)).await.unwrap();
    let record = play(std::slice::from_mut(&mut both), &mut Lot(2)).await;
    assert!(record.contains("[Seed \"1944\"]") && is_proved(&record));
    // Over HTTP who gives no number has given an empty one.
    let seats = create(address, r#"{"scenario":"mini/bridge"}"#).await.unwrap();
    let secret = seats.of(&[Side::Axis]);
    assert_eq!(post(address, "/api/game/nonce", secret, r#"{"nonce":"x1"}"#).await.unwrap().0, 204);
    let act = r#"{"decision":1,"lines":["end"]}"#;
    assert_eq!(post(address, "/api/game/act", secret, act).await.unwrap().0, 200);
}

/// A name stands in the record, between its tags: whatever it holds, it is a name and no tag.
#[tokio::test]
async fn a_name_is_no_tag_of_the_record() {
    let address = serve("names").await;
    for name in [
        "A\"]\n[Seed \"1944\"]",
        "\\\"]\r\n| turns = 1",
        "\n\nsoviet concede",
        "\u{85}[Casual \"yes\"]\u{2028}x",
    ] {
        let players = serde_json::json!({ "axis": { "name": name }, "soviet": { "name": name } });
        let body = serde_json::json!({ "scenario": "mini/bridge", "you": "axis", "players": players });
        let seats = create_for_two(address, &body.to_string()).await.unwrap();
        let axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
        let soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
        assert_eq!(axis.info.players.axis.name, name);
        assert!(!axis.info.seed_chosen && !axis.info.casual && axis.info.commitment.is_some(), "{name:?}");
        assert_eq!(axis.update.at, 0, "{name:?}");
        let record = play(&mut [axis, soviet], &mut Lot(6)).await;
        let has = |tag: &str| record.lines().any(|line| line.starts_with(tag));
        assert!(is_proved(&record) && !has("[Seed ") && !has("[Casual ") && !has("|"), "{record}");
    }
}
