"""Prompts that give way where a model's context is too small: history first, then tests, statement and program.

The definition in question and the check that fails stay. How much has to give way is learnt from the model's own
refusals and from replies that its context cut off, so that a run that is replayed asks the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from regreen.models import Finish, Message, Reply, Request
from regreen.propose.prompts import render, shortened
from regreen.strategies.agents.program_view import ShownProgram

WHOLE = 0
"""The shortening of a prompt from which nothing was left out."""
SHORTEST = 3
"""The shortening of a prompt from which no more can be left out."""
_HISTORY: Mapping[str, Any] = {
    "history": [],
    "near_misses": [],
    "last": None,
    "reply": "",
    "sites": "",
    "patterns": False,
}
"""What gives way first: what was tried before."""
_ROOM: Sequence[Mapping[str, int]] = (
    {},
    {"outcome": 2_000, "before": 2_000, "failures": 1_500, "plan": 2_000},
    {
        "program": 4_000,
        "checks": 1_000,
        "statement": 1_500,
        "outcome": 1_000,
        "before": 1_000,
        "failures": 700,
        "failure": 1_000,
        "plan": 800,
    },
    {
        "program": 2_000,
        "checks": 0,
        "statement": 500,
        "outcome": 500,
        "before": 500,
        "failures": 400,
        "failure": 500,
        "plan": 400,
    },
)
"""By shortening: the most characters of a text; 0 leaves it out. Of a program, the definition in question stays."""

Prompt = Callable[[int], Sequence[Message]]
"""The messages of a request, at a shortening from `WHOLE` to `SHORTEST`."""


def conversation(system: str, user: str, values: Mapping[str, Any]) -> Prompt:
    """A system message and a user's message, rendered from the prompts of these names."""

    def prompt(shortening: int) -> Sequence[Message]:
        shown = shortened_values(values, shortening)
        return [Message("system", render(system, **shown)), Message("user", render(user, **shown))]

    return prompt


def shortened_values(values: Mapping[str, Any], shortening: int) -> dict[str, Any]:
    """The values of a prompt, with what gives way at this shortening cut or left out."""
    shown = dict(values)
    if shortening > WHOLE:
        shown |= {name: empty for name, empty in _HISTORY.items() if name in shown}
    for name, longest in _ROOM[shortening].items():
        if shown.get(name):
            shown[name] = _within(shown[name], longest)
    return shown


def _within(text: str, longest: int) -> str:
    if isinstance(text, ShownProgram):
        return text.within(longest)
    return shortened(text, longest) if longest else ""


def was_cut_by_context(request: Request, reply: Reply) -> bool:
    """Whether the reply ends where the model's context did: before it had the length that it was allowed."""
    is_counted = reply.extra.get("usage") != "estimated"
    return (
        reply.finish == Finish.LENGTH
        and not reply.extra.get("ended")
        and is_counted
        and request.max_tokens is not None
        and 0 < reply.usage.completion < request.max_tokens
    )
