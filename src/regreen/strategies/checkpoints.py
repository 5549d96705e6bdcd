"""How far repairs have come, in LangGraph's SQLite checkpointer: what was paid for is not asked for again.

LangGraph would keep every step itself, from a thread of its own that is handed each: with many repairs at once that
took as long as all else that a strategy does. A strategy's state is plain data and says which node it has left, so
it is put there when something was added that cost anything, and a graph is entered behind that node.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from regreen.errors import RunStorageError
from regreen.strategies.state import State

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

LATEST = "latest"
"""The name of a repair's checkpoint: each takes the place of the one before."""


class Checkpoints:
    """The last state of each repair that is under way; may be used from several threads."""

    def __init__(self, saver: SqliteSaver) -> None:
        from langgraph.checkpoint.base import empty_checkpoint

        self._saver = saver
        self._empty = {**empty_checkpoint(), "id": LATEST}

    def kept(self, scope: str) -> State | None:
        """Where a repair that was killed stood, if it was. Raises RunStorageError, as all else here."""
        with _in_our_words():
            found = self._saver.get_tuple(_place(scope))
        return None if found is None else cast("State", found.checkpoint["channel_values"])

    def keep(self, scope: str, state: State) -> None:
        """Put a state in the place of the repair's last one."""
        checkpoint: Any = {**self._empty, "channel_values": dict(state)}
        with _in_our_words():
            self._saver.put(_place(scope), checkpoint, {}, {})

    def drop(self, scope: str) -> None:
        """Forget a repair that has stopped."""
        with _in_our_words():
            self._saver.delete_thread(scope)


@contextlib.contextmanager
def open_checkpoints(path: Path) -> Iterator[Checkpoints]:
    """The checkpoints in a file, for the block, held to plain data: nothing that is read back may be an object."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite import SqliteSaver

    # Each statement is a change of its own: what LangGraph puts in one is one already.
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        # A process that is killed loses nothing by this; a machine that loses power loses a few steps of a repair.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        yield Checkpoints(SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None)))


def paid_for(state: State) -> tuple[int, int, int]:
    """How much of a state cost something: requests, candidates that a search tried, whole seconds of running checks.

    What the checks said in an instant is not worth a place on the disk: they say it again.
    """
    return len(state["turns"]), state["screened"], int(state["seconds"].get("execute", 0.0))


def _place(scope: str) -> Any:
    return {"configurable": {"thread_id": scope, "checkpoint_ns": ""}}


@contextlib.contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise RunStorageError(f"how far the repair came cannot be kept: {error}.") from error
