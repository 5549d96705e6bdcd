"""Which function of a program the tests are about."""

from __future__ import annotations

import ast

from regreen.verify.bindings import bindings_of
from regreen.verify.program import read_program
from regreen.verify.syntax import parsed, walk


def guess_entry_point(program: str, tests: str) -> str | None:
    """The top-level function of the program that the tests use most; its only function when there is just one."""
    functions = list(read_program(program).functions)
    if len(functions) == 1:
        return functions[0]
    tree = parsed(tests)
    if tree is None:
        return None
    aliases = {
        alias.asname or alias.name: alias.name
        for node in walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    counts = dict.fromkeys(functions, 0)
    own = bindings_of(tree.body, None).defined
    for node in walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = aliases.get(node.id, node.id) if isinstance(node, ast.Name) else node.attr
            if name in counts and not (isinstance(node, ast.Name) and node.id in own):
                counts[name] += 1
    best = max(functions, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] else None
