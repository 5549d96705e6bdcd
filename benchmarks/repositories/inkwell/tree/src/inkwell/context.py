"""Variable scopes."""

from .errors import UndefinedError


class Undefined:
    """Stands for a name that could not be looked up."""

    def __init__(self, name):
        self._name = name

    def __str__(self):
        return ""

    def __bool__(self):
        return False

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Undefined)

    __hash__ = None


class Context:
    def __init__(self, variables=None, env=None, strict=False):
        self._scopes = [dict(variables or {})]
        self.env = env
        self.strict = strict
        self.blocks = {}

    def push(self, **variables):
        self._scopes.append(variables)

    def pop(self):
        if len(self._scopes) == 1:
            raise RuntimeError("the outermost scope cannot be popped")
        self._scopes.pop()

    def set(self, name, value):
        self._scopes[-1][name] = value

    def lookup(self, name):
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        if self.env is not None and name in self.env.globals:
            return self.env.globals[name]
        return self.undefined(name)

    def undefined(self, name):
        if self.strict:
            raise UndefinedError(f"{name!r} is undefined")
        return Undefined(name)

    def flatten(self):
        result = {}
        for scope in self._scopes:
            result.update(scope)
        return result

    def child(self, **extra):
        """A new context for an included template: it sees, but never changes, ours."""
        variables = self.flatten()
        variables.update(extra)
        return Context(variables, env=self.env, strict=self.strict)
