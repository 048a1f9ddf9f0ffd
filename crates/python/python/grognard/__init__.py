"""Operational hex-and-counter wargames by the book, as an exact environment for programs that learn.

`Game` is one game, `Batch` many at once. `aec_env` (PettingZoo), `solo_env` and `vector_env` (Gymnasium) and `RllibEnv` put them
into the shapes that libraries expect. docs/python.md has a first policy in 40 lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import Batch, Game, __version__, books, data_hash, lab_play
from .errors import Fault, GrognardError, IllegalAction, InputError
from .observation import Schema, schema, unpack
from .trajectories import Trajectory, load, replay, save

if TYPE_CHECKING:
    from .aec import aec_env
    from .rllib import RllibEnv
    from .solo import solo_env
    from .vector import vector_env

__all__ = [
    "Batch", "Fault", "Game", "GrognardError", "IllegalAction", "InputError", "RllibEnv", "Schema", "Trajectory",
    "__version__", "aec_env", "books", "data_hash", "lab_play", "load", "replay", "rules", "save", "scenarios",
    "schema", "solo_env", "unpack", "vector_env",
]

# What wants libraries of the extras is loaded when it is asked for.
_LATER = {"aec_env": "aec", "solo_env": "solo", "vector_env": "vector", "RllibEnv": "rllib"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def rules(book: str) -> int:
    """The number of a rulebook's rules: another one when the same answers and dice could lead to another game."""
    for known in books():
        if known["name"] == book:
            return known["rules"]
    raise InputError(f"there is no rulebook `{book}`")


def scenarios(book: str | None = None) -> list[str]:
    """Every scenario, of one rulebook or of all."""
    return [name for known in books() if book in (None, known["name"]) for name in known["scenarios"]]
