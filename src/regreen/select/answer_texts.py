"""When two answers, as texts, are one: rounding is no behaviour."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Final

from regreen.syntax import UNPARSABLE

_LONG: Final = 14
"""Characters of the shortest fraction that rounding changes."""
_DIGITS = 12
_FRACTION = re.compile(r"(?<![\w.])\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?![\w.])")


@lru_cache(maxsize=4096)
def rounded(answer: str) -> str:
    """The answer with twelve digits of each fraction: in which order numbers are added is no behaviour."""
    if len(answer) < _LONG:
        return answer
    return _FRACTION.sub(lambda found: repr(float(f"{float(found[0]):.{_DIGITS}g}")), answer)


def is_long_fraction(literal: str) -> bool:
    """Whether a literal is a fraction of which the last digits may be another order of additions."""
    return len(literal) >= _LONG and isinstance(ast.literal_eval(literal), float)


def agrees(answer: str, said: str) -> bool:
    """Whether an answer is the one that prose gives; 2 and 2.0 are the same."""
    if answer == said:
        return True
    try:
        return bool(ast.literal_eval(rounded(answer)) == ast.literal_eval(rounded(said)))
    except (*UNPARSABLE, TypeError):
        return False
