"""`regreen fix` without a file: the tests of a project are run, and what is red is repaired."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regreen.cli.model_fetching import fetch_missing_models
from regreen.cli.model_share import model_share
from regreen.errors import ConfigError, ModelError, RegreenError, SandboxError, TaskError
from regreen.types import FileChange, ProjectOutcome, ProjectRepair, Stop

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.sandbox.git_branch import BranchCommit
    from regreen.strategies.events import Event, Listener

_NOT_FIXED = 1
_STATUSES = {
    ProjectOutcome.NOTHING_RED: 0,
    ProjectOutcome.FIXED: 0,
    ProjectOutcome.OUT_OF_REACH: 2,
}
"""Exit status by outcome; any other is 1."""
_DOUBTFUL = "Not written, since it is more likely wrong than right: --accept-doubtful writes it all the same."
_NO_ALTERNATIVES = "--alternatives has no effect where a model alone is asked: only a search compares what passes."
_NO_CRITIC = "--critic has no effect on whole projects: the whole suite reads every patch."
_NO_ALLOW = "--allow has no effect without a model: a search changes modules alone."
NOT_WRITTEN = (
    "Not written yet: --apply writes it, --commit makes a branch of it, --out PATCH saves it, --explain says more."
)


@dataclass(frozen=True, slots=True)
class HandOver:
    """What is to be done with a repair."""

    apply: bool = False
    """Write it into the user's files."""
    apply_partial: bool = False
    """The same, even where it turns only some red tests green."""
    accept_doubtful: bool = False
    """Write or commit even what is more likely wrong than right."""
    commit: bool = False
    """Commit it, on a branch of its own."""
    out: Path | None = None
    """Save it as a patch in this file."""

    @property
    def writes(self) -> bool:
        """Whether files of the user are written."""
        return self.apply or self.apply_partial

    @property
    def does_something(self) -> bool:
        """Whether anything is done with a repair, beside showing it."""
        return self.writes or self.commit or self.out is not None


@dataclass(slots=True)
class HandedOver:
    """What was done with a repair."""

    done: list[str]
    """In sentences."""
    commit: BranchCommit | None = None
    problem: TaskError | None = None
    """Why not all of it could be."""


def fix_project(
    folder: Path,
    pytest_arguments: tuple[str, ...],
    settings: Settings,
    wanted: HandOver,
    *,
    explain: bool,
    as_json: bool,
) -> int:
    """Repair the project that a folder is in; returns the exit status."""
    refuse_impossible(folder, wanted)
    tell_what_is_not_used(settings)
    fetch_missing_models(settings)
    repair, error = _repaired_in_part(folder, pytest_arguments, settings)
    status, given = exit_status(repair), HandedOver([]) if error else taken_over(repair, wanted)
    failed = error or given.problem
    if failed is not None:
        status = failed.exit_status
    elif _DOUBTFUL in given.done:
        status = _NOT_FIXED
    if as_json:
        print_json(repair, given, error)
        return status
    _print_repair(repair, settings, given.done, full=explain or settings.verbose)
    if failed is not None:
        raise failed
    return status


def refuse_impossible(folder: Path, wanted: HandOver) -> None:
    """Raise, before anything is run, where what is wanted could not be done afterwards."""
    if not wanted.commit:
        return
    from regreen.sandbox.git_branch import refuse_without_commit

    if wanted.writes:
        raise ConfigError(
            "--commit leaves your files as they are, and --apply writes them.",
            remedy="Give one of them: `git merge` brings the commit into your files.",
        )
    refuse_without_commit(folder.absolute())


def exit_status(repair: ProjectRepair) -> int:
    """0 where all is green now, or was; 1 where not; 2 where no change of the project could do it; 130 interrupted;
    3 where the model's service failed."""
    if repair.stop is Stop.INTERRUPTED:
        return 130
    if repair.stop is Stop.ERROR:
        return 3
    status = _STATUSES.get(repair.outcome, _NOT_FIXED)
    return _NOT_FIXED if status == 0 and repair.undecided else status


def tell_what_is_not_used(settings: Settings) -> None:
    """Say which settings of a single file's repair change nothing here."""
    from rich.text import Text

    from regreen.cli.console import notices, print_wrapped
    from regreen.strategies import chosen_name

    for is_set, note in (
        (settings.alternatives > 0 and chosen_name(settings) not in ("search", "hybrid"), _NO_ALTERNATIVES),
        (settings.critic, _NO_CRITIC),
        (bool(settings.allow) and chosen_name(settings) == "search", _NO_ALLOW),
    ):
        if is_set:
            print_wrapped(notices(settings), Text(note))


def _repaired_in_part(
    folder: Path, pytest_arguments: tuple[str, ...], settings: Settings
) -> tuple[ProjectRepair, RegreenError | None]:
    """The repair, and the error that cut it short; the error is raised where nothing had been tried."""
    try:
        return repaired_project(folder, pytest_arguments, settings), None
    except (ModelError, SandboxError) as error:
        found = error.project_repair
        if found is None or not (found.cost.model_calls or found.cost.candidates):
            raise
        return found, error


def repaired_project(
    folder: Path, pytest_arguments: tuple[str, ...], settings: Settings, *, until: Listener | None = None
) -> ProjectRepair:
    """The repair of the project that a folder is in, its progress shown; `until` hears of it too, and may end it."""
    from regreen.api import repair_project
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress

    with repair_progress(notices(settings), verbose=settings.verbose) as show:

        def on_event(event: Event) -> None:
            show(event)
            if until is not None:
                until(event)

        return repair_project(folder, pytest_arguments, settings=settings, on_event=on_event)


def taken_over(repair: ProjectRepair, wanted: HandOver) -> HandedOver:
    """What is done with a repair that is one, or with a partial one that is wanted; nothing with any other."""
    is_taken = repair.fixed or (wanted.apply_partial and bool(repair.changes))
    return _hand_over(repair, wanted) if is_taken else HandedOver([])


def _hand_over(repair: ProjectRepair, wanted: HandOver) -> HandedOver:
    """Save the patch, commit it and write the files, as is wanted; what is doubtful is only saved."""
    from regreen.tasks.whole_project import write_changes

    given = HandedOver([])
    is_refused = repair.is_doubtful and not wanted.accept_doubtful
    try:
        if wanted.out is not None:
            given.done.append(_saved(repair, wanted.out))
        if wanted.commit and not is_refused:
            given.commit = _committed(repair)
            given.done += _commit_lines(repair, given.commit)
        if wanted.writes and not is_refused:
            write_changes(repair.root, repair.changes)
            given.done.append(f"Wrote {', '.join(change.path for change in repair.changes)}.")
    except TaskError as problem:
        given.problem = problem
        return given
    if is_refused and (wanted.writes or wanted.commit):
        given.done.append(_DOUBTFUL)
    if not wanted.does_something:
        given.done.append(NOT_WRITTEN)
    return given


def _saved(repair: ProjectRepair, out: Path) -> str:
    try:
        out.write_bytes(repair.diff.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise TaskError(
            f"the patch cannot be saved as {out}: {error.strerror}.", remedy="Give --out another file."
        ) from None
    return f"Saved the patch as {out}: `git apply` takes it in {repair.root}."


def _committed(repair: ProjectRepair) -> BranchCommit:
    from regreen.report.commit_text import branch_name, commit_message
    from regreen.sandbox.git_branch import FileVersion, commit_on_branch

    files = [FileVersion(change.path, change.before_bytes, change.after_bytes) for change in repair.changes]
    return commit_on_branch(Path(repair.root), files, branch_name(repair.changes), commit_message(repair))


def _commit_lines(repair: ProjectRepair, made: BranchCommit) -> list[str]:
    """What was committed, what of the proof is not, and how to take it over."""
    from regreen.sandbox.git_branch import unlike_committed

    where = "" if made.onto else " HEAD is at no branch: check out the one that is meant first."
    lines = [f"Committed as {made.commit[:10]} on the branch {made.branch}; your files and branch are as they were."]
    tests = list(dict.fromkeys(test.partition("::")[0] for test in repair.turned_green))
    if loose := unlike_committed(Path(repair.root), tests):
        lines.append(f"Not committed as they lie here, and so not on that branch: {', '.join(loose)}.")
    return [*lines, f"To take it over: git merge {made.branch}{where and '.'}{where}"]


def _print_repair(repair: ProjectRepair, settings: Settings, done: list[str], *, full: bool) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_project import show_project_repair

    show_project_repair(results(settings), repair, done, full=full)


def print_json(repair: ProjectRepair, given: HandedOver, error: RegreenError | None = None) -> None:
    """Print a repair and what was done with it as one JSON object, on one line."""
    from regreen.evaluate import jsonl

    made = given.commit
    commit = {"branch": made.branch, "id": made.commit, "onto": made.onto} if made else None
    values = {**project_values(repair, given.problem or error), "commit": commit}
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))


def project_values(repair: ProjectRepair, problem: RegreenError | None = None) -> dict[str, Any]:
    """A project's repair as one JSON object."""
    return {
        "root": repair.root,
        "outcome": repair.outcome.value,
        "stop": repair.stop.value,
        "diff": repair.diff,
        "changes": [_change_values(change) for change in repair.changes],
        "explanation": repair.explanation,
        "likelihood": repair.likelihood,
        "alternatives": [
            {
                "diff": other.diff,
                "likelihood": other.likelihood,
                "changes": [_change_values(change) for change in other.changes],
            }
            for other in repair.alternatives
        ],
        "questions": [
            {
                "input": asked.input,
                "answers": [{"value": a.value, "check": a.check, "likelihood": a.likelihood} for a in asked.answers],
            }
            for asked in repair.questions
        ],
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
        **model_share(repair),
        "candidates": repair.cost.candidates,
        "seconds": round(repair.cost.seconds, 3),
        "error": {"kind": type(problem).__name__, "message": str(problem)} if problem else None,
    }


def _change_values(change: FileChange) -> dict[str, Any]:
    return {
        "path": change.path,
        "before": change.before,
        "after": change.after,
        "note": change.note,
        "allowed": change.is_allowed,
    }


def _state(repair: ProjectRepair, test: str) -> dict[str, str] | None:
    result = repair.after.get(test)
    return None if result is None else {"outcome": result.outcome.value, "message": result.detail}
