"""Literal values: reading them and converting them."""
import re

from .errors import ValueTypeError

_INT = re.compile(r"[+-]?\d+(?:_\d+)*\Z")
_FLOAT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?\Z")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
_SIZES = {"b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3,
          "kib": 1024, "mib": 1024**2, "gib": 1024**3}
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
TRUE = frozenset(["true", "yes", "on"])
FALSE = frozenset(["false", "no", "off"])


def unquote(text):
    """The contents of a quoted string; single quotes take no escapes."""
    quote = text[0]
    if len(text) < 2 or text[-1] != quote:
        raise ValueError("unterminated string")
    body = text[1:-1]
    if quote == "'":
        return body
    out = []
    chars = iter(body)
    for char in chars:
        if char == "\\":
            code = next(chars, None)
            if code not in _ESCAPES:
                raise ValueError("bad escape in string")
            out.append(_ESCAPES[code])
        elif char == quote:
            raise ValueError("text after string")
        else:
            out.append(char)
    return "".join(out)


def split_list(text):
    """Split at commas that are outside quotes and brackets."""
    parts, depth, quote, current = [], 0, None, []
    escaped = False
    for char in text:
        if quote:
            if escaped:
                escaped = False
            elif char == "\\" and quote == '"':
                escaped = True
            elif char == quote:
                quote = None
        elif char in "\"'":
            quote = char
        elif char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append("".join(current).strip())
            current = []
            continue
        current.append(char)
    last = "".join(current).strip()
    if last:
        parts.append(last)
    return parts


def literal(text):
    """Read a value as it is written in a file."""
    text = text.strip()
    if not text:
        return ""
    if text[0] in "\"'":
        return unquote(text)
    if text[0] == "[":
        if text[-1] != "]":
            raise ValueError("unterminated list")
        items = split_list(text[1:-1])
        if "" in items:
            raise ValueError("empty list item")
        return [literal(item) for item in items]
    lowered = text.lower()
    if lowered in TRUE:
        return True
    if lowered in FALSE:
        return False
    if lowered == "none":
        return None
    if _INT.match(text):
        return int(text.replace("_", ""))
    if _FLOAT.match(text):
        return float(text)
    return text


def to_bool(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, str):
        lowered = value.strip().lower()
        if lowered in TRUE or lowered == "1":
            return True
        if lowered in FALSE or lowered == "0":
            return False
    raise ValueTypeError("not a boolean: %r" % (value,))


def to_int(value):
    if isinstance(value, bool):
        raise ValueTypeError("not an integer: %r" % (value,))
    if isinstance(value, float) and not value.is_integer():
        raise ValueTypeError("not an integer: %r" % (value,))
    try:
        return int(value)
    except (TypeError, ValueError):
        raise ValueTypeError("not an integer: %r" % (value,)) from None


def to_list(value):
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, str):
        return [literal(part) for part in split_list(value)]
    return [value]


def to_size(value):
    """Bytes from ``10``, ``"10kB"`` or ``"1.5 MiB"``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", str(value))
    if not found or (found.group(2) or "b").lower() not in _SIZES:
        raise ValueTypeError("not a size: %r" % (value,))
    return int(float(found.group(1)) * _SIZES[(found.group(2) or "b").lower()])


def to_seconds(value):
    """Seconds from ``5``, ``"250ms"`` or ``"1h30m"``."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    text = str(value).replace(" ", "")
    pieces = re.findall(r"(\d+(?:\.\d+)?)(ms|[smhd])", text)
    if not pieces or "".join(a + b for a, b in pieces) != text:
        raise ValueTypeError("not a duration: %r" % (value,))
    return sum(float(number) * _UNITS[unit] for number, unit in pieces)
