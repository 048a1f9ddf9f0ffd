//! A client that attacks: every hole that was ever found is tried again.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use client::{Client, Lot, Seats, create, create_for_two, get, post};
use hall::serve;
use server::wire::{Ask, ClientMessage, Eyes, Order, OrderEnd, Seat, ServerMessage, Side, Update};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const BOTH: [Side; 2] = [Side::Axis, Side::Soviet];

/// Games that come to their end within a few hundred random actions.
const SHORT: [&str; 4] = ["mini/bridge", "dagc/vitebsk", "bug/bridges", "bite/wolomin"];

/// Who ends a game sees the seed and everything hidden: if he could take that back, he would know every die to come.
#[tokio::test]
async fn the_end_of_a_game_is_not_taken_back() {
    let address = serve("no-way-back").await;
    for scenario in SHORT {
        let body = format!(r#"{{"scenario":"{scenario}","seed":"1944"}}"#);
        let seats = create(address, &body).await.unwrap();
        let mut both = Client::sit(address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
        both.without_pause = 100;
        let mut lot = Lot(1944);
        while both.update.question.over.is_none() {
            // Whoever ends what he may ends the game soonest, often without a die.
            let lines = both.lines();
            let line = match lines.iter().find(|line| ["end", "pass"].contains(&line.as_str())) {
                Some(end) => end.clone(),
                None => lines[lot.draw(lines.len())].clone(),
            };
            both.act(&[&line]).await.unwrap();
        }
        assert!(both.update.question.over.as_ref().unwrap().seed.is_some(), "{scenario}");
        assert!(!both.update.undo.can, "{scenario}: undo is offered");
        assert!(both.undo().await.is_err(), "{scenario}: the end was taken back");
    }
}

async fn send_file(address: SocketAddr, text: &str) -> (u16, String) {
    let body = serde_json::json!({ "name": "sent", "text": text }).to_string();
    post(address, "/api/games/open", "", &body).await.unwrap()
}

/// A file costs what its length costs, whatever it holds, and nobody waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_files_do_not_stop_the_server() {
    let address = serve("small-files").await;
    let tags = "[Grognard \"record 1\"]\n[Rulebook \"mini\"]\n";
    let files = [
        format!("{tags}{}", "| \n".repeat(300_000)),
        format!("{tags}{}", "| x\n".repeat(200_000)),
        format!("{tags}axis end\n{}", "|\n".repeat(400_000)),
        format!("{tags}{}", "[x]\n".repeat(200_000)),
        format!("rulebook = \"mini\"\n{}", (0..80_000).map(|n| format!("a{n}=1\n")).collect::<String>()),
        format!("rulebook = \"mini\"\nunits = {{{}}}", "a=1,".repeat(200_000)),
        "[".repeat(1_000_000),
    ];
    let sent: Vec<_> = files
        .into_iter()
        .map(|file| {
            tokio::spawn(async move {
                let begun = Instant::now();
                let (status, faults) = send_file(address, &file).await;
                assert!(status == 422 && faults.len() < 200_000, "{status}, {} bytes", faults.len());
                begun.elapsed()
            })
        })
        .collect();
    // Meanwhile everybody else is served.
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..20 {
        let begun = Instant::now();
        assert_eq!(get(address, "/api/library", "").await.unwrap().0, 200);
        assert!(begun.elapsed() < Duration::from_secs(3), "a request waited {:?}", begun.elapsed());
    }
    for file in sent {
        let took = file.await.unwrap();
        assert!(took < Duration::from_secs(30), "all files together took {took:?}");
    }
    let (status, why) = send_file(address, &"#".repeat(7 << 19)).await;
    assert!(status == 422 && why.contains("at most 3072 KiB"), "{status}: {why:.200}");
    let long = format!("{tags}[Scenario \"ford\"]\n{}", "axis end\n".repeat(130_000));
    let (status, why) = send_file(address, &long).await;
    assert!(status == 422 && why.contains("at most 120000 actions"), "{status}: {why:.200}");
}

/// Nobody learns where the enemy's units are by asking what they could do: every unit is answered for in the same words.
#[tokio::test]
async fn nobody_tries_out_what_the_enemy_could_do() {
    let address = serve("tried-out").await;
    for (scenario, form) in [
        ("mini/ford", "move"),
        ("dagc/historical", "move"),
        ("bug/bridges", "pick"),
        ("bite/wolomin", "move"),
    ] {
        let body = format!(r#"{{"scenario":"{scenario}","seed":"1944"}}"#);
        let seats = create(address, &body).await.unwrap();
        let decides = Client::sit(address, seats.of(&BOTH), None).await.unwrap().update.question.side;
        let mut asker = Client::sit(address, seats.of(&[decides.unwrap()]), None).await.unwrap();
        let enemies: Vec<String> = asker
            .info
            .counters
            .iter()
            .filter(|counter| Some(counter.side) != decides)
            .map(|counter| counter.unit.clone())
            .collect();
        for complete in [false, true] {
            for ends in 1..5 {
                let mut told: Vec<String> = Vec::new();
                for unit in enemies.iter().take(12) {
                    let mut lines = vec!["end".to_owned(); ends];
                    lines.push(format!("{form} {unit}"));
                    let answer = asker.ask(Ask::Odds { lines, complete }).await;
                    let refusal = answer.expect_err("the enemy's action was tried out");
                    told.push(refusal.why.to_string().replace(unit.as_str(), "UNIT"));
                }
                told.dedup();
                assert_eq!(told.len(), 1, "{scenario}: {told:#?}");
            }
        }
    }
}

/// Who opens a connection and says nothing, or never ends what he says, is not waited for.
#[tokio::test]
async fn half_open_connections_are_closed() {
    let address = serve("half-open").await;
    let said = ["", "GET / HTTP/1.1\r\n", "POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\n"];
    let mut open = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(said[number % said.len()].as_bytes()).await.unwrap();
        open.push(stream);
    }
    assert_eq!(get(address, "/api/library", "").await.unwrap().0, 200);
    let closed = async {
        for mut stream in open {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        }
    };
    timeout(Duration::from_secs(30), closed).await.expect("all are closed");
}

/// A body that never ends is not waited for either.
#[tokio::test]
async fn slow_bodies_are_given_up() {
    let address = serve("slow-body").await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/games HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 1000];
    let read = timeout(Duration::from_secs(40), stream.read(&mut answer)).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer[..read.unwrap()]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 422") || answer.starts_with("HTTP/1.1 408"), "{answer}");
}

/// Drawings of maps that were sent go with the games that need them.
#[tokio::test]
async fn maps_that_nobody_looks_at_are_forgotten() {
    let address = serve("maps").await;
    let mut links = Vec::new();
    // Fewer than an address may send at once, more than lie open.
    for number in 0..59 {
        links.push(drawn(address, number).await);
    }
    tokio::time::sleep(Duration::from_secs(10)).await;
    for number in 59..67 {
        links.push(drawn(address, number).await);
    }
    assert_eq!(get(address, links.last().unwrap(), "").await.unwrap().0, 200);
    let mut left = 0;
    for link in &links {
        left += usize::from(get(address, link, "").await.unwrap().0 == 200);
    }
    assert!(left < 64, "{left} maps are still there");
}

/// Opens a game with a map of its own, looks at it and leaves; where the map is.
async fn drawn(address: SocketAddr, number: usize) -> String {
    let text = format!(
        "rulebook = \"mini\"\nturn = 1\nturns = 1\nmap.title = \"Map {number}\"\nmap.grid = \". . . w .\"\n\
         units.panzers = \"0101\"\nunits.rifles-1 = \"0401\"\n"
    );
    let (status, created) = send_file(address, &text).await;
    assert_eq!(status, 200, "{created}");
    let seats = client::Seats { created: serde_json::from_str(&created).unwrap() };
    Client::sit(address, seats.of(&[]), None).await.unwrap().info.map.svg
}

#[tokio::test]
async fn nothing_is_larger_than_it_need_be() {
    let address = serve("sizes").await;
    let long = "x".repeat(101);
    for body in [
        serde_json::json!({ "scenario": "mini/ford", "seed": long }),
        serde_json::json!({ "scenario": "mini/ford", "players": { "axis": { "name": long }, "soviet": {} } }),
        serde_json::json!({ "scenario": "x".repeat(1_000_000) }),
        serde_json::json!({ "scenario": "mini/ford", "options": vec!["x".repeat(100); 10_000] }),
    ] {
        let (status, why) = post(address, "/api/games", "", &body.to_string()).await.unwrap();
        assert!(status == 422 && why.len() < 100_000, "{status}: {} bytes", why.len());
    }
    // Files: so many at once, then one a second.
    let mut refused = false;
    for _ in 0..80 {
        refused |= send_file(address, "rulebook = 1").await.0 == 429;
    }
    assert!(refused);
}

/// One seat asks sixty hard questions at once, and another seat's question is answered as if it had not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_much_keeps_nobody_waiting() {
    let address = serve("much-asked").await;
    let greedy = create(address, r#"{"scenario":"dagc/vitebsk","seed":"1"}"#).await.unwrap();
    let modest = create(address, r#"{"scenario":"dagc/vitebsk","seed":"2"}"#).await.unwrap();
    let mut modest = Client::sit(address, modest.of(&BOTH), Some(Eyes::All)).await.unwrap();
    let attack = modest.lines()[0].clone();
    let mut askers = Vec::new();
    for _ in 0..4 {
        let mut asker = Client::sit(address, greedy.of(&BOTH), Some(Eyes::All)).await.unwrap();
        let attack = attack.clone();
        askers.push(tokio::spawn(async move {
            for id in 1000..1015 {
                let ask = Ask::Odds { lines: vec![attack.clone()], complete: true };
                asker.say(&server::wire::ClientMessage::Ask { id, ask }).await.unwrap();
            }
            // Every question is answered in the end.
            let mut answered = 0;
            while answered < 15 {
                answered += usize::from(!matches!(
                    asker.hear().await.unwrap(),
                    ServerMessage::Update(_) | ServerMessage::Presence(_)
                ));
            }
        }));
    }
    for _ in 0..10 {
        let begun = Instant::now();
        modest.ask(Ask::Odds { lines: vec![attack.clone()], complete: true }).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5), "waited {:?}", begun.elapsed());
    }
    for asker in askers {
        asker.await.unwrap();
    }
}

/// One scenario of each rulebook.
const EACH: [&str; 6] =
    ["mini/ford", "dagc/vitebsk", "bug/bridges", "bite/wolomin", "barbarossa/smolensk", "depot/railhead"];

/// The two players of a game: who decides, and who waits.
async fn players(address: SocketAddr, scenario: &str) -> [Client; 2] {
    let made = create_for_two(address, &format!(r#"{{"scenario":"{scenario}","you":"axis"}}"#)).await;
    let seats = made.unwrap();
    let axis = Client::sit(address, seats.of(&[Side::Axis]), None).await.unwrap();
    let soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    if axis.update.question.yours { [axis, soviet] } else { [soviet, axis] }
}

fn may(update: &Update, line: &str) -> bool {
    update.unasked.iter().any(|unasked| unasked.line == line)
}

/// Who offers a draw while the other side decides, takes that back and does it again has offered it himself. Were it the other
/// side's offer, he could accept it.
#[tokio::test]
async fn a_draw_is_not_offered_in_the_enemys_name() {
    let address = serve("forged-draw").await;
    for scenario in EACH {
        let [mut decides, mut waits] = players(address, scenario).await;
        waits.act(&["offer-draw"]).await.unwrap();
        waits.undo().await.unwrap();
        waits.redo().await.unwrap();
        assert!(!may(&waits.update, "accept-draw"), "{scenario}: his own offer is there to be accepted");
        assert!(waits.act(&["accept-draw"]).await.is_err(), "{scenario}");
        decides.until(|update| may(update, "accept-draw")).await.unwrap();
    }
}

/// Whatever a player says or orders while the other one decides keeps that one from nothing.
#[tokio::test]
async fn what_is_only_said_makes_no_answer_stale() {
    let address = serve("said").await;
    for scenario in EACH {
        let [mut decides, mut waits] = players(address, scenario).await;
        let before = decides.update.decision;
        let forms = &waits.info.forms;
        let finish = forms.iter().find(|form| form.finishes && form.fields.is_empty()).unwrap().name.clone();
        let order = |about: Option<String>| Order {
            case: "1.1".to_owned(),
            line: finish.clone(),
            about,
            until: OrderEnd::Revoked,
        };
        waits.say(&ClientMessage::Order { id: 900, orders: vec![order(None)] }).await.unwrap();
        while !matches!(waits.hear().await.unwrap(), ServerMessage::Done { id: 900, .. }) {}
        // Not even that he has left word is known to the enemy.
        assert_eq!(waits.update.decision, before, "{scenario}");
        let long = vec![order(Some("x".repeat(60_000)))];
        waits.say(&ClientMessage::Order { id: 901, orders: long }).await.unwrap();
        while !matches!(waits.hear().await.unwrap(), ServerMessage::Refused { id: 901, .. }) {}
        for _ in 0..3 {
            waits.act(&["offer-draw"]).await.unwrap();
            waits.undo().await.unwrap();
        }
        waits.act(&["offer-draw"]).await.unwrap();
        let line = decides.lines()[0].clone();
        decides.act_in(before, &[&line]).await.unwrap();
        assert!(decides.act_in(before, &[&line]).await.unwrap_err().stale, "{scenario}: answered twice");
    }
}

/// What is said is shown as it is: nothing in it turns the words of others round, and nobody says nothing.
#[tokio::test]
async fn what_is_said_is_what_is_shown() {
    let address = serve("shown").await;
    let [mut axis, mut soviet] = players(address, "mini/ford").await;
    let mut say = async |id: u32, text: &str| {
        axis.say(&ClientMessage::Say { id, text: text.to_owned(), name: None }).await.unwrap();
        loop {
            match axis.hear().await.unwrap() {
                ServerMessage::Done { id: done, .. } if done == id => return true,
                ServerMessage::Refused { id: refused, .. } if refused == id => return false,
                _ => {}
            }
        }
    };
    for nothing in ["", " \n\t", "\u{200b}\u{feff}", "\u{202e}", "\u{e0041}"] {
        assert!(!say(900, nothing).await, "{nothing:?} was said");
    }
    assert!(say(901, "<b>one</b>\n[Seed \"1\"]\u{202e} \u{2067}two\u{2028}three").await);
    let said = loop {
        if let ServerMessage::Said { said } = soviet.hear().await.unwrap()
            && let Some(said) = said.into_iter().next_back()
        {
            break said.text;
        }
    };
    assert_eq!(said, "<b>one</b> [Seed \"1\"] two three");
}

/// Who waits for a change with the old link of a seat that was renewed meanwhile is told nothing.
#[tokio::test]
async fn who_has_lost_his_seat_waits_for_nothing() {
    let address = serve("lost-seat").await;
    let seats = create_for_two(address, r#"{"scenario":"mini/ford","you":"axis"}"#).await.unwrap();
    for side in [Side::Axis, Side::Soviet] {
        Client::sit(address, seats.of(&[side]), None).await.unwrap();
    }
    let old = seats.of(&[Side::Axis]).to_owned();
    let secret = old.clone();
    let waiting =
        tokio::spawn(async move { get(address, "/api/game/view?after=1", &secret).await.unwrap().0 });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (_, renewed) = post(address, "/api/seat/renew", &old, "").await.unwrap();
    let renewed: Seat = serde_json::from_str(&renewed).unwrap();
    let act = r#"{"decision":1,"lines":["end"]}"#;
    assert_eq!(post(address, "/api/game/act", &renewed.secret, act).await.unwrap().0, 200);
    assert_eq!(waiting.await.unwrap(), 401);
}

/// Who asks for much and takes nothing of it is given up, and does not hold his connection for ever.
#[tokio::test]
async fn who_takes_nothing_is_given_up() {
    const REQUESTS: usize = 400;
    let address = serve("takes-nothing").await;
    let seats = create(address, r#"{"scenario":"mini/ford"}"#).await.unwrap();
    let map = Client::sit(address, seats.of(&[]), None).await.unwrap().info.map.svg;
    let (mut answers, mut requests) = TcpStream::connect(address).await.unwrap().into_split();
    let head = format!("GET {map} HTTP/1.1\r\nhost: {address}\r\n\r\n").repeat(REQUESTS);
    requests.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(45)).await;
    let mut taken = Vec::new();
    let _ = timeout(Duration::from_secs(60), answers.read_to_end(&mut taken)).await;
    let answered = taken.windows(13).filter(|text| *text == b"HTTP/1.1 200 ").count();
    assert!(answered > 0 && answered < REQUESTS, "{answered} of {REQUESTS} requests were answered");
    drop(requests);
}

/// A record of so many actions.
fn long_record(actions: usize) -> String {
    let tags = "[Grognard \"record 1\"]\n[Rulebook \"mini\"]\n[Scenario \"ford\"]\n";
    format!("{tags}{}", "soviet offer-draw\naxis decline-draw\n".repeat(actions / 2))
}

/// How long the slowest of some clicks takes.
async fn slowest_click(mut game: Client) -> Duration {
    let mut slowest = Duration::ZERO;
    for _ in 0..10 {
        let begun = Instant::now();
        game.act(&["end"]).await.unwrap();
        game.undo().await.unwrap();
        slowest = slowest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    slowest
}

/// Questions that need the whole log are not answered by the threads that serve clicks, however many there are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_click_waits_for_those_who_read_the_log() {
    let address = serve("log-readers").await;
    let (status, made) = send_file(address, &long_record(40_000)).await;
    assert_eq!(status, 200, "{made}");
    let seats = Seats { created: serde_json::from_str(&made).unwrap() };
    let modest = create(address, r#"{"scenario":"mini/ford","seed":"1"}"#).await.unwrap();
    let modest = Client::sit(address, modest.of(&BOTH), Some(Eyes::All)).await.unwrap();
    for _ in 0..40 {
        let mut asker = Client::sit(address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
        for id in 1000..1015 {
            asker.say(&ClientMessage::Ask { id, ask: Ask::Luck }).await.unwrap();
        }
        tokio::spawn(async move { while asker.hear().await.is_ok() {} });
    }
    let slowest = slowest_click(modest).await;
    assert!(slowest < Duration::from_millis(1500), "a click took {slowest:?}");
}

/// However many games somebody makes at once, the clicks of others do not wait for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_click_waits_for_new_games() {
    let address = serve("new-games").await;
    let modest = create(address, r#"{"scenario":"mini/ford","seed":"1"}"#).await.unwrap();
    let modest = Client::sit(address, modest.of(&BOTH), Some(Eyes::All)).await.unwrap();
    for _ in 0..200 {
        tokio::spawn(create(address, r#"{"scenario":"bug/campaign"}"#));
    }
    let slowest = slowest_click(modest).await;
    assert!(slowest < Duration::from_millis(1500), "a click took {slowest:?}");
}

/// Every secret is looked up in the file, on the thread that also writes: so often may nobody ask.
#[tokio::test]
async fn games_are_not_looked_for_without_end() {
    let address = serve("looked-for").await;
    let body = serde_json::json!({ "secrets": vec!["0".repeat(32); 200] }).to_string();
    let mut refused = 0;
    for _ in 0..100 {
        refused += u32::from(post(address, "/api/games/find", "", &body).await.unwrap().0 == 429);
    }
    assert!(refused > 10, "{refused} of 100 were refused");
}
