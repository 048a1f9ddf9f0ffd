"""Observations as the libraries of reinforcement learning want them: one dictionary of arrays of fixed size."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import Game
from .errors import InputError
from .observation import unpack

#: Numbers beside the map stay far below this.
MOST = np.float32(1e6)
ROW = 12


def parts(shape: dict[str, Any], max_answers: int) -> dict[str, spaces.Space]:
    """The spaces of what is seen, and of the legal answers."""
    int16 = np.iinfo(np.int16)
    planes, lines, _ = shape["planes"]
    return {
        "units": spaces.Box(int16.min, int16.max, shape["units"], np.int16),
        "planes": spaces.Box(0, 1, (planes, lines, shape["width"]), np.uint8),
        "globals": spaces.Box(-MOST, MOST, shape["globals"], np.float32),
        "question": spaces.Box(int16.min, int16.max, (ROW,), np.int16),
        "answers": spaces.Box(int16.min, int16.max, (max_answers, ROW), np.int16),
    }


def mask_space(max_answers: int) -> spaces.Space:
    return spaces.Box(0, 1, (max_answers,), np.int8)


def look(game: Game, side: str, max_answers: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What a side sees, and which answers it may give: none when it is not asked."""
    seen = game.observe(side)
    seen["planes"] = unpack(seen["planes"], game.shape["width"])
    answers = np.full((max_answers, ROW), -1, np.int16)
    mask = np.zeros(max_answers, np.int8)
    if game.side == side:
        count = expect_room(game.count, max_answers)
        answers[:count] = game.rows()
        mask[:count] = 1
    seen["answers"] = answers
    return seen, mask


def expect_room(count: int, max_answers: int) -> int:
    if count > max_answers:
        raise InputError(f"{count} answers are legal here, and max_answers is {max_answers}: make it larger")
    return count


def returns(game: Game) -> dict[str, float]:
    """1, −1 or 0 for each side when the game is over, else 0."""
    winner = game.winner
    return {side: 0.0 if winner is None else (1.0 if winner == side else -1.0) for side in ("axis", "soviet")}
