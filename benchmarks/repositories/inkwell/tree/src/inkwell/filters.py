"""The filters every environment starts with."""

from .context import Undefined
from .markup import Markup, escape


def do_default(value, fallback="", falsy=False):
    """Replace an undefined value (or, when *falsy* is true, any false one)."""
    if isinstance(value, Undefined) or (falsy and not value):
        return fallback
    return value


def do_join(value, separator=""):
    parts = list(value)
    if any(hasattr(part, "__html__") for part in parts):
        return escape(separator).join(parts)
    return str(separator).join(str(part) for part in parts)


def do_truncate(value, length=20, end="..."):
    """Cut *value* so that, with *end*, it is at most *length* long."""
    text = str(value)
    if len(text) <= length:
        return text
    return text[: length - len(end)].rstrip() + end


def do_title(value):
    return " ".join(word[:1].upper() + word[1:].lower() for word in str(value).split(" "))


def do_sort(value, attribute=None, reverse=False):
    if attribute is None:
        return sorted(value, reverse=reverse)

    def key(item):
        return item[attribute] if isinstance(item, dict) else getattr(item, attribute)

    return sorted(value, key=key, reverse=reverse)


DEFAULT_FILTERS = {
    "upper": lambda value: str(value).upper(),
    "lower": lambda value: str(value).lower(),
    "title": do_title,
    "trim": lambda value: str(value).strip(),
    "length": len,
    "default": do_default,
    "join": do_join,
    "truncate": do_truncate,
    "sort": do_sort,
    "safe": Markup,
    "escape": escape,
}
