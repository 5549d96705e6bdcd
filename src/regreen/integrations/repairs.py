"""Repairs of programs given as text, in sandboxes that are opened at the first repair and kept."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from regreen.config import Settings, load_settings
from regreen.judging import read_checks
from regreen.strategies import Strategy, chosen_name, open_strategy
from regreen.types import Repair, Suite, Task
from regreen.unified_diff import unified_diff
from regreen.verify.bindings import guess_entry_point

_MODULE = "program"
"""Name by which the tests may import the program."""


class Repairs:
    """Repairs programs with resources opened once; may be used from several threads, and in a `with` block."""

    def __init__(self, settings: Settings | None = None, *, at_once: int = 1) -> None:
        self.settings = settings or load_settings()
        self._at_once = at_once
        self._lock = threading.Lock()
        self._open = contextlib.ExitStack()
        self._strategy: Strategy | None = None

    def repair(self, source: str, tests: str, *, entry_point: str | None = None, statement: str = "") -> Repair:
        """Repair one program; raises what `regreen.repair` raises."""
        return self.repair_task(task_of(source, tests, entry_point=entry_point, statement=statement))

    def repair_task(self, task: Task) -> Repair:
        """The same for a task that was read before."""
        return self._opened().repair(task, self.settings.seed)

    def close(self) -> None:
        """Close the sandboxes and the model; another repair would open them again."""
        with self._lock:
            self._strategy = None
            self._open.close()

    def __enter__(self) -> Repairs:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _opened(self) -> Strategy:
        with self._lock:
            if self._strategy is None:
                self._strategy = self._begin()
            return self._strategy

    def _begin(self) -> Strategy:
        from regreen.strategies.resources import open_resources

        with contextlib.ExitStack() as stack:
            model = None
            if chosen_name(self.settings) != "search":
                from regreen.models import open_model

                model = stack.enter_context(open_model(self.settings))
            resources = stack.enter_context(open_resources(self.settings, tasks_at_once=self._at_once))
            strategy = stack.enter_context(open_strategy(self.settings, resources, model=model))
            self._open = stack.pop_all()
        return strategy


def task_of(source: str, tests: str, *, entry_point: str | None = None, statement: str = "") -> Task:
    """The task of making the program pass the tests; without tests, the doctest examples in it.

    Raises TaskError when either cannot be used.
    """
    return Task(
        id=_MODULE,
        source=source,
        entry_point=entry_point or guess_entry_point(source, tests),
        suite=suite_of_text(source, tests, entry_point, _MODULE),
        statement=statement,
        module=_MODULE,
    )


def as_data(repair: Repair, source: str) -> dict[str, Any]:
    """The repair as plain data; `source` is the program before it."""
    repaired = repair.chosen.candidate.source if repair.chosen else source
    cost = repair.cost
    return {
        "fixed": repair.fixed,
        "source": repaired,
        "diff": unified_diff(source, repaired, f"{_MODULE}.py"),
        "explanation": repair.explanation,
        "stop": repair.stop.value,
        "cost": {
            "seconds": cost.seconds,
            "candidates": cost.candidates,
            "model_calls": cost.model_calls,
            "tokens": sum(turn.prompt_tokens + turn.completion_tokens for turn in repair.turns),
            "usd": cost.usd,
        },
    }


def suite_of_text(source: str, tests: str, entry_point: str | None, module: str) -> Suite:
    """The checks in a text, or in the program's own examples where it is blank; raises TaskError for neither."""
    return read_checks(source, tests if tests.strip() else None, entry_point, module)
