"""The results of a run: nothing twice, nothing lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.records import Feedback, Result, ResultLine, RunConfiguration
from regreen.evaluate.result_lines import error_line, repair_line
from regreen.evaluate.result_log import ResultLog, read_results
from regreen.types import Case, Cost, Repair, Stop, Suite, SuiteKind, Task, Verdict

CONFIGURATION = RunConfiguration("shelf", "search", Feedback.ALL)


def line(name: str, sample: int = 0) -> ResultLine:
    task = Task(name, "x = 1\n", None, Suite(SuiteKind.SCRIPT, "", ()))
    repair = Repair(name, None, Verdict({}), (), Cost(), Stop.EXHAUSTED)
    return repair_line(task, repair, CONFIGURATION).model_copy(update={"sample": sample})


def keys(path: Path) -> list[tuple[str, int]]:
    return [result.key for result in read_results(path)]


def test_samples_of_one_case_are_kept_apart_and_repeats_refused(tmp_path: Path) -> None:
    """(task, sample) is the key."""
    path = tmp_path / "results.jsonl"
    log = ResultLog(path)
    log.add(line("a"))
    log.add(line("a", 1))
    with pytest.raises(RunError, match=r"a, sample 1, is in .* already"):
        log.add(line("a", 1))
    assert keys(path) == [("a", 0), ("a", 1)]


def test_what_was_there_is_known_when_opened_again(tmp_path: Path) -> None:
    """A second start neither loses nor repeats anything."""
    path = tmp_path / "results.jsonl"
    ResultLog(path).add(line("a"))
    log = ResultLog(path)
    assert log.outcomes == {("a", 0): Result.UNFIXED}
    assert log.note == ""
    with pytest.raises(RunError, match="already"):
        log.add(line("a"))


def test_errors_are_taken_out_to_be_tried_again(tmp_path: Path, make_case: Callable[..., Case]) -> None:
    """All else stays, in its order."""
    path = tmp_path / "results.jsonl"
    log = ResultLog(path)
    for result in (line("a"), error_line(make_case("b"), "SandboxError", "gone", CONFIGURATION), line("c")):
        log.add(result)
    log = ResultLog(path)
    assert keys(path) == [("a", 0), ("c", 0)]
    log.add(line("b"))
    assert keys(path) == [("a", 0), ("c", 0), ("b", 0)]


@given(st.integers(1, 3), st.data())
def test_a_run_that_was_killed_at_any_byte_goes_on(count: int, data: st.DataObject) -> None:
    """What was whole is kept; adding the rest gives every line once."""
    names = [f"task-{number}" for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.jsonl")
        for name in names:
            ResultLog(path).add(line(name))
        content = path.read_bytes()
        path.write_bytes(content[: data.draw(st.integers(0, len(content)))])
        log = ResultLog(path)
        for name in names:
            if (name, 0) not in log.outcomes:
                log.add(line(name))
        assert path.read_bytes() == content


BROKEN = {
    "another schema": ({"schema": 99}, r"line 1 of .* has schema 99; this version reads 1"),
    "no schema": ({}, "line 1 of .* has schema None"),
    "too little": ({"schema": 1}, "line 1 of .* is no result: task_id"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_line_that_is_no_result_is_named(tmp_path: Path, kind: str) -> None:
    """With what is wrong with it."""
    values, reason = BROKEN[kind]
    path = tmp_path / "results.jsonl"
    jsonl.append_line(path, values)
    with pytest.raises(RunError, match=reason):
        ResultLog(path)


def test_a_file_that_repeats_a_result_is_refused(tmp_path: Path) -> None:
    """Rates over it would be wrong."""
    path = tmp_path / "results.jsonl"
    for _ in range(2):
        jsonl.append_line(path, line("a").values())
    with pytest.raises(RunError, match=r"line 2 of .* repeats line 1: a, sample 0"):
        keys(path)


def test_fields_of_a_newer_writer_are_kept(tmp_path: Path) -> None:
    """A line may hold more than this version knows."""
    path = tmp_path / "results.jsonl"
    jsonl.append_line(path, line("a").values() | {"novelty": [1]})
    (result,) = read_results(path)
    assert result.values()["novelty"] == [1]
