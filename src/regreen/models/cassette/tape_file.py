"""Opens and creates tapes, which are SQLite files, and turns SQLite's errors into RunErrors."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from regreen.errors import RunError, RunStorageError

TAPE_SCHEMA = 1
TAPE_APPLICATION = 0x52475450
"""The application id that marks an SQLite file as a tape."""
BUSY_SECONDS = 10.0
"""Seconds to wait for another process that writes to the tape."""

_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE exchanges (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, model TEXT NOT NULL, request TEXT NOT NULL, reply TEXT, error TEXT
);
CREATE INDEX exchanges_by_key ON exchanges (key);
CREATE TABLE turns (
    scope TEXT NOT NULL, turn INTEGER NOT NULL, node TEXT NOT NULL, exchange INTEGER NOT NULL REFERENCES exchanges,
    PRIMARY KEY (scope, turn)
) WITHOUT ROWID;
PRAGMA application_id = {TAPE_APPLICATION};
PRAGMA user_version = {TAPE_SCHEMA};
COMMIT;
"""
_COLUMNS = "scope, turn, node, key, model, request, reply, error"
SELECT_ENTRY = f"SELECT {_COLUMNS} FROM main.turns JOIN main.exchanges ON id = exchange"
_KEEPING = f"""
CREATE TEMP VIEW kept AS {SELECT_ENTRY};
CREATE TEMP TRIGGER keep INSTEAD OF INSERT ON kept BEGIN
    DELETE FROM turns WHERE scope = NEW.scope AND turn > NEW.turn AND NEW.key <> (
        SELECT key FROM kept WHERE scope = NEW.scope AND turn = NEW.turn
    );
    DELETE FROM exchanges WHERE key = NEW.key AND id = (
        SELECT exchange FROM turns WHERE scope = NEW.scope AND turn = NEW.turn
    );
    DELETE FROM turns WHERE scope = NEW.scope AND turn = NEW.turn;
    INSERT INTO exchanges (key, model, request, reply, error)
    VALUES (NEW.key, NEW.model, NEW.request, NEW.reply, NEW.error);
    INSERT INTO turns (scope, turn, node, exchange) VALUES (NEW.scope, NEW.turn, NEW.node, last_insert_rowid());
END;
"""
"""Puts a turn in its place in one statement: with each statement Python gives up the GIL and has to regain it."""
KEEP_ENTRY = f"INSERT INTO kept ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_A_TAPE = "Give the cassette.sqlite of a run."


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection to a tape; with `write`, a missing tape is created. Raises RunError."""
    if not write and not path.exists():
        raise RunError(f"There is no tape {path}.", remedy="Give a run that asked a model.")
    if path.is_dir():
        raise RunError(f"{path} is a folder, not a tape.", remedy=_A_TAPE)
    address = f"{path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
    with as_run_errors(path):
        connection = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, path, write)
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def as_run_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors in the block into RunErrors with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(error, path) from error


def damaged_tape_error(path: Path, what: str) -> RunError:
    """The error for a tape that cannot be read, in whole or in part."""
    return RunError(f"{path} is damaged: {what}.", remedy="Move it away; what it held has to be asked again.")


def _prepare(connection: sqlite3.Connection, path: Path, write: bool) -> None:
    """Check that the file is a tape of today's schema; set up an empty file."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if empty and write and not (application or version):
        _make(connection)
    elif application != TAPE_APPLICATION:
        raise RunError(f"{path} is no tape of a run.", remedy=_A_TAPE)
    elif version != TAPE_SCHEMA:
        what = f"{path} has schema {version} of tapes, and this version of Regreen reads {TAPE_SCHEMA}."
        raise RunError(what, remedy="Use the version that wrote it.")
    if write:
        # Commits to a write-ahead log need not wait for the disk to outlive this process, and every one is whole.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(_KEEPING)


def _make(connection: sqlite3.Connection) -> None:
    try:
        connection.executescript(_TABLES)
    except sqlite3.OperationalError as error:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        # Another process may have made the same tables in the meantime.
        if "already exists" not in str(error):
            raise


def _explained(error: sqlite3.Error, path: Path) -> RunError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return RunError(f"{path} is in use by another process.", remedy="Wait until it has ended, then try again.")
    if code == sqlite3.SQLITE_NOTADB:
        return RunError(f"{path} is no tape of a run.", remedy=_A_TAPE)
    if code == sqlite3.SQLITE_CANTOPEN:
        return RunError(f"{path} cannot be opened: {error}.", remedy="Check the path and who may read and write there.")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY):
        remedy = "Make room or mend the disk, then run this again."
        return RunStorageError(f"{path} cannot be written: {error}.", remedy=remedy)
    return damaged_tape_error(path, str(error))
