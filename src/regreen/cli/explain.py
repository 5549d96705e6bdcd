"""`regreen explain`: what is red and which lines to suspect, without a patch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.cli.task_reading import read_task

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.strategies.localisation import Localisation
    from regreen.types import Task


@flags.with_settings(*flags.TESTS, *flags.SANDBOX, *flags.COMMON)
def explain_command(
    context: typer.Context,
    target: flags.Target,
    tests: flags.Tests = None,
    keyword: flags.Keyword = None,
    entry_point: Annotated[
        str | None, typer.Option(metavar="NAME", help="The function in question [found from the tests].")
    ] = None,
    as_json: flags.Json = False,
) -> int:
    """Show which checks are red and which lines to suspect.

    Nothing is changed or searched for. Exit status: 0 shown; 2 unusable input; 3 the sandbox failed; 130 interrupted.
    """
    settings = flags.resolve(context, near=target)
    _, task = read_task(target, tests or [], keyword, entry_point, settings)
    found = _localise(task, settings)
    _print_json(found) if as_json else _print(found, settings)
    return 0


def _localise(task: Task, settings: Settings) -> Localisation:
    from regreen.cli.console import notices
    from regreen.cli.repair_progress import repair_progress
    from regreen.strategies.localisation import localise_task

    with repair_progress(notices(settings), verbose=settings.verbose) as on_event:
        return localise_task(task, settings=settings, on_event=on_event)


def _print(found: Localisation, settings: Settings) -> None:
    from regreen.cli.console import results
    from regreen.cli.show_localisation import show_localisation

    show_localisation(results(settings), found, full=settings.verbose)


def _print_json(found: Localisation) -> None:
    from regreen.cli.show_localisation import localisation_values
    from regreen.evaluate import jsonl

    sys.stdout.write(jsonl.encode_line(localisation_values(found)).decode("ascii"))
