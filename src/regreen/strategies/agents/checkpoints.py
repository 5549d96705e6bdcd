"""LangGraph's SQLite checkpointer, held to plain data: a killed repair goes on from its last step."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.errors import RunStorageError

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver


@contextlib.contextmanager
def open_checkpointer(path: Path) -> Iterator[SqliteSaver]:
    """A checkpointer on a file, for the block; it reads back plain data only, never an object."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    # In transactions: what a node wrote is kept as a whole or not at all. Of half of it, a graph would think that the
    # node has ended, and not know which one comes next.
    with contextlib.closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        # No fsync: a killed process loses nothing by it; a machine that loses power loses a few steps of a repair.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        yield SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))


@contextlib.contextmanager
def storage_errors() -> Iterator[None]:
    """Turn SQLite's errors in the block into RunStorageError."""
    try:
        yield
    except sqlite3.Error as error:
        raise RunStorageError(f"how far the repair came cannot be kept: {error}.") from error
