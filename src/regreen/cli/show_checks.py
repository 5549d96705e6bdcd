"""The checks of a repair as a table: what came of each before and after, nothing of it cut."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from regreen.report.safe_text import visible_line
from regreen.types import Check, Outcome, Repair, SuiteKind, Task, Verdict
from regreen.verify.check_failures import failing_line, result_in_words

_LEAST_WIDTH = 8
_GAP = 2
_EVIDENCE_CHARACTERS = 2_000


def show_checks(out: Console, task: Task, repair: Repair) -> None:
    """Print the checks before and after, those that are or were red first."""
    after = repair.chosen or repair.partial
    verdicts = [repair.before] if after is None else [repair.before, after.verdict]
    checks = sorted(_all_checks(task, repair), key=lambda check: all(_green(verdict, check) for verdict in verdicts))
    # A test function's name says it; the numbers of statements do not.
    name = "line of the tests" if task.suite.kind is SuiteKind.SCRIPT else "check"
    rows = [[_name(task, check), *(_cell(verdict, check, repair) for verdict in verdicts)] for check in checks]
    titles = [name, *["before", "after"][: len(verdicts)]]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for title, width in zip(titles, _widths(titles, rows, out.width), strict=True):
        table.add_column(title, overflow="fold", width=width)
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _widths(titles: list[str], rows: list[list[Text]], width: int) -> list[int]:
    """Width of each column: that of its content where it fits, else an equal share of the rest."""
    wanted = [max(cell_len(title), *(row[i].cell_len for row in rows)) for i, title in enumerate(titles)]
    left, given = width - _GAP * len(titles), dict[int, int]()
    for place in sorted(range(len(wanted)), key=wanted.__getitem__):
        share = max(left // (len(wanted) - len(given)), _LEAST_WIDTH)
        given[place] = min(wanted[place], share)
        left -= given[place]
    return [given[place] for place in range(len(wanted))]


def _name(task: Task, check: Check) -> Text:
    if task.suite.kind is not SuiteKind.SCRIPT:
        return Text(visible_line(check.id))
    line, code = failing_line(task.suite, check)
    return Text(visible_line(f"{line}: {code or check.id}" if line else code or check.id))


def _all_checks(task: Task, repair: Repair) -> list[Check]:
    """The suite's checks, and any that only the sandbox could find (pytest collects there)."""
    known = {check.id for check in task.suite.checks}
    return [*task.suite.checks, *(Check(name, "") for name in repair.before.results if name not in known)]


def _green(verdict: Verdict, check: Check) -> bool:
    result = verdict.results.get(check.id)
    return result is None or result.outcome is Outcome.PASSED


def _cell(verdict: Verdict, check: Check, repair: Repair) -> Text:
    result = verdict.results.get(check.id)
    if result is None:
        return Text("set aside" if check.id in _aside(repair) else "skipped", style="yellow")
    said = visible_line(result_in_words(result), _EVIDENCE_CHARACTERS)
    return Text(said, style="green" if result.outcome is Outcome.PASSED else "red")


def _aside(repair: Repair) -> set[str]:
    return {*repair.flaky, *(check for obstacle in repair.set_aside for check in obstacle.checks)}
