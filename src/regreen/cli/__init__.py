"""The command line: parses, calls and prints; the work is done in the rooms below."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from regreen.cli import (
    ci,
    datasets,
    doctor,
    eval,
    explain,
    export,
    fix,
    graph,
    import_results,
    judge,
    mcp,
    replay,
    report,
    serve,
)
from regreen.cli.flags import CommandOptions
from regreen.cli.interrupts import ending_on_sigterm
from regreen.errors import INTERRUPTED_STATUS, ConfigError, RegreenError

_MACHINE_FAILED = 3
_RUN_PROJECTS = frozenset({"fix", "ci"})
"""Commands that take pytest's arguments after `--`."""
_DEBUG_SHOWS = "--debug shows where it happened."

app = typer.Typer(
    name="regreen",
    help="Turns failing Python tests green: the smallest patch, proved in a sandbox.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
app.command("fix", short_help="Repair a project or a file so that its tests pass.")(fix.fix_command)
app.command("explain", short_help="Show what is red and which lines to suspect.")(explain.explain_command)
app.command("eval", short_help="Repair every case of a data set.")(eval.eval_command)
app.command("judge", short_help="Judge programs that others generated.")(judge.judge_command)
app.command("report", short_help="Report on runs, or compare them.")(report.report_command)
app.command("serve", short_help="Serve a page over a folder of runs.")(serve.serve_command)
app.command("mcp", short_help="Serve tools to editors and agents over MCP.")(mcp.mcp_command)
app.command("ci", short_help="In a CI job: leave a patch for what is red.")(ci.ci_command)
app.command("replay", short_help="Run a recorded run again, offline.")(replay.replay_command)
app.command("export", short_help="Write a run's programs in other formats.")(export.export_command)
app.command("import", short_help="Make a run of another tool's results.")(import_results.import_command)
app.add_typer(datasets.datasets_app, name="datasets")
app.command("graph", short_help="Show a strategy's graph.")(graph.graph_command)
app.command("doctor", short_help="Check this machine's sandbox and models.")(doctor.doctor_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"regreen {version('regreen')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Turns failing Python tests green: the smallest patch, proved in a sandbox."""


_commands = cache(partial(typer.main.get_command, app))
"""All commands: to put them together from their signatures takes longer than to read a command line."""


def main() -> NoReturn:
    """The `regreen` command."""
    _make_streams_safe()
    # A shell that completes a command line asks through the environment, and is answered before anything runs.
    _commands()._main_shell_completion({}, "regreen")
    sys.exit(run(sys.argv[1:]))


def _make_streams_safe() -> None:
    """Let both streams take any text, whatever their encoding; a closed one (`>&-`) is replaced by the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit status; prints, but raises nothing."""
    args, pytest_arguments = _without_pytest_arguments(list(args))
    options = CommandOptions("--json" in args, "--debug" in args, pytest_arguments)
    try:
        _refuse_lost_folder()
        with (
            ending_on_sigterm(),
            _commands().make_context("regreen", args or ["--help"], obj=options) as context,
        ):
            status = context.command.invoke(context)
            sys.stdout.flush()
            return int(status or 0)
    except typer.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return _fail(options, "Interrupted", "interrupted.", "", INTERRUPTED_STATUS)
    except TyperException as error:
        return _fail(options, "UsageError", f"{error.format_message().rstrip('.')}.", _usage_remedy(error, args), 2)
    except RegreenError as error:
        return _fail(options, type(error).__name__, Exception.__str__(error), error.remedy, error.exit_status)
    except OSError as error:
        _silence_stdout()
        place = f"{error.filename}: " if error.filename else ""
        return _fail(options, "MachineError", f"{place}{error.strerror or error}.", _DEBUG_SHOWS, _MACHINE_FAILED)
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of ours ends in one line, not in a traceback
        remedy = f"This is a fault of regreen. {_DEBUG_SHOWS}"
        return _fail(options, "InternalError", f"{type(error).__name__}: {error}.", remedy, _MACHINE_FAILED)


def _without_pytest_arguments(args: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The command line up to `--`, and what follows it, which is pytest's where the command runs a project's tests."""
    if args[:1] and args[0] in _RUN_PROJECTS and "--" in args:
        place = args.index("--")
        return args[:place], tuple(args[place + 1 :])
    return args, ()


def _usage_remedy(error: TyperException, args: Sequence[str]) -> str:
    """What to type instead: where a second file is given to `fix`, it is tests."""
    files = [word for word in args[1:] if word.endswith(".py")]
    if args[:1] == ["fix"] and len(files) == len(args) - 1 > 1:
        named = " ".join(f"--tests {shlex.quote(file)}" for file in files[1:])
        return f"Tests are named by --tests: regreen fix {shlex.quote(files[0])} {named}"
    return f"See {_command_path(error)} --help."


def _command_path(error: TyperException) -> str:
    """The command whose usage was wrong, e.g. "regreen fix"."""
    context = getattr(error, "ctx", None)
    return context.command_path if context else "regreen"


def _refuse_lost_folder() -> None:
    try:
        Path.cwd()
    except FileNotFoundError:
        raise ConfigError("the working folder does not exist any more.", remedy="Change to another one.") from None


def _fail(options: CommandOptions, kind: str, message: str, remedy: str, status: int) -> int:
    from regreen.report.safe_text import visible

    if options.debug:
        traceback.print_exc()
    if options.as_json:
        print(json.dumps({"error": {"kind": kind, "message": message, "remedy": remedy}}))  # noqa: T201
    else:
        print(_for_terminal(visible(f"error: {message} {remedy}".rstrip())), file=sys.stderr)  # noqa: T201
    return status


def _for_terminal(text: str) -> str:
    """A message wrapped between words where a terminal shows it; lines that are indented stay as they are."""
    if not sys.stderr.isatty():
        return text
    import shutil
    import textwrap

    width = shutil.get_terminal_size().columns
    wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(line if line.startswith(" ") else wrap.fill(line) for line in text.split("\n"))


def _silence_stdout() -> None:
    """After the reader has gone: buffered output must not raise again when Python flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
