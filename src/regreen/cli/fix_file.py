"""The repair of one file, from its tests to what is written and printed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regreen.cli.fix_project import HandOver
from regreen.cli.model_fetching import fetch_missing_models
from regreen.cli.task_reading import read_task
from regreen.errors import ModelError, RegreenError, SandboxError, TaskError
from regreen.types import Attempt, Repair, Stop, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.strategies.searching.guesses import Guess
    from regreen.tasks.local_task import ProgramFile

_STATUSES = {Stop.NOTHING_RED: 0, Stop.FIXED: 0, Stop.ERROR: 3, Stop.INTERRUPTED: 130}
"""Exit status by stop; any other stop is 0 with a repair and 1 without."""
_NOT_FIXED = 1
_DOUBTFUL = "Not written, since it is more likely wrong than right: --accept-doubtful writes it all the same."


class FileRequest(NamedTuple):
    """What is to be repaired, and how its user is asked."""

    target: Path
    tests: list[str]
    """Files, folders and patterns; none for the doctest examples of the program."""
    keyword: str | None
    """Chooses tests, as pytest's -k."""
    entry_point: str | None
    ask: bool
    """Whether to ask which answer is right where likely repairs do not agree."""
    suspect: bool
    """Whether to guess where nothing is red."""


def fix_file(request: FileRequest, settings: Settings, wanted: HandOver, *, explain: bool, as_json: bool) -> int:
    """Repair one file and hand the repair over; returns the exit status."""
    program, task = read_task(request.target, request.tests, request.keyword, request.entry_point, settings)
    fetch_missing_models(settings)
    repair, problem = _repair(task, settings, ask=request.ask)
    guesses = _guesses(task, settings) if request.suspect and repair.stop is Stop.NOTHING_RED else None
    status = _STATUSES.get(repair.stop, 0 if repair.fixed else _NOT_FIXED)
    done: list[str] = []
    if taken := _taken(repair, status, wanted):
        done, problem, status = _hand_over(program, repair, taken, status, wanted, settings)
    status = _NOT_FIXED if status == 0 and repair.set_aside else status
    if as_json:
        _print_record(program, task, repair, guesses or (), settings, problem)
        return problem.exit_status if problem else status
    _print_repair(program, task, repair, done, settings, full=explain or settings.verbose)
    if guesses is not None:
        _print_guesses(program, guesses, settings)
    if problem:
        raise problem
    if request.ask:
        _offer_checks(request.tests, repair, settings)
    return status


def _taken(repair: Repair, status: int, wanted: HandOver) -> Attempt | None:
    """What is handed over: the repair, or what turns some red checks green where that is wanted."""
    if status == 0:
        return repair.chosen
    return repair.partial if status == _NOT_FIXED and wanted.apply_partial else None


def _offer_checks(tests: list[str], repair: Repair, settings: Settings) -> None:
    """Put what the user answered into the file of tests, where the user agrees."""
    from rich.text import Text

    from regreen.cli.answered_checks import offer_to_add
    from regreen.cli.console import notices, print_wrapped
    from regreen.cli.show_alternatives import Prompts
    from regreen.report.safe_text import visible_line

    out = notices(settings)
    if said := offer_to_add(Prompts(out), tests, repair):
        print_wrapped(out, Text(visible_line(said, 1000)))


def _is_refused(program: ProgramFile, repair: Repair, settings: Settings) -> bool:
    """Whether a doubtful repair is not to be written, since nobody is there to agree, or the user does not."""
    if not repair.is_doubtful:
        return False
    from regreen.cli.console import notices
    from regreen.cli.show_alternatives import Prompts
    from regreen.cli.show_repair import diff
    from regreen.report.likelihood_words import rounded_percent

    prompts = Prompts(notices(settings))
    if not prompts.is_possible:
        return True
    prompts.show(diff(_text(program, _patch(program, repair.chosen, context=1))))
    return not prompts.confirm(f"This repair is only {rounded_percent(repair.likelihood)} likely right. Write it?")


def _repair(task: Task, settings: Settings, *, ask: bool) -> tuple[Repair, RegreenError | None]:
    """The repair, and the error that cut it short; the error is raised where no candidate had been tried."""
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress
    from regreen.cli.show_alternatives import Prompts
    from regreen.strategies import ignore, repair_task

    prompts = Prompts(notices(settings))
    asked = prompts.ask if ask and prompts.is_possible else None
    # A line that is drawn again and again would hide the questions.
    progress = nullcontext(ignore) if asked else repair_progress(notices(settings), verbose=settings.verbose)
    with progress as on_event:
        try:
            return repair_task(task, settings=settings, on_event=on_event, ask=asked), None
        except (ModelError, SandboxError) as error:
            repair = _partial_repair(error)
            if repair is None:
                raise
            return repair, error


def _partial_repair(error: RegreenError) -> Repair | None:
    """The partial repair that the error carries; None where no candidate had been tried."""
    repair = error.repair
    return repair if repair and (repair.cost.candidates or repair.cost.model_calls) else None


def _patch(program: ProgramFile, attempt: Attempt | None, *, context: int = 3) -> bytes:
    """The change as a patch of the file's own bytes; empty when there is none."""
    from regreen.tasks.patch_file import patch_name, unified_patch

    if attempt is None:
        return b""
    name = patch_name(program.path, Path.cwd())
    return unified_patch(program.render(program.text), program.render(attempt.candidate.source), name, context=context)


def _hand_over(
    program: ProgramFile, repair: Repair, taken: Attempt, status: int, wanted: HandOver, settings: Settings
) -> tuple[list[str], TaskError | None, int]:
    """Save the patch and write the file, as it is wanted; what was done, the error if any, and the exit status."""
    refused = wanted.writes and not wanted.accept_doubtful and _is_refused(program, repair, settings)
    apply = wanted.writes and not refused
    done, problem = _written(program, taken, partial=not repair.fixed, apply=apply, out=wanted.out)
    if refused:
        return [*(done if wanted.out else ()), _DOUBTFUL], problem, _NOT_FIXED
    return done, problem, status


def _written(
    program: ProgramFile, taken: Attempt, *, partial: bool, apply: bool, out: Path | None
) -> tuple[list[str], TaskError | None]:
    """Save the patch and write the file, as the flags say; returns what was done and the error, if any."""
    from regreen.tasks.local_task import write_if_unchanged

    done = []
    try:
        if out is not None:
            _save(out, _patch(program, taken))
            done.append(f"Saved the {'partial ' * partial}patch as {out}.")
        if apply:
            write_if_unchanged(program, taken.candidate.source)
            done.append(f"Wrote the {'partial ' * partial}repair into {program.path}.")
    except TaskError as problem:
        return done, problem
    return done or ["Not written yet: --apply writes it, --out PATCH saves it, --explain says more."], None


def _save(out: Path, patch: bytes) -> None:
    try:
        out.write_bytes(patch)
    except OSError as error:
        raise TaskError(
            f"the patch cannot be saved as {out}: {error.strerror}.", remedy="Give --out another file."
        ) from None


def _text(program: ProgramFile, patch: bytes) -> str:
    return patch.decode(program.encoding, "backslashreplace")


def _print_repair(
    program: ProgramFile, task: Task, repair: Repair, done: list[str], settings: Settings, *, full: bool
) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_alternatives import show_alternatives
    from regreen.cli.show_repair import diff, show_repair

    def patch_of(attempt: Attempt | None) -> str:
        return _text(program, _patch(program, attempt, context=3 if full else 1))

    out = results(settings)
    show_repair(out, task, repair, patch_of(repair.chosen or repair.partial), full=full, done=done)
    others = [Attempt(other.candidate, repair.before) for other in repair.alternatives]
    show_alternatives(out, repair, [diff(patch_of(other)) for other in others], full=full)


def _guesses(task: Task, settings: Settings) -> list[Guess]:
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress
    from regreen.strategies import guesses_for

    with repair_progress(notices(settings), verbose=settings.verbose) as on_event:
        return guesses_for(task, settings=settings, on_event=on_event)


def _print_guesses(program: ProgramFile, guesses: Sequence[Guess], settings: Settings) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_guesses import show_guesses

    show_guesses(results(settings), guesses, _guess_patches(program, guesses))


def _guess_records(program: ProgramFile, guesses: Sequence[Guess]) -> list[dict[str, Any]]:
    from regreen.cli.show_guesses import guess_records

    return guess_records(guesses, _guess_patches(program, guesses))


def _guess_patches(program: ProgramFile, guesses: Sequence[Guess]) -> list[str]:
    return [_text(program, _patch(program, guess.attempt, context=1)) for guess in guesses]


def _print_record(
    program: ProgramFile,
    task: Task,
    repair: Repair,
    guesses: Sequence[Guess],
    settings: Settings,
    problem: RegreenError | None,
) -> None:
    """One JSON object: a result line's fields, the patch under the file's own name, and what only `fix` has."""
    from regreen.cli.check_changes import check_changes
    from regreen.evaluate import jsonl
    from regreen.evaluate.records import ErrorLine, Feedback, Result, RunConfiguration
    from regreen.evaluate.result_lines import repair_line
    from regreen.strategies import chosen_name

    name = chosen_name(settings)
    model = None if name == "search" else settings.model
    configuration = RunConfiguration("local", name, Feedback.ALL, model=model, seed=settings.seed)
    error = ErrorLine(kind=type(problem).__name__, message=str(problem)) if problem else None
    line = repair_line(task, repair, configuration).model_copy(
        update={"diff": _text(program, _patch(program, repair.chosen)), "error": error}
    )
    if repair.stop is Stop.ERROR and not repair.fixed:
        line = line.model_copy(update={"outcome": Result.ERROR})
    values: dict[str, Any] = {
        **line.values(),
        "partial_diff": _text(program, _patch(program, repair.partial)),
        "guesses": _guess_records(program, guesses),
        "checks_before_after": check_changes(task, repair),
    }
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))
