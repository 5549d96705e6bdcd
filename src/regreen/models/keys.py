"""Several keys of one service: used in turn, rested when the service is busy, set aside when refused."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from regreen.errors import ModelError, ModelUnavailable
from regreen.models.service_errors import masked

_LONGEST_REST = 900.0
"""Seconds; if every key has to rest longer, a daily or monthly limit is spent and waiting is no use."""
_RETURN_SPREAD = 0.25
"""Threads that wait for one key return spread over this share of its rest, not all at once."""


@dataclass(slots=True)
class _Key:
    text: str
    rests_until: float = 0.0
    refused: str = ""


class KeyRing:
    """Hands out keys round-robin, to many threads at once."""

    def __init__(
        self,
        keys: Sequence[str],
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self._keys = [_Key(text) for text in keys or ("",)]
        self._next = 0
        self._lock = threading.Lock()
        self._clock = clock
        self._sleep = sleep
        self._rng = rng or random.Random()

    def take(self) -> str:
        """The next usable key, after a wait if all of them rest; "" where the service needs none.

        Raises ModelError when every key was refused, and ModelUnavailable when all rest for too long.
        """
        while True:
            with self._lock:
                key, wait = self._usable()
            if key is not None:
                return key.text
            self._sleep(wait * (1 + self._rng.uniform(0, _RETURN_SPREAD)))

    def rest(self, text: str, seconds: float) -> None:
        """Do not hand out one key for `seconds`."""
        with self._lock:
            key = self._find(text)
            key.rests_until = max(key.rests_until, self._clock() + seconds)

    def set_aside(self, text: str, why: str) -> None:
        """Never hand out a key again; `why` is the service's refusal."""
        with self._lock:
            self._find(text).refused = why

    def _usable(self) -> tuple[_Key | None, float]:
        """A key to use now, or how long until there is one."""
        now = self._clock()
        alive = [key for key in self._keys if not key.refused]
        if not alive:
            raise self._none_left()
        for step in range(len(self._keys)):
            key = self._keys[(self._next + step) % len(self._keys)]
            if not key.refused and key.rests_until <= now:
                self._next = (self._next + step + 1) % len(self._keys)
                return key, 0.0
        wait = min(key.rests_until for key in alive) - now
        if wait > _LONGEST_REST:
            raise ModelUnavailable(
                f"The service asks for a wait of {wait:.0f} s on every key.",
                remedy="Resume later, add a key, or choose another model.",
            )
        return None, wait

    def _none_left(self) -> ModelError:
        if [key.text for key in self._keys] == [""]:
            return ModelError(f"The service asks for a key. {self._keys[0].refused}", remedy="Set one.")
        refused = "; ".join(f"{masked(key.text)}: {key.refused}" for key in self._keys)
        return ModelError(f"No key is left: the service refused every one. {refused}", remedy="Set a key that holds.")

    def _find(self, text: str) -> _Key:
        return next(key for key in self._keys if key.text == text)
