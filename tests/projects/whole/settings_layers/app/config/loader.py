import json
import os
from pathlib import Path

from app.config.defaults import DEFAULTS

PREFIX = "APP_"


def from_environment(environ):
    return {key.removeprefix(PREFIX).lower(): value for key, value in environ.items() if key.startswith(PREFIX)}


def load(path=None, environ=os.environ):
    """Defaults, then the file, then the environment: what comes later wins."""
    given = json.loads(Path(path).read_text(encoding="utf-8")) if path else {}
    merged = {**DEFAULTS, **from_environment(environ), **given}
    return {key: convert(value, DEFAULTS.get(key)) for key, value in merged.items()}


def convert(value, default):
    if isinstance(default, bool) and isinstance(value, str):
        return value.lower() in ("1", "true", "yes")
    if isinstance(default, int) and isinstance(value, str):
        return int(value)
    return value
