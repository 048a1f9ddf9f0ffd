//! What a side may not see never leaves the server: two games that differ only in hidden things are played side by side
//! over real sockets, and every byte that the side is sent must be the same.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;
mod twins;

use std::net::SocketAddr;

use client::{Client, Lot, post};
use engine::Rulebook;
use server::wire::{Answer, Ask, ClientMessage, Order, OrderEnd, Side};
use twins::{kept_in_the_dark, twins};

/// A position as the record of a game that begins there, with a seed.
fn record<R: Rulebook>(situation: &str) -> String {
    let lines: Vec<String> = situation.lines().map(|line| format!("| {line}")).collect();
    format!(
        "[Grognard \"record 1\"]\n[Rulebook \"{}\"]\n[Rules \"{}\"]\n[Seed \"the same\"]\n\n{}\n",
        R::BOOK.name,
        R::BOOK.rules,
        lines.join("\n")
    )
}

/// A table with both players, and somebody who looks on: he sees what both of them see, and no more than that.
struct World {
    viewer: Client,
    enemy: Client,
    observer: Client,
}

impl World {
    async fn open(address: SocketAddr, record: &str, side: Side) -> World {
        let body = serde_json::json!({ "name": "twin.record", "text": record }).to_string();
        let (status, body) = post(address, "/api/games/open", "", &body).await.unwrap();
        assert_eq!(status, 200, "{body}");
        let seats = client::Seats { created: serde_json::from_str(&body).unwrap() };
        let enemy_side = if side == Side::Axis { Side::Soviet } else { Side::Axis };
        let enemy = Client::sit(address, seats.of(&[enemy_side]), None).await.unwrap();
        let observer = Client::sit(address, seats.of(&[]), None).await.unwrap();
        let viewer = Client::sit(address, seats.of(&[side]), None).await.unwrap();
        World { viewer, enemy, observer }
    }

    /// What the viewer and the observer have heard, without the name of the game and of who comes and goes.
    fn heard(&self) -> [Vec<String>; 2] {
        [&self.viewer, &self.observer].map(|client| {
            let told = client.heard.iter().filter(|text| !text.contains("\"type\":\"presence\""));
            told.map(|text| text.replace(&self.viewer.info.id, "GAME")).collect()
        })
    }

    /// Waits until everybody has heard of the last decision.
    async fn settle(&mut self) {
        let World { viewer, enemy, observer } = self;
        let decision = viewer.update.decision.max(enemy.update.decision);
        for client in [viewer, enemy, observer] {
            client.until(|update| update.decision == decision).await.unwrap();
        }
    }
}

/// Lines that follow one another from the present decision on, found by asking.
async fn walk(viewer: &mut Client, longest: usize, lot: &mut Lot) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = viewer.lines();
    while lines.len() < longest && !open.is_empty() {
        lines.push(of_any_form(&open, lot));
        open = match viewer.ask(Ask::Look { lines: lines.clone() }).await {
            Ok(Answer::Look(outlook)) => client::lines(&viewer.info.forms, &outlook.question.answers),
            _ => Vec::new(),
        };
    }
    lines
}

/// One of these lines; any form as likely as another, however many lines it has.
fn of_any_form(lines: &[String], lot: &mut Lot) -> String {
    let form = |line: &String| line.split(' ').next().unwrap().to_owned();
    let mut forms: Vec<String> = lines.iter().map(form).collect();
    forms.dedup();
    let chosen = &forms[lot.draw(forms.len())];
    let of_form: Vec<&String> = lines.iter().filter(|line| form(line) == *chosen).collect();
    of_form[lot.draw(of_form.len())].clone()
}

/// A line with any words in it, lawful or not, the viewer's or the enemy's.
fn guess(viewer: &Client, lot: &mut Lot) -> String {
    let forms = &viewer.info.forms;
    let form = &forms[lot.draw(forms.len())];
    let stacks = &viewer.update.view.stacks;
    let mut line = form.name.clone();
    for field in &form.fields {
        let word = match field.kind.as_str() {
            "unit" | "units" => viewer.info.counters[lot.draw(viewer.info.counters.len())].unit.clone(),
            "hex" => stacks[lot.draw(stacks.len())].hex.clone(),
            _ => (1 + lot.draw(3)).to_string(),
        };
        line = format!("{line} {word}");
    }
    line
}

/// Questions of every kind, with nothing imagined before them, with what could follow, and with what is not the viewer's to
/// decide; the same in both worlds.
async fn ask_much(viewer: &mut Client, lot: &mut Lot) {
    let mut asks = vec![Ask::Overlays, Ask::Marks, Ask::Luck, Ask::Record, Ask::Situation, Ask::Thoughts];
    asks.push(Ask::Advice { level: "random".to_owned() });
    asks.push(Ask::Log { from: 0, to: 1000 });
    for at in [0, viewer.update.at.saturating_sub(1), viewer.update.at] {
        // The position as the viewer may suppose it, to try things in: a whole situation, hidden things and all.
        asks.extend([Ask::At { at }, Ask::Branch { at }]);
    }
    let longest = 1 + lot.draw(4);
    let walked = walk(viewer, longest, lot).await;
    let stacks = viewer.update.view.stacks.clone();
    for _ in 0..3 {
        let hex = stacks[lot.draw(stacks.len())].hex.clone();
        let unit = viewer.info.counters[lot.draw(viewer.info.counters.len())].unit.clone();
        let mut lines = walked[..lot.draw(walked.len() + 1)].to_vec();
        asks.push(Ask::Hex { hex: hex.clone() });
        asks.push(Ask::Threat { hex: hex.clone() });
        asks.push(Ask::Explain { unit: unit.clone() });
        asks.push(Ask::Why { lines: lines.clone(), unit: Some(unit.clone()), hex: Some(hex) });
        asks.push(Ask::Routes { lines: lines.clone(), unit: Some(unit) });
        for _ in 0..lot.draw(4) {
            // Through the end of the phase into the enemy's.
            lines.push("end".to_owned());
        }
        if lot.draw(3) > 0 {
            lines.push(guess(viewer, lot));
        }
        asks.push(Ask::Look { lines: lines.clone() });
        asks.push(Ask::Check { lines: lines.clone() });
        asks.push(Ask::Route { lines: lines.clone() });
        asks.push(Ask::Routes { lines: lines.clone(), unit: None });
        asks.push(Ask::Odds { lines: lines.clone(), complete: true });
        asks.push(Ask::Odds { lines, complete: false });
    }
    asks.push(Ask::Odds { lines: walked.clone(), complete: true });
    asks.push(Ask::Odds { lines: walked, complete: false });
    asks.push(Ask::Odds { lines: vec![], complete: true });
    // A few of them each time, so that no limit is in the way.
    for _ in 0..9 {
        let _ = viewer.ask(asks[lot.draw(asks.len())].clone()).await;
    }
    try_much(viewer, lot).await;
}

/// What somebody may not do is refused in the same words, whatever is hidden from him.
async fn try_much(viewer: &mut Client, lot: &mut Lot) {
    let tried = guess(viewer, lot);
    let check = viewer.ask(Ask::Check { lines: vec![tried.clone()] }).await;
    if !matches!(check, Ok(Answer::Check(verdict)) if verdict.refusal.is_none()) {
        let refused = viewer.act(&[&tried, "end"]).await;
        assert!(refused.is_err(), "{tried} was done, but would not have been allowed");
    }
    let order = Order {
        case: viewer.update.question.case.clone(),
        line: tried,
        about: None,
        until: OrderEnd::AskedOther,
    };
    let (id, orders) = (77_000, vec![order]);
    viewer.say(&ClientMessage::Order { id, orders }).await.unwrap();
    let _ = viewer.ask(Ask::Log { from: 0, to: 0 }).await;
}

fn same(worlds: &[World; 2], after: &str) {
    let [a, b] = [worlds[0].heard(), worlds[1].heard()];
    for (who, (a, b)) in ["the viewer", "an observer"].iter().zip(a.iter().zip(&b)) {
        for (left, right) in a.iter().zip(b) {
            assert!(left == right, "{who} after {after}:\n{left}\n{right}");
        }
        assert_eq!(a.len(), b.len(), "{who} after {after}");
    }
}

/// True when what a line does is certain and shows nobody anything, in both worlds.
async fn is_plain(clients: [&mut Client; 2], line: &str) -> bool {
    let mut plain = true;
    for client in clients {
        let ask = Ask::Look { lines: vec![line.to_owned()] };
        plain &= matches!(client.ask(ask).await, Ok(Answer::Look(_)));
    }
    plain
}

/// Plays two worlds side by side: whoever decides does the same in both, as long as it is nothing about what is hidden.
async fn play(worlds: &mut [World; 2], steps: usize, lot: &mut Lot) -> usize {
    let mut acted = 0;
    let mut begun = false;
    let mut named = false;
    for _ in 0..steps {
        // Then nothing is hidden any more.
        if worlds[0].viewer.update.question.over.is_some() {
            break;
        }
        let seed = lot.0;
        for world in worlds.iter_mut() {
            ask_much(&mut world.viewer, &mut Lot(seed)).await;
            ask_much(&mut world.observer, &mut Lot(seed)).await;
        }
        same(worlds, "questions");
        let [a, b] = worlds;
        let viewer_decides = a.viewer.update.question.yours;
        // The enemy names only units that the viewer sees, and no HQ of his relocates, which shows where it was.
        let hidden = if viewer_decides { Vec::new() } else { unseen(&a.viewer) };
        // Who was on his way before may leave something behind that was covered.
        let on_his_way =
            |line: &str| ["go ", "cross ", "infiltrate "].iter().any(|word| line.starts_with(word));
        // An attack that was put together before may be another in the other world.
        let shows = |line: &str| {
            let other = !named && line == "declare";
            !viewer_decides && (line.starts_with("relocate ") || other || !begun && on_his_way(line))
        };
        let (first, second) =
            if viewer_decides { (&mut a.viewer, &mut b.viewer) } else { (&mut a.enemy, &mut b.enemy) };
        let theirs = second.lines();
        let common = |line: &String| {
            theirs.contains(line) && !shows(line) && !hidden.iter().any(|unit| names(line, unit))
        };
        let lines: Vec<String> = first.lines().into_iter().filter(common).collect();
        let mut chosen = None;
        for _ in 0..lines.len().min(12) {
            let line = &of_any_form(&lines, lot);
            if is_plain([&mut *first, &mut *second], line).await {
                chosen = Some(line.clone());
                break;
            }
        }
        let Some(line) = chosen else { break };
        begun |= line.starts_with("move ");
        named |= line.starts_with("name ");
        first.act(&[&line]).await.unwrap();
        second.act(&[&line]).await.unwrap();
        acted += 1;
        for world in worlds.iter_mut() {
            world.settle().await;
        }
        same(worlds, &line);
        if lot.draw(3) == 0 && worlds[0].viewer.update.undo.can {
            for world in worlds.iter_mut() {
                world.viewer.undo().await.unwrap();
                world.observer.until(|update| update.decision == world.viewer.update.decision).await.unwrap();
                world.viewer.redo().await.unwrap();
                world.settle().await;
            }
            same(worlds, "undo and redo");
        }
    }
    acted
}

fn names(line: &str, unit: &str) -> bool {
    line.split([' ', ',']).any(|word| word == unit)
}

/// The units of the game that a viewer does not see, and those that lie on top of one: moving them would show it.
fn unseen(viewer: &Client) -> Vec<String> {
    let view = &viewer.update.view;
    let covers = |stack: &&server::wire::Stack| stack.pieces.iter().any(|piece| piece.front.is_none());
    let open = view.stacks.iter().filter(|stack| !covers(stack)).flat_map(|stack| &stack.pieces);
    let pieces = open.chain(view.boxes.iter().flat_map(|place| &place.pieces));
    let seen: Vec<&str> =
        pieces.filter_map(|piece| piece.front.as_ref()).map(|front| front.unit.as_str()).collect();
    let all = viewer.info.counters.iter().map(|counter| counter.unit.clone());
    all.filter(|unit| !seen.contains(&unit.as_str())).collect()
}

/// So many pairs of games, made by at most so many random actions, each played for so many steps.
async fn compare<R: Rulebook>(scenario: &str, actions: usize, pairs: usize, steps: usize) {
    let address = hall::serve(&format!("hidden-{}", R::BOOK.name)).await;
    let mut lot = Lot(1944);
    let mut compared = 0;
    let mut acted = 0;
    for attempt in 0..200 * pairs {
        let side = kept_in_the_dark::<R>(attempt);
        let Some(texts) = twins::<R>(scenario, actions, side, &mut lot) else { continue };
        let side = if side == engine::Side::Axis { Side::Axis } else { Side::Soviet };
        let [one, other] = texts.map(|text| record::<R>(&text));
        let mut worlds = [World::open(address, &one, side).await, World::open(address, &other, side).await];
        same(&worlds, "welcome");
        acted += play(&mut worlds, steps, &mut lot).await;
        compared += 1;
        if compared == pairs {
            break;
        }
    }
    assert_eq!(compared, pairs, "not enough positions in which something is hidden");
    assert!(acted > pairs, "the games hardly moved: {acted} actions in {pairs} pairs");
}

#[tokio::test]
async fn traffic_of_the_ford_does_not_depend_on_what_is_hidden() {
    compare::<mini::Mini>("ford", 40, 12, 10).await;
}

#[tokio::test]
async fn traffic_of_army_group_center_does_not_depend_on_what_is_hidden() {
    compare::<dagc::Dagc>("historical", 400, 6, 10).await;
}

#[tokio::test]
async fn traffic_of_the_bug_does_not_depend_on_what_is_hidden() {
    compare::<bug::Bug>("bridges", 150, 8, 10).await;
}

#[tokio::test]
async fn traffic_of_barbarossa_does_not_depend_on_what_is_hidden() {
    compare::<barbarossa::Barbarossa>("smolensk", 150, 6, 10).await;
}

#[tokio::test]
async fn traffic_of_battles_in_the_east_does_not_depend_on_what_is_hidden() {
    compare::<bite::Bite>("green-gate", 150, 6, 10).await;
}
