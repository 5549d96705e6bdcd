"""Finding data sets by name, and reading only what is wanted of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import TaskError
from regreen.tasks.catalogue import (
    DATASETS,
    DatasetFiles,
    Selection,
    available_case_count,
    load_dataset,
    read_dataset,
    task_ids,
)
from regreen.types import Suite, SuiteKind


def reader(text: str, **asked: object) -> Suite:
    return Suite(SuiteKind.SCRIPT, text, ())


def test_an_unknown_data_set_is_answered_with_the_known() -> None:
    """All of them, and the one that was probably meant."""
    with pytest.raises(TaskError, match=r"Did you mean bundled.*bundled, impossible, humanevalfix"):
        load_dataset("bundle", reader)


def test_only_the_checks_of_chosen_cases_are_read(tmp_path: Path) -> None:
    """Whatever the others hold."""
    fields = ("declaration", "buggy_solution", "canonical_solution", "test", "entry_point", "bug_type")
    rows = [{"task_id": f"Python/{number}"} | {field: f"{field}{number}" for field in fields} for number in range(4)]
    rows = [row | {"declaration": f"{row['entry_point']} = "} for row in rows]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    read: list[str] = []

    def recording(text: str, **asked: Any) -> Suite:
        read.append(text)
        return reader(text, **asked)

    selection = Selection(ids=("2", "3"), limit=1)
    (case,) = load_dataset("humanevalfix", recording, files=DatasetFiles(path), selection=selection)
    assert case.task.id == "humanevalfix/Python/2"
    assert read == ["test2"]


@pytest.mark.parametrize("name", ["bundled", "impossible"])
def test_of_what_comes_with_the_package_only_the_chosen_is_read(name: str) -> None:
    """Both suites of one case, and no other's: all of them would take a second, however few are wanted."""
    read: list[object] = []

    def recording(text: str, **asked: Any) -> Suite:
        read.append(asked["origin"])
        return reader(text, **asked)

    (case,) = load_dataset(name, recording, selection=Selection(limit=1))
    assert read == [f"{case.task.id} (visible checks)", f"{case.task.id} (hidden checks)"]


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


def test_what_comes_with_the_package_takes_no_path(tmp_path: Path) -> None:
    """It would silently be ignored otherwise."""
    for name in ("bundled", "impossible"):
        with pytest.raises(TaskError, match=f"{name} comes with the package"):
            load_dataset(name, reader, files=DatasetFiles(path=tmp_path))


@pytest.mark.parametrize("name", ["quixbugs", "samples", "harbor"])
def test_what_is_read_from_a_path_says_so(name: str) -> None:
    """With both ways to give it."""
    with pytest.raises(TaskError, match=rf"{name} is read from .* {name}:PATH, or --dataset-path PATH"):
        load_dataset(name, reader)


def test_a_path_stands_in_the_name_or_beside_it(tmp_path: Path) -> None:
    """Not in both, and not nowhere."""
    path = own_tasks(tmp_path, "a", "b")
    assert load_dataset(f"samples:{path}", reader) == load_dataset("samples", reader, files=DatasetFiles(path))
    assert task_ids(f"samples:{path}") == ("a", "b")
    with pytest.raises(TaskError, match="two paths"):
        load_dataset(f"samples:{path}", reader, files=DatasetFiles(path))
    with pytest.raises(TaskError, match="names no path"):
        load_dataset("samples:", reader)


def own_tasks(folder: Path, *names: str) -> Path:
    path = folder / "tasks.jsonl"
    rows = [{"task_id": name, "program": "def f(): return 0\n", "hidden_checks": "assert f() == 1"} for name in names]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_cases_are_counted_where_they_are_at_hand(tmp_path: Path) -> None:
    """What would have to be fetched or pointed out is not."""
    assert available_case_count("bundled") == len(load_dataset("bundled", reader))
    assert available_case_count("samples", DatasetFiles(own_tasks(tmp_path, "a", "b"))) == 2
    assert available_case_count("samples") is None
    assert available_case_count("humanevalfix") is None


def test_extra_checks_go_to_the_cases_that_they_name(tmp_path: Path) -> None:
    """With the data set's name before the id or without; a part of a data set may have none of them."""
    extra = tmp_path / "extra.jsonl"
    extra.write_text('{"task_id": "b", "extra_tests": "assert f() != 2"}\n', encoding="utf-8")
    files = DatasetFiles(own_tasks(tmp_path, "a", "b"), extra)
    first, second = load_dataset("samples", reader, files=files)
    assert first.extra is None
    assert second.extra is not None
    assert second.extra.source == "assert f() != 2"
    (only,) = load_dataset("samples", reader, files=files, selection=Selection(ids=("a",)))
    assert only.extra is None
    bundled = load_dataset("bundled", reader)[0]
    short = bundled.task.id.partition("/")[2]
    extra.write_text(json.dumps({"task_id": short, "extra_tests": "assert True"}) + "\n", encoding="utf-8")
    assert load_dataset("bundled", reader, files=DatasetFiles(extra=extra))[0].extra is not None


USELESS_EXTRA = {
    "for other tasks": ({"task_id": "z", "extra_tests": "assert True"}, "holds no checks for any task of samples"),
    "for another function": ({"task_id": "a", "entry_point": "g", "extra_tests": "x"}, "entry_point is not that of"),
    "blank": ({"task_id": "a", "extra_tests": " "}, r"row 1 \(a\) of .*'extra_tests' is ' '"),
    "unreadable": ({"task_id": "a", "extra_tests": "unreadable"}, "'extra_tests' cannot be read as checks: makes no"),
}


@pytest.mark.parametrize("kind", USELESS_EXTRA)
def test_extra_checks_that_are_of_no_use_are_refused(tmp_path: Path, kind: str) -> None:
    """With the row and the reason."""

    def picky(text: str, **asked: object) -> Suite:
        if text == "unreadable":
            raise TaskError("makes no sense.")
        return reader(text)

    row, reason = USELESS_EXTRA[kind]
    extra = tmp_path / "extra.jsonl"
    extra.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(TaskError, match=reason):
        load_dataset("samples", picky, files=DatasetFiles(own_tasks(tmp_path, "a"), extra))


def test_what_is_skipped_is_told_whatever_was_chosen(clone: Path) -> None:
    """A part of a data set hides nothing of it."""
    (clone / "correct_python_programs" / "triple.py").unlink()
    loaded = read_dataset(f"quixbugs:{clone}", reader, selection=Selection(ids=("halve",)))
    assert [case.task.id for case in loaded.cases] == ["quixbugs/halve"]
    assert [(task.name, task.why) for task in loaded.skipped] == [
        ("triple", "there is no correct_python_programs/triple.py")
    ]


def test_every_data_set_says_what_it_is_and_where_it_comes_from() -> None:
    """For the list of them."""
    assert all(entry.about and entry.source for entry in DATASETS.values())
