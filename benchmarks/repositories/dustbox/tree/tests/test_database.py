import json
from datetime import date, datetime

import pytest

from dustbox import Database, StoreError


def test_collections(db):
    db["b"], db["a"]
    assert db.names() == ["a", "b"]
    assert "a" in db and "c" not in db
    db.drop("a")
    assert db.names() == ["b"]


def test_rename(db, people):
    db.rename("people", "folk")
    assert db["folk"] is people
    assert people.name == "folk"
    db["x"]
    with pytest.raises(StoreError, match="already"):
        db.rename("folk", "x")
    with pytest.raises(StoreError, match="no collection"):
        db.rename("nope", "y")


def test_round_trip(db, people, tmp_path):
    people.create_index("age", ordered=True)
    people.insert({"name": "Åse", "born": date(1990, 2, 3), "seen": datetime(2024, 1, 2, 3, 4)})
    path = tmp_path / "store.jsonl"
    db.dump(path)
    other = Database.load(path)
    assert other["people"].find().to_list() == people.find().to_list()
    assert other["people"].indexes() == people.indexes()
    assert "Åse" in path.read_text(encoding="utf-8")


def test_ids_go_on_after_load(db, people, tmp_path):
    db.dump(tmp_path / "s")
    assert Database.load(tmp_path / "s")["people"].insert({}) == 5


def test_failed_dump_keeps_the_file(db, tmp_path):
    path = tmp_path / "s"
    db["a"].insert({"v": 1})
    db.dump(path)
    before = path.read_bytes()
    db["a"].insert({"v": object()})
    with pytest.raises(TypeError, match="cannot store object"):
        db.dump(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


@pytest.mark.parametrize("text, message", [("{", ":1: "), ("\n" + json.dumps({"doc": {}}), ":2: document without")])
def test_bad_files(tmp_path, text, message):
    path = tmp_path / "s"
    path.write_text(text)
    with pytest.raises(StoreError, match=message):
        Database.load(path)
