"""A chat request as the rules of a script see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

SearchedMessages = Literal["any", "last", "last_user", "system"]
TurnCount = Literal["auto", "assistant", "tools", "quoted"]


class Conversation:
    """The texts of a chat-completions request."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        messages = body.get("messages")
        self._messages = [m for m in messages if isinstance(m, Mapping)] if isinstance(messages, list) else []
        self.model = body.get("model")
        self.tools = bool(body.get("tools"))
        form = body.get("response_format")
        self.schema = isinstance(form, Mapping) and form.get("type") != "text"

    def text(self, where: SearchedMessages) -> str:
        """The messages that a rule searches, one after the other."""
        return self._whole if where == "any" else "\n".join(self._texts(where))

    def count(self, role: str) -> int:
        """The number of messages with a role."""
        return sum(message.get("role") == role for message in self._messages)

    @cached_property
    def without_blanks(self) -> str:
        """The whole conversation without indentation and empty lines, so that quoted code is found in any layout."""
        return without_blanks(self._whole)

    @cached_property
    def _whole(self) -> str:
        return "\n".join(self._texts("any"))

    def _texts(self, where: SearchedMessages) -> Iterator[str]:
        messages = self._messages
        if where == "last":
            messages = messages[-1:]
        elif where == "last_user":
            messages = [m for m in messages if m.get("role") == "user"][-1:]
        elif where == "system":
            messages = [m for m in messages if m.get("role") in ("system", "developer")]
        for message in messages:
            yield from texts_of(message)


def texts_of(message: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a message: its content, plain or in parts, and the arguments of its calls."""
    content = message.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    for call in message.get("tool_calls") or ():
        yield str(call["function"]["arguments"])


def without_blanks(text: str) -> str:
    """A text without the blanks around its lines and without empty lines."""
    return "\n".join(filter(None, map(str.strip, text.splitlines())))
