"""Numbers beside texts and collections."""

from __future__ import annotations

import pytest

from regreen.select.signs.unlike_kinds import unlike_comparisons


@pytest.mark.parametrize(
    ("body", "unlike"),
    [
        ("counts = {}\n    return counts == 2", 1),
        ("counts = Counter(x)\n    return counts < 2 and counts[0] > 3", 1),
        ("return x == 6 and x.isdigit()", 1),
        ("return 6 != x and x.isdigit()", 1),
        ("return len(x) == 6 and x.isdigit()", 0),
        ("return x == '6' and x.isdigit()", 0),
        ("return 6 in x and x.append(7)", 0),
        ("counts = {}\n    counts = len(x)\n    return counts == 2", 0),
        ("counts = []\n    for counts in x:\n        yield counts == 2", 0),
        ("counts, n = [], 3\n    return counts == 2", 0),
        ("return x == True and x.isdigit()", 0),
    ],
)
def test_a_number_beside_what_is_no_number_is_odd(body: str, unlike: int) -> None:
    """Only where the name holds a text or a collection at all times."""
    assert unlike_comparisons(f"def f(x):\n    {body}\n") == unlike


@pytest.mark.parametrize(("annotation", "unlike"), [("str", 1), ("list[int]", 1), ("int", 0), ("'int | str'", 0)])
def test_annotations_tell(annotation: str, unlike: int) -> None:
    """An annotation that is no text and no collection says that it may be a number."""
    assert unlike_comparisons(f"def f(x: {annotation}):\n    return x == 6\n") == unlike


def test_what_does_not_parse_has_none() -> None:
    """A repair of it is judged otherwise."""
    assert unlike_comparisons("def f(:") == 0
