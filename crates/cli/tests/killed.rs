//! The real server, killed in the middle of everything: what was acknowledged is there after a restart, whole.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

#[path = "../../server/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use client::{Client, Lot, Seats, create, get, post, scratch};
use server::wire::{Accepted, Answer, Ask, ClientMessage, Eyes, GameSummary, ServerMessage, Side};

const BOTH: [Side; 2] = [Side::Axis, Side::Soviet];

/// The program, serving.
struct Serving {
    child: Child,
    address: SocketAddr,
    key: String,
}

impl Serving {
    fn start(file: &Path) -> Serving {
        Serving::with(&[], file)
    }

    /// The same with more on its command line.
    fn with(args: &[&str], file: &Path) -> Serving {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
            .args(args)
            .args(["serve", "--no-open", "--port", "0", "--db"])
            .arg(file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let link = line.split("http://").nth(1).expect("a link").trim();
        let (address, key) = link.split_once("/#/host/").expect("a key");
        Serving { address: address.parse().unwrap(), key: key.to_owned(), child }
    }

    /// SIGKILL.
    fn kill(self) {}
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game as its player knows it: every action that was acknowledged.
struct Known {
    seats: Seats,
    lines: Vec<String>,
    /// What was sent last and not acknowledged.
    pending: Option<Pending>,
}

#[derive(Clone, Debug)]
enum Pending {
    Line(String),
    Undo,
}

/// Plays at random until the server is gone.
async fn play(address: SocketAddr, known: &mut Known, lot: &mut Lot) {
    known.pending = None;
    let Ok(mut game) = Client::sit(address, known.seats.of(&BOTH), Some(Eyes::All)).await else { return };
    loop {
        if game.update.question.over.is_some() {
            return;
        }
        if game.update.undo.can && lot.draw(5) == 0 {
            known.pending = Some(Pending::Undo);
            if game.undo().await.is_err() {
                return;
            }
            known.lines.pop();
        } else {
            let lines = game.lines();
            let line = lines[lot.draw(lines.len())].clone();
            known.pending = Some(Pending::Line(line.clone()));
            if game.act(&[&line]).await.is_err() {
                return;
            }
            known.lines.push(line);
        }
        known.pending = None;
    }
}

/// The actions of a game as the server has them.
async fn kept(address: SocketAddr, seats: &Seats) -> Vec<String> {
    let mut game = Client::sit(address, seats.of(&BOTH), Some(Eyes::All)).await.expect("the game opens");
    let to = game.update.at;
    let mut lines = Vec::new();
    // A part of the log at a time.
    while lines.len() < to as usize {
        let from = lines.len() as u32;
        let Ok(Answer::Log { log, .. }) = game.ask(Ask::Log { from, to }).await else { panic!("no log") };
        assert!(!log.is_empty());
        lines.extend(log.into_iter().map(|entry| entry.action.expect("all eyes")));
    }
    lines
}

#[tokio::test]
async fn nothing_acknowledged_is_lost() {
    let file = scratch("killed");
    let mut serving = Serving::start(&file);
    let mut games = Vec::new();
    for scenario in ["mini/ford", "mini/bridge", "dagc/vitebsk", "dagc/historical"] {
        let seats = create(serving.address, &format!(r#"{{"scenario":"{scenario}"}}"#)).await.unwrap();
        games.push(Known { seats, lines: Vec::new(), pending: None });
    }
    let mut lot = Lot(20260);
    for round in 0..20 {
        let address = serving.address;
        let playing: Vec<_> = games
            .into_iter()
            .map(|mut known| {
                let mut lot = Lot(lot.draw(1 << 30) as u64);
                tokio::spawn(async move {
                    play(address, &mut known, &mut lot).await;
                    known
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(30 + lot.draw(400) as u64)).await;
        serving.kill();
        games = Vec::new();
        for player in playing {
            games.push(player.await.unwrap());
        }
        serving = Serving::start(&file);
        for known in &mut games {
            let kept = kept(serving.address, &known.seats).await;
            let mut might = known.lines.clone();
            match &known.pending {
                Some(Pending::Line(line)) => might.push(line.clone()),
                Some(Pending::Undo) => {
                    might.pop();
                }
                None => {}
            }
            assert!(
                kept == known.lines || kept == might,
                "round {round}: acknowledged {:?}, pending {:?}, kept {kept:?}",
                known.lines,
                known.pending
            );
            known.lines = kept;
        }
    }
    assert!(games.iter().map(|known| known.lines.len()).sum::<usize>() > 50, "hardly anything was played");
    serving.kill();
}

#[tokio::test]
async fn a_game_goes_on_after_a_restart_and_its_dice_are_proved() {
    let file = scratch("restart");
    let serving = Serving::start(&file);
    let body = r#"{"scenario":"mini/bridge","players":{"axis":{"name":"Anna"},"soviet":{"level":"random"}}}"#;
    let seats = create(serving.address, body).await.unwrap();
    let mut anna = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    let commitment = anna.info.commitment.clone().unwrap();
    anna.act(&["move panzers A04.03"]).await.unwrap();
    anna.act(&["end"]).await.unwrap();
    let (decision, view) = (anna.update.decision, anna.update.view.clone());
    serving.kill();

    let serving = Serving::start(&file);
    let mut anna = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!((anna.update.decision, &anna.update.view), (decision, &view));
    // Undo survives, too.
    anna.undo().await.unwrap();
    // Whoever runs the program finds all games again.
    let (status, found) = get(serving.address, "/api/games", &serving.key).await.unwrap();
    let found: Vec<GameSummary> = serde_json::from_str(&found).unwrap();
    assert_eq!((status, found.len(), found[0].seats.len()), (200, 1, 0));
    let seat = format!("/api/games/{}/seat", found[0].id);
    assert_eq!(post(serving.address, &seat, seats.of(&[Side::Axis]), "").await.unwrap().0, 401);
    let (status, accepted) = post(serving.address, &seat, &serving.key, "").await.unwrap();
    let accepted: Accepted = serde_json::from_str(&accepted).unwrap();
    assert_eq!((status, accepted.seat.sides), (200, vec![Side::Axis]));
    assert!(Client::sit(serving.address, &accepted.seat.secret, None).await.is_ok());
    let mut lot = Lot(3);
    loop {
        anna.until(|update| update.question.yours || update.question.over.is_some()).await.unwrap();
        if anna.update.question.over.is_some() {
            break;
        }
        let lines = anna.lines();
        anna.act(&[&lines[lot.draw(lines.len())].clone()]).await.unwrap();
    }
    let (status, record) = get(serving.address, "/api/game/record", seats.of(&[Side::Axis])).await.unwrap();
    assert!(status == 200 && record.contains(&commitment) && record.contains("[Secret "));
    let path = file.with_file_name("finished.record");
    std::fs::write(&path, record).unwrap();
    let proved = Command::new(env!("CARGO_BIN_EXE_grognard")).arg("verify").arg(&path).output().unwrap();
    assert!(proved.status.success(), "{}", String::from_utf8_lossy(&proved.stdout));
    serving.kill();
}

#[tokio::test]
async fn an_opponent_goes_on_after_a_restart() {
    let file = scratch("opponent-restart");
    let serving = Serving::start(&file);
    // A general that would think for minutes is killed while it does.
    let body = r#"{"scenario":"dagc/historical","players":{"axis":{},"soviet":{"level":"general"}},
                   "opponents":{"seconds":300,"open_thoughts":true}}"#;
    let seats = create(serving.address, body).await.unwrap();
    let mut game = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    while !matches!(game.hear().await.unwrap(), ServerMessage::Thinking { thinking: Some(_) }) {}
    serving.kill();

    let serving = Serving::start(&file);
    let mut game = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    assert_eq!((game.info.opponents.seconds, game.info.opponents.open_thoughts), (300, true));
    let (at, phase) = (game.update.at, game.update.sequence.phase);
    while !matches!(game.hear().await.unwrap(), ServerMessage::Thinking { thinking: Some(_) }) {}
    game.say(&ClientMessage::Hurry { id: 9_000 }).await.unwrap();
    while game.update.sequence.phase == phase {
        game.until(|update| update.sequence.phase != phase || update.question.yours).await.unwrap();
        if game.update.question.yours {
            game.act(&[&game.lines()[0].clone()]).await.unwrap();
        }
    }
    assert!(game.update.at > at);
    let Answer::Thoughts { thoughts } = game.ask(Ask::Thoughts).await.unwrap() else { panic!("no thoughts") };
    serving.kill();

    // What it had in mind is kept with the game.
    let serving = Serving::start(&file);
    let mut game = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    let Answer::Thoughts { thoughts: kept } = game.ask(Ask::Thoughts).await.unwrap() else { panic!() };
    assert!(!thoughts.is_empty() && kept.starts_with(&thoughts), "{thoughts:?} {kept:?}");
    serving.kill();
}

#[tokio::test]
async fn a_file_of_the_first_version_is_brought_up_to_date() {
    let file = scratch("first-version");
    let serving = Serving::start(&file);
    let body = r#"{"scenario":"mini/bridge","players":{"axis":{"name":"Anna"},"soviet":{"level":"random"}}}"#;
    let seats = create(serving.address, body).await.unwrap();
    let mut anna = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
    anna.act(&["move panzers A04.03"]).await.unwrap();
    serving.kill();
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "DROP TABLE talk; ALTER TABLE games DROP COLUMN orders; DROP TABLE thoughts; ALTER TABLE games DROP COLUMN seconds; ALTER TABLE games DROP COLUMN open_thoughts; \
             DROP TABLE invitations; ALTER TABLE games DROP COLUMN for_two; ALTER TABLE games DROP COLUMN secret; \
             ALTER TABLE games DROP COLUMN axis_nonce; ALTER TABLE games DROP COLUMN soviet_nonce; DELETE FROM seats; \
             UPDATE games SET head = replace(head, '[Rulebook ', '[Seed \"1944\"]' || char(10) || '[Rulebook '); \
             PRAGMA application_id = 0; PRAGMA user_version = 1;",
        )
        .unwrap();
    // Secrets were kept as they are.
    let insert = "INSERT INTO seats (secret, game, seat) SELECT ?1, id, 'axis' FROM games";
    connection.execute(insert, [seats.of(&[Side::Axis])]).unwrap();
    drop(connection);
    for _ in 0..2 {
        let serving = Serving::start(&file);
        let mut anna = Client::sit(serving.address, seats.of(&[Side::Axis]), None).await.unwrap();
        assert_eq!((anna.info.opponents.seconds, anna.info.opponents.open_thoughts), (10, false));
        let at = anna.update.at;
        assert!(at > 0);
        let line = anna.lines()[0].clone();
        anna.act(&[&line]).await.unwrap();
        serving.kill();
    }
}

/// SIGTERM, and how the program ended.
#[cfg(unix)]
fn terminate(mut serving: Serving) -> Option<i32> {
    let pid = serving.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    serving.child.wait().unwrap().code()
}

#[cfg(unix)]
#[tokio::test]
async fn who_ends_the_program_lets_it_say_goodbye() {
    let file = scratch("terminated");
    let serving = Serving::start(&file);
    let address = serving.address;
    let seats = create(address, r#"{"scenario":"mini/bridge"}"#).await.unwrap();
    let mut both = Client::sit(address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
    let line = both.lines()[0].clone();
    both.act(&[&line]).await.unwrap();
    let ending = std::thread::spawn(move || terminate(serving));
    let goodbye = loop {
        if let ServerMessage::Goodbye { why, again } = both.hear().await.unwrap() {
            break (why, again);
        }
    };
    assert_eq!(goodbye, ("the server closes".to_owned(), true));
    assert_eq!(ending.join().unwrap(), Some(0));
    let serving = Serving::start(&file);
    assert_eq!(kept(serving.address, &seats).await, [line]);
    serving.kill();
}

#[tokio::test]
async fn a_backup_is_made_while_the_server_runs() {
    let file = scratch("backup");
    let serving = Serving::start(&file);
    let seats = create(serving.address, r#"{"scenario":"mini/ford"}"#).await.unwrap();
    let mut both = Client::sit(serving.address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
    both.act(&["end"]).await.unwrap();
    let copy = file.with_file_name("copy.db");
    let backup = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
        command.arg("backup").arg(&copy).arg("--db").arg(&file).output().unwrap()
    };
    let made = backup();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert_eq!(backup().status.code(), Some(2), "nothing is overwritten");
    both.act(&["end"]).await.unwrap();
    // The copy is a file of games like any other, as it was at that moment.
    let restored = Serving::start(&copy);
    assert_eq!(kept(restored.address, &seats).await, ["end"]);
    assert_eq!(kept(serving.address, &seats).await.len(), 2);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn damaged_games_are_named_and_all_others_served() {
    let file = scratch("damaged");
    let serving = Serving::start(&file);
    let mut games = Vec::new();
    for _ in 0..3 {
        let seats = create(serving.address, r#"{"scenario":"mini/ford"}"#).await.unwrap();
        let mut both = Client::sit(serving.address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
        both.act(&["end", "end", "end"]).await.unwrap();
        games.push(seats);
    }
    serving.kill();
    let connection = rusqlite::Connection::open(&file).unwrap();
    let missing = "DELETE FROM actions WHERE game = ?1 AND number = 1";
    connection.execute(missing, [&games[0].created.id]).unwrap();
    drop(connection);
    let serving = Serving::start(&file);
    let why = loop {
        let find = format!(r#"{{"secrets":["{}"]}}"#, games[0].of(&BOTH));
        let (_, found) = post(serving.address, "/api/games/find", "", &find).await.unwrap();
        let found: Vec<GameSummary> = serde_json::from_str(&found).unwrap();
        if let Some(trouble) = found[0].trouble.clone() {
            break trouble;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(why, "this game is damaged: the file has 2 of its 3 actions");
    assert!(Client::sit(serving.address, games[0].of(&BOTH), None).await.err().unwrap().contains("damaged"));
    for sound in &games[1..] {
        assert_eq!(kept(serving.address, sound).await.len(), 3);
    }
    serving.kill();
}

/// Bytes in the middle of the file are overwritten: the games that lie there are named, the others are served.
#[cfg(unix)]
#[tokio::test]
async fn a_hole_in_the_file_is_noticed_at_the_start() {
    let file = scratch("hole");
    let serving = Serving::start(&file);
    let mut games = Vec::new();
    for _ in 0..40 {
        let seats = create(serving.address, r#"{"scenario":"mini/ford"}"#).await.unwrap();
        let mut both = Client::sit(serving.address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
        both.act(&["end", "end", "end"]).await.unwrap();
        games.push(seats);
    }
    assert_eq!(terminate(serving), Some(0));
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    let mut bytes = std::fs::read(&file).unwrap();
    let mut pages = bytes.chunks_mut(4096).filter(|page| page.windows(8).any(|text| text == b"axis end"));
    let (first, last) = (pages.next().unwrap(), pages.last().expect("actions on several pages"));
    assert_ne!(first, last);
    last.fill(0xAA);
    std::fs::write(&file, bytes).unwrap();
    let serving = Serving::start(&file);
    let (mut damaged, mut served) = (0, 0);
    // The check goes on while the server serves already.
    tokio::time::sleep(Duration::from_secs(1)).await;
    for seats in &games {
        match Client::sit(serving.address, seats.of(&BOTH), Some(Eyes::All)).await {
            Ok(_) => served += 1,
            Err(_) => damaged += 1,
        }
    }
    assert!(damaged > 0 && served > 0, "{damaged} damaged, {served} served");
    serving.kill();
}

fn fails(file: &PathBuf) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["serve", "--no-open", "--port", "0", "--db"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn a_game_is_not_played_on_with_other_data() {
    let file = scratch("variant");
    let own = file.with_file_name("own");
    let table = include_str!("../../../data/mini/tables/combat.toml");
    std::fs::create_dir_all(own.join("mini/tables")).unwrap();
    let changed = table.replace("AL AL AL AL NE NE", "DL DL DL DL DL DL");
    std::fs::write(own.join("mini/tables/combat.toml"), changed).unwrap();
    let data = ["--data", own.to_str().unwrap()];
    let serving = Serving::with(&data, &file);
    let seats = create(serving.address, r#"{"scenario":"mini/bridge"}"#).await.unwrap();
    let secret = seats.of(&BOTH).to_owned();
    serving.kill();

    let find = format!(r#"{{"secrets":["{secret}"]}}"#);
    let trouble = async |address| {
        let (_, found) = post(address, "/api/games/find", "", &find).await.unwrap();
        let found: Vec<GameSummary> = serde_json::from_str(&found).unwrap();
        found[0].trouble.clone()
    };
    let serving = Serving::start(&file);
    let said = trouble(serving.address).await.unwrap();
    assert!(said.contains("made with files laid over it"), "{said}");
    let sent_away = Client::sit(serving.address, &secret, None).await.err().unwrap();
    assert!(sent_away.contains("made with files laid over it"), "{sent_away}");
    serving.kill();

    let serving = Serving::with(&data, &file);
    assert_eq!(trouble(serving.address).await, None);
    assert!(Client::sit(serving.address, &secret, None).await.is_ok());
    serving.kill();
}

#[tokio::test]
async fn files_that_cannot_be_used_are_said_to_be_so() {
    let file = scratch("unusable");
    let serving = Serving::start(&file);
    assert!(fails(&file).contains("another Grognard is using this file"));
    let seats = create(serving.address, r#"{"scenario":"mini/bridge"}"#).await.unwrap();
    serving.kill();

    // A game of other rules is listed with what is the matter, and nothing is played by rules it was not begun with.
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute("UPDATE games SET rules = 7", []).unwrap();
    drop(connection);
    let serving = Serving::start(&file);
    let secret = seats.of(&BOTH);
    let find = format!(r#"{{"secrets":["{secret}"]}}"#);
    let (_, found) = post(serving.address, "/api/games/find", "", &find).await.unwrap();
    let found: Vec<GameSummary> = serde_json::from_str(&found).unwrap();
    assert!(found[0].trouble.as_ref().unwrap().contains("version 7 of the rules"), "{found:?}");
    let sent_away = Client::sit(serving.address, secret, None).await.err().unwrap();
    assert!(sent_away.contains("version 7 of the rules"), "{sent_away}");
    serving.kill();

    let text = file.with_file_name("text.db");
    std::fs::write(&text, "this is no database, and long enough to be looked at as one".repeat(100)).unwrap();
    assert!(fails(&text).contains("not a file of games"));
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA user_version = 99").unwrap();
    drop(connection);
    assert!(fails(&file).contains("another version of Grognard"));

    // A file of another program is not touched.
    let foreign = file.with_file_name("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection
        .execute_batch("CREATE TABLE letters (text TEXT); INSERT INTO letters VALUES ('dear')")
        .unwrap();
    drop(connection);
    let before = (std::fs::read(&foreign).unwrap(), std::fs::metadata(&foreign).unwrap().permissions());
    assert!(fails(&foreign).contains("not a file of games"));
    assert_eq!(
        (std::fs::read(&foreign).unwrap(), std::fs::metadata(&foreign).unwrap().permissions()),
        before
    );
    let beside: Vec<_> = std::fs::read_dir(foreign.parent().unwrap())
        .unwrap()
        .filter_map(|found| found.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("foreign.db-") || name.starts_with("foreign.db."))
        .collect();
    assert!(beside.is_empty(), "{beside:?}");
}

/// Whoever runs the program finds every game, however many there are; the key of an earlier start opens nothing.
#[tokio::test]
async fn the_host_finds_all_games_with_the_key_of_this_start() {
    let file = scratch("host");
    let serving = Serving::start(&file);
    let old = serving.key.clone();
    for _ in 0..205 {
        create(serving.address, r#"{"scenario":"mini/ford"}"#).await.unwrap();
    }
    serving.kill();
    let serving = Serving::start(&file);
    assert_ne!(serving.key, old);
    assert_eq!(get(serving.address, "/api/games", &old).await.unwrap().0, 401);
    let mut found: Vec<String> = Vec::new();
    for skip in [0, 200] {
        let (_, part) = get(serving.address, &format!("/api/games?skip={skip}"), &serving.key).await.unwrap();
        let part: Vec<GameSummary> = serde_json::from_str(&part).unwrap();
        found.extend(part.into_iter().map(|game| game.id));
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 205);
}

/// Not every position of a long game is kept, and its log is told in parts.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_long_game_takes_little_memory() {
    let serving = Serving::start(&scratch("long-game"));
    let memory = || -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", serving.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
    };
    let tags = "[Grognard \"record 1\"]\n[Rulebook \"bug\"]\n[Scenario \"campaign\"]\n";
    let record = format!("{tags}{}", "soviet offer-draw\naxis decline-draw\n".repeat(40_000));
    let body = serde_json::json!({ "name": "long", "text": record }).to_string();
    let (status, made) = post(serving.address, "/api/games/open", "", &body).await.unwrap();
    assert_eq!(status, 200, "{made}");
    let seats = Seats { created: serde_json::from_str(&made).unwrap() };
    let before = memory();
    let mut game = Client::sit(serving.address, seats.of(&BOTH), Some(Eyes::All)).await.unwrap();
    assert_eq!((game.update.at, game.update.log.len()), (80_000, 100));
    let ask = Ask::Log { from: 0, to: u32::MAX };
    let Ok(Answer::Log { log, .. }) = game.ask(ask).await else { panic!("no log") };
    assert_eq!(log.len(), 1_000);
    let (_, view) = get(serving.address, "/api/game/view?after=0", seats.of(&BOTH)).await.unwrap();
    let view: server::wire::Update = serde_json::from_str(&view).unwrap();
    assert!(view.log.len() <= 1_000);
    // 80,000 positions of this rulebook are some 250 MiB.
    let grown = memory().saturating_sub(before);
    assert!(grown < 150, "{grown} MiB for a game");
}
