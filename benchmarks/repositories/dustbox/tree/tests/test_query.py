import re

import pytest

from dustbox import QueryError


@pytest.mark.parametrize(
    "query, expected",
    [
        ({"address.city": "Oslo"}, "Ann Dee"),
        ({"tags": "dev"}, "Ann Bob"),
        ({"tags": ["dev"]}, "Bob"),
        ({"age": {"$gte": 25, "$lt": 40}}, "Ann Bob"),
        ({"tags": {"$all": ["dev", "admin"]}}, "Ann"),
        ({"tags": {"$exists": False}}, "Dee"),
        ({"address": None}, "Cid"),
        ({"name": re.compile("E", re.I)}, "Dee"),
        ({"age": {"$not": {"$gt": 30}}}, "Bob Cid"),
        ({"pets": {"$elemMatch": {"kind": "cat", "age": {"$gt": 5}}}}, ""),
        ({"$or": [{"age": 25}, {"name": "Dee"}]}, "Bob Dee"),
        ({"$and": [{"tags": "dev"}, {"tags": "admin"}], "age": 31}, "Ann"),
    ],
)
def test_find(names, query, expected):
    assert " ".join(names(query)) == expected


def test_true_is_not_one(db):
    db["x"].insert_many([{"v": 1}, {"v": True}, {"v": 1.0}])
    assert [d["_id"] for d in db["x"].find({"v": 1})] == [1, 3]
    assert [d["_id"] for d in db["x"].find({"v": True})] == [2]


@pytest.mark.parametrize("query", [{"$xor": []}, {"a": {"$like": "x"}}, {"name": {"$in": "Ann"}}, {"name": {"$regex": "("}}])
def test_errors(people, query):
    with pytest.raises(QueryError):
        people.find(query).to_list()
