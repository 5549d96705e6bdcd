"""`regreen fix` without a file: the tests of a project are run, and what is red is repaired."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreen.errors import TaskError
from regreen.types import ProjectOutcome, ProjectRepair, Stop

if TYPE_CHECKING:
    from regreen.config import Settings

_NOT_FIXED = 1
_STATUSES = {
    ProjectOutcome.NOTHING_RED: 0,
    ProjectOutcome.FIXED: 0,
    ProjectOutcome.OUT_OF_REACH: 2,
}
"""Exit status by outcome; any other is 1."""
_DOUBTFUL = "Not written, since it is more likely wrong than right: --accept-doubtful writes it all the same."
_NO_MODEL = (
    "Whole projects are repaired by search alone; `regreen fix FILE --tests TESTS -m MODEL` asks a model about a file."
)
_NO_ALTERNATIVES = "--alternatives has no effect on whole projects: give a FILE with its --tests."
_NOT_WRITTEN = "Not written yet: --apply writes it, --out PATCH saves it, --explain says more."


def fix_project(
    folder: Path,
    pytest_arguments: tuple[str, ...],
    settings: Settings,
    *,
    apply: bool,
    apply_partial: bool,
    accept_doubtful: bool,
    out: Path | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Repair the project that a folder is in; returns the exit status."""
    _tell_what_is_not_used(settings)
    repair = _repaired(folder, pytest_arguments, settings)
    status = exit_status(repair)
    is_taken = repair.fixed or (apply_partial and bool(repair.changes))
    done: list[str] = []
    problem: TaskError | None = None
    if is_taken:
        wanted = apply or apply_partial
        refused = wanted and repair.is_doubtful and not accept_doubtful
        try:
            done = _hand_over(repair, apply=wanted and not refused, out=out)
        except TaskError as error:
            problem, status = error, error.exit_status
        if refused:
            done, status = [*done, _DOUBTFUL], _NOT_FIXED
        done = done or ([] if problem else [_NOT_WRITTEN])
    if as_json:
        _print_json(repair, settings, problem)
        return status
    _print_repair(repair, settings, done, full=explain or settings.verbose)
    if problem is not None:
        raise problem
    return status


def exit_status(repair: ProjectRepair) -> int:
    """0 where all is green now, or was; 1 where not; 2 where no change of the project could do it; 130 interrupted."""
    if repair.stop is Stop.INTERRUPTED:
        return 130
    status = _STATUSES.get(repair.outcome, _NOT_FIXED)
    return _NOT_FIXED if status == 0 and repair.undecided else status


def _tell_what_is_not_used(settings: Settings) -> None:
    """Say which settings of a single file's repair change nothing here."""
    from rich.text import Text

    from regreen.cli.console import notices, print_wrapped

    for is_set, note in (
        (settings.model is not None or settings.strategy not in ("auto", "search"), _NO_MODEL),
        (settings.alternatives > 0, _NO_ALTERNATIVES),
    ):
        if is_set:
            print_wrapped(notices(settings), Text(note))


def _repaired(folder: Path, pytest_arguments: tuple[str, ...], settings: Settings) -> ProjectRepair:
    from regreen.api import repair_project
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress

    with repair_progress(notices(settings), verbose=settings.verbose) as on_event:
        return repair_project(folder, pytest_arguments, settings=settings, on_event=on_event)


def _hand_over(repair: ProjectRepair, *, apply: bool, out: Path | None) -> list[str]:
    """Save the patch and write the files, as the flags say; returns what was done."""
    from regreen.tasks.whole_project import write_changes

    done = []
    if out is not None:
        try:
            out.write_bytes(repair.diff.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise TaskError(
                f"the patch cannot be saved as {out}: {error.strerror}.", remedy="Give --out another file."
            ) from None
        done.append(f"Saved the patch as {out}: `git apply` takes it in {repair.root}.")
    if apply:
        write_changes(repair.root, repair.changes)
        done.append(f"Wrote {', '.join(change.path for change in repair.changes)}.")
    return done


def _print_repair(repair: ProjectRepair, settings: Settings, done: list[str], *, full: bool) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_project import show_project_repair

    show_project_repair(results(settings), repair, done, full=full)


def _print_json(repair: ProjectRepair, settings: Settings, problem: TaskError | None) -> None:
    from regreen.evaluate import jsonl

    sys.stdout.write(jsonl.encode_line(project_values(repair, problem)).decode("ascii"))


def project_values(repair: ProjectRepair, problem: TaskError | None = None) -> dict[str, Any]:
    """A project's repair as one JSON object."""
    return {
        "root": repair.root,
        "outcome": repair.outcome.value,
        "stop": repair.stop.value,
        "diff": repair.diff,
        "changes": [
            {"path": change.path, "before": change.before, "after": change.after, "note": change.note}
            for change in repair.changes
        ],
        "explanation": repair.explanation,
        "likelihood": repair.likelihood,
        "red": list(repair.red),
        "turned_green": list(repair.turned_green),
        "tests_before_after": [
            {
                "name": test,
                "before": {"outcome": result.outcome.value, "message": result.detail},
                "after": _state(repair, test),
            }
            for test, result in repair.before.items()
        ],
        "aside": [
            {"kind": each.kind.value, "tests": list(each.tests), "reason": each.reason, "remedy": each.remedy}
            for each in repair.aside
        ],
        "suspects": [
            {"path": s.path, "name": s.name, "line": s.line, "suspicion": s.suspicion, "reason": s.reason}
            for s in repair.suspects
        ],
        "candidates": repair.cost.candidates,
        "seconds": round(repair.cost.seconds, 3),
        "error": {"kind": type(problem).__name__, "message": str(problem)} if problem else None,
    }


def _state(repair: ProjectRepair, test: str) -> dict[str, str] | None:
    result = repair.after.get(test)
    return None if result is None else {"outcome": result.outcome.value, "message": result.detail}
