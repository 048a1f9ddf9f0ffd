//! The page that a designer reads: tables first, then plots, and one sentence under each that says how to read it.

use std::fmt::Write as _;
use std::path::Path;

use engine::Side;
use serde::Serialize;

use crate::ladder::{self, Tally};
use crate::plan::Cell;
use crate::plots::{self, Curve};
use crate::stats::{Estimate, mean, paired_share, quantile, wilson};
use crate::store::{self, End, Head, Played, Row, Standing};

/// Writes the report of a run's folder: one HTML page that needs nothing else.
pub fn page(folder: &Path) -> Result<String, String> {
    let (head, rows) = store::read(folder)?;
    if rows.is_empty() {
        return Err(format!("{}: no game is finished yet", folder.display()));
    }
    Ok(Run::new(head, rows).page())
}

/// What a run says of one way to play beside the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The arm and its options, and the scenario.
    pub way: String,
    /// Who plays.
    pub levels: String,
    /// What it is compared with.
    pub beside: String,
    /// Games that both have played.
    pub games: usize,
    /// Change of games that the Axis player wins, in points of a hundred: the figure, and the range it is uncertain by.
    pub wins: [f64; 3],
    /// Change of his lead in victory points, in the same way.
    pub lead: [f64; 3],
    /// True when it is more than noise.
    pub clear: bool,
    /// The same in words.
    pub verdict: String,
    /// What the arm's files do to the data.
    pub laid: Vec<String>,
}

/// What a run says of the changes that its arms make; nothing when it has one arm.
pub fn verdict(folder: &Path) -> Result<Vec<Change>, String> {
    let (head, rows) = store::read(folder)?;
    let run = Run::new(head, rows);
    Ok(run.cells.iter().filter_map(|games| run.change(games)).map(|(change, _)| change).collect())
}

/// A run, by the rows of its plan.
struct Run {
    head: Head,
    cells: Vec<Games>,
}

/// The games of a cell.
struct Games {
    cell: Cell,
    played: Vec<(usize, Played)>,
    faults: Vec<(usize, String)>,
}

impl Games {
    fn score(&self, side: Side) -> f64 {
        self.played.iter().map(|(_, played)| played.score(side)).sum()
    }

    fn wins(&self, side: Side) -> usize {
        self.played.iter().filter(|(_, played)| played.winner.as_deref() == Some(side.word())).count()
    }

    fn sorted(&self, value: impl Fn(&Played) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = self.played.iter().map(|(_, played)| value(played)).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The arm and its options.
    fn way(&self) -> String {
        match self.cell.options.is_empty() {
            true => self.cell.arm.clone(),
            false => format!("{} ({})", self.cell.arm, self.cell.options.join(", ")),
        }
    }

    fn levels(&self) -> String {
        format!("{} – {}", self.cell.axis, self.cell.soviet)
    }

    fn strength(&self) -> usize {
        [Side::Axis, Side::Soviet].iter().map(|side| rank(self.cell.level(*side))).min().unwrap_or(0)
    }
}

/// The levels, the weakest first.
fn rank(level: &str) -> usize {
    staff::Level::ALL.iter().position(|known| known.name() == level).unwrap_or(0)
}

/// What a rulebook calls a side.
fn side_name(book: &str, side: Side) -> &'static str {
    match (staff::school(book), side) {
        (Some(school), side) => school.book().sides[side],
        (None, Side::Axis) => "Axis",
        (None, Side::Soviet) => "Soviet",
    }
}

impl Run {
    fn new(head: Head, rows: Vec<Row>) -> Run {
        let mut cells: Vec<Games> = head
            .cells
            .iter()
            .map(|cell| Games { cell: cell.clone(), played: Vec::new(), faults: Vec::new() })
            .collect();
        for row in rows {
            match row.end {
                End::Played(played) => cells[row.cell].played.push((row.game, played)),
                End::Fault(fault) => cells[row.cell].faults.push((row.game, fault)),
            }
        }
        Run { head, cells }
    }

    fn page(&self) -> String {
        let title = if self.head.title.is_empty() { "A run of the lab" } else { &self.head.title };
        let games: usize = self.cells.iter().map(|games| games.played.len() + games.faults.len()).sum();
        let faults: usize = self.cells.iter().map(|games| games.faults.len()).sum();
        let mut out = String::new();
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
             </head>\n<body>\n<h1>{0}</h1>\n\
             <p>{games} games, {faults} of which went wrong; seeds {1}-0, {1}-1 and so on, the same in every row; \
             Grognard {2}.</p>\n\
             <p>Figures from a limited number of games are uncertain. <b>A range in brackets</b> says by how much: \
             nineteen of twenty such ranges contain the true figure, which endless games would give. Two figures whose \
             ranges overlap widely may well be the same.</p>\n",
            escaped(title),
            escaped(&self.head.seed),
            escaped(&self.head.program),
        );
        out += &self.who_wins();
        out += &self.pairings();
        out += &self.ladders();
        out += &self.comparisons();
        out += &self.points();
        out += &self.course();
        out += &self.length();
        out += &self.faults();
        out += "</body>\n</html>\n";
        out
    }

    /// The scenarios, in the order of the plan.
    fn scenarios(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for games in &self.cells {
            if !names.contains(&games.cell.scenario.as_str()) {
                names.push(&games.cell.scenario);
            }
        }
        names
    }

    /// The rulebooks.
    fn books(&self) -> Vec<&str> {
        let mut books: Vec<&str> = self.cells.iter().map(|games| games.cell.book()).collect();
        books.sort_unstable();
        books.dedup();
        books
    }

    fn of<'a>(&'a self, scenario: &'a str) -> impl Iterator<Item = &'a Games> {
        self.cells.iter().filter(move |games| games.cell.scenario == scenario && !games.played.is_empty())
    }

    fn who_wins(&self) -> String {
        let mut out = section("Who wins");
        for scenario in self.scenarios() {
            let book = scenario.split('/').next().unwrap_or_default();
            let [axis, soviet] = Side::BOTH.map(|side| side_name(book, side));
            let _ = writeln!(out, "<h3>{}</h3>", escaped(scenario));
            let mut table = Table::new(&[
                "way to play",
                &format!("{axis} – {soviet}"),
                "games",
                &format!("{axis} wins"),
                &format!("{soviet} wins"),
                "nobody",
                "wrong",
            ]);
            let mut rows = Vec::new();
            for games in self.of(scenario) {
                let n = games.played.len();
                let [a, s] = Side::BOTH.map(|side| games.wins(side));
                table.row(&[
                    games.way(),
                    games.levels(),
                    n.to_string(),
                    share(&wilson(a as f64, n)),
                    share(&wilson(s as f64, n)),
                    (n - a - s).to_string(),
                    games.faults.len().to_string(),
                ]);
                rows.push((
                    format!("{}, {}", games.way(), games.levels()),
                    percent(wilson(games.score(Side::Axis), n)),
                ));
            }
            out += &table.finish(&format!(
                "How often each side won. Where the two ranges overlap, these games do not show that a side is favoured; \
                 {axis} is named first in every pair of levels."
            ));
            let plot = plots::whiskers(&rows, 0.0..100.0, 50.0, &format!("score of {axis}, %"));
            out += &figure(
                &[plot],
                &format!(
                    "The score of {axis}: wins, and half of the games that nobody won. A bar right of the line means that \
                     {axis} is favoured, one left of it the other side; one that crosses it leaves that open."
                ),
            );
        }
        out
    }

    /// Who is stronger, averaged over both sides.
    fn pairings(&self) -> String {
        let mut table = Table::new(&[
            "scenario",
            "way to play",
            "pairing",
            "the first scores",
            "as one side, as the other",
            "games",
            "wrong",
        ]);
        let mut any = false;
        for games in &self.cells {
            let Cell { axis, soviet, .. } = &games.cell;
            if rank(axis) <= rank(soviet) {
                continue;
            }
            let swapped = Cell { axis: soviet.clone(), soviet: axis.clone(), ..games.cell.clone() };
            let Some(other) = self.cells.iter().find(|other| other.cell == swapped) else { continue };
            let (n, m) = (games.played.len(), other.played.len());
            if n == 0 || m == 0 {
                continue;
            }
            any = true;
            let as_axis = games.score(Side::Axis) / n as f64;
            let as_soviet = other.score(Side::Soviet) / m as f64;
            let both = wilson((as_axis + as_soviet) / 2.0 * (n + m) as f64, n + m);
            let book = games.cell.book();
            table.row(&[
                games.cell.scenario.clone(),
                games.way(),
                format!("{axis} against {soviet}"),
                share(&both),
                format!(
                    "{} {:.0} %, {} {:.0} %",
                    side_name(book, Side::Axis),
                    100.0 * as_axis,
                    side_name(book, Side::Soviet),
                    100.0 * as_soviet
                ),
                (n + m).to_string(),
                (games.faults.len() + other.faults.len()).to_string(),
            ]);
        }
        if !any {
            return String::new();
        }
        section("Which level is stronger")
            + &table.finish(
                "Each pairing was played from both sides with the same seeds and is averaged over them, so that a scenario \
                 which favours a side favours no level; a game that nobody won counts as half a win.",
            )
    }

    fn ladders(&self) -> String {
        let mut out = String::new();
        for book in self.books() {
            let cells: Vec<&Games> = self.cells.iter().filter(|games| games.cell.book() == book).collect();
            let mut levels: Vec<&str> = cells
                .iter()
                .flat_map(|games| [games.cell.axis.as_str(), games.cell.soviet.as_str()])
                .collect();
            levels.sort_by_key(|level| rank(level));
            levels.dedup();
            let mut grounds: Vec<(&str, &str)> = Vec::new();
            let mut tallies = Vec::new();
            for games in cells {
                let ground = (games.cell.arm.as_str(), games.cell.scenario.as_str());
                let place = grounds.iter().position(|known| *known == ground).unwrap_or_else(|| {
                    grounds.push(ground);
                    grounds.len() - 1
                });
                let level = |name: &str| levels.iter().position(|known| *known == name).unwrap_or(0);
                tallies.push(Tally {
                    axis: level(&games.cell.axis),
                    soviet: level(&games.cell.soviet),
                    ground: place,
                    score: games.score(Side::Axis),
                    games: games.played.len() as f64,
                });
            }
            let rungs = ladder::fit(levels.len(), grounds.len(), &tallies);
            if rungs.len() < 2 {
                continue;
            }
            let _ = writeln!(out, "<h3>{}: strength of the levels</h3>", escaped(book));
            let mut table = Table::new(&["level", "Elo", "against the one below"]);
            for (place, rung) in rungs.iter().enumerate() {
                let elo = match (place, rung.one_sided) {
                    (0, _) => "0".to_owned(),
                    (_, true) => format!("{} ; won or lost every game of a pairing", range(&rung.elo, 0)),
                    (_, false) => range(&rung.elo, 0),
                };
                let below = place.checked_sub(1).map(|below| rung.elo.value - rungs[below].elo.value);
                let expected =
                    below.map(|gap| format!("{:.0} % expected", 100.0 / (1.0 + 10f64.powf(-gap / 400.0))));
                table.row(&[levels[rung.level].to_owned(), elo, expected.unwrap_or_default()]);
            }
            out += &table.finish(
                "Elo as in chess, the weakest level being 0: 100 points more mean 64 % of the games on fair ground, 200 \
                 points 76 %, 400 points 91 %. How much each scenario favours a side is fitted along and taken out.",
            );
            let rows: Vec<(String, Estimate)> =
                rungs.iter().map(|rung| (levels[rung.level].to_owned(), rung.elo)).collect();
            let low = rows.iter().map(|(_, elo)| elo.low).fold(0.0, f64::min);
            let high = rows.iter().map(|(_, elo)| elo.high).fold(100.0, f64::max);
            let plot = plots::whiskers(&rows, low - 20.0..high + 20.0, 0.0, "Elo");
            out += &figure(
                &[plot],
                "The ladder: levels whose bars do not meet are hardly of the same strength.",
            );
        }
        if out.is_empty() { out } else { section("The strength ladder") + &out }
    }

    /// What a row is compared with: the first arm's row of the same levels on the same scenario, or on its first one.
    fn baseline(&self, games: &Games) -> Option<&Games> {
        let first = self.cells.first()?.cell.arm.as_str();
        if games.cell.arm == first {
            return None;
        }
        let same = |other: &&Games| {
            other.cell.arm == first
                && other.cell.book() == games.cell.book()
                && other.cell.axis == games.cell.axis
                && other.cell.soviet == games.cell.soviet
        };
        let here = |other: &&Games| same(other) && other.cell.scenario == games.cell.scenario;
        self.cells.iter().find(here).or_else(|| self.cells.iter().find(same))
    }

    /// What a way to play changes beside the first one: the same games with the same seeds, in pairs.
    fn change(&self, games: &Games) -> Option<(Change, Estimate)> {
        let base = self.baseline(games)?;
        let pairs: Vec<(&Played, &Played)> = games
            .played
            .iter()
            .filter_map(|(game, played)| {
                // Games are read in order.
                let place = base.played.binary_search_by_key(game, |(other, _)| *other).ok()?;
                Some((played, &base.played[place].1))
            })
            .collect();
        let of = |value: &dyn Fn(&Played) -> f64| -> Vec<f64> {
            pairs.iter().map(|(now, before)| value(now) - value(before)).collect()
        };
        let wins = percent(paired_share(&of(&|played| played.score(Side::Axis)))?);
        let lead = mean(&of(&|played| played.lead(Side::Axis)))?;
        let [axis, soviet] = Side::BOTH.map(|side| side_name(games.cell.book(), side));
        let way = match games.cell.scenario == base.cell.scenario {
            true => format!("{} on {}", games.way(), games.cell.scenario),
            false => format!("{}: {}", games.way(), games.cell.scenario),
        };
        let own = self.head.laid.iter().filter(|(arm, _)| *arm == games.cell.arm);
        let change = Change {
            way,
            levels: games.levels(),
            beside: format!("{} on {}", base.way(), base.cell.scenario),
            games: pairs.len(),
            wins: [wins.value, wins.low, wins.high],
            lead: [lead.value, lead.low, lead.high],
            clear: wins.is_clear() || lead.is_clear(),
            verdict: in_words(axis, soviet, &wins, &lead),
            laid: own.map(|(_, line)| line.clone()).collect(),
        };
        Some((change, wins))
    }

    /// What the files of each arm do to the data.
    fn laid(&self) -> String {
        if self.head.laid.is_empty() {
            return String::new();
        }
        let mut table = Table::new(&["way to play", "what its files do"]);
        for (arm, line) in &self.head.laid {
            table.row(&[arm.clone(), line.clone()]);
        }
        table.finish("What is not named here is as it is built in.")
    }

    fn comparisons(&self) -> String {
        let Some(first) = self.cells.first() else { return String::new() };
        let mut table = Table::new(&[
            "way to play",
            "levels",
            "compared with",
            "games",
            "change of Axis wins",
            "change of the Axis lead in points",
            "in words",
        ]);
        let mut rows = Vec::new();
        for (change, wins) in self.cells.iter().filter_map(|games| self.change(games)) {
            let lead = Estimate { value: change.lead[0], low: change.lead[1], high: change.lead[2] };
            table.row(&[
                change.way.clone(),
                change.levels.clone(),
                change.beside,
                change.games.to_string(),
                signed(&wins, ""),
                signed(&lead, ""),
                change.verdict,
            ]);
            rows.push((format!("{}, {}", change.way, change.levels), wins));
        }
        if rows.is_empty() {
            return String::new();
        }
        let reach = rows.iter().map(|(_, wins)| wins.low.abs().max(wins.high.abs())).fold(5.0, f64::max);
        let plot =
            plots::whiskers(&rows, -reach..reach, 0.0, "change of games won by the Axis player, points of %");
        section("What the changes did")
            + &table.finish(&format!(
                "Every way to play against the first one, `{}`: game by game with the same seeds, which takes much of the \
                 luck out of the comparison. Wins change in points of a hundred games.",
                first.cell.arm
            ))
            + &figure(
                &[plot],
                "A bar that crosses the line may be nothing but noise; one that does not is hardly chance.",
            )
            + &self.laid()
    }

    fn points(&self) -> String {
        let mut out = section("Victory points");
        for scenario in self.scenarios() {
            let book = scenario.split('/').next().unwrap_or_default();
            let axis = side_name(book, Side::Axis);
            let _ = writeln!(out, "<h3>{}</h3>", escaped(scenario));
            let mut table =
                Table::new(&["way to play", "levels", "mean lead", "middle game", "8 of 10 games"]);
            let mut plots = Vec::new();
            for games in self.of(scenario) {
                let leads = games.sorted(|played| played.lead(Side::Axis));
                let mean = mean(&leads).map_or_else(|| "–".to_owned(), |found| signed(&found, ""));
                table.row(&[
                    games.way(),
                    games.levels(),
                    mean,
                    format!("{:+.0}", quantile(&leads, 0.5)),
                    format!("{:+.0} to {:+.0}", quantile(&leads, 0.1), quantile(&leads, 0.9)),
                ]);
                let caption = format!("{}, {}", games.way(), games.levels());
                plots.push(captioned(&caption, &plots::histogram(&leads, &format!("{axis} ahead by"))));
            }
            out += &table.finish(&format!(
                "By how many victory points {axis} was ahead at the end; negative: behind."
            ));
            out +=
                &figure(&plots, "How often the game ended with which lead; the dashed line is an even game.");
        }
        out
    }

    /// Losses, places and the front by turn, of the strongest pairing of each way to play.
    fn course(&self) -> String {
        let mut out = section("How games run");
        for scenario in self.scenarios() {
            let book = scenario.split('/').next().unwrap_or_default();
            let mut arms: Vec<&str> = self.of(scenario).map(|games| games.cell.arm.as_str()).collect();
            arms.dedup();
            for arm in arms {
                let of_arm = self.of(scenario).filter(|games| games.cell.arm == arm);
                let Some(games) = of_arm.max_by_key(|games| games.strength()) else { continue };
                let _ = writeln!(
                    out,
                    "<h3>{}, {}, {}</h3>",
                    escaped(scenario),
                    escaped(&games.way()),
                    escaped(&games.levels())
                );
                let both = |value: fn(&Standing) -> [i32; 2]| {
                    [0, 1].map(|side| curve(games, |line| f64::from(value(line)[side])))
                };
                let mut table = Table::new(&["turn", "games", "losses", "places", "points", "front"]);
                let (losses, places, points) =
                    (both(|line| line.losses), both(|line| line.places), both(|line| line.points));
                let front = curve(games, |line| line.front);
                let pair = |curves: &[Curve; 2], at: usize| {
                    format!("{:.1} – {:.1}", curves[0].points[at].value, curves[1].points[at].value)
                };
                let lines =
                    games.played.iter().map(|(_, played)| played.by_turn.iter().map(|line| line.turn));
                let turns: Vec<u32> = lines.flatten().collect();
                for (at, turn) in front.turns.iter().enumerate() {
                    let count = turns.iter().filter(|other| f64::from(**other) == *turn).count();
                    table.row(&[
                        format!("{turn}"),
                        count.to_string(),
                        pair(&losses, at),
                        pair(&places, at),
                        pair(&points, at),
                        format!("{:.1}", front.points[at].value),
                    ]);
                }
                let [axis, soviet] = Side::BOTH.map(|side| side_name(book, side));
                out += &table.finish(&format!(
                    "Means when a turn begins, {axis} – {soviet}; the last line is the end of the game. Losses are steps or \
                     strength points lost and not replaced, places those that count for victory, the front how many hexes \
                     the attacker of the campaign has come."
                ));
                let plots = [
                    captioned("losses", &plots::curves(&losses, "losses")),
                    captioned("places held", &plots::curves(&places, "places")),
                    captioned("front", &plots::curves(&[front], "hexes")),
                ];
                out += &figure(
                    &plots,
                    &format!("{axis} solid and grey, {soviet} dashed and red; the band holds 8 of 10 games."),
                );
            }
        }
        out
    }

    fn length(&self) -> String {
        let mut table = Table::new(&[
            "scenario",
            "way to play",
            "levels",
            "turns",
            "decisions",
            "seconds, first – second",
            "longest thought",
        ]);
        for games in self.cells.iter().filter(|games| !games.played.is_empty()) {
            let most = |value: &dyn Fn(&Played) -> f64, digits: usize| {
                let sorted = games.sorted(value);
                let part = |part: f64| quantile(&sorted, part);
                format!("{:.digits$} ({:.digits$} to {:.digits$})", part(0.5), part(0.1), part(0.9))
            };
            let longest =
                |side: usize| games.sorted(|played| played.longest[side]).last().copied().unwrap_or(0.0);
            table.row(&[
                games.cell.scenario.clone(),
                games.way(),
                games.levels(),
                most(&|played| f64::from(played.turns), 0),
                most(&|played| played.decisions as f64, 0),
                format!(
                    "{} – {}",
                    most(&|played| played.seconds[0], 2),
                    most(&|played| played.seconds[1], 2)
                ),
                format!("{:.2} s – {:.2} s", longest(0), longest(1)),
            ]);
        }
        let mut plots = Vec::new();
        for games in self.cells.iter().filter(|games| !games.played.is_empty()).take(12) {
            let caption = format!("{}, {}, {}", games.cell.scenario, games.way(), games.levels());
            let decisions = games.sorted(|played| played.decisions as f64);
            plots.push(captioned(&caption, &plots::histogram(&decisions, "decisions")));
        }
        section("How long games are")
            + &table.finish(
                "The middle game, and in brackets the range of 8 of 10; seconds are those that each side has thought on the \
                 machine that ran the games.",
            )
            + &figure(&plots, "How many decisions games took.")
    }

    fn faults(&self) -> String {
        let mut table = Table::new(&["scenario", "way to play", "levels", "seed", "what went wrong"]);
        let mut any = false;
        for games in &self.cells {
            for (game, fault) in &games.faults {
                any = true;
                let seed = format!("{}-{game}", self.head.seed);
                table.row(&[games.cell.scenario.clone(), games.way(), games.levels(), seed, fault.clone()]);
            }
        }
        if !any {
            return section("What went wrong") + "<p>Nothing: every game ended lawfully.</p>\n";
        }
        section("What went wrong")
            + &table.finish("Games without a result; none of them counts in any table above.")
    }
}

/// A figure by turn: its mean, and the range of 8 of 10 games.
fn curve(games: &Games, value: impl Fn(&Standing) -> f64) -> Curve {
    let mut by_turn: Vec<(u32, Vec<f64>)> = Vec::new();
    for (_, played) in &games.played {
        for line in &played.by_turn {
            match by_turn.iter_mut().find(|(turn, _)| *turn == line.turn) {
                Some((_, values)) => values.push(value(line)),
                None => by_turn.push((line.turn, vec![value(line)])),
            }
        }
    }
    by_turn.sort_by_key(|(turn, _)| *turn);
    let point = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        Estimate { value: mean, low: quantile(values, 0.1), high: quantile(values, 0.9) }
    };
    let points = by_turn.iter_mut().map(|(_, values)| point(values)).collect();
    Curve { turns: by_turn.iter().map(|(turn, _)| f64::from(*turn)).collect(), points }
}

fn in_words(axis: &str, soviet: &str, wins: &Estimate, leads: &Estimate) -> String {
    let by = |figure: &Estimate| if figure.value > 0.0 { axis } else { soviet };
    match (wins.is_clear(), leads.is_clear()) {
        (true, _) => format!("More than noise: {} wins more often.", by(wins)),
        (false, true) => {
            format!("{} does better in points, more than noise; too few games to see it in wins.", by(leads))
        }
        (false, false) => format!(
            "No more than noise: a change of wins between {:+.0} and {:+.0} would fit these games; more of them would narrow that.",
            wins.low, wins.high
        ),
    }
}

fn percent(estimate: Estimate) -> Estimate {
    let Estimate { value, low, high } = estimate;
    Estimate { value: 100.0 * value, low: 100.0 * low, high: 100.0 * high }
}

fn share(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = percent(*estimate);
    format!("{value:.1} % [{low:.1} to {high:.1}]")
}

fn range(estimate: &Estimate, digits: usize) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{value:.digits$} [{low:.digits$} to {high:.digits$}]")
}

fn signed(estimate: &Estimate, unit: &str) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{value:+.1}{unit} [{low:+.1} to {high:+.1}]")
}

fn section(title: &str) -> String {
    format!("<h2>{title}</h2>\n")
}

fn captioned(caption: &str, plot: &str) -> String {
    format!("<div><div class=\"what\">{}</div>{plot}</div>", escaped(caption))
}

fn figure(plots: &[String], sentence: &str) -> String {
    format!("<figure>{}<figcaption>{}</figcaption></figure>\n", plots.concat(), escaped(sentence))
}

/// A table of text.
struct Table {
    text: String,
}

impl Table {
    fn new(columns: &[&str]) -> Table {
        let cells: String = columns.iter().map(|column| format!("<th>{}</th>", escaped(column))).collect();
        Table { text: format!("<table>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n") }
    }

    fn row(&mut self, cells: &[String]) {
        let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        let _ = writeln!(self.text, "<tr>{cells}</tr>");
    }

    fn finish(self, sentence: &str) -> String {
        format!("{}</tbody>\n</table>\n<p class=\"note\">{}</p>\n", self.text, escaped(sentence))
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; color: #1c1c1c; background: #fff; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.4rem; border-bottom: 2px solid #3e544d; } h3 { margin: 1.4rem 0 .4rem; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid #d6d6d6; vertical-align: top; }
th { border-bottom: 1px solid #1c1c1c; }
.note, figcaption { color: #444; font-size: 13px; max-width: 70ch; margin: .4rem 0 1rem; }
figure { margin: .6rem 0 1.2rem; } figure > div { display: inline-block; vertical-align: top; margin: 0 .8rem .4rem 0; }
.what { font-size: 13px; font-weight: 600; }
svg { max-width: 100%; height: auto; }
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; } h2, h3 { break-after: avoid; }
  figure > div, tr, svg { break-inside: avoid; } thead { display: table-header-group; }
}
";
