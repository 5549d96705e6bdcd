"""Append-only event streams."""
import json
import os

from .errors import ConcurrencyError, CorruptStore
from .events import from_record, to_record


class MemoryStore:
    def __init__(self):
        self._streams = {}
        self._log = []
        self._subscribers = []

    def version(self, stream):
        return len(self._streams.get(stream, ()))

    def streams(self):
        return sorted(self._streams)

    def load(self, stream, after=0):
        """Events of one stream that come after a version."""
        return list(self._streams.get(stream, ()))[after:]

    def all(self, after=0):
        """Events of all streams in the order they were appended."""
        return self._log[after:]

    def append(self, stream, events, expected):
        """Add events if nobody else did since version ``expected``."""
        self.append_many([(stream, events, expected)])
        return self.version(stream)

    def append_many(self, batches):
        """Add to several streams, or to none of them."""
        batches = [(stream, list(events), expected) for stream, events, expected in batches]
        for stream, _, expected in batches:
            if self.version(stream) != expected:
                raise ConcurrencyError(stream, expected, self.version(stream))
        self._persist([event for _, events, _ in batches for event in events])
        for stream, events, _ in batches:
            self._streams.setdefault(stream, []).extend(events)
            self._log.extend(events)
        for _, events, _ in batches:
            for event in events:
                for subscriber in list(self._subscribers):
                    subscriber(event)

    def subscribe(self, subscriber, replay=True):
        if replay:
            for event in list(self._log):
                subscriber(event)
        self._subscribers.append(subscriber)

        def cancel():
            self._subscribers.remove(subscriber)

        return cancel

    def _persist(self, events):
        pass


class FileStore(MemoryStore):
    """A store kept in a file of JSON lines."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        if os.path.exists(path):
            self._read()

    def _read(self):
        with open(self.path, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        torn = lines.pop()
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                event = from_record(json.loads(line))
            except ValueError as exc:
                raise CorruptStore("line %d: %s" % (number, exc)) from exc
            self._streams.setdefault(event.account, []).append(event)
            self._log.append(event)
        if torn:
            # The last write was cut off: forget it.
            with open(self.path, "r+b") as stream:
                stream.truncate(os.path.getsize(self.path) - len(torn.encode("utf-8")))

    def _persist(self, events):
        text = "".join(json.dumps(to_record(e), ensure_ascii=False) + "\n" for e in events)
        with open(self.path, "a", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
