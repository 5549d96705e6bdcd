"""Red tests from the user's own files: one program, and the checks that tell of it."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from regreen.errors import TaskError
from regreen.syntax import Definition
from regreen.tasks.companions import find_companions
from regreen.tasks.home import find_home, named
from regreen.tasks.program import Program, read_program, write_if_unchanged
from regreen.tasks.reader import SuiteReader
from regreen.tasks.syntax import parse
from regreen.tasks.text_file import LINE_END, decode_python, decode_utf8, read_bytes
from regreen.types import Suite, SuiteKind, Task

__all__ = ["Program", "Readers", "build_task", "read_program", "write_if_unchanged"]

DEFINITION = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


class DoctestReader(Protocol):
    """Anything that finds the examples in a program's docstrings."""

    def __call__(self, program: str, *, module: str, entry_point: str | None) -> Suite | None:
        """None where there are no examples."""
        ...


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads checks, handed in by whoever builds a task."""

    suite: SuiteReader
    io_cases: SuiteReader
    doctests: DoctestReader
    guess_entry_point: Callable[[str, str], str | None]
    """(program, tests) -> the function that the tests are about; None when that cannot be told."""


def build_task(program: Program, tests_path: Path | None, entry_point: str | None, *, readers: Readers) -> Task:
    """The task of turning `tests_path` green, or the program's doctest examples where no tests are given.

    Raises TaskError when the tests cannot be used or `entry_point` is not in the program.
    """
    if entry_point is not None:
        _check_entry_point(program, entry_point)
    home = find_home(program.path)
    module = home.module
    if tests_path is None:
        tests_text, suite = "", _examples(program, module, entry_point, readers)
        entry_point = entry_point or readers.guess_entry_point(program.text, "")
    else:
        _refuse_same_file(program, tests_path)
        tests_text, is_python = _read_tests(tests_path)
        entry_point = entry_point or readers.guess_entry_point(program.text, tests_text if is_python else "")
        if not is_python and entry_point is None:
            raise _which_function(program, tests_path)
        read = readers.suite if is_python else readers.io_cases
        suite = read(tests_text, program=program.text, module=module, entry_point=entry_point, origin=tests_path.name)
        tests_text = tests_text if is_python else ""
    home = home if suite.module is None else named(program.path, suite.module)
    if home.is_in_package:
        suite = replace(suite, module=home.module)
    return Task(
        id=program.path.name,
        source=program.text,
        entry_point=entry_point,
        suite=suite,
        statement=_statement(program.text, entry_point),
        module=module,
        companions=find_companions(home, program, tests_path, tests_text, with_conftest=suite.kind is SuiteKind.PYTEST),
    )


def _examples(program: Program, module: str, entry_point: str | None, readers: Readers) -> Suite:
    suite = readers.doctests(program.text, module=module, entry_point=entry_point)
    if suite is None:
        raise TaskError(
            f"there is nothing to check {program.path} with: it has no doctest examples, and no tests were given.",
            remedy="Give a file of tests with --tests.",
        )
    return suite


def _read_tests(path: Path) -> tuple[str, bool]:
    """The text of a test file with "\\n" line ends, and whether it is Python (else JSON lines)."""
    content = read_bytes(path, "the test file")
    suffix = path.suffix.lower()
    if suffix not in (".py", ".jsonl"):
        raise TaskError(
            f"the test file {path} is of an unknown kind.",
            remedy='Give a .py file of tests, or a .jsonl file of {"args": [...], "kwargs": {}, "expected": ...}.',
        )
    if suffix == ".jsonl":
        text = decode_utf8(content, path, "the test file")
    else:
        text = LINE_END.sub("\n", decode_python(content, path, "the test file").text)
    if not text.strip():
        raise TaskError(f"the test file {path} is empty.", remedy="Write at least one check into it.")
    return text, suffix == ".py"


def _refuse_same_file(program: Program, tests_path: Path) -> None:
    if tests_path.exists() and program.path.samefile(tests_path):
        raise TaskError(
            f"{tests_path} is given as the program and as its tests.",
            remedy=f"Move the tests into a file of their own that begins with `from {program.path.stem} import *`.",
        )


def _check_entry_point(program: Program, name: str) -> None:
    known, other = _defined(program.text)
    if name in known or name in other:
        return
    close = difflib.get_close_matches(name, known, n=1)
    question = f"Did you mean {close[0]}? " if close else ""
    raise TaskError(f"{program.path} has no function {name}.", remedy=question + _choice(known))


def _which_function(program: Program, tests_path: Path) -> TaskError:
    return TaskError(
        f"{tests_path} does not say which function of {program.path} its cases are for.",
        remedy="Name it with --entry-point. " + _choice(_defined(program.text)[0]),
    )


def _choice(functions: list[str]) -> str:
    return f"It has: {', '.join(functions[:40])}." if functions else "It has no functions at all."


def _defined(text: str) -> tuple[list[str], set[str]]:
    """Functions, classes and methods in the order of the text; and other names that the module assigns or imports."""
    tree = parse(text)
    if tree is None:
        return list(dict.fromkeys(DEFINITION.findall(text))), set()
    top = _statements(tree.body)
    functions = [name for node in top if isinstance(node, Definition) for name in _names_of(node)]
    other = {
        name.id
        for node in top
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return list(dict.fromkeys(functions)), other


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements of the module itself, those in its `if`, `try` and `with` blocks too."""
    found: list[ast.stmt] = []
    for node in body:
        found.append(node)
        if not isinstance(node, Definition):
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            handlers = getattr(node, "handlers", [])
            found += _statements([*inner, *(stmt for handler in handlers for stmt in handler.body)])
    return found


def _names_of(node: Definition) -> list[str]:
    """A definition's name, and for a class those of its methods."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    methods = [member.name for member in body if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [node.name, *(f"{node.name}.{method}" for method in methods)]


def _statement(text: str, entry_point: str | None) -> str:
    """What the program says of itself: the docstring of the function in question, else of the module."""
    tree = parse(text)
    if tree is None:
        return ""
    wanted = [node for node in _statements(tree.body) if isinstance(node, Definition) and node.name == entry_point]
    told = [ast.get_docstring(node) for node in [*wanted[-1:], tree]]
    return next((text for text in told if text), "")
