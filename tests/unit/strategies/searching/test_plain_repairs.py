"""Which slips are undone at once?"""

from __future__ import annotations

from regreen.propose.search.mutation import splice_edits
from regreen.strategies.searching.plain_repairs import without_slips


def test_what_is_plain_only_then_is_undone_as_well() -> None:
    """That `n` is a number shows once `xs.length` is `len(xs)`."""
    source = "def f(xs):\n    n = xs.length\n    for i in n:\n        yield i\n"
    found = without_slips(source)
    assert found is not None
    assert splice_edits(source, found.edits) == source.replace("xs.length", "len(xs)").replace("in n", "in range(n)")


def test_a_program_without_any_is_left_alone() -> None:
    """There is no such mutation."""
    assert without_slips("def f(xs):\n    return len(xs)\n") is None
