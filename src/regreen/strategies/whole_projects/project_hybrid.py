"""Search and a model on a project, each fed by the other: nodes that search before, around and after the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from langgraph.runtime import Runtime

from regreen.errors import ModelUnavailable
from regreen.strategies.agents.state import State, attempts_of, last_attempt, pack, stopped
from regreen.strategies.whole_projects.project_baseline import suite_of, survey_tests
from regreen.strategies.whole_projects.project_nodes import correct_changes, draft_changes
from regreen.strategies.whole_projects.project_search import ProjectSearch
from regreen.strategies.whole_projects.project_session import (
    ProjectContext,
    ProjectSession,
    changed_texts,
    changes_candidate,
)
from regreen.strategies.whole_projects.project_state import ProjectFindings, ProjectState
from regreen.types import Attempt, Budget, Stop, Verdict

_FIRST_SEARCH = Budget(candidates=4_000, seconds=30.0)
"""Of the search that comes before the model: a repair that it finds costs no tokens."""
_SEARCH_AROUND = Budget(candidates=1_500, seconds=10.0)
"""Of the search around changes of the model's that turn some tests green."""
_LEAST_LIKELIHOOD = 0.5
"""Of a search's repair for which the model is not asked."""
UNAVAILABLE = "unavailable"
"""The fault of a service that is down: a repair that the search found is handed over all the same."""
MODEL_STOPS = tuple(stop.value for stop in (Stop.ITERATIONS, Stop.TOKENS, Stop.MONEY, Stop.MODEL_SECONDS, Stop.CONTEXT))
"""Stops that end the model's part alone: the search may still go on."""


_Node = Callable[[State, Runtime[ProjectContext]], State]


def search_project(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Look for a repair without the model, within a small budget; a sure one ends the repair."""
    session = runtime.context.session
    update = _search(session, _within(_FIRST_SEARCH, state, session), None)
    is_sure = any((found.state.likelihood or 0.0) >= _LEAST_LIKELIHOOD for found in session.searched.values())
    return update | stopped(Stop.FIXED) if is_sure and not update.get("stop") else update


def consult_on_project(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask the model for the first time; a service that is down takes no repair of the search away."""
    return _unless_down(state, runtime, draft_changes)


def correct_after_search(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask the model for better changes, in the same way."""
    return _unless_down(state, runtime, correct_changes)


def search_around(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Search around the model's last changes, where they turn some red test green and break none."""
    session, attempt = runtime.context.session, last_attempt(state)
    if state["fault"] or attempt is None or attempt.verdict.passed or not attempt.verdict.checks_passed:
        return State()
    budget = _within(_SEARCH_AROUND, state, session)
    begin = _state_after(session, changed_texts(attempt.candidate)) if budget.candidates else None
    return _search(session, budget, begin) if begin is not None else State()


def search_rest(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Spend the rest of the search's own budget, once the model may not be asked again."""
    session = runtime.context.session
    budget = _within(session.budget, state, session)
    budget = replace(budget, seconds=session.deadline - session.clock())
    if not budget.candidates or budget.seconds <= 0 or any(a.verdict.passed for a in attempts_of(state)):
        return State()
    return _search(session, budget, None)


def _unless_down(state: State, runtime: Runtime[ProjectContext], ask: _Node) -> State:
    try:
        return ask(state, runtime)
    except ModelUnavailable as problem:
        if not any(attempt.verdict.passed for attempt in attempts_of(state)):
            raise
        return State(fault=UNAVAILABLE, pending="", stop=Stop.ERROR.value, notes=[str(problem)])


def _within(budget: Budget, state: State, session: ProjectSession) -> Budget:
    """A search's budget, cut to the candidates and the time that the repair's own budget leaves."""
    left = max(0, session.budget.candidates - state["screened"])
    seconds = min(budget.seconds, max(0.0, session.deadline - session.clock()))
    return replace(budget, candidates=min(budget.candidates, left), seconds=seconds)


def _search(session: ProjectSession, budget: Budget, begin: ProjectState | None) -> State:
    """One search; its update adds what it found, whole or in part."""
    started = session.clock()
    resources = replace(session.resources, budget=budget)
    search = ProjectSearch(
        resources, session.whole, session.baseline, seed=session.seed, on_event=session.on_event, begin=begin
    )
    found = search.run()
    update = State(screened=found.tried, seconds={"execute": session.clock() - started})
    if found.stop is Stop.INTERRUPTED:
        update["stop"] = Stop.INTERRUPTED.value
    attempt = _attempt(session, found)
    if attempt is not None:
        update["attempts"] = [pack(attempt)]
    return update


def _attempt(session: ProjectSession, found: ProjectFindings) -> Attempt | None:
    """What a search found, as an attempt; None where it found nothing."""
    if found.after is None or not found.state.texts:
        return None
    candidate = changes_candidate(session, found.state.texts, "search:project", "; ".join(found.state.notes.values()))
    session.searched[candidate.id] = found
    wanted = [test for test in session.baseline.red if test in found.after.verdict.results] or found.after.red
    results = {test: found.after.verdict.results[test] for test in wanted}
    return Attempt(candidate, Verdict(results))


def _state_after(session: ProjectSession, texts: dict[str, str]) -> ProjectState | None:
    """The state of a search that begins with these changes; None where they break green tests."""
    baseline = session.baseline
    suite = suite_of(session.whole.targeting("", texts))
    near = [test for test in baseline.green if test in baseline.survey.ran]
    survey = survey_tests(session.resources, suite, [*baseline.red, *near], baseline.limits)
    if any(test in baseline.green for test in survey.red):
        return None
    notes = dict.fromkeys(texts, "as the model wrote it")
    return ProjectState(texts, notes, dict.fromkeys(texts), survey, survey.red)
