"""A draft, then corrections: each sees its own last version and the first check that fails, and nothing else."""

from __future__ import annotations

from typing import Any

from regreen.strategies.agent_context import AgentContext
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import (
    REPEAT,
    ask,
    choose,
    common_values,
    conversation,
    given_program,
    inspect,
    iterate,
    repeated_attempt,
    verify,
)
from regreen.strategies.prompt_values import definition_text, first_failure, shown_checks, shown_program
from regreen.strategies.routes import choose_or, on_to
from regreen.strategies.state import State, last_attempt, turns_of
from regreen.types import Attempt

SHOWN_REPLY = 4_000
"""Characters of a reply that could not be used, as it is shown again."""


def draft(state: State, context: AgentContext) -> State:
    """The first version: the program, its statement and its tests."""
    task = context.session.reliable_task
    checks = shown_checks(task) if context.sampling.prompt_style == "tests" else ""
    values = common_values(context) | {"program": shown_program(task, task.source), "checks": checks}
    return ask(state, context, "draft", conversation("system", "draft", **values))


def reflect(state: State, context: AgentContext) -> State:
    """A correction: what was given last, and the first check that it fails."""
    shown = version_values(context, last_attempt(state) or given_program(context))
    return ask(state, context, "reflect", conversation("system", "reflect", **shown))


def repeat(state: State, context: AgentContext) -> State:
    """The model gave again what it had given before: another cause is asked for."""
    return ask(
        state,
        context,
        "repeat",
        conversation("system", "repeat", **version_values(context, repeated_attempt(state, context))),
    )


def syntax(state: State, context: AgentContext) -> State:
    """No candidate could be taken from the reply: it is told why."""
    task = context.session.reliable_task
    values = common_values(context) | {
        "program": shown_program(task, task.source),
        "failure": first_failure(task, context.session.baseline.verdict),
        "complaint": state["complaint"],
        "reply": turns_of(state)[-1].reply[:SHOWN_REPLY],
    }
    return ask(state, context, "syntax", conversation("system", "syntax", **values))


def version_values(context: AgentContext, attempt: Attempt) -> dict[str, Any]:
    """One version as a correction shows it: the part in question, and the first check that it fails."""
    task, verdict = context.session.reliable_task, attempt.verdict
    return common_values(context) | {
        "program": definition_text(attempt.candidate.source, task.entry_point),
        "failure": first_failure(task, verdict),
        "passed": verdict.checks_passed,
        "total": len(verdict.results),
    }


def after_iterate(state: State) -> str:
    """What the model is asked next follows from what was wrong with its last reply."""
    if state["stop"]:
        return END
    if state["fault"] == REPEAT:
        return "repeat"
    return "syntax" if state["fault"] else "reflect"


def wire(wiring: Wiring) -> None:
    """inspect -> draft -> verify -> iterate -> reflect, repeat or syntax -> verify, until it passes."""
    wiring.node("inspect", inspect)
    for node in (draft, reflect, repeat, syntax):
        wiring.node(node.__name__, node)
        wiring.edge(node.__name__, "verify")
    wiring.node("verify", verify)
    wiring.node("iterate", iterate)
    wiring.node("choose", choose)
    wiring.edge(START, "inspect")
    wiring.choice("inspect", on_to("draft"), ["draft", END])
    wiring.choice("verify", choose_or("iterate"), ["choose", "iterate", END])
    wiring.choice("iterate", after_iterate, ["reflect", "repeat", "syntax", END])
    wiring.edge("choose", END)


PLAN = Plan("reflect", wire, temperature=0.0, schedule="rising", nodes_an_iteration=3)
