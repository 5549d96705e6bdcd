from __future__ import annotations

import configparser
import re
from dataclasses import dataclass, field
from datetime import timedelta, timezone, tzinfo
from pathlib import Path


class ConfigError(ValueError):
    pass


@dataclass
class Config:
    tz: tzinfo = timezone.utc
    levels: dict[str, int] = field(default_factory=dict)
    limit: int = 10
    output: str = "text"


def parse_offset(text: str) -> tzinfo:
    """``Z``, ``UTC``, ``+02:00``, ``-0330``."""
    if text.upper() in ("Z", "UTC"):
        return timezone.utc
    match = re.fullmatch(r"([+-])(\d\d):?(\d\d)", text)
    if match is None:
        raise ConfigError(f"not an offset: {text!r}")
    offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
    return timezone(-offset if match[1] == "-" else offset)


def load_config(path: str | Path) -> Config:
    """Read an INI file; a missing file gives the defaults."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(path, encoding="utf-8")
    config = Config()
    if not parser.has_section("logsift"):
        return config
    section = parser["logsift"]
    if "timezone" in section:
        config.tz = parse_offset(section["timezone"])
    for item in section.get("levels", "").split(","):
        if not item.strip():
            continue
        name, equals, number = item.partition("=")
        if not equals or not number.strip().isdigit():
            raise ConfigError(f"not a level: {item.strip()!r}")
        config.levels[name.strip().lower()] = int(number)
    try:
        config.limit = section.getint("limit", fallback=config.limit)
    except ValueError as error:
        raise ConfigError(f"limit: {error}") from error
    config.output = section.get("output", config.output)
    return config
