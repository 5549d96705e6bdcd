import logging
from collections import defaultdict

log = logging.getLogger(__name__)

SUBMITTED = "submitted"
DONE = "done"
RETRY = "retry"
FAILED = "failed"
CANCELLED = "cancelled"


class Events:
    def __init__(self):
        self._listeners = defaultdict(list)

    def on(self, event, listener):
        """Call ``listener(job)`` on *event* ("*" for all); returns a function that stops it."""
        self._listeners[event].append(listener)

        def stop():
            if listener in self._listeners[event]:
                self._listeners[event].remove(listener)

        return stop

    def emit(self, event, job):
        for listener in self._listeners[event] + self._listeners["*"]:
            try:
                listener(job)
            except Exception:
                log.exception("listener for %r failed", event)
