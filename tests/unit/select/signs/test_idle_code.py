"""Which code does nothing any more?"""

from __future__ import annotations

import pytest

from regreen.select.signs.idle_code import (
    count_unread_imports,
    count_unused,
    emptied_blocks,
    idle_operations,
    lost_attributes,
    lost_calls,
    sorted_by_others,
    stopped_recursion,
)

BEFORE = """
class Robber:
    def best(self, money):
        return max(_line(money[1:]), _line(money[:-1]))

    def _line(self, money):
        return sum(money)
"""


def test_a_function_that_was_meant_to_be_called_is_missed() -> None:
    """However it was called: by its bare name, or as a method."""
    whole = "max(_line(money[1:]), _line(money[:-1]))"
    assert lost_calls(BEFORE, BEFORE.replace(whole, "len(money)")) == 1
    assert lost_calls(BEFORE, BEFORE.replace("_line(money[", "self._line(money[")) == 0
    assert lost_calls(BEFORE, BEFORE.replace(whole, "_line(money)")) == 0


def test_what_was_never_mentioned_or_is_taken_away_is_not_missed() -> None:
    """Nor is anything of a text that is no program."""
    assert lost_calls(BEFORE.replace("_line(money[", "len(money["), BEFORE.replace("_line(money[", "sum(money[")) == 0
    assert lost_calls(BEFORE, BEFORE.replace("def _line", "def line").replace("_line(money[", "line(money[")) == 0
    assert lost_calls(BEFORE, BEFORE.replace("class", "class (")) == 0


def test_a_method_for_the_users_of_an_object_is_not_missed() -> None:
    """Its name begins with no underscore."""
    own, other = "self.count_prefix(word)", "self.count(word)"
    program = (
        "class Trie:\n    def drop(self, word):\n        return {}\n"
        "    def count(self, word): ...\n    def {}(self, word): ...\n"
    )
    given = program.format(own, "count_prefix")
    assert lost_calls(given, given.replace(own, other)) == 0
    private = given.replace("count_prefix", "_count_prefix")
    assert lost_calls(private, private.replace("self._count_prefix(word)", other)) == 1


RING = """
class Ring:
    size: int

    def __init__(self, size):
        self.size, self.values = size, []

    def add(self, value):
        if len(self.values) >= self.size:
            del self.values[0]
        self.values.append(value)
"""


@pytest.mark.parametrize(
    ("changed", "lost"),
    [
        (RING.replace("len(self.values) >= self.size", "value == 1"), 1),
        (RING.replace(">= self.size", "> self.size"), 0),
        (RING.replace(">= self.size", ">= other.size"), 0),
        (RING.replace("size", "length"), 0),
        (RING.replace("class", "class ("), 0),
    ],
    ids=["unread", "another comparison", "of another object", "renamed", "no program"],
)
def test_an_attribute_that_nothing_reads_any_more_is_missed(changed: str, lost: int) -> None:
    """What a class keeps, it keeps for something."""
    assert lost_attributes(RING, changed) == lost


def test_a_function_that_called_itself_is_missed_where_it_no_longer_does() -> None:
    """As a function, or as a method; one that is gone altogether is not."""
    before = (
        "def depth(x):\n    return 1 + max(depth(y) for y in x)\n\n"
        "class Node:\n    def size(self):\n        return 1 + self.left.size()\n"
    )
    assert stopped_recursion(before, before.replace("max(depth(y) for y in x)", "len(x)")) == 1
    assert stopped_recursion(before, before.replace("self.left.size()", "1")) == 1
    assert stopped_recursion(before, before.replace("1 +", "2 +")) == 0
    assert stopped_recursion(before, before.replace("depth", "height")) == 0
    assert stopped_recursion(before, before.replace("1 +", "1 + (")) == 0


def test_what_calls_another_function_instead_goes_on_by_other_means() -> None:
    """A loop that asked itself for the rest asks for the next part."""
    before = "def total(n):\n    while n:\n        n -= total(n)\n    return n\ndef part(n):\n    return n\n"
    assert stopped_recursion(before, before.replace("-= total", "-= part")) == 0
    assert stopped_recursion(before, before.replace("-= total", "-= int")) == 1


BUBBLES = (
    "def f(xs):\n    xs = list(xs)\n    for i in range(len(xs) - 1):\n        xs[i], xs[i + 1] = xs[i + 1], xs[i]\n"
)


@pytest.mark.parametrize(
    ("right", "wrong", "count"),
    [
        ("list(xs)", "sorted(xs)", 1),
        ("    for", "    xs.sort()\n    for", 1),
        ("list(xs)", "list(reversed(xs))", 0),
        ("list(xs)", "sorted((xs", 0),
    ],
)
def test_who_moves_items_about_means_to_sort_them(right: str, wrong: str, count: int) -> None:
    """Unless the given program has them sorted, too; one that moves nothing may have it done."""
    after = BUBBLES.replace(right, wrong)
    assert sorted_by_others(BUBBLES, after) == count
    assert sorted_by_others(after, after) == 0
    assert sorted_by_others("def f(xs):\n    return xs\n", "def f(xs):\n    return sorted(xs)\n") == 0
    caller = BUBBLES + "\ndef g(xs):\n    f(xs)\n    return xs\n"
    assert sorted_by_others(caller, caller.replace("return xs\n", "return sorted(xs)\n")) == 1


def test_a_whole_quotient_needs_no_rounding() -> None:
    """Another one does."""
    assert idle_operations("k = round(x // w)\n") == 1
    assert idle_operations("k = round(x / w)\n") == 0


def test_what_is_imported_is_meant_to_be_read() -> None:
    """Also by another name, in an annotation that is a text, or by those who import the program."""
    imports = "import math\nimport os.path as path\nfrom typing import List\n"
    assert count_unread_imports(imports) == 3
    assert count_unread_imports(f"{imports}x = math.pi\n") == 2
    assert count_unread_imports(f"{imports}def f(x: 'List[int]'):\n    return path.join(x)\n") == 1
    assert count_unread_imports(f"{imports}__all__ = ['math', \"path\", 'List']\n") == 0
    assert count_unread_imports("import") == 0


@pytest.mark.parametrize(
    ("block", "emptied"),
    [
        ("with lock:\n        return run()", 0),
        ("with lock:\n        pass\n    return run()", 1),
        ("try:\n        pass\n    finally:\n        lock.close()\n    return run()", 1),
        ("try:\n        return run()\n    except OSError:\n        pass", 0),
        ("return run()", 0),
        ("with (:", 0),
    ],
)
def test_what_has_nothing_left_to_do_is_empty(block: str, emptied: int) -> None:
    """A handler that passes over an exception is another thing."""
    given = "def f(lock, run):\n    {}\n"
    assert emptied_blocks(given.format("with lock:\n        return run()"), given.format(block)) == emptied


@pytest.mark.parametrize(
    ("names", "count"),
    [("left, arm, right", 0), ("left, arm", 1), ("rest, arm, tail", 3)],
    ids=["a row of several", "a pair", "none is read"],
)
def test_parts_that_come_with_others_may_go_unread(names: str, count: int) -> None:
    """Whoever takes a value apart gets all of its parts."""
    assert count_unused(f"def f(mobile):\n    {names} = mobile\n    return g(left)\n") == count


def test_a_counter_of_rounds_need_not_be_read() -> None:
    """`for frame in range(10)` says how often, while a name that a loop takes from elsewhere is there to be read."""
    rounds = "def f(rolls):\n    i = 0\n    for frame in {}:\n        i += rolls[i]\n    return i\n"
    assert count_unused(rounds.format("range(10)")) == 0
    assert count_unused(rounds.format("rolls")) == 1
