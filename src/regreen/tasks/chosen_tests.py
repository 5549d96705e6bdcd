"""The tests that the user names: files, folders, patterns, single tests in a file, and a keyword."""

from __future__ import annotations

import ast
import difflib
import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regreen.errors import TaskError
from regreen.syntax import FUNCTIONS, parsed_or_none
from regreen.tasks.text_file import read_bytes

_FILE_KINDS = (".py", ".jsonl")


@dataclass(frozen=True, slots=True)
class ChosenPlace:
    """A file or a folder of tests, or one test in a file."""

    path: Path
    node: str = ""
    """The test as pytest names it within its file, as in "TestCart::test_total[3]"; "" for all."""

    @property
    def is_cases(self) -> bool:
        """Whether it is a file of cases as JSON lines."""
        return self.path.suffix.lower() == ".jsonl"

    def __str__(self) -> str:
        return f"{self.path}::{self.node}" if self.node else str(self.path)


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """The tests of one repair."""

    places: tuple[ChosenPlace, ...]
    keyword: str | None = None
    """An expression over names of tests, as pytest's -k takes it."""

    @property
    def only_file(self) -> Path | None:
        """The file that is chosen as a whole, where that is all."""
        first, *more = self.places
        is_whole = not more and not first.node and self.keyword is None and not first.path.is_dir()
        return first.path if is_whole else None

    @property
    def name(self) -> str:
        """The tests in a few words, for messages."""
        names = list(dict.fromkeys(place.path.name + ("/" if place.path.is_dir() else "") for place in self.places))
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def read_chosen_tests(given: Sequence[str], keyword: str | None = None) -> ChosenTests | None:
    """The tests that the arguments of --tests and -k name; None where there are none.

    Raises TaskError for an argument that names no test, and for tests that cannot be run together.
    """
    if not given:
        if keyword is not None:
            raise TaskError("-k chooses among tests, and no tests were given.", remedy="Name them with --tests.")
        return None
    places = tuple(dict.fromkeys(place for argument in given for place in _places(argument)))
    if any(place.is_cases for place in places) and (len(places) > 1 or keyword is not None):
        raise TaskError(
            f"{next(place for place in places if place.is_cases)} holds cases, which run alone: no other tests, no -k.",
            remedy="Give the file of cases by itself.",
        )
    return ChosenTests(places, keyword)


def _places(argument: str) -> Iterator[ChosenPlace]:
    name, colons, node = argument.partition("::")
    path = Path(name)
    if glob.has_magic(name) and not path.exists():
        yield from _matches(name, colons)
        return
    if not path.is_dir():
        read_bytes(path, "the test file")
    if colons:
        _refuse_no_test(path, node, argument)
    yield ChosenPlace(path, node)


def _matches(pattern: str, colons: str) -> list[ChosenPlace]:
    if colons:
        raise TaskError(
            f"--tests {pattern}{colons}... names a single test in files that a pattern matches.",
            remedy="Name the file itself, or choose by name with -k.",
        )
    found = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - as the shell does
    kept = [ChosenPlace(path) for path in found if path.is_dir() or path.suffix.lower() in _FILE_KINDS]
    if not kept:
        raise TaskError(f"--tests {pattern} matches no test file.", remedy="Check the pattern, and the folder.")
    return kept


def _refuse_no_test(path: Path, node: str, argument: str) -> None:
    """Raise TaskError where the file defines no such test; inherited methods are left to pytest."""
    if path.is_dir() or path.suffix.lower() != ".py" or not all(node.split("::")):
        raise TaskError(f"--tests {argument} names no test in a Python file.", remedy="Give FILE.py::TEST.")
    tree = parsed_or_none(path.read_text(encoding="utf-8", errors="replace"))
    if tree is None:
        return
    wanted = node.partition("[")[0].split("::")
    body, inherits = tree.body, False
    for name in wanted:
        known = {inner.name: inner for inner in ast.walk(ast.Module(body, [])) if isinstance(inner, _NAMED)}
        found = known.get(name)
        if found is None:
            if inherits:
                return
            raise _no_such_test(path, "::".join(wanted), name, list(known))
        body, inherits = found.body, isinstance(found, ast.ClassDef) and bool(found.bases)


def _no_such_test(path: Path, node: str, name: str, known: list[str]) -> TaskError:
    close = difflib.get_close_matches(name, known, 1)
    tests = [other for other in known if other.lower().startswith("test")]
    listed = f"It has: {', '.join(tests[:8])}{', ...' if len(tests) > 8 else ''}." if tests else "It has no tests."
    remedy = f"Did you mean {close[0]}? {listed}" if close else listed
    return TaskError(f"{path} has no test {node}.", remedy=remedy)


_NAMED = (*FUNCTIONS, ast.ClassDef)
