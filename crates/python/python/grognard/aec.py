"""PettingZoo: both sides, one decision after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._core import Game
from ._spaces import look, mask_space, parts, returns
from .errors import IllegalAction

SIDES = ["axis", "soviet"]


class GrognardAEC(AECEnv):
    """A game for two agents, `axis` and `soviet`. The same one may decide many times in a row."""

    # What a side may do depends on what the other has done a moment ago: there is nothing to do at the same time.
    metadata = {"name": "grognard_v1", "render_modes": ["ansi"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self, scenario: str, *, options: tuple[str, ...] = (), data: str | None = None, max_answers: int = 512,
        skip_forced: bool = False, illegal: str = "raise", render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if illegal not in ("raise", "lose"):
            raise ValueError("illegal is `raise` or `lose`")
        self.game = Game(scenario, seed=0, options=list(options), data=data, skip_forced=skip_forced)
        self.max_answers, self.illegal, self.render_mode = max_answers, illegal, render_mode
        self.possible_agents = list(SIDES)
        seen = spaces.Dict(parts(self.game.shape, max_answers))
        self.observation_spaces = {
            side: spaces.Dict({"observation": seen, "action_mask": mask_space(max_answers)}) for side in SIDES
        }
        self.action_spaces = {side: spaces.Discrete(max_answers) for side in SIDES}
        self._seed, self._episode = "0", 0
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        if seed is not None:
            self._seed, self._episode = str(seed), 0
        self.game.reset(f"{self._seed}-{self._episode}")
        self._episode += 1
        self.agents = list(SIDES)
        self.rewards = dict.fromkeys(SIDES, 0.0)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0.0)
        self.terminations = dict.fromkeys(SIDES, False)
        self.truncations = dict.fromkeys(SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in SIDES}
        self._next(self.game.side)

    def observe(self, agent: str) -> dict[str, Any]:
        seen, mask = look(self.game, agent, self.max_answers)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        lost = None
        if action is None or not 0 <= int(action) < self.game.count:
            if self.illegal == "raise":
                raise IllegalAction(f"answer {action}: {self.game.count} are listed, numbered from 0")
            lost = agent
        else:
            self.game.step(int(action))
        if lost is not None:
            self.rewards = {side: -1.0 if side == lost else 1.0 for side in SIDES}
        elif self.game.over:
            self.rewards = returns(self.game)
        if lost is not None or self.game.over:
            self.terminations = dict.fromkeys(SIDES, True)
        elif self.game.truncated:
            self.truncations = dict.fromkeys(SIDES, True)
        self._accumulate_rewards()
        self._next(self.game.side or agent)

    def _next(self, side: str) -> None:
        self.agent_selection = side
        points = self.game.points
        for agent in self.agents:
            mask = np.zeros(self.max_answers, np.int8)
            if agent == self.game.side:
                mask[: min(self.game.count, self.max_answers)] = 1
            self.infos[agent] = {"action_mask": mask} if points is None else {"action_mask": mask, "points": points}

    def render(self) -> str:
        return f"{self.game.scenario}, decision {self.game.decisions}, {self.game.side or 'over'}: {self.game.prompt}"

    def close(self) -> None:
        pass


def aec_env(scenario: str, **options: Any) -> AECEnv:
    """The environment with PettingZoo's check of the order of calls. An answer that is not listed raises `IllegalAction`, or loses
    the game with `illegal="lose"`."""
    return wrappers.OrderEnforcingWrapper(GrognardAEC(scenario, **options))
