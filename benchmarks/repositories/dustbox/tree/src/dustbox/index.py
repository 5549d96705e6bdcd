"""Indexes: from a value to the ids of the documents that have it."""
import bisect

from . import paths
from .errors import DuplicateKey
from .ordering import hashable, rank, sort_key


class HashIndex:
    def __init__(self, path, unique=False, sparse=False):
        self.path = path
        self.unique = unique
        self.sparse = sparse
        self._ids = {}

    def keys(self, doc):
        """Keys of a document; a list counts item by item and as a whole."""
        found = paths.values(doc, self.path)
        if not found:
            return set() if self.sparse else {None}
        keys = set()
        for value in found:
            keys.add(hashable(value))
            if isinstance(value, list):
                keys.update(hashable(item) for item in value)
        return keys

    def check(self, doc):
        """Raise if the document can't be added beside the others."""
        if not self.unique:
            return
        for key in self.keys(doc):
            if self._ids.get(key, set()) - {doc["_id"]}:
                raise DuplicateKey(self.path, key)

    def add(self, doc):
        for key in self.keys(doc):
            self._ids.setdefault(key, set()).add(doc["_id"])

    def remove(self, doc):
        for key in self.keys(doc):
            ids = self._ids.get(key)
            if ids is not None:
                ids.discard(doc["_id"])
                if not ids:
                    del self._ids[key]

    def lookup(self, value):
        return set(self._ids.get(hashable(value), ()))

    def clear(self):
        self._ids.clear()

    def __len__(self):
        return len(self._ids)


class SortedIndex(HashIndex):
    """Also answers $gt, $gte, $lt and $lte."""

    def __init__(self, path, unique=False, sparse=False):
        super().__init__(path, unique, sparse)
        self._entries = []

    def _pairs(self, doc):
        pairs = []
        for value in paths.values(doc, self.path):
            items = value if isinstance(value, list) else [value]
            pairs += [(sort_key(item), doc["_id"]) for item in items]
        return pairs

    def add(self, doc):
        super().add(doc)
        for pair in self._pairs(doc):
            bisect.insort(self._entries, pair)

    def remove(self, doc):
        super().remove(doc)
        for pair in self._pairs(doc):
            at = bisect.bisect_left(self._entries, pair)
            if at < len(self._entries) and self._entries[at] == pair:
                del self._entries[at]

    def clear(self):
        super().clear()
        self._entries.clear()

    def range(self, low=None, high=None, low_open=False, high_open=False):
        """Ids of values between two bounds of one kind."""
        kind = rank(low if low is not None else high)
        low_key = sort_key(low) if low is not None else None
        high_key = sort_key(high) if high is not None else None
        start = 0
        if low_key is not None:
            start = bisect.bisect_left(self._entries, (low_key,))
        ids = set()
        for key, doc_id in self._entries[start:]:
            if key[0] < kind or (low_open and key == low_key):
                continue
            if key[0] > kind:
                break
            if high_key is not None and (key > high_key or (high_open and key == high_key)):
                break
            ids.add(doc_id)
        return ids
