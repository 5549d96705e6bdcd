"""Writing the file format."""
from .values import literal

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def format_value(value):
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(format_value(item) for item in value)
    if isinstance(value, str):
        return _format_text(value)
    raise TypeError("cannot write %s" % type(value).__name__)


def _format_text(text):
    return '"%s"' % "".join(_ESCAPES.get(char, char) for char in text)


def dump(tree):
    """Text that reads back as the same tree."""
    blocks = []
    _dump_table(tree, "", blocks)
    return "\n".join(blocks)


def _dump_table(tree, name, blocks):
    plain = {k: v for k, v in tree.items() if not isinstance(v, dict)}
    tables = {k: v for k, v in tree.items() if isinstance(v, dict)}
    if plain or (name and not tables):
        lines = ["[%s]" % name] if name else []
        lines += ["%s = %s" % (key, format_value(value)) for key, value in plain.items()]
        blocks.append("\n".join(lines) + "\n")
    for key, table in tables.items():
        _dump_table(table, "%s.%s" % (name, key) if name else key, blocks)


def is_plain(text):
    """Would the text read back as itself without quotes?"""
    try:
        return literal(text) == text and text == text.strip() and bool(text)
    except ValueError:
        return False
