"""Layered settings."""

import copy

from .errors import ConfigError

_MISSING = object()
_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def deep_merge(base, other):
    """A new dict: *other* on top of *base*, nested dicts merged."""
    result = copy.deepcopy(base)
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = deep_merge(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


class Config:
    def __init__(self, values=None):
        self._values = deep_merge({}, values or {})

    def with_layer(self, values):
        return Config(deep_merge(self._values, values))

    def with_environ(self, environ, prefix):
        """Settings from names such as ``APP_MAIL__PORT`` for prefix ``APP_``."""
        layer = {}
        for name in sorted(environ):
            if not name.startswith(prefix):
                continue
            parts = name[len(prefix) :].lower().split("__")
            target = layer
            for part in parts[:-1]:
                target = target.setdefault(part, {})
                if not isinstance(target, dict):
                    raise ConfigError(f"{name} conflicts with a shorter name")
            target[parts[-1]] = environ[name]
        return self.with_layer(layer)

    def get(self, path, default=None, cast=None):
        value = self._values
        for part in path.split("."):
            if not isinstance(value, dict) or part not in value:
                return default
            value = value[part]
        if cast is not None:
            return self._cast(path, value, cast)
        return copy.deepcopy(value)

    def require(self, path, cast=None):
        value = self.get(path, _MISSING, cast)
        if value is _MISSING:
            raise ConfigError(f"{path} is not set")
        return value

    def section(self, path):
        value = self.get(path, {})
        if not isinstance(value, dict):
            raise ConfigError(f"{path} is not a section")
        return Config(value)

    @staticmethod
    def _cast(path, value, cast):
        try:
            if cast is bool and isinstance(value, str):
                lowered = value.strip().lower()
                if lowered not in _TRUE | _FALSE:
                    raise ValueError(value)
                return lowered in _TRUE
            if cast is list and isinstance(value, str):
                return [part.strip() for part in value.split(",") if part.strip()]
            return cast(value)
        except (TypeError, ValueError):
            raise ConfigError(f"{path}: {value!r} is not a valid {cast.__name__}") from None

    def as_dict(self):
        return copy.deepcopy(self._values)
