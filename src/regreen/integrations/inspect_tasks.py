"""Regreen inside Inspect: a solver that repairs, a scorer that judges, and our data sets as tasks.

Imported by Inspect itself, by the entry point `inspect_ai`, or by whoever has it: the extra `inspect`. The names of
tasks, solvers and scorers are those that users give to `inspect eval`.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio import to_thread
from inspect_ai import Task as InspectTask
from inspect_ai import task as inspect_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from regreen.config import Settings, load_settings
from regreen.errors import TaskError
from regreen.evaluate.extract import extraction_of
from regreen.integrations.repairs import Repairs, suite_of_text
from regreen.tasks.catalogue import DatasetFiles, load_dataset
from regreen.tasks.sample_rows import SampleContent
from regreen.types import Case, Suite, Task, Verdict
from regreen.verify.baseline import Reach, judge_by_need, judge_given, reach_of
from regreen.verify.check_failures import check_failures
from regreen.verify.suites import read_suite
from regreen.verify.warm_judge import warm_judge

__all__ = ["regreen_judge", "regreen_repair", "regreen_tasks"]

_PROMPT = """\
{statement}```python
{source}
```

It has to pass these tests:

```python
{checks}
```

Fix bugs in {what}. Reply with the whole program in one fenced Python block.
"""
_FAULTS_SHOWN = 3


@inspect_task
def regreen_tasks(dataset: str = "bundled", dataset_path: str = "") -> InspectTask:
    """A data set that `regreen datasets` lists: the program and its tests are the input, and decide.

    `dataset_path` is the file or folder of one that does not come with the package.
    """
    samples = [_sample(case) for case in _cases(dataset, dataset_path).values()]
    return InspectTask(
        dataset=MemoryDataset(samples, name=dataset), solver=generate(), scorer=regreen_judge(dataset, dataset_path)
    )


@scorer(metrics=[accuracy(), stderr()])
def regreen_judge(dataset: str = "", dataset_path: str = "") -> Scorer:
    """Correct where the program in the reply passes every check, which it never sees and cannot fake.

    The checks are the data set's own, by the sample's id; without a data set, `checks` of the sample's metadata, else
    its target, as the text of a test file. `source` of the metadata is the program before the repair, by which it is
    decided how near to the checks a program may come. A fault of the sandbox is an error, and no score.
    """
    settings = load_settings()

    async def score(state: TaskState, target: Target) -> Score:
        if dataset:
            case = _cases(dataset, dataset_path)[str(state.sample_id)]
            given, suite = case.task, case.hidden
        else:
            given = _task(state.metadata, default_checks=target.text)
            suite = given.suite
        taken = extraction_of(SampleContent.REPLIES).take(state.output.completion, given)
        if taken.fault:
            return Score(value=INCORRECT, explanation=taken.fault)
        verdict = await to_thread.run_sync(functools.partial(_verdict, taken.source, given, suite, settings))
        return Score(
            value=CORRECT if verdict.passed else INCORRECT,
            answer=taken.source,
            explanation=_why(suite, verdict),
            metadata={"isolation": verdict.isolation.value, "checks_passed": verdict.checks_passed},
        )

    return score


@solver
def regreen_repair(model: str = "", strategy: str = "auto") -> Solver:
    """Repairs the program `source` of the sample's metadata, so that it passes `checks` there; else the target's.

    `model` is one of Regreen's names, as in "openai:gpt-5-mini"; by search where there is none.
    """
    flags = {"strategy": strategy, **({"model": model} if model else {})}
    repairs = Repairs(load_settings(flags), at_once=2)
    atexit.register(repairs.close)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        given = _task(state.metadata, default_checks=state.target.text)
        repair = await to_thread.run_sync(repairs.repair_task, given)
        source = repair.chosen.candidate.source if repair.chosen else given.source
        state.output = ModelOutput.from_content(
            model or "regreen/search", f"{repair.explanation}\n\n```python\n{source.rstrip()}\n```"
        )
        state.messages.append(state.output.message)
        state.metadata["regreen"] = {"fixed": repair.fixed, "stop": repair.stop.value, "likelihood": repair.likelihood}
        return state

    return solve


def _sample(case: Case) -> Sample:
    given = case.task
    checks = case.hidden.source.strip("\n")
    what = given.entry_point or "the program"
    statement = f"{given.statement.strip()}\n\n" if given.statement.strip() else ""
    return Sample(
        id=given.id,
        input=_PROMPT.format(statement=statement, source=given.source.rstrip(), checks=checks, what=what),
        metadata={
            "source": given.source,
            "checks": checks,
            "entry_point": given.entry_point,
            "module": given.module,
            "statement": given.statement,
            **{f"label_{name}": value for name, value in case.labels.items()},
        },
    )


@functools.lru_cache(maxsize=8)
def _cases(dataset: str, dataset_path: str) -> Mapping[str, Case]:
    files = DatasetFiles(Path(dataset_path) if dataset_path else None)
    return {case.task.id: case for case in load_dataset(dataset, read_suite, files=files)}


def _task(metadata: Mapping[str, Any], *, default_checks: str) -> Task:
    """The task that a sample's metadata describe. Raises TaskError where they do not."""
    source = metadata.get("source")
    if not isinstance(source, str):
        raise TaskError(
            "the sample's metadata hold no `source`, the program to repair.",
            remedy='Give each sample metadata={"source": ..., "checks": ...}, both as text.',
        )
    checks, entry_point = str(metadata.get("checks") or default_checks), metadata.get("entry_point")
    module = str(metadata.get("module") or "program")
    return Task(
        id=module,
        source=source,
        entry_point=entry_point,
        suite=suite_of_text(source, checks, entry_point, module),
        statement=str(metadata.get("statement") or ""),
        module=module,
    )


def _verdict(source: str, given: Task, suite: Suite, settings: Settings) -> Verdict:
    judge, limits = warm_judge(settings.confinement), settings.limits

    def reach() -> Reach:
        return reach_of(judge_given(judge, given.source, suite, limits, given.companions)[1])

    return judge_by_need(judge, source, suite, limits, given.companions, reach=reach)[0]


def _why(suite: Suite, verdict: Verdict) -> str:
    failures = check_failures(suite, verdict)
    if not failures:
        return f"All {len(verdict.results)} checks passed."
    return "\n".join(failure.sentence for failure in failures[:_FAULTS_SHOWN])
