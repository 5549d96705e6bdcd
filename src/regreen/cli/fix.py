"""`regreen fix`: repair one file, or the project around it, so that its tests pass."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regreen.cli import flags
from regreen.cli.fix_project import HandOver, fix_project
from regreen.cli.model_fetching import fetch_missing_models
from regreen.cli.task_reading import read_task
from regreen.cli.watch_project import watch_project
from regreen.errors import ConfigError, ModelError, RegreenError, SandboxError, TaskError
from regreen.types import Attempt, Repair, Stop, Task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.strategies.guesses import Guess
    from regreen.tasks.local_task import ProgramFile

_STATUSES = {Stop.NOTHING_RED: 0, Stop.FIXED: 0, Stop.ERROR: 3, Stop.INTERRUPTED: 130}
"""Exit status by stop; any other stop is 0 with a repair and 1 without."""
_NOT_FIXED = 1
_DOUBTFUL = "Not written, since it is more likely wrong than right: --accept-doubtful writes it all the same."


@flags.with_settings(
    *flags.TESTS, *flags.SANDBOX, *flags.REPAIR, "alternatives", *flags.MODEL, *flags.PROJECT, *flags.COMMON
)
def fix_command(
    context: typer.Context,
    target: flags.TargetOrFolder = None,
    tests: flags.Tests = None,
    keyword: flags.Keyword = None,
    entry_point: Annotated[
        str | None, typer.Option(metavar="NAME", help="The function to repair [found from the tests].")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write the repair into TARGET.")] = False,
    apply_partial: Annotated[
        bool,
        typer.Option("--apply-partial", help="As --apply, and even a change that turns only some red checks green."),
    ] = False,
    accept_doubtful: Annotated[
        bool,
        typer.Option("--accept-doubtful", help="Have --apply write even what is more likely wrong than right."),
    ] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask which answer is right where likely repairs do not agree.")
    ] = False,
    suspect: Annotated[
        bool,
        typer.Option(
            "--suspect", help="Where nothing is red, guess: changes that keep all checks green, likeliest first."
        ),
    ] = False,
    commit: Annotated[
        bool,
        typer.Option(
            "--commit", help="Commit the repair of a project, on a new git branch; your files stay as they are."
        ),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Repair a project again whenever its files change, until Ctrl-C.")
    ] = False,
    out: Annotated[Path | None, typer.Option(metavar="PATCH", help="Save the repair as a patch.")] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Print the rest: what was suspected and tried, each check before and after."),
    ] = False,
    as_json: flags.Json = False,
) -> int:
    """Repair a project, or one file, so that its tests pass.

    Without a file, the tests of the project are run as `pytest` would run them here (`regreen fix -- PYTEST ARGS`), and
    whatever of it is wrong is repaired; with one, only that file is.

    Exit status: 0 fixed, or nothing was red; 1 not fixed, or checks stay red that the program does not decide, or
    --apply did not write what is doubtful; 2 unusable input; 3 the sandbox or a model failed; 130 interrupted.
    """
    settings = flags.resolve(context, near=target)
    _refuse_unwritable(out)
    if target is None or target.is_dir():
        _refuse_for_projects({"--tests": tests, "-k": keyword, "--entry-point": entry_point, "--ask": ask})
        _refuse_for_projects({"--suspect": suspect})
        wanted = HandOver(apply, apply_partial, accept_doubtful, commit, out)
        folder, chosen = target or Path(), flags.pytest_arguments(context)
        if watch:
            return watch_project(folder, chosen, settings, wanted, as_json=as_json)
        return fix_project(folder, chosen, settings, wanted, explain=explain, as_json=as_json)
    _refuse_for_files(target, {"--commit": commit, "--watch": watch})
    if flags.pytest_arguments(context):
        raise ConfigError(
            f"{target} is one file, and arguments of pytest are for projects.",
            remedy="Name its tests with --tests, or leave the file out to repair the whole project.",
        )
    program, task = read_task(target, tests or [], keyword, entry_point, settings)
    fetch_missing_models(settings)
    repair, problem = _repair(task, settings, ask=ask)
    guesses = _guesses(task, settings) if suspect and repair.stop is Stop.NOTHING_RED else None
    proven = _patch(program, repair.chosen)
    status = _STATUSES.get(repair.stop, 0 if repair.fixed else 1)
    done: list[str] = []
    taken = repair.chosen if status == 0 else repair.partial if status == 1 and apply_partial else None
    if taken is not None:
        apply = apply or apply_partial
        refused = apply and not accept_doubtful and _is_refused(program, repair, settings)
        done, problem = _hand_over(program, taken, partial=not repair.fixed, apply=apply and not refused, out=out)
        if refused:
            done, status = [*(done if out else ()), _DOUBTFUL], _NOT_FIXED
    status = _NOT_FIXED if status == 0 and repair.set_aside else status
    if as_json:
        partial = _patch(program, repair.partial)
        told = {"partial_diff": _text(program, partial), "guesses": _guess_records(program, guesses or ())}
        _print_record(task, repair, _text(program, proven), settings, problem, told)
        return problem.exit_status if problem else status
    _print_repair(program, task, repair, done, settings, full=explain or settings.verbose)
    if guesses is not None:
        _print_guesses(program, guesses, settings)
    if problem:
        raise problem
    if ask:
        _offer_checks(tests or [], repair, settings)
    return status


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


def _refuse_for_projects(given: Mapping[str, object]) -> None:
    """Raise ConfigError for a flag that means something for one file alone."""
    for flag, value in given.items():
        if value:
            raise ConfigError(
                f"{flag} is for the repair of one file, and none is named.",
                remedy="Name the file, or choose tests as pytest does: regreen fix -- tests/test_x.py -k name",
            )


def _refuse_for_files(target: Path, given: Mapping[str, object]) -> None:
    """Raise ConfigError for a flag that means something for a project alone."""
    for flag, value in given.items():
        if value:
            raise ConfigError(
                f"{flag} is for the repair of a project, and {target} is one file.", remedy="Leave the file out."
            )


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
    task: Task, repair: Repair, patch: str, settings: Settings, problem: RegreenError | None, told: Mapping[str, Any]
) -> None:
    """One JSON object: the fields of a result line, with the patch under the file's own name, and those of `told`."""
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
    values = {**line.values(), **told, "checks_before_after": check_changes(task, repair)}
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))
