"""A first policy: linear scores of the answers, learned from an officer by imitation. python first_policy.py"""

import grognard
import numpy as np

SCENARIO = "dagc/vitebsk"


def features(game: grognard.Game) -> np.ndarray:
    """For each legal answer: its form, the row of the unit that it names, the planes at the hex that it names."""
    seen, rows, shape = game.observe(), game.rows().astype(int), game.shape
    forms = np.eye(64)[rows[:, 0]]
    units = np.where(rows[:, 1:2] >= 0, seen["units"][rows[:, 1]], 0) / 100
    planes = grognard.unpack(seen["planes"], shape["width"]).reshape(shape["planes"][0], -1)
    hexes = np.where(rows[:, 7:8] >= 0, planes[:, rows[:, 7]].T, 0)
    return np.concatenate([forms, units, hexes], axis=1)


def main(steps: int = 300) -> None:
    weights, right, game = None, 0.0, grognard.Game(SCENARIO, seed=0)
    for step in range(steps):
        if game.over:
            game.reset(step)
        facts = features(game)
        if weights is None:
            weights = np.zeros(facts.shape[1])
        scores = facts @ weights
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        answer, _ = game.advise("officer", luck=step)
        right += 0.01 * ((chances.argmax() == answer) - right)
        weights += 0.3 * (facts[answer] - chances @ facts)
        game.step(answer)
    print(f"after {steps} decisions the officer's answer comes first in {right:.0%}")


if __name__ == "__main__":
    main()
