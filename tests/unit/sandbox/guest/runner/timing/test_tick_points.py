"""Ticks written into a text count as those put into its tree."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from types import CodeType
from typing import Any

import pytest

from regreen.sandbox.guest.runner.program_loading.incremental_compile import IncrementalCompiler
from regreen.sandbox.guest.runner.timing.tick_points import tick_points, with_ticks
from regreen.sandbox.guest.runner.timing.ticks import TICK, Ticks, add_ticks


@pytest.fixture(autouse=True)
def _no_builtin_is_left() -> Iterator[None]:
    yield
    vars(builtins).pop(TICK, None)


def run(code: CodeType) -> tuple[dict[str, str], int]:
    """What the code binds, and the ticks that it takes."""
    names: dict[str, Any] = {}
    ticks = Ticks(5_000)
    exec(code, names)
    return {name: repr(value) for name, value in names.items() if type(value) in (int, str, list, tuple)}, ticks.used


def through_tree(text: str) -> CodeType:
    """The code of a text whose tree was given ticks."""
    return compile(add_ticks(ast.parse(text), text), "<p>", "exec", dont_inherit=True)


TEXTS = {
    "a simple statement first": "def f(n):\n    while n:\n        n -= 1\n    return n\na = f(5)\n",
    "a loop in one line": "a = 0\nfor x in range(4): a += x; a *= 2\n",
    "a branch first": "a = []\nfor x in range(4):\n    if x % 2:\n        a.append(x)\n",
    "a loop first": "a = 0\nfor x in range(3):\n\tfor y in range(3):\n\t\ta += 1\n",
    "a decorated function first": "for x in range(2):\n    @staticmethod\n    def f():\n        pass\na = x\n",
    "a comment before": "for x in range(2):\n    # ü: why\n    if x:  # €\n        a = x\n",
    "a docstring": 'def f():\n    "döc"\n    return 3\na = f()\n',
    "nothing but a docstring": 'def f():\n    """döc\n    more"""\nf()\na = f.__doc__\n',
    "a docstring and a branch": 'def f(x):\n    """doc"""\n    if x:\n        return 1\n    return 2\na = f(0), f(1)\n',
    "comprehensions": "a = [x for y in ([1, 2], [3]) for x in (y) if x > 1]\nb = sum(x for x in range(4))\n",
    "a bracketed iterable": "a = [x for x in ( (1, 2) )]\nb = [y for y in (\n    [1] + [2]\n) if y]\n",
    "lambdas": 'a = sorted([3, 1], key=lambda x: (x, "€"))\nb = (lambda: 1 or 2)()\nc = (lambda x: lambda: x)(4)()\n',
    "a generator function": "def f():\n    yield 1\n    yield 2\na = list(f())\n",
    "a class": "class A:\n    def f(self):\n        with open('/dev/null') as g:\n            return 1\na = A().f()\n",
    "try and match": "a = 0\nwhile a < 3:\n    try:\n        a += 1\n    finally:\n        pass\n"
    "for x in [1]:\n    match x:\n        case 1:\n            b = 2\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_with_ticks_does_and_counts_what_its_tree_does(name: str) -> None:
    """Wherever the first statement, the docstring or the brackets stand."""
    text = TEXTS[name]
    points = tick_points(text)
    assert points is not None
    written = with_ticks(text, (), 0, points)
    assert written is not None
    assert run(compile(written, "<p>", "exec", dont_inherit=True)) == run(through_tree(text))


EDITS = {
    "another operator": ("def f(n):\n    while n:\n        n -= 1\n    return n\na = f(5)\n", "return n", "return -n"),
    "a guard before the first statement": ("for x in [1, 2]:\n    a = x\n", "a = x", "if x > 1:\n        a = x"),
    "a statement before the first one": ("for x in [1, 2]:\n    a = x\n", "a = x", "b = x\n    a = x"),
    "the first statement gone": ("for x in [1, 2]:\n    b = x\n    a = x\n", "b = x\n    ", ""),
    "a deeper first statement": ("for x in [0, 2]:\n    a = x\n", ":\n    a", ":\n   if x:\n    a"),
    "a branch that becomes a loop": ("n = 3\nif n:\n    n -= 1\n", "if", "while"),
    "an iterable that grows": ("a = [x for x in [1, 2] if x]\n", "[1, 2]", "[1, 2][1:]"),
    "a filter that goes": ("a = [x for x in [0, 2] if x]\n", " if x", ""),
    "the body of a lambda": ("a = (lambda x: x)(3)\n", "x)(", "x or 1)("),
    "what follows a lambda": ("a = len([lambda x: x])\n", "x])", "x, 2])"),
    "a loop that goes": ("a = 1\nfor x in [1]:\n    a = 2\n", "for x in [1]:\n    a = 2", "a = 3"),
    "an iterable that is another one": ("a = [x for x in [1, 2] if x]\n", "[1, 2]", "(3, 4, 5)"),
    "a comprehension that goes": ("b = [4]\na = sum([x for x in b])\n", "[x for x in b]", "b"),
    "a loop that goes with its lines": ("a = 1\nfor x in [1]:\n    a = 2\nb = 3\n", "for x in [1]:\n    a = 2\n", ""),
    "a filter before the first one": ("a = [x for x in [0, 2]]\n", "]]", "] if x]"),
    "a loop's head that goes": ("x = 1\nwhile x:\n    x -= 1\n", "while x:\n    ", ""),
    "a docstring that goes": ('def f():\n    "doc"\n    return 1\na = f()\n', '"doc"\n    ', ""),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_changed_text_does_and_counts_what_its_tree_does(name: str) -> None:
    """Near the ticks, too, and where a change brings a loop or makes one of something else."""
    text, old, new = EDITS[name]
    start = text.index(old)
    codes = IncrementalCompiler(text, "<p>").edited([(start, start + len(old), new)])
    changed = text[:start] + new + text[start + len(old) :]
    names: dict[str, Any] = {}
    ticks = Ticks(5_000)
    for code in codes:
        exec(code, names)
    shown = {name: repr(value) for name, value in names.items() if type(value) in (int, str, list, tuple)}
    assert (shown, ticks.used) == run(through_tree(changed))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("a = [x for x in [1, 2] if x]\n", "[1, 2]", "(3, 4)"),
        ("a = sum([x for x in b])\n", "[x for x in b]", "b"),
        ("for x in y:\n    b = 1\n    for z in x:\n        a = z\n", "    for z in x:\n        a = z\n", ""),
        ("a = sorted(b, key=lambda x: -x)\n", "lambda x: -x", "abs"),
    ],
)
def test_what_goes_takes_its_tick_along(text: str, old: str, new: str) -> None:
    """The others are written all the same: a tree takes twice as long."""
    start, points = text.index(old), tick_points(text)
    assert points is not None
    written = with_ticks(text, [(start, start + len(old), new)], 0, points)
    assert written is not None
    changed = text.replace(old, new)
    assert ast.unparse(ast.parse(written)) == ast.unparse(add_ticks(ast.parse(changed), changed))


@pytest.mark.parametrize(
    "text",
    [
        "import traceback\nfor x in [1]:\n    if x:\n        pass\n",
        "def f():\n    return sys._getframe().f_lineno\n",
        'a = f"{[x for x in y]}"\n',
    ],
)
def test_where_lines_or_columns_would_lie_the_tree_is_taken(text: str) -> None:
    """A tick before a compound statement moves the lines behind it."""
    assert tick_points(text) is None


def test_the_change_of_a_loop_is_left_to_the_tree() -> None:
    """What brings a loop may bring one without an end."""
    text = "for x in y:\n    a = x\n"
    points = tick_points(text)
    assert points is not None
    assert with_ticks(text, [(16, 21, "while 1: pass")], 0, points) is None
    assert with_ticks(text, [(5, 20, "x in y:\n    b")], 0, points) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("for x in xs:\n    if x:\n        a = x\n", ":\n    if", ":#    if"),
        ("for x in xs:  # each\n    if x:\n        a = x\n", "\n    if", "    if"),
        ("for x in xs:\n    if x:\n        a = 'it'\n", ":\n    if", ":'    if"),
    ],
    ids=["a new comment", "an old comment", "a text that is not ended"],
)
def test_no_tick_brings_back_what_a_change_makes_a_comment_of(text: str, old: str, new: str) -> None:
    """One that takes a line of its own would."""
    start = text.index(old)
    points = tick_points(text)
    assert points
    assert with_ticks(text, [(start, start + len(old) - 2, new[:-2])], 0, points) is None
