"""What the text of checks says of the functions that decide them: which it names, defines, and replaces."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

DECIDING_MODULES = frozenset(
    (
        "cmath collections copy decimal difflib fractions functools itertools json math numbers operator pytest re "
        "statistics string textwrap unittest"
    ).split()
)
"""Modules that no honest program changes, though checks decide by them."""
_PATCHES = frozenset({"monkeypatch", "mock", "mocker", "patch", "setattr"})
"""Names by which checks replace things themselves."""
OF_TESTS = "tests"
"""What the functions are said to be of that the checks define."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def deciding_names(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """The names by which checks call functions of pure modules ("m.isclose") -> those of the functions.

    Names that the checks bind otherwise as well are left out: there they stand for something of their own.
    """
    times = Counter(name for name, _ in _bound(nodes))
    return {name: function for name, function in _pure_functions(nodes) if times[name.partition(".")[0]] == 1}


def own_functions(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """The names by which checks call functions and methods that they define themselves -> those of the functions."""
    names = [node.name for node in nodes if isinstance(node, _FUNCTIONS)]
    return {call: f"{OF_TESTS}.{name}" for name in names for call in (name, f"self.{name}")}


def pure_functions(nodes: Sequence[ast.AST]) -> list[str]:
    """The functions of pure modules that checks name, by their full names."""
    return sorted({function for _, function in _pure_functions(nodes)})


def replaced_names(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The last parts of the names of what checks may replace themselves: by an assignment, or in words of a patch."""
    found = {node.attr for node in nodes if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)}
    found |= {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    if any(_name_of(node) in _PATCHES for node in nodes):
        texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
        found |= {text.rpartition(".")[2] for text in texts}
        found |= {node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg}
    return frozenset(found)


def _bound(nodes: Sequence[ast.AST]) -> set[tuple[str, str]]:
    """Each name that checks bind, with what it stands for where it is imported."""
    found: set[tuple[str, str]] = {*_imported(nodes)}
    for node in nodes:
        if isinstance(node, ast.arg):
            found.add((node.arg, ""))
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            found.add((node.name, ""))
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add((node.id, ""))
    return found


def _imported(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _pure_functions(nodes: Sequence[ast.AST]) -> set[tuple[str, str]]:
    """What checks name of pure modules, as they call it and by its full name."""
    found = {*_imported(nodes)}
    modules: dict[str, set[str]] = {}
    for name, what in found:
        modules.setdefault(name, set()).add(what)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {(f"{node.value.id}.{node.attr}", f"{m}.{node.attr}") for m in modules.get(node.value.id, ())}
    return {(name, what) for name, what in found if "." in what and what.partition(".")[0] in DECIDING_MODULES}


def _name_of(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else node.arg if isinstance(node, ast.arg) else ""
