//! Games between two levels, sides swapped: `duel SCENARIO LEVEL LEVEL GAMES [SECONDS]`.
#![allow(clippy::print_stdout, missing_docs)]
use engine::{BySide, Data, Seed, Side};
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (book, scenario) = args[1].split_once('/').unwrap();
    let levels = [staff::Level::named(&args[2]).unwrap(), staff::Level::named(&args[3]).unwrap()];
    let games: usize = args[4].parse().unwrap();
    let seconds: f64 = args.get(5).map_or(2.0, |s| s.parse().unwrap());
    let threads: usize = args.get(6).map_or(1, |s| s.parse().unwrap());
    let school = staff::school(book).unwrap();
    let mut data: Data = match book {
        "dagc" => <dagc::Dagc as engine::Rulebook>::embedded(),
        _ => <mini::Mini as engine::Rulebook>::embedded(),
    };
    if let Ok(dir) = std::env::var("DATA") {
        data.overlay(std::path::Path::new(&dir).join(book).as_path()).unwrap();
    }
    let arena = school.arena(&data, scenario, &[]).map_err(|f| f.to_string()).unwrap();
    let next = AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    let began = std::time::Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= games {
                        break;
                    }
                    let swapped = i % 2 == 1;
                    let (axis, soviet) =
                        if swapped { (levels[1], levels[0]) } else { (levels[0], levels[1]) };
                    let contest = staff::Contest {
                        levels: BySide { axis, soviet },
                        budget: staff::Budget::seconds(seconds),
                        combats: std::env::var("COMBATS").is_ok(),
                    };
                    let report = arena.play(&contest, &Seed(format!("duel {}", i / 2)));
                    results.lock().unwrap().push((i, swapped, report));
                }
            });
        }
    });
    let mut score = [0.0; 2];
    let mut by_side = BySide { axis: 0, soviet: 0 };
    let (mut points, mut decisions, mut think) = (0, 0, [0.0; 2]);
    let mut first_as = BySide { axis: (0.0, 0), soviet: (0.0, 0) };
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|r| r.0);
    let mut losses = BySide { axis: 0, soviet: 0 };
    let mut hist: std::collections::BTreeMap<(String, String), usize> = Default::default();
    for (i, swapped, report) in results {
        match report {
            Err(what) => println!("game {i}: {what}"),
            Ok(report) => {
                let first = if swapped { Side::Soviet } else { Side::Axis };
                let s = match report.winner {
                    Some(side) => {
                        by_side[side] += 1;
                        f64::from(u8::from(side == first))
                    }
                    None => 0.5,
                };
                score[0] += s;
                score[1] += 1.0 - s;
                first_as[first].0 += s;
                first_as[first].1 += 1;
                points += report.points.soviet + report.points.axis;
                decisions += report.decisions;
                for c in &report.combats {
                    *hist.entry((c.attacker.word().to_owned(), c.column.clone())).or_default() += 1;
                    *hist.entry((c.attacker.word().to_owned(), c.result.clone())).or_default() += 1;
                }
                think[0] += report.seconds[first];
                think[1] += report.seconds[first.enemy()];
                if let Some(line) = report.by_turn.last() {
                    for side in Side::BOTH {
                        losses[side] += line.ledger.losses[side];
                    }
                }
                if std::env::var("VERBOSE").is_ok() {
                    println!(
                        "{i} axis {} points {:?} turns {} {:?}",
                        if swapped { &args[3] } else { &args[2] },
                        report.points,
                        report.turns,
                        report
                            .by_turn
                            .iter()
                            .map(|t| (t.ledger.points.soviet, t.ledger.losses.axis, t.ledger.losses.soviet))
                            .collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    let n = games as f64;
    for ((side, what), count) in &hist {
        println!("{side} {what} {:.1}", *count as f64 / n);
    }
    println!(
        "{} {} : {}  score {:.1} : {:.1} ({:.0} %)  as axis {:.1}/{} as soviet {:.1}/{}",
        args[1],
        args[2],
        args[3],
        score[0],
        score[1],
        100.0 * score[0] / n,
        first_as.axis.0,
        first_as.axis.1,
        first_as.soviet.0,
        first_as.soviet.1
    );
    println!(
        "axis won {}, soviet {}; points {:.1}, losses {:.1}:{:.1}, decisions {:.0}; seconds a game {:.2} + {:.2}; wall {:.1}",
        by_side.axis,
        by_side.soviet,
        f64::from(points) / n,
        f64::from(losses.axis) / n,
        f64::from(losses.soviet) / n,
        decisions as f64 / n,
        think[0] / n,
        think[1] / n,
        began.elapsed().as_secs_f64()
    );
}
