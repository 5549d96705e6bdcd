"""The JSON file."""

import json
import os
import tempfile

from .errors import StoreError

VERSION = 2


def empty():
    return {"version": VERSION, "next_id": 1, "tasks": [], "undo": []}


def upgrade(data):
    """Bring data written by older releases up to date."""
    if isinstance(data, list):  # release 0.x wrote a bare list
        data = {"version": 1, "tasks": data}
    version = data.get("version", 1)
    if version > VERSION:
        raise StoreError("the file was written by a newer release of jot")
    if version < 2:
        for task in data["tasks"]:
            if isinstance(task.get("tags"), str):
                task["tags"] = task["tags"].split()
            if isinstance(task.get("notes"), str):
                task["notes"] = [task["notes"]] if task["notes"] else []
        data["next_id"] = max((task["id"] for task in data["tasks"]), default=0) + 1
        data["undo"] = []
        data["version"] = 2
    return data


class JsonStore:
    def __init__(self, path):
        self.path = os.fspath(path)

    def load(self):
        try:
            with open(self.path, encoding="utf-8") as stream:
                text = stream.read()
        except FileNotFoundError:
            return empty()
        if not text.strip():
            return empty()
        try:
            return upgrade(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise StoreError(f"{self.path} is damaged: {exc}") from exc

    def save(self, data):
        """Write beside the file and rename, so that a crash never leaves half a file."""
        folder = os.path.dirname(os.path.abspath(self.path))
        os.makedirs(folder, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".jot-", suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                json.dump(data, stream, indent=1, ensure_ascii=False)
                stream.write("\n")
            os.replace(temporary, self.path)
        except BaseException:
            os.unlink(temporary)
            raise


class MemoryStore:
    def __init__(self, data=None):
        self.text = json.dumps(data or empty())

    def load(self):
        return upgrade(json.loads(self.text))

    def save(self, data):
        self.text = json.dumps(data)
