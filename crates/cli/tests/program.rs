//! The real program, run as its users run it: exit codes, output for programs, bad input.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside a test function")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn grognard(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grognard")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("grognard-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn new_game(folder: &Folder) -> String {
    let file = folder.file("game.record");
    let output = grognard(&["new", "mini/ford", "--seed", "1944", "-o", &file]);
    assert!(output.status.success(), "{}", stderr(&output));
    file
}

#[test]
fn try_says_what_happened_or_which_case_refuses() {
    let folder = Folder::new("try");
    let game = new_game(&folder);
    let output = grognard(&["try", &game, "move jaeger 1600", "move panzers 1204", "fly away", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = json_lines(&output);
    assert_eq!(lines[0]["ok"], false);
    assert_eq!(lines[0]["case"], "4.1");
    assert_eq!(
        lines[0]["why"],
        "jaeger needs 19 MP to reach 1600 and has 5: terrain 18 (4.2), river 1 (4.2)"
    );
    assert_eq!(lines[1]["ok"], true);
    assert_eq!(lines[1]["events"][0]["event"], "moved");
    assert_eq!(lines[1]["events"][0]["to"], "1204");
    assert_eq!(lines[2]["case"], Value::Null);
    assert!(lines[2]["why"].as_str().unwrap().starts_with("`fly` is not one of move, lift"));
}

#[test]
fn a_game_is_played_on_through_files() {
    let folder = Folder::new("files");
    let game = new_game(&folder);
    let next = folder.file("next.record");
    assert!(grognard(&["try", &game, "move panzers 1204", "end", "-o", &next]).status.success());
    let actions = json_lines(&grognard(&["actions", &next, "--json"]));
    assert_eq!(actions[0]["side"], "axis");
    assert!(actions[0]["actions"].as_array().unwrap().iter().any(|answer| answer["action"] == "end"));
    let proved = json_lines(&grognard(&["verify", &next, "--json"]));
    assert_eq!((&proved[0]["ok"], &proved[0]["actions"]), (&Value::Bool(true), &Value::from(2)));
    let told = json_lines(&grognard(&["replay", &next, "--json"]));
    assert_eq!(told[0]["action"], "move panzers 1204");
    let position = folder.file("position.toml");
    assert!(grognard(&["try", &next, "end", "-o", &position]).status.success());
    let question = json_lines(&grognard(&["show", &position, "--json"]));
    assert_eq!(question[0]["question"]["side"], "soviet");
}

#[test]
fn standard_input_is_a_file_too() {
    use std::io::Write;
    let situation = stdout(&grognard(&["new", "mini/bridge", "--situation"]));
    let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["actions", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(situation.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(stdout(&output).contains("move panzers A04.03"));
}

#[test]
fn a_record_with_a_changed_die_is_not_proved() {
    let folder = Folder::new("verify");
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../mini/tests/golden/ford.record"),
    )
    .unwrap();
    let game = folder.write("golden.record", &text);
    assert!(grognard(&["verify", &game]).status.success());
    // Told dice are believed by replay, but not by verify.
    let played = folder.file("played.record");
    let (before, last) = text.rsplit_once("\naxis ").unwrap();
    let unfinished = folder.write("unfinished.record", &open_result(before));
    let last = last.lines().next().unwrap();
    assert!(grognard(&["try", &unfinished, last, "-o", &played]).status.success());
    let played = std::fs::read_to_string(&played).unwrap();
    let with_dice = played.lines().find(|line| line.contains(" ; ")).unwrap();
    let (action, die) = with_dice.rsplit_once(' ').unwrap();
    let other = if die == "6" { "5" } else { "6" };
    let forged = folder.write("forged.record", &played.replacen(with_dice, &format!("{action} {other}"), 1));
    let output = grognard(&["verify", &forged]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("the seed gives"), "{}", stdout(&output));
}

#[test]
fn bad_files_get_located_messages_and_exit_code_2() {
    let folder = Folder::new("bad");
    let file = folder.write(
        "bad.toml",
        "rulebook = \"mini\"\nmap = \"ford\"\nturn = 9\nturns = 4\n[units]\nnobody = \"1005\"\n",
    );
    let output = grognard(&["actions", &file]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("bad.toml:3: turn: expected a whole number from 1 to 4"), "{text}");
    let missing = grognard(&["actions", &folder.file("missing.toml")]);
    assert_eq!(missing.status.code(), Some(2));
    assert_eq!(grognard(&["actions"]).status.code(), Some(2));
    assert_eq!(grognard(&["new", "mini/nowhere"]).status.code(), Some(2));
    assert_eq!(grognard(&["new", "nothing/ford"]).status.code(), Some(2));
    assert_eq!(grognard(&["new", "mini/ford", "--options", "cheating"]).status.code(), Some(2));
}

#[test]
fn a_designers_table_replaces_the_built_in_one() {
    let folder = Folder::new("data");
    let table = include_str!("../../../data/mini/tables/combat.toml");
    folder.write("mini/tables/combat.toml", &table.replace("AL AL AL AL NE NE", "DL DL DL DL DL DL"));
    let dir = folder.0.to_str().unwrap();
    assert!(grognard(&["check", dir]).status.success());
    let position = folder.write(
        "fight.toml",
        "rulebook = \"mini\"\nmap = \"ford\"\nturn = 1\nturns = 4\nluck = \"\"\n\
         stack = [\"combat axis\", \"attack 1104 panzers\"]\n[units]\npanzers = \"1005\"\nguards = \"1104\"\n",
    );
    let fight = |extra: &[&str]| {
        let output = grognard(&[&["try", &position, "declare", "--dice", "1"], extra].concat());
        stdout(&output)
    };
    assert!(fight(&[]).contains("result AL"));
    assert!(fight(&["--data", dir]).contains("result DL"));
    folder.write("mini/tables/combat.toml", &table.replace("AL AL AL AL NE NE", "AL AL QQ AL NE"));
    let output = grognard(&["check", dir]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("combat.toml:7: rows.1: `QQ` is not one of"), "{}", stdout(&output));
}

/// A record's text without its result.
fn open_result(text: &str) -> String {
    let lines = text.lines().map(|line| if line.starts_with("[Result ") { "[Result \"*\"]" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn try_writes_all_or_nothing() {
    let folder = Folder::new("all");
    let game = new_game(&folder);
    let before = std::fs::read_to_string(&game).unwrap();
    let output = grognard(&["try", &game, "move panzers 1204", "move jaeger 1600", "-o", &game]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("nothing is written"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&game).unwrap(), before, "the input is as it was");
}

/// A folder with another combat table for mini.
fn variant(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let table = include_str!("../../../data/mini/tables/combat.toml");
    folder.write("own/mini/tables/combat.toml", &table.replace("AL AL AL AL NE NE", "DL DL DL DL DL DL"));
    let dir = folder.file("own");
    (folder, dir)
}

#[test]
fn a_game_knows_the_data_it_was_played_with() {
    let (folder, dir) = variant("marked");
    let (plain, own) = (folder.file("plain.record"), folder.file("own.record"));
    assert!(grognard(&["new", "mini/ford", "--seed", "1", "-o", &plain]).status.success());
    assert!(grognard(&["--data", &dir, "new", "mini/ford", "--seed", "1", "-o", &own]).status.success());
    let text = std::fs::read_to_string(&own).unwrap();
    assert!(text.contains("\n[Data \""), "{text}");
    assert!(!std::fs::read_to_string(&plain).unwrap().contains("[Data"), "the built-in data leave no mark");
    for (command, code) in [("verify", 1), ("replay", 2)] {
        assert!(grognard(&["--data", &dir, command, &own]).status.success());
        assert!(grognard(&[command, &plain]).status.success());
        let output = grognard(&[command, &own]);
        assert_eq!(output.status.code(), Some(code));
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("Data: this game was made with files laid over it"), "{said}");
        let output = grognard(&["--data", &dir, command, &plain]);
        assert_eq!(output.status.code(), Some(code));
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("Data: this game was made with the built-in data alone"), "{said}");
    }
    // A position carries the mark, too.
    let position = folder.file("position.toml");
    assert!(grognard(&["--data", &dir, "try", &own, "end", "-o", &position]).status.success());
    assert!(grognard(&["--data", &dir, "show", &position]).status.success());
    let output = grognard(&["show", &position]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("data: made with files laid over it"), "{}", stderr(&output));
}

#[test]
fn check_lists_what_is_laid_over_and_faults_what_nobody_reads() {
    let (folder, dir) = variant("listed");
    folder.write("own/mini/counters.toml", include_str!("../../../data/mini/counters.toml"));
    folder.write("own/mini/scenarios/mine.toml", include_str!("../../../data/mini/scenarios/ford.toml"));
    let output = grognard(&["check", &dir]);
    assert!(output.status.success(), "{}", stderr(&output));
    for line in [
        "mini/tables/combat.toml is replaced",
        "mini/scenarios/mine.toml is added",
        "mini/counters.toml says what the built-in file says",
    ] {
        assert!(stdout(&output).contains(line), "{}", stdout(&output));
    }
    folder.write("own/mini/tables/terain.toml", "");
    folder.write("own/mini/tables/terrain.txt", "");
    folder.write("own/terrain.toml", "");
    let output = grognard(&["check", &dir]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("terrain.toml: belongs in a folder named after its rulebook"), "{said}");
    assert!(said.contains("terrain.txt: nothing reads this file: data is in .toml and .tsv"), "{said}");
    std::fs::remove_file(folder.file("own/terrain.toml")).unwrap();
    std::fs::remove_file(folder.file("own/mini/tables/terrain.txt")).unwrap();
    let said = stderr(&grognard(&["check", &dir]));
    let there = "tables/combat.toml, tables/terrain.toml";
    assert!(said.contains(&format!("terain.toml: nothing reads this file; there is {there}")), "{said}");
}

#[test]
fn all_faults_of_a_file_come_at_once() {
    let folder = Folder::new("faults");
    let dir = folder.file("own");
    let said = |parts: &[&str]| {
        let said = stdout(&grognard(&["check", &dir]));
        parts.iter().for_each(|part| assert!(said.contains(part), "{part}: {said}"));
    };
    let counters = include_str!("../../../data/dagc/counters.tsv");
    let spoiled = counters.replacen("\tXXX\t4\t3\t7", "\tXXX\tfour\t3\t7", 1);
    let spoiled = spoiled.replacen("\tXXX\t3\t2\t7", "\tXXX\t3\t2", 1);
    folder.write("own/dagc/counters.tsv", &spoiled);
    let table = include_str!("../../../data/dagc/tables/combat.toml");
    folder.write("own/dagc/tables/combat.toml", &table.replace("AE AE AE AE AS", "AE AE AE QQ AS"));
    said(&["counters.tsv:4: full", "counters.tsv:5: expected 13", "combat.toml:13: rows.1"]);
    std::fs::remove_dir_all(folder.file("own/dagc")).unwrap();
    let scenario = "rulebook = \"dagc\"\nmap = \"dagc\"\nturn = 12\nneeded = 500\ncolour = 3\ncenter = \"9999\"\nlast_turn = 0\n\
                    [units]\nger-26 = \"3500 tired\"\nnobody = \"3501\"\n";
    folder.write("own/dagc/scenarios/mine.toml", scenario);
    said(&["toml:3: turn", "toml:4: needed", "toml:5: colour", "toml:6: center", "toml:7: last_turn"]);
    said(&["toml:9: units.ger-26", "toml:10: units.nobody"]);
}

#[test]
fn a_wrong_table_does_not_hide_what_is_wrong_with_a_scenario() {
    for (book, game) in [("mini", ""), ("dagc", ""), ("bug", ""), ("bite", "games/uman/")] {
        let folder = Folder::new(&format!("both-{book}"));
        for table in ["combat", "terrain"] {
            folder.write(&format!("own/{book}/tables/{table}.toml"), "colour = 3\n");
        }
        let scenario = std::fs::read_dir(format!("../../data/{book}/{game}scenarios")).unwrap().next();
        let scenario = std::fs::read_to_string(scenario.unwrap().unwrap().path()).unwrap();
        folder.write(&format!("own/{book}/{game}scenarios/mine.toml"), &format!("colour = 3\n{scenario}"));
        let said = stdout(&grognard(&["check", &folder.file("own")]));
        for part in ["combat.toml:1: colour", "terrain.toml:1: colour", "mine.toml:1: colour"] {
            assert!(said.contains(part), "{book}: {part}: {said}");
        }
    }
}

#[test]
fn check_finds_what_the_rules_forbid_at_set_up() {
    let folder = Folder::new("crowd");
    let crowd = |rulebook: &str, map: &str, units: &[&str], hex: &str| {
        let units: String = units.iter().map(|unit| format!("{unit} = \"{hex}\"\n")).collect();
        let text = format!("rulebook = \"{rulebook}\"\nmap = \"{map}\"\nturn = 1\n[units]\n{units}");
        folder.write(&format!("own/{rulebook}/scenarios/crowd.toml"), &text);
        let output = grognard(&["check", &folder.file("own")]);
        assert_eq!(output.status.code(), Some(1));
        stdout(&output)
    };
    let said = crowd("dagc", "dagc", &["ger-26", "ger-3SS", "ger-53"], "3500");
    assert!(said.contains("crowd.toml:1: 3 units are in 3500 (6.1)"), "{said}");
}

/// A rule test of a designer, right or wrong.
fn own_test(folder: &Folder, result: &str) -> String {
    let test = include_str!("../../../data/mini/tests/6.6-zoc-bars-the-only-way.toml");
    folder.write("own/mini/tests/6.6-mine.toml", &test.replace("\"DL\"", &format!("\"{result}\"")));
    folder.file("own")
}

#[test]
fn conformance_runs_a_designers_own_tests() {
    let folder = Folder::new("own");
    let dir = own_test(&folder, "DL");
    let output = grognard(&["--data", &dir, "conformance", "mini", "--own", "--json"]);
    assert!(output.status.success());
    let tests = json_lines(&output);
    assert_eq!(tests.len(), 1, "the built-in ones are not run");
    assert_eq!((&tests[0]["test"], &tests[0]["ok"]), (&Value::from("6.6-mine"), &Value::Bool(true)));
    assert_eq!(tests[0]["cases"][0], "6.6");
    own_test(&folder, "NE");
    let output = grognard(&["--data", &dir, "conformance", "mini", "--own", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let tests = json_lines(&output);
    assert_eq!(tests[0]["ok"], false);
    assert!(tests[0]["faults"][0]["field"].as_str().unwrap().starts_with("step[0].then"), "{tests:?}");
    let all = json_lines(&grognard(&["conformance", "mini", "--each", "--json"]));
    assert!(all.len() > 50 && all.iter().all(|test| test["ok"] == true));
}

#[test]
fn a_rule_test_becomes_a_situation() {
    let folder = Folder::new("extract");
    let file = folder.file("position.toml");
    assert!(grognard(&["extract", "mini/6.6-zoc-bars-the-only-way", "-o", &file]).status.success());
    let said = stdout(&grognard(&["try", &file, "declare", "--dice", "6"]));
    assert!(said.contains("result DL") && said.contains("rifles-1 is eliminated"), "{said}");
    assert!(
        grognard(&["extract", "mini/6.6-zoc-bars-the-only-way", "--steps", "1", "-o", &file])
            .status
            .success()
    );
    assert!(!std::fs::read_to_string(&file).unwrap().contains("attack 0101 panzers"), "the step was made");
    let output = grognard(&["extract", "mini/6.6-zoc-bars-the-only-way", "--steps", "9"]);
    assert_eq!(output.status.code(), Some(2));
    let dir = own_test(&folder, "DL");
    let output = grognard(&["extract", &format!("{dir}/mini/tests/6.6-mine.toml")]);
    assert!(stdout(&output).contains("attack 0101 panzers"), "{}", stderr(&output));
}

#[test]
fn fixtures_are_used_when_they_are_asked_for() {
    let folder = Folder::new("fixtures");
    let file = folder.file("position.toml");
    let listed = json_lines(&grognard(&["conformance", "dagc", "--each", "--json"]));
    let test = listed.iter().find(|test| test["cases"].to_string().contains("\"11.8a\"")).unwrap();
    let test = format!("dagc/{}", test["test"].as_str().unwrap());
    let output = grognard(&["extract", &test, "-o", &file]);
    assert!(stderr(&output).contains("--fixtures"), "{}", stderr(&output));
    let output = grognard(&["actions", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("made with the fixtures of the rule tests"), "{}", stderr(&output));
    assert!(grognard(&["--fixtures", "actions", &file]).status.success());
}

#[test]
fn what_is_not_asked_says_what_is() {
    let folder = Folder::new("asked");
    let game = new_game(&folder);
    let said = stdout(&grognard(&["try", &game, "reroll"]));
    let expected =
        "this is not what is asked now; Axis is asked: move a unit, or end the movement phase (1.1)";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_designers_opponents_are_checked() {
    let folder = Folder::new("opponents");
    let dir = folder.0.to_str().unwrap();
    for (file, table) in [("staff.toml", "axis"), ("general.toml", "soviet"), ("judgement.toml", "features")]
    {
        let path = format!("dagc/{file}");
        folder.write(&path, &format!("[{table}]\nbravery = 3.0\n"));
        let output = grognard(&["check", dir]);
        assert_eq!(output.status.code(), Some(1), "{file}");
        let said = stdout(&output);
        assert_eq!(said.matches(&format!("{file}:2: {table}.bravery")).count(), 1, "{said}");
        std::fs::remove_file(folder.file(&path)).unwrap();
    }
    assert!(grognard(&["check", dir]).status.success());
}

#[test]
fn odds_are_exact() {
    let folder = Folder::new("odds");
    let position = folder.write(
        "fight.toml",
        "rulebook = \"mini\"\nmap = \"ford\"\nturn = 1\nturns = 4\nluck = \"\"\n\
         stack = [\"combat axis\", \"attack 1104 panzers\"]\n[units]\npanzers = \"1005\"\nguards = \"1104\"\n",
    );
    let odds = &json_lines(&grognard(&["odds", &position, "declare", "--json"]))[0];
    // 5 against 4 in a town: column 0. One AL, three NE, two DR.
    let chances: Vec<&str> =
        odds["ways"].as_array().unwrap().iter().map(|way| way["chance"].as_str().unwrap()).collect();
    assert_eq!(chances, ["1/2", "1/3", "1/6"]);
    let refused = grognard(&["odds", &position, "end"]);
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn selfplay_does_not_depend_on_threads() {
    let run = |threads: &str| {
        let output = grognard(&[
            "selfplay",
            "mini/bridge",
            "--games",
            "60",
            "--seed",
            "7",
            "--threads",
            threads,
            "--json",
        ]);
        assert!(output.status.success());
        let mut count = json_lines(&output).remove(0);
        count["seconds"] = Value::Null;
        count
    };
    let one = run("1");
    assert_eq!(one["games"], 60);
    assert_eq!(one["faults"], 0);
    assert_eq!(one, run("2"));
}

#[test]
fn selfplay_at_every_level() {
    let run = |args: &[&str]| {
        let mut all = vec!["selfplay", "mini/bridge", "--games", "6", "--seed", "7", "--json"];
        all.extend(args);
        grognard(&all)
    };
    let count = |args: &[&str]| {
        let output = run(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut count = json_lines(&output).remove(0);
        count["seconds"] = Value::Null;
        count
    };
    let recruit = count(&["--axis", "recruit", "--soviet", "random", "--nodes", "5"]);
    assert_eq!((&recruit["games"], &recruit["faults"]), (&6.into(), &0.into()));
    assert_eq!(recruit, count(&["--axis", "recruit", "--threads", "2"]));
    let refused = run(&["--axis", "general"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(why.contains("The Ford has no opponent `general`; it has random, recruit"), "{why}");
    assert_eq!(run(&["--axis", "marshal"]).status.code(), Some(2));
    assert_eq!(run(&["--seconds", "1", "--nodes", "1"]).status.code(), Some(2));
}

#[test]
fn a_hand_plays_against_the_program() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["play", "mini/bridge", "--seed", "7", "--soviet", "recruit", "--why"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"move panzers A04.03\nundo\nend\nend\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("taken back: move panzers A04.03"), "{text}");
    // What it did is told, its notation is not: that may name what is hidden.
    assert!(text.contains("Soviet: …"), "{text}");
    // Without a person the game is played out.
    let output = grognard(&["play", "mini/bridge", "--seed", "7", "--soviet", "recruit", "--axis", "random"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("Axis: end"), "{text}");
    assert!(text.contains("wins: ") || text.contains("a draw: "), "{text}");
}

#[test]
fn conformance_and_check_are_clean() {
    let output = grognard(&["conformance", "--json"]);
    assert!(output.status.success());
    assert!(json_lines(&output).iter().all(|book| book["complete"] == true));
    assert!(grognard(&["check"]).status.success());
}

#[test]
fn a_hand_plays_in_the_terminal() {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_grognard"))
        .args(["play", "mini/ford", "--seed", "1944"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = b"list\nmove panzers 1204\nundo\nmove jaeger 1600\nend\nend\nshow\nquit\n";
    child.stdin.take().unwrap().write_all(typed).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stdout(&output);
    assert!(output.status.success());
    assert!(text.contains("taken back: move panzers 1204"), "{text}");
    assert!(text.contains("refused: jaeger needs 19 MP"), "{text}");
    assert!(text.contains("Soviet: move a unit"), "{text}");
    assert!(!text.contains('\u{1b}'), "colours belong on a terminal only");
}

#[test]
fn bench_speaks_json() {
    let output = grognard(&["bench", "--seconds", "0.01", "--json"]);
    assert!(output.status.success());
    let lines = json_lines(&output);
    assert!(lines.iter().any(|line| line["scenario"] == "mini/ford" && line["decisions_per_s"].is_number()));
    assert!(lines.iter().any(|line| line["primitive"] == "flood 41x29" && line["oracle_ns"].is_number()));
}

#[test]
fn every_map_is_drawn_and_described() {
    let folder = Folder::new("maps");
    let coming = ["barbarossa", "bite/radzymin", "bite/uman", "ocs/orel", "ocs/kerch"];
    let there = ["dagc", "bug/bug", "mini/ford", "../../data/mini/maps/bridge.toml"];
    for map in there.into_iter().chain(coming) {
        let file = folder.file("map.svg");
        let output = grognard(&["map", map, "--svg", &file, "--json"]);
        // A map file of the miniature rulebook takes its letters from the rulebook's terrain chart.
        if map.ends_with(".toml") {
            assert_eq!(output.status.code(), Some(2));
            continue;
        }
        assert!(output.status.success(), "{map}: {}", stderr(&output));
        let described = &json_lines(&output)[0];
        let hexes = described["hexes"].as_array().unwrap();
        assert!(hexes.iter().all(|hex| hex["label"].is_string() && hex["neighbours"].is_object()));
        assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));
    }
    let minsk = grognard(&["map", "dagc", "--json"]);
    let minsk = &json_lines(&minsk)[0];
    let minsk = minsk["hexes"].as_array().unwrap().iter().find(|hex| hex["label"] == "3908").unwrap();
    assert!(minsk.to_string().contains("Minsk"));
}

#[test]
fn the_map_of_a_game_is_built_from_its_sources() {
    let folder = Folder::new("atlas");
    let file = folder.file("radzymin.toml");
    // Its overlay lists everything: no file of Natural Earth is asked for.
    let build = ["atlas", "build", "bite/radzymin", "--geo", ".", "--sources", "../../data", "-o", &file];
    let output = grognard(&build);
    assert!(output.status.success(), "{}", stderr(&output));
    let committed = std::fs::read_to_string("../../data/bite/games/radzymin/maps/radzymin.toml").unwrap();
    assert!(std::fs::read_to_string(&file).unwrap() == committed, "build it again");
    let nowhere = grognard(&["atlas", "build", "bite/nowhere", "--geo", ".", "--sources", "../../data"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(stderr(&nowhere).contains("bite/games/nowhere/atlas/recipe.toml"), "{}", stderr(&nowhere));
}
