"""Trains a small policy with numpy alone until it beats `recruit`: python train.py

The policy scores every legal answer: a linear function of what the answer names. For each form of answer (`move`, `attack`, `end` …)
there is a weight for each fact about the unit and the hex that it names. It learns by REINFORCE: games that were won make what was
done in them likelier. 256 games are played at once, the opponent's answers in Rust.
"""

import argparse
import zlib

import grognard
import numpy as np

SCENARIO, SIDE, OPPONENT = "mini/bridge", "axis", "recruit"


class Policy:
    """One weight for each form and fact."""

    def __init__(self, scenario: str) -> None:
        game = grognard.Game(scenario, seed=0)
        facts, shape = game.facts(), game.shape
        self.width, self.forms = shape["width"], len(facts["answers"])
        self.columns = len(facts["columns"])
        neighbours = facts["map"]["neighbours"]
        self.neighbours = np.where(neighbours < 0, len(neighbours), neighbours)
        self.facts = 1 + 4 + 3 * shape["planes"][0] + shape["planes"][0] + 2
        self.weights = np.zeros((self.forms, self.facts))
        self.goal: np.ndarray | None = None

    def features(self, batch: grognard.Batch) -> tuple[np.ndarray, np.ndarray]:
        """The form of every answer, and the facts about what it names."""
        total = batch.offsets[-1]
        rows = batch.rows[:total].astype(int)
        game = np.repeat(np.arange(len(batch)), batch.count)
        units, planes = batch.seen["units"], grognard.unpack(batch.seen["planes"], self.width)
        planes = planes.reshape(len(batch), planes.shape[1], -1).astype(np.float32)
        planes = np.concatenate([planes, np.zeros((*planes.shape[:2], 1), np.float32)], axis=2)
        around = planes[:, :, np.vstack([self.neighbours, np.full((1, 6), planes.shape[2] - 1)])].mean(axis=3)
        unit = np.where(rows[:, 1:2] >= 0, units[game, rows[:, 1]], 0).astype(np.float32)
        away = np.where(rows[:, 1] >= 0, units[game, rows[:, 1], 3], -1)
        hexes = np.where(rows[:, 7] >= 0, rows[:, 7], -1)
        at, near, left = planes[game, :, hexes], around[game, :, hexes], planes[game, :, away]
        if self.goal is None:
            self.goal = self.distance(planes[0, -1])
        closer = np.where((hexes >= 0) & (away >= 0), self.goal[away] - self.goal[hexes], 0)
        named = np.where(hexes >= 0, self.goal[hexes], 0)
        seen = batch.seen["globals"][game][:, :1] / 10
        strength = unit[:, [5, 6, 7]] / 10
        return rows[:, 0], np.column_stack(
            [np.ones(total), strength, seen, at, near, left, at * left, closer / 5, named / 10]
        )

    def distance(self, goals: np.ndarray) -> np.ndarray:
        """How many hexes every hex is from the nearest goal, as the crow flies."""
        far = np.where(goals > 0, 0.0, 99.0)
        for _ in range(40):
            far[:-1] = np.minimum(far[:-1], far[self.neighbours].min(axis=1) + 1)
        return far

    def choose(self, batch: grognard.Batch, luck: np.random.Generator, greedy: bool = False):
        """An answer for each game, and what makes it likelier."""
        forms, facts = self.features(batch)
        scores = (self.weights[forms] * facts).sum(axis=1)
        starts = batch.offsets[:-1]
        scores -= np.repeat(np.maximum.reduceat(scores, starts), batch.count)
        chances = np.exp(scores)
        chances /= np.repeat(np.add.reduceat(chances, starts), batch.count)
        if greedy:
            best = np.repeat(np.maximum.reduceat(chances, starts), batch.count)
            order = np.where(chances == best, luck.random(len(chances)), -1)
        else:
            order = np.log(chances + 1e-12) + luck.gumbel(size=len(chances))
        chosen = np.repeat(np.maximum.reduceat(order, starts), batch.count) == order
        return np.flatnonzero(chosen) - starts, (forms, facts, chosen, chances)


def play(policy: Policy, games: int, seed: object, greedy: bool = False, scenario: str = SCENARIO):
    """Plays the first game of every place to its end: who won, and the gradient of each game."""
    enemy = {"axis": "soviet", "soviet": "axis"}[SIDE]
    batch = grognard.Batch(scenario, games, seed=seed, skip_forced=True, **{enemy: OPPONENT})
    luck = np.random.default_rng(zlib.crc32(str(seed).encode()))
    won, live = np.zeros(games), np.ones(games, bool)
    gradient = np.zeros((games, *policy.weights.shape))
    while live.any():
        answers, (forms, facts, chosen, chances) = policy.choose(batch, luck, greedy)
        game = np.repeat(np.arange(games), batch.count)
        push = (chosen - chances) * live[game]
        if not greedy:
            np.add.at(gradient, (game, forms), push[:, None] * facts)
        batch.step(answers)
        ended = live & (batch.done | batch.truncated)
        won[ended] = batch.reward[ended, ("axis", "soviet").index(SIDE)]
        live &= ~ended
    return won, gradient


def train(updates: int = 200, games: int = 256, goal: float = 0.7, quiet: bool = False, rate: float = 0.05):
    """Plays and learns until seven of ten games are won, or so many times: the share of games won before, and after by its best
    answers."""
    policy = Policy(SCENARIO)
    before = float((play(policy, games, "before")[0] > 0).mean())
    moment = np.zeros_like(policy.weights)
    square = np.zeros_like(policy.weights)
    for update in range(1, updates + 1):
        won, gradient = play(policy, games, f"update-{update}")
        mean = ((won - won.mean())[:, None, None] * gradient).mean(axis=0)
        moment = 0.9 * moment + 0.1 * mean
        square = 0.99 * square + 0.01 * mean**2
        scale = np.sqrt(square / (1 - 0.99**update)) + 1e-8
        policy.weights += rate * moment / (1 - 0.9**update) / scale
        share = float((won > 0).mean())
        if not quiet and update % 5 == 0:
            print(f"update {update}: {share:.0%} of {games} games won", flush=True)
        if share >= goal:
            break
    after = float((play(policy, games, "after", greedy=True)[0] > 0).mean())
    return before, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--games", type=int, default=256)
    args = parser.parse_args()
    before, after = train(args.updates, args.games)
    print(f"won against {OPPONENT} as {SIDE} in {SCENARIO}: {before:.0%} before, {after:.0%} after")


if __name__ == "__main__":
    main()
