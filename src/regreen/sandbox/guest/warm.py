"""Work done once in a server, so that each forked child finds it done."""

from __future__ import annotations

import ast
import contextlib
import io

MODULES = (
    "abc array asyncio base64 bisect calendar cmath collections collections.abc contextlib copy csv dataclasses "
    "datetime decimal doctest enum fractions functools hashlib heapq inspect io itertools json keyword math numbers "
    "operator os pprint queue random re statistics string struct textwrap threading time traceback types typing "
    "unicodedata unittest unittest.mock urllib.parse uuid"
).split()
"""The standard modules that small programs and their tests use most."""

SNIPPETS = (
    "def f(xs, n=3):\n    total = 0\n    for i, x in enumerate(xs):\n        if x > n and i % 2 == 0:\n"
    "            total += x * 2\n    return [total, *sorted(xs, reverse=True)]\nf([1, 5, 3])\n",
    "import re\nclass Box:\n    def __init__(self, items=None):\n        self.items = items or []\n"
    "    def put(self, item):\n        self.items.append(item)\n        return self\nBox().put(re.sub(r'a+', 'b', 'caat'))\n",
    "def g(text):\n    try:\n        return {w: len(w) for w in text.split() if w}\n    except ValueError as error:\n"
    "        raise KeyError(text) from error\ng('one two three')\n",
    "def h(n):\n    while n > 1:\n        yield n\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\nlist(h(27))\n",
)


def load_modules() -> None:
    """Import what programs are likely to import."""
    for name in MODULES:
        with contextlib.suppress(ImportError):
            __import__(name)


def exercise(rounds: int = 60) -> None:
    """Compile and run small programs of our own, so that the allocator and caches are as a child will want them."""
    for number in range(rounds):
        for snippet in SNIPPETS:
            with contextlib.redirect_stdout(io.StringIO()):
                tree = ast.parse(snippet)
                exec(compile(tree, f"<warm {number}>", "exec"), {"__name__": "warm"})
