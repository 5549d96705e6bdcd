"""The details of one task on a page: the texts of its samples, each stored once, cut to a limit and compressed."""

from __future__ import annotations

import base64
import difflib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from regreen.evaluate.transcript import messages_of
from regreen.report.record_fields import (
    count_field,
    number_field,
    number_map_field,
    object_field,
    object_list_field,
    text_field,
    text_list_field,
    truth_field,
)

_MAX_TEXT = 200_000
"""Characters of one text; a longer one is cut."""
_MAX_CHECKS = 500
_MAX_ATTEMPTS = 200
_MAX_TASK = 16_000_000

_MOST_WORK = 1_000_000
"""Pairs of lines to compare at most; a greater change becomes one replaced block."""

_DiffBlock = tuple[str, int, int, int, int]
"""Equal ("=") or replaced ("~"), then first and end line in the old text and in the new one, from 0, ends excluded."""

_Record = Mapping[str, Any]


class Texts:
    """Texts by number: equal ones, such as the prompts of several samples, are kept once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.size = 0
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int | None:
        """The text's number; None for an empty one."""
        if not text:
            return None
        shown = text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}\n[{len(text):,} characters, cut]"
        if shown not in self._numbers:
            self._numbers[shown] = len(self.all)
            self.all.append(shown)
            self.size += len(shown)
        return self._numbers[shown]


def packed_details(runs: Sequence[Iterable[_Record]], *, characters: int = _MAX_TASK) -> bytes:
    """The details of a task in each of several runs, a line a sample: JSON, deflated, as base64.

    Once all texts of the task have so many characters, later samples are null.
    """
    texts = Texts()
    told = [[_sample(line, texts) if line and texts.size < characters else None for line in lines] for lines in runs]
    content = json.dumps({"texts": texts.all, "runs": told}, separators=(",", ":")).encode("ascii")
    return base64.b64encode(zlib.compress(content, 6))


def _sample(line: _Record, texts: Texts) -> dict[str, Any]:
    before, after = _source(line, "buggy_source"), _source(line, "final_source")
    both = before is not None and after is not None
    told = {
        "before": texts.number(before or ""),
        "after": None if after is None else texts.number(after),
        "blocks": diff_blocks(before, after) if before is not None and after is not None else None,
        "diff": None if both else texts.number(text_field(line, "diff")),
        "why": texts.number(text_field(line, "explanation")),
        "detail": texts.number(text_field(line, "detail")),
        "stdout": texts.number(text_field(line, "stdout")),
        "stderr": texts.number(text_field(line, "stderr")),
        "error": _error(object_field(line, "error"), texts),
        "checks": _checks(line, texts),
        "attempts": [_attempt(attempt, texts) for attempt in object_list_field(line, "attempts")[-_MAX_ATTEMPTS:]],
        "turns": [_turn(turn, texts) for turn in object_list_field(line, "turns")[-_MAX_ATTEMPTS:]],
        "timings": number_map_field(line, "timings_sec"),
        "nodes": _nodes(line),
        "flaky": [name[:200] for name in text_list_field(line, "flaky")[:_MAX_CHECKS]],
        **_facts(line),
    }
    return {name: value for name, value in told.items() if value not in (None, [], {})}


def _source(line: _Record, name: str) -> str | None:
    source = line.get(name)
    return source[:_MAX_TEXT] if isinstance(source, str) else None


def _facts(line: _Record) -> dict[str, Any]:
    """Numbers and short words, shown as they are."""
    counts = ("seed", "checks_passed", "checks_total", "extra_passed", "extra_total", "candidates", "duplicates")
    words = ("isolation", "candidate_id", "no_wall")
    return (
        {name: count_field(line, name) for name in counts}
        | {name: text_field(line, name)[:200] or None for name in words}
        | {name: truth_field(line, name) for name in ("plausible", "robust")}
        | {"prompt": count_field(object_field(line, "token_usage"), "prompt")}
        | {"completion": count_field(object_field(line, "token_usage"), "completion")}
        | {"exit": _exit_code(line)}
    )


def _exit_code(line: _Record) -> int | None:
    code = line.get("exit_code")
    return code if isinstance(code, int) and abs(code) < 1 << 31 else None


def _error(error: _Record, texts: Texts) -> dict[str, Any] | None:
    if not error:
        return None
    return {"kind": text_field(error, "kind", "unknown")[:200], "message": texts.number(text_field(error, "message"))}


def _checks(line: _Record, texts: Texts) -> list[list[Any]]:
    """The checks; of a judged sample only the first that failed."""
    failed = object_field(line, "failed_check")
    found = object_list_field(line, "checks") or ([failed] if failed else [])
    return [
        [
            texts.number(text_field(check, "id")),
            text_field(check, "outcome", "unknown")[:40],
            *(texts.number(text_field(check, name)) for name in ("expected", "actual", "detail", "code")),
        ]
        for check in found[:_MAX_CHECKS]
    ]


def _attempt(attempt: _Record, texts: Texts) -> dict[str, Any]:
    told = {
        "id": text_field(attempt, "candidate_id")[:100],
        "origin": text_field(attempt, "origin")[:200],
        "outcome": text_field(attempt, "outcome")[:40],
        "passed": count_field(attempt, "checks_passed"),
        "total": count_field(attempt, "checks_total"),
        "detail": texts.number(text_field(attempt, "detail")),
        "note": texts.number(text_field(attempt, "note")),
        "source": texts.number(text_field(attempt, "source")),
        "seconds": number_field(attempt, "seconds"),
        "turn": count_field(attempt, "turn"),
    }
    return {name: value for name, value in told.items() if value not in (None, "")}


def _turn(turn: _Record, texts: Texts) -> dict[str, Any]:
    told = {
        "number": count_field(turn, "number"),
        "node": text_field(turn, "node")[:100],
        "iteration": count_field(turn, "iteration"),
        "temperature": number_field(turn, "temperature"),
        "prompt": [[message.role, texts.number(message.text)] for message in messages_of(text_field(turn, "prompt"))],
        "reply": texts.number(text_field(turn, "reply")),
        "reasoning": texts.number(text_field(turn, "reasoning")),
        "fault": texts.number(text_field(turn, "fault")),
        "faultDetail": texts.number(text_field(turn, "fault_detail")),
        "finish": text_field(turn, "finish")[:40],
        "id": text_field(turn, "candidate_id")[:100],
        "in": count_field(turn, "prompt_tokens"),
        "out": count_field(turn, "completion_tokens"),
        "thought": count_field(turn, "reasoning_tokens"),
        "usd": number_field(turn, "usd"),
        "seconds": number_field(turn, "seconds"),
    }
    return {name: value for name, value in told.items() if value not in (None, "")}


def _nodes(line: _Record) -> dict[str, list[int]]:
    """Tokens of prompts and replies by the node that asked."""
    nodes = object_field(object_field(line, "token_usage"), "by_node")
    return {
        name[:100]: [count_field(of, "prompt") or 0, count_field(of, "completion") or 0]
        for name, of in list(nodes.items())[:50]
        if isinstance(of, dict)
    }


def diff_blocks(before: str, after: str) -> list[_DiffBlock]:
    """The blocks of lines, in order, that turn `before` into `after`; "\\n" alone ends a line."""
    old, new = before.split("\n"), after.split("\n")
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    middle = _middle(old[start : len(old) - end], new[start : len(new) - end], start)
    found = [("=", 0, start, 0, start), *middle, ("=", len(old) - end, len(old), len(new) - end, len(new))]
    return [block for block in found if block[1] < block[2] or block[3] < block[4]]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines are the same at the beginning."""
    for place, (one, two) in enumerate(zip(old, new, strict=False)):
        if one != two:
            return place
    return min(len(old), len(new))


def _middle(old: Sequence[str], new: Sequence[str], start: int) -> Iterator[_DiffBlock]:
    if len(old) * len(new) > _MOST_WORK:
        yield "~", start, start + len(old), start, start + len(new)
        return
    for tag, i, j, k, m in difflib.SequenceMatcher(None, old, new).get_opcodes():
        yield "=" if tag == "equal" else "~", start + i, start + j, start + k, start + m
