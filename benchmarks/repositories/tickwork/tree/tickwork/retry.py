import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Tuple, Type


@dataclass(frozen=True)
class RetryPolicy:
    """When, and how often, to run a failed job again.

    *attempts* counts every run, the first included.  The delay before retry
    number *n* (from 1) is ``delay * factor ** (n - 1)``, spread by *jitter*
    (a fraction of the delay), and never longer than *max_delay*.
    """

    attempts: int = 3
    delay: float = 1.0
    factor: float = 2.0
    max_delay: float = 3600.0
    jitter: float = 0.0
    retry_on: Tuple[Type[BaseException], ...] = (Exception,)
    give_up_on: Tuple[Type[BaseException], ...] = ()

    def __post_init__(self):
        if self.attempts < 1:
            raise ValueError("attempts must be at least 1")
        if self.delay < 0 or self.factor < 1:
            raise ValueError("delays may not shrink")

    def should_retry(self, attempt, error):
        """Whether to go on after run number *attempt* (from 1) ended in *error*."""
        if attempt >= self.attempts:
            return False
        if isinstance(error, self.give_up_on):
            return False
        return isinstance(error, self.retry_on)

    def delay_after(self, attempt, error=None, rng=random):
        hint = getattr(error, "retry_after", None)
        if hint is not None:
            return timedelta(seconds=min(hint, self.max_delay))
        seconds = self.delay * self.factor ** (attempt - 1)
        if self.jitter:
            seconds *= 1 + rng.uniform(-self.jitter, self.jitter)
        return timedelta(seconds=min(seconds, self.max_delay))


NO_RETRY = RetryPolicy(attempts=1)
