"""Results that are fetched when they are asked for."""
import copy

from . import paths
from .ordering import sort_key


class Cursor:
    def __init__(self, fetch, fields=None):
        self._fetch = fetch
        self._fields = fields
        self._sort = []
        self._skip = 0
        self._limit = None

    def _clone(self, **changes):
        other = copy.copy(self)
        other._sort = list(self._sort)
        for name, value in changes.items():
            setattr(other, "_" + name, value)
        return other

    def sort(self, *keys):
        """Paths; a leading minus sign means from high to low."""
        return self._clone(sort=list(keys))

    def skip(self, number):
        if number < 0:
            raise ValueError("skip must not be negative")
        return self._clone(skip=number)

    def limit(self, number):
        return self._clone(limit=number)

    def _run(self):
        docs = list(self._fetch())
        for key in reversed(self._sort):
            path = key.lstrip("-")
            docs.sort(
                key=lambda doc: sort_key(paths.get(doc, path, None)),
                reverse=key.startswith("-"),
            )
        end = None if self._limit is None else self._skip + self._limit
        return docs[self._skip:end]

    def _project(self, doc):
        if not self._fields:
            return copy.deepcopy(doc)
        out = {"_id": doc["_id"]}
        for path in self._fields:
            value = paths.get(doc, path)
            if value is not paths.MISSING:
                paths.put(out, path, copy.deepcopy(value))
        return out

    def __iter__(self):
        return (self._project(doc) for doc in self._run())

    def __len__(self):
        return len(self._run())

    def first(self):
        return next(iter(self.limit(1)), None)

    def to_list(self):
        return list(self)

    def distinct(self, path):
        seen = []
        for doc in self._run():
            for value in paths.values(doc, path):
                for item in value if isinstance(value, list) else [value]:
                    if item not in seen:
                        seen.append(item)
        return sorted(seen, key=sort_key)
