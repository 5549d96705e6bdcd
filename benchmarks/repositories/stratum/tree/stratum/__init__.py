"""Layered configuration."""
from .config import Config
from .errors import (
    ConfigError,
    CycleError,
    MissingKey,
    ParseError,
    ValueTypeError,
)
from .merge import merge
from .reader import parse
from .writer import dump

__all__ = [
    "Config",
    "ConfigError",
    "CycleError",
    "MissingKey",
    "ParseError",
    "ValueTypeError",
    "dump",
    "merge",
    "parse",
]
