"""The data inside a page: an index of all tasks, and the details of as many as fit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreen.evaluate.records import Result
from regreen.report.detail import packed_details
from regreen.report.run_reader import Run, read_sample_lines
from regreen.report.sample import Sample, Setup

_MAX_SAMPLES = 20_000
MAX_DETAILS = 24 << 20
_OUTCOMES = tuple(Result)

_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


class Contents:
    """The tasks of some runs, in the order in which they first occur.

    The table of tasks holds at most `samples`; once their packed details take `detail_bytes`, further tasks go without.
    """

    def __init__(self, runs: Sequence[Run], *, samples: int = _MAX_SAMPLES, detail_bytes: int = MAX_DETAILS) -> None:
        self.runs = runs
        self._detail_bytes = detail_bytes
        self.left_out = 0
        """Number of samples that are not in the table."""
        self.without_details = 0
        """Number of samples in the table whose details did not fit; final once `details` is exhausted."""
        self._tasks = self._table(samples // len(runs))
        self._detailed: dict[str, int] = {}

    def details(self) -> Iterator[str]:
        """The packed details of each task, up to the limit of the page."""
        size = 0
        for task, of_runs in self._tasks.items():
            if size >= self._detail_bytes:
                self.without_details += sum(map(len, of_runs))
                continue
            lines = (
                (line for _, line in read_sample_lines(run, found))
                for run, found in zip(self.runs, of_runs, strict=True)
            )
            content = packed_details([list(of) for of in lines])
            size += len(content)
            self._detailed[task] = len(self._detailed)
            yield content.decode("ascii")

    def index(self) -> str:
        """Everything but the details, as JSON safe in a script element; call it after `details` is exhausted."""
        setups: dict[Setup, int] = {}
        stops: dict[str, int] = {}
        tasks = [self._task(task, of_runs, setups, stops) for task, of_runs in self._tasks.items()]
        return safe_json(
            {
                "runs": [{"name": run.name} for run in self.runs],
                "outcomes": [outcome.value for outcome in _OUTCOMES],
                "setups": [[setup.dataset, setup.strategy, setup.model, setup.feedback] for setup in setups],
                "stops": list(stops),
                "tasks": tasks,
                "withoutDetails": self.without_details,
            }
        )

    def _table(self, room: int) -> dict[str, list[list[Sample]]]:
        """The tasks, each with its samples of every run, of which there is `room` for so many."""
        tasks: dict[str, list[list[Sample]]] = {}
        for place, run in enumerate(self.runs):
            for sample in run.samples[:room]:
                tasks.setdefault(sample.task_id, [[] for _ in self.runs])[place].append(sample)
            self.left_out += len(run.samples[room:])
        for of_runs in tasks.values():
            for found in of_runs:
                found.sort(key=lambda sample: sample.number)
        return tasks

    def _task(
        self, task: str, of_runs: Sequence[Sequence[Sample]], setups: dict[Setup, int], stops: dict[str, int]
    ) -> dict[str, Any]:
        first = next(sample for found in of_runs for sample in found)
        return {
            "id": task,
            "labels": dict(first.labels),
            "details": self._detailed.get(task),
            "runs": [[_row(sample, setups, stops) for sample in found] for found in of_runs],
        }


def _lines(run: Run, samples: list[Sample]) -> Iterator[Mapping[str, Any]]:
    return (line for _, line in read_sample_lines(run, samples))


def _row(sample: Sample, setups: dict[Setup, int], stops: dict[str, int]) -> list[Any]:
    """One sample's row of the table, in the order that the page's script expects."""
    return [
        sample.number,
        _OUTCOMES.index(sample.outcome),
        sample.iteration,
        None if sample.seconds is None else round(sample.seconds, 3),
        sample.tokens,
        sample.usd,
        sample.judged,
        sample.model_calls,
        stops.setdefault(sample.stop, len(stops)),
        setups.setdefault(sample.setup, len(setups)),
    ]


def safe_json(value: Any) -> str:
    """JSON without `<`, `>` and `&`, so that no text in it can end a script element or begin a comment."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).translate(_ESCAPES)
