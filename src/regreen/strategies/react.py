"""Thought, action, observation in plain text (ReAct: Yao et al. 2022), for models without function calling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from regreen.models import Message
from regreen.propose.prompts import shortened
from regreen.strategies.agents.agent_context import AgentContext
from regreen.strategies.agents.agent_spec import AgentGraph, AgentSpec
from regreen.strategies.agents.model_turn import REPEAT, ask_for_candidate, common_values
from regreen.strategies.agents.nodes import choose, choose_or, inspect, iterate, unless_stopped, verify
from regreen.strategies.agents.prompt_fit import WHOLE, Prompt, conversation
from regreen.strategies.agents.prompt_values import checks_report, shown_checks, shown_program
from regreen.strategies.agents.state import State, attempts_of, last_attempt, pack, turns_of, unpack_message

_OPENING_MESSAGES = 2
"""Messages that every request repeats: how to work, and the task."""
_RECENT_EXCHANGES = 4
"""How many of the last exchanges a request repeats after the opening; one where the model's context is small."""
_MESSAGE_CHARACTERS = (100_000, 4_000, 1_500, 700)
"""By shortening: the most characters of a message that is repeated after the opening."""
_OBSERVATION = "\nObservation:"
"""Where the model's turn ends: what comes of its code is not for it to say."""


def open_plainly(state: State, runtime: Runtime[AgentContext]) -> State:
    """Begin the conversation: how thoughts, actions and observations follow one another, and the task."""
    return State(messages=opening_messages("react", runtime.context))


def think(state: State, runtime: Runtime[AgentContext]) -> State:
    """Ask for one thought, and the code that it leads to."""
    context = runtime.context
    prompt, temperature = continued("react", state, context), stuck_temperature(state, context)
    update = ask_for_candidate(
        state, context, "think", prompt, temperature=temperature, stop=(_OBSERVATION,), answers=1
    )
    if update.get("turns"):
        update["messages"] = [pack(Message("assistant", turns_of(update)[-1].reply))]
    return update


def observe(state: State, runtime: Runtime[AgentContext]) -> State:
    """Tell the model the result of running its code, or why the code could not be run."""
    return State(messages=[pack(Message("user", f"Observation: {observation(state, runtime.context)}"))])


def opening_messages(system: str, context: AgentContext, shortening: int = WHOLE) -> list[str]:
    """The opening of a conversation: the system prompt of that name, and the task."""
    task = context.session.reliable_task
    values = common_values(context) | {
        "program": shown_program(task, task.source),
        "checks": shown_checks(task) if context.sampling.prompt_style == "tests" else "",
        "before": checks_report(task, context.session.baseline.verdict),
        "patterns": True,
        # Small models go on in prose unless the call is the last thing that they read.
        "asks_for_call": system == "tools",
    }
    return [pack(message) for message in conversation(system, "tools_task", values)(shortening)]


def observation(state: State, context: AgentContext) -> str:
    """The result of the last reply, in words for the model."""
    if state["fault"] == REPEAT:
        return (
            f"This was not run: {state['complaint']} The outcome would be the same. The cause is not where you have "
            "been looking: change something else."
        )
    if state["fault"]:
        return f"This was not run: {state['complaint']}"
    attempt = last_attempt(state)
    return checks_report(context.session.reliable_task, attempt.verdict) if attempt else "Nothing was run."


def stuck_temperature(state: State, context: AgentContext) -> float:
    """The schedule's temperature, counted by the replies since the last gain in place of the iteration."""
    return context.sampling.temperature_at(replies_since_gain(state))


def replies_since_gain(state: State) -> int:
    """How many replies have come since the number of passed checks last rose."""
    best, rose = -1, -1
    for attempt in attempts_of(state):
        if attempt.verdict.checks_passed > best and attempt.turn is not None:
            best, rose = attempt.verdict.checks_passed, attempt.turn
    return len(state["turns"]) - 1 - rose


def continued(system: str, state: State, context: AgentContext) -> Prompt:
    """The conversation so far, as the next request repeats it; `system` is the prompt that opened it."""

    def prompt(shortening: int) -> list[Message]:
        kept = state["messages"]
        if shortening > WHOLE:
            kept = [*opening_messages(system, context, shortening), *kept[_OPENING_MESSAGES:]]
        recent = recent_messages(kept, _RECENT_EXCHANGES if shortening == WHOLE else 1)
        longest = _MESSAGE_CHARACTERS[shortening]
        later = [
            replace(message, content=shortened(message.content, longest)) for message in recent[_OPENING_MESSAGES:]
        ]
        return [*recent[:_OPENING_MESSAGES], *later]

    return prompt


def recent_messages(messages: Sequence[str], exchanges: int = _RECENT_EXCHANGES) -> list[Message]:
    """The opening and the last exchanges; the answer to a tool call never without the call."""
    unpacked = [unpack_message(text) for text in messages]
    starts = [i for i, message in enumerate(unpacked) if i >= _OPENING_MESSAGES and message.role == "assistant"]
    first = starts[-exchanges] if len(starts) > exchanges else _OPENING_MESSAGES
    return [*unpacked[:_OPENING_MESSAGES], *unpacked[first:]]


def build_graph() -> AgentGraph:
    """inspect -> open -> think -> verify -> observe -> iterate -> think ..., until it passes."""
    graph = StateGraph(State, context_schema=AgentContext)
    graph.add_node("inspect", inspect)
    graph.add_node("open", open_plainly)
    graph.add_node("think", think)
    graph.add_node("verify", verify)
    graph.add_node("observe", observe)
    graph.add_node("iterate", iterate)
    graph.add_node("choose", choose)
    graph.add_edge(START, "inspect")
    graph.add_conditional_edges("inspect", unless_stopped("open"), ["open", END])
    graph.add_edge("open", "think")
    graph.add_edge("think", "verify")
    graph.add_conditional_edges("verify", choose_or("observe"), ["choose", "observe", END])
    graph.add_edge("observe", "iterate")
    graph.add_conditional_edges("iterate", unless_stopped("think"), ["think", END])
    graph.add_edge("choose", END)
    return graph


AGENT = AgentSpec("react", build_graph, temperature=0.7, schedule="falling", steps_per_iteration=4)
