"""A text of tests with further checks, in its own manner, and a suite with them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from regreen.errors import TaskError
from regreen.syntax import parsed_or_none
from regreen.types import Suite, SuiteKind, Task
from regreen.verify.suites import read_suite

_NAME = "test_answered"


def with_checks(text: str, checks: Sequence[str]) -> str:
    """The text of a file of tests with further checks: as functions where it has some, else as they are."""
    tree = parsed_or_none(text)
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} if tree else set()
    lead = text if text.endswith("\n") or not text else f"{text}\n"
    if not any(name.startswith("test") for name in names):
        return lead + "".join(check.rstrip("\n") + "\n" for check in checks)
    number = 1
    for check in checks:
        while f"{_NAME}_{number}" in names:
            number += 1
        names.add(f"{_NAME}_{number}")
        body = "".join(f"    {line}\n" if line else "\n" for line in check.splitlines())
        lead += f"\n\ndef {_NAME}_{number}():\n{body}"
    return lead


def suite_with_checks(task: Task, checks: Sequence[str]) -> Suite | None:
    """The suite of a task with further checks; None where its checks are no Python that stands by itself."""
    suite = task.suite
    if suite.project is not None or any(step.want is not None for step in suite.steps):
        return None
    try:
        more = read_suite(
            with_checks(suite.source, checks),
            program=task.source,
            module=task.module,
            entry_point=task.entry_point,
            origin=suite.origin,
            conftests=suite.conftests,
        )
    except TaskError:
        return None
    is_more = len(more.checks) > len(suite.checks) or suite.kind is SuiteKind.PYTEST
    return more if more.kind is suite.kind and is_more else None
