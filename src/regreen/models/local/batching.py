"""Continuous batching: requests of many threads join and leave the batch between any two steps."""

from __future__ import annotations

import atexit
import itertools
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import wait
from typing import Protocol

from regreen.errors import ModelError
from regreen.models.local.generation import BatchRow, GeneratedText

_GATHERING_SECONDS = 0.005
"""Seconds that the first request of a batch waits for others."""
PREFILL_TOKENS = 8192
"""Most tokens of prompts, padding included, that are read at once."""
_LENGTH_RATIO = 1.5
_LENGTH_SLACK = 32
"""Prompts are read together if the longest has at most RATIO times the tokens of the shortest, plus SLACK."""
_CLOSING_SECONDS = 10.0
_SIGNAL_SECONDS = 1.0
"""How long whoever asks waits in one piece: a signal that comes just before a wait begins is seen only when it ends."""

_CLOSED = "The model was closed before it answered."
_OUT_OF_MEMORY = "The memory does not suffice for a single request."
_REMEDY = (
    "Take a smaller model, a lower --max-reply-tokens, or half the size of its numbers "
    "with ?dtype=bfloat16 behind its name."
)


class OutOfMemory(Exception):
    """The generator ran out of memory; the batch may be retried with fewer rows."""


class BatchGenerator(Protocol):
    """Generates tokens for a batch; called by one thread only."""

    def join(self, rows: Sequence[BatchRow]) -> None:
        """Read the rows' tokens so far, add the rows to the batch, and generate one token for each.

        Raises OutOfMemory, and leaves the batch as it was.
        """
        ...

    def step(self) -> None:
        """Generate one token for every row of the batch. Raises OutOfMemory; the batch has to be cleared then."""
        ...

    def keep(self, rows: Sequence[BatchRow]) -> None:
        """Drop the other rows from the batch."""
        ...

    def clear(self) -> None:
        """Drop the whole batch and its memory."""
        ...

    def close(self) -> None:
        """Release the model itself."""
        ...


class Batcher:
    """Serves the requests of any number of threads with one generator, which runs in a thread."""

    def __init__(
        self, generator: BatchGenerator, *, most: int, room: int | None = None, window: float = _GATHERING_SECONDS
    ) -> None:
        """At most `most` rows at a time, of together at most `room` tokens (None: no limit)."""
        self.most = most
        self._generator = generator
        self._room = room
        self._window = window
        self._changed = threading.Condition()
        self._waiting: deque[BatchRow] = deque()
        self._running: list[BatchRow] = []
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="regreen-local-model", daemon=True)
        self._thread.start()
        # A thread that is inside the model while the interpreter goes down would crash it.
        atexit.register(self.close)

    def ask(self, row: BatchRow) -> GeneratedText:
        """The row's reply, when it is complete. Raises ModelError."""
        try:
            with self._changed:
                if self._closed:
                    raise ModelError(_CLOSED)
                self._waiting.append(row)
                self._changed.notify()
            while not row.future.done():
                wait([row.future], _SIGNAL_SECONDS)
            return row.future.result()
        finally:
            # Also where Ctrl-C came between the notice and the wait: nobody takes the reply any more.
            row.abandoned = True

    def close(self) -> None:
        """End the thread and release the model; waiting requests fail with ModelError. May be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        atexit.unregister(self.close)
        self._thread.join(_CLOSING_SECONDS)

    def _serve(self) -> None:
        try:
            while self._gather():
                self._admit()
                self._advance()
        finally:
            with self._changed:
                self._closed = True
                left = [*self._running, *self._waiting]
                self._waiting.clear()
            _fail(left, _CLOSED)
            self._running = []
            self._generator.close()

    def _gather(self) -> bool:
        """Wait for a request, and a little longer for more; False once closed."""
        with self._changed:
            if not self._running:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                until = time.monotonic() + self._window
                while len(self._waiting) < self.most and not self._closed:
                    if not self._changed.wait(until - time.monotonic()):
                        break
            return not self._closed

    def _admit(self) -> None:
        groups = group_by_length(self._next_rows())
        for index, rows in enumerate(groups):
            try:
                self._generator.join(rows)
            except OutOfMemory:
                self._retry_with_fewer(rows, later=groups[index + 1 :])
                break
            except Exception as error:  # noqa: BLE001  (any failure of the model has to reach the waiting threads)
                _fail(rows, _broken(error))
            else:
                self._running.extend(rows)
        self._finish_rows()

    def _advance(self) -> None:
        if not self._running:
            return
        try:
            self._generator.step()
        except OutOfMemory:
            self._continue_with_half()
        except Exception as error:  # noqa: BLE001  (any failure of the model has to reach the waiting threads)
            _fail(self._running, _broken(error))
            self._running = []
            self._generator.clear()
        else:
            self._finish_rows()

    def _next_rows(self) -> list[BatchRow]:
        """The waiting rows that fit, in order of arrival; a single row always fits."""
        rows: list[BatchRow] = []
        with self._changed:
            while self._waiting and self._fits([*self._running, *rows, self._waiting[0]]):
                row = self._waiting.popleft()
                if not row.done:
                    rows.append(row)
        return rows

    def _fits(self, rows: Sequence[BatchRow]) -> bool:
        if len(rows) == 1:
            return True
        longest = max(row.reach for row in rows)
        return len(rows) <= self.most and (self._room is None or len(rows) * longest <= self._room)

    def _finish_rows(self) -> None:
        """Return finished replies and drop their rows."""
        going = [row for row in self._running if not row.done]
        done = [row for row in self._running if row.done]
        if not done:
            return
        self._running = going
        for row in done:
            row.deliver()
        try:
            self._generator.keep(going)
        except OutOfMemory:
            self._continue_with_half()

    def _retry_with_fewer(self, rows: Sequence[BatchRow], later: Sequence[Sequence[BatchRow]]) -> None:
        """Rows that did not fit wait again, and from now on fewer are taken at a time."""
        together = len(self._running) + len(rows)
        if together == 1:
            _fail(rows, _OUT_OF_MEMORY, _REMEDY)
            rows = []
        self.most = max(1, len(self._running), together // 2)
        self._requeue([*rows, *itertools.chain(*later)])

    def _continue_with_half(self) -> None:
        """Continue a batch that outgrew the memory with half its rows, from their text so far; the others wait."""
        rows, self._running = self._running, []
        self._generator.clear()
        if len(rows) == 1:
            _fail(rows, _OUT_OF_MEMORY, _REMEDY)
            return
        self.most = len(rows) // 2
        self._requeue(rows)

    def _requeue(self, rows: Iterable[BatchRow]) -> None:
        with self._changed:
            self._waiting.extendleft(reversed(list(rows)))


def group_by_length(rows: Sequence[BatchRow]) -> list[list[BatchRow]]:
    """The rows in groups of similar length, to save padding, and small enough to be read at once."""
    groups: list[list[BatchRow]] = []
    for row in sorted(rows, key=len):
        group = groups[-1] if groups else []
        near = bool(group) and len(row) <= _LENGTH_RATIO * len(group[0]) + _LENGTH_SLACK
        if near and (len(group) + 1) * len(row) <= PREFILL_TOKENS:
            group.append(row)
        else:
            groups.append([row])
    return groups


def _broken(error: Exception) -> str:
    return f"The model failed: {type(error).__name__}: {str(error)[:300]}."


def _fail(rows: Iterable[BatchRow], message: str, remedy: str = "") -> None:
    for row in rows:
        row.fail(ModelError(message, remedy=remedy))
