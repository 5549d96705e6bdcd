"""Worked examples in prose, `f(3) == 9` or `>>> f(3)`: what they hold was made up for them, and says no rule.

`f(x) returns the square of x` is none: it describes every call.
"""

from __future__ import annotations

import re
from typing import Final

_PROMPT: Final = re.compile(r"^[ \t]*>>>.*(?:\n(?![ \t]*>>>)[ \t]*\S.*)*", re.MULTILINE)
"""A prompt with the answer below it, up to a blank line or the next prompt."""
_PART: Final = r"""[^()\n'"]|'[^'\n]*'|"[^"\n]*"|"""
_CALL: Final = re.compile(
    rf"\b[A-Za-z_]\w*\((?P<arguments>(?:{_PART}\((?:{_PART}\([^()\n]*\))*\))*)\)(?:[.\[][^=\n]{{0,20}})?"
    r"\s*(?P<sign>[-=]+>|==|=(?!=)|[➞→⇒⟹]|(?:returns?|gives?|yields?|should (?:be|give|return)|must be)\b"
    r"|is\b(?= [-\d\"'\[({]| (?:True|False|None)\b))"
    r"""(?P<answer>(?:"[^"\n]*"|'[^'\n]*'|(?![.!?][ \t]+[A-Z`(])[^\n])*[.!?]?)"""
)
"""A call with its answer, up to the end of the sentence or line."""
_LABELLED: Final = re.compile(
    r"^[ \t]*(?:in|out)put\s*[:=][^\n]*[\d\[\"'][^\n]*|\bexample:[^\n]*(?:=|->|\b(?:gives|returns|is)\b)[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
"""What is labelled as an input, an output or an example, up to the end of its line."""
_VALUE: Final = re.compile(r"(?<![\w.])(?:[-+]?\d|[\"'\[{]|(?:True|False|None)\b)")
_DEFAULT: Final = re.compile(r"""\w+(?:\s*:[^=,]*)?\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)|\[[^\]\n]*\]|[^,\n])*""")


def without_examples(prose: str) -> str:
    """The prose without the calls and answers that it shows."""
    prose = _CALL.sub(lambda call: "" if _is_example(call) else call[0], _PROMPT.sub("", prose))
    return _LABELLED.sub("", prose)


def _is_example(call: re.Match[str]) -> bool:
    """Whether a call is made with values; one with names and defaults describes the function."""
    if call["sign"] == "==" or _VALUE.search(_DEFAULT.sub("", call["arguments"])):
        return True
    return "=" in call["arguments"] and _VALUE.match(call["answer"].lstrip()) is not None
