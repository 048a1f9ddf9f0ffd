"""Many games: the same as one by one, whatever the threads."""

from __future__ import annotations

import grognard
import numpy as np
import pytest
from grognard.trajectories import finished


def play(batch: grognard.Batch, steps: int) -> list[np.ndarray]:
    luck, told = np.random.default_rng(3), []
    for _ in range(steps):
        batch.step((luck.random(len(batch)) * batch.count).astype(np.int64))
        rows = batch.rows[: batch.offsets[-1]] if batch.rows is not None else np.zeros(0)
        told += [a.copy() for a in (batch.side, batch.count, batch.reward, batch.done, rows, *(batch.seen or {}).values())]
    return told


def test_a_batch_plays_what_games_play() -> None:
    batch = grognard.Batch("mini/ford", 6, seed="b")
    games = [grognard.Game("mini/ford", seed=f"b-{n}") for n in range(6)]
    luck, ended = np.random.default_rng(5), 0
    for _ in range(150):
        answers = (luck.random(6) * batch.count).astype(np.int64)
        batch.step(answers)
        for n, game in enumerate(games):
            game.step(int(answers[n]))
            assert bool(batch.done[n]) == game.over
            if game.over:
                ended += 1
                won = {"axis": (1, -1), "soviet": (-1, 1), None: (0, 0)}[game.winner]
                assert tuple(batch.reward[n]) == won
                game.reset(f"b-{batch.number[n]}")
            assert ("axis", "soviet")[batch.side[n]] == game.side and batch.count[n] == game.count
            for key, value in game.observe().items():
                assert np.array_equal(batch.seen[key][n], value), key
            rows = batch.rows[batch.offsets[n] : batch.offsets[n + 1]]
            assert np.array_equal(rows, game.rows()) and batch.answers_of(n) == game.answers()
    assert ended > 6


def test_threads_change_nothing() -> None:
    one, other = (play(grognard.Batch("dagc/vitebsk", 37, seed=1, threads=threads), 40) for threads in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_arrays_are_written_in_place() -> None:
    batch = grognard.Batch("mini/ford", 4, seed=1)
    side, units = batch.side, batch.seen["units"]
    play(batch, 5)
    assert batch.side is side and batch.seen["units"] is units


def test_an_answer_that_is_not_listed_changes_nothing() -> None:
    batch = grognard.Batch("mini/ford", 3, seed=1)
    before = batch.count.copy()
    for wrong in ([0, 0, batch.count[2]], [0, -1, 0], [0, 0]):
        with pytest.raises(grognard.IllegalAction):
            batch.step(np.array(wrong))
    assert np.array_equal(batch.count, before)
    batch.step([0, 0, 0])


def test_opponents_answer_for_their_side() -> None:
    batch = grognard.Batch("mini/ford", 8, seed=1, soviet="recruit", keep=True, final_=True, skip_forced=True)
    ended, luck = 0, np.random.default_rng(1)
    for _ in range(200):
        assert (batch.side == 0).all() and (batch.count > 1).all()
        batch.step((luck.random(8) * batch.count).astype(np.int64))
        ended += int(batch.done.sum())
        if batch.done.any():
            assert batch.last["units"][batch.done].any()
    games = finished(batch, "mini/ford")
    assert len(games) == ended > 0 and not batch.take_finished()
    for game in games[:3]:
        assert list(grognard.replay(game))
    with pytest.raises(grognard.InputError):
        grognard.Batch("mini/ford", 2, seed=1, axis="recruit", soviet="recruit")


def test_a_reset_begins_with_another_seed() -> None:
    batch = grognard.Batch("mini/ford", 3, seed="a")
    play(batch, 30)
    batch.reset("c")
    other = grognard.Batch("mini/ford", 3, seed="c")
    assert all(np.array_equal(a, b) for a, b in zip(play(batch, 30), play(other, 30), strict=True))
