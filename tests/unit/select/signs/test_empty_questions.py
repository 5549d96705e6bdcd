"""Questions of what was made empty a moment ago."""

from __future__ import annotations

import pytest

from regreen.select.signs.empty_questions import questions_of_nothing


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("boxes[b] = set()\nif d in boxes[b]:\n    stop()\n", 1),
        ("seen = []\nx = 1\nif x not in seen:\n    stop()\n", 1),
        ("seen = {}\nis_known = x in seen\n", 1),
        ("seen = set()\nseen.add(x)\nif x in seen:\n    stop()\n", 0),
        ("seen = set()\nfor x in xs:\n    if x in seen:\n        stop()\n", 0),
        ("seen = set()\nfill(seen)\nif x in seen:\n    stop()\n", 0),
        ("seen = set()\nkept = [x for x in xs if not (x in seen or seen.add(x))]\n", 0),
        ("seen = set()\nask = lambda x: x in seen\n", 0),
        ("seen = {1}\nif x in seen:\n    stop()\n", 0),
        ("def f(:\n", 0),
    ],
)
def test_a_collection_that_was_just_made_is_not_asked_what_is_in_it(body: str, count: int) -> None:
    """Nothing is; what puts something in, or asks later and for each item, is another matter."""
    assert questions_of_nothing(body) == count
