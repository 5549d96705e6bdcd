"""The actors of a run and their slots: each holds a few jobs, or one job that has the actor to itself."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.evaluate.spread.cluster import Node

ACTOR_WAIT_SECONDS = 60.0
"""How long jobs wait for an actor where the run has none."""


@dataclass(frozen=True, slots=True)
class Placement:
    """An actor that should run: on which node, with which share of it."""

    node: Node
    cores: int
    slots: int
    """Jobs that it may have under way."""


@dataclass(eq=False, slots=True)
class ActorHandle:
    """A running actor, as the driver sees it."""

    remote: Any
    """Ray's handle, by which its methods are called."""
    placement: Placement
    taken: int = 0
    """Slots in use."""
    reserved: bool = False
    """Whether one job has the actor to itself, or waits for that."""

    @property
    def free(self) -> int:
        """Slots that a job could take now."""
        return 0 if self.reserved else self.placement.slots - self.taken


class Slots:
    """The slots of all actors of a run; may be used from several threads."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._actors: list[ActorHandle] = []
        self._changed = threading.Condition()
        self._closed = False

    def add(self, actor: ActorHandle) -> bool:
        """Offer the slots of an actor; False where the run has ended."""
        with self._changed:
            if not self._closed:
                self._actors.append(actor)
            self._changed.notify_all()
            return not self._closed

    def remove(self, actor: ActorHandle) -> bool:
        """Withdraw the slots of an actor; False where they were withdrawn before."""
        with self._changed:
            if actor not in self._actors:
                return False
            self._actors.remove(actor)
            self._changed.notify_all()
            return True

    def actors(self) -> tuple[ActorHandle, ...]:
        """Actors whose slots are offered."""
        with self._changed:
            return tuple(self._actors)

    def close(self) -> tuple[ActorHandle, ...]:
        """End all waiting and withdraw every actor; returns them."""
        with self._changed:
            self._closed = True
            actors, self._actors = tuple(self._actors), []
            self._changed.notify_all()
            return actors

    @contextlib.contextmanager
    def taken(self, *, alone: bool = False) -> Iterator[ActorHandle]:
        """An actor with a slot taken for the block, or with `alone` all of its slots.

        Raises SandboxUnavailable where no actor came within ACTOR_WAIT_SECONDS, SandboxError when the run has ended.
        """
        actor = self._wait(alone)
        try:
            yield actor
        finally:
            with self._changed:
                actor.taken -= actor.placement.slots if alone else 1
                actor.reserved = actor.reserved and not alone
                self._changed.notify_all()

    def _wait(self, alone: bool) -> ActorHandle:
        deadline = self._clock() + ACTOR_WAIT_SECONDS
        with self._changed:
            while not self._closed:
                actor = self._take_all_slots() if alone else self._take_slot()
                if actor is not None:
                    return actor
                if self._actors:
                    self._changed.wait()
                    deadline = self._clock() + ACTOR_WAIT_SECONDS
                elif (left := deadline - self._clock()) > 0:
                    self._changed.wait(left)
                else:
                    raise SandboxUnavailable("no node of the cluster is left.", remedy="Resume when there are nodes.")
        raise SandboxError("the run has ended.")

    def _take_slot(self) -> ActorHandle | None:
        """Take a slot of the actor that has most of them free."""
        actor = max(self._actors, key=lambda actor: actor.free, default=None)
        if actor is None or actor.free < 1:
            return None
        actor.taken += 1
        return actor

    def _take_all_slots(self) -> ActorHandle | None:
        """Take an idle actor whole; where none is idle, the least busy one is reserved, so that it empties."""
        for actor in self._actors:
            if not actor.taken:
                actor.taken, actor.reserved = actor.placement.slots, True
                return actor
        if self._actors and not any(actor.reserved for actor in self._actors):
            min(self._actors, key=lambda actor: actor.taken).reserved = True
        return None
