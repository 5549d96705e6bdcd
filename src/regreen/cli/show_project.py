"""The repair of a project on a terminal: the verdict, the patch, what was set aside, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from regreen.cli.console import print_wrapped
from regreen.cli.show_alternatives import alternative_title, show_questions
from regreen.cli.show_repair import MODEL_ADVICE, diff
from regreen.report.likelihood_words import likelihood_sentence
from regreen.report.safe_text import visible, visible_line
from regreen.strategies.explanation import asked_sentences
from regreen.strategies.whole_projects.project_repair import project_diff
from regreen.types import AsideKind, ProjectOutcome, ProjectRepair, Stop, TestsAside

_NAMED_TESTS = 5
_SHOWN_SUSPECTS = 5
_CHARACTERS = 1_000
_ALLOWED = "Changed beside the project's modules, as --allow lets: no proof says that a test is right. Read it well."
_DISAGREE = "What passes does not agree. A test for the right answer decides:"
_MORE = {
    Stop.CANDIDATES: "The budget of candidates is spent; --max-candidates raises it.",
    Stop.SECONDS: "The time is spent; --max-seconds gives more.",
    Stop.EXHAUSTED: "There was nothing more to try; a model may know more (-m PROVIDER:MODEL).",
    Stop.ANSWERED: "The model was asked once; --strategy reflect lets it correct itself.",
    **MODEL_ADVICE,
    Stop.INTERRUPTED: "Interrupted: nothing was written.",
}


def show_project_repair(out: Console, repair: ProjectRepair, done: Sequence[str], *, full: bool) -> None:
    """Print a repair; `done` says what was done with it. `full` shows suspects and each test before and after."""
    if repair.is_doubtful:
        print_wrapped(out, Text(likelihood_sentence(repair.likelihood), "bold yellow"))
    print_wrapped(out, headline_of(repair))
    _show_changes(out, repair)
    for line in _reasons(repair, full=full):
        print_wrapped(out, Text(visible_line(line, _CHARACTERS)))
    for aside in repair.aside:
        print_wrapped(out, Text(visible_line(aside_line(aside), _CHARACTERS), "yellow"))
    if repair.likelihood is not None and not repair.is_doubtful:
        print_wrapped(out, Text(likelihood_sentence(repair.likelihood)))
    _show_alternatives(out, repair)
    show_questions(out, repair.questions, _DISAGREE, full=full or repair.is_doubtful)
    for line in asked_sentences(repair.cost, repair.turns):
        print_wrapped(out, Text(visible_line(line, _CHARACTERS)))
    if not repair.fixed and repair.stop in _MORE:
        print_wrapped(out, Text(_MORE[repair.stop]))
    if repair.outcome is ProjectOutcome.PARTLY_FIXED and not done:
        print_wrapped(out, Text("--apply-partial writes this change."))
    for deed in done:
        print_wrapped(out, Text(visible_line(deed, _CHARACTERS)))


def _show_changes(out: Console, repair: ProjectRepair) -> None:
    """The patch; what is changed beside the project's modules stands apart."""
    own = tuple(change for change in repair.changes if not change.is_allowed)
    others = tuple(change for change in repair.changes if change.is_allowed)
    for note, patch in (("", project_diff(own) if others else repair.diff), (_ALLOWED, project_diff(others))):
        if patch and note:
            print_wrapped(out, Text(note, "bold yellow"))
        if patch:
            out.print(diff(patch), soft_wrap=True, end="")
            out.print()


def _show_alternatives(out: Console, repair: ProjectRepair) -> None:
    """What passes as well, each with its patch."""
    for number, other in enumerate(repair.alternatives, 1):
        out.print()
        print_wrapped(out, alternative_title(number, other.likelihood))
        out.print(diff(other.diff), soft_wrap=True, end="")
        out.print()


def show_watched_repair(out: Console, repair: ProjectRepair, done: Sequence[str], *, when: str, is_known: bool) -> None:
    """Print a repair as one block of few lines; a patch that `is_known` is not shown again."""
    print_wrapped(out, Text(f"{when} ").append_text(headline_of(repair)))
    if is_known:
        print_wrapped(out, Text("The same patch as before."))
        return
    if repair.diff:
        out.print(diff(project_diff(repair.changes, context=1)), soft_wrap=True, end="")
    wrong = [aside_line(aside) for aside in repair.aside if aside.kind is AsideKind.CONTRADICTION]
    reasons = [] if repair.fixed else [*wrong, *([] if wrong else list(_reasons(repair, full=False))[:2])]
    likely = likelihood_sentence(repair.likelihood)
    for line in filter(None, (*reasons, " ".join(filter(None, (likely, *done))))):
        print_wrapped(out, Text(visible_line(line, _CHARACTERS)))


def headline_of(repair: ProjectRepair) -> Text:
    """The result in one line."""
    red, total = len(repair.red), len(repair.before)
    match repair.outcome:
        case ProjectOutcome.NOTHING_RED:
            return Text(f"Nothing is red: {_tests(total)} run.", "green")
        case ProjectOutcome.FIXED:
            left = f"; {_undecided(repair)}" if repair.undecided else ""
            where = _files(repair)
            return Text(f"Fixed in {where}: {_tests(len(repair.after))} run, {red} failed before{left}.", "bold green")
        case ProjectOutcome.PARTLY_FIXED:
            better = len(repair.turned_green)
            return Text(f"Not fixed, but better: {better} of {red} red tests pass with this change.", "bold red")
        case ProjectOutcome.TESTS_LOOK_WRONG:
            return Text(f"The tests look wrong: no program could pass {_tests(_aside_count(repair))}.", "bold yellow")
        case ProjectOutcome.OUT_OF_REACH:
            return Text(f"Out of reach: {_undecided(repair)}.", "bold red")
    return Text(f"Not fixed: {red} of {_tests(total)} fail.", "bold red")


def _undecided(repair: ProjectRepair) -> str:
    count = len(repair.undecided)
    return f"{count} more {'stays' if count == 1 else 'stay'} red for another reason"


def _aside_count(repair: ProjectRepair) -> int:
    return sum(len(each.tests) for each in repair.aside)


def _tests(count: int) -> str:
    return f"{count:,} test{'' if count == 1 else 's'}"


def _files(repair: ProjectRepair) -> str:
    named = (f"{change.path} (allowed)" if change.is_allowed else change.path for change in repair.changes)
    return visible_line(" and ".join(named))


def aside_line(aside: TestsAside) -> str:
    """Which tests were set aside, why, and what to do about it."""
    more = len(aside.tests) - _NAMED_TESTS
    names = ", ".join(aside.tests[:_NAMED_TESTS]) + (f" and {more} more" if more > 0 else "")
    what = "Looks wrong" if aside.kind is AsideKind.CONTRADICTION else "Set aside"
    return f"{what}: {names}: {aside.reason}. {aside.remedy}".rstrip()


def _reasons(repair: ProjectRepair, *, full: bool) -> Iterator[str]:
    lines = [line for line in visible(repair.explanation).splitlines() if not line.startswith("Set aside:")]
    yield from lines if full else lines[:3]
    if not full:
        return
    if repair.cost.timings:
        spent = ", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in repair.cost.timings.items())
        yield f"Time: {repair.cost.seconds:.1f} s, of which {spent}."
    for suspect in repair.suspects[:_SHOWN_SUSPECTS]:
        place = f"{suspect.path}:{suspect.line}"
        yield f"Suspected {suspect.suspicion:.2f}: {suspect.name} ({place}), {suspect.reason}."
    for test, result in repair.before.items():
        later = repair.after.get(test)
        if later is not None and later.outcome is not result.outcome:
            yield f"{test}: {result.outcome.value} -> {later.outcome.value}"
