"""The test functions and classes in a test text, and whether only pytest can run them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.syntax import FUNCTIONS, Function, first_line, walk_in_order
from regreen.types import Check
from regreen.verify.bindings import dotted
from regreen.verify.flatten import bare_call
from regreen.verify.program_facts import imported_modules, top_level
from regreen.verify.python_text import shorten_code
from regreen.verify.statement_text import StatementText

_PYTEST_MODULES = frozenset({"pytest", "_pytest", "hypothesis", "pytest_asyncio", "anyio"})
_PYTEST_HOOKS = frozenset(
    f"{when}_{what}" for when in ("setup", "teardown") for what in ("method", "function", "module", "class")
)


class CollectedTests:
    """The test functions and classes of one test text."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        statements = list(top_level(tree.body))
        self.classes = {node.name: node for node in statements if isinstance(node, ast.ClassDef)}
        nodes = list(walk_in_order(tree))
        called = {name for node in nodes if isinstance(node, ast.stmt) for name in _called(node)}
        loaded = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        self.functions = {
            node.name: node
            for node in statements
            if isinstance(node, FUNCTIONS)
            and (node.name.startswith("test_") or (node.name.startswith("test") and node.name not in called))
            and not (_required(node) and node.name in loaded)
        }
        self.test_classes = {name: node for name, node in self.classes.items() if self._is_test_class(node)}

    def checks(self, text: str) -> tuple[Check, ...]:
        """Each test function and method, in the order of the text; ids are "test_x" and "Class.test_x"."""
        source = StatementText(text)
        found: dict[str, Function] = {}
        for statement in top_level(self.tree.body):
            name = getattr(statement, "name", "")
            if isinstance(statement, FUNCTIONS) and name in self.functions:
                found[name] = statement
            elif isinstance(statement, ast.ClassDef) and name in self.test_classes:
                found.update({f"{name}.{method}": node for method, node in self.methods(statement).items()})
        return tuple(
            Check(name, shorten_code(source.statement(node)[0]), first_line(node)) for name, node in found.items()
        )

    def methods(self, node: ast.ClassDef) -> dict[str, Function]:
        """The test methods of a class, inherited ones from classes of the same text first."""
        found: dict[str, Function] = {}
        for owner in reversed(self._ancestry(node)):
            for statement in owner.body:
                if isinstance(statement, FUNCTIONS) and statement.name.startswith("test"):
                    found[statement.name] = statement
        return found

    def is_unittest(self, node: ast.ClassDef) -> bool:
        """Whether a class is a `unittest.TestCase`, directly or through classes of the same text."""
        bases = (dotted(base) for owner in self._ancestry(node) for base in owner.bases)
        return any(base.endswith("TestCase") and base not in self.classes for base in bases)

    def _ancestry(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """The class and those of the same text that it inherits from, nearest first."""
        found = [node]
        for owner in found:
            parents = (self.classes.get(dotted(base)) for base in owner.bases)
            found.extend(parent for parent in parents if parent is not None and parent not in found)
        return found

    def needs_pytest(self) -> bool:
        """Whether something in the text is understood by pytest alone."""
        if any(module in _PYTEST_MODULES for module in self._modules()):
            return True
        if any(_required(node) for node in self.functions.values()):
            return True
        names = {node.name for node in top_level(self.tree.body) if isinstance(node, ast.FunctionDef)}
        return bool(names & _PYTEST_HOOKS) or any(self._class_needs_pytest(n) for n in self.test_classes.values())

    def _class_needs_pytest(self, node: ast.ClassDef) -> bool:
        if self.is_unittest(node):
            return False
        names = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
        nested = any(isinstance(inner, ast.ClassDef) and inner.name.startswith("Test") for inner in node.body)
        asks = any(_required(method) > _implicit(method) for method in self.methods(node).values())
        return nested or asks or bool(names & _PYTEST_HOOKS)

    def _is_test_class(self, node: ast.ClassDef) -> bool:
        has_tests = bool(self.methods(node)) or any(isinstance(inner, ast.ClassDef) for inner in node.body)
        return has_tests and (node.name.startswith("Test") or self.is_unittest(node))

    def _modules(self) -> Iterator[str]:
        for node in walk_in_order(self.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from imported_modules(node)


def _required(node: Function) -> int:
    """Number of parameters without a default."""
    arguments = node.args
    positional = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return positional + sum(default is None for default in arguments.kw_defaults)


def _implicit(method: Function) -> int:
    return 0 if any(dotted(decorator) == "staticmethod" for decorator in method.decorator_list) else 1


def _called(statement: ast.stmt) -> Sequence[str]:
    call = bare_call(statement)
    return [call.func.id] if call is not None and isinstance(call.func, ast.Name) else []
