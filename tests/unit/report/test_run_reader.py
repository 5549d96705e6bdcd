"""Reading runs that anybody may have written: what is a result is kept, what is none is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regreen.errors import RunError
from regreen.evaluate.records import Result
from regreen.report.run_reader import Run, read_run, read_sample_lines

LineOf = Callable[..., dict[str, Any]]
RunOf = Callable[..., Run]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    "sample dataset strategy model feedback plausible robust stop iters iteration model_calls token_usage cost_usd "
    "runtime_sec timings_sec labels attempts turns checks buggy_source".split()
)


def write(folder: Path, content: bytes) -> Path:
    path = folder / "results.jsonl"
    path.write_bytes(content)
    return path


def encoded(*lines: dict[str, Any]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode("ascii")


def test_results_of_humaneval_are_read(tmp_path: Path) -> None:
    """They say only whether a completion passed; samples of a task are numbered as they come."""
    row = {"completion": "    return 1\n", "result": "passed"}
    lines = [
        {"task_id": name, "passed": passed, **row} for name, passed in (("HumanEval/0", True), ("HumanEval/0", False))
    ]
    run = read_run(write(tmp_path, encoded(*lines, {"task_id": "HumanEval/1", "passed": "yes"})))
    assert [(sample.key, sample.outcome) for sample in run.samples] == [
        (("HumanEval/0", 0), Result.FIXED),
        (("HumanEval/0", 1), Result.UNFIXED),
    ]
    assert run.remarks == ("Line 3 was left out: it has no outcome.",)


def test_a_line_needs_little_to_be_a_result(tmp_path: Path) -> None:
    """A task and an outcome: all else has a default, and nothing unknown is told as a number."""
    run = read_run(write(tmp_path, b'{"task_id": "a", "outcome": "fixed"}\n'))
    (sample,) = run.samples
    assert (sample.key, sample.outcome) == (("a", 0), Result.FIXED)
    assert (sample.seconds, sample.usd, sample.iteration, sample.plausible) == (None, None, None, None)
    assert sample.setup.dataset == sample.setup.feedback == "unknown"
    assert run.remarks == ()


def test_a_folder_and_its_file_are_the_same_run(run_of: RunOf, line_of: LineOf) -> None:
    """And both are called by the folder's name, and know what its run.json says."""
    run = run_of([line_of()], "first", {"dataset_hash": "abc"})
    same = read_run(run.path)
    assert run.name == same.name == "first"
    assert run.header == same.header == {"dataset_hash": "abc"}
    assert run.samples == same.samples


def test_a_file_of_another_name_does_not_take_the_folder_s_header(run_of: RunOf, line_of: LineOf) -> None:
    """run.json is about results.jsonl."""
    run = run_of([line_of()], "first", {"dataset_hash": "abc"})
    other = run.path.rename(run.path.with_name("mine.jsonl"))
    assert (read_run(other).name, dict(read_run(other).header)) == ("mine.jsonl", {})


def test_foreign_lines_are_said_and_left_out(tmp_path: Path, line_of: LineOf) -> None:
    """Each reason once, with how many lines it holds for and the first of them."""
    lines = [
        encoded(line_of("a")),
        b"no JSON\n",
        b"[1, 2]\n",
        b"\n",
        encoded(line_of("b", schema=7)),
        encoded({"outcome": "fixed"}),
        encoded(line_of("c", outcome="splendid")),
        encoded(line_of("a")),
        encoded(line_of("d"))[:-9],
    ]
    run = read_run(write(tmp_path, b"".join(lines)))
    assert [sample.task_id for sample in run.samples] == ["a"]
    assert list(run.remarks) == [
        "2 lines were left out: it is no JSON object, line 2 first.",
        "Line 5 was left out: it is of another schema.",
        "Line 6 was left out: it names no task_id.",
        "Line 7 was left out: its outcome 'splendid' is not known.",
        "Line 8 was left out: it repeats an earlier sample.",
        "Line 9 was left out: it was torn.",
    ]


def test_a_last_line_that_only_lacks_its_end_counts(tmp_path: Path, line_of: LineOf) -> None:
    """It is whole all the same."""
    run = read_run(write(tmp_path, encoded(line_of("a"), line_of("b"))[:-1]))
    assert (len(run.samples), run.remarks) == (2, ())


def test_samples_without_a_number_are_numbered(tmp_path: Path) -> None:
    """In the order of the file."""
    line = {"task_id": "a", "outcome": "unfixed"}
    run = read_run(write(tmp_path, encoded(line, line, line)))
    assert [sample.number for sample in run.samples] == [0, 1, 2]


def test_a_run_that_has_just_begun_is_empty(tmp_path: Path) -> None:
    """No results yet is no error, with an empty file or with none."""
    (tmp_path / "run.json").write_text("{}", encoding="ascii")
    assert read_run(tmp_path).samples == ()
    assert read_run(write(tmp_path, b"")).samples == ()


def test_a_run_that_was_killed_during_its_first_line_is_empty(tmp_path: Path) -> None:
    """What a folder of a run holds is told, and so is the torn line; a loose file like that is no run."""
    (tmp_path / "results.jsonl").write_text('{"schema":1,"task_')
    with pytest.raises(RunError, match="line 1, for one, is none, since it was torn"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"dataset": "bundled"}')
    run = read_run(tmp_path)
    assert (run.samples, run.remarks) == ((), ("Line 1 was left out: it was torn.",))


def test_what_is_no_run_is_refused_with_a_remedy(tmp_path: Path) -> None:
    """A path that leads nowhere, a folder without a run, a file without one result."""
    with pytest.raises(RunError, match="does not exist"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(RunError, match="holds no run"):
        read_run(tmp_path)
    with pytest.raises(RunError, match=r"holds no result: line 1, for one.*no JSON object") as refused:
        read_run(write(tmp_path, b"Dear diary\n"))
    assert "results.jsonl of the schema" in refused.value.remedy


def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, line_of: LineOf) -> None:
    """It is not even held in memory; the lines after it are found."""
    path = write(tmp_path, encoded(line_of("a")))
    with path.open("r+b") as file:
        # A hole: it takes no room on the disk.
        file.seek(65 << 20)
        file.write(b"\n" + encoded(line_of("c")))
    run = read_run(path)
    assert [sample.task_id for sample in run.samples] == ["a", "c"]
    assert run.remarks == ("Line 2 was left out: it is longer than 64 MiB.",)
    assert [line["task_id"] for _, line in read_sample_lines(run, list(run.samples))] == ["a", "c"]


def test_lines_are_found_again(run_of: RunOf, line_of: LineOf) -> None:
    """In any order; a file that has changed since gives nothing rather than something else."""
    run = run_of([line_of(task, diff=task * 50) for task in "abc"])
    wanted = [run.samples[2], run.samples[0]]
    assert [line["diff"] for _, line in read_sample_lines(run, wanted)] == ["c" * 50, "a" * 50]
    run.path.write_bytes(b"\n" * run.path.stat().st_size)
    assert [dict(line) for _, line in read_sample_lines(run, wanted)] == [{}, {}]
    assert list(read_sample_lines(run, [])) == []


@pytest.mark.parametrize(
    ("fields", "iteration"),
    [
        ({"iteration": 3}, 3),
        ({"iteration": 0, "attempts": []}, 0),
        ({"iters": 2, "attempts": [{"outcome": "failed"}, {"outcome": "passed"}]}, 1),
        ({"iters": 9, "attempts": [{"outcome": "failed"}, {"outcome": "passed"}]}, None),
        ({"attempts": [{"outcome": "passed", "turn": 4}], "turns": [{"number": 4, "iteration": 2}]}, 2),
        ({"attempts": [{"turn": 4}, {"outcome": "passed"}], "turns": [{"number": 4, "iteration": 2}]}, 2),
        ({"attempts": [{}, {"outcome": "passed"}, {"turn": 4}], "turns": [{"number": 4, "iteration": 2}]}, 0),
        ({"attempts": [{"outcome": "failed"}]}, None),
        ({"outcome": "unfixed", "iteration": 3}, None),
        ({}, None),
    ],
)
def test_the_iteration_of_a_fix_is_recorded_or_told_by_the_attempts(
    run_of: RunOf, line_of: LineOf, fields: dict[str, Any], iteration: int | None
) -> None:
    """Of attempts that were cut it cannot be told."""
    assert run_of([line_of() | fields]).samples[0].iteration == iteration


def test_judged_samples_can_be_reported(tmp_path: Path) -> None:
    """Passed and failed are fixed and unfixed; of two preludes the first is told, the other said."""
    lines = [
        {"schema": 1, "task_id": "a", "sample": 0, "prelude": prelude, "outcome": outcome, "seconds": 0.5}
        for prelude, outcome in (("official", "passed"), ("none", "failed"))
    ]
    (tmp_path / "judged.jsonl").write_bytes(encoded(*lines))
    run = read_run(tmp_path)
    (sample,) = run.samples
    assert (sample.outcome, sample.seconds) == (Result.FIXED, 0.5)
    assert sample.setup.strategy == "judged only, prelude official"
    assert run.remarks == ("Line 2 was left out: it was judged under another prelude than 'official'.",)


def test_a_search_without_a_price_was_free(run_of: RunOf, line_of: LineOf) -> None:
    """No model was asked; of a model's run a missing price stays unknown."""
    run = run_of([line_of("a", strategy="search", model=None), line_of("b"), line_of("c", cost_usd=0.25)])
    assert [sample.usd for sample in run.samples] == [0.0, None, 0.25]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(FIELDS, JSON, max_size=6))
def test_no_field_of_any_kind_breaks_the_reading(tmp_path: Path, fields: dict[str, Any]) -> None:
    """A foreign line may hold anything under any name."""
    line = {**fields, "task_id": "a", "outcome": "fixed"}
    run = read_run(write(tmp_path, json.dumps(line).encode("ascii") + b"\n"))
    assert run.samples[0].outcome is Result.FIXED
    assert run.samples[0].tokens >= 0
