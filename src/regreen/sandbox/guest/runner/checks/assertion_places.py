"""How far a test came before it failed: a search that gets past its first assertion has come nearer."""

from __future__ import annotations

import dis
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from types import CodeType, TracebackType

from regreen.sandbox.guest.runner.checks.assertions import RECORDER

_traceback_of = BaseException.__dict__["__traceback__"].__get__


def share_passed(error: BaseException) -> float | None:
    """The share of a test's assertions that stand before the line where it failed; None for a test with just one.

    Of the outermost function with assertions that the error came through. A loop around an assertion counts as one.
    """
    traceback = _traceback_of(error)
    while type(traceback) is TracebackType:
        lines = _assertion_lines(traceback.tb_frame.f_code)
        if lines and type(traceback.tb_lineno) is int:
            return bisect_left(lines, traceback.tb_lineno) / len(lines) if len(lines) > 1 else None
        traceback = traceback.tb_next
    return None


@cache
def _assertion_lines(code: CodeType) -> tuple[int, ...]:
    """The lines of a function whose assertions ask the recorder, in order; it is asked of other things as well."""
    if RECORDER not in code.co_names:
        return ()
    lines: set[int] = set()
    for asked, method in pairwise(dis.get_instructions(code)):
        place = asked.positions
        if asked.argval == RECORDER and method.argval in _OF_ASSERTIONS and place and place.lineno is not None:
            lines.add(place.lineno)
    return tuple(sorted(lines))


_OF_ASSERTIONS = ("compare", "truth")
