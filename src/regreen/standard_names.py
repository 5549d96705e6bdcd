"""Names of the standard library that programs use without importing them."""

from __future__ import annotations

from typing import Final

MODULES: Final = frozenset(
    """
    math re sys os json random datetime itertools collections functools string copy heapq bisect operator
    statistics time typing hashlib decimal fractions cmath calendar textwrap unicodedata struct io csv enum
    dataclasses abc asyncio threading logging queue pathlib tempfile shutil glob pickle base64 binascii html
    urllib uuid secrets warnings contextlib inspect types weakref array numbers difflib pprint locale zlib ast
    argparse
    """.split()
)
"""Modules that a bare name may stand for."""
_MEMBERS_OF: Final = {
    "collections": "Counter deque defaultdict OrderedDict namedtuple ChainMap",
    "math": "sqrt ceil floor gcd lcm pi log log2 log10 factorial comb perm isclose "
    "inf nan sin cos tan atan2 radians degrees hypot prod isqrt exp isnan",
    "functools": "reduce lru_cache partial wraps cmp_to_key total_ordering cache cached_property",
    "itertools": "permutations combinations product chain accumulate groupby islice "
    "count zip_longest cycle repeat takewhile dropwhile combinations_with_replacement",
    "datetime": "timedelta date timezone",
    "heapq": "heappush heappop heapify nlargest nsmallest heapreplace heappushpop",
    "bisect": "bisect_left bisect_right insort",
    "copy": "deepcopy",
    "operator": "itemgetter attrgetter mul add sub methodcaller",
    "typing": "List Dict Tuple Optional Set Any Union Callable Iterable Iterator Sequence",
    "statistics": "mean median stdev mode pstdev variance",
    "string": "ascii_lowercase ascii_uppercase ascii_letters digits punctuation",
    "decimal": "Decimal ROUND_HALF_UP getcontext",
    "fractions": "Fraction",
    "pathlib": "Path PurePath",
    "dataclasses": "dataclass field asdict astuple replace",
    "enum": "Enum IntEnum auto Flag",
    "abc": "ABC abstractmethod",
    "contextlib": "contextmanager suppress closing",
    "io": "StringIO BytesIO",
    "random": "randint choice shuffle sample uniform",
    "time": "sleep perf_counter monotonic",
    "threading": "Thread Lock RLock Event",
    "queue": "Queue PriorityQueue LifoQueue",
    "types": "SimpleNamespace",
}
MEMBERS: Final = {name: module for module, names in _MEMBERS_OF.items() for name in names.split()}
"""The module of each function and class that is known by its name alone."""
