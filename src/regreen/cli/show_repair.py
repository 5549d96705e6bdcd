"""A repair on a terminal: the verdict, the diff and why in a few lines; all the rest where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.cli.show_alternatives import doubt, likelihood_line
from regreen.cli.show_checks import show_checks
from regreen.report.safe_text import visible, visible_line
from regreen.strategies.choosing.confidence import changed_places, is_guess
from regreen.strategies.diagnosis import describe_obstacle
from regreen.types import REFUSAL, Cost, Isolation, Obstacle, ObstacleKind, Repair, Stop, Task
from regreen.verify.check_failures import CheckFailure, check_failures

_SHOWN_FAILURES = 3
"""Red checks that are quoted where no repair was found."""
_MESSAGE_CHARACTERS = 4_000
_DEED_CHARACTERS = 1_000
_DIFF_STYLES = (("---", "bold"), ("+++", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))
MODEL_ADVICE = {
    Stop.ITERATIONS: "The model was asked as often as it may be; --iters lets it try more often.",
    Stop.TOKENS: "The tokens are spent; --max-tokens gives more.",
    Stop.MONEY: "The money is spent; --max-usd gives more.",
    Stop.MODEL_SECONDS: "The model's time is spent; --max-model-seconds gives more.",
    Stop.CONTEXT: "The prompt does not fit into the model's context: take a model, or a server, with a larger one.",
}
"""What to try next, by the limit that ended the model's part."""
_MORE = {
    Stop.CANDIDATES: "The budget of candidates is spent; --max-candidates raises it.",
    Stop.SECONDS: "The time is spent; --max-seconds gives more.",
    Stop.EXHAUSTED: "There was nothing more to try; a model may know more (-m PROVIDER:MODEL).",
    **MODEL_ADVICE,
    Stop.INTERRUPTED: "Interrupted: nothing was written.",
}
_REFUSED = "The model, or a filter of its service, declined each time: another model may answer (-m PROVIDER:MODEL)."
_UNFINISHED = {
    Stop.INTERRUPTED: "Interrupted: nothing was written. The change may be larger than it needs to be.",
    Stop.ERROR: "It was cut short by an error: nothing was written.",
}
"""Warnings beside a repair that was cut short."""


def show_repair(
    out: Console, task: Task, repair: Repair, patch: str, *, full: bool = False, done: Sequence[str] = ()
) -> None:
    """Print one repair; `patch` is the diff of what is handed over or offered, `done` says what was done with it.

    In place of the failures, `full` shows the explanation, every check before and after, and the time by stage.
    """
    if doubtful := doubt(repair):
        print_wrapped(out, Text(doubtful, style="bold yellow"))
    print_wrapped(out, headline(task, repair))
    if patch:
        out.print(diff(patch), soft_wrap=True, end="")
    if patch:
        out.print()
    if repair.stop is not Stop.NOTHING_RED:
        _show_rest(out, task, repair) if full else show_failures(out, *_failures(task, repair))
    if likely := likelihood_line(repair):
        print_wrapped(out, Text(likely))
    for warning in warnings(task, repair):
        print_wrapped(out, Text(visible(warning), style="yellow"))
    if advice := " ".join(_advice(repair, full=full, is_taken=bool(done))):
        print_wrapped(out, Text(advice))
    for deed in done:
        print_wrapped(out, Text(visible_line(deed, _DEED_CHARACTERS)))


def _show_rest(out: Console, task: Task, repair: Repair) -> None:
    for line in visible(repair.explanation.strip()).splitlines():
        print_wrapped(out, Text(line))
    out.print()
    show_checks(out, task, repair)
    if repair.cost.timings:
        print_wrapped(out, Text(time_line(repair.cost), style="dim"))
    if task.suite.isolation is Isolation.SHARED and task.suite.reason:
        why = visible_line(task.suite.reason)
        print_wrapped(out, Text(f"Why in the program's own process: {why}. docs/security.md says what that means."))


def headline(task: Task, repair: Repair) -> Text:
    """The result in one line."""
    name, before = visible_line(task.id), repair.before
    total, red = len(before.results), len(before.results) - before.checks_passed
    if repair.stop is Stop.NOTHING_RED:
        return Text(f"Nothing is red: {name} passes {_every(total)}.", style="green")
    if repair.chosen is not None and repair.set_aside:
        aside = sum(len(obstacle.checks) for obstacle in repair.set_aside)
        return Text(
            f"Partly fixed {name}: every check that it decides passes now, {red} of them failed before; "
            f"{aside} more {'stays' if aside == 1 else 'stay'} red for another reason.",
            style="bold yellow",
        )
    if repair.chosen is not None and total == 1:
        return Text(f"Fixed {name}: its check failed before, and passes now.", style="bold green")
    if repair.chosen is not None:
        return Text(f"Fixed {name}: {_every(total)} pass now, {red} of them failed before.", style="bold green")
    if repair.partial is not None:
        left = total - repair.partial.verdict.checks_passed
        return Text(
            f"Not fixed, but better: with this change {name} fails {left} of {total} checks, {red} without it.",
            style="bold red",
        )
    return Text(f"Not fixed: {name} fails {count_of_checks(red, total)}.", style="bold red")


def diff(patch: str) -> Text:
    """A unified diff in colour, without control characters; the line ends of DOS are not shown."""
    text = Text()
    for line in visible(patch.replace("\r\n", "\n")).splitlines(keepends=True):
        text.append(line, next((style for start, style in _DIFF_STYLES if line.startswith(start)), ""))
    return text


def show_failures(out: Console, label: str, failures: Sequence[CheckFailure], more: int = 0) -> None:
    """Print some red checks: name and message, and below it the line of the tests at which each ended."""
    style = "" if label == "Why:" else "red"
    for failure in failures:
        said = visible_line(failure.sentence, _MESSAGE_CHARACTERS)
        print_wrapped(out, Text(said, style), label=label)
        label = " " * len(label)
        for quote in _quote(failure):
            print_wrapped(out, Text(quote, "dim"), label=label)
    if more:
        print_wrapped(out, Text(f"... and {more} more"), label=label)


def _quote(failure: CheckFailure) -> Iterator[str]:
    quote = ": ".join(filter(None, (failure.place, failure.code)))
    if quote:
        yield visible_line(quote, 500)


def _failures(task: Task, repair: Repair) -> tuple[str, Sequence[CheckFailure], int]:
    """The label, red checks to quote, and how many more there are: one for a repair, a few where it is none."""
    if repair.chosen is not None:
        return "Why:", check_failures(task.suite, repair.before)[:1], 0
    offered = repair.partial
    failures = check_failures(task.suite, offered.verdict if offered else repair.before)
    shown = 1 if offered else _SHOWN_FAILURES
    return ("Still red:" if offered else "Red:"), failures[:shown], max(0, len(failures) - shown)


def warnings(task: Task, repair: Repair) -> list[str]:
    """Warnings to read before trusting the result."""
    told = []
    if no_wall := (repair.chosen.verdict if repair.chosen else repair.before).no_wall:
        told.append(f"{no_wall}.")
    if repair.flaky:
        names = ", ".join(visible_line(name, 80) for name in repair.flaky)
        told.append(f"Set aside, because they disagree with themselves from run to run: {names}.")
    told += [_obstacle(task, each) for each in repair.obstacles if repair.chosen is None or _is_told_anyway(each)]
    if repair.chosen is not None and repair.likelihood is None and is_guess(task, repair.chosen):
        places, checks = changed_places(task, repair.chosen), len(repair.chosen.verdict.results)
        decide = "decides" if checks == 1 else "decide"
        told.append(
            f"Few checks confirm it: {places} places were changed, and {_every(checks)} {decide}. Read it well."
        )
    if repair.chosen is not None and repair.stop in _UNFINISHED:
        told.append(_UNFINISHED[repair.stop])
    return told


def _is_told_anyway(obstacle: Obstacle) -> bool:
    """Whether an obstacle is worth a line beside a repair, which may have been made around what is missing."""
    return obstacle.certain or obstacle.kind in (ObstacleKind.FILE, ObstacleKind.VARIABLE)


def _advice(repair: Repair, *, full: bool, is_taken: bool) -> Iterator[str]:
    """What to try next where no repair was found, and where to read more."""
    if repair.chosen is not None or repair.stop is Stop.NOTHING_RED:
        return
    if repair.turns and all(turn.fault == REFUSAL for turn in repair.turns):
        yield _REFUSED
    elif repair.stop in _MORE:
        yield _MORE[repair.stop]
    if repair.partial and not is_taken:
        yield "--apply-partial writes this change."
    if not full:
        yield "--explain says more."


def _obstacle(task: Task, obstacle: Obstacle) -> str:
    return visible_line(f"{describe_obstacle(task, obstacle)} {obstacle.remedy}", _DEED_CHARACTERS)


def time_line(cost: Cost) -> str:
    """Seconds by stage."""
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in cost.timings.items())
    return f"{cost.seconds:.2f} s: {stages}."


def _every(count: int) -> str:
    return "its check" if count == 1 else f"all {count} checks"


def count_of_checks(part: int, whole: int) -> str:
    """E.g. "2 of 6 checks", "all 6 checks" or "its check"."""
    return _every(whole) if part == whole else f"{part} of {whole} checks"
