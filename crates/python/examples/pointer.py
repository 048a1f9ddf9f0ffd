"""A pointer model: answers point at rows of units and hexes, which a small network has read. python pointer.py

numpy alone, forward and backward by hand, so that every step can be seen; with a library of networks it is shorter. Units and hexes
become vectors (one layer each), an answer gathers the vectors of what it names and its form's, and a second layer scores it. It learns
from the officers of many games at once: in each game the officer of the side that is asked is imitated.
"""

import grognard
import numpy as np

SCENARIO, SIZE, GAMES = "dagc/vitebsk", 32, 16


class Layer:
    """A linear layer with its own Adam."""

    def __init__(self, luck: np.random.Generator, inputs: int, outputs: int) -> None:
        self.w = luck.normal(0, 1 / np.sqrt(inputs), (inputs, outputs))
        self.m, self.v, self.t = np.zeros_like(self.w), np.zeros_like(self.w), 0

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return x @ self.w

    def learn(self, x: np.ndarray, slope: np.ndarray, rate: float = 0.002) -> np.ndarray:
        """Goes down the slope; gives the slope of what came in."""
        back, self.t = slope @ self.w.T, self.t + 1
        change = x.T @ slope
        self.m = 0.9 * self.m + 0.1 * change
        self.v = 0.999 * self.v + 0.001 * change**2
        step = self.m / (1 - 0.9**self.t) / (np.sqrt(self.v / (1 - 0.999**self.t)) + 1e-8)
        self.w -= rate * step
        return back


class Pointer:
    """Scores the answers of one position."""

    def __init__(self, game: grognard.Game) -> None:
        luck, shape, facts = np.random.default_rng(0), game.shape, game.facts()
        self.width, self.planes = shape["width"], shape["planes"][0]
        self.ground = np.eye(len(facts["map"]["terrains"]) + 1)[facts["map"]["terrain"].reshape(-1)]
        self.forms = len(facts["answers"])
        self.unit = Layer(luck, shape["units"][1] + 1, SIZE)
        self.hex = Layer(luck, self.planes + self.ground.shape[1] + 1, SIZE)
        self.answer = Layer(luck, self.forms + 8 * SIZE, SIZE)
        self.score = Layer(luck, SIZE, 1)

    def forward(self, game: grognard.Game) -> np.ndarray:
        seen, self.rows = game.observe(), game.rows().astype(int)
        one = np.ones((len(seen["units"]), 1))
        self.units = np.concatenate([seen["units"] / 30.0, one], axis=1)
        planes = grognard.unpack(seen["planes"], self.width).reshape(self.planes, -1).T
        self.hexes = np.concatenate([planes, self.ground, np.ones((len(planes), 1))], axis=1)
        # The last row of each is nobody and nowhere: what −1 points at.
        self.u = np.vstack([np.tanh(self.unit(self.units)), np.zeros((1, SIZE))])
        self.h = np.vstack([np.tanh(self.hex(self.hexes)), np.zeros((1, SIZE))])
        named = [self.u[self.rows[:, i]] for i in range(1, 7)] + [self.h[self.rows[:, i]] for i in (7, 8)]
        self.x = np.concatenate([np.eye(self.forms)[self.rows[:, 0]], *named], axis=1)
        self.y = np.maximum(self.answer(self.x), 0)
        scores = self.score(self.y)[:, 0]
        chances = np.exp(scores - scores.max())
        return chances / chances.sum()

    def backward(self, slope: np.ndarray) -> None:
        into = self.answer.learn(self.x, self.score.learn(self.y, slope[:, None]) * (self.y > 0))
        du, dh = np.zeros_like(self.u), np.zeros_like(self.h)
        for i in range(8):
            part = into[:, self.forms + i * SIZE : self.forms + (i + 1) * SIZE]
            np.add.at(du if i < 6 else dh, self.rows[:, i + 1], part)
        self.unit.learn(self.units, du[:-1] * (1 - self.u[:-1] ** 2))
        self.hex.learn(self.hexes, dh[:-1] * (1 - self.h[:-1] ** 2))


def main(steps: int = 200) -> None:
    games = [grognard.Game(SCENARIO, seed=n) for n in range(GAMES)]
    model, right, loss = Pointer(games[0]), 0.0, 0.0
    for step in range(steps):
        for n, game in enumerate(games):
            if game.over:
                game.reset(f"{n}-{step}")
            answer, _ = game.advise("officer", luck=f"{n}-{step}")
            chances = model.forward(game)
            right += 0.002 * ((chances.argmax() == answer) - right)
            loss += 0.002 * (-np.log(chances[answer] + 1e-9) - loss)
            chances[answer] -= 1
            model.backward(chances)
            game.step(answer)
        if step % 20 == 19:
            print(f"{(step + 1) * GAMES} decisions: officer's answer first {right:.0%}, log loss {loss:.2f}", flush=True)


if __name__ == "__main__":
    main()
