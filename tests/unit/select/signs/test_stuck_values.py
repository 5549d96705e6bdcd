"""Variables that get stuck at one constant, and counts that leave their bound."""

from __future__ import annotations

import pytest

from regreen.select.cost import ranking_cost
from regreen.select.signs.stuck_values import (
    bounds_that_meet,
    counts_that_stay,
    frozen_rounds,
    idle_counts,
    idle_questions,
    last_rounds,
    loops_run_once,
    runaway_counts,
    stuck_variables,
    unwritten_entries,
    used_up_reads,
)

RUNS = """def f(xs):
    best = run = 0
    run = 0
    for x in xs:
        if x:
            run += 1
        else:
            best = max(best, run)
            run = 0
    return best
"""
WALK = "def f(xs, i, n):\n    while i < n and xs[i]:\n        i += 1\n    return i\n"


@pytest.mark.parametrize(
    ("slip", "change", "stuck"),
    [
        ("run += 1", "best += 1", 1),
        ("run += 1", "run += x", 0),
        ("            run = 0", "            run = 1", 0),
        ("def f(xs):", "def f(xs)", 0),
    ],
)
def test_a_variable_that_nothing_moves_any_more_is_told(slip: str, change: str, stuck: int) -> None:
    """It holds one constant all the time, and is asked about."""
    before = RUNS.replace("best = run = 0", "best = 0")
    after = before.replace(slip, change)
    assert stuck_variables(before, after) == stuck
    assert stuck_variables(after, after) == 0
    if stuck:
        assert ranking_cost(before, after) > ranking_cost(before, before.replace(slip, "run += x"))


@pytest.mark.parametrize(
    ("slip", "change", "away"),
    [
        ("i += 1", "i -= 1", 1),
        ("i < n", "i > n", 1),
        ("i += 1", "i += 2", 0),
        ("i += 1", "n -= 1", 0),
        ("while i", "while (i", 0),
    ],
)
def test_a_count_that_leaves_its_bound_is_told(slip: str, change: str, away: int) -> None:
    """Downwards where the loop asks whether it is still below, and upwards where it asks for more."""
    after = WALK.replace(slip, change)
    assert runaway_counts(WALK, after) == away
    assert runaway_counts(after, after) == 0


@pytest.mark.parametrize(
    ("change", "frozen"),
    [("start = gap", 1), ("start = gap + x", 0), ("start = xs", 1), ("begin = gap", 0), ("start = (", 0)],
)
def test_a_variable_that_every_round_sets_to_a_parameter_is_told(change: str, frozen: int) -> None:
    """What never changes needs no round to set it."""
    before = "def f(xs, gap):\n    start = 0\n    for x in xs:\n        if x - start > gap:\n            start = x\n"
    after = before.replace("start = x\n", f"{change}\n")
    assert frozen_rounds(before, after) == frozen
    assert frozen_rounds(after, after) == 0


def test_a_loop_that_goes_round_once_is_noticed() -> None:
    """Not one whose condition is another one, nor one that is gone."""
    hand = "def hand(total, aces):\n    while total > 21 and aces:\n        total -= 10\n    return total\n"
    assert loops_run_once(hand, hand.replace("while", "if")) == 1
    assert loops_run_once(hand, hand.replace("while total > 21 and aces", "if aces")) == 0
    assert loops_run_once(hand, hand.replace("    return", "        aces -= 1\n    return")) == 0
    assert loops_run_once(hand.replace("while", "if"), hand) == 0


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("best = run", 1),
        ("best = max(best, run)", 0),
        ("best = max(xs[0], run)", 1),
        ("best += run", 0),
        ("if run:\n            best = run", 0),  # some rounds alone
        ("best = run\n        print(best)", 0),
        ("best = run\n        if best_of(xs): break", 0),  # the round that ends the loop
        ("best = (run", 0),
    ],
)
def test_what_only_the_last_round_leaves_is_noticed(line: str, found: int) -> None:
    """A value that was there before the loop was meant to be kept, or compared with."""
    assert last_rounds(f"def f(xs):\n    best = 0\n    for run in xs:\n        {line}\n    return best\n") == found


TABLE = """def f(gains, before):
    best = [0] * (len(gains) + 1)
    best[0] = 1
    for i, gain in enumerate(gains, 1):
        best[i] = max(best[i - 1], best[before[i]] + gain)
    return best
"""


@pytest.mark.parametrize(
    ("old", "new", "unwritten"),
    [
        ("best[i - 1]", "best[i]", 1),
        ("best[i - 1]", "best[i - 2]", 0),
        ("    return best", "    for i in range(9):\n        best[i] = best[i] + 1\n    return best", 0),
        ("best[i] = max(best[i - 1]", "best[i] = gain\n        best[i] = max(best[i]", 0),
        ("best[i] = max", "for gain in range(i):\n            best[i] = max(best[i], gain)\n        best[i] = max", 0),
        ("best[0] = 1", "best = [*best]\n    best[0] = best[i]", 0),
        ("best[i - 1]", "best[i", 0),
    ],
)
def test_an_entry_that_is_read_before_anything_is_written_there_is_told(old: str, new: str, unwritten: int) -> None:
    """All that is read is what the table was filled with; an inner loop may come to it again."""
    after = TABLE.replace(old, new)
    assert unwritten_entries(TABLE, after) == unwritten
    assert unwritten_entries(after, after) == 0


WORK_LIST = """def f(needs, ready):
    waiting = {task: len(others) for task, others in needs.items()}
    while ready:
        task = ready.pop()
        STEP
        if waiting[task] == 0:
            ready.append(task)
"""


@pytest.mark.parametrize(
    ("step", "idle"),
    [
        ("pass", 1),
        ("waiting[task] -= 1", 0),
        ("waiting = other(task)", 0),
        ("waiting.pop(task, 0)", 0),
        ("ready[0] = 1", 1),
    ],
)
def test_a_count_that_rounds_ask_and_never_change_is_odd(step: str, idle: int) -> None:
    """Only where the loop goes on as long as something is on its list, and the table is of counts."""
    assert idle_counts(WORK_LIST.replace("STEP", step)) == idle
    assert idle_counts(WORK_LIST.replace("STEP", step).replace("len(others)", "others")) == 0
    assert idle_counts(WORK_LIST.replace("STEP", step).replace("while ready", "while ready[0] > 1")) == 0


def test_counts_of_what_does_not_parse_are_none() -> None:
    """A repair of it is judged otherwise."""
    assert idle_counts("while") == 0


@pytest.mark.parametrize(
    ("question", "step", "count"),
    [
        ("i < len(a) and j < len(b)", "i += 1", 1),
        ("i < len(a) and j < len(b)", "i += 1\n        j += 1", 0),
        ("i < len(a) and j < len(b)", "i += 1\n        b.pop()", 0),
        ("i < len(a) and j < len(b)", "i += 1\n        shorten(b)", 0),
        ("i < len(a) and len(b) < j", "i += 1", 1),
        ("i < len(a) and b[j]", "i += 1", 0),
        ("i < len(a)", "j += 1", 0),
    ],
)
def test_a_question_of_what_no_round_changes_is_idle(question: str, step: str, count: int) -> None:
    """One of several: alone, it would never end the loop, as everybody sees. A call may change what it is given."""
    source = f"def f(a, b):\n    i = j = 0\n    while {question}:\n        {step}\n    return i\n"
    assert idle_questions(source) == count
    assert idle_questions("def f(:\n") == 0


@pytest.mark.parametrize(
    ("question", "step", "after", "count"),
    [
        ("n > 0", "n //= 10", "return total == n", 1),
        ("n", "n = n // 10", "return total == n", 1),
        ("n > 0", "n //= 10", "n = 5\n    return n", 0),
        ("n > 9", "n //= 10", "return total == n", 0),
        ("n > 0", "n //= 10\n        if n == 7:\n            break", "return n", 0),
        ("n > 0", "n -= k", "return total == n", 0),
        ("n > 0", "n //= 10", "return total", 0),
    ],
)
def test_what_a_loop_uses_up_is_read_for_nothing(question: str, step: str, after: str, count: int) -> None:
    """It is 0 then; what is taken off may go beyond, and a loop that is left early leaves something."""
    source = f"def f(n, k):\n    total = 0\n    while {question}:\n        total += n\n        {step}\n    {after}\n"
    assert used_up_reads(source) == count
    assert used_up_reads("def f(:\n") == 0


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [
        ("seen += 1", "seen = 1", 1),
        ("seen += 1", "seen += 2", 0),
        ("seen += 1", "seen = 2", 0),
        ("seen += 1", "seen = 1\n    seen += 1", 0),
        ("seen = 1", "seen += 1", 0),
        ("seen += 1", "seen = = 1", 0),
    ],
)
def test_a_count_that_is_set_counts_no_more(before: str, after: str, count: int) -> None:
    """Where it was added to before, by the same number."""
    program = "def f(xs):\n    seen = 0\n    {}\n    return seen\n"
    assert counts_that_stay(program.format(before), program.format(after)) == count


@pytest.mark.parametrize(("step", "count"), [("low = high", 1), ("low = middle", 0), ("low = low", 0), ("x = high", 0)])
def test_a_search_is_not_ended_by_its_bounds(step: str, count: int) -> None:
    """Whatever it has come to."""
    search = "def f(low, high):\n    while high - low > 1:\n        middle = (low + high) // 2\n        {}\n"
    assert bounds_that_meet(search.format("low = middle"), search.format(step)) == count
    assert bounds_that_meet("def f(:", search.format(step)) == 0
