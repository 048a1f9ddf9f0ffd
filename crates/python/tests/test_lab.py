"""The same games everywhere: seated from Python, in the lab, over standard input, in parts, on Ray, killed or not."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import grognard
import pytest
from grognard import lab
from grognard._core import lab_games, lab_run

#: How many games of each rulebook are compared; 100 takes minutes.
GAMES = int(os.environ.get("GROGNARD_SAME", "3"))
PLAN = """
title = "the same games"
seed = "same"
games = {games}
scenarios = {scenarios}
pairings = ["officer recruit", "recruit officer"]
"""


def plan(folder: Path, games: int, scenarios: list[str]) -> Path:
    path = folder / "plan.toml"
    path.write_text(PLAN.format(games=games, scenarios=json.dumps(scenarios)))
    return path


def table(folder: Path) -> list[dict[str, str]]:
    """The table of games without what depends on the machine."""
    with (folder / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    return [{k: v for k, v in row.items() if not k.endswith(("_seconds", "_longest"))} for row in rows]


def whole(program: Path, path: Path, out: Path) -> list[dict[str, str]]:
    subprocess.run([program, "lab", "run", str(path), "--out", str(out)], check=True, capture_output=True)
    return table(out)


def over_stdio(program: Path, games: list[tuple[str, str, str, str]]) -> list[tuple]:
    """Games between opponents, played by `grognard engine`."""
    lines = []
    for n, (scenario, seed, axis, soviet) in enumerate(games, 1):
        lines.append({"cmd": "new", "scenario": scenario, "seed": seed})
        lines.append({"cmd": "play", "game": n, "axis": axis, "soviet": soviet, "luck": seed, "nodes": 1})
        lines.append({"cmd": "hash", "game": n})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    told = subprocess.run([program, "engine"], input=text, capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in told.splitlines()]
    ends = zip(answers[1::3], answers[2::3], strict=True)
    return [(end.get("winner"), end["decision"], found["hash"]) for end, found in ends]


def test_the_same_games_everywhere(program: Path, tmp_path: Path) -> None:
    scenarios = ["dagc/vitebsk", "bug/bridges"]
    rows = whole(program, plan(tmp_path, GAMES, scenarios), tmp_path / "whole")
    assert len(rows) == 2 * GAMES * len(scenarios)
    games = [(row["scenario"], row["seed"], row["axis"], row["soviet"]) for row in rows]
    stdio = over_stdio(program, games)
    for row, (scenario, seed, axis, soviet), spoken in zip(rows, games, stdio, strict=True):
        seated = grognard.Game(scenario, seed=seed, axis=axis, soviet=soviet)
        points = (int(row["axis_points"]), int(row["soviet_points"]))
        winner = None if row["winner"] == "nobody" else row["winner"]
        assert (seated.winner, seated.points, seated.decisions) == (winner, points, int(row["decisions"]))
        assert grognard.lab_play(scenario, seed, axis, soviet) == (winner, points, int(row["decisions"]))
        assert spoken == (winner, seated.decisions, seated.state_hash())


def test_parts_are_the_whole(program: Path, tmp_path: Path) -> None:
    path = plan(tmp_path, 7, ["dagc/vitebsk"])
    rows = whole(program, path, tmp_path / "whole")
    out = tmp_path / "parts"
    for place in (2, 0, 1, 0):
        command = [program, "lab", "run", str(path), "--out", str(out), "--shard", f"{place}/3"]
        subprocess.run(command, check=True, capture_output=True)
    for _ in range(2):
        subprocess.run([program, "lab", "gather", str(path), "--out", str(out)], check=True, capture_output=True)
        assert table(out) == rows
    assert (out / "turns.csv").read_bytes() == (tmp_path / "whole" / "turns.csv").read_bytes()
    # Other parts of the same games agree; Python plays the same ones.
    assert lab_run(str(path), str(out), 0, 2) == (7, 7, 0) and lab.gather(str(path), str(out)) == (14, 14, 0)
    assert table(out) == rows and lab_games(str(path)) == 14


def test_parts_of_another_plan_are_refused(program: Path, tmp_path: Path) -> None:
    path = plan(tmp_path, 2, ["dagc/vitebsk"])
    lab_run(str(path), str(tmp_path / "out"), 0, 2)
    path.write_text(path.read_text().replace('"same"', '"other"'))
    with pytest.raises(grognard.InputError, match="seed"):
        lab_run(str(path), str(tmp_path / "out"), 0, 2)
    with pytest.raises(grognard.InputError, match="another run"):
        lab.gather(str(path), str(tmp_path / "out"))


def test_a_general_by_the_clock_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('seed = "s"\nseconds = 1.0\nscenarios = ["dagc/vitebsk"]\npairings = ["general officer"]\n')
    with pytest.raises(grognard.InputError, match="nodes"):
        lab_run(str(path), str(tmp_path), 0, 2)


def test_a_bucket_keeps_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    path, uri = plan(tmp_path, 3, ["dagc/vitebsk"]), (tmp_path / "bucket").as_uri()
    for place in (0, 1, 0):
        lab.play(str(path), uri, place, 2)
    assert lab.gather(str(path), uri) == (6, 6, 0)
    assert len(table(tmp_path / "runs" / "plan")) == 6


def lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") - 1 for path in folder.glob("shards/*.jsonl"))


def test_ray_killed_in_the_middle(program: Path, tmp_path: Path) -> None:
    """A worker is killed, then the driver; then two drivers at once. All games come out as in one process."""
    pytest.importorskip("ray")
    path = plan(tmp_path, 60, ["dagc/vitebsk"])
    rows = whole(program, path, tmp_path / "whole")
    out = tmp_path / "ray"
    command = [sys.executable, "-m", "grognard.lab", "run", str(path), "--out", str(out), "--parts", "8"]
    environment = {**os.environ, "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}

    def start() -> subprocess.Popen:
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)

    def wait_for(games: int, driver: subprocess.Popen) -> None:
        until = time.monotonic() + 120
        while lines(out) < games and driver.poll() is None and time.monotonic() < until:
            time.sleep(0.02)

    driver = start()
    wait_for(3, driver)
    workers = [pid for pid in children(driver.pid) if b"ray::play" in cmdline(pid)]
    assert workers, "no worker was at work"
    os.kill(workers[0], signal.SIGKILL)
    wait_for(lines(out) + 10, driver)
    driver.kill()
    driver.wait()
    left = lines(out)
    drivers = [start(), start()]
    for other in drivers:
        _, told = other.communicate(timeout=200)
        assert other.returncode == 0, told.decode()
    assert 0 < left < len(rows), "the driver was killed in the middle"
    assert table(out) == rows


def children(pid: int) -> list[int]:
    """All processes that a process has started, and theirs."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found, left = [], [pid]
    while left:
        new = parents.get(left.pop(), [])
        found += new
        left += new
    return found


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
