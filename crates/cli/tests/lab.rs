//! The real lab: stopped by SIGKILL and taken up again, wrong plans, reports, tuning.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("grognard-lab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
        command
            .args(args)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The table of games without what depends on the machine.
    fn games(&self, run: &str) -> Vec<Vec<String>> {
        let text = self.read(&format!("{run}/games.csv"));
        let timed: Vec<bool> = text.lines().next().unwrap().split(',').map(is_timed).collect();
        let timeless = |line: &str| {
            let cells = cells(line).into_iter().zip(&timed).filter(|(_, timed)| !**timed);
            cells.map(|(cell, _)| cell).collect()
        };
        text.lines().map(timeless).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The values of a line of CSV; commas within quotes are part of a value.
fn cells(line: &str) -> Vec<String> {
    let mut quoted = false;
    let separated = line.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    separated.map(str::to_owned).collect()
}

fn is_timed(column: &str) -> bool {
    column.ends_with("_seconds") || column.ends_with("_longest")
}

fn succeeds(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

const PLAN: &str = r#"
title = "The Ford & friends"
seed = "kill"
games = 60
swap = true
combats = true
threads = 2
scenarios = ["mini/ford", "mini/bridge"]
pairings = ["recruit random", "random random"]
"#;

#[test]
fn killed_and_taken_up_again() {
    let folder = Folder::new("killed");
    folder.write("plan.toml", PLAN);
    succeeds(&folder.run(&["lab", "run", "plan.toml", "--out", "whole", "--threads", "1"]));
    let journal = folder.0.join("parts/journal.jsonl");
    let mut kills = 0;
    for round in 1..40 {
        let mut child = folder.command(&["lab", "run", "plan.toml", "--out", "parts"]).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && lines(&journal) < round * 50 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = child.try_wait().unwrap().is_some();
        // SIGKILL.
        let _ = child.kill();
        let _ = child.wait();
        if ended {
            break;
        }
        kills += 1;
        // What a kill in the middle of a write leaves behind.
        let mut torn = fs::read(&journal).unwrap();
        torn.extend(b"{\"cell\":0,\"ga");
        fs::write(&journal, torn).unwrap();
    }
    assert!(kills >= 2, "killed {kills} times");
    succeeds(&folder.run(&["lab", "run", "plan.toml", "--out", "parts"]));
    let games = folder.games("whole");
    assert_eq!(games.len(), 1 + 6 * 60);
    let parts = folder.games("parts");
    assert_eq!(parts.len(), games.len());
    for (parts, whole) in parts.iter().zip(&games) {
        assert_eq!(parts, whole);
    }
    assert_eq!(lines(&journal), 1 + 6 * 60, "no game twice");
    for table in ["turns.csv", "combats.csv"] {
        assert_eq!(folder.read(&format!("parts/{table}")), folder.read(&format!("whole/{table}")), "{table}");
        assert!(folder.read(&format!("whole/{table}")).lines().count() > 360, "{table}");
    }
    for table in ["games", "turns", "combats"] {
        let bytes = fs::read(folder.0.join(format!("parts/{table}.parquet"))).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{table}");
    }
}

#[test]
fn a_run_goes_on_only_with_what_it_began_with() {
    let folder = Folder::new("changed");
    let plan = "seed = 's'\ngames = 4\nscenarios = ['mini/ford']\npairings = ['random random']\n";
    folder.write("plan.toml", plan);
    succeeds(&folder.run(&["lab", "run", "plan.toml"]));
    // More games are no change.
    folder.write("plan.toml", &plan.replace("games = 4", "games = 6"));
    succeeds(&folder.run(&["lab", "run", "plan.toml"]));
    assert_eq!(folder.games("runs/plan").len(), 7);
    folder.write("plan.toml", &plan.replace("'s'", "'t'"));
    let said = refused(&folder.run(&["lab", "run", "plan.toml"]));
    assert!(
        said.contains("cannot go on: it was begun with the seed `s`") && said.contains("--out"),
        "{said}"
    );
    folder.write("plan.toml", &plan.replace("random random", "recruit random"));
    let said = refused(&folder.run(&["lab", "run", "plan.toml"]));
    assert!(said.contains("its plan said `as it is` mini/ford random random"), "{said}");
    folder.write("plan.toml", plan);
    let table = include_str!("../../../data/mini/tables/combat.toml");
    folder.write("own/mini/tables/combat.toml", &format!("# mine\n{table}"));
    let said = refused(&folder.run(&["--data", "own", "lab", "run", "plan.toml"]));
    assert!(said.contains("the data of arm `as it is` for mini/ford was another"), "{said}");
}

#[test]
fn wrong_plans_are_told_with_line_and_field() {
    let folder = Folder::new("wrong");
    folder.write(
        "plan.toml",
        "sede = 'x'\ngames = 0\nscenarios = ['mini/fort', 'chess/opening', 'mini/ford']\n\
         pairings = ['recruit', 'recruit officer']\n\n[[arm]]\nname = 'a'\noptions = ['magic']\n\n\
         [[arm]]\nname = 'a'\ndata = 'nowhere'\n",
    );
    let said = refused(&folder.run(&["lab", "run", "plan.toml"]));
    for fault in [
        "plan.toml:1: the field `seed` is missing",
        "plan.toml:1: sede: unknown field",
        "plan.toml:2: games: expected a whole number from 1 to",
        "plan.toml:3: scenarios[0]: there is no `fort` in scenarios",
        "plan.toml:3: scenarios[1]: there are no opponents for `chess`",
        "plan.toml:4: pairings[0]: expected two levels",
        "plan.toml:4: pairings[1]: in mini there is only random, recruit",
        "plan.toml:8: arm[0].options[0]: mini has no option `magic`",
        "plan.toml:11: arm[1].name: there are two arms `a`",
        "plan.toml:12: arm[1].data: nowhere holds no folder",
    ] {
        assert!(said.contains(fault), "{fault}\nis not in\n{said}");
    }
    let said = refused(&folder.run(&["lab", "report", "nowhere"]));
    assert!(said.contains("nowhere/journal.jsonl"), "{said}");
}

#[test]
fn the_report_says_what_the_games_mean() {
    let folder = Folder::new("report");
    let table = include_str!("../../../data/mini/tables/combat.toml");
    folder.write("plans/own/mini/tables/combat.toml", &format!("# mine\n{table}"));
    let arms = "[[arm]]\nname = \"as <published>\"\n[[arm]]\nname = \"mine\"\ndata = \"own\"\n";
    folder.write("plans/plan.toml", &format!("{PLAN}{arms}"));
    succeeds(&folder.run(&["lab", "run", "plans/plan.toml"]));
    succeeds(&folder.run(&["lab", "report", "runs/plan", "--out", "page.html"]));
    let page = folder.read("page.html");
    for text in [
        "<title>The Ford &amp; friends</title>",
        "720 games, 0 of which went wrong",
        "as &lt;published&gt;",
        "Who wins",
        "recruit against random",
        "Elo",
        "What the changes did",
        // The same table but for a comment: the same games.
        "No more than noise: a change of wins between",
        "Victory points",
        "How games run",
        "every game ended lawfully",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.matches("<svg").count() > 20);
    for outside in ["<script", "src=", "href=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn an_arm_that_changes_nothing_is_a_fault() {
    let folder = Folder::new("nothing");
    let table = include_str!("../../../data/mini/tables/combat.toml");
    folder.write("own/mini/tables/combat.toml", table);
    let plan = "seed = 's'\ngames = 1\nscenarios = ['mini/ford']\npairings = ['recruit recruit']\n\
                [[arm]]\nname = 'plain'\n[[arm]]\nname = 'mine'\ndata = 'own'\n";
    folder.write("plan.toml", plan);
    let said = refused(&folder.run(&["lab", "run", "plan.toml"]));
    assert!(
        said.contains("plan.toml:9: arm[1].data: own/mini changes nothing that a game depends on"),
        "{said}"
    );
    folder.write("own/mini/tables/combta.toml", table);
    let said = refused(&folder.run(&["lab", "run", "plan.toml"]));
    assert!(said.contains("combta.toml: nothing reads this file"), "{said}");
    fs::remove_file(folder.0.join("own/mini/tables/combta.toml")).unwrap();
    folder.write("own/mini/tables/combat.toml", &table.replace("AL AL AL AL NE NE", "DL DL DL DL DL DL"));
    let said = succeeds(&folder.run(&["lab", "run", "plan.toml"]));
    assert!(said.contains("arm `mine`: mini/tables/combat.toml is replaced"), "{said}");
    folder.write("plan.toml", &plan.replace("data = 'own'", ""));
    let said = refused(&folder.run(&["lab", "run", "plan.toml", "--out", "twice"]));
    assert!(said.contains("`mine` plays the games of `plain` once more"), "{said}");
}

#[test]
fn tuning_goes_on_and_writes_weights_that_can_be_read() {
    let folder = Folder::new("tune");
    let plan =
        "seed = 't'\nscenarios = ['mini/ford']\nlevel = 'recruit'\ngames = 4\ntrials = 2\ngenerations = 2\n";
    folder.write("tune.toml", plan);
    succeeds(&folder.run(&["lab", "tune", "tune.toml"]));
    folder.write("tune.toml", &plan.replace("generations = 2", "generations = 4"));
    succeeds(&folder.run(&["lab", "tune", "tune.toml"]));
    folder.write("at-once.toml", &plan.replace("generations = 2", "generations = 4"));
    succeeds(&folder.run(&["lab", "tune", "at-once.toml", "--threads", "1"]));
    assert_eq!(folder.read("runs/tune/tune.jsonl"), folder.read("runs/at-once/tune.jsonl"));
    folder.write("own/mini/staff.toml", &folder.read("runs/tune/staff.toml"));
    let short = "seed = 's'\ngames = 1\nscenarios = ['mini/ford']\npairings = ['recruit recruit']\n";
    folder.write("plan.toml", short);
    succeeds(&folder.run(&["--data", "own", "lab", "run", "plan.toml"]));
    folder.write("tune.toml", &plan.replace("level = 'recruit'", "level = 'admiral'\nweights = ['luck']"));
    let said = refused(&folder.run(&["lab", "tune", "tune.toml"]));
    assert!(said.contains("tune.toml:3: level: there is no opponent `admiral`"), "{said}");
    assert!(said.contains("tune.toml:4: weights[0]: `luck` is not one of axis.step, soviet.step"), "{said}");
}

#[test]
fn a_judgement_is_learned_and_can_be_read() {
    let folder = Folder::new("fit");
    let plan = "seed = 'f'\ngames = 10\nscenarios = ['dagc/vitebsk']\n";
    folder.write("fit.toml", plan);
    succeeds(&folder.run(&["lab", "fit", "fit.toml"]));
    folder.write("again.toml", plan);
    succeeds(&folder.run(&["lab", "fit", "again.toml", "--threads", "1"]));
    let features = |name: &str| folder.read(name).split_once("[features]").unwrap().1.to_owned();
    assert_eq!(
        features("runs/fit/judgement.toml"),
        features("runs/again/judgement.toml"),
        "threads do not matter"
    );
    folder.write("own/dagc/judgement.toml", &folder.read("runs/fit/judgement.toml"));
    let short =
        "seed = 's'\ngames = 1\nnodes = 4\nscenarios = ['dagc/vitebsk']\npairings = ['general officer']\n";
    folder.write("plan.toml", short);
    succeeds(&folder.run(&["--data", "own", "lab", "run", "plan.toml"]));
    let spoiled = folder.read("runs/fit/judgement.toml").replace("late = ", "early = ");
    folder.write("own/dagc/judgement.toml", &spoiled);
    let said = refused(&folder.run(&["--data", "own", "lab", "run", "plan.toml", "--out", "spoiled"]));
    assert!(said.contains("judgement.toml") && said.contains("early"), "{said}");
    folder.write("fit.toml", "seed = 'f'\ngames = 10\nscenarios = ['mini/ford']\n");
    let said = refused(&folder.run(&["lab", "fit", "fit.toml"]));
    assert!(
        said.contains("fit.toml:3: scenarios: the opponents of mini judge nothing by features"),
        "{said}"
    );
}
