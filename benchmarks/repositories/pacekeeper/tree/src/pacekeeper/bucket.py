"""The token bucket."""
from .base import Limiter


class TokenBucket(Limiter):
    """``capacity`` tokens, refilled at ``rate`` a second."""

    def __init__(self, rate, capacity=None, initial=None, clock=None):
        super().__init__(clock)
        if rate <= 0:
            raise ValueError("rate must be positive")
        self.rate = rate
        self.capacity = max(1, rate) if capacity is None else capacity
        self._tokens = float(self.capacity if initial is None else initial)
        self._last = self.clock.now()

    def _refill(self):
        now = self.clock.now()
        if now > self._last:
            self._tokens = min(self.capacity, self._tokens + (now - self._last) * self.rate)
            self._last = now

    @property
    def tokens(self):
        self._refill()
        return self._tokens

    def wait_time(self, n=1):
        if n > self.capacity:
            raise ValueError("%s tokens never fit into %s" % (n, self.capacity))
        self._refill()
        missing = n - self._tokens
        if missing <= 1e-9:
            return 0.0
        return missing / self.rate

    def _take(self, n):
        self._tokens -= n

    def give_back(self, n=1):
        """Return tokens that were not used after all."""
        self._refill()
        self._tokens = min(self.capacity, self._tokens + n)

    def set_rate(self, rate):
        """Change the rate; time passed so far counts at the old one."""
        if rate <= 0:
            raise ValueError("rate must be positive")
        self._refill()
        self.rate = rate
