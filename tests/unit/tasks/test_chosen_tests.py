"""Which tests the arguments of --tests and -k name, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from regreen.errors import TaskError
from regreen.tasks.chosen_tests import ChosenPlace, read_chosen_tests

TESTS = "class TestCart:\n    def test_total(self): ...\n\n\nclass TestMore(TestCart): ...\n\n\ndef test_a(): ...\n"


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's working folder, with tests in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").mkdir()
    for name in ("test_a.py", "tests/test_b.py", "tests/test_c.py"):
        (tmp_path / name).write_text(TESTS)
    (tmp_path / "cases.jsonl").write_text("{}\n")
    return tmp_path


def places(*given: str) -> list[str]:
    chosen = read_chosen_tests(given)
    assert chosen is not None
    return [str(place) for place in chosen.places]


def test_every_argument_counts_and_none_counts_twice() -> None:
    """In the order in which they were given."""
    assert places("test_a.py", "tests", "test_a.py") == ["test_a.py", "tests"]


def test_a_pattern_stands_for_what_it_matches() -> None:
    """As a shell would expand it; `**` goes into folders."""
    assert places("tests/test_?.py") == ["tests/test_b.py", "tests/test_c.py"]
    assert places("**/test_*.py") == ["test_a.py", "tests/test_b.py", "tests/test_c.py"]


@pytest.mark.parametrize("node", ["test_a", "test_a[1-2]", "TestCart::test_total", "TestCart", "TestMore::test_total"])
def test_single_tests_are_taken_as_pytest_names_them(node: str) -> None:
    """With parameters, in classes, and inherited ones, which only pytest can see."""
    assert places(f"test_a.py::{node}") == [f"test_a.py::{node}"]


def test_a_whole_file_is_told_from_a_part_of_it() -> None:
    """Only a file that is chosen as a whole, alone and with no keyword can be read outside of its project."""
    chosen = read_chosen_tests(["test_a.py"])
    assert chosen is not None
    assert chosen.only_file == Path("test_a.py")
    for given, keyword in ((["test_a.py"], "a"), (["tests"], None), (["test_a.py::test_a"], None)):
        part = read_chosen_tests(given, keyword)
        assert part is not None
        assert part.only_file is None


def test_without_arguments_there_are_none() -> None:
    """Then the program's own examples are the checks."""
    assert read_chosen_tests([]) is None


REFUSED = {
    "a missing file": (["test_d.py"], None, "does not exist"),
    "a pattern without a match": (["x*.py"], None, "matches no test file"),
    "a test that is not there": (["test_a.py::test_b"], None, "has no test test_b"),
    "a method that is not there": (["test_a.py::TestCart::test_b"], None, "has no test TestCart::test_b"),
    "no test after the colons": (["test_a.py::"], None, "names no test"),
    "a test in a folder": (["tests::test_a"], None, "names no test in a Python file"),
    "a test in many files": (["tests/*.py::test_a"], None, "a single test in files that a pattern matches"),
    "cases among tests": (["test_a.py", "cases.jsonl"], None, "holds cases, which run alone"),
    "cases and a keyword": (["cases.jsonl"], "a", "holds cases, which run alone"),
    "a keyword alone": ([], "a", "no tests were given"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_run_is_refused_with_a_remedy(what: str) -> None:
    """Nothing that was asked for is dropped in silence."""
    given, keyword, said = REFUSED[what]
    with pytest.raises(TaskError, match=said) as refusal:
        read_chosen_tests(given, keyword)
    assert refusal.value.remedy


def test_the_tests_have_a_short_name() -> None:
    """For messages."""
    chosen = read_chosen_tests(["tests", "test_a.py"])
    assert chosen is not None
    assert chosen.name == "tests/ and 1 more"
    assert ChosenPlace(Path("a.py"), "test_x").is_cases is False
