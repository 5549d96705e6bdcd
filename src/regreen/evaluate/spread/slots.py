"""Who works at which actor: as many jobs as it has room for, or one that has it to itself."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable
from regreen.evaluate.spread.placement import Placement

HOPE_SECONDS = 60.0
"""How long a run without any actor waits for one."""
LOOK_AGAIN_SECONDS = 2.0


@dataclass(eq=False, slots=True)
class ActorHandle:
    """An actor as it is seen from where the run is kept."""

    actor: Any
    """What Ray calls it by."""
    placement: Placement
    taken: int = 0
    reserved: bool = False
    """Whether somebody has it alone, or waits to."""

    @property
    def free(self) -> int:
        """Jobs that it could take up now."""
        return 0 if self.reserved else self.placement.slots - self.taken


class Slots:
    """The actors of a run; may be asked from several threads."""

    def __init__(self, *, look_out: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        """`look_out` is called while there is no actor at all; it must not take long."""
        self._look_out = look_out
        self._clock = clock
        self._actors: list[ActorHandle] = []
        self._changed = threading.Condition()
        self._closed = False

    def add(self, actor: ActorHandle) -> bool:
        """Take up an actor; False where the run has ended."""
        with self._changed:
            if not self._closed:
                self._actors.append(actor)
            self._changed.notify_all()
            return not self._closed

    def remove(self, actor: ActorHandle) -> bool:
        """Do without an actor from now on; False where that was known."""
        with self._changed:
            if actor not in self._actors:
                return False
            self._actors.remove(actor)
            self._changed.notify_all()
            return True

    def actors(self) -> tuple[ActorHandle, ...]:
        """Those that are there."""
        with self._changed:
            return tuple(self._actors)

    def close(self) -> tuple[ActorHandle, ...]:
        """End all waiting, and hand over the actors."""
        with self._changed:
            self._closed = True
            actors, self._actors = tuple(self._actors), []
            self._changed.notify_all()
            return actors

    @contextlib.contextmanager
    def held(self, *, alone: bool = False) -> Iterator[ActorHandle]:
        """A slot at an actor for the block, or with `alone` the whole of it.

        Raises SandboxUnavailable where there is no actor any more, and SandboxError when the run has ended.
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
        hope = self._clock() + HOPE_SECONDS
        with self._changed:
            while not self._closed:
                actor = self._take_alone() if alone else self._take_slot()
                if actor is not None:
                    return actor
                if self._actors:
                    hope = self._clock() + HOPE_SECONDS
                elif self._clock() > hope:
                    raise SandboxUnavailable("no node of the cluster is left.", remedy="Resume when there are nodes.")
                if not self._changed.wait(LOOK_AGAIN_SECONDS) and not self._actors:
                    self._look_out()
        raise SandboxError("the run has ended.")

    def _take_slot(self) -> ActorHandle | None:
        actor = max(self._actors, key=lambda actor: actor.free, default=None)
        if actor is None or actor.free < 1:
            return None
        actor.taken += 1
        return actor

    def _take_alone(self) -> ActorHandle | None:
        """An actor with nobody at it; where there is none, one is kept from filling up again."""
        for actor in self._actors:
            if not actor.taken:
                actor.taken, actor.reserved = actor.placement.slots, True
                return actor
        if self._actors and not any(actor.reserved for actor in self._actors):
            min(self._actors, key=lambda actor: actor.taken).reserved = True
        return None
