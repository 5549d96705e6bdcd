"""Rate limits, retries and circuit breakers."""
from .backoff import constant, exponential, fibonacci, jittered, linear
from .breaker import CircuitBreaker
from .bucket import TokenBucket
from .clock import FakeClock, SystemClock
from .errors import CircuitOpen, LimitExceeded, PaceError, RetryError
from .keyed import KeyedLimiter
from .retry import Retry, retrying
from .window import FixedWindow, SlidingWindow

__all__ = [
    "CircuitBreaker",
    "CircuitOpen",
    "FakeClock",
    "FixedWindow",
    "KeyedLimiter",
    "LimitExceeded",
    "PaceError",
    "Retry",
    "RetryError",
    "SlidingWindow",
    "SystemClock",
    "TokenBucket",
    "constant",
    "exponential",
    "fibonacci",
    "jittered",
    "linear",
    "retrying",
]
