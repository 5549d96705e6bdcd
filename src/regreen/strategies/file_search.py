"""The search over one module of a project: the tests that depend on it decide, and its turns come from outside."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from regreen.select.wrong_values import changes_equality
from regreen.strategies.events import Listener
from regreen.strategies.patch_selection import minimise_partial
from regreen.strategies.project_baseline import file_of_test, suite_of
from regreen.strategies.resources import Resources
from regreen.strategies.search_run import SearchRun
from regreen.strategies.searched_program import candidate_of
from regreen.strategies.session import RepairSession
from regreen.tasks.whole_project import WholeProject
from regreen.types import Attempt, CheckResult, Stop, Task, Verdict
from regreen.verify.baseline import Baseline, take_baseline

_GREENS_AT_ONCE = 12
"""More green tests than that are only run where all red ones pass."""
_MOST_WITH_OTHER_EQUALITY = 0.3
"""That a change is right by which other values are equal, at most: checks that compare say little about it then."""
_MOST_PARTIALS = 3
"""Partial repairs that are judged after a turn."""


@dataclass(frozen=True, slots=True)
class FoundChange:
    """A change of one module that turns red tests green and, of those that depend on it, none red."""

    path: str
    text: str
    turned: frozenset[str]
    """Red tests that pass with it."""
    note: str
    likelihood: float | None
    is_whole: bool
    """Whether every red test that depends on the module passes."""


@dataclass(frozen=True)
class ModuleTests:
    """The tests that decide about one module."""

    red: tuple[str, ...]
    green: tuple[str, ...]
    results: Mapping[str, CheckResult]
    loads: bool
    """Whether all of them can be collected."""


class FileSearch:
    """The search over one module, in a project whose other modules say what `texts` says."""

    def __init__(
        self,
        resources: Resources,
        whole: WholeProject,
        path: str,
        texts: Mapping[str, str],
        tests: ModuleTests,
        *,
        seed: int,
        started: float,
        on_event: Listener,
    ) -> None:
        self.path = path
        self.tests = tests
        self.source = texts.get(path) or whole.program(path).text
        chosen = [*tests.red, *tests.green]
        project = whole.targeting(path, texts, tests={file_of_test(test) for test in chosen})
        project = replace(project, is_tolerant=tests.loads)
        module = whole.module_name(path)
        suite = suite_of(project, chosen if tests.loads else [], module=module)
        if not tests.loads:
            suite = replace(suite, source=suite_of(project, chosen).source)
        self.task = Task(path, self.source, None, replace(suite, checks=()), module=module)
        self._resources = resources
        self._suite = suite
        self._options = {"seed": seed, "started": started, "on_event": on_event}
        self._run: SearchRun | None = None
        self._judged: set[str] = set()
        self.stop: Stop | None = None

    @property
    def tried(self) -> int:
        """Candidates so far."""
        return self._run.findings.tried if self._run else 0

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to try."""
        return self.stop in (Stop.EXHAUSTED, Stop.FIXED, Stop.SECONDS, Stop.NOTHING_RED)

    def advance(self, candidates: int) -> list[FoundChange]:
        """Try so many candidates more; returns what was found in this turn, the best first."""
        if self._run is None:
            self._run = self._opened()
            if self._run is None:
                self.stop = Stop.NOTHING_RED
                return []
        self._run.grant(candidates)
        self.stop = self._run.run()
        if self.stop is Stop.FIXED:
            selection = self._run.select_patch()
            likelihood = selection.likelihood
            if changes_equality(self.source, selection.chosen.candidate.source):
                likelihood = min(likelihood or 0.0, _MOST_WITH_OTHER_EQUALITY)
            return [self._found(selection.chosen, likelihood, is_whole=True)]
        return list(self._partials(self._run))

    def _opened(self) -> SearchRun | None:
        """The search, once the tests have been run on the module; None where none of them is red."""
        baseline = self._baseline()
        if not baseline.red:
            return None
        session = RepairSession(self._resources, self.task, baseline=baseline, **self._options)  # type: ignore[arg-type]
        many = len(baseline.green) > _GREENS_AT_ONCE
        return SearchRun(session, self.source, baseline, budget=self._resources.budget, greens_last=many)

    def _baseline(self) -> Baseline:
        if self.tests.loads:
            results = {check.id: self.tests.results[check.id] for check in self._suite.checks}
            return Baseline(self._suite, Verdict(results))
        # Which tests there are is only known with something in the place of what the module lacks.
        return take_baseline(self._resources.judge, self.source, self._suite, self._resources.limits, {})

    def _partials(self, run: SearchRun) -> Iterator[FoundChange]:
        """The changes that win red tests and, as the judge says, lose no green one."""
        likely = sorted(run.findings.improvements.items(), key=lambda item: len(item[0]), reverse=True)
        mutations = [mutation for _, mutations in likely for mutation in mutations[:1]]
        for mutation in mutations[:_MOST_PARTIALS]:
            candidate = candidate_of(self.source, mutation)
            if candidate.id in self._judged:
                continue
            self._judged.add(candidate.id)
            if changes_equality(self.source, candidate.source):
                # A weaker equality pleases some checks of any program, and all that is found after it is built on that.
                continue
            attempt = Attempt(candidate, run.session.prove(candidate))
            if run.baseline.green < attempt.verdict.green:
                smaller = minimise_partial(run.session, attempt, Stop.CANDIDATES)
                yield self._found(smaller or attempt, None, is_whole=False)

    def _found(self, attempt: Attempt, likelihood: float | None, *, is_whole: bool) -> FoundChange:
        candidate = attempt.candidate
        turned = self._turned(attempt.verdict.green)
        return FoundChange(self.path, candidate.source, turned, candidate.note, likelihood, is_whole)

    def _turned(self, green: Collection[str]) -> frozenset[str]:
        """The red tests that are green, files that could not be collected by all of their tests."""
        if self.tests.loads:
            return frozenset(green) & frozenset(self.tests.red)
        # A file that can be loaded now is taken in by the next survey, with whatever of it is red.
        return frozenset(self.tests.red)
