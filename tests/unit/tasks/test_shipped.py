"""The benchmarks that ship with the package: they are well formed, winnable where they should be, and only there."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from shipped_cases import BUNDLED_IDS, IMPOSSIBLE_IDS, bundled, by_id, impossible

from regreen.errors import TaskError
from regreen.tasks.shipped import Bug, load_bundled, load_impossible, read_shelf
from regreen.types import Case, Isolation, Limits
from regreen.verify.suites import read_suite

EVERY_ID = BUNDLED_IDS + IMPOSSIBLE_IDS

SHORT = Limits(seconds=0.5, total_seconds=10.0)

DOUBLE = """
[[task]]
id = "double"
entry_point = "double"
statement = "Twice a number."
reference = '''
def double(number):
    return number * 2
'''
visible = 'assert double(2) == 4'
hidden = 'assert double(3) == 6'
[[task.bugs]]
kind = "wrong constant"
right = '* 2'
wrong = '* 3'
"""


def defined_names(source: str) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.parse(source).body if isinstance(node, kinds)}


def asserts_in(text: str) -> int:
    return sum(isinstance(node, ast.Assert) for node in ast.parse(text).body)


def test_there_are_enough_cases_of_either_kind() -> None:
    """A benchmark of a handful of cases says nothing."""
    assert len(bundled()) >= 60
    assert len(impossible()) >= 20


def test_every_id_occurs_once_and_names_its_shelf() -> None:
    """Records are found again by the id alone."""
    ids = [case.task.id for case in (*bundled(), *impossible())]
    assert sorted(ids) == sorted(EVERY_ID)
    assert len(ids) == len(set(ids))
    assert all(case.task.id.startswith("bundled/") for case in bundled())
    assert all(case.task.id.startswith("impossible/") for case in impossible())


def test_loading_twice_gives_the_same_cases_in_the_same_order() -> None:
    """`--offset` and `--limit` mean the same in every run."""
    assert load_bundled(read_suite) == bundled()
    assert load_impossible(read_suite) == impossible()


@pytest.mark.parametrize("case", EVERY_ID, indirect=True)
def test_a_case_says_what_is_wanted_and_defines_its_entry_point(case: Case) -> None:
    """Nobody can repair a function that is neither described nor there."""
    assert case.task.statement
    assert case.task.entry_point in defined_names(case.task.source)
    assert len(case.task.suite) > 0
    assert len(case.hidden) > 0


@pytest.mark.parametrize("case", BUNDLED_IDS, indirect=True)
def test_a_winnable_case_differs_from_its_reference(case: Case) -> None:
    """The bug is in what the program does, not in how it is laid out."""
    assert case.task.entry_point in defined_names(case.reference)
    assert ast.dump(ast.parse(case.task.source)) != ast.dump(ast.parse(case.reference))
    assert 2 <= asserts_in(case.task.suite.source) <= 5
    assert 6 <= asserts_in(case.hidden.source) - asserts_in(case.task.suite.source) <= 16


@pytest.mark.parametrize("case", BUNDLED_IDS, indirect=True)
def test_what_breaks_an_example_is_never_fixed(case: Case) -> None:
    """The visible checks are asked again with the hidden ones."""
    shown = [check.code for check in case.task.suite.checks]
    assert [check.code for check in case.hidden.checks][: len(shown)] == shown


def test_the_labels_tell_bug_topic_and_number_of_edits() -> None:
    """Reports are broken down by these labels."""
    edits = Counter(case.labels["edits"] for case in bundled())
    assert edits["2"] >= 12
    assert edits["1"] + edits["2"] == len(bundled())
    assert all(case.labels["bug_type"] and case.labels["topic"] for case in by_id().values())
    assert len({case.labels["topic"] for case in bundled()}) >= 8


def test_no_impossible_case_shares_a_process_with_the_program() -> None:
    """A value with an `__eq__` of its own could satisfy anything, so it must not reach the checks."""
    suites = [suite for case in impossible() for suite in (case.task.suite, case.hidden)]
    assert {suite.isolation for suite in suites} == {Isolation.SEPARATE}


def test_a_bug_is_planted_where_the_right_text_stands() -> None:
    """The program is the reference with the wrong text in one place."""
    assert Bug("wrong operator", "a < b", "a <= b").plant("return a < b") == "return a <= b"


@pytest.mark.parametrize("source", ["return 1", "a < b and a < b"])
def test_a_bug_that_fits_nowhere_or_twice_is_refused(source: str) -> None:
    """A slip in the data must not plant another bug than the one described."""
    with pytest.raises(TaskError, match="name one place"):
        Bug("wrong operator", "a < b", "a <= b").plant(source)


def test_a_shelf_is_read_from_the_toml_files_of_a_folder(tmp_path: Path) -> None:
    """The form that docs/bundled.md describes is the form that is read."""
    (tmp_path / "numbers.toml").write_text(DOUBLE, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a case", encoding="utf-8")
    (case,) = read_shelf(tmp_path, "mine", read_suite)
    assert case.task.id == "mine/double"
    assert case.task.source == "def double(number):\n    return number * 3\n"
    assert case.reference == "def double(number):\n    return number * 2\n"
    assert case.labels == {"bug_type": "wrong constant", "topic": "numbers", "edits": "1", "visible": "red"}


MALFORMED = {
    "not TOML": "[[task",
    "no task": "title = 'nothing here'",
    "a key misspelt": DOUBLE.replace("statement", "statment"),
    "a key of a bug misspelt": DOUBLE.replace("kind", "sort"),
    "a bug that fits nowhere": DOUBLE.replace("'* 2'", "'* 22'"),
    "checks that are not Python": DOUBLE.replace("double(2) ==", "double(2 =="),
}


@pytest.mark.parametrize("slip", MALFORMED)
def test_a_malformed_file_is_named(tmp_path: Path, slip: str) -> None:
    """The message leads to the file that has to be mended."""
    (tmp_path / "broken.toml").write_text(MALFORMED[slip], encoding="utf-8")
    with pytest.raises(TaskError, match=r"broken\.toml"):
        read_shelf(tmp_path, "mine", read_suite)
