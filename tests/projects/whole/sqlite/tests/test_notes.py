import pytest

from notes.importer import import_lines
from notes.store import Store


@pytest.fixture
def store():
    store = Store()
    import_lines(store, ["* milk", "*** taxes", "", "** call Ann", "bread"])
    return store


def test_count(store):
    assert store.count() == 4


def test_the_best_come_first(store):
    assert store.best(2) == ["taxes", "call Ann"]


def test_all_by_stars(store):
    assert store.best(9) == ["taxes", "call Ann", "milk", "bread"]


def test_starred(store):
    assert store.starred(2) == ["call Ann", "taxes"]


def test_a_file_keeps_them(tmp_path):
    Store(tmp_path / "notes.db").add("x")
    assert Store(tmp_path / "notes.db").count() == 1
