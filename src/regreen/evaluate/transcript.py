"""The messages of a recorded prompt: a conversation is kept as one text, each message under its role."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEAD = re.compile(r"(?:\A|\n\n)\[(system|user|assistant|tool)\]\n")
"""What a message begins with. A text that looks like one is told as one, which misleads a reader alone."""


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One message of a conversation."""

    role: str
    """"system", "user", "assistant" or "tool"."""
    text: str


def messages_of(prompt: str) -> list[RecordedMessage]:
    """The messages of a prompt, in order; a text that names no role is one message of the user."""
    heads = list(_HEAD.finditer(prompt))
    if not heads or heads[0].start():
        return [RecordedMessage("user", prompt)]
    ends = [*(head.start() for head in heads[1:]), len(prompt)]
    return [RecordedMessage(head.group(1), prompt[head.end() : end]) for head, end in zip(heads, ends, strict=True)]
