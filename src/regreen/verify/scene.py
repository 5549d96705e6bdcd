"""A test text beside the program that it checks, as those who look for live objects in it see the two."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from regreen.verify.bindings import Bindings
from regreen.verify.program import Program


@dataclass(frozen=True, slots=True)
class Scene:
    """A test text and what is known of it and the program."""

    program: Program
    nodes: Sequence[ast.AST]
    """Every node of the tests, in the order of the text, but for constants."""
    parents: Mapping[ast.AST, ast.AST]
    bound: Bindings
    program_name: Callable[[ast.AST], str]
    """The program's name for which an expression stands; empty when it stands for none."""

    def calls_program(self, node: ast.AST) -> bool:
        """Whether an expression calls a function of the program."""
        return isinstance(node, ast.Call) and bool(name := self.program_name(node.func)) and self._is_function(name)

    def _is_function(self, name: str) -> bool:
        return name not in self.program.imports and name not in self.program.classes

    def holds_function(self, node: ast.AST) -> bool:
        """Whether an expression is a function of the program, not called."""
        name = self.program_name(node)
        return bool(name) and (name in self.program.functions or name in self.program.coroutines)
