"""The circuit breaker."""
import functools

from .clock import SystemClock
from .errors import CircuitOpen

CLOSED = "closed"
OPEN = "open"
HALF_OPEN = "half-open"


class CircuitBreaker:
    """Opens after ``threshold`` failures in a row.

    After ``recovery`` seconds ``trials`` calls are let through; if all of
    them succeed it closes, and one failure opens it again.
    """

    def __init__(self, threshold=5, recovery=30, trials=1, expected=(Exception,),
                 name="default", clock=None):
        self.threshold = threshold
        self.recovery = recovery
        self.trials = trials
        self.expected = expected
        self.name = name
        self.clock = SystemClock() if clock is None else clock
        self._state = CLOSED
        self._failures = 0
        self._opened_at = None
        self._started = 0
        self._succeeded = 0
        self._listeners = []

    @property
    def state(self):
        if self._state == OPEN and self.clock.now() - self._opened_at >= self.recovery:
            self._move(HALF_OPEN)
        return self._state

    def on_change(self, listener):
        self._listeners.append(listener)
        return listener

    def _move(self, state):
        before, self._state = self._state, state
        if state == OPEN:
            self._opened_at = self.clock.now()
        elif state == HALF_OPEN:
            self._started = 0
            self._succeeded = 0
        else:
            self._failures = 0
        for listener in self._listeners:
            listener(before, state)

    def _enter(self):
        state = self.state
        if state == OPEN:
            raise CircuitOpen(self.name, self._opened_at + self.recovery - self.clock.now())
        if state == HALF_OPEN:
            if self._started >= self.trials:
                raise CircuitOpen(self.name, 0)
            self._started += 1

    def success(self):
        if self._state == HALF_OPEN:
            self._succeeded += 1
            if self._succeeded >= self.trials:
                self._move(CLOSED)
        else:
            self._failures = 0

    def failure(self):
        if self._state == HALF_OPEN:
            self._move(OPEN)
            return
        self._failures += 1
        if self._state == CLOSED and self._failures >= self.threshold:
            self._move(OPEN)

    def call(self, function, *args, **kwargs):
        self._enter()
        try:
            result = function(*args, **kwargs)
        except self.expected:
            self.failure()
            raise
        except BaseException:
            self._abandon()
            raise
        self.success()
        return result

    def _abandon(self):
        """A call ended without telling anything about the service."""
        if self._state == HALF_OPEN:
            self._started -= 1

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return self.call(function, *args, **kwargs)

        return wrapper
