"""Writes the programs of a run in formats of other tools; docs/datasets.md documents each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from regreen.errors import RunError
from regreen.evaluate import jsonl
from regreen.evaluate.export_harbor import write_job
from regreen.evaluate.export_inspect import inspect_log, log_name
from regreen.evaluate.finished_run import FinishedRun, Writer, judged_program, read_finished
from regreen.evaluate.provenance import read_header, refuse_other_command

_OURS = "humanevalfix/Python/"


class ExportFormat(StrEnum):
    """Format of an export."""

    EVALPLUS = "evalplus"
    """JSON lines `{task_id, solution}`; tasks of HumanEvalFix under HumanEval's ids."""
    BIGCODE = "bigcode"
    """One JSON list with a list of programs for each task, in the order of the data set."""
    PREDS = "preds"
    """SWE-bench's predictions: the changes as unified diffs."""
    INSPECT = "inspect"
    """A log of Inspect, as JSON."""
    HARBOR = "harbor"
    """The folder of a Harbor job, with a folder for each trial."""


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """Counts of an export."""

    samples: int
    """Programs written."""
    left_out: int
    """Undecided samples, which have no program."""
    planned: int
    """Samples that the run set out to decide; with fewer in `samples` and `left_out`, it is unfinished."""


def export_run(run_dir: Path, form: ExportFormat, out: Path, *, ids: Callable[[str], Sequence[str]]) -> ExportSummary:
    """Write a run's programs to `out`, which must not exist; an `inspect` log into a folder that does, too.

    In a folder it gets the name that `inspect view` looks for.
    `ids` gives the ids of a data set by its name, in its order: only `bigcode` needs them. Raises RunError when there
    is no run, nothing in it, or something at `out` already.
    """
    refuse_other_command(run_dir, read_header(run_dir), "eval")
    finished = read_finished(run_dir)
    if not finished.places:
        raise RunError(f"{run_dir} holds no decided sample.", remedy="Let the run come to an end with --resume.")
    if form is ExportFormat.INSPECT and out.is_dir():
        out /= log_name(finished)
    if out.exists():
        raise RunError(f"{out} is there already.", remedy="Give another name, or remove it.")
    try:
        _write(finished, form, out, ids)
    except OSError as error:
        raise RunError(f"{out} cannot be written: {error.strerror or error}.", remedy="Give another name.") from error
    return ExportSummary(len(finished.places), len(finished.faults), finished.planned)


def _write(finished: FinishedRun, form: ExportFormat, out: Path, ids: Callable[[str], Sequence[str]]) -> None:
    if form is ExportFormat.HARBOR:
        write_job(finished, out)
    elif form is ExportFormat.BIGCODE:
        jsonl.replace_file(out, _bigcode(finished, ids(finished.header.dataset)))
    else:
        jsonl.replace_file(out, _WRITERS[form](finished))


def _evalplus(finished: FinishedRun) -> Iterator[bytes]:
    for line in finished.lines():
        yield jsonl.encode_line({"task_id": _evalplus_id(line.task_id), "solution": judged_program(line)})


def _evalplus_id(task_id: str) -> str:
    """The id by which EvalPlus knows a task: HumanEvalFix has the tasks of HumanEval, under the same numbers."""
    return task_id.replace(_OURS, "HumanEval/", 1) if task_id.startswith(_OURS) else task_id


def _bigcode(finished: FinishedRun, ids: Sequence[str]) -> Iterator[bytes]:
    """A task without samples has an empty list: only the position in the list says which task it is."""
    if strangers := set(finished.tasks) - set(ids):
        raise RunError(
            f"the run has tasks that {finished.header.dataset} does not have: {', '.join(sorted(strangers)[:3])}.",
            remedy="Give the data set of the run with --dataset-path.",
        )
    by_task: dict[str, list[int]] = {}
    for number, place in enumerate(finished.places):
        by_task.setdefault(finished.tasks[place.task], []).append(number)
    for number, name in enumerate(ids):
        yield b"[\n[" if number == 0 else b",\n["
        chosen = tuple(finished.places[place] for place in by_task.get(name, ()))
        for position, line in enumerate(finished.lines_at(chosen)):
            yield b", " * bool(position) + json.dumps(judged_program(line)).encode("ascii")
        yield b"]"
    yield b"\n]\n"


def _preds(finished: FinishedRun) -> Iterator[bytes]:
    """An object by task where each has one sample, as in SWE-bench; else a list, in which a task may recur."""
    opening, closing = (b"{\n", b"\n}\n") if finished.single else (b"[\n", b"\n]\n")
    for number, line in enumerate(finished.lines()):
        entry = {
            "instance_id": line.task_id,
            "model_name_or_path": line.model or line.strategy,
            "model_patch": line.diff if line.final_source is not None else "",
        }
        name = json.dumps(line.task_id) + ": " if finished.single else ""
        yield (opening if number == 0 else b",\n") + (name + json.dumps(entry)).encode("ascii")
    yield closing


_WRITERS: dict[ExportFormat, Writer] = {
    ExportFormat.EVALPLUS: _evalplus,
    ExportFormat.PREDS: _preds,
    ExportFormat.INSPECT: inspect_log,
}
