import pytest

from dustbox import DuplicateKey, StoreError


@pytest.fixture
def indexed(people):
    people.create_index("age", ordered=True)
    people.create_index("tags")
    return people


def test_candidates(indexed):
    assert indexed.candidates({"tags": "dev"}) == {1, 2}
    assert indexed.candidates({"name": "Ann"}) is None
    assert indexed.candidates({"age": {"$in": [25, 40]}}) == {2, 4}
    assert indexed.candidates({"age": {"$gt": 25}}) == {1, 4}
    assert indexed.candidates({"age": {"$gte": 25}}) == {1, 2, 4}
    assert indexed.candidates({"age": {"$lt": 31}}) == {2}
    assert indexed.candidates({"age": {"$lte": 31}, "tags": "admin"}) == {1}


def test_missing_is_found_as_none(indexed):
    assert indexed.count({"tags": None}) == 1
    assert indexed.count({"age": None}) == 1


def test_update_moves_entries(indexed):
    indexed.update({"name": "Bob"}, {"$set": {"age": 60, "tags": ["ops"]}})
    assert indexed.candidates({"age": 25}) == set()
    assert indexed.candidates({"age": {"$gt": 50}}) == {2}
    assert indexed.candidates({"tags": "ops"}) == {2}
    assert indexed.candidates({"tags": "dev"}) == {1}


def test_delete(indexed):
    assert indexed.delete({"tags": "dev"}, many=False) == 1
    assert indexed.candidates({"tags": "dev"}) == {2}
    assert indexed.delete({}) == 3
    assert len(indexed) == 0
    assert indexed.candidates({"age": {"$gt": 0}}) == set()


def test_clear(indexed):
    indexed.clear()
    assert indexed.candidates({"tags": "dev"}) == set()
    assert indexed.candidates({"age": {"$gt": 0}}) == set()


class TestUnique:
    @pytest.fixture
    def users(self, db):
        users = db["users"]
        users.create_index("email", unique=True, sparse=True)
        users.insert({"email": "a@x"})
        return users

    def test_insert(self, users):
        with pytest.raises(DuplicateKey) as info:
            users.insert({"email": "a@x"})
        assert info.value.index == "email"
        assert len(users) == 1

    def test_update(self, users):
        users.insert({"email": "b@x"})
        with pytest.raises(DuplicateKey):
            users.update({"email": "b@x"}, {"$set": {"email": "a@x"}})
        assert users.count({"email": "b@x"}) == 1

    def test_update_of_another_field(self, users):
        assert users.update({"email": "a@x"}, {"$set": {"n": 1}}) == 1

    def test_freed_by_delete(self, users):
        users.delete({"email": "a@x"})
        assert users.insert({"email": "a@x"}) == 2

    def test_sparse(self, users):
        users.insert_many([{"n": 1}, {"n": 2}])
        assert users.count({"email": None}) == 2

    def test_failed_insert_leaves_no_trace(self, users):
        users.create_index("nick")
        with pytest.raises(DuplicateKey):
            users.insert({"email": "a@x", "nick": "al"})
        assert users.candidates({"nick": "al"}) == set()

    def test_existing_duplicates(self, people):
        with pytest.raises(DuplicateKey):
            people.create_index("address.city", unique=True)
        assert people.indexes() == {}


def test_drop_index(indexed):
    indexed.drop_index("age")
    with pytest.raises(StoreError):
        indexed.drop_index("age")


def test_ids(db):
    c = db["c"]
    assert c.insert({"_id": 1}) == 1
    assert c.insert({}) == 2
    with pytest.raises(DuplicateKey):
        c.insert({"_id": 2})
    doc = {}
    c.insert(doc)
    assert doc == {}
