"""Retries: other keys, rests and backoff with full jitter; and a circuit breaker for a service that is down."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from regreen.errors import CircuitOpen, ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.completions import with_usage
from regreen.models.contract import Finish, Reply, Request
from regreen.models.keys import KeyRing
from regreen.models.providers import Endpoint
from regreen.models.reply_end import ended
from regreen.models.service_errors import (
    FilterRefusal,
    KeyRefused,
    TransientError,
    UnknownModel,
    masked,
    redacted,
    remedy_for_unknown_model,
)

_LOG = logging.getLogger(__name__)
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds: the upper bound of the wait before the first retry, and before any."""
LONG_WAIT = 10.0
"""Seconds; a wait from here on is told, since nothing else says why a run stands still."""
GIVE_UP_AFTER = 8
"""Requests given up in a row, on any thread, that open the circuit once the service has answered before."""
GIVE_UP_AFTER_AT_FIRST = 3
"""The same for a service that has never answered: most likely it is not there at all."""


def _with_key(key: str) -> str:
    return f" with key {masked(key)}" if key else ""


class Transport(Protocol):
    """One way to ask a service, with a key and without retries; it may be used from several threads at once."""

    def ask(self, request: Request, key: str) -> Reply:
        """The reply to one try.

        Raises TransientError for what may pass, KeyRefused, FilterRefusal, UnknownModel, and other ModelErrors for
        what stays.
        """
        ...

    def models(self, key: str) -> tuple[str, ...]:
        """The models that the service offers; raises ModelError where it has no list."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class CircuitBreaker:
    """Counts requests given up in a row, over all threads, and stops all further ones when there are too many."""

    def __init__(self, *, limit: int = GIVE_UP_AFTER, limit_at_first: int = GIVE_UP_AFTER_AT_FIRST) -> None:
        self.answers = 0
        """Replies so far."""
        self._given_up = 0
        self._last = ""
        self._limit = limit
        self._limit_at_first = limit_at_first
        self._lock = threading.Lock()

    def record_answer(self) -> None:
        """Count an answer: the service is alive."""
        with self._lock:
            self.answers += 1
            self._given_up = 0

    def record_failure(self, error: ModelError) -> None:
        """Count a request that was given up."""
        with self._lock:
            self._given_up += 1
            self._last = str(error)

    def check(self) -> None:
        """Raise CircuitOpen when too many requests in a row were given up."""
        with self._lock:
            if self._given_up >= (self._limit if self.answers else self._limit_at_first):
                raise CircuitOpen(
                    f"{self._given_up} requests in a row failed for good; the last: {self._last}",
                    remedy="What is done is kept: resume when the service answers again.",
                )


class RetryingClient:
    """A chat model over a transport that may fail: it rotates keys, waits and tries again."""

    def __init__(
        self,
        transport: Transport,
        endpoint: Endpoint,
        *,
        retries: int,
        at_once: int = 64,
        breaker: CircuitBreaker | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self._transport = transport
        self._endpoint = endpoint
        self._retries = retries
        self._slots = threading.Semaphore(at_once)
        """One slot for each try under way; a request that waits holds none."""
        self._lock = threading.Lock()
        self._remedy = ""
        """The remedy for a model that the service does not know; "" until it is looked up."""
        self._told_until = 0.0
        """The time until which the last wait that was told lasts: many threads wait for one service."""
        self._breaker = breaker or CircuitBreaker()
        self._clock = clock
        self._closed = threading.Event()
        self._sleep = sleep or self._closed.wait
        self._rng = rng or random.Random()
        self._ring = KeyRing(endpoint.keys, clock=clock, sleep=self._pause, rng=self._rng)

    @property
    def name(self) -> str:
        """The full name of the model that is asked."""
        return self._endpoint.name

    def ask(self, request: Request) -> Reply:
        """The reply, after as many tries as the settings allow; raises as `ChatModel.ask`."""
        self._breaker.check()
        try:
            reply = self._ask_until_answered(request)
        except (ContextTooLong, ToolsUnsupported):
            self._breaker.record_answer()
            raise
        except CircuitOpen:
            raise
        except ModelError as error:
            self._breaker.record_failure(error)
            raise
        self._breaker.record_answer()
        return reply

    def close(self) -> None:
        """End every wait, and close the connections."""
        self._closed.set()
        self._transport.close()

    def _ask_until_answered(self, request: Request) -> Reply:
        began, failures = self._clock(), 0
        refused: list[str] = []
        while True:
            key = self._ring.take()
            try:
                with self._slots:
                    self._require_usable()
                    asked, answers = self._clock(), self._breaker.answers
                    reply = self._try_once(request, key)
            except KeyRefused as error:
                why = redacted(str(error), self._endpoint)
                self._ring.set_aside(key, why)
                refused.append(masked(key))
                _LOG.info("%s: key %s is set aside: %s", self.name, masked(key), why)
            except TransientError as failure:
                # While a busy service answers other requests, its refusals do not count: with many threads on one
                # key, some would lose every race by chance alone.
                failures += not (failure.busy and self._breaker.answers > answers)
                # A server that was never started does not appear by waiting.
                if failures > self._retries or (failure.not_running and not answers):
                    raise self._given_up(failure, failures) from failure
                why = redacted(str(failure), self._endpoint)
                _LOG.info("%s: a try%s failed, another one follows: %s", self.name, _with_key(key), why)
                self._wait(failure, key, failures)
            else:
                _LOG.info(
                    "%s: %s answered%s after %.1f s, %d tokens in, %d out",
                    request.scope or request.node,
                    self.name,
                    _with_key(key),
                    self._clock() - asked,
                    reply.usage.prompt,
                    reply.usage.completion,
                )
                extra = {**reply.extra, "keys_set_aside": refused} if refused else reply.extra
                return replace(reply, seconds=self._clock() - asked, waited=max(0.0, asked - began), extra=extra)

    def _try_once(self, request: Request, key: str) -> Reply:
        """The reply to one try: also where a filter of the service declined in place of the model."""
        try:
            return ended(self._transport.ask(request, key), request)
        except FilterRefusal as error:
            return with_usage(Reply(error.args[0], finish=Finish.REFUSED), request, None)
        except UnknownModel as error:
            with self._lock:
                # Looked up once, however many threads ask.
                find = partial(self._transport.models, key)
                self._remedy = self._remedy or remedy_for_unknown_model(self._endpoint, find)
            raise UnknownModel(error.args[0], remedy=self._remedy) from None

    def _wait(self, failure: TransientError, key: str, failures: int) -> None:
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(max(failures, 1) - 1, 30))
        pause = self._rng.uniform(0, longest)
        if failure.busy:
            self._ring.rest(key, failure.retry_after or pause)
        else:
            self._pause(max(pause, min(failure.retry_after or 0.0, LONGEST_WAIT)))

    def _pause(self, seconds: float) -> None:
        """Sleep, then check that asking still makes sense."""
        if seconds > 0:
            self._tell_wait(seconds)
            self._sleep(seconds)
        self._require_usable()

    def _tell_wait(self, seconds: float) -> None:
        """Say that the service is waited for, once for all threads that do."""
        with self._lock:
            now = self._clock()
            if seconds < LONG_WAIT or now < self._told_until:
                return
            self._told_until = now + seconds
        _LOG.warning("%s is asked again in %.0f s: it is busy, or does not answer.", self.name, seconds)

    def _require_usable(self) -> None:
        """Raise ModelUnavailable once closed, and CircuitOpen if the circuit is open."""
        if self._closed.is_set():
            raise ModelUnavailable(f"{self.name} was closed while a request waited for it.")
        self._breaker.check()

    def _given_up(self, failure: TransientError, failures: int) -> ModelUnavailable:
        tries = f"{failures} tries" if failures > 1 else "one try"
        return ModelUnavailable(f"{failure.args[0]} (after {tries})", remedy=failure.remedy or "Try again later.")
