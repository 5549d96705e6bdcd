"""Formula text into tokens."""
import re
from collections import namedtuple

from .errors import FormulaSyntaxError

Token = namedtuple("Token", "kind text pos")

_SPEC = [
    ("NUMBER", r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"),
    ("STRING", r'"(?:[^"]|"")*"'),
    ("ERROR", r"#(?:DIV/0!|REF!|NAME\?|VALUE!|N/A)"),
    ("RANGE", r"\$?[A-Za-z]{1,3}\$?[1-9]\d*:\$?[A-Za-z]{1,3}\$?[1-9]\d*\b"),
    ("CELL", r"\$?[A-Za-z]{1,3}\$?[1-9]\d*\b(?!\()"),
    ("NAME", r"[A-Za-z_][A-Za-z0-9_.]*"),
    ("OP", r"<=|>=|<>|[-+*/^&=<>%(),]"),
    ("SPACE", r"\s+"),
]
_RE = re.compile("|".join(f"(?P<{name}>{rx})" for name, rx in _SPEC))


def tokenize(text):
    tokens = []
    pos = 0
    while pos < len(text):
        match = _RE.match(text, pos)
        if not match:
            raise FormulaSyntaxError(f"unexpected {text[pos]!r}", pos)
        if match.lastgroup != "SPACE":
            tokens.append(Token(match.lastgroup, match.group(), pos))
        pos = match.end()
    tokens.append(Token("END", "", len(text)))
    return tokens
