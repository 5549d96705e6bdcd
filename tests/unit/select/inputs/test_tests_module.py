"""What of a module of tests does a question need beside the test itself?"""

from __future__ import annotations

import pytest

from regreen.select.inputs.scenarios import read_scenarios
from regreen.select.inputs.tests_module import helpers_of_tests, imports_of_tests
from regreen.types import Suite, SuiteKind

FIXTURES = """
import pytest
from program import Cart

@pytest.fixture
def price():
    return 5

@pytest.fixture()
def cart(price):
    made = Cart(3)
    made.add("pen", price)
    return made

@pytest.fixture
def opened():
    with Cart(1) as made:
        yield made
"""


def module(text: str) -> Suite:
    """A test module."""
    return Suite(SuiteKind.PYTEST, text, ())


def words(text: str) -> list[str]:
    """The scenarios of a test module."""
    return [scenario.words for scenario in read_scenarios(module(text), {"Cart", "add", "total"})]


def test_fixtures_are_written_out() -> None:
    """With those that they need, beside the rows of a table."""
    test = "def test_total(cart):\n    cart.add('ink', 2)\n    assert cart.total() == 7\n"
    assert words(FIXTURES + test) == ["cart = Cart(3); cart.add('pen', 5); cart.add('ink', 2); cart.total()"]
    rows = "@pytest.mark.parametrize('name', ['a', 'b'])\ndef test(cart, name):\n    assert cart.total(name) == 0\n"
    assert [said.rpartition("; ")[2] for said in words(FIXTURES + rows)] == ["cart.total('a')", "cart.total('b')"]


@pytest.mark.parametrize("fixture", ["opened", "tmp_path", "missing"])
def test_a_fixture_that_is_more_than_statements_leaves_the_test_out(fixture: str) -> None:
    """One within a `with` block, one of pytest's own, one of nobody's."""
    assert words(FIXTURES + f"def test({fixture}):\n    assert Cart(1).total({fixture}) == 0\n") == []


def test_helpers_without_parameters_are_written_out_where_they_are_called() -> None:
    """Each call begins anew, and bears the name that the test gives it; two in one statement stay calls."""
    text = (
        "def full():\n    made = Cart(2)\n    made.add('pen', 1)\n    return made\n"
        "def test():\n    cart = full()\n    cart.add('ink', 4)\n    assert cart.total() == 5\n"
        "    assert full().total() == 1\n"
        "def test_two():\n    assert full().total('a') == full().total('b')\n"
    )
    written = "full = Cart(2); full.add('pen', 1); "
    assert words(text) == [
        "cart = Cart(2); cart.add('pen', 1); cart.add('ink', 4); cart.total()",
        f"{written}full.total()",
        "full().total('a')",
    ]


def test_what_is_set_up_for_a_class_of_tests_comes_first() -> None:
    """Attributes of the class of tests are variables then."""
    text = (
        "class TestCart(unittest.TestCase):\n"
        "    def setUp(self):\n        self.cart = Cart(1)\n        self.cart.add('pen', 3)\n"
        "    def test(self):\n        self.cart.add('ink', 4)\n        self.assertEqual(self.cart.total(), 7)\n"
        "    def test_own(self):\n        self.assertEqual(self.made().total(), 0)\n"
    )
    assert words(text) == ["cart = Cart(1); cart.add('pen', 3); cart.add('ink', 4); cart.total()"]


def test_helpers_are_those_that_are_needed_and_what_they_need() -> None:
    """Functions, classes and constants, in their order; no tests, no fixtures."""
    text = (
        "from program import Cart\n"
        "BOX = 3\nOTHER = 4\n"
        "class Pen:\n    size = BOX\n"
        "def cart_of(count):\n    return Cart(Pen.size * count)\n"
        "def unused():\n    pass\n"
        "def test():\n    assert cart_of(2).total() == 0\n"
    )
    assert imports_of_tests(module(text)) == ["from program import Cart"]
    assert helpers_of_tests(module(text), {"cart_of"}) == [
        "BOX = 3",
        "class Pen:\n    size = BOX",
        "def cart_of(count):\n    return Cart(Pen.size * count)",
    ]
    assert helpers_of_tests(module("no Python"), {"cart_of"}) == []


def test_what_the_program_defines_is_no_helper_of_its_examples() -> None:
    """A docstring's examples stand in the very file of the program."""
    both = module(
        "def total(xs):\n    return half(xs)\ndef half(xs):\n    return xs\ndef made():\n    return total([1])\n"
    )
    helpers = helpers_of_tests(both, {"made", "total"}, {"total", "half"})
    assert helpers == ["def made():\n    return total([1])"]
