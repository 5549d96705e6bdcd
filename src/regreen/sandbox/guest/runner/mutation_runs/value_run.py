"""The values that a program's variables have at chosen lines, check by check: what synthesis makes expressions of.

Only plain data is told, by its own text: no method of an object of the program is called for it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from types import FrameType
from typing import Any

from regreen.sandbox.guest.runner.checks.results import Result
from regreen.sandbox.guest.runner.lazy_values import attributes_of
from regreen.sandbox.guest.runner.mutation_runs.screening_run import ScreeningRun

_SCALARS = (type(None), bool, int, float, str)
_SEQUENCES = (list, tuple, set, frozenset)
_MOST_TEXT = 300
"""Characters of a value that are told; one with more is left out."""
_MOST_ITEMS = 64
_MOST_NAMES = 16
_MOST_VISITS = 24
"""Of one check."""


class ValueRun(ScreeningRun):
    """Runs each check by itself, on the program loaded anew, and tells what was seen at the lines asked for."""

    compared: tuple[str | None, str | None] = (None, None)
    """Both sides of the `==` that failed last."""

    def tell(self, limits: Mapping[str, Any], filename: str) -> dict[str, dict[str, Any]]:
        """By check: its visits of the lines, how each call ended, and the sides of the comparison that failed."""
        told = {}
        for check in self.suite.runner.ids:
            self.compared, self.status = (None, None), "failed"
            watch = _Watch(filename, frozenset(limits["lines"]))
            with watch:
                self._run(check.__eq__, limits, "")
            if self.status == "memory":
                break
            told[check] = {"visits": watch.visits, "calls": watch.calls, "compared": self.compared}
        return told

    def _ended(self, error: BaseException) -> Result | None:
        result = super()._ended(error)
        recorder = self.subject.recorder if self.subject else None
        if isinstance(error, AssertionError) and recorder is not None and recorder.seen is not None:
            sign, left, right = recorder.seen
            self.compared = (plain_text(left), plain_text(right)) if sign == "==" else (None, None)
        return result


class _Watch:
    """Notes what the program's variables hold at some lines, while its block runs."""

    def __init__(self, filename: str, lines: Collection[int]) -> None:
        self.filename = filename
        self.lines = lines
        self.visits: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        """How each call with a visit ended."""
        self._numbers: dict[int, int] = {}
        """The place in `calls` of each running frame."""

    def __enter__(self) -> _Watch:
        sys.settrace(self._enter)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != self.filename or len(self.visits) >= _MOST_VISITS:
            return None
        first, last = frame.f_code.co_firstlineno, max((n for *_, n in frame.f_code.co_lines() if n), default=0)
        return self._at_line if any(first <= line <= last for line in self.lines) else None

    def _at_line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" and frame.f_lineno in self.lines and len(self.visits) < _MOST_VISITS:
            number = self._numbers.setdefault(id(frame), len(self.calls))
            if number == len(self.calls):
                caller = frame.f_back
                is_outer = caller is None or caller.f_code.co_filename != self.filename
                self.calls.append({"returned": None, "is_outer": is_outer})
            self.visits.append({"line": frame.f_lineno, "call": number, "values": dict(_plain_names(frame.f_locals))})
        elif event == "return" and id(frame) in self._numbers:
            # After an exception, too: None is then what is told.
            self.calls[self._numbers.pop(id(frame))]["returned"] = plain_text(argument)
        return self._at_line


def _plain_names(names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The variables that hold plain data, and the attributes of `self` that do, with the texts of their values."""
    owner = names.get("self")
    inside = {f"self.{name}": value for name, value in (attributes_of(owner) or {}).items()}
    left = _MOST_NAMES
    for name, value in (*names.items(), *inside.items()):
        text = plain_text(value)
        if text is not None and left and name.replace(".", "").isidentifier():
            left -= 1
            yield name, text


def plain_text(value: Any) -> str | None:
    """The text of plain data that is not too long; None for anything else."""
    if not _is_plain(value, _MOST_ITEMS):
        return None
    text = repr(value)
    return text if len(text) <= _MOST_TEXT else None


def _is_plain(value: Any, items: int, depth: int = 4) -> bool:
    kind = type(value)
    if kind in _SCALARS:
        return (kind is not str or len(value) <= _MOST_TEXT) and (kind is not int or value.bit_length() <= _MOST_TEXT)
    if depth == 0 or (kind not in _SEQUENCES and kind is not dict) or len(value) > items:
        return False
    parts = [*value, *value.values()] if kind is dict else value
    return all(_is_plain(part, items, depth - 1) for part in parts)
