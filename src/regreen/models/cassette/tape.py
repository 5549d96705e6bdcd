"""The tape: an SQLite file that holds each reply before it is handed on, and survives a killed process."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from regreen.models.cassette.tape_file import KEEP_ENTRY, SELECT_ENTRY, as_run_errors, connect
from regreen.models.cassette.tape_json import EncodedRequest
from regreen.models.contract import Request

_ENTRIES_A_READ = 100
"""Entries fetched at a time, so that other threads get the connection in between."""


@dataclass(frozen=True, slots=True)
class TapeEntry:
    """One turn on the tape, with its request, reply or error as JSON."""

    scope: str
    turn: int
    node: str
    key: str
    model: str
    request: str
    reply: str | None
    """None where the turn ended in an error."""
    error: str | None


class Tape:
    """A connection to a tape that several threads may use."""

    def __init__(self, path: Path, *, write: bool) -> None:
        """Open the tape; with `write`, a missing one is created. Every method raises RunError for a tape that fails."""
        self.path = path
        self._write = write
        self._lock = threading.Lock()
        self._connection = connect(path, write=write)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self, request: Request, encode_request: EncodedRequest, model: str, *, reply: str | None = None, error: str = ""
    ) -> None:
        """Record a turn; it is on the tape when this returns.

        A turn with an equal request replaces the recorded one. One with a different request also cuts the scope's
        later turns off, though `reply_to` still finds their replies.
        """
        turn = (_storable(request.scope), request.turn, _storable(request.node))
        with self._used() as connection:
            connection.execute(
                KEEP_ENTRY, (*turn, encode_request.key, _storable(model), encode_request.text, reply, error or None)
            )

    def turn(self, scope: str, number: int) -> TapeEntry | None:
        """The entry of a turn; None where it is not on the tape."""
        row = self._row(f"{SELECT_ENTRY} WHERE scope = ? AND turn = ?", _storable(scope), number)
        return None if row is None else TapeEntry(*row)

    def reply_to(self, key: str) -> str | None:
        """The first reply to a request with this key, in any scope; None where there is none."""
        query = "SELECT reply FROM exchanges WHERE key = ? AND reply IS NOT NULL ORDER BY id LIMIT 1"
        return row[0] if (row := self._row(query, key)) is not None else None

    def length(self, scope: str) -> int:
        """The number of a scope's turns on the tape."""
        return self._number("SELECT count(*) FROM turns WHERE scope = ?", _storable(scope))

    def exchanges(self) -> int:
        """The number of requests on the tape, including those of turns that were cut off."""
        return self._number("SELECT count(*) FROM exchanges")

    def model(self) -> str:
        """The first recorded model; "" on an empty tape."""
        row = self._row("SELECT model FROM exchanges ORDER BY id LIMIT 1")
        return "" if row is None else str(row[0])

    def entries(self) -> Iterator[TapeEntry]:
        """All turns, by scope and number."""
        with self._used() as connection:
            cursor = connection.execute(f"{SELECT_ENTRY} ORDER BY scope, turn")
        while rows := self._some(cursor):
            yield from (TapeEntry(*row) for row in rows)

    def close(self) -> None:
        """Close the file; if no other process has it open, its write-ahead log is gone afterwards."""
        with self._lock:
            if self._write:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()

    def _row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with self._used() as connection:
            row: tuple[Any, ...] | None = connection.execute(query, values).fetchone()
            return row

    def _some(self, cursor: sqlite3.Cursor) -> list[Any]:
        with self._used():
            return cursor.fetchmany(_ENTRIES_A_READ)

    def _number(self, query: str, *values: object) -> int:
        row = self._row(query, *values)
        return 0 if row is None else int(row[0])

    @contextlib.contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time."""
        with self._lock, as_run_errors(self.path):
            yield self._connection


def _storable(text: str) -> str:
    """Text that SQLite can store: lone surrogates are escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
