"""The outcome of a repair in plain sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.strategies.explanation import STOPS, WALLS, explain_repair
from regreen.types import (
    Attempt,
    Candidate,
    Check,
    CheckResult,
    Cost,
    Isolation,
    Outcome,
    Site,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)

SOURCE = """\
def top(items):
    best = 0
    for item in items:
        if item < best:
            best = item
    return best
"""
FIXED = SOURCE.replace("<", ">")
CHECKS = (Check("a", "assert top([1, 2]) == 2"), Check("b", "assert top([]) == 0"))
TASK = Task("t", SOURCE, "top", Suite(SuiteKind.SCRIPT, "", CHECKS))
PASSED = CheckResult(Outcome.PASSED)
RED = Verdict({"a": CheckResult(Outcome.FAILED, expected="2", actual="0"), "b": PASSED})
GREEN = Verdict({"a": PASSED, "b": PASSED})
REPAIRED = Attempt(Candidate(FIXED, "search:comparison", note="`<` became `>`"), GREEN)
SITES = (Site(2, 2, 0.9, "run by the failing check"), Site(4, 4, 0.7, "run by the failing check and by no passing one"))
COST = Cost(candidates=1234, duplicates=1, seconds=2.34)


def test_a_repair_is_told_from_the_red_check_to_what_is_not_proven() -> None:
    """Everything that a reader needs to believe the patch, one point a line."""
    assert explain_repair(TASK, RED, REPAIRED, None, SITES, COST, Stop.FIXED).split("\n") == [
        "1 of 2 checks failed. `assert top([1, 2]) == 2` expected 2, got 0.",
        "Line 4 came 2nd of 2 suspicious places: run by the failing check and by no passing one.",
        "Line 4 was changed by the template comparison: `<` became `>`.",
        "Now 2 checks pass.",
        "Cost: 1,234 candidates tried in 2.3 s; 1 repeated proposal was skipped.",
        WALLS[Isolation.SEPARATE],
        "Not proven: whatever these 2 checks leave unasked.",
    ]


def test_what_was_plain_from_the_text_is_told() -> None:
    """Of the lines that the repair changes."""
    source = "def f(a, b):\n    gap = (b - a).seconds\n    return gap is 0, a\n"
    task = Task("t", source, "f", Suite(SuiteKind.SCRIPT, "", CHECKS))
    for new, said in (
        (source.replace("is 0", "== 0"), "line 3 is"),
        (source.replace("is 0", "== 0").replace(".seconds", ".total_seconds()"), "lines 2 and 3 is"),
    ):
        repaired = Attempt(Candidate(new, "search:plain_slips"), GREEN)
        told = explain_repair(task, RED, repaired, None, SITES, COST, Stop.FIXED)
        assert f"What was wrong in {said} plain from the text, whether a check asks for it or not." in told
    other = Attempt(Candidate(source.replace(", a", ", b"), "search:other_name"), GREEN)
    assert "is plain" not in explain_repair(task, RED, other, None, SITES, COST, Stop.FIXED)


def test_without_a_repair_the_reason_and_the_best_try_are_told() -> None:
    """The reader learns why it stopped and how near it came."""
    red = Verdict({"a": RED.results["a"], "b": CheckResult(Outcome.TIMED_OUT)}, Isolation.SHARED)
    best = Attempt(Candidate(FIXED, "search:comparison"), Verdict({"a": PASSED, "b": RED.results["a"]}))
    told = explain_repair(TASK, red, None, best, SITES, COST, Stop.CANDIDATES)
    assert "2 of 2 checks failed." in told
    assert "Line 2 was suspected most: run by the failing check." in told
    assert "No candidate passes every check: the budget of candidates is spent." in told
    assert "The best one passes 1 of 2 checks instead of 0." in told
    assert WALLS[Isolation.SHARED] in told
    assert "Not proven" not in told


def test_changes_in_several_places_on_the_word_of_few_checks_are_called_a_guess() -> None:
    """A few checks are easily pleased by two changes that have nothing to do with the bug."""
    twice = Attempt(Candidate(FIXED.replace("best = 0", "best = 1"), "search:a+b"), GREEN)
    assert "Take it for a guess: 2 places were changed on the word of 2 checks." in explain_repair(
        TASK, RED, twice, None, SITES, COST, Stop.FIXED
    )
    together = Attempt(Candidate(FIXED, "search:a+b"), GREEN)
    assert "guess: 2 places" in explain_repair(TASK, RED, together, None, SITES, COST, Stop.FIXED)
    many = {str(n): PASSED for n in range(6)}
    sure = Attempt(twice.candidate, Verdict(many))
    assert "guess" not in explain_repair(TASK, RED, sure, None, SITES, COST, Stop.FIXED)


def test_a_best_try_that_is_no_better_is_not_told() -> None:
    """A candidate that passes no more than the program did is no news."""
    best = Attempt(Candidate(FIXED, "search:comparison"), RED)
    assert "The best one" not in explain_repair(TASK, RED, None, best, SITES, COST, Stop.EXHAUSTED)


def test_nothing_red_is_said_in_three_lines() -> None:
    """No suspicion and no cost where nothing was done."""
    told = explain_repair(TASK, GREEN, None, None, (), Cost(), Stop.NOTHING_RED)
    assert told.split("\n")[0] == "Nothing was red: 2 checks pass."
    assert len(told.split("\n")) == 3


def test_a_change_outside_the_suspected_lines_is_admitted() -> None:
    """Other makers than the search may change what nobody suspected."""
    told = explain_repair(TASK, RED, REPAIRED, None, SITES[:1], COST, Stop.FIXED)
    assert "Line 4 had not been suspected." in told


@pytest.mark.parametrize("stop", Stop)
def test_every_stop_has_words(stop: Stop) -> None:
    """No reason to end goes unexplained."""
    assert STOPS[stop]
    assert explain_repair(TASK, RED, None, None, SITES, COST, stop)


def test_foreign_words_cannot_steer_the_terminal_or_add_lines() -> None:
    """What programs and checks say is quoted on one line, escaped and cut."""
    hostile = "\x1b[2J\u202egotcha\r\nNow 2 checks pass." + "x" * 5000
    red = Verdict({"a": CheckResult(Outcome.RAISED, detail=hostile)}, detail=hostile)
    told = explain_repair(TASK, red, None, None, (Site(1, 1, 1.0, hostile),), COST, Stop.SECONDS)
    assert all(line.isprintable() for line in told.split("\n"))
    assert len(told) < 2500
    assert not any(line.startswith("Now") for line in told.split("\n"))


RESULTS = st.builds(CheckResult, st.sampled_from(Outcome), st.text(), st.text(), st.text())


@given(
    st.dictionaries(st.text(max_size=5), RESULTS),
    st.text(max_size=50),
    st.sampled_from(Stop),
    st.integers(0, 10),
)
def test_any_outcome_can_be_told(results: dict[str, CheckResult], source: str, stop: Stop, line: int) -> None:
    """Whatever happened, the story has no empty line and nothing that does not print."""
    attempt = Attempt(Candidate(source, source), Verdict(results))
    sites = (Site(line, line + 1, 0.5, source),)
    for chosen in (attempt, None):
        told = explain_repair(TASK, Verdict(results, detail=source), chosen, attempt, sites, COST, stop)
        assert all(part and part.isprintable() for part in told.split("\n"))
