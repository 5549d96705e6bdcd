"""Renders a conversation as the tokens of a prompt, with the model's own chat template."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import TemplateError

from regreen.errors import ModelError, ToolsUnsupported
from regreen.models.contract import Message, ToolCall
from regreen.models.local.toolcalls import offers_tools
from regreen.models.reply_end import THOUGHT_BEGINS

_Turn = Mapping[str, Any]

_HEADINGS = ("### Instruction", "### Response")
_PLAIN_TEMPLATE = """\
{{ bos_token or '' }}{% for turn in messages %}\
{% if turn.role == 'system' %}{{ turn.content }}

{% elif turn.role == 'assistant' %}### Response
{{ turn.content }}

{% else %}### Instruction
{{ turn.content }}

{% endif %}{% endfor %}{% if add_generation_prompt %}### Response
{% endif %}"""
"""For models that come without a template."""


@dataclass(frozen=True, slots=True)
class PromptRenderer:
    """Renders prompts for one model, for several threads."""

    tokenizer: Any
    lock: threading.Lock = field(default_factory=threading.Lock)
    """A tokenizer that several threads use at once fails."""

    @property
    def is_plain(self) -> bool:
        """Whether the model has no template of its own."""
        return not self.tokenizer.chat_template

    @property
    def stops(self) -> tuple[str, ...]:
        """Texts that always end a reply: the headings of the plain template."""
        return tuple("\n" + heading for heading in _HEADINGS) if self.is_plain else ()

    def prompt(self, turns: Sequence[_Turn], tools: Sequence[Mapping[str, Any]] = ()) -> tuple[int, ...]:
        """The tokens of the prompt. Raises ToolsUnsupported, and ModelError when the template refuses the turns."""
        if tools or any(turn["role"] == "tool" for turn in turns):
            self._require_tools()
        try:
            return self._rendered(turns, tools)
        except TemplateError:
            pass
        try:
            return self._rendered(fold_turns(turns), tools)
        except TemplateError as error:
            raise ModelError(f"The model's chat template refuses the conversation: {error}.") from error

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of some tokens, special ones included."""
        with self.lock:
            text: str = self.tokenizer.decode(
                list(tokens), skip_special_tokens=False, clean_up_tokenization_spaces=False
            )
        return text

    def ends_in_thought(self, prompt: Sequence[int]) -> bool:
        """Whether the template has opened a thought that the model continues."""
        return self.decode(prompt[-8:]).rstrip().endswith(THOUGHT_BEGINS)

    def _rendered(self, turns: Sequence[_Turn], tools: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
        with self.lock:
            try:
                tokens = self.tokenizer.apply_chat_template(
                    [dict(turn) for turn in turns],
                    tools=[dict(tool) for tool in tools] or None,
                    chat_template=_PLAIN_TEMPLATE if self.is_plain else None,
                    add_generation_prompt=True,
                    return_dict=False,
                    # Marks of the template in the output of programs and tests are data, and stay text.
                    sanitize_control_tokens=True,
                )
            except ValueError as error:
                raise ModelError(f"The prompt cannot be put into the model's tokens: {error}.") from error
        return tuple(tokens)

    def _require_tools(self) -> None:
        template = "" if self.is_plain else self.tokenizer.get_chat_template(tools=[{}])
        if not offers_tools(template):
            raise ToolsUnsupported(
                "The model's chat template takes no tools, or has calls written in a way that is not understood here.",
                remedy="Choose a strategy that needs none, such as react or reflect.",
            )


def to_turn(message: Message) -> dict[str, Any]:
    """A message as the turn that a chat template takes: calls with their arguments as an object, where they are one."""
    turn: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        turn["tool_calls"] = [_call(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        turn["tool_call_id"] = message.tool_call_id
    return turn


def _call(call: ToolCall) -> dict[str, Any]:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    function = {"name": call.name, "arguments": arguments if isinstance(arguments, dict) else call.arguments}
    return {"type": "function", "id": call.id, "function": function}


def fold_turns(turns: Sequence[_Turn]) -> list[_Turn]:
    """The conversation for templates without a system role, whose turns have to alternate."""
    kept: list[dict[str, Any]] = []
    for turn in turns:
        role = "user" if turn["role"] == "system" else turn["role"]
        if kept and kept[-1]["role"] == role and role != "tool":
            kept[-1]["content"] += "\n\n" + turn["content"]
        else:
            kept.append({**turn, "role": role})
    return list(kept)
