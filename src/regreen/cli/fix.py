"""`regreen fix`: repair one file so that its tests pass."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.errors import ModelError, RegreenError, SandboxError, TaskError
from regreen.types import Attempt, Repair, Stop, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.tasks.local_task import ProgramFile

_STATUSES = {Stop.NOTHING_RED: 0, Stop.FIXED: 0, Stop.ERROR: 3, Stop.INTERRUPTED: 130}
"""Exit status by stop; any other stop is 0 with a repair and 1 without."""
_NOT_FIXED = 1


@flags.with_settings(*flags.TESTS, *flags.SANDBOX, *flags.REPAIR, *flags.MODEL, *flags.COMMON)
def fix_command(
    context: typer.Context,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="The program: one Python file.")],
    tests: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="Its tests: a .py file, FILE::TEST, a folder, a pattern, or .jsonl cases; may be repeated "
            "[the program's own doctests].",
        ),
    ] = None,
    keyword: Annotated[
        str | None, typer.Option("-k", metavar="EXPRESSION", help="Only tests whose names match, as pytest's -k.")
    ] = None,
    entry_point: Annotated[
        str | None, typer.Option(metavar="NAME", help="The function to repair [found from the tests].")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the repair into TARGET.")] = False,
    apply_partial: Annotated[
        bool,
        typer.Option("--apply-partial", help="As --apply, and even a change that turns only some red checks green."),
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="PATCH", help="Save the repair as a patch.")] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Print the rest: what was suspected and tried, each check before and after."),
    ] = False,
    as_json: flags.Json = False,
) -> int:
    """Repair one file so that its tests pass.

    Exit status: 0 fixed, or nothing was red; 1 not fixed, or checks stay red that the program does not decide;
    2 unusable input; 3 the sandbox or a model failed; 130 interrupted.
    """
    settings = flags.resolve(context, near=target)
    _refuse_unwritable(out)
    if not tests:
        target, tests = _with_program(target, settings)
    program, task = _read(target, tests, keyword, entry_point, settings)
    _say_what_is_shown(task, settings)
    repair, problem = _repair(task, settings)
    proven = _patch(program, repair.chosen)
    status = _STATUSES.get(repair.stop, 0 if repair.fixed else 1)
    done: list[str] = []
    taken = repair.chosen if status == 0 else repair.partial if status == 1 and apply_partial else None
    if taken is not None:
        done, problem = _hand_over(program, taken, partial=not repair.fixed, apply=apply or apply_partial, out=out)
    status = _NOT_FIXED if status == 0 and repair.set_aside else status
    if as_json:
        partial = _patch(program, repair.partial)
        _print_record(task, repair, _text(program, proven), settings, problem, partial=_text(program, partial))
        return problem.exit_status if problem else status
    _print_repair(program, task, repair, done, settings, full=explain or settings.verbose)
    if problem:
        raise problem
    return status


def _with_program(target: Path, settings: Settings) -> tuple[Path, list[str]]:
    """The program and its tests, where what was named as the program is a file of tests."""
    from rich.text import Text

    from regreen.cli.console import notices, print_wrapped
    from regreen.report.safe_text import visible_line
    from regreen.tasks.program_of_tests import is_test_file, program_of_tests

    if not is_test_file(target) or not target.is_file():
        return target, []
    program = program_of_tests(target)
    said = f"{target} holds tests; the one module of yours that they use is repaired: {program}"
    print_wrapped(notices(settings), Text(visible_line(said, 1000)))
    return program, [str(target)]


def _read(
    target: Path, tests: list[str], keyword: str | None, entry_point: str | None, settings: Settings
) -> tuple[ProgramFile, Task]:
    from regreen.config import shown_variables
    from regreen.tasks.local_task import CheckReaders, UserPlace, build_task, read_chosen_tests, read_program_file
    from regreen.verify.bindings import guess_entry_point
    from regreen.verify.doctests import read_doctests
    from regreen.verify.io_cases import read_io_cases
    from regreen.verify.suites import read_project_suite, read_suite

    readers = CheckReaders(read_suite, read_project_suite, read_io_cases, read_doctests, guess_entry_point)
    program = read_program_file(target)
    chosen = read_chosen_tests(tests, keyword)
    user_place = UserPlace(environment=shown_variables(settings.env))
    return program, build_task(program, chosen, entry_point, readers=readers, user_place=user_place)


def _say_what_is_shown(task: Task, settings: Settings) -> None:
    """With -v, list the files of the project that the tests may see, and what is left out."""
    from rich.text import Text

    from regreen.cli.console import notices
    from regreen.report.safe_text import visible_line

    project = task.suite.project
    if project is None or not settings.verbose:
        return
    out = notices(settings)
    what = f"pytest runs in a copy of {project.root} that holds the program and {len(project.files)} files:"
    shown = [*project.files, *(f"not shown: {path} ({reason})" for path, reason in project.left_out.items())]
    for line in (what, *(f"  {name}" for name in shown)):
        out.print(Text(visible_line(line, 500)), soft_wrap=True)


def _repair(task: Task, settings: Settings) -> tuple[Repair, RegreenError | None]:
    """The repair, and the error that cut it short; the error is raised where no candidate had been tried."""
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress
    from regreen.strategies import repair_task

    with repair_progress(notices(settings), verbose=settings.verbose) as on_event:
        try:
            return repair_task(task, settings=settings, on_event=on_event), None
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
    from regreen.cli.patch_file import patch_name, unified_patch

    if attempt is None:
        return b""
    name = patch_name(program.path, Path.cwd())
    return unified_patch(program.render(program.text), program.render(attempt.candidate.source), name, context=context)


def _hand_over(
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


def _refuse_unwritable(out: Path | None) -> None:
    """Raise TaskError before the search where the patch could not be saved after it."""
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise TaskError(f"the patch cannot be saved as {out}.", remedy="Give --out a file name in an existing folder.")


def _text(program: ProgramFile, patch: bytes) -> str:
    return patch.decode(program.encoding, "backslashreplace")


def _print_repair(
    program: ProgramFile, task: Task, repair: Repair, done: list[str], settings: Settings, *, full: bool
) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_repair import show_repair

    patch = _patch(program, repair.chosen or repair.partial, context=3 if full else 1)
    show_repair(results(settings), task, repair, _text(program, patch), full=full, done=done)


def _print_record(
    task: Task, repair: Repair, patch: str, settings: Settings, problem: RegreenError | None, *, partial: str
) -> None:
    """One JSON object: the fields of a result line, with the patch under the file's own name, and some for people."""
    from regreen.cli.check_changes import check_changes
    from regreen.evaluate import jsonl
    from regreen.evaluate.records import ErrorLine, Feedback, Result, RunConfiguration
    from regreen.evaluate.result_lines import repair_line
    from regreen.strategies import chosen_name

    name = chosen_name(settings)
    model = None if name == "search" else settings.model
    configuration = RunConfiguration("local", name, Feedback.ALL, model=model, seed=settings.seed)
    error = ErrorLine(kind=type(problem).__name__, message=str(problem)) if problem else None
    line = repair_line(task, repair, configuration).model_copy(update={"diff": patch, "error": error})
    if repair.stop is Stop.ERROR and not repair.fixed:
        line = line.model_copy(update={"outcome": Result.ERROR})
    values = {**line.values(), "partial_diff": partial, "checks_before_after": check_changes(task, repair)}
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))
