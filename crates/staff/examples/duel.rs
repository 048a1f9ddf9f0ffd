//! Games between two levels, sides swapped: `duel bug/campaign officer recruit 20 [seconds] [threads]`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is there to print")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use engine::{BySide, Seed, Side};
use staff::{Budget, Contest, Level, school};

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, or: &str| words.get(i).cloned().unwrap_or_else(|| or.to_owned());
    let place = word(0, "bug/campaign");
    let (book, scenario) = place.split_once('/').ok_or("say RULEBOOK/SCENARIO")?;
    let (a, b) = (Level::named(&word(1, "officer"))?, Level::named(&word(2, "recruit"))?);
    let number = |i: usize, or: &str| word(i, or).parse::<f64>().map_err(|error| error.to_string());
    let (games, seconds, threads) = (number(3, "20")? as usize, number(4, "2")?, number(5, "2")? as usize);
    let school = school(book).ok_or_else(|| format!("there is no rulebook `{book}`"))?;
    let data = match book {
        "bug" => <bug::Bug as engine::Rulebook>::embedded(),
        "dagc" => <dagc::Dagc as engine::Rulebook>::embedded(),
        _ => <mini::Mini as engine::Rulebook>::embedded(),
    };
    let arena = school.arena(&data, scenario, &[]).map_err(|faults| faults.to_string())?;
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    let tally = Mutex::new((BySide { axis: [0.0; 3], soviet: [0.0; 3] }, [0.0; 4], Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let mine = if game.is_multiple_of(2) { Side::Axis } else { Side::Soviet };
                    let levels = BySide::new_with(|side| if side == mine { a } else { b });
                    let contest = Contest { levels, budget: Budget::seconds(seconds), combats: false };
                    let report = arena.play(&contest, &Seed(format!("duel {}", game / 2)));
                    let Ok(mut tally) = tally.lock() else { break };
                    match report {
                        Ok(report) => {
                            let slot = match report.winner {
                                Some(side) if side == mine => 0,
                                None => 1,
                                Some(_) => 2,
                            };
                            tally.0[mine][slot] += 1.0;
                            tally.1[0] += report.seconds[mine];
                            tally.1[1] += report.seconds[mine.enemy()];
                            tally.1[2] = f64::max(tally.1[2], report.longest[mine]);
                            tally.1[3] += report.decisions as f64;
                            tally.2.push((mine, report.points.axis));
                        }
                        Err(fault) => eprintln!("game {game}: {fault}"),
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().map_err(|error| error.to_string())?;
    let mut score = 0.0;
    for side in Side::BOTH {
        let [won, drawn, lost] = tally.0[side];
        score += won + drawn / 2.0;
        let points: Vec<i32> =
            tally.2.iter().filter(|(mine, _)| *mine == side).map(|(_, points)| *points).collect();
        let mean = f64::from(points.iter().sum::<i32>()) / points.len().max(1) as f64;
        println!("{a} as {side}: won {won} drawn {drawn} lost {lost}, {mean:.1} axis points on average");
    }
    let played = tally.2.len().max(1) as f64;
    println!(
        "{a} against {b}: {:.1} % of {played} games, {:.2} s and {:.2} s a game, longest decision {:.2} s, {:.0} decisions, {:.1} s in all",
        100.0 * score / played,
        tally.1[0] / played,
        tally.1[1] / played,
        tally.1[2],
        tally.1[3] / played,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
