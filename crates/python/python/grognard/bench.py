"""How fast the package is beside Rust alone, in one run: `python -m grognard.bench`.

The machine strays by tens of percent, so everything is a ratio to random play in Rust in the same minute, taken in turns; the figure
of each is the median of the rounds. Seconds are those of the processor, so that other work on the machine does not count; where two
threads are compared with one they are those of the clock, and the machine must be quiet.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from ._core import Batch, Game, random_play


#: About as many decisions as a game has.
WARM = 1200


def rust(scenario: str, threads: int) -> Callable[[float], float]:
    """Decisions a second of random play in Rust."""

    def measure(seconds: float) -> float:
        began = time.process_time()
        decisions, took = random_play(scenario, seconds, threads)
        return decisions / (took if threads > 1 else time.process_time() - began)

    return measure


def single(scenario: str) -> Callable[[float], float]:
    """One game: side, count, step."""
    game, episode = Game(scenario, seed="single"), 0
    chances = np.random.default_rng(7).random(1 << 16).tolist()

    def measure(seconds: float) -> float:
        nonlocal episode
        decisions, began = 0, time.process_time()
        while (took := time.process_time() - began) < seconds:
            for chance in chances[:4096]:
                if game.side is None:
                    episode += 1
                    game.reset(f"single-{episode}")
                game.step(int(chance * game.count))
            decisions += 4096
        return decisions / took

    return measure


def batch(
    scenario: str, games: int, threads: int, observe: bool, rows: bool, clock: Callable[[], float] = time.process_time
) -> Callable[[float], float]:
    """Many games: one answer by lot in each."""
    many = Batch(scenario, games, seed="batch", threads=threads, observe=observe, rows=rows)
    luck = np.random.default_rng(7)
    # All games begin with the same phase: they are measured when they have come apart.
    for _ in range(WARM):
        many.step((luck.random(games) * many.count).astype(np.int64))

    def measure(seconds: float) -> float:
        decisions, began = 0, clock()
        while (took := clock() - began) < seconds:
            many.step((luck.random(games) * many.count).astype(np.int64))
            decisions += games
        return decisions / took

    return measure


def measure(scenario: str, games: int, rounds: int, seconds: float) -> dict[str, float]:
    """The median of the rounds for everything, and the ratios that count."""
    ways = {
        "rust": rust(scenario, 1),
        "game": single(scenario),
        "batch": batch(scenario, games, 1, False, False),
        "batch observed": batch(scenario, games, 1, True, False),
        "batch observed rows": batch(scenario, games, 1, True, True),
        "batch by the clock": batch(scenario, games, 1, False, False, time.perf_counter),
        "batch observed rows by the clock": batch(scenario, games, 1, True, True, time.perf_counter),
        "batch 2 threads": batch(scenario, games, 2, False, False, time.perf_counter),
        "batch observed rows 2 threads": batch(scenario, games, 2, True, True, time.perf_counter),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            found[name].append(way(seconds))
    speed = {name: statistics.median(values) for name, values in found.items()}

    def ratio(one: str, other: str) -> float:
        return statistics.median(a / b for a, b in zip(found[one], found[other], strict=True))

    over = statistics.median(1e6 / a - 1e6 / b for a, b in zip(found["game"], found["rust"], strict=True))
    return {
        **{f"{name} decisions/s": round(value) for name, value in speed.items()},
        "batch / rust": round(ratio("batch", "rust"), 3),
        "batch observed rows / rust": round(ratio("batch observed rows", "rust"), 3),
        "2 threads / 1": round(ratio("batch 2 threads", "batch by the clock"), 3),
        "2 threads / 1, observed rows": round(ratio("batch observed rows 2 threads", "batch observed rows by the clock"), 3),
        "µs of Game.step over rust": round(over, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m grognard.bench", description=__doc__.split("\n")[0])
    parser.add_argument("scenarios", nargs="*", default=["dagc/historical", "bug/campaign"])
    parser.add_argument("--games", type=int, default=256, help="games in a batch")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure in each round")
    args = parser.parse_args()
    for scenario in args.scenarios:
        found = measure(scenario, args.games, args.rounds, args.seconds)
        print(json.dumps({"scenario": scenario, **found}, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
