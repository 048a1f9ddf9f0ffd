//! A client that attacks: every hole that was ever found is tried again.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use std::time::{Duration, Instant};

use client::{Client, Lot, create, get, post};
use hall::serve;
use server::wire::{Ask, Eyes, Side};

const BOTH: [Side; 2] = [Side::Axis, Side::Soviet];

/// Games that come to their end within a few hundred random actions.
const SHORT: [&str; 3] = ["mini/bridge", "dagc/vitebsk", "bug/bridges"];

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

async fn send_file(address: std::net::SocketAddr, text: &str) -> (u16, String) {
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
    for (scenario, form) in [("mini/ford", "move"), ("dagc/historical", "move"), ("bug/bridges", "pick")] {
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
                    told.push(refusal.why.replace(unit.as_str(), "UNIT"));
                }
                told.dedup();
                assert_eq!(told.len(), 1, "{scenario}: {told:#?}");
            }
        }
    }
}
