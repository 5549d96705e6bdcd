"""The search over one module of a project: the tests that depend on it decide, and its turns come from outside."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from regreen.select.questions import with_import
from regreen.select.signs.lost_conditions import cautious_likelihood
from regreen.select.wrong_values import changes_equality
from regreen.strategies.choosing.behaviours import names_defined_at_top
from regreen.strategies.choosing.patch_selection import PatchStanding, minimise_partial
from regreen.strategies.events import Event, Listener
from regreen.strategies.resources import Resources
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.searching.searched_program import candidate_of
from regreen.strategies.session import RepairSession
from regreen.strategies.whole_projects.project_baseline import file_of_test, suite_of
from regreen.tasks.whole_project import WholeProject
from regreen.types import Alternative, Attempt, Candidate, CheckResult, Question, Stop, Task, Verdict
from regreen.verify.baseline import Baseline, take_baseline

_GREENS_AT_ONCE = 12
"""More green tests than that are only run where all red ones pass."""
_MOST_WITH_OTHER_EQUALITY = 0.3
"""That a change is right by which other values are equal, at most: checks that compare say little about it then."""
_MOST_PARTIALS = 3
"""Partial repairs that are made after a turn."""
_PART_CANDIDATES = 256
"""That are tried for the red tests of one part alone, before the first that was seen to turn them is taken."""
_PARTIAL_LIKELIHOOD = 0.6
"""That such a change is right, which nothing was compared with: chosen by hand."""


@dataclass(frozen=True, slots=True)
class FoundChange:
    """A change of one module that turns red tests green and, of those that depend on it, none red."""

    path: str
    text: str
    turned: frozenset[str]
    """Red tests that pass with it."""
    note: str
    likelihood: float | None
    standing: PatchStanding | None = None
    """How it stands among all that passes; None where it was compared with nothing."""
    others: tuple[Alternative, ...] = ()
    """What passes as well and does something else, the likeliest first; as many as are asked for."""
    questions: tuple[Question, ...] = ()
    """On what these do not agree, with checks that import what they name."""


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
        has_parts: bool = True,
    ) -> None:
        """Where it `has_parts`, a change that turns some of the red tests is searched for by these alone."""
        self.has_parts = has_parts
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
        self._whole = whole
        self._texts = texts
        self._seed = seed
        self._started = started
        self._on_event = on_event
        self._run: SearchRun | None = None
        self._parts: set[frozenset[str]] = set()
        """The red tests of each part that was searched for."""
        self._tried_apart = 0
        self.stop: Stop | None = None

    @property
    def tried(self) -> int:
        """Candidates so far."""
        return self._tried_apart + (self._run.findings.tried if self._run else 0)

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
            return [self._selected(self._run)]
        return list(self._partials(self._run)) if self.has_parts else []

    def _selected(self, run: SearchRun) -> FoundChange:
        """The best of the changes that turn all red tests."""
        selection = run.select_patch()
        source = selection.chosen.candidate.source
        found = self._found(selection.chosen, selection.likelihood)
        if selection.standing is None:
            return found
        cautious = partial(self._cautious, source, selection.standing.likelihood)
        standing = replace(selection.standing, likelihood=cautious)
        return replace(
            found,
            likelihood=cautious(standing.share),
            standing=standing,
            others=selection.alternatives,
            questions=tuple(self._importing(question) for question in selection.questions),
        )

    def _importing(self, question: Question) -> Question:
        """The question with checks that may stand in any file of tests."""
        names = names_defined_at_top(self.source)
        answers = (replace(a, check=with_import(a.check, self.task.module, names)) for a in question.answers)
        return replace(question, answers=tuple(answers))

    def _cautious(self, source: str, likelihood: Callable[[float], float], share: float) -> float:
        """How likely this program is right, with regard to what no feature of the likelihood tells."""
        most = _MOST_WITH_OTHER_EQUALITY if changes_equality(self.source, source) else 1.0
        return min(cautious_likelihood(self.source, source, likelihood(share)), most)

    def _opened(self) -> SearchRun | None:
        """The search, once the tests have been run on the module; None where none of them is red."""
        baseline = self._baseline()
        if not baseline.red:
            return None
        session = RepairSession(
            self._resources,
            self.task,
            seed=self._seed,
            on_event=lambda event: self._tell(event, self._tried_apart),
            baseline=baseline,
            started=self._started,
        )
        many = len(baseline.green) > _GREENS_AT_ONCE
        return SearchRun(session, self.source, baseline, budget=self._resources.budget, greens_last=many)

    def _tell(self, event: Event, before: int) -> None:
        """Tell of one of this search's parts, before which it had tried so many candidates."""
        self._on_event(replace(event, candidates=before + event.candidates))

    def _baseline(self) -> Baseline:
        if self.tests.loads:
            results = {check.id: self.tests.results[check.id] for check in self._suite.checks}
            return Baseline(self._suite, Verdict(results))
        # Which tests there are is only known with something in the place of what the module lacks.
        return take_baseline(self._resources.judge, self.source, self._suite, self._resources.limits, {})

    def _partials(self, run: SearchRun) -> Iterator[FoundChange]:
        """Changes that win red tests and lose no green one: for each set of tests that some change was seen to turn."""
        likely = sorted(run.findings.improvements.items(), key=lambda item: len(item[0]), reverse=True)
        parts = {self._turned(passed): mutations[0] for passed, mutations in likely}
        new = [(part, mutation) for part, mutation in parts.items() if part and part not in self._parts]
        for part, mutation in new[:_MOST_PARTIALS]:
            self._parts.add(part)
            yield from self._repairs_of(part) or self._judged(run, candidate_of(self.source, mutation))

    def _repairs_of(self, part: frozenset[str]) -> list[FoundChange]:
        """The best of the changes that turn all tests of a part, the other red ones left aside."""
        if not self.tests.loads:
            return []
        alone = FileSearch(
            self._resources,
            self._whole,
            self.path,
            self._texts,
            replace(self.tests, red=tuple(test for test in self.tests.red if test in part)),
            seed=self._seed,
            started=self._started,
            on_event=lambda event: self._tell(event, self.tried),
            has_parts=False,
        )
        found = alone.advance(_PART_CANDIDATES)
        self._tried_apart += alone.tried
        # A weaker equality pleases some checks of any program, and all that is found after it is built on that.
        return [change for change in found if not changes_equality(self.source, change.text)]

    def _judged(self, run: SearchRun, candidate: Candidate) -> list[FoundChange]:
        """This change, where the judge says so, too."""
        if changes_equality(self.source, candidate.source):
            return []
        attempt = Attempt(candidate, run.session.prove(candidate))
        if not run.baseline.green < attempt.verdict.green:
            return []
        smaller = minimise_partial(run.session, attempt, Stop.CANDIDATES) or attempt
        likelihood = cautious_likelihood(self.source, smaller.candidate.source, _PARTIAL_LIKELIHOOD)
        return [self._found(smaller, likelihood)]

    def _found(self, attempt: Attempt, likelihood: float | None) -> FoundChange:
        candidate = attempt.candidate
        turned = self._turned(attempt.verdict.green)
        return FoundChange(self.path, candidate.source, turned, candidate.note, likelihood)

    def _turned(self, green: Collection[str]) -> frozenset[str]:
        """The red tests that are green, files that could not be collected by all of their tests."""
        if self.tests.loads:
            return frozenset(green) & frozenset(self.tests.red)
        # A file that can be loaded now is taken in by the next survey, with whatever of it is red.
        return frozenset(self.tests.red)
