"""Connection, schema, and nested transactions."""

import sqlite3
from contextlib import contextmanager

SCHEMA = [
    """
    CREATE TABLE product (
        id INTEGER PRIMARY KEY,
        sku TEXT NOT NULL UNIQUE COLLATE NOCASE,
        name TEXT NOT NULL,
        unit TEXT NOT NULL DEFAULT 'pc',
        reorder_point INTEGER NOT NULL DEFAULT 0,
        active INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE movement (
        id INTEGER PRIMARY KEY,
        product_id INTEGER NOT NULL REFERENCES product (id),
        location TEXT NOT NULL,
        kind TEXT NOT NULL,
        quantity INTEGER NOT NULL,
        unit_cost INTEGER NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        moved_at TEXT NOT NULL
    );
    CREATE INDEX movement_product ON movement (product_id, moved_at);
    """,
    """
    CREATE TABLE reservation (
        id INTEGER PRIMARY KEY,
        product_id INTEGER NOT NULL REFERENCES product (id),
        quantity INTEGER NOT NULL,
        reference TEXT NOT NULL,
        released INTEGER NOT NULL DEFAULT 0,
        UNIQUE (product_id, reference)
    );
    """,
]


def connect(path=":memory:"):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    migrate(connection)
    return connection


def schema_version(connection):
    return connection.execute("PRAGMA user_version").fetchone()[0]


def migrate(connection):
    """Bring the schema up to date; returns the number of steps applied."""
    current = schema_version(connection)
    for number, script in enumerate(SCHEMA[current:], current + 1):
        connection.executescript(script)
        connection.execute(f"PRAGMA user_version = {number}")
    return len(SCHEMA) - current


@contextmanager
def transaction(connection):
    """Commit on success, roll back on error; may be nested."""
    if not connection.in_transaction:
        connection.execute("BEGIN")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        return
    connection.execute("SAVEPOINT nested")
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK TO nested")
        connection.execute("RELEASE nested")
        raise
    connection.execute("RELEASE nested")
