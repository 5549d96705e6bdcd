"""``${other.key}`` references inside strings."""
import re

from .errors import CycleError, MissingKey
from .merge import lookup

_REFERENCE = re.compile(r"\$\$|\$\{([^{}:]+)(?::-([^{}]*))?\}")


def resolve(tree, value, chain=()):
    """Replace the references of a value, deeply."""
    if isinstance(value, str):
        return _resolve_text(tree, value, chain)
    if isinstance(value, list):
        return [resolve(tree, item, chain) for item in value]
    if isinstance(value, dict):
        return {key: resolve(tree, item, chain) for key, item in value.items()}
    return value


def _resolve_text(tree, text, chain):
    whole = _REFERENCE.fullmatch(text)
    if whole and whole.group(1):
        return _fetch(tree, whole, chain)

    def replace(found):
        if found.group(0) == "$$":
            return "$"
        return _as_text(_fetch(tree, found, chain))

    return _REFERENCE.sub(replace, text)


def _fetch(tree, found, chain):
    key = found.group(1).strip()
    if key in chain:
        raise CycleError(chain + (key,))
    try:
        value = lookup(tree, key)
    except MissingKey:
        if found.group(2) is None:
            raise
        return found.group(2)
    return resolve(tree, value, chain + (key,))


def _as_text(value):
    if value is True:
        return "true"
    if value is False:
        return "false"
    if value is None:
        return ""
    return str(value)
