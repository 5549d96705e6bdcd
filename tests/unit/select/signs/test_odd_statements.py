"""Tests for `regreen.select.signs.odd_statements`."""

from __future__ import annotations

import pytest

from regreen.select.rank import RankedCandidate, rank_candidates
from regreen.select.signs.odd_statements import (
    caught_empties,
    caught_slips,
    copied_rows,
    counted_flags,
    double_negations,
    doubled_steps,
    ended_rounds,
    narrow_guards,
    picked_arguments,
    restarted_totals,
    self_fed_updates,
    turned_each_round,
    unlike_additions,
    unlike_table_keys,
)
from regreen.types import Candidate

BROKEN = "def f(:"


@pytest.mark.parametrize(
    ("last", "count"),
    [
        ("        out.reverse()\n", 1),
        ("        out.sort()\n", 1),
        ("    out.reverse()\n", 0),
        ("        x.reverse()\n", 0),
        ("(", 0),
    ],
)
def test_a_list_is_turned_round_once(last: str, count: int) -> None:
    """Behind the loop that adds to it."""
    given = "def f(xs, out):\n    for x in xs:\n        out.append(x)\n"
    assert turned_each_round(given, given + last) == count
    assert turned_each_round(given + last, given + last) == 0


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("total += abs(at - here)", "total += abs(at - total)", 1),
        ("best = max(best, i - start)", "best = max(best, best - start)", 1),
        ("best = max(best, i)", "best = max(best, j)", 0),
        ("total *= rate", "total *= rate + total", 0),
        ("total += total * rate", "total += total * rate", 0),
        (BROKEN, "total += total", 0),
    ],
)
def test_totals_seldom_grow_by_themselves(before: str, after: str, count: int) -> None:
    """Unless the given program has it so."""
    assert self_fed_updates(before, after) == count


@pytest.mark.parametrize(
    ("inserted", "count"),
    [
        ("total = depth", 1),
        ("total = total + depth", 0),
        ("total = 0", 0),
        ("depth = total", 0),
        ("total[0] = depth", 0),
    ],
)
def test_totals_seldom_begin_anew_where_they_grow(inserted: str, count: int) -> None:
    """From a constant they do, for each row of a table."""
    before = "def f(xs, depth):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n"
    after = before.replace("        total", f"        {inserted}\n        total")
    assert restarted_totals(before, after) == count
    assert restarted_totals(after, after) == 0
    assert restarted_totals(BROKEN, after) == 0


@pytest.mark.parametrize(
    ("after", "count"),
    [
        ("if not (not a or b != c): pass", 1),
        ("if not a != b: pass", 1),
        ("if not (a or b == c): pass", 0),
        ("if not a: pass", 0),
        ("x = --a", 1),
        ("x = -a - -b", 0),
        (BROKEN, 0),
    ],
)
def test_nobody_denies_a_denial(after: str, count: int) -> None:
    """One that is there already does not count."""
    assert double_negations("if not a or b != c: pass", after) == count
    assert double_negations(after, after) == 0


@pytest.mark.parametrize(
    ("test", "count"), [("b == 2", 1), ("b == 'x'", 1), ("b == 0", 0), ("b <= 2", 0), ("c == 2", 0), ("2 == 2", 0)]
)
def test_one_value_of_a_parameter_is_seldom_a_case_of_its_own(test: str, count: int) -> None:
    """But for those with which many functions begin."""
    before = "def f(a, b):\n    return a + b\n"
    after = f"def f(a, b):\n    if {test}:\n        return a\n    return a + b\n"
    assert picked_arguments(before, after) == count
    assert picked_arguments(after, after) == 0


@pytest.mark.parametrize(
    ("table", "count"),
    [
        ("((0, 1), (1, 0), (0, -1), (1, 0))", 1),
        ("{'N': (0, 1), 'E': (1, 0), 'W': (1, 0)}", 1),
        ("[[0], [0], [0]]", 2),
        ("((0, 1), (0, 1))", 0),
        ("(0, 0, 0)", 0),
        ("((0, 1), (1, 0), 0, 0)", 0),
        ("((", 0),
    ],
)
def test_rows_that_stand_twice_are_counted(table: str, count: int) -> None:
    """In tables of three rows or more, and nothing else."""
    assert copied_rows(f"STEPS = {table}\n") == count


def test_the_copy_of_a_row_is_where_the_slip_is() -> None:
    """A number elsewhere that pleases the checks as well costs more."""
    before = "STEPS = ((0, 1), (1, 0), (0, -1), (1, 0))\nROWS = range(1, 9)\n"
    copied = RankedCandidate(Candidate(before.replace("(1, 0))", "(-1, 0))"), "search:test"))
    elsewhere = RankedCandidate(Candidate(before.replace("range(1, 9)", "range(2, 9)"), "search:test"))
    assert rank_candidates([elsewhere, copied], before) == [copied, elsewhere]


@pytest.mark.parametrize(
    ("program", "count"),
    [
        ("inside = False\ninside += 1\n", 1),
        ("inside = 0\ninside += 1\n", 0),
        ("inside = False\ninside = True\n", 0),
        ("self.inside = True\nself.inside -= 1\n", 1),
        ("inside = (\n", 0),
    ],
)
def test_a_flag_is_not_counted(program: str, count: int) -> None:
    """A counter begins with a number."""
    assert counted_flags(program) == count


SEEN = "def first(xs):\n    seen = set()\n    for x in xs:\n        key = x.lower()\n        if key not in seen:\n"


@pytest.mark.parametrize(
    ("line", "count"),
    [("seen.add(x)", 1), ("seen.add(key)", 0), ("seen.add(x.lower())", 0), ("other.add(x)", 0), ("seen.add(", 0)],
)
def test_a_set_is_asked_for_what_it_holds(line: str, count: int) -> None:
    """What is worked out on the spot may be the same."""
    assert unlike_additions(f"{SEEN}            {line}\n") == count


@pytest.mark.parametrize(
    ("name", "added", "count"),
    [("seen", 'user["mail"]', 1), ("seen", "mail", 0), ("kept", 'user["mail"]', 0), ("seen", "user", 1)],
)
def test_a_list_of_what_was_seen_holds_what_it_is_asked_for(name: str, added: str, count: int) -> None:
    """A list of another name may be asked for one thing and hold another."""
    source = (
        f"def f(users):\n    {name}, out = [], []\n    for user in users:\n        mail = user['mail'].lower()\n"
        f"        if mail not in {name}:\n            {name}.append({added})\n            out.append(user)\n"
        "    return out\n"
    )
    assert unlike_additions(source) == count


def test_a_table_is_asked_for_what_it_holds_too() -> None:
    """One that was asked otherwise before is left alone: parents are asked for one and hold another."""
    best = "def f(best, town, toll):\n    if town not in best:\n        best[town] = toll\n"
    assert unlike_table_keys(best, best.replace("if town", "if toll")) == 1
    assert unlike_table_keys(best.replace("if town", "if toll"), best.replace("if town", "if toll")) == 0
    assert unlike_table_keys(best, best.replace("if town", "if (town")) == 0


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("y = f(x)\n        return y", 1),
        ("return x", 0),
        ("y = f(x)\n        break", 1),
        ("if not x:\n            continue\n        return x", 0),
        ("if x:\n            return True", 0),
        ("y = (\n        return y", 0),
    ],
)
def test_a_loop_that_ends_in_its_first_round_is_noticed(body: str, count: int) -> None:
    """One that goes on where something is missing looks for the first that is there."""
    assert ended_rounds(f"def g(xs):\n    for x in xs:\n        {body}\n") == count


@pytest.mark.parametrize(
    ("test", "count"),
    [("len(xs) < 2", 1), ("len(xs) <= 1", 1), ("not xs", 0), ("len(xs) < 1", 0), ("len(xs) > 2", 0), ("len(xs", 0)],
)
def test_what_is_empty_is_the_usual_case(test: str, count: int) -> None:
    """A way out that was there is left alone."""
    before, after = (
        "def f(xs):\n    return max(xs)\n",
        f"def f(xs):\n    if {test}:\n        return 0\n    return max(xs)\n",
    )
    assert narrow_guards(before, after) == count
    assert narrow_guards(after, after) == 0


@pytest.mark.parametrize(("name", "count"), [("AttributeError", 1), ("TypeError", 1), ("KeyError", 0), ("(", 0)])
def test_what_a_missing_check_brings_about_is_not_caught(name: str, count: int) -> None:
    """A key that is missing is caught as often as it is asked for."""
    before = "def f(x):\n    return x.y\n"
    after = f"def f(x):\n    try:\n        return x.y\n    except {name}:\n        return []\n"
    assert caught_slips(before, after) == count
    assert caught_slips(after, after) == 0


@pytest.mark.parametrize(
    ("name", "first", "count"),
    [("IndexError", "xs[0]", 1), ("IndexError", "xs[n]", 0), ("KeyError", "xs[0]", 0), ("(", "xs[0]", 0)],
)
def test_a_list_with_nothing_in_it_is_not_caught(name: str, first: str, count: int) -> None:
    """A place that is worked out is caught as often as it is asked for."""
    before = f"def f(xs, n):\n    return {first}\n"
    after = f"def f(xs, n):\n    try:\n        return {first}\n    except {name}:\n        return []\n"
    assert caught_empties(before, after) == count


@pytest.mark.parametrize(
    ("after", "count"), [("wait *= base * 2", 1), ("wait = wait * 2", 0), ("wait += base * 2", 0), ("wait *= 2", 0)]
)
def test_what_is_reckoned_anew_changes_nothing(after: str, count: int) -> None:
    """A product of everything before and of all that it was made of is none that anybody meant."""
    before = "def f(base):\n    wait = base\n    for _ in range(3):\n        wait = base * 2\n    return wait\n"
    assert doubled_steps(before, before.replace("wait = base * 2", after)) == count
