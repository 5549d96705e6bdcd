"""Split template source into text, output, and block tokens."""

import re
from collections import namedtuple

from .errors import TemplateSyntaxError

Token = namedtuple("Token", "kind value lineno")

TEXT = "text"
OUTPUT = "output"
BLOCK = "block"

_OPEN = re.compile(r"\{\{-?|\{%-?|\{#-?")
_BODY = {
    "{{": re.compile(r"""((?:"[^"]*"|'[^']*'|[^"'])*?)(-?)\}\}""", re.S),
    "{%": re.compile(r"""((?:"[^"]*"|'[^']*'|[^"'])*?)(-?)%\}""", re.S),
    "{#": re.compile(r"(.*?)(-?)#\}", re.S),
}
_ENDRAW = re.compile(r"\{%-?\s*endraw\s*-?%\}")


def tokenize(source):
    """Return the list of tokens in *source*.

    Line numbers are those of the line on which the token begins.
    """
    tokens = []
    pos = 0
    lineno = 1
    strip_left = False

    def add_text(text, strip_right):
        nonlocal strip_left, lineno
        start = lineno
        lineno += text.count("\n")
        if strip_left:
            text = text.lstrip()
            strip_left = False
        if strip_right:
            text = text.rstrip()
        if text:
            tokens.append(Token(TEXT, text, start))

    while pos < len(source):
        opening = _OPEN.search(source, pos)
        if opening is None:
            add_text(source[pos:], False)
            break
        add_text(source[pos:opening.start()], opening.group().endswith("-"))
        delimiter = opening.group()[:2]
        match = _BODY[delimiter].match(source, opening.end())
        if match is None:
            raise TemplateSyntaxError(f"unclosed {delimiter!r}", lineno)
        body = match.group(1).strip()
        start = lineno
        lineno += match.group(1).count("\n")
        pos = match.end()
        strip_left = bool(match.group(2))
        if delimiter == "{#":
            continue
        if delimiter == "{%" and body == "raw":
            end = _ENDRAW.search(source, pos)
            if end is None:
                raise TemplateSyntaxError("missing endraw", start)
            add_text(source[pos:end.start()], False)
            pos = end.end()
            continue
        if not body:
            raise TemplateSyntaxError("empty tag", start)
        tokens.append(Token(OUTPUT if delimiter == "{{" else BLOCK, body, start))
    return tokens
