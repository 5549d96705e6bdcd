import pytest

from dustbox import UpdateError


@pytest.mark.parametrize(
    "update, field, expected",
    [
        ({"$inc": {"new": 2}}, "new", 2),
        ({"$min": {"n": 3}}, "n", 3),
        ({"$max": {"n": 30}}, "n", 30),
        ({"$rename": {"n": "m"}}, "m", 5),
        ({"$push": {"l": {"$each": [3, 1]}}}, "l", [1, 2, 1, 3, 1]),
        ({"$addToSet": {"l": {"$each": [2, 4, 4]}}}, "l", [1, 2, 1, 4]),
        ({"$pull": {"l": 1}}, "l", [2]),
        ({"$pull": {"l": {"$gte": 2}}}, "l", [1, 1]),
        ({"$pop": {"l": -1}}, "l", [2, 1]),
        ({"$set": {"l.1": "x"}}, "l", [1, "x", 1]),
    ],
)
def test_operators(db, update, field, expected):
    db["x"].insert({"n": 5, "l": [1, 2, 1]})
    assert db["x"].update({}, update) == 1
    assert db["x"].find_one()[field] == expected


def test_unset(people):
    people.update({"name": "Ann"}, {"$unset": {"address.city": "", "nope.x": ""}})
    assert people.find_one({"name": "Ann"})["address"] == {}


def test_replace_keeps_id(people):
    people.update({"name": "Ann"}, {"name": "Anna"})
    assert people.find_one({"_id": 1}) == {"_id": 1, "name": "Anna"}


def test_unchanged_documents_do_not_count(people):
    assert people.update({}, {"$set": {"age": 25}}) == 3
    assert people.update({}, {"$set": {"age": 25}}) == 0


def test_only_one(people):
    assert people.update({"tags": "dev"}, {"$set": {"x": 1}}, many=False) == 1
    assert people.count({"x": 1}) == 1


def test_values_are_not_shared(people):
    value = {"v": []}
    people.update({}, {"$set": {"shared": value}})
    people.update({"name": "Ann"}, {"$push": {"shared.v": 1}})
    assert people.find_one({"name": "Bob"})["shared"] == {"v": []}
    assert value == {"v": []}


def test_failed_update_changes_nothing(people):
    with pytest.raises(UpdateError):
        people.update({"name": "Ann"}, {"$set": {"age": 1}, "$push": {"name": 1}})
    assert people.find_one({"name": "Ann"})["age"] == 31


@pytest.mark.parametrize("update", [
    {"$set": {"_id": 9}}, {"$nope": {"a": 1}}, {"$set": {"a": 1}, "b": 2},
    {"$inc": {"name": 1}}, {"$set": {"name.x": 1}},
])
def test_errors(people, update):
    with pytest.raises(UpdateError):
        people.update({"name": "Ann"}, update)


def test_upsert(people):
    query = {"name": "Eve", "age": {"$gt": 3}}
    assert people.update(query, {"$set": {"age": 4}}, upsert=True) == 1
    assert people.find_one({"name": "Eve"}) == {"_id": 5, "name": "Eve", "age": 4}
    people.update(query, {"$inc": {"age": 1}}, upsert=True)
    assert people.count({"name": "Eve"}) == 1
