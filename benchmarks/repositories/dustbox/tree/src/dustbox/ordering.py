"""One order for all kinds of values."""
from datetime import date, datetime

_RANKS = [
    (type(None), 0), (bool, 4), ((int, float), 1), (str, 2),
    (datetime, 5), (date, 6), (list, 7), (dict, 8),
]


def rank(value):
    for kinds, number in _RANKS:
        if isinstance(value, kinds):
            return number
    return 9


def sort_key(value):
    number = rank(value)
    if value is None:
        return (number,)
    if number == 7:
        return (number, [sort_key(item) for item in value])
    if number == 8:
        return (number, [(str(k), sort_key(v)) for k, v in sorted(value.items())])
    if number == 9:
        return (number, repr(value))
    return (number, value)


def hashable(value):
    """Something to keep in a dict; equal values give equal keys.

    True and 1 are kept apart.
    """
    if isinstance(value, list):
        return ("list", tuple(hashable(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((k, hashable(v)) for k, v in value.items()))
    if isinstance(value, bool):
        return ("bool", value)
    return value


def same(a, b):
    return hashable(a) == hashable(b)
