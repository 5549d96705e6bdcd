"""Turns the end of a check into a result: plain data with short texts."""

from __future__ import annotations

import reprlib
from typing import Any

from regreen.sandbox.guest.runner.checks.assertions import AssertionRecorder

MOST_CHARACTERS = 2_000
"""Characters of an expected or actual value that are kept."""


class ShortTexts(reprlib.Repr):
    """Texts of values, cut to a length that suits a page."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 8
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdict = self.maxdeque = 60
        self.maxstring = self.maxother = self.maxlong = 600


_SHORT_TEXTS = ShortTexts()

Result = dict[str, Any]

_TEXTS = ("detail", "actual", "expected")
_MOST_TOGETHER = 1 << 20
"""Characters of text in the results of all checks together; one character may take twelve bytes in a message."""
_SHORTER = (200, 20, 0)
"""Characters of each text that are kept where more would be too much together."""


def show(value: Any, texts: reprlib.Repr = _SHORT_TEXTS) -> str:
    """The value as text, cut to a length that suits a page; never raises."""
    try:
        text = texts.repr(value)
    except BaseException as error:  # noqa: BLE001  a hostile __repr__ may raise anything, and a live object be lost
        return f"<{type(value).__name__} whose repr raised {type(error).__name__}>"
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"


def passed_result() -> Result:
    """The check held."""
    return {"outcome": "passed"}


def denied_result() -> Result:
    """The check is a flipped one, and the opposite of what it claims was true."""
    return {"outcome": "failed", "detail": "the opposite holds"}


def faked_result(what: str) -> Result:
    """What the check decided by proves nothing."""
    return {"outcome": "failed", "detail": f"tampering: the check would have passed by {what}, which proves nothing"}


def failed_result(error: BaseException, recorder: AssertionRecorder) -> Result:
    """The check ran, and its assertion did not hold."""
    result: Result = {"outcome": "failed", "detail": message_of(error)}
    if recorder.seen is not None:
        sign, actual, expected = recorder.seen
        result["actual"] = show(actual)
        result["expected"] = _expectation(sign, expected)
    return result


def raised_result(name: str, message: str, lines: list[int], *, inside: bool) -> Result:
    """Something was raised that the check did not expect; `inside` says that it came from the program."""
    where = f" (line {lines[-1]})" if lines and inside else ""
    text = f"{name}: {message}" if message else name
    return {"outcome": "raised", "detail": _cut(text) + where, "lines": lines if inside else []}


def short_enough(found: dict[str, Result]) -> dict[str, Result]:
    """The results of all checks, with so little text that they fit into one message however many there are."""
    told, shorter = found, iter(_SHORTER)
    while _size(told) > _MOST_TOGETHER and (most := next(shorter, None)) is not None:
        told = {check: _shortened(result, most) for check, result in found.items()}
    return told


def _size(found: dict[str, Result]) -> int:
    """Characters of all texts together. A check that passed says nothing, and most do."""
    speaking = [result for result in found.values() if result["outcome"] != "passed"]
    texts = sum(len(result.get(name, "")) for result in speaking for name in _TEXTS)
    return texts + sum(2 * len(result.get("lines", ())) for result in speaking)


def _shortened(result: Result, most: int) -> Result:
    texts = {name: result[name][:most] for name in _TEXTS if name in result}
    lines = {"lines": result["lines"][-most:] if most else []} if "lines" in result else {}
    return result | texts | lines


def _expectation(sign: str, expected: Any) -> str:
    if sign == "true":
        return "a true value"
    return show(expected) if sign in ("==", "is") else f"{sign} {show(expected)}"


def message_of(error: BaseException) -> str:
    """The exception's own text, cut; never raises."""
    try:
        return _cut(str(error))
    except Exception:  # noqa: BLE001  a hostile __str__ may raise anything
        return type(error).__name__


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
