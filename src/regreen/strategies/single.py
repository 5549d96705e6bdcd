"""One reply, no test result shown: OctoPack's protocol (Muennighoff et al. 2023), with its two ways to put the task."""

from __future__ import annotations

from regreen.models import Message
from regreen.propose.prompts import render
from regreen.strategies.agent_context import AgentContext
from regreen.strategies.graph import END, START, Plan, Wiring
from regreen.strategies.nodes import answer_unverified, ask, choose, common_values, inspect, verify
from regreen.strategies.prompt_values import shown_checks, shown_program
from regreen.strategies.routes import on_to
from regreen.strategies.state import State
from regreen.types import Stop


def draft(state: State, context: AgentContext) -> State:
    """Ask once."""
    task = context.session.task
    style = context.sampling.prompt_style
    checks = shown_checks(task) if style == "tests" else ""
    prompt = render(
        f"single_{style}", program=shown_program(task, task.source), checks=checks, **common_values(context)
    )
    return ask(state, context, "draft", [Message("user", prompt)])


def begin(state: State, context: AgentContext) -> State:
    """Look at what is red, where checks may be run at all."""
    return inspect(state, context) if context.session.may_run_checks else State()


def conclude(state: State, context: AgentContext) -> State:
    """The reply is there; whether it is handed over is for the checks to say, where there are any."""
    if not context.session.is_examined:
        return answer_unverified(state, context)
    return choose(state, context) or State(stop=state.get("stop") or Stop.ANSWERED.value)


def verify_if_allowed(state: State, context: AgentContext) -> State:
    """Judge the reply where checks may be run."""
    return verify(state, context) if context.session.is_examined else State()


def wire(wiring: Wiring) -> None:
    """begin -> draft -> verify -> conclude."""
    wiring.node("begin", begin)
    wiring.node("draft", draft)
    wiring.node("verify", verify_if_allowed)
    wiring.node("conclude", conclude)
    wiring.edge(START, "begin")
    wiring.choice("begin", on_to("draft"), ["draft", END])
    wiring.choice("draft", on_to("verify"), ["verify", END])
    wiring.edge("verify", "conclude")
    wiring.edge("conclude", END)


PLAN = Plan("single", wire, temperature=0.0, schedule="constant")
