"""What `import regreen` promises."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import regreen
from regreen import api
from regreen.config import Settings
from regreen.types import Cost, Repair, Stop, SuiteKind, Task, Verdict


def test_every_promised_name_is_there_and_says_what_it_is() -> None:
    """`__all__` is the promise: each name loads, and nothing public goes without a docstring."""
    for name in regreen.__all__:
        assert getattr(regreen, name).__doc__, name


def test_type_checkers_see_exactly_what_is_promised() -> None:
    """The names that are loaded lazily are those that a type checker is shown."""
    tree = ast.parse(Path(regreen.__file__).read_text(encoding="utf-8"))
    (shown,) = (node for node in tree.body if isinstance(node, ast.If))
    names = {alias.name for node in shown.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names | {"__version__"} == set(regreen.__all__)
    assert len(regreen.__all__) == len(set(regreen.__all__))
    assert dir(regreen) == sorted(regreen.__all__)


def test_the_function_evaluate_stays_where_it_is_when_the_room_of_its_name_is_imported() -> None:
    """Its first call imports that room: a second one would find a module."""
    room = import_module("regreen.evaluate")
    setattr(regreen, "evaluate", room)  # noqa: B010  as an import does
    assert regreen.evaluate is api.evaluate
    assert sys.modules["regreen.evaluate"] is room


def test_an_unknown_name_is_an_attribute_error() -> None:
    """`hasattr`, `from regreen import x` and completion work as with any module."""
    with pytest.raises(AttributeError, match="no attribute 'mend'"):
        regreen.mend  # noqa: B018


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Task, Settings]]:
    """What the search was asked to do, instead of doing it."""
    calls: list[tuple[Task, Settings]] = []

    def repair_task(task: Task, *, settings: Settings, on_event: Callable[..., Any]) -> Repair:
        calls.append((task, settings))
        return Repair(task.id, None, Verdict({}), (), Cost(), Stop.EXHAUSTED)

    monkeypatch.setattr(api, "repair_task", repair_task)
    return calls


def test_repair_reads_tests_as_the_command_does(asked: list[tuple[Task, Settings]]) -> None:
    """Text in, a task for the search out: entry point found, module known, settings handed on."""
    settings = replace_setting(seed=4)
    regreen.repair("def f(x):\n    return x\n", "from m import f\nassert f(1) == 2\n", module="m", settings=settings)
    task, used = asked[0]
    assert (task.entry_point, task.module, task.suite.kind, len(task.suite)) == ("f", "m", SuiteKind.SCRIPT, 1)
    assert used.seed == 4


def test_repair_falls_back_on_doctests(asked: list[tuple[Task, Settings]]) -> None:
    """No tests: the examples in the program are the checks; none there: an error that says so."""
    regreen.repair('def f(x):\n    """\n    >>> f(1)\n    2\n    """\n    return x\n')
    assert len(asked[0][0].suite) == 1
    with pytest.raises(regreen.TaskError, match="no doctest examples"):
        regreen.repair("def f(x):\n    return x\n")


def replace_setting(**changes: Any) -> Settings:
    return Settings().model_copy(update=changes)
