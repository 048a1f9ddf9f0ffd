"""One game: answers, refusals, observations, copies, records."""

from __future__ import annotations

import copy
import pickle

import grognard
import numpy as np
import pytest
from conftest import random_game

SCENARIOS = grognard.scenarios()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_is_played_by_numbers(scenario: str) -> None:
    game = grognard.Game(scenario, seed=1)
    luck = np.random.default_rng(3)
    shape = game.shape
    for _ in range(150):
        if game.over:
            break
        rows, lines = game.rows(), game.answers()
        assert rows.shape == (game.count, 12) and len(lines) == game.count
        assert len({tuple(row) for row in rows}) == len(rows), "two answers have the same row"
        for side in ("axis", "soviet"):
            seen = game.observe(side)
            assert seen["units"].shape == shape["units"] and seen["planes"].shape == shape["planes"]
            assert seen["globals"].shape == shape["globals"] and np.isfinite(seen["globals"]).all()
            if side != game.side:
                assert (seen["question"][1:] == -1).all(), "the enemy's question is his own"
        number = int(luck.integers(game.count))
        assert game.number(lines[number]) == number
        game.step(number)


def test_a_refusal_names_its_case_and_changes_nothing() -> None:
    game = grognard.Game("mini/ford", seed=1944)
    before = game.state_hash()
    with pytest.raises(grognard.IllegalAction) as refused:
        game.act("move jaeger 1600")
    assert refused.value.case == "4.1" and "19 MP" in refused.value.why
    with pytest.raises(grognard.IllegalAction):
        game.step(game.count)
    assert game.state_hash() == before and game.decisions == 0


def test_what_is_not_there_is_an_input_error() -> None:
    for wrong in ({"scenario": "chess/king"}, {"scenario": "mini/moat"}, {"scenario": "mini/ford", "options": ["x"]},
                  {"scenario": "mini/ford", "axis": "marshal"}, {"scenario": "mini/ford", "data": "nowhere"},
                  {"scenario": "dagc/vitebsk", "axis": "general"}):
        with pytest.raises(grognard.InputError):
            grognard.Game(**wrong)


def test_a_seed_is_a_game() -> None:
    one, other, third = (random_game(grognard.Game("mini/ford", seed=seed)) for seed in ("a", "a", "b"))
    assert one.state_hash() == other.state_hash() and list(one.played) == list(other.played)
    assert one.state_hash() != third.state_hash()


def test_a_clone_has_the_same_future_and_with_a_seed_another() -> None:
    game = random_game(grognard.Game("dagc/vitebsk", seed=5), most=60)
    same, others = game.clone(), [game.clone(seed) for seed in range(3)]
    ends = [random_game(copied, 11).state_hash() for copied in (game, same, *others)]
    assert ends[0] == ends[1] and len(set(ends[1:])) > 1


def test_what_is_imagined_looks_the_same() -> None:
    game = random_game(grognard.Game("bug/campaign", seed=5), most=80)
    seen = game.observe("axis")
    deals = [game.imagine("axis", deal) for deal in range(8)]
    for deal in deals:
        assert all(np.array_equal(seen[key], value) for key, value in deal.observe("axis").items())
    assert len({deal.state_hash() for deal in deals}) > 1, "nothing was hidden"


@pytest.mark.parametrize("seated", [{}, {"soviet": "officer"}, {"axis": "recruit"}])
def test_pickle_and_deepcopy_go_on_alike(seated: dict[str, str]) -> None:
    game = random_game(grognard.Game("dagc/vitebsk", seed=9, **seated), most=8)
    copies = [copy.deepcopy(game), copy.copy(game), pickle.loads(pickle.dumps(game))]
    end = random_game(game, 5).state_hash()
    assert [random_game(other, 5).state_hash() for other in copies] == [end] * 3


def test_a_pickle_keeps_dice_that_were_given_and_what_was_imagined() -> None:
    game = random_game(grognard.Game("dagc/vitebsk", seed=5), most=40)
    for other in (game.clone("other dice"), game.imagine("axis", 3)):
        random_game(other, 2, most=30)
        again = pickle.loads(pickle.dumps(other))
        assert random_game(again, 4).state_hash() == random_game(other, 4).state_hash()


def test_errors_survive_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(grognard.IllegalAction("no", "4.1")))
    assert (error.why, error.case, str(error)) == ("no", "4.1", "no (4.1)")


def test_a_record_tells_the_same_game(program, tmp_path) -> None:
    import subprocess

    game = random_game(grognard.Game("mini/ford", seed="proof"))
    path = tmp_path / "game.record"
    path.write_text(game.record())
    proved = subprocess.run([program, "verify", str(path)], capture_output=True, text=True)
    assert proved.returncode == 0, proved.stderr
    shown = subprocess.run([program, "show", str(path), "--situation"], capture_output=True, text=True)
    assert shown.stdout == game.situation()


def test_a_situation_is_a_start() -> None:
    game = random_game(grognard.Game("mini/ford", seed=1), most=5)
    again = grognard.Game("mini", situation=game.situation(), seed=2)
    assert again.answers() == game.answers()
    again.step(0)
    assert again.scenario == "mini"
    assert pickle.loads(pickle.dumps(again)).state_hash() == again.state_hash()


def test_events_are_told_to_whom_they_are_due() -> None:
    game = grognard.Game("mini/ford", seed=1944)
    game.step(0)
    told = game.events("axis")
    assert told and all("event" in event and "case" in event for event in told)
    assert game.event_rows("axis").shape == (len(told), 12)


def test_facts_name_what_the_arrays_hold() -> None:
    game = grognard.Game("dagc/historical", seed=1)
    facts, schema = game.facts(), grognard.schema("dagc/historical")
    assert schema.units[0] == facts["units"][0]["name"] and len(schema.planes) == game.shape["planes"][0]
    ground = facts["map"]
    assert ground["terrain"].shape == (schema.lines, schema.width)
    assert ground["hexsides"].shape[:3] == (schema.lines, schema.width, 6)
    hexes = [unit[3] for unit in game.observe("soviet")["units"] if unit[0] == 1 and unit[3] >= 0]
    assert all(ground["labels"][number] is not None for number in hexes)
    assert grognard.schema("dagc/vitebsk").hash != schema.hash
    planes = grognard.unpack(game.observe("soviet")["planes"], schema.width)
    assert planes[0].reshape(-1)[hexes].any() and planes.max() == 1


def test_an_opponent_gives_advice() -> None:
    game = grognard.Game("dagc/vitebsk", seed=1)
    number, why = game.advise("officer", luck=3)
    assert 0 <= number < game.count and why and game.advise("officer", luck=3)[0] == number


def test_odds_are_exact() -> None:
    game = grognard.Game("dagc/vitebsk", seed=1944)
    while "declare" not in game.answers():
        random_game(game, seed=game.decisions, most=1)
    told = game.odds(["declare"], game.side)
    assert abs(sum(way["p"] for way in told["ways"]) - 1) < 1e-9


def test_trajectories_are_seed_and_answers(tmp_path) -> None:
    game = random_game(grognard.Game("mini/ford", seed="t"))
    row = grognard.Trajectory.of(game)
    for name in ("games.jsonl", "games.parquet"):
        if name.endswith("parquet"):
            pytest.importorskip("pyarrow")
        grognard.save(tmp_path / name, [row, row])
        assert grognard.load(tmp_path / name) == [row, row]
    steps = list(grognard.replay(row))
    assert [step["answer"] for step in steps] == row.answers
    assert all(step["answers"].shape[1] == 12 for step in steps)
    assert {step["side"] for step in grognard.replay(row, "axis")} == {"axis"}
    for change in ({"rules": row.rules + 1}, {"data": "0"}, {"schema": "0"}, {"state_hash": "0"}):
        with pytest.raises(grognard.InputError):
            list(grognard.replay(grognard.Trajectory(**{**row.__dict__, **change})))
