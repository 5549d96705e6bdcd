"""All that a page shows of one task once it is opened: the texts of its samples, each kept once, cut and packed."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from regreen.report.diffs import blocks
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

MAX_TEXT = 200_000
"""Characters of one text."""
_MAX_CHECKS = 500
_MAX_ATTEMPTS = 200
_MAX_TASK = 16_000_000
"""Characters of all texts of a task."""

Line = Mapping[str, Any]


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
        shown = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n[{len(text):,} characters, cut]"
        if shown not in self._numbers:
            self._numbers[shown] = len(self.all)
            self.all.append(shown)
            self.size += len(shown)
        return self._numbers[shown]


def packed_details(runs: Sequence[Iterable[Line]]) -> bytes:
    """The details of a task in each of several runs, a line a sample: JSON, deflated, as base64.

    Samples beyond what a task may take are null.
    """
    texts = Texts()
    told = [[_sample(line, texts) if line and texts.size < _MAX_TASK else None for line in lines] for lines in runs]
    content = json.dumps({"texts": texts.all, "runs": told}, separators=(",", ":")).encode("ascii")
    return base64.b64encode(zlib.compress(content, 6))


def _sample(line: Line, texts: Texts) -> dict[str, Any]:
    before, after = _source(line, "buggy_source"), _source(line, "final_source")
    both = before is not None and after is not None
    told = {
        "before": texts.number(before or ""),
        "after": None if after is None else texts.number(after),
        "blocks": blocks(before, after) if before is not None and after is not None else None,
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


def _source(line: Line, name: str) -> str | None:
    source = line.get(name)
    return source[:MAX_TEXT] if isinstance(source, str) else None


def _facts(line: Line) -> dict[str, Any]:
    """What is shown as it is: numbers and short words."""
    counts = ("seed", "checks_passed", "checks_total", "extra_passed", "extra_total", "candidates", "duplicates")
    words = ("isolation", "candidate_id")
    return (
        {name: count_field(line, name) for name in counts}
        | {name: text_field(line, name)[:100] or None for name in words}
        | {name: truth_field(line, name) for name in ("plausible", "robust")}
        | {"prompt": count_field(object_field(line, "token_usage"), "prompt")}
        | {"completion": count_field(object_field(line, "token_usage"), "completion")}
        | {"exit": _exit_code(line)}
    )


def _exit_code(line: Line) -> int | None:
    code = line.get("exit_code")
    return code if isinstance(code, int) and abs(code) < 1 << 31 else None


def _error(error: Line, texts: Texts) -> dict[str, Any] | None:
    if not error:
        return None
    return {"kind": text_field(error, "kind", "unknown")[:200], "message": texts.number(text_field(error, "message"))}


def _checks(line: Line, texts: Texts) -> list[list[Any]]:
    """The checks; of a judged sample the one that failed first."""
    failed = object_field(line, "failed_check")
    found = object_list_field(line, "checks") or ([failed] if failed else [])
    return [
        [
            texts.number(text_field(check, "id")),
            text_field(check, "outcome", "unknown")[:40],
            *(texts.number(text_field(check, name)) for name in ("expected", "actual", "detail")),
        ]
        for check in found[:_MAX_CHECKS]
    ]


def _attempt(attempt: Line, texts: Texts) -> dict[str, Any]:
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


def _turn(turn: Line, texts: Texts) -> dict[str, Any]:
    told = {
        "number": count_field(turn, "number"),
        "node": text_field(turn, "node")[:100],
        "iteration": count_field(turn, "iteration"),
        "temperature": number_field(turn, "temperature"),
        "prompt": texts.number(text_field(turn, "prompt")),
        "reply": texts.number(text_field(turn, "reply")),
        "reasoning": texts.number(text_field(turn, "reasoning")),
        "fault": texts.number(text_field(turn, "fault")),
        "id": text_field(turn, "candidate_id")[:100],
        "in": count_field(turn, "prompt_tokens"),
        "out": count_field(turn, "completion_tokens"),
        "thought": count_field(turn, "reasoning_tokens"),
        "usd": number_field(turn, "usd"),
        "seconds": number_field(turn, "seconds"),
    }
    return {name: value for name, value in told.items() if value not in (None, "")}


def _nodes(line: Line) -> dict[str, list[int]]:
    """Tokens of prompts and replies by the node that asked."""
    nodes = object_field(object_field(line, "token_usage"), "by_node")
    return {
        name[:100]: [count_field(of, "prompt") or 0, count_field(of, "completion") or 0]
        for name, of in list(nodes.items())[:50]
        if isinstance(of, dict)
    }
