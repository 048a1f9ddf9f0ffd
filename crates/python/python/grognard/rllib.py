"""RLlib: both sides as agents of a MultiAgentEnv. Only the one that decides is in the dictionaries."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from ._core import Game
from ._spaces import look, mask_space, parts, returns
from .errors import IllegalAction

SIDES = ["axis", "soviet"]


class RllibEnv(MultiAgentEnv):
    """`config`: `scenario`, and what `Game` and the other environments take (`options`, `data`, `max_answers`, `skip_forced`, a level
    for `axis` or `soviet`, `nodes`). Observations have the keys that RLlib's masking module wants."""

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        config = dict(config or {})
        self.max_answers = config.pop("max_answers", 512)
        self._seed, self._episode = str(config.pop("seed", 0)), 0
        self.game = Game(config.pop("scenario", "mini/ford"), seed=0, **config)
        self.agents = self.possible_agents = [side for side in SIDES if side not in config]
        space = spaces.Dict(
            {"observations": spaces.Dict(parts(self.game.shape, self.max_answers)), "action_mask": mask_space(self.max_answers)}
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(self.max_answers))

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        if seed is not None:
            self._seed, self._episode = str(seed), 0
        self.game.reset(f"{self._seed}-{self._episode}")
        self._episode += 1
        return self._seen(), {}

    def step(self, action_dict: dict[str, int]) -> tuple[dict, dict, dict, dict, dict]:
        answer = int(action_dict[self.game.side])
        if answer >= self.game.count:
            raise IllegalAction(f"answer {answer}: {self.game.count} are listed, numbered from 0")
        self.game.step(answer)
        over, cut = self.game.over, self.game.truncated
        ended = over or cut
        rewards = {side: value for side, value in returns(self.game).items() if side in self.possible_agents} if ended else {}
        seen = {side: self._of(side) for side in self.possible_agents} if ended else self._seen()
        if not ended:
            rewards = dict.fromkeys(seen, 0.0)
        terminated = {**dict.fromkeys(self.possible_agents if ended else seen, over), "__all__": over}
        truncated = {**dict.fromkeys(self.possible_agents if ended else seen, cut), "__all__": cut}
        return seen, rewards, terminated, truncated, {}

    def _seen(self) -> dict[str, Any]:
        side = self.game.side
        return {} if side is None else {side: self._of(side)}

    def _of(self, side: str) -> dict[str, Any]:
        seen, mask = look(self.game, side, self.max_answers)
        return {"observations": seen, "action_mask": mask}
