"""`regreen fix`: repair one file, or the project around it, so that its tests pass."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from regreen.cli import flags
from regreen.cli.fix_file import FileRequest, fix_file
from regreen.cli.fix_project import HandOver, fix_project
from regreen.cli.watch_project import watch_project
from regreen.errors import ConfigError, TaskError


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
    wanted = HandOver(apply, apply_partial, accept_doubtful, commit, out)
    if target is None or target.is_dir():
        for_files = {"--tests": tests, "-k": keyword, "--entry-point": entry_point, "--ask": ask, "--suspect": suspect}
        _refuse_for_projects(for_files)
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
    request = FileRequest(target, tests or [], keyword, entry_point, ask, suspect)
    return fix_file(request, settings, wanted, explain=explain, as_json=as_json)


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
                f"{flag} is for the repair of a project, and {target} is one file.",
                remedy=f"Leave the file out: `regreen fix {flag}` repairs whatever the project's red tests need, and "
                "`-- TESTS` after it chooses them.",
            )


def _refuse_unwritable(out: Path | None) -> None:
    """Raise TaskError before the search where the patch could not be saved after it."""
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise TaskError(f"the patch cannot be saved as {out}.", remedy="Give --out a file name in an existing folder.")
