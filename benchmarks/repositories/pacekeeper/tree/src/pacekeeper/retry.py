"""Retrying calls."""
import functools
import inspect

from .backoff import exponential
from .clock import SystemClock
from .errors import RetryError


class Retry:
    """Call again after errors.

    on: exception classes to retry, or a predicate of the exception
    attempts: calls in all, None for no end
    budget: seconds after which no new call is begun
    """

    def __init__(self, attempts=3, backoff=None, on=(Exception,), budget=None,
                 result_retry=None, before_sleep=None, clock=None):
        if attempts is not None and attempts < 1:
            raise ValueError("attempts must be at least 1")
        self.attempts = attempts
        self.backoff = backoff or exponential()
        self.on = on if isinstance(on, tuple) or not isinstance(on, type) else (on,)
        self.budget = budget
        self.result_retry = result_retry
        self.before_sleep = before_sleep
        self.clock = SystemClock() if clock is None else clock

    def _wants(self, exc):
        if isinstance(self.on, tuple):
            return isinstance(exc, self.on)
        return bool(self.on(exc))

    def _pause(self, state, exc):
        """How long to sleep before the next attempt, or raise."""
        if self.attempts is not None and state.attempt >= self.attempts:
            raise RetryError(state.attempt, exc) from exc
        delay = next(state.delays)
        hinted = getattr(exc, "retry_after", None)
        if hinted is not None:
            delay = max(delay, hinted)
        if self.budget is not None:
            if self.clock.now() + delay - state.started > self.budget:
                raise RetryError(state.attempt, exc) from exc
        if self.before_sleep is not None:
            self.before_sleep(state.attempt, exc, delay)
        return delay

    def call(self, function, *args, **kwargs):
        state = _State(self)
        while True:
            state.attempt += 1
            try:
                result = function(*args, **kwargs)
            except Exception as exc:
                if not self._wants(exc):
                    raise
                delay = self._pause(state, exc)
            else:
                if self.result_retry is None or not self.result_retry(result):
                    return result
                delay = self._pause(state, UnwantedResult(result))
            self.clock.sleep(delay)

    async def acall(self, function, *args, **kwargs):
        state = _State(self)
        while True:
            state.attempt += 1
            try:
                result = await function(*args, **kwargs)
            except Exception as exc:
                if not self._wants(exc):
                    raise
                delay = self._pause(state, exc)
            else:
                if self.result_retry is None or not self.result_retry(result):
                    return result
                delay = self._pause(state, UnwantedResult(result))
            await self.clock.asleep(delay)

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awrapper(*args, **kwargs):
                return await self.acall(function, *args, **kwargs)

            return awrapper

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return self.call(function, *args, **kwargs)

        return wrapper


class _State:
    def __init__(self, policy):
        self.attempt = 0
        self.started = policy.clock.now()
        self.delays = iter(policy.backoff())


class UnwantedResult(Exception):
    def __init__(self, result):
        super().__init__("unwanted result: %r" % (result,))
        self.result = result


def retrying(function=None, **options):
    """``@retrying`` or ``@retrying(attempts=5)``."""
    if function is not None:
        return Retry(**options)(function)
    return Retry(**options)
