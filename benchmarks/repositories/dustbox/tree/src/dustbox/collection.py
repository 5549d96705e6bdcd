"""A named set of documents."""
import copy
import re
from itertools import count

from .cursor import Cursor
from .errors import DuplicateKey, StoreError
from .index import HashIndex, SortedIndex
from .query import is_operators, matches
from .update import apply_update


class Collection:
    def __init__(self, name):
        self.name = name
        self._docs = {}
        self._indexes = {}
        self._ids = count(1)

    def __len__(self):
        return len(self._docs)

    # -- indexes -------------------------------------------------------------
    def create_index(self, path, unique=False, sparse=False, ordered=False):
        kind = SortedIndex if ordered else HashIndex
        index = kind(path, unique, sparse)
        for doc in self._docs.values():
            index.check(doc)
            index.add(doc)
        self._indexes[path] = index
        return index

    def drop_index(self, path):
        if path not in self._indexes:
            raise StoreError(f"no index on {path}")
        del self._indexes[path]

    def indexes(self):
        return {
            path: {
                "unique": index.unique,
                "sparse": index.sparse,
                "ordered": isinstance(index, SortedIndex),
            }
            for path, index in self._indexes.items()
        }

    def candidates(self, query):
        """Ids that may match, or None when no index helps."""
        best = None
        for path, index in self._indexes.items():
            if path not in query:
                continue
            ids = self._from_index(index, query[path])
            if ids is not None and (best is None or len(ids) < len(best)):
                best = ids
        return best

    @staticmethod
    def _from_index(index, condition):
        if isinstance(condition, re.Pattern):
            return None
        if not is_operators(condition):
            condition = {"$eq": condition}
        if "$eq" in condition:
            if condition["$eq"] is None and index.sparse:
                return None
            return index.lookup(condition["$eq"])
        if "$in" in condition:
            wanted = list(condition["$in"])
            if index.sparse and None in wanted:
                return None
            return set().union(*(index.lookup(value) for value in wanted))
        if isinstance(index, SortedIndex):
            for name, low, opened in (("$gt", True, True), ("$gte", True, False), ("$lt", False, True), ("$lte", False, False)):
                value = condition.get(name)
                if value is None:
                    continue
                if low:
                    return index.range(low=value, low_open=opened)
                return index.range(high=value, high_open=opened)
        return None

    # -- reading -------------------------------------------------------------
    def _scan(self, query):
        if "_id" in query and not isinstance(query["_id"], dict):
            doc = self._docs.get(query["_id"])
            docs = [] if doc is None else [doc]
        else:
            ids = self.candidates(query)
            if ids is None:
                docs = list(self._docs.values())
            else:
                docs = [doc for key, doc in self._docs.items() if key in ids]
        return [doc for doc in docs if matches(doc, query)]

    def find(self, query=None, fields=None):
        query = copy.deepcopy(query or {})
        return Cursor(lambda: self._scan(query), fields)

    def find_one(self, query=None, fields=None):
        return self.find(query, fields).first()

    def count(self, query=None):
        return len(self._scan(query or {}))

    # -- writing -------------------------------------------------------------
    def _new_id(self):
        for number in self._ids:
            if number not in self._docs:
                return number

    def insert(self, doc):
        """Store a copy; returns its id."""
        doc = copy.deepcopy(doc)
        if "_id" not in doc:
            doc["_id"] = self._new_id()
        if doc["_id"] in self._docs:
            raise DuplicateKey("_id", doc["_id"])
        for index in self._indexes.values():
            index.check(doc)
        for index in self._indexes.values():
            index.add(doc)
        self._docs[doc["_id"]] = doc
        return doc["_id"]

    def insert_many(self, docs):
        return [self.insert(doc) for doc in docs]

    def _replace(self, old, new):
        for index in self._indexes.values():
            index.check(new)
        for index in self._indexes.values():
            index.remove(old)
            index.add(new)
        self._docs[old["_id"]] = new

    def update(self, query, update, many=True, upsert=False):
        """Change documents; returns how many really changed."""
        found = self._scan(query)
        if not found and upsert:
            self.insert(self._seed(query, update))
            return 1
        changed = 0
        for old in found if many else found[:1]:
            new = apply_update(old, update)
            if new != old:
                self._replace(old, new)
                changed += 1
        return changed

    def _seed(self, query, update):
        doc = {
            key: copy.deepcopy(value) for key, value in query.items()
            if not key.startswith("$") and not is_operators(value)
        }
        doc.setdefault("_id", self._new_id())
        return apply_update(doc, update)

    def delete(self, query, many=True):
        found = self._scan(query)
        if not many:
            found = found[:1]
        for doc in found:
            for index in self._indexes.values():
                index.remove(doc)
            del self._docs[doc["_id"]]
        return len(found)

    def clear(self):
        self._docs.clear()
        for index in self._indexes.values():
            index.clear()
