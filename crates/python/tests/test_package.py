"""The package itself: its stub, its metadata, its example."""

from __future__ import annotations

import ast
import importlib.metadata
import runpy
from pathlib import Path

import grognard
import pytest
from grognard import _core

HERE = Path(__file__).parent


def declared() -> dict[str, set[str]]:
    """What the stub declares: functions with their parameters, classes with their members."""
    found: dict[str, set[str]] = {}
    tree = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = {arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)}
        elif isinstance(node, ast.ClassDef):
            found[node.name] = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
    return found


def test_the_stub_declares_what_is_there() -> None:
    stub = declared()
    for name, value in vars(_core).items():
        if name.startswith("__"):
            continue
        assert name in stub, f"{name} is not in the stub"
        if isinstance(value, type):
            members = {member for member in vars(value) if not member.startswith("_")}
            members -= stub[name]
            assert not members, f"{name}: {members} are not in the stub"
            told = {member for member in stub[name] if not member.startswith("_")}
            assert told <= set(vars(value)), f"{name}: {told - set(vars(value))} are in the stub alone"
        else:
            signature = value.__text_signature__
            words = {part.strip().split("=")[0] for part in signature.strip("()").split(",")} - {"*", ""}
            assert words == stub[name], f"{name}{signature}"


def test_the_wheel_says_what_it_is() -> None:
    metadata = importlib.metadata.metadata("grognard")
    assert metadata["Version"] == grognard.__version__
    files = [str(file) for file in importlib.metadata.files("grognard") or []]
    if any(file.endswith(".pth") for file in files):
        pytest.skip("installed in place")
    for wanted in ("LICENSE-MIT", "LICENSE-APACHE", "py.typed", "_core.pyi"):
        assert any(file.endswith(wanted) for file in files), wanted
    assert "numpy" in str(metadata.get_all("Requires-Dist"))


def test_the_books_are_there() -> None:
    names = [book["name"] for book in grognard.books()]
    assert {"dagc", "bug", "bite", "barbarossa", "mini"} <= set(names)
    assert grognard.rules("dagc") > 0 and len(grognard.data_hash("dagc")) == 16


def test_the_first_steps_of_the_example() -> None:
    """The example that trains a policy until it wins does its first steps, and they go uphill."""
    module = runpy.run_path(str(HERE.parent / "examples" / "train.py"))
    before, after = module["train"](updates=4, games=32, quiet=True)
    assert 0.0 <= before <= 1.0 and 0.0 <= after <= 1.0


@pytest.mark.parametrize("name", ["first_policy.py", "pointer.py"])
def test_the_examples_of_the_docs(name: str) -> None:
    module = runpy.run_path(str(HERE.parent / "examples" / name))
    module["main"](steps=2)


def test_the_docs_show_the_examples() -> None:
    docs = HERE.parents[2] / "docs" / "python.md"
    if not docs.exists():
        pytest.skip("not in the repository")
    text = docs.read_text()
    for name, most in (("first_policy.py", 40), ("pointer.py", 100)):
        source = (HERE.parent / "examples" / name).read_text()
        assert len(source.splitlines()) <= most and source in text, name
