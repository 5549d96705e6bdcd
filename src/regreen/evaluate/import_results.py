"""Makes a run of the results of another tool, so that reports, comparisons and pages read it."""

from __future__ import annotations

import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.foreign_results import ForeignResults, read_document
from regreen.evaluate.import_harbor import is_job, read_harbor
from regreen.evaluate.import_inspect import LOG_SUFFIX, read_inspect
from regreen.evaluate.import_programs import is_evalplus, read_evalplus, read_humaneval
from regreen.evaluate.provenance import Header, utc_now, write_header
from regreen.evaluate.records import RESULT_SCHEMA, Feedback
from regreen.evaluate.result_log import RESULTS

_HUMANEVAL = "HumanEval/"
_OURS = {"humanevalfix": "humanevalfix/Python/"}
"""Data sets of ours that have HumanEval's tasks, with what stands before their numbers."""


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What an import came to."""

    tool: str
    samples: int
    tasks: int
    planned: int | None
    notes: tuple[str, ...] = ()


def import_results(
    source: Path, run_dir: Path, *, dataset: str | None = None, score: str | None = None
) -> ImportSummary:
    """Make a new run folder of the results at `source`, told by their content.

    `dataset` is the name that the lines bear, `score` the score or reward that decides where there are several. Raises
    RunError where nothing is known at `source`, a part of it cannot be read, or `run_dir` is there.
    """
    if run_dir.exists():
        raise RunError(f"{run_dir} is there already.", remedy="Give another folder, or remove it.")
    found = read_foreign(source, score)
    name = dataset or found.dataset
    ranks: Counter[str] = Counter()
    try:
        run_dir.mkdir(parents=True)
        jsonl.replace_file(run_dir / RESULTS, _encoded(found, name, ranks))
        if not ranks:
            raise RunError(f"{source} holds no sample.", remedy="Give the results of a run that has some.")
        write_header(run_dir, _header(found, name, list(ranks), source))
    except BaseException:
        # The folder is of this import: half a run must not be taken for one.
        shutil.rmtree(run_dir, ignore_errors=True)
        raise
    return ImportSummary(found.tool, ranks.total(), len(ranks), found.planned, tuple(found.notes))


def read_foreign(source: Path, score: str | None = None) -> ForeignResults:
    """The results at a path. Raises RunError where they are of no tool that is known."""
    if source.is_dir():
        if is_job(source):
            return read_harbor(source, score)
        raise _unknown(source, "a folder, and not that of a Harbor job")
    if not source.is_file():
        raise RunError(f"{source} does not exist.", remedy="Check the path.")
    if source.suffix == LOG_SUFFIX or zipfile.is_zipfile(source):
        return read_inspect(source, score)
    if source.suffix == ".jsonl":
        return read_humaneval(source)
    document = read_document(source)
    if is_evalplus(document):
        return read_evalplus(source)
    if isinstance(document, Mapping) and isinstance(document.get("eval"), Mapping) and "status" in document:
        return read_inspect(source, score)
    raise _unknown(source, "JSON of another kind")


def _unknown(source: Path, what: str) -> RunError:
    return RunError(
        f"{source} is {what}.",
        remedy="Give a log of Inspect (.eval, .json), EvalPlus's *_eval_results.json, HumanEval's *_results.jsonl, or "
        "the folder of a Harbor job.",
    )


def _encoded(found: ForeignResults, dataset: str, ranks: Counter[str]) -> Iterator[bytes]:
    """The lines, numbered within their tasks as they come where the tool does not number them; counts them, too."""
    for values in found.lines:
        task = _our_id(values["task_id"], dataset)
        number = values.pop("sample", ranks[task])
        ranks[task] += 1
        head = {"schema": RESULT_SCHEMA, "task_id": task, "sample": number, "dataset": dataset}
        protocol = {"feedback": found.protocol} if found.protocol else {}
        yield jsonl.encode_line(head | protocol | {k: v for k, v in values.items() if k != "task_id"})


def _our_id(task: str, dataset: str) -> str:
    return task.replace(_HUMANEVAL, _OURS[dataset], 1) if dataset in _OURS and task.startswith(_HUMANEVAL) else task


def _header(found: ForeignResults, dataset: str, ids: list[str], source: Path) -> Header:
    settings: dict[str, Any] = {"command": "import", "tool": found.tool, "source": source.name}
    return Header(
        started=found.started or utc_now(),
        dataset=dataset,
        # Of which content the tasks are, other tools do not say.
        dataset_hash="",
        cases=len(ids),
        planned=found.planned,
        ids=ids,
        protocol=Feedback(found.protocol) if found.protocol else None,
        settings=settings,
        versions={},
        platform="",
    )
