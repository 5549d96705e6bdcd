"""What the text alone makes suspicious."""

from __future__ import annotations

from textwrap import dedent

import pytest

from regreen.localise.hints import hints
from regreen.syntax import parse

SUSPICIOUS = {
    "unused parameter": ("def f(a, b):\n    return a", (1, 2), "the parameter b is never used"),
    "unused keyword": ("def f(a, *, key):\n    return a", (1, 2), "the parameter key is never used"),
    "unread variable": ("def f(a):\n    b = a\n    return a", (2, 2), "b is assigned here and never read"),
    "unread loop variable": ("def f(a):\n    for i in a:\n        a = 1\n    return a", (2, 2), "i is assigned"),
    "undefined name": ("def f(a):\n    return a + other", (2, 2), "nothing defines the name other"),
    "undefined at import": ("x = math.pi", (1, 1), "nothing defines the name math"),
    "unreachable": ("def f(a):\n    return a\n    a = 1", (2, 2), "can never run"),
    "falls off": ("def f(a):\n    if a:\n        return 1", (2, 2), "can end here without returning"),
    "for without return": ("def f(a):\n    for x in a:\n        return x", (2, 2), "can end here"),
    "thrown away": ("def f(a):\n    a + 1\n    return a", (2, 2), "thrown away"),
    "shared default": ("def f(a=[]):\n    return a", (1, 1), "all calls share"),
    "compared with itself": ("def f(a):\n    return a.x == a.x", (2, 2), "compared with itself"),
    "assigned to itself": ("def f(a):\n    a = a\n    return a", (2, 2), "assigned to itself"),
}

INNOCENT = {
    "method": "class A:\n    def f(self, a):\n        return a",
    "interface": "def f(a):\n    '''Later.'''\n    raise NotImplementedError",
    "underscore": "def f(a):\n    for _ in a:\n        print(1)",
    "closure": "def f(a):\n    b = 1\n    def g():\n        return a + b\n    return g",
    "global": "n = 0\ndef f():\n    global n\n    n = 1",
    "global only set in a function": "def f():\n    global n\n    n = 1\ndef g():\n    return n",
    "locals": "def f(a, b):\n    return locals()",
    "star import": "from math import *\ndef f(a):\n    return sqrt(a)",
    "generator": "def f(a):\n    yield a",
    "endless loop": "def f(a):\n    while True:\n        if a:\n            return 1",
    "both branches": "def f(a):\n    if a:\n        return 1\n    else:\n        return 2",
    "try and except": "def f(a):\n    try:\n        return a()\n    except ValueError:\n        return 1",
    "exhaustive match": "def f(a):\n    match a:\n        case 1: return 1\n        case _: return a",
    "with": "def f(a):\n    with a:\n        return 1",
    "calls may differ": "def f(a):\n    return a()[0] == a()[0]",
    "comprehension": "def f(a):\n    return [x for x in a]",
    "class scope": "class A:\n    x = 1\n    y = x",
    "dunder names": "print(__name__, __file__)",
    "except as": "try:\n    pass\nexcept ValueError as e:\n    print(e)",
}


@pytest.mark.parametrize("what", SUSPICIOUS)
def test_a_known_smell_is_noticed_where_it_is(what: str) -> None:
    """Each detector names its lines and says in words what it saw."""
    source, lines, reason = SUSPICIOUS[what]
    found = hints(parse(source), source)
    assert any((h.first_line, h.last_line) == lines and reason in h.reason for h in found), found


@pytest.mark.parametrize("what", INNOCENT)
def test_ordinary_code_raises_no_hint(what: str) -> None:
    """Hints would be noise if they met every program."""
    assert hints(parse(INNOCENT[what]), INNOCENT[what]) == ()


def test_hints_come_in_the_order_of_their_lines_with_weights_in_bounds() -> None:
    """The answer is a deterministic, sorted tuple."""
    source = dedent("\n".join(source for source, _, _ in SUSPICIOUS.values()))
    found = hints(parse(source), source)
    assert found == tuple(sorted(found, key=lambda h: (h.first_line, h.last_line, -h.weight, h.reason)))
    assert all(0 < hint.weight <= 1 for hint in found)


def test_a_function_of_any_name_has_its_own_variables() -> None:
    """The standard library's tables take one named `top` for the module itself."""
    source = "def top(xs):\n    counts = {x: 1 for x in xs}\n    return sorted(counts)\n"
    assert hints(parse(source), source) == ()
    assert [hint.reason for hint in hints(parse(f"{source}y = z\n"), f"{source}y = z\n")] == [
        "nothing defines the name z"
    ]


def test_a_name_is_missing_where_nothing_binds_it_and_only_there() -> None:
    """What one function lacks another may have as its parameter."""
    source = "def f(a):\n    return a\n\ndef g():\n    return [b for b in a]\n"
    assert [(hint.first_line, hint.reason) for hint in hints(parse(source), source)] == [
        (5, "nothing defines the name a")
    ]
