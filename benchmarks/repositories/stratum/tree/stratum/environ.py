"""A layer out of environment variables."""
from .merge import assign
from .values import literal

NEST = "__"


def from_environ(environ, prefix):
    """``APP_DB__PORT=1`` becomes ``{"db": {"port": 1}}``."""
    tree = {}
    for name in sorted(environ):
        if not name.startswith(prefix):
            continue
        rest = name[len(prefix):]
        if not rest:
            continue
        parts = [part.lower() for part in rest.split(NEST)]
        if "" in parts:
            continue
        try:
            value = literal(environ[name])
        except ValueError:
            value = environ[name]
        assign(tree, parts, value)
    return tree
