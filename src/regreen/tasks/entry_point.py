"""The function to repair: whether a program has it, its docstring, and the errors where it is not known."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from regreen.errors import TaskError
from regreen.syntax import DEFINITIONS, FUNCTIONS, Definition, imported_name, module_statements, parsed_or_none

_DEFINITION_LINE = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_MAX_NAMED = 40
"""Functions that one message lists."""


def may_define(text: str, name: str) -> bool:
    """Whether a program could have something called `name`, e.g. "f" or "C.f"; of one that does not parse, it could."""
    tree = parsed_or_none(text)
    return tree is None or not {name.rpartition(".")[2], "*"}.isdisjoint(_bound_anywhere(tree))


def refuse_unknown_entry_point(path: Path, text: str, name: str) -> None:
    """Raise TaskError, listing what there is, where the program has no function, class or variable `name`."""
    known, other = _defined(text)
    if name in known or name in other:
        return
    close = difflib.get_close_matches(name, known, n=1)
    question = f"Did you mean {close[0]}? " if close else ""
    raise TaskError(f"{path} has no function {name}.", remedy=question + _choice(known))


def entry_point_needed(path: Path, text: str, tests_path: Path) -> TaskError:
    """The error for tests that do not say which function of the program they are for."""
    return TaskError(
        f"{tests_path} does not say which function of {path} its cases are for.",
        remedy="Name it with --entry-point. " + _choice(_defined(text)[0]),
    )


def docstring_of(text: str, entry_point: str | None) -> str:
    """The docstring of the function or class `entry_point`, else of the module; "" where there is none."""
    tree = parsed_or_none(text)
    if tree is None:
        return ""
    top = module_statements(tree.body)
    wanted = [node for node in top if isinstance(node, DEFINITIONS) and node.name == entry_point]
    docstrings = (ast.get_docstring(node) for node in [*wanted[-1:], tree])
    return next((docstring for docstring in docstrings if docstring), "")


def _choice(functions: list[str]) -> str:
    return f"It has: {', '.join(functions[:_MAX_NAMED])}." if functions else "It has no functions at all."


def _defined(text: str) -> tuple[list[str], set[str]]:
    """Functions, classes and methods in the order of the text; and other names that the module assigns."""
    tree = parsed_or_none(text)
    if tree is None:
        return list(dict.fromkeys(_DEFINITION_LINE.findall(text))), set()
    top = list(module_statements(tree.body))
    functions = [name for node in top if isinstance(node, DEFINITIONS) for name in _names_of(node)]
    other = {
        name.id
        for node in top
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return list(dict.fromkeys(functions)), other


def _names_of(node: Definition) -> list[str]:
    """A definition's name, and for a class those of its methods."""
    body = node.body if isinstance(node, ast.ClassDef) else []
    methods = [member.name for member in body if isinstance(member, FUNCTIONS)]
    return [node.name, *(f"{node.name}.{method}" for method in methods)]


def _bound_anywhere(tree: ast.Module) -> Iterator[str]:
    """Names that a program binds anywhere."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.Name(name, ast.Store()):
                yield name
            case ast.alias():
                yield imported_name(node)
