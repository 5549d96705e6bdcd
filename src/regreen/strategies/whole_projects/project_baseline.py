"""What a project's tests say before anything is changed: red, green, and those that decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from regreen.errors import TaskError
from regreen.localise.project_suspects import MODULE_LEVEL, FunctionPlace, ProjectEvidence
from regreen.localise.recent_changes import BEFORE_HEAD, HEAD, recent_lines
from regreen.sandbox.git_history import recorded_texts
from regreen.strategies.resources import Resources
from regreen.tasks.described_environment import environment_hint
from regreen.tasks.whole_project import WholeProject, narrowed
from regreen.types import AsideKind, Check, CheckResult, Limits, Outcome, Project, Suite, TestsAside
from regreen.verify.contradictions import contradicting_tests
from regreen.verify.impossible_tests import impossible_tests
from regreen.verify.project_causes import tests_out_of_reach
from regreen.verify.project_survey import ProjectSurvey, survey_project
from regreen.verify.raised_errors import TracebackFrame
from regreen.verify.screener_ahead import screener_ahead
from regreen.verify.suites import read_project_suite

_PATIENCE = 5.0
"""How many times the limit of a check its first run may take: whether a test is red is not to hang on our clock."""
_NEAR_GREENS = 400
"""Green tests that are traced beside the red ones, the nearest first; all are run before a repair is handed over."""
_FAR_GREENS = 40
"""Of those that import none of the modules that the files of red ones import."""
_NAMED_TESTS = 3
_MOST_COMPARED = 300
"""Modules that are compared with what git has recorded of them."""
_FLAKY = "they pass in one run and fail in another, with nothing changed"
_ORDER = "they fail after other tests, and pass without them: some test leaves something behind"
_COLLECTION = "collection"
"""The id that stands for all tests where none can be collected."""


@dataclass(frozen=True)
class ProjectBaseline:
    """The reliable tests of a project, and what is known of them."""

    survey: ProjectSurvey
    """The results of the first run of all tests; functions and errors of the red ones and of green ones near them."""
    red: tuple[str, ...]
    green: frozenset[str]
    aside: tuple[TestsAside, ...]
    limits: Limits
    """With which none of the green tests runs out of time."""
    unchosen: dict[str, CheckResult] = field(default_factory=dict)
    """Results, before any change, of tests that were not chosen, as far as proofs have asked for them."""

    @property
    def must_stay_green(self) -> frozenset[str]:
        """The green tests, and those that were not chosen and are known to be."""
        return self.green.union(test for test, result in self.unchosen.items() if _passed(result))

    @property
    def loads(self) -> bool:
        """Whether the red tests can be collected, all of them."""
        return not self.survey.uncollected.intersection(self.red) and _COLLECTION not in self.red


def file_of_test(test: str) -> str:
    """The path of the file that a test is in."""
    return test.partition("::")[0]


def take_project_baseline(resources: Resources, whole: WholeProject) -> ProjectBaseline:
    """Run all tests once, and red ones and green ones near them again, to tell flaky ones and what each runs.

    Raises TaskError where there is no test, or pytest cannot be run as asked.
    """
    limits, suite = _patient(resources), suite_of(whole.project)
    with screener_ahead(resources.pool, suite) as start:
        return _taken(resources, whole, suite, limits, on_red=start)


def _taken(
    resources: Resources, whole: WholeProject, suite: Suite, limits: Limits, *, on_red: Callable[[], None]
) -> ProjectBaseline:
    first = survey_project(resources.pool, suite, limits, proves=False, on_red=on_red)
    _refuse_no_tests(first)
    if not first.red:
        return ProjectBaseline(first, (), first.verdict.green, (), _fitting(resources.limits, first))
    near = _nearest(whole, first.red, first.verdict.green)
    traced = survey_tests(resources, suite, [*first.red, *near], limits, seed=1)
    again = survey_tests(resources, suite, first.red, limits, seed=2, traces=False)
    steady = [test for test in again.verdict.green if test in traced.red]
    alone = survey_tests(resources, suite, steady, limits, seed=3, traces=False) if steady else again
    flaky = _flaky(first, traced, again, alone)
    unreliable = {test for aside in flaky for test in aside.tests}
    survey = replace(
        traced,
        verdict=first.verdict,
        errors={**first.errors, **traced.errors},
        files=first.files,
        uncollected=first.uncollected,
    )
    red = [test for test in first.red if test not in unreliable]
    hopeless = tests_out_of_reach(
        survey,
        suite,
        red,
        programs=whole.programs,
        independent=_independent(whole, red),
        python=resources.pool.wall.python,
        allows_processes=resources.limits.processes,
    )
    beyond = {test for aside in hopeless for test in aside.tests}
    green = first.verdict.green - unreliable
    wrong = _looking_wrong(whole, survey, [test for test in red if test not in beyond], green)
    beyond |= {test for aside in wrong for test in aside.tests}
    return ProjectBaseline(
        survey,
        tuple(test for test in red if test not in beyond),
        green,
        (*flaky, *_with_hint(hopeless, whole, resources.pool.wall.python), *wrong),
        _fitting(resources.limits, first),
    )


def _with_hint(aside: Sequence[TestsAside], whole: WholeProject, python: str) -> Iterable[TestsAside]:
    """The same; of tests that miss a package, the remedy says where the project wants it to come from."""
    hint = environment_hint(whole.project.files, python)
    for each in aside:
        yield replace(each, remedy=f"{each.remedy} {hint}".strip()) if each.kind is AsideKind.MODULE else each


def _looking_wrong(
    whole: WholeProject, survey: ProjectSurvey, red: Sequence[str], green: frozenset[str]
) -> tuple[TestsAside, ...]:
    """The red tests that no program could pass, at all or together with the green ones."""
    impossible = impossible_tests(whole.project.files, red, survey.errors)
    left = frozenset(red) - {test for aside in impossible for test in aside.tests}
    # Of red ones that contradict each other one may be right: the search is to find which can be met.
    denied = contradicting_tests(whole.project.files, tuple(survey.verdict.results), left, green, among_red=False)
    return (*impossible, *denied)


def survey_tests(
    resources: Resources, suite: Suite, tests: Iterable[str], limits: Limits, *, seed: int = 0, traces: bool = True
) -> ProjectSurvey:
    """A run of some tests alone; files of other tests are not loaded."""
    assert suite.project is not None
    tests = list(tests)
    files = {file_of_test(test) for test in tests}
    if _COLLECTION not in files:
        suite = suite_of(narrowed(suite.project, files), tests)
    return survey_project(resources.pool, suite, limits, seed=seed, traces=traces)


def suite_of(project: Project, tests: Sequence[str] = (), *, module: str = "program") -> Suite:
    """The suite of a project's tests: these alone, or all that pytest collects where none are named."""
    ids = [test for test in tests if "::" in test]
    files = [path for path in sorted({file_of_test(test) for test in tests}) if path in project.files]
    text = "\n".join(project.files[path].decode(errors="replace") for path in files)
    suite = read_project_suite(text, project=project, module=module, origin=files[0] if files else project.root)
    return replace(suite, checks=tuple(Check(test, test) for test in ids))


def evidence_of(survey: ProjectSurvey, red: Collection[str], whole: WholeProject) -> ProjectEvidence:
    """What a survey shows of where the fault is, and which lines git says are new."""
    functions = {number: FunctionPlace(f.path, f.name, f.line) for number, f in survey.functions.items()}
    tests = {test: file_of_test(test) for test in red}
    entered = {survey.functions[number].path for test in red for number in survey.ran.get(test, ())}
    own = sorted(path for path in entered if path in whole.programs)
    recorded = recorded_texts(whole.project.root, own[:_MOST_COMPARED], (HEAD, BEFORE_HEAD))
    importers = {*tests.values(), *own}
    return ProjectEvidence(
        functions=functions,
        ran=survey.ran,
        red=frozenset(red),
        frames={test: _telling_frames(survey, test, whole) for test in red},
        programs=whole.programs,
        recent=recent_lines(whole.project.files, recorded),
        imports={path: whole.imports_of(path) for path in importers},
        tests=tests,
    )


def _telling_frames(survey: ProjectSurvey, test: str, whole: WholeProject) -> list[tuple[str, str, int]]:
    """Path, function and line of the frames of what a test raised; none where it only found a wrong value.

    A module that lacks a name that is imported from it comes first, as if the error had come through it.
    """
    error = next(iter(survey.errors.get(test, ())), None)
    if error is None or (error.kind == "AssertionError" and test not in survey.uncollected):
        return []
    named = whole.path_of_module(error.name) if error.kind == "ImportError" else None
    lacking = [(named, MODULE_LEVEL, 1)] if named is not None else []
    return [*lacking, *((frame.file, frame.function, frame.line) for frame in error.frames)]


def _patient(resources: Resources) -> Limits:
    limits = resources.limits
    return replace(
        limits,
        seconds=limits.seconds * _PATIENCE,
        total_seconds=max(limits.total_seconds, resources.budget.seconds),
    )


def _fitting(limits: Limits, survey: ProjectSurvey) -> Limits:
    """The limits, widened for tests that are green and slow."""
    green = [survey.verdict.results[test] for test in survey.verdict.green]
    slowest = max((result.cpu_seconds for result in green), default=0.0)
    together = sum(result.seconds for result in survey.verdict.results.values())
    return replace(
        limits,
        seconds=max(limits.seconds, slowest * _PATIENCE),
        total_seconds=max(limits.total_seconds, together * _PATIENCE),
    )


def place_in_plugin(survey: ProjectSurvey) -> str:
    """Where in a plugin the collection ended, for a message; empty where that is pytest itself."""
    frames = [frame for error in survey.errors.get(_COLLECTION, ()) for frame in error.frames]
    installed = [(frame.file.rpartition("/site-packages/")[2], frame.line) for frame in frames if _is_installed(frame)]
    if not installed or installed[-1][0].startswith(("_pytest/", "pytest/", "pluggy/")):
        return ""
    name, line = installed[-1]
    return f" (in {name}, line {line})"


def _is_installed(frame: TracebackFrame) -> bool:
    return "/site-packages/" in frame.file


def _refuse_no_tests(survey: ProjectSurvey) -> None:
    results = survey.verdict.results
    if not results:
        raise TaskError(
            "pytest finds no test here.",
            remedy="Name the project's folder, or its tests after `--`, as pytest takes them.",
        )
    if set(results) == {_COLLECTION} and not _came_through_files(survey):
        is_late = results[_COLLECTION].outcome is Outcome.TIMED_OUT
        raise TaskError(
            f"pytest cannot collect the tests: {results[_COLLECTION].detail}{place_in_plugin(survey)}.",
            remedy="Give each test more time, by which collecting gets more, too: --timeout SECONDS."
            if is_late
            else "Correct its command line or configuration; `pytest` itself says more.",
        )


def _came_through_files(survey: ProjectSurvey) -> bool:
    errors = survey.errors.get(_COLLECTION, ())
    return any(frame.file.endswith(".py") and not frame.file.startswith("/") for e in errors for frame in e.frames)


def _nearest(whole: WholeProject, red: Sequence[str], green: Collection[str]) -> list[str]:
    """The green tests in files of red ones, then those in files that import the same modules, then a few others."""
    files = {file_of_test(test) for test in red}
    used = frozenset[str]().union(*(whole.imports_of(file) for file in files))
    ranked = {
        file: 0 if file in files else 1 if used & whole.imports_of(file) else 2
        for file in {file_of_test(test) for test in green}
    }
    ordered = sorted(sorted(green), key=lambda test: ranked[file_of_test(test)])
    near = [test for test in ordered if ranked[file_of_test(test)] < 2]
    return [*near, *ordered[len(near) :][:_FAR_GREENS]][:_NEAR_GREENS]


def _flaky(*surveys: ProjectSurvey) -> tuple[TestsAside, ...]:
    """Tests whose runs do not agree: two with others, two of red ones alone."""
    runs = [survey.verdict.results for survey in surveys]
    said = {test: [_passed(run[test]) for run in runs if test in run] for test in runs[1]}
    order = tuple(test for test, each in said.items() if each == [False, False, True, True])
    flaky = tuple(test for test, each in said.items() if len(set(each)) > 1 and test not in order)
    found = []
    if flaky:
        remedy = "Have them always say the same: fix the clock, the random numbers, the order of a set."
        found.append(TestsAside(AsideKind.FLAKY, flaky, _FLAKY, remedy))
    if order:
        remedy = "Run the suite with `pytest -p no:randomly -x` up to them to see who it is."
        found.append(TestsAside(AsideKind.ORDER, order, _ORDER, remedy))
    return tuple(found)


def _passed(result: CheckResult) -> bool:
    return result.outcome is Outcome.PASSED


def _independent(whole: WholeProject, red: Iterable[str]) -> frozenset[str]:
    """The files of tests that can reach none of the modules, by themselves or through a conftest.py above them.

    What imports more of the standard library than what computes may run a module in another process, or from its file.
    """
    files = {file_of_test(test) for test in red} & whole.project.files.keys()
    return frozenset(
        file for file in files if not any(whole.may_reach(path) for path in (file, *whole.conftests_above(file)))
    )


def named_tests(tests: Sequence[str]) -> str:
    """The first of them by name, and how many more there are."""
    more = len(tests) - _NAMED_TESTS
    return ", ".join(tests[:_NAMED_TESTS]) + (f" and {more} more" if more > 0 else "")
