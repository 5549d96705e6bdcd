"""Tools in chat templates: whether a template offers them, and the calls in a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from regreen.models.contract import ToolCall

_BEGINS = "<tool_call>"
_ENDS = "</tool_call>"
_OTHER_FORM = "<function="
_NAME = re.compile(r'"name"\s{0,20}:\s{0,20}"([^"\\]{1,100})"')


def offers_tools(template: str) -> bool:
    """Whether a chat template lists tools, and asks for calls as JSON between `<tool_call>` and `</tool_call>`."""
    return "tools" in template and _BEGINS in template and _OTHER_FORM not in template


def read_calls(text: str, tools: Sequence[str], *, first: int = 0) -> tuple[str, tuple[ToolCall, ...]]:
    """The text of a reply without its calls, and the calls, numbered from `first`; `tools` are the names on offer.

    A call that is not valid JSON has the model's own text as its arguments.
    """
    before, *parts = text.split(_BEGINS)
    said = [before]
    calls: list[ToolCall] = []
    for part in parts:
        inside, _, after = part.partition(_ENDS)
        calls.append(_call(inside.strip(), tools, f"call_{first + len(calls)}"))
        said.append(after)
    return "".join(said).strip() if calls else text, tuple(calls)


def _call(inside: str, tools: Sequence[str], id: str) -> ToolCall:
    try:
        value = json.loads(inside, strict=False)
    except (ValueError, RecursionError):
        found = _NAME.search(inside)
        name = found[1] if found else tools[0] if len(tools) == 1 else ""
        return ToolCall(id, name, inside)
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return ToolCall(id, tools[0] if len(tools) == 1 else "", inside)
    arguments = value.get("arguments", {})
    return ToolCall(id, value["name"], arguments if isinstance(arguments, str) else json.dumps(arguments))
