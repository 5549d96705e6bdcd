import pytest

from dustbox import Database

PEOPLE = [
    {"name": "Ann", "age": 31, "tags": ["admin", "dev"], "address": {"city": "Oslo"}},
    {"name": "Bob", "age": 25, "tags": ["dev"], "address": {"city": "Bergen"}},
    {"name": "Cid", "age": None, "tags": [], "pets": [{"kind": "cat", "age": 3}, {"kind": "dog", "age": 9}]},
    {"name": "Dee", "age": 40, "address": {"city": "Oslo"}},
]


@pytest.fixture
def db():
    return Database()


@pytest.fixture
def people(db):
    people = db["people"]
    people.insert_many(PEOPLE)
    return people


@pytest.fixture
def names(people):
    def run(query, *sort):
        return [doc["name"] for doc in people.find(query).sort(*sort)]
    return run
