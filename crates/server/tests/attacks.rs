//! A client that attacks: every hole that was ever found is tried again.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside a test function")]

mod client;
mod hall;

use client::{Client, Lot, create};
use hall::serve;
use server::wire::{Eyes, Side};

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
