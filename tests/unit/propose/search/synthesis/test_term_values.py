"""The values of small expressions are Python's, and nothing of a program is run for them."""

from __future__ import annotations

import ast

import pytest

from regreen.propose.search.synthesis.term_values import UnknownValue, value_of

NAMES = {"n": 4, "xs": [3, 1, 2], "t": "aB", "d": {"k": 7}, "self.n": 5}


def value(text: str) -> object:
    """The value of a text with these names."""
    return value_of(ast.parse(text, mode="eval").body, NAMES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n // 2 + xs[-1]", 4),
        ("sorted(xs)[1:]", [2, 3]),
        ("t.lower() == 'ab' and not n % 2", True),
        ("1 < n <= 4", True),
        ("xs if n > 9 else (n, -n)", (4, -4)),
        ("d.get('k') + d['k'] + self.n", 19),
        ("math.sqrt(n) + max(xs)", 5.0),
        ("n is None or 'a' in t", True),
    ],
)
def test_plain_expressions_have_the_value_that_python_gives_them(text: str, expected: object) -> None:
    """Operators, indices, slices, comparisons, words, choices, and the functions of the tables."""
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** 9",
        "t * 10 ** 9",
        "'%9999999d' % n",
        "round(9, -(10 ** 12))",
        "round(9.5, 10 ** 12)",
        "open('x')",
        "t.__class__",
        "t.format(n)",
        "[x for x in xs]",
        "print(n)",
        "xs[9]",
        "n / 0",
        "unknown",
        "xs.append(1)",
        "t.nothing()",
        "sorted(xs, key=len)",
        "(-8) ** 0.5",
    ],
)
def test_what_is_large_unknown_or_not_plain_has_no_value(text: str) -> None:
    """It is said so, whatever it would do in Python: files, endless powers, attributes of classes."""
    with pytest.raises(UnknownValue):
        value(text)
