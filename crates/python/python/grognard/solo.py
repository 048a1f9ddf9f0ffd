"""Gymnasium: one side against an opponent of the program."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ._core import Game
from ._spaces import look, mask_space, parts, returns
from .errors import IllegalAction

ENEMY = {"axis": "soviet", "soviet": "axis"}


class GrognardSolo(gymnasium.Env):
    """One side of a scenario against `random`, `recruit`, `officer` or `general` (who needs `nodes`)."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, scenario: str = "mini/ford", *, side: str = "axis", opponent: str = "recruit", nodes: int | None = None,
        options: tuple[str, ...] = (), data: str | None = None, max_answers: int = 512, skip_forced: bool = True,
        illegal: str = "raise", render_mode: str | None = None,
    ) -> None:
        if illegal not in ("raise", "lose"):
            raise ValueError("illegal is `raise` or `lose`")
        self.game = Game(
            scenario, seed=0, options=list(options), data=data, nodes=nodes, skip_forced=skip_forced,
            **{ENEMY[side]: opponent},
        )
        self.side, self.max_answers, self.illegal, self.render_mode = side, max_answers, illegal, render_mode
        self.observation_space = spaces.Dict(
            {**parts(self.game.shape, max_answers), "action_mask": mask_space(max_answers)}
        )
        self.action_space = spaces.Discrete(max_answers)
        self._seed, self._episode = "0", 0

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._episode = str(seed), 0
        self.game.reset(f"{self._seed}-{self._episode}")
        self._episode += 1
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if not 0 <= int(action) < self.game.count:
            if self.illegal == "raise":
                raise IllegalAction(f"answer {action}: {self.game.count} are listed, numbered from 0")
            return self._seen(), -1.0, True, False, self._info()
        self.game.step(int(action))
        reward = returns(self.game)[self.side] if self.game.over else 0.0
        return self._seen(), reward, self.game.over, self.game.truncated, self._info()

    def _seen(self) -> dict[str, Any]:
        seen, mask = look(self.game, self.side, self.max_answers)
        return {**seen, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.max_answers, np.int8)
        mask[: min(self.game.count, self.max_answers)] = 1
        info: dict[str, Any] = {"action_mask": mask, "decisions": self.game.decisions}
        if self.game.points is not None:
            info["points"] = self.game.points
        return info

    def render(self) -> str:
        return f"{self.game.scenario}, decision {self.game.decisions}, {self.game.side or 'over'}: {self.game.prompt}"


def solo_env(scenario: str = "mini/ford", **options: Any) -> GrognardSolo:
    """One side of a scenario against an opponent; also `gymnasium.make("grognard/Solo-v1", scenario=…)` after `import grognard.solo`."""
    return GrognardSolo(scenario, **options)


gymnasium.register(id="grognard/Solo-v1", entry_point="grognard.solo:GrognardSolo")
