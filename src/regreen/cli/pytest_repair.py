"""`pytest --regreen`: the repair of a project whose tests have just failed, in the summary of that run."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator

import pytest
from rich.console import Console

from regreen.cli.console import notices
from regreen.cli.repair_progress import repair_progress
from regreen.cli.show_project import show_project_repair
from regreen.config import load_settings
from regreen.errors import RegreenError
from regreen.report.safe_text import visible
from regreen.types import ProjectOutcome, ProjectRepair

_DOUBTFUL = "Not written, since it is more likely wrong than right: read it, and `git apply` it if it is right."
_NOT_WRITTEN = "Not written yet: --regreen-apply writes it."
_PARTIAL = "Not written: --regreen-apply writes only what turns every test green."
_GREEN_THERE = "What failed here passes in the sandbox: it may be flaky, or rest on what is not shown to tests there."


def show_repairs(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Repair the project of a run that has ended, and print what came of it; raises nothing."""
    if not (reporter.stats.get("failed") or reporter.stats.get("error")):
        return
    reporter.section("regreen")
    try:
        _repair(reporter, config)
    except KeyboardInterrupt:
        reporter.write_line("Interrupted: nothing was written.", yellow=True)
    except RegreenError as error:
        reporter.write_line(visible(f"error: {error}"), red=True)
    except Exception as error:  # noqa: BLE001 - a fault of ours must not take the run's own results away
        reporter.write_line(visible(f"error: this is a fault of regreen: {type(error).__name__}: {error}"), red=True)


def pytest_selection(config: pytest.Config) -> tuple[str, ...]:
    """The arguments that choose the same tests; not those that say how they are run, shown or ended."""
    return tuple(_arguments(config))


def _arguments(config: pytest.Config) -> Iterator[str]:
    option = config.option
    for flag, value in (("-k", option.keyword), ("-m", option.markexpr), ("-c", option.inifilename)):
        if value:
            yield from (flag, str(value))
    for flag, values in (("-o", option.override_ini), ("--deselect", option.deselect), ("-p", option.plugins)):
        yield from (part for value in values or () for part in (flag, str(value)))
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        yield from config.args


def _repair(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    from regreen.api import repair_project

    folder = config.invocation_params.dir
    settings = load_settings(near=folder)
    seconds = f"{settings.max_seconds:g}"
    reporter.write_line(f"Looking for a repair, {seconds} seconds at the most; Ctrl-C ends it.", flush=True)
    with repair_progress(notices(settings), verbose=False) as on_event:
        repair = repair_project(folder, pytest_selection(config), settings=settings, on_event=on_event)
    done = _hand_over(repair, apply=bool(config.getoption("regreen_apply")))
    reporter.write(_rendered(repair, done, in_colour=reporter.hasmarkup))


def _hand_over(repair: ProjectRepair, *, apply: bool) -> list[str]:
    """Write the repair where that was asked for and it is sure enough; returns what was done, or why it was not."""
    from regreen.tasks.whole_project import write_changes

    if repair.outcome is ProjectOutcome.NOTHING_RED:
        return [_GREEN_THERE]
    if not repair.changes:
        return []
    if not repair.fixed:
        return [_PARTIAL]
    if not apply:
        return [_NOT_WRITTEN]
    if repair.is_doubtful:
        return [_DOUBTFUL]
    write_changes(repair.root, repair.changes)
    return [f"Wrote {', '.join(change.path for change in repair.changes)}: run the tests again."]


def _rendered(repair: ProjectRepair, done: list[str], *, in_colour: bool) -> str:
    """What `regreen fix` would print of it."""
    text = io.StringIO()
    out = Console(
        file=text,
        width=shutil.get_terminal_size().columns,
        force_terminal=in_colour,
        color_system="standard" if in_colour else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    show_project_repair(out, repair, done, full=False)
    return text.getvalue()
