"""Reads a tape: its turns for replays and reports, and its totals."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ModelError
from regreen.models.cassette.tape import Tape, TapeEntry
from regreen.models.cassette.tape_file import damaged_tape_error
from regreen.models.cassette.tape_json import decode_content, decode_error, decode_reply
from regreen.models.contract import Reply, Usage


@dataclass(frozen=True, slots=True)
class TapeRow:
    """One recorded turn."""

    scope: str
    turn: int
    node: str
    model: str
    content: Mapping[str, Any]
    """The request, as `Request.content`."""
    reply: Reply | None
    """None where the turn ended in an error."""
    error: ModelError | None
    """None where there was a reply."""


@dataclass(frozen=True, slots=True)
class TapeSummary:
    """Totals of a tape."""

    models: tuple[str, ...]
    scopes: int
    turns: int
    errors: int
    """Turns that ended in an error."""
    exchanges: int
    """Requests in all, including those of turns that were asked again differently."""
    usage: Usage
    usd: float | None
    """US dollars; None where the price of a reply is unknown."""


def tape_rows(path: Path) -> Iterator[TapeRow]:
    """Every turn on the tape, by scope and number. Raises RunError where it cannot be read."""
    with Tape(path, write=False) as tape:
        yield from (_row(entry, tape) for entry in tape.entries())


def tape_summary(path: Path) -> TapeSummary:
    """The totals of a tape. Raises RunError where it cannot be read."""
    with Tape(path, write=False) as tape:
        rows = [_row(entry, tape) for entry in tape.entries()]
        exchanges = tape.exchanges()
    replies = [row.reply for row in rows if row.reply is not None]
    prices = [reply.usd for reply in replies]
    return TapeSummary(
        models=tuple(sorted({row.model for row in rows})),
        scopes=len({row.scope for row in rows}),
        turns=len(rows),
        errors=len(rows) - len(replies),
        exchanges=exchanges,
        usage=_total([reply.usage for reply in replies]),
        usd=None if None in prices else sum(price or 0.0 for price in prices),
    )


def recorded_reply(text: str, path: Path) -> Reply:
    """The reply in the text of a tape's entry. Raises RunError where the text holds none."""
    with _understood(path):
        return decode_reply(text)


def recorded_error(entry: TapeEntry, path: Path) -> ModelError:
    """The error in an entry of a tape. Raises RunError where the entry holds none."""
    with _understood(path):
        return decode_error(entry.error or "")


def recorded_content(entry: TapeEntry, path: Path) -> Mapping[str, Any]:
    """The request in an entry of a tape. Raises RunError where the entry holds none."""
    with _understood(path):
        return decode_content(entry.request)


def _row(entry: TapeEntry, tape: Tape) -> TapeRow:
    reply = None if entry.reply is None else recorded_reply(entry.reply, tape.path)
    error = recorded_error(entry, tape.path) if reply is None else None
    content = recorded_content(entry, tape.path)
    return TapeRow(entry.scope, entry.turn, entry.node, entry.model, content, reply, error)


@contextlib.contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise damaged_tape_error(path, f"an entry cannot be understood ({error})") from error


def _total(usages: list[Usage]) -> Usage:
    names = ("prompt", "completion", "reasoning", "cached")
    return Usage(**{name: sum(getattr(usage, name) for usage in usages) for name in names})
