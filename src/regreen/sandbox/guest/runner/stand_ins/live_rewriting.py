"""Rewriting of checks that use live objects: what would take several questions to the program's process takes one.

Python's own `is`, and functions written in C, would do with a stand-in what they do with any object; here the recorder
is asked instead. Where a call's answer is used for one thing alone, as in `Stack([1]).pop()`, the call waits for that.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence

from regreen.sandbox.guest.runner.checks.assertions import OPERATOR_SIGNS, RECORDER, ask_recorder, place_of


def ask_for_live(tree: ast.Module) -> ast.Module:
    """Have the recorder decide every `is` between two values, and call methods, in place; returns the tree."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    _ForLive(imported | _OWN_OBJECTS).visit(tree)
    return tree


_OWN_OBJECTS = frozenset({"self", "cls", "pytest", "unittest", "math", RECORDER})
"""Names that stand for no object of a program: what a method of theirs does may depend on its frame."""
_CONSUMERS = frozenset({"list", "tuple", "set", "frozenset", "sorted", "sum", "next"})
"""Names of functions that take items of an argument before they do anything else."""
_BUILTIN_NAMES = frozenset(dir(builtins))
_STILL = (ast.Constant, ast.Name, ast.Lambda, ast.UnaryOp, ast.Tuple, ast.List, ast.Dict, ast.Set)


class _ForLive(ast.NodeTransformer):
    """Rewrites what would otherwise be done with what stands for a live object, or in several questions."""

    def __init__(self, own: Collection[str]) -> None:
        self.own = own

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function, where = node.func, place_of(node)
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(function, ast.Name) and function.id in _CONSUMERS and node.args:
            self.generic_visit(node)
            asked = ask_recorder("consume", [function, _deferred(node.args[0], given[1:]), *node.args[1:]], where)
        elif isinstance(function, ast.Attribute) and self._is_method(function, node):
            # Not the attribute by itself: what is called is asked for together with it.
            self.generic_visit(function)
            for value in given:
                self.generic_visit(value)
            target = _deferred(function.value, given)
            asked = ask_recorder("method", [target, ast.Constant(function.attr, **where), *node.args], where)
        else:
            self.generic_visit(node)
            return node
        asked.keywords = node.keywords
        return asked

    def _is_method(self, function: ast.Attribute, node: ast.Call) -> bool:
        """Whether the method is to be asked for by its name, with its arguments.

        It is looked up after these then: they must do nothing by which one could tell.
        """
        if function.attr.startswith("_") or self._is_own(function.value):
            return False
        if any(keyword.arg is None for keyword in node.keywords):
            return False
        return all(map(_is_still, (*node.args, *(keyword.value for keyword in node.keywords))))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        target = _deferred(node.value, ()) if isinstance(node.ctx, ast.Load) else node.value
        if target is node.value or node.attr.startswith("_"):
            return node
        where = place_of(node)
        return ask_recorder("attribute", [target, ast.Constant(node.attr, **where)], where)

    def _is_own(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Call):
            return isinstance(value.func, ast.Name) and value.func.id == "super"
        return not isinstance(value, ast.Name) or value.id in self.own

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in (ast.Is, ast.IsNot):
            return node
        where = place_of(node)
        sign = ast.Constant(OPERATOR_SIGNS[type(node.ops[0])], **where)
        return ask_recorder("identical", [sign, node.left, node.comparators[0]], where)


def _deferred(value: ast.expr, others: Sequence[ast.expr]) -> ast.expr:
    """A call that may be put off until its answer is used, as one of the recorder's; anything else as it is.

    `others` are evaluated between the two: they must not depend on what the call does, nor it on them.
    """
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id in _BUILTIN_NAMES:
        return value
    given = (*value.args, *(keyword.value for keyword in value.keywords))
    if any(keyword.arg is None for keyword in value.keywords) or not all(map(_is_still, given)):
        return value
    if not all(map(_is_fixed, others)):
        return value
    asked = ask_recorder("defer", [value.func, *value.args], place_of(value))
    asked.keywords = value.keywords
    return asked


def _is_fixed(value: ast.expr) -> bool:
    """Whether an expression gives the same whatever was done before it."""
    if isinstance(value, ast.Lambda):
        return _is_still(value)
    return _is_still(value) and not any(isinstance(part, ast.Name) for part in ast.walk(value))


def _is_still(value: ast.expr) -> bool:
    """Whether evaluating an expression does nothing but give a value."""
    if isinstance(value, ast.Lambda):
        return not value.args.defaults and not any(value.args.kw_defaults)
    parts = [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
    return isinstance(value, _STILL) and all(map(_is_still, parts))
