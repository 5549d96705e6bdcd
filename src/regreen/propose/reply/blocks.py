"""Cuts a reply into its thoughts, its answer, and the fenced blocks and JSON in them that may be code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from regreen.propose.edits.loose_json import begins_with_json, read_json

_THOUGHT: Final = re.compile(
    r"<(/?)(?:think|thinking|thought|thoughts|reasoning|analysis|scratchpad|reflection)>|\[(/?)THINK\]", re.IGNORECASE
)
_SPECIAL: Final = re.compile(r"<[|\uff5c][^|\uff5c<>\n]{1,40}[|\uff5c]>|</?s>[ \t]*$", re.MULTILINE)
_FENCE: Final = re.compile(r"([ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)")
_TAG: Final = re.compile(r"[ \t{.]*([\w+#-]*)")
_CODE_TAG: Final = re.compile(
    r"[ \t]*(?:python[\w.]*|py\d?)?[ \t]*((?:async[ \t]|def[ \t]|class[ \t]|from[ \t]|import[ \t]|@).*)"
)
_WRAPPER: Final = re.compile(
    r"</?(?:code|pre|answer|solution|python|output|response|result|fix|function|program|final|patch)(?:\s[^<>\n]{0,100})?>"
    r"|\[/?(?:PYTHON|ANSWER|CODE|SOLUTION|INST|FIX)\]|`{3,}\w*|~{3,}\w*|<!\[CDATA\[|\]\]>",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(r"\\.|\"\"\"|'''|\"|'|#")
_LOOKAHEAD_LINES: Final = 400
"""Lines that are searched for the end of a string that holds a fence."""


MAX_JSON_DEPTH: Final = 2
"""How often JSON may be nested around code."""
_CODE_KEYS: Final = (
    *("code", "solution", "program", "fixed_code", "corrected_code", "new_code", "source", "function", "python"),
    *("implementation", "fix", "fixed", "answer", "completion", "content", "output", "result", "arguments", "response"),
)


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of a reply that may be code."""

    text: str
    tag: str = ""
    number: int = 0
    """Number of the block in its reply, from 1; 0 for text that is not fenced."""
    closed: bool = True
    """Whether its fence is closed; code in an open one may be cut off."""


def answer_of(text: str) -> tuple[str, str]:
    """The answer and the thoughts (as in `<think>`) of a reply; a thought without an end tag lasts to the end."""
    text = _SPECIAL.sub("\n", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    answer: list[str] = []
    thoughts: list[str] = []
    at, thinking = 0, False
    for tag in _THOUGHT.finditer(text):
        ends = bool(tag.group(1) or tag.group(2))
        piece = text[at : tag.start()]
        if ends and not thinking:
            thoughts.extend([*answer, piece])
            answer = []
        else:
            (thoughts if thinking else answer).append(piece)
        at, thinking = tag.end(), not ends
    (thoughts if thinking else answer).append(text[at:])
    return "".join(answer), "\n".join(thoughts)


def unwrapped(text: str) -> str:
    """The text with a line break in the place of each fence and of each tag around code."""
    return _WRAPPER.sub("\n", text)


def fenced_blocks(text: str) -> list[Block]:
    """The fenced blocks of an answer, in order, without the indentation of their fences."""
    lines = text.split("\n")
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None or (opening.group(2)[0] == "`" and "`" in opening.group(3)):
            at += 1
            continue
        end, tail = _end_of(lines, at + 1, opening.group(2))
        content = [*_code_in_tag(opening.group(3)), *_unindented(lines[at + 1 : end], opening.group(1)), *tail]
        tag = _TAG.match(opening.group(3))
        closed = end < len(lines)
        blocks.append(Block("\n".join(content), tag.group(1).lower() if tag else "", len(blocks) + 1, closed))
        at = end if closed and not tail and _has_tag(lines[end]) else end + 1
    return blocks


def _code_in_tag(info: str) -> list[str]:
    """Code in the line of the opening fence itself."""
    found = _CODE_TAG.fullmatch(info)
    return [found.group(1)] if found else []


def _end_of(lines: Sequence[str], first: int, fence: str) -> tuple[int, list[str]]:
    """The line that ends a block, and the code before the fence in that line."""
    inside, ahead = "", first
    for at in range(first, len(lines)):
        line = lines[at]
        found = _FENCE.match(line)
        if found and found.group(2).startswith(fence):
            if inside and at >= ahead:
                ahead = _fence_outside(lines, at, inside, fence)
            if not inside or at >= ahead:
                return at, []
        if not inside and line.rstrip().endswith(fence) and not found and "`" not in line.rstrip()[: -len(fence)]:
            return at, [line.rstrip()[: -len(fence)]]
        inside = _string_after(line, inside)
    return len(lines), []


def _has_tag(line: str) -> bool:
    """Whether a fence has a tag, so that it begins a block rather than ending one."""
    found = _FENCE.match(line)
    return bool(found and found.group(3).strip())


def _fence_outside(lines: Sequence[str], at: int, inside: str, fence: str) -> int:
    """The next line that ends the block outside of the string that is open; 0 where there is none."""
    for index in range(at, min(at + _LOOKAHEAD_LINES, len(lines))):
        found = _FENCE.match(lines[index])
        if found and found.group(2).startswith(fence) and not inside:
            return 0 if found.group(3).strip() else index
        inside = _string_after(lines[index], inside)
    return 0


def _string_after(line: str, inside: str) -> str:
    """The triple quote that is open after a line."""
    quote = inside
    for found in _QUOTE.finditer(line):
        mark = found.group()
        if quote:
            quote = "" if mark == quote else quote
        elif mark == "#":
            break
        elif mark[0] != "\\":
            quote = mark
    return quote if len(quote) == 3 else ""


def _unindented(lines: Sequence[str], lead: str) -> list[str]:
    """The lines without the quote marks and the indentation of their fence."""
    if ">" in lead:
        lines = [re.sub(r"^[ \t]*>[ ]?", "", line) for line in lines]
        lead = lead.replace(">", " ", 1)[2:]
    width = len(lead.expandtabs(4))
    first = next((line for line in lines if line.strip()), "")
    if not width or first[:width].strip():
        return list(lines)
    return [line[min(width, len(line) - len(line.lstrip(" \t"))) :] for line in lines]


def code_in_json(data: Any, depth: int = 0) -> str | None:
    """The code in a JSON value, found by the key under which models give it."""
    if isinstance(data, list) and data and all(isinstance(line, str) for line in data):
        return "\n".join(data)
    if isinstance(data, str):
        nested = read_json(data) if begins_with_json(data) else None
        return code_in_json(nested, depth + 1) if nested is not None and depth < MAX_JSON_DEPTH else data
    if isinstance(data, dict) and depth <= MAX_JSON_DEPTH:
        for key in _CODE_KEYS:
            if data.get(key) and (found := code_in_json(data[key], depth + 1)):
                return found
    return None
