"""Search and a model, each fed by the other: search first, then a model that is told what search learnt, and so on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from regreen.errors import ModelUnavailable
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.confidence import is_robust
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import (
    REPEAT,
    ask,
    common_values,
    conversation,
    given_program,
    inspect,
    iterate,
    repeated_attempt,
    verify,
)
from regreen.strategies.patch_selection import best_passing, minimise_patch
from regreen.strategies.prompt_values import failure, first_failure, shown_checks, shown_program
from regreen.strategies.reflect import syntax, version_values
from regreen.strategies.routes import on_to
from regreen.strategies.search_run import SearchRun
from regreen.strategies.state import State, attempts_of, pack, stopped, unpack_attempt
from regreen.types import Attempt, Budget, Outcome, Stop, Verdict
from regreen.unified_diff import unified_diff
from regreen.verify.baseline import Baseline

FIRST = Budget(candidates=4_000, seconds=10.0)
"""The search that comes before the model: what it finds costs nothing."""
AROUND = Budget(candidates=1_500, seconds=5.0)
"""The search around one candidate of the model's that came near."""
FAILURES, NEAR_MISSES, SITES = 3, 3, 3
"""How many of each the model is told of."""
UNAVAILABLE = "unavailable"
"""The fault of a service that is down: what the search found is handed over all the same, and the stop says why."""
INTERRUPTED = Stop.INTERRUPTED.value
UNPAID = (Stop.ITERATIONS.value, Stop.TOKENS.value, Stop.MONEY.value)
"""Stops of the model's part: the search may still go on."""


def search(state: State, context: AgentContext) -> State:
    """Look for a repair without the model, within a small budget."""
    return _search(context, context.session.task.source, context.session.baseline, _within(FIRST, state, context))


def consult(state: State, context: AgentContext) -> State:
    """Ask the model for the first time, and tell it what the search has learnt."""
    task = context.session.reliable_task
    values = _learnt(state, context, task.source) | {
        "program": shown_program(task, task.source),
        "checks": shown_checks(task) if context.sampling.prompt_style == "tests" else "",
        "failures": _failures(context, context.session.baseline.verdict),
    }
    return _ask(state, context, "consult", conversation("system", "consult", **values))


def correct(state: State, context: AgentContext) -> State:
    """Ask again, with the best version so far, whoever made it, and the first check that it fails."""
    return _ask(state, context, "correct", conversation("system", "correct", **_best_version(state, context)))


def repeat(state: State, context: AgentContext) -> State:
    """The model gave again what it had given before: another cause is asked for."""
    return _ask(
        state,
        context,
        "repeat",
        conversation("system", "repeat", **version_values(context, repeated_attempt(state, context))),
    )


def around(state: State, context: AgentContext) -> State:
    """Search around the model's last candidate, if it came near."""
    attempt = unpack_attempt(state["attempts"][-1]) if state["attempts"] else None
    green = len(context.session.baseline.green)
    if state["fault"] or attempt is None or attempt.verdict.passed or attempt.verdict.checks_passed < green:
        return State()
    budget = _within(AROUND, state, context)
    if not budget.candidates:
        return State()
    near = Baseline(context.session.baseline.suite, attempt.verdict)
    return _search(context, attempt.candidate.source, near, budget, keep_sites=True)


def search_on(state: State, context: AgentContext) -> State:
    """The model has said what it had to say: spend what is left of the search's own budget."""
    session = context.session
    budget = _within(session.budget, state, context)
    if not budget.candidates or session.clock() >= session.deadline:
        return State()
    return _search(context, session.task.source, session.baseline, budget)


def choose(state: State, context: AgentContext) -> State:
    """The best of all that passes, whoever made it, with every change undone that it does not need."""
    task = context.session.reliable_task
    best = best_passing(task, attempts_of(state))
    if best is None or state["stop"] == INTERRUPTED:
        # Whoever interrupts does not want to wait for a smaller change.
        return State(chosen=pack(best) if best else "")
    started = context.session.clock()
    context.session.notify("minimising")
    chosen = replace(minimise_patch(task.source, best, context.session.prove), turn=best.turn)
    stop = Stop.ERROR if state["fault"] == UNAVAILABLE else Stop.FIXED
    return State(**stopped(stop), chosen=pack(chosen), seconds={"select": context.session.clock() - started})


def _within(budget: Budget, state: State, context: AgentContext) -> Budget:
    """A search's budget, as far as the repair's own candidates reach."""
    left = max(0, context.session.budget.candidates - state["screened"])
    return replace(budget, candidates=min(budget.candidates, left))


def _search(
    context: AgentContext, source: str, baseline: Baseline, budget: Budget, *, keep_sites: bool = False
) -> State:
    """One search on one program, and what it adds to the history: what passes, or the nearest miss."""
    search_run = SearchRun(context.session, source, baseline, budget=budget)
    update = State()
    try:
        found = [search_run.choose()] if search_run.run() is Stop.FIXED else search_run.near_misses(NEAR_MISSES)
    except KeyboardInterrupt:
        found = search_run.near_misses(1)
        update["stop"] = INTERRUPTED
    known = {attempt.candidate.id for attempt in search_run.attempts}
    attempts = [*search_run.attempts, *(attempt for attempt in found if attempt.candidate.id not in known)]
    update |= State(
        attempts=[pack(attempt) for attempt in attempts],
        screened=search_run.loop.tried if search_run.loop else 0,
        duplicates=search_run.loop.engine.duplicates if search_run.loop else 0,
        seconds=search_run.spent,
    )
    if not keep_sites:
        update["sites"] = [[s.first_line, s.last_line, s.suspicion, s.reason] for s in search_run.sites]
    return update


def _ask(state: State, context: AgentContext, node: str, messages: Any) -> State:
    """Ask, but hand over what the search has found if the model's service is down."""
    try:
        return ask(state, context, node, messages)
    except ModelUnavailable as problem:
        if not _passing(state):
            raise
        return State(fault=UNAVAILABLE, pending="", stop=Stop.FIXED.value, notes=[str(problem)])


def _learnt(state: State, context: AgentContext, shown: str) -> dict[str, Any]:
    """What the search has learnt, as the prompts show it beside the program `shown`."""
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
    sites = state["sites"][:SITES] if shown == task.source else []
    return common_values(context) | {
        "sites": "\n".join(_suspect(lines, site) for site in sites if site[2] > 0),
        "near_misses": [_near_miss(context, attempt) for attempt in near[:NEAR_MISSES]],
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
    """What the first checks that do not pass say, a line each."""
    task = context.session.reliable_task
    failed = [(name, result) for name, result in verdict.results.items() if result.outcome is not Outcome.PASSED]
    return "\n".join(failure(task, name, result) for name, result in failed[:FAILURES])


def _best_version(state: State, context: AgentContext) -> dict[str, Any]:
    """The candidate that passes most, the latest of equals, and the model's last one where that is another."""
    latest_first = [*reversed(attempts_of(state)), given_program(context)]
    best = max(latest_first, key=lambda attempt: attempt.verdict.checks_passed)
    last = next((attempt for attempt in latest_first if attempt.turn is not None), best)
    own = version_values(context, last) if last is not best else None
    return _learnt(state, context, best.candidate.source) | version_values(context, best) | {"last": own}


def _passing(state: State) -> list[Attempt]:
    return [attempt for attempt in attempts_of(state) if attempt.verdict.passed]


def after_weigh(state: State) -> str:
    """What is beyond doubt is handed over, and what there is after an interrupt; else the model is asked."""
    return "choose" if state["stop"] else "consult"


def after_around(state: State) -> str:
    """Hand over what passes, or begin another iteration."""
    if _passing(state):
        return "choose"
    return "search_on" if state["stop"] in UNPAID else END if state["stop"] else "iterate"


def after_iterate(state: State) -> str:
    """What the model is asked next follows from what was wrong with its last reply."""
    if state["stop"]:
        return "search_on" if state["stop"] in UNPAID else END
    if state["fault"] == REPEAT:
        return "repeat"
    return "syntax" if state["fault"] else "correct"


def after_search_on(state: State) -> str:
    """Hand over what passes."""
    return "choose" if _passing(state) else END


def weigh(state: State, context: AgentContext) -> State:
    """What the search found ends the repair if nothing speaks against it."""
    if state["stop"]:
        return State()
    robust = any(is_robust(context.session.reliable_task, attempt) for attempt in _passing(state))
    return stopped(Stop.FIXED) if robust else State()


def wire(wiring: Wiring) -> None:
    """inspect -> search -> weigh -> consult -> verify -> around -> iterate -> correct ... -> search_on -> choose."""
    wiring.node("inspect", inspect)
    wiring.node("search", search)
    wiring.node("weigh", weigh)
    for name, node in (("consult", consult), ("correct", correct), ("repeat", repeat), ("syntax", syntax)):
        wiring.node(name, node)
        wiring.edge(name, "verify")
    wiring.node("verify", verify)
    wiring.node("around", around)
    wiring.node("iterate", iterate)
    wiring.node("search_on", search_on)
    wiring.node("choose", choose)
    wiring.edge(START, "inspect")
    wiring.choice("inspect", on_to("search"), ["search", END])
    wiring.edge("search", "weigh")
    wiring.choice("weigh", after_weigh, ["choose", "consult"])
    wiring.edge("verify", "around")
    wiring.choice("around", after_around, ["choose", "search_on", "iterate", END])
    wiring.choice("iterate", after_iterate, ["correct", "repeat", "syntax", "search_on", END])
    wiring.choice("search_on", after_search_on, ["choose", END])
    wiring.edge("choose", END)


PLAN = Plan("hybrid", wire, temperature=0.0, schedule="rising", nodes_an_iteration=4)
