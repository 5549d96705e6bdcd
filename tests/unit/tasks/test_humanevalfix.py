"""Reading HumanEvalFix's published rows, on rows of the same form that were written here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import TaskError
from regreen.tasks import humanevalfix
from regreen.types import Check, Suite, SuiteKind

ROW = {
    "task_id": "Python/7",
    "prompt": "def double(n):\n    ...\n",
    "declaration": "import math\n\ndef double(n):\n",
    "canonical_solution": "    return n * 2\n",
    "buggy_solution": "    return n + 2\n",
    "test": "def check(double):\n    assert double(3) == 6\n\ncheck(double)",
    "example_test": "def check(double):\n    assert double(2) == 4\ncheck(double)\n",
    "entry_point": "double",
    "bug_type": "operator misuse",
    "failure_symptoms": "incorrect output",
    "docstring": "Twice a number.",
    "text": "    Twice a number.",
}


class Reader:
    """Stands in for the room that reads checks; a text with "unreadable" in it is refused."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, text: str, **asked: Any) -> Suite:
        self.asked.append({"text": text, **asked})
        if "unreadable" in text:
            raise TaskError("line 1 makes no sense.")
        return Suite(SuiteKind.SCRIPT, text, (Check("1", text),))


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_row_becomes_a_case(tmp_path: Path) -> None:
    """Program, reference, statement, visible and hidden checks and labels come from the fields that hold them."""
    reader = Reader()
    (case,) = humanevalfix.load(write(tmp_path / "rows.jsonl", ROW), reader)
    assert case.task.id == "humanevalfix/Python/7"
    assert case.task.source == "import math\n\ndef double(n):\n    return n + 2\n"
    assert case.reference == "import math\n\ndef double(n):\n    return n * 2\n"
    assert (case.task.entry_point, case.task.statement) == ("double", "Twice a number.")
    assert (case.task.suite.source, case.hidden.source) == (ROW["example_test"], ROW["test"])
    assert case.labels == {"bug_type": "operator misuse", "failure_symptoms": "incorrect output"}


def test_tests_are_read_as_part_of_the_program(tmp_path: Path) -> None:
    """The reader learns the program, whose imports and helpers the tests may use."""
    reader = Reader()
    humanevalfix.load(write(tmp_path / "rows.jsonl", ROW), reader)
    assert [asked["program"] for asked in reader.asked] == [ROW["declaration"] + ROW["buggy_solution"]] * 2
    assert all((asked["entry_point"], asked["module"]) == ("double", "program") for asked in reader.asked)


@pytest.mark.parametrize("example_test", ["", " \n"])
def test_a_row_without_examples_has_no_visible_checks(tmp_path: Path, example_test: str) -> None:
    """Some published rows have none."""
    (case,) = humanevalfix.load(write(tmp_path / "rows.jsonl", ROW | {"example_test": example_test}), Reader())
    assert len(case.task.suite) == 0
    assert len(case.hidden) == 1


def test_examples_that_continue_the_program_are_cut_to_what_is_theirs(tmp_path: Path) -> None:
    """Appended to the program, indented first lines belong to its last function; line numbers stay."""
    example_test = "        return 3\n\n    return 4\ncheck(double)\n    # end"
    (case,) = humanevalfix.load(write(tmp_path / "rows.jsonl", ROW | {"example_test": example_test}), Reader())
    assert case.task.suite.source == "\n\n\ncheck(double)\n    # end"


def without(name: str) -> dict[str, str]:
    return {key: value for key, value in ROW.items() if key != name}


MALFORMED = {
    "no JSON": ("{", "row 2 of .*it is no JSON"),
    "no object": ("[1]", "row 2 of .*it is no JSON object"),
    "deep": ("[" * 100_000, "row 2 of .*it is no JSON"),
    "no id": (json.dumps(without("task_id")), "row 2 of .*'task_id' is missing"),
    "no test": (json.dumps(without("test")), r"row 2 \(Python/7\) of .*'test' is missing"),
    "blank test": (json.dumps(ROW | {"test": "\n"}), r"row 2 \(Python/7\).*'test' is '\\n'"),
    "a number": (json.dumps(ROW | {"buggy_solution": 3}), "'buggy_solution' is int, not text"),
    "a null": (json.dumps(ROW | {"example_test": None}), "'example_test' is NoneType, not text"),
    "unreadable checks": (json.dumps(ROW | {"test": "unreadable"}), "'test' cannot be read as checks: line 1 makes no"),
    "an entry point that is nowhere": (
        json.dumps(ROW | {"entry_point": "triple"}),
        r"row 2 \(Python/7\) of .*: the field 'entry_point': nothing in the program is called 'triple'",
    ),
    "twice": (json.dumps(ROW | {"task_id": "Python/6"}), "the task_id occurs a second time"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_row_is_named_with_its_fault(tmp_path: Path, kind: str) -> None:
    """Row, task, field and reason."""
    line, reason = MALFORMED[kind]
    path = write(tmp_path / "rows.jsonl", ROW | {"task_id": "Python/6"})
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(TaskError, match=reason):
        humanevalfix.load(path, Reader())


def test_files_that_are_no_data_set_are_refused(tmp_path: Path) -> None:
    """Empty ones and missing ones."""
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(TaskError, match="holds no rows"):
        humanevalfix.load(tmp_path / "empty.jsonl", Reader())
    with pytest.raises(TaskError, match=r"the data set .* does not exist"):
        humanevalfix.load(tmp_path / "missing.jsonl", Reader())


def test_only_what_is_wanted_is_read(tmp_path: Path) -> None:
    """Other rows are checked for their ids alone."""
    reader = Reader()
    rows = write(tmp_path / "rows.jsonl", ROW, ROW | {"task_id": "Python/8", "test": "unreadable"})
    (case,) = humanevalfix.load(rows, reader, only={"humanevalfix/Python/7"})
    assert case.task.id == "humanevalfix/Python/7"
    assert len(reader.asked) == 2
