"""Working with nested dictionaries."""
import copy

from .errors import MissingKey

APPEND = "+"


def merge(base, over):
    """A new dictionary: tables are merged, other values replaced.

    A key of ``over`` that ends in ``+`` extends the list in ``base``.
    """
    result = copy.deepcopy(base)
    for key, value in over.items():
        if key.endswith(APPEND):
            name = key[: -len(APPEND)].rstrip()
            existing = result.get(name, [])
            if not isinstance(existing, list):
                existing = [existing]
            extra = value if isinstance(value, list) else [value]
            result[name] = existing + copy.deepcopy(extra)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(result[key], value)
        elif isinstance(value, dict):
            result[key] = merge({}, value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def split_key(key):
    if isinstance(key, (list, tuple)):
        return list(key)
    parts = key.split(".")
    if "" in parts:
        raise MissingKey(key)
    return parts


def lookup(tree, key):
    node = tree
    for part in split_key(key):
        if not isinstance(node, dict) or part not in node:
            raise MissingKey(key)
        node = node[part]
    return node


def assign(tree, key, value):
    """Set a dotted key, making tables on the way."""
    *parents, last = split_key(key)
    node = tree
    for part in parents:
        child = node.get(part)
        if not isinstance(child, dict):
            child = node[part] = {}
        node = child
    node[last] = value


def flatten(tree, prefix=""):
    """Dotted keys and their values, in order; empty tables stay."""
    flat = {}
    for key, value in tree.items():
        dotted = prefix + key
        if isinstance(value, dict) and value:
            flat.update(flatten(value, dotted + "."))
        else:
            flat[dotted] = value
    return flat
