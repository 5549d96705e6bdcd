"""A repair on a terminal: the diff, why and at what cost, and the checks before and after."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from regreen.report.safe_text import visible, visible_line
from regreen.types import Check, CheckResult, Cost, Isolation, Outcome, Repair, Stop, SuiteKind, Task, Verdict

_ROWS = 20
_WIDTHS = {"check": 60, "code": 60, "before": 40, "after": 40}
_LEAST_WIDTH = 6
_GAP = 2
_DIFF_STYLES = (("---", "bold"), ("+++", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_MISSING = (
    "There is no module {}: install it for the Python that runs the program, name another one with --python, "
    "or put the module's file beside the program."
)
_MORE = {
    Stop.CANDIDATES: "The budget of candidates is spent; --max-candidates raises it.",
    Stop.SECONDS: "The time is spent; --max-seconds gives more.",
    Stop.ITERATIONS: "The model was asked as often as it may be; --iters lets it try more often.",
    Stop.TOKENS: "The tokens are spent; --max-tokens gives more.",
    Stop.MONEY: "The money is spent; --max-usd gives more.",
    Stop.INTERRUPTED: "Interrupted: nothing was written.",
}
_UNFINISHED = {
    Stop.INTERRUPTED: "Interrupted: nothing was written. The change may be larger than it needs to be.",
    Stop.ERROR: "It was cut short by an error: nothing was written.",
}
"""Warnings beside a repair that was cut short."""


def show_repair(out: Console, task: Task, repair: Repair, patch: str, *, verbose: bool = False) -> None:
    """Print everything about one repair; `patch` is the diff of the patch selected, or of the best partial result."""
    shown = repair.chosen or repair.best
    out.print(headline(task, repair), soft_wrap=True)
    if shown is not None and patch:
        out.print()
        out.print(diff(patch.removesuffix("\n")), soft_wrap=True)
    if repair.explanation and repair.stop is not Stop.NOTHING_RED:
        out.print()
        out.print(Text(visible(repair.explanation.strip())), soft_wrap=True)
    if repair.stop is not Stop.NOTHING_RED:
        out.print()
        out.print(checks_table(task, repair, None if verbose else _ROWS, out.width))
    if not verbose and (more := len(_all_checks(task, repair)) - _ROWS) > 0 and repair.stop is not Stop.NOTHING_RED:
        out.print(Text(f"... and {more} more (--verbose shows them)", style="dim"))
    for warning in warnings(task, repair):
        out.print(Text(warning, style="yellow"), soft_wrap=True)
    if verbose and repair.cost.timings:
        out.print(Text(time_line(repair.cost), style="dim"), soft_wrap=True)


def headline(task: Task, repair: Repair) -> Text:
    """The result in one line."""
    name, before = visible_line(task.id), repair.before
    count = f"{before.checks_passed} of {len(before.results)}"
    if repair.stop is Stop.NOTHING_RED:
        return Text(f"Nothing is red: {name} passes {_every(len(before.results))}.", style="green")
    if repair.chosen is not None and len(before.results) == 1:
        return Text(f"Fixed {name}: its check failed before, and passes now.", style="bold green")
    if repair.chosen is not None:
        return Text(f"Fixed {name}: {count} checks passed before, all of them do now.", style="bold green")
    if repair.best is not None and repair.best.verdict.checks_passed > before.checks_passed:
        best = repair.best.verdict
        return Text(
            f"Not fixed: {name} passed {count} checks; the best change found passes {best.checks_passed}. "
            "It is not proved to be right.",
            style="bold red",
        )
    return Text(f"Not fixed: {name} passes {count} checks.", style="bold red")


def diff(patch: str) -> Text:
    """A unified diff in colour, without control characters."""
    text = Text()
    for line in visible(patch.replace("\r\n", "\n")).splitlines(keepends=True):
        text.append(line, next((style for start, style in _DIFF_STYLES if line.startswith(start)), ""))
    return text


def checks_table(task: Task, repair: Repair, rows: int | None, width: int) -> Table:
    """The checks before and after, those that are or were red first; at most `rows` of them, within `width`."""
    after = repair.chosen or repair.best
    verdicts = [repair.before] if after is None else [repair.before, after.verdict]
    checks = sorted(_all_checks(task, repair), key=lambda check: all(_green(verdict, check) for verdict in verdicts))
    # A test function's name says it; the numbers of statements do not.
    with_code = task.suite.kind is SuiteKind.SCRIPT
    titles = ["check", *["code"] * with_code, *["before", "after"][: len(verdicts)]]
    lines = [_row(check, verdicts, repair, with_code=with_code) for check in checks[:rows]]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for title, wide in zip(titles, _widths(titles, lines, width), strict=True):
        table.add_column(title, no_wrap=True, width=wide)
    for line in lines:
        table.add_row(*line)
    return table


def _row(check: Check, verdicts: list[Verdict], repair: Repair, *, with_code: bool) -> list[Text]:
    code = [Text(_shortened(check.code))] * with_code
    return [Text(visible_line(check.id)), *code, *(_cell(verdict, check, repair) for verdict in verdicts)]


def _widths(titles: list[str], lines: list[list[Text]], width: int) -> list[int]:
    """Width of each column: that of its content where it fits, else an equal share of the rest."""
    wanted = [
        min(max(cell_len(title), *(line[i].cell_len for line in lines)), _WIDTHS[title]) if lines else cell_len(title)
        for i, title in enumerate(titles)
    ]
    left, given = width - _GAP * len(titles), dict[int, int]()
    for place in sorted(range(len(wanted)), key=wanted.__getitem__):
        share = max(left // (len(wanted) - len(given)), _LEAST_WIDTH)
        given[place] = min(wanted[place], share)
        left -= given[place]
    return [given[place] for place in range(len(wanted))]


def warnings(task: Task, repair: Repair) -> list[str]:
    """Warnings to read before trusting the result."""
    told = []
    if repair.flaky:
        names = ", ".join(visible_line(name, 80) for name in repair.flaky)
        told.append(f"Set aside, because they disagree with themselves from run to run: {names}.")
    if task.suite.isolation is Isolation.SHARED and task.suite.reason:
        why = visible_line(task.suite.reason)
        told.append(f"Why in the program's own process: {why}. docs/security.md says what that means.")
    if repair.chosen is None:
        told += [_MISSING.format(visible_line(name, 80)) for name in _missing_modules(repair.before)]
    more = _MORE if repair.chosen is None else _UNFINISHED
    if repair.stop in more:
        told.append(more[repair.stop])
    return told


def _missing_modules(verdict: Verdict) -> list[str]:
    found = (_NO_MODULE.match(result.detail) for result in verdict.results.values())
    return sorted({match[1] for match in found if match})


def time_line(cost: Cost) -> str:
    """Seconds by stage."""
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in cost.timings.items())
    return f"{cost.seconds:.2f} s: {stages}."


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
        return Text("set aside" if check.id in repair.flaky else "skipped", style="yellow")
    return Text(_said(result), style="green" if result.outcome is Outcome.PASSED else "red")


def _said(result: CheckResult) -> str:
    outcome = result.outcome.value.replace("_", " ")
    # The actual value says most; some checks have no more than their outcome and a detail.
    evidence = (result.actual if result.outcome is Outcome.FAILED else "") or result.detail
    return visible_line(f"{outcome}: {evidence}" if evidence else outcome, _WIDTHS["before"])


def _shortened(code: str) -> str:
    return visible_line(" ".join(code.split()), _WIDTHS["code"])


def _every(count: int) -> str:
    return "its check" if count == 1 else f"all {count} checks"
