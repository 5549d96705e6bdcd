"""The virtual environment of a project, in its own folder or made by Poetry: its packages are used, and none of it run.

A project comes from anywhere, and so does its `.venv`: starting its interpreter here, or reading its `.pth` files as
Python does, would run whatever it holds. So the packages are taken from its folder, and the interpreter is the one that
made it, where that is one of the machine's.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from regreen.sandbox.interpreter import Interpreter, inspect_interpreter
from regreen.sandbox.poetry_environment import poetry_environments
from regreen.sandbox.source_folders import is_source_folder

_NAMES = (".venv", "venv")
_VERSION = re.compile(r"(3)\.(\d+)")
_PATH_FILES = "*.pth"
_MOST_BYTES = 1 << 16


def environment_in(folder: Path, *, poetry: Path | None = None) -> Interpreter | None:
    """The Python of the virtual environment of the project in this top folder; None where it has none that can be used.

    `poetry` is the folder in which Poetry keeps those that it makes.
    """
    made = [folder / name for name in _NAMES]
    made += poetry_environments(folder, poetry) if poetry is not None else []
    return next((found for place in made if (found := _environment(place, folder)) is not None), None)


def _environment(made: Path, folder: Path) -> Interpreter | None:
    """The Python of one environment; None where it cannot be used."""
    settings = _settings(made / "pyvenv.cfg")
    version = _VERSION.match(settings.get("version", settings.get("version_info", "")))
    home = Path(settings.get("home", ""))
    if version is None or not home.is_absolute() or home.resolve().is_relative_to(folder.resolve()):
        return None
    packages = made / "lib" / f"python{version[0]}" / "site-packages"
    names = (f"python{version[0]}", "python3", "python")
    base = next((home / each for each in names if (home / each).is_file()), None)
    if base is None or not packages.is_dir() or packages.is_symlink():
        return None
    return _with_packages(inspect_interpreter(str(base)), packages, folder)


def _settings(file: Path) -> dict[str, str]:
    """The lines "name = value" of a `pyvenv.cfg`; empty where there is none."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()[:100]
    except (OSError, UnicodeDecodeError):
        return {}
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, equals, value in pairs if equals}


def _with_packages(base: Interpreter, packages: Path, folder: Path) -> Interpreter:
    """The interpreter with the environment's packages in the place of its own."""
    own = [path for path in base.path if "site-packages" not in path and "dist-packages" not in path]
    own = [path for path in own if not is_source_folder(path, [str(Path(base.executable).parent.parent)])] or own
    real = str(packages.resolve())
    return replace(
        base,
        path=(*own, real, *_linked(packages, folder)),
        readable=tuple(dict.fromkeys((*base.readable, real))),
    )


def _linked(packages: Path, folder: Path) -> list[str]:
    """Folders of the project itself that the environment's path files name, as an editable install does."""
    found: list[str] = []
    for file in sorted(packages.glob(_PATH_FILES)):
        if file.is_symlink() or file.stat().st_size > _MOST_BYTES:
            continue
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            place = Path(line.strip())
            if place.is_absolute() and place.is_dir() and place.resolve().is_relative_to(folder.resolve()):
                found.append(str(place.resolve()))
    return found
