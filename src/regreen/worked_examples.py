"""Worked examples in prose, `f(3) == 9` or `>>> f(3)`: what they hold was made up for them, and says no rule."""

from __future__ import annotations

import re
from typing import Final

_PROMPT: Final = re.compile(r"^[ \t]*>>>.*(?:\n(?![ \t]*>>>)[ \t]*\S.*)*", re.MULTILINE)
"""A prompt with the answer below it, up to a blank line or the next prompt."""
_PART: Final = r"""[^()\n'"]|'[^'\n]*'|"[^"\n]*"|"""
_CALL: Final = re.compile(
    rf"\b[A-Za-z_]\w*\((?:{_PART}\((?:{_PART}\([^()\n]*\))*\))*\)(?:[.\[][^=\n]{{0,20}})?"
    r"\s*(?:[-=]+>|==|=(?!=)|[➞→⇒⟹]|(?:returns?|gives?|yields?|should (?:be|give|return)|must be)\b"
    r"|is\b(?= [-\d\"'\[({]| (?:True|False|None)\b)).*"
)
"""A call with its answer, up to the end of the line."""
_LABELLED: Final = re.compile(r"^[ \t]*(?:in|out)put\s*[:=][^\n]*[\d\[\"'][^\n]*", re.MULTILINE | re.IGNORECASE)


def without_examples(prose: str) -> str:
    """The prose without the calls and answers that it shows."""
    for pattern in (_PROMPT, _CALL, _LABELLED):
        prose = pattern.sub("", prose)
    return prose
