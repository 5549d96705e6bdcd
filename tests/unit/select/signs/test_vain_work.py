"""Collections that are filled and never read, and divisions that cut off the fractions which the checks expect."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.vain_work import cut_fractions, lost_results, never_filled, vain_copies, vain_gatherings
from regreen.types import Candidate

GIVEN = """\
def totals(readings, width):
    found = []
    by_key = {}
    for at in range(len(readings)):
        found.append(sum(readings[at:width]))
        by_key[at] = found[-1]
    return found, by_key
"""


@pytest.mark.parametrize(
    ("right", "wrong", "vain"),
    [
        ("return found, by_key", "return found", 1),
        ("return found, by_key", "return by_key", 0),
        ("return found, by_key", "return found, [by_key.pop(0)]", 0),
        ("return found, by_key", "return found, lambda: by_key", 0),
        ("by_key = {}", "by_key = width", 0),
        ("return found, by_key", "by_key = width\n    return found", 0),
        ("    found = []\n", "    global by_key\n    found = []\n", 0),
        ("return found, by_key", "return (", 0),
    ],
)
def test_a_collection_that_is_only_filled_is_in_vain(right: str, wrong: str, vain: int) -> None:
    """`found` is read in the loop; what may be somebody else's is left alone, and so is a change whose value counts."""
    assert vain_gatherings(GIVEN, GIVEN.replace(right, wrong)) == vain


def test_what_was_in_vain_before_is_nobodys_slip() -> None:
    """Only what is new costs."""
    idle = GIVEN.replace("return found, by_key", "return found")
    assert vain_gatherings(idle, idle.replace("width", "width + 1")) == 0
    assert ranking_cost(GIVEN, idle) > ranking_cost(GIVEN, GIVEN.replace("return found, by_key", "return by_key"))


MEAN = "def mean(xs, most):\n    return most + sum(xs) / most\n"
CUT, COUNTED = MEAN.replace("/", "//"), MEAN.replace("/ most", "/ len(xs)")


def test_fractions_are_cut_where_the_checks_have_some() -> None:
    """Of whole numbers nobody knows, and a new division is no cut one."""
    assert cut_fractions(MEAN, CUT, "assert mean([1, 2], 2) == 1.5") == 1
    assert cut_fractions(MEAN, CUT, "assert mean([1, 3], 2) == 2  # v1.2") == 0
    assert cut_fractions(MEAN, CUT, "assert mean([1, 3], 2) == 2") == 0
    assert cut_fractions(CUT, MEAN, "1.5") == 0
    assert cut_fractions(MEAN, MEAN.replace("/ most", "/ (most // 2)"), "1.5") == 0
    assert cut_fractions(MEAN, "def", "1.5") == 0


def test_what_divides_comes_before_what_cuts() -> None:
    """Though it takes more tokens."""
    cut, counted = (RankedCandidate(Candidate(text, "search:test"), 0.1) for text in (CUT, COUNTED))
    assert rank_candidates([cut, counted], MEAN, "assert mean([1, 2], 3) == 1.5") == [counted, cut]
    assert rank_candidates([cut, counted], MEAN, "assert mean([1, 2], 3) == 1") == [cut, counted]


def test_a_counter_that_nobody_reads_is_in_vain() -> None:
    """`free` is counted for a reason."""
    given = (
        "def find(row, n):\n    free = 0\n    for at in row:\n        free += 1\n"
        "        if free == n:\n            return at\n"
    )
    assert vain_gatherings(given, given.replace("free == n", "at == n")) == 1
    assert vain_gatherings(given, given.replace("free == n", "free >= n")) == 0


WAYS = """\
def ways(roads, start):
    done = set()
    queue = [start]
    while queue:
        town = queue.pop()
        if town not in done:
            done.add(town)
            queue.extend(roads[town])
    return len(done)
"""


@pytest.mark.parametrize(
    ("right", "wrong", "vain"),
    [
        ("done.add(town)", "done.discard(town)", 1),
        ("            done.add(town)\n", "", 1),
        ("done.add(town)", "done.update(roads[town])", 0),
        ("done.add(town)", "done |= {town}", 0),
        ("done.add(town)", "note(done, town)", 0),
        ("done = set()", "done = roads", 0),
        ("done = set()\n", "done = set()\n    known = Counter(roads)\n    print(known.items())\n", 0),
        ("done = set()\n", "done = set()\n    known = Counter()\n    print(known.items())\n", 1),
        ("done.add(town)", "done.add(", 0),
    ],
)
def test_what_is_asked_about_is_filled(right: str, wrong: str, vain: int) -> None:
    """What others may fill is left alone, and so is what was never filled before."""
    assert never_filled(WAYS, WAYS.replace(right, wrong)) == vain
    assert never_filled(WAYS.replace(right, wrong), WAYS.replace(right, wrong)) == 0


def test_a_copy_of_oneself_is_for_nothing() -> None:
    """But for one of what a caller handed over."""
    before = "def f(xs, k):\n    out = list(xs)\n    out = out[:k]\n    xs = xs[:k]\n    return out, xs\n"
    assert vain_copies(before, before.replace("out[:k]", "out[:]")) == 1
    assert vain_copies(before, before.replace("xs[:k]", "xs[:]")) == 0


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("word.strip('.').lower()", 1),
        ("sorted(names)", 1),
        ("word = word.strip()", 0),
        ("names.sort()", 0),
        ("path.replace(other)", 0),
        ("print(len(names))", 0),
        ("return word.lower()", 0),
        ("word.strip(", 0),
    ],
)
def test_a_result_that_nobody_keeps_is_lost(line: str, lost: int) -> None:
    """Texts change nothing by themselves."""
    assert lost_results(f"def f(word, names, path, other):\n    {line}\n") == lost
