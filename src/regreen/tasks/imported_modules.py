"""Finds the modules of the user that a program or its tests import, by reading their text, never by importing."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from regreen.errors import TaskError
from regreen.syntax import parsed_or_none
from regreen.tasks.home import Home
from regreen.tasks.program_file import ProgramFile
from regreen.tasks.text_file import MAX_FILE_BYTES, read_python

_MAX_FILES = 500
_LOOKS_LIKE_TESTS = re.compile(r"(?:^|/)(?:tests?/|test_[^/]*$|tests?\.py$|conftest\.py$|[^/]*_test\.py$)")

_Dotted = tuple[str, ...]


def find_companions(home: Home, program: ProgramFile, tests: Path | None, tests_text: str) -> dict[str, str]:
    """Modules that `program` or its tests import, directly or through one another: path seen from its root -> text.

    Left out: the program, the tests, whatever looks like a test, and what is not below the program's root.
    Raises TaskError when one of them cannot be read, or when they are more than 500 files or 2 MiB.
    """
    folder = home.root
    skipped = {path.resolve() for path in (program.path, tests) if path is not None}
    found: dict[str, str] = {}
    waiting = [*imported_names(program.text, home.package), *imported_names(tests_text, ())]
    seen: set[_Dotted] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for path in _files_of(folder, name):
            relative = path.relative_to(folder).as_posix()
            if relative in found or looks_like_tests(relative) or path.resolve() in skipped:
                continue
            found[relative] = read_python(path, "the imported module")
            _refuse_too_many(program.path, found)
            waiting += imported_names(found[relative], package_of_file(relative))
    return dict(sorted(found.items()))


def looks_like_tests(path: str) -> bool:
    """Whether a file by this path holds tests, or helps some, to judge by its name and its folders'."""
    return _LOOKS_LIKE_TESTS.search(path) is not None


def imported_names(text: str, package: _Dotted) -> Iterator[_Dotted]:
    """Dotted names that the text may import as modules; `package` is the one that its relative imports start from."""
    tree = parsed_or_none(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level <= len(package) + 1:
            start = package[: len(package) + 1 - node.level] if node.level else ()
            module = (*start, *(node.module.split(".") if node.module else ()))
            yield from ([module] if module else [])
            yield from ((*module, alias.name) for alias in node.names if alias.name != "*")


def imported_files(modules: Mapping[str, bytes], text: str, package: _Dotted) -> list[str]:
    """Those of the modules (path below an import folder -> content) that a text imports, or that one of these does.

    `package` is as for `imported_names`.
    """
    found: dict[str, None] = {}
    waiting, seen = [*imported_names(text, package)], set[_Dotted]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        bases = ("/".join(name[:depth]) for depth in range(1, len(name) + 1))
        for path in (path for base in bases for path in (f"{base}/__init__.py", f"{base}.py")):
            if path in modules and path not in found:
                found[path] = None
                waiting += imported_names(modules[path].decode("utf-8", "replace"), package_of_file(path))
    return sorted(found)


def _files_of(folder: Path, name: _Dotted) -> Iterator[Path]:
    """The files that importing a dotted name would run, outermost package first."""
    if name[0] in sys.builtin_module_names:
        return
    for depth in range(1, len(name) + 1):
        base = folder.joinpath(*name[:depth])
        if _is_file(package := base / "__init__.py"):
            yield package
        elif _is_file(module := base.with_name(base.name + ".py")):
            yield module
            return
        elif not base.is_dir():
            return


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def package_of_file(relative: str) -> _Dotted:
    """The package that relative imports in this file start from: its folder, seen from the program's root."""
    return PurePosixPath(relative).parent.parts


def _refuse_too_many(program: Path, found: dict[str, str]) -> None:
    if len(found) > _MAX_FILES or sum(map(len, found.values())) > MAX_FILE_BYTES:
        raise TaskError(
            f"{program} imports more than {_MAX_FILES} files or {MAX_FILE_BYTES:,} characters of modules beside it.",
            remedy="Copy the function to a file of its own, with only what it needs, and repair that.",
        )
