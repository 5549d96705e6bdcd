"""Nodes and routes that several graphs share: a node returns its update of the state, a route the next node's name."""

from __future__ import annotations

from collections.abc import Callable

from langgraph.graph import END
from langgraph.runtime import Runtime

from regreen.strategies.agents.agent_context import AgentContext, AnyContext
from regreen.strategies.agents.state import State, attempts_of, last_attempt, pack, stopped, unpack_candidate
from regreen.strategies.choosing.patch_selection import minimise_patch
from regreen.types import Attempt, Stop


def inspect(state: State, runtime: Runtime[AgentContext]) -> State:
    """Run the checks on the program as it is; where none is red, the repair ends, unless the program is known wrong."""
    session = runtime.context.session
    return State() if session.examine().red or session.task.known_wrong else stopped(Stop.NOTHING_RED)


def verify(state: State, runtime: Runtime[AgentContext]) -> State:
    """Judge the pending candidate, and those of the other blocks in its reply until one passes.

    The one that passes most becomes the last attempt, which is what the next prompt is about.
    """
    if not state["pending"]:
        return State()
    session = runtime.context.session
    started = session.clock()
    left = max(1, session.budget.candidates - len(state["attempts"]))
    judged: list[Attempt] = []
    for candidate in map(unpack_candidate, [state["pending"], *state.get("beside", [])][:left]):
        judged.append(Attempt(candidate, session.prove(candidate), turn=len(state["turns"]) - 1))
        session.progress.candidates += 1
        session.progress.best_passed = max(session.progress.best_passed, judged[-1].verdict.checks_passed)
        if judged[-1].verdict.passed:
            break
    counts = max(judged, key=lambda attempt: (attempt.verdict.passed, attempt.verdict.checks_passed))
    ordered = [*(attempt for attempt in judged if attempt is not counts), counts]
    seconds = {"execute": session.clock() - started}
    return State(attempts=[pack(attempt) for attempt in ordered], pending="", beside=[], seconds=seconds)


def iterate(state: State, runtime: Runtime[AnyContext]) -> State:
    """Begin another iteration, within the budget."""
    session = runtime.context.session
    if state["iteration"] >= session.budget.iterations:
        return stopped(Stop.ITERATIONS)
    if not session.may_ask:
        return stopped(Stop.MODEL_SECONDS)
    if len(state["attempts"]) >= session.budget.candidates:
        return stopped(Stop.CANDIDATES)
    return State(iteration=state["iteration"] + 1)


def choose(state: State, runtime: Runtime[AgentContext]) -> State:
    """Hand over the first candidate that passes, with every unneeded change undone."""
    passing = next((attempt for attempt in attempts_of(state) if attempt.verdict.passed), None)
    if passing is None:
        return State()
    session = runtime.context.session
    started = session.clock()
    session.notify("minimising")
    chosen = minimise_patch(session, passing)
    return State(**stopped(Stop.FIXED), chosen=pack(chosen), seconds={"select": session.clock() - started})


def unless_stopped(node: str) -> Callable[[State], str]:
    """Route to a node, unless the repair has ended."""

    def route(state: State) -> str:
        return END if state["stop"] else node

    return route


def choose_or(node: str) -> Callable[[State], str]:
    """Route to `choose` if the last candidate passes; else to a node, unless the repair has ended."""

    def route(state: State) -> str:
        attempt = last_attempt(state)
        if attempt is not None and attempt.verdict.passed:
            return "choose"
        return END if state["stop"] else node

    return route
