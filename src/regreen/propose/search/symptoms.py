"""Symptoms: how failing checks fail, and how actual values differ from expected ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any, Final

from regreen.propose.search.constants import FAILURES_PER_SYMPTOM
from regreen.types import CheckResult, Outcome

NOT_RAISED: Final = re.compile(r"DID NOT RAISE (?:any of )?\(?(?:<class ')?(?:\w+\.)*(\w+)|\b(\w+) not raised")
"""In the message of a check that expects an exception: which one was not raised, as pytest (also before its version 8)
and unittest say it."""
_RAISED: Final = {
    "IndexError": "index",
    "KeyError": "key",
    "ZeroDivisionError": "zero",
    "RecursionError": "recursion",
    "UnboundLocalError": "unbound",
    "NameError": "name",
    "AttributeError": "attribute",
    "TypeError": "type",
    "ValueError": "value",
    "StopIteration": "iteration",
    "ImportError": "name",
    "ModuleNotFoundError": "name",
}

SYMPTOMS: Final = frozenset(
    {
        *_RAISED.values(),
        *("hang", "raises", "not_raised", "changed", "await", "object", "fraction", "arguments", "lazy"),
        *("none", "convert", "negated", "kind", "content", "order", "reversed", "one_item", "repeats"),
        *("longer", "shorter", "start", "end", "case", "space"),
        *("larger", "smaller", "close", "off_by_one", "sign", "negative", "rounding", "zero_result"),
    }
)
"""All there are, beside `kind:int` and its like, which name what was expected."""
_TEXT_FOR_NUMBER: Final = re.compile(r"'str'.*'(?:int|float)'|'(?:int|float)'.*'str'|by non-int of type|not str")
"""In the message of a TypeError: a text took part in arithmetic or in a comparison with numbers."""


_FRACTION: Final = re.compile(r"not '?float'?|'float' object cannot be")
"""In the message of a TypeError: a fraction stood where a whole number is asked for."""
_ARGUMENTS: Final = re.compile(r"takes .*argument|unexpected keyword|missing \d+ required|expected .*argument")
"""In the message of a TypeError: a function was given too much, too little or something else."""


_TIMES_AS_FAR: Final = 10
"""Numbers are close that differ by less than a tenth of what they should be."""
_LAZY: Final = re.compile(
    r"'(?:generator|map|filter|zip|enumerate|reversed|dict_\w+|\w*iterator|islice|chain)' object|has no len\(\)"
)
"""In the message of a TypeError: what can be gone through once was asked for its length, or for an item by number."""


def failure_symptoms(failures: Iterable[CheckResult]) -> frozenset[str]:
    """The symptoms that at least a third of the failing checks show, e.g. "none" for a missing return, "off_by_one"."""
    found: dict[str, int] = {}
    total = 0
    for failure in failures:
        total += 1
        for symptom in set(_of(failure)):
            found[symptom] = found.get(symptom, 0) + 1
    return frozenset(symptom for symptom, count in found.items() if FAILURES_PER_SYMPTOM * count >= total)


def _of(failure: CheckResult) -> Iterator[str]:
    if failure.outcome is Outcome.TIMED_OUT:
        yield "hang"
    if failure.outcome is Outcome.RAISED:
        yield "raises"
    if NOT_RAISED.search(failure.detail):
        yield "not_raised"
    for name, symptom in _RAISED.items():
        if failure.detail.startswith(name):
            yield symptom
    if "during iteration" in failure.detail:
        yield "changed"
    if "NoneType" in failure.detail:
        yield "none"
    if failure.detail.startswith("TypeError") and _TEXT_FOR_NUMBER.search(failure.detail):
        yield "convert"
    if failure.detail.startswith("TypeError"):
        yield from (
            name
            for name, said in (("fraction", _FRACTION), ("arguments", _ARGUMENTS), ("lazy", _LAZY))
            if said.search(failure.detail)
        )
    if "await" in failure.detail or "coroutine" in failure.detail:
        yield "await"
    if failure.outcome is not Outcome.FAILED:
        return
    try:
        yield from value_symptoms(ast.literal_eval(failure.expected), ast.literal_eval(failure.actual))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        if failure.actual.startswith("<"):
            yield "object"


def value_symptoms(expected: Any, actual: Any) -> Iterator[str]:
    """The symptoms of one actual value beside the expected one."""
    yield from _amounts(expected, actual)
    if _is_unconverted(expected, actual):
        yield "convert"
    if actual is None and expected is not None:
        yield "none"
    elif isinstance(expected, bool) and isinstance(actual, bool):
        yield "negated"
    elif isinstance(expected, int | float) and isinstance(actual, int | float):
        yield from _numbers(expected, actual)
    elif type(expected) is not type(actual):
        yield "kind"
        yield f"kind:{type(expected).__name__}"
    elif isinstance(expected, str):
        yield from _texts(expected, actual)
    elif isinstance(expected, list | tuple):
        yield from _sequences(expected, actual)
    elif isinstance(expected, set | frozenset | dict):
        yield "longer" if len(actual) > len(expected) else "shorter" if len(actual) < len(expected) else "content"


def _is_unconverted(expected: Any, actual: Any) -> bool:
    """Whether a text stands where a number is expected, at the top or within."""
    if isinstance(expected, int | float) and not isinstance(expected, bool):
        return isinstance(actual, str)
    if isinstance(expected, dict) and isinstance(actual, dict):
        return any(_is_unconverted(value, actual.get(key)) for key, value in expected.items())
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        return any(map(_is_unconverted, expected, actual))
    return False


def _amounts(expected: Any, actual: Any) -> Iterator[str]:
    """Whether numbers are too large or too small, all that differ in one way, also in lists and dicts of one shape."""
    pairs = [*_differing(expected, actual)]
    if not pairs or not all(_is_number(value) for pair in pairs for value in pair):
        return
    if all(there > wanted for wanted, there in pairs):
        yield "larger"
    elif all(there < wanted for wanted, there in pairs):
        yield "smaller"
    if all(_TIMES_AS_FAR * _distance(wanted, there) < abs(wanted) for wanted, there in pairs):
        yield "close"


def _differing(expected: Any, actual: Any) -> Iterator[tuple[Any, Any]]:
    """The values that differ, each as it should be and as it is."""
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple) and len(expected) == len(actual):
        for wanted, there in zip(expected, actual, strict=True):
            yield from _differing(wanted, there)
    elif isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        for key, wanted in expected.items():
            yield from _differing(wanted, actual[key])
    elif expected != actual:
        yield expected, actual


def _distance(one: float, other: float) -> float:
    """How far two numbers are apart; a whole number that no float holds is infinitely far from every fraction."""
    try:
        return abs(one - other)
    except OverflowError:
        return inf


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(expected: float, actual: float) -> Iterator[str]:
    if type(expected) is not type(actual):
        yield "kind"
        yield f"kind:{type(expected).__name__}"
    if _distance(expected, actual) == 1:
        yield "off_by_one"
    if expected == -actual and expected:
        yield "sign"
    if actual < 0 <= expected:
        yield "negative"
    if 0 < _distance(expected, actual) < 1:
        yield "rounding"
    if actual == 0 and expected:
        yield "zero_result"


def _texts(expected: str, actual: str) -> Iterator[str]:
    if expected.casefold() == actual.casefold():
        yield "case"
    if expected.split() == actual.split() or expected.replace(" ", "") == actual.replace(" ", ""):
        yield "space"
    yield from _sequences(expected, actual)


def _sequences(expected: Any, actual: Any) -> Iterator[str]:
    if actual == expected[::-1]:
        yield "reversed"
    if len(actual) == len(expected):
        yield "order" if _same_items(expected, actual) else "content"
        if len(expected) > 1 and sum(a != b for a, b in zip(expected, actual, strict=True)) == 1:
            yield "one_item"
    else:
        yield "longer" if len(actual) > len(expected) else "shorter"
        if expected[: len(actual)] == actual or actual[: len(expected)] == expected:
            yield "end"
        if (
            len(actual)
            and len(expected)
            and (expected[-len(actual) :] == actual or actual[-len(expected) :] == expected)
        ):
            yield "start"
        if abs(len(expected) - len(actual)) == 1:
            yield "off_by_one"
        if not isinstance(expected, str) and _same_once(expected, actual):
            yield "repeats"


def _same_items(one: Any, other: Any) -> bool:
    return sorted(map(repr, one)) == sorted(map(repr, other))


def _same_once(one: Any, other: Any) -> bool:
    return set(map(repr, one)) == set(map(repr, other))
