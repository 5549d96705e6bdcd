"""An image without a registry: this very Python with its library, pytest, and the shared libraries that both need."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

IMAGE = "regreen-tests:latest"
_PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
_LEFT_OUT = re.compile(
    r"(^|/)(__pycache__|test|tests|idlelib|tkinter|site-packages|config-[^/]*|ensurepip|lib2to3)(/|$)"
)


def image_archive(*tools: str) -> bytes:
    """The image's files as a tar archive; with `tools`, programs of this machine."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for source, place in sorted((_files() | _tool_files(tools)).items(), key=lambda pair: pair[1]):
            archive.add(source, place, recursive=False)
        for folder in ("tmp", "proc", "sys", "dev", "etc", "scratch"):
            about = tarfile.TarInfo(folder)
            about.type, about.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(about)
        link = tarfile.TarInfo("usr/bin/python3")
        link.type, link.linkname = tarfile.SYMTYPE, str(Path(sys.executable).resolve())
        archive.addfile(link)
    return content.getvalue()


def _files() -> dict[Path, str]:
    """Each file, and where it lies in the image: where it lies here."""
    python, library = Path(sys.executable).resolve(), Path(sysconfig.get_path("stdlib"))
    found = {path: str(path) for path in [python, *library.rglob("*")] if _is_wanted(path, library)}
    for library_path in _shared_libraries([python, *(library / "lib-dynload").glob("*.so")]):
        found[library_path.resolve()] = str(library_path)
    beside = Path(pytest.__file__).parents[1]
    for package in _PACKAGES:
        for path in (beside / package).rglob("*.py"):
            found[path] = str(library / "site-packages" / path.relative_to(beside))
    found[beside / "py.py"] = str(library / "site-packages" / "py.py")
    return found


def _tool_files(tools: tuple[str, ...]) -> dict[Path, str]:
    """Programs and what they need, each in /bin."""
    found = {Path(path).resolve(): f"/bin/{name}" for name in tools if (path := shutil.which(name))}
    return found | {path.resolve(): str(path) for path in _shared_libraries([*found])} if found else {}


def _is_wanted(path: Path, library: Path) -> bool:
    return path.is_file() and (not path.is_relative_to(library) or not _LEFT_OUT.search(str(path.relative_to(library))))


def _shared_libraries(programs: list[Path]) -> Iterator[Path]:
    told = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False).stdout
    for line in sorted(set(re.findall(r"(?:=> |^\t)(/\S+)", told, re.MULTILINE))):
        yield Path(line)
