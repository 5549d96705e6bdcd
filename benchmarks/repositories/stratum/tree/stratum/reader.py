"""Reading the file format."""
import re

from .errors import ParseError
from .merge import assign
from .values import literal

_SECTION = re.compile(r"\[\s*([A-Za-z_][\w.-]*)\s*\]\Z")
_KEY = re.compile(r"[A-Za-z_][\w.-]*\s*\+?\Z")


def strip_comment(line):
    """Drop a ``#`` or ``;`` comment that is not inside quotes."""
    quote = None
    escaped = False
    for index, char in enumerate(line):
        if quote:
            if escaped:
                escaped = False
            elif char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char in "#;" and (index == 0 or line[index - 1].isspace()):
            return line[:index].rstrip()
    return line.rstrip()


def logical_lines(text):
    """Numbered lines, with lists over several lines joined."""
    pending, start = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = strip_comment(raw)
        if pending:
            pending += " " + line.strip()
        elif not line.strip():
            continue
        else:
            pending, start = line.strip(), number
        value = pending.partition("=")[2].strip()
        if value.startswith("[") and _depth(value) > 0:
            continue
        yield start, pending
        pending = ""
    if pending:
        raise ParseError("list is never closed", start)


def _depth(text):
    bare = re.sub(r"\"(?:\\.|[^\"\\])*\"|'[^']*'", "", text)
    return bare.count("[") - bare.count("]")


def parse(text, source=None):
    """Read configuration text into nested dictionaries."""
    if text.startswith("\ufeff"):
        text = text[1:]
    tree = {}
    section = ""
    seen = {}
    try:
        for number, line in logical_lines(text):
            header = _SECTION.match(line)
            if header:
                section = header.group(1) + "."
                assign_table(tree, header.group(1))
                continue
            key, separator, value = line.partition("=")
            key = key.strip()
            if not separator:
                raise ParseError("expected 'key = value'", number)
            if not _KEY.match(key):
                raise ParseError("bad key %r" % key, number)
            dotted = section + key
            if dotted in seen:
                raise ParseError("%s was already set on line %d" % (dotted, seen[dotted]), number)
            seen[dotted] = number
            try:
                assign(tree, dotted, literal(value))
            except ValueError as exc:
                raise ParseError(str(exc), number) from exc
    except ParseError as exc:
        if source is None or exc.source is not None:
            raise
        raise ParseError(str(exc).split(": ", 1)[1], exc.line, source) from exc
    return tree


def assign_table(tree, name):
    node = tree
    for part in name.split("."):
        if not isinstance(node.get(part), dict):
            node[part] = {}
        node = node[part]


def read_file(path):
    with open(path, encoding="utf-8") as stream:
        return parse(stream.read(), str(path))
