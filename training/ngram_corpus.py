"""The programs that the model of natural code is trained on: read from packages, without any benchmark."""

from __future__ import annotations

import ast
import hashlib
import json
import sysconfig
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regreen.select.ngrams.code_words import code_words

STANDARD_LIBRARY = "standard library"
"""The name, in the data list, of the library of the interpreter that runs."""
MOST_BYTES = 250_000
"""Longer files are mostly tables, or generated."""
MOST_WORDS = 700_000
"""Words of one package: more would make its habits those of the language."""
LEFT_OUT = frozenset(
    {"test", "tests", "testing", "_vendor", "vendor", "_vendored", "idlelib", "lib2to3", "site-packages"}
)
"""Folders without code that people wrote once and by hand: tests, and copies of other packages."""
BENCHMARK_WORDS = ("humaneval", "human_eval", "quixbugs", "quix_bugs", "mbpp", "has_close_elements", "evalplus")
"""A file that holds one of these belongs to a benchmark, or speaks of one."""
TABLE_SHARE = 0.35
"""Share of literals among a file's words above which it is a table."""


@dataclass(frozen=True, slots=True)
class Package:
    """One row of the data list: a package, and what its file has to be."""

    name: str
    version: str
    licence: str
    file: str
    sha256: str
    """Of the wheel; of all the files' own digests, by path, for the standard library."""


def listed_packages(data_list: Path) -> list[Package]:
    """The packages of a data list, in its order."""
    return [Package(**row) for row in json.loads(data_list.read_text())]


def read_package(folder: Path, package: Package) -> list[list[str]]:
    """The words of each program of a package that is fit for training: up to `MOST_WORDS`, chosen by digest.

    Raises SystemExit where the file is not the one that the data list names.
    """
    texts = dict(_texts(folder, package))
    digests = {name: hashlib.sha256(content).digest() for name, content in texts.items()}
    found: list[list[str]] = []
    count = 0
    for name in sorted(texts, key=lambda name: (digests[name], name)):
        if count < MOST_WORDS and (words := _fit_words(name, texts[name])) is not None:
            found.append(words)
            count += len(words)
    return found


def _texts(folder: Path, package: Package) -> Iterator[tuple[str, bytes]]:
    if package.name == STANDARD_LIBRARY:
        root = Path(sysconfig.get_path("stdlib"))
        files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.py"))}
        files = {name: content for name, content in files.items() if not LEFT_OUT.intersection(Path(name).parts)}
        _compare(package, library_digest(files), root)
        yield from files.items()
        return
    wheel = folder / package.file
    _compare(package, hashlib.sha256(wheel.read_bytes()).hexdigest(), wheel)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                yield name, archive.read(name)


def library_digest(files: dict[str, bytes]) -> str:
    """One digest for many files."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return whole.hexdigest()


def _compare(package: Package, digest: str, path: Path) -> None:
    if digest != package.sha256:
        raise SystemExit(f"{path} is not {package.name} {package.version} of the data list: its digest is {digest}.")


def _fit_words(name: str, content: bytes) -> list[str] | None:
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    lowered = text.lower()
    if len(content) > MOST_BYTES or LEFT_OUT.intersection(Path(name).parts):
        return None
    if any(word in lowered for word in BENCHMARK_WORDS) or not _parses(text):
        return None
    words = code_words(text)
    literals = sum(word[0].isdigit() or word[-1] == '"' for word in words)
    return words if literals <= TABLE_SHARE * len(words) else None


def _parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
