"""Where Poetry keeps the virtual environments of a project: found by its own rule, with nothing of it started."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import tomllib
from pathlib import Path
from typing import Any

_UNWANTED = re.compile(r'[ $`!*@"\\\r\n\t]')
_RUNS = re.compile(r"[-_.]+")
_NAME = re.compile(r"[a-z0-9-]+")
_NAME_CHARACTERS, _HASH_CHARACTERS = 42, 8
_NAMELESS = "non-package-mode"
"""What Poetry calls a project that has no name."""
_MOST_BYTES = 1 << 20


def poetry_environments(folder: Path, kept: Path) -> list[Path]:
    """The environments that Poetry has made for the project in a folder, the one in use first, then the newest Python.

    `kept` is where it keeps those of all projects. None where the project is not one of Poetry's.
    """
    name = _project_name(folder)
    if name is None:
        return []
    base = _environment_name(name, folder)
    found = [place for place in kept.glob(f"{base}-py3.*") if place.is_dir() and not place.is_symlink()]
    used = f"{base}-py{_minor_in_use(kept, base)}"
    return sorted(found, key=lambda place: (place.name == used, _minor(place)), reverse=True)


def _project_name(folder: Path) -> str | None:
    """The name that Poetry knows a project by; None where it is none of its."""
    said = _toml(folder / "pyproject.toml")
    own, project, builds = said.get("tool", {}).get("poetry"), said.get("project", {}), said.get("build-system", {})
    is_ours = own is not None or (folder / "poetry.lock").is_file() or "poetry" in str(builds.get("build-backend", ""))
    if not is_ours:
        return None
    name = _RUNS.sub("-", str(project.get("name") or (own or {}).get("name") or _NAMELESS)).lower()
    return name if _NAME.fullmatch(name) else None


def _environment_name(name: str, folder: Path) -> str:
    """As `EnvManager.generate_env_name` of Poetry makes it: the name, and a hash of where the project is."""
    place = os.path.normcase(os.path.realpath(folder))
    digest = base64.urlsafe_b64encode(hashlib.sha256(place.encode("utf-8", "surrogateescape")).digest()).decode()
    return f"{_UNWANTED.sub('_', name)[:_NAME_CHARACTERS]}-{digest[:_HASH_CHARACTERS]}"


def _minor_in_use(kept: Path, base: str) -> str:
    """The version that `poetry env use` has chosen; "" where it has chosen none."""
    chosen = _toml(kept / "envs.toml").get(base, {})
    return str(chosen.get("minor", "")) if isinstance(chosen, dict) else ""


def _minor(place: Path) -> int:
    said = place.name.rpartition("-py3.")[2]
    return int(said) if said.isdecimal() else -1


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.stat().st_size <= _MOST_BYTES else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}
