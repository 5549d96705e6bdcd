"""Backoff: callables that give a fresh iterator of delays."""
import itertools
import random


def constant(delay):
    return lambda: itertools.repeat(delay)


def linear(step, cap=None):
    def delays():
        for n in itertools.count(1):
            yield _capped(n * step, cap)

    return delays


def exponential(base=0.1, factor=2, cap=None):
    def delays():
        delay = base
        while True:
            yield _capped(delay, cap)
            if cap is None or delay < cap:
                delay *= factor

    return delays


def fibonacci(unit=1, cap=None):
    def delays():
        a, b = unit, unit
        while True:
            yield _capped(a, cap)
            a, b = b, a + b

    return delays


def jittered(backoff, ratio=1.0, rng=None):
    """Take off up to ``ratio`` of each delay, at random."""
    if not 0 <= ratio <= 1:
        raise ValueError("ratio must be between 0 and 1")
    rng = rng or random.Random()

    def delays():
        for delay in backoff():
            yield delay * (1 - ratio * rng.random())

    return delays


def chain(*pairs):
    """``chain((3, constant(1)), (2, linear(5)))``: then the last goes on."""
    def delays():
        for index, (count, backoff) in enumerate(pairs):
            last = index == len(pairs) - 1
            yield from backoff() if last else itertools.islice(backoff(), count)

    return delays


def _capped(delay, cap):
    return delay if cap is None else min(delay, cap)
