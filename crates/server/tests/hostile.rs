//! Whatever is sent is answered or closed, and the server goes on.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use std::fmt::Debug;
use std::net::SocketAddr;
use std::time::Duration;

use client::{Client, Lot, create, http, open, post};
use futures_util::{SinkExt, StreamExt};
use hall::serve;
use server::wire::{Ask, Side, VERSION};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Bytes, Message};

const FORD: &str = r#"{"scenario":"mini/ford","seed":"1"}"#;

/// What the server gives, a little later when so many requests before it were beyond the limit.
async fn patiently<T, E: Debug>(mut request: impl AsyncFnMut() -> Result<T, E>) -> T {
    loop {
        match request().await {
            Ok(given) => return given,
            Err(why) => assert!(format!("{why:?}").contains("429"), "{why:?}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The server still plays.
async fn is_well(address: SocketAddr) {
    let seats = patiently(async || create(address, FORD).await).await;
    let mut axis = patiently(async || Client::sit(address, seats.of(&[Side::Axis]), None).await).await;
    axis.act(&["end"]).await.unwrap();
}

/// Says something on a fresh connection after these texts; whether anything was answered before it was closed.
async fn is_answered(address: SocketAddr, texts: Vec<Message>) -> bool {
    let mut socket = patiently(async || open(address).await).await;
    for text in texts {
        if socket.send(text).await.is_err() {
            break;
        }
    }
    let mut heard = false;
    loop {
        match timeout(client::PATIENCE, socket.next()).await.expect("an answer or the end") {
            Some(Ok(Message::Text(text))) => {
                heard = true;
                if text.contains("goodbye") || text.contains("\"refused\"") || text.contains("\"answer\"") {
                    return true;
                }
                if text.contains("\"done\"") {
                    return true;
                }
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return heard,
            Some(Ok(_)) => {}
        }
    }
}

/// A text with something wrong about it.
fn mutated(text: &str, lot: &mut Lot) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=lot.draw(3) {
        let at = lot.draw(bytes.len());
        match lot.draw(6) {
            0 => bytes[at] = b" \"{}[]:,0-9enul\\\x00\x7f"[lot.draw(18)],
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, b"\"{}[]:,x9"[lot.draw(9)]),
            3 => bytes.truncate(at),
            4 => {
                let end = (at + lot.draw(12)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                let numbers =
                    ["-1", "4294967296", "1e999", "null", "true", "\"\"", "[]", "{}", "18446744073709551616"];
                let number = numbers[lot.draw(numbers.len())];
                bytes.splice(at..at, number.bytes());
            }
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn mutated_messages_are_answered_or_closed() {
    let address = serve("mutated").await;
    let seats = create(address, FORD).await.unwrap();
    let secret = seats.of(&[Side::Axis]);
    let hello = format!(r#"{{"type":"hello","version":{VERSION},"seat":"{secret}"}}"#);
    let sound = [
        r#"{"type":"act","id":1,"decision":1,"lines":["move panzers 1204","end"]}"#,
        r#"{"type":"undo","id":1,"decision":1}"#,
        r#"{"type":"redo","id":1,"decision":1}"#,
        r#"{"type":"look","id":1,"eyes":"axis"}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"odds","lines":["end"],"complete":true}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"why","lines":[],"unit":"panzers","hex":"1204"}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"at","at":0}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"routes","lines":["move panzers 1204"],"unit":"panzers"}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"log","from":0,"to":4294967295}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"explain","unit":"rifles-1"}}"#,
        r#"{"type":"ask","id":1,"ask":{"what":"threat","hex":"1204"}}"#,
        r#"{"type":"sync","id":1}"#,
    ];
    let mut lot = Lot(41);
    for round in 0..3000 {
        let text = mutated(sound[lot.draw(sound.len())], &mut lot);
        let first = if round % 10 == 0 { mutated(&hello, &mut lot) } else { hello.clone() };
        let answered = is_answered(address, vec![Message::text(first), Message::text(text.clone())]).await;
        assert!(answered, "{text}");
    }
    is_well(address).await;
}

#[tokio::test]
async fn what_is_no_message_is_closed() {
    let address = serve("no-message").await;
    let long = format!(r#"{{"type":"hello","version":{VERSION},"seat":"{}"}}"#, "x".repeat(100_000));
    let deep = "[".repeat(60_000);
    for message in [
        Message::text(long),
        Message::text(deep),
        Message::text(""),
        Message::text(r#"{"type":"hello","version":1,"seat":""}"#),
        Message::text(format!(
            r#"{{"type":"hello","version":{VERSION},"seat":"{}"}}"#,
            "0123456789abcdef".repeat(2)
        )),
        Message::Binary(Bytes::from_static(b"\x00\x01\x02")),
    ] {
        let mut socket = open(address).await.unwrap();
        let _ = socket.send(message).await;
        let closed = async {
            while let Some(Ok(message)) = socket.next().await {
                if message.is_close() {
                    break;
                }
            }
        };
        timeout(client::PATIENCE, closed).await.expect("the connection is closed");
    }
    // Bytes that are no HTTP at all.
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&[0xff; 4096]).await.unwrap();
    let mut answer = Vec::new();
    let _ = timeout(client::PATIENCE, stream.read_to_end(&mut answer)).await.expect("closed");
    is_well(address).await;
}

#[tokio::test]
async fn other_sites_are_refused() {
    let address = serve("origins").await;
    let own = format!("http://{address}");
    let with =
        async |headers: &[(&str, &str)]| http(address, "GET", "/api/library", headers, "").await.unwrap().0;
    assert_eq!(with(&[]).await, 200);
    assert_eq!(with(&[("origin", &own)]).await, 200);
    assert_eq!(with(&[("origin", "http://example.org")]).await, 403);
    assert_eq!(with(&[("origin", "null")]).await, 403);
    // A name of another site that leads here: its pages are refused whatever they call themselves.
    assert_eq!(with(&[("host", "example.org"), ("origin", "http://example.org")]).await, 403);
    assert_eq!(with(&[("host", "table.example"), ("origin", "http://table.example")]).await, 200);
    let mut request = format!("ws://{address}/api/socket").into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://example.org".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_err());
}

#[tokio::test]
async fn pages_may_run_nothing_foreign() {
    let address = serve("headers").await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let policy = answer.lines().find(|line| line.starts_with("content-security-policy:")).unwrap();
    assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"));
    for header in ["x-content-type-options: nosniff", "referrer-policy: no-referrer", "x-frame-options: DENY"]
    {
        assert!(answer.contains(header), "{header}");
    }
}

#[tokio::test]
async fn who_sends_too_much_is_sent_away() {
    let address = serve("rate").await;
    let seats = create(address, FORD).await.unwrap();
    let hello = format!(r#"{{"type":"hello","version":{VERSION},"seat":"{}"}}"#, seats.of(&[]));
    let mut socket = open(address).await.unwrap();
    socket.send(Message::text(hello)).await.unwrap();
    for id in 0..2000 {
        if socket.send(Message::text(format!(r#"{{"type":"sync","id":{id}}}"#))).await.is_err() {
            break;
        }
    }
    let mut last = String::new();
    while let Some(Ok(message)) =
        timeout(client::PATIENCE, socket.next()).await.expect("an answer or the end")
    {
        if let Message::Text(text) = message {
            last = text.to_string();
        }
    }
    assert!(last.contains("goodbye") && last.contains("too many messages"), "{last:.200}");
    // Many requests on one connection, none waiting for the answer to the one before.
    let request = |from: &str, connection: &str| {
        let from = format!("x-forwarded-for: {from}\r\nconnection: {connection}");
        format!("GET /nothing HTTP/1.1\r\nhost: {address}\r\n{from}\r\n\r\n")
    };
    let answers_to = async |text: String| {
        let (mut answers, mut requests) = TcpStream::connect(address).await.unwrap().into_split();
        tokio::spawn(async move { requests.write_all(text.as_bytes()).await });
        let mut answer = String::new();
        timeout(client::PATIENCE, answers.read_to_string(&mut answer)).await.expect("closed").unwrap();
        answer
    };
    let flood = request("192.0.2.1", "keep-alive").repeat(3000) + &request("192.0.2.1", "close");
    let answer = answers_to(flood).await;
    assert!(answer.contains("HTTP/1.1 429"), "{answer:.200}");
    // Behind a proxy it is another address that goes on.
    let answer = answers_to(request("192.0.2.2", "close")).await;
    assert!(answer.contains("HTTP/1.1 404"), "{answer:.200}");
}

#[tokio::test]
async fn bodies_are_limited_and_read_with_care() {
    let address = serve("bodies").await;
    let status = async |body: &str| post(address, "/api/games", "", body).await.unwrap().0;
    assert_eq!(status("").await, 422);
    assert_eq!(status("{").await, 422);
    assert_eq!(status(r#"{"scenario":"mini"}"#).await, 422);
    assert_eq!(status(r#"{"scenario":"mini/nowhere"}"#).await, 422);
    assert_eq!(status(r#"{"scenario":"chess/board"}"#).await, 422);
    assert_eq!(status(r#"{"scenario":"mini/ford","colour":"red"}"#).await, 422);
    assert_eq!(status(r#"{"scenario":"mini/ford","options":["flying"]}"#).await, 422);
    assert_eq!(
        status(r#"{"scenario":"mini/ford","players":{"axis":{"level":"god"},"soviet":{}}}"#).await,
        422
    );
    let (_, why) = post(address, "/api/games", "", r#"{"scenario":"mini/nowhere"}"#).await.unwrap();
    assert!(why.contains("bridge, ford"), "{why}");
    // More than four MiB: refused, whether or not the answer comes through.
    let large = format!(r#"{{"name":"x","text":"{}"}}"#, "x".repeat(5 << 20));
    assert!(post(address, "/api/games/open", "", &large).await.map_or(true, |(status, _)| status != 200));
    let mut lot = Lot(5);
    let sound = r#"{"scenario":"mini/ford","seed":"1","options":["fords"],"players":{"axis":{"name":"A"},"soviet":{"level":"random"}}}"#;
    for _ in 0..300 {
        let status = status(&mutated(sound, &mut lot)).await;
        assert!([200, 422].contains(&status), "{status}");
    }
    is_well(address).await;
}

#[tokio::test]
async fn a_hard_question_keeps_no_click_waiting() {
    let address = serve("hard-question").await;
    let seats = create(address, r#"{"scenario":"dagc/historical","seed":"1"}"#).await.unwrap();
    let mut game = Client::sit(address, seats.of(&[Side::Soviet]), None).await.unwrap();
    // Many questions at once, then an action: everything is answered.
    for id in 1000..1012 {
        game.say(&server::wire::ClientMessage::Ask { id, ask: Ask::Overlays }).await.unwrap();
    }
    let line = game.lines()[0].clone();
    game.act(&[&line]).await.unwrap();
    assert_eq!(game.update.at, 1);
}
