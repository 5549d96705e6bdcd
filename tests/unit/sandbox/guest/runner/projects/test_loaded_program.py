"""A program that stays loaded does what a change of it says, and afterwards what it did at first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

import pytest

from regreen.sandbox.guest.runner.program_loading.incremental_compile import IncrementalCompiler
from regreen.sandbox.guest.runner.program_loading.program_module import LoadsAnew
from regreen.sandbox.guest.runner.projects.loaded_program import CallTrace, LoadedProgram
from regreen.sandbox.guest.runner.projects.rebinding import ModuleBindings
from regreen.sandbox.guest.runner.timing.ticks import Ticks

SHOP = '''
"""A shop."""
import functools
from math import floor

LIMIT = 3
DOUBLE = LIMIT * 2
RATE = 0.5
ROUTES = {}


def route(name):
    def keep(function):
        @functools.wraps(function)
        def checked(*values):
            return function(*values)

        ROUTES[name] = checked
        return checked

    return keep


@route("total")
def total(prices, rate=1):
    return sum(prices) - rate


class Cart:
    size = 1

    def __init__(self, *prices):
        self.prices = prices

    @property
    def most(self):
        return max(self.prices)

    @staticmethod
    def name():
        return "cart"

    def each(self):
        def half(price):
            return price / 2

        return [half(price) for price in self.prices]


def within(value):
    return value < RATE


key = lambda pair: pair[0]
'''


class Loaded:
    """The shop as it was loaded, beside a module that has imported of it."""

    def __init__(self) -> None:
        Ticks()
        self.compiler = IncrementalCompiler(SHOP, "shop_of_test")
        self.module = ModuleType("shop_of_test")
        sys.modules["shop_of_test"] = self.module
        called = CallTrace("shop_of_test")
        called.start()
        for code in self.compiler.original():
            exec(code, vars(self.module))
        called.stop()
        self.user = ModuleType("user_of_test")
        exec("from shop_of_test import RATE, ROUTES, Cart, key, total", vars(self.user))
        bindings = ModuleBindings(self.module, [self.module, self.user])
        self.program = LoadedProgram(bindings, self.compiler.original(), called)

    def changed(self, *changes: tuple[str, str]) -> list[CodeType]:
        """The codes of the shop with some of its texts replaced."""
        assert all(SHOP.count(old) == 1 for old, _ in changes)
        return self.compiler.edited([(SHOP.index(old), SHOP.index(old) + len(old), new) for old, new in changes])

    def change(self, *changes: tuple[str, str]) -> Any:
        """The module that uses the shop, after a change of it."""
        self.program.change_into(self.changed(*changes))
        return self.user


@pytest.fixture
def shop() -> Iterator[Loaded]:
    """The shop; its modules are gone afterwards."""
    yield Loaded()
    del sys.modules["shop_of_test"]


HELD: dict[str, tuple[tuple[str, str], Callable[[Any], object], object]] = {
    "a function behind a decorator, in a table": (
        ("sum(prices) - rate", "sum(prices) + rate"),
        lambda user: user.ROUTES["total"]([1, 2]),
        4,
    ),
    "what a decorator has made": (
        ("return function(*values)", "return -function(*values)"),
        lambda user: user.total([1, 2]),
        -2,
    ),
    "a method of a class": (
        ("self.prices = prices", "self.prices = prices[1:]"),
        lambda user: user.Cart(1, 2).prices,
        (2,),
    ),
    "a property": (("max(self.prices)", "min(self.prices)"), lambda user: user.Cart(1, 2).most, 1),
    "a static method": (('return "cart"', 'return "basket"'), lambda user: user.Cart.name(), "basket"),
    "a function within a method": (("price / 2", "price / 4"), lambda user: user.Cart(2).each(), [0.5]),
    "a lambda": (("pair[0]", "pair[1]"), lambda user: user.key((1, 2)), 2),
    "a value that others have imported": (("RATE = 0.5", "RATE = 2"), lambda user: user.RATE, 2),
    "a further name of an import": (
        ("from math import floor", "from math import floor, ceil"),
        lambda user: hasattr(sys.modules["shop_of_test"], "ceil"),
        True,
    ),
}


@pytest.mark.parametrize("kind", HELD)
def test_whoever_holds_it_has_the_change_and_then_what_was_there(shop: Loaded, kind: str) -> None:
    """Without anything loaded anew."""
    change, look, expected = HELD[kind]
    before = look(shop.user)
    assert before != expected
    assert look(shop.change(change)) == expected
    shop.program.put_back()
    assert look(shop.user) == before


def test_a_change_takes_the_place_of_the_one_before(shop: Loaded) -> None:
    """Each is one of the program as it is."""
    shop.change(("sum(prices) - rate", "sum(prices) + rate"))
    user = shop.change(('return "cart"', 'return "basket"'))
    assert (user.total([1, 2]), user.Cart.name()) == (2, "basket")


def test_changes_of_several_statements_are_done_together(shop: Loaded) -> None:
    """Each statement has its own code."""
    user = shop.change(("sum(prices) - rate", "sum(prices) + rate"), ("max(self.prices)", "min(self.prices)"))
    assert (user.total([1, 2]), user.Cart(1, 2).most) == (4, 1)


REFUSED = {
    "other parameters": ("def within(value)", "def within(value, most=1)"),
    "another default": ("rate=1", "rate=2"),
    "another attribute of a class": ("size = 1", "size = 2"),
    "another decorator": ("@staticmethod", "@classmethod"),
    "a new method": (
        "    @property\n    def most",
        "    def least(self):\n        return 0\n\n    @property\n    def most",
    ),
    "what was called while the program was loaded": ("ROUTES[name] = checked", "ROUTES[name] = function"),
    "a value of which another was made": ("LIMIT = 3", "LIMIT = 4"),
    "a coroutine": ("def within(value):", "async def within(value):"),
    "a call": ("LIMIT = 3", "LIMIT = 3\nprint(LIMIT)"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_others_may_have_gone_by_is_loaded_anew(shop: Loaded, kind: str) -> None:
    """And nothing of the program is changed for it."""
    with pytest.raises(LoadsAnew):
        shop.change(REFUSED[kind])
    assert shop.user.ROUTES["total"]([1, 2]) == 2


def test_a_function_that_was_not_there_yet_is_that_of_the_changed_one(shop: Loaded) -> None:
    """Other functions inside one are made as it is called."""
    user = shop.change(
        ("def half(price):\n            return price / 2", "def twice(price):\n            return price * 2"),
        ("half(price) for", "twice(price) for"),
    )
    assert user.Cart(2).each() == [4]


def test_what_an_import_raises_is_told_and_nothing_stays_of_the_change(shop: Loaded) -> None:
    """A module that is not there, say."""
    with pytest.raises(ImportError):
        shop.change(("from math import floor", "from math import flor"), ("max(self.prices)", "min(self.prices)"))
    assert shop.user.Cart(1, 2).most == 2


def test_a_value_that_others_have_read_while_they_were_imported_is_loaded_anew() -> None:
    """What they have made of it would stay."""
    loaded = Loaded()
    bindings = ModuleBindings(loaded.module, [loaded.module, loaded.user])
    loaded.program = LoadedProgram(bindings, loaded.compiler.original(), CallTrace("shop_of_test"), is_read=True)
    with pytest.raises(LoadsAnew):
        loaded.change(("RATE = 0.5", "RATE = 2"))
    del sys.modules["shop_of_test"]


def test_what_tests_have_run_while_they_were_collected_is_loaded_anew(shop: Loaded) -> None:
    """Cases that they have made of it, say, would stay."""
    line = 1 + SHOP[: SHOP.index("return value < RATE")].count("\n")
    bindings = ModuleBindings(shop.module, [shop.module, shop.user])
    shop.program = LoadedProgram(bindings, shop.compiler.original(), CallTrace("shop_of_test"), {line})
    with pytest.raises(LoadsAnew):
        shop.change(("value < RATE", "value <= RATE"))
    shop.change(("sum(prices) - rate", "sum(prices) + rate"))
