"""Matching documents."""
import re

from . import paths
from .errors import QueryError
from .ordering import rank, same, sort_key


def _any_of(doc, path, test):
    """Does a value at the path, or an item of a list there, pass?"""
    for value in paths.values(doc, path):
        if test(value):
            return True
        if isinstance(value, list) and any(test(item) for item in value):
            return True
    return False


def _eq(doc, path, wanted):
    if wanted is None:
        found = paths.values(doc, path)
        return not found or any(v is None for v in found) or _any_of(doc, path, lambda v: v is None)
    return _any_of(doc, path, lambda value: same(value, wanted))


def _compare(check):
    def test(doc, path, wanted):
        kind, key = rank(wanted), sort_key(wanted)
        # only values of the same kind can be compared
        return _any_of(doc, path, lambda v: rank(v) == kind and check(sort_key(v), key))
    return test


def _in(doc, path, wanted):
    if not isinstance(wanted, (list, tuple, set)):
        raise QueryError("$in needs a list")
    return any(_eq(doc, path, item) for item in wanted)


def _all(doc, path, wanted):
    if not isinstance(wanted, (list, tuple)):
        raise QueryError("$all needs a list")
    return bool(wanted) and all(_eq(doc, path, item) for item in wanted)


def _exists(doc, path, wanted):
    return bool(paths.values(doc, path)) == bool(wanted)


def _regex(doc, path, wanted):
    try:
        pattern = re.compile(wanted)
    except re.error as exc:
        raise QueryError(f"bad $regex: {exc}") from exc
    return _any_of(doc, path, lambda v: isinstance(v, str) and pattern.search(v) is not None)


def _size(doc, path, wanted):
    return any(isinstance(v, list) and len(v) == wanted for v in paths.values(doc, path))


def _elem_match(doc, path, wanted):
    for value in paths.values(doc, path):
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict) and matches(item, wanted):
                    return True
    return False


def _not(doc, path, wanted):
    return not _field(doc, path, wanted)


OPERATORS = {
    "$eq": _eq,
    "$ne": lambda doc, path, wanted: not _eq(doc, path, wanted),
    "$gt": _compare(lambda a, b: a > b),
    "$gte": _compare(lambda a, b: a >= b),
    "$lt": _compare(lambda a, b: a < b),
    "$lte": _compare(lambda a, b: a <= b),
    "$in": _in,
    "$nin": lambda doc, path, wanted: not _in(doc, path, wanted),
    "$all": _all,
    "$exists": _exists,
    "$regex": _regex,
    "$size": _size,
    "$elemMatch": _elem_match,
    "$not": _not,
}


def is_operators(condition):
    return isinstance(condition, dict) and bool(condition) and all(
        isinstance(k, str) and k.startswith("$") for k in condition
    )


def _field(doc, path, condition):
    if isinstance(condition, re.Pattern):
        return _any_of(doc, path, lambda v: isinstance(v, str) and condition.search(v) is not None)
    if not is_operators(condition):
        return _eq(doc, path, condition)
    for name, wanted in condition.items():
        try:
            test = OPERATORS[name]
        except KeyError:
            raise QueryError(f"unknown operator {name}") from None
        if not test(doc, path, wanted):
            return False
    return True


def matches(doc, query):
    for key, condition in query.items():
        if key == "$and":
            passed = all(matches(doc, part) for part in condition)
        elif key == "$or":
            passed = any(matches(doc, part) for part in condition)
        elif key == "$nor":
            passed = not any(matches(doc, part) for part in condition)
        elif key.startswith("$"):
            raise QueryError(f"unknown operator {key}")
        else:
            passed = _field(doc, key, condition)
        if not passed:
            return False
    return True
