"""Search and a model, each fed by the other: search, then a model that is shown its clues, then search again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.errors import ModelUnavailable
from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import (
    REPEAT,
    ask_for_candidate,
    common_values,
    given_program,
    repeated_attempt,
)
from regreen.strategies.agents.nodes import inspect, iterate, unless_stopped, verify
from regreen.strategies.agents.prompt_fit import Prompt, conversation
from regreen.strategies.agents.prompt_values import check_failure, first_failure, shown_checks, shown_program
from regreen.strategies.agents.state import State, attempts_of, pack, stopped, unpack_attempt
from regreen.strategies.choosing.confidence import is_robust
from regreen.strategies.choosing.patch_selection import best_passing, minimise_patch
from regreen.strategies.reflect import syntax, version_values
from regreen.strategies.searching.search_run import SearchRun
from regreen.strategies.session import RepairSession
from regreen.types import Attempt, Budget, Outcome, Stop, Verdict
from regreen.unified_diff import unified_diff
from regreen.verify.baseline import Baseline

_FIRST_SEARCH = Budget(candidates=4_000, seconds=10.0)
"""Of the search that comes before the model: a repair that it finds costs no tokens."""
_SEARCH_AROUND = Budget(candidates=1_500, seconds=5.0)
"""Of the search around one of the model's candidates that came near."""
_SHOWN_FAILURES, _SHOWN_NEAR_MISSES, _SHOWN_SITES = 3, 3, 3
"""How many of each a prompt shows."""
_UNAVAILABLE = "unavailable"
"""The fault of a service that is down: a repair that the search found is handed over all the same."""
_MODEL_STOPS = tuple(
    stop.value for stop in (Stop.ITERATIONS, Stop.TOKENS, Stop.MONEY, Stop.MODEL_SECONDS, Stop.CONTEXT)
)
"""Stops that end the model's part alone: the search may still go on."""


def search(state: State, runtime: Runtime[AgentContext]) -> State:
    """Look for a repair without the model, within a small budget."""
    session = runtime.context.session
    return _search(
        state, runtime.context, session.task.source, session.baseline, _within(_FIRST_SEARCH, state, session)
    )


def assess(state: State, runtime: Runtime[AgentContext]) -> State:
    """End the repair if the search has found a candidate that passes and is not doubtful."""
    if state["stop"]:
        return State()
    robust = any(is_robust(runtime.context.session.reliable_task, attempt) for attempt in _passing(state))
    return stopped(Stop.FIXED) if robust else State()


def consult(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask the model for the first time: the prompt shows the search's clues."""
    context = runtime.context
    task = context.session.reliable_task
    values = _clues(state, context, task.source) | {
        "program": shown_program(task, task.source),
        "checks": shown_checks(task) if context.sampling.prompt_style == "tests" else "",
        "failures": _failures(context, context.session.baseline.verdict),
    }
    return _ask(state, context, "consult", conversation("system", "consult", values))


def correct(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for a correction of the best version so far: the prompt shows the first check that it fails."""
    values = _best_version(state, runtime.context)
    return _ask(state, runtime.context, "correct", conversation("system", "correct", values))


def repeat(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for another cause, after a reply that gave an earlier version again."""
    context = runtime.context
    values = version_values(context, repeated_attempt(state, context))
    return _ask(state, context, "repeat", conversation("system", "repeat", values))


def around(state: State, runtime: Runtime[AgentContext]) -> State:
    """Search around the model's last candidate, if it passes no fewer checks than the program did."""
    session = runtime.context.session
    attempt = unpack_attempt(state["attempts"][-1]) if state["attempts"] else None
    green = len(session.baseline.green)
    if state["fault"] or attempt is None or attempt.verdict.passed or attempt.verdict.checks_passed < green:
        return State()
    budget = _within(_SEARCH_AROUND, state, session)
    if not budget.candidates:
        return State()
    near = Baseline(session.baseline.suite, attempt.verdict)
    update = _search(state, runtime.context, attempt.candidate.source, near, budget)
    # Suspicion is shown for the program as it was given, so that of another version is dropped.
    update.pop("sites", None)
    return update


def search_on(state: State, runtime: Runtime[AgentContext]) -> State:
    """Spend the rest of the search's own budget, once the model may not be asked again."""
    session = runtime.context.session
    budget = _within(session.budget, state, session)
    if not budget.candidates or session.clock() >= session.deadline:
        return State()
    return _search(state, runtime.context, session.task.source, session.baseline, budget)


def choose(state: State, runtime: Runtime[AgentContext]) -> State:
    """Hand over the best candidate that passes, whoever made it, with every unneeded change undone."""
    session = runtime.context.session
    best = best_passing(session.reliable_task, attempts_of(state))
    if best is None or state["stop"] == Stop.INTERRUPTED.value:
        # Nobody who interrupts wants to wait for a smaller change.
        return State(chosen=pack(best) if best else "")
    started = session.clock()
    session.notify("minimising")
    chosen = minimise_patch(session, best)
    stop = Stop.ERROR if state["fault"] == _UNAVAILABLE else Stop.FIXED
    return State(**stopped(stop), chosen=pack(chosen), seconds={"select": session.clock() - started})


def _within(budget: Budget, state: State, session: RepairSession) -> Budget:
    """A search's budget, cut to the candidates that the repair's own budget leaves."""
    left = max(0, session.budget.candidates - state["screened"])
    return replace(budget, candidates=min(budget.candidates, left))


def _as_recorded(budget: Budget, state: State, session: RepairSession) -> Budget | None:
    """In a replay, the candidates that the recorded search had come to; None where there was no further search."""
    recorded = session.budget.searches
    if recorded is None:
        return budget
    number = len(state["searches"])
    return replace(session.budget, candidates=recorded[number]) if number < len(recorded) else None


def _search(state: State, context: AgentContext, source: str, baseline: Baseline, within: Budget) -> State:
    """One search around one program; its update adds the candidate that passes, or the nearest misses.

    Where no check is red there is nothing to search by.
    """
    budget = _as_recorded(within, state, context.session)
    if not baseline.red or budget is None:
        return State()
    run = SearchRun(context.session, source, baseline, budget=budget)
    update = State()
    try:
        found = [run.select_patch().chosen] if run.run() is Stop.FIXED else run.judge_near_misses(_SHOWN_NEAR_MISSES)
    except KeyboardInterrupt:
        found = run.judge_near_misses(1)
        update["stop"] = Stop.INTERRUPTED.value
    findings = run.findings
    known = {attempt.candidate.id for attempt in findings.attempts}
    attempts = [*findings.attempts, *(attempt for attempt in found if attempt.candidate.id not in known)]
    update |= State(
        attempts=[pack(attempt) for attempt in attempts],
        screened=findings.tried,
        searches=[findings.tried],
        duplicates=findings.duplicates,
        seconds=findings.seconds,
        sites=[[s.first_line, s.last_line, s.suspicion, s.reason] for s in run.sites],
    )
    return update


def _ask(state: State, context: AgentContext, node: str, prompt: Prompt) -> State:
    """Ask the model; if its service is down, hand over the repair that the search has found."""
    try:
        return ask_for_candidate(state, context, node, prompt)
    except ModelUnavailable as problem:
        if not _passing(state):
            raise
        return State(fault=_UNAVAILABLE, pending="", stop=Stop.FIXED.value, notes=[str(problem)])


def _clues(state: State, context: AgentContext, shown: str) -> dict[str, Any]:
    """The search's clues (suspected lines, near misses, a doubtful repair), as prompts show them beside `shown`."""
    task = context.session.reliable_task
    green = len(context.session.baseline.green)
    lines = task.source.split("\n")
    near = [
        attempt
        for attempt in attempts_of(state)
        if not attempt.verdict.passed and attempt.verdict.checks_passed > green and attempt.candidate.source != shown
    ]
    near.sort(key=lambda attempt: -attempt.verdict.checks_passed)
    # Suspicion was measured on the program as it was given: of another version it says nothing.
    sites = state["sites"][:_SHOWN_SITES] if shown == task.source else []
    return common_values(context) | {
        "sites": "\n".join(_suspect(lines, site) for site in sites if site[2] > 0),
        "near_misses": [_near_miss(context, attempt) for attempt in near[:_SHOWN_NEAR_MISSES]],
        "passing": [
            unified_diff(task.source, a.candidate.source, "program.py") for a in attempts_of(state) if a.verdict.passed
        ][:1],
    }


def _suspect(lines: list[str], site: list[Any]) -> str:
    """A site with its text and why it is suspected."""
    first, last, _, reason = site
    text = "\n".join(lines[first - 1 : last]).strip()
    return f"line {first}: {text}" + (f"  <- {reason}" if reason else "")


def _near_miss(context: AgentContext, attempt: Attempt) -> dict[str, Any]:
    task, verdict = context.session.reliable_task, attempt.verdict
    return {
        "diff": unified_diff(task.source, attempt.candidate.source, "program.py"),
        "passed": verdict.checks_passed,
        "total": len(verdict.results),
        "failure": first_failure(task, verdict),
    }


def _failures(context: AgentContext, verdict: Verdict) -> str:
    """The failures of the first checks that do not pass, a line each."""
    task = context.session.reliable_task
    failed = [(name, result) for name, result in verdict.results.items() if result.outcome is not Outcome.PASSED]
    return "\n".join(check_failure(task, name, result) for name, result in failed[:_SHOWN_FAILURES])


def _best_version(state: State, context: AgentContext) -> dict[str, Any]:
    """The candidate that passes most, the latest of equals, and the model's last one where that is another."""
    latest_first = [*reversed(attempts_of(state)), given_program(context)]
    best = max(latest_first, key=lambda attempt: attempt.verdict.checks_passed)
    last = next((attempt for attempt in latest_first if attempt.turn is not None), best)
    own = version_values(context, last) if last is not best else None
    return _clues(state, context, best.candidate.source) | version_values(context, best) | {"last": own}


def _passing(state: State) -> list[Attempt]:
    return [attempt for attempt in attempts_of(state) if attempt.verdict.passed]


def after_assess(state: State) -> str:
    """Hand over what the search has found, if it is beyond doubt or the repair is interrupted; else ask the model."""
    return "choose" if state["stop"] else "consult"


def after_around(state: State) -> str:
    """Hand over a candidate that passes, or begin another iteration."""
    if _passing(state):
        return "choose"
    return "search_on" if state["stop"] in _MODEL_STOPS else END if state["stop"] else "iterate"


def after_iterate(state: State) -> str:
    """Ask next by the fault of the last reply; search on once the model may not be asked again."""
    if state["stop"]:
        return "search_on" if state["stop"] in _MODEL_STOPS else END
    if state["fault"] == REPEAT:
        return "repeat"
    return "syntax" if state["fault"] else "correct"


def after_search_on(state: State) -> str:
    """Hand over a candidate that passes."""
    return "choose" if _passing(state) else END


def build_graph() -> AgentGraph:
    """inspect -> search -> assess -> consult -> verify -> around -> iterate -> correct ... -> search_on -> choose."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("inspect", inspect)
    graph.add_node("search", search)
    graph.add_node("assess", assess)
    graph.add_node("consult", consult)
    graph.add_node("correct", correct)
    graph.add_node("repeat", repeat)
    graph.add_node("syntax", syntax)
    graph.add_node("verify", verify)
    graph.add_node("around", around)
    graph.add_node("iterate", iterate)
    graph.add_node("search_on", search_on)
    graph.add_node("choose", choose)
    graph.add_edge(START, "inspect")
    graph.add_conditional_edges("inspect", unless_stopped("search"), ["search", END])
    graph.add_edge("search", "assess")
    graph.add_conditional_edges("assess", after_assess, ["choose", "consult"])
    graph.add_edge("consult", "verify")
    graph.add_edge("verify", "around")
    graph.add_conditional_edges("around", after_around, ["choose", "search_on", "iterate", END])
    graph.add_conditional_edges("iterate", after_iterate, ["correct", "repeat", "syntax", "search_on", END])
    graph.add_edge("correct", "verify")
    graph.add_edge("repeat", "verify")
    graph.add_edge("syntax", "verify")
    graph.add_conditional_edges("search_on", after_search_on, ["choose", END])
    graph.add_edge("choose", END)
    return graph


AGENT = AgentSpec("hybrid", build_graph, temperature=0.0, schedule="rising", steps_per_iteration=4)
