"""Programs that others generated: every format is read, ids are matched, and what cannot be used is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import TaskError
from regreen.tasks.sample_rows import SampleContent, SampleFormat, decode_row
from regreen.tasks.samples import RECORDED_FAILED, RECORDED_PASSED, RECORDED_UNKNOWN, function_head, read_samples
from regreen.types import Case, Suite, SuiteKind, Task

NOTHING = Suite(SuiteKind.SCRIPT, "", ())
SOURCE = "import math\n\n\ndef answer(a,\n           b):\n    # why\n    return a - b\n"


def case(name: str, source: str = SOURCE, entry_point: str | None = "answer") -> Case:
    return Case(Task(name, source, entry_point, NOTHING), NOTHING, "")


CASES = (case("shelf/one"), case("shelf/two"), case("shelf/three"))


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "samples.jsonl"


def test_evalplus_lines_are_numbered_as_they_come(file: Path) -> None:
    """Several lines of one task are its samples, wherever they stand."""
    lines(
        file,
        {"task_id": "one", "solution": "a"},
        {"task_id": "two", "solution": "b"},
        {"task_id": "one", "solution": "c"},
    )
    samples = read_samples(file, "shelf", CASES)
    assert (samples.format, len(samples), samples.without) == (SampleFormat.EVALPLUS, 3, ("shelf/three",))
    assert [samples.text(0, 0), samples.text(0, 1), samples.text(1, 0)] == ["a", "c", "b"]
    assert list(samples.of_task[0].numbers) == [0, 1]


def test_a_completion_goes_on_from_the_task_s_function(file: Path) -> None:
    """What stands before the body's first statement is the task's own, helpers and imports included."""
    samples = read_samples(lines(file, {"task_id": "one", "completion": "    return 1\n"}), "shelf", CASES)
    assert samples.text(0, 0) == "import math\n\n\ndef answer(a,\n           b):\n    # why\n    return 1\n"


def test_rows_bring_numbers_and_recorded_verdicts(file: Path) -> None:
    """A verdict that is not there is not known, which is not the same as failed."""
    lines(
        file,
        {"task_id": "one", "sample": 7, "code": "a", "recorded_passed": True},
        {"task_id": "one", "sample": 3, "code": "b", "recorded_passed": False},
        {"task_id": "one", "sample": 5, "code": ""},
    )
    samples = read_samples(file, "shelf", CASES)
    assert samples.format is SampleFormat.ROWS
    assert list(samples.of_task[0].numbers) == [7, 3, 5]
    assert list(samples.of_task[0].recorded) == [RECORDED_PASSED, RECORDED_FAILED, RECORDED_UNKNOWN]
    assert samples.text(0, 2) == ""


def test_our_own_results_are_samples_too(file: Path) -> None:
    """Without a hand-over the program stayed as it was; a sample that ended in an error has none and is counted."""
    row = {"task_id": "shelf/one", "outcome": "fixed", "passed": True, "buggy_source": "old"}
    lines(
        file,
        {**row, "sample": 0, "final_source": "new"},
        {**row, "sample": 1, "final_source": None, "outcome": "unfixed", "passed": False},
        {**row, "sample": 2, "final_source": None, "outcome": "error", "passed": False},
    )
    samples = read_samples(file, "shelf", CASES)
    assert (samples.format, len(samples), samples.empty) == (SampleFormat.RESULTS, 2, 1)
    assert [samples.text(0, 0), samples.text(0, 1)] == ["new", "old"]
    assert list(samples.of_task[0].recorded) == [RECORDED_PASSED, RECORDED_FAILED]


def test_a_list_of_lists_follows_the_order_of_the_data_set(file: Path) -> None:
    """It may end early."""
    file.write_text('\ufeff \n[["a", "b"], ["c"]]', encoding="utf-8")
    samples = read_samples(file, "shelf", CASES)
    assert (samples.format, len(samples), samples.without) == (SampleFormat.BIGCODE, 3, ("shelf/three",))
    assert [samples.text(0, 1), samples.text(1, 0)] == ["b", "c"]


@pytest.mark.parametrize("name", ["Python/0", "humanevalfix/Python/0", "HumanEval/0", "humanevalfix/HumanEval/0"])
def test_ids_are_understood_with_and_without_the_data_set(file: Path, name: str) -> None:
    """Upstream's name of the same task too."""
    cases = (case("humanevalfix/Python/0"), case("humanevalfix/Python/00"))
    samples = read_samples(lines(file, {"task_id": name, "solution": "a"}), "humanevalfix", cases)
    assert [len(found) for found in samples.of_task] == [1, 0]


def test_samples_of_unknown_tasks_are_counted_by_name(file: Path) -> None:
    """They are neither judged nor silently dropped."""
    rows = [{"task_id": name, "solution": "a"} for name in ("one", "four", "four", "HumanEval/1")]
    samples = read_samples(lines(file, *rows), "shelf", CASES)
    assert (len(samples), samples.strangers) == (1, {"four": 2, "HumanEval/1": 1})


def test_a_file_for_another_data_set_is_refused(file: Path) -> None:
    """Nothing to judge is an error that shows what the file holds."""
    with pytest.raises(TaskError, match=r"no sample for any task of shelf: its samples are for four"):
        read_samples(lines(file, {"task_id": "four", "solution": "a"}), "shelf", CASES)
    file.write_text("\n\n", encoding="utf-8")
    with pytest.raises(TaskError, match="it holds no programs"):
        read_samples(file, "shelf", CASES)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"solution": "a"}, r"row 2 of .*: the field 'task_id' is missing"),
        ({"task_id": 3, "solution": "a"}, r"row 2 of .*: the field 'task_id' is 3, not text"),
        ({"task_id": "one", "solution": None}, r"row 2 \(one\) of .*: the field 'solution' is null, not text"),
        ({"task_id": "one", "solution": ["a"]}, "the field 'solution' is a list, not text"),
        ({"task_id": "one"}, "the field 'solution' is missing"),
        ({"task_id": "one", "solution": "x" * ((2 << 20) + 1)}, "has 2,097,153 characters"),
        ({"task_id": "odd", "completion": "    pass"}, r"\(odd\).*: the field 'completion' goes on from a function"),
    ],
)
def test_a_malformed_row_is_named(file: Path, row: dict[str, Any], said: str) -> None:
    """Row, field and why; before anything is judged."""
    lines(file, {"task_id": "one", "solution": "a"}, row)
    with pytest.raises(TaskError, match=said):
        read_samples(file, "shelf", (*CASES, case("shelf/odd", "class A: pass\n", None)))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"task_id": "one", "code": "a"}, "'sample' is missing"),
        ({"task_id": "one", "sample": -1, "code": "a"}, "'sample' is -1, not a whole number"),
        ({"task_id": "one", "sample": True, "code": "a"}, "'sample' is True, not a whole number"),
        ({"task_id": "one", "sample": 0, "code": "a", "recorded_passed": "yes"}, "'yes', not true or false"),
        ({"task_id": "shelf/one", "sample": 9, "code": "a"}, "sample 9 of this task occurs a second time"),
    ],
)
def test_a_malformed_numbered_row_is_named(file: Path, row: dict[str, Any], said: str) -> None:
    """A sample that is there twice is one of the two by mistake."""
    with pytest.raises(TaskError, match=said):
        read_samples(lines(file, {"task_id": "one", "sample": 9, "code": "a"}, row), "shelf", CASES)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"task_id": "one", "solution"', "row 1 of .*: it is no JSON"),
        (b"3\n", "it is 3, not a JSON object"),
        (b'{"task_id": "\xff"}\n', "it is not UTF-8 .byte 13 of the row"),
        (b'{"task_id": "one"}\n', "holds no program: none of the fields 'solution'"),
        (b'{"task_id": "one", "solution": "", "code": ""}\n', "evalplus or rows.*--format"),
        (b"[1, 2]", "row 1 of .*: it is no list of programs"),
        (b'[["a", 1]]', "sample 1 is no text"),
        (b"[[", "is no JSON"),
        (b"[[],[],[],[]]", "programs for 4 tasks, and the data set has 3"),
    ],
)
def test_what_is_no_such_file_is_refused(file: Path, content: bytes, said: str) -> None:
    """Torn, foreign, ambiguous or of the wrong length."""
    file.write_bytes(content)
    with pytest.raises(TaskError, match=said):
        read_samples(file, "shelf", CASES)


def test_a_format_given_by_name_decides(file: Path) -> None:
    """Where a row could be read in two ways."""
    lines(file, {"task_id": "one", "sample": 4, "solution": "a", "code": "b"})
    assert read_samples(file, "shelf", CASES, form=SampleFormat.EVALPLUS).text(0, 0) == "a"
    assert read_samples(file, "shelf", CASES, form=SampleFormat.ROWS).text(0, 0) == "b"
    with pytest.raises(TaskError, match="is no JSON list"):
        read_samples(file, "shelf", CASES, form=SampleFormat.BIGCODE)


def test_a_file_that_is_not_there_or_changes_is_noticed(file: Path) -> None:
    """A verdict is never given on a program other than the one that was found."""
    with pytest.raises(TaskError, match="does not exist"):
        read_samples(file, "shelf", CASES)
    with pytest.raises(TaskError, match="is a folder"):
        read_samples(file.parent, "shelf", CASES)
    samples = read_samples(lines(file, {"task_id": "one", "solution": "a"}), "shelf", CASES)
    lines(file, {"task_id": "one", "solution": "b"})
    with pytest.raises(TaskError, match="has changed"):
        samples.text(0, 0)


def test_a_body_that_begins_with_a_decorator_is_left_out_whole() -> None:
    """The decorator belongs to the statement below it."""
    source = "def answer():\n    @cache\n    def inner(): pass\n    return inner()\n"
    assert function_head(Task("t", source, "answer", NOTHING)) == "def answer():\n"


def test_a_function_on_one_line_has_no_head() -> None:
    """There is nothing that a body on lines of its own could go on from."""
    assert function_head(Task("t", "def answer(a): return a\n", "answer", NOTHING)) is None
    assert function_head(Task("t", "def broken(:\n", "broken", NOTHING)) is None


@given(st.lists(st.tuples(st.sampled_from(["one", "two", "three"]), st.text(max_size=20)), min_size=1, max_size=12))
def test_every_program_comes_back_as_it_was_written(tmp_path_factory: Any, programs: list[tuple[str, str]]) -> None:
    """Whatever its text holds, and however the tasks are mixed."""
    file = tmp_path_factory.mktemp("samples") / "samples.jsonl"
    lines(file, *({"task_id": name, "solution": text} for name, text in programs))
    samples = read_samples(file, "shelf", CASES)
    for task, name in enumerate(("one", "two", "three")):
        read = [samples.text(task, place) for place in range(len(samples.of_task[task]))]
        assert read == [text for of, text in programs if of == name]


def test_a_row_that_nests_too_deeply_is_no_json() -> None:
    """The parser's own limit ends in a refusal too."""
    with pytest.raises(TaskError, match="it is no JSON"):
        decode_row(b"[" * 200_000, 1, Path("x"))


PATCH = "--- a/p.py\n+++ b/p.py\n@@ -1 +1 @@\n-a\n+b\n"
PREDICTIONS = {
    "by name": {"one": {"model_patch": PATCH, "model_name_or_path": "m"}, "shelf/two": {"model_patch": None}},
    "in a list": [{"instance_id": "one", "model_patch": PATCH}, {"instance_id": "two", "model_patch": ""}],
}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("kind", PREDICTIONS)
def test_predictions_are_patches(file: Path, kind: str, indent: int | None) -> None:
    """As one document, on one line or on many; null is an agent that left none."""
    file.write_text(json.dumps(PREDICTIONS[kind], indent=indent), encoding="utf-8")
    for form in (None, SampleFormat.PREDS):
        samples = read_samples(file, "shelf", CASES, form=form)
        assert (samples.format, samples.holds, len(samples)) == (SampleFormat.PREDS, SampleContent.PATCHES, 2)
        assert [samples.text(0, 0), samples.text(1, 0)] == [PATCH, ""]


def test_predictions_may_be_json_lines(file: Path) -> None:
    """A name may recur: its samples are numbered as they come."""
    rows = [{"instance_id": "one", "model_patch": PATCH}, {"instance_id": "one", "model_patch": "x"}]
    for write in (lines, lambda file, *rows: documents(file, list(rows))):
        samples = read_samples(write(file, *rows), "shelf", CASES)
        assert samples.format is SampleFormat.PREDS
        assert [(number, samples.text(0, number)) for number in samples.of_task[0].numbers] == [(0, PATCH), (1, "x")]


def documents(file: Path, value: Any) -> Path:
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"one": {"model_patch": 3}}, r"row 1 \(one\).*'model_patch' is 3, not text"),
        ({"one": {"patch": "x"}}, r"row 1 \(one\).*'model_patch' is missing"),
        ({"one": {"model_patch": "x", "instance_id": "two"}}, "it stands under another name, 'one'"),
        ([{"model_patch": "x"}], "row 1 of .*'instance_id' is missing"),
        ([{"instance_id": "one", "model_patch": "x"}, "y"], "it is no list of programs"),
        ({"nine": {"model_patch": "x"}}, "its samples are for nine"),
    ],
)
def test_a_malformed_prediction_is_named(file: Path, value: Any, said: str) -> None:
    """With its place, its task and what is wrong with it."""
    with pytest.raises(TaskError, match=said):
        read_samples(documents(file, value), "shelf", CASES)


def test_replies_are_told_by_their_field_or_by_the_reader(file: Path) -> None:
    """A completion that is a reply goes on from nothing."""
    samples = read_samples(
        lines(file, {"task_id": "one", "reply": "Sure:"}, {"task_id": "two", "response": "No"}), "shelf", CASES
    )
    assert (samples.format, samples.holds) == (SampleFormat.REPLIES, SampleContent.REPLIES)
    assert [samples.text(0, 0), samples.text(1, 0)] == ["Sure:", "No"]
    for content in ({"task_id": "one", "completion": "Sure:"}, {"task_id": "one", "sample": 4, "code": "Sure:"}):
        samples = read_samples(lines(file, content), "shelf", CASES, raw=True)
        assert (samples.holds, samples.text(0, 0)) == (SampleContent.REPLIES, "Sure:")
    samples = read_samples(documents(file, [["Sure:"]]), "shelf", CASES, raw=True)
    assert (samples.format, samples.holds, samples.text(0, 0)) == (SampleFormat.BIGCODE, SampleContent.REPLIES, "Sure:")
    odd = (*CASES, case("shelf/odd", "class A: pass\n", None))
    assert (
        read_samples(lines(file, {"task_id": "odd", "completion": "Sure:"}), "shelf", odd, raw=True).text(3, 0)
        == "Sure:"
    )
