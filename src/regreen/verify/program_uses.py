"""The uses of a program in the text of its tests."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from regreen.syntax import FUNCTIONS, Function, child_nodes, walk_in_order
from regreen.types import JSON_VIEW
from regreen.verify.bindings import bindings_of, dotted, stored_names
from regreen.verify.patched_names import owners_of, patched_names
from regreen.verify.program_facts import ProgramFacts

_IMPLICIT = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", JSON_VIEW}


class ProgramUses:
    """The nodes of a test text, resolved to names of the program."""

    def __init__(
        self, program: ProgramFacts, body: Sequence[ast.stmt], module: str | None, *, one_namespace: bool = True
    ) -> None:
        self.program = program
        self.body = body
        self.module = module
        """The name under which the tests may import the program."""
        self.one_namespace = one_namespace
        """Whether the tests see the program's names without importing them."""
        self.bound = bindings_of(body, module)
        self.seen = program.names if one_namespace else program.star_names() if self.bound.own_star else set()
        """The names of the program that the tests may use as they are."""
        self.nodes = list(walk_in_order(*body))
        """Every node of the tests in text order, without constants."""
        self.parents = {child: node for node in self.nodes for child in child_nodes(node)}
        owners = owners_of(self.nodes, self.bound, program, module, one_namespace=one_namespace)
        self.patches = patched_names(self.nodes, owners)
        """Nodes by which the tests replace something of the program or Python's library for a while -> its name."""
        self._stored_in: dict[ast.AST, set[str]] = {}

    def program_name(self, node: ast.AST) -> str:
        """The name of the program that an expression refers to; empty when it refers to none."""
        if isinstance(node, ast.Name):
            is_read = isinstance(node.ctx, ast.Load) and not self._is_local(node)
            return self._resolve(node.id) if is_read else ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            return node.attr if dotted(node.value) in self.bound.modules else ""
        return ""

    def calls_program(self, node: ast.AST) -> bool:
        """Whether an expression calls a function of the program."""
        return isinstance(node, ast.Call) and bool(name := self.program_name(node.func)) and self._is_function(name)

    def holds_function(self, node: ast.AST) -> bool:
        """Whether an expression refers to a function of the program, without a call."""
        name = self.program_name(node)
        return bool(name) and (name in self.program.functions or name in self.program.coroutines)

    def _is_function(self, name: str) -> bool:
        return name not in self.program.imports and name not in self.program.classes

    def _resolve(self, name: str) -> str:
        if name in self.bound.aliases:
            return self.bound.aliases[name]
        if name in self.bound.own or name in self.bound.modules:
            return ""
        if name in self.seen:
            return name
        if not self.one_namespace:
            return ""
        return "" if name in _IMPLICIT or name in self.bound.assigned else name

    def _is_local(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name) or node.id not in self.bound.assigned:
            return False
        above = self.parents.get(node)
        while above is not None:
            if isinstance(above, FUNCTIONS) and node.id in self._stored(above):
                return True
            above = self.parents.get(above)
        return False

    def _stored(self, scope: Function) -> set[str]:
        if scope not in self._stored_in:
            self._stored_in[scope] = stored_names(scope)
        return self._stored_in[scope]
