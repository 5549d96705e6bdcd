"""`regreen report`: what runs come to, in the terminal, as a picture and as a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regreen.cli import flags
from regreen.errors import ConfigError, RunError

if TYPE_CHECKING:
    from regreen.config import Settings
    from regreen.report.gather import RunReport


@flags.with_settings("debug")
def report_command(
    context: typer.Context,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, or results.jsonl files.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where the files go [the run's; of several runs, the working folder]."
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="What the others are compared with: a run's folder or name [first]."),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line a run as CSV, and write no file.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="The same as a LaTeX tabular (booktabs).")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="The same as a Markdown table.")] = False,
    as_json: flags.Json = False,
) -> int:
    """Tell what a run came to, and compare several: report.html, report.png and a table.

    The first of several runs is what the others are compared with. Exit status: 0 told; 2 unusable input.
    """
    from regreen.report.gather import gather
    from regreen.report.summary import FORMATS

    settings = flags.resolve(context)
    asked = [name for name, is_asked in (("csv", as_csv), ("latex", as_latex), ("markdown", as_markdown)) if is_asked]
    if len(asked) + as_json > 1:
        raise ConfigError(
            "several formats are asked for.", remedy="Choose one of --csv, --latex, --markdown and --json."
        )
    told = gather(runs, baseline=baseline)
    if asked:
        sys.stdout.write(FORMATS[asked[0]](told))
        return 0
    folder = _folder(out, told)
    files, notes = _write(told, folder)
    _print_json(told, files, notes) if as_json else _print(told, files, notes, settings)
    return 0


def _folder(out: Path | None, told: RunReport) -> Path:
    folder = out or (told.runs[0].path.parent if len(told.runs) == 1 else Path())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder} cannot be made: {error.strerror}.", remedy="Give another --out.") from None
    return folder


def _write(told: RunReport, folder: Path) -> tuple[list[Path], list[str]]:
    """The files that were written, and why one was not."""
    try:
        return _written(told, folder)
    except OSError as error:
        name = error.filename or folder
        raise RunError(f"{name} cannot be written: {error.strerror}.", remedy="Give another --out.") from None


def _written(told: RunReport, folder: Path) -> tuple[list[Path], list[str]]:
    from regreen.report.page import write_page
    from regreen.report.png import write_picture

    page = write_page(told, folder / "report.html")
    try:
        return [page, write_picture(told, folder / "report.png")], []
    except ConfigError as error:
        return [page], [str(error)]


def _print(told: RunReport, files: list[Path], notes: list[str], settings: Settings) -> None:
    from regreen.cli.console import notices, results
    from regreen.report.safe_text import visible_line
    from regreen.report.tables import report_table

    stream = results(settings)
    stream.print(report_table(told))
    for path in files:
        stream.print(f"Written: {visible_line(str(path), 2000)}", soft_wrap=True)
    for note in notes:
        notices(settings).print(visible_line(note, 2000), style="yellow", soft_wrap=True)


def _print_json(told: RunReport, files: list[Path], notes: list[str]) -> None:
    from regreen.evaluate import jsonl
    from regreen.report.json_values import report_values

    values = report_values(told) | {"files": [str(path) for path in files], "notes": notes}
    sys.stdout.write(jsonl.encode_line(values).decode("ascii"))
