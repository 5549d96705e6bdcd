"""Errors of stratum."""


class ConfigError(Exception):
    """Base class."""


class ParseError(ConfigError):
    def __init__(self, message, line=None, source=None):
        self.line = line
        self.source = source
        where = ""
        if source is not None or line is not None:
            where = "%s:%s: " % (source or "<string>", line if line is not None else "?")
        super().__init__(where + message)


class MissingKey(ConfigError, KeyError):
    def __init__(self, key):
        super().__init__(key)
        self.key = key

    def __str__(self):
        return "no such setting: %s" % self.key


class ValueTypeError(ConfigError, TypeError):
    """A setting has another type than was asked for."""


class CycleError(ConfigError):
    def __init__(self, chain):
        self.chain = list(chain)
        super().__init__("settings refer to each other: " + " -> ".join(self.chain))
