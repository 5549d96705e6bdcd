"""Suspicion from tracebacks: where inside the program the failing checks raised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from regreen.types import CheckResult, Outcome

_FADE = 0.5
"""Suspicion of a frame relative to that of the frame it called."""

REPEATS = 20
"""A line that occurs this often in one traceback is part of an endless recursion."""

_ERROR_NAME = re.compile(r"[A-Za-z_][\w.]*")


def traceback_lines(raised: Mapping[str, tuple[int, ...]], passed: Iterable[str] = ()) -> dict[int, float]:
    """Weight in [0, 1] of each line that was on the stack when a failing check raised.

    `raised` has the program lines of each check's traceback, innermost last. The innermost frame has weight 1, each
    caller half the weight of what it called, a line that a recursion repeats counts once; the checks that raised are
    averaged.
    """
    ignored = frozenset(passed)
    stacks = [stack for check, stack in raised.items() if stack and check not in ignored]
    weights: dict[int, float] = {}
    for stack in stacks:
        for depth, line in enumerate(dict.fromkeys(reversed(stack))):
            weights[line] = weights.get(line, 0.0) + _FADE**depth / len(stacks)
    return {line: min(1.0, weight) for line, weight in sorted(weights.items())}


def innermost(raised: Mapping[str, tuple[int, ...]], results: Mapping[str, CheckResult]) -> dict[int, str]:
    """The line where each failing check raised and the name of what was raised, e.g. {7: "ValueError"}."""
    found: dict[int, str] = {}
    for check, stack in sorted(raised.items()):
        result = results.get(check)
        if stack and (result is None or result.outcome is not Outcome.PASSED):
            found.setdefault(stack[-1], _error_name(result))
    return found


def recursing_lines(raised: Mapping[str, tuple[int, ...]], passed: Iterable[str] = ()) -> frozenset[int]:
    """Lines that an endless recursion repeats in the traceback of some failing check."""
    ignored = frozenset(passed)
    stacks = [stack for check, stack in raised.items() if check not in ignored and len(stack) >= REPEATS]
    return frozenset(line for stack in stacks for line in set(stack) if stack.count(line) >= REPEATS)


def _error_name(result: CheckResult | None) -> str:
    """The exception's own name from e.g. "ValueError: negative input (line 7)"; `detail` is not to be trusted."""
    match = _ERROR_NAME.match(result.detail) if result else None
    return match.group()[:60] if match and match.group()[0].isupper() else "an exception"
