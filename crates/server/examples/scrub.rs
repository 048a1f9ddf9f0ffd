//! A long game scrubbed to any moment, over a real socket: how long until the moment is there.
//!
//! `cargo run --release -p server --example scrub -- target/release/grognard [RECORD]` writes the record to RECORD, too.

#![allow(clippy::print_stdout, reason = "this is a program that prints its figures")]

#[path = "../tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Client, Lot, Seats, post, scratch};
use engine::shelf::AnyGame;
use engine::{Seed, Viewer};
use server::wire::{Answer, Ask, Eyes, Side};

/// How many actions the game has at least.
const LONG: usize = 5_000;

/// A random game of the `bug` campaign whose players cannot make up their minds whom to assign to whom.
fn long_game() -> Result<Box<dyn AnyGame>, String> {
    let book = bug::shelved();
    let data = book.embedded();
    for seed in 0..8 {
        let seed = Seed(format!("a long game {seed}"));
        let mut game = book.start(&data, "campaign", &[], seed).map_err(|faults| faults.to_string())?;
        let mut lot = Lot(7);
        while game.question().side.is_some() {
            let line = next_line(&*game, &mut lot);
            game.act(&line, Viewer::Referee).map_err(|refusal| refusal.why.to_string())?;
        }
        if game.len() >= LONG {
            return Ok(game);
        }
    }
    Err("no game is long enough".to_owned())
}

fn next_line(game: &dyn AnyGame, lot: &mut Lot) -> String {
    let lines: Vec<String> = game.position().actions().into_iter().map(|answer| answer.action).collect();
    let assign: Vec<&String> = lines.iter().filter(|line| line.starts_with("assign ")).collect();
    if !assign.is_empty() && lot.draw(400) > 0 {
        return assign[lot.draw(assign.len())].clone();
    }
    lines[lot.draw(lines.len())].clone()
}

struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(program: &str, file: &std::path::Path) -> Result<(Serving, SocketAddr), String> {
    let mut child = Command::new(program)
        .args(["serve", "--no-open", "--port", "0", "--db"])
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let mut line = String::new();
    let out = child.stdout.take().ok_or("no output")?;
    BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
    let address = line.split("http://").nth(1).and_then(|link| link.split('/').next()).unwrap_or_default();
    let address = address.parse().map_err(|_| format!("the program does not serve: {line}"))?;
    Ok((Serving(child), address))
}

#[tokio::main]
async fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let program = args.next().ok_or("expected the path of the program")?;
    let game = long_game()?;
    let record = game.record(true);
    if let Some(path) = args.next() {
        std::fs::write(&path, &record).map_err(|error| format!("{path}: {error}"))?;
    }
    let file = scratch("scrub");
    let (_serving, address) = start(&program, &file)?;
    let clock = Instant::now();
    let body = serde_json::json!({ "name": "long.record", "text": record }).to_string();
    let (status, body) = post(address, "/api/games/open", "", &body).await?;
    if status != 200 {
        return Err(format!("{status}: {body}"));
    }
    let seats = Seats { created: serde_json::from_str(&body).map_err(|error| error.to_string())? };
    println!("a record of {} actions opened in {:.0} ms", game.len(), clock.elapsed().as_secs_f64() * 1000.0);
    let clock = Instant::now();
    let secret = seats.of(&[Side::Axis, Side::Soviet]).to_owned();
    let mut viewer = Client::sit(address, &secret, Some(Eyes::Axis)).await?;
    println!("the seat taken in {:.0} ms", clock.elapsed().as_secs_f64() * 1000.0);
    viewer.without_pause = usize::MAX;
    let mut lot = Lot(1);
    let mut times = Vec::new();
    for _ in 0..500 {
        let at = u32::try_from(lot.draw(game.len() + 1)).map_err(|error| error.to_string())?;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let clock = Instant::now();
        match viewer.ask(Ask::At { at }).await {
            Ok(Answer::At(moment)) if moment.at == at => times.push(clock.elapsed()),
            other => return Err(format!("{other:?}")),
        }
    }
    times.sort();
    let ms = |place: usize| times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
    println!(
        "{} moments at random: p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
        times.len(),
        ms(times.len() / 2),
        ms(times.len() * 99 / 100),
        ms(times.len() - 1)
    );
    let _ = std::fs::remove_dir_all(file.parent().unwrap_or(&file));
    Ok(())
}
