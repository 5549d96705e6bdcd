"""What all limiters share."""
import functools
import inspect

from .clock import SystemClock
from .errors import LimitExceeded


class Limiter:
    """A limiter says when ``n`` units may pass.

    Subclasses implement ``wait_time(n)``, seconds until it would be allowed,
    and ``_take(n)``, which books it.
    """

    def __init__(self, clock=None):
        self.clock = SystemClock() if clock is None else clock

    def wait_time(self, n=1):
        raise NotImplementedError

    def _take(self, n):
        raise NotImplementedError

    def try_acquire(self, n=1):
        """Book at once, or say no."""
        if self.wait_time(n) > 0:
            return False
        self._take(n)
        return True

    def acquire(self, n=1, timeout=None):
        """Sleep until there is room; False if that takes too long."""
        deadline = None if timeout is None else self.clock.now() + timeout
        while True:
            wait = self.wait_time(n)
            if wait <= 0:
                self._take(n)
                return True
            if deadline is not None and self.clock.now() + wait > deadline:
                return False
            self.clock.sleep(wait)

    async def aacquire(self, n=1, timeout=None):
        deadline = None if timeout is None else self.clock.now() + timeout
        while True:
            wait = self.wait_time(n)
            if wait <= 0:
                self._take(n)
                return True
            if deadline is not None and self.clock.now() + wait > deadline:
                return False
            await self.clock.asleep(wait)

    def check(self, n=1):
        """Book, or raise LimitExceeded."""
        wait = self.wait_time(n)
        if wait > 0:
            raise LimitExceeded(wait)
        self._take(n)

    def limit(self, function):
        """Decorate a function or coroutine function: calls wait their turn."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awrapper(*args, **kwargs):
                await self.aacquire()
                return await function(*args, **kwargs)

            return awrapper

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            self.acquire()
            return function(*args, **kwargs)

        return wrapper
