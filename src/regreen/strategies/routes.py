"""Where graphs go next, where several of them decide it alike; each is a plain function of the state."""

from __future__ import annotations

from langgraph.graph import END

from regreen.strategies.graph import Route
from regreen.strategies.state import State, last_attempt


def on_to(node: str) -> Route:
    """To a node, unless the repair has stopped."""

    def route(state: State) -> str:
        return END if state["stop"] else node

    return route


def choose_or(node: str) -> Route:
    """To the choice if the last candidate passes; else to a node, unless the repair has stopped."""

    def route(state: State) -> str:
        attempt = last_attempt(state)
        if attempt is not None and attempt.verdict.passed:
            return "choose"
        return END if state["stop"] else node

    return route
