from .clock import FakeClock, MonotonicClock
from .lru import LFUCache, LRUCache
from .memo import memoize
from .ratelimit import FixedWindow, KeyedLimiter, RateLimited, SlidingWindow, TokenBucket
from .tiered import TieredCache
from .ttl import TTLCache

__version__ = "0.9.1"
__all__ = [
    "FakeClock",
    "FixedWindow",
    "KeyedLimiter",
    "LFUCache",
    "LRUCache",
    "MonotonicClock",
    "RateLimited",
    "SlidingWindow",
    "TTLCache",
    "TieredCache",
    "TokenBucket",
    "memoize",
]
