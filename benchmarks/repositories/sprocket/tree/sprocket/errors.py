class SprocketError(Exception):
    """Base class of the errors of this package."""


def _name(key):
    return key if isinstance(key, str) else getattr(key, "__qualname__", repr(key))


class MissingBinding(SprocketError):
    def __init__(self, key, wanted_by=None):
        message = f"nothing is bound to {_name(key)}"
        if wanted_by is not None:
            message += f" (wanted by {_name(wanted_by)})"
        super().__init__(message)
        self.key = key
        self.wanted_by = wanted_by


class CircularDependency(SprocketError):
    def __init__(self, path):
        super().__init__(" -> ".join(_name(key) for key in path))
        self.path = list(path)


class ConfigError(SprocketError):
    pass


class PluginError(SprocketError):
    pass
