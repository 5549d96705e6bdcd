"""A recorded prompt by its messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.evaluate.transcript import messages_of
from regreen.models import Message
from regreen.strategies.agents.model_turn import conversation_text

ROLES = st.sampled_from(["system", "user", "assistant", "tool"])


@given(st.lists(st.tuples(ROLES, st.text("ab[]\n ", max_size=12)), min_size=1, max_size=5))
def test_a_conversation_is_told_by_its_messages(said: list[tuple[str, str]]) -> None:
    """As the strategies record it, whatever stands in it."""
    prompt = conversation_text([Message(role, text) for role, text in said])
    assert [(message.role, message.text) for message in messages_of(prompt)] == said


@pytest.mark.parametrize("prompt", ["", "no role at all", "first\n\n[user]\nthen", "[robot]\nhello"])
def test_a_text_without_roles_is_one_message(prompt: str) -> None:
    """Of another tool's record, for one."""
    assert [(message.role, message.text) for message in messages_of(prompt)] == [("user", prompt)]
