"""Games as seed and answers: 2 KB each. Observations are made again when they are wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ._core import Batch, Game, data_hash
from .errors import InputError
from .observation import schema_of

_FIELDS = ("scenario", "options", "seed", "answers", "winner", "points", "state_hash", "schema", "data", "rules")


@dataclass
class Trajectory:
    """One game: what it was played with, and the number of every answer."""

    scenario: str
    seed: str
    answers: list[int]
    state_hash: str
    schema: str
    data: str
    rules: int
    options: list[str] = field(default_factory=list)
    winner: str | None = None
    points: list[int] | None = None

    @classmethod
    def of(cls, game: Game) -> Trajectory:
        """The game so far."""
        book = game.scenario.split("/")[0]
        points = game.points
        return cls(
            scenario=game.scenario, seed=game.seed, answers=[int(a) for a in game.played], state_hash=game.state_hash(),
            schema=schema_of(game).hash, data=data_hash(book), rules=game.rules, options=game.options,
            winner=game.winner, points=None if points is None else list(points),
        )


def finished(batch: Batch, scenario: str, options: Iterable[str] = ()) -> list[Trajectory]:
    """The games that a batch with `keep=True` has finished since it was last asked."""
    games = batch.take_finished()
    if not games:
        return []
    start = Game(scenario, seed=0, options=list(options))
    head = {
        "scenario": scenario, "options": list(options), "schema": schema_of(start).hash,
        "data": data_hash(scenario.split("/")[0]), "rules": start.rules,
    }
    return [
        Trajectory(
            seed=game["seed"], answers=[int(a) for a in game["answers"]], winner=game["winner"],
            points=list(game["points"]), state_hash=game["state_hash"], **head,
        )
        for game in games
    ]


def save(path: str | Path, rows: Iterable[Trajectory]) -> None:
    """Writes trajectories: Parquet (with pyarrow) when the name ends in .parquet, else one JSON object a line."""
    rows = list(rows)
    path = Path(path)
    beside = path.with_name(f".{path.name}.part")
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = pa.schema([
            ("scenario", pa.string()), ("options", pa.list_(pa.string())), ("seed", pa.string()),
            ("answers", pa.list_(pa.int16())), ("winner", pa.string()), ("points", pa.list_(pa.int32())),
            ("state_hash", pa.string()), ("schema", pa.string()), ("data", pa.string()), ("rules", pa.int32()),
        ])
        pq.write_table(pa.Table.from_pylist([asdict(row) for row in rows], schema=types), beside)
    else:
        beside.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows))
    beside.replace(path)


def load(path: str | Path) -> list[Trajectory]:
    """Reads what `save` has written."""
    path = Path(path)
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    else:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [Trajectory(**{name: row[name] for name in _FIELDS}) for row in rows]


def replay(row: Trajectory, side: str | None = None) -> Iterator[dict[str, Any]]:
    """Plays a trajectory through: before each answer what the side that decides sees, its answers as rows, and which it gave.

    `side` leaves the decisions of the other out. Rules, data, schema and the position at the end must be those that it was
    written with, else it is refused.
    """
    game = Game(row.scenario, seed=row.seed, options=row.options)
    found = (game.rules, data_hash(row.scenario.split("/")[0]), schema_of(game).hash)
    for what, now, then in zip(("rules", "data", "schema"), found, (row.rules, row.data, row.schema), strict=True):
        if now != then:
            raise InputError(f"the {what} were {then} when this game was played, and are {now} now")
    for place, answer in enumerate(row.answers):
        decides = game.side
        if answer < 0:
            side_said, number = ("soviet" if (-1 - answer) % 2 else "axis"), (-1 - answer) // 2
            game.interject(side_said, number)
            continue
        if side in (None, decides):
            reward = 0.0 if row.winner is None else (1.0 if row.winner == decides else -1.0)
            yield {
                **game.observe(), "answers": game.rows(), "answer": answer, "side": decides, "decision": place,
                "return": np.float32(reward),
            }
        game.step(answer)
    if game.state_hash() != row.state_hash:
        raise InputError("the game ends in another position than when it was played")
