import difflib

from .errors import PebbleNameError


class Environment:
    """Names of one scope, and the scope around it."""

    def __init__(self, names=None, outer=None):
        self.names = dict(names or {})
        self.outer = outer

    def lookup(self, name):
        scope = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        raise PebbleNameError(name, self.suggest(name))

    def define(self, name, value):
        self.names[name] = value

    def all_names(self):
        names = set()
        scope = self
        while scope is not None:
            names.update(scope.names)
            scope = scope.outer
        return names

    def suggest(self, name):
        close = difflib.get_close_matches(name, sorted(self.all_names()), n=1)
        return close[0] if close else None
