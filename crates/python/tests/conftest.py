"""What the tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import grognard
import numpy as np
import pytest


def random_game(game: grognard.Game, seed: int = 7, most: int = 100_000) -> grognard.Game:
    """Plays any legal answers to the end, or so many."""
    luck = np.random.default_rng(seed)
    for _ in range(most):
        if game.over:
            break
        game.step(int(luck.integers(game.count)))
    return game


@pytest.fixture(scope="session")
def program() -> Path:
    """The program `grognard`, which must play the same games: GROGNARD_BIN, or the one that cargo has built."""
    named = os.environ.get("GROGNARD_BIN")
    target = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[3] / "target"))
    built = [target / profile / "grognard" for profile in ("debug", "release")]
    found = [Path(named)] if named else [path for path in built if path.exists()]
    if not found and (path := shutil.which("grognard")):
        found = [Path(path)]
    if not found:
        pytest.skip("there is no program grognard: GROGNARD_BIN says where it is")
    return found[0]
