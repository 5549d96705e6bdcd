"""The part of a project's pytest configuration that decides how its tests are found and judged, read from its file.

Which file counts is told in pytest's reference ("Initialization: determining rootdir and configfile").
"""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from regreen.tasks.text_file import MAX_FILE_BYTES

_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_EMPTY_COUNTS = frozenset({"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"})
"""Files that are pytest's alone, and so end the search even when they hold nothing."""
_SECTIONS = {"setup.cfg": "tool:pytest"}
_DECIDING = frozenset(
    (
        "addopts asyncio_mode filterwarnings python_classes python_functions pythonpath required_plugins usefixtures"
    ).split()
)
"""Options that may change what tests without any sign of pytest mean."""


@dataclass(frozen=True, slots=True)
class PytestConfiguration:
    """What pytest is told by a project's configuration file."""

    path: Path | None = None
    """The file; None where there is none."""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_deciding(self) -> bool:
        """Whether plain tests may mean something else under it than by themselves."""
        return not _DECIDING.isdisjoint(self.options)

    @property
    def test_files(self) -> tuple[str, ...]:
        """Patterns of the names of test files (`python_files`)."""
        given = self.options.get("python_files", ())
        return tuple(shlex.split(given) if isinstance(given, str) else map(str, given)) or ("test_*.py", "*_test.py")


def find_pytest_configuration(folder: Path) -> PytestConfiguration:
    """The configuration that holds for tests below `folder`: the first one found there or above."""
    for above in (folder, *folder.parents):
        for name in _FILES:
            options = _options(above / name)
            if options is not None:
                return PytestConfiguration(above / name, options)
    return PytestConfiguration()


def _options(path: Path) -> Mapping[str, Any] | None:
    """The options in a file; None where it has nothing to say to pytest, or cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            return None
        text = path.read_text(encoding="utf-8")
        found = _toml_options(path, text) if path.suffix == ".toml" else _ini_options(path, text)
    except (OSError, ValueError, configparser.Error):
        return None
    return {} if found is None and path.name in _EMPTY_COUNTS else found


def _toml_options(path: Path, text: str) -> Mapping[str, Any] | None:
    whole = tomllib.loads(text)
    if path.name != "pyproject.toml":
        return _table(whole.get("pytest"))
    own = _table((_table(whole.get("tool")) or {}).get("pytest"))
    return _table(own["ini_options"]) if own and "ini_options" in own else own or None


def _table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def _ini_options(path: Path, text: str) -> Mapping[str, Any] | None:
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    parser.read_string(text)
    section = _SECTIONS.get(path.name, "pytest")
    return dict(parser[section]) if parser.has_section(section) else None
