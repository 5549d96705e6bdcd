"""What the plausible candidates of a search do on inputs that no check has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from textwrap import indent

from regreen.propose.search.mutation import splice_edits
from regreen.propose.search.syntax_repair import repair_syntax
from regreen.select.inputs.changing_functions import changing_functions
from regreen.select.inputs.console_scenarios import read_console_scenarios
from regreen.select.inputs.further_inputs import MadeInput, make_inputs
from regreen.select.inputs.reaching_functions import reaching_functions
from regreen.select.inputs.scenarios import Scenario, read_scenarios
from regreen.select.inputs.seen_calls import functions_at, seen_scenarios
from regreen.select.inputs.tests_module import helpers_of_tests, imports_of_tests
from regreen.select.prose.prose_agreement import NO_PROSE, Prose, read_prose
from regreen.select.prose.stated_examples import DocumentedExample, documented_examples
from regreen.select.prose.stated_outcomes import documented_outcomes
from regreen.strategies.searching.search_pace import LEAST_TICKS
from regreen.strategies.session import RepairSession
from regreen.syntax import DEFINITIONS, parsed_or_none
from regreen.tasks.imported_modules import imported_files
from regreen.types import Answers, Check, Edit, Isolation, Outcome, Project, Step, Suite, SuiteKind, Task
from regreen.verify.baseline import subset
from regreen.verify.screener_pool import ScreenerPool, open_screeners
from regreen.verify.screening import ScreeningLimits

_LIMITS = ScreeningLimits(ticks=4 * LEAST_TICKS, seconds=0.1, observes=True)
"""Of one question."""
_SEEN_LIMITS = ScreeningLimits(ticks=32 * LEAST_TICKS, seconds=1.0)
"""Of one test of a project whose calls are looked at."""
_MOST_REDS_SEEN, _MOST_GREENS_SEEN = 4, 8
"""Tests whose calls are looked at."""
NO_EXAMPLES_IN_PROSE: Mapping[int, DocumentedExample] = {}
_MUCH_PYTHON = 1 << 20
"""Bytes of modules of which all are laid out beside a program."""
_MOST_MENDINGS = 60
"""Of how many mended programs the one nearest to the repair is taken."""
_EXCEPTION = re.compile(r"[A-Z]\w*(?:Error|Exception|Iteration)\b")
_RAISED = re.compile(r"^[ \t]*raise[ \t]+(\w+)", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


class Observer:
    """Asks programs the same questions, in the sandbox, and remembers their answers."""

    def __init__(
        self,
        source: str,
        inputs: Sequence[MadeInput] = (),
        expected: Sequence[str] = (),
        documented: Mapping[int, DocumentedExample] = NO_EXAMPLES_IN_PROSE,
        screeners: ScreenerPool | None = None,
        prose: Prose = NO_PROSE,
        failed_with: Iterable[str] = (),
        checked: Sequence[MadeInput] = (),
    ) -> None:
        self.inputs = tuple(inputs)
        self.expected = tuple(expected)
        """The values that the checks expect, as text."""
        self.documented = documented
        """By the place of the input, what prose says of it."""
        self.prose = prose
        """What prose says of the program as a whole."""
        self.failed_with = frozenset(failed_with)
        """The exceptions with which checks fail at first, as answers."""
        self.checked = tuple(checked)
        """What the checks ask, which programs are asked after the inputs."""
        self.source = source
        """The program as it is; with its syntax mended, where it does not parse."""
        self._screeners = screeners
        self._known: dict[str, Answers] = {}

    def words_at(self, place: int) -> str:
        """What the answer at this place was asked with, in words: what the checks ask comes behind the inputs."""
        return (*self.inputs, *self.checked)[place].scenario.words

    def answers(self, programs: Sequence[str]) -> list[Answers]:
        """Of each of these programs, best near the one that is repaired; empty where it ended the process."""
        new = list(dict.fromkeys(program for program in programs if program not in self._known))
        if new and self._screeners is not None:
            changes = [[_single_edit(self.source, program)] for program in new]
            found = self._screeners.screen(changes, frozenset(), _LIMITS)
            self._known |= {program: result.observed for program, result in zip(new, found, strict=True)}
        return [self._known.get(program, ()) for program in programs]


def parsed_near(source: str, repaired: str) -> str:
    """The program; or, where it does not parse, it with its syntax mended as in a repair of it.

    Its answers tell what the repair changes besides. Where nothing mends it, it is as it was.
    """
    if parsed_or_none(source) is not None:
        return source
    lines = Counter(repaired.splitlines())
    mended = (splice_edits(source, mending.edits) for mending in islice(repair_syntax(source), _MOST_MENDINGS))
    return max(mended, key=lambda text: (lines & Counter(text.splitlines())).total(), default=source)


@contextmanager
def open_observer(
    session: RepairSession, source: str, changed: Collection[int] = (), repaired: str = ""
) -> Iterator[Observer]:
    """An observer of programs near `source`, for the block; without any question where the checks suggest none.

    In a project, functions that are `changed`, at these lines, are asked what they were asked while its tests ran.
    Where `source` does not parse, its syntax is mended as in `repaired`.
    """
    task = replace(session.task, source=parsed_near(source, repaired))
    scenarios = task_scenarios(task, changed)
    scenarios += _seen_while_tested(session, task, changed, frozenset().union(*(s.identifiers for s in scenarios)))
    known = {scenario.words for scenario in scenarios}
    names = names_of(task)
    examples = [e for e in documented_examples(task.source, task.statement, names) if e.scenario.words not in known]
    written = {example.scenario.words for example in examples}
    outcomes = documented_outcomes(task.source, task.statement, scenarios)
    examples += [outcome for outcome in outcomes if outcome.scenario.words not in written]
    said = {example.scenario.words for example in examples}
    # What the tests of a project ask of other modules only, the prose may show.
    made = make_inputs(scenarios or [example.scenario for example in examples], task.source, session.seed)
    inputs = [*(MadeInput(e.scenario) for e in examples), *(m for m in made if m.scenario.words not in said)]
    prose = read_prose(task.source, task.statement)
    if not inputs:
        yield Observer(task.source, prose=prose)
        return
    expected = [scenario.expected for scenario in scenarios if scenario.expected is not None]
    checked = [MadeInput(scenario) for scenario in scenarios]
    with _open_asking(session, task, [made.scenario for made in (*inputs, *checked)]) as screeners:
        failed_with = unmeant_exceptions(session)
        yield Observer(task.source, inputs, expected, dict(enumerate(examples)), screeners, prose, failed_with, checked)


def _seen_while_tested(session: RepairSession, task: Task, lines: Collection[int], asked: Set[str]) -> list[Scenario]:
    """Calls of the changed functions that no scenario names, as the tests of a project make them from afar."""
    if task.suite.project is None:
        return []
    functions = [f for f in functions_at(task.source, lines) if f.node.name not in asked]
    if not functions:
        return []
    baseline = session.baseline
    green = sorted(baseline.green)[:_MOST_GREENS_SEEN]
    suite = subset(baseline.suite, [*list(baseline.red)[:_MOST_REDS_SEEN], *green])
    places = {function.line for function in functions}
    pool, limits = session.resources.pool, session.limits
    with open_screeners(pool, task.source, suite, limits, task.companions, size=1) as screeners:
        return seen_scenarios(task.source, functions, screeners.visits(places, frozenset(green), _SEEN_LIMITS))


def unmeant_exceptions(session: RepairSession) -> Iterator[str]:
    """The exceptions that checks of the given program end with, as programs are observed to answer.

    Those that the program raises itself are left out: another input may well ask for them.
    """
    results = session.baseline.verdict.results.values() if session.is_examined else ()
    own = frozenset(_RAISED.findall(session.task.source))
    for result in results:
        if result.outcome is Outcome.RAISED and (found := _EXCEPTION.match(result.detail)) and found[0] not in own:
            yield f"raises {found[0]}"


@contextmanager
def open_questions(session: RepairSession, scenarios: Sequence[Scenario]) -> Iterator[Observer]:
    """An observer of programs near the given one, with just these questions, for the block."""
    with _open_asking(session, session.task, scenarios) as screeners:
        yield Observer(session.task.source, [MadeInput(scenario) for scenario in scenarios], screeners=screeners)


@contextmanager
def _open_asking(session: RepairSession, task: Task, scenarios: Sequence[Scenario]) -> Iterator[ScreenerPool]:
    companions = {**task.companions, **_project_modules(task)}
    suite = questions_suite(task.suite, scenarios, names_defined_at_top(task.source))
    with open_screeners(session.resources.pool, task.source, suite, session.limits, companions, size=1) as screeners:
        yield screeners


def task_scenarios(task: Task, changed: Collection[int] = ()) -> list[Scenario]:
    """What the visible checks do with the program: first of all, of many, in what may reach the `changed` lines."""
    names, first = names_of(task), reaching_functions(task.source, changed)
    plain = read_scenarios(task.suite, names, changing_functions(task.source), first)
    return [*read_console_scenarios(task.suite, task.source, names), *plain]


def names_of(task: Task) -> set[str]:
    """The functions and classes of the program."""
    return {*_DEFINED.findall(task.source), *task.suite.surface.functions}


def names_defined_at_top(source: str) -> frozenset[str]:
    """The functions and classes that a program defines at its top."""
    module = parsed_or_none(source)
    return frozenset(node.name for node in (module.body if module else ()) if isinstance(node, DEFINITIONS))


def questions_suite(suite: Suite, scenarios: Sequence[Scenario], defined: Set[str] = frozenset()) -> Suite:
    """A suite that looks at these scenarios, one a check, with the imports and the helpers of `suite`.

    What the program has `defined` is none of the helpers.
    """
    names = frozenset(name for scenario in scenarios for name in scenario.names)
    before = [Step(text) for text in (*imports_of_tests(suite), *helpers_of_tests(suite, names, defined))]
    steps = [Step(_looking(scenario), str(number)) for number, scenario in enumerate(scenarios)]
    checks = tuple(Check(str(step.check), step.code) for step in steps)
    why = "its checks have no expected values"
    return Suite(SuiteKind.SCRIPT, "", checks, (*before, *steps), suite.module, "<questions>", Isolation.SHARED, why)


def _looking(scenario: Scenario) -> str:
    return f"def _asked():\n{indent(scenario.asked, '    ')}assert _asked() is ...\n"


def _single_edit(before: str, after: str) -> Edit:
    """The one replacement that makes `after` of `before`: from the first to the last character that differs."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    most -= start
    same_end = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    return Edit(start, len(before) - same_end, after[start : len(after) - same_end])


def _project_modules(task: Task) -> dict[str, str]:
    """The modules of its project that a program may import, by their paths below the project's import folders.

    Of a large project those alone that it does import, as far as its text tells.
    """
    project = task.suite.project
    if project is None:
        return {}
    python = {path: content for path, content in project.files.items() if path.endswith(".py")}
    modules = {name: content for path, content in python.items() for name in _names_of_file(project, path)}
    if sum(map(len, python.values())) > _MUCH_PYTHON:
        package = tuple(task.module.split(".")[:-1])
        modules = {name: modules[name] for name in imported_files(modules, task.source, package)}
    return {name: content.decode("utf-8", "replace") for name, content in modules.items()}


def _names_of_file(project: Project, path: str) -> Iterator[str]:
    """A path as seen from each folder that imports are looked up in, and from the top."""
    yield path
    for folder in project.import_folders:
        if PurePosixPath(path).is_relative_to(folder):
            yield str(PurePosixPath(path).relative_to(folder))
