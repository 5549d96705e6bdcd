"""Finding data sets by name, and choosing a part of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import TaskError
from regreen.tasks.catalogue import Origin, Selection, load_dataset
from regreen.types import Case, Suite, SuiteKind, Task

NOTHING = Suite(SuiteKind.SCRIPT, "", ())


def reader(text: str, **asked: object) -> Suite:
    return Suite(SuiteKind.SCRIPT, text, ())


def case(name: str, **labels: str) -> Case:
    return Case(Task(name, "", None, NOTHING), NOTHING, "", labels=labels)


CASES = (
    case("set/a/0", bug_type="operator", topic="text"),
    case("set/a/1", bug_type="value", topic="text"),
    case("set/b/0", bug_type="operator", topic="dates"),
    case("set/median", bug_type="value misuse", topic="dates"),
)


def ids(selection: Selection) -> list[str]:
    return [case.task.id for case in selection.apply(CASES)]


def test_everything_is_chosen_by_default() -> None:
    """No selection, no loss."""
    assert Selection().apply(CASES) == CASES


@given(st.integers(0, 3), st.integers(1, 6))
def test_offset_and_limit_cut_a_slice(offset: int, limit: int) -> None:
    """As slices do."""
    assert Selection(offset=offset, limit=limit).apply(CASES) == CASES[offset : offset + limit]


def test_ids_may_be_short_where_they_are_clear() -> None:
    """The order is the data set's, whatever the order of asking."""
    assert ids(Selection(ids=("median", "a/1"))) == ["set/a/1", "set/median"]
    with pytest.raises(TaskError, match="several cases: set/a/0, set/b/0"):
        ids(Selection(ids=("0",)))


def test_an_unknown_id_is_answered_with_close_ones() -> None:
    """A slip of the keyboard is met with what was meant."""
    with pytest.raises(TaskError, match=r"no case 'medain'\. Did you mean set/median\?"):
        ids(Selection(ids=("medain",)))
    with pytest.raises(TaskError, match="Ids look like set/a/0"):
        ids(Selection(ids=("zzzzzzzzz",)))


def test_filters_choose_by_label() -> None:
    """Values of one label are alternatives; several labels must all hold."""
    assert ids(Selection(filters=("bug_type=operator",))) == ["set/a/0", "set/b/0"]
    assert ids(Selection(filters=("bug_type=value", "bug_type=value misuse"))) == ["set/a/1", "set/median"]
    assert ids(Selection(filters=("bug_type=operator", "topic = dates"))) == ["set/b/0"]
    assert ids(Selection(filters=("bug_type=operator",), offset=1)) == ["set/b/0"]


USELESS = {
    "no equals sign": (Selection(filters=("operator",)), "names no label.*bug_type, topic"),
    "an unknown label": (Selection(filters=("colour=red",)), "names no label.*bug_type, topic"),
    "an unknown value": (Selection(filters=("topic=cars",)), "no case has topic=cars.*dates, text"),
    "filters that exclude one another": (
        Selection(filters=("bug_type=value", "topic=dates")),
        "no case is left: 0 of 4 match",
    ),
    "too large an offset": (Selection(offset=4), "no case is left: 4 of 4 match"),
    "a negative offset": (Selection(offset=-1), "choose nothing"),
    "no limit at all": (Selection(limit=0), "choose nothing"),
}


@pytest.mark.parametrize("kind", USELESS)
def test_a_selection_of_nothing_is_refused_with_what_there_is(kind: str) -> None:
    """A run over no cases would look like a success."""
    selection, reason = USELESS[kind]
    with pytest.raises(TaskError, match=reason):
        selection.apply(CASES)


def test_an_unknown_data_set_is_answered_with_the_known() -> None:
    """All of them, and the one that was probably meant."""
    with pytest.raises(TaskError, match=r"Did you mean bundled.*bundled, impossible, humanevalfix"):
        load_dataset("bundle", reader)


def test_humanevalfix_says_what_to_pass() -> None:
    """It is not shipped."""
    with pytest.raises(TaskError, match=r"--dataset-path FILE"):
        load_dataset("humanevalfix", reader)


def test_only_the_checks_of_chosen_cases_are_read(tmp_path: Path) -> None:
    """Whatever the others hold."""
    fields = ("declaration", "buggy_solution", "canonical_solution", "test", "entry_point", "bug_type")
    rows = [{"task_id": f"Python/{number}"} | {field: f"{field}{number}" for field in fields} for number in range(4)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    read: list[str] = []

    def recording(text: str, **asked: Any) -> Suite:
        read.append(text)
        return reader(text, **asked)

    selection = Selection(ids=("2", "3"), limit=1)
    (case,) = load_dataset("humanevalfix", recording, origin=Origin(path), selection=selection)
    assert case.task.id == "humanevalfix/Python/2"
    assert read == ["test2"]


def test_every_case_of_what_comes_with_the_package_can_be_chosen() -> None:
    """By its id, and by the kind of its bug."""
    for name in ("bundled", "impossible"):
        everything = load_dataset(name, reader)
        last = everything[-1]
        (case,) = load_dataset(name, reader, selection=Selection(ids=(last.task.id,)))
        assert case == last
        chosen = load_dataset(name, reader, selection=Selection(filters=(f"bug_type={last.labels['bug_type']}",)))
        assert last in chosen
        assert set(case.labels["bug_type"] for case in chosen) == {last.labels["bug_type"]}


def test_what_comes_with_the_package_takes_no_files(tmp_path: Path) -> None:
    """A path would silently be ignored otherwise."""
    for name in ("bundled", "impossible"):
        with pytest.raises(TaskError, match=f"{name} comes with the package"):
            load_dataset(name, reader, origin=Origin(path=tmp_path))
