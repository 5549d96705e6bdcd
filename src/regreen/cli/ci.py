"""`regreen ci`: in a CI job, repairs what is red, and leaves the patch, a summary and annotations; pushes nothing."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.errors import TaskError
from regreen.types import ProjectOutcome, ProjectRepair, Stop

if TYPE_CHECKING:
    from regreen.config import Settings

_PATCH_FILE = "regreen.patch"


@flags.with_settings(*flags.TESTS, *flags.SANDBOX, *flags.REPAIR, *flags.MODEL, *flags.COMMON)
def ci_command(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="The project.", show_default="here")] = Path(),
    patch: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Where to save a patch [{_PATCH_FILE} in a CI job, else nowhere]."),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to append a summary in Markdown [what GITHUB_STEP_SUMMARY names]."),
    ] = None,
) -> int:
    """In a CI job: run the tests of a project, repair what is red, and leave the patch and an explanation.

    Arguments of pytest follow `--`: regreen ci -- tests -k name. Nothing of the project is changed, and nothing is
    pushed. A red build stays red. Exit status: 0 nothing is red; 1 something is, with a patch or without; 2 unusable
    input; 3 the sandbox or a model failed; 130 interrupted.
    """
    from regreen.api import repair_project
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress
    from regreen.environment import ci_job

    settings, job = flags.resolve(context, near=folder), ci_job()
    patch = patch or (Path(_PATCH_FILE) if job.is_ci else None)
    with repair_progress(notices(settings), verbose=settings.verbose) as on_event:
        repair = repair_project(folder, flags.pytest_arguments(context), settings=settings, on_event=on_event)
    done = _leave(repair, patch if repair.diff else None, summary or job.summary)
    _print(repair, settings, done, takes_commands=job.takes_commands)
    if repair.stop is Stop.INTERRUPTED:
        return 130
    return 0 if repair.outcome is ProjectOutcome.NOTHING_RED else 1


def _leave(repair: ProjectRepair, patch: Path | None, summary: Path | None) -> list[str]:
    """Save the patch and the summary; returns what was done."""
    from regreen.report.ci_texts import markdown_summary

    done = []
    if patch is not None:
        _write(patch, repair.diff.encode("utf-8", "surrogateescape"), "--patch")
        done.append(f"Saved the patch as {patch}: `git apply` takes it in {repair.root}.")
    if summary is not None:
        text = markdown_summary(repair, str(patch) if patch else "")
        _write(summary, text.encode("utf-8", "backslashreplace"), "--summary", append=True)
    return done


def _write(path: Path, content: bytes, flag: str, *, append: bool = False) -> None:
    try:
        with path.open("ab" if append else "wb") as file:
            file.write(content)
    except OSError as error:
        raise TaskError(f"{path} cannot be written: {error.strerror}.", remedy=f"Give {flag} another file.") from None


def _print(repair: ProjectRepair, settings: Settings, done: list[str], *, takes_commands: bool) -> None:
    """Print the repair; where the service takes commands from the log, no line of it is one but those of ours."""
    from regreen.cli.console import results
    from regreen.cli.show_project import show_project_repair
    from regreen.report.ci_texts import workflow_commands

    token = secrets.token_hex(16)
    if takes_commands:
        _say(f"::stop-commands::{token}")
    show_project_repair(results(settings), repair, done, full=True)
    if takes_commands:
        _say(f"::{token}::")
        for command in workflow_commands(repair):
            _say(command)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
