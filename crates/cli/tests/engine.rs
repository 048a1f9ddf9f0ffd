//! `grognard engine`: games for programs, over pipes to the real program.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]
#![allow(clippy::needless_pass_by_value, reason = "a request is written where it is sent")]

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use client::Lot;
use engine::Rulebook;
use serde_json::{Value, json};
use twins::{kept_in_the_dark, twins};

#[path = "../../server/tests/client/mod.rs"]
mod client;
#[path = "../../server/tests/twins/mod.rs"]
mod twins;

struct Engine {
    child: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
            .arg("engine")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap()).lines();
        Engine { child, requests, answers }
    }

    fn send(&mut self, line: &str) -> Value {
        writeln!(self.requests, "{line}").unwrap();
        serde_json::from_str(&self.answers.next().unwrap().unwrap()).unwrap()
    }

    fn call(&mut self, request: Value) -> Value {
        let answer = self.send(&request.to_string());
        assert_eq!(answer["id"], request["id"]);
        answer
    }

    fn does(&mut self, request: Value) -> Value {
        let answer = self.call(request.clone());
        assert!(answer["error"].is_null(), "{request}: {answer}");
        answer
    }

    /// The code of what is wrong with a request.
    fn refuses(&mut self, request: Value) -> String {
        let answer = self.call(request.clone());
        assert!(answer["error"]["why"].is_string(), "{request}: {answer}");
        answer["error"]["code"].as_str().unwrap().to_owned()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WANT: [&str; 2] = ["answers", "view"];

/// Plays a game by numbers to its end, always the answer that a simple rule names; its record.
fn played(engine: &mut Engine, scenario: &str) -> String {
    let game = engine.does(json!({ "cmd": "new", "scenario": scenario, "seed": "1944" }))["game"].clone();
    let mut now = engine.does(json!({ "cmd": "ask", "game": game, "want": WANT }));
    while now["over"] == false {
        let (count, decision) = (now["answers"].as_array().unwrap().len(), now["decision"].as_u64().unwrap());
        let answer = (decision * 7 + 3) % count as u64;
        now = engine.does(json!({
            "id": [decision], "cmd": "act", "game": game, "decision": decision, "answer": answer, "want": WANT,
        }));
        assert_eq!(now["done"], 1);
    }
    assert!(now["reason"].is_string() && now["answers"].as_array().unwrap().is_empty());
    engine.does(json!({ "cmd": "record", "game": game }))["record"].as_str().unwrap().to_owned()
}

#[test]
fn a_game_by_numbers_is_the_same_every_time_and_its_record_opens() {
    let mut engine = Engine::start(&[]);
    let hello = engine.does(json!({ "id": "first", "cmd": "hello", "protocol": 1 }));
    let books: Vec<&str> =
        hello["books"].as_array().unwrap().iter().map(|book| book["name"].as_str().unwrap()).collect();
    assert!(books.contains(&"mini") && books.contains(&"dagc"), "{books:?}");
    let record = played(&mut engine, "mini/ford");
    assert_eq!(record, played(&mut engine, "mini/ford"));
    let game = engine.does(json!({ "cmd": "open", "text": record }))["game"].clone();
    let end = engine.does(json!({ "cmd": "ask", "game": game, "want": ["events"], "from": 0 }));
    assert_eq!(end["over"], true);
    assert_eq!(end["events"].as_array().unwrap().last().unwrap()["event"], "ended");
    engine.does(json!({ "cmd": "quit" }));
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut engine = Engine::start(&[]);
    assert_eq!(engine.send("{")["error"]["code"], "json");
    assert_eq!(engine.send("7")["error"]["code"], "field");
    assert_eq!(engine.refuses(json!({ "id": 4, "cmd": "fly" })), "command");
    assert_eq!(engine.refuses(json!({ "cmd": "hello", "protocol": 2 })), "protocol");
    assert_eq!(engine.refuses(json!({ "cmd": "new" })), "field");
    assert_eq!(engine.refuses(json!({ "cmd": "new", "scenario": "mini/nowhere" })), "input");
    assert_eq!(
        engine.refuses(json!({ "cmd": "new", "scenario": "mini/ford", "options": ["snow"] })),
        "input"
    );
    assert_eq!(engine.refuses(json!({ "cmd": "open", "text": "rulebook = 3" })), "input");
    let game = engine.does(json!({ "cmd": "new", "scenario": "mini/ford", "seed": "1" }))["game"].clone();
    assert_eq!(engine.refuses(json!({ "cmd": "ask", "game": 99 })), "game");
    assert_eq!(engine.refuses(json!({ "cmd": "ask", "game": game, "want": ["luck"] })), "field");
    assert_eq!(engine.refuses(json!({ "cmd": "act", "game": game, "answer": 5000 })), "field");
    assert_eq!(engine.refuses(json!({ "cmd": "act", "game": game, "answer": 0, "decision": 4 })), "stale");
    let hash = engine.does(json!({ "cmd": "hash", "game": game }));
    // A rule's refusal has its case, and a list of which one is refused does nothing.
    let listed = engine.does(json!({ "cmd": "ask", "game": game, "want": ["answers"] }));
    let answers = listed["answers"].as_array().unwrap();
    let go = answers.iter().find(|line| line.as_str().unwrap().starts_with("move ")).unwrap();
    let refused = engine.call(json!({ "cmd": "act", "game": game, "answer": [go, "move panzers 1600"] }));
    assert_eq!(refused["error"]["code"], "refused");
    assert!(refused["error"]["case"].is_string(), "{refused}");
    assert_eq!(engine.does(json!({ "cmd": "hash", "game": game }))["hash"], hash["hash"]);
    assert_eq!(engine.does(json!({ "cmd": "check", "game": game, "answer": go }))["allowed"], true);
    engine.does(json!({ "cmd": "act", "game": game, "answer": go }));
    assert_eq!(engine.does(json!({ "cmd": "undo", "game": game }))["undone"], *go);
    assert_eq!(engine.does(json!({ "cmd": "hash", "game": game }))["hash"], hash["hash"]);
    engine.does(json!({ "cmd": "close", "game": game }));
    assert_eq!(engine.refuses(json!({ "cmd": "ask", "game": game })), "game");
}

#[test]
fn opponents_advise_and_play() {
    let mut engine = Engine::start(&[]);
    let game = engine.does(json!({ "cmd": "new", "scenario": "dagc/vitebsk", "seed": "1" }))["game"].clone();
    let advise = json!({ "cmd": "advise", "game": game, "level": "officer", "luck": "x" });
    let advice = engine.does(advise.clone());
    assert_eq!(advice, engine.does(advise));
    let listed = engine.does(json!({ "cmd": "ask", "game": game, "want": ["answers"] }));
    assert_eq!(listed["answers"][advice["number"].as_u64().unwrap() as usize], advice["answer"]);
    let copy = engine.does(json!({ "cmd": "clone", "game": game, "seed": "2" }))["game"].clone();
    let play = |game: &Value| json!({ "cmd": "play", "game": game, "axis": "recruit", "soviet": "recruit", "luck": "x" });
    assert_eq!(engine.does(play(&copy))["over"], true);
    assert_eq!(engine.does(json!({ "cmd": "ask", "game": game }))["decision"], 0, "a copy is another game");
    assert_eq!(engine.refuses(json!({ "cmd": "advise", "game": copy, "level": "officer" })), "refused");
    assert_eq!(engine.refuses(json!({ "cmd": "advise", "game": game, "level": "marshal" })), "field");
}

#[test]
fn a_side_is_told_what_it_may_know() {
    let mut engine = Engine::start(&["--side", "axis"]);
    assert_eq!(engine.refuses(json!({ "cmd": "new", "scenario": "mini/ford", "seed": "1" })), "hidden");
    let game = engine.does(json!({ "cmd": "new", "scenario": "mini/ford" }))["game"].clone();
    for cmd in ["record", "situation", "hash", "clone"] {
        assert_eq!(engine.refuses(json!({ "cmd": cmd, "game": game })), "hidden");
    }
    assert_eq!(engine.refuses(json!({ "cmd": "ask", "game": game, "eyes": "soviet" })), "hidden");
    assert_eq!(engine.refuses(json!({ "cmd": "play", "game": game, "axis": "recruit" })), "refused");
    // Until an opponent is seated the enemy's question is his own.
    engine.does(json!({ "cmd": "act", "game": game, "answer": "end" }));
    let now = engine.does(json!({ "cmd": "act", "game": game, "answer": "end", "want": ["answers"] }));
    assert_eq!((&now["side"], &now["prompt"]), (&json!("soviet"), &Value::Null));
    assert!(now["answers"].as_array().unwrap().is_empty());
    assert_eq!(engine.refuses(json!({ "cmd": "act", "game": game, "answer": 0 })), "refused");
    assert_eq!(engine.refuses(json!({ "cmd": "act", "game": game, "answer": "end" })), "refused");
    assert_eq!(engine.refuses(json!({ "cmd": "advise", "game": game, "level": "recruit" })), "refused");
    let imagined = engine.does(json!({ "cmd": "imagine", "game": game, "deal": "1" }))["game"].clone();
    let view = |engine: &mut Engine, game: &Value| {
        engine.does(json!({ "cmd": "ask", "game": game, "want": ["view"] }))["view"].clone()
    };
    assert_eq!(view(&mut engine, &imagined), view(&mut engine, &game));
    let now = engine.does(json!({ "cmd": "play", "game": game, "soviet": "recruit" }));
    assert_eq!(now["side"], "axis");
}

#[test]
fn the_client_of_the_docs_plays_a_game() {
    let docs = include_str!("../../../docs/engine.md");
    let client = docs.split("```js\n").nth(1).unwrap().split("```").next().unwrap();
    let file = std::env::temp_dir().join(format!("grognard-bot-{}.mjs", std::process::id()));
    std::fs::write(&file, client).unwrap();
    let output = Command::new("node")
        .arg(&file)
        .arg("mini/ford")
        .env("GROGNARD", env!("CARGO_BIN_EXE_grognard"))
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains(" wins: "));
}

/// What a bound program can be asked about a game.
fn questions(game: &Value, now: &Value, lot: &mut Lot) -> Vec<Value> {
    let want = ["answers", "sentences", "unasked", "view", "events"];
    let mut asked = vec![json!({ "cmd": "ask", "game": game, "want": want })];
    let stacks = now["view"]["stacks"].as_array().unwrap();
    let answers = now["answers"].as_array().unwrap();
    for _ in 0..4 {
        let stack = &stacks[lot.draw(stacks.len())];
        let unit = &stack["pieces"][0]["front"]["unit"];
        asked.push(json!({ "cmd": "threat", "game": game, "hex": stack["hex"] }));
        asked.push(json!({ "cmd": "explain", "game": game, "unit": unit }));
        asked.push(json!({ "cmd": "routes", "game": game, "unit": unit }));
        asked.push(json!({ "cmd": "check", "game": game, "answer": format!("move {unit}") }));
        if !answers.is_empty() {
            let answer = &answers[lot.draw(answers.len())];
            asked.push(json!({ "cmd": "odds", "game": game, "answer": answer }));
            asked.push(json!({ "cmd": "odds", "game": game, "answer": [answer, "end", "end"] }));
        }
    }
    asked.push(json!({ "cmd": "routes", "game": game }));
    asked.push(json!({ "cmd": "undo", "game": game }));
    asked.push(json!({ "cmd": "act", "game": game, "answer": ["end", "nothing"] }));
    asked.push(json!({ "cmd": "act", "game": game, "answer": 10_000 }));
    asked.push(json!({ "cmd": "advise", "game": game, "level": "recruit", "luck": "x" }));
    asked.push(json!({ "cmd": "advise", "game": game, "level": "officer", "luck": "x" }));
    for cmd in ["record", "situation", "hash", "clone"] {
        asked.push(json!({ "cmd": cmd, "game": game }));
    }
    asked
}

/// A program that is bound to a side answers the same, byte for byte, in two positions that differ only in what the side does
/// not see; and what it imagines there is the same, too, down to the last hidden unit.
fn bound_to_its_side<R: Rulebook>(scenario: &str, actions: usize, pairs: usize) {
    let mut lot = Lot(1944);
    let mut compared = 0;
    for attempt in 0..200 * pairs {
        let side = kept_in_the_dark::<R>(attempt);
        let Some(texts) = twins::<R>(scenario, actions, side, &mut lot) else { continue };
        let mut worlds = [(); 2].map(|()| Engine::start(&["--side", side.word()]));
        for (world, text) in worlds.iter_mut().zip(texts) {
            assert_eq!(world.does(json!({ "cmd": "open", "text": text }))["game"], 1);
        }
        let mut both = |request: &Value| -> Value {
            let [one, other] = worlds.each_mut().map(|world| world.call(request.clone()));
            assert_eq!(one.to_string(), other.to_string(), "{side} asks {request}");
            one
        };
        assert_eq!(both(&json!({ "cmd": "hello" }))["side"], side.word());
        let game = json!(1);
        let now = both(&json!({ "cmd": "ask", "game": game, "want": ["answers", "view"] }));
        for question in questions(&game, &now, &mut lot) {
            both(&question);
        }
        let imagined =
            both(&json!({ "cmd": "imagine", "game": game, "deal": "1", "seed": "1" }))["game"].clone();
        both(&json!({ "cmd": "act", "game": imagined, "answer": "concede" }));
        let whole = both(&json!({ "cmd": "situation", "game": imagined }));
        assert!(whole["situation"].is_string(), "{whole}");
        compared += 1;
        if compared == pairs {
            return;
        }
    }
    panic!("not enough positions in which something is hidden: {compared}");
}

#[test]
fn a_bound_program_tells_nothing_of_what_is_hidden() {
    bound_to_its_side::<mini::Mini>("ford", 40, 6);
    bound_to_its_side::<dagc::Dagc>("historical", 400, 4);
    bound_to_its_side::<bug::Bug>("bridges", 150, 4);
    bound_to_its_side::<barbarossa::Barbarossa>("smolensk", 150, 4);
}

/// A copy of a game has its opponents, and two copies go on alike.
#[test]
fn a_copy_of_a_game_has_its_opponents() {
    let mut engine = Engine::start(&[]);
    let game = engine.does(json!({ "cmd": "new", "scenario": "dagc/vitebsk", "seed": "1" }))["game"].clone();
    let now = engine.does(json!({ "cmd": "play", "game": game, "soviet": "random", "luck": "x" }));
    assert_eq!(now["side"], "axis");
    let mut played = || {
        let copy = engine.does(json!({ "cmd": "clone", "game": game, "seed": "2" }))["game"].clone();
        let mut now = engine.does(json!({ "cmd": "ask", "game": copy, "want": ["answers"] }));
        for _ in 0..12 {
            if now["over"] == true {
                break;
            }
            assert_eq!(now["side"], "axis", "the opponent answers for its side");
            now = engine.does(json!({ "cmd": "act", "game": copy, "answer": 0, "want": ["answers"] }));
        }
        engine.does(json!({ "cmd": "record", "game": copy }))["record"].clone()
    };
    assert_eq!(played(), played());
}
