"""Gymnasium, many games at once: one side of each against an opponent of the program, all of it in Rust."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._core import Batch
from ._spaces import ROW, expect_room, mask_space, parts
from .observation import unpack
from .solo import ENEMY


class GrognardVector(VectorEnv):
    """A batch as a vector environment. A game that is over begins anew in the same step; what was seen of it last is in
    `infos["final_obs"]`."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self, scenario: str, num_envs: int, *, side: str = "axis", opponent: str = "recruit", nodes: int | None = None,
        options: tuple[str, ...] = (), data: str | None = None, max_answers: int = 512, skip_forced: bool = True,
        threads: int = 1, seed: int | str = 0,
    ) -> None:
        self.batch = Batch(
            scenario, num_envs, seed=seed, options=list(options), data=data, nodes=nodes, skip_forced=skip_forced,
            threads=threads, final_=True, **{ENEMY[side]: opponent},
        )
        self.num_envs, self.side, self.max_answers = num_envs, side, max_answers
        self.single_observation_space = spaces.Dict(
            {**parts(self.batch.shape, max_answers), "action_mask": mask_space(max_answers)}
        )
        self.single_action_space = spaces.Discrete(max_answers)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._episode, self._seed = 0, str(seed)

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._episode = str(seed), 0
        self.batch.reset(f"{self._seed}-{self._episode}")
        self._episode += 1
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        batch = self.batch
        batch.step(np.asarray(actions, np.int64))
        reward = batch.reward[:, ("axis", "soviet").index(self.side)].astype(np.float64)
        ended = batch.done | batch.truncated
        infos: dict[str, Any] = {}
        if ended.any():
            last = self._arrays(batch.last)
            last["answers"] = np.full((self.num_envs, self.max_answers, ROW), -1, np.int16)
            last["action_mask"] = np.zeros((self.num_envs, self.max_answers), np.int8)
            final = np.empty(self.num_envs, object)
            for game in np.flatnonzero(ended):
                final[game] = {key: value[game] for key, value in last.items()}
            infos = {"final_obs": final, "_final_obs": ended.copy()}
        return self._seen(), reward, batch.done.copy(), batch.truncated.copy(), infos

    def _arrays(self, seen: dict[str, np.ndarray]) -> dict[str, Any]:
        arrays = {key: value.copy() for key, value in seen.items() if key != "planes"}
        arrays["planes"] = unpack(seen["planes"], self.batch.shape["width"])
        return arrays

    def _seen(self) -> dict[str, Any]:
        batch = self.batch
        seen = self._arrays(batch.seen)
        expect_room(int(batch.count.max()), self.max_answers)
        mask = np.arange(self.max_answers) < batch.count[:, None]
        answers = np.full((self.num_envs, self.max_answers, ROW), -1, np.int16)
        answers[mask] = batch.rows[: batch.offsets[-1]]
        seen["answers"], seen["action_mask"] = answers, mask.astype(np.int8)
        return seen


def vector_env(scenario: str, num_envs: int, **options: Any) -> GrognardVector:
    """Many games of a scenario at once against an opponent."""
    return GrognardVector(scenario, num_envs, **options)
