"""Small projects whose red tests look wrong, and honest ones that are as like to them as can be.

Each is a module called by its name, and its tests, which import it; tests that are wrong are called `test_wrong...`.
"""

from __future__ import annotations

WRONG: dict[str, tuple[str, str]] = {
    "other_answer": (
        "def double(n):\n    return n * 2\n",
        "def test_two():\n    assert double(2) == 4\n\ndef test_wrong():\n    assert double(2) == 5\n",
    ),
    "same_row_twice": (
        "def grade(points):\n    return 'a' if points > 90 else 'b'\n",
        "@pytest.mark.parametrize('points, expected', [(95, 'a'), (50, 'b')])\n"
        "def test_rows(points, expected):\n    assert grade(points) == expected\n\n"
        "@pytest.mark.parametrize('points, expected', [(50, 'c')])\n"
        "def test_wrong_rows(points, expected):\n    assert grade(points) == expected\n",
    ),
    "unittest_methods": (
        "def area(w, h):\n    return w * h\n",
        "class TestArea(unittest.TestCase):\n    def test_area(self):\n        self.assertEqual(area(2, 3), 6)\n\n"
        "    def test_wrong(self):\n        self.assertEqual(7, area(2, 3))\n",
    ),
    "raises_and_answers": (
        "def root(n):\n    if n < 0:\n        raise ValueError(n)\n    return n ** 0.5\n",
        "def test_negative():\n    with pytest.raises(ValueError):\n        root(-1)\n\n"
        "def test_wrong():\n    assert root(-1) == 0\n",
    ),
    "raises_after_answer": (
        "def ratio(a, b):\n    return a / b if b else 0\n",
        "def test_zero():\n    assert ratio(1, 0) == 0\n\n"
        "def test_wrong():\n    with pytest.raises(ZeroDivisionError):\n        ratio(1, 0)\n",
    ),
    "true_and_false": (
        "def is_even(n):\n    return n % 2 == 0\n",
        "def test_even():\n    assert is_even(0)\n\ndef test_wrong():\n    assert not is_even(0)\n",
    ),
    "none_and_value": (
        "def first(items):\n    return items[0] if items else None\n",
        "def test_none():\n    assert first([]) is None\n\ndef test_wrong():\n    assert first([]) == 0\n",
    ),
    "bounds": (
        "def clamp(n):\n    return max(0, min(n, 10))\n",
        "def test_high():\n    assert clamp(50) <= 10\n\ndef test_wrong():\n    assert clamp(50) > 10\n",
    ),
    "approximately": (
        "def mean(xs):\n    return sum(xs) / len(xs)\n",
        "def test_mean():\n    assert mean([1, 2]) == pytest.approx(1.5)\n\n"
        "def test_wrong():\n    assert mean([1, 2]) == pytest.approx(1.6)\n",
    ),
    "through_a_local": (
        "def shout(text):\n    return text.upper() + '!'\n",
        "def test_shout():\n    text = 'hi'\n    result = shout(text)\n    assert result == 'HI!'\n\n"
        "def test_wrong():\n    assert shout('hi') == 'HI'\n",
    ),
    "methods_of_fresh_objects": (
        "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
        "    def area(self):\n        return self.w * self.h\n",
        "def test_area():\n    assert Box(2, 3).area() == 6\n\ndef test_wrong():\n    assert Box(2, 3).area() == 5\n",
    ),
    "with_a_table": (
        "CODES = {'de': 49, 'fr': 33}\n\n\ndef code(country):\n    return CODES.get(country, 0)\n",
        "def test_known():\n    assert code('de') == 49\n\ndef test_wrong():\n    assert code('de') == 43\n",
    ),
    "constants_alone": (
        "def add(a, b):\n    return a + b\n",
        "def test_add():\n    assert add(1, 2) == 3\n\ndef test_wrong():\n    assert 0.1 + 0.2 == 0.3\n",
    ),
    "expected_computed_wrongly": (
        "def total(xs):\n    return sum(xs)\n",
        "def test_total():\n    assert total([1, 2]) == 3\n\n"
        "def test_wrong():\n    expected = [2, 4]\n    expected.sort(reverse=True)\n    assert expected == [2, 4]\n",
    ),
    "never_written": (
        "def half(n):\n    return n / 2\n",
        "def test_half():\n    assert half(4) == 2\n\ndef test_wrong():\n    half(2)\n    assert False, 'later'\n",
    ),
    "fails_on_purpose": (
        "def third(n):\n    return n / 3\n",
        "def test_third():\n    assert third(6) == 2\n\ndef test_wrong():\n    third(3)\n    pytest.fail('later')\n",
    ),
    "misspelt_name": (
        "def count(items):\n    return len(items)\n",
        "def test_count():\n    assert count([]) == 0\n\n"
        "def test_wrong():\n    items = [1]\n    assert count(itms) == 1\n",
    ),
    "no_such_assertion": (
        "def negate(n):\n    return -n\n",
        "class TestNegate(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(negate(1), -1)\n\n"
        "    def test_wrong(self):\n        self.assertIsEqual(negate(2), -2)\n",
    ),
    "is_a_new_list": (
        "def evens(n):\n    return [k for k in range(n) if k % 2 == 0]\n",
        "def test_evens():\n    assert evens(3) == [0, 2]\n\ndef test_wrong():\n    assert evens(3) is [0, 2]\n",
    ),
    "equals_nan": (
        "def undefined():\n    return float('nan')\n",
        "def test_it():\n    assert undefined() != 1\n\ndef test_wrong():\n    assert undefined() == float('nan')\n",
    ),
    "length_below_zero": (
        "def rest(items):\n    return items[1:]\n",
        "def test_rest():\n    assert rest([1]) == []\n\ndef test_wrong():\n    assert len(rest([])) == -1\n",
    ),
    "both_red": (
        "def square(n):\n    return n\n",
        "def test_one():\n    assert square(1) == 1\n\ndef test_wrong_a():\n    assert square(3) == 9\n\n"
        "def test_wrong_b():\n    assert square(3) == 8\n",
    ),
    "rows_alone": (
        "def name(number):\n    return {1: 'one', 2: 'two'}[number]\n",
        "def test_one():\n    assert name(1) == 'one'\n\n"
        "@pytest.mark.parametrize('a, b', [(1, 2)])\ndef test_wrong(a, b):\n    assert a + 1 == b + 1\n",
    ),
    "constant_of_the_tests": (
        "def tax(n):\n    return n // 5\n",
        "RATE = 20\n\ndef test_tax():\n    assert tax(10) == 2\n\ndef test_wrong():\n    assert RATE == 19\n",
    ),
}
"""Each with at least one test that no program could pass together with the green ones, or at all."""

HONEST: dict[str, tuple[str, str]] = {
    "counter": (
        "_seen = []\n\ndef next_id(kind):\n    return 1\n",
        "def test_ids():\n    assert next_id('a') == 1\n    assert next_id('a') == 2\n",
    ),
    "counter_over_tests": (
        "_ids = {}\n\ndef next_id(kind):\n    _ids[kind] = _ids.get(kind, 0)\n    return _ids[kind] + 1\n",
        "def test_first():\n    assert next_id('a') == 1\n\ndef test_second():\n    assert next_id('a') == 2\n",
    ),
    "limiter": (
        "def allow(user):\n    return True\n",
        "def test_limit():\n    assert allow('bob') is True\n    assert allow('bob') is False\n",
    ),
    "registry": (
        "def register(name, value):\n    pass\n\ndef lookup(name):\n    return None\n",
        "def test_a_none():\n    assert lookup('x') is None\n\n"
        "def test_b_known():\n    register('x', 1)\n    assert lookup('x') == 1\n",
    ),
    "environment": (
        "import os\n\ndef level():\n    return int(os.environ.get('LEVEL_OF_HONEST', '1'))\n\n"
        "def described(n):\n    return level() * n\n",
        "def test_default():\n    assert described(2) == 2\n\n"
        "def test_set(monkeypatch):\n    monkeypatch.setenv('LEVEL_OF_HONEST', '3')\n    assert described(2) == 5\n",
    ),
    "patched": (
        "def rate():\n    return 1\n\ndef due(n):\n    return n * rate() + 1\n",
        "from unittest.mock import patch\nimport patched\n\ndef test_plain():\n    assert due(2) == 3\n\n"
        "@patch('patched.rate', return_value=2)\ndef test_more(rate):\n    assert due(2) == 4\n",
    ),
    "set_up": (
        "STATE = {'on': False}\n\ndef is_on(name):\n    return STATE['on']\n",
        "class TestOn(unittest.TestCase):\n    def setUp(self):\n        STATE['on'] = True\n\n"
        "    def test_on(self):\n        self.assertFalse(is_on('x'))\n\n"
        "def test_off():\n    assert is_on('x') is False\n",
    ),
    "missing_error": (
        "def parse(text):\n    return int(text or 0)\n",
        "def test_one():\n    assert parse('1') == 1\n\n"
        "def test_empty():\n    try:\n        parse('')\n    except ValueError:\n        return\n"
        "    assert False, 'no error'\n",
    ),
    "fail_in_else": (
        "def check(n):\n    return n\n",
        "def test_one():\n    assert check(1) == 1\n\n"
        "def test_negative():\n    try:\n        check(-1)\n    except ValueError:\n        pass\n"
        "    else:\n        pytest.fail('no error')\n",
    ),
    "name_in_a_message": (
        "def twice(n):\n    return n + 2\n",
        "def test_two():\n    assert twice(2) == 4\n\ndef test_three():\n    assert twice(3) == 6, f'got {reslt}'\n",
    ),
    "name_after_or": (
        "def ready(n):\n    return n > 1\n",
        "def test_two():\n    assert ready(2)\n\ndef test_one():\n    assert ready(1) or undefined_here\n",
    ),
    "list_sorted_in_place": (
        "def order(items):\n    items.sort(reverse=True)\n",
        "def test_none():\n    assert order([]) is None\n\n"
        "def test_order():\n    items = [2, 1]\n    order(items)\n    assert items == [1, 2]\n",
    ),
    "float_and_int": (
        "def share(a, b):\n    return a // b\n",
        "def test_whole():\n    assert share(4, 2) == 2\n\ndef test_half():\n    assert share(1, 2) == 0.5\n",
    ),
    "true_is_one": (
        "def flag(n):\n    return n > 1\n",
        "def test_flag():\n    assert flag(2) == 1\n\ndef test_is():\n    assert flag(1) is True\n",
    ),
    "near_and_exact": (
        "def third(n):\n    return n * 0.3\n",
        "def test_zero():\n    assert third(0) == 0\n\ndef test_one():\n    assert third(1) == pytest.approx(1 / 3)\n\n"
        "def test_three():\n    assert third(3) > 0.95\n",
    ),
    "bounds_that_meet": (
        "def clip(n):\n    return min(n, 9)\n",
        "def test_low():\n    assert clip(50) >= 9\n\ndef test_high():\n    assert clip(50) == 10\n",
    ),
    "other_arguments": (
        "def power(a, b=2):\n    return a * b\n",
        "def test_two():\n    assert power(2) == 4\n\ndef test_three():\n    assert power(3) == 9\n",
    ),
    "rows": (
        "def roman(n):\n    return {1: 'I', 5: 'V'}.get(n, 'I' * n)\n",
        "@pytest.mark.parametrize('n, expected', [(1, 'I'), (2, 'II'), (4, 'IV')])\n"
        "def test_rows(n, expected):\n    assert roman(n) == expected\n",
    ),
    "fixture_by_two_names": (
        "def price(cart):\n    return sum(cart)\n",
        "@pytest.fixture\ndef cart():\n    return [1, 2]\n\ndef test_cart(cart):\n    assert price(cart) == 3\n\n"
        "class TestOther:\n    @pytest.fixture\n    def cart(self):\n        return [5]\n\n"
        "    def test_cart(self, cart):\n        assert price(cart) == 6\n",
    ),
    "objects_that_change": (
        "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, x):\n"
        "        self.items.append(x)\n        return self\n\n    def size(self):\n        return 0\n",
        "def test_empty():\n    assert Stack().size() == 0\n\n"
        "def test_one():\n    assert Stack().push(1).size() == 1\n",
    ),
    "shared_default": (
        "def collect(x, into=[]):\n    into.append(x)\n    return into\n",
        "def test_a():\n    assert collect(1) == [1]\n\ndef test_b():\n    assert collect(1) == [1]\n\n"
        "def test_c():\n    assert len(collect(2)) == 1\n",
    ),
    "from_a_star": (
        "def helper(n):\n    return n + 1\n\n__all__ = ['helper']\n",
        "from from_a_star import *\n\ndef test_one():\n    assert helper(1) == 2\n\n"
        "def test_other():\n    assert missing_helper(1) == 2\n",
    ),
    "generator_run_twice": (
        "def numbers(n):\n    return iter(range(n))\n",
        "def test_list():\n    assert list(numbers(2)) == [0, 1]\n\n"
        "def test_again():\n    it = numbers(2)\n    assert list(it) == [0, 1]\n    assert list(it) == [0, 1]\n",
    ),
    "clock": (
        "from datetime import date\n\ndef age(year):\n    return date.today().year - year + 1\n",
        "from datetime import date\n\ndef test_age():\n    assert age(date.today().year) == 0\n\n"
        "def test_type():\n    assert isinstance(age(2000), int)\n",
    ),
    "conditional_assert": (
        "def platform():\n    return 'new'\n",
        "def test_name():\n    assert platform() == 'new'\n\n"
        "def test_old():\n    if platform() == 'new':\n        assert 1 == 2\n",
    ),
    "order_of_raises": (
        "def load(name):\n    raise KeyError(name)\n",
        "def test_key():\n    with pytest.raises(LookupError):\n        load('x')\n\n"
        "def test_value():\n    with pytest.raises(FileNotFoundError):\n        load('y')\n",
    ),
    "constant_of_the_program": (
        "LIMIT = 9\n\ndef is_full(n):\n    return n >= LIMIT\n",
        "import constant_of_the_program\n\ndef test_limit():\n    assert constant_of_the_program.LIMIT == 10\n\n"
        "def test_full():\n    assert is_full(10)\n",
    ),
}
"""Each with at least one red test that some program passes, together with all others."""


def files_of(projects: dict[str, tuple[str, str]]) -> dict[str, str]:
    """The files of all of them, as one project in which each has a folder: path -> text."""
    files = {"pytest.ini": "[pytest]\n"}
    for name, (program, tests) in projects.items():
        public = [line.split()[1].partition("(")[0].rstrip(":") for line in program.splitlines() if _is_public(line)]
        files[f"{name}/{name}.py"] = program
        imported = ", ".join(_constants(program) + public)
        files[f"{name}/test_{name}.py"] = (
            f"import unittest\n\nimport pytest\n\nfrom {name} import {imported}\n\n{tests}"
        )
    return files


def _is_public(line: str) -> bool:
    return line.startswith(("def ", "class "))


def _constants(program: str) -> list[str]:
    names = [line.partition(" = ")[0] for line in program.splitlines() if " = " in line and line[:1].isalpha()]
    return [name for name in names if name.isupper()]
