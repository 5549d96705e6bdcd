"""Whether prose speaks of the largest of some things or of the smallest, and whether a change turns that round."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Set
from functools import lru_cache
from typing import Final

from regreen.syntax import UNPARSABLE, callee_name, nodes_of, tree, walk

_WORDS: Final = {
    "max": re.compile(r"\b(?:largest|highest|longest|newest|latest|biggest|greatest|maximum|maximal|most)\b"),
    "min": re.compile(r"\b(?:smallest|lowest|shortest|oldest|earliest|cheapest|fewest|minimum|minimal|least)\b"),
}
_OPPOSITE: Final = {"max": "min", "min": "max"}


def extremes_spoken_of(text: str) -> frozenset[str]:
    """`max` where a text speaks of something largest, and `min` where it does of something smallest; "at least" and "at
    most" say neither."""
    plain = re.sub(r"\bat (?:the )?(?:least|most)\b", "", text.lower())
    return frozenset(name for name, words in _WORDS.items() if words.search(plain))


def turned_extremes(spoken_of: Set[str], before: str, after: str) -> int:
    """1 where prose speaks of one extreme alone and `after` takes the other one where `before` took it, else 0."""
    if len(spoken_of) != 1:
        return 0
    (wanted,) = spoken_of
    had, has = _extremes(before), _extremes(after)
    return int(has[_OPPOSITE[wanted]] > had[_OPPOSITE[wanted]] and has[wanted] < had[wanted])


@lru_cache(maxsize=64)
def _extremes(source: str) -> Counter[str]:
    """How often a program calls `max` and `min`: one by negative keys counts as the other one."""
    found: Counter[str] = Counter()
    try:
        calls = nodes_of(tree(source), ast.Call)
    except UNPARSABLE:
        return found
    for call in calls:
        name = callee_name(call)
        if name in _OPPOSITE:
            keys = (keyword.value for keyword in call.keywords if keyword.arg == "key")
            is_negated = any(isinstance(part, ast.USub) for key in keys for part in walk(key))
            found[_OPPOSITE[name] if is_negated else name] += 1
    return found
