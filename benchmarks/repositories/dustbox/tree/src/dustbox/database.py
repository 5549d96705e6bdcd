"""Named collections, and their file."""
import json
import os
from datetime import date, datetime
from pathlib import Path

from .collection import Collection
from .errors import StoreError


def _encode(value):
    # a datetime is a date too, so it comes first
    if isinstance(value, datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    raise TypeError(f"cannot store {type(value).__name__}")


def _decode(obj):
    if len(obj) == 1:
        if "$datetime" in obj:
            return datetime.fromisoformat(obj["$datetime"])
        if "$date" in obj:
            return date.fromisoformat(obj["$date"])
    return obj


class Database:
    def __init__(self):
        self._collections = {}

    def __getitem__(self, name):
        if name not in self._collections:
            self._collections[name] = Collection(name)
        return self._collections[name]

    def __contains__(self, name):
        return name in self._collections

    def names(self):
        return sorted(self._collections)

    def drop(self, name):
        self._collections.pop(name, None)

    def rename(self, old, new):
        if new in self._collections:
            raise StoreError(f"there is a collection {new!r} already")
        if old not in self._collections:
            raise StoreError(f"no collection {old!r}")
        collection = self._collections.pop(old)
        collection.name = new
        self._collections[new] = collection

    def dump(self, path):
        """Write all to a file, one JSON object a line; all or nothing."""
        path = Path(path)
        temporary = path.with_name(path.name + ".tmp")
        try:
            with open(temporary, "w", encoding="utf-8") as handle:
                for name in self.names():
                    collection = self._collections[name]
                    head = {"collection": name, "indexes": collection.indexes()}
                    handle.write(json.dumps(head) + "\n")
                    for doc in collection.find():
                        line = json.dumps({"doc": doc}, default=_encode, ensure_ascii=False)
                        handle.write(line + "\n")
        except BaseException:
            temporary.unlink()
            raise
        os.replace(temporary, path)

    @classmethod
    def load(cls, path):
        db = cls()
        collection = None
        with open(path, encoding="utf-8") as handle:
            for number, line in enumerate(handle, 1):
                if not line.strip():
                    continue
                try:
                    item = json.loads(line, object_hook=_decode)
                except ValueError as exc:
                    raise StoreError(f"{path}:{number}: {exc}") from exc
                if "collection" in item:
                    collection = db[item["collection"]]
                    for field, options in item["indexes"].items():
                        collection.create_index(field, **options)
                elif collection is None:
                    raise StoreError(f"{path}:{number}: document without a collection")
                else:
                    collection.insert(item["doc"])
        return db
