"""Numbers beside texts and collections, methods of another kind, constants that change."""

from __future__ import annotations

import pytest

from regreen.select.signs.unlike_kinds import changed_constants, foreign_methods, unlike_comparisons


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
    assert foreign_methods("def f(:") == changed_constants("def f(:") == 0


@pytest.mark.parametrize(
    ("begun", "call", "foreign"),
    [
        ("set(items)", "append(x)", 1),
        ("{}", "add(x)", 1),
        ("[]", "get(x)", 1),
        ("set(items)", "add(x)", 0),
        ("[]", "append(x)", 0),
        ("items", "append(x)", 0),
        ("set(items)", "own(x)", 0),
        ("f'{items}'", "append(x)", 1),
    ],
)
def test_a_method_of_another_kind_is_odd(begun: str, call: str, foreign: int) -> None:
    """Only where all that an attribute is ever set to is of a kind that does not have it."""
    made = f"class A:\n    def __init__(self, items):\n        self.items = {begun}\n"
    used = f"\n    def put(self, x):\n        self.items.{call}\n"
    assert foreign_methods(made + used) == foreign
    assert foreign_methods(f"{made}{used}\n    def reset(self, items):\n        self.items = items\n") == 0


@pytest.mark.parametrize(
    ("step", "changed"),
    [
        ("return WAYS.pop(x)", 1),
        ("WAYS[x] = 1", 1),
        ("del WAYS[x]", 1),
        ("return WAYS[x]", 0),
        ("return WAYS.get(x)", 0),
        ("ways.pop(x)", 0),
        ("return T.pop(x)", 0),
    ],
)
def test_a_constant_that_is_changed_is_odd(step: str, changed: int) -> None:
    """By a method, or an entry that is set or taken out."""
    assert changed_constants(f"WAYS = {{}}\n\ndef f(x, ways):\n    {step}\n") == changed
