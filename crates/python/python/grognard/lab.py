"""Runs of the lab on a cluster: `python -m grognard.lab run plan.toml --out FOLDER`.

The games are cut into parts, and each part is a task of Ray that plays it with the compiled lab and writes one file. Whatever dies,
the same command goes on: what is there is not played again. docs/cluster.md says what to type on one machine and on fifty.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ._core import lab_gather, lab_games, lab_run
from .errors import GrognardError


def _part(place: int, of: int) -> str:
    return f"shards/{place}-of-{of}.jsonl"


def _bucket(uri: str) -> tuple[object, str]:
    """The file system of a URI (s3://, gs://, file:// …) and the path in it."""
    from pyarrow import fs

    return fs.FileSystem.from_uri(uri)


def play(plan: str, out: str, place: int, of: int, data: str | None = None) -> tuple[int, int, int]:
    """Plays one part: games done, games in the part, games that went wrong. In a bucket a part is there whole or not at all."""
    if "://" not in out:
        return lab_run(plan, out, place, of, data=data)
    system, folder = _bucket(out)
    name = _part(place, of)
    with tempfile.TemporaryDirectory() as own:
        local = Path(own) / name
        local.parent.mkdir(parents=True)
        if _is_there(system, f"{folder}/{name}"):
            _copy(system, f"{folder}/{name}", local)
        standing = lab_run(plan, own, place, of, data=data)
        system.create_dir(f"{folder}/shards", recursive=True)
        with system.open_output_stream(f"{folder}/{name}") as stream:
            stream.write(local.read_bytes())
    return standing


def gather(plan: str, out: str, data: str | None = None) -> tuple[int, int, int]:
    """Brings all parts together and writes the tables; those of a bucket into `runs/PLAN` here."""
    if "://" not in out:
        return lab_gather(plan, out, data=data)
    from pyarrow import fs

    system, folder = _bucket(out)
    here = Path("runs") / Path(plan).stem
    (here / "shards").mkdir(parents=True, exist_ok=True)
    for found in system.get_file_info(fs.FileSelector(f"{folder}/shards")):
        _copy(system, found.path, here / "shards" / found.base_name)
    return lab_gather(plan, str(here), data=data)


def _is_there(system: object, path: str) -> bool:
    from pyarrow import fs

    return system.get_file_info(path).type == fs.FileType.File


def _copy(system: object, path: str, to: Path) -> None:
    with system.open_input_stream(path) as stream:
        to.write_bytes(stream.read())


def run(
    plan: str, out: str, *, parts: int | None = None, data: str | None = None, address: str | None = None,
    tell: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
) -> tuple[int, int, int]:
    """Plays a plan on a Ray cluster, the one of `address`, one that is running, or one on this machine: as `gather`."""
    import ray

    plan = str(Path(plan).resolve())
    out = out if "://" in out else str(Path(out).resolve())
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    cores = int(ray.cluster_resources().get("CPU", 1))
    # A number of parts that does not depend on the cluster, so that the same command goes on anywhere.
    games = lab_games(plan, data=data)
    parts = parts or max(1, min(games, 1000, (games + 24) // 25))
    tell(f"{games} games in {parts} parts on {cores} cores")
    # One core a task, and one thread in it. Games that go wrong are rows: a task that fails was killed, and is given again.
    task = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(play)
    waiting = [task.remote(plan, out, place, parts, data) for place in range(parts)]
    began, told = time.monotonic(), time.monotonic()
    done = wrong = 0
    while waiting:
        ready, waiting = ray.wait(waiting, timeout=1.0)
        for played, _, faults in ray.get(ready):
            done, wrong = done + played, wrong + faults
        now = time.monotonic()
        if done and (now - told > 10 or not waiting):
            told = now
            rate = done / (now - began)
            tell(f"{done} of {games} games, {rate:.1f} a second, {(games - done) / rate:.0f} s left, {wrong} went wrong")
    return gather(plan, out, data)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m grognard.lab", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (("run", "play what is left of a plan on Ray, then gather"), ("gather", "bring the parts together")):
        command = commands.add_parser(name, help=about)
        command.add_argument("plan", help="the plan; docs/lab.md says what stands in it")
        command.add_argument("--out", help="a folder that all machines see, or the URI of a bucket [default: runs/PLAN]")
        command.add_argument("--data", help="a folder of data files that replace the built-in ones")
    commands.choices["run"].add_argument("--parts", type=int, help="how many parts [default: one for 25 games, 1000 at most]")
    commands.choices["run"].add_argument("--address", help="the cluster [default: RAY_ADDRESS, or this machine]")
    args = parser.parse_args(argv)
    out = args.out or str(Path("runs") / Path(args.plan).stem)
    try:
        if args.command == "run":
            done, total, wrong = run(args.plan, out, parts=args.parts, data=args.data, address=args.address)
        else:
            done, total, wrong = gather(args.plan, out, args.data)
    except GrognardError as error:
        print(error.why, file=sys.stderr)
        return 2
    print(f"{done} of {total} games, {wrong} went wrong; grognard lab report says what they mean")
    return 0 if done == total and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
