"""What the tests of a project say of changes of its files: the red ones first, then those near them, then the suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from regreen.strategies.resources import Resources
from regreen.strategies.session import RepairSession
from regreen.strategies.whole_projects.project_baseline import ProjectBaseline, file_of_test, suite_of, survey_tests
from regreen.tasks.whole_project import WholeProject, narrowed
from regreen.types import Candidate, CheckResult, Outcome, Task, Verdict
from regreen.verify.baseline import Baseline
from regreen.verify.project_survey import ProjectSurvey, survey_project

_MOST_GREENS = 50
"""Green tests that are judged with the red ones, those of the changed modules: the rest are run with the suite."""
_GONE = CheckResult(Outcome.FAILED, detail="it is not collected any more")
_COLLECTED = CheckResult(Outcome.PASSED, detail="it is collected")
"""Of a file of tests of which nothing else is said."""


@dataclass(frozen=True)
class ChangeProof:
    """What came of trying changes."""

    verdict: Verdict
    """Results of the red tests, and of every other test that the changes break; it passes where all is well."""
    survey: ProjectSurvey
    """The last run that this rests on: the whole suite, where the red tests pass."""
    is_whole: bool
    """Whether that was the whole suite."""


def prove_changes(
    resources: Resources, whole: WholeProject, baseline: ProjectBaseline, texts: Mapping[str, str]
) -> tuple[ProjectSurvey, set[str]]:
    """One run of the whole suite with the changes (path -> text), and the tests that should pass then and do not.

    All tests are run, whichever were chosen; one that was not is held against the changes where it passes without
    them, and is left out of the run where it does not.
    """
    everything = whole.with_all_tests
    suite = suite_of(everything.targeting("", texts, preloads=False))
    after = survey_project(resources.pool, suite, baseline.limits)
    aside = {test for each in baseline.aside for test in each.tests}
    expected = baseline.green | {test for test in baseline.red if "::" in test}
    lost = {test for test in expected if after.verdict.results.get(test, _GONE).outcome is not Outcome.PASSED}
    lost -= _renamed(resources, everything, baseline, (lost & baseline.green) - after.verdict.results.keys())
    new = {test for test in after.red if test not in baseline.survey.verdict.results}
    if everything is whole:
        return after, (lost | new) - aside
    broken = _broken_unchosen(resources, everything, baseline, new - aside)
    results = {t: result for t, result in after.verdict.results.items() if t not in new or t in broken}
    return replace(after, verdict=replace(after.verdict, results=results)), (lost - aside) | broken


def _renamed(resources: Resources, everything: WholeProject, baseline: ProjectBaseline, gone: set[str]) -> set[str]:
    """Those of the tests which are gone that are so without any change, too: their names tell what time it was, say."""
    if not gone:
        return set()
    files = {file_of_test(test) for test in gone}
    now = survey_tests(resources, suite_of(everything.project), files, baseline.limits, traces=False).verdict.results
    return {test for test in gone if test not in now}


def _broken_unchosen(
    resources: Resources, everything: WholeProject, baseline: ProjectBaseline, red: set[str]
) -> set[str]:
    """Those of the red tests that nobody chose which pass without any change: the others were red before."""
    unknown = red - baseline.unchosen.keys()
    if unknown:
        # Whole files of them: one that cannot be collected with the changes has no tests by name.
        files = {file_of_test(test) for test in unknown}
        suite = suite_of(everything.project)
        before = survey_tests(resources, suite, files, baseline.limits, traces=False).verdict.results
        collected = dict.fromkeys((test for test in unknown if "::" not in test), _COLLECTED)
        baseline.unchosen.update({**collected, **before})
    return red & baseline.must_stay_green


def judge_changes(
    resources: Resources, whole: WholeProject, baseline: ProjectBaseline, texts: Mapping[str, str]
) -> ChangeProof:
    """Whether every red test passes with the changes and no green one fails, by ever dearer runs.

    The red tests run first; where they pass, they are judged twice with flipped controls beside the green ones of the
    changed modules; where these pass, too, the whole suite runs.
    """
    resources = replace(resources, limits=baseline.limits)
    survey = _run_red(resources, whole, baseline, texts)
    verdict = replace(survey.verdict, results=_asked(baseline, survey))
    if not verdict.passed:
        return ChangeProof(verdict, survey, is_whole=False)
    judged = judge_module(resources, whole, baseline, texts, tests=verdict.results)
    if judged is not None and not judged.passed:
        return ChangeProof(_only_telling(judged, verdict), survey, is_whole=False)
    after, broken = prove_changes(resources, whole, baseline, texts)
    results = {**verdict.results, **{test: after.verdict.results.get(test, _GONE) for test in sorted(broken)}}
    return ChangeProof(replace(after.verdict, results=results), after, is_whole=True)


def judge_module(
    resources: Resources,
    whole: WholeProject,
    baseline: ProjectBaseline,
    texts: Mapping[str, str],
    *,
    tests: Iterable[str],
    path: str | None = None,
) -> Verdict | None:
    """The judge's verdict on one changed module (the first, where `path` is None), the others as `texts` has them.

    None where no module is changed.
    """
    opened = module_session(resources, whole, baseline, texts, tests=tests, path=path)
    if opened is None:
        return None
    session, target = opened
    return session.prove(Candidate(texts[target], "model:project"))


def module_session(
    resources: Resources,
    whole: WholeProject,
    baseline: ProjectBaseline,
    texts: Mapping[str, str],
    *,
    tests: Iterable[str],
    path: str | None = None,
) -> tuple[RepairSession, str] | None:
    """The repair of one changed module of several, and its path, decided by these tests and green ones near them."""
    modules = [name for name in sorted(texts) if name in whole.programs and (path is None or name == path)]
    if not modules:
        return None
    target = modules[0]
    chosen = list(dict.fromkeys([*tests, *_greens_of(baseline, texts)]))
    project = whole.targeting(target, texts, tests={file_of_test(test) for test in chosen})
    module = whole.module_name(target)
    suite = suite_of(replace(project, is_tolerant=True), chosen, module=module)
    task = Task(target, whole.program(target).text, None, replace(suite, checks=()), module=module)
    before = {check.id: baseline.survey.verdict.results.get(check.id, _GONE) for check in suite.checks}
    known = Baseline(suite, Verdict(before))
    return RepairSession(resources, task, baseline=known), target


def _run_red(
    resources: Resources, whole: WholeProject, baseline: ProjectBaseline, texts: Mapping[str, str]
) -> ProjectSurvey:
    """The red tests with the changes; whole files of them where some could not be collected."""
    files = {file_of_test(test) for test in baseline.red}
    project = whole.targeting("", texts)
    if files <= project.files.keys():
        project = narrowed(project, files)
    suite = suite_of(project, baseline.red if baseline.loads else ())
    return survey_project(resources.pool, suite, baseline.limits)


def _asked(baseline: ProjectBaseline, survey: ProjectSurvey) -> dict[str, CheckResult]:
    """Results of the tests that have to pass; a red one that is not there any more has not passed."""
    red = set(baseline.red)
    aside = {test for each in baseline.aside for test in each.tests}
    kept = {
        test: result
        for test, result in survey.verdict.results.items()
        if test in red or not (test in aside or result.outcome is Outcome.UNJUDGEABLE)
    }
    return kept | {test: _GONE for test in baseline.red if "::" in test and test not in kept}


def _greens_of(baseline: ProjectBaseline, texts: Mapping[str, str]) -> Sequence[str]:
    """Green tests that run functions of the changed modules."""
    survey = baseline.survey
    own = {number for number, function in survey.functions.items() if function.path in texts}
    ran = (test for test in sorted(baseline.green) if own & survey.ran.get(test, frozenset()))
    return [test for test, _ in zip(ran, range(_MOST_GREENS), strict=False)]


def _only_telling(judged: Verdict, red: Verdict) -> Verdict:
    """The verdict without the green tests that stay green."""
    failed = {test: result for test, result in judged.results.items() if result.outcome is not Outcome.PASSED}
    kept = {test: judged.results.get(test, result) for test, result in red.results.items()}
    return replace(judged, results={**kept, **failed})
