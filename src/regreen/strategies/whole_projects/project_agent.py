"""Runs a strategy's graph on a project, and makes of its last state what a search of the project would have found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from regreen.config import Settings
from regreen.environment import tracing
from regreen.errors import ConfigError, ModelError, SandboxError
from regreen.models import ChatModel
from regreen.models.request_tracing import langsmith_traces
from regreen.select import change_in_words
from regreen.strategies import chosen_name
from regreen.strategies.agents.agent_context import SamplingParameters, sampling_parameters
from regreen.strategies.agents.state import State, attempts_of, initial_state, turns_of, unpack_attempt
from regreen.strategies.whole_projects.change_proof import prove_changes
from regreen.strategies.whole_projects.project_graphs import PROJECT_SPECS, ProjectSpec
from regreen.strategies.whole_projects.project_session import ProjectContext, ProjectSession, changed_texts
from regreen.strategies.whole_projects.project_state import ProjectFindings, ProjectState
from regreen.strategies.whole_projects.project_turns import changes_diff
from regreen.types import Attempt, Candidate, ProjectAttempt, Stop, Turn
from regreen.verify.project_survey import ProjectSurvey


@dataclass(frozen=True)
class AgentFindings:
    """What a model, and the searches around it, have come to."""

    found: ProjectFindings
    turns: tuple[Turn, ...] = ()
    attempts: tuple[ProjectAttempt, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences for the explanation."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage."""
    error: ModelError | SandboxError | None = None
    """What cut the repair short."""


class ProjectAgent:
    """A strategy that asks a model about projects."""

    def __init__(self, settings: Settings, model: ChatModel) -> None:
        """Raises ConfigError where the settings name no strategy that asks a model."""
        self.name = chosen_name(settings)
        self.model = model
        self.allowed = settings.allow
        self.spec = load_project_spec(self.name)
        self.sampling = sampling_parameters(settings, temperature=self.spec.temperature, schedule=self.spec.schedule)

    def repair(self, session: ProjectSession) -> AgentFindings:
        """What comes of it within the budget."""
        return _ask_about_project(self.spec, session, self.model, self.sampling, name=self.name)


def load_project_spec(name: str) -> ProjectSpec:
    """The graph of a strategy for projects; raises ConfigError for a name that has none."""
    if name not in PROJECT_SPECS:
        raise ConfigError(f"{name} is no graph.", remedy=f"Those with one are {', '.join(PROJECT_SPECS)}.")
    return PROJECT_SPECS[name]


def _ask_about_project(
    spec: ProjectSpec, session: ProjectSession, model: ChatModel, sampling: SamplingParameters, *, name: str
) -> AgentFindings:
    """Repair a project within the budget; `name` is the strategy's.

    An error of the model's service or of the sandbox is part of what is returned, beside what had been found by then.
    """
    state, error = initial_state(), None
    try:
        with langsmith_traces(tracing().langsmith), session.holding_core():
            for after in _states(spec, ProjectContext(session, model, sampling), name):
                state = after
    except KeyboardInterrupt:
        state = State(**{**state, "stop": Stop.INTERRUPTED.value})
    except (ModelError, SandboxError) as problem:
        state, error = State(**{**state, "stop": Stop.ERROR.value}), problem
    attempts = tuple(_project_attempt(session, attempt) for attempt in attempts_of(state))
    found = _findings(session, state)
    return AgentFindings(found, turns_of(state), attempts, tuple(state["notes"]), state["seconds"], error)


def _states(spec: ProjectSpec, context: ProjectContext, name: str) -> Iterator[State]:
    """The state after each step of the graph."""
    config: Any = {
        "recursion_limit": spec.most_steps(context.session.budget.iterations),
        "callbacks": [],
        "run_name": f"regreen {name}",
    }
    graph = spec.build().compile(name=name)
    yield from cast("Iterator[State]", graph.stream(initial_state(), config, context=context, stream_mode="values"))


def _findings(session: ProjectSession, state: State) -> ProjectFindings:
    """The changes that are handed over: those that pass, else the best that break nothing, else none."""
    attempts, stop = attempts_of(state), Stop(state["stop"] or Stop.EXHAUSTED)
    passing = [attempt for attempt in attempts if attempt.verdict.passed]
    chosen = unpack_attempt(state["chosen"]) if state["chosen"] else next(reversed(passing), None)
    if chosen is not None:
        reached = stop if stop in (Stop.INTERRUPTED, Stop.ERROR) else Stop.FIXED
        return _found(session, state, reached, chosen.candidate, _whole_run(session, chosen.candidate), ())
    if stop not in (Stop.INTERRUPTED, Stop.ERROR):
        for attempt in sorted(attempts, key=lambda each: each.verdict.checks_passed, reverse=True):
            red = tuple(test for test in session.baseline.red if test not in attempt.verdict.green)
            after, broken = _partial_run(session, attempt)
            if attempt.verdict.checks_passed and not broken - set(red):
                return _found(session, state, stop, attempt.candidate, after, red)
    return _found(session, state, stop, None, None, session.baseline.red)


def _partial_run(session: ProjectSession, attempt: Attempt) -> tuple[ProjectSurvey | None, set[str]]:
    if not attempt.verdict.checks_passed:
        return None, set()
    return prove_changes(session.resources, session.whole, session.baseline, changed_texts(attempt.candidate))


def _whole_run(session: ProjectSession, candidate: Candidate) -> ProjectSurvey | None:
    """The run of the whole suite that proved a candidate."""
    if candidate.id in session.proofs:
        return session.proofs[candidate.id].survey
    return session.searched[candidate.id].after


def _found(
    session: ProjectSession,
    state: State,
    stop: Stop,
    candidate: Candidate | None,
    after: ProjectSurvey | None,
    red: tuple[str, ...],
) -> ProjectFindings:
    tried = state["screened"] + len(state["attempts"])
    if candidate is not None and candidate.id in session.searched:
        searched = session.searched[candidate.id]
        return replace(searched, stop=stop, after=after, tried=tried, suspects=session.suspects)
    texts = changed_texts(candidate) if candidate is not None else {}
    notes = {path: change_in_words(session.whole.program(path).text, text) for path, text in texts.items()}
    handed = ProjectState(texts, notes, dict.fromkeys(texts), session.baseline.survey, red)
    return ProjectFindings(stop, handed, after, tried, session.suspects)


def _project_attempt(session: ProjectSession, attempt: Attempt) -> ProjectAttempt:
    verdict, candidate = attempt.verdict, attempt.candidate
    return ProjectAttempt(
        candidate_id=candidate.id,
        origin=candidate.origin,
        diff=changes_diff(session, candidate),
        tests_passed=verdict.checks_passed,
        tests_total=len(verdict.results),
        passed=verdict.passed,
        broken=tuple(test for test in verdict.results if test in session.baseline.must_stay_green - verdict.green),
        turn=attempt.turn if not candidate.is_searched else None,
    )
