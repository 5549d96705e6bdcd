"""Describes how a request differs from the one recorded in its place."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from regreen.errors import TapeDrift
from regreen.models.contract import Request

_MAX_PROMPT_LINES = 2000
"""Lines of each prompt that are compared, from the first that differs."""
_MAX_DIFF_CHARACTERS = 20_000
"""Characters of a diff in a message."""
_CONTEXT_LINES = 3
_MAX_VALUE_CHARACTERS = 60
"""Characters of a setting's value in a message."""

_Content = Mapping[str, Any]


def drift_error(request: Request, recorded: _Content, models: tuple[str, str] | None = None) -> TapeDrift:
    """The error for a request that differs from the recorded one; `models` are their models' names, if they count."""
    content = json.loads(json.dumps(request.content()))
    diff = _diff(recorded, content)
    changes = [f"model {models[0]} -> {models[1]}"] if models and models[0] != models[1] else []
    changes += ["the prompt differs"] if diff else []
    changes += _others(recorded, content)
    differences = "; ".join(changes) or "its form differs"
    message = f"Turn {request.turn} of {request.scope} is not what was recorded: {differences}."
    return TapeDrift(f"{message}\n{diff}\n" if diff else message, diff=diff, remedy=_remedy(request))


def missing_turn_error(request: Request, length: int) -> TapeDrift:
    """The error for a turn that is not on the tape; `length` is the number of its scope's turns that are."""
    has = f"which has {length} of its turns" if length else "nor is any other of its turns"
    return TapeDrift(f"Turn {request.turn} of {request.scope} is not on the tape, {has}.", remedy=_remedy(request))


def _remedy(request: Request) -> str:
    live = f"go on live with --from {request.turn} --model NAME"
    return f"Replay with the version and settings of the recorded run, or {live}."


def _others(old: _Content, new: _Content) -> list[str]:
    """The settings that differ, as changes."""
    names = sorted((old.keys() | new.keys()) - {"messages"})
    return [_change(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)]


def _change(name: str, old: Any, new: Any) -> str:
    before, after = (_names(value) if name == "tools" else _short(value) for value in (old, new))
    return f"{name} {before} -> {after}" if before != after else f"{name} {before}, described differently"


def _names(tools: Any) -> str:
    return ", ".join(str(tool["name"]) for tool in tools or ()) or "none"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[:_MAX_VALUE_CHARACTERS]}..."


def _diff(old: _Content, new: _Content) -> str:
    before, after = list(_lines(old)), list(_lines(new))
    start = _same(before, after)
    start -= min(start, _CONTEXT_LINES)
    windows = (before[start : start + _MAX_PROMPT_LINES], after[start : start + _MAX_PROMPT_LINES])
    diff = difflib.unified_diff(*windows, "recorded", "asked now", n=_CONTEXT_LINES, lineterm="")
    text = "\n".join(islice(diff, 2 * _MAX_PROMPT_LINES))
    return (
        text if len(text) <= _MAX_DIFF_CHARACTERS else f"{text[:_MAX_DIFF_CHARACTERS]}\n[{len(text)} characters, cut]"
    )


def _same(before: list[str], after: list[str]) -> int:
    """How many first lines both have in common."""
    pairs = zip(before, after, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(before), len(after)))


def _lines(content: _Content) -> Iterator[str]:
    """The messages as lines of text."""
    for message in content.get("messages", ()):
        answered = message.get("tool_call_id")
        yield f"[{message['role']}{f' answers {answered}' if answered else ''}]"
        yield from message["content"].split("\n")
        for call in message.get("tool_calls", ()):
            yield f"[calls {call['name']} as {call['id']}]"
            yield from call["arguments"].split("\n")
