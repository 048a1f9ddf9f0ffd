"""What can go wrong. Every error has `why`, and `case` where a rule is behind it."""

from __future__ import annotations


class GrognardError(Exception):
    """Anything that Grognard refuses or cannot do."""

    def __init__(self, why: str, case: str | None = None) -> None:
        super().__init__(why if case is None else f"{why} ({case})")
        self.why = why
        self.case = case

    def __reduce__(self) -> tuple:
        return (type(self), (self.why, self.case))


class IllegalAction(GrognardError, ValueError):
    """A rule forbids it, or it is no answer to what is asked. Nothing has changed."""


class InputError(GrognardError, ValueError):
    """A scenario, an option, a level, data or a file that cannot be read or is not there."""


class Fault(GrognardError, RuntimeError):
    """The program could not do what it was rightly asked: please report it."""
