import pytest


def test_sort(names):
    assert names({}, "-name") == ["Dee", "Cid", "Bob", "Ann"]
    assert names({}, "address.city", "-age") == ["Cid", "Bob", "Dee", "Ann"]


def test_none_sorts_first(names):
    assert names({}, "age") == ["Cid", "Bob", "Ann", "Dee"]


def test_skip_and_limit(people):
    cursor = people.find().sort("name").skip(1).limit(2)
    assert [d["name"] for d in cursor] == ["Bob", "Cid"]
    assert len(cursor) == 2
    assert len(people.find().limit(0)) == 0
    with pytest.raises(ValueError):
        people.find().skip(-1)


def test_chaining_makes_new_cursors(people):
    base = people.find({"tags": "dev"})
    base.limit(1)
    assert len(base) == 2


def test_runs_late_and_again(people):
    cursor = people.find({"age": {"$gt": 35}})
    assert len(cursor) == 1
    people.insert({"name": "Eve", "age": 50})
    assert [d["name"] for d in cursor] == ["Dee", "Eve"]


def test_query_is_copied(people):
    query = {"name": {"$in": ["Ann"]}}
    cursor = people.find(query)
    query["name"]["$in"].append("Bob")
    assert len(cursor) == 1


def test_results_are_copies(people):
    people.find_one({"name": "Ann"})["tags"].append("x")
    people.find_one({"name": "Ann"}, fields=["tags"])["tags"].append("x")
    assert people.find_one({"name": "Ann"})["tags"] == ["admin", "dev"]


def test_fields(people):
    assert people.find_one({"name": "Ann"}, fields=["name", "address.city", "nope"]) == {
        "_id": 1, "name": "Ann", "address": {"city": "Oslo"},
    }


def test_distinct(people):
    assert people.find().distinct("tags") == ["admin", "dev"]
    assert people.find().distinct("age") == [None, 25, 31, 40]
    assert people.find().distinct("pets.kind") == ["cat", "dog"]


def test_first_of_none(people):
    assert people.find_one({"name": "Zoe"}) is None
