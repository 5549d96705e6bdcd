"""Where settings come from: [tool.regreen] in pyproject.toml, REGREEN_* variables, flags; and what none of them says.

Only the standard library is imported, so that a judgement need not load pydantic where nothing is set.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regreen.errors import ConfigError
from regreen.setting_table import SETTINGS

_PREFIX = "REGREEN_"
_OLDEST_PYTHON = (3, 11)
_CLOSE_ENOUGH = 0.8
_FIELD_VARIABLES = {
    name: f"SANDBOX_{name.upper()}" for name in ("docker_image", "docker_cpus", "docker_memory", "docker_pids")
}
"""Variables by which other tools name settings of theirs that are also ours."""


@dataclass(frozen=True, slots=True)
class SettingSource:
    """Settings from one source, such as the environment, and how that source names its keys."""

    values: Mapping[str, Any]
    name: Callable[[str], str]
    """The name of a key there, for messages."""


def read_sources(
    flags: Mapping[str, Any] | None = None,
    *,
    near: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[SettingSource, ...]:
    """What each source says, the strongest last; the first holds only what the machine implies.

    The parameters, and what is raised, are those of `load_settings`; values are not checked.
    """
    environ = os.environ if environ is None else environ
    return (
        SettingSource(_implied(environ), str),
        _field_source(environ, (flags or {}).get("sandbox") or environ.get(as_variable("sandbox"))),
        _file_source((near or Path.cwd()).absolute()),
        _environment_source(environ),
        SettingSource({key: value for key, value in (flags or {}).items() if value is not None}, as_flag),
    )


def _implied(environ: Mapping[str, str]) -> dict[str, Any]:
    """Settings implied by well-known variables: the active virtual environment, or the active one of conda's.

    conda's `base` holds conda itself, and is active in many shells without being meant.
    """
    names = ("VIRTUAL_ENV", "CONDA_PREFIX")
    venv, conda = (Path(environ.get(name) or "/", "bin", "python").absolute() for name in names)
    if environ.get("VIRTUAL_ENV"):
        return {"python": str(venv)} if _supported(venv) else {}
    is_meant = bool(environ.get("CONDA_PREFIX")) and environ.get("CONDA_DEFAULT_ENV") != "base"
    return {"python": str(conda)} if is_meant and _supported_by_conda(conda) else {}


def _supported_by_conda(python: Path) -> bool:
    """Whether conda has installed Python 3.11 or newer in an environment: it keeps a file for each package."""
    packages = (python.parent.parent / "conda-meta").glob("python-3.*.json")
    minors = [package.name.removeprefix("python-3.").partition(".")[0] for package in packages]
    return is_executable(python) and any(minor.isdigit() and (3, int(minor)) >= _OLDEST_PYTHON for minor in minors)


def _environment_source(environ: Mapping[str, str]) -> SettingSource:
    given = {key[len(_PREFIX) :].lower(): value for key, value in environ.items() if key.startswith(_PREFIX)}
    _refuse_near_misses(given)
    values: dict[str, Any] = {"color": "never"} if environ.get("NO_COLOR") else {}
    values |= {key: value for key, value in given.items() if key in SETTINGS}
    return SettingSource(values, as_variable)


def _field_source(environ: Mapping[str, str], sandbox: str | None) -> SettingSource:
    """What the field's small agents call the settings of their containers; where ours say otherwise, one is wrong.

    They count with `--sandbox docker` alone: other tools are spoken to by the same names.
    """
    if sandbox != "docker":
        return SettingSource({}, str)
    values = {
        name: environ[variable] for name, variable in _FIELD_VARIABLES.items() if environ.get(variable, "").strip()
    }
    for name, value in values.items():
        ours = environ.get(as_variable(name), value)
        if ours != value:
            raise ConfigError(
                f"{_FIELD_VARIABLES[name]} is {value!r} in the environment, and {as_variable(name)} is {ours!r}.",
                remedy="Unset one of them.",
            )
    return SettingSource(values, _FIELD_VARIABLES.__getitem__)


def _refuse_near_misses(given: Mapping[str, str]) -> None:
    """Raise ConfigError for a variable that almost names a setting; any other may belong to another version."""
    for key in given.keys() - SETTINGS.keys():
        import difflib

        if closest := difflib.get_close_matches(key, SETTINGS, 1, _CLOSE_ENOUGH):
            raise ConfigError(
                f"{as_variable(key)} in the environment is not a setting.",
                remedy=f"Did you mean {as_variable(closest[0])}?",
            )


def _file_source(near: Path) -> SettingSource:
    for folder in (near, *near.parents):
        path = folder / "pyproject.toml"
        if (table := _table(path)) is not None:
            return _checked(table, path)
    return SettingSource({}, str)


def _checked(table: Mapping[str, Any], path: Path) -> SettingSource:
    for key in table:
        _refuse_foreign(key, path)
    return SettingSource(table, lambda key: f"{key} in [tool.regreen] of {path}")


def _table(path: Path) -> dict[str, Any] | None:
    """The [tool.regreen] table of a pyproject.toml; None where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error
    if "regreen" not in text:
        return None
    try:
        tool = _parsed(text).get("tool", {})
    except ValueError as error:
        raise _unreadable(path, error) from error
    table = tool.get("regreen") if isinstance(tool, dict) else None
    if table is None or isinstance(table, dict):
        return table
    raise ConfigError(f"tool.regreen in {path} is not a table.", remedy="Write [tool.regreen] with a line a setting.")


@functools.lru_cache(maxsize=4)
def _parsed(text: str) -> Mapping[str, Any]:
    """A TOML file, kept: a process that judges many programs reads the same one each time. Raises ValueError."""
    import tomllib

    return tomllib.loads(text)


def _unreadable(path: Path, error: Exception) -> ConfigError:
    return ConfigError(f"{path} cannot be read: {error}.", remedy="Mend the file, then run this again.")


def _refuse_foreign(key: str, path: Path) -> None:
    if key in SETTINGS and SETTINGS[key].user_only:
        raise ConfigError(
            f"{key} cannot be set in [tool.regreen] of {path}: a project must not choose how its own code is confined.",
            remedy=f"Set {as_variable(key)} or {as_flag(key)} instead.",
        )
    if key not in SETTINGS:
        import difflib

        closest = difflib.get_close_matches(key, SETTINGS, 1, 0)
        raise ConfigError(
            f"{key} in [tool.regreen] of {path} is not a setting.", remedy=f"The closest one is {closest[0]}."
        )


def as_variable(key: str) -> str:
    return _PREFIX + key.upper()


def as_flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def is_executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _supported(python: Path) -> bool:
    """Whether a virtual environment's interpreter exists and is Python 3.11 or newer."""
    if not is_executable(python):
        return False
    try:
        settings = (python.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return True
    lines = (line.partition("=") for line in settings.splitlines())
    versions = [value.strip() for key, _, value in lines if key.strip() in ("version", "version_info")]
    numbers = versions[0].split(".")[:2] if versions else []
    return not all(n.isdigit() for n in numbers) or not numbers or tuple(map(int, numbers)) >= _OLDEST_PYTHON
