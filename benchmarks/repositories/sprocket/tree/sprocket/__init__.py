from .app import Application
from .bus import Event, EventBus
from .config import Config
from .container import Container, Lifetime
from .errors import (
    CircularDependency,
    ConfigError,
    MissingBinding,
    PluginError,
    SprocketError,
)
from .plugins import Plugin, PluginManager, on

__all__ = [
    "Application",
    "CircularDependency",
    "Config",
    "ConfigError",
    "Container",
    "Event",
    "EventBus",
    "Lifetime",
    "MissingBinding",
    "Plugin",
    "PluginError",
    "PluginManager",
    "SprocketError",
    "on",
]
