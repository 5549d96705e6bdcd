"""The benchmarks that ship with Regreen: TOML files that describe cases, as docs/bundled.md says."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from regreen.errors import TaskError
from regreen.tasks.dataset import SuiteReader
from regreen.tasks.joined_tests import joined_tests
from regreen.types import Case, Suite, Task

_MODULE = "program"


@dataclass(frozen=True, slots=True)
class Bug:
    """One mistake planted in a reference: the right text and the wrong one that takes its place."""

    kind: str
    right: str
    wrong: str

    def plant(self, source: str) -> str:
        """Put the mistake in the place of the right text. Raises TaskError unless that occurs exactly once."""
        places = source.count(self.right)
        if places != 1:
            raise TaskError(
                f"The text {self.right!r} occurs {places} times in the reference.",
                remedy="Make `right` long enough to name one place.",
            )
        return source.replace(self.right, self.wrong)


def load_bundled(reader: SuiteReader, *, only: Collection[str] | None = None) -> tuple[Case, ...]:
    """Every case of the benchmark `bundled`, or `only` those of some ids, in a fixed order."""
    return read_shelf(files("regreen.tasks.bundled"), "bundled", reader, only=only)


def load_impossible(reader: SuiteReader, *, only: Collection[str] | None = None) -> tuple[Case, ...]:
    """The same of `impossible`: no program solves one, so the reference is empty text."""
    return read_shelf(files("regreen.tasks.impossible"), "impossible", reader, only=only)


def read_shelf(
    folder: Traversable, shelf: str, read_suite: SuiteReader, *, only: Collection[str] | None = None
) -> tuple[Case, ...]:
    """The cases of the TOML files in `folder`, by file name and then in the order of the file.

    `only`: the ids of those that are wanted; None for all.
    """
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return tuple(case for file in files for case in _read_file(file, shelf, read_suite, only))


def _read_file(file: Traversable, shelf: str, read_suite: SuiteReader, only: Collection[str] | None) -> list[Case]:
    topic = file.name.removesuffix(".toml")
    try:
        tables = [
            (f"{shelf}/{table['id']}", table) for table in tomllib.loads(file.read_text(encoding="utf-8"))["task"]
        ]
        wanted = tables if only is None else [(task_id, table) for task_id, table in tables if task_id in only]
        return [_build(table, task_id, topic, read_suite) for task_id, table in wanted]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise TaskError(f"{file.name} does not describe cases: {error!r}.") from error
    except TaskError as error:
        raise TaskError(f"{file.name}: {error}") from error


def _build(table: Mapping[str, Any], task_id: str, topic: str, read_suite: SuiteReader) -> Case:
    bugs = tuple(Bug(**bug) for bug in table.get("bugs", ()))
    program = _program(table, bugs)
    entry_point = table["entry_point"]

    def suite(name: str, text: str) -> Suite:
        origin = f"{task_id} ({name} checks)"
        return read_suite(text, program=program, module=_MODULE, entry_point=entry_point, origin=origin)

    task = Task(
        id=task_id,
        source=program,
        entry_point=entry_point,
        suite=suite("visible", table["visible"]),
        statement=table["statement"].strip(),
        module=_MODULE,
    )
    # The hidden checks include the visible ones: a program that breaks those is not fixed.
    hidden = suite("hidden", joined_tests(table["visible"], table["hidden"]))
    return Case(task, hidden, reference=table.get("reference", ""), labels=_labels(table, bugs, topic))


def _program(table: Mapping[str, Any], bugs: Sequence[Bug]) -> str:
    """The buggy program: given in full, or the reference with its bugs planted."""
    if not bugs:
        return str(table["program"])
    source = str(table["reference"])
    for bug in bugs:
        source = bug.plant(source)
    return source


def _labels(table: Mapping[str, Any], bugs: Sequence[Bug], topic: str) -> dict[str, str]:
    return {
        "bug_type": " + ".join(bug.kind for bug in bugs) or table["contradiction"],
        "topic": topic,
        "edits": str(len(bugs)),
        "visible": "green" if table.get("quiet", False) else "red",
    }
