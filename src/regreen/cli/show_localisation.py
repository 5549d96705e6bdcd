"""A localisation on a terminal: the red checks, and the source with how suspicious each line is; and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.cli.show_repair import count_of_checks, headline, show_failures, warnings
from regreen.report.safe_text import visible_line
from regreen.strategies.localisation import Localisation
from regreen.types import Cost, Repair, Site, Stop
from regreen.verify.check_failures import check_failures, result_in_words

_SHOWN_FAILURES = 5
_SHOWN_LINES = 30
_SHOWN_REASONS = 3
_HOT, _WARM = 0.75, 0.5
"""Suspiciousness from which on a line is shown in red, or in yellow."""


def show_localisation(out: Console, found: Localisation, *, full: bool = False) -> None:
    """Print the red checks, the suspicious lines and why; with `full`, all of them."""
    repair = _without_repair(found)
    failures = check_failures(found.task.suite, found.verdict)
    if not failures:
        print_wrapped(out, headline(found.task, repair))
    else:
        failed = count_of_checks(len(failures), len(found.verdict.results))
        print_wrapped(out, Text(f"{visible_line(found.task.id)} fails {failed}.", "bold red"))
        shown = len(failures) if full else _SHOWN_FAILURES
        show_failures(out, "Red:", failures[:shown], max(0, len(failures) - shown))
        out.print()
        _show_listing(out, found, None if full else _SHOWN_LINES)
        _show_reasons(out, found.sites, None if full else _SHOWN_REASONS)
    for warning in warnings(found.task, repair):
        print_wrapped(out, Text(warning, "yellow"))


def _without_repair(found: Localisation) -> Repair:
    """The localisation as the repair that it has not begun."""
    stop = Stop.NOTHING_RED if found.verdict.passed else Stop.EXHAUSTED
    return Repair(found.task.id, None, found.verdict, (), Cost(), stop, flaky=found.flaky, obstacles=found.obstacles)


def _show_listing(out: Console, found: Localisation, most: int | None) -> None:
    """The most suspicious lines in the order of the source, with a mark on those that all evidence together names."""
    source = found.task.source.split("\n")
    shown = _lines_to_show(found, most)
    if not shown:
        return
    name = visible_line(found.task.id)
    print_wrapped(
        out, Text(f"Suspicious lines of {name} (1.00: run by every red check and by no green one; > the likeliest):")
    )
    digits, before = len(str(shown[-1])), shown[0] - 1
    for line in shown:
        if line > before + 1:
            out.print(Text(f"{'':{digits + 2}}  ...", "dim"))
        before = line
        out.print(_listed(found, line, source[line - 1], digits), no_wrap=True, overflow="ellipsis", crop=True)


def _lines_to_show(found: Localisation, most: int | None) -> list[int]:
    """Lines with any suspicion, at most so many: those of the sites first, then by their suspiciousness."""
    last = found.task.source.count("\n") + 1
    ranked = [line for site in found.sites for line in range(site.first_line, site.last_line + 1) if site.suspicion > 0]
    ran = [line for line, score in found.suspiciousness.items() if score]
    ranked += sorted(ran, key=lambda line: -found.suspiciousness[line])
    suspicious = [line for line in dict.fromkeys(ranked) if 0 < line <= last]
    return sorted(suspicious[:most])


def _listed(found: Localisation, line: int, code: str, digits: int) -> Text:
    score = found.suspiciousness.get(line)
    likeliest = any(
        site.suspicion == found.sites[0].suspicion and site.first_line <= line <= site.last_line for site in found.sites
    )
    style = "" if score is None else "red" if score >= _HOT else "yellow" if score >= _WARM else ""
    shown = "    " if score is None else f"{score:.2f}"
    mark = ">" if likeliest else " "
    return Text(f"{mark} {line:>{digits}}  {shown}  {visible_line(code.expandtabs(4), 1000)}", style)


def _show_reasons(out: Console, sites: Sequence[Site], most: int | None) -> None:
    told = list(_reasons(sites))[:most]
    if told:
        out.print()
    for reason in told:
        print_wrapped(out, Text(reason))


def _reasons(sites: Sequence[Site]) -> Iterator[str]:
    """Each reason with the lines that it is about, the most suspicious first."""
    lines: dict[str, list[str]] = {}
    for site in sites:
        if site.suspicion > 0 and site.reason:
            several = f" to {site.last_line}" * (site.last_line > site.first_line)
            lines.setdefault(site.reason, []).append(f"{site.first_line}{several}")
    for reason, places in lines.items():
        where = f"Lines {', '.join(places)}" if len(places) > 1 or " " in places[0] else f"Line {places[0]}"
        yield f"{where}: {visible_line(reason, 1000)}."


def localisation_values(found: Localisation) -> dict[str, Any]:
    """A localisation as `--json` prints it."""
    source = found.task.source.split("\n")
    failures = {failure.check: failure for failure in check_failures(found.task.suite, found.verdict)}
    return {
        "program": found.task.id,
        "checks": [
            {
                "name": name,
                "outcome": result.outcome.value,
                "message": result_in_words(result) if name in failures else "",
                "expected": result.expected,
                "actual": result.actual,
                "place": failures[name].place if name in failures else "",
                "code": failures[name].code if name in failures else "",
            }
            for name, result in found.verdict.results.items()
        ],
        "flaky": list(found.flaky),
        "obstacles": [asdict(obstacle) for obstacle in found.obstacles],
        "lines": [
            {"line": line, "suspiciousness": round(score, 4), "code": source[line - 1]}
            for line, score in sorted(found.suspiciousness.items())
            if 0 < line <= len(source)
        ],
        "sites": [asdict(site) for site in found.sites],
        "seconds": found.seconds,
    }
