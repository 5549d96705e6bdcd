"""Thought, action, observation in plain text (ReAct: Yao et al. 2022), for models without function calling."""

from __future__ import annotations

from collections.abc import Sequence

from regreen.models import Message
from regreen.propose.prompts import render
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.feedback import report
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import REPEAT, ask, choose, common_values, inspect, iterate, verify
from regreen.strategies.prompt_values import shown_checks, shown_program
from regreen.strategies.routes import choose_or, on_to
from regreen.strategies.state import State, attempts_of, last_attempt, pack, turns_of, unpack_message

OPENING = 2
"""Messages that stay in the conversation for ever: how to work, and the task."""
EXCHANGES = 4
"""Of what follows, so many last exchanges are shown again."""


def open_plainly(state: State, context: AgentContext) -> State:
    """Begin the conversation: how thoughts, actions and observations extend_messages one another, and the task."""
    values = task_values(context)
    return State(
        messages=[
            pack(Message("system", render("react", **values))),
            pack(Message("user", render("tools_task", **values))),
        ]
    )


def think(state: State, context: AgentContext) -> State:
    """One thought and the code that it leads to."""
    update = ask(state, context, "think", recent(state["messages"]), temperature=temperature(state, context))
    if update.get("turns"):
        update["messages"] = [pack(Message("assistant", turns_of(update)[-1].reply))]
    return update


def observe(state: State, context: AgentContext) -> State:
    """What the run of the code showed, or why it could not be run."""
    return State(messages=[pack(Message("user", f"Observation: {observation(state, context)}"))])


def observation(state: State, context: AgentContext) -> str:
    """What the model is told of its last reply."""
    if state["fault"] == REPEAT:
        return (
            f"This was not run: {state['complaint']} The outcome would be the same. The cause is not where you have "
            "been looking: change something else."
        )
    if state["fault"]:
        return f"This was not run: {state['complaint']}"
    attempt = last_attempt(state)
    return report(context.session.reliable_task, attempt.verdict) if attempt else "Nothing was run."


def temperature(state: State, context: AgentContext) -> float:
    """The schedule's temperature, by how often in a row nothing came of it."""
    return context.sampling.temperature_at(stuck(state))


def stuck(state: State) -> int:
    """How many replies have come since the number of passed checks last rose."""
    best, rose = -1, -1
    for attempt in attempts_of(state):
        if attempt.verdict.checks_passed > best and attempt.turn is not None:
            best, rose = attempt.verdict.checks_passed, attempt.turn
    return len(state.get("turns", [])) - 1 - rose


def recent(messages: Sequence[str]) -> list[Message]:
    """The opening and the last exchanges; a tool's answer never stands without the call that it belongs to."""
    told = [unpack_message(text) for text in messages]
    starts = [i for i, message in enumerate(told) if i >= OPENING and message.role == "assistant"]
    first = starts[-EXCHANGES] if len(starts) > EXCHANGES else OPENING
    return [*told[:OPENING], *told[first:]]


def task_values(context: AgentContext) -> dict[str, object]:
    """What the opening of a conversation shows."""
    task = context.session.reliable_task
    return common_values(context) | {
        "program": shown_program(task, task.source),
        "checks": shown_checks(task) if context.sampling.prompt_style == "tests" else "",
        "before": report(task, context.session.baseline.verdict),
    }


def wire(wiring: Wiring) -> None:
    """inspect -> open -> think -> verify -> observe -> iterate -> think ..., until it passes."""
    wiring.node("inspect", inspect)
    wiring.node("open", open_plainly)
    wiring.node("think", think)
    wiring.node("verify", verify)
    wiring.node("observe", observe)
    wiring.node("iterate", iterate)
    wiring.node("choose", choose)
    wiring.edge(START, "inspect")
    wiring.choice("inspect", on_to("open"), ["open", END])
    wiring.edge("open", "think")
    wiring.edge("think", "verify")
    wiring.choice("verify", choose_or("observe"), ["choose", "observe", END])
    wiring.edge("observe", "iterate")
    wiring.choice("iterate", on_to("think"), ["think", END])
    wiring.edge("choose", END)


PLAN = Plan("react", wire, temperature=0.7, schedule="falling", nodes_an_iteration=4)
