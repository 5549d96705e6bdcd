"""Anyone's own tasks in a table: read as they are meant, or refused row by row with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import TaskError
from regreen.tasks import task_file
from regreen.types import Case, Suite
from regreen.verify.suites import read_suite

ROW: dict[str, Any] = {
    "task_id": "mine/double",
    "program": "def double(n):\n    return n + 2\n",
    "hidden_checks": ["assert double(3) == 6", "assert double(0) == 0"],
    "visible_checks": "assert double(2) == 4\n",
    "extra_checks": "def test_more():\n    assert double(5) == 10\n",
    "reference": "def double(n):\n    return n * 2\n",
    "statement": "Twice a number.",
    "entry_point": "double",
    "labels": {"bug_type": "operator"},
    "anything": {"else": ["is", "the author's"]},
}


def load(folder: Path, *rows: Any, name: str = "tasks.jsonl") -> tuple[Case, ...]:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return task_file.load(folder / name, read_suite)


def test_a_row_becomes_a_case(tmp_path: Path) -> None:
    """Every field goes where it belongs, and the id is the author's own."""
    (case,) = load(tmp_path, ROW)
    assert (case.task.id, case.task.entry_point, case.task.statement) == ("mine/double", "double", "Twice a number.")
    assert (case.task.source, case.reference) == (ROW["program"], ROW["reference"])
    assert [check.code for check in case.hidden.checks] == ROW["hidden_checks"]
    assert len(case.task.suite) == 1
    assert case.extra is not None
    assert [check.id for check in case.extra.checks] == ["test_more"]
    assert case.labels == {"bug_type": "operator"}


def test_the_least_that_a_task_needs(tmp_path: Path) -> None:
    """A name, a program and what decides; empty values are as good as none."""
    least = {name: ROW[name] for name in ("task_id", "program", "hidden_checks")}
    for row in (least, least | {"visible_checks": None, "labels": None, "extra_checks": "", "entry_point": None}):
        (case,) = load(tmp_path, row)
        assert (case.task.module, case.reference, case.labels, case.extra) == ("program", "", {}, None)
        assert len(case.task.suite) == 0


def test_parquet_says_the_same(tmp_path: Path) -> None:
    """Labels as a map or as a record, in which a label that a row lacks is null."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    other = ROW | {"task_id": "b", "labels": {"topic": "numbers"}}
    expected = load(tmp_path, ROW, other)
    for labels in (None, arrow.map_(arrow.string(), arrow.string())):
        columns = {name: [row[name] for row in (ROW, other)] for name in task_file.TaskRow.model_fields if name in ROW}
        arrays = {
            name: arrow.array([list(v.items()) for v in values], type=labels) if labels and name == "labels" else values
            for name, values in columns.items()
        }
        parquet.write_table(arrow.table(arrays), tmp_path / "t.parquet")
        assert task_file.load(tmp_path / "t.parquet", read_suite) == expected


MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "no program": ({"program": None}, "the field 'program' is missing"),
    "a blank program": ({"program": " \n"}, "the field 'program' is blank"),
    "a number": ({"reference": 3}, "the field 'reference' is not text"),
    "checks of another kind": ({"hidden_checks": {"a": 1}}, "the field 'hidden_checks' is not text or a list of texts"),
    "a list with a number": ({"hidden_checks": ["assert double(1)", 3]}, "'hidden_checks' is not text or a list"),
    "no checks": ({"hidden_checks": []}, "the field 'hidden_checks' is blank"),
    "labels of another kind": ({"labels": ["a"]}, "the field 'labels' is not an object of text"),
    "a label that is no text": ({"labels": {"a": 1}}, "the field 'labels' is not an object of text"),
    "a slip": ({"hiden_checks": "x", "hidden_checks": None}, "'hiden_checks' is not known; 'hidden_checks' is"),
    "a slip beside the field": ({"hiden_checks": "x"}, "'hiden_checks' is not known; 'hidden_checks' is"),
    "a module that has no such name": (
        {"module": "my-module"},
        "'module': nothing can be imported by the name 'my-module'",
    ),
    "a module named by a keyword": ({"module": "class"}, "'module': nothing can be imported by the name 'class'"),
    "a lone surrogate": ({"program": "\ud800"}, "the field 'program' is not text"),
    "a cut assert": (
        {"hidden_checks": "assert double(3) == 6\nassert double(\n"},
        r"'hidden_checks': line 2 is an incomplete assert: `assert double\(` \('\(' was never closed\)",
    ),
    "a cut item": (
        {"visible_checks": ["assert double(1) == 2", "assert double(2) =="]},
        r"'visible_checks': item 2, line 1 is an incomplete assert: `assert double\(2\) ==` \(invalid syntax\)",
    ),
    "an entry point that is nowhere": (
        {"entry_point": "triple"},
        "the field 'entry_point': nothing in the program is called 'triple'",
    ),
    "no check": ({"extra_checks": "x = 1"}, "'extra_checks' cannot be read as checks: The tests in mine/double"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_row_is_told_with_row_field_and_reason(tmp_path: Path, kind: str) -> None:
    """Nothing of it is run, and nothing beside it hides it."""
    changed, reason = MALFORMED[kind]
    with pytest.raises(TaskError, match=r"row 2 \(mine/double\) of .*tasks.jsonl: .*" + reason):
        load(tmp_path, ROW | {"task_id": "fine"}, ROW | changed)


@pytest.mark.parametrize(
    "row",
    [
        {"program": "double = lambda n: n + 2\n"},
        {"program": "from operator import neg as double\n"},
        {"program": "from math import *\n", "reference": ""},
        {"program": "class Sum:\n    def double(self):\n        return 3\n", "entry_point": "Sum.double"},
        {"program": "def duoble(n):\n    return n * 2\n"},
        {"program": "def duoble(n)\n", "reference": ""},
    ],
)
def test_an_entry_point_may_be_anything_that_bears_its_name(tmp_path: Path, row: dict[str, str]) -> None:
    """Where the bug is the name itself the reference has it; a program that does not parse may have anything."""
    (case,) = load(tmp_path, ROW | row)
    assert case.task.entry_point == (ROW | row)["entry_point"]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Up to ten, with how many more there are: mending a file takes one round, not one for each row."""
    rows = [ROW | {"task_id": f"t{number}", "program": ""} for number in range(13)]
    with pytest.raises(TaskError, match="has 13 faults") as caught:
        load(tmp_path, *rows)
    assert str(caught.value).count("the field 'program' is blank") == 10
    assert "and 3 more" in str(caught.value)


def test_two_cut_asserts_of_one_row_are_both_told(tmp_path: Path) -> None:
    """And the whole one between them is not."""
    text = "assert double(\nassert double(1) == 2\nassert double(1) == [\n"
    with pytest.raises(TaskError, match="has 2 faults") as caught:
        load(tmp_path, ROW | {"hidden_checks": text})
    assert "line 1 is an incomplete assert" in str(caught.value)
    assert "line 3 is an incomplete assert" in str(caught.value)
    assert "line 2" not in str(caught.value)


def test_names_are_not_shared_and_files_not_empty(tmp_path: Path) -> None:
    """Results could not be told apart."""
    with pytest.raises(TaskError, match="its task_id is that of another row"):
        load(tmp_path, ROW, ROW)
    with pytest.raises(TaskError, match="holds no rows"):
        load(tmp_path)


def test_only_what_is_wanted_has_its_checks_read(tmp_path: Path) -> None:
    """What is wrong with the checks of others is not looked for; their fields are."""
    (tmp_path / "t.jsonl").write_text(
        json.dumps(ROW) + "\n" + json.dumps(ROW | {"task_id": "b", "hidden_checks": "x ="}) + "\n", encoding="utf-8"
    )
    (case,) = task_file.load(tmp_path / "t.jsonl", read_suite, only={"mine/double"})
    assert isinstance(case.hidden, Suite)


def test_the_schema_says_what_a_row_may_hold() -> None:
    """Every field with a word on what it is for, and what cannot be left out."""
    told = task_file.task_row_schema()
    assert told["required"] == ["task_id", "program", "hidden_checks"]
    assert all(field["description"] for field in told["properties"].values())
    assert json.loads(json.dumps(told)) == told
