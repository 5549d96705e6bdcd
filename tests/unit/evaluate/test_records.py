"""The line of one result: what it says, and that any text survives it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.evaluate import jsonl
from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration, capped
from regreen.evaluate.result_lines import best_attempt, error_line, repair_line, result_line
from regreen.types import (
    Attempt,
    Candidate,
    Case,
    CheckResult,
    Cost,
    Isolation,
    Outcome,
    Repair,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Turn,
    Verdict,
)
from regreen.unified_diff import unified_diff

MAX_ATTEMPTS = 200

PROMISED = {
    "schema",
    "task_id",
    "sample",
    "dataset",
    "strategy",
    "model",
    "feedback",
    "seed",
    "outcome",
    "passed",
    "plausible",
    "robust",
    "stop",
    "iters",
    "attempts_total",
    "origin",
    "judged_candidate",
    "exit_code",
    "stdout",
    "stderr",
    "runtime_sec",
    "timings_sec",
    "token_usage",
    "cost_usd",
    "buggy_source",
    "final_source",
    "diff",
    "explanation",
    "checks",
    "attempts",
    "error",
}

TEXT = st.text(st.characters(), max_size=20)
SECONDS = st.floats(allow_nan=True, allow_infinity=True)
RESULTS = st.builds(CheckResult, st.sampled_from(Outcome), TEXT, TEXT, TEXT, SECONDS, SECONDS)
VERDICTS = st.builds(
    Verdict,
    st.dictionaries(TEXT, RESULTS, max_size=3),
    st.sampled_from(Isolation),
    SECONDS,
    TEXT,
    TEXT,
    st.none() | st.integers(-64, 255),
    TEXT,
)
ATTEMPTS = st.builds(Attempt, st.builds(Candidate, TEXT, TEXT, st.none(), TEXT), VERDICTS)
COSTS = st.builds(Cost, st.integers(0), st.integers(0), SECONDS, st.dictionaries(TEXT, SECONDS, max_size=2))
REPAIRS = st.builds(
    Repair,
    TEXT,
    st.none() | ATTEMPTS,
    VERDICTS,
    st.lists(ATTEMPTS, max_size=2).map(tuple),
    COSTS,
    st.sampled_from(Stop),
    flaky=st.lists(TEXT, max_size=2).map(tuple),
    explanation=TEXT,
)


def again(line: ResultLine) -> ResultLine:
    """The line after a trip to disk and back."""
    return ResultLine.model_validate(json.loads(jsonl.encode_line(line.values())))


@given(TEXT, TEXT, REPAIRS, VERDICTS, st.none() | VERDICTS, st.dictionaries(TEXT, TEXT, max_size=2))
def test_any_result_survives_the_trip_to_disk(
    name: str, source: str, repair: Repair, hidden: Verdict, extra: Verdict | None, labels: dict[str, str]
) -> None:
    """Lone surrogates, control characters, NaN and all."""
    nothing = Suite(SuiteKind.SCRIPT, "", ())
    case = Case(Task(name, source, None, nothing), nothing, "", labels=labels)
    line = result_line(case, repair, hidden, extra, RunConfiguration("set", "search", Feedback.ALL))
    # NaN is not equal to itself, so the comparison is of what is written.
    assert jsonl.encode_line(again(line).values()) == jsonl.encode_line(line.values())


def test_a_line_holds_what_was_promised(
    make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """Every field by its name, for results and for errors."""
    case = make_case("a")
    repair = repair_with(case.task, "right")
    for line in (
        result_line(case, repair, repair.before, None, configuration),
        error_line(case, "E", "no", configuration),
    ):
        assert line.values().keys() >= PROMISED
        assert set(line.values()["timings_sec"]) <= {
            *("localise", "propose", "execute", "reflect", "select"),
            *("draft", "wait"),
        }
    first = result_line(case, repair, repair.before, None, configuration, sample=2).values()
    assert (first["schema"], first["sample"], first["seed"], first["cost_usd"]) == (1, 2, 7, 0.0)
    assert first["attempts"][0]["origin"] == "search:test"
    assert first["diff"].startswith("--- a/program.py\n+++ b/program.py\n@@")


PASSED = Verdict({"only": CheckResult(Outcome.PASSED)})
FAILED = Verdict({"only": CheckResult(Outcome.FAILED)})
DECISIONS = {
    "nothing handed over": (None, FAILED, None, Result.UNFIXED, None),
    "nothing handed over by a program that was right": (None, PASSED, None, Result.UNFIXED, None),
    "fails the hidden checks": ("new", FAILED, None, Result.UNFIXED, None),
    "passes": ("new", PASSED, None, Result.FIXED, None),
    "passes, and the extra checks too": ("new", PASSED, PASSED, Result.FIXED, True),
    "passes, but fails an extra check": ("new", PASSED, FAILED, Result.OVERFITTED, False),
    "fails, though it passes extra checks": ("new", FAILED, PASSED, Result.UNFIXED, False),
    "no hidden checks": ("new", Verdict({}), None, Result.UNFIXED, None),
    "no check in the extra suite": ("new", PASSED, Verdict({}), Result.OVERFITTED, False),
}


@pytest.mark.parametrize("situation", DECISIONS)
def test_only_what_was_handed_over_and_passes_is_a_fix(
    situation: str, make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """The hidden checks decide, and the extra ones tell fixed from overfitted."""
    source, hidden, extra, outcome, robust = DECISIONS[situation]
    case = make_case("a")
    line = result_line(case, repair_with(case.task, source), hidden, extra, configuration)
    assert (line.outcome, line.robust, line.passed) == (outcome, robust, hidden.passed)


def test_plausible_is_what_passes_the_visible_checks(
    make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """Whatever the hidden ones say."""
    case = make_case("a", visible="looks right")
    line = result_line(case, repair_with(case.task, "looks right"), FAILED, None, configuration)
    assert (line.plausible, line.outcome) == (True, Result.UNFIXED)
    assert not result_line(case, repair_with(case.task, None), FAILED, None, configuration).plausible


def test_a_repair_outside_a_benchmark_is_decided_by_what_it_saw(
    make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """The record that `fix --json` prints."""
    task = make_case("a", visible="right").task
    line = repair_line(task, repair_with(task, "right"), configuration)
    assert (line.outcome, line.final_source, line.checks_passed) == (Result.FIXED, "right", 1)
    assert repair_line(task, repair_with(task, None), configuration).final_source is None


def test_long_texts_and_lists_are_cut(
    make_case: Callable[..., Case], repair_with: Callable[..., Repair], configuration: RunConfiguration
) -> None:
    """A line stays within bounds, whatever a candidate printed."""
    case = make_case("a")
    flood = "é" * 1_000_000
    loud = Verdict({"x" * 10_000: CheckResult(Outcome.FAILED, flood, flood, flood)}, stdout=flood, stderr=flood)
    repair = repair_with(case.task, "right")
    repair = replace(repair, attempts=repair.attempts * 5_000, explanation=flood)
    line = result_line(case, repair, loud, None, configuration)
    assert len(line.stdout.encode()) <= 64 << 10
    assert line.stdout.endswith("[2000000 bytes, cut]")
    assert (len(line.attempts), line.attempts_total) == (MAX_ATTEMPTS, 5_000)
    assert len(jsonl.encode_line(line.values())) < 2 << 20


def judged(
    source: str, outcome: Outcome, *, origin: str, parent: str | None = None, turn: int | None = None
) -> Attempt:
    """An attempt with two checks, the second of which ends so."""
    results = {"easy": CheckResult(Outcome.PASSED), "hard": CheckResult(outcome, "1", "2", "no")}
    return Attempt(Candidate(source, origin, parent), Verdict(results, stdout=source, exit_code=3), turn)


@pytest.mark.parametrize(
    ("attempts", "chosen", "owed"),
    [
        ([("s", "search:x", None, None)], 0, "search"),
        ([("m", "model:draft", None, 0)], 0, "model"),
        (
            [("m", "model:draft", None, 0), ("s", "search:x", "m", None), ("t", "search:x", "s", None)],
            2,
            "around_model",
        ),
        ([("m", "model:draft", None, 0), ("s", "search:x", "wrong", None)], 1, "search"),
        ([("s", "search:x", "t", None), ("t", "search:x", "s", None)], 1, "search"),
        ([("m", "model:draft", None, 0)], None, None),
    ],
)
def test_a_repair_is_owed_to_whoever_made_it(
    make_case: Callable[..., Case],
    configuration: RunConfiguration,
    attempts: list[tuple[str, str, str | None, int | None]],
    chosen: int | None,
    owed: str | None,
) -> None:
    """Search, a model, or search around what a model wrote; nobody where nothing is handed over."""
    case = make_case("a")
    made = tuple(
        judged(source, Outcome.PASSED, origin=origin, parent=parent and Candidate(parent, "").id, turn=turn)
        for source, origin, parent, turn in attempts
    )
    repair = Repair("a", None if chosen is None else made[chosen], Verdict({}), made, Cost(), Stop.FIXED)
    line = result_line(case, repair, Verdict({}), None, configuration)
    assert line.origin == owed


def test_an_unfixed_record_is_of_the_best_attempt(
    make_case: Callable[..., Case], configuration: RunConfiguration
) -> None:
    """Each attempt names the check that it fails; drafts, corrections and waits are told apart; replies have faults."""
    case = make_case("a")
    worse = judged("worse", Outcome.FAILED, origin="model:draft", turn=0)
    worse = replace(
        worse, verdict=Verdict({"easy": CheckResult(Outcome.TIMED_OUT), "hard": CheckResult(Outcome.FAILED)})
    )
    best = judged("best", Outcome.FAILED, origin="model:reflect", turn=1)
    turns = (
        Turn(0, "draft", 0, 0.0, "p", "r", seconds=2.0, finish="length"),
        Turn(1, "reflect", 1, 0.0, "p", "r", seconds=3.0),
        Turn(2, "reflect", 2, 0.0, "p", "r", fault="syntax", fault_detail="line 3", seconds=4.0),
    )
    cost = Cost(seconds=9.0, waited=5.0, timings={"reflect": 9.0})
    repair = Repair("a", None, worse.verdict, (worse, best), cost, Stop.ITERATIONS, turns=turns)
    assert best_attempt(repair) is best
    line = again(result_line(case, repair, best.verdict, None, configuration))
    assert (line.outcome, line.passed, line.judged_candidate) == ("unfixed", False, best.candidate.id)
    assert (line.checks_passed, line.checks_total, line.stdout, line.exit_code) == (1, 2, "best", 3)
    failed = [attempt.failed_check for attempt in line.attempts]
    assert [(check.id, check.outcome, check.expected, check.actual) for check in failed if check] == [
        ("easy", "timed_out", "", ""),
        ("hard", "failed", "1", "2"),
    ]
    assert (line.iters, line.attempts_total) == (3, 2)
    assert {name: line.timings_sec[name] for name in ("draft", "reflect", "wait")} == {
        "draft": 2.0,
        "reflect": 7.0,
        "wait": 5.0,
    }
    assert [(turn.fault, turn.fault_detail, turn.finish) for turn in line.turns] == [
        ("", "", "length"),
        ("", "", ""),
        ("syntax", "line 3", ""),
    ]


@given(st.text(st.characters(), max_size=60), st.integers(30, 80))
def test_cutting_keeps_within_the_limit_and_between_characters(text: str, limit: int) -> None:
    """What is kept is a beginning of the text, followed by a word on what is missing."""
    cut = capped(text, limit)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size <= limit:
        assert cut == text
    else:
        assert len(cut.encode("utf-8", "surrogatepass")) <= limit
        kept, note = cut.rsplit("\n", 1)
        assert text.startswith(kept)
        assert note == f"[{size} bytes, cut]"


def test_a_diff_tells_of_missing_line_ends_and_keeps_odd_separators() -> None:
    """`patch` has to understand it."""
    assert unified_diff("x = 1", "x = 2\n", "a.py").splitlines()[3:] == [
        "-x = 1",
        "\\ No newline at end of file",
        "+x = 2",
    ]
    assert unified_diff("x\x0cy\n", "x\x0cz\n", "a.py").count("\n-x\x0cy\n+x\x0cz\n") == 1
    assert unified_diff("same\n", "same\n", "a.py") == ""


def test_numbers_that_were_not_numbers_are_still_told_apart(
    make_case: Callable[..., Case], configuration: RunConfiguration
) -> None:
    """NaN seconds come back as NaN."""
    assert math.isnan(again(error_line(make_case("a"), "E", "", configuration, seconds=math.nan)).runtime_sec)
