"""Reading a clone in QuixBugs' layout, on programs and tests that were written here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks import quixbugs
from regreen.types import Case, Isolation, Suite, SuiteKind
from regreen.verify.suites import read_suite


@pytest.fixture
def cases(clone: Path) -> dict[str, Case]:
    """The clone's cases by name."""
    return {case.task.id.removeprefix("quixbugs/"): case for case in quixbugs.load(clone, read_suite).cases}


def test_every_program_with_tests_is_a_case(cases: dict[str, Case]) -> None:
    """By name; what programs share and what tested them once are none."""
    assert list(cases) == ["evens", "halve", "last", "steps", "total", "triple", "wrapped"]
    assert {name: case.labels["tests"] for name, case in cases.items()} == {
        **dict.fromkeys(("evens", "halve", "steps", "total", "triple"), "cases"),
        **dict.fromkeys(("last", "wrapped"), "functions"),
    }


def test_a_case_tells_program_reference_statement_and_names(cases: dict[str, Case], clone: Path) -> None:
    """The module is the file, the entry point the function of its name, the statement what stands behind it."""
    task = cases["triple"].task
    assert (task.module, task.entry_point, task.statement) == (
        "triple",
        "triple",
        "Three times\n\nOutput: three times n",
    )
    assert task.source == (clone / "python_programs" / "triple.py").read_text(encoding="utf-8")
    assert cases["triple"].reference == (clone / "correct_python_programs" / "triple.py").read_text(encoding="utf-8")


def test_parametrised_cases_become_asserts(cases: dict[str, Case]) -> None:
    """Behind the wall, an assert a case, as upstream compares them: all decide, every second may be seen."""
    case = cases["triple"]
    assert [check.code for check in case.hidden.checks] == [
        "assert triple(1) == 3",
        "assert triple(2) == 6",
        "assert triple(-1) == -3",
        "assert triple(0) == 0",
    ]
    assert [check.code for check in case.task.suite.checks] == ["assert triple(1) == 3", "assert triple(-1) == -3"]
    assert case.hidden.isolation is Isolation.SEPARATE
    assert codes(cases["evens"]) == ["assert list(evens([1, 2, 4])) == [2, 4]", "assert list(evens([])) == []"]


def codes(case: Case) -> list[str]:
    return [check.code for check in case.hidden.checks]


def test_a_bound_of_nearness_is_written_out(cases: dict[str, Case]) -> None:
    """With the argument that upstream takes for it; pytest is not needed."""
    assert codes(cases["halve"]) == [
        "assert abs(halve(3, 0.01) - 1.5) <= 0.01",
        "assert abs(halve(1, 0.3) - 0.6) <= 0.3",
    ]


def test_cases_that_upstream_skips_are_left_out(cases: dict[str, Case]) -> None:
    """Those that take too long, unless they are asked for."""
    assert codes(cases["total"]) == ["assert total([1, 2], 3) == 6", "assert total([5], 5) == 10"]


def test_cases_that_the_tests_make_into_something_else_are_made_so(cases: dict[str, Case]) -> None:
    """JSON has no tuples: the test file's own words for that are kept."""
    suite = cases["steps"].hidden
    assert suite.kind is SuiteKind.MODULE
    assert "testdata = [[given, [tuple(pair) for pair in told]] for given, told in testdata]" in suite.source
    assert [check.id for check in suite.checks] == ["test_steps_0", "test_steps_1"]


def test_graph_programs_have_their_nodes_at_hand(cases: dict[str, Case]) -> None:
    """In the tests' own text; or as a module, where the program imports it too and has to see the same class."""
    assert "class Node:" in cases["last"].hidden.source
    assert [check.id for check in cases["last"].hidden.checks] == ["test1", "test2", "test3"]
    assert [check.id for check in cases["last"].task.suite.checks] == ["test1", "test3"]
    assert "class Node:" not in cases["wrapped"].hidden.source
    assert "class Node:" in cases["wrapped"].task.companions["node.py"]


@pytest.mark.parametrize("name", ["evens", "halve", "last", "steps", "total", "triple", "wrapped"])
def test_nothing_of_pytest_or_upstream_s_folders_is_left(cases: dict[str, Case], name: str) -> None:
    """The tests stand alone."""
    assert not re.search(r"pytest|use_correct|python_programs|load_testdata", cases[name].hidden.source)


def test_cases_alone_are_enough(clone: Path) -> None:
    """Without a test file results are compared as they are."""
    (clone / "python_testcases" / "test_triple.py").unlink()
    (case,) = quixbugs.load(clone, read_suite, only={"quixbugs/triple"}).cases
    assert codes(case)[0] == "assert triple(1) == 3"


def test_a_sole_argument_may_stand_bare(clone: Path) -> None:
    """As upstream's first cases have it; with a test file or without."""
    (clone / "json_testcases" / "triple.json").write_text("[1, 3]\n[[2], 6]\n", encoding="utf-8")
    told = []
    for _ in range(2):
        (case,) = quixbugs.load(clone, read_suite, only={"quixbugs/triple"}).cases
        told.append(codes(case))
        (clone / "python_testcases" / "test_triple.py").unlink(missing_ok=True)
    assert told == [["assert triple(1) == 3", "assert triple(2) == 6"]] * 2


def test_what_only_pytest_can_run_is_left_to_it(clone: Path) -> None:
    """And still stands alone."""
    path = clone / "python_testcases" / "test_last.py"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\n\ndef test4():\n    with pytest.raises(AttributeError):\n        last(None)\n",
        encoding="utf-8",
    )
    (case,) = quixbugs.load(clone, read_suite, only={"quixbugs/last"}).cases
    assert case.hidden.kind is SuiteKind.PYTEST
    assert case.hidden.source.startswith("import pytest\n")


def test_what_is_no_case_is_named(clone: Path) -> None:
    """With what it lacks."""
    (clone / "correct_python_programs" / "triple.py").unlink()
    (clone / "python_testcases" / "test_halve.py").unlink()
    (clone / "json_testcases" / "halve.json").unlink()
    skipped = {task.name: task.why for task in quixbugs.load(clone, read_suite).skipped}
    assert skipped == {
        "halve": "neither python_testcases nor json_testcases has tests for it",
        "triple": "there is no correct_python_programs/triple.py",
    }


SPOILT = {
    "cases that are no JSON": ("json_testcases/triple.json", "[[1], 3]\n[[2]", r"line 2 of .*triple\.json is no JSON"),
    "cases of another form": (
        "json_testcases/triple.json",
        "[[1], 3, 4]\n",
        "line 1 .* no list of arguments and result",
    ),
    "tests that are no Python": (
        "python_testcases/test_triple.py",
        "def (:",
        r"test_triple\.py: it is not valid Python",
    ),
    "tests without a test": ("python_testcases/test_triple.py", "x = 1\n", r"test_triple\.py: it holds no test"),
    "no cases": ("json_testcases/triple.json", "\n", r"test_triple\.py: it holds no test, or there are no cases"),
    "deep tests": ("python_testcases/test_triple.py", "x = " + "(" * 5000, r"test_triple\.py: it is not valid Python"),
    "binary": ("python_programs/triple.py", "\0", r"triple\.py is binary"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_file_is_named(clone: Path, kind: str) -> None:
    """With the place and the reason."""
    name, content, reason = SPOILT[kind]
    (clone / name).write_text(content, encoding="utf-8")
    with pytest.raises(TaskError, match=reason):
        quixbugs.load(clone, read_suite)


def test_another_folder_is_refused_with_the_command_that_clones(tmp_path: Path) -> None:
    """Whatever it holds, or a file, or nothing at all."""
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(TaskError, match=r"is no clone of QuixBugs.*git clone"):
            quixbugs.load(path, reader)
    for name in ("python_programs", "correct_python_programs"):
        (tmp_path / name).mkdir()
    with pytest.raises(TaskError, match="holds no program that has tests"):
        quixbugs.load(tmp_path, reader)


def reader(text: str, **asked: object) -> Suite:
    return Suite(SuiteKind.SCRIPT, text, ())
