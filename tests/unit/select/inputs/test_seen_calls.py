"""What functions were handed while tests ran: is it asked again, in words that can be run?"""

from __future__ import annotations

from typing import Any

import pytest

from regreen.select.inputs.seen_calls import functions_at, seen_scenarios
from regreen.select.questions import with_import
from regreen.types import Visit

PROGRAM = '''
from functools import cached_property, wraps


class Basket:
    def __init__(self, prices, rate=1):
        self._prices = list(prices)
        self.rate = rate

    @cached_property
    def due(self):
        """Of all."""
        return sum(self._prices) * self.rate

    def put(self, price, *, times=1):
        self._prices += [price] * times

    @staticmethod
    def rounded(price):
        return round(price, 2)


class Point:
    x: int
    y: int = 0

    def moved(self, by):
        return Point(self.x + by, self.y)


class Reader:
    def __init__(self, stream):
        self.stream = stream

    def lines(self):
        return self.stream.readlines()


def discount(total, rate=10):
    return total * rate


def fill(items, number):
    items.append(number)


def each(items):
    yield from items


def joined(*items):
    return items


@wraps
def wrapped(total):
    return total
'''
SEEN: dict[str, Any] = {
    "self._prices": [3, 4],
    "self.rate": 2,
    "self.x": 1,
    "price": 5,
    "times": 2,
    "by": 3,
    "total": 100,
    "rate": 7,
    "items": [1],
    "number": 2,
}


def calls_at(name: str, **values: Any) -> list[str]:
    """The scenarios of the function with this name, in words, where these values were seen."""
    line = 1 + next(n for n, text in enumerate(PROGRAM.splitlines()) if f"def {name}(" in text)
    functions = functions_at(PROGRAM, {line})
    visits = [Visit("t", True, function.line, 0, {**SEEN, **values}) for function in functions]
    return [scenario.words for scenario in seen_scenarios(PROGRAM, functions, visits)]


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("discount", "discount(100, 7)"),
        ("fill", "items = [1]; (fill(items, 2), items)"),
        ("due", "made = Basket(prices=[3, 4], rate=2); made.due"),
        ("rounded", "Basket.rounded(5)"),
        ("moved", "made = Point(x=1); made.moved(3)"),
    ],
)
def test_a_function_is_called_with_what_it_was_handed(name: str, call: str) -> None:
    """A method by an object that its constructor makes of the attributes that the object had."""
    assert calls_at(name) == [call]


def test_of_a_method_that_changes_its_object_the_attributes_are_looked_at_afterwards() -> None:
    """And of the keyword that stands for itself, its name is written."""
    (call,) = calls_at("put")
    assert call.startswith("made = Basket(prices=[3, 4], rate=2); (made.put(5, times=2), made._prices")


@pytest.mark.parametrize("name", ["lines", "each", "joined", "wrapped", "__init__"])
def test_what_plain_data_cannot_call_or_show_is_not_called(name: str) -> None:
    """Streams, generators, any number of arguments, what a decorator may make something else of."""
    assert calls_at(name) == []


def test_calls_of_red_checks_come_first_and_each_once() -> None:
    """Six of one function at most."""
    (function,) = functions_at(PROGRAM, {39})
    visits = [Visit("t", n == 9, function.line, 0, {"total": n // 2, "rate": 1}) for n in range(20)]
    found = [scenario.words for scenario in seen_scenarios(PROGRAM, [function], visits)]
    assert found == [f"discount({n}, 1)" for n in (4, 0, 1, 2, 3, 5)]


def test_a_broken_program_has_no_functions() -> None:
    """Nothing can be asked of it."""
    assert functions_at("def f(:", {1}) == []


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("assert size(made) == len(2)\n", "from shop.sizes import size\nassert size(made) == len(2)\n"),
        ("assert other() is None\n", "assert other() is None\n"),
    ],
)
def test_a_check_imports_what_it_names_of_the_module(check: str, told: str) -> None:
    """It may then stand in any file of tests."""
    assert with_import(check, "shop.sizes", {"size", "unit"}) == told
