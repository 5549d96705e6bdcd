"""Is a repair that passes completed by what the prose asks for, and only by that?"""

from __future__ import annotations

from regreen.propose.search.mutation import Mutation, splice_edits
from regreen.strategies.searching.completions import completed_repairs
from regreen.types import Edit, Suite, SuiteKind, Task

SOURCE = "def same(one, other):\n    return sorted(one) == set(other)\n"
SAID = "Whether two words have the same letters; case is ignored."


def completed(source: str, statement: str, old: str, new: str) -> list[str]:
    """What is made of a repair that puts `new` in the place of `old`."""
    at = source.index(old)
    repair = Mutation((Edit(at, at + len(old), new),), "other", 0.1, 2, source)
    task = Task("same", source, "same", Suite(SuiteKind.SCRIPT, "", (), origin="none"), statement=statement)
    return [splice_edits(source, made.edits) for made in completed_repairs(task, source, [repair])]


def test_the_step_that_no_check_shows_is_taken() -> None:
    """Beside the repair, which stays; all that is offered takes it."""
    found = completed(SOURCE, SAID, "set(", "sorted(")
    assert "sorted(one) == sorted(other)" in found[0]
    assert all(".lower()" in text and "sorted(other" in text for text in found)


def test_a_slip_that_is_plain_from_the_text_is_undone() -> None:
    """Though the repair is elsewhere, and no check shows it."""
    source = "def f(a, b):\n    return (a - b).seconds, a\n"
    assert completed(source, "", ", a", ", b") == ["def f(a, b):\n    return (a - b).total_seconds(), b\n"]


def test_nothing_is_added_where_nothing_is_asked_for_or_all_is_done() -> None:
    """Other words name no step, and a step that is done is not done twice."""
    assert completed(SOURCE, "Whether two words are alike.", "set(", "sorted(") == []
    done = SOURCE.replace("(one)", "(one.lower())")
    assert completed(done, SAID, "set(", "sorted(") == []


def test_a_rule_for_ties_that_prose_states_is_added() -> None:
    """As another repair, beside the one that lets the order of the list decide."""
    source = "def f(rows):\n    return sorted(rows, key=lambda row: row[1])\n"
    found = completed(source, "Best first, equal ones by name.", "])", "], reverse=True)")
    assert source.replace("row[1])", "(-row[1], row[0]))") in found
    assert completed(source, "Best first.", "])", "], reverse=True)") == []
