import pytest

from stockbook import connect, transaction
from stockbook.db import SCHEMA, migrate, schema_version


@pytest.fixture
def db():
    connection = connect()
    connection.execute("CREATE TABLE t (x)")
    yield connection
    connection.close()


def rows(db):
    return [row["x"] for row in db.execute("SELECT x FROM t ORDER BY x")]


def insert(db, x):
    db.execute("INSERT INTO t VALUES (?)", (x,))


def test_schema_is_current(db):
    assert schema_version(db) == len(SCHEMA)
    assert migrate(db) == 0


def test_reopening_a_file_keeps_data(tmp_path):
    path = tmp_path / "stock.db"
    first = connect(path)
    first.execute("INSERT INTO product (sku, name) VALUES ('A', 'a')")
    first.close()
    second = connect(path)
    assert second.execute("SELECT COUNT(*) FROM product").fetchone()[0] == 1
    second.close()


def test_commit(db):
    with transaction(db):
        insert(db, 1)
    assert not db.in_transaction
    assert rows(db) == [1]


def test_rollback(db):
    with pytest.raises(ZeroDivisionError):
        with transaction(db):
            insert(db, 1)
            1 / 0
    assert not db.in_transaction
    assert rows(db) == []


def test_nested_rollback_keeps_outer_work(db):
    with transaction(db):
        insert(db, 1)
        with pytest.raises(ZeroDivisionError):
            with transaction(db):
                insert(db, 2)
                1 / 0
        insert(db, 3)
    assert rows(db) == [1, 3]


def test_outer_rollback_undoes_nested_work(db):
    with pytest.raises(ZeroDivisionError):
        with transaction(db):
            with transaction(db):
                insert(db, 1)
            1 / 0
    assert rows(db) == []
