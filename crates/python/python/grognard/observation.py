"""What arrays mean: the schema of a scenario, and planes of hexes as bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ._core import Game

#: The number of the way in which observations, answers and events are coded.
CODING = 1


@dataclass(frozen=True)
class Schema:
    """What the arrays of a scenario hold. `hash` stands in every file that is written with them."""

    scenario: str
    columns: tuple[str, ...]
    planes: tuple[str, ...]
    globals: tuple[str, ...]
    units: tuple[str, ...]
    answers: tuple[str, ...]
    questions: tuple[str, ...]
    events: tuple[str, ...]
    lines: int
    width: int
    hash: str


def schema(scenario: str, options: tuple[str, ...] = (), data: str | None = None) -> Schema:
    """The schema of a scenario."""
    return _schema(scenario, tuple(options), data)


@lru_cache(maxsize=64)
def _schema(scenario: str, options: tuple[str, ...], data: str | None) -> Schema:
    return schema_of(Game(scenario, seed=0, options=list(options), data=data))


def schema_of(game: Game) -> Schema:
    """The schema of a game."""
    facts = game.facts()
    fields: dict[str, Any] = {
        "scenario": game.scenario,
        "columns": facts["columns"],
        "planes": facts["planes"],
        "globals": facts["globals"],
        "units": [unit["name"] for unit in facts["units"]],
        "answers": [form["usage"] for form in facts["answers"]],
        "questions": [form["usage"] for form in facts["questions"]],
        "events": [form["usage"] for form in facts["events"]],
        "lines": facts["map"]["lines"],
        "width": facts["map"]["width"],
    }
    coded = json.dumps([CODING, fields], sort_keys=True).encode()
    whole = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    return Schema(**whole, hash=hashlib.sha256(coded).hexdigest()[:16])


def unpack(planes: np.ndarray, width: int) -> np.ndarray:
    """Planes of bits (…, lines, words) as bytes (…, lines, width): 1 where the hex is in the set."""
    octets = np.ascontiguousarray(planes.astype("<u8", copy=False)).view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    return bits[..., :width]
