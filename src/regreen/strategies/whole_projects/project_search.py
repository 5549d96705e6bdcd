"""The search over a project: its most suspicious modules take turns, and partial repairs are gone on from."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from regreen.localise.project_suspects import file_chances, suspect_functions
from regreen.select import change_in_words, minimise
from regreen.strategies.events import Event, Listener
from regreen.strategies.resources import Resources
from regreen.strategies.whole_projects.change_proof import prove_changes
from regreen.strategies.whole_projects.file_search import FileSearch, FoundChange, ModuleTests
from regreen.strategies.whole_projects.finalists import Finalist, beside_others, best_first, other_changes
from regreen.strategies.whole_projects.project_baseline import ProjectBaseline, evidence_of, suite_of, survey_tests
from regreen.strategies.whole_projects.project_state import ProjectFindings, ProjectState, both_likely
from regreen.tasks.whole_project import WholeProject
from regreen.types import Stop
from regreen.verify.project_survey import ProjectSurvey

_FIRST_TURN, _TURN_GROWTH = 256, 2
"""Candidates of a module's first turn, and how many times as many it gets in each further one."""
_MOST_FILES = 12
_MOST_GREENS = 200
"""Green tests that decide about one module while it is searched; those that run the most of what red ones run."""
_MOST_CHANGED = 3
"""Modules that one repair changes at most."""
_MOST_STATES = 24
_MOST_UNDONE = 12
"""Runs of the deciding tests, for each module, to find changes in it that no test needs."""
_MOST_RIVALS, _RIVAL_SHARE = 3, 0.3
"""Once a module is repaired, the modules that have at least this share of its chance are searched as far, up to three:
the right change may be in one of them."""
_LEAST_RIVAL, _MOST_RIVAL = 200, 600
"""Candidates of each of them."""


class ProjectSearch:
    """One search over one project."""

    def __init__(
        self,
        resources: Resources,
        whole: WholeProject,
        baseline: ProjectBaseline,
        *,
        seed: int,
        on_event: Listener,
        begin: ProjectState | None = None,
    ) -> None:
        """`begin` is the state to search around; None for the project as it was given."""
        self.begin = begin or ProjectState({}, {}, {}, baseline.survey, baseline.red)
        self.resources = replace(resources, limits=baseline.limits)
        self.whole = whole
        self.baseline = baseline
        self.timings = dict.fromkeys(("localise", "search", "suite"), 0.0)
        self.seed = seed
        self.on_event = on_event
        self.started = resources.clock()
        self.tried = 0
        self._tried_elsewhere = 0
        """Candidates of other modules than the one that is searched."""
        self.states: list[ProjectState] = []
        self._finalists: list[Finalist] = []
        """What leaves no test red, as long as it is compared with others."""
        self._best: Finalist | None = None
        """The one of them that is handed over."""
        self._known: set[tuple[tuple[str, str], ...]] = set()

    def run(self) -> ProjectFindings:
        """Search until the whole suite passes, or the budget or the candidates are spent."""
        first = self._localised(self.begin)
        self.states.append(first)
        try:
            stop, done, after = self._search()
        except KeyboardInterrupt:
            left = self._unproven()
            return ProjectFindings(
                Stop.INTERRUPTED, first, None, self.tried, first.suspects, self.timings, unproven=left
            )
        if done is not None:
            asked, others = self._best.change.questions if self._best else (), tuple(self._others(done))
            suspects, timings = first.suspects, self.timings
            return ProjectFindings(stop, done, after, self.tried, suspects, timings, questions=asked, others=others)
        return self._best_partial(stop, first)

    def _search(self) -> tuple[Stop, ProjectState | None, ProjectSurvey | None]:
        while True:
            finalists = self._finalists = []
            stop = self._search_on(finalists)
            while finalists and (turn := self._rival(finalists)) is not None and self._spent() is None:
                finalists += self._turn(*turn)
            for best in best_first(finalists):
                # What was found in one step is small already, as its search proved.
                state = beside_others(best, finalists)
                state = self._smallest(state) if best.origin.texts else state
                after, broken = self._prove(state)
                if not broken:
                    self._best = best
                    return Stop.FIXED, state, after
                best.origin.must_stay |= broken
                best.origin.searches.pop(best.path, None)
            if stop is not None:
                return stop, None, None

    def _others(self, handed: ProjectState) -> Iterator[ProjectState]:
        """As many others as are asked for that the whole suite confirms; those until then, where the user ends it."""
        left = self.resources.alternatives
        if self._best is None or not left:
            return
        with contextlib.suppress(KeyboardInterrupt):
            for other in other_changes(self.whole, self._finalists, self._best, handed):
                if not self._prove(other)[1]:
                    yield other
                    left -= 1
                if not left:
                    return

    def _unproven(self) -> ProjectState | None:
        """The likeliest change that leaves no test red, else the one that leaves the fewest; None without any."""
        best = next(iter(best_first(self._finalists)), None)
        changed = (state for state in self.states if state.texts)
        return best.state if best is not None else min(changed, key=lambda state: len(state.red), default=None)

    def _search_on(self, finalists: list[Finalist]) -> Stop | None:
        """Give turns until one of them leaves no test red; the stop where that does not come."""
        while not finalists:
            if (stop := self._spent()) is not None:
                return stop
            turn = self._next_turn()
            if turn is None:
                return Stop.EXHAUSTED
            finalists += self._turn(*turn)
        return None

    def _spent(self) -> Stop | None:
        if self.tried >= self.resources.budget.candidates:
            return Stop.CANDIDATES
        late = self.resources.clock() - self.started >= self.resources.budget.seconds
        return Stop.SECONDS if late else None

    def _turn(self, state: ProjectState, path: str) -> list[Finalist]:
        """One turn of one module; returns what leaves no test red, and keeps what leaves fewer."""
        found = []
        for change in self._take_turn(state, path):
            changed = self._changed(state, change)
            if changed is not None and changed.red:
                self.states.append(changed)
            elif changed is not None:
                found.append(Finalist(changed, state, change))
        return found

    def _rival(self, finalists: list[Finalist]) -> tuple[ProjectState, str] | None:
        """The module of nearly as good a chance that has been searched less than the one that was repaired."""
        state, path = finalists[0].origin, finalists[0].path
        enough = min(max(state.searches[path].tried, _LEAST_RIVAL), _MOST_RIVAL)
        likely = [other for other, chance in state.chances.items() if chance >= _RIVAL_SHARE * state.chances[path]]
        for other in likely[:_MOST_RIVALS]:
            search = state.searches.get(other)
            if search is None or (not search.is_over and search.tried < enough):
                return state, other
        return None

    def _next_turn(self) -> tuple[ProjectState, str] | None:
        """The state and the module to go on with: fewer red tests are worth more turns."""
        least = min((len(state.red) for state in self.states), default=0)
        ready = [(state, path) for state in self.states if (path := state.next_path()) is not None]

        def had(pair: tuple[ProjectState, str]) -> float:
            state, _ = pair
            return (state.tried + 1.0) * (1 + len(state.red) - least)

        return min(ready, key=had, default=None)

    def _take_turn(self, state: ProjectState, path: str) -> list[FoundChange]:
        search = state.searches.get(path)
        if search is None:
            search = state.searches[path] = self._opened(state, path)
        before, started = search.tried, self.resources.clock()
        self._tried_elsewhere = self.tried - before
        size = _FIRST_TURN * _TURN_GROWTH ** state.turns.get(path, 0)
        state.turns[path] = state.turns.get(path, 0) + 1
        left = self.resources.budget.candidates - self.tried
        try:
            return search.advance(max(1, min(size, left)))
        finally:
            self.tried += search.tried - before
            self._spend("search", started)

    def _opened(self, state: ProjectState, path: str) -> FileSearch:
        tests = self._tests_of(state, path)
        return FileSearch(
            self.resources,
            self._whole(is_named=tests.loads),
            path,
            state.texts,
            tests,
            seed=self.seed,
            started=self.started,
            on_event=self._relay,
        )

    def _relay(self, event: Event) -> None:
        """Tell of the search of one module, which counts its own candidates, as of a part of this one."""
        self.on_event(replace(event, candidates=self._tried_elsewhere + event.candidates))

    def _tests_of(self, state: ProjectState, path: str) -> ModuleTests:
        survey = state.survey
        uncollected = [test for test in state.red if test in survey.uncollected or "::" not in test]
        if uncollected:
            return ModuleTests(tuple(uncollected), (), survey.verdict.results, loads=False)
        own = {number for number, function in survey.functions.items() if function.path == path}
        red = [
            test for test in state.red if own & survey.ran.get(test, frozenset()) or self._raised_in(survey, test, path)
        ]
        red = red or list(state.red)
        reached = frozenset().union(*(survey.ran.get(test, frozenset()) for test in red))
        covering = [t for t in self.baseline.green if t in survey.ran and own & survey.ran[t]]
        nearest = sorted(covering, key=lambda test: (-len(survey.ran[test] & reached), test))[:_MOST_GREENS]
        results = {**self.baseline.survey.verdict.results, **self.baseline.unchosen, **survey.verdict.results}
        # A test that is only there with some change has no result without it that could be kept.
        lasting = sorted(test for test in state.must_stay if test in results)
        green = list(dict.fromkeys([*lasting, *nearest]))
        return ModuleTests(tuple(red), tuple(green), results, loads=True)

    def _raised_in(self, survey: ProjectSurvey, test: str, path: str) -> bool:
        return any(frame.file == path for error in survey.errors.get(test, ()) for frame in error.frames)

    def _changed(self, state: ProjectState, found: FoundChange) -> ProjectState | None:
        """The state after a change, its red tests run anew; None for one that is known, or is not better."""
        texts = {**state.texts, found.path: found.text}
        key = tuple(sorted(texts.items()))
        if key in self._known or len(self.states) >= _MOST_STATES or len(texts) > _MOST_CHANGED:
            return None
        self._known.add(key)
        notes = {**state.notes, found.path: found.note}
        likelihood = both_likely(state.likelihoods.get(found.path, 1.0), found.likelihood)
        likelihoods = {**state.likelihoods, found.path: likelihood}
        left = [test for test in state.red if test not in found.turned]
        if not left and self.baseline.loads:
            return ProjectState(texts, notes, likelihoods, state.survey, ())
        survey = self._survey(texts, self._deciding(state))
        red = tuple(test for test in survey.red if test not in self.baseline.green)
        broken = [test for test in survey.red if test in self.baseline.green]
        if broken or (self.baseline.loads and len(red) >= len(state.red)):
            return None
        return self._localised(ProjectState(texts, notes, likelihoods, survey, red))

    def _whole(self, *, is_named: bool) -> WholeProject:
        """The project as its tests are run: what the user chose decides only where the tests are not known by name."""
        return self.whole.with_all_tests if is_named else self.whole

    def _survey(self, texts: Mapping[str, str], tests: list[str]) -> ProjectSurvey:
        started = self.resources.clock()
        suite = suite_of(self._whole(is_named=self.baseline.loads).targeting("", texts))
        survey = survey_tests(self.resources, suite, tests, self.baseline.limits)
        self._spend("localise", started)
        return survey

    def _spend(self, phase: str, since: float) -> None:
        self.timings[phase] += self.resources.clock() - since

    def _localised(self, state: ProjectState) -> ProjectState:
        started = self.resources.clock()
        evidence = evidence_of(state.survey, state.red, self.whole)
        state.suspects = suspect_functions(evidence)
        chances = file_chances(state.suspects)
        usable = (path for path in chances if self.whole.can_change(path))
        state.chances = {path: chances[path] for path in itertools.islice(usable, _MOST_FILES)}
        self._spend("localise", started)
        return state

    def _smallest(self, state: ProjectState) -> ProjectState:
        """The state without the changed modules, and the changes in these, that its tests do not need.

        What a step has won, a later one may win anew.
        """
        needed = dict(state.texts)
        for path in state.texts if len(state.texts) > 1 else ():
            fewer = {other: text for other, text in needed.items() if other != path}
            if fewer and not self._survey(fewer, self._deciding(state)).red:
                needed = fewer
        for path in needed:
            needed[path] = self._smallest_text(state, needed, path)
        notes = {path: self._note_of(state, path, text) for path, text in needed.items()}
        return replace(state, texts=needed, notes=notes, likelihoods={path: state.likelihoods[path] for path in needed})

    def _smallest_text(self, state: ProjectState, texts: Mapping[str, str], path: str) -> str:
        """A changed module with every change undone that no test needs beside those of the other modules."""

        def still_passes(text: str) -> bool:
            return not self._survey({**texts, path: text}, self._deciding(state)).red

        before = self.whole.program(path).text
        return minimise(before, texts[path], still_passes, tries=_MOST_UNDONE, within_lines=False)

    def _note_of(self, state: ProjectState, path: str, text: str) -> str:
        """What is said of a changed module, in words of what is left of the change."""
        return state.notes[path] if text == state.texts[path] else change_in_words(self.whole.program(path).text, text)

    def _deciding(self, state: ProjectState) -> list[str]:
        """The red tests, and the green ones near them."""
        return [*self.baseline.red, *(test for test in self.baseline.green if test in state.survey.ran)]

    def _prove(self, state: ProjectState) -> tuple[ProjectSurvey, set[str]]:
        """One run of the whole suite with the changes, and the tests that it should pass and does not."""
        self.on_event(Event("proving", candidates=self.tried, seconds=self.resources.clock() - self.started))
        started = self.resources.clock()
        try:
            return prove_changes(self.resources, self.whole, self.baseline, state.texts)
        finally:
            self._spend("suite", started)

    def _best_partial(self, stop: Stop, first: ProjectState) -> ProjectFindings:
        """The state with the fewest red tests whose changes, as the whole suite says, break nothing."""
        better = [state for state in self.states if state.texts]
        for state in sorted(better, key=lambda state: len(state.red)):
            after, broken = self._prove(state)
            if not broken - set(state.red):
                return ProjectFindings(stop, state, after, self.tried, first.suspects, self.timings)
        return ProjectFindings(stop, first, None, self.tried, first.suspects, self.timings)
