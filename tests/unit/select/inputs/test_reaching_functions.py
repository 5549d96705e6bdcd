"""In which functions may a change show?"""

from __future__ import annotations

import pytest

from regreen.select.inputs.reaching_functions import reaching_functions

PROGRAM = """
class Span:
    def __init__(self, first, last):
        self.first = first
        self.last = last

    def __len__(self):
        return self.last - self.first

    @property
    def middle(self):
        return (self.first + self.last) / 2

    def halves(self):
        return Span(self.first, self.middle), Span(self.middle, self.last)


def merged(one, other):
    return Span(one.first, other.last)


def report(spans):
    def line(span):
        return merged(span, span)

    return [line(span) for span in spans]


def unrelated():
    return 0
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("return 0", {"unrelated"}),
        ("/ 2", {"middle", "halves"}),
        ("one.first", {"merged", "line", "report"}),
        ("self.last - self.first", {"Span", "halves", "merged", "line", "report"}),
    ],
)
def test_a_change_may_show_where_its_function_is_used(text: str, names: set[str]) -> None:
    """In callers, and theirs; a property is used where it is read, and what an operator calls is named by its class."""
    line = next(n for n, each in enumerate(PROGRAM.splitlines(), 1) if text in each)
    assert reaching_functions(PROGRAM, {line}) == names


@pytest.mark.parametrize(("source", "lines"), [(PROGRAM, set()), (PROGRAM, {1}), ("def f(:", {1})])
def test_what_is_in_no_function_is_named_by_none(source: str, lines: set[int]) -> None:
    """Nor is what does not parse."""
    assert reaching_functions(source, lines) == frozenset()
