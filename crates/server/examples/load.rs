//! Many games at once on the real program, over real sockets, killed in the middle: how long an action takes until it is
//! acknowledged, and whether anything acknowledged was lost.
//!
//! `cargo run --release -p server --example load -- --bin target/release/grognard --games 200 --seconds 60`
//!
//! Each game has two sockets. One of them acts every half period (whoever decides), so that each acts once a period.
//! `--help` says the rest.

#![allow(clippy::print_stdout, reason = "this is a program that prints its figures")]

#[path = "../tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use client::{Client, Lot, Seats, create, scratch};
use server::wire::{Ask, ClientMessage, Eyes, ServerMessage, Side};
use tokio::time::{MissedTickBehavior, interval_at, sleep};

const HELP: &str = "\
Many games at once on the real program, over real sockets.

  cargo build --release -p grognard
  cargo run --release -p server --example load -- --games 200 --seconds 60
      200 games, killed in the middle: how long an action takes until it is acknowledged, and what was lost.

  cargo run --release -p server --example load -- --games 20 --seconds 60 --generals 100 --questions 60
      The same games for 60 seconds by themselves, then for 60 seconds beside a hundred games of generals against each other
      that nobody looks at and sixty hard questions of one seat. Prints the p99 of a click without and with them, and their
      ratio. Nothing is killed in such a run.

  --bin FILE         the program (target/release/grognard)
  --scenario NAME    what is played (dagc/historical)
  --games N          how many games, two sockets each (200)
  --period SECONDS   how often each socket acts (2)
  --seconds SECONDS  how long (60)
  --no-kill          the program is not killed in the middle
  --generals N       games of generals beside the measured ones, from the second half on
  --questions N      hard questions of one seat that are always under way, from the second half on";

struct Options {
    program: PathBuf,
    scenario: String,
    games: usize,
    period: f64,
    seconds: f64,
    kill: bool,
    questions: usize,
    generals: usize,
}

impl Options {
    fn read() -> Result<Options, String> {
        let mut options = Options {
            program: PathBuf::from("target/release/grognard"),
            scenario: "dagc/historical".to_owned(),
            games: 200,
            period: 2.0,
            seconds: 60.0,
            kill: true,
            questions: 0,
            generals: 0,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--bin" => options.program = PathBuf::from(value()?),
                "--scenario" => options.scenario = value()?,
                "--games" => options.games = value()?.parse().map_err(|_| "--games needs a number")?,
                "--period" => options.period = value()?.parse().map_err(|_| "--period needs seconds")?,
                "--seconds" => options.seconds = value()?.parse().map_err(|_| "--seconds needs seconds")?,
                "--no-kill" => options.kill = false,
                "--questions" => {
                    options.questions = value()?.parse().map_err(|_| "--questions needs a number")?;
                }
                "--generals" => {
                    options.generals = value()?.parse().map_err(|_| "--generals needs a number")?;
                }
                _ => return Err(format!("unknown option {arg}\n{HELP}")),
            }
        }
        Ok(options)
    }

    /// Whether something else is to keep the server busy.
    fn is_burdened(&self) -> bool {
        self.questions + self.generals > 0
    }
}

/// The program, serving.
struct Serving {
    child: Child,
    address: SocketAddr,
}

impl Serving {
    fn start(program: &Path, file: &Path, port: u16) -> Result<Serving, String> {
        let mut child = Command::new(program)
            .args(["serve", "--no-open", "--port", &port.to_string(), "--db"])
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        let address =
            line.split("http://").nth(1).and_then(|link| link.split('/').next()).unwrap_or_default();
        let address = address.parse().map_err(|_| format!("the program does not serve: {line}"))?;
        Ok(Serving { child, address })
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// When something was begun, and how long it took.
type Timed = (Instant, Duration);

/// What was measured of one game.
#[derive(Default)]
struct Measured {
    /// From sending an action to its acknowledgement.
    acted: Vec<Timed>,
    /// From sending an action to the other side's update.
    told: Vec<Timed>,
    /// Acknowledged actions that were not there after the restart.
    lost: u32,
    refused: u32,
    reconnected: u32,
}

/// The two players of a game.
struct Pair {
    sides: [Client; 2],
}

impl Pair {
    async fn sit(address: SocketAddr, seats: &Seats) -> Result<Pair, String> {
        let axis = Client::sit(address, seats.of(&[Side::Axis]), None).await?;
        let soviet = Client::sit(address, seats.of(&[Side::Soviet]), None).await?;
        Ok(Pair { sides: [axis, soviet] })
    }

    async fn sit_again(address: SocketAddr, seats: &Seats) -> Result<Pair, String> {
        let mut why = String::new();
        for _ in 0..600 {
            match Pair::sit(address, seats).await {
                Ok(pair) => return Ok(pair),
                Err(error) => why = error,
            }
            sleep(Duration::from_millis(100)).await;
        }
        Err(why)
    }

    /// One action of whoever decides; both are up to date after it.
    async fn act(&mut self, lot: &mut Lot, measured: &mut Measured) -> Result<bool, String> {
        let [axis, soviet] = &mut self.sides;
        if axis.update.question.over.is_some() {
            return Ok(false);
        }
        let (acting, waiting) = if axis.update.question.yours { (axis, soviet) } else { (soviet, axis) };
        let lines = acting.lines();
        if lines.is_empty() {
            return Err("nobody decides".to_owned());
        }
        let line = lines[lot.draw(lines.len())].clone();
        let start = Instant::now();
        let acted = acting.act(&[&line]).await;
        match acted {
            Ok(_) => measured.acted.push((start, start.elapsed())),
            Err(refusal) if refusal.case.is_some() || refusal.stale => measured.refused += 1,
            Err(refusal) => return Err(refusal.why.to_string()),
        }
        let decision = acting.update.decision;
        waiting.until(|update| update.decision >= decision).await?;
        measured.told.push((start, start.elapsed()));
        Ok(true)
    }

    fn decision(&self) -> u32 {
        self.sides[0].update.decision.min(self.sides[1].update.decision)
    }
}

async fn play(
    address: SocketAddr,
    seats: Seats,
    number: usize,
    period: Duration,
    ended: Arc<AtomicBool>,
) -> Result<Measured, String> {
    let mut measured = Measured::default();
    let mut lot = Lot(number as u64 + 1);
    let mut pair = Pair::sit_again(address, &seats).await?;
    // Games begin one after another, so that they do not all act in the same moment.
    let first = tokio::time::Instant::now() + period.mul_f64(lot.draw(1000) as f64 / 1000.0);
    let mut ticks = interval_at(first, period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while !ended.load(Ordering::Relaxed) {
        ticks.tick().await;
        match pair.act(&mut lot, &mut measured).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                let acknowledged = pair.decision();
                pair = Pair::sit_again(address, &seats).await?;
                measured.reconnected += 1;
                measured.lost += acknowledged.saturating_sub(pair.decision());
            }
        }
    }
    Ok(measured)
}

/// Plays a game of the Bug at random until there is a question that takes long, and returns it with the seat.
async fn hard_question(address: SocketAddr) -> Result<(String, Ask), String> {
    let seats = create(address, r#"{"scenario":"bug/bridges","seed":"hard"}"#).await?;
    let secret = seats.of(&[Side::Axis, Side::Soviet]).to_owned();
    let mut game = Client::sit(address, &secret, Some(Eyes::All)).await?;
    game.without_pause = 0;
    let mut lot = Lot(7);
    while game.update.question.over.is_none() {
        let lines = game.lines();
        let line = lines[lot.draw(lines.len())].clone();
        if line.starts_with("fight") || line.starts_with("roll") {
            let ask = Ask::Odds { lines: vec![line.clone()], complete: true };
            let start = Instant::now();
            let _ = game.ask(ask.clone()).await;
            if start.elapsed() > Duration::from_millis(300) {
                println!("a hard question takes {:.1} s", start.elapsed().as_secs_f64());
                return Ok((secret, ask));
            }
        }
        game.act(&[&line]).await.map_err(|refusal| refusal.why.to_string())?;
    }
    Err("no question was hard".to_owned())
}

/// Has so many questions under way until the server is gone.
async fn ask_on_and_on(address: SocketAddr, secret: String, ask: Ask, at_once: u32) -> Result<(), String> {
    let mut game = Client::sit(address, &secret, Some(Eyes::All)).await?;
    for id in 0..at_once {
        game.say(&ClientMessage::Ask { id, ask: ask.clone() }).await?;
    }
    loop {
        if let ServerMessage::Answer { id, .. } | ServerMessage::Refused { id, .. } = game.hear().await? {
            game.say(&ClientMessage::Ask { id, ask: ask.clone() }).await?;
        }
    }
}

/// What keeps the server busy besides the games that are measured.
async fn burden(address: SocketAddr, options: &Options) -> Result<(), String> {
    for _ in 0..options.generals {
        let level = r#"{"level":"general"}"#;
        let body = format!(
            r#"{{"scenario":"dagc/historical","players":{{"axis":{level},"soviet":{level}}},"opponents":{{"seconds":10}}}}"#
        );
        let seats = create(address, &body).await?;
        // Opened once, and left alone.
        Client::sit(address, seats.of(&[]), None).await?;
    }
    if options.questions > 0 {
        let (secret, ask) = hard_question(address).await?;
        let connections = options.questions.div_ceil(15);
        for number in 0..connections {
            let at_once = (options.questions - number * 15).min(15) as u32;
            tokio::spawn(ask_on_and_on(address, secret.clone(), ask.clone(), at_once));
        }
    }
    Ok(())
}

fn quantile(sorted: &[Duration], q: f64) -> f64 {
    let place = ((sorted.len() as f64 * q) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(place).map_or(0.0, |duration| duration.as_secs_f64() * 1000.0)
}

/// Prints how long something took; the p99 in milliseconds.
fn report(what: &str, timed: impl Iterator<Item = Timed>) -> f64 {
    let mut durations: Vec<Duration> = timed.map(|(_, took)| took).collect();
    durations.sort();
    println!(
        "{what}: {} times, p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms",
        durations.len(),
        quantile(&durations, 0.5),
        quantile(&durations, 0.99),
        quantile(&durations, 1.0)
    );
    quantile(&durations, 0.99)
}

#[tokio::main]
async fn main() -> Result<(), String> {
    if std::env::args().any(|arg| arg == "--help") {
        println!("{HELP}");
        return Ok(());
    }
    let options = Options::read()?;
    let file = scratch("load");
    let serving = Serving::start(&options.program, &file, 0)?;
    let address = serving.address;
    let mut all_seats = Vec::new();
    let start = Instant::now();
    for _ in 0..options.games {
        all_seats.push(create(address, &format!(r#"{{"scenario":"{}"}}"#, options.scenario)).await?);
    }
    println!(
        "{} games of {} made in {:.1} s",
        options.games,
        options.scenario,
        start.elapsed().as_secs_f64()
    );
    let period = Duration::from_secs_f64(options.period / 2.0);
    let length = Duration::from_secs_f64(options.seconds);
    let ended = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = all_seats
        .into_iter()
        .enumerate()
        .map(|(number, seats)| tokio::spawn(play(address, seats, number, period, ended.clone())))
        .collect();
    let mut serving = Some(serving);
    let (mut alone_until, mut beside_from) = (None, None);
    if options.is_burdened() {
        sleep(length).await;
        alone_until = Some(Instant::now());
        burden(address, &options).await?;
        beside_from = Some(Instant::now());
        sleep(length).await;
    } else {
        sleep(length / 2).await;
        if options.kill {
            drop(serving.take()); // SIGKILL
            serving = Some(Serving::start(&options.program, &file, address.port())?);
        }
        sleep(length / 2).await;
    }
    ended.store(true, Ordering::Relaxed);
    let mut sum = Measured::default();
    for player in players {
        let measured = player.await.map_err(|error| error.to_string())??;
        sum.acted.extend(measured.acted);
        sum.told.extend(measured.told);
        sum.lost += measured.lost;
        sum.refused += measured.refused;
        sum.reconnected += measured.reconnected;
    }
    println!(
        "{} games, {} sockets, each acting every {} s, for {} s{}",
        options.games,
        options.games * 2,
        options.period,
        options.seconds,
        if options.kill && !options.is_burdened() { ", killed in the middle" } else { "" }
    );
    report("an action until it is acknowledged", sum.acted.iter().copied());
    report("an action until the other side is told", sum.told.into_iter());
    if let (Some(until), Some(from)) = (alone_until, beside_from) {
        let (questions, generals) = (options.questions, options.generals);
        let alone =
            report("a click by itself", sum.acted.iter().copied().filter(|(begun, _)| *begun < until));
        let beside = format!("a click beside {generals} games of generals and {questions} hard questions");
        let beside = report(&beside, sum.acted.iter().copied().filter(|(begun, _)| *begun >= from));
        println!("p99 beside them / p99 without them: {:.2}", beside / alone);
    }
    println!("reconnected={} refused={} lost={}", sum.reconnected, sum.refused, sum.lost);
    drop(serving);
    let _ = std::fs::remove_dir_all(file.parent().unwrap_or(&file));
    if sum.lost == 0 { Ok(()) } else { Err("acknowledged actions were lost".to_owned()) }
}
