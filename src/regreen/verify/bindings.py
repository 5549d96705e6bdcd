"""The names in a test text that stand for names of the program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from regreen.syntax import DEFINITIONS, imported_name, parsed_or_none, walk_in_order
from regreen.verify.program_facts import read_program_facts
from regreen.verify.python_text import normalise_line_ends


@dataclass(slots=True)
class Bindings:
    """The names that a test text binds, and which of them stand for names of the program."""

    aliases: dict[str, str] = field(default_factory=dict)
    """Name in the tests -> name in the program."""
    modules: set[str] = field(default_factory=set)
    """Plain or dotted names of the program's module in the tests."""
    own: set[str] = field(default_factory=set)
    """Names that the tests define or import themselves."""
    assigned: set[str] = field(default_factory=set)
    """Variables, parameters and definitions of the tests, at any depth."""
    defined: set[str] = field(default_factory=set)
    """Functions and classes that the tests define, at any depth."""
    classes: set[str] = field(default_factory=set)
    """Classes that the tests define, at any depth."""
    own_star: bool = False
    """Whether the tests import everything from the program."""
    star: bool = False
    """Whether the tests import everything from a module other than the program."""


def bindings_of(body: Sequence[ast.stmt], module: str | None) -> Bindings:
    """The bindings of test statements that may import the program as `module`."""
    found = Bindings()
    for statement in body:
        for node in walk_in_order(statement):
            _bind(found, node, module)
        if isinstance(statement, DEFINITIONS):
            found.own.add(statement.name)
    found.assigned |= found.defined
    return found


def _bind(found: Bindings, node: ast.AST, module: str | None) -> None:
    if isinstance(node, ast.ImportFrom):
        _bind_from(found, node, module)
    elif isinstance(node, ast.Import):
        _bind_import(found, node, module)
    elif isinstance(node, ast.Name):
        found.assigned.update(() if isinstance(node.ctx, ast.Load) else (node.id,))
    elif isinstance(node, ast.arg):
        found.assigned.add(node.arg)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        found.assigned.update((node.name,) if node.name else ())
    elif isinstance(node, DEFINITIONS):
        found.defined.add(node.name)
        found.classes.update((node.name,) if isinstance(node, ast.ClassDef) else ())


def _bind_from(found: Bindings, node: ast.ImportFrom, module: str | None) -> None:
    package, _, last = (module or "").rpartition(".")
    for alias in node.names:
        name = alias.asname or alias.name
        if module and node.module == module and not node.level:
            found.own_star |= alias.name == "*"
            found.aliases.update({} if alias.name == "*" else {name: alias.name})
        elif package and node.module == package and alias.name == last:
            found.modules.add(name)
        elif name == "*":
            found.star = True
        else:
            found.own.add(name)


def _bind_import(found: Bindings, node: ast.Import, module: str | None) -> None:
    for alias in node.names:
        if module and alias.name == module:
            found.modules.add(alias.asname or alias.name)
        else:
            found.own.add(imported_name(alias))


def guess_entry_point(program: str, tests: str) -> str | None:
    """The program's only top-level function, else the one that the tests mention most; None when they mention none."""
    functions = list(read_program_facts(program).functions)
    if len(functions) == 1:
        return functions[0]
    tree = parsed_or_none(normalise_line_ends(tests))
    if tree is None:
        return None
    aliases = {
        alias.asname or alias.name: alias.name
        for node in walk_in_order(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    counts = dict.fromkeys(functions, 0)
    own = bindings_of(tree.body, None).defined
    for node in walk_in_order(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = aliases.get(node.id, node.id) if isinstance(node, ast.Name) else node.attr
            if name in counts and not (isinstance(node, ast.Name) and node.id in own):
                counts[name] += 1
    best = max(functions, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] else None


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text; empty when the expression is anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def stored_names(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names that a function assigns, its parameters not counted."""
    nodes = list(walk_in_order(scope))
    shared = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)} - shared
