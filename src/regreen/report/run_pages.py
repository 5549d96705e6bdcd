"""Pages over a folder of runs, made again when a run has gone on; they are only read, and nothing is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from regreen.errors import RegreenError
from regreen.evaluate.judged_log import JUDGED
from regreen.evaluate.provenance import RUN_FILE
from regreen.evaluate.result_log import RESULTS
from regreen.report.gather import RunReport, gather, gather_statistics
from regreen.report.page import assets, write_page
from regreen.report.safe_text import visible_line
from regreen.report.summary import HEADINGS, NUMERIC, summary_rows

_FILES = (RESULTS, JUDGED, RUN_FILE)
_Stamp = tuple[tuple[int, int], ...]
"""Time and size of a run's files: what changes when it goes on."""


@dataclass(slots=True)
class _Known:
    """What was last read of a run."""

    stamp: _Stamp
    report: RunReport | None
    """None where it could not be read."""
    fault: str = ""


@dataclass
class RunPages:
    """The runs of a folder, or one run; not thread-safe."""

    folder: Path
    made: Path
    """A folder for the pages."""
    _known: dict[str, _Known] = field(default_factory=dict)
    _written: dict[str, _Stamp] = field(default_factory=dict)

    def runs(self) -> dict[str, Path]:
        """The folders that hold a run, by name; the folder itself where it is one."""
        if _is_run(self.folder):
            return {self.folder.absolute().name: self.folder}
        found = (path for path in self.folder.iterdir() if path.is_dir() and _is_run(path))
        return {path.name: path for path in sorted(found)}

    def overview(self) -> tuple[str, bool]:
        """The page of all runs, a line each, and whether one of them may still go on."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        environment = Environment(
            loader=PackageLoader("regreen.report", "html"), autoescape=True, undefined=StrictUndefined
        )
        told, goes_on = [], False
        for name, path in self.runs().items():
            known = self._read(name, path)
            cells = list(summary_rows(known.report)[0].cells()) if known.report else []
            goes_on |= known.report is not None and known.report.statistics[0].missing > 0
            told.append(
                {
                    "link": f"/runs/{quote(name, safe='')}",
                    "name": visible_line(name, 80),
                    "cells": cells,
                    "fault": known.fault,
                }
            )
        page = environment.get_template("runs.html.j2").render(
            runs=told,
            headings=HEADINGS,
            numeric=NUMERIC,
            style=assets().style,
            folder=visible_line(self.folder.name, 80),
        )
        return page, goes_on

    def page(self, name: str) -> tuple[Path, bool] | None:
        """The file of a run's page, and whether the run may still go on; None where there is no such run."""
        path = self.runs().get(name)
        if path is None:
            return None
        stamp, out = _stamp(path), self.made / f"{list(self.runs()).index(name)}.html"
        report = gather([path])
        if self._written.get(name) != stamp or not out.exists():
            write_page(report, out)
            self._written[name] = stamp
        return out, report.statistics[0].missing > 0

    def _read(self, name: str, path: Path) -> _Known:
        stamp = _stamp(path)
        if name not in self._known or self._known[name].stamp != stamp:
            try:
                self._known[name] = _Known(stamp, gather_statistics(path))
            except RegreenError as error:
                self._known[name] = _Known(stamp, None, visible_line(str(error), 300))
        return self._known[name]


def _is_run(path: Path) -> bool:
    return any((path / name).is_file() for name in _FILES)


def _stamp(path: Path) -> _Stamp:
    states = [(path / name).stat() for name in _FILES if (path / name).exists()]
    return tuple((state.st_mtime_ns, state.st_size) for state in states)
