"""Rates over judged samples: pass@k for every k that the samples allow, with intervals, in all and by label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regreen.evaluate.judged_log import JudgedState, JudgedStates
from regreen.evaluate.metrics import PassAtK, mean, passes_at
from regreen.tasks.samples import RECORDED_PASSED, RECORDED_UNKNOWN
from regreen.types import Case

_EVERY_K_UP_TO = 20
"""Largest k up to which pass@k is given for every k."""
_K_STEPS = (50, 100, 200, 500, 1000)
"""The k beyond that for which pass@k is given."""
_UNLABELLED = "(none)"


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """Rates over a group of tasks; undecided samples are in none of them."""

    name: str
    tasks: int
    """Tasks with a decided sample."""
    judged: int
    """Samples that were decided."""
    passed: int
    estimates: tuple[PassAtK, ...]
    """Empty where samples are still to be judged: those that end quickly come first, and mislead."""
    samples: int
    """Planned samples, judged or not."""
    bounds: tuple[float, float] | None = None
    """Lowest and highest pass@1 that there can be once all are judged; None where all are."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A sample whose verdict is not the one that was recorded, or not the same under both preludes."""

    task_id: str
    sample: int
    before: bool
    """The verdict that was recorded, or the one under the first prelude."""
    passed: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Rates and disagreements of all samples under one prelude."""

    prelude: str
    whole: TaskGroup
    errors: int
    """Samples that could not be decided."""
    pending: int
    """Samples not judged yet, because the judging was interrupted or given up."""
    recorded: int
    """Decided samples for which a verdict was recorded."""
    disagreements: tuple[Disagreement, ...]
    by_label: tuple[TaskGroup, ...]


def ks_up_to(samples: int) -> tuple[int, ...]:
    """The k for which pass@k is given where every task has `samples`: 1 to 20, some beyond, and `samples` itself."""
    some = {k for k in _K_STEPS if k <= samples}
    return tuple(sorted({*range(1, min(samples, _EVERY_K_UP_TO) + 1), *some, *([samples] if samples else [])}))


def score(states: JudgedStates, prelude: str, cases: Sequence[Case], *, label: str = "bug_type") -> Score:
    """The rates under one prelude, over all tasks and for each value of `label`."""
    of_tasks = states.by_prelude[prelude]
    places = range(len(cases))
    values: dict[str, list[int]] = {}
    for place in places:
        values.setdefault(cases[place].labels.get(label, _UNLABELLED), []).append(place)
    groups = (_group(name, [of_tasks[place] for place in of]) for name, of in sorted(values.items()))
    return Score(
        prelude=prelude,
        whole=_group("all", of_tasks),
        errors=sum(found.count(JudgedState.ERROR) for found in of_tasks),
        pending=sum(found.count(JudgedState.PENDING) for found in of_tasks),
        recorded=sum(_is_decided(state) and was != RECORDED_UNKNOWN for _, _, was, state in _verdicts(states, prelude)),
        disagreements=tuple(_against_records(states, prelude)),
        by_label=tuple(group for group in groups if group.tasks) if list(values) != [_UNLABELLED] else (),
    )


def prelude_disagreements(states: JudgedStates) -> tuple[Disagreement, ...]:
    """Samples that pass under one prelude and not under the other; `before` is the verdict under the first."""
    if len(states.preludes) < 2:
        return ()
    first, second = states.preludes
    pairs = zip(_verdicts(states, first), _verdicts(states, second), strict=True)
    return tuple(
        Disagreement(task, number, one == JudgedState.PASSED, two == JudgedState.PASSED)
        for (task, number, _, one), (_, _, _, two) in pairs
        if _is_decided(one) and _is_decided(two) and one != two
    )


def _against_records(states: JudgedStates, prelude: str) -> Iterator[Disagreement]:
    for task, number, was, state in _verdicts(states, prelude):
        if _is_decided(state) and was != RECORDED_UNKNOWN and (was == RECORDED_PASSED) != (state == JudgedState.PASSED):
            yield Disagreement(task, number, was == RECORDED_PASSED, state == JudgedState.PASSED)


def _verdicts(states: JudgedStates, prelude: str) -> Iterator[tuple[str, int, int, int]]:
    """Task id, number, recorded verdict and state of every sample."""
    for task, found, of_task in zip(
        states.samples.tasks, states.samples.of_task, states.by_prelude[prelude], strict=True
    ):
        for number, was, state in zip(found.numbers, found.recorded, of_task, strict=True):
            yield task.id, number, was, state


def _is_decided(state: int) -> bool:
    return state in (JudgedState.PASSED, JudgedState.FAILED)


def _group(name: str, of_tasks: Sequence[bytearray]) -> TaskGroup:
    counts = [
        (found.count(JudgedState.PASSED) + found.count(JudgedState.FAILED), found.count(JudgedState.PASSED))
        for found in of_tasks
    ]
    bounds = _bounds(of_tasks) if any(found.count(JudgedState.PENDING) for found in of_tasks) else None
    counts = [(decided, passed) for decided, passed in counts if decided]
    ks = ks_up_to(min((decided for decided, _ in counts), default=0))
    return TaskGroup(
        name,
        tasks=len(counts),
        judged=sum(decided for decided, _ in counts),
        passed=sum(passed for _, passed in counts),
        estimates=() if bounds else passes_at(counts, ks),
        samples=sum(map(len, of_tasks)),
        bounds=bounds,
    )


def _bounds(of_tasks: Sequence[bytearray]) -> tuple[float, float]:
    """pass@1 over tasks if every sample that has no verdict were to fail, and if it were to pass."""
    sampled = [found for found in of_tasks if found]
    low = mean([found.count(JudgedState.PASSED) / len(found) for found in sampled])
    return low, mean([1 - found.count(JudgedState.FAILED) / len(found) for found in sampled])
