"""Calls of a server's tools: each works in a thread, with sandboxes that end at once when its caller gives up."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from regreen.config import Settings
from regreen.errors import SandboxError
from regreen.sandbox.pool import Pool
from regreen.strategies import Event
from regreen.strategies.resources import Resources, open_resources
from regreen.types import Budget

_T = TypeVar("_T")
_ABANDON_AGAIN_SECONDS = 0.1


class CallAbandoned(BaseException):
    """Raised in a call's thread once its caller has given up; no `except Exception` may keep it."""


class KeptResources:
    """Sandboxes that are opened when a call needs some, kept for the next one, and closed with the server.

    May be used from several threads. What an abandoned call used is closed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._idle: list[tuple[Resources, contextlib.ExitStack]] = []
        self._lent: list[Pool] = []
        self._closed = False

    @contextlib.contextmanager
    def lend(self) -> Iterator[Resources]:
        """Resources for the block alone."""
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        resources, stack = kept or self._opened()
        try:
            with self.watching(resources.pool):
                yield resources
        except BaseException:
            stack.close()
            raise
        with self._lock:
            if not self._closed:
                self._idle.append((resources, stack))
                return
        stack.close()

    @contextlib.contextmanager
    def watching(self, pool: Pool) -> Iterator[None]:
        """Have the pool fail for whoever works with it when all is closed during the block."""
        self._lent.append(pool)
        try:
            yield
        finally:
            self._lent.remove(pool)

    def close(self) -> None:
        """Close what is idle, and have the work under way fail, which then closes the rest."""
        with self._lock:
            self._closed, idle = True, self._idle[:]
            self._idle.clear()
        for pool in self._lent[:]:
            pool.abandon()
        for _, stack in idle:
            stack.close()

    def _opened(self) -> tuple[Resources, contextlib.ExitStack]:
        with contextlib.ExitStack() as stack:
            resources = stack.enter_context(open_resources(self._settings))
            return resources, stack.pop_all()


class ServedCall:
    """One call: its latest event, and the way to end it from outside."""

    def __init__(self, kept: KeptResources) -> None:
        self.latest: Event | None = None
        self.seconds = 0.0
        """How long its search may take."""
        self._kept = kept
        self._resources: Resources | None = None
        self._is_abandoned = threading.Event()
        self._has_begun = False
        self._is_over = threading.Event()

    @contextlib.contextmanager
    def borrow(self, budget: Budget | None = None) -> Iterator[Resources]:
        """Resources for the block, with this budget where one is given; they fail at once when the call is ended."""
        self.refuse_abandoned()
        with self._kept.lend() as resources:
            self._resources = resources
            budget = budget or resources.budget
            self.seconds = budget.seconds
            yield replace(resources, budget=budget)

    @contextlib.contextmanager
    def holding(self, resources: Resources) -> Iterator[None]:
        """As `borrow`, for resources that the call has opened for itself."""
        self.refuse_abandoned()
        self._resources, self.seconds = resources, resources.budget.seconds
        with self._kept.watching(resources.pool):
            yield

    def listen(self, event: Event) -> None:
        """Take note of an event of the call's own work; raises CallAbandoned when it is of no use any more."""
        self.refuse_abandoned()
        self.latest = event

    def refuse_abandoned(self) -> None:
        """Raise CallAbandoned once the caller has given up."""
        if self._is_abandoned.is_set():
            raise CallAbandoned

    def run(self, work: Callable[[ServedCall], _T]) -> _T:
        """Do the work, in this thread."""
        self._has_begun = True
        try:
            self.refuse_abandoned()
            return work(self)
        except SandboxError:
            self.refuse_abandoned()
            raise
        finally:
            self._is_over.set()

    def abandon(self, seconds: float) -> None:
        """End the work, and wait until it has ended; for another thread. Gives up after so many seconds."""
        self._is_abandoned.set()
        deadline = time.monotonic() + seconds
        while self._has_begun and not self._is_over.wait(_ABANDON_AGAIN_SECONDS) and time.monotonic() < deadline:
            # Again, since a server that was about to start was not there to be ended.
            if self._resources is not None:
                self._resources.pool.abandon()
