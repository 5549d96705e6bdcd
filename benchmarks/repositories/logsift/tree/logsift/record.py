from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

LEVELS = {
    "debug": 10,
    "info": 20,
    "notice": 25,
    "warning": 30,
    "error": 40,
    "critical": 50,
}
_SYNONYMS = {"warn": "warning", "err": "error", "fatal": "critical"}


def level_number(name: str, extra: dict[str, int] | None = None) -> int:
    """The number of a level; unknown names raise ValueError."""
    key = name.strip().lower()
    key = _SYNONYMS.get(key, key)
    if extra and key in extra:
        return extra[key]
    if key in LEVELS:
        return LEVELS[key]
    if key.isdigit():
        return int(key)
    raise ValueError(f"unknown level: {name!r}")


@dataclass
class LogRecord:
    time: datetime | None
    level: str
    message: str
    logger: str = ""
    source: str = ""
    line: int = 0
    fields: dict[str, Any] = field(default_factory=dict)
    extra_lines: list[str] = field(default_factory=list)

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute, or else one of the fields (dots reach into nested ones)."""
        if name in ("time", "level", "message", "logger", "source", "line"):
            return getattr(self, name)
        if name == "text":
            return self.text
        value: Any = self.fields
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                return default
            value = value[part]
        return value

    @property
    def text(self) -> str:
        return "\n".join([self.message, *self.extra_lines])

    @property
    def exception(self) -> str | None:
        """The name of the exception a traceback ends with."""
        for line in reversed(self.extra_lines):
            if line and not line[0].isspace() and not line.startswith("Traceback"):
                return line.split(":", 1)[0]
        return None
