"""Numbers where a variable passes as well."""

from __future__ import annotations

from regreen.select.numbers_for_names import numbers_for_names
from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.types import Candidate

BEFORE = "def chunks(items, size):\n    return [items[i : i + size] for i in range(0, len(items))]\n"
NUMBER, NAME = (BEFORE.replace("(items))", f"(items), {step})") for step in ("2", "size"))


def test_a_number_is_told_where_a_name_passes_in_its_place() -> None:
    """And only there: a number with no such rival is a number."""
    assert numbers_for_names(BEFORE, [NUMBER, NAME]) == [1, 0]
    assert numbers_for_names(BEFORE, [NUMBER, NAME.replace("0, len", "1, len")]) == [0, 0]
    assert numbers_for_names(BEFORE, [NUMBER]) == [0]


def test_nought_and_one_mean_themselves() -> None:
    """`return 0` is no variable that happens to be 0, and a number that stood there before is no new one."""
    before = "def f(n):\n    return n + 5\n"
    assert numbers_for_names(before, [before.replace("5", text) for text in ("0", "n")]) == [0, 0]
    assert numbers_for_names(before, [before.replace("n + 5", "5"), before.replace("n + 5", "n")]) == [0, 0]


def test_the_name_comes_first_though_the_number_is_likelier() -> None:
    """Whatever the checks ask with, another call would ask with something else."""
    number, name = (RankedCandidate(Candidate(text, "search:test"), p) for text, p in ((NUMBER, 0.3), (NAME, 0.1)))
    assert rank_candidates([number, name], BEFORE) == [name, number]
